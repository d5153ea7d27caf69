//! Values of games: thresholds, outcomes and other queries about one position.

pub(super) mod bounds;
pub(super) mod queries;
pub(super) mod real;
