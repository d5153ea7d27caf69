//! Value iteration from both sides, in floats that are rounded outward: proved bounds for graphs that are too large to solve.
//!
//! From 1 downward each step is an upper bound of the greatest solution, from 0 upward a lower bound of the least one (each step is Φ of a
//! bound, and Φ rises). The work ends when the bounds have met, to the precision that is asked, or move no more. Where play goes far before it ends they
//! meet slowly; where play without end can be forced they do not meet.

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::Share;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId, Player};
use crate::rules::Payment;
use crate::solve::richman::Worth;
use crate::watch::Watch;

/// More than the relative error of one step: seven roundings, and that of the tax itself.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The bounds of all vertices; they may be further apart than `precision`.
pub(super) fn solve(
    graph: &GameGraph,
    worth: Worth,
    pay: &Payment,
    precision: &BigRational,
    watch: &dyn Watch,
) -> Result<Vec<Share>> {
    let tax = match pay {
        Payment::Poorman => 1.0,
        Payment::Taxman(part) => part.to_f64().unwrap_or(1.0),
        Payment::Richman | Payment::AllPay | Payment::AllPayBank => 0.0,
    };
    // What is left for the steps after the last that is looked at.
    let wanted = precision.to_f64().unwrap_or(0.0) / 2.0;
    let mut bounds = Bounds { graph, tax, low: vec![0.0; graph.len()], high: vec![1.0; graph.len()] };
    for node in graph.nodes() {
        if let Some(ending) = graph.ending(node) {
            let value = f64::from(worth.of(ending)) / 2.0;
            (bounds.low[node.index()], bounds.high[node.index()]) = (value, value);
        }
    }
    for (vertices, cyclic) in graph.components().iter() {
        watch.check()?;
        let mut rounds = 0_u64;
        loop {
            let (mut widest, mut moved) = (0.0_f64, false);
            for &node in vertices.iter().filter(|node| graph.ending(**node).is_none()) {
                moved |= bounds.step(node);
                widest = widest.max(bounds.high[node.index()] - bounds.low[node.index()]);
            }
            rounds += 1;
            if rounds.is_multiple_of(64) {
                watch.check()?;
                watch.report("closing in", rounds, None);
            }
            if !cyclic || widest <= wanted || !moved {
                break;
            }
        }
    }
    let rational = |float: f64| BigRational::from_float(float).expect("bounds are finite");
    let share = |(low, high): (&f64, &f64)| Share { low: rational(*low), high: rational(*high) };
    Ok(bounds.low.iter().zip(&bounds.high).map(share).collect())
}

struct Bounds<'a> {
    graph: &'a GameGraph,
    tax: f64,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Bounds<'_> {
    /// Narrows the bounds of a vertex; whether they have moved.
    fn step(&mut self, node: NodeId) -> bool {
        let v = node.index();
        let low = (self.local(node, &self.low) * (1.0 - ROUNDING)).max(self.low[v]);
        let high = (self.local(node, &self.high) * (1.0 + ROUNDING)).min(self.high[v]);
        let moved = low > self.low[v] || high < self.high[v];
        (self.low[v], self.high[v]) = (low, high);
        moved
    }

    fn local(&self, node: NodeId, values: &[f64]) -> f64 {
        let of = |player| self.graph.successors(node, player).iter().map(|head| values[head.index()]);
        match (of(Player::Alice).reduce(f64::min), of(Player::Bob).reduce(f64::max)) {
            (Some(alice), Some(bob)) => {
                let (low, high) = (alice.min(bob), alice.max(bob));
                (high + (1.0 - self.tax) * low) / (2.0 - self.tax + self.tax * (high - low))
            }
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => unreachable!("a vertex without an ending has an edge"),
        }
    }
}
