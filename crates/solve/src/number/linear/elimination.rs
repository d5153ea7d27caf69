//! Elimination of the states of a walk, one by one, with those with the fewest neighbours first.
//!
//! To eliminate state u with weights `a(u, ·)` and their sum s (to later states and to known ones),
//! each predecessor i gets `a(i, u) · a(u, j) / s` more weight to each j. The total weight from i
//! does not change, so it need not be kept, and the step is free of subtractions. States on chains
//! and trees have one or two neighbours, are eliminated first, and leave no more edges than there
//! were; the rest may be dense at the end, and is then eliminated as a full matrix.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use smallvec::SmallVec;

use super::Walk;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::watch::{Context, Stop, watched};

/// The number of states that are eliminated between two checks.
const CHECK_EVERY: usize = 16;

/// A field of numbers, with only the operations that elimination needs.
pub(super) trait FieldArithmetic {
    /// The type of a number.
    type Number: Copy;
    /// Returns zero.
    fn zero(&self) -> Self::Number;
    /// Returns a weight as a number.
    fn weight(&self, weight: u32) -> Self::Number;
    /// Returns `a + b`.
    fn add(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// Returns `a · b`.
    fn mul(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// Returns `1 / a`, if there is such a number.
    fn invert(&self, a: Self::Number) -> Option<Self::Number>;
}

/// The field of floats.
pub(super) struct Reals;

impl FieldArithmetic for Reals {
    type Number = f64;

    fn zero(&self) -> f64 {
        0.0
    }

    fn weight(&self, weight: u32) -> f64 {
        weight.into()
    }

    fn add(&self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn mul(&self, a: f64, b: f64) -> f64 {
        a * b
    }

    fn invert(&self, a: f64) -> Option<f64> {
        // The sums are of numbers that are not negative, so only an underflow gives 0 where the
        // walk ends.
        (a > 0.0).then(|| a.recip())
    }
}

/// A factored system. All indices are *places*: positions in the order of elimination.
pub(super) struct Elimination<E> {
    /// The state at each place.
    order: Vec<u32>,
    /// The number `1 / s` at each place.
    pivots: Vec<E>,
    /// The numbers `a(u, j) / s` to the later places j.
    rows: Sparse<E>,
    /// The numbers `a(i, u)` from the later places i.
    columns: Sparse<E>,
}

/// Limits on the fill-in of an elimination.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    /// The greatest number of edges between the states that remain, at any time.
    edges: usize,
    /// The greatest number of states of the full matrix at the end.
    dense: usize,
}

impl Fill {
    /// No more edges than there are, and no full matrix worth mentioning at the end.
    pub(super) const NONE: Self = Self {
        edges: 0,
        dense: 64,
    };

    const ANY: Self = Self {
        edges: usize::MAX,
        dense: usize::MAX,
    };

    /// Returns the limit on edges for a system of which no state is eliminated yet.
    fn most_edges<E>(self, work: &EliminationState<E>) -> usize {
        // The walk itself may have more edges than the limit, which is about those that are added.
        self.edges.max(work.edges)
    }

    /// Returns the limit for a full matrix of at most m states, and for no more edges before.
    pub(super) fn up_to(m: usize) -> Self {
        Self {
            edges: m * m / 2,
            dense: m,
        }
    }

    /// Returns the limit at which elimination costs little more than looking at n states.
    pub(super) fn sparse(n: usize) -> Self {
        Self {
            edges: 8 * n + 4096,
            dense: 512,
        }
    }
}

/// Consecutive lists of (index, number).
struct Sparse<E> {
    starts: Vec<usize>,
    indices: Vec<u32>,
    numbers: Vec<E>,
}

impl<E: Copy> Sparse<E> {
    fn new() -> Self {
        Self {
            starts: vec![0],
            indices: Vec::new(),
            numbers: Vec::new(),
        }
    }

    fn add(&mut self, list: impl Iterator<Item = (u32, E)>) {
        list.for_each(|entry| self.push(entry));
        self.close();
    }

    /// Adds an entry to the open list.
    fn push(&mut self, (index, number): (u32, E)) {
        self.indices.push(index);
        self.numbers.push(number);
    }

    /// Ends the open list.
    fn close(&mut self) {
        self.starts.push(self.indices.len());
    }

    fn list(&self, i: usize) -> impl Iterator<Item = (usize, E)> + '_ {
        let range = self.starts[i]..self.starts[i + 1];
        self.indices[range.clone()]
            .iter()
            .map(|&index| index as usize)
            .zip(self.numbers[range].iter().copied())
    }
}

impl<E: Copy> Elimination<E> {
    /// Factors the system of a walk. Returns `None` if a pivot has no inverse.
    pub(super) fn new<F: FieldArithmetic<Number = E>>(
        walk: &Walk,
        field: &F,
        context: &Context<'_>,
    ) -> Result<Option<Self>> {
        Self::within(walk, field, Fill::ANY, context)
    }

