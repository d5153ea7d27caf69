//! Finds the precedence of expressions, and puts operands in parentheses where they are needed.

use super::{Doc, INDENT, Printer};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::syntax::operators::{Grouping, Precedence};
use pretty::DocAllocator;

/// Returns the precedence of the outermost operator.
pub fn level(expr: &Expr) -> Precedence {
    match &*expr.kind {
        ExprKind::If { .. } | ExprKind::Let(..) => Precedence::Open,
        ExprKind::Unary(op, _) => op.level(),
        ExprKind::Binary(op, ..) => op.level(),
        ExprKind::At(..) | ExprKind::After(..) | ExprKind::Using(..) => Precedence::Context,
        ExprKind::Integer(_)
        | ExprKind::Decimal(..)
        | ExprKind::Star(_)
        | ExprKind::MinusEpsilon(_)
        | ExprKind::String(_)
        | ExprKind::Bool(_)
        | ExprKind::Player(..)
        | ExprKind::Name(_)
        | ExprKind::Call { .. }
        | ExprKind::Index { .. }
        | ExprKind::List(_)
        | ExprKind::Comprehension { .. }
        | ExprKind::Tuple(_)
        | ExprKind::Paren(_)
        | ExprKind::Braces { .. }
        | ExprKind::Rules(_)
        | ExprKind::Graph(_) => Precedence::Operand,
    }
}

/// Returns `true` if `in` occurs as an operator outside all brackets. Such an expression cannot be
/// the right-hand side of a `let`, because `in` ends it there.
pub fn exposes_in(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Binary(BinaryOp::In, ..) => true,
        ExprKind::Binary(_, left, right) | ExprKind::At(left, right) => {
            exposes_in(left) || exposes_in(right)
        }
        ExprKind::Unary(_, inner) | ExprKind::After(inner, _) | ExprKind::Using(inner, _) => {
            exposes_in(inner)
        }
        ExprKind::If {
            otherwise: tail, ..
        }
        | ExprKind::Let(_, tail) => exposes_in(tail),
        _ => false,
    }
}

impl<'a> Printer<'a> {
    pub(super) fn parenthesised(&mut self, expr: &'a Expr) -> Doc<'a> {
        let inside = self.arena.line_().append(self.expr(expr));
        self.text("(")
            .append(inside.nest(INDENT))
            .append(self.arena.line_())
            .append(")")
            .group()
    }

    /// Prints an expression in a place where it needs parentheses unless it binds at least as
    /// tightly as `least`.
    pub(super) fn operand(&mut self, expr: &'a Expr, least: Precedence) -> Doc<'a> {
        if level(expr) < least {
            self.parenthesised(expr)
        } else {
            self.expr(expr)
        }
    }

    /// Prints the callee of a call. A star count is put in parentheses, because `4*(x)` would be a
    /// product.
    pub(super) fn callee(&mut self, expr: &'a Expr) -> Doc<'a> {
        match &*expr.kind {
            ExprKind::Star(_) => self.parenthesised(expr),
            _ => self.operand(expr, Precedence::Operand),
        }
    }

    pub(super) fn left(&mut self, expr: &'a Expr, op: BinaryOp) -> Doc<'a> {
        let enough = level(expr) > op.level()
            // `(a - b) - c` needs no parentheses, but `a - (b - c)` does.
            || (level(expr) == op.level() && op.level().grouping() == Grouping::Left);
        if enough {
            self.expr(expr)
        } else {
            self.parenthesised(expr)
        }
    }

    pub(super) fn right(&mut self, expr: &'a Expr, op: BinaryOp) -> Doc<'a> {
        let right_grouping = level(expr) == op.level() && op.level().grouping() == Grouping::Right;
        // The grammar takes a sign after `^`, although a sign binds less tightly.
        let signed_exponent = op == BinaryOp::Power
            && matches!(
                &*expr.kind,
                ExprKind::Unary(UnaryOp::Negate | UnaryOp::Conjugate, _)
            );
        let enough = level(expr) > op.level() || right_grouping || signed_exponent;
        if enough {
            self.expr(expr)
        } else {
            self.parenthesised(expr)
        }
    }
}
