//! The numbers that sweeps are made in.

use crate::solve::theory::Number;
use crate::store::Packed;

/// A number that stands in arrays.
pub trait Slot: Number + Packed + Copy {
    /// What arrays start as.
    const BLANK: Self;
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
