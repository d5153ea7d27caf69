//! Checks the rules of play with whole chips in which single bids are optimal.

use super::unsupported;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::rules::{
    BidKind, Credit, Draws, FieldValue, MinimumBid, Objective, Payment, Rules, Solver, TieBreak,
    Winner,
};

/// A question about play with whole chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChipsQuestion {
    /// The least number of chips with which a player wins.
    Threshold,
    /// The winner with these chips.
    Outcome,
    /// The optimal bid with these chips.
    Bid,
    /// The score that a player can guarantee.
    Score,
}

impl ChipsQuestion {
    /// Returns the name of the answer, singular and plural, for messages.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Threshold => ("threshold in chips", "thresholds in chips"),
            Self::Outcome => ("outcome in chips", "outcomes in chips"),
            Self::Bid => ("optimal bid in chips", "optimal bids in chips"),
            Self::Score => ("score", "scores"),
        }
    }

    /// Explains the relation of the question to real bids.
    fn of_real_bids(self) -> &'static str {
        match self {
            Self::Threshold | Self::Outcome | Self::Bid => {
                "thresholds in chips, and play with chips, are about `bids: discrete`; for real bids ask for `R`"
            }
            Self::Score => "scores are about budgets in whole chips, `bids: discrete`",
        }
    }
}

/// Accepts the rules under which the question is meaningful and a method for it is known.
///
/// # Errors
/// Returns E0602 if the rules give the question no meaning, E0603 if they need another method.
/// Either names the two clauses that are incompatible and the nearest combination that has an
/// answer.
pub fn chips(rules: &Rules, asked: ChipsQuestion) -> Result<()> {
    if let Some(refusal) = unsupported_payment(&rules.pay, asked) {
        return Err(Box::new(refusal));
    }
    no_income(rules, asked.words().0)?;
    let clash = |field: FieldValue, why: &str, instead: FieldValue| {
        let (name, value) = field.words();
        let (name_instead, value_instead) = instead.words();
        Err(Box::new(
            Diagnostic::new(
                Code::RulesClash,
                format!("under `{name}: {value}` no {} is defined", asked.words().0),
            )
            .note(why)
            .help(format!(
                "the nearest rules that have one say `{name_instead}: {value_instead}`"
            )),
        ))
    };
    if rules.bids == BidKind::Real {
        return clash(
            FieldValue::Bids(rules.bids),
            asked.of_real_bids(),
            FieldValue::Bids(BidKind::Discrete),
        );
    }
    if rules.ties == TieBreak::Coin {
        if asked == ChipsQuestion::Score {
            return Err(Box::new(unsupported("scores", &FieldValue::Ties(rules.ties))
                .note("scores are computed where the rules and the bids say who wins a tie; with a coin a score would be a mean")
                .help("`ties: advantage` and `ties: marker` have scores")));
        }
        return clash(
            FieldValue::Ties(rules.ties),
            "with `bids: discrete` bids are often tied, and no number of chips makes a coin fall the right way",
            FieldValue::Ties(TieBreak::Advantage),
        );
    }
    if rules.ties == TieBreak::Nobody {
        return Err(stands_still(asked));
    }
    if rules.ties == TieBreak::Attached && asked == ChipsQuestion::Score {
        return clash(
            FieldValue::Ties(rules.ties),
            "scores are not computed for a marker that its holder may attach to a bid",
            FieldValue::Ties(TieBreak::Marker),
        );
    }
    if rules.minimum_bid != MinimumBid::default() {
        return clash(
            FieldValue::MinimumBid(rules.minimum_bid),
            "where only the winner pays, thresholds are computed for bids from 0 on; least bids are for `pay: all_pay_bank` with `ties: nobody`",
            FieldValue::MinimumBid(MinimumBid::default()),
        );
    }
    if rules.draws == Draws::Half && asked != ChipsQuestion::Score {
        return clash(
            FieldValue::Draws(rules.draws),
            "a threshold is the least number of chips with which a player forces a win, and half a win is neither forced nor missed",
            FieldValue::Draws(Draws::Neither),
        );
    }
    if rules.objective != Objective::Reachability {
        let objective = FieldValue::Objective(rules.objective);
        let instead = FieldValue::Objective(Objective::Reachability);
        if asked == ChipsQuestion::Score {
            let why =
                "scores are added up until the game ends, so they give play without end no value";
            return clash(objective, why, instead);
        }
        if rules.solver == Solver::Search {
            let why = "`solver: search` looks ahead to endings, and play without end has none";
            return clash(objective, why, instead);
        }
    }
    used_credit(rules)?;
    let why = match rules.solver {
        Solver::Auto | Solver::Acyclic | Solver::Iteration => return Ok(()),
        Solver::Search => match asked {
            ChipsQuestion::Threshold | ChipsQuestion::Outcome | ChipsQuestion::Bid => return Ok(()),
            ChipsQuestion::Score => "a search decides who wins, and finds no scores",
        },
        Solver::StrategyImprovement | Solver::PathSlopes | Solver::TwoMoves => {
            "it finds Richman values, with `bids: real`; with `bids: discrete` the methods are `acyclic` and `iteration`"
        }
        Solver::Exact | Solver::Toeplitz | Solver::LinearProgram => {
            "it finds mixed bids, for `pay: all_pay`; where the winner pays, the methods are `acyclic` and `iteration`"
        }
    };
    clash(
        FieldValue::Solver(rules.solver),
        why,
        FieldValue::Solver(Solver::Auto),
    )
}

