//! Selection games: the players take the cells of a board one by one, and who wins is decided by
//! the filled board (Peres, Schramm, Sheffield & Wilson, *Random-turn Hex and other selection
//! games*, 2007). A ruleset is recognised as one by its programs: every move of either player takes
//! one empty cell for the mover, every empty cell can be taken by both, and a game that ends early
//! ends as every filling of the rest would end it.

use super::cells::{Connection, Lines, side_cells};
use super::endings::{EndingProgram, ResultProgram};
use super::layout::{ALICE, BOB, Bit, BoardPlace, Field, ScalarPlace, VariablePlace};
use super::moves::Move;
use super::program::{Binder, Bool, Change, Int, Plane};
use super::{Ruleset, State};
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
    /// Who has taken each cell, row by row from the top.
    pub taken: Vec<Option<Player>>,
    /// How a filled board is judged.
    pub judge: Judge<'r>,
}

/// How a filled board is judged.
#[derive(Debug)]
pub enum Judge<'r> {
    /// A player wins if the condition holds of that player's cells; more cells never undo it.
    Monotone(PerPlayer<MonotoneCondition>),
    /// The ruleset's own endings, all of which wait until the board is full.
    AtTheEnd(Filled<'r>),
}

/// A condition on a player's cells that more cells never undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MonotoneCondition {
    /// Always or never.
    Constant(bool),
    /// The player has this cell.
    Cell(usize),
    /// All of these hold.
    All(Vec<MonotoneCondition>),
    /// One of these holds.
    Any(Vec<MonotoneCondition>),
    /// The player's cells join two sets of cells.
    Path(ConnectedSets),
}

/// Two sets of cells that are to be joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedSets {
    /// For each cell, whether the path may begin there.
    pub begins: Vec<bool>,
    /// Where it may end.
    pub ends: Vec<usize>,
    /// The neighbours of each cell.
    pub near: Vec<Vec<usize>>,
}

/// Judges one filled board after another by the ruleset's endings.
#[derive(Debug)]
pub struct Filled<'r> {
    ruleset: &'r Ruleset,
    cells: Vec<PerPlayer<Bit>>,
    words: usize,
}

impl Filled<'_> {
    /// Who wins on a filled board, if anybody does. `owner` tells whether Alice has a cell.
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

/// Why a position is none of a selection game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSelection {
    /// The state is not one board of cells that are empty or a player's.
    State,
    /// A move does something else than take an empty cell, or some empty cell cannot be taken.
    Moves,
    /// The game may end before the board is full in a way that more cells could undo, or it has
    /// scores.
    Endings,
}

impl Ruleset {
    /// The position as one of a selection game.
    ///
    /// # Errors
    /// What keeps the ruleset from being one.
    pub fn selection(&self, state: &State) -> Result<Selection<'_>, NoSelection> {
        let [(_, VariablePlace::Board(board))] = self.variables.as_slice() else {
            return Err(NoSelection::State);
        };
        let planes = board.planes.ok_or(NoSelection::State)?;
        let cells: Vec<PerPlayer<Bit>> = board.cells.iter().filter_map(cell_bits).collect();
        if cells.len() != board.cells.len() {
            return Err(NoSelection::State);
        }
        let takes_all = |player| takes_every_cell(&self.moves[player], &cells, player);
        if self.has_turns() || !Player::BOTH.into_iter().all(takes_all) {
            return Err(NoSelection::Moves);
        }
        let reader = EndingReader {
            board,
            cells: &cells,
            planes,
        };
        let judge = match reader.monotone(&self.endings) {
            Some(conditions) if !self.scored => Judge::Monotone(conditions),
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
}

impl Ruleset {
    /// The sides of the board that each player wins by joining; none where winning is something
    /// else.
    pub fn joined_sides(&self) -> PerPlayer<Vec<Side>> {
        let mut sides = PerPlayer::new(Vec::new(), Vec::new());
        let [(_, VariablePlace::Board(board))] = self.variables.as_slice() else {
            return sides;
        };
        let cells: Vec<PerPlayer<Bit>> = board.cells.iter().filter_map(cell_bits).collect();
        let Some(planes) = board.planes.filter(|_| cells.len() == board.cells.len()) else {
            return sides;
        };
        let reader = EndingReader {
            board,
            cells: &cells,
            planes,
        };
        let Some(wins) = reader.monotone(&self.endings) else {
            return sides;
        };
        for player in Player::BOTH {
            let paths = wins[player].paths();
            sides[player] = Side::ALL
                .into_iter()
                .filter(|side| is_joined(board, *side, &paths))
                .collect();
        }
        sides
    }
}

/// Whether a path begins or ends with the cells of a side.
fn is_joined(board: &BoardPlace, side: Side, paths: &[&ConnectedSets]) -> bool {
    let cells: Vec<usize> = side_cells(board.rows, board.cols, side).collect();
    let begins = |path: &ConnectedSets| {
        (0..path.begins.len())
            .filter(|cell| path.begins[*cell])
            .eq(cells.iter().copied())
    };
    paths.iter().any(|path| path.ends == cells || begins(path))
}

impl MonotoneCondition {
    /// The paths of which it is made.
    fn paths(&self) -> Vec<&ConnectedSets> {
        match self {
            Self::Path(path) => vec![path],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::paths).collect(),
            Self::Constant(_) | Self::Cell(_) => Vec::new(),
        }
    }
}

