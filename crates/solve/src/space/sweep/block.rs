//! Blocks: the ranks of their rows, the values of the stored rows, and their computation.

use super::endings::{self, EndingWord, MOST_RANKS, Rank, UNKNOWN};
use super::kernel::RowKernel;
use super::pages::{Pages, Paging};
use super::pool::{Pool, Room, bytes_of};
use super::row::{BlockRows, Sources, Structure};
use super::shape::{BlockImage, Offset, SweepShape};
use super::value::Value;
use super::walk::RowWalk;
use crate::watch::{Context, Stop};

/// The number of bytes of values that are computed between two checks.
const CHECK_EVERY: usize = 1 << 18;

/// The number of rows that are examined between two checks.
const LOOK_EVERY: usize = 1 << 14;

/// The values of a block; empty if they are not in memory.
#[derive(Debug, Clone, Default)]
pub struct ValueBlock {
    /// The rank of each row.
    pub ranks: Vec<Rank>,
    /// The stored rows, one after another.
    pub values: Pages,
}

impl ValueBlock {
    /// Returns whether the values are not in memory.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Returns the space that the block takes.
    pub fn room(&self) -> Room {
        Room {
            ranks: bytes_of(&self.ranks),
            values: self.values.bytes(),
        }
    }

    /// Returns the values of a row as bytes; `None` if the row is not stored.
    #[inline(always)]
    pub fn row(&self, row: usize, paging: Paging) -> Option<&[u8]> {
        let rank = *self.ranks.get(row)?;
        let stored = || bytemuck::cast_slice(self.values.all().row(rank, paging));
        endings::is_stored(rank).then(stored)
    }

    /// Creates a block with space for the rows that are stored.
    fn surveyed(
        structure: &Structure<'_>,
        pool: &Pool,
        block: usize,
        context: &Context<'_>,
    ) -> Result<Self, Stop> {
        let Structure { shape, endings, .. } = structure;
        let last = structure.indexed.numbering.digits.len().saturating_sub(1);
        let mut ranks = pool.ranks(shape.rows());
        let mut next: Rank = 0;
        let mut walk = RowWalk::new(&endings.strides, shape, block);
        for looked in 0.. {
            let row = ranks.len();
            if row == shape.rows() {
                break;
            }
            if looked % LOOK_EVERY == 0 {
                context.check()?;
            }
            // If the first digits of the row have ended the game, all rows that begin with them are
            // skipped.
            let changed = walk.go_to(shape, row);
            let first = if row == 0 { shape.prefix() } else { changed };
            if let Some((digit, rank)) =
                (first..last).find_map(|digit| Some((digit, endings.ended_at(&walk, digit)?)))
            {
                ranks.resize(row + shape.span(digit), rank);
                continue;
            }
            ranks.resize(row + shape.side_by_side(), UNKNOWN);
            endings.ended_in(&walk, &mut ranks[row..]);
            for (row, rank) in (row..)
                .zip(&mut ranks[row..])
                .filter(|(_, rank)| **rank == UNKNOWN)
            {
                walk.go_to(shape, row);
                *rank = endings.ended_row(&walk).unwrap_or(next);
                // Only rows that have not ended take the next rank, without a branch.
                next += Rank::from(*rank == next);
            }
        }
        debug_assert!(
            ranks.len() == shape.rows() && (next as usize) < MOST_RANKS,
            "every row has a rank"
        );
        Ok(Self {
            ranks,
            values: pool.rows(next as usize),
        })
    }
}

/// The data from which blocks are computed, apart from the values of other blocks.
#[derive(Clone, Copy)]
pub struct BlockSolver<'a> {
    /// The rows of the game.
    pub structure: &'a Structure<'a>,
    /// The theory.
    pub kernel: &'a dyn RowKernel,
    pub context: &'a Context<'a>,
}

/// The image of a row under a symmetry: the place of its values in another block.
pub struct StoredRowImage<'i> {
    /// The block that contains the image.
    from: &'i ValueBlock,
    shape: &'i SweepShape,
    /// The place of the image in that block, before the offset of the content is added.
    start: Offset,
    /// The offset that each content of the row adds.
    contents: &'i [Offset],
}

impl StoredRowImage<'_> {
    /// Returns the value at a content that has not ended.
    #[inline(always)]
    pub fn value(&self, content: usize) -> Value<'_> {
        let there = self.start.and(self.contents[content]);
        // The image of a position that has not ended has not ended either, so its row is stored.
        let row = self.from.row(there.row, self.shape.paging);
        Value::Stored(self.shape.value(row.expect("it is open"), there.content))
    }
}

impl BlockSolver<'_> {
    /// Computes the values of a block, given those of the blocks before it.
    ///
    /// # Errors
    /// If the watch stops the work.
    pub fn fill(
        &self,
        blocks: &[ValueBlock],
        pool: &Pool,
        block: usize,
    ) -> Result<ValueBlock, Stop> {
        let structure = self.structure;
        let mut filled = ValueBlock::surveyed(structure, pool, block, self.context)?;
        let mut images = Vec::new();
        for &need in structure.needs(block) {
            // Blocks that are images of others are not stored, so they are computed where they are
            // needed.
            if let (from, Some(image)) = structure.shape.worked_out(need) {
                let mut made = ValueBlock::surveyed(structure, pool, need, self.context)?;
                self.fill_image(need, &mut made, &blocks[from], image)?;
                images.push((need, made));
            }
        }
        let sources = Sources {
            blocks,
            images,
            block,
        };
        self.fill_rows(&sources, &mut filled)?;
        sources
            .images
            .into_iter()
            // The memory of images is used again for the next block.
            .for_each(|(_, image)| pool.take_back(image));
        Ok(filled)
    }

    /// Computes the values of the stored rows, given those of other blocks.
    fn fill_rows(&self, sources: &Sources<'_>, block: &mut ValueBlock) -> Result<(), Stop> {
        let row = self.structure.shape.paging.row_bytes();
        let mut rows = BlockRows::new(self.structure, sources, block);
        while !rows.are_done() {
            self.context.check()?;
            self.kernel.work_out(&mut rows, (CHECK_EVERY / row).max(1));
        }
        Ok(())
    }

    /// Computes the values of a block as the images of those of another.
    fn fill_image(
        &self,
        number: usize,
        block: &mut ValueBlock,
        from: &ValueBlock,
        image: &BlockImage,
    ) -> Result<(), Stop> {
        let Structure { shape, endings, .. } = self.structure;
        let mut images = image.of_rows();
        let mut walk = RowWalk::new(&endings.strides, shape, number);
        let mut found = vec![EndingWord::default(); endings.everything.len()];
        for (row, rank) in block
            .ranks
            .iter()
            .enumerate()
            .filter(|(_, rank)| endings::is_stored(**rank))
        {
            // Ranks of stored rows are consecutive, so they serve as a counter.
            if (*rank as usize).is_multiple_of(LOOK_EVERY) {
                self.context.check()?;
            }
            // Images are updated from the first digit that has changed, not computed anew for each
            // row.
            let changed = walk.go_to(shape, row) - shape.prefix();
            self.structure.find_ended(&walk, &mut found);
            let image = StoredRowImage {
                from,
                shape,
                start: images.of(&walk.digits[shape.prefix()..], changed),
                contents: &image.row,
            };
            let (_, out) = block.values.split_at_row(*rank as usize, shape.paging);
            self.kernel.write_image(&found, &image, out);
        }
        Ok(())
    }
}
