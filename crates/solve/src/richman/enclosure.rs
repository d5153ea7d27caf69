//! Proved bounds of Richman values where exact ones would be too long: hundreds of thousands of
//! positions in a second.
//!
//! Components are solved successors first. A [`guess`] in floats is refined in integers of 120
//! binary places by Newton's method, with steps in floats, until the residual is small enough. The
//! same linear system gives the *reach*: the effect at each vertex of an error of one unit at every
//! vertex. The bounds are the values moved outward by a multiple of the reach, for the whole graph
//! at once, and [`FixedPointBounds::around`] proves them as [`taxman`](super::taxman) says, in
//! integers and independently of the method by which they were found.

use super::DrawValue;
use super::arena::{Arena, ArenaNumbering};
use super::bounds::{Estimate, FixedPointBounds};
use super::guess::{Guess, guess};
use super::improve::begin;
use super::valuation::Chain;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::law::best::BestValues;
use crate::number::linear::Quick;
use crate::player::Player;
use crate::watch::{Context, Stop};

/// The number of places after the binary point.
pub(super) const BITS: u32 = 120;
const ONE: i128 = 1 << BITS;

/// The number of components that are solved between two checks.
const CHECK_EVERY: usize = 1 << 12;

/// The number of bytes for each vertex.
const BYTES: u64 = 160;

/// An ending with a value that does not follow from the rules: its bounds in units of `2^-120`.
pub(super) type KnownBounds = (NodeId, [i128; 2]);

/// Finds bounds of all values that are at most `precision` apart, in units of `2^-120`. Returns
/// `None` if none are proved.
pub(super) fn solve(
    graph: &GameGraph,
    draws: Player,
    known: &[KnownBounds],
    precision: i128,
    context: &Context<'_>,
) -> Result<Option<FixedPointBounds>> {
    let limit = context.limits.max_memory;
    // The test comes before the components are computed, which takes much of this memory itself.
    if graph.len() as u64 * BYTES > limit {
        return Err(Stop::Memory(limit).into());
    }
    let mut solver = EnclosureSolver::new(graph, draws, known, precision, context);
    for (done, (vertices, cyclic)) in graph.components().iter().enumerate() {
        if done % CHECK_EVERY == 0 || vertices.len() > CHECK_EVERY {
            context.check()?;
            context.report("closing in", vertices[0].index() as u64, None);
        }
        if cyclic {
            solver.component(vertices)?;
        } else {
            vertices.iter().for_each(|&node| solver.vertex(node));
        }
    }
    solver.bounds(known)
}

struct EnclosureSolver<'a> {
    graph: &'a GameGraph,
    draws: Player,
    precision: i128,
    context: &'a Context<'a>,
    /// The values, in units.
    values: Vec<i128>,
    /// The effect at each vertex of an error of one unit at every vertex.
    reach: Vec<f64>,
    settled: Vec<bool>,
    numbering: ArenaNumbering,
}

impl<'a> EnclosureSolver<'a> {
    fn new(
        graph: &'a GameGraph,
        draws: Player,
        known: &[KnownBounds],
        precision: i128,
        context: &'a Context<'a>,
    ) -> Self {
        let n = graph.len();
        let (mut values, mut settled) = (vec![0; n], vec![false; n]);
        for node in graph.nodes() {
            if let Some(ending) = graph.ending(node) {
                (values[node.index()], settled[node.index()]) = (
                    ONE / 2 * i128::from(DrawValue::won_by(draws).of(ending)),
                    true,
                );
            }
        }
        for (node, [low, high]) in known {
            // The middle is only a start: `around` takes the proved ends of the known bounds.
            values[node.index()] = i128::midpoint(*low, *high);
        }
        Self {
            graph,
            draws,
            precision,
            context,
            values,
            reach: vec![0.0; n],
            settled,
            numbering: ArenaNumbering::new(graph),
        }
    }

    /// Solves a vertex that is on no cycle.
    fn vertex(&mut self, node: NodeId) {
        if self.settled[node.index()] {
            return;
        }
        let of = |player| {
            let heads = self.graph.successors(node, player).iter();
            heads.map(|head| self.values[head.index()])
        };
        self.values[node.index()] = BestValues::ordered(of).turn(i128::midpoint);
        let reach = self
            .graph
            .all_successors(node)
            .map(|head| self.reach[head.index()])
            .fold(0.0, f64::max);
        // The vertex adds its own unit to the greatest reach below, which bounds the mean of both
        // sides.
        self.reach[node.index()] = 1.0 + reach;
    }

