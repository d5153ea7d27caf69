//! Discrete bidding where the winner of a bid pays the loser: the number of chips from which on a
//! player wins.
//!
//! More chips never hurt at a fixed tie status (play as if the extra chip were not there), so at
//! every vertex, for each total k and each holder of the status, the chip counts from which a
//! player forces a win are described by their least: the *critical threshold* (Develin & Payne
//! 2010, section 3.4). An ending won by the player has threshold 0, every other ending k + 1;
//! `kernel` derives the threshold of a vertex from those of its successors, in constant time, for
//! every rule for ties; `pass` does so for all vertices, successors first, with a least fixed point
//! on cycles.
//!
//! The one exception to "more chips never hurt" is `ties: richer` with `winner: moves`: in zugzwang
//! a player may be better off as the poorer one, who loses ties. There the counts that win are
//! described exactly by two thresholds, one in each half.
//!
//! Simultaneous bids make "can force a win" and "cannot be prevented from winning" different
//! questions. Under the marker in zugzwang they have different answers; both thresholds are kept
//! wherever they are not proved to be the same.
//!
//! Where play can go on for ever and an objective says who wins it, the thresholds are fixed points
//! of the same recursion: nested ones for Büchi and parity objectives (`pass`), and for weights
//! those of the credit with which a sum is kept up (`credit`).
//!
//! [`Thresholds`] are one player's, [`Outcomes`] both players'; strategies are in
//! [`strategy`](crate::strategy).

mod afterwards;
mod cache;
mod credit;
mod kernel;
mod levels;
mod outcomes;
mod pass;
mod quantity;
mod sums;
mod swept;
mod threshold;
mod thresholds;
mod values;

pub(crate) use afterwards::{Afterwards, Movers};
pub use cache::ThresholdCache;
pub use credit::{CreditGoal, LeastCredits, least_credit};
pub(crate) use kernel::{Kernel, Scale, Underbid};
pub use outcomes::Outcomes;
pub(crate) use outcomes::outcome;
pub(crate) use pass::Play;
pub(crate) use quantity::{Quantity, ThresholdInteger};
pub(crate) use sums::{SumLane, SumMove, Sums};
pub use threshold::Threshold;
pub(crate) use threshold::{half_count, marked};
pub use thresholds::Thresholds;
