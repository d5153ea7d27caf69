//! Values of a row's contents, computed for many of them at a time.

use std::ops::Range;

use super::endings::EndingWord;
use super::row::{OPPONENT, RowSteps, SEEKER, each_bit};
use super::slot::Slot;
use crate::convert::fit;
use crate::law::Law;
use crate::number::Number;

/// Returns whether values are computed in strips that are long enough for loops over vectors. This
/// is not so if a value is as long as a vector, or if the code has to be short.
pub const fn in_strips<N, const WIDE: bool>() -> bool {
    WIDE && size_of::<N>() <= size_of::<u64>()
}

/// The number of values from which on they are written many at a time.
const MANY: u32 = 6;

/// Writes a value at some of 64 contents, of which the first is the first content of `row`.
#[inline(always)]
pub fn write<N: Slot, const WIDE: bool>(row: &mut [N], contents: u64, value: N) {
    // Few values are written faster one by one than by a loop over the whole word.
    if !in_strips::<N, WIDE>() || contents.count_ones() < MANY {
        each_bit(contents, |bit| row[bit] = value);
        return;
    }
    // The values are written many at a time, without a branch.
    let halves = [contents & u64::from(u32::MAX), contents >> 32];
    for (half, row) in halves.map(fit::<u32>).into_iter().zip(row.chunks_mut(32)) {
        for (bit, out) in (0_u32..).zip(row) {
            *out = if half >> bit & 1 != 0 { value } else { *out };
        }
    }
}

/// Returns LEN elements of a row from `start` on.
#[inline(always)]
pub fn part<const LEN: usize, N>(row: &[N], start: usize) -> &[N; LEN] {
    row[start..].first_chunk().expect("the row goes on")
}

/// The greatest number of contents of a segment. Each has a bit of a word of 32.
const LONGEST_SEGMENT: usize = 32;

/// Adjacent contents from which steps within the row lead equally far.
#[derive(Debug, PartialEq, Eq)]
pub struct Segment {
    pub start: usize,
    pub len: usize,
    /// The lengths of the steps, by side.
    pub back: [Vec<usize>; 2],
}

impl Segment {
    /// Splits all contents of a row into segments, as long as steps lead equally far. A segment
    /// does not read values that it writes, and does not cross words of bits.
    pub fn all(within: &[RowSteps; 2], contents: usize) -> Vec<Self> {
        let back = |content: usize| {
            [SEEKER, OPPONENT].map(|side| {
                within[side]
                    .of(content)
                    .iter()
                    .map(|head| content - *head as usize)
                    .collect()
            })
        };
        let mut segments: Vec<Self> = Vec::new();
        for content in 0..contents {
            let back: [Vec<usize>; 2] = back(content);
            let reads_itself = |segment: &Self| {
                back.iter()
                    .flatten()
                    .any(|back| content - back >= segment.start)
            };
            match segments.last_mut() {
                Some(last)
                    if last.back == back
                        // A segment begins at every multiple of 32, so none crosses a word of bits.
                        && !content.is_multiple_of(LONGEST_SEGMENT)
                        && !reads_itself(last) =>
                {
                    last.len += 1;
                }
                _ => segments.push(Self {
                    start: content,
                    len: 1,
                    back,
                }),
            }
        }
        segments
    }
}

/// The best values that moves out of a row lead to, by side.
pub type Best<'r, N> = [&'r [N]; 2];

/// The rule by which the values of a row follow from others.
pub struct Rule<'r, T: Law> {
    pub theory: &'r T,
    /// The value of each ending.
    pub ended: &'r [T::Number; 3],
    /// The contents of a row.
    pub segments: &'r [Segment],
}

impl<T: Law<Number: Slot>> Rule<'_, T> {
    /// Computes the values of a row. Contents that have ended get the values of their endings; open
    /// ones get the value that follows from the best that each side can move to outside the row and
    /// within it.
    #[inline(always)]
    pub fn settle<const WIDE: bool>(
        &self,
        found: &[EndingWord],
        best: Best<'_, T::Number>,
        out: &mut [T::Number],
    ) {
        for Segment { start, len, back } in self.segments {
            let strip = Strip {
                theory: self.theory,
                ended: self.ended,
                word: &found[start / 64],
                best,
            };
            let contents = *start..start + len;
            let [by_seeker, by_opponent] = back;
            match [by_seeker.as_slice(), by_opponent.as_slice()] {
                [[], []] if in_strips::<T::Number, WIDE>() => strip.settle_all(contents, None, out),
                // This is the usual case: each player has one move in the column that is the row.
                [[by_seeker], [by_opponent]] if in_strips::<T::Number, WIDE>() => {
                    strip.settle_all(contents, Some([*by_seeker, *by_opponent]), out);
                }
                back => {
                    for content in contents {
                        strip.settle_alone(content, back, out);
                    }
                }
            }
        }
    }
}

