//! Going through the rows of a block.
//!
//! From one row to the next the last digits change most, as in counting. So what follows from the digits is kept for each number of leading
//! digits, and only what follows from the digits that changed is worked out again: one digit out of one and a bit, on average.

use super::shape::Shape;
use crate::game::ruleset::Indexed;

/// A row in the middle of the work: its digits, and where they lead in the tables of conditions.
pub struct Walk {
    /// The digits outside the row.
    pub digits: Vec<usize>,
    /// The number of the row in its block.
    pub row: usize,
    /// The first digit that has changed since it was worked out where the digits lead.
    changed: usize,
    /// For each number of digits: where in each table they lead.
    keys: Vec<u32>,
    tables: usize,
}

impl Walk {
    /// The first row of a block.
    pub fn new(indexed: &Indexed, shape: &Shape, block: usize) -> Self {
        let count = indexed.numbering.digits.len();
        let mut digits = shape.block_digits(block);
        digits.resize(count, 0);
        let tables = indexed.tables.len();
        let mut walk = Self { digits, row: 0, changed: shape.prefix(), keys: vec![0; tables * (count + 1)], tables };
        (0..shape.prefix()).for_each(|digit| walk.follow(indexed, digit));
        walk
    }

    /// Goes to a row of the block.
    pub fn go_to(&mut self, indexed: &Indexed, shape: &Shape, row: usize) {
        for digit in shape.prefix()..self.digits.len() {
            self.digits[digit] = row / shape.span(digit) % shape.radix(digit);
            self.follow(indexed, digit);
        }
        self.row = row;
    }

    /// Where the digits lead in each table.
    #[inline(always)]
    pub fn keys(&self) -> &[u32] {
        &self.keys[self.keys.len() - self.tables..]
    }

    /// Where the digits up to one lead in each table.
    #[inline(always)]
    pub fn keys_after(&self, digit: usize) -> &[u32] {
        &self.keys[(digit + 1) * self.tables..(digit + 2) * self.tables]
    }

    /// Works out where the digits up to one lead, those before it being known.
    #[inline(always)]
    fn follow(&mut self, indexed: &Indexed, digit: usize) {
        let content = self.digits[digit];
        let (before, after) = self.keys[digit * self.tables..].split_at_mut(self.tables);
        for ((after, before), table) in after.iter_mut().zip(before).zip(&indexed.tables) {
            *after = *before + table.strides[digit][content];
        }
    }

    /// Goes on to the next row that differs in the first so many digits; whether the block has one. Where its digits lead is worked out by
    /// [`Self::arrive`].
    #[inline(always)]
    pub fn advance(&mut self, shape: &Shape, count: usize) -> bool {
        let mut digit = count;
        self.digits[count..].fill(0);
        self.row -= self.row % shape.span_before(count);
        loop {
            if digit <= shape.prefix() {
                return false;
            }
            digit -= 1;
            self.digits[digit] += 1;
            self.row += shape.span(digit);
            if self.digits[digit] < shape.radix(digit) {
                break;
            }
            self.row -= self.digits[digit] * shape.span(digit);
            self.digits[digit] = 0;
        }
        self.changed = self.changed.min(digit);
        true
    }

    /// Works out where the digits lead that have changed: the first of them.
    #[inline(always)]
    pub fn arrive(&mut self, indexed: &Indexed) -> usize {
        let first = std::mem::replace(&mut self.changed, self.digits.len());
        (first..self.digits.len()).for_each(|digit| self.follow(indexed, digit));
        first
    }
}
