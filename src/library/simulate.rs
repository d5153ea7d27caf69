//! `simulate`: games of chance played out many times, beside what the theory says.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::engine::Dice;
use super::queries::biased;
use super::{Builtin, Call, Parameter};
use crate::check::Kinds;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Answer, Evaluator, Value};
use crate::game::{Ending, GameGraph, NodeId, Player};
use crate::report::{Report, Scalar};
use crate::rules::Winner;
use crate::solve::richman::{Coin, Values};

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[Builtin {
    named: &[
        Parameter { name: "games", kinds: Kinds::INTEGER },
        Parameter { name: "seed", kinds: Kinds::INTEGER },
        Parameter { name: "coin", kinds: Kinds::NUMBER },
    ],
    help: "Plays G with random turns, both players moving their best, 10,000 times or `games:` times, and counts; beside it the \
           winning probability P(G) by the theory. `coin:` is the probability with which Alice moves, `seed:` chooses other chances.",
    run: simulate,
    ..Builtin::new("simulate", &[Parameter { name: "G", kinds: Kinds::GAME }], Kinds::ANSWER)
}];

/// The games that are played, and the most moves of one, if nothing is said.
const GAMES: u64 = 10_000;
const MOST_MOVES: usize = 1_000_000;
/// The chances of a simulation where no seed is given.
const SEED: u64 = 1996;

fn simulate(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let named = |wanted: &str| call.named.iter().find(|(name, ..)| *name == wanted);
    let games = match named("games") {
        Some((_, Value::Integer(games), span)) => match games.to_u64().filter(|games| *games > 0) {
            Some(games) => games,
            None => {
                return Err(Diagnostic::new(Code::BadValue, "the number of games is 1 or more")
                    .label(*span, "no number of games")
                    .help("write, for example, `games: 10000`")
                    .into());
            }
        },
        _ => GAMES,
    };
    let seed = match named("seed") {
        Some((_, Value::Integer(seed), _)) => seed.iter_u64_digits().next().unwrap_or(0),
        _ => SEED,
    };
    let coin = match named("coin") {
        Some((_, value, span)) => biased(&(value.clone(), *span))?,
        None => Coin::default(),
    };
    let (rules, watch) = (evaluator.rules(), evaluator.watch);
    let place = evaluator.locate(game)?;
    place.chart.needs_wins()?;
    let (graph, node) = (&place.chart.explored.graph, place.node);
    let values = Values::with_coin(graph, &rules, coin, watch)?;
    let mut dice = Dice::new(seed);
    let (mut won, mut drawn) = (0_u64, 0_u64);
    for played in 0..games {
        if played % 64 == 0 {
            watch.check()?;
            watch.report("playing", played, Some(games));
        }
        match play_out(graph, &values, rules.winner, coin, node, &mut dice) {
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

/// One game; one that goes on for too long is a draw.
fn play_out(
    graph: &GameGraph,
    values: &Values,
    winner: Winner,
    coin: Coin,
    mut node: NodeId,
    dice: &mut Dice,
) -> Ending {
    let [alice, bob] = Player::BOTH.map(|player| f64::from(coin.weights[player]));
    for _ in 0..MOST_MOVES {
        if let Some(ending) = graph.ending(node) {
            return ending;
        }
        let toss = if dice.fraction() * (alice + bob) < alice { Player::Alice } else { Player::Bob };
        let best = |player| values.best(graph, node, player);
        node = match (best(toss), best(toss.other())) {
            (Some(own), Some(other)) if winner == Winner::Chooses => {
                let order = values.compare(own, other);
                let let_move = if toss == Player::Alice { order.is_gt() } else { order.is_lt() };
                if let_move { other } else { own }
            }
            (Some(own), _) => own,
            (None, Some(other)) => other,
            (None, None) => unreachable!("a vertex without an ending has an edge"),
        };
    }
    Ending::Draw
}
