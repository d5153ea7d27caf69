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
//! [`Strategies::progress`] is that order. It is found in rounds, so that it does not depend on the
//! numbers of the vertices: pieces of advice can be mixed that were asked for in several sessions.
//! For a player who only has to prevent a win, staying is enough.
//!
//! Under an objective of infinite play the order is that of nested fixed points. From a vertex that
//! is bad to visit again and again the strategy moves to states found before; from a good one also
//! to those found together with it. So of all vertices that play visits again and again the one of
//! the highest level is good, and position and chips are all that the strategy has to know. Then
//! preventing a win is a goal of the same kind, with an order of its own.
//!
//! Under an objective of weights a strategy moves so that the credit that is needed fits the one
//! that is there. See `chips::sums`.

mod turn;

pub use turn::{Promise, Turn};

use crate::chips::{Outcomes, Sums, Thresholds, outcome};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::{GameGraph, MarkedGraph, NodeId};
use crate::player::{Outcome, PerPlayer, Player};
use crate::positions::{Graphless, Numbered};
use crate::rules::{Purses, Rules, admit};
use crate::watch::Context;
use std::sync::Arc;

/// Both players' optimal strategies for one total of chips.
#[derive(Debug, Clone)]
pub struct Strategies<'a> {
    graph: &'a GameGraph,
    rules: &'a Rules,
    solution: Solution,
}

/// The solution of [`Strategies`], without the graph and the rules that it was computed for.
#[derive(Debug, Clone)]
pub struct Solution {
    total: u64,
    thresholds: Arc<PerPlayer<Thresholds>>,
    /// For an objective of infinite play, the thresholds from which each player prevents the
    /// opponent's win; without one they are the complement of the opponent's thresholds.
    kept_off: Option<Arc<PerPlayer<Thresholds>>>,
    /// For an objective of weights, the sums by which these thresholds are reached.
    sums: Option<Arc<PerPlayer<PromisedSums>>>,
    /// The index of each vertex's component, successors first.
    components: Arc<[u32]>,
}

/// The sums by which a player keeps each promise.
#[derive(Debug, Clone)]
struct PromisedSums {
    win: Sums,
    draw: Sums,
}

impl Solution {
    /// Combines the solution with its graph and rules.
    pub fn on<'a>(&self, graph: &'a GameGraph, rules: &'a Rules) -> Strategies<'a> {
        Strategies {
            graph,
            rules,
            solution: self.clone(),
        }
    }
}

impl<'a> Strategies<'a> {
    /// Solves a graph for both players with this many chips in all.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn solve(
        game: impl Into<MarkedGraph<'a>>,
        rules: &'a Rules,
        total: u64,
        context: &Context<'_>,
    ) -> Result<Self> {
        admit::plain_marker(rules, "strategies")?;
        let game = game.into();
        let solve = |drawn: &dyn Fn(Player) -> bool| -> Result<_> {
            let [alice, bob] = Player::both(|seeker| {
                let drawn = drawn(seeker);
                Thresholds::solve_recording(game, rules, seeker, drawn, total, context)
            });
            Ok(Arc::new(PerPlayer::new(alice?, bob?)))
        };
        let thresholds = solve(&|seeker| rules.draws.favours(seeker))?;
        let keeping_off = |seeker: Player| !rules.draws.favours(seeker.other());
        // Under such an objective preventing a win is a goal with an order of its own; without one,
        // staying in states that the opponent has not won is enough.
        let kept_off = game.goals.map(|_| solve(&keeping_off)).transpose()?;
        let favoured = |seeker: Player| rules.draws.favours(seeker);
        let promised = |player: Player| -> Result<Option<PromisedSums>> {
            let Some(kept_off) = &kept_off else {
                return Ok(None);
            };
            let win = thresholds[player].sums(game, rules, favoured(player), context)?;
            let draw = kept_off[player].sums(game, rules, keeping_off(player), context)?;
            Ok(win.zip(draw).map(|(win, draw)| PromisedSums { win, draw }))
        };
        let [alice, bob] = Player::both(promised);
        let sums = alice?
            .zip(bob?)
            .map(|(alice, bob)| Arc::new(PerPlayer::new(alice, bob)));
        let graph = game.graph;
        let solution = Solution {
            total,
            thresholds,
            kept_off,
            sums,
            components: graph.components().numbers().into(),
        };
        Ok(solution.on(graph, rules))
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
        // There are no cycles, so each vertex is a component of its own, and the first one comes
        // last.
        let components = (0..fit::<u32>(graph.len())).rev().collect();
        let solution = |solved: Outcomes| Solution {
            total,
            thresholds: Arc::new(solved.thresholds),
            kept_off: None,
            sums: None,
            components,
        };
        Ok(solved.map(|solved| solution(solved).on(graph, rules)))
    }

    /// Returns the solution without the graph and the rules.
    pub fn solution(&self) -> Solution {
        self.solution.clone()
    }

    /// Returns the total of chips.
    pub fn total(&self) -> u64 {
        self.solution.total
    }

    /// Returns the outcome with these purses, which must contain the total and fit the rules.
    pub fn outcome(&self, node: NodeId, purses: &Purses) -> Outcome {
        outcome(&self.solution.thresholds, node, purses, 0)
    }

    /// Returns a player's decisions at a vertex that is no ending, with these purses before the
    /// bid.
    pub fn turn(&self, player: Player, node: NodeId, purses: Purses) -> Turn<'_> {
        Turn::new(self, player, node, purses)
    }

    /// Returns the distance of a won state from the end, as a pair that every turn of the winner's
    /// strategy lowers, in lexicographic order; `None` if the player does not win, or wins by play
    /// that need not end (`draws: alice`, `draws: bob`, and objectives of infinite play).
    pub fn progress(&self, player: Player, node: NodeId, purses: &Purses) -> Option<(u32, u64)> {
        let ends = self.solution.kept_off.is_none() && !self.rules.draws.favours(player);
        let thresholds = &self.solution.thresholds[player];
        // Only a win by play that ends is a least fixed point, whose states are found at a time.
        if !ends || !thresholds.is_forced(node, purses, 0) {
            return None;
        }
        Some((
            self.solution.components[node.index()],
            found(thresholds, node, purses).unwrap_or(0),
        ))
    }
}

/// Returns the time before which the states were found because of which a state of a cyclic
/// component is won.
fn found(thresholds: &Thresholds, node: NodeId, purses: &Purses) -> Option<u64> {
    let mut falls = thresholds.falls(node).iter();
    falls
        // The thresholds fall with time, so the first fall that is enough is the earliest time.
        .find(|fall| thresholds.reached(fall.raw, purses, 0))
        .map(|fall| fall.until)
}
