//! Working out one row: the positions that differ in the last digit only, which stand side by side in memory.
//!
//! This is where a sweep spends its time. Most of a row's moves change another digit: they lead from each position of the row to the position
//! in the same place of an earlier row. So a row is worked out a whole earlier row at a time, without a branch in the loop over its positions,
//! and conditions are looked up for 64 positions at once, as bits. Moves within the row lead equally far from many contents that
//! stand side by side ([`Segment`]), and are worked out so many at a time. What does not fit that (moves with guards, players who are stuck)
//! is done position by position, and only in rows that have it.

mod guarded;

use smallvec::SmallVec;

use self::guarded::{ShiftedMove, shifted_moves};
use super::Slot;
use super::block::Block;
use super::endings::{ENDINGS, Endings, Rank, ending_for, is_stored};
use super::order::Order;
use super::shape::Shape;
use super::walk::Walk;
use crate::game::ruleset::Indexed;
use crate::solve::theory::{Number, Theory};

/// The seeker's and the opponent's side, as they are numbered here.
const SEEKER: usize = 0;
const OPPONENT: usize = 1;

/// The most contents of a segment: their bits fit in a word of half the size.
const LONGEST_SEGMENT: usize = 32;

/// So many values and more are written many at a time.
const MANY: u32 = 6;

/// By how many blocks and rows a value lies away.
pub type Shift = (isize, isize);

/// What is known of all rows.
pub struct Kernel<'a, T: Theory<Number: Slot>> {
    pub indexed: &'a Indexed,
    pub shape: &'a Shape,
    pub theory: &'a T,
    pub endings: Endings<'a>,
    order: &'a Order,
    /// By digit, side and content: where steps lead.
    steps: Vec<[Vec<Vec<Shift>>; 2]>,
    /// By side: the steps within the row.
    within: [Within; 2],
    segments: Vec<Segment>,
    guarded_moves: [Vec<ShiftedMove<'a>>; 2],
    /// The value of each ending.
    pub ended: [T::Number; 3],
    /// By side: the value if the player is to move and cannot.
    stuck: [Option<T::Number>; 2],
}

/// The steps within a row, by content.
struct Within {
    starts: Vec<u32>,
    heads: Vec<u32>,
}

/// Contents that stand side by side, from which steps within the row lead equally far.
#[derive(Debug, PartialEq, Eq)]
struct Segment {
    start: usize,
    len: usize,
    /// By side: how far steps lead.
    back: [SmallVec<[usize; 4]>; 2],
}

/// The blocks that one is worked out from.
pub struct Sources<'b, N> {
    pub blocks: &'b [Block<N>],
    /// Images of some, which are not kept.
    pub images: Vec<(usize, Block<N>)>,
    /// The block that is worked out.
    pub block: usize,
}

impl<N: Slot> Sources<'_, N> {
    /// The block that lies so far away.
    fn at(&self, shift: isize) -> &Block<N> {
        let block = self.block.wrapping_add_signed(shift);
        let image = self.images.iter().find(|(number, _)| *number == block);
        image.map_or(&self.blocks[block], |(_, image)| image)
    }
}

/// The blocks to which the steps of the first digits lead, by side.
pub struct Before<'b, N> {
    sources: &'b Sources<'b, N>,
    steps: [Vec<&'b Block<N>>; 2],
}

/// The ranks of the block that is worked out, and the rows of it that have been.
type Own<'b, N> = (&'b [Rank], &'b [N]);

/// What is used again from row to row.
pub struct Scratch<N> {
    /// By side: the best values so far.
    best: [Vec<N>; 2],
    /// By side: the contents from which something can be moved to, as bits.
    movable: [Vec<u64>; 2],
    /// By side: moves within the row that hold in this one only, in the order of their contents.
    within: [Vec<(u32, u32)>; 2],
    /// The contents that have not ended.
    open: Vec<u64>,
    /// The contents that pass a move's guards.
    guard: Vec<u64>,
}

impl<N: Slot> Scratch<N> {
    pub fn new<T: Theory<Number = N>>(kernel: &Kernel<'_, T>) -> Self {
        let words = || vec![0; kernel.endings.everything.len()];
        let row = || vec![N::BLANK; kernel.shape.stride()];
        Self {
            best: [row(), row()],
            movable: [words(), words()],
            within: [Vec::new(), Vec::new()],
            open: words(),
            guard: words(),
        }
    }
}

impl Within {
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
    fn of(&self, content: usize) -> &[u32] {
        &self.heads[self.starts[content] as usize..self.starts[content + 1] as usize]
    }
}

impl Segment {
    /// All contents of a row, as long as steps lead equally far. A segment does not read what it writes, and does not cross words of bits.
    fn all(within: &[Within; 2], contents: usize) -> Vec<Self> {
        let back = |content: usize| {
            [SEEKER, OPPONENT]
                .map(|side| within[side].of(content).iter().map(|head| content - *head as usize).collect())
        };
        let mut segments: Vec<Self> = Vec::new();
        for content in 0..contents {
            let back: [SmallVec<[usize; 4]>; 2] = back(content);
            let reads_itself = |segment: &Self| back.iter().flatten().any(|back| content - back >= segment.start);
            match segments.last_mut() {
                Some(last) if last.back == back && !content.is_multiple_of(LONGEST_SEGMENT) && !reads_itself(last) => {
                    last.len += 1;
                }
                _ => segments.push(Self { start: content, len: 1, back }),
            }
        }
        segments
    }
}

