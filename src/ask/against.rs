//! Finds the least number of chips with which Alice wins against a budget of Bob's, from thresholds
//! for totals.
//!
//! If the winner of a bid pays the loser, chips stay in play: with a chips against Bob's b, Alice
//! wins if and only if a is at least her threshold for the total a + b. Having more chips never
//! hurts her, so the least a can be found by a search, for many totals at once.

use std::rc::Rc;

use num_rational::BigRational;
use num_traits::One;

use super::plan::share_for;
use super::{About, Answer, Ask, Question, Solved};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::rules::{Rules, Solver};
use crate::solve::budgets::NEVER;
use crate::solve::chips::Thresholds;
use crate::solve::richman::taxman::Share;

/// The number of chip counts tried at a time for each budget: evenly spaced between two bounds, and
/// doubled while there is only a lower bound.
const AT_ONCE: u64 = 8;
const DOUBLED: u32 = 6;

/// The least chips against each budget, for one holder of the tie status, if there is one.
pub type LeastChipsRow = (Option<Player>, Vec<u64>);

/// The search for the least chips against a budget.
struct LeastChipsSearch {
    budget: u64,
    holder: Option<Player>,
    /// The lower bound: fewer chips do not suffice.
    least: u64,
    /// The upper bound: this many chips suffice, if such a number is known.
    most: Option<u64>,
}

impl LeastChipsSearch {
    /// Returns the numbers of chips to try next; none if the search is over.
    fn tries(&self) -> Vec<u64> {
        match self.most {
            None => (0..DOUBLED)
                // One is added before doubling, because a bound of 0 would never grow.
                .map(|n| (self.least + 1).saturating_mul(1 << n) - 1)
                .collect(),
            Some(most) => {
                // With at most nine numbers left to try the step is 1, and the next round decides
                // the search.
                let step = (most - self.least).div_ceil(AT_ONCE + 1).max(1);
                (self.least..most)
                    .step_by(usize::try_from(step).unwrap_or(usize::MAX))
                    .collect()
            }
        }
    }

    /// Records whether a number of chips suffices.
    fn learn(&mut self, chips: u64, suffices: bool) {
        if suffices {
            self.most = Some(self.most.map_or(chips, |most| most.min(chips)));
        } else {
            self.least = self.least.max(chips + 1);
        }
    }
}

impl Ask<'_> {
    /// Computes the least chips with which Alice wins a game against each budget, for each holder
    /// of the tie status; [`NEVER`] if no number suffices.
    pub(super) fn by_many_totals(&mut self, question: &Question) -> Result<Answer> {
        let About::Against(budgets) = &question.about else {
            unreachable!("no other question is about budgets of Bob's")
        };
        let rules = &Rules {
            // Each question about totals chooses its own method.
            solver: Solver::Auto,
            ..question.rules.clone()
        };
        let usual = share_for(question);
        let share: Share = self.about(usual.game, usual.about, &usual.rules)?;
        let holders = rules.ties.holders();
        // If Alice needs all of the money, no number of chips suffices, and doubling would never
        // end.
        if share.value().is_some_and(BigRational::is_one) {
            let never = |holder| (holder, vec![NEVER; budgets.len()]);
            return Ok(Answer::Rows(holders.iter().copied().map(never).collect()));
        }
        let search = |holder: Option<Player>| {
            budgets.iter().map(move |budget| LeastChipsSearch {
                budget: *budget,
                holder,
                least: 0,
                most: None,
            })
        };
        let mut searches: Vec<LeastChipsSearch> =
            holders.iter().flat_map(|holder| search(*holder)).collect();
        loop {
            let tried: Vec<Vec<u64>> = searches.iter().map(LeastChipsSearch::tries).collect();
            let totals = searches.iter().zip(&tried);
            let totals = totals.flat_map(|(search, tried)| {
                tried
                    .iter()
                    .map(|chips| chips.saturating_add(search.budget))
            });
            let mut totals: Vec<u64> = totals.collect();
            // Several searches may try the same total, which is then solved once.
            totals.sort_unstable();
            totals.dedup();
            // No search has a number left to try, so that each has found its least one.
            if totals.is_empty() {
                break;
            }
            let about = About::Thresholds(totals[..].into());
            let found: Solved<Rc<Thresholds>> = self.about(question.game, about, rules)?;
            for (search, tried) in searches.iter_mut().zip(tried) {
                for chips in tried {
                    let lane = totals
                        .partition_point(|total| *total < chips.saturating_add(search.budget));
                    // Without a tie status the thresholds of both holders are equal.
                    let holder = search.holder.unwrap_or(Player::Alice);
                    let needed = found.solution.forces(found.node, holder, lane);
                    search.learn(chips, needed <= chips);
                }
            }
        }
        let found = searches.chunks(budgets.len()).map(|row| {
            let chips = row
                .iter()
                .map(|search| search.most.unwrap_or(NEVER))
                .collect();
            (row[0].holder, chips)
        });
        Ok(Answer::Rows(found.collect()))
    }
}
