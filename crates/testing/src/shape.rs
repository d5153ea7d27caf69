//! Random graphs of a shape.

use std::ops::RangeInclusive;

use bid_language::player::{Ending, PerPlayer, Player};
use proptest::prelude::RngExt;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::{TestRng, TestRunner};

use crate::graph::{PlainGraph, PlainVertex};
use crate::shrink::Shrinking;

/// The frequency with which moves end the game.
#[derive(Debug, Clone, Copy)]
pub enum Out {
    /// A move leads to each vertex with the same probability.
    Evenly,
    /// These parts of Alice's and of Bob's moves end the game.
    Part([f64; 2]),
}

impl Out {
    /// Returns the same part for both players.
    pub const fn both(part: f64) -> Self {
        Self::Part([part, part])
    }
}

/// The shape of random graphs. A part of the graphs is between 0, none of them, and 1, all of them.
#[derive(Debug, Clone)]
pub struct GraphShape {
    /// The number of positions of a graph.
    pub positions: RangeInclusive<usize>,
    /// The most moves of a player from a position, for each graph.
    pub moves: RangeInclusive<usize>,
    /// The probability that a player cannot move at a position.
    pub stuck: f64,
    /// `true` if there may be positions where nobody can move.
    pub traps: bool,
    /// The part of the graphs whose moves may lead back or to the position itself.
    pub cycles: f64,
    /// The part of the graphs that have endings.
    pub ends: f64,
    /// The part of the graphs with endings that have a draw.
    pub draws: f64,
    /// The frequency with which moves end the game.
    pub out: Out,
    /// The part of the graphs in which no move wins at once for the player who makes it, so that
    /// there is zugzwang.
    pub contrary: f64,
    /// The part of the graphs in which some positions have an owner, who moves without a bid.
    pub owners: f64,
    /// The part of the graphs in which both players have the same moves.
    pub shared: f64,
    /// `true` if either player can reverse every move between positions.
    pub undirected: bool,
    /// `true` if both players can move to a later position or an ending from each position.
    pub leaving: bool,
}

impl GraphShape {
    /// Small graphs of all kinds, without owners.
    pub const SMALL: Self = Self {
        positions: 1..=6,
        moves: 1..=3,
        stuck: 0.1,
        traps: false,
        cycles: 0.5,
        ends: 1.0,
        draws: 0.4,
        out: Out::both(0.3),
        contrary: 0.0,
        owners: 0.0,
        shared: 0.0,
        undirected: false,
        leaving: false,
    };

    /// Small graphs of all kinds, a third of them with owners.
    pub const OWNED: Self = Self {
        owners: 1.0 / 3.0,
        ..Self::SMALL
    };
}

/// Returns random graphs of a shape, which shrink to smaller ones of that shape.
pub fn graphs(shape: GraphShape) -> GraphStrategy {
    GraphStrategy(shape)
}

/// Random graphs of a shape.
#[derive(Debug, Clone)]
pub struct GraphStrategy(GraphShape);

impl Strategy for GraphStrategy {
    type Tree = Shrinking;
    type Value = PlainGraph;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let kind = Kind::draw(&self.0, runner.rng());
        let graph = kind.graph(runner.rng());
        Ok(Shrinking::new(graph, kind))
    }
}

/// The properties of one graph that are drawn before its moves.
#[derive(Debug, Clone)]
pub(crate) struct Kind {
    positions: usize,
    moves: usize,
    pub(crate) endings: Vec<Ending>,
    stuck: f64,
    traps: bool,
    pub(crate) cycles: bool,
    out: Out,
    contrary: bool,
    pub(crate) owners: bool,
    pub(crate) shared: bool,
    pub(crate) undirected: bool,
    pub(crate) leaving: bool,
}

impl Kind {
    fn draw(shape: &GraphShape, dice: &mut TestRng) -> Self {
        let mut endings = Vec::new();
        if dice.random_bool(shape.ends) {
            endings.extend(Player::both(Ending::Win));
            if dice.random_bool(shape.draws) {
                endings.push(Ending::Draw);
            }
        }
        Self {
            positions: dice.random_range(shape.positions.clone()),
            moves: dice.random_range(shape.moves.clone()),
            endings,
            stuck: shape.stuck,
            traps: shape.traps,
            cycles: dice.random_bool(shape.cycles),
            out: shape.out,
            contrary: dice.random_bool(shape.contrary),
            owners: dice.random_bool(shape.owners),
            shared: dice.random_bool(shape.shared),
            undirected: shape.undirected,
            leaving: shape.leaving,
        }
    }

    fn graph(&self, dice: &mut TestRng) -> PlainGraph {
        let positions = (0..self.positions).map(|position| self.vertex(position, dice));
        let mut vertices: Vec<PlainVertex> = positions.collect();
        if self.undirected {
            self.take_back(&mut vertices);
        }
        vertices.extend(self.endings.iter().copied().map(PlainVertex::end));
        PlainGraph { vertices }
    }

