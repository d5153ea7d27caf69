//! Writes trees of optimal moves for the terminal: an indented outline with drawn boards.

use super::DrawnBoard;
use crate::{Rest, Tree, TreeNode};

/// The most bytes of an outline. Nobody reads more, and in deep trees the depth indents every line.
const LONGEST: usize = 1 << 20;

/// Writes the tree as an outline. A position that was written before is not unfolded again.
pub(super) fn of(tree: &Tree) -> String {
    let mut outline = String::new();
    let mut unfolded = vec![false; tree.nodes.len()];
    let mut stack = if tree.nodes.is_empty() {
        Vec::new()
    } else {
        vec![(0, String::new(), 0)]
    };
    while let Some((node, reached_by, depth)) = stack.pop() {
        if outline.len() > LONGEST {
            let left = unfolded.iter().filter(|seen| !**seen).count();
            outline.push_str(&format!(
                "… {left} of {} positions left out; `depth:` asks for fewer, `--format json` has them all",
                tree.nodes.len()
            ));
            break;
        }
        let seen = std::mem::replace(&mut unfolded[node], true);
        outline.push_str(&entry(
            &tree.nodes[node],
            &tree.measure,
            &reached_by,
            depth,
            seen,
        ));
        if seen {
            continue;
        }
        // The stack yields the last entry first, so that the first move is pushed last.
        for edge in tree.nodes[node].moves.iter().rev() {
            let action = if edge.action.is_empty() {
                String::new()
            } else {
                format!(" {}", edge.action)
            };
            let reached_by = format!("{}{action}{}", edge.player.word(), edge.others());
            stack.push((edge.to, reached_by, depth + 1));
        }
    }
    outline.trim_end().to_owned()
}

/// Writes a position with the move that reaches it and its value, on one line or as a board below
/// the move.
fn entry(node: &TreeNode, measure: &str, reached_by: &str, depth: usize, seen: bool) -> String {
    let mark = match node.rest {
        Rest::LeftOut => "  …",
        Rest::Shown if seen && !node.moves.is_empty() => "  (above)",
        Rest::Shown | Rest::Decided => "",
    };
    let indent = "  ".repeat(depth);
    let value = format!("{measure} = {}{}{mark}", node.value, node.remarks(", "));
    let lines = DrawnBoard::of(&node.position, node.board).map(|board| board.lines());
    // A board of one row fits on the line of its move.
    let Some(rows) = lines.filter(|rows| rows.len() > 1) else {
        let colon = if reached_by.is_empty() { "" } else { ": " };
        return format!("{indent}{reached_by}{colon}{}  {value}\n", node.position);
    };
    let last = rows.len() - 1;
    let row = |(place, row): (usize, &String)| {
        let value = if place == last {
            format!("  {value}")
        } else {
            String::new()
        };
        format!("{indent}{row}{value}\n")
    };
    let head = if reached_by.is_empty() {
        String::new()
    } else {
        format!("{indent}{reached_by}\n")
    };
    head + &rows.iter().enumerate().map(row).collect::<String>()
}
