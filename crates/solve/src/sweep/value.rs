//! Values as bytes: where they stand, whatever numbers they are.

use super::block::ValueBlock;
use super::cells::Cells;
use super::endings;
use super::shape::SweepShape;
use crate::game::ruleset::Indexed;
use crate::player::Ending;

/// The value of a position.
#[derive(Debug, Clone, Copy)]
pub enum Value<'v> {
    /// It stands among the values of these elements of an array, and has this number there.
    Stored(&'v [u8], usize),
    /// It is that of an ending.
    Ended(Ending),
}

impl<'v> Value<'v> {
    /// The value of a position, given its digits, if its block is in memory or it has ended.
    pub fn at(
        indexed: &Indexed,
        shape: &SweepShape,
        digits: &[usize],
        found: &dyn Fn(usize) -> &'v ValueBlock,
    ) -> Option<Self> {
        let place = shape.place(digits);
        let row = found(place.block).row(place.row, shape.paging);
        row.map(|row| Self::Stored(row, place.content))
            .or_else(|| endings::ending_of(indexed, digits).map(Self::Ended))
    }

    /// The number, given that of each ending.
    #[inline(always)]
    pub fn number<C: Cells>(self, ended: &[C::Number; 3]) -> C::Number {
        match self {
            Self::Stored(elements, content) => {
                let element = &elements[content / C::CONTENTS * size_of::<C>()..];
                bytemuck::pod_read_unaligned::<C>(&element[..size_of::<C>()])
                    .get(content % C::CONTENTS)
            }
            Self::Ended(ending) => ended[endings::number(ending)],
        }
    }
}
