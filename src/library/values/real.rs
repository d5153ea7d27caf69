//! Queries about real-valued bidding: critical thresholds under every payment by the winner, and
//! bids of any amount.

use std::cmp::Ordering;
use std::rc::Rc;

use num_rational::BigRational;
use num_traits::Signed;

use crate::ask::About;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, Placed, graphs, type_error};
use crate::game::{Explored, Goals, NodeId};
use crate::ir::{Kinds, Operand, Parameter, Value};
use crate::library::GAME;
use crate::library::asks;
use crate::library::play::strategy::ply_to;
use crate::player::{GameId, Player};
use crate::report::{Report, ReportedAdvice, ReportedDecision, ReportedPromise, Strategy, fact};
use crate::rules::{Draws, Objective, Payment, Rules, admit};
use crate::scalar::Scalar;
use crate::solve::law::decision::WinnerChoice;
use crate::solve::objective::{self, AllPayTerms, Guarantee, all_pay_payoff};
use crate::solve::onward::Onward;
use crate::solve::richman::taxman::{Money, PlayerAim, Share, Shares};
use crate::source::Span;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "thresholds"(GAME) -> Kinds::ANSWER, Some(asks::shares), thresholds,
        { income: true, endless: true }
        "Both critical thresholds of G under real-valued bidding, as Alice's share of the money: above the \
         first she wins, above the second she does not lose. They differ where a player can force a draw or \
         endless play.",
        "thresholds({ A | Draw })" => "to win       1/2\nnot to lose  0";
    "payoff"(&[
        Parameter::new("G", Kinds::GAME),
        Parameter::new("a", Kinds::NUMBER),
        Parameter::new("b", Kinds::NUMBER),
    ]) -> Kinds::NUMBER, Some(graphs), payoff,
        { endless: true, required: 1, named: &[Parameter::new("sure", Kinds::BOOL)] }
        "Alice's mean payoff per move in an endless game, by the weights on its positions and edges \
         (`weight 1: x`, `both x -> y weight 1`), when she has a and Bob has b. Random turns give \
         the same mean: under Richman bidding with a fair coin, whatever the players have; under \
         `pay: poorman` with a coin that falls for Alice with probability a/(a + b). Where both pay, \
         the mean is what mixed bids get with probability 1; `sure: true` asks for the mean that \
         unmixed bids get for sure. The share with which the mean is positive is `R(G) using { \
         objective: mean_payoff }`.",
        "payoff(graph { start x; both x -> x, y; both y -> y, x; weight 1: x }, 2, 1) using { pay: poorman }" => "2/3";
};

fn payoff(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let rules = Rules {
        objective: Objective::MeanPayoff,
        ..evaluator.rules()
    };
    admit::no_endless_income(&rules).placed(call.span)?;
    let share = match call.arguments.len() {
        3 => amounts(call)?.share(),
        _ => None,
    };
    // Budgets that are both 0 have no ratio, which matters wherever the bank gets a part.
    let is_independent = matches!(rules.pay, Payment::Richman | Payment::AllPay);
    if call.arguments.len() == 3 && share.is_none() && !is_independent {
        return Err(objective::no_coin());
    }
    let guarantee = match call.flag("sure") {
        Some(true) => Guarantee::Sure,
        _ => Guarantee::AlmostSure,
    };
    let coin = match rules.pay.is_all_pay() {
        true => None,
        false => Some(objective::coin(&rules.pay, share.as_ref())?),
    };
    let context = evaluator.context;
    let place = evaluator.ask().locate_marked(game, Objective::MeanPayoff)?;
    let Some(goals @ Goals::Weights(weights)) = place.solved.goals(&rules) else {
        unreachable!("the marks of a mean payoff are weights")
    };
    let Some(coin) = coin else {
        let terms = AllPayTerms {
            pay: &rules.pay,
            share: share.as_ref(),
            guarantee,
        };
        let endless = place.solved.endless(goals);
        return all_pay_payoff(&endless, weights, place.node, &terms, context).map(Value::rational);
    };
    objective::payoff(
        &place.solved.endless(goals),
        weights,
        place.node,
        &rules,
        coin,
        context,
    )
    .map(Value::rational)
}

