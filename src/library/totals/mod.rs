//! Queries about every number of chips: closed forms, the order of games and classes of positions.

pub(super) mod budget_forms;
pub(super) mod classes;
pub(super) mod closed;
pub(super) mod order;
