//! What may be combined with what: for each kind of question, the rules under which it has an
//! answer here. The others are refused, each with the clause that does not fit, the reason, and the
//! nearest rules that do.
//!
//! What is refused for a game's sake, not for the rules alone, is refused by the solver that finds
//! it out.

mod chips;
mod mixed;
mod purses;
mod shares;

pub use chips::{ChipsQuestion, against, chips, plain_marker};
pub use mixed::{lengths, mixed_bids, sure_wins};
pub use purses::{MOST_CHIPS, purses, total};
pub use shares::{endless, no_endless_gifts, random_turns, shares, taxed_shares};
