//! Tests that every formula of thresholds is monotone, on which the bounds of a search rest.

use super::*;
use crate::rules::{Rules, TieBreak};

fn laws(total: u16) -> Vec<ThresholdLaw> {
    let ties = TieBreak::certain().chain([TieBreak::Attached]);
    let mut laws = Vec::new();
    for ties in ties {
        for winner in [Winner::Chooses, Winner::Moves] {
            for preventing in [false, true] {
                let rules = Rules {
                    ties,
                    winner,
                    ..Rules::default()
                };
                let (seeker, drawn) = (Player::Alice, false);
                let kernel = Kernel::of(&rules, seeker);
                laws.push(ThresholdLaw {
                    kernel,
                    winner,
                    preventing,
                    drawn,
                    seeker,
                    beyond: total + 1,
                });
            }
        }
    }
    laws
}

/// Returns all thresholds of a total.
fn pairs(law: &ThresholdLaw) -> Vec<ThresholdPair> {
    let ThresholdInterval { low, high } = law.anything();
    (low[0]..=high[0])
        .flat_map(|first| (low[1]..=high[1]).map(move |second| [first, second]))
        .collect()
}

/// Checks the lemma for every law and all thresholds of small totals, with one component raised at
/// a time.
#[test]
fn what_a_position_is_worth_rises_with_what_follows_it() {
    for (total, law) in
        (0..=4).flat_map(|total| laws(total).into_iter().map(move |law| (total, law)))
    {
        let all = pairs(&law);
        let most = law.anything().high;
        let is_within = |pair: ThresholdPair| (0..2).all(|slot| pair[slot] <= most[slot]);
        for m in &all {
            for others in &all {
                let value = law.value(TurnKind::Bid, Some(*m), Some(*others));
                assert!(is_within(value), "{law:?} {m:?} {others:?}");
                for slot in 0..law.scale().slots() {
                    let raised = |pair: &ThresholdPair| {
                        let mut pair = *pair;
                        pair[slot] += 1;
                        pair
                    };
                    for (m, others) in [(raised(m), *others), (*m, raised(others))] {
                        if is_within(m) && is_within(others) {
                            let more = law.value(TurnKind::Bid, Some(m), Some(others));
                            let holds = (0..2).all(|slot| value[slot] <= more[slot]);
                            assert!(
                                holds,
                                "{total} {law:?} {m:?} {others:?}: {value:?} {more:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Checks that questions come to an end whatever the answers, and that the decision at the end
/// agrees with both sides' thresholds.
#[test]
fn questions_lead_to_an_answer() {
    for law in laws(3) {
        for m in pairs(&law) {
            for others in pairs(&law) {
                let value = law.value(TurnKind::Bid, Some(m), Some(others));
                for (slot, value) in value.into_iter().enumerate().take(law.scale().slots()) {
                    for most in law.anything().low[slot]..law.anything().high[slot] {
                        let question = ThresholdQuestion { slot, most };
                        let mut sides = SideIntervals {
                            seeker: Some(law.anything()),
                            opponent: Some(law.anything()),
                        };
                        let mut last = None;
                        while law
                            .bounds(TurnKind::Bid, &sides)
                            .answers(question)
                            .is_none()
                        {
                            let aim = law.next(TurnKind::Bid, &sides, question, last, 1);
                            let (true_value, known) = match aim.side {
                                SearchSide::Seeker => (m, &mut sides.seeker),
                                SearchSide::Opponent => (others, &mut sides.opponent),
                            };
                            let known = known.as_mut().expect("both can move");
                            let ThresholdQuestion { slot, most } = aim.question;
                            assert!(
                                (known.low[slot]..known.high[slot]).contains(&most),
                                "{law:?} {aim:?} {known:?}"
                            );
                            let answer = true_value[slot] <= most;
                            if answer {
                                known.high[slot] = most
                            } else {
                                known.low[slot] = most + 1
                            }
                            last = Some((aim, answer));
                        }
                        let answer = law.bounds(TurnKind::Bid, &sides).answers(question);
                        assert_eq!(
                            answer,
                            Some(value <= most),
                            "{law:?} {m:?} {others:?} {question:?}"
                        );
                    }
                }
            }
        }
    }
}
