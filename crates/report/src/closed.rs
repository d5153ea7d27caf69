//! Thresholds for all totals, or against all budgets, in the layout of the papers' chip tables.

use borsh::{BorshDeserialize, BorshSerialize};
use num_bigint::{BigInt, Sign};
use serde::Serialize;

use super::block::{BLOCK, Block, Cell, Column, Facts, Grid, Line, Medium};
use super::latex;
use bid_language::scalar::Scalar;

/// The thresholds f(G, k) for every k, or f(G, bob: b) for every b.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "closed_form")]
pub struct ClosedForm {
    /// One formula, or one for each threshold where the rule for ties has two.
    pub formulas: Vec<ClosedFormula>,
    /// The thresholds that are rounded lines instead of formulas.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<RoundedLine>,
    /// The kind of proof, or the range in which the formulas were verified.
    pub proof: String,
    /// The limits of the thresholds in comparison with real-valued bidding.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<(String, Scalar)>,
}

/// The rounded line ⌊αb + β⌋, valid from some b on.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct RoundedLine {
    /// The threshold: `f(G, bob: b)`.
    pub label: String,
    /// The first b for which the line is valid.
    #[serde(serialize_with = "bid_language::scalar::json::text")]
    pub from: u64,
    /// The slope α.
    pub rate: Scalar,
    /// A polynomial that has α as a root, as far as the known digits tell.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub root_of: String,
    /// The bounds of β, as decimals. Any number between them gives the same line.
    pub offset: [String; 2],
}

/// The formula f(G, p·n + r) = m·n + t_r, which holds for every n ≥ 0 except for the exceptions.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ClosedFormula {
    /// The threshold: `f(G, k)`, `f(G, bob: b)`.
    pub label: String,
    /// The variable in the label for the total or the budget: `k`, `b`.
    #[serde(skip_serializing_if = "is_total")]
    #[borsh(
        serialize_with = "bid_language::codec::write_word",
        deserialize_with = "bid_language::codec::read_word"
    )]
    pub variable: &'static str,
    /// The period p, within which the threshold increases by a whole number of chips.
    #[serde(serialize_with = "bid_language::scalar::json::text")]
    pub period: u64,
    /// The increment m.
    #[serde(serialize_with = "bid_language::scalar::json::text")]
    pub increment: u64,
    /// The terms t_0, …, t_{p−1}.
    pub terms: Vec<Scalar>,
    /// The totals, or budgets, with other thresholds.
    pub exceptions: Vec<Exception>,
}

/// A total for which a formula does not hold.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Exception {
    /// The total, or the budget.
    #[serde(rename = "k", serialize_with = "bid_language::scalar::json::text")]
    pub total: u64,
    /// The threshold.
    pub value: Scalar,
    /// The value of the formula.
    pub formula: Scalar,
}

fn is_total(variable: &str) -> bool {
    variable == "k"
}

impl ClosedForm {
    /// Returns the form without the labels of its formulas.
    pub(super) fn unlabelled(&self) -> Self {
        let mut form = self.clone();
        let of_formulas = form.formulas.iter_mut().map(|formula| &mut formula.label);
        let of_lines = form.lines.iter_mut().map(|line| &mut line.label);
        of_formulas.chain(of_lines).for_each(String::clear);
        form
    }

    pub(super) fn blocks(&self, medium: Medium) -> Vec<Block<'_>> {
        match medium {
            Medium::Terminal | Medium::Page => {
                let mut blocks: Vec<_> =
                    self.formulas.iter().flat_map(ClosedFormula::told).collect();
                blocks.extend(self.lines.iter().flat_map(RoundedLine::told));
                blocks.push(Block::line([Cell::text(&self.proof)]));
                blocks.extend(self.limits());
                blocks
            }
            Medium::Paper => {
                let mut blocks: Vec<_> =
                    self.formulas.iter().flat_map(ClosedFormula::set).collect();
                blocks.extend(self.lines.iter().flat_map(RoundedLine::told));
                blocks.extend(self.limits());
                blocks
            }
            Medium::Sheet => {
                let rows = self
                    .formulas
                    .iter()
                    .flat_map(ClosedFormula::rows)
                    .collect::<Vec<_>>();
                let rows = rows
                    .into_iter()
                    .chain(self.lines.iter().flat_map(RoundedLine::rows))
                    .chain(self.limit_rows());
                vec![Block::sheet(["formula", "kind", "place", "value"], rows)]
            }
        }
    }
}

