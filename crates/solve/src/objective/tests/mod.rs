//! Comparisons of the reductions with an oracle: all pairs of positional strategies, with the walk
//! of each followed for 2^50 steps in floats.

mod means;

use bid_testing::{GraphShape, Out, for_all, share};
use num_traits::ToPrimitive;
use proptest::strategy::Strategy;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::game::{GameGraphBuilder, ScoresBuilder};
use crate::positional::{CoinGame, Turn};
use crate::random::games;
use crate::richman::Values;
use crate::richman::taxman::Shares;
use crate::rules::{Objective, Precision};
use crate::watch::Context;

/// The frequency with which the walk from the first vertex is at the second one in the long run,
/// for each pair of vertices.
type Visits = Vec<Vec<f64>>;

fn visits(turns: &[Turn<f64>]) -> Visits {
    let n = turns.len();
    let mut walk = vec![vec![0.0; n]; n];
    for (v, row) in walk.iter_mut().enumerate() {
        row[v] += if turns[v].is_empty() { 1.0 } else { 0.5 };
        turns[v]
            .iter()
            .for_each(|(_, head, p)| row[head.index()] += p / 2.0);
    }
    for _ in 0..50 {
        let product = |row: &Vec<f64>| {
            (0..n)
                .map(|to| (0..n).map(|via| row[via] * walk[via][to]).sum())
                .collect()
        };
        let squared: Visits = walk.iter().map(product).collect();
        // Each row is normalised to correct the rounding of floats.
        walk = squared
            .into_iter()
            .map(|row: Vec<f64>| {
                let sum: f64 = row.iter().sum();
                row.iter().map(|x| x / sum).collect()
            })
            .collect();
    }
    walk
}

/// Returns the game in which a coin that falls for Alice with probability p decides each turn. Where
/// the coin is fair, neither player gains by letting the other move.
fn tossed(graph: &GameGraph, p: f64) -> CoinGame<'_, f64> {
    let winner = if p == 0.5 {
        Winner::Moves
    } else {
        Winner::Chooses
    };
    CoinGame {
        graph,
        winner,
        coin: p,
    }
}

/// Computes the value of each vertex, which is Alice's gain, over all pairs of strategies.
fn value(graph: &GameGraph, p: f64, worth: impl Fn(&[Turn<f64>], &Visits) -> Vec<f64>) -> Vec<f64> {
    let negated = |values: Vec<f64>| values.into_iter().map(|value| -value).collect();
    let lost = |turns: &[Turn<f64>]| negated(worth(turns, &visits(turns)));
    negated(tossed(graph, p).values(lost, |a, b| (a - b).abs() < 1e-6))
}

/// The shape of graphs with a few positions, many of which belong to one player alone.
const SHAPE: GraphShape = GraphShape {
    positions: 1..=5,
    moves: 2..=2,
    stuck: 0.25,
    cycles: 1.0,
    draws: 0.0,
    out: Out::Evenly,
    ..GraphShape::SMALL
};

/// Generates graphs in parts of which both players have the same moves, and in which play can end,
/// with a seed for the rest.
fn cases(shared: f64, ends: f64) -> impl Strategy<Value = (GameGraph, u64)> {
    let shape = GraphShape {
        shared,
        ends,
        ..SHAPE
    };
    (games(shape), 0..u64::MAX)
}

/// Generates such graphs with few pairs of strategies.
fn few(shared: f64, ends: f64, most: usize) -> impl Strategy<Value = (GameGraph, u64)> {
    cases(shared, ends).prop_filter("few pairs of strategies", move |(graph, _)| {
        tossed(graph, 0.5).pairs() <= most
    })
}

#[test]
fn parity_is_what_positional_strategies_make_of_it() {
    let (mut between, mut stayed, mut labelled) = (0, 0, 0);
    for_all(1_500, few(0.5, 0.7, 300), |(graph, seed)| {
        let mut dice = StdRng::seed_from_u64(seed);
        let priorities: Vec<u32> = graph.nodes().map(|_| dice.random_range(0..4)).collect();
        let ranked = |node: usize| match graph.ending(NodeId::new(node)) {
            Some(Ending::Win(winner)) => u32::from(winner == Player::Bob),
            _ => priorities[node],
        };
        let wins = |visits: &Visits, u: usize| {
            let greatest = (0..graph.len())
                .filter(|&w| visits[u][w] > 1e-9)
                .map(ranked)
                .max();
            greatest.is_some_and(|greatest| greatest % 2 == 0)
        };
        let expected = value(&graph, 0.5, |_, visits| {
            ends_among(visits, |u| wins(visits, u))
        });
        for draws in [Draws::Bob, Draws::Alice] {
            let rules = Rules {
                objective: Objective::Parity,
                draws,
                ..Rules::default()
            };
            let goals = Goals::Priorities(priorities.clone());
            let decided = decided(&graph, &goals, &rules, &MoverRule::Coin(Coin::default()));
            let decided = decided.expect("decided");
            let values = Values::solve(&decided.graph, &decided.rules(&rules), Context::plain())
                .expect("solved");
            stayed += usize::from(decided.graph.len() > graph.len());
            labelled += usize::from(decided.draws != draws);
            for (node, wins) in graph.nodes().zip(&expected) {
                let found = 1.0 - values.value(node).to_f64().expect("a float");
                assert!(
                    (found - wins).abs() < 1e-6,
                    "{node:?} {draws:?}: {found} {wins} {priorities:?} {graph:?}"
                );
                between += usize::from(*wins > 1e-6 && *wins < 1.0 - 1e-6);
            }
        }
    });
    assert!(
        between > 200 && stayed > 5 && labelled > 20,
        "{between} {stayed} {labelled}"
    );
}

