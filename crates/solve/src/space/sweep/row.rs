//! The rows of a block in the order of their computation, and all that the computation of a row
//! needs apart from the theory ([`kernel`](super::kernel)): its endings, its guarded moves and the
//! rows to which its steps lead. A row consists of the positions that differ only in the last
//! digit, which are adjacent in memory.
//!
//! Most of a row's moves change another digit: they lead from each position of the row to the
//! position in the same place of an earlier row. So a row is computed from whole earlier rows, one
//! at a time, without a branch in the loop over its positions, and conditions are looked up for 64
//! positions at once, as bits. Moves within the row lead equally far from many adjacent contents
//! ([`Segment`](super::strip::Segment)), and are computed for many contents at a time. Moves that
//! do not have this form (moves with guards, players who are stuck) are handled position by
//! position, and only in rows that have them.

pub mod guarded;

use smallvec::SmallVec;

use self::guarded::{ShiftedMove, shifted_moves};
use super::block::ValueBlock;
use super::endings::{self, EndingConditions, EndingWord, Rank, ending_for};
use super::order::BlockOrder;
use super::pages::{Grain, PageView, Pages, Paging};
use super::shape::SweepShape;
use super::walk::RowWalk;
use crate::convert::fit;
use crate::game::ruleset::Indexed;
use crate::player::Player;

/// The numbers of the seeker's and the opponent's side.
pub const SEEKER: usize = 0;
pub const OPPONENT: usize = 1;

/// The distance of a value in blocks and rows.
pub type Shift = (isize, isize);

/// The data about all rows of a game: their steps, guarded moves and endings.
pub struct Structure<'a> {
    pub indexed: &'a Indexed,
    pub shape: &'a SweepShape,
    pub endings: EndingConditions<'a>,
    order: &'a BlockOrder,
    /// The steps by digit, side and content.
    steps: Vec<[Vec<Vec<Shift>>; 2]>,
    guarded_moves: [Vec<ShiftedMove<'a>>; 2],
}

/// The steps within a row, by content. They lead to smaller contents, as the numbering ensures.
pub struct RowSteps {
    starts: Vec<u32>,
    heads: Vec<u32>,
}

/// The blocks from which a block is computed.
pub struct Sources<'b> {
    pub blocks: &'b [ValueBlock],
    /// The images of some blocks, which are not kept.
    pub images: Vec<(usize, ValueBlock)>,
    /// The block that is computed.
    pub block: usize,
}

/// The ranks of a block, and its stored rows; for the block that is being computed, those that are
/// finished.
type Stored<'b> = (&'b [Rank], PageView<'b>);

impl Sources<'_> {
    /// Returns the block at this distance.
    fn at(&self, shift: isize) -> Stored<'_> {
        let block = self.block.wrapping_add_signed(shift);
        let image = self.images.iter().find(|(number, _)| *number == block);
        let ValueBlock { ranks, values } = image.map_or(&self.blocks[block], |(_, image)| image);
        (ranks, values.all())
    }
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
    /// Updates the distances after the digits from `first` on may have changed. Steps and digits
    /// are those within blocks.
    fn follow(&mut self, steps: &[[Vec<Vec<Shift>>; 2]], digits: &[usize], first: usize) {
        let Self { rows, starts } = self;
        // At the first row nothing is known yet, whichever digits have changed.
        let first = first.min(starts.len());
        if let Some(start) = starts.get(first) {
            rows.iter_mut()
                .zip(start)
                .for_each(|(rows, start)| rows.truncate(*start));
            starts.truncate(first);
        }
        // Only the steps of digits that have changed are collected again.
        for (steps, content) in steps.iter().zip(digits).skip(first) {
            starts.push([rows[SEEKER].len(), rows[OPPONENT].len()]);
            for (rows, steps) in rows.iter_mut().zip(steps) {
                rows.extend(steps[*content].iter().map(|(_, shift)| *shift));
            }
        }
    }
}

