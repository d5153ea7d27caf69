//! Errors for graphs that the theory does not cover, each with its reason and the nearest thing
//! that works.

use super::{Coin, Values};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::proof::certify::certify;
use crate::rules::{Rules, Solver, Winner};
use crate::watch::{Context, Stop};

/// Refuses graphs that a special algorithm does not cover.
pub(super) fn graph(graph: &GameGraph, solver: Solver) -> Result<()> {
    match solver {
        Solver::Acyclic if !graph.is_acyclic() => Err(not_supported(
            "`solver: acyclic` needs a game in which no position comes back",
        )
        .note("the positions that can come back have equations that refer to themselves")
        .help("write `solver: auto`, or truncate the game: `G[n]`")
        .into()),
        Solver::PathSlopes => undirected(graph),
        Solver::TwoMoves => two_moves(graph),
        Solver::Auto
        | Solver::Acyclic
        | Solver::StrategyImprovement
        | Solver::Iteration
        | Solver::Exact
        | Solver::Toeplitz
        | Solver::LinearProgram
        | Solver::Search => Ok(()),
    }
}

/// Checks that both players have the same moves, each of which can be taken back or ends the game.
fn undirected(graph: &GameGraph) -> Result<()> {
    let both = |node: NodeId| Player::BOTH.map(|player| graph.successors(node, player));
    for node in graph.nodes() {
        let [alice, bob] = both(node);
        let one_way =
            // Looking at Alice's moves suffices: the loop requires that Bob has the same ones.
            |head: &&NodeId| graph.ending(**head).is_none() && !both(**head)[0].contains(&node);
        let why = if alice != bob {
            "one player has a move that the other does not have".to_owned()
        } else if let Some(head) = alice.iter().find(one_way) {
            format!("no move leads back from position {} to it", head.index())
        } else {
            continue;
        };
        return Err(not_supported(
            "`solver: path_slopes` for a game whose graph is not undirected",
        )
        .note(format!(
            "from position {} of the game, as `positions(G)` counts from 0, {why}",
            node.index()
        ))
        .help("write `solver: auto`, or give every edge to both, there and back: `both x <-> y`")
        .into());
    }
    Ok(())
}

/// Checks that no player has a choice of moves: at most two moves, which both players have, or one
/// of each.
fn two_moves(graph: &GameGraph) -> Result<()> {
    for node in graph.nodes() {
        let [alice, bob] = Player::BOTH.map(|player| graph.successors(node, player));
        if alice.len().max(bob.len()) > 1 && (alice != bob || alice.len() > 2) {
            return Err(not_supported(
                "`solver: two_moves` for a game with more than two moves from a position",
            )
            .note(format!(
                "position {} of the game is one, as `positions(G)` counts from 0",
                node.index()
            ))
            .help("write `solver: auto`")
            .into());
        }
    }
    Ok(())
}

/// Refuses `winner: moves` where it may matter.
///
/// Let `m` be Alice's and `M` Bob's best value where both can move. If `m ≤ M` for every
/// truncation, no player would rather lose a bid, and the theory holds as it stands. This is so if
/// they have a move in common. If `m < M` in the limit, it is so from some truncation on (on a
/// cycle, for discounted play with little discount, whose strategies are as good); off the cycles
/// `m = M` is also sufficient, because there is no limit to take.
pub(super) fn zugzwang(
    graph: &GameGraph,
    rules: &Rules,
    values: &Values,
    context: &Context<'_>,
) -> Result<()> {
    match rules.winner {
        Winner::Chooses => return Ok(()),
        Winner::Moves => {}
    }
    let cycles = (!graph.is_acyclic()).then(|| graph.components().cycle_numbers());
    let is_on_cycle = |node: NodeId| {
        let cycles = cycles.as_ref();
        cycles.is_some_and(|cycles| cycles[node.index()].is_some())
    };
    if !any_of(graph.nodes(), context, |node| {
        wants_to_lose(graph, values, node, is_on_cycle(node))
    })? {
        return Ok(());
    }
    Err(not_supported("`R` under `winner: moves` where a player may want to lose the bid")
        .note(
            "the game has zugzwang: a position where nobody gains by moving, so both bid nothing and the rule for ties decides",
        )
        .help("write `winner: chooses`, under which the bid's winner decides who moves")
        .into())
}

/// Returns whether a condition holds of any of the items, with a check before each, as each may
/// take long.
pub(super) fn any_of<T>(
    items: impl Iterator<Item = T>,
    context: &Context<'_>,
    is_so: impl Fn(T) -> bool,
) -> std::result::Result<bool, Stop> {
    for item in items {
        context.check()?;
        if is_so(item) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn wants_to_lose(graph: &GameGraph, values: &Values, node: NodeId, cyclic: bool) -> bool {
    let [alice, bob] = Player::BOTH.map(|player| graph.successors(node, player));
    let best = Player::BOTH.map(|player| values.best(graph, node, player));
    let [Some(m), Some(greatest)] = best else {
        return false;
    };
    let order = values.compare(m, greatest);
    // A common move forces m ≤ M in every truncation, so equality in the limit is harmless there.
    order.is_gt() || (cyclic && order.is_eq() && !alice.iter().any(|head| bob.contains(head)))
}

/// Refuses values that their certificate does not prove: an error of the program must not become an
/// answer.
pub(super) fn unproved(
    graph: &GameGraph,
    rules: &Rules,
    coin: Coin,
    values: Values,
    context: &Context<'_>,
) -> Result<Values> {
    let unproved = certify(graph, rules, coin, &values, context)?;
    if unproved.is_empty() {
        return Ok(values);
    }
    Err(
        not_supported("values that their certificate does not prove")
            .note(format!(
                "the check fails at {} of {} positions: a mistake in this program",
                unproved.len(),
                graph.len()
            ))
            .help("please report the game")
            .into(),
    )
}

fn not_supported(what: impl Into<String>) -> Diagnostic {
    Diagnostic::new(
        Code::NotSupported,
        format!("not supported: {}", what.into()),
    )
}