/// Computes the probability, from each vertex, that the walk ends among vertices at which a condition
/// holds.
fn ends_among(visits: &Visits, good: impl Fn(usize) -> bool) -> Vec<f64> {
    let all = 0..visits.len();
    // A vertex is visited again and again if the walk returns to it for good.
    let recurrent = |u: usize| {
        let mut others = all.clone();
        others.all(|w| visits[u][w] < 1e-9 || visits[w][u] > 1e-9)
    };
    let ends: Vec<usize> = all.clone().filter(|&u| recurrent(u) && good(u)).collect();
    let probability = |row: &Vec<f64>| ends.iter().map(|&u| row[u]).sum();
    visits.iter().map(probability).collect()
}

fn endless<'a>(graph: &'a GameGraph, goals: &'a Goals) -> Endless<'a> {
    Endless {
        graph,
        goals,
        names: &[],
    }
}

fn decided(
    graph: &GameGraph,
    goals: &Goals,
    rules: &Rules,
    mover: &MoverRule,
) -> Result<DecidedGame> {
    decide(&endless(graph, goals), rules, mover, Context::plain())
}

fn solved(decided: &DecidedGame, rules: &Rules) -> Result<Shares> {
    Shares::solve_to(&decided.graph, &decided.thresholds, rules, Context::plain())
}

/// Computes the probability that the mean payoff is positive, or not negative, by all pairs of
/// positional strategies.
fn likely(graph: &GameGraph, scores: &Scores, p: f64, draws: Draws) -> Vec<f64> {
    let level = draws == Draws::Alice;
    value(graph, p, |turns, visits| {
        let gains = mean(scores, graph, turns, visits);
        ends_among(visits, |u| match graph.ending(NodeId::new(u)) {
            Some(ending) => ending == Ending::Win(Player::Alice),
            None => gains[u] > 1e-7 || level && gains[u] > -1e-7,
        })
    })
}

/// Checks that positive means are reached as often as positional strategies can, even where one
/// player alone can leave a part, and where a part that cannot be left has several means. Only
/// games whose strategies cannot be improved to the end are refused.
#[test]
fn positive_means_are_as_likely_as_positional_strategies_make_them() {
    let (mut between, mut stayed, mut labelled, mut refused) = (0, 0, 0, 0);
    for_all(share(1_200), few(0.3, 0.5, 300), |(graph, seed)| {
        let mut dice = StdRng::seed_from_u64(seed);
        let coins: &[(i64, i64)] = if tossed(&graph, 2.0 / 3.0).pairs() > 300 {
            &[(1, 1)]
        } else {
            &[(1, 1), (2, 1)]
        };
        let scores = random_weights(&mut dice, &graph);
        let goals = Goals::Weights(scores.clone());
        for (&(a, b), draws) in coins
            .iter()
            .flat_map(|coin| [Draws::Bob, Draws::Alice].map(|draws| (coin, draws)))
        {
            let rules = Rules {
                objective: Objective::MeanPayoff,
                draws,
                ..Rules::default()
            };
            let coin = Coin::new(&ratio(a, a + b)).expect("a coin");
            let decided = match decided(&graph, &goals, &rules, &MoverRule::Coin(coin)) {
                Ok(decided) => decided,
                Err(_) => {
                    refused += 1;
                    continue;
                }
            };
            let Ok(values) = Values::with_coin(
                &decided.graph,
                &decided.rules(&rules),
                coin,
                Context::plain(),
            ) else {
                assert_ne!(a, b, "only a biased coin may meet with zugzwang");
                continue;
            };
            stayed += usize::from(decided.graph.len() > graph.len());
            labelled += usize::from(decided.draws != draws);
            for (node, likely) in
                graph
                    .nodes()
                    .zip(&likely(&graph, &scores, a as f64 / (a + b) as f64, draws))
            {
                let found = 1.0 - values.value(node).to_f64().expect("a float");
                assert!(
                    (found - likely).abs() < 1e-6,
                    "{node:?} {rules:?} {found} {likely} {scores:?} {graph:?}"
                );
                between += usize::from(*likely > 1e-6 && *likely < 1.0 - 1e-6);
            }
        }
    });
    assert!(
        between > share(200) && stayed > share(5) && labelled > share(20) && refused == 0,
        "{between} {stayed} {labelled} {refused}"
    );
}