impl RowSteps {
    pub fn new(steps: &[Vec<u32>]) -> Self {
        let mut starts = vec![0];
        let mut heads: Vec<u32> = Vec::new();
        for steps in steps {
            heads.extend(steps);
            starts.push(fit::<u32>(heads.len()));
        }
        Self { starts, heads }
    }

    #[inline(always)]
    pub fn of(&self, content: usize) -> &[u32] {
        &self.heads[self.starts[content] as usize..self.starts[content + 1] as usize]
    }
}

impl<'a> Structure<'a> {
    /// Creates the data for the rows of a game; the seeker is the first side.
    pub fn new(
        indexed: &'a Indexed,
        shape: &'a SweepShape,
        order: &'a BlockOrder,
        seeker: Player,
    ) -> Self {
        let numbering = &indexed.numbering;
        let sides = [seeker, seeker.other()];
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
        Self {
            indexed,
            shape,
            endings: EndingConditions::new(indexed, shape, seeker),
            order,
            steps: (0..numbering.digits.len()).map(digit).collect(),
            guarded_moves: sides.map(|player| shifted_moves(indexed, shape, player)),
        }
    }

    /// Returns the blocks from which a block is computed, including images.
    pub fn needs(&self, block: usize) -> &[usize] {
        self.order.moves_to(block)
    }

    /// Returns the blocks to which the steps of a block's digits lead, by side.
    fn heads_of_block<'b>(&self, sources: &'b Sources<'b>) -> [Vec<Stored<'b>>; 2] {
        let digits = self.shape.block_digits(sources.block);
        [SEEKER, OPPONENT].map(|side| {
            let shifts = digits
                .iter()
                .zip(&self.steps)
                .flat_map(|(content, steps)| &steps[side][*content]);
            shifts.map(|(blocks, _)| sources.at(*blocks)).collect()
        })
    }

    /// Finds the endings of the contents of a row. Returns `true` if some contents have not ended.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn find_ended(&self, walk: &RowWalk<'_>, found: &mut [EndingWord]) -> bool {
        let mut open = 0;
        for (word, found) in found.iter_mut().enumerate() {
            *found = self.endings.word(walk, word);
            open |= found.open;
        }
        open != 0
    }
}

/// The rows of a block during its computation.
pub struct BlockRows<'r> {
    structure: &'r Structure<'r>,
    sources: &'r Sources<'r>,
    /// The blocks to which the steps of the digits that number blocks lead, by side.
    heads: [Vec<Stored<'r>>; 2],
    ranks: &'r [Rank],
    values: &'r mut Pages,
    walk: RowWalk<'r>,
    away: RowOffsets,
    /// The endings of the contents of the current row.
    found: Vec<EndingWord>,
    scratch: RowScratch,
    /// The row after the last one that has been computed.
    row: usize,
    /// The number of stored rows that have been computed.
    next: usize,
}

/// Buffers that are reused from row to row.
pub struct RowScratch {
    /// The best values so far that moves out of the row lead to, by side.
    pub best: [Vec<Grain>; 2],
    /// The contents for which there are such values, by side, as bits.
    pub movable: [Vec<u64>; 2],
    /// The guarded moves within the current row, by side: the contents from which and to which they
    /// lead, in ascending order.
    pub within: [Vec<(u32, u32)>; 2],
    /// The contents that pass a move's guards.
    guard: Vec<u64>,
}

/// A row that is to be computed.
pub struct KernelRow<'s> {
    structure: &'s Structure<'s>,
    sources: &'s Sources<'s>,
    blocks: &'s [Vec<Stored<'s>>; 2],
    walk: &'s RowWalk<'s>,
    away: &'s RowOffsets,
    own: Stored<'s>,
    /// The endings of the row's contents.
    pub found: &'s [EndingWord],
    /// `true` if some contents have not ended.
    pub is_open: bool,
    /// The memory for the row's values.
    pub out: &'s mut [Grain],
    pub scratch: &'s mut RowScratch,
}

/// Stored rows to which steps lead.
pub type RowHeads<'s> = SmallVec<[&'s [Grain]; 16]>;

