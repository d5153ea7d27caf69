//! Sets of totals, eventually periodic.

use super::lift::{LiftedStep, MemoryLeft, ThresholdSequences, lift};
use super::sequence::Sequence;
use crate::chips::Quantity;
use crate::diagnostic::Result;

/// A set of totals k in which, from some k on, membership depends only on the residue of k.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Totals(Sequence);

/// A description of a set of totals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TotalsShape {
    /// All totals except these.
    AllBut(Vec<u64>),
    /// Only these totals.
    Only(Vec<u64>),
    /// The totals with certain residues.
    Residues {
        /// The modulus.
        modulus: u64,
        /// The residues that belong to the set.
        residues: Vec<u64>,
        /// Further members.
        also: Vec<u64>,
        /// Totals with these residues that do not belong to it.
        but: Vec<u64>,
    },
}

impl Totals {
    /// Returns whether a total belongs to the set.
    pub fn contains(&self, total: u64) -> bool {
        self.0.at(total) == 1
    }

    /// Returns the least member.
    pub fn least(&self) -> Option<u64> {
        (0..self.0.pre_period() + self.0.period()).find(|&total| self.contains(total))
    }

    /// Returns a description of the set.
    pub fn shape(&self) -> TotalsShape {
        let (start, modulus) = (self.0.pre_period(), self.0.period());
        // The next multiple is past the pre-period, so the residue alone decides there.
        let later = |residue: u64| self.contains(start.next_multiple_of(modulus) + residue);
        let beginning = |member: bool| {
            (0..start)
                .filter(move |&total| {
                    self.contains(total) == member && later(total % modulus) != member
                })
                .collect()
        };
        if modulus > 1 {
            let residues = (0..modulus).filter(|&residue| later(residue)).collect();
            return TotalsShape::Residues {
                modulus,
                residues,
                also: beginning(true),
                but: beginning(false),
            };
        }
        if later(0) {
            TotalsShape::AllBut(beginning(false))
        } else {
            TotalsShape::Only(beginning(true))
        }
    }

    /// Returns the totals for which the first thresholds exceed the second ones, in any of their
    /// parts.
    pub(super) fn above(
        a: &ThresholdSequences,
        b: &ThresholdSequences,
        room: MemoryLeft<'_>,
    ) -> Result<Self> {
        Self::of(&Above, &[a, b], room)
    }

    /// Returns the totals for which all thresholds are the same.
    pub(super) fn equal(forms: &[&ThresholdSequences], room: MemoryLeft<'_>) -> Result<Self> {
        Self::of(&Equal, forms, room)
    }

    fn of(
        step: &impl LiftedStep,
        forms: &[&ThresholdSequences],
        room: MemoryLeft<'_>,
    ) -> Result<Self> {
        let form = lift(step, forms, room)?;
        Ok(Self(form.into_vec().remove(0)))
    }
}

/// Writes 1 for each lane of which all parts pass a test, 0 for the others; a test gives 1 or 0.
fn test<T: Quantity>(rows: &[Vec<T>], out: &mut [T], passes: impl Fn(&dyn Fn(usize) -> T) -> T) {
    let lanes = out.len();
    // A row has one part for each threshold of the scale, all lanes of a part together.
    let parts = rows.first().map_or(1, |row| row.len() / lanes.max(1));
    for (lane, out) in out.iter_mut().enumerate() {
        let part = |part: usize| passes(&|row: usize| rows[row][part * lanes + lane]);
        *out = (1..parts).fold(part(0), |all, next| all.smaller(part(next)));
    }
}

/// Returns 1 if a ≤ b, otherwise 0.
fn at_most<T: Quantity>(a: T, b: T) -> T {
    // The comparison is expressed by the operations of a step, which lines support as well as
    // numbers.
    b.if_less(a, T::NOTHING, T::UNIT)
}

struct Above;

impl LiftedStep for Above {
    fn slots(&self) -> usize {
        1
    }

    fn run<T: Quantity>(&self, rows: &[Vec<T>], _: &[T], out: &mut [T]) {
        // The test passes only if all parts do, so exceeding in any part is its negation.
        test(rows, out, |row| at_most(row(0), row(1)));
        out.iter_mut().for_each(|out| *out = T::UNIT - *out);
    }
}

struct Equal;

impl LiftedStep for Equal {
    fn slots(&self) -> usize {
        1
    }

    fn run<T: Quantity>(&self, rows: &[Vec<T>], _: &[T], out: &mut [T]) {
        test(rows, out, |row| {
            let same =
                |other: usize| at_most(row(0), row(other)).smaller(at_most(row(other), row(0)));
            (1..rows.len()).fold(T::UNIT, |all, other| all.smaller(same(other)))
        });
    }
}
