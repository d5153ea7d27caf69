//! Computes the places of the vertices and edges of a diagram. Edges meet vertices at ports along
//! their borders, and pass the rows between them vertically.

use super::board::Point;
use super::layered::{self, ASIDE, Boxes, DrawingPlaces, LoopStrip};
use bid_language::watch::{Context, Stop};

/// The places of all parts of a drawing.
#[derive(Debug, Clone)]
pub(super) struct DrawingLayout {
    /// The middle of each vertex.
    pub(super) middles: Vec<Point>,
    /// The corners of each edge from its tail's border to its head's.
    pub(super) paths: Vec<Vec<Point>>,
    /// The middle of each edge's label.
    pub(super) labels: Vec<Point>,
    /// The width and height of the drawing.
    pub(super) size: Point,
}

/// The margin around the drawing.
const MARGIN: f64 = 16.0;
/// The part of a vertex's border on which its edges start and end.
const PORTS: f64 = 0.8;
/// The least step of an edge. Shorter steps are left out.
const STEP: f64 = 0.5;
/// Lays out boxes and the edges between them from the top down.
pub(super) fn lay_out(boxes: Boxes<'_>, context: &Context<'_>) -> Result<DrawingLayout, Stop> {
    let DrawingPlaces {
        middles,
        bends,
        labels,
    } = layered::place(boxes, context)?;
    let rows = RowSpans::of(boxes.sizes, &middles);
    let ports = ports(&rows, boxes, &middles, &bends);
    let path = |(index, &(tail, head)): (usize, &(usize, usize))| match ports[index] {
        _ if tail == head => around(boxes.sizes[tail], middles[tail], boxes.strip(index)),
        [from, to] => rows.path(from, to, &bends[index]),
    };
    let paths: Vec<Vec<Point>> = boxes.edges.iter().enumerate().map(path).collect();
    Ok(DrawingLayout {
        middles,
        paths,
        labels,
        size: (0.0, 0.0),
    }
    .in_its_corner(boxes))
}

/// The rows of the drawing from the top, with the highest and lowest point of each.
struct RowSpans(Vec<(f64, f64)>);

impl RowSpans {
    fn of(boxes: &[(f64, f64)], middles: &[Point]) -> Self {
        let mut spans: Vec<(f64, f64)> = boxes
            .iter()
            .zip(middles)
            .map(|((_, height), (_, y))| (y - height / 2.0, y + height / 2.0))
            .collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut rows: Vec<(f64, f64)> = Vec::new();
        for (top, bottom) in spans {
            match rows.last_mut() {
                // The boxes of a row differ in height, but overlap.
                Some(row) if top <= row.1 => row.1 = row.1.max(bottom),
                _ => rows.push((top, bottom)),
            }
        }
        Self(rows)
    }

    /// Returns the row that contains a height.
    fn at(&self, y: f64) -> Option<(f64, f64)> {
        let row = self.0.partition_point(|(_, bottom)| *bottom < y);
        self.0.get(row).copied().filter(|(top, _)| *top <= y)
    }

    /// Returns the path of an edge from port to port. It passes the rows between them vertically,
    /// so that it touches no vertex there.
    fn path(&self, from: Port, to: Port, bends: &[Point]) -> Vec<Point> {
        let down = from.border < to.border;
        let mut path = vec![(from.x, from.border), (from.x, from.edge)];
        for &(x, y) in bends {
            if let Some((top, bottom)) = self.at(y) {
                path.extend(if down {
                    [(x, top), (x, bottom)]
                } else {
                    [(x, bottom), (x, top)]
                });
            }
        }
        path.extend([(to.x, to.edge), (to.x, to.border)]);
        // Such steps come from rounding, and would show as kinks.
        path.dedup_by(|a, b| (a.0 - b.0).abs() < STEP && (a.1 - b.1).abs() < STEP);
        path
    }
}

/// The point at which an edge meets a vertex.
#[derive(Debug, Clone, Copy)]
struct Port {
    x: f64,
    /// The height of the vertex's border.
    border: f64,
    /// The height at which the edge leaves the vertex's row.
    edge: f64,
}

