//! Lowers operators: the kinds of their operands and results.

use num_bigint::BigInt;

use super::{Checker, Typed};
use crate::diagnostic::{Code, Diagnostic, Fix, Help};
use crate::ir::{CheckedExprKind, Kinds};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, UnaryOp};
use crate::syntax::print_expr;

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Typed {
        let (needed, why, kinds) = match op {
            UnaryOp::Negate => (Kinds::ENCLOSED, "`-` takes a number", Kinds::ENCLOSED),
            UnaryOp::Conjugate => (Kinds::GAME, "`~` takes a game", Kinds::GAME),
            UnaryOp::Not => (Kinds::BOOL, "`not` takes true or false", Kinds::BOOL),
        };
        let known = self.diagnostics.len();
        let operand = self.needs(operand, needed, why);
        Typed::new(
            CheckedExprKind::Unary(op, operand),
            self.unless_wrong(known, kinds),
            span,
        )
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left_operand: &ast::Expr,
        right_operand: &ast::Expr,
        span: Span,
    ) -> Typed {
        // The type error would speak of a number that is called, which does not show the mistake.
        if let Some(part) = applied_exponent(op, right_operand) {
            let diagnostic = power_in_parentheses(left_operand, right_operand.span, part);
            return self.broken(diagnostic, span);
        }
        let (needed, why, kinds) = operands(op);
        let known = self.diagnostics.len();
        let lazy = matches!(op, BinaryOp::And | BinaryOp::Or);
        let (first, first_span) = (self.expr(left_operand), left_operand.span);
        // Newcomers join games by `and`, for which one message about both sides is clearer than
        // two.
        if lazy && first.kinds == Kinds::GAME {
            let other = self.expr(right_operand);
            return self.joined_games(why, first_span, &other, span);
        }
        let left = self.fitting(first, needed, why);
        if lazy {
            self.locals.conditionally(true);
        }
        let right_needed = if op == BinaryOp::In {
            Kinds::SEQUENCE
        } else {
            needed
        };
        let right_why = if op == BinaryOp::Power {
            "the exponent of `^` is an integer"
        } else {
            why
        };
        let right_needed = if op == BinaryOp::Power {
            Kinds::INTEGER
        } else {
            right_needed
        };
        let right = self.expr(right_operand);
        if op == BinaryOp::Power && left.kinds == Kinds::GAME && right.kinds == Kinds::GAME {
            return self.joined_games(right_why, first_span, &right, span);
        }
        let right = self.fitting(right, right_needed, right_why);
        if op == BinaryOp::Subtract
            && let Some(name) = self.unknown_hyphenated(left_operand, right_operand, known)
        {
            return name;
        }
        if lazy {
            self.locals.conditionally(false);
        }
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) && left.kinds.never_equal(right.kinds)
        {
            let warning = Diagnostic::never_equal(left.kinds, right.kinds, span);
            self.report(warning.help("compare values of one type"));
        }
        if op == BinaryOp::Range
            && let (Some(first), Some(last)) = (constant(left_operand), constant(right_operand))
            && first > last
        {
            self.report(empty_range(left_operand, right_operand, span));
        }
        let kinds = self.unless_wrong(known, result(op, left.kinds, right.kinds).and(kinds));
        Typed::new(
            CheckedExprKind::Binary(op, left.expr, right.expr),
            kinds,
            span,
        )
    }

    /// Reports `and`, `or` or `^` behind the game at `left`, with one message for both sides.
    fn joined_games(&mut self, why: &str, left: Span, other: &Typed, span: Span) -> Typed {
        let right = other.expr.span;
        let diagnostic = Diagnostic::new(Code::WrongType, format!("{why}, but this is a game"))
            .label(left, "a game");
        let diagnostic = if other.kinds == Kinds::GAME {
            let between = Span {
                start: left.end,
                end: right.start,
                ..left
            };
            let help = Help::from(
                "games are joined by `∧`: whoever moves goes to the start of either one",
            );
            diagnostic
                .label(right, "a game")
                .help(help.with(Fix::replace(between, " ∧ ")))
        } else {
            diagnostic
        };
        self.broken(diagnostic, span)
    }

    /// Returns the kinds of an operator's result. If errors were added since `known` of them were
    /// counted, before the operands were lowered, returns any kind instead, so that consequences of
    /// a mistake are not reported again.
    fn unless_wrong(&self, known: usize, kinds: Kinds) -> Kinds {
        if self.diagnostics.len() == known {
            kinds
        } else {
            Kinds::ANY
        }
    }
}

/// Returns the integer that is written, if nothing else is.
fn constant(operand: &ast::Expr) -> Option<BigInt> {
    match &*operand.kind {
        ast::ExprKind::Integer(n) => Some(n.clone().into()),
        ast::ExprKind::Unary(UnaryOp::Negate, operand) => constant(operand).map(|n| -n),
        _ => None,
    }
}