    fn vertex(&self, position: usize, dice: &mut TestRng) -> PlainVertex {
        let mut moves = Player::both(|player| match dice.random_bool(self.stuck) {
            true => Vec::new(),
            false => self.heads(position, player, dice),
        });
        if self.shared {
            moves[1] = moves[0].clone();
        }
        if !self.traps && moves.iter().all(Vec::is_empty) {
            let lucky = Player::BOTH[usize::from(dice.random_bool(0.5))];
            let heads = self.heads(position, lucky, dice);
            if self.shared {
                moves = [heads.clone(), heads];
            } else {
                moves[usize::from(lucky == Player::Bob)] = heads;
            }
        }
        if self.leaving {
            let later = dice.random_range(position + 1..self.positions + self.endings.len());
            for heads in &mut moves {
                heads.push(later);
                in_order(heads);
            }
        }
        let [alice, bob] = moves;
        let mut vertex = PlainVertex {
            ending: None,
            moves: PerPlayer::new(alice, bob),
            owner: None,
        };
        if self.owners {
            self.give(&mut vertex, dice);
        }
        vertex
    }

    /// Gives a vertex to a random player with probability one half, if that player can move there.
    fn give(&self, vertex: &mut PlainVertex, dice: &mut TestRng) {
        let owner = Player::BOTH[usize::from(dice.random_bool(0.5))];
        if dice.random_bool(0.5) && !vertex.moves[owner].is_empty() {
            vertex.owner = Some(owner);
            // The owner alone moves there, so that the other player has no moves.
            vertex.moves[owner.other()].clear();
        }
    }

    fn heads(&self, position: usize, player: Player, dice: &mut TestRng) -> Vec<usize> {
        let count = dice.random_range(1..=self.moves);
        let mut heads: Vec<usize> = (0..count)
            .map(|_| self.head(position, player, dice))
            .collect();
        in_order(&mut heads);
        heads
    }

    fn head(&self, position: usize, player: Player, dice: &mut TestRng) -> usize {
        let first = if self.cycles { 0 } else { position + 1 };
        let beyond = self.positions + self.endings.len();
        let ends = match self.out {
            Out::Evenly => dice.random_range(first..beyond) >= self.positions,
            Out::Part(part) => dice.random_bool(part[usize::from(player == Player::Bob)]),
        };
        // Without cycles, the last position has no later one, so that it must end the game.
        if (!ends || self.endings.is_empty()) && first < self.positions {
            return dice.random_range(first..self.positions);
        }
        let ending = dice.random_range(0..self.endings.len());
        self.positions
            + match self.endings[ending] {
                // The two wins are the first endings, Alice's before Bob's.
                Ending::Win(winner) if self.contrary && winner == player => 1 - ending,
                _ => ending,
            }
    }

    /// Gives both players every move of either, in both directions. A position without any other
    /// than to itself gets a move to the first ending, a win of Alice's.
    fn take_back(&self, vertices: &mut [PlainVertex]) {
        let moves: Vec<(usize, usize)> = vertices
            .iter()
            .enumerate()
            .flat_map(|(tail, vertex)| vertex.heads().map(move |head| (tail, head)))
            .collect();
        for vertex in &mut *vertices {
            for player in Player::BOTH {
                vertex.moves[player].clear();
            }
        }
        for (tail, head) in moves.into_iter().filter(|(tail, head)| tail != head) {
            for player in Player::BOTH {
                vertices[tail].moves[player].push(head);
                if head < self.positions {
                    vertices[head].moves[player].push(tail);
                }
            }
        }
        for vertex in vertices {
            for player in Player::BOTH {
                if vertex.moves[player].is_empty() {
                    vertex.moves[player].push(self.positions);
                }
                in_order(&mut vertex.moves[player]);
            }
        }
    }

    /// Returns `true` if a graph is of this kind, or smaller.
    pub(crate) fn fits(&self, graph: &PlainGraph) -> bool {
        let positions = graph.positions();
        positions > 0
            && graph.open().iter().enumerate().all(|(tail, vertex)| {
                let [alice, bob] = [&vertex.moves.alice, &vertex.moves.bob];
                let later = |heads: &[usize]| heads.iter().any(|head| *head > tail);
                let back = |head: usize| {
                    head >= positions || graph.vertices[head].moves.alice.contains(&tail)
                };
                let owned = vertex.owner.is_some();
                (self.traps || vertex.heads().next().is_some())
                    // At a position with an owner, the other player never has a move.
                    && (self.stuck > 0.0 || owned || !alice.is_empty() && !bob.is_empty())
                    && (self.cycles || vertex.heads().all(|head| head > tail))
                    && (!self.shared || owned || alice == bob)
                    && (!self.leaving || owned || later(alice) && later(bob))
                    && (!self.undirected
                        || alice == bob && !alice.contains(&tail) && vertex.heads().all(back))
            })
    }
}

fn in_order(heads: &mut Vec<usize>) {
    heads.sort_unstable();
    heads.dedup();
}
