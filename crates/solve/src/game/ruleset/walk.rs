//! A walker that evaluates many positions of a ruleset on one machine, without an allocation per
//! position.

use super::program::Machine;
use super::{Ruleset, State};
use crate::diagnostic::Result;
use crate::player::{Ending, Player};

/// Evaluates positions one after another.
#[derive(Debug)]
pub struct Walker<'a> {
    ruleset: &'a Ruleset,
    /// `true` if the symmetries need no test at the positions visited.
    proved: bool,
    state: State,
    machine: Machine,
}

impl Ruleset {
    /// Creates a walker at the start; `proved` asserts that the symmetries need no test
    /// ([`is_symmetric_from`](Self::is_symmetric_from)).
    pub fn walker(&self, proved: bool) -> Walker<'_> {
        Walker {
            ruleset: self,
            proved,
            state: self.start.clone(),
            machine: self.machine(&self.start),
        }
    }

    /// Returns `true` if the game is known to respect its symmetries at a position and at all
    /// positions reachable from it.
    pub fn is_symmetric_from(&self, state: &State) -> bool {
        self.symmetry.is_proved_from(state)
    }
}

impl Walker<'_> {
    /// Returns the number of words of a position.
    pub fn words(&self) -> usize {
        self.ruleset.words()
    }

    /// Moves the walker to a position.
    pub fn go_to(&mut self, position: &[u64]) {
        self.state.0.copy_from_slice(position);
    }

    /// Returns the ending of the current position, if the game has ended there.
    ///
    /// # Errors
    /// As [`Ruleset::ending`].
    pub fn ending(&mut self) -> Result<Option<Ending>> {
        self.machine.words.copy_from_slice(&self.state.0);
        let ending = self.ruleset.ending_on(&mut self.machine, &self.state)?;
        if !self.proved {
            self.ruleset
                .symmetry
                .check_ending(self.ruleset, &self.state, ending)?;
        }
        Ok(ending.map(|(ending, _)| ending))
    }

    /// Returns the player who moves here without a bid, if the position has an owner.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn owner(&mut self) -> Result<Option<Player>> {
        if !self.ruleset.has_turns() {
            return Ok(None);
        }
        self.machine.words.copy_from_slice(&self.state.0);
        self.ruleset.owner_on(&mut self.machine, &self.state)
    }

    /// Calls `visit` with the representative of every position that a player can move to.
    ///
    /// # Errors
    /// As [`Ruleset::moves`].
    pub fn moves(&mut self, player: Player, visit: &mut dyn FnMut(&[u64])) -> Result<()> {
        if !self.proved {
            self.ruleset
                .symmetry
                .check_moves(self.ruleset, &self.state, player)?;
        }
        self.machine.words.copy_from_slice(&self.state.0);
        let symmetry = &self.ruleset.symmetry;
        self.ruleset
            .moves_on(&mut self.machine, &self.state, player, &mut |machine| {
                symmetry.with_canonical(&machine.words, visit);
            })
    }
}
