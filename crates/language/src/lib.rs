//! The language of `bid` without its solvers: texts and what is said about them, the rules of
//! bidding, checking, and values.
//!
//! Nothing here plays a game. The package is compiled for little code rather than for speed, and
//! stays compiled when a solver changes.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod check;
pub mod codec;
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
