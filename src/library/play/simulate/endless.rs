//! Simulates play under objectives of infinite play (`simulate`). Plays are stopped after `moves:`
//! moves.
//!
//! With random turns both players play optimally, or by the strategies that are given; the answer
//! shows the mean result beside the theory. With money both players bid for the mean payoff. Each
//! bids a small part λ, times the value of the toss, of the money that exceeds a share to be kept,
//! which is a little less than the player's initial share. Let p be the probability of the coin
//! that belongs to that share r', as in [`objective`], and x Alice's gain so far, measured by the
//! bias. A bid b that is won takes `b (2 − t)(1 − p)` of her share at r', and less above it; one
//! that is lost adds `b (2 − t) p`, and more above it. So she always has at least `r' + C·exp (−(2
//! − t) λ x)`, and x is bounded below. The mean differs from the value by at most a multiple of λ
//! and of the share that is risked.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};
use std::rc::Rc;

use crate::convert::fit;
use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::game::{Explored, Goals, NodeId, Scores};
use crate::ir::Value;
use crate::library::play::matches::{Dice, UserStrategy};
use crate::library::values::real;
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::report::{Report, fact};
use crate::rules::{FieldValue, Objective, Payment, Rules, admit};
use crate::solve::objective::{self, MeanPayoffPlay, ObjectivePlan};
use crate::solve::richman::Coin;
use crate::watch::watched;

/// The default number of plays, and of the moves of each.
const PLAYS: u64 = 200;
const MOVES: u64 = 10_000;

/// The number of plays and of their moves, and the random numbers.
struct Plays {
    games: u64,
    moves: u64,
    dice: Dice,
}

/// The course of a play without end, and its result.
trait Course {
    /// Begins a play of this many moves.
    fn begin(&mut self, moves: u64, dice: &Dice);

    /// Returns the result of the play, if it is over at this vertex.
    fn over(&self, _: NodeId) -> Option<f64> {
        None
    }

    /// Returns the player who moves, and the vertex that the move leads to.
    fn turn(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        node: NodeId,
        dice: &Dice,
    ) -> Result<(Player, NodeId)>;

    /// Records a move from a vertex; `made` moves were made before it.
    fn note(&mut self, made: u64, node: NodeId, mover: Player, to: NodeId);

    /// Returns the result of a play that has made all its moves.
    fn outcome(&self) -> f64;
}

impl Plays {
    fn new(call: &Call<'_>, seed: u64) -> Result<Self> {
        let games = call.count("games", 1)?.unwrap_or(PLAYS);
        Ok(Self {
            games,
            moves: call.count("moves", 1)?.unwrap_or(MOVES),
            dice: Dice::new(seed),
        })
    }

    /// Returns the result of each play from a vertex.
    fn each(
        &self,
        evaluator: &mut Evaluator<'_>,
        start: NodeId,
        course: &mut dyn Course,
    ) -> Result<Vec<f64>> {
        let mut found = Vec::new();
        for played in 0..self.games {
            evaluator
                .context
                .report("playing", played, Some(self.games));
            course.begin(self.moves, &self.dice);
            found.push(self.one(evaluator, start, course)?);
        }
        Ok(found)
    }

    fn one(
        &self,
        evaluator: &mut Evaluator<'_>,
        start: NodeId,
        course: &mut dyn Course,
    ) -> Result<f64> {
        let mut node = start;
        for made in watched(0..self.moves, evaluator.context) {
            let made = made?;
            if let Some(outcome) = course.over(node) {
                return Ok(outcome);
            }
            let (mover, to) = course.turn(evaluator, node, &self.dice)?;
            course.note(made, node, mover, to);
            node = to;
        }
        Ok(course.outcome())
    }

    /// Makes the answer: the mean result with its standard error, beside the theory.
    fn answer(
        &self,
        [name, theory]: [&str; 2],
        found: &[f64],
        error: Option<f64>,
        right: &BigRational,
    ) -> Value {
        let mean = mean(found);
        let error_words = error.map_or(String::new(), |error| format!(" ± {error:.4}"));
        let facts = vec![
            fact("games", self.games),
            fact("moves each", self.moves),
            fact(name, format!("{mean:.4}{error_words}")),
            fact(theory, right),
        ];
        let number = |x: f64| BigRational::from_float(x).unwrap_or_default();
        let values = [Some(mean), error].into_iter().flatten().map(number);
        let values = values.chain([right.clone()]).map(Value::rational);
        Value::answer_row(Report::Record(facts), values)
    }
}

