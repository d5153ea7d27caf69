//! The opponent in a match: single bids for the best outcome or score, or bids drawn from an optimal distribution.

use std::rc::Rc;

use num_traits::ToPrimitive;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::rules::{Purses, Rules};
use crate::solve::all_pay::{self, Found, Solved};
use crate::solve::scoring;
use crate::solve::strategy::Strategies;

/// How the engine decides.
pub(super) enum Engine<'a> {
    /// Who plays to win.
    Wins(Box<Strategies<'a>>),
    /// Who plays for the score.
    Scores(scoring::Solved<'a>),
    /// Where both pay.
    Mixed(Mixed<'a>),
}

/// Play by optimal mixed bids.
pub(super) struct Mixed<'a> {
    pub(super) graph: &'a GameGraph,
    pub(super) rules: &'a Rules,
    pub(super) solved: Rc<Solved>,
    pub(super) dice: Dice,
}

impl Engine<'_> {
    /// What a player bids.
    pub(super) fn bid(&mut self, player: Player, node: NodeId, purses: Purses) -> u64 {
        match self {
            Self::Wins(strategies) => strategies.turn(player, node, purses).bid(),
            Self::Scores(solved) => solved.bid(player, node, &purses).bid,
            Self::Mixed(mixed) => mixed.bid(player, node, &purses),
        }
    }

    /// Whom a player who may choose lets win a tied bid.
    pub(super) fn tie_winner(&self, player: Player, node: NodeId, purses: Purses, bid: u64) -> Player {
        match self {
            Self::Wins(strategies) => strategies.turn(player, node, purses).tie_winner(bid),
            Self::Scores(solved) => solved.tie_winner(player, node, &purses, bid),
            Self::Mixed(mixed) => {
                all_pay::preferred_winner(&mixed.solved, mixed.graph, mixed.rules, node, &purses, (player, bid))
            }
        }
    }

    /// Who wins a tied bid by the fair coin.
    pub(super) fn coin(&mut self) -> Player {
        match self {
            Self::Wins(_) | Self::Scores(_) => unreachable!("under a coin only mixed bids are optimal"),
            Self::Mixed(mixed) => Player::BOTH[usize::from(mixed.dice.fraction() < 0.5)],
        }
    }

    /// Whom a player who has won the bid lets move.
    pub(super) fn mover(&self, player: Player, node: NodeId, purses: Purses, after: &Purses) -> Player {
        match self {
            Self::Wins(strategies) => strategies.turn(player, node, purses).mover(after),
            Self::Scores(solved) => solved.mover(player, node, after),
            Self::Mixed(mixed) => all_pay::choice(&mixed.solved, mixed.graph, mixed.rules, node, after, player).mover,
        }
    }

    /// Where a player who is to move goes.
    pub(super) fn destination(&self, player: Player, node: NodeId, purses: Purses, after: &Purses) -> Option<NodeId> {
        match self {
            Self::Wins(strategies) => strategies.turn(player, node, purses).destination(after),
            Self::Scores(solved) => solved.destination(player, node, after),
            Self::Mixed(mixed) => Some(all_pay::destination(&mixed.solved, mixed.graph, node, after, player)),
        }
    }
}

impl Mixed<'_> {
    fn bid(&mut self, player: Player, node: NodeId, purses: &Purses) -> u64 {
        let weights: Vec<f64> = match self.solved.equilibrium(self.graph, self.rules, node, purses) {
            Found::Exact(found) => {
                found.strategies[player].iter().map(|weight| weight.to_f64().unwrap_or(0.0)).collect()
            }
            Found::Certified(found) => found.strategies[player].clone(),
        };
        self.dice.draw(&weights)
    }
}

/// Chance that a seed fixes: splitmix64 (Steele, Lea & Flood, 2014). The same match can be played again.
pub(super) struct Dice(SplitMix64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// From 0 up to 1, exclusive.
    pub(super) fn fraction(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below another one.
    pub(super) fn below(&mut self, most: u64) -> u64 {
        ((self.fraction() * most as f64) as u64).min(most - 1)
    }

    /// An index, each with its weight.
    fn draw(&mut self, weights: &[f64]) -> u64 {
        let mut left = self.fraction() * weights.iter().sum::<f64>();
        let mut last = 0;
        for (index, &weight) in (0..).zip(weights).filter(|(_, weight)| **weight > 0.0) {
            if left < weight {
                return index;
            }
            left -= weight;
            last = index;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bids_are_drawn_with_their_weights_and_repeat_with_the_seed() {
        let weights = [0.5, 0.0, 0.25, 0.25];
        let drawn = |seed| {
            let mut dice = Dice::new(seed);
            (0..4000).map(|_| dice.draw(&weights)).collect::<Vec<u64>>()
        };
        let count = |bid| drawn(7).into_iter().filter(|drawn| *drawn == bid).count();
        assert_eq!(count(1), 0);
        assert!((1850..2150).contains(&count(0)) && (880..1120).contains(&count(2)), "{} {}", count(0), count(2));
        assert_eq!(drawn(3), drawn(3));
        assert_ne!(drawn(3), drawn(4));
    }
}
