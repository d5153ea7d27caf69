//! `simulate(G, a, b)`: matches in chips, beside what the theory says of them.
//!
//! Where single bids are optimal, the player who can win (or, in a draw, Alice) plays what the program advises, and the opponent anything: bids,
//! ties and moves at random. A strategy that forces a win wins every one of these matches. Where both pay, both draw their bids from the
//! optimal mixed ones, and Alice wins with the frequency that the theory gives. Where the score decides, Alice plays what makes her sure of the maximin
//! value, and no match comes to less.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::engine::{Dice, Engine, Mixed};
use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator, placed};
use crate::game::{GameGraph, NodeId, Scores};
use crate::ir::{Answer, Value};
use crate::player::{Ending, GameId, Outcome, PerPlayer, Player};
use crate::report::{Report, Scalar};
use crate::rules::{Purses, Rules, Tie, Winner, settle, tie};
use crate::solve::all_pay::Found;
use crate::solve::chips::Asked;
use crate::solve::strategy::Strategies;

/// A match that goes on for longer is a draw.
const MOST_MOVES: usize = 10_000;

pub(super) fn simulate(evaluator: &mut Evaluator<'_>, call: &Call<'_>, (games, seed): (u64, u64)) -> Result<Value> {
    let game = call.game()?;
    if evaluator.rules().pay.is_all_pay() {
        mixed(evaluator, call, game, games, seed)
    } else {
        forced(evaluator, call, game, games, seed)
    }
}

fn forced(evaluator: &mut Evaluator<'_>, call: &Call<'_>, game: GameId, games: u64, seed: u64) -> Result<Value> {
    if evaluator.asked(game)? == Asked::Score {
        return scored(evaluator, call, game, games, seed);
    }
    let purses = evaluator.purses(&call.arguments[1], &call.arguments[2], Asked::Threshold, call.span)?;
    let rules = evaluator.play_rules();
    let (explored, node) = evaluator.graph_of(game)?;
    let total = purses.chips.alice + purses.chips.bob;
    let strategies = Strategies::solve(&explored.graph, &rules, total, evaluator.watch);
    let strategies = strategies.map_err(|error| placed(error, call.span))?;
    let outcome = strategies.outcome(node, &purses);
    let random = match outcome {
        Outcome::Wins(player) => player.other(),
        Outcome::Draw | Outcome::Undetermined => Player::Bob,
    };
    let engine = Engine::Wins(Box::new(strategies));
    let mut table = Table {
        graph: &explored.graph,
        scores: None,
        rules: &rules,
        engine,
        random: Some(random),
        dice: Dice::new(seed),
    };
    let counts = table.matches(evaluator, node, purses, games)?;
    let played = format!("{} as advised, {} at random", random.other().name(), random.name());
    let theory = Report::Scalar(Scalar::Word(outcome.word()));
    Ok(answer(
        &counts,
        games,
        vec![("play".to_owned(), Report::Scalar(Scalar::String(played))), ("theory".to_owned(), theory)],
    ))
}

fn mixed(evaluator: &mut Evaluator<'_>, call: &Call<'_>, game: GameId, games: u64, seed: u64) -> Result<Value> {
    let purses = evaluator.bidding_purses(&call.arguments[1], &call.arguments[2], call.span)?;
    let place = evaluator.solve_all_pay(game, purses.chips, call.span)?;
    let rules = evaluator.rules();
    let theory = match place.solved.value(place.node, &purses) {
        Found::Exact(value) => Scalar::from(value),
        Found::Certified(value) => Scalar::from(value),
    };
    let graph = &place.explored.graph;
    let engine = Engine::Mixed(Mixed { graph, rules: &rules, solved: place.solved, dice: Dice::new(seed) });
    let mut table = Table { graph, scores: None, rules: &rules, engine, random: None, dice: Dice::new(!seed) };
    let counts = table.matches(evaluator, place.node, purses, games)?;
    Ok(answer(&counts, games, vec![("v".to_owned(), Report::Scalar(theory))]))
}

/// Matches for a score: Alice is sure of the maximin value, whatever Bob bids and moves.
fn scored(evaluator: &mut Evaluator<'_>, call: &Call<'_>, game: GameId, games: u64, seed: u64) -> Result<Value> {
    let purses = evaluator.purses(&call.arguments[1], &call.arguments[2], Asked::Score, call.span)?;
    let subject = evaluator.scoring(game, purses.chips.alice + purses.chips.bob, call.span)?;
    let rules = evaluator.rules();
    let mut table = Table {
        graph: &subject.explored.graph,
        scores: Some(&subject.scores),
        rules: &rules,
        engine: Engine::Scores(subject.solved()),
        random: Some(Player::Bob),
        dice: Dice::new(seed),
    };
    let mut found = Vec::new();
    for played in 0..games {
        evaluator.watch.check()?;
        evaluator.watch.report("playing", played, Some(games));
        found.push(table.play(subject.node, purses).1);
    }
    let rational = |units: i64| {
        let score = subject.score(units);
        BigRational::new(BigInt::from(*score.numer()), BigInt::from(*score.denom()))
    };
    let sum: BigRational = found.iter().map(|units| rational(*units)).sum();
    let mean = sum / BigInt::from(games);
    let least = rational(found.iter().copied().min().unwrap_or_default());
    let theory = rational(subject.solved().values.at(subject.node, &purses).secured(Player::Alice));
    let text = |text: String| Report::Scalar(Scalar::String(text));
    let facts = vec![
        ("games".to_owned(), Report::Scalar(Scalar::Integer(BigInt::from(games)))),
        ("least score".to_owned(), Report::Scalar(Scalar::from(&least))),
        ("mean".to_owned(), text(format!("{:.4}", mean.to_f64().unwrap_or_default()))),
        ("play".to_owned(), text("Alice as advised, Bob at random".to_owned())),
        ("maximin".to_owned(), Report::Scalar(Scalar::from(&theory))),
    ];
    let values = [least, mean, theory].map(Value::rational);
    Ok(Value::Answer(Answer::row(Report::Record(facts), values).into()))
}

