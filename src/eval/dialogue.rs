//! Talking with the user, for `play`. The library has no terminal; whoever calls it passes a [`Dialogue`] that has.

use serde::Serialize;

use crate::player::{PerPlayer, Player};

/// A conversation, line by line.
pub trait Dialogue {
    /// Tells the user something.
    fn say(&mut self, text: &str);

    /// Asks for a line; `None` if the user wants to stop.
    fn ask(&mut self, question: &str) -> Option<String>;

    /// A number that the user cannot foresee, for the chances of a match.
    fn chance(&mut self) -> u64;

    /// Whether matches are drawn: then [`Dialogue::see`] is told what the lines of text say.
    fn draws(&self) -> bool {
        false
    }

    /// Shows what the next lines of text say, or what the next question asks, as data.
    fn see(&mut self, _sight: Sight) {}
}

/// What happens in a match, as data for whoever draws it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "sight", rename_all = "snake_case")]
pub enum Sight {
    /// Where the match stands.
    Position {
        /// As it prints.
        position: String,
        /// Whether the cells of its board are hexagons.
        hexagons: bool,
        /// The sides of the board that each player wins by joining, `left`, `right`, `top`, `bottom`; none where winning is something else.
        joins: PerPlayer<Vec<&'static str>>,
        /// Who the user is.
        you: Player,
        /// What both hold; empty words once the match is over.
        holdings: PerPlayer<String>,
        /// The score so far, if there is one.
        score: Option<String>,
        /// Whether the match is over.
        over: bool,
    },
    /// Both bids.
    Bids {
        /// Each player's.
        bids: PerPlayer<String>,
    },
    /// Who wins the bid.
    Won {
        /// The winner.
        player: Player,
        /// Why.
        why: Why,
    },
    /// A move of the optimal player's.
    Moved {
        /// Who moves.
        player: Player,
        /// The move's name; may be empty.
        action: String,
        /// Where it leads.
        position: String,
    },
    /// The user is asked for a bid: a number.
    AskBid {
        /// The greatest that can be afforded.
        most: u64,
        /// What optimal play bids.
        advice: Option<String>,
    },
    /// The user is asked whether to use the tie-breaking advantage: `yes` or `no`.
    AskTie {
        /// Whether optimal play uses it.
        advice: bool,
    },
    /// The user has won the bid and is asked who moves: `move` or `let …`.
    AskMover {
        /// Whom optimal play lets move.
        advice: Player,
    },
    /// The user is asked for a move: its `answer`.
    AskMove {
        /// The moves.
        moves: Vec<Offer>,
    },
}

/// A move that the user may make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// What to answer.
    pub answer: String,
    /// The move's name; may be empty.
    pub action: String,
    /// Where it leads.
    pub position: String,
    /// Whether optimal play makes it.
    pub is_advised: bool,
}

/// Why somebody wins a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The bid is the higher one.
    Higher,
    /// Nobody else can move.
    Alone,
    /// The rules give this player the tie.
    Rule,
    /// The coin gives the tie.
    Coin,
    /// The holder of the advantage has used it.
    AdvantageUsed,
    /// The holder of the advantage has kept it.
    AdvantageKept,
}
