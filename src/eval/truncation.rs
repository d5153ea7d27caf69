//! Bounds by truncation: what a game is worth if every play of more than so many moves is one
//! player's.

use std::rc::Rc;

use num_rational::BigRational;

use super::evaluator::Evaluator;
use crate::diagnostic::Result;
use crate::game::RulesetId;
use crate::game::ruleset::Numbering;
use crate::plan::{Cost, Plan, Space};
use crate::player::GameId;
use crate::rules::Rules;
use crate::solve::chips::Threshold;
use crate::solve::richman;
use crate::solve::truncation::{self, Truncated};

/// Bounds of a game that is truncated.
pub enum Bounded {
    /// On its Richman value.
    Shares([BigRational; 2]),
    /// On Alice's threshold.
    Chips([Threshold; 2]),
}

/// How far play goes.
#[derive(Debug, Clone, Copy)]
pub struct Depth {
    /// After so many moves it is stopped.
    pub moves: u32,
    /// Whether lines that may still be completed count there, where no graph is needed.
    pub lines: bool,
}

impl Evaluator<'_> {
    /// Bounds on the Richman value, or on the threshold for a total of chips, if the game's
    /// positions can be worked out by the number of moves made, without a graph.
    ///
    /// # Errors
    /// If the rules have no such value, the watch stops the work, or there is too little memory.
    pub fn layered_bounds(
        &mut self,
        game: GameId,
        Depth { moves, lines }: Depth,
        total: Option<u64>,
        rules: &Rules,
    ) -> Result<Option<Bounded>> {
        let is_for_layers = match total {
            None => richman::in_layers(rules)?,
            Some(total) => truncation::odd_half(rules, total)?.is_some(),
        };
        if !is_for_layers || self.world.solutions.sweeps.space == Space::Graph {
            return Ok(None);
        }
        let Some((id, state, conjugated)) = self.world.games.ruleset_state(game) else {
            return Ok(None);
        };
        let state = state.clone();
        let ruleset = Rc::clone(self.world.games.ruleset(id));
        let Some(numbering) = self.numbering(id)? else {
            return Ok(None);
        };
        // As many moves more as count where play is stopped, or one, to know whether there is one.
        let product = |more: u32| numbering.product(&ruleset, &state, moves.saturating_add(more));
        let onward = if lines { truncation::ONWARD } else { 1 };
        let Some(product) = product(onward).or_else(|| product(1)) else {
            return Ok(None);
        };
        let truncated = Truncated {
            product: &product,
            moves,
            conjugated,
            lines,
        };
        if !truncation::is_suited(truncated) {
            return Ok(None);
        }
        if self.is_planning() {
            let cost = Cost::of_positions(truncation::positions(truncated), 2);
            return self.planned(Plan::truncate(moves), cost).map(|()| None);
        }
        let identity = format!("{} at {:?}", numbering.identity, state.words());
        self.with_room(|evaluator, watch| {
            let told = (watch, &mut evaluator.warnings);
            match total {
                None => Ok(Some(Bounded::Shares(truncation::richman(
                    truncated, &identity, rules, told,
                )?))),
                Some(total) => {
                    let found = truncation::chips(truncated, &identity, (rules, total), told)?;
                    Ok(found.map(Bounded::Chips))
                }
            }
        })
    }

    /// The numbering of a ruleset, whether or not a sweep can go by it.
    pub(super) fn numbering(&mut self, id: RulesetId) -> Result<Option<Rc<Numbering>>> {
        if let Some(known) = self.world.solutions.sweeps.numberings.get(&id) {
            return Ok(known.clone());
        }
        let numbering = self
            .world
            .games
            .ruleset(id)
            .numbering(self.watch)?
            .map(Rc::new);
        self.world
            .solutions
            .sweeps
            .numberings
            .insert(id, numbering.clone());
        Ok(numbering)
    }
}
