//! Curves and heat maps: `plot`, `heat`, and the tables that they show, `outcomes` and
//! `mixed_bids`.

use num_bigint::BigInt;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, elements, graphs, no_question, report, type_error};
use crate::ir::{AnswerValue, BuiltinSignature, Kinds, Parameter, Value};
use crate::library::all_pay::nash::mixed_bids_of_alice;
use crate::library::all_pay::statuses;
use crate::library::all_pay::{counts, is_list};
use crate::library::asks;
use crate::player::{Outcome, PerPlayer, Player};
use crate::report::{Curve, Heat, Plot, Report, Row, Table};
use crate::rules::Purses;
use crate::scalar::Scalar;
use crate::source::Span;
use crate::watch::{Stop, watched};

const CURVES: &[Parameter] = &[Parameter {
    name: "x",
    kinds: Kinds::SEQUENCE.or(Kinds::NUMBER),
}];
const TABLE: &[Parameter] = &[Parameter {
    name: "table",
    kinds: Kinds::ANSWER.or(Kinds::LIST),
}];
const GAME_AND_BUDGETS: &[Parameter] = &[
    Parameter {
        name: "G",
        kinds: Kinds::GAME,
    },
    Parameter {
        name: "a",
        kinds: Kinds::TOTALS,
    },
    Parameter {
        name: "b",
        kinds: Kinds::TOTALS,
    },
];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        signature: BuiltinSignature {
            variadic: true,
            endless: true,
            named: &[Parameter {
                name: "minus",
                kinds: Kinds::NUMBER,
            }],
            help: "Values over a range as a staircase: a table like `f(G, 0..300)`, or a list of numbers, counted \
               from 0 or by the variable of its `for`. Several arguments share one picture. A number is a slope, drawn \
               as a dashed line: `plot(f(G, 0..300), R(G))` compares the thresholds with R·k, and `plot(f(G, 0..300), \
               minus: R(G))` draws their distance from it. A star counts a half. `svg` and `latex` draw it finely.",
            examples: &[(
                "plot([0, 1, 3])",
                "3 │                                                               ⢸  [0, 1, 3]\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                                               ⢸\n\
                 \x20 │                                ⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣸\n\
                 \x20 │                                ⡇\n\
                 \x20 │                                ⡇\n\
                 \x20 │                                ⡇\n\
                 \x20 │                                ⡇\n\
                 \x20 │                                ⡇\n\
                 0 │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡇\n\
                 \x20 └────────────────────────────────────────────────────────────────\n\
                 \x20 0                                                               2  n",
            )],
            ..BuiltinSignature::new("plot", CURVES, Kinds::ANSWER)
        },
        asks: no_question,
        run: plot,
    },
    Builtin {
        signature: BuiltinSignature {
            endless: true,
            help: "A table as shades, from white for nothing to dark for the most; winners as letters and colours. \
               `heat(v(G, 0..20, 0..20))`, `heat(mixed_bids(G, 0..20, 20))`, `heat(outcomes(G, 0..20, 0..20))`; and a \
               list of rows of numbers, like the squares of a board. `svg` and `latex` draw it finely.",
            examples: &[(
                "heat(outcomes(E, 0..3, 0..3))",
                "E(…)\n\
                 0*, b │A B B B\n\
                 1*, b │A A B B\n\
                 2*, b │A A A B\n\
                 3*, b │A A A A\n\
                 0, b* │B B B B\n\
                 1, b* │A B B B\n\
                 2, b* │A A B B\n\
                 3, b* │A A A B\n\
                 \x20     └────────\n\
                 \x20     0       3  b\n\
                 A alice wins   B bob wins   = draw",
            )],
            ..BuiltinSignature::new("heat", TABLE, Kinds::ANSWER)
        },
        asks: no_question,
        run: heat,
    },
    Builtin {
        signature: BuiltinSignature {
            endless: true,
            help: "The outcomes of G for all pairs of budgets, a row for each of Alice's: a table of `alice`, `bob` \
               and `draw`, for each holder of the tie-breaking advantage.",
            examples: &[(
                "outcomes(E, 0..1, 0..2)",
                "b         0      1      2\nE(0*, b)  alice  bob    bob\nE(1*, b)  alice  alice  bob\n\
             E(0, b*)  bob    bob    bob\nE(1, b*)  alice  bob    bob",
            )],
            ..BuiltinSignature::new("outcomes", GAME_AND_BUDGETS, Kinds::ANSWER)
        },
        asks: asks::outcomes,
        run: outcomes,
    },
    Builtin {
        signature: BuiltinSignature {
            help: "All-pay bidding: Alice's optimal mixed bid for each of her budgets, one below the other, or for \
               each of Bob's if hers is one number: the probability of each bid. With the tie status where there is \
               one.",
            examples: &[(
                "mixed_bids(A^2 ∧ B^2, 0..3, 3) using menz",
                "a                       0      1      2      3\n\
                 bid 3 with a against 3  –      –      –      0\n\
                 bid 2 with a against 3  –      –      0      3/37\n\
                 bid 1 with a against 3  –      0      0      18/37\n\
                 bid 0 with a against 3  1      1      1      16/37",
            )],
            ..BuiltinSignature::new("mixed_bids", GAME_AND_BUDGETS, Kinds::ANSWER)
        },
        asks: graphs,
        run: mixed_bids,
    },
];

