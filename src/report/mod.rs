//! Results as meaning-tagged data: what a value is, not how it looks.
//!
//! A [`Report`] is built from values once and rendered by one module per [`Format`]: [`text`], [`json`] (its schema is
//! `docs/json.md`), [`csv`] and [`latex`]. A new kind of answer is a new variant, and the compiler lists the four places
//! that must learn to write it.

mod board;
mod bounds;
mod braille;
mod closed;
pub mod csv;
mod hasse;
mod heat;
pub mod json;
pub mod latex;
mod mixed;
mod outline;
mod page;
mod picture;
mod pivotal;
mod plot;
pub mod safe;
pub mod text;

pub use board::DrawnBoard;
pub use bounds::Bounds;
pub use closed::{ClosedForm, Exception, Formula, Listing, total};
pub use hasse::Hasse;
pub use heat::Heat;
pub use mixed::{Decided, MixedBid, Nash, Weight, Worth, svg as mixed_svg};
pub use page::{Beginning, Page};
pub use picture::{Diagram, Undrawn};
pub use pivotal::{Pivotal, PivotalCell};
pub use plot::{Curve, Plot};

#[cfg(test)]
mod tests;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::player::{Outcome, Player};
use crate::rules::{Chips, FieldValue, Mark};
use crate::watch::{Stop, Watch};

/// A printable result.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// One word or number.
    Scalar(Scalar),
    /// `[1, 2]`.
    List(Vec<Report>),
    /// `(1, 2)`.
    Tuple(Vec<Report>),
    /// `{ ties: marker }`: the fields that were written.
    Rules(Vec<FieldValue>),
    /// Named facts, like the counts of `size(G)`.
    Record(Vec<(String, Report)>),
    /// Values over a range, like `f(G, 0..255)`.
    Table(Table),
    /// What to bid and where to move.
    Strategy(Strategy),
    /// Every move with its value, best first.
    Moves(Moves),
    /// The optimal moves from a position onwards.
    Tree(Tree),
    /// Both players' optimal mixed bids.
    Nash(Nash),
    /// Thresholds for all totals.
    Closed(ClosedForm),
    /// Things with named properties.
    Listing(Listing),
    /// A partial order of games.
    Hasse(Hasse),
    /// Curves over a range.
    Plot(Plot),
    /// A table as shades.
    Heat(Heat),
    /// What each cell of a selection game is worth.
    Pivotal(Pivotal),
}

/// One word or number.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// `5`.
    Integer(BigInt),
    /// `133/256`.
    Rational(BigRational),
    /// `4*`, `3-ε`.
    Chips(Chips),
    /// A number between proved bounds.
    Interval(Interval),
    /// The same with bounds of any length.
    Bounds(Bounds),
    /// Several of them that belong together: `(0*, 1)`.
    Tuple(Vec<Scalar>),
    /// `true`, `false`.
    Bool(bool),
    /// Text: a string, a position, a vertex's label, an export.
    String(String),
    /// `alice`, `bob`.
    Player(Player),
    /// `alice`, `bob`, `draw`, `undetermined`.
    Outcome(Outcome),
    /// A word of the language that is a value: `empty`, `top`.
    Word(&'static str),
    /// A game as an expression, `A ∧ B^2`.
    Game(String),
    /// A function.
    Function {
        /// Its name.
        name: String,
        /// The names of its parameters.
        parameters: Vec<String>,
    },
}

/// Proved bounds of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// It is not less.
    pub low: f64,
    /// It is not more.
    pub high: f64,
}

/// Rows of values over a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What the columns run over: `k`.
    pub parameter: String,
    /// The parameter's values.
    pub columns: Vec<Scalar>,
    /// One row or more.
    pub rows: Vec<Row>,
}

/// A row of a [`Table`].
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What stands before it: `f(E, k)`.
    pub label: String,
    /// A value for each column.
    pub values: Vec<Scalar>,
}

/// What to bid and where to move, for one player or for both.
#[derive(Debug, Clone, PartialEq)]
pub struct Strategy {
    /// Advice for the player who wins; for each of them if it is a draw.
    pub advice: Vec<Advice>,
}

