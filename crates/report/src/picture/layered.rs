//! Computes a layered drawing of a directed graph (Sugiyama, Tagawa & Toda 1981).
//!
//! Cycles are broken by a depth-first search, and vertices are assigned to rows. An edge that
//! passes a row has a *joint* there, and so does an edge with a label. Rows are ordered by
//! barycentres and by exchanges of neighbours, which reduces crossings. [`across`] then places the
//! vertices of each row. [`mirrored`] draws symmetric graphs.

use super::board::Point;
use super::{across, mirrored};
use bid_language::watch::{Context, Stop};

/// The distance between neighbours in a row.
pub(super) const APART: f64 = 26.0;
/// The distance between an edge that passes a row and its neighbours.
pub(super) const ASIDE: f64 = 14.0;
/// The distance between rows.
const BETWEEN: f64 = 44.0;
/// The number of sweeps without fewer crossings after which the ordering ends.
const PATIENCE: usize = 8;

/// Boxes and the edges between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes<'a> {
    /// The width and height of each box.
    pub(super) sizes: &'a [(f64, f64)],
    /// The width of the border of each box at which edges may end.
    pub(super) borders: &'a [f64],
    /// The tail and head of each edge.
    pub(super) edges: &'a [(usize, usize)],
    /// The width and height of each edge's label; 0 by 0 if it has none.
    pub(super) labels: &'a [(f64, f64)],
    /// `true` if the edges are the covers of a partial order. The drawing is then centred.
    pub(super) is_order: bool,
    /// The image of each box, if exchanging boxes with their images reverses all edges. The drawing
    /// is then symmetric about a level line.
    pub(super) mirror: Option<&'a [usize]>,
}

/// The places of boxes, edges and labels.
#[derive(Debug)]
pub(super) struct DrawingPlaces {
    /// The middle of each box.
    pub(super) middles: Vec<Point>,
    /// The points through which each edge passes between its ends, from tail to head.
    pub(super) bends: Vec<Vec<Point>>,
    /// The middle of each label.
    pub(super) labels: Vec<Point>,
}

/// A box, or a joint of an edge.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LayeredNode {
    /// The distances from its middle to its left and to its right end.
    pub(super) reach: [f64; 2],
    pub(super) height: f64,
    pub(super) is_joint: bool,
}

/// A graph in rows, in which each edge leads to the next row.
#[derive(Debug, Default)]
pub(super) struct LayeredGraph {
    pub(super) nodes: Vec<LayeredNode>,
    /// The nodes of each row, from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// The index of each node in its row.
    pub(super) place: Vec<usize>,
    /// The neighbours of each node in the row above and in the row below.
    pub(super) neighbours: [Vec<Vec<usize>>; 2],
    /// The nodes on each edge, from the top down. A loop has none.
    pub(super) chains: Vec<Vec<usize>>,
}

/// Places boxes and edges from the top down.
pub(super) fn place(boxes: Boxes<'_>, context: &Context<'_>) -> Result<DrawingPlaces, Stop> {
    if let Some(mirror) = boxes.mirror
        && let Some(placed) = mirrored::place(boxes, mirror, context)?
    {
        return Ok(placed);
    }
    let (down, ranks) = ranked(boxes.sizes.len(), boxes.edges, boxes.step());
    let mut layers = LayeredGraph::of(boxes, &down, &ranks);
    layers.order(context)?;
    let xs = boxes.across(&layers, context)?;
    Ok(placed(boxes, &layers, &xs))
}

