//! One strongly connected component with the vertices outside it that its edges lead to, numbered
//! from 0.

use std::sync::OnceLock;

use super::Coin;
use crate::convert::fit;
use crate::game::{GameGraph, NodeId};
use crate::parallel;
use crate::player::{PerPlayer, Player};
use crate::space::worklist::IncomingEdges;

/// A component. Its vertices are 0 … n - 1; its exits, whose values are known, are n … n + e - 1.
/// The number n + e, which is no vertex, stands for play without end.
#[derive(Debug)]
pub(super) struct Arena {
    /// The number of vertices of the component.
    pub(super) len: usize,
    /// The vertices, then the exits, as nodes of the graph.
    nodes: Vec<NodeId>,
    edges: PerPlayer<ArenaAdjacency>,
    /// Each player's edges by their heads, once they have been asked for.
    incoming: OnceLock<PerPlayer<IncomingEdges>>,
    /// The probability with which each player moves, where both can.
    pub(super) coin: Coin,
}

#[derive(Debug, Default)]
struct ArenaAdjacency {
    starts: Vec<u32>,
    heads: Vec<u32>,
}

/// A choice of edge for each vertex where the player has any, given by its head.
pub(super) type ArenaStrategies = PerPlayer<Vec<Option<u32>>>;

/// The number of each graph vertex in the current arena. The buffer is reused from one arena to the
/// next.
pub(super) struct ArenaNumbering(Vec<u32>);

const ABSENT: u32 = u32::MAX;

impl ArenaNumbering {
    pub(super) fn new(graph: &GameGraph) -> Self {
        Self(vec![ABSENT; graph.len()])
    }
}

impl Arena {
    pub(super) fn new(
        graph: &GameGraph,
        component: &[NodeId],
        ArenaNumbering(numbers): &mut ArenaNumbering,
    ) -> Self {
        let mut nodes = component.to_vec();
        for (number, node) in nodes.iter().enumerate() {
            numbers[node.index()] = fit::<u32>(number);
        }
        let edges = PerPlayer::new(Player::Alice, Player::Bob).map(|player| {
            let mut rows = ArenaAdjacency {
                starts: vec![0],
                heads: Vec::new(),
            };
            for &node in component {
                for &head in graph.successors(node, player) {
                    let number = &mut numbers[head.index()];
                    // An exit gets its number with the first edge that leads to it, and both
                    // players share it.
                    if *number == ABSENT {
                        *number = fit::<u32>(nodes.len());
                        nodes.push(head);
                    }
                    rows.heads.push(*number);
                }
                rows.starts
                    .push(u32::try_from(rows.heads.len()).expect("fewer than 2^32 edges"));
            }
            rows
        });
        // Only the entries in use are reset: clearing all of them for each component would be
        // quadratic.
        nodes.iter().for_each(|node| numbers[node.index()] = ABSENT);
        Self {
            len: component.len(),
            nodes,
            edges,
            incoming: OnceLock::new(),
            coin: Coin::default(),
        }
    }

    /// Returns the vertices of the component in the graph.
    pub(super) fn vertices(&self) -> &[NodeId] {
        &self.nodes[..self.len]
    }

    /// Returns the exits in the graph.
    pub(super) fn exits(&self) -> &[NodeId] {
        &self.nodes[self.len..]
    }

    /// Returns the number that stands for play without end.
    pub(super) fn forever(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the successors to which a player can move from a vertex.
    pub(super) fn heads(&self, vertex: usize, player: Player) -> &[u32] {
        let rows = &self.edges[player];
        &rows.heads[rows.starts[vertex] as usize..rows.starts[vertex + 1] as usize]
    }

    /// Returns the vertices from which a player can move to a vertex.
    pub(super) fn tails(&self, head: u32, player: Player) -> &[u32] {
        let by_head = |player| {
            let of = |tail| {
                let heads = self.heads(tail, player).iter();
                heads.map(move |head| (*head, fit::<u32>(tail)))
            };
            IncomingEdges::new(self.forever(), (0..self.len).flat_map(of))
        };
        let incoming = self.incoming.get_or_init(|| self.for_both(by_head));
        incoming[player].tails_of(head as usize)
    }

    /// Computes something for each player, in parallel if that is worth the change of threads.
    pub(super) fn for_both<A: Send>(&self, work: impl Fn(Player) -> A + Sync) -> PerPlayer<A> {
        const LARGE: usize = 10_000;
        let work = &work;
        let [alice, bob] = Player::both(|player| move || work(player));
        if self.len < LARGE {
            return PerPlayer::new(alice(), bob());
        }
        let (alice, bob) = parallel::join(alice, bob);
        PerPlayer::new(alice, bob)
    }

    /// Returns the only pair of strategies if each vertex has one move of each player at most, or
    /// the same two moves of both and the coin is fair; otherwise returns `None`.
    ///
    /// Of two common moves it makes no difference to the walk which player takes which. Its values
    /// are those of best play (S. Arun, Theorem 2.5): one result of each toss brings a player who
    /// wants to leave a cycle closer to another value, whatever the opponent does.
    pub(super) fn only_strategies(&self) -> Option<ArenaStrategies> {
        let mut strategies = PerPlayer::new(Vec::new(), Vec::new());
        for vertex in 0..self.len {
            let [alice, bob] = Player::both(|player| self.heads(vertex, player));
            if !has_one_walk(alice, bob) || (alice.len() > 1 && !self.coin.is_fair()) {
                return None;
            }
            strategies.alice.push(alice.first().copied());
            strategies.bob.push(bob.last().copied());
        }
        Some(strategies)
    }
}

/// Returns whether each player has one move at most, or both have the same two, of which best play
/// gives one to each.
pub(super) fn has_one_walk<T: PartialEq>(alice: &[T], bob: &[T]) -> bool {
    alice.len().max(bob.len()) < 2 || (alice.len() == 2 && alice == bob)
}
