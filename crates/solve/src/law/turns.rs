//! Conversion of random-turn games in which the winner of a toss may let the other player move to
//! games in which the winner moves.
//!
//! A position at which both players can move becomes three vertices: the *toss*, from which its
//! winner moves to either of two *turns*, one of which is Alice's to move from and the other Bob's.
//! That is the same game, and nobody is ever in zugzwang in it, since both players have the same
//! edges from a toss. If a coin always falls for one player the toss is that player's vertex, and
//! the result is a game without chance.

use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::{Ending, PerPlayer, Player};
use crate::richman::Coin;

/// A graph of tosses and turns.
#[derive(Debug, Clone)]
pub(crate) struct TurnGraph {
    /// The graph; the vertices of the game come first, with their own numbers.
    pub(crate) graph: GameGraph,
    /// The tosses that lead to turns, with Alice's turn and Bob's.
    pub(crate) splits: Vec<(NodeId, PerPlayer<NodeId>)>,
}

impl TurnGraph {
    /// Builds the graph for a game. `splits` returns `true` for the positions, among those where
    /// both can move, at which the winner of a toss chooses who moves; at the others the winner
    /// moves. Endings are mapped by `ending`.
    pub(crate) fn new(
        game: &GameGraph,
        coin: Coin,
        ending: impl Fn(Ending) -> Ending,
        splits: impl Fn(NodeId) -> bool,
    ) -> Self {
        let mut builder = GameGraphBuilder::default();
        let mut found = Vec::new();
        for node in game.nodes() {
            let [alice, bob] = Player::both(|player| game.successors(node, player));
            // With one mover there is nothing to choose for the winner of the toss.
            if alice.is_empty() || bob.is_empty() {
                builder.push(game.ending(node).map(&ending), alice, bob);
                continue;
            }
            let turns = splits(node).then(|| {
                // The turns are appended after all vertices of the game, in pairs, so their numbers
                // are known now.
                let first = game.len() + 2 * found.len();
                let turns = [NodeId::new(first), NodeId::new(first + 1)];
                found.push((node, PerPlayer::new(turns[0], turns[1])));
                turns
            });
            let [alice, bob] = turns.as_ref().map_or([alice, bob], |turns| [turns, turns]);
            // Edges of a player for whom the coin never falls would make the vertex one of chance.
            let falls_for = |player: Player| coin.weights[player] > 0;
            let alice = if falls_for(Player::Alice) { alice } else { &[] };
            let bob = if falls_for(Player::Bob) { bob } else { &[] };
            builder.push(None, alice, bob);
        }
        for (toss, _) in &found {
            builder.push(None, game.successors(*toss, Player::Alice), &[]);
            builder.push(None, &[], game.successors(*toss, Player::Bob));
        }
        Self {
            graph: builder.finish(game.start()),
            splits: found,
        }
    }

    /// Returns the vertex from which a player moves who moves at a vertex of the game.
    pub(crate) fn turn(&self, node: NodeId, player: Player) -> NodeId {
        split_at(&self.splits, node).map_or(node, |turns| turns[player])
    }
}

/// Returns the turns that a toss leads to, if it leads to any.
pub(crate) fn split_at(
    splits: &[(NodeId, PerPlayer<NodeId>)],
    toss: NodeId,
) -> Option<&PerPlayer<NodeId>> {
    let split = splits
        // The tosses were found in the order of their numbers.
        .binary_search_by(|(other, _)| other.cmp(&toss))
        .ok()?;
    Some(&splits[split].1)
}
