//! Tests of weights with chips: the energy objective, the least credit and mean payoffs against the
//! oracle, which keeps every sum as a part of the state; and strategies against every opponent.

use std::collections::BTreeMap;

use crate::endless_chips::{DRAWS, LASTING, MOST_VERTICES, all_followed, all_with_marker};
use crate::oracle::{Oracle, Order, States, all_purses, all_rules};
use crate::random::games;
use crate::strategies::Play;
use bid_game::{GameGraph, GameGraphBuilder, Goals, MarkedGraph, NodeId, Score, ScoresBuilder};
use bid_language::player::{Ending, Player};
use bid_language::rules::{Credit, Draws, Objective, Rules};
use bid_language::watch::Context;
use bid_solve::chips::{Outcomes, Thresholds, least_credit};
use bid_solve::strategy::{Promise, Strategies};
use bid_testing::{GraphShape, for_all, share};
use num_bigint::BigInt;
use num_rational::BigRational;

/// Small games with weights of their vertices, for the literal sums.
const WEIGHTED: GraphShape = GraphShape {
    positions: 1..=3,
    ..LASTING
};

/// Returns the goals in which every move from a vertex has the vertex's weight.
pub fn weighted(graph: &GameGraph, weights: &[i64]) -> Goals {
    weighted_by(graph, |node, _| weights[node.index()])
}

