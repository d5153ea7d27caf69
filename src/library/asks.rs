//! Returns the questions about games that builtins ask, so that they can be planned without an
//! answer.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use crate::ask::{About, Question};
use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator, graphs};
use crate::ir::{Operand, Value};
use crate::library::arguments::totals;
use crate::library::formats::plots::pairs;
use crate::library::values::bounds::depth;
use crate::player::PerPlayer;
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{BidKind, Draws, Objective, Payment, Rules};
use crate::watch::watched;

/// Returns a single question about the first argument under the rules in force.
fn about(evaluator: &mut Evaluator<'_>, call: &Call<'_>, about: About) -> Result<Vec<Question>> {
    let rules = evaluator.rules();
    Ok(vec![Question {
        game: call.game(),
        about,
        rules,
    }])
}

/// Returns the question of `R(G)`.
pub(super) fn share(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    about(evaluator, call, About::Share)
}

/// Returns the questions of `thresholds(G)`: to win, and not to lose.
pub(super) fn shares(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    let game = call.game();
    let question = |draws| Question {
        game,
        about: About::Share,
        rules: Rules {
            draws,
            ..evaluator.rules()
        },
    };
    Ok([Draws::Bob, Draws::Alice].map(question).to_vec())
}

/// Returns the question of `P(G, p)`.
pub(super) fn turns(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    about(evaluator, call, About::Turns(call.coin()?))
}

/// Returns the question of `f(G, k)` or `f(G, bob: b)`.
pub(super) fn thresholds(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    let asked = match (call.arguments.get(1), call.option("bob")) {
        (Some(Operand { value, span }), _) => {
            About::Thresholds(totals(value, *span, evaluator.context)?.into())
        }
        (None, Some(Operand { value, span })) => {
            About::Against(totals(value, span, evaluator.context)?.into())
        }
        // The call itself reports the missing argument.
        (None, None) => return Ok(Vec::new()),
    };
    about(evaluator, call, asked)
}

/// Returns the question of `outcomes(G, a, b)`.
pub(super) fn outcomes(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    let purses = pairs(evaluator, call)?;
    Ok(vec![Question {
        game: call.game(),
        about: About::Outcomes(purses.into()),
        rules: evaluator.play_rules(),
    }])
}

/// Returns the total of both players' chips if the game is won, not scored; `None` if a theory
/// takes the whole graph.
fn total(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Option<u64>> {
    if call.arguments.len() < 3 {
        return Ok(None);
    }
    let rules = evaluator.rules();
    // These theories have no thresholds for a total of chips.
    if rules.bids == BidKind::Real || rules.pay.is_all_pay() {
        return Ok(None);
    }
    if let Some((id, ..)) = evaluator.world.games.ruleset_state(call.game())
        && evaluator.world.games.ruleset(id).is_scored()
    {
        return Ok(None);
    }
    let purses = evaluator.purses(call, ChipsQuestion::Threshold)?;
    Ok(Some(purses.total()))
}

/// Returns the questions of `strategy(G, a, b)` or `play(G, a, b)`.
pub(super) fn strategies(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    let Some(total) = total(evaluator, call)? else {
        return graphs(evaluator, call);
    };
    Ok(vec![Question {
        game: call.game(),
        about: About::Strategies(total),
        rules: evaluator.play_rules(),
    }])
}

/// Returns the question of `v(G, a, b)`, `nash(G, a, b)` and others about mixed bids.
pub(super) fn mixed(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    let rules = evaluator.rules();
    admit::mixed_bids(&rules)?;
    let chips = |argument: usize| match call.arguments.get(argument) {
        Some(given) => chip_counts(&given.value),
        None => vec![0],
    };
    let (alice, bob) = (chips(1), chips(2));
    let (Some(&most_of_alice), Some(&most_of_bob)) = (alice.iter().max(), bob.iter().max()) else {
        return graphs(evaluator, call);
    };
    // The bank's budgets, and the splits of `v(G, 0..n)`, are within the greatest.
    let tables = if rules.pay == Payment::AllPayBank || call.arguments.len() == 2 {
        vec![PerPlayer::new(most_of_alice, most_of_bob)]
    } else {
        let mut totals = BTreeMap::new();
        for &alice in &alice {
            for bob in watched(bob.iter().copied(), evaluator.context) {
                let chips = PerPlayer::new(alice, bob?);
                let total = chips.alice.saturating_add(chips.bob);
                totals.entry(total).or_insert(chips);
            }
        }
        totals.into_values().collect()
    };
    about(evaluator, call, About::Mixed(tables.into()))
}

/// Returns the question of `sure(G, b)`.
pub(super) fn sure(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    admit::sure_wins(&evaluator.rules())?;
    graphs(evaluator, call)
}

/// Returns the numbers of chips in an argument.
fn chip_counts(value: &Value) -> Vec<u64> {
    let count = |value: &Value| value.as_chips()?.count.to_u64();
    match value.items() {
        Some(items) => items.iter().filter_map(count).collect(),
        None => count(value).into_iter().collect(),
    }
}

/// Returns the questions of `simulate(G)` or `simulate(G, a, b)`.
pub(super) fn simulations(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    if evaluator.rules().objective != Objective::Reachability {
        return graphs(evaluator, call);
    }
    if call.arguments.len() == 1 {
        let coin = call.coin()?.unwrap_or_default();
        return about(evaluator, call, About::PlayTurns(coin));
    }
    let Some(total) = total(evaluator, call)? else {
        return graphs(evaluator, call);
    };
    Ok(vec![Question {
        game: call.game(),
        about: About::Play(total),
        rules: evaluator.play_rules(),
    }])
}

/// Returns the questions of `moves(G)` or `moves(G, a, b)`.
pub(super) fn moves(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    if call.arguments.len() == 1 {
        return about(evaluator, call, About::Moves(None));
    }
    match total(evaluator, call)? {
        Some(total) => about(evaluator, call, About::Moves(Some(total))),
        None => graphs(evaluator, call),
    }
}

/// Returns the questions of `tree(G)` or `tree(G, k)`.
pub(super) fn trees(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    let given = &call.arguments[1..];
    let is_integer = |given: &Operand<Value>| matches!(given.value, Value::Integer(_));
    if given.len() < 2 && given.iter().all(is_integer) {
        about(evaluator, call, About::Tree(call.total(1)?))
    } else {
        graphs(evaluator, call)
    }
}

/// Returns the question of `bounds(G)` or `bounds(G, moves: n)`.
pub(super) fn bounds(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Question>> {
    let (depth, total) = depth(call)?;
    let asked = match depth {
        Some(depth) => About::Truncated { depth, total },
        None => About::Bounds,
    };
    about(evaluator, call, asked)
}
