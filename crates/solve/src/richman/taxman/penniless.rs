//! Positions at which a player without any money reaches an aim all the same.

use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, Player};

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
pub struct Penniless(Vec<bool>);

impl Penniless {
    /// Finds the vertices.
    pub fn new(graph: &GameGraph, player: Player, aim: PlayerAim) -> Self {
        let ended = |ending: Ending| match aim {
            PlayerAim::Win => ending == Ending::Win(player),
            PlayerAim::NoLoss => ending != Ending::Win(player.other()),
        };
        // The set is the least one that is closed under these rules, or for the aim not to lose the
        // greatest.
        let first = aim == PlayerAim::NoLoss;
        let mut enough: Vec<bool> = graph
            .nodes()
            .map(|node| graph.ending(node).map_or(first, ended))
            .collect();
        let holds = |enough: &[bool], node: NodeId| {
            let [own, other] =
                [player, player.other()].map(|player| graph.successors(node, player));
            let is_enough = |head: &NodeId| enough[head.index()];
            // The opponent may let the penniless player move as well as move, so both have to be
            // enough.
            (own.is_empty() || own.iter().any(is_enough)) && other.iter().all(is_enough)
        };
        loop {
            let mut changed = false;
            // Most edges lead to greater numbers, so that going backward needs few rounds.
            for node in graph.nodes().rev() {
                if graph.ending(node).is_none() && enough[node.index()] == first {
                    let now = holds(&enough, node);
                    changed |= now != first;
                    enough[node.index()] = now;
                }
            }
            if !changed {
                return Self(enough);
            }
        }
    }

    /// Returns whether the player needs no money at a vertex.
    pub fn is_enough(&self, node: NodeId) -> bool {
        self.0[node.index()]
    }
}
