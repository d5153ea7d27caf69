//! The Richman theory: R = (R⁻ + R⁺)/2, the mean of the least value that Alice can move to and of
//! the greatest that Bob can.
//!
//! Numbers are numerators over a power of two that the longest play tells, or dyadics, which carry
//! their own.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::DrawValue;
use super::dyadic::Dyadic;
use crate::graphless::part;
use crate::player::{Ending, Player};
use crate::rules::Rules;
use crate::sweep::Fixed;
use crate::theory::{Number, Theory};

/// What endings are worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    worth: DrawValue,
    /// Who plays Alice's part.
    alice: Player,
}

impl Ends {
    /// In a game, or in its conjugate.
    pub(super) fn of(conjugated: bool, rules: &Rules) -> Self {
        Self {
            worth: DrawValue::new(rules.draws),
            alice: part(conjugated, Player::Alice),
        }
    }

    /// With the players exchanged, and what draws are worth to them: values become one minus what
    /// they were.
    pub(super) fn exchanged(self) -> Self {
        Self {
            worth: self.worth.exchanged(),
            alice: self.alice.other(),
        }
    }

    /// In a game where draws are worth this.
    pub(super) fn worth(draw: DrawValue) -> Self {
        Self {
            worth: draw,
            alice: Player::Alice,
        }
    }

    /// As numbers, made of halves.
    pub(super) fn as_numbers<N>(self, number: impl Fn(u8) -> N) -> Ended<N> {
        let endings = [
            Ending::Win(Player::Alice),
            Ending::Win(Player::Bob),
            Ending::Draw,
        ];
        Ended {
            alice: self.alice,
            values: endings.map(|ending| number(self.worth.of(ending))),
        }
    }
}

/// What endings are worth as numbers.
pub(super) struct Ended<N> {
    /// Who plays Alice's part.
    pub(super) alice: Player,
    /// The values of Alice's win, of Bob's, and of a draw.
    pub(super) values: [N; 3],
}

impl<N: Clone> Ended<N> {
    /// The number of an ending.
    #[inline(always)]
    pub(super) fn of(&self, ending: Ending) -> N {
        match ending {
            Ending::Win(winner) => self.values[usize::from(winner != self.alice)].clone(),
            Ending::Draw => self.values[2].clone(),
        }
    }
}

/// A numerator of Richman values, between 0 and 2^scale.
pub(super) trait Numerator: Number + Ord {
    /// The greatest scale at which [`mean`](Self::mean) cannot overflow for two numerators, whose
    /// sum is 2^(scale + 1) at most.
    const GREATEST_SCALE: u32;

    /// So many halves, of what is 1 at a scale; at least 1 where the number is no multiple of a
    /// half.
    fn halves(halves: u8, scale: u32) -> Self;

    /// The mean of two, rounded down: exact where no more moves are left than the scale allows.
    fn mean(self, other: Self) -> Self;

    /// The number that it stands for at a scale.
    fn over(self, scale: u32) -> BigRational;
}

/// 2^exponent times a number of halves of 2.
fn power(halves: u8, scale: u32) -> Option<u32> {
    (halves > 0).then(|| scale + u32::from(halves) - 2)
}

fn over_power(numerator: BigInt, scale: u32) -> BigRational {
    BigRational::new(numerator, BigInt::one() << scale)
}

macro_rules! machine_numerators {
    ($($number:ty, $greatest:expr, $mean:expr;)*) => {$(
        impl Numerator for $number {
            const GREATEST_SCALE: u32 = $greatest;

            fn halves(halves: u8, scale: u32) -> Self {
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
    // The mean of two is found without their sum, so that the greatest power of two is 2^(BITS -
    // 1), and 2^(BITS - 2) where a bit is that of the sign. Processors compare four signed numbers
    // of 64 bits at once, but no unsigned ones.
    u32, Self::BITS - 1, |a: u32, b: u32| (a & b) + ((a ^ b) >> 1);
    i64, Self::BITS - 2, |a: i64, b: i64| (a & b) + ((a ^ b) >> 1);
    u64, Self::BITS - 1, |a: u64, b: u64| (a & b) + ((a ^ b) >> 1);
    u128, Self::BITS - 1, u128::midpoint;
}

impl<const N: usize> Numerator for Fixed<N> {
    // All bits are those of the number, so the greatest power of two is 2^(bits - 1).
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
        let digits = number
            .0
            .iter()
            .rev()
            .flat_map(|word| [*word as u32, (word >> 32) as u32])
            .collect();
        BigUint::new(digits).into()
    }
}

impl Number for Dyadic {
    fn least(self, other: &Self) -> Self {
        if *other < self { other.clone() } else { self }
    }

    fn greatest(self, other: &Self) -> Self {
        if *other > self { other.clone() } else { self }
    }

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

/// R = (lo + hi)/2, over `2^scale`.
pub(super) struct RichmanTheory<N> {
    ended: Ended<N>,
    scale: u32,
}

impl<N: Numerator> RichmanTheory<N> {
    /// Values over `2^scale`.
    pub(super) fn new(ends: Ends, scale: u32) -> Self {
        Self {
            ended: ends.as_numbers(|halves| N::halves(halves, scale)),
            scale,
        }
    }
}

impl<N: Numerator> Theory for RichmanTheory<N> {
    type Number = N;

    fn name(&self) -> String {
        format!(
            "R for {:?}, endings worth {:?}",
            self.ended.alice, self.ended.values
        )
    }

    fn seeker(&self) -> Player {
        self.ended.alice
    }

    fn ending(&self, ending: Ending) -> N {
        self.ended.of(ending)
    }

    #[inline(always)]
    fn settle(&self, alice: N, bob: N) -> N {
        alice.mean(bob)
    }

    fn follows(&self, value: &N, alice: &N, bob: &N) -> bool {
        let [value, alice, bob] = [value, alice, bob].map(|number| number.clone().over(self.scale));
        value >= BigRational::zero()
            && value <= BigRational::one()
            && &value + &value == alice + bob
    }

    fn compare(&self, a: &N, b: &N) -> Ordering {
        a.cmp(b)
    }
}
