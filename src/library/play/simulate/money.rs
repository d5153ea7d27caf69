//! Simulates matches with money, in exact amounts (`simulate(G, a, b)` if any amount may be bid).
//!
//! The player who has enough to win (or, if neither has, Alice, who has enough not to lose) bids
//! and moves as `strategy(G, a, b)` advises. The opponent bids a random part of the money and moves
//! at random. The player who has enough wins every one of these matches, or does not lose.

use crate::diagnostic::Result;
use crate::eval::Evaluator;
use crate::ir::Value;
use crate::library::play::matches::{Advised, Dice, MatchSetup, Scene, Scenes};
use crate::library::play::simulate::Simulation;
use crate::library::play::simulate::chips::{against_random, answer, counted};
use crate::library::values::real;
use crate::report::{ReportedPromise, fact};
use crate::scalar::Scalar;
use crate::solve::onward::Onward;
use std::rc::Rc;

/// The number of moves after which a match is a draw.
const MOST_MOVES: usize = 2_000;

pub(crate) fn simulate(
    evaluator: &mut Evaluator<'_>,
    &Simulation {
        call,
        game,
        games,
        seed,
    }: &Simulation<'_>,
) -> Result<Value> {
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
    let (rules, other) = (&evaluator.rules(), player.other());
    let mut table = MatchSetup::new(rules, against_random(other), Dice::new(seed), scenes);
    table.most_moves = MOST_MOVES;
    let counts = counted(&table.matches(evaluator, game, &money, games)?);
    let played = format!("{} as advised, {} at random", player.name(), other.name());
    let theory = match promise {
        ReportedPromise::Win => player.word(),
        _ => "draw",
    };
    let facts = vec![fact("play", played), fact("theory", Scalar::Word(theory))];
    Ok(answer(&counts, games, facts))
}
