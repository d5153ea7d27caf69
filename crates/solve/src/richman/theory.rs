//! The Richman theory: R = (R⁻ + R⁺)/2, the mean of the least value that Alice can move to and of
//! the greatest that Bob can.
//!
//! Numbers are numerators over a power of two that the length of the longest play determines, or
//! dyadics, which carry their own power.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::DrawValue;
use super::dyadic::Dyadic;
use crate::law::{Ended, Law};
use crate::number::Number;
use crate::player::{Ending, Player};
use crate::positions::part;
use crate::rules::Rules;
use crate::space::sweep::Fixed;

/// The values of endings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    worth: DrawValue,
    /// The player who plays Alice's part.
    alice: Player,
}

impl Ends {
    /// Returns the values of endings in a game, or in its conjugate.
    pub(super) fn of(conjugated: bool, rules: &Rules) -> Self {
        Self {
            worth: DrawValue::new(rules.draws),
            alice: part(conjugated, Player::Alice),
        }
    }

    /// Returns the values with the players exchanged, and with them the value of a draw: every
    /// value v becomes 1 − v.
    pub(super) fn exchanged(self) -> Self {
        Self {
            worth: self.worth.exchanged(),
            alice: self.alice.other(),
        }
    }

    /// Returns the values of endings in a game with this value of a draw.
    pub(super) fn worth(draw: DrawValue) -> Self {
        Self {
            worth: draw,
            alice: Player::Alice,
        }
    }

    /// Converts the values to numbers, which `number` makes of halves.
    pub(super) fn as_numbers<N>(self, number: impl Fn(u8) -> N) -> Ended<N> {
        let endings = [
            Ending::Win(Player::Alice),
            Ending::Win(Player::Bob),
            Ending::Draw,
        ];
        Ended {
            seeker: self.alice,
            values: endings.map(|ending| number(self.worth.of(ending))),
        }
    }
}

/// A numerator of Richman values, between 0 and 2^scale.
pub(super) trait Numerator: Number {
    /// The greatest scale at which [`mean`](Self::mean) cannot overflow for two numerators, whose
    /// sum is 2^(scale + 1) at most.
    const GREATEST_SCALE: u32;

    /// Returns a number of halves at a scale; the scale must be at least 1 if the number is odd.
    fn halves(halves: u8, scale: u32) -> Self;

    /// Returns the mean of two numerators, rounded down. It is exact where no more moves are left
    /// than the scale allows.
    fn mean(self, other: Self) -> Self;

    /// Returns the number that the numerator represents at a scale.
    fn over(self, scale: u32) -> BigRational;
}

/// Returns the exponent of the power of two that represents a number of halves at a scale; `None`
/// for 0.
fn power(halves: u8, scale: u32) -> Option<u32> {
    (halves > 0).then(|| scale + u32::from(halves) - 2)
}

pub(super) fn over_power(numerator: BigInt, scale: u32) -> BigRational {
    BigRational::new(numerator, BigInt::one() << scale)
}

macro_rules! machine_numerators {
    ($($number:ty, $greatest:expr, $mean:expr;)*) => {$(
        impl Numerator for $number {
            const GREATEST_SCALE: u32 = $greatest;

            fn halves(halves: u8, scale: u32) -> Self {
                // The exponent is at most the scale, which is less than the width of the number.
                power(halves, scale).map_or(0, |exponent| 1 << exponent)
            }

            #[inline(always)]
            fn mean(self, other: Self) -> Self {
                $mean(self, other)
            }

            fn over(self, scale: u32) -> BigRational {
                over_power(self.into(), scale)
            }
        }
    )*};
}

machine_numerators! {
    // The mean of two is computed without their sum, so that the greatest power of two is 2^(BITS -
    // 1), and 2^(BITS - 2) if one bit is the sign. Processors compare four signed numbers of 64
    // bits at once, but no unsigned ones.
    u32, Self::BITS - 1, |a: u32, b: u32| (a & b) + ((a ^ b) >> 1);
    i64, Self::BITS - 2, |a: i64, b: i64| (a & b) + ((a ^ b) >> 1);
    u64, Self::BITS - 1, |a: u64, b: u64| (a & b) + ((a ^ b) >> 1);
    u128, Self::BITS - 1, u128::midpoint;
}

impl<const N: usize> Numerator for Fixed<N> {
    // The greatest number is 2^(bits - 2), although the mean, which keeps its carry, would also be
    // right with one bit more.
    const GREATEST_SCALE: u32 = Self::BITS - 2;

    fn halves(halves: u8, scale: u32) -> Self {
        power(halves, scale).map_or(Self([0; N]), Self::power)
    }

    #[inline(always)]
    fn mean(self, other: Self) -> Self {
        self.mean(other)
    }

    fn over(self, scale: u32) -> BigRational {
        over_power(self.into(), scale)
    }
}

impl<const N: usize> From<Fixed<N>> for BigInt {
    fn from(number: Fixed<N>) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
        let digits = number
            .0
            .iter()
            // The most significant word is stored first, and long integers are built from the least
            // one up.
            .rev()
            .flat_map(|word| [*word as u32, (word >> 32) as u32])
            .collect();
        BigUint::new(digits).into()
    }
}

impl Number for Dyadic {
    fn heap(&self) -> u64 {
        self.bytes()
    }
}

/// Numbers of any length, which need no scale.
impl Numerator for Dyadic {
    const GREATEST_SCALE: u32 = u32::MAX;

    fn halves(halves: u8, _: u32) -> Self {
        Self::new(BigUint::from(halves), 1)
    }

    fn mean(self, other: Self) -> Self {
        Self::mean(&self, &other)
    }

    fn over(self, _: u32) -> BigRational {
        self.to_rational()
    }
}

/// The theory R = (lo + hi)/2, with numerators over `2^scale`.
pub(super) struct RichmanLaw<N> {
    ended: Ended<N>,
    scale: u32,
}

impl<N: Numerator> RichmanLaw<N> {
    /// Creates the theory with values over `2^scale`.
    pub(super) fn new(ends: Ends, scale: u32) -> Self {
        Self {
            ended: ends.as_numbers(|halves| N::halves(halves, scale)),
            scale,
        }
    }
}

impl<N: Numerator> Law for RichmanLaw<N> {
    type Number = N;

    fn name(&self) -> String {
        format!(
            "R for {:?}, endings worth {:?}",
            self.ended.seeker, self.ended.values
        )
    }

    fn ended(&self) -> &Ended<N> {
        &self.ended
    }

    #[inline(always)]
    fn settle(&self, alice: N, bob: N) -> N {
        alice.mean(bob)
    }

    fn follows(&self, value: &N, alice: &N, bob: &N) -> bool {
        // The check is made in rationals, so that it shares no arithmetic with `settle`.
        let [value, alice, bob] = [value, alice, bob].map(|number| number.clone().over(self.scale));
        value >= BigRational::zero()
            && value <= BigRational::one()
            && &value + &value == alice + bob
    }
}
