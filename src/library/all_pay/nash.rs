//! `nash`: both players' optimal mixed bids.

use num_bigint::BigInt;

use super::SolvedPosition;
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Call, Evaluator};
use crate::ir::Value;
use crate::library::all_pay::value::covering;
use crate::library::all_pay::{bidding_purses, solve_all_pay, warn_of_cycles};
use crate::library::scoring::mixed;
use crate::library::scoring::mixed::BidPosition;
use crate::player::{GameId, PerPlayer, Player};
use crate::report::{DecisionRange, MixedBid, MixedMeasure, Nash, Report, Weight};
use crate::rules::Purses;
use crate::rules::admit::ChipsQuestion;
use crate::scalar::{Interval, Scalar};
use crate::solve::all_pay::{self, BidMethod, Equilibrium, ExactOrCertified, Payoff};
use crate::solve::law::decision::Choice;
use crate::source::Span;

pub(crate) fn nash(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    if evaluator.asked(game)? == ChipsQuestion::Score {
        return mixed::nash(evaluator, call, game);
    }
    let purses = bidding_purses(evaluator, call)?;
    let place = solve_all_pay(evaluator, game, purses.chips, call.span)?;
    let rules = evaluator.rules();
    let graph = &place.explored.graph;
    let value = match place.solved.value(place.node, &purses) {
        ExactOrCertified::Exact(value) => Scalar::from(value),
        ExactOrCertified::Certified(value) => {
            warn_of_cycles(evaluator, place.solved.rounds(), value.width(), call.span);
            Scalar::from(value)
        }
    };
    if place.is_over() {
        let nash = Nash {
            worth: MixedMeasure::Probability,
            value,
            method: BidMethod::Exact.words(),
            players: Vec::new(),
        };
        return Ok(Value::answer(Report::Nash(nash)));
    }
    let context = evaluator.context;
    let found = place
        .solved
        .equilibrium(graph, &rules, place.node, &purses, context)?;
    let (method, weights) = match found {
        ExactOrCertified::Exact(found) => (
            found.method,
            weights(found, |weight| Weight::Exact(weight.clone())),
        ),
        ExactOrCertified::Certified(found) => (
            found.method,
            weights(found, |weight| Weight::Float(*weight)),
        ),
    };
    let mut players = Vec::new();
    for player in Player::BOTH {
        let bids: Vec<(u64, Weight)> = (0..)
            .zip(weights[player].iter().cloned())
            // Only bids that are made are listed, of which there are few among many chips.
            .filter(|(_, weight)| weight.approximate() > 0.0)
            .collect();
        players.push(MixedBid {
            player,
            chips: purses.words(player),
            decisions: decided(evaluator, &place, game, &purses, player, &bids)?,
            bids: bids
                .into_iter()
                .map(|(bid, weight)| (BigInt::from(bid), weight))
                .collect(),
        });
    }
    let nash = Nash {
        worth: MixedMeasure::Probability,
        value,
        method: method.words(),
        players,
    };
    Ok(Value::answer(Report::Nash(nash)))
}

fn weights<N: Payoff>(
    found: Equilibrium<N>,
    weight: impl Fn(&N::Probability) -> Weight,
) -> PerPlayer<Vec<Weight>> {
    found
        .strategies
        .map(|bids| bids.iter().map(&weight).collect())
}

/// Returns a floating-point probability, unrounded.
fn decimal(weight: f64) -> Scalar {
    Scalar::Interval(Interval {
        low: weight,
        high: weight,
    })
}

/// Computes Alice's optimal mixed bid for each pair of budgets: the probability of each bid from 0
/// to her budget.
pub(crate) fn mixed_bids_of_alice(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    pairs: &[PerPlayer<u64>],
    status: Option<Player>,
    span: Span,
) -> Result<Vec<Vec<Scalar>>> {
    let most = |player| {
        pairs
            .iter()
            .map(|chips: &PerPlayer<u64>| chips[player])
            .max()
            .unwrap_or(0)
    };
    let most = PerPlayer::new(most(Player::Alice), most(Player::Bob));
    let rules = evaluator.rules();
    let mut mixes = Vec::new();
    for &chips in pairs {
        evaluator.context.check()?;
        // Solutions are kept by their budgets, so one that covers all pairs is computed once.
        let place = solve_all_pay(evaluator, game, covering(evaluator, chips, most), span)?;
        let graph = &place.explored.graph;
        if place.is_over() {
            return Err(
                Diagnostic::new(Code::BadPosition, "the game is over, so nobody bids")
                    .label(span, "asks for the bids")
                    .into(),
            );
        }
        let purses = Purses { chips, status };
        let context = evaluator.context;
        let solved = &place.solved;
        let mut mix = match solved.equilibrium(graph, &rules, place.node, &purses, context)? {
            ExactOrCertified::Exact(found) => found
                .strategies
                .alice
                .iter()
                .map(Scalar::from)
                .collect::<Vec<_>>(),
            ExactOrCertified::Certified(found) => found
                .strategies
                .alice
                .iter()
                .map(|weight| decimal(*weight))
                .collect(),
        };
        // Solvers leave out bids of weight 0 at the end, which are written here.
        mix.resize(fit::<usize>(chips.alice) + 1, Scalar::Integer(BigInt::ZERO));
        mixes.push(mix);
    }
    Ok(mixes)
}

/// Returns a player's decisions after one of these bids, in words.
fn decided(
    evaluator: &mut Evaluator<'_>,
    place: &SolvedPosition,
    game: GameId,
    purses: &Purses,
    player: Player,
    bids: &[(u64, Weight)],
) -> Result<Vec<DecisionRange>> {
    let (rules, node) = (evaluator.rules(), place.node);
    let (explored, solved) = (&place.explored, &place.solved);
    let graph = &explored.graph;
    let bids: Vec<u64> = bids.iter().map(|(bid, _)| *bid).collect();
    let position = BidPosition {
        explored,
        node,
        game,
        purses,
    };
    position.decided(evaluator, player, &bids, |winner, left| {
        Ok(if winner == player {
            all_pay::choice(solved, graph, &rules, node, left, player)
        } else {
            Choice {
                mover: player,
                to: all_pay::destination(solved, graph, node, left, player),
            }
        })
    })
}
