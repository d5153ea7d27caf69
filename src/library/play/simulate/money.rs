//! Simulates matches with money, in exact amounts (`simulate(G, a, b)` if any amount may be bid).
//!
//! The player who has enough to win (or, if neither has, Alice, who has enough not to lose) bids
//! and moves as `strategy(G, a, b)` advises. The opponent bids a random part of the money and moves
//! at random. The player who has enough wins every one of these matches, or does not lose.

use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::ir::Value;
use crate::library::play::matches::{Advised, Dice, MatchSetup, Scene, Scenes, Toss};
use crate::library::play::simulate::chips::{against_random, answer, counted};
use crate::library::values::real;
use crate::report::{Report, ReportedPromise};
use crate::scalar::Scalar;
use crate::solve::onward::Onward;
use std::rc::Rc;

/// The number of moves after which a match is a draw.
const MOST_MOVES: usize = 2_000;

pub(crate) fn simulate(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    games: u64,
    seed: u64,
) -> Result<Value> {
    let game = call.game()?;
    let money = real::money(call)?;
    let promised = real::promised(evaluator, game, &money, call.span)?;
    let (player, promise, shares) = &promised.goals[0];
    let scenes = Scenes::new(|_, _| {
        let graph = &promised.explored.graph;
        let theory = Advised(Onward::new(graph, shares, *player, real::aim(promise)));
        Ok(Scene {
            explored: Rc::clone(&promised.explored),
            theory,
            is_whole: true,
        })
    });
    let (rules, dice, other) = (&evaluator.rules(), Dice::new(seed), player.other());
    let (seats, toss) = (against_random(other), Toss::fair(dice.clone()));
    let mut table = MatchSetup {
        rules,
        seats,
        toss,
        dice,
        scenes,
        most_moves: MOST_MOVES,
    };
    let counts = counted(&table.matches(evaluator, game, &money, games)?);
    let played = format!("{} as advised, {} at random", player.name(), other.name());
    let theory = match promise {
        ReportedPromise::Win => player.word(),
        _ => "draw",
    };
    let facts = [
        ("play", Scalar::String(played)),
        ("theory", Scalar::Word(theory)),
    ];
    let facts = facts
        .map(|(name, fact)| (name.to_owned(), Report::Scalar(fact)))
        .to_vec();
    Ok(answer(&counts, games, facts))
}
