//! Certificates: the data by which an independent reader can verify an answer.
//!
//! [`write()`] asks the question again: it lists the positions of the game with the checker's
//! interpreter, proves the answer on the listing ([`prove`]), and refuses if the proved value is
//! not the given answer. The format is [`verify::format`];
//! [`verify`] checks it.

pub mod coq;
mod enclose;
mod explore;
mod guarantee;
mod never;
mod promises;
mod prove;
mod recurring;

use std::collections::BTreeSet;

use num_rational::BigRational;

use self::explore::{diagnostic, explore};
use self::prove::{Prover, failed, refused};
use crate::check::Definitions;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::Player;
use crate::report::{Nash, Report, Row};
use crate::rules::{Objective, Rules, Solver};
use crate::scalar::Scalar;
use crate::verify::format::{
    Certificate, Claim, FORMAT, HalfChips, ListedPurses, Never, Proof, Rows, SourceQuestion,
    SourceText, VERSION, WinSet,
};
use crate::verify::notation::notation;
use crate::verify::sets::{NONE, NeededSet};
use crate::verify::states::States;
use crate::verify::{self, AskedQuantity, CertifiedGraph, Interpreter};
use crate::watch::Context;

/// Makes the certificate of an expression's value, which has been found to be `answer`. `builtins`
/// are the functions that sources may name.
///
/// # Errors
/// Returns an error if the question or the game has no certificate, the work is stopped, or the
/// proved value is not the answer.
pub fn write(
    texts: Vec<SourceText>,
    question: SourceQuestion,
    answer: &Report,
    builtins: &Definitions,
    context: &Context<'_>,
) -> Result<Certificate> {
    let mut interpreter = Interpreter::new(&texts, builtins, context).map_err(diagnostic)?;
    let asked = interpreter
        .question(&question.loads, &question.expression)
        .map_err(diagnostic)?;
    verify::admit(&asked.rules, &asked.asked).map_err(failed)?;
    let (listing, _) = explore(&mut interpreter, &asked)?;
    // The positions are listed, so the interpreter's copies of them are released before the proof.
    drop(interpreter);
    let graph = CertifiedGraph::of(&listing, &asked.rules, context).map_err(failed)?;
    let (claim, proof) = Prover { graph: &graph }.answer(&asked.asked, answer)?;
    agrees(&claim, answer)?;
    let rules = verify::rule_words(&asked.rules, &asked.asked);
    // The graph borrows the listing, which moves into the certificate.
    drop(graph);
    let (format, version) = (FORMAT.to_owned(), VERSION);
    Ok(Certificate {
        format,
        version,
        sources: texts,
        question,
        rules,
        claim,
        game: listing,
        proof,
    })
}

