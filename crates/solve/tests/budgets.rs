//! Tests of thresholds against a budget, against literal play: every bid of both, every choice on a
//! tie, every mover and every move.

use std::collections::BTreeMap;

use crate::oracle::{LiteralStates, State, all_rules, purses_up_to};
use crate::random::games;
use crate::shared::tug;
use crate::sure_wins::race;
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::diagnostic::{Code, Result};
use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Payment, Purses, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::budgets::{NEVER, against};
use bid_solve::richman::taxman::Shares;
use bid_testing::{GraphShape, Out, for_all, share};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::strategy::Strategy;

/// The shape of graphs with up to four positions and one or two moves of each player, which lead to
/// all vertices with the same probability.
pub const SHAPE: GraphShape = GraphShape {
    positions: 1..=4,
    moves: 2..=2,
    traps: true,
    out: Out::Evenly,
    draws: 1.0,
    ..GraphShape::SMALL
};

/// Generates random games, in a part of which positions may come back.
fn random_games(cycles: f64) -> impl Strategy<Value = GameGraph> {
    games(GraphShape { cycles, ..SHAPE })
}

/// Returns Alice's turns in the literal game.
fn literal<'a>(graph: &'a GameGraph, rules: &'a Rules) -> LiteralStates<'a> {
    LiteralStates {
        graph,
        rules,
        seeker: Player::Alice,
        good: if rules.draws == Draws::Alice {
            &|ending| ending != Ending::Win(Player::Bob)
        } else {
            &|ending| ending == Ending::Win(Player::Alice)
        },
    }
}

fn compare(graph: &GameGraph, rules: &Rules, most: u64) {
    if rules.ties == TieBreak::Richer && rules.winner == Winner::Moves {
        let refused = against(graph, rules, graph.start(), &[1], Context::plain())
            .expect_err("more chips can hurt");
        assert_eq!(refused.code, Code::RulesClash);
        return;
    }
    let budgets: Vec<u64> = (0..=most).collect();
    let start = graph.start();
    let won = literal(graph, rules).forced(&purses_up_to(rules, 3 * most + 1));
    for (status, found) in against(graph, rules, start, &budgets, Context::plain())
        .expect("these rules have thresholds")
    {
        for (&budget, &least) in budgets.iter().zip(&found) {
            for chips in 0..=2 * most + 1 {
                let purses = Purses::new(chips, budget, status);
                assert_eq!(
                    won[&(start, purses)],
                    chips >= least,
                    "{chips} against {budget}, {status:?}, {least}: {rules:?} {graph:?}"
                );
            }
        }
    }
}

