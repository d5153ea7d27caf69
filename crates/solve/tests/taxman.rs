//! Comparisons of poorman and taxman thresholds with closed forms, truncations and the exact
//! Richman values.

use std::f64::consts::PI;

use crate::income::{float, holds_truncation, rational, truncated};
use crate::random::games;
use crate::shared::tug;
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::diagnostic::Code;
use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Payment, Precision, Rules, Solver};
use bid_language::watch::Context;
use bid_solve::richman::Values;
use bid_solve::richman::taxman::Shares;
use bid_testing::{GraphShape, Out, for_all};
use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use num_traits::One;
use proptest::sample::select;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn rules(tax: Ratio<i64>, draws: Draws) -> Rules {
    Rules {
        pay: Payment::Taxman(rational(*tax.numer(), *tax.denom())),
        draws,
        ..Rules::default()
    }
}

/// The shape of graphs whose moves lead to all vertices with the same probability, with some
/// positions at which only one player can move.
const SHAPE: GraphShape = GraphShape {
    moves: 3..=3,
    traps: true,
    cycles: 1.0,
    draws: 1.0,
    out: Out::Evenly,
    ..GraphShape::SMALL
};

#[test]
fn no_tax_is_richman_bidding() {
    let mut inexact = 0;
    for_all(
        400,
        games(GraphShape {
            positions: 1..=9,
            ..SHAPE
        }),
        |graph| {
            for draws in [Draws::Bob, Draws::Alice] {
                let rules = rules(Ratio::ZERO, draws);
                let right = Values::solve(
                    &graph,
                    &Rules {
                        draws,
                        ..Rules::default()
                    },
                    Context::plain(),
                )
                .expect("solved");
                let found = Shares::solve(&graph, &rules, Context::plain()).expect("solved");
                for node in graph.nodes() {
                    let (share, value) = (found.share(node), right.value(node));
                    assert!(
                        share.low <= value && value <= share.high,
                        "{share:?} does not hold {value}: {graph:?}"
                    );
                    inexact += usize::from(share.value().is_none());
                }
            }
        },
    );
    assert_eq!(inexact, 0, "small denominators are found");
}

#[test]
fn bounds_hold_the_limit_of_truncations() {
    let (mut irrational, mut slow) = (0, 0);
    for_all(
        150,
        games(GraphShape {
            positions: 1..=7,
            ..SHAPE
        }),
        |graph| {
            for part in [Ratio::ONE, Ratio::new(1, 3)] {
                for draws in [Draws::Bob, Draws::Alice] {
                    let rules = rules(part, draws);
                    let found = Shares::solve(&graph, &rules, Context::plain()).expect("solved");
                    let truncated = truncated(&graph, &rules, 3000);
                    for node in graph.nodes() {
                        let (share, limit) = (found.share(node), truncated[node.index()]);
                        let (low, high) = (float(&share.low), float(&share.high));
                        // Near 0 and 1, where a bid is worth almost nothing, the limit is approached
                        // as slowly as 1/n.
                        assert!(
                            holds_truncation(&share, limit, draws, 0.1),
                            "{low} {limit} {high}: {graph:?}"
                        );
                        slow += usize::from(limit < low - 2e-3 || limit > high + 2e-3);
                        irrational += usize::from(share.value().is_none());
                    }
                }
            }
        },
    );
    assert!(irrational > 50 && slow < 80, "{irrational} {slow}");
}

/// Checks that the middle of a path has value 1/2, by symmetry, and the positions at distance 1
/// from the ends of a path of 3 have 1/3 and 2/3.
#[test]
fn what_is_rational_is_exact() {
    for n in 1..30 {
        for part in [Ratio::ONE, Ratio::new(1, 3)] {
            let found = Shares::solve(&tug(1, n), &rules(part, Draws::Bob), Context::plain())
                .expect("solved");
            for i in 1..=n {
                let share = found.share(NodeId::new(i));
                // The sines of rational angles have rational quotients here only if they are equal
                // or 1 to 2 (Niven).
                let rational = 2 * i == n + 1 || n == 3;
                if part == Ratio::ONE {
                    assert_eq!(share.value().is_some(), rational, "{n} {i} {share:?}");
                }
                if 2 * i == n + 1 {
                    assert_eq!(
                        share.value(),
                        Some(&BigRational::new(1.into(), 2.into())),
                        "{n} {part:?}"
                    );
                }
            }
        }
    }
}

