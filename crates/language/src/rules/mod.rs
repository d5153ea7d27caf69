//! The rules of bidding: who pays whom, who wins ties, who moves, what a draw is worth.
//!
//! Rules are a product of closed enums. A new rule is a new variant, and the compiler lists every
//! place it touches. [`settle`] is the one place where chips change hands.

pub mod admit;
mod chips;
mod fields;
mod overrides;
mod robin_hood;
mod settle;
mod stuck;
mod table;

pub use chips::{ChipMark, Chips};
pub use fields::{Numeric, RuleField, RuleWord, WordMeaning, preset};
pub use overrides::{FieldValue, Overrides, Rules, print_fields, print_rules};
pub use robin_hood::RobinHood;
pub use settle::{Purses, Tie, next_holder, settle, settle_undecided, tie};
pub use stuck::{Stuck, StuckResult};
pub use table::{FIELDS, PRESETS};

use borsh::{BorshDeserialize, BorshSerialize};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::player::Player;

impl Rules {
    /// Whether thresholds of real-valued bidding are Richman values, which are those of random
    /// turns as well.
    pub fn has_richman_values(&self) -> bool {
        self.pay == Payment::Richman && self.robin_hood.is_idle()
    }

    /// Whether thresholds of real-valued bidding are shares of the money with a law of their own.
    pub fn has_own_shares(&self) -> bool {
        !self.pay.is_all_pay() && !self.has_richman_values()
    }
}

/// The greatest distance of two bounds: positive, less than 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub struct Precision(
    #[borsh(
        serialize_with = "crate::codec::write_rational",
        deserialize_with = "crate::codec::read_rational"
    )]
    pub BigRational,
);

impl Default for Precision {
    fn default() -> Self {
        Self(BigRational::new(1.into(), 1_000_000_000_000_i64.into()))
    }
}

/// The least number of chips that may be bid.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Default,
    BorshSerialize,
    BorshDeserialize,
)]
pub struct MinimumBid(pub u64);

impl MinimumBid {
    /// The least bid of a player with so many chips: all of them, if they are fewer.
    pub fn of(self, chips: u64) -> u64 {
        self.0.min(chips)
    }
}

/// Who pays after a bid, and to whom.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Payment {
    /// The winner pays the loser.
    #[default]
    Richman,
    /// The winner pays the bank.
    Poorman,
    /// The winner pays this part of the bid to the bank, the rest to the loser.
    Taxman(
        #[borsh(
            serialize_with = "crate::codec::write_rational",
            deserialize_with = "crate::codec::read_rational"
        )]
        BigRational,
    ),
    /// Both pay, to each other.
    AllPay,
    /// Both pay the bank.
    AllPayBank,
}

impl Payment {
    /// Whether the loser of a bid pays too, so that players mix their bids.
    pub fn is_all_pay(&self) -> bool {
        match self {
            Self::AllPay | Self::AllPayBank => true,
            Self::Richman | Self::Poorman | Self::Taxman(_) => false,
        }
    }

    /// The part of the winning bid that goes to the bank; `None` where both players pay.
    pub fn tax(&self) -> Option<BigRational> {
        match self {
            Self::Richman => Some(BigRational::zero()),
            Self::Poorman => Some(BigRational::one()),
            Self::Taxman(part) => Some(part.clone()),
            Self::AllPay | Self::AllPayBank => None,
        }
    }

    /// What the opponent gets of so many chips that a player pays: the bank's part is rounded up to
    /// whole chips.
    pub fn returned(&self, chips: u64) -> u64 {
        match self {
            Self::Richman | Self::AllPay => chips,
            Self::Poorman | Self::AllPayBank => 0,
            Self::Taxman(part) => chips - rounded_up(part, chips),
        }
    }
}

/// A part of so many chips, rounded up; the part is at most 1.
fn rounded_up(part: &BigRational, chips: u64) -> u64 {
    let rounded = match part.numer().to_u64().zip(part.denom().to_u64()) {
        Some((numer, denom)) => (u128::from(chips) * u128::from(numer))
            .div_ceil(u128::from(denom))
            .to_u64(),
        None => (part * BigRational::from_integer(chips.into()))
            .ceil()
            .to_integer()
            .to_u64(),
    };
    rounded.unwrap_or(chips).min(chips)
}

