//! Completes text at the cursor, as far as the text before it determines the candidates.

use std::path::Path;

use serde::Serialize;

use super::words::SUBJECTS;
use crate::files::Files;
use crate::rules::{FIELDS, PRESETS, RuleField, WordMeaning};
use crate::syntax::vocabulary::{keywords, words};
use crate::syntax::{TokenClass, classify};

/// The possible completions at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Completion {
    /// The beginning of the unfinished word.
    pub start: usize,
    /// The possible completions of the word, in alphabetical order.
    pub candidates: Vec<Candidate>,
}

/// A possible completion of an unfinished word.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Candidate {
    /// The text that replaces the word.
    pub text: String,
    /// Its kind.
    pub kind: CandidateKind,
    /// `true` if it fits the kinds that are needed there, as far as they are known.
    pub fits: bool,
    /// The form of its use: `f(G, k)`, `tug(n)`.
    pub heading: Option<String>,
}

/// The kind of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CandidateKind {
    /// A name in scope.
    Name,
    /// A word of the language.
    Word,
    /// A field of rules, with its colon.
    Field,
    /// A value of a field.
    Value,
    /// A named parameter, with its colon.
    Parameter,
    /// A path of a file or folder.
    Path,
    /// A move, or the label of a vertex.
    Move,
}

/// The names and files to which a text may refer.
pub struct Surroundings<'a> {
    /// The names in scope.
    pub names: &'a [String],
    /// The available files.
    pub files: &'a dyn Files,
    /// The folder to which paths are relative.
    pub folder: &'a Path,
}

/// Returns the possible continuations of `before`, which ends at the cursor. There are none in a
/// comment.
pub fn complete(before: &str, around: &Surroundings<'_>) -> Completion {
    if is_in_comment(before) {
        return Completion::none(before.len());
    }
    if let Some(open) = open_string(before) {
        let is_import = last_word(before[..open].trim_end()) == "use";
        let typed = &before[open + 1..];
        return Completion {
            start: open + 1,
            candidates: if is_import {
                imports(typed, around)
            } else {
                Vec::new()
            },
        };
    }
    let start = before.trim_end_matches(is_word_part).len();
    // The expected kind of word depends only on the text left of the unfinished word.
    let (left, word) = before.split_at(start);
    let own = around
        .names
        .iter()
        .map(|name| Candidate::new(name, CandidateKind::Name));
    let known = |word| Candidate::new(word, CandidateKind::Word);
    let candidates: Vec<Candidate> = match expected(left.trim_end()) {
        ExpectedNext::Field => FIELDS
            .iter()
            .map(|field| Candidate::new(&format!("{}: ", field.name), CandidateKind::Field))
            .collect(),
        ExpectedNext::Value(field) => values(field),
        ExpectedNext::Rules => {
            let presets = PRESETS
                .iter()
                .map(|preset| Candidate::new(preset.name, CandidateKind::Name));
            presets.chain(own).collect()
        }
        ExpectedNext::Any => own.chain(keywords().map(known)).collect(),
        ExpectedNext::Line => own
            .chain(keywords().chain(words_of_lines()).map(known))
            .collect(),
    };
    Completion {
        start,
        candidates: matching(word, candidates),
    }
}

impl Completion {
    /// Returns no candidates, at a byte.
    pub(super) fn none(start: usize) -> Self {
        Self {
            start,
            candidates: Vec::new(),
        }
    }
}

impl Candidate {
    /// Creates a candidate that fits and has no heading.
    pub fn new(text: &str, kind: CandidateKind) -> Self {
        Self {
            text: text.to_owned(),
            kind,
            fits: true,
            heading: None,
        }
    }
}

/// Returns `true` if a text ends in a comment to which the next character belongs.
pub(super) fn is_in_comment(before: &str) -> bool {
    let last = classify(before).pop();
    last.is_some_and(|last| last.class == TokenClass::Comment && last.end as usize == before.len())
}

/// Returns `true` if a character may stand in a name.
pub(super) fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}

