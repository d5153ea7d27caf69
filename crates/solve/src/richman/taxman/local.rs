//! One bid under `taxman(t)`: the share with which a player can afford it.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::Share;
use crate::diagnostic::Result;
use crate::rules::admit;
use crate::rules::{Payment, Rules};

/// The part of a bid that the bank keeps: `bank / whole`.
///
/// With `lo` and `hi` the thresholds at the successors that the bid's winner and loser get to, let
/// a player have the share s of the money and just be able to afford to win with a bid x (as a
/// share too) or to lose to one. Then `(s − x)/(1 − t x) = lo` and `(s + (1 − t) x)/(1 − t x) =
/// hi`, hence
///
/// ```text
/// x = (hi − lo) / (2 − t + t (hi − lo))        s = (hi + (1 − t) lo) / (2 − t + t (hi − lo))
/// ```
///
/// For t = 0 that is the mean, for t = 1 `hi / (1 − lo + hi)` (poorman bidding). s increases in
/// both arguments, and the sum of its two slopes is at most 1: it is `(2 − t)/(2 − t + t (hi −
/// lo))`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tax {
    bank: BigInt,
    whole: BigInt,
    float: f64,
}

/// The direction of rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    Down,
    Up,
}

/// The places of inexact numbers, which are integers in units of the last place.
#[derive(Debug, Clone, Copy)]
pub(super) struct BinaryPlaces {
    /// The number of bits after the binary point.
    pub(super) bits: u64,
}

impl BinaryPlaces {
    /// Returns 1 in units.
    pub(super) fn one(self) -> BigInt {
        BigInt::one() << self.bits
    }

    /// Returns a number in units.
    pub(super) fn fixed(self, number: &BigRational, rounding: Rounding) -> BigInt {
        let scaled = number * self.one();
        match rounding {
            Rounding::Down => scaled.floor().to_integer(),
            Rounding::Up => scaled.ceil().to_integer(),
        }
    }

    /// Returns the lower or the upper bounds of shares in units.
    pub(super) fn bounds(self, shares: &[&Share], rounding: Rounding) -> Vec<BigInt> {
        let bound = |share: &&Share| match rounding {
            Rounding::Down => self.fixed(&share.low, rounding),
            Rounding::Up => self.fixed(&share.high, rounding),
        };
        shares.iter().map(bound).collect()
    }

    /// Returns the number that a number of units is.
    pub(super) fn rational(self, fixed: &BigInt) -> BigRational {
        BigRational::new(fixed.clone(), self.one())
    }

    /// Returns the share between two numbers of units.
    pub(super) fn share(self, (low, high): (&BigInt, &BigInt)) -> Share {
        Share {
            low: self.rational(low),
            high: self.rational(high),
        }
    }
}

impl Tax {
    /// Returns the tax under some rules.
    ///
    /// # Errors
    /// If the rules are not those of bidding for a share.
    pub(super) fn of(rules: &Rules) -> Result<Self> {
        admit::taxed_shares(rules)?;
        Ok(Self::new(&rules.pay).expect("only the winner pays under rules that are admitted"))
    }

    /// Returns the tax of a payment in which only the winner of a bid pays.
    pub(super) fn new(pay: &Payment) -> Option<Self> {
        let part = pay.tax()?;
        let float = part.to_f64().unwrap_or(1.0);
        let (bank, whole) = part.into();
        Some(Self { bank, whole, float })
    }

    /// Returns whether the bank keeps nothing.
    pub(super) fn is_none(&self) -> bool {
        self.bank.is_zero()
    }

    /// Returns the threshold and the bid, exactly.
    pub(super) fn exact(
        &self,
        low: &BigRational,
        high: &BigRational,
    ) -> (BigRational, BigRational) {
        let gap = high - low;
        // The tax is at most the whole bid, so the divisor is at least `whole` and never 0.
        let below = &gap * &self.bank + BigRational::from(&self.whole * 2 - &self.bank);
        let share = high * &self.whole + low * (&self.whole - &self.bank);
        (share / &below, gap * &self.whole / below)
    }

    /// Returns the part of a bid that the bank keeps.
    pub(super) fn part(&self) -> BigRational {
        BigRational::new(self.bank.clone(), self.whole.clone())
    }

    /// Returns the threshold in multiples of `2^-bits`.
    pub(super) fn rounded(
        &self,
        low: &BigInt,
        high: &BigInt,
        bits: u64,
        rounding: Rounding,
    ) -> BigInt {
        // Numerator and divisor are multiplied by `2^bits · whole`, so only the quotient is
        // rounded.
        let share = (&self.whole * high + (&self.whole - &self.bank) * low) << bits;
        let below = ((&self.whole * 2 - &self.bank) << bits) + &self.bank * (high - low);
        match rounding {
            Rounding::Down => share.div_floor(&below),
            Rounding::Up => share.div_ceil(&below),
        }
    }

    /// Returns the threshold in floats, with its slopes in `low` and in `high`.
    pub(super) fn float(&self, low: f64, high: f64) -> (f64, [f64; 2]) {
        let t = self.float;
        let below = 2.0 - t + t * (high - low);
        let share = (high + (1.0 - t) * low) / below;
        (
            share,
            [(1.0 - t + t * share) / below, (1.0 - t * share) / below],
        )
    }
}
