//! Simulates matches with bids (`simulate(G, a, b)`), in chips or in exact amounts of money, and
//! compares them with the theory.
//!
//! If single bids are optimal, the player who can win (or, in a draw, Alice) plays as the program
//! advises, and the opponent bids, breaks ties and moves at random. A strategy that forces a win
//! wins every one of these matches. Under all-pay bidding, both players draw their bids from the
//! optimal mixed ones, and Alice wins with the frequency that the theory gives. If the score
//! decides, Alice plays to guarantee the maximin value, and no match has a lower score.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::ask::{About, Around};
use crate::diagnostic::Result;
use crate::eval::{Evaluator, Placed};
use crate::ir::Value;
use crate::library::all_pay::purses_of_match;
use crate::library::play::matches::{
    Advised, Dice, MatchSetup, PlayEngine, Played, Scenes, Seat, mixed_scene, scored_scene,
    won_scene,
};
use crate::library::play::simulate::Simulation;
use crate::library::scoring::pure::number;
use crate::library::values::real;
use crate::player::{Ending, Outcome, PerPlayer, Player};
use crate::report::{Report, ReportedPromise, fact};
use crate::rules::BidKind;
use crate::rules::admit::ChipsQuestion;
use crate::scalar::Scalar;
use crate::solve::all_pay::ExactOrCertified;
use crate::solve::onward::Onward;

/// The number of moves after which a match with money is a draw.
const MOST_MOVES: usize = 2_000;

pub(crate) fn simulate(evaluator: &mut Evaluator<'_>, asked: &Simulation<'_>) -> Result<Value> {
    let simulate = if evaluator.rules().bids == BidKind::Real {
        money
    } else if evaluator.rules().pay.is_all_pay() {
        mixed
    } else if evaluator.asked(asked.game)? == ChipsQuestion::Score {
        scored
    } else {
        forced
    };
    simulate(evaluator, asked)
}

fn forced(evaluator: &mut Evaluator<'_>, asked: &Simulation<'_>) -> Result<Value> {
    let (call, games) = (asked.call, asked.games);
    let purses = evaluator.purses(call, ChipsQuestion::Bid)?;
    let (rules, total) = (&evaluator.play_rules(), purses.total());
    let mut scenes =
        Scenes::new(|evaluator, game| won_scene(evaluator, game, About::Play(total), rules));
    let scene = scenes.at(evaluator, asked.game).placed(call.span)?;
    let PlayEngine::Wins(solution) = &scene.solution.engine else {
        unreachable!("the scene is one of play to win")
    };
    let solved = solution.on(&scene.explored.graph, rules);
    let outcome = solved.outcome(scene.node, &purses);
    let random = match outcome {
        Outcome::Wins(player) => player.other(),
        // If nobody can win, Alice plays as advised, which keeps her from losing.
        Outcome::Draw | Outcome::Undetermined => Player::Bob,
    };
    let mut table = MatchSetup::new(rules, against_random(random), Dice::new(asked.seed), scenes);
    table.most_moves = asked.most_moves(table.most_moves);
    let counts = counted(&table.matches(evaluator, asked.game, &purses, games)?);
    Ok(advised(&counts, games, random, outcome.word()))
}

/// Simulates matches with money. The player who has enough to win (or, if neither has, Alice, who
/// has enough not to lose) plays as advised.
fn money(evaluator: &mut Evaluator<'_>, asked: &Simulation<'_>) -> Result<Value> {
    let money = real::money(asked.call)?;
    let promised = real::promised(evaluator, asked.game, &money, asked.call.span)?;
    let (player, promise, shares) = &promised.goals[0];
    let winner = evaluator.rules().winner;
    let context = evaluator.context;
    let scenes = Scenes::new(|_, _| {
        let graph = &promised.explored.graph;
        let aim = real::aim(promise);
        let theory = Advised(Onward::new(graph, shares, *player, aim, winner, context)?);
        Ok(Around::whole(&promised.explored, promised.node, theory))
    });
    let (rules, other) = (&evaluator.rules(), player.other());
    let mut table = MatchSetup::new(rules, against_random(other), Dice::new(asked.seed), scenes);
    table.most_moves = asked.most_moves(MOST_MOVES);
    let counts = counted(&table.matches(evaluator, asked.game, &money, asked.games)?);
    let theory = match promise {
        ReportedPromise::Win => player.word(),
        // A promise not to lose is kept by a draw as well.
        _ => "draw",
    };
    Ok(advised(&counts, asked.games, other, theory))
}

