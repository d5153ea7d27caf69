//! Printed source can be read back: values and the labels of tables, read again, are unchanged.

use std::sync::Arc;

use bid::session::{Session, SessionEvent};
use bid_language::diagnostic::Severity;
use bid_language::ir::Kinds;
use bid_language::scalar::Scalar;
use bid_language::syntax::quoted;
use bid_report::Report;

use crate::support::{Disk, transcript};

const GAMES: [&str; 9] = [
    "A^2",
    "E",
    "A ∧ B^2",
    "~(A^2 ∧ E)",
    "{ A, B^2 | E }",
    "tug(2)",
    "tug(2) at 1",
    "(A ∧ B^2)[3]",
    "tictactoe at \"AB./BA./...\"",
];

/// Returns the values of expressions, one after the other.
fn reports(expressions: &[String]) -> Vec<Report> {
    let mut found = Vec::new();
    let mut session = Session::new(Box::new(Disk), Arc::default());
    let text = format!("use \"games/classics.bid\"\n{}\n", expressions.join("\n"));
    session.run_text("read back", &text, &mut |_, event| match event {
        SessionEvent::Value(value) => found.push(value),
        SessionEvent::Diagnostic(diagnostic) if diagnostic.severity() == Severity::Error => {
            panic!("{}: {text}", diagnostic.message)
        }
        _ => {}
    });
    assert_eq!(found.len(), expressions.len(), "{text}");
    found
}

/// Replaces the table's parameter in a row's label, where it stands alone or before a star, by a
/// number.
fn at(label: &str, parameter: &str, column: &Scalar) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut read = String::new();
    let mut rest = label;
    while let Some(place) = rest.find(parameter) {
        let (before, after) = (&rest[..place], &rest[place + parameter.len()..]);
        let alone = !before.ends_with(is_part) && !after.starts_with(is_part);
        read.push_str(before);
        read.push_str(&if alone {
            column.to_string()
        } else {
            parameter.to_owned()
        });
        rest = after;
    }
    read + rest
}

#[test]
fn labels_are_what_their_rows_are() {
    let questions = GAMES.iter().flat_map(|game| {
        [
            "outcomes(G, 0..2, 0..2)",
            "f(G, 0..4)",
            "v(G, 0..1, 0..2) using { pay: all_pay, ties: ladies_first, draws: half }",
        ]
        .into_iter()
        // On cycles all-pay values are enclosed, by different bounds for each question.
        .filter(|question| !(question.starts_with('v') && game.contains("tug")))
        .map(|question| question.replace('G', game))
    });
    let questions: Vec<String> = questions.collect();
    for (question, report) in questions.iter().zip(reports(&questions)) {
        let Report::Table(table) = report else {
            panic!("{question} is no table")
        };
        let rules = question
            .find(" using")
            .map_or("", |start| &question[start..]);
        let cells = table.rows.iter().flat_map(|row| {
            table
                .columns
                .iter()
                .map(|column| format!("{}{rules}", at(&row.label, &table.parameter, column)))
        });
        let read = reports(&cells.collect::<Vec<_>>());
        let values = table
            .rows
            .iter()
            .flat_map(|row| row.values.iter().cloned().map(Report::Scalar));
        assert_eq!(read, values.collect::<Vec<_>>(), "{question}");
    }
}

#[test]
fn values_are_read_again() {
    let values = [
        "[3*, 4-ε, -1/3, 0, 2^100]",
        "(\"b\", [\"x, y\", \"1\"], true, empty)",
        "{ pay: taxman(1/3), ties: coin, precision: 1e-6 }",
        "[alice, bob, draw, top, bottom]",
        "cells(grid(2, 2))",
        "[f(E, 3), R(E ∧ A), o(subtraction(5, [1, 2]), 3)[0] using larsson]",
        "positions(tug(2))",
        "positions(tictactoe at \"AB./BA./..A\")",
        "positions(subtraction(4, [1, 2]))",
        "positions(A^2 ∧ ~E)",
    ];
    let values: Vec<String> = values
        .map(str::to_owned)
        .into_iter()
        .chain(GAMES.map(str::to_owned))
        .collect();
    let first = reports(&values);
    let printed: Vec<String> = first.iter().map(ToString::to_string).collect();
    let again: Vec<String> = reports(&printed).iter().map(ToString::to_string).collect();
    assert_eq!(again, printed);
}

/// Returns a value as a program writes it; `None` for a function, and for an answer that is more
/// than a value, such as a strategy or a picture.
fn written(report: &Report) -> Option<String> {
    match report {
        Report::Scalar(Scalar::Function { .. }) => None,
        Report::Scalar(Scalar::String(text)) => Some(quoted(text)),
        Report::Scalar(_) | Report::List(_) | Report::Tuple(_) | Report::Rules(_) => {
            Some(report.to_string())
        }
        _ => None,
    }
}

/// Returns the value of an expression in a program of its own, if it has one.
fn answered(expression: &str) -> Option<Report> {
    let mut found = None;
    let mut session = Session::new(Box::new(Disk), Arc::default());
    session.run_text("read back", expression, &mut |_, event| match event {
        SessionEvent::Value(value) => found = Some(value),
        SessionEvent::Diagnostic(diagnostic) if diagnostic.severity() == Severity::Error => {
            found = None
        }
        _ => {}
    });
    found
}

