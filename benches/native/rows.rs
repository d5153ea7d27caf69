//! Connect Four a row at a time: what one would write by hand for this one game to be fast.
//!
//! The positions that differ in the first column only are a row, worked out as arrays in 32-bit
//! fixed point. The last column is gone through depth first: a column's contents are a binary tree,
//! so as many blocks as it has rows, and two, are in memory at one time, and are used again. Which
//! contents of the first column complete a line follows from the cells that would: they are looked
//! up in a table of masks. No symmetry is made use of.

use std::ops::{BitAnd, BitOr, Not};

use num_rational::Ratio;

use crate::connect::{Column, column, digits, four};

/// What values are: numbers from 0, where Alice has won, to the one where she has not.
trait Value: Copy + Ord + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    const NOTHING: Self;
    const ALL_BITS: Self;

    /// The value from the best that Alice can move to and the best that Bob can.
    fn settle(alice: Self, bob: Self) -> Self;
}

/// A numerator of R.
impl Value for u32 {
    const NOTHING: Self = 0;
    const ALL_BITS: Self = Self::MAX;

    fn settle(alice: Self, bob: Self) -> Self {
        (alice + bob) / 2
    }
}

/// Twice the chips that Alice needs of a total, and one more where she needs the advantage with
/// them. Who wins the bid may let the other move, so it does not matter whose move leads to which
/// value.
impl Value for u8 {
    const NOTHING: Self = 0;
    const ALL_BITS: Self = Self::MAX;

    fn settle(alice: Self, bob: Self) -> Self {
        alice.min(bob).div_ceil(2) + alice.max(bob) / 2
    }
}

/// Masks of the contents of a column, by the cells that would complete a line: all bits of a
/// content where one is taken.
struct Masks<V> {
    alice: Vec<V>,
    bob: Vec<V>,
}

/// The rows of one block, and those of the blocks that moves in the last column lead to.
struct Board<V, const ROWS: u32, const COLS: usize> {
    columns: Vec<Column>,
    masks: Masks<V>,
    /// Room for blocks.
    spare: Vec<Vec<V>>,
    /// Where Alice has not won.
    one: V,
}

/// A row: its place in the block, the pieces outside, and how far away the rows are that moves of
/// other columns lead to.
#[derive(Clone, Copy)]
struct Row<const COLS: usize> {
    index: usize,
    alice: u64,
    bob: u64,
    moves: [(usize, usize); COLS],
    room: usize,
}

impl<V: Value, const ROWS: u32, const COLS: usize> Board<V, ROWS, COLS> {
    const DIGITS: usize = digits(ROWS);
    /// A row with one number more than it has contents.
    const STRIDE: usize = Self::DIGITS + 1;
    const BLOCK: usize = Self::DIGITS.pow(COLS as u32 - 2) * Self::STRIDE;

    fn new(one: V) -> Self {
        let columns: Vec<Column> = (0..Self::DIGITS).map(|digit| column(ROWS, digit)).collect();
        let mask = |pieces: &dyn Fn(&Column) -> u64| {
            let content = |cells: u64, digit: usize| {
                let taken = columns.get(digit).map_or(0, pieces);
                let vertical = taken & taken >> 1 & taken >> 2 & taken >> 3;
                if taken & cells != 0 || vertical != 0 {
                    V::ALL_BITS
                } else {
                    V::NOTHING
                }
            };
            (0..1 << ROWS)
                .flat_map(|cells| (0..Self::STRIDE).map(move |digit| (cells, digit)))
                .map(|(cells, digit)| content(cells, digit))
                .collect()
        };
        let masks = Masks {
            alice: mask(&|column| column.alice),
            bob: mask(&|column| column.bob),
        };
        Self {
            columns,
            masks,
            spare: Vec::new(),
            one,
        }
    }

    /// The block of a content of the last column, after those that a move there leads to.
    fn block(&mut self, digit: usize) -> Vec<V> {
        let next = self.columns[digit].next;
        let after = next.map(|(alice, bob)| (self.block(digit + alice), self.block(digit + bob)));
        let mut out = self
            .spare
            .pop()
            .unwrap_or_else(|| vec![V::NOTHING; Self::BLOCK]);
        let shift = (COLS as u32 - 1) * (ROWS + 1);
        let Column { alice, bob, .. } = self.columns[digit];
        let row = Row {
            index: 0,
            alice: alice << shift,
            bob: bob << shift,
            moves: [(0, 0); COLS],
            room: 0,
        };
        self.rows(COLS - 1, row, after.as_ref(), &mut out);
        self.spare
            .extend(after.into_iter().flat_map(|(alice, bob)| [alice, bob]));
        out
    }

