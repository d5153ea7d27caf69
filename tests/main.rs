//! The tests of the whole: one program, since each is linked with all of `bid`.
//!
//! `cargo test NAME::` runs one file of them, `cargo test NAME::case` one test.

mod all_pay;
mod all_pay_cycles;
mod all_pay_lasting;
mod all_pay_laws;
mod all_pay_sessions;
mod analysis;
mod attached;
mod attributes;
mod bad_input;
mod birthdays;
mod budget_forms;
mod budgets;
mod certificates;
mod checkpoints;
mod chess;
mod cli;
mod discrete;
mod discrete_laws;
mod disk;
mod editors;
mod endless_play;
mod engine;
mod fixes;
#[cfg(unix)]
mod full_disk;
mod fuzz_corpus;
mod graphs;
mod greedy;
#[cfg(feature = "lsp")]
mod language_server;
#[cfg(unix)]
mod limits;
mod matches;
mod oracle;
mod order;
mod pictures;
mod pipeline;
mod plain;
mod plans;
mod prism;
mod random_turns;
mod read_back;
mod readers;
mod readme;
#[cfg(unix)]
mod recorded;
mod renaming;
mod repl;
mod richman;
mod robin_hood;
mod rooms;
mod routes;
mod rulesets;
mod scoring;
mod search;
mod selection;
mod sequences;
#[cfg(feature = "serve")]
mod serve;
mod standing;
mod stops;
mod strategies;
mod stuck_rules;
mod subtraction_periods;
mod sums;
mod support;
mod sure_wins;
mod syntax_cases;
mod syntax_laws;
mod theorems;
mod travel;
mod truncation;
mod turns;
mod unbeaten_budgets;
mod words;
