//! The order of a sweep's blocks and what it keeps in memory: what it costs is known before it
//! begins.

use std::cmp::Reverse;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::cells::CellLayout;
use super::endings::EndingConditions;
use super::order::BlockOrder;
use super::parcel::{CAN_PACK, bytes_to_pack};
use super::pool::Room;
use super::shape::{SweepShape, SymmetryUse};
use super::walk::RowWalk;
use crate::game::ruleset::{Indexed, Numbering, TruthTable};
use crate::parallel;
use crate::player::Player;
use crate::watch::{Context, Limits, Shortage};

/// Blocks would be at least this long, in bytes, if all their rows were stored; the shorter they
/// are the less is kept at one time.
const SHORT_BLOCK: u64 = 1 << 13;
/// Likewise where there is less room than the second number.
const SHORTEST_BLOCK: u64 = 1 << 7;
const SCARCE: u64 = 1 << 23;

/// Tables of more positions fit on no machine, and places in them might not fit in a machine's
/// integer.
const MOST_POSITIONS: u64 = if usize::BITS < u64::BITS {
    1 << 31
} else {
    1 << 50
};

/// How many bytes of values are kept for further questions, where they fit.
const KEPT: u64 = 1 << 28;

/// How many blocks make a batch, the first of these for which there is room.
const WIDTHS: [usize; 4] = [32, 16, 8, 4];

/// Packed blocks take at most one part in so many of themselves (measured: 5 to 9 %), where they
/// wait in memory.
const PACKED: u64 = 6;

/// What is known of a block takes about so many bytes, be its values there or not. Of the first so
/// many blocks it is part of what the program takes itself, and so are so many bytes of the tables
/// of conditions.
const KNOWN: u64 = 384;
const OWN: u64 = 1 << 12;
const OWN_TABLES: u64 = 1 << 23;

/// How many rows of a block are looked at to estimate how many are stored, where there are few
/// blocks, how many of all of them where there are many, and one in how many of a small table. For
/// one of so few bytes it does not matter.
const SAMPLE: usize = 256;
const SAMPLES: usize = 1 << 22;
const ONE_ROW_IN: usize = 16;
const SMALL: u64 = 1 << 24;

/// How many seconds of processor time it takes to find out whether a row is stored, to work out one
/// that is, and besides for each of its bytes; and how many times as long that takes where a block
/// does not fit in a processor's caches. Measured on a machine of 2024, over boards of Connect Four
/// from 4 × 4 to 6 × 6 in all layouts; rows of Hex, with conditions on all cells, take three times
/// as long.
const PASSED: f64 = 2e-9;
const STORED: f64 = 2.5e-7;
const BYTE: f64 = 2.5e-10;
const FAR: f64 = 2.0;
const CACHED: u64 = 1 << 23;

/// What is kept of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All values, in memory.
    All,
    /// In memory those that others depend on.
    Needed,
    /// The same, but no more than so many bytes in memory, what is worked on included, the others
    /// on the disk, or packed in memory where there is none.
    Few(u64),
}

/// In which blocks and in which order positions are swept, and what is kept.
#[derive(Debug)]
pub struct Schedule {
    pub(super) shape: SweepShape,
    pub(super) order: BlockOrder,
    pub(super) keep: Keep,
    /// By block: about how many bytes it takes.
    pub(super) sizes: Vec<u64>,
    /// The bytes of the tables of conditions.
    tables: u64,
    /// How many bytes are in memory at one time, those that are worked on included.
    held: u64,
}

