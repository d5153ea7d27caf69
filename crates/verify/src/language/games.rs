//! Games as positions. Equal positions have equal indices. Each position has its ending, or the
//! positions to which each player can move.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use num_rational::BigRational;

use super::Interpreter;
use super::rulesets::Instance;
use super::value::{Number, Result, Value, exact, wrong};
use crate::convert::fit;
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::Objective;
use crate::syntax::ast::StuckKind;

/// A game, which is a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameIndex(u32);

/// A game, given by its outermost form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Game {
    /// A position without moves.
    Over(Ending),
    /// `A^n`, `B^n`, n ≥ 2.
    Power(Player, u32),
    /// `G ∧ H`
    Wedge(GameIndex, GameIndex),
    /// `{ G | H }`
    Braces(PerPlayer<Rc<[GameIndex]>>),
    /// `~G`
    Conjugate(GameIndex),
    /// `G[n]`
    Truncation(GameIndex, u32),
    /// A vertex of the explicit graph with the first index.
    Vertex(usize, usize),
    /// A position of the ruleset with this index, packed.
    State(usize, Rc<[u8]>),
}

/// A position with everything that an objective needs.
#[derive(Debug)]
pub struct GamePosition<To = GameIndex> {
    /// The ending, if the game is over.
    pub ending: Option<Ending>,
    /// The priority, if it has one and is not over.
    pub priority: Option<i32>,
    /// The positions to which each player can move.
    pub moves: PerPlayer<Vec<To>>,
    /// The weight that each move adds to the mean payoff, if that is the objective.
    pub weights: PerPlayer<Vec<BigRational>>,
}

/// An explicit graph.
#[derive(Debug, Default)]
pub struct ExplicitGraph {
    /// The names of the vertices.
    pub names: IndexSet<Value>,
    pub vertices: Vec<GraphVertex>,
    /// `true` if a line names accepting vertices.
    pub accepts: bool,
    /// `true` if a line gives weights.
    pub weighted: bool,
}

/// A vertex of an explicit graph.
#[derive(Debug, Clone, Default)]
pub struct GraphVertex {
    pub ending: Option<Ending>,
    /// The player who moves there without a bid, if any.
    pub owner: Option<Player>,
    pub accepting: Option<()>,
    pub priority: Option<i32>,
    pub weight: Option<Number>,
    pub moves: PerPlayer<Vec<EdgeHead>>,
    /// The weight of each move, without that of the vertex.
    pub weights: PerPlayer<Vec<Number>>,
}

/// The head of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeHead {
    Vertex(usize),
    Game(GameIndex),
}

/// All games that have occurred.
#[derive(Debug, Default)]
pub struct GameTable {
    games: IndexSet<Game>,
    pub graphs: Vec<ExplicitGraph>,
    pub instances: Vec<Rc<Instance>>,
    /// `true` if a line gives a player moves without a bid.
    pub has_turns: bool,
}

impl GameTable {
    /// Returns the outermost form of a game.
    pub fn get(&self, game: GameIndex) -> &Game {
        &self.games[game.0 as usize]
    }

    pub fn add(&mut self, game: Game) -> GameIndex {
        GameIndex(fit::<u32>(self.games.insert_full(game).0))
    }

    pub fn over(&mut self, ending: Ending) -> GameIndex {
        self.add(Game::Over(ending))
    }

    /// Creates `A^n` or `B^n`. `A^1` is `A ∧ B`.
    pub fn power(&mut self, player: Player, n: u32) -> GameIndex {
        if n > 1 {
            return self.add(Game::Power(player, n));
        }
        // `A^1` and `B^1` are the same game, and equal games must have equal indices.
        let [a, b] = Player::both(|player| self.over(Ending::Win(player)));
        self.add(Game::Wedge(a, b))
    }

    pub fn conjugate(&mut self, game: GameIndex) -> GameIndex {
        match *self.get(game) {
            Game::Over(ending) => self.over(ending.conjugate()),
            Game::Power(player, n) => self.power(player.other(), n),
            // Exchanging the players twice changes nothing.
            Game::Conjugate(inner) => inner,
            _ => self.add(Game::Conjugate(game)),
        }
    }

    pub fn truncation(&mut self, game: GameIndex, n: u32) -> GameIndex {
        match *self.get(game) {
            Game::Over(_) => game,
            // The first cut that is reached ends the game.
            Game::Truncation(inner, m) => self.add(Game::Truncation(inner, m.min(n))),
            _ => self.add(Game::Truncation(game, n)),
        }
    }
}

