//! Turns of bids: `precise` and `length`, the structure of optimal bids, and payoffs for `nfg` and
//! `efg`.

use num_rational::BigRational;

use super::SolvedPosition;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Call, Evaluator, Placed};
use crate::game::print_game;
use crate::ir::Value;
use crate::library::all_pay::{bidding_purses, solve_all_pay};
use crate::library::formats::interchange::BidTurn;
use crate::player::Player;
use crate::rules::Purses;
use crate::solve::all_pay::{self, ExactOrCertified, Matrix, Preciseness};
use crate::source::Span;
use crate::watch::{Stop, watched};

pub(crate) fn precise(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let Some((place, purses, advantage)) = turn(evaluator, call)? else {
        return Err(no_turn(call));
    };
    let matrix = place.matrix(evaluator, &purses)?;
    match all_pay::precision(&matrix, advantage) {
        Preciseness::Precise => Ok(Value::Bool(true)),
        Preciseness::Imprecise => Ok(Value::Bool(false)),
        Preciseness::Undecided => Err(needs_exact(
            "the proved bounds do not tell whether every chip counts",
            &place,
            call.span,
        )),
    }
}

pub(crate) fn length(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let Some((place, purses, advantage)) = turn(evaluator, call)? else {
        return Err(no_turn(call));
    };
    let why = "the length of optimal bids is a question about exact values";
    let matrix = exact_matrix(evaluator, &place, &purses, why, call.span)?;
    let length = all_pay::length(&matrix, advantage, evaluator.context)?;
    Ok(Value::integer(length))
}

/// Returns Alice's winning probability for each pair of bids, if all of them are known exactly.
fn exact_matrix(
    evaluator: &Evaluator<'_>,
    place: &SolvedPosition,
    purses: &Purses,
    why: &str,
    span: Span,
) -> Result<Matrix<BigRational>> {
    let exact = match place.matrix(evaluator, purses)? {
        ExactOrCertified::Exact(matrix) => Some(matrix),
        ExactOrCertified::Certified(matrix) => matrix.exact(evaluator.context)?,
    };
    exact.ok_or_else(|| needs_exact(why, place, span))
}

/// Returns the turn that a query asks for, with Alice's winning probability for each pair of bids.
pub(crate) fn exact_turn(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<BidTurn> {
    let game = call.game();
    let title = print_game(&evaluator.world.games, game);
    let purses = bidding_purses(evaluator, call)?;
    let place = solve_all_pay(evaluator, game, purses.chips, call.span)?;
    if place.is_over() {
        return Err(no_turn(call));
    }
    let [alice, bob] = Player::both(|player| purses.words(player));
    let title = format!("{title}: alice has {alice}, bob has {bob}");
    let why = "the payoffs of the turn are not exact";
    let matrix = exact_matrix(evaluator, &place, &purses, why, call.span)?;
    let row = |own: usize| {
        let others = watched(0..matrix.bids(Player::Bob), evaluator.context);
        others
            .map(|other| other.map(|other| matrix.at(own, other).clone()))
            .collect::<Result<Vec<_>, Stop>>()
    };
    let is_bid_for = place.explored.graph.owner(place.node).is_none();
    let least = |chips| {
        let least = evaluator.rules().minimum_bid.of(chips);
        // At a vertex that belongs to one player nobody bids, so no minimum applies.
        if is_bid_for { least } else { 0 }
    };
    let bids = Player::both(|player| matrix.bids(player));
    let payoffs = bids[0].saturating_mul(bids[1]);
    let bytes = payoffs.saturating_mul(size_of::<BigRational>());
    // The payoffs are copied out of the matrix, which takes as much memory again.
    evaluator.context.admit(bytes as u64)?;
    let payoffs = (0..bids[0]).map(row);
    Ok(BidTurn {
        title,
        least: purses.chips.map(least),
        payoffs: payoffs.collect::<Result<_, Stop>>()?,
    })
}

fn needs_exact(why: &str, place: &SolvedPosition, span: Span) -> Box<Diagnostic> {
    let (cause, help) = if place.explored.graph.is_acyclic() {
        (
            "solved between bounds, as the game is large",
            "ask for exact values: `using { solver: exact }`; that takes long for many chips or positions",
        )
    } else {
        (
            "solved between bounds, as positions can come back",
            "truncate the game, `G[n]`: without cycles `solver: exact` finds exact values",
        )
    };
    Diagnostic::new(Code::NotSupported, why)
        .label(span, cause)
        .help(help)
        .into()
}

fn no_turn(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "the game is over, so nobody bids")
        .label(call.span, "there is no turn to ask about")
        .help("ask about a position where somebody can move")
        .into()
}

/// Returns the turn that a query about the structure of bids asks for; `None` if the game is over.
fn turn(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
) -> Result<Option<(SolvedPosition, Purses, Player)>> {
    let game = call.game();
    let purses = bidding_purses(evaluator, call)?;
    let advantage = all_pay::tie_winner(&evaluator.rules(), &purses).placed(call.span)?;
    let place = solve_all_pay(evaluator, game, purses.chips, call.span)?;
    if place.is_over() {
        return Ok(None);
    }
    Ok(Some((place, purses, advantage)))
}
