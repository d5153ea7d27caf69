//! Curves and heat maps: `plot`, `heat`, and the tables that they show, `outcomes` and
//! `mixed_bids`.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::print::value_as_scalar;
use crate::eval::{Builtin, Call, Evaluator, elements, report, type_error};
use crate::ir::{Along, AlongVariable, Kinds, Operand, Parameter, Value};
use crate::library::all_pay::nash::mixed_bids_of_alice;
use crate::library::asks;
use crate::player::{Outcome, PerPlayer, Player};
use crate::report::{Curve, Heat, Plot, Report, Row, Table};
use crate::rules::Purses;
use crate::scalar::Scalar;
use crate::source::Span;
use crate::watch::{Stop, watched};

const CURVES: &[Parameter] = &[Parameter::new("x", Kinds::SEQUENCE.or(Kinds::NUMBER))];
const TABLE: &[Parameter] = &[Parameter::new("table", Kinds::ANSWER.or(Kinds::LIST))];
const GAME_AND_BUDGETS: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("a", Kinds::TOTALS),
    Parameter::new("b", Kinds::TOTALS),
];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "plot"(CURVES) -> Kinds::ANSWER, None, plot,
        { variadic: true, named: &[Parameter::new("minus", Kinds::NUMBER)] }
        "Values over a range as points: a table like `f(G, 0..300)`, or a list of numbers, counted \
         from 0 or by the variable of its `for`. Several arguments share one picture. A number is a slope, drawn \
         as a dashed line: `plot(f(G, 0..300), R(G))` compares the thresholds with R·k, and `plot(f(G, 0..300), \
         minus: R(G))` draws their distance from it. A star counts a half, −ε minus a half. `svg` and `latex` draw it finely.",
        "plot([0, 1, 3])" => "[0, 1, 3]\n\
                 \x20 │\n\
                 3 │                                                               o\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │                                o\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 \x20 │\n\
                 0 │o\n\
                 \x20 └────────────────────────────────────────────────────────────────\n\
                 \x20 0                                                               2  n";
    "heat"(TABLE) -> Kinds::ANSWER, None, heat,
        "A table as shades, from white for nothing to dark for the most, with winners as letters and \
         colours. The argument is a table, as in `heat(v(G, 0..20, 0..20))`, `heat(mixed_bids(G, \
         0..20, 20))` or `heat(outcomes(G, 0..20, 0..20))`; a list of rows of numbers, like the \
         squares of a board; or a list with two variables, with rows for the first and columns for \
         the second. `svg` and `latex` draw it finely.",
        "heat(outcomes(E, 0..3, 0..3))" => "E(a*, b)           E(a, b*)\n\
                 0* │A B B B        0 │B B B B\n\
                 1* │A A B B        1 │A B B B\n\
                 2* │A A A B        2 │A A B B\n\
                 3* │A A A A        3 │A A A B\n\
                 \x20  └────────         └────────\n\
                 \x20  0       3  b      0       3  b\n\
                 A alice wins   B bob wins   = draw";
    "outcomes"(GAME_AND_BUDGETS) -> Kinds::ANSWER, Some(asks::outcomes), outcomes,
        { endless: true }
        "The outcomes of G for all pairs of budgets, a row for each of Alice's: a table of `alice`, `bob` \
         and `draw`, for each holder of the tie-breaking advantage.",
        "outcomes(E, 0..1, 0..2)" => "b         0      1      2\nE(0*, b)  alice  bob    bob\nE(1*, b)  alice  alice  bob\n\
             E(0, b*)  bob    bob    bob\nE(1, b*)  alice  bob    bob";
    "mixed_bids"(GAME_AND_BUDGETS) -> Kinds::ANSWER, Some(asks::mixed), mixed_bids,
        "All-pay bidding: Alice's optimal mixed bid for each of her budgets, one below the other, or \
         for each of Bob's if hers is one number: the probability of each bid, with the tie status \
         if there is one.",
        "mixed_bids(A^2 ∧ B^2, 0..3, 3) using menz" => "a                       0      1      2      3\n\
                 bid 3 with a against 3  –      –      –      0\n\
                 bid 2 with a against 3  –      –      0      3/37\n\
                 bid 1 with a against 3  –      0      0      18/37\n\
                 bid 0 with a against 3  1      1      1      16/37";
};

