//! Exploration of one position and its successors: enough to choose a move if the values are known
//! from elsewhere.

use super::positions::Positions;
use super::stand_ins::StandIns;
use crate::diagnostic::Result;
use crate::game::ruleset::{Ruleset, State};
use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::Stuck;

/// Builds the graph of a position and its successors, with their states. Vertex 0 is the position
/// and has its edges; the other vertices have none, whatever moves they have in the game. They are
/// numbered as by an exploration from the position; endings that stuck players are sent to follow
/// them. Returns `None` if a stuck player passes.
///
/// # Errors
/// If a position cannot be evaluated.
pub fn neighbourhood(ruleset: &Ruleset, state: &State) -> Result<Option<(GameGraph, Positions)>> {
    let start = ruleset.canonical(state.clone());
    let mut positions = Positions::new(start.words().len());
    positions.add(&start);
    let ending = ruleset.ending(&start)?;
    let mut heads = PerPlayer::<Vec<NodeId>>::default();
    let mut stand_ins = StandIns::default();
    for player in Player::BOTH.into_iter().filter(|_| ending.is_none()) {
        ruleset.moves(&start, player, &mut |next| {
            heads[player].push(positions.add(&ruleset.canonical(next)))
        })?;
        heads[player].sort_unstable();
        heads[player].dedup();
        if !heads[player].is_empty() {
            continue;
        }
        match ruleset.stuck_at(&start, player)? {
            Some(Stuck::Ends(result)) => {
                heads[player].push(stand_ins.node(result.for_player(player)))
            }
            // A pass leads back to the position, whose edges a neighbourhood alone cannot
            // represent.
            Some(Stuck::Passes) => return Ok(None),
            Some(Stuck::OpponentMoves) | None => {}
        }
    }
    let mut builder = GameGraphBuilder::default();
    let first = builder.push(ending, &heads.alice, &heads.bob);
    let owner = if ending.is_none() {
        ruleset.owner(&start)?
    } else {
        None
    };
    if let Some(owner) = owner.filter(|owner| !heads[*owner].is_empty()) {
        builder.own(first, owner);
    }
    // The first state is the position itself, which has been pushed with its edges.
    for state in positions.states().skip(1) {
        builder.push(ruleset.ending(&state)?, &[], &[]);
    }
    stand_ins.settle(&mut builder, |_| None);
    Ok(Some((builder.finish(NodeId::new(0)), positions)))
}
