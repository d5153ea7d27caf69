//! Computes the values of the cells of a selection game (`pivotal`).

use num_bigint::BigInt;
use num_traits::Signed;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, Placed, look, no_question};
use crate::game::GameExpr;
use crate::game::ruleset::selection::{NoSelection, Selection};
use crate::ir::{Kinds, Parameter, Value};
use crate::library::GAME;
use crate::player::Player;
use crate::report::{BoardLook, Pivotal, PivotalCell, Report};
use crate::rules::{FieldValue, Payment, Rules, Winner, admit};
use crate::scalar::{Interval, Scalar};
use crate::solve::selection::{
    self, CountFailure, Counts, DOUBT, EXACT_CELLS, FillingMethod, KnownNumber,
};
use crate::source::Span;

/// The number of fillings that are sampled if there are too many to judge all of them.
const SAMPLES: u64 = 500_000;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "pivotal"(GAME) -> Kinds::ANSWER, Some(no_question), pivotal,
        {
            named: &[
                Parameter::new("samples", Kinds::INTEGER),
                Parameter::new("seed", Kinds::INTEGER),
            ]
        }
        "The worth of each empty cell of G, if G is a selection game, like Hex: the players take cells, and the \
         filled board decides. A cell is pivotal if the player who takes it wins when the other cells are filled at \
         random. The best move takes the cell that is likeliest to be pivotal, and the best bid is half that \
         probability, of all chips. Where every cell hurts its owner, the winner of the bid lets the opponent take \
         one. With at most 26 empty cells all fillings are judged, otherwise 500,000 random \
         ones, with proved bounds; `samples:` asks for another number of random ones, `seed:` for another random \
         sample. Exact probabilities are also a list, cell by cell. `svg(pivotal(G))` is a heat map.",
        "use \"games/classics.bid\"\npivotal(hex(2, 2))" => "alice wins with probability 1/2\n\
                 a selection game: all 16 fillings judged\n\
                 \n\
                 \x20 0.2500  0.5000\n\
                 \x20     0.5000  0.2500\n\
                 \n\
                 best   (0, 1), (1, 0)\n\
                 bid    1/4 of all chips";
};

fn pivotal(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let (game, span) = (call.game(), call.arguments[0].span);
    let rules = evaluator.rules();
    admit::random_turns(&rules).placed(span)?;
    if rules.pay != Payment::Richman {
        return Err(other_payment(&rules, span));
    }
    let samples = call.count("samples", 1)?;
    let seed = call.count("seed", 0)?.unwrap_or(0);
    let games = &evaluator.world.games;
    let GameExpr::State(id, state) = games.expr(game) else {
        return Err(no_selection(NoSelection::State, span));
    };
    let ruleset = games.ruleset(*id);
    let selection = ruleset
        .selection(state)
        .map_err(|why| no_selection(why, span))?;
    let empty = selection
        .taken
        .iter()
        .filter(|owner| owner.is_none())
        .count();
    let method = match samples {
        None if empty <= EXACT_CELLS => FillingMethod::Exact,
        // If the user asks for a number of samples, they are drawn even on a small board.
        _ => FillingMethod::Sample {
            fillings: samples.unwrap_or(SAMPLES),
            seed,
        },
    };
    let counts =
        selection::count(&selection, method, evaluator.context).map_err(
            |failure| match failure {
                CountFailure::Stopped(stop) => stop.into(),
                CountFailure::NotOneWinner(owners) => not_one_winner(&owners, selection.cols, span),
            },
        )?;
    let board = table(&selection, look(games, game), &counts, rules.winner);
    let probabilities: Option<Vec<Value>> = board.cells.iter().map(probability).collect();
    let report = Report::Pivotal(board);
    Ok(match probabilities {
        Some(exact) => Value::answer_row(report, exact),
        None => Value::answer(report),
    })
}

/// Returns the probability of a cell as a value, if it is known exactly. A cell that is taken
/// decides nothing any more, so its probability is 0.
fn probability(cell: &PivotalCell) -> Option<Value> {
    match cell {
        PivotalCell::Taken(_) => Some(Value::integer(0)),
        PivotalCell::Open {
            probability: Scalar::Integer(n),
            ..
        } => Some(Value::Integer(n.clone())),
        PivotalCell::Open {
            probability: Scalar::Rational(q),
            ..
        } => Some(Value::Rational(q.clone())),
        PivotalCell::Open { .. } => None,
    }
}

