//! The shape of a text: the parts that an editor folds, the ranges that it selects step by step,
//! and the canonical form of the text or of a part.

use std::ops::Range;

use super::workspace::{Analysis, Workspace};

use crate::source::SourceMap;
use crate::syntax::{self, Token, TokenKind};

/// A part of a text that an editor can fold away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// The byte range, including brackets.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: FoldKind,
}

/// The kind of a part that can be folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldKind {
    /// A pair of brackets with its content.
    Brackets,
    /// Lines of comments or documentation.
    Comment,
    /// `use` lines.
    Uses,
}

impl Workspace {
    /// Returns the parts that can be folded: brackets, comments and `use` lines that extend over
    /// several lines.
    pub fn folds(&self, analysis: &Analysis) -> Vec<Fold> {
        let text = self.text(analysis).1;
        let tokens = syntax::tokens(text);
        let mut folds = runs(&tokens, text, FoldKind::Comment, |token| {
            matches!(token.kind, TokenKind::Comment | TokenKind::Doc)
        });
        folds.extend(runs(
            &lines_of_use(&tokens, text),
            text,
            FoldKind::Uses,
            |_| true,
        ));
        folds.extend(pairs(&tokens, text).map(|range| Fold {
            range,
            kind: FoldKind::Brackets,
        }));
        folds.retain(|fold| text[fold.range.clone()].contains('\n'));
        folds.sort_by_key(|fold| (fold.range.start, fold.range.end));
        folds
    }

    /// Returns the ranges that contain a place, from the innermost one to the whole text.
    pub fn selections(&self, analysis: &Analysis, offset: usize) -> Vec<Range<usize>> {
        let text = self.text(analysis).1;
        let tokens = syntax::tokens(text);
        let around = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let words = tokens
            .iter()
            .filter(|token| token.kind != TokenKind::Newline);
        let words = words.map(|token| token.start as usize..token.end as usize);
        let inside = pairs(&tokens, text).map(|pair| pair.start + 1..pair.end - 1);
        let expressions = analysis.index.kinds.iter().map(|(span, _)| span.range());
        let declared = analysis
            .index
            .declarations
            .iter()
            .map(|declaration| declaration.span.range());
        let statements = analysis
            .file
            .statements
            .iter()
            .map(|statement| statement.span.range());
        let all = words
            .chain(inside)
            .chain(pairs(&tokens, text))
            .chain(expressions)
            .chain(declared)
            .chain(statements);
        let mut parts: Vec<Range<usize>> = all
            .chain(std::iter::once(0..text.len()))
            .filter(around)
            .collect();
        parts.sort_by_key(|part| (part.len(), part.start));
        let mut chain: Vec<Range<usize>> = Vec::new();
        for part in parts {
            // Parts may overlap without nesting, but editors require that each range contains the
            // one before.
            let is_wider = chain.last().is_none_or(|last| {
                part.start <= last.start && last.end <= part.end && part.len() > last.len()
            });
            if is_wider {
                chain.push(part);
            }
        }
        chain
    }

    /// Returns the canonical form of a text, or of the statements that a part of it touches, with
    /// the byte range that it replaces; `None` if not all of that can be parsed.
    pub fn formatted(
        &self,
        analysis: &Analysis,
        part: Option<Range<usize>>,
    ) -> Option<(Range<usize>, String)> {
        let text = self.text(analysis).1;
        let Some(part) = part else {
            let is_whole = !analysis.is_unreadable();
            return is_whole.then(|| (0..text.len(), syntax::format(&analysis.file, text)));
        };
        let touches = |range: &Range<usize>| range.start <= part.end && part.start <= range.end;
        if analysis
            .file
            .broken
            .iter()
            .any(|broken| touches(&broken.span.range()))
        {
            return None;
        }
        let touched = analysis
            .file
            .statements
            .iter()
            .map(|statement| statement.span.range())
            .filter(touches);
        let range = touched.reduce(|first, last| first.start..last.end)?;
        let mut sources = SourceMap::default();
        let source = sources.add("", &text[range.clone()]);
        // The part is parsed alone, so that the printer sees no comments or blank lines outside it.
        let parsed = syntax::parse(&sources, source);
        let formatted = parsed
            .diagnostics
            .is_empty()
            .then(|| syntax::format(&parsed.file, &text[range.clone()]))?;
        Some((range, formatted.trim_end().to_owned()))
    }
}

/// Returns the pairs of matching brackets of a text, inner pairs first.
fn pairs<'t>(tokens: &'t [Token], text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let mut open: Vec<Token> = Vec::new();
    tokens.iter().filter_map(move |token| {
        match token.kind {
            TokenKind::Open => open.push(*token),
            TokenKind::Close => {
                let wanted = match token.text(text) {
                    ")" => "(",
                    "]" => "[",
                    _ => "{",
                };
                let at = open
                    .iter()
                    .rposition(|opening| opening.text(text) == wanted)?;
                let start = open[at].start as usize;
                // Brackets that were opened since and never closed are dropped, so that outer pairs
                // still match.
                open.truncate(at);
                return Some(start..token.end as usize);
            }
            _ => {}
        }
        None
    })
}

/// Merges the tokens of each line that begins with `use` into one.
fn lines_of_use(tokens: &[Token], text: &str) -> Vec<Token> {
    let lines = tokens.split(|token| token.kind == TokenKind::Newline);
    let used = lines.filter(|line| line.first().is_some_and(|first| first.text(text) == "use"));
    used.map(|line| Token {
        end: line[line.len() - 1].end,
        ..line[0]
    })
    .collect()
}

/// Returns the runs of tokens of a kind on consecutive lines, each alone on its line.
fn runs(
    tokens: &[Token],
    text: &str,
    kind: FoldKind,
    belongs: impl Fn(&Token) -> bool,
) -> Vec<Fold> {
    let mut folds: Vec<Fold> = Vec::new();
    for token in tokens.iter().filter(|token| belongs(token)) {
        let (start, end) = (token.start as usize, token.end as usize);
        let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        // A comment behind code belongs to its line and starts no block of comments.
        if !text[line..start].trim().is_empty() {
            continue;
        }
        match folds.last_mut() {
            Some(run) if text[run.range.end..start].matches('\n').count() == 1 => {
                run.range.end = end
            }
            Some(_) | None => folds.push(Fold {
                range: start..end,
                kind,
            }),
        }
    }
    folds
}
