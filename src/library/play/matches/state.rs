//! The state of a match, and the turns that can be taken back.

use std::rc::Rc;

use super::questions::say;
use super::{DecisionPoint, PlayTheory};
use crate::ask::Around;
use crate::eval::Evaluator;
use crate::game::{GameGraph, NodeId, Score};
use crate::player::{GameId, Player};

/// The state of a match.
pub(super) struct MatchState<T: PlayTheory> {
    pub(super) scene: Rc<Around<T>>,
    pub(super) node: NodeId,
    /// The position, once it has been needed.
    pub(super) game: Option<GameId>,
    pub(super) held: T::Held,
    pub(super) score: Score,
}

impl<T: PlayTheory> Clone for MatchState<T> {
    fn clone(&self) -> Self {
        let Self {
            scene,
            node,
            game,
            held,
            score,
        } = self;
        Self {
            scene: Rc::clone(scene),
            node: *node,
            game: *game,
            held: held.clone(),
            score: *score,
        }
    }
}

impl<T: PlayTheory> MatchState<T> {
    pub(super) fn spot(&self) -> DecisionPoint<'_, T::Held> {
        DecisionPoint {
            graph: &self.scene.explored.graph,
            node: self.node,
            held: &self.held,
        }
    }

    pub(super) fn position(&mut self, evaluator: &mut Evaluator<'_>) -> GameId {
        let Self {
            scene, node, game, ..
        } = self;
        *game.get_or_insert_with(|| scene.explored.game(&mut evaluator.world.games, *node))
    }
}

/// Returns the player who moves from a vertex if only one can.
pub(super) fn only_mover(graph: &GameGraph, node: NodeId) -> Option<Player> {
    let can = |player| !graph.successors(node, player).is_empty();
    Player::BOTH.into_iter().find(|player| !can(player.other()))
}

/// The turns of a match that can be taken back: the state before each turn in which the user
/// answered something.
pub(super) struct Taken<T: PlayTheory>(Vec<MatchState<T>>);

impl<T: PlayTheory> Default for Taken<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PlayTheory> Taken<T> {
    /// Keeps the state at the start of a turn, given with the number of answers at that time, if
    /// there has been an answer since.
    pub(super) fn keep(
        &mut self,
        before: Option<(MatchState<T>, usize)>,
        evaluator: &Evaluator<'_>,
    ) {
        self.0.extend(
            before
                .filter(|(_, answers)| evaluator.answers > *answers)
                .map(|(state, _)| state),
        );
    }

    /// Returns the state at the start of the turn with the last answer; `None` if there has been no
    /// answer.
    pub(super) fn back(
        &mut self,
        before: Option<(MatchState<T>, usize)>,
        evaluator: &mut Evaluator<'_>,
    ) -> Option<MatchState<T>> {
        // A turn may have several questions, and `undo` at a later one repeats the turn itself.
        let within = before
            .filter(|(_, answers)| evaluator.answers > *answers)
            .map(|(state, _)| state);
        let found = within.or_else(|| self.0.pop());
        if found.is_none() {
            say(evaluator, "there is no answer to take back");
        }
        found
    }
}