fn table(selection: &Selection<'_>, look: BoardLook, counts: &Counts, winner: Winner) -> Pivotal {
    let open = || (0..selection.taken.len()).filter(|cell| selection.taken[*cell].is_none());
    // The counts are compared, not the probabilities, which are rounded in samples.
    let most = open().map(|cell| counts.agreement(cell)).max();
    let cell = |index: usize| match selection.taken[index] {
        Some(player) => PivotalCell::Taken(player),
        None => PivotalCell::Open {
            probability: scalar(&counts.pivotal(index)),
            best: Some(counts.agreement(index)) == most,
        },
    };
    let hurts = most.is_some_and(|most| most < 0);
    let best = open()
        .find(|cell| Some(counts.agreement(*cell)) == most)
        // Nobody wants to win a bid where the winner has to take a cell that hurts.
        .filter(|_| !hurts || winner == Winner::Chooses);
    Pivotal {
        look,
        cols: selection.cols,
        cells: (0..selection.taken.len()).map(cell).collect(),
        win: scalar(&counts.win()),
        bid: best.map(|cell| scalar(&half(counts.pivotal(cell)))),
        lets: hurts && best.is_some(),
        method: match counts.method {
            FillingMethod::Exact => format!(
                "a selection game: all {} fillings judged",
                grouped(counts.fillings)
            ),
            FillingMethod::Sample { .. } => format!(
                "a selection game: {} random fillings judged; each cell is within {:.4}, except with probability {DOUBT:e} in all",
                grouped(counts.fillings),
                counts.error()
            ),
        },
    }
}

/// Returns the best bid, half the absolute value of a number: to have the cell, or to let the
/// opponent have it.
fn half(known: KnownNumber) -> KnownNumber {
    match known {
        KnownNumber::Exactly(value) => KnownNumber::Exactly(value.abs() / BigInt::from(2)),
        KnownNumber::Between(low, high) => {
            let least = low.max(-high).max(0.0);
            KnownNumber::Between(least / 2.0, high.max(-low) / 2.0)
        }
    }
}

fn scalar(known: &KnownNumber) -> Scalar {
    match known {
        KnownNumber::Exactly(value) if value.is_integer() => Scalar::Integer(value.to_integer()),
        KnownNumber::Exactly(value) => Scalar::Rational(value.clone()),
        KnownNumber::Between(low, high) => Scalar::Interval(Interval {
            low: *low,
            high: *high,
        }),
    }
}

/// Formats a number with groups of digits: `33,554,432`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits
        .as_bytes()
        // Groups are counted from the right, so that the first may be shorter.
        .rchunks(3)
        .rev()
        .map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

fn other_payment(rules: &Rules, span: Span) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Pay(rules.pay.clone()).words();
    Diagnostic::new(
        Code::RulesClash,
        format!("pivotal cells do not give the best bids under `{name}: {value}`"),
    )
    .label(span, "asked about here")
    .note("the best bid is half the probability of being pivotal where the winner pays the other player")
    .help(if rules.pay.is_all_pay() {
        "write `using { pay: richman }`"
    } else {
        "write `using { pay: richman }`, or ask for `moves(G)`, the value of every move"
    })
    .into()
}

fn no_selection(why: NoSelection, span: Span) -> Box<Diagnostic> {
    let why = match why {
        NoSelection::State => "its positions are not one board whose cells are empty or a player's",
        NoSelection::Moves => {
            "its moves do something other than take any one empty cell for the mover"
        }
        NoSelection::Endings => {
            "it can end before the board is full, in a way that further cells might undo"
        }
    };
    Diagnostic::new(
        Code::NotSupported,
        format!("this is not known to be a selection game, because {why}"),
    )
    .label(span, "not a selection game")
    .help("for any game `moves(G)` gives every move's value, and `R(G)` the game's")
    .into()
}

fn not_one_winner(owners: &[Player], cols: usize, span: Span) -> Box<Diagnostic> {
    let letter = |player: &Player| if *player == Player::Alice { 'A' } else { 'B' };
    let rows: Vec<String> = owners
        .chunks(cols)
        .map(|row| row.iter().map(letter).collect())
        .collect();
    Diagnostic::new(
        Code::NotSupported,
        "this is not a selection game, because not every filled board has one winner",
    )
    .label(span, "not a selection game")
    .note(format!("nobody wins, or both do, at {:?}", rows.join("/")))
    .help("for any game `moves(G)` gives every move's value, and `R(G)` the game's")
    .into()
}
