//! Closed forms of thresholds against every budget b: T(pn + r) = mn + t_r, or T(b) = ⌊αb + β⌋ with
//! α that of real-valued bidding.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use super::sequences::{Unsettled, VertexSequences};
use super::turn::BudgetTurn;
use super::{Holder, NEVER};
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::richman::taxman::Share;
use crate::rules::{Rules, TieBreak, Winner};
use crate::sequences::Sequence;
use crate::watch::{Context, Stop, watched};

/// A closed form of thresholds against every budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// No number of chips is enough, whatever the budget.
    Never,
    /// A sequence that grows by the same number with every period.
    Linear(Sequence),
    /// The form ⌊αb + β⌋ from this budget on, for every β of an interval that contains its lower
    /// end only; α is the amount that real-valued bidding needs against 1.
    Floor {
        /// The first budget at which the form holds.
        from: u64,
        /// The ends of the interval.
        offset: [BigRational; 2],
    },
}

/// Finds the thresholds of a vertex against every budget, for each holder of the tie status, with a
/// proof: every play is finite, and each sequence is computed from those of the moves. Returns
/// `None` if play may be endless, the rules have no such proof here (`winner: moves`, `ties:
/// richer`), or periods are too long.
///
/// # Errors
/// If the work is stopped.
pub fn proved(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    context: &Context<'_>,
) -> Result<Option<Vec<(Holder, Form)>>> {
    let is_covered = rules.winner == Winner::Chooses
        && rules.ties != TieBreak::Richer
        // The proof assumes that only the winner pays.
        && !rules.pay.is_all_pay();
    if !is_covered || !graph.is_acyclic() {
        return Ok(None);
    }
    let turn = BudgetTurn::new(graph, rules);
    let holders = rules.ties.holders();
    match VertexSequences::solve(&turn, holders, context) {
        Ok(rows) => {
            let form = |holder: &Holder| match rows.get(node, *holder) {
                Some(sequence) => Form::Linear(Sequence::clone(sequence)),
                None => Form::Never,
            };
            Ok(Some(
                holders
                    .iter()
                    .map(|holder| (*holder, form(holder)))
                    .collect(),
            ))
        }
        Err(Unsettled::TooLong) => Ok(None),
        Err(Unsettled::Stopped(stop)) => Err(stop.into()),
    }
}

/// Finds the form of thresholds against 0, 1, 2, … as far as they are given: it must hold from a
/// quarter of them on at the latest, and for at least three periods. `rate` is the amount that
/// real-valued bidding needs against 1, if there is one.
///
/// # Errors
/// If the work is stopped.
pub fn seen(
    row: &[u64],
    rate: Option<&Share>,
    context: &Context<'_>,
) -> std::result::Result<Option<Form>, Stop> {
    if row.iter().all(|chips| *chips == NEVER) {
        return Ok(Some(Form::Never));
    }
    // Thresholds that are finite against small budgets only have no form for all large ones.
    if row.contains(&NEVER) {
        return Ok(None);
    }
    let is_right = |sequence: &Sequence| {
        let slope = BigRational::new(sequence.increment().into(), sequence.period().into());
        rate.is_none_or(|rate| rate.low <= slope && slope <= rate.high)
    };
    // Convergents of an irrational number fit for a long while, so the slope is compared with the
    // rate.
    if let Some(sequence) = linear(row, context)?.filter(is_right) {
        return Ok(Some(Form::Linear(sequence)));
    }
    match rate {
        Some(rate) => floor(row, rate, context),
        None => Ok(None),
    }
}

fn linear(row: &[u64], context: &Context<'_>) -> std::result::Result<Option<Sequence>, Stop> {
    for period in 1..=row.len() / 4 {
        context.check()?;
        let increment = row[row.len() - 1].saturating_sub(row[row.len() - 1 - period]);
        let goes_on = |&budget: &usize| row[budget + period] == row[budget] + increment;
        // Counting from the end finds the shortest pre-period.
        let steady = (0..row.len() - period).rev().take_while(goes_on).count();
        let from = row.len() - period - steady;
        let terms: Option<Vec<u32>> = row
            .iter()
            .take(from + period)
            .map(ToPrimitive::to_u32)
            .collect();
        // Three periods are then seen, which a coincidence hardly produces.
        if from <= row.len() / 4
            && let Some(terms) = terms
        {
            return Ok(Some(Sequence::new(terms, period, increment)));
        }
    }
    Ok(None)
}

