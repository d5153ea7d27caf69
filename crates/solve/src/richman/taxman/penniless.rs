//! Positions at which a player without any money reaches an aim all the same.

use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, Player};
use crate::space::worklist::IncomingEdges;

/// The aim of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerAim {
    /// To win.
    Win,
    /// Not to lose; play without end is enough.
    NoLoss,
}

/// The vertices from which a player who never wins a bid reaches an aim, whatever the opponent
/// does, who decides at each bid who moves.
#[derive(Debug)]
pub struct Penniless {
    /// For each of these vertices, the greatest number of moves until the game is won, or 0 if the
    /// aim is not to lose; `u32::MAX` for the others.
    ranks: Vec<u32>,
}

impl Penniless {
    /// Finds the vertices.
    pub fn new(graph: &GameGraph, player: Player, aim: PlayerAim) -> Self {
        let ended = |ending: Ending| match aim {
            PlayerAim::Win => ending == Ending::Win(player),
            PlayerAim::NoLoss => ending != Ending::Win(player.other()),
        };
        // The set is the least one that is closed under these rules, or for the aim not to lose the
        // greatest.
        let is_greatest = aim == PlayerAim::NoLoss;
        let first = if is_greatest { 0 } else { Self::NOT_ENOUGH };
        let rank = |is_enough: bool, rank: u32| if is_enough { rank } else { Self::NOT_ENOUGH };
        let ranks = graph.nodes().map(|node| {
            let ending = graph.ending(node);
            ending.map_or(first, |ending| rank(ended(ending), 0))
        });
        let mut found = Self {
            ranks: ranks.collect(),
        };
        let holds = |found: &Self, node: NodeId| {
            let [own, other] =
                [player, player.other()].map(|player| graph.successors(node, player));
            let is_enough = |head: &NodeId| found.is_enough(*head);
            // The opponent may let the penniless player move as well as move, so both have to be
            // enough.
            (own.is_empty() || own.iter().any(is_enough)) && other.iter().all(is_enough)
        };
        let mut left: Vec<NodeId> = graph.nodes().collect();
        let edges = IncomingEdges::within(graph, &left);
        // Each round looks at the vertices with a move to one that the last round has changed.
        for round in 1.. {
            left.retain(|&node| {
                let is_open = graph.ending(node).is_none() && found.ranks[node.index()] == first;
                is_open && holds(&found, node) != is_greatest
            });
            if left.is_empty() {
                break;
            }
            for node in &left {
                found.ranks[node.index()] = rank(!is_greatest, round);
            }
            left = left
                .iter()
                .flat_map(|node| edges.tails_of(node.index()))
                .map(|&tail| NodeId::new(tail as usize))
                .collect();
            left.sort_unstable();
            left.dedup();
        }
        found
    }

    /// The rank of the vertices at which the player needs money.
    const NOT_ENOUGH: u32 = u32::MAX;

    /// Returns whether a move is one by which a player who needs no money reaches the aim.
    pub fn keeps(&self, node: NodeId, head: NodeId) -> bool {
        let [here, there] = [node, head].map(|node| self.ranks[node.index()]);
        there == 0 || there < here
    }

    /// Returns whether the player needs no money at a vertex.
    pub fn is_enough(&self, node: NodeId) -> bool {
        self.ranks[node.index()] != Self::NOT_ENOUGH
    }
}
