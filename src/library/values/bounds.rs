//! Computes lower and upper bounds on the value of a game by truncation (`bounds`).

use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::ask::{About, Bounded, Depth};
use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::eval::{Builtin, Call, Evaluator, Placed};
use crate::ir::{Kinds, Parameter, Value};
use crate::library::GAME;
use crate::library::values::queries::threshold_value;
use crate::library::{arguments, asks};
use crate::player::GameId;
use crate::source::Span;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "bounds"(GAME) -> Kinds::LIST, Some(asks::bounds), bounds,
        {
            income: true,
            named: &[
                Parameter::new("moves", Kinds::INTEGER),
                Parameter::new("chips", Kinds::INTEGER),
                Parameter::new("lines", Kinds::BOOL),
            ]
        }
        "`bounds(G, moves: n)` is the list `[low, high]`: the value of R(G) if every play of more \
         than n moves is worth a win to Alice, and its value if such a play is worth a win to Bob. \
         R(G) lies between them, even if play can go on for ever. `chips: k` asks for f(G, k) \
         instead. Without `moves` the number of moves grows by one at a time, until the bounds are \
         no further apart than `precision`, or until a limit or Ctrl-C stops the work: then the last \
         bounds are the answer. Tables with 16 bits a position give the bounds at once if \
         `precision: 1e-3` or so is enough and the number of positions is within the limit. With \
         `lines: true` bounds are tighter for drop games: lines that a player may still complete \
         count at the cut-off. Without `moves` they count unless `lines: false` is given.",
        "bounds(A ∧ (A^2 ∧ B^3), moves: 3)" => "[1/8, 3/8]",
        "bounds(A ∧ (A^2 ∧ B^3)) == [R(A ∧ (A^2 ∧ B^3)), 9/32]" => "true",
        "bounds(B^3, moves: 1, chips: 5)" => "[3, 6]";
};

/// Reads the depth to which play goes, if it is given, and the total of chips, if the question is
/// about chips.
pub(crate) fn depth(call: &Call<'_>) -> Result<(Option<Depth>, Option<u64>)> {
    let total = call
        .option("chips")
        .map(|given| arguments::total(given.value, given.span))
        .transpose()?;
    let lines = call.flag("lines").unwrap_or(false);
    let moves = call.count("moves", 0)?;
    let moves = moves.map(|moves| small(moves, call)).transpose()?;
    Ok((moves.map(|moves| Depth { moves, lines }), total))
}

fn bounds(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    match depth(call)? {
        (Some(depth), total) => truncated(evaluator, game, depth, total).map(value),
        (None, total) => deepened(
            evaluator,
            game,
            call.flag("lines").unwrap_or(true),
            total,
            call.span,
        ),
    }
}

fn small(moves: u64, call: &Call<'_>) -> Result<u32> {
    moves
        .to_u32()
        // The method looks one move beyond the last, so that the number has to leave room for it.
        .filter(|moves| *moves < u32::MAX)
        .ok_or_else(|| {
            let span = call.option("moves").map_or(call.span, |given| given.span);
            Diagnostic::new(Code::BadValue, "these are more moves than can be counted")
                .label(span, "too many")
                .help("write, for example, `moves: 100`: each further move takes more time")
                .into()
        })
}

fn value(bounds: Bounded) -> Value {
    match bounds {
        Bounded::Shares(bounds) => Value::list(bounds.map(Value::rational)),
        Bounded::Chips(bounds) => Value::list(bounds.iter().map(threshold_value)),
    }
}

/// Returns `true` if the bounds differ by at most `precision`; thresholds in chips must be equal.
fn are_within(bounds: &Bounded, precision: &BigRational) -> bool {
    match bounds {
        Bounded::Shares([low, high]) => high - low <= *precision,
        Bounded::Chips([low, high]) => low == high,
    }
}

fn words(bounds: &Bounded) -> String {
    match bounds {
        Bounded::Shares([low, high]) => {
            format!("from {:.6} to {:.6}", approximate(low), approximate(high))
        }
        Bounded::Chips([low, high]) => format!("from {low} to {high} chips"),
    }
}

/// Returns an approximation, precise enough for a line of progress.
fn approximate(share: &BigRational) -> f64 {
    share.to_f64().unwrap_or(f64::NAN)
}

/// Computes the bounds if plays longer than `depth` are given to one player.
fn truncated(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    depth: Depth,
    total: Option<u64>,
) -> Result<Bounded> {
    let rules = evaluator.rules();
    evaluator
        .ask()
        .about(game, About::Truncated { depth, total }, &rules)
}

/// Computes bounds at increasing depth, one move further each time, until they are close enough or
/// the work is stopped.
fn deepened(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    lines: bool,
    total: Option<u64>,
    span: Span,
) -> Result<Value> {
    let rules = evaluator.rules();
    let swept = if total.is_none() {
        evaluator.ask().about(game, About::Bounds, &rules)?
    } else {
        None
    };
    if let Some(bounds) = swept {
        return Ok(value(Bounded::Shares(bounds)));
    }
    let precision = rules.precision;
    // The first bounds are found outside of the loop, so that there is an answer if it is stopped.
    let mut best = truncated(evaluator, game, Depth { moves: 0, lines }, total)?;
    for moves in 1..u32::MAX {
        if are_within(&best, &precision.0) {
            break;
        }
        let words = format!(
            "bounds after {}: {}",
            counted(moves - 1, "move"),
            words(&best)
        );
        evaluator.context.report(&words, u64::from(moves), None);
        match truncated(evaluator, game, Depth { moves, lines }, total) {
            Ok(bounds) => best = bounds,
            // The bounds so far are true, only wider than asked for, so they are the answer.
            Err(stopped) if stopped.code.is_stop() => {
                evaluator
                    .warnings
                    .push(not_narrow(&stopped, moves - 1, span));
                break;
            }
            Err(other) => return Err(other).placed(span),
        }
    }
    Ok(value(best))
}

fn not_narrow(stopped: &Diagnostic, moves: u32, span: Span) -> Diagnostic {
    let warning = Diagnostic::new(
        Code::NotNarrow,
        format!(
            "the bounds are those of plays of {}",
            counted(moves, "move")
        ),
    )
    .label(span, "asks for narrower ones")
    .note(stopped.message.clone());
    warning.maybe_help(stopped.help.clone())
}
