//! Draws diagrams as SVG.

use std::fmt;

use super::board::{BoardLook, DrawnBoard, Point, Tiling, owner};
use super::colour;
use super::diagram::{
    CELL, Diagram, DiagramEdge, DiagramVertex, Kind, LETTER, LINE, VertexLook, VertexShape,
};
use super::svg::{Svg, points, px};
use crate::Page;
use crate::text::widest;
use bid_language::watch::{Context, Stop};

impl Diagram {
    /// Draws the diagram as SVG.
    ///
    /// # Errors
    /// If the layout is stopped.
    pub fn svg(&self, context: &Context<'_>) -> Result<String, Stop> {
        let footer = Footer {
            kinds: self.kinds(),
            notes: &self.notes,
        };
        // A small drawing must not be narrower than its key.
        let layout = self.lay_out(context)?.centred(footer.width());
        let (wide, tall) = layout.size;
        let size = (wide, tall + footer.height());
        let draw = |svg: &mut Svg<'_, '_>| {
            let has_heads = self.needs_heads(&layout);
            if has_heads {
                // A marker does not take the colour of its line, so that each kind has one of its
                // own.
                footer.kinds.iter().try_for_each(|kind| head(svg, *kind))?;
            }
            for (edge, path) in self.edges.iter().zip(&layout.paths) {
                let marker = if has_heads {
                    Some(format!("url(#{})", edge.kind.word()))
                } else {
                    None
                };
                draw_edge(svg, edge, path, marker.as_deref())?;
            }
            // Labels are drawn after all edges, so that no line crosses them.
            for (edge, at) in self
                .edges
                .iter()
                .zip(&layout.labels)
                .filter(|(edge, _)| !edge.label.is_empty())
            {
                draw_label(svg, edge, *at)?;
            }
            for (index, vertex) in self.vertices.iter().enumerate() {
                draw_vertex(
                    svg,
                    vertex,
                    self.corner(&layout, index),
                    layout.middles[index],
                )?;
            }
            footer.draw(svg, tall)
        };
        Page::written(context, |page| Svg::draw(page, self.title, size, draw))
    }
}

/// Defines the arrowhead for a kind of edge.
fn head(svg: &mut Svg<'_, '_>, kind: Kind) -> fmt::Result {
    svg.open(
        "marker",
        &[
            ("id", kind.word()),
            ("viewBox", "0 0 10 10"),
            ("refX", "9"),
            ("refY", "5"),
            ("markerWidth", "7"),
            ("markerHeight", "7"),
            ("orient", "auto"),
        ],
    )?;
    svg.shape(
        "path",
        &[("d", "M0 1 L10 5 L0 9 Z"), ("fill", kind.colour())],
    )?;
    svg.close("marker")
}

fn draw_edge(
    svg: &mut Svg<'_, '_>,
    edge: &DiagramEdge,
    path: &[Point],
    marker: Option<&str>,
) -> fmt::Result {
    let title = match edge.kind {
        Kind::Move(player) => format!("{} {}", player.word(), edge.title),
        Kind::Both => format!("both {}", edge.title),
        Kind::Cover => edge.title.clone(),
    };
    let path = points(path.iter().copied());
    let mut attributes = vec![
        ("points", path.as_str()),
        ("fill", "none"),
        ("stroke", edge.kind.colour()),
    ];
    attributes.extend([("stroke-width", "1.6"), ("stroke-linejoin", "round")]);
    attributes.extend(dashes(edge.kind));
    attributes.extend(marker.map(|marker| ("marker-end", marker)));
    svg.titled("polyline", &attributes, title.trim_end())
}

/// Writes the move beside its edge, with a white outline that keeps it readable on the line.
fn draw_label(svg: &mut Svg<'_, '_>, edge: &DiagramEdge, (x, y): Point) -> fmt::Result {
    let style = [
        ("text-anchor", "middle"),
        ("fill", edge.kind.colour()),
        ("font-size", "11"),
    ];
    let halo = [
        ("stroke", "white"),
        ("stroke-width", "4"),
        ("stroke-linejoin", "round"),
        ("paint-order", "stroke"),
    ];
    svg.styled((x, y + 4.0), &[&style[..], &halo[..]].concat(), &edge.label)
}

