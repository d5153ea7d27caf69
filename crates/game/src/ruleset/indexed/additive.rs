//! Conditions on sums: a comparison of the number of some cells, the value of a counter, or a sum
//! of several of these, with another such number.
//!
//! The content of each part of the position contributes a fixed term to such a sum, whatever the
//! other parts contain. So the condition depends only on the sum over the parts outside the row,
//! which has few values, and on the row.

use super::conditions::cells;
use super::parts::{StatePart, put};
use super::reads::{Reads, has_cell, is_cell_by_cell};
use crate::convert::fit;
use crate::ruleset::program::{Bool, ComparisonOp, FoldOp, Int, IntOp, Plane};
use crate::ruleset::visit::AnyProgram;
use crate::ruleset::{Ruleset, State};

/// The greatest absolute value of a term of a sum.
const MOST: i64 = 1 << 30;

/// A condition on a sum: the comparison of the sum with 0.
#[derive(Debug)]
pub struct Additive {
    /// For each part, those outside the row first, the term of each content.
    pub worth: Vec<Vec<i64>>,
    comparison: ComparisonOp,
    /// `true` if the comparison is negated.
    negated: bool,
}

impl Additive {
    /// Returns `true` if the condition holds with this sum.
    pub fn holds(&self, sum: i64) -> bool {
        let holds = match self.comparison {
            ComparisonOp::Equal => sum == 0,
            ComparisonOp::Less => sum < 0,
            ComparisonOp::LessEqual => sum <= 0,
        };
        holds != self.negated
    }

    /// Returns `true` if another condition holds for the same sums.
    pub fn compares_like(&self, other: &Self) -> bool {
        self.comparison == other.comparison && self.negated == other.negated
    }

    /// Converts a condition to one on a sum, if it is of that form.
    pub fn of(
        condition: &Bool,
        ruleset: &Ruleset,
        base: &State,
        parts: &[&StatePart],
    ) -> Option<Self> {
        let count;
        let (comparison, negated, terms) = match condition {
            Bool::Not(inner) => {
                let inner = Self::of(inner, ruleset, base, parts)?;
                return Some(Self {
                    negated: !inner.negated,
                    ..inner
                });
            }
            Bool::Compare(comparison, sides) => {
                (*comparison, false, vec![(1, &sides.0), (-1, &sides.1)])
            }
            // A set is occupied if its number of cells is not 0.
            Bool::Occupied(plane) => {
                count = Int::Count(plane.clone());
                (ComparisonOp::Equal, true, vec![(1, &count)])
            }
            _ => return None,
        };
        let worth = parts
            .iter()
            .map(|part| vec![0; part.contents.len()])
            .collect();
        let mut sum = Sum {
            ruleset,
            base,
            parts,
            worth,
        };
        let mut constant = 0;
        for (factor, term) in terms {
            constant += factor * sum.add(term, factor)?;
        }
        let mut worth = sum.worth;
        worth
            // Exactly one term of each part is added, so the constant can be put into all terms of
            // one part.
            .last_mut()?
            .iter_mut()
            .for_each(|worth| *worth += constant);
        Some(Self {
            worth,
            comparison,
            negated,
        })
    }
}

/// A sum that is being decomposed into terms of parts.
struct Sum<'a> {
    ruleset: &'a Ruleset,
    base: &'a State,
    parts: &'a [&'a StatePart],
    worth: Vec<Vec<i64>>,
}

impl Sum<'_> {
    /// Adds a multiple of a term; returns the part of the term that does not depend on the
    /// position, without the factor. Returns `None` if the term is no sum over the parts.
    fn add(&mut self, term: &Int, factor: i64) -> Option<i64> {
        match term {
            Int::Count(plane) => self.count(plane, factor),
            Int::Binary(IntOp::Add, sides, _) => {
                Some(self.add(&sides.0, factor)? + self.add(&sides.1, factor)?)
            }
            Int::Binary(IntOp::Subtract, sides, _) => {
                Some(self.add(&sides.0, factor)? - self.add(&sides.1, -factor)?)
            }
            Int::Fold(FoldOp::Sum, items, site) => items.iter().try_fold(0, |constant, item| {
                Some(
                    constant
                        + self.single(
                            &Int::Fold(FoldOp::Sum, [item.clone()].into(), *site),
                            factor,
                        )?,
                )
            }),
            other => self.single(other, factor),
        }
    }

    /// Adds a multiple of a term that depends on at most one part.
    fn single(&mut self, term: &Int, factor: i64) -> Option<i64> {
        let reads = Reads::of(AnyProgram::Int(term), self.base.words().len());
        let touched: Vec<usize> = (0..self.parts.len())
            .filter(|part| self.parts[*part].mask.meets(&reads.all))
            .collect();
        let value = |state: &State| {
            term.run(&mut self.ruleset.machine(state))
                .ok()
                // The bound keeps sums of such terms, and their multiples, far from overflowing.
                .filter(|value| (-MOST..=MOST).contains(value))
        };
        match touched[..] {
            [] => value(self.base),
            [part] => {
                for (content, worth) in self.parts[part].contents.iter().zip(&mut self.worth[part])
                {
                    let mut state = self.base.clone();
                    put(&mut state, content);
                    *worth += factor * value(&state)?;
                }
                Some(0)
            }
            _ => None,
        }
    }

    /// Adds a multiple of the number of cells of a set, each of which is determined by at most one
    /// part.
    fn count(&mut self, plane: &Plane, factor: i64) -> Option<i64> {
        // The membership of a cell then depends on something else than the content of the cell.
        if !is_cell_by_cell(plane) {
            return None;
        }
        let decided: Vec<Vec<usize>> = self.parts.iter().map(|part| cells(plane, part)).collect();
        let mut all = decided.concat();
        all.sort_unstable();
        // A cell that two parts determine together has no term of its own in either of them.
        if all.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut here = self.base.clone();
        let mut counted = 0;
        for ((part, cells), worth) in self.parts.iter().zip(&decided).zip(&mut self.worth) {
            let count = |content: &State| {
                fit::<i64>(
                    cells
                        .iter()
                        .filter(|cell| has_cell(plane, **cell, content))
                        .count(),
                )
            };
            part.contents
                .iter()
                .zip(worth)
                .for_each(|(content, worth)| *worth += factor * count(content));
            put(&mut here, &part.contents[0]);
            counted += count(&part.contents[0]);
        }
        let total = Int::Count(Box::new(plane.clone()))
            .run(&mut self.ruleset.machine(&here))
            .ok()?;
        // The rest are cells that are in the set whatever the parts contain.
        Some(total - counted)
    }
}
