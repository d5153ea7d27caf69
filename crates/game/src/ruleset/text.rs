//! Positions as text that can be read back.
//!
//! A board is written as its rows from the top, `A.B/.B./..A`; cells that hold something else than
//! players are separated by commas, `1,0/0,2`. Other variables are plain values, `7`, `[3, 4, 5]`.
//! If there are several variables, the first board comes first without a name, and the others
//! follow with theirs: `A.B/.B./..A n=3`.

use super::layout::{ALICE, BOB, BoardPlace, EMPTY, ScalarPlace, VariablePlace};
use super::{Ruleset, State};
use crate::diagnostic::counted;
use crate::ir::Value;
use crate::ir::board::Shape;
use crate::player::Player;

type ReadResult<T> = std::result::Result<T, String>;

/// Returns the word for a cell's code.
pub fn cell_word(code: i64) -> &'static str {
    match code {
        ALICE => Player::Alice.word(),
        BOB => Player::Bob.word(),
        _ => "empty",
    }
}

/// Prints a value as the argument of a move, if it can be one.
pub fn print_value(value: &Value) -> Option<String> {
    match value {
        Value::Integer(n) => Some(n.to_string()),
        Value::Rational(q) => Some(q.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Text(text) => Some(text.to_string()),
        Value::Player(player) => Some(player.word().to_owned()),
        Value::Empty => Some("empty".to_owned()),
        Value::List(items) => print_all(items).map(|items| format!("[{items}]")),
        Value::Tuple(items) => print_all(items).map(|items| format!("({items})")),
        Value::Enclosure(_)
        | Value::Chips(_)
        | Value::Never
        | Value::Side(_)
        | Value::Board(_)
        | Value::Game(_)
        | Value::Function(_)
        | Value::Rules(_)
        | Value::Outcome(_)
        | Value::Answer(_) => None,
    }
}

fn print_all(items: &[Value]) -> Option<String> {
    let items: Option<Vec<String>> = items.iter().map(print_value).collect();
    Some(items?.join(", "))
}

impl Ruleset {
    /// Prints a position as text that can be read back.
    pub fn print(&self, state: &State) -> String {
        // A single variable cannot be confused with another, so its name would be noise.
        if let [(_, place)] = self.variables.as_slice() {
            return print_place(place, &state.0);
        }
        let bare = self.bare_board();
        let board = bare.map(|index| print_place(&self.variables[index].1, &state.0));
        let others = self
            .variables
            .iter()
            .enumerate()
            .filter(|(index, _)| Some(*index) != bare);
        let others =
            others.map(|(_, (name, place))| format!("{name}={}", print_place(place, &state.0)));
        board
            .into_iter()
            .chain(others)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns `true` if the part of a position that is printed without a name is a board of
    /// hexagons.
    pub fn shows_hexagons(&self) -> bool {
        let bare = self.bare_board().map(|index| &self.variables[index].1);
        matches!(bare, Some(VariablePlace::Board(board)) if board.shape == Shape::Hex)
    }

    /// Returns the index of the variable that is printed without its name.
    pub(super) fn bare_board(&self) -> Option<usize> {
        match self.variables.len() {
            1 => Some(0),
            _ => self
                .variables
                .iter()
                .position(|(_, place)| matches!(place, VariablePlace::Board(_))),
        }
    }

    /// Reads a position: the board's rows, and plain values of the other state variables.
    ///
    /// # Errors
    /// Returns a sentence that says what is wrong with the text and what is expected.
    pub fn read(&self, text: &str) -> ReadResult<State> {
        let mut state = State::zero(self.start.0.len());
        let mut reader = PositionReader { rest: text };
        let mut given = vec![false; self.variables.len()];
        loop {
            reader.skip_spaces();
            if reader.rest.is_empty() {
                break;
            }
            let index = self.next_variable(&mut reader, &given)?;
            let (name, place) = &self.variables[index];
            if std::mem::replace(&mut given[index], true) {
                return Err(format!("`{name}` is given twice"));
            }
            reader.place(place, name, &mut state.0)?;
        }
        match given.iter().position(|given| !given) {
            Some(missing) => Err(format!(
                "the position does not say what `{}` is",
                self.variables[missing].0
            )),
            None => Ok(state),
        }
    }

    fn next_variable(&self, reader: &mut PositionReader<'_>, given: &[bool]) -> ReadResult<usize> {
        for (index, (name, _)) in self.variables.iter().enumerate() {
            let after = reader.rest.strip_prefix(name.as_str()).map(str::trim_start);
            // The sign is required because one name may be the beginning of another.
            if let Some(value) = after.and_then(|after| after.strip_prefix('=')) {
                reader.rest = value.trim_start();
                return Ok(index);
            }
        }
        match self.bare_board() {
            // Text without a name can mean only the board, and only once.
            Some(board) if !given[board] => Ok(board),
            Some(_) | None => {
                let names: Vec<String> = self
                    .variables
                    .iter()
                    .map(|(name, _)| format!("`{name}=…`"))
                    .collect();
                Err(format!(
                    "{:?} is not understood: write {}",
                    reader.rest,
                    names.join(" ")
                ))
            }
        }
    }
}

fn print_place(place: &VariablePlace, words: &[u64]) -> String {
    match place {
        VariablePlace::Scalar(scalar) => print_scalar(*scalar, words),
        VariablePlace::Items { tuple, items } => {
            let items: Vec<String> = items.iter().map(|item| print_place(item, words)).collect();
            if *tuple {
                format!("({})", items.join(", "))
            } else {
                format!("[{}]", items.join(", "))
            }
        }
        VariablePlace::Board(board) => {
            let rows = board
                .cells
                .chunks(board.cols)
                .map(|row| match board.planes {
                    Some(_) => row
                        .iter()
                        .map(|cell| letter(cell.get(words)))
                        .collect::<String>(),
                    None => row
                        .iter()
                        .map(|cell| print_scalar(*cell, words))
                        .collect::<Vec<_>>()
                        .join(","),
                });
            rows.collect::<Vec<_>>().join("/")
        }
    }
}

fn print_scalar(scalar: ScalarPlace, words: &[u64]) -> String {
    let value = scalar.get(words);
    match scalar {
        ScalarPlace::Integer(_) => value.to_string(),
        ScalarPlace::Bool(_) => (value != 0).to_string(),
        ScalarPlace::Player(_) | ScalarPlace::Cell(_) => cell_word(value).to_owned(),
    }
}

fn letter(code: i64) -> char {
    match code {
        ALICE => 'A',
        BOB => 'B',
        _ => '.',
    }
}

/// The rest of the text to be read.
struct PositionReader<'t> {
    rest: &'t str,
}

impl<'t> PositionReader<'t> {
    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Reads up to one of these characters.
    fn until(&mut self, ends: &[char]) -> &'t str {
        let (token, rest) = self
            .rest
            .split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        self.rest = rest;
        token
    }

    fn expect(&mut self, wanted: char, name: &str) -> ReadResult<()> {
        self.skip_spaces();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None if self.rest.is_empty() => {
                Err(format!("`{wanted}` is missing at the end of `{name}`"))
            }
            None => Err(format!(
                "`{wanted}` is expected in `{name}`, but {:?} stands there",
                self.rest
            )),
        }
    }

    fn place(&mut self, place: &VariablePlace, name: &str, words: &mut [u64]) -> ReadResult<()> {
        self.skip_spaces();
        match place {
            VariablePlace::Scalar(scalar) => {
                // A slash ends the token, because a scalar may be the last cell of a row.
                let token = self.until(&[' ', '\t', ',', ']', ')', '/']);
                read_scalar(token, *scalar, name, words)
            }
            VariablePlace::Items { tuple, items } => {
                let (open, close) = if *tuple { ('(', ')') } else { ('[', ']') };
                self.expect(open, name)?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.expect(',', name)?;
                    }
                    self.place(item, name, words)?;
                }
                self.expect(close, name)
            }
            VariablePlace::Board(board) if board.planes.is_some() => {
                // The slashes belong to the token, which is all rows of the board.
                let token = self.until(&[' ', '\t', ',', ']', ')']);
                read_rows(token, board, words)
            }
            VariablePlace::Board(board) => self.table(board, name, words),
        }
    }

    /// Reads a board whose cells are separated by commas.
    fn table(&mut self, board: &BoardPlace, name: &str, words: &mut [u64]) -> ReadResult<()> {
        for (index, cell) in board.cells.iter().enumerate() {
            if index > 0 {
                self.expect(if index % board.cols == 0 { '/' } else { ',' }, name)?;
            }
            self.place(&VariablePlace::Scalar(*cell), name, words)?;
        }
        Ok(())
    }
}

