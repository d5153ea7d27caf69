//! Stable play: moves that are optimal for real-valued bidding.

use std::cmp::Ordering;

use crate::chips::Movers;
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::richman;
use crate::rules::{Rules, Winner};

/// Play in which one player is restricted to stable decisions: whoever decides who moves, the
/// position to which this player leads has the best Richman value (Develin & Payne 2010, Definition
/// 3.9; the proofs of Theorems 3.13 and 3.14 need, and the definition intends, that a stable player
/// also lets the right player move in zugzwang).
pub(super) struct Stable<'a> {
    graph: &'a GameGraph,
    values: &'a richman::Values,
    player: Player,
}

impl<'a> Stable<'a> {
    pub(super) fn new(graph: &'a GameGraph, values: &'a richman::Values, player: Player) -> Self {
        Self {
            graph,
            values,
            player,
        }
    }

    /// Returns the remaining moves of a player.
    pub(super) fn moves(&self, node: NodeId, player: Player) -> Vec<NodeId> {
        let all = self.graph.successors(node, player);
        match self.values.best(self.graph, node, player) {
            // All moves of the best value remain, since stable play may choose any of them.
            Some(best) if player == self.player => all
                .iter()
                .copied()
                .filter(|&head| self.values.compare(head, best).is_eq())
                .collect(),
            _ => all.to_vec(),
        }
    }

    /// Returns the players that the winner of a bid may let move, from the seeker's point of view.
    pub(super) fn movers(&self, node: NodeId, seeker: Player, rules: &Rules) -> Movers {
        let [alice, bob] = Player::both(|player| self.values.best(self.graph, node, player));
        let (Some(alice), Some(bob), Winner::Chooses) = (alice, bob, rules.winner) else {
            return rules.winner.into();
        };
        match (self.values.compare(alice, bob), self.player == seeker) {
            // A smaller Richman value is better for Alice, so here each player wants to move.
            (Ordering::Less, true) => Movers::SeekerMoves,
            (Ordering::Less, false) => Movers::OpponentMoves,
            // In zugzwang the stable player lets the other one move.
            (Ordering::Greater, true) => Movers::SeekerLets,
            (Ordering::Greater, false) => Movers::OpponentLets,
            (Ordering::Equal, _) => Movers::Chosen,
        }
    }
}
