//! Games as graphs and numbered positions, and the exact solvers that run over them.
//!
//! The package holds what must be quick: it alone is compiled for speed at any length. Where it is
//! generic over numbers and spaces, it makes the instances itself, so that the packages that use it
//! compile none of them.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use bid_language::{codec, diagnostic, ir, parallel, player, rules, scalar, source, syntax, watch};

pub mod game;
pub mod order;
pub mod solve;
pub mod store;
