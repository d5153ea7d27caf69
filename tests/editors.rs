//! Checks that the grammars of editors have the words of the table. `editors/test.sh` compares
//! their colours with the REPL.

use std::collections::BTreeSet;

use bid_language::syntax::vocabulary::{Word, WordClass, constants, is_keyword, keywords, words};
use serde_json::Value;

const TEXTMATE: &str = include_str!("../editors/vscode/syntaxes/bid.tmLanguage.json");
const TREE_SITTER: &str = include_str!("../editors/tree-sitter-bid/src/grammar.json");
const HIGHLIGHTS: &str = include_str!("../editors/tree-sitter-bid/queries/highlights.scm");

/// The brackets and separators, which are not words.
const BRACKETS: [&str; 10] = ["(", ")", "[", "]", "{", "}", ",", ":", "|", ";"];

type Words<'a> = BTreeSet<&'a str>;

fn spellings(keep: impl Fn(&Word) -> bool) -> Words<'static> {
    words()
        .filter(|word| keep(word))
        .flat_map(|word| word.spellings.iter().copied())
        .collect()
}

/// Returns the constants that are not also reserved words.
fn plain_constants() -> Words<'static> {
    constants().filter(|word| !is_keyword(word)).collect()
}

/// Returns the words that a pattern of the TextMate grammar lists: those of its first group with
/// alternatives.
fn listed<'g>(grammar: &'g Value, pattern: &str) -> Words<'g> {
    let text = grammar["repository"][pattern]["match"]
        .as_str()
        .unwrap_or_else(|| panic!("no pattern {pattern}"));
    let groups = text.split('(').map(|group| {
        group
            .trim_start_matches("?:")
            .split(')')
            .next()
            .unwrap_or_default()
    });
    let is_word = |word: &str| !word.is_empty() && word.chars().all(char::is_alphabetic);
    let group = groups
        .into_iter()
        .find(|group| group.contains('|') && group.split('|').all(is_word));
    group
        .unwrap_or_else(|| panic!("{pattern} lists no words"))
        .split('|')
        .collect()
}

#[test]
fn the_textmate_grammar_has_the_words_of_the_table() {
    let grammar: Value = serde_json::from_str(TEXTMATE).expect("it is JSON");
    let reserved: Words = ["keyword", "operator-word", "player", "truth"]
        .iter()
        .flat_map(|name| listed(&grammar, name))
        .collect();
    assert_eq!(reserved, keywords().collect());
    assert_eq!(listed(&grammar, "constant"), plain_constants());
    assert_eq!(
        listed(&grammar, "line"),
        spellings(|word| word.class.begins_line() && word.is_alphabetic())
    );
    assert_eq!(
        listed(&grammar, "operator-word"),
        spellings(|word| word.class == WordClass::Operator && word.is_alphabetic())
    );
    assert_eq!(
        listed(&grammar, "player"),
        spellings(|word| word.class == WordClass::Player || is_player(word))
    );
}

/// Returns `true` for a player. As values, players have the same class as other words of
/// expressions.
fn is_player(word: &Word) -> bool {
    word.is_alphabetic()
        && word
            .spellings
            .iter()
            .any(|word| ["alice", "bob"].contains(word))
}

/// Collects every text that a rule reads literally.
fn literals<'g>(rule: &'g Value, found: &mut Words<'g>) {
    match rule {
        Value::Object(rule) if rule.get("type").is_some_and(|kind| kind == "STRING") => {
            found.extend(rule.get("value").and_then(Value::as_str));
        }
        Value::Object(rule) => rule.values().for_each(|part| literals(part, found)),
        Value::Array(parts) => parts.iter().for_each(|part| literals(part, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_tree_sitter_grammar_has_the_words_of_the_table() {
    let grammar: Value = serde_json::from_str(TREE_SITTER).expect("it is JSON");
    let mut found = Words::new();
    literals(&grammar["rules"], &mut found);
    let mut table = spellings(|word| !matches!(word.class, WordClass::Constant | WordClass::Mover));
    table.extend(BRACKETS);
    assert_eq!(found, table);
}

#[test]
fn the_highlights_have_the_constants_of_the_table() {
    let (_, list) = HIGHLIGHTS
        .split_once("#any-of? @constant.builtin")
        .expect("the constants are listed");
    let list = list.split(')').next().unwrap_or_default();
    let found: Words = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(found, plain_constants());
}
