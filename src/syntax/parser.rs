//! The way from text to syntax: scan, layout, then the grammar on each statement, so that an error in one leaves the
//! others readable. Inside a block the same holds for its lines.

use pest::Parser;

use super::ast::{File, Statement};
use super::build::Builder;
use super::complaint;
use super::grammar::{Grammar, Rule};
use super::layout::{self, Layout, Piece, layout};
use super::token::{self, Token, TokenKind};
use super::{Parsed, SourceId, SourceMap};
use crate::diagnostic::Diagnostic;

/// Stack for the recursive descent; the bounds of [`layout`] keep it within this.
const STACK: usize = 64 << 20;

/// How many errors are looked for in one statement.
const MAX_ERRORS: usize = 20;

pub fn parse(sources: &SourceMap, source: SourceId) -> Parsed {
    let text = &sources.get(source).text;
    let (tokens, mut diagnostics) = token::scan(text, source);
    let mut layout = layout(text, source, &tokens);
    diagnostics.append(&mut layout.diagnostics);
    let mut reader = Reader { text, source, layout, diagnostics };
    let statements = stacker::grow(STACK, || reader.statements());
    let Reader { layout, mut diagnostics, .. } = reader;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span().map(|span| (span.start, span.end)));
    Parsed { file: File { statements, comments: layout.comments }, diagnostics }
}

pub fn is_incomplete(text: &str) -> bool {
    let mut sources = SourceMap::default();
    let source = sources.add("", text);
    let (tokens, diagnostics) = token::scan(text, source);
    if !diagnostics.is_empty() {
        return false;
    }
    let layout = layout(text, source, &tokens);
    if layout.open_at_end {
        return layout.diagnostics.len() == 1;
    }
    let Some(last) = layout.tokens.last() else { return false };
    layout.diagnostics.is_empty() && (layout::continues(*last, text) || lacks_else(&layout, text))
}

/// Whether the last statement has an `if … then` that still needs its `else`.
fn lacks_else(layout: &Layout, text: &str) -> bool {
    let Some(piece) = layout.pieces.last() else { return false };
    let count = |word| layout.tokens[piece.tokens.clone()].iter().filter(|token| token.text(text) == word).count();
    count("then") > count("else")
}

struct Reader<'s> {
    text: &'s str,
    source: SourceId,
    layout: Layout,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn statements(&mut self) -> Vec<Statement> {
        let pieces = std::mem::take(&mut self.layout.pieces);
        let mut statements = Vec::with_capacity(pieces.len());
        let scanned: Vec<u32> = self.diagnostics.iter().filter_map(|d| d.span()).map(|span| span.start).collect();
        for piece in pieces.iter().filter(|piece| piece.sound) {
            match self.statement(piece, &scanned) {
                Some(statement) => statements.extend(statement),
                None => {}
            }
        }
        statements
    }

    /// Reads a statement, or reports what is wrong with it.
    fn statement(&mut self, piece: &Piece, scanned: &[u32]) -> Option<Vec<Statement>> {
        let tokens = &self.layout.tokens[piece.tokens.clone()];
        let (start, end) = (tokens.first()?.start, tokens.last()?.end);
        let broken = scanned.iter().any(|at| (start..end).contains(at));
        let masked = &self.layout.masked[start as usize..end as usize];
        if !broken && let Ok(statements) = self.read(masked, start as usize) {
            return Some(statements);
        }
        let diagnostics = self.complaints(masked.to_owned(), tokens, broken);
        self.diagnostics.extend(diagnostics);
        None
    }

    fn read(&self, masked: &str, base: usize) -> Result<Vec<Statement>, Failure> {
        let mut pairs = Grammar::parse(Rule::file, masked).map_err(|error| Failure::Grammar(Box::new(error)))?;
        let builder = Builder { source: self.source, base, docs: &self.layout.docs };
        let file = pairs.next().expect("the grammar yields one file");
        builder.statements(super::build::parts(file)).map_err(Failure::Meaning)
    }

    /// Reads a statement that has errors again and again, each time without the lines that have been reported.
    fn complaints(&self, mut masked: String, tokens: &[Token], broken: bool) -> Vec<Diagnostic> {
        let base = tokens[0].start as usize;
        let mut found = vec![];
        if broken {
            for (i, token) in tokens.iter().enumerate() {
                if token.kind == TokenKind::Bad {
                    blank_line(&mut masked, base, self.text, tokens, i);
                }
            }
        }
        while found.len() < MAX_ERRORS {
            let diagnostic = match self.read(&masked, base) {
                Ok(_) => break,
                Err(Failure::Grammar(error)) => complaint::complain(self.source, self.text, tokens, base, &error),
                Err(Failure::Meaning(diagnostic)) => *diagnostic,
            };
            let at = diagnostic.span().map_or(base, |span| span.start as usize);
            found.push(diagnostic);
            let index = tokens.partition_point(|token| (token.end as usize) <= at).min(tokens.len() - 1);
            if !blank_line(&mut masked, base, self.text, tokens, index) {
                break;
            }
        }
        found
    }
}

/// Why a text could not be read.
enum Failure {
    Grammar(Box<pest::error::Error<Rule>>),
    Meaning(Box<Diagnostic>),
}

/// Blanks the block line around token `at`; false if that is the whole statement.
fn blank_line(masked: &mut String, base: usize, text: &str, tokens: &[Token], at: usize) -> bool {
    let Some(range) = block_line(text, tokens, at) else {
        masked.clear();
        return false;
    };
    let bytes = tokens[range.start].start as usize - base..tokens[range.end - 1].end as usize - base;
    let before = masked[bytes.clone()].to_owned();
    masked.replace_range(bytes, &" ".repeat(before.len()));
    before.chars().any(|c| c != ' ')
}

/// The tokens of the innermost line of a block that contains token `at`, if there is one.
fn block_line(text: &str, tokens: &[Token], at: usize) -> Option<std::ops::Range<usize>> {
    let separates = |token: &Token| matches!(token.kind, TokenKind::Newline | TokenKind::Semicolon);
    let mut depth = 0_usize;
    let mut start = at;
    loop {
        let before = tokens[..start].last()?;
        match before.kind {
            TokenKind::Close => depth += 1,
            TokenKind::Open if depth > 0 => depth -= 1,
            // A bracket that is open around the error: a block starts here, or the line starts further out.
            TokenKind::Open if before.text(text) == "{" && is_block(text, tokens, start - 1) => break,
            _ if depth == 0 && separates(before) => break,
            _ => {}
        }
        start -= 1;
    }
    let mut depth = 0_usize;
    let mut end = start;
    for token in &tokens[start..] {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => break,
            TokenKind::Close => depth -= 1,
            _ if depth == 0 && separates(token) => break,
            _ => {}
        }
        end += 1;
    }
    (end > start).then_some(start..end)
}

/// Whether the brace at `open` holds lines: some separator stands directly inside it.
fn is_block(text: &str, tokens: &[Token], open: usize) -> bool {
    let _ = text;
    let mut depth = 0_usize;
    for token in &tokens[open + 1..] {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => return false,
            TokenKind::Close => depth -= 1,
            TokenKind::Newline | TokenKind::Semicolon if depth == 0 => return true,
            _ => {}
        }
    }
    false
}
