//! Play on cycles that may be repeated for ever: for each position the bids that prove the bounds,
//! with ranks.
//!
//! A bid that is optimal for the payoffs of one turn may lead round in a circle. The bids kept here
//! are those by which a bound was raised last, and a player who makes them at every turn, and after
//! them goes where this player's bound is best and the rank least, is sure of the bound in the long
//! run.
//!
//! The *rank* of a state is 0 where it does not matter: out of the cycle, and where the bound is no
//! better for the player than endless play. Elsewhere, whatever the opponent does, either the bound
//! changes with a positive probability, or the rank falls with one. So play comes to an end, or to
//! where endless play is good enough, with probability 1 (`docs/certificates.md` has the proof).

use crate::game::NodeId;
use crate::player::PerPlayer;

/// How both players play at a position of a cycle, by the number of the purses.
#[derive(Debug, Clone)]
pub(super) struct CyclePlay<P> {
    /// The first position of the cycle. Ranks are compared within a cycle; what lies out of it is
    /// nearer than anything in it.
    pub(super) cycle: NodeId,
    /// The probabilities of the bids, from 0 on; `None` where the player's bound is the least there
    /// is, and any bid is as good.
    pub(super) bids: PerPlayer<Vec<Option<Vec<P>>>>,
    /// The ranks.
    pub(super) ranks: PerPlayer<Vec<u32>>,
}

impl<P: Clone> CyclePlay<P> {
    /// For a position where so many purses are possible and any bids are as good.
    pub(super) fn nothing(cycle: NodeId, len: usize) -> Self {
        let none = || vec![None; len];
        Self {
            cycle,
            bids: PerPlayer::new(none(), none()),
            ranks: PerPlayer::new(vec![0; len], vec![0; len]),
        }
    }

    /// Whether there are bids to be repeated.
    pub(super) fn is_something(&self) -> bool {
        self.bids
            .alice
            .iter()
            .chain(&self.bids.bob)
            .any(Option::is_some)
    }
}

/// A cycle whose positions have bounds.
#[derive(Debug, Clone)]
pub struct Enclosed<P> {
    /// How often its turns were solved.
    pub(super) sweeps: u64,
    /// How to play at each of its positions.
    pub(super) kept: Vec<CyclePlay<P>>,
}