fn thresholds(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let (mut facts, mut values) = (Vec::new(), Vec::new());
    // A draw that counts for a player is as good as a win, so both thresholds are one question.
    for (name, draws) in [("to win", Draws::Bob), ("not to lose", Draws::Alice)] {
        let rules = Rules {
            draws,
            ..evaluator.rules()
        };
        let share = evaluator.ask().about(game, About::Share, &rules);
        let share: Share = share.placed(call.span)?;
        facts.push(fact(name, Scalar::from(&share)));
        values.push(value(&share));
    }
    Ok(Value::answer_row(Report::Record(facts), values))
}

/// Converts a threshold to a value: a number, or the pair of its bounds.
fn value(share: &Share) -> Value {
    match share.value() {
        Some(value) => Value::rational(value.clone()),
        None => Value::enclosed([share.low.clone(), share.high.clone()], Scalar::from(share)),
    }
}

/// Returns the critical threshold of a game under the rules in force.
pub(crate) fn critical(evaluator: &mut Evaluator<'_>, game: GameId) -> Result<Value> {
    let rules = evaluator.rules();
    Ok(value(&evaluator.ask().about(game, About::Share, &rules)?))
}

/// Computes the thresholds of all positions of a game if a draw counts as `draws`.
fn shares(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    draws: Draws,
    span: Span,
) -> Result<(Rc<Shares>, Rc<Explored>, NodeId)> {
    let rules = Rules {
        draws,
        ..evaluator.rules()
    };
    let context = evaluator.context;
    let place = evaluator.ask().locate_marked(game, rules.objective)?;
    let shares = place.solved.shares(&rules, context).placed(span)?;
    shares.covers(place.node).placed(span)?;
    Ok((shares, Rc::clone(&place.solved.explored), place.node))
}

/// The goals that both players' money is enough for.
pub(crate) struct Promised {
    /// The player who can win, or both players if they can avoid losing, with the thresholds by
    /// which they do so.
    pub(crate) goals: Vec<(Player, ReportedPromise, Rc<Shares>)>,
    pub(crate) explored: Rc<Explored>,
    pub(crate) node: NodeId,
}

/// Reads the players' money in a question `…(G, a, b)`.
pub(crate) fn money(call: &Call<'_>) -> Result<Money> {
    let money = amounts(call)?;
    if money.share().is_some() {
        return Ok(money);
    }
    Err(Diagnostic::new(Code::BadChips, "nobody has any money")
        .label(call.span, "nothing to bid with")
        .into())
}

/// Finds the goals that each player's money is enough for.
pub(crate) fn promised(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    money: &Money,
    span: Span,
) -> Result<Promised> {
    let share = money.share().expect("there is some money");
    let (to_win, explored, node) = shares(evaluator, game, Draws::Bob, span)?;
    let (not_to_lose, ..) = shares(evaluator, game, Draws::Alice, span)?;
    // The thresholds are checked first, since their errors say more about the game.
    if let Some(income) = evaluator.rules().income_words()
        && !explored.graph.is_acyclic()
    {
        return Err(endless_income(&income.under, span));
    }
    let standing = |shares: &Shares| shares.standing(&explored.graph, node, &share);
    let goals = match (standing(&to_win), standing(&not_to_lose)) {
        (Some(Ordering::Greater), _) => vec![(Player::Alice, ReportedPromise::Win, to_win)],
        (_, Some(Ordering::Less)) => vec![(Player::Bob, ReportedPromise::Win, not_to_lose)],
        // Between the thresholds each player can keep the other from winning.
        (Some(Ordering::Less), Some(Ordering::Greater)) => {
            vec![
                (Player::Alice, ReportedPromise::NoLoss, not_to_lose),
                (Player::Bob, ReportedPromise::NoLoss, to_win),
            ]
        }
        (None | Some(_), None | Some(_)) => return Err(on_the_threshold(&share, span)),
    };
    Ok(Promised {
        goals,
        explored,
        node,
    })
}

