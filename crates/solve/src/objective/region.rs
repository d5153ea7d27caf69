//! The vertices at which Alice wins a parity game of random turns with probability 1, and her edges
//! there.
//!
//! Such a player can bid as well: in these regions any share of the money is enough, under every
//! payment in which the winner of a bid pays. (With a share above the threshold of reaching a set,
//! which is 0 there, a player reaches it and still has money: again and again.) Elsewhere the
//! threshold is that of reaching the regions.
//!
//! The recursion is Zielonka's, with *positive* attractors: a vertex is attracted if one of the
//! player's edges leads on, or all of the opponent's do (a toss is won with positive probability).
//! The rest is a trap, which the opponent can keep, whatever the coins say. The induction is on the
//! priorities, with d the greatest. If d is good for the player: if the player is sure to win
//! wherever d cannot be reached, then the player is sure to win everywhere; otherwise the opponent
//! wins with positive probability from all vertices that lead to the others, which are removed. If
//! d is bad, then layers are removed in which the player is sure to win without ever seeing d; when
//! there are none, the opponent is sure to win the rest.

use super::sure::Region;
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, Player};

/// A set of vertices.
type Set = Vec<bool>;

/// Finds the vertices at which Alice is sure to win, given the priorities. Her goal is that the
/// greatest priority that occurs again and again is even.
pub(super) fn sure(graph: &GameGraph, priorities: &[u32]) -> Region {
    let ranked = |node: NodeId| match graph.ending(node) {
        // An ending goes on for ever with this priority, which is even for a win of Alice's.
        Some(Ending::Win(winner)) => u32::from(winner == Player::Bob),
        Some(Ending::Draw) => unreachable!("a game of tosses has no draws"),
        None => priorities[node.index()],
    };
    let edges = Edges::new(graph);
    let priorities = graph.nodes().map(ranked).collect();
    let mut regions = Regions {
        edges: &edges,
        priorities,
        policy: vec![None; graph.len()],
    };
    let sure = regions.sure(vec![true; graph.len()]);
    Region {
        sure,
        policy: regions.policy,
    }
}

/// A graph with its edges by their heads.
pub(super) struct Edges<'a> {
    pub(super) graph: &'a GameGraph,
    /// The tail and the owner of each edge to a vertex.
    tails: Vec<Vec<(NodeId, Player)>>,
}

impl<'a> Edges<'a> {
    pub(super) fn new(graph: &'a GameGraph) -> Self {
        let mut tails = vec![Vec::new(); graph.len()];
        for tail in graph.nodes() {
            for owner in Player::BOTH {
                for head in graph.successors(tail, owner) {
                    tails[head.index()].push((tail, owner));
                }
            }
        }
        Self { graph, tails }
    }

    /// Returns the vertices of a part of the graph from which a player reaches a set with positive
    /// probability, whatever the opponent does.
    pub(super) fn attractor(&self, part: &Set, player: Player, set: Set) -> Set {
        self.attract(part, player, set, |_, _| {})
    }

    /// Computes an attractor and calls `by` with the player's edges by which vertices are
    /// attracted.
    fn attract(
        &self,
        part: &Set,
        player: Player,
        mut set: Set,
        mut by: impl FnMut(NodeId, NodeId),
    ) -> Set {
        let others = |node: NodeId| {
            let heads = self.graph.successors(node, player.other()).iter();
            heads.filter(|head| part[head.index()]).count()
        };
        let mut left: Vec<Option<usize>> = vec![None; part.len()];
        let mut found: Vec<usize> = (0..set.len()).filter(|index| set[*index]).collect();
        while let Some(head) = found.pop() {
            for &(tail, owner) in self.tails[head]
                .iter()
                .filter(|(tail, _)| part[tail.index()])
            {
                let index = tail.index();
                // The opponent's edges are counted only at vertices that are met, because most are
                // not.
                let count = left[index].get_or_insert_with(|| others(tail));
                if owner != player {
                    *count -= 1;
                }
                if !set[index] && (owner == player || *count == 0) {
                    if owner == player {
                        by(tail, NodeId::new(head));
                    }
                    set[index] = true;
                    found.push(index);
                }
            }
        }
        set
    }
}

struct Regions<'a> {
    edges: &'a Edges<'a>,
    priorities: Vec<u32>,
    /// Alice's edges; the last assignment counts.
    policy: Vec<Option<NodeId>>,
}

impl Regions<'_> {
    /// Returns the vertices at which Alice is sure to win in a part of the graph that contains an
    /// edge of each of its vertices.
    fn sure(&mut self, mut part: Set) -> Set {
        while let Some(top) = self.greatest(&part) {
            // With a good priority on top Alice may stay with it or win in the rest.
            let lost = if top % 2 == 0 {
                let tops = self.with(&part, top);
                self.stay(&part, &tops);
                let rest = minus(&part, &self.attracted(&part, tops));
                let won = self.sure(rest.clone());
                minus(&rest, &won)
            } else {
                self.hopeless(&part, top)
            };
            if !lost.contains(&true) {
                break;
            }
            // From the attractor Bob wins with positive probability, so Alice is not sure there
            // either.
            part = minus(&part, &self.edges.attractor(&part, Player::Bob, lost));
        }
        part
    }

    /// Returns the vertices at which Bob is sure to win after all layers are removed in which Alice
    /// wins without the greatest priority, a bad one.
    fn hopeless(&mut self, part: &Set, top: u32) -> Set {
        let mut left = part.clone();
        while left.contains(&true) {
            let rest = minus(
                &left,
                &self
                    .edges
                    .attractor(&left, Player::Bob, self.with(&left, top)),
            );
            let won = self.sure(rest);
            if !won.contains(&true) {
                break;
            }
            left = minus(&left, &self.attracted(&left, won));
        }
        left
    }

    /// Returns Alice's attractor of a set and records her edges.
    fn attracted(&mut self, part: &Set, set: Set) -> Set {
        let Self { edges, policy, .. } = self;
        edges.attract(part, Player::Alice, set, |tail, head| {
            policy[tail.index()] = Some(head)
        })
    }

    /// Records for these vertices an edge of Alice's that does not leave the part; any such edge
    /// will do.
    fn stay(&mut self, part: &Set, set: &Set) {
        let graph = self.edges.graph;
        for node in graph.nodes().filter(|node| set[node.index()]) {
            let heads = graph.successors(node, Player::Alice).iter();
            self.policy[node.index()] = heads.copied().find(|head| part[head.index()]);
        }
    }

    fn greatest(&self, part: &Set) -> Option<u32> {
        part.iter()
            .zip(&self.priorities)
            .filter(|(member, _)| **member)
            .map(|(_, priority)| *priority)
            .max()
    }

    fn with(&self, part: &Set, priority: u32) -> Set {
        part.iter()
            .zip(&self.priorities)
            .map(|(member, own)| *member && *own == priority)
            .collect()
    }
}

pub(super) fn minus(set: &Set, other: &Set) -> Set {
    set.iter()
        .zip(other)
        .map(|(member, taken)| *member && !taken)
        .collect()
}
