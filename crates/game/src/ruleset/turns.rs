//! Owners of positions: the `turn PLAYER if …` lines in order, evaluated on positions where the
//! game has not ended.

use super::compile::Compiler;
use super::fault::{Cause, Fault, Site};
use super::program::{Bool, Int, Machine};
use super::specialise::wrong_kind;
use super::term::{named, player_of};
use super::{Ruleset, State};
use crate::diagnostic::Result;
use crate::ir::TurnRule;
use crate::player::Player;

/// The program of a `turn` line.
#[derive(Debug, PartialEq, Eq)]
pub struct TurnProgram {
    /// The condition of the line.
    condition: Bool,
    /// The code of the owner.
    player: Int,
    /// The source of the owner's expression.
    site: Site,
}

impl TurnProgram {
    /// Returns the owner by this line, if its condition holds.
    fn run(&self, machine: &mut Machine) -> std::result::Result<Option<Player>, Fault> {
        if !self.condition.run(machine)? {
            return Ok(None);
        }
        let code = self.player.run(machine)?;
        // A cell can be empty, and nobody owns an empty cell.
        let owner = player_of(code).ok_or_else(|| self.site.fault(code))?;
        Ok(Some(owner))
    }

    /// Returns the conditions under which the line makes Alice and Bob the owner.
    pub fn cases(&self) -> [Bool; 2] {
        Player::both(|player| named(&self.condition, &self.player, player))
    }
}

impl Compiler<'_> {
    /// Compiles a `turn` line; returns `None` if its condition never holds.
    pub(super) fn turn(&mut self, rule: &TurnRule) -> Result<Option<TurnProgram>> {
        let mut scope = self.specialiser.scope();
        let condition = self.specialiser.truth(&rule.condition, &mut scope)?;
        // The player is not specialised for a line that never holds: with these parameters it may
        // have no meaning.
        if condition == Bool::Constant(false) {
            return Ok(None);
        }
        let term = self.specialiser.expr(&rule.player, &mut scope)?;
        let player = term
            .as_cell()
            .ok_or_else(|| wrong_kind("a player", &term, rule.player.span))?;
        let site = self
            .specialiser
            .sites
            .add(rule.player.span, Cause::NobodyMoves);
        Ok(Some(TurnProgram {
            condition,
            player,
            site,
        }))
    }
}

impl Ruleset {
    /// Returns `true` if a `turn` line may hold at some position.
    pub fn has_turns(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Returns the player who moves at a position without a bid, if it has an owner: the first
    /// `turn` line that holds determines it.
    ///
    /// # Errors
    /// If evaluating the lines leaves a range, or one names nobody.
    pub fn owner(&self, state: &State) -> Result<Option<Player>> {
        if self.has_turns() {
            self.owner_on(&mut self.machine(state))
        } else {
            Ok(None)
        }
    }

    /// Returns the owner of the state that the machine is on.
    pub(super) fn owner_on(&self, machine: &mut Machine) -> Result<Option<Player>> {
        self.first_of(&self.turns, machine, TurnProgram::run)
    }
}
