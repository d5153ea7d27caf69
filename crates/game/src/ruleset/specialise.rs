//! Specialisation of expressions. With the parameters, the loop variables and the mover known, the
//! evaluator computes everything that does not depend on the position once; users' functions and
//! `let` lines are unfolded at their uses; and the rest becomes a program. (This is partial
//! evaluation: Jones, Gomard & Sestoft, 1993.)

use std::rc::Rc;

use super::fault::{Cause, Site, Sites};
use super::known::is_known;
use super::operators::Comparisons;
use super::program::{Bool, Int, Part, Register};
use super::scope::{Binding, VariableScope};
use super::term::{SpannedTerm, Term, all, any, not};
use super::unfold::{delay, no_games};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir::{CheckedExpr, CheckedExprKind, RulesetTemplate, Value};
use crate::player::Player;
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, UnaryOp};
use crate::watch::{Asking, Context};

/// The greatest number of expressions that a ruleset may be specialised from.
const MAX_SIZE: usize = 5_000_000;

/// The number of expressions specialised between two checks.
const EXPRESSIONS: usize = 1 << 10;

/// The part of the evaluator's interface that rulesets need.
pub trait Constants {
    /// Returns the value of an expression that does not use the state and whose variables are in
    /// the frame.
    ///
    /// # Errors
    /// If it has none.
    fn evaluate(&mut self, expr: &CheckedExpr, frame: &mut Vec<Value>) -> Result<Value>;
}

/// Specialises the expressions of one ruleset.
pub struct Specialiser<'a> {
    /// The ruleset.
    pub template: &'a RulesetTemplate,
    /// The values of its parameters.
    pub parameters: &'a [Value],
    /// The contents of the state variables.
    pub state: Vec<Term>,
    /// The player that `me` stands for at present.
    pub mover: Option<Player>,
    /// The places where programs can fault.
    pub sites: Sites,
    /// The comparisons made so far.
    pub(super) comparisons: Comparisons,
    constants: &'a mut dyn Constants,
    asking: Asking<'a>,
    registers: Register,
    pub(super) depth: usize,
    size: usize,
}

impl<'a> Specialiser<'a> {
    /// Creates a specialiser without terms for the state variables.
    pub fn new(
        template: &'a RulesetTemplate,
        parameters: &'a [Value],
        constants: &'a mut dyn Constants,
        context: &'a Context<'a>,
    ) -> Self {
        Self {
            template,
            parameters,
            state: Vec::new(),
            mover: None,
            sites: Sites::default(),
            comparisons: Comparisons::default(),
            constants,
            asking: Asking::every(EXPRESSIONS, context),
            registers: 0,
            depth: 0,
            size: 0,
        }
    }

    /// Returns the number of registers that the programs use.
    pub fn registers(&self) -> usize {
        self.registers as usize
    }

    /// Returns the scope of the ruleset's lines, in which the parameters are bound.
    pub fn scope(&self) -> VariableScope {
        let mut scope = VariableScope::new(self.template.frame, Rc::new([]));
        for (slot, value) in self.parameters.iter().enumerate() {
            scope.set(slot, Binding::Term(Term::Known(value.clone())));
        }
        scope
    }

    /// Allocates a new register.
    pub fn register(&mut self, span: Span) -> Result<Register> {
        let register = self.registers;
        self.registers = register.checked_add(1).ok_or_else(|| too_large(span))?;
        Ok(register)
    }

    /// Returns the value of an expression that must be known before play.
    ///
    /// # Errors
    /// If it depends on the position, or cannot be evaluated.
    pub fn known(&mut self, expr: &CheckedExpr, scope: &mut VariableScope) -> Result<Value> {
        match self.expr(expr, scope)? {
            Term::Known(value) => Ok(value),
            _ => Err(malformed(
                "this must be known before play",
                expr.span,
                "depends on the position",
                "use parameters and constants only",
            )),
        }
    }

