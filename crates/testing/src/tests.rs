//! Tests that graphs are of their shape, and shrink to the smallest ones that fail.

use bid_language::player::Player;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

use crate::{GraphShape, Out, PlainGraph, graphs};

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Config::with_cases(cases)
    })
}

/// Returns the smallest graph found for which a law fails.
fn smallest(shape: GraphShape, law: impl Fn(&PlainGraph) -> bool) -> PlainGraph {
    let found = runner(1_000).run(&graphs(shape), |graph| {
        assert!(law(&graph));
        Ok(())
    });
    match found {
        Err(TestError::Fail(_, graph)) => graph,
        other => panic!("no graph failed: {other:?}"),
    }
}

fn shapes() -> [GraphShape; 6] {
    [
        GraphShape::SMALL,
        GraphShape {
            cycles: 0.0,
            stuck: 0.0,
            draws: 1.0,
            ..GraphShape::SMALL
        },
        GraphShape {
            traps: true,
            stuck: 0.4,
            owners: 1.0,
            ..GraphShape::SMALL
        },
        GraphShape {
            shared: 1.0,
            leaving: true,
            cycles: 1.0,
            out: Out::Evenly,
            ..GraphShape::SMALL
        },
        GraphShape {
            undirected: true,
            cycles: 1.0,
            ..GraphShape::SMALL
        },
        GraphShape {
            ends: 0.0,
            cycles: 1.0,
            contrary: 1.0,
            ..GraphShape::SMALL
        },
    ]
}

/// For any law, each graph during shrinking is of the shape, and shrinking ends.
#[test]
fn graphs_keep_their_shape_while_they_shrink() {
    for (number, shape) in shapes().into_iter().enumerate() {
        let mut runner = runner(1);
        for case in 0..200 {
            let strategy = graphs(shape.clone());
            let mut tree = strategy.new_tree(&mut runner).expect("a graph");
            let first = tree.current();
            assert!(tree.kind.fits(&first), "{number}: {first:?}");
            let mut going = tree.simplify();
            for step in 0_usize.. {
                let graph = tree.current();
                assert!(tree.kind.fits(&graph), "{number}: {graph:?}");
                if !going {
                    break;
                }
                going = match (case + step) % 3 {
                    0 => tree.simplify(),
                    _ => tree.complicate(),
                };
            }
        }
    }
}

#[test]
fn a_cycle_shrinks_to_a_loop() {
    let is_acyclic = |graph: &PlainGraph| {
        let mut open = graph.open().iter().enumerate();
        open.all(|(tail, vertex)| vertex.heads().all(|head| head > tail))
    };
    let shape = GraphShape {
        positions: 3..=8,
        draws: 0.0,
        ..GraphShape::SMALL
    };
    let found = smallest(shape, is_acyclic);
    assert_eq!(found.text().matches("->").count(), 1, "{}", found.text());
    assert_eq!(found.positions(), 1);
}

#[test]
fn an_owner_stays_where_it_is_needed() {
    let found = smallest(
        GraphShape {
            owners: 1.0,
            ..GraphShape::SMALL
        },
        |graph| {
            graph
                .vertices
                .iter()
                .all(|vertex| vertex.owner != Some(Player::Bob))
        },
    );
    assert_eq!(found.positions(), 1);
    assert_eq!(found.vertices[0].owner, Some(Player::Bob));
}

#[test]
fn undirected_graphs_stay_so() {
    let shape = GraphShape {
        positions: 4..=9,
        undirected: true,
        cycles: 1.0,
        ..GraphShape::SMALL
    };
    let found = smallest(shape, |graph| graph.positions() < 3);
    assert_eq!(found.positions(), 3);
    for (tail, vertex) in found.open().iter().enumerate() {
        for head in vertex.heads().filter(|head| *head < 3) {
            assert!(found.vertices[head].moves.bob.contains(&tail));
        }
    }
}