/// Returns the beginning of a string that is not closed before the cursor.
fn open_string(before: &str) -> Option<usize> {
    // A string ends with its line at the latest, so an odd quote further up is not still open.
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    let quotes: Vec<usize> = before[line..]
        .match_indices('"')
        .map(|(at, _)| line + at)
        .collect();
    if quotes.len() % 2 == 1 {
        quotes.last().copied()
    } else {
        None
    }
}

/// The expected continuation of a text.
#[derive(Debug, PartialEq, Eq)]
enum ExpectedNext<'t> {
    /// A field of rules.
    Field,
    /// A value of a field.
    Value(&'t str),
    /// A name of rules.
    Rules,
    /// A name or a keyword.
    Any,
    /// A name, a keyword or a word of the lines between braces.
    Line,
}

fn expected(left: &str) -> ExpectedNext<'_> {
    if last_word(left) == "using" {
        return ExpectedNext::Rules;
    }
    let Some(brace) = innermost_brace(left) else {
        return ExpectedNext::Any;
    };
    let (head, inside) = (left[..brace].trim_end(), &left[brace + 1..]);
    let field = inside.rsplit(',').next().unwrap_or_default().trim();
    if let Some(field) = field.strip_suffix(':').map(str::trim) {
        return ExpectedNext::Value(field);
    }
    let is_rules = last_word(head) == "using"
        || last_word(head[..head.len() - last_word(head).len()].trim_end()) == "rules";
    if field.is_empty() && (is_rules || inside.contains(':')) {
        ExpectedNext::Field
    } else {
        ExpectedNext::Line
    }
}

fn last_word(text: &str) -> &str {
    &text[text.trim_end_matches(is_word_part).len()..]
}

/// Returns the innermost open bracket, if it is a brace.
fn innermost_brace(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open.push((at, c)),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    open.last()
        .filter(|(_, bracket)| *bracket == '{')
        .map(|(at, _)| *at)
}

fn values(field: &str) -> Vec<Candidate> {
    let values = RuleField::named(field).map_or(&[][..], |field| field.values);
    let written = values.iter().map(|value| match value.meant {
        WordMeaning::Number(_) => format!("{}(", value.name),
        WordMeaning::Value(_) | WordMeaning::Rules(_) => value.name.to_owned(),
    });
    written
        .map(|value| Candidate::new(&value, CandidateKind::Value))
        .collect()
}

/// Returns the words that have a meaning only in the lines of graphs and rulesets.
fn words_of_lines() -> impl Iterator<Item = &'static str> {
    let written = words().filter(|word| word.is_alphabetic() && !word.class.is_reserved());
    written.flat_map(|word| word.spellings.iter().copied())
}

/// Returns the words of the language and of rules that `:help` explains.
pub fn words_with_help() -> impl Iterator<Item = &'static str> {
    let written = words()
        .filter(|word| word.is_alphabetic())
        .flat_map(|word| word.spellings.iter().copied());
    written
        .chain(
            FIELDS
                .iter()
                .flat_map(|field| std::iter::once(field.name).chain(field.words())),
        )
        .chain(SUBJECTS.iter().map(|subject| subject.name))
}

/// Returns the candidates that begin with an unfinished word, each once.
pub fn matching(word: &str, candidates: impl IntoIterator<Item = Candidate>) -> Vec<Candidate> {
    let begins = |candidate: &Candidate| candidate.text.starts_with(word);
    let mut found: Vec<Candidate> = candidates.into_iter().filter(begins).collect();
    found.sort();
    // Candidates are ordered by their text first, so equal texts are adjacent after sorting.
    found.dedup_by(|again, first| again.text == first.text);
    found
}

/// Returns the paths that `use` may name: beside the file, and in the game library.
fn imports(typed: &str, around: &Surroundings<'_>) -> Vec<Candidate> {
    let library = around.files.library_path();
    let libraries = library
        .iter()
        .flat_map(|folder| paths_in(folder, typed, around));
    matching(typed, paths(typed, around).into_iter().chain(libraries))
}

/// Returns the folders and `.bid` files that complete a path.
pub fn paths(typed: &str, around: &Surroundings<'_>) -> Vec<Candidate> {
    paths_in(around.folder, typed, around)
}

