//! Converts text to abstract syntax and back. No pest type leaves this module.

pub mod ast;
mod build;
mod classes;
mod grammar;
mod layout;
mod lines;
mod mend;
mod operators;
mod parser;
mod place;
mod printer;
mod remedy;
mod syntax_error;
mod token;
pub mod vocabulary;
mod words;

pub use classes::{Classified, TokenClass, brackets_at, classify};
pub use layout::MAX_BRACKETS;
pub use printer::quoted;
pub use token::{Token, TokenKind};
pub use vocabulary::is_keyword;

use crate::diagnostic::Diagnostic;
use crate::source::{SourceId, SourceMap};
use crate::watch::{Context, Stop};

/// The result of [`parse`]: the statements that could be read, and the errors in the others.
#[derive(Debug)]
pub struct Parsed {
    /// The part that could be read.
    pub file: ast::File,
    /// One diagnostic or more for each statement that could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a whole source. After a syntax error, parsing continues at the next statement.
pub fn parse(sources: &SourceMap, source: SourceId) -> Parsed {
    parse_watched(sources, source, Context::plain()).expect("nothing stops it")
}

/// Parses a whole source as [`parse`] does, but can be stopped.
pub fn parse_watched(
    sources: &SourceMap,
    source: SourceId,
    context: &Context<'_>,
) -> Result<Parsed, Stop> {
    parser::parse(sources, source, context)
}

/// Splits a text into tokens, malformed ones included, as highlighting needs it.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut sources = SourceMap::default();
    let source = sources.add("", text);
    token::scan(text, source).0
}

/// Returns `true` if the text stops in the middle of a statement (at an open bracket, or an
/// operator or comma at the end), so that the REPL should read another line before it parses.
pub fn is_incomplete(text: &str) -> bool {
    parser::is_incomplete(text)
}

/// Prints a file in the canonical form with its comments, as `bid fmt` writes it.
pub fn format(file: &ast::File, source: &str) -> String {
    printer::format(file, source)
}

/// Prints one expression in the canonical form on one line, as shown values and tables are
/// labelled.
pub fn print_expr(expr: &ast::Expr) -> String {
    printer::expr(expr)
}

/// Puts an expression's text in parentheses if a call or index behind it would bind more tightly.
/// Names, numbers, texts in brackets and calls of these need none.
pub fn operand(text: String) -> String {
    let mut depth = 0_usize;
    let holds_together = text.chars().all(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '\'' | ')' | ']' | '}')
    });
    if holds_together {
        text
    } else {
        // A call or an index would take only the last part of such a text.
        format!("({text})")
    }
}

/// Returns the printed form of a text as a vertex. A text that is not a bare name is quoted, so
/// that `1` and `"1"` differ and every name reads back.
pub fn vertex_name(text: &str) -> String {
    if is_bare_name(text) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// Returns `true` if a text needs no quotes as the name of a vertex.
fn is_bare_name(text: &str) -> bool {
    // Primes end a name, but do not stand within one.
    let letters = text.trim_end_matches('\'');
    letters.starts_with(char::is_alphabetic)
        && letters.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !is_keyword(text)
        // These names are games, which a vertex of the same name would be confused with.
        && !matches!(text, "A" | "B" | "E" | "Draw")
}
