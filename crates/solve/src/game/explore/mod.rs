//! Exploration of a game to its frozen graph: every reachable position, breadth first, with the
//! legend that maps ids to positions.

mod blocks;
mod near;
mod positions;
mod stand_ins;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

pub use self::blocks::{Blocks, explore_ruleset};
pub use self::near::neighbourhood;
use self::positions::Positions;
use self::stand_ins::StandIns;
use super::graph::MOST_EDGES;
use super::ruleset::{Ruleset, State};
use super::{GameExpr, GameGraph, GameGraphBuilder, Games, NodeId, RulesetId};
use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::rules::Stuck;
use crate::watch::{Context, Stop};

/// The number of positions and moves explored between two checks.
const CHECK_EVERY: usize = 256;

/// A space with positions, moves and endings: the expressions of a [`Games`], the states of one
/// ruleset, or games written by hand in Rust (as the tests do).
pub trait StateSpace {
    /// A position, by value.
    type Position: Clone + Eq + std::hash::Hash;

    /// Returns the ending of a position, if the game has ended there.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    fn ending(&mut self, position: &Self::Position) -> Result<Option<Ending>>;

    /// Returns the player who moves without a bid from a position that has not ended, if it has an
    /// owner; the opponent then has no moves.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    fn owner(&mut self, _position: &Self::Position) -> Result<Option<Player>> {
        Ok(None)
    }

    /// Returns the position that is an ending and nothing else, if the space has such positions.
    fn ended(&mut self, _ending: Ending) -> Option<Self::Position> {
        None
    }

    /// Appends the successors that a player can move to from a position that has not ended, with
    /// rules for stuck players resolved.
    ///
    /// # Errors
    /// If a move cannot be evaluated.
    fn moves(
        &mut self,
        position: &Self::Position,
        player: Player,
        found: &mut Vec<Successor<Self::Position>>,
    ) -> Result<()>;
}

/// The target of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor<P> {
    /// A position.
    Position(P),
    /// An ending that is no position of the space (a stuck player who loses).
    Ended(Ending),
}

/// A graph with the positions of its vertices.
#[derive(Debug, Clone)]
pub struct Labelled<P> {
    /// The frozen graph.
    pub graph: GameGraph,
    /// The position of each vertex; vertices beyond the last position are endings without one.
    pub positions: IndexSet<P, FxBuildHasher>,
}

/// Explores everything reachable from `start`, breadth first, Alice's moves before Bob's.
///
/// # Errors
/// If a position cannot be evaluated, or the work is stopped.
pub fn explore<S: StateSpace>(
    space: &mut S,
    start: S::Position,
    context: &Context<'_>,
) -> Result<Labelled<S::Position>> {
    let mut positions = IndexSet::with_hasher(FxBuildHasher);
    positions.insert(start);
    let mut builder = GameGraphBuilder::default();
    check(&positions, &builder, context)?;
    let mut found = Vec::new();
    let mut stand_ins = StandIns::default();
    let mut heads = PerPlayer::<Vec<NodeId>>::default();
    let mut unasked = 0;
    while let Some(position) = positions.get_index(builder.len()).cloned() {
        if unasked >= CHECK_EVERY {
            check(&positions, &builder, context)?;
            unasked = 0;
        }
        let ending = space.ending(&position)?;
        for player in Player::BOTH {
            heads[player].clear();
            if ending.is_none() {
                space.moves(&position, player, &mut found)?;
            }
            heads[player].extend(found.drain(..).map(|successor| match successor {
                Successor::Position(position) => NodeId::new(positions.insert_full(position).0),
                Successor::Ended(ending) => stand_ins.node(ending),
            }));
            heads[player].sort_unstable();
            heads[player].dedup();
        }
        // Moves count as well, because positions with many moves take longer.
        unasked += 1 + heads.alice.len() + heads.bob.len();
        let node = builder.push(ending, &heads.alice, &heads.bob);
        let owner = if ending.is_none() {
            space.owner(&position)?
        } else {
            None
        };
        if let Some(owner) = owner.filter(|owner| !heads[*owner].is_empty()) {
            builder.own(node, owner);
        }
    }
    check(&positions, &builder, context)?;
    // A position that is an ending already takes the edges of its stand-in.
    stand_ins.settle(&mut builder, |ending| {
        let number = positions.get_index_of(&space.ended(ending)?);
        number.map(NodeId::new)
    });
    Ok(Labelled {
        graph: builder.finish(NodeId::new(0)),
        positions,
    })
}