/// Returns the places of boxes, edges and labels, given the places of all nodes from the left.
pub(super) fn placed(boxes: Boxes<'_>, layers: &LayeredGraph, xs: &[f64]) -> DrawingPlaces {
    let ys = layers.heights(boxes);
    let at = |node: usize| (xs[node], ys[node]);
    let middles: Vec<Point> = (0..boxes.sizes.len()).map(at).collect();
    let bends = boxes.edges.iter().zip(&layers.chains).map(|(edge, chain)| {
        let inner = chain.get(1..chain.len().saturating_sub(1));
        let mut bends: Vec<Point> = inner.unwrap_or_default().iter().map(|&n| at(n)).collect();
        // Chains lead down, but an edge that was reversed to break a cycle leads up.
        if chain.first() == Some(&edge.1) {
            bends.reverse();
        }
        bends
    });
    let bends = bends.collect();
    let labels = boxes.edges.iter().enumerate().map(|(edge, &(tail, _))| {
        let chain = &layers.chains[edge];
        match chain[..] {
            [] => {
                let (width, _) = boxes.labels[edge];
                let right = boxes.sizes[tail].0 / 2.0 + ASIDE + width / 2.0;
                let down = boxes.strip(edge).middle;
                (middles[tail].0 + right, middles[tail].1 + down)
            }
            _ => at(chain[chain.len() / 2]),
        }
    });
    let labels = labels.collect();
    DrawingPlaces {
        middles,
        bends,
        labels,
    }
}

impl Boxes<'_> {
    /// Computes the place of each node, from the left.
    pub(super) fn across(
        self,
        layers: &LayeredGraph,
        context: &Context<'_>,
    ) -> Result<Vec<f64>, Stop> {
        let mut xs = across::places(layers, context)?;
        if self.is_order {
            across::centre(layers, &mut xs);
        }
        Ok(xs)
    }

    /// Returns the number of rows from one box to the next. If edges have labels, every other row
    /// is for labels.
    fn step(self) -> usize {
        1 + usize::from(self.labels.iter().any(|label| label.0 > 0.0))
    }

    /// Returns the strip beside its vertex that a loop occupies, relative to the middle of the
    /// vertex. The loops of a vertex stand one below another.
    pub(super) fn strip(self, edge: usize) -> LoopStrip {
        let (tail, _) = self.edges[edge];
        let loops = || (0..self.edges.len()).filter(|&other| self.edges[other] == (tail, tail));
        let label = loops().fold(0.0, |most: f64, other| most.max(self.labels[other].1));
        let height = (self.sizes[tail].1 / loops().count() as f64).max(label);
        let middle = (loops().count() - 1) as f64 / 2.0;
        let above = loops().take_while(|&other| other < edge).count();
        LoopStrip {
            middle: (above as f64 - middle) * height,
            height,
            of_all: loops().count() as f64 * height,
        }
    }
}

/// The room of a loop beside its vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoopStrip {
    /// The distance of its middle below the vertex's middle.
    pub(super) middle: f64,
    pub(super) height: f64,
    /// The total height of all loops of the vertex.
    of_all: f64,
}

impl LayeredGraph {
    /// Creates the graph of boxes in these rows, with the directions of the edges.
    pub(super) fn of(boxes: Boxes<'_>, down: &[bool], ranks: &[usize]) -> Self {
        let mut layers = Self {
            rows: vec![Vec::new(); ranks.iter().max().map_or(0, |last| last + 1)],
            ..Self::default()
        };
        for (&(width, height), &rank) in boxes.sizes.iter().zip(ranks) {
            let node = LayeredNode {
                reach: [width / 2.0; 2],
                height,
                is_joint: false,
            };
            layers.add(node, rank);
        }
        for (edge, &(tail, head)) in boxes.edges.iter().enumerate() {
            let (width, height) = boxes.labels[edge];
            if tail == head {
                // A loop stands at the right of its vertex, with its label beside it.
                let room = boxes.sizes[tail].0 / 2.0 + 2.0 * ASIDE + width;
                let reach = &mut layers.nodes[tail].reach[1];
                *reach = reach.max(room);
                let height = &mut layers.nodes[tail].height;
                *height = height.max(boxes.strip(edge).of_all);
                layers.chains.push(Vec::new());
                continue;
            }
            let (upper, lower) = if down[edge] {
                (tail, head)
            } else {
                (head, tail)
            };
            let between = ranks[upper] + 1..ranks[lower];
            // The label stands in the middle of the edge, where it is farthest from both boxes.
            let labelled = ranks[upper] + between.len().div_ceil(2);
            let mut chain = vec![upper];
            for rank in between {
                let (width, height) = if rank == labelled {
                    (width, height)
                } else {
                    (0.0, 0.0)
                };
                let joint = LayeredNode {
                    reach: [width / 2.0; 2],
                    height,
                    is_joint: true,
                };
                chain.push(layers.add(joint, rank));
            }
            chain.push(lower);
            for step in chain.windows(2) {
                layers.neighbours[0][step[1]].push(step[0]);
                layers.neighbours[1][step[0]].push(step[1]);
            }
            layers.chains.push(chain);
        }
        layers
    }

