//! The computation of one row (the positions that differ only in the last digit, which are adjacent
//! in memory) in the numbers of a theory.
//!
//! A sweep spends its time here, and only this part is compiled for each theory and each width of
//! numbers: everything else works on bytes. A row is computed from whole earlier rows, one at a
//! time, without a branch in the loop over its positions. Moves within the row lead equally far
//! from many adjacent contents ([`Segment`]), and are computed for many
//! contents at a time. Moves with guards, and players who are stuck, are handled position by
//! position.

use std::cmp::Ordering;

use bytemuck::{cast_slice, cast_slice_mut};

use super::block::StoredRowImage;
use super::endings::{ENDINGS, EndingWord};
use super::pages::Grain;
use super::row::guarded::{GuardedHead, Landed};
use super::row::{
    BlockRows, KernelRow, OPPONENT, RowHeads, RowScratch, RowSteps, SEEKER, each, each_open, has,
};
use super::slot::Slot;
use super::strip::{Rule, Segment, in_strips, part, write};
use super::value::Value;
use crate::diagnostic::Result;
use crate::game::ruleset::{Indexed, Ruleset, State};
use crate::law::Law;
use crate::number::Number;
use crate::number::vectorised::{RowLoop, vectorised};
use crate::player::Player;
use crate::proof::spot::Spot;

/// A theory in numbers of some type, which does not appear in this interface.
pub trait RowKernel: Sync {
    /// Returns the name of the theory, with everything that the values depend on besides the game.
    fn name(&self) -> String;

    /// Returns the player for whom less is better.
    fn seeker(&self) -> Player;

    /// Computes the next `count` stored rows of a block, or all that are left if they are fewer.
    fn work_out(&self, rows: &mut BlockRows<'_>, count: usize);

    /// Writes the values of a row, given its image, which has been computed. `found` has the
    /// endings of the row's contents.
    fn write_image(&self, found: &[EndingWord], image: &StoredRowImage<'_>, out: &mut [Grain]);

    /// Checks that the value of a position follows from those of the positions that moves lead to.
    /// If one of these is not known nothing is checked.
    ///
    /// # Errors
    /// If it does not follow.
    ///
    /// # Panics
    /// If the value of the position itself is not known.
    fn check<'v>(
        &self,
        ruleset: &Ruleset,
        spot: &Spot,
        value_of: &dyn Fn(&State) -> Option<Value<'v>>,
    ) -> Result<()>;

    /// Compares two values; the lesser one is better for the seeker.
    fn compare(&self, a: Value<'_>, b: Value<'_>) -> Ordering;
}

/// A theory with the steps of a game.
pub struct TypedKernel<'a, T: Law> {
    theory: &'a T,
    /// The steps within the row, by side.
    within: [RowSteps; 2],
    /// The contents of the row.
    segments: Vec<Segment>,
    /// The value of each ending.
    pub ended: [T::Number; 3],
    /// The value if a player must move and cannot, by side; `None` if the opponent moves then.
    stuck: [Option<T::Number>; 2],
}

/// The next `count` stored rows of a block, to be computed with the instructions that the processor
/// has.
struct Stretch<'s, 'r, 'k, T: Law> {
    kernel: &'s TypedKernel<'k, T>,
    rows: &'s mut BlockRows<'r>,
    count: usize,
}

impl<T: Law<Number: Slot>> RowLoop for Stretch<'_, '_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDE: bool>(self) {
        for _ in 0..self.count {
            let Some(mut row) = self.rows.next() else {
                break;
            };
            self.kernel.settle_row::<WIDE>(&mut row);
        }
    }
}

impl<T: Law<Number: Slot>> RowKernel for TypedKernel<'_, T> {
    fn name(&self) -> String {
        self.theory.name()
    }

    fn seeker(&self) -> Player {
        self.theory.seeker()
    }

    fn work_out(&self, rows: &mut BlockRows<'_>, count: usize) {
        vectorised(Stretch {
            kernel: self,
            rows,
            count,
        });
    }

    fn write_image(&self, found: &[EndingWord], image: &StoredRowImage<'_>, out: &mut [Grain]) {
        let out = cast_slice_mut(out);
        self.write_ended::<false>(found, out);
        each_open(found, |content| {
            out[content] = image.value(content).number(&self.ended);
        });
    }

    fn check<'v>(
        &self,
        ruleset: &Ruleset,
        spot: &Spot,
        value_of: &dyn Fn(&State) -> Option<Value<'v>>,
    ) -> Result<()> {
        let number_of = |state: &State| Some(value_of(state)?.number(&self.ended));
        let value = number_of(&spot.position).expect("the position has been worked out");
        spot.check(ruleset, self.theory, value, &number_of)
    }

    fn compare(&self, a: Value<'_>, b: Value<'_>) -> Ordering {
        let number = |value: Value<'_>| value.number(&self.ended);
        number(a).cmp(&number(b))
    }
}

