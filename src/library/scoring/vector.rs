//! Outcome vectors: `o(G, TB)` with the score for every split of a total budget, and tables of
//! several vectors.

use super::pure::{ScoringPosition, budget, cell, number, scoring};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::ir::Value;
use crate::player::{PerPlayer, Player};
use crate::report::{Report, Row, Table, fact};
use crate::rules::{Purses, Rules, TieBreak};
use crate::scalar::Scalar;
use crate::solve::scoring::ScoreInterval;

/// Returns the holders of the tie status, each with the words for a split of chips.
fn holders(rules: &Rules) -> &'static [(Option<Player>, &'static str)] {
    if rules.ties.has_status() {
        &[(Some(Player::Alice), "p*, q"), (Some(Player::Bob), "p, q*")]
    } else {
        &[(None, "p, q")]
    }
}

/// Evaluates `o(G, TB)` for several totals: a column for each, and a row for each number of Alice's
/// chips. As a list: the outcome vectors.
pub(super) fn of_totals(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    totals: &[u64],
) -> Result<Value> {
    let game = call.game();
    let holders = holders(&evaluator.rules());
    let most = totals.iter().copied().max().unwrap_or(0);
    let height = holders.len().saturating_mul(fit::<usize>(most) + 1);
    let count = height.saturating_mul(totals.len());
    evaluator.admit_elements(count, size_of::<Scalar>() + size_of::<Value>(), call.span)?;
    let mut rows = Vec::with_capacity(height);
    for (_, split) in holders {
        for alice in 0..=most {
            evaluator.context.check()?;
            let split = split.replace('p', &alice.to_string());
            rows.push(Row {
                label: format!("o({}, {split})", call.labels[0]),
                values: Vec::with_capacity(totals.len()),
            });
        }
    }
    let mut elements = Vec::with_capacity(totals.len());
    for &total in totals {
        let subject = scoring(evaluator, game, total, call.span)?;
        let mut vector = Vec::new();
        let mut cells = rows.iter_mut();
        for (status, _) in holders {
            let found = |alice: u64| {
                // Rows go up to the greatest total, and smaller ones have no such split.
                let chips = PerPlayer::new(alice, total.checked_sub(alice)?);
                let status = *status;
                Some(subject.values.at(subject.node, &Purses { chips, status }))
            };
            let column: Vec<Option<ScoreInterval>> = (0..=most).map(found).collect();
            // The vectors go from all chips with Alice down, as in the paper, and the rows go up.
            let known = column.iter().flatten().rev();
            vector.extend(known.map(|interval| element(&subject, *interval)));
            for (interval, row) in column.iter().zip(&mut cells) {
                let score = interval.map(|interval| cell(&subject, interval));
                row.values.push(score.unwrap_or(Scalar::Word("–")));
            }
        }
        elements.push(Value::list(vector));
    }
    let table = Table::over("p + q", totals.iter().copied(), rows);
    Ok(Value::answer_row(Report::Table(table), elements))
}

/// Evaluates `o(G, TB)`, in the order of the paper: from all chips with Alice to none, the marker
/// with her first.
pub(super) fn of_total(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let total = budget(call)?;
    let subject = scoring(evaluator, call.game(), total, call.span)?;
    let rules = evaluator.rules();
    let mut rows = Vec::new();
    let mut elements = Vec::new();
    for (status, split) in holders(&rules) {
        let purses = |alice| Purses::new(alice, total - alice, *status);
        let found: Vec<ScoreInterval> = (0..=total)
            .rev()
            .map(|alice| subject.values.at(subject.node, &purses(alice)))
            .collect();
        elements.extend(found.iter().map(|interval| element(&subject, *interval)));
        let values = found
            .iter()
            .map(|interval| cell(&subject, *interval))
            .collect();
        rows.push(Row {
            label: format!("o({}, {split})", call.labels[0]),
            values,
        });
    }
    // Without chips the marker alone decides, which is alternating play.
    let report = if total == 0 && rules.ties == TieBreak::Marker {
        let starts = rows.into_iter().zip(["alice starts", "bob starts"]);
        Report::Record(
            starts
                .map(|(row, who)| fact(who, row.values[0].clone()))
                .collect(),
        )
    } else {
        Report::Table(Table::over("p", (0..=total).rev(), rows))
    };
    Ok(Value::answer_row(report, elements))
}

fn element(subject: &ScoringPosition, interval: ScoreInterval) -> Value {
    let value = |units| Value::rational(number(subject.score(units)));
    interval.value().map_or_else(
        || Value::tuple([value(interval.least), value(interval.most)]),
        value,
    )
}
