//! The operations that the formulas of a kernel need of a number. Chip counts have them, and so has
//! a count that grows with the total (`sequences::AffineLine`), so that one formula serves a single
//! total and all large ones at once.

use std::ops::{Add, Shr, Sub};

use num_traits::{PrimInt, Unsigned};

use crate::space::sweep::Slot;

/// A number that formulas add, subtract, halve and compare.
pub(crate) trait Quantity:
    Copy + Add<Output = Self> + Sub<Output = Self> + Shr<usize, Output = Self>
{
    /// The number 0.
    const NOTHING: Self;
    /// The number 1.
    const UNIT: Self;

    /// Returns the smaller of two numbers.
    #[must_use]
    fn smaller(self, other: Self) -> Self;

    /// Returns the larger of two numbers.
    #[must_use]
    fn larger(self, other: Self) -> Self;

    /// Returns `then` if this number is less than the other, otherwise `otherwise`.
    #[must_use]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self;
}

/// An unsigned integer wide enough for the sum of two thresholds.
pub(crate) trait ThresholdInteger: Quantity + Slot + PrimInt + Unsigned {
    /// The integer of twice the width; the widest is its own.
    type Wider: ThresholdInteger + From<Self>;

    /// Converts a number, which must fit.
    fn narrow(value: u64) -> Self;
    /// Converts to 64 bits.
    fn widen(self) -> u64;
}

macro_rules! counts {
    ($($integer:ty => $wider:ty;)*) => {$(
        impl Quantity for $integer {
            const NOTHING: Self = 0;
            const UNIT: Self = 1;

            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                self.min(other)
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                self.max(other)
            }

            #[inline(always)]
            fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
                // Both results are computed beforehand, so that the compiler can choose without a
                // branch.
                if self < other { then } else { otherwise }
            }
        }

        impl ThresholdInteger for $integer {
            type Wider = $wider;

            #[inline(always)]
            fn narrow(value: u64) -> Self {
                Self::try_from(value).expect("the width is chosen for the greatest number")
            }

            #[inline(always)]
            fn widen(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}

counts! {
    u8 => u16;
    u16 => u32;
    u32 => u64;
    u64 => u64;
}
