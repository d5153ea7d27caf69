//! The values of an objective of infinite play where a player can keep the play going round, but
//! loses by it.
//!
//! This is strategy improvement for random turns (after Chatterjee, Jurdziński & Henzinger 2004). A
//! strategy of Alice's has values: Bob's best reply is to reach a vertex where he is sure to win
//! against it, and she wins any play that never reaches one. It is improved by edges to better
//! values. Where there are none, it is improved by strategies with which she is sure to win while
//! play stays among vertices of one value, at none of which a toss matters. Where neither exists,
//! Bob is sure to win any play that stays there, and no strategy is better. The other player's
//! strategy, found independently, has the same values: that is the certificate, because no strategy
//! can have more than the opponent's allows.
//!
//! These are the thresholds of bidding too. With more than the value T of the vertex, Alice bids
//! for the vertices where a toss matters by `T + ε(1 − T²)`: that is more than the mean over the
//! toss, by the square of its step, so that her surplus over it grows each time, and there are
//! finitely many such times. Between them the value does not change, and she plays to win there
//! with a small part of the surplus.

use std::cmp::Ordering;

use super::sure::sure;
use super::toss_game::TossGame;
use crate::diagnostic::{Code, Result};
use crate::game::NodeId;
use crate::player::{Ending, Player};
use crate::richman::taxman::Share;
use crate::rules::Winner;
use crate::watch::Context;

/// The number of strategies that are tried before the work is given up.
const ROUNDS: usize = 1000;

/// The function that finds the thresholds of a game that ends, where Alice wins play without end.
pub(super) type Solve<'a> = &'a dyn Fn(&TossGame) -> Result<Vec<Share>>;

/// A strategy of Alice's as the graph that it leaves, with its thresholds.
#[derive(Debug)]
pub(super) struct BestPolicy {
    pub(super) policy: Vec<Option<NodeId>>,
    pub(super) fixed: TossGame,
    pub(super) shares: Vec<Share>,
}

/// Finds Alice's best strategy in a game of tosses. Returns `None` if it takes too long.
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
        // Bob's best reply is to reach the vertices where he is sure to win against the fixed
        // strategy.
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
        // Better values come first: staying is judged by values that edges cannot improve.
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
            // At value 0 she wins already, and a new strategy would not be better.
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

/// Switches to edges to lower thresholds. Returns whether there were any.
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

/// Returns the game of tosses with only the moves that keep the threshold; where a toss matters,
/// Bob has won.
fn flat(tosses: &TossGame, shares: &[Share]) -> TossGame {
    let alike = |a: NodeId, b: NodeId| order(&shares[a.index()], &shares[b.index()]).is_eq();
    let matters = |node: NodeId| {
        let both = Player::both(|player| tosses.graph.successors(node, player));
        both.iter().all(|heads| !heads.is_empty())
            && both
                .iter()
                .any(|heads| heads.iter().any(|head| !alike(node, *head)))
    };
    tosses.with(
        |node, _, head| alike(node, head),
        // Play that comes to a toss that matters does not stay among vertices of one value.
        |node| matters(node).then_some(Ending::Win(Player::Bob)),
    )
}

/// Compares two thresholds. They count as equal if their bounds do not decide.
pub(super) fn order(a: &Share, b: &Share) -> Ordering {
    if a.high < b.low {
        Ordering::Less
    } else if b.high < a.low {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}
