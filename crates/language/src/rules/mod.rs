//! The rules of bidding: who pays whom, who wins ties, who moves, and the value of a draw.
//!
//! Rules are a product of closed enums, so that for a new variant the compiler lists every place
//! that it affects. Chips change hands only in [`mod@settle`].

pub mod admit;
mod chips;
mod fields;
mod income;
mod overrides;
mod robin_hood;
mod settle;
mod stuck;
mod table;

pub use chips::{ChipMark, Chips};
pub use fields::{Numeric, RuleField, RuleWord, WordMeaning, preset};
pub use income::{Income, IncomeWords};
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
    /// Returns `true` if thresholds of real-valued bidding are Richman values, which are also those
    /// of random turns.
    pub fn has_richman_values(&self) -> bool {
        self.pay == Payment::Richman && !self.has_income()
    }

    /// Returns the income of the players before each bid, wherever it is.
    pub fn income_everywhere(&self) -> Income {
        self.income.and(&self.robin_hood.income())
    }

    /// Returns `true` if players may receive income before a bid.
    pub fn has_income(&self) -> bool {
        self.has_positions_with_income || !self.income_everywhere().is_idle()
    }

    /// Describes the income for messages, if there is any.
    pub fn income_words(&self) -> Option<IncomeWords> {
        let (field, without) = if !self.robin_hood.is_idle() {
            let field = FieldValue::RobinHood(self.robin_hood.clone());
            (field, "write `robin_hood: 0`")
        } else if !self.income.is_idle() {
            let field = FieldValue::Income(self.income.clone());
            (field, "write `income: [0, 0]`")
        } else {
            return self.has_positions_with_income.then(|| IncomeWords {
                under: "where players receive income".to_owned(),
                without: "leave out the lines `income …`",
            });
        };
        let (name, value) = field.words();
        Some(IncomeWords {
            under: format!("under `{name}: {value}`"),
            without,
        })
    }

    /// Returns `true` if thresholds of real-valued bidding are shares of the money with a law other
    /// than that of Richman values.
    pub fn has_own_shares(&self) -> bool {
        !self.pay.is_all_pay() && !self.has_richman_values()
    }
}

/// The greatest distance between two bounds: positive, less than 1.
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
    /// Returns the least bid of a player with this many chips: all of them, if they are fewer than
    /// the minimum.
    pub fn of(self, chips: u64) -> u64 {
        self.0.min(chips)
    }
}

/// The rule for who pays after a bid, and to whom.
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
    /// Returns `true` if the loser of a bid pays too, so that players mix their bids.
    pub fn is_all_pay(&self) -> bool {
        match self {
            Self::AllPay | Self::AllPayBank => true,
            Self::Richman | Self::Poorman | Self::Taxman(_) => false,
        }
    }

    /// Returns the part of the winning bid that goes to the bank, or `None` if both players pay.
    pub fn tax(&self) -> Option<BigRational> {
        match self {
            Self::Richman => Some(BigRational::zero()),
            Self::Poorman => Some(BigRational::one()),
            Self::Taxman(part) => Some(part.clone()),
            Self::AllPay | Self::AllPayBank => None,
        }
    }

    /// Returns the number of chips that the opponent receives when a player pays `chips`. The
    /// bank's part is rounded up to whole chips.
    pub fn returned(&self, chips: u64) -> u64 {
        match self {
            Self::Richman | Self::AllPay => chips,
            Self::Poorman | Self::AllPayBank => 0,
            Self::Taxman(part) => chips - rounded_up(part, chips),
        }
    }
}

/// Computes a part of a number of chips, rounded up. The part is at most 1.
fn rounded_up(part: &BigRational, chips: u64) -> u64 {
    // The product of two numbers of 64 bits fits in 128, which spares most bids long arithmetic.
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

/// The amounts that may be bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum BidKind {
    /// Whole chips.
    #[default]
    Discrete,
    /// Any non-negative real.
    Real,
}

/// The rule for who wins a tie (Develin & Payne, section 2.3 and the appendix).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum TieBreak {
    /// The holder may use the tie-breaking advantage, and then passes it.
    #[default]
    Advantage,
    /// The holder must use the marker on a tie, and passes it.
    Marker,
    /// The last bid's winner wins ties (the last bid's loser has the −ε chip).
    MakeItTakeIt,
    /// The last bid's loser wins ties (and has the ε chip).
    LosersBall,
    /// Alice wins ties.
    LadiesFirst,
    /// Bob wins ties.
    GentlemenFirst,
    /// The player with more chips wins ties, Alice when equal.
    Richer,
    /// A fair coin.
    Coin,
    /// Nobody wins: there is no move, and both players bid again.
    Nobody,
    /// The holder of the marker wins ties, may attach it to a bid, and passes it with every winning
    /// bid that it is attached to or wins a tie for (Kant, Larsson, Rai & Upasany 2022).
    Attached,
}

impl TieBreak {
    /// All rules for ties.
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

    /// Returns the rules under which a player wins each tie, and the chips and the tie status after
    /// a bid follow from the bids and its winner.
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

    /// Returns the possible holders of the tie status; `None` alone under the rules without one.
    pub fn holders(self) -> &'static [Option<Player>] {
        if self.has_status() {
            &[Some(Player::Alice), Some(Player::Bob)]
        } else {
            &[None]
        }
    }

    /// Returns `true` if one player has a tie status (the star of `G(4*, 4)`), which is so under
    /// exactly five rules.
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

/// The right that the winner of a bid gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Winner {
    /// The winner decides who makes the next move.
    #[default]
    Chooses,
    /// The winner has to make the next move.
    Moves,
}

/// The value of a draw where a single number is asked for.
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
    /// Returns `true` if a draw is a win for this player.
    pub fn favours(self, player: Player) -> bool {
        match self {
            Self::Alice => player == Player::Alice,
            Self::Bob => player == Player::Bob,
            Self::Neither | Self::Half => false,
        }
    }
}

/// The players' goal in play that does not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Objective {
    /// None: endless play is a draw, and only winning endings count.
    #[default]
    Reachability,
    /// Alice wins if she visits accepting positions infinitely often.
    Buchi,
    /// Alice wins if the greatest priority that occurs infinitely often is even.
    Parity,
    /// Alice wins if the weights of the moves have a positive mean in the long run. A mean of 0 is
    /// a draw.
    MeanPayoff,
    /// Alice wins if the sum of the weights of the moves never falls below 0, counted from her
    /// [`Credit`].
    Energy,
}

/// The sum that Alice has before the first move under [`Objective::Energy`]: at least 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub struct Credit(
    #[borsh(
        serialize_with = "crate::codec::write_rational",
        deserialize_with = "crate::codec::read_rational"
    )]
    pub BigRational,
);

impl Default for Credit {
    fn default() -> Self {
        Self(BigRational::zero())
    }
}

/// The algorithm that a user asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub enum Solver {
    /// The fastest algorithm that applies.
    #[default]
    Auto,
    /// Backward induction over an acyclic graph.
    Acyclic,
    /// Strategy improvement on each strongly connected component, exact.
    StrategyImprovement,
    /// Real-valued bidding on undirected graphs: the steepest path first (Arun, Theorem 2.6).
    PathSlopes,
    /// Real-valued bidding with at most two moves from each position: one linear system (Arun,
    /// Theorem 2.5).
    TwoMoves,
    /// Fixed points by iteration (thresholds in chips), or converging bounds (all-pay).
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
