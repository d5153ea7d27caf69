//! The share of the money with which Alice gets a positive mean payoff, in a part of the graph that
//! no move leaves.
//!
//! With the share r she gets the mean payoff of random turns with a coin that falls for her with
//! probability `p = (1 − t + t r)/(2 − t)`: r under poorman bidding (t = 1), and 1/2 under Richman
//! bidding (t = 0), whatever she has (Avni, Henzinger & Chonev 2019; Avni, Henzinger & Ibsen-Jensen
//! 2018; Avni, Henzinger & Žikelić 2019). The payoff increases with r, so that the share is found
//! by bisection.

use std::cmp::Ordering;
use std::collections::HashSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::mean::{Gain, Ring};
use super::toss_game::TossGame;
use super::{
    DecidedGame, Endless, Sides, ended, is_closed, known, narrower, refuse, regions, stay,
};
use crate::diagnostic::{Code, Result};
use crate::game::{NodeId, Scores};
use crate::player::{Ending, Player};
use crate::richman::Coin;
use crate::richman::taxman::{Share, Shares};
use crate::rules::{Draws, Rules, Solver, Winner};
use crate::watch::Context;

/// Decides a game of mean payoffs: the positions that are won whatever the players have, and the
/// shares with which the parts that cannot be left are won.
pub(super) fn decide(
    game: &Endless<'_>,
    weights: &Scores,
    part: &BigRational,
    rules: &Rules,
    context: &Context<'_>,
) -> Result<DecidedGame> {
    let ends = [
        (BigRational::zero(), Player::Bob),
        (BigRational::one(), Player::Alice),
    ];
    let [poor, rich] = ends.map(|(share, always)| {
        // Under poorman bidding a player without money never moves, and the coin becomes certain.
        let coin = Coin::new(&probability(part, &share)).unwrap_or_else(|| Coin::always(always));
        TossGame::new(
            game.graph,
            game.goals,
            coin,
            rules.draws.favours(Player::Alice),
        )
    });
    let pair = [poor, rich.conjugate()].map(|tosses| tosses.of_bids(rules.winner));
    let sure = regions(game, &pair, Winner::Chooses, context)?;
    // Parts that are won whatever the players have become endings, so only undecided ones remain.
    let left = ended(game.graph, |node| sure[node.index()].map(Ending::Win));
    let mut thresholds = Vec::new();
    for (vertices, _) in left
        .components()
        .iter()
        .filter(|(vertices, cyclic)| *cyclic && is_closed(&left, vertices))
    {
        let ring = Ring::new(game.graph, weights, vertices);
        let share = threshold(&ring, part, rules, context)
            .map_err(|error| refuse::within(*error, game, vertices))?;
        thresholds.extend(vertices.iter().map(|node| (*node, share.clone())));
    }
    let settled: HashSet<NodeId> = thresholds.iter().map(|(node, _)| *node).collect();
    let graph = ended(&left, |node| {
        settled.contains(&node).then_some(Ending::Draw)
    });
    let decided = DecidedGame {
        graph,
        thresholds,
        draws: rules.draws,
    };
    let sides = Sides::of_bids(game, rules.winner);
    let Some(node) = sides.cycle(&decided.graph) else {
        return Ok(decided);
    };
    if let Some(draws) = stay::worth(
        &decided.graph,
        game,
        &sides,
        rules.draws.favours(Player::Alice),
        context,
    )? {
        return Ok(DecidedGame { draws, ..decided });
    }
    match squeezed(&decided, rules, context)? {
        Some(shares) => Ok(known(&decided.graph, &shares, rules.draws)),
        None => Err(refuse::one_can_stay(game, node, rules.winner)),
    }
}

/// Finds the thresholds if, to the precision that is asked for, they do not depend on who wins a
/// play without end.
fn squeezed(
    decided: &DecidedGame,
    rules: &Rules,
    context: &Context<'_>,
) -> Result<Option<Vec<Share>>> {
    let solve = |draws| {
        let (solver, precision) = (Solver::Auto, narrower(&rules.precision));
        let rules = Rules {
            draws,
            solver,
            precision,
            ..rules.clone()
        };
        Shares::solve_to(&decided.graph, &decided.thresholds, &rules, context)
    };
    // Play without end is worth something between these two extremes.
    let [won, lost] = match [solve(Draws::Alice), solve(Draws::Bob)] {
        [Ok(won), Ok(lost)] => [won, lost],
        [Err(refused), _] | [_, Err(refused)] if refused.code == Code::NotSupported => {
            return Ok(None);
        }
        [Err(stopped), _] | [_, Err(stopped)] => return Err(stopped),
    };
    let between = |node: NodeId| Share {
        low: won.share(node).low.clone(),
        high: lost.share(node).high.clone(),
    };
    let shares: Vec<Share> = decided.graph.nodes().map(between).collect();
    let near = |share: &Share| &share.high - &share.low <= rules.precision.0;
    Ok(shares.iter().all(near).then_some(shares))
}

/// The number of bits of the denominators in the bisection up to which coins are used; beyond it
/// enclosures are.
const COIN_BITS: u64 = 26;

/// Finds the gain of random turns. Returns an error that gives the reason if there is none.
pub(super) fn gain(ring: &Ring, coin: Coin, rules: &Rules, context: &Context<'_>) -> Result<Gain> {
    let Some(found) = ring.solve(coin, context)? else {
        return Err(refuse::not_one_mean());
    };
    if rules.winner == Winner::Moves && ring.has_zugzwang(&found) {
        return Err(refuse::zugzwang());
    }
    Ok(found)
}