/// Builds the error that explains why games in which equal bids move nobody have no thresholds
/// here.
fn stands_still(asked: ChipsQuestion) -> Box<Diagnostic> {
    let many = asked.words().1;
    Diagnostic::new(
        Code::NotSupported,
        format!("{many} under `ties: nobody` are not supported, because where only the winner pays, equal bids change nothing"),
    )
    .help("write `pay: all_pay_bank`, where bids that nobody wins are paid as well, and ask for `v(G, a, b)`")
    .into()
}

/// Accepts the rules for ties under which the chips and the tie status after a bid follow from both
/// bids and their winner.
///
/// # Errors
/// Returns E0603 under `attached`, because there the holder of the marker also decides whether it
/// accompanies the bid.
pub fn plain_marker(rules: &Rules, what: &str) -> Result<()> {
    if rules.ties != TieBreak::Attached {
        return Ok(());
    }
    let nearest = format!("`ties: marker` is the nearest rule with {what}");
    let refusal = unsupported(what, &FieldValue::Ties(rules.ties))
        .note("every bid would have to say whether the marker is attached to it");
    Err(match rules.pay {
        Payment::Richman => refusal.help(format!(
            "ask who wins, `G(a*, b)`, or for thresholds, `f(G, k)`; {nearest}"
        )),
        _ => refusal.help(nearest),
    }
    .into())
}

/// Accepts rules whose credit has a meaning.
///
/// # Errors
/// Returns E0602 if the rules give a credit without the objective that uses it.
pub(super) fn used_credit(rules: &Rules) -> Result<()> {
    if rules.objective == Objective::Energy || rules.energy == Credit::default() {
        return Ok(());
    }
    let (name, value) = FieldValue::Energy(rules.energy.clone()).words();
    let (objective, other) = FieldValue::Objective(rules.objective).words();
    Err(Diagnostic::new(
        Code::RulesClash,
        format!("`{name}: {value}` has no meaning under `{objective}: {other}`"),
    )
    .note("it is the sum of weights that Alice starts with when she must keep the sum from falling below 0")
    .help("add `objective: energy`, or leave out `energy`")
    .into())
}

/// Accepts the objectives under which the value of a position does not depend on the weights of the
/// moves that led to it.
///
/// # Errors
/// Returns E0603 under the energy objective.
pub fn valued_moves(rules: &Rules) -> Result<()> {
    if rules.objective != Objective::Energy {
        return Ok(());
    }
    Err(unsupported(
        "the values of moves",
        &FieldValue::Objective(rules.objective),
    )
    .note("the sum changes with the weight of a move, so the position after it has another credit")
    .help(
        "ask about the position after a move with that credit, `f(G at x, k) using { energy: c }`",
    )
    .into())
}

