//! Recognition of games on boards of squares that lines alone decide: pieces fall in columns or are
//! placed on empty cells, the player who completes a line wins, and a full board is a draw. A
//! search on bit boards needs only this description of a game, whatever its name.
//!
//! The description is derived from the contents of the ruleset's parts and the moves from each, so
//! it is checked content by content instead of being recognised in the text. From every content of
//! a part the cells that can be set are those of the kind of board, each move sets one cell and
//! changes nothing else, both players have the same moves and the same lines, and these are all
//! lines of one length in some directions. Misère play, cylinders and other endings are not
//! covered.

use std::collections::BTreeSet;

use super::steps::DigitSteps;
use crate::diagnostic::Result;
use crate::ir::board::Shape;
use crate::player::{Ending, PerPlayer, Player};
use crate::ruleset::State;
use crate::ruleset::cells::{Direction, Lines, line_directions, step};
use crate::ruleset::layout::Field;
use crate::ruleset::program::{Bool, Int, Plane};

/// A game on a board of squares that lines decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineGrid {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The number of cells of a line.
    pub length: usize,
    /// `true` if pieces fall to the lowest empty cell of a column; else every empty cell can be
    /// set.
    pub is_falling: bool,
    /// The directions of lines.
    pub directions: Vec<Direction>,
    /// The owner of a position, indexed by the number of Alice's cells and of Bob's; empty if the
    /// game has no `turn` lines.
    pub owners: Vec<Vec<Option<Player>>>,
    fields: PerPlayer<Field>,
}

impl LineGrid {
    /// Returns each player's cells at a position, row by row from the top, as bits.
    pub fn cells(&self, state: &State) -> PerPlayer<u64> {
        self.fields.map_ref(|field| field.get(state.words()))
    }
}

/// The dimensions of a board and its kind of moves.
#[derive(Debug, Clone, Copy)]
struct Kind {
    rows: usize,
    cols: usize,
    is_falling: bool,
}

impl Kind {
    /// Returns the cells of a part that can be set when some are taken.
    fn open(self, cells: u64, taken: u64) -> u64 {
        let empty = cells & !taken;
        if self.is_falling && empty != 0 {
            // Cells are numbered from the top, so the lowest empty cell of a column is the highest
            // bit.
            1 << empty.ilog2()
        } else {
            empty
        }
    }

    /// Returns `true` if the cells of a part are as this kind of board requires: if pieces fall,
    /// they form a column.
    fn is_part(self, cells: u64) -> bool {
        let column = |col: usize| {
            (0..self.rows).fold(0, |cells, row| cells | 1_u64 << (row * self.cols + col))
        };
        !self.is_falling
            || cells == 0
            // A column must be complete, because pieces fall through all of its cells.
            || column(cells.trailing_zeros() as usize % self.cols) == cells
    }
}

