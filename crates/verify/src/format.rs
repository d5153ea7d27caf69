//! The contents of a certificate as they stand in its file. The format is JSON, and
//! `docs/certificates.md` defines it.
//!
//! The module has only data with its reader and its writer. Rows of numbers are stored one after
//! the other, so that a certificate of a million positions takes little more memory than its text.
//! The file repeats no information except the parts of the question that a checker without an
//! interpreter needs (`rules` and `claim`). The checker of this program compares these with the
//! question itself.

use serde::{Deserialize, Serialize};

use crate::player::{PerPlayer, Player};

pub use super::encoding::{Fraction, Rows};

/// The name of the format.
pub const FORMAT: &str = "bid certificate";
/// The version of the format.
pub const VERSION: u32 = 2;
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
    /// The texts on which the question depends. Each uses only texts before it.
    pub sources: Vec<SourceText>,
    /// The question.
    pub question: SourceQuestion,
    /// The rules in force.
    pub rules: RuleWords,
    /// The question with its numbers evaluated, and the answer.
    pub claim: Claim,
    /// The positions and their moves.
    pub game: PositionListing,
    /// The proof of the claim for the listed positions.
    pub proof: Proof,
}

/// A source text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceText {
    /// The name in messages.
    pub name: String,
    /// The text.
    pub text: String,
    /// The index of the text that each of its `use` lines means, in order.
    pub uses: Vec<usize>,
}

/// The question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceQuestion {
    /// The texts whose definitions the expression may use. Later ones hide earlier ones.
    pub loads: Vec<usize>,
    /// The expression.
    pub expression: String,
}

/// The rules that affect the claim, in the words of the language.
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
    /// `energy`, if that is the objective
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Fraction>,
}

/// The claim about position 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Claim {
    /// `R(G)`.
    #[serde(rename = "R")]
    Richman {
        /// The critical threshold.
        answer: Fraction,
    },
    /// The claim that `R(G)` lies between two bounds.
    #[serde(rename = "between")]
    Between {
        /// The lower bound of the critical threshold.
        low: Fraction,
        /// The upper bound.
        high: Fraction,
    },
    /// `P(G)`, `P(G, coin)`.
    #[serde(rename = "P")]
    Probability {
        /// The probability with which Alice wins a toss of the coin.
        coin: Fraction,
        /// Alice's winning probability.
        answer: Fraction,
    },
    /// `f(G, k)`, `f(G, k .. l)`.
    #[serde(rename = "f")]
    Thresholds {
        /// The totals of chips.
        totals: Vec<i32>,
        /// For each total, the least number of chips with which Alice wins, in the notation of the
        /// program.
        answers: Vec<String>,
    },
    /// `f(G, bob: b)`, `f(G, bob: b .. c)`.
    #[serde(rename = "against")]
    Against {
        /// Bob's chips.
        budgets: Vec<i32>,
        /// For each budget, the least numbers of chips with which Alice wins: if she holds the tie
        /// status, and if Bob does, or one number if there is no status. The number is -1 if none
        /// is enough.
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
    /// `credit(G, a*, b)`.
    #[serde(rename = "credit")]
    Credit {
        /// The purses.
        purses: ListedPurses,
        /// The least credit, or `None` if none is enough.
        #[serde(deserialize_with = "Option::deserialize")]
        answer: Option<Fraction>,
    },
    /// The claim about `v(G, a*, b)`. Equal bounds give the value.
    #[serde(rename = "bounds")]
    Bounds {
        /// The purses.
        purses: ListedPurses,
        /// The lower bound of Alice's winning probability.
        low: Fraction,
        /// The upper bound.
        high: Fraction,
    },
    /// `nash(G, a*, b)`.
    #[serde(rename = "nash")]
    Nash {
        /// The purses.
        purses: ListedPurses,
        /// The lower bound of Alice's winning probability.
        low: Fraction,
        /// The upper bound.
        high: Fraction,
        /// The probability of each of Alice's bids, from 0 on.
        alice: Vec<Fraction>,
        /// The probability of each of Bob's bids, from 0 on.
        bob: Vec<Fraction>,
    },
}

/// Both players' chips, and the holder of the tie status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedPurses {
    /// Alice's chips.
    pub alice: i32,
    /// Bob's chips.
    pub bob: i32,
    /// The holder of the tie status, or `None` under rules without one.
    #[serde(default)]
    pub holder: Option<Player>,
}

/// The positions, numbered from 0, which is the start.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionListing {
    /// The positions to which Alice can move from each position.
    pub alice: Rows,
    /// The positions to which Bob can move.
    pub bob: Rows,
    /// The positions at which the game is over.
    pub over: EndedPositions,
    /// The priority of each position, -1 if the source gives none. It is present only if priorities
    /// are the objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priorities: Option<Vec<i32>>,
    /// The weight of each move, in the rows of the moves. It is present only if the mean payoff or
    /// the energy is the objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<PerPlayer<Vec<Vec<Fraction>>>>,
}

