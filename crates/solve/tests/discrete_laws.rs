//! Laws of thresholds in chips: those of the oracle's own sets, and those of the solver where the
//! oracle is too slow.

use std::collections::HashMap;

use crate::literal::truncated;
use crate::oracle::{Oracle, Order, States, all_rules, choosing_rules};
use crate::random::games;
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::diagnostic::Code;
use bid_language::player::{Ending, Player};
use bid_language::rules::admit::{self, ChipsQuestion};
use bid_language::rules::{Draws, Purses, Rules, Solver, TieBreak, Winner};
use bid_language::watch::{Context, Limits};
use bid_solve::chips::Thresholds;
use bid_testing::{GraphShape, for_all};
use num_rational::BigRational;

fn solve(graph: &GameGraph, rules: &Rules, seeker: Player, totals: &[u64]) -> Thresholds {
    Thresholds::solve(graph, rules, seeker, totals, Context::plain())
        .expect("these rules have thresholds")
}

/// Returns the least chips with which a player forces a win, for each holder of the status.
fn forces(thresholds: &Thresholds, node: NodeId, lane: usize) -> [u64; 2] {
    Player::both(|holder| thresholds.forces(node, holder, lane))
}

fn is_split(rules: &Rules) -> bool {
    rules.ties == TieBreak::Richer && rules.winner == Winner::Moves
}

fn conjugate(rules: &Rules) -> Rules {
    let ties = match rules.ties {
        TieBreak::LadiesFirst => TieBreak::GentlemenFirst,
        TieBreak::GentlemenFirst => TieBreak::LadiesFirst,
        same => same,
    };
    let draws = match rules.draws {
        Draws::Alice => Draws::Bob,
        Draws::Bob => Draws::Alice,
        same => same,
    };
    Rules {
        ties,
        draws,
        ..rules.clone()
    }
}

#[test]
fn bob_wins_what_alice_wins_in_the_conjugate() {
    let totals = [0, 1, 5, 13, 63, 1001];
    for_all(
        150,
        (0..3_usize, games(GraphShape::SMALL)),
        |(which, graph)| {
            for rules in all_rules() {
                let rules = Rules {
                    draws: [Draws::Neither, Draws::Alice, Draws::Bob][which],
                    ..rules
                };
                let bob = solve(&graph, &rules, Player::Bob, &totals);
                let alice = solve(
                    &graph.conjugate(),
                    &conjugate(&rules),
                    Player::Alice,
                    &totals,
                );
                // Equal purses are not exchanged with the players, because `richer` favours Alice
                // there.
                let lanes = (0..totals.len())
                    .filter(|&lane| rules.ties != TieBreak::Richer || totals[lane] % 2 == 1);
                for (lane, node) in
                    lanes.flat_map(|lane| graph.nodes().map(move |node| (lane, node)))
                {
                    let [held, not_held] = forces(&alice, node, lane);
                    assert_eq!(
                        forces(&bob, node, lane),
                        [not_held, held],
                        "{rules:?}, {node:?}"
                    );
                }
            }
        },
    );
}

fn purses(alice: u64, total: u64, status: Option<Player>) -> Purses {
    Purses::new(alice, total - alice, status)
}

/// Returns whether Alice's winning with `these` chips implies winning with `those`, for all counts,
/// in the oracle's own sets.
fn implies(
    won: &States,
    total: u64,
    node: NodeId,
    these: (u64, Option<Player>),
    those: (u64, Option<Player>),
) -> bool {
    let holds = |(more, status): (u64, Option<Player>), alice: u64| {
        (alice + more <= total).then(|| won.contains(node, &purses(alice + more, total, status)))
    };
    (0..=total).all(|alice| holds(these, alice) != Some(true) || holds(those, alice) != Some(false))
}

#[test]
fn more_chips_never_hurt_but_for_the_richer_in_zugzwang() {
    let mut hurt = HashMap::<(TieBreak, Winner), u64>::new();
    for_all(
        600,
        (0..7_u64, games(GraphShape::SMALL)),
        |(total, graph)| {
            for rules in all_rules() {
                let won = Oracle {
                    graph: &graph,
                    rules: &rules,
                    total,
                }
                .won(Player::Alice, Order::Forcing);
                for node in graph.nodes() {
                    for &holder in rules.ties.holders() {
                        if !implies(&won, total, node, (0, holder), (1, holder)) {
                            *hurt.entry((rules.ties, rules.winner)).or_default() += 1;
                        }
                    }
                }
            }
        },
    );
    assert_eq!(
        hurt.into_keys().collect::<Vec<_>>(),
        [(TieBreak::Richer, Winner::Moves)]
    );
}

