//! Converts a tree of optimal moves and a partial order to diagrams.

use super::board::DrawnBoard;
use super::diagram::{
    Diagram, DiagramEdge, DiagramVertex, Kind, List, MOST, VertexShape, rows_of_list,
};
use crate::{Hasse, Rest, Tree, TreeMove, TreeNode};

/// Returns the diagram of a tree: its first [`MOST`] positions in the order of their distance from
/// the start.
pub(super) fn tree(tree: &Tree) -> Diagram {
    let is_kept = |index: usize, node: &TreeNode| index == 0 || node.rest != Rest::Decided;
    let wanted: Vec<usize> = tree
        .nodes
        .iter()
        .enumerate()
        .filter(|(index, node)| is_kept(*index, node))
        .map(|(index, _)| index)
        .collect();
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
            shape: VertexShape::of(&node.position, node.hexagons),
            caption: format!("{}{}{dots}", node.value, node.remarks(", ")),
        }
    };
    let edges = shown.iter().enumerate().flat_map(|(tail, index)| {
        let is_seen = DrawnBoard::of(&tree.nodes[*index].position, false).is_some();
        let drawn = |TreeMove { player, action, to }: &TreeMove| {
            let head = place[*to]?;
            let label = if is_seen {
                String::new()
            } else {
                action.clone()
            };
            Some(DiagramEdge {
                tail,
                head,
                kind: Kind::Move(*player),
                title: action.clone(),
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
        notes,
    }
}

/// Returns the diagram of games, with an edge from each game to those that it covers.
pub(super) fn hasse(order: &Hasse) -> Diagram {
    let shown = order.games.len().min(MOST);
    let vertex = |game: &String| DiagramVertex {
        shape: VertexShape::text(game),
        caption: String::new(),
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
        notes,
    }
}
