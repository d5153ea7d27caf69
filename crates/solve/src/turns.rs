//! Random turns in which the winner of a toss may let the other player move, as a game in which the
//! winner moves.
//!
//! A position at which both players can move becomes three vertices: the *toss*, from which whoever
//! wins it goes to either of two *turns*, of which one is Alice's to move from and the other Bob's.
//! That is the same game, and in it nobody is ever in zugzwang: both players have the same edges
//! from a toss. Where a coin always falls for one player the toss is that player's vertex, and what
//! is left is a game without chance.

use super::richman::Coin;
use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::{Ending, PerPlayer, Player};

/// A graph of tosses and turns.
#[derive(Debug, Clone)]
pub(super) struct TurnGraph {
    /// The vertices of the game first, with their own numbers.
    pub(super) graph: GameGraph,
    /// The tosses that lead to a turn of Alice's or one of Bob's.
    pub(super) splits: Vec<(NodeId, PerPlayer<NodeId>)>,
}

impl TurnGraph {
    /// The turns of a game, where `splits` tells at which of the positions where both can move the
    /// winner of a toss chooses who does; at the others he moves. Endings become those that
    /// `ending` says.
    pub(super) fn new(
        game: &GameGraph,
        coin: Coin,
        ending: impl Fn(Ending) -> Ending,
        splits: impl Fn(NodeId) -> bool,
    ) -> Self {
        let mut builder = GameGraphBuilder::default();
        let mut found = Vec::new();
        for node in game.nodes() {
            let [alice, bob] = Player::BOTH.map(|player| game.successors(node, player));
            if alice.is_empty() || bob.is_empty() {
                builder.push(game.ending(node).map(&ending), alice, bob);
                continue;
            }
            let turns = splits(node).then(|| {
                let first = game.len() + 2 * found.len();
                let turns = [NodeId::new(first), NodeId::new(first + 1)];
                found.push((node, PerPlayer::new(turns[0], turns[1])));
                turns
            });
            let [alice, bob] = turns.as_ref().map_or([alice, bob], |turns| [turns, turns]);
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

    /// Where a player moves who moves at a vertex of the game.
    pub(super) fn turn(&self, node: NodeId, player: Player) -> NodeId {
        split_at(&self.splits, node).map_or(node, |turns| turns[player])
    }
}

/// The turns that a toss leads to, if it leads to any.
pub(super) fn split_at(
    splits: &[(NodeId, PerPlayer<NodeId>)],
    toss: NodeId,
) -> Option<&PerPlayer<NodeId>> {
    let split = splits
        .binary_search_by(|(other, _)| other.cmp(&toss))
        .ok()?;
    Some(&splits[split].1)
}