/// Returns the folders and `.bid` files that complete a path relative to this folder.
fn paths_in(root: &Path, typed: &str, around: &Surroundings<'_>) -> Vec<Candidate> {
    // A second slash is not part of a path: while it is typed, it begins a comment.
    if typed.contains("//") {
        return Vec::new();
    }
    let (folder, _) = typed.split_at(typed.rfind('/').map_or(0, |slash| slash + 1));
    let entries = around.files.entries(&root.join(folder)).into_iter();
    let shown = entries.filter(|entry| {
        !entry.name.starts_with('.') && (entry.is_folder || entry.name.ends_with(".bid"))
    });
    let named = shown.map(|entry| {
        format!(
            "{folder}{}{}",
            entry.name,
            if entry.is_folder { "/" } else { "" }
        )
    });
    matching(
        typed,
        named.map(|path| Candidate::new(&path, CandidateKind::Path)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Documents;

    fn complete_with(before: &str, names: &[&str]) -> (usize, Vec<String>) {
        let files = Documents::alone();
        for path in [
            "games/classics.bid",
            "games/arun.bid",
            "games/notes.txt",
            "game.bid",
        ] {
            files.set(Path::new(path), "");
        }
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let found = complete(
            before,
            &Surroundings {
                names: &names,
                files: &files,
                folder: Path::new(""),
            },
        );
        (
            found.start,
            found
                .candidates
                .into_iter()
                .map(|candidate| candidate.text)
                .collect(),
        )
    }

    fn words(before: &str) -> Vec<String> {
        complete_with(before, &["tictactoe", "tug", "family"]).1
    }

    #[test]
    fn names_and_keywords() {
        assert_eq!(words("R(tic"), ["tictactoe"]);
        assert_eq!(
            words("show A ∧ t"),
            ["test", "then", "tictactoe", "true", "tug"]
        );
        assert_eq!(complete_with("A ∧ tu", &[]).0, "A ∧ ".len());
    }

    #[test]
    fn words_of_lines_between_braces() {
        assert_eq!(words("graph { st"), ["start", "state", "stuck"]);
        assert_eq!(words("game g { state n = 0; sym"), ["symmetry"]);
        assert_eq!(words("st"), [] as [&str; 0]);
        assert_eq!(words("R(st"), [] as [&str; 0]);
    }

    #[test]
    fn fields_values_and_presets_of_rules() {
        assert_eq!(words("R(A) using { ti"), ["ties: "]);
        assert_eq!(words("rules mine { pay: poorman, wi"), ["winner: "]);
        assert_eq!(words("f(A, 5) using { pay: t"), ["taxman("]);
        assert_eq!(words("using { winner: "), ["chooses", "moves"]);
        assert_eq!(words("R(A) using l"), ["larsson", "lazarus"]);
    }

    #[test]
    fn nothing_in_comments() {
        for before in [
            "//",
            "// t",
            "show 1 // t",
            "/// ti",
            "let x = 1\n// it's \"ga",
            "use \"game.bid\" // \"ga",
        ] {
            assert_eq!(words(before), [] as [&str; 0], "{before}");
        }
        assert_eq!(words("// t\ntu"), ["tug"]);
        assert_eq!(words("show \"//\" == tu"), ["tug"]);
        assert_eq!(words("use \"games//"), [] as [&str; 0]);
    }

    #[test]
    fn paths_after_use_only() {
        assert_eq!(words("use \"ga"), ["game.bid", "games/"]);
        assert_eq!(
            words("use \"games/"),
            ["games/arun.bid", "games/classics.bid"]
        );
        assert_eq!(words("show \"ga"), [] as [&str; 0]);
    }

    #[test]
    fn use_offers_the_files_of_the_library() {
        let words = |before| {
            let around = Surroundings {
                names: &[],
                files: &crate::files::Library,
                folder: Path::new(""),
            };
            let found = complete(before, &around).candidates;
            found
                .into_iter()
                .map(|candidate| candidate.text)
                .collect::<Vec<_>>()
        };
        assert_eq!(words("use \"cl"), ["classics.bid"]);
        assert_eq!(words("use \"ga"), ["games/"]);
        assert_eq!(words("use \"games/cl"), ["games/classics.bid"]);
    }
}
