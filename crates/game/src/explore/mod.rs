//! Exploration of a game to its frozen graph: every reachable position, breadth first, with the
//! legend that maps ids to positions.

mod blocks;
mod numbers;
mod positions;
mod stand_ins;

pub use self::blocks::{Blocks, explore_ruleset, neighbourhood};
use self::numbers::GameNumbers;
pub use self::positions::Positions;
use self::stand_ins::StandIns;
use super::graph::MOST_EDGES;
use super::moves::StuckMoves;
use super::ruleset::State;
use super::{GameExpr, GameGraph, GameGraphBuilder, Games, NodeId, RulesetId};
use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::watch::{Context, Stop};

/// The number of positions and moves explored between two checks.
const CHECK_EVERY: usize = 256;

/// Explores every game reachable from `start`, breadth first, Alice's moves before Bob's; returns
/// the graph and the games of its first vertices.
///
/// # Errors
/// If a position cannot be evaluated, or the work is stopped.
fn explore(
    games: &mut Games,
    start: GameId,
    context: &Context<'_>,
) -> Result<(GameGraph, GameNumbers)> {
    let mut positions = GameNumbers::default();
    positions.insert(start);
    let mut builder = GameGraphBuilder::default();
    let made_before = games.bytes();
    let check = |games: &Games, positions: &GameNumbers, builder: &GameGraphBuilder| {
        has_room(builder)?;
        let bytes = games.bytes().saturating_sub(made_before) + positions.bytes() + builder.bytes();
        look(context, builder.len(), positions.games().len(), bytes)
    };
    check(games, &positions, &builder)?;
    let mut found = Vec::new();
    let mut stand_ins = StandIns::default();
    let mut heads = PerPlayer::<Vec<NodeId>>::default();
    let mut unasked = 0;
    while let Some(&game) = positions.games().get(builder.len()) {
        if unasked >= CHECK_EVERY {
            check(games, &positions, &builder)?;
            unasked = 0;
        }
        let ending = games.ending(game)?;
        for player in Player::BOTH {
            heads[player].clear();
            if ending.is_none() {
                games.add_moves(game, player, StuckMoves::Given, &mut found)?;
            }
            // The ending that a stuck player is sent to is no position of the game.
            if let [(only, _)] = found[..]
                && let GameExpr::Ended(ending) = *games.expr(only)
                && games.is_stuck(game, player)?
            {
                found.clear();
                heads[player].push(stand_ins.node(ending));
            }
            let next = found.drain(..).map(|(game, _)| positions.insert(game));
            heads[player].extend(next.map(NodeId::new));
            heads[player].sort_unstable();
            heads[player].dedup();
        }
        // Moves count as well, because positions with many moves take longer.
        unasked += 1 + heads.alice.len() + heads.bob.len();
        let node = builder.push(ending, &heads.alice, &heads.bob);
        let owner = if ending.is_none() {
            games.owner(game)?
        } else {
            None
        };
        if let Some(owner) = owner.filter(|owner| !heads[*owner].is_empty()) {
            builder.own(node, owner);
        }
    }
    check(games, &positions, &builder)?;
    // A position that is an ending already takes the edges of its stand-in.
    stand_ins.settle(&mut builder, |ending| {
        let number = positions.number(games.ended(ending))?;
        Some(NodeId::new(number))
    });
    Ok((builder.finish(NodeId::new(0)), positions))
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

/// The positions of the vertices of an explored graph.
#[derive(Debug, Clone)]
enum Legend {
    Games(GameNumbers),
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
        let (graph, positions) = explore(games, game, context)?;
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
            .skip(positions.count())
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
            Legend::Games(positions) => positions.number(game).or_else(|| {
                let representative = games.representative(game)?;
                positions.number(representative)
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
            Legend::Games(positions) => positions.games().get(node.index()).copied(),
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
            Legend::Games(positions) => {
                let mut positions = positions.games().iter();
                positions.any(|game| games.is_scored(*game))
            }
            Legend::States(stage, _) => games.ruleset(stage.id).is_scored(),
        }
    }

    /// Returns the number of vertices that represent positions: all but the endings that stuck
    /// players are sent to.
    pub fn position_count(&self) -> usize {
        match &self.legend {
            Legend::Games(positions) => positions.games().len(),
            Legend::States(_, positions) => positions.count(),
        }
    }
}
