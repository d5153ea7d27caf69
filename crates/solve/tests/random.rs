//! Random games: acyclic and cyclic, with draws, zugzwang, traps, self-loops, positions where only
//! one player can move, and positions where one moves without a bid.

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::Player;
use bid_testing::{GraphShape, PlainGraph, graphs};
use proptest::strategy::Strategy;

/// Builds the graph in the form that the solvers take.
pub fn built(graph: &PlainGraph) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for vertex in &graph.vertices {
        let [alice, bob] = Player::both(|player| -> Vec<NodeId> {
            let heads = vertex.moves[player].iter();
            heads.map(|head| NodeId::new(*head)).collect()
        });
        let node = builder.push(vertex.ending, &alice, &bob);
        if let Some(owner) = vertex.owner {
            builder.own(node, owner);
        }
    }
    builder.finish(NodeId::new(0))
}

/// Generates games of a shape.
pub fn games(shape: GraphShape) -> impl Strategy<Value = GameGraph> + Clone {
    graphs(shape).prop_map(|graph| built(&graph))
}
