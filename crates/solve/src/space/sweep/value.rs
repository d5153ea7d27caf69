//! The values of positions as bytes, independent of the type of their numbers.

use super::block::ValueBlock;
use super::cells::Cells;
use super::endings;
use super::shape::SweepShape;
use crate::game::ruleset::Indexed;
use crate::player::Ending;

/// The value of a position.
#[derive(Debug, Clone, Copy)]
pub enum Value<'v> {
    /// The value with this index among those in these array elements, which are given as bytes.
    Stored(&'v [u8], usize),
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
        row.map(|row| Self::Stored(row, place.content))
            // A row without values has ended, and its rank need not tell the ending of every
            // position.
            .or_else(|| endings::ending_of(indexed, digits).map(Self::Ended))
    }

    /// Returns the number, given the number of each ending.
    #[inline(always)]
    pub fn number<C: Cells>(self, ended: &[C::Number; 3]) -> C::Number {
        match self {
            Self::Stored(elements, content) => stored::<C>(elements, content),
            Self::Ended(ending) => ended[endings::number(ending)],
        }
    }
}

/// Returns the number with this index among those in some array elements.
#[inline(always)]
pub fn stored<C: Cells>(elements: &[u8], content: usize) -> C::Number {
    let element = &elements[content / C::CONTENTS * size_of::<C>()..];
    // Answers are copies in plain bytes, which need not be aligned.
    bytemuck::pod_read_unaligned::<C>(&element[..size_of::<C>()]).get(content % C::CONTENTS)
}
