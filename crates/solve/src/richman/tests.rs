//! Exact improvement mends every guess: the values do not depend on where it starts.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::arena::{Arena, Numbering};
use super::cyclic::hero;
use super::improve::Improvement;
use super::valuation::{Exact, Valuation};
use super::*;
use crate::game::GameGraphBuilder;
use crate::watch::Context;

/// Positions with up to three random edges per player, few of them to an ending.
fn random_graph(random: &mut StdRng, n: usize) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for _ in 0..n {
        let mut edges = || -> Vec<_> {
            (0..random.random_range(0..4))
                .map(|_| NodeId::new(random.random_range(0..n + 3)))
                .collect()
        };
        let (alice, bob) = (edges(), edges());
        builder.push(None, &alice, &bob);
    }
    for ending in [
        Ending::Win(Player::Alice),
        Ending::Win(Player::Bob),
        Ending::Draw,
    ] {
        builder.push(Some(ending), &[], &[]);
    }
    builder.finish(NodeId::new(0))
}

/// The values of a component, found from random strategies instead of the guess.
fn from_anywhere(
    random: &mut StdRng,
    arena: &Arena,
    values: &Values,
    draw: DrawValue,
) -> Vec<BigRational> {
    let exits: Vec<_> = arena
        .exits()
        .iter()
        .map(|&node| Fraction::from(values.value(node)))
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
    let mut strategies = arena.first_edges();
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

#[test]
fn the_values_do_not_depend_on_the_first_strategies() {
    let mut tried = 0;
    for seed in 0..400 {
        let random = &mut StdRng::seed_from_u64(seed);
        let size = random.random_range(1..25);
        let graph = random_graph(random, size);
        for draws in [Draws::Neither, Draws::Alice, Draws::Half] {
            let rules = Rules {
                draws,
                solver: Solver::StrategyImprovement,
                ..Rules::default()
            };
            let values = Values::solve(&graph, &rules, Context::plain()).expect("supported");
            let mut numbering = Numbering::new(&graph);
            for (vertices, _) in graph.components().iter().filter(|(_, cyclic)| *cyclic) {
                let arena = Arena::new(&graph, vertices, &mut numbering);
                let expected: Vec<_> = vertices.iter().map(|&node| values.value(node)).collect();
                assert_eq!(
                    from_anywhere(random, &arena, &values, DrawValue::new(draws)),
                    expected,
                    "seed {seed}, {draws:?}"
                );
                tried += usize::from(vertices.len() > 3);
            }
        }
    }
    assert!(tried > 300, "only {tried} components of some size");
}

/// An undirected graph with n positions and some endings, connected.
fn undirected(random: &mut StdRng, n: usize, ends: usize) -> GameGraph {
    let mut neighbours = vec![std::collections::BTreeSet::new(); n];
    let mut join = |a: usize, b: usize| {
        neighbours[a].insert(NodeId::new(b));
        if b < n {
            neighbours[b].insert(NodeId::new(a));
        }
    };
    (1..n).for_each(|a| join(a, random.random_range(0..a)));
    (0..n / 2).for_each(|_| join(random.random_range(0..n), random.random_range(0..n)));
    (n..n + ends).for_each(|end| join(random.random_range(0..n), end));
    let mut builder = GameGraphBuilder::default();
    for heads in neighbours {
        let heads: Vec<_> = heads.into_iter().collect();
        builder.push(None, &heads, &heads);
    }
    for _ in 0..ends {
        builder.push(Some(Ending::Draw), &[], &[]);
    }
    builder.finish(NodeId::new(0))
}

/// Ends whose values floats cannot tell apart, or only just: the steepest path must be found all
/// the same.
#[test]
fn slopes_are_exact_where_floats_mislead() {
    let random = &mut StdRng::seed_from_u64(5);
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
    for round in 0..400 {
        let (positions, chosen) = (random.random_range(2..14), random.random_range(2..5));
        let graph = undirected(random, positions, chosen);
        let components = graph.components();
        let (vertices, _) = components
            .iter()
            .find(|(_, cyclic)| *cyclic)
            .expect("it is connected");
        let arena = Arena::new(&graph, vertices, &mut Numbering::new(&graph));
        let pick = |_: &NodeId| {
            ends[random.random_range(0..if round % 2 == 0 { 6 } else { ends.len() })].clone()
        };
        let mut known: Vec<BigRational> = arena.exits().iter().map(pick).collect();
        let exits: Vec<Fraction> = known.iter().cloned().map(Fraction::from).collect();
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
            .run(&mut arena.first_edges())
            .expect("nothing stops it");
        let denominator = &improvement.valuation.denominator;
        let right: Vec<_> = found[..arena.len]
            .iter()
            .map(|n| BigRational::new(n.clone(), denominator.clone()))
            .collect();
        assert_eq!(slopes, right, "round {round}: {graph:?} {known:?}");
    }
}

#[test]
fn floats_tell_values_apart_near_both_ends() {
    let power = |n: i32| 2f64.powi(-n);
    let valuation = super::valuation::Approximate::new(&[], DrawValue::Win);
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
        Certificate { ranks: vec![1] },
    );
    let refused = refuse::unproved(&graph, &Rules::default(), wrong, Context::plain())
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
