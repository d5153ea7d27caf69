//! Fractions in `[0, 1]` that share denominators. The values of a cyclic component have one common
//! denominator of perhaps hundreds of digits, so they compare and add as integers.

use crate::convert::fit;
use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// `numerator / denominator`, not necessarily in lowest terms.
#[derive(Debug, Clone)]
pub(super) struct UnreducedFraction {
    pub(super) numerator: BigInt,
    pub(super) denominator: Arc<BigInt>,
}

impl UnreducedFraction {
    /// Returns the mean, in lowest terms unless the denominators are shared.
    pub(super) fn mean(&self, other: &Self) -> Self {
        if !Arc::ptr_eq(&self.denominator, &other.denominator) {
            let two = BigInt::from(2);
            return ((self.to_rational() + other.to_rational()) / two).into();
        }
        let sum = &self.numerator + &other.numerator;
        if sum.is_even() {
            return Self {
                numerator: sum >> 1,
                denominator: Arc::clone(&self.denominator),
            };
        }
        Self {
            numerator: sum,
            denominator: Arc::new(&*self.denominator << 1),
        }
    }

    pub(super) fn to_rational(&self) -> BigRational {
        BigRational::new(self.numerator.clone(), (*self.denominator).clone())
    }

    /// Returns the size of the numerator in bytes, for the memory limit.
    pub(super) fn bytes(&self) -> u64 {
        self.numerator.bits().div_ceil(8)
    }

    /// Returns the value and its difference from 1, both to the relative accuracy of a float.
    pub(super) fn approximate(&self) -> [f64; 2] {
        // The difference is taken exactly: 1 minus a float would lose its digits near 1.
        let rest = &*self.denominator - &self.numerator;
        [
            ratio(&self.numerator, &self.denominator),
            ratio(&rest, &self.denominator),
        ]
    }
}

/// Returns a quotient of two non-negative integers of any size, as a float.
fn ratio(numerator: &BigInt, denominator: &BigInt) -> f64 {
    if numerator.is_zero() {
        return 0.0;
    }
    let leading = |x: &BigInt| {
        // Only the leading 64 bits matter for a float, and the whole number may exceed its range.
        let shift = x.bits().saturating_sub(64);
        (
            ((x >> shift).to_f64()).expect("64 bits fit in a float"),
            fit::<i64>(shift),
        )
    };
    let ((n, n_shift), (d, d_shift)) = (leading(numerator), leading(denominator));
    let exponent = i32::try_from(n_shift - d_shift).unwrap_or(if n_shift < d_shift {
        i32::MIN
    } else {
        i32::MAX
    });
    // The power is applied in two steps, because 2^exponent alone may underflow where the quotient
    // does not.
    n / d * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

impl From<BigRational> for UnreducedFraction {
    fn from(value: BigRational) -> Self {
        let (numerator, denominator) = value.into();
        Self {
            numerator,
            denominator: Arc::new(denominator),
        }
    }
}

impl Ord for UnreducedFraction {
    fn cmp(&self, other: &Self) -> Ordering {
        // The pointers are compared first, because the integers may have hundreds of digits.
        if Arc::ptr_eq(&self.denominator, &other.denominator)
            || self.denominator == other.denominator
        {
            return self.numerator.cmp(&other.numerator);
        }
        if self.denominator.is_one()
            && other.numerator < *other.denominator
            && !other.numerator.is_zero()
        {
            // This compares 0 or 1 with a number strictly between.
            return if self.numerator.is_zero() {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        (&self.numerator * &*other.denominator).cmp(&(&other.numerator * &*self.denominator))
    }
}

impl PartialOrd for UnreducedFraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for UnreducedFraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for UnreducedFraction {}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(n: i64, d: i64) -> UnreducedFraction {
        UnreducedFraction {
            numerator: n.into(),
            denominator: Arc::new(d.into()),
        }
    }

    #[test]
    fn order_and_mean_are_those_of_rationals() {
        let all: Vec<_> = (1..=6)
            .flat_map(|d| (0..=d).map(move |n| fraction(n, d)))
            .collect();
        for a in &all {
            for b in &all {
                assert_eq!(a.cmp(b), a.to_rational().cmp(&b.to_rational()));
                let mean = (a.to_rational() + b.to_rational()) / BigInt::from(2);
                assert_eq!(a.mean(b).to_rational(), mean);
            }
        }
    }

    #[test]
    fn approximation_keeps_relative_accuracy_at_both_ends() {
        let denominator = Arc::new(BigInt::one() << 900);
        let tiny = UnreducedFraction {
            numerator: 3.into(),
            denominator: Arc::clone(&denominator),
        };
        assert_eq!(tiny.approximate(), [3.0 * 2f64.powi(-900), 1.0]);
        let near_one = UnreducedFraction {
            numerator: &*denominator - 3,
            denominator,
        };
        assert_eq!(near_one.approximate(), [1.0, 3.0 * 2f64.powi(-900)]);
    }
}
