//! Search for a cycle, to report it: a scoring game must end.

use crate::game::{GameGraph, NodeId};

/// Returns the vertices of a cycle in order, with the first one not repeated; `None` if the graph
/// has no cycle.
pub fn cycle(graph: &GameGraph) -> Option<Vec<NodeId>> {
    let components = graph.components();
    // Every cycle lies within one component.
    let (members, _) = components.iter().find(|(_, cyclic)| *cyclic)?;
    let inside = |node: NodeId| {
        graph
            .all_successors(node)
            .find(|head| members.contains(head))
    };
    // Every vertex of a cyclic component has a successor in it, so a walk inside returns to one of
    // its vertices.
    let mut walk = vec![*members.iter().min()?];
    loop {
        let next = inside(*walk.last()?)?;
        if let Some(first) = walk.iter().position(|node| *node == next) {
            return Some(walk.split_off(first));
        }
        walk.push(next);
    }
}
