//! The language of `bid` without its solvers: sources and their diagnostics, the rules of bidding,
//! checking, and values.
//!
//! Nothing here solves a game. The package is optimised for size rather than speed, and need not be
//! recompiled when a solver changes.

#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod check;
pub mod codec;
pub mod convert;
pub mod diagnostic;
pub mod files;
pub mod interchange;
pub mod ir;
pub mod parallel;
pub mod player;
pub mod rules;
pub mod scalar;
pub mod source;
pub mod syntax;
pub mod watch;