/// The data for computing contents of a segment.
struct Strip<'s, T: Law<Number: Slot>> {
    theory: &'s T,
    /// The value of each ending.
    ended: &'s [T::Number; 3],
    word: &'s EndingWord,
    best: Best<'s, T::Number>,
}

impl<T: Law<Number: Slot>> Strip<'_, T> {
    /// Computes the values of contents at which neither player moves within the row, or each to one
    /// content at the distance `back`.
    #[inline(always)]
    fn settle_all(&self, contents: Range<usize>, back: Option<[usize; 2]>, out: &mut [T::Number]) {
        let Range { mut start, end } = contents;
        // The longest strips come first: each length is compiled to a loop without a remainder.
        while end - start >= 32 {
            self.settle::<32>(start, back, out);
            start += 32;
        }
        if end - start >= 16 {
            self.settle::<16>(start, back, out);
            start += 16;
        }
        if end - start >= 8 {
            self.settle::<8>(start, back, out);
            start += 8;
        }
        while start < end {
            self.settle::<1>(start, back, out);
            start += 1;
        }
    }

    /// Computes the values of LEN contents from `start` on.
    #[inline(always)]
    fn settle<const LEN: usize>(
        &self,
        start: usize,
        back: Option<[usize; 2]>,
        out: &mut [T::Number],
    ) {
        let [mut seeker, mut opponent] = self.best.map(|best| *part::<LEN, _>(best, start));
        // Steps within the row lead to smaller contents, so that reading and writing do not
        // overlap.
        let (below, out) = out.split_at_mut(start);
        let out: &mut [T::Number; LEN] = out.first_chunk_mut().expect("the row goes on");
        if let Some([by_seeker, by_opponent]) = back {
            let by_seeker = part::<LEN, _>(below, start - by_seeker);
            let by_opponent = part::<LEN, _>(below, start - by_opponent);
            for (best, value) in seeker.iter_mut().zip(by_seeker) {
                *best = best.least(value);
            }
            for (best, value) in opponent.iter_mut().zip(by_opponent) {
                *best = best.greatest(value);
            }
        }
        self.theory.settle_each(&seeker, &opponent, out);
        self.write_ended(start, out);
    }

    /// Computes the value of one content.
    #[inline(always)]
    fn settle_alone(
        &self,
        content: usize,
        [by_seeker, by_opponent]: [&[usize]; 2],
        out: &mut [T::Number],
    ) {
        let [seeker, opponent] = self.best;
        let (mut seeker, mut opponent) = (seeker[content], opponent[content]);
        // These are loops, because `fold` is not always inlined and then compiled without the
        // instructions that were found.
        for back in by_seeker {
            seeker = seeker.least(&out[content - back]);
        }
        for back in by_opponent {
            opponent = opponent.greatest(&out[content - back]);
        }
        let has_ended = |word: &u64| word >> (content % 64) & 1 != 0;
        out[content] = match self.word.ended.iter().position(has_ended) {
            Some(ending) => self.ended[ending],
            None => self.theory.settle(seeker, opponent),
        };
    }

    /// Writes the values of the contents that have ended.
    #[inline(always)]
    fn write_ended<const LEN: usize>(&self, start: usize, out: &mut [T::Number; LEN]) {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a strip has at most 32 bits"
        )]
        let bits = |word: u64| (word >> (start % 64)) as u32;
        let [first, _, third] = self.word.ended;
        let (open, first, third) = (bits(self.word.open), bits(first), bits(third));
        // The values are copied, because a loop that may have to load one of them is not compiled to
        // vectors.
        let [won, lost, drawn] = *self.ended;
        for (place, out) in out.iter_mut().enumerate() {
            // Ended contents have the first value or the second one; the rare third one follows
            // below.
            let value = won.select(first >> place & 1, lost);
            *out = out.select(open >> place & 1, value);
        }
        // Bits beyond the strip belong to other contents.
        if third & (u32::MAX >> (32 - LEN)) != 0 {
            for (place, out) in out.iter_mut().enumerate() {
                *out = drawn.select(third >> place & 1, *out);
            }
        }
    }
}
