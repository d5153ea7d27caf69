//! Dyadic rationals in `[0, 1]` of any depth: an odd mantissa over a power of two.
//!
//! The mean of two costs an addition and a shift, whereas a general rational costs a greatest
//! common divisor. The mantissa is kept odd, so the values of `A^n` (1/2^n) stay short however long
//! the path.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// The number `mantissa / 2^exponent`, with an odd mantissa unless the number is zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dyadic {
    pub(super) mantissa: BigUint,
    pub(super) exponent: u64,
}

impl Dyadic {
    pub(super) fn new(mantissa: BigUint, exponent: u64) -> Self {
        // Zero has no bit that is set. It gets exponent 0, so that equality can be derived.
        let twos = mantissa.trailing_zeros().unwrap_or(exponent).min(exponent);
        Self {
            mantissa: mantissa >> twos,
            exponent: exponent - twos,
        }
    }

    pub(super) fn mean(&self, other: &Self) -> Self {
        let exponent = self.exponent.max(other.exponent);
        Self::new(self.scaled(exponent) + other.scaled(exponent), exponent + 1)
    }

    /// Returns the size of the mantissa in bytes, for the memory limit.
    pub(super) fn bytes(&self) -> u64 {
        self.mantissa.bits().div_ceil(8)
    }

    pub(super) fn to_rational(&self) -> BigRational {
        // An odd mantissa over a power of two is in lowest terms already.
        BigRational::new_raw(
            self.mantissa.clone().into(),
            (BigUint::one() << self.exponent).into(),
        )
    }

    /// Returns the numerator over `2^exponent`, which must be at least the number's own exponent.
    fn scaled(&self, exponent: u64) -> BigUint {
        &self.mantissa << (exponent - self.exponent)
    }

    /// Returns the place of the leading bit relative to the binary point; for zero it is less than
    /// any other.
    fn magnitude(&self) -> i128 {
        if self.mantissa.is_zero() {
            return i128::MIN;
        }
        i128::from(self.mantissa.bits()) - i128::from(self.exponent)
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        // No long mantissa has to be shifted if the places of the leading bits differ.
        self.magnitude().cmp(&other.magnitude()).then_with(|| {
            match self.exponent.cmp(&other.exponent) {
                Ordering::Equal => self.mantissa.cmp(&other.mantissa),
                Ordering::Less => self.scaled(other.exponent).cmp(&other.mantissa),
                Ordering::Greater => self.mantissa.cmp(&other.scaled(self.exponent)),
            }
        })
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dyadic(mantissa: u32, exponent: u64) -> Dyadic {
        Dyadic::new(mantissa.into(), exponent)
    }

    #[test]
    fn order_and_mean_are_those_of_rationals() {
        let all: Vec<_> = (0..=16u32)
            .flat_map(|m| (4..8).map(move |e| dyadic(m, e)))
            .collect();
        for a in &all {
            for b in &all {
                assert_eq!(a.cmp(b), a.to_rational().cmp(&b.to_rational()));
                let two = BigRational::from_integer(2.into());
                assert_eq!(
                    a.mean(b).to_rational(),
                    (a.to_rational() + b.to_rational()) / two
                );
            }
        }
    }

    #[test]
    fn zero_and_one_are_canonical() {
        assert_eq!(dyadic(0, 5), dyadic(0, 0));
        assert_eq!(dyadic(32, 5), dyadic(1, 0));
    }
}