/// How often each player has won.
pub(super) type Counts = PerPlayer<u64>;

pub(super) fn answer(counts: &Counts, games: u64, theory: Vec<(String, Report)>) -> Value {
    let drawn = games - counts.alice - counts.bob;
    let facts = [("games", games), ("alice wins", counts.alice), ("bob wins", counts.bob), ("draws", drawn)];
    let fact = |(name, count): (&str, u64)| (name.to_owned(), Report::Scalar(Scalar::Integer(BigInt::from(count))));
    let facts = facts.into_iter().map(fact).chain(theory).collect();
    let values = [counts.alice, counts.bob, drawn].map(Value::integer);
    Value::Answer(Answer::row(Report::Record(facts), values).into())
}

/// Where matches are played.
struct Table<'a> {
    graph: &'a GameGraph,
    scores: Option<&'a Scores>,
    rules: &'a Rules,
    engine: Engine<'a>,
    /// Who plays at random, if anybody does.
    random: Option<Player>,
    dice: Dice,
}

impl Table<'_> {
    fn matches(&mut self, evaluator: &Evaluator<'_>, node: NodeId, purses: Purses, games: u64) -> Result<Counts> {
        let mut counts = Counts::default();
        for played in 0..games {
            if played % 64 == 0 {
                evaluator.watch.check()?;
                evaluator.watch.report("playing", played, Some(games));
            }
            if let Ending::Win(player) = self.play(node, purses).0 {
                counts[player] += 1;
            }
        }
        Ok(counts)
    }

    /// One match, and its score in units.
    fn play(&mut self, mut node: NodeId, mut purses: Purses) -> (Ending, i64) {
        let mut score = 0;
        for _ in 0..MOST_MOVES {
            if let Some(ending) = self.graph.ending(node) {
                return (ending, score + self.scores.map_or(0, |scores| scores.ending(node)));
            }
            let [alice, bob] = Player::BOTH.map(|player| self.bid(player, node, purses));
            let bids = PerPlayer::new(alice, bob);
            let winner = self.winner(node, purses, bids);
            let after = settle(self.rules, &purses, bids, winner);
            let mover = self.mover(winner, node, purses, &after);
            let head = self.destination(mover, node, purses, &after);
            score += self.weight(node, mover, head);
            (node, purses) = (head, after);
        }
        (Ending::Draw, score)
    }

    fn weight(&self, node: NodeId, mover: Player, to: NodeId) -> i64 {
        let moves = self.scores.map(|scores| scores.moves(self.graph, node, mover));
        moves.and_then(|mut moves| moves.find(|(head, _)| *head == to)).map_or(0, |(_, units)| units)
    }

    fn is_random(&self, player: Player) -> bool {
        self.random == Some(player)
    }

    fn bid(&mut self, player: Player, node: NodeId, purses: Purses) -> u64 {
        if self.is_random(player) {
            self.dice.below(purses.chips[player] + 1)
        } else {
            self.engine.bid(player, node, purses)
        }
    }

    fn winner(&mut self, node: NodeId, purses: Purses, bids: PerPlayer<u64>) -> Player {
        match bids.alice.cmp(&bids.bob) {
            std::cmp::Ordering::Greater => Player::Alice,
            std::cmp::Ordering::Less => Player::Bob,
            std::cmp::Ordering::Equal => match tie(self.rules, &purses) {
                Tie::Goes(player) => player,
                Tie::ChosenBy(player) if self.is_random(player) => self.either(),
                Tie::ChosenBy(player) => self.engine.tie_winner(player, node, purses, bids.alice),
                Tie::Coin => self.either(),
            },
        }
    }

    fn either(&mut self) -> Player {
        if self.dice.below(2) == 0 { Player::Alice } else { Player::Bob }
    }

    /// Who moves after `winner` has won the bid.
    fn mover(&mut self, winner: Player, node: NodeId, purses: Purses, after: &Purses) -> Player {
        let can = |player: Player| !self.graph.successors(node, player).is_empty();
        if let Some(only) = Player::BOTH.into_iter().find(|player| !can(player.other())) {
            return only;
        }
        match self.rules.winner {
            Winner::Moves => winner,
            Winner::Chooses if self.is_random(winner) => self.either(),
            Winner::Chooses => self.engine.mover(winner, node, purses, after),
        }
    }

    fn destination(&mut self, mover: Player, node: NodeId, purses: Purses, after: &Purses) -> NodeId {
        let heads = self.graph.successors(node, mover);
        let advised = if self.is_random(mover) { None } else { self.engine.destination(mover, node, purses, after) };
        advised.unwrap_or_else(|| heads[self.dice.below(heads.len() as u64) as usize])
    }
}
