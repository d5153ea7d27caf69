//! Turns of the positions of layers in the numbers of a theory: only this part is compiled for each
//! theory and each width of numbers.

use bytemuck::{bytes_of, pod_read_unaligned};

use super::heads::LayerHead;
use crate::diagnostic::Result;
use crate::game::ruleset::{Ruleset, State};
use crate::law::Law;
use crate::number::Number;
use crate::player::{Ending, Player};
use crate::proof::spot::Spot;
use crate::space::sweep::Slot;

/// The values at some places as bytes, as far as they are known.
pub struct LayerValues {
    /// The size of a value.
    size: usize,
    bytes: Vec<u8>,
    is_known: Vec<bool>,
}

impl LayerValues {
    /// Returns the value at a place, if it is known.
    pub fn get(&self, place: usize) -> Option<&[u8]> {
        self.is_known[place].then(|| &self.bytes[place * self.size..][..self.size])
    }

    fn number<N: Slot>(&self, place: usize) -> Option<N> {
        self.get(place).map(pod_read_unaligned)
    }

    fn set<N: Slot>(&mut self, place: usize, number: N) {
        self.bytes[place * self.size..][..self.size].copy_from_slice(bytes_of(&number));
        // Every pattern of bytes can be a value, so a mark apart says that one is known.
        self.is_known[place] = true;
    }
}

/// A theory in numbers of some type, which does not appear in this interface.
pub trait LayerLaw: Sync {
    /// Returns the [name](Law::name) of the theory.
    fn text(&self) -> String;

    /// Returns the [player for whom less is better](Law::seeker).
    fn side(&self) -> Player;

    /// Returns the size of a value in bytes.
    fn size(&self) -> usize;

    /// Returns the values of endings.
    fn begin(&self, endings: &[Option<Ending>]) -> LayerValues;

    /// Improves the best values of a side, the seeker's first, by those that its moves lead to.
    fn improve(&self, side: usize, best: &mut LayerValues, heads: &[LayerHead], values: &[u8]);

    /// Computes the values of positions, given those that have ended, from the best values for the
    /// seeker and for the opponent.
    fn turns(
        &self,
        endings: &[Option<Ending>],
        seeker: &LayerValues,
        opponent: &LayerValues,
    ) -> Vec<u8>;

    /// Checks a value as [`Spot::check`] does.
    ///
    /// # Errors
    /// If the value does not follow.
    fn check(
        &self,
        ruleset: &Ruleset,
        spot: &Spot,
        value: &[u8],
        value_of: &dyn Fn(&State) -> Option<Vec<u8>>,
    ) -> Result<()>;
}

impl<T: Law<Number: Slot>> LayerLaw for T {
    fn text(&self) -> String {
        self.name()
    }

    fn side(&self) -> Player {
        self.seeker()
    }

    fn size(&self) -> usize {
        size_of::<T::Number>()
    }

    fn begin(&self, endings: &[Option<Ending>]) -> LayerValues {
        let size = size_of::<T::Number>();
        let mut values = LayerValues {
            size,
            bytes: vec![0; size * endings.len()],
            is_known: vec![false; endings.len()],
        };
        for (place, ending) in endings.iter().enumerate() {
            if let Some(ending) = ending {
                values.set(place, self.ending(*ending));
            }
        }
        values
    }

    fn improve(&self, side: usize, best: &mut LayerValues, heads: &[LayerHead], values: &[u8]) {
        // Less is better for the seeker, more for the opponent.
        let better = [T::Number::least, T::Number::greatest][side];
        let values = values.chunks_exact(size_of::<T::Number>());
        for (head, value) in heads.iter().zip(values) {
            let (place, value) = (head.place as usize, pod_read_unaligned(value));
            let known: Option<T::Number> = best.number(place);
            best.set(place, known.map_or(value, |known| better(known, &value)));
        }
    }

    fn turns(
        &self,
        endings: &[Option<Ending>],
        seeker: &LayerValues,
        opponent: &LayerValues,
    ) -> Vec<u8> {
        let mut values = Vec::with_capacity(endings.len() * size_of::<T::Number>());
        for (place, ending) in endings.iter().enumerate() {
            let value = match ending {
                Some(ending) => self.ending(*ending),
                None => self.turn(seeker.number(place), opponent.number(place)),
            };
            values.extend_from_slice(bytes_of(&value));
        }
        values
    }

    fn check(
        &self,
        ruleset: &Ruleset,
        spot: &Spot,
        value: &[u8],
        value_of: &dyn Fn(&State) -> Option<Vec<u8>>,
    ) -> Result<()> {
        let value_of = |head: &State| value_of(head).map(|value| pod_read_unaligned(&value));
        spot.check(ruleset, self, pod_read_unaligned(value), &value_of)
    }
}