impl Prover<'_> {
    fn answer(&self, asked: &AskedQuantity, answer: &Report) -> Result<(Claim, Proof)> {
        match asked {
            AskedQuantity::Richman | AskedQuantity::Probability(_) => self.promised(asked, answer),
            AskedQuantity::Thresholds(totals) => self.thresholds(totals),
            AskedQuantity::Against(budgets) => self.against(budgets, answer),
            AskedQuantity::Outcome(purses) => self.outcome(*purses),
            AskedQuantity::Credit(purses) => self.least_credit(*purses, answer),
            AskedQuantity::AllPay(purses) => self.all_pay(*purses, answer),
            AskedQuantity::Nash(purses) => self.nash(*purses, answer),
        }
    }

    fn all_pay(&self, purses: ListedPurses, answer: &Report) -> Result<(Claim, Proof)> {
        // If play always ends, an exact answer has exact bounds, regardless of the method that
        // found it.
        let exact = self.graph.ordered && !enclosed(answer);
        let solver = if exact {
            Solver::Exact
        } else {
            self.graph.rules.solver
        };
        let rules = Rules {
            solver,
            ..self.graph.rules.clone()
        };
        let graph = self.graph.under(&rules);
        Prover { graph: &graph }.guaranteed_claim(purses, None)
    }

    fn nash(&self, purses: ListedPurses, given: &Report) -> Result<(Claim, Proof)> {
        match given {
            Report::Nash(given) => self.guaranteed_claim(purses, Some(given)),
            _ => Err(refused("the answer is not a pair of mixed bids")),
        }
    }

    /// Proves bounds of a value, and that the given bids guarantee them, if there are any.
    fn guaranteed_claim(
        &self,
        purses: ListedPurses,
        given: Option<&Nash>,
    ) -> Result<(Claim, Proof)> {
        let listed = self.guarantees(purses, given)?;
        let mut turns = listed.iter();
        let Some(first) = turns.find(|turn| turn.position == 0 && turn.purses == purses) else {
            return Err(refused("the game is over before it begins"));
        };
        let (low, high) = (first.alice.bound.clone(), first.bob.bound.clone());
        let claim = match given {
            None => Claim::Bounds { purses, low, high },
            Some(_) => Claim::Nash {
                purses,
                low,
                high,
                alice: first.alice.bids.clone(),
                bob: first.bob.bids.clone(),
            },
        };
        Ok((claim, Proof::Guarantees(listed)))
    }

    fn thresholds(&self, asked: &[i64]) -> Result<(Claim, Proof)> {
        if verify::stairs::applies(self.graph.rules) {
            return self.thresholds_in_half_chips(asked);
        }
        let needed = NeededSet::of_thresholds(self.graph.rules).map_err(failed)?;
        let (mut totals, mut answers, mut sets) = (Vec::new(), Vec::new(), Vec::new());
        for total in asked {
            let total = count(*total)?;
            let (set, states) = self.needed(needed[0], total)?;
            sets.push(set);
            for other in &needed[1..] {
                sets.push(self.needed(*other, total)?.0);
            }
            answers.push(notation(self.graph.rules.ties, total, |chips, status| {
                needed[0].wins(&states, status, chips)
            }));
            totals.push(total);
        }
        Ok((Claim::Thresholds { totals, answers }, Proof::Sets(sets)))
    }

    fn thresholds_in_half_chips(&self, asked: &[i64]) -> Result<(Claim, Proof)> {
        let telling = NeededSet::telling(self.graph.rules).map_err(failed)?;
        let player = telling.player;
        let (mut totals, mut answers, mut proofs) = (Vec::new(), Vec::new(), Vec::new());
        for total in asked {
            let total = count(*total)?;
            let (listed, half_chips) = self.half_chips(player, total)?;
            answers.push(verify::stairs::notation(player, total, half_chips));
            totals.push(total);
            proofs.push(listed);
        }
        Ok((
            Claim::Thresholds { totals, answers },
            Proof::HalfChips(proofs),
        ))
    }

    /// Computes a player's thresholds for a total, and that of position 0, in half chips.
    fn half_chips(&self, player: Player, total: i32) -> Result<(HalfChips, i32)> {
        let rows = self.stairs(player, total)?;
        let half_chips = verify::stairs::last_threshold(&rows[0], total);
        let listed = HalfChips {
            player,
            total,
            stairs: rows.into(),
        };
        Ok((listed, half_chips))
    }

    fn outcome_in_half_chips(&self, purses: ListedPurses, total: i32) -> Result<(Claim, Proof)> {
        let claim = |answer: &str| Claim::Outcome {
            purses,
            answer: answer.to_owned(),
        };
        let mut proofs = Vec::new();
        for player in Player::BOTH {
            let (listed, half_chips) = self.half_chips(player, total)?;
            if verify::stairs::purse(&purses, player) >= i64::from(half_chips) {
                return Ok((claim(player.word()), Proof::HalfChips(vec![listed])));
            }
            proofs.push(listed);
        }
        Ok((claim("draw"), Proof::HalfChips(proofs)))
    }

    /// Proves the least chips against budgets of Bob's, in a table with a row for each holder of
    /// the tie status.
    fn against(&self, asked: &[i64], answer: &Report) -> Result<(Claim, Proof)> {
        let telling = NeededSet::telling(self.graph.rules).map_err(failed)?;
        let Report::Table(table) = answer else {
            return Err(refused("the answer is not a table"));
        };
        let budgets = asked
            .iter()
            .map(|budget| count(*budget))
            .collect::<Result<Vec<i32>>>()?;
        let (mut answers, mut totals, mut open) = (Rows::default(), BTreeSet::new(), Vec::new());
        for (index, budget) in budgets.iter().enumerate() {
            let least = |row: &Row| match &row.values[index] {
                Scalar::Integer(least) => {
                    i32::try_from(least).map_err(|_| refused("these are too many chips"))
                }
                // The word is `never`.
                Scalar::Word(_) => Ok(NONE),
                _ => Err(refused("the answer is not a number of chips")),
            };
            let row = table.rows.iter().map(least).collect::<Result<Vec<i32>>>()?;
            totals.extend(
                row.iter()
                    // `NONE` is negative, so that the range of such a row is empty and it needs no
                    // set here.
                    .flat_map(|least| *budget..=budget.saturating_add(*least)),
            );
            open.extend(
                (0..row.len())
                    .filter(|status| row[*status] == NONE)
                    .map(|status| (status, *budget)),
            );
            answers.push(row);
        }
        let mut sets = Vec::new();
        for total in totals {
            let (set, states) = self.set(telling, total)?;
            // The claim is made from the answer, so a wrong answer is found here and not by
            // `agrees`.
            telling.least(&states, &budgets, &answers).map_err(failed)?;
            sets.push(set);
        }
        let claim = Claim::Against { budgets, answers };
        if open.is_empty() {
            return Ok((claim, Proof::Sets(sets)));
        }
        let (chips, states) = self.held(&open)?;
        Ok((
            claim,
            Proof::Never(Never {
                sets,
                chips,
                states,
            }),
        ))
    }

    fn outcome(&self, purses: ListedPurses) -> Result<(Claim, Proof)> {
        let total = count(i64::from(purses.alice) + i64::from(purses.bob))?;
        if verify::stairs::applies(self.graph.rules) {
            return self.outcome_in_half_chips(purses, total);
        }
        let status = usize::from(purses.holder == Some(Player::Bob));
        for (answer, last) in [
            ("alice", Player::Alice),
            ("bob", Player::Bob),
            ("draw", Player::Bob),
            ("undetermined", Player::Alice),
            ("undetermined", Player::Bob),
        ] {
            let needed = NeededSet::of_outcome(self.graph.rules, answer, last);
            let needed = needed.expect("a word for an outcome");
            let mut sets = Vec::new();
            for (needed, inside) in &needed {
                let (set, states) = self.needed(*needed, total)?;
                // One set that does not fit refutes this answer, so the others are not computed.
                if (states.rank(0, status, purses.alice) >= 0) != *inside {
                    break;
                }
                sets.push(set);
            }
            if sets.len() == needed.len() {
                let answer = answer.to_owned();
                return Ok((Claim::Outcome { purses, answer }, Proof::Sets(sets)));
            }
        }
        Err(refused("the outcome does not follow from sets of states"))
    }

    /// Computes the states of a set with the ranks that prove it.
    fn needed(&self, needed: NeededSet, total: i32) -> Result<(WinSet, States)> {
        match self.graph.rules.objective {
            Objective::Reachability => self.set(needed, total),
            _ => self.lasting(needed, total, Some(&self.graph.rules.energy.0)),
        }
    }
}

