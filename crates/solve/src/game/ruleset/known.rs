//! The test whether an expression is known before play: nothing in it depends on the position or
//! the mover. The evaluator computes such expressions once.

use super::scope::{Binding, VariableScope};
use crate::ir::{CheckedClause, CheckedExpr, CheckedExprKind, RulesField};

/// Returns `true` if the evaluator can compute an expression from the known variables of a scope.
pub fn is_known(expr: &CheckedExpr, scope: &VariableScope) -> bool {
    is_free(expr, Some(scope))
}

/// Returns `true` if an expression uses neither the state nor the mover, nor unknown variables of a
/// scope; inside a function there is none.
fn is_free(expr: &CheckedExpr, scope: Option<&VariableScope>) -> bool {
    match &*expr.kind {
        CheckedExprKind::Local(slot) => scope.is_none_or(|scope| match scope.get(*slot) {
            // An unbound variable is bound inside the expression itself.
            Binding::Unbound => true,
            Binding::Term(term) => matches!(term, super::term::Term::Known(_)),
            // Such an expression is specialised at each use, because it may depend on the mover
            // there.
            Binding::Delayed(..) => false,
        }),
        CheckedExprKind::Captured(_) => scope.is_none(),
        CheckedExprKind::State(_)
        | CheckedExprKind::Mover
        | CheckedExprKind::Opponent
        | CheckedExprKind::RuleLet(..) => false,
        CheckedExprKind::Closure(code, captured) => {
            is_free(&code.body, None) && captured.iter().all(|expr| is_free(expr, scope))
        }
        _ => all_parts(expr, &mut |part| is_free(part, scope)),
    }
}

/// Returns `true` if every immediate part of an expression passes a test.
fn all_parts(expr: &CheckedExpr, pass: &mut dyn FnMut(&CheckedExpr) -> bool) -> bool {
    match &*expr.kind {
        CheckedExprKind::Constant(_)
        | CheckedExprKind::Primitive(_)
        | CheckedExprKind::Local(_)
        | CheckedExprKind::Captured(_)
        | CheckedExprKind::Global(_)
        | CheckedExprKind::State(_)
        | CheckedExprKind::Mover
        | CheckedExprKind::Opponent => true,
        CheckedExprKind::Call { callee, arguments } => pass(callee) && arguments.iter().all(pass),
        CheckedExprKind::Builtin {
            arguments, named, ..
        } => arguments.iter().all(&mut *pass) && named.iter().all(|(_, argument)| pass(argument)),
        CheckedExprKind::Index(base, indices) => pass(base) && indices.iter().all(pass),
        CheckedExprKind::List(items) | CheckedExprKind::Tuple(items) => items.iter().all(pass),
        CheckedExprKind::RuleLet(_, arguments) | CheckedExprKind::Closure(_, arguments) => {
            arguments.iter().all(pass)
        }
        CheckedExprKind::Comprehension(element, clauses, _) => {
            all_clauses(clauses, pass) && pass(element)
        }
        CheckedExprKind::Braces(sides) => sides.alice.iter().chain(&sides.bob).all(pass),
        CheckedExprKind::Rules(fields) => fields.iter().filter_map(RulesField::number).all(pass),
        CheckedExprKind::Graph(items) => items.iter().all(|item| {
            all_clauses(&item.clauses, pass) && item.kind.parts().into_iter().all(&mut *pass)
        }),
        CheckedExprKind::Unary(_, operand) => pass(operand),
        CheckedExprKind::Binary(_, a, b)
        | CheckedExprKind::At(a, b)
        | CheckedExprKind::Using(a, b)
        | CheckedExprKind::Let(_, a, b) => pass(a) && pass(b),
        CheckedExprKind::After(game, plies) => {
            pass(game) && plies.iter().flat_map(|ply| ply.action.parts()).all(pass)
        }
        CheckedExprKind::If(a, b, c) => pass(a) && pass(b) && pass(c),
    }
}

fn all_clauses(clauses: &[CheckedClause], pass: &mut dyn FnMut(&CheckedExpr) -> bool) -> bool {
    clauses.iter().all(|clause| match clause {
        CheckedClause::For(_, iterable) => pass(iterable),
        CheckedClause::If(condition) => pass(condition),
    })
}
