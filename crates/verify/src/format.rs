//! What a certificate says, as it stands in its file: JSON, which `docs/certificates.md` defines.
//!
//! Pure data with its reader and its writer. Rows of numbers are kept end to end, so that a
//! certificate of a million positions takes little more memory than its text. Nothing stands in it
//! twice but what a checker without an interpreter needs to know of the question (`rules` and
//! `claim`), and the checker of this program compares that with the question itself.

use serde::{Deserialize, Serialize};

use crate::player::Player;

pub use super::encoding::{Fraction, Rows};

/// The name of the format.
pub const FORMAT: &str = "bid certificate";
/// The version of the format.
pub const VERSION: u32 = 1;
/// The most characters of a fraction.
pub const MOST_DIGITS: usize = 1 << 17;

/// A certificate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The texts that the question rests on; each uses only texts before it.
    pub sources: Vec<SourceText>,
    /// What was asked.
    pub question: SourceQuestion,
    /// The rules in force.
    pub rules: RuleWords,
    /// The question once its numbers are known, with its answer.
    pub claim: Claim,
    /// The positions and their moves.
    pub game: PositionListing,
    /// Why the claim is true of the listed positions.
    pub proof: Proof,
}

/// A source text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceText {
    /// What messages call it.
    pub name: String,
    /// The text.
    pub text: String,
    /// Which text each of its `use` lines means, in order.
    pub uses: Vec<usize>,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceQuestion {
    /// The texts whose definitions the expression may use, later ones hiding earlier ones.
    pub loads: Vec<usize>,
    /// The expression.
    pub expression: String,
}

/// The rules that matter to the claim, in the words of the language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleWords {
    /// `pay`
    pub pay: String,
    /// `ties`
    pub ties: String,
    /// `winner`
    pub winner: String,
    /// `draws`
    pub draws: String,
    /// `objective`, if it is not `reachability`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
}

/// What is claimed of position 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Claim {
    /// `R(G)`.
    #[serde(rename = "R")]
    Richman {
        /// The critical threshold.
        answer: Fraction,
    },
    /// `R(G)` where bounds are the answer.
    #[serde(rename = "between")]
    Between {
        /// The critical threshold is not less.
        low: Fraction,
        /// It is not more.
        high: Fraction,
    },
    /// `P(G)`, `P(G, coin)`.
    #[serde(rename = "P")]
    Probability {
        /// The probability with which Alice wins a toss.
        coin: Fraction,
        /// Alice's winning probability.
        answer: Fraction,
    },
    /// `f(G, k)`, `f(G, k .. l)`.
    #[serde(rename = "f")]
    Thresholds {
        /// The totals of chips.
        totals: Vec<i32>,
        /// The least chips with which Alice wins, for each of them.
        answers: Vec<String>,
    },
    /// `f(G, bob: b)`, `f(G, bob: b .. c)`.
    #[serde(rename = "against")]
    Against {
        /// Bob's chips.
        budgets: Vec<i32>,
        /// For each of them the least chips with which Alice wins: when she holds the tie status,
        /// and when Bob does; or one number. It is -1 where none is enough.
        answers: Rows,
    },
    /// `G(a*, b)`.
    #[serde(rename = "outcome")]
    Outcome {
        /// The purses.
        purses: ListedPurses,
        /// `alice`, `bob`, `draw` or `undetermined`.
        answer: String,
    },
    /// `v(G, a*, b)`: the value, where both bounds are the same.
    #[serde(rename = "bounds")]
    Bounds {
        /// The purses.
        purses: ListedPurses,
        /// Alice's winning probability is not less.
        low: Fraction,
        /// It is not more.
        high: Fraction,
    },
    /// `nash(G, a*, b)`.
    #[serde(rename = "nash")]
    Nash {
        /// The purses.
        purses: ListedPurses,
        /// Alice's winning probability is not less.
        low: Fraction,
        /// It is not more.
        high: Fraction,
        /// The probability of each of Alice's bids, from 0 on.
        alice: Vec<Fraction>,
        /// Bob's.
        bob: Vec<Fraction>,
    },
}

/// Both players' chips, and who has the tie status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedPurses {
    /// Alice's chips.
    pub alice: i32,
    /// Bob's chips.
    pub bob: i32,
    /// `alice` or `bob`; nothing under rules without a status.
    #[serde(default, deserialize_with = "side::optional")]
    pub holder: Option<Player>,
}

/// The positions, numbered from 0, where the game begins.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionListing {
    /// Where Alice can move from each position.
    pub alice: Rows,
    /// Where Bob can.
    pub bob: Rows,
    /// The positions where the game is over.
    pub over: EndedPositions,
    /// The priority of each position, -1 where the source gives none; only where priorities are the
    /// objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priorities: Option<Vec<i32>>,
    /// What each move adds to the mean payoff; only where that is the objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Weights>,
}