/// Accepts rules without income, because parts of the money are not whole chips.
///
/// # Errors
/// Returns E0602 with income. `asked` names the quantity that it leaves undefined.
pub(super) fn no_income(rules: &Rules, asked: &str) -> Result<()> {
    let Some(income) = rules.income_words() else {
        return Ok(());
    };
    Err(Diagnostic::new(
        Code::RulesClash,
        format!("{} no {asked} is defined", income.under),
    )
    .note("a part of the money need not be a whole number of chips: income and Robin Hood are about money")
    .help("ask for the threshold of real-valued bidding, `R(G)`; with money write `bids: real`")
    .into())
}

fn unsupported_payment(pay: &Payment, asked: ChipsQuestion) -> Option<Diagnostic> {
    let many = asked.words().1;
    let why = match pay {
        Payment::Richman => return None,
        Payment::Poorman | Payment::Taxman(_) => {
            "because the bank takes every bid or a part of it, so the total of chips changes from move to move"
        }
        Payment::AllPay | Payment::AllPayBank => {
            "because both players pay, and then in general only mixed bids are optimal"
        }
    };
    let (name, value) = FieldValue::Pay(pay.clone()).words();
    Some(Diagnostic::new(Code::NotSupported, format!("{many} under `{name}: {value}` are not supported, {why}")).help(
        match (pay, asked) {
            (Payment::Poorman | Payment::Taxman(_), ChipsQuestion::Bid) => {
                "with money there are optimal bids: `moves(G)`, and `strategy(G, a, b) using { bids: real }`; `f(G, bob: b)` says how many chips win against Bob's".to_owned()
            }
            (Payment::AllPay | Payment::AllPayBank, ChipsQuestion::Bid) => {
                "ask how to mix bids: `nash(G, a, b)`".to_owned()
            }
            (Payment::Poorman | Payment::Taxman(_), ChipsQuestion::Threshold | ChipsQuestion::Outcome) => {
                "ask against a budget of Bob's: `f(G, bob: 0..n)`; `pay: richman` has thresholds for a total".to_owned()
            }
            (_, ChipsQuestion::Score) => {
                "`pay: richman` has scores, with every rule for ties but `coin`, `nobody` and `attached`".to_owned()
            }
            _ => format!("`pay: richman` has {many}, with every rule for ties but `coin` and `nobody`"),
        },
    ))
}

/// Accepts rules under which there are thresholds against a budget.
///
/// # Errors
/// Returns E0602 or E0603 under any other rules.
pub fn against(rules: &Rules) -> Result<()> {
    if rules.ties == TieBreak::Richer && rules.winner == Winner::Moves {
        return Err(Diagnostic::new(
            Code::RulesClash,
            "under `ties: richer` with `winner: moves` there is no threshold against a budget",
        )
        .note("more chips can hurt: the player with more chips wins the tie and must move")
        .help("write `winner: chooses`")
        .into());
    }
    plain_marker(rules, "thresholds against a budget")?;
    if rules.objective != Objective::Reachability {
        return Err(unsupported(
            "thresholds against a budget",
            &FieldValue::Objective(rules.objective),
        )
        .note("where play goes on for ever, thresholds are computed for totals of chips")
        .help("ask for totals of both players' chips, `f(G, 0..n)`")
        .into());
    }
    // The check below refuses payments to the bank, which are admitted against a budget.
    let pay = if rules.pay.is_all_pay() {
        rules.pay.clone()
    } else {
        Payment::Richman
    };
    chips(
        &Rules {
            pay,
            ..rules.clone()
        },
        ChipsQuestion::Threshold,
    )
}

#[cfg(test)]
mod tests {
    use super::super::purses::{MOST_CHIPS, purses, total};
    use super::*;
    use crate::player::{PerPlayer, Player};
    use crate::rules::{Overrides, Purses};
    use num_bigint::BigInt;

    /// Returns the default rules with this field.
    fn with(field: FieldValue) -> Rules {
        let mut fields = Overrides::default();
        fields.set(field);
        fields.over(&Rules::default())
    }

