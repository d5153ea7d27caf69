//! The builtins: one table entry each, with name, types, help and runnable examples. Parsing of calls, checking,
//! completion, `:help` and the tests of the examples all come from the entry.

mod all_pay;
mod boards;
mod closed;
mod engine;
mod exports;
mod lists;
mod mixed_scores;
mod moves;
mod numbers;
mod order;
mod period;
mod pivotal;
mod play;
mod play_board;
mod queries;
mod real;
mod scoring;
mod simulate;
mod strategy;

use crate::check::Kinds;
use crate::diagnostic::Result;
use crate::eval::{Evaluator, Value};
use crate::source::Span;

/// A builtin function.
pub struct Builtin {
    /// The name it is called by.
    pub name: &'static str,
    /// The positional parameters in order.
    pub parameters: &'static [Parameter],
    /// How many of them must be given; the last one may be repeated if [`variadic`](Self::variadic).
    pub required: usize,
    /// Whether the last parameter may be given many times.
    pub variadic: bool,
    /// The named parameters, all optional.
    pub named: &'static [Parameter],
    /// What comes out.
    pub result: Kinds,
    /// What it means, in a sentence or two.
    pub help: &'static str,
    /// Expressions with what they print.
    pub examples: &'static [(&'static str, &'static str)],
    /// What it does.
    pub run: fn(&mut Evaluator<'_>, &Call<'_>) -> Result<Value>,
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builtin").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A parameter of a builtin.
#[derive(Debug)]
pub struct Parameter {
    /// What help calls it.
    pub name: &'static str,
    /// What it must be.
    pub kinds: Kinds,
}

/// The evaluated arguments of a call.
#[derive(Debug)]
pub struct Call<'a> {
    /// The builtin's name.
    pub name: &'static str,
    /// The positional arguments with their places.
    pub arguments: Vec<(Value, Span)>,
    /// The named arguments with their places.
    pub named: Vec<(&'static str, Value, Span)>,
    /// The arguments as written.
    pub labels: &'a [String],
    /// The whole call.
    pub span: Span,
}

impl Builtin {
    const fn new(name: &'static str, parameters: &'static [Parameter], result: Kinds) -> Self {
        Self {
            name,
            parameters,
            required: parameters.len(),
            variadic: false,
            named: &[],
            result,
            help: "",
            examples: &[],
            run: |_, _| Ok(Value::Empty),
        }
    }

    /// Whether it takes this many positional arguments.
    pub fn takes(&self, count: usize) -> bool {
        count >= self.required && (self.variadic || count <= self.parameters.len())
    }

    /// The parameter at a place.
    pub fn parameter(&self, index: usize) -> &Parameter {
        &self.parameters[index.min(self.parameters.len() - 1)]
    }

    /// How it is called: `f(G, k)`, `moves(G[, a, b])`.
    pub fn heading(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let (required, optional) = names.split_at(self.required);
        let dots = if self.variadic { ", …" } else { "" };
        match optional {
            [] => format!("{}({}{dots})", self.name, required.join(", ")),
            _ => format!("{}({}[, {}]{dots})", self.name, required.join(", "), optional.join(", ")),
        }
    }
}

/// All builtins, theme by theme.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    [
        queries::BUILTINS,
        real::BUILTINS,
        simulate::BUILTINS,
        strategy::BUILTINS,
        moves::BUILTINS,
        play::BUILTINS,
        pivotal::BUILTINS,
        all_pay::BUILTINS,
        exports::BUILTINS,
        scoring::BUILTINS,
        mixed_scores::BUILTINS,
        period::BUILTINS,
        closed::BUILTINS,
        order::BUILTINS,
        numbers::BUILTINS,
        lists::BUILTINS,
        boards::BUILTINS,
    ]
    .into_iter()
    .flatten()
}

/// The builtin with this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    all().find(|builtin| builtin.name == name)
}

/// The names of all builtins.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|builtin| builtin.name)
}
