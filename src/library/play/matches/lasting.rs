//! Detects matches that can no longer end. A long match may be in a cycle that no move leaves, or
//! that neither player's chosen moves leave. It is a draw, and need not be played to the last move.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::state::{MatchState, only_mover};
use super::{DecisionPoint, Held, MatchSetup, PlayTheory, Seat};
use crate::ask::Around;
use crate::diagnostic::{Code, Result};
use crate::eval::Evaluator;
use crate::game::NodeId;
use crate::player::Player;
use crate::rules::Winner;
use crate::watch::Asking;

/// The number of moves after which it is checked whether a match can still end.
pub(super) const LONG: usize = 1_000;

/// The number of vertices that are looked at between two checks.
const CHECK_EVERY: usize = 1 << 10;

/// The vertices of a scene, with the results of the searches so far.
pub(crate) struct EndableVertices<T> {
    scene: Rc<Around<T>>,
    /// `true` for a vertex from which an ending can be reached; `None` before it is searched.
    may_end: Vec<Option<bool>>,
}

impl<T: PlayTheory> MatchSetup<'_, T> {
    /// Returns `true` if a match may still end, as far as its scene tells.
    pub(super) fn may_end(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        state: &MatchState<T>,
    ) -> Result<bool> {
        let (scene, node) = (&state.scene, state.node);
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
            self.search(evaluator, &mut known, node, &state.held)?;
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
        from: NodeId,
        held: &T::Held,
    ) -> Result<()> {
        let scene = Rc::clone(&known.scene);
        let mut asking = Asking::every(CHECK_EVERY, evaluator.context);
        let mut tails: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        let (mut open, mut ended) = (vec![from], Vec::new());
        known.may_end[from.index()] = Some(false);
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

    /// Returns the vertices that a match may go to from a vertex. If the players hold nothing, and
    /// neither is a person or plays at random, each toss of the coin leads to one vertex; otherwise
    /// any move may be made.
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
            Err(stop) if matches!(stop.code, Code::Time | Code::Interrupted) => return Err(stop),
            // A strategy that fails here fails the match only once it gets here.
            Err(_) => return Ok(graph.all_successors(node).collect()),
        };
        let spot = DecisionPoint { graph, node, held };
        let tossed = |winner: Player| {
            let is_given = matches!(self.seats[winner], Seat::Given(_));
            let mover = match only_mover(graph, node) {
                Some(only) => only,
                None if is_given || self.rules.winner == Winner::Moves => winner,
                None => scene.solution.mover(winner, &spot, held, told),
            };
            told[mover].or_else(|| scene.solution.destination(mover, &spot, held))
        };
        let winners = Player::BOTH.into_iter();
        let winners = winners.filter(|player| self.toss.may_fall_for(*player));
        Ok(winners.filter_map(tossed).collect())
    }
}
