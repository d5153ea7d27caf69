//! The order of a sweep's blocks and the data that it keeps in memory. Its cost is known before it
//! begins.

use std::cmp::Reverse;
use std::sync::{Arc, PoisonError};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::block_store::bytes_to_pack;
use super::endings::EndingConditions;
use super::order::BlockOrder;
use super::pool::Room;
use super::shape::{SweepShape, SymmetryUse};
use super::walk::RowWalk;
use crate::convert::fit;
use crate::game::ruleset::{Indexed, Numbering, RowSample, TruthTable};
use crate::parallel;
use crate::player::Player;
use crate::watch::{Context, Limits, Shortage, Stop};

/// The least size in bytes that blocks would have if all their rows were stored; with shorter
/// blocks less is kept at one time.
const SHORT_BLOCK: u64 = 1 << 13;
/// The least size of blocks where there is less memory than the second number.
const SHORTEST_BLOCK: u64 = 1 << 7;
const SCARCE: u64 = 1 << 23;

/// The greatest number of positions. Larger tables fit on no machine, and places in them might not
/// fit in a machine's integer.
const MOST_POSITIONS: u64 = if usize::BITS < u64::BITS {
    1 << 31
} else {
    1 << 50
};

/// The number of bytes of values that are kept for further questions, if they fit.
const KEPT: u64 = 1 << 28;

/// The numbers of blocks of a batch that are tried; the first one for which there is memory is
/// used.
const WIDTHS: [usize; 4] = [32, 16, 8, 4];

/// The divisor that gives a bound on the size of packed blocks that wait in memory (measured: 5 to
/// 9 %).
const PACKED: u64 = 6;

/// The approximate number of bytes of the data about a block apart from its values. For the first
/// OWN blocks it is part of the program's own memory, and so are the first OWN_TABLES bytes of the
/// tables of conditions.
const KNOWN: u64 = 384;
const OWN: u64 = 1 << 12;
const OWN_TABLES: u64 = 1 << 23;

/// The sampling of rows that estimates how many are stored: the greatest number of rows of a block,
/// the greatest number for all blocks together, and the divisor of the rows of a small table.
/// Tables of fewer bytes than SMALL are not estimated.
const SAMPLE: usize = 256;
const SAMPLES: usize = 1 << 22;
const ONE_ROW_IN: usize = 16;
const SMALL: u64 = 1 << 24;

/// The processor time in seconds of determining whether a row is stored, of computing a stored row,
/// and of each of its bytes besides; and the factor for blocks that do not fit in a processor's
/// caches, whose size is the last number. Measured on a machine of 2024, over boards of Connect
/// Four from 4 × 4 to 6 × 6 in all widths; rows of Hex, with conditions on all cells, take three
/// times as long.
const PASSED: f64 = 2e-9;
const STORED: f64 = 2.5e-7;
const BYTE: f64 = 2.5e-10;
const FAR: f64 = 2.0;
const CACHED: u64 = 1 << 23;

/// The data that is kept of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All values, in memory.
    All,
    /// The values that others depend on, in memory.
    Needed,
    /// The values that others depend on, but with no more than this number of bytes in memory,
    /// including those in progress; the others are on the disk, or packed in memory if there is
    /// none.
    Few(u64),
}

/// The blocks and the order in which positions are swept, and the data that is kept.
#[derive(Debug)]
pub struct Schedule {
    pub(super) shape: SweepShape,
    pub(super) order: BlockOrder,
    pub(super) keep: Keep,
    /// The approximate number of bytes of each block.
    pub(super) sizes: Vec<u64>,
    /// The number of bytes of the tables of conditions.
    tables: u64,
    /// The number of bytes in memory at one time, including those in progress.
    held: u64,
}

/// Returns the number of bytes of the data about this many blocks, apart from their values.
fn bytes_known(blocks: u64) -> u64 {
    blocks.saturating_sub(OWN) * KNOWN
}

