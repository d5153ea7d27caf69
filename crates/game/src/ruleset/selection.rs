//! Selection games: the players take the cells of a board one by one, and the filled board
//! determines the winner (Peres, Schramm, Sheffield & Wilson, *Random-turn Hex and other selection
//! games*, 2007). A ruleset is recognised as one by its programs: every move of either player takes
//! one empty cell for the mover, every empty cell can be taken by both, and a game that ends early
//! ends as every filling of the rest would end it.

use super::cells::{Connection, Lines, side_cells};
use super::endings::{EndingProgram, ResultProgram};
use super::formula::Formula;
use super::layout::{Bit, BoardPlace, Field, ScalarPlace, VariablePlace};
use super::moves::Move;
use super::program::{Binder, Bool, Change, Int, Plane};
use super::term::{player_code, player_of};
use super::{Ruleset, State};
use crate::convert::fit;
use crate::ir::Side;
use crate::ir::board::Shape;
use crate::player::{Ending, PerPlayer, Player};

/// A position of a selection game.
#[derive(Debug)]
pub struct Selection<'r> {
    /// The shape of the cells.
    pub shape: Shape,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The player who has taken each cell, row by row from the top.
    pub taken: Vec<Option<Player>>,
    /// The rule that finds the winner of a filled board.
    pub judge: Judge<'r>,
}

/// The rule that finds the winner of a filled board.
#[derive(Debug)]
pub enum Judge<'r> {
    /// A player wins if the condition holds of that player's cells; it is monotone, so that more
    /// cells never make it false.
    Monotone(PerPlayer<MonotoneCondition>),
    /// The ruleset's own endings, all of which wait until the board is full.
    AtTheEnd(Filled<'r>),
}

/// A monotone condition on a player's cells: more cells never make it false. It has no negations.
pub type MonotoneCondition = Formula<MonotoneAtom>;

/// A part of a monotone condition on a player's cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MonotoneAtom {
    /// The player has this cell.
    Cell(usize),
    /// A path of the player's cells joins two sets of cells.
    Path(ConnectedSets),
}

/// Two sets of cells that a path must join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedSets {
    /// For each cell, whether a path may begin there.
    pub begins: Vec<bool>,
    /// The cells where a path may end.
    pub ends: Vec<usize>,
    /// The neighbours of each cell.
    pub near: Vec<Vec<usize>>,
}

/// Finds the winners of filled boards by the ruleset's endings.
#[derive(Debug)]
pub struct Filled<'r> {
    ruleset: &'r Ruleset,
    cells: Vec<PerPlayer<Bit>>,
    words: usize,
}

impl Filled<'_> {
    /// Returns the winner on a filled board, if there is one. `is_alices` returns `true` for
    /// Alice's cells.
    pub fn winner(&self, is_alices: impl Fn(usize) -> bool) -> Option<Player> {
        let mut state = State::zero(self.words);
        for (cell, bits) in self.cells.iter().enumerate() {
            let owner = if is_alices(cell) {
                Player::Alice
            } else {
                Player::Bob
            };
            bits[owner].put(&mut state.0, true);
        }
        match self.ruleset.plain_ending(&state) {
            Ok(Some((Ending::Win(player), _))) => Some(player),
            Ok(Some((Ending::Draw, _)) | None) | Err(_) => None,
        }
    }
}

/// The reason why a position is not one of a selection game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSelection {
    /// The state is not one board of cells that are empty or a player's.
    State,
    /// A move does something other than take an empty cell, or some empty cell cannot be taken.
    Moves,
    /// The game may end before the board is full in a way that more cells could change, or it has
    /// scores.
    Endings,
}

