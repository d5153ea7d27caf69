//! Takes values into a session as data: the answer of an earlier question, or numbers and lists
//! made elsewhere.

use std::rc::Rc;

use num_rational::BigRational;

use super::Session;
use crate::check::GlobalDefinition;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::print::NEVER;
use crate::ir::{Side, Value};
use crate::report::{Report, Table};
use crate::rules::Overrides;
use crate::scalar::Scalar;
use crate::source::Span;
use crate::syntax::{TokenKind, is_keyword, quoted, tokens};

impl Session {
    /// Defines a name at the prompt as a value.
    ///
    /// # Errors
    /// Returns an error if the name is not a valid one, or the value is not a value of this
    /// session.
    pub fn define(&mut self, name: &str, value: &Report) -> Result<()> {
        let source = self.sources.add("<definition>", name);
        let span = Span::new(source, 0..name.len());
        let is_word = matches!(&tokens(name)[..], [token] if token.kind == TokenKind::Word);
        // The tokens leave out blanks, which a name must not have around it.
        if !is_word || is_keyword(name) || name.trim() != name {
            return Err(no_name(name, span));
        }
        let value = self.value(value, span)?;
        self.define_value(name, value, span);
        Ok(())
    }

    pub(super) fn define_value(&mut self, name: &str, value: Value, span: Span) {
        let definition = GlobalDefinition {
            name: name.to_owned(),
            span,
            doc: None,
            kinds: value.kinds(),
            signature: None,
        };
        let id = self.definitions.add(definition);
        self.world.define(id, value);
        self.scope.insert(name.to_owned(), id);
    }

    /// Converts a report to a value, with its elements if the report has them: an
    /// [`AnswerList`](crate::report::AnswerList), a table, an interval, a list.
    pub(super) fn value(&self, report: &Report, span: Span) -> Result<Value> {
        Ok(match report {
            Report::Scalar(scalar) => self.scalar(scalar, span)?,
            Report::List(items) => Value::List(self.values(items, span)?.into()),
            Report::Tuple(items) => Value::Tuple(self.values(items, span)?.into()),
            Report::Rules(fields) => {
                let mut rules = Overrides::default();
                fields.iter().cloned().for_each(|field| rules.set(field));
                Value::Rules(Rc::new(rules))
            }
            Report::Table(table) => Value::answer_row(report.clone(), self.elements(table, span)?),
            Report::Sequence(both) => {
                Value::answer_row(both.answer.clone(), self.values(&both.elements, span)?)
            }
            Report::Record(_)
            | Report::Strategy(_)
            | Report::Moves(_)
            | Report::Tree(_)
            | Report::Nash(_)
            | Report::Closed(_)
            | Report::Listing(_)
            | Report::Hasse(_)
            | Report::Drawing(_)
            | Report::Plot(_)
            | Report::Heat(_)
            | Report::Pivotal(_) => Value::answer(report.clone()),
        })
    }

    fn values(&self, items: &[Report], span: Span) -> Result<Vec<Value>> {
        items.iter().map(|item| self.value(item, span)).collect()
    }

    fn scalars(&self, items: &[Scalar], span: Span) -> Result<Vec<Value>> {
        items.iter().map(|item| self.scalar(item, span)).collect()
    }

    /// Returns the values of a table's row; if it has several rows, a list for each.
    fn elements(&self, table: &Table, span: Span) -> Result<Vec<Value>> {
        match &table.rows[..] {
            [row] => self.scalars(&row.values, span),
            rows => rows
                .iter()
                .map(|row| Ok(Value::List(self.scalars(&row.values, span)?.into())))
                .collect(),
        }
    }

    fn scalar(&self, scalar: &Scalar, span: Span) -> Result<Value> {
        let enclosed = |low, high| Value::enclosed([low, high], scalar.clone());
        Ok(match scalar {
            Scalar::Integer(value) => Value::Integer(value.clone()),
            Scalar::Rational(value) => Value::rational(value.clone()),
            Scalar::Chips(chips) => Value::chips(chips.clone()),
            Scalar::Bool(value) => Value::Bool(*value),
            Scalar::String(text) => Value::text(text.as_str()),
            Scalar::Player(player) => Value::Player(*player),
            Scalar::Outcome(outcome) => Value::Outcome(*outcome),
            Scalar::Word("empty") => Value::Empty,
            Scalar::Word(NEVER) => Value::Never,
            Scalar::Word(word) => side(word).map_or_else(|| Value::text(*word), Value::Side),
            Scalar::Interval(bounds) => {
                match [bounds.low, bounds.high].map(BigRational::from_float) {
                    [Some(low), Some(high)] => enclosed(low, high),
                    _ => Value::answer(Report::Scalar(scalar.clone())),
                }
            }
            Scalar::Bounds(bounds) => enclosed(bounds.low.clone(), bounds.high.clone()),
            // The brackets of an equilibrium are a way of writing and no part of the value.
            Scalar::Equilibrium(value) => self.scalar(value, span)?,
            Scalar::Tuple(parts) => Value::Tuple(self.scalars(parts, span)?.into()),
            // A game is only a number of its session, so one from elsewhere must not be looked up.
            Scalar::Game(game) if self.world.games.knows(game.id) => Value::Game(game.id),
            Scalar::Game(game) => return Err(elsewhere(&game.text, span)),
            Scalar::Function { name, .. } => {
                let known = self
                    .scope
                    .find(name)
                    .and_then(|id| self.world.globals.get(id.0 as usize).cloned().flatten());
                known.ok_or_else(|| elsewhere(name, span))?
            }
        })
    }
}

fn side(word: &str) -> Option<Side> {
    Side::ALL.into_iter().find(|side| side.word() == word)
}

fn no_name(name: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::Syntax, format!("{} is not a name", quoted(name)))
        .label(span, "not a name")
        .help("names are letters, digits and `_`, begin with a letter, and are not words of the language")
        .into()
}

fn elsewhere(name: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::UnknownName,
        format!("{name} does not belong to this session"),
    )
    .label(span, "from elsewhere")
    .help("define it in this session too")
    .into()
}
