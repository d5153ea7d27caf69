//! An estimate of whether the exact values of a graph can be computed in reasonable time.
//!
//! The values of a cycle of n positions have a common denominator that divides the determinant of
//! their equations. It may have n binary digits or more, and each value must be found modulo enough
//! powers of a prime; on a path that play leaves only at its ends it has about log n, however long
//! the path. Where elimination of the positions stays sparse (paths, trees, grids) its pivots tell
//! the number of digits, and millions of digits in all take seconds. Where it fills up, a full
//! matrix of m states is left, with m³ operations to prepare it and m² for each of the digits: then
//! n in the thousands is the limit of a few seconds.

use super::DrawValue;
use super::arena::{Arena, ArenaNumbering};
use super::cyclic::hero;
use super::improve::begin;
use super::valuation::Chain;
use crate::diagnostic::Result;
use crate::game::GameGraph;
use crate::rules::Draws;
use crate::watch::Context;

/// The number of vertices below which a component always counts as solvable.
const ALWAYS: usize = 2_000;
/// The size of the largest full matrix that counts as solvable.
const LARGEST: usize = 1_500;
/// The greatest number of binary digits of all values together that counts as solvable.
const MOST_BITS: f64 = (1_u64 << 34) as f64;

/// Returns whether the exact values would take too long: hours rather than seconds. The estimate is
/// made from one pair of strategies, because the others are similar.
///
/// # Errors
/// If the work is stopped.
pub fn has_dense_component(graph: &GameGraph, context: &Context<'_>) -> Result<bool> {
    if graph.len() < ALWAYS || graph.is_acyclic() {
        return Ok(false);
    }
    // The value of a draw hardly changes the number of digits, so any rule for draws serves.
    let worth = DrawValue::new(Draws::default());
    let mut numbering = ArenaNumbering::new(graph);
    for (vertices, _) in graph
        .components()
        .iter()
        .filter(|(vertices, _)| vertices.len() >= ALWAYS)
    {
        let arena = Arena::new(graph, vertices, &mut numbering);
        let ends = arena
            .exits()
            .iter()
            // An exit without an ending has no known value yet, and counts as a half.
            .map(|exit| graph.ending(*exit).map_or(1, |ending| worth.of(ending)));
        let ends: Vec<u8> = ends.chain([worth.halves()]).collect();
        let strategies = arena.only_strategies();
        let strategies = strategies.unwrap_or_else(|| begin(&arena, hero(worth), &ends));
        let chain = Chain::new(&arena, &strategies);
        let bits = chain.walk.bits(LARGEST, context)?;
        if bits.is_none_or(|bits| bits * arena.len as f64 > MOST_BITS) {
            return Ok(true);
        }
    }
    Ok(false)
}