/// Finds the share above which Alice gets more than 0 on average (or not less than 0, if a mean of
/// 0 is not lost).
pub(super) fn threshold(
    ring: &Ring,
    part: &BigRational,
    rules: &Rules,
    context: &Context<'_>,
) -> Result<Share> {
    let search = LevelSearch {
        ring,
        part,
        rules,
        context,
        zero_suffices: rules.draws.favours(Player::Alice),
    };
    search.run()
}

/// Returns the probability with which random turns fall for a player with this share of the money,
/// where this part of a bid goes to the bank.
pub(super) fn probability(part: &BigRational, share: &BigRational) -> BigRational {
    let one = BigRational::one();
    (&one - part + part * share) / (&one + &one - part)
}

struct LevelSearch<'a> {
    ring: &'a Ring,
    /// The part t of a bid that goes to the bank.
    part: &'a BigRational,
    rules: &'a Rules,
    context: &'a Context<'a>,
    zero_suffices: bool,
}

impl LevelSearch<'_> {
    fn run(&self) -> Result<Share> {
        let [zero, one] = [BigRational::zero(), BigRational::one()];
        // The mean increases with the share, so its value at an end bounds the values elsewhere.
        for (end, player, reached) in [(&zero, Player::Bob, true), (&one, Player::Alice, false)] {
            let coin = self.coin(end).unwrap_or_else(|| Coin::always(player));
            let found = self.gain(coin)?;
            if self.suffices(&found) == reached || self.is_level(&found) {
                return Ok(Share::exact(end.clone()));
            }
        }
        // The share loses precision on the way to the start.
        let precision = &self.rules.precision.0 / BigInt::from(8);
        let (mut low, mut high, mut near) = (zero, one, None);
        while &high - &low > precision {
            self.context.check()?;
            // Thresholds are often simple fractions, of which the bisection alone would hit only
            // dyadic ones.
            if let Some(exact) = self.exactly(&simplest_between(&low, &high))? {
                return Ok(Share::exact(exact));
            }
            let middle = (&low + &high) / BigInt::from(2);
            let enough = match (
                self.coin(&middle)
                    // Coins have weights of 32 bits, so longer fractions cannot be solved exactly.
                    .filter(|_| middle.denom().bits() <= COIN_BITS),
                &near,
            ) {
                (Some(coin), _) => {
                    let gain = self.gain(coin)?;
                    if self.is_level(&gain) {
                        return Ok(Share::exact(middle));
                    }
                    let enough = self.suffices(&gain);
                    // Its bias is a good start for the enclosure of a mean with a coin nearby.
                    near = Some(gain);
                    enough
                }
                (None, Some(near)) => self.enclosed(&middle, near)?,
                (None, None) => return Err(refuse::precision(self.rules)),
            };
            *if enough { &mut high } else { &mut low } = middle;
        }
        Ok(Share { low, high })
    }

    fn gain(&self, coin: Coin) -> Result<Gain> {
        gain(self.ring, coin, self.rules, self.context)
    }

    /// Returns the coin for a share; `None` if it always falls on one side, or the fraction is too
    /// long.
    fn coin(&self, share: &BigRational) -> Option<Coin> {
        Coin::new(&probability(self.part, share))
    }

    fn suffices(&self, gain: &Gain) -> bool {
        self.reaches(gain.gain.cmp(&BigRational::zero()))
    }

    fn reaches(&self, order: Ordering) -> bool {
        order.is_gt() || (self.zero_suffices && order.is_eq())
    }

    /// Returns the share if the mean is 0 there and strictly increases from there on (or up to
    /// there).
    fn exactly(&self, share: &BigRational) -> Result<Option<BigRational>> {
        let Some(coin) = self.coin(share) else {
            return Ok(None);
        };
        Ok(self.is_level(&self.gain(coin)?).then(|| share.clone()))
    }

    fn is_level(&self, found: &Gain) -> bool {
        let side = if self.zero_suffices {
            Player::Bob
        } else {
            Player::Alice
        };
        // Without a strict increase the mean could stay 0 for further shares, and the level lie
        // elsewhere.
        found.gain.is_zero() && self.ring.rises(found, side)
    }

    /// Returns whether a share is enough, by an enclosure of the mean.
    fn enclosed(&self, share: &BigRational, near: &Gain) -> Result<bool> {
        let [least, most] =
            self.ring
                .enclosure(&probability(self.part, share), near, self.context)?;
        let orders = [least, most].map(|bound| self.reaches(bound.cmp(&BigRational::zero())));
        if orders[0] == orders[1] {
            Ok(orders[0])
        } else {
            Err(refuse::precision(self.rules))
        }
    }
}

/// Returns the fraction of least denominator strictly between two, by the Stern–Brocot tree.
fn simplest_between(low: &BigRational, high: &BigRational) -> BigRational {
    let whole = low.floor();
    if &whole + BigRational::one() < *high {
        return whole + BigRational::one();
    }
    let (low, high) = (low - &whole, high - &whole);
    // The fraction between low and high ≤ 1 is the reciprocal of one between the reciprocals.
    if low.is_zero() {
        return whole + (high.recip().floor() + BigRational::one()).recip();
    }
    whole + simplest_between(&high.recip(), &low.recip()).recip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplest_fraction_between_two() {
        let ratio = |n: i64, d: i64| BigRational::new(n.into(), d.into());
        for d in 1..12 {
            for (a, b) in (0..d).flat_map(|a| (a + 1..=d).map(move |b| (a, b))) {
                let (low, high) = (ratio(a, d), ratio(b, d));
                let between = |q: i64| (1..q).map(|p| ratio(p, q)).find(|x| low < *x && *x < high);
                let right = (1..).find_map(between).expect("there is one");
                assert_eq!(
                    simplest_between(&low, &high).denom(),
                    right.denom(),
                    "{low} {high}"
                );
            }
        }
    }
}