impl Schedule {
    /// Creates a schedule for values of `width` bytes that keeps as much as there is memory for, and
    /// uses a symmetry if there is memory for that. With the game's tables the number of stored
    /// rows is estimated; without them, all rows are counted.
    ///
    /// # Errors
    /// If there is too little memory, which is a [`Shortage`], or the work is stopped.
    pub fn new(
        width: usize,
        numbering: &Numbering,
        indexed: Option<&Indexed>,
        context: &Context<'_>,
    ) -> Result<Self, Stop> {
        let limits = context.limits;
        // No limit helps such a table, so an amount is named that no machine has.
        if numbering.positions() > MOST_POSITIONS || !SweepShape::can_have_ranks(numbering) {
            return Err(Stop::Shortage(Shortage {
                limit: limits.max_memory,
                needed: u64::MAX,
                with_disk: None,
            }));
        }
        let symmetric =
            Self::with_symmetry(width, numbering, indexed, SymmetryUse::IfItSaves, context)?;
        let Err((shortage, SymmetryUse::IfItSaves)) = symmetric else {
            return symmetric.map_err(|(shortage, _)| Stop::Shortage(shortage));
        };
        // Without the symmetry all positions must be computed, in shorter blocks.
        Self::with_symmetry(width, numbering, indexed, SymmetryUse::Unused, context)?
            .map_err(|(other, _)| Stop::Shortage(shortage.or(other)))
    }

    /// Creates a schedule that uses a symmetry or not. If there is too little memory, returns how
    /// much is needed, and whether a symmetry was used.
    fn with_symmetry(
        width: usize,
        numbering: &Numbering,
        indexed: Option<&Indexed>,
        symmetry: SymmetryUse,
        context: &Context<'_>,
    ) -> Result<Result<Self, (Shortage, SymmetryUse)>, Stop> {
        let limits = context.limits;
        let short = if limits.room() < SCARCE {
            SHORTEST_BLOCK
        } else {
            SHORT_BLOCK
        };
        // The data about millions of blocks may exceed the limit, and nothing is checked while it
        // is made.
        let blocks = SweepShape::most_blocks(width, numbering, short);
        if bytes_known(blocks) > context.memory_left() {
            return Err(Stop::Memory(limits.max_memory));
        }
        // With millions of blocks each of the steps takes up to a second.
        context.check()?;
        let (shape, moves_to) = SweepShape::new(width, numbering, short, symmetry);
        context.check()?;
        let used = if shape.is_symmetric() {
            SymmetryUse::IfItSaves
        } else {
            SymmetryUse::Unused
        };
        let lacking = |shortage| (shortage, used);
        let order = BlockOrder::new(moves_to, &shape, WIDTHS[0]);
        let tables = indexed.map_or(0, |indexed| {
            indexed.tables.iter().map(TruthTable::bytes).sum()
        });
        let (keep, sizes) = (Keep::All, Vec::new());
        let mut schedule = Self {
            order,
            shape,
            keep,
            sizes,
            tables,
            held: 0,
        };
        schedule.sizes = vec![schedule.size(schedule.shape.rows()); schedule.shape.blocks()];
        let most = KEPT.min(limits.room());
        // A small table is cheap in any case, and sampling it would cost more than it saves.
        if schedule.bytes_stored() > most.min(SMALL)
            && let Some(indexed) = indexed
        {
            schedule.sizes = schedule.estimated(indexed, context)?;
        }
        context.check()?;
        schedule.held = schedule.bytes_stored().saturating_add(schedule.besides());
        // Keeping all values makes further questions about the same game free.
        if schedule.held <= most {
            return Ok(Ok(schedule));
        }
        schedule.keep = Keep::Needed;
        let mut least = u64::MAX;
        // Wide batches use more threads, narrow ones keep fewer blocks at one time.
        for width in WIDTHS {
            context.check()?;
            schedule.order = schedule.order.in_batches_of(width, &schedule.shape);
            schedule.held = schedule.at_work().bytes().saturating_add(schedule.known());
            if schedule.held <= limits.room() {
                return Ok(Ok(schedule));
            }
            least = least.min(schedule.held);
        }
        schedule.held = least;
        Ok(schedule.with_few(limits, context).map_err(lacking))
    }