impl Schedule {
    /// A schedule for values so stored that keeps as much as there is room for, and makes use of a
    /// symmetry if there is room for that. With the game's tables it is known how many rows are
    /// stored; without, all are counted.
    ///
    /// # Errors
    /// If there is no room: how much it takes.
    pub fn new(
        layout: CellLayout,
        numbering: &Numbering,
        indexed: Option<&Indexed>,
        context: &Context<'_>,
    ) -> Result<Self, Shortage> {
        let limits = context.limits;
        if numbering.positions() > MOST_POSITIONS {
            return Err(Shortage {
                limit: limits.max_memory,
                needed: u64::MAX,
                with_disk: None,
            });
        }
        let symmetric =
            Self::with_symmetry(layout, numbering, indexed, SymmetryUse::IfItSaves, context);
        let Err((shortage, SymmetryUse::IfItSaves)) = symmetric else {
            return symmetric.map_err(|(shortage, _)| shortage);
        };
        // All positions must be worked out then, in shorter blocks.
        Self::with_symmetry(layout, numbering, indexed, SymmetryUse::Unused, context)
            .map_err(|(other, _)| shortage.or(other))
    }

    /// A schedule that makes use of a symmetry or not; if there is no room, how much it takes, and
    /// whether one was made use of.
    fn with_symmetry(
        layout: CellLayout,
        numbering: &Numbering,
        indexed: Option<&Indexed>,
        symmetry: SymmetryUse,
        context: &Context<'_>,
    ) -> Result<Self, (Shortage, SymmetryUse)> {
        let limits = context.limits;
        let short = if limits.room() < SCARCE {
            SHORTEST_BLOCK
        } else {
            SHORT_BLOCK
        };
        let (shape, moves_to) = SweepShape::new(layout, numbering, short, symmetry);
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
        if schedule.bytes_stored() > most.min(SMALL)
            && let Some(indexed) = indexed
        {
            schedule.sizes = schedule.estimated(indexed);
        }
        schedule.held = schedule.bytes_stored().saturating_add(schedule.besides());
        if schedule.held <= most {
            return Ok(schedule);
        }
        schedule.keep = Keep::Needed;
        let mut least = u64::MAX;
        for width in WIDTHS {
            schedule.order = schedule.order.in_batches_of(width, &schedule.shape);
            schedule.held = schedule.at_work().bytes().saturating_add(schedule.known());
            if schedule.held <= limits.room() {
                return Ok(schedule);
            }
            least = least.min(schedule.held);
        }
        schedule.held = least;
        schedule.with_few(limits, context).map_err(lacking)
    }

