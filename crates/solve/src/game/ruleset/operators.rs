//! Operators on terms: arithmetic, comparison, choice and indices.
//!
//! A number that depends on the position is a fraction with a known denominator; so `n / 2` is
//! exact, and comparing fractions multiplies across.

use std::rc::Rc;

use super::fault::Cause;
use super::program::{Binder, Bool, ComparisonOp, FoldOp, Int, IntOp, Part, Plane};
use super::specialise::{Specialiser, list, malformed, tuple, wrong_kind};
use super::term::{BoardTerm, SpannedTerm, Term, all, any, compare, not};
use crate::diagnostic::Result;
use crate::ir::CheckedExprKind;
use crate::source::Span;
use crate::syntax::ast::BinaryOp;

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

    fn parts(&self, of: &SpannedTerm) -> Result<Vec<Part<Term>>> {
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

    fn ordered(
        &mut self,
        comparison: ComparisonOp,
        a: &SpannedTerm,
        b: &SpannedTerm,
        span: Span,
    ) -> Result<Term> {
        let (first, second) = (self.number(a)?, self.number(b)?);
        let (first, second, _) = self.common(first, second, span)?;
        Ok(Term::truth(compare(comparison, first, second)))
    }

    /// Builds the test whether two terms are equal. Values of different kinds are not.
    pub(super) fn equal(&mut self, a: &Term, b: &Term, span: Span) -> Result<Bool> {
        if let (Term::Fault(site), _) | (_, Term::Fault(site)) = (a, b) {
            return Ok(Bool::Fault(*site));
        }
        if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
            let (a, b, _) = self.common(a, b, span)?;
            return Ok(compare(ComparisonOp::Equal, a, b));
        }
        if let (Some(a), Some(b)) = (a.as_cell(), b.as_cell()) {
            return Ok(compare(ComparisonOp::Equal, a, b));
        }
        if let (Some(a), Some(b)) = (a.as_truth(), b.as_truth()) {
            return Ok(same_truth(a, b));
        }
        if let (Some(a), Some(b)) = (a.as_board(), b.as_board()) {
            let alike = (a.shape, a.rows, a.cols) == (b.shape, b.rows, b.cols);
            return if alike {
                self.all_equal(&a.cells, &b.cells, span)
            } else {
                Ok(Bool::Constant(false))
            };
        }
        let (tuples, lists) = (is_tuple(a) && is_tuple(b), !is_tuple(a) && !is_tuple(b));
        if (tuples || lists) && a.as_parts().is_some() && b.as_parts().is_some() {
            let (Some(first), Some(second)) = (a.as_items(), b.as_items()) else {
                let message = "lists whose lengths depend on the position cannot be compared";
                return Err(malformed(
                    message,
                    span,
                    "compared here",
                    "compare their sums or lengths",
                ));
            };
            return self.all_equal(&first, &second, span);
        }
        Ok(Bool::Constant(false))
    }

    fn all_equal(&mut self, a: &[Term], b: &[Term], span: Span) -> Result<Bool> {
        if a.len() != b.len() {
            return Ok(Bool::Constant(false));
        }
        let pairs: Result<Vec<Bool>> = a
            .iter()
            .zip(b)
            .map(|(a, b)| self.equal(a, b, span))
            .collect();
        Ok(all(pairs?))
    }

    fn member(&mut self, item: &SpannedTerm, list: &SpannedTerm, span: Span) -> Result<Term> {
        let parts = self.parts(list)?;
        let tests: Result<Vec<Part<Bool>>> = parts
            .into_iter()
            .map(|part| {
                Ok(Part {
                    value: self.equal(&item.term, &part.value, span)?,
                    binders: part.binders,
                })
            })
            .collect();
        Ok(Term::truth(some(tests?)))
    }

    /// Builds the term that is one or the other of two, depending on a condition of the position.
    pub(super) fn either(
        &mut self,
        condition: &Bool,
        then: &Term,
        otherwise: &Term,
        span: Span,
    ) -> Result<Term> {
        let int = |a, b| Int::If(Box::new((condition.clone(), a, b)));
        if let (Term::Fault(_), Term::Fault(_)) = (then, otherwise) {
            return Ok(then.clone());
        }
        if let (Some(a), Some(b)) = (then.as_number(), otherwise.as_number()) {
            let (a, b, denominator) = self.common(a, b, span)?;
            return Ok(Term::Number(int(a, b), denominator));
        }
        if let (Some(a), Some(b)) = (then.as_truth(), otherwise.as_truth()) {
            return Ok(Term::truth(Bool::If(Box::new((condition.clone(), a, b)))));
        }
        if let (Some(a), Some(b)) = (then.as_cell(), otherwise.as_cell()) {
            let players = is_player(then) && is_player(otherwise);
            return Ok(if players {
                Term::Player(int(a, b))
            } else {
                Term::Cell(int(a, b))
            });
        }
        if let (Term::Fault(site), other) | (other, Term::Fault(site)) = (then, otherwise)
            && let Some(items) = other.as_items()
        {
            let faults = vec![Term::Fault(*site); items.len()];
            let faults = if is_tuple(other) {
                Term::Tuple(faults.into())
            } else {
                Term::list(faults)
            };
            let (then, otherwise) = if let Term::Fault(_) = then {
                (&faults, other)
            } else {
                (other, &faults)
            };
            return self.either(condition, then, otherwise, span);
        }
        if let (Some(a), Some(b)) = (then.as_board(), otherwise.as_board())
            && (a.shape, a.rows, a.cols) == (b.shape, b.rows, b.cols)
        {
            return self.either_board(condition, &a, &b, span);
        }
        if let (Some(a), Some(b)) = (then.as_items(), otherwise.as_items())
            && a.len() == b.len()
            && is_tuple(then) == is_tuple(otherwise)
        {
            let items: Result<Vec<Term>> = a
                .iter()
                .zip(&b)
                .map(|(a, b)| self.either(condition, a, b, span))
                .collect();
            return Ok(if is_tuple(then) {
                tuple(items?)
            } else {
                Term::list(items?)
            });
        }
        if let (Some(a), Some(b), false) = (
            then.as_parts(),
            otherwise.as_parts(),
            is_tuple(then) || is_tuple(otherwise),
        ) {
            let first = a.iter().map(|part| guarded(condition, part));
            let second = b.iter().map(|part| guarded(&not(condition.clone()), part));
            return Ok(list(first.chain(second).collect()));
        }
        let (kind, other) = (then.kind(), otherwise.kind());
        let (message, help) = if kind == other {
            let help = "integers, booleans, players, lists and boards can";
            (format!("{kind} cannot depend on the position here"), help)
        } else {
            (
                format!("one branch is {kind}, the other {other}"),
                "give both branches the same kind",
            )
        };
        Err(malformed(
            &message,
            span,
            "the position decides between them",
            help,
        ))
    }

    fn either_board(
        &mut self,
        condition: &Bool,
        a: &BoardTerm,
        b: &BoardTerm,
        span: Span,
    ) -> Result<Term> {
        let cells: Result<Vec<Term>> = a
            .cells
            .iter()
            .zip(&b.cells)
            .map(|(a, b)| self.either(condition, a, b, span))
            .collect();
        let planes = match (&a.planes, &b.planes) {
            (Some(a), Some(b)) => Some(crate::player::PerPlayer::new(
                Plane::If(Box::new((
                    condition.clone(),
                    a.alice.clone(),
                    b.alice.clone(),
                ))),
                Plane::If(Box::new((condition.clone(), a.bob.clone(), b.bob.clone()))),
            )),
            _ => None,
        };
        Ok(Term::Board(Rc::new(BoardTerm {
            cells: cells?,
            planes,
            ..*a
        })))
    }

    /// Returns the element at an index, or the contents of a cell.
    pub(super) fn index(
        &mut self,
        base: &Term,
        indices: &[SpannedTerm],
        span: Span,
    ) -> Result<Term> {
        if let Some(fault) = first_fault(
            [base]
                .into_iter()
                .chain(indices.iter().map(|index| &index.term)),
        ) {
            return Ok(fault);
        }
        if let Some(board) = base.as_board() {
            let cell = self.cell_number(board.rows, board.cols, indices, span)?;
            return self.pick(&cell, &board.cells, span);
        }
        let (Some(items), [index]) = (base.as_items(), indices) else {
            let help = "inside rulesets only boards and lists of known length take an index that depends on the position";
            return Err(malformed(
                &format!("this is {}, not a list of known length", base.kind()),
                span,
                "indexed here",
                help,
            ));
        };
        let index = self.integer(index)?;
        let index = self.within(index, items.len(), "this list", indices[0].span);
        self.pick(&index, &items, span)
    }

    /// Returns the number of a cell given as `(row, column)` or as two numbers; the program faults
    /// outside of the board.
    pub(super) fn cell_number(
        &mut self,
        rows: usize,
        cols: usize,
        indices: &[SpannedTerm],
        span: Span,
    ) -> Result<Int> {
        if let Some(Term::Fault(site)) = first_fault(indices.iter().map(|index| &index.term)) {
            return Ok(Int::Fault(site));
        }
        let parts: Vec<SpannedTerm> = match indices {
            [cell] => cell
                .term
                .as_items()
                .unwrap_or_default()
                .into_iter()
                .map(|part| part.spanned(cell.span))
                .collect(),
            many => many.to_vec(),
        };
        let [row, col] = parts.as_slice() else {
            let help = "write `board[r, c]`, or `board[c]` with a cell c = (row, column)";
            return Err(malformed(
                "a cell of a board is a row and a column",
                span,
                "no cell",
                help,
            ));
        };
        let (row_number, col_number) = (self.integer(row)?, self.integer(col)?);
        let row_number = self.within(
            row_number,
            rows,
            &format!("the board's {rows} rows"),
            row.span,
        );
        let col_number = self.within(
            col_number,
            cols,
            &format!("the board's {cols} columns"),
            col.span,
        );
        let start = self.apply(
            IntOp::Multiply,
            row_number,
            Int::Constant(cols as i64),
            span,
        );
        Ok(self.apply(IntOp::Add, start, col_number, span))
    }

    /// Restricts an index to `0 .. count − 1`; the program faults outside of that range.
    pub(super) fn within(&mut self, index: Int, count: usize, what: &str, span: Span) -> Int {
        let inside = |n: i64| usize::try_from(n).is_ok_and(|n| n < count);
        match index {
            Int::Constant(n) if inside(n) => index,
            Int::Fault(_) => index,
            Int::Constant(_) => Int::Fault(self.index_site(what, count, span)),
            index => {
                let site = self.index_site(what, count, span);
                let numbers: Box<[Int]> = (0..count as i64).map(Int::Constant).collect();
                Int::Pick(Box::new(index), numbers, site)
            }
        }
    }

    fn pick(&mut self, index: &Int, items: &[Term], span: Span) -> Result<Term> {
        match index {
            Int::Constant(n) => {
                return Ok(items[usize::try_from(*n).expect("an index within the list")].clone());
            }
            Int::Fault(site) => return Ok(Term::Fault(*site)),
            _ => {}
        }
        let site = self.index_site("this", items.len(), span);
        let int = |programs: Vec<Int>| Int::Pick(Box::new(index.clone()), programs.into(), site);
        if let Some(numbers) = items.iter().map(Term::as_integer).collect() {
            return Ok(Term::Number(int(numbers), 1));
        }
        if let Some(cells) = items.iter().map(Term::as_cell).collect() {
            let players = items.iter().all(is_player);
            return Ok(if players {
                Term::Player(int(cells))
            } else {
                Term::Cell(int(cells))
            });
        }
        if let Some(truths) = items
            .iter()
            .map(Term::as_truth)
            .collect::<Option<Vec<Bool>>>()
        {
            return Ok(Term::Truth(Bool::Pick(
                Box::new(index.clone()),
                truths.into(),
                site,
            )));
        }
        self.pick_structure(index, items, span)
    }

    /// Selects among lists and tuples of equal length, part by part.
    fn pick_structure(&mut self, index: &Int, items: &[Term], span: Span) -> Result<Term> {
        let Some(rows) = items
            .iter()
            .map(Term::as_items)
            .collect::<Option<Vec<Vec<Term>>>>()
        else {
            return self.pick_by_choice(index, items, span);
        };
        let width = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != width)
            || items
                .iter()
                .any(|item| is_tuple(item) != is_tuple(&items[0]))
        {
            return self.pick_by_choice(index, items, span);
        }
        let column = |i: usize| rows.iter().map(|row| row[i].clone()).collect::<Vec<_>>();
        let parts: Result<Vec<Term>> = (0..width)
            .map(|i| self.pick(index, &column(i), span))
            .collect();
        Ok(if is_tuple(&items[0]) {
            tuple(parts?)
        } else {
            Term::list(parts?)
        })
    }

    fn pick_by_choice(&mut self, index: &Int, items: &[Term], span: Span) -> Result<Term> {
        let Some((last, others)) = items.split_last() else {
            return Ok(Term::Fault(self.index_site("this list", 0, span)));
        };
        let mut choice = last.clone();
        for (n, item) in others.iter().enumerate().rev() {
            let here = compare(ComparisonOp::Equal, index.clone(), Int::Constant(n as i64));
            choice = self.either(&here, item, &choice, span)?;
        }
        Ok(choice)
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

fn gcd(a: i64, b: i64) -> i64 {
    num_integer::gcd(a, b)
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

fn guarded(condition: &Bool, part: &Part<Term>) -> Part<Term> {
    let guard = Binder::Guard(condition.clone());
    Part {
        binders: std::iter::once(guard)
            .chain(part.binders.iter().cloned())
            .collect(),
        value: part.value.clone(),
    }
}

fn same_truth(a: Bool, b: Bool) -> Bool {
    match (a, b) {
        (Bool::Constant(true), other) | (other, Bool::Constant(true)) => other,
        (Bool::Constant(false), other) | (other, Bool::Constant(false)) => not(other),
        (a, b) => compare(
            ComparisonOp::Equal,
            Int::Truth(Box::new(a)),
            Int::Truth(Box::new(b)),
        ),
    }
}

/// Builds the test whether an element of a list of truths holds.
pub fn some(parts: Vec<Part<Bool>>) -> Bool {
    let guards = |binders: &[Binder]| -> Option<Vec<Bool>> {
        binders
            .iter()
            .map(|binder| match binder {
                Binder::Guard(guard) => Some(guard.clone()),
                Binder::Each(..) | Binder::Keep(..) => None,
            })
            .collect()
    };
    let tests: Option<Vec<Bool>> = parts
        .iter()
        .map(|part| {
            Some(all(guards(&part.binders)?
                .into_iter()
                .chain([part.value.clone()])))
        })
        .collect();
    tests.map_or_else(|| Bool::Some(parts.into()), any)
}
