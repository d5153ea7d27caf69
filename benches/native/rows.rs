//! Connect Four a row at a time, as one would write it by hand to make this one game fast.
//!
//! The positions that differ only in the first column form a row, which is computed as arrays in
//! 32-bit fixed point. The last column is traversed depth first. Its contents form a binary tree,
//! so only as many blocks as it has rows, plus two, are in memory at one time, and these are
//! reused. The contents of the first column that complete a line are determined by the cells that
//! would complete it: masks for these are looked up in a table. Symmetries are not used.

use std::ops::{BitAnd, BitOr, Not};

use num_rational::Ratio;

use crate::connect::{Column, column, digits, four};

/// The type of values: numbers from 0, if Alice has won, to the greatest one, if she has not.
trait Value: Copy + Ord + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    const NOTHING: Self;
    const ALL_BITS: Self;

    /// Computes the value from the best positions to which Alice and Bob can move.
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

/// Twice the chips of a total that Alice needs, plus 1 if she also needs the advantage. The winner
/// of the bid may let the other move, so it does not matter which player's move leads to which
/// value.
impl Value for u8 {
    const NOTHING: Self = 0;
    const ALL_BITS: Self = Self::MAX;

    fn settle(alice: Self, bob: Self) -> Self {
        alice.min(bob).div_ceil(2) + alice.max(bob) / 2
    }
}

/// Masks over the contents of a column, by the cells that would complete a line. A content has all
/// bits set if one of these cells is taken in it.
struct Masks<V> {
    alice: Vec<V>,
    bob: Vec<V>,
}

/// The state for computing the rows of a block from those of the blocks to which moves in the last
/// column lead.
struct Board<V, const ROWS: u32, const COLS: usize> {
    columns: Vec<Column>,
    masks: Masks<V>,
    /// Blocks to be reused.
    spare: Vec<Vec<V>>,
    /// The value if Alice has not won.
    one: V,
}

/// A row: its index in the block, the pieces outside of it, and the distances to the rows to which
/// moves in other columns lead.
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
    /// The length of a row, which is one more than the number of its contents.
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

    /// Computes the block of a content of the last column, after the blocks to which a move there
    /// leads.
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

    /// Computes the rows that agree in all but the first `left` columns.
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
        // Contents of one height are adjacent, the highest last. Moves lead to contents of the next
        // height, in two halves.
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

/// Computes R of the empty board.
pub(crate) fn value<const ROWS: u32, const COLS: usize>() -> Vec<String> {
    let mut board = Board::<u32, ROWS, COLS>::new(1 << (ROWS * COLS as u32));
    let values = board.block(0);
    vec![Ratio::new(values[0], board.one).to_string()]
}

/// Computes Alice's thresholds on the empty board for totals from 0 to `most`, one total after the
/// other.
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
