//! The order of a sweep's blocks and what it keeps in memory: what it costs is known before it begins.

use std::collections::BTreeSet;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::endings::Endings;
use super::order::Order;
use super::shape::Shape;
use super::walk::Walk;
use crate::game::ruleset::{Indexed, Numbering, State};
use crate::parallel;
use crate::player::Player;
use crate::watch::{Limits, Shortage, Watch};

/// Blocks would be at least this long, in bytes, if all their rows were stored; the shorter they are the less is kept at one time.
const SHORT_BLOCK: usize = 1 << 13;
/// Likewise where there is less room than the second number.
const SHORTEST_BLOCK: usize = 1 << 7;
const SCARCE: u64 = 1 << 23;

/// Tables of more positions fit on no machine, and places in them might not fit in a machine's integer.
const MOST_POSITIONS: u64 = 1 << 50;

/// How many bytes of values are kept for further questions, where they fit.
const KEPT: u64 = 1 << 28;

/// How many blocks make a batch, the first of these for which there is room.
const WIDTHS: [usize; 4] = [32, 16, 8, 4];

/// Of so many bytes one more is taken: blocks of different lengths leave gaps between them (measured on ten boards: 7 to 15 %).
const GAPS: u64 = 10;

/// How many rows of a block are looked at to estimate how many are stored.
const SAMPLE: usize = 256;

/// What is kept of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All values, in memory.
    All,
    /// In memory those that others depend on, in the end those that are wanted.
    Needed,
    /// The same, but no more than so many bytes in memory, the others on the disk.
    Few(u64),
}

/// In which blocks and in which order positions are swept, and what is kept.
#[derive(Debug)]
pub struct Schedule {
    pub(super) shape: Shape,
    pub(super) order: Order,
    pub(super) keep: Keep,
    /// The blocks whose values are kept in any case.
    pub(super) wanted: BTreeSet<usize>,
    /// By block: about how many bytes it takes.
    pub(super) sizes: Vec<u64>,
    /// How many bytes are in memory at one time, those that are worked on included.
    held: u64,
}

impl Schedule {
    /// A schedule for values of so many bytes that keeps as much as there is room for, the values of some positions at least; these must be
    /// numbered. With the game's tables it is known how many rows are stored; without, all are counted.
    ///
    /// # Errors
    /// If there is no room: how much it takes.
    ///
    /// # Panics
    /// If one of these is not numbered.
    pub fn new(
        bytes: usize,
        (numbering, indexed): (&Numbering, Option<&Indexed>),
        wanted: &[State],
        watch: &dyn Watch,
    ) -> Result<Self, Shortage> {
        let limits = watch.limits();
        if numbering.positions() > MOST_POSITIONS {
            return Err(Shortage { limit: limits.max_memory, needed: u64::MAX, with_disk: None });
        }
        let shape = Shape::new(bytes, numbering, if limits.room() < SCARCE { SHORTEST_BLOCK } else { SHORT_BLOCK });
        let block_of = |state| shape.place(&numbering.digits_of(state).expect("a numbered position")).block;
        let wanted: BTreeSet<usize> = wanted.iter().map(block_of).collect();
        let mut schedule = Self {
            order: Order::new(numbering, &shape, WIDTHS[0]),
            shape,
            keep: Keep::All,
            wanted,
            sizes: Vec::new(),
            held: 0,
        };
        schedule.sizes = vec![schedule.size(bytes, schedule.shape.rows()); schedule.shape.blocks()];
        let most = KEPT.min(limits.room());
        if schedule.all() > most
            && let Some(indexed) = indexed
        {
            schedule.sizes = schedule.estimated(bytes, indexed);
        }
        if schedule.all() + schedule.worked_on() <= most {
            schedule.held = schedule.all() + schedule.worked_on();
            return Ok(schedule);
        }
        schedule.keep = Keep::Needed;
        for width in WIDTHS {
            schedule.order = Order::new(numbering, &schedule.shape, width);
            schedule.held = with_gaps(schedule.most_alive() + schedule.worked_on());
            if schedule.held <= limits.room() {
                return Ok(schedule);
            }
        }
        schedule.with_disk(limits, watch)
    }