/// Checks Lemmas 3.1 and 3.2 of Develin & Payne: the advantage is worth something, but less than a
/// chip. The same holds for the right to win ties under make-it take-it, which the player without
/// the −ε chip has.
#[test]
fn the_statuses_interleave() {
    for_all(
        800,
        (0..7_u64, games(GraphShape::SMALL)),
        |(total, graph)| {
            for ties in [TieBreak::Advantage, TieBreak::MakeItTakeIt] {
                let rules = Rules {
                    ties,
                    ..Rules::default()
                };
                let won = Oracle {
                    graph: &graph,
                    rules: &rules,
                    total,
                }
                .won(Player::Alice, Order::Forcing);
                let (with, without) = (Some(Player::Alice), Some(Player::Bob));
                for node in graph.nodes() {
                    assert!(
                        implies(&won, total, node, (0, without), (0, with)),
                        "Lemma 3.1, {ties:?}"
                    );
                    assert!(
                        implies(&won, total, node, (0, with), (1, without)),
                        "Lemma 3.2, {ties:?}"
                    );
                }
            }
        },
    );
}

#[test]
fn truncations_fall_to_the_least_fixed_point() {
    for_all(60, games(GraphShape::SMALL), |graph| {
        for rules in all_rules().into_iter().filter(|rules| !is_split(rules)) {
            let totals = [3, 10, 57];
            let limit = solve(&graph, &rules, Player::Alice, &totals);
            let mut before = None;
            for moves in [0, 1, 2, 3, 5, 8, 400] {
                let truncation = truncated(&graph, moves, Ending::Draw);
                let truncation = solve(&truncation, &rules, Player::Alice, &totals);
                for (node, lane) in graph
                    .nodes()
                    .flat_map(|node| (0..totals.len()).map(move |lane| (node, lane)))
                {
                    let [now, at_last] =
                        [&truncation, &limit].map(|thresholds| forces(thresholds, node, lane));
                    assert!(
                        now[0] >= at_last[0] && now[1] >= at_last[1],
                        "{rules:?} after {moves}"
                    );
                    assert!(
                        moves < 400 || now == at_last,
                        "{rules:?}: {now:?} is not yet {at_last:?}"
                    );
                    if let Some(before) = &before {
                        let before = forces(before, node, lane);
                        assert!(
                            now[0] <= before[0] && now[1] <= before[1],
                            "{rules:?} after {moves}"
                        );
                    }
                }
                before = Some(truncation);
            }
        }
    });
}

/// Computes the Richman value by its definition, for an acyclic graph whose edges lead to later
/// vertices.
fn richman(graph: &GameGraph) -> Vec<BigRational> {
    let number = |n: i64| BigRational::from_integer(n.into());
    let mut values = vec![number(1); graph.len()];
    for node in graph.nodes().rev() {
        values[node.index()] = if let Some(ending) = graph.ending(node) {
            number(i64::from(ending != Ending::Win(Player::Alice)))
        } else {
            let heads = |player| {
                graph
                    .successors(node, player)
                    .iter()
                    .map(|head| &values[head.index()])
            };
            let least = heads(Player::Alice).min();
            let most = heads(Player::Bob).max();
            match (least, most) {
                (Some(least), Some(most)) => (least + most) / number(2),
                (only, None) | (None, only) => only.expect("a position has edges").clone(),
            }
        };
    }
    values
}

/// Checks that with many chips the thresholds are the Richman value's share of them, up to a chip
/// for each move.
#[test]
fn thresholds_tend_to_the_richman_value() {
    for_all(
        100,
        games(GraphShape {
            positions: 12..=12,
            moves: 3..=3,
            cycles: 0.0,
            draws: 0.3,
            ..GraphShape::SMALL
        }),
        |graph| {
            let values = richman(&graph);
            let totals = [1_000_000, 1_000_000_007, 1 << 45];
            for rules in choosing_rules() {
                let thresholds = solve(&graph, &rules, Player::Alice, &totals);
                for (node, (lane, &total)) in graph
                    .nodes()
                    .flat_map(|node| (0..).zip(&totals).map(move |lane| (node, lane)))
                {
                    let share = &values[node.index()] * BigRational::from_integer(total.into());
                    for least in forces(&thresholds, node, lane) {
                        let off = BigRational::from_integer(least.into()) - &share;
                        let slack = BigRational::from_integer(graph.len().into());
                        assert!(
                            -&slack <= off && off <= slack,
                            "{rules:?} k = {total}: {least} is not {share}"
                        );
                    }
                }
            }
        },
    );
}

/// Returns whether on cycles a chip may change hands at every turn, so that the number of rounds
/// grows with k.
fn creeps(rules: &Rules) -> bool {
    rules.ties == TieBreak::Marker && rules.winner == Winner::Moves
}

