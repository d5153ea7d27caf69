//! Unfolding of users' functions and `let` lines to their bodies, with the arguments substituted
//! for the parameters.

use std::rc::Rc;

use super::program::Int;
use super::scope::{Binding, VariableScope};
use super::specialise::{Specialiser, malformed};
use super::term::Term;
use crate::diagnostic::{Diagnostic, Result, counted};
use crate::ir::{CheckedExpr, CheckedExprKind, Function, FunctionCode, Value};
use crate::source::Span;

/// The greatest depth of unfolded function calls.
const MAX_DEPTH: usize = 1_000;

impl Specialiser<'_> {
    /// Specialises `body` with a variable bound; a value that takes work to compute is stored in a
    /// register.
    pub(super) fn with(
        &mut self,
        binding: Binding,
        span: Span,
        body: &mut dyn FnMut(&mut Self, Binding) -> Result<Term>,
    ) -> Result<Term> {
        let Binding::Term(term) = &binding else {
            return body(self, binding);
        };
        let program = match term.as_scalar() {
            // These are as cheap to evaluate as a register is to read; a structure fits in no
            // register.
            None | Some(Int::Constant(_) | Int::Register(_) | Int::Scalar(_)) => {
                return body(self, binding);
            }
            Some(program) => program,
        };
        let register = self.register(span)?;
        // Each use of the variable would otherwise contain the whole program of its value, and
        // nested definitions would grow exponentially.
        let held = term
            .in_register(register)
            .expect("a scalar fits in a register");
        Ok(body(self, Binding::Term(held))?.after(register, &program))
    }

    pub(super) fn rule_let(
        &mut self,
        index: usize,
        arguments: &[CheckedExpr],
        scope: &mut VariableScope,
        span: Span,
    ) -> Result<Term> {
        let template = self.template;
        let line = &template.lets[index];
        let bindings = self.bindings(arguments, scope)?;
        let inner = self.scope();
        self.unfold(
            &line.body,
            &line.parameters,
            bindings,
            inner,
            span,
            &line.name,
        )
    }

    fn bindings(
        &mut self,
        arguments: &[CheckedExpr],
        scope: &mut VariableScope,
    ) -> Result<Vec<Binding>> {
        arguments
            .iter()
            .map(|argument| {
                let term = self.expr(argument, scope)?;
                Ok(delay(term, argument, scope))
            })
            .collect()
    }

    pub(super) fn call(
        &mut self,
        callee: &CheckedExpr,
        arguments: &[CheckedExpr],
        scope: &mut VariableScope,
        span: Span,
    ) -> Result<Term> {
        let called = self.expr(callee, scope)?;
        let (code, captured) = match &called {
            Term::Function(code, captured) => (Rc::clone(code), Rc::clone(captured)),
            Term::Known(Value::Function(function)) => match &**function {
                Function::Closure { code, captured, .. } => (
                    Rc::clone(code),
                    captured.iter().cloned().map(Term::Known).collect(),
                ),
                Function::Family { .. } => return Err(no_games(span)),
            },
            Term::Known(Value::Game(_)) => return Err(no_games(span)),
            other => {
                let message = format!("only functions can be called, but this is {}", other.kind());
                return Err(malformed(
                    &message,
                    callee.span,
                    "not a function",
                    "leave out the parentheses",
                ));
            }
        };
        if code.parameters.len() != arguments.len() {
            return Err(wrong_count(&code, arguments.len(), span));
        }
        let bindings = self.bindings(arguments, scope)?;
        let known = |binding: &Binding| match binding {
            Binding::Term(Term::Known(value)) => Some(Self::operand(value, span)),
            Binding::Unbound | Binding::Term(_) | Binding::Delayed(_) => None,
        };
        // A call that depends on nothing at the position needs no program, so it is left to the
        // evaluator.
        if let (Term::Known(function), Some(arguments)) =
            (&called, bindings.iter().map(known).collect())
        {
            let callee = Self::operand(function, callee.span);
            return self.evaluate(CheckedExprKind::Call { callee, arguments }, span);
        }
        let mut inner = VariableScope::new(code.frame, captured);
        // A recursive function finds itself in the first variable of its frame.
        let first = usize::from(code.holds_itself);
        if code.holds_itself {
            inner.set(0, Binding::Term(called));
        }
        let slots: Vec<usize> = (first..first + code.parameters.len()).collect();
        self.unfold(&code.body, &slots, bindings, inner, span, &code.name)
    }

    /// Specialises the body of a function with its parameters bound.
    fn unfold(
        &mut self,
        body: &CheckedExpr,
        slots: &[usize],
        mut bindings: Vec<Binding>,
        mut scope: VariableScope,
        span: Span,
        name: &str,
    ) -> Result<Term> {
        if let (Some(binding), [slot, slots @ ..]) =
            ((!bindings.is_empty()).then(|| bindings.remove(0)), slots)
        {
            return self.with(binding, span, &mut |this, binding| {
                // The closure may be called more than once, so that it must not consume the scope.
                let mut scope = scope.clone();
                scope.set(*slot, binding);
                this.unfold(body, slots, bindings.clone(), scope, span, name)
            });
        }
        if self.depth == MAX_DEPTH {
            let message = format!(
                "`{name}` calls itself without end, or with arguments that depend on the position"
            );
            let help = "inside rulesets a recursion must end by parameters and constants, not by the position";
            return Err(malformed(&message, span, "called here", help));
        }
        // Only calls are counted: the depth of other expressions is bounded by the source.
        self.depth += 1;
        let term = self.expr(body, &mut scope);
        self.depth -= 1;
        term
    }
}

/// Converts a term to the binding of a variable; the expression of a term with loops is specialised
/// anew at each use.
pub(super) fn delay(term: Term, expr: &CheckedExpr, scope: &VariableScope) -> Binding {
    // A loop owns its variable; two copies in one program would overwrite each other's variable.
    if term.has_loop() {
        Binding::Delayed(Rc::new((expr.clone(), scope.clone())))
    } else {
        Binding::Term(term)
    }
}

fn wrong_count(code: &FunctionCode, found: usize, span: Span) -> Box<Diagnostic> {
    let expected = code.parameters.len();
    let message = format!(
        "`{}` is called with {}, but takes {expected}",
        code.name,
        counted(found, "argument")
    );
    let heading = format!("write `{}({})`", code.name, code.parameters.join(", "));
    malformed(&message, span, "called here", &heading)
}

pub(super) fn no_games(span: Span) -> Box<Diagnostic> {
    let help = "the lines of a ruleset compute with integers, booleans, players, lists and boards";
    malformed("games cannot depend on the position", span, "a game", help)
}
