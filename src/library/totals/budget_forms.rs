//! Computes thresholds against every budget of Bob's (`table(G, bob: n)`).

use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::ask::About;
use crate::diagnostic::{Code, Result};
use crate::eval::{Call, Evaluator, Placed, print};
use crate::ir::Value;
use crate::library::all_pay::sure::least_for_sure;
use crate::library::arguments;
use crate::library::totals::closed::{formula_value, printed, whose};
use crate::player::{GameId, Player};
use crate::report::{ClosedForm, Report, RoundedLine};
use crate::rules::admit;
use crate::scalar::Scalar;
use crate::solve::budgets::forms::{Form, proved, seen};
use crate::solve::budgets::limit::{Limit, limit};
use crate::solve::budgets::{Holder, NEVER, against};
use crate::solve::richman::taxman::Share;
use crate::solve::sequences::{FormulaCase, ThresholdFormula};
use crate::source::Span;
use crate::watch::{Context, Stop, watched};

/// The greatest coefficient of a polynomial that is tried on a number of which some digits are
/// known.
const COEFFICIENTS: i64 = 60;

/// The thresholds that were computed, and the closed forms found for all of them.
struct BudgetThresholds {
    /// The thresholds for each holder of the tie status.
    rows: Vec<(Holder, Vec<u64>)>,
    forms: Vec<Option<Form>>,
    is_proved: bool,
    /// Alice's critical budget against 1 under real-valued bidding.
    rate: Option<Share>,
    limit: Option<Limit>,
}

