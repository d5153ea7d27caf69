//! Play: strategies, moves, matches against the program, and simulations.

pub(super) mod dialogue;
pub(super) mod matches;
pub(super) mod moves;
pub(super) mod simulate;
pub(super) mod strategy;
