//! Ranks: the distance of each state from a change of a player's bound, if the player makes the
//! bids that are kept.
//!
//! Ranks are found from below. A state whose bound is better than endless play gets the rank 1 + r
//! if, for every bid of the opponent, a bid of the player's leads either to another bound or to a
//! state of rank r at most. If the bids prove the bounds, every such state gets a rank: where none
//! can be found the opponent could stay for ever.

use super::CycleStates;
use crate::all_pay::Worth;
use crate::all_pay::matrix::Matrix;
use crate::all_pay::onward::OnwardValues;
use crate::all_pay::table::AllPayWork;
use crate::game::NodeId;
use crate::player::Player;
use crate::watch::Stop;

/// The rank of a state from which play is not yet known to get away.
const OPEN: u32 = u32::MAX;

/// The bound and the rank that a player is sure of at a state.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Prospect {
    player: Player,
    /// The bound, from the player's point of view; `None` if a coin decides between two bounds.
    least: Option<f64>,
    rank: u32,
}

impl Prospect {
    /// Returns whether the player prefers another prospect: the one with the better bound, or of
    /// equal bounds the one with the smaller rank.
    fn is_worse_than(&self, other: &Self) -> bool {
        self.least < other.least || self.least == other.least && self.rank > other.rank
    }
}

impl Worth for Prospect {
    fn either(&self, other: &Self, player: Player) -> Self {
        if self.is_worse_than(other) == (player == self.player) {
            *other
        } else {
            *self
        }
    }

    fn mean(&self, other: &Self) -> Self {
        // Between two different bounds the coin certainly changes the bound on one side.
        let least = self.least.filter(|least| other.least == Some(*least));
        Self {
            least,
            rank: self.rank.min(other.rank),
            ..*self
        }
    }
}

impl CycleStates<'_> {
    /// Computes the rank of each state for a player.
    pub(super) fn ranks(&self, player: Player) -> Result<Vec<u32>, Stop> {
        let len = self.budgets.len();
        let matters = |state: usize| {
            self.bounds(player, self.members[state / len], state % len)
                .least
                > self.endless(player)
        };
        let mut ranks: Vec<u32> = (0..self.members.len() * len)
            // Play need not get away where endless play is good enough.
            .map(|state| if matters(state) { OPEN } else { 0 })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (place, &member) in self.members.iter().enumerate() {
                let states = place * len..(place + 1) * len;
                if !ranks[states.clone()].contains(&OPEN) {
                    continue;
                }
                let rows: Vec<(NodeId, Vec<Prospect>)> = self
                    .work
                    .graph
                    .all_successors(member)
                    .map(|head| (head, self.prospects(player, head, &ranks)))
                    .collect();
                let row = |head: NodeId| -> &[Prospect] {
                    let found = rows.iter().find(|(node, _)| *node == head);
                    &found
                        .unwrap_or_else(|| unreachable!("every successor has a row"))
                        .1
                };
                let AllPayWork {
                    graph,
                    rules,
                    context,
                    ..
                } = self.work;
                let onward = OnwardValues::new(graph, rules, self.budgets, member, row, context)?;
                for state in states
                    .filter(|state| ranks[*state] == OPEN)
                    .collect::<Vec<_>>()
                {
                    context.check()?;
                    let purses = self.budgets.purses(state % len);
                    let matrix = Matrix::new(rules, self.budgets, &onward, &purses, context)?;
                    if let Some(rank) = self.rank(player, state, &matrix) {
                        (ranks[state], changed) = (rank, true);
                    }
                }
            }
        }
        debug_assert!(
            !ranks.contains(&OPEN),
            "the bids that are kept do not prove the bounds"
        );
        Ok(ranks)
    }

    fn prospects(&self, player: Player, head: NodeId, ranks: &[u32]) -> Vec<Prospect> {
        let prospect = |index: usize| {
            let rank = self.state(head, index).map_or(0, |state| ranks[state]);
            Prospect {
                player,
                least: Some(self.bounds(player, head, index).least),
                rank,
            }
        };
        (0..self.budgets.len()).map(prospect).collect()
    }

    /// Computes the rank of a state whose bound is better than endless play. Returns `None` if the
    /// opponent can stay at states without a rank.
    fn rank(&self, player: Player, state: usize, matrix: &Matrix<Prospect>) -> Option<u32> {
        let len = self.budgets.len();
        let least = Some(
            self.bounds(player, self.members[state / len], state % len)
                .least,
        );
        let made: Vec<usize> = (0..)
            .zip(&self.progress[player][state])
            // Every bid with weight is made with positive probability, so the nearest result
            // counts.
            .filter(|(_, w)| **w > 0.0)
            .map(|(bid, _)| bid)
            .collect();
        let mut rank = 0;
        for other in 0..matrix.bids(player.other()) {
            let follows = made.iter().map(|&own| match player {
                Player::Alice => matrix.at(own, other),
                Player::Bob => matrix.at(other, own),
            });
            let steps = follows
                .map(|next| if next.least == least { next.rank } else { 0 })
                .min()
                .unwrap_or(OPEN);
            if steps == OPEN {
                return None;
            }
            // The opponent chooses the answer that keeps play away for longest.
            rank = rank.max(steps);
        }
        Some(rank + 1)
    }
}
