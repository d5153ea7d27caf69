//! `bid`: a language, an interpreter and exact solvers for bidding games.
//!
//! Text flows through the modules in this order:
//!
//! 1. [`syntax::parse`]: `.bid` text to an abstract syntax tree;
//! 2. [`check`]: names and types, to the intermediate representation;
//! 3. [`eval`]: to values, among them games;
//! 4. [`game::Explored::of`]: a game's reachable positions as a frozen graph;
//! 5. [`solve`]: exact values of every vertex;
//! 6. [`report`]: answers as text, JSON, CSV, LaTeX.
//!
//! [`session`] combines them for the REPL, the command line and the test runner; [`analysis`]
//! answers what an editor asks about texts; [`engine`] gives both threads of their own, driven by
//! messages, for front ends that must not wait.
//!
//! The library needs no terminal and no disk: without the feature `cli` it builds for browsers too.

#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use bid_game as game;
use bid_language::{
    check, convert, diagnostic, files, interchange, ir, parallel, player, rules, scalar, source,
    syntax, watch,
};
use bid_report::{self as report, render};
use bid_solve::{self as solve, order};
use bid_verify as verify;

pub mod analysis;
pub mod ask;
pub mod certificate;
pub mod engine;
pub mod eval;
pub mod library;
pub mod session;
