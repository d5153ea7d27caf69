//! Where a position's value stands.

use crate::game::ruleset::Numbering;

/// There are no more blocks than so many.
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
}

impl Shape {
    /// The array of values of so many bytes with blocks as short as may be, but not shorter than so many bytes.
    pub fn new(bytes: usize, numbering: &Numbering, short: usize) -> Self {
        // Whole vectors, so that no loop over a row has a remainder.
        let vector = (32 / bytes).max(1);
        let stride = numbering.row_len().next_multiple_of(vector);
        let radices: Vec<usize> = (0..numbering.digits.len()).map(|digit| numbering.radix(digit)).collect();
        let rows = |prefix: usize| radices[prefix..].iter().product::<usize>();
        let blocks = |prefix: usize| radices[..prefix].iter().product::<usize>();
        let mut prefix = 0;
        while prefix < radices.len() && rows(prefix + 1) * stride * bytes >= short && blocks(prefix + 1) <= MOST_BLOCKS
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
        let mut shape = Self { prefix, strides, radices, stride, block_len, levels: Vec::new() };
        shape.levels = shape.leveled(numbering);
        shape
    }

    fn leveled(&self, numbering: &Numbering) -> Vec<Vec<usize>> {
        let mut levels =
            vec![Vec::new(); 1 + (0..self.prefix).map(|d| most(&numbering.digits[d].heights)).sum::<usize>()];
        for block in 0..self.blocks() {
            let digits = self.block_digits(block);
            let heights =
                digits.iter().enumerate().map(|(digit, content)| numbering.digits[digit].heights[*content] as usize);
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
}

fn most(heights: &[u32]) -> usize {
    heights.iter().max().copied().unwrap_or(0) as usize
}
