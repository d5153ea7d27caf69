//! Translates operators: truth, equality, order, and arithmetic on integers that may or may not be
//! negative.

use super::expressions::{Translator, untranslated};
use super::scope::TranslationScope;
use super::terms::{GallinaTerm, Type, level};
use crate::diagnostic::Result;
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Translator<'_, '_> {
    pub(super) fn unary(
        &mut self,
        op: UnaryOp,
        operand: &Expr,
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        match op {
            UnaryOp::Not => {
                let truth = self.truth(operand, scope)?;
                Ok(GallinaTerm::apply("negb", &[&truth], Type::Bool))
            }
            UnaryOp::Negate => {
                let zero = GallinaTerm::number(0);
                let operand = self.term(operand, scope)?;
                self.arithmetic(BinaryOp::Subtract, zero, operand, span, scope)
            }
            UnaryOp::Conjugate => Err(untranslated(
                "the theory cannot express games inside rules",
                span,
            )),
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        let span = left.span.to(right.span);
        if let BinaryOp::And | BinaryOp::Or = op {
            let a = self.truth(left, scope)?;
            let facts = scope.facts.clone();
            // The right side counts only where the left holds, so its facts may be used there.
            if op == BinaryOp::And {
                self.learn(left, scope)?;
            }
            let b = self.truth(right, scope)?;
            scope.facts = facts;
            let (sign, level) = match op {
                BinaryOp::And => ("&&", level::PRODUCT),
                _ => ("||", level::SUM),
            };
            return Ok(GallinaTerm::infix(&a, sign, &b, level, Type::Bool));
        }
        let (a, b) = (self.term(left, scope)?, self.term(right, scope)?);
        match op {
            BinaryOp::Equal => self.equality(a, b, span),
            BinaryOp::NotEqual => {
                let equal = self.equality(a, b, span)?;
                Ok(GallinaTerm::apply("negb", &[&equal], Type::Bool))
            }
            BinaryOp::Less => self.comparison("<?", a, b, span),
            BinaryOp::LessEqual => self.comparison("<=?", a, b, span),
            BinaryOp::Greater => self.comparison("<?", b, a, span),
            BinaryOp::GreaterEqual => self.comparison("<=?", b, a, span),
            BinaryOp::In => self.membership(a, b, span),
            BinaryOp::Concatenate => {
                let (ty, [a, b]) = self.alike([a, b], span)?;
                let text = format!(
                    "{} ++ {}",
                    a.outside(level::APPEND - 1),
                    b.outside(level::APPEND)
                );
                Ok(GallinaTerm::new(text, level::APPEND, ty))
            }
            _ => self.arithmetic(op, a, b, span, scope),
        }
    }

    fn membership(&mut self, a: GallinaTerm, list: GallinaTerm, span: Span) -> Result<GallinaTerm> {
        let Type::List(item) = &list.ty else {
            return Err(untranslated("`in` needs a list", span));
        };
        let ty =
            a.ty.join(item)
                .ok_or_else(|| untranslated("these values have no common type", span))?;
        let a = self.of_type(a, &ty, span)?;
        let list = self.of_type(list, &ty.list(), span)?;
        let text = format!("some (equal {}) {}", a.outside(0), list.outside(0));
        Ok(GallinaTerm::new(text, level::APPLICATION, Type::Bool))
    }

    /// Translates `a == b`.
    pub fn equality(&mut self, a: GallinaTerm, b: GallinaTerm, span: Span) -> Result<GallinaTerm> {
        if a.ty.is_number() && b.ty.is_number() {
            return self.comparison("=?", a, b, span);
        }
        let equal = |function: &str, a: &GallinaTerm, b: &GallinaTerm| {
            Ok(GallinaTerm::apply(function, &[a, b], Type::Bool))
        };
        match (&a.ty, &b.ty) {
            (Type::Content, Type::Content) if b.name() == "None" => {
                Ok(GallinaTerm::apply("is_empty", &[&a], Type::Bool))
            }
            (Type::Content, Type::Player) => equal("holds", &a, &b),
            (Type::Player, Type::Content) => equal("holds", &b, &a),
            (Type::Player, Type::Player) => equal("same", &a, &b),
            _ => {
                let (_, [a, b]) = self.alike([a, b], span)?;
                equal("equal", &a, &b)
            }
        }
    }

    fn comparison(
        &mut self,
        sign: &str,
        a: GallinaTerm,
        b: GallinaTerm,
        span: Span,
    ) -> Result<GallinaTerm> {
        let (ty, [a, b]) = self.alike([a, b], span)?;
        let side = |term: &GallinaTerm| match ty {
            Type::Integer => term.in_integers(level::COMPARISON - 1),
            _ => term.outside(level::COMPARISON - 1),
        };
        let text = format!("{} {sign} {}", side(&a), side(&b));
        match ty {
            Type::Natural => Ok(GallinaTerm::new(text, level::COMPARISON, Type::Bool)),
            Type::Integer => Ok(GallinaTerm::integers(text, level::COMPARISON, Type::Bool)),
            _ => Err(untranslated("the theory orders only numbers", span)),
        }
    }

    /// Returns `true` if `b` is known to be at most `a`.
    fn fits(a: &GallinaTerm, b: &GallinaTerm, scope: &TranslationScope) -> bool {
        let by_bounds = a
            .least
            .zip(b.most)
            .is_some_and(|(least, most)| most <= least);
        by_bounds
            || scope
                .facts
                .below
                .iter()
                .any(|(small, large)| small == b.name() && large == a.name())
    }

    /// Translates arithmetic on integers. A difference is taken in the natural numbers if it is
    /// known not to be negative.
    pub fn arithmetic(
        &mut self,
        op: BinaryOp,
        a: GallinaTerm,
        b: GallinaTerm,
        span: Span,
        scope: &TranslationScope,
    ) -> Result<GallinaTerm> {
        if !a.ty.is_number() || !b.ty.is_number() {
            return Err(untranslated("the theory adds only integers", span));
        }
        let (sign, own) = match op {
            BinaryOp::Add => ("+", level::SUM),
            BinaryOp::Subtract => ("-", level::SUM),
            BinaryOp::Multiply => ("*", level::PRODUCT),
            BinaryOp::Remainder => ("mod", level::PRODUCT),
            BinaryOp::Power => ("^", level::POWER),
            BinaryOp::Divide => {
                return Err(untranslated(
                    "the theory has quotients only within `floor` or `ceil`",
                    span,
                ));
            }
            _ => {
                return Err(untranslated(
                    "the theory cannot express this operator",
                    span,
                ));
            }
        };
        let negative = op == BinaryOp::Subtract && !Self::fits(&a, &b, scope);
        // Coq defines a power with a negative exponent as 0, which is not its value.
        if op == BinaryOp::Power && b.least.is_none_or(|least| least < 0) {
            return Err(untranslated("this exponent may be negative", span));
        }
        // In `nat` a difference below 0 would silently be 0.
        let natural = a.ty == Type::Natural && b.ty == Type::Natural && !negative;
        let (least, most) = bounds(op, &a, &b);
        if natural {
            let text = format!("{} {sign} {}", a.outside(left(own)), b.outside(right(own)));
            return Ok(GallinaTerm::new(text, own, Type::Natural).between(least, most));
        }
        let a = self.of_type(a, &Type::Integer, span)?;
        let b = self.of_type(b, &Type::Integer, span)?;
        let text = format!(
            "{} {sign} {}",
            a.in_integers(left(own)),
            b.in_integers(right(own))
        );
        Ok(GallinaTerm::integers(text, own, Type::Integer).between(least, most))
    }

    /// Records the bounds on numbers that a condition implies, for the part where it holds.
    pub fn learn(&mut self, condition: &Expr, scope: &mut TranslationScope) -> Result<()> {
        let ExprKind::Binary(op, left, right) = &*condition.kind else {
            if let ExprKind::Paren(inner) = &*condition.kind {
                return self.learn(inner, scope);
            }
            return Ok(());
        };
        let (small, large, more) = match op {
            BinaryOp::And => {
                self.learn(left, scope)?;
                return self.learn(right, scope);
            }
            BinaryOp::LessEqual => (left, right, 0),
            BinaryOp::Less => (left, right, 1),
            BinaryOp::GreaterEqual => (right, left, 0),
            BinaryOp::Greater => (right, left, 1),
            BinaryOp::NotEqual => {
                let (a, b) = (self.term(left, scope)?, self.term(right, scope)?);
                // A natural number other than 0 is at least 1, which guards a decrement.
                if a.ty == Type::Natural && b.name() == "0" {
                    scope.facts.least.push((a.name().to_owned(), 1));
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        let (small, large) = (self.term(small, scope)?, self.term(large, scope)?);
        if (&small.ty, &large.ty) == (&Type::Natural, &Type::Natural) {
            if let Some(least) = small.least.and_then(|least| least.checked_add(more)) {
                scope.facts.least.push((large.name().to_owned(), least));
            }
            scope
                .facts
                .below
                .push((small.name().to_owned(), large.name().to_owned()));
        }
        Ok(())
    }
}

/// Returns the level to which the left side of an operator must bind.
fn left(own: u8) -> u8 {
    // Powers associate to the right in Coq, and the other operators of arithmetic to the left.
    if own == level::POWER { own - 1 } else { own }
}

/// Returns the level to which the right side of an operator must bind.
fn right(own: u8) -> u8 {
    if own == level::POWER { own } else { own - 1 }
}

/// Returns bounds of the result of arithmetic.
fn bounds(op: BinaryOp, a: &GallinaTerm, b: &GallinaTerm) -> (Option<i64>, Option<i64>) {
    let both = |a: Option<i64>, b: Option<i64>, work: fn(i64, i64) -> Option<i64>| {
        a.zip(b).and_then(|(a, b)| work(a, b))
    };
    let positive =
        a.least.is_some_and(|least| least >= 0) && b.least.is_some_and(|least| least >= 0);
    match op {
        BinaryOp::Add => (
            both(a.least, b.least, i64::checked_add),
            both(a.most, b.most, i64::checked_add),
        ),
        BinaryOp::Subtract => (
            both(a.least, b.most, i64::checked_sub),
            both(a.most, b.least, i64::checked_sub),
        ),
        // With a negative factor the least product need not come from the least factors.
        BinaryOp::Multiply if positive => (
            both(a.least, b.least, i64::checked_mul),
            both(a.most, b.most, i64::checked_mul),
        ),
        BinaryOp::Remainder if b.least.is_some_and(|least| least > 0) => {
            (Some(0), b.most.map(|most| most - 1))
        }
        _ => (None, None),
    }
}
