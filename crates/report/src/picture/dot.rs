//! Writes diagrams in the language of Graphviz. Boards are tables in the vertices.

use std::fmt::Write;

use super::board::{DrawnBoard, owner};
use super::colour;
use super::diagram::{Diagram, DiagramEdge, DiagramVertex, Kind, VertexShape};
use crate::safe::{self, xml};

impl Diagram {
    /// Writes the diagram for Graphviz.
    pub fn dot(&self) -> String {
        let mut dot = String::from("digraph {\n    node [shape=plain]\n");
        let mut line =
            |text: String| writeln!(dot, "    {text}").expect("writing to a string succeeds");
        if !self.notes.is_empty() {
            line(format!("label={}", safe::dot(&self.notes.join("\n"))));
        }
        for (index, vertex) in self.vertices.iter().enumerate() {
            line(format!("n{index} [label=<{}>]", label(vertex)));
        }
        for edge in &self.edges {
            line(format!(
                "n{} -> n{} [{}]",
                edge.tail,
                edge.head,
                attributes(edge)
            ));
        }
        dot.push('}');
        dot
    }
}

/// Writes an HTML-like table: the shape, and the caption below it.
fn label(vertex: &DiagramVertex) -> String {
    let caption = if vertex.caption.is_empty() {
        String::new()
    } else {
        format!("<TR><TD BORDER=\"0\">{}</TD></TR>", xml(&vertex.caption))
    };
    let shape = match &vertex.shape {
        VertexShape::Board(board) => {
            format!(
                "<TD BORDER=\"0\"><TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\">{}</TABLE></TD>",
                rows(board)
            )
        }
        VertexShape::Text(lines) => {
            let lines: Vec<String> = lines.iter().map(|line| xml(line)).collect();
            format!(
                "<TD STYLE=\"ROUNDED\" BORDER=\"1\">{}</TD>",
                lines.join("<BR/>")
            )
        }
    };
    format!("<TABLE BORDER=\"0\" CELLSPACING=\"0\"><TR>{shape}</TR>{caption}</TABLE>")
}

/// Writes the rows of a board. If the rows are shifted against each other, a cell spans two
/// columns.
fn rows(board: &DrawnBoard) -> String {
    let tiling = board.tiling(18.0);
    let gap = |halves: usize| {
        "<TD BORDER=\"0\" WIDTH=\"9\"></TD>".repeat(if tiling.hexagons { halves } else { 0 })
    };
    let span = if tiling.hexagons {
        " COLSPAN=\"2\""
    } else {
        ""
    };
    let cell = |cell: char| match owner(cell) {
        Some(player) => format!(
            "<TD WIDTH=\"18\"{span}><FONT COLOR=\"{}\">{cell}</FONT></TD>",
            colour(player)
        ),
        None => format!("<TD WIDTH=\"18\"{span}> </TD>"),
    };
    let cells: Vec<String> = board.cells().map(|(.., letter)| cell(letter)).collect();
    let row = |(place, row): (usize, &[String])| {
        format!(
            "<TR>{}{}{}</TR>",
            gap(place),
            row.concat(),
            // The gaps on both sides give all rows the same number of columns.
            gap(tiling.rows - 1 - place)
        )
    };
    cells.chunks(tiling.cols).enumerate().map(row).collect()
}

fn attributes(edge: &DiagramEdge) -> String {
    let style = if edge.kind.is_dashed() {
        ", style=dashed"
    } else {
        ""
    };
    let head = if edge.kind == Kind::Cover {
        ", arrowhead=none"
    } else {
        ""
    };
    format!(
        "color=\"{}\"{style}{head}, tooltip={}",
        edge.kind.colour(),
        safe::dot(&edge.title)
    )
}
