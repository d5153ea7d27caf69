//! The numbers that bounds are worked out in.

use crate::store::Packed;

/// An unsigned number of some width.
pub trait Narrow: Copy + Ord + Packed + Send + Sync + std::fmt::Debug + 'static {
    /// The least.
    const LEAST: Self;
    /// The greatest.
    const GREATEST: Self;

    /// The sum of two, which fits.
    fn plus(self, other: Self) -> Self;

    /// The half, rounded down.
    fn half(self) -> Self;

    /// The number, which fits.
    fn narrow(number: u64) -> Self;

    /// As a wide one.
    fn wide(self) -> u64;
}

macro_rules! narrow_numbers {
    ($($number:ty),*) => {$(
        impl Narrow for $number {
            const LEAST: Self = Self::MIN;
            const GREATEST: Self = Self::MAX;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                debug_assert!(self.checked_add(other).is_some(), "the width is chosen for the greatest sum");
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn half(self) -> Self {
                self >> 1
            }

            fn narrow(number: u64) -> Self {
                Self::try_from(number).expect("the width is chosen for the greatest number")
            }

            fn wide(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}

narrow_numbers!(u8, u16, u32, u64);
