//! Games as positions: equal positions have equal numbers, and each knows how it has ended and
//! where each player can move.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use num_rational::BigRational;

use super::Interpreter;
use super::rulesets::{Instance, Stuck};
use super::value::{Number, Result, Trouble, exact, wrong};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::Objective;

/// A game, which is a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameId(u32);

/// A game by its outermost form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Game {
    /// A position without moves.
    Over(Ending),
    /// `A^n`, `B^n`, n ≥ 2.
    Power(Player, u32),
    /// `G ∧ H`
    Wedge(GameId, GameId),
    /// `{ G | H }`
    Braces(PerPlayer<Rc<[GameId]>>),
    /// `~G`
    Conjugate(GameId),
    /// `G[n]`
    Truncation(GameId, u32),
    /// A vertex of the explicit graph with this number.
    Vertex(usize, usize),
    /// A position of the ruleset with this number, packed.
    State(usize, Rc<[u8]>),
}

/// An explicit graph.
#[derive(Debug, Default)]
pub struct Graph {
    /// What each vertex is called.
    pub names: IndexSet<String>,
    pub vertices: Vec<Vertex>,
    /// Whether a line names accepting vertices.
    pub accepts: bool,
    /// Whether a line speaks of weights.
    pub weighted: bool,
}

/// A vertex of an explicit graph.
#[derive(Debug, Clone, Default)]
pub struct Vertex {
    pub ending: Option<Ending>,
    /// Who moves there without a bid.
    pub owner: Option<Player>,
    pub accepting: bool,
    pub priority: Option<i32>,
    pub weight: Option<Number>,
    pub moves: PerPlayer<Vec<Head>>,
    /// The weight of each move, besides that of the vertex.
    pub weights: PerPlayer<Vec<Number>>,
}

/// Where an edge leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    Vertex(usize),
    Game(GameId),
}

/// All games met.
#[derive(Debug, Default)]
pub struct Games {
    games: IndexSet<Game>,
    pub graphs: Vec<Graph>,
    pub instances: Vec<Rc<Instance>>,
    /// Whether a line says where a player moves without a bid.
    pub has_turns: bool,
}

impl Games {
    /// The outermost form of a game.
    pub fn get(&self, game: GameId) -> &Game {
        &self.games[game.0 as usize]
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    pub fn add(&mut self, game: Game) -> GameId {
        GameId(self.games.insert_full(game).0 as u32)
    }

    pub fn over(&mut self, ending: Ending) -> GameId {
        self.add(Game::Over(ending))
    }

    /// `A^n`, `B^n`; `A^1` is `A ∧ B`.
    pub fn power(&mut self, player: Player, n: u32) -> GameId {
        if n > 1 {
            return self.add(Game::Power(player, n));
        }
        let [a, b] = Player::BOTH.map(|player| self.over(Ending::Win(player)));
        self.add(Game::Wedge(a, b))
    }

    pub fn conjugate(&mut self, game: GameId) -> GameId {
        match *self.get(game) {
            Game::Over(ending) => self.over(exchanged(ending)),
            Game::Power(player, n) => self.power(player.other(), n),
            Game::Conjugate(inner) => inner,
            _ => self.add(Game::Conjugate(game)),
        }
    }

    pub fn truncation(&mut self, game: GameId, n: u32) -> GameId {
        match *self.get(game) {
            Game::Over(_) => game,
            Game::Truncation(inner, m) => self.add(Game::Truncation(inner, m.min(n))),
            _ => self.add(Game::Truncation(game, n)),
        }
    }
}

/// The ending with the players exchanged.
fn exchanged(ending: Ending) -> Ending {
    match ending {
        Ending::Win(player) => Ending::Win(player.other()),
        Ending::Draw => Ending::Draw,
    }
}

impl Interpreter<'_> {
    /// How the game has ended at a position, if it has.
    pub fn ending(&mut self, game: GameId) -> Result<Option<Ending>> {
        self.deeper(|this| this.ending_within(game))
    }

    /// The priority of a position by an objective: of an accepting one 2, of others in graphs that
    /// name such 1. With the players exchanged it is one more.
    pub fn priority(&self, game: GameId, objective: Objective) -> Result<Option<i32>> {
        let (game, more) = match self.games.get(game) {
            Game::Conjugate(inner) => (*inner, 1),
            _ => (game, 0),
        };
        let Game::Vertex(graph, vertex) = self.games.get(game) else {
            return Ok(None);
        };
        let graph = &self.games.graphs[*graph];
        let vertex = &graph.vertices[*vertex];
        let priority = match objective {
            Objective::Buchi => graph
                .accepts
                .then_some(if vertex.accepting { 2 } else { 1 }),
            Objective::Parity => vertex.priority,
            Objective::Reachability | Objective::MeanPayoff => None,
        };
        let too_large = || {
            Trouble::Wrong(
                "a priority does not fit in the checker's 32 bits".to_owned(),
                None,
            )
        };
        priority
            .map(|priority| i32::checked_add(priority, more).ok_or_else(too_large))
            .transpose()
    }