fn plot(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let (mut curves, mut parameter) = (Vec::new(), None);
    for (Operand { value, span }, label) in call.arguments.iter().zip(call.labels) {
        if let Value::Answer(answer) = value
            && let Report::Table(table) = answer.as_report()
        {
            // All curves share one axis, which has the name of the first.
            parameter.get_or_insert_with(|| table.parameter.clone());
            let columns = table
                .columns
                .len()
                .saturating_mul(size_of::<(Scalar, Scalar)>());
            for row in &table.rows {
                evaluator.context.admit(columns as u64)?;
                let points = table
                    .columns
                    .iter()
                    .cloned()
                    .zip(row.values.iter().cloned());
                curves.push(Curve::Values {
                    label: row.label.clone(),
                    points: watched(points, evaluator.context).collect::<Result<_, Stop>>()?,
                });
            }
        } else if let Some(slope) = value.as_rational() {
            curves.push(Curve::Line(slope));
        } else {
            if let Value::List(items) = value
                && let Some(variable) = items.along().and_then(Along::only)
            {
                parameter.get_or_insert_with(|| variable.name.to_string());
            }
            curves.push(listed(evaluator, value, label, *span)?);
        }
    }
    let mut plot = Plot {
        parameter: parameter.unwrap_or_else(|| "n".to_owned()),
        curves,
    };
    if let Some(Operand { value, span }) = call.option("minus") {
        let slope = value
            .as_rational()
            .ok_or_else(|| type_error(span, Kinds::NUMBER, value))?;
        plot = plot.less(&slope, evaluator.context)?;
    }
    if !plot.has_points() {
        return Err(Diagnostic::new(Code::BadValue, "there is nothing to plot")
            .label(call.span, "no numbers over a range")
            .help("plot values over a range, like `plot(f(G, 0..300), R(G))`")
            .into());
    }
    Ok(Value::answer(Report::Plot(plot)))
}

/// Converts a list of numbers to a curve. Each number is placed at the value for which it was made,
/// or counted from 0.
fn listed(evaluator: &Evaluator<'_>, value: &Value, label: &str, span: Span) -> Result<Curve> {
    let items = elements(value, span)?;
    let bytes = items.len().saturating_mul(size_of::<(Scalar, Scalar)>());
    evaluator.context.admit(bytes as u64)?;
    let places = places(evaluator, value)?;
    let mut points = Vec::with_capacity(items.len());
    for item in watched(items.iter().enumerate(), evaluator.context) {
        let (number, item) = item?;
        let counted = || Scalar::from(number);
        let place = places
            .as_ref()
            .map_or_else(counted, |places| places[number].clone());
        points.push((place, scalar(evaluator, item, span)?));
    }
    let parts = match value {
        Value::List(items) => items.along().map(|along| &along.parts[..]),
        _ => None,
    };
    let label = match parts {
        // A list made by one comprehension is named by its element, which is shorter than the
        // whole.
        Some([element]) => element.to_string(),
        _ => label.to_owned(),
    };
    Ok(Curve::Values { label, points })
}

/// Returns the value of a list's only variable for each element; `None` if there are several, or
/// they are not all exact numbers.
fn places(evaluator: &Evaluator<'_>, list: &Value) -> Result<Option<Vec<Scalar>>> {
    let Value::List(items) = list else {
        return Ok(None);
    };
    let Some(variable) = items.along().and_then(Along::only) else {
        return Ok(None);
    };
    let place = |number: Result<usize, Stop>| {
        Ok(variable
            .place(number?)
            .filter(|place| place.as_rational().is_some())
            .and_then(|place| value_as_scalar(&evaluator.world.games, &place)))
    };
    let places = watched(0..items.len(), evaluator.context).map(place);
    Ok(places.collect::<Result<Option<_>, Stop>>()?)
}

/// Converts an element to the contents of a cell.
fn scalar(evaluator: &Evaluator<'_>, item: &Value, span: Span) -> Result<Scalar> {
    match report(&evaluator.world.games, item, evaluator.context)? {
        Report::Scalar(scalar) => Ok(scalar),
        _ => Err(type_error(span, Kinds::NUMBER, item)),
    }
}

fn heat(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let Operand { value, span } = &call.arguments[0];
    if let Value::Answer(answer) = value
        && let Report::Table(table) = answer.as_report()
    {
        let row = |row: &Row| evaluator.context.check().map(|()| row.clone());
        let rows = table.rows.iter().map(row).collect::<Result<_, Stop>>()?;
        let table = Table::over(&table.parameter, table.columns.iter().cloned(), rows);
        return Ok(Value::answer(Report::Heat(Heat { table })));
    }
    if let Value::List(rows) = value {
        let table = match rows.along().map(|along| &along.variables[..]) {
            Some([down, across]) => Some(product(evaluator, rows, [down, across], *span)?),
            _ if rows.iter().any(|row| matches!(row, Value::List(_))) => {
                Some(listed_rows(evaluator, value, rows, *span)?)
            }
            _ => None,
        };
        if let Some(table) = table {
            return Ok(Value::answer(Report::Heat(Heat { table })));
        }
    }
    Err(Diagnostic::new(Code::BadValue, "only a table, or a list of rows, has cells to shade")
        .label(*span, "not a table")
        .help("write `heat(outcomes(G, 0..20, 0..20))`, `heat(v(G, 0..20, 0..20))`, `heat(mixed_bids(G, 0..20, 20))`, or a list with two variables, like `heat([R(A^m ∧ B^n) for m in 1..5 for n in 1..5])`")
        .into())
}

