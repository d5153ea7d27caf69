//! Numbers and lists.

pub(super) mod lists;
pub(super) mod numbers;
