//! Tests of exact improvement: it corrects every guess, so the values do not depend on the start.

use bid_testing::{GraphShape, Out, PlainGraph, for_all, graphs};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::arena::{Arena, ArenaNumbering, ArenaStrategies};
use super::cyclic::hero;
use super::improve::Improvement;
use super::valuation::{Exact, Valuation};
use super::*;
use crate::game::GameGraphBuilder;
use crate::random::{built, games};
use crate::watch::Context;

/// Returns the strategies that take every player's first edge.
fn first_edges(arena: &Arena) -> ArenaStrategies {
    let first = |player| {
        let heads = (0..arena.len).map(|vertex| arena.heads(vertex, player));
        heads.map(|heads| heads.first().copied()).collect()
    };
    ArenaStrategies::new(first(Player::Alice), first(Player::Bob))
}

/// Computes the values of a component from random strategies instead of the guess.
fn from_anywhere(
    random: &mut StdRng,
    arena: &Arena,
    values: &Values,
    draw: DrawValue,
) -> Vec<BigRational> {
    let exits: Vec<_> = arena
        .exits()
        .iter()
        .map(|&node| UnreducedFraction::from(values.value(node)))
        .collect();
    let valuation = Exact::new(&exits.iter().collect::<Vec<_>>(), draw, Context::plain())
        .expect("nothing stops it");
    let mut improvement = Improvement {
        arena,
        valuation,
        hero: hero(draw),
        budget: u64::MAX,
        context: Context::plain(),
    };
    let mut strategies = first_edges(arena);
    for player in Player::BOTH {
        for (vertex, choice) in strategies[player].iter_mut().enumerate() {
            let heads = arena.heads(vertex, player);
            *choice = choice.map(|_| heads[random.random_range(0..heads.len())]);
        }
    }
    let found = improvement.run(&mut strategies).expect("nothing stops it");
    let denominator = &improvement.valuation.denominator;
    found[..arena.len]
        .iter()
        .map(|n| BigRational::new(n.clone(), denominator.clone()))
        .collect()
}

/// Checks that improvement of random strategies gives the values of each component. Returns the
/// number of components of some size.
fn check_values(graph: &GameGraph, coin: Coin, seed: u64) -> usize {
    let random = &mut StdRng::seed_from_u64(seed);
    let mut tried = 0;
    for draws in [Draws::Neither, Draws::Alice, Draws::Half] {
        let rules = Rules {
            draws,
            winner: Winner::Moves,
            ..Rules::default()
        };
        let values = Values::with_coin(graph, &rules, coin, Context::plain()).expect("supported");
        let mut numbering = ArenaNumbering::new(graph);
        for (vertices, _) in graph.components().iter().filter(|(_, cyclic)| *cyclic) {
            let mut arena = Arena::new(graph, vertices, &mut numbering);
            arena.coin = coin;
            let expected: Vec<_> = vertices.iter().map(|&node| values.value(node)).collect();
            assert_eq!(
                from_anywhere(random, &arena, &values, DrawValue::new(draws)),
                expected,
                "{draws:?}, {coin:?}: {graph:?}"
            );
            tried += usize::from(vertices.len() > 3);
        }
    }
    tried
}

#[test]
fn the_values_do_not_depend_on_the_first_strategies() {
    let shape = GraphShape {
        positions: 1..=24,
        moves: 3..=3,
        stuck: 0.25,
        traps: true,
        cycles: 1.0,
        draws: 1.0,
        out: Out::Evenly,
        ..GraphShape::SMALL
    };
    let mut tried = 0;
    for_all(400, (games(shape), 0..u64::MAX), |(graph, seed)| {
        tried += check_values(&graph, Coin::default(), seed);
    });
    assert!(tried > 300, "only {tried} components of some size");
}

/// Reduces a graph to at most two moves from each position. A vertex of Alice's keeps its first
/// move as hers and its other one as Bob's; a vertex of Bob's keeps only its first move, as
/// Alice's.
fn with_two_moves(mut graph: PlainGraph) -> PlainGraph {
    for vertex in &mut graph.vertices {
        let Some(owner) = vertex.owner.take() else {
            continue;
        };
        let moves = std::mem::take(&mut vertex.moves[owner]);
        vertex.moves.alice = moves[..1].to_vec();
        vertex.moves.bob = match owner {
            Player::Alice => moves[1..].to_vec(),
            Player::Bob => Vec::new(),
        };
    }
    graph
}

/// Checks Theorem 2.5 of Arun: where no player has a choice, one linear system gives the values.
#[test]
fn strategy_improvement_finds_the_values_of_the_only_walk() {
    let shape = GraphShape {
        positions: 1..=39,
        moves: 2..=2,
        cycles: 1.0,
        draws: 1.0,
        out: Out::Evenly,
        shared: 1.0,
        stuck: 0.0,
        owners: 1.0,
        ..GraphShape::SMALL
    };
    let third = Coin::new(&BigRational::new(1.into(), 3.into())).expect("a coin");
    let (mut tried, mut only) = (0, 0);
    for_all(400, (graphs(shape), 0..u64::MAX), |(graph, seed)| {
        let graph = built(&with_two_moves(graph));
        for coin in [Coin::default(), third] {
            tried += check_values(&graph, coin, seed);
        }
        let mut numbering = ArenaNumbering::new(&graph);
        for (vertices, _) in graph.components().iter().filter(|(_, cyclic)| *cyclic) {
            let arena = Arena::new(&graph, vertices, &mut numbering);
            assert!(arena.only_strategies().is_some(), "{graph:?}");
            only += usize::from(vertices.len() > 3);
        }
    });
    assert!(
        tried > 1_000 && only > 200,
        "only {tried} and {only} components of some size"
    );
}

