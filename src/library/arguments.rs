//! Reads the arguments of calls. Their number and their kinds have been checked before a builtin is
//! run.

use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Call, Placed, elements, type_error};
use crate::ir::{Kinds, Operand, Value};
use crate::player::{GameId, Player};
use crate::rules::admit;
use crate::solve::richman::Coin;
use crate::source::Span;
use crate::watch::{Context, watched};

impl Call<'_> {
    /// Returns the first argument, a game.
    pub fn game(&self) -> GameId {
        self.game_at(0)
    }

    /// Returns an argument that is a game.
    pub fn game_at(&self, argument: usize) -> GameId {
        match self.arguments[argument].value {
            Value::Game(game) => game,
            _ => unreachable!("the kinds of arguments have been checked"),
        }
    }

    /// Returns an argument that is an integer.
    pub fn integer(&self, argument: usize) -> &BigInt {
        match &self.arguments[argument].value {
            Value::Integer(n) => n,
            _ => unreachable!("the kinds of arguments have been checked"),
        }
    }

    /// Returns the elements of an argument that is a sequence.
    pub fn sequence(&self, argument: usize) -> Result<Rc<[Value]>> {
        let Operand { value, span } = &self.arguments[argument];
        elements(value, *span)
    }

    /// Returns an argument that is a total of both players' chips, if it is given.
    pub fn total(&self, argument: usize) -> Result<Option<u64>> {
        let given = self.arguments.get(argument);
        given
            .map(|given| total(&given.value, given.span))
            .transpose()
    }

    /// Returns the probability with which a coin falls for Alice, if the second argument or `coin:`
    /// names one.
    pub fn coin(&self) -> Result<Option<Coin>> {
        let second = self.arguments.get(1).map(Operand::as_ref);
        second
            .or_else(|| self.option("coin"))
            .map(|given| coin(given.value, given.span))
            .transpose()
    }

    /// Returns a named argument that is true or false, if it is given.
    pub fn flag(&self, name: &str) -> Option<bool> {
        Some(matches!(self.option(name)?.value, Value::Bool(true)))
    }

    /// Returns the numbers of chips in an argument that is one of them or several.
    pub fn budgets(&self, argument: usize) -> Result<Vec<u64>> {
        let Operand { value, span } = &self.arguments[argument];
        match is_list(value) {
            true => counts(&elements(value, *span)?, *span),
            false => counts(std::slice::from_ref(value), *span),
        }
    }
}

/// Returns `true` if a value is a list or a table.
pub(crate) fn is_list(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Answer(_))
}

/// Reads whole numbers of chips.
pub(crate) fn counts(values: &[Value], span: Span) -> Result<Vec<u64>> {
    let count = |value: &Value| match value {
        Value::Integer(n) => admit::total(n).placed(span),
        other => Err(type_error(span, Kinds::INTEGER, other)),
    };
    values.iter().map(count).collect()
}

/// Reads the totals of a list, or a single total.
pub(crate) fn totals(value: &Value, span: Span, context: &Context<'_>) -> Result<Vec<u64>> {
    if let Value::Integer(_) = value {
        return Ok(vec![total(value, span)?]);
    }
    watched(elements(value, span)?.iter(), context)
        .map(|k| total(k?, span))
        .collect()
}

/// Reads a total of both players' chips.
pub(crate) fn total(value: &Value, span: Span) -> Result<u64> {
    let Value::Integer(k) = value else {
        return Err(type_error(span, Kinds::INTEGER, value));
    };
    admit::total(k).map_err(|error| error.label(span, "the number of chips").into())
}

/// Reads a coin that falls for Alice with this probability.
fn coin(value: &Value, span: Span) -> Result<Coin> {
    let refused = |message: &str, help: &str| {
        Err(Diagnostic::new(Code::BadValue, message)
            .label(span, "no such coin")
            .help(help)
            .into())
    };
    let Some(probability) = value.as_rational() else {
        unreachable!("the kinds of arguments have been checked");
    };
    let [zero, one] = [BigRational::zero(), BigRational::one()];
    if probability == zero || probability == one {
        // Solvers treat a coin without chance apart, since its weights would be 0 and 1.
        return Ok(Coin::always(if probability == one {
            Player::Alice
        } else {
            Player::Bob
        }));
    }
    if !(zero..one).contains(&probability) {
        return refused(
            "a probability is from 0 to 1",
            "write a probability like `2/3`",
        );
    }
    match Coin::new(&probability) {
        Some(coin) => Ok(coin),
        None => refused(
            "the fraction is too long for a coin",
            "its denominator may be 2,000,000,000 at most",
        ),
    }
}
