//! Trees of optimal moves as pictures: boards drawn as boards, Alice's moves vermilion and solid, Bob's blue and dashed (Okabe and
//! Ito's colours, which colour-blind readers can tell apart), the value below each position.

use std::fmt::Write;

use super::Tree;
use super::layers::{Box2, Layout, lay_out};
use crate::game::Player;

const CELL: f64 = 16.0;
const LINE: f64 = 16.0;
const LETTER: f64 = 7.5;

/// How a position is drawn.
enum Shape<'a> {
    /// Its rows from the top.
    Board(Vec<&'a str>),
    /// As it is written.
    Text(&'a str),
}

impl<'a> Shape<'a> {
    fn of(position: &'a str) -> Self {
        let rows: Vec<&str> = position.split('/').collect();
        let is_row = |row: &&str| row.len() == rows[0].len() && row.chars().all(|cell| matches!(cell, 'A' | 'B' | '.'));
        if (rows.len() > 1 || rows[0].len() > 1) && rows.iter().all(is_row) {
            Self::Board(rows)
        } else {
            Self::Text(position)
        }
    }

    fn size(&self) -> (f64, f64) {
        match self {
            Self::Board(rows) => (rows[0].len() as f64 * CELL, rows.len() as f64 * CELL),
            Self::Text(text) => (text.chars().count() as f64 * LETTER + 14.0, LINE + 8.0),
        }
    }
}

/// A tree with the place of everything.
struct Drawing<'a> {
    tree: &'a Tree,
    shapes: Vec<Shape<'a>>,
    edges: Vec<(usize, usize, Player, &'a str)>,
    layout: Layout,
}

impl<'a> Drawing<'a> {
    fn new(tree: &'a Tree) -> Self {
        let shapes: Vec<Shape> = tree.nodes.iter().map(|node| Shape::of(&node.position)).collect();
        let layers = layers(tree);
        let moves = tree.nodes.iter().enumerate().flat_map(|(tail, node)| {
            node.moves.iter().map(move |(player, action, head)| (tail, *head, *player, action.as_str()))
        });
        // A move back to an earlier layer, on a cycle, is told by the text and not drawn.
        let edges: Vec<_> = moves.filter(|(tail, head, ..)| layers[*tail] < layers[*head]).collect();
        let boxes: Vec<Box2> = shapes
            .iter()
            .zip(&tree.nodes)
            .zip(&layers)
            .map(|((shape, node), &layer)| {
                let (width, height) = shape.size();
                let caption = node.value.to_string().chars().count() as f64 * LETTER;
                Box2 { width: width.max(caption), height: height + LINE + 4.0, layer }
            })
            .collect();
        let pairs: Vec<_> = edges.iter().map(|(tail, head, ..)| (*tail, *head)).collect();
        Self { tree, shapes, edges, layout: lay_out(&boxes, &pairs) }
    }

    /// The left and top of a position's shape.
    fn corner(&self, node: usize) -> (f64, f64) {
        let ((x, y), (width, height)) = (self.layout.middles[node], self.shapes[node].size());
        (x - width / 2.0, y - (height + LINE + 4.0) / 2.0)
    }
}

/// The longest way from the start to each vertex; on cycles the shortest.
fn layers(tree: &Tree) -> Vec<usize> {
    let count = tree.nodes.len();
    let mut layers = vec![0; count];
    for round in 0..=count {
        let mut changed = false;
        for tail in 0..count {
            for (.., head) in &tree.nodes[tail].moves {
                if layers[*head] <= layers[tail] && *head != 0 {
                    layers[*head] = layers[tail] + 1;
                    changed = true;
                }
            }
        }
        if !changed {
            return layers;
        }
        if round == count {
            break;
        }
    }
    shortest(tree)
}

fn shortest(tree: &Tree) -> Vec<usize> {
    let mut layers = vec![usize::MAX; tree.nodes.len()];
    layers[0] = 0;
    let mut waiting = std::collections::VecDeque::from([0]);
    while let Some(tail) = waiting.pop_front() {
        for (.., head) in &tree.nodes[tail].moves {
            if layers[*head] == usize::MAX {
                layers[*head] = layers[tail] + 1;
                waiting.push_back(*head);
            }
        }
    }
    layers
}

fn colour(player: Player) -> &'static str {
    match player {
        Player::Alice => "#D55E00",
        Player::Bob => "#0072B2",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The tree as SVG.
pub fn tree_svg(tree: &Tree) -> String {
    let drawing = Drawing::new(tree);
    let (width, height) = drawing.layout.size;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Optimal moves</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        height + LINE
    );
    let mut line = |text: String| writeln!(svg, "{text}").expect("writing to a string succeeds");
    for ((_, _, player, action), path) in drawing.edges.iter().zip(&drawing.layout.paths) {
        let points = path.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
        let dashes = if *player == Player::Bob { " stroke-dasharray=\"5 3\"" } else { "" };
        line(format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{dashes}><title>{} {}</title></polyline>",
            colour(*player),
            player.word(),
            escape(action)
        ));
    }
    for (node, shape) in drawing.shapes.iter().enumerate() {
        let ((left, top), (wide, tall)) = (drawing.corner(node), shape.size());
        match shape {
            Shape::Board(rows) => board(&mut line, rows, left, top),
            Shape::Text(text) => {
                line(format!(
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\" rx=\"5\" fill=\"#F4F4F4\" stroke=\"#555555\"/>"
                ));
                line(format!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    left + wide / 2.0,
                    top + tall / 2.0 + 4.0,
                    escape(text)
                ));
            }
        }
        let value = &drawing.tree.nodes[node].value;
        line(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>",
            left + wide / 2.0,
            top + tall + LINE - 2.0
        ));
    }
    line(format!(
        "<text x=\"8\" y=\"{:.0}\" font-size=\"10\"><tspan fill=\"{}\">— Alice</tspan> <tspan fill=\"{}\">- - Bob</tspan></text>",
        height + LINE - 5.0,
        colour(Player::Alice),
        colour(Player::Bob)
    ));
    svg.push_str("</svg>");
    svg
}