fn plot(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let (mut curves, mut parameter) = (Vec::new(), None);
    for ((value, span), label) in call.arguments.iter().zip(call.labels) {
        if let Value::Answer(answer) = value
            && let Report::Table(table) = answer.as_report()
        {
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
                    points: watched(points, evaluator.context)
                        .collect::<std::result::Result<_, Stop>>()?,
                });
            }
        } else if let Some(slope) = value.as_rational() {
            curves.push(Curve::Line(slope));
        } else {
            if let Value::List(items) = value
                && let Some(along) = items.along()
            {
                parameter.get_or_insert_with(|| along.name.to_string());
            }
            curves.push(listed(evaluator, value, label, *span)?);
        }
    }
    let mut plot = Plot {
        parameter: parameter.unwrap_or_else(|| "n".to_owned()),
        curves,
    };
    if let Some((value, span)) = call.option("minus") {
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
    Ok(Value::Answer(
        AnswerValue::report(Report::Plot(plot)).into(),
    ))
}

/// Converts a list of numbers to a curve. Each number is placed at the value for which it was made,
/// or counted from 0.
fn listed(evaluator: &Evaluator<'_>, value: &Value, label: &str, span: Span) -> Result<Curve> {
    let along = if let Value::List(items) = value {
        items.along()
    } else {
        None
    };
    let items = elements(value, span)?;
    let bytes = items.len().saturating_mul(size_of::<(Scalar, Scalar)>());
    evaluator.context.admit(bytes as u64)?;
    let mut points = Vec::with_capacity(items.len());
    for item in watched(items.iter().enumerate(), evaluator.context) {
        let (number, item) = item?;
        let Report::Scalar(scalar) = report(&evaluator.world.games, item, evaluator.context)?
        else {
            return Err(type_error(span, Kinds::NUMBER, item));
        };
        let place = along
            .and_then(|along| along.place(number))
            .unwrap_or_else(|| BigInt::from(number));
        points.push((Scalar::Integer(place), scalar));
    }
    Ok(Curve::Values {
        label: label.to_owned(),
        points,
    })
}

fn heat(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let (value, span) = &call.arguments[0];
    if let Value::Answer(answer) = value
        && let Report::Table(table) = answer.as_report()
    {
        let row = |row: &Row| evaluator.context.check().map(|()| row.clone());
        let rows = table
            .rows
            .iter()
            .map(row)
            .collect::<std::result::Result<_, Stop>>()?;
        let table = Table {
            parameter: table.parameter.clone(),
            columns: table.columns.clone(),
            rows,
        };
        return Ok(Value::Answer(
            AnswerValue::report(Report::Heat(Heat { table })).into(),
        ));
    }
    if let Value::List(rows) = value
        && rows.iter().any(|row| matches!(row, Value::List(_)))
    {
        let table = listed_rows(evaluator, rows, *span)?;
        return Ok(Value::Answer(
            AnswerValue::report(Report::Heat(Heat { table })).into(),
        ));
    }
    Err(Diagnostic::new(Code::BadValue, "only a table, or a list of rows, has cells to shade")
        .label(*span, "no table")
        .help("write `heat(outcomes(G, 0..20, 0..20))`, `heat(v(G, 0..20, 0..20))` or `heat(mixed_bids(G, 0..20, 20))`")
        .into())
}

