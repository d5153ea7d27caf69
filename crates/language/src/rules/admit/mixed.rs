//! Checks the rules of play with whole chips in which players mix their bids.

use super::chips::{no_income, plain_marker, used_credit};
use super::unsupported;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::rules::{BidKind, FieldValue, MinimumBid, Payment, Rules, Solver, TieBreak};

/// Accepts the rules under which both players pay whole chips. Every rule for ties has a meaning
/// there.
///
/// # Errors
/// Returns E0602 otherwise, naming the clause and the nearest one that has an answer.
pub fn mixed_bids(rules: &Rules) -> Result<()> {
    if !rules.pay.is_all_pay() {
        return Err(single_payer(
            &rules.pay,
            "optimal mixed bids",
            "single bids are optimal; where both pay, players have to mix",
        ));
    }
    both_pay(rules, "mixed bids")
}

/// Accepts rules under which both players pay for a question with this name.
fn both_pay(rules: &Rules, what: &str) -> Result<()> {
    // The payment comes first, because its message leads to a rule that has an answer at all.
    no_income(rules, "mixed bid")?;
    if rules.bids == BidKind::Real {
        return Err(clash(
            FieldValue::Bids(BidKind::Real),
            BOTH_PAY,
            "optimal mixed bids are computed for whole chips: with real bids there are infinitely many to mix",
            FieldValue::Bids(BidKind::Discrete),
        ));
    }
    if rules.ties == TieBreak::Nobody && rules.pay != Payment::AllPayBank {
        return Err(clash(
            FieldValue::Ties(rules.ties),
            BOTH_PAY,
            "where both pay each other, equal bids that move nobody change nothing at all",
            FieldValue::Pay(Payment::AllPayBank),
        ));
    }
    if rules.minimum_bid != MinimumBid::default() && rules.ties != TieBreak::Nobody {
        return Err(clash(
            FieldValue::MinimumBid(rules.minimum_bid),
            BOTH_PAY,
            "least bids are for games in which equal bids move nobody, with `ties: nobody`",
            FieldValue::MinimumBid(MinimumBid::default()),
        ));
    }
    plain_marker(rules, what)?;
    used_credit(rules)?;
    let (solver, why) = match rules.solver {
        Solver::StrategyImprovement | Solver::PathSlopes | Solver::TwoMoves => (
            rules.solver,
            "it finds Richman values, where nobody mixes bids",
        ),
        Solver::Search => (
            rules.solver,
            "a search decides outcomes and thresholds where only the winner pays",
        ),
        Solver::Toeplitz if rules.pay == Payment::AllPayBank => {
            return Err(Diagnostic::new(
                Code::RulesClash,
                "`solver: toeplitz` does not apply under `pay: all_pay_bank`",
            )
            .note("there the result of a turn depends on more than the difference of the bids, so there are no Toeplitz systems")
            .help("write `solver: auto`")
            .into());
        }
        Solver::Auto
        | Solver::Acyclic
        | Solver::Iteration
        | Solver::Exact
        | Solver::Toeplitz
        | Solver::LinearProgram => {
            return Ok(());
        }
    };
    Err(clash(
        FieldValue::Solver(solver),
        BOTH_PAY,
        why,
        FieldValue::Solver(Solver::Auto),
    ))
}

/// Accepts the rules under which sure wins can be found.
///
/// # Errors
/// Returns E0602 or E0603 under any other rules, E0603 among them if nobody wins tied bids.
pub fn sure_wins(rules: &Rules) -> Result<()> {
    if !rules.pay.is_all_pay() {
        return Err(single_payer(
            &rules.pay,
            "sure wins",
            "`f(G, bob: b)` is the number of chips that wins against b chips of Bob's",
        ));
    }
    both_pay(rules, "sure wins")?;
    if rules.ties != TieBreak::Nobody {
        return Ok(());
    }
    Err(unsupported("sure wins", &FieldValue::Ties(rules.ties))
        .help("ask for single budgets: `v(G, a, b)` is 1 where Alice wins for sure")
        .into())
}

fn single_payer(pay: &Payment, asked: &str, why: &str) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Pay(pay.clone()).words();
    let message = format!("under `{name}: {value}` there are no {asked} to ask for");
    Diagnostic::new(Code::RulesClash, message)
        .note(format!("only the winner pays there, and {why}"))
        .help("write `using menz`, or `using { pay: all_pay, ties: richer, draws: half }`")
        .into()
}

/// The rules that a clause clashes with, as the end of a sentence.
const BOTH_PAY: &str = "where both players pay their bids";

fn clash(field: FieldValue, with: &str, why: &str, instead: FieldValue) -> Box<Diagnostic> {
    let ((name, value), (name_instead, value_instead)) = (field.words(), instead.words());
    Diagnostic::new(
        Code::RulesClash,
        format!("`{name}: {value}` does not apply {with}"),
    )
    .note(why)
    .help(format!("write `{name_instead}: {value_instead}`"))
    .into()
}

