//! `simulate` under objectives of infinite play: plays are broken off after `moves:` moves.
//!
//! With random turns both play their best, or as they are told; beside what comes out stands the theory. With money both bid for the mean
//! payoff: a small part λ, times what the toss is worth, of what they have beyond a share that they want to keep, a little less than what they
//! begin with. Let p be the chance of the coin that belongs to that share r', as in [`objective`], and x what Alice has made so far, by the bias. A bid b that
//! is won takes `b (2 − t)(1 − p)` of her share at r', and less beyond; one that is lost adds `b (2 − t) p`, and more beyond: so she has
//! `r' + C·exp (−(2 − t) λ x)` or more all the time, and x is bounded below. The mean is near to the value up to a multiple of λ and of what is risked.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use super::matches::{Dice, Given};
use super::real;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Call, Evaluator};
use crate::game::{Goals, NodeId, Scores};
use crate::ir::{Answer, Value};
use crate::player::{Ending, PerPlayer, Player};
use crate::report::{Report, Scalar};
use crate::rules::{FieldValue, Objective, Payment, Rules};
use crate::solve::objective::{self, Means, Plan};
use crate::solve::richman::Coin;
use crate::watch::Watch;

/// The plays, and the moves of each, if nothing is said.
const PLAYS: u64 = 200;
const MOVES: u64 = 10_000;

/// How many plays of how many moves, and the chances.
struct Plays {
    games: u64,
    moves: u64,
    dice: Dice,
}

impl Plays {
    fn new(call: &Call<'_>, seed: u64) -> Result<Self> {
        let games = call.count("games", 1)?.unwrap_or(PLAYS);
        Ok(Self { games, moves: call.count("moves", 1)?.unwrap_or(MOVES), dice: Dice::new(seed) })
    }

    /// What each play comes to.
    fn each(&mut self, watch: &dyn Watch, mut play: impl FnMut(u64, &mut Dice) -> Result<f64>) -> Result<Vec<f64>> {
        let Self { games, moves, dice } = self;
        let mut found = Vec::new();
        for played in 0..*games {
            watch.check()?;
            watch.report("playing", played, Some(*games));
            found.push(play(*moves, dice)?);
        }
        Ok(found)
    }
}

/// Random turns.
pub(super) fn turns(evaluator: &mut Evaluator<'_>, call: &Call<'_>, seed: u64, coin: Coin) -> Result<Value> {
    let mut plays = Plays::new(call, seed)?;
    if evaluator.rules().objective == Objective::MeanPayoff {
        paid(evaluator, call, &mut plays, coin)
    } else {
        recurring(evaluator, call, &mut plays, coin)
    }
}

/// The mean payoff of random turns.
fn paid(evaluator: &mut Evaluator<'_>, call: &Call<'_>, plays: &mut Plays, coin: Coin) -> Result<Value> {
    let (game, watch) = (call.game()?, evaluator.watch);
    let mut given = PerPlayer::new(Given::new(call, Player::Alice), Given::new(call, Player::Bob));
    let place = evaluator.locate_marked(game, Objective::MeanPayoff)?;
    let (explored, start) = (std::rc::Rc::clone(&place.solved.explored), place.node);
    let (means, weights) = {
        let rules = Rules { objective: Objective::MeanPayoff, ..Rules::default() };
        let (goals, weights) = weighted(place.solved.goals(&rules));
        (Means::find(&place.solved.endless(goals), weights, start, coin, watch)?, weights.clone())
    };
    let chance = chance(coin);
    let found = plays.each(watch, |moves, dice| {
        let (mut node, mut sum) = (start, 0.0);
        for _ in 0..moves {
            let toss = if dice.fraction() < chance { Player::Alice } else { Player::Bob };
            let mut heads = means.steps[node.index()];
            for player in Player::BOTH {
                if let Some(given) = &mut given[player]
                    && let Some(head) = given.choice(evaluator, &explored, node, player)?
                {
                    heads[player] = Some(head);
                }
            }
            let lets = means.lets[node.index()][toss] && given[toss].is_none();
            let mover = if lets || heads[toss].is_none() { toss.other() } else { toss };
            let head = heads[mover].expect("a vertex without an ending has an edge");
            sum += weight(&explored.graph, &weights, node, (mover, head));
            node = head;
        }
        Ok(sum / moves as f64)
    })?;
    let (mean, error) = (mean(&found), error(&found));
    Ok(answer(plays, ("mean", mean, Some(error)), ("payoff", &means.gains[start.index()])))
}

