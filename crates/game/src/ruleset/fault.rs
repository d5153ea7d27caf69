//! Faults, which stop a program at a position, and their diagnostics.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::layout::Range;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A place in a ruleset's source where a program can fault: an index into [`Sites`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site(u32);

impl Site {
    /// Returns the fault at this site, with the offending number.
    pub fn fault(self, value: i64) -> Fault {
        Fault { site: self, value }
    }
}

/// The error of a program that cannot continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    site: Site,
    value: i64,
}

/// The cause of a fault.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cause {
    /// An index outside of a collection, with the collection's description and its length n; valid
    /// indices are `0 .. n − 1`.
    Index(String, usize),
    /// A number beyond 64 bits.
    Overflow,
    /// A divisor that is zero.
    ZeroDivisor,
    /// A state variable that would leave its range.
    Range(String, Range),
    /// A state variable that would get a value that is no player.
    NotPlayer(String),
    /// A piece dropped into a full column.
    FullColumn,
    /// The least or greatest element of an empty list.
    EmptyList,
    /// A number that must be an integer and is not.
    NotInteger,
    /// A `win` line whose winner is `empty`.
    NobodyWins,
    /// A `turn` line whose owner is `empty`.
    NobodyMoves,
    /// An `income` line with a negative part.
    NegativeIncome,
}

/// The places where a ruleset's programs can fault.
#[derive(Debug, Default)]
pub struct Sites(IndexSet<(Span, Cause), FxBuildHasher>);

impl Sites {
    /// Adds a place, unless it is there already.
    pub fn add(&mut self, span: Span, cause: Cause) -> Site {
        // Loops compile the same place again and again, and one site is enough for all of them.
        let index = self.0.insert_full((span, cause)).0;
        Site(u32::try_from(index).expect("programs are limited to fewer parts"))
    }

    /// Builds the diagnostic of a fault; `at` names the position and the move.
    pub fn diagnostic(&self, fault: Fault, at: &str) -> Box<Diagnostic> {
        let (span, cause) = &self.0[fault.site.0 as usize];
        let value = fault.value;
        let (message, label, help) = match cause {
            Cause::Index(what, count) => (
                format!("an index lies outside of {what}"),
                "outside".to_owned(),
                format!(
                    "indices run from 0 to {}; guard it with `if`",
                    count.saturating_sub(1)
                ),
            ),
            Cause::Overflow => (
                "a number grows beyond 64 bits".to_owned(),
                "this number".to_owned(),
                "keep the numbers of a ruleset small".to_owned(),
            ),
            Cause::ZeroDivisor => (
                "division by zero".to_owned(),
                "the divisor is 0 here".to_owned(),
                "guard it with `if`".to_owned(),
            ),
            Cause::Range(variable, range) => (
                format!("`{variable}` leaves its range: it would become {value}"),
                format!("it holds {} to {}", range.low, range.high),
                "guard the move with `if`, or end the game before".to_owned(),
            ),
            Cause::NotPlayer(variable) => (
                format!("`{variable}` leaves its range: it would become `empty`"),
                "it holds `alice` or `bob`".to_owned(),
                "guard the move with `if`".to_owned(),
            ),
            Cause::FullColumn => (
                "a piece is dropped into a full column".to_owned(),
                "no cell of the column is empty".to_owned(),
                "guard the move with `if height(board, col) < rows(board)`".to_owned(),
            ),
            Cause::EmptyList => (
                "an empty list has no least and no greatest element".to_owned(),
                "the list is empty here".to_owned(),
                "guard it with `if`, or add an element".to_owned(),
            ),
            Cause::NotInteger => (
                "a state variable would become a fraction".to_owned(),
                "not an integer here".to_owned(),
                "round it with `floor` or `ceil`".to_owned(),
            ),
            Cause::NobodyMoves => (
                "`turn` names a player, but this is `empty`".to_owned(),
                "`empty` here".to_owned(),
                "add a condition that excludes it".to_owned(),
            ),
            Cause::NegativeIncome => (
                "income is negative".to_owned(),
                "less than 0 here".to_owned(),
                "add a condition that excludes it, or give the opponent income".to_owned(),
            ),
            Cause::NobodyWins => (
                "`win` names a player, but this is `empty`".to_owned(),
                "`empty` here".to_owned(),
                "add a condition that excludes it".to_owned(),
            ),
        };
        Diagnostic::new(Code::OutOfRange, message)
            .label(*span, label)
            .note(at)
            .help(help)
            .into()
    }
}
