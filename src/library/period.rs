//! `period`: bidding cumulative subtraction on heaps of every size.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::scoring::{budget, scalar};
use super::{Builtin, Call, Parameter, closed};
use crate::check::Kinds;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Answer, Evaluator, Value, elements, placed};
use crate::game::{GameId, Score};
use crate::report::{Report, Scalar};
use crate::solve::chips;
use crate::solve::scoring::{Takes, period};
use crate::source::Span;

/// How many heaps are looked at before the search is given up.
const MOST_HEAPS: usize = 1_000_000;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[Builtin {
    required: 1,
    named: &[Parameter { name: "bob", kinds: Kinds::SEQUENCE }],
    help: "Of a game: the period of f(G, k) in k, in which it grows by a whole number of chips, with the total from which on this \
           holds; of each of the two rows of `table` where it has two. As a list: period, total, increment, or a list of such lists. Of a subtraction set and a total budget: the eventual period of bidding \
           cumulative subtraction, with the least heap from which it holds for every heap: players take one of these numbers \
           from a heap and score it. `bob:` names Bob's numbers, if they are others. Proved by a repeated state of the whole \
           table of values. As a list: period, heap, increment.",
    examples: &[
        ("period(A ∧ B^2)", "period     8\nfrom       0\nincrement  3"),
        ("period([1], 5)[0] using larsson", "2"),
    ],
    run,
    ..Builtin::new(
        "period",
        &[
            Parameter { name: "G", kinds: Kinds::GAME.or(Kinds::SEQUENCE) },
            Parameter { name: "TB", kinds: Kinds::INTEGER },
        ],
        Kinds::ANSWER,
    )
}];

fn run(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    if let Some(game) = one_game(call)? {
        return closed::period(evaluator, game, &call.labels[0]);
    }
    let total = budget(call)?;
    let rules = evaluator.rules();
    chips::admit(&rules, chips::Asked::Score).map_err(|error| placed(error, call.span))?;
    let alice = numbers(&call.arguments[0])?;
    let (bob, span) = match call.named.first() {
        Some((_, value, span)) => (numbers(&(value.clone(), *span))?, *span),
        None => (alice.clone(), call.arguments[0].1),
    };
    let takes = Takes::new(alice, bob).ok_or_else(|| bad_takes(span))?;
    let Some(found) = period(&takes, &rules, total, MOST_HEAPS, evaluator.watch)? else {
        return Err(not_found(call.span));
    };
    let integer = |n: usize| Report::Scalar(Scalar::Integer(BigInt::from(n)));
    let width = takes.greatest();
    let rows = if width == 1 { "the row is that".to_owned() } else { format!("the last {width} rows are those") };
    let plus = if found.increment == 0 { String::new() } else { format!(" plus {}", found.increment) };
    let proof = format!(
        "{rows} of {} heaps before{plus} for every split, and every later row is computed from {} alone",
        found.period,
        if width == 1 { "the one before" } else { "those before" },
    );
    let facts = [
        ("period", integer(found.period)),
        ("from heap", integer(found.from)),
        ("increment", Report::Scalar(scalar(Score::from(found.increment)))),
        ("proof", Report::Scalar(Scalar::String(proof))),
    ];
    let facts = facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
    let values = [Value::integer(found.period), Value::integer(found.from), Value::integer(found.increment)];
    Ok(Value::Answer(Answer::row(Report::Record(facts), values).into()))
}

/// The game whose period is asked for; `None` if it is that of a subtraction set.
fn one_game(call: &Call<'_>) -> Result<Option<GameId>> {
    let message = match (&call.arguments[0].0, call.arguments.len(), call.named.len()) {
        (Value::Game(game), 1, 0) => return Ok(Some(*game)),
        (Value::Game(_), ..) => "the period of a game needs the game alone",
        (_, 1, _) => "the period of a subtraction set needs a total budget",
        _ => return Ok(None),
    };
    let help = "write `period(G)` for a game, `period([1, 3], 10)` for a subtraction set";
    Err(Diagnostic::new(Code::WrongCount, message).label(call.span, "called here").help(help).into())
}

fn numbers((list, span): &(Value, Span)) -> Result<Vec<usize>> {
    /// The most that can be taken at once: as many rows are kept.
    const MOST: usize = 10_000;
    let number = |value: &Value| match value {
        Value::Integer(n) => n.to_usize().filter(|n| (1..=MOST).contains(n)).ok_or_else(|| bad_takes(*span)),
        _ => Err(bad_takes(*span)),
    };
    elements(list, *span)?.iter().map(number).collect()
}

fn bad_takes(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "a subtraction set is a list of whole numbers, 1 or more and not too large")
        .label(span, "no subtraction set")
        .help("write, for example, `period([1, 3], 10)`")
        .into()
}

fn not_found(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::NotSupported,
        format!("no state of the table repeats up to heap {MOST_HEAPS}, so nothing is known"),
    )
    .label(span, "asks for the period")
    .help("ask for a smaller total budget or a smaller subtraction set")
    .into()
}