/// Checks the limits and whether to stop.
fn check<P>(
    positions: &IndexSet<P, FxBuildHasher>,
    builder: &GameGraphBuilder,
    context: &Context<'_>,
) -> Result<()> {
    /// The memory that the table of positions needs for each besides the position itself: hash,
    /// index and slack.
    const OVERHEAD: usize = 32;
    let bytes = positions.len() * (size_of::<P>() + OVERHEAD) + builder.bytes();
    has_room(builder)?;
    look(context, builder.len(), positions.len(), bytes)
}

/// Checks that the graph has had room for all edges so far.
fn has_room(builder: &GameGraphBuilder) -> Result<()> {
    if !builder.is_overfull() {
        return Ok(());
    }
    let message =
        format!("stopped after {MOST_EDGES} moves of one player: a graph has no room for more");
    Err(Diagnostic::new(Code::Positions, message)
        .help("make the game smaller")
        .into())
}

/// Reports the number of explored positions, and checks the limits and whether to stop.
fn look(context: &Context<'_>, done: usize, found: usize, bytes: usize) -> Result<()> {
    let reached = |stop: Stop| match stop {
        Stop::Memory(_) | Stop::Shortage(_) => {
            let note = format!(
                "{} had been found by then, and the moves of {done} of them",
                counted(found, "position")
            );
            Box::new(Diagnostic::from(stop).note(note))
        }
        // These messages say enough by themselves.
        Stop::Positions(_) | Stop::Time | Stop::Interrupted => stop.into(),
    };
    context.check().map_err(reached)?;
    context.report("exploring", done as u64, None);
    let limits = context.limits;
    if found as u64 > limits.max_positions {
        return Err(Stop::Positions(limits.max_positions).into());
    }
    if bytes as u64 > limits.max_memory {
        return Err(reached(Stop::Memory(limits.max_memory)));
    }
    Ok(())
}

/// The expressions of a [`Games`] as a state space.
struct Expressions<'a>(&'a mut Games);

impl StateSpace for Expressions<'_> {
    type Position = GameId;

    fn ending(&mut self, game: &GameId) -> Result<Option<Ending>> {
        self.0.ending(*game)
    }

    fn owner(&mut self, game: &GameId) -> Result<Option<Player>> {
        self.0.owner(*game)
    }

    fn ended(&mut self, ending: Ending) -> Option<GameId> {
        Some(self.0.ended(ending))
    }

    fn moves(
        &mut self,
        game: &GameId,
        player: Player,
        found: &mut Vec<Successor<GameId>>,
    ) -> Result<()> {
        let games = self.0.scored_moves(*game, player)?;
        // The ending that a stuck player is sent to is no position of the game.
        if let [(only, _)] = games[..]
            && let GameExpr::Ended(ending) = *self.0.expr(only)
            && self.0.is_stuck(*game, player)?
        {
            found.push(Successor::Ended(ending));
        } else {
            found.extend(games.into_iter().map(|(game, _)| Successor::Position(game)));
        }
        Ok(())
    }
}

/// The states of one ruleset as a state space, which avoids interning expressions.
impl StateSpace for &Ruleset {
    type Position = State;

    fn ending(&mut self, state: &State) -> Result<Option<Ending>> {
        Ruleset::ending(self, state)
    }

    fn owner(&mut self, state: &State) -> Result<Option<Player>> {
        Ruleset::owner(self, state)
    }

    fn moves(
        &mut self,
        state: &State,
        player: Player,
        found: &mut Vec<Successor<State>>,
    ) -> Result<()> {
        let before = found.len();
        Ruleset::moves(self, state, player, &mut |next| {
            found.push(Successor::Position(self.canonical(next)))
        })?;
        // Only a player without moves is stuck; the length is compared because `found` may have
        // entries.
        if found.len() == before {
            match self.stuck_at(state, player)? {
                Some(Stuck::Ends(result)) => {
                    found.push(Successor::Ended(result.for_player(player)))
                }
                Some(Stuck::Passes) if self.passes(state, player)? => {
                    found.push(Successor::Position(state.clone()))
                }
                Some(Stuck::OpponentMoves | Stuck::Passes) | None => {}
            }
        }
        Ok(())
    }
}

/// The positions of the vertices of an explored graph.
#[derive(Debug, Clone)]
enum Legend {
    Games(IndexSet<GameId, FxBuildHasher>),
    States(OrientedRuleset, Positions),
}

/// A ruleset, as it is or with the players' parts exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OrientedRuleset {
    id: RulesetId,
    conjugated: bool,
}

impl OrientedRuleset {
    /// Returns a game as an oriented ruleset and a state, if it is a position of a ruleset or the
    /// conjugate of one.
    fn of(games: &Games, game: GameId) -> Option<(Self, &State)> {
        games
            .ruleset_state(game)
            .map(|(id, state, conjugated)| (Self { id, conjugated }, state))
    }