fn board(line: &mut impl FnMut(String), rows: &[&str], left: f64, top: f64) {
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.chars().enumerate() {
            let (x, y) = (left + column as f64 * CELL, top + row as f64 * CELL);
            line(format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"white\" stroke=\"#888888\"/>"
            ));
            let player = match cell {
                'A' => Player::Alice,
                'B' => Player::Bob,
                _ => continue,
            };
            let (x, y) = (x + CELL / 2.0, y + CELL / 2.0 + 4.5);
            line(format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"{}\">{cell}</text>",
                colour(player)
            ));
        }
    }
}

/// The tree for LaTeX, by TikZ; Alice's colour and Bob's are defined first.
pub(super) fn tree_tikz(tree: &Tree) -> String {
    /// Points of the layout in a centimetre.
    const SCALE: f64 = 34.0;
    let drawing = Drawing::new(tree);
    let mut tikz = String::from(
        "% needs \\usepackage{tikz}\n\\definecolor{alice}{HTML}{D55E00}\\definecolor{bob}{HTML}{0072B2}\n\\begin{tikzpicture}[font=\\footnotesize]\n",
    );
    let mut line = |text: String| writeln!(tikz, "{text}").expect("writing to a string succeeds");
    let at = |(x, y): (f64, f64)| format!("({:.2},{:.2})", x / SCALE, -y / SCALE);
    for ((_, _, player, _), path) in drawing.edges.iter().zip(&drawing.layout.paths) {
        let style = if *player == Player::Bob { "bob, dashed" } else { "alice" };
        line(format!("\\draw[{style}] {};", path.iter().map(|point| at(*point)).collect::<Vec<_>>().join(" -- ")));
    }
    for (node, shape) in drawing.shapes.iter().enumerate() {
        let ((left, top), (wide, tall)) = (drawing.corner(node), shape.size());
        match shape {
            Shape::Board(rows) => {
                let (right, bottom) = (left + wide, top + tall);
                line(format!(
                    "\\draw[gray, fill=white, step={:.4}cm, shift={{{}}}] (0,0) grid ({:.4},{:.4});",
                    CELL / SCALE,
                    at((left, bottom)),
                    (right - left) / SCALE,
                    tall / SCALE
                ));
                for (row, cells) in rows.iter().enumerate() {
                    for (column, cell) in cells.chars().enumerate().filter(|(_, cell)| *cell != '.') {
                        let middle = (left + (column as f64 + 0.5) * CELL, top + (row as f64 + 0.5) * CELL);
                        let player = if cell == 'A' { "alice" } else { "bob" };
                        line(format!("\\node[text={player}, inner sep=0] at {} {{{cell}}};", at(middle)));
                    }
                }
            }
            Shape::Text(text) => {
                let middle = (left + wide / 2.0, top + tall / 2.0);
                line(format!(
                    "\\node[draw, rounded corners=2pt, fill=white] at {} {{{}}};",
                    at(middle),
                    super::latex::in_math(text)
                ));
            }
        }
        let below = (left + wide / 2.0, top + tall + LINE / 2.0 + 2.0);
        line(format!("\\node[inner sep=0] at {} {{${}$}};", at(below), drawing.tree.nodes[node].value));
    }
    tikz.push_str("\\end{tikzpicture}");
    tikz
}