impl Ruleset {
    /// Returns the position as one of a selection game.
    ///
    /// # Errors
    /// Returns the reason if the ruleset is not a selection game.
    pub fn selection(&self, state: &State) -> Result<Selection<'_>, NoSelection> {
        let (board, reader) = self.only_board().ok_or(NoSelection::State)?;
        let cells = &reader.cells;
        // Both players must be able to take every empty cell, or the order of the moves would
        // matter.
        let takes_all = |player| takes_every_cell(&self.moves[player], cells, player);
        if self.has_turns() || !Player::BOTH.into_iter().all(takes_all) {
            return Err(NoSelection::Moves);
        }
        let judge = match reader.monotone(&self.endings) {
            Some(conditions) if !self.scored => Judge::Monotone(conditions),
            // If every ending waits for a full board, it need not be monotone.
            None if !self.scored
                && self
                    .endings
                    .iter()
                    .all(|line| reader.waits(&line.condition)) =>
            {
                Judge::AtTheEnd(Filled {
                    ruleset: self,
                    words: self.start.0.len(),
                    cells: cells.clone(),
                })
            }
            Some(_) | None => return Err(NoSelection::Endings),
        };
        let taken = cells.iter().map(|bits| {
            Player::BOTH
                .into_iter()
                .find(|player| bits[*player].get(&state.0))
        });
        Ok(Selection {
            shape: board.shape,
            rows: board.rows,
            cols: board.cols,
            taken: taken.collect(),
            judge,
        })
    }

    /// Returns the sides of the board that each player wins by joining; none if the game is won in
    /// another way.
    pub fn joined_sides(&self) -> PerPlayer<Vec<Side>> {
        let mut sides = PerPlayer::default();
        let Some((board, reader)) = self.only_board() else {
            return sides;
        };
        let Some(wins) = reader.monotone(&self.endings) else {
            return sides;
        };
        for player in Player::BOTH {
            let paths: Vec<&ConnectedSets> = wins[player]
                .atoms()
                .into_iter()
                .filter_map(|atom| match atom {
                    MonotoneAtom::Path(path) => Some(path),
                    MonotoneAtom::Cell(_) => None,
                })
                .collect();
            sides[player] = Side::ALL
                .into_iter()
                .filter(|side| is_joined(board, *side, &paths))
                .collect();
        }
        sides
    }

    /// Returns the board that alone forms the state, with a reader of its endings, if the board's
    /// cells are `empty` or a player's.
    fn only_board(&self) -> Option<(&BoardPlace, EndingReader)> {
        let [(_, VariablePlace::Board(board))] = self.variables.as_slice() else {
            return None;
        };
        let planes = board.planes?;
        let cells =
            (0..fit::<u32>(board.cells.len())).map(|cell| planes.map(|plane| plane.bit(cell)));
        let cells = cells.collect();
        Some((board, EndingReader { cells, planes }))
    }
}

/// Returns `true` if a path begins or ends with the cells of a side.
fn is_joined(board: &BoardPlace, side: Side, paths: &[&ConnectedSets]) -> bool {
    let cells: Vec<usize> = side_cells(board.rows, board.cols, side).collect();
    let begins = |path: &ConnectedSets| {
        (0..path.begins.len())
            .filter(|cell| path.begins[*cell])
            .eq(cells.iter().copied())
    };
    paths.iter().any(|path| path.ends == cells || begins(path))
}

/// Returns `true` if the moves allow the player to take any empty cell.
fn takes_every_cell(moves: &[Move], cells: &[PerPlayer<Bit>], player: Player) -> bool {
    let takes: Option<Vec<usize>> = moves
        .iter()
        .map(|one| taken_by(one, cells, player))
        .collect();
    takes.is_some_and(|takes| (0..cells.len()).all(|cell| takes.contains(&cell)))
}

/// Returns the cell that a move takes for the player whenever it is empty, if it does nothing else.
fn taken_by(one: &Move, cells: &[PerPlayer<Bit>], player: Player) -> Option<usize> {
    let (
        [Binder::Guard(Bool::Neither(a, b))],
        [Change::Set(ScalarPlace::Cell(target), Int::Constant(code), _)],
    ) = (one.binders.as_slice(), one.changes.as_slice())
    else {
        return None;
    };
    let guards = |bits: &PerPlayer<Bit>| {
        [bits.alice, bits.bob] == [*a, *b] || [bits.alice, bits.bob] == [*b, *a]
    };
    let cell = cells.iter().position(|bits| bits == target)?;
    // The move must take the cell whenever it is empty, and must not ask for anything else.
    (*code == player_code(player) && guards(target)).then_some(cell)
}