fn empty_range(first: &ast::Expr, last: &ast::Expr, span: Span) -> Diagnostic {
    let (first, last) = (print_expr(first), print_expr(last));
    let help = Help::from(format!("a range counts upwards: `{last}..{first}`"));
    Diagnostic::new(Code::EmptyRange, "a range has no elements")
        .label(span, format!("{last} is less than {first}"))
        .help(help.with(Fix::replace(span, format!("{last}..{first}"))))
}

/// Finds a call or an index that applies to the exponent alone, as in `A^2(3, 5*)` and `A^3[2]`.
fn applied_exponent(op: BinaryOp, exponent: &ast::Expr) -> Option<&'static str> {
    let is_number = |base: &ast::Expr| {
        matches!(
            *base.kind,
            ast::ExprKind::Integer(_) | ast::ExprKind::Star(_)
        )
    };
    match &*exponent.kind {
        ast::ExprKind::Call { callee, .. } if op == BinaryOp::Power && is_number(callee) => {
            Some("(…)")
        }
        ast::ExprKind::Index { base, .. } if op == BinaryOp::Power && is_number(base) => {
            Some("[…]")
        }
        _ => None,
    }
}

fn power_in_parentheses(base: &ast::Expr, span: Span, part: &str) -> Diagnostic {
    Diagnostic::new(
        Code::WrongType,
        format!("`{part}` binds more tightly than `^`: here it stands behind the exponent, which is a number"),
    )
    .label(span, "read as the exponent")
    .help(format!("put the power in parentheses: `({}^…){part}`", print_expr(base)))
}

/// Returns the kinds that an infix operator needs on its left (and, mostly, right), the first half
/// of the message, and the kinds of its result.
fn operands(op: BinaryOp) -> (Kinds, &'static str, Kinds) {
    const COMPARED: Kinds = Kinds::AMOUNT
        .or(Kinds::NEVER)
        .or(Kinds::GAME)
        .or(Kinds::SEQUENCE)
        .or(Kinds::TEXT);
    match op {
        BinaryOp::Power => (
            Kinds::ENCLOSED.or(Kinds::GAME),
            "`^` takes a number, or the games A and B",
            Kinds::ENCLOSED.or(Kinds::GAME),
        ),
        BinaryOp::Multiply => (Kinds::ENCLOSED, "`*` takes numbers", Kinds::ENCLOSED),
        BinaryOp::Divide => (Kinds::ENCLOSED, "`/` takes numbers", Kinds::ENCLOSED),
        BinaryOp::PlusMinus => (Kinds::ENCLOSED, "`±` takes numbers", Kinds::ENCLOSED),
        BinaryOp::Remainder => (Kinds::NUMBER, "`%` takes numbers", Kinds::NUMBER),
        BinaryOp::Add => (
            Kinds::AMOUNT.or(Kinds::GAME),
            "`+` takes numbers, chips or games",
            Kinds::AMOUNT.or(Kinds::GAME),
        ),
        BinaryOp::Subtract => (Kinds::AMOUNT, "`-` takes numbers or chips", Kinds::AMOUNT),
        BinaryOp::Concatenate => (Kinds::SEQUENCE, "`++` takes lists", Kinds::LIST),
        BinaryOp::Wedge => (Kinds::GAME, "`∧` takes games", Kinds::GAME),
        BinaryOp::Range => (Kinds::INTEGER, "`..` takes integers", Kinds::LIST),
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Equivalent
        | BinaryOp::NotEquivalent
        | BinaryOp::In => (Kinds::ANY, "", Kinds::BOOL),
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => (
            COMPARED,
            "only numbers, chips, strings, lists and games are ordered",
            Kinds::BOOL,
        ),
        BinaryOp::Incomparable => (
            Kinds::GAME,
            "`∥` takes games; the logical operator is `or`",
            Kinds::BOOL,
        ),
        BinaryOp::And => (Kinds::BOOL, "`and` takes true or false", Kinds::BOOL),
        BinaryOp::Or => (Kinds::BOOL, "`or` takes true or false", Kinds::BOOL),
    }
}

/// Computes the kinds of an arithmetic result for operands of these kinds, as far as they are
/// known.
fn result(op: BinaryOp, left: Kinds, right: Kinds) -> Kinds {
    let both = left.or(right);
    match op {
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply if both.within(Kinds::INTEGER) => {
            Kinds::INTEGER
        }
        BinaryOp::Add if left.within(Kinds::GAME) => Kinds::GAME,
        // Both may be games or numbers, which only the evaluation tells.
        BinaryOp::Add if left.meets(Kinds::GAME) && right.meets(Kinds::GAME) => Kinds::ANY,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide
            if both.within(Kinds::NUMBER) =>
        {
            Kinds::NUMBER
        }
        BinaryOp::Add | BinaryOp::Subtract if !both.meets(Kinds::CHIPS) => Kinds::ENCLOSED,
        BinaryOp::Add => Kinds::AMOUNT,
        BinaryOp::Power if left.within(Kinds::GAME) => Kinds::GAME,
        BinaryOp::Power if left.within(Kinds::NUMBER) => Kinds::NUMBER,
        BinaryOp::Power if !left.meets(Kinds::GAME) => Kinds::ENCLOSED,
        _ => Kinds::ANY,
    }
}
