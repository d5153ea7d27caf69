//! The place of a position's value: its block, its row in the block, and its content of the row.
//!
//! Of positions that a symmetry maps to each other only the one in the greatest block is computed.
//! The image of a successor of a position is a successor of the position's own image, and moves
//! lead to lesser numbers; so it is in a lesser block than the greatest of the position's images,
//! and has been computed before.

use super::endings::MOST_RANKS;
use super::order::moves_of_blocks;
use super::pages::Paging;
use crate::convert::fit;
use crate::game::ruleset::{Image, Numbering, Target};

/// The greatest number of blocks; the data about each takes some hundred bytes.
const MOST_BLOCKS: u64 = 1 << 14;
/// The greatest number of blocks if they have to be shorter than the second number.
const FEW_BLOCKS: u64 = 1 << 12;
const SHORT: u64 = 1 << 10;
/// The greatest number of blocks if they would otherwise be longer than the second number with all
/// their rows stored.
const MANY_BLOCKS: u64 = 1 << 22;
const LONG: u64 = 1 << 33;

/// The place of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValuePlace {
    pub block: usize,
    /// The number of the row in its block.
    pub row: usize,
    /// The content of the row.
    pub content: usize,
}

/// The array of blocks, rows and numbers.
#[derive(Debug)]
pub struct SweepShape {
    /// The number of digits that number the blocks.
    prefix: usize,
    /// The distance of consecutive contents of each digit, in blocks for the first digits, in rows
    /// for the others.
    strides: Vec<usize>,
    radices: Vec<usize>,
    /// The number of rows of a block.
    rows: usize,
    /// The number of bytes of a value.
    pub width: usize,
    /// The arrangement of the stored rows in pages.
    pub paging: Paging,
    /// The symmetries that are used.
    images: Vec<BlockImage>,
    /// The greatest image of each block, and the symmetry that gives it; `None` if the block is the
    /// greatest itself.
    greatest: Vec<Option<(usize, usize)>>,
}

/// The use of symmetries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymmetryUse {
    /// A symmetry is used if that saves work. The blocks are then numbered by digits that it
    /// exchanges with each other, which can make them long.
    IfItSaves,
    /// No symmetry is used, so that blocks are as short as possible.
    Unused,
}

/// The action of a symmetry on positions, in terms of blocks and rows.
#[derive(Debug)]
pub struct BlockImage {
    blocks: Vec<usize>,
    /// The offset that each digit outside the row, except those that number blocks, adds to the row
    /// and the content of the image, by digit and content.
    inner: Vec<Vec<Offset>>,
    /// The offset that each content of the row adds.
    pub row: Vec<Offset>,
}

/// The amounts that a digit adds to the row's number and to the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offset {
    pub row: usize,
    pub content: usize,
}

/// Returns the number of values of a row with its padding. It is a number of whole vectors, so that
/// no loop over a row has a remainder.
fn stride(width: usize, numbering: &Numbering) -> usize {
    let vector = (32 / width).max(1);
    numbering.row_len().next_multiple_of(vector)
}

/// Returns the greatest number of digits that may name a block; the blocks would not be shorter
/// than `short` bytes if every row were stored.
fn greatest_prefix(width: usize, numbering: &Numbering, short: u64) -> usize {
    let row_bytes = (stride(width, numbering) * width) as u64;
    let radices = radices(numbering);
    let block_bytes = |prefix: usize| product(&radices[prefix..]).saturating_mul(row_bytes);
    let with_most = |most: u64| {
        let fits =
            |prefix: &usize| block_bytes(*prefix) >= short && product(&radices[..*prefix]) <= most;
        // More digits in the prefix make shorter blocks, so the longest prefix that fits is taken.
        let found = (0..=radices.len()).rev().find(fits).unwrap_or(0);
        found.max(least_prefix(&radices))
    };
    let most = if short < SHORT {
        FEW_BLOCKS
    } else {
        MOST_BLOCKS
    };
    match with_most(most) {
        // Very long blocks are avoided at the price of data about more blocks.
        prefix if block_bytes(prefix) > LONG => with_most(MANY_BLOCKS),
        prefix => prefix,
    }
}