    /// Solves a strongly connected component with a cycle.
    fn component(&mut self, vertices: &[NodeId]) -> Result<()> {
        let arena = Arena::new(self.graph, vertices, &mut self.numbering);
        let forever = ONE / 2 * i128::from(DrawValue::won_by(self.draws).halves());
        let mut values: Vec<i128> = vec![0; arena.len];
        values.extend(
            arena
                .exits()
                .iter()
                .map(|node| self.values[node.index()])
                .chain([forever]),
        );
        // Play without end is the worst result for the player who does not win draws.
        let hero = self.draws.other();
        let first = begin(&arena, hero, &values[arena.len..]);
        let floats = values[arena.len..]
            .iter()
            .map(|value| float(*value))
            .collect();
        let guess = guess(&arena, hero, first, floats, self.context)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a guess, which is improved"
        )]
        for (value, guessed) in values[..arena.len].iter_mut().zip(&guess.values) {
            *value = (guessed * ONE as f64) as i128;
        }
        let reach = self.refine(&arena, &guess, &mut values)?;
        for (vertex, node) in arena.vertices().iter().enumerate() {
            (self.values[node.index()], self.reach[node.index()]) = (values[vertex], reach[vertex]);
        }
        Ok(())
    }

    /// Refines the values of the guessed strategies by Newton's method until they are as precise as
    /// the bounds need them. Returns the reach of the vertices.
    fn refine(&self, arena: &Arena, guess: &Guess, values: &mut [i128]) -> Result<Vec<f64>> {
        /// The greatest number of steps of Newton's method, which is more than the number of bits
        /// requires.
        const STEPS: usize = 40;
        /// The relative precision of the reach, and of the last step of Newton's method.
        const NEAR: f64 = 0.1;
        let chain = Chain::new(arena, &guess.strategies);
        let mut quick = Quick::new(&chain.walk, guess.way);
        let mut outside: Vec<f64> = arena
            .exits()
            .iter()
            .map(|node| self.reach[node.index()])
            .collect();
        // The value of play without end is exact, so no error comes from it.
        outside.push(0.0);
        let of = |state: usize| {
            let beyond = |head: u32| {
                (head as usize)
                    .checked_sub(chain.pairs.len())
                    .map_or(0.0, |known| outside[known])
            };
            chain
                .walk
                .edges(state)
                .iter()
                .map(|(head, weight)| f64::from(*weight) * (1.0 + beyond(*head)))
                .sum()
        };
        let sources = (0..chain.pairs.len()).map(of).collect();
        let reach = chain.spread(quick.to(sources, NEAR, self.context)?, outside);
        let farthest = reach.iter().fold(1.0, |most: f64, reach| most.max(*reach));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a cast from a float stays in range"
        )]
        // An imbalance of this size moves no value by more than a sixteenth of the precision.
        let small = (self.precision as f64 / farthest / 16.0) as i128;
        // Steps in floats stop helping once they no longer halve the imbalance.
        let mut least = i128::MAX;
        for _ in 0..STEPS {
            self.context.check()?;
            let (inside, known) = values.split_at(arena.len);
            let found: Vec<i128> = chain.vertices().map(|vertex| inside[vertex]).collect();
            let imbalances = chain.imbalances(&found, known);
            let size = imbalances
                .iter()
                .map(|imbalance| imbalance.abs())
                .max()
                .unwrap_or(0);
            if size <= small.max(2) || size >= least / 2 {
                break;
            }
            least = size;
            // The residuals are cut to 60 bits, which leaves room for sums in floats.
            let shift = (128 - size.leading_zeros()).saturating_sub(60);
            let sources = imbalances
                .iter()
                .map(|imbalance| (imbalance >> shift) as f64)
                .collect();
            // A more precise step would only bring the imbalance further below `small`.
            let tolerance = (small as f64 / size as f64 * NEAR).clamp(1e-9, NEAR);
            let steps = quick.to(sources, tolerance, self.context)?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a guess, which is improved"
            )]
            for (vertex, step) in chain.vertices().zip(steps) {
                values[vertex] = (values[vertex] + ((step as i128) << shift)).clamp(0, ONE);
            }
        }
        Ok(reach)
    }

    /// Finds bounds around the values.
    fn bounds(self, known: &[KnownBounds]) -> Result<Option<FixedPointBounds>> {
        FixedPointBounds::around(
            self.graph,
            self.draws,
            Estimate {
                values: &self.values,
                reach: &self.reach,
            },
            known,
            self.precision,
            self.context,
        )
    }
}

fn float(value: i128) -> f64 {
    value as f64 / ONE as f64
}