impl<'a, T: Theory<Number: Slot>> Kernel<'a, T> {
    pub fn new(indexed: &'a Indexed, (shape, order): (&'a Shape, &'a Order), theory: &'a T) -> Self {
        let numbering = &indexed.numbering;
        let sides = [theory.seeker(), theory.seeker().other()];
        let digit = |digit: usize| {
            sides.map(|player| {
                let steps = numbering.digits[digit].steps[player].iter().enumerate();
                steps.map(|(from, to)| to.iter().map(|to| shape.shift(digit, from, *to as usize)).collect()).collect()
            })
        };
        let within = sides.map(|player| Within::new(&numbering.row.steps[player]));
        Self {
            indexed,
            shape,
            theory,
            endings: Endings::new(indexed, shape, theory.seeker()),
            order,
            steps: (0..numbering.digits.len()).map(digit).collect(),
            segments: Segment::all(&within, numbering.row_len()),
            within,
            guarded_moves: sides.map(|player| shifted_moves(indexed, shape, player)),
            ended: ENDINGS.map(|ending| theory.ending(ending)),
            stuck: sides.map(|player| numbering.stuck[player].map(|ending| theory.ending(ending))),
        }
    }

    /// The blocks that a block is worked out from, images among them.
    pub fn needs(&self, block: usize) -> &[usize] {
        self.order.moves_to(block)
    }

    /// The blocks to which the steps of a block's digits lead.
    pub fn sources_of_block<'b>(&self, sources: &'b Sources<'b, T::Number>) -> Before<'b, T::Number> {
        let digits = self.shape.block_digits(sources.block);
        let steps = [SEEKER, OPPONENT].map(|side| {
            let shifts = digits.iter().zip(&self.steps).flat_map(|(content, steps)| &steps[side][*content]);
            shifts.map(|(blocks, _)| sources.at(*blocks)).collect()
        });
        Before { sources, steps }
    }

    /// The values of a row that is stored, given those before it.
    #[inline(always)]
    pub fn work_out(
        &self,
        walk: &Walk,
        before: &Before<'_, T::Number>,
        own: Own<'_, T::Number>,
        out: &mut [T::Number],
        scratch: &mut Scratch<T::Number>,
    ) {
        let mut any_open = 0;
        for (word, open) in scratch.open.iter_mut().enumerate() {
            let found = self.endings.word(walk, word);
            *open = found.open;
            any_open |= found.open;
            self.write(found.ended, &mut out[64 * word..]);
        }
        if any_open == 0 {
            return;
        }
        let has_steps = self.gather(SEEKER, walk, before, own, scratch, T::Number::least)
            & self.gather(OPPONENT, walk, before, own, scratch, T::Number::greatest);
        let is_guarded = self.guarded_moves.iter().any(|moves| !moves.is_empty());
        // Where both sides have steps out of the row, nobody is stuck and `best` holds a value everywhere: no need to ask at each position.
        if has_steps && !is_guarded {
            self.settle(out, scratch);
        } else {
            self.gather_guarded(SEEKER, walk, before, own, scratch);
            self.gather_guarded(OPPONENT, walk, before, own, scratch);
            self.settle_with_care(out, scratch);
        }
    }

    /// Writes the values of positions that have ended.
    #[inline(always)]
    fn write(&self, ended: [u64; 3], out: &mut [T::Number]) {
        for (ended, value) in ended.into_iter().zip(self.ended) {
            if size_of::<T::Number>() > size_of::<u64>() || ended.count_ones() < MANY {
                each_bit(ended, |bit| out[bit] = value);
                continue;
            }
            // Many at a time, without a branch.
            for (half, out) in [ended as u32, (ended >> 32) as u32].into_iter().zip(out.chunks_mut(32)) {
                for (bit, out) in (0_u32..).zip(out) {
                    *out = if half >> bit & 1 != 0 { value } else { *out };
                }
            }
        }
    }

    /// Writes the values of the positions of a row that have ended.
    pub fn write_ended(&self, walk: &Walk, out: &mut [T::Number]) {
        for word in 0..self.endings.everything.len() {
            self.write(self.endings.word(walk, word).ended, &mut out[64 * word..]);
        }
    }

    /// Visits the contents of a row that have not ended.
    pub fn each_open(&self, walk: &Walk, mut visit: impl FnMut(usize)) {
        for word in 0..self.endings.everything.len() {
            each_bit(self.endings.word(walk, word).open, |bit| visit(64 * word + bit));
        }
    }