    /// Specialises an expression.
    ///
    /// # Errors
    /// If it is ill-typed, or not supported inside rulesets.
    pub fn expr(&mut self, expr: &CheckedExpr, scope: &mut VariableScope) -> Result<Term> {
        self.size += 1;
        // Unfolded functions and loops can make a short text arbitrarily long.
        if self.size > MAX_SIZE {
            return Err(too_large(expr.span));
        }
        self.asking.step(1)?;
        if let CheckedExprKind::Constant(value) = &*expr.kind {
            return Ok(Term::Known(value.clone()));
        }
        if let CheckedExprKind::Local(slot) = *expr.kind {
            return self.local(slot, scope, expr.span);
        }
        if is_known(expr, scope) {
            return self
                .constants
                .evaluate(expr, &mut scope.frame())
                .map(Term::Known);
        }
        // Users can nest expressions to any depth, so the stack grows where it has to.
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.unknown(expr, scope))
    }

    fn local(&mut self, slot: usize, scope: &VariableScope, span: Span) -> Result<Term> {
        match scope.get(slot).clone() {
            Binding::Term(term) => Ok(term),
            // A copy of the scope is used, because each use may bind variables of its own.
            Binding::Delayed(delayed) => self.expr(&delayed.0, &mut delayed.1.clone()),
            Binding::Unbound => Err(malformed(
                "this variable has no value here",
                span,
                "no value",
                "use it where it is bound",
            )),
        }
    }

    /// Specialises an expression that depends on the position or the mover.
    fn unknown(&mut self, expr: &CheckedExpr, scope: &mut VariableScope) -> Result<Term> {
        let span = expr.span;
        match &*expr.kind {
            CheckedExprKind::Constant(value) => Ok(Term::Known(value.clone())),
            CheckedExprKind::Local(slot) => self.local(*slot, scope, span),
            CheckedExprKind::Captured(index) => Ok(scope.captured[*index].clone()),
            CheckedExprKind::State(index) => Ok(self.state[*index].clone()),
            CheckedExprKind::Mover => self.player(span).map(known_player),
            CheckedExprKind::Opponent => {
                self.player(span).map(|player| known_player(player.other()))
            }
            CheckedExprKind::RuleLet(index, arguments) => {
                self.rule_let(*index, arguments, scope, span)
            }
            CheckedExprKind::Call { callee, arguments } => {
                self.call(callee, arguments, scope, span)
            }
            CheckedExprKind::Builtin {
                builtin,
                arguments,
                named,
                ..
            } => {
                let terms = self.spanned(arguments, scope)?;
                let is_known = |argument: &SpannedTerm| matches!(argument.term, Term::Known(_));
                if named.is_empty() && !terms.iter().all(is_known) {
                    return self.builtin(builtin.name, &terms, span);
                }
                self.fold(expr, scope)
            }
            CheckedExprKind::Index(base, indices) => {
                let base = self.expr(base, scope)?;
                let indices = self.spanned(indices, scope)?;
                self.index(&base, &indices, span)
            }
            CheckedExprKind::List(items) => {
                let items = self.exprs(items, scope)?;
                Ok(list(items.into_iter().map(Part::plain).collect()))
            }
            CheckedExprKind::Tuple(items) => self.exprs(items, scope).map(tuple),
            CheckedExprKind::Comprehension(element, clauses, _) => {
                self.comprehension(element, clauses, scope)
            }
            CheckedExprKind::Unary(op, operand) => self.unary(*op, operand, scope, span),
            CheckedExprKind::Binary(op, left, right) => self.binary(*op, left, right, scope, span),
            CheckedExprKind::If(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, scope, span)
            }
            CheckedExprKind::Let(slot, value, body) => {
                let term = self.expr(value, scope)?;
                let bound = delay(term, value, scope);
                self.with(bound, span, &mut |this, binding| {
                    let before = scope.set(*slot, binding);
                    let term = this.expr(body, scope);
                    scope.set(*slot, before);
                    term
                })
            }
            CheckedExprKind::Closure(code, captured) => {
                let captured = self.exprs(captured, scope)?;
                Ok(Term::Function(Rc::clone(code), captured.into()))
            }
            CheckedExprKind::Primitive(_)
            | CheckedExprKind::Global(_)
            | CheckedExprKind::Braces(_)
            | CheckedExprKind::Rules(_)
            | CheckedExprKind::Graph(_)
            | CheckedExprKind::At(..)
            | CheckedExprKind::After(..)
            | CheckedExprKind::Using(..) => Err(malformed(
                "games and rules cannot depend on the position",
                span,
                "depends on the position",
                "the lines of a ruleset compute with integers, booleans, players, lists and boards",
            )),
        }
    }

    fn player(&self, span: Span) -> Result<Player> {
        self.mover.ok_or_else(|| {
            let help = "use them in `move`, `win` and `draw` lines";
            malformed(
                "`me` and `other` have no meaning here",
                span,
                "nobody moves here",
                help,
            )
        })
    }

    /// Specialises several expressions.
    ///
    /// # Errors
    /// As [`expr`](Self::expr).
    pub fn exprs(&mut self, exprs: &[CheckedExpr], scope: &mut VariableScope) -> Result<Vec<Term>> {
        exprs.iter().map(|expr| self.expr(expr, scope)).collect()
    }

    /// Specialises several expressions and keeps their spans.
    ///
    /// # Errors
    /// As [`expr`](Self::expr).
    pub fn spanned(
        &mut self,
        exprs: &[CheckedExpr],
        scope: &mut VariableScope,
    ) -> Result<Vec<SpannedTerm>> {
        exprs
            .iter()
            .map(|expr| Ok(self.expr(expr, scope)?.spanned(expr.span)))
            .collect()
    }

    /// Computes a call of a builtin whose arguments have become known, with the evaluator.
    fn fold(&mut self, expr: &CheckedExpr, scope: &mut VariableScope) -> Result<Term> {
        // The arguments are constants in the copy only, since the same expression is specialised
        // again for other values of the loop variables.
        let mut folded = expr.clone();
        if let CheckedExprKind::Builtin {
            arguments, named, ..
        } = &mut *folded.kind
        {
            for argument in arguments
                .iter_mut()
                .chain(named.iter_mut().map(|(_, argument)| argument))
            {
                *argument.kind = CheckedExprKind::Constant(self.known(argument, scope)?);
            }
        }
        self.constants
            .evaluate(&folded, &mut scope.frame())
            .map(Term::Known)
    }

    /// Computes an operator on known operands, with the evaluator.
    pub(super) fn evaluate(&mut self, kind: CheckedExprKind, span: Span) -> Result<Term> {
        self.constants
            .evaluate(
                &CheckedExpr {
                    kind: Box::new(kind),
                    span,
                },
                &mut Vec::new(),
            )
            .map(Term::Known)
    }

    /// Converts a value to an operand of [`evaluate`](Self::evaluate).
    pub(super) fn operand(value: &Value, span: Span) -> CheckedExpr {
        CheckedExpr {
            kind: Box::new(CheckedExprKind::Constant(value.clone())),
            span,
        }
    }

    /// Specialises a condition.
    ///
    /// # Errors
    /// If it is neither true nor false.
    pub fn truth(&mut self, expr: &CheckedExpr, scope: &mut VariableScope) -> Result<Bool> {
        let term = self.expr(expr, scope)?;
        term.as_truth()
            .ok_or_else(|| wrong_kind("true or false", &term, expr.span))
    }

    /// Specialises a number, as a fraction with a known denominator.
    ///
    /// # Errors
    /// If it is no number.
    pub fn fraction(
        &mut self,
        expr: &CheckedExpr,
        scope: &mut VariableScope,
    ) -> Result<(Int, i64)> {
        let term = self.expr(expr, scope)?;
        term.as_number()
            .ok_or_else(|| wrong_kind("a number", &term, expr.span))
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        operand: &CheckedExpr,
        scope: &mut VariableScope,
        span: Span,
    ) -> Result<Term> {
        let term = self.expr(operand, scope)?;
        match (op, &term) {
            (_, Term::Fault(_)) => Ok(term),
            (_, Term::Known(value)) => self.evaluate(
                CheckedExprKind::Unary(op, Self::operand(value, operand.span)),
                span,
            ),
            (UnaryOp::Not, _) => match term.as_truth() {
                Some(truth) => Ok(Term::truth(not(truth))),
                None => Err(wrong_kind("true or false", &term, operand.span)),
            },
            (UnaryOp::Negate, _) => self.negate(&term, operand.span),
            // Only games have a conjugate, and a game that is not known would depend on the
            // position.
            (UnaryOp::Conjugate, _) => Err(no_games(span)),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &CheckedExpr,
        right: &CheckedExpr,
        scope: &mut VariableScope,
        span: Span,
    ) -> Result<Term> {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let decided = Bool::Constant(op == BinaryOp::Or);
                let first = self.truth(left, scope)?;
                if first == decided {
                    return Ok(Term::truth(decided));
                }
                // The right operand is specialised only now: where the left one decides, the right
                // one may have no meaning, such as an index outside of the board.
                let both = [first, self.truth(right, scope)?];
                Ok(Term::truth(if op == BinaryOp::And {
                    all(both)
                } else {
                    any(both)
                }))
            }
            _ => {
                let a = self.expr(left, scope)?.spanned(left.span);
                let b = self.expr(right, scope)?.spanned(right.span);
                self.operator(op, &a, &b, span)
            }
        }
    }

    fn conditional(
        &mut self,
        condition: &CheckedExpr,
        then: &CheckedExpr,
        otherwise: &CheckedExpr,
        scope: &mut VariableScope,
        span: Span,
    ) -> Result<Term> {
        match self.truth(condition, scope)? {
            // Only the branch taken is specialised, which is also what lets a recursion on
            // parameters end.
            Bool::Constant(true) => self.expr(then, scope),
            Bool::Constant(false) => self.expr(otherwise, scope),
            condition => {
                let (then, otherwise) = (self.expr(then, scope)?, self.expr(otherwise, scope)?);
                self.either(&condition, &then, &otherwise, span)
            }
        }
    }

    /// Adds a fault site where an index can be outside of a collection.
    pub fn index_site(&mut self, what: &str, count: usize, span: Span) -> Site {
        self.sites.add(span, Cause::Index(what.to_owned(), count))
    }
}

