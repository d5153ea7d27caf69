//! Tests of vertices where a player moves without a bid that are not covered by literal play in
//! other files: closed forms, sure wins on cycles, games without any bid, and the ways in which
//! graphs and rulesets define whose turn it is.

use bid_game::{GameGraph, NodeId};
use bid_language::diagnostic::Code;
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Draws, Payment, Purses, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::all_pay::{AllPayValues, Standing, SureWins};
use bid_solve::chips::Thresholds;
use bid_solve::richman::Values;
use bid_solve::sequences::Sequences;
use proptest::strategy::Strategy;

use crate::oracle::{Oracle, Order, all_rules};
use crate::random::games;
use bid_testing::{GraphShape, for_all};

/// Generates games with owners, in a part of which positions may come back.
fn owned_games(cycles: f64) -> impl Strategy<Value = GameGraph> {
    games(GraphShape {
        positions: 2..=6,
        cycles,
        owners: 1.0,
        draws: 0.3,
        ..GraphShape::SMALL
    })
}

/// Checks that closed forms are the thresholds total by total, where bids about nothing change
/// nothing; elsewhere they are refused.
#[test]
fn closed_forms_are_the_thresholds() {
    let (mut compared, mut refused) = (0, 0);
    for_all(60, owned_games(0.25), |graph| {
        if !graph.has_owners() {
            return;
        }
        for rules in all_rules() {
            let indifferent = match rules.ties {
                TieBreak::LadiesFirst | TieBreak::GentlemenFirst => true,
                TieBreak::Advantage | TieBreak::MakeItTakeIt | TieBreak::Richer => {
                    rules.winner == Winner::Chooses
                }
                TieBreak::Marker
                | TieBreak::Attached
                | TieBreak::LosersBall
                | TieBreak::Coin
                | TieBreak::Nobody => false,
            };
            let solved = match Sequences::solve(&graph, &rules, Context::plain()) {
                Ok(solved) => solved,
                Err(error) => {
                    assert_eq!(error.code, Code::NotSupported);
                    refused += usize::from(!indifferent);
                    assert!(!indifferent || !graph.is_acyclic(), "{}", error.message);
                    continue;
                }
            };
            assert!(indifferent, "{rules:?}");
            let totals: Vec<u64> = (0..60).collect();
            let thresholds =
                Thresholds::solve(&graph, &rules, Player::Alice, &totals, Context::plain())
                    .expect("solved");
            for node in graph.nodes() {
                for (lane, total) in totals.iter().enumerate() {
                    let form = solved.threshold(solved.class(node), *total);
                    assert_eq!(
                        form,
                        thresholds.threshold(node, lane),
                        "{rules:?} {node:?} {total} {graph:?}"
                    );
                    compared += 1;
                }
            }
        }
    });
    assert!(compared > 20_000 && refused > 100, "{compared} {refused}");
}

/// Checks that the literal game forces sure wins on cycles.
#[test]
fn sure_wins_are_forced() {
    let mut compared = 0;
    for_all(60, (0..7_usize, owned_games(1.0)), |(which, graph)| {
        let ties = TieBreak::certain().nth(which).expect("there are seven");
        let rules = Rules {
            pay: Payment::AllPay,
            ties,
            draws: Draws::Bob,
            ..Rules::default()
        };
        let holder = rules.ties.has_status().then_some(Player::Bob);
        let mut wins = SureWins::new(&graph, &rules, graph.start(), 2, Context::plain());
        for bob in 0..=2_u64 {
            let Ok(least) = wins.least(bob, holder) else {
                continue;
            };
            for alice in 0..=4_u64 {
                let won = Oracle {
                    graph: &graph,
                    rules: &rules,
                    total: alice + bob,
                }
                .won(Player::Alice, Order::Forcing);
                let purses = Purses::new(alice, bob, holder);
                let wins = won.contains(graph.start(), &purses);
                assert_eq!(
                    least.is_some_and(|least| least <= alice),
                    wins,
                    "{alice} {bob} {rules:?} {graph:?}"
                );
                compared += 1;
            }
        }
    });
    assert!(compared > 500, "{compared}");
}

/// Checks that mixed bids are refused if positions without a bid come back.
#[test]
fn mixed_bids_need_bids_on_cycles() {
    let mut builder = bid_game::GameGraphBuilder::default();
    let heads = [1, 2].map(NodeId::new);
    builder.push(None, &heads, &heads);
    builder.push(None, &[NodeId::new(0)], &[]);
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.own(NodeId::new(1), Player::Alice);
    let graph = builder.finish(NodeId::new(0));
    let rules = Rules {
        pay: Payment::AllPay,
        draws: Draws::Half,
        ties: TieBreak::Richer,
        ..Rules::default()
    };
    let mut solved =
        AllPayValues::new(&graph, &rules, PerPlayer::new(2, 2), Context::plain()).expect("it fits");
    let refused = solved
        .advance(
            Standing::of(&graph),
            &rules,
            graph.start(),
            Context::plain(),
        )
        .expect_err("there is no bid at 1");
    assert_eq!(refused.code, Code::NotSupported);
}

/// Checks that under real-valued bidding an owner is treated as the only player who can move.
#[test]
fn real_valued_thresholds_take_an_owner_for_the_only_mover() {
    for_all(200, (0..3_usize, owned_games(0.5)), |(which, graph)| {
        let rules = Rules {
            draws: [Draws::Bob, Draws::Alice, Draws::Half][which],
            ..Rules::default()
        };
        let values = Values::solve(&graph, &rules, Context::plain()).expect("solved");
        for node in graph.nodes() {
            let Some(owner) = graph.owner(node) else {
                continue;
            };
            let heads = graph
                .successors(node, owner)
                .iter()
                .map(|head| values.value(*head));
            let best = if owner == Player::Alice {
                heads.min()
            } else {
                heads.max()
            };
            assert_eq!(Some(values.value(node)), best);
        }
    });
}