impl DigitSteps<'_> {
    /// Returns the board of squares that the game is played on, if lines decide it; `None` if it is
    /// another game.
    ///
    /// # Errors
    /// If the `turn` lines cannot be evaluated.
    pub fn line_grid(&self) -> Result<Option<LineGrid>> {
        let Some((fields, lines)) = self.deciding_lines() else {
            return Ok(None);
        };
        let Some(open) = self.open_cells(&fields) else {
            return Ok(None);
        };
        let Some(owners) = self.owners_by_counts(&fields)? else {
            return Ok(None);
        };
        let cells = fields[Player::Alice].bits as usize;
        // The ruleset has no rows or columns, so all shapes of this many cells are tried.
        let kinds = (1..=cells)
            .filter(|cols| cells.is_multiple_of(*cols))
            .flat_map(|cols| {
                [true, false].map(|is_falling| Kind {
                    rows: cells / cols,
                    cols,
                    is_falling,
                })
            });
        for kind in kinds {
            if let Some((length, directions)) = directions(lines, kind)
                && self.is_played_on(kind, &fields, &open)
            {
                let Kind {
                    rows,
                    cols,
                    is_falling,
                } = kind;
                return Ok(Some(LineGrid {
                    rows,
                    cols,
                    length,
                    is_falling,
                    directions,
                    owners,
                    fields,
                }));
            }
        }
        Ok(None)
    }

    /// Returns the players' cells and the lines that win for both, if these are tested first, and
    /// otherwise the game ends only as a draw of a full board.
    fn deciding_lines(&self) -> Option<(PerPlayer<Field>, &Lines)> {
        let [first, second, draws @ ..] = self.endings.as_slice() else {
            return None;
        };
        let ((first, field, lines), (second, other, others)) = (line(first)?, line(second)?);
        let fields = match (first, second) {
            (Player::Alice, Player::Bob) => PerPlayer::new(field, other),
            (Player::Bob, Player::Alice) => PerPlayer::new(other, field),
            // One player alone has lines, of two lengths.
            (Player::Alice, Player::Alice) | (Player::Bob, Player::Bob) => return None,
        };
        let is_same = lines == others && field.bits == other.bits;
        let are_full = draws
            .iter()
            .all(|(condition, ending)| *ending == Ending::Draw && condition.says_full(fields));
        let ends_stuck = Player::BOTH
            .into_iter()
            .any(|player| self.stuck[player].is_some());
        (is_same && are_full && !ends_stuck).then_some((fields, lines))
    }

    /// Returns, for each part and content, the cells that a player can set, as bits of the player's
    /// plane. Returns `None` unless every move sets one cell of the mover's and changes nothing
    /// else, and the content of one part determines which.
    fn open_cells(&self, fields: &PerPlayer<Field>) -> Option<PerPlayer<Vec<Vec<u64>>>> {
        let mut open = PerPlayer::<Vec<Vec<u64>>>::default();
        for player in Player::BOTH {
            let contents = self.parts.iter().map(|part| part.contents.len());
            open[player] = contents.map(|contents| vec![0; contents]).collect();
            for piece in &self.pieces[player] {
                let steps = piece.first[0] as usize..piece.first[piece.first.len() - 1] as usize;
                for step in &self.steps[steps] {
                    let [(part, from, _)] = step.digits[..] else {
                        return None;
                    };
                    let changed: u32 = step.flips.iter().map(|word| word.count_ones()).sum();
                    let cell = fields[player].get(&step.flips);
                    if !piece.guards.is_empty() || !step.adds || changed != 1 || cell == 0 {
                        return None;
                    }
                    open[player][usize::from(part)][usize::from(from)] |= cell;
                }
            }
        }
        Some(open)
    }

    /// Returns `true` if the moves are those of a kind of board, given the cells that the players
    /// can set.
    fn is_played_on(
        &self,
        kind: Kind,
        fields: &PerPlayer<Field>,
        open: &PerPlayer<Vec<Vec<u64>>>,
    ) -> bool {
        let mut seen = 0;
        for (index, part) in self.parts.iter().enumerate() {
            let of = |player: Player| {
                open[player][index]
                    .iter()
                    .fold(0, |cells, open| cells | open)
            };
            let cells = of(Player::Alice);
            // No cell may belong to two parts.
            if cells != of(Player::Bob) || seen & cells != 0 || !kind.is_part(cells) {
                return false;
            }
            seen |= cells;
            for (content, state) in part.contents.iter().enumerate() {
                let taken = fields.map_ref(|field| field.get(state.words()));
                let taken = taken[Player::Alice] | taken[Player::Bob];
                let expected = kind.open(cells, taken);
                if Player::BOTH
                    .into_iter()
                    .any(|player| open[player][index][content] != expected)
                {
                    return false;
                }
            }
        }
        seen.count_ones() == fields[Player::Alice].bits
    }

    /// Returns the owners by the numbers of the players' cells; `None` if they depend on something
    /// else.
    fn owners_by_counts(
        &self,
        fields: &PerPlayer<Field>,
    ) -> Result<Option<Vec<Vec<Option<Player>>>>> {
        let ruleset = self.ruleset;
        if !ruleset.has_turns() {
            return Ok(Some(Vec::new()));
        }
        if !ruleset
            .turns
            .iter()
            .flat_map(|line| line.cases())
            .all(|case| reads_counts(&case, fields))
        {
            return Ok(None);
        }
        let cells = fields[Player::Alice].bits;
        let below = |count: u32| 1_u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1);
        let owner = |alice: u32, bob: u32| {
            let mut state = ruleset.start().clone();
            // The owner depends on the counts only, so any position with these counts will do.
            fields[Player::Alice].put(&mut state.0, below(alice));
            fields[Player::Bob].put(&mut state.0, below(alice + bob) & !below(alice));
            ruleset.owner(&state)
        };
        let row = |alice: u32| {
            (0..=cells - alice)
                .map(|bob| owner(alice, bob))
                .collect::<Result<Vec<_>>>()
        };
        Ok(Some((0..=cells).map(row).collect::<Result<_>>()?))
    }
}

/// Returns the winner by a line, with the winner's cells and the lines, if the board has no more
/// cells than a word has bits.
fn line((condition, ending): &(Bool, Ending)) -> Option<(Player, Field, &Lines)> {
    match (condition, ending) {
        (Bool::Line(line), Ending::Win(player)) => match &**line {
            (Plane::Field(field), lines) if field.bits <= u64::BITS => {
                Some((*player, *field, lines))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns `true` if a condition depends on nothing but the numbers of the players' cells.
fn reads_counts(condition: &Bool, fields: &PerPlayer<Field>) -> bool {
    let number = |number: &Int| match number {
        Int::Constant(_) => true,
        Int::Count(plane) => {
            matches!(&**plane, Plane::Field(field) if Player::BOTH.into_iter().any(|player| fields[player] == *field))
        }
        _ => false,
    };
    match condition {
        Bool::Constant(_) => true,
        Bool::Not(inner) => reads_counts(inner, fields),
        Bool::All(parts) | Bool::Any(parts) => parts.iter().all(|part| reads_counts(part, fields)),
        Bool::Compare(_, numbers) => number(&numbers.0) && number(&numbers.1),
        _ => false,
    }
}

/// Returns the length of lines and their directions, if they are all lines of a board in these
/// directions.
fn directions(lines: &Lines, kind: Kind) -> Option<(usize, Vec<Direction>)> {
    let given: BTreeSet<Vec<usize>> = lines.cells().collect();
    let length = given.first()?.len();
    let cells = 0..kind.rows * kind.cols;
    let mut left = given.len();
    let mut found = Vec::new();
    for direction in line_directions(Shape::Square) {
        let line = |first: usize| -> Option<Vec<usize>> {
            let mut line: Vec<usize> = (0..length)
                .map(|steps| step(kind.rows, kind.cols, first, *direction, steps))
                .collect::<Option<_>>()?;
            line.sort_unstable();
            Some(line)
        };
        let all: Vec<Vec<usize>> = cells.clone().filter_map(line).collect();
        let has = all.iter().filter(|line| given.contains(*line)).count();
        if has == all.len() {
            found.push(*direction);
            left = left.checked_sub(has)?;
        // Lines in only a part of a direction are those of another game.
        } else if has > 0 {
            return None;
        }
    }
    (length > 1 && left == 0 && !found.is_empty()).then_some((length, found))
}
