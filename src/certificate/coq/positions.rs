//! The game of a question in the file: its definition, its start, and the encoding of the listed
//! positions.

use super::expressions::Translator;
use super::graphs;
use super::names::TakenNames;
use super::refused;
use super::rules::{GallinaRuleset, translate};
use super::stream::{BitStream, StreamLayout, ending, width};
use super::terms::GallinaTerm;
use crate::diagnostic::Result;
use crate::player::Ending;
use crate::verify::{CertifiedGraph, Game, GameIndex, Interpreter, Value};

/// A game in the file.
pub(super) struct TranslatedGame {
    /// Its definitions.
    pub text: String,
    /// The term of the game, as an argument.
    pub game: String,
    /// The name of the game in theorems.
    pub name: String,
    /// The position that the question concerns, as an argument.
    pub start: String,
    positions: PositionEncoding,
}

enum PositionEncoding {
    Vertices {
        room: usize,
    },
    States {
        layout: StreamLayout,
        shape: PositionShape,
    },
}

/// The shape of a ruleset's positions, beyond their state.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PositionShape {
    /// `true` if there are endings at which a player could not move.
    stuck: bool,
    /// `true` if the first move leads to one of two positions.
    opening: bool,
}

/// Returns the game whose form holds the state of a position: the position itself, or the inner
/// game of a conjugate.
fn state_of(interpreter: &Interpreter<'_>, game: GameIndex) -> Option<GameIndex> {
    match interpreter.form(game) {
        Game::State(..) | Game::Over(_) => Some(game),
        Game::Conjugate(inner) => Some(*inner),
        _ => None,
    }
}

impl TranslatedGame {
    pub fn of(
        interpreter: &mut Interpreter<'_>,
        graph: &CertifiedGraph<'_>,
        games: &[GameIndex],
        names: &mut TakenNames,
    ) -> Result<Self> {
        let (first, exchanged) = match *interpreter.form(games[0]) {
            Game::Conjugate(inner) => (inner, true),
            _ => (games[0], false),
        };
        let starts = match *interpreter.form(first) {
            Game::State(..) => vec![first],
            Game::Wedge(g, h) if same_rules(interpreter, g, h) => vec![g, h],
            _ => Vec::new(),
        };
        match starts.first().map(|start| interpreter.form(*start).clone()) {
            Some(Game::State(number, _)) => {
                let instance = interpreter.instance_at(number);
                let mut states = Vec::new();
                for start in starts {
                    states.extend(unpacked(interpreter, start)?);
                }
                let mut rules = translate(interpreter, &instance, &states, names)?;
                *names = std::mem::take(&mut rules.names);
                Self::of_states(interpreter, games, rules, states, exchanged)
            }
            _ => {
                let called = games
                    .iter()
                    .map(|game| graphs::called(interpreter, *game))
                    .collect::<Result<Vec<_>>>()?;
                let name = names.define("graph");
                Ok(Self {
                    text: graphs::definition(&name, graph, &called),
                    game: name.clone(),
                    name,
                    // Vertices are numbered from 1, because the type `positive` has no 0.
                    start: "1%positive".to_owned(),
                    positions: PositionEncoding::Vertices {
                        room: width(games.len() as u64),
                    },
                })
            }
        }
    }

