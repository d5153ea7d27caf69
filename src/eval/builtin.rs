//! Builtin functions as the evaluator runs them.

use std::collections::HashMap;

use num_traits::ToPrimitive;

use super::evaluator::{Evaluator, type_error};
use crate::ask::{About, Question};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir::{BuiltinSignature, Kinds, Operand, Value};
use crate::source::Span;
use crate::syntax;

/// A builtin function.
#[derive(Debug)]
pub struct Builtin {
    /// Its name, parameters and documentation.
    pub signature: BuiltinSignature,
    /// Returns the questions about games that it asks, as far as its arguments determine them;
    /// `None` if it gives no answer about play.
    pub asks: Option<Asks>,
    /// Computes its value.
    pub run: Run,
}

/// Returns the questions about games that a call asks.
pub type Asks = fn(&mut Evaluator<'_>, &Call<'_>) -> Result<Vec<Question>>;

/// Computes the value of a call.
pub type Run = fn(&mut Evaluator<'_>, &Call<'_>) -> Result<Value>;

/// Returns no questions; for builtins about play that need no method of [`ask`](crate::ask).
pub fn no_question(_: &mut Evaluator<'_>, _: &Call<'_>) -> Result<Vec<Question>> {
    Ok(Vec::new())
}

/// Returns the questions of a builtin that needs the graphs of its games.
pub fn graphs(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    let rules = evaluator.rules();
    let games = call
        .arguments
        .iter()
        .filter_map(|given| match &given.value {
            Value::Game(game) => Some(*game),
            _ => None,
        });
    let question = |game| Question {
        game,
        about: About::Graph,
        rules: rules.clone(),
    };
    Ok(games.map(question).collect())
}

/// The builtin functions that an evaluator knows, by name.
#[derive(Debug, Default)]
pub struct Builtins(HashMap<&'static str, &'static Builtin>);

impl Builtins {
    /// Returns the builtin with this signature.
    pub(super) fn find(&self, signature: &BuiltinSignature) -> &'static Builtin {
        self.0
            .get(signature.name)
            .expect("checking and evaluating know the same builtins")
    }
}

impl FromIterator<&'static Builtin> for Builtins {
    fn from_iter<T: IntoIterator<Item = &'static Builtin>>(builtins: T) -> Self {
        Self(
            builtins
                .into_iter()
                .map(|builtin| (builtin.signature.name, builtin))
                .collect(),
        )
    }
}

/// The evaluated arguments of a call.
#[derive(Debug)]
pub struct Call<'a> {
    /// The builtin's name.
    pub name: &'static str,
    /// The positional arguments with their places.
    pub arguments: Vec<Operand<Value>>,
    /// The named arguments with their places.
    pub named: Vec<(&'static str, Operand<Value>)>,
    /// The arguments as written.
    pub labels: &'a [String],
    /// The whole call.
    pub span: Span,
}

impl Call<'_> {
    /// Returns the first argument as written. It is put in parentheses if it is an operation that
    /// binds less tightly than an operator that may follow it.
    pub fn operand(&self) -> String {
        syntax::operand(self.labels[0].clone())
    }

    /// Returns a named argument, if it is given.
    pub fn option(&self, name: &str) -> Option<Operand<&Value>> {
        self.named
            .iter()
            .find(|(given, _)| *given == name)
            .map(|(_, operand)| operand.as_ref())
    }

    /// Returns a named argument that is a whole number, at least `least`.
    ///
    /// # Errors
    /// Returns an error if it is another value.
    pub fn count(&self, name: &str, least: u64) -> Result<Option<u64>> {
        let Some(Operand { value, span }) = self.option(name) else {
            return Ok(None);
        };
        let Value::Integer(n) = value else {
            return Err(type_error(span, Kinds::INTEGER, value));
        };
        match n.to_u64().filter(|n| *n >= least) {
            Some(n) => Ok(Some(n)),
            None => Err(Diagnostic::new(
                Code::BadValue,
                format!("`{name}` is a whole number from {least} to {}", u64::MAX),
            )
            .label(span, "out of range")
            .help(format!("write, for example, `{name}: {}`", least.max(10)))
            .into()),
        }
    }
}
