//! Matches that cannot end any more. A match that has gone on for long may be in a circle which no
//! move leads out of, or which neither player's moves lead out of: it is a draw, and need not be
//! played to its last move.

use std::rc::Rc;

use super::{Held, MatchSetup, PlayTheory, Scene, Seat};
use crate::game::NodeId;
use crate::player::Player;
use crate::rules::Winner;
use crate::watch::{Context, Stop, watched};

/// Whether a match may end is asked once one has gone on for so many moves.
const LONG: usize = 1_000;

/// From which vertices of a graph a match may end.
pub(crate) struct EndableVertices<T> {
    scene: Rc<Scene<T>>,
    may_end: Vec<bool>,
}

impl<T: PlayTheory> EndableVertices<T> {
    /// Whether a match may end from a vertex; `None` if that is not known of this scene.
    pub(crate) fn may_end(&self, scene: &Rc<Scene<T>>, node: NodeId) -> Option<bool> {
        Rc::ptr_eq(&self.scene, scene).then(|| self.may_end[node.index()])
    }
}

impl<T: PlayTheory> MatchSetup<'_, T> {
    /// Whether a match that has come to a vertex after so many moves may still end.
    pub(crate) fn may_end(
        &mut self,
        scene: &Rc<Scene<T>>,
        node: NodeId,
        held: &T::Held,
        made: usize,
        context: &Context<'_>,
    ) -> Result<bool, Stop> {
        let is_asked = scene.is_whole && self.person().is_none();
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

    /// Goes back from the endings along the moves that may be made.
    fn lasting(
        &self,
        scene: &Rc<Scene<T>>,
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
            for tail in std::mem::take(&mut tails[node.index()]) {
                if !std::mem::replace(&mut may_end[tail.index()], true) {
                    open.push(tail);
                }
            }
        }
        let scene = Rc::clone(scene);
        Ok(EndableVertices { scene, may_end })
    }

    /// Where a match may go from a vertex: where both players hold nothing and play their best, each
    /// toss of the coin leads to one vertex; else any move may be made.
    fn heads(&self, scene: &Scene<T>, node: NodeId, held: &T::Held) -> Vec<NodeId> {
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
                None => scene.theory.mover(winner, &spot, held, Default::default()),
            };
            scene.theory.destination(mover, &spot, held)
        };
        Player::BOTH.into_iter().filter_map(tossed).collect()
    }
}
