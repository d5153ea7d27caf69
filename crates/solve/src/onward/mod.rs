//! Advice for play with money, to a player who has more than the threshold: the amount to bid, and
//! the decision after winning the bid.
//!
//! A share above the threshold wins only if play does not stay for ever on a cycle of moves that
//! are all equally good. As in [`certify`](crate::proof::certify), an edge *makes progress* if it leads to
//! another threshold or to a lesser rank; a vertex has a rank if the player has such an edge among
//! the best ones, or the opponent has edges and all of them make progress. Every vertex where the
//! threshold can be kept and the play won has a rank.
//!
//! The amounts of bids are derived in [`bid`].

mod bid;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::VecDeque;

use num_rational::BigRational;
use rustc_hash::FxHashMap;

use crate::game::{GameGraph, NodeId};
use crate::law::decision::WinnerChoice;
use crate::player::Player;
use crate::richman::taxman::{Penniless, PlayerAim, Shares};
use crate::rules::Winner;
use crate::watch::{Asking, Context, Stop, watched};

/// The number of vertices between two checks: few, as the thresholds may have many digits.
const CHECK_EVERY: usize = 64;

/// The distance of each vertex from another threshold, for one player.
#[derive(Debug)]
pub struct Onward<'a> {
    graph: Cow<'a, GameGraph>,
    shares: &'a Shares,
    player: Player,
    aim: PlayerAim,
    winner: Winner,
    ranks: Vec<usize>,
    /// For each vertex on a cycle, the number of its component.
    cycles: Vec<Option<u32>>,
    /// For each vertex, an upper bound on the number of bids that must be won in a row until play
    /// leaves the cycles around it; `None` if no bound is known.
    wins: Vec<Option<u32>>,
    /// For each component with a cycle, a lower bound on the gain of a lost bid, relative to the
    /// cost of a won one; see [`bid`].
    gains: FxHashMap<u32, BigRational>,
    penniless: Penniless,
}

impl<'a> Onward<'a> {
    /// Ranks all vertices for a player who has enough for this aim, by thresholds for it. `winner` is
    /// the rule for the winner of a bid.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn new(
        graph: &'a GameGraph,
        shares: &'a Shares,
        player: Player,
        aim: PlayerAim,
        winner: Winner,
        context: &Context<'_>,
    ) -> Result<Self, Stop> {
        // The theory may cover only those positions whose winner must move that are reached by
        // moves that somebody needs.
        let graph = match winner {
            Winner::Chooses => Cow::Borrowed(graph),
            Winner::Moves => Cow::Owned(shares.needed_moves(graph)),
        };
        let mut onward = Self {
            shares,
            player,
            aim,
            winner,
            ranks: ranks(&graph, shares, player, winner, context)?,
            cycles: graph.components().cycle_numbers(),
            wins: Vec::new(),
            gains: FxHashMap::default(),
            penniless: Penniless::new(&graph, player, aim),
            graph,
        };
        // The numbers of wins and the gains follow the best moves, which need the ranks.
        onward.wins = onward.wins_in_a_row(context)?;
        onward.gains = onward.least_gains(context)?;
        Ok(onward)
    }

    /// Returns the player whom the advice is for.
    pub fn player(&self) -> Player {
        self.player
    }

    /// Returns the player's decision after winning a bid; `None` if the game is over.
    pub fn step(&self, node: NodeId) -> Option<WinnerChoice> {
        let other = self.shares.best(&self.graph, node, self.player.other());
        let Some(own) = self.best(node) else {
            return other.map(|_| WinnerChoice::LetMove);
        };
        // Where the winner must move no player would rather lose the bid, or there were no thresholds.
        let Some(other) = other.filter(|_| self.winner == Winner::Chooses) else {
            return Some(WinnerChoice::Move(own));
        };
        let order = match self.player {
            Player::Alice => self.shares.compare(own, other),
            Player::Bob => self.shares.compare(other, own),
        };
        let gets_on = |head: NodeId| self.gets_on(node, head);
        let others = self.graph.successors(node, self.player.other());
        let lets = match order {
            Ordering::Less => false,
            // If both sides are equally good, the player lets the opponent move only where all of
            // the opponent's moves make progress and none of the player's best ones does.
            Ordering::Equal => !gets_on(own) && others.iter().all(|head| gets_on(*head)),
            Ordering::Greater => true,
        };
        Some(if lets {
            WinnerChoice::LetMove
        } else {
            WinnerChoice::Move(own)
        })
    }

    /// Returns the best move at a vertex; of several, one that makes progress soonest. Returns
    /// `None` if the player has no move.
    pub fn best(&self, node: NodeId) -> Option<NodeId> {
        self.all_best(node).next()
    }

    /// Returns the best moves at a vertex that make progress soonest.
    fn all_best(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let best = self.shares.best(&self.graph, node, self.player);
        let heads = self.graph.successors(node, self.player).iter().copied();
        // Among equally good moves the nearest way off the level set counts; where no money is
        // needed, among those after which none is needed either.
        let key = move |head: &NodeId| {
            let is_free = self.penniless.keeps(node, *head);
            let needs_money = self.penniless.is_enough(node) && !is_free;
            (needs_money, self.distance(node, *head))
        };
        let alike = heads.filter(move |head| best.is_some_and(|best| self.alike(best, *head)));
        let least = alike.clone().map(|head| key(&head)).min();
        alike.filter(move |head| Some(key(head)) == least)
    }

    fn alike(&self, a: NodeId, b: NodeId) -> bool {
        self.shares.compare(a, b).is_eq()
    }

    fn gets_on(&self, node: NodeId, head: NodeId) -> bool {
        !self.alike(node, head) || self.ranks[head.index()] < self.ranks[node.index()]
    }

    fn distance(&self, node: NodeId, head: NodeId) -> usize {
        if self.alike(node, head) {
            self.ranks[head.index()]
        } else {
            0
        }
    }
}

