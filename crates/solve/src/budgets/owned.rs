//! Vertices where a player moves without a bid, in the search for the chips needed not to lose.
//! They are treated like vertices where only one player has moves, as long as no tie status can
//! change hands there.

use crate::diagnostic::{Diagnostic, Result};
use crate::game::GameGraph;
use crate::rules::{FieldValue, Payment, Rules};

/// Refuses such vertices under rules with a tie status: a bid about nothing may move it, a turn
/// without a bid does not.
pub(super) fn refuse(graph: &GameGraph, rules: &Rules) -> Result<()> {
    if !graph.has_owners() || !rules.ties.has_status() {
        return Ok(());
    }
    let (name, value) = FieldValue::Ties(rules.ties).words();
    Err(Diagnostic::unsupported(format!("the chips that save Alice from losing against a budget under `{name}: {value}`, in a game with cycles where a player moves without a bid"))
    .note("a bid moves the tie status even where nothing else is at stake, and a turn without one does not")
    .help(match rules.pay {
        Payment::Richman => "ask for totals, `f(G, 0..n)`, or write `ties: ladies_first`",
        _ => "write `ties: ladies_first`",
    })
    .into())
}