fn cell_bits(cell: &ScalarPlace) -> Option<PerPlayer<Bit>> {
    match cell {
        ScalarPlace::Cell(bits) => Some(*bits),
        ScalarPlace::Integer(_) | ScalarPlace::Bool(_) | ScalarPlace::Player(_) => None,
    }
}

/// Whether the moves are to take each empty cell, whichever it is.
fn takes_every_cell(moves: &[Move], cells: &[PerPlayer<Bit>], player: Player) -> bool {
    let takes: Option<Vec<usize>> = moves
        .iter()
        .map(|one| taken_by(one, cells, player))
        .collect();
    takes.is_some_and(|takes| (0..cells.len()).all(|cell| takes.contains(&cell)))
}

/// The cell that a move takes for the player whenever it is empty, if that is all it does.
fn taken_by(one: &Move, cells: &[PerPlayer<Bit>], player: Player) -> Option<usize> {
    let (
        [Binder::Guard(Bool::Neither(a, b))],
        [Change::Set(ScalarPlace::Cell(target), Int::Constant(code), _)],
    ) = (one.binders.as_slice(), one.changes.as_slice())
    else {
        return None;
    };
    let code_of_player = if player == Player::Alice { ALICE } else { BOB };
    let guards = |bits: &PerPlayer<Bit>| {
        [bits.alice, bits.bob] == [*a, *b] || [bits.alice, bits.bob] == [*b, *a]
    };
    let cell = cells.iter().position(|bits| bits == target)?;
    (*code == code_of_player && guards(target)).then_some(cell)
}

/// Reads ending programs as conditions on the players' cells.
struct EndingReader<'a> {
    board: &'a BoardPlace,
    cells: &'a [PerPlayer<Bit>],
    planes: PerPlayer<Field>,
}

impl EndingReader<'_> {
    /// Each player's condition for winning, if all are monotone and draws wait until the board is
    /// full.
    fn monotone(&self, endings: &[EndingProgram]) -> Option<PerPlayer<MonotoneCondition>> {
        let mut wins = PerPlayer::new(Vec::new(), Vec::new());
        for line in endings {
            match &line.result {
                ResultProgram::Win(Int::Constant(code), _) => {
                    let player = if *code == ALICE {
                        Player::Alice
                    } else {
                        Player::Bob
                    };
                    wins[player].push(self.condition(&line.condition, player)?);
                }
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
                .map(MonotoneCondition::Cell),
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
            MonotoneCondition::All(cells.into_iter().map(MonotoneCondition::Cell).collect())
        };
        MonotoneCondition::Any(lines.cells().map(line).collect())
    }

    fn path(&self, connection: &Connection) -> MonotoneCondition {
        let count = self.cells.len();
        let near = (0..count)
            .map(|cell| connection.near(cell).collect())
            .collect();
        let begins = (0..count).map(|cell| connection.begins_at(cell)).collect();
        MonotoneCondition::Path(ConnectedSets {
            begins,
            ends: (0..count)
                .filter(|cell| connection.ends_at(*cell))
                .collect(),
            near,
        })
    }

    /// Whether a condition holds of full boards only: it is, or demands, that no cell is empty.
    fn waits(&self, truth: &Bool) -> bool {
        match truth {
            Bool::Not(inner) => {
                matches!(&**inner, Bool::Occupied(plane) if self.is_empty_cells(plane))
            }
            Bool::All(parts) => parts.iter().any(|part| self.waits(part)),
            _ => false,
        }
    }

    fn is_empty_cells(&self, plane: &Plane) -> bool {
        let Plane::Without(sides) = plane else {
            return false;
        };
        let Plane::Constant(everything) = &sides.0 else {
            return false;
        };
        let Plane::Or(taken) = &sides.1 else {
            return false;
        };
        let count: u32 = everything.iter().map(|word| word.count_ones()).sum();
        let both = self.is_plane(&taken.0, Player::Alice) && self.is_plane(&taken.1, Player::Bob);
        both && count as usize == self.board.cells.len()
    }
}
