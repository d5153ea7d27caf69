//! Converts values to text and to [`Report`]s.

use std::rc::Rc;

use super::Evaluator;
use crate::diagnostic::Result;
use crate::eval::print::{value_as_scalar, write_value, write_vertex_name};
use crate::game::{Games, joined_sides, shows_hexagons};
use crate::ir::{Along, AnswerValue, Side, Value};
use crate::player::{GameId, Player};
use crate::report::{AnswerList, BoardLook, Page, Report, ReportedAlong, ReportedList};
use crate::scalar::Scalar;
use crate::watch::{Context, Stop, watched};

impl Evaluator<'_> {
    /// Prints a value on one line, as the language writes it.
    pub fn print(&self, value: &Value) -> Result<String> {
        Ok(Page::written(self.context, |page| {
            write_value(&self.world.games, value, page)
        })?)
    }

    /// Returns the name of a value as a vertex. Strings that are not bare names are quoted, so that
    /// `1` and `"1"` differ and every name can be read back.
    pub fn vertex_name(&self, value: &Value) -> Result<String> {
        // Large graphs have numbers as vertices, which need no page.
        if let Value::Integer(number) = value
            && let Ok(number) = i64::try_from(number)
        {
            return Ok(number.to_string());
        }
        Ok(Page::written(self.context, |page| {
            write_vertex_name(&self.world.games, value, page)
        })?)
    }
}

/// Returns the drawing of a position's board.
pub fn look(games: &Games, position: GameId) -> BoardLook {
    let joined = joined_sides(games, position);
    let owner = |side: Side| {
        let wants = |player: &Player| joined[*player].contains(&side);
        let mut owners = Player::BOTH.into_iter().filter(wants);
        let first = owners.next();
        // A side that both players want to join has no owner to colour it.
        first.filter(|_| owners.next().is_none())
    };
    BoardLook {
        hexagons: shows_hexagons(games, position),
        sides: Side::ALL.map(owner),
    }
}

/// The number of parts of a value that are processed between two checks for a stop.
const ASK_EVERY: u32 = 256;

/// Converts a value to a report. Lists that occur several times in a value are written out each
/// time, so that the report may be far longer than the value.
pub fn report(games: &Games, value: &Value, context: &Context<'_>) -> Result<Report, Stop> {
    Reporter::new(games, context).report(value)
}

/// Converts a value that is no longer needed to a report: an answer without other references is not
/// copied.
pub fn into_report(games: &Games, value: Value, context: &Context<'_>) -> Result<Report, Stop> {
    Reporter::new(games, context).consume(value)
}

/// Converts a value to a report that the caller may turn back into a value: answers that are lists
/// of values keep them.
pub fn into_report_to_keep(
    games: &Games,
    value: Value,
    context: &Context<'_>,
) -> Result<Report, Stop> {
    let mut reporter = Reporter::new(games, context);
    reporter.keeps_elements = true;
    reporter.consume(value)
}

struct Reporter<'a> {
    games: &'a Games,
    context: &'a Context<'a>,
    /// The number of parts that were processed since the last check.
    unasked: u32,
    keeps_elements: bool,
}

impl<'a> Reporter<'a> {
    fn new(games: &'a Games, context: &'a Context<'a>) -> Self {
        Self {
            games,
            context,
            unasked: 0,
            keeps_elements: false,
        }
    }

    fn consume(&mut self, value: Value) -> Result<Report, Stop> {
        match value {
            Value::Answer(answer) => self.answer(Rc::unwrap_or_clone(answer)),
            other => self.report(&other),
        }
    }

    fn all(&mut self, items: &[Value]) -> Result<Vec<Report>, Stop> {
        items.iter().map(|item| self.report(item)).collect()
    }

    fn report(&mut self, value: &Value) -> Result<Report, Stop> {
        self.unasked += 1;
        if self.unasked == ASK_EVERY {
            self.unasked = 0;
            self.context.check()?;
        }
        Ok(match value {
            Value::List(items) => {
                let along = items.along().map(|along| self.along(along, items.len()));
                Report::List(ReportedList::made_along(
                    self.all(items)?,
                    along.transpose()?,
                ))
            }
            Value::Tuple(items) => Report::Tuple(self.all(items)?),
            Value::Rules(rules) => Report::Rules(rules.fields()),
            Value::Answer(answer) => self.answer(AnswerValue::clone(answer))?,
            one => self.scalar(one)?.into(),
        })
    }

    /// Returns the comprehension that made a list of this length.
    fn along(&mut self, along: &Along, len: usize) -> Result<ReportedAlong, Stop> {
        let mut variables = Vec::with_capacity(along.variables.len());
        for variable in &along.variables {
            let places = watched(0..len, self.context).map(|number| {
                let place = variable.place(number?);
                place.map_or(Ok(Scalar::Word("")), |place| self.scalar(&place))
            });
            let places = places.collect::<Result<Vec<_>, Stop>>()?;
            variables.push((variable.name.to_string(), places));
        }
        let parts = along.parts.iter().map(ToString::to_string).collect();
        Ok(ReportedAlong { variables, parts })
    }

    fn answer(&mut self, answer: AnswerValue) -> Result<Report, Stop> {
        let elements = answer.elements();
        let written: Report = answer.into_report();
        // The elements of tables and of numbers between bounds can be read from the report.
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

    /// Converts a value to one scalar; a board becomes the text that shows it.
    fn scalar(&mut self, value: &Value) -> Result<Scalar, Stop> {
        match value_as_scalar(self.games, value) {
            Some(scalar) => Ok(scalar),
            None => Page::written(self.context, |page| write_value(self.games, value, page))
                .map(Scalar::String),
        }
    }
}