impl ClosedForm {
    fn limits(&self) -> Option<Block<'_>> {
        let rows = self
            .limits
            .iter()
            .map(|(name, value)| vec![Cell::text(name), Cell::value(value)]);
        (!self.limits.is_empty()).then(|| {
            Block::Facts(vec![Facts {
                title: None,
                rows: rows.collect(),
            }])
        })
    }

    fn limit_rows(&self) -> impl Iterator<Item = [Cell<'_>; 4]> {
        self.limits.iter().map(|(name, value)| {
            [
                Cell::text(name),
                Cell::text("limit"),
                Cell::text(""),
                Cell::value(value),
            ]
        })
    }
}

impl RoundedLine {
    fn told(&self) -> Vec<Block<'_>> {
        let says = match self.from {
            0 => " = ⌊αb + β⌋".to_owned(),
            from => format!(" = ⌊αb + β⌋ from b = {from} on"),
        };
        let [low, high] = &self.offset;
        let mut rows = vec![vec![Cell::text("α"), Cell::value(&self.rate)]];
        if !self.root_of.is_empty() {
            rows.push(vec![Cell::text("is a root of"), Cell::text(&self.root_of)]);
        }
        rows.push(vec![
            Cell::text("β"),
            Cell::text(format!("from {low} to {high}")),
        ]);
        vec![
            Block::line([Cell::expression(&self.label), Cell::text(says)]),
            Block::Facts(vec![Facts { title: None, rows }]),
        ]
    }

    fn rows(&self) -> Vec<[Cell<'_>; 4]> {
        let row = |kind, place: String, value| {
            [
                Cell::text(&self.label),
                Cell::text(kind),
                Cell::text(place),
                value,
            ]
        };
        let [low, high] = &self.offset;
        vec![
            row("rate", self.from.to_string(), Cell::value(&self.rate)),
            row("least offset", String::new(), Cell::text(low)),
            row("greatest offset", String::new(), Cell::text(high)),
        ]
    }
}

impl ClosedFormula {
    /// Writes `256n`, `n`, or nothing for 0.
    fn multiple(factor: u64) -> String {
        match factor {
            0 => String::new(),
            1 => "n".to_owned(),
            _ => format!("{factor}n"),
        }
    }

