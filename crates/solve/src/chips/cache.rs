//! Thresholds of whole rulesets that are kept from question to question.

use std::cell::RefCell;

use super::pass::Goal;
use super::swept::{Lane, RawLanes};
use crate::positions::Numbered;
use crate::space::sweep::Swept;

/// The sweeps through one ruleset that have been made so far and whose values are in memory.
#[derive(Debug, Default)]
pub struct ThresholdCache {
    sweeps: RefCell<Vec<CacheEntry>>,
}

#[derive(Debug)]
struct CacheEntry {
    goal: Goal,
    lanes: Vec<Lane>,
    values: Swept<RawLanes>,
}

impl ThresholdCache {
    /// Returns the size of the values in bytes.
    pub fn bytes(&self) -> u64 {
        self.sweeps
            .borrow()
            .iter()
            .map(|entry| entry.values.bytes())
            .sum()
    }

    /// Returns the thresholds of these positions in a lane, if all of them are known.
    pub(super) fn column(
        &self,
        positions: Numbered<'_>,
        goal: Goal,
        lane: Lane,
    ) -> Option<Vec<[u64; 2]>> {
        let sweeps = self.sweeps.borrow();
        sweeps
            .iter()
            .filter(|entry| entry.goal == goal)
            .find_map(|entry| {
                // One sweep computes several totals side by side.
                let place = entry.lanes.iter().position(|known| *known == lane)?;
                positions
                    .states
                    .iter()
                    .map(|state| Some(entry.values.value(positions.indexed, state)?[place]))
                    .collect()
            })
    }

    /// Removes all sweeps if there is no room for `bytes` more bytes, because a sweep is planned as
    /// if there were nothing else in memory.
    pub(super) fn make_room(&self, bytes: u64, room: u64) {
        if self.bytes().saturating_add(bytes) > room {
            self.sweeps.borrow_mut().clear();
        }
    }

    /// Stores the values of a sweep.
    pub(super) fn add(&self, goal: Goal, lanes: &[Lane], values: Swept<RawLanes>) {
        self.sweeps.borrow_mut().push(CacheEntry {
            goal,
            lanes: lanes.to_vec(),
            values,
        });
    }
}
