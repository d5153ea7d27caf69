//! Spaces: how a [law](crate::law) is run over the positions of a game.
//!
//! - [`graph`]: an explicit graph, from its last positions to its first; [`worklist`] repeats the
//!   turns of a component until nothing changes.
//! - [`sweep`]: numbered positions in blocks, in memory or on a disk, without a graph.
//! - [`layers`]: positions by a count that every move lowers, without a graph.
//! - [`search`]: from one position on, with a table of what has been found.
//!
//! [`store`] keeps what they write on a disk, and resumes long work after an interruption.

pub mod graph;
pub mod layers;
pub mod search;
pub mod store;
pub mod sweep;
pub(crate) mod worklist;
