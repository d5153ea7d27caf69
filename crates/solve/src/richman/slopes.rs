//! Undirected graphs, path by path, the steepest first (Lazarus et al.; Arun, Theorem 2.6).
//!
//! If both players can move along every edge in both directions, consider a path through unsolved
//! vertices between two solved ones whose values differ most per step. The values along it increase
//! evenly. A path splits the unsolved vertices into parts that are independent of each other, so
//! each part is solved with the solved vertices around it. A part with equal values around it has
//! that value everywhere.
//!
//! The steepest path is found by Dinkelbach's method (1967): for a slope s the path that exceeds it
//! by most in all is found, which is the sum of two distances in one pass from the greatest values
//! and one from the least; its slope is the next s. These slopes are floats. If their errors leave
//! only one path, it is the steepest; of several, [`steepest`](super::steepest) finds it in
//! rationals.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use super::arena::Arena;
use super::steepest::{Candidates, VertexPath};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::player::Player;
use crate::watch::Context;

/// The relative difference that may be due to rounding.
const TOLERANCE: f64 = 1e-13;

/// Computes the value of every vertex of an arena in which both players have the same edges in both
/// directions, given the values of the exits and of play without end.
pub(super) fn solve(
    arena: &Arena,
    known: &[BigRational],
    context: &Context<'_>,
) -> Result<Vec<BigRational>> {
    let (forever, exits) = known.split_last().expect("play without end has a value");
    let mut slopes = Slopes::new(arena, exits);
    let mut parts = vec![(0..fit::<u32>(arena.len)).collect::<Vec<_>>()];
    while let Some(part) = parts.pop() {
        context.check()?;
        match slopes.steepest(&part) {
            Boundary::Nothing => part
                .iter()
                .for_each(|&vertex| slopes.settle(vertex, forever.clone())),
            Boundary::Level(value) => part
                .iter()
                .for_each(|&vertex| slopes.settle(vertex, value.clone())),
            Boundary::Path(path) => {
                slopes.rise(&path);
                parts.extend(slopes.split(&part));
            }
        }
    }
    Ok(slopes
        .values
        .into_iter()
        .take(arena.len)
        .map(|value| value.expect("every part is solved"))
        .collect())
}

/// The solved vertices around a part.
enum Boundary {
    Nothing,
    /// Vertices with the same value.
    Level(BigRational),
    /// The steepest path, from its greatest value to its least.
    Path(VertexPath),
}

struct Slopes<'a> {
    arena: &'a Arena,
    values: Vec<Option<BigRational>>,
    floats: Vec<f64>,
    /// The height above a line of the current slope that paths to each vertex reach, and the vertex
    /// before it on the best path: from above, and from below.
    reach: [Vec<f64>; 2],
    from: [Vec<u32>; 2],
}

/// A vertex in the queue of a pass, which is ordered by the greatest reach first.
struct QueuedVertex(f64, u32);

const NOWHERE: u32 = u32::MAX;

impl<'a> Slopes<'a> {
    fn new(arena: &'a Arena, exits: &[BigRational]) -> Self {
        let len = arena.forever();
        let mut values = vec![None; arena.len];
        values.extend(exits.iter().cloned().map(Some));
        let floats = values.iter().map(float).collect();
        let reach = [(); 2].map(|()| vec![f64::NEG_INFINITY; len]);
        Self {
            arena,
            values,
            floats,
            reach,
            from: [(); 2].map(|()| vec![NOWHERE; len]),
        }
    }

    fn settle(&mut self, vertex: u32, value: BigRational) {
        self.values[vertex as usize] = Some(value);
        self.floats[vertex as usize] = float(&self.values[vertex as usize]);
    }

