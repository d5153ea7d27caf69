//! What is printed as source is source: values and the labels of tables, read again, are what they
//! were.

use std::sync::Arc;

use bid::diagnostic::Severity;
use bid::report::{Report, Scalar};
use bid::session::{Event, Session};
use bid::watch::Unwatched;

use crate::support::Disk;

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

/// What expressions come to, one after the other.
fn reports(expressions: &[String]) -> Vec<Report> {
    let mut found = Vec::new();
    let mut session = Session::new(Box::new(Disk), Arc::new(Unwatched));
    let text = format!("use \"games/classics.bid\"\n{}\n", expressions.join("\n"));
    session.run_text("read back", &text, &mut |_, event| match event {
        Event::Value(value) => found.push(value),
        Event::Diagnostic(diagnostic) if diagnostic.severity() == Severity::Error => {
            panic!("{}: {text}", diagnostic.message)
        }
        _ => {}
    });
    assert_eq!(found.len(), expressions.len(), "{text}");
    found
}

/// A row's label with a number in the place of the table's parameter, which stands alone or before
/// a star.
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
        // Where positions come back all-pay values are enclosed, each question by bounds of its
        // own.
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
