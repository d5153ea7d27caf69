//! Evaluates other positions of a game: `G at POSITION` and `G after [alice MOVE, …]`.

use super::evaluator::Evaluator;
use super::frame::Frame;
use crate::diagnostic::{Code, Diagnostic, Result, did_you_mean};
use crate::game::{GameExpr, NetworkId, Score, print_game, print_position};
use crate::ir::{Action, CheckedPly, Value};
use crate::player::{GameId, Player};
use crate::source::Span;

/// A move in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMove {
    /// The action, such as `place(1, 1)`; empty if the move is named by its successor.
    pub action: String,
    /// The successor.
    pub to: GameId,
    /// The score that it adds, positive for Alice.
    pub score: Score,
}

impl Evaluator<'_> {
    /// Returns the game from another position.
    ///
    /// # Errors
    /// Returns an error if the game has no such position.
    pub(super) fn at(&mut self, game: GameId, position: &Value, span: Span) -> Result<GameId> {
        let text = self.print(position)?;
        match self.world.games.expr(game).clone() {
            GameExpr::Vertex(network, _) => match self.vertex_called(network, position)? {
                Some(vertex) => Ok(self.world.games.vertex(network, vertex)),
                None => {
                    let vertices = self.world.games.network(network).vertices();
                    Err(no_vertex(
                        &text,
                        vertices.iter().map(|vertex| vertex.name.as_str()),
                        span,
                    ))
                }
            },
            GameExpr::State(id, _) => match self.world.games.ruleset(id).read(&text) {
                Ok(state) => Ok(self.world.games.state(id, state)),
                Err(why) => {
                    let ruleset = self.world.games.ruleset(id);
                    Err(bad_position(&why, &ruleset.print(ruleset.start()), span))
                }
            },
            GameExpr::Conjugate(inner) => {
                let inner = self.at(inner, position, span)?;
                Ok(self.world.games.conjugate(inner))
            }
            GameExpr::Truncation(inner, n) => {
                let inner = self.at(inner, position, span)?;
                Ok(self.world.games.truncation(inner, n))
            }
            GameExpr::Cut(inner, n, winner) => {
                let inner = self.at(inner, position, span)?;
                Ok(self.world.games.cut(inner, n, winner))
            }
            GameExpr::Ruled(inner, stuck) => {
                let inner = self.at(inner, position, span)?;
                Ok(self.world.games.ruled(inner, stuck))
            }
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Sum(..) => Err(no_positions(&print_game(&self.world.games, game), span)),
        }
    }

    /// Returns the vertex with this name, or else the vertex that prints as this text; the latter
    /// first if texts are [read as printed](Self::reads_printed).
    fn vertex_called(&self, network: NetworkId, name: &Value) -> Result<Option<u32>> {
        let vertices = self.world.games.network(network);
        let named = vertices.find(&self.vertex_name(name)?);
        let printed = match name {
            Value::Text(text) => vertices.find(text),
            _ => None,
        };
        Ok(if self.reads_printed {
            printed.or(named)
        } else {
            named.or(printed)
        })
    }

    pub(super) fn after(
        &mut self,
        mut game: GameId,
        plies: &[CheckedPly],
        frame: &mut Frame,
    ) -> Result<GameId> {
        for ply in plies {
            if self.world.games.ending(game)?.is_some() {
                return Err(already_over(
                    &print_position(&self.world.games, game),
                    ply.span,
                ));
            }
            let moves = self.named_moves(game, ply.player)?;
            game = self.play(&moves, ply, frame)?;
        }
        Ok(game)
    }

    fn play(&mut self, moves: &[NamedMove], ply: &CheckedPly, frame: &mut Frame) -> Result<GameId> {
        let (wanted, vertex) = match &ply.action {
            Action::Named(name, arguments) => {
                let arguments = arguments
                    .iter()
                    .map(|argument| self.eval(argument, frame))
                    .collect::<Result<Vec<_>>>()?;
                (
                    call_text(name, &arguments, |value| self.print(value))?,
                    None,
                )
            }
            Action::Vertex(expr) => match self.eval(expr, frame)? {
                // A move may be named by the game that it leads to, which needs no text.
                Value::Game(game) if moves.iter().any(|named| named.to == game) => return Ok(game),
                value => (self.print(&value)?, Some(self.vertex_name(&value)?)),
            },
        };
        let games = &self.world.games;
        let words = |named: &NamedMove| {
            if named.action.is_empty() {
                print_position(games, named.to)
            } else {
                named.action.clone()
            }
        };
        let called = |name: &str| {
            let mut heads: Vec<GameId> = Vec::new();
            for named in moves.iter().filter(|named| words(named) == name) {
                if !heads.contains(&named.to) {
                    heads.push(named.to);
                }
            }
            heads
        };
        // The order matters, since `1` and `"1"` may be two vertices.
        let names = if self.reads_printed {
            [Some(&wanted), vertex.as_ref()]
        } else {
            [vertex.as_ref(), Some(&wanted)]
        };
        let mut found = names.into_iter().flatten().map(|name| called(name));
        let found = found.find(|heads| !heads.is_empty()).unwrap_or_default();
        match found[..] {
            [only] => Ok(only),
            [] => {
                let words: Vec<String> = moves.iter().map(words).collect();
                Err(bad_move(ply, &wanted, &words))
            }
            [first, second, ..] => {
                let heads = [first, second].map(|head| print_position(games, head));
                Err(several_moves(ply, &wanted, &heads))
            }
        }
    }

    /// Returns a player's moves in words, without merging symmetric ones; none if the game is over.
    ///
    /// # Errors
    /// Returns an error if a ruleset's state leaves its range.
    pub fn named_moves(&mut self, game: GameId, player: Player) -> Result<Vec<NamedMove>> {
        if self.world.games.ending(game)?.is_some() {
            return Ok(Vec::new());
        }
        let games = &mut self.world.games;
        match games.expr(game).clone() {
            GameExpr::State(id, state) => {
                let moves = games.ruleset(id).labelled_moves(&state, player)?;
                if moves.is_empty() {
                    let stuck = games.scored_moves(game, player)?.into_iter();
                    return Ok(stuck
                        .map(|(to, score)| NamedMove {
                            action: "no move".to_owned(),
                            to,
                            score,
                        })
                        .collect());
                }
                let mut named = |(action, state, score)| NamedMove {
                    action,
                    to: games.state(id, state),
                    score,
                };
                Ok(moves.into_iter().map(&mut named).collect())
            }
            GameExpr::Conjugate(inner) => {
                let mut moves = self.named_moves(inner, player.other())?;
                for named in &mut moves {
                    named.to = self.world.games.conjugate(named.to);
                    // Scores count for Alice, and in a conjugate the players are exchanged.
                    named.score = -named.score;
                }
                Ok(moves)
            }
            GameExpr::Truncation(inner, n) => {
                let mut moves = self.named_moves(inner, player)?;
                for named in &mut moves {
                    // A move uses one of the moves that are left.
                    named.to = self.world.games.truncation(named.to, n.saturating_sub(1));
                }
                Ok(moves)
            }
            GameExpr::Cut(inner, n, winner) => {
                let mut moves = self.named_moves(inner, player)?;
                for named in &mut moves {
                    named.to = self.world.games.cut_option(named.to, n, winner);
                }
                Ok(moves)
            }
            GameExpr::Ruled(inner, stuck) => {
                let mut moves = self.named_moves(inner, player)?;
                if moves.is_empty() {
                    let stuck = self.world.games.scored_moves(game, player)?.into_iter();
                    moves.extend(stuck.map(|(to, score)| NamedMove {
                        action: "no move".to_owned(),
                        to,
                        score,
                    }));
                }
                for named in &mut moves {
                    named.to = self.world.games.ruled(named.to, stuck);
                }
                Ok(moves)
            }
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Sum(..)
            | GameExpr::Vertex(..) => {
                let found = games.scored_moves(game, player)?;
                Ok(found
                    .into_iter()
                    .map(|(to, score)| NamedMove {
                        action: String::new(),
                        to,
                        score,
                    })
                    .collect())
            }
        }
    }
}