impl PositionListing {
    /// Returns the positions to which a player can move from each position.
    pub fn moves(&self, player: Player) -> &Rows {
        match player {
            Player::Alice => &self.alice,
            Player::Bob => &self.bob,
        }
    }
}

/// The positions at which the game is over, in increasing order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndedPositions {
    /// The positions won by Alice.
    pub alice: Vec<i32>,
    /// The positions won by Bob.
    pub bob: Vec<i32>,
    /// The positions won by nobody.
    pub draw: Vec<i32>,
}

/// The proof of a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Proof {
    /// Bounds of values under real-valued bids or random turns.
    Promises(PromisesProof),
    /// Thresholds in half chips under the tie-breaking advantage.
    HalfChips(Vec<HalfChips>),
    /// Sets of states from which a player reaches a win.
    Sets(Vec<WinSet>),
    /// Sets of states from which a player reaches a win, with a set that proves that no number of
    /// chips is enough.
    Never(Never),
    /// The turns of all-pay bidding, each with the bounds that the players guarantee.
    Guarantees(Vec<Guaranteed>),
}

/// Bounds of the value of each position, with the progress that each player makes where play could
/// go on for ever at one bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromisesProof {
    /// The upper bounds, which Alice guarantees.
    pub high: Vec<Fraction>,
    /// The lower bounds, which Bob guarantees. Without them the upper ones are the values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Vec<Fraction>>,
    /// Alice's progress, if a position is level by her bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alice: Option<Progress>,
    /// Bob's progress, if a position is level by his bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bob: Option<Progress>,
    /// Pairs of positions whose values add up to 1, the first being position 0 with itself. It is
    /// present only if the answer is 1/2 for that reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirror: Option<Rows>,
}

/// The proof that play does not go on for ever at one bound unless that is good for the player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// For each level position a number for each priority that is bad for the player, the greatest
    /// first; `[]` elsewhere.
    Ranks(Rows),
    /// Potentials whose sum with the payments does not change to the player's disadvantage in the
    /// mean.
    Potentials(Vec<Fraction>),
}

/// The thresholds of a player under the tie-breaking advantage, in half chips: 2c for c chips, one
/// more with the advantage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HalfChips {
    /// The player who wins.
    pub player: Player,
    /// The total of chips.
    pub total: i32,
    /// The thresholds of each position. A row `[n, h, m, g, …]` says that h half chips are enough to
    /// win within n turns, g within m, and so on. The last one is the threshold, and an empty row
    /// says that no purse is enough.
    pub stairs: Rows,
}

/// The states with a total of chips from which a player reaches a win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinSet {
    /// The player who wins.
    pub player: Player,
    /// The order in which the two bids are chosen.
    pub order: BidOrder,
    /// The total of chips.
    pub total: i32,
    /// The ranks of the states, by the holder of the tie status, Alice first (or one list, if there
    /// is no status), and by position. A row `[a, r, b, s, …]` gives the rank r from `a` of Alice's
    /// chips on, s from `b` on, and so on. Rank -1 is outside of the set.
    pub states: Vec<Rows>,
    /// The scale of the sums of weights, if these are the objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sums: Option<SumScale>,
}

/// The units in which ranks measure sums of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SumScale {
    /// The number of units of the rank in a unit of weight.
    pub scale: i32,
    /// The rank beyond which the sum has fallen below 0. It is present only for Bob under the energy
    /// objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<i32>,
}

/// The states from which Bob prevents Alice from winning, however many chips she has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Never {
    /// The sets for the answers that are numbers of chips.
    pub sets: Vec<WinSet>,
    /// The greatest number of Bob's chips that is distinguished.
    pub chips: i32,
    /// The ranks as in [`WinSet`], but by Bob's chips. Rank -1 is outside of the set.
    pub states: Vec<Rows>,
}

/// The order in which the two bids are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BidOrder {
    /// The player has a bid that is good against every bid of the other.
    Forces,
    /// The other has no bid that is good against every bid of the player.
    Unprevented,
}

/// One turn of all-pay bidding, with the bounds that the players guarantee there.
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

/// A bound of Alice's winning probability that a player guarantees, with the bids that guarantee
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guarantee {
    /// The bound: a lower one in Alice's guarantee, an upper one in Bob's.
    pub bound: Fraction,
    /// The probability of each of the player's bids, from 0 on, up to the last one that is not 0.
    pub bids: Vec<Fraction>,
    /// The rank, a distance to turns with another bound, or -1 if endless play is no worse.
    pub rank: i32,
}
