//! Moves and endings of one position after another.

use crate::diagnostic::Result;
use crate::game::ruleset::{Ruleset, Walker};
use crate::player::{Ending, Player};
use crate::rules::Stuck;

/// Walks through positions, stuck rules resolved.
pub struct MoveWalker<'a> {
    walker: Walker<'a>,
    stuck: Stuck,
}

impl<'a> MoveWalker<'a> {
    /// Of a ruleset whose symmetries need no test, if that is proved.
    pub fn new(ruleset: &'a Ruleset, proved: bool) -> Self {
        Self {
            walker: ruleset.walker(proved),
            stuck: ruleset.stuck(),
        }
    }

    /// Goes to a position; how the game has ended there, if it has.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn go_to(&mut self, position: &[u64]) -> Result<Option<Ending>> {
        self.walker.go_to(position);
        self.walker.ending()
    }

    /// Who moves here without a bid, if it is somebody's turn.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn owner(&mut self) -> Result<Option<Player>> {
        self.walker.owner()
    }

    /// How many words a position has.
    pub fn words(&self) -> usize {
        self.walker.words()
    }

    /// Calls `visit` with where a player can move to; how the game ends, if it does because there
    /// is nothing.
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