    /// The schedule where not even what others depend on fits in memory.
    fn with_disk(mut self, limits: Limits, watch: &dyn Watch) -> Result<Self, Shortage> {
        // A block and what it is worked out from; each thread turns blocks into bytes, these into fewer (or a little more),
        // and has read as many from a file.
        let largest = self.sizes.iter().copied().max().unwrap_or(0);
        let threads = largest.saturating_mul((7 * parallel::threads()).div_ceil(2) as u64);
        let most_needed = |block: &usize| self.order.needs(*block).iter().map(|need| self.sizes[*need]).sum::<u64>();
        let least =
            self.order.sequence().iter().map(|block| self.sizes[*block] + most_needed(block)).max().unwrap_or(0);
        let wanted: u64 = self.wanted.iter().map(|block| self.sizes[*block]).sum();
        let least = with_gaps(least.max(wanted).saturating_add(threads).saturating_add(self.worked_on()));
        match watch.disk() {
            Some(_) if least <= limits.room() => {
                let room = limits.room() - limits.room() / GAPS;
                self.keep = Keep::Few(room - threads - self.worked_on());
                self.held = limits.room();
                Ok(self)
            }
            disk => {
                let with_disk = (disk.is_none() && least < self.held).then(|| Limits::for_room(least));
                let needed = if disk.is_some() { self.held.min(least) } else { self.held };
                Err(Shortage { limit: limits.max_memory, needed: Limits::for_room(needed), with_disk })
            }
        }
    }

    /// The bytes of a block of which so many rows are stored.
    fn size(&self, bytes: usize, stored: usize) -> u64 {
        let values = (stored as u64).saturating_mul((self.shape.stride() * bytes) as u64);
        values.saturating_add((self.shape.rows() * size_of::<super::endings::Rank>()) as u64)
    }

    /// The bytes of all blocks.
    fn all(&self) -> u64 {
        self.order.sequence().iter().fold(0, |all, block| all.saturating_add(self.sizes[*block]))
    }

    fn most_alive(&self) -> u64 {
        self.order.most_alive(&|block| self.sizes[block], &|block| self.wanted.contains(&block))
    }

    /// The bytes of images of blocks that are in memory at one time.
    fn worked_on(&self) -> u64 {
        let images = |block: &usize| {
            let images = self.order.moves_to(*block).iter().filter(|need| self.shape.worked_out(**need).1.is_some());
            images.map(|need| self.sizes[self.shape.worked_out(*need).0]).sum::<u64>()
        };
        self.order.sequence().iter().map(images).max().unwrap_or(0).saturating_mul(parallel::threads() as u64)
    }

    /// The bytes of each block, by a sample of its rows.
    fn estimated(&self, bytes: usize, indexed: &Indexed) -> Vec<u64> {
        let endings = Endings::new(indexed, &self.shape, Player::Alice);
        let rows = self.shape.rows();
        let estimate = |block: &usize| {
            let mut dice = Xoshiro256PlusPlus::seed_from_u64(*block as u64);
            let mut walk = Walk::new(indexed, &self.shape, *block);
            let stored = (0..SAMPLE).filter(|_| {
                walk.go_to(indexed, &self.shape, (dice.next_u64() % rows as u64) as usize);
                endings.ended_row(&walk).is_none()
            });
            let stored = stored.count() * rows;
            self.size(bytes, stored.div_ceil(SAMPLE))
        };
        let mut sizes = vec![0; self.shape.blocks()];
        let found =
            parallel::map(self.order.sequence().chunks(64), |blocks| blocks.iter().map(estimate).collect::<Vec<_>>());
        self.order.sequence().iter().zip(found.into_iter().flatten()).for_each(|(block, size)| sizes[*block] = size);
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

    /// About how many bytes are worked out and stored.
    pub fn bytes_stored(&self) -> u64 {
        self.all()
    }

    /// The bytes of all values that are in memory at one time.
    pub fn bytes_held(&self) -> u64 {
        self.held
    }
}

/// The bytes that are taken from the system for so many.
fn with_gaps(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / (GAPS - 1))
}