/// A coin that falls for Alice with this probability, and the strategies that are given.
struct Tosses {
    chance: f64,
    explored: Rc<Explored>,
    given: PerPlayer<Option<UserStrategy>>,
}

impl Tosses {
    fn new(call: &Call<'_>, coin: Coin, explored: Rc<Explored>) -> Self {
        let [alice, bob] = Player::both(|player| f64::from(coin.weights[player]));
        let given = PerPlayer::new(
            UserStrategy::new(call, Player::Alice),
            UserStrategy::new(call, Player::Bob),
        );
        Self {
            chance: alice / (alice + bob),
            explored,
            given,
        }
    }

    fn winner(&self, dice: &Dice) -> Player {
        if dice.fraction() < self.chance {
            Player::Alice
        } else {
            Player::Bob
        }
    }

    /// Returns the vertex that a player's given strategy chooses from a vertex, if there is one and
    /// it can move.
    fn told(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        node: NodeId,
        player: Player,
    ) -> Result<Option<NodeId>> {
        match &mut self.given[player] {
            Some(given) => given.choice(evaluator, &self.explored, node, player),
            None => Ok(None),
        }
    }
}

/// A play for a mean payoff.
struct Paid {
    explored: Rc<Explored>,
    start: NodeId,
    means: MeanPayoffPlay,
    weights: Scores,
    turns: PaidTurns,
    /// The number of moves of the play, and the sum of their weights so far.
    moves: u64,
    sum: f64,
}

/// The rule that decides the mover in play for a mean payoff.
enum PaidTurns {
    /// A coin decides.
    Tossed(Tosses),
    /// The higher bid decides.
    Bid(Bidders),
}

impl Paid {
    /// Sets up the play of a game for the mean payoff with this coin; `turns` makes the rule for
    /// the mover from the values of the moves.
    fn new(
        evaluator: &mut Evaluator<'_>,
        game: GameId,
        coin: Coin,
        turns: impl FnOnce(&MeanPayoffPlay, &Rc<Explored>) -> PaidTurns,
    ) -> Result<Self> {
        let context = evaluator.context;
        let place = evaluator.ask().locate_marked(game, Objective::MeanPayoff)?;
        let (explored, start) = (Rc::clone(&place.solved.explored), place.node);
        let rules = Rules {
            objective: Objective::MeanPayoff,
            ..Rules::default()
        };
        let (goals, weights) = weighted(place.solved.goals(&rules));
        let means =
            MeanPayoffPlay::find(&place.solved.endless(goals), weights, start, coin, context)?;
        let (turns, weights) = (turns(&means, &explored), weights.clone());
        Ok(Self {
            explored,
            start,
            means,
            weights,
            turns,
            moves: 0,
            sum: 0.0,
        })
    }
}

impl Course for Paid {
    fn begin(&mut self, moves: u64, dice: &Dice) {
        (self.moves, self.sum) = (moves, 0.0);
        if let PaidTurns::Bid(bidders) = &mut self.turns {
            // Both the caution and the winners of ties are random, so that no two plays are alike.
            bidders.caution = (1.0 + dice.fraction()) / (moves as f64).sqrt();
            bidders.purse = bidders.begin;
        }
    }

    fn turn(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        node: NodeId,
        dice: &Dice,
    ) -> Result<(Player, NodeId)> {
        let mut heads = self.means.steps[node.index()];
        let lets = self.means.lets[node.index()];
        let mover = match &mut self.turns {
            PaidTurns::Tossed(tosses) => {
                let winner = tosses.winner(dice);
                for player in Player::BOTH {
                    heads[player] = tosses.told(evaluator, node, player)?.or(heads[player]);
                }
                // A given strategy says where to move, so its player does not let the other move.
                let lets = lets[winner] && tosses.given[winner].is_none();
                if lets || heads[winner].is_none() {
                    winner.other()
                } else {
                    winner
                }
            }
            PaidTurns::Bid(bidders) => {
                let mut players = Player::BOTH.into_iter();
                // If only one player can move, nobody bids.
                let only = players.find(|player| heads[player.other()].is_none());
                only.unwrap_or_else(|| {
                    let winner = bidders.turn(self.means.stakes[node.index()], dice);
                    if lets[winner] { winner.other() } else { winner }
                })
            }
        };
        Ok((
            mover,
            heads[mover].expect("a vertex without an ending has an edge"),
        ))
    }

