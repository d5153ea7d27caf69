//! Plays a match against the optimal player (`play`).

use crate::ask::About;
use crate::diagnostic::{Code, Result};
use crate::eval::{Builtin, Call, Evaluator, Placed};
use crate::ir::{Kinds, Parameter, Value};
use crate::library::GAME_AND_CHIPS;
use crate::library::all_pay::purses_of_match;
use crate::library::asks;
use crate::library::play::matches::board::sampled_scene;
use crate::library::play::matches::{
    Dice, MatchSetup, Person, Played, Scenes, Seat, is_large_board, mixed_scene, no_terminal,
    scored_scene, stopped, won_scene,
};
use crate::library::scoring::pure::number;
use crate::player::{Ending, GameId, Outcome, PerPlayer, Player};
use crate::rules::admit::ChipsQuestion;
use crate::rules::{Purses, Rules, Winner};

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "play"(GAME_AND_CHIPS)
        -> Kinds::OUTCOME.or(Kinds::NUMBER).or(Kinds::TEXT), Some(asks::strategies), play,
        { named: &[Parameter::new("as", Kinds::PLAYER), Parameter::new("seed", Kinds::INTEGER)] }
        "Plays G with these chips against the optimal player, in the terminal. You are Alice, or the player \
         that `as:` names. At every question `hint` shows optimal play and `undo` takes back your last answer. A match \
         that goes round without end is a draw, and one in which nothing is asked for 1,000 turns is stopped. Where \
         both pay, the optimal player draws its bids from the optimal mixed bid; the same `seed:` gives the same \
         draws. On the board of a large selection game, like Hex on 11 × 11, it bids and moves by judging 500,000 \
         filled boards.",
        "play(E, 4*, 0)" => "alice";
};

/// Plays a match. Ctrl-C stops it both at a question and while the program computes.
fn play(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    match whole_match(evaluator, call) {
        // A match that has begun ends with a word, and one that has not with the error.
        Err(stop) if stop.code == Code::Interrupted && evaluator.talked => Ok(stopped()),
        ended => ended,
    }
}

/// The aim of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MatchAim {
    /// Winning, if single bids are optimal.
    Wins,
    /// The score.
    Score,
    /// Winning under all-pay bidding.
    Mixed,
    /// Winning on a board that is too large for any method but sampling.
    Board,
}

impl MatchAim {
    fn of(evaluator: &mut Evaluator<'_>, game: GameId) -> Result<Self> {
        if evaluator.rules().pay.is_all_pay() {
            // The query is evaluated only for its errors about the game.
            return evaluator.asked(game).map(|_| Self::Mixed);
        }
        if is_large_board(evaluator, game) {
            return Ok(Self::Board);
        }
        Ok(match evaluator.asked(game)? {
            ChipsQuestion::Score => Self::Score,
            ChipsQuestion::Threshold | ChipsQuestion::Outcome | ChipsQuestion::Bid => Self::Wins,
        })
    }

    fn purses(self, evaluator: &Evaluator<'_>, call: &Call<'_>) -> Result<Purses> {
        match self {
            Self::Mixed => purses_of_match(evaluator, call),
            Self::Score => evaluator.purses(call, ChipsQuestion::Score),
            Self::Wins | Self::Board => evaluator.purses(call, ChipsQuestion::Bid),
        }
    }

    fn rules(self, evaluator: &Evaluator<'_>) -> Rules {
        match self {
            Self::Mixed => evaluator.rules(),
            Self::Wins | Self::Score => evaluator.play_rules(),
            // On such a board a move is never a disadvantage.
            Self::Board => Rules {
                winner: Winner::Moves,
                ..evaluator.play_rules()
            },
        }
    }
}

fn whole_match(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let aim = MatchAim::of(evaluator, game)?;
    let purses = aim.purses(evaluator, call)?;
    // Chips and rules are checked first, so that their errors are reported without a terminal too.
    if evaluator.dialogue.is_none() {
        return Err(no_terminal(call));
    }
    evaluator.talked = true;
    let person = match call.option("as").map(|given| given.value) {
        Some(Value::Player(player)) => *player,
        _ => Player::Alice,
    };
    let chance = match aim {
        // Here only the sampling uses chance, which is drawn for each scene.
        MatchAim::Board => 0,
        MatchAim::Wins | MatchAim::Score | MatchAim::Mixed => evaluator
            .dialogue
            .as_mut()
            .map_or(0, |dialogue| dialogue.chance()),
    };
    let dice = Dice::new(call.count("seed", 0)?.unwrap_or(chance));
    let (rules, total) = (&aim.rules(evaluator), purses.total());
    let scenes = match aim {
        MatchAim::Board => Scenes::new(|evaluator, game| {
            sampled_scene(evaluator, game, person.other(), rules, total)
        }),
        MatchAim::Score => {
            Scenes::new(|evaluator, game| scored_scene(evaluator, game, rules, total, call.span))
        }
        MatchAim::Mixed => {
            let dice = dice.clone();
            Scenes::new(move |evaluator, game| {
                mixed_scene(
                    evaluator,
                    game,
                    rules,
                    purses.chips,
                    dice.clone(),
                    call.span,
                )
            })
        }
        MatchAim::Wins => Scenes::new(|evaluator, game| {
            won_scene(evaluator, game, About::Strategies(total), rules)
        }),
    };
    let seat = |player| {
        if player == person {
            Seat::Person(Person { player })
        } else {
            Seat::Optimal
        }
    };
    let seats = PerPlayer::new(seat(Player::Alice), seat(Player::Bob));
    let mut table = MatchSetup::new(rules, seats, dice, scenes);
    // The random numbers are the same either way, and this keeps the draws of known seeds.
    table.toss.first = Player::Bob;
    // A person decides when a match has lasted long enough, as long as there are questions.
    table.most_moves = usize::MAX;
    let played = table.play(evaluator, game, purses).placed(call.span)?;
    let Some(Played { ending, score }) = played else {
        return Ok(stopped());
    };
    Ok(match (aim, ending) {
        (MatchAim::Score, _) => Value::rational(number(score)),
        (MatchAim::Wins | MatchAim::Mixed | MatchAim::Board, Ending::Win(player)) => {
            Value::Outcome(Outcome::Wins(player))
        }
        (MatchAim::Wins | MatchAim::Mixed | MatchAim::Board, Ending::Draw) => {
            Value::Outcome(Outcome::Draw)
        }
    })
}
