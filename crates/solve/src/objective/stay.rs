//! The winner of a play that never leaves a part of a graph, where that does not depend on the
//! play.

use num_traits::Zero;

use super::mean::Ring;
use super::{Endless, Sides};
use crate::diagnostic::Result;
use crate::game::{GameGraph, Goals, NodeId};
use crate::player::Player;
use crate::richman::Coin;
use crate::rules::Draws;
use crate::watch::Context;

/// Returns the value of play without end in a game that is otherwise decided, if the value is the
/// same in all components in which the players have different moves. It is known in components
/// whose priorities are all even or all odd, and for weights where the greatest mean of a cycle is
/// not enough, or the least one is enough.
pub(super) fn worth(
    left: &GameGraph,
    game: &Endless<'_>,
    sides: &Sides<'_>,
    level: bool,
    context: &Context<'_>,
) -> Result<Option<Draws>> {
    let mut found = None;
    for (vertices, _) in left
        .components()
        .iter()
        .filter(|(vertices, cyclic)| *cyclic && sides.differ(vertices).is_some())
    {
        let Some(winner) = winner(game, vertices, level, context)? else {
            return Ok(None);
        };
        // A single rule for draws cannot represent two results.
        if found.is_some_and(|other| other != winner) {
            return Ok(None);
        }
        found = Some(winner);
    }
    Ok(found.map(|winner| match winner {
        Player::Alice => Draws::Alice,
        Player::Bob => Draws::Bob,
    }))
}

fn winner(
    game: &Endless<'_>,
    vertices: &[NodeId],
    level: bool,
    context: &Context<'_>,
) -> Result<Option<Player>> {
    match game.goals {
        Goals::Priorities(priorities) => {
            let is_even = |even: bool| {
                vertices
                    .iter()
                    .all(|node| (priorities[node.index()] % 2 == 0) == even)
            };
            Ok(is_even(true)
                .then_some(Player::Alice)
                .or(is_even(false).then_some(Player::Bob)))
        }
        Goals::Weights(weights) => {
            let ring = Ring::new(game.graph, weights, vertices);
            for player in Player::BOTH {
                let Some(found) = ring
                    // The player wins whatever happens if even the opponent's best cycle is good
                    // enough.
                    .of_one(player.other())
                    .solve(Coin::default(), context)?
                else {
                    return Ok(None);
                };
                let enough = found.gain > Zero::zero() || level && found.gain.is_zero();
                if enough == (player == Player::Alice) {
                    return Ok(Some(player));
                }
            }
            Ok(None)
        }
    }
}
