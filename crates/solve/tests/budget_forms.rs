//! Tests of closed forms of thresholds against budgets, and of their limits, against the thresholds
//! themselves.

use crate::budgets::SHAPE;
use crate::oracle::choosing_rules;
use crate::random::games;
use bid_game::GameGraph;
use bid_language::rules::{Payment, Rules, TieBreak};
use bid_language::watch::Context;
use bid_solve::budgets::forms::{Form, proved, seen};
use bid_solve::budgets::limit::limit;
use bid_solve::budgets::{NEVER, against};
use bid_solve::richman::taxman::Shares;
use bid_testing::{GraphShape, for_all};
use num_rational::BigRational;
use num_traits::One;
use proptest::strategy::Strategy;

fn rules() -> impl Iterator<Item = Rules> {
    let part =
        |numer: i64, denom: i64| Payment::Taxman(BigRational::new(numer.into(), denom.into()));
    let pays = [
        Payment::Richman,
        Payment::Poorman,
        part(1, 2),
        part(1, 3),
        part(2, 3),
    ];
    choosing_rules().flat_map(move |rules| {
        pays.clone().map(|pay| Rules {
            pay,
            ..rules.clone()
        })
    })
}

/// Generates random games without cycles, a third of them with owners.
fn random_games() -> impl Strategy<Value = GameGraph> {
    games(GraphShape {
        cycles: 0.0,
        owners: 1.0 / 3.0,
        ..SHAPE
    })
}

#[test]
fn proved_forms_are_the_thresholds() {
    let budgets: Vec<u64> = (0..120).collect();
    let (mut linear, mut steep) = (0, 0);
    for_all(260, random_games(), |graph| {
        for rules in rules() {
            let found = against(&graph, &rules, graph.start(), &budgets, Context::plain())
                .expect("thresholds");
            let Some(forms) =
                proved(&graph, &rules, graph.start(), Context::plain()).expect("nobody stops it")
            else {
                assert_eq!(rules.ties, TieBreak::Richer, "{rules:?} {graph:?}");
                continue;
            };
            for ((holder, row), (same, form)) in found.iter().zip(&forms) {
                assert_eq!(holder, same);
                match form {
                    Form::Never => assert!(
                        row.iter().all(|chips| *chips == NEVER),
                        "{rules:?} {graph:?}"
                    ),
                    Form::Linear(sequence) => {
                        let all: Vec<u64> =
                            budgets.iter().map(|budget| sequence.at(*budget)).collect();
                        assert_eq!(row, &all, "{rules:?} {graph:?}");
                        linear += 1;
                        steep += usize::from(sequence.period() > 1 && sequence.increment() > 0);
                    }
                    Form::Floor { .. } => panic!("no rounded line is proved"),
                }
            }
        }
    });
    assert!(linear > 4_000 && steep > 500, "{linear}, {steep}");
}

/// Checks that the form seen in the thresholds up to some budget is the one that is proved for all,
/// if three periods are visible.
#[test]
fn seen_forms_are_those_that_are_proved() {
    let budgets: Vec<u64> = (0..240).collect();
    let mut compared = 0;
    for_all(60, random_games(), |graph| {
        for rules in rules() {
            let found = against(&graph, &rules, graph.start(), &budgets, Context::plain())
                .expect("thresholds");
            let Some(forms) =
                proved(&graph, &rules, graph.start(), Context::plain()).expect("nobody stops it")
            else {
                continue;
            };
            for ((_, row), (_, form)) in found.iter().zip(&forms) {
                let is_short = match form {
                    Form::Linear(sequence) => {
                        sequence.period() <= 60 && sequence.pre_period() <= 60
                    }
                    Form::Never | Form::Floor { .. } => true,
                };
                if is_short {
                    assert_eq!(
                        seen(row, None, Context::plain())
                            .expect("nobody stops it")
                            .as_ref(),
                        Some(form)
                    );
                    compared += 1;
                }
            }
        }
    });
    assert!(compared > 1000, "{compared}");
}

#[test]
fn thresholds_stay_near_to_those_of_real_money() {
    let budgets: Vec<u64> = (0..150).collect();
    let (mut compared, mut tight) = (0, 0);
    for_all(60, random_games(), |graph| {
        for rules in rules() {
            let found = against(&graph, &rules, graph.start(), &budgets, Context::plain())
                .expect("thresholds");
            let Some(limit) =
                limit(&graph, &rules, graph.start(), Context::plain()).expect("nobody stops it")
            else {
                assert!(
                    found
                        .iter()
                        .all(|(_, row)| row.iter().all(|chips| *chips == NEVER)),
                    "{rules:?} {graph:?}"
                );
                continue;
            };
            let share = Shares::solve(&graph, &rules, Context::plain())
                .expect("bounds")
                .share(graph.start());
            assert_eq!(
                (&share.low, &share.low),
                (
                    &share.high,
                    &(&limit.rate / (&limit.rate + BigRational::one()))
                )
            );
            for (_, row) in &found {
                let mut greatest = BigRational::from_integer(0.into());
                for (&budget, &chips) in budgets.iter().zip(row) {
                    let difference = BigRational::from_integer(chips.into())
                        - &limit.rate * BigRational::from_integer(budget.into());
                    assert!(
                        difference <= limit.above && -&difference <= limit.below,
                        "{budget}: {rules:?} {graph:?}"
                    );
                    greatest = greatest.max(difference);
                    compared += 1;
                }
                tight += usize::from(greatest == limit.above);
            }
        }
    });
    assert!(compared > 100_000 && tight > 100, "{compared}, {tight}");
}
