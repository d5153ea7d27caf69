//! Errors for games that the reductions do not cover, each with its reason and a question that can
//! be asked instead.

use super::Endless;
use crate::diagnostic::{Code, Diagnostic};
use crate::game::NodeId;
use crate::rules::{FieldValue, Rules, Winner};

pub(super) fn not_one_mean() -> Box<Diagnostic> {
    Diagnostic::unsupported("a mean payoff that depends on where play begins, in a part of the graph that nobody can leave")
        .note("the share of the money that is needed there would depend on the position, and no reduction is known")
        .help("give both players the moves (`both x -> y`), or write `pay: richman`, under which it does not depend on the share")
        .into()
}

pub(super) fn one_can_stay(
    game: &Endless<'_>,
    position: NodeId,
    winner: Winner,
) -> Box<Diagnostic> {
    if winner == Winner::Moves {
        return Diagnostic::unsupported("infinite play where somebody may want to lose the bid")
            .note(format!(
                "position {} may be such a position, and play can come back to it",
                game.name(position)
            ))
            .help("write `winner: chooses`, under which the bid's winner decides who moves")
            .into();
    }
    Diagnostic::unsupported("moves of one player alone on cycles, where it matters who must leave them")
        .note(format!("position {} is such a position, and play can come back to it", game.name(position)))
        .note("under poorman and taxman bidding no reduction is known in general where the winner depends on the way in which play goes round")
        .help("give both players the same moves there (`both x -> y`), or write `pay: richman`")
        .into()
}

/// Returns the error for an improvement of strategies that does not end.
pub(super) fn not_found(game: &Endless<'_>, position: NodeId) -> Box<Diagnostic> {
    let what = "an objective of infinite play for which no best strategies are found";
    Diagnostic::unsupported(what)
        .note(format!("they are sought from position {} on", game.name(position)))
        .help("give both players the same moves (`both x -> y`), or ask about a smaller part of the game")
        .into()
}

/// Adds a note to an error that names a part of the graph.
pub(super) fn within(
    error: Diagnostic,
    game: &Endless<'_>,
    vertices: &[NodeId],
) -> Box<Diagnostic> {
    match vertices.iter().min() {
        Some(first) => error
            .note(format!(
                "in the part that holds position {}",
                game.name(*first)
            ))
            .into(),
        None => error.into(),
    }
}

pub(super) fn zugzwang() -> Box<Diagnostic> {
    Diagnostic::unsupported("infinite play with zugzwang, where somebody wants to lose the bid")
        .help("write `winner: chooses`, under which the bid's winner decides who moves")
        .into()
}

pub(super) fn all_pay() -> Box<Diagnostic> {
    Diagnostic::unsupported("plays of infinite games where both players pay")
        .note("optimal bids are then mixed, and the program does not compute how they are mixed")
        .help("ask for the mean payoff, `payoff(G, a, b)`, or write `using { pay: richman }`, `poorman` or `taxman(t)`")
        .into()
}

pub(super) fn own_moves(game: &Endless<'_>, position: NodeId) -> Box<Diagnostic> {
    Diagnostic::unsupported("mean payoffs where both players pay and have different moves")
        .note(format!("position {} is such a position", game.name(position)))
        .note("random turns are known to have the same mean only where both players have the same moves")
        .help("give both players the moves (`both x -> y`), or write `pay: richman`")
        .into()
}

pub(super) fn no_budgets() -> Box<Diagnostic> {
    Diagnostic::new(
        Code::WrongCount,
        "Alice's mean payoff depends on what both players have",
    )
    .note("it is independent of them only where the players pay each other in full")
    .help("write `payoff(G, a, b)` with both budgets")
    .into()
}

/// Returns the error for budgets of which no coin has the odds.
pub fn no_coin() -> Box<Diagnostic> {
    Diagnostic::new(Code::BadChips, "these budgets do not define a coin for random turns")
        .note("both players need some money, and Alice's share must be a fraction with a denominator of 2,000,000,000 at most")
        .help("give both players money, in a simple ratio, as in `payoff(G, 2, 1)`")
        .into()
}

pub(super) fn certain() -> Box<Diagnostic> {
    Diagnostic::unsupported("an objective of infinite play with a coin that always falls for one player")
        .note(
            "without chance it is a parity or mean-payoff game of perfect information, which needs another theory than a game of tosses: \
             a player may then stay for ever where any other coin would lead away",
        )
        .help("write a probability between 0 and 1, or ask without `objective`")
        .into()
}

pub(super) fn several_ends() -> Box<Diagnostic> {
    Diagnostic::unsupported("a single mean payoff where play can end")
        .note("whether play ends depends on what the players have")
        .help("ask about a position from which play goes on for ever, `payoff(G at x, a, b)`; `R(G) using { objective: mean_payoff }` is the share with which she gets a positive mean")
        .into()
}

pub(super) fn several_means(game: &Endless<'_>, start: NodeId) -> Box<Diagnostic> {
    Diagnostic::unsupported("a single mean payoff where play can stay for ever in several parts")
        .note(format!("which part play reaches from position {} depends on what the players have", game.name(start)))
        .help("ask about a position of one part, `payoff(G at x, a, b)`; `R(G) using { objective: mean_payoff }` is the share with which she gets a positive mean")
        .into()
}

pub(super) fn precision(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Precision(rules.precision.clone()).words();
    Diagnostic::unsupported(format!("`{name}: {value}` for this mean payoff"))
        .note("the share is found by bisection, with proved bounds of the mean in floats")
        .help("ask for less, as in `precision: 1e-9`")
        .into()
}
