//! Minimisation of game graphs: positions that are equivalent become one.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::Player;
use crate::solve::sequences::ClassId;

/// For every position one that stands for it.
///
/// Positions without a way back to themselves are merged if they have the same class. On a cycle
/// equal thresholds are not enough: a move to an equivalent position may be the one that makes no
/// headway. There positions are merged with equivalent ones that come later in play, and with each
/// other if each player moves to the same from both; truncation by truncation these have the same
/// thresholds. Positions whose class is not known are merged by their moves as well.
///
/// Alice's thresholds stay as they are; draws may become wins of Bob's and the reverse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merging {
    of: Vec<NodeId>,
}

/// Where a position's moves lead, by player, when some positions are merged.
type Moves = [Vec<NodeId>; 2];

impl Merging {
    /// Merges the positions of a graph, whose classes are given where they are known.
    pub fn of(graph: &GameGraph, class: impl Fn(NodeId) -> Option<ClassId>) -> Self {
        let mut merging = Self {
            of: graph.nodes().collect(),
        };
        let mut by_class = FxHashMap::<ClassId, NodeId>::default();
        let mut by_moves = FxHashMap::<Moves, NodeId>::default();
        for (members, cyclic) in graph.components().iter() {
            let is_known =
                |node: &NodeId| class(*node).is_some_and(|class| by_class.contains_key(&class));
            let (known, new): (Vec<NodeId>, Vec<NodeId>) =
                members.iter().partition(|&node| is_known(node));
            for node in known {
                merging.of[node.index()] = by_class[&class(node).expect("it is known")];
            }
            if cyclic {
                merging.merge_cyclic(graph, &new, &class);
            }
            for node in new {
                match class(node) {
                    Some(class) => drop(by_class.entry(class).or_insert(node)),
                    None if !cyclic => {
                        merging.of[node.index()] =
                            *by_moves.entry(merging.moves(graph, node)).or_insert(node);
                    }
                    None => {}
                }
            }
        }
        merging
    }

    /// Merges positions of one component that have the same class and the same moves, by refining
    /// the partition by class until the moves of equals lead to equals.
    fn merge_cyclic(
        &mut self,
        graph: &GameGraph,
        members: &[NodeId],
        class: &impl Fn(NodeId) -> Option<ClassId>,
    ) {
        let mut firsts = FxHashMap::<Option<ClassId>, NodeId>::default();
        let mut blocks: Vec<NodeId> = members
            .iter()
            .map(|&node| *firsts.entry(class(node)).or_insert(node))
            .collect();
        let mut count = firsts.len();
        loop {
            for (node, block) in members.iter().zip(&blocks) {
                self.of[node.index()] = *block;
            }
            let mut firsts = FxHashMap::<(NodeId, Moves), NodeId>::default();
            let refined = members.iter().zip(&blocks).map(|(&node, &block)| {
                *firsts
                    .entry((block, self.moves(graph, node)))
                    .or_insert(node)
            });
            blocks = refined.collect();
            if firsts.len() == count {
                return;
            }
            count = firsts.len();
        }
    }

    fn moves(&self, graph: &GameGraph, node: NodeId) -> Moves {
        Player::BOTH.map(|player| {
            let mut heads: Vec<_> = graph
                .successors(node, player)
                .iter()
                .map(|&head| self.stand_in(head))
                .collect();
            heads.sort_unstable();
            heads.dedup();
            heads
        })
    }

    /// The position that stands for a position.
    pub fn stand_in(&self, node: NodeId) -> NodeId {
        self.of[node.index()]
    }

    /// The positions that can be reached from `start`, by the one that stands for them.
    pub fn groups(&self, graph: &GameGraph, start: NodeId) -> IndexMap<NodeId, Vec<NodeId>> {
        let mut groups = IndexMap::<NodeId, Vec<NodeId>>::new();
        for node in graph.reachable(start) {
            groups.entry(self.stand_in(node)).or_default().push(node);
        }
        groups
    }

    /// The graph of the positions that stand for others, from the one for `start`, with the
    /// position that each vertex is.
    pub fn graph(&self, graph: &GameGraph, start: NodeId) -> (GameGraph, Vec<NodeId>) {
        let mut found = vec![self.stand_in(start)];
        let mut vertex_of = FxHashMap::from_iter([(found[0], NodeId::new(0))]);
        let mut builder = GameGraphBuilder::default();
        while let Some(&node) = found.get(builder.len()) {
            let [alice, bob] = self.moves(graph, node).map(|heads| {
                let vertex = |head| {
                    *vertex_of.entry(head).or_insert_with(|| {
                        found.push(head);
                        NodeId::new(found.len() - 1)
                    })
                };
                heads.into_iter().map(vertex).collect::<Vec<_>>()
            });
            builder.push(graph.ending(node), &alice, &bob);
        }
        (builder.finish(NodeId::new(0)), found)
    }
}
