//! Scoring games, pure and mixed, and their periods.

pub(super) mod advice;
pub(super) mod mixed;
pub(super) mod period;
pub(super) mod pure;
mod vector;
