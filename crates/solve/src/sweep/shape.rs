//! Where a position's value stands: blocks, the rows in them, the numbers of a row.
//!
//! Of positions that a symmetry takes to each other one is worked out: the one in the greatest
//! block. The image of a position that a move leads to is one to which a move leads from the
//! position's own image, and moves lead to lesser numbers; so it stands in a lesser block than the
//! greatest of the position's images, and has been worked out before.

use super::cells::CellLayout;
use super::order::moves_of_blocks;
use super::pages::Paging;
use crate::game::ruleset::{Image, Numbering, Target};

/// There are no more blocks than so many; what is known of each takes some hundred bytes.
const MOST_BLOCKS: u64 = 1 << 14;
/// Likewise where blocks are to be shorter than the second number.
const FEW_BLOCKS: u64 = 1 << 12;
const SHORT: u64 = 1 << 10;
/// Likewise where blocks would otherwise be longer than the second number, if all their rows were
/// stored.
const MANY_BLOCKS: u64 = 1 << 22;
const LONG: u64 = 1 << 33;

/// Where a value stands.
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
    /// How many digits number the blocks.
    prefix: usize,
    /// By digit: how far its contents are apart, in blocks for the first digits, in rows for the
    /// others.
    strides: Vec<usize>,
    radices: Vec<usize>,
    /// How many rows a block has.
    rows: usize,
    /// How values stand in them.
    pub layout: CellLayout,
    /// How those that are stored stand in pages.
    pub paging: Paging,
    /// The symmetries that are made use of.
    images: Vec<BlockImage>,
    /// By block: the greatest of its images, and by which symmetry; nothing where it is the
    /// greatest itself.
    greatest: Vec<Option<(usize, usize)>>,
}

/// Whether a symmetry is made use of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymmetryUse {
    /// Where that saves work. The blocks are then numbered by digits that it exchanges with each
    /// other, which can make them long.
    IfItSaves,
    /// Never, so that blocks are as short as may be.
    Unused,
}

/// What a symmetry does to positions, in terms of blocks and rows.
#[derive(Debug)]
pub struct BlockImage {
    blocks: Vec<usize>,
    /// By digit outside the row, but for those that number blocks, and by content: what it adds to
    /// the row and the content of the image.
    inner: Vec<Vec<Offset>>,
    /// By content of the row: likewise.
    pub row: Vec<Offset>,
}

/// What a digit adds to the row's number and to the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offset {
    pub row: usize,
    pub content: usize,
}

