//! Arithmetic modulo a prime below 2^62, in Montgomery's representation (1985): a stands for a ·
//! 2^-64.
//!
//! A well-known prime would be unsuitable: 2^61 - 1 is the denominator of a cycle of 61 states.

use super::elimination::FieldArithmetic;
use crate::convert::fit;

/// The integers modulo a prime.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prime {
    prime: u64,
    /// The number `-1/prime` modulo 2^64.
    negative_inverse: u64,
    /// The number 2^128 modulo the prime, which converts a number to the representation.
    square: u64,
}

/// The largest prime below 2^60 · π.
const FIRST: u64 = 0x3243_f6a8_885a_3081;

impl Prime {
    /// Returns the prime that is tried first.
    pub(super) fn first() -> Self {
        Self::new(FIRST)
    }

    /// Returns the next smaller prime, for a system that is singular modulo this one.
    pub(super) fn next(self) -> Self {
        let smaller = (2..self.prime).rev().find(|&n| is_prime(n));
        Self::new(smaller.expect("a matrix that is not singular is so modulo few primes"))
    }

    fn new(prime: u64) -> Self {
        // Newton's iteration doubles the correct bits: 3, 6, 12, 24, 48, 96.
        let inverse = (0..5).fold(prime, |x: u64, _| {
            x.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(x)))
        });
        let radix = (1u128 << 64) % u128::from(prime);
        let square = fit::<u64>(radix * radix % u128::from(prime));
        Self {
            prime,
            negative_inverse: inverse.wrapping_neg(),
            square,
        }
    }

    pub(super) fn modulus(self) -> u64 {
        self.prime
    }

    /// Converts an integer to the representation.
    pub(super) fn enter(self, a: i128) -> u64 {
        let residue = fit::<u64>(a.rem_euclid(i128::from(self.prime)));
        Self::mul(self, residue, self.square)
    }

    /// Converts a number of the representation to the integer from 0 to p - 1.
    pub(super) fn leave(self, a: u64) -> u64 {
        self.reduce(u128::from(a))
    }

    /// Computes `t / 2^64` modulo the prime, for t below p · 2^64.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the low word is meant")]
    fn reduce(self, t: u128) -> u64 {
        let m = (t as u64).wrapping_mul(self.negative_inverse);
        let reduced = ((t + u128::from(m) * u128::from(self.prime)) >> 64) as u64;
        // The sum is below 2p · 2^64, which fits in 128 bits as p < 2^62; if the result is below p
        // the subtraction wraps to a huge number, and the minimum drops it without a branch.
        reduced.min(reduced.wrapping_sub(self.prime))
    }

    #[inline]
    fn mul(self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }
}

impl FieldArithmetic for Prime {
    type Number = u64;

    fn zero(&self) -> u64 {
        0
    }

    fn weight(&self, weight: u32) -> u64 {
        self.enter(weight.into())
    }

    #[inline]
    fn add(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        // Two residues below 2^62 add up without overflow.
        sum.min(sum.wrapping_sub(self.prime))
    }

    #[inline]
    fn mul(&self, a: u64, b: u64) -> u64 {
        Self::mul(*self, a, b)
    }

    fn invert(&self, a: u64) -> Option<u64> {
        if a == 0 {
            return None;
        }
        // Euclid's algorithm: each remainder is, up to the sign that alternates, a multiple of a.
        let (mut remainders, mut multiples) = ((self.prime, a), (0, 1));
        let mut is_positive = false;
        while remainders.1 != 0 {
            let quotient = remainders.0 / remainders.1;
            remainders = (remainders.1, remainders.0 - quotient * remainders.1);
            multiples = (multiples.1, multiples.0 + quotient * multiples.1);
            is_positive = !is_positive;
        }
        let inverse = if is_positive {
            multiples.0
        } else {
            self.prime - multiples.0
        };
        // The inverse of the number a stands for it, but for two factors of 2^64.
        Some(Self::mul(
            *self,
            Self::mul(*self, inverse, self.square),
            self.square,
        ))
    }
}

/// Tests primality by the test of Miller and Rabin, with bases that decide all 64-bit numbers
/// (Sorenson & Webster 2015).
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2
        || BASES
            .iter()
            .any(|&base| n != base && n.is_multiple_of(base))
    {
        return false;
    }
    let times = |a: u64, b: u64| fit::<u64>(u128::from(a) * u128::from(b) % u128::from(n));
    let twos = (n - 1).trailing_zeros();
    BASES.iter().filter(|&&base| base < n).all(|&base| {
        let power = (0..64 - twos).rev().fold(1, |power, bit| {
            let square = times(power, power);
            if (n - 1) >> twos >> bit & 1 == 1 {
                times(square, base)
            } else {
                square
            }
        });
        let mut squares = std::iter::successors(Some(power), |&x| Some(times(x, x)));
        power == 1 || squares.by_ref().take(twos as usize).any(|x| x == n - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_those_of_trial_division() {
        for n in 0..2000u64 {
            let prime = n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0);
            assert_eq!(is_prime(n), prime, "{n}");
        }
        // The numbers include a strong pseudoprime to the bases 2, 3, 5 and 7, and a prime of 61
        // bits.
        assert!(is_prime(FIRST) && FIRST >> 62 == 0);
        assert!(!is_prime(3_215_031_751));
        assert!(is_prime((1 << 61) - 1));
    }

    #[test]
    fn products_and_inverses_are_those_of_wide_integers() {
        let field = Prime::first();
        let p = field.modulus();
        let mut a = 1;
        for _ in 0..1000 {
            a = a * 6_364_136_223_846_793_005 % u128::from(p);
            let x = field.enter(a as i128);
            assert_eq!(u128::from(field.leave(x)), a);
            assert_eq!(
                u128::from(field.leave(FieldArithmetic::mul(&field, x, x))),
                a * a % u128::from(p)
            );
            let inverse = field.invert(x).expect("a is not 0");
            assert_eq!(field.leave(FieldArithmetic::mul(&field, x, inverse)), 1);
        }
        assert_eq!(field.invert(0), None);
        assert!(field.next().modulus() < p);
    }
}