    /// Factors the system of a walk. Returns `None` if a pivot has no inverse or the fill-in
    /// exceeds the limits.
    pub(super) fn within<F: FieldArithmetic<Number = E>>(
        walk: &Walk,
        field: &F,
        fill: Fill,
        context: &Context<'_>,
    ) -> Result<Option<Self>> {
        let mut work = EliminationState::new(walk, field, context)?;
        let most = fill.most_edges(&work);
        while let Some(state) = work.next() {
            if work.order.len() % CHECK_EVERY == 0 {
                context.check()?;
            }
            if !work.eliminate(state, field) {
                return Ok(None);
            }
            if work.is_dense() {
                let remaining = work.rows.len() - work.order.len();
                // The full matrix takes the cube of its size in time.
                return if remaining > fill.dense {
                    Ok(None)
                } else {
                    work.finish_dense(field, context)
                };
            }
            if work.edges > most {
                return Ok(None);
            }
        }
        Ok(Some(work.finish()))
    }

    /// Returns the solution for a right side, both by state.
    pub(super) fn solve<F: FieldArithmetic<Number = E>>(&self, field: &F, right: Vec<E>) -> Vec<E> {
        let mut x: Vec<_> = self
            .order
            .iter()
            .map(|&state| right[state as usize])
            .collect();
        // Forward, each state passes its right side on to the later ones that lead to it; backward,
        // each takes the values of its later successors.
        for place in 0..x.len() {
            x[place] = field.mul(self.pivots[place], x[place]);
            for (i, a) in self.columns.list(place) {
                x[i] = field.add(x[i], field.mul(a, x[place]));
            }
        }
        for place in (0..x.len()).rev() {
            let later = self.rows.list(place);
            x[place] = later.fold(x[place], |sum, (j, a)| field.add(sum, field.mul(a, x[j])));
        }
        let mut solution = right;
        for (&state, x) in self.order.iter().zip(x) {
            solution[state as usize] = x;
        }
        solution
    }
}

impl Elimination<f64> {
    /// Returns the number of binary digits of the determinant, about, which the denominators of all
    /// exact solutions divide; `None` if the fill-in exceeds the limit. A full matrix at the end is
    /// left out.
    pub(super) fn bits(walk: &Walk, fill: Fill, context: &Context<'_>) -> Result<Option<f64>> {
        let mut work = EliminationState::new(walk, &Reals, context)?;
        let most = fill.most_edges(&work);
        let mut bits = 0.0;
        while let Some(state) = work.next() {
            if work.order.len() % CHECK_EVERY == 0 {
                context.check()?;
            }
            if !work.eliminate(state, &Reals) || work.edges > most {
                return Ok(None);
            }
            // The determinant is the product of the sums, which are the inverses of the pivots.
            bits -= work.pivots.last().copied().map_or(0.0, f64::log2);
            if work.is_dense() {
                let is_small = work.rows.len() - work.order.len() <= fill.dense;
                return Ok(is_small.then_some(bits));
            }
        }
        Ok(Some(bits))
    }
}

/// A system during elimination. Lists hold states, not places, until the end.
struct EliminationState<E> {
    /// The weights from each remaining state to the others that remain.
    rows: Vec<SmallVec<[(u32, E); 3]>>,
    /// The states that have an edge to each, and eliminated ones that had. These are left where they
    /// are, because all states may have an edge to the same one.
    columns: Vec<SmallVec<[u32; 4]>>,
    /// The number of remaining states that have an edge to each.
    incoming: Vec<u32>,
    /// The weight from each remaining state to the known ones.
    exits: Vec<E>,
    queue: CostQueue,
    /// The place of each eliminated state.
    places: Vec<u32>,
    /// The index of each state in the pivot row, plus 1.
    mark: Vec<u32>,
    /// For each entry of the pivot row, `true` if the present row has one there too.
    met: Vec<bool>,
    /// The number of edges between remaining states.
    edges: usize,
    order: Vec<u32>,
    pivots: Vec<E>,
    done_rows: Sparse<E>,
    done_columns: Sparse<E>,
}

/// States by the cost of their elimination, updated lazily: an entry counts only if its cost is
/// still right. Most costs are small, and have a list each.
#[derive(Default)]
struct CostQueue {
    cheap: [Vec<u32>; CHEAP],
    /// No cheap list before this one has entries.
    first: usize,
    dear: BinaryHeap<Reverse<(u64, u32)>>,
}

/// The number of costs that have a list each.
const CHEAP: usize = 32;

impl CostQueue {
    fn push(&mut self, cost: u64, state: u32) {
        match usize::try_from(cost) {
            Ok(cost) if cost < CHEAP => {
                self.cheap[cost].push(state);
                // A cost can fall, so an earlier list may get an entry again.
                self.first = self.first.min(cost);
            }
            _ => self.dear.push(Reverse((cost, state))),
        }
    }

