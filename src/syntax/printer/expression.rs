//! Expressions.

use super::operand::{exposes_in, level};
use super::{Doc, INDENT, Printer};
use crate::source::Span;
use crate::syntax::ast::{Argument, BinaryOp, Clause, Definition, Expr, ExprKind, Field, Name, Ply, UnaryOp};
use crate::syntax::operators::{Grouping, Level};
use pretty::DocAllocator;

/// How the elements between two brackets are laid out when they do not fit on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// One element on each line.
    Each,
    /// As many on a line as fit; where the user broke the line, it stays broken.
    Filled,
    /// One on each line, also if it would fit but the user broke the line after the bracket.
    Kept,
}

/// Two brackets with what may stand inside them on one line.
struct Brackets {
    open: &'static str,
    close: &'static str,
    padded: bool,
    rows: Rows,
}

const PARENTHESES: Brackets = Brackets { open: "(", close: ")", padded: false, rows: Rows::Each };
const INDEX: Brackets = Brackets { open: "[", close: "]", padded: false, rows: Rows::Each };
const LIST: Brackets = Brackets { open: "[", close: "]", padded: false, rows: Rows::Filled };
const RULES: Brackets = Brackets { open: "{", close: "}", padded: true, rows: Rows::Kept };

/// Something between brackets.
trait Element {
    fn place(&self) -> Span;
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a>;
}

impl Element for Expr {
    fn place(&self) -> Span {
        self.span
    }
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a> {
        printer.expr(self)
    }
}

impl Element for Name {
    fn place(&self) -> Span {
        self.span
    }
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a> {
        printer.text(self.text.as_str())
    }
}

impl Element for Argument {
    fn place(&self) -> Span {
        self.name.as_ref().map_or(self.value.span, |name| name.span.to(self.value.span))
    }
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a> {
        match &self.name {
            Some(name) => printer.labelled(name, &self.value),
            None => printer.expr(&self.value),
        }
    }
}

impl Element for Field {
    fn place(&self) -> Span {
        self.name.span.to(self.value.span)
    }
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a> {
        printer.labelled(&self.name, &self.value)
    }
}

impl Element for Ply {
    fn place(&self) -> Span {
        self.span
    }
    fn print<'a>(&'a self, printer: &mut Printer<'a>) -> Doc<'a> {
        printer.text(self.player.word()).append(" ").append(printer.expr(&self.action))
    }
}

