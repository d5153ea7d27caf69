//! Prints lists in brackets: elements, arguments, fields, parameters.

use super::operand::level;
use super::{Doc, INDENT, Printed, Printer, printed};
use crate::source::Span;
use crate::syntax::ast::{Argument, Expr, ExprKind, Name, Ply, RuleSetting};
use crate::syntax::operators::Precedence;
use pretty::DocAllocator;

/// The layout of the elements between two brackets if they do not fit on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BracketLayout {
    /// One element on each line.
    Each,
    /// As many elements on each line as fit. Line breaks of the user are kept.
    Filled,
    /// One element on each line. This layout is also used if all fit on one line, but the user
    /// broke the line after the opening bracket.
    Kept,
}

/// Two brackets, with the layout of their contents.
pub(super) struct Brackets {
    open: &'static str,
    close: &'static str,
    padded: bool,
    rows: BracketLayout,
}

pub(super) const PARENTHESES: Brackets = Brackets {
    open: "(",
    close: ")",
    padded: false,
    rows: BracketLayout::Each,
};
pub(super) const INDEX: Brackets = Brackets {
    open: "[",
    close: "]",
    padded: false,
    rows: BracketLayout::Each,
};
pub(super) const LIST: Brackets = Brackets {
    open: "[",
    close: "]",
    padded: false,
    rows: BracketLayout::Filled,
};
pub(super) const RULES: Brackets = Brackets {
    open: "{",
    close: "}",
    padded: true,
    rows: BracketLayout::Kept,
};

printed! {
    Expr: |expr, printer| printer.expr(expr);
    Name: |name, printer| printer.text(name.text.as_str());
    Ply: |ply, printer| {
        let player = printer.text(ply.player.word()).append(" ");
        player.append(printer.expr(&ply.action))
    };
}

impl Printed for Argument {
    fn place(&self) -> Span {
        self.name
            .as_ref()
            .map_or(self.value.span, |name| name.span.to(self.value.span))
    }
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a> {
        match &self.name {
            Some(name) => printer.labelled(name, &self.value),
            None => printer.expr(&self.value),
        }
    }
}

impl Printed for RuleSetting {
    fn place(&self) -> Span {
        self.name.span.to(self.value.span)
    }
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a> {
        printer.labelled(&self.name, &self.value)
    }
}

impl<'a> Printer<'a> {
    pub(super) fn bracketed<T: Printed>(
        &mut self,
        brackets: &Brackets,
        elements: &'a [T],
        end: u32,
    ) -> Doc<'a> {
        let edge = |printer: &Self| {
            if brackets.padded {
                printer.line()
            } else {
                printer.arena.line_()
            }
        };
        let kept = self.keeps_rows(brackets.rows, elements, end);
        let mut inside = self.nil();
        let mut last: Option<Span> = None;
        for element in elements {
            let place = element.place();
            let soft = match last {
                None if kept => self.hardline(),
                None => edge(self),
                Some(last) if kept && self.breaks_between(last.end, place.start) => self.hardline(),
                Some(_) => self.line(),
            };
            let comma = if last.is_some() { "," } else { "" };
            let element = self.gap(place.start, soft).append(element.print(self));
            let element = if last.is_some() && brackets.rows == BracketLayout::Filled {
                element.group()
            } else {
                element
            };
            inside = inside.append(comma).append(element);
            last = Some(place);
        }
        let comments = self.comments_before(end.saturating_sub(1));
        let closing = match (&comments, elements.is_empty()) {
            (None, true) => self.nil(),
            (None, false) if !kept => edge(self),
            // A comment takes the rest of its line, the bracket included.
            _ => self.hardline(),
        };
        let inside = inside.append(comments.unwrap_or_else(|| self.nil()));
        self.text(brackets.open)
            .append(inside.nest(INDENT))
            .append(closing)
            .append(brackets.close)
            .group()
    }

    /// Returns `true` if the user's line ends between the elements are kept.
    fn keeps_rows<T: Printed>(&self, rows: BracketLayout, elements: &[T], end: u32) -> bool {
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
            return false;
        };
        let after_bracket = || {
            let before = self
                .source
                .map_or("", |source| &source[..first.place().start as usize]);
            before
                .trim_end_matches(|c: char| c.is_whitespace() && c != '\n')
                .ends_with('\n')
        };
        match rows {
            BracketLayout::Each => false,
            BracketLayout::Kept => after_bracket(),
            BracketLayout::Filled => {
                let between =
                    |pair: &[T]| self.breaks_between(pair[0].place().end, pair[1].place().start);
                after_bracket()
                    || self.breaks_between(last.place().end, end.saturating_sub(1))
                    || elements.windows(2).any(between)
            }
        }
    }

    pub(super) fn arguments(&mut self, arguments: &'a [Argument], end: u32) -> Doc<'a> {
        let lists = arguments
            .iter()
            .filter(|argument| hugs(&argument.value))
            .count();
        let small = |argument: &Argument| {
            argument.name.is_none() && (hugs(&argument.value) || is_atom(&argument.value))
        };
        let has_comments = self.pending(end.saturating_sub(1)).is_some();
        // With two lists it would not be clear which one of them breaks.
        if lists != 1 || has_comments || !arguments.iter().all(small) {
            return self.bracketed(&PARENTHESES, arguments, end);
        }
        // In `periods([1, 2, …], 15)`, only the list may spread over several lines.
        let values: Vec<_> = arguments
            .iter()
            .map(|argument| self.expr(&argument.value))
            .collect();
        self.text("(")
            .append(self.arena.intersperse(values, ", "))
            .append(")")
    }

    pub(super) fn names(&mut self, names: &'a [Name]) -> Doc<'a> {
        // The end 0 leaves comments before the closing bracket to the next gap.
        self.bracketed(&PARENTHESES, names, 0)
    }

    pub(super) fn labelled(&mut self, name: &'a Name, value: &'a Expr) -> Doc<'a> {
        let value = self.following(value.span.start, |printer| printer.expr(value));
        self.text(name.text.as_str()).append(":").append(value)
    }
}

/// Returns `true` if the brackets of a call may stand directly around this expression.
fn hugs(expr: &Expr) -> bool {
    matches!(
        &*expr.kind,
        ExprKind::List(_)
            | ExprKind::Comprehension { .. }
            | ExprKind::Graph(_)
            | ExprKind::Rules(_)
            | ExprKind::Braces { .. }
    )
}

/// Returns `true` if this is a literal or a name.
fn is_atom(expr: &Expr) -> bool {
    level(expr) == Precedence::Operand && !hugs(expr) && !has_parts(expr)
}

fn has_parts(expr: &Expr) -> bool {
    matches!(
        &*expr.kind,
        ExprKind::Call { .. } | ExprKind::Index { .. } | ExprKind::Tuple(_) | ExprKind::Paren(_)
    )
}
