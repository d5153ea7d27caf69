//! The test whether an expression is known before play: nothing in it depends on the position or
//! the mover. The evaluator computes such expressions once.

use super::scope::{Binding, VariableScope};
use crate::ir::{CheckedExpr, CheckedExprKind};

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
        _ => expr.all_parts(&mut |part| is_free(part, scope)),
    }
}
