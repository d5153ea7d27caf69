//! Diagrams: boxes and edges between them.
//!
//! Trees of optimal moves and Hasse diagrams become a [`Diagram`], laid out by [`layout`](super::layout). Alice's moves are vermilion
//! and solid, Bob's blue and dashed: dashes tell them apart without colours too.

use super::board::DrawnBoard;
use super::layout::{Layout, lay_out};
use super::{Undrawn, colour};
use crate::player::Player;
use crate::watch::Watch;

/// The most vertices of a picture: more are a carpet, not a picture.
pub(super) const MOST: usize = 400;

/// Boxes and edges between them.
#[derive(Debug)]
pub struct Diagram {
    pub(super) title: &'static str,
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<Edge>,
    /// What there is to say below the picture: what was left out.
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Vertex {
    pub(super) shape: Shape,
    /// What stands below it: its value.
    pub(super) caption: String,
}

#[derive(Debug)]
pub(super) enum Shape {
    Board(DrawnBoard),
    /// Lines of text in a frame.
    Text(Vec<String>),
}

#[derive(Debug)]
pub(super) struct Edge {
    pub(super) tail: usize,
    pub(super) head: usize,
    pub(super) kind: Kind,
    /// What is shown under the pointer: the move.
    pub(super) title: String,
    /// What stands beside it; empty where the boards show the move.
    pub(super) label: String,
}

impl Edge {
    /// How much room its label takes.
    fn room(&self) -> (f64, f64) {
        if self.label.is_empty() { (0.0, 0.0) } else { (self.label.chars().count() as f64 * LETTER + 6.0, LINE) }
    }
}

/// What an edge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An optimal move.
    Move(Player),
    /// The upper game covers the lower one.
    Cover,
}

impl Kind {
    pub(super) fn colour(self) -> &'static str {
        match self {
            Self::Move(player) => colour(player),
            Self::Cover => "#555555",
        }
    }

    pub(super) fn is_dashed(self) -> bool {
        self == Self::Move(Player::Bob)
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Move(player) => player.name(),
            Self::Cover => "covers",
        }
    }
}

pub(super) const CELL: f64 = 16.0;
pub(super) const LINE: f64 = 16.0;
pub(super) const LETTER: f64 = 7.5;
/// Longer texts in boxes are broken into lines.
const WIDEST_TEXT: usize = 40;

impl Shape {
    pub(super) fn of(position: &str, hexagons: bool) -> Self {
        DrawnBoard::of(position, hexagons).map_or_else(|| Self::text(position), Self::Board)
    }

    pub(super) fn text(text: &str) -> Self {
        Self::Text(textwrap::wrap(text, WIDEST_TEXT).into_iter().map(String::from).collect())
    }

    pub(super) fn size(&self) -> (f64, f64) {
        match self {
            Self::Board(board) => board.tiling(CELL).size(),
            Self::Text(lines) => {
                let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
                (widest as f64 * LETTER + 14.0, lines.len() as f64 * LINE + 8.0)
            }
        }
    }
}

impl Vertex {
    /// How much room its shape and caption take.
    pub(super) fn size(&self) -> (f64, f64) {
        let (width, height) = self.shape.size();
        let caption = self.caption.chars().count() as f64 * LETTER;
        (width.max(caption), if self.caption.is_empty() { height } else { height + LINE + 4.0 })
    }
}

impl Diagram {
    pub(super) fn lay_out(&self, watch: &dyn Watch) -> Result<Layout, Undrawn> {
        let boxes: Vec<_> = self.vertices.iter().map(Vertex::size).collect();
        let edges: Vec<_> = self.edges.iter().map(|edge| (edge.tail, edge.head)).collect();
        let labels: Vec<_> = self.edges.iter().map(Edge::room).collect();
        lay_out(&boxes, &edges, &labels, watch)
    }

    /// The left and top of a vertex's shape.
    pub(super) fn corner(&self, layout: &Layout, index: usize) -> (f64, f64) {
        let ((x, y), (_, height)) = (layout.middles[index], self.vertices[index].size());
        (x - self.vertices[index].shape.size().0 / 2.0, y - height / 2.0)
    }

    /// Whether edges need heads to be read: where some go up or back.
    pub(super) fn needs_heads(&self, layout: &Layout) -> bool {
        self.edges.iter().any(|edge| layout.middles[edge.head].1 <= layout.middles[edge.tail].1)
    }

    /// The kinds of edges there are, in order.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let all = [Kind::Move(Player::Alice), Kind::Move(Player::Bob), Kind::Cover];
        all.into_iter().filter(|kind| self.edges.iter().any(|edge| edge.kind == *kind)).collect()
    }
}
