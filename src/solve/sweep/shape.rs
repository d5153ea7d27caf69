//! Where a position's value stands.

use super::Number;
use crate::game::Player;
use crate::game::ruleset::Indexed;

/// Blocks are made at least this long, in bytes, and no more than so many.
const SHORT_BLOCK: usize = 1 << 18;
const MOST_BLOCKS: usize = 1 << 12;

/// The array of blocks, rows and numbers.
#[derive(Debug)]
pub struct Shape {
    /// How many digits number the blocks.
    prefix: usize,
    /// By digit: how far the values of its contents are apart, in blocks for the first digits, in numbers for the others.
    strides: Vec<usize>,
    radices: Vec<usize>,
    /// How many numbers lie between the starts of two rows.
    stride: usize,
    block_len: usize,
    /// The blocks by the sum of their digits' heights, the least first.
    levels: Vec<Vec<usize>>,
    /// The most by which a move lowers that sum.
    drop: usize,
}

impl Shape {
    pub fn new<N: Number>(indexed: &Indexed) -> Self {
        // Whole vectors, so that no loop over a row has a remainder.
        let vector = (32 / size_of::<N>()).max(1);
        let stride = indexed.row_len().next_multiple_of(vector);
        let radices: Vec<usize> = (0..indexed.digits.len()).map(|digit| indexed.radix(digit)).collect();
        let rows = |prefix: usize| radices[prefix..].iter().product::<usize>();
        let blocks = |prefix: usize| radices[..prefix].iter().product::<usize>();
        let mut prefix = 0;
        while prefix < radices.len()
            && rows(prefix + 1) * stride * size_of::<N>() >= SHORT_BLOCK
            && blocks(prefix + 1) <= MOST_BLOCKS
        {
            prefix += 1;
        }
        let mut strides = vec![0; radices.len()];
        for (digit, place) in strides.iter_mut().enumerate() {
            *place = if digit < prefix {
                radices[digit + 1..prefix].iter().product()
            } else {
                stride * radices[digit + 1..].iter().product::<usize>()
            };
        }
        let block_len = rows(prefix) * stride;
        let mut shape = Self { prefix, strides, radices, stride, block_len, levels: Vec::new(), drop: 0 };
        shape.levels = shape.leveled(indexed);
        shape.drop = shape.greatest_drop(indexed);
        shape
    }

    /// The most by which a move lowers the sum of the heights of the first digits.
    fn greatest_drop(&self, indexed: &Indexed) -> usize {
        let height = |digit: usize, content: usize| indexed.digits[digit].heights[content] as usize;
        let mut drop = 0;
        for (digit, part) in indexed.digits[..self.prefix].iter().enumerate() {
            for steps in Player::BOTH.map(|player| &part.steps[player]) {
                let by = |(from, to): (usize, &Vec<u32>)| {
                    to.iter().map(|to| height(digit, from) - height(digit, *to as usize)).max()
                };
                drop = drop.max(steps.iter().enumerate().filter_map(by).max().unwrap_or(0));
            }
        }
        for leap in Player::BOTH.iter().flat_map(|player| &indexed.leaps[*player]) {
            for (number, landings) in leap.landings.iter().enumerate() {
                let from = leap.contents(number);
                for landing in landings {
                    let changes = leap.digits.iter().zip(from.iter().zip(&landing.to));
                    let by = changes
                        .filter(|((digit, _), _)| *digit < self.prefix)
                        .map(|((digit, _), (from, to))| height(*digit, *from as usize) - height(*digit, *to as usize));
                    drop = drop.max(by.sum());
                }
            }
        }
        drop
    }

    fn leveled(&self, indexed: &Indexed) -> Vec<Vec<usize>> {
        let mut levels =
            vec![Vec::new(); 1 + (0..self.prefix).map(|d| most(&indexed.digits[d].heights)).sum::<usize>()];
        for block in 0..self.blocks() {
            let digits = self.block_digits(block);
            let heights =
                digits.iter().enumerate().map(|(digit, content)| indexed.digits[digit].heights[*content] as usize);
            levels[heights.sum::<usize>()].push(block);
        }
        levels
    }

    /// How many digits number the blocks.
    pub fn prefix(&self) -> usize {
        self.prefix
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.radices[..self.prefix].iter().product()
    }

    /// How many numbers a block has.
    pub fn block_len(&self) -> usize {
        self.block_len
    }

    /// How many numbers lie between the starts of two rows.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// How many contents a digit has.
    pub fn radix(&self, digit: usize) -> usize {
        self.radices[digit]
    }

    /// By how many blocks and numbers a value moves if a digit changes.
    pub fn shift(&self, digit: usize, from: usize, to: usize) -> (isize, isize) {
        let by = (to as isize - from as isize) * self.strides[digit] as isize;
        if digit < self.prefix { (by, 0) } else { (0, by) }
    }

    /// The digits of a block.
    pub fn block_digits(&self, block: usize) -> Vec<usize> {
        (0..self.prefix).map(|digit| block / self.strides[digit] % self.radices[digit]).collect()
    }

    /// The block and the place in it of a position, given its digits, the row's content last.
    pub fn place(&self, digits: &[usize]) -> (usize, usize) {
        let (block, rest) = digits.split_at(self.prefix);
        let along = |digits: &[usize], strides: &[usize]| digits.iter().zip(strides).map(|(a, b)| a * b).sum::<usize>();
        let (content, middle) = rest.split_last().expect("the row is the last digit");
        (along(block, &self.strides), along(middle, &self.strides[self.prefix..]) + content)
    }

    /// The blocks by the order in which they can be worked out.
    pub fn levels(&self) -> &[Vec<usize>] {
        &self.levels
    }

    /// The most blocks that must be kept at one time.
    pub fn most_alive(&self) -> usize {
        let alive = |level: usize| {
            let first = level.saturating_sub(self.drop);
            self.levels[first..=level].iter().map(Vec::len).sum()
        };
        (0..self.levels.len()).map(alive).max().unwrap_or(0)
    }

    /// The blocks that no level after this one looks at.
    pub fn unneeded_after(&self, level: usize) -> impl Iterator<Item = usize> {
        let last = level + 1 < self.levels.len() && level >= self.drop;
        last.then(|| self.levels[level - self.drop].iter().copied()).into_iter().flatten()
    }
}

fn most(heights: &[u32]) -> usize {
    heights.iter().max().copied().unwrap_or(0) as usize
}
