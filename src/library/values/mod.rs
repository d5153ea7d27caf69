//! Values of games: thresholds, outcomes and what is asked of one position.

pub(super) mod bounds;
pub(super) mod queries;
pub(super) mod real;
