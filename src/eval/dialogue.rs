//! Talks with the user, for `play`. The library has no terminal; the caller passes a [`Dialogue`]
//! that has one.

use std::cmp::Ordering;

use num_traits::Zero;
use serde::Serialize;

use crate::game::Score;
use crate::player::{PerPlayer, Player};

/// A conversation, line by line.
pub trait Dialogue {
    /// Tells the user something.
    fn say(&mut self, text: &str);

    /// Asks for a line; `None` if the user wants to stop.
    fn ask(&mut self, question: &str) -> Option<String>;

    /// Returns a number that the user cannot foresee, for the random choices of a match.
    fn chance(&mut self) -> u64;

    /// Returns `true` if matches are drawn. Then [`Dialogue::see`] is called with the data of each
    /// text.
    fn draws(&self) -> bool {
        false
    }

    /// Shows, as data, the content of the next lines of text or of the next question.
    fn see(&mut self, _sight: Sight) {}
}

/// An event of a match, as data for the program that draws it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "sight", rename_all = "snake_case")]
pub enum Sight {
    /// The state of the match.
    Position {
        /// The position as it is printed.
        position: String,
        /// `true` if the cells of its board are hexagons.
        hexagons: bool,
        /// The sides of the board that each player wins by joining, `left`, `right`, `top`,
        /// `bottom`; empty if the game is won otherwise.
        joins: PerPlayer<Vec<&'static str>>,
        /// The user's player.
        you: Player,
        /// The budgets of both players; empty strings once the match is over.
        holdings: PerPlayer<String>,
        /// The score so far, if there is one.
        score: Option<String>,
        /// `true` if the match is over.
        over: bool,
    },
    /// The match is over.
    Over {
        /// The winner, if somebody has won.
        winner: Option<Player>,
        /// The cells of the board that decided the match, row by row from the top.
        cells: Vec<usize>,
        /// The result in words.
        words: String,
    },
    /// Both bids.
    Bids {
        /// The bid of each player.
        bids: PerPlayer<String>,
        /// The event in words.
        words: String,
    },
    /// The winner of the bid.
    Won {
        /// The winner.
        player: Player,
        /// The reason that this player wins.
        why: Why,
        /// The event in words.
        words: String,
    },
    /// A move of the optimal player, or the user's only move.
    Moved {
        /// The player who moves.
        player: Player,
        /// The move's name; may be empty.
        action: String,
        /// The position that it leads to.
        position: String,
        /// The event in words.
        words: String,
    },
    /// The user is asked for a bid: a number.
    AskBid {
        /// The greatest bid that the user can afford.
        most: u64,
        /// The bid of optimal play.
        advice: Option<String>,
        /// The message for a greater number.
        too_large: String,
        /// The message for any other text.
        no_number: String,
    },
    /// The user is asked whether to use the tie-breaking advantage: `yes` or `no`.
    AskTie {
        /// `true` if optimal play uses it.
        advice: bool,
    },
    /// The user has won the bid and is asked who moves: `move` or `let …`.
    AskMover {
        /// The player whom optimal play lets move.
        advice: Player,
        /// The moves of the user, which can be answered after `move`. A single one is not asked
        /// for.
        moves: Vec<Offer>,
    },
    /// The user is asked for a move: its `answer`.
    AskMove {
        /// The moves.
        moves: Vec<Offer>,
    },
}

impl Sight {
    /// Makes the event of both bids, in words for one of the players.
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

    /// Makes the event of a won bid, in words for one of the players.
    pub fn won(player: Player, why: Why, you: Player) -> Self {
        let wins = if player == you {
            "you win".to_owned()
        } else {
            format!("{} wins", player.name())
        };
        let words = match why {
            Why::Higher => format!("{wins} the bid"),
            Why::Alone if player == you => "you move without a bid".to_owned(),
            Why::Alone => format!("{} moves without a bid", player.name()),
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

    /// Makes the event of a move of the user's opponent.
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

    /// Makes the event of the only move that the user can make.
    pub fn only_move(player: Player, action: String, position: String) -> Self {
        // Moves of expressions and graphs have no names.
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

    /// Makes the end of a match, in words for one of the players.
    pub fn over(result: MatchResult, cells: Vec<usize>, you: Player) -> Self {
        let (winner, words) = match result {
            MatchResult::Won(player) if player == you => (Some(player), "You have won".to_owned()),
            MatchResult::Won(player) => (Some(player), format!("{} has won", player.name())),
            MatchResult::Drawn => (None, "The match is a draw".to_owned()),
            MatchResult::Scored(score) => {
                let score = score_in_words(score, you);
                (None, format!("The final score is {score}"))
            }
        };
        Self::Over {
            winner,
            cells,
            words,
        }
    }

    /// Returns the event in words that a terminal prints; empty for a position, a question or the
    /// end.
    pub fn words(&self) -> &str {
        match self {
            Self::Bids { words, .. } | Self::Won { words, .. } | Self::Moved { words, .. } => words,
            Self::Position { .. }
            | Self::Over { .. }
            | Self::AskBid { .. }
            | Self::AskTie { .. }
            | Self::AskMover { .. }
            | Self::AskMove { .. } => "",
        }
    }
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchResult {
    /// A player has won.
    Won(Player),
    /// It is a draw.
    Drawn,
    /// It has a score, positive for Alice.
    Scored(Score),
}

/// Returns a score in words for one of the players: `2, in your favour`.
pub fn score_in_words(score: Score, you: Player) -> String {
    let ahead = match score.cmp(&Score::zero()) {
        Ordering::Equal => return score.to_string(),
        Ordering::Greater => Player::Alice,
        Ordering::Less => Player::Bob,
    };
    if ahead == you {
        format!("{score}, in your favour")
    } else {
        format!("{score}, in {}'s favour", ahead.name())
    }
}

/// A move that the user may make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The answer that chooses it.
    pub answer: String,
    /// The move's name; may be empty.
    pub action: String,
    /// The position that it leads to.
    pub position: String,
    /// `true` if optimal play chooses it.
    pub is_advised: bool,
}

/// The reason that a player wins a bid.
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
