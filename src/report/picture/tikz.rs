//! Diagrams for LaTeX, by TikZ.

use std::fmt::Write;

use super::svg::owner;
use super::{CELL, Diagram, Kind, LINE, Shape, Undrawn, Vertex};
use crate::player::Player;
use crate::report::board::{DrawnBoard, Point};
use crate::report::latex::{escape, in_math};
use crate::watch::Watch;

/// Points of the layout in a centimetre.
const SCALE: f64 = 34.0;

/// The colours of both players, to be defined before a picture.
pub(in crate::report) const COLOURS: &str = "\\definecolor{alice}{HTML}{D55E00}\\definecolor{bob}{HTML}{0072B2}";

/// How the players' moves are told apart.
const KEY: &str = "\\textcolor{alice}{Alice's moves are solid}, \\textcolor{bob}{Bob's dashed}";

fn at((x, y): Point) -> String {
    format!("({:.2},{:.2})", x / SCALE, -y / SCALE)
}

impl Diagram {
    /// The diagram for LaTeX.
    ///
    /// # Errors
    /// If the layout is stopped.
    pub fn tikz(&self, watch: &dyn Watch) -> Result<String, Undrawn> {
        let layout = self.lay_out(watch)?;
        let head = if self.needs_heads(&layout) { "->, " } else { "" };
        let mut tikz =
            format!("% needs \\usepackage{{tikz}}\n{COLOURS}\n\\begin{{tikzpicture}}[font=\\footnotesize]\n");
        let mut line = |text: String| writeln!(tikz, "{text}").expect("writing to a string succeeds");
        for (edge, path) in self.edges.iter().zip(&layout.paths) {
            let points = path.iter().map(|point| at(*point)).collect::<Vec<_>>().join(" -- ");
            line(format!("\\draw[{head}{}] {points};", style(edge.kind)));
        }
        for (index, vertex) in self.vertices.iter().enumerate() {
            draw(&mut line, vertex, self.corner(&layout, index));
        }
        for (place, note) in self.notes.iter().enumerate() {
            let below = (0.0, layout.size.1 + (place as f64 + 0.5) * LINE);
            line(format!("\\node[anchor=west, inner sep=0] at {} {{{}}};", at(below), escape(note)));
        }
        if self.kinds().iter().any(|kind| matches!(kind, Kind::Move(_))) {
            let below = (0.0, layout.size.1 + (self.notes.len() as f64 + 0.5) * LINE);
            line(format!("\\node[anchor=west, inner sep=0] at {} {{{KEY}}};", at(below)));
        }
        tikz.push_str("\\end{tikzpicture}");
        Ok(tikz)
    }
}

fn style(kind: Kind) -> &'static str {
    match kind {
        Kind::Move(Player::Alice) => "alice",
        Kind::Move(Player::Bob) => "bob, dashed",
        Kind::Cover => "gray",
    }
}

fn draw(line: &mut impl FnMut(String), vertex: &Vertex, (left, top): Point) {
    let (wide, tall) = vertex.shape.size();
    match &vertex.shape {
        Shape::Board(cells) => board(line, cells, (left, top)),
        Shape::Text(lines) => {
            line(format!(
                "\\draw[rounded corners=2pt, fill=white] {} rectangle {};",
                at((left, top)),
                at((left + wide, top + tall))
            ));
            for (place, text) in lines.iter().enumerate() {
                let middle = (left + wide / 2.0, top + (place as f64 + 0.5) * LINE + 4.0);
                line(format!("\\node[inner sep=0] at {} {{{}}};", at(middle), in_math(text)));
            }
        }
    }
    if !vertex.caption.is_empty() {
        let below = (left + wide / 2.0, top + tall + LINE / 2.0 + 2.0);
        line(format!("\\node[inner sep=0] at {} {{{}}};", at(below), in_math(&vertex.caption)));
    }
}

fn board(line: &mut impl FnMut(String), board: &DrawnBoard, (left, top): Point) {
    let tiling = board.tiling(CELL);
    let on_page = |(x, y): Point| at((left + x, top + y));
    let outline = |(row, col, _): (usize, usize, char)| {
        let corners: Vec<String> = tiling.corners(row, col).into_iter().map(on_page).collect();
        format!(" {} -- cycle", corners.join(" -- "))
    };
    line(format!("\\filldraw[fill=white, draw=gray]{};", board.cells().map(outline).collect::<String>()));
    for (row, col, cell) in board.cells() {
        let Some(player) = owner(cell) else { continue };
        let middle = on_page(tiling.middle(row, col));
        line(format!("\\node[text={}, inner sep=0] at {middle} {{{cell}}};", player.word()));
    }
}