    fn note(&mut self, _: u64, node: NodeId, mover: Player, to: NodeId) {
        self.sum += weight(&self.explored.graph, &self.weights, node, mover, to);
    }

    fn outcome(&self) -> f64 {
        self.sum / self.moves as f64
    }
}

/// A play for priorities: the greatest priority in its second half decides who wins.
struct Recurring {
    plan: ObjectivePlan,
    tosses: Tosses,
    moves: u64,
    greatest: u32,
}

impl Course for Recurring {
    fn begin(&mut self, moves: u64, _: &Dice) {
        (self.moves, self.greatest) = (moves, 0);
    }

    fn over(&self, node: NodeId) -> Option<f64> {
        let ending = self.plan.ending(node)?;
        Some(won(ending == Ending::Win(Player::Alice)))
    }

    fn turn(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        node: NodeId,
        dice: &Dice,
    ) -> Result<(Player, NodeId)> {
        let toss = self.tosses.winner(dice);
        let mover = if self.plan.step(node, toss).is_some() {
            toss
        } else {
            toss.other()
        };
        let own = self
            .plan
            .step(node, mover)
            .expect("a vertex without an ending has an edge");
        let told = match self.plan.turn(node, mover) {
            Some(turn) if self.tosses.given[mover].is_some() => Some(turn),
            Some(_) => None,
            None => self.tosses.told(evaluator, self.plan.origin(node), mover)?,
        };
        Ok((mover, told.unwrap_or(own)))
    }

    fn note(&mut self, made: u64, node: NodeId, _: Player, _: NodeId) {
        // The first half may still visit positions that play leaves for good.
        if 2 * made >= self.moves {
            self.greatest = self.greatest.max(self.plan.priority(node));
        }
    }

    fn outcome(&self) -> f64 {
        won(self.greatest.is_multiple_of(2))
    }
}

/// Returns the result of a play that Alice wins or loses.
fn won(by_alice: bool) -> f64 {
    f64::from(u8::from(by_alice))
}

/// Simulates random turns.
pub(crate) fn turns(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    seed: u64,
    coin: Coin,
) -> Result<Value> {
    let plays = Plays::new(call, seed)?;
    if evaluator.rules().objective != Objective::MeanPayoff {
        return recurring(evaluator, call, &plays, coin);
    }
    let tossed = |_: &MeanPayoffPlay, explored: &Rc<Explored>| {
        PaidTurns::Tossed(Tosses::new(call, coin, Rc::clone(explored)))
    };
    let mut course = Paid::new(evaluator, call.game(), coin, tossed)?;
    let start = course.start;
    let found = plays.each(evaluator, start, &mut course)?;
    let (error, theory) = (error(&found), &course.means.gains[start.index()]);
    Ok(plays.answer(["mean", "payoff"], &found, Some(error), theory))
}

/// Computes the frequency with which Alice wins a Büchi or parity game.
fn recurring(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    plays: &Plays,
    coin: Coin,
) -> Result<Value> {
    let (game, context, rules) = (call.game(), evaluator.context, evaluator.rules());
    let place = evaluator.ask().locate_marked(game, rules.objective)?;
    let (explored, start) = (Rc::clone(&place.solved.explored), place.node);
    let theory = BigRational::one() - place.solved.with_coin(&rules, coin, context)?.value(start);
    let goals = place
        .solved
        .goals(&rules)
        .expect("its marks have been read");
    let plan = ObjectivePlan::find(&place.solved.endless(goals), &rules, coin, context)?;
    let mut course = Recurring {
        plan,
        tosses: Tosses::new(call, coin, explored),
        moves: 0,
        greatest: 0,
    };
    let found = plays.each(evaluator, start, &mut course)?;
    Ok(plays.answer(["share", "P"], &found, Some(error(&found)), &theory))
}

