//! Writes the texts of `:help` on builtins and on the words of the language, from their tables.

use crate::ir::BuiltinSignature;
use crate::rules::{FIELDS, PRESETS, RuleField, RuleWord};
use crate::syntax::vocabulary::{Word, WordClass, uses};

/// A word that newcomers look up and that is not written in programs.
pub struct Subject {
    /// The word.
    pub name: &'static str,
    /// Its meaning, and what is written for it.
    pub meaning: &'static str,
    /// An expression with it.
    pub example: &'static str,
    /// The value of the example.
    pub prints: &'static str,
}

/// The subjects that `:help` explains.
pub const SUBJECTS: &[Subject] = &[
    Subject {
        name: "chance",
        meaning: "`P(G)` is the probability that Alice wins if a fair coin, instead of bids, decides who moves; `P(G, p)` is \
           the same with a coin that is Alice's with probability p. Under Richman bidding, R(G) = 1 − P(G).",
        example: "P(A ∧ (A^2 ∧ B^3))",
        prints: "23/32",
    },
    Subject {
        name: "chips",
        meaning: "Chips are money that cannot be divided: a bid is a whole number of them. `f(G, k)` is the least number with \
           which Alice wins if there are k in all, `G(4*, 4)` says who wins with these chips. `4*` is four chips and the \
           tie-breaking advantage; 0 < 0* < 1 < 1* < …",
        example: "f(E, 4)",
        prints: "2*",
    },
    Subject {
        name: "cycle",
        meaning: "A game has a cycle if play can come back to a position. Play without end is a draw; the rule `draws` says \
           what a draw is worth, and `thresholds(G)` gives what Alice needs to win and what she needs not to lose.",
        example: "R(graph { start 0; both i <-> i + 1 for i in -2..1; win alice: 2; win bob: -2 })",
        prints: "1/2",
    },
    Subject {
        name: "star",
        meaning: "A star behind a number of chips marks the tie-breaking advantage: `4*` is four chips and the advantage. A \
           star between numbers multiplies them.",
        example: "E(2*, 2)",
        prints: "alice",
    },
    Subject {
        name: "wedge",
        meaning: "The wedge sum `G ∧ H`, in ASCII `G /\\ H`, is the game in which the next player to move chooses the start \
           of G or the start of H.",
        example: "R(A ∧ (A^2 ∧ B^3))",
        prints: "9/32",
    },
];

/// Returns the glossary's entry on a term of the field, in plain text: a paragraph that begins with
/// the term.
pub fn glossary(term: &str) -> Option<String> {
    entry(term).map(plain)
}

/// Returns the entry as the glossary's page has it.
fn entry(term: &str) -> Option<&'static str> {
    let entries = include_str!("../../docs/glossary.md").split("\n\n");
    let is_about = |entry: &&str| {
        let title = entry
            .strip_prefix("**")
            .and_then(|rest| rest.split_once("**"));
        title.is_some_and(|(title, _)| {
            title
                .trim_end_matches(['.', ','])
                .eq_ignore_ascii_case(term)
        })
    };
    entries.map(str::trim).find(is_about)
}

/// Removes the stars of bold and slanted words, but not those in code, and joins the lines.
fn plain(entry: &str) -> String {
    let mut in_code = false;
    let is_kept = |c: &char| {
        in_code ^= *c == '`';
        in_code || *c != '*'
    };
    entry.replace('\n', " ").chars().filter(is_kept).collect()
}

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
    let subjects = SUBJECTS
        .iter()
        .filter(|subject| subject.name == word)
        .map(on_subject);
    // These words are looked up by users who want to know the fields.
    let all_fields = matches!(word, "rules" | "using").then(fields_of_rules);
    let others = uses(word)
        .filter(|entry| !is_name(entry))
        .map(use_of_word)
        .chain(all_fields)
        .chain(subjects)
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

fn on_subject(subject: &Subject) -> String {
    let example = example(subject.example, subject.prints);
    format!("{}\n\n{}\n\n{example}", subject.name, subject.meaning)
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

#[cfg(test)]
mod tests {
    use super::glossary;

    #[test]
    fn terms_are_found_by_their_titles() {
        let begins = |term, text| glossary(term).is_some_and(|entry| entry.starts_with(text));
        assert!(begins("tie", "tie. Two equal bids."));
        assert!(begins("Cut-Off", "cut-off. The place"));
        assert!(begins("wedge sum", "wedge sum, `G ∧ H`. The game"));
        assert_eq!(glossary("glossary"), None);
    }

    #[test]
    fn entries_lose_their_markup_and_keep_the_stars_of_chips() {
        let shown = |term| glossary(term).expect("the glossary has the term");
        assert!(shown("star").starts_with("star, `4*`. Chips"));
        assert!(shown("star").contains("`4 < 4* < 5`"));
        assert!(shown("period").contains("m is the increment, and"));
    }
}