/// Checks that every answer on the page of functions, also one that is known only between bounds,
/// equals its printed form. An answer that is a list of values, as a table is, equals that list.
#[test]
fn answers_equal_what_is_printed() {
    const TUG: &str = "graph { start 1; both 0 <-> 1; both 1 -> A; both 0 -> B }";
    let more = [
        format!("R({TUG}) using {{ pay: poorman }}"),
        format!("R({TUG}) using {{ pay: poorman, precision: 1e-3 }}"),
        format!("thresholds({TUG}) using {{ pay: taxman(1/3) }}"),
        format!("v({TUG}, 3, 1) using menz"),
        format!("v({TUG}, 0..3) using menz"),
        format!("v({TUG}, 0..2, 0..2) using {{ pay: all_pay, ties: coin, draws: half }}"),
        format!("-R({TUG}) + 1 using {{ pay: poorman }}"),
        "sure({ A | B }, 0..3) using menz".to_owned(),
        "f(B, bob: 0..2) using { pay: poorman }".to_owned(),
        "v(graph { start 0; both 0 -> 0 }, 2, 1) using { pay: all_pay, ties: coin, draws: bob }"
            .to_owned(),
        "[1/3 ± 1e-3, -2 ± 1, 5 +/- 0]".to_owned(),
    ];
    // Boards are printed as positions are, in the form that follows `at`.
    let known = bid::library::signatures()
        .filter(|builtin| !builtin.result.meets(Kinds::BOARD) || builtin.result == Kinds::ANY)
        .flat_map(|builtin| builtin.examples);
    let known = known.map(|(expression, _)| (*expression).to_owned());
    let (mut read, mut bounds) = (0, 0);
    let (mut wrong, mut other) = (Vec::new(), Vec::new());
    for expression in known.chain(more) {
        let Some(answer) = answered(&expression) else {
            continue;
        };
        let elements = || answered(&format!("[element for element in {expression}]"));
        let Some(printed) = written(&answer).or_else(|| written(&elements()?)) else {
            other.push(expression);
            continue;
        };
        let mut session = Session::new(Box::new(Disk), Arc::default());
        let check = format!("check ({expression}) == ({printed})");
        let said = transcript(&mut session, "check", &check);
        let said: Vec<&str> = said.lines().filter(|line| line.starts_with('E')).collect();
        if !said.is_empty() {
            wrong.push(format!("{check}: {said:?}"));
        }
        read += 1;
        bounds += usize::from(printed.contains('±'));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read > 100 && bounds > 6, "{read} {bounds}");
    assert!(other.len() < 40, "{other:#?}");
}

/// Checks that numbers known only between bounds are compared as far as the bounds decide.
#[test]
fn bounds_are_compared_as_far_as_they_tell() {
    let mut session = Session::new(Box::new(Disk), Arc::default());
    let program = "let g = graph { start 1; both 0 <-> 1; both 1 -> A; both 0 -> B }\n\
        let r = R(g) using { pay: poorman, precision: 1e-2 }\n\
        let z = graph { start 0; both 0 -> 0 }\n";
    transcript(&mut session, "definitions", program);
    let mut said = |question: &str| {
        transcript(&mut session, "question", question)
            .trim()
            .to_owned()
    };
    let told = [
        ("r", "0.3823 ± 6e-4"),
        (
            "[r < 1/2, r > 1/2, r <= 0.3, r >= 0.3, r == 1/2, r != 1/2]",
            "[true, false, false, true, false, true]",
        ),
        (
            "[r == r, r <= r, r < r, r in [0, 1]]",
            "[true, true, false, false]",
        ),
        (
            "[r == 0.38 ± 0.01, 0.38 ± 0.01 == r, r == 0.5 +/- 0.01]",
            "[true, true, false]",
        ),
        (
            "[0.38 == 0.4 ± 0.1, 0.38 == 0.5 ± 0.1, 0.4 ± 0.1 == 0.4 ± 0.1]",
            "[true, false, true]",
        ),
        ("0 * r", "0"),
        (
            "[r[0] < r[1], abs(-r) == r ± 0, floor(r), ceil(-r), max(r, 1), min(r, 1/4), sum([r, 1])[0] > 1]",
            "[true, true, 0, 0, 1, 1/4, true]",
        ),
        (
            "[(1 - r) / 2 < 1/2, r^2 < r[0], (r - r)^2 >= 0, 1 / r > 2, r % 1 == 0]",
            "E0301",
        ),
        (
            "[(1 - r) / 2 < 1/2, r^2 < r[0], (r - r)^2 >= 0, 1 / r > 2]",
            "[true, true, true, true]",
        ),
        ("r == r + 0", "E0705"),
        ("r < 0.382", "E0705"),
        ("r == 0.382 ± 1e-6", "E0705"),
        (
            "(R(g) using { pay: poorman }) == (R(g) using { pay: poorman })",
            "E0705",
        ),
        ("r in [0.382]", "E0705"),
        ("sort([r, 0.382])", "E0705"),
        ("floor(10 * r + 0.18)", "E0705"),
        ("1 / (r - r)", "E0704"),
        ("1 ± -1", "E0702"),
        ("1 ± r", "E0301"),
        (
            "v(z, 2, 1) using { pay: all_pay, ties: coin, draws: bob }",
            "0",
        ),
        (
            "(v(z, 2, 1) using { pay: all_pay, ties: coin, draws: bob }) == 0",
            "true",
        ),
        (
            "(v(z, 2, 1) using { pay: all_pay, ties: coin, draws: bob }) - 1",
            "-1",
        ),
        (
            "[never == never, never > 10^100, never <= 3, 4* < never, never == 3]",
            "[true, true, false, true, false]",
        ),
        ("never + 1", "E0301"),
    ];
    for (question, answer) in told {
        let found = said(question);
        assert!(
            found == answer || answer.starts_with('E') && found.starts_with(answer),
            "{question}: {found}"
        );
    }
}
