//! The computation of one row: the positions that differ only in the last digit, which are adjacent
//! in memory.
//!
//! A sweep spends its time here. Most of a row's moves change another digit: they lead from each
//! position of the row to the position in the same place of an earlier row. So a row is computed
//! from whole earlier rows, one at a time, without a branch in the loop over its positions, and
//! conditions are looked up for 64 positions at once, as bits. Moves within the row lead equally
//! far from many adjacent contents ([`Segment`](super::cells::Segment)), and are computed for many
//! contents at a time. Moves that do not have this form (moves with guards, players who are stuck)
//! are handled position by position, and only in rows that have them.

mod guarded;

use smallvec::SmallVec;

use self::guarded::{ShiftedMove, shifted_moves};
use super::block::ValueBlock;
use super::cells::{Cells, Rule, in_strips};
use super::endings::{ENDINGS, EndingConditions, EndingWord, Rank, ending_for};
use super::order::BlockOrder;
use super::pages::PageView;
use super::shape::SweepShape;
use super::walk::RowWalk;
use crate::game::ruleset::Indexed;
use crate::theory::Theory;

/// The numbers of the seeker's and the opponent's side.
pub const SEEKER: usize = 0;
pub const OPPONENT: usize = 1;

/// The distance of a value in blocks and rows.
pub type Shift = (isize, isize);

/// The data that is common to all rows.
pub struct RowKernel<'a, T: Theory, C: Cells<Number = T::Number>> {
    pub indexed: &'a Indexed,
    pub shape: &'a SweepShape,
    pub theory: &'a T,
    law: C::Law,
    pub endings: EndingConditions<'a>,
    order: &'a BlockOrder,
    /// The steps by digit, side and content.
    steps: Vec<[Vec<Vec<Shift>>; 2]>,
    /// The steps within the row, by side.
    within: [RowSteps; 2],
    /// The steps within the row, arranged for settling.
    steps_within: C::Steps,
    guarded_moves: [Vec<ShiftedMove<'a>>; 2],
    /// The value of each ending.
    pub ended: [T::Number; 3],
    /// The value if the player is to move and cannot, by side.
    stuck: [Option<T::Number>; 2],
}

/// The steps within a row, by content. They lead to smaller contents, as the numbering ensures.
pub struct RowSteps {
    starts: Vec<u32>,
    heads: Vec<u32>,
}

/// The best values to which moves out of a row lead, by side.
pub type BestValues<'r, C> = [&'r [C]; 2];

/// The blocks from which a block is computed.
pub struct Sources<'b, C> {
    pub blocks: &'b [ValueBlock<C>],
    /// The images of some blocks, which are not kept.
    pub images: Vec<(usize, ValueBlock<C>)>,
    /// The block that is computed.
    pub block: usize,
}

/// The ranks of a block, and its stored rows; for the block that is being computed, those that are
/// finished.
type Stored<'b, C> = (&'b [Rank], PageView<'b, C>);

impl<C: Cells> Sources<'_, C> {
    /// Returns the block at this distance.
    fn at(&self, shift: isize) -> Stored<'_, C> {
        let block = self.block.wrapping_add_signed(shift);
        let image = self.images.iter().find(|(number, _)| *number == block);
        let ValueBlock { ranks, values } = image.map_or(&self.blocks[block], |(_, image)| image);
        (ranks, values.all())
    }
}

/// The blocks to which the steps of the first digits lead, by side.
pub struct Before<'b, C> {
    sources: &'b Sources<'b, C>,
    steps: [Vec<Stored<'b, C>>; 2],
}

/// The distances in rows of the steps of the digits within blocks.
#[derive(Default)]
struct RowOffsets {
    /// The distances, by side.
    rows: [Vec<isize>; 2],
    /// The number of steps of the digits before each digit, by side.
    starts: Vec<[usize; 2]>,
}

impl RowOffsets {
    /// Updates the distances, where the digits from `first` on may have changed. Steps and digits
    /// are those within blocks.
    #[inline(always)]
    fn follow(&mut self, steps: &[[Vec<Vec<Shift>>; 2]], digits: &[usize], first: usize) {
        let Self { rows, starts } = self;
        let first = first.min(starts.len());
        if let Some(start) = starts.get(first) {
            rows.iter_mut()
                .zip(start)
                .for_each(|(rows, start)| rows.truncate(*start));
            starts.truncate(first);
        }
        for (steps, content) in steps.iter().zip(digits).skip(first) {
            starts.push([rows[SEEKER].len(), rows[OPPONENT].len()]);
            for (rows, steps) in rows.iter_mut().zip(steps) {
                rows.extend(steps[*content].iter().map(|(_, shift)| *shift));
            }
        }
    }
}

/// Buffers that are reused from row to row.
pub struct RowScratch<C> {
    away: RowOffsets,
    /// The best values so far, by side.
    best: [Vec<C>; 2],
    /// The contents from which there is a move, as bits, by side.
    movable: [Vec<u64>; 2],
    /// The moves within the row that exist only in this row, in the order of their contents, by
    /// side.
    within: [Vec<(u32, u32)>; 2],
    /// The contents that have ended, by ending, and those that have not.
    found: Vec<EndingWord>,
    /// The contents that pass a move's guards.
    guard: Vec<u64>,
}