impl<'a, T: Law<Number: Slot>> TypedKernel<'a, T> {
    /// Creates the kernel of a theory for a game.
    pub fn new(indexed: &Indexed, theory: &'a T) -> Self {
        let numbering = &indexed.numbering;
        let seeker = theory.seeker();
        let steps = &numbering.row.steps;
        let within = [
            RowSteps::new(&steps[seeker]),
            RowSteps::new(&steps[seeker.other()]),
        ];
        let ending = |ending| theory.ending(ending);
        // Arrays are written out, because `map` would be compiled for each number.
        let [first, second, third] = ENDINGS;
        Self {
            theory,
            segments: Segment::all(&within, numbering.row_len()),
            within,
            ended: [ending(first), ending(second), ending(third)],
            stuck: [
                numbering.stuck[seeker].map(ending),
                numbering.stuck[seeker.other()].map(ending),
            ],
        }
    }

    /// Computes the values of a stored row, given the rows before it.
    #[inline(always)]
    fn settle_row<const WIDE: bool>(&self, row: &mut KernelRow<'_>) {
        if !row.is_open {
            self.write_ended::<WIDE>(row.found, cast_slice_mut(row.out));
            return;
        }
        let has_steps =
            // Both sides must be gathered even if the first has no steps, so the operator is not
            // lazy.
            self.gather::<WIDE>(SEEKER, row, T::Number::least)
                & self.gather::<WIDE>(OPPONENT, row, T::Number::greatest);
        // If both sides have steps out of the row, no player is stuck and `best` has a value at
        // every content, so no test is needed at each position.
        if has_steps && !row.is_guarded() {
            self.settle::<WIDE>(row);
        } else {
            // Guarded moves within the row may lead to ended contents, whose values must be there
            // first.
            self.write_ended::<WIDE>(row.found, cast_slice_mut(row.out));
            self.gather_guarded(SEEKER, row);
            self.gather_guarded(OPPONENT, row);
            self.settle_with_care(row);
        }
    }

    /// Writes the values of the positions that have ended.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write_ended<const WIDE: bool>(&self, found: &[EndingWord], out: &mut [T::Number]) {
        for (word, found) in found.iter().enumerate() {
            for (ended, value) in found.ended.into_iter().zip(self.ended) {
                write::<_, WIDE>(&mut out[64 * word..], ended, value);
            }
        }
    }

    /// Gathers the best values that steps of a side lead to in other rows. Returns whether there
    /// are such steps.
    #[inline(always)]
    fn gather<const WIDE: bool>(
        &self,
        side: usize,
        row: &mut KernelRow<'_>,
        better: impl Fn(T::Number, &T::Number) -> T::Number + Copy,
    ) -> bool {
        let mut heads = RowHeads::new();
        let endings = row.find_heads(side, &mut heads);
        let mut ended = None;
        for (has_ended, value) in endings.into_iter().zip(self.ended) {
            // Endings are the same at every content, so they are combined to one value beforehand.
            if has_ended {
                ended = Some(ended.map_or(value, |ended| better(ended, &value)));
            }
        }
        let best = cast_slice_mut(&mut row.scratch.best[side]);
        best_of::<_, WIDE>(best, &heads, ended, better)
    }

    /// Computes the values of a row that both players can move out of.
    #[inline(always)]
    fn settle<const WIDE: bool>(&self, row: &mut KernelRow<'_>) {
        let rule = Rule {
            theory: self.theory,
            ended: &self.ended,
            segments: &self.segments,
        };
        let [seeker, opponent] = &row.scratch.best;
        let best = [cast_slice(seeker), cast_slice(opponent)];
        rule.settle::<WIDE>(row.found, best, cast_slice_mut(row.out));
    }

    /// Improves the best values of a side by those that its guarded moves lead to.
    fn gather_guarded(&self, side: usize, row: &mut KernelRow<'_>) {
        let better = [T::Number::least, T::Number::greatest][side];
        row.each_landing(side, &mut |landed: Landed<'_>| {
            let value_at = |content: usize| match landed.head {
                GuardedHead::Stored(row) => cast_slice(row)[content],
                GuardedHead::Ended(ending) => self.ended[ending],
            };
            let (best, movable) = (cast_slice_mut(landed.best), landed.movable);
            let mut improve = |content: usize, value: T::Number| {
                // A content without moves so far has no best value yet, only what an earlier row
                // left there.
                best[content] = if has(movable, content) {
                    better(best[content], &value)
                } else {
                    value
                };
                movable[content / 64] |= 1 << (content % 64);
            };
            match landed.changes {
                Some(changes) => changes
                    .iter()
                    .filter(|(from, _)| has(landed.guard, *from as usize))
                    .for_each(|(from, to)| improve(*from as usize, value_at(*to as usize))),
                None => each(landed.guard, |content| improve(content, value_at(content))),
            }
        });
    }

    /// Computes the values of a row in which some moves depend on the content, or a player may be
    /// stuck.
    fn settle_with_care(&self, row: &mut KernelRow<'_>) {
        let RowScratch {
            best,
            movable,
            within,
            ..
        } = &*row.scratch;
        let out: &mut [T::Number] = cast_slice_mut(row.out);
        let mut next = [0; 2];
        each_open(row.found, |content| {
            let mut side = |side: usize, better: fn(T::Number, &T::Number) -> T::Number| {
                let changes = &within[side];
                // Contents are visited in ascending order, so earlier changes need not be searched
                // again.
                let first = next[side]
                    + changes[next[side]..].partition_point(|(from, _)| (*from as usize) < content);
                let count = changes[first..].partition_point(|(from, _)| *from as usize == content);
                next[side] = first + count;
                let here = changes[first..first + count].iter().map(|(_, to)| to);
                let heads = self.within[side].of(content).iter().chain(here);
                let elsewhere =
                    has(&movable[side], content).then(|| cast_slice(&best[side])[content]);
                elsewhere
                    .into_iter()
                    .chain(heads.map(|head| out[*head as usize]))
                    .reduce(|best, value| better(best, &value))
                    // The rule for stuck players applies only if the side has no move at all here.
                    .or(self.stuck[side])
            };
            let seeker = side(SEEKER, T::Number::least);
            let opponent = side(OPPONENT, T::Number::greatest);
            out[content] = self.theory.turn(seeker, opponent);
        });
    }
}

