//! Which expressions are known before play: those in which nothing depends on the position or the
//! mover. The evaluator computes them once and for all.

use super::scope::{Binding, Scope};
use crate::ir::{Action, Clause, Expr, ExprKind, GraphItemKind, Mark, RulesField};

/// Whether the evaluator can compute an expression from the known variables of a scope.
pub fn is_known(expr: &Expr, scope: &Scope) -> bool {
    match &*expr.kind {
        ExprKind::Local(slot) => match scope.get(*slot) {
            // Not bound outside: a variable of the expression itself.
            Binding::Unbound => true,
            Binding::Term(term) => matches!(term, super::term::Term::Known(_)),
            Binding::Delayed(..) => false,
        },
        ExprKind::Captured(_)
        | ExprKind::State(_)
        | ExprKind::Mover
        | ExprKind::Opponent
        | ExprKind::RuleLet(..) => false,
        ExprKind::Closure(code, captured) => {
            !uses_state(&code.body) && captured.iter().all(|expr| is_known(expr, scope))
        }
        _ => all_parts(expr, &mut |part| is_known(part, scope)),
    }
}

/// Whether a function's body uses the state or the mover.
fn uses_state(body: &Expr) -> bool {
    match &*body.kind {
        ExprKind::State(_) | ExprKind::Mover | ExprKind::Opponent | ExprKind::RuleLet(..) => true,
        ExprKind::Closure(code, captured) => {
            uses_state(&code.body) || captured.iter().any(uses_state)
        }
        _ => !all_parts(body, &mut |part| !uses_state(part)),
    }
}

/// Whether every immediate part of an expression passes.
fn all_parts(expr: &Expr, pass: &mut dyn FnMut(&Expr) -> bool) -> bool {
    match &*expr.kind {
        ExprKind::Constant(_)
        | ExprKind::Primitive(_)
        | ExprKind::Local(_)
        | ExprKind::Captured(_)
        | ExprKind::Global(_)
        | ExprKind::State(_)
        | ExprKind::Mover
        | ExprKind::Opponent => true,
        ExprKind::Call { callee, arguments } => pass(callee) && arguments.iter().all(pass),
        ExprKind::Builtin {
            arguments, named, ..
        } => arguments.iter().all(&mut *pass) && named.iter().all(|(_, argument)| pass(argument)),
        ExprKind::Index(base, indices) => pass(base) && indices.iter().all(pass),
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().all(pass),
        ExprKind::RuleLet(_, arguments) | ExprKind::Closure(_, arguments) => {
            arguments.iter().all(pass)
        }
        ExprKind::Comprehension(element, clauses, _) => all_clauses(clauses, pass) && pass(element),
        ExprKind::Braces(sides) => sides.alice.iter().chain(&sides.bob).all(pass),
        ExprKind::Rules(fields) => fields.iter().all(|field| match field {
            RulesField::Known(_) => true,
            RulesField::Number(_, number) => pass(number),
        }),
        ExprKind::Graph(items) => items.iter().all(|item| {
            all_clauses(&item.clauses, pass)
                && match &item.kind {
                    GraphItemKind::Start(start) => pass(start),
                    GraphItemKind::Edges {
                        from,
                        to,
                        score,
                        weight,
                        ..
                    } => {
                        pass(from)
                            && to.iter().all(&mut *pass)
                            && score.iter().chain(weight).all(&mut *pass)
                    }
                    GraphItemKind::File { .. } => true,
                    GraphItemKind::Ending(_, vertices) => vertices.iter().all(&mut *pass),
                    GraphItemKind::Mark(mark, vertices) => {
                        let number = match mark {
                            Mark::Turn(_) | Mark::Accepting => None,
                            Mark::Priority(number) | Mark::Weight(number) => Some(number),
                        };
                        number.into_iter().chain(vertices).all(&mut *pass)
                    }
                    GraphItemKind::ScoredEnding(score, vertices) => {
                        pass(score) && vertices.iter().all(&mut *pass)
                    }
                }
        }),
        ExprKind::Unary(_, operand) => pass(operand),
        ExprKind::Binary(_, a, b)
        | ExprKind::At(a, b)
        | ExprKind::Using(a, b)
        | ExprKind::Let(_, a, b) => pass(a) && pass(b),
        ExprKind::After(game, plies) => {
            pass(game)
                && plies.iter().all(|ply| match &ply.action {
                    Action::Named(_, arguments) => arguments.iter().all(&mut *pass),
                    Action::Vertex(vertex) => pass(vertex),
                })
        }
        ExprKind::If(a, b, c) => pass(a) && pass(b) && pass(c),
    }
}

fn all_clauses(clauses: &[Clause], pass: &mut dyn FnMut(&Expr) -> bool) -> bool {
    clauses.iter().all(|clause| match clause {
        Clause::For(_, iterable) => pass(iterable),
        Clause::If(condition) => pass(condition),
    })
}
