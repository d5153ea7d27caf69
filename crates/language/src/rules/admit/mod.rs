//! Checks combinations of rules: for each kind of question, the rules under which it has an answer
//! here. Others are refused with the clause that does not fit, the reason, and the nearest rules
//! that have an answer.
//!
//! If a refusal depends on the game and not on the rules alone, the solver that finds it out
//! refuses.

mod chips;
mod mixed;
mod purses;
mod shares;

pub use chips::{ChipsQuestion, against, chips, plain_marker, valued_moves};
pub use mixed::{lengths, mixed_bids, sure_wins};
pub use purses::{MOST_CHIPS, purses, total};
pub use shares::{endless, no_endless_income, random_turns, shares, taxed_shares};

use super::FieldValue;
use crate::diagnostic::Diagnostic;

/// Begins the refusal of a question that has no method under a clause of the rules.
pub fn unsupported(asked: &str, clause: &FieldValue) -> Diagnostic {
    let (name, value) = clause.words();
    Diagnostic::unsupported(format!("{asked} under `{name}: {value}`"))
}