    /// The rows that agree in all but the first `left` columns.
    fn rows(&self, left: usize, row: Row<COLS>, after: Option<&(Vec<V>, Vec<V>)>, out: &mut [V]) {
        let this = left - 1;
        if this == 0 {
            return self.row(&row, after, out);
        }
        let weight = Self::DIGITS.pow(this as u32 - 1) * Self::STRIDE;
        let shift = this as u32 * (ROWS + 1);
        for (digit, column) in self.columns.iter().enumerate().rev() {
            let mut next = row;
            next.index += digit * weight;
            next.alice |= column.alice << shift;
            next.bob |= column.bob << shift;
            if let Some((alice, bob)) = column.next {
                next.moves[next.room] = (alice * weight, bob * weight);
                next.room += 1;
            }
            self.rows(this, next, after, out);
        }
    }

    fn row(&self, row: &Row<COLS>, after: Option<&(Vec<V>, Vec<V>)>, out: &mut [V]) {
        let (before, rest) = out.split_at_mut(row.index + Self::STRIDE);
        let values = &mut before[row.index..];
        if four(row.alice, ROWS + 1) {
            return values.fill(V::NOTHING);
        }
        if four(row.bob, ROWS + 1) {
            return values.fill(self.one);
        }
        let mut low = [self.one; 128];
        let mut high = [V::NOTHING; 128];
        let (low, high) = (&mut low[..Self::STRIDE], &mut high[..Self::STRIDE]);
        let mut take = |alice: &[V], bob: &[V]| {
            for (((low, high), alice), bob) in
                low.iter_mut().zip(high.iter_mut()).zip(alice).zip(bob)
            {
                *low = (*low).min(*alice);
                *high = (*high).max(*bob);
            }
        };
        for (alice, bob) in &row.moves[..row.room] {
            take(&rest[alice - Self::STRIDE..], &rest[bob - Self::STRIDE..]);
        }
        if let Some((alice, bob)) = after {
            take(&alice[row.index..], &bob[row.index..]);
        }
        let completing = |pieces: u64| -> usize {
            (0..ROWS)
                .filter(|cell| four(pieces | 1 << cell, ROWS + 1))
                .map(|cell| 1 << cell)
                .sum()
        };
        let won = &self.masks.alice[completing(row.alice) * Self::STRIDE..][..Self::STRIDE];
        let lost = &self.masks.bob[completing(row.bob) * Self::STRIDE..][..Self::STRIDE];
        let full = row.room == 0 && after.is_none();
        // Contents of one height stand side by side, the highest last; moves lead to those of the
        // next, in two halves.
        for height in (0..=ROWS).rev() {
            let count = 1 << height;
            let start = count - 1;
            let (here, above) = values[start..].split_at_mut(count);
            let range = start..start + count;
            if height == ROWS {
                if full {
                    here.fill(self.one);
                } else {
                    let means = low[range.clone()].iter().zip(&high[range.clone()]);
                    here.iter_mut()
                        .zip(means)
                        .for_each(|(value, (low, high))| *value = V::settle(*low, *high));
                }
            } else {
                let (bob, alice) = above[..2 * count].split_at(count);
                let best = low[range.clone()]
                    .iter()
                    .zip(alice)
                    .zip(high[range.clone()].iter().zip(bob));
                for (value, ((low, alice), (high, bob))) in here.iter_mut().zip(best) {
                    *value = V::settle((*low).min(*alice), (*high).max(*bob));
                }
            }
            for ((value, won), lost) in here.iter_mut().zip(&won[range.clone()]).zip(&lost[range]) {
                *value = (*value & !*lost | self.one & *lost) & !*won;
            }
        }
    }
}

/// R of the empty board.
pub(crate) fn value<const ROWS: u32, const COLS: usize>() -> Vec<String> {
    let mut board = Board::<u32, ROWS, COLS>::new(1 << (ROWS * COLS as u32));
    let values = board.block(0);
    vec![Ratio::new(values[0], board.one).to_string()]
}

/// What Alice needs on the empty board of totals from 0 to `most`, one total after the other.
pub(crate) fn thresholds<const ROWS: u32, const COLS: usize>(most: u8) -> Vec<String> {
    let threshold = |total: u8| {
        let twice = Board::<u8, ROWS, COLS>::new(2 * (total + 1)).block(0)[0];
        format!(
            "{}{}",
            twice / 2,
            if twice.is_multiple_of(2) { "" } else { "*" }
        )
    };
    (0..=most).map(threshold).collect()
}
