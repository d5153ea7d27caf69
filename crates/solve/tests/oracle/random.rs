//! Random games: acyclic and cyclic, with draws, zugzwang, traps, self-loops, positions where only
//! one player can move, and such where one moves without a bid.

use bid_language::player::{Ending, Player};
use bid_solve::game::{GameGraph, GameGraphBuilder, NodeId};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// What kind of game to make.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// How many positions before the endings (won by Alice, by Bob, drawn).
    pub positions: usize,
    /// The most moves of a player from one position.
    pub moves: usize,
    /// Whether moves may lead back, to the position itself included.
    pub cycles: bool,
    /// Whether moves may lead to a draw.
    pub draws: bool,
}

/// A source of randomness that a seed fixes.
pub fn dice(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// A small game of a random shape.
pub fn small_game(dice: &mut StdRng) -> GameGraph {
    let shape = Shape {
        positions: dice.random_range(1..=6),
        moves: dice.random_range(1..=3),
        cycles: dice.random_bool(0.5),
        draws: dice.random_bool(0.4),
    };
    game(dice, shape)
}

/// A game of this shape. Vertex 0 is the start; the last three vertices are the endings.
pub fn game(dice: &mut StdRng, shape: Shape) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for position in 0..shape.positions {
        let [mut alice, mut bob] = [(); 2].map(|()| heads(dice, shape, position));
        if dice.random_bool(0.2) {
            if dice.random_bool(0.5) {
                &mut alice
            } else {
                &mut bob
            }
            .clear();
        }
        builder.push(None, &alice, &bob);
    }
    for ending in [
        Ending::Win(Player::Alice),
        Ending::Win(Player::Bob),
        Ending::Draw,
    ] {
        builder.push(Some(ending), &[], &[]);
    }
    builder.finish(NodeId::new(0))
}

fn heads(dice: &mut StdRng, shape: Shape, position: usize) -> Vec<NodeId> {
    let first = if shape.cycles { 0 } else { position + 1 };
    let endings = if shape.draws { 3 } else { 2 };
    let mut heads: Vec<_> = (0..dice.random_range(1..=shape.moves))
        .map(|_| {
            let to_ending = first == shape.positions || dice.random_bool(0.3);
            let range = if to_ending {
                shape.positions..shape.positions + endings
            } else {
                first..shape.positions
            };
            NodeId::new(dice.random_range(range))
        })
        .collect();
    heads.sort_unstable();
    heads.dedup();
    heads
}

/// The game with an owner at some of its vertices: at some where both could move, and at some where
/// one alone could.
pub fn with_owners(graph: &GameGraph, dice: &mut StdRng) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for node in graph.nodes() {
        let able = Player::BOTH
            .into_iter()
            .filter(|player| !graph.successors(node, *player).is_empty());
        let able: Vec<Player> = able.collect();
        let owner = able.get(dice.random_range(0..4)).copied();
        let heads = |player| {
            if owner == Some(Player::other(player)) {
                &[]
            } else {
                graph.successors(node, player)
            }
        };
        builder.push(graph.ending(node), heads(Player::Alice), heads(Player::Bob));
        if let Some(owner) = owner {
            builder.own(node, owner);
        }
    }
    builder.finish(graph.start())
}

/// The game, with owners for every third seed.
pub fn sometimes_owned(graph: GameGraph, seed: u64) -> GameGraph {
    if seed % 3 == 2 {
        with_owners(&graph, &mut dice(0x7042_0000 + seed))
    } else {
        graph
    }
}