/// Interprets ending programs as conditions on the players' cells.
struct EndingReader {
    cells: Vec<PerPlayer<Bit>>,
    planes: PerPlayer<Field>,
}

impl EndingReader {
    /// Returns each player's condition for winning, if all are monotone and draws require a full
    /// board.
    fn monotone(&self, endings: &[EndingProgram]) -> Option<PerPlayer<MonotoneCondition>> {
        let mut wins = PerPlayer::new(Vec::new(), Vec::new());
        for line in endings {
            match &line.result {
                ResultProgram::Win(Int::Constant(code), _) => {
                    let player = player_of(*code)?;
                    wins[player].push(self.condition(&line.condition, player)?);
                }
                // An earlier draw could be prevented by further cells.
                ResultProgram::Draw if self.waits(&line.condition) => {}
                ResultProgram::Win(..) | ResultProgram::Draw | ResultProgram::Score(..) => {
                    return None;
                }
            }
        }
        Some(PerPlayer::new(
            MonotoneCondition::Any(wins.alice),
            MonotoneCondition::Any(wins.bob),
        ))
    }

    fn condition(&self, truth: &Bool, player: Player) -> Option<MonotoneCondition> {
        let all = |parts: &[Bool]| {
            parts
                .iter()
                .map(|part| self.condition(part, player))
                .collect::<Option<Vec<_>>>()
        };
        match truth {
            Bool::Constant(truth) => Some(MonotoneCondition::Constant(*truth)),
            Bool::Bit(bit) => self
                .cells
                .iter()
                .position(|bits| bits[player] == *bit)
                .map(|cell| MonotoneCondition::Atom(MonotoneAtom::Cell(cell))),
            Bool::All(parts) => all(parts).map(MonotoneCondition::All),
            Bool::Any(parts) => all(parts).map(MonotoneCondition::Any),
            Bool::Line(parts) if self.is_plane(&parts.0, player) => Some(self.line(&parts.1)),
            Bool::Connected(parts) if self.is_plane(&parts.0, player) => Some(self.path(&parts.1)),
            Bool::Register(_)
            | Bool::Neither(..)
            | Bool::Not(_)
            | Bool::Compare(..)
            | Bool::If(_)
            | Bool::Let(..)
            | Bool::Pick(..)
            | Bool::Some(_)
            | Bool::Occupied(_)
            | Bool::Line(_)
            | Bool::Connected(_)
            | Bool::Fault(_) => None,
        }
    }

    fn is_plane(&self, plane: &Plane, player: Player) -> bool {
        *plane == Plane::Field(self.planes[player])
    }

    fn line(&self, lines: &Lines) -> MonotoneCondition {
        let line = |cells: Vec<usize>| {
            let cells = cells.into_iter().map(MonotoneAtom::Cell);
            MonotoneCondition::All(cells.map(MonotoneCondition::Atom).collect())
        };
        MonotoneCondition::Any(lines.cells().map(line).collect())
    }

    fn path(&self, connection: &Connection) -> MonotoneCondition {
        let count = self.cells.len();
        let near = (0..count)
            .map(|cell| connection.near(cell).collect())
            .collect();
        let begins = (0..count).map(|cell| connection.begins_at(cell)).collect();
        MonotoneCondition::Atom(MonotoneAtom::Path(ConnectedSets {
            begins,
            ends: (0..count)
                .filter(|cell| connection.ends_at(*cell))
                .collect(),
            near,
        }))
    }

    /// Returns `true` if a condition can hold of full boards only: it is, or requires, that no cell
    /// is empty.
    fn waits(&self, truth: &Bool) -> bool {
        match truth {
            Bool::All(parts) => parts.iter().any(|part| self.waits(part)),
            _ => truth.says_full(self.planes),
        }
    }
}
