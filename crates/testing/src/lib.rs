//! Shared parts of the packages' tests: random graphs that shrink, and tests of laws on them.
//!
//! The graphs are plain data, so that the unit tests of the solvers can build their own types from
//! them. If the generator returned those types, the solvers would have to be compiled twice.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the numbers of tests are small"
)]

mod graph;
mod law;
mod shape;
mod shrink;
#[cfg(test)]
mod tests;

pub use graph::{PlainGraph, PlainVertex};
pub use law::{for_all, random_cases, samples, share, some};
pub use shape::{GraphShape, Out, graphs};
