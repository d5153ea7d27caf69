//! All-pay bidding: both players pay their bids, to each other or to the bank (Menz, Wang & Xie,
//! 2015).
//!
//! A turn is a zero-sum matrix game over both bids, whose entries are the values of the resulting
//! positions; in general only mixed bids are optimal. The value of a position is the probability
//! with which Alice wins, a draw counting as the rules say. On an acyclic graph the values are
//! computed backward from the endings, vertex by vertex, for all purses that play can reach.
//!
//! Values are exact rationals ([`exact`](crate::matrix::exact)) where the totals are small or the
//! user asks for them, otherwise [`FloatEnclosure`]s: both bounds are proved by the best response
//! to a strategy, which may have been found by any means ([`certified`]). By induction over the
//! graph each enclosure contains the true value, because each is proved from the bounds of the
//! successors.
//!
//! On cycles no number of turns may end the game, and the value of endless play decides
//! ([`cycles`]): the bounds are improved by turns and by fixed strategies. They hold at any time,
//! and their width tells how precisely the value is known. Positions of a cycle that play alike are
//! solved once, in an order that follows from the game alone ([`merged`]).

mod budgets;
mod certified;
mod cycles;
mod decide;
mod kept;
mod matrix;
mod merged;
mod onward;
mod payoff;
mod refuse;
mod region;
mod solved;
mod standing;
mod structure;
mod sums;
mod sure;
mod table;
pub mod toeplitz;

pub use budgets::Budgets;
pub use decide::{choice, destination, preferred_winner};
pub use matrix::Matrix;
pub use payoff::{FloatEnclosure, Payoff, Worth};
pub use refuse::admit_draws;
pub use solved::{AllPayValues, ExactOrCertified, Standing};
pub use structure::{Preciseness, length, precision, tie_winner};
pub use sure::SureWins;
pub use table::{Methods, ValueTable};

use crate::player::PerPlayer;

/// Optimal bids of one turn with the value that they prove.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium<N: Payoff> {
    /// The value of the turn to Alice.
    pub value: N,
    /// The probability of each bid, from a bid of 0 on.
    pub strategies: PerPlayer<Vec<N::Probability>>,
    /// The method by which the bids were found.
    pub method: BidMethod,
}

impl<N: Payoff> Equilibrium<N> {
    fn new(
        value: N,
        alice: Vec<N::Probability>,
        bob: Vec<N::Probability>,
        method: BidMethod,
    ) -> Self {
        Self {
            value,
            strategies: PerPlayer::new(alice, bob),
            method,
        }
    }
}

/// The method by which optimal bids were found. The proof is the same for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BidMethod {
    /// Exact arithmetic.
    Exact,
    /// A single bid of each player, which is optimal.
    Pure,
    /// Toeplitz systems.
    Toeplitz,
    /// Linear programming.
    LinearProgram,
    /// Value iteration on a cycle: the bids are those that proved the bounds, and may be repeated
    /// for ever.
    Iteration,
}

impl BidMethod {
    /// Returns the method's name in reports.
    pub fn words(self) -> &'static str {
        match self {
            Self::Exact => "exact arithmetic",
            Self::Pure => "single bids",
            Self::Toeplitz => "Toeplitz systems",
            Self::LinearProgram => "linear programming",
            Self::Iteration => "value iteration",
        }
    }
}
