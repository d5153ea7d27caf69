//! Diagrams as finished SVG.

use std::fmt::Write;

use super::layout::Layout;
use super::{CELL, Diagram, Edge, Kind, LETTER, LINE, Shape, Undrawn, Vertex, colour};
use crate::player::Player;
use crate::report::board::{DrawnBoard, Point};
use crate::report::safe::xml;
use crate::watch::Watch;

impl Diagram {
    /// The diagram as SVG.
    ///
    /// # Errors
    /// If the layout is stopped.
    pub fn svg(&self, watch: &dyn Watch) -> Result<String, Undrawn> {
        let layout = self.lay_out(watch)?;
        let (wide, tall) = layout.size;
        let footer = Footer { kinds: self.kinds(), notes: &self.notes };
        let mut svg = Svg::new(self.title, (wide.max(footer.width()), tall + footer.height()));
        let heads = self.needs_heads(&layout);
        if heads {
            svg.heads(&footer.kinds);
        }
        for (edge, path) in self.edges.iter().zip(&layout.paths) {
            svg.edge(edge, path, heads);
        }
        for (index, vertex) in self.vertices.iter().enumerate() {
            svg.vertex(vertex, self.corner(&layout, index), index, &layout);
        }
        footer.write(&mut svg, tall);
        Ok(svg.finish())
    }
}

/// A picture that is being written.
pub(in crate::report) struct Svg(String);

impl Svg {
    /// An empty white picture of a size.
    pub(in crate::report) fn new(title: &str, (width, height): Point) -> Self {
        let mut svg = Self(String::new());
        svg.line(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
            xml(title)
        ));
        svg
    }

    /// A line of the file.
    pub(in crate::report) fn line(&mut self, text: String) {
        writeln!(self.0, "{text}").expect("writing to a string succeeds");
    }

    /// Text whose anchor is `start`, `middle` or `end`.
    pub(in crate::report) fn text(&mut self, (x, y): Point, anchor: &str, text: &str) {
        self.line(format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", xml(text)));
    }

    /// The whole file.
    pub(in crate::report) fn finish(mut self) -> String {
        self.0.push_str("</svg>");
        self.0
    }

    /// The heads of arrows of these kinds.
    fn heads(&mut self, kinds: &[Kind]) {
        for kind in kinds {
            self.line(format!(
                "<marker id=\"{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" \
                 orient=\"auto\"><path d=\"M0 1 L10 5 L0 9 Z\" fill=\"{}\"/></marker>",
                kind.word(),
                kind.colour()
            ));
        }
    }

    fn edge(&mut self, edge: &Edge, path: &[Point], heads: bool) {
        let points = path.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
        let head = if heads { format!(" marker-end=\"url(#{})\"", edge.kind.word()) } else { String::new() };
        let title = match edge.kind {
            Kind::Move(player) => format!("{} {}", player.word(), edge.title),
            Kind::Cover => edge.title.clone(),
        };
        self.line(format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"{}{head}>\
             <title>{}</title></polyline>",
            edge.kind.colour(),
            dashes(edge.kind),
            xml(title.trim_end())
        ));
    }

    /// A vertex in a group with the box it may take, for whoever reads the file.
    fn vertex(&mut self, vertex: &Vertex, (left, top): Point, index: usize, layout: &Layout) {
        let ((width, height), (x, y)) = (vertex.size(), layout.middles[index]);
        self.line(format!(
            "<g class=\"vertex\" data-box=\"{:.1} {:.1} {width:.1} {height:.1}\">",
            x - width / 2.0,
            y - height / 2.0
        ));
        let (wide, tall) = vertex.shape.size();
        match &vertex.shape {
            Shape::Board(board) => self.board(board, (left, top)),
            Shape::Text(lines) => {
                self.line(format!(
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\" rx=\"5\" fill=\"#F4F4F4\" stroke=\"#555555\"/>"
                ));
                for (line, text) in lines.iter().enumerate() {
                    self.text((left + wide / 2.0, top + line as f64 * LINE + 16.0), "middle", text);
                }
            }
        }
        if !vertex.caption.is_empty() {
            self.text((left + wide / 2.0, top + tall + LINE - 2.0), "middle", &vertex.caption);
        }
        self.line("</g>".to_owned());
    }

    fn board(&mut self, board: &DrawnBoard, (left, top): Point) {
        let tiling = board.tiling(CELL);
        for (row, col, cell) in board.cells() {
            let corners = polygon(tiling.corners(row, col), (left, top));
            self.line(format!("<polygon points=\"{corners}\" fill=\"white\" stroke=\"#888888\"/>"));
            let Some(player) = owner(cell) else { continue };
            let (x, y) = tiling.middle(row, col);
            self.line(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"{}\">{cell}</text>",
                left + x,
                top + y + 4.5,
                colour(player)
            ));
        }
    }
}

/// The corners of a polygon that begins at a point, for SVG.
pub(in crate::report) fn polygon(corners: Vec<Point>, (left, top): Point) -> String {
    let points: Vec<String> = corners.into_iter().map(|(x, y)| format!("{:.1},{:.1}", left + x, top + y)).collect();
    points.join(" ")
}

/// Whose a cell is.
pub(super) fn owner(cell: char) -> Option<Player> {
    match cell {
        'A' => Some(Player::Alice),
        'B' => Some(Player::Bob),
        _ => None,
    }
}

fn dashes(kind: Kind) -> &'static str {
    if kind.is_dashed() { " stroke-dasharray=\"5 3\"" } else { "" }
}

/// What stands below a diagram: its kinds of edges, and notes.
struct Footer<'a> {
    kinds: Vec<Kind>,
    notes: &'a [String],
}

/// The room of a kind of edge in the key.
const KEY: f64 = 84.0;

impl Footer<'_> {
    /// Covers explain themselves.
    fn key(&self) -> impl Iterator<Item = Kind> {
        self.kinds.iter().copied().filter(|kind| *kind != Kind::Cover)
    }

    fn width(&self) -> f64 {
        let longest = self.notes.iter().map(|note| note.chars().count()).max().unwrap_or(0);
        (self.key().count() as f64 * KEY + 20.0).max(longest as f64 * LETTER + 20.0)
    }

    fn lines(&self) -> usize {
        self.notes.len() + usize::from(self.key().next().is_some())
    }

    fn height(&self) -> f64 {
        if self.lines() == 0 { 0.0 } else { self.lines() as f64 * LINE + 8.0 }
    }

    fn write(&self, svg: &mut Svg, top: f64) {
        let mut y = top + LINE - 4.0;
        for (place, kind) in self.key().enumerate() {
            let x = 10.0 + place as f64 * KEY;
            svg.line(format!(
                "<path d=\"M{x:.1} {:.1} h26\" stroke=\"{}\" stroke-width=\"1.6\"{}/>",
                y - 4.0,
                kind.colour(),
                dashes(kind)
            ));
            svg.text((x + 32.0, y), "start", kind.word());
        }
        if self.key().next().is_some() {
            y += LINE;
        }
        for note in self.notes {
            svg.text((10.0, y), "start", note);
            y += LINE;
        }
    }
}
