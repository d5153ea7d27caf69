//! Tests of the theories, each against an oracle or closed forms.
//!
//! `cargo test -p bid-solve --test solve NAME::` runs one file of them.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the numbers of tests are small"
)]

mod advised;
mod all_pay;
mod all_pay_cycles;
mod all_pay_lasting;
mod budget_forms;
mod budgets;
mod discrete;
mod discrete_laws;
mod endless_chips;
mod endless_oracle;
mod endless_weights;
mod graphs;
mod income;
mod literal;
mod oracle;
mod order;
mod positional;
mod random;
mod random_turns;
mod richman;
mod scoring;
mod sequences;
mod shared;
mod standing;
mod strategies;
mod subtraction_periods;
mod sure_wins;
mod taxman;
mod turns;
mod unbeaten_budgets;
