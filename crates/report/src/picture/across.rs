//! Computes the places of nodes within their rows (Brandes & Köpf 2001, "Fast and simple horizontal
//! coordinate assignment").
//!
//! Nodes are aligned into vertical blocks in four ways: with their upper or lower neighbours, from
//! the left or from the right. Each way packs its blocks. A node is placed at the mean of the two
//! middle places of the four.

use std::collections::HashSet;

use super::layered::{APART, ASIDE, LayeredGraph, LayeredNode};
use bid_language::watch::{Context, Stop};

/// Computes the place of each node, from the left.
pub(super) fn places(layers: &LayeredGraph, context: &Context<'_>) -> Result<Vec<f64>, Stop> {
    let crossed = crossed(layers);
    let mut ways: Vec<Vec<f64>> = Vec::new();
    for side in [0, 1] {
        for mirrored in [false, true] {
            context.check()?;
            let way = Alignment {
                layers,
                crossed: &crossed,
                side,
                mirrored,
            };
            ways.push(way.packed(&way.blocks()));
        }
    }
    let narrowest = ways
        .iter()
        .map(|way| span(layers, way))
        .min_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
    let narrowest = narrowest.unwrap_or_default();
    for (index, way) in ways.iter_mut().enumerate() {
        // Alignments from the left are shifted to a common left end, those from the right to a
        // common right end.
        let end = index % 2;
        let shift = narrowest[end] - span(layers, way)[end];
        way.iter_mut().for_each(|x| *x += shift);
    }
    let mean = |node: usize| {
        let mut places = [0, 1, 2, 3].map(|way| ways[way][node]);
        places.sort_by(f64::total_cmp);
        (places[1] + places[2]) / 2.0
    };
    Ok((0..layers.nodes.len()).map(mean).collect())
}

/// Centres an order. All edges pass through the node of a row that has only one, so it stands in
/// the middle. The rows between two of these are moved together, which keeps their edges as they
/// are.
pub(super) fn centre(layers: &LayeredGraph, xs: &mut [f64]) {
    let is_single = |row: &Vec<usize>| row.len() == 1;
    for rows in layers.rows.chunk_by(|a, b| !is_single(a) && !is_single(b)) {
        let nodes = || rows.iter().flatten();
        let of_node = |&node: &usize| {
            let [left, right] = layers.nodes[node].reach;
            [xs[node] - left, xs[node] + right]
        };
        let ends = nodes().map(of_node);
        let ends = ends.reduce(|all, ends| [all[0].min(ends[0]), all[1].max(ends[1])]);
        let middle = ends.map_or(0.0, |[left, right]| (left + right) / 2.0);
        nodes().for_each(|node| xs[*node] -= middle);
    }
}

/// Returns the leftmost and the rightmost point.
fn span(layers: &LayeredGraph, way: &[f64]) -> [f64; 2] {
    let ends = layers.nodes.iter().zip(way);
    ends.fold([f64::INFINITY, f64::NEG_INFINITY], |span, (node, x)| {
        [
            span[0].min(x - node.reach[0]),
            span[1].max(x + node.reach[1]),
        ]
    })
}

/// Finds the steps of edges, from above, that cross a step between two joints. They are not
/// aligned, so that long edges stay straight.
fn crossed(layers: &LayeredGraph) -> HashSet<(usize, usize)> {
    let is_joint = |node: usize| layers.nodes[node].is_joint;
    let steps = |row: &[usize]| -> Vec<(usize, usize)> {
        let of_node = |&upper: &usize| {
            let lower = layers.neighbours[1][upper].iter();
            lower.map(move |&lower| (upper, lower))
        };
        row.iter().flat_map(of_node).collect()
    };
    let mut crossed = HashSet::new();
    for row in &layers.rows {
        let steps = steps(row);
        let is_inner = |step: &&(usize, usize)| is_joint(step.0) && is_joint(step.1);
        for inner in steps.iter().filter(is_inner) {
            let crosses = |step: &&(usize, usize)| {
                let above = layers.place[step.0].cmp(&layers.place[inner.0]);
                let below = layers.place[step.1].cmp(&layers.place[inner.1]);
                above.is_lt() && below.is_gt() || above.is_gt() && below.is_lt()
            };
            let others = steps.iter().filter(|step| !is_inner(step));
            crossed.extend(others.filter(crosses));
        }
    }
    crossed
}

