//! Diagrams in the language of Graphviz; boards are tables in the vertices.

use std::fmt::Write;

use super::svg::owner;
use super::{Diagram, Edge, Kind, Shape, Vertex, colour, escape};

impl Diagram {
    /// The diagram for Graphviz.
    pub fn dot(&self) -> String {
        let mut dot = String::from("digraph {\n    node [shape=plain]\n");
        let mut line = |text: String| writeln!(dot, "    {text}").expect("writing to a string succeeds");
        if !self.notes.is_empty() {
            line(format!("label=\"{}\"", self.notes.join("\\n").replace('"', "\\\"")));
        }
        for (index, vertex) in self.vertices.iter().enumerate() {
            line(format!("n{index} [label=<{}>]", label(vertex)));
        }
        for edge in &self.edges {
            line(format!("n{} -> n{} [{}]", edge.tail, edge.head, attributes(edge)));
        }
        dot.push('}');
        dot
    }
}

/// An HTML-like table: the shape, and the caption below it.
fn label(vertex: &Vertex) -> String {
    let caption = if vertex.caption.is_empty() {
        String::new()
    } else {
        format!("<TR><TD BORDER=\"0\">{}</TD></TR>", escape(&vertex.caption))
    };
    let shape = match &vertex.shape {
        Shape::Board(rows) => {
            let rows: String =
                rows.iter().map(|row| format!("<TR>{}</TR>", row.chars().map(cell).collect::<String>())).collect();
            format!("<TD BORDER=\"0\"><TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\">{rows}</TABLE></TD>")
        }
        Shape::Text(lines) => {
            let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
            format!("<TD STYLE=\"ROUNDED\" BORDER=\"1\">{}</TD>", lines.join("<BR/>"))
        }
    };
    format!("<TABLE BORDER=\"0\" CELLSPACING=\"0\"><TR>{shape}</TR>{caption}</TABLE>")
}

fn cell(cell: char) -> String {
    match owner(cell) {
        Some(player) => format!("<TD WIDTH=\"18\"><FONT COLOR=\"{}\">{cell}</FONT></TD>", colour(player)),
        None => "<TD WIDTH=\"18\"> </TD>".to_owned(),
    }
}

fn attributes(edge: &Edge) -> String {
    let style = if edge.kind.is_dashed() { ", style=dashed" } else { "" };
    let head = if edge.kind == Kind::Cover { ", arrowhead=none" } else { "" };
    let title = edge.title.replace('\\', "\\\\").replace('"', "\\\"");
    format!("color=\"{}\"{style}{head}, tooltip=\"{title}\"", edge.kind.colour())
}
