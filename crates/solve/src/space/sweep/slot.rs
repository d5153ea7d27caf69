//! The numbers that sweeps compute with.

use bytemuck::{Pod, Zeroable};

use crate::convert::fit;
use crate::number::Number;

/// A number that can be stored in arrays.
pub trait Slot: Number + Pod {
    /// Returns this number if the bit is 1, the other one if it is 0. It is computed by arithmetic,
    /// so that loops over arrays have no branch.
    #[must_use]
    fn select(self, bit: u32, other: Self) -> Self;
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

machine_slots!(i64, i128, u8, u16, u32, u64);

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
