//! Diagrams: boxes and edges between them.
//!
//! Trees of optimal moves and Hasse diagrams become a [`Diagram`], laid out by
//! [`layout`](super::layout). Alice's moves are vermilion and solid, Bob's blue and dashed, so that
//! they also differ without colours.

use super::board::{BoardLook, DrawnBoard};
use super::colour;
use super::layered::Boxes;
use super::layout::{DrawingLayout, lay_out};
use crate::text::widest;
use bid_language::player::{Outcome, Player};
use bid_language::watch::{Context, Stop};

/// The most vertices of a picture. More would not be readable.
pub(super) const MOST: usize = 400;

/// Boxes and edges between them.
#[derive(Debug)]
pub struct Diagram {
    pub(super) title: &'static str,
    pub(super) vertices: Vec<DiagramVertex>,
    pub(super) edges: Vec<DiagramEdge>,
    /// The image of each vertex, if exchanging vertices with their images reverses the edges.
    pub(super) mirror: Option<Vec<usize>>,
    /// The notes below the picture about omitted parts.
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct DiagramVertex {
    pub(super) shape: VertexShape,
    /// The value, written below the vertex.
    pub(super) caption: String,
    pub(super) look: VertexLook,
}

/// The appearance of a vertex besides its shape.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct VertexLook {
    /// The outcome, if the game has ended there.
    pub(super) ending: Option<Outcome>,
    /// `true` if play can come back to it.
    pub(super) cyclic: bool,
    /// `true` if play starts there.
    pub(super) start: bool,
}

/// The colour of the border of vertices on cycles.
pub(super) const CYCLE: &str = "#009E73";

impl VertexLook {
    /// Returns the colour of the vertex.
    pub(super) fn fill(self) -> &'static str {
        match self.ending {
            None => "#F4F4F4",
            Some(Outcome::Wins(Player::Alice)) => "#F4C7A8",
            Some(Outcome::Wins(Player::Bob)) => "#A8CBE6",
            Some(Outcome::Draw | Outcome::Undetermined) => "#DDDDDD",
        }
    }

    /// Returns the colour and the width of the border.
    pub(super) fn border(self) -> (&'static str, &'static str) {
        let colour = if self.cyclic { CYCLE } else { "#555555" };
        let width = match (self.start, self.cyclic) {
            (true, _) => "3",
            (false, true) => "1.6",
            (false, false) => "1",
        };
        (colour, width)
    }
}

#[derive(Debug)]
pub(super) enum VertexShape {
    Board(DrawnBoard),
    /// Lines of text in a frame.
    Text(Vec<String>),
}

#[derive(Debug)]
pub(super) struct DiagramEdge {
    pub(super) tail: usize,
    pub(super) head: usize,
    pub(super) kind: Kind,
    /// The move, which appears under the pointer.
    pub(super) title: String,
    /// The text beside the edge. It is empty where the boards show the move.
    pub(super) label: String,
}

impl DiagramEdge {
    /// Returns the width and height of its label.
    fn room(&self) -> (f64, f64) {
        if self.label.is_empty() {
            (0.0, 0.0)
        } else {
            (self.label.chars().count() as f64 * LETTER + 6.0, LINE)
        }
    }
}

/// The meaning of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A move.
    Move(Player),
    /// A move of both players.
    Both,
    /// The upper game covers the lower one.
    Cover,
}

impl Kind {
    pub(super) fn colour(self) -> &'static str {
        match self {
            Self::Move(player) => colour(player),
            Self::Both => "#333333",
            Self::Cover => "#555555",
        }
    }

    pub(super) fn is_dashed(self) -> bool {
        self == Self::Move(Player::Bob)
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Move(player) => player.name(),
            Self::Both => "both",
            Self::Cover => "covers",
        }
    }
}

pub(super) const CELL: f64 = 16.0;
pub(super) const LINE: f64 = 16.0;
pub(super) const LETTER: f64 = 7.5;
/// The longest line of text in boxes, in characters. Longer texts are broken into lines.
const WIDEST_TEXT: usize = 40;

/// A state that is a list, row by row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum List {
    /// A list of players and `empty`, as boards print: `A.B`.
    Cells(Vec<String>),
    /// A list of truth values: 1 is true, 0 is false.
    Truths(Vec<String>),
}

