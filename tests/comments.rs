//! The documentation comments of the sources: a sample to be read, and a rule for their first word.
//!
//! `cargo test comments:: -- --nocapture` prints forty comments, drawn anew each time, with the
//! lines that they document. CI does so, so that somebody reads them with a stranger's eye.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rand::prelude::*;

/// The folders with sources.
const FOLDERS: [&str; 7] = [
    "benches",
    "crates",
    "fuzz",
    "python/src",
    "src",
    "tests",
    "web/wasm",
];

/// The number of comments drawn.
const DRAWN: usize = 40;

/// Words with which a comment begins that names a thing by a question or by another thing.
const NOT_FIRST: [&str; 10] = [
    "What", "Who", "Whose", "Where", "Whether", "How", "Likewise", "The same", "That", "Those",
];

/// A documentation comment: its place, its text in one line, and the line after it.
struct Comment {
    place: String,
    text: String,
    documented: String,
}

fn collect(folder: &Path, found: &mut Vec<Comment>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the sources are there").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("the sources are text");
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            collect_in(&path, &lines, found);
        }
    }
}

fn collect_in(path: &Path, lines: &[&str], found: &mut Vec<Comment>) {
    let comment = |line: &str| {
        let rest = line.strip_prefix("///").or(line.strip_prefix("//!"))?;
        Some(rest.trim().to_owned())
    };
    let mut at = 0;
    while at < lines.len() {
        let text: Vec<String> = lines[at..].iter().map_while(|line| comment(line)).collect();
        if text.is_empty() {
            at += 1;
            continue;
        }
        let place = format!("{}:{}", path.display(), at + 1);
        at += text.len();
        found.push(Comment {
            place,
            text: text.join(" "),
            documented: lines.get(at).copied().unwrap_or_default().to_owned(),
        });
    }
}

/// Checks that no comment begins with a word that puts off what it says, and prints some.
#[test]
fn comments_begin_with_what_they_document() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        collect(&folder, &mut found);
    }
    assert!(
        found.len() > 5000,
        "only {} comments were found",
        found.len()
    );
    let begins_with = |text: &str, word: &str| {
        let rest = text.strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let puzzles: Vec<String> = found
        .iter()
        .filter(|comment| {
            NOT_FIRST
                .iter()
                .any(|word| begins_with(&comment.text, word))
        })
        .map(|comment| format!("{}: {}", comment.place, comment.text))
        .collect();
    assert!(
        puzzles.is_empty(),
        "a comment begins with what it documents, not with {NOT_FIRST:?}:\n{}",
        puzzles.join("\n")
    );
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = now.expect("it is after 1970").as_secs();
    println!(
        "{DRAWN} of {} comments, drawn with seed {seed}:",
        found.len()
    );
    for comment in found.sample(&mut StdRng::seed_from_u64(seed), DRAWN) {
        let Comment {
            place,
            text,
            documented,
        } = comment;
        println!("{place}\n    {documented}\n    {text}");
    }
}
