//! Acyclic graphs: one pass, successors first (Arun, Theorem 2.4), in fixed-point arithmetic.
//!
//! The value of a vertex from which at most d coins are tossed is a multiple of `2^-d` (of half that where a draw is
//! worth a half), so numerators over `2^(d + 1)` are exact: machine words while they fit, dyadics of any length beyond.

use num_bigint::BigUint;

use super::DrawValue;
use super::dyadic::Dyadic;
use super::numbers::Numbers;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::watch::{Stop, Watch};

/// How many vertices are solved between two looks at the watch.
const CHECK_EVERY: usize = 1 << 14;

/// The values of an acyclic graph, given its vertices with successors first.
pub(super) fn solve(
    graph: &GameGraph,
    order: impl Iterator<Item = NodeId> + Clone,
    draw: DrawValue,
    watch: &dyn Watch,
) -> Result<Numbers> {
    let scale = 1 + coins(graph, order.clone());
    if scale <= 63 {
        let narrow = |halves: u8| u64::from(halves) << (scale - 1);
        return Ok(Numbers::Narrow { scale, numerators: pass(graph, order, draw, narrow, watch)? });
    }
    if scale <= 127 {
        let wide = |halves: u8| u128::from(halves) << (scale - 1);
        return Ok(Numbers::Wide { scale, numerators: pass(graph, order, draw, wide, watch)? });
    }
    let dyadic = |halves: u8| Dyadic::new(BigUint::from(halves), 1);
    Ok(Numbers::Dyadic(pass(graph, order, draw, dyadic, watch)?))
}

/// The most coins that one play can toss: where only one player can move there is none.
fn coins(graph: &GameGraph, order: impl Iterator<Item = NodeId>) -> u32 {
    let mut coins = vec![0; graph.len()];
    for node in order {
        let tossed = Player::BOTH.iter().all(|&player| !graph.successors(node, player).is_empty());
        let beyond = graph.all_successors(node).map(|head| coins[head.index()]).max().unwrap_or(0);
        coins[node.index()] = beyond + u32::from(tossed);
    }
    coins.into_iter().max().unwrap_or(0)
}

/// A number that the pass can be made in.
trait Number: Ord + Clone {
    /// The mean of two, exact by the choice of the scale.
    fn mean(&self, other: &Self) -> Self;

    /// Bytes beyond the number's own size.
    fn heap(&self) -> u64 {
        0
    }
}

impl Number for u64 {
    fn mean(&self, other: &Self) -> Self {
        self.midpoint(*other)
    }
}

impl Number for u128 {
    fn mean(&self, other: &Self) -> Self {
        self.midpoint(*other)
    }
}

impl Number for Dyadic {
    fn mean(&self, other: &Self) -> Self {
        self.mean(other)
    }

    fn heap(&self) -> u64 {
        self.bytes()
    }
}

fn pass<N: Number>(
    graph: &GameGraph,
    order: impl Iterator<Item = NodeId>,
    draw: DrawValue,
    number: impl Fn(u8) -> N,
    watch: &dyn Watch,
) -> Result<Vec<N>> {
    let mut values = vec![number(0); graph.len()];
    let (mut heap, limit) = (0, watch.limits().max_memory);
    for (done, node) in order.enumerate() {
        if done % CHECK_EVERY == 0 {
            watch.check()?;
            watch.report("solving", done as u64, Some(graph.len() as u64));
        }
        let value = match graph.ending(node) {
            Some(ending) => number(draw.of(ending)),
            None => backward(graph, node, &values),
        };
        heap += value.heap();
        if heap > limit {
            return Err(Stop::Memory(limit).into());
        }
        values[node.index()] = value;
    }
    Ok(values)
}

/// The value of a position from those of its successors.
fn backward<N: Number>(graph: &GameGraph, node: NodeId, values: &[N]) -> N {
    let of = |player| graph.successors(node, player).iter().map(|head| &values[head.index()]);
    match (of(Player::Alice).min(), of(Player::Bob).max()) {
        (Some(alice), Some(bob)) => alice.mean(bob),
        (Some(only), None) | (None, Some(only)) => only.clone(),
        (None, None) => unreachable!("a vertex without an ending has an edge"),
    }
}