fn mixed(evaluator: &mut Evaluator<'_>, asked: &Simulation<'_>) -> Result<Value> {
    let (call, games) = (asked.call, asked.games);
    let purses = purses_of_match(evaluator, call)?;
    let rules = &evaluator.rules();
    let bids = Dice::new(asked.seed);
    let mut scenes = Scenes::new(move |evaluator, game| {
        mixed_scene(
            evaluator,
            game,
            rules,
            purses.chips,
            bids.clone(),
            call.span,
        )
    });
    let scene = scenes.at(evaluator, asked.game)?;
    let PlayEngine::Mixed(solved, _) = &scene.solution.engine else {
        unreachable!("the scene is one of mixed bids")
    };
    let theory = match solved.value(scene.node, &purses) {
        ExactOrCertified::Exact(value) => Scalar::from(value),
        ExactOrCertified::Certified(value) => Scalar::from(value),
    };
    let seats = PerPlayer::new(Seat::Optimal, Seat::Optimal);
    // Ties are tossed with another seed, so that they do not depend on the drawn bids.
    let mut table = MatchSetup::new(rules, seats, Dice::new(!asked.seed), scenes);
    table.most_moves = asked.most_moves(table.most_moves);
    let counts = counted(&table.matches(evaluator, asked.game, &purses, games)?);
    Ok(answer(&counts, games, vec![fact("v", theory)]))
}

/// Simulates matches for a score: Alice guarantees the maximin value, whatever Bob bids and moves.
fn scored(evaluator: &mut Evaluator<'_>, asked: &Simulation<'_>) -> Result<Value> {
    let (call, games) = (asked.call, asked.games);
    let purses = evaluator.purses(call, ChipsQuestion::Score)?;
    let (rules, total) = (&evaluator.rules(), purses.total());
    let mut scenes =
        Scenes::new(|evaluator, game| scored_scene(evaluator, game, rules, total, call.span));
    let scene = scenes.at(evaluator, asked.game)?;
    let PlayEngine::Scores(subject) = &scene.solution.engine else {
        unreachable!("the scene is one of play for the score")
    };
    let theory = number(
        subject.score(
            subject
                .solved()
                .values
                .at(subject.node, &purses)
                .secured(Player::Alice),
        ),
    );
    let seats = against_random(Player::Bob);
    let mut table = MatchSetup::new(rules, seats, Dice::new(asked.seed), scenes);
    table.most_moves = asked.most_moves(table.most_moves);
    let found: Vec<BigRational> = table
        .matches(evaluator, asked.game, &purses, games)?
        .iter()
        .map(|played| number(played.score))
        .collect();
    let mean = found.iter().sum::<BigRational>() / BigInt::from(games);
    let least = found.iter().min().cloned().unwrap_or_default();
    let rounded = format!("{:.4}", mean.to_f64().unwrap_or_default());
    let facts = vec![
        fact("games", games),
        fact("least score", &least),
        fact("mean", rounded),
        fact("play", "Alice as advised, Bob at random".to_owned()),
        fact("maximin", &theory),
    ];
    let values = [least, mean, theory].map(Value::rational);
    Ok(Value::answer_row(Report::Record(facts), values))
}

/// Returns seats in which the player `random` plays at random and the other one as advised.
fn against_random(random: Player) -> PerPlayer<Seat> {
    let seat = |player| {
        if player == random {
            Seat::Random
        } else {
            Seat::Optimal
        }
    };
    PerPlayer::new(seat(Player::Alice), seat(Player::Bob))
}

/// Counts the wins of each player.
pub(crate) fn counted(matches: &[Played]) -> WinCounts {
    let won = |player| {
        matches
            .iter()
            .filter(|played| played.ending == Ending::Win(player))
            .count() as u64
    };
    PerPlayer::new(won(Player::Alice), won(Player::Bob))
}

/// The number of wins of each player.
pub(crate) type WinCounts = PerPlayer<u64>;

/// Makes the answer of matches in which the player `random` plays at random and the other one as
/// advised.
fn advised(counts: &WinCounts, games: u64, random: Player, theory: &'static str) -> Value {
    let (player, other) = (random.other().name(), random.name());
    let played = format!("{player} as advised, {other} at random");
    let facts = vec![fact("play", played), fact("theory", Scalar::Word(theory))];
    answer(counts, games, facts)
}

fn answer(counts: &WinCounts, games: u64, theory: Vec<(String, Report)>) -> Value {
    let drawn = games - counts.alice - counts.bob;
    let facts = [
        fact("games", games),
        fact("alice wins", counts.alice),
        fact("bob wins", counts.bob),
        fact("draws", drawn),
    ];
    let facts = facts.into_iter().chain(theory).collect();
    let values = [counts.alice, counts.bob, drawn].map(Value::integer);
    Value::answer_row(Report::Record(facts), values)
}
