//! The results for a player who is to move and cannot.

use crate::player::{Ending, Player};
use borsh::{BorshDeserialize, BorshSerialize};

/// The result for a stuck player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub enum StuckResult {
    /// `stuck loses`
    Loss,
    /// `stuck wins`
    Win,
    /// `stuck draws`
    Draw,
}

impl StuckResult {
    /// Returns the ending when this player is stuck.
    pub fn for_player(self, player: Player) -> Ending {
        match self {
            Self::Loss => Ending::Win(player.other()),
            Self::Win => Ending::Win(player),
            Self::Draw => Ending::Draw,
        }
    }
}

/// The effect when a player who is to move cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Stuck {
    /// The default: the opponent moves instead. If neither can move, it is a draw.
    #[default]
    OpponentMoves,
    /// The game ends.
    Ends(StuckResult),
    /// The position stays as it is. If neither can move, it is a draw.
    Passes,
}