    /// Removes an entry of the least cost, the last one of a list.
    fn pop(&mut self) -> Option<(u64, u32)> {
        while let Some(list) = self.cheap.get_mut(self.first) {
            if let Some(state) = list.pop() {
                return Some((self.first as u64, state));
            }
            self.first += 1;
        }
        self.dear.pop().map(|Reverse(entry)| entry)
    }
}

/// The place of a state that is not eliminated.
const REMAINS: u32 = u32::MAX;

/// The number of remaining states below which a full matrix does not pay off.
const DENSE_FROM: usize = 24;

impl<E: Copy> EliminationState<E> {
    /// Creates the state, with a list for each row and each column; for a long walk this takes more
    /// memory than its graph has taken.
    fn new<F: FieldArithmetic<Number = E>>(
        walk: &Walk,
        field: &F,
        context: &Context<'_>,
    ) -> Result<Self> {
        let n = walk.len();
        let mut columns = vec![SmallVec::new(); n];
        let mut incoming = vec![0; n];
        let mut edges = 0;
        for i in watched(0..n, context) {
            let i = i?;
            for (j, _) in walk.inner(i) {
                columns[j].push(fit::<u32>(i));
                incoming[j] += 1;
                edges += 1;
            }
        }
        let row = |i| -> SmallVec<[(u32, E); 3]> {
            walk.inner(i)
                .map(|(j, weight)| (fit::<u32>(j), field.weight(weight)))
                .collect()
        };
        let rows = watched(0..n, context)
            .map(|i| i.map(row))
            .collect::<std::result::Result<_, _>>()?;
        let exit = |i| field.weight(walk.exits(i).map(|(_, weight)| weight).sum());
        let mut work = Self {
            rows,
            columns,
            incoming,
            exits: (0..n).map(exit).collect(),
            queue: CostQueue::default(),
            places: vec![REMAINS; n],
            mark: vec![0; n],
            met: Vec::new(),
            edges,
            order: Vec::with_capacity(n),
            pivots: Vec::with_capacity(n),
            done_rows: Sparse::new(),
            done_columns: Sparse::new(),
        };
        (0..fit::<u32>(n))
            // The last entry of a list is taken first, so that states of equal cost are eliminated
            // by number.
            .rev()
            .for_each(|state| work.enqueue(state));
        Ok(work)
    }

    /// Returns the number of edges that the elimination of a state may add (Markowitz 1957).
    fn cost(&self, state: u32) -> u64 {
        self.rows[state as usize].len() as u64 * u64::from(self.incoming[state as usize])
    }

    fn enqueue(&mut self, state: u32) {
        self.queue.push(self.cost(state), state);
    }

    fn next(&mut self) -> Option<u32> {
        while let Some((cost, state)) = self.queue.pop() {
            // An entry whose cost has changed is dropped, because the state was entered again with
            // the new cost.
            if self.places[state as usize] == REMAINS && cost == self.cost(state) {
                return Some(state);
            }
        }
        None
    }

    fn is_dense(&self) -> bool {
        let remaining = self.rows.len() - self.order.len();
        // From this density on the rows soon fill up, and a full matrix spends nothing on lists.
        remaining >= DENSE_FROM && 3 * self.edges > remaining * remaining
    }

    /// Eliminates a state. Returns `false` if its pivot has no inverse.
    fn eliminate<F: FieldArithmetic<Number = E>>(&mut self, state: u32, field: &F) -> bool {
        let u = state as usize;
        let row = std::mem::take(&mut self.rows[u]);
        let mut column = std::mem::take(&mut self.columns[u]);
        // Eliminated states stay in the lists until here, since removing them at once would need a
        // search.
        column.retain(|i| self.places[*i as usize] == REMAINS);
        let sum = row
            .iter()
            .fold(self.exits[u], |sum, &(_, a)| field.add(sum, a));
        let Some(pivot) = field.invert(sum) else {
            return false;
        };
        // A state has no edge to itself, so no edge is counted in both.
        self.edges -= row.len() + column.len();
        for (at, &(j, _)) in row.iter().enumerate() {
            self.mark[j as usize] = fit::<u32>(at) + 1;
            self.incoming[j as usize] -= 1;
        }
        for &i in &column {
            let weight = self.bypass(i, state, pivot, &row, field);
            self.done_columns.push((i, weight));
        }
        self.done_columns.close();
        for &(j, _) in &row {
            self.mark[j as usize] = 0;
            self.enqueue(j);
        }
        column.iter().for_each(|&i| self.enqueue(i));
        self.places[u] = fit::<u32>(self.order.len());
        self.order.push(state);
        self.pivots.push(pivot);
        self.done_rows
            .add(row.iter().map(|&(j, a)| (j, field.mul(a, pivot))));
        true
    }

