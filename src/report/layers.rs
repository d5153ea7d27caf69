//! A layered layout of an acyclic drawing (Sugiyama, Tagawa & Toda 1981): layers by distance, long edges bent at each layer, few
//! crossings by barycentres, and rows packed about the means of their neighbours.

/// The size of a vertex, and its layer from the top.
#[derive(Debug, Clone, Copy)]
pub(super) struct Box2 {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) layer: usize,
}

/// Where everything stands.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// The middle of each vertex.
    pub(super) middles: Vec<(f64, f64)>,
    /// The bends of each edge, its ends at the borders of the vertices included.
    pub(super) paths: Vec<Vec<(f64, f64)>>,
    /// The width and height of the drawing.
    pub(super) size: (f64, f64),
}

const GAP: f64 = 26.0;
const BETWEEN: f64 = 44.0;
const MARGIN: f64 = 16.0;
const SWEEPS: usize = 24;

/// Lays out vertices and edges that lead to later layers.
pub(super) fn lay_out(vertices: &[Box2], edges: &[(usize, usize)]) -> Layout {
    let mut drawing = Drawing::new(vertices, edges);
    for sweep in 0..SWEEPS {
        drawing.sort(sweep % 2 == 0);
    }
    for sweep in 0..SWEEPS {
        drawing.spread(sweep % 2 == 0);
    }
    drawing.finish(vertices, edges)
}

struct Drawing {
    widths: Vec<f64>,
    rows: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    x: Vec<f64>,
    /// The vertices and bends that each edge passes.
    chains: Vec<Vec<usize>>,
}

impl Drawing {
    fn new(vertices: &[Box2], edges: &[(usize, usize)]) -> Self {
        let layers = vertices.iter().map(|vertex| vertex.layer + 1).max().unwrap_or(0);
        let mut rows = vec![Vec::new(); layers];
        for (index, vertex) in vertices.iter().enumerate() {
            rows[vertex.layer].push(index);
        }
        let mut widths: Vec<f64> = vertices.iter().map(|vertex| vertex.width).collect();
        let mut chains = Vec::new();
        for &(tail, head) in edges {
            let mut chain = vec![tail];
            for row in &mut rows[vertices[tail].layer + 1..vertices[head].layer] {
                row.push(widths.len());
                chain.push(widths.len());
                widths.push(4.0);
            }
            chain.push(head);
            chains.push(chain);
        }
        let (mut above, mut below) = (vec![Vec::new(); widths.len()], vec![Vec::new(); widths.len()]);
        for chain in &chains {
            for pair in chain.windows(2) {
                above[pair[1]].push(pair[0]);
                below[pair[0]].push(pair[1]);
            }
        }
        let x = vec![0.0; widths.len()];
        let mut drawing = Self { widths, rows, above, below, x, chains };
        (0..layers).for_each(|row| drawing.pack(row));
        drawing
    }

    /// Puts the members of a row side by side in their order.
    fn pack(&mut self, row: usize) {
        let mut left = 0.0;
        for &member in &self.rows[row] {
            self.x[member] = left + self.widths[member] / 2.0;
            left += self.widths[member] + GAP;
        }
    }

    fn order_of(&self, down: bool) -> Vec<usize> {
        if down { (0..self.rows.len()).collect() } else { (0..self.rows.len()).rev().collect() }
    }

    /// The mean place of the neighbours in the row before, in the direction of the sweep.
    fn mean(&self, member: usize, down: bool) -> f64 {
        let neighbours = if down { &self.above[member] } else { &self.below[member] };
        if neighbours.is_empty() {
            return self.x[member];
        }
        neighbours.iter().map(|&each| self.x[each]).sum::<f64>() / neighbours.len() as f64
    }

    fn sort(&mut self, down: bool) {
        for row in self.order_of(down) {
            let mut members = std::mem::take(&mut self.rows[row]);
            members.sort_by(|&a, &b| self.mean(a, down).total_cmp(&self.mean(b, down)));
            self.rows[row] = members;
            self.pack(row);
        }
    }

    /// Moves each row to the means of its neighbours, as far as its members keep their distance: midway between what
    /// is pushed to the right and what is pushed to the left.
    fn spread(&mut self, down: bool) {
        for row in self.order_of(down) {
            let members = self.rows[row].clone();
            let wanted: Vec<f64> = members.iter().map(|&member| self.mean(member, down)).collect();
            let apart = |a: usize, b: usize| (self.widths[members[a]] + self.widths[members[b]]) / 2.0 + GAP;
            let (mut right, mut left) = (wanted.clone(), wanted);
            for place in 1..members.len() {
                right[place] = right[place].max(right[place - 1] + apart(place - 1, place));
            }
            for place in (1..members.len()).rev() {
                left[place - 1] = left[place - 1].min(left[place] - apart(place - 1, place));
            }
            for (place, &member) in members.iter().enumerate() {
                self.x[member] = (right[place] + left[place]) / 2.0;
            }
        }
    }

    fn finish(&self, vertices: &[Box2], edges: &[(usize, usize)]) -> Layout {
        let edge = |sign: f64| {
            (0..self.x.len())
                .map(|member| sign * (self.x[member] + sign * self.widths[member] / 2.0))
                .fold(f64::MIN, f64::max)
        };
        let (left, right) = (-edge(-1.0) - MARGIN, edge(1.0) + MARGIN);
        let tall = |row: usize| {
            vertices.iter().filter(|vertex| vertex.layer == row).map(|vertex| vertex.height).fold(0.0, f64::max)
        };
        let mut top = MARGIN;
        let mut y = Vec::new();
        for row in 0..self.rows.len() {
            y.push(top + tall(row) / 2.0);
            top += tall(row) + BETWEEN;
        }
        let mut row_of = vec![0; self.x.len()];
        for (row, members) in self.rows.iter().enumerate() {
            members.iter().for_each(|&member| row_of[member] = row);
        }
        let place = |member: usize| (self.x[member] - left, y[row_of[member]]);
        let path = |(chain, &(tail, head)): (&Vec<usize>, &(usize, usize))| {
            let mut path: Vec<_> = chain.iter().map(|&member| place(member)).collect();
            let last = path.len() - 1;
            path[0].1 += vertices[tail].height / 2.0;
            path[last].1 -= vertices[head].height / 2.0;
            path
        };
        Layout {
            middles: (0..vertices.len()).map(place).collect(),
            paths: self.chains.iter().zip(edges).map(path).collect(),
            size: (right - left, top - BETWEEN + MARGIN),
        }
    }
}
