//! Operators on terms: arithmetic here, [`comparison`] and choice, and [`indices`].
//!
//! A number that depends on the position is a fraction with a known denominator; so `n / 2` is
//! exact, and comparing fractions multiplies across.

mod comparison;
mod indices;

use super::fault::Cause;
use super::program::{Binder, ComparisonOp, FoldOp, Int, IntOp, Part};
use super::specialise::{Specialiser, list, malformed, wrong_kind};
use super::term::{SpannedTerm, Term, not};
use crate::diagnostic::Result;
use crate::ir::CheckedExprKind;
use crate::source::Span;
use crate::syntax::ast::BinaryOp;
use num_integer::gcd;

pub(super) use comparison::Comparisons;
pub use comparison::some;

type Quotient = (Int, i64);

impl Specialiser<'_> {
    /// Specialises an operator that evaluates both operands.
    pub(super) fn operator(
        &mut self,
        op: BinaryOp,
        a: &SpannedTerm,
        b: &SpannedTerm,
        span: Span,
    ) -> Result<Term> {
        // The evaluator computes known values, so that they follow the rules of the whole language.
        if let (Term::Known(x), Term::Known(y)) = (&a.term, &b.term) {
            return self.evaluate(
                CheckedExprKind::Binary(op, Self::operand(x, a.span), Self::operand(y, b.span)),
                span,
            );
        }
        if let Some(fault) = first_fault([&a.term, &b.term]) {
            return Ok(fault);
        }
        match op {
            BinaryOp::Add => self.sum(a, b, IntOp::Add, span),
            BinaryOp::Subtract => self.sum(a, b, IntOp::Subtract, span),
            BinaryOp::Multiply => {
                let ((a, p), (b, q)) = (self.number(a)?, self.number(b)?);
                let product = self.apply(IntOp::Multiply, a, b, span);
                Ok(Term::Number(product, self.product(p, q, span)?))
            }
            BinaryOp::Divide => self.quotient(a, b, span),
            BinaryOp::Remainder => self.remainder(a, b, span),
            BinaryOp::Power => self.power(a, b, span),
            BinaryOp::Range => self.range(a, b, span),
            BinaryOp::Concatenate => {
                let parts = [self.parts(a)?, self.parts(b)?].concat();
                Ok(list(parts))
            }
            BinaryOp::Equal => self.equal(&a.term, &b.term, span).map(Term::truth),
            BinaryOp::NotEqual => self
                .equal(&a.term, &b.term, span)
                .map(|equal| Term::truth(not(equal))),
            BinaryOp::Less => self.ordered(ComparisonOp::Less, a, b, span),
            BinaryOp::LessEqual => self.ordered(ComparisonOp::LessEqual, a, b, span),
            // Exchanging the operands leaves fewer comparisons for programs to know.
            BinaryOp::Greater => self.ordered(ComparisonOp::Less, b, a, span),
            BinaryOp::GreaterEqual => self.ordered(ComparisonOp::LessEqual, b, a, span),
            BinaryOp::In => self.member(a, b, span),
            BinaryOp::PlusMinus => Err(malformed(
                "a position has no numbers between bounds",
                span,
                "known between bounds only",
                "the lines of a ruleset compute with integers, booleans, players, lists and boards",
            )),
            BinaryOp::Wedge
            | BinaryOp::Equivalent
            | BinaryOp::NotEquivalent
            | BinaryOp::Incomparable => {
                let help = "the lines of a ruleset compute with integers, booleans, players, lists and boards";
                Err(malformed(
                    "games cannot depend on the position",
                    span,
                    "combines games",
                    help,
                ))
            }
            BinaryOp::And | BinaryOp::Or => unreachable!("specialised before their operands are"),
        }
    }

    /// Builds an operation on integers; it is computed at once if both operands are known.
    pub(super) fn apply(&mut self, op: IntOp, a: Int, b: Int, span: Span) -> Int {
        // A constant that overflows stays an operation, which faults where it is reached.
        if let (Int::Constant(a), Int::Constant(b)) = (&a, &b)
            && let Some(result) = op.apply(*a, *b)
        {
            return Int::Constant(result);
        }
        match (op, &a, &b) {
            (IntOp::Add | IntOp::Subtract, _, Int::Constant(0))
            | (IntOp::Multiply, _, Int::Constant(1)) => return a,
            (IntOp::Add, Int::Constant(0), _) | (IntOp::Multiply, Int::Constant(1), _) => return b,
            _ => {}
        }
        let cause = match op {
            IntOp::Add | IntOp::Subtract | IntOp::Multiply => Cause::Overflow,
            IntOp::FloorDivide | IntOp::Remainder => Cause::ZeroDivisor,
            IntOp::ExactDivide => Cause::NotInteger,
        };
        let site = self.sites.add(span, cause);
        Int::Binary(op, Box::new((a, b)), site)
    }

    fn number(&self, of: &SpannedTerm) -> Result<Quotient> {
        of.term
            .as_number()
            .ok_or_else(|| wrong_kind("a number of at most 64 bits", &of.term, of.span))
    }

    /// Returns the integer that a term represents.
    ///
    /// # Errors
    /// If it is no integer, or may be a fraction.
    pub(super) fn integer(&mut self, of: &SpannedTerm) -> Result<Int> {
        of.term
            .as_integer()
            .ok_or_else(|| wrong_kind("an integer", &of.term, of.span))
    }

    pub(super) fn parts(&self, of: &SpannedTerm) -> Result<Vec<Part<Term>>> {
        of.term
            .as_parts()
            .map(|parts| parts.to_vec())
            .ok_or_else(|| wrong_kind("a list", &of.term, of.span))
    }

    fn product(&self, a: i64, b: i64, span: Span) -> Result<i64> {
        let help = "use fractions with smaller denominators";
        a.checked_mul(b).ok_or_else(|| {
            malformed(
                "the denominators become too large",
                span,
                "computed here",
                help,
            )
        })
    }

    /// Brings both numbers to one denominator.
    fn common(&mut self, a: Quotient, b: Quotient, span: Span) -> Result<(Int, Int, i64)> {
        let ((a, p), (b, q)) = (a, b);
        if p == q {
            return Ok((a, b, p));
        }
        let a = self.apply(IntOp::Multiply, a, Int::Constant(q), span);
        let b = self.apply(IntOp::Multiply, b, Int::Constant(p), span);
        Ok((a, b, self.product(p, q, span)?))
    }

    fn sum(&mut self, a: &SpannedTerm, b: &SpannedTerm, op: IntOp, span: Span) -> Result<Term> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        let (a, b, denominator) = self.common(a, b, span)?;
        Ok(Term::Number(self.apply(op, a, b, span), denominator))
    }

    /// Returns the number with the opposite sign.
    pub(super) fn negate(&mut self, term: &Term, span: Span) -> Result<Term> {
        let (numerator, denominator) = self.number(&term.clone().spanned(span))?;
        Ok(Term::Number(
            self.apply(IntOp::Subtract, Int::Constant(0), numerator, span),
            denominator,
        ))
    }

    fn quotient(&mut self, a: &SpannedTerm, b: &SpannedTerm, span: Span) -> Result<Term> {
        let ((a, p), (divisor, q)) = (self.number(a)?, self.number(b)?);
        let Int::Constant(divisor) = divisor else {
            let help = "`%` gives the remainder; compare products instead of quotients";
            let message = "dividing by a number that depends on the position is not supported";
            return Err(malformed(message, b.span, "depends on the position", help));
        };
        if divisor == 0 {
            return Ok(Term::Fault(self.sites.add(b.span, Cause::ZeroDivisor)));
        }
        let numerator = self.apply(
            IntOp::Multiply,
            a,
            // The sign moves to the numerator, because denominators are positive.
            Int::Constant(q * divisor.signum()),
            span,
        );
        let divisor = divisor
            .checked_abs()
            .ok_or_else(|| wrong_kind("a smaller number", &b.term, b.span))?;
        Ok(Term::Number(numerator, self.product(p, divisor, span)?))
    }

    /// Computes a − b⌊a / b⌋, also of fractions: over a common denominator it is the remainder of
    /// the numerators.
    fn remainder(&mut self, a: &SpannedTerm, b: &SpannedTerm, span: Span) -> Result<Term> {
        let (first, second) = (self.number(a)?, self.number(b)?);
        let (first, second, denominator) = self.common(first, second, span)?;
        Ok(Term::Number(
            self.apply(IntOp::Remainder, first, second, span),
            denominator,
        ))
    }

    fn power(&mut self, a: &SpannedTerm, b: &SpannedTerm, span: Span) -> Result<Term> {
        let (base, denominator) = self.number(a)?;
        let exponent = match b.term.as_integer() {
            Some(Int::Constant(n)) if (0..=64).contains(&n) => n,
            _ => {
                let message =
                    "inside rulesets only powers with a known exponent from 0 to 64 are supported";
                return Err(malformed(
                    message,
                    b.span,
                    "the exponent",
                    "write the powers as a list and take an index",
                ));
            }
        };
        let mut power = (Int::Constant(1), 1);
        for _ in 0..exponent {
            power = (
                self.apply(IntOp::Multiply, power.0, base.clone(), span),
                self.product(power.1, denominator, span)?,
            );
        }
        Ok(Term::Number(power.0, power.1))
    }

    fn range(&mut self, a: &SpannedTerm, b: &SpannedTerm, span: Span) -> Result<Term> {
        let (from, to) = (self.integer(a)?, self.integer(b)?);
        let register = self.register(span)?;
        let value = Term::Number(Int::Register(register), 1);
        Ok(list(vec![Part {
            binders: vec![Binder::Each(register, from, to)],
            value,
        }]))
    }

    /// Builds the sum, least or greatest of a list's numbers.
    pub(super) fn fold_numbers(
        &mut self,
        op: FoldOp,
        parts: &[Part<Term>],
        span: Span,
    ) -> Result<Term> {
        let mut fractions = Vec::new();
        let mut denominator = 1;
        for part in parts {
            let fraction = self.number(&part.value.clone().spanned(span))?;
            denominator =
                // The least common multiple keeps the denominators small.
                self.product(denominator, fraction.1 / gcd(denominator, fraction.1), span)?;
            fractions.push((part.binders.clone(), fraction));
        }
        let mut programs = Vec::new();
        for (binders, (numerator, own)) in fractions {
            let value = self.apply(
                IntOp::Multiply,
                numerator,
                Int::Constant(denominator / own),
                span,
            );
            programs.push(Part { binders, value });
        }
        let cause = if op == FoldOp::Sum {
            Cause::Overflow
        } else {
            Cause::EmptyList
        };
        let site = self.sites.add(span, cause);
        Ok(Term::Number(
            Int::Fold(op, programs.into(), site),
            denominator,
        ))
    }
}

/// Returns the first fault among terms: an operation on a term without a value has no value either.
pub fn first_fault<'t>(terms: impl IntoIterator<Item = &'t Term>) -> Option<Term> {
    terms
        .into_iter()
        .find(|term| matches!(term, Term::Fault(_)))
        .cloned()
}

fn is_tuple(term: &Term) -> bool {
    matches!(
        term,
        Term::Tuple(_) | Term::Known(crate::ir::Value::Tuple(_))
    )
}

fn is_player(term: &Term) -> bool {
    matches!(
        term,
        Term::Player(_) | Term::Known(crate::ir::Value::Player(_))
    )
}
