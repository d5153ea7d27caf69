//! Thresholds against a budget in games with cycles where the bank keeps nothing, so that the total
//! never changes.
//!
//! Thresholds of totals are known ([`Thresholds`]). Against b the search is for the least a with
//! which Alice wins of the total a + b, for many budgets at once.

use super::totals::Finite;
use super::turn::BudgetTurn;
use super::{Holder, NEVER};
use crate::chips::Thresholds;
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::player::Player;
use crate::rules::{Payment, Purses, Rules};
use crate::watch::Context;

/// The number of budgets that are searched at once.
const BUDGETS: usize = 1 << 12;

/// Finds the thresholds of a vertex against each budget, for each holder of the tie status.
pub(super) fn against(
    turn: &BudgetTurn<'_>,
    finite: &Finite,
    node: NodeId,
    budgets: &[u64],
    holders: &[Holder],
    context: &Context<'_>,
) -> Result<Vec<(Holder, Vec<u64>)>> {
    let row = |holder: &Holder| -> Result<(Holder, Vec<u64>)> {
        let asked: Vec<u64> = budgets
            .iter()
            .copied()
            .filter(|budget| finite.is_one(node, *budget, *holder))
            .collect();
        let mut found = Vec::with_capacity(asked.len());
        for (done, budgets) in (0_u64..).zip(asked.chunks(BUDGETS)) {
            context.report("solving", done * BUDGETS as u64, Some(asked.len() as u64));
            found.extend(search(turn, node, *holder, budgets, context)?);
        }
        let mut found = found.into_iter();
        let least = |budget: &u64| match finite.is_one(node, *budget, *holder) {
            true => found.next().expect("it was asked for"),
            false => NEVER,
        };
        Ok((*holder, budgets.iter().map(least).collect()))
    };
    holders.iter().map(row).collect()
}

/// Bounds of a threshold.
struct Between {
    budget: u64,
    /// A lower bound: fewer chips are not enough.
    low: u64,
    /// A number that is enough.
    high: Option<u64>,
}

impl Between {
    /// Returns the number to try next, unless the threshold is known.
    fn probe(&self) -> Option<u64> {
        match self.high {
            Some(high) => (self.low < high).then(|| u64::midpoint(self.low, high)),
            None => Some((2 * self.low).max(self.budget + 1)),
        }
    }
}

/// Finds the least chips against each budget, where some number is enough.
fn search(
    turn: &BudgetTurn<'_>,
    node: NodeId,
    status: Holder,
    budgets: &[u64],
    context: &Context<'_>,
) -> Result<Vec<u64>> {
    let mut all: Vec<Between> = budgets
        .iter()
        .map(|&budget| Between {
            budget,
            low: 0,
            high: None,
        })
        .collect();
    let rules = Rules {
        // If the bank keeps nothing, the loser gets the whole bid, which is Richman bidding.
        pay: Payment::Richman,
        ..turn.rules.clone()
    };
    loop {
        let probes: Vec<(usize, u64)> = all
            .iter()
            .enumerate()
            .filter_map(|(place, between)| Some((place, between.probe()?)))
            .collect();
        if probes.is_empty() {
            return Ok(all.into_iter().map(|between| between.low).collect());
        }
        let totals: Vec<u64> = probes
            .iter()
            .map(|(place, chips)| chips + all[*place].budget)
            .collect();
        // All budgets are probed at once, because totals are solved side by side in one pass.
        let solved = Thresholds::solve(turn.graph, &rules, Player::Alice, &totals, context)?;
        for (lane, (place, chips)) in probes.into_iter().enumerate() {
            let between = &mut all[place];
            let purses = Purses::new(chips, between.budget, status);
            if solved.is_forced(node, &purses, lane) {
                between.high = Some(chips);
            } else {
                between.low = chips + 1;
            }
        }
    }
}
