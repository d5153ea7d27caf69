//! Generates random texts: tokens in any order, programs with a few changes, programs with comments
//! at the ends of lines.

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;

const TOKENS: [&str; 90] = [
    "use", "let", "game", "rules", "using", "show", "check", "test", "if", "then", "else", "in",
    "for", "and", "or", "not", "at", "after", "graph", "start", "both", "win", "draw", "score",
    "state", "move", "stuck", "symmetry", "drop", "alice", "bob", "left", "true", "G", "f", "x'",
    "ε", "eps", "1", "4*", "3-ε", "0.5", "1e-3", "12ab", "3.", "\"A.B\"", "\"", "“a”", "(", ")",
    "[", "]", "{", "}", ",", ":", ";", "|", "||", "=", "==", "+=", "-=", "->", "<->", "<", "<=",
    "∧", "/\\", "≡", "∥", "+", "-", "−", "*", "/", "^", "~", "..", "++", "±", "+/-", "%", "#", "…",
    "// c\n", "/// d\n", "\n", "\n", "\n",
];

pub fn tokens() -> impl Strategy<Value = String> {
    let token = (
        prop::sample::select(&TOKENS[..]),
        prop::sample::select(&["", " ", " ", " "][..]),
    );
    prop::collection::vec(token, 0..60)
        .prop_map(|tokens| tokens.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

fn programs() -> Vec<String> {
    let folders = [
        "../../games",
        "tests/cases/syntax/ok",
        "tests/cases/syntax/err",
    ];
    let files = folders.iter().flat_map(|folder| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        std::fs::read_dir(folder).expect("the folder is there")
    });
    let mut paths: Vec<_> = files
        .map(|file| file.expect("the folder is readable").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "bid"));
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("the file is readable"))
        .collect()
}

/// Generates excerpts of some lines of a program, cut between statements where these are easily
/// recognised.
fn excerpt() -> impl Strategy<Value = String> {
    (
        prop::sample::select(programs()),
        any::<Index>(),
        1..30_usize,
    )
        .prop_map(|(program, start, count)| {
            let lines: Vec<&str> = program.lines().collect();
            let start = start.index(lines.len().max(1));
            lines
                .iter()
                .skip(start)
                .take(count)
                .copied()
                .collect::<Vec<_>>()
                .join("\n")
        })
}

pub fn mutated() -> impl Strategy<Value = String> {
    let change = (
        any::<Index>(),
        0..4_usize,
        prop::sample::select(&TOKENS[..]),
    );
    (excerpt(), prop::collection::vec(change, 0..4)).prop_map(|(text, changes)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (place, removed, inserted) in changes {
            let at = place.index(characters.len() + 1);
            let end = (at + removed).min(characters.len());
            characters.splice(at..end, inserted.chars());
        }
        characters.into_iter().collect()
    })
}

/// Generates readable programs with comments behind lines and on lines of their own.
pub fn commented() -> impl Strategy<Value = String> {
    let readable: Vec<String> = programs()
        .into_iter()
        .filter(|text| is_readable(text))
        .collect();
    (
        prop::sample::select(readable),
        prop::collection::vec((any::<Index>(), 0..3_u8), 1..8),
    )
        .prop_map(|(program, places)| {
            let mut lines: Vec<String> = program.lines().map(str::to_owned).collect();
            for (number, (place, kind)) in places.into_iter().enumerate() {
                let at = place.index(lines.len());
                match kind {
                    0 => lines.insert(at, format!("// own {number}")),
                    1 => lines.insert(at, format!("    /// doc {number}")),
                    _ => lines[at].push_str(&format!(" // end {number}")),
                }
            }
            lines.join("\n")
        })
}

fn is_readable(text: &str) -> bool {
    super::parse(text).1.diagnostics.is_empty()
}