    fn neighbours(&self, vertex: u32) -> &'a [u32] {
        self.arena.heads(vertex as usize, Player::Alice)
    }

    fn is_solved(&self, vertex: u32) -> bool {
        self.values[vertex as usize].is_some()
    }

    /// Finds the steepest path through a part.
    fn steepest(&mut self, part: &[u32]) -> Boundary {
        let around = |vertex: &u32| {
            self.neighbours(*vertex)
                .iter()
                .filter(|head| self.is_solved(**head))
        };
        let mut edge: Vec<u32> = part.iter().flat_map(around).copied().collect();
        edge.sort_unstable();
        edge.dedup();
        let value = |vertex: &u32| self.values[*vertex as usize].as_ref();
        let (Some(least), Some(most)) = (
            edge.iter().min_by_key(|v| value(v)),
            edge.iter().max_by_key(|v| value(v)),
        ) else {
            return Boundary::Nothing;
        };
        if value(least) == value(most) {
            return Boundary::Level(value(least).expect("the edge is solved").clone());
        }
        // At slope 0 the first path joins the extreme values; each later slope is at least as
        // great.
        let (mut slope, mut best) = (0.0, None);
        loop {
            self.pass(part, 0, slope);
            self.pass(part, 1, slope);
            let excess =
                |vertex: &u32| self.reach[0][*vertex as usize] + self.reach[1][*vertex as usize];
            let through = part
                .iter()
                .copied()
                .max_by(|a, b| excess(a).total_cmp(&excess(b)))
                .expect("a part is not empty");
            let path = self.path(through);
            let (top, bottom) = (path[0], path[path.len() - 1]);
            let found = (self.floats[top as usize] - self.floats[bottom as usize])
                / (path.len() - 1) as f64;
            match best {
                // The path that gave this slope is kept: the new one may be less steep by a
                // rounding error.
                Some(best) if found <= slope * (1.0 + TOLERANCE) => {
                    return Boundary::Path(self.certain(part, best, slope));
                }
                Some(_) | None => {}
            }
            (slope, best) = (found, Some(path));
        }
    }

    /// Returns the exact steepest path, where floats have found one of this slope, which the last
    /// passes used.
    fn certain(&self, part: &[u32], path: VertexPath, slope: f64) -> VertexPath {
        // The bound exceeds the rounding errors of a sum along the longest path.
        let error = 16.0 * f64::EPSILON * (part.len() + 8) as f64;
        let near = |vertex: &u32| {
            self.reach[0][*vertex as usize] + self.reach[1][*vertex as usize] >= -error
        };
        let through: FxHashSet<u32> = part.iter().copied().filter(near).collect();
        let inner = &path[1..path.len() - 1];
        let alone = through.len() == inner.len()
            && inner.iter().all(|vertex| through.contains(vertex))
            && inner.iter().all(|vertex| {
                (0..2).all(|side| self.comes_from_one(*vertex, side, slope, error, &through))
            });
        if alone {
            return path;
        }
        let neighbours = |vertex| self.neighbours(vertex);
        Candidates {
            neighbours,
            values: &self.values,
            through,
        }
        .steepest(path)
    }

    /// Returns whether only one neighbour can be the one before a vertex in a pass.
    fn comes_from_one(
        &self,
        vertex: u32,
        side: usize,
        slope: f64,
        error: f64,
        through: &FxHashSet<u32>,
    ) -> bool {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let from = |head: &&u32| {
            let before = match self.is_solved(**head) {
                true => sign * self.floats[**head as usize],
                false if through.contains(head) => self.reach[side][**head as usize],
                false => return false,
            };
            before - slope >= self.reach[side][vertex as usize] - error
        };
        self.neighbours(vertex).iter().filter(from).count() == 1
    }

    /// Computes for each vertex of a part the greatest height above a line of this slope that a
    /// path from a solved vertex reaches: from above for side 0, from below (all values with the
    /// other sign) for side 1.
    fn pass(&mut self, part: &[u32], side: usize, slope: f64) {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let mut queue = BinaryHeap::new();
        for &vertex in part {
            let solved = self
                .neighbours(vertex)
                .iter()
                .filter(|head| self.is_solved(**head));
            let reached = solved.map(|head| (sign * self.floats[*head as usize] - slope, *head));
            let (reach, from) = reached
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .unwrap_or((f64::NEG_INFINITY, NOWHERE));
            (
                self.reach[side][vertex as usize],
                self.from[side][vertex as usize],
            ) = (reach, from);
            if from != NOWHERE {
                queue.push(QueuedVertex(reach, vertex));
            }
        }
        while let Some(QueuedVertex(reach, vertex)) = queue.pop() {
            // The vertex was reached from higher after this entry was queued.
            if reach < self.reach[side][vertex as usize] {
                continue;
            }
            for &head in self.neighbours(vertex) {
                if !self.is_solved(head) && reach - slope > self.reach[side][head as usize] {
                    self.reach[side][head as usize] = reach - slope;
                    self.from[side][head as usize] = vertex;
                    queue.push(QueuedVertex(reach - slope, head));
                }
            }
        }
    }

    /// Returns the path through a vertex that both passes have found, from above to below. At slope
    /// 0 its halves may share more than this vertex; at a positive slope they do not, because the
    /// shortcut would have a greater excess.
    fn path(&self, through: u32) -> Vec<u32> {
        let side = |side: usize| {
            let mut path = vec![through];
            let mut vertex = through;
            while !self.is_solved(vertex) {
                vertex = self.from[side][vertex as usize];
                path.push(vertex);
            }
            path
        };
        let (mut down, up) = (side(1), side(0));
        let mut path: Vec<u32> = up.into_iter().rev().collect();
        path.extend(down.drain(1..));
        path
    }

    /// Gives the vertices of a path values that increase evenly.
    fn rise(&mut self, path: &[u32]) {
        let end = |vertex: u32| {
            self.values[vertex as usize]
                .clone()
                .expect("a path ends at solved vertices")
        };
        let (top, bottom) = (end(path[0]), end(path[path.len() - 1]));
        let step = (&top - &bottom) / BigInt::from(path.len() - 1);
        // The ends are solved and keep their values.
        for (i, &vertex) in path[1..path.len() - 1].iter().rev().enumerate() {
            self.settle(vertex, &bottom + &step * BigInt::from(i + 1));
        }
    }

    /// Returns the connected parts of the vertices of a part that are still unsolved.
    fn split(&self, part: &[u32]) -> Vec<Vec<u32>> {
        let mut met = FxHashSet::default();
        let mut parts = Vec::new();
        for &start in part {
            if self.is_solved(start) || !met.insert(start) {
                continue;
            }
            let mut piece = vec![start];
            let mut next = 0;
            while let Some(&vertex) = piece.get(next) {
                next += 1;
                piece.extend(
                    self.neighbours(vertex)
                        .iter()
                        .filter(|head| !self.is_solved(**head) && met.insert(**head)),
                );
            }
            parts.push(piece);
        }
        parts
    }
}

fn float(value: &Option<BigRational>) -> f64 {
    value.as_ref().and_then(ToPrimitive::to_f64).unwrap_or(0.0)
}

impl Ord for QueuedVertex {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl PartialOrd for QueuedVertex {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for QueuedVertex {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for QueuedVertex {}
