//! Comparison of terms, and the choice between two of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{is_player, is_tuple};
use crate::diagnostic::{Diagnostic, Result};
use crate::player::PerPlayer;
use crate::ruleset::program::{Binder, Bool, ComparisonOp, Int, Part, Plane};
use crate::ruleset::specialise::{Specialiser, list, malformed, tuple};
use crate::ruleset::term::{BoardTerm, SpannedTerm, Term, all, any, compare, not};
use crate::source::Span;

/// The comparisons of one ruleset, by their places. A line is specialised for several players and
/// values, so one place may compare terms of many kinds.
#[derive(Debug, Default)]
pub(in crate::ruleset) struct Comparisons(BTreeMap<Span, Option<[Term; 2]>>);

impl Comparisons {
    /// Notes that two terms are compared. Known values are of kinds that may be meant to differ.
    fn note(&mut self, a: &Term, b: &Term, span: Span) {
        let are_known = matches!((a, b), (Term::Known(_), Term::Known(_)));
        if !are_known && a.kinds().never_equal(b.kinds()) {
            self.0
                .entry(span)
                .or_insert_with(|| Some([a.clone(), b.clone()]));
        } else {
            self.0.insert(span, None);
        }
    }

    /// Returns a warning for each place that only ever compares terms of different kinds.
    pub(in crate::ruleset) fn warnings(&self) -> Vec<Diagnostic> {
        let never_equal = self.0.iter().filter_map(|(span, terms)| {
            let [a, b] = terms.as_ref()?;
            let help = match (a, b) {
                (Term::Cell(_), _) | (_, Term::Cell(_)) => "a cell holds `empty`, `alice` or `bob`",
                _ => "compare values of one type",
            };
            Some(Diagnostic::never_equal(a.kind(), b.kind(), *span).help(help))
        });
        never_equal.collect()
    }
}

impl Specialiser<'_> {
    pub(super) fn ordered(
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
    pub(in crate::ruleset) fn equal(&mut self, a: &Term, b: &Term, span: Span) -> Result<Bool> {
        if let (Term::Fault(site), _) | (_, Term::Fault(site)) = (a, b) {
            return Ok(Bool::Fault(*site));
        }
        self.comparisons.note(a, b, span);
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
        // A tuple is never equal to a list, even with the same elements.
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

    pub(super) fn member(
        &mut self,
        item: &SpannedTerm,
        list: &SpannedTerm,
        span: Span,
    ) -> Result<Term> {
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
    pub(in crate::ruleset) fn either(
        &mut self,
        condition: &Bool,
        then: &Term,
        otherwise: &Term,
        span: Span,
    ) -> Result<Term> {
        let int = |a, b| Int::If(Box::new((condition.clone(), a, b)));
        // The program faults in either branch.
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
            // A branch that faults takes the shape of the other one, so that both can be combined
            // by parts.
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
            // Lists of different lengths are joined to one, whose elements appear under their own
            // condition.
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
            (Some(a), Some(b)) => Some(PerPlayer::new(
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
    // Without loops the test is a plain disjunction, which later stages understand better.
    tests.map_or_else(|| Bool::Some(parts.into()), any)
}
