//! Tests of weights with chips: the energy objective, the least credit and mean payoffs against the
//! oracle, which keeps every sum as a part of the state.

use crate::endless_chips::{DRAWS, LASTING, MOST_VERTICES, all_with_marker};
use crate::oracle::{Oracle, Order, States, all_purses};
use crate::random::games;
use bid_language::player::Player;
use bid_language::rules::{Credit, Draws, Objective, Rules};
use bid_language::watch::Context;
use bid_solve::chips::{Outcomes, Thresholds, least_credit};
use bid_solve::game::{
    GameGraph, GameGraphBuilder, Goals, MarkedGraph, NodeId, Score, ScoresBuilder,
};
use bid_testing::{GraphShape, for_all, share};
use num_bigint::BigInt;
use num_rational::BigRational;

/// Small games with weights of their vertices, for the literal sums.
const WEIGHTED: GraphShape = GraphShape {
    positions: 1..=3,
    ..LASTING
};

/// Returns the goals in which every move from a vertex has the vertex's weight.
fn weighted(graph: &GameGraph, weights: &[i64]) -> Goals {
    let mut builder = ScoresBuilder::new(graph);
    for node in graph.nodes() {
        for player in Player::BOTH {
            for head in graph.successors(node, player) {
                let weight = Score::from_integer(weights[node.index()]);
                builder.weigh(player, node, *head, weight);
            }
        }
    }
    Goals::Weights(builder.finish().expect("small weights"))
}

fn energy(rules: &Rules, draws: Draws, credit: i64) -> Rules {
    Rules {
        objective: Objective::Energy,
        energy: Credit(BigRational::from_integer(credit.into())),
        draws,
        ..rules.clone()
    }
}

fn negated(weights: &[i64]) -> Vec<i64> {
    weights.iter().map(|weight| -weight).collect()
}

/// Returns the greatest sum that matters: a visit to each state can cost one.
fn most_sum(graph: &GameGraph, total: u64, weights: &[i64]) -> i64 {
    let cost = weights.iter().map(|weight| weight.abs()).max();
    graph.len() as i64 * 2 * (total as i64 + 1) * cost.unwrap_or(0)
}

