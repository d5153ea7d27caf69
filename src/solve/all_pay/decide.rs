//! What the winner of a bid does: who moves, and where to. It depends on the chips that both have after it.

use super::onward::movers;
use super::{Found, Payoff, Solved, Table};
use crate::game::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Rules, settle};
use crate::solve::decision::Choice;

/// What the winner of a bid does with these purses left: moves, if nothing else is better.
pub fn choice(
    solved: &Solved,
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    left: &Purses,
    winner: Player,
) -> Choice {
    match solved {
        Solved::Exact(table) => best(table, graph, rules, node, left, winner),
        Solved::Certified(table) => best(table, graph, rules, node, left, winner),
    }
}

fn best<N: Payoff>(
    table: &Table<N>,
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    left: &Purses,
    winner: Player,
) -> Choice {
    let value = |head: NodeId| table.value(head, left).expect("successors are solved");
    let mut options = movers(graph, rules, node, winner);
    options.sort_by_key(|&mover| mover != winner);
    let choices = options.into_iter().map(|mover| {
        let heads = graph.successors(node, mover).iter().copied();
        let to = heads.reduce(|best, head| if value(head).compare(value(best), mover).is_gt() { head } else { best });
        Choice { mover, to: to.expect("who is to move can move") }
    });
    let best =
        choices.reduce(|best, next| if value(next.to).compare(value(best.to), winner).is_gt() { next } else { best });
    best.expect("somebody can move at a vertex that is no ending")
}

/// A player's best move with these purses left.
pub fn destination(solved: &Solved, graph: &GameGraph, node: NodeId, left: &Purses, mover: Player) -> NodeId {
    let better = |a: NodeId, b: NodeId| match (solved.value(a, left), solved.value(b, left)) {
        (Found::Exact(a), Found::Exact(b)) => a.compare(b, mover).is_gt(),
        (Found::Certified(a), Found::Certified(b)) => a.compare(b, mover).is_gt(),
        (Found::Exact(_), Found::Certified(_)) | (Found::Certified(_), Found::Exact(_)) => false,
    };
    let heads = graph.successors(node, mover).iter().copied();
    heads.reduce(|best, head| if better(head, best) { head } else { best }).expect("who is to move can move")
}

/// Whom a player who decides a tie lets win it, when both have bid so much.
pub fn preferred_winner(
    solved: &Solved,
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    purses: &Purses,
    (player, bid): (Player, u64),
) -> Player {
    let outcome = |winner: Player| {
        let left = settle(rules, purses, PerPlayer::new(bid, bid), winner);
        (choice(solved, graph, rules, node, &left, winner).to, left)
    };
    let [(use_to, use_left), (keep_to, keep_left)] = [outcome(player), outcome(player.other())];
    let keeping_is_better = match (solved.value(keep_to, &keep_left), solved.value(use_to, &use_left)) {
        (Found::Exact(keep), Found::Exact(using)) => keep.compare(using, player).is_gt(),
        (Found::Certified(keep), Found::Certified(using)) => keep.compare(using, player).is_gt(),
        (Found::Exact(_), Found::Certified(_)) | (Found::Certified(_), Found::Exact(_)) => false,
    };
    if keeping_is_better { player.other() } else { player }
}
