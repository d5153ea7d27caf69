//! The formatter: prints syntax as canonical text.
//!
//! Lines have at most [`WIDTH`] columns, blocks are indented by four, and operators are written in
//! their Unicode spelling. The user's parentheses are kept, and missing ones are added. A list, a
//! rules literal, an `if … then … else` or a `let … in` that the user spread over several lines
//! stays spread, so that tables keep their rows.
//!
//! Comments are printed in the gap between tokens where they were written. A comment ends its line,
//! so it can only stand in gaps where a line may end; the layout rules at the head of
//! `grammar/bid.pest` say which. Every comment waits in a queue until printing reaches the first
//! such gap after it, so that none is lost.

mod block;
mod brackets;
mod expression;
pub use expression::quoted;
mod operand;
mod statement;

use pretty::{Arena, Doc as Node, DocAllocator, DocBuilder};

use super::ast::{Comment, Expr, File};
use crate::source::Span;

/// The most columns of a line.
const WIDTH: usize = 100;

/// The indentation of a block.
const INDENT: isize = 4;

/// The stack for printing. The parser bounds the height of syntax trees.
const STACK: usize = 64 << 20;

/// A part of the syntax that stands in its own place: an element between brackets, or an item on
/// lines of its own.
trait Printed {
    fn place(&self) -> Span;
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a>;
}

/// Implements [`Printed`] for parts of the syntax that record their place.
macro_rules! printed {
    ($($kind:ty: |$part:ident, $printer:ident| $print:expr;)+) => {$(
        impl Printed for $kind {
            fn place(&self) -> Span {
                self.span
            }

            fn print<'a>(&'a self, $printer: &mut Printer<'a>) -> Doc<'a> {
                let $part = self;
                $print
            }
        }
    )+};
}
use printed;

pub fn format(file: &File, source: &str) -> String {
    stacker::maybe_grow(STACK, STACK, || {
        let arena = Arena::new();
        let mut printer = Printer {
            arena: &arena,
            source: Some(source),
            comments: &file.comments,
            next: 0,
        };
        let doc = printer.file(file);
        // Every line of a block starts with a line end, which the first line of a file does not
        // need.
        let mut text = rendered(&doc, WIDTH);
        if text.starts_with('\n') {
            text.remove(0);
        }
        text
    })
}

pub fn expr(expr: &Expr) -> String {
    stacker::maybe_grow(STACK / 8, STACK, || {
        let arena = Arena::new();
        let mut printer = Printer {
            arena: &arena,
            source: None,
            comments: &[],
            next: 0,
        };
        let doc = printer.expr(expr);
        // A label must not break, and so large a width still fits in 32 bits.
        rendered(&doc, usize::from(u16::MAX) << 16)
    })
}

/// Returns the laid-out text without spaces at the ends of lines.
fn rendered(doc: &Doc<'_>, width: usize) -> String {
    let text = doc.pretty(width).to_string();
    let mut trimmed = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        trimmed.push_str(line.trim_end());
        if line.ends_with('\n') {
            trimmed.push('\n');
        }
    }
    trimmed
}

type Doc<'a> = DocBuilder<'a, Arena<'a>>;

/// Prints in the order of the source, comments included.
struct Printer<'a> {
    arena: &'a Arena<'a>,
    /// The text that was parsed. Without it everything is printed on one line.
    source: Option<&'a str>,
    comments: &'a [Comment],
    /// The index of the first comment not yet printed.
    next: usize,
}

impl<'a> Printer<'a> {
    fn text(&self, text: impl Into<std::borrow::Cow<'a, str>>) -> Doc<'a> {
        self.arena.text(text)
    }

    fn nil(&self) -> Doc<'a> {
        self.arena.nil()
    }

