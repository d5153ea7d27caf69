//! What follows a bid at one vertex: the winner decides who moves, who moves decides where to.

use super::{Budgets, Worth};
use crate::game::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::{Rules, TieBreak, Winner};
use crate::watch::{Context, Stop, watched};

/// For each winner of the bid and all purses after it, what the position is worth to Alice.
#[derive(Debug, Clone)]
pub(super) struct OnwardValues<N> {
    won: PerPlayer<Vec<N>>,
    /// What the position itself is worth, where nobody may win; else empty.
    stayed: Vec<N>,
    /// Who moves without a bid, if the vertex has an owner: then it is the same whoever would win.
    owner: Option<Player>,
}

impl<N: Worth> OnwardValues<N> {
    /// From the rows of the successors.
    ///
    /// # Errors
    /// If it is stopped.
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
        let len = budgets.len() as usize;
        let moved = |mover| {
            let heads: Vec<&[N]> = graph
                .successors(node, mover)
                .iter()
                .map(|&head| row(head))
                .collect();
            best_of(&heads, mover, len, context)
        };
        let moved = PerPlayer::new(moved(Player::Alice)?, moved(Player::Bob)?);
        let won = |winner| {
            let options: Vec<&[N]> = movers(graph, rules, node, winner)
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

    /// With nothing known yet but this, for so many purses.
    pub(super) fn unknown(nothing: &N, len: usize) -> Self {
        let row = || vec![nothing.clone(); len];
        Self {
            won: PerPlayer::new(row(), row()),
            stayed: row(),
            owner: None,
        }
    }

    /// Takes over for some purses what positions are worth with them.
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
            let options = movers(graph, rules, node, winner)
                .into_iter()
                .filter_map(moved);
            if let Some(won) = best(options, winner) {
                self.won[winner][index] = won;
            }
        }
        self.stayed[index] = value(node).clone();
    }

    /// All of them.
    pub(super) fn values(&self) -> impl Iterator<Item = &N> {
        self.won.alice.iter().chain(&self.won.bob)
    }

    /// The worth after `winner` has won, by the number of the purses.
    pub(super) fn won_by(&self, winner: Player, index: usize) -> &N {
        &self.won[winner][index]
    }

    /// Who moves without a bid.
    pub(super) fn owner(&self) -> Option<Player> {
        self.owner
    }

    /// The worth after nobody has won, by the number of the purses.
    pub(super) fn stayed(&self, index: usize) -> &N {
        &self.stayed[index]
    }
}

/// What a player has who can choose; nothing if there is no choice.
fn best<N: Worth>(options: impl Iterator<Item = N>, player: Player) -> Option<N> {
    options.reduce(|best, option| best.either(&option, player))
}

/// Entry by entry what a player has who can choose among the rows; nothing if there are none.
fn best_of<N: Worth>(
    rows: &[&[N]],
    player: Player,
    len: usize,
    context: &Context<'_>,
) -> Result<Vec<N>, Stop> {
    let Some((first, others)) = rows.split_first() else {
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

/// Whom the winner of a bid may let move.
pub(super) fn movers(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    winner: Player,
) -> Vec<Player> {
    let able: Vec<Player> = Player::BOTH
        .into_iter()
        .filter(|&player| !graph.successors(node, player).is_empty())
        .collect();
    match rules.winner {
        Winner::Moves if able.len() == 2 => vec![winner],
        Winner::Moves | Winner::Chooses => able,
    }
}
