//! The decisions of the winner of a bid: the player who moves, and the move. They depend on the
//! chips that both players have after the bid.
//!
//! A player maximises what is guaranteed, whatever the opponent does afterwards; of choices that
//! guarantee as much, the nearest is taken ([`kept`](super::kept)).

use super::solved::with_table;
use super::table::PositionPromise;
use super::{AllPayValues, Payoff, ValueTable};
use crate::game::{GameGraph, NodeId};
use crate::law::decision::{Choice, movers};
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Rules, settle};

/// Chooses the mover and the move for the winner of a bid, with these purses left. The winner moves
/// unless the opponent's moving is better.
pub fn choice(
    solved: &AllPayValues,
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    left: &Purses,
    winner: Player,
) -> Choice {
    with_table!(solved, table => {
        WonBid { table, graph, rules, node }.choice(left, winner)
    })
}

/// Returns a player's best move with these purses left.
pub fn destination(
    solved: &AllPayValues,
    graph: &GameGraph,
    node: NodeId,
    left: &Purses,
    mover: Player,
) -> NodeId {
    with_table!(solved, table => best_move(table, graph, node, left, mover))
}

/// Returns the winner that a player who decides a tie chooses, when both have bid `bid`.
pub fn preferred_winner(
    solved: &AllPayValues,
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    purses: &Purses,
    player: Player,
    bid: u64,
) -> Player {
    let outcomes = PerPlayer::new(Player::Alice, Player::Bob)
        .map(|winner| settle(rules, purses, PerPlayer::new(bid, bid), winner));
    with_table!(solved, table => {
        WonBid { table, graph, rules, node }.preferred_winner(&outcomes, player)
    })
}

/// A position where a bid has been won.
struct WonBid<'a, N: Payoff> {
    table: &'a ValueTable<N>,
    graph: &'a GameGraph,
    rules: &'a Rules,
    node: NodeId,
}

impl<'a, N: Payoff> WonBid<'a, N> {
    fn choice(&self, left: &Purses, winner: Player) -> Choice {
        let mut options: Vec<Player> = self.movers(winner).collect();
        // Of equal options the first is picked, so the winner moves unless letting is better.
        options.sort_by_key(|&mover| mover != winner);
        let mover = picked(options, winner, winner, |mover| {
            self.moved(left, *mover, winner)
        });
        Choice {
            mover,
            to: best_move(self.table, self.graph, self.node, left, mover),
        }
    }

    fn movers(&self, winner: Player) -> impl Iterator<Item = Player> + use<'a, N> {
        let movers = movers(self.graph, self.node, winner, self.rules.winner);
        movers.iter().copied()
    }

    fn preferred_winner(&self, outcomes: &PerPlayer<Purses>, player: Player) -> Player {
        picked([player, player.other()], player, player, |winner| {
            self.won(&outcomes[*winner], *winner, player)
        })
    }

    /// Returns what a player can expect once `winner` has won the bid.
    fn won(&self, left: &Purses, winner: Player, player: Player) -> PositionPromise<'a, N> {
        let promises = self
            .movers(winner)
            .map(|mover| self.moved(left, mover, player));
        picked(promises, winner, player, |promise| *promise)
    }

    /// Returns what a player can expect once `mover` is to move.
    fn moved(&self, left: &Purses, mover: Player, player: Player) -> PositionPromise<'a, N> {
        let promises = self
            .graph
            .successors(self.node, mover)
            .iter()
            .map(|&head| self.table.promise(self.node, head, left));
        picked(promises, mover, player, |promise| *promise)
    }
}

fn best_move<N: Payoff>(
    table: &ValueTable<N>,
    graph: &GameGraph,
    node: NodeId,
    left: &Purses,
    mover: Player,
) -> NodeId {
    let heads = graph.successors(node, mover).iter().copied();
    picked(heads, mover, mover, |&head| table.promise(node, head, left))
}

/// Picks a chooser's option, with promises taken from `player`'s point of view: the best if the
/// player chooses, the worst if the opponent does, and the first of equal ones.
fn picked<'a, T, N: Payoff + 'a>(
    options: impl IntoIterator<Item = T>,
    chooser: Player,
    player: Player,
    promise: impl Fn(&T) -> PositionPromise<'a, N>,
) -> T {
    let better = |a: &T, b: &T| {
        let order = promise(a).compare(&promise(b), player);
        if chooser == player {
            order.is_gt()
        } else {
            order.is_lt()
        }
    };
    let picked = options
        .into_iter()
        .reduce(|best, next| if better(&next, &best) { next } else { best });
    picked.expect("somebody can move at a vertex that is no ending")
}