    pub(super) fn add(&mut self, node: LayeredNode, rank: usize) -> usize {
        let row = &mut self.rows[rank];
        self.place.push(row.len());
        row.push(self.nodes.len());
        self.nodes.push(node);
        self.neighbours
            .iter_mut()
            .for_each(|side| side.push(Vec::new()));
        self.nodes.len() - 1
    }

    /// Computes the middle of each node's row, from the top down.
    fn heights(&self, boxes: Boxes<'_>) -> Vec<f64> {
        let gap = BETWEEN / boxes.step() as f64;
        let mut heights = vec![0.0; self.nodes.len()];
        let mut top = 0.0;
        for row in &self.rows {
            let tallest = row.iter().map(|&node| self.nodes[node].height);
            let tallest = tallest.fold(0.0, f64::max);
            for &node in row {
                heights[node] = top + tallest / 2.0;
            }
            top += tallest + gap;
        }
        heights
    }

    /// Orders the rows so that few edges cross.
    pub(super) fn order(&mut self, context: &Context<'_>) -> Result<(), Stop> {
        let mut best = (self.crossings(), self.rows.clone());
        let mut idle = 0;
        for round in 0.. {
            if best.0 == 0 || idle == PATIENCE {
                break;
            }
            context.check()?;
            self.sweep(round);
            // Barycentres leave some crossings between neighbours, which exchanges remove.
            self.exchange(context)?;
            let crossings = self.crossings();
            idle += 1;
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
                idle = 0;
            }
        }
        self.rows = best.1;
        for row in 0..self.rows.len() {
            self.number(row);
        }
        Ok(())
    }

    fn number(&mut self, row: usize) {
        for (place, &node) in self.rows[row].iter().enumerate() {
            self.place[node] = place;
        }
    }

    /// Orders each row by the mean index of its neighbours. Even rounds go from the top down and
    /// use the row above, odd rounds the reverse. In the second of every two pairs of rounds, nodes
    /// with equal means are reversed.
    fn sweep(&mut self, round: usize) {
        let side = round % 2;
        let count = self.rows.len();
        for step in 1..count {
            let index = if side == 0 { step } else { count - 1 - step };
            let mut row = std::mem::take(&mut self.rows[index]);
            // Sorting is stable, so that only a reversal lets nodes with equal means change places.
            if round % 4 >= 2 {
                row.reverse();
            }
            row.sort_by(|&a, &b| self.mean(side, a).total_cmp(&self.mean(side, b)));
            self.rows[index] = row;
            self.number(index);
        }
    }

    fn mean(&self, side: usize, node: usize) -> f64 {
        let neighbours = &self.neighbours[side][node];
        if neighbours.is_empty() {
            return self.place[node] as f64;
        }
        let sum: usize = neighbours.iter().map(|&other| self.place[other]).sum();
        sum as f64 / neighbours.len() as f64
    }

    /// Exchanges neighbours in a row as long as this reduces the crossings.
    fn exchange(&mut self, context: &Context<'_>) -> Result<(), Stop> {
        let mut is_better = true;
        while is_better {
            is_better = false;
            for row in 0..self.rows.len() {
                context.check()?;
                for left in 1..self.rows[row].len() {
                    let (a, b) = (self.rows[row][left - 1], self.rows[row][left]);
                    if self.crossings_of(b, a) < self.crossings_of(a, b) {
                        self.rows[row].swap(left - 1, left);
                        (self.place[a], self.place[b]) = (left, left - 1);
                        is_better = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts the crossings between the edges of two nodes of a row, if the first stands to the
    /// left.
    fn crossings_of(&self, left: usize, right: usize) -> usize {
        let sides = self.neighbours.iter();
        let of_side = sides.map(|side| {
            let pairs = side[left]
                .iter()
                .flat_map(|a| side[right].iter().map(move |b| (a, b)));
            let crossing = pairs.filter(|(a, b)| self.place[**a] > self.place[**b]);
            crossing.count()
        });
        of_side.sum()
    }

    /// Counts the crossings of edges.
    fn crossings(&self) -> usize {
        let mut crossings = 0;
        for row in &self.rows {
            // The number of edges seen so far that end at each index of the next row.
            let mut ends: Vec<usize> = Vec::new();
            for &node in row {
                let places = self.neighbours[1][node].iter().map(|&n| self.place[n]);
                let places: Vec<usize> = places.collect();
                for &place in &places {
                    // An edge crosses those of earlier nodes that end to the right of its own end.
                    crossings += ends.get(place + 1..).map_or(0, |right| right.iter().sum());
                }
                // Edges of one node do not cross, so that they are counted only after all of them
                // were looked up.
                for place in places {
                    ends.resize(ends.len().max(place + 1), 0);
                    ends[place] += 1;
                }
            }
        }
        crossings
    }
}

/// Breaks cycles, and assigns rows to vertices. Returns for each edge `true` if it leads down, and
/// for each vertex its row: as far up as its edges allow, or as far down if more of them lead down
/// than up.
fn ranked(count: usize, edges: &[(usize, usize)], length: usize) -> (Vec<bool>, Vec<usize>) {
    let mut out = vec![Vec::new(); count];
    for (edge, &(tail, head)) in edges.iter().enumerate() {
        if tail != head {
            out[tail].push(edge);
        }
    }
    let mut down = vec![true; edges.len()];
    // The vertices in the order in which the search leaves them, lower ones first.
    let mut left: Vec<usize> = Vec::new();
    let mut state = vec![VisitState::New; count];
    for root in 0..count {
        let mut stack = vec![(root, 0)];
        while let Some((vertex, next)) = stack.pop() {
            if next == 0 {
                if state[vertex] != VisitState::New {
                    continue;
                }
                state[vertex] = VisitState::Open;
            }
            let Some(&edge) = out[vertex].get(next) else {
                state[vertex] = VisitState::Left;
                left.push(vertex);
                continue;
            };
            stack.push((vertex, next + 1));
            let head = edges[edge].1;
            match state[head] {
                VisitState::New => stack.push((head, 0)),
                // The head is still open, so that the edge closes a cycle.
                VisitState::Open => down[edge] = false,
                VisitState::Left => {}
            }
        }
    }
    let mut above = vec![Vec::new(); count];
    let mut below = vec![Vec::new(); count];
    for (&(tail, head), down) in edges.iter().zip(&down) {
        let (upper, lower) = if *down { (tail, head) } else { (head, tail) };
        if upper != lower {
            above[lower].push(upper);
            below[upper].push(lower);
        }
    }
    let mut ranks = vec![0; count];
    // A vertex is left after all below it, so that the reverse order goes from the top down.
    for &vertex in left.iter().rev() {
        let highest = above[vertex].iter().map(|&upper| ranks[upper] + length);
        ranks[vertex] = highest.max().unwrap_or(0);
    }
    for &vertex in &left {
        // A lower vertex has a rank of at least `length`, so that the difference is not negative.
        let lowest = below[vertex].iter().map(|&lower| ranks[lower] - length);
        if let Some(lowest) = lowest.min()
            && below[vertex].len() > above[vertex].len()
        {
            ranks[vertex] = lowest;
        }
    }
    (down, ranks)
}

/// The state of a vertex in a depth-first search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VisitState {
    New,
    Open,
    Left,
}
