//! Warns of endings that never decide a game, because an ending above them applies whenever they
//! would.

use crate::check::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, RuleItem, RuleItemKind};
use crate::syntax::print_expr;

/// A line that ends the game where a condition holds.
struct EndingClause {
    span: Span,
    /// `true` if the condition is evaluated with each player as `me`.
    asks_both: bool,
    /// The conjuncts of the condition, all of which must hold, as they would be printed.
    needs: Vec<String>,
}

impl Checker<'_> {
    /// Warns of endings that can never decide a game.
    pub(super) fn report_dead_endings(&mut self, items: &[RuleItem]) {
        let endings: Vec<EndingClause> = items.iter().filter_map(EndingClause::of).collect();
        for (place, ending) in endings.iter().enumerate() {
            if let Some(first) = endings[..place]
                .iter()
                .find(|first| first.decides_before(ending))
            {
                self.report(never_reached(ending.span, first.span));
            }
        }
    }
}

impl EndingClause {
    fn of(item: &RuleItem) -> Option<Self> {
        let (condition, asks_both) = match &item.kind {
            RuleItemKind::Win(who, condition) => (
                condition,
                matches!(&*who.kind, ExprKind::Name(name) if name == "me"),
            ),
            RuleItemKind::Draw(condition) | RuleItemKind::Score(_, condition) => (condition, false),
            _ => return None,
        };
        let mut needs = Vec::new();
        conjuncts(condition, &mut needs);
        Some(Self {
            span: item.span,
            asks_both,
            needs,
        })
    }

    /// Returns `true` if this ending, which stands further up, applies wherever the other's
    /// condition holds: each of its conjuncts is also one of the other's. A condition may mention
    /// `me`, so both have to be evaluated for the same players.
    fn decides_before(&self, other: &Self) -> bool {
        self.asks_both == other.asks_both
            && self.needs.iter().all(|need| other.needs.contains(need))
    }
}

fn conjuncts(condition: &Expr, needs: &mut Vec<String>) {
    match &*condition.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            conjuncts(left, needs);
            conjuncts(right, needs);
        }
        ExprKind::Paren(inner) => conjuncts(inner, needs),
        // A condition that always holds needs nothing, so it decides before every other.
        ExprKind::Bool(true) => {}
        // Printed forms are compared, which do not depend on spaces and line breaks.
        _ => needs.push(print_expr(condition)),
    }
}

fn never_reached(ending: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        Code::DeadEnding,
        "this line never ends the game: a line above always does so first",
    )
    .label(ending, "holds only where the line above holds")
    .label(first, "holds whenever the line below holds")
    .help(
        "endings are tested from top to bottom: put the narrower condition first, or remove a line",
    )
}
