//! The tests of the whole program. They form one test program, because each would be linked with
//! all of `bid`.
//!
//! `cargo test NAME::` runs one file of them, `cargo test NAME::case` one test.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the numbers of tests are small"
)]

mod all_pay_sessions;
mod analysis;
mod attributes;
mod bad_input;
mod birthdays;
mod budgets;
mod certificates;
mod checkpoints;
mod chess;
mod cli;
mod comments;
mod disk;
mod editors;
mod endless_play;
mod engine;
mod export;
mod fixes;
#[cfg(unix)]
mod full_disk;
mod fuzz_corpus;
mod greedy;
mod income;
#[cfg(feature = "lsp")]
mod language_server;
#[cfg(unix)]
mod limits;
mod matches;
#[allow(
    dead_code,
    reason = "the suite uses the oracle of the solvers' tests in part"
)]
#[path = "../crates/solve/tests/oracle/mod.rs"]
mod oracle;
mod pictures;
mod pipeline;
mod plain;
mod plans;
mod prism;
#[path = "../crates/solve/tests/random.rs"]
mod random;
mod read_back;
mod readers;
mod readme;
#[cfg(unix)]
mod recorded;
mod renaming;
mod repl;
mod robin_hood;
mod rooms;
mod routes;
mod rulesets;
mod search;
mod selection;
#[cfg(feature = "serve")]
mod serve;
mod stops;
mod stuck_rules;
mod sums;
mod support;
mod theorems;
mod travel;
mod truncation;
mod turns;
mod words;
