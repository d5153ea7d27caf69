//! Operator precedence (at the end of "Chips and values" in the page of the language), shared by
//! the parser and the printer.
//!
//! The grammar gives an expression as a flat sequence: operands with operators before, between and
//! after them. The sequence becomes a tree by precedence climbing with an explicit stack
//! (Dijkstra's shunting yard), so that a long chain needs no recursion. Three points are decided
//! here:
//!
//! - `^` may have a prefix operator on its right: `2^-1` is `2^(-1)`. On its left it binds tighter:
//!   `-2^2` is `-(2^2)`.
//! - The position after `at` is a sum at most, and the rules after `using` are an operand with its
//!   calls. An operator that follows an operand of `at`, `after` or `using` and binds tighter than
//!   they do is an error rather than a guess.
//! - Comparisons and `..` do not chain.

use super::ast::{BinaryOp, Expr, ExprKind, Ply, UnaryOp};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::source::Span;

/// The precedence of an expression's outermost operator, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// `if … then … else …`, `let … in …`
    Open,
    /// `or`
    Or,
    /// `and`
    And,
    /// `not`
    Not,
    /// `==`, `<`, `in`, …
    Comparison,
    /// `..`
    Range,
    /// `at`, `after`, `using`
    Context,
    /// `∧`
    Wedge,
    /// `+`, `-`, `++`
    Sum,
    /// `*`, `/`, `%`
    Product,
    /// prefix `-`, `~`
    Prefix,
    /// `^`
    Power,
    /// calls, indices, names, literals, brackets
    Operand,
}

/// The associativity of the operators of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a ^ b ^ c` is `a ^ (b ^ c)`.
    Right,
    /// `a < b < c` is an error.
    None,
}

impl Precedence {
    /// Returns the associativity of infix operators of this level.
    pub fn grouping(self) -> Grouping {
        match self {
            Self::Comparison | Self::Range => Grouping::None,
            Self::Power => Grouping::Right,
            Self::Open
            | Self::Or
            | Self::And
            | Self::Not
            | Self::Context
            | Self::Wedge
            | Self::Sum
            | Self::Product
            | Self::Prefix
            | Self::Operand => Grouping::Left,
        }
    }
}

impl BinaryOp {
    /// Returns `true` for comparisons, which between games are about their order.
    pub fn compares(self) -> bool {
        self.level() == Precedence::Comparison && self != Self::In
    }

    /// Returns the precedence.
    pub(super) fn level(self) -> Precedence {
        self.entry().1
    }

    /// Returns the canonical spelling.
    pub fn symbol(self) -> &'static str {
        self.entry().0
    }

    /// Returns the canonical spelling and the precedence.
    fn entry(self) -> (&'static str, Precedence) {
        match self {
            Self::Power => ("^", Precedence::Power),
            Self::Multiply => ("*", Precedence::Product),
            Self::Divide => ("/", Precedence::Product),
            Self::Remainder => ("%", Precedence::Product),
            Self::Add => ("+", Precedence::Sum),
            Self::Subtract => ("-", Precedence::Sum),
            Self::Concatenate => ("++", Precedence::Sum),
            Self::PlusMinus => ("±", Precedence::Sum),
            Self::Wedge => ("∧", Precedence::Wedge),
            Self::Range => ("..", Precedence::Range),
            Self::Equal => ("==", Precedence::Comparison),
            Self::NotEqual => ("!=", Precedence::Comparison),
            Self::Less => ("<", Precedence::Comparison),
            Self::LessEqual => ("≤", Precedence::Comparison),
            Self::Greater => (">", Precedence::Comparison),
            Self::GreaterEqual => ("≥", Precedence::Comparison),
            Self::Equivalent => ("≡", Precedence::Comparison),
            Self::NotEquivalent => ("≢", Precedence::Comparison),
            Self::Incomparable => ("∥", Precedence::Comparison),
            Self::In => ("in", Precedence::Comparison),
            Self::And => ("and", Precedence::And),
            Self::Or => ("or", Precedence::Or),
        }
    }
}

impl UnaryOp {
    /// Returns the precedence.
    pub(super) fn level(self) -> Precedence {
        match self {
            Self::Negate | Self::Conjugate => Precedence::Prefix,
            Self::Not => Precedence::Not,
        }
    }

    /// Returns the canonical spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Conjugate => "~",
            Self::Not => "not",
        }
    }
}

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Infix {
    Binary(BinaryOp),
    At,
    Using,
}

impl Infix {
    fn level(self) -> Precedence {
        match self {
            Self::Binary(op) => op.level(),
            Self::At | Self::Using => Precedence::Context,
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            Self::Binary(op) => op.symbol(),
            Self::At => "at",
            Self::Using => "using",
        }
    }
}

/// An operator whose right operand is still incomplete.
#[derive(Debug, Clone, Copy)]
enum PendingOperator {
    Prefix(UnaryOp, Span),
    Infix(Infix, Span),
}

impl PendingOperator {
    fn level(self) -> Precedence {
        match self {
            Self::Prefix(op, _) => op.level(),
            Self::Infix(op, _) => op.level(),
        }
    }
}