/// How often the objective of a Büchi or parity game is met: by the greatest priority in the second half of a play.
fn recurring(evaluator: &mut Evaluator<'_>, call: &Call<'_>, plays: &mut Plays, coin: Coin) -> Result<Value> {
    let (game, watch, rules) = (call.game()?, evaluator.watch, evaluator.rules());
    let mut given = PerPlayer::new(Given::new(call, Player::Alice), Given::new(call, Player::Bob));
    let place = evaluator.locate_marked(game, rules.objective)?;
    let (explored, start) = (std::rc::Rc::clone(&place.solved.explored), place.node);
    let theory = BigRational::one() - place.solved.with_coin(&rules, coin, watch)?.value(start);
    let goals = place.solved.goals(&rules).expect("its marks have been read");
    let plan = Plan::find(&place.solved.endless(goals), &rules, coin, watch)?;
    let chance = chance(coin);
    let found = plays.each(watch, |moves, dice| {
        let (mut node, mut greatest) = (start, 0);
        for played in 0..moves {
            if let Some(ending) = plan.ending(node) {
                return Ok(if ending == Ending::Win(Player::Alice) { 1.0 } else { 0.0 });
            }
            if 2 * played >= moves {
                greatest = greatest.max(plan.priority(node));
            }
            let toss = if dice.fraction() < chance { Player::Alice } else { Player::Bob };
            let mover = if plan.step(node, toss).is_some() { toss } else { toss.other() };
            let own = plan.step(node, mover).expect("a vertex without an ending has an edge");
            let told = match (&mut given[mover], plan.turn(node, mover)) {
                (None, _) => None,
                (Some(_), Some(turn)) => Some(turn),
                (Some(given), None) => given.choice(evaluator, &explored, plan.origin(node), mover)?,
            };
            node = told.unwrap_or(own);
        }
        Ok(if greatest % 2 == 0 { 1.0 } else { 0.0 })
    })?;
    let (mean, error) = (mean(&found), error(&found));
    Ok(answer(plays, ("share", mean, Some(error)), ("P", &theory)))
}

/// Both players' bids for the mean payoff, with this money.
pub(super) fn money(evaluator: &mut Evaluator<'_>, call: &Call<'_>, seed: u64) -> Result<Value> {
    let rules = evaluator.rules();
    if rules.objective != Objective::MeanPayoff {
        let (name, value) = FieldValue::Objective(rules.objective).words();
        return Err(Diagnostic::new(
            Code::NotSupported,
            format!("not supported: bids played out under `{name}: {value}`"),
        )
        .label(call.span, "asked for here")
        .note("a player with enough money to win needs less and less of it as play goes on, by an amount that is not determined")
        .help("leave out the budgets: `simulate(G)` plays it with random turns")
        .into());
    }
    let mut plays = Plays::new(call, seed)?;
    let (game, watch) = (call.game()?, evaluator.watch);
    let purses = real::money(call)?;
    let share = purses.share();
    let coin = objective::coin(&rules.pay, share.as_ref())?;
    let place = evaluator.locate_marked(game, Objective::MeanPayoff)?;
    let (goals, weights) = weighted(place.solved.goals(&rules));
    let endless = place.solved.endless(goals);
    let payoff = objective::payoff(&endless, weights, place.node, (&rules, coin), watch)?;
    let means = Means::find(&endless, weights, place.node, coin, watch)?;
    let bidders = Bidders::new(&rules.pay, share.and_then(|share| share.to_f64()).unwrap_or(0.5), &means);
    let found = plays.each(watch, |moves, dice| {
        // No two plays alike: neither the caution nor who wins ties.
        let caution = (1.0 + dice.fraction()) / (moves as f64).sqrt();
        let (mut node, mut purse, mut sum) = (place.node, bidders.begin, 0.0);
        for _ in 0..moves {
            let heads = means.steps[node.index()];
            let only = Player::BOTH.into_iter().find(|player| heads[player.other()].is_none());
            let mover = only.unwrap_or_else(|| {
                let winner = bidders.turn(&mut purse, caution * means.stakes[node.index()], dice);
                if means.lets[node.index()][winner] { winner.other() } else { winner }
            });
            let head = heads[mover].expect("who is to move has an edge");
            sum += weight(endless.graph, weights, node, (mover, head));
            node = head;
        }
        Ok(sum / moves as f64)
    })?;
    Ok(answer(&plays, ("mean", mean(&found), None), ("payoff", &payoff)))
}

