//! Checks that the table of words agrees with the grammar, the page of the language, the rules'
//! table, and the texts of `:help`; its examples are run.

use std::collections::{BTreeMap, BTreeSet};

use bid::analysis::words::SUBJECTS;
use bid_language::rules::{FIELDS, PRESETS};
use bid_language::syntax::vocabulary::{Word, WordClass, words};
use bid_language::syntax::{TokenKind, tokens};

use crate::support::{session, transcript};

const GRAMMAR: &str = include_str!("../grammar/bid.pest");
const PAGE: &str = include_str!("../docs/language.md");

/// The grammar's rules for brackets and separators, which are not words.
const BRACKETS: [&str; 9] = [
    "open_paren",
    "close_paren",
    "open_bracket",
    "close_bracket",
    "open_brace",
    "close_brace",
    "comma",
    "colon",
    "bar",
];

/// The grammar's rules whose literals are parts of numbers, strings and line ends.
const INSIDE_LITERALS: [&str; 9] = [
    "WHITESPACE",
    "fraction",
    "exponent",
    "star",
    "minus_epsilon",
    "string",
    "separator",
    "word",
    "word_part",
];

/// Returns the literals that each rule of the grammar reads, without those that it only looks ahead
/// for.
fn literals() -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    let mut body = String::new();
    for line in GRAMMAR
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        body.push_str(line);
        let depth = body.matches('{').count();
        // Quoted braces occur as `"{"` and `"}"`, one rule each.
        let Some((name, rest)) = body
            .split_once('=')
            .filter(|_| depth > 0 && line.trim_end().ends_with('}'))
        else {
            continue;
        };
        let (name, rest) = (name.trim().to_owned(), rest.to_owned());
        body.clear();
        found.insert(name, quoted(&rest));
    }
    found
}

/// Returns the quoted texts of a rule, without those after `!`.
fn quoted(rule: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut chars = rule.chars().peekable();
    // The number of open parentheses of a lookahead; `None` outside of one.
    let mut ahead: Option<usize> = None;
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                let mut text = String::new();
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    text.push(if c == '\\' {
                        chars.next().expect("a character is escaped")
                    } else {
                        c
                    });
                }
                match ahead {
                    None => texts.push(text),
                    Some(0) => ahead = None,
                    Some(_) => {}
                }
            }
            '!' => ahead = Some(0),
            '(' => ahead = ahead.map(|open| open + 1),
            ')' => ahead = ahead.map(|open| open - 1).filter(|open| *open > 0),
            c if c.is_alphabetic() && ahead == Some(0) => ahead = None,
            _ => {}
        }
    }
    texts
}

fn spellings<'w>(words: impl Iterator<Item = &'w Word>) -> BTreeSet<String> {
    words
        .flat_map(|word| word.spellings.iter().map(|spelling| (*spelling).to_owned()))
        .collect()
}

/// Checks both directions: every literal of the grammar is in the table, and every word of the
/// table that is not a name is in the grammar.
#[test]
fn the_grammar_and_the_table_have_the_same_words() {
    let literals = literals();
    assert!(literals.len() > 130, "the grammar's rules are read");
    assert_eq!(literals["kw_accepting"], ["accepting"]);
    assert_eq!(literals["prefix"], ["-", "−", "~", "not"]);
    assert!(
        ["/", "<", "−", "and"]
            .iter()
            .all(|word| literals["operator"].contains(&(*word).to_owned()))
    );
    let outside = |rule: &String| {
        !BRACKETS.contains(&rule.as_str()) && !INSIDE_LITERALS.contains(&rule.as_str())
    };
    let grammar: BTreeSet<String> = literals
        .iter()
        .filter(|(rule, _)| outside(rule))
        .flat_map(|(_, texts)| texts.clone())
        .collect();
    let is_read = |word: &&Word| !matches!(word.class, WordClass::Constant | WordClass::Mover);
    assert_eq!(grammar, spellings(words().filter(is_read)));
}

#[test]
fn the_reserved_words_are_those_of_the_grammar() {
    let literals = literals();
    let reserved: BTreeSet<String> = ["keyword", "player_word"]
        .iter()
        .flat_map(|rule| literals[*rule].clone())
        .collect();
    let table = spellings(words().filter(|word| word.class.is_reserved() && word.is_alphabetic()));
    assert_eq!(reserved, table);
    assert_eq!(
        reserved,
        bid_language::syntax::vocabulary::keywords()
            .map(str::to_owned)
            .collect()
    );
    assert!(
        reserved
            .iter()
            .all(|word| bid_language::syntax::is_keyword(word))
    );
    assert!(
        ["start", "empty", "me", "score", "∧", ""]
            .iter()
            .all(|word| !bid_language::syntax::is_keyword(word))
    );
}

/// Checks that a reserved word cannot be defined, and every other word of the table can.
#[test]
fn only_reserved_words_cannot_be_names() {
    for word in words()
        .filter(|word| word.is_alphabetic())
        .flat_map(|word| word.spellings)
    {
        let said = transcript(&mut session(), "name", &format!("let {word} = 1"));
        assert_eq!(
            said.contains("cannot be a name"),
            bid_language::syntax::is_keyword(word),
            "{word}: {said}"
        );
    }
}