/// Thresholds under the energy objective, and the least credit, are those of the literal sums: all
/// rules, credits from 0 to 3, both orders of the bids.
#[test]
fn energy_is_that_of_literal_sums() {
    let weights = proptest::collection::vec(-2..3_i64, MOST_VERTICES);
    let (mut needed, mut never) = (0, 0);
    for_all(
        share(120),
        (0..4_usize, games(WEIGHTED), weights, 0..3_u64),
        |(which, graph, weights, total)| {
            let weights = &weights[..graph.len()];
            let goals = weighted(&graph, weights);
            let game = MarkedGraph {
                graph: &graph,
                goals: Some(&goals),
            };
            let Goals::Weights(scores) = &goals else {
                unreachable!("weights")
            };
            let most = most_sum(&graph, total, weights);
            for rules in all_with_marker() {
                let draws = DRAWS[which];
                let plain = energy(&rules, draws, 0);
                // A draw is not won by Bob unless the rules say so.
                let for_alice = if draws == Draws::Bob {
                    Draws::Bob
                } else {
                    Draws::Alice
                };
                let kept = energy(&rules, for_alice, 0);
                let sets = |rules: &Rules, order| {
                    let oracle = Oracle {
                        graph: &graph,
                        rules,
                        total,
                    };
                    oracle.kept_up(Player::Alice, order, weights, most)
                };
                let won = [Order::Forcing, Order::NotPreventable].map(|order| sets(&plain, order));
                let kept = [Order::Forcing, Order::NotPreventable].map(|order| sets(&kept, order));
                for credit in 0..=3.min(most) {
                    let rules = energy(&rules, draws, credit);
                    let outcomes = Outcomes::solve(game, &rules, &[total], Context::plain());
                    let thresholds = outcomes.expect("admitted").thresholds;
                    for node in graph.nodes() {
                        for purses in all_purses(&rules, total) {
                            let contains =
                                |sets: &[States]| sets[credit as usize].contains(node, &purses);
                            let case =
                                || format!("{rules:?} {node:?} {purses:?} {weights:?} {graph:?}");
                            let alice = &thresholds.alice;
                            assert_eq!(
                                alice.is_forced(node, &purses, 0),
                                contains(&won[0]),
                                "{}",
                                case()
                            );
                            assert_eq!(
                                alice.is_unpreventable(node, &purses, 0),
                                contains(&won[1]),
                                "{}",
                                case()
                            );
                            let bob = &thresholds.bob;
                            assert_eq!(
                                bob.is_forced(node, &purses, 0),
                                !contains(&kept[1]),
                                "{}",
                                case()
                            );
                            assert_eq!(
                                bob.is_unpreventable(node, &purses, 0),
                                !contains(&kept[0]),
                                "{}",
                                case()
                            );
                        }
                    }
                }
                for node in graph.nodes() {
                    for purses in all_purses(&rules, total) {
                        let least =
                            least_credit(&graph, scores, &plain, node, &purses, Context::plain());
                        let expected = won[0].iter().position(|set| set.contains(node, &purses));
                        let expected =
                            expected.map(|sum| BigRational::from_integer(BigInt::from(sum)));
                        needed += usize::from(
                            expected
                                .as_ref()
                                .is_some_and(|sum| *sum > BigRational::default()),
                        );
                        never += usize::from(expected.is_none());
                        assert_eq!(
                            least.expect("admitted"),
                            expected,
                            "{rules:?} {weights:?} {graph:?}"
                        );
                    }
                }
            }
        },
    );
    assert!(
        needed > share(1_000) && never > share(1_000),
        "{needed} {never}"
    );
}

/// The mean payoff is not negative where some sum is kept up for ever. It is positive where the sum
/// is kept up of the weights less the least mean that a cycle of states can have.
#[test]
fn mean_payoffs_are_those_of_literal_sums() {
    let weights = proptest::collection::vec(-1..2_i64, MOST_VERTICES);
    let shape = GraphShape {
        positions: 1..=2,
        ..LASTING
    };
    let (mut positive, mut level) = (0, 0);
    for_all(
        30,
        (games(shape), weights, 0..2_u64),
        |(graph, weights, total)| {
            let mut weights = weights[..graph.len()].to_vec();
            let goals = weighted(&graph, &weights);
            let open = graph
                .nodes()
                .filter(|node| graph.ending(*node).is_none())
                .count() as i64;
            let states = open * 2 * (total as i64 + 1);
            for node in graph.nodes().filter(|node| graph.ending(*node).is_some()) {
                weights[node.index()] = 0;
            }
            let less: Vec<i64> = weights.iter().map(|weight| weight * states - 1).collect();
            let game = MarkedGraph {
                graph: &graph,
                goals: Some(&goals),
            };
            for rules in all_with_marker() {
                let with = |draws| Rules {
                    objective: Objective::MeanPayoff,
                    draws,
                    ..rules.clone()
                };
                for seeker in Player::BOTH {
                    let (own, own_less) = match seeker {
                        Player::Alice => (weights.clone(), less.clone()),
                        Player::Bob => {
                            let own = negated(&weights);
                            let less = own.iter().map(|weight| weight * states - 1).collect();
                            (own, less)
                        }
                    };
                    let favoured = match seeker {
                        Player::Alice => Draws::Alice,
                        Player::Bob => Draws::Bob,
                    };
                    for (draws, sums) in [(favoured, own), (Draws::Neither, own_less)] {
                        let rules = with(draws);
                        let found =
                            Thresholds::solve(game, &rules, seeker, &[total], Context::plain());
                        let found = found.expect("admitted");
                        let oracle = Oracle {
                            graph: &graph,
                            rules: &rules,
                            total,
                        };
                        let most = most_sum(&graph, total, &sums);
                        for order in [Order::Forcing, Order::NotPreventable] {
                            let sets = oracle.kept_up(seeker, order, &sums, most);
                            let set = sets.last().expect("sums from 0 on");
                            for node in graph.nodes() {
                                for purses in all_purses(&rules, total) {
                                    let is_won = match order {
                                        Order::Forcing => found.is_forced(node, &purses, 0),
                                        Order::NotPreventable => {
                                            found.is_unpreventable(node, &purses, 0)
                                        }
                                    };
                                    let expected = set.contains(node, &purses);
                                    assert_eq!(
                                        is_won, expected,
                                        "{order:?} {seeker:?} {rules:?} {node:?} {purses:?} {weights:?} {graph:?}"
                                    );
                                    let counted = if draws == Draws::Neither {
                                        &mut positive
                                    } else {
                                        &mut level
                                    };
                                    *counted +=
                                        usize::from(expected && graph.ending(node).is_none());
                                }
                            }
                        }
                    }
                }
            }
        },
    );
    assert!(
        positive > 1_000 && level > positive + 1_000,
        "{positive} {level}"
    );
}

