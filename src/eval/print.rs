//! Prints values as text on one line, as the language writes them.

use std::fmt::{self, Write};

use crate::game::{Games, print_game};
use crate::ir::Value;
use crate::ir::board::{Board, Shape};
use crate::player::Player;
use crate::rules::print_rules;
use crate::scalar::{Beginning, NamedGame, Scalar};
use crate::syntax::vertex_name;

/// The most bytes of a value that are printed where it is only mentioned.
const MENTIONED: usize = 1000;

/// The word for the answer that no number of chips suffices.
pub(crate) const NEVER: &str = "never";

/// Formats a value for a mention; the rest of a long value is replaced by `…`.
pub fn print_briefly(games: &Games, value: &Value) -> String {
    Beginning::written(MENTIONED, |beginning| write_value(games, value, beginning))
}

/// Writes a value on one line, as the language writes it.
///
/// # Errors
/// Returns an error if the output can take no more.
pub fn write_value(games: &Games, value: &Value, out: &mut dyn Write) -> fmt::Result {
    match value {
        Value::Board(board) => write_board(games, board, out),
        Value::List(items) => write_items(games, items, ['[', ']'], out),
        Value::Tuple(items) => write_items(games, items, ['(', ')'], out),
        Value::Rules(rules) => out.write_str(&print_rules(rules)),
        Value::Answer(answer) => match answer.elements() {
            Some(items) => write_items(games, &items, ['[', ']'], out),
            None => out.write_str("…"),
        },
        one => value_as_scalar(games, one).map_or(Ok(()), |scalar| write!(out, "{scalar}")),
    }
}

/// Returns a value as one word or number; `None` for values with several parts, and for boards.
pub fn value_as_scalar(games: &Games, value: &Value) -> Option<Scalar> {
    Some(match value {
        Value::Integer(n) => Scalar::Integer(n.clone()),
        Value::Rational(q) => Scalar::Rational(q.clone()),
        Value::Enclosure(bounds) => bounds.written().clone(),
        Value::Chips(chips) => Scalar::Chips(chips.clone()),
        Value::Never => Scalar::Word(NEVER),
        Value::Bool(value) => Scalar::Bool(*value),
        Value::Text(text) => Scalar::String(text.to_string()),
        Value::Player(player) => Scalar::Player(*player),
        Value::Empty => Scalar::Word("empty"),
        Value::Side(side) => Scalar::Word(side.word()),
        Value::Game(game) => Scalar::Game(NamedGame {
            text: print_game(games, *game),
            id: *game,
        }),
        Value::Outcome(outcome) => Scalar::Outcome(*outcome),
        Value::Function(function) => Scalar::Function {
            name: function.name().to_owned(),
            parameters: function.parameters().to_vec(),
        },
        Value::Board(_) | Value::List(_) | Value::Tuple(_) | Value::Rules(_) | Value::Answer(_) => {
            return None;
        }
    })
}

fn write_items(
    games: &Games,
    items: &[Value],
    [open, close]: [char; 2],
    out: &mut dyn Write,
) -> fmt::Result {
    out.write_char(open)?;
    for (place, item) in items.iter().enumerate() {
        out.write_str(if place == 0 { "" } else { ", " })?;
        write_value(games, item, out)?;
    }
    out.write_char(close)
}

/// Writes a board as text, row by row.
fn write_board(games: &Games, board: &Board, out: &mut dyn Write) -> fmt::Result {
    let between = match board.shape {
        Shape::Square | Shape::Hex => "/",
    };
    // Chunks of length 0 would panic.
    for (place, row) in board.cells.chunks(board.cols.max(1)).enumerate() {
        out.write_str(if place == 0 { "" } else { between })?;
        for cell in row {
            match cell {
                Value::Empty => out.write_str(".")?,
                Value::Player(Player::Alice) => out.write_str("A")?,
                Value::Player(Player::Bob) => out.write_str("B")?,
                other => write_value(games, other, out)?,
            }
        }
    }
    Ok(())
}

/// Writes the name of a value as a vertex. Strings that are not bare names are quoted, so that `1`
/// and `"1"` differ and every name can be read back.
///
/// # Errors
/// Returns an error if the output can take no more.
pub fn write_vertex_name(games: &Games, value: &Value, out: &mut dyn Write) -> fmt::Result {
    match value {
        Value::Text(text) => out.write_str(&vertex_name(text)),
        Value::Tuple(parts) => {
            out.write_char('(')?;
            for (place, part) in parts.iter().enumerate() {
                out.write_str(if place == 0 { "" } else { ", " })?;
                write_vertex_name(games, part, out)?;
            }
            out.write_char(')')
        }
        other => write_value(games, other, out),
    }
}