/// Computes the ports of all edges, tail and head. They are spread over the lower or upper border
/// of each vertex in the order of the edges, so that edges between the same vertices are kept
/// apart.
fn ports(
    rows: &RowSpans,
    boxes: Boxes<'_>,
    middles: &[Point],
    bends: &[Vec<Point>],
) -> Vec<[Port; 2]> {
    let edges = boxes.edges;
    let mut ends: Vec<(usize, bool, f64, usize, usize)> = Vec::new();
    for (index, &(tail, head)) in edges.iter().enumerate() {
        let down = middles[tail].1 < middles[head].1;
        let towards =
            |bend: Option<&Point>, vertex: usize| bend.map_or(middles[vertex].0, |bend| bend.0);
        ends.push((tail, down, towards(bends[index].first(), head), index, 0));
        ends.push((head, !down, towards(bends[index].last(), tail), index, 1));
    }
    ends.sort_by(|a, b| {
        // Ends are grouped by vertex and side, and ordered by where their edges lead, so as not to
        // cross.
        (a.0, a.1)
            .cmp(&(b.0, b.1))
            .then(a.2.total_cmp(&b.2))
            .then(a.3.cmp(&b.3))
    });
    let mut ports = vec![
        [Port {
            x: 0.0,
            border: 0.0,
            edge: 0.0
        }; 2];
        edges.len()
    ];
    for side in ends.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (vertex, below) = (side[0].0, side[0].1);
        let ((_, height), (x, y)) = (boxes.sizes[vertex], middles[vertex]);
        let width = boxes.borders[vertex];
        let (top, bottom) = rows.at(y).unwrap_or((y, y));
        for (place, &(.., index, end)) in side.iter().enumerate() {
            let part = (place as f64 + 0.5) / side.len() as f64 - 0.5;
            let (border, edge) = if below {
                (y + height / 2.0, bottom)
            } else {
                (y - height / 2.0, top)
            };
            ports[index][end] = Port {
                x: x + part * width * PORTS,
                border,
                edge,
            };
        }
    }
    ports
}

/// Returns the path of a loop beside its vertex, in a strip of its own.
fn around(size: Point, middle: Point, strip: LoopStrip) -> Vec<Point> {
    let ((width, height), (x, y)) = (size, middle);
    let right = x + width / 2.0;
    let out = right + ASIDE / 2.0;
    let rise = (strip.height / 4.0).min(10.0);
    let border = |down: f64| y + down.clamp(-height / 2.0, height / 2.0);
    let [top, bottom] = [strip.middle - rise, strip.middle + rise];
    vec![
        (right, border(top)),
        (out, y + top),
        (out, y + bottom),
        (right, border(bottom)),
    ]
}

impl DrawingLayout {
    /// Moves the drawing so that all of it is to the right of the margin and below it.
    fn in_its_corner(mut self, boxes: Boxes<'_>) -> Self {
        let labels = self
            .labels
            .iter()
            .zip(boxes.labels)
            .filter(|(_, room)| room.0 > 0.0);
        let corners = self.middles.iter().zip(boxes.sizes).chain(labels).flat_map(
            |(&(x, y), &(width, height))| {
                [
                    (x - width / 2.0, y - height / 2.0),
                    (x + width / 2.0, y + height / 2.0),
                ]
            },
        );
        let points: Vec<Point> = corners
            .chain(self.paths.iter().flatten().copied())
            .collect();
        let least =
            |of: fn(&Point) -> f64| points.iter().map(of).reduce(f64::min).unwrap_or(0.0) - MARGIN;
        let most =
            |of: fn(&Point) -> f64| points.iter().map(of).reduce(f64::max).unwrap_or(0.0) + MARGIN;
        let (left, top) = (least(|point| point.0), least(|point| point.1));
        self.size = (most(|point| point.0) - left, most(|point| point.1) - top);
        self.moved((-left, -top))
    }

    /// Centres the drawing in a width, if that is greater.
    pub(super) fn centred(mut self, width: f64) -> Self {
        let room = width - self.size.0;
        if room <= 0.0 {
            return self;
        }
        self.size.0 = width;
        self.moved((room / 2.0, 0.0))
    }

    fn moved(mut self, by: Point) -> Self {
        let points = self.middles.iter_mut().chain(&mut self.labels);
        for point in points.chain(self.paths.iter_mut().flatten()) {
            *point = (point.0 + by.0, point.1 + by.1);
        }
        self
    }
}
