//! The scores of an explored game, collected from expressions, explicit graphs and rulesets.
//!
//! A move of a wedge sum or of braces adds nothing, a conjugate has the opposite scores, and the
//! end of a truncation adds nothing. Games without scores are explored as usual; the scores of the
//! others are collected in a second pass.

use num_traits::Zero;

use super::scores::{Score, Scores, ScoresBuilder};
use super::{Explored, GameExpr, Games, Head, NodeId};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::{Ending, GameId, Player};
use crate::rules::Stuck;
use crate::watch::{Asking, Context, watched};

/// The number of moves examined between two checks for interruption.
const MOVES: usize = 1 << 10;

impl Games {
    /// Returns `true` if a game's own definition has scores for moves or endings; the games that it
    /// leads to do not count.
    pub fn is_scored(&self, game: GameId) -> bool {
        match self.expr(game) {
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Sum(..) => false,
            GameExpr::Conjugate(inner)
            | GameExpr::Truncation(inner, _)
            | GameExpr::Cut(inner, ..)
            | GameExpr::Ruled(inner, _) => self.is_scored(*inner),
            GameExpr::Vertex(network, _) => self.network(*network).is_scored(),
            GameExpr::State(ruleset, _) => self.ruleset(*ruleset).is_scored(),
        }
    }

    /// Returns the name of the graph or ruleset that a game is a position of, if nobody can win
    /// there and nothing scores. The name of a graph may be empty.
    pub fn never_won(&self, game: GameId) -> Option<&str> {
        match self.expr(game) {
            GameExpr::Conjugate(inner)
            | GameExpr::Truncation(inner, _)
            | GameExpr::Cut(inner, ..)
            | GameExpr::Ruled(inner, Stuck::OpponentMoves | Stuck::Passes) => {
                self.never_won(*inner)
            }
            GameExpr::Vertex(id, _) => {
                let network = self.network(*id);
                network.is_never_won().then(|| network.title())
            }
            GameExpr::State(id, _) => self
                .ruleset(*id)
                .is_never_won()
                .then(|| self.ruleset_title(*id)),
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Sum(..)
            | GameExpr::Ruled(_, Stuck::Ends(_)) => None,
        }
    }

    /// Returns the amount that a game's ending adds to the score; 0 if the game has not ended.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range.
    pub fn ending_score(&self, game: GameId) -> Result<Score> {
        Ok(match self.expr(game) {
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Sum(..) => Score::zero(),
            GameExpr::Conjugate(inner) => -self.ending_score(*inner)?,
            GameExpr::Truncation(inner, _)
            | GameExpr::Cut(inner, ..)
            | GameExpr::Ruled(inner, _) => self.ending_score(*inner)?,
            GameExpr::Vertex(network, vertex) => self.network(*network).vertex(*vertex).score,
            GameExpr::State(ruleset, state) => self.ruleset(*ruleset).ending_score(state)?,
        })
    }