/// One of the four ways to align nodes.
struct Alignment<'a> {
    layers: &'a LayeredGraph,
    crossed: &'a HashSet<(usize, usize)>,
    /// 0 if nodes are aligned with their upper neighbours, 1 with their lower ones.
    side: usize,
    /// `true` if rows are traversed from the right.
    mirrored: bool,
}

impl Alignment<'_> {
    fn rows(&self) -> Vec<Vec<usize>> {
        let mut rows = self.layers.rows.clone();
        if self.side == 1 {
            rows.reverse();
        }
        if self.mirrored {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        rows
    }

    /// Finds the block of each node, identified by its first node. A node is aligned with the
    /// middle one of its neighbours in the row before, unless that would cross an alignment.
    fn blocks(&self) -> Vec<usize> {
        let layers = self.layers;
        let mut block: Vec<usize> = (0..layers.nodes.len()).collect();
        let place = |node: usize, of: usize| {
            let place = layers.place[node];
            if self.mirrored { of - place } else { place + 1 }
        };
        let rows = self.rows();
        for pair in rows.windows(2) {
            // The greatest place in the row before that is already aligned, counted from 1.
            let mut aligned = 0;
            for &node in &pair[1] {
                let mut others = layers.neighbours[self.side][node].clone();
                others.sort_by_key(|&other| place(other, pair[0].len()));
                let last = others.len().saturating_sub(1);
                // An even number of neighbours has two middle ones, and the first that is free is
                // taken.
                let middle = others.get(last / 2..=last.div_ceil(2));
                for &other in middle.unwrap_or_default() {
                    let step = match self.side {
                        0 => (other, node),
                        _ => (node, other),
                    };
                    // Places must increase along the row, because otherwise two alignments would
                    // cross.
                    let is_free = place(other, pair[0].len()) > aligned;
                    if block[node] == node && is_free && !self.crossed.contains(&step) {
                        block[node] = block[other];
                        aligned = place(other, pair[0].len());
                    }
                }
            }
        }
        block
    }

    /// Computes the place of each node, with each block first placed as far to the left as
    /// possible, and then moved as near to its right neighbours as possible.
    fn packed(&self, block: &[usize]) -> Vec<f64> {
        let count = block.len();
        // The blocks next to the left and to the right of each one, with their distances.
        let mut nearest = [vec![Vec::new(); count], vec![Vec::new(); count]];
        for row in self.rows() {
            for pair in row.windows(2) {
                let gap = self.gap(pair[0], pair[1]);
                let (a, b) = (block[pair[0]], block[pair[1]]);
                nearest[0][b].push((a, gap));
                nearest[1][a].push((b, gap));
            }
        }
        // Blocks are placed in topological order, each after all blocks to its left.
        let mut missing: Vec<usize> = nearest[0].iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..count)
            .filter(|&node| block[node] == node && missing[node] == 0)
            .collect();
        let mut x = vec![0.0_f64; count];
        let mut next = 0;
        while let Some(&current) = order.get(next) {
            next += 1;
            for &(right, gap) in &nearest[1][current] {
                x[right] = x[right].max(x[current] + gap);
                missing[right] -= 1;
                if missing[right] == 0 {
                    order.push(right);
                }
            }
        }
        // From the right, a block's right neighbours have moved before it.
        for &current in order.iter().rev() {
            let rights = nearest[1][current].iter();
            let most = rights.map(|&(right, gap)| x[right] - gap).reduce(f64::min);
            // A block has the leftmost place that its left neighbours allow, so it can only move
            // right.
            x[current] = most.unwrap_or(x[current]).max(x[current]);
        }
        // A mirrored way was packed from the right, so that its places count to the left.
        let sign = if self.mirrored { -1.0 } else { 1.0 };
        block.iter().map(|&block| sign * x[block]).collect()
    }

    /// Returns the distance between the middles of two neighbours.
    fn gap(&self, first: usize, second: usize) -> f64 {
        let half = |node: LayeredNode| if node.is_joint { ASIDE } else { APART } / 2.0;
        let (a, b) = (self.layers.nodes[first], self.layers.nodes[second]);
        let (left, right) = if self.mirrored { (b, a) } else { (a, b) };
        left.reach[1] + half(left) + half(right) + right.reach[0]
    }
}
