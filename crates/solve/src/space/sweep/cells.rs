//! The numbers that sweeps compute with, and their layout in arrays.

use std::fmt::Debug;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::endings::EndingWord;
use super::kernel::{Best, part};
use super::row::{OPPONENT, RowSteps, SEEKER, each_bit};
use crate::convert::fit;
use crate::law::Law;
use crate::number::Number;

/// A number that can be stored in arrays.
pub trait Slot: Number + Pod {
    /// Returns this number if the bit is 1, the other one if it is 0. It is computed by arithmetic,
    /// so that loops over arrays have no branch.
    #[must_use]
    fn select(self, bit: u32, other: Self) -> Self;
}

/// The layout of values in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellLayout {
    /// The number of bytes of an array element.
    pub bytes: usize,
    /// The number of positions whose values share an element.
    pub contents: usize,
}

impl CellLayout {
    /// Returns the layout with one value of `bytes` bytes in each element.
    pub fn single(bytes: usize) -> Self {
        Self { bytes, contents: 1 }
    }

    /// Returns the layout of values in this form.
    pub fn of<C: Cells>() -> Self {
        Self {
            bytes: size_of::<C>(),
            contents: C::CONTENTS,
        }
    }

    /// Returns the number of bits of a value.
    pub fn bits(self) -> usize {
        8 * self.bytes / self.contents
    }

    /// Describes the size of a value in words.
    pub fn size(self) -> String {
        match (self.contents, self.bytes) {
            (1, 1) => "1 byte".to_owned(),
            (1, bytes) => format!("{bytes} bytes"),
            _ => format!("{} bits", self.bits()),
        }
    }
}

/// An array element: the values of some adjacent contents of a row.
pub trait Cells: Pod + Debug {
    /// The type of a value.
    type Number: Slot;
    /// The data that is derived from a theory beforehand.
    type Law: Sync;
    /// The steps within a row, arranged for settling.
    type Steps: Sync;

    /// The number of contents whose values an element has.
    const CONTENTS: usize;

    /// Derives the data that settling needs from a theory.
    fn law<T: Law<Number = Self::Number>>(theory: &T) -> Self::Law;

    /// Derives the data that settling needs from the steps within a row and the number of contents.
    fn steps(within: &[RowSteps; 2], contents: usize) -> Self::Steps;

    /// Returns an element with the same value everywhere.
    fn all(value: Self::Number) -> Self;

    /// Returns one of the values.
    fn get(&self, content: usize) -> Self::Number;

    /// Changes one of the values.
    fn set(&mut self, content: usize, value: Self::Number);

    /// Returns the lesser values of two elements, one by one.
    #[must_use]
    fn each_least(self, other: &Self) -> Self;

    /// Returns the greater values of two elements, one by one.
    #[must_use]
    fn each_greatest(self, other: &Self) -> Self;

    /// Writes a value at some of 64 contents, of which the first is the first content of `row`.
    fn write(row: &mut [Self], contents: u64, value: Self::Number);

    /// Computes the values of a row. Contents that have ended get the values of their endings; open
    /// ones get the value that follows from the best that each side can move to outside the row and
    /// within it.
    fn settle<T: Law<Number = Self::Number>>(
        rule: Rule<'_, T, Self>,
        steps: &Self::Steps,
        found: &[EndingWord],
        best: Best<'_, Self>,
        out: &mut [Self],
    );
}

/// The rule by which values follow from others.
pub struct Rule<'r, T: Law, C: Cells<Number = T::Number>> {
    pub theory: &'r T,
    pub law: &'r C::Law,
    /// The value of each ending.
    pub ended: &'r [C::Number; 3],
}

impl<T: Law, C: Cells<Number = T::Number>> Clone for Rule<'_, T, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Law, C: Cells<Number = T::Number>> Copy for Rule<'_, T, C> {}

/// Returns whether values are computed in strips that are long enough for loops over vectors. This
/// is not so if a value is as long as a vector, or in the build for web pages, which has to be
/// small.
pub const fn in_strips<C>() -> bool {
    cfg!(not(target_family = "wasm")) && size_of::<C>() <= size_of::<u64>()
}

/// The number of values from which on they are written many at a time.
const MANY: u32 = 6;

/// A number is an array element by itself.
impl<N: Slot> Cells for N {
    type Number = N;
    type Law = ();
    type Steps = Vec<Segment>;

    const CONTENTS: usize = 1;

    fn law<T: Law<Number = N>>(_: &T) -> Self::Law {}

    fn steps(within: &[RowSteps; 2], contents: usize) -> Vec<Segment> {
        Segment::all(within, contents)
    }

    #[inline(always)]
    fn all(value: N) -> Self {
        value
    }

    #[inline(always)]
    fn get(&self, _: usize) -> N {
        *self
    }

    #[inline(always)]
    fn set(&mut self, _: usize, value: N) {
        *self = value;
    }

    #[inline(always)]
    fn each_least(self, other: &Self) -> Self {
        self.least(other)
    }

    #[inline(always)]
    fn each_greatest(self, other: &Self) -> Self {
        self.greatest(other)
    }

