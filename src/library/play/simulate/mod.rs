//! Plays games of chance many times (`simulate`), and compares the results with the theory.

mod bids;
mod endless;

use std::rc::Rc;

use num_rational::BigRational;
use num_traits::One;

use crate::ask::{About, Around, PositionValues};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, Placed};
use crate::ir::{Kinds, Parameter, Value};
use crate::library::asks;
use crate::library::play::matches::{Dice, MatchSetup, NothingHeld, Scenes, Seat, UserStrategy};
use crate::library::play::simulate::bids::{WinCounts, counted};
use crate::player::{GameId, PerPlayer, Player};
use crate::report::{Report, fact};
use crate::rules::{Draws, Objective, admit};
use crate::scalar::Scalar;
use crate::source::Span;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "simulate"(&[
        Parameter::new("G", Kinds::GAME),
        Parameter::new("a", Kinds::AMOUNT),
        Parameter::new("b", Kinds::AMOUNT),
    ]) -> Kinds::ANSWER, Some(asks::simulations), simulate,
        {
            income: true,
            required: 1,
            endless: true,
            named: &[
                Parameter::new("games", Kinds::INTEGER),
                Parameter::new("seed", Kinds::INTEGER),
                Parameter::new("coin", Kinds::NUMBER),
                Parameter::new("moves", Kinds::INTEGER),
                Parameter::new("alice", Kinds::FUNCTION),
                Parameter::new("bob", Kinds::FUNCTION),
            ]
        }
        "Plays G with random turns and optimal moves of both players, 10,000 times or `games:` \
         times, and counts the wins. The answer also gives the winning probability P(G) of the \
         theory, beside the share of the matches that Alice won; draws count in it as in P(G). A \
         match that cannot end any more is a draw, and so is one that has not ended after \
         `moves:` moves. `coin:` is the probability with which Alice moves, and `seed:` chooses \
         another random sequence. `alice: s` and `bob: s` give strategies: functions from a \
         position to the one to move to. `simulate(G, a, b)` plays with chips, or with `bids: \
         real` with money: the player who can win follows `strategy(G, a, b)`, the other plays at \
         random; where both pay, both follow `nash(G, a, b)`; where the score decides, Alice \
         follows `o(G, a, b)`. Under an objective of infinite play 200 plays of 10,000 moves each \
         (`moves:`) give a mean payoff, beside `payoff(G)`, or the frequency with which the \
         objective is met; with money for mean payoffs both bid their best.",
        "simulate(A^2 ∧ B^2, 4*, 4, games: 100)[0]" => "100";
};

/// The default number of games, and the most moves of one.
const GAMES: u64 = 10_000;
const MOST_MOVES: usize = 1_000_000;
/// The seed of a simulation if none is given.
const SEED: u64 = 1996;

/// The matches that are asked for.
pub(crate) struct Simulation<'c> {
    call: &'c Call<'c>,
    game: GameId,
    /// The number of matches.
    games: u64,
    /// The number of moves after which a match is a draw, if it is given.
    moves: Option<u64>,
    seed: u64,
}

impl Simulation<'_> {
    /// Returns the number of moves after which a match is a draw.
    fn most_moves(&self, default: usize) -> usize {
        self.moves.map_or(default, |moves| {
            usize::try_from(moves).unwrap_or(usize::MAX)
        })
    }
}

fn simulate(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let games = call.count("games", 1)?.unwrap_or(GAMES);
    let seed = call.count("seed", 0)?.unwrap_or(SEED);
    let moves = call.count("moves", 1)?;
    let asked = Simulation {
        call,
        game,
        games,
        moves,
        seed,
    };
    let endless = evaluator.rules().objective != Objective::Reachability;
    if endless {
        admit::no_endless_income(&evaluator.rules()).placed(call.span)?;
    }
    match call.arguments.len() {
        // Only random turns are compared with `P(G)`, which has no meaning with income.
        1 => admit::random_turns(&evaluator.rules()).placed(call.span)?,
        3 => {
            no_random_turns(call)?;
            return if endless {
                endless::money(evaluator, call, seed)
            } else {
                bids::simulate(evaluator, &asked)
            };
        }
        _ => return Err(one_purse(call.span)),
    }
    let coin = call.coin()?.unwrap_or_default();
    if endless {
        return endless::turns(evaluator, call, seed, coin);
    }
    let seat = |player| UserStrategy::new(call, player).map_or(Seat::Optimal, Seat::Given);
    let seats = PerPlayer::new(seat(Player::Alice), seat(Player::Bob));
    let (rules, dice) = (&evaluator.rules(), Dice::new(seed));
    let about = || About::PlayTurns(coin);
    // Large rulesets are not explored, so each position's moves are found when it is reached.
    let mut scenes = Scenes::new(|evaluator, game| evaluator.ask().about(game, about(), rules));
    let scene: Rc<Around<PositionValues>> = scenes.at(evaluator, game)?;
    let Scalar::Rational(value) = scene.solution.value(scene.node) else {
        unreachable!("random turns have rational values")
    };
    let mut table = MatchSetup::new(rules, seats, dice, scenes);
    table.toss.coin = coin;
    table.most_moves = asked.most_moves(MOST_MOVES);
    let counts = counted(&table.matches(evaluator, game, &NothingHeld, games)?);
    let theory = BigRational::one() - value;
    Ok(answer(counts, games, rules.draws, theory))
}

/// Makes the answer: the frequency of Alice's wins, with draws as the rules count them, beside the
/// theory.
fn answer(counts: WinCounts, games: u64, draws: Draws, theory: BigRational) -> Value {
    let (won, drawn) = (counts.alice, games - counts.alice - counts.bob);
    let draw = match draws {
        Draws::Neither | Draws::Bob => 0.0,
        Draws::Half => 0.5,
        Draws::Alice => 1.0,
    };
    let mean = |draw: f64| (won as f64 + drawn as f64 * draw) / games as f64;
    let share = mean(draw);
    // This is the standard error of the mean of independent matches.
    let error = ((mean(draw * draw) - share * share).max(0.0) / games as f64).sqrt();
    let mut facts = vec![fact("games", games), fact("alice wins", won)];
    if drawn > 0 {
        facts.push(fact("draws", drawn));
    }
    facts.push(fact("share", format!("{share:.4} ± {error:.4}")));
    facts.push(fact("P", &theory));
    let values = [
        Value::integer(won),
        Value::integer(games),
        Value::rational(theory),
    ];
    Value::answer_row(Report::Record(facts), values)
}

/// Accepts a call with both players' chips or money, in which bids decide who moves.
///
/// # Errors
/// Returns an error if the call has an option of random turns.
fn no_random_turns(call: &Call<'_>) -> Result<()> {
    let options = ["coin", "alice", "bob"];
    let Some((name, given)) = options
        .into_iter()
        .find_map(|name| Some((name, call.option(name)?)))
    else {
        return Ok(());
    };
    let why = match name {
        "coin" => "bids decide who moves, not a coin",
        _ => "the program bids and moves for both players",
    };
    Err(Diagnostic::new(
        Code::WrongCount,
        format!("`simulate` takes `{name}:` only without chips or money"),
    )
    .label(given.span, why)
    .help(format!(
        "leave out `{name}:`, or leave out the chips: `simulate(G, {name}: …)` plays with random turns"
    ))
    .into())
}

fn one_purse(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::WrongCount,
        "`simulate` takes both players' chips, or none",
    )
    .label(span, "Alice's chips alone")
    .help("write `simulate(G)` for random turns, `simulate(G, 4*, 4)` for matches in chips")
    .into()
}
