//! Builtins on boards (the theme "boards" in the page of functions), implemented directly from
//! their definitions.

use std::rc::Rc;

use super::Interpreter;
use super::value::{BoardSide, BoardValue, Result, Value, wrong};
use crate::player::Player;

/// The most cells of a board.
const MOST_CELLS: usize = 4096;

/// The rows and columns by which a step leads down and right.
#[derive(Clone, Copy)]
struct BoardOffset {
    down: isize,
    right: isize,
}

const UP: BoardOffset = offset(-1, 0);
const DOWN: BoardOffset = offset(1, 0);
const LEFT: BoardOffset = offset(0, -1);
const RIGHT: BoardOffset = offset(0, 1);
const UP_RIGHT: BoardOffset = offset(-1, 1);
const DOWN_LEFT: BoardOffset = offset(1, -1);
const DOWN_RIGHT: BoardOffset = offset(1, 1);

const fn offset(down: isize, right: isize) -> BoardOffset {
    BoardOffset { down, right }
}

impl BoardValue {
    /// Returns the number of the cell with these indices: a pair, or two numbers.
    pub fn cell(&self, indices: &[Value]) -> Result<usize> {
        match indices {
            [Value::Tuple(pair)] if pair.len() == 2 => self.cell(pair),
            [row, col] => Ok(row.index(self.rows)? * self.cols + col.index(self.cols)?),
            _ => wrong("a cell has a row and a column"),
        }
    }

    /// Returns the cell `steps` steps away, if it is on the board.
    fn step(&self, cell: usize, offset: BoardOffset, steps: usize) -> Option<usize> {
        let steps = isize::try_from(steps).ok()?;
        let row = (cell / self.cols)
            .checked_add_signed(offset.down.checked_mul(steps)?)
            .filter(|row| *row < self.rows)?;
        let col = (cell % self.cols)
            .checked_add_signed(offset.right.checked_mul(steps)?)
            .filter(|col| *col < self.cols)?;
        Some(row * self.cols + col)
    }

    /// Returns the cells that touch a cell, in the order of their numbers.
    fn touching(&self, cell: usize) -> Vec<usize> {
        let steps: &[BoardOffset] = match self.hexagons {
            false => &[UP, LEFT, RIGHT, DOWN],
            true => &[UP, UP_RIGHT, LEFT, RIGHT, DOWN_LEFT, DOWN],
        };
        steps
            .iter()
            .filter_map(|step| self.step(cell, *step, 1))
            .collect()
    }

    /// Returns `true` if `length` cells in a row have a value.
    fn line(&self, wanted: &Value, length: usize) -> bool {
        let steps: &[BoardOffset] = match self.hexagons {
            false => &[RIGHT, DOWN, DOWN_RIGHT, DOWN_LEFT],
            // On hexagons only these directions lead to a neighbour; the others are their
            // opposites.
            true => &[RIGHT, DOWN, DOWN_LEFT],
        };
        let holds = |cell: Option<usize>| cell.is_some_and(|cell| self.cells[cell] == *wanted);
        // No line is longer than all cells, and the bound keeps the loop short.
        let length = length.min(self.cells.len() + 1);
        let line =
            |cell: usize, step: BoardOffset| (0..length).all(|n| holds(self.step(cell, step, n)));
        (0..self.cells.len()).any(|cell| steps.iter().any(|step| line(cell, *step)))
    }

    fn on_side(&self, cell: usize, side: &Value) -> Result<bool> {
        Ok(match side {
            // The words `left` and `right` are read as the players.
            Value::Player(Player::Alice) => cell.is_multiple_of(self.cols),
            Value::Player(Player::Bob) => cell % self.cols == self.cols - 1,
            Value::Side(BoardSide::Top) => cell < self.cols,
            Value::Side(BoardSide::Bottom) => cell / self.cols == self.rows - 1,
            other => return wrong(format!("a side is needed, not {}", other.kind())),
        })
    }

    /// Returns `true` if cells with a value connect two sides.
    fn connected(&self, wanted: &Value, from: &Value, to: &Value) -> Result<bool> {
        let holds = |cell: &usize| self.cells[*cell] == *wanted;
        let mut open = Vec::new();
        for cell in (0..self.cells.len()).filter(holds) {
            if self.on_side(cell, from)? {
                open.push(cell);
            }
        }
        let mut seen = vec![false; self.cells.len()];
        while let Some(cell) = open.pop() {
            if std::mem::replace(&mut seen[cell], true) {
                continue;
            }
            if self.on_side(cell, to)? {
                return Ok(true);
            }
            open.extend(self.touching(cell).into_iter().filter(holds));
        }
        Ok(false)
    }

