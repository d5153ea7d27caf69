//! Going through the rows of a block.
//!
//! From one row to the next the last digits change most, as in counting. So what follows from the
//! digits is kept for each number of leading digits, and only what follows from the digits that
//! changed is worked out again: one digit out of one and a bit, on average. Rows that are not
//! stored are passed over.

use super::shape::SweepShape;
use crate::game::ruleset::Indexed;

/// So many tables are gone through together; where there are fewer, the rest are taken to be tables
/// of no strides.
const TOGETHER: usize = 4;

/// What contents add to the places in the tables of conditions, side by side for all tables.
pub struct Strides {
    /// How many stand side by side, by [`TOGETHER`].
    width: usize,
    /// By digit and content.
    of: Vec<Vec<[u32; TOGETHER]>>,
}

impl Strides {
    pub fn new(indexed: &Indexed) -> Self {
        let width = indexed.tables.len().div_ceil(TOGETHER);
        let stride = |table: usize, digit: usize, content: usize| {
            indexed
                .tables
                .get(table)
                .map_or(0, |table| table.strides[digit][content])
        };
        let together = |digit, content, first| {
            std::array::from_fn(|table| stride(first + table, digit, content))
        };
        let of = |digit| {
            let contents = 0..indexed.numbering.radix(digit);
            contents
                .flat_map(|content| {
                    (0..width).map(move |group| together(digit, content, group * TOGETHER))
                })
                .collect()
        };
        Self {
            width,
            of: (0..indexed.numbering.digits.len()).map(of).collect(),
        }
    }

    fn digits(&self) -> usize {
        self.of.len()
    }
}

/// A row in the middle of the work: its digits, and where they lead in the tables of conditions.
pub struct RowWalk<'s> {
    strides: &'s Strides,
    /// The digits outside the row.
    pub digits: Vec<usize>,
    /// The number of the row in its block.
    pub row: usize,
    /// For each number of digits: where in each table they lead.
    keys: Vec<[u32; TOGETHER]>,
}

impl<'s> RowWalk<'s> {
    /// The first row of a block.
    pub fn new(strides: &'s Strides, shape: &SweepShape, block: usize) -> Self {
        let mut digits = shape.block_digits(block);
        digits.resize(strides.digits(), 0);
        let keys = vec![[0; TOGETHER]; strides.width * (strides.digits() + 1)];
        let mut walk = Self {
            strides,
            digits,
            row: 0,
            keys,
        };
        (0..strides.digits()).for_each(|digit| walk.follow(digit));
        walk
    }

    /// Goes to a row of the block; the first digit that has changed, the number of digits if none
    /// has.
    #[inline(always)]
    pub fn go_to(&mut self, shape: &SweepShape, row: usize) -> usize {
        let first = self.change(shape, row);
        self.row = row;
        (first..self.digits.len()).for_each(|digit| self.follow(digit));
        first
    }

    /// Changes the digits to those of a row.
    #[inline(always)]
    fn change(&mut self, shape: &SweepShape, row: usize) -> usize {
        let (mut first, mut on) = (self.digits.len(), row.wrapping_sub(self.row));
        if row < self.row {
            self.digits[shape.prefix()..].fill(0);
            (first, on) = (shape.prefix(), row);
        }
        // As one adds by hand, from the last digit on: most often it is the only one.
        for (digit, content) in self
            .digits
            .iter_mut()
            .enumerate()
            .skip(shape.prefix())
            .rev()
        {
            if on == 0 {
                break;
            }
            let radix = shape.radix(digit);
            (*content, on) = match *content + on {
                content if content < radix => (content, 0),
                content => (content % radix, content / radix),
            };
            first = first.min(digit);
        }
        first
    }

    /// Where the digits lead in each table.
    #[inline(always)]
    pub fn keys(&self) -> &[u32] {
        self.keys_after(self.digits.len())
    }

    /// Where the first so many digits lead in each table.
    #[inline(always)]
    pub fn keys_after(&self, count: usize) -> &[u32] {
        let width = self.strides.width;
        self.keys[count * width..][..width].as_flattened()
    }

    /// Works out where the digits up to one lead, those before it being known.
    #[inline(always)]
    fn follow(&mut self, digit: usize) {
        let width = self.strides.width;
        let strides = &self.strides.of[digit][self.digits[digit] * width..][..width];
        let (before, after) = self.keys[digit * width..].split_at_mut(width);
        for ((after, before), strides) in after.iter_mut().zip(before).zip(strides) {
            *after = std::array::from_fn(|table| before[table] + strides[table]);
        }
    }
}
