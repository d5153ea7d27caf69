//! Endings without a position: where the `stuck` rules send a player who cannot move.

use crate::game::{GameGraphBuilder, NodeId};
use crate::player::{Ending, Player};

/// All endings, in the order of their vertices.
const ENDINGS: [Ending; 3] = [
    Ending::Draw,
    Ending::Win(Player::Bob),
    Ending::Win(Player::Alice),
];

/// While exploring, edges to such endings lead to stand-ins, the last numbers there are; afterwards
/// each ending that was used has a vertex after all positions.
#[derive(Debug, Clone, Copy, Default)]
pub struct StandIns {
    used: [bool; ENDINGS.len()],
}

impl StandIns {
    /// The most positions that leave room for the stand-ins.
    pub const MOST_POSITIONS: usize = u32::MAX as usize - ENDINGS.len();

    /// The stand-in for an ending, which is used from now on.
    pub fn node(&mut self, ending: Ending) -> NodeId {
        let place = ENDINGS
            .iter()
            .position(|known| *known == ending)
            .expect("all endings are there");
        self.used[place] = true;
        Self::id(place)
    }

    fn id(place: usize) -> NodeId {
        NodeId::new(Self::MOST_POSITIONS + 1 + place)
    }

    /// Those of either.
    pub fn join(&mut self, other: Self) {
        self.used
            .iter_mut()
            .zip(other.used)
            .for_each(|(used, also)| *used |= also);
    }

    /// Gives each that is used a vertex: that of a position which is this ending and nothing else, if
    /// there is one.
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