    /// Returns the equation that replaces the variable by the residue: `f(G, 256n + r) = 133n +
    /// t_r`.
    fn equation(&self) -> Cell<'_> {
        let left = self.label.replacen(
            &format!(" {})", self.variable),
            &format!(" {} + r)", Self::multiple(self.period)),
            1,
        );
        let text = match self.increment {
            0 => format!("{left} = t_r"),
            m => format!("{left} = {} + t_r", Self::multiple(m)),
        };
        // The expression writer takes `t_r` for a name of several letters, but here it has an
        // index.
        let tex = latex::expression(&text).replace("\\mathrm{t\\_r}", "t_r");
        Cell::Formula { text, tex }
    }

    /// Returns the blocks for reading: a short form if there is one residue, and the exceptions
    /// below.
    fn told(&self) -> Vec<Block<'_>> {
        let label = || Cell::expression(&self.label);
        let mut blocks = match (&self.terms[..], self.increment) {
            ([only], 0) => vec![Block::line([label(), Cell::text(" = "), Cell::value(only)])],
            // An integer is joined with the slope, so that a negative one is subtracted.
            ([Scalar::Integer(only)], increment) => {
                let slope = Self::multiple(increment).replace('n', self.variable);
                let rest = match only.sign() {
                    Sign::Minus => format!(" − {}", only.magnitude()),
                    Sign::NoSign => String::new(),
                    Sign::Plus => format!(" + {only}"),
                };
                vec![Block::line([
                    label(),
                    Cell::text(format!(" = {slope}{rest}")),
                ])]
            }
            ([only], increment) => {
                let slope = format!(
                    " = {} + ",
                    Self::multiple(increment).replace('n', self.variable)
                );
                vec![Block::line([label(), Cell::text(slope), Cell::value(only)])]
            }
            _ => vec![Block::line([self.equation()]), self.residues()],
        };
        if !self.exceptions.is_empty() {
            let rows = self
                .exceptions
                .iter()
                .map(|exception| exception.row(self.variable))
                .collect();
            blocks.push(Block::Facts(vec![Facts {
                title: Some(vec![Cell::text("except")]),
                rows,
            }]));
        }
        blocks
    }

    /// Returns the blocks for a paper: the equation with its exceptions, and the terms.
    fn set(&self) -> Vec<Block<'_>> {
        let mut line = vec![self.equation()];
        for (place, Exception { total, value, .. }) in self.exceptions.iter().enumerate() {
            let total = Cell::expression(format!("{} = {total}", self.variable));
            line.extend([
                Cell::text(if place == 0 { " except " } else { ", " }),
                Cell::value(value),
            ]);
            line.extend([Cell::text(" at "), total]);
        }
        line.push(Cell::text("."));
        vec![Block::line(line), self.residues()]
    }

    /// Returns the terms as papers print them: a row for every twelve residues, headed by the first
    /// of them.
    fn residues(&self) -> Block<'_> {
        let period = Self::multiple(self.period);
        let period = Cell::Formula {
            text: format!("{period} + r"),
            tex: format!("{period}+"),
        };
        let places = (0..self.terms.len().min(BLOCK))
            .map(|place| Column::right(Cell::expression(format!("+{place}"))));
        let heads = [Column::left(period)].into_iter().chain(places).collect();
        let rows = self.terms.len().div_ceil(BLOCK);
        Block::Grid(Grid::new(heads, rows, |row, column| match column {
            0 => Cell::Formula {
                text: (row * BLOCK).to_string(),
                tex: format!("{}+", row * BLOCK),
            },
            _ => self
                .terms
                .get(row * BLOCK + column - 1)
                // The last row may have fewer than twelve residues.
                .map_or(Cell::Nothing, Cell::value),
        }))
    }

    /// Returns the rows for spreadsheets: the residue or total, and the value there.
    fn rows(&self) -> Vec<[Cell<'_>; 4]> {
        let row = |kind, place: String, value| {
            [
                Cell::text(&self.label),
                Cell::text(kind),
                Cell::text(place),
                value,
            ]
        };
        let mut rows = vec![
            row("period", String::new(), Cell::words(self.period)),
            row("increment", String::new(), Cell::words(self.increment)),
        ];
        rows.extend(
            // The places are counted in 64 bits, in which the period is given.
            (0..)
                .zip(&self.terms)
                .map(|(place, term): (u64, _)| row("term", place.to_string(), Cell::value(term))),
        );
        for Exception { total, value, .. } in &self.exceptions {
            rows.push(row("exception", total.to_string(), Cell::value(value)));
        }
        rows
    }
}

impl Exception {
    fn row(&self, variable: &str) -> Line<'_> {
        let total = Cell::expression(format!("{variable} = {}", self.total));
        vec![
            total,
            Cell::value(&self.value),
            Cell::text(format!("(not {})", self.formula)),
        ]
    }
}

/// Converts a total to a value.
pub fn total(k: u64) -> Scalar {
    Scalar::Integer(BigInt::from(k))
}
