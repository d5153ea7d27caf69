//! Detects matches that can no longer end. A long match may be in a cycle that no move leaves, or
//! that neither player's chosen moves leave. It is a draw, and need not be played to the last move.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{DecisionPoint, Held, MatchSetup, PlayTheory, Seat};
use crate::ask::Around;
use crate::diagnostic::Result;
use crate::eval::Evaluator;
use crate::game::NodeId;
use crate::player::Player;
use crate::rules::Winner;
use crate::watch::Asking;

/// The number of moves after which it is checked whether a match can still end.
pub(super) const LONG: usize = 1_000;

/// The number of vertices that are looked at between two checks.
const CHECK_EVERY: usize = 1 << 10;

/// The vertices of a graph that matches have come to once they were long.
pub(crate) struct EndableVertices<T> {
    scene: Rc<Around<T>>,
    /// For each vertex whether a match may end from it, if that is known.
    may_end: Vec<Option<bool>>,
}

impl<T: PlayTheory> MatchSetup<'_, T> {
    /// Returns `true` if a match that has reached a vertex may still end, as far as its scene tells.
    pub(crate) fn may_end(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        scene: &Rc<Around<T>>,
        node: NodeId,
        held: &T::Held,
    ) -> Result<bool> {
        if !scene.is_whole {
            return Ok(true);
        }
        let known = self.scenes.lasting.take();
        let mut known = known
            .filter(|known| Rc::ptr_eq(&known.scene, scene))
            .unwrap_or_else(|| EndableVertices {
                scene: Rc::clone(scene),
                may_end: vec![None; scene.explored.graph.len()],
            });
        if known.may_end[node.index()].is_none() {
            self.search(evaluator, &mut known, node, held)?;
        }
        let may_end = known.may_end[node.index()] == Some(true);
        self.scenes.lasting = Some(known);
        Ok(may_end)
    }

    /// Decides all vertices to which a match may go from a vertex, by a search forward to the
    /// endings, and back from there.
    fn search(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        known: &mut EndableVertices<T>,
        node: NodeId,
        held: &T::Held,
    ) -> Result<()> {
        let scene = Rc::clone(&known.scene);
        let mut asking = Asking::every(CHECK_EVERY, evaluator.context);
        let mut tails: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        let (mut open, mut ended) = (vec![node], Vec::new());
        known.may_end[node.index()] = Some(false);
        while let Some(node) = open.pop() {
            asking.step(1)?;
            if scene.explored.graph.ending(node).is_some() {
                ended.push(node);
                continue;
            }
            for head in self.heads(evaluator, &scene, node, held)? {
                match known.may_end[head.index()] {
                    Some(true) => ended.push(node),
                    // It was decided before, or is among the vertices of this search.
                    Some(false) => tails.entry(head).or_default().push(node),
                    None => {
                        known.may_end[head.index()] = Some(false);
                        tails.entry(head).or_default().push(node);
                        open.push(head);
                    }
                }
            }
        }
        while let Some(node) = ended.pop() {
            known.may_end[node.index()] = Some(true);
            ended.extend(tails.remove(&node).unwrap_or_default());
        }
        Ok(())
    }

    /// Returns the vertices that a match may go to from a vertex. If the players hold nothing and
    /// both follow a strategy, each toss of the coin leads to one vertex; otherwise any move may be
    /// made.
    fn heads(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        scene: &Around<T>,
        node: NodeId,
        held: &T::Held,
    ) -> Result<Vec<NodeId>> {
        let graph = &scene.explored.graph;
        let is_fixed =
            |player: &Player| matches!(self.seats[*player], Seat::Optimal | Seat::Given(_));
        if !(T::Held::IS_NOTHING && Player::BOTH.iter().all(is_fixed)) {
            return Ok(graph.all_successors(node).collect());
        }
        let told = match self.told(evaluator, &scene.explored, node) {
            Ok(told) => told,
            Err(stop) if stop.code.is_stop() => return Err(stop),
            // A strategy without a move here fails once a match gets here.
            Err(_) => return Ok(graph.all_successors(node).collect()),
        };
        let spot = DecisionPoint { graph, node, held };
        let can = |player: Player| !graph.successors(node, player).is_empty();
        let tossed = |winner: Player| {
            let is_given = matches!(self.seats[winner], Seat::Given(_));
            let mover = match Player::BOTH.into_iter().find(|player| !can(player.other())) {
                Some(only) => only,
                None if is_given || self.rules.winner == Winner::Moves => winner,
                None => scene.solution.mover(winner, &spot, held, told),
            };
            told[mover].or_else(|| scene.solution.destination(mover, &spot, held))
        };
        let winners = Player::BOTH
            .into_iter()
            .filter(|player| self.toss.may_fall_for(*player));
        let tossed: Option<Vec<NodeId>> = winners.map(tossed).collect();
        Ok(tossed.unwrap_or_else(|| graph.all_successors(node).collect()))
    }
}
