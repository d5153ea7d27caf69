//! Stable play: moves that are optimal for real-valued bidding.

use std::cmp::Ordering;

use crate::chips::Movers;
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::richman;
use crate::rules::{Rules, Winner};

/// Play in which one player is kept to stable decisions: whoever decides who moves, the position
/// that this player leads to has the best Richman value (Develin & Payne 2010, Definition 3.9; that
/// a stable player also lets the right player move in zugzwang is what the proofs of Theorems 3.13
/// and 3.14 need, and is meant).
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

    /// The moves that are left to a player.
    pub(super) fn moves(&self, node: NodeId, player: Player) -> Vec<NodeId> {
        let all = self.graph.successors(node, player);
        match self.values.best(self.graph, node, player) {
            Some(best) if player == self.player => all
                .iter()
                .copied()
                .filter(|&head| self.values.compare(head, best).is_eq())
                .collect(),
            _ => all.to_vec(),
        }
    }

    /// Whom the winner of a bid may let move, as the seeker sees it.
    pub(super) fn movers(&self, node: NodeId, seeker: Player, rules: &Rules) -> Movers {
        let [alice, bob] = Player::BOTH.map(|player| self.values.best(self.graph, node, player));
        let (Some(alice), Some(bob), Winner::Chooses) = (alice, bob, rules.winner) else {
            return rules.winner.into();
        };
        match (self.values.compare(alice, bob), self.player == seeker) {
            (Ordering::Less, true) => Movers::SeekerMoves,
            (Ordering::Less, false) => Movers::OpponentMoves,
            (Ordering::Greater, true) => Movers::SeekerLets,
            (Ordering::Greater, false) => Movers::OpponentLets,
            (Ordering::Equal, _) => Movers::Chosen,
        }
    }
}
