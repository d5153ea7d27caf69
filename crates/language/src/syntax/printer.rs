//! The formatter: syntax to canonical text.
//!
//! Lines are at most [`WIDTH`] columns, blocks are indented by four, operators are written in their
//! Unicode spelling. The user's parentheses stay, missing ones are added. A list, a rules literal,
//! an `if … then … else` and a `let … in` that the user spread over several lines stay spread:
//! tables keep their rows.
//!
//! Comments are printed in the gap between tokens where they were written. A comment ends its line,
//! so it can only stand in gaps where a line may end; the layout rules at the head of
//! `grammar/bid.pest` say which. Every comment waits in a queue until the printing reaches the
//! first such gap after it, so none is lost.

mod block;
mod brackets;
mod expression;
pub use expression::quoted;
mod operand;
mod statement;

use pretty::{Arena, Doc as Node, DocAllocator, DocBuilder};

use super::ast::{Comment, Expr, File};

/// The longest line.
const WIDTH: usize = 100;

/// How far a block is indented.
const INDENT: isize = 4;

/// Stack for printing; the parser bounds the height of syntax trees.
const STACK: usize = 64 << 20;

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
        // Every line of a block starts with a line end; the first one of a file needs none.
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
        rendered(&doc, usize::from(u16::MAX) << 16)
    })
}

/// The laid-out text, without spaces at the ends of lines.
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

/// Prints in the order of the source, comments on the way.
struct Printer<'a> {
    arena: &'a Arena<'a>,
    /// The text that was parsed; without it everything goes on one line.
    source: Option<&'a str>,
    comments: &'a [Comment],
    /// The first comment not yet printed.
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

    /// Whether the source has a line end between two bytes.
    fn breaks_between(&self, from: u32, to: u32) -> bool {
        self.between(from, to).contains('\n')
    }

    fn between(&self, from: u32, to: u32) -> &'a str {
        self.source
            .and_then(|source| source.get(from as usize..to as usize))
            .unwrap_or("")
    }

    /// Whether the source has an empty line between two bytes.
    fn blank_between(&self, from: u32, to: u32) -> bool {
        let Some((_, rest)) = self.between(from, to).split_once('\n') else {
            return false;
        };
        let whole_lines = rest.rsplit_once('\n').map(|(whole_lines, _)| whole_lines);
        whole_lines.is_some_and(|lines| lines.split('\n').any(|line| line.trim().is_empty()))
    }

    // ---- Comments
    // ----------------------------------------------------------------------------------------------

    /// The next comment, if it starts before byte `end`.
    fn pending(&self, end: u32) -> Option<&'a Comment> {
        self.comments
            .get(self.next)
            .filter(|comment| comment.span.start < end)
    }

    /// Takes the next comment as a text that counts as having no width, so that it does not push
    /// code to new lines.
    fn take_comment(&mut self, comment: &'a Comment) -> Doc<'a> {
        self.next += 1;
        let text = self.arena.alloc(Node::OwnedText(
            format!("//{}", comment.text.trim_end()).into(),
        ));
        DocBuilder(self.arena, Node::RenderLen(0, text).into())
    }

    /// Whether something else stands before the comment on its line.
    fn is_trailing(&self, comment: &Comment) -> bool {
        let before = self
            .source
            .map_or("", |source| &source[..comment.span.start as usize]);
        !before.rsplit('\n').next().unwrap_or("").trim().is_empty()
    }

    /// The comments before byte `end`, each after a space or on its own line, as it was.
    fn comments_before(&mut self, end: u32) -> Option<Doc<'a>> {
        let mut doc: Option<Doc<'a>> = None;
        while let Some(comment) = self.pending(end) {
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

    /// What follows a word or a sign after a space; if comments are in between, on a line of its
    /// own.
    fn following(&mut self, start: u32, print: impl FnOnce(&mut Self) -> Doc<'a>) -> Doc<'a> {
        match self.comments_before(start) {
            None => self.space().append(print(self)),
            Some(comments) => comments
                .append(self.hardline())
                .append(print(self))
                .nest(INDENT),
        }
    }

    /// The gap before a keyword that stands somewhere between two bytes.
    fn word_gap(&mut self, word: &str, from: u32, to: u32, soft: Doc<'a>) -> Doc<'a> {
        let Some(comment) = self.pending(to) else {
            return soft;
        };
        // Before the first comment there is code only; if the keyword is not in it, the comment
        // comes first.
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

    /// The gap before what starts at `start`: `soft` as it stands, or the comments that were
    /// written there.
    fn gap(&mut self, start: u32, soft: Doc<'a>) -> Doc<'a> {
        match self.comments_before(start) {
            Some(comments) => comments.append(self.hardline()),
            None => soft,
        }
    }
}
