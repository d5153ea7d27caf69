//! Writes the texts of `:help` on builtins and on the words of the language, from their tables.

use crate::ir::BuiltinSignature;
use crate::rules::{FIELDS, PRESETS, RuleField, RuleWord};
use crate::syntax::vocabulary::{Word, WordClass, uses};

/// Returns the section on a builtin.
pub fn help_on_builtin(builtin: &BuiltinSignature) -> String {
    let examples: Vec<String> = builtin
        .examples
        .iter()
        .map(|(expr, printed)| example(expr, printed))
        .collect();
    format!(
        "{}\n\n{}\n\n{}",
        builtin.heading(),
        builtin.help,
        examples.join("\n")
    )
}

/// Returns the sections on a word: first on its uses as a name that a definition can hide, then on
/// the others.
pub fn help(word: &str) -> (Vec<String>, Vec<String>) {
    let is_name = |entry: &&Word| entry.class == WordClass::Constant;
    let presets = PRESETS
        .iter()
        .filter(|preset| preset.name == word)
        .map(|preset| section(preset.name, preset));
    let names = uses(word).filter(is_name).map(use_of_word).chain(presets);
    let fields = FIELDS.iter().filter(|field| field.name == word).map(field);
    let values = FIELDS
        .iter()
        .flat_map(|field| field.values.iter().map(move |value| (field, value)));
    let values = values.filter(|(_, value)| value.name == word);
    let values = values.map(|(field, value)| section(&format!("{}: {word}", field.name), value));
    let all_fields = matches!(word, "rules" | "using").then(fields_of_rules);
    let others = uses(word)
        .filter(|entry| !is_name(entry))
        .map(use_of_word)
        .chain(all_fields)
        .chain(fields)
        .chain(values);
    (names.collect(), others.collect())
}

/// Returns all sections on a word.
pub fn all(word: &str) -> Vec<String> {
    let (names, others) = help(word);
    names.into_iter().chain(others).collect()
}

/// Returns the section on a value of a field of rules.
pub fn help_on_value(field: &str, value: &str) -> Option<String> {
    let field = RuleField::named(field)?;
    let value = field.values.iter().find(|known| known.name == value)?;
    Some(section(&format!("{}: {}", field.name, value.name), value))
}

fn use_of_word(word: &Word) -> String {
    let heading = format!("{}: {}", word.spellings.join(" or "), word.class.title());
    format!(
        "{heading}\n\n{}\n\n{}",
        word.meaning,
        example(word.example, word.prints)
    )
}

fn fields_of_rules() -> String {
    let lines = FIELDS
        .iter()
        .map(|field| format!("\n  {:12}{}", field.name, field.meaning));
    format!("the fields of rules\n{}", lines.collect::<String>())
}

fn section(heading: &str, word: &RuleWord) -> String {
    format!(
        "{heading}\n\n{}\n\n{}",
        word.meaning,
        example(word.example, word.prints)
    )
}

fn field(field: &RuleField) -> String {
    let mut text = format!("{}: …\n\n{}", field.name, field.meaning);
    if !field.values.is_empty() {
        text.push_str("; the first is the default\n");
    }
    for value in field.values {
        text.push_str(&format!("\n  {:22}{}", value.name, value.meaning));
    }
    text + "\n\n" + &example(field.example, field.prints)
}

/// Formats a program with its output: an expression and its value are put on one line if they fit.
fn example(program: &str, prints: &str) -> String {
    let shows = program.lines().any(|line| line.starts_with("show "));
    match prints {
        "" => program.to_owned(),
        _ if shows || prints.contains('\n') => format!("{program}\n{prints}"),
        _ => format!("{program} = {prints}"),
    }
}