fn read_rows(text: &str, board: &BoardPlace, words: &mut [u64]) -> ReadResult<()> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != board.rows {
        return Err(format!(
            "the board has {}, but {text:?} has {}",
            counted(board.rows, "row"),
            rows.len()
        ));
    }
    for (row, text) in rows.iter().enumerate() {
        // Characters are counted, not bytes, so that a strange letter is reported as a wrong cell.
        let count = text.chars().count();
        if count != board.cols {
            return Err(format!(
                "each row of the board has {}, but row {} ({text:?}) has {count}",
                counted(board.cols, "cell"),
                row + 1
            ));
        }
        for (col, letter) in text.chars().enumerate() {
            let code = match letter {
                '.' | '_' => EMPTY,
                'A' | 'a' => ALICE,
                'B' | 'b' => BOB,
                other => {
                    return Err(format!(
                        "`{other}` is not a cell: write `.` (empty), `A` or `B`"
                    ));
                }
            };
            board.cells[row * board.cols + col].put(words, code);
        }
    }
    Ok(())
}

fn read_scalar(text: &str, scalar: ScalarPlace, name: &str, words: &mut [u64]) -> ReadResult<()> {
    let (value, needed) = match scalar {
        ScalarPlace::Integer(integer) => {
            let range = integer.range;
            (
                text.parse().ok(),
                format!("an integer between {} and {}", range.low, range.high),
            )
        }
        ScalarPlace::Bool(_) => (
            text.parse::<bool>().ok().map(i64::from),
            "`true` or `false`".to_owned(),
        ),
        ScalarPlace::Player(_) => (read_player(text), "`alice` or `bob`".to_owned()),
        ScalarPlace::Cell(_) => (
            read_player(text).or_else(|| ["empty", "."].contains(&text).then_some(EMPTY)),
            "`empty`, `alice` or `bob`".to_owned(),
        ),
    };
    match value {
        // The place has only the bits that the range needs, so another value cannot be stored.
        Some(value) if scalar.holds(value) => {
            scalar.put(words, value);
            Ok(())
        }
        Some(_) | None => Err(format!("`{name}` holds {needed} here, not {text:?}")),
    }
}

fn read_player(text: &str) -> Option<i64> {
    match text.to_ascii_lowercase().as_str() {
        "alice" | "a" => Some(ALICE),
        "bob" | "b" => Some(BOB),
        _ => None,
    }
}
