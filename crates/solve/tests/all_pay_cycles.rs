//! Tests of all-pay values where positions come back, against literal oracles in exact arithmetic:
//!
//! - truncations: after n turns play is stopped and counted as a loss, or as a win; the value of
//!   endless play lies between;
//! - sure play: sets of states from which single bids win, or keep the other player from winning,
//!   by the definition;
//! - a coin instead of chips: every pair of positional strategies.

use std::collections::HashMap;

use crate::all_pay::{Question, encloses, rules_of_case, solved};
use crate::literal::{Literal, truncated};
use crate::oracle::{LiteralStates, State, worth};
use crate::positional::CoinGame;
use crate::random::games;
use crate::richman::{Small, big, chances_of_bob};
use crate::shared::mirrored;
use crate::strategies::renumbered;
use bid_game::{GameGraph, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Draws, Payment, Purses, Rules, Solver, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::all_pay::{
    AllPayValues, Budgets, ExactOrCertified, FloatEnclosure, Standing, SureWins,
};
use bid_testing::{GraphShape, for_all, share};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive};
use proptest::sample::select;
use proptest::strategy::Strategy;

const DRAWS: [Draws; 3] = [Draws::Half, Draws::Alice, Draws::Bob];

/// Generates random questions under all ties, payments, winners and draws, about games whose
/// positions may come back.
fn questions() -> impl Strategy<Value = Question> {
    let graphs = games(GraphShape {
        positions: 1..=4,
        cycles: 1.0,
        ..GraphShape::SMALL
    });
    (0..96_usize, graphs, [0..=3_u64, 0..=3]).prop_map(|(which, graph, chips)| {
        let rules = Rules {
            winner: [Winner::Chooses, Winner::Moves][which / 16 % 2],
            draws: DRAWS[which / 32],
            solver: Solver::Iteration,
            ..rules_of_case(which)
        };
        Question::new(graph, rules, chips)
    })
}

fn enclosure(solved: &AllPayValues, node: NodeId, purses: &Purses) -> FloatEnclosure {
    match solved.value(node, purses) {
        ExactOrCertified::Certified(found) => *found,
        ExactOrCertified::Exact(_) => unreachable!("iteration gives bounds"),
    }
}

/// Returns whether a player surely gets, by single bids and whatever the other does, at least `least`
/// half wins from each state.
fn surely(
    graph: &GameGraph,
    rules: &Rules,
    chips: PerPlayer<u64>,
    player: Player,
    least: u8,
) -> HashMap<State, bool> {
    let enough = |ending| {
        let lost: f64 = worth(ending, rules.draws);
        let own = if player == Player::Alice {
            1.0 - lost
        } else {
            lost
        };
        2.0 * own >= f64::from(least)
    };
    let literal = LiteralStates {
        graph,
        rules,
        seeker: player,
        good: &enough,
    };
    literal.forced(&Budgets::from(rules, chips).iter().collect::<Vec<_>>())
}

/// Checks that single bids that win, or keep the value of endless play, give exact values: never
/// wide, and never beyond the sure payoff.
#[test]
fn sure_play_is_exact() {
    let mut certain = 0;
    for_all(
        96,
        questions(),
        |Question {
             graph,
             rules,
             chips,
         }| {
            let found = solved(Standing::of(&graph), &rules, chips);
            for player in Player::BOTH {
                for least in 1..=2 {
                    let surely = surely(&graph, &rules, chips, player, least);
                    for ((node, purses), _) in surely.iter().filter(|(_, sure)| **sure) {
                        let FloatEnclosure { low, high } = enclosure(&found, *node, purses);
                        let got = if player == Player::Alice {
                            low
                        } else {
                            1.0 - high
                        };
                        certain += u64::from(least == 2);
                        assert!(
                            got >= f64::from(least) / 2.0,
                            "{player:?} {least}, {node:?} {purses:?}: {low} {high}"
                        );
                    }
                }
            }
        },
    );
    assert!(certain > 600, "only {certain}");
}

/// Checks that the least chips for a sure win are those of the literal game, for all budgets up to
/// some.
#[test]
fn least_chips_are_those_of_the_literal_game() {
    const MOST: u64 = 6;
    let (mut asked, mut never, mut undecided) = (0, 0, 0);
    for_all(
        share(192).max(48), // Among fewer, a single one that is undecided counts too much.
        (questions(), select(Player::BOTH.to_vec())),
        |(Question { graph, rules, .. }, holder)| {
            let holder = rules.ties.has_status().then_some(holder);
            let mut wins = SureWins::new(&graph, &rules, graph.start(), 2, Context::plain());
            for bob in 0..=2 {
                let sure: Vec<bool> = (0..=MOST)
                    .map(|alice| {
                        let chips = PerPlayer::new(alice, bob);
                        let purses = Purses::new(alice, bob, holder);
                        surely(&graph, &rules, chips, Player::Alice, 2)[&(graph.start(), purses)]
                    })
                    .collect();
                let first = sure.iter().position(|sure| *sure).map(|first| first as u64);
                asked += 1;
                let found = match wins.least(bob, holder) {
                    Ok(found) => found,
                    Err(_) => {
                        assert!(rules.ties == TieBreak::Richer && rules.winner == Winner::Moves);
                        undecided += 1;
                        assert_eq!(first, None);
                        continue;
                    }
                };
                never += u64::from(found.is_none());
                let context = format!("{bob} of Bob's, {rules:?}: {found:?}, {sure:?}\n{graph:?}");
                assert_eq!(found.filter(|least| *least <= MOST), first, "{context}");
                if !(rules.ties == TieBreak::Richer && rules.winner == Winner::Moves) {
                    assert!(sure.is_sorted(), "more chips hurt: {context}");
                }
            }
        },
    );
    println!("{asked} asked, {never} never, {undecided} undecided");
    assert!(undecided * 50 < asked, "{undecided} of {asked} undecided");
}

