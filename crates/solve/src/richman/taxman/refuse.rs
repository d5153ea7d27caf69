//! Errors for games under taxed bids that the theory does not cover or the program cannot solve,
//! each with its reason and a remedy.

use super::MOST_BITS;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{FieldValue, Rules};

/// Returns the error for a precision beyond the program's limit.
pub(super) fn too_fine(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Precision(rules.precision.clone()).words();
    let digits = MOST_BITS as f64 * std::f64::consts::LOG10_2;
    Diagnostic::new(
        Code::NotSupported,
        format!("`{name}: {value}` is finer than the program can compute"),
    )
    .note(format!(
        "bounds have {MOST_BITS} binary places at most, about {} decimal ones",
        digits.floor()
    ))
    .help("ask for less, as in `precision: 1e-30`; the default is 1e-12")
    .into()
}

/// Returns the error for proved bounds that are too far apart.
pub(super) fn precision(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Precision(rules.precision.clone()).words();
    Diagnostic::new(
        Code::NotSupported,
        format!("`{name}: {value}` cannot be reached for this game"),
    )
    .note("play lasts so long that more than 1,000 binary places are lost on the way")
    .help("ask for less, or about the truncated game, `G[n]`")
    .into()
}

/// Returns the error for bounds that income keeps apart.
pub(super) fn income(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Precision(rules.precision.clone()).words();
    let under = rules
        .income_words()
        .map_or_else(String::new, |income| income.under);
    Diagnostic::new(Code::NotSupported, format!("`{name}: {value}` cannot be reached for this game {under}"))
        .note("where play can go round, thresholds jump at some amounts of income, and near a jump the bounds that are proved do not meet")
        .help("ask about the truncated game, `G[n]`, or about a little more or less income")
        .into()
}

/// Returns the error for objectives of infinite play that have no theory with income.
pub(super) fn endless_income(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Objective(rules.objective).words();
    let income = rules.income_words();
    let under = income.as_ref().map_or("", |income| &income.under);
    let without = income
        .as_ref()
        .map_or("leave out the income", |income| income.without);
    Diagnostic::unsupported(format!("`{name}: {value}` {under}"))
    .note("with income, thresholds are known for reaching a win, for never losing, and for visiting vertices again and again (two priorities, one more than the other)")
    .help(format!("write `objective: buchi` with lines `accepting: x, y`, or {without}"))
    .into()
}

/// Returns the error for bounds from both sides that do not meet.
pub(super) fn apart(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Precision(rules.precision.clone()).words();
    Diagnostic::new(
        Code::NotSupported,
        format!("the bounds of `solver: iteration` do not come as near as `{name}: {value}`"),
    )
    .note("floats end at about 1e-15; the bounds do not meet where play without end can be forced, and they converge slowly where bids are worth little")
    .help("write `solver: auto`, or ask for less")
    .into()
}

/// Returns the error for a component without proved bounds.
pub(super) fn unproved() -> Box<Diagnostic> {
    Diagnostic::unsupported("no bounds could be proved for a part of this game with cycles")
        .note("the values there change too little from one position to the next, or not at all")
        .help("ask about the truncated game, `G[n]`, or write `using { pay: richman }`")
        .into()
}
