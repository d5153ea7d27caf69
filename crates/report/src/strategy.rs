//! Advice on bids and moves.

use std::borrow::Cow;

use borsh::{BorshDeserialize, BorshSerialize};
use num_rational::BigRational;
use serde::Serialize;

use super::block::{Block, Cell, Facts, Line, Medium};
use super::{Report, json};
use bid_language::player::Player;
use bid_language::scalar::Scalar;

/// Advice on bids and moves, for one player or for both.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "strategy")]
pub struct Strategy {
    /// The advice for the player who wins, or for both players if it is a draw.
    pub advice: Vec<ReportedAdvice>,
}

/// Advice for one player at one position.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ReportedAdvice {
    /// The player.
    pub player: Player,
    /// The result that it guarantees against every reply.
    pub promise: ReportedPromise,
    /// The bid, or `None` if there is nothing to bid for (the game has ended, or one player moves
    /// anyway).
    #[serde(serialize_with = "json::maybe_text")]
    #[borsh(
        serialize_with = "bid_language::codec::write_bid",
        deserialize_with = "bid_language::codec::read_bid"
    )]
    pub bid: Option<BigRational>,
    /// `true` to use the tie-breaking advantage on a tie, where the rules leave a choice.
    pub use_advantage: Option<bool>,
    /// The decision after winning with the higher bid, or without a bid where there is none. `None`
    /// if the bid cannot win in this way.
    pub decision: Option<ReportedDecision>,
    /// The decision after winning a tie, if it is another one.
    pub tied_decision: Option<ReportedDecision>,
    /// The move if the opponent wins the bid and makes the player move (zugzwang).
    pub forced: Option<ReportedPly>,
    /// The move if the opponent wins a tie and makes the player move, if it is another one.
    pub tied_forced: Option<ReportedPly>,
    /// Further moves if the opponent wins with still higher bids and makes the player move, by
    /// ascending bids.
    pub forced_by_more: Vec<ForcedPly>,
}

/// A move to make if the opponent wins with a high bid and makes the player move.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ForcedPly {
    /// The least bid of the opponent's for which this is the move.
    #[serde(serialize_with = "json::text")]
    pub from: u64,
    /// The move.
    #[serde(flatten)]
    pub ply: ReportedPly,
}

/// The result that a strategy guarantees.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportedPromise {
    /// A win.
    Win,
    /// No loss.
    NoLoss,
    /// Nothing. The opponent wins with best play.
    Nothing,
    /// A score: Alice gets at least this from here on.
    AtLeast(Scalar),
    /// A score: Bob concedes at most this from here on.
    AtMost(Scalar),
}

/// The decision of a bid's winner.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportedDecision {
    /// Lets this player, the opponent, move.
    LetMove(Player),
    /// Makes this move.
    #[serde(untagged)]
    Move(ReportedPly),
}

/// A move as the program prints it.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ReportedPly {
    /// The player who moves.
    pub player: Player,
    /// The name, `place(1, 1)`. It is empty for a move of an expression or a graph, which is
    /// identified by its position.
    #[serde(rename = "move")]
    pub action: String,
    /// The position after the move.
    pub position: String,
}

impl ReportedPromise {
    /// Returns the promise of a score to a player.
    pub fn score(player: Player, score: Scalar) -> Self {
        match player {
            Player::Alice => Self::AtLeast(score),
            Player::Bob => Self::AtMost(score),
        }
    }

    /// Describes the promise in words.
    fn sentence(&self, player: Player) -> Line<'_> {
        let words = |words: &str| Cell::words(format!("{} {words}", player.word()));
        match self {
            Self::Win => vec![words("wins")],
            Self::NoLoss => vec![words("does not lose")],
            Self::Nothing => vec![words("can be beaten")],
            Self::AtLeast(score) => vec![words("gets at least "), Cell::value(score)],
            Self::AtMost(score) => vec![words("concedes at most "), Cell::value(score)],
        }
    }

    /// Returns a word for programs.
    fn word(&self) -> Cow<'static, str> {
        match self {
            Self::Win => "win".into(),
            Self::NoLoss => "no_loss".into(),
            Self::Nothing => "nothing".into(),
            Self::AtLeast(score) => format!("at least {score}").into(),
            Self::AtMost(score) => format!("at most {score}").into(),
        }
    }
}

impl ReportedDecision {
    /// Returns a word for programs: the name of the move, or its position if it has no name.
    fn word(&self) -> String {
        match self {
            Self::Move(ply) => ply.word().to_owned(),
            Self::LetMove(player) => format!("let {} move", player.word()),
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::Move(ply) => format!("move {}", ply.sentence()),
            Self::LetMove(_) => self.word(),
        }
    }
}

