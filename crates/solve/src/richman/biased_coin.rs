//! Random turns with any coin, by a sweep: fixed-point numbers over a power of the coin's
//! denominator.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::Coin;
use super::fraction::UnreducedFraction;
use super::swept::RichmanSweep;
use super::theory::Ends;
use crate::diagnostic::Result;
use crate::law::{Ended, Law};
use crate::number::Number;
use crate::player::Player;
use crate::positions::Numbered;
use crate::rules::{Objective, Rules, Winner};
use crate::space::sweep::{self, Need, Slot};
use crate::watch::Context;

impl RichmanSweep {
    /// Solves a numbered ruleset for the values of at least some positions when a coin decides each
    /// turn, where [`coin_sweep_need`] allows it. The value is Bob's winning probability, as for
    /// [`Values::with_coin`](super::Values::with_coin).
    ///
    /// # Errors
    /// If the work is stopped, or there is too little memory.
    ///
    /// # Panics
    /// If plays are too long.
    pub fn tossed(
        positions: Numbered<'_>,
        rules: &Rules,
        coin: Coin,
        context: &Context<'_>,
    ) -> Result<Self> {
        let (scale, most) = scales(coin, positions.indexed.numbering.plies)
            .expect("the plan looks at the length of plays");
        let toss = CoinTask {
            positions,
            rules,
            coin,
            scale,
        };
        // The bound is on the sums before division, because these are the greatest numbers that
        // occur.
        if most <= i64::MAX as u128 {
            toss.sweep::<i64>(context)
        } else {
            toss.sweep::<i128>(context)
        }
    }
}

/// Returns the resources of a sweep that finds such values if no play has more than `plies` moves;
/// `None` if the rules need a graph, or plays are too long.
pub fn coin_sweep_need(rules: &Rules, coin: Coin, plies: u32) -> Option<Need> {
    // A sweep evaluates each position once, whereas other objectives concern plays without end.
    if rules.objective != Objective::Reachability {
        return None;
    }
    let (_, most) = scales(coin, plies)?;
    let bytes = if most <= i64::MAX as u128 {
        size_of::<i64>()
    } else {
        size_of::<i128>()
    };
    Some(Need {
        width: bytes,
        sweeps: 1,
    })
}

/// Returns the number that represents 1 if no play has more than `plies` moves, and the greatest
/// number that occurs; `None` if they fit no machine number.
fn scales(coin: Coin, plies: u32) -> Option<(u128, u128)> {
    // A position h moves before the end has a multiple of 1/(2 bʰ), where b is the sum of the
    // weights; sums are at most b times 1. One more turn is for players who are stuck.
    let sum = u128::from(coin.weights.alice) + u128::from(coin.weights.bob);
    let scale = sum.checked_pow(plies.saturating_add(1))?.checked_mul(2)?;
    Some((
        scale,
        scale
            .checked_mul(sum)
            .filter(|most| *most <= i128::MAX as u128)?,
    ))
}

struct CoinTask<'a> {
    positions: Numbered<'a>,
    rules: &'a Rules,
    coin: Coin,
    /// The number that represents 1.
    scale: u128,
}

impl CoinTask<'_> {
    fn sweep<N: CoinValue + Slot + Into<BigInt> + TryFrom<u128>>(
        &self,
        context: &Context<'_>,
    ) -> Result<RichmanSweep> {
        let half = self.scale / 2;
        let number = |value: u128| match N::try_from(value) {
            Ok(number) => number,
            Err(_) => unreachable!("the width was chosen for it"),
        };
        let theory = BiasedCoinLaw {
            ended: Ends::of(self.positions.conjugated, self.rules)
                .as_numbers(|halves| number(half * u128::from(halves))),
            winner: self.rules.winner,
            coin: self.coin,
            scale: number(self.scale),
        };
        Ok(RichmanSweep::new(
            sweep::sweep(self.positions, &theory, context)?,
            self.scale.into(),
        ))
    }
}

/// A numerator or a fraction.
pub(super) trait CoinValue: Number {
    /// Returns the mean of a toss. For integers it is an integer, by the choice of the scale.
    fn toss(parts: [Self; 2], coin: Coin) -> Self;

    /// Returns the number itself, without a scale.
    fn to_rational(&self) -> BigRational;
}

macro_rules! shares {
    ($($number:ty)*) => {$(
        impl CoinValue for $number {
            #[inline(always)]
            fn toss([alice, bob]: [Self; 2], coin: Coin) -> Self {
                let weights = coin.weights.map(Self::from);
                let (total, sum) = (alice * weights.alice + bob * weights.bob, weights.alice + weights.bob);
                assert!(total % sum == 0, "the scale makes means exact");
                total / sum
            }

            fn to_rational(&self) -> BigRational {
                BigInt::from(*self).into()
            }
        }
    )*};
}

shares! { i64 i128 }

impl Number for UnreducedFraction {
    fn heap(&self) -> u64 {
        self.bytes()
    }
}

impl CoinValue for UnreducedFraction {
    fn toss([alice, bob]: [Self; 2], coin: Coin) -> Self {
        coin.mean(&alice, &bob)
    }

    fn to_rational(&self) -> BigRational {
        self.to_rational()
    }
}

/// The theory of random turns by the weights of a coin.
pub(super) struct BiasedCoinLaw<N> {
    ended: Ended<N>,
    winner: Winner,
    coin: Coin,
    /// The number that represents 1.
    scale: N,
}

impl BiasedCoinLaw<UnreducedFraction> {
    /// Creates the theory with fractions of any length.
    pub(super) fn of_fractions(ends: Ends, winner: Winner, coin: Coin) -> Self {
        let halves =
            |halves: u8| UnreducedFraction::from(BigRational::new(halves.into(), 2.into()));
        Self {
            ended: ends.as_numbers(halves),
            winner,
            coin,
            scale: halves(2),
        }
    }
}

impl<N: CoinValue> BiasedCoinLaw<N> {
    /// Returns the values of the turn if Alice wins the toss, and if Bob does.
    #[inline(always)]
    fn parts(&self, alice: N, bob: N) -> [N; 2] {
        match self.winner {
            // The winner takes the better side, which is the smaller value for Alice. With an
            // unfair coin this changes the mean, unlike with a fair one.
            Winner::Chooses => [alice.clone().least(&bob), alice.greatest(&bob)],
            Winner::Moves => [alice, bob],
        }
    }
}

impl<N: CoinValue> Law for BiasedCoinLaw<N> {
    type Number = N;

    fn name(&self) -> String {
        let Self {
            ended: Ended { seeker, values },
            winner,
            coin,
            ..
        } = self;
        let weights = Player::both(|player| coin.weights[player]);
        format!("P for {seeker:?}, {winner:?}, coin {weights:?}, endings worth {values:?}")
    }

    fn ended(&self) -> &Ended<N> {
        &self.ended
    }

    #[inline(always)]
    fn settle(&self, alice: N, bob: N) -> N {
        N::toss(self.parts(alice, bob), self.coin)
    }

    fn follows(&self, value: &N, alice: &N, bob: &N) -> bool {
        let [alice, bob] = self
            .parts(alice.clone(), bob.clone())
            .map(|part| part.to_rational());
        let value = value.to_rational();
        // The check uses rationals so that it shares no arithmetic with `settle`.
        value >= BigRational::zero()
            && value <= self.scale.to_rational()
            && value == self.coin.average(&alice, &bob)
    }
}