    /// The schedule where not even what others depend on fits in memory.
    fn with_few(mut self, limits: Limits, context: &Context<'_>) -> Result<Self, Shortage> {
        if !CAN_PACK {
            return Err(Shortage {
                limit: limits.max_memory,
                needed: Limits::for_room(self.held),
                with_disk: None,
            });
        }
        // A block and what it is worked out from; and what each thread takes besides.
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

    /// The bytes of a block of which so many rows are stored.
    fn size(&self, stored: usize) -> u64 {
        let paging = self.shape.paging;
        let values = (paging.pages(stored) as u64).saturating_mul(paging.page_bytes() as u64);
        values.saturating_add(self.ranks())
    }

    /// About how many bytes of blocks others depend on at one time, in memory and on the disk
    /// together.
    pub fn bytes_alive(&self) -> u64 {
        self.order.most_alive(&|block| self.sizes[block], &|_| 0)
    }

    /// The room of blocks that others depend on at one time, and of the images that are worked with
    /// at that time.
    fn at_work(&self) -> Room {
        let most = |bytes: fn(Room) -> u64| {
            self.order
                .most_alive(&|block| bytes(self.room_of(block)), &|batch| {
                    self.images_in(batch, bytes)
                })
        };
        Room::of_each_kind(most)
    }

    /// The bytes of the ranks of a block.
    fn ranks(&self) -> u64 {
        (self.shape.rows() * size_of::<super::endings::Rank>()) as u64
    }

    /// The room of a block.
    pub(super) fn room_of(&self, block: usize) -> Room {
        Room {
            ranks: self.ranks(),
            values: self.sizes[block].saturating_sub(self.ranks()),
        }
    }

    /// The blocks of which a block takes images.
    fn images_for(&self, block: usize) -> impl Iterator<Item = usize> {
        let worked_out = self
            .order
            .moves_to(block)
            .iter()
            .map(|need| self.shape.worked_out(*need));
        worked_out.filter_map(|(from, image)| image.map(|_| from))
    }

    /// The room of the images that a block takes.
    fn images_of(&self, block: usize) -> Room {
        self.images_for(block).map(|from| self.room_of(from)).sum()
    }

    /// The most room of images that are in memory at one time, whatever blocks are worked on
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

    /// The bytes of one kind of images while a batch is worked on: each thread makes those of one
    /// block.
    fn images_in(&self, batch: &[usize], bytes: fn(Room) -> u64) -> u64 {
        let mut images: Vec<u64> = batch
            .iter()
            .map(|block| bytes(self.images_of(*block)))
            .collect();
        images.sort_unstable_by_key(|bytes| Reverse(*bytes));
        images
            .into_iter()
            .take(parallel::threads())
            .fold(0, u64::saturating_add)
    }

    /// The room for one block after another with what each is worked out from, images included.
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

    /// The bytes of what is known of many blocks, and of large tables.
    fn known(&self) -> u64 {
        let blocks = (self.shape.blocks() as u64).saturating_sub(OWN) * KNOWN;
        blocks.saturating_add(self.tables.saturating_sub(OWN_TABLES))
    }

    /// The bytes that blocks at work take besides those of their own values.
    fn besides(&self) -> u64 {
        self.images().bytes().saturating_add(self.known())
    }

    /// The bytes of each block, by a sample of its rows.
    fn estimated(&self, indexed: &Indexed) -> Vec<u64> {
        let endings = EndingConditions::new(indexed, &self.shape, Player::Alice);
        let rows = self.shape.rows();
        let sample = (SAMPLES / self.blocks().max(1))
            .min(rows / ONE_ROW_IN)
            .clamp(1, SAMPLE);
        let estimate = |block: &usize| {
            let mut dice = Xoshiro256PlusPlus::seed_from_u64(*block as u64);
            let mut walk = RowWalk::new(&endings.strides, &self.shape, *block);
            let stored = (0..sample).filter(|_| {
                walk.go_to(&self.shape, (dice.next_u64() % rows as u64) as usize);
                endings.ended_row(&walk).is_none()
            });
            let stored = stored.count() * rows;
            self.size(stored.div_ceil(sample))
        };
        let mut sizes = vec![0; self.shape.blocks()];
        let found = parallel::map(self.order.sequence().chunks(64), |blocks| {
            blocks.iter().map(estimate).collect::<Vec<_>>()
        });
        self.order
            .sequence()
            .iter()
            .zip(found.into_iter().flatten())
            .for_each(|(block, size)| sizes[*block] = size);
        sizes
    }

    /// What is kept.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// How many blocks are worked out.
    pub fn blocks(&self) -> usize {
        self.order.sequence().len()
    }

    /// How many seconds of processor time it takes to work all blocks out, within a factor of
    /// three.
    pub fn seconds(&self) -> f64 {
        let row = self.shape.paging.row_bytes() as u64;
        let blocks = self.order.sequence().iter().copied();
        let images = blocks.clone().flat_map(|block| self.images_for(block));
        let (mut passed, mut stored) = (0.0, 0.0);
        for block in blocks.chain(images) {
            passed += self.shape.rows() as f64;
            stored += (self.room_of(block).values / row) as f64;
        }
        let is_far = self.bytes_stored() / self.blocks().max(1) as u64 > CACHED;
        passed * PASSED + stored * (STORED + row as f64 * BYTE) * if is_far { FAR } else { 1.0 }
    }

    /// About how many bytes are worked out and stored.
    pub fn bytes_stored(&self) -> u64 {
        self.order
            .sequence()
            .iter()
            .fold(0, |all, block| all.saturating_add(self.sizes[*block]))
    }

    /// The bytes of all values that are in memory at one time.
    pub fn bytes_held(&self) -> u64 {
        self.held
    }
}