    /// Creates the schedule if not even the values that others depend on fit in memory.
    fn with_few(mut self, limits: Limits, context: &Context<'_>) -> Result<Self, Shortage> {
        // The memory is for a block and those from which it is computed, and for each thread's
        // packing.
        let largest = self.sizes.iter().copied().max().unwrap_or(0);
        let threads = bytes_to_pack(largest).saturating_mul(parallel::threads() as u64);
        let besides = threads.saturating_add(self.known());
        let on_disk = self.least().bytes().saturating_add(besides);
        let packed = if context.disk.is_some() {
            0
        } else {
            self.bytes_alive() / PACKED
        };
        let least = on_disk.saturating_add(packed);
        if least <= limits.room() {
            // The rest of the room holds blocks that would otherwise be packed and loaded again.
            self.keep = Keep::Few(limits.room() - besides - packed);
            self.held = limits.room();
            return Ok(self);
        }
        let least = self.held.min(least);
        let with_disk =
            (context.disk.is_none() && on_disk < least).then(|| Limits::for_room(on_disk));
        Err(Shortage {
            limit: limits.max_memory,
            needed: Limits::for_room(least),
            with_disk,
        })
    }

    /// Returns the number of bytes of a block with `stored` stored rows.
    fn size(&self, stored: usize) -> u64 {
        let paging = self.shape.paging;
        let values = (paging.pages(stored) as u64).saturating_mul(paging.page_bytes() as u64);
        values.saturating_add(self.ranks())
    }

    /// Returns the approximate number of bytes of blocks that others depend on at one time, in
    /// memory and on the disk together.
    pub fn bytes_alive(&self) -> u64 {
        self.order.most_alive(&|block| self.sizes[block], &|_| 0)
    }

    /// Returns the space of blocks that others depend on at one time, and of the images that are
    /// used at that time.
    fn at_work(&self) -> Room {
        let threads = parallel::threads();
        let most = |bytes: fn(Room) -> u64| {
            self.order
                .most_alive(&|block| bytes(self.room_of(block)), &|batch| {
                    self.images_in(batch, threads, bytes)
                })
        };
        Room::of_each_kind(most)
    }

    /// Returns the number of bytes of the ranks of a block.
    fn ranks(&self) -> u64 {
        (self.shape.rows() * size_of::<super::endings::Rank>()) as u64
    }

    /// Returns the space of a block.
    pub(super) fn room_of(&self, block: usize) -> Room {
        Room {
            ranks: self.ranks(),
            values: self.sizes[block].saturating_sub(self.ranks()),
        }
    }

    /// Iterates over the blocks of which a block uses images.
    fn images_for(&self, block: usize) -> impl Iterator<Item = usize> {
        let worked_out = self
            .order
            .moves_to(block)
            .iter()
            .map(|need| self.shape.worked_out(*need));
        worked_out.filter_map(|(from, image)| image.map(|_| from))
    }

    /// Returns the space of the images that a block uses.
    fn images_of(&self, block: usize) -> Room {
        self.images_for(block).map(|from| self.room_of(from)).sum()
    }

    /// Returns the greatest space of images in memory at one time, whichever blocks are computed
    /// together.
    pub(super) fn images(&self) -> Room {
        let images = self
            .order
            .sequence()
            .iter()
            .map(|block| self.images_of(*block));
        images
            .fold(Room::default(), Room::max)
            .times(parallel::threads() as u64)
    }

    /// Returns the number of bytes of one kind of images while a batch is computed: each thread
    /// makes those of one block.
    fn images_in(&self, batch: &[usize], threads: usize, bytes: fn(Room) -> u64) -> u64 {
        let mut images: Vec<u64> = batch
            .iter()
            .map(|block| bytes(self.images_of(*block)))
            .collect();
        // In the worst case all threads work on the blocks with the largest images.
        images.sort_unstable_by_key(|bytes| Reverse(*bytes));
        images
            .into_iter()
            .take(threads)
            .fold(0, u64::saturating_add)
    }

    /// Returns the space for one block after another with those from which it is computed,
    /// including images.
    pub(super) fn least(&self) -> Room {
        let with_needs = |block: &usize| {
            self.order
                .needs(*block)
                .iter()
                .chain([block])
                .map(|block| self.room_of(*block))
                .sum::<Room>()
        };
        self.order
            .sequence()
            .iter()
            .map(with_needs)
            .fold(Room::default(), Room::max)
            + self.images()
    }

    /// Returns the number of bytes of the data about many blocks, and of large tables.
    fn known(&self) -> u64 {
        let blocks = bytes_known(self.shape.blocks() as u64);
        blocks.saturating_add(self.tables.saturating_sub(OWN_TABLES))
    }

