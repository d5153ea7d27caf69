//! Prints expressions.

use super::brackets::{INDEX, LIST, PARENTHESES, RULES};
use super::operand::{exposes_in, level};
use super::{Doc, INDENT, Printer};
use crate::syntax::ast::{BinaryOp, Clause, Definition, Expr, ExprKind, Name, UnaryOp};
use crate::syntax::operators::{Grouping, Precedence};
use pretty::DocAllocator;

impl<'a> Printer<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Doc<'a> {
        let end = expr.span.end;
        match &*expr.kind {
            ExprKind::Integer(value) => self.text(value.to_string()),
            // The value alone would not tell `0.50` from `1/2`.
            ExprKind::Decimal(_, written) => self.text(written.as_str()),
            ExprKind::Star(value) => self.text(format!("{value}*")),
            ExprKind::MinusEpsilon(value) => self.text(format!("{value}-ε")),
            ExprKind::String(value) => self.text(quoted(value)),
            ExprKind::Bool(value) => self.text(if *value { "true" } else { "false" }),
            ExprKind::Player(_, spelling) => self.text(*spelling),
            ExprKind::Name(name) => self.text(name.as_str()),
            ExprKind::Call { callee, arguments } => {
                let callee = self.callee(callee);
                callee.append(self.arguments(arguments, end))
            }
            ExprKind::Index { base, indices } => {
                let base = self.operand(base, Precedence::Operand);
                base.append(self.bracketed(&INDEX, indices, end))
            }
            ExprKind::List(elements) => self.bracketed(&LIST, elements, end),
            ExprKind::Comprehension { element, clauses } => {
                self.comprehension(element, clauses, end)
            }
            ExprKind::Tuple(elements) => self.bracketed(&PARENTHESES, elements, end),
            ExprKind::Paren(inner) => {
                self.bracketed(&PARENTHESES, std::slice::from_ref(inner), end)
            }
            ExprKind::Braces { alice, bob } => self.braces(alice, bob, end),
            ExprKind::Rules(fields) => self.bracketed(&RULES, fields, end),
            ExprKind::Graph(items) => self.graph(items, expr.span),
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(BinaryOp::Range, from, to) => self.range(from, to),
            ExprKind::Binary(BinaryOp::Power, base, exponent) => {
                let base = self.left(base, BinaryOp::Power);
                base.append("^")
                    .append(self.right(exponent, BinaryOp::Power))
            }
            // A fraction is printed without spaces, as answers print it.
            ExprKind::Binary(BinaryOp::Divide, a, b) if is_integer(a) && is_integer(b) => {
                self.expr(a).append("/").append(self.expr(b))
            }
            ExprKind::Binary(op, ..) => self.chain(expr, *op),
            ExprKind::At(game, position) => self.context(game, "at", position, Precedence::Sum),
            ExprKind::Using(value, rules) => {
                self.context(value, "using", rules, Precedence::Operand)
            }
            ExprKind::After(game, plies) => {
                let game = self.operand(game, Precedence::Context);
                game.append(" after ")
                    .append(self.bracketed(&LIST, plies, end))
            }
            ExprKind::If { .. } => self.conditional(expr),
            ExprKind::Let(definition, body) => self.binding(definition, body),
        }
    }

    // ---- Brackets
    // -----------------------------------------------------------------------------------------------

    fn comprehension(&mut self, element: &'a Expr, clauses: &'a [Clause], end: u32) -> Doc<'a> {
        let edge = self.arena.line_();
        let first = self.gap(element.span.start, edge);
        let element = self.expr(element);
        let clauses = self.clauses(clauses);
        let comments = self.comments_before(end.saturating_sub(1));
        let closing = if comments.is_some() {
            self.hardline()
        } else {
            self.arena.line_()
        };
        let inside = first
            .append(element)
            .append(clauses)
            .append(comments.unwrap_or_else(|| self.nil()));
        self.text("[")
            .append(inside.nest(INDENT))
            .append(closing)
            .append("]")
            .group()
    }

    /// Prints ` for x in xs if c`, as many clauses on a line as fit.
    pub(super) fn clauses(&mut self, clauses: &'a [Clause]) -> Doc<'a> {
        let mut doc = self.nil();
        for clause in clauses {
            let soft = self.line();
            let part = match clause {
                Clause::If(condition) => self
                    .gap(condition.span.start, soft)
                    .append("if ")
                    .append(self.expr(condition)),
                Clause::For { pattern, iterable } => {
                    let start = pattern
                        .first()
                        .map_or(iterable.span.start, |name| name.span.start);
                    let gap = self.gap(start, soft);
                    let names = match pattern.as_slice() {
                        [name] => self.text(name.text.as_str()),
                        names => self.names(names),
                    };
                    let inner = self.gap(iterable.span.start, self.space());
                    gap.append("for ")
                        .append(names)
                        .append(" in")
                        .append(inner)
                        .append(self.expr(iterable))
                }
            };
            doc = doc.append(part.group());
        }
        doc
    }

    fn braces(&mut self, alice: &'a [Expr], bob: &'a [Expr], end: u32) -> Doc<'a> {
        let alice = self.options(alice);
        let bob = self.options(bob);
        let comments = self.comments_before(end.saturating_sub(1));
        let closing = if comments.is_some() {
            self.hardline()
        } else {
            self.line()
        };
        let inside = alice
            .append(self.line())
            .append("|")
            .append(bob)
            .append(comments.unwrap_or_else(|| self.nil()));
        self.text("{")
            .append(inside.nest(INDENT))
            .append(closing)
            .append("}")
            .group()
    }

    fn options(&mut self, options: &'a [Expr]) -> Doc<'a> {
        let mut doc = self.nil();
        for (i, option) in options.iter().enumerate() {
            let soft = if i == 0 { self.space() } else { self.line() };
            let gap = self.gap(option.span.start, soft);
            doc = doc
                .append(if i == 0 { "" } else { "," })
                .append(gap)
                .append(self.expr(option));
        }
        doc
    }

    // ---- Operators
    // ---------------------------------------------------------------------------------------------

    fn unary(&mut self, op: UnaryOp, inner: &'a Expr) -> Doc<'a> {
        let least = match op {
            UnaryOp::Not => Precedence::Not,
            UnaryOp::Negate | UnaryOp::Conjugate => Precedence::Prefix,
        };
        let soft = if op == UnaryOp::Not {
            self.space()
        } else {
            self.nil()
        };
        let gap = self.gap(inner.span.start, soft);
        self.text(op.symbol())
            .append(gap)
            .append(self.operand(inner, least))
    }

    /// Prints a range: `0..255`, but `-n .. n - 1`.
    fn range(&mut self, from: &'a Expr, to: &'a Expr) -> Doc<'a> {
        // An operand that binds no tighter than `..` is printed in parentheses, so it is short too.
        let short =
            |end: &Expr| level(end) == Precedence::Operand || level(end) <= Precedence::Range;
        let tight = short(from) && short(to);
        let space = if tight { "" } else { " " };
        let from = self.left(from, BinaryOp::Range);
        let gap = self.gap(to.span.start, self.text(space));
        from.append(space)
            .append("..")
            .append(gap)
            .append(self.right(to, BinaryOp::Range))
    }

    /// Prints a chain of operators that group to the left, at one indentation.
    fn chain(&mut self, expr: &'a Expr, op: BinaryOp) -> Doc<'a> {
        let mut links = vec![];
        let mut first = expr;
        while let ExprKind::Binary(next, left, right) = &*first.kind
            && next.level() == op.level()
            && !(*next == BinaryOp::Divide && is_integer(left) && is_integer(right))
        {
            // A loop follows the chain to the left, so that a long one needs no recursion.
            links.push((*next, right));
            first = left;
            // The left operand of such an operator is in parentheses, and no part of the chain.
            if op.level().grouping() != Grouping::Left {
                break;
            }
        }
        let mut doc = self.left(first, op);
        let mut rest = self.nil();
        for (op, right) in links.into_iter().rev() {
            let gap = self.gap(right.span.start, self.line());
            rest = rest
                .append(" ")
                .append(op.symbol())
                .append(gap)
                .append(self.right(right, op));
        }
        doc = doc.append(rest.nest(INDENT));
        doc.group()
    }

    fn context(
        &mut self,
        left: &'a Expr,
        word: &'static str,
        right: &'a Expr,
        least: Precedence,
    ) -> Doc<'a> {
        let left = self.operand(left, Precedence::Context);
        let right = self.following(right.span.start, |printer| printer.operand(right, least));
        left.append(" ").append(word).append(right)
    }

    // ---- if and let
    // --------------------------------------------------------------------------------------------

    /// Prints `if … then … else if … then … else …`. Each `else` stands on a line of its own if the
    /// whole does not fit on one.
    fn conditional(&mut self, expr: &'a Expr) -> Doc<'a> {
        let mut doc = self.nil();
        let mut rest = expr;
        while let ExprKind::If {
            condition,
            then,
            otherwise,
        } = &*rest.kind
        {
            doc = doc.append("if ").append(self.expr(condition));
            let before = self.word_gap("then", condition.span.end, then.span.start, self.space());
            let gap = self.gap(then.span.start, self.line());
            doc = doc
                .append(before)
                .append("then")
                .append(gap.append(self.expr(then)).nest(INDENT).group());
            let kept = self.breaks_between(then.span.end, otherwise.span.start);
            let soft = if kept { self.hardline() } else { self.line() };
            let before = self.word_gap("else", then.span.end, otherwise.span.start, soft);
            let gap = self.gap(otherwise.span.start, self.space());
            doc = doc.append(before).append("else").append(gap);
            rest = otherwise;
        }
        doc.append(self.expr(rest)).group()
    }

    fn binding(&mut self, definition: &'a Definition, body: &'a Expr) -> Doc<'a> {
        let kept = self.breaks_between(definition.body.span.end, body.span.start);
        let head = self.definition("let", definition);
        let soft = if kept { self.hardline() } else { self.line() };
        let before = self.word_gap(
            "in",
            definition.body.span.end,
            body.span.start,
            self.space(),
        );
        let gap = self.gap(body.span.start, soft);
        head.append(before)
            .append("in")
            .append(gap)
            .append(self.expr(body))
            .group()
    }

    /// Prints `let name(a, b) = body`.
    pub(super) fn definition(
        &mut self,
        keyword: &'static str,
        definition: &'a Definition,
    ) -> Doc<'a> {
        let head = self.head(keyword, &definition.name, definition.parameters.as_deref());
        let body = &definition.body;
        // Without parentheses, `in` would end the definition.
        if keyword == "let" && exposes_in(body) {
            let body = self.following(body.span.start, |printer| printer.parenthesised(body));
            return head.append(" =").append(body);
        }
        self.right_hand_side(head, body)
    }

    /// Prints `head = body`. A long `if` or `let` starts on a new line.
    pub(super) fn right_hand_side(&mut self, head: Doc<'a>, body: &'a Expr) -> Doc<'a> {
        if level(body) == Precedence::Open {
            let gap = self.gap(body.span.start, self.line());
            return head
                .append(" =")
                .append(gap.append(self.expr(body)).nest(INDENT).group());
        }
        let body = self.following(body.span.start, |printer| printer.expr(body));
        head.append(" =").append(body)
    }

    /// Prints `game name(a, b)`.
    pub(super) fn head(
        &mut self,
        keyword: &'static str,
        name: &'a Name,
        parameters: Option<&'a [Name]>,
    ) -> Doc<'a> {
        let head = self.text(keyword).append(" ").append(name.text.as_str());
        match parameters {
            Some(parameters) => head.append(self.names(parameters)),
            None => head,
        }
    }
}

fn is_integer(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::Integer(_))
}

/// Returns a string literal.
pub fn quoted(value: &str) -> String {
    let mut literal = String::with_capacity(value.len() + 2);
    literal.push('"');
    for c in value.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            // A line end would leave the string open.
            '\n' => literal.push_str("\\n"),
            '\t' => literal.push_str("\\t"),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}