fn count(chips: i64) -> Result<i32> {
    i32::try_from(chips).map_err(|_| refused("these are more chips than a certificate can hold"))
}

/// Returns `true` if an answer is an enclosure between floating-point bounds.
fn enclosed(answer: &Report) -> bool {
    matches!(answer, Report::Scalar(Scalar::Interval(_)))
}

/// Checks that a claim agrees with the given answer. Bounds depend on the order in which turns are
/// solved, so proved bounds only have to overlap with the given ones.
fn agrees(claim: &Claim, answer: &Report) -> Result<()> {
    let scalar = match (claim, answer) {
        (Claim::Bounds { low, high, .. }, Report::Scalar(given)) => Some((low, high, given)),
        // The bids are the given ones.
        (Claim::Nash { low, high, .. }, Report::Nash(given)) => Some((low, high, &given.value)),
        _ => None,
    };
    if let Some((low, high, given)) = scalar {
        let bounds = match given {
            Scalar::Interval(given) => {
                BigRational::from_float(given.low).zip(BigRational::from_float(given.high))
            }
            Scalar::Rational(exact) => Some((exact.clone(), exact.clone())),
            Scalar::Integer(exact) => Some((exact.clone().into(), exact.clone().into())),
            _ => None,
        };
        if bounds.is_some_and(|(least, most)| least <= high.0 && low.0 <= most) {
            return Ok(());
        }
    }
    let given: Vec<String> = match answer {
        Report::Scalar(Scalar::Bounds(told)) => vec![verify::between(&told.low, &told.high)],
        Report::Scalar(Scalar::Interval(_)) => {
            return Err(refused("the answer is enclosed between bounds, not exact"));
        }
        Report::Table(table) => table
            .rows
            .iter()
            .flat_map(|row| &row.values)
            .map(Scalar::to_string)
            .collect(),
        other => vec![other.to_string()],
    };
    let claimed: Vec<String> = match claim {
        Claim::Thresholds { answers, .. } if matches!(answer, Report::List(_)) => {
            answers.iter().map(|all| listed(all)).collect()
        }
        Claim::Thresholds { answers, .. } => answers.clone(),
        // The claim was made from the answer, and compared with the sets.
        Claim::Against { .. } => given.clone(),
        other => vec![verify::answer(other)],
    };
    if given == claimed {
        return Ok(());
    }
    let message = format!(
        "the certificate proves {}, but the answer is {}",
        claimed.join(" "),
        given.join(" ")
    );
    Err(Box::new(
        Diagnostic::new(Code::NotSupported, message)
            .help("this is a bug in bid; please report the game"),
    ))
}

/// Formats sets of counts that are not closed upwards, such as `2..3, 6..8`, as the list that `f(G,
/// k)` returns for one total.
fn listed(ranges: &str) -> String {
    let counts = ranges.split(", ").filter_map(|range| {
        let (first, last) = range.split_once("..")?;
        Some(first.parse::<i32>().ok()?..=last.parse().ok()?)
    });
    format!("{:?}", counts.flatten().collect::<Vec<_>>())
}