    fn refusal(rules: &Rules) -> (Code, String) {
        let diagnostic =
            chips(rules, ChipsQuestion::Threshold).expect_err("these rules are refused");
        (
            diagnostic.code,
            format!(
                "{} | {} | {}",
                diagnostic.message,
                diagnostic.notes.join(" "),
                diagnostic.help.unwrap_or_default()
            ),
        )
    }

    #[test]
    fn every_tie_rule_but_the_coin_is_admitted() {
        for ties in TieBreak::certain() {
            for winner in [Winner::Chooses, Winner::Moves] {
                let rules = Rules {
                    ties,
                    winner,
                    ..Rules::default()
                };
                assert_eq!(chips(&rules, ChipsQuestion::Threshold), Ok(()));
            }
        }
    }

    #[test]
    fn clashes_name_both_clauses_and_the_nearest_combination() {
        let coin = FieldValue::Ties(TieBreak::Coin);
        let real = FieldValue::Bids(BidKind::Real);
        let half = FieldValue::Draws(Draws::Half);
        let improved = FieldValue::Solver(Solver::StrategyImprovement);
        for (field, other, instead) in [
            (coin, "`bids: discrete`", "`ties: advantage`"),
            (real, "`bids: discrete`", "`bids: discrete`"),
            (half, "threshold", "`draws: neither`"),
            (improved, "`bids: real`", "`solver: auto`"),
        ] {
            let (name, value) = field.words();
            let (code, text) = refusal(&with(field));
            assert_eq!(code, Code::RulesClash);
            for part in [&format!("`{name}: {value}`"), other, instead] {
                assert!(text.contains(part), "{text} does not say {part}");
            }
        }
    }

    #[test]
    fn scores_are_refused_in_their_own_words() {
        let message = |rules: Rules| {
            chips(&rules, ChipsQuestion::Score)
                .expect_err("refused")
                .message
        };
        let coin = message(with(FieldValue::Ties(TieBreak::Coin)));
        let poorman = message(with(FieldValue::Pay(Payment::Poorman)));
        assert!(
            coin.contains("scores under") && poorman.contains("scores under"),
            "{coin} | {poorman}"
        );
        assert!(
            !coin.contains("threshold") && !poorman.contains("threshold"),
            "{coin} | {poorman}"
        );
        // Scoring games have no draws, so the value of a draw does not matter.
        let half = with(FieldValue::Draws(Draws::Half));
        assert_eq!(chips(&half, ChipsQuestion::Score), Ok(()));
    }

    #[test]
    fn other_payments_say_why_not_and_what_will_serve() {
        for pay in [Payment::Poorman, Payment::AllPay, Payment::AllPayBank] {
            let pay = FieldValue::Pay(pay);
            let (code, text) = refusal(&with(pay.clone()));
            assert_eq!(code, Code::NotSupported);
            assert!(
                text.contains(&pay.words().1) && text.contains("because"),
                "{text}"
            );
            assert!(text.contains("`pay: richman`"), "{text}");
        }
    }

    #[test]
    fn purses_have_exactly_one_star_where_there_is_one() {
        let held = |status| Purses {
            chips: PerPlayer::new(4, 4),
            status,
        };
        let message = |ties, status| {
            purses(&with(FieldValue::Ties(ties)), &held(status))
                .expect_err("the star is wrong")
                .message
        };
        assert_eq!(purses(&Rules::default(), &held(Some(Player::Bob))), Ok(()));
        assert!(message(TieBreak::Advantage, None).contains("neither side has the star"));
        assert!(
            message(TieBreak::Richer, Some(Player::Alice))
                .contains("there is no star under `ties: richer`")
        );
    }

    #[test]
    fn totals_beyond_counting_are_refused() {
        assert_eq!(total(&BigInt::from(MOST_CHIPS)), Ok(MOST_CHIPS));
        let refused = |chips: BigInt| total(&chips).expect_err("refused").message;
        assert!(refused(BigInt::from(MOST_CHIPS) + 1).contains("more than can be counted"));
        assert!(refused(BigInt::from(-1)).contains("not a valid number of chips"));
    }
}
