//! Strategies on cycles that may be repeated for ever: for each position the bids that prove the
//! bounds, with ranks.
//!
//! A bid that is optimal for the payoffs of one turn may lead round in a cycle. The bids kept here
//! are those by which a bound was raised last. A player who makes them at every turn, and then
//! chooses the position with the best bound of this player's and among those the least rank, is
//! sure of the bound in the long run.
//!
//! The *rank* of a state is 0 where it does not matter: outside the cycle, and where the bound is
//! no better for the player than endless play. Elsewhere, whatever the opponent does, with a
//! positive probability either the bound changes or the rank decreases. So play comes to an end, or
//! to a state where endless play is good enough, with probability 1 (`docs/certificates.md` has the
//! proof).

use crate::game::NodeId;
use crate::player::PerPlayer;

/// The strategies of both players at a position of a cycle, by the number of the purses.
#[derive(Debug, Clone)]
pub(super) struct CyclePlay<P> {
    /// The first position of the cycle. Ranks are compared within a cycle; a position outside it
    /// counts as nearer than any position in it.
    pub(super) cycle: NodeId,
    /// The probabilities of the bids, from a bid of 0 on; `None` where the player's bound is the
    /// least possible, so that any bid is as good.
    pub(super) bids: PerPlayer<Vec<Option<Vec<P>>>>,
    /// The ranks.
    pub(super) ranks: PerPlayer<Vec<u32>>,
}

impl<P: Clone> CyclePlay<P> {
    /// Creates the entry of a position with `len` possible purses at which any bids are as good.
    pub(super) fn nothing(cycle: NodeId, len: usize) -> Self {
        let none = || vec![None; len];
        Self {
            cycle,
            bids: PerPlayer::new(none(), none()),
            ranks: PerPlayer::new(vec![0; len], vec![0; len]),
        }
    }

    /// Returns whether there are bids to be repeated.
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
    /// The number of times that its turns were solved.
    pub(super) sweeps: u64,
    /// The strategies at each of its positions.
    pub(super) kept: Vec<CyclePlay<P>>,
}
