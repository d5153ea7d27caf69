//! Builtins on lists, tables and other sequences.

use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::eval::extreme as extreme_of;
use crate::eval::{
    BoundedNumber, Builtin, Call, Comparer, Evaluator, Placed, Total, copied, elements, listed,
    report, type_error, weight,
};
use crate::ir::{Kinds, Operand, Parameter, Value};
use crate::report::{Listing, Report};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::watch::{Context, watched};

const LIST: &[Parameter] = &[Parameter::new("list", Kinds::SEQUENCE)];
const HEADINGS_AND_ROWS: &[Parameter] = &[
    Parameter::new("headings", Kinds::SEQUENCE),
    Parameter::new("rows", Kinds::SEQUENCE),
];
const TWO_LISTS: &[Parameter] = &[
    Parameter::new("list", Kinds::SEQUENCE),
    Parameter::new("other", Kinds::SEQUENCE),
];
const VALUES: &[Parameter] = &[Parameter::new("values", Kinds::ANY)];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "min"(VALUES)
        -> Kinds::ANY, None, |evaluator, call| extreme(call, std::cmp::Ordering::Less, evaluator.context),
        { variadic: true }
        "The least of a list, or of the arguments.",
        "min([3, 1*, 2])" => "1*",
        "min(1/2, 1/3)" => "1/3";
    "max"(VALUES)
        -> Kinds::ANY, None, |evaluator, call| extreme(call, std::cmp::Ordering::Greater, evaluator.context),
        { variadic: true }
        "The greatest of a list, or of the arguments.",
        "max([3, 1*, 2])" => "3";
    "sum"(LIST) -> Kinds::NUMBER.or(Kinds::GAME), None, sum,
        "The sum of a list of numbers; of games, their disjunctive sum.",
        "sum([n^2 for n in 1..3])" => "14";
    "len"(LIST) -> Kinds::INTEGER, None, |_, call| Ok(Value::integer(call.sequence(0)?.len())),
        "The number of elements of a list.",
        "len(0..255)" => "256";
    "all"(LIST)
        -> Kinds::BOOL, None, |evaluator, call| Ok(Value::Bool(!has(call, false, evaluator.context)?)),
        "True if every element is true; an empty list gives true.",
        "all([n^2 >= n for n in 0..9])" => "true";
    "any"(LIST)
        -> Kinds::BOOL, None, |evaluator, call| Ok(Value::Bool(has(call, true, evaluator.context)?)),
        "True if some element is true.",
        "any([n^2 == 49 for n in 0..9])" => "true";
    "sort"(LIST) -> Kinds::LIST, None, |evaluator, call| sort(call, evaluator.context),
        "The elements of a list in order, the least first; equal elements keep their order.",
        "sort([3, 1*, 2])" => "[1*, 2, 3]",
        "sort([(2, \"b\"), (1, \"a\")])" => "[(1, \"a\"), (2, \"b\")]";
    "reverse"(LIST)
        -> Kinds::LIST, None, |evaluator, call| Ok(copied(call.sequence(0)?.iter().rev(), evaluator.context)?),
        "The elements of a list from the last to the first.",
        "reverse(1..3)" => "[3, 2, 1]";
    "unique"(LIST) -> Kinds::LIST, None, |evaluator, call| unique(call, evaluator.context),
        "The elements of a list, each kept at its first place only.",
        "unique([R(A^n) for n in [1, 2, 1]])" => "[1/2, 1/4]";
    "zip"(TWO_LISTS) -> Kinds::LIST, None, zip,
        "Pairs of the elements of two lists at the same places, as many as the shorter list has.",
        "zip(1..3, [R(A^n) for n in 1..3])" => "[(1, 1/2), (2, 1/4), (3, 1/8)]";
    "tabulate"(HEADINGS_AND_ROWS) -> Kinds::ANSWER, None, tabulate,
        "Rows of values under headings, as a table; each row is a list or tuple. As a list: the rows.",
        "tabulate([\"n\", \"R\"], [(n, R(A^n)) for n in 1..3])" => "n  R\n1  1/2\n2  1/4\n3  1/8";
};

/// Returns `true` if some element of a list of truth values equals `wanted`.
fn has(call: &Call<'_>, wanted: bool, context: &Context<'_>) -> Result<bool> {
    let span = call.arguments[0].span;
    let mut found = false;
    // The search goes on after a hit, so that an element of another kind is always reported.
    for value in watched(call.sequence(0)?.iter(), context) {
        match value? {
            Value::Bool(truth) => found |= *truth == wanted,
            other => return Err(type_error(span, Kinds::BOOL, other)),
        }
    }
    Ok(found)
}

fn zip(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let (first, second) = (call.sequence(0)?, call.sequence(1)?);
    let pairs = first.iter().zip(second.iter()).map(|(a, b)| {
        let weight = weight(a) + weight(b);
        (weight, Value::tuple([a.clone(), b.clone()]))
    });
    Ok(listed(pairs, evaluator.context)?)
}