/// Checks a position that leads to rational ones only, but belongs to a cycle of irrational ones by
/// a bad edge.
#[test]
fn rational_parts_of_a_component_are_exact() {
    // The vertices 0 and 3 are the ends. 1 and 2 are a path of two, irrational. 4 leads to both
    // ends; 5 leads to 4 and to Alice's win, and by a bad edge into the path.
    let mut builder = GameGraphBuilder::default();
    let edges = |heads: &[usize]| heads.iter().copied().map(NodeId::new).collect::<Vec<_>>();
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.push(None, &edges(&[0, 2]), &edges(&[2, 5]));
    builder.push(None, &edges(&[1, 3]), &edges(&[1, 3]));
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    builder.push(None, &edges(&[0, 1]), &edges(&[3, 2]));
    builder.push(None, &edges(&[0, 2]), &edges(&[4, 0]));
    let graph = builder.finish(NodeId::new(1));
    let rules = rules(Ratio::ONE, Draws::Bob);
    let found = Shares::solve(&graph, &rules, Context::plain()).expect("solved");
    let value = |vertex: usize| found.share(NodeId::new(vertex)).value().cloned();
    let ratio = |n, d| Some(rational(n, d));
    assert_eq!(
        (value(4), value(5), value(1), value(2)),
        (ratio(1, 2), ratio(1, 3), None, None)
    );
    let truncated = truncated(&graph, &rules, 3000);
    for (vertex, limit) in truncated.into_iter().enumerate() {
        let share = found.share(NodeId::new(vertex));
        assert!(
            holds_truncation(&share, limit, Draws::Bob, 1e-9),
            "{vertex}: {share:?} {limit}"
        );
    }
}

#[test]
fn tug_of_war_has_its_closed_form() {
    for n in 1..40 {
        let found = Shares::solve(&tug(1, n), &rules(Ratio::ONE, Draws::Bob), Context::plain())
            .expect("solved");
        for i in 1..=n {
            let angle = |k: usize| (k as f64 * PI / (n as f64 + 3.0)).sin();
            let ratio = angle(i) / angle(n + 1 - i);
            let share = found.share(NodeId::new(i));
            let (low, high) = (float(&share.low), float(&share.high));
            let right = ratio / (1.0 + ratio);
            assert!(
                low - 1e-12 <= right && right <= high + 1e-12,
                "n = {n}, i = {i}: {low} {right} {high}"
            );
            assert!(&share.high - &share.low <= Precision::default().0);
        }
    }
}

fn to_digits(digits: usize) -> Precision {
    Precision(BigRational::new(
        1.into(),
        num_traits::pow(BigInt::from(10), digits),
    ))
}

/// Checks that bounds by iteration contain the exact values and are as near as asked. Returns how
/// many are exact, or `None` if they do not come so near.
fn check_enclosure(graph: &GameGraph, draws: Draws, digits: usize) -> Option<usize> {
    let exact = Values::solve(
        graph,
        &Rules {
            draws,
            ..Rules::default()
        },
        Context::plain(),
    )
    .expect("solved");
    let rules = Rules {
        draws,
        solver: Solver::Iteration,
        precision: to_digits(digits),
        ..Rules::default()
    };
    let found = match Shares::solve(graph, &rules, Context::plain()) {
        Ok(found) => found,
        Err(refused) => {
            assert_eq!(refused.code, Code::NotSupported, "{graph:?}");
            return None;
        }
    };
    let mut known = 0;
    for node in graph.nodes() {
        let (share, value) = (found.share(node), exact.value(node));
        assert!(
            share.low <= value && value <= share.high,
            "{share:?} does not hold {value}: {graph:?}"
        );
        assert!(&share.high - &share.low <= rules.precision.0);
        known += usize::from(share.value().is_some());
    }
    Some(known)
}

#[test]
fn bounds_from_both_sides_hold_the_value() {
    let mut refused = 0;
    for_all(
        240,
        (
            games(GraphShape {
                positions: 1..=12,
                ..SHAPE
            }),
            select(vec![12, 30]),
        ),
        |(graph, digits)| {
            for draws in [Draws::Bob, Draws::Alice] {
                refused += usize::from(check_enclosure(&graph, draws, digits).is_none());
            }
        },
    );
    assert!(refused < 10, "{refused}");
    for positions in [40, 150, 400] {
        let large = games(GraphShape {
            positions: positions..=positions,
            ..SHAPE
        });
        for_all(1, [(); 2].map(|()| large.clone()), |graphs| {
            for (graph, draws) in graphs.iter().zip([Draws::Bob, Draws::Alice]) {
                check_enclosure(graph, draws, 25).expect("bounds are proved");
            }
        });
    }
}

