//! The winner with given chips, from both players' thresholds.

use super::thresholds::Thresholds;
use crate::diagnostic::Result;
use crate::game::{MarkedGraph, NodeId};
use crate::player::{Outcome, PerPlayer, Player};
use crate::positions::Graphless;
use crate::rules::{Purses, Rules};
use crate::watch::Context;

/// Both players' thresholds for some totals.
#[derive(Debug, Clone)]
pub struct Outcomes {
    /// Each player's thresholds; Bob's are found by exchanging the players' parts.
    pub thresholds: PerPlayer<Thresholds>,
}

impl Outcomes {
    /// Solves a graph for both players.
    ///
    /// # Errors
    /// The errors of [`Thresholds::solve`].
    pub fn solve<'a>(
        game: impl Into<MarkedGraph<'a>>,
        rules: &Rules,
        totals: &[u64],
        context: &Context<'_>,
    ) -> Result<Self> {
        let game = game.into();
        let solve = |seeker| Thresholds::solve(game, rules, seeker, totals, context);
        Ok(Self {
            thresholds: PerPlayer::new(solve(Player::Alice)?, solve(Player::Bob)?),
        })
    }

    /// Solves positions without their graph, for both players at once. Returns `None` if no such
    /// method applies.
    ///
    /// # Errors
    /// The errors of [`Thresholds::solve`].
    pub fn solve_graphless(
        positions: Graphless<'_>,
        rules: &Rules,
        totals: &[u64],
        context: &Context<'_>,
    ) -> Result<Option<Self>> {
        Ok(Thresholds::solve_both(positions, rules, totals, context)?
            .map(|thresholds| Self { thresholds }))
    }

    /// Returns the outcome with these purses, which must add up to the lane's total and fit the
    /// rules ([`admit::purses`](crate::rules::admit::purses)).
    pub fn outcome(&self, node: NodeId, purses: &Purses, lane: usize) -> Outcome {
        outcome(&self.thresholds, node, purses, lane)
    }
}

pub(crate) fn outcome(
    thresholds: &PerPlayer<Thresholds>,
    node: NodeId,
    purses: &Purses,
    lane: usize,
) -> Outcome {
    if let Some(winner) = Player::BOTH
        .into_iter()
        .find(|&player| thresholds[player].is_forced(node, purses, lane))
    {
        return Outcome::Wins(winner);
    }
    // Neither forces a win, but a win that cannot be prevented leaves the result to the bids.
    if Player::BOTH
        .into_iter()
        .any(|player| thresholds[player].is_unpreventable(node, purses, lane))
    {
        return Outcome::Undetermined;
    }
    Outcome::Draw
}