/// Accepts the rules of the structure theorems of Menz, Wang & Xie: both players pay each other,
/// and one player wins the ties of a turn whatever happened before.
///
/// # Errors
/// Returns E0602 otherwise, naming the clause.
pub fn lengths(rules: &Rules) -> Result<()> {
    mixed_bids(rules)?;
    if rules.pay == Payment::AllPayBank {
        return Err(clash(
            FieldValue::Pay(Payment::AllPayBank),
            "to precision and lengths",
            "precision and lengths are about rules under which only the difference of the bids matters",
            FieldValue::Pay(Payment::AllPay),
        ));
    }
    match rules.ties {
        TieBreak::Richer | TieBreak::LadiesFirst | TieBreak::GentlemenFirst => Ok(()),
        TieBreak::Advantage
        | TieBreak::Marker
        | TieBreak::MakeItTakeIt
        | TieBreak::LosersBall
        | TieBreak::Coin
        | TieBreak::Nobody
        | TieBreak::Attached => Err(no_advantage(rules.ties)),
    }
}

fn no_advantage(ties: TieBreak) -> Box<Diagnostic> {
    let why = match ties {
        TieBreak::Coin | TieBreak::Nobody => "nobody wins ties for sure",
        TieBreak::Advantage | TieBreak::Marker | TieBreak::Attached => {
            "winning a tie costs the advantage, so it is not like winning by a chip"
        }
        TieBreak::MakeItTakeIt | TieBreak::LosersBall => {
            "the next ties depend on who wins this bid"
        }
        TieBreak::LadiesFirst | TieBreak::GentlemenFirst | TieBreak::Richer => {
            "one player wins ties"
        }
    };
    let (name, value) = FieldValue::Ties(ties).words();
    Diagnostic::new(
        Code::RulesClash,
        format!("under `{name}: {value}` precision and lengths have no meaning"),
    )
    .note(format!(
        "they are defined by the player who has the advantage on ties, and under this rule {why}"
    ))
    .help(
        "write `ties: richer`, as in the paper, or `ties: ladies_first` or `ties: gentlemen_first`",
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIES: [TieBreak; 5] = [
        TieBreak::Advantage,
        TieBreak::Marker,
        TieBreak::MakeItTakeIt,
        TieBreak::LosersBall,
        TieBreak::Coin,
    ];

    fn paid_by_both(pay: Payment) -> Rules {
        Rules {
            pay,
            ..Rules::default()
        }
    }

    fn text(error: &Diagnostic) -> String {
        format!(
            "{} | {} | {}",
            error.message,
            error.notes.join(" "),
            error.help.clone().unwrap_or_default()
        )
    }

    #[test]
    fn every_tie_rule_and_both_payments_are_admitted() {
        for pay in [Payment::AllPay, Payment::AllPayBank] {
            for ties in TIES {
                let rules = Rules {
                    ties,
                    ..paid_by_both(pay.clone())
                };
                assert_eq!(mixed_bids(&rules), Ok(()));
            }
        }
    }

    #[test]
    fn clashes_name_the_clause_and_the_remedy() {
        let all_pay = || paid_by_both(Payment::AllPay);
        let cases = [
            (Rules::default(), "`pay: richman`", "`using menz`"),
            (
                Rules {
                    bids: BidKind::Real,
                    ..all_pay()
                },
                "`bids: real`",
                "`bids: discrete`",
            ),
            (
                Rules {
                    solver: Solver::StrategyImprovement,
                    ..all_pay()
                },
                "`solver: strategy_improvement`",
                "`solver: auto`",
            ),
            (
                Rules {
                    solver: Solver::Toeplitz,
                    ..paid_by_both(Payment::AllPayBank)
                },
                "`solver: toeplitz`",
                "`solver: auto`",
            ),
        ];
        for (rules, clause, remedy) in cases {
            let error = mixed_bids(&rules).expect_err("these rules are refused");
            assert_eq!(error.code, Code::RulesClash);
            assert!(
                text(&error).contains(clause) && text(&error).contains(remedy),
                "{}",
                text(&error)
            );
        }
    }

    #[test]
    fn lengths_need_a_player_with_the_advantage() {
        let refused = |rules: Rules| text(&lengths(&rules).expect_err("refused"));
        for ties in TIES {
            let text = refused(Rules {
                ties,
                ..paid_by_both(Payment::AllPay)
            });
            let name = FieldValue::Ties(ties).words().1;
            assert!(
                text.contains(&name) && text.contains("`ties: richer`"),
                "{text}"
            );
        }
        let text = refused(paid_by_both(Payment::AllPayBank));
        assert!(text.contains("`pay: all_pay_bank`"), "{text}");
    }
}