/// Groups the parts of one flat expression, in the order in which they are written.
#[derive(Default)]
pub struct Grouper {
    operands: Vec<Expr>,
    waiting: Vec<PendingOperator>,
    /// The place of the `after […]` with which the last operand ends.
    after: Option<Span>,
}

impl Grouper {
    pub fn prefix(&mut self, op: UnaryOp, span: Span) -> Result<()> {
        if let Some(outer) = self
            .waiting
            .last()
            .filter(|outer| outer.level() > op.level())
        {
            // A sign may follow `^`, although it binds less tightly, since `2^-1` has only one
            // reading.
            let is_exponent = matches!(
                outer,
                PendingOperator::Infix(Infix::Binary(BinaryOp::Power), _)
            );
            if !(is_exponent && op != UnaryOp::Not) {
                return Err(loose_prefix(op, span));
            }
        }
        self.waiting.push(PendingOperator::Prefix(op, span));
        Ok(())
    }

    pub fn operand(&mut self, operand: Expr) {
        self.operands.push(operand);
        // Only an `after` at the very end of the last operand matters.
        self.after = None;
    }

    pub fn infix(&mut self, op: Infix, span: Span) -> Result<()> {
        let level = op.level();
        self.reduce(level, level.grouping() == Grouping::Left);
        match self.waiting.last() {
            Some(&PendingOperator::Infix(before, first))
                if before.level() == level && level.grouping() == Grouping::None =>
            {
                return Err(chained(level, before, first, op, span));
            }
            // `G at 1 * 2` may go on, since its position is a sum, but `G using r * 2` may not.
            Some(&PendingOperator::Infix(before @ (Infix::At | Infix::Using), first))
                if level > Precedence::Context
                    && (before == Infix::Using || level <= Precedence::Wedge) =>
            {
                return Err(after_context(before.symbol(), first, op, span));
            }
            _ => {}
        }
        if let Some(first) = self.after.filter(|_| level > Precedence::Context) {
            return Err(after_context("after", first, op, span));
        }
        self.waiting.push(PendingOperator::Infix(op, span));
        Ok(())
    }

    pub fn after(&mut self, plies: Vec<Ply>, span: Span) {
        // `after` is a suffix, so that it completes everything before it that binds as tightly.
        self.reduce(Precedence::Context, true);
        let base = self.pop();
        let whole = base.span.to(span);
        self.operands.push(Expr {
            kind: Box::new(ExprKind::After(base, plies)),
            span: whole,
        });
        self.after = Some(span);
    }

    pub fn finish(mut self) -> Expr {
        self.reduce(Precedence::Open, true);
        self.pop()
    }

    fn pop(&mut self) -> Expr {
        self.operands
            .pop()
            .expect("the grammar puts an operand after every operator")
    }

    /// Completes the operators that bind tighter than `level`, or as tightly if `equal` is set.
    fn reduce(&mut self, level: Precedence, equal: bool) {
        while let Some(&top) = self.waiting.last() {
            if top.level() < level || (top.level() == level && !equal) {
                return;
            }
            self.waiting.pop();
            self.complete(top);
        }
    }

    fn complete(&mut self, operator: PendingOperator) {
        let right = self.pop();
        let (span, kind) = match operator {
            PendingOperator::Prefix(op, span) => (span.to(right.span), ExprKind::Unary(op, right)),
            PendingOperator::Infix(op, _) => {
                let left = self.pop();
                let span = left.span.to(right.span);
                let kind = match op {
                    Infix::Binary(op) => ExprKind::Binary(op, left, right),
                    Infix::At => ExprKind::At(left, right),
                    Infix::Using => ExprKind::Using(left, right),
                };
                (span, kind)
            }
        };
        self.operands.push(Expr {
            kind: Box::new(kind),
            span,
        });
    }
}

fn loose_prefix(op: UnaryOp, span: Span) -> Box<Diagnostic> {
    let symbol = op.symbol();
    Box::new(
        Diagnostic::new(Code::Syntax, format!("`{symbol}` needs parentheses here"))
            .label(span, "the operator before it binds tighter")
            .help(format!("write `({symbol} …)`")),
    )
}

fn chained(
    level: Precedence,
    before: Infix,
    first: Span,
    op: Infix,
    span: Span,
) -> Box<Diagnostic> {
    let (what, help) = if level == Precedence::Range {
        ("ranges", "a range has two ends: `a..b`".to_owned())
    } else {
        (
            "comparisons",
            format!("write `a {} b and b {} c`", before.symbol(), op.symbol()),
        )
    };
    Box::new(
        Diagnostic::new(Code::Syntax, format!("{what} do not chain"))
            .label(span, format!("a second `{}`", op.symbol()))
            .label(first, "the first one")
            .help(help),
    )
}

fn after_context(word: &str, first: Span, op: Infix, span: Span) -> Box<Diagnostic> {
    let symbol = op.symbol();
    Box::new(
        Diagnostic::new(
            Code::Syntax,
            format!("`{symbol}` after `{word} …` needs parentheses"),
        )
        .label(span, format!("`{symbol}` binds tighter than `{word}`"))
        .label(
            first,
            format!("`{word}` applies to all that stands before it"),
        )
        .help(format!("write `(G {word} …) {symbol} …`")),
    )
}
