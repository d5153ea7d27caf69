//! The values of positions as bytes, independent of the type of their numbers.

use super::block::ValueBlock;
use super::endings;
use super::shape::SweepShape;
use super::slot::Slot;
use crate::game::ruleset::Indexed;
use crate::player::Ending;

/// The value of a position.
#[derive(Debug, Clone, Copy)]
pub enum Value<'v> {
    /// The bytes of a number.
    Stored(&'v [u8]),
    /// The value of an ending.
    Ended(Ending),
}

impl<'v> Value<'v> {
    /// Returns the value of a position, given its digits; `None` if its block is not in memory,
    /// unless the position has ended. `found` returns the block with a number.
    pub fn at(
        indexed: &Indexed,
        shape: &SweepShape,
        digits: &[usize],
        found: &dyn Fn(usize) -> &'v ValueBlock,
    ) -> Option<Self> {
        let place = shape.place(digits);
        let row = found(place.block).row(place.row, shape.paging);
        row.map(|row| Self::Stored(shape.value(row, place.content)))
            // A row without values has ended, and its rank need not tell the ending of every
            // position.
            .or_else(|| endings::ending_of(indexed, digits).map(Self::Ended))
    }

    /// Returns the number, given the number of each ending.
    #[inline(always)]
    pub fn number<N: Slot>(self, ended: &[N; 3]) -> N {
        match self {
            // Answers are copies in plain bytes, which need not be aligned.
            Self::Stored(bytes) => bytemuck::pod_read_unaligned(bytes),
            Self::Ended(ending) => ended[endings::number(ending)],
        }
    }
}
