//! The values of an objective of infinite play where a player can keep the play going round, but
//! loses by it.
//!
//! Strategy improvement for random turns (after Chatterjee, Jurdziński & Henzinger 2004). A
//! strategy of Alice's has values: Bob's best is to get to where he is sure to win against it, and
//! what never comes there she wins. It is improved by edges to better values; and, where there are
//! none, by what she is sure to win while play stays among vertices of one value, at none of which
//! a toss matters. Where there is nothing of that kind, Bob is sure to win whatever stays there,
//! and no strategy is better. The other player's strategy, found alone, has the same values: that
//! is the certificate, for none can have more than the opponent's allows.
//!
//! These are the thresholds of bidding too. With more than the value T of the vertex, Alice bids
//! for the vertices where a toss matters by `T + ε(1 − T²)`: that is more than the mean of what the
//! toss leads to, by the square of its step, so that her surplus over it grows each time, and there
//! are finitely many such times. Between them the value does not change, and she plays to win there
//! by a small part of the surplus.

use std::cmp::Ordering;

use super::sure::sure;
use super::toss_game::TossGame;
use crate::diagnostic::{Code, Result};
use crate::game::NodeId;
use crate::player::{Ending, Player};
use crate::richman::taxman::Share;
use crate::rules::Winner;
use crate::watch::Context;

/// Strategies that are tried before the work is given up.
const ROUNDS: usize = 1000;

/// How the thresholds of a game that ends are found, where play without end is won by Alice.
pub(super) type Solve<'a> = &'a dyn Fn(&TossGame) -> Result<Vec<Share>>;

/// A strategy of Alice's as the graph that it leaves, with its thresholds.
#[derive(Debug)]
pub(super) struct BestPolicy {
    pub(super) policy: Vec<Option<NodeId>>,
    pub(super) fixed: TossGame,
    pub(super) shares: Vec<Share>,
}

/// The best strategy of Alice's in a game of tosses; `None` if it takes too long.
pub(super) fn best(
    tosses: &TossGame,
    winner: Winner,
    solve: Solve<'_>,
    context: &Context<'_>,
) -> Result<Option<BestPolicy>> {
    let first = |node: NodeId| {
        tosses
            .graph
            .successors(node, Player::Alice)
            .first()
            .copied()
    };
    let mut policy: Vec<Option<NodeId>> = tosses.graph.nodes().map(first).collect();
    for round in 0..ROUNDS {
        context.check()?;
        context.report("improving strategies", round as u64, None);
        let fixed = tosses.with(
            |node, player, head| player == Player::Bob || policy[node.index()] == Some(head),
            |_| None,
        );
        let Some(lost) = sure(&fixed.conjugate(), winner, context)?.map(|region| region.sure)
        else {
            return Ok(None);
        };
        let fixed = fixed.with(
            |_, _, _| true,
            |node| lost[node.index()].then_some(Ending::Win(Player::Bob)),
        );
        let shares = match solve(&fixed) {
            Ok(shares) => shares,
            Err(refused) if refused.code == Code::NotSupported => return Ok(None),
            Err(stopped) => return Err(stopped),
        };
        if switch(tosses, &mut policy, &shares) {
            continue;
        }
        let flat = flat(tosses, &shares);
        let Some(won) = sure(&flat, winner, context)? else {
            return Ok(None);
        };
        let mut gained = false;
        for node in tosses.graph.nodes().filter(|node| won.sure[node.index()]) {
            if order(
                &shares[node.index()],
                &Share::exact(num_traits::Zero::zero()),
            )
            .is_gt()
            {
                policy[node.index()] = won.policy[node.index()];
                gained = true;
            }
        }
        if !gained {
            return Ok(Some(BestPolicy {
                policy,
                fixed,
                shares,
            }));
        }
    }
    Ok(None)
}

/// Takes edges to lower thresholds; whether there were any.
fn switch(tosses: &TossGame, policy: &mut [Option<NodeId>], shares: &[Share]) -> bool {
    let mut switched = false;
    for node in tosses.graph.nodes() {
        for &head in tosses.graph.successors(node, Player::Alice) {
            let lower = |old: NodeId| order(&shares[head.index()], &shares[old.index()]).is_lt();
            if policy[node.index()].is_some_and(lower) {
                policy[node.index()] = Some(head);
                switched = true;
            }
        }
    }
    switched
}

/// The tosses with the moves that keep the threshold; where a toss matters, Bob has won.
fn flat(tosses: &TossGame, shares: &[Share]) -> TossGame {
    let alike = |a: NodeId, b: NodeId| order(&shares[a.index()], &shares[b.index()]).is_eq();
    let matters = |node: NodeId| {
        let both = Player::BOTH.map(|player| tosses.graph.successors(node, player));
        both.iter().all(|heads| !heads.is_empty())
            && both
                .iter()
                .any(|heads| heads.iter().any(|head| !alike(node, *head)))
    };
    tosses.with(
        |node, _, head| alike(node, head),
        |node| matters(node).then_some(Ending::Win(Player::Bob)),
    )
}

/// How two thresholds compare, equal if their bounds do not tell.
pub(super) fn order(a: &Share, b: &Share) -> Ordering {
    if a.high < b.low {
        Ordering::Less
    } else if b.high < a.low {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}
