//! The values after a bid at one vertex: the winner decides who moves, and the mover decides the
//! successor.

use super::{Budgets, Worth};
use crate::game::{GameGraph, NodeId};
use crate::law::decision::movers;
use crate::player::{PerPlayer, Player};
use crate::rules::{Rules, TieBreak};
use crate::watch::{Context, Stop, watched};

/// The value to Alice after the bid, for each winner and all purses.
#[derive(Debug, Clone, PartialEq, Hash)]
pub(super) struct OnwardValues<N> {
    won: PerPlayer<Vec<N>>,
    /// The value of the position itself, where a tie may have no winner; otherwise empty.
    stayed: Vec<N>,
    /// The player who moves without a bid, if the vertex has an owner. Then the values are the same
    /// for both winners.
    owner: Option<Player>,
}

impl<N: Worth> OnwardValues<N> {
    /// Computes the values from the rows of the successors.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn new<'a>(
        graph: &GameGraph,
        rules: &Rules,
        budgets: &Budgets,
        node: NodeId,
        row: impl Fn(NodeId) -> &'a [N],
        context: &Context<'_>,
    ) -> Result<Self, Stop>
    where
        N: 'a,
    {
        let len = budgets.len();
        let moved = |mover| {
            let heads: Vec<&[N]> = graph
                .successors(node, mover)
                .iter()
                .map(|&head| row(head))
                .collect();
            best_of(&heads, mover, len, context)
        };
        // Either winner may let either player move, so both rows are computed once and used twice.
        let moved = PerPlayer::new(moved(Player::Alice)?, moved(Player::Bob)?);
        let won = |winner| {
            let options: Vec<&[N]> = movers(graph, node, winner, rules.winner)
                .iter()
                .map(|&mover| &*moved[mover])
                .collect();
            best_of(&options, winner, len, context)
        };
        let stayed = if rules.ties == TieBreak::Nobody {
            row(node).to_vec()
        } else {
            Vec::new()
        };
        Ok(Self {
            won: PerPlayer::new(won(Player::Alice)?, won(Player::Bob)?),
            stayed,
            owner: graph.owner(node),
        })
    }

    /// Creates values that are all `nothing`, for `len` purses.
    pub(super) fn unknown(nothing: &N, len: usize) -> Self {
        let row = || vec![nothing.clone(); len];
        Self {
            won: PerPlayer::new(row(), row()),
            stayed: row(),
            owner: None,
        }
    }

    /// Computes the entries of one number of purses from the positions' values with these purses.
    pub(super) fn learn<'a>(
        &mut self,
        graph: &GameGraph,
        rules: &Rules,
        node: NodeId,
        index: usize,
        value: impl Fn(NodeId) -> &'a N,
    ) where
        N: 'a,
    {
        let moved = |mover| {
            best(
                graph
                    .successors(node, mover)
                    .iter()
                    .map(|&head| value(head).clone()),
                mover,
            )
        };
        for winner in Player::BOTH {
            let movers = movers(graph, node, winner, rules.winner).iter();
            let options = movers.filter_map(|mover| moved(*mover));
            if let Some(won) = best(options, winner) {
                self.won[winner][index] = won;
            }
        }
        self.stayed[index] = value(node).clone();
    }

    /// Iterates over the values after both winners.
    pub(super) fn values(&self) -> impl Iterator<Item = &N> {
        self.won.alice.iter().chain(&self.won.bob)
    }

    /// Returns the value after `winner` has won, by the number of the purses.
    pub(super) fn won_by(&self, winner: Player, index: usize) -> &N {
        &self.won[winner][index]
    }

    /// Returns the player who moves without a bid.
    pub(super) fn owner(&self) -> Option<Player> {
        self.owner
    }

    /// Returns the value after nobody has won, by the number of the purses.
    pub(super) fn stayed(&self, index: usize) -> &N {
        &self.stayed[index]
    }
}

/// Returns the best option of a player who chooses; `None` if there are no options.
fn best<N: Worth>(options: impl Iterator<Item = N>, player: Player) -> Option<N> {
    options.reduce(|best, option| best.either(&option, player))
}

/// Returns the best entry, for a player who chooses among the rows, at each index. The result is
/// empty if there are no rows.
///
/// # Errors
/// If the work is stopped.
fn best_of<N: Worth>(
    rows: &[&[N]],
    player: Player,
    len: usize,
    context: &Context<'_>,
) -> Result<Vec<N>, Stop> {
    let Some((first, others)) = rows.split_first() else {
        // A player without edges is never among the movers, so the empty row is not read.
        return Ok(Vec::new());
    };
    let pick = |index: usize| {
        others.iter().fold(first[index].clone(), |best, row| {
            best.either(&row[index], player)
        })
    };
    watched(0..len, context)
        .map(|index| index.map(pick))
        .collect()
}
