//! Errors for games that have no exact mixed bids under the rules asked for.

use super::solved::Standing;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::player::Ending;
use crate::rules::{Draws, FieldValue, MinimumBid, Rules, TieBreak};

/// Checks that the rules give every ending a value: a draw that can be reached needs one.
///
/// # Errors
/// E0602 if such a draw can be reached and counts as a win for neither player.
pub fn admit_draws(game: Standing<'_>, rules: &Rules, from: NodeId) -> Result<()> {
    if rules.draws != Draws::Neither {
        return Ok(());
    }
    let Standing { graph, standing } = game;
    let needed = graph.reached(from);
    // Play may stay at any position for ever where equal bids move nobody.
    let stands = |node: NodeId| {
        rules.ties == TieBreak::Nobody
            && standing.get(node.index()).copied().unwrap_or(Ending::Draw) == Ending::Draw
    };
    let drawn = |node: &NodeId| {
        needed[node.index()]
            && graph
                .ending(*node)
                .map_or(stands(*node), |ending| ending == Ending::Draw)
    };
    if !graph.nodes().any(|node| drawn(&node)) {
        return Ok(());
    }
    Err(Diagnostic::new(
        Code::RulesClash,
        "the game can end in a draw, and under `draws: neither` both players lose it",
    )
    .note("optimal mixed bids are defined only where one player wins what the other loses")
    .help("say what a draw is worth to Alice: `draws: half`, `draws: alice` or `draws: bob`")
    .into())
}

/// Checks that there is a bid wherever positions come back, and everywhere if equal bids move
/// nobody.
pub(super) fn turns_without_bids(graph: &GameGraph, rules: &Rules) -> Result<()> {
    if rules.ties == TieBreak::Nobody && graph.has_owners() {
        let what = "`ties: nobody` in a game in which a player moves without a bid";
        return Err(Diagnostic::unsupported(what)
            .note("play without chips stands still where there are bids, and goes on where there are none")
            .help("leave out the lines `turn …`, or write another rule for ties")
            .into());
    }
    let cyclic = graph.components().iter().filter(|(_, cyclic)| *cyclic);
    if cyclic
        .flat_map(|(members, _)| members)
        .all(|node| graph.owner(*node).is_none())
    {
        return Ok(());
    }
    Err(Diagnostic::unsupported(
        "mixed bids where positions come back at which a player moves without a bid",
    )
    .note("the bounds on cycles are proved by the bids of every turn")
    .help("truncate the game, `G[n]`, or give both players the moves there")
    .into())
}

/// Checks that the values of a graph are rationals that can be computed.
pub(super) fn exact_is_possible(graph: &GameGraph, rules: &Rules) -> Result<()> {
    let (name, value) = FieldValue::Solver(rules.solver).words();
    if rules.ties == TieBreak::Nobody {
        // Least bids use up chips in every turn, so that values follow from fewer chips and stay
        // rational.
        if rules.minimum_bid > MinimumBid::default() {
            return Ok(());
        }
        return Err(Diagnostic::new(Code::RulesClash, format!("`{name}: {value}` needs least bids where equal bids move nobody"))
            .note("both can bid nothing for ever; the value is then the solution of an equation, which may be irrational, and is enclosed between proved bounds")
            .help("write `minimum_bid: 1`, or `solver: auto` for the bounds")
            .into());
    }
    if graph.is_acyclic() {
        return Ok(());
    }
    Err(Diagnostic::new(Code::RulesClash, format!("`{name}: {value}` needs a game in which no position comes back"))
        .note("where positions come back the value is a limit; it may be irrational, and is enclosed between proved bounds")
        .help("write `solver: iteration` for the bounds, or truncate the game: `G[n]`")
        .into())
}
