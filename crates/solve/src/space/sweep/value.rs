//! The values of positions as bytes, independent of the type of their numbers.

use super::block::ValueBlock;
use super::cells::Slot;
use super::endings;
use super::shape::SweepShape;
use crate::game::ruleset::Indexed;
use crate::player::Ending;

/// The value of a position.
#[derive(Debug, Clone, Copy)]
pub enum Value<'v> {
    /// The bytes of the value.
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
        row.map(|row| Self::in_row(row, place.content, shape.bytes))
            .or_else(|| endings::ending_of(indexed, digits).map(Self::Ended))
    }

    /// Returns the value of `size` bytes at a content of a stored row.
    #[inline(always)]
    pub fn in_row(row: &'v [u8], content: usize, size: usize) -> Self {
        Self::Stored(&row[content * size..][..size])
    }

    /// Returns the number, given the number of each ending.
    #[inline(always)]
    pub fn number<N: Slot>(self, ended: &[N; 3]) -> N {
        match self {
            Self::Stored(value) => bytemuck::pod_read_unaligned(value),
            Self::Ended(ending) => ended[endings::number(ending)],
        }
    }
}
