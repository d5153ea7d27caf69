//! The vertices at which Alice is sure to win a game of random turns: with probability 1, by an
//! edge at each vertex.
//!
//! Such a player can bid as well, with any share of the money (for mean payoffs under poorman and
//! taxman bidding: with more than the share that the coin represents). For parity the argument is
//! in [`region`]. For mean payoffs take a certificate (see [`mean`](super::mean)) with gains of g +
//! 2ε at least: with `H = bias + K·gain` for a large K, the value after a toss exceeds `H + g + ε`
//! on average. Let x be H and the payoff so far, less g for each move, which increases by ε on
//! average, and by ±s around that. Under Richman bidding Alice keeps to a share of `C·exp (−λx)` or
//! more, where C is what her share at the start allows: for a small λ `exp (−λ(x + ε + s)) + exp
//! (−λ(x + ε − s)) ≤ 2 exp (−λx)`, so a bid of less than half the difference keeps this invariant,
//! won or lost. As her share is at most 1, x is bounded below. (Under poorman and taxman bidding it
//! is the logarithm of the ratio of both players' money that falls like `α + C·exp (−λx)`, where α
//! belongs to the coin's share.) So she gets g on average.
//!
//! For mean payoffs she must avoid all vertices whose gain is not enough, and all from which Bob
//! reaches them with positive probability; where all remaining vertices have enough, she gets it.

use num_traits::Zero;

use super::mean::{MeanCertificate, Ring};
use super::refuse;
use super::region::{self, Edges};
use super::toss_game::TossGame;
use crate::diagnostic::Result;
use crate::game::{Goals, NodeId, Scores};
use crate::player::{Ending, Player};
use crate::rules::Winner;
use crate::watch::Context;

/// A set of vertices with Alice's edges there.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) sure: Vec<bool>,
    /// Her edges; meaningless outside the set.
    pub(super) policy: Vec<Option<NodeId>>,
}

/// Finds the vertices at which Alice is sure to win. Returns `None` if the improvement of
/// strategies for a mean payoff does not end.
pub(super) fn sure(
    tosses: &TossGame,
    winner: Winner,
    context: &Context<'_>,
) -> Result<Option<Region>> {
    context.check()?;
    match &tosses.goals {
        Goals::Priorities(priorities) => Ok(Some(region::sure(&tosses.graph, priorities))),
        Goals::Weights(weights) => paid(tosses, weights, winner, context),
    }
}

/// Finds the vertices at which her mean payoff is enough.
fn paid(
    tosses: &TossGame,
    weights: &Scores,
    winner: Winner,
    context: &Context<'_>,
) -> Result<Option<Region>> {
    let graph = &tosses.graph;
    let edges = Edges::new(graph);
    let everything = vec![true; graph.len()];
    // Endings that Bob has won have no mean, so they are removed before the means are computed.
    let lost = graph
        .nodes()
        .map(|node| graph.ending(node) == Some(Ending::Win(Player::Bob)))
        .collect();
    let mut part = region::minus(
        &everything,
        &edges.attractor(&everything, Player::Bob, lost),
    );
    loop {
        let vertices: Vec<NodeId> = graph.nodes().filter(|node| part[node.index()]).collect();
        if vertices.is_empty() {
            break;
        }
        let ring = Ring::new(graph, weights, &vertices);
        let Some(found) = ring.certificate(tosses.coin, context)? else {
            return Ok(None);
        };
        if winner == Winner::Moves {
            // In these means winners decide who moves, which makes no difference only without
            // zugzwang.
            no_zugzwang(tosses, &ring, &found, &vertices)?;
        }
        let enough = |index: usize| {
            found.gains[index] > Zero::zero() || tosses.level && found.gains[index].is_zero()
        };
        let mut short = vec![false; graph.len()];
        for (index, node) in vertices.iter().enumerate() {
            short[node.index()] = !enough(index);
        }
        // Her optimal edges for the gain suffice, because every vertex that is left has enough of
        // it.
        if !short.contains(&true) {
            let mut policy = vec![None; graph.len()];
            for (index, node) in vertices.iter().enumerate() {
                policy[node.index()] = ring
                    .step(&found, index, Player::Alice)
                    .map(|head| vertices[head]);
            }
            return Ok(Some(Region { sure: part, policy }));
        }
        let away = edges.attractor(&part, Player::Bob, short);
        part = region::minus(&part, &away);
    }
    Ok(Some(Region {
        sure: part,
        policy: vec![None; graph.len()],
    }))
}

/// Refuses tosses that a player wants to lose.
fn no_zugzwang(
    tosses: &TossGame,
    ring: &Ring,
    found: &MeanCertificate,
    vertices: &[NodeId],
) -> Result<()> {
    let index = |node: NodeId| vertices.binary_search(&node).ok();
    let wrong =
        tosses
            .splits
            .iter()
            .any(|(_, turns)| match (index(turns.alice), index(turns.bob)) {
                (Some(alice), Some(bob)) => ring.is_better(found, bob, alice),
                _ => false,
            });
    if wrong {
        Err(refuse::zugzwang())
    } else {
        Ok(())
    }
}