/// Converts the rows of a board, lists of numbers of the same length, to a table.
fn listed_rows(evaluator: &Evaluator<'_>, rows: &[Value], span: Span) -> Result<Table> {
    let mut found: Vec<Row> = Vec::with_capacity(rows.len());
    for (number, row) in rows.iter().enumerate() {
        let mut values = Vec::new();
        for cell in watched(elements(row, span)?.iter(), evaluator.context) {
            let cell = cell?;
            let Report::Scalar(scalar) = report(&evaluator.world.games, cell, evaluator.context)?
            else {
                return Err(type_error(span, Kinds::NUMBER, cell));
            };
            values.push(scalar);
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
        found.push(Row {
            label: number.to_string(),
            values,
        });
    }
    let width = found.first().map_or(0, |row| row.values.len());
    let columns = (0..width)
        .map(|column| Scalar::Integer(BigInt::from(column)))
        .collect();
    Ok(Table {
        parameter: "column".to_owned(),
        columns,
        rows: found,
    })
}

/// Reads one number of chips or several.
fn budgets_of(call: &Call<'_>, argument: usize) -> Result<Vec<u64>> {
    let (value, span) = (&call.arguments[argument].0, call.arguments[argument].1);
    if is_list(value) {
        counts(&elements(value, span)?, span)
    } else {
        counts(std::slice::from_ref(value), span)
    }
}

fn answer(parameter: &str, columns: &[u64], rows: Vec<Row>) -> Value {
    let columns = columns
        .iter()
        .map(|count| Scalar::Integer(BigInt::from(*count)))
        .collect();
    Value::Answer(
        AnswerValue::report(Report::Table(Table {
            parameter: parameter.to_owned(),
            columns,
            rows,
        }))
        .into(),
    )
}

/// Returns all pairs of both players' chips, for each holder of the tie status.
pub(crate) fn pairs(evaluator: &Evaluator<'_>, call: &Call<'_>) -> Result<Vec<Purses>> {
    let (of_alice, of_bob) = (budgets_of(call, 1)?, budgets_of(call, 2)?);
    let statuses = statuses(evaluator);
    let count = of_alice
        .len()
        .saturating_mul(of_bob.len())
        .saturating_mul(statuses.len());
    let bytes = size_of::<Purses>() + size_of::<Outcome>() + size_of::<Scalar>();
    evaluator.admit_elements(count, bytes, call.span)?;
    let mut purses = Vec::with_capacity(count);
    for status in statuses {
        for &a in &of_alice {
            evaluator.context.check()?;
            purses.extend(of_bob.iter().map(|&b| Purses {
                chips: PerPlayer::new(a, b),
                status,
            }));
        }
    }
    Ok(purses)
}

fn outcomes(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let (of_alice, of_bob) = (budgets_of(call, 1)?, budgets_of(call, 2)?);
    let purses = pairs(evaluator, call)?;
    let callee = call.operand();
    let mut labels = Vec::with_capacity(of_alice.len());
    for status in statuses(evaluator) {
        let [own, other] = Player::BOTH.map(|player| if status == Some(player) { "*" } else { "" });
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
    Ok(answer("b", &of_bob, rows.collect::<Result<_>>()?))
}

fn mixed_bids(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let (of_alice, of_bob) = (budgets_of(call, 1)?, budgets_of(call, 2)?);
    let status = statuses(evaluator)[0];
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
        let weight =
            |mix: &Vec<Scalar>| mix.get(bid as usize).cloned().unwrap_or(Scalar::Word("–"));
        Row {
            label: format!("bid {bid} with {against}"),
            values: mixes.iter().map(weight).collect(),
        }
    };
    let parameter = if of_bob.len() == 1 { "a" } else { "b" };
    Ok(answer(
        parameter,
        columns,
        (0..=most).rev().map(row).collect(),
    ))
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