/// Draws a vertex in a group that also gives its box, for programs that read the file.
fn draw_vertex(
    svg: &mut Svg<'_, '_>,
    vertex: &DiagramVertex,
    (left, top): Point,
    (x, y): Point,
) -> fmt::Result {
    let (width, height) = vertex.size();
    let (from, down) = (x - width / 2.0, y - height / 2.0);
    svg.open(
        "g",
        &[
            ("class", "vertex"),
            (
                "data-box",
                &format!("{from:.1} {down:.1} {width:.1} {height:.1}"),
            ),
        ],
    )?;
    let (wide, tall) = vertex.shape.size();
    match &vertex.shape {
        VertexShape::Board(board) => {
            if vertex.look != VertexLook::default() {
                let (stroke, width) = vertex.look.border();
                let style = [
                    ("fill", vertex.look.fill()),
                    ("stroke", stroke),
                    ("stroke-width", width),
                ];
                let corner = (left - 3.0, top - 3.0);
                svg.rectangle(corner, (wide + 6.0, tall + 6.0), &style, None)?;
            }
            draw_board(svg, board, (left, top))?;
        }
        VertexShape::Text(lines) => {
            let (stroke, width) = vertex.look.border();
            let style = [
                ("rx", "5"),
                ("fill", vertex.look.fill()),
                ("stroke", stroke),
                ("stroke-width", width),
            ];
            let plain = vertex.look == VertexLook::default();
            // A plain border needs no width, since 1 is the default.
            let style = &style[..if plain { 3 } else { 4 }];
            svg.rectangle((left, top), (wide, tall), style, None)?;
            for (line, text) in lines.iter().enumerate() {
                svg.text(
                    (left + wide / 2.0, top + line as f64 * LINE + 16.0),
                    "middle",
                    text,
                )?;
            }
        }
    }
    if !vertex.caption.is_empty() {
        svg.text(
            (left + wide / 2.0, top + tall + LINE - 2.0),
            "middle",
            &vertex.caption,
        )?;
    }
    svg.close("g")
}

fn draw_board(svg: &mut Svg<'_, '_>, board: &DrawnBoard, corner: Point) -> fmt::Result {
    let tiling = board.tiling(CELL);
    for (row, col, cell) in board.cells() {
        let outline = outline(tiling, (row, col), corner);
        svg.shape(
            "polygon",
            &[
                ("points", &outline),
                ("fill", "white"),
                ("stroke", "#888888"),
            ],
        )?;
        let Some(player) = owner(cell) else { continue };
        let (x, y) = shifted(tiling.middle(row, col), corner);
        let style = [
            ("text-anchor", "middle"),
            ("font-weight", "bold"),
            ("fill", colour(player)),
        ];
        svg.styled((x, y + 4.5), &style, &cell.to_string())?;
    }
    draw_sides(svg, tiling, board.look, corner)
}

/// Draws the sides of a board that players want to join, in the players' colours.
pub(super) fn draw_sides(
    svg: &mut Svg<'_, '_>,
    tiling: Tiling,
    look: BoardLook,
    corner: Point,
) -> fmt::Result {
    let width = px(tiling.cell / 8.0 + 0.5);
    for (side, owner) in tiling.sides().into_iter().zip(look.sides) {
        let Some(player) = owner else { continue };
        let line = points(side.into_iter().map(|at| shifted(at, corner)));
        svg.shape(
            "path",
            &[
                ("d", format!("M{line}").as_str()),
                ("fill", "none"),
                ("stroke", colour(player)),
                ("stroke-width", &width),
                ("stroke-linejoin", "round"),
            ],
        )?;
    }
    Ok(())
}

/// Returns the corners of a cell of a board with this corner.
pub(super) fn outline(tiling: Tiling, (row, col): (usize, usize), corner: Point) -> String {
    let corners = tiling.corners(row, col).into_iter();
    points(corners.map(|at| shifted(at, corner)))
}

/// Returns a point that is given relative to a corner.
pub(super) fn shifted((x, y): Point, (left, top): Point) -> Point {
    (left + x, top + y)
}

fn dashes(kind: Kind) -> Option<(&'static str, &'static str)> {
    kind.is_dashed().then_some(("stroke-dasharray", "5 3"))
}

/// The part below a diagram: the key of its kinds of edges, and notes.
struct Footer<'a> {
    kinds: Vec<Kind>,
    notes: &'a [String],
}

/// The width of a kind of edge in the key.
const KEY: f64 = 84.0;

impl Footer<'_> {
    /// Returns the kinds of edges in the key. Covers need no explanation.
    fn key(&self) -> impl Iterator<Item = Kind> {
        self.kinds
            .iter()
            .copied()
            .filter(|kind| *kind != Kind::Cover)
    }

    fn width(&self) -> f64 {
        let longest = widest(self.notes) as f64 * LETTER;
        (self.key().count() as f64 * KEY).max(longest) + 20.0
    }

    fn lines(&self) -> usize {
        self.notes.len() + usize::from(self.key().next().is_some())
    }

    fn height(&self) -> f64 {
        if self.lines() == 0 {
            0.0
        } else {
            self.lines() as f64 * LINE + 8.0
        }
    }

    fn draw(&self, svg: &mut Svg<'_, '_>, top: f64) -> fmt::Result {
        let mut y = top + LINE - 4.0;
        for (place, kind) in self.key().enumerate() {
            let x = 10.0 + place as f64 * KEY;
            let line = format!("M{x:.1} {:.1} h26", y - 4.0);
            let mut attributes = vec![
                ("d", line.as_str()),
                ("stroke", kind.colour()),
                ("stroke-width", "1.6"),
            ];
            attributes.extend(dashes(kind));
            svg.shape("path", &attributes)?;
            svg.text((x + 32.0, y), "start", kind.word())?;
        }
        if self.key().next().is_some() {
            y += LINE;
        }
        for note in self.notes {
            svg.text((10.0, y), "start", note)?;
            y += LINE;
        }
        Ok(())
    }
}