    fn space(&self) -> Doc<'a> {
        self.arena.space()
    }

    fn line(&self) -> Doc<'a> {
        self.arena.line()
    }

    fn hardline(&self) -> Doc<'a> {
        self.arena.hardline()
    }

    // ---- Where things were in the source
    // -----------------------------------------------------------------------

    /// Returns `true` if the source has a line end between two bytes.
    fn breaks_between(&self, from: u32, to: u32) -> bool {
        self.between(from, to).contains('\n')
    }

    fn between(&self, from: u32, to: u32) -> &'a str {
        self.source
            .and_then(|source| source.get(from as usize..to as usize))
            .unwrap_or("")
    }

    /// Returns `true` if the source has an empty line between two bytes.
    fn blank_between(&self, from: u32, to: u32) -> bool {
        let Some((_, rest)) = self.between(from, to).split_once('\n') else {
            return false;
        };
        // The last part is the indentation of the next line, and is no line.
        let whole_lines = rest.rsplit_once('\n').map(|(whole_lines, _)| whole_lines);
        whole_lines.is_some_and(|lines| lines.split('\n').any(|line| line.trim().is_empty()))
    }

    // ---- Comments
    // ----------------------------------------------------------------------------------------------

    /// Returns the next comment, if it starts before byte `end`.
    fn pending(&self, end: u32) -> Option<&'a Comment> {
        self.comments
            .get(self.next)
            .filter(|comment| comment.span.start < end)
    }

    /// Takes the next comment as a text of width zero, so that it does not push code to new lines.
    fn take_comment(&mut self, comment: &'a Comment) -> Doc<'a> {
        self.next += 1;
        let text = self.arena.alloc(Node::OwnedText(
            format!("//{}", comment.text.trim_end()).into(),
        ));
        DocBuilder(self.arena, Node::RenderLen(0, text).into())
    }

    /// Returns `true` if other text stands before the comment on its line.
    fn is_trailing(&self, comment: &Comment) -> bool {
        let before = self
            .source
            .map_or("", |source| &source[..comment.span.start as usize]);
        !before.rsplit('\n').next().unwrap_or("").trim().is_empty()
    }

    /// Prints the comments before byte `end`, each after a space or on its own line, as it was
    /// written.
    fn comments_before(&mut self, end: u32) -> Option<Doc<'a>> {
        let mut doc: Option<Doc<'a>> = None;
        while let Some(comment) = self.pending(end) {
            // After the first comment the line has ended, so that others stand on their own.
            let trails = doc.is_none() && self.is_trailing(comment);
            let lead = if trails {
                self.space()
            } else {
                self.hardline()
            };
            let comment = lead.append(self.take_comment(comment));
            doc = Some(doc.unwrap_or_else(|| self.nil()).append(comment));
        }
        doc
    }

    /// Prints something that follows a word or a sign after a space. If there are comments in
    /// between, it stands on a line of its own.
    fn following(&mut self, start: u32, print: impl FnOnce(&mut Self) -> Doc<'a>) -> Doc<'a> {
        match self.comments_before(start) {
            None => self.space().append(print(self)),
            Some(comments) => comments
                .append(self.hardline())
                .append(print(self))
                .nest(INDENT),
        }
    }

    /// Prints the gap before a keyword that stands somewhere between two bytes.
    fn word_gap(&mut self, word: &str, from: u32, to: u32, soft: Doc<'a>) -> Doc<'a> {
        let Some(comment) = self.pending(to) else {
            return soft;
        };
        // Only code stands before the first comment. If the keyword is not in it, the comment comes
        // first.
        if self.between(from, comment.span.start).contains(word) {
            return soft;
        }
        let mut end = comment.span.end;
        while let Some(next) = self.comments[self.next..]
            .iter()
            .find(|next| next.span.start >= end)
        {
            if next.span.start >= to || self.between(end, next.span.start).contains(word) {
                break;
            }
            end = next.span.end;
        }
        self.gap(end, soft)
    }

    /// Prints the gap before the text that starts at `start`: the comments that were written there,
    /// or `soft` if there are none.
    fn gap(&mut self, start: u32, soft: Doc<'a>) -> Doc<'a> {
        match self.comments_before(start) {
            Some(comments) => comments.append(self.hardline()),
            None => soft,
        }
    }
}
