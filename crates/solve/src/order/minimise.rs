//! Minimisation of game graphs, which merges equivalent positions.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::game::{EndlessMarks, EndlessPlay, GameGraph, GameGraphBuilder, NodeId, Score, better};
use crate::player::{PerPlayer, Player};
use crate::sequences::ClassId;
use crate::watch::{Context, Stop, watched};

/// The representative of every position that can be reached from a start.
///
/// Positions that cannot return to themselves are merged if they have the same class. On a cycle
/// equal thresholds are not enough: a move to an equivalent position may be the one that makes no
/// progress. There positions are merged with equivalent ones that come later in play, and with each
/// other if each player moves to the same positions from both; truncation by truncation these have
/// the same thresholds. Positions whose class is not known are merged by their moves as well.
/// Positions can be merged by their moves only if they have the same owner, if any, and the same
/// marks for infinite play.
///
/// Alice's thresholds are unchanged; draws may become wins of Bob's and the reverse.
#[derive(Debug, Clone)]
pub struct Merging<'a> {
    graph: &'a GameGraph,
    start: NodeId,
    endless: &'a EndlessPlay,
    of: Vec<NodeId>,
}

/// The properties by which positions are merged: positions for which they are equal can be one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct MergeKey {
    owner: Option<Player>,
    marks: EndlessMarks,
    moves: PerPlayer<Vec<(NodeId, Score)>>,
}

/// The smaller graph that results from merging.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The graph.
    pub graph: GameGraph,
    /// The position of each vertex.
    pub positions: Vec<NodeId>,
    /// The amounts that each move adds to the mean payoff besides the vertex, by vertex, in the
    /// order of [`GameGraph::successors`].
    pub loads: Vec<PerPlayer<Vec<Score>>>,
}

impl<'a> Merging<'a> {
    /// Merges the positions that can be reached from `start`, whose classes are given where they
    /// are known. If the game has marks for infinite play, positions from which play can continue
    /// for ever must not be given classes, since thresholds do not determine their values.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn of(
        graph: &'a GameGraph,
        start: NodeId,
        endless: &'a EndlessPlay,
        class: impl Fn(NodeId) -> Option<ClassId>,
        context: &Context<'_>,
    ) -> Result<Self, Stop> {
        let mut merging = Self {
            graph,
            start,
            endless,
            of: graph.nodes().collect(),
        };
        let mut by_class = FxHashMap::<ClassId, NodeId>::default();
        let mut by_moves = FxHashMap::<MergeKey, NodeId>::default();
        // A position that cannot be reached represents none: its moves may lead to others that
        // cannot be reached either.
        let reached = graph.reached(start);
        // Components come after those that they lead to, so the representatives of successors are
        // known.
        for (members, cyclic) in graph.components().iter() {
            context.check()?;
            if !reached[members[0].index()] {
                continue;
            }
            let is_known =
                |node: &NodeId| class(*node).is_some_and(|class| by_class.contains_key(&class));
            let (known, new): (Vec<NodeId>, Vec<NodeId>) =
                members.iter().partition(|&node| is_known(node));
            for node in known {
                merging.of[node.index()] = by_class[&class(node).expect("it is known")];
            }
            if cyclic {
                // Members of one component can be merged only if their moves agree, because a move
                // inside the class may make no progress.
                merging.merge_cyclic(&new, &class, context)?;
            }
            for node in new {
                match class(node) {
                    Some(class) => drop(by_class.entry(class).or_insert(node)),
                    // Without a class equal moves are the only evidence; on a cycle the refinement
                    // has used them.
                    None if !cyclic => {
                        merging.of[node.index()] =
                            *by_moves.entry(merging.form(node)).or_insert(node);
                    }
                    None => {}
                }
            }
        }
        Ok(merging)
    }

    /// Merges positions of one component that have the same class and the same moves, by refining
    /// the partition by class until the moves from equal positions lead to equal ones.
    fn merge_cyclic(
        &mut self,
        members: &[NodeId],
        class: &impl Fn(NodeId) -> Option<ClassId>,
        context: &Context<'_>,
    ) -> Result<(), Stop> {
        let mut firsts = FxHashMap::<Option<ClassId>, NodeId>::default();
        // The coarsest partition that the classes allow is refined, so that the result is the
        // coarsest of all.
        let mut blocks: Vec<NodeId> = members
            .iter()
            .map(|&node| *firsts.entry(class(node)).or_insert(node))
            .collect();
        let mut count = firsts.len();
        loop {
            context.check()?;
            for (node, block) in members.iter().zip(&blocks) {
                self.of[node.index()] = *block;
            }
            let mut firsts = FxHashMap::<(NodeId, MergeKey), NodeId>::default();
            for (node, block) in watched(members, context).zip(&mut blocks) {
                let node = *node?;
                *block = *firsts.entry((*block, self.form(node))).or_insert(node);
            }
            // Blocks are only split, so an equal number means that none was.
            if firsts.len() == count {
                return Ok(());
            }
            count = firsts.len();
        }
    }

    fn form(&self, node: NodeId) -> MergeKey {
        MergeKey {
            owner: self.graph.owner(node),
            marks: self.endless.marks(node),
            moves: self.moves(node),
        }
    }

    /// Returns the targets of a position's moves, with the amounts they add to the mean payoff; of
    /// several moves to the same target the best for the player.
    fn moves(&self, node: NodeId) -> PerPlayer<Vec<(NodeId, Score)>> {
        let [alice, bob] = Player::both(|player| {
            let mut best = BTreeMap::<NodeId, Score>::new();
            for &head in self.graph.successors(node, player) {
                let load = self.endless.load(node, player, head);
                let kept = best.entry(self.stand_in(head)).or_insert(load);
                // Moves to one representative are the same move, except for the amount that they
                // add.
                *kept = better(player, load, *kept);
            }
            best.into_iter().collect()
        });
        PerPlayer::new(alice, bob)
    }

    /// Returns the representative of a position.
    pub fn stand_in(&self, node: NodeId) -> NodeId {
        self.of[node.index()]
    }

    /// Groups the positions by their representatives.
    pub fn groups(&self) -> IndexMap<NodeId, Vec<NodeId>> {
        let mut groups = IndexMap::<NodeId, Vec<NodeId>>::new();
        for node in self.graph.reachable(self.start) {
            groups.entry(self.stand_in(node)).or_default().push(node);
        }
        groups
    }

    /// Builds the graph of the representatives that are reachable from that of the start.
    pub fn merged(&self) -> Merged {
        let mut positions = vec![self.stand_in(self.start)];
        let mut vertex_of = FxHashMap::from_iter([(positions[0], NodeId::new(0))]);
        let mut loads = Vec::new();
        let mut builder = GameGraphBuilder::default();
        // The list of positions grows as the moves are read, so the loop is a search from the
        // start.
        while let Some(&node) = positions.get(builder.len()) {
            let moves = self.moves(node);
            let [alice, bob] = Player::both(|player| {
                let vertex = |&(head, _): &(NodeId, Score)| {
                    *vertex_of.entry(head).or_insert_with(|| {
                        positions.push(head);
                        NodeId::new(positions.len() - 1)
                    })
                };
                moves[player].iter().map(vertex).collect::<Vec<_>>()
            });
            let vertex = builder.push(self.graph.ending(node), &alice, &bob);
            if let Some(owner) = self.graph.owner(node) {
                builder.own(vertex, owner);
            }
            loads.push(moves.map_ref(|moves| moves.iter().map(|(_, load)| *load).collect()));
        }
        Merged {
            graph: builder.finish(NodeId::new(0)),
            positions,
            loads,
        }
    }
}
