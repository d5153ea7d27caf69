//! Numbers that grow linearly, as operands of the formulas of a kernel: they are exact for large
//! enough n, and the bound on n is tracked.

use std::ops::{Add, Shr, Sub};

use num_integer::Integer;

use crate::chips::Quantity;

/// The number slope·n + base, for every integer n ≥ from.
///
/// Sums and halves of lines are lines (halves if the slope is even), and so are the smaller and the
/// larger of two: the one with the smaller slope is the smaller one from the crossing on, which is
/// found exactly and kept in `from`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AffineLine {
    pub(super) slope: i64,
    pub(super) base: i64,
    pub(super) from: i64,
}

impl AffineLine {
    pub(super) fn new(slope: i64, base: i64) -> Self {
        Self {
            slope,
            base,
            from: 0,
        }
    }

    pub(super) fn at(self, n: i64) -> i64 {
        self.slope * n + self.base
    }

    fn after(self, from: i64) -> Self {
        Self {
            from: self.from.max(from),
            ..self
        }
    }

    /// Returns whether this line is less than another for all n from some number on, and that
    /// number.
    fn is_less(self, other: Self) -> (bool, i64) {
        let known = self.from.max(other.from);
        if self.slope == other.slope {
            // Parallel lines keep their order for every n, so no crossing has to be waited for.
            return (self.base < other.base, known);
        }
        let less = self.slope < other.slope;
        // The steeper line is ahead once it has made up the gap, plus one if it has to be strictly
        // greater.
        let gap = if less {
            self.base - other.base + 1
        } else {
            other.base - self.base
        };
        (
            less,
            known.max(Integer::div_ceil(&gap, &(self.slope - other.slope).abs())),
        )
    }
}

impl Add for AffineLine {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.slope + other.slope, self.base + other.base).after(self.from.max(other.from))
    }
}

impl Sub for AffineLine {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.slope - other.slope, self.base - other.base).after(self.from.max(other.from))
    }
}

impl Shr<usize> for AffineLine {
    type Output = Self;

    fn shr(self, bits: usize) -> Self {
        debug_assert_eq!(
            self.slope & ((1 << bits) - 1),
            0,
            "half of an odd slope is not linear"
        );
        Self {
            slope: self.slope >> bits,
            // An even slope adds an integer to each half, so rounding the base down rounds every
            // value down.
            base: self.base >> bits,
            from: self.from,
        }
    }
}

impl Quantity for AffineLine {
    const NOTHING: Self = Self {
        slope: 0,
        base: 0,
        from: 0,
    };
    const UNIT: Self = Self {
        slope: 0,
        base: 1,
        from: 0,
    };

    fn smaller(self, other: Self) -> Self {
        self.if_less(other, self, other)
    }

    fn larger(self, other: Self) -> Self {
        self.if_less(other, other, self)
    }

    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        let (less, from) = self.is_less(other);
        // The result is exact only once the comparison has its final result.
        if less { then } else { otherwise }.after(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_hold_from_the_n_that_is_claimed_and_not_before() {
        for slope in -4..=4_i64 {
            for base in -30..=30_i64 {
                let (line, other) = (AffineLine::new(slope, base), AffineLine::new(0, 0));
                let (less, from) = line.is_less(other);
                assert!(
                    (from..from + 40).all(|n| (line.at(n) < 0) == less),
                    "{line:?} from {from}"
                );
                assert!(
                    from == 0 || (line.at(from - 1) < 0) != less,
                    "{line:?} from {from} is not the first"
                );
            }
        }
    }

    #[test]
    fn halves_round_down_at_every_n() {
        let half = AffineLine::new(6, -5) >> 1;
        assert!((0..10).all(|n| half.at(n) == (6 * n - 5).div_euclid(2)));
    }
}
