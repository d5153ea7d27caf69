//! Answers as data, and their writers. A report contains the value, not its layout.
//!
//! A [`Report`] is built from values once. It is divided into [`block`]s in one place, and there is
//! a writer of blocks for each [`Format`]: [`text`], [`csv`], [`latex`] and [`html`]. [`json`] (its
//! schema is `docs/json.md`) writes the data themselves. A new kind of answer is a new variant with
//! its blocks, and no writer changes.

#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod block;
mod closed;
pub mod csv;
mod drawing;
mod hasse;
mod heat;
pub mod html;
pub mod json;
pub mod latex;
mod list;
mod mixed;
mod moves;
mod page;
mod picture;
mod pivotal;
mod plot;
pub mod render;
pub mod safe;
mod strategy;
mod table;
pub mod text;
mod tree;

pub use closed::{ClosedForm, ClosedFormula, Exception, RoundedLine, total};
pub use drawing::{Drawing, GraphEdge, GraphVertex};
pub use hasse::Hasse;
pub use heat::Heat;
pub use list::{ReportedAlong, ReportedList};
pub use mixed::{DecisionRange, MixedBid, MixedMeasure, Nash, Weight};
pub use moves::{Moves, ValuedMove};
pub use page::Page;
pub use picture::{BoardLook, Diagram, DrawnBoard, Picture, colour};
pub use pivotal::{Pivotal, PivotalCell};
pub use plot::{Curve, Plot};
pub use strategy::{
    ForcedPly, ReportedAdvice, ReportedDecision, ReportedPly, ReportedPromise, Strategy,
};
pub use table::{Listing, Row, Table};
pub use tree::{Rest, Tree, TreeIncome, TreeMove, TreeNode};

#[cfg(test)]
mod laws;
#[cfg(test)]
mod readers;
#[cfg(test)]
mod tests;

use std::fmt;

use num_rational::BigRational;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Serialize, Serializer};

use bid_language::rules::FieldValue;
use bid_language::scalar::{NamedGame, Scalar};
use bid_language::watch::{Context, Stop};

/// A printable result.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(untagged)]
pub enum Report {
    /// One word or number.
    Scalar(Scalar),
    /// `[1, 2]`.
    #[serde(serialize_with = "json::list")]
    List(ReportedList),
    /// `(1, 2)`.
    #[serde(serialize_with = "bid_language::scalar::json::tuple")]
    Tuple(Vec<Report>),
    /// `{ ties: marker }`: the fields that were written.
    #[serde(serialize_with = "json::rules")]
    Rules(Vec<FieldValue>),
    /// Named facts, like the counts of `size(G)`.
    #[serde(serialize_with = "json::record")]
    Record(Vec<(String, Report)>),
    /// Values over a range, like `f(G, 0..255)`.
    Table(Table),
    /// Advice on bids and moves.
    Strategy(Strategy),
    /// Every move with its value, best first.
    Moves(Moves),
    /// The optimal moves from a position onwards.
    Tree(Tree),
    /// Both players' optimal mixed bids.
    Nash(Nash),
    /// Thresholds for all totals.
    Closed(ClosedForm),
    /// Objects with named properties.
    Listing(Listing),
    /// A partial order of games.
    Hasse(Hasse),
    /// The graph of a game.
    Drawing(Drawing),
    /// Curves over a range.
    Plot(Plot),
    /// A table as shades.
    Heat(Heat),
    /// The pivot probability of each cell of a selection game.
    Pivotal(Pivotal),
    /// An answer that is also a list of values.
    Sequence(Box<AnswerList>),
}

/// An answer that is also a list of values, for a front end that keeps answers and passes them
/// back. It is written as the answer.
#[derive(Debug, Clone, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct AnswerList {
    /// The answer that is written.
    pub answer: Report,
    /// The values.
    pub elements: Vec<Report>,
}

impl Serialize for AnswerList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Serialize::serialize(&self.answer, serializer)
    }
}

