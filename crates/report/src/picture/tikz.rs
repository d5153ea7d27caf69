//! Writes diagrams for LaTeX, by TikZ.

use std::fmt::{self, Write};

use super::board::{DrawnBoard, Point, owner};
use super::diagram::{CELL, Diagram, DiagramVertex, Kind, LINE, VertexLook, VertexShape};
use crate::Page;
use crate::latex::{escape, in_math, lines_in_math};
use bid_language::player::{Outcome, Player};

/// The number of units of the layout in a centimetre.
const SCALE: f64 = 34.0;

/// The colours of both players, which must be defined before a picture.
const COLOURS: &str = "\\definecolor{alice}{HTML}{D55E00}\\definecolor{bob}{HTML}{0072B2}";

/// The explanation of the players' lines.
const KEY: &str = "\\textcolor{alice}{Alice's moves are solid}, \\textcolor{bob}{Bob's dashed}";

fn at((x, y): Point) -> String {
    // In TikZ the second coordinate grows upwards.
    format!("({:.2},{:.2})", x / SCALE, -y / SCALE)
}

/// Writes the diagram for LaTeX.
pub(super) fn write(diagram: &Diagram, page: &mut Page<'_>) -> fmt::Result {
    let layout = &page.watched(|context| diagram.lay_out(context))?;
    let head = if diagram.needs_heads(layout) {
        "->, "
    } else {
        ""
    };
    writeln!(
        page,
        "% needs \\usepackage{{tikz}}\n{COLOURS}\n\\begin{{tikzpicture}}[font=\\footnotesize]"
    )?;
    for (edge, path) in diagram.edges.iter().zip(&layout.paths) {
        let points = path
            .iter()
            .map(|point| at(*point))
            .collect::<Vec<_>>()
            .join(" -- ");
        writeln!(page, "\\draw[{head}{}] {points};", style(edge.kind))?;
    }
    for (index, vertex) in diagram.vertices.iter().enumerate() {
        draw(page, vertex, diagram.corner(layout, index))?;
    }
    let has_moves = diagram
        .kinds()
        .iter()
        .any(|kind| matches!(kind, Kind::Move(_)));
    let key = has_moves.then(|| KEY.to_owned());
    for (place, note) in diagram
        .notes
        .iter()
        .map(|note| escape(note))
        .chain(key)
        .enumerate()
    {
        let below = (0.0, layout.size.1 + (place as f64 + 0.5) * LINE);
        writeln!(
            page,
            "\\node[anchor=west, inner sep=0] at {} {{{note}}};",
            at(below)
        )?;
    }
    page.write_str("\\end{tikzpicture}")
}

/// Returns the style of a vertex's box: tinted with the colour of the winner, thick at the start.
fn box_style(look: VertexLook) -> String {
    let fill = match look.ending {
        None => "white",
        Some(Outcome::Wins(Player::Alice)) => "alice!30",
        Some(Outcome::Wins(Player::Bob)) => "bob!30",
        Some(Outcome::Draw | Outcome::Undetermined) => "gray!30",
    };
    let thick = if look.start { "very thick, " } else { "" };
    let border = if look.cyclic { "draw=teal, " } else { "" };
    format!("{thick}{border}fill={fill}")
}

fn style(kind: Kind) -> &'static str {
    match kind {
        Kind::Move(Player::Alice) => "alice",
        Kind::Move(Player::Bob) => "bob, dashed",
        Kind::Both => "darkgray",
        Kind::Cover => "gray",
    }
}

fn draw(page: &mut Page<'_>, vertex: &DiagramVertex, (left, top): Point) -> fmt::Result {
    let (wide, tall) = vertex.shape.size();
    match &vertex.shape {
        VertexShape::Board(cells) => board(page, cells, (left, top))?,
        VertexShape::Text(lines) => {
            let (from, to) = (at((left, top)), at((left + wide, top + tall)));
            writeln!(
                page,
                "\\draw[rounded corners=2pt, {}] {from} rectangle {to};",
                box_style(vertex.look)
            )?;
            for (place, text) in lines_in_math(lines).iter().enumerate() {
                // The box has a margin of 4 above its lines.
                let middle = (left + wide / 2.0, top + (place as f64 + 0.5) * LINE + 4.0);
                writeln!(page, "\\node[inner sep=0] at {} {{{text}}};", at(middle))?;
            }
        }
    }
    if !vertex.caption.is_empty() {
        let below = (left + wide / 2.0, top + tall + LINE / 2.0 + 2.0);
        writeln!(
            page,
            "\\node[inner sep=0] at {} {{{}}};",
            at(below),
            in_math(&vertex.caption)
        )?;
    }
    Ok(())
}

fn board(page: &mut Page<'_>, board: &DrawnBoard, (left, top): Point) -> fmt::Result {
    let tiling = board.tiling(CELL);
    let on_page = |(x, y): Point| at((left + x, top + y));
    let outline = |(row, col, _): (usize, usize, char)| {
        let corners: Vec<String> = tiling.corners(row, col).into_iter().map(on_page).collect();
        format!(" {} -- cycle", corners.join(" -- "))
    };
    writeln!(
        page,
        "\\filldraw[fill=white, draw=gray]{};",
        board.cells().map(outline).collect::<String>()
    )?;
    for (side, owner) in tiling.sides().into_iter().zip(board.look.sides) {
        let Some(player) = owner else { continue };
        let line: Vec<String> = side.into_iter().map(on_page).collect();
        let (colour, line) = (player.word(), line.join(" -- "));
        writeln!(page, "\\draw[{colour}, very thick] {line};")?;
    }
    for (row, col, cell) in board.cells() {
        let Some(player) = owner(cell) else { continue };
        let middle = on_page(tiling.middle(row, col));
        writeln!(
            page,
            "\\node[text={}, inner sep=0] at {middle} {{{cell}}};",
            player.word()
        )?;
    }
    Ok(())
}