/// Checks that the steepest path is found even if floats cannot distinguish the values of the ends,
/// or only just.
#[test]
fn slopes_are_exact_where_floats_mislead() {
    let near = |numerator: i64, places: usize| {
        BigRational::new(1.into(), 3.into())
            + BigRational::new(numerator.into(), num_bigint::BigInt::from(1) << places)
    };
    let ends = [
        near(0, 0),
        near(1, 70),
        near(1, 71),
        near(-1, 80),
        near(3, 54),
        near(-5, 55),
        near(1, 2),
        near(-1, 2),
    ];
    let undirected = games(GraphShape {
        positions: 2..=13,
        moves: 2..=2,
        cycles: 1.0,
        draws: 0.7,
        undirected: true,
        ..GraphShape::SMALL
    });
    let mut compared = 0;
    for_all(400, (undirected, 0..u64::MAX), |(graph, seed)| {
        let random = &mut StdRng::seed_from_u64(seed);
        let components = graph.components();
        for (vertices, _) in components.iter().filter(|(_, cyclic)| *cyclic) {
            let arena = Arena::new(&graph, vertices, &mut ArenaNumbering::new(&graph));
            if arena.exits().is_empty() {
                continue;
            }
            let some = [6, ends.len()][random.random_range(0..2)];
            let pick = |_: &NodeId| ends[random.random_range(0..some)].clone();
            let mut known: Vec<BigRational> = arena.exits().iter().map(pick).collect();
            let exits: Vec<UnreducedFraction> =
                known.iter().cloned().map(UnreducedFraction::from).collect();
            known.push(BigRational::from_integer(1.into()));
            let slopes = slopes::solve(&arena, &known, Context::plain()).expect("nothing stops it");
            let valuation = Exact::new(
                &exits.iter().collect::<Vec<_>>(),
                DrawValue::Win,
                Context::plain(),
            )
            .expect("nothing stops it");
            let mut improvement = Improvement {
                arena: &arena,
                valuation,
                hero: Player::Alice,
                budget: u64::MAX,
                context: Context::plain(),
            };
            let found = improvement
                .run(&mut first_edges(&arena))
                .expect("nothing stops it");
            let denominator = &improvement.valuation.denominator;
            let right: Vec<_> = found[..arena.len]
                .iter()
                .map(|n| BigRational::new(n.clone(), denominator.clone()))
                .collect();
            assert_eq!(slopes, right, "{graph:?} {known:?}");
            compared += 1;
        }
    });
    assert!(compared > 300, "{compared}");
}

#[test]
fn floats_tell_values_apart_near_both_ends() {
    let power = |n: i32| 2f64.powi(-n);
    let valuation = super::valuation::Approximate::new(&[]);
    assert_eq!(
        valuation.compare(&[power(80), 1.0], &[power(81), 1.0]),
        Ordering::Greater
    );
    assert_eq!(
        valuation.compare(&[1.0, power(80)], &[1.0, power(81)]),
        Ordering::Less
    );
    assert_eq!(
        valuation.compare(&[1.0, power(80)], &[power(80), 1.0]),
        Ordering::Greater
    );
    assert_eq!(
        valuation.compare(&[0.5, 0.5], &[0.5 + 1e-14, 0.5 - 1e-14]),
        Ordering::Equal
    );
}

#[test]
fn values_without_a_proof_are_not_handed_out() {
    let mut builder = GameGraphBuilder::default();
    builder.push(None, &[NodeId::new(0)], &[NodeId::new(0)]);
    let graph = builder.finish(NodeId::new(0));
    let wrong = Values::claim(
        vec![BigRational::from_integer(0.into())],
        RankCertificate { ranks: vec![1] },
    );
    let refused = refuse::unproved(
        &graph,
        &Rules::default(),
        Coin::default(),
        wrong,
        Context::plain(),
    )
    .expect_err("a loop is no win");
    assert_eq!(
        refused.message,
        "not supported: values that their certificate does not prove"
    );
    assert_eq!(
        refused.notes,
        ["the check fails at 1 of 1 positions: a mistake in this program"]
    );
}

/// Exact values are given if they are short, however many positions there are.
/// On the path they are multiples of one over its length. In the other game Bob's moves lead back to
/// the start, and the position n moves from the end is worth about 1 - 1/2^n.
#[test]
fn a_long_path_has_short_values() {
    let len = 600_000;
    let game = |back: fn(usize) -> usize| {
        let mut builder = GameGraphBuilder::default();
        builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
        for vertex in 1..len {
            let heads = [back(vertex), vertex + 1].map(NodeId::new);
            builder.push(None, &heads[1..], &heads[..1]);
        }
        builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
        builder.finish(NodeId::new(len / 2))
    };
    let is_long = |graph: &GameGraph| has_dense_component(graph, Context::plain());
    assert_eq!(is_long(&game(|vertex| vertex - 1)), Ok(false));
    assert_eq!(is_long(&game(|_| 1)), Ok(true));
}
