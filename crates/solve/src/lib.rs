//! Numbered positions, and the exact solvers that run over them and over graphs.
//!
//! This package and that of the games contain everything that must be fast: they are compiled with
//! all optimisations, however long that takes. Generic code over numbers and spaces is instantiated
//! here, so that the packages that use it compile no instances.
//!
//! A solver is a [`law`] run over a [`space`] of [`positions`]: the law says what an ending is worth
//! and what a turn makes of the best that each player can move to, in a [`number`]; the space
//! chooses the order of the positions and where their values are kept; [`proof`] checks the values.
//! The other modules are theories, each with its laws and whatever its questions need besides.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        reason = "the numbers of tests are small"
    )
)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use bid_game as game;
use bid_language::{convert, diagnostic, parallel, player, rules, scalar, watch};

pub mod law;
pub mod number;
pub mod positions;
pub mod proof;
pub mod space;

pub mod all_pay;
pub mod budgets;
pub mod chips;
pub mod matrix;
pub mod objective;
pub mod onward;
pub mod order;
pub mod richman;
pub mod scoring;
pub mod selection;
pub mod sequences;
pub mod strategy;
pub mod truncation;

// The unit tests share scaffolding with the integration tests, which refer to the package by name.
#[cfg(test)]
extern crate self as bid_solve;
#[cfg(test)]
#[path = "../tests/positional.rs"]
mod positional;
#[cfg(test)]
#[path = "../tests/random.rs"]
mod random;
#[cfg(test)]
#[path = "../tests/shared.rs"]
mod shared;

pub use proof::spot::contradiction;
