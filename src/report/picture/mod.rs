//! Results as pictures: finished SVG, DOT for Graphviz, TikZ for LaTeX.
//!
//! Trees of optimal moves and Hasse diagrams become a [`Diagram`] of boxes and edges, laid out by [`layout`] and written by
//! [`svg`], [`dot`] and [`tikz`]. Alice's moves are vermilion and solid, Bob's blue and dashed (Okabe and Ito's colours, which
//! colour-blind readers can tell apart), and dashes tell them apart without colours too.

mod dot;
mod layout;
mod sources;
mod svg;
mod tikz;

use super::board::DrawnBoard;
use super::{Hasse, Tree};
use crate::diagnostic::{Code, Diagnostic};
use crate::player::Player;
use crate::watch::{Stop, Watch};
use layout::{Layout, lay_out};
pub(super) use svg::{Svg, polygon};

/// The most vertices of a picture: more are a carpet, not a picture.
const MOST: usize = 400;

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undrawn {
    /// The work was stopped.
    Stopped(Stop),
    /// The layout failed, and says why.
    Layout(String),
}

impl std::fmt::Display for Undrawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stopped(stop) => f.write_str(&Diagnostic::from(*stop).message),
            Self::Layout(why) => write!(f, "this cannot be laid out as a picture: {why}"),
        }
    }
}

impl From<Undrawn> for Box<Diagnostic> {
    fn from(undrawn: Undrawn) -> Self {
        match undrawn {
            Undrawn::Stopped(stop) => stop.into(),
            Undrawn::Layout(_) => Diagnostic::new(Code::NotSupported, undrawn.to_string())
                .help("`dot(x)` gives the diagram for Graphviz")
                .into(),
        }
    }
}

/// Boxes and edges between them.
#[derive(Debug)]
pub struct Diagram {
    title: &'static str,
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
    /// What there is to say below the picture: what was left out.
    notes: Vec<String>,
}

#[derive(Debug)]
struct Vertex {
    shape: Shape,
    /// What stands below it: its value.
    caption: String,
}

#[derive(Debug)]
enum Shape {
    Board(DrawnBoard),
    /// Lines of text in a frame.
    Text(Vec<String>),
}

#[derive(Debug)]
struct Edge {
    tail: usize,
    head: usize,
    kind: Kind,
    /// What is shown under the pointer: the move.
    title: String,
}

/// What an edge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An optimal move.
    Move(Player),
    /// The upper game covers the lower one.
    Cover,
}

impl Kind {
    fn colour(self) -> &'static str {
        match self {
            Self::Move(player) => colour(player),
            Self::Cover => "#555555",
        }
    }

    fn is_dashed(self) -> bool {
        self == Self::Move(Player::Bob)
    }

    fn word(self) -> &'static str {
        match self {
            Self::Move(player) => player.name(),
            Self::Cover => "covers",
        }
    }
}

/// The colour of a player.
pub(super) fn colour(player: Player) -> &'static str {
    match player {
        Player::Alice => "#D55E00",
        Player::Bob => "#0072B2",
    }
}

const CELL: f64 = 16.0;
const LINE: f64 = 16.0;
const LETTER: f64 = 7.5;
/// Longer texts in boxes are broken into lines.
const WIDEST_TEXT: usize = 40;

impl Shape {
    fn of(position: &str, hexagons: bool) -> Self {
        DrawnBoard::of(position, hexagons).map_or_else(|| Self::text(position), Self::Board)
    }

    fn text(text: &str) -> Self {
        Self::Text(textwrap::wrap(text, WIDEST_TEXT).into_iter().map(String::from).collect())
    }

    fn size(&self) -> (f64, f64) {
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
    fn size(&self) -> (f64, f64) {
        let (width, height) = self.shape.size();
        let caption = self.caption.chars().count() as f64 * LETTER;
        (width.max(caption), if self.caption.is_empty() { height } else { height + LINE + 4.0 })
    }
}

impl Diagram {
    fn lay_out(&self, watch: &dyn Watch) -> Result<Layout, Undrawn> {
        let boxes: Vec<_> = self.vertices.iter().map(Vertex::size).collect();
        let edges: Vec<_> = self.edges.iter().map(|edge| (edge.tail, edge.head)).collect();
        lay_out(&boxes, &edges, watch)
    }

    /// The left and top of a vertex's shape.
    fn corner(&self, layout: &Layout, index: usize) -> (f64, f64) {
        let ((x, y), (_, height)) = (layout.middles[index], self.vertices[index].size());
        (x - self.vertices[index].shape.size().0 / 2.0, y - height / 2.0)
    }

    /// Whether edges need heads to be read: where some go up or back.
    fn needs_heads(&self, layout: &Layout) -> bool {
        self.edges.iter().any(|edge| layout.middles[edge.head].1 <= layout.middles[edge.tail].1)
    }

    /// The kinds of edges there are, in order.
    fn kinds(&self) -> Vec<Kind> {
        let all = [Kind::Move(Player::Alice), Kind::Move(Player::Bob), Kind::Cover];
        all.into_iter().filter(|kind| self.edges.iter().any(|edge| edge.kind == *kind)).collect()
    }
}

impl Tree {
    /// The optimal moves as in the papers' figures: what is decided is left out, and what is too much for a picture.
    pub fn diagram(&self) -> Diagram {
        sources::tree(self)
    }
}

impl Hasse {
    /// The covers, the greatest games on top; what is too much for a picture is left out.
    pub fn diagram(&self) -> Diagram {
        sources::hasse(self)
    }
}
