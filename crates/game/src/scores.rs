//! Scores beside a frozen graph (Larsson, Patel & Rai 2020, section 2): the amounts that each move
//! and each ending add.
//!
//! The score of a play is the sum of the weights of its moves and of its ending, positive for
//! Alice. A win says nothing about scores, so a scored graph has no wins: all its endings are draws
//! with a score. Of several moves of a player from one vertex to another only the best for that
//! player is kept, since no other is ever worth making.

use std::collections::HashMap;

use num_integer::Integer;
use num_rational::Rational64;
use num_traits::Zero;

use super::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};

/// The amount that a move or an ending adds to the score, positive for Alice.
pub type Score = Rational64;

/// The scores of a [`GameGraph`]: integers in units of one common denominator, in the order of its
/// edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scores {
    denominator: i64,
    edges: PerPlayer<Vec<i64>>,
    endings: Vec<i64>,
}

impl Scores {
    /// Returns the common denominator: the number of units in a score of 1.
    pub fn denominator(&self) -> i64 {
        self.denominator
    }

    /// Returns the amounts that a player's moves from a vertex add, in the order of
    /// [`GameGraph::successors`].
    pub fn weights(&self, graph: &GameGraph, node: NodeId, player: Player) -> &[i64] {
        &self.edges[player][graph.edge_range(node, player)]
    }

    /// Returns the amount that the game's ending at this vertex adds; 0 where it has not ended.
    pub fn ending(&self, node: NodeId) -> i64 {
        self.endings[node.index()]
    }

    /// Converts a number of units to a score.
    pub fn score(&self, units: i64) -> Score {
        Score::new(units, self.denominator)
    }

    /// Iterates over the moves of a player from a vertex, each with the amount it adds.
    pub fn moves<'a>(
        &'a self,
        graph: &'a GameGraph,
        node: NodeId,
        player: Player,
    ) -> impl Iterator<Item = (NodeId, i64)> + 'a {
        let heads = graph.successors(node, player).iter().copied();
        heads.zip(self.weights(graph, node, player).iter().copied())
    }

    /// Returns the scores of the conjugate graph: the players are exchanged and every score changes
    /// its sign.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        let negated = |scores: &Vec<i64>| scores.iter().map(|score| -score).collect::<Vec<_>>();
        Self {
            denominator: self.denominator,
            // In the conjugate graph Alice has Bob's edges, in their order.
            edges: PerPlayer::new(negated(&self.edges.bob), negated(&self.edges.alice)),
            endings: negated(&self.endings),
        }
    }

    /// Returns a bound on the score of any play without a repeated position; `None` if it is too
    /// large to calculate with.
    pub fn bound(&self) -> Option<i64> {
        /// The greatest bound accepted, chosen so that sums of a few bounds still fit in 64 bits.
        const MOST: i64 = i64::MAX / 8;
        let edges = self.edges.alice.iter().chain(&self.edges.bob);
        let greatest = edges
            .chain(&self.endings)
            .map(|score| score.unsigned_abs())
            .max()
            .unwrap_or(0);
        // A play without a repeated position has fewer moves than there are vertices, and one
        // ending.
        let plies = i64::try_from(self.endings.len()).ok()?.checked_add(1)?;
        i64::try_from(greatest)
            .ok()?
            .checked_mul(plies)
            .filter(|bound| *bound <= MOST)
    }
}

/// Collects the scores of a graph's edges and endings; an edge or ending that is not mentioned adds
/// 0.
#[derive(Debug)]
pub struct ScoresBuilder<'a> {
    graph: &'a GameGraph,
    moves: PerPlayer<HashMap<(NodeId, NodeId), Score>>,
    endings: HashMap<NodeId, Score>,
}

impl<'a> ScoresBuilder<'a> {
    /// Creates a builder without scores.
    pub fn new(graph: &'a GameGraph) -> Self {
        Self {
            graph,
            moves: PerPlayer::default(),
            endings: HashMap::new(),
        }
    }

    /// Sets the amount that a player's move adds; of several moves between the same vertices it
    /// keeps the best for the player.
    pub fn weigh(&mut self, player: Player, tail: NodeId, head: NodeId, score: Score) {
        let kept = self.moves[player].entry((tail, head)).or_insert(score);
        *kept = better(player, *kept, score);
    }

    /// Sets the amount that an ending adds.
    pub fn end(&mut self, node: NodeId, score: Score) {
        self.endings.insert(node, score);
    }

    /// Freezes the scores; returns `None` if they are too large for 64 bits in units of their
    /// common denominator.
    pub fn finish(self) -> Option<Scores> {
        let moves = self.moves.alice.values().chain(self.moves.bob.values());
        let denominator = moves
            .chain(self.endings.values())
            .try_fold(1_i64, |common, score| {
                // Dividing before multiplying avoids an overflow where the multiple itself fits.
                let divisor = common.gcd(score.denom());
                common.checked_mul(score.denom() / divisor)
            })?;
        let units = |score: Score| score.numer().checked_mul(denominator / score.denom());
        let mut edges = PerPlayer::<Vec<i64>>::default();
        for player in Player::BOTH {
            // The graph's own order makes a vertex's weights a range with the same bounds as its
            // edges.
            for tail in self.graph.nodes() {
                for head in self.graph.successors(tail, player) {
                    let score = self.moves[player]
                        .get(&(tail, *head))
                        .copied()
                        .unwrap_or_else(Score::zero);
                    edges[player].push(units(score)?);
                }
            }
        }
        let endings = self
            .graph
            .nodes()
            .map(|node| self.endings.get(&node).copied().map_or(Some(0), units));
        Some(Scores {
            denominator,
            edges,
            endings: endings.collect::<Option<_>>()?,
        })
    }
}

/// Returns the one of two amounts that is better for a player; a greater one is better for Alice.
pub fn better<T: Ord>(player: Player, a: T, b: T) -> T {
    match player {
        Player::Alice => a.max(b),
        Player::Bob => a.min(b),
    }
}

/// Converts an amount that is good for the player to one that is good for Alice, or back.
pub fn for_alice<T: std::ops::Neg<Output = T>>(player: Player, score: T) -> T {
    match player {
        Player::Alice => score,
        Player::Bob => -score,
    }
}

/// Converts a rational to one in 64 bits; returns `None` if it does not fit.
pub fn narrow(score: &num_rational::BigRational) -> Option<Score> {
    let numerator = i64::try_from(score.numer())
        .ok()
        // The least integer has no negation in 64 bits, and scores change sign in conjugates.
        .filter(|numerator| *numerator != i64::MIN)?;
    Some(Score::new(numerator, i64::try_from(score.denom()).ok()?))
}
