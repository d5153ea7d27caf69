//! Detects matches that can no longer end. A long match may be in a cycle that no move leaves, or
//! that neither player's chosen moves leave. It is a draw, and need not be played to the last move.

use std::rc::Rc;

use super::{Held, MatchSetup, PlayTheory, Seat};
use crate::ask::Around;
use crate::game::NodeId;
use crate::player::Player;
use crate::rules::Winner;
use crate::watch::{Context, Stop, watched};

/// The number of moves after which it is checked whether a match can still end.
const LONG: usize = 1_000;

/// The vertices of a graph from which a match may end.
pub(crate) struct EndableVertices<T> {
    scene: Rc<Around<T>>,
    may_end: Vec<bool>,
}

impl<T: PlayTheory> EndableVertices<T> {
    /// Returns whether a match may end from a vertex; `None` if the vertices are those of another
    /// scene.
    pub(crate) fn may_end(&self, scene: &Rc<Around<T>>, node: NodeId) -> Option<bool> {
        Rc::ptr_eq(&self.scene, scene).then(|| self.may_end[node.index()])
    }
}

impl<T: PlayTheory> MatchSetup<'_, T> {
    /// Returns `true` if a match that has reached a vertex after `made` moves may still end.
    pub(crate) fn may_end(
        &mut self,
        scene: &Rc<Around<T>>,
        node: NodeId,
        held: &T::Held,
        made: usize,
        context: &Context<'_>,
    ) -> Result<bool, Stop> {
        let is_asked = scene.is_whole && self.person().is_none();
        // Most matches end early, and the search through the graph would cost more than they do.
        if !is_asked || (self.scenes.lasting.is_none() && made < LONG) {
            return Ok(true);
        }
        let known = self.scenes.lasting.as_ref();
        if let Some(known) = known.and_then(|known| known.may_end(scene, node)) {
            return Ok(known);
        }
        let found = self.lasting(scene, held, context)?;
        let may_end = found.may_end[node.index()];
        self.scenes.lasting = Some(found);
        Ok(may_end)
    }

    /// Finds the vertices by a search from the endings, backwards along the moves that may be made.
    fn lasting(
        &self,
        scene: &Rc<Around<T>>,
        held: &T::Held,
        context: &Context<'_>,
    ) -> Result<EndableVertices<T>, Stop> {
        let graph = &scene.explored.graph;
        let mut tails = vec![Vec::new(); graph.len()];
        for node in watched(graph.nodes(), context) {
            let node = node?;
            for head in self.heads(scene, node, held) {
                tails[head.index()].push(node);
            }
        }
        let mut open: Vec<NodeId> = graph
            .nodes()
            .filter(|node| graph.ending(*node).is_some())
            .collect();
        let mut may_end = vec![false; graph.len()];
        open.iter().for_each(|node| may_end[node.index()] = true);
        while let Some(node) = open.pop() {
            // Each vertex is taken from the queue once, so that its tails are needed once.
            for tail in std::mem::take(&mut tails[node.index()]) {
                if !std::mem::replace(&mut may_end[tail.index()], true) {
                    open.push(tail);
                }
            }
        }
        let scene = Rc::clone(scene);
        Ok(EndableVertices { scene, may_end })
    }

    /// Returns the vertices that a match may go to from a vertex. If the players hold nothing and
    /// both play optimally, each toss of the coin leads to one vertex; otherwise any move may be
    /// made.
    fn heads(&self, scene: &Around<T>, node: NodeId, held: &T::Held) -> Vec<NodeId> {
        let graph = &scene.explored.graph;
        let play_their_best = Player::BOTH
            .iter()
            .all(|player| matches!(self.seats[*player], Seat::Optimal));
        if graph.ending(node).is_some() || !(T::Held::IS_NOTHING && play_their_best) {
            return graph.all_successors(node).collect();
        }
        let spot = super::DecisionPoint { graph, node, held };
        let can = |player: &Player| !graph.successors(node, *player).is_empty();
        let tossed = |winner: Player| {
            let mover = match Player::BOTH
                .into_iter()
                .find(|player| !can(&player.other()))
            {
                Some(only) => only,
                None if self.rules.winner == Winner::Moves => winner,
                None => scene
                    .solution
                    .mover(winner, &spot, held, Default::default()),
            };
            scene.solution.destination(mover, &spot, held)
        };
        Player::BOTH.into_iter().filter_map(tossed).collect()
    }
}
