//! What the tests of the packages share: random graphs that shrink, and laws that are held on them.
//!
//! The graphs are plain data, so that the unit tests of the solvers can build their own types from
//! them: a generator that made these would have to be compiled with the solvers twice.

mod graph;
mod law;
mod shape;
mod shrink;
#[cfg(test)]
mod tests;

pub use graph::{PlainGraph, PlainVertex};
pub use law::{for_all, random_cases, samples};
pub use shape::{GraphShape, Out, graphs};
