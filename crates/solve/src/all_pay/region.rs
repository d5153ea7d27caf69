//! Sure play: the states from which a player reaches a goal with single bids, whatever the opponent
//! bids.
//!
//! On a finite graph a mixed bid that wins with certainty wins with each bid in it, so single bids
//! suffice: a player surely gets to a set of states if there is a bid after which the set is
//! reached whatever the opponent bids. The states are the greatest set closed under this where
//! endless play is good enough for the player, otherwise the least.

use super::matrix::Matrix;
use super::onward::OnwardValues;
use super::table::AllPayWork;
use super::{Budgets, Worth};
use crate::game::NodeId;
use crate::player::Player;
use crate::watch::Stop;

/// The player who seeks sure play, and the result that counts as reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SureGoal {
    pub(super) player: Player,
    /// If set, endless play is good enough.
    pub(super) endless: bool,
}

/// The value of a state for sure play: whether the player surely reaches the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sure {
    player: Player,
    holds: bool,
}

impl Worth for Sure {
    fn either(&self, other: &Self, player: Player) -> Self {
        let holds = if player == self.player {
            self.holds || other.holds
        } else {
            self.holds && other.holds
        };
        Self { holds, ..*self }
    }

    fn mean(&self, other: &Self) -> Self {
        Self {
            holds: self.holds && other.holds,
            ..*self
        }
    }
}

/// Finds for each of these positions and all purses a bid with which the player surely leaves them
/// for a state where `outside` holds, or stays for ever if that is good enough; `None` where there
/// is none. The player has to make these bids at all states.
///
/// # Errors
/// If the work is stopped.
pub(super) fn region(
    work: AllPayWork<'_>,
    budgets: &Budgets,
    members: &[NodeId],
    goal: SureGoal,
    outside: impl Fn(NodeId, usize) -> bool,
) -> Result<Vec<Vec<Option<usize>>>, Stop> {
    let len = budgets.len();
    let sure = |holds| Sure {
        player: goal.player,
        holds,
    };
    let mut rows: Vec<Option<Vec<Sure>>> = vec![None; work.graph.len()];
    for &member in members {
        for &head in work.graph.all_successors(member).collect::<Vec<_>>().iter() {
            rows[head.index()] = Some((0..len).map(|index| sure(outside(head, index))).collect());
        }
    }
    members
        .iter()
        // Members are set last, because they may be successors of each other. The greatest set is
        // found from above, the least one from below.
        .for_each(|member| rows[member.index()] = Some(vec![sure(goal.endless); len]));
    let mut bids: Vec<Vec<Option<usize>>> = vec![vec![None; len]; members.len()];
    let mut changed = true;
    while changed {
        changed = false;
        // All positions are judged by the sets of the round before, so that the bids do not depend
        // on the order of the positions.
        let mut next = Vec::with_capacity(members.len());
        for (&member, known) in members.iter().zip(&mut bids) {
            let row = |head: NodeId| {
                rows[head.index()]
                    .as_deref()
                    .expect("every successor has a row")
            };
            let onward =
                OnwardValues::new(work.graph, work.rules, budgets, member, row, work.context)?;
            let mut found = Vec::with_capacity(len);
            for (index, known) in known.iter_mut().enumerate() {
                work.context.check()?;
                let purses = budgets.purses(index);
                let matrix = Matrix::new(work.rules, budgets, &onward, &purses, work.context)?;
                let bid = single_bid(&matrix, goal.player);
                found.push(sure(bid.is_some()));
                // A bid that leaves the positions is best when it is found first, because it then
                // leaves soonest. A bid that stays has to be good for the set that is left.
                if goal.endless || known.is_none() {
                    *known = bid;
                }
            }
            changed |= row(member) != found;
            next.push(found);
        }
        for (member, found) in members.iter().zip(next) {
            rows[member.index()] = Some(found);
        }
    }
    Ok(bids)
}

/// Returns the lowest of a player's bids that is good against every bid of the opponent.
fn single_bid(matrix: &Matrix<Sure>, player: Player) -> Option<usize> {
    let others = matrix.bids(player.other());
    let at = |own: usize, other: usize| match player {
        Player::Alice => matrix.at(own, other).holds,
        Player::Bob => matrix.at(other, own).holds,
    };
    match matrix.diagonals() {
        // A bid is good if all differences that it can lead to are good: as many consecutive ones
        // as the opponent has bids.
        Some(differences) => match player {
            Player::Alice => first_run(differences.iter(), others),
            Player::Bob => first_run(differences.iter().rev(), others),
        },
        None => (0..matrix.bids(player)).find(|&own| (0..others).all(|other| at(own, other))),
    }
}

/// Returns the start of the first run of `length` good outcomes.
fn first_run<'a>(outcomes: impl Iterator<Item = &'a Sure>, length: usize) -> Option<usize> {
    let mut run = 0;
    for (place, outcome) in outcomes.enumerate() {
        run = if outcome.holds { run + 1 } else { 0 };
        if run == length {
            return Some(place + 1 - length);
        }
    }
    None
}
