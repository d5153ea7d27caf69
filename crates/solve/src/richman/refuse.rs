//! Errors for graphs that the theory does not cover, each with its reason and the nearest thing
//! that works.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::arena::has_one_walk;
use super::taxman::{Shares, compare_fractions};
use super::{Coin, DrawValue, Values};
use crate::diagnostic::{Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::onward::ranks;
use crate::player::Player;
use crate::proof::certify::certify;
use crate::rules::{Rules, Solver, Winner};
use crate::watch::{Context, watched};

/// Refuses graphs that a special algorithm does not cover.
pub(super) fn graph(graph: &GameGraph, solver: Solver) -> Result<()> {
    match solver {
        Solver::Acyclic if !graph.is_acyclic() => Err(Diagnostic::unsupported(
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
    let both = |node: NodeId| Player::both(|player| graph.successors(node, player));
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
        return Err(Diagnostic::unsupported(
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
        let [alice, bob] = Player::both(|player| graph.successors(node, player));
        if !has_one_walk(alice, bob) {
            return Err(Diagnostic::unsupported(
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

/// Returns, for each vertex, whether it may matter there that the winner of a bid must move; nothing
/// if it matters nowhere.
///
/// Let `m` be Alice's and `M` Bob's best value where both can move. If `m ≤ M` at all vertices that
/// can be reached, no player would rather lose a bid, and off the cycles the theory holds as it
/// stands. On a cycle, perhaps nobody gains by moving where `m = M`: then both bid nothing, and the
/// rule for ties decides whether play gets on. So a player who has enough for something better than
/// play without end must be able to get on alone, which the [`ranks`] tell. Where the players share a
/// move it is among the best of both if `m = M`, so that both can.
///
/// A player who can win at once has no use for other moves, so these reach nothing.
pub(super) fn doubtful(
    graph: &GameGraph,
    rules: &Rules,
    shares: &Shares,
    context: &Context<'_>,
) -> Result<Vec<bool>> {
    if rules.winner == Winner::Chooses {
        return Ok(Vec::new());
    }
    let graph = &shares.needed_moves(graph);
    let shared = |node: NodeId| {
        let [alice, bob] = Player::both(|player| graph.successors(node, player));
        alice.iter().any(|head| bob.contains(head))
    };
    // With income thresholds other than 0 and 1 change along a cycle by themselves, so that ranks
    // tell nothing there.
    let cycles = shares
        .has_income(graph)
        .then(|| graph.components().cycle_numbers());
    let wants_to_lose = |node: NodeId| {
        let best = Player::both(|player| shares.best(graph, node, player));
        let [Some(a), Some(b)] = best else {
            return false;
        };
        let is_certain = |share: &BigRational| share.is_zero() || share.is_one();
        let may_change = |cycles: &Vec<Option<u32>>| {
            cycles[node.index()].is_some() && !is_certain(&shares.share(a).high)
        };
        // Bounds that overlap count too, because they do not exclude zugzwang.
        let wants = match compare_fractions(&shares.share(a).high, &shares.share(b).low) {
            Ordering::Less => false,
            Ordering::Equal => cycles.as_ref().is_some_and(may_change),
            Ordering::Greater => true,
        };
        wants && !shared(node)
    };
    let mut doubtful = watched(graph.nodes(), context)
        .map(|node| Ok(wants_to_lose(node?)))
        .collect::<Result<Vec<bool>>>()?;
    if !graph.is_acyclic() {
        let forever = BigRational::new(DrawValue::new(rules.draws).halves().into(), 2.into());
        for player in Player::BOTH {
            let ranks = ranks(graph, shares, player, Winner::Moves, context)?;
            for node in watched(graph.nodes(), context) {
                let node = node?;
                let share = shares.share(node);
                let wants = match player {
                    Player::Alice => share.high < forever,
                    Player::Bob => share.low > forever,
                };
                doubtful[node.index()] |= wants && ranks[node.index()] == usize::MAX;
            }
        }
    }
    if !doubtful.contains(&true) {
        return Ok(Vec::new());
    }
    // Components come after those that they lead to.
    for (members, _) in graph.components().iter() {
        let leads_there = |node: &NodeId| {
            let mut heads = graph.all_successors(*node);
            doubtful[node.index()] || heads.any(|head| doubtful[head.index()])
        };
        if members.iter().any(leads_there) {
            members
                .iter()
                .for_each(|node| doubtful[node.index()] = true);
        }
    }
    Ok(doubtful)
}

/// Returns the error for a question about a vertex at which it may matter that the winner of a bid
/// must move.
pub(super) fn zugzwang() -> Box<Diagnostic> {
    Diagnostic::unsupported("`R` under `winner: moves` where a player may want to lose the bid")
        .note(
            "the game has zugzwang: a position where nobody gains by moving, so both bid nothing and the rule for ties decides",
        )
        .help("write `winner: chooses`, under which the bid's winner decides who moves")
        .into()
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
        Diagnostic::unsupported("values that their certificate does not prove")
            .note(format!(
                "the check fails at {} of {} positions: a mistake in this program",
                unproved.len(),
                graph.len()
            ))
            .help("please report the game")
            .into(),
    )
}
