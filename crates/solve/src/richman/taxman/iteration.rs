//! Value iteration from both sides, in floats that are rounded outward: proved bounds for graphs
//! that are too large to solve.
//!
//! From 1 downward each step is an upper bound of the greatest solution, from 0 upward a lower
//! bound of the least one (each step is Φ of a bound, and Φ is monotone). The work ends when the
//! bounds have met, to the precision that is asked for, or move no more. If play goes far before it
//! ends they meet slowly; if play without end can be forced they do not meet.

use num_traits::ToPrimitive;

use super::Share;
use super::share::VertexShares;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::law::best::BestValues;
use crate::player::Player;
use crate::richman::DrawValue;
use crate::rules::{Rules, admit};
use crate::watch::Context;

/// A bound that exceeds the relative error of one step: seven roundings, and that of the tax
/// itself.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The number of rounds from which on the progress of the bounds is tested.
const MANY: u64 = 1 << 22;

/// Returns whether bounds that were `before` apart half the rounds ago, and are `now` apart, will
/// be near enough after a few more doublings of the rounds. Where a bid is worth almost nothing,
/// each doubling only halves the distance.
fn gets_there(before: f64, now: f64, wanted: f64) -> bool {
    /// The number of times that the rounds may double.
    const DOUBLINGS: f64 = 8.0;
    (now / wanted).log2() <= DOUBLINGS * (before / now).log2()
}

/// Computes the bounds of all vertices, given those of some endings. Returns `None` if they are
/// further apart than the rules ask for.
pub(super) fn solve(
    graph: &GameGraph,
    thresholds: &[(NodeId, Share)],
    rules: &Rules,
    context: &Context<'_>,
) -> Result<Option<VertexShares>> {
    let tax = rules
        .pay
        .tax()
        .and_then(|part| part.to_f64())
        .unwrap_or(0.0);
    let precision = rules.precision.0.to_f64().unwrap_or(0.0);
    // Half of the precision is left for the steps after the last one that is checked.
    let wanted = precision / 2.0;
    let draws = admit::taxed_shares(rules)?;
    let mut bounds = BoundIteration::new(graph, tax, draws, thresholds);
    // Successors come first, so that a component iterates with bounds that do not move any more.
    for (vertices, cyclic) in graph.components().iter() {
        context.check()?;
        let (mut rounds, mut before) = (0_u64, 1.0);
        loop {
            let (mut widest, mut moved) = (0.0_f64, false);
            for &node in vertices
                .iter()
                .filter(|node| graph.ending(**node).is_none())
            {
                // New bounds are used at once. Φ is monotone, so each of them is valid for itself.
                moved |= bounds.step(node);
                widest = widest.max(bounds.high[node.index()] - bounds.low[node.index()]);
            }
            rounds += 1;
            if rounds.is_multiple_of(64) {
                context.check()?;
                context.report("closing in", rounds, None);
            }
            // A vertex on no cycle needs a single step, because its successors are final.
            if !cyclic || widest <= wanted || !moved {
                break;
            }
            if rounds >= MANY && rounds.is_power_of_two() {
                if !gets_there(before, widest, wanted) {
                    return Ok(None);
                }
                before = widest;
            }
        }
    }
    // The difference of two floats is rounded too.
    let near = |(low, high): (&f64, &f64)| (high - low) * (1.0 + ROUNDING) <= precision;
    let met = bounds.low.iter().zip(&bounds.high).all(near);
    Ok(met.then_some(VertexShares::Floats {
        low: bounds.low,
        high: bounds.high,
    }))
}

struct BoundIteration<'a> {
    graph: &'a GameGraph,
    tax: f64,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl<'a> BoundIteration<'a> {
    fn new(graph: &'a GameGraph, tax: f64, draws: Player, thresholds: &[(NodeId, Share)]) -> Self {
        let mut bounds = Self {
            graph,
            tax,
            low: vec![0.0; graph.len()],
            high: vec![1.0; graph.len()],
        };
        for node in graph.nodes() {
            if let Some(ending) = graph.ending(node) {
                let value = f64::from(DrawValue::won_by(draws).of(ending)) / 2.0;
                (bounds.low[node.index()], bounds.high[node.index()]) = (value, value);
            }
        }
        for (node, share) in thresholds {
            let [low, high] = [&share.low, &share.high]
                .map(|bound| bound.to_f64().expect("a number from 0 to 1 is a float"));
            bounds.low[node.index()] = low * (1.0 - ROUNDING);
            bounds.high[node.index()] = (high * (1.0 + ROUNDING)).min(1.0);
        }
        bounds
    }

    /// Narrows the bounds of a vertex. Returns whether they have moved.
    fn step(&mut self, node: NodeId) -> bool {
        let v = node.index();
        // A bound never gets worse, although rounding may make one step worse than the last one.
        let low = (self.local(node, &self.low) * (1.0 - ROUNDING)).max(self.low[v]);
        let high = (self.local(node, &self.high) * (1.0 + ROUNDING)).min(self.high[v]);
        let moved = low > self.low[v] || high < self.high[v];
        (self.low[v], self.high[v]) = (low, high);
        moved
    }

    fn local(&self, node: NodeId, values: &[f64]) -> f64 {
        let of = |player| {
            let heads = self.graph.successors(node, player).iter();
            heads.map(|head| values[head.index()])
        };
        BestValues::fold(of, f64::min, f64::max).turn(|alice, bob| {
            let (low, high) = (alice.min(bob), alice.max(bob));
            (high + (1.0 - self.tax) * low) / (2.0 - self.tax + self.tax * (high - low))
        })
    }
}
