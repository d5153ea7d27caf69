//! The way from text to syntax: scan, layout, then the grammar on each statement, so that an error in one leaves the
//! others readable. Inside a block the same holds for its lines.

use pest::Parser;

use super::ast::{File, Statement};
use super::build::Builder;
use super::grammar::{Grammar, Rule};
use super::layout::{self, Layout, Piece, layout};
use super::place::Place;
use super::syntax_error::complain;
use super::token::{self, Token};
use super::{Parsed, SourceId, SourceMap};
use crate::diagnostic::{Diagnostic, Findings};
use crate::watch::{Stop, Watch};

/// Stack for the recursive descent; the bounds of [`layout`] keep it within this.
const STACK: usize = 64 << 20;

/// How many errors are looked for in one statement.
const MAX_ERRORS: usize = 20;

pub fn parse(sources: &SourceMap, source: SourceId, watch: &dyn Watch) -> Result<Parsed, Stop> {
    let text = &sources.get(source).text;
    let (tokens, mut diagnostics) = token::scan(text, source);
    let mut layout = layout(text, source, &tokens);
    diagnostics.append(std::mem::take(&mut layout.diagnostics));
    let mut reader = Reader { text, source, layout, diagnostics, watch };
    let statements = stacker::grow(STACK, || reader.statements())?;
    let Reader { layout, mut diagnostics, .. } = reader;
    diagnostics.sort();
    Ok(Parsed { file: File { statements, comments: layout.comments }, diagnostics: diagnostics.into_vec() })
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
    diagnostics: Findings,
    watch: &'s dyn Watch,
}

impl Reader<'_> {
    fn statements(&mut self) -> Result<Vec<Statement>, Stop> {
        let pieces = std::mem::take(&mut self.layout.pieces);
        let mut statements = Vec::with_capacity(pieces.len());
        let mut scanned: Vec<u32> = self.diagnostics.iter().filter_map(|d| d.span()).map(|span| span.start).collect();
        scanned.sort_unstable();
        for piece in pieces.iter().filter(|piece| piece.sound) {
            self.watch.check()?;
            statements.extend(self.statement(piece, &scanned)?.into_iter().flatten());
        }
        Ok(statements)
    }

    /// Reads a statement, or reports what is wrong with it.
    fn statement(&mut self, piece: &Piece, scanned: &[u32]) -> Result<Option<Vec<Statement>>, Stop> {
        let tokens = &self.layout.tokens[piece.tokens.clone()];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return Ok(None) };
        let (start, end) = (first.start, last.end);
        let from = scanned.partition_point(|&at| at < start);
        let scanned = &scanned[from..scanned.partition_point(|&at| at < end)];
        let masked = &self.layout.masked[start as usize..end as usize];
        if scanned.is_empty()
            && let Ok(statements) = self.read(masked, start as usize)
        {
            return Ok(Some(statements));
        }
        if self.diagnostics.are_enough() {
            self.diagnostics.count_error();
            return Ok(None);
        }
        let diagnostics = self.complaints(masked.to_owned(), tokens, scanned)?;
        diagnostics.into_iter().for_each(|diagnostic| self.diagnostics.push(diagnostic));
        Ok(None)
    }

    fn read(&self, masked: &str, base: usize) -> Result<Vec<Statement>, Failure> {
        let mut pairs = Grammar::parse(Rule::file, masked).map_err(|error| Failure::Grammar(Box::new(error)))?;
        let builder = Builder { source: self.source, base, docs: &self.layout.docs };
        let file = pairs.next().expect("the grammar yields one file");
        builder.statements(super::build::parts(file)).map_err(Failure::Meaning)
    }

    /// Reads a statement that has errors again and again, each time without the lines that have been reported;
    /// `scanned` is where the scan found something.
    fn complaints(&self, mut masked: String, tokens: &[Token], scanned: &[u32]) -> Result<Vec<Diagnostic>, Stop> {
        let base = tokens[0].start as usize;
        let mut found = vec![];
        if scanned.len() > MAX_ERRORS {
            return Ok(found);
        }
        for &start in scanned {
            let at = tokens.partition_point(|token| token.end <= start);
            if at < tokens.len() {
                blank_line(&mut masked, base, &self.place(tokens, at));
            }
            if masked.is_empty() {
                return Ok(found);
            }
        }
        while found.len() < MAX_ERRORS {
            self.watch.check()?;
            let diagnostic = match self.read(&masked, base) {
                Ok(_) => break,
                Err(Failure::Grammar(error)) => complain(self.source, &self.place(tokens, 0), base, &error),
                Err(Failure::Meaning(diagnostic)) => *diagnostic,
            };
            let start = diagnostic.span().map_or(base, |span| span.start as usize);
            found.push(diagnostic);
            let at = tokens.partition_point(|token| (token.end as usize) <= start).min(tokens.len() - 1);
            if !blank_line(&mut masked, base, &self.place(tokens, at)) {
                break;
            }
        }
        Ok(found)
    }

    fn place<'p>(&'p self, tokens: &'p [Token], at: usize) -> Place<'p> {
        Place { text: self.text, tokens, blocks: &self.layout.blocks, at }
    }
}

/// Why a text could not be read.
enum Failure {
    Grammar(Box<pest::error::Error<Rule>>),
    Meaning(Box<Diagnostic>),
}

/// Blanks the block line around a token; false if it was blank. Outside of blocks nothing of the statement can be
/// saved: all of it goes.
fn blank_line(masked: &mut String, base: usize, place: &Place) -> bool {
    let (line, block) = place.line();
    let Some(tokens) = place.tokens.get(line).filter(|line| block.is_some() && !line.is_empty()) else {
        masked.clear();
        return false;
    };
    let bytes = tokens[0].start as usize - base..tokens[tokens.len() - 1].end as usize - base;
    let was_blank = masked[bytes.clone()].trim().is_empty();
    let length = bytes.len();
    masked.replace_range(bytes, &" ".repeat(length));
    !was_blank
}
