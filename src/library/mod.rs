//! The builtins: one table entry each, with name, types, help and runnable examples. Parsing of calls, checking,
//! completion, `:help` and the tests of the examples all come from the entry.

mod all_pay;
mod boards;
mod classes;
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
mod plots;
mod queries;
mod real;
mod scoring;
mod simulate;
mod simulate_bids;
mod simulate_endless;
mod simulate_money;
mod strategy;

use num_traits::ToPrimitive;

use crate::check::Kinds;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Evaluator, Value, type_error};
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
    /// Whether it answers under objectives of infinite play, or whatever the rules are.
    pub endless: bool,
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

impl Call<'_> {
    /// A named argument, if it is given.
    pub fn option(&self, name: &str) -> Option<(&Value, Span)> {
        self.named.iter().find(|(given, ..)| *given == name).map(|(_, value, span)| (value, *span))
    }

    /// A named argument that is a whole number, not less than `least`.
    ///
    /// # Errors
    /// If it is another value.
    pub fn count(&self, name: &str, least: u64) -> Result<Option<u64>> {
        let Some((value, span)) = self.option(name) else { return Ok(None) };
        let Value::Integer(n) = value else { return Err(type_error(span, Kinds::INTEGER, value)) };
        match n.to_u64().filter(|n| *n >= least) {
            Some(n) => Ok(Some(n)),
            None => Err(Diagnostic::new(Code::BadValue, format!("`{name}` is a whole number from {least} on"))
                .label(span, "out of range")
                .into()),
        }
    }
}

impl Builtin {
    const fn new(name: &'static str, parameters: &'static [Parameter], result: Kinds) -> Self {
        Self {
            name,
            parameters,
            required: parameters.len(),
            variadic: false,
            named: &[],
            endless: false,
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

    /// How it is called: `f(G, k)`, `moves(G[, a, b])`, `pivotal(G[, samples: …, seed: …])`.
    pub fn heading(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let (required, optional) = names.split_at(self.required);
        let mut heading = format!("{}({}", self.name, required.join(", "));
        heading.push_str(if self.variadic { ", …" } else { "" });
        let named: Vec<String> = self.named.iter().map(|parameter| format!("{}: …", parameter.name)).collect();
        let rest = [optional.join(", "), named.join(", ")].into_iter().filter(|rest| !rest.is_empty());
        let open = if required.is_empty() { "[" } else { "[, " };
        let rest: Vec<String> = rest.map(|rest| format!("{open}{rest}]")).collect();
        heading + &rest.join("") + ")"
    }
}

/// Builtins that belong together.
#[derive(Debug)]
pub struct Theme {
    /// What they are about.
    pub title: &'static str,
    tables: &'static [&'static [Builtin]],
}

impl Theme {
    const fn new(title: &'static str, tables: &'static [&'static [Builtin]]) -> Self {
        Self { title, tables }
    }

    /// Its builtins.
    pub fn builtins(&self) -> impl Iterator<Item = &'static Builtin> {
        self.tables.iter().copied().flatten()
    }
}

/// All builtins.
pub const THEMES: &[Theme] = &[
    Theme::new("values of games", &[queries::BUILTINS, real::BUILTINS]),
    Theme::new("every number of chips", &[closed::BUILTINS, order::BUILTINS, classes::BUILTINS]),
    Theme::new("play", &[strategy::BUILTINS, moves::BUILTINS, play::BUILTINS, simulate::BUILTINS]),
    Theme::new("all-pay bidding", &[all_pay::BUILTINS]),
    Theme::new("scoring games", &[scoring::BUILTINS, mixed_scores::BUILTINS, period::BUILTINS]),
    Theme::new("selection games", &[pivotal::BUILTINS]),
    Theme::new("pictures and other formats", &[plots::BUILTINS, exports::BUILTINS]),
    Theme::new("numbers and lists", &[numbers::BUILTINS, lists::BUILTINS]),
    Theme::new("boards", &[boards::BUILTINS]),
];

/// All builtins, theme by theme.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    THEMES.iter().flat_map(Theme::builtins)
}

/// The builtin with this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    all().find(|builtin| builtin.name == name)
}

/// The names of all builtins.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|builtin| builtin.name)
}
