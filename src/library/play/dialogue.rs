//! `play`: a match against the optimal player.

use crate::ask::About;
use crate::diagnostic::{Code, Result};
use crate::eval::{Builtin, Call, Evaluator, placed};
use crate::ir::{BuiltinSignature, Kinds, Parameter, Value};
use crate::library::all_pay::purses_of_match;
use crate::library::asks;
use crate::library::play::matches::board::sampled_scene;
use crate::library::play::matches::{
    Dice, Person, Played, Scenes, Seat, Table, Toss, is_large_board, mixed_scene, no_terminal,
    scored_scene, stopped, won_scene,
};
use crate::library::scoring::pure::number;
use crate::player::{Ending, GameId, Outcome, PerPlayer, Player};
use crate::rules::admit::Asked;
use crate::rules::{Purses, Rules, Winner};

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[Builtin {
    signature: BuiltinSignature {
        named: &[
            Parameter {
                name: "as",
                kinds: Kinds::PLAYER,
            },
            Parameter {
                name: "seed",
                kinds: Kinds::INTEGER,
            },
        ],
        help: "Plays G with these chips against the optimal player, in the terminal. You are Alice, or the player \
           that `as:` names. At every question `hint` shows optimal play and `undo` takes back your last answer. Where \
           both pay, the optimal player draws its bids from the optimal mixed bid; the same `seed:` gives the same \
           draws. On the board of a large selection game, like Hex on 11 × 11, it bids and moves by judging 500,000 \
           filled boards.",
        examples: &[("play(E, 4*, 0)", "alice")],
        ..BuiltinSignature::new(
            "play",
            &[
                Parameter {
                    name: "G",
                    kinds: Kinds::GAME,
                },
                Parameter {
                    name: "a",
                    kinds: Kinds::HOLDING,
                },
                Parameter {
                    name: "b",
                    kinds: Kinds::HOLDING,
                },
            ],
            Kinds::OUTCOME.or(Kinds::NUMBER).or(Kinds::TEXT),
        )
    },
    asks: asks::strategies,
    run: play,
}];

/// Ctrl-C stops the match, whether it comes at a question or while the program thinks.
fn play(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    match whole_match(evaluator, call) {
        Err(stop) if stop.code == Code::Interrupted && evaluator.talked => Ok(stopped()),
        ended => ended,
    }
}

/// What a match is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// To win, as far as single bids can.
    Wins,
    /// The score.
    Score,
    /// To win where both pay.
    Mixed,
    /// To win on a board that is too large for anything but sampling.
    Board,
}

impl Aim {
    fn of(evaluator: &mut Evaluator<'_>, game: GameId) -> Result<Self> {
        if evaluator.rules().pay.is_all_pay() {
            // What is asked is looked at for the sake of what is wrong with the game.
            return evaluator.asked(game).map(|_| Self::Mixed);
        }
        if is_large_board(evaluator, game) {
            return Ok(Self::Board);
        }
        Ok(match evaluator.asked(game)? {
            Asked::Score => Self::Score,
            Asked::Threshold | Asked::Outcome | Asked::Bid => Self::Wins,
        })
    }

    fn purses(self, evaluator: &Evaluator<'_>, call: &Call<'_>) -> Result<Purses> {
        let (alice, bob) = (&call.arguments[1], &call.arguments[2]);
        match self {
            Self::Mixed => purses_of_match(evaluator, alice, bob, call.span),
            Self::Score => evaluator.purses(alice, bob, Asked::Score, call.span),
            Self::Wins | Self::Board => evaluator.purses(alice, bob, Asked::Bid, call.span),
        }
    }

    fn rules(self, evaluator: &Evaluator<'_>) -> Rules {
        match self {
            Self::Mixed => evaluator.rules(),
            Self::Wins | Self::Score => evaluator.play_rules(),
            // A move is always worth having there.
            Self::Board => Rules {
                winner: Winner::Moves,
                ..evaluator.play_rules()
            },
        }
    }
}

fn whole_match(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let aim = Aim::of(evaluator, game)?;
    let purses = aim.purses(evaluator, call)?;
    if evaluator.dialogue.is_none() {
        return Err(no_terminal(call));
    }
    evaluator.talked = true;
    let person = match call.option("as").map(|(value, _)| value) {
        Some(Value::Player(player)) => *player,
        _ => Player::Alice,
    };
    let chance = match aim {
        Aim::Board => 0,
        Aim::Wins | Aim::Score | Aim::Mixed => evaluator
            .dialogue
            .as_mut()
            .map_or(0, |dialogue| dialogue.chance()),
    };
    let dice = Dice::new(call.count("seed", 0)?.unwrap_or(chance));
    let (rules, total) = (&aim.rules(evaluator), purses.chips.alice + purses.chips.bob);
    let scenes = match aim {
        Aim::Board => Scenes::new(|evaluator, game| {
            sampled_scene(evaluator, game, person.other(), (rules, total))
        }),
        Aim::Score => {
            Scenes::new(|evaluator, game| scored_scene(evaluator, game, (rules, total), call.span))
        }
        Aim::Mixed => {
            let dice = dice.clone();
            Scenes::new(move |evaluator, game| {
                mixed_scene(
                    evaluator,
                    game,
                    (rules, purses.chips, dice.clone()),
                    call.span,
                )
            })
        }
        Aim::Wins => Scenes::new(|evaluator, game| {
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
    let toss = Toss {
        first: Player::Bob,
        ..Toss::fair(dice.clone())
    };
    let mut table = Table {
        rules,
        seats,
        toss,
        dice,
        scenes,
        most_moves: usize::MAX,
    };
    let played = table
        .play(evaluator, game, purses)
        .map_err(|error| placed(error, call.span))?;
    let Some(Played { ending, score }) = played else {
        return Ok(stopped());
    };
    Ok(match (aim, ending) {
        (Aim::Score, _) => Value::rational(number(score)),
        (Aim::Wins | Aim::Mixed | Aim::Board, Ending::Win(player)) => {
            Value::Outcome(Outcome::Wins(player))
        }
        (Aim::Wins | Aim::Mixed | Aim::Board, Ending::Draw) => Value::Outcome(Outcome::Draw),
    })
}
