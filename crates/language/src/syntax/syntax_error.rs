//! Builds the messages about texts that the grammar rejects, in the user's words: the text that was
//! found, and the texts that could have stood there.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::grammar::Rule;
use super::layout::Holds;
use super::place::Place;
use super::remedy;
use super::token::TokenKind;
use super::vocabulary::is_keyword;
use super::words::{Wording, wording};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Builds the diagnostic of a statement that the grammar rejects. `base` is the byte at which the
/// statement starts.
pub fn complain(statement: &Place, base: usize, error: &Error<Rule>) -> Diagnostic {
    let offset = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let at = statement
        .tokens
        // The grammar may fail in the space before a token, and the message names that token.
        .partition_point(|token| (token.end as usize) <= base + offset);
    let place = Place { at, ..*statement };
    // This mistake has a code and an explanation of its own.
    if let Some(diagnostic) = remedy::bare_definition(&place) {
        return diagnostic;
    }
    let expected = Expected::of(error);
    let (message, label) = sentence(&place, &expected);
    let help = remedy::remedy(&place, &expected);
    Diagnostic::new(Code::Syntax, message)
        .label(span(&place), label)
        .maybe_help(help)
}

fn sentence(place: &Place, expected: &Expected) -> (String, String) {
    let found = found(place);
    let (line, block) = place.line();
    if place.at == line.start && place.at < place.tokens.len() {
        let what = match block {
            None | Some(Holds::Statements) => "a statement",
            Some(Holds::Graph) => "a line of a graph",
            Some(Holds::Ruleset) => "a line of a game",
            Some(Holds::Updates | Holds::Parts) => "an update",
        };
        return (
            format!("{found} cannot start {what}"),
            "not expected here".into(),
        );
    }
    if expected.is_name() && is_keyword(place.word(0)) {
        return (
            format!("{found} cannot be a name"),
            "expected a name".into(),
        );
    }
    let expected = expected.sentence();
    (
        format!("expected {expected}, found {found}"),
        format!("expected {expected}"),
    )
}

/// Returns the place of a token. Past the end, it is the point after the last token.
fn span(place: &Place) -> Span {
    let source = place.source;
    let end = place.tokens.last().map_or(0, |token| token.end);
    match place.token() {
        Some(token) if token.kind != TokenKind::Newline => Span {
            source,
            start: token.start,
            end: token.end,
        },
        Some(token) => Span {
            source,
            start: token.start,
            end: token.start,
        },
        None => Span {
            source,
            start: end,
            end,
        },
    }
}

fn found(place: &Place) -> String {
    let written = place.word(0);
    let Some(token) = place.token() else {
        let rest = place
            .tokens
            .last()
            .map_or("", |last| &place.text[last.end as usize..]);
        return if rest.trim().is_empty() {
            "the end of the text".into()
        } else {
            "the end of the line".into()
        };
    };
    match token.kind {
        TokenKind::Newline => "the end of the line".into(),
        TokenKind::Word if is_keyword(written) => format!("the keyword `{written}`"),
        TokenKind::Word => format!("the name `{written}`"),
        TokenKind::Number if written.ends_with(['*', 'ε']) => format!("the chips `{written}`"),
        TokenKind::Number => format!("the number `{written}`"),
        TokenKind::String => format!("the string {written}"),
        TokenKind::Symbol
        | TokenKind::Open
        | TokenKind::Close
        | TokenKind::Semicolon
        | TokenKind::Comment
        | TokenKind::Doc
        | TokenKind::Bad => format!("`{written}`"),
    }
}

/// The texts that could have stood at the place of an error.
#[derive(Debug, Default)]
pub struct Expected {
    /// Fixed spellings.
    pub tokens: Vec<&'static str>,
    things: Vec<&'static str>,
    pub expression: bool,
    pub operator: bool,
}

impl Expected {
    fn of(error: &Error<Rule>) -> Self {
        let mut expected = Self::default();
        let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
            return expected;
        };
        for rule in positives {
            match wording(*rule) {
                // The grammar sees a line end as a semicolon, but users write line ends.
                Wording::Punctuation(";") => add(&mut expected.things, "the end of the line"),
                Wording::Punctuation(spelling) | Wording::Token(spelling) => {
                    add(&mut expected.tokens, spelling)
                }
                Wording::Operator => expected.operator = true,
                Wording::Expression => expected.expression = true,
                Wording::Thing(thing) => add(&mut expected.things, thing),
                Wording::Silent => {}
            }
        }
        expected
    }

    /// Returns `true` if a name is expected and nothing else.
    pub fn is_name(&self) -> bool {
        self.things == ["a name"] && !self.expression && !self.operator
    }

    /// Returns `true` if a player is expected.
    pub fn is_player(&self) -> bool {
        self.things.contains(&"a player") && !self.expression && !self.operator
    }

    /// Returns `true` if this kind of thing could have stood there.
    pub fn thing(&self, thing: &str) -> bool {
        self.things.contains(&thing)
    }

    /// Returns `true` if this spelling could have stood there.
    pub fn token(&self, spelling: &str) -> bool {
        self.tokens.contains(&spelling)
    }

    /// Lists the expected texts for a sentence. It leaves out the obvious: that an operand can be
    /// called or indexed, and the ways in which expressions start.
    fn sentence(&self) -> String {
        let quoted = |tokens: &mut dyn Iterator<Item = &&str>| {
            tokens.map(|token| format!("`{token}`")).collect::<Vec<_>>()
        };
        let closing = |token: &&&str| matches!(**token, ")" | "]" | "}" | "," | "|");
        let mut words = vec![];
        if self.expression {
            words.push("an expression".to_owned());
            words.extend(quoted(&mut self.tokens.iter().filter(closing)));
        } else if self.operator {
            let optional = |token: &str| {
                matches!(
                    token,
                    "(" | "[" | "in" | "using" | "after" | "for" | "score" | "weight"
                )
            };
            let told = |token: &&&str| !(optional(token) || (**token == "if" && self.token("for")));
            words.push("an operator".to_owned());
            words.extend(quoted(&mut self.tokens.iter().filter(told)));
            words.extend(
                self.things
                    .iter()
                    .filter(|thing| thing.starts_with("the end"))
                    .map(|&thing| thing.to_owned()),
            );
            // Every operand can stand before the operator `in`, so `in` is mentioned only where it
            // ends a `let`.
            if words.len() == 1 && self.token("in") {
                words.push("`in`".to_owned());
            }
        } else {
            let opens = |token: &&&str| !matches!(**token, "(" | "[") || self.tokens.len() == 1;
            words.extend(self.things.iter().map(|&thing| thing.to_owned()));
            words.extend(quoted(&mut self.tokens.iter().filter(opens)));
        }
        match words.split_last() {
            None => "something else".into(),
            Some((only, [])) => only.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }
}

fn add(words: &mut Vec<&'static str>, word: &'static str) {
    if !words.contains(&word) {
        words.push(word);
    }
}
