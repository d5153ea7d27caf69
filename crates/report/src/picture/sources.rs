//! Converts a tree of optimal moves and a partial order to diagrams.

use super::board::{BoardLook, DrawnBoard};
use super::diagram::{
    Diagram, DiagramEdge, DiagramVertex, Kind, List, MOST, VertexLook, VertexShape, rows_of_list,
};
use crate::{Drawing, GraphEdge, GraphVertex, Hasse, Rest, Tree, TreeMove, TreeNode};

/// Returns the diagram of a tree: its first [`MOST`] positions in the order of their distance from
/// the start.
pub(super) fn tree(tree: &Tree) -> Diagram {
    // The start is drawn even if nothing is left to decide there.
    let is_kept = |index: usize, node: &TreeNode| index == 0 || node.rest != Rest::Decided;
    let wanted: Vec<usize> = tree
        .nodes
        .iter()
        .enumerate()
        .filter(|(index, node)| is_kept(*index, node))
        .map(|(index, _)| index)
        .collect();
    // The nodes are in the order of their distance from the start, so that the first ones are
    // connected.
    let shown = &wanted[..wanted.len().min(MOST)];
    let mut place = vec![None; tree.nodes.len()];
    for (at, index) in shown.iter().enumerate() {
        place[*index] = Some(at);
    }
    let cut = |node: &TreeNode| {
        let leads_out = |to: usize| tree.nodes[to].rest != Rest::Decided && place[to].is_none();
        node.rest == Rest::LeftOut || node.moves.iter().any(|edge| leads_out(edge.to))
    };
    let vertex = |index: &usize| {
        let node = &tree.nodes[*index];
        let dots = if cut(node) { " …" } else { "" };
        DiagramVertex {
            shape: VertexShape::of(&node.position, node.board),
            caption: format!("{}{}{dots}", node.value, node.remarks(", ")),
            look: VertexLook::default(),
        }
    };
    let edges = shown.iter().enumerate().flat_map(|(tail, index)| {
        let is_seen = DrawnBoard::of(&tree.nodes[*index].position, BoardLook::default()).is_some();
        let drawn = |edge: &TreeMove| {
            let head = place[edge.to]?;
            // On a board, the two pictures show the move.
            let label = if is_seen {
                String::new()
            } else {
                edge.action.clone()
            };
            Some(DiagramEdge {
                tail,
                head,
                kind: Kind::Move(edge.player),
                title: format!("{}{}", edge.action, edge.others()),
                label,
            })
        };
        tree.nodes[*index]
            .moves
            .iter()
            .filter_map(drawn)
            .collect::<Vec<_>>()
    });
    let mut notes = Vec::new();
    if tree
        .nodes
        .iter()
        .skip(1)
        .any(|node| node.rest == Rest::Decided)
    {
        notes.push("Moves that decide the game are left out.".to_owned());
    }
    let moves = || shown.iter().flat_map(|index| &tree.nodes[*index].moves);
    if moves().any(|edge| edge.choices > 1) {
        notes.push("Of several best moves one is drawn.".to_owned());
    }
    if shown.iter().any(|index| {
        matches!(
            rows_of_list(&tree.nodes[*index].position),
            Some(List::Truths(_))
        )
    }) {
        notes.push("In lists 1 is true, 0 is false.".to_owned());
    }
    if shown.len() < wanted.len() {
        notes.push(format!(
            "The first {} of {} positions; … marks where more follow.",
            shown.len(),
            wanted.len()
        ));
    }
    Diagram {
        title: "Optimal moves",
        vertices: shown.iter().map(vertex).collect(),
        edges: edges.collect(),
        mirror: None,
        notes,
    }
}

/// Returns the diagram of games, with an edge from each game to those that it covers.
pub(super) fn hasse(order: &Hasse) -> Diagram {
    let shown = order.games.len().min(MOST);
    let vertex = |game: &String| DiagramVertex {
        shape: VertexShape::text(game),
        caption: String::new(),
        look: VertexLook::default(),
    };
    let edge = |&(below, above): &(usize, usize)| {
        let title = format!("{} < {}", order.games[below], order.games[above]);
        DiagramEdge {
            tail: above,
            head: below,
            kind: Kind::Cover,
            title,
            label: String::new(),
        }
    };
    let mut notes = vec![order.note()];
    if shown < order.games.len() {
        notes.push(format!("The first {shown} games are drawn."));
    }
    Diagram {
        title: "Hasse diagram: greater games on top",
        vertices: order.games[..shown].iter().map(vertex).collect(),
        edges: order
            .covers
            .iter()
            .filter(|(below, above)| *below < shown && *above < shown)
            .map(edge)
            .collect(),
        mirror: order
            .conjugates
            .clone()
            // If games are left out, some images are missing.
            .filter(|_| shown == order.games.len()),
        notes,
    }
}

/// Returns the diagram of a graph: its first [`MOST`] vertices and the edges between them.
pub(super) fn drawing(drawing: &Drawing) -> Diagram {
    let count = drawing.vertices.len();
    let shown = count.min(MOST);
    let vertex = |(index, vertex): (usize, &GraphVertex)| {
        let words = vertex.words();
        let value = vertex.value.as_ref().map(ToString::to_string);
        let told = value
            .into_iter()
            .chain([words])
            .filter(|part| !part.is_empty());
        DiagramVertex {
            shape: VertexShape::of(&vertex.position, vertex.board),
            caption: told.collect::<Vec<_>>().join(", "),
            look: VertexLook {
                ending: vertex.ending,
                cyclic: vertex.cyclic,
                start: index == 0,
            },
        }
    };
    let edge = |edge: &GraphEdge| {
        let ends = [edge.from, edge.to].map(|end| drawing.vertices[end].position.as_str());
        DiagramEdge {
            tail: edge.from,
            head: edge.to,
            kind: edge.player.map_or(Kind::Both, Kind::Move),
            title: format!("{} → {}", ends[0], ends[1]),
            label: edge.label.clone(),
        }
    };
    let mut notes = Vec::new();
    if let Some(measure) = &drawing.measure {
        notes.push(format!(
            "{measure} stands below each vertex; the start has a thick border."
        ));
    } else {
        notes.push("The start has a thick border.".to_owned());
    }
    if drawing.vertices[..shown].iter().any(|vertex| vertex.cyclic) {
        notes.push("Vertices with a green border lie on cycles.".to_owned());
    }
    if shown < count {
        notes.push(format!("The first {shown} of {count} positions are drawn."));
    }
    let is_shown = |edge: &&GraphEdge| edge.from < shown && edge.to < shown;
    Diagram {
        title: "The graph of a game",
        vertices: drawing.vertices[..shown]
            .iter()
            .enumerate()
            .map(vertex)
            .collect(),
        edges: drawing.edges.iter().filter(is_shown).map(edge).collect(),
        mirror: None,
        notes,
    }
}
