//! Unrolling of `for` and `if` clauses where the elements are known before play; clauses that
//! depend on the position are kept as binders.

use super::program::{Binder, Bool, Int, Part};
use super::scope::{Binding, VariableScope};
use super::specialise::{Specialiser, list, malformed, tuple};
use super::term::Term;
use crate::diagnostic::Result;
use crate::ir::{CheckedClause, CheckedExpr};
use crate::source::Span;

/// The action applied to each instance of some clauses.
type InstanceAction<'f, S> = dyn FnMut(&mut S, &mut VariableScope, &[Binder]) -> Result<()> + 'f;

impl Specialiser<'_> {
    pub(super) fn comprehension(
        &mut self,
        element: &CheckedExpr,
        clauses: &[CheckedClause],
        scope: &mut VariableScope,
    ) -> Result<Term> {
        let mut parts = Vec::new();
        self.clauses(
            clauses,
            false,
            scope,
            &mut Vec::new(),
            &mut |this, scope, binders| {
                let value = this.expr(element, scope)?;
                parts.push(Part {
                    binders: binders.to_vec(),
                    value,
                });
                Ok(())
            },
        )?;
        Ok(list(parts))
    }

    /// Calls `each` for every known element that passes the clauses; clauses that depend on the
    /// position become binders. With `hold`, elements that depend on the position are evaluated
    /// once and stored in registers, so that later changes do not affect them.
    ///
    /// # Errors
    /// If a clause is ill-typed, or `each` fails.
    pub fn clauses(
        &mut self,
        clauses: &[CheckedClause],
        hold: bool,
        scope: &mut VariableScope,
        binders: &mut Vec<Binder>,
        each: &mut InstanceAction<'_, Self>,
    ) -> Result<()> {
        let Some((clause, clauses)) = clauses.split_first() else {
            return each(self, scope, binders);
        };
        match clause {
            CheckedClause::If(condition) => {
                let (guards, open) = match self.truth(condition, scope)? {
                    Bool::Constant(true) => (vec![], true),
                    // A condition that never holds produces no instances, so the rest is not
                    // compiled.
                    Bool::Constant(false) => (vec![], false),
                    guard => (vec![Binder::Guard(guard)], true),
                };
                let before = binders.len();
                binders.extend(guards);
                let done = if open {
                    self.clauses(clauses, hold, scope, binders, each)
                } else {
                    Ok(())
                };
                binders.truncate(before);
                done
            }
            CheckedClause::For(slots, iterable) => {
                let term = self.expr(iterable, scope)?;
                let parts = term.as_parts().ok_or_else(|| {
                    let message = format!("`for` goes through a list, but this is {}", term.kind());
                    malformed(
                        &message,
                        iterable.span,
                        "not a list",
                        "write a list or a range, as in `for i in 0 .. 2`",
                    )
                })?;
                for part in parts.iter() {
                    let before = binders.len();
                    binders.extend(part.binders.iter().cloned());
                    let value = match hold {
                        // The steps of a move change the state, and the elements are those before
                        // the first of them.
                        true => self.held(&part.value, binders, iterable.span)?,
                        false => part.value.clone(),
                    };
                    self.bind(slots, &value, scope, iterable.span)?;
                    self.clauses(clauses, hold, scope, binders, each)?;
                    slots
                        .iter()
                        // A name is known within its own clause only.
                        .for_each(|slot| drop(scope.set(*slot, Binding::Unbound)));
                    binders.truncate(before);
                }
                Ok(())
            }
        }
    }

    /// Returns the term with its scalars stored in registers.
    fn held(&mut self, term: &Term, binders: &mut Vec<Binder>, span: Span) -> Result<Term> {
        match term.as_scalar() {
            Some(Int::Constant(_) | Int::Register(_)) => return Ok(term.clone()),
            Some(program) => {
                let register = self.register(span)?;
                binders.push(Binder::Keep(register, program));
                return Ok(term
                    .in_register(register)
                    .expect("a scalar fits in a register"));
            }
            None => {}
        }
        match term {
            Term::Tuple(items) => {
                let items: Result<Vec<Term>> = items
                    .iter()
                    .map(|item| self.held(item, binders, span))
                    .collect();
                Ok(tuple(items?))
            }
            Term::List(_) | Term::Board(_) => {
                let help = "go through its indices instead";
                Err(malformed(
                    "a move cannot go through lists of lists or boards that depend on the position",
                    span,
                    "here",
                    help,
                ))
            }
            Term::Known(_)
            | Term::Number(..)
            | Term::Truth(_)
            | Term::Cell(_)
            | Term::Player(_)
            | Term::Function(..)
            | Term::Fault(_) => Ok(term.clone()),
        }
    }

    fn bind(
        &mut self,
        slots: &[usize],
        value: &Term,
        scope: &mut VariableScope,
        span: Span,
    ) -> Result<()> {
        if value.has_loop() {
            let help = "go through the inner list where it is made";
            let message =
                "lists whose lengths depend on the position cannot be elements of other lists here";
            return Err(malformed(message, span, "here", help));
        }
        if let [slot] = slots {
            scope.set(*slot, Binding::Term(value.clone()));
            return Ok(());
        }
        let items = match value {
            Term::Fault(_) => Some(vec![value.clone(); slots.len()]),
            _ => value.as_items().filter(|items| items.len() == slots.len()),
        };
        let items = items.ok_or_else(|| {
            let message = format!(
                "each element is taken apart into {} names, but one is {}",
                slots.len(),
                value.kind()
            );
            malformed(
                &message,
                span,
                "in here",
                "use as many names as the tuples have parts",
            )
        })?;
        for (slot, item) in slots.iter().zip(items) {
            scope.set(*slot, Binding::Term(item));
        }
        Ok(())
    }
}
