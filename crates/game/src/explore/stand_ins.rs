//! Endings without a position, which the `stuck` rules send a stuck player to.

use crate::player::{Ending, Player};
use crate::{GameGraphBuilder, NodeId};

/// The endings, in the order of their vertices.
const ENDINGS: [Ending; 3] = [
    Ending::Draw,
    Ending::Win(Player::Bob),
    Ending::Win(Player::Alice),
];

/// The stand-ins that have been used. During exploration, edges to endings without a position lead
/// to stand-ins, which have the last numbers of all; afterwards each ending that was used gets a
/// vertex after all positions.
#[derive(Debug, Clone, Copy, Default)]
pub struct StandIns {
    used: [bool; ENDINGS.len()],
}

impl StandIns {
    /// The greatest number of positions that leaves room for the stand-ins.
    pub const MOST_POSITIONS: usize = u32::MAX as usize - ENDINGS.len();

    /// Returns the stand-in for an ending and marks it as used.
    pub fn node(&mut self, ending: Ending) -> NodeId {
        let place = ENDINGS
            .iter()
            .position(|known| *known == ending)
            .expect("all endings are there");
        self.used[place] = true;
        Self::id(place)
    }

    fn id(place: usize) -> NodeId {
        // The number of the last vertex is not known yet, so the greatest numbers of all are used.
        NodeId::new(Self::MOST_POSITIONS + 1 + place)
    }

    /// Gives each used ending a vertex: that of a position which is this ending and nothing else,
    /// if there is one, or else a new vertex.
    pub fn settle(
        self,
        builder: &mut GameGraphBuilder,
        mut position: impl FnMut(Ending) -> Option<NodeId>,
    ) {
        for (place, ending) in ENDINGS
            .into_iter()
            .enumerate()
            .filter(|(place, _)| self.used[*place])
        {
            let node = position(ending).unwrap_or_else(|| builder.push(Some(ending), &[], &[]));
            builder.redirect(Self::id(place), node);
        }
    }
}