/// Returns the goals in which a move between two vertices has this weight.
fn weighted_by(graph: &GameGraph, weight: impl Fn(NodeId, NodeId) -> i64) -> Goals {
    let mut builder = ScoresBuilder::new(graph);
    for node in graph.nodes() {
        for player in Player::BOTH {
            for head in graph.successors(node, player) {
                let weight = Score::from_integer(weight(node, *head));
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
            let game = MarkedGraph::from((&graph, &goals));
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
                            let found = Player::both(|player| {
                                [
                                    thresholds[player].is_forced(node, &purses, 0),
                                    thresholds[player].is_unpreventable(node, &purses, 0),
                                ]
                            });
                            let expected = [
                                [contains(&won[0]), contains(&won[1])],
                                [!contains(&kept[1]), !contains(&kept[0])],
                            ];
                            assert_eq!(
                                found, expected,
                                "{rules:?} {node:?} {purses:?} {weights:?} {graph:?}"
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
            let game = MarkedGraph::from((&graph, &goals));
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
        share(600),
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
                    let game = MarkedGraph::from((graph, goals));
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

/// Returns the goals in which a move's weight depends on both of its vertices.
fn by_edges(graph: &GameGraph, weights: &[i64]) -> Goals {
    weighted_by(graph, |tail, head| of_edge(weights, tail, head))
}

fn of_edge(weights: &[i64], tail: NodeId, head: NodeId) -> i64 {
    weights[(3 * tail.index() + head.index()) % weights.len()]
}

/// Returns whether some cycle of states has a negative sum.
fn has_negative_cycle(count: usize, edges: &[(usize, usize, i64)]) -> bool {
    let mut sums = vec![0_i64; count];
    (0..=count).all(|_| {
        let mut changed = false;
        for (tail, head, weight) in edges {
            if sums[*tail] + weight < sums[*head] {
                sums[*head] = sums[*tail] + weight;
                changed = true;
            }
        }
        changed
    })
}

/// Checks an ending that play has come to.
fn is_good_ending(play: &Play<'_>, promise: Promise, ending: Ending) -> bool {
    match ending {
        Ending::Win(winner) => winner == play.player,
        Ending::Draw => promise == Promise::Draw || play.rules.draws.favours(play.player),
    }
}

/// Strategies for the mean payoff keep their promises against every opponent: no cycle that can
/// come has a mean that is bad.
#[test]
fn strategies_keep_the_mean_up() {
    let weights = proptest::collection::vec(-2..3_i64, 11);
    let (mut wins, mut draws) = (0, 0);
    for_all(
        share(500),
        (0..4_usize, games(LASTING), weights, 0..5_u64),
        |(which, graph, weights, total)| {
            let goals = by_edges(&graph, &weights);
            let game = MarkedGraph::from((&graph, &goals));
            for rules in all_rules() {
                let rules = Rules {
                    objective: Objective::MeanPayoff,
                    draws: DRAWS[which],
                    ..rules
                };
                let promised = all_followed(game, &rules, total, |play, promise, found| {
                    let player = play.player;
                    let case = || {
                        format!("{player:?} {rules:?} {promise:?} {weights:?} {found:?} {graph:?}")
                    };
                    let draw_is_enough = promise == Promise::Draw || rules.draws.favours(player);
                    let mut edges = Vec::new();
                    for (tail, ((node, _), next)) in found {
                        if let Some(ending) = graph.ending(*node) {
                            assert!(is_good_ending(play, promise, ending), "{}", case());
                        }
                        for head in next {
                            let weight = of_edge(&weights, *node, found[head].0.0);
                            let own = if player == Player::Alice {
                                weight
                            } else {
                                -weight
                            };
                            let sum = if draw_is_enough {
                                own
                            } else {
                                own * (found.len() as i64 + 1) - 1
                            };
                            edges.push((*tail, *head, sum));
                        }
                    }
                    assert!(!has_negative_cycle(found.len(), &edges), "{}", case());
                });
                wins += promised[0];
                draws += promised[1];
            }
        },
    );
    assert!(
        wins > share(10_000) && draws > share(1_000),
        "{wins} {draws}"
    );
}

/// Strategies for the energy keep their promises against every opponent, if each turn is asked
/// about with the sum that has been reached: Alice's sum never falls below 0, and Bob lets it fall,
/// whatever the other does.
#[test]
fn strategies_keep_the_sum_up_or_let_it_fall() {
    let weights = proptest::collection::vec(-2..3_i64, 11);
    let shape = GraphShape {
        positions: 1..=3,
        ..LASTING
    };
    let (mut kept, mut fallen) = (0, 0);
    for_all(
        share(150),
        (0..4_usize, games(shape), weights, 0..3_u64, 0..4_i64),
        |(which, graph, weights, total, credit)| {
            let goals = by_edges(&graph, &weights);
            let game = MarkedGraph::from((&graph, &goals));
            // Greater sums are taken for this one.
            let most = most_sum(&graph, total, &weights).max(credit);
            for rules in all_rules() {
                let all: Vec<Rules> = (0..=most)
                    .map(|sum| energy(&rules, DRAWS[which], sum))
                    .collect();
                let mut solved: BTreeMap<i64, Strategies<'_>> = BTreeMap::new();
                for player in Player::BOTH {
                    for node in graph.nodes().filter(|node| graph.ending(*node).is_none()) {
                        for purses in all_purses(&rules, total) {
                            let mut numbers = vec![(node, purses, credit)];
                            let (mut edges, mut promised, mut done) = (Vec::new(), None, 0);
                            while done < numbers.len() {
                                let (node, purses, sum) = numbers[done];
                                let rules = &all[sum as usize];
                                let strategies = solved.entry(sum).or_insert_with(|| {
                                    Strategies::solve(game, rules, total, Context::plain())
                                        .expect("these rules have strategies")
                                });
                                let play = Play {
                                    strategies,
                                    graph: &graph,
                                    rules,
                                    player,
                                };
                                let case = || {
                                    format!(
                                        "{player:?} {rules:?} {promised:?} {node:?} {purses:?} {sum} {weights:?} {graph:?}"
                                    )
                                };
                                if let Some(ending) = graph.ending(node) {
                                    let promise = promised.expect("play did not begin here");
                                    assert!(is_good_ending(&play, promise, ending), "{}", case());
                                    done += 1;
                                    continue;
                                }
                                let turn = strategies.turn(player, node, purses);
                                if promised.is_none() && turn.promise() == Promise::Nothing {
                                    break;
                                }
                                assert!(
                                    promised.is_none_or(|before| turn.promise() >= before),
                                    "{}",
                                    case()
                                );
                                let promise = promised.unwrap_or(turn.promise());
                                let mut heads = Vec::new();
                                for reply in 0..=purses.chips[player.other()] {
                                    heads.extend(play.results(&turn, node, reply));
                                }
                                for (head, after) in heads {
                                    let left = sum + of_edge(&weights, node, head);
                                    if left < 0 {
                                        assert_eq!(player, Player::Bob, "the sum fell: {}", case());
                                        continue;
                                    }
                                    let next = (head, after, left.min(most));
                                    let number = numbers.iter().position(|other| *other == next);
                                    let number = number.unwrap_or(numbers.len());
                                    if number == numbers.len() {
                                        numbers.push(next);
                                    }
                                    // Each turn costs, so that a cycle is a negative one.
                                    edges.push((done, number, -1));
                                }
                                promised = Some(promise);
                                done += 1;
                            }
                            if promised.is_none() {
                                continue;
                            }
                            match player {
                                Player::Alice => kept += 1,
                                Player::Bob => {
                                    fallen += 1;
                                    let cycle = has_negative_cycle(numbers.len(), &edges);
                                    assert!(!cycle, "{rules:?} {numbers:?} {weights:?} {graph:?}");
                                }
                            }
                        }
                    }
                }
            }
        },
    );
    assert!(
        kept > share(1_000) && fallen > share(1_000),
        "{kept} {fallen}"
    );
}
