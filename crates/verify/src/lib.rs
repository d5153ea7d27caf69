//! The checker of certificates.
//!
//! A package of its own, so that the compiler holds what the checker promises: it knows the
//! language and no solver.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use bid_language::{check, diagnostic, player, rules, source, syntax, watch};

pub mod verify;