/// Returns all examples with their output: of words, of fields and their values, of presets.
fn examples() -> Vec<(String, &'static str, &'static str)> {
    let mut all: Vec<(String, &str, &str)> = Vec::new();
    for word in words() {
        all.push((word.spellings[0].to_owned(), word.example, word.prints));
    }
    for field in FIELDS {
        all.push((field.name.to_owned(), field.example, field.prints));
        all.extend(
            field
                .values
                .iter()
                .map(|value| (value.name.to_owned(), value.example, value.prints)),
        );
    }
    all.extend(
        PRESETS
            .iter()
            .map(|preset| (preset.name.to_owned(), preset.example, preset.prints)),
    );
    all
}

/// Returns the printed values, without the heads of tests.
fn values(transcript: &str) -> String {
    let lines = transcript
        .lines()
        .filter(|line| !line.starts_with("test \"") && !line.starts_with("end of \""));
    lines.collect::<Vec<_>>().join("\n")
}

/// Checks that each program prints the output in the table, without an error or a warning.
#[test]
fn every_example_prints_what_the_table_says() {
    let mut wrong = Vec::new();
    for (word, program, prints) in examples() {
        let printed = values(&transcript(&mut session(), "example", program));
        if printed.trim_end() != prints {
            wrong.push(format!(
                "=== {word}\n{program}\n--- prints\n{}",
                printed.trim_end()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that the examples of the subjects print what their pages say.
#[test]
fn subjects_of_help_tell_the_truth() {
    for subject in SUBJECTS {
        let printed = values(&transcript(&mut session(), "example", subject.example));
        assert_eq!(printed.trim_end(), subject.prints, "{}", subject.name);
        let page = session().help(subject.name).unwrap_or_default();
        assert!(page.contains(subject.meaning), "{page}");
    }
}

/// Checks that an example shows its word.
#[test]
fn every_example_uses_its_word() {
    // The value of a condition, and the sides of a board, show in the output or the question
    // instead.
    for (word, program, prints) in examples() {
        let uses = |text: &str| {
            tokens(text)
                .iter()
                .any(|token| token.kind != TokenKind::Comment && token.text(text) == word)
        };
        assert!(uses(program) || uses(prints), "{word}: {program}");
    }
}

/// Checks that `:help` answers for every word with the meaning and the example of each of its uses.
#[test]
fn help_answers_for_every_word() {
    let session = session();
    let help = |word: &str| {
        session
            .help(word)
            .unwrap_or_else(|| panic!("nothing is known about {word}"))
    };
    for entry in words() {
        for spelling in entry.spellings {
            let text = help(spelling);
            assert!(
                text.contains(entry.meaning) && text.contains(entry.example),
                "{spelling}: {text}"
            );
        }
    }
    for field in FIELDS {
        let text = help(field.name);
        assert!(
            text.contains(field.meaning) && text.contains(field.example),
            "{text}"
        );
        for value in field.values {
            assert!(text.contains(value.meaning), "{text}");
            let text = help(value.name);
            assert!(
                text.contains(&format!("{}: {}\n", field.name, value.name)),
                "{text}"
            );
            assert!(
                text.contains(value.meaning) && text.contains(value.example),
                "{text}"
            );
        }
    }
    for preset in PRESETS {
        let text = help(preset.name);
        assert!(
            text.contains(preset.meaning) && text.contains(preset.example),
            "{text}"
        );
    }
    for builtin in bid::library::signatures() {
        let text = help(builtin.name);
        assert!(
            text.starts_with(&builtin.heading()) && text.contains(builtin.help),
            "{text}"
        );
        assert!(
            builtin
                .examples
                .iter()
                .any(|(program, _)| text.contains(program)),
            "{text}"
        );
    }
    assert_eq!(session.help("xyzzy"), None);
    assert_eq!(session.help(""), None);
}

/// Checks that a definition hides the constant, but not the word of the lines.
#[test]
fn help_tells_a_definition_from_the_words_that_it_does_not_hide() {
    let mut session = session();
    transcript(
        &mut session,
        "own",
        "/// My own.\nlet draw = 1\nlet marker = 2\nlet menz = 3",
    );
    let draw = session.help("draw").expect("it is defined");
    assert!(
        draw.starts_with("draw\n\nMy own.") && draw.contains("a line of a graph"),
        "{draw}"
    );
    assert!(!draw.contains("a constant"), "{draw}");
    assert!(
        session
            .help("marker")
            .is_some_and(|text| text.contains("ties: marker"))
    );
    assert!(
        session
            .help("menz")
            .is_some_and(|text| !text.contains("Menz, Wang"))
    );
}

/// Checks that every word, field, value and preset occurs in the page of the language, as code.
#[test]
fn the_page_of_the_language_has_every_word() {
    let mut code = String::new();
    let mut fenced = false;
    for line in PAGE.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            code.extend([line, "\n"]);
        } else {
            code.extend(
                line.split('`')
                    .skip(1)
                    .step_by(2)
                    .flat_map(|span| [span, "\n"]),
            );
        }
    }
    let code = code.replace("\\|", "|");
    let there: BTreeSet<&str> = tokens(&code)
        .iter()
        .map(|token| token.text(&code))
        .collect();
    let table = words().flat_map(|word| word.spellings.iter().copied());
    let rules = FIELDS
        .iter()
        .flat_map(|field| std::iter::once(field.name).chain(field.words()));
    let all: BTreeSet<&str> = table
        .chain(rules)
        .chain(PRESETS.iter().map(|preset| preset.name))
        .collect();
    let missing: Vec<&&str> = all.iter().filter(|word| !there.contains(**word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