    /// Redirects the edge from i to the eliminated state to that state's successors. Returns the
    /// weight that it had.
    fn bypass<F: FieldArithmetic<Number = E>>(
        &mut self,
        i: u32,
        state: u32,
        pivot: E,
        row: &[(u32, E)],
        field: &F,
    ) -> E {
        let target = &mut self.rows[i as usize];
        let at = target
            .iter()
            .position(|&(j, _)| j == state)
            .expect("an edge stands in its row and its column");
        let (_, weight) = target.swap_remove(at);
        let share = field.mul(weight, pivot);
        self.exits[i as usize] = field.add(
            self.exits[i as usize],
            field.mul(share, self.exits[state as usize]),
        );
        // The marks find an edge that both rows have in one pass over the row of i, without a
        // search per edge.
        self.met.clear();
        self.met.resize(row.len(), false);
        for (j, a) in target.iter_mut() {
            if let Some(at) = (self.mark[*j as usize] as usize).checked_sub(1) {
                *a = field.add(*a, field.mul(share, row[at].1));
                self.met[at] = true;
            }
        }
        for (&(j, a), _) in row
            .iter()
            .zip(&self.met)
            // An edge from i to itself is left out: the sum of a state has only weights that lead
            // away from it.
            .filter(|&(&(j, _), &met)| !met && j != i)
        {
            target.push((j, field.mul(share, a)));
            self.columns[j as usize].push(i);
            self.incoming[j as usize] += 1;
            self.edges += 1;
        }
        weight
    }

    /// Eliminates the remaining states as a full matrix.
    fn finish_dense<F: FieldArithmetic<Number = E>>(
        mut self,
        field: &F,
        context: &Context<'_>,
    ) -> Result<Option<Elimination<E>>> {
        let states: Vec<u32> = (0..fit::<u32>(self.rows.len()))
            .filter(|&s| self.places[s as usize] == REMAINS)
            .collect();
        let m = states.len();
        // The matrix and the factors that are copied from it are in memory at the same time.
        let (limit, entry) = (
            context.limits.max_memory,
            2 * size_of::<E>() + size_of::<u32>(),
        );
        if m.saturating_mul(m).saturating_mul(entry) as u64 > limit {
            return Err(Stop::Memory(limit).into());
        }
        for (at, &state) in states.iter().enumerate() {
            // The marks are free now, so they serve as the columns of the states in the matrix.
            self.mark[state as usize] = fit::<u32>(at);
        }
        let mut matrix = vec![field.zero(); m * m];
        for (at, &state) in states.iter().enumerate() {
            for &(j, a) in &self.rows[state as usize] {
                matrix[at * m + self.mark[j as usize] as usize] = a;
            }
        }
        for u in 0..m {
            context.check()?;
            // Later states follow in the matrix, so the pivot row is read while they are changed.
            let (before, after) = matrix.split_at_mut((u + 1) * m);
            let row = &before[u * m + u + 1..];
            let exit = self.exits[states[u] as usize];
            let sum = row.iter().fold(exit, |sum, &a| field.add(sum, a));
            let Some(pivot) = field.invert(sum) else {
                return Ok(None);
            };
            for (target, &state) in after.chunks_exact_mut(m).zip(&states[u + 1..]) {
                let share = field.mul(target[u], pivot);
                let sum = &mut self.exits[state as usize];
                *sum = field.add(*sum, field.mul(share, exit));
                for (a, &b) in target[u + 1..].iter_mut().zip(row) {
                    *a = field.add(*a, field.mul(share, b));
                }
            }
            self.places[states[u] as usize] = fit::<u32>(self.order.len());
            self.order.push(states[u]);
            self.pivots.push(pivot);
            self.done_rows.add(
                states[u + 1..]
                    .iter()
                    .zip(row)
                    .map(|(&j, &a)| (j, field.mul(a, pivot))),
            );
            let column = after.chunks_exact(m).map(|target| target[u]);
            self.done_columns
                .add(states[u + 1..].iter().copied().zip(column));
        }
        Ok(Some(self.finish()))
    }

    /// Converts states to places.
    fn finish(mut self) -> Elimination<E> {
        for index in self
            .done_rows
            .indices
            .iter_mut()
            .chain(&mut self.done_columns.indices)
        {
            *index = self.places[*index as usize];
        }
        Elimination {
            order: self.order,
            pivots: self.pivots,
            rows: self.done_rows,
            columns: self.done_columns,
        }
    }
}
