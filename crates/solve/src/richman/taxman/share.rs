//! A number between proved bounds, and the numbers of all vertices in the form in which they were
//! found.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::game::NodeId;
use crate::richman::bounds::{self, FixedPointBounds};
use crate::richman::enclosure::BITS;
use crate::scalar::{Bounds as Reported, Scalar};

/// A number between proved bounds, which are equal if it is known exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The lower bound.
    pub low: BigRational,
    /// The upper bound.
    pub high: BigRational,
}

/// Compares two fractions by multiplying. `Ratio::cmp` divides again and again, which takes much
/// longer for numbers of thousands of digits that are close to each other.
pub(crate) fn compare_fractions(a: &BigRational, b: &BigRational) -> Ordering {
    (a.numer() * b.denom()).cmp(&(b.numer() * a.denom()))
}

impl Share {
    /// Creates a number that is known.
    pub fn exact(value: BigRational) -> Self {
        Self {
            low: value.clone(),
            high: value,
        }
    }

    /// Creates a number between 0 and 1 of which nothing else is known.
    pub(super) fn unknown() -> Self {
        Self {
            low: BigRational::zero(),
            high: BigRational::one(),
        }
    }

    /// Returns the number, if it is known.
    pub fn value(&self) -> Option<&BigRational> {
        (self.low == self.high).then_some(&self.low)
    }

    /// Returns its difference from 1.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self {
            // Subtracting from 1 exchanges the bounds.
            low: BigRational::one() - &self.high,
            high: BigRational::one() - &self.low,
        }
    }

    /// Rounds the bounds outward to `bits` bits after the binary point, unless the number is known.
    pub(super) fn rounded(self, bits: u64) -> Self {
        // Rounding would turn a known number into an interval.
        if self.value().is_some() {
            return self;
        }
        let unit = BigInt::one() << bits;
        Self {
            low: (self.low * &unit).floor() / &unit,
            high: (self.high * &unit).ceil() / unit,
        }
    }

    pub(super) fn least(self, other: Self) -> Self {
        Self {
            // The minimum is monotone in both numbers, so the bounds can be compared one by one.
            low: self.low.min(other.low),
            high: self.high.min(other.high),
        }
    }

    pub(super) fn greatest(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// The numbers of all vertices. Long lists of short numbers are converted to rationals only when
/// they are asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum VertexShares {
    Each(Vec<Share>),
    /// Bounds in floats, which are exact numbers too.
    Floats {
        low: Vec<f64>,
        high: Vec<f64>,
    },
    /// Bounds in binary places, with the number of places that are reported.
    Bounds(FixedPointBounds, u64),
}

impl VertexShares {
    pub(super) fn share(&self, node: NodeId) -> Share {
        let float = |float: f64| BigRational::from_float(float).expect("bounds are finite");
        match self {
            Self::Each(shares) => shares[node.index()].clone(),
            Self::Floats { low, high } => Share {
                low: float(low[node.index()]),
                high: float(high[node.index()]),
            },
            Self::Bounds(bounds, told) => {
                let [low, high] = bounds.of(node).map(bounds::rational);
                // The bounds have this many places, so rounding to more would change nothing.
                Share { low, high }.rounded((*told).min(BITS.into()))
            }
        }
    }
}

impl From<&Share> for Scalar {
    fn from(share: &Share) -> Self {
        match share.value() {
            Some(value) => Self::from(value),
            None => Self::from(Reported {
                low: share.low.clone(),
                high: share.high.clone(),
            }),
        }
    }
}