impl ReportedPly {
    /// Creates a move of a player to a position.
    pub fn new(player: Player, action: String, position: String) -> Self {
        Self {
            player,
            action,
            position,
        }
    }

    /// Returns the name, or the position if there is no name.
    fn word(&self) -> &str {
        if self.action.is_empty() {
            &self.position
        } else {
            &self.action
        }
    }

    /// Returns `place(1, 1) to ".../.A./..."`, or only the position if there is no name.
    fn sentence(&self) -> String {
        let gap = if self.action.is_empty() { "" } else { " " };
        format!("{}{gap}to {}", self.action, self.position)
    }
}

impl ReportedAdvice {
    /// Creates advice that guarantees a result without a bid or a decision.
    pub fn new(player: Player, promise: ReportedPromise) -> Self {
        Self {
            player,
            promise,
            bid: None,
            use_advantage: None,
            decision: None,
            tied_decision: None,
            forced: None,
            tied_forced: None,
            forced_by_more: Vec::new(),
        }
    }

    fn facts(&self) -> Facts<'_> {
        let mut rows = Vec::new();
        let mut fact = |name: &'static str, cell: Option<Cell<'static>>| {
            rows.extend(cell.map(|cell| vec![Cell::text(name), cell]));
        };
        let decided = |decision: &Option<ReportedDecision>| {
            decision
                .as_ref()
                .map(ReportedDecision::sentence)
                .map(Cell::text)
        };
        let tie = |uses| {
            if uses {
                "use the advantage"
            } else {
                "keep the advantage"
            }
        };
        fact("bid", self.bid.as_ref().map(Cell::rational));
        fact("on a tie", self.use_advantage.map(tie).map(Cell::text));
        fact(
            if self.bid.is_none() {
                "without a bid"
            } else {
                "if won"
            },
            decided(&self.decision),
        );
        fact("if a tie is won", decided(&self.tied_decision));
        let made =
            |ply: &Option<ReportedPly>| ply.as_ref().map(ReportedPly::sentence).map(Cell::text);
        fact("if made to move", made(&self.forced));
        fact("if made to move by a tie", made(&self.tied_forced));
        for ForcedPly { from, ply } in &self.forced_by_more {
            let name = Cell::text(format!("if made to move by {from} or more"));
            rows.push(vec![name, Cell::text(ply.sentence())]);
        }
        Facts {
            title: Some(self.promise.sentence(self.player)),
            rows,
        }
    }

    fn row(&self) -> [Cell<'_>; 9] {
        let decided = |decision: &Option<ReportedDecision>| {
            decision
                .as_ref()
                .map_or(String::new(), ReportedDecision::word)
        };
        let made = |ply: &Option<ReportedPly>| {
            Cell::text(
                ply.as_ref()
                    .map_or(String::new(), |ply| ply.word().to_owned()),
            )
        };
        let by_more = |ForcedPly { from, ply }: &ForcedPly| format!("{from}: {}", ply.word());
        [
            Cell::text(self.player.word()),
            Cell::text(self.promise.word()),
            self.bid.as_ref().map_or(Cell::text(""), Cell::rational),
            Cell::text(
                self.use_advantage
                    .map_or(String::new(), |uses| uses.to_string()),
            ),
            Cell::text(decided(&self.decision)),
            Cell::text(decided(&self.tied_decision)),
            made(&self.forced),
            made(&self.tied_forced),
            Cell::text(
                self.forced_by_more
                    .iter()
                    .map(by_more)
                    .collect::<Vec<_>>()
                    .join("; "),
            ),
        ]
    }
}

impl Strategy {
    pub(super) fn block(&self, medium: Medium) -> Block<'_> {
        match medium {
            Medium::Terminal | Medium::Page => {
                Block::Facts(self.advice.iter().map(ReportedAdvice::facts).collect())
            }
            Medium::Paper => Block::line([Cell::Fixed(Report::Strategy(self.clone()).to_string())]),
            Medium::Sheet => Block::sheet(
                [
                    "player",
                    "promise",
                    "bid",
                    "use_advantage",
                    "if_won",
                    "if_tie_won",
                    "if_made_to_move",
                    "if_made_to_move_by_a_tie",
                    "if_made_to_move_by_more",
                ],
                self.advice.iter().map(ReportedAdvice::row),
            ),
        }
    }
}