/// Ranks all vertices for a player: 0 for those that make progress at once, 1 for those that do so
/// by vertices of rank 0, and so on, and `usize::MAX` without a rank. Ranks depend on the moves
/// alone and not on the numbers of vertices, so that advice from two sessions can be mixed. If the
/// winner of a bid must move, the opponent's edges count only where the player has none, because a
/// player cannot let the opponent move.
pub(crate) fn ranks(
    graph: &GameGraph,
    shares: &Shares,
    player: Player,
    winner: Winner,
    context: &Context<'_>,
) -> Result<Vec<usize>, Stop> {
    let alike = |a: NodeId, b: NodeId| shares.compare(a, b).is_eq();
    let others_count =
        |node: NodeId| winner == Winner::Chooses || graph.successors(node, player).is_empty();
    let mut ranks = vec![usize::MAX; graph.len()];
    let mut tails: Vec<Vec<(NodeId, Player)>> = vec![Vec::new(); graph.len()];
    let mut bests = Vec::with_capacity(graph.len());
    // The number of the opponent's edges that do not make progress yet.
    let mut held = vec![0; graph.len()];
    let mut found = VecDeque::new();
    for node in watched(graph.nodes(), context) {
        let node = node?;
        let best = shares.best(graph, node, player);
        bests.push(best);
        let mut leaves = graph.ending(node).is_some();
        for owner in Player::BOTH {
            for &head in graph.successors(node, owner) {
                if alike(node, head) {
                    // Only edges that keep the threshold need a rank; the others make progress by
                    // themselves.
                    tails[head.index()].push((node, owner));
                    held[node.index()] += usize::from(owner != player);
                } else {
                    leaves |= owner == player && best.is_some_and(|best| alike(best, head));
                }
            }
        }
        let others = graph.successors(node, player.other());
        // Without any edge of the opponent's the second condition would hold for nothing.
        if leaves || others_count(node) && !others.is_empty() && held[node.index()] == 0 {
            found.push_back((node, 0));
        }
    }
    let mut asking = Asking::every(CHECK_EVERY, context);
    while let Some((head, rank)) = found.pop_front() {
        asking.step(1)?;
        if ranks[head.index()] != usize::MAX {
            continue;
        }
        ranks[head.index()] = rank;
        for &(tail, owner) in &tails[head.index()] {
            let gets_on = if owner == player {
                bests[tail.index()].is_some_and(|best| alike(best, head))
            } else {
                // Each edge is counted down once, since a vertex gets its rank once.
                held[tail.index()] -= 1;
                held[tail.index()] == 0 && others_count(tail)
            };
            if gets_on {
                found.push_back((tail, rank + 1));
            }
        }
    }
    Ok(ranks)
}