impl<'a> Printer<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Doc<'a> {
        let end = expr.span.end;
        match &*expr.kind {
            ExprKind::Integer(value) => self.text(value.to_string()),
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
                let base = self.operand(base, Level::Operand);
                base.append(self.bracketed(&INDEX, indices, end))
            }
            ExprKind::List(elements) => self.bracketed(&LIST, elements, end),
            ExprKind::Comprehension { element, clauses } => self.comprehension(element, clauses, end),
            ExprKind::Tuple(elements) => self.bracketed(&PARENTHESES, elements, end),
            ExprKind::Paren(inner) => self.bracketed(&PARENTHESES, std::slice::from_ref(inner), end),
            ExprKind::Braces { alice, bob } => self.braces(alice, bob, end),
            ExprKind::Rules(fields) => self.bracketed(&RULES, fields, end),
            ExprKind::Graph(items) => self.graph(items, expr.span),
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(BinaryOp::Range, from, to) => self.range(from, to),
            ExprKind::Binary(BinaryOp::Power, base, exponent) => {
                let base = self.left(base, BinaryOp::Power);
                base.append("^").append(self.right(exponent, BinaryOp::Power))
            }
            ExprKind::Binary(BinaryOp::Divide, a, b) if is_integer(a) && is_integer(b) => {
                self.expr(a).append("/").append(self.expr(b))
            }
            ExprKind::Binary(op, ..) => self.chain(expr, *op),
            ExprKind::At(game, position) => self.context(game, "at", position, Level::Sum),
            ExprKind::Using(value, rules) => self.context(value, "using", rules, Level::Operand),
            ExprKind::After(game, plies) => {
                let game = self.operand(game, Level::Context);
                game.append(" after ").append(self.bracketed(&LIST, plies, end))
            }
            ExprKind::If { .. } => self.conditional(expr),
            ExprKind::Let(definition, body) => self.binding(definition, body),
        }
    }

    // ---- Brackets ----------------------------------------------------------------------------------------------

    fn bracketed<T: Element>(&mut self, brackets: &Brackets, elements: &'a [T], end: u32) -> Doc<'a> {
        let edge = |printer: &Self| if brackets.padded { printer.line() } else { printer.arena.line_() };
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
            let element = if last.is_some() && brackets.rows == Rows::Filled { element.group() } else { element };
            inside = inside.append(comma).append(element);
            last = Some(place);
        }
        let comments = self.comments_before(end.saturating_sub(1));
        let closing = match (&comments, elements.is_empty()) {
            (None, true) => self.nil(),
            (None, false) if !kept => edge(self),
            _ => self.hardline(),
        };
        let inside = inside.append(comments.unwrap_or_else(|| self.nil()));
        self.text(brackets.open).append(inside.nest(INDENT)).append(closing).append(brackets.close).group()
    }

    /// Whether the user's line ends between the elements stay.
    fn keeps_rows<T: Element>(&self, rows: Rows, elements: &[T], end: u32) -> bool {
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else { return false };
        let after_bracket = || {
            let before = self.source.map_or("", |source| &source[..first.place().start as usize]);
            before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n').ends_with('\n')
        };
        match rows {
            Rows::Each => false,
            Rows::Kept => after_bracket(),
            Rows::Filled => {
                let between = |pair: &[T]| self.breaks_between(pair[0].place().end, pair[1].place().start);
                after_bracket()
                    || self.breaks_between(last.place().end, end.saturating_sub(1))
                    || elements.windows(2).any(between)
            }
        }
    }

    fn arguments(&mut self, arguments: &'a [Argument], end: u32) -> Doc<'a> {
        let lists = arguments.iter().filter(|argument| hugs(&argument.value)).count();
        let small =
            |argument: &Argument| argument.name.is_none() && (hugs(&argument.value) || is_atom(&argument.value));
        let has_comments = self.pending(end.saturating_sub(1)).is_some();
        if lists != 1 || has_comments || !arguments.iter().all(small) {
            return self.bracketed(&PARENTHESES, arguments, end);
        }
        // `periods([1, 2, …], 15)`: only the list may spread over several lines.
        let values: Vec<_> = arguments.iter().map(|argument| self.expr(&argument.value)).collect();
        self.text("(").append(self.arena.intersperse(values, ", ")).append(")")
    }

    pub(super) fn tuple_like(&mut self, elements: &'a [Expr], end: u32) -> Doc<'a> {
        self.bracketed(&PARENTHESES, elements, end)
    }

    pub(super) fn names(&mut self, names: &'a [Name]) -> Doc<'a> {
        // Comments before the closing bracket wait for the next gap.
        self.bracketed(&PARENTHESES, names, 0)
    }

    fn labelled(&mut self, name: &'a Name, value: &'a Expr) -> Doc<'a> {
        let value = self.following(value.span.start, |printer| printer.expr(value));
        self.text(name.text.as_str()).append(":").append(value)
    }

    fn comprehension(&mut self, element: &'a Expr, clauses: &'a [Clause], end: u32) -> Doc<'a> {
        let edge = self.arena.line_();
        let first = self.gap(element.span.start, edge);
        let element = self.expr(element);
        let clauses = self.clauses(clauses);
        let comments = self.comments_before(end.saturating_sub(1));
        let closing = if comments.is_some() { self.hardline() } else { self.arena.line_() };
        let inside = first.append(element).append(clauses).append(comments.unwrap_or_else(|| self.nil()));
        self.text("[").append(inside.nest(INDENT)).append(closing).append("]").group()
    }

    /// ` for x in xs if c`, as many on a line as fit.
    pub(super) fn clauses(&mut self, clauses: &'a [Clause]) -> Doc<'a> {
        let mut doc = self.nil();
        for clause in clauses {
            let soft = self.line();
            let part = match clause {
                Clause::If(condition) => {
                    self.gap(condition.span.start, soft).append("if ").append(self.expr(condition))
                }
                Clause::For { pattern, iterable } => {
                    let start = pattern.first().map_or(iterable.span.start, |name| name.span.start);
                    let gap = self.gap(start, soft);
                    let names = match pattern.as_slice() {
                        [name] => self.text(name.text.as_str()),
                        names => self.names(names),
                    };
                    let inner = self.gap(iterable.span.start, self.space());
                    gap.append("for ").append(names).append(" in").append(inner).append(self.expr(iterable))
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
        let closing = if comments.is_some() { self.hardline() } else { self.line() };
        let inside = alice.append(self.line()).append("|").append(bob).append(comments.unwrap_or_else(|| self.nil()));
        self.text("{").append(inside.nest(INDENT)).append(closing).append("}").group()
    }

    fn options(&mut self, options: &'a [Expr]) -> Doc<'a> {
        let mut doc = self.nil();
        for (i, option) in options.iter().enumerate() {
            let soft = if i == 0 { self.space() } else { self.line() };
            let gap = self.gap(option.span.start, soft);
            doc = doc.append(if i == 0 { "" } else { "," }).append(gap).append(self.expr(option));
        }
        doc
    }

    // ---- Operators ---------------------------------------------------------------------------------------------

    fn unary(&mut self, op: UnaryOp, inner: &'a Expr) -> Doc<'a> {
        let least = match op {
            UnaryOp::Not => Level::Not,
            UnaryOp::Negate | UnaryOp::Conjugate => Level::Prefix,
        };
        let soft = if op == UnaryOp::Not { self.space() } else { self.nil() };
        let gap = self.gap(inner.span.start, soft);
        self.text(op.symbol()).append(gap).append(self.operand(inner, least))
    }

    /// `0..255`, but `-n .. n - 1`.
    fn range(&mut self, from: &'a Expr, to: &'a Expr) -> Doc<'a> {
        // What binds no tighter than `..` gets parentheses.
        let short = |end: &Expr| level(end) == Level::Operand || level(end) <= Level::Range;
        let tight = short(from) && short(to);
        let space = if tight { "" } else { " " };
        let from = self.left(from, BinaryOp::Range);
        let gap = self.gap(to.span.start, self.text(space));
        from.append(space).append("..").append(gap).append(self.right(to, BinaryOp::Range))
    }

    /// A chain of operators that group to the left, at one indentation.
    fn chain(&mut self, expr: &'a Expr, op: BinaryOp) -> Doc<'a> {
        let mut links = vec![];
        let mut first = expr;
        while let ExprKind::Binary(next, left, right) = &*first.kind
            && next.level() == op.level()
            && !(*next == BinaryOp::Divide && is_integer(left) && is_integer(right))
        {
            links.push((*next, right));
            first = left;
            if op.level().grouping() != Grouping::Left {
                break;
            }
        }
        let mut doc = self.left(first, op);
        let mut rest = self.nil();
        for (op, right) in links.into_iter().rev() {
            let gap = self.gap(right.span.start, self.line());
            rest = rest.append(" ").append(op.symbol()).append(gap).append(self.right(right, op));
        }
        doc = doc.append(rest.nest(INDENT));
        doc.group()
    }

    fn context(&mut self, left: &'a Expr, word: &'static str, right: &'a Expr, least: Level) -> Doc<'a> {
        let left = self.operand(left, Level::Context);
        let right = self.following(right.span.start, |printer| printer.operand(right, least));
        left.append(" ").append(word).append(right)
    }

    // ---- if and let --------------------------------------------------------------------------------------------

    /// `if … then … else if … then … else …`: each `else` on a line of its own when it does not fit on one.
    fn conditional(&mut self, expr: &'a Expr) -> Doc<'a> {
        let mut doc = self.nil();
        let mut rest = expr;
        while let ExprKind::If { condition, then, otherwise } = &*rest.kind {
            doc = doc.append("if ").append(self.expr(condition));
            let before = self.word_gap("then", condition.span.end, then.span.start, self.space());
            let gap = self.gap(then.span.start, self.line());
            doc = doc.append(before).append("then").append(gap.append(self.expr(then)).nest(INDENT).group());
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
        let before = self.word_gap("in", definition.body.span.end, body.span.start, self.space());
        let gap = self.gap(body.span.start, soft);
        head.append(before).append("in").append(gap).append(self.expr(body)).group()
    }

    /// `let name(a, b) = body`.
    pub(super) fn definition(&mut self, keyword: &'static str, definition: &'a Definition) -> Doc<'a> {
        let head = self.head(keyword, &definition.name, definition.parameters.as_deref());
        let body = &definition.body;
        if keyword == "let" && exposes_in(body) {
            let body = self.following(body.span.start, |printer| printer.parenthesised(body));
            return head.append(" =").append(body);
        }
        self.right_hand_side(head, body)
    }

    /// `head = body`; a long `if` or `let` starts on a new line.
    pub(super) fn right_hand_side(&mut self, head: Doc<'a>, body: &'a Expr) -> Doc<'a> {
        if level(body) == Level::Open {
            let gap = self.gap(body.span.start, self.line());
            return head.append(" =").append(gap.append(self.expr(body)).nest(INDENT).group());
        }
        let body = self.following(body.span.start, |printer| printer.expr(body));
        head.append(" =").append(body)
    }

    /// `game name(a, b)`.
    pub(super) fn head(&mut self, keyword: &'static str, name: &'a Name, parameters: Option<&'a [Name]>) -> Doc<'a> {
        let head = self.text(keyword).append(" ").append(name.text.as_str());
        match parameters {
            Some(parameters) => head.append(self.names(parameters)),
            None => head,
        }
    }
}

/// Whether the brackets of a call may stand directly around this.
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

/// Whether this is a literal or a name.
fn is_atom(expr: &Expr) -> bool {
    level(expr) == Level::Operand && !hugs(expr) && !has_parts(expr)
}

fn has_parts(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::Call { .. } | ExprKind::Index { .. } | ExprKind::Tuple(_) | ExprKind::Paren(_))
}

fn is_integer(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::Integer(_))
}

/// A string literal.
pub(super) fn quoted(value: &str) -> String {
    let mut literal = String::with_capacity(value.len() + 2);
    literal.push('"');
    for c in value.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}
