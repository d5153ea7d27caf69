//! Values as text and as [`Report`]s.

use std::rc::Rc;

use super::Evaluator;
use crate::diagnostic::Result;
use crate::eval::print::{value_as_scalar, write_value, write_vertex_name};
use crate::game::Games;
use crate::ir::{AnswerValue, Value};
use crate::report::{AnswerList, Page, Report};
use crate::scalar::Scalar;
use crate::watch::{Context, Stop};

impl Evaluator<'_> {
    /// The value on one line, as the language writes it.
    ///
    /// # Errors
    /// If it is stopped.
    pub fn print(&self, value: &Value) -> Result<String> {
        Ok(Page::written(self.context, |page| {
            write_value(&self.world.games, value, page)
        })?)
    }

    /// What a value is called as a vertex: strings that are no bare names are quoted, so that `1`
    /// and `"1"` differ and every name reads back.
    ///
    /// # Errors
    /// If it is stopped.
    pub fn vertex_name(&self, value: &Value) -> Result<String> {
        Ok(Page::written(self.context, |page| {
            write_vertex_name(&self.world.games, value, page)
        })?)
    }
}

/// How many parts of a value are taken in between two checks.
const ASK_EVERY: u32 = 256;

/// The report of a value. Lists that a value shares with itself are written out each time, so that
/// it may be far longer than the value.
///
/// # Errors
/// If it is stopped.
pub fn report(
    games: &Games,
    value: &Value,
    context: &Context<'_>,
) -> std::result::Result<Report, Stop> {
    Reporter {
        games,
        context,
        unasked: 0,
        keeps_elements: false,
    }
    .report(value)
}

/// The report of a value that is not needed any more: an answer that nobody else has is not copied.
///
/// # Errors
/// If it is stopped.
pub fn into_report(
    games: &Games,
    value: Value,
    context: &Context<'_>,
) -> std::result::Result<Report, Stop> {
    Reporter {
        games,
        context,
        unasked: 0,
        keeps_elements: false,
    }
    .consume(value)
}

/// The same for whoever may give the value back: answers that are lists of values keep them.
///
/// # Errors
/// If it is stopped.
pub fn into_report_to_keep(
    games: &Games,
    value: Value,
    context: &Context<'_>,
) -> std::result::Result<Report, Stop> {
    Reporter {
        games,
        context,
        unasked: 0,
        keeps_elements: true,
    }
    .consume(value)
}

struct Reporter<'a> {
    games: &'a Games,
    context: &'a Context<'a>,
    /// How many parts were taken in since the last check.
    unasked: u32,
    keeps_elements: bool,
}

impl Reporter<'_> {
    fn consume(&mut self, value: Value) -> std::result::Result<Report, Stop> {
        match value {
            Value::Answer(answer) => self.answer(Rc::unwrap_or_clone(answer)),
            other => self.report(&other),
        }
    }

    fn all(&mut self, items: &[Value]) -> std::result::Result<Vec<Report>, Stop> {
        items.iter().map(|item| self.report(item)).collect()
    }

    fn report(&mut self, value: &Value) -> std::result::Result<Report, Stop> {
        self.unasked += 1;
        if self.unasked == ASK_EVERY {
            self.unasked = 0;
            self.context.check()?;
        }
        Ok(match value {
            Value::List(items) => Report::List(self.all(items)?),
            Value::Tuple(items) => Report::Tuple(self.all(items)?),
            Value::Rules(rules) => Report::Rules(rules.fields()),
            Value::Answer(answer) => self.answer(AnswerValue::clone(answer))?,
            one => self.scalar(one)?.into(),
        })
    }

    fn answer(&mut self, answer: AnswerValue) -> std::result::Result<Report, Stop> {
        let elements = answer.elements();
        let written: Report = answer.into_report();
        // The elements of tables and of numbers between bounds are read off them.
        let is_read_off = matches!(written, Report::Table(_) | Report::Scalar(_));
        Ok(match elements {
            Some(elements) if self.keeps_elements && !is_read_off => {
                Report::Sequence(Box::new(AnswerList {
                    answer: written,
                    elements: self.all(&elements)?,
                }))
            }
            _ => written,
        })
    }

    /// A word or number; a board is the text that shows it.
    fn scalar(&mut self, value: &Value) -> std::result::Result<Scalar, Stop> {
        match value_as_scalar(self.games, value) {
            Some(scalar) => Ok(scalar),
            None => Page::written(self.context, |page| write_value(self.games, value, page))
                .map(Scalar::String),
        }
    }
}
