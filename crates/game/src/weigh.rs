//! The scores of an explored game, collected from expressions, explicit graphs and rulesets.
//!
//! The end of a truncation adds nothing. Games without scores are explored as usual; the scores of
//! the others are collected in a second pass.

use num_traits::Zero;

use super::scores::{Score, Scores, ScoresBuilder, for_alice};
use super::{Explored, GameExpr, Games, NodeId};
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
        match self.core(game).expr {
            GameExpr::Vertex(network, _) => self.network(*network).scored,
            GameExpr::State(ruleset, _) => self.ruleset(*ruleset).is_scored(),
            _ => false,
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
                network.is_never_won().then_some(&*network.title)
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
        let core = self.core(game);
        let score = match core.expr {
            GameExpr::Vertex(network, vertex) => self.network(*network).vertex(*vertex).score,
            GameExpr::State(ruleset, state) => self.ruleset(*ruleset).ending_score(state)?,
            _ => Score::zero(),
        };
        Ok(for_alice(core.part(Player::Alice), score))
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
            return Err(win_and_score(&crate::print_game(
                games,
                vertices[node.index()],
            )));
        }
        let mut scores = ScoresBuilder::new(graph);
        let mut asking = Asking::every(MOVES, context);
        for (index, game) in vertices.into_iter().enumerate() {
            let tail = NodeId::new(index);
            // An ended game has no moves that could score.
            if graph.ending(tail).is_some() {
                scores.end(tail, games.ending_score(game)?);
                continue;
            }
            for player in Player::BOTH {
                let moves = games.scored_moves(game, player)?;
                // The step counts the moves as well, because one position may have thousands of
                // them.
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
            // The endings of stuck players are vertices without a game, so the map of games lacks
            // them.
            .or_else(|| self.extra_ending(games, option))
            .expect("the graph is closed under moves")
    }

    fn extra_ending(&self, games: &Games, option: GameId) -> Option<NodeId> {
        let GameExpr::Ended(ending) = games.expr(option) else {
            return None;
        };
        // The added endings follow the positions, and there are at most a few of them.
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
        .help("scores are kept in 64 bits, in units of their common denominator; use smaller numbers or simpler fractions")
        .into()
}