/// Converts rows, lists of numbers of the same length, to a table. Rows and columns are named by
/// the variables of the comprehensions that made them, or else counted.
fn listed_rows(
    evaluator: &Evaluator<'_>,
    list: &Value,
    rows: &[Value],
    span: Span,
) -> Result<Table> {
    let (down, down_name) = (places(evaluator, list)?, variable_of(list));
    let mut found: Vec<Row> = Vec::with_capacity(rows.len());
    for (number, row) in rows.iter().enumerate() {
        let mut values = Vec::new();
        for cell in watched(elements(row, span)?.iter(), evaluator.context) {
            values.push(scalar(evaluator, cell?, span)?);
        }
        if found
            .first()
            .is_some_and(|first| first.values.len() != values.len())
        {
            return Err(
                Diagnostic::new(Code::BadValue, "the rows have different lengths")
                    .label(span, format!("row {number} is not as long as the first"))
                    .help("give every row as many numbers")
                    .into(),
            );
        }
        let label = match (&down, &down_name) {
            (Some(down), Some(name)) => format!("{name} = {}", down[number]),
            _ => format!("row {number}"),
        };
        found.push(Row { label, values });
    }
    let width = found.first().map_or(0, |row| row.values.len());
    let counted = (0..width).map(Scalar::from);
    let mut columns = None;
    for (number, row) in rows.iter().enumerate() {
        let across = places(evaluator, row)?;
        if number == 0 {
            columns = across;
        } else if columns != across {
            // Rows that were made over different ranges have no common columns, so these are
            // counted.
            columns = None;
            break;
        }
    }
    let parameter = rows.first().and_then(variable_of);
    let named = columns.zip(parameter);
    let (columns, parameter) = named.unwrap_or_else(|| (counted.collect(), "column".to_owned()));
    Ok(Table {
        parameter,
        columns,
        rows: found,
    })
}

/// Returns the name of a list's only variable.
fn variable_of(list: &Value) -> Option<String> {
    match list {
        Value::List(items) => Some(items.along()?.only()?.name.to_string()),
        _ => None,
    }
}

/// Converts a list that was made along two variables to a table: a row for each value of the first,
/// and a column for each value of the second.
fn product(
    evaluator: &Evaluator<'_>,
    items: &[Value],
    variables: [&AlongVariable; 2],
    span: Span,
) -> Result<Table> {
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    let (mut row_of, mut column_of) = (HashMap::new(), HashMap::new());
    let mut cells = HashMap::new();
    let mut made = Vec::with_capacity(items.len());
    for item in watched(items.iter().enumerate(), evaluator.context) {
        let (number, item) = item?;
        let mut at = [0; 2];
        let sides = [(&mut rows, &mut row_of), (&mut columns, &mut column_of)];
        for ((variable, (places, known)), at) in variables.iter().zip(sides).zip(&mut at) {
            let place = variable.place(number).unwrap_or(Value::Empty);
            let place = scalar(evaluator, &place, span)?;
            // Places keep the order in which they first appear, which is that of the loop.
            *at = *known.entry(place.to_string()).or_insert_with(|| {
                places.push(place);
                places.len() - 1
            });
        }
        made.push(at);
        cells.insert(at, scalar(evaluator, item, span)?);
    }
    let order = order_of_columns(&columns, &made);
    let bytes = size_of::<Scalar>();
    // The table may be far larger than the list, if most pairs of places do not occur.
    evaluator.admit_elements(rows.len().saturating_mul(columns.len()), bytes, span)?;
    let [down, across] = variables.map(|variable| variable.name.to_string());
    let mut found = Vec::with_capacity(rows.len());
    for (row, place) in rows.iter().enumerate() {
        evaluator.context.check()?;
        let cell = |column: &usize| cells.remove(&[row, *column]).unwrap_or(Scalar::Word("–"));
        found.push(Row {
            label: format!("{down} = {place}"),
            values: order.iter().map(cell).collect(),
        });
    }
    let columns = order.into_iter().map(|column| columns[column].clone());
    Ok(Table::over(&across, columns, found))
}

