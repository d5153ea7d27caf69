//! Bounds of the Richman values of a whole graph, proved in integers.
//!
//! With Φ the local function and g its greatest solution, `Φ(U)(v) < U(v)` wherever `U(v) < 1`
//! proves `g ≤ U`, and `L ≤ Φ(L)` proves `L ≤ g` ([`taxman`](super::taxman)); for the least
//! solution it is the other way round. In integers both are comparisons of a sum with twice a
//! number, and nothing is rounded.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::enclosure::{BITS, KnownBounds};
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::law::best::BestValues;
use crate::parallel;
use crate::player::Player;
use crate::watch::Context;

const ONE: i128 = 1 << BITS;

/// The number of sweeps in which a bound may be moved outward where it is not proved yet.
const SWEEPS: usize = 64;

/// A lower and an upper bound for each vertex, in units of `2^-120`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FixedPointBounds {
    low: Vec<i128>,
    high: Vec<i128>,
}

/// Approximate values of all vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate<'e> {
    /// The values, in units of `2^-120`.
    pub(super) values: &'e [i128],
    /// The sum of the effects of an error of one unit at every vertex on the value of each vertex.
    pub(super) reach: &'e [f64],
}

impl FixedPointBounds {
    /// Finds bounds around values, by margins proportional to the reach. Returns `None` if the
    /// proved bounds are further apart than `precision`.
    pub(super) fn around(
        graph: &GameGraph,
        draws: Player,
        estimate: Estimate<'_>,
        known: &[KnownBounds],
        precision: i128,
        context: &Context<'_>,
    ) -> Result<Option<Self>> {
        let Estimate { values, reach } = estimate;
        let mut ends: Vec<Option<[i128; 2]>> = vec![None; graph.len()];
        for node in graph.nodes().filter(|node| graph.ending(*node).is_some()) {
            ends[node.index()] = Some([values[node.index()]; 2]);
        }
        known
            .iter()
            .for_each(|(node, bounds)| ends[node.index()] = Some(*bounds));
        let farthest = reach.iter().fold(1.0, |most: f64, reach| most.max(*reach));
        let side = |minimiser| UpperBounds {
            graph,
            order: graph.components().order(),
            minimiser,
            draws,
        };
        let [above, below] = [side(Player::Alice), side(Player::Bob)];
        // A lower bound is found as an upper bound of the game with the players exchanged, in which
        // a value v becomes 1 - v, so that one proof serves for both.
        let turned: Vec<i128> = values.iter().map(|value| ONE - value).collect();
        let upper: Vec<_> = ends
            .iter()
            // A known ending keeps its own bound instead of the estimate with a margin.
            .map(|bounds| bounds.map(|[_, high]| high))
            .collect();
        let lower: Vec<_> = ends
            .iter()
            .map(|bounds| bounds.map(|[low, _]| ONE - low))
            .collect();
        // The unit has to exceed the residual for the inequalities to hold at all, and by a little
        // more because every comparison is rounded.
        let (over, under) = parallel::join(|| above.excess(values), || below.excess(&turned));
        let mut unit = 2 * (over.max(under) + 4);
        // Beyond this unit the margin alone would be wider than the precision.
        while unit as f64 * farthest <= precision as f64 {
            context.check()?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a cast from a float stays in range"
            )]
            let margin = |vertex: usize| (unit as f64 * reach[vertex]).ceil() as i128;
            let found = parallel::join(
                || above.bound(values, margin, &upper),
                || below.bound(&turned, margin, &lower),
            );
            if let (Some(high), Some(low)) = found {
                let low: Vec<i128> = low.into_iter().map(|bound| ONE - bound).collect();
                let near = low
                    .iter()
                    .zip(&high)
                    .all(|(low, high)| high - low <= precision);
                return Ok(near.then_some(Self { low, high }));
            }
            unit *= 16;
        }
        Ok(None)
    }

    /// Returns the bounds of a vertex, in units.
    pub(super) fn of(&self, node: NodeId) -> [i128; 2] {
        [self.low[node.index()], self.high[node.index()]]
    }
}

/// Returns a number of units as a rational.
pub(super) fn rational(units: i128) -> BigRational {
    BigRational::new(units.into(), BigInt::from(ONE))
}

/// The search for upper bounds of the values, or of the values' differences from 1, with the
/// players exchanged.
struct UpperBounds<'a> {
    graph: &'a GameGraph,
    /// The vertices, successors first.
    order: &'a [NodeId],
    minimiser: Player,
    /// The player who wins draws, and with them play without end.
    draws: Player,
}

impl UpperBounds<'_> {
    /// Returns twice the local function at a vertex.
    fn twice(&self, values: &[i128], node: NodeId) -> i128 {
        let best = BestValues::ordered(|player| {
            let heads = match player {
                Player::Alice => self.graph.successors(node, self.minimiser),
                Player::Bob => self.graph.successors(node, self.minimiser.other()),
            };
            heads.iter().map(|head| values[head.index()])
        });
        match best {
            BestValues::Both(least, most) => least + most,
            BestValues::Only(only) => 2 * only,
        }
    }

    fn inner(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.order
            .iter()
            .copied()
            .filter(|node| self.graph.ending(*node).is_none())
    }

    /// Returns the greatest excess of the local function over the value at any vertex, at least 0.
    fn excess(&self, values: &[i128]) -> i128 {
        self.inner()
            .map(|node| self.twice(values, node) / 2 - values[node.index()])
            .max()
            .unwrap_or(0)
            .max(0)
    }

    /// Returns whether play without end is the worst result for the minimiser. In that case only a
    /// strict inequality proves a bound.
    fn strict(&self) -> bool {
        self.minimiser != self.draws
    }

    /// Finds a proved upper bound: the values plus these margins, and more where that is not
    /// enough.
    fn bound(
        &self,
        values: &[i128],
        margin: impl Fn(usize) -> i128,
        ends: &[Option<i128>],
    ) -> Option<Vec<i128>> {
        let strict = self.strict();
        let moved = |(vertex, value): (usize, &i128)| (value + margin(vertex)).clamp(0, ONE);
        let mut bound: Vec<i128> = values.iter().enumerate().map(moved).collect();
        for (bound, end) in bound.iter_mut().zip(ends) {
            *bound = end.unwrap_or(*bound);
        }
        for _ in 0..SWEEPS {
            let mut proved = true;
            // Successors come first, so that one sweep carries an increase through all vertices off
            // cycles.
            for node in self.inner() {
                let twice = self.twice(&bound, node);
                // Both are the least number that satisfies the inequality: the shift rounds down,
                // so a strict inequality needs one more after it, and a weak one adds 1 before it.
                let needed = if strict {
                    (twice >> 1) + 1
                } else {
                    (twice + 1) >> 1
                }
                // No value exceeds 1, so a bound of 1 needs no proof.
                .min(ONE);
                if bound[node.index()] < needed {
                    bound[node.index()] = needed;
                    proved = false;
                }
            }
            if proved {
                return Some(bound);
            }
        }
        None
    }
}
