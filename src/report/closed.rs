//! Thresholds for all totals, laid out as the papers print their chip tables.

use std::fmt::{self, Write};

use num_bigint::BigInt;

use super::text::{BLOCK, align, aligned};
use super::{Page, Scalar};

/// f(G, k) for every k.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedForm {
    /// One formula, or one for each threshold where the rule for ties has two.
    pub formulas: Vec<Formula>,
    /// How it is proved.
    pub proof: String,
}

/// f(G, p·n + r) = m·n + t_r, for every n ≥ 0 but for the exceptions.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// What it is about: `f(G, k)`.
    pub label: String,
    /// The period p, in which the increment is a whole number of chips.
    pub period: u64,
    /// The increment m.
    pub increment: u64,
    /// t_0, …, t_{p−1}.
    pub terms: Vec<Scalar>,
    /// The totals for which it is something else.
    pub exceptions: Vec<Exception>,
}

/// A total for which a formula does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Exception {
    /// The total.
    pub total: u64,
    /// The threshold.
    pub value: Scalar,
    /// What the formula would give.
    pub formula: Scalar,
}

impl ClosedForm {
    pub(super) fn text(&self) -> String {
        let mut parts: Vec<String> = self.formulas.iter().map(Formula::text).collect();
        parts.push(self.proof.clone());
        parts.join("\n\n")
    }
}

impl Formula {
    /// `256n`, `n`, or nothing for 0.
    pub(super) fn multiple(factor: u64) -> String {
        match factor {
            0 => String::new(),
            1 => "n".to_owned(),
            _ => format!("{factor}n"),
        }
    }

    /// The label with the residue in place of k: `f(G, 256n + r) = 133n + t_r`.
    pub(super) fn equation(&self) -> String {
        let left = self.label.replacen(", k)", &format!(", {} + r)", Self::multiple(self.period)), 1);
        match self.increment {
            0 => format!("{left} = t_r"),
            m => format!("{left} = {} + t_r", Self::multiple(m)),
        }
    }

    fn text(&self) -> String {
        let mut text = match (&self.terms[..], self.increment) {
            ([only], 0) => format!("{} = {only}", self.label),
            ([only], increment) => format!("{} = {} + {only}", self.label, Self::multiple(increment).replace('n', "k")),
            _ => format!("{}\n\n{}", self.equation(), self.terms_text()),
        };
        if !self.exceptions.is_empty() {
            text.push_str(&format!("\n\nexcept\n{}", self.exceptions_text()));
        }
        text
    }

    fn exceptions_text(&self) -> String {
        let told = |exception: &Exception| {
            let formula = format!("(not {})", exception.formula);
            vec![format!("  k = {}", exception.total), exception.value.to_string(), formula]
        };
        align(&self.exceptions.iter().map(told).collect::<Vec<_>>())
    }

    fn terms_text(&self) -> String {
        let width = self.terms.len().min(BLOCK);
        let mut rows = vec![
            [format!("{} + r", Self::multiple(self.period))]
                .into_iter()
                .chain((0..width).map(|place| format!("+{place}")))
                .collect::<Vec<_>>(),
        ];
        for (block, terms) in self.terms.chunks(BLOCK).enumerate() {
            let head = format!("{}", block * BLOCK);
            rows.push([head].into_iter().chain(terms.iter().map(ToString::to_string)).collect());
        }
        align(&rows)
    }

    /// Rows for spreadsheets: the residue or total, and what stands there.
    pub(super) fn cells(&self) -> Vec<Vec<String>> {
        let cell = |kind: &str, place: u64, value: &Scalar| {
            vec![self.label.clone(), kind.to_owned(), place.to_string(), value.to_string()]
        };
        let number =
            |kind: &str, value: u64| vec![self.label.clone(), kind.to_owned(), String::new(), value.to_string()];
        let mut rows = vec![number("period", self.period), number("increment", self.increment)];
        rows.extend((0..).zip(&self.terms).map(|(residue, term)| cell("term", residue, term)));
        rows.extend(self.exceptions.iter().map(|exception| cell("exception", exception.total, &exception.value)));
        rows
    }
}

/// A list of things with named properties.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// What each column says.
    pub columns: Vec<String>,
    /// The things, a cell for each column.
    pub rows: Vec<Vec<Scalar>>,
    /// What there is to say about them all; may be empty.
    pub note: String,
}

impl Listing {
    pub(super) fn cells(&self) -> Vec<Vec<String>> {
        let rows = self.rows.iter().map(|row| row.iter().map(ToString::to_string).collect());
        [self.columns.clone()].into_iter().chain(rows).collect()
    }

    pub(super) fn write(&self, page: &mut Page<'_>) -> fmt::Result {
        aligned(&self.cells(), page)?;
        if self.note.is_empty() { Ok(()) } else { write!(page, "\n\n{}", self.note) }
    }
}

/// A total as a value.
pub fn total(k: u64) -> Scalar {
    Scalar::Integer(BigInt::from(k))
}