fn sum(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let (span, context) = (call.arguments[0].span, evaluator.context);
    let values = call.sequence(0)?;
    if let Some(Value::Game(_)) = values.first() {
        let games = values.iter().map(|game| Operand::new(game, span));
        return evaluator.sum_of_games(&games.collect::<Vec<_>>(), span);
    }
    let mut total = Total::default();
    for value in values.iter() {
        // Adding long fractions is slow, so the limits are checked at each number.
        context.check()?;
        total.add(value, span)?;
    }
    total.value(span)
}

/// Sorts a list by merging runs of doubling length. The comparison may fail, and then the sorting
/// fails, which the sort of the standard library does not allow.
fn sort(call: &Call<'_>, context: &Context<'_>) -> Result<Value> {
    let mut comparer = Comparer::new(context);
    let values = call.sequence(0)?;
    let mut sorted: Vec<&Value> = values.iter().collect();
    let mut run = 1;
    while run < sorted.len() {
        let mut merged = Vec::with_capacity(sorted.len());
        for pair in sorted.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let ([a, later @ ..], [b, others @ ..]) = (left, right) {
                // Equal elements are taken from the left, which keeps their order.
                if comparer.order(b, a, call.span)?.is_lt() {
                    merged.push(*b);
                    right = others;
                } else {
                    merged.push(*a);
                    left = later;
                }
            }
            merged.extend(left.iter().chain(right));
        }
        sorted = merged;
        run *= 2;
    }
    Ok(copied(sorted.into_iter(), context)?)
}

fn unique(call: &Call<'_>, context: &Context<'_>) -> Result<Value> {
    let mut comparer = Comparer::new(context);
    let values = call.sequence(0)?;
    let mut kept: Vec<&Value> = Vec::new();
    for value in values.iter() {
        let mut is_new = true;
        // Values have no hash across their forms, such as 1/2 and bounds, so each pair is compared.
        for known in &kept {
            if comparer.same(known, value).placed(call.span)? {
                is_new = false;
                break;
            }
        }
        if is_new {
            kept.push(value);
        }
    }
    Ok(copied(kept.into_iter(), context)?)
}

fn tabulate(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let Operand { value: rows, span } = &call.arguments[1];
    let headings = call.sequence(0)?;
    let columns = headings
        .iter()
        .map(|heading| evaluator.print(heading))
        .collect::<Result<Vec<_>>>()?;
    let rows = elements(rows, *span)?;
    let mut cells = Vec::new();
    for row in rows.iter() {
        evaluator.context.check()?;
        let row = elements(row, *span)?;
        if row.len() != columns.len() {
            return Err(uneven(row.len(), columns.len(), *span));
        }
        cells.push(
            row.iter()
                .map(|value| cell(evaluator, value))
                .collect::<Result<_>>()?,
        );
    }
    let listing = Listing::new(columns.iter().map(String::as_str), cells);
    Ok(Value::answer_row(
        Report::Listing(listing),
        rows.iter().cloned(),
    ))
}

/// Converts a value to a cell of a table; a value with several parts is printed as text.
fn cell(evaluator: &Evaluator<'_>, value: &Value) -> Result<Scalar> {
    Ok(
        match report(&evaluator.world.games, value, evaluator.context)? {
            Report::Scalar(scalar) => scalar,
            _ => Scalar::String(evaluator.print(value)?),
        },
    )
}

fn uneven(found: usize, expected: usize, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::WrongCount,
        format!(
            "a row has {}, but the table has {}",
            counted(found, "value"),
            counted(expected, "heading")
        ),
    )
    .label(span, "these rows")
    .help("give each row a value for every heading")
    .into()
}

/// Returns the first argument that comes before (or after) all others.
fn extreme(call: &Call<'_>, wanted: std::cmp::Ordering, context: &Context<'_>) -> Result<Value> {
    let list;
    let mut values: Box<dyn Iterator<Item = &Value>> = match &call.arguments[..] {
        [Operand { value, span }] => {
            list = elements(value, *span)?;
            Box::new(list.iter())
        }
        many => Box::new(many.iter().map(|given| &given.value)),
    };
    let mut comparer = Comparer::new(context);
    let mut best = values.next().ok_or_else(|| nothing(call))?.clone();
    for value in values {
        if let (Some(x), Some(y)) = (BoundedNumber::of(&best), BoundedNumber::of(value)) {
            // Of numbers between bounds the extreme is known even if they overlap.
            best = extreme_of(&x, &y, wanted);
        } else if comparer.order(value, &best, call.span)? == wanted {
            best = value.clone();
        }
    }
    Ok(best)
}

fn nothing(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadValue,
        format!("`{}` of an empty list has no value", call.name),
    )
    .label(call.span, "the list is empty")
    .into()
}