/// What may be bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum BidKind {
    /// Whole chips.
    #[default]
    Discrete,
    /// Any non-negative real.
    Real,
}

/// Who wins a tie (Develin & Payne, section 2.3 and the appendix).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum TieBreak {
    /// The holder may use the tie-breaking advantage, and then passes it.
    #[default]
    Advantage,
    /// The holder must use the marker on a tie, and passes it.
    Marker,
    /// The last bid's winner wins ties (the −ε chip is with the last loser's opponent).
    MakeItTakeIt,
    /// The last bid's loser wins ties (the ε chip).
    LosersBall,
    /// Alice wins ties.
    LadiesFirst,
    /// Bob wins ties.
    GentlemenFirst,
    /// The player with more chips wins ties, Alice when equal.
    Richer,
    /// A fair coin.
    Coin,
    /// Nobody: no one moves, and both bid again.
    Nobody,
    /// The holder of the marker wins ties, may attach it to a bid, and passes it with every winning
    /// bid that it is attached to or wins a tie for (Kant, Larsson, Rai & Upasany 2022).
    Attached,
}

impl TieBreak {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Advantage,
        Self::Marker,
        Self::MakeItTakeIt,
        Self::LosersBall,
        Self::LadiesFirst,
        Self::GentlemenFirst,
        Self::Richer,
        Self::Coin,
        Self::Nobody,
        Self::Attached,
    ];

    /// Those by which a tie is won, and chips and the tie status after a bid follow from the bids
    /// and its winner.
    pub fn certain() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|ties| match ties {
            Self::Coin | Self::Nobody | Self::Attached => false,
            Self::Advantage
            | Self::Marker
            | Self::MakeItTakeIt
            | Self::LosersBall
            | Self::LadiesFirst
            | Self::GentlemenFirst
            | Self::Richer => true,
        })
    }

    /// Whether somebody holds a tie status (the star of `G(4*, 4)`): exactly the five status rules.
    pub fn has_status(self) -> bool {
        match self {
            Self::Advantage
            | Self::Marker
            | Self::MakeItTakeIt
            | Self::LosersBall
            | Self::Attached => true,
            Self::LadiesFirst | Self::GentlemenFirst | Self::Richer | Self::Coin | Self::Nobody => {
                false
            }
        }
    }
}

/// What the winner of a bid wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Winner {
    /// To decide who makes the next move.
    #[default]
    Chooses,
    /// To make the next move, like it or not.
    Moves,
}

/// What a draw is worth where one number is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Draws {
    /// A win for neither: each player's threshold counts it as not won.
    #[default]
    Neither,
    /// A win for Alice.
    Alice,
    /// A win for Bob.
    Bob,
    /// Half a win for each.
    Half,
}

impl Draws {
    /// Whether a draw is a win for this player.
    pub fn favours(self, player: Player) -> bool {
        match self {
            Self::Alice => player == Player::Alice,
            Self::Bob => player == Player::Bob,
            Self::Neither | Self::Half => false,
        }
    }
}

/// What the players want of play that does not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Objective {
    /// Nothing: it is a draw. The winning endings are what is played for.
    #[default]
    Reachability,
    /// Alice wins if she comes to accepting positions again and again.
    Buchi,
    /// Alice wins if the greatest priority that comes again and again is even.
    Parity,
    /// Alice wins if the weights of the moves have a positive mean in the long run; a mean of 0 is
    /// a draw.
    MeanPayoff,
}

/// Which algorithm a user asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Solver {
    /// The fastest that applies.
    #[default]
    Auto,
    /// Backward over an acyclic graph.
    Acyclic,
    /// Strategy improvement on each component, exact.
    StrategyImprovement,
    /// Real-valued bidding on undirected graphs: the steepest path first (Arun, Theorem 2.6).
    PathSlopes,
    /// Real-valued bidding with at most two moves from each position: one linear system (Arun,
    /// Theorem 2.5).
    TwoMoves,
    /// Fixed points by iteration (thresholds in chips), or bounds that close in (all-pay).
    Iteration,
    /// All-pay: values and mixed bids as exact rationals.
    Exact,
    /// All-pay: Toeplitz systems (Menz, Wang & Xie).
    Toeplitz,
    /// All-pay: linear programming.
    LinearProgram,
    /// Thresholds and outcomes in chips by search from the position asked about.
    Search,
}