fn known_player(player: Player) -> Term {
    Term::Known(Value::Player(player))
}

/// Builds a tuple, which is known if its parts are.
pub fn tuple(items: Vec<Term>) -> Term {
    match known_all(items.iter()) {
        Some(values) => Term::Known(Value::tuple(values)),
        None => Term::Tuple(items.into()),
    }
}

/// Builds a list, which is known if its parts are.
pub fn list(parts: Vec<Part<Term>>) -> Term {
    let plain = parts.iter().all(|part| part.binders.is_empty());
    match known_all(parts.iter().map(|part| &part.value)) {
        Some(values) if plain => Term::Known(Value::list(values)),
        // A list with binders has a length that is not known, even if all of its elements are.
        _ => Term::List(parts.into()),
    }
}

fn known_all<'t>(terms: impl Iterator<Item = &'t Term>) -> Option<Vec<Value>> {
    terms
        .map(|term| match term {
            Term::Known(value) => Some(value.clone()),
            _ => None,
        })
        .collect()
}

/// Builds a diagnostic about a ruleset's source.
pub fn malformed(message: &str, span: Span, label: &str, help: &str) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadRuleset, message)
        .label(span, label)
        .help(help)
        .into()
}

/// Builds the diagnostic for a term of the wrong kind.
pub fn wrong_kind(needed: &str, found: &Term, span: Span) -> Box<Diagnostic> {
    let kind = found.kind();
    Diagnostic::new(
        Code::BadRuleset,
        format!("{needed} is needed here, but this is {kind}"),
    )
    .label(span, format!("this is {kind}"))
    .into()
}

fn too_large(span: Span) -> Box<Diagnostic> {
    let help = "make the board or the loops smaller";
    malformed(
        "the program of this ruleset becomes too large",
        span,
        "while specialising this",
        help,
    )
}
