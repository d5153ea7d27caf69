//! Acyclic graphs: one pass, successors first (Arun, Theorem 2.4), in fixed-point arithmetic.
//!
//! The value of a vertex from which at most d coins are tossed is a multiple of `2^-d` (of half
//! that if a draw is worth a half), so numerators over `2^(d + 1)` are exact: machine words while
//! they fit, dyadics of any length beyond.

use super::DrawValue;
use super::dyadic::Dyadic;
use super::numbers::Numbers;
use super::theory::{Ends, Numerator, RichmanLaw};
use crate::diagnostic::Result;
use crate::game::GameGraph;
use crate::player::Player;
use crate::space::graph::backward;
use crate::watch::Context;

/// Computes the values of an acyclic graph.
pub(super) fn solve(graph: &GameGraph, draw: DrawValue, context: &Context<'_>) -> Result<Numbers> {
    // The additional bit is for a draw that is worth a half, and is taken in every case.
    let scale = 1 + coins(graph);
    let ends = Ends::worth(draw);
    // Machine words come first: they add without allocating, and most games fit them.
    if scale <= u64::GREATEST_SCALE {
        let numerators = backward(graph, &RichmanLaw::<u64>::new(ends, scale), context)?;
        return Ok(Numbers::Narrow { scale, numerators });
    }
    if scale <= u128::GREATEST_SCALE {
        let numerators = backward(graph, &RichmanLaw::<u128>::new(ends, scale), context)?;
        return Ok(Numbers::Wide { scale, numerators });
    }
    Ok(Numbers::Dyadic(backward(
        graph,
        &RichmanLaw::<Dyadic>::new(ends, scale),
        context,
    )?))
}

/// Returns the greatest number of coins that one play can toss. No coin is tossed where only one
/// player can move.
fn coins(graph: &GameGraph) -> u32 {
    let mut coins = vec![0; graph.len()];
    for node in graph.successors_first() {
        let tossed = Player::BOTH
            .iter()
            .all(|&player| !graph.successors(node, player).is_empty());
        let beyond = graph
            .all_successors(node)
            .map(|head| coins[head.index()])
            .max()
            .unwrap_or(0);
        // A forced move passes the value on unchanged, so it needs no further bit.
        coins[node.index()] = beyond + u32::from(tossed);
    }
    coins.into_iter().max().unwrap_or(0)
}