/// Returns the least number of digits that name a block whose rows can all have ranks.
fn least_prefix(radices: &[usize]) -> usize {
    let mut rows = 1_usize;
    let mut prefix = radices.len();
    while prefix > 0 {
        match rows.checked_mul(radices[prefix - 1]) {
            // Digits move from the prefix into the block, the last one first, while all its rows
            // can have ranks.
            Some(more) if more < MOST_RANKS => rows = more,
            _ => break,
        }
        prefix -= 1;
    }
    prefix
}

fn has_few_blocks(radices: &[usize]) -> bool {
    product(&radices[..least_prefix(radices)]) <= MANY_BLOCKS
}

fn radices(numbering: &Numbering) -> Vec<usize> {
    (0..numbering.digits.len())
        .map(|digit| numbering.radix(digit))
        .collect()
}

/// Multiplies in 64 bits also on machines of 32, on which a block may be too long for an index.
fn product(radices: &[usize]) -> u64 {
    radices
        .iter()
        .fold(1, |all, radix| u64::saturating_mul(all, *radix as u64))
}

impl SweepShape {
    /// Returns `true` if the rows of every block can have ranks without more blocks than there may
    /// be.
    pub fn can_have_ranks(numbering: &Numbering) -> bool {
        has_few_blocks(&radices(numbering))
    }

    /// Returns the greatest number of blocks that [`SweepShape::new`] chooses.
    pub fn most_blocks(width: usize, numbering: &Numbering, short: u64) -> u64 {
        product(&radices(numbering)[..greatest_prefix(width, numbering, short)])
    }

    /// Creates the array of values of `width` bytes, in blocks that are as short as possible, but
    /// would not be shorter than `short` bytes if every row were stored. Also returns the other
    /// blocks to which moves lead from each block. A symmetry is used, unless it must not be, if
    /// the blocks can be chosen accordingly and it saves work.
    pub fn new(
        width: usize,
        numbering: &Numbering,
        short: u64,
        symmetry: SymmetryUse,
    ) -> (Self, Vec<Vec<usize>>) {
        let (stride, radices) = (stride(width, numbering), radices(numbering));
        let greatest_prefix = greatest_prefix(width, numbering, short);
        let is_closed = |prefix: &usize| {
            numbering
                .images
                .iter()
                .all(|image| keeps_first(image, *prefix))
        };
        let symmetric = (least_prefix(&radices).max(1)..=greatest_prefix)
            .rev()
            .find(is_closed);
        let symmetric = symmetric
            // Without symmetries every prefix is closed, and this would find one for nothing.
            .filter(|_| symmetry == SymmetryUse::IfItSaves && !numbering.images.is_empty());
        let with_prefix = |prefix, images| {
            let shape = Self::with_prefix(prefix, &radices, width, stride, images);
            let moves_to = moves_of_blocks(numbering, &shape);
            (shape, moves_to)
        };
        let halved = symmetric.map(|prefix| with_prefix(prefix, &numbering.images));
        let halved = halved.filter(|(shape, moves_to)| shape.saves_work(moves_to));
        halved.unwrap_or_else(|| with_prefix(greatest_prefix, &[]))
    }

    fn with_prefix(
        prefix: usize,
        radices: &[usize],
        width: usize,
        stride: usize,
        images: &[Image],
    ) -> Self {
        let strides = (0..radices.len()).map(|digit| {
            let end = if digit < prefix {
                prefix
            } else {
                radices.len()
            };
            radices[digit + 1..end].iter().product()
        });
        let rows = radices[prefix..].iter().product();
        let strides: Vec<usize> = strides.collect();
        let paging = Paging::new(rows, stride * width);
        let (images_of, greatest) = (Vec::new(), Vec::new());
        let mut shape = Self {
            prefix,
            strides,
            radices: radices.to_vec(),
            rows,
            width,
            paging,
            images: images_of,
            greatest,
        };
        shape.images = images
            .iter()
            .map(|image| shape.block_image(image))
            .collect();
        let images = &shape.images;
        let greatest = |block: usize| {
            let by = |(number, image): (usize, &BlockImage)| (image.blocks[block], number);
            // Of several symmetries with the same image the first counts.
            let best = images
                .iter()
                .enumerate()
                .map(by)
                .max_by_key(|(image, number)| (*image, std::cmp::Reverse(*number)));
            // A block that is the greatest of its images is computed itself.
            best.filter(|(image, _)| *image > block)
        };
        shape.greatest = (0..shape.blocks()).map(greatest).collect();
        shape
    }

