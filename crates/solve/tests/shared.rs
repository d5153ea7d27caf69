//! Scaffolding of the unit tests and of the integration tests: small graphs, and parts of oracles.

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, Player};
use num_traits::NumAssign;

/// Builds the graph in which Alice and Bob have these moves at the positions from 0 on. Alice's win
/// and Bob's follow the positions, and play starts at position 0.
pub fn written(positions: &[[&[usize]; 2]]) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for moves in positions {
        let [alice, bob] =
            moves.map(|heads| -> Vec<NodeId> { heads.iter().copied().map(NodeId::new).collect() });
        builder.push(None, &alice, &bob);
    }
    for ending in Player::both(Ending::Win) {
        builder.push(Some(ending), &[], &[]);
    }
    builder.finish(NodeId::new(0))
}

/// Builds tug of war on a path that starts so many steps from Alice's end, the first vertex, and
/// from Bob's, the last one.
pub fn tug(alice: usize, bob: usize) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    for i in 1..alice + bob {
        let heads = [i - 1, i + 1].map(NodeId::new);
        builder.push(None, &heads, &heads);
    }
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    builder.finish(NodeId::new(alice))
}

/// Returns the vertex with the same place from the end.
pub fn mirrored(graph: &GameGraph, node: NodeId) -> NodeId {
    NodeId::new(graph.len() - 1 - node.index())
}

/// Solves linear equations by elimination as in a textbook, each a row of coefficients and the right
/// side. Returns `None` if there is not exactly one solution.
pub fn solve_equations<T: NumAssign + Clone>(mut system: Vec<Vec<T>>) -> Option<Vec<T>> {
    let n = system.len();
    for column in 0..n {
        let pivot = (column..n).find(|&row| !system[row][column].is_zero())?;
        system.swap(column, pivot);
        let scale = system[column][column].clone();
        system[column]
            .iter_mut()
            .for_each(|cell| *cell /= scale.clone());
        let pivot_row = system[column].clone();
        for (at, row) in system.iter_mut().enumerate() {
            let factor = row[column].clone();
            if at != column && !factor.is_zero() {
                row.iter_mut()
                    .zip(&pivot_row)
                    .for_each(|(cell, part)| *cell -= part.clone() * factor.clone());
            }
        }
    }
    Some(system.into_iter().map(|row| row[n].clone()).collect())
}