#[test]
fn bounds_of_long_paths_are_as_near() {
    // These are two walks of 400,000 moves and more: elimination finds the values, and 120 places
    // suffice.
    check_enclosure(&tug(1, 1_000), Draws::Bob, 12).expect("bounds are proved");
    check_enclosure(&tug(1, 1_000), Draws::Alice, 12).expect("bounds are proved");
}

#[test]
fn bounds_are_as_narrow_as_asked() {
    for digits in [30, 300] {
        let precision = to_digits(digits);
        let rules = Rules {
            precision: precision.clone(),
            ..rules(Ratio::ONE, Draws::Bob)
        };
        let found = Shares::solve(&tug(1, 2), &rules, Context::plain()).expect("solved");
        let share = found.share(NodeId::new(1));
        assert!(&share.high - &share.low <= precision.0);
        // The ratio q is that of the golden section: q² + q = 1.
        let ratio = |share: &BigRational| share / (BigRational::one() - share);
        let [low, high] = [&share.low, &share.high].map(|share| {
            let q = ratio(share);
            &q * &q + q
        });
        assert!(low < BigRational::one() && high > BigRational::one());
    }
}

/// Builds a graph like those of [`SHAPE`], but with zugzwang, few endings, and components that only
/// some vertices can leave.
fn wild_graph(dice: &mut StdRng, positions: usize) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    let (contrary, out) = (dice.random_bool(0.3), dice.random_range(0.05..0.6));
    let alone = dice.random_range(0.0..0.5);
    for _ in 0..positions {
        let heads = |dice: &mut StdRng, player: usize| -> Vec<NodeId> {
            let count = if dice.random_bool(alone) {
                0
            } else {
                dice.random_range(1..=3)
            };
            let head = |dice: &mut StdRng| match dice.random_bool(out) {
                true => {
                    positions
                        + [player, 1 - player, 0, 1, 2][dice.random_range(usize::from(contrary)..5)]
                }
                false => dice.random_range(0..positions),
            };
            (0..count).map(|_| NodeId::new(head(dice))).collect()
        };
        let (alice, bob) = (heads(dice, 0), heads(dice, 1));
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

/// Computes the thresholds of a wild graph under several taxes. If `held`, it also checks that the
/// bounds contain the limit of truncations. Returns the number of cases.
fn ask_wild(seed: u64, held: bool) -> usize {
    let mut dice = StdRng::seed_from_u64(seed);
    let graph = wild_graph(&mut dice, 1 + seed as usize % 10);
    let mut asked = 0;
    for part in [
        Ratio::ONE,
        Ratio::new(1, 3),
        Ratio::new(1, 2),
        Ratio::new(9, 10),
    ] {
        for draws in [Draws::Bob, Draws::Alice] {
            let rules = rules(part, draws);
            let found = Shares::solve(&graph, &rules, Context::plain());
            let found = found.unwrap_or_else(|error| {
                panic!("seed {seed} {part:?} {draws:?}: {}", error.message)
            });
            asked += 1;
            let limits = if held {
                truncated(&graph, &rules, 600)
            } else {
                Vec::new()
            };
            for (node, limit) in graph.nodes().zip(limits) {
                let share = found.share(node);
                assert!(
                    holds_truncation(&share, limit, draws, 0.3),
                    "{share:?} {limit}: seed {seed} {graph:?}"
                );
            }
        }
    }
    asked
}

/// Checks vertices that could keep their value by an edge to themselves, or by a cycle of one
/// value.
#[test]
fn edges_that_keep_a_value_do_not_spoil_the_bounds() {
    for seed in [
        1118, 1295, 1359, 1428, 1699, 1858, 1885, 2059, 2078, 2118, 2162, 2178, 2775, 2939, 2977,
    ] {
        ask_wild(seed, true);
    }
}

#[test]
fn bounds_of_wild_graphs_are_always_proved() {
    let asked: usize = (0..400).map(|seed| ask_wild(seed, seed < 60)).sum();
    assert!(asked > 3_000);
}

#[test]
#[ignore = "takes minutes"]
fn bounds_of_many_wild_graphs_are_proved() {
    (3_000..20_000).for_each(|seed| assert!(ask_wild(seed, false) > 0));
}