    fn of_states(
        interpreter: &mut Interpreter<'_>,
        games: &[GameIndex],
        rules: GallinaRuleset,
        starts: Vec<Vec<Value>>,
        exchanged: bool,
    ) -> Result<Self> {
        let layouts = rules.types.iter().zip(&starts[0]);
        let layouts = layouts
            .map(|(ty, value)| StreamLayout::of(ty, value))
            .collect::<Option<Vec<_>>>();
        let parts = layouts.ok_or_else(|| refused("a state has a type without a listing"))?;
        let mut layout = StreamLayout::Parts(parts);
        for (done, game) in games.iter().enumerate() {
            if done.is_multiple_of(256) {
                interpreter.context.check()?;
            }
            // A start before a ruleset's positions has no state yet.
            let begins = done == 0 && starts.len() > 1;
            if let Some(state) = if begins {
                None
            } else {
                unpacked(interpreter, *game)?
            } {
                // One width serves all positions, so every one is measured before any is written.
                layout.measure(&Value::tuple(state));
            }
        }
        let mut translator = Translator::new(interpreter, TakenNames::default());
        let span = rules.span;
        let mut terms = Vec::new();
        for start in &starts {
            let mut parts = Vec::new();
            for (value, ty) in start.iter().zip(&rules.types) {
                let term = translator.literal(value, span)?;
                parts.push(translator.of_type(term, ty, span)?);
            }
            let start = match &parts[..] {
                [one] => one.outside(0),
                _ => GallinaTerm::tuple(parts).whole(),
            };
            terms.push(match rules.stuck {
                true => format!("(inl {start})"),
                false => start,
            });
        }
        let (game, start) = match &terms[..] {
            [one] => (rules.name.clone(), one.clone()),
            both => (
                format!("(opening {} {})", rules.name, both.join(" ")),
                "None".to_owned(),
            ),
        };
        let shape = PositionShape {
            stuck: rules.stuck,
            opening: terms.len() > 1,
        };
        let game = match exchanged {
            true => format!("(conjugate {game})"),
            false => game,
        };
        Ok(Self {
            text: rules.text,
            game,
            name: rules.name,
            start,
            positions: PositionEncoding::States { layout, shape },
        })
    }

    /// Returns the reader of a position.
    pub fn reader(&self) -> String {
        match &self.positions {
            PositionEncoding::Vertices { room } => StreamLayout::Vertex(*room).reader(),
            PositionEncoding::States { layout, shape } => {
                let mut reader = layout.reader();
                if shape.stuck {
                    reader = format!("(either {reader} a_cell)");
                }
                if shape.opening {
                    reader = format!("(optional {reader})");
                }
                reader
            }
        }
    }

    /// Writes the position with this number.
    pub fn write(
        &self,
        interpreter: &Interpreter<'_>,
        games: &[GameIndex],
        number: usize,
        bits: &mut BitStream,
    ) -> Result<()> {
        match &self.positions {
            PositionEncoding::Vertices { room } => bits.number(number as u64 + 1, *room),
            PositionEncoding::States { layout, shape } => {
                if shape.opening {
                    // Only the start lies before the choice of an opening.
                    bits.push(number > 0);
                    if number == 0 {
                        return Ok(());
                    }
                }
                match unpacked(interpreter, games[number])? {
                    Some(state) => {
                        if shape.stuck {
                            bits.push(false);
                        }
                        layout.write(&Value::tuple(state), bits);
                    }
                    None => {
                        bits.push(true);
                        ending(ended(interpreter, games, number), bits);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns `true` if two games are positions of one ruleset.
fn same_rules(interpreter: &Interpreter<'_>, g: GameIndex, h: GameIndex) -> bool {
    match [g, h].map(|game| interpreter.form(game)) {
        [Game::State(a, _), Game::State(b, _)] => a == b,
        _ => false,
    }
}

/// Returns the state of a ruleset's position; `None` if play has ended because a player could not
/// move.
fn unpacked(interpreter: &Interpreter<'_>, game: GameIndex) -> Result<Option<Vec<Value>>> {
    let inner = state_of(interpreter, game)
        .ok_or_else(|| refused("this game is more than a ruleset and its conjugate"))?;
    match interpreter.form(inner) {
        Game::State(instance, state) => {
            let instance = interpreter.instance_at(*instance);
            Ok(Some(instance.unpack(state)))
        }
        _ => Ok(None),
    }
}

/// Returns the ending at a position without a state, as the ruleset itself defines it.
fn ended(interpreter: &Interpreter<'_>, games: &[GameIndex], number: usize) -> Ending {
    let exchanged = matches!(interpreter.form(games[0]), Game::Conjugate(_));
    match interpreter.form(games[number]) {
        // The theory applies `conjugate` to the rules, whose endings are those before the exchange.
        Game::Over(Ending::Win(player)) if exchanged => Ending::Win(player.other()),
        Game::Over(ending) => *ending,
        _ => Ending::Draw,
    }
}