    /// Gathers the best that steps of a side lead to in other rows; whether there are any.
    #[inline(always)]
    fn gather(
        &self,
        side: usize,
        walk: &Walk,
        before: &Before<'_, T::Number>,
        (ranks, below): Own<'_, T::Number>,
        scratch: &mut Scratch<T::Number>,
        better: impl Fn(T::Number, &T::Number) -> T::Number + Copy,
    ) -> bool {
        let stride = self.shape.stride();
        let mut rows: SmallVec<[&[T::Number]; 16]> = SmallVec::new();
        let mut ended = None;
        let mut take = |rank: Rank, values| match ending_for(side, rank) {
            None => rows.push(row_of(values, rank, stride)),
            Some(ending) => {
                let value = self.ended[ending];
                ended = Some(ended.map_or(value, |ended| better(ended, &value)));
            }
        };
        for block in &before.steps[side] {
            take(block.ranks[walk.row], block.values.as_slice());
        }
        for digit in self.shape.prefix()..walk.digits.len() {
            for (_, shift) in &self.steps[digit][side][walk.digits[digit]] {
                take(ranks[walk.row.wrapping_add_signed(*shift)], below);
            }
        }
        best_of(&mut scratch.best[side][..stride], &rows, ended, better)
    }

    /// The values of a row where both players can move out of it.
    #[inline(always)]
    fn settle(&self, out: &mut [T::Number], scratch: &mut Scratch<T::Number>) {
        let [seeker, opponent] = &mut scratch.best;
        for segment in &self.segments {
            let Segment { start, len, back } = segment;
            let open = (scratch.open[start / 64] >> (start % 64)) as u32;
            // Steps within a row lead to smaller contents, whose values stand in `out` already: the numbering sees to that.
            let (below, out) = out.split_at_mut(*start);
            let out = &mut out[..*len];
            let (seeker, opponent) = (&mut seeker[*start..][..*len], &mut opponent[*start..][..*len]);
            let moved = |back: usize| &below[*start - back..][..*len];
            if let ([by_seeker], [by_opponent]) = (back[SEEKER].as_slice(), back[OPPONENT].as_slice()) {
                // The usual case in one loop: each player has one move in the column that is the row.
                let within = moved(*by_seeker).iter().zip(moved(*by_opponent));
                let outside = seeker.iter().zip(opponent.iter());
                for (bit, ((out, outside), within)) in (0_u32..).zip(out.iter_mut().zip(outside).zip(within)) {
                    let settled = self.theory.settle(outside.0.least(within.0), outside.1.greatest(within.1));
                    *out = if open >> bit & 1 != 0 { settled } else { *out };
                }
                continue;
            }
            back[SEEKER].iter().for_each(|back| fold(seeker, moved(*back), T::Number::least));
            back[OPPONENT].iter().for_each(|back| fold(opponent, moved(*back), T::Number::greatest));
            for (bit, (out, (seeker, opponent))) in
                (0_u32..).zip(out.iter_mut().zip(seeker.iter().zip(opponent.iter())))
            {
                let settled = self.theory.settle(*seeker, *opponent);
                *out = if open >> bit & 1 != 0 { settled } else { *out };
            }
        }
    }
}

#[inline(always)]
fn row_of<N>(values: &[N], rank: Rank, stride: usize) -> &[N] {
    debug_assert!(is_stored(rank), "only rows that are stored have values");
    &values[rank as usize * stride..][..stride]
}

/// The best of some rows and of a value for all of them, number by number; whether there is anything.
#[inline(always)]
fn best_of<N: Slot>(best: &mut [N], rows: &[&[N]], ended: Option<N>, better: impl Fn(N, &N) -> N + Copy) -> bool {
    // Values of contents that have ended are gathered with the others: leaving them out would cost more than it saves, and
    // `settle` does not use them.
    let rest = match (ended, rows) {
        (Some(value), _) => {
            best.fill(value);
            rows
        }
        (None, [first, second, rest @ ..]) => {
            for (best, (first, second)) in best.iter_mut().zip(first.iter().zip(second.iter())) {
                *best = better(*first, second);
            }
            rest
        }
        (None, [only]) => {
            best.copy_from_slice(only);
            return true;
        }
        (None, []) => return false,
    };
    // Two rows at a time: so `best` is written half as often.
    let (pairs, last) = rest.as_chunks::<2>();
    for [a, b] in pairs {
        for (best, (a, b)) in best.iter_mut().zip(a.iter().zip(b.iter())) {
            *best = better(better(*best, a), b);
        }
    }
    for row in last {
        fold(best, row, better);
    }
    true
}

fn has(bits: &[u64], content: usize) -> bool {
    bits[content / 64] >> (content % 64) & 1 != 0
}

fn each(bits: &[u64], mut visit: impl FnMut(usize)) {
    for (word, bits) in bits.iter().enumerate() {
        each_bit(*bits, |bit| visit(64 * word + bit));
    }
}

#[inline(always)]
fn each_bit(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Takes the better of two rows, number by number.
#[inline(always)]
fn fold<N: Slot>(best: &mut [N], row: &[N], better: impl Fn(N, &N) -> N) {
    for (best, value) in best.iter_mut().zip(row) {
        *best = better(*best, value);
    }
}