impl<C: Cells> RowScratch<C> {
    pub fn new<T: Theory<Number = C::Number>>(kernel: &RowKernel<'_, T, C>) -> Self {
        let words = || vec![0; kernel.endings.everything.len()];
        let row = || vec![C::EMPTY; kernel.shape.paging.stride()];
        Self {
            away: RowOffsets::default(),
            best: [row(), row()],
            movable: [words(), words()],
            within: [Vec::new(), Vec::new()],
            found: vec![
                EndingWord {
                    ended: [0; 3],
                    open: 0
                };
                kernel.endings.everything.len()
            ],
            guard: words(),
        }
    }
}

impl RowSteps {
    fn new(steps: &[Vec<u32>]) -> Self {
        let mut starts = vec![0];
        let mut heads: Vec<u32> = Vec::new();
        for steps in steps {
            heads.extend(steps);
            starts.push(heads.len() as u32);
        }
        Self { starts, heads }
    }

    #[inline(always)]
    pub fn of(&self, content: usize) -> &[u32] {
        &self.heads[self.starts[content] as usize..self.starts[content + 1] as usize]
    }
}

impl<'a, C: Cells, T: Theory<Number = C::Number>> RowKernel<'a, T, C> {
    pub fn new(
        indexed: &'a Indexed,
        shape: &'a SweepShape,
        order: &'a BlockOrder,
        theory: &'a T,
    ) -> Self {
        let numbering = &indexed.numbering;
        let sides = [theory.seeker(), theory.seeker().other()];
        let digit = |digit: usize| {
            sides.map(|player| {
                let steps = numbering.digits[digit].steps[player].iter().enumerate();
                steps
                    .map(|(from, to)| {
                        to.iter()
                            .map(|to| shape.shift(digit, from, *to as usize))
                            .collect()
                    })
                    .collect()
            })
        };
        let within = sides.map(|player| RowSteps::new(&numbering.row.steps[player]));
        Self {
            indexed,
            shape,
            theory,
            law: C::law(theory),
            endings: EndingConditions::new(indexed, shape, theory.seeker()),
            order,
            steps: (0..numbering.digits.len()).map(digit).collect(),
            steps_within: C::steps(&within, numbering.row_len()),
            within,
            guarded_moves: sides.map(|player| shifted_moves(indexed, shape, player)),
            ended: ENDINGS.map(|ending| theory.ending(ending)),
            stuck: sides.map(|player| numbering.stuck[player].map(|ending| theory.ending(ending))),
        }
    }

    /// Returns the blocks from which a block is computed, including images.
    pub fn needs(&self, block: usize) -> &[usize] {
        self.order.moves_to(block)
    }

    /// Returns the blocks to which the steps of a block's digits lead.
    pub fn sources_of_block<'b>(&self, sources: &'b Sources<'b, C>) -> Before<'b, C> {
        let digits = self.shape.block_digits(sources.block);
        let steps = [SEEKER, OPPONENT].map(|side| {
            let shifts = digits
                .iter()
                .zip(&self.steps)
                .flat_map(|(content, steps)| &steps[side][*content]);
            shifts.map(|(blocks, _)| sources.at(*blocks)).collect()
        });
        Before { sources, steps }
    }

    /// Goes to a row that is to be computed.
    #[inline(always)]
    pub fn go_to(&self, walk: &mut RowWalk<'_>, row: usize, scratch: &mut RowScratch<C>) {
        let (first, prefix) = (walk.go_to(self.shape, row), self.shape.prefix());
        scratch.away.follow(
            &self.steps[prefix..],
            &walk.digits[prefix..],
            first.saturating_sub(prefix),
        );
    }

    /// Computes the values of a stored row, given those before it.
    #[inline(always)]
    pub fn work_out(
        &self,
        walk: &RowWalk<'_>,
        before: &Before<'_, C>,
        own: Stored<'_, C>,
        out: &mut [C],
        scratch: &mut RowScratch<C>,
    ) {
        let mut any_open = 0;
        for (word, found) in scratch.found.iter_mut().enumerate() {
            *found = self.endings.word(walk, word);
            any_open |= found.open;
        }
        if any_open == 0 {
            self.write(&scratch.found, out);
            return;
        }
        let has_steps = self.gather(SEEKER, walk, before, own, scratch, C::each_least)
            & self.gather(OPPONENT, walk, before, own, scratch, C::each_greatest);
        let is_guarded = self.guarded_moves.iter().any(|moves| !moves.is_empty());
        // If both sides have steps out of the row, neither is stuck and `best` has a value
        // everywhere, so no test is needed at each position.
        if has_steps && !is_guarded {
            self.settle(out, scratch);
        } else {
            self.write(&scratch.found, out);
            self.gather_guarded(SEEKER, walk, before, own, scratch);
            self.gather_guarded(OPPONENT, walk, before, own, scratch);
            self.settle_with_care(out, scratch);
        }
    }