/// Simulates both players' bids for the mean payoff, with this money.
pub(crate) fn money(evaluator: &mut Evaluator<'_>, call: &Call<'_>, seed: u64) -> Result<Value> {
    let rules = evaluator.rules();
    if rules.objective != Objective::MeanPayoff {
        return Err(admit::unsupported("bids played out", &FieldValue::Objective(rules.objective))
        .label(call.span, "asked for here")
        .note("a player with enough money to win needs less and less of it as play goes on, by an amount that is not determined")
        .help("leave out the budgets: `simulate(G)` plays it with random turns")
        .into());
    }
    let plays = Plays::new(call, seed)?;
    let (game, context) = (call.game(), evaluator.context);
    let share = real::money(call)?.share();
    let coin = objective::coin(&rules.pay, share.as_ref())?;
    let place = evaluator.ask().locate_marked(game, Objective::MeanPayoff)?;
    let (goals, weights) = weighted(place.solved.goals(&rules));
    let payoff = objective::payoff(
        &place.solved.endless(goals),
        weights,
        place.node,
        &rules,
        coin,
        context,
    )?;
    // Without a share only Richman bidding comes here, whose mean payoff does not depend on it.
    let alice = share.and_then(|share| share.to_f64()).unwrap_or(0.5);
    let mut course = Paid::new(evaluator, game, coin, |means, _| {
        PaidTurns::Bid(Bidders::new(&rules.pay, alice, means))
    })?;
    let start = course.start;
    let found = plays.each(evaluator, start, &mut course)?;
    Ok(plays.answer(["mean", "payoff"], &found, None, &payoff))
}

/// The bidding strategies of both players for a mean payoff.
struct Bidders {
    /// The initial shares.
    begin: PerPlayer<f64>,
    /// The part of the money that each player risks.
    risked: f64,
    /// The greatest value of a toss.
    greatest: f64,
    /// The part of a bid that goes to the bank.
    part: f64,
    /// Both players' money, and the caution of their bids.
    purse: PerPlayer<f64>,
    caution: f64,
}

impl Bidders {
    fn new(pay: &Payment, alice: f64, means: &MeanPayoffPlay) -> Self {
        let part = pay.tax().and_then(|part| part.to_f64()).unwrap_or(0.0);
        let greatest = means
            .stakes
            .iter()
            .copied()
            // The greatest value divides bids, so it is kept above 0 even if no toss has a value.
            .fold(f64::MIN_POSITIVE, f64::max);
        let begin = PerPlayer::new(alice, 1.0 - alice);
        Self {
            begin,
            // The mean differs from the value by a multiple of this part, so it is small.
            risked: begin.alice.min(begin.bob) / 100.0,
            greatest,
            part,
            purse: begin,
            caution: 0.0,
        }
    }

    /// Returns the player who wins the bids for a toss of this value, after payment of the bid.
    fn turn(&mut self, value: f64, dice: &Dice) -> Player {
        let (purse, stake) = (&mut self.purse, self.caution * value);
        let bid = |player: Player| {
            let beyond = purse[player] - self.begin[player] + self.risked;
            // Rounding may leave a little less than the share to be kept, and no bid is negative.
            (stake / self.greatest * beyond).clamp(0.0, purse[player])
        };
        let [alice, bob] = Player::both(bid);
        let winner = match alice.total_cmp(&bob) {
            std::cmp::Ordering::Greater => Player::Alice,
            std::cmp::Ordering::Less => Player::Bob,
            std::cmp::Ordering::Equal => Player::BOTH[fit::<usize>(dice.below(2))],
        };
        purse[winner] -= alice.max(bob);
        purse[winner.other()] += (1.0 - self.part) * alice.max(bob);
        let sum = purse.alice + purse.bob;
        // The bank changes only the scale of all money, so the money is kept as shares.
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

/// Returns the weight of a move.
fn weight(
    graph: &crate::game::GameGraph,
    weights: &Scores,
    node: NodeId,
    mover: Player,
    to: NodeId,
) -> f64 {
    let mut moves = weights.moves(graph, node, mover);
    let units = moves
        .find(|(head, _)| *head == to)
        .map_or(0, |(_, units)| units);
    units as f64 / weights.denominator() as f64
}

fn mean(found: &[f64]) -> f64 {
    found.iter().sum::<f64>() / found.len() as f64
}

/// Computes the standard error of the mean.
fn error(found: &[f64]) -> f64 {
    let (mean, count) = (mean(found), found.len() as f64);
    let squares: f64 = found.iter().map(|x| (x - mean).powi(2)).sum();
    // One play shows nothing of how plays differ.
    if found.len() < 2 {
        0.0
    } else {
        (squares / (count - 1.0) / count).sqrt()
    }
}