    fn block_image(&self, image: &Image) -> BlockImage {
        let offset = |(target, content): (Target, u32)| match target {
            Target::Digit(digit) => Offset {
                row: content as usize * self.strides[digit],
                content: 0,
            },
            Target::Row => Offset {
                row: 0,
                content: content as usize,
            },
        };
        let inner = |(target, contents): &(Target, Vec<u32>)| {
            contents
                .iter()
                .map(|content| offset((*target, *content)))
                .collect::<Vec<_>>()
        };
        let row = |image: &crate::game::ruleset::RowImage| {
            let rows = image
                .digits
                .iter()
                .map(|(digit, content)| *content as usize * self.strides[*digit]);
            Offset {
                row: rows.sum(),
                content: image.content as usize,
            }
        };
        let block = |block: usize| {
            let digits = self.block_digits(block);
            let parts = digits.iter().zip(&image.digits[..self.prefix]);
            parts
                .map(|(content, (target, contents))| offset((*target, contents[*content])).row)
                .sum()
        };
        BlockImage {
            blocks: (0..self.blocks()).map(block).collect(),
            inner: image.digits[self.prefix..].iter().map(inner).collect(),
            row: image.row.iter().map(row).collect(),
        }
    }

    /// Returns whether computing only the greatest blocks, with the images of others where they are
    /// needed, is less work than computing all: the image of a block takes about as long as the
    /// block.
    fn saves_work(&self, moves_to: &[Vec<usize>]) -> bool {
        let own = (0..self.blocks()).filter(|block| self.greatest[*block].is_none());
        let images = own.clone().map(|block| {
            moves_to[block]
                .iter()
                .filter(|need| self.greatest[**need].is_some())
                .count()
        });
        // An image is made anew for each block that uses it, so a much used one counts several
        // times.
        own.clone().count() + images.sum::<usize>() < self.blocks()
    }