    fn game(self, games: &mut Games, state: State) -> GameId {
        let game = games.state(self.id, state);
        if self.conjugated {
            games.conjugate(game)
        } else {
            game
        }
    }

    /// Returns the ruleset's graph in this orientation.
    fn graph(self, graph: GameGraph) -> GameGraph {
        if self.conjugated {
            graph.conjugate()
        } else {
            graph
        }
    }
}

/// A position with its successors.
#[derive(Debug, Clone)]
pub struct Neighbourhood {
    /// The graph: the position is its start, and the only vertex with edges.
    pub explored: Explored,
    /// The states of its first vertices.
    pub states: Vec<State>,
    /// The endings of the remaining vertices.
    pub ended: Vec<Ending>,
}

/// A game's graph with its legend.
#[derive(Debug, Clone)]
pub struct Explored {
    /// The frozen graph.
    pub graph: GameGraph,
    legend: Legend,
}

impl Explored {
    /// Explores a game.
    ///
    /// # Errors
    /// If a position cannot be evaluated, or the work is stopped.
    pub fn of(games: &mut Games, game: GameId, context: &Context<'_>) -> Result<Self> {
        if let Some((stage, state)) = OrientedRuleset::of(games, game) {
            let ruleset = games.ruleset(stage.id);
            // Exploration merges symmetric positions, so it has to begin with a representative.
            let start = ruleset.canonical(state.clone());
            let (graph, positions) = explore_ruleset(ruleset, &start, Blocks::default(), context)?;
            let explored = Self {
                graph: stage.graph(graph),
                legend: Legend::States(stage, positions),
            };
            return explored.with_income(games, game, context);
        }
        let Labelled { graph, positions } = explore(&mut Expressions(games), game, context)?;
        let explored = Self {
            graph,
            legend: Legend::Games(positions),
        };
        explored.with_income(games, game, context)
    }

    /// Explores a position of a ruleset, or the conjugate of one, with its successors; returns
    /// `None` for other games, and where [`neighbourhood`] returns `None`.
    ///
    /// # Errors
    /// If a position cannot be evaluated.
    pub fn neighbourhood(games: &Games, game: GameId) -> Result<Option<Neighbourhood>> {
        let Some((stage, state)) = OrientedRuleset::of(games, game) else {
            return Ok(None);
        };
        let Some((graph, positions)) = neighbourhood(games.ruleset(stage.id), state)? else {
            return Ok(None);
        };
        let graph = stage.graph(graph);
        let ended = graph
            .nodes()
            .skip(positions.len())
            .filter_map(|node| graph.ending(node))
            .collect();
        let states = positions.states().collect();
        Ok(Some(Neighbourhood {
            explored: Self {
                graph,
                legend: Legend::States(stage, positions),
            },
            states,
            ended,
        }))
    }

    /// Returns the vertex of a game, if the graph has it.
    pub fn node(&self, games: &Games, game: GameId) -> Option<NodeId> {
        let index = match &self.legend {
            Legend::Games(positions) => positions.get_index_of(&game).or_else(|| {
                games
                    .representative(game)
                    .and_then(|game| positions.get_index_of(&game))
            }),
            Legend::States(stage, positions) => match OrientedRuleset::of(games, game) {
                // A conjugate has other vertices, although its states are the same.
                Some((other, state)) if other == *stage => {
                    positions.number(&games.ruleset(stage.id).canonical(state.clone()))
                }
                Some(_) | None => None,
            },
        };
        index.map(NodeId::new)
    }

    /// Returns the game that a vertex represents.
    pub fn game(&self, games: &mut Games, node: NodeId) -> GameId {
        let known = match &self.legend {
            Legend::Games(positions) => positions.get_index(node.index()).copied(),
            Legend::States(stage, positions) => positions
                .state(node.index())
                .map(|state| stage.game(games, state)),
        };
        known.unwrap_or_else(|| {
            games.ended(
                self.graph
                    .ending(node)
                    .expect("a vertex without a position is an ending"),
            )
        })
    }

    /// Returns `true` if any position has scores for moves or endings.
    pub fn is_scored(&self, games: &Games) -> bool {
        match &self.legend {
            Legend::Games(positions) => positions.iter().any(|game| games.is_scored(*game)),
            Legend::States(stage, _) => games.ruleset(stage.id).is_scored(),
        }
    }

    /// Returns the number of vertices that represent positions: all but the endings that stuck
    /// players are sent to.
    pub fn position_count(&self) -> usize {
        match &self.legend {
            Legend::Games(positions) => positions.len(),
            Legend::States(_, positions) => positions.len(),
        }
    }
}