/// Both players' ways to bid for a mean payoff.
struct Bidders {
    /// What they begin with, as shares.
    begin: PerPlayer<f64>,
    /// How much of that either of them risks.
    risked: f64,
    /// The most that a toss is worth.
    greatest: f64,
    /// The part of a bid that goes to the bank.
    part: f64,
}

impl Bidders {
    fn new(pay: &Payment, alice: f64, means: &Means) -> Self {
        let part = pay.tax().and_then(|part| part.to_f64()).unwrap_or(0.0);
        let greatest = means.stakes.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let begin = PerPlayer::new(alice, 1.0 - alice);
        Self { begin, risked: begin.alice.min(begin.bob) / 100.0, greatest, part }
    }

    /// Who wins the bids for a toss of this worth, and has paid.
    fn turn(&self, purse: &mut PerPlayer<f64>, stake: f64, dice: &mut Dice) -> Player {
        let bid = |player: Player| {
            let beyond = purse[player] - self.begin[player] + self.risked;
            (stake / self.greatest * beyond).clamp(0.0, purse[player])
        };
        let [alice, bob] = Player::BOTH.map(bid);
        let winner = match alice.total_cmp(&bob) {
            std::cmp::Ordering::Greater => Player::Alice,
            std::cmp::Ordering::Less => Player::Bob,
            std::cmp::Ordering::Equal => Player::BOTH[dice.below(2) as usize],
        };
        purse[winner] -= alice.max(bob);
        purse[winner.other()] += (1.0 - self.part) * alice.max(bob);
        let sum = purse.alice + purse.bob;
        *purse = purse.map(|money| money / sum);
        winner
    }
}

fn weighted(goals: Option<&Goals>) -> (&Goals, &Scores) {
    match goals {
        Some(goals @ Goals::Weights(weights)) => (goals, weights),
        Some(Goals::Priorities(_)) | None => unreachable!("the marks of a mean payoff are weights"),
    }
}

/// How likely it is that a coin falls for Alice.
fn chance(coin: Coin) -> f64 {
    let [alice, bob] = Player::BOTH.map(|player| f64::from(coin.weights[player]));
    alice / (alice + bob)
}

/// What a move adds.
fn weight(graph: &crate::game::GameGraph, weights: &Scores, node: NodeId, (mover, to): (Player, NodeId)) -> f64 {
    let mut moves = weights.moves(graph, node, mover);
    let units = moves.find(|(head, _)| *head == to).map_or(0, |(_, units)| units);
    units as f64 / weights.denominator() as f64
}

fn mean(found: &[f64]) -> f64 {
    found.iter().sum::<f64>() / found.len() as f64
}

/// The standard error of the mean.
fn error(found: &[f64]) -> f64 {
    let (mean, count) = (mean(found), found.len() as f64);
    let squares: f64 = found.iter().map(|x| (x - mean).powi(2)).sum();
    if found.len() < 2 { 0.0 } else { (squares / (count - 1.0) / count).sqrt() }
}

/// What came out, with its standard error, beside the theory.
fn answer(
    plays: &Plays,
    (name, mean, error): (&str, f64, Option<f64>),
    (theory, right): (&str, &BigRational),
) -> Value {
    let integer = |n: u64| Report::Scalar(Scalar::Integer(BigInt::from(n)));
    let words = match error {
        Some(error) => format!("{mean:.4} ± {error:.4}"),
        None => format!("{mean:.4}"),
    };
    let facts = vec![
        ("games".to_owned(), integer(plays.games)),
        ("moves each".to_owned(), integer(plays.moves)),
        (name.to_owned(), Report::Scalar(Scalar::String(words))),
        (theory.to_owned(), Report::Scalar(Scalar::from(right))),
    ];
    let number = |x: f64| Value::rational(BigRational::from_float(x).unwrap_or_default());
    let values = [Some(number(mean)), error.map(number), Some(Value::rational(right.clone()))];
    Value::Answer(Answer::row(Report::Record(facts), values.into_iter().flatten()).into())
}