/// Returns the columns of a table in the order of the loop that made these cells, each a row and a
/// column. Rows may lack columns, so the order of first appearance may differ from that of the loop.
fn order_of_columns(columns: &[Scalar], made: &[[usize; 2]]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    let Some(places) = columns
        .iter()
        .map(Scalar::exact)
        .collect::<Option<Vec<_>>>()
    else {
        return order;
    };
    let compared = |a: &usize, b: &usize| places[*a].cmp(&places[*b]);
    let in_every_row = |unlike: Ordering| {
        let mut pairs = made.windows(2).filter(|pair| pair[0][0] == pair[1][0]);
        pairs.all(|pair| compared(&pair[0][1], &pair[1][1]) != unlike)
    };
    if in_every_row(Ordering::Greater) {
        order.sort_by(compared);
    } else if in_every_row(Ordering::Less) {
        order.sort_by(|a, b| compared(b, a));
    }
    order
}

/// Returns all pairs of both players' chips, for each holder of the tie status.
pub(crate) fn pairs(evaluator: &Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Purses>> {
    let (of_alice, of_bob) = (call.budgets(1)?, call.budgets(2)?);
    let statuses = evaluator.rules().ties.holders();
    let count = of_alice
        .len()
        .saturating_mul(of_bob.len())
        .saturating_mul(statuses.len());
    let bytes = size_of::<Purses>() + size_of::<Outcome>() + size_of::<Scalar>();
    evaluator.admit_elements(count, bytes, call.span)?;
    let mut purses = Vec::with_capacity(count);
    for &status in statuses {
        for &a in &of_alice {
            evaluator.context.check()?;
            purses.extend(of_bob.iter().map(|&b| Purses::new(a, b, status)));
        }
    }
    Ok(purses)
}

fn outcomes(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let (of_alice, of_bob) = (call.budgets(1)?, call.budgets(2)?);
    let purses = pairs(evaluator, call)?;
    let callee = call.operand();
    let mut labels = Vec::with_capacity(of_alice.len());
    for &status in evaluator.rules().ties.holders() {
        let [own, other] = Player::both(|player| if status == Some(player) { "*" } else { "" });
        for &a in &of_alice {
            evaluator.context.check()?;
            labels.push(format!("{callee}({a}{own}, b{other})"));
        }
    }
    let found = evaluator.outcomes(game, &purses, call.span)?;
    let rows = labels.into_iter().zip(found.chunks(of_bob.len().max(1)));
    let rows = rows.map(|(label, row)| {
        evaluator.context.check()?;
        Ok(Row {
            label,
            values: row.iter().copied().map(Scalar::Outcome).collect(),
        })
    });
    let table = Table::over("b", of_bob, rows.collect::<Result<_>>()?);
    Ok(Value::answer(Report::Table(table)))
}

fn mixed_bids(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let (of_alice, of_bob) = (call.budgets(1)?, call.budgets(2)?);
    let status = evaluator.rules().ties.holders()[0];
    let own = if status.is_some() { "*" } else { "" };
    let (alice, bob) = match (&of_alice[..], &of_bob[..]) {
        ([_, ..], [bob]) => (of_alice.clone(), vec![*bob; of_alice.len()]),
        ([alice], [_, ..]) => (vec![*alice; of_bob.len()], of_bob.clone()),
        _ => return Err(two_ranges(call.span)),
    };
    let pairs: Vec<PerPlayer<u64>> = alice
        .iter()
        .zip(&bob)
        .map(|(a, b)| PerPlayer::new(*a, *b))
        .collect();
    let mixes = mixed_bids_of_alice(evaluator, game, &pairs, status, call.span)?;
    let most = alice.iter().copied().max().unwrap_or(0);
    let (against, columns) = match &of_bob[..] {
        [bob] => (format!("a{own} against {bob}"), &of_alice),
        _ => (format!("{}{own} against b", alice[0]), &of_bob),
    };
    let row = |bid: u64| {
        let weight = |mix: &Vec<Scalar>| {
            mix.get(fit::<usize>(bid))
                .cloned()
                .unwrap_or(Scalar::Word("–"))
        };
        Row {
            label: format!("bid {bid} with {against}"),
            values: mixes.iter().map(weight).collect(),
        }
    };
    let parameter = if of_bob.len() == 1 { "a" } else { "b" };
    // The greatest bid is at the top, as on an axis.
    let rows = (0..=most).rev().map(row).collect();
    let table = Table::over(parameter, columns.iter().copied(), rows);
    Ok(Value::answer(Report::Table(table)))
}

fn two_ranges(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::WrongCount,
        "`mixed_bids` takes a range for one player's chips and a number for the other's",
    )
    .label(span, "needs one of each")
    .help("write `mixed_bids(G, 0..20, 20)`, or `mixed_bids(G, 20, 0..20)`")
    .into()
}
