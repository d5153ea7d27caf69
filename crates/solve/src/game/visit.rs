//! Implementation of petgraph's traits for the frozen graph, so that those of its algorithms that
//! do not recurse can be used.
//!
//! Edges are followed forward only, and both players' edges count alike; an edge that both players
//! have is visited twice.

use petgraph::Directed;
use petgraph::visit::{
    GraphBase, GraphProp, IntoNeighbors, IntoNodeIdentifiers, NodeCompactIndexable, NodeCount,
    NodeIndexable, VisitMap, Visitable,
};

use super::{GameGraph, NodeId};

impl GraphBase for GameGraph {
    type NodeId = NodeId;
    /// The tail, and the index of the edge among all edges of the tail.
    type EdgeId = (NodeId, u32);
}

impl GraphProp for GameGraph {
    type EdgeType = Directed;
}

impl NodeCount for GameGraph {
    fn node_count(&self) -> usize {
        self.len()
    }
}

impl NodeIndexable for GameGraph {
    fn node_bound(&self) -> usize {
        self.len()
    }

    fn to_index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn from_index(&self, index: usize) -> NodeId {
        NodeId::new(index)
    }
}

impl NodeCompactIndexable for GameGraph {}

impl IntoNodeIdentifiers for &GameGraph {
    type NodeIdentifiers = std::iter::Map<std::ops::Range<usize>, fn(usize) -> NodeId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.len()).map(NodeId::new)
    }
}

impl<'a> IntoNeighbors for &'a GameGraph {
    type Neighbors = std::iter::Copied<
        std::iter::Chain<std::slice::Iter<'a, NodeId>, std::slice::Iter<'a, NodeId>>,
    >;

    fn neighbors(self, node: NodeId) -> Self::Neighbors {
        let [alice, bob] = crate::player::Player::BOTH.map(|player| self.successors(node, player));
        alice.iter().chain(bob).copied()
    }
}

/// The set of vertices that have been visited.
#[derive(Debug, Clone)]
pub struct Visited(pub(super) Vec<bool>);

impl VisitMap<NodeId> for Visited {
    fn visit(&mut self, node: NodeId) -> bool {
        !std::mem::replace(&mut self.0[node.index()], true)
    }

    fn is_visited(&self, node: &NodeId) -> bool {
        self.0[node.index()]
    }

    fn unvisit(&mut self, node: NodeId) -> bool {
        std::mem::replace(&mut self.0[node.index()], false)
    }
}

impl Visitable for GameGraph {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited(vec![false; self.len()])
    }

    fn reset_map(&self, map: &mut Visited) {
        map.0.clear();
        map.0.resize(self.len(), false);
    }
}
