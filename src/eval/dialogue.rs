//! Talking with the user, for `play`. The library has no terminal; whoever calls it passes a
//! [`Dialogue`] that has.

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
        /// The sides of the board that each player wins by joining, `left`, `right`, `top`,
        /// `bottom`; none where winning is something else.
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
        /// The same in words.
        words: String,
    },
    /// Who wins the bid.
    Won {
        /// The winner.
        player: Player,
        /// Why.
        why: Why,
        /// The same in words.
        words: String,
    },
    /// A move of the optimal player's, or the user's only one.
    Moved {
        /// Who moves.
        player: Player,
        /// The move's name; may be empty.
        action: String,
        /// Where it leads.
        position: String,
        /// The same in words.
        words: String,
    },
    /// The user is asked for a bid: a number.
    AskBid {
        /// The greatest that can be afforded.
        most: u64,
        /// What optimal play bids.
        advice: Option<String>,
        /// What to say of a greater number.
        too_large: String,
        /// What to say of anything else.
        no_number: String,
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

impl Sight {
    /// Both bids, told to one of the players.
    pub fn bids(bids: PerPlayer<String>, you: Player) -> Self {
        let other = you.other();
        let words = format!(
            "you bid {}, {} bids {}",
            bids[you],
            other.name(),
            bids[other]
        );
        Self::Bids { bids, words }
    }

    /// Who wins the bid, told to one of the players.
    pub fn won(player: Player, why: Why, you: Player) -> Self {
        let wins = if player == you {
            "you win".to_owned()
        } else {
            format!("{} wins", player.name())
        };
        let words = match why {
            Why::Higher => format!("{wins} the bid"),
            Why::Alone => format!("{wins} the bid, as nobody else can move"),
            Why::Rule => format!("{wins} the tie, by the rules"),
            Why::Coin => format!("{wins} the tie, by the coin"),
            Why::AdvantageUsed => format!("{wins} the tie, using the advantage"),
            Why::AdvantageKept if player == you => {
                format!(
                    "{wins} the tie, as {} keeps the advantage",
                    player.other().name()
                )
            }
            Why::AdvantageKept => format!("{wins} the tie, as you keep the advantage"),
        };
        Self::Won { player, why, words }
    }

    /// A move of the player whom the user plays against.
    pub fn moved(player: Player, action: String, position: String) -> Self {
        let words = match action.as_str() {
            "" => format!("{} moves to {position}", player.name()),
            action => format!("{} moves: {action}", player.name()),
        };
        Self::Moved {
            player,
            action,
            position,
            words,
        }
    }

    /// The only move that the user can make.
    pub fn only_move(player: Player, action: String, position: String) -> Self {
        let move_made = if action.is_empty() {
            format!("to {position}")
        } else {
            action.clone()
        };
        let words = format!("your only move: {move_made}");
        Self::Moved {
            player,
            action,
            position,
            words,
        }
    }

    /// What has happened, in words; empty for what is shown or asked.
    pub fn words(&self) -> &str {
        match self {
            Self::Bids { words, .. } | Self::Won { words, .. } | Self::Moved { words, .. } => words,
            Self::Position { .. }
            | Self::AskBid { .. }
            | Self::AskTie { .. }
            | Self::AskMover { .. }
            | Self::AskMove { .. } => "",
        }
    }
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