/// Returns the rows of a position that is a list of cells or of truth values, or a list of such
/// lists. Returns `None` for others.
pub(super) fn rows_of_list(position: &str) -> Option<List> {
    let is_list = |c: char| c.is_ascii_lowercase() || matches!(c, '[' | ']' | ',' | ' ');
    let inside = position
        .strip_prefix('[')
        .filter(|inside| inside.chars().all(is_list))?;
    let rows = |letter: &dyn Fn(&str) -> Option<&'static str>, gap: &str| -> Option<Vec<String>> {
        let words = |row: &str| {
            row.split(|c: char| !c.is_ascii_lowercase())
                .filter(|word| !word.is_empty())
                .map(letter)
                .collect()
        };
        let read: Option<Vec<Vec<&str>>> = inside.split(']').map(words).collect();
        Some(
            read?
                .into_iter()
                .filter(|row| !row.is_empty())
                .map(|row| row.join(gap))
                .collect(),
        )
    };
    let cell = |word: &str| {
        [("alice", "A"), ("bob", "B"), ("empty", ".")]
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, letter)| *letter)
    };
    let truth = |word: &str| {
        [("true", "1"), ("false", "0")]
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, digit)| *digit)
    };
    let cells = rows(&cell, "").map(List::Cells);
    let found = cells.or_else(|| rows(&truth, " ").map(List::Truths))?;
    matches!(&found, List::Cells(rows) | List::Truths(rows) if !rows.is_empty()).then_some(found)
}

impl VertexShape {
    pub(super) fn of(position: &str, look: BoardLook) -> Self {
        if let Some(board) = DrawnBoard::of(position, look) {
            return Self::Board(board);
        }
        match rows_of_list(position) {
            Some(List::Cells(rows)) => DrawnBoard::of(&rows.join("/"), BoardLook::default())
                .map_or_else(|| Self::text(position), Self::Board),
            Some(List::Truths(rows)) => Self::Text(rows),
            None => Self::text(position),
        }
    }

    pub(super) fn text(text: &str) -> Self {
        Self::Text(
            textwrap::wrap(text, WIDEST_TEXT)
                .into_iter()
                .map(String::from)
                .collect(),
        )
    }

    pub(super) fn size(&self) -> (f64, f64) {
        match self {
            Self::Board(board) => board.tiling(CELL).size(),
            Self::Text(lines) => {
                let width = widest(lines) as f64 * LETTER;
                (width + 14.0, lines.len() as f64 * LINE + 8.0)
            }
        }
    }
}

impl DiagramVertex {
    /// Returns the width and height of its shape and caption.
    pub(super) fn size(&self) -> (f64, f64) {
        let (width, height) = self.shape.size();
        let caption = self.caption.chars().count() as f64 * LETTER;
        (
            // The layout keeps captions apart too, so that they count as part of the box.
            width.max(caption),
            if self.caption.is_empty() {
                height
            } else {
                height + LINE + 4.0
            },
        )
    }
}

impl Diagram {
    pub(super) fn lay_out(&self, context: &Context<'_>) -> Result<DrawingLayout, Stop> {
        let sizes: Vec<_> = self.vertices.iter().map(DiagramVertex::size).collect();
        let edges: Vec<_> = self
            .edges
            .iter()
            .map(|edge| (edge.tail, edge.head))
            .collect();
        let labels: Vec<_> = self.edges.iter().map(DiagramEdge::room).collect();
        let borders: Vec<_> = self
            .vertices
            .iter()
            .map(|vertex| vertex.shape.size().0)
            .collect();
        let boxes = Boxes {
            sizes: &sizes,
            borders: &borders,
            edges: &edges,
            labels: &labels,
            is_order: self.edges.iter().all(|edge| edge.kind == Kind::Cover),
            mirror: self.mirror.as_deref(),
        };
        lay_out(boxes, context)
    }

    /// Returns the left and top of a vertex's shape.
    pub(super) fn corner(&self, layout: &DrawingLayout, index: usize) -> (f64, f64) {
        let ((x, y), (_, height)) = (layout.middles[index], self.vertices[index].size());
        (
            x - self.vertices[index].shape.size().0 / 2.0,
            y - height / 2.0,
        )
    }

    /// Returns `true` if edges need arrowheads, because some lead upwards or back.
    pub(super) fn needs_heads(&self, layout: &DrawingLayout) -> bool {
        self.edges
            .iter()
            // If all edges lead down, the direction needs no mark.
            .any(|edge| layout.middles[edge.head].1 <= layout.middles[edge.tail].1)
    }

    /// Returns the kinds of edges that occur, in order.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let all = [
            Kind::Move(Player::Alice),
            Kind::Move(Player::Bob),
            Kind::Both,
            Kind::Cover,
        ];
        all.into_iter()
            .filter(|kind| self.edges.iter().any(|edge| edge.kind == *kind))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_drawn_row_by_row() {
        let truths = |rows: &[&str]| {
            Some(List::Truths(
                rows.iter().map(|row| (*row).to_owned()).collect(),
            ))
        };
        assert_eq!(rows_of_list("[true, false, true]"), truths(&["1 0 1"]));
        assert_eq!(
            rows_of_list("[[true, false], [false, false]]"),
            truths(&["1 0", "0 0"])
        );
        assert_eq!(
            rows_of_list("[empty, alice, bob]"),
            Some(List::Cells(vec![".AB".to_owned()]))
        );
        for other in [
            "[1, 2]",
            "A.B",
            "[true, alice]",
            "[]",
            "true",
            "[true]; n = 3",
        ] {
            assert_eq!(rows_of_list(other), None, "{other}");
        }
    }
}
