//! Rulesets (section 5.3): compiled once, parameters as constants, to a packed state and a move program.

use smallvec::SmallVec;

use super::{Ending, Player};
use crate::diagnostic::Result;

/// A packed position. Two words hold every board of up to 64 cells; larger states spill.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(SmallVec<[u64; 2]>);

/// A ruleset with its parameters fixed, compiled.
#[derive(Debug)]
pub struct Ruleset {}

/// What a stuck player gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StuckResult {
    /// `stuck loses`
    Loss,
    /// `stuck wins`
    Win,
    /// `stuck draws`
    Draw,
}

impl StuckResult {
    /// The ending when this player is stuck.
    pub fn for_player(self, player: Player) -> Ending {
        match self {
            Self::Loss => Ending::Win(player.other()),
            Self::Win => Ending::Win(player),
            Self::Draw => Ending::Draw,
        }
    }
}

/// What happens when a player who is to move cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stuck {
    /// The default: the opponent moves instead; if neither can move it is a draw.
    OpponentMoves,
    /// The game ends.
    Ends(StuckResult),
    /// The position stays as it is; if neither can move it is a draw.
    Passes,
}

impl Ruleset {
    /// The position at the start.
    pub fn start(&self) -> &State {
        todo!()
    }

    /// How the game has ended at a position, if it has: the `win` and `draw` lines in order.
    ///
    /// # Errors
    /// If evaluating them leaves a range (an index outside the board, say).
    pub fn ending(&self, _state: &State) -> Result<Option<Ending>> {
        todo!()
    }

    /// Calls `visit` with every position that a player can move to, in the order of the `move` lines and their
    /// clauses, symmetric positions not merged.
    ///
    /// # Errors
    /// If a move leaves the state's range.
    pub fn moves(&self, _state: &State, _player: Player, _visit: &mut dyn FnMut(State)) -> Result<()> {
        todo!()
    }

    /// The same moves with their labels, `place(1, 1)`.
    ///
    /// # Errors
    /// As [`moves`](Self::moves).
    pub fn labelled_moves(&self, _state: &State, _player: Player) -> Result<Vec<(String, State)>> {
        todo!()
    }

    /// What happens to a player who cannot move.
    pub fn stuck(&self) -> Stuck {
        todo!()
    }

    /// The representative of a position up to the declared symmetries.
    pub fn canonical(&self, _state: State) -> State {
        todo!()
    }

    /// The position as text that reads back.
    pub fn print(&self, _state: &State) -> String {
        todo!()
    }

    /// The position that a text stands for: the board's rows, and plain values of the other state variables.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the text and what is expected.
    pub fn read(&self, _text: &str) -> std::result::Result<State, String> {
        todo!()
    }
}

/// Evaluates what does not depend on the position; the interpreter implements it.
pub trait Constants {
    /// The value of an expression, with the frame's slots as far as they are known.
    ///
    /// # Errors
    /// If it cannot be evaluated.
    fn evaluate(
        &mut self,
        expr: &crate::check::ir::Expr,
        frame: &mut Vec<crate::eval::Value>,
    ) -> Result<crate::eval::Value>;
}

/// Compiles a ruleset with its parameters fixed.
///
/// # Errors
/// What is wrong with it.
pub fn compile(
    _template: &crate::check::ir::Ruleset,
    _arguments: &[crate::eval::Value],
    _constants: &mut dyn Constants,
) -> Result<Ruleset> {
    todo!()
}
