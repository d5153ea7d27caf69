//! An order of a cycle's positions that does not depend on their numbers.
//!
//! The bids that are kept on a cycle depend on the order in which its positions are solved, and the
//! numbers of positions depend on the position from which a graph was explored. In an order that
//! follows from the game alone, the bids of questions about several positions belong together.
//!
//! Positions are told apart by colour refinement: a position's colour is replaced by a hash of the
//! colours of those that each player can move to, again and again. Positions of one colour at the
//! end play alike; their numbers decide.

use std::collections::HashSet;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::Payoff;
use super::table::AllPayWork;
use crate::convert::fit;
use crate::game::NodeId;
use crate::player::Player;
use crate::watch::Stop;

/// The greatest number of times that all colours are replaced.
const ROUNDS: usize = 1 << 10;

/// Returns the positions of a cycle in such an order, given the values of the positions to which
/// play leaves it.
///
/// # Errors
/// If the work is stopped.
pub(super) fn ordered<'v, N: Payoff + 'v>(
    work: AllPayWork<'_>,
    members: &[NodeId],
    row: impl Fn(NodeId) -> Option<&'v [N]>,
) -> Result<Vec<NodeId>, Stop> {
    let mut places = vec![None; work.graph.len()];
    for (place, member) in members.iter().enumerate() {
        places[member.index()] = Some(place);
    }
    let mut colours = vec![0_u64; members.len()];
    let mut classes = 1;
    for _ in 0..ROUNDS.min(members.len()) {
        work.context.check()?;
        let colour = |head: &NodeId| match places[head.index()] {
            Some(place) => colours[place],
            None => FxBuildHasher.hash_one(row(*head)),
        };
        let next = |member: &NodeId| {
            let heads = Player::both(|player| {
                let heads = work.graph.successors(*member, player).iter();
                let mut heads: Vec<u64> = heads.map(colour).collect();
                heads.sort_unstable();
                heads
            });
            FxBuildHasher.hash_one((heads, work.graph.owner(*member)))
        };
        colours = members.iter().map(next).collect();
        let before = classes;
        classes = colours.iter().collect::<HashSet<_>>().len();
        // Once no class is divided, none is divided any more.
        if classes == before {
            break;
        }
    }
    let mut ordered: Vec<(u64, NodeId)> =
        colours.into_iter().zip(members.iter().copied()).collect();
    ordered.sort_by_key(|(colour, member)| (*colour, fit::<u32>(member.index())));
    Ok(ordered.into_iter().map(|(_, member)| member).collect())
}