/// Checks that plays that are cut short bound the value from below if they are counted for Bob, and
/// from above if they are counted for Alice.
#[test]
fn truncations_enclose() {
    for_all(48, questions(), |Question { graph, rules, .. }| {
        let chips = PerPlayer::new(1, 1);
        let found = solved(Standing::of(&graph), &rules, chips);
        let unrolled = truncated(&graph, 4, Ending::Win(Player::Bob));
        let won = truncated(&graph, 4, Ending::Win(Player::Alice));
        let [mut low, mut high] = [Literal::new(&unrolled, &rules), Literal::new(&won, &rules)];
        for purses in Budgets::from(&rules, chips).iter() {
            let bounds = enclosure(&found, graph.start(), &purses);
            let [low, high] =
                [&mut low, &mut high].map(|literal| literal.value(graph.start(), purses));
            let exact = |bound| BigRational::from_float(bound).expect("a finite bound");
            assert!(
                exact(bounds.low) <= high && exact(bounds.high) >= low,
                "{bounds:?}, {low} to {high}"
            );
        }
    });
}

/// Checks that the bids of questions about several positions belong together: they do not depend on
/// the numbers of the vertices, which depend on the start.
#[test]
fn bids_do_not_depend_on_the_numbers_of_vertices() {
    let mut turns = 0;
    for_all(200, questions(), |question| {
        let (graph, rules, chips) = (question.graph, question.rules, question.chips);
        let other = renumbered(&graph);
        let here = solved(Standing::of(&graph), &rules, chips);
        let there = solved(Standing::of(&other), &rules, chips);
        let inner = |node: &NodeId| graph.ending(*node).is_none();
        for node in graph.nodes().filter(inner) {
            for purses in Budgets::from(&rules, chips).iter() {
                let bids = |solved: &AllPayValues, graph, node| {
                    solved
                        .equilibrium(graph, &rules, node, &purses, Context::plain())
                        .expect("nothing stops it")
                };
                assert_eq!(
                    bids(&here, &graph, node),
                    bids(&there, &other, mirrored(&graph, node)),
                    "{node:?} {purses:?}"
                );
                turns += 1;
            }
        }
    });
    assert!(turns > 1_000, "only {turns}");
}

/// Checks simple stochastic games: exact values for every value of endless play, and bounds that
/// converge to them.
#[test]
fn coins_without_chips() {
    let (mut asked, mut proper) = (0, 0);
    for_all(
        900,
        (
            0..12_usize,
            games(GraphShape {
                positions: 1..=4,
                moves: 2..=2,
                cycles: 1.0,
                draws: 0.5,
                ..GraphShape::SMALL
            }),
        ),
        |(which, graph)| {
            let rules = Rules {
                pay: if which % 4 < 2 {
                    Payment::AllPay
                } else {
                    Payment::AllPayBank
                },
                ties: TieBreak::Coin,
                winner: Winner::Moves,
                draws: DRAWS[which % 3],
                solver: Solver::Iteration,
                ..Rules::default()
            };
            let chips = PerPlayer::new(0, 0);
            let found = solved(Standing::of(&graph), &rules, chips);
            let oracle = CoinGame {
                graph: &graph,
                winner: rules.winner,
                coin: Small::new(1, 2),
            };
            let lost = oracle.values(
                |turns| chances_of_bob(&graph, rules.draws, turns),
                |a, b| a == b,
            );
            for (node, lost) in graph.nodes().zip(lost) {
                let value = BigRational::one() - big(lost);
                let bounds = enclosure(
                    &found,
                    node,
                    &Purses {
                        chips,
                        status: None,
                    },
                );
                encloses(&bounds, &value, &format!("{node:?}, {rules:?}\n{graph:?}"));
                asked += 1;
                proper += u64::from(
                    value
                        .to_f64()
                        .is_some_and(|value| value > 0.0 && value < 1.0 && value != 0.5),
                );
            }
        },
    );
    assert!(proper > 100, "only {proper} of {asked} values between");
}
