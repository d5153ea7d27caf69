//! `v`: Alice's winning probability, for one pair of budgets or for many.
use num_rational::BigRational;
use num_traits::Zero;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Call, Evaluator, elements};
use crate::ir::{Operand, Value};
use crate::library::all_pay::{bidding_purses, solve_all_pay, warn_of_cycles};
use crate::library::arguments::{counts, is_list};
use crate::player::{GameId, PerPlayer, Player};
use crate::report::{Report, Row, Table};
use crate::rules::{Payment, Purses};
use crate::scalar::Scalar;
use crate::solve::all_pay::{ExactOrCertified, FloatEnclosure};
use crate::source::Span;

/// Alice's winning probability with some purses.
struct WinningProbability {
    scalar: Scalar,
    value: Value,
    /// The number of rounds that its bounds took, on cycles.
    rounds: Option<u64>,
}

pub(crate) fn value(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    match &call.arguments[1..] {
        [list] if is_list(&list.value) => {
            let budgets = elements(&list.value, list.span)?;
            splits(evaluator, call, game, &budgets, list.span)
        }
        [Operand { span, .. }] => Err(Diagnostic::new(
            Code::WrongCount,
            "`v` takes both players' chips, or a range of splits",
        )
        .label(*span, "Alice's chips alone")
        .help("write `v(G, a, b)`, or `v(G, 0..n)` for every split of n chips")
        .into()),
        [alice, bob] if is_list(&alice.value) || is_list(&bob.value) => {
            rectangle(evaluator, call, game)
        }
        [_, _] => {
            let purses = bidding_purses(evaluator, call)?;
            let found = winning_probability(evaluator, game, purses, purses.chips, call.span)?;
            warn_of_cycles(evaluator, found.rounds, width(&found.scalar), call.span);
            Ok(found.value)
        }
        _ => unreachable!("the checker counts the arguments"),
    }
}

/// Evaluates splits of one total, the greatest number in the list: Alice has each of the listed
/// numbers in turn, and Bob has the rest.
fn splits(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
    columns: &[Value],
    span: Span,
) -> Result<Value> {
    let alice = counts(columns, span)?;
    let total = alice.iter().copied().max().unwrap_or(0);
    let (mut rows, mut values, mut rounds) = (Vec::new(), Vec::new(), None);
    for &status in evaluator.rules().ties.holders() {
        let [own, other] = Player::both(|player| if status == Some(player) { "*" } else { "" });
        let mut row = Row {
            label: format!("v({}, a{own}, {total} − a{other})", call.labels[0]),
            values: Vec::new(),
        };
        for &a in &alice {
            let chips = PerPlayer::new(a, total - a);
            let found =
                winning_probability(evaluator, game, Purses { chips, status }, chips, call.span)?;
            row.values.push(found.scalar);
            values.push(found.value);
            rounds = rounds.max(found.rounds);
        }
        rows.push(row);
    }
    // One warning serves the whole table, with its widest bounds.
    warn_of_cycles(evaluator, rounds, widest(&rows), call.span);
    Ok(table("a", &alice, rows, values))
}

/// Evaluates all pairs of budgets, with a row for each budget of Alice's.
fn rectangle(evaluator: &mut Evaluator<'_>, call: &Call<'_>, game: GameId) -> Result<Value> {
    let (of_alice, of_bob) = (call.budgets(1)?, call.budgets(2)?);
    let most = PerPlayer::new(
        of_alice.iter().copied().max().unwrap_or(0),
        of_bob.iter().copied().max().unwrap_or(0),
    );
    let (mut rows, mut values, mut rounds) = (Vec::new(), Vec::new(), None);
    for &status in evaluator.rules().ties.holders() {
        let [own, other] = Player::both(|player| if status == Some(player) { "*" } else { "" });
        for &a in &of_alice {
            let mut row = Row {
                label: format!("v({}, {a}{own}, b{other})", call.labels[0]),
                values: Vec::new(),
            };
            let mut line = Vec::new();
            for &b in &of_bob {
                let purses = Purses::new(a, b, status);
                let found = winning_probability(evaluator, game, purses, most, call.span)?;
                row.values.push(found.scalar);
                line.push(found.value);
                rounds = rounds.max(found.rounds);
            }
            rows.push(row);
            values.push(Value::list(line));
        }
    }
    warn_of_cycles(evaluator, rounds, widest(&rows), call.span);
    Ok(table("b", &of_bob, rows, values))
}

/// Makes a table with these numbers of chips as its columns.
pub(crate) fn table(parameter: &str, columns: &[u64], rows: Vec<Row>, values: Vec<Value>) -> Value {
    let table = Table::over(parameter, columns.iter().copied(), rows);
    Value::answer_row(Report::Table(table), values)
}

/// Returns the width of the widest enclosure in a table.
fn widest(rows: &[Row]) -> f64 {
    rows.iter()
        .flat_map(|row| &row.values)
        .map(width)
        .fold(0.0, f64::max)
}

fn width(scalar: &Scalar) -> f64 {
    if let Scalar::Interval(bounds) = scalar {
        bounds.high - bounds.low
    } else {
        0.0
    }
}

/// Converts an enclosure to a value with exact rational bounds.
fn enclosed(found: &FloatEnclosure) -> Value {
    let bounds = [found.low, found.high]
        .map(|bound| BigRational::from_float(bound).unwrap_or_else(BigRational::zero));
    Value::enclosed(bounds, Scalar::from(found))
}

/// Returns the budgets to solve for. If both players pay each other, a table covers one total; if
/// both pay the bank, it covers all budgets up to the greatest.
pub(crate) fn covering(
    evaluator: &Evaluator<'_>,
    chips: PerPlayer<u64>,
    most: PerPlayer<u64>,
) -> PerPlayer<u64> {
    match evaluator.rules().pay {
        Payment::AllPayBank => most,
        _ => chips,
    }
}

/// Computes Alice's winning probability with these purses, from a table that covers budgets up to
/// `most`.
fn winning_probability(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    purses: Purses,
    most: PerPlayer<u64>,
    span: Span,
) -> Result<WinningProbability> {
    let place = solve_all_pay(
        evaluator,
        game,
        covering(evaluator, purses.chips, most),
        span,
    )?;
    let (scalar, value) = match place.solved.value(place.node, &purses) {
        ExactOrCertified::Exact(value) => (Scalar::from(value), Value::rational(value.clone())),
        ExactOrCertified::Certified(value) => (Scalar::from(value), enclosed(value)),
    };
    Ok(WinningProbability {
        scalar,
        value,
        rounds: place.solved.rounds(),
    })
}
