//! Advice for play with money, to a player who has more than the threshold: how much to bid, and
//! what to do with a bid that is won.
//!
//! A share above the threshold wins only if it is not held for ever in a circle of moves that are
//! all as good. As in [`certify`](super::certify), an edge *gets on* if it leads to another
//! threshold or to a lesser rank; a vertex has a rank if the player has such an edge among the best
//! ones, or the opponent has edges and all of them do. Wherever the threshold can be kept and the
//! play won, there is one.
//!
//! How much is bid is said in [`bid`].

mod bid;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::VecDeque;

use num_rational::BigRational;

use super::richman::taxman::{Penniless, PlayerAim, Shares};
use crate::game::{GameGraph, NodeId};
use crate::player::Player;

/// How far each vertex is from another threshold, for one player.
#[derive(Debug)]
pub struct Onward<'a> {
    graph: &'a GameGraph,
    shares: &'a Shares,
    player: Player,
    aim: PlayerAim,
    ranks: Vec<usize>,
    /// The number of its component for each vertex on a cycle.
    cycles: Vec<Option<u32>>,
    /// How many bids have to be won in a row, at most, until play leaves the cycles around a
    /// vertex; `None` where that is not known.
    wins: Vec<Option<u32>>,
    /// How much a bid that is lost makes up for one that is won, at least; see [`bid`].
    gain: BigRational,
    penniless: Penniless,
}

/// What a player does who decides who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveOrLet {
    /// Goes there.
    Move(NodeId),
    /// Lets the opponent move.
    Let,
}

impl<'a> Onward<'a> {
    /// Ranks all vertices for a player who has enough for this aim, by thresholds for it.
    pub fn new(graph: &'a GameGraph, shares: &'a Shares, player: Player, aim: PlayerAim) -> Self {
        let mut cycles = vec![None; graph.len()];
        for (number, (vertices, cyclic)) in (0..).zip(graph.components().iter()) {
            for node in vertices.iter().filter(|_| cyclic) {
                cycles[node.index()] = Some(number);
            }
        }
        let mut onward = Self {
            graph,
            shares,
            player,
            aim,
            ranks: vec![usize::MAX; graph.len()],
            cycles,
            wins: Vec::new(),
            gain: BigRational::default(),
            penniless: Penniless::new(graph, player, aim),
        };
        onward.rank();
        onward.wins = onward.wins_in_a_row();
        onward.gain = onward.least_gain();
        onward
    }

    /// Whom the advice is for.
    pub fn player(&self) -> Player {
        self.player
    }

    /// What the player does after winning a bid; nothing where the game is over.
    pub fn step(&self, node: NodeId) -> Option<MoveOrLet> {
        let other = self.shares.best(self.graph, node, self.player.other());
        let Some(own) = self.best(node) else {
            return other.map(|_| MoveOrLet::Let);
        };
        let Some(other) = other else {
            return Some(MoveOrLet::Move(own));
        };
        let order = match self.player {
            Player::Alice => self.shares.compare(own, other),
            Player::Bob => self.shares.compare(other, own),
        };
        let gets_on = |head: NodeId| self.gets_on(node, head);
        let others = self.graph.successors(node, self.player.other());
        let lets = match order {
            Ordering::Less => false,
            Ordering::Equal => !gets_on(own) && others.iter().all(|head| gets_on(*head)),
            Ordering::Greater => true,
        };
        Some(if lets {
            MoveOrLet::Let
        } else {
            MoveOrLet::Move(own)
        })
    }

    /// The best move at a vertex, of those the one that gets on soonest; `None` where the player
    /// has none.
    pub fn best(&self, node: NodeId) -> Option<NodeId> {
        let best = self.shares.best(self.graph, node, self.player)?;
        let heads = self.graph.successors(node, self.player).iter().copied();
        heads
            .filter(|head| self.alike(best, *head))
            .min_by_key(|head| self.distance(node, *head))
    }

    fn alike(&self, a: NodeId, b: NodeId) -> bool {
        self.shares.compare(a, b).is_eq()
    }

    fn gets_on(&self, node: NodeId, head: NodeId) -> bool {
        !self.alike(node, head) || self.ranks[head.index()] < self.ranks[node.index()]
    }
    fn distance(&self, node: NodeId, head: NodeId) -> usize {
        if self.alike(node, head) {
            self.ranks[head.index()]
        } else {
            0
        }
    }

    fn rank(&mut self) {
        let graph = self.graph;
        let mut tails: Vec<Vec<(NodeId, Player)>> = vec![Vec::new(); graph.len()];
        let mut bests = Vec::with_capacity(graph.len());
        // The opponent's edges that do not get on yet.
        let mut held = vec![0; graph.len()];
        let mut found = VecDeque::new();
        for node in graph.nodes() {
            let best = self.shares.best(graph, node, self.player);
            bests.push(best);
            let mut leaves = graph.ending(node).is_some();
            for owner in Player::BOTH {
                for &head in graph.successors(node, owner) {
                    if self.alike(node, head) {
                        tails[head.index()].push((node, owner));
                        held[node.index()] += usize::from(owner != self.player);
                    } else {
                        leaves |=
                            owner == self.player && best.is_some_and(|best| self.alike(best, head));
                    }
                }
            }
            let others = graph.successors(node, self.player.other());
            if leaves || !others.is_empty() && held[node.index()] == 0 {
                found.push_back(node);
            }
        }
        let mut rank = 0;
        while let Some(head) = found.pop_front() {
            if self.ranks[head.index()] != usize::MAX {
                continue;
            }
            self.ranks[head.index()] = rank;
            rank += 1;
            for &(tail, owner) in &tails[head.index()] {
                let gets_on = if owner == self.player {
                    bests[tail.index()].is_some_and(|best| self.alike(best, head))
                } else {
                    held[tail.index()] -= 1;
                    held[tail.index()] == 0
                };
                if gets_on {
                    found.push_back(tail);
                }
            }
        }
    }
}