    fn pair(&self, cell: usize) -> Value {
        Value::tuple([
            Value::integer(cell / self.cols),
            Value::integer(cell % self.cols),
        ])
    }

    /// Returns the lowest empty cell of a column.
    pub fn landing(&self, column: &Value) -> Result<usize> {
        let column = column.index(self.cols)?;
        let cells = (0..self.rows).rev().map(|row| row * self.cols + column);
        let free = cells
            .into_iter()
            .find(|cell| self.cells[*cell] == Value::Empty);
        free.map_or_else(|| wrong("the column is full"), Ok)
    }
}

impl Interpreter<'_> {
    pub(super) fn board_function(&mut self, name: &str, arguments: &[Value]) -> Result<Value> {
        match (name, arguments) {
            ("grid" | "hexgrid", [rows, cols]) => self.new_board(name, [rows, cols], &Value::Empty),
            ("grid" | "hexgrid", [rows, cols, content]) => {
                self.new_board(name, [rows, cols], content)
            }
            ("row", [Value::Tuple(pair)]) if pair.len() == 2 => Ok(pair[0].clone()),
            ("col", [Value::Tuple(pair)]) if pair.len() == 2 => Ok(pair[1].clone()),
            // A list of lists may stand for a board, which the checker does not take it for.
            ("count", [Value::List(items) | Value::Tuple(items), wanted])
                if !items.iter().any(|item| matches!(item, Value::List(_))) =>
            {
                Ok(Value::integer(
                    items.iter().filter(|item| *item == wanted).count(),
                ))
            }
            (_, [Value::Board(board), rest @ ..]) => board.function(name, rest),
            _ => wrong(format!(
                "the checker does not know the function `{name}` of these arguments"
            )),
        }
    }

    fn new_board(&mut self, name: &str, size: [&Value; 2], content: &Value) -> Result<Value> {
        let [rows, cols] = [
            size[0].index(MOST_CELLS + 1)?,
            size[1].index(MOST_CELLS + 1)?,
        ];
        // Both factors are at most `MOST_CELLS`, so that the product does not overflow.
        if rows * cols == 0 || rows * cols > MOST_CELLS {
            return wrong(format!("a board has from 1 to {MOST_CELLS} cells"));
        }
        self.admit(rows * cols)?;
        let cells = vec![content.clone(); rows * cols];
        Ok(Value::Board(Rc::new(BoardValue {
            hexagons: name == "hexgrid",
            rows,
            cols,
            cells,
        })))
    }
}

impl BoardValue {
    /// Evaluates a builtin whose first argument is the board.
    fn function(&self, name: &str, rest: &[Value]) -> Result<Value> {
        let empty = |cell: &usize| self.cells[*cell] == Value::Empty;
        let mut cells = 0..self.cells.len();
        Ok(match (name, rest) {
            ("rows", []) => Value::integer(self.rows),
            ("cols", []) => Value::integer(self.cols),
            ("cells", []) => Value::list(cells.map(|cell| self.pair(cell))),
            ("empty_cells", []) => Value::list(cells.filter(empty).map(|cell| self.pair(cell))),
            ("full", []) => Value::Bool(!cells.any(|cell| empty(&cell))),
            ("row", [row]) => {
                let start = row.index(self.rows)? * self.cols;
                Value::list(self.cells[start..start + self.cols].iter().cloned())
            }
            ("col", [col]) => {
                let cells = self.cells.iter().skip(col.index(self.cols)?);
                Value::list(cells.step_by(self.cols).cloned())
            }
            ("count", [wanted]) => {
                Value::integer(self.cells.iter().filter(|cell| *cell == wanted).count())
            }
            ("height", [column]) => {
                let column = column.index(self.cols)?;
                let cells = cells.filter(|cell| cell % self.cols == column && !empty(cell));
                Value::integer(cells.count())
            }
            ("line", [wanted, length]) => match usize::try_from(length.whole()?) {
                Ok(length) if length > 0 => Value::Bool(self.line(wanted, length)),
                _ => return wrong("a line has at least one cell"),
            },
            ("connected", [wanted, from, to]) => Value::Bool(self.connected(wanted, from, to)?),
            ("neighbours", [cell]) => {
                let cells = self.touching(self.cell(std::slice::from_ref(cell))?);
                Value::list(cells.into_iter().map(|cell| self.pair(cell)))
            }
            _ => {
                return wrong(format!(
                    "the checker does not know the function `{name}` of a board"
                ));
            }
        })
    }
}
