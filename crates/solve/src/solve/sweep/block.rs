//! Going through the rows of a block.

use super::Slot;
use super::row::{Kernel, Scratch};
use crate::solve::theory::Theory;
use crate::watch::{Stop, Watch};

/// How many bytes of values are worked out between two looks at the watch.
const CHECK_EVERY: usize = 1 << 16;

/// By how many blocks and numbers a value lies away.
pub type Shift = (isize, isize);

/// A row in the middle of the work: its digits, and what follows from them.
///
/// From one row to the next the last digits change most, as in counting. So what follows from the digits is kept for each number of leading
/// digits, and only what follows from the digits that changed is worked out again: one digit out of one and a bit, on average.
pub struct Walk {
    /// The digits outside the row.
    pub digits: Vec<usize>,
    /// For the seeker and the opponent: where the steps of digits lead from the whole row.
    pub sources: [Vec<Shift>; 2],
    /// How many of these come from the first so many digits.
    lens: Vec<[usize; 2]>,
    /// For each number of digits: where in each table they lead.
    keys: Vec<u32>,
    tables: usize,
}

impl Walk {
    /// Where the digits lead in each table.
    pub fn keys(&self) -> &[u32] {
        &self.keys[self.keys.len() - self.tables..]
    }

    fn new<T: Theory<Number: Slot>>(kernel: &Kernel<'_, T>, block: usize) -> Self {
        let count = kernel.indexed.numbering.digits.len();
        let mut digits = kernel.shape.block_digits(block);
        digits.resize(count, 0);
        let tables = kernel.indexed.tables.len();
        let mut walk = Self {
            digits,
            sources: [Vec::new(), Vec::new()],
            lens: vec![[0, 0]; count + 1],
            keys: vec![0; tables * (count + 1)],
            tables,
        };
        walk.follow(kernel, 0);
        walk
    }

    /// Works out what follows from the digits from one on.
    fn follow<T: Theory<Number: Slot>>(&mut self, kernel: &Kernel<'_, T>, first: usize) {
        for side in 0..2 {
            self.sources[side].truncate(self.lens[first][side]);
        }
        for digit in first..self.digits.len() {
            let content = self.digits[digit];
            for (side, sources) in self.sources.iter_mut().enumerate() {
                sources.extend_from_slice(&kernel.steps[digit][side][content]);
                self.lens[digit + 1][side] = sources.len();
            }
            for (table, tabulated) in kernel.indexed.tables.iter().enumerate() {
                let key = self.keys[digit * self.tables + table] + tabulated.strides[digit][content];
                self.keys[(digit + 1) * self.tables + table] = key;
            }
        }
    }

    /// Goes on to the next row of the block, if there is one.
    fn advance<T: Theory<Number: Slot>>(&mut self, kernel: &Kernel<'_, T>) -> bool {
        let mut digit = self.digits.len();
        while digit > kernel.shape.prefix() {
            digit -= 1;
            self.digits[digit] += 1;
            if self.digits[digit] < kernel.shape.radix(digit) {
                self.follow(kernel, digit);
                return true;
            }
            self.digits[digit] = 0;
        }
        false
    }
}

/// The values of a block, given those of the blocks before it; they take the place of others.
///
/// # Errors
/// If the watch stops the work.
pub fn fill<T: Theory<Number: Slot>>(
    kernel: &Kernel<'_, T>,
    blocks: &[Vec<T::Number>],
    block: usize,
    mut values: Vec<T::Number>,
    watch: &dyn Watch,
) -> Result<Vec<T::Number>, Stop> {
    // Room that another block has had: every number of it is written before it is read, so only what is new is blanked.
    values.resize(kernel.shape.block_len(), T::Number::BLANK);
    let mut scratch = Scratch::new(kernel);
    let mut walk = Walk::new(kernel, block);
    let stride = kernel.shape.stride();
    let rows_between = (CHECK_EVERY / (stride * size_of::<T::Number>())).max(1);
    for row in 0.. {
        if row % rows_between == 0 {
            watch.check()?;
        }
        // Moves lead to smaller numbers: what this row needs of its own block stands below it.
        let (below, rest) = values.split_at_mut(row * stride);
        kernel.work_out(&walk, &Before { blocks, block, below }, &mut rest[..stride], &mut scratch);
        if !walk.advance(kernel) {
            break;
        }
    }
    Ok(values)
}

/// The values that are known before a row.
pub struct Before<'a, N> {
    blocks: &'a [Vec<N>],
    block: usize,
    below: &'a [N],
}

impl<N> Before<'_, N> {
    /// The row that lies away by so much.
    #[inline(always)]
    pub fn row(&self, (blocks, numbers): Shift, stride: usize) -> &[N] {
        let block = if blocks == 0 { self.below } else { &self.blocks[self.block.wrapping_add_signed(blocks)] };
        let first = self.below.len().wrapping_add_signed(numbers);
        &block[first..first + stride]
    }
}
