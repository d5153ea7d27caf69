//! Tests of thresholds in chips against the oracle: every rule for ties, both kinds of winner,
//! draws for either player, on random small games.

use crate::oracle::{Oracle, Order, all_purses, all_rules};
use crate::random::games;
use bid_game::GameGraph;
use bid_language::player::{Outcome, Player};
use bid_language::rules::{Draws, Rules};
use bid_language::watch::Context;
use bid_solve::chips::Outcomes;
use bid_testing::{GraphShape, for_all, share};

const MOST_CHIPS: u64 = 6;
const TOTALS: [u64; 7] = [0, 1, 2, 3, 4, 5, 6];

/// Compares every state of a game. Returns how many were undetermined.
fn held_to_the_oracle(graph: &GameGraph, rules: &Rules, total: u64) -> usize {
    let outcomes = Outcomes::solve(graph, rules, &TOTALS, Context::plain())
        .expect("these rules have thresholds");
    let oracle = Oracle {
        graph,
        rules,
        total,
    };
    let lane = total as usize;
    let mut won = Vec::new();
    for seeker in Player::BOTH {
        let (forced, unpreventable) = (
            oracle.won(seeker, Order::Forcing),
            oracle.won(seeker, Order::NotPreventable),
        );
        let thresholds = &outcomes.thresholds[seeker];
        for node in graph.nodes() {
            for purses in all_purses(rules, total) {
                let state =
                    || format!("{rules:?}, {seeker:?} at {node:?} with {purses:?}\n{graph:?}");
                assert_eq!(
                    thresholds.is_forced(node, &purses, lane),
                    forced.contains(node, &purses),
                    "forced: {}",
                    state()
                );
                assert_eq!(
                    thresholds.is_unpreventable(node, &purses, lane),
                    unpreventable.contains(node, &purses),
                    "not preventable: {}",
                    state()
                );
            }
        }
        won.push((forced, unpreventable));
    }
    let mut undetermined = 0;
    for node in graph.nodes() {
        for purses in all_purses(rules, total) {
            let forced = |i: usize| won[i].0.contains(node, &purses);
            let prevented = |i: usize| !won[i].1.contains(node, &purses);
            let expected = match (forced(0), forced(1), prevented(0) && prevented(1)) {
                (true, _, _) => Outcome::Wins(Player::Alice),
                (_, true, _) => Outcome::Wins(Player::Bob),
                (_, _, true) => Outcome::Draw,
                (_, _, false) => Outcome::Undetermined,
            };
            assert_eq!(
                outcomes.outcome(node, &purses, lane),
                expected,
                "{rules:?} at {node:?}"
            );
            undetermined += usize::from(expected == Outcome::Undetermined);
        }
    }
    undetermined
}

#[test]
fn every_rule_on_random_games() {
    let draws = [Draws::Neither, Draws::Neither, Draws::Alice, Draws::Bob];
    let mut undetermined = std::collections::BTreeMap::<String, usize>::new();
    for_all(
        share(3_000),
        (0..4_usize, games(GraphShape::OWNED), 0..=MOST_CHIPS),
        |(which, graph, total)| {
            for rules in all_rules() {
                let rules = Rules {
                    draws: draws[which],
                    ..rules
                };
                let found = held_to_the_oracle(&graph, &rules, total);
                *undetermined.entry(format!("{:?}", rules.ties)).or_default() += found;
            }
        },
    );
    undetermined.retain(|_, &mut found| found > 0);
    assert_eq!(
        undetermined.into_keys().collect::<Vec<_>>(),
        ["Marker"],
        "where neither forcing nor preventing decides"
    );
}