impl Interpreter<'_> {
    /// Returns the ending of the game at a position, if it is over.
    pub(super) fn ending(&mut self, game: GameIndex) -> Result<Option<Ending>> {
        self.deeper(|this| this.ending_within(game))
    }

    /// Returns a position with everything that an objective needs.
    pub fn position(&mut self, game: GameIndex, objective: Objective) -> Result<GamePosition> {
        let mut position = GamePosition {
            ending: self.ending(game)?,
            priority: None,
            moves: PerPlayer::default(),
            weights: PerPlayer::default(),
        };
        for player in Player::BOTH
            .into_iter()
            .filter(|_| position.ending.is_none())
        {
            position.moves[player] = self.moves(game, player)?;
            let weighs = matches!(objective, Objective::MeanPayoff | Objective::Energy);
            if weighs && !position.moves[player].is_empty() {
                position.weights[player] = self.weights(game, player)?;
            }
        }
        if position.moves.alice.is_empty() && position.moves.bob.is_empty() {
            // If nobody can move, the game is a draw.
            position.ending = position.ending.or(Some(Ending::Draw));
        } else {
            position.priority = self.priority(game, objective)?;
        }
        Ok(position)
    }

    /// Returns the vertex that a game is, with its graph, and `true` if the players are exchanged
    /// there.
    fn vertex_of(&self, game: GameIndex) -> Option<(&ExplicitGraph, &GraphVertex, bool)> {
        let (inner, exchanged) = match self.games.get(game) {
            Game::Conjugate(inner) => (*inner, true),
            _ => (game, false),
        };
        let Game::Vertex(graph, vertex) = *self.games.get(inner) else {
            return None;
        };
        let graph = &self.games.graphs[graph];
        Some((graph, &graph.vertices[vertex], exchanged))
    }

    /// Returns the priority of a position under an objective. With the Büchi objective, accepting
    /// positions have priority 2, and others 1 in graphs that name accepting ones. If the players
    /// are exchanged, it is one more.
    fn priority(&self, game: GameIndex, objective: Objective) -> Result<Option<i32>> {
        let Some((graph, vertex, exchanged)) = self.vertex_of(game) else {
            return Ok(None);
        };
        let priority = match (objective, vertex.accepting) {
            (Objective::Buchi, Some(())) => Some(2),
            (Objective::Buchi, None) => graph.accepts.then_some(1),
            (Objective::Parity, _) => vertex.priority,
            (Objective::Reachability | Objective::MeanPayoff | Objective::Energy, _) => None,
        };
        match priority.map(|priority| priority.checked_add(exchanged.into())) {
            Some(None) => wrong("a priority does not fit in the checker's 32 bits"),
            priority => Ok(priority.flatten()),
        }
    }

    /// Computes the weights of a player's moves, in their order. Of several edges to the same
    /// position, the one that is best for the player counts.
    fn weights(&mut self, game: GameIndex, player: Player) -> Result<Vec<BigRational>> {
        let heads = self.named_moves(game, player)?;
        let (vertex, exchanged) = match self.vertex_of(game) {
            Some((graph, vertex, exchanged)) if graph.weighted => (vertex, exchanged),
            Some(_) => return wrong("this graph has no weights"),
            None => return wrong("only the moves of explicit graphs have weights"),
        };
        // The weights are those of the graph, where the other player makes the move.
        let owner = if exchanged { player.other() } else { player };
        let mut best: IndexMap<GameIndex, Number> = IndexMap::new();
        for ((_, to), weight) in heads.into_iter().zip(&vertex.weights[owner]) {
            let known = best.entry(to).or_insert(*weight);
            *known = match owner {
                Player::Alice => *weight.max(known),
                Player::Bob => *weight.min(known),
            };
        }
        let own = exact(&vertex.weight.unwrap_or_default());
        let signed = |weight: Number| {
            let sum = exact(&weight) + &own;
            // A weight counts for Alice, so that it changes its sign with the players.
            if exchanged { -sum } else { sum }
        };
        Ok(best.into_values().map(signed).collect())
    }

    fn ending_within(&mut self, game: GameIndex) -> Result<Option<Ending>> {
        Ok(match self.games.get(game).clone() {
            Game::Over(ending) => Some(ending),
            Game::Power(..) | Game::Wedge(..) | Game::Braces(_) => None,
            Game::Conjugate(inner) => self.ending(inner)?.map(Ending::conjugate),
            // A game that has ended before the cut keeps its ending.
            Game::Truncation(inner, n) => self.ending(inner)?.or((n == 0).then_some(Ending::Draw)),
            Game::Vertex(graph, vertex) => self.games.graphs[graph].vertices[vertex].ending,
            Game::State(id, state) => {
                let instance = Rc::clone(&self.games.instances[id]);
                self.state_ending(&instance, &state)?
            }
        })
    }

    /// Returns the positions to which a player can move from a position that is not over, in the
    /// order of the source, each once.
    fn moves(&mut self, game: GameIndex, player: Player) -> Result<Vec<GameIndex>> {
        let named = self.deeper(|this| this.named_moves(game, player))?;
        // Several moves may lead to one position, and a listing names each position once in a row.
        let once: IndexSet<GameIndex> = named.into_iter().map(|(_, to)| to).collect();
        Ok(once.into_iter().collect())
    }

    /// Returns the moves with their names. A move that is identified by its head has an empty name.
    pub(super) fn named_moves(
        &mut self,
        game: GameIndex,
        player: Player,
    ) -> Result<Vec<(String, GameIndex)>> {
        let unnamed = |to: GameIndex| (String::new(), to);
        Ok(match self.games.get(game).clone() {
            Game::Over(_) => Vec::new(),
            Game::Power(winner, n) => vec![unnamed(match winner == player {
                true => self.games.over(Ending::Win(winner)),
                false => self.games.power(winner, n - 1),
            })],
            Game::Wedge(g, h) => vec![unnamed(g), unnamed(h)],
            Game::Braces(options) => options[player].iter().copied().map(unnamed).collect(),
            Game::Conjugate(inner) => {
                let mut moves = self.deeper(|this| this.named_moves(inner, player.other()))?;
                moves
                    .iter_mut()
                    .for_each(|(_, to)| *to = self.games.conjugate(*to));
                moves
            }
            Game::Truncation(inner, n) => {
                let mut moves = self.deeper(|this| this.named_moves(inner, player))?;
                let left = n.saturating_sub(1);
                moves
                    .iter_mut()
                    .for_each(|(_, to)| *to = self.games.truncation(*to, left));
                moves
            }
            Game::Vertex(graph, vertex) => {
                let vertex = &self.games.graphs[graph].vertices[vertex];
                // A player does not move at a vertex that belongs to the other one.
                if vertex.owner == Some(player.other()) {
                    return Ok(Vec::new());
                }
                let heads = vertex.moves[player].clone().into_iter();
                let mut to = |head| match head {
                    EdgeHead::Vertex(to) => self.games.add(Game::Vertex(graph, to)),
                    EdgeHead::Game(game) => game,
                };
                heads.map(|head| unnamed(to(head))).collect()
            }
            Game::State(id, state) => self.state_moves(game, id, &state, player)?,
        })
    }

    /// Returns the moves of a position of a ruleset. A player without moves gets those of the
    /// `stuck` line.
    fn state_moves(
        &mut self,
        game: GameIndex,
        id: usize,
        state: &[u8],
        player: Player,
    ) -> Result<Vec<(String, GameIndex)>> {
        let instance = Rc::clone(&self.games.instances[id]);
        if self.state_owner(&instance, state)? == Some(player.other()) {
            return Ok(Vec::new());
        }
        let found = self.state_successors(&instance, state, player)?;
        let found = found.into_iter();
        let mut moves: Vec<(String, GameIndex)> = found
            .map(|(name, state)| (name, self.games.add(Game::State(id, state))))
            .collect();
        // Without a `stuck` line a player who cannot move lets the other one move.
        if let (true, Some(stuck)) = (moves.is_empty(), &instance.stuck) {
            let to = match stuck {
                StuckKind::Passes => game,
                StuckKind::Loses => self.games.over(Ending::Win(player.other())),
                StuckKind::Wins => self.games.over(Ending::Win(player)),
                StuckKind::Draws => self.games.over(Ending::Draw),
                StuckKind::Score(_) => unreachable!("scores are refused at the start"),
            };
            moves.push(("no move".to_owned(), to));
        }
        Ok(moves)
    }
}