/// What each move adds to the mean payoff, in the rows of the moves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Alice's moves.
    pub alice: Vec<Vec<Fraction>>,
    /// Bob's moves.
    pub bob: Vec<Vec<Fraction>>,
}

/// The positions where the game is over, in increasing order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndedPositions {
    /// Won by Alice.
    pub alice: Vec<i32>,
    /// Won by Bob.
    pub bob: Vec<i32>,
    /// Won by nobody.
    pub draw: Vec<i32>,
}

/// Why a claim is true.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Proof {
    /// Values under real-valued bids or random turns.
    Values {
        /// The value of each position.
        values: Vec<Fraction>,
        /// How far each position is from the end of play, -1 where that does not matter; only in
        /// listings that are not ordered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ranks: Option<Vec<i32>>,
    },
    /// Bounds of thresholds under real-valued bids.
    Bounds(BoundsProof),
    /// Bounds of thresholds where endless play has a winner by its priorities.
    Endless(EndlessProof),
    /// Bounds of thresholds where endless play has a winner by its mean payoff.
    Means(MeansProof),
    /// Sets of states from which a player reaches a win.
    Sets(Vec<WinSet>),
    /// The same, with a set that shows that no number of chips is enough.
    Never(Never),
    /// The turns of all-pay bidding, with what each player guarantees.
    Guarantees(Vec<Guaranteed>),
}

/// Bounds of the threshold of each position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundsProof {
    /// No threshold is less.
    pub low: Vec<Fraction>,
    /// None is more.
    pub high: Vec<Fraction>,
    /// How far each position is from where the bound against play without end is safe.
    pub ranks: Vec<i32>,
    /// Pairs of positions whose thresholds have the sum 1, the first of position 0 with itself;
    /// only where the answer is 1/2 for that reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirror: Option<Rows>,
}

/// Bounds of the threshold of each position, with what each player makes of play that goes on for
/// ever where its bound stays the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndlessProof {
    /// No threshold is less: Bob sees to that.
    pub low: Vec<Fraction>,
    /// None is more: Alice sees to that.
    pub high: Vec<Fraction>,
    /// Bob's ranks: a number for each priority that is bad for him, the greatest first; `[]` where
    /// the bound needs none.
    pub low_ranks: Rows,
    /// Alice's ranks.
    pub high_ranks: Rows,
}

/// The same for mean payoffs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeansProof {
    /// No threshold is less: Bob sees to that.
    pub low: Vec<Fraction>,
    /// None is more: Alice sees to that.
    pub high: Vec<Fraction>,
    /// Potentials that do not rise with what is paid, if Bob plays so.
    pub low_potentials: Vec<Fraction>,
    /// Potentials that do not fall with it, if Alice does.
    pub high_potentials: Vec<Fraction>,
}

/// The states with a total of chips from which a player reaches a win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinSet {
    /// Who wins.
    #[serde(deserialize_with = "side::read")]
    pub player: Player,
    /// Which of the two bids is chosen first.
    pub order: BidOrder,
    /// The total of chips.
    pub total: i32,
    /// For each holder of the tie status, Alice first (or once, where there is none), and each
    /// position: `[a, r, b, s, …]`, from `a` chips of Alice's on won with rank r, from `b` on with
    /// rank s, and so on; rank -1 is not won.
    pub states: Vec<Rows>,
}

/// The states from which Bob keeps Alice from winning, however many chips she has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Never {
    /// The sets for the numbers of chips that are enough.
    pub sets: Vec<WinSet>,
    /// The most of Bob's chips that are counted.
    pub chips: i32,
    /// As in [`WinSet`], by Bob's chips: rank -1 is outside.
    pub states: Vec<Rows>,
}

/// Which of the two bids is chosen first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BidOrder {
    /// The player has a bid that is good against every bid of the other.
    Forces,
    /// The other has no bid that is good against every bid of the player.
    Unprevented,
}

/// One turn of all-pay bidding with what each player guarantees there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guaranteed {
    /// The position.
    pub position: i32,
    /// The purses.
    pub purses: ListedPurses,
    /// Alice's guarantee.
    pub alice: Guarantee,
    /// Bob's.
    pub bob: Guarantee,
}

/// A bound of Alice's winning probability that a player guarantees, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guarantee {
    /// The probability is not less, if Alice guarantees it; not more, if Bob does.
    pub bound: Fraction,
    /// The probability of each of the player's bids, from 0 on, up to the last one that is not 0.
    pub bids: Vec<Fraction>,
    /// How far it is to another bound, -1 where endless play is as good.
    pub rank: i32,
}

/// How a player is read.
mod side {
    use serde::{Deserialize, Deserializer};

    use crate::player::Player;

    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase", remote = "Player")]
    enum PlayerName {
        Alice,
        Bob,
    }

    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Read(#[serde(with = "PlayerName")] Player);

    pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Player, D::Error> {
        PlayerName::deserialize(from)
    }

    pub fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Player>, D::Error> {
        let read = Option::<Read>::deserialize(from)?;
        Ok(read.map(|Read(player)| player))
    }
}