/// Returns the aim of a player to whom this is promised.
pub(crate) fn aim(promise: &ReportedPromise) -> PlayerAim {
    match promise {
        ReportedPromise::Win => PlayerAim::Win,
        _ => PlayerAim::NoLoss,
    }
}

/// Evaluates `strategy(G, a, b)` if any amount may be bid.
pub(crate) fn strategy(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
) -> Result<Value> {
    let money = money(call)?;
    let Promised {
        goals,
        explored,
        node,
    } = promised(evaluator, game, &money, call.span)?;
    let mut advice = Vec::new();
    let winner = evaluator.rules().winner;
    for (player, promise, shares) in &goals {
        let mut given = ReportedAdvice::new(*player, promise.clone());
        let onward = Onward::new(
            &explored.graph,
            shares,
            *player,
            aim(promise),
            winner,
            evaluator.context,
        )?;
        if let Some(owner) = explored.graph.owner(node) {
            given.decision = Some(match onward.best(node) {
                Some(head) => {
                    ReportedDecision::Move(ply_to(evaluator, head, game, *player, &explored)?)
                }
                None => ReportedDecision::LetMove(owner),
            });
        } else if explored.graph.ending(node).is_none() {
            let Some(bid) = onward.bid(node, &money) else {
                return Err(on_the_threshold(
                    &money.share().unwrap_or_default(),
                    call.span,
                ));
            };
            given.bid = Some(bid);
            given.decision = Some(match onward.step(node) {
                Some(WinnerChoice::Move(head)) => {
                    ReportedDecision::Move(ply_to(evaluator, head, game, *player, &explored)?)
                }
                Some(WinnerChoice::LetMove) | None => ReportedDecision::LetMove(player.other()),
            });
            if let (Some(WinnerChoice::LetMove), Some(head)) =
                (onward.step(node), onward.best(node))
            {
                given.forced = Some(ply_to(evaluator, head, game, *player, &explored)?);
            }
        }
        advice.push(given);
    }
    Ok(Value::answer(Report::Strategy(Strategy { advice })))
}

fn amounts(call: &Call<'_>) -> Result<Money> {
    let amount = |argument: usize| amount(call.arguments[argument].as_ref());
    Ok(Money {
        alice: amount(1)?,
        bob: amount(2)?,
    })
}

fn amount(Operand { value, span }: Operand<&Value>) -> Result<BigRational> {
    let Some(amount) = value.as_rational() else {
        return Err(match value {
            Value::Chips(_) => Diagnostic::new(
                Code::BadChips,
                "there is no star where any amount may be bid",
            )
            .label(span, "money has no tie status")
            .help("leave out the `*`")
            .into(),
            other => type_error(span, Kinds::NUMBER, other),
        });
    };
    if amount.is_negative() {
        return Err(
            Diagnostic::new(Code::BadChips, "an amount of money is not negative")
                .label(span, "negative")
                .into(),
        );
    }
    Ok(amount)
}

fn endless_income(under: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::unsupported(format!("play with money in a game with cycles, {under}"))
        .label(span, "asked for here")
        .note("the income takes from a player's advantage with every bid, so on a cycle there may be no winning bids that depend on the position alone")
        .help("ask about the truncated game, `G[n]`: a strategy that wins there wins within n moves")
        .into()
}

fn on_the_threshold(share: &BigRational, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadChips,
        format!("Alice's share, {share}, is on the threshold, or too near to it to tell"),
    )
    .label(span, "asks for a bid")
    .note(
        "exactly on the threshold the rule for ties decides, and real-valued bidding says nothing",
    )
    .help("give either player a little more, or narrow the bounds: `precision: 1e-30`")
    .into()
}
