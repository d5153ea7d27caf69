//! Plays a match against the optimal player (`play`).

use crate::ask::About;
use crate::diagnostic::{Code, Result};
use crate::eval::{Builtin, Call, Evaluator, placed};
use crate::ir::{BuiltinSignature, Kinds, Parameter, Value};
use crate::library::all_pay::purses_of_match;
use crate::library::asks;
use crate::library::play::matches::board::sampled_scene;
use crate::library::play::matches::{
    Dice, MatchSetup, Person, Played, Scenes, Seat, Toss, is_large_board, mixed_scene, no_terminal,
    scored_scene, stopped, won_scene,
};
use crate::library::scoring::pure::number;
use crate::player::{Ending, GameId, Outcome, PerPlayer, Player};
use crate::rules::admit::ChipsQuestion;
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
        help: "Plays G with these chips against the optimal player, in the terminal. You are Alice, or whom `as:` names. At every \
           question `hint` tells optimal play and `undo` takes back your last answer. \
           Where both pay, the optimal player draws its bids from the optimal mixed bid; the same `seed:` gives the same draws. On the \
           board of a large selection game, like Hex on 11 × 11, it bids and moves by judging 500,000 filled boards.",
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

/// Plays a match. Ctrl-C stops it both at a question and while the program computes.
fn play(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    match whole_match(evaluator, call) {
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
        let (alice, bob) = (&call.arguments[1], &call.arguments[2]);
        match self {
            Self::Mixed => purses_of_match(evaluator, alice, bob, call.span),
            Self::Score => evaluator.purses(alice, bob, ChipsQuestion::Score, call.span),
            Self::Wins | Self::Board => evaluator.purses(alice, bob, ChipsQuestion::Bid, call.span),
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
    let game = call.game()?;
    let aim = MatchAim::of(evaluator, game)?;
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
        MatchAim::Board => 0,
        MatchAim::Wins | MatchAim::Score | MatchAim::Mixed => evaluator
            .dialogue
            .as_mut()
            .map_or(0, |dialogue| dialogue.chance()),
    };
    let dice = Dice::new(call.count("seed", 0)?.unwrap_or(chance));
    let (rules, total) = (&aim.rules(evaluator), purses.chips.alice + purses.chips.bob);
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
    let toss = Toss {
        first: Player::Bob,
        ..Toss::fair(dice.clone())
    };
    let mut table = MatchSetup {
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
        (MatchAim::Score, _) => Value::rational(number(score)),
        (MatchAim::Wins | MatchAim::Mixed | MatchAim::Board, Ending::Win(player)) => {
            Value::Outcome(Outcome::Wins(player))
        }
        (MatchAim::Wins | MatchAim::Mixed | MatchAim::Board, Ending::Draw) => {
            Value::Outcome(Outcome::Draw)
        }
    })
}
