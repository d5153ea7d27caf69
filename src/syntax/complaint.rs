//! What the grammar could not read, in the user's words.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::grammar::Rule;
use super::token::{KEYWORDS, Token, TokenKind};
use super::words::{Wording, wording};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// The diagnostic for a statement that the grammar rejects. `base` is where the statement starts.
pub fn complain(source: SourceId, text: &str, tokens: &[Token], base: usize, error: &Error<Rule>) -> Diagnostic {
    let offset = match error.location {
        InputLocation::Pos(at) => at,
        InputLocation::Span((start, _)) => start,
    };
    let at = base + offset;
    let index = tokens.partition_point(|token| (token.end as usize) <= at);
    let span = tokens.get(index).map_or(Span::new(source, at..at), |token| Span {
        source,
        start: token.start,
        end: token.end,
    });
    let found = tokens.get(index).map_or_else(|| "the end of the statement".to_owned(), |token| found(*token, text));
    let expected = expected(error);
    Diagnostic::new(Code::Syntax, format!("found {found}, expected {expected}"))
        .label(span, format!("expected {expected}"))
}

fn found(token: Token, text: &str) -> String {
    let written = token.text(text);
    match token.kind {
        TokenKind::Newline => "the end of the line".into(),
        TokenKind::Word if KEYWORDS.contains(&written) => format!("the keyword `{written}`"),
        TokenKind::Word => format!("the name `{written}`"),
        TokenKind::Number => format!("the number `{written}`"),
        TokenKind::String => format!("the string `{written}`"),
        _ => format!("`{written}`"),
    }
}

fn expected(error: &Error<Rule>) -> String {
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else { return "a shorter expression".into() };
    let mut words: Vec<String> = vec![];
    for rule in positives {
        let word = match wording(*rule) {
            Wording::Punctuation(spelling) | Wording::Token(spelling) => format!("`{spelling}`"),
            Wording::Operator => "an operator".into(),
            Wording::Thing(thing) => thing.into(),
            Wording::Expression => "an expression".into(),
            Wording::Silent => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    match words.split_last() {
        None => "something else".into(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
