//! Richman values of numbered rulesets: fixed-point numbers as narrow as the longest play allows.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::One;

use super::{Worth, refuse};
use crate::diagnostic::Result;
use crate::game::ruleset::{Indexed, State};
use crate::game::{Ending, Player};
use crate::rules::{Payment, Rules, Solver, Winner};
use crate::solve::sweep::{self, Fixed, Keep, Number, Theory};
use crate::watch::Watch;

/// The exact values of a numbered ruleset's positions.
#[derive(Debug)]
pub struct Swept {
    /// Values are numerators over `2^scale`.
    scale: u32,
    numerators: Numerators,
}

/// The numerators, each kind with room for the sum of two.
#[derive(Debug)]
enum Numerators {
    Narrow(sweep::Swept<i32>),
    Long(sweep::Swept<i64>),
    Wide(sweep::Swept<Fixed<4>>),
    Widest(sweep::Swept<Fixed<8>>),
}

/// The greatest scales whose sums of two numerators fit.
const NARROW: u32 = i32::BITS - 2;
const LONG: u32 = i64::BITS - 2;
const WIDE: u32 = 4 * 64 - 2;
const WIDEST: u32 = 8 * 64 - 2;

impl Swept {
    /// Solves a numbered ruleset; `None` if that is not the way to do it: other rules than it is for, plays too long, or more
    /// memory than allowed.
    ///
    /// # Errors
    /// If the rules are not ones of this theory, or the watch stops the work.
    pub fn solve(indexed: &Indexed, rules: &Rules, watch: &dyn Watch) -> Result<Option<Self>> {
        let usual = match (rules.winner, rules.solver) {
            (Winner::Chooses, Solver::Auto | Solver::Acyclic) => true,
            (Winner::Chooses | Winner::Moves, _) => false,
        };
        let scale = indexed.plies + 1;
        if !usual || rules.pay != Payment::Richman || scale > WIDEST {
            return Ok(None);
        }
        refuse::rules(rules, true)?;
        let task = Task { indexed, worth: Worth::new(rules.draws), scale, watch };
        let numerators = if scale <= NARROW {
            task.sweep()?.map(Numerators::Narrow)
        } else if scale <= LONG {
            task.sweep()?.map(Numerators::Long)
        } else if scale <= WIDE {
            task.sweep()?.map(Numerators::Wide)
        } else {
            task.sweep()?.map(Numerators::Widest)
        };
        Ok(numerators.map(|numerators| Self { scale, numerators }))
    }

    /// The value of a position, if it is numbered and its value was kept.
    pub fn value(&self, indexed: &Indexed, state: &State) -> Option<BigRational> {
        let numerator = match &self.numerators {
            Numerators::Narrow(values) => values.value(indexed, state)?.numerator(),
            Numerators::Long(values) => values.value(indexed, state)?.numerator(),
            Numerators::Wide(values) => values.value(indexed, state)?.numerator(),
            Numerators::Widest(values) => values.value(indexed, state)?.numerator(),
        };
        Some(BigRational::new(numerator, BigInt::one() << self.scale))
    }

    /// The bytes that the values take.
    pub fn bytes(&self) -> u64 {
        match &self.numerators {
            Numerators::Narrow(values) => values.bytes(),
            Numerators::Long(values) => values.bytes(),
            Numerators::Wide(values) => values.bytes(),
            Numerators::Widest(values) => values.bytes(),
        }
    }
}

struct Task<'a> {
    indexed: &'a Indexed,
    worth: Worth,
    scale: u32,
    watch: &'a dyn Watch,
}

impl Task<'_> {
    fn sweep<N: Numerator>(&self) -> Result<Option<sweep::Swept<N>>> {
        let Some(keep) = Keep::within::<N>(self.indexed, self.watch.limits().max_memory) else { return Ok(None) };
        let number = |halves: u8| match halves {
            0 => N::BLANK,
            halves => N::power(self.scale + u32::from(halves) - 2),
        };
        let ended = [Ending::Win(Player::Alice), Ending::Win(Player::Bob), Ending::Draw];
        let theory = Means { ended: ended.map(|ending| number(self.worth.of(ending))) };
        Ok(Some(sweep::sweep(self.indexed, &theory, keep, self.watch)?))
    }
}

/// A numerator of Richman values.
trait Numerator: Number {
    /// 2^exponent.
    fn power(exponent: u32) -> Self;

    /// The mean of two, exact by the choice of the scale.
    fn mean(self, other: Self) -> Self;

    fn numerator(self) -> BigInt;
}

macro_rules! machine_numerators {
    ($($number:ty),*) => {$(
        impl Numerator for $number {
            fn power(exponent: u32) -> Self {
                1 << exponent
            }

            #[inline(always)]
            fn mean(self, other: Self) -> Self {
                debug_assert!((self + other) & 1 == 0, "the scale makes means exact");
                (self + other) >> 1
            }

            fn numerator(self) -> BigInt {
                self.into()
            }
        }
    )*};
}

machine_numerators!(i32, i64);

impl<const N: usize> Numerator for Fixed<N> {
    fn power(exponent: u32) -> Self {
        Self::power(exponent)
    }

    #[inline(always)]
    fn mean(self, other: Self) -> Self {
        self.mean(other)
    }

    fn numerator(self) -> BigInt {
        let digits: Vec<u32> = self.0.iter().rev().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect();
        BigUint::new(digits).into()
    }
}

/// R = (lo + hi)/2.
struct Means<N> {
    /// The values of Alice's win, of Bob's, and of a draw.
    ended: [N; 3],
}

impl<N: Numerator> Theory for Means<N> {
    type Number = N;

    fn seeker(&self) -> Player {
        Player::Alice
    }

    fn ending(&self, ending: Ending) -> N {
        match ending {
            Ending::Win(Player::Alice) => self.ended[0],
            Ending::Win(Player::Bob) => self.ended[1],
            Ending::Draw => self.ended[2],
        }
    }

    #[inline(always)]
    fn settle(&self, alice: N, bob: N) -> N {
        alice.mean(bob)
    }
}
