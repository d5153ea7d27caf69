//! Optimal play with chips: the amount to bid, the use of the advantage, the choice of the mover,
//! and the move.
//!
//! A state is a vertex with the purses of both players. In a state that a player has won, some bid
//! leads, whatever the opponent bids and however both choose afterwards, to states that the player
//! has won too; in a state where the opponent's win can be prevented, some bid leads to such states
//! again. Against a bid x only few replies matter, since a higher winning bid of the opponent's
//! only pays the player more: 0, x and x + 1. At the least good bid one of these replies stops
//! being a refutation, so few bids need to be tried.
//!
//! Staying in won states is not enough for a win, since a player could stay in them for ever on a
//! cycle. The least fixed point finds the won states one after the other, each because of states
//! found before it; a strategy that only moves to states found *before* ends the game.
//! [`Strategies::progress`] is that order. For a player who only has to prevent a win, staying is
//! enough.

mod advice;
mod turn;

pub use advice::{Advice, WinnerChoice};
pub use turn::{Promise, Turn};

use super::chips::{Outcomes, Thresholds, outcome};
use super::{Graphless, Numbered};
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::{Outcome, PerPlayer, Player};
use crate::rules::{Purses, Rules, admit};
use crate::watch::Context;
use std::sync::Arc;

/// Both players' optimal strategies for one total of chips.
#[derive(Debug, Clone)]
pub struct Strategies<'a> {
    graph: &'a GameGraph,
    rules: &'a Rules,
    total: u64,
    thresholds: Arc<PerPlayer<Thresholds>>,
    /// The index of each vertex's component, successors first.
    components: Arc<[u32]>,
}

/// The solution of [`Strategies`], without the graph and the rules that it was computed for.
#[derive(Debug, Clone)]
pub struct Solution {
    total: u64,
    thresholds: Arc<PerPlayer<Thresholds>>,
    components: Arc<[u32]>,
}

impl Solution {
    /// Combines the solution with its graph and rules.
    pub fn on<'a>(&self, graph: &'a GameGraph, rules: &'a Rules) -> Strategies<'a> {
        let (thresholds, components) = (Arc::clone(&self.thresholds), Arc::clone(&self.components));
        Strategies {
            graph,
            rules,
            total: self.total,
            thresholds,
            components,
        }
    }
}

impl<'a> Strategies<'a> {
    /// Solves a graph for both players with this many chips in all.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn solve(
        graph: &'a GameGraph,
        rules: &'a Rules,
        total: u64,
        context: &Context<'_>,
    ) -> Result<Self> {
        admit::plain_marker(rules, "strategies")?;
        let solve = |seeker| Thresholds::solve_recording(graph, rules, seeker, total, context);
        let thresholds = Arc::new(PerPlayer::new(solve(Player::Alice)?, solve(Player::Bob)?));
        let mut components = vec![0; graph.len()];
        for (place, (members, _)) in (0..).zip(graph.components().iter()) {
            for &node in members {
                components[node.index()] = place;
            }
        }
        Ok(Self {
            graph,
            rules,
            total,
            thresholds,
            components: components.into(),
        })
    }

    /// Solves for a vertex whose successors are known, but not the positions beyond them: the
    /// vertices of the graph are these positions of a numbered ruleset, which has no cycles. The
    /// strategies can only be asked about the first vertex. Returns `None` if this method does not
    /// apply.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn solve_numbered(
        graph: &'a GameGraph,
        positions: Numbered<'_>,
        rules: &'a Rules,
        total: u64,
        context: &Context<'_>,
    ) -> Result<Option<Self>> {
        admit::plain_marker(rules, "strategies")?;
        let solved =
            Outcomes::solve_graphless(Graphless::Numbered(positions), rules, &[total], context)?;
        let components = (0..graph.len() as u32).rev().collect();
        let strategies = |solved: Outcomes| Self {
            graph,
            rules,
            total,
            thresholds: Arc::new(solved.thresholds),
            components,
        };
        Ok(solved.map(strategies))
    }

    /// Returns the solution without the graph and the rules.
    pub fn solution(&self) -> Solution {
        let (thresholds, components) = (Arc::clone(&self.thresholds), Arc::clone(&self.components));
        Solution {
            total: self.total,
            thresholds,
            components,
        }
    }

    /// Returns the total of chips.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the outcome with these purses, which must contain the total and fit the rules.
    pub fn outcome(&self, node: NodeId, purses: &Purses) -> Outcome {
        outcome(&self.thresholds, node, purses, 0)
    }

    /// Returns a player's decisions at a vertex that is no ending, with these purses before the
    /// bid.
    pub fn turn(&self, player: Player, node: NodeId, purses: Purses) -> Turn<'_> {
        Turn::new(self, player, node, purses)
    }

    /// Returns a player's optimal bid, with the decisions after it.
    pub fn advice(&self, player: Player, node: NodeId, purses: Purses) -> Advice {
        Advice::of(&self.turn(player, node, purses))
    }

    /// Returns the distance of a won state from the end, as a pair that every turn of the winner's
    /// strategy lowers, in lexicographic order; `None` if the player does not win, or wins by
    /// keeping the opponent from winning (`draws: alice` and `draws: bob`).
    pub fn progress(&self, player: Player, node: NodeId, purses: &Purses) -> Option<(u32, u64)> {
        if !self.thresholds[player].is_forced(node, purses, 0) || self.rules.draws.favours(player) {
            return None;
        }
        Some((
            self.components[node.index()],
            self.found(player, node, purses).unwrap_or(0),
        ))
    }

    /// Returns the time at which the state was found to be won inside its cyclic component.
    fn found(&self, player: Player, node: NodeId, purses: &Purses) -> Option<u64> {
        let thresholds = &self.thresholds[player];
        let falls = thresholds.falls(node).iter();
        falls
            .filter(|(_, raw)| thresholds.reached(*raw, purses, 0))
            .map(|&(stamp, _)| stamp)
            .next()
    }
}