impl<'r> BlockRows<'r> {
    /// Starts the computation of a block: no row has been computed yet.
    pub fn new(
        structure: &'r Structure<'r>,
        sources: &'r Sources<'r>,
        block: &'r mut ValueBlock,
    ) -> Self {
        let len = structure.endings.everything.len();
        let words = || vec![0; len];
        let row = || vec![0; structure.shape.paging.row()];
        Self {
            structure,
            sources,
            heads: structure.heads_of_block(sources),
            ranks: &block.ranks,
            values: &mut block.values,
            walk: RowWalk::new(&structure.endings.strides, structure.shape, sources.block),
            away: RowOffsets::default(),
            found: vec![EndingWord::default(); len],
            scratch: RowScratch {
                best: [row(), row()],
                movable: [words(), words()],
                within: [Vec::new(), Vec::new()],
                guard: words(),
            },
            row: 0,
            next: 0,
        }
    }

    /// Returns `true` if all stored rows have been computed.
    pub fn are_done(&self) -> bool {
        self.next == self.values.rows
    }

    /// Returns the next stored row to be computed; `None` after the last one.
    pub fn next(&mut self) -> Option<KernelRow<'_>> {
        let stored = |rank: &Rank| endings::is_stored(*rank);
        // Rows that have ended are skipped, since they have no values.
        self.row += self.ranks[self.row..].iter().position(stored)?;
        let Structure { shape, steps, .. } = self.structure;
        let (first, prefix) = (self.walk.go_to(shape, self.row), shape.prefix());
        self.away.follow(
            &steps[prefix..],
            &self.walk.digits[prefix..],
            first.saturating_sub(prefix),
        );
        let is_open = self.structure.find_ended(&self.walk, &mut self.found);
        // Steps lead to rows of lower rank, so the rows before this one suffice.
        let (below, out) = self.values.split_at_row(self.next, shape.paging);
        (self.row, self.next) = (self.row + 1, self.next + 1);
        Some(KernelRow {
            structure: self.structure,
            sources: self.sources,
            blocks: &self.heads,
            walk: &self.walk,
            away: &self.away,
            own: (self.ranks, below),
            found: &self.found,
            is_open,
            out,
            scratch: &mut self.scratch,
        })
    }
}

impl<'s> KernelRow<'s> {
    /// Finds the stored rows to which steps of a side lead. Returns for each ending, by its number,
    /// whether some steps lead to rows that have ended in this way.
    pub fn find_heads(&self, side: usize, heads: &mut RowHeads<'s>) -> [bool; 3] {
        let (row, paging) = (self.walk.row, self.structure.shape.paging);
        let mut ended = [false; 3];
        for (ranks, values) in &self.blocks[side] {
            take(side, ranks[row], *values, paging, heads, &mut ended);
        }
        let (ranks, below) = self.own;
        for shift in &self.away.rows[side] {
            let rank = ranks[row.wrapping_add_signed(*shift)];
            take(side, rank, below, paging, heads, &mut ended);
        }
        ended
    }
}

/// Takes a row to which a step of a side leads: its values, or the ending of the whole row.
#[inline(always)]
fn take<'s>(
    side: usize,
    rank: Rank,
    values: PageView<'s>,
    paging: Paging,
    heads: &mut RowHeads<'s>,
    ended: &mut [bool; 3],
) {
    match ending_for(side, rank) {
        None => heads.push(values.row(rank, paging)),
        Some(ending) => ended[ending] = true,
    }
}

pub fn has(bits: &[u64], content: usize) -> bool {
    bits[content / 64] >> (content % 64) & 1 != 0
}

pub fn each(bits: &[u64], mut visit: impl FnMut(usize)) {
    for (word, bits) in bits.iter().enumerate() {
        each_bit(*bits, |bit| visit(64 * word + bit));
    }
}

/// Visits the contents of a row that have not ended.
pub fn each_open(found: &[EndingWord], mut visit: impl FnMut(usize)) {
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