    /// Returns the number of bytes that blocks in progress take besides their own values.
    fn besides(&self) -> u64 {
        self.images().bytes().saturating_add(self.known())
    }

    /// Estimates the number of bytes of each block, by a sample of its rows.
    fn estimated(&self, indexed: &Indexed, context: &Context<'_>) -> Result<Vec<u64>, Stop> {
        let known = || {
            indexed
                .sample
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let (prefix, is_symmetric) = (self.shape.prefix(), self.shape.is_symmetric());
        // The lock is released during the sampling, which takes long.
        let sample = known().clone();
        let sample =
            sample.filter(|sample| sample.prefix == prefix && sample.is_symmetric == is_symmetric);
        let sample = match sample {
            Some(sample) => sample,
            None => RowSample {
                prefix,
                is_symmetric,
                stored: self.sampled(indexed, context)?,
            },
        };
        let mut sizes = vec![0; self.shape.blocks()];
        for block in self.order.sequence() {
            sizes[*block] = self.size(sample.stored[*block]);
        }
        *known() = Some(sample);
        Ok(sizes)
    }

    /// Estimates the number of stored rows of each block, by a sample.
    fn sampled(&self, indexed: &Indexed, context: &Context<'_>) -> Result<Arc<[usize]>, Stop> {
        // Rows are stored or not whichever side comes first, so any seeker serves.
        let endings = EndingConditions::new(indexed, &self.shape, Player::Alice);
        let rows = self.shape.rows();
        let sample = (SAMPLES / self.blocks().max(1))
            .min(rows / ONE_ROW_IN)
            .clamp(1, SAMPLE);
        let estimate = |block: &usize| {
            // The seed depends on the block only, so the same sweep always gets the same plan.
            let mut dice = Xoshiro256PlusPlus::seed_from_u64(*block as u64);
            let mut walk = RowWalk::new(&endings.strides, &self.shape, *block);
            let stored = (0..sample).filter(|_| {
                walk.go_to(&self.shape, fit::<usize>(dice.next_u64() % rows as u64));
                endings.ended_row(&walk).is_none()
            });
            (stored.count() * rows).div_ceil(sample)
        };
        let mut stored = vec![0; self.shape.blocks()];
        let found = parallel::try_map(self.order.sequence().chunks(64), |blocks| {
            context.check()?;
            Ok(blocks.iter().map(estimate).collect::<Vec<_>>())
        })?;
        let sequence = self.order.sequence().iter();
        for (block, found) in sequence.zip(found.into_iter().flatten()) {
            stored[*block] = found;
        }
        Ok(stored.into())
    }

    /// Returns the kind of data that is kept.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// Returns the number of blocks that are computed.
    pub fn blocks(&self) -> usize {
        self.order.sequence().len()
    }

    /// Estimates the processor time in seconds of computing all blocks, within a factor of three.
    pub fn seconds(&self) -> f64 {
        let row = self.seconds_a_row();
        let blocks = self.order.sequence().iter();
        blocks.map(|block| self.seconds_of(*block, row)).sum()
    }

    /// Estimates the processor time in seconds of computing a stored row.
    pub(super) fn seconds_a_row(&self) -> f64 {
        let is_far = self.bytes_stored() / self.blocks().max(1) as u64 > CACHED;
        let row = STORED + self.shape.paging.row_bytes() as f64 * BYTE;
        row * if is_far { FAR } else { 1.0 }
    }

    /// Estimates the processor time in seconds of computing a block, with the images that it uses,
    /// given the time of a stored row.
    pub(super) fn seconds_of(&self, block: usize, row: f64) -> f64 {
        let bytes = self.shape.paging.row_bytes() as u64;
        let (mut passed, mut stored) = (0.0, 0.0);
        for block in self.images_for(block).chain([block]) {
            passed += self.shape.rows() as f64;
            stored += (self.room_of(block).values / bytes) as f64;
        }
        passed * PASSED + stored * row
    }

    /// Returns the approximate number of bytes that are computed and stored.
    pub fn bytes_stored(&self) -> u64 {
        self.order
            .sequence()
            .iter()
            .fold(0, |all, block| all.saturating_add(self.sizes[*block]))
    }

    /// Returns the number of bytes of all values that are in memory at one time.
    pub fn bytes_held(&self) -> u64 {
        self.held
    }
}