/// Checks that taxman bidding without a tax is Richman bidding, for every objective.
#[test]
fn taxman_bidding_without_a_tax_is_richman_bidding() {
    let (mut compared, mut refused) = (0, 0);
    for_all(600, cases(0.3, 0.5), |(graph, seed)| {
        let mut dice = StdRng::seed_from_u64(seed);
        let goals = if dice.random_bool(0.5) {
            Goals::Weights(random_weights(&mut dice, &graph))
        } else {
            Goals::Priorities(graph.nodes().map(|_| dice.random_range(0..4)).collect())
        };
        for draws in [Draws::Bob, Draws::Alice] {
            let rules = Rules {
                draws,
                pay: Payment::Taxman(ratio(0, 1)),
                ..Rules::default()
            };
            let decided = |turns: &MoverRule| decided(&graph, &goals, &rules, turns);
            let (Ok(taxed), Ok(tossed)) = (
                decided(&MoverRule::Taxed(ratio(0, 1))),
                decided(&MoverRule::Coin(Coin::default())),
            ) else {
                refused += 1;
                continue;
            };
            let shares = solved(&taxed, &taxed.rules(&rules));
            let rules = Rules {
                pay: Payment::Richman,
                ..tossed.rules(&rules)
            };
            let values = Values::solve(&tossed.graph, &rules, Context::plain()).expect("solved");
            let shares = shares.expect("solved");
            for node in graph.nodes() {
                let (share, value) = (shares.share(node), values.value(node));
                assert!(
                    share.low <= value && value <= share.high,
                    "{node:?} {share:?} {value} {goals:?} {graph:?}"
                );
            }
            compared += 1;
        }
    });
    assert!(compared > 1000, "{compared} {refused}");
}

/// Checks the exchange of the players: a share of r is enough for Alice where 1 − r is for Bob in
/// the conjugate.
#[test]
fn conjugates_have_the_other_threshold() {
    let (mut compared, mut enclosed, mut refused) = (0, 0, 0);
    for_all(1_000, cases(0.2, 1.0), |(graph, seed)| {
        let mut dice = StdRng::seed_from_u64(seed);
        let priorities: Vec<u32> = graph.nodes().map(|_| dice.random_range(0..4)).collect();
        let goals = [
            priorities.clone(),
            priorities.iter().map(|priority| priority + 1).collect(),
        ];
        let [own, other] = goals.map(Goals::Priorities);
        let conjugate = graph.conjugate();
        let part = ratio(dice.random_range(1..3), 2);
        let solve = |graph: &GameGraph, goals: &Goals, draws| -> Result<Shares> {
            let precision = Precision(ratio(1, 1 << 30));
            let rules = Rules {
                draws,
                precision,
                pay: Payment::Taxman(part.clone()),
                ..Rules::default()
            };
            let decided = decided(graph, goals, &rules, &MoverRule::Taxed(part.clone()))?;
            solved(&decided, &decided.rules(&rules))
        };
        let (Ok(own), Ok(other)) = (
            solve(&graph, &own, Draws::Bob),
            solve(&conjugate, &other, Draws::Alice),
        ) else {
            refused += 1;
            return;
        };
        for node in graph.nodes() {
            let (own, other) = (own.share(node), other.share(node).complement());
            assert!(
                own.low <= other.high && other.low <= own.high,
                "{node:?} {own:?} {other:?} {priorities:?} {graph:?}"
            );
            enclosed += usize::from(own.value().is_none());
        }
        compared += 1;
    });
    assert!(
        compared > 300 && enclosed > 20,
        "{compared} {enclosed} {refused}"
    );
}

/// Draws random weights from -2 to 2.
fn random_weights(dice: &mut StdRng, graph: &GameGraph) -> Scores {
    let mut builder = ScoresBuilder::new(graph);
    for tail in graph.nodes() {
        for player in Player::BOTH {
            for &head in graph.successors(tail, player) {
                builder.weigh(player, tail, head, dice.random_range(-2..3).into());
            }
        }
    }
    builder.finish().expect("small numbers")
}

fn mean(scores: &Scores, graph: &GameGraph, turns: &[Turn<f64>], visits: &Visits) -> Vec<f64> {
    let income = |v: usize| -> f64 {
        let weight = |player, head| {
            let mut moves = scores.moves(graph, NodeId::new(v), player);
            moves
                .find(|step| step.0 == head)
                .map_or(0.0, |step| step.1 as f64)
        };
        turns[v]
            .iter()
            .map(|&(player, head, p)| p * weight(player, head))
            .sum()
    };
    visits
        .iter()
        .map(|row| row.iter().enumerate().map(|(v, x)| x * income(v)).sum())
        .collect()
}

fn ratio(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}