/// Finds the most budgets, counted from the end, for which ⌊αb + β⌋ holds. Returns `None` unless it
/// holds from a quarter of them on.
fn floor(
    row: &[u64],
    Share { low, high }: &Share,
    context: &Context<'_>,
) -> std::result::Result<Option<Form>, Stop> {
    let mut offset: Option<[BigRational; 2]> = None;
    let mut from = row.len();
    for item in watched(row.iter().enumerate().rev(), context) {
        let (budget, &chips) = item?;
        let (chips, b) = (
            BigRational::from_integer(chips.into()),
            BigRational::from_integer(budget.into()),
        );
        // The bounds express T ≤ αb + β < T + 1 for every α between its bounds.
        let (least, greatest) = (&chips - low * &b, chips + BigRational::one() - high * &b);
        let narrowed = match &offset {
            None => [least, greatest],
            Some([low, high]) => [least.max(low.clone()), greatest.min(high.clone())],
        };
        // No offset fits this budget and all later ones, so the form begins after it.
        if narrowed[0] >= narrowed[1] {
            break;
        }
        offset = Some(narrowed);
        from = budget;
    }
    let offset = offset.filter(|_| from <= row.len() / 4);
    Ok(offset.map(|offset| Form::Floor {
        from: from as u64,
        offset,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Context;

    fn rational(numer: i64, denom: i64) -> BigRational {
        BigRational::new(numer.into(), denom.into())
    }

    fn form(row: &[u64], rate: Option<[BigRational; 2]>) -> Option<Form> {
        seen(
            row,
            rate.map(|[low, high]| Share { low, high }).as_ref(),
            Context::plain(),
        )
        .expect("nobody stops it")
    }

    #[test]
    fn a_period_has_to_be_seen_three_times() {
        let stairs = |n: u64| (0..n).map(|b| 2 * (b / 5)).collect::<Vec<_>>();
        let expected = Form::Linear(Sequence::new(vec![0, 0, 0, 0, 0], 5, 2));
        assert_eq!(form(&stairs(20), None), Some(expected));
        assert_eq!(form(&stairs(19), None), None);
    }

    #[test]
    fn what_is_linear_only_at_the_end_is_not() {
        let mut row: Vec<u64> = (0..48).collect();
        row[10] = 7;
        assert!(
            matches!(form(&row, None), Some(Form::Linear(sequence)) if sequence.pre_period() == 11)
        );
        row[12] = 7;
        assert_eq!(form(&row, None), None);
    }

    #[test]
    fn multiples_of_an_irrational_number_round_down() {
        // The rate is the golden ratio to twelve digits.
        let rate = [
            rational(1_618_033_988_749, 1_000_000_000_000),
            rational(1_618_033_988_750, 1_000_000_000_000),
        ];
        let phi = (1.0 + 5.0_f64.sqrt()) / 2.0;
        let row: Vec<u64> = (0..400)
            .map(|b| (phi * f64::from(b) + 0.3) as u64)
            .collect();
        let Some(Form::Floor {
            from: 0,
            offset: [low, high],
        }) = form(&row, Some(rate.clone()))
        else {
            panic!("it is one");
        };
        assert!(
            low <= rational(3, 10) && rational(3, 10) < high && &high - &low < rational(1, 100)
        );
        let mut other = row;
        other[300] += 1;
        assert_eq!(form(&other, Some(rate)), None);
    }

    #[test]
    fn a_convergent_is_not_taken_for_an_irrational_number() {
        // Half the golden ratio is near to 72/89.
        let row: Vec<u64> = (0..401)
            .map(|b| ((1.0 + 5.0_f64.sqrt()) / 4.0 * f64::from(b)) as u64)
            .collect();
        assert!(
            matches!(form(&row, None), Some(Form::Linear(sequence)) if sequence.period() == 89)
        );
        let rate = [
            rational(8_090_169_943, 10_000_000_000),
            rational(8_090_169_944, 10_000_000_000),
        ];
        assert!(matches!(
            form(&row, Some(rate)),
            Some(Form::Floor { from: 0, .. })
        ));
    }

    #[test]
    fn never_is_a_form_and_never_from_some_budget_on_is_not() {
        assert_eq!(form(&[NEVER; 3], None), Some(Form::Never));
        assert_eq!(form(&[0, 0, 0, 0, 0, 0, 0, 0, NEVER], None), None);
    }
}
