//! `simulate`: games of chance played out many times, beside what the theory says.

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::engine::Dice;
use super::queries::biased;
use super::{simulate_bids, simulate_endless, simulate_money};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, type_error};
use crate::game::{Explored, NodeId, print_game};
use crate::ir::{Answer, BuiltinSignature, Function, Kinds, Parameter, Value};
use crate::player::{Ending, PerPlayer, Player};
use crate::report::{Report, Scalar};
use crate::rules::{BidKind, Objective, Winner};
use crate::solve::richman::{Coin, Values};
use crate::source::Span;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[Builtin {
    signature: BuiltinSignature {
        required: 1,
        endless: true,
        named: &[
            Parameter { name: "games", kinds: Kinds::INTEGER },
            Parameter { name: "seed", kinds: Kinds::INTEGER },
            Parameter { name: "coin", kinds: Kinds::NUMBER },
            Parameter { name: "moves", kinds: Kinds::INTEGER },
            Parameter { name: "alice", kinds: Kinds::FUNCTION },
            Parameter { name: "bob", kinds: Kinds::FUNCTION },
        ],
        help: "Plays G with random turns and optimal moves of both players, 10,000 times or `games:` times, and counts the wins; beside it the \
           winning probability P(G) by the theory. `coin:` is the probability with which Alice moves, `seed:` chooses another random sequence; \
           `alice: s` and `bob: s` give strategies: functions from a position to the one to move to. `simulate(G, a, b)` plays with \
           chips, or with `bids: real` with money: who can win as `strategy(G, a, b)` advises, the other at random; where both pay, both as \
           `nash(G, a, b)` says, and where the score decides, Alice as `o(G, a, b)` promises. Under an objective of infinite \
           play 200 plays of 10,000 moves each (`moves:`) come to a mean payoff, beside `payoff(G)`, or to how often the objective \
           is met; with money for mean payoffs both bid their best.",
        examples: &[("simulate(A^2 ∧ B^2, 4*, 4, games: 100)[0]", "100")],
        ..BuiltinSignature::new(
            "simulate",
            &[
                Parameter { name: "G", kinds: Kinds::GAME },
                Parameter { name: "a", kinds: Kinds::AMOUNT },
                Parameter { name: "b", kinds: Kinds::AMOUNT },
            ],
            Kinds::ANSWER,
        )
    },
    run: simulate,
}];

/// The games that are played, and the most moves of one, if nothing is said.
const GAMES: u64 = 10_000;
const MOST_MOVES: usize = 1_000_000;
/// The chances of a simulation where no seed is given.
const SEED: u64 = 1996;

fn simulate(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let games = call.count("games", 1)?.unwrap_or(GAMES);
    let seed = call.count("seed", 0)?.unwrap_or(SEED);
    let endless = evaluator.rules().objective != Objective::Reachability;
    match call.arguments.len() {
        1 => {}
        3 if endless => return simulate_endless::money(evaluator, call, seed),
        3 if evaluator.rules().bids == BidKind::Real => {
            return simulate_money::simulate(evaluator, call, (games, seed));
        }
        3 => return simulate_bids::simulate(evaluator, call, (games, seed)),
        _ => return Err(one_purse(call.span)),
    }
    let mut given = PerPlayer::new(Player::Alice, Player::Bob).map(|player| Given::new(call, player));
    let coin = match call.option("coin") {
        Some((value, span)) => biased(&(value.clone(), span))?,
        None => Coin::default(),
    };
    if endless {
        return simulate_endless::turns(evaluator, call, seed, coin);
    }
    let (rules, watch) = (evaluator.rules(), evaluator.watch);
    let place = evaluator.locate(game)?;
    place.chart.needs_wins()?;
    let (explored, node) = (Rc::clone(&place.chart.explored), place.node);
    let graph = &explored.graph;
    let values = Values::with_coin(graph, &rules, coin, watch)?;
    let mut dice = Dice::new(seed);
    let (mut won, mut drawn) = (0_u64, 0_u64);
    for played in 0..games {
        if played % 64 == 0 {
            watch.check()?;
            watch.report("playing", played, Some(games));
        }
        let mut table =
            Table { evaluator: &mut *evaluator, explored: &explored, values: &values, winner: rules.winner, coin };
        match table.play_out(node, &mut given, &mut dice)? {
            Ending::Win(Player::Alice) => won += 1,
            Ending::Win(Player::Bob) => {}
            Ending::Draw => drawn += 1,
        }
    }
    let share = won as f64 / games as f64;
    let error = (share * (1.0 - share) / games as f64).sqrt();
    let theory = BigRational::one() - values.value(node);
    let integer = |n: u64| Report::Scalar(Scalar::Integer(BigInt::from(n)));
    let mut facts = vec![("games".to_owned(), integer(games)), ("alice wins".to_owned(), integer(won))];
    if !drawn.is_zero() {
        facts.push(("draws".to_owned(), integer(drawn)));
    }
    facts.push(("share".to_owned(), Report::Scalar(Scalar::String(format!("{share:.4} ± {error:.4}")))));
    facts.push(("P".to_owned(), Report::Scalar(Scalar::from(&theory))));
    let values = [Value::integer(won), Value::integer(games), Value::rational(theory)];
    Ok(Value::Answer(Answer::row(Report::Record(facts), values).into()))
}

