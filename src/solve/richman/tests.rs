//! Exact improvement mends every guess: the values do not depend on where it starts.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::arena::{Arena, Numbering};
use super::cyclic::hero;
use super::improve::Improvement;
use super::valuation::{Exact, Valuation};
use super::*;
use crate::game::GameGraphBuilder;
use crate::watch::Unwatched;

/// Positions with up to three random edges per player, few of them to an ending.
fn random_graph(random: &mut StdRng, n: usize) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for _ in 0..n {
        let mut edges = || -> Vec<_> {
            (0..random.random_range(0..4)).map(|_| NodeId::new(random.random_range(0..n + 3))).collect()
        };
        let (alice, bob) = (edges(), edges());
        builder.push(None, &alice, &bob);
    }
    for ending in [Ending::Win(Player::Alice), Ending::Win(Player::Bob), Ending::Draw] {
        builder.push(Some(ending), &[], &[]);
    }
    builder.finish(NodeId::new(0))
}

/// The values of a component, found from random strategies instead of the guess.
fn from_anywhere(random: &mut StdRng, arena: &Arena, values: &Values, draw: Worth) -> Vec<BigRational> {
    let exits: Vec<_> = arena.exits().iter().map(|&node| Fraction::from(values.value(node))).collect();
    let valuation = Exact::new(&exits.iter().collect::<Vec<_>>(), draw);
    let mut improvement = Improvement { arena, valuation, hero: hero(draw), budget: u64::MAX, watch: &Unwatched };
    let mut strategies = arena.first_edges();
    for player in Player::BOTH {
        for (vertex, choice) in strategies[player].iter_mut().enumerate() {
            let heads = arena.heads(vertex, player);
            *choice = choice.map(|_| heads[random.random_range(0..heads.len())]);
        }
    }
    let found = improvement.run(&mut strategies).expect("nothing stops it");
    let denominator = &improvement.valuation.denominator;
    found[..arena.len].iter().map(|n| BigRational::new(n.clone(), denominator.clone())).collect()
}

#[test]
fn the_values_do_not_depend_on_the_first_strategies() {
    let mut tried = 0;
    for seed in 0..400 {
        let random = &mut StdRng::seed_from_u64(seed);
        let size = random.random_range(1..25);
        let graph = random_graph(random, size);
        for draws in [Draws::Neither, Draws::Alice, Draws::Half] {
            let rules = Rules { draws, solver: Solver::StrategyImprovement, ..Rules::default() };
            let values = Values::solve(&graph, &rules, &Unwatched).expect("supported");
            let mut numbering = Numbering::new(&graph);
            for (vertices, _) in graph.components().iter().filter(|(_, cyclic)| *cyclic) {
                let arena = Arena::new(&graph, vertices, &mut numbering);
                let expected: Vec<_> = vertices.iter().map(|&node| values.value(node)).collect();
                assert_eq!(
                    from_anywhere(random, &arena, &values, Worth::new(draws)),
                    expected,
                    "seed {seed}, {draws:?}"
                );
                tried += usize::from(vertices.len() > 3);
            }
        }
    }
    assert!(tried > 300, "only {tried} components of some size");
}

#[test]
fn floats_tell_values_apart_near_both_ends() {
    let power = |n: i32| 2f64.powi(-n);
    let valuation = super::valuation::Approximate::new(&[], Worth::Win);
    assert_eq!(valuation.compare(&[power(80), 1.0], &[power(81), 1.0]), Ordering::Greater);
    assert_eq!(valuation.compare(&[1.0, power(80)], &[1.0, power(81)]), Ordering::Less);
    assert_eq!(valuation.compare(&[1.0, power(80)], &[power(80), 1.0]), Ordering::Greater);
    assert_eq!(valuation.compare(&[0.5, 0.5], &[0.5 + 1e-14, 0.5 - 1e-14]), Ordering::Equal);
}

#[test]
fn values_without_a_proof_are_not_handed_out() {
    let mut builder = GameGraphBuilder::default();
    builder.push(None, &[NodeId::new(0)], &[NodeId::new(0)]);
    let graph = builder.finish(NodeId::new(0));
    let wrong = Values::claim(vec![BigRational::from_integer(0.into())], Certificate { ranks: vec![1] });
    let refused = refuse::unproved(&graph, &Rules::default(), wrong).expect_err("a loop is no win");
    assert_eq!(refused.message, "not supported: values that their certificate does not prove");
    assert_eq!(refused.notes, ["the check fails at 1 of 1 positions: a mistake in this program"]);
}