/// Formats a move: `place(1, 1)`, where a single cell is spread out into its coordinates, and
/// `pass` without arguments.
fn call_text(
    name: &str,
    arguments: &[Value],
    print: impl Fn(&Value) -> Result<String>,
) -> Result<String> {
    let spread: Vec<String> = arguments
        .iter()
        .flat_map(|argument| match argument {
            Value::Tuple(parts) => parts.to_vec(),
            other => vec![other.clone()],
        })
        .map(|value| print(&value))
        .collect::<Result<_>>()?;
    Ok(if spread.is_empty() {
        name.to_owned()
    } else {
        format!("{name}({})", spread.join(", "))
    })
}

fn no_vertex<'a>(
    text: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    span: Span,
) -> Box<Diagnostic> {
    let help = match did_you_mean(text, names.clone()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => {
            let some: Vec<&str> = names.take(12).collect();
            format!("its vertices are {}", some.join(", "))
        }
    };
    Diagnostic::new(Code::BadPosition, format!("the graph has no vertex {text}"))
        .label(span, "no such vertex")
        .help(help)
        .into()
}

fn bad_position(why: &str, start: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadPosition, why.to_owned())
        .label(span, "no position of this game")
        .help(format!("positions look like the start, {start:?}"))
        .into()
}

fn no_positions(game: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadPosition,
        format!("the positions of {game} have no names"),
    )
    .label(span, "`at` needs a graph or a ruleset")
    .help("use `after [alice MOVE, …]`, or write the position as an expression")
    .into()
}

fn already_over(position: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadMove, format!("the game is over at {position}"))
        .label(span, "no move is left")
        .into()
}

/// The most moves that a message lists.
const MOST_LISTED: usize = 12;

fn several_moves(ply: &CheckedPly, wanted: &str, heads: &[String; 2]) -> Box<Diagnostic> {
    let message = format!("{} has several moves `{wanted}`", ply.player.name());
    Diagnostic::new(Code::BadMove, message)
        .label(ply.span, format!("to {} or to {}", heads[0], heads[1]))
        .help("give the moves different arguments in the ruleset, or name the position after the move: `(G at \"…\")`")
        .into()
}

fn bad_move(ply: &CheckedPly, wanted: &str, words: &[String]) -> Box<Diagnostic> {
    let player = ply.player.name();
    let name = |words: &str| words.split('(').next().map(str::to_owned);
    // If the name is right, the arguments are wrong, and another move is no help.
    let misspelt = words.iter().all(|legal| name(legal) != name(wanted));
    let nearest = did_you_mean(wanted, words.iter().map(String::as_str)).filter(|_| misspelt);
    let dots = if words.len() > MOST_LISTED {
        ", …"
    } else {
        ""
    };
    let help = match (nearest, words) {
        (_, []) => format!("{player} has no move here"),
        (Some(nearest), _) => format!("did you mean `{nearest}`?"),
        (None, _) => format!(
            "{player}'s moves are {}{dots}",
            words[..words.len().min(MOST_LISTED)].join(", ")
        ),
    };
    Diagnostic::new(
        Code::BadMove,
        format!("{wanted} is not a move that {player} has here"),
    )
    .label(ply.span, "not legal")
    .help(help)
    .into()
}