    /// Writes the values of the positions that have ended.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, found: &[EndingWord], out: &mut [C]) {
        for (word, found) in found.iter().enumerate() {
            for (ended, value) in found.ended.into_iter().zip(self.ended) {
                C::write(&mut out[64 * word / C::CONTENTS..], ended, value);
            }
        }
    }

    /// Writes the values of the positions of a row that have ended.
    pub fn write_ended(&self, walk: &RowWalk<'_>, out: &mut [C]) {
        let found: SmallVec<[EndingWord; 4]> = (0..self.endings.everything.len())
            .map(|word| self.endings.word(walk, word))
            .collect();
        self.write(&found, out);
    }

    /// Visits the contents of a row that have not ended.
    pub fn each_open(&self, walk: &RowWalk<'_>, mut visit: impl FnMut(usize)) {
        for word in 0..self.endings.everything.len() {
            each_bit(self.endings.word(walk, word).open, |bit| {
                visit(64 * word + bit)
            });
        }
    }

    /// Gathers the best values to which steps of a side lead in other rows. Returns whether there
    /// are any.
    #[inline(always)]
    fn gather<'b>(
        &self,
        side: usize,
        walk: &RowWalk<'_>,
        before: &Before<'b, C>,
        (ranks, below): Stored<'b, C>,
        scratch: &mut RowScratch<C>,
        better: impl Fn(C, &C) -> C + Copy,
    ) -> bool {
        let paging = self.shape.paging;
        let mut rows: SmallVec<[&'b [C]; 16]> = SmallVec::new();
        let mut ended = None;
        let mut take = |rank: Rank, values: PageView<'b, C>| match ending_for(side, rank) {
            None => rows.push(values.row(rank, paging)),
            Some(ending) => {
                let value = C::all(self.ended[ending]);
                ended = Some(ended.map_or(value, |ended| better(ended, &value)));
            }
        };
        for (ranks, values) in &before.steps[side] {
            take(ranks[walk.row], *values);
        }
        for shift in &scratch.away.rows[side] {
            take(ranks[walk.row.wrapping_add_signed(*shift)], below);
        }
        best_of(&mut scratch.best[side], &rows, ended, better)
    }

    /// Computes the values of a row from which both players can move.
    #[inline(always)]
    fn settle(&self, out: &mut [C], scratch: &RowScratch<C>) {
        let rule = Rule {
            theory: self.theory,
            law: &self.law,
            ended: &self.ended,
        };
        let best = [
            scratch.best[SEEKER].as_slice(),
            scratch.best[OPPONENT].as_slice(),
        ];
        C::settle(rule, &self.steps_within, &scratch.found, best, out);
    }
}

/// Returns LEN elements of a row from `start` on.
#[inline(always)]
pub fn part<const LEN: usize, C>(row: &[C], start: usize) -> &[C; LEN] {
    row[start..].first_chunk().expect("the row goes on")
}

/// Computes the best of some rows and of one value for all of them, element by element. Returns
/// whether there is any value.
#[inline(always)]
fn best_of<C: Cells>(
    best: &mut [C],
    rows: &[&[C]],
    ended: Option<C>,
    better: impl Fn(C, &C) -> C + Copy,
) -> bool {
    // Values of contents that have ended are gathered with the others: leaving them out would cost
    // more than it saves, and `settle` does not use them.
    if rows.is_empty() {
        ended.into_iter().for_each(|value| best.fill(value));
        return ended.is_some();
    }
    // Several vectors are processed at a time, from the first row to the last; in the build for web
    // pages, which has to be small, one element.
    if in_strips::<C>() {
        best_by_parts::<32, _>(best, rows, ended, better);
    } else if cfg!(target_family = "wasm") {
        best_by_parts::<1, _>(best, rows, ended, better);
    } else {
        best_by_parts::<4, _>(best, rows, ended, better);
    }
    true
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
fn best_by_parts<const LEN: usize, C: Cells>(
    best: &mut [C],
    rows: &[&[C]],
    ended: Option<C>,
    better: impl Fn(C, &C) -> C + Copy,
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

/// Computes a part of the best of some rows, at least one.
#[inline(always)]
fn best_part<const LEN: usize, C: Cells>(
    rows: &[&[C]],
    start: usize,
    ended: Option<C>,
    better: impl Fn(C, &C) -> C + Copy,
) -> [C; LEN] {
    let mut best = *part::<LEN, _>(rows[0], start);
    for row in &rows[1..] {
        let row = part::<LEN, _>(row, start);
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

fn has(bits: &[u64], content: usize) -> bool {
    bits[content / 64] >> (content % 64) & 1 != 0
}

fn each(bits: &[u64], mut visit: impl FnMut(usize)) {
    for (word, bits) in bits.iter().enumerate() {
        each_bit(*bits, |bit| visit(64 * word + bit));
    }
}

/// Visits the contents of a row that have not ended.
fn each_open(found: &[EndingWord], mut visit: impl FnMut(usize)) {
    for (word, found) in found.iter().enumerate() {
        each_bit(found.open, |bit| visit(64 * word + bit));
    }
}

#[inline(always)]
pub fn each_bit(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