/// A move's weight is the weight of a vertex that is put in its middle, where its player moves
/// without a bid.
#[test]
fn weights_of_moves_are_those_of_vertices_between() {
    let weights = proptest::collection::vec(-3..4_i64, 64);
    for_all(
        600,
        (games(LASTING), weights, 0..7_u64, 0..4_i64),
        |(graph, weights, total, credit)| {
            let mut of_moves = ScoresBuilder::new(&graph);
            let mut between = Vec::new();
            let mut next = weights.iter().cycle().copied();
            for node in graph.nodes() {
                for player in Player::BOTH {
                    for head in graph.successors(node, player) {
                        let weight = next.next().expect("endless");
                        of_moves.weigh(player, node, *head, Score::from_integer(weight));
                        between.push((node, player, *head, weight));
                    }
                }
            }
            let mut split = GameGraphBuilder::default();
            for node in graph.nodes() {
                let heads = |player| -> Vec<NodeId> {
                    let own = |(_, (tail, owner, ..)): &(usize, &(NodeId, Player, NodeId, i64))| {
                        *tail == node && *owner == player
                    };
                    let all = between.iter().enumerate().filter(own);
                    all.map(|(index, _)| NodeId::new(graph.len() + index))
                        .collect()
                };
                split.push(
                    graph.ending(node),
                    &heads(Player::Alice),
                    &heads(Player::Bob),
                );
                if let Some(owner) = graph.owner(node) {
                    split.own(node, owner);
                }
            }
            for (_, player, head, _) in &between {
                let heads = [*head];
                let node = match player {
                    Player::Alice => split.push(None, &heads, &[]),
                    Player::Bob => split.push(None, &[], &heads),
                };
                split.own(node, *player);
            }
            let split = split.finish(graph.start());
            let mut of_vertices = vec![0; graph.len()];
            of_vertices.extend(between.iter().map(|(.., weight)| weight));
            let goals = Goals::Weights(of_moves.finish().expect("small weights"));
            let others = weighted(&split, &of_vertices);
            for rules in all_with_marker() {
                let rules = energy(&rules, Draws::Neither, credit);
                let solve = |graph, goals, seeker| {
                    let game = MarkedGraph {
                        graph,
                        goals: Some(goals),
                    };
                    Thresholds::solve(game, &rules, seeker, &[total], Context::plain())
                        .expect("admitted")
                };
                for seeker in Player::BOTH {
                    let (direct, detour) = (
                        solve(&graph, &goals, seeker),
                        solve(&split, &others, seeker),
                    );
                    for node in graph.nodes() {
                        assert_eq!(
                            direct.threshold(node, 0),
                            detour.threshold(node, 0),
                            "{rules:?} {graph:?}"
                        );
                    }
                }
            }
        },
    );
}