/// Computes the best of some rows, and of a value that counts at every content, content by content.
/// Returns `false` if there are neither rows nor such a value.
#[inline(always)]
fn best_of<N: Slot, const WIDE: bool>(
    best: &mut [N],
    rows: &[&[Grain]],
    ended: Option<N>,
    better: impl Fn(N, &N) -> N + Copy,
) -> bool {
    // Values of contents that have ended are gathered with the others: leaving them out would cost
    // more than it saves, and `settle` does not use them.
    if rows.is_empty() {
        ended.into_iter().for_each(|value| best.fill(value));
        return ended.is_some();
    }
    // Several vectors are computed at a time, from the first row to the last; if the code has to be
    // short, one number.
    if in_strips::<N, WIDE>() {
        best_by_parts::<32, _>(best, rows, ended, better);
    } else if WIDE {
        best_by_parts::<4, _>(best, rows, ended, better);
    } else {
        best_by_parts::<1, _>(best, rows, ended, better);
    }
    true
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
fn best_by_parts<const LEN: usize, N: Slot>(
    best: &mut [N],
    rows: &[&[Grain]],
    ended: Option<N>,
    better: impl Fn(N, &N) -> N + Copy,
) {
    let (parts, last) = best.as_chunks_mut::<LEN>();
    let length = parts.len() * LEN;
    for (number, best) in parts.iter_mut().enumerate() {
        *best = best_part(rows, number * LEN, ended, better);
    }
    for (place, best) in (length..).zip(last) {
        [*best] = best_part(rows, place, ended, better);
    }
}

/// Computes LEN numbers, from `start` on, of the best of some rows, of which there must be at
/// least one.
#[inline(always)]
fn best_part<const LEN: usize, N: Slot>(
    rows: &[&[Grain]],
    start: usize,
    ended: Option<N>,
    better: impl Fn(N, &N) -> N + Copy,
) -> [N; LEN] {
    // The first row is copied instead of starting from a neutral number, which types need not have.
    let mut best = *part::<LEN, N>(cast_slice(rows[0]), start);
    for row in &rows[1..] {
        let row = part::<LEN, N>(cast_slice(row), start);
        for (best, row) in best.iter_mut().zip(row) {
            *best = better(*best, row);
        }
    }
    if let Some(value) = &ended {
        for best in &mut best {
            *best = better(*best, value);
        }
    }
    best
}
