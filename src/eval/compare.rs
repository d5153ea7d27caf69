//! Equality and order of values.

use std::cmp::Ordering;

use super::evaluator::elements;
use super::value::Value;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::report::Report;
use crate::source::Span;
use crate::syntax::ast::BinaryOp;

impl Value {
    /// Whether two values are the same. Numbers of different forms are compared by value, a table is compared with a
    /// list by its elements; values of different kinds differ.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a == b,
            (Self::Rational(a), Self::Rational(b)) => a == b,
            (Self::Chips(a), Self::Chips(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Player(a), Self::Player(b)) => a == b,
            (Self::Empty, Self::Empty) => true,
            (Self::Side(a), Self::Side(b)) => a == b,
            (Self::Board(a), Self::Board(b)) => {
                (a.shape, a.rows, a.cols) == (b.shape, b.rows, b.cols) && all_same(&a.cells, &b.cells)
            }
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => all_same(a, b),
            (Self::Game(a), Self::Game(b)) => a == b,
            (Self::Function(a), Self::Function(b)) => std::rc::Rc::ptr_eq(a, b),
            (Self::Rules(a), Self::Rules(b)) => a == b,
            (Self::Outcome(a), Self::Outcome(b)) => a == b,
            (Self::Outcome(outcome), Self::Player(player)) | (Self::Player(player), Self::Outcome(outcome)) => {
                *outcome == super::Outcome::Wins(*player)
            }
            (Self::Answer(a), Self::Answer(b)) => match (a.elements(), b.elements()) {
                (Some(left), Some(right)) => same_columns(self, other) && all_same(&left, &right),
                _ => std::rc::Rc::ptr_eq(a, b),
            },
            (Self::Answer(answer), Self::List(list)) | (Self::List(list), Self::Answer(answer)) => {
                answer.elements().is_some_and(|elements| all_same(&elements, list))
            }
            _ => false,
        }
    }
}

/// The order of two tables: column by column, as functions are ordered. One is less than another if it is nowhere
/// more and somewhere less.
pub(super) fn pointwise(
    op: BinaryOp,
    (a, a_span): (&Value, Span),
    (b, b_span): (&Value, Span),
    span: Span,
) -> Result<bool> {
    let (left, right) = (elements(a, a_span)?, elements(b, b_span)?);
    if !same_columns(a, b) {
        return Err(other_columns(a_span, b_span));
    }
    let mut orders = Vec::new();
    for (a, b) in left.iter().zip(right.iter()) {
        orders.push(order((a, a_span), (b, b_span), span)?);
    }
    let (at_most, at_least) = (orders.iter().all(|order| order.is_le()), orders.iter().all(|order| order.is_ge()));
    Ok(match op {
        BinaryOp::Less => at_most && !at_least,
        BinaryOp::LessEqual => at_most,
        BinaryOp::Greater => at_least && !at_most,
        _ => at_least,
    })
}

/// Whether two answers are over the same range, if they are tables.
fn same_columns(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Answer(a), Value::Answer(b)) => match (a.as_report(), b.as_report()) {
            (Report::Table(a), Report::Table(b)) => a.columns == b.columns,
            _ => true,
        },
        _ => true,
    }
}

fn other_columns(a: Span, b: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "these tables are over different ranges")
        .label(a, "one range")
        .label(b, "another one")
        .help("compare them over the same totals")
        .into()
}

fn all_same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
}

/// The order of two values of the same kind; lists and tuples are ordered by their first difference.
pub(crate) fn order((a, a_span): (&Value, Span), (b, b_span): (&Value, Span), span: Span) -> Result<Ordering> {
    if let (Some(a), Some(b)) = (a.as_rational(), b.as_rational()) {
        return Ok(a.cmp(&b));
    }
    if let (Some(a), Some(b)) = (a.as_chips(), b.as_chips()) {
        return Ok(a.cmp(&b));
    }
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => Ok(a.cmp(b)),
        (Value::Game(a), Value::Game(b)) if a == b => Ok(Ordering::Equal),
        (Value::List(_) | Value::Tuple(_) | Value::Answer(_), Value::List(_) | Value::Tuple(_) | Value::Answer(_)) => {
            let (left, right) = (elements(a, a_span)?, elements(b, b_span)?);
            for (a, b) in left.iter().zip(right.iter()) {
                let ordering = order((a, a_span), (b, b_span), span)?;
                if ordering.is_ne() {
                    return Ok(ordering);
                }
            }
            Ok(left.len().cmp(&right.len()))
        }
        _ => Err(not_ordered(a, b, span)),
    }
}

pub(super) fn not_ordered(a: &Value, b: &Value, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::WrongType, format!("{} and {} have no order", a.kinds(), b.kinds()))
        .label(span, "compared here")
        .into()
}
