//! The values asked about: they are read as soon as their blocks have been worked out, which can
//! then be let go.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use super::Slot;
use super::block::ValueBlock;
use super::cells::Cells;
use super::pages::Paging;
use super::shape::{SweepShape, ValuePlace};
use crate::game::ruleset::{Numbering, State};

/// The values of some positions, as far as these have been worked out. Positions whose rows have
/// ended have none.
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
    /// None yet, for these positions.
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

    /// Reads those of a block that has been worked out.
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

    /// The value at a place that was asked about.
    pub fn get(&self, place: &ValuePlace) -> Option<N> {
        self.values.get(place).copied()
    }

    /// All of them, in the order of their places; those that are not known yet are blank.
    pub fn values(&self) -> Vec<N> {
        self.values.values().copied().collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The same again from [`values`](Self::values).
    pub fn set(&mut self, values: Vec<N>) {
        self.values
            .values_mut()
            .zip(values)
            .for_each(|(value, known)| *value = known);
    }

    /// What tells the places from others.
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
