//! Who wins, where that is settled.

use crate::game::Player;

/// Who can force a win from given chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player can.
    Wins(Player),
    /// Both can prevent the other's win.
    Draw,
    /// No pure strategy forces either.
    Undetermined,
}

impl Outcome {
    /// The word that the language prints.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wins(player) => player.word(),
            Self::Draw => "draw",
            Self::Undetermined => "undetermined",
        }
    }
}