    #[inline(always)]
    fn write(row: &mut [Self], contents: u64, value: N) {
        // Few values are written faster one by one than by a loop over the whole word.
        if !in_strips::<N>() || contents.count_ones() < MANY {
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

    #[inline(always)]
    fn settle<T: Law<Number = N>>(
        rule: Rule<'_, T, N>,
        segments: &Vec<Segment>,
        found: &[EndingWord],
        best: Best<'_, N>,
        out: &mut [N],
    ) {
        for Segment { start, len, back } in segments {
            let strip = Strip {
                rule,
                word: &found[start / 64],
                best,
            };
            let contents = *start..start + len;
            let [by_seeker, by_opponent] = back;
            match [by_seeker.as_slice(), by_opponent.as_slice()] {
                [[], []] if in_strips::<N>() => strip.settle_all(contents, None, out),
                // This is the usual case: each player has one move in the column that is the row.
                [[by_seeker], [by_opponent]] if in_strips::<N>() => {
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

/// The greatest number of contents of a segment: their bits fit in a word of half the size.
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
    fn all(within: &[RowSteps; 2], contents: usize) -> Vec<Self> {
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

/// The data for computing contents of a segment.
#[derive(Clone, Copy)]
struct Strip<'s, T: Law<Number: Slot>> {
    rule: Rule<'s, T, T::Number>,
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
        // This is compiled for each theory and length, so arrays are taken apart by hand: `map` would
        // be 200 lines more for the compiler each time.
        let [seeker, opponent] = self.best;
        let (seeker, opponent) = (
            part::<LEN, _>(seeker, start),
            part::<LEN, _>(opponent, start),
        );
        // Steps within the row lead to smaller contents, so that reading and writing do not
        // overlap.
        let (below, out) = out.split_at_mut(start);
        let out: &mut [T::Number; LEN] = out.first_chunk_mut().expect("the row goes on");
        if let Some([by_seeker, by_opponent]) = back {
            let by_seeker = part::<LEN, _>(below, start - by_seeker);
            let by_opponent = part::<LEN, _>(below, start - by_opponent);
            self.write(start, out, |place| {
                (
                    seeker[place].least(&by_seeker[place]),
                    opponent[place].greatest(&by_opponent[place]),
                )
            });
        } else {
            self.write(start, out, |place| (seeker[place], opponent[place]));
        }
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
            Some(ending) => self.rule.ended[ending],
            None => self.rule.theory.settle(seeker, opponent),
        };
    }

    /// Writes the values that follow from the best of both sides, or those of the endings.
    #[inline(always)]
    fn write<const LEN: usize>(
        &self,
        start: usize,
        out: &mut [T::Number; LEN],
        best: impl Fn(usize) -> (T::Number, T::Number),
    ) {
        let Rule { theory, ended, .. } = self.rule;
        // A strip has at most 32 bits.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a strip has at most 32 bits"
        )]
        let bits = |word: u64| (word >> (start % 64)) as u32;
        let [first, _, third] = self.word.ended;
        let (open, first, third) = (bits(self.word.open), bits(first), bits(third));
        for (place, out) in out.iter_mut().enumerate() {
            let (seeker, opponent) = best(place);
            // Ended contents have the first value or the second one; the rare third one follows
            // below.
            let value = ended[0].select(first >> place & 1, ended[1]);
            *out = theory
                .settle(seeker, opponent)
                .select(open >> place & 1, value);
        }
        // Bits beyond the strip belong to other contents.
        if third & (u32::MAX >> (32 - LEN)) != 0 {
            for (place, out) in out.iter_mut().enumerate() {
                *out = ended[2].select(third >> place & 1, *out);
            }
        }
    }
}

macro_rules! machine_slots {
    ($($number:ty),*) => {$(
        impl Slot for $number {
            #[inline(always)]
            fn select(self, bit: u32, other: Self) -> Self {
                // Negating the bit makes a mask of all ones or of zeros.
                other ^ (self ^ other) & <$number>::from(fit::<u8>(bit)).wrapping_neg()
            }
        }
    )*};
}

machine_slots!(i64, i128, u16, u32, u64);

/// An unsigned number of N words, the most significant first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct Fixed<const N: usize>(pub [u64; N]);

impl<const N: usize> Fixed<N> {
    /// The number of its bits.
    #[expect(clippy::cast_possible_truncation, reason = "it has a few words")]
    pub const BITS: u32 = N as u32 * u64::BITS;

    /// Returns the number with one bit set.
    pub fn power(bit: u32) -> Self {
        let mut words = [0; N];
        words[N - 1 - bit as usize / 64] = 1 << (bit % 64);
        Self(words)
    }

    /// Returns half the sum, rounded down.
    pub fn mean(self, other: Self) -> Self {
        let mut sum = [0; N];
        let mut carry = false;
        for word in (0..N).rev() {
            let (part, first) = self.0[word].overflowing_add(other.0[word]);
            let (part, second) = part.overflowing_add(u64::from(carry));
            (sum[word], carry) = (part, first || second);
        }
        // The carry becomes the highest bit of the half, so the sum cannot overflow.
        let mut above = u64::from(carry);
        for word in &mut sum {
            (*word, above) = (*word >> 1 | above << 63, *word & 1);
        }
        Self(sum)
    }
}

impl<const N: usize> Number for Fixed<N> {}

impl<const N: usize> Slot for Fixed<N> {
    #[inline(always)]
    fn select(self, bit: u32, other: Self) -> Self {
        Self(std::array::from_fn(|word| {
            self.0[word].select(bit, other.0[word])
        }))
    }
}