    /// Returns the moves that [`Games::moves`] returns, each with the amount it adds to the score.
    /// Moves of a cut game add 0, since cuts serve only questions about wins.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range.
    pub fn scored_moves(&mut self, game: GameId, player: Player) -> Result<Vec<(GameId, Score)>> {
        match self.expr(game).clone() {
            GameExpr::Ruled(inner, stuck) => {
                let moves = self.scored_moves(inner, player)?;
                if moves.is_empty() {
                    let mut found = Vec::new();
                    self.moves(game, player, &mut found)?;
                    return Ok(found
                        .into_iter()
                        .map(|option| (option, Score::zero()))
                        .collect());
                }
                Ok(moves
                    .into_iter()
                    .map(|(option, score)| (self.ruled(option, stuck), score))
                    .collect())
            }
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Cut(..)
            | GameExpr::Sum(..) => {
                let mut found = Vec::new();
                self.moves(game, player, &mut found)?;
                Ok(found
                    .into_iter()
                    .map(|option| (option, Score::zero()))
                    .collect())
            }
            GameExpr::Conjugate(inner) => {
                let moves = self.scored_moves(inner, player.other())?;
                Ok(moves
                    .into_iter()
                    .map(|(option, score)| (self.conjugate(option), -score))
                    .collect())
            }
            GameExpr::Truncation(inner, n) => {
                let moves = self.scored_moves(inner, player)?;
                let shorter = n.saturating_sub(1);
                Ok(moves
                    .into_iter()
                    .map(|(option, score)| (self.truncation(option, shorter), score))
                    .collect())
            }
            GameExpr::Vertex(network, vertex) => {
                let from = self.network(network).vertex(vertex);
                let edges: Vec<_> = from.scored(player).collect();
                let to = |games: &mut Self, head| match head {
                    Head::Vertex(to) => games.vertex(network, to),
                    Head::Game(option) => option,
                };
                Ok(edges
                    .into_iter()
                    .map(|(head, score)| (to(self, head), score))
                    .collect())
            }
            GameExpr::State(id, state) => {
                let ruleset = self.ruleset(id);
                let mut next = Vec::new();
                ruleset.scored_moves(&state, player, &mut |state, score| {
                    next.push((ruleset.canonical(state), score))
                })?;
                if next.is_empty() {
                    let penalty = ruleset.stuck_score(&state, player)?;
                    return Ok(match ruleset.stuck_at(&state, player)? {
                        Some(Stuck::Ends(result)) => {
                            vec![(self.ended(result.for_player(player)), penalty)]
                        }
                        Some(Stuck::Passes) if ruleset.passes(&state, player)? => {
                            vec![(game, Score::zero())]
                        }
                        Some(Stuck::OpponentMoves | Stuck::Passes) | None => Vec::new(),
                    });
                }
                Ok(next
                    .into_iter()
                    .map(|(state, score)| (self.state(id, state), score))
                    .collect())
            }
        }
    }
}

impl Explored {
    /// Returns the scores of all moves and endings; `None` if the game has none.
    ///
    /// # Errors
    /// If a player can also win the game, the scores are too large, a ruleset's state leaves its
    /// range, or the work is stopped.
    pub fn weigh(&self, games: &mut Games, context: &Context<'_>) -> Result<Option<Scores>> {
        if !self.is_scored(games) {
            return Ok(None);
        }
        let graph = &self.graph;
        let vertices = watched(graph.nodes(), context)
            .map(|node| Ok(self.game(games, node?)))
            .collect::<Result<Vec<GameId>>>()?;
        if let Some(node) = graph
            .nodes()
            .find(|node| matches!(graph.ending(*node), Some(Ending::Win(_))))
        {
            return Err(win_and_score(&crate::game::print_game(
                games,
                vertices[node.index()],
            )));
        }
        let mut scores = ScoresBuilder::new(graph);
        let mut asking = Asking::every(MOVES, context);
        for (index, game) in vertices.into_iter().enumerate() {
            let tail = NodeId::new(index);
            if graph.ending(tail).is_some() {
                scores.end(tail, games.ending_score(game)?);
                continue;
            }
            for player in Player::BOTH {
                let moves = games.scored_moves(game, player)?;
                asking.step(1 + moves.len())?;
                for (option, score) in moves {
                    scores.weigh(player, tail, self.node_of_option(games, option), score);
                }
            }
        }
        scores.finish().map(Some).ok_or_else(too_large)
    }

    /// Returns the vertex of a game that a move leads to; it is a position or the ending that a
    /// stuck player is sent to.
    pub fn node_of_option(&self, games: &Games, option: GameId) -> NodeId {
        self.node(games, option)
            .or_else(|| self.extra_ending(games, option))
            .expect("the graph is closed under moves")
    }

    fn extra_ending(&self, games: &Games, option: GameId) -> Option<NodeId> {
        let GameExpr::Ended(ending) = games.expr(option) else {
            return None;
        };
        let mut extras = (self.position_count()..self.graph.len()).map(NodeId::new);
        extras.find(|node| self.graph.ending(*node) == Some(*ending))
    }
}

fn win_and_score(position: &str) -> Box<Diagnostic> {
    let message = "this game has both wins and scores, but does not say what a win is worth";
    Diagnostic::new(Code::WinsAndScores, message)
        .note(format!("somebody wins at {position}"))
        .help("say it with a score: in place of `win alice: x` write `score 10: x`, and in a ruleset `score 10 if …`")
        .into()
}

fn too_large() -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "the scores of this game are too large")
        .help("scores are kept in 64 bits, in units of their common denominator; use smaller numbers or rounder fractions")
        .into()
}