fn one_purse(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::WrongCount, "`simulate` takes both players' chips, or none")
        .label(span, "Alice's chips alone")
        .help("write `simulate(G)` for random turns, `simulate(G, 4*, 4)` for matches in chips")
        .into()
}

/// A strategy that the user gives, with what it has said so far.
pub(super) struct Given {
    function: Option<(Rc<Function>, Span)>,
    known: HashMap<NodeId, NodeId>,
}

impl Given {
    pub(super) fn new(call: &Call<'_>, player: Player) -> Self {
        let function = match call.option(player.word()) {
            Some((Value::Function(function), span)) => Some((Rc::clone(function), span)),
            _ => None,
        };
        Self { function, known: HashMap::new() }
    }

    /// Whether there is one.
    pub(super) fn is_given(&self) -> bool {
        self.function.is_some()
    }

    /// Where it goes from a position, if there is one and its player can move there.
    pub(super) fn choice(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        explored: &Explored,
        node: NodeId,
        player: Player,
    ) -> Result<Option<NodeId>> {
        let heads = explored.graph.successors(node, player);
        let Some((function, span)) = self.function.as_ref().filter(|_| !heads.is_empty()) else { return Ok(None) };
        if let Some(head) = self.known.get(&node) {
            return Ok(Some(*head));
        }
        let position = explored.game(&mut evaluator.world.games, node);
        let said = evaluator.apply(function, vec![(Value::Game(position), *span)], *span)?;
        let head = match &said {
            Value::Game(to) => explored.node(&evaluator.world.games, *to),
            _ => return Err(type_error(*span, Kinds::GAME, &said)),
        };
        let Some(head) = head.filter(|head| heads.contains(head)) else {
            return Err(no_move(&print_game(&evaluator.world.games, position), player, *span));
        };
        self.known.insert(node, head);
        Ok(Some(head))
    }
}

/// Where games of random turns are played.
struct Table<'t, 'e> {
    evaluator: &'t mut Evaluator<'e>,
    explored: &'t Explored,
    values: &'t Values,
    winner: Winner,
    coin: Coin,
}

impl Table<'_, '_> {
    /// One game; one that goes on for too long is a draw.
    fn play_out(&mut self, mut node: NodeId, given: &mut PerPlayer<Given>, dice: &mut Dice) -> Result<Ending> {
        let [alice, bob] = Player::BOTH.map(|player| f64::from(self.coin.weights[player]));
        for _ in 0..MOST_MOVES {
            if let Some(ending) = self.explored.graph.ending(node) {
                return Ok(ending);
            }
            let toss = if dice.fraction() * (alice + bob) < alice { Player::Alice } else { Player::Bob };
            let own = self.choice(node, toss, given)?;
            let other = self.choice(node, toss.other(), given)?;
            node = match (own, other) {
                (Some(own), Some(other))
                    if self.winner == Winner::Chooses
                        && !given[toss].is_given()
                        && self.values.rather_lets(node, toss, own, other) =>
                {
                    other
                }
                (Some(own), _) => own,
                (None, Some(other)) => other,
                (None, None) => unreachable!("a vertex without an ending has an edge"),
            };
        }
        Ok(Ending::Draw)
    }

    /// Where a player goes from a position: where the strategy says that is given, else where it is best.
    fn choice(&mut self, node: NodeId, player: Player, given: &mut PerPlayer<Given>) -> Result<Option<NodeId>> {
        match given[player].choice(self.evaluator, self.explored, node, player)? {
            Some(head) => Ok(Some(head)),
            None => Ok(self.values.best(&self.explored.graph, node, player)),
        }
    }
}

fn no_move(position: &str, player: Player, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadMove, format!("this strategy makes no move of {}'s from {position}", player.name()))
        .label(span, "its value is no position that can be moved to")
        .help("a strategy takes a position and gives the one to move to, as in `let s(G) = G after [alice place((0, 0))]`")
        .into()
}
