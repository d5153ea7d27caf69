//! The walk through the rows of a block.
//!
//! From one row to the next the last digits change most, as in counting. So the data that follows
//! from the digits is kept for each number of leading digits, and only the part for the digits that
//! changed is recomputed: a little more than one digit, on average. Rows that are not stored are
//! skipped.

use super::shape::SweepShape;
use crate::game::ruleset::Indexed;

/// The number of tables that are processed together; missing ones are treated as tables with
/// strides of 0.
const TOGETHER: usize = 4;

/// The terms of the keys by which the tables of conditions are read. A key is a sum of one term for
/// each digit, which depends on its content; the terms for all tables are stored side by side.
pub struct Strides {
    /// The number of groups of [`TOGETHER`] tables.
    width: usize,
    /// The strides by digit and content.
    of: Vec<Vec<[u32; TOGETHER]>>,
}

impl Strides {
    pub fn new(indexed: &Indexed) -> Self {
        let width = indexed.tables.len().div_ceil(TOGETHER);
        let stride = |table: usize, digit: usize, content: usize| {
            indexed
                .tables
                .get(table)
                // Groups are filled up with strides of 0, so that the loop over a group has a fixed
                // length.
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

/// The current row of a walk: its digits, and their keys in the tables of conditions.
pub struct RowWalk<'s> {
    strides: &'s Strides,
    /// The digits outside the row.
    pub digits: Vec<usize>,
    /// The number of the row in its block.
    pub row: usize,
    /// The keys in each table, for each number of leading digits.
    keys: Vec<[u32; TOGETHER]>,
}

impl<'s> RowWalk<'s> {
    /// Starts at the first row of a block.
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

    /// Goes to a row of the block. Returns the first digit that has changed, or the number of
    /// digits if none has.
    #[inline(always)]
    pub fn go_to(&mut self, shape: &SweepShape, row: usize) -> usize {
        let first = self.change(shape, row);
        self.row = row;
        (first..self.digits.len()).for_each(|digit| self.follow(digit));
        first
    }

    /// Changes the digits to those of a row. Returns the first digit that has changed.
    #[inline(always)]
    fn change(&mut self, shape: &SweepShape, row: usize) -> usize {
        let (mut first, mut on) = (self.digits.len(), row.wrapping_sub(self.row));
        // Digits can only be added to, so that going back starts again at the first row.
        if row < self.row {
            self.digits[shape.prefix()..].fill(0);
            (first, on) = (shape.prefix(), row);
        }
        // The digits are added as in written addition, from the last one on, since most often only
        // the last one changes.
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

    /// Returns the key of the digits in each table.
    #[inline(always)]
    pub fn keys(&self) -> &[u32] {
        self.keys_after(self.digits.len())
    }

    /// Returns the key of the first `count` digits in each table.
    #[inline(always)]
    pub fn keys_after(&self, count: usize) -> &[u32] {
        let width = self.strides.width;
        self.keys[count * width..][..width].as_flattened()
    }

    /// Computes the keys of the digits up to `digit`; those of the digits before it must be known.
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
