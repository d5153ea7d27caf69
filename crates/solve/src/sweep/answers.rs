//! The values asked about. They are read as soon as their blocks have been computed, which can then
//! be released.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use super::Slot;
use super::block::ValueBlock;
use super::cells::Cells;
use super::pages::Paging;
use super::shape::{SweepShape, ValuePlace};
use crate::game::ruleset::{Numbering, State};

/// The values of some positions, as far as they have been computed. Positions whose rows have ended
/// have none.
#[derive(Debug)]
pub struct Answers<N> {
    values: BTreeMap<ValuePlace, N>,
}

impl<N> Default for Answers<N> {
    fn default() -> Self {
        Self {
            values: BTreeMap::new(),
        }
    }
}

impl<N: Slot> Answers<N> {
    /// Creates the answers for these positions, with no values yet.
    ///
    /// # Panics
    /// If one of them is not numbered.
    pub fn to(states: &[State], numbering: &Numbering, shape: &SweepShape) -> Self {
        let place = |state| shape.place(&numbering.digits_of(state).expect("a numbered position"));
        Self {
            values: states
                .iter()
                .map(|state| (place(state), N::BLANK))
                .collect(),
        }
    }

    /// Reads the answers in a block that has been computed.
    pub fn read<C: Cells<Number = N>>(
        &mut self,
        number: usize,
        block: &ValueBlock<C>,
        paging: Paging,
    ) {
        let first = |block: usize| ValuePlace {
            block,
            row: 0,
            content: 0,
        };
        for (place, value) in self.values.range_mut(first(number)..first(number + 1)) {
            *value = block
                .value(place.row, place.content, paging)
                .unwrap_or(N::BLANK);
        }
    }

    /// Returns the value at a place that was asked about.
    pub fn get(&self, place: &ValuePlace) -> Option<N> {
        self.values.get(place).copied()
    }

    /// Returns all values, in the order of their places; those that are not known yet are blank.
    pub fn values(&self) -> Vec<N> {
        self.values.values().copied().collect()
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Sets all values, as returned by [`values`](Self::values).
    pub fn set(&mut self, values: Vec<N>) {
        self.values
            .values_mut()
            .zip(values)
            .for_each(|(value, known)| *value = known);
    }

    /// Returns a digest that identifies the set of places.
    pub fn digest(&self) -> u128 {
        let mut hasher = Xxh3::new();
        for ValuePlace {
            block,
            row,
            content,
        } in self.values.keys()
        {
            [block, row, content]
                .into_iter()
                .for_each(|part| hasher.update(&(*part as u64).to_le_bytes()));
        }
        hasher.digest128()
    }
}
