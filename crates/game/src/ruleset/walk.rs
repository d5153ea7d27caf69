//! A walker that evaluates many positions of a ruleset on one machine, without an allocation per
//! position.

use super::program::Machine;
use super::{Ruleset, State};
use crate::diagnostic::Result;
use crate::player::{Ending, Player};
use crate::rules::Stuck;

/// Evaluates positions one after another.
#[derive(Debug)]
pub struct MoveWalker<'a> {
    ruleset: &'a Ruleset,
    /// `true` if the symmetries need no test at the positions visited.
    proved: bool,
    state: State,
    machine: Machine,
}

impl Ruleset {
    /// Returns `true` if the game is known to respect its symmetries at a position and at all
    /// positions reachable from it.
    pub fn is_symmetric_from(&self, state: &State) -> bool {
        self.symmetry.is_proved_from(state)
    }
}

impl<'a> MoveWalker<'a> {
    /// Creates a walker at the start; `proved` asserts that the symmetries need no test
    /// ([`is_symmetric_from`](Ruleset::is_symmetric_from)).
    pub fn new(ruleset: &'a Ruleset, proved: bool) -> Self {
        Self {
            ruleset,
            proved,
            state: ruleset.start.clone(),
            machine: ruleset.machine(&ruleset.start),
        }
    }

    /// Returns the number of words of a position.
    pub fn words(&self) -> usize {
        self.ruleset.words()
    }

    /// Moves to a position; returns its ending, if the game has ended there.
    ///
    /// # Errors
    /// As [`Ruleset::ending`].
    pub fn go_to(&mut self, position: &[u64]) -> Result<Option<Ending>> {
        self.state.0.copy_from_slice(position);
        // The machine's words are its working copy, which moves change, so the state is kept beside
        // it.
        self.machine.words.copy_from_slice(position);
        let ending = self.ruleset.ending_on(&mut self.machine)?;
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
        self.machine.words.copy_from_slice(&self.state.0);
        self.ruleset.owner_on(&mut self.machine)
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
        // Moves evaluated before may have left the words changed.
        self.machine.words.copy_from_slice(&self.state.0);
        let symmetry = &self.ruleset.symmetry;
        self.ruleset
            .moves_on(&mut self.machine, &self.state, player, &mut |machine| {
                symmetry.with_canonical(&machine.words, visit);
            })
    }

    /// Calls `visit` with the positions that [`moves`](Self::moves) visits; returns the ending, if
    /// the game ends because there is no move.
    ///
    /// # Errors
    /// As [`moves`](Self::moves).
    ///
    /// # Panics
    /// If a stuck player passes; rulesets where players may stay are explored.
    pub fn of(&mut self, player: Player, visit: &mut dyn FnMut(&[u64])) -> Result<Option<Ending>> {
        let mut any = false;
        self.moves(player, &mut |to| {
            any = true;
            visit(to);
        })?;
        Ok(match self.ruleset.stuck {
            Stuck::Ends(result) if !any => Some(result.for_player(player)),
            Stuck::Ends(_) | Stuck::OpponentMoves => None,
            Stuck::Passes => unreachable!("rulesets where players may stay are explored"),
        })
    }
}
