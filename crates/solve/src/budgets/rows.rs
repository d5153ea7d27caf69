//! Thresholds of a game without cycles: vertex by vertex, successors first, against all budgets up
//! to a greatest one at a time.
//!
//! Where the loser of a bid gets a part of it Bob's budget may grow by an amount that is not known
//! beforehand. But the chips of both together never grow. So let S be a number of chips, and write
//! "never" for a threshold T against b if T + b > S. The remaining thresholds are the same, and
//! follow from each other as before:
//!
//! - If Alice wins with a bid of x, and Bob's budget grows from b to b + r ≤ b + x, she needs x +
//!   T', where T' is the threshold of the successor. Then x + T' + b ≥ T' + (b + r), so if T' is
//!   above S together with Bob's new budget, then x + T' is above S together with b;
//! - if Bob wins with a bid of y, of which Alice gets r ≤ y, then T'' − r satisfies (T'' − r) + b ≥
//!   T'' + (b − y), with the same consequence.
//!
//! As T does not decrease with b, a row ends at the first budget against which T is above S.
//!
//! # Sufficient size of S
//! If Alice wins when she wins every bid ([`bought`]) then some number of chips is enough, and it
//! is found with a greater S. If she does not, then none is, unless the winner of a bid must move
//! and she needs Bob to win bids. In that case the number of chips with which she can outbid Bob
//! until the end is enough, or none is: a bid that needs anything needs at most b + 1 chips, and
//! after it there is one move less.

use std::convert::Infallible;

use super::turn::{BudgetTurn, LeastBid, after_bid, bought};
use super::{Holder, NEVER, by_holder, place};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::parallel;
use crate::player::{PerPlayer, Player};
use crate::rules::Winner;
use crate::watch::{Context, Stop, watched};

/// The number of consecutive budgets that one thread computes.
const PIECE: u64 = 256;

/// The least S that is tried.
const TOGETHER: u64 = 64;

/// Finds the thresholds of a vertex against these budgets, for each holder of the tie status.
///
/// # Errors
/// If there is too little memory, or the work is stopped.
pub(super) fn against(
    turn: &BudgetTurn<'_>,
    node: NodeId,
    budgets: &[u64],
    holders: &[Holder],
    context: &Context<'_>,
) -> Result<Vec<(Holder, Vec<u64>)>> {
    let most = budgets.iter().copied().max().unwrap_or(0);
    let all = match (bought(turn)[node.index()], turn.rules.winner) {
        (true, _) => u64::MAX,
        // No number of chips is enough, so that every row is empty.
        (false, Winner::Chooses) => 0,
        (false, Winner::Moves) => outbidding(turn, longest(turn)[node.index()], most),
    };
    // A small S is tried first, because the work grows with S and thresholds may be low.
    let mut together = TOGETHER.max(most / 16).min(all);
    loop {
        let rows = ThresholdRows::solve(turn, holders, together, context)?;
        let reached = holders
            .iter()
            .map(|holder| rows.len(node, *holder))
            .min()
            .unwrap_or(u64::MAX);
        // Once S is sufficient, a missing threshold means that no number of chips is enough.
        if reached > most || together == all {
            return Ok(by_holder(holders, budgets, |budget, holder| {
                rows.get(node, budget, holder)
            }));
        }
        together = enough(together, reached, most).min(all);
    }
}

/// Returns the number of moves of the longest play from each vertex.
fn longest(turn: &BudgetTurn<'_>) -> Vec<u32> {
    let mut moves = vec![0; turn.graph.len()];
    for &node in turn.graph.components().order() {
        let after = turn
            .graph
            .all_successors(node)
            .map(|head| moves[head.index()] + 1);
        moves[node.index()] = after.max().unwrap_or(0);
    }
    moves
}

/// Returns the chips of both players together if Alice can outbid Bob `times` times, where Bob's
/// budget grows by the part that he gets of her bids.
fn outbidding(turn: &BudgetTurn<'_>, times: u32, budget: u64) -> u64 {
    let (mut alice, mut bob) = (0_u64, budget);
    for _ in 0..times {
        let bid = bob.saturating_add(1);
        alice = alice.saturating_add(bid);
        bob = bob.saturating_add(turn.returned(bid));
    }
    alice.saturating_add(budget)
}

/// Returns the next S to try, where `together` has reached `reached` budgets of those up to `most`.
/// Thresholds eventually grow in proportion to budgets.
fn enough(together: u64, reached: u64, most: u64) -> u64 {
    let scaled = u128::from(together) * u128::from(most + 2) / u128::from(reached.max(1));
    let scaled = u64::try_from(scaled + scaled / 16).unwrap_or(u64::MAX);
    // S grows at least a little and not too fast, whatever the estimate says.
    scaled.clamp(
        together.saturating_add(together / 8),
        together.saturating_mul(8),
    )
}

/// The thresholds that are not above S together with Bob's budget.
struct ThresholdRows<'a> {
    turn: &'a BudgetTurn<'a>,
    /// The number S.
    together: u64,
    /// The thresholds against 0, 1, 2, … up to the first that is "never", by vertex and holder.
    known: Vec<Vec<u64>>,
    context: &'a Context<'a>,
}