    /// The weights of a player's moves, in their order: of edges that lead to the same position the
    /// best for the player.
    pub fn weights(&mut self, game: GameId, player: Player) -> Result<Vec<BigRational>> {
        let (inner, exchanged) = match self.games.get(game) {
            Game::Conjugate(inner) => (*inner, true),
            _ => (game, false),
        };
        let owner = if exchanged { player.other() } else { player };
        let Game::Vertex(graph, vertex) = *self.games.get(inner) else {
            return wrong("only the moves of explicit graphs have weights");
        };
        if !self.games.graphs[graph].weighted {
            return wrong("this graph has no weights");
        }
        let vertex = self.games.graphs[graph].vertices[vertex].clone();
        let mut best: IndexMap<GameId, Number> = IndexMap::new();
        let heads = self.named_moves(inner, owner)?;
        for ((_, to), weight) in heads.into_iter().zip(&vertex.weights[owner]) {
            let known = best.entry(to).or_insert(*weight);
            *known = if owner == Player::Alice {
                *weight.max(known)
            } else {
                *weight.min(known)
            };
        }
        let own = vertex.weight.unwrap_or_default();
        let signed = |weight: Number| {
            let sum = exact(&weight) + exact(&own);
            if exchanged { -sum } else { sum }
        };
        Ok(best.into_values().map(signed).collect())
    }

    fn ending_within(&mut self, game: GameId) -> Result<Option<Ending>> {
        Ok(match self.games.get(game).clone() {
            Game::Over(ending) => Some(ending),
            Game::Power(..) | Game::Wedge(..) | Game::Braces(_) => None,
            Game::Conjugate(inner) => self.ending(inner)?.map(exchanged),
            Game::Truncation(inner, n) => self.ending(inner)?.or((n == 0).then_some(Ending::Draw)),
            Game::Vertex(graph, vertex) => self.games.graphs[graph].vertices[vertex].ending,
            Game::State(id, state) => {
                let instance = Rc::clone(&self.games.instances[id]);
                self.state_ending(&instance, &state)?
            }
        })
    }

    /// Where a player can move from a position that is not over, in the order of the source, each
    /// position once.
    pub fn moves(&mut self, game: GameId, player: Player) -> Result<Vec<GameId>> {
        let named = self.deeper(|this| this.named_moves(game, player))?;
        let mut seen = IndexSet::new();
        seen.extend(named.into_iter().map(|(_, to)| to));
        Ok(seen.into_iter().collect())
    }

    /// The moves with what they are called; nothing where they are told by where they lead.
    pub fn named_moves(&mut self, game: GameId, player: Player) -> Result<Vec<(String, GameId)>> {
        let unnamed = |to: GameId| (String::new(), to);
        Ok(match self.games.get(game).clone() {
            Game::Over(_) => Vec::new(),
            Game::Power(winner, _) if winner == player => {
                vec![unnamed(self.games.over(Ending::Win(winner)))]
            }
            Game::Power(winner, n) => vec![unnamed(self.games.power(winner, n - 1))],
            Game::Wedge(g, h) => vec![unnamed(g), unnamed(h)],
            Game::Braces(options) => options[player].iter().copied().map(unnamed).collect(),
            Game::Conjugate(inner) => {
                let moves = self.deeper(|this| this.named_moves(inner, player.other()))?;
                moves
                    .into_iter()
                    .map(|(name, to)| (name, self.games.conjugate(to)))
                    .collect()
            }
            Game::Truncation(inner, n) => {
                let moves = self.deeper(|this| this.named_moves(inner, player))?;
                moves
                    .into_iter()
                    .map(|(name, to)| (name, self.games.truncation(to, n.saturating_sub(1))))
                    .collect()
            }
            Game::Vertex(graph, vertex) => {
                let vertex = &self.games.graphs[graph].vertices[vertex];
                let waits = vertex.owner == Some(player.other());
                let heads = if waits {
                    Vec::new()
                } else {
                    vertex.moves[player].clone()
                };
                let mut head = |head| match head {
                    Head::Vertex(to) => unnamed(self.games.add(Game::Vertex(graph, to))),
                    Head::Game(game) => unnamed(game),
                };
                heads.into_iter().map(&mut head).collect()
            }
            Game::State(id, state) => self.state_moves(game, id, &state, player)?,
        })
    }

    /// The moves of a position of a ruleset, with what happens to who has none.
    fn state_moves(
        &mut self,
        game: GameId,
        id: usize,
        state: &[u8],
        player: Player,
    ) -> Result<Vec<(String, GameId)>> {
        let instance = Rc::clone(&self.games.instances[id]);
        if self.state_owner(&instance, state)? == Some(player.other()) {
            return Ok(Vec::new());
        }
        let found = self.state_successors(&instance, state, player)?;
        let add =
            |(name, state): (String, Rc<[u8]>)| (name, self.games.add(Game::State(id, state)));
        let mut moves: Vec<(String, GameId)> = found.into_iter().map(add).collect();
        if moves.is_empty() {
            let ended = match instance.stuck {
                Stuck::OpponentMoves => return Ok(moves),
                Stuck::Passes => game,
                Stuck::Loses => self.games.over(Ending::Win(player.other())),
                Stuck::Wins => self.games.over(Ending::Win(player)),
                Stuck::Draws => self.games.over(Ending::Draw),
            };
            moves.push(("no move".to_owned(), ended));
        }
        Ok(moves)
    }
}