    /// Returns the bytes of the value at a content of a row, given those of the row.
    pub fn value<'v>(&self, row: &'v [u8], content: usize) -> &'v [u8] {
        &row[content * self.width..][..self.width]
    }

    /// Returns whether a symmetry is used.
    pub fn is_symmetric(&self) -> bool {
        !self.images.is_empty()
    }

    /// Returns the number of digits that number the blocks.
    pub fn prefix(&self) -> usize {
        self.prefix
    }

    /// Returns the number of blocks, including those of which an image is computed instead.
    pub fn blocks(&self) -> usize {
        self.radices[..self.prefix].iter().product()
    }

    /// Returns the number of rows of a block.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of contents of a digit.
    pub fn radix(&self, digit: usize) -> usize {
        self.radices[digit]
    }

    /// Returns the number of rows of a block that agree in the digits up to this one.
    pub fn span(&self, digit: usize) -> usize {
        if digit < self.prefix {
            self.rows
        } else {
            self.strides[digit]
        }
    }

    /// Returns the number of adjacent rows that differ only in the last digit.
    pub fn side_by_side(&self) -> usize {
        self.radices[self.prefix..].last().copied().unwrap_or(1)
    }

    /// Returns the distance in blocks and rows by which a value moves if a digit changes.
    pub fn shift(&self, digit: usize, from: usize, to: usize) -> (isize, isize) {
        let by = (fit::<isize>(to) - fit::<isize>(from)) * fit::<isize>(self.strides[digit]);
        if digit < self.prefix {
            (by, 0)
        } else {
            (0, by)
        }
    }

    /// Returns the digits of a block.
    pub fn block_digits(&self, block: usize) -> Vec<usize> {
        (0..self.prefix)
            .map(|digit| self.content(digit, block))
            .collect()
    }

    /// Returns a block's content of one of the digits that number blocks.
    pub fn content(&self, digit: usize, block: usize) -> usize {
        block / self.strides[digit] % self.radices[digit]
    }

    /// Returns the block that is computed for this one, and the symmetry that maps this one to it,
    /// if it is another.
    pub fn worked_out(&self, block: usize) -> (usize, Option<&BlockImage>) {
        match self.greatest.get(block).copied().flatten() {
            Some((greatest, image)) => (greatest, Some(&self.images[image])),
            None => (block, None),
        }
    }

    /// Returns the place of the value of a position, given its digits, with the row's content last.
    pub fn place(&self, digits: &[usize]) -> ValuePlace {
        let (block, rest) = digits.split_at(self.prefix);
        // The digits that number blocks and those within them have separate strides, each down to
        // 1.
        let along = |digits: &[usize], strides: &[usize]| {
            digits
                .iter()
                .zip(strides)
                .map(|(a, b)| a * b)
                .sum::<usize>()
        };
        let (content, middle) = rest.split_last().expect("the row is the last digit");
        let block = along(block, &self.strides);
        let (block, image) = self.worked_out(block);
        let Some(image) = image else {
            return ValuePlace {
                block,
                row: along(middle, &self.strides[self.prefix..]),
                content: *content,
            };
        };
        let inner = middle
            .iter()
            .zip(&image.inner)
            .map(|(content, offsets)| offsets[*content]);
        let offset = inner.fold(image.row[*content], Offset::and);
        ValuePlace {
            block,
            row: offset.row,
            content: offset.content,
        }
    }
}

impl BlockImage {
    /// Returns the starts of the images of rows, from the first row on.
    pub fn of_rows(&self) -> RowImages<'_> {
        let mut images = RowImages {
            image: self,
            after: vec![Offset::default(); self.inner.len() + 1],
        };
        images.of(&vec![0; self.inner.len()], 0);
        images
    }
}

/// The start of the image of one row after another.
pub struct RowImages<'i> {
    image: &'i BlockImage,
    /// The sum of the offsets of the first digits within blocks, by their number.
    after: Vec<Offset>,
}

impl RowImages<'_> {
    /// Returns the start of the image of the next row, given its digits within blocks, which may
    /// have changed from `first` on.
    pub fn of(&mut self, digits: &[usize], first: usize) -> Offset {
        for (digit, contents) in self.image.inner.iter().enumerate().skip(first) {
            // The sum up to each digit is kept, so a row that differs in the last digits takes few
            // additions.
            self.after[digit + 1] = self.after[digit].and(contents[digits[digit]]);
        }
        self.after.last().copied().unwrap_or_default()
    }
}

impl Offset {
    /// Returns the sum of two offsets.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self {
            row: self.row + other.row,
            content: self.content + other.content,
        }
    }
}

/// Returns whether a symmetry exchanges the first digits only with each other.
fn keeps_first(image: &Image, prefix: usize) -> bool {
    image.digits[..prefix]
        .iter()
        .all(|(target, _)| matches!(target, Target::Digit(digit) if *digit < prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_block_have_ranks() {
        assert_eq!(least_prefix(&[]), 0);
        assert_eq!(least_prefix(&[3, 3, 3]), 0);
        assert_eq!(least_prefix(&[65, 65_536, 65_535]), 1);
        assert_eq!(least_prefix(&[65, 65_536, 65_536]), 2);
        assert_eq!(least_prefix(&[2, usize::MAX]), 2);
        assert!(has_few_blocks(&[]) && has_few_blocks(&[64, 65_536, 65_536]));
        // Two digits in a block would have too many rows, and one leaves more than 2^22 blocks.
        assert!(!has_few_blocks(&[65, 65_536, 65_536]));
    }
}
