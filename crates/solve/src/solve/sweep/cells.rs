//! The numbers that sweeps are made in, and how they stand in arrays.

use std::fmt::Debug;

use super::row::{OPPONENT, SEEKER, Segment, each_bit, fold};
use crate::solve::theory::{Number, Theory};
use crate::store::Packed;

/// A number that stands in arrays.
pub trait Slot: Number + Packed + Copy {
    /// What arrays start as.
    const BLANK: Self;
}

/// How much room values take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The bytes of an element of an array.
    pub bytes: usize,
    /// The values of how many positions stand in it.
    pub contents: usize,
}

impl Layout {
    /// One value of so many bytes in each element.
    pub fn single(bytes: usize) -> Self {
        Self { bytes, contents: 1 }
    }

    /// Of values in this form.
    pub fn of<C: Cells>() -> Self {
        Self { bytes: size_of::<C>(), contents: C::CONTENTS }
    }

    /// The bits of a value.
    pub fn bits(self) -> usize {
        8 * self.bytes / self.contents
    }

    /// What a value takes, in words.
    pub fn size(self) -> String {
        if self.contents == 1 { format!("{} bytes", self.bytes) } else { format!("{} bits", self.bits()) }
    }
}

/// The values of some contents of a row that stand side by side: an element of an array.
pub trait Cells: Packed + Copy + Send + Sync + Debug + 'static {
    /// A value.
    type Number: Slot;
    /// What is worked out of a theory beforehand.
    type Law: Send + Sync;

    /// What arrays start as.
    const EMPTY: Self;
    /// The values of how many contents there are.
    const CONTENTS: usize;
    /// The most contents of a segment. They do not cross a word of bits.
    const LONGEST_SEGMENT: usize;

    /// What settling takes.
    fn law<T: Theory<Number = Self::Number>>(theory: &T) -> Self::Law;

    /// The same value everywhere.
    fn all(value: Self::Number) -> Self;

    /// One of the values.
    fn get(&self, content: usize) -> Self::Number;

    /// Changes one of the values.
    fn set(&mut self, content: usize, value: Self::Number);

    /// The lesser of two, one by one.
    #[must_use]
    fn each_least(self, other: &Self) -> Self;

    /// The greater of two, one by one.
    #[must_use]
    fn each_greatest(self, other: &Self) -> Self;

    /// Writes a value at some of 64 contents, the first of which is the first of a row's part.
    fn write(row: &mut [Self], contents: u64, value: Self::Number);

    /// The values of a segment of a row: at the contents that are open, counted from its first, they follow from the best that each side can
    /// move to outside the row and, by the steps of the segment, within it.
    fn settle<T: Theory<Number = Self::Number>>(
        rule: (&T, &Self::Law),
        segment: &Segment,
        open: u64,
        best: [&mut [Self]; 2],
        out: &mut [Self],
    );
}

/// So many values and more are written many at a time.
const MANY: u32 = 6;

/// A number is an element of an array by itself.
impl<N: Slot> Cells for N {
    type Number = N;
    type Law = ();

    const EMPTY: Self = N::BLANK;
    const CONTENTS: usize = 1;
    // Their bits fit in a word of half the size.
    const LONGEST_SEGMENT: usize = 32;

    fn law<T: Theory<Number = N>>(_: &T) -> Self::Law {}

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
        if size_of::<N>() > size_of::<u64>() || contents.count_ones() < MANY {
            each_bit(contents, |bit| row[bit] = value);
            return;
        }
        // Many at a time, without a branch.
        for (half, row) in [contents as u32, (contents >> 32) as u32].into_iter().zip(row.chunks_mut(32)) {
            for (bit, out) in (0_u32..).zip(row) {
                *out = if half >> bit & 1 != 0 { value } else { *out };
            }
        }
    }

    #[inline(always)]
    fn settle<T: Theory<Number = N>>(
        (theory, ()): (&T, &Self::Law),
        segment: &Segment,
        open: u64,
        [seeker, opponent]: [&mut [Self]; 2],
        out: &mut [Self],
    ) {
        let Segment { start, len, back } = segment;
        let open = open as u32;
        let (below, out) = out.split_at_mut(*start);
        let out = &mut out[..*len];
        let (seeker, opponent) = (&mut seeker[*start..][..*len], &mut opponent[*start..][..*len]);
        let moved = |back: usize| &below[*start - back..][..*len];
        if let ([by_seeker], [by_opponent]) = (back[SEEKER].as_slice(), back[OPPONENT].as_slice()) {
            // The usual case in one loop: each player has one move in the column that is the row.
            let within = moved(*by_seeker).iter().zip(moved(*by_opponent));
            let outside = seeker.iter().zip(opponent.iter());
            for (bit, ((out, outside), within)) in (0_u32..).zip(out.iter_mut().zip(outside).zip(within)) {
                let settled = theory.settle(outside.0.least(within.0), outside.1.greatest(within.1));
                *out = if open >> bit & 1 != 0 { settled } else { *out };
            }
            return;
        }
        back[SEEKER].iter().for_each(|back| fold(seeker, moved(*back), N::least));
        back[OPPONENT].iter().for_each(|back| fold(opponent, moved(*back), N::greatest));
        for (bit, (out, (seeker, opponent))) in (0_u32..).zip(out.iter_mut().zip(seeker.iter().zip(opponent.iter()))) {
            let settled = theory.settle(*seeker, *opponent);
            *out = if open >> bit & 1 != 0 { settled } else { *out };
        }
    }
}

macro_rules! machine_slots {
    ($($number:ty),*) => {$(
        impl Slot for $number {
            const BLANK: Self = 0;
        }
    )*};
}

machine_slots!(i64, i128, u32, u64);

/// An unsigned number of N words, the most significant first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fixed<const N: usize>(pub [u64; N]);

impl<const N: usize> Fixed<N> {
    /// How many bits it has.
    pub const BITS: u32 = N as u32 * u64::BITS;

    /// The number with one bit set.
    pub fn power(bit: u32) -> Self {
        let mut words = [0; N];
        words[N - 1 - bit as usize / 64] = 1 << (bit % 64);
        Self(words)
    }

    /// Half the sum, rounded down, if the sum fits.
    pub fn mean(self, other: Self) -> Self {
        let mut sum = [0; N];
        let mut carry = false;
        for word in (0..N).rev() {
            let (part, first) = self.0[word].overflowing_add(other.0[word]);
            let (part, second) = part.overflowing_add(u64::from(carry));
            (sum[word], carry) = (part, first || second);
        }
        debug_assert!(!carry, "the scale leaves room for sums");
        let mut above = 0;
        for word in &mut sum {
            (*word, above) = (*word >> 1 | above << 63, *word & 1);
        }
        Self(sum)
    }
}

impl<const N: usize> Number for Fixed<N> {
    #[inline(always)]
    fn least(self, other: &Self) -> Self {
        self.min(*other)
    }

    #[inline(always)]
    fn greatest(self, other: &Self) -> Self {
        self.max(*other)
    }
}

impl<const N: usize> Slot for Fixed<N> {
    const BLANK: Self = Self([0; N]);
}

impl<const N: usize> Packed for Fixed<N> {
    const BYTES: usize = <[u64; N]>::BYTES;

    fn byte(&self, index: usize) -> u8 {
        self.0.byte(index)
    }

    fn from_bytes(bytes: impl Fn(usize) -> u8) -> Self {
        Self(Packed::from_bytes(bytes))
    }
}
