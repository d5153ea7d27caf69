//! Blocks: the ranks of their rows, the values of the stored rows, and their computation.

use super::cells::Cells;
use super::endings::{self, MOST_RANKS, Rank, UNKNOWN};
use super::pages::{Pages, Paging};
use super::pool::{Pool, Room, bytes_of};
use super::row::{Before, RowKernel, RowScratch, Sources};
use super::shape::BlockImage;
use super::walk::RowWalk;
use crate::theory::Theory;
use crate::watch::{Context, Stop};

/// The number of bytes of values that are computed between two checks.
const CHECK_EVERY: usize = 1 << 18;

/// The number of rows that are examined between two checks.
const LOOK_EVERY: usize = 1 << 14;

/// The values of a block; empty if they are not in memory.
#[derive(Debug, Clone)]
pub struct ValueBlock<C> {
    /// The rank of each row.
    pub ranks: Vec<Rank>,
    /// The stored rows, one after another.
    pub values: Pages<C>,
}

impl<C> Default for ValueBlock<C> {
    fn default() -> Self {
        Self {
            ranks: Vec::new(),
            values: Pages::default(),
        }
    }
}

impl<C: Cells> ValueBlock<C> {
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

    /// Returns the number at a place of a stored row.
    #[inline(always)]
    pub fn value(&self, row: usize, content: usize, paging: Paging) -> Option<C::Number> {
        let rank = *self.ranks.get(row)?;
        let value = || {
            self.values.row(rank as usize, paging)[content / C::CONTENTS].get(content % C::CONTENTS)
        };
        endings::is_stored(rank).then(value)
    }

    /// Creates a block with space for the rows that are stored.
    fn surveyed<T: Theory<Number = C::Number>>(
        kernel: &RowKernel<'_, T, C>,
        pool: &Pool<C>,
        block: usize,
        context: &Context<'_>,
    ) -> Result<Self, Stop> {
        let RowKernel { shape, endings, .. } = kernel;
        let last = kernel.indexed.numbering.digits.len().saturating_sub(1);
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

/// Computes the values of a block, given those of the blocks before it.
///
/// # Errors
/// If the work is stopped.
pub fn fill<C: Cells, T: Theory<Number = C::Number>>(
    kernel: &RowKernel<'_, T, C>,
    blocks: &[ValueBlock<C>],
    pool: &Pool<C>,
    block: usize,
    context: &Context<'_>,
) -> Result<ValueBlock<C>, Stop> {
    let mut filled = ValueBlock::surveyed(kernel, pool, block, context)?;
    let mut images = Vec::new();
    for &need in kernel.needs(block) {
        if let (from, Some(image)) = kernel.shape.worked_out(need) {
            let mut made = ValueBlock::surveyed(kernel, pool, need, context)?;
            made.fill_image(kernel, need, &blocks[from], image, context)?;
            images.push((need, made));
        }
    }
    let sources = Sources {
        blocks,
        images,
        block,
    };
    filled.fill_rows(kernel, &sources, context)?;
    sources
        .images
        .into_iter()
        .for_each(|(_, image)| pool.take_back(image));
    Ok(filled)
}

/// The rows of a block during its computation.
struct BlockRows<'r, 'k, T: Theory, C: Cells<Number = T::Number>> {
    kernel: &'r RowKernel<'k, T, C>,
    before: &'r Before<'r, C>,
    ranks: &'r [Rank],
    values: &'r mut Pages<C>,
    walk: RowWalk<'r>,
    scratch: RowScratch<C>,
    /// The row after the last that has been computed.
    row: usize,
    /// The number of stored rows that have been computed.
    next: usize,
}

/// A number of stored rows that are computed with the processor's best instructions.
struct Stretch<'s, 'r, 'k, T: Theory, C: Cells<Number = T::Number>> {
    rows: &'s mut BlockRows<'r, 'k, T, C>,
    count: usize,
}

#[cfg(not(target_family = "wasm"))]
impl<C: Cells, T: Theory<Number = C::Number>> pulp::WithSimd for Stretch<'_, '_, '_, T, C> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        self.work_out();
    }
}

impl<C: Cells, T: Theory<Number = C::Number>> Stretch<'_, '_, '_, T, C> {
    /// Computes the rows with the processor's best instructions; the build for web pages uses only
    /// those of the program.
    fn dispatch(self) {
        #[cfg(not(target_family = "wasm"))]
        pulp::Arch::new().dispatch(self);
        #[cfg(target_family = "wasm")]
        self.work_out();
    }

    // Code that is inlined here is compiled for the chosen instructions, so everything is inlined,
    // down to the loops over a row.
    #[inline(always)]
    fn work_out(self) {
        let BlockRows {
            kernel,
            before,
            ranks,
            values,
            walk,
            scratch,
            row,
            next,
        } = self.rows;
        for _ in 0..self.count {
            let Some(passed) = ranks[*row..]
                .iter()
                .position(|rank| endings::is_stored(*rank))
            else {
                break;
            };
            *row += passed;
            kernel.go_to(walk, *row, scratch);
            let (below, out) = values.split_at_row(*next, kernel.shape.paging);
            kernel.work_out(walk, before, (ranks, below), out, scratch);
            (*row, *next) = (*row + 1, *next + 1);
        }
    }
}

impl<C: Cells> ValueBlock<C> {
    /// Computes the values of the stored rows, given those of other blocks.
    fn fill_rows<T: Theory<Number = C::Number>>(
        &mut self,
        kernel: &RowKernel<'_, T, C>,
        sources: &Sources<'_, C>,
        context: &Context<'_>,
    ) -> Result<(), Stop> {
        let stride = kernel.shape.paging.stride();
        let before = kernel.sources_of_block(sources);
        let rows_between = (CHECK_EVERY / (stride * size_of::<C>())).max(1);
        let mut rows = BlockRows {
            kernel,
            before: &before,
            ranks: &self.ranks,
            values: &mut self.values,
            walk: RowWalk::new(&kernel.endings.strides, kernel.shape, sources.block),
            scratch: RowScratch::new(kernel),
            row: 0,
            next: 0,
        };
        while rows.next * stride < rows.values.len() {
            context.check()?;
            Stretch {
                rows: &mut rows,
                count: rows_between,
            }
            .dispatch();
        }
        Ok(())
    }

    /// Computes the values of a block as the images of those of another.
    fn fill_image<T: Theory<Number = C::Number>>(
        &mut self,
        kernel: &RowKernel<'_, T, C>,
        block: usize,
        from: &Self,
        image: &BlockImage,
        context: &Context<'_>,
    ) -> Result<(), Stop> {
        let (shape, paging) = (kernel.shape, kernel.shape.paging);
        let mut images = image.of_rows();
        let mut walk = RowWalk::new(&kernel.endings.strides, shape, block);
        for (row, rank) in self
            .ranks
            .iter()
            .enumerate()
            .filter(|(_, rank)| endings::is_stored(**rank))
        {
            if (*rank as usize).is_multiple_of(LOOK_EVERY) {
                context.check()?;
            }
            let changed = walk.go_to(shape, row) - shape.prefix();
            let there = images.of(&walk.digits[shape.prefix()..], changed);
            let (_, out) = self.values.split_at_row(*rank as usize, paging);
            kernel.write_ended(&walk, out);
            kernel.each_open(&walk, |content| {
                let there = there.and(image.row[content]);
                // The image of an open position is open, so its row is stored.
                let value = from
                    .value(there.row, there.content, paging)
                    .expect("it is open");
                out[content / C::CONTENTS].set(content % C::CONTENTS, value);
            });
        }
        Ok(())
    }
}
