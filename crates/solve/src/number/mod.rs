//! Numbers: what a [law](crate::law) computes in, and exact linear equations.
//!
//! A law computes in machine integers wherever a bound on its values shows that they fit, and in
//! [`BigInt`](num_bigint::BigInt) or [`BigRational`](num_rational::BigRational) otherwise; no answer
//! depends on the choice. Spaces that store values ask more of a number:
//! [`Slot`](crate::space::sweep) is a number of known width, which is kept and written as bytes.

use std::fmt::Debug;

pub(crate) mod linear;
pub(crate) mod vectorised;

/// A number, or a vector of numbers, in an order that agrees with that of the first component.
pub trait Number: Clone + Ord + Send + Sync + Debug + 'static {
    /// Returns the lesser of two numbers, component by component.
    #[inline(always)]
    fn least(self, other: &Self) -> Self {
        // Equal numbers are not copied, which matters for long ones.
        if *other < self { other.clone() } else { self }
    }

    /// Returns the greater of two numbers, component by component.
    #[inline(always)]
    fn greatest(self, other: &Self) -> Self {
        if *other > self { other.clone() } else { self }
    }

    /// Returns the number of bytes on the heap, beyond the number's own size.
    fn heap(&self) -> u64 {
        0
    }
}

macro_rules! machine_numbers {
    ($($number:ty),*) => {$(
        impl Number for $number {}
    )*};
}

machine_numbers!(i64, i128, u8, u16, u32, u64, u128);
