//! Values as [`Report`]s.

use super::print::{print, print_game};
use super::value::Value;
use crate::game::Games;
use crate::report::{Report, Scalar};

/// The report of a value.
pub fn report(games: &Games, value: &Value) -> Report {
    let all = |items: &[Value]| items.iter().map(|item| report(games, item)).collect();
    match value {
        Value::List(items) => Report::List(all(items)),
        Value::Tuple(items) => Report::Tuple(all(items)),
        Value::Rules(rules) => Report::Rules(rules.fields()),
        Value::Answer(answer) => answer.as_report().clone(),
        Value::Integer(n) => Scalar::Integer(n.clone()).into(),
        Value::Rational(q) => Scalar::Rational(q.clone()).into(),
        Value::Chips(chips) => Scalar::Chips(chips.clone()).into(),
        Value::Bool(value) => Scalar::Bool(*value).into(),
        Value::Text(text) => Scalar::String(text.to_string()).into(),
        Value::Player(player) => Scalar::Player(*player).into(),
        Value::Empty => Scalar::Word("empty").into(),
        Value::Side(side) => Scalar::Word(side.word()).into(),
        Value::Board(_) => Scalar::String(print(games, value)).into(),
        Value::Game(game) => Scalar::Game(print_game(games, *game)).into(),
        Value::Outcome(outcome) => Scalar::Outcome(*outcome).into(),
        Value::Function(function) => {
            let (name, parameters) = (function.name().to_owned(), function.parameters().to_vec());
            Scalar::Function { name, parameters }.into()
        }
    }
}
