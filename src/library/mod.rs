//! The builtins: one table entry each, with name, types, help and runnable examples. Parsing of
//! calls, checking, completion, `:help` and the tests of the examples are all derived from the
//! entry.

/// A table of builtins: the call of each and the kinds of its result, the questions that it asks,
/// the function that computes it, further fields of its signature, its help, and examples with their
/// output.
macro_rules! builtins {
    ($(
        $name:literal($parameters:expr) -> $result:expr, $asks:expr, $run:expr,
        $({ $($field:ident: $value:expr),+ $(,)? })?
        $help:literal $(, $example:expr => $prints:expr)*;
    )*) => {
        &[$($crate::eval::Builtin {
            signature: $crate::ir::BuiltinSignature {
                $($($field: $value,)+)?
                help: $help,
                examples: &[$(($example, $prints)),*],
                ..$crate::ir::BuiltinSignature::new($name, $parameters, $result)
            },
            asks: $asks,
            run: $run,
        }),*]
    };
}

mod all_pay;
mod arguments;
mod asks;
mod boards;
mod data;
mod formats;
mod pivotal;
mod play;
mod scoring;
mod sums;
mod totals;
mod values;

use crate::eval::Builtin;
use crate::ir::{BuiltinSignature, Kinds, Parameter};

const GAME: &[Parameter] = &[Parameter::new("G", Kinds::GAME)];
const GAME_AND_CHIPS: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("a", Kinds::HOLDING),
    Parameter::new("b", Kinds::HOLDING),
];
const GAME_AND_COIN: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("p", Kinds::NUMBER),
];

/// A group of builtins on one theme.
#[derive(Debug)]
pub struct Theme {
    /// The word that asks for their help.
    pub word: &'static str,
    /// The title of the group.
    pub title: &'static str,
    tables: &'static [&'static [Builtin]],
}

impl Theme {
    const fn new(
        word: &'static str,
        title: &'static str,
        tables: &'static [&'static [Builtin]],
    ) -> Self {
        Self {
            word,
            title,
            tables,
        }
    }

    /// Returns the signatures of its builtins.
    pub fn signatures(&self) -> impl Iterator<Item = &'static BuiltinSignature> {
        self.tables
            .iter()
            .copied()
            .flatten()
            .map(|builtin| &builtin.signature)
    }
}

/// All builtins by theme.
pub const THEMES: &[Theme] = &[
    Theme::new(
        "values",
        "values of games",
        &[
            values::queries::BUILTINS,
            values::bounds::BUILTINS,
            values::real::BUILTINS,
        ],
    ),
    Theme::new(
        "totals",
        "every number of chips",
        &[
            totals::closed::BUILTINS,
            totals::order::BUILTINS,
            totals::classes::BUILTINS,
        ],
    ),
    Theme::new(
        "matches",
        "play",
        &[
            play::strategy::BUILTINS,
            play::moves::BUILTINS,
            play::dialogue::BUILTINS,
            play::simulate::BUILTINS,
        ],
    ),
    Theme::new("all-pay", "all-pay bidding", &[all_pay::BUILTINS]),
    Theme::new(
        "scoring",
        "scoring games",
        &[
            scoring::pure::BUILTINS,
            scoring::mixed::BUILTINS,
            scoring::period::BUILTINS,
        ],
    ),
    Theme::new("sums", "sums of games", &[sums::BUILTINS]),
    Theme::new("selection", "selection games", &[pivotal::BUILTINS]),
    Theme::new(
        "pictures",
        "pictures and other formats",
        &[
            formats::plots::BUILTINS,
            formats::draw::BUILTINS,
            formats::exports::BUILTINS,
            formats::interchange::BUILTINS,
            formats::prism::BUILTINS,
        ],
    ),
    Theme::new(
        "numbers",
        "numbers and lists",
        &[data::numbers::BUILTINS, data::lists::BUILTINS],
    ),
    Theme::new("boards", "boards", &[boards::BUILTINS]),
];

/// Returns all builtins, theme by theme.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    THEMES
        .iter()
        .flat_map(|theme| theme.tables.iter().copied().flatten())
}

/// Returns the signatures of all builtins.
pub fn signatures() -> impl Iterator<Item = &'static BuiltinSignature> {
    THEMES.iter().flat_map(Theme::signatures)
}
