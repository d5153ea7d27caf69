//! The values of the positions asked about. They are read as soon as their blocks have been
//! computed, which can then be released.

use std::collections::BTreeSet;
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::block::ValueBlock;
use super::shape::{SweepShape, ValuePlace};
use super::value::Value;
use crate::game::ruleset::{Numbering, State};

/// The values of some positions, as far as they have been computed. Positions whose rows have ended
/// have none.
#[derive(Debug, Default)]
pub struct Answers {
    /// The places, in ascending order.
    places: Vec<ValuePlace>,
    /// The value of each place as bytes; all zeros if the value is not known.
    values: Vec<u8>,
    /// The number of bytes of a value.
    width: usize,
    /// The blocks whose answers have been read.
    read: BTreeSet<usize>,
}

impl Answers {
    /// Creates the answers for these positions, with no values yet.
    ///
    /// # Panics
    /// If one of them is not numbered.
    pub fn to(states: &[State], numbering: &Numbering, shape: &SweepShape) -> Self {
        let place = |state| shape.place(&numbering.digits_of(state).expect("a numbered position"));
        let mut places: Vec<ValuePlace> = states.iter().map(place).collect();
        // Sorted places make those of a block adjacent, and a place can be found by bisection.
        places.sort_unstable();
        places.dedup();
        let width = shape.width;
        Self {
            values: vec![0; places.len() * width],
            places,
            width,
            read: BTreeSet::new(),
        }
    }

    /// Returns the bytes of the value of a place, by their numbers.
    fn bytes_of(&self, number: usize) -> Range<usize> {
        number * self.width..(number + 1) * self.width
    }

    /// Returns the places in a block, by their numbers.
    fn places_in(&self, block: usize) -> Range<usize> {
        let first = |block: usize| self.places.partition_point(|place| place.block < block);
        first(block)..first(block + 1)
    }

    /// Returns whether answers are in a block.
    pub fn are_in(&self, block: usize) -> bool {
        !self.places_in(block).is_empty()
    }

    /// Returns the blocks with answers that have not been read.
    pub fn unread(&self) -> BTreeSet<usize> {
        let blocks = self.places.iter().map(|place| place.block);
        blocks.filter(|block| !self.read.contains(block)).collect()
    }

    /// Reads the answers in a block that has been computed.
    pub fn read(&mut self, number: usize, block: &ValueBlock, shape: &SweepShape) {
        let asked = self.places_in(number);
        if !asked.is_empty() {
            self.read.insert(number);
        }
        for asked in asked {
            let ValuePlace { row, content, .. } = self.places[asked];
            let bytes = self.bytes_of(asked);
            let value = &mut self.values[bytes];
            match block.row(row, shape.paging) {
                Some(row) => value.copy_from_slice(shape.value(row, content)),
                // The row has ended, and nobody asks for the values of ended positions.
                None => value.fill(0),
            }
        }
    }

    /// Returns the value at a place that was asked about.
    pub fn get(&self, place: &ValuePlace) -> Option<Value<'_>> {
        let number = self.places.binary_search(place).ok()?;
        Some(Value::Stored(&self.values[self.bytes_of(number)]))
    }

    /// Returns a digest that identifies the set of places.
    pub fn digest(&self) -> u128 {
        let mut hasher = Xxh3::new();
        for ValuePlace {
            block,
            row,
            content,
        } in &self.places
        {
            [block, row, content]
                .into_iter()
                .for_each(|part| hasher.update(&(*part as u64).to_le_bytes()));
        }
        hasher.digest128()
    }
}
