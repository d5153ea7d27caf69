//! Random turns with any coin, by a sweep: fixed-point numbers over a power of the coin's denominator.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::Coin;
use super::swept::{Ended, Ends};
use crate::diagnostic::Result;
use crate::game::ruleset::{Numbering, State};
use crate::player::{Ending, Player};
use crate::rules::{Objective, Rules, Winner};
use crate::solve::graphless::Numbered;
use crate::solve::sweep::{self, Need, Number, Theory};
use crate::watch::Watch;

/// The values of some positions of a numbered ruleset when a coin decides each turn: Bob's winning probability, as for
/// [`Values::with_coin`](super::Values::with_coin); where [`coin_sweep_need`] says that they can be found so.
///
/// # Errors
/// If the watch stops the work, or there is too little memory.
///
/// # Panics
/// If plays are too long.
pub fn tossed(positions: Numbered<'_>, rules: &Rules, coin: Coin, watch: &dyn Watch) -> Result<Vec<BigRational>> {
    let swept = Tossed::solve(positions, rules, coin, watch)?;
    let value = |state| swept.value(&positions.indexed.numbering, state).expect("what is wanted is kept");
    Ok(positions.states.iter().map(value).collect())
}

/// The values of a numbered ruleset's positions when a coin decides each turn.
#[derive(Debug)]
pub struct Tossed {
    /// What 1 is.
    scale: u128,
    numerators: Numerators,
}

#[derive(Debug)]
enum Numerators {
    Long(sweep::Swept<i64>),
    Wide(sweep::Swept<i128>),
}

impl Tossed {
    /// Solves for some positions at least, where [`coin_sweep_need`] says that it can.
    ///
    /// # Errors
    /// If the watch stops the work, or there is too little memory.
    ///
    /// # Panics
    /// If plays are too long.
    pub fn solve(positions: Numbered<'_>, rules: &Rules, coin: Coin, watch: &dyn Watch) -> Result<Self> {
        let (scale, most) =
            scales(coin, positions.indexed.numbering.plies).expect("the plan looks at the length of plays");
        let toss = Toss { positions, rules, coin, scale };
        let numerators = if most <= i64::MAX as u128 {
            Numerators::Long(toss.sweep(watch)?)
        } else {
            Numerators::Wide(toss.sweep(watch)?)
        };
        Ok(Self { scale, numerators })
    }

    /// The value of a position, if it is numbered and its value was kept.
    pub fn value(&self, numbering: &Numbering, state: &State) -> Option<BigRational> {
        let numerator: BigInt = match &self.numerators {
            Numerators::Long(values) => values.value(numbering, state)?.into(),
            Numerators::Wide(values) => values.value(numbering, state)?.into(),
        };
        Some(BigRational::new(numerator, self.scale.into()))
    }

    /// The bytes that the values take.
    pub fn bytes(&self) -> u64 {
        match &self.numerators {
            Numerators::Long(values) => values.bytes(),
            Numerators::Wide(values) => values.bytes(),
        }
    }
}

/// What a sweep takes that finds such values where no play has more moves than this; `None` if the rules need a graph, or plays are too
/// long.
pub fn coin_sweep_need(rules: &Rules, coin: Coin, plies: u32) -> Option<Need> {
    if rules.objective != Objective::Reachability {
        return None;
    }
    let (_, most) = scales(coin, plies)?;
    let bytes = if most <= i64::MAX as u128 { size_of::<i64>() } else { size_of::<i128>() };
    Some(Need { bytes, sweeps: 1 })
}

/// What 1 is where no play has more moves than this, and the greatest number that comes up; `None` where that fits no machine number.
fn scales(coin: Coin, plies: u32) -> Option<(u128, u128)> {
    // A position h moves before the end has a multiple of 1/(2 bʰ), b being the sum of the weights; sums go up to b times 1. One more
    // turn is that of players who are stuck.
    let sum = u128::from(coin.weights.alice) + u128::from(coin.weights.bob);
    let scale = sum.checked_pow(plies.saturating_add(1))?.checked_mul(2)?;
    Some((scale, scale.checked_mul(sum).filter(|most| *most <= i128::MAX as u128)?))
}

struct Toss<'a> {
    positions: Numbered<'a>,
    rules: &'a Rules,
    coin: Coin,
    /// What 1 is.
    scale: u128,
}

impl Toss<'_> {
    fn sweep<N: Share>(&self, watch: &dyn Watch) -> Result<sweep::Swept<N>> {
        let half = self.scale / 2;
        let theory = BiasedCoinTheory {
            ended: Ends::of(self.positions.conjugated, self.rules)
                .as_numbers(|halves| N::of(half * u128::from(halves))),
            winner: self.rules.winner,
            weights: Player::BOTH.map(|player| N::of(self.coin.weights[player].into())),
            sum: N::of(u128::from(self.coin.weights.alice) + u128::from(self.coin.weights.bob)),
            scale: N::of(self.scale),
        };
        sweep::sweep(self.positions, &theory, watch)
    }
}

/// A numerator.
trait Share: Number + Ord + Into<BigInt> {
    fn of(value: u128) -> Self;

    /// The mean of two by weights with this sum, which is a whole number by the choice of the scale.
    fn mean(parts: [Self; 2], weights: [Self; 2], sum: Self) -> Self;
}

macro_rules! shares {
    ($($number:ty)*) => {$(
        impl Share for $number {
            fn of(value: u128) -> Self {
                value as $number
            }

            #[inline(always)]
            fn mean(parts: [Self; 2], weights: [Self; 2], sum: Self) -> Self {
                let total = parts[0] * weights[0] + parts[1] * weights[1];
                debug_assert!(total % sum == 0, "the scale makes means exact");
                total / sum
            }
        }
    )*};
}

shares! { i64 i128 }

/// RichmanTheory by the weights of a coin.
struct BiasedCoinTheory<N> {
    ended: Ended<N>,
    winner: Winner,
    weights: [N; 2],
    sum: N,
    /// What 1 is.
    scale: N,
}

impl<N: Share> BiasedCoinTheory<N> {
    /// What the turn comes to where Alice wins the toss, and where Bob does.
    #[inline(always)]
    fn parts(&self, alice: N, bob: N) -> [N; 2] {
        match self.winner {
            Winner::Chooses => [alice.least(bob), alice.greatest(bob)],
            Winner::Moves => [alice, bob],
        }
    }
}

impl<N: Share> Theory for BiasedCoinTheory<N> {
    type Number = N;

    fn name(&self) -> String {
        let Self { ended: Ended { alice, values: ended }, winner, weights, .. } = self;
        format!("P for {alice:?}, {winner:?}, coin {weights:?}, endings worth {ended:?}")
    }

    fn seeker(&self) -> Player {
        self.ended.alice
    }

    fn ending(&self, ending: Ending) -> N {
        self.ended.of(ending)
    }

    #[inline(always)]
    fn settle(&self, alice: N, bob: N) -> N {
        N::mean(self.parts(alice, bob), self.weights, self.sum)
    }

    fn follows(&self, value: N, alice: N, bob: N) -> bool {
        let [alice, bob] = self.parts(alice, bob).map(N::into);
        let [weight, other] = self.weights.map(N::into);
        let value: BigInt = value.into();
        value >= BigInt::ZERO && value <= self.scale.into() && value * self.sum.into() == alice * weight + bob * other
    }

    fn compare(&self, a: N, b: N) -> Ordering {
        a.cmp(&b)
    }
}