/// The formats in which results can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For reading.
    #[default]
    Text,
    /// For programs: the schema is `docs/json.md`.
    Json,
    /// For spreadsheets.
    Csv,
    /// For papers: `booktabs` tables.
    Latex,
    /// For pages: tables, MathML and SVG.
    Html,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Text, Self::Json, Self::Csv, Self::Latex, Self::Html];

    /// Returns the function that writes a report in this format, and the one that writes it with
    /// its label.
    fn writers(self) -> (Write, WriteLabelled) {
        match self {
            Self::Text => (text::write, text::labelled),
            Self::Json => (json::write, json::labelled),
            Self::Csv => (csv::write, csv::labelled),
            Self::Latex => (latex::write, latex::labelled),
            Self::Html => (html::write, html::labelled),
        }
    }
}

type Write = fn(&Report, &mut Page<'_>) -> fmt::Result;
type WriteLabelled = fn(&str, &Report, &mut Page<'_>) -> fmt::Result;

impl Report {
    /// Returns `true` if two answers have the same content. The labels of tables and closed forms,
    /// which repeat the question, do not count.
    pub fn has_content_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Table(a), Self::Table(b)) => a.has_values_of(b),
            (Self::Closed(a), Self::Closed(b)) => a.unlabelled() == b.unlabelled(),
            _ => self == other,
        }
    }

    /// Renders the report in a format, without a newline at the end.
    pub fn render(&self, format: Format, context: &Context<'_>) -> Result<String, Stop> {
        Page::written(context, |page| format.writers().0(self, page))
    }

    /// Returns `true` if a game is among its values.
    pub fn mentions_games(&self) -> bool {
        let is_game = Scalar::mentions_games;
        match self {
            Self::Scalar(scalar) => is_game(scalar),
            Self::List(items) => items.iter().any(Self::mentions_games),
            Self::Tuple(items) => items.iter().any(Self::mentions_games),
            Self::Record(facts) => facts.iter().any(|(_, fact)| fact.mentions_games()),
            Self::Listing(listing) => listing.rows.iter().flatten().any(is_game),
            Self::Sequence(both) => {
                both.answer.mentions_games() || both.elements.iter().any(Self::mentions_games)
            }
            Self::Rules(_)
            | Self::Table(_)
            | Self::Strategy(_)
            | Self::Moves(_)
            | Self::Tree(_)
            | Self::Nash(_)
            | Self::Closed(_)
            | Self::Hasse(_)
            | Self::Drawing(_)
            | Self::Plot(_)
            | Self::Heat(_)
            | Self::Pivotal(_) => false,
        }
    }

    /// Visits every game among its values.
    pub fn each_game(&mut self, visit: &mut dyn FnMut(&mut NamedGame)) {
        match self {
            Self::Scalar(scalar) => scalar.each_game(visit),
            Self::List(items) => items.iter_mut().for_each(|item| item.each_game(visit)),
            Self::Tuple(items) => items.iter_mut().for_each(|item| item.each_game(visit)),
            Self::Record(facts) => {
                facts.iter_mut().for_each(|(_, fact)| fact.each_game(visit));
            }
            Self::Listing(listing) => {
                let scalars = listing.rows.iter_mut().flatten();
                scalars.for_each(|scalar| scalar.each_game(visit));
            }
            Self::Sequence(both) => {
                both.answer.each_game(visit);
                both.elements
                    .iter_mut()
                    .for_each(|item| item.each_game(visit));
            }
            _ => {}
        }
    }

    /// Renders the report in a format with its label, as `show` prints it.
    pub fn labelled(
        &self,
        label: &str,
        format: Format,
        context: &Context<'_>,
    ) -> Result<String, Stop> {
        Page::written(context, |page| format.writers().1(label, self, page))
    }
}

/// Converts plain values to reports of one word or number.
macro_rules! reports_from {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Report {
            fn from(value: $kind) -> Self {
                Self::Scalar(value.into())
            }
        }
    )*};
}

reports_from! { Scalar, bool, u64, usize, String, &BigRational }

/// Returns a fact of a [`Report::Record`].
pub fn fact(name: impl Into<String>, value: impl Into<Report>) -> (String, Report) {
    (name.into(), value.into())
}
