//! Tests of thresholds in chips against the oracle: every rule for ties, both kinds of winner,
//! draws for either player, on random small games.

use crate::oracle::{Oracle, Order, States, all_purses, all_rules};
use crate::random::games;
use bid_game::GameGraph;
use bid_language::player::{Outcome, Player};
use bid_language::rules::{Draws, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::chips::{Outcomes, Thresholds};
use bid_testing::{GraphShape, for_all, share};

const MOST_CHIPS: u64 = 6;
const TOTALS: [u64; 7] = [0, 1, 2, 3, 4, 5, 6];

/// Compares every state with this total of chips with the sets of states from which each player
/// wins. Returns the number of undetermined states.
pub fn held_to_the_oracle(
    outcomes: &Outcomes,
    lane: usize,
    oracle: &Oracle<'_>,
    won: impl Fn(Player, Order) -> States,
) -> usize {
    let sets = Player::both(|seeker| {
        [Order::Forcing, Order::NotPreventable].map(|order| won(seeker, order))
    });
    let mut undetermined = 0;
    for node in oracle.graph.nodes() {
        for purses in all_purses(oracle.rules, oracle.total) {
            let [alice, bob] = Player::both(|seeker| {
                let thresholds = &outcomes.thresholds[seeker];
                let found = [
                    thresholds.is_forced(node, &purses, lane),
                    thresholds.is_unpreventable(node, &purses, lane),
                ];
                let expected = sets[seeker as usize]
                    .each_ref()
                    .map(|set| set.contains(node, &purses));
                assert_eq!(
                    found, expected,
                    "forced, not preventable by {seeker:?} at {node:?} with {purses:?}: {oracle:?}"
                );
                expected
            });
            let expected = match (alice, bob) {
                ([true, _], _) => Outcome::Wins(Player::Alice),
                (_, [true, _]) => Outcome::Wins(Player::Bob),
                ([_, false], [_, false]) => Outcome::Draw,
                _ => Outcome::Undetermined,
            };
            assert_eq!(
                outcomes.outcome(node, &purses, lane),
                expected,
                "{node:?} with {purses:?}: {oracle:?}"
            );
            undetermined += usize::from(expected == Outcome::Undetermined);
        }
    }
    undetermined
}

/// Solves a game for some totals of chips, and compares its states with one of them.
fn compared(graph: &GameGraph, rules: &Rules, totals: &[u64], lane: usize) -> usize {
    let outcomes = Outcomes::solve(graph, rules, totals, Context::plain());
    let outcomes = outcomes.expect("these rules have thresholds");
    let oracle = Oracle {
        graph,
        rules,
        total: totals[lane],
    };
    held_to_the_oracle(&outcomes, lane, &oracle, |seeker, order| {
        oracle.won(seeker, order)
    })
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
                let found = compared(&graph, &rules, &TOTALS, total as usize);
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

/// Compares games whose marker may be attached to a bid with the oracle, in which the marker's
/// holder tries both: draws and zugzwang and cycles, whichever player a draw counts for.
#[test]
fn the_marker_may_be_attached() {
    let cases = (0..6_usize, games(GraphShape::OWNED), 0..=4_u64);
    for_all(3_000, cases, |(which, graph, total)| {
        let rules = Rules {
            ties: TieBreak::Attached,
            winner: [Winner::Chooses, Winner::Moves][which % 2],
            draws: [Draws::Neither, Draws::Alice, Draws::Bob][which / 2],
            ..Rules::default()
        };
        compared(&graph, &rules, &[total], 0);
    });
}

/// Checks that attaching makes a difference: a marker that its holder would rather not have can be
/// passed on with a bid.
#[test]
fn attaching_the_marker_can_help() {
    let mut differing = 0;
    for_all(500, games(GraphShape::SMALL), |graph| {
        let solve = |ties| {
            let rules = Rules {
                ties,
                winner: Winner::Moves,
                ..Rules::default()
            };
            let found = Thresholds::solve(&graph, &rules, Player::Alice, &[4], Context::plain())
                .expect("there are thresholds");
            graph
                .nodes()
                .map(|node| found.forces(node, Player::Alice, 0))
                .collect::<Vec<_>>()
        };
        differing += usize::from(solve(TieBreak::Attached) != solve(TieBreak::Marker));
    });
    assert!(differing > 0);
}
