//! Thresholds of whole rulesets that are kept from question to question.

use std::cell::RefCell;
use std::fmt;

use super::pass::Goal;
use super::quantity::ThresholdInteger;
use super::swept::{Lane, Lanes};
use crate::game::ruleset::{Indexed, State};
use crate::positions::Numbered;
use crate::space::sweep::{Cells, Swept};

/// The sweeps through one ruleset that have been made so far and whose values are in memory.
#[derive(Debug, Default)]
pub struct ThresholdCache {
    sweeps: RefCell<Vec<CacheEntry>>,
}

#[derive(Debug)]
struct CacheEntry {
    goal: Goal,
    lanes: Vec<Lane>,
    values: Box<dyn CachedValues>,
}

/// The values of a sweep, for any width of its numbers.
pub(super) trait CachedValues: fmt::Debug {
    /// Returns the thresholds of a position in a lane, if they were kept.
    fn raw(&self, indexed: &Indexed, state: &State, lane: usize) -> Option<[u64; 2]>;

    fn bytes(&self) -> u64;
}

impl<
    C: Cells<Number = Lanes<T, N, S>>,
    T: ThresholdInteger + 'static,
    const N: usize,
    const S: usize,
> CachedValues for Swept<C>
{
    fn raw(&self, indexed: &Indexed, state: &State, lane: usize) -> Option<[u64; 2]> {
        self.value(indexed, state).map(|value| value.raw(lane))
    }

    fn bytes(&self) -> u64 {
        Self::bytes(self)
    }
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
                let place = entry.lanes.iter().position(|known| *known == lane)?;
                positions
                    .states
                    .iter()
                    .map(|state| entry.values.raw(positions.indexed, state, place))
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
    pub(super) fn add(&self, goal: Goal, lanes: &[Lane], swept: impl CachedValues + 'static) {
        self.sweeps.borrow_mut().push(CacheEntry {
            goal,
            lanes: lanes.to_vec(),
            values: Box::new(swept),
        });
    }
}
