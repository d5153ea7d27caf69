//! Values as [`Report`]s.

use super::print::{print_game, write_board};
use super::value::Value;
use crate::game::Games;
use crate::report::{Page, Report, Scalar};
use crate::watch::{Stop, Watch};

/// How many parts of a value are taken in between two looks at the watch.
const ASK_EVERY: u32 = 256;

/// The report of a value. Lists that a value shares with itself are written out each time, so that it may be far longer than the value.
///
/// # Errors
/// If the watch stops it.
pub fn report(games: &Games, value: &Value, watch: &dyn Watch) -> Result<Report, Stop> {
    Reporter { games, watch, unasked: 0 }.report(value)
}

struct Reporter<'a> {
    games: &'a Games,
    watch: &'a dyn Watch,
    /// How many parts were taken in since the watch was last asked.
    unasked: u32,
}

impl Reporter<'_> {
    fn all(&mut self, items: &[Value]) -> Result<Vec<Report>, Stop> {
        items.iter().map(|item| self.report(item)).collect()
    }

    fn report(&mut self, value: &Value) -> Result<Report, Stop> {
        self.unasked += 1;
        if self.unasked == ASK_EVERY {
            self.unasked = 0;
            self.watch.check()?;
        }
        let scalar = match value {
            Value::List(items) => return Ok(Report::List(self.all(items)?)),
            Value::Tuple(items) => return Ok(Report::Tuple(self.all(items)?)),
            Value::Rules(rules) => return Ok(Report::Rules(rules.fields())),
            Value::Answer(answer) => return Ok(answer.as_report().clone()),
            Value::Integer(n) => Scalar::Integer(n.clone()),
            Value::Rational(q) => Scalar::Rational(q.clone()),
            Value::Chips(chips) => Scalar::Chips(chips.clone()),
            Value::Bool(value) => Scalar::Bool(*value),
            Value::Text(text) => Scalar::String(text.to_string()),
            Value::Player(player) => Scalar::Player(*player),
            Value::Empty => Scalar::Word("empty"),
            Value::Side(side) => Scalar::Word(side.word()),
            Value::Board(board) => {
                Scalar::String(Page::written(self.watch, |page| write_board(self.games, board, page))?)
            }
            Value::Game(game) => Scalar::Game(print_game(self.games, *game)),
            Value::Outcome(outcome) => Scalar::Outcome(*outcome),
            Value::Function(function) => {
                let (name, parameters) = (function.name().to_owned(), function.parameters().to_vec());
                Scalar::Function { name, parameters }
            }
        };
        Ok(scalar.into())
    }
}
