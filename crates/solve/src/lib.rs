//! Games as graphs and numbered positions, and the exact solvers that run over them.
//!
//! The package holds what must be quick: it alone is compiled for speed at any length. Where it is
//! generic over numbers and spaces, it makes the instances itself, so that the packages that use it
//! compile none of them.
//!
//! Beside `game`, `store` and `order`, each module holds a theory or a part of one: it gives the
//! exact value of every vertex of a frozen game graph. A
//! [`theory`] of values that follow from each other runs over any space: [`sweep`] does without the
//! graph where positions can be numbered, [`layers`] where every move changes a count in one
//! direction.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use bid_language::{codec, diagnostic, ir, parallel, player, rules, scalar, source, syntax, watch};

pub mod all_pay;
pub mod budgets;
pub mod certify;
pub mod chips;
pub mod decision;
pub mod game;
mod graphless;
pub mod layers;
mod linear;
pub mod matrix;
pub mod moves;
pub mod objective;
pub mod onward;
pub mod order;
pub mod richman;
pub mod scoring;
pub mod search;
pub mod selection;
pub mod sequences;
mod spot;
pub mod store;
pub mod strategy;
pub mod sweep;
pub mod theory;
pub mod truncation;
mod turns;
mod worklist;

// The random games of the unit tests are those of the tests outside, which know the package by name.
#[cfg(test)]
extern crate self as bid_solve;
#[cfg(test)]
#[path = "../tests/random.rs"]
mod random;

pub use graphless::{Graphless, Layered, Numbered};
pub use spot::contradiction;