/// Evaluates `table(G, bob: n)`.
pub(crate) fn against_all(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    budget: &Value,
    span: Span,
) -> Result<Value> {
    let game = call.game();
    let most = arguments::total(budget, span)?;
    let found = found_against_all(evaluator, game, most).placed(call.span)?;
    let game = &call.labels[0];
    let (name, label) = match evaluator.rules().pay.is_all_pay() {
        true => ("sure", format!("sure({game}, b)")),
        false => ("f", format!("f({game}, bob: b)")),
    };
    let (mut formulas, mut lines, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for ((holder, _), form) in found.rows.iter().zip(&found.forms) {
        match form {
            Some(Form::Linear(sequence)) => {
                let formula = ThresholdFormula::plain(part(*holder), sequence);
                values.push(formula_value(&formula));
                formulas.push(printed(&label, "b", formula));
            }
            Some(Form::Floor { from, offset }) => {
                let rate = found.rate.as_ref().expect("a rounded line has a rate");
                let label = format!("{label}{}", whose(part(*holder)));
                let line = RoundedLine {
                    label,
                    from: *from,
                    rate: Scalar::from(rate),
                    root_of: root_of(rate).unwrap_or_default(),
                    offset: within(offset),
                };
                values.push(Value::list([
                    Value::integer(*from),
                    Value::text("⌊αb + β⌋"),
                ]));
                lines.push(line);
            }
            Some(Form::Never) => {
                values.push(Value::Never);
                formulas.push(never(&label, *holder));
            }
            // An empty list keeps the place of this holder in the answer.
            None => values.push(Value::list([])),
        }
    }
    let limits = found.limits(name, most, evaluator.context)?;
    let closed = ClosedForm {
        formulas,
        lines,
        proof: found.proof(most),
        limits,
    };
    let values = match values.len() {
        1 => match values.remove(0) {
            Value::List(parts) => parts.to_vec(),
            other => vec![other],
        },
        _ => values,
    };
    Ok(Value::answer_row(Report::Closed(closed), values))
}

fn found_against_all(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    most: u64,
) -> Result<BudgetThresholds> {
    let rules = evaluator.rules();
    let context = evaluator.context;
    // Each budget has a row of its own, with its threshold for each holder.
    let numbers = most.saturating_add(1).saturating_mul(3);
    context.admit_values::<u64>(numbers)?;
    let budgets: Vec<u64> = (0..=most).collect();
    if rules.pay.is_all_pay() {
        let rows = sure_against_all(evaluator, game, &budgets)?;
        let forms = seen_of_all(&rows, None, context)?;
        return Ok(BudgetThresholds {
            rows,
            forms,
            is_proved: false,
            rate: None,
            limit: None,
        });
    }
    admit::against(&rules)?;
    let place = evaluator.ask().locate_start(game)?;
    place.solved.needs_wins()?;
    let (explored, node) = (Rc::clone(&place.solved.explored), place.node);
    let rows = against(&explored.graph, &rules, node, &budgets, context)?;
    let limit = limit(&explored.graph, &rules, node, context)?;
    let rate = match &limit {
        Some(limit) => Some(Share::exact(limit.rate.clone())),
        None => match evaluator
            .independently(|evaluator| evaluator.ask().about(game, About::Share, &rules))
        {
            Ok(share) => against_one(share),
            // The thresholds in chips need no rate.
            Err(refusal) if refusal.code == Code::NotSupported => None,
            Err(error) => return Err(error),
        },
    };
    // A proved form holds for every budget, not only for those that were computed.
    let proved = proved(&explored.graph, &rules, node, context)?;
    let is_proved = proved.is_some();
    let forms = match proved {
        Some(proved) => proved.into_iter().map(|(_, form)| Some(form)).collect(),
        None => seen_of_all(&rows, rate.as_ref(), context)?,
    };
    Ok(BudgetThresholds {
        rows,
        forms,
        is_proved,
        rate,
        limit,
    })
}

/// Computes sure(G, b) for these budgets, for each holder of the tie status.
fn sure_against_all(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    budgets: &[u64],
) -> Result<Vec<(Holder, Vec<u64>)>> {
    admit::sure_wins(&evaluator.rules())?;
    let statuses = evaluator.rules().ties.holders();
    let row = |holder| -> Result<(Holder, Vec<u64>)> {
        let bob: Vec<(u64, Holder)> = budgets.iter().map(|budget| (*budget, holder)).collect();
        let least = least_for_sure(evaluator, game, &bob)?;
        Ok((
            holder,
            least
                .into_iter()
                .map(|least| least.unwrap_or(NEVER))
                .collect(),
        ))
    };
    statuses.iter().copied().map(row).collect()
}

fn seen_of_all(
    rows: &[(Holder, Vec<u64>)],
    rate: Option<&Share>,
    context: &Context<'_>,
) -> Result<Vec<Option<Form>>, Stop> {
    rows.iter()
        .map(|(_, row)| seen(row, rate, context))
        .collect()
}

/// Converts Alice's share of the money to her budget against 1; `None` if the share is all of the
/// money.
fn against_one(share: Share) -> Option<Share> {
    let against = |share: BigRational| &share / (BigRational::one() - &share);
    // The map grows with the share, so that bounds remain bounds.
    (share.high < BigRational::one()).then(|| Share {
        low: against(share.low),
        high: against(share.high),
    })
}

impl BudgetThresholds {
    fn proof(&self, most: u64) -> String {
        match (self.is_proved, self.forms.iter().flatten().count()) {
            (true, _) => "proved for every b: computed exactly from the thresholds after each move"
                .to_owned(),
            (false, 0) => format!("no closed form is seen up to b = {most}"),
            (false, seen) if seen < self.forms.len() => {
                format!(
                    "seen up to b = {most}, not proved; for the other holder of the tie status no form is seen"
                )
            }
            (false, _) => format!("seen up to b = {most}, not proved"),
        }
    }

    /// Compares the thresholds with those of real-valued bidding.
    fn limits(
        &self,
        asked: &str,
        most: u64,
        context: &Context<'_>,
    ) -> Result<Vec<(String, Scalar)>, Stop> {
        let mut limits = Vec::new();
        for (holder, row) in &self.rows {
            if let Some(&chips) = row.last().filter(|chips| most > 0 && **chips != NEVER) {
                let ratio = BigRational::new(chips.into(), most.into());
                limits.push((
                    format!("{asked}/b{} at b = {most}", whose(part(*holder))),
                    Scalar::Rational(ratio),
                ));
            }
        }
        let Some(rate) = &self.rate else {
            return Ok(limits);
        };
        limits.push(("R/(1 − R)".to_owned(), Scalar::from(rate)));
        if let Some(limit) = &self.limit {
            let text = format!(
                "from {} to {} for every b, proved",
                -&limit.below, limit.above
            );
            limits.push((format!("{asked} − b·R/(1 − R)"), Scalar::String(text)));
        } else if let Some([least, greatest]) = self.differences(rate, context)? {
            let text = format!(
                "from {} to {} up to b = {most}",
                decimal(&least, BigRational::floor),
                decimal(&greatest, BigRational::ceil)
            );
            limits.push((format!("{asked} − b·R/(1 − R)"), Scalar::String(text)));
        }
        Ok(limits)
    }

    /// Returns the least and the greatest value of T − αb.
    fn differences(
        &self,
        Share { low, high }: &Share,
        context: &Context<'_>,
    ) -> Result<Option<[BigRational; 2]>, Stop> {
        let all = self
            .rows
            .iter()
            .flat_map(|(_, row)| (0_u64..).zip(row))
            .filter(|(_, chips)| **chips != NEVER);
        let whole = |number: u64| BigRational::from_integer(number.into());
        let mut found: Option<[BigRational; 2]> = None;
        for item in watched(all, context) {
            let (budget, chips) = item?;
            let (budget, chips) = (whole(budget), whole(*chips));
            // The rate is known between bounds, so each difference is taken with the end that
            // widens it.
            let [least, greatest] = [&chips - high * &budget, chips - low * budget];
            found = Some(match found {
                None => [least, greatest],
                Some([before, after]) => [before.min(least), after.max(greatest)],
            });
        }
        Ok(found)
    }
}

fn part(holder: Holder) -> FormulaCase {
    match holder {
        None => FormulaCase::Whole,
        Some(Player::Alice) => FormulaCase::With,
        Some(Player::Bob) => FormulaCase::Without,
    }
}

fn never(label: &str, holder: Holder) -> crate::report::ClosedFormula {
    crate::report::ClosedFormula {
        label: format!("{label}{}", whose(part(holder))),
        variable: "b",
        period: 1,
        increment: 0,
        terms: vec![Scalar::Word(print::NEVER)],
        exceptions: Vec::new(),
    }
}

/// Formats the ends of an interval, rounded towards its inside.
fn within([low, high]: &[BigRational; 2]) -> [String; 2] {
    [
        decimal(low, BigRational::ceil),
        decimal(high, BigRational::floor),
    ]
}

/// Formats a number with five digits after the point.
fn decimal(number: &BigRational, round: fn(&BigRational) -> BigRational) -> String {
    let unit = BigRational::from_integer(BigInt::from(100_000));
    let rounded = round(&(number * &unit)) / unit;
    format!("{:.5}", rounded.to_f64().unwrap_or(f64::NAN))
}

/// Finds the quadratic polynomial with the least coefficients that has a root between these bounds.
/// Returns `None` unless the bounds are so close to each other that a chance match is out of the
/// question.
fn root_of(Share { low, high }: &Share) -> Option<String> {
    let width = high - low;
    if width.is_zero() || width > BigRational::new(1.into(), BigInt::from(10_u64.pow(9))) {
        return None;
    }
    let whole = |number: i64| BigRational::from_integer(number.into());
    // Small coefficients come first, since the simplest polynomial is wanted.
    let all = (1..=COEFFICIENTS).flat_map(|bound| {
        let square = (1..=bound).flat_map(move |a| (-bound..=bound).map(move |b| [a, b]));
        // Pairs with smaller coefficients have been tried under a smaller bound.
        square.filter(move |[a, b]| *a == bound || b.abs() == bound)
    });
    let constant = |&[a, b]: &[i64; 2]| {
        let at = |x: &BigRational| whole(a) * x * x + whole(b) * x;
        // The polynomial is monotone near the number, so its constant lies between the values at
        // both bounds.
        let ends = [at(low), at(high)];
        let [least, greatest] = if ends[0] <= ends[1] {
            ends
        } else {
            let [a, b] = ends;
            [b, a]
        };
        // Coefficients are whole numbers, so that only a whole number between the ends will do.
        let constant = least.ceil();
        let is_near = (&greatest - &least) < BigRational::new(1.into(), 1000.into());
        // Wide values would contain some whole number by chance.
        (constant <= greatest && is_near)
            .then(|| -constant.to_integer())
            .filter(|c| c.abs() <= BigInt::from(COEFFICIENTS))
    };
    all.filter_map(|pair| constant(&pair).map(|c| (pair, c)))
        .map(|([a, b], c)| polynomial(a, b, &c))
        .next()
}

/// Formats a polynomial, such as `2α² − 1`.
fn polynomial(a: i64, b: i64, c: &BigInt) -> String {
    let factor = |n: u64| if n == 1 { String::new() } else { n.to_string() };
    let mut text = format!("{}α²", factor(a.unsigned_abs()));
    if b != 0 {
        text += &format!(
            " {} {}α",
            if b > 0 { "+" } else { "−" },
            factor(b.unsigned_abs())
        );
    }
    if !c.is_zero() {
        text += &format!(
            " {} {}",
            if c.is_positive() { "+" } else { "−" },
            c.magnitude()
        );
    }
    text
}