impl SweepShape {
    /// The array of values so stored, in blocks that are as short as may be, but would not be
    /// shorter than so many bytes if every row were stored; and by block the others to which moves
    /// lead from it. A symmetry is made use of, unless it is not to be, where the blocks can be
    /// chosen so and it saves work.
    pub fn new(
        layout: CellLayout,
        numbering: &Numbering,
        short: u64,
        symmetry: SymmetryUse,
    ) -> (Self, Vec<Vec<usize>>) {
        // Whole vectors, so that no loop over a row has a remainder.
        let vector = if layout.contents == 1 {
            (32 / layout.bytes).max(1)
        } else {
            1
        };
        let stride = numbering
            .row_len()
            .div_ceil(layout.contents)
            .next_multiple_of(vector);
        let radices: Vec<usize> = (0..numbering.digits.len())
            .map(|digit| numbering.radix(digit))
            .collect();
        // In 64 bits on machines of 32 too, where a block may be too long for an index.
        let product = |radices: &[usize]| {
            radices
                .iter()
                .fold(1, |all, radix| u64::saturating_mul(all, *radix as u64))
        };
        let blocks = |prefix: usize| product(&radices[..prefix]);
        let block_bytes = |prefix: usize| {
            product(&radices[prefix..]).saturating_mul((stride * layout.bytes) as u64)
        };
        let with_most = |most: u64| {
            let fits = |prefix: &usize| block_bytes(*prefix) >= short && blocks(*prefix) <= most;
            (0..=radices.len()).rev().find(fits).unwrap_or(0)
        };
        let greatest_prefix = match with_most(if short < SHORT {
            FEW_BLOCKS
        } else {
            MOST_BLOCKS
        }) {
            prefix if block_bytes(prefix) > LONG => with_most(MANY_BLOCKS),
            prefix => prefix,
        };
        let is_closed = |prefix: &usize| {
            numbering
                .images
                .iter()
                .all(|image| keeps_first(image, *prefix))
        };
        let symmetric = (1..=greatest_prefix).rev().find(is_closed);
        let symmetric = symmetric
            .filter(|_| symmetry == SymmetryUse::IfItSaves && !numbering.images.is_empty());
        let with_prefix = |prefix, images| {
            let shape = Self::with_prefix(prefix, &radices, layout, stride, images);
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
        layout: CellLayout,
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
        let paging = Paging::new(rows, stride * layout.bytes);
        let (images_of, greatest) = (Vec::new(), Vec::new());
        let mut shape = Self {
            prefix,
            strides,
            radices: radices.to_vec(),
            rows,
            layout,
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

    /// Whether working out the greatest blocks alone, with the images of others where they are
    /// needed, is less than working out all: the image of a block takes about as long as the block.
    fn saves_work(&self, moves_to: &[Vec<usize>]) -> bool {
        let own = (0..self.blocks()).filter(|block| self.greatest[*block].is_none());
        let images = own.clone().map(|block| {
            moves_to[block]
                .iter()
                .filter(|need| self.greatest[**need].is_some())
                .count()
        });
        own.clone().count() + images.sum::<usize>() < self.blocks()
    }

    /// Whether a symmetry is made use of.
    pub fn is_symmetric(&self) -> bool {
        !self.images.is_empty()
    }

    /// How many digits number the blocks.
    pub fn prefix(&self) -> usize {
        self.prefix
    }

    /// How many blocks there are, those included of which an image is worked out instead.
    pub fn blocks(&self) -> usize {
        self.radices[..self.prefix].iter().product()
    }

    /// How many rows a block has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many contents a digit has.
    pub fn radix(&self, digit: usize) -> usize {
        self.radices[digit]
    }

    /// How many rows of a block agree in the digits up to this one.
    pub fn span(&self, digit: usize) -> usize {
        if digit < self.prefix {
            self.rows
        } else {
            self.strides[digit]
        }
    }

    /// How many rows stand side by side that differ in the last digit only.
    pub fn side_by_side(&self) -> usize {
        self.radices[self.prefix..].last().copied().unwrap_or(1)
    }

    /// By how many blocks and rows a value moves if a digit changes.
    pub fn shift(&self, digit: usize, from: usize, to: usize) -> (isize, isize) {
        let by = (to as isize - from as isize) * self.strides[digit] as isize;
        if digit < self.prefix {
            (by, 0)
        } else {
            (0, by)
        }
    }

    /// The digits of a block.
    pub fn block_digits(&self, block: usize) -> Vec<usize> {
        (0..self.prefix)
            .map(|digit| self.content(digit, block))
            .collect()
    }

    /// A block's content of one of the digits that number blocks.
    pub fn content(&self, digit: usize, block: usize) -> usize {
        block / self.strides[digit] % self.radices[digit]
    }

    /// The block that is worked out for this one, and the symmetry that takes this one to it, if it
    /// is another.
    pub fn worked_out(&self, block: usize) -> (usize, Option<&BlockImage>) {
        match self.greatest.get(block).copied().flatten() {
            Some((greatest, image)) => (greatest, Some(&self.images[image])),
            None => (block, None),
        }
    }

    /// Where the value of a position stands, given its digits, the row's content last.
    pub fn place(&self, digits: &[usize]) -> ValuePlace {
        let (block, rest) = digits.split_at(self.prefix);
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
    /// Where images of rows begin, from the first row on.
    pub fn of_rows(&self) -> RowImages<'_> {
        let mut images = RowImages {
            image: self,
            after: vec![Offset::default(); self.inner.len() + 1],
        };
        images.of(&vec![0; self.inner.len()], 0);
        images
    }
}

/// Where the image of one row after another begins.
pub struct RowImages<'i> {
    image: &'i BlockImage,
    /// What the first so many digits within blocks add to it.
    after: Vec<Offset>,
}

impl RowImages<'_> {
    /// Where the image of the next row begins, given its digits within blocks, which may have
    /// changed from one on.
    pub fn of(&mut self, digits: &[usize], first: usize) -> Offset {
        for (digit, contents) in self.image.inner.iter().enumerate().skip(first) {
            self.after[digit + 1] = self.after[digit].and(contents[digits[digit]]);
        }
        self.after.last().copied().unwrap_or_default()
    }
}

impl Offset {
    /// Both together.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self {
            row: self.row + other.row,
            content: self.content + other.content,
        }
    }
}

/// Whether a symmetry exchanges the first digits with each other alone.
fn keeps_first(image: &Image, prefix: usize) -> bool {
    image.digits[..prefix]
        .iter()
        .all(|(target, _)| matches!(target, Target::Digit(digit) if *digit < prefix))
}