/// Advice for one player at one position.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// Whom it is for.
    pub player: Player,
    /// What it guarantees against every reply.
    pub promise: Promise,
    /// The bid; `None` where there is nothing to bid for (the game has ended, or one player moves anyway).
    pub bid: Option<BigRational>,
    /// On a tie, where the rules leave a choice: whether to use the tie-breaking advantage.
    pub use_advantage: Option<bool>,
    /// What to do after winning with the higher bid; `None` if the bid cannot win so.
    pub decision: Option<Decision>,
    /// What to do after winning a tie, where that is something else.
    pub tied_decision: Option<Decision>,
    /// The move to make when the opponent wins the bid and lets the player move (zugzwang).
    pub forced: Option<Ply>,
}

/// What a strategy guarantees.
#[derive(Debug, Clone, PartialEq)]
pub enum Promise {
    /// To win.
    Win,
    /// Not to lose.
    NoLoss,
    /// Nothing: the opponent wins against best play.
    Nothing,
    /// A score: Alice gets at least this from here on, Bob concedes at most this.
    Score(Scalar),
}

impl Promise {
    /// The promise of a score in words, for a player's table cell.
    fn bound(player: Player, score: &Scalar) -> String {
        match player {
            Player::Alice => format!("at least {score}"),
            Player::Bob => format!("at most {score}"),
        }
    }
}

/// What the winner of a bid does.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Makes this move.
    Move(Ply),
    /// Lets the opponent move.
    LetMove,
}

/// A move as the tool prints it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// Who makes it.
    pub player: Player,
    /// `place(1, 1)`; empty for a move of an expression or a graph, which is told by where it leads.
    pub action: String,
    /// The position it leads to.
    pub position: String,
}

/// Every move with its value, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Moves {
    /// What the values are: `R`, `f`, `outcome`.
    pub measure: String,
    /// The moves: Alice's, then Bob's, each best first.
    pub moves: Vec<ValuedMove>,
}

/// A move and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct ValuedMove {
    /// The move.
    pub ply: Ply,
    /// The value of the position it leads to.
    pub value: Scalar,
    /// Whether no other move of that player is better.
    pub best: bool,
}

/// The optimal moves from a position onwards: a graph, since lines of play may meet again.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// What the values are: `R`, `f`.
    pub measure: String,
    /// The vertices; the first is the start.
    pub nodes: Vec<TreeNode>,
}

/// A vertex of a [`Tree`].
#[derive(Debug, Clone, PartialEq)]
pub struct TreeNode {
    /// The position.
    pub position: String,
    /// Whether the cells of its board are hexagons.
    pub hexagons: bool,
    /// Its value.
    pub value: Scalar,
    /// The optimal moves: who moves, the move's name, and the index of the vertex it leads to.
    pub moves: Vec<(Player, String, usize)>,
    /// Whether these are all of them.
    pub rest: Rest,
}

/// Why a vertex of a [`Tree`] has no moves, or that it has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// All optimal moves are there.
    Shown,
    /// Nothing is open any more: it is won, lost or drawn whoever moves.
    Decided,
    /// The moves are left out: it lies at the depth that was asked for.
    LeftOut,
}

/// The forms in which results can be written.
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
}

impl Report {
    /// The report in a form, without a newline at the end.
    ///
    /// # Errors
    /// If the watch stops it.
    pub fn render(&self, format: Format, watch: &dyn Watch) -> Result<String, Stop> {
        Page::written(watch, |page| match format {
            Format::Text => text::write(self, page),
            Format::Json => json::write(self, page),
            Format::Csv => csv::write(self, page),
            Format::Latex => latex::write(self, page),
        })
    }

    /// The report in a form, with its label: what `show` prints.
    ///
    /// # Errors
    /// If the watch stops it.
    pub fn labelled(&self, label: &str, format: Format, watch: &dyn Watch) -> Result<String, Stop> {
        Page::written(watch, |page| match format {
            Format::Text => text::labelled(label, self, page),
            Format::Json => json::labelled(label, self, page),
            Format::Csv => csv::labelled(label, self, page),
            Format::Latex => latex::labelled(label, self, page),
        })
    }
}

impl From<Scalar> for Report {
    fn from(scalar: Scalar) -> Self {
        Self::Scalar(scalar)
    }
}

impl From<&Chips> for Scalar {
    fn from(chips: &Chips) -> Self {
        if chips.mark == Mark::None { Self::Integer(chips.count.clone()) } else { Self::Chips(chips.clone()) }
    }
}
