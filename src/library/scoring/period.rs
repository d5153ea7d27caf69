//! Computes the period of bidding cumulative subtraction on heaps of every size (`period`).
use num_traits::ToPrimitive;

use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::eval::{Builtin, Call, Evaluator, Placed, elements, graphs};
use crate::game::Score;
use crate::ir::{Kinds, Operand, Parameter, Value};
use crate::library::scoring::pure::{budget, scalar};
use crate::library::totals::closed;
use crate::player::GameId;
use crate::report::{Report, fact};
use crate::rules::admit::{self, ChipsQuestion};
use crate::solve::scoring::{Period, Takes, period};
use crate::source::Span;

/// The number of heaps after which the search is given up.
const MOST_HEAPS: usize = 1_000_000;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "period"(&[
        Parameter::new("G", Kinds::GAME.or(Kinds::SEQUENCE)),
        Parameter::new("TB", Kinds::INTEGER),
    ]) -> Kinds::ANSWER, Some(graphs), run,
        { required: 1, named: &[Parameter::new("bob", Kinds::SEQUENCE)] }
        "The period of a game or of a subtraction set. For a game, it is the period of f(G, k) in k, \
         with its increment, a whole number of chips, and the total from which both hold; if `table` \
         has two rows, for each row. As a list: period, total, increment, or a list of such lists. \
         For a subtraction set and a total budget, it is the eventual period of bidding cumulative \
         subtraction: players take one of these numbers from a heap and score it. The answer has the \
         least heap from which on the period holds for every heap. `bob:` gives Bob other numbers. \
         The proof is a repeated state of the whole table of values. As a list: period, heap, \
         increment; if the increment depends on the split, a list by Alice's chips (two lists if \
         there is a tie status, the first with Alice as its holder, the second with Bob).",
        "period(A ∧ B^2)" => "period     8\nfrom       0\nincrement  3",
        "period([1], 5)[0] using larsson" => "2";
};

fn run(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    if let Some(game) = one_game(call)? {
        return closed::period(evaluator, game, &call.labels[0]);
    }
    let total = budget(call)?;
    let rules = evaluator.rules();
    admit::chips(&rules, ChipsQuestion::Score).placed(call.span)?;
    let alice = numbers(&call.arguments[0].value, call.arguments[0].span)?;
    let (bob, span) = match call.named.first() {
        Some((_, Operand { value, span })) => (numbers(value, *span)?, *span),
        None => (alice.clone(), call.arguments[0].span),
    };
    let takes = Takes::new(alice, bob).ok_or_else(|| bad_takes(span))?;
    let Some(found) = period(&takes, &rules, total, MOST_HEAPS, evaluator.context)? else {
        return Err(not_found(call.span));
    };
    let (told, value) = increments(&found, rules.ties.has_status());
    let facts = vec![
        fact("period", found.period),
        fact("from heap", found.from),
        fact("increment", told),
        fact("proof", proof(&found, takes.greatest())),
    ];
    let values = [
        Value::integer(found.period),
        Value::integer(found.from),
        value,
    ];
    Ok(Value::answer_row(Report::Record(facts), values))
}

/// Returns the growth of the score: one number, or one for each number of Alice's chips, in a list
/// for each holder of the tie status.
fn increments(found: &Period, has_status: bool) -> (Report, Value) {
    if let Some(increment) = found.increment() {
        return (
            scalar(Score::from(increment)).into(),
            Value::integer(increment),
        );
    }
    let list = |increments: &[i64]| {
        Value::list(
            increments
                .iter()
                .map(|increment| Value::integer(*increment)),
        )
    };
    let by_chips = |increments: &[i64]| {
        let runs = increments.chunk_by(|a, b| a == b).scan(0, |chips, run| {
            let (first, last) = (*chips, *chips + run.len() - 1);
            *chips += run.len();
            let range = if first == last {
                first.to_string()
            } else {
                format!("{first}..{last}")
            };
            Some(format!("{} for {range}", run[0]))
        });
        runs.collect::<Vec<_>>().join(", ")
    };
    if !has_status {
        return (
            format!("by Alice's chips: {}", by_chips(&found.increments)).into(),
            list(&found.increments),
        );
    }
    // The splits with the tie status Alice's come first, and then as many with it Bob's.
    let (hers, his) = found.increments.split_at(found.increments.len() / 2);
    let told = format!(
        "by Alice's chips: {}; with the tie status Bob's: {}",
        by_chips(hers),
        by_chips(his)
    );
    (told.into(), Value::tuple([list(hers), list(his)]))
}

/// Returns the proof that the period holds for all heaps, in words.
fn proof(found: &Period, width: usize) -> String {
    let (rows, before) = match width {
        1 => (
            "the last row equals that".to_owned(),
            "the one before it".to_owned(),
        ),
        _ => (
            format!("the last {width} rows equal those"),
            format!("the {width} rows before it"),
        ),
    };
    let Some(increment) = found.increment() else {
        return format!(
            "splits that grow faster are so far ahead that no minimum or maximum changes its place any more, and the rows of two \
             periods grow by these increments; each later row follows from {before} by minima and maxima alone"
        );
    };
    let plus = match increment {
        0 => String::new(),
        1.. => format!(" plus {increment}"),
        ..0 => format!(" minus {}", increment.unsigned_abs()),
    };
    format!(
        "for every split {rows} of {} earlier{plus}, and each later row follows from {before} alone",
        counted(found.period, "heap")
    )
}

/// Returns the game whose period is asked for; `None` if the question is about a subtraction set.
fn one_game(call: &Call<'_>) -> Result<Option<GameId>> {
    let message = match (
        &call.arguments[0].value,
        call.arguments.len(),
        call.named.len(),
    ) {
        (Value::Game(game), 1, 0) => return Ok(Some(*game)),
        (Value::Game(_), ..) => "the period of a game needs the game alone",
        (_, 1, _) => "the period of a subtraction set needs a total budget",
        _ => return Ok(None),
    };
    let help = "write `period(G)` for a game, `period([1, 3], 10)` for a subtraction set";
    Err(Diagnostic::new(Code::WrongCount, message)
        .label(call.span, "called here")
        .help(help)
        .into())
}

fn numbers(list: &Value, span: Span) -> Result<Vec<usize>> {
    /// The most that can be taken at once; the number of rows that are kept equals it.
    const MOST: usize = 10_000;
    let number = |value: &Value| match value {
        Value::Integer(n) => n
            .to_usize()
            .filter(|n| (1..=MOST).contains(n))
            .ok_or_else(|| bad_takes(span)),
        _ => Err(bad_takes(span)),
    };
    elements(list, span)?.iter().map(number).collect()
}

fn bad_takes(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadValue,
        "a subtraction set is a list of whole numbers, 1 or more and not too large",
    )
    .label(span, "not a subtraction set")
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
