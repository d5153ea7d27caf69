//! Games as graphs and numbered positions, and the exact solvers that run over them.
//!
//! This package contains everything that must be fast: it alone is compiled with all optimisations,
//! however long that takes. Generic code over numbers and spaces is instantiated here, so that the
//! packages that use it compile no instances.
//!
//! Besides `game`, `store` and `order`, each module contains a theory or a part of one, which
//! computes the exact value of every vertex of a frozen game graph. A [`theory`] whose values
//! follow from each other runs over any space: [`sweep`] needs no graph if positions can be
//! numbered, [`layers`] if every move changes a count in one direction.
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

// The random games of the unit tests are those of the integration tests, which refer to the package
// by name.
#[cfg(test)]
extern crate self as bid_solve;
#[cfg(test)]
#[path = "../tests/random.rs"]
mod random;

pub use graphless::{Graphless, Layered, Numbered};
pub use spot::contradiction;
