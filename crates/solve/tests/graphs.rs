//! Comparisons of the frozen graph with petgraph: its components, and the vertices that can be
//! reached.

use std::collections::BTreeSet;

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, Player};
use petgraph::algo::{has_path_connecting, kosaraju_scc, toposort};
use petgraph::graph::DiGraph;

use crate::random::games;
use bid_testing::{GraphShape, for_all};

const SHAPE: GraphShape = GraphShape {
    positions: 1..=12,
    moves: 2..=2,
    draws: 1.0,
    ..GraphShape::SMALL
};

fn as_petgraph(graph: &GameGraph) -> DiGraph<(), ()> {
    let mut petgraph = DiGraph::new();
    let nodes: Vec<_> = graph.nodes().map(|_| petgraph.add_node(())).collect();
    for node in graph.nodes() {
        for head in graph.all_successors(node) {
            petgraph.add_edge(nodes[node.index()], nodes[head.index()], ());
        }
    }
    petgraph
}

/// Checks that the components are the same, each after all that it can reach, and that there is a
/// cycle exactly where petgraph finds no order.
#[test]
fn components_are_those_of_petgraph() {
    for_all(500, games(SHAPE), |graph| {
        let petgraph = as_petgraph(&graph);
        let ours = graph.components();
        let theirs: BTreeSet<BTreeSet<usize>> = kosaraju_scc(&petgraph)
            .into_iter()
            .map(|members| members.into_iter().map(|node| node.index()).collect())
            .collect();
        let found = ours
            .iter()
            .map(|(members, _)| members.iter().map(|node| node.index()).collect())
            .collect();
        assert_eq!(theirs, found);
        assert_eq!(graph.is_acyclic(), toposort(&petgraph, None).is_ok());
        let mut place = vec![0; graph.len()];
        for (number, (members, _)) in ours.iter().enumerate() {
            members.iter().for_each(|node| place[node.index()] = number);
        }
        for node in graph.nodes() {
            assert!(
                graph
                    .all_successors(node)
                    .all(|head| place[head.index()] <= place[node.index()]),
            );
        }
    });
}

/// Checks the order of the vertices of random graphs without cycles, and of the same graphs
/// numbered against that order, so that every edge leads forward.
#[test]
fn successors_come_first() {
    let mut checked = 0;
    for_all(400, games(SHAPE), |graph| {
        if !graph.is_acyclic() {
            return;
        }
        let order: Vec<NodeId> = graph.successors_first().collect();
        let mut numbers = vec![NodeId::new(0); graph.len()];
        for (number, node) in order.iter().rev().enumerate() {
            numbers[node.index()] = NodeId::new(number);
        }
        let mut builder = GameGraphBuilder::default();
        for node in order.iter().rev() {
            let [alice, bob] = Player::both(|player| {
                let heads = graph.successors(*node, player).iter();
                heads.map(|head| numbers[head.index()]).collect::<Vec<_>>()
            });
            builder.push(graph.ending(*node), &alice, &bob);
        }
        let forward = builder.finish(numbers[graph.start().index()]);
        for graph in [&graph, &forward] {
            let mut seen = vec![false; graph.len()];
            for node in graph.successors_first() {
                assert!(graph.all_successors(node).all(|head| seen[head.index()]));
                assert!(!std::mem::replace(&mut seen[node.index()], true));
            }
            assert!(seen.into_iter().all(|seen| seen));
        }
        assert!(forward.is_acyclic());
        assert_eq!(forward.successors_first().next(), forward.nodes().last());
        checked += 1;
    });
    assert!(checked > 20, "only {checked} have no cycle");
}

/// Compares the vertices that can be reached with petgraph's query on its own graph.
#[test]
fn what_can_be_reached_is_what_petgraph_reaches() {
    for_all(200, games(SHAPE), |graph| {
        let petgraph = as_petgraph(&graph);
        assert_eq!(graph.len(), petgraph.node_count());
        for from in graph.nodes() {
            let reached: BTreeSet<NodeId> = graph.reachable(from).into_iter().collect();
            for to in graph.nodes() {
                let [a, b] = [from, to].map(|node| petgraph::graph::NodeIndex::new(node.index()));
                assert_eq!(
                    reached.contains(&to),
                    has_path_connecting(&petgraph, a, b, None),
                );
            }
        }
    });
}

/// Checks a path of a million vertices, which would overflow the stack if anything recursed.
#[test]
fn long_paths_are_searched() {
    let mut builder = GameGraphBuilder::default();
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    for node in 1..1_000_000 {
        builder.push(None, &[NodeId::new(node - 1)], &[]);
    }
    let graph = builder.finish(NodeId::new(999_999));
    assert!(graph.is_acyclic());
    assert_eq!(graph.reachable(graph.start()).len(), 1_000_000);
}