/// Checks with more chips than [`compare`] uses that the thresholds of each position follow from
/// those of its successors by every bid of both. Returns the number of comparisons.
fn follow_from_each_other(graph: &GameGraph, rules: &Rules) -> u64 {
    const MOST: u64 = 18;
    const CHIPS: u64 = 45;
    if rules.ties == TieBreak::Richer && rules.winner == Winner::Moves {
        return 0;
    }
    let budgets: Vec<u64> = (0..=MOST + CHIPS).collect();
    let positions = graph.nodes().filter(|node| graph.ending(*node).is_none());
    let mut found = BTreeMap::new();
    for node in positions {
        let rows = against(graph, rules, node, &budgets, Context::plain());
        for (status, row) in rows.expect("these rules have thresholds") {
            found.insert((node, status), row);
        }
    }
    let literal = literal(graph, rules);
    let enough = |(node, purses): State| match graph.ending(node) {
        Some(ending) => (literal.good)(ending),
        None => purses.chips.alice >= found[&(node, purses.status)][purses.chips.bob as usize],
    };
    let mut compared = 0;
    for (&(node, status), row) in &found {
        for bob in [0, 1, 7, 12, MOST - 1, MOST] {
            let least = row[bob as usize];
            for alice in [least.wrapping_sub(1), least]
                .into_iter()
                .filter(|alice| *alice <= CHIPS)
            {
                let purses = Purses::new(alice, bob, status);
                assert_eq!(
                    literal.leads((node, purses), enough),
                    alice >= least,
                    "{alice} against {bob}, {status:?}, {least}: {rules:?} {graph:?} {node:?}"
                );
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn thresholds_follow_from_each_other_by_every_bid() {
    let (rules, mut compared) = (all_rules(), 0);
    for_all(
        8 * rules.len() as u32,
        (0..8 * rules.len(), [0.0, 1.0].map(random_games)),
        |(turn, [ahead, back])| {
            // Some rules are refused where budgets grow on cycles; those have a test of their own.
            let graph = if turn % 6 == 0 { back } else { ahead };
            let pay = taxed().into_iter().nth(turn % 3).expect("there are three");
            compared += follow_from_each_other(
                &graph,
                &Rules {
                    pay,
                    ..rules[turn % rules.len()].clone()
                },
            );
        },
    );
    assert!(compared > 1000, "only {compared}");
}

/// Checks the race of a against b: the closed form for poorman bidding where Alice wins ties.
#[test]
fn races_have_their_known_form() {
    for (a, b) in [(1, 1), (2, 3), (3, 2), (5_u64, 4_u64)] {
        let graph = race(a as usize, b as usize);
        let rules = Rules {
            pay: Payment::Poorman,
            ties: TieBreak::LadiesFirst,
            ..Rules::default()
        };
        let budgets: Vec<u64> = (0..200).chain([9_999, 10_000]).collect();
        let found = against(&graph, &rules, graph.start(), &budgets, Context::plain())
            .expect("these rules have thresholds");
        let expected: Vec<u64> = budgets.iter().map(|budget| a * (budget / b)).collect();
        assert_eq!(found, [(None, expected)], "{a} against {b}");
    }
}

fn taxed() -> [Payment; 3] {
    let part = |n: i64, d: i64| Payment::Taxman(BigRational::new(n.into(), d.into()));
    [Payment::Poorman, part(1, 3), part(0, 1)]
}

#[test]
fn thresholds_are_those_of_literal_play() {
    for_all(25, random_games(0.0), |graph| {
        for rules in all_rules() {
            for pay in taxed() {
                compare(
                    &graph,
                    &Rules {
                        pay,
                        ..rules.clone()
                    },
                    3,
                );
            }
        }
    });
}

#[test]
fn turns_without_a_bid_are_those_of_literal_play() {
    for_all(
        40,
        games(GraphShape {
            cycles: 0.33,
            owners: 1.0,
            ..SHAPE
        }),
        |graph| {
            for rules in all_rules() {
                for pay in taxed() {
                    let rules = Rules {
                        pay,
                        ..rules.clone()
                    };
                    if rules.winner == Winner::Chooses
                        || rules.pay == Payment::Poorman
                        || graph.is_acyclic()
                    {
                        compare(&graph, &rules, 2);
                    }
                }
            }
        },
    );
    let mut builder = GameGraphBuilder::default();
    builder.push(None, &[NodeId::new(0), NodeId::new(1)], &[]);
    builder.push(Some(Ending::Draw), &[], &[]);
    builder.own(NodeId::new(0), Player::Alice);
    let rules = Rules {
        draws: Draws::Alice,
        ..Rules::default()
    };
    let refused = against(
        &builder.finish(NodeId::new(0)),
        &rules,
        NodeId::new(0),
        &[1],
        Context::plain(),
    );
    assert_eq!(
        refused.expect_err("the status may move").code,
        Code::NotSupported
    );
}

#[test]
fn thresholds_on_cycles_are_those_of_literal_play() {
    for_all(12, random_games(1.0), |graph| {
        for rules in all_rules() {
            compare(
                &graph,
                &Rules {
                    pay: Payment::Poorman,
                    ..rules
                },
                2,
            );
        }
    });
}

/// Compares thresholds with literal play where Bob's budget may grow: total by total.
#[test]
fn thresholds_on_cycles_where_budgets_grow_are_those_of_literal_play() {
    let mut compared = 0;
    for_all(4, random_games(1.0), |graph| {
        for rules in all_rules() {
            for pay in taxed().into_iter().filter(|pay| *pay != Payment::Poorman) {
                let rules = Rules {
                    pay,
                    ..rules.clone()
                };
                match against(&graph, &rules, graph.start(), &[1], Context::plain()) {
                    Err(refused) if refused.code == Code::NotSupported => continue,
                    _ => compare(&graph, &rules, 2),
                }
                compared += 1;
            }
        }
    });
    assert!(compared > 50, "{compared}");
}

#[test]
fn what_it_takes_not_to_lose_on_cycles_is_what_literal_play_says() {
    let mut never = 0;
    for_all(share(100), random_games(1.0), |graph| {
        for rules in all_rules() {
            let rules = Rules {
                pay: Payment::Poorman,
                draws: Draws::Alice,
                ..rules
            };
            compare(&graph, &rules, 2);
            let found = against(&graph, &rules, graph.start(), &[2], Context::plain());
            never += found.map_or(0, |rows| {
                rows.iter().filter(|(_, row)| row[0] == NEVER).count()
            });
        }
    });
    assert!(never > share(20), "{never}");
}

/// Returns the shares of the money that Alice needs at a vertex against `budget` chips.
fn shares_needed(graph: &GameGraph, rules: &Rules, node: NodeId, budget: u64) -> Result<Vec<f64>> {
    let found = against(graph, rules, node, &[budget], Context::plain())?;
    let share = |(_, least): (_, Vec<u64>)| match least[0] {
        NEVER => 1.0,
        least => least as f64 / (least + budget) as f64,
    };
    Ok(found.into_iter().map(share).collect())
}

/// Returns the threshold of real-valued bidding at the start, with Richman bidding as taxman bidding
/// without a tax.
fn threshold(graph: &GameGraph, rules: &Rules) -> Result<f64> {
    let rules = Rules {
        pay: Payment::Taxman(rules.pay.tax().expect("the winner pays")),
        ..rules.clone()
    };
    let shares = Shares::solve(graph, &rules, Context::plain())?;
    Ok(shares.share(graph.start()).low.to_f64().expect("a float"))
}

/// Checks that f(G, bob: b) in chips tends to a threshold of real-valued bidding: for each budget,
/// the share that Alice needs differs from it by no more than a bound.
fn tends_to(real: f64, graph: &GameGraph, rules: &Rules, bounds: &[(u64, f64)]) {
    for &(budget, bound) in bounds {
        for share in shares_needed(graph, rules, graph.start(), budget).expect("supported") {
            assert!(
                (share - real).abs() <= bound,
                "{budget}: {share} from {real}, {rules:?} {graph:?}"
            );
        }
    }
}

#[test]
fn thresholds_on_cycles_agree_with_real_valued_bidding() {
    let graph = tug(2, 3);
    let half = Payment::Taxman(BigRational::new(1.into(), 2.into()));
    for pay in [Payment::Poorman, half, Payment::Richman] {
        let rules = Rules {
            pay,
            ..Rules::default()
        };
        let real = threshold(&graph, &rules).expect("solved");
        tends_to(real, &graph, &rules, &[(10, 0.3), (20, 0.15), (60, 0.02)]);
    }
}

/// Checks acyclic games: a turn costs each player a chip or two by rounding, so with at most d turns
/// the share differs by a multiple of d/b.
#[test]
fn many_chips_are_as_good_as_any_amount() {
    let mut inner = 0;
    for_all(80, random_games(0.0), |graph| {
        for pay in taxed() {
            let rules = Rules {
                pay,
                ..Rules::default()
            };
            let real = threshold(&graph, &rules).expect("bounds");
            tends_to(real, &graph, &rules, &[(12, 4.0 / 12.0), (48, 4.0 / 48.0)]);
            inner += usize::from(real > 0.01 && real < 0.99);
        }
    });
    assert!(inner > 30, "{inner}");
}

/// Checks the same limit on cycles, where play may take long and the roundings add up.
#[test]
fn many_chips_are_as_good_as_any_amount_on_cycles() {
    let mut inner = 0;
    for_all(80, random_games(1.0), |graph| {
        for draws in [Draws::Bob, Draws::Alice] {
            let rules = Rules {
                pay: Payment::Poorman,
                draws,
                ..Rules::default()
            };
            let Ok(real) = threshold(&graph, &rules) else {
                continue;
            };
            if !(0.02..0.98).contains(&real) {
                continue;
            }
            inner += 1;
            tends_to(real, &graph, &rules, &[(15, 0.2), (60, 0.08)]);
        }
    });
    assert!(inner > 20, "{inner}");
}

#[test]
fn a_win_is_never_bought_where_it_cannot_be() {
    let mut builder = GameGraphBuilder::default();
    builder.push(None, &[NodeId::new(0)], &[NodeId::new(1)]);
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    let graph = builder.finish(NodeId::new(0));
    let rules = Rules {
        pay: Payment::Poorman,
        ..Rules::default()
    };
    let found =
        against(&graph, &rules, graph.start(), &[0, 3], Context::plain()).expect("supported");
    assert!(found.iter().all(|(_, row)| row == &[NEVER, NEVER]));
}

/// Thresholds of money where the winner of a bid must move are stated only if they hold under every
/// rule for ties: those against a budget of many chips tend to them, whoever wins all ties.
#[test]
fn thresholds_of_money_hold_for_winners_who_must_move() {
    const BUDGET: u64 = 100;
    let (mut seen, mut elsewhere, mut refused, mut between) = (0, 0, 0, 0);
    for_all(1_500, (random_games(0.8), 0..3_u32), |(graph, halves)| {
        let tax = BigRational::new(halves.into(), 2.into());
        let rules = Rules {
            winner: Winner::Moves,
            pay: if tax == BigRational::from_integer(1.into()) {
                Payment::Poorman
            } else {
                Payment::Taxman(tax)
            },
            draws: Draws::Bob,
            ..Rules::default()
        };
        let shares = Shares::solve(&graph, &rules, Context::plain()).expect("solved");
        let has_zugzwang = shares.covers_all().is_err();
        refused += usize::from(shares.covers(graph.start()).is_err());
        // Other vertices are tried where the game has zugzwang somewhere.
        let asked = graph.nodes().filter(|node| {
            let is_asked = has_zugzwang || *node == graph.start();
            is_asked && shares.covers(*node).is_ok() && graph.ending(*node).is_none()
        });
        let extremes = [TieBreak::LadiesFirst, TieBreak::GentlemenFirst];
        for (node, ties) in asked.flat_map(|node| extremes.map(|ties| (node, ties))) {
            let share = shares.share(node).low.to_f64().expect("a float");
            let rules = Rules {
                ties,
                draws: Draws::Neither,
                ..rules.clone()
            };
            let apart = |budget: u64| {
                let needed = shares_needed(&graph, &rules, node, budget).ok()?;
                Some((needed[0] - share).abs())
            };
            let Some(error) = apart(BUDGET) else {
                continue;
            };
            // After several bids that have to be won the limit is approached more slowly.
            let is_near =
                error < 0.1 || apart(20 * BUDGET).is_some_and(|later| later < 0.7 * error);
            seen += 1;
            elsewhere += usize::from(has_zugzwang);
            between += usize::from(share > 0.1 && share < 0.9);
            assert!(
                is_near,
                "{error} from {share} at {node:?} {rules:?} {graph:?}"
            );
        }
    });
    assert!(
        seen > 500 && elsewhere > 100 && refused > 50 && between > 100,
        "{seen} {elsewhere} {refused} {between}"
    );
}
