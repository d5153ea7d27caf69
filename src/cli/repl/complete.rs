//! Completion: what may stand where the cursor is.

use std::fs;

use bid::rules::{FIELDS, PRESETS};
use bid::session::Symbol;
use bid::syntax::vocabulary::{keywords, words};

use super::command::{Argument, COMMANDS, Kind};

/// Where the unfinished word begins in `before`, the text before the cursor, and what it may become.
pub fn complete(before: &str, names: &[Symbol]) -> (usize, Vec<String>) {
    match before.trim_start().strip_prefix(':') {
        Some(command) => complete_command(before, command, names),
        None => complete_statement(before, names),
    }
}

fn complete_command(before: &str, command: &str, names: &[Symbol]) -> (usize, Vec<String>) {
    let Some((name, argument)) = command.split_once(char::is_whitespace) else {
        let words = COMMANDS.iter().map(|each| match each.argument {
            Argument::None => each.name.to_owned(),
            Argument::Optional(_) | Argument::Required(_) => format!("{} ", each.name),
        });
        return (before.len() - command.len(), matching(command, words));
    };
    let kind = COMMANDS.iter().find(|each| each.name == name).map(|each| each.argument);
    match kind {
        Some(Argument::Optional(Kind::File) | Argument::Required(Kind::File)) => {
            let path = argument.trim_start();
            (before.len() - path.len(), paths(path))
        }
        Some(Argument::Optional(Kind::Rules) | Argument::Required(Kind::Rules)) => {
            let typed = format!("using {argument}");
            let (start, words) = complete_statement(&typed, names);
            ((before.len() + start).saturating_sub(typed.len()), words)
        }
        Some(Argument::Optional(Kind::Name) | Argument::Required(Kind::Name)) => {
            let word = argument.trim_start();
            let own = names.iter().map(|known| known.name.clone());
            (before.len() - word.len(), matching(word, own.chain(words_with_help().map(str::to_owned))))
        }
        Some(Argument::Optional(Kind::Expression) | Argument::Required(Kind::Expression)) => {
            complete_statement(before, names)
        }
        Some(Argument::None) | None => (before.len(), Vec::new()),
    }
}

fn complete_statement(before: &str, names: &[Symbol]) -> (usize, Vec<String>) {
    if let Some(open) = open_string(before) {
        let is_import = before[..open].trim_end().ends_with("use");
        return (open + 1, if is_import { paths(&before[open + 1..]) } else { Vec::new() });
    }
    let start = before.trim_end_matches(is_word_part).len();
    let (left, word) = before.split_at(start);
    let own = names.iter().map(|known| known.name.clone());
    let words: Vec<String> = match expected(left.trim_end()) {
        Expected::Field => FIELDS.iter().map(|field| format!("{}: ", field.name)).collect(),
        Expected::Value(field) => values(field),
        Expected::Rules => PRESETS.iter().map(|preset| preset.name.to_owned()).chain(own).collect(),
        Expected::Any => own.chain(keywords().map(str::to_owned)).collect(),
        Expected::Line => own.chain(keywords().chain(words_of_lines()).map(str::to_owned)).collect(),
    };
    (start, matching(word, words))
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}

/// Where a string begins that is not closed before the cursor.
fn open_string(before: &str) -> Option<usize> {
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    let quotes: Vec<usize> = before[line..].match_indices('"').map(|(at, _)| line + at).collect();
    if quotes.len() % 2 == 1 { quotes.last().copied() } else { None }
}

/// What may follow some text.
#[derive(Debug, PartialEq, Eq)]
enum Expected<'t> {
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

fn expected(left: &str) -> Expected<'_> {
    if last_word(left) == "using" {
        return Expected::Rules;
    }
    let Some(brace) = innermost_brace(left) else { return Expected::Any };
    let (head, inside) = (left[..brace].trim_end(), &left[brace + 1..]);
    let field = inside.rsplit(',').next().unwrap_or_default().trim();
    if let Some(field) = field.strip_suffix(':').map(str::trim) {
        return Expected::Value(field);
    }
    let is_rules =
        last_word(head) == "using" || last_word(head[..head.len() - last_word(head).len()].trim_end()) == "rules";
    if field.is_empty() && (is_rules || inside.contains(':')) { Expected::Field } else { Expected::Line }
}

fn last_word(text: &str) -> &str {
    &text[text.trim_end_matches(is_word_part).len()..]
}

/// The innermost bracket that is still open, if it is a brace.
fn innermost_brace(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open.push((at, c)),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    open.last().filter(|(_, bracket)| *bracket == '{').map(|(at, _)| *at)
}

fn values(field: &str) -> Vec<String> {
    let known = FIELDS.iter().filter(|known| known.name == field);
    known
        .flat_map(|known| known.words())
        .map(|value| if value == "taxman" { "taxman(".to_owned() } else { value.to_owned() })
        .collect()
}

/// The words that mean something in the lines of graphs and rulesets only.
fn words_of_lines() -> impl Iterator<Item = &'static str> {
    let written = words().filter(|word| word.is_alphabetic() && !word.class.is_reserved());
    written.flat_map(|word| word.spellings.iter().copied())
}

/// The words of the language and of rules, about which `:help` says something.
pub fn words_with_help() -> impl Iterator<Item = &'static str> {
    let written = words().filter(|word| word.is_alphabetic()).flat_map(|word| word.spellings.iter().copied());
    written.chain(FIELDS.iter().flat_map(|field| std::iter::once(field.name).chain(field.words())))
}

fn matching(word: &str, words: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = words.into_iter().filter(|candidate| candidate.starts_with(word)).collect();
    found.sort();
    found.dedup();
    found
}

/// The folders and `.bid` files that a path may become.
fn paths(typed: &str) -> Vec<String> {
    let (folder, _) = typed.split_at(typed.rfind('/').map_or(0, |slash| slash + 1));
    let entries = fs::read_dir(if folder.is_empty() { "." } else { folder }).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_folder = entry.path().is_dir();
        let is_shown = (is_folder || name.ends_with(".bid")) && !name.starts_with('.');
        is_shown.then(|| format!("{folder}{name}{}", if is_folder { "/" } else { "" }))
    });
    matching(typed, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(before: &str) -> Vec<String> {
        let known = |name: &str| Symbol { name: name.to_owned(), signature: name.to_owned(), builtin: false };
        complete(before, &[known("tictactoe"), known("tug"), known("family")]).1
    }

    #[test]
    fn names_and_keywords() {
        assert_eq!(words("R(tic"), ["tictactoe"]);
        assert_eq!(words("show A ∧ t"), ["test", "then", "tictactoe", "true", "tug"]);
        assert_eq!(complete("A ∧ tu", &[]).0, "A ∧ ".len());
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
        assert_eq!(words(":rules { dra"), ["draws: "]);
        assert_eq!(complete(":rules { dra", &[]).0, ":rules { ".len());
    }

    #[test]
    fn commands_and_files() {
        assert_eq!(words(":lo"), ["load "]);
        assert_eq!(words(":q"), ["quit"]);
        assert_eq!(words(":type tu"), ["tug"]);
        assert_eq!(words(":help sta"), ["start", "state"]);
        assert_eq!(words(":help tu"), ["tug"]);
        assert_eq!(words(":help ladies"), ["ladies_first"]);
        assert_eq!(words("use \"src/cli/re"), ["src/cli/repl/"]);
        assert_eq!(words(":load src/cli/te"), ["src/cli/test/"]);
        assert_eq!(words("show \"tu"), [] as [&str; 0]);
    }
}
