//! Which of several moves that keep the threshold gets a player on, where play can go round.
//!
//! A share above the threshold wins only if it is not held for ever in a circle of moves that are
//! all as good. As in [`certify`](super::certify), an edge *gets on* if it leads to another
//! threshold or to a lesser rank; a vertex has a rank if the player has such an edge among the best
//! ones, or the opponent has edges and all of them do. Wherever the threshold can be kept and the
//! play won, there is one.

use std::collections::VecDeque;

use super::richman::taxman::Shares;
use crate::game::{GameGraph, NodeId};
use crate::player::Player;

/// How far each vertex is from another threshold, for one player.
#[derive(Debug)]
pub struct Onward<'a> {
    graph: &'a GameGraph,
    shares: &'a Shares,
    player: Player,
    ranks: Vec<usize>,
}

impl<'a> Onward<'a> {
    /// Ranks all vertices for a player who has enough to win, by thresholds for that.
    pub fn new(graph: &'a GameGraph, shares: &'a Shares, player: Player) -> Self {
        let mut onward = Self {
            graph,
            shares,
            player,
            ranks: vec![usize::MAX; graph.len()],
        };
        onward.rank();
        onward
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

#[cfg(test)]
mod tests {
    use num_rational::BigRational;
    use num_traits::One;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::game::GameGraphBuilder;
    use crate::player::Ending;
    use crate::rules::{Draws, Payment, Rules};
    use crate::watch::Unwatched;

    fn random_graph(dice: &mut StdRng) -> GameGraph {
        let inner = dice.random_range(1..7);
        let mut builder = GameGraphBuilder::default();
        for _ in 0..inner {
            let mut heads = |least: usize| -> Vec<NodeId> {
                (0..dice.random_range(least..3))
                    .map(|_| NodeId::new(dice.random_range(0..inner + 2)))
                    .collect()
            };
            let (alice, bob) = (heads(0), heads(1));
            builder.push(None, &alice, &bob);
        }
        for player in Player::BOTH {
            builder.push(Some(Ending::Win(player)), &[], &[]);
        }
        builder.finish(NodeId::new(0))
    }

    /// Wherever Alice can win with less than all the money, the move that is advised gets on, or
    /// Bob cannot help getting on; so play does not stay for ever among vertices of one threshold.
    #[test]
    fn where_there_is_a_win_play_gets_on() {
        let mut dice = StdRng::seed_from_u64(68);
        let (mut seen, mut tied) = (0, 0);
        for _ in 0..400 {
            let graph = random_graph(&mut dice);
            let part = BigRational::new(dice.random_range(0..3).into(), 2.into());
            let rules = Rules {
                draws: Draws::Bob,
                pay: Payment::Taxman(part),
                ..Rules::default()
            };
            let Ok(shares) = Shares::solve(&graph, &rules, &Unwatched) else {
                continue;
            };
            let onward = Onward::new(&graph, &shares, Player::Alice);
            let wins =
                |node: &NodeId| graph.ending(*node).is_none() && !shares.share(*node).high.is_one();
            for node in graph.nodes().filter(wins) {
                let gets_on = |head: NodeId| {
                    !onward.alike(node, head)
                        || onward.ranks[head.index()] < onward.ranks[node.index()]
                };
                let bobs = graph.successors(node, Player::Bob);
                let forced = !bobs.is_empty() && bobs.iter().all(|head| gets_on(*head));
                assert!(
                    onward.best(node).is_some_and(gets_on) || forced,
                    "{node:?} {onward:?}"
                );
                seen += 1;
                tied += usize::from(onward.best(node) != shares.best(&graph, node, Player::Alice));
            }
        }
        assert!(seen > 400 && tied > 10, "{seen} {tied}");
    }
}
