//! Evaluation of moves and endings at one position after another.

use crate::diagnostic::Result;
use crate::game::ruleset::{Ruleset, Walker};
use crate::player::{Ending, Player};
use crate::rules::Stuck;

/// A walker through positions that resolves rules for stuck players.
pub struct MoveWalker<'a> {
    walker: Walker<'a>,
    stuck: Stuck,
}

impl<'a> MoveWalker<'a> {
    /// Creates a walker; `proved` asserts that the ruleset's symmetries need no test.
    pub fn new(ruleset: &'a Ruleset, proved: bool) -> Self {
        Self {
            walker: ruleset.walker(proved),
            stuck: ruleset.stuck(),
        }
    }

    /// Moves to a position; returns its ending, if the game has ended there.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn go_to(&mut self, position: &[u64]) -> Result<Option<Ending>> {
        self.walker.go_to(position);
        self.walker.ending()
    }

    /// Returns the player who moves here without a bid, if the position has an owner.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn owner(&mut self) -> Result<Option<Player>> {
        self.walker.owner()
    }

    /// Returns the number of words of a position.
    pub fn words(&self) -> usize {
        self.walker.words()
    }

    /// Calls `visit` with the positions that a player can move to; returns the ending, if the game
    /// ends because there is no move.
    ///
    /// # Errors
    /// If a move cannot be evaluated.
    pub fn of(&mut self, player: Player, visit: &mut dyn FnMut(&[u64])) -> Result<Option<Ending>> {
        let mut any = false;
        self.walker.moves(player, &mut |to| {
            any = true;
            visit(to);
        })?;
        Ok(match self.stuck {
            Stuck::Ends(result) if !any => Some(result.for_player(player)),
            Stuck::Ends(_) | Stuck::OpponentMoves => None,
            Stuck::Passes => unreachable!("rulesets where players may stay are explored"),
        })
    }
}