/// The chips needed after a bid has been won, by its winner and the holder after it, against 0, 1,
/// 2, … up to the first "never".
type RowsAfterBid = PerPlayer<Vec<Vec<u64>>>;

impl<'a> ThresholdRows<'a> {
    fn solve(
        turn: &'a BudgetTurn<'a>,
        holders: &[Holder],
        together: u64,
        context: &'a Context<'a>,
    ) -> Result<Self> {
        let known = vec![Vec::new(); 2 * turn.graph.len()];
        let mut rows = Self {
            turn,
            together,
            known,
            context,
        };
        let mut cells = 0;
        for &node in turn
            .graph
            .components()
            .order()
            .iter()
            .filter(|node| turn.graph.ending(**node).is_none())
        {
            // The memory is for a row for each holder, and the chips needed after a bid of either
            // player's.
            let room = 3 * holders.len() as u64;
            let limit = context.limits.max_memory;
            if (room.saturating_mul(together))
                .saturating_add(cells)
                .saturating_mul(size_of::<u64>() as u64)
                > limit
            {
                return Err(Stop::Memory(limit).into());
            }
            let after = rows.after(node, holders)?;
            for (index, &holder) in holders.iter().enumerate() {
                let row = match turn.graph.owner(node) {
                    Some(owner) => rows.without_bid(&after[owner][index]),
                    None => rows.row(holder, &after)?,
                };
                cells += row.len() as u64;
                rows.known[place(node, holder)] = row;
            }
            context.report("solving", cells, None);
        }
        Ok(rows)
    }

    /// Returns the number of budgets of a vertex's row.
    fn len(&self, node: NodeId, holder: Holder) -> u64 {
        match self.turn.graph.ending(node) {
            Some(_) => u64::MAX,
            None => self.known[place(node, holder)].len() as u64,
        }
    }

    fn get(&self, node: NodeId, budget: u64, holder: Holder) -> u64 {
        match self.turn.graph.ending(node) {
            Some(ending) => self.turn.ended(ending),
            None => up_to(&self.known[place(node, holder)], budget),
        }
    }

    /// Returns the row of a vertex with an owner, where nothing is paid: the part of `needed` that
    /// is not above S together with Bob's budget.
    fn without_bid(&self, needed: &[u64]) -> Vec<u64> {
        let within = |(budget, chips): &(u64, &u64)| **chips <= self.together - budget;
        let row = (0..).zip(needed).take_while(within);
        row.map(|(_, chips)| *chips).collect()
    }

    /// Computes the chips needed after a bid has been won at a vertex.
    fn after(&self, node: NodeId, holders: &[Holder]) -> std::result::Result<RowsAfterBid, Stop> {
        let BudgetTurn { graph, rules, .. } = *self.turn;
        let row = |winner: Player, holder: Holder| -> std::result::Result<Vec<u64>, Stop> {
            let needed = |budget| {
                let of = |head| Ok::<_, Infallible>(self.get(head, budget, holder));
                let Ok(needed) = after_bid(graph, rules, node, winner, of);
                needed
            };
            let needed = watched(0..=self.together, self.context).map(|budget| budget.map(needed));
            needed.take_while(|needed| *needed != Ok(NEVER)).collect()
        };
        let rows = |winner| {
            holders
                .iter()
                .map(|holder| row(winner, *holder))
                .collect::<std::result::Result<_, Stop>>()
        };
        Ok(PerPlayer::new(rows(Player::Alice)?, rows(Player::Bob)?))
    }

    /// Computes the row of a vertex for one holder.
    fn row(&self, holder: Holder, after: &RowsAfterBid) -> std::result::Result<Vec<u64>, Stop> {
        let pieces = (0..=self.together).step_by(fit::<usize>(PIECE));
        let pieces = parallel::map(pieces, |first| self.piece(first, holder, after));
        let mut row = Vec::new();
        for (first, piece) in (0..).step_by(fit::<usize>(PIECE)).zip(pieces) {
            let piece = piece?;
            // A piece counts only if all pieces before it are complete: the row ends at the first
            // gap.
            if row.len() == first {
                row.extend(piece);
            }
        }
        Ok(row)
    }

    /// Computes the thresholds against consecutive budgets: the best bid against one is near that
    /// against the one before.
    fn piece(
        &self,
        first: u64,
        holder: Holder,
        after: &RowsAfterBid,
    ) -> std::result::Result<Vec<u64>, Stop> {
        self.context.check()?;
        let known = |winner: Player, left: u64, status: Holder| {
            Ok::<_, Infallible>(up_to(
                &after[winner][usize::from(status == Some(Player::Bob))],
                left,
            ))
        };
        let mut near = LeastBid { chips: 0, bid: 0 };
        let mut found = Vec::new();
        for budget in first..=self.together.min(first + PIECE - 1) {
            let Ok(best) = self.turn.threshold(budget, holder, near, known);
            // Thresholds do not decrease with the budget, so all further ones are above S as well.
            if best.chips > self.together - budget {
                break;
            }
            found.push(best.chips);
            near = best;
        }
        Ok(found)
    }
}

/// Returns a threshold of a row that ends where all further ones are "never".
fn up_to(row: &[u64], budget: u64) -> u64 {
    usize::try_from(budget)
        .ok()
        .and_then(|budget| row.get(budget))
        .copied()
        .unwrap_or(NEVER)
}
