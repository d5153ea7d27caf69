//! `sure`: the least budget with which Alice wins for certain.

use std::rc::Rc;

use num_bigint::BigInt;

use super::value::table;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::print::NEVER;
use crate::eval::{Call, Evaluator, Placed, elements, type_error};
use crate::ir::{Kinds, Operand, Value};
use crate::library::arguments::{counts, is_list};
use crate::player::{GameId, Player};
use crate::report::Row;
use crate::rules::admit;
use crate::rules::{ChipMark, Chips};
use crate::scalar::Scalar;
use crate::solve::all_pay::SureWins;
use crate::source::Span;
use crate::watch::watched;

pub(crate) fn sure(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let Operand { value, span } = &call.arguments[1];
    let answer = |least: Option<Chips>| least.map_or_else(|| Value::Never, Value::chips);
    if !is_list(value) {
        let mut found = sure_wins(
            evaluator,
            game,
            std::slice::from_ref(value),
            *span,
            call.span,
        )?;
        return Ok(answer(found.pop().expect("as many answers as budgets")));
    }
    let columns = elements(value, *span)?;
    let found = sure_wins(evaluator, game, &columns, *span, call.span)?;
    let scalar = |least: &Option<Chips>| match least {
        Some(chips) if chips.mark == ChipMark::None => Scalar::Integer(chips.count.clone()),
        Some(chips) => Scalar::Chips(chips.clone()),
        None => Scalar::Word(NEVER),
    };
    let row = Row {
        label: format!("sure({}, b)", call.labels[0]),
        values: found.iter().map(scalar).collect(),
    };
    Ok(table(
        "b",
        &counts(&columns, *span)?,
        vec![row],
        found.into_iter().map(answer).collect(),
    ))
}

/// Computes Alice's least budget for each of these budgets of Bob's; `None` if none suffices.
fn sure_wins(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    budgets: &[Value],
    span: Span,
    asked: Span,
) -> Result<Vec<Option<Chips>>> {
    let rules = evaluator.rules();
    admit::sure_wins(&rules).placed(asked)?;
    let has_status = rules.ties.has_status();
    let bob = watched(budgets, evaluator.context)
        .map(|budget| bobs_budget(budget?, has_status, span))
        .collect::<Result<Vec<_>>>()?;
    let found = least_for_sure(evaluator, game, &bob).placed(asked)?;
    let marked = |(least, (_, holder)): (Option<u64>, &(u64, Option<Player>))| {
        // The holder is given by Bob's budget, so the answer shows who is left with it.
        let mark = if *holder == Some(Player::Alice) {
            ChipMark::Star
        } else {
            ChipMark::None
        };
        least.map(|least| Chips::new(BigInt::from(least), mark))
    };
    Ok(found.into_iter().zip(&bob).map(marked).collect())
}

/// Computes Alice's least chips for each budget of Bob's and holder of the tie status, under rules
/// that have been admitted.
pub(crate) fn least_for_sure(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    bob: &[(u64, Option<Player>)],
) -> Result<Vec<Option<u64>>> {
    let rules = evaluator.rules();
    let context = evaluator.context;
    let place = evaluator.ask().locate(game)?;
    place.solved.needs_wins()?;
    let (explored, node) = (Rc::clone(&place.solved.explored), place.node);
    // One table up to the greatest budget answers all of them.
    let most = bob.iter().map(|(chips, _)| *chips).max().unwrap_or(0);
    let mut wins = SureWins::new(&explored.graph, &rules, node, most, context);
    watched(bob, context)
        .map(|budget| {
            let (chips, holder) = budget?;
            wins.least(*chips, *holder)
        })
        .collect()
}

/// Returns the number of Bob's chips, and the holder of the tie status, if there is one.
fn bobs_budget(budget: &Value, has_status: bool, span: Span) -> Result<(u64, Option<Player>)> {
    let Some(chips) = budget.as_chips() else {
        return Err(type_error(span, Kinds::HOLDING, budget));
    };
    let count = crate::rules::admit::total(&chips.count).placed(span)?;
    let bob_holds = chips.mark == ChipMark::Star;
    if has_status {
        return Ok((
            count,
            Some(if bob_holds {
                Player::Bob
            } else {
                Player::Alice
            }),
        ));
    }
    if !bob_holds {
        return Ok((count, None));
    }
    Err(Diagnostic::new(
        Code::BadChips,
        "there is no star under these rules for ties",
    )
    .label(span, "no such status here")
    .help("leave out the `*`: the rule alone settles who wins a tie")
    .into())
}
