//! Bounds by truncation: what a game is worth if every play of more than so many moves is one player's.

use std::rc::Rc;

use num_rational::BigRational;

use super::evaluator::Evaluator;
use crate::diagnostic::Result;
use crate::plan::{Cost, Plan, Space};
use crate::player::GameId;
use crate::rules::Rules;
use crate::solve::richman;
use crate::solve::truncation::{self, Truncated};

impl Evaluator<'_> {
    /// Bounds on the Richman value, if the game's positions can be worked out by the number of moves made, without a graph.
    ///
    /// # Errors
    /// If the rules have no such value, the watch stops the work, or there is too little memory.
    pub fn layered_bounds(&mut self, game: GameId, moves: u32, rules: &Rules) -> Result<Option<[BigRational; 2]>> {
        if !richman::in_layers(rules)? || self.world.solutions.sweeps.space == Space::Graph {
            return Ok(None);
        }
        let Some((id, state, conjugated)) = self.world.games.ruleset_state(game) else { return Ok(None) };
        let state = state.clone();
        let ruleset = Rc::clone(self.world.games.ruleset(id));
        let Some(numbering) = self.numbering(id)? else { return Ok(None) };
        // One move more, to know whether there is one.
        let product = numbering.product(&ruleset, &state, moves.saturating_add(1));
        let Some(product) = product else { return Ok(None) };
        let truncated = Truncated { product: &product, moves, conjugated };
        if !truncation::is_suited(truncated) {
            return Ok(None);
        }
        if self.is_planning() {
            let cost = Cost::of_positions(truncation::positions(truncated), 2);
            return self.planned(Plan::truncate(moves), cost).map(|()| None);
        }
        let identity = format!("{} at {:?}", numbering.identity, state.words());
        self.with_room(|_, watch| truncation::richman(truncated, &identity, rules, watch)).map(Some)
    }
}