#[test]
fn both_methods_and_both_widths_agree() {
    let totals: Vec<_> = (0..40).chain([1000, 1 << 30]).collect();
    let with_wide: Vec<_> = totals.iter().copied().chain([1 << 50]).collect();
    let large = |cycles| {
        games(GraphShape {
            positions: 40..=40,
            moves: 3..=3,
            cycles,
            ..GraphShape::SMALL
        })
    };
    for_all(30, [0.0, 0.6].map(large), |[ahead, any]| {
        for rules in all_rules() {
            let graph = if creeps(&rules) { &ahead } else { &any };
            let narrow = solve(graph, &rules, Player::Alice, &totals);
            let wide = solve(graph, &rules, Player::Alice, &with_wide);
            let iterated = solve(
                graph,
                &Rules {
                    solver: Solver::Iteration,
                    ..rules.clone()
                },
                Player::Alice,
                &totals,
            );
            for (node, lane) in graph
                .nodes()
                .flat_map(|node| (0..totals.len()).map(move |lane| (node, lane)))
            {
                let expected = forces(&narrow, node, lane);
                assert_eq!(forces(&wide, node, lane), expected, "{rules:?}: widths");
                assert_eq!(
                    forces(&iterated, node, lane),
                    expected,
                    "{rules:?}: methods"
                );
                assert_eq!(narrow.threshold(node, lane), wide.threshold(node, lane));
            }
        }
    });
}

/// Builds a game in which Alice needs one of the next `moves` moves.
fn one_of(moves: usize) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for i in 0..moves {
        builder.push(
            None,
            &[NodeId::new(moves)],
            &[NodeId::new(if i + 1 == moves { moves + 1 } else { i + 1 })],
        );
    }
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    builder.finish(NodeId::new(0))
}

fn table(graph: &GameGraph, rules: &Rules, totals: std::ops::RangeInclusive<u64>) -> String {
    let totals: Vec<_> = totals.collect();
    let thresholds = solve(graph, rules, Player::Alice, &totals);
    let row: Vec<_> = (0..totals.len())
        .map(|lane| thresholds.threshold(graph.start(), lane).to_string())
        .collect();
    row.join(" ")
}

/// Checks Example 3.8, and the same games under the other rules, computed by hand from the rules.
#[test]
fn example_3_8() {
    let rules = |ties| Rules {
        ties,
        ..Rules::default()
    };
    assert_eq!(
        table(&one_of(1), &rules(TieBreak::Advantage), 0..=7),
        "0* 1 1* 2 2* 3 3* 4"
    );
    assert_eq!(
        table(&one_of(2), &rules(TieBreak::Advantage), 0..=7),
        "0 0* 0* 1 1 1* 1* 2"
    );
    assert_eq!(
        table(&one_of(1), &rules(TieBreak::MakeItTakeIt), 0..=3),
        "0 1-ε 1 2-ε"
    );
    assert_eq!(
        table(&one_of(1), &rules(TieBreak::LosersBall), 0..=3),
        "(0*, 1) (1*, 1) (1*, 2) (2*, 2)"
    );
    assert_eq!(
        table(&one_of(1), &rules(TieBreak::LadiesFirst), 0..=3),
        "0 1 1 2"
    );
    assert_eq!(
        table(&one_of(1), &rules(TieBreak::GentlemenFirst), 0..=3),
        "1 1 2 2"
    );
    assert_eq!(
        table(&one_of(1), &rules(TieBreak::Richer), 0..=3),
        "0 1 1 2"
    );
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let loops = {
        let mut builder = GameGraphBuilder::default();
        builder.push(None, &[NodeId::new(0)], &[NodeId::new(0)]);
        builder.finish(NodeId::new(0))
    };
    let refused = |graph: &GameGraph, rules: &Rules, total: u64, context: &Context<'_>| {
        Thresholds::solve(graph, rules, Player::Alice, &[total], context)
            .expect_err("this is refused")
    };
    let acyclic = Rules {
        solver: Solver::Acyclic,
        ..Rules::default()
    };
    let diagnostic = refused(&loops, &acyclic, 3, Context::plain());
    assert_eq!(diagnostic.code, Code::RulesClash);
    assert!(
        diagnostic.message.contains("has cycles")
            && diagnostic
                .help
                .is_some_and(|help| help.contains("`solver: auto`"))
    );
    assert_eq!(
        refused(&loops, &Rules::default(), u64::MAX, Context::plain()).code,
        Code::BadChips
    );
    let coin = Rules {
        ties: TieBreak::Coin,
        ..Rules::default()
    };
    assert_eq!(
        refused(&loops, &coin, 3, Context::plain()),
        admit::chips(&coin, ChipsQuestion::Threshold).expect_err("a coin has no thresholds")
    );
    assert_eq!(
        refused(
            &loops,
            &Rules::default(),
            3,
            &Context::within(Limits::memory(3))
        )
        .code,
        Code::Memory
    );
    let enormous = Purses::new(u64::MAX, u64::MAX, Some(Player::Alice));
    assert_eq!(
        admit::purses(&Rules::default(), &enormous).map_err(|diagnostic| diagnostic.code),
        Err(Code::BadChips)
    );
}
