//! Checks the rules of real-valued bidding, in which a share of the money decides.

use super::chips::used_credit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::Player;
use crate::rules::{Draws, FieldValue, Objective, Payment, Rules, Solver};

/// Accepts the rules of Richman bidding, and the algorithms that find its values.
///
/// # Errors
/// Returns E0603 for rules under which `R` is another number.
pub fn shares(rules: &Rules) -> Result<()> {
    payment(&rules.pay)?;
    random_turns(rules)?;
    used_credit(rules)?;
    match rules.solver {
        Solver::Auto | Solver::Acyclic | Solver::StrategyImprovement | Solver::PathSlopes | Solver::TwoMoves => Ok(()),
        Solver::Iteration => Err(Diagnostic::unsupported("`solver: iteration` where exact values are needed")
            .note("on a cycle it narrows bounds on real-valued thresholds, which no number of steps makes exact")
            .help("write `solver: auto`, or ask for bounds on the threshold, `R(G)`")
            .into()),
        Solver::Search => Err(Diagnostic::unsupported("`solver: search` for Richman values")
            .note("a search decides outcomes and thresholds in chips")
            .help("write `solver: auto`")
            .into()),
        Solver::Exact | Solver::Toeplitz | Solver::LinearProgram => {
            let (name, value) = FieldValue::Solver(rules.solver).words();
            Err(Diagnostic::unsupported(format!("`{name}: {value}` for Richman values"))
                .note("it finds the mixed bids of games where both players pay")
                .help("write `solver: auto`")
                .into())
        }
    }
}

/// Accepts rules under which thresholds of Richman bidding are those of random turns.
///
/// # Errors
/// Returns E0602 for any other rules.
pub fn random_turns(rules: &Rules) -> Result<()> {
    let Some(income) = rules.income_words() else {
        return Ok(());
    };
    Err(Diagnostic::new(Code::RulesClash, format!("random turns have no meaning {}", income.under))
        .note("money that changes hands between bids moves the threshold away from the chance that Bob wins by random turns: `P = 1 - R` does not hold")
        .help(format!("ask for the threshold, `R(G)`, or {}", income.without))
        .into())
}

fn payment(pay: &Payment) -> Result<()> {
    let (what, why) = match pay {
        Payment::Richman => return Ok(()),
        Payment::Poorman => (
            "poorman bidding",
            "where bids are paid to the bank, its threshold is another number",
        ),
        Payment::Taxman(_) => (
            "taxman bidding",
            "where part of a bid goes to the bank, its threshold is another number",
        ),
        Payment::AllPay | Payment::AllPayBank => {
            let refused = Diagnostic::unsupported(
                "thresholds in money have no meaning where both players pay",
            );
            return Err(refused
                .note("optimal play then mixes bids, and no share of the money decides the game")
                .help("write `using { pay: richman }`")
                .into());
        }
    };
    Err(
        Diagnostic::unsupported(format!("the real-valued threshold of {what}"))
            .note(format!("{why}, and the program does not compute it yet"))
            .help("write `using { pay: richman }`")
            .into(),
    )
}

/// Accepts the rules of bidding in which a part of the winning bid goes to the bank, all or nothing
/// of it included. Returns the player who wins draws.
///
/// # Errors
/// Returns E0602 for any other rules.
pub fn taxed_shares(rules: &Rules) -> Result<Player> {
    let refused = |message: String, help: &str| {
        Err(Diagnostic::new(Code::RulesClash, message).help(help).into())
    };
    if rules.pay.is_all_pay() {
        return refused(
            "thresholds in money have no meaning where both players pay".to_owned(),
            "write `using { pay: poorman }`",
        );
    }
    used_credit(rules)?;
    let draws = match rules.draws {
        Draws::Neither | Draws::Bob => Player::Bob,
        Draws::Alice => Player::Alice,
        Draws::Half => {
            let (name, value) = FieldValue::Pay(rules.pay.clone()).words();
            let income = rules.income_words().map(|income| income.under);
            let under = income.unwrap_or_else(|| format!("under `{name}: {value}`"));
            return refused(
                format!(
                    "half a win has no threshold {under}: a share of the money wins, or does not lose, or neither"
                ),
                "write `draws: bob` for the share that wins, `draws: alice` for the one that does not lose; `thresholds(G)` gives both",
            );
        }
    };
    if let Some(income) = rules.income_words()
        && rules.solver != Solver::Auto
    {
        let (name, value) = FieldValue::Solver(rules.solver).words();
        return refused(
            format!(
                "`{name}: {value}` does not find thresholds {}",
                income.under
            ),
            "write `solver: auto`",
        );
    }
    match rules.solver {
        Solver::Auto | Solver::StrategyImprovement | Solver::Iteration => Ok(draws),
        Solver::Acyclic
        | Solver::PathSlopes
        | Solver::TwoMoves
        | Solver::Exact
        | Solver::Toeplitz
        | Solver::LinearProgram
        | Solver::Search => {
            let (name, value) = FieldValue::Solver(rules.solver).words();
            refused(
                format!("`{name}: {value}` does not find thresholds of poorman and taxman bidding"),
                "write `solver: auto`",
            )
        }
    }
}

/// Accepts the rules of infinite play.
///
/// # Errors
/// Returns E0602 if a draw counts as half a win, and E0603 with income.
pub fn endless(rules: &Rules) -> Result<()> {
    no_endless_income(rules)?;
    if rules.objective == Objective::Energy {
        let (name, value) = FieldValue::Objective(rules.objective).words();
        return Err(Diagnostic::unsupported(format!("real-valued bidding and random turns under `{name}: {value}`"))
            .note("the threshold depends on the sum that is left, and is the chance of ruin of an unbounded walk, which is not a fraction in general")
            .help("ask with chips, `f(G, k)` or `G(a*, b)`; `objective: mean_payoff` with `draws: alice` asks whether Alice can keep the sum above some number for ever")
            .into());
    }
    if rules.draws != Draws::Half {
        return Ok(());
    }
    Err(Diagnostic::new(Code::RulesClash, "half a win has no meaning for an objective of infinite play")
        .note("with more than the threshold Alice reaches her goal, with less Bob prevents it; play that goes on for ever is not a draw")
        .help("write `draws: bob` or `draws: alice`")
        .into())
}

/// Accepts rules under which play can go on for ever without income.
///
/// # Errors
/// Returns E0603 if players may receive income before a bid.
pub fn no_endless_income(rules: &Rules) -> Result<()> {
    let Some(income) = rules.income_words() else {
        return Ok(());
    };
    Err(Diagnostic::unsupported(format!("objectives of infinite play {}", income.under))
    .note("where play goes round for ever the income never ends, and the theories of bidding without income do not give the thresholds")
    .help(format!("write `objective: reachability`, or {}", income.without))
    .into())
}
