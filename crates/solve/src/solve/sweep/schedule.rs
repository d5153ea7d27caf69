//! The order of a sweep's blocks and what it keeps in memory: what it costs is known before it begins.

use std::collections::BTreeSet;

use super::order::Order;
use super::shape::Shape;
use crate::game::ruleset::{Numbering, State};
use crate::parallel;
use crate::watch::{Limits, Shortage, Watch};

/// Blocks are made at least this long, in bytes; the shorter they are the less goes on at one time.
const SHORT_BLOCK: usize = 1 << 18;
/// Likewise where there is less room than the second number.
const SHORTEST_BLOCK: usize = 1 << 7;
const SCARCE: u64 = 1 << 23;

/// Tables of more positions fit on no machine, and places in them might not fit in a machine's integer.
const MOST_POSITIONS: u64 = 1 << 50;

/// What is kept of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All values, in memory.
    All,
    /// In memory those that others depend on, in the end those that are wanted.
    Needed,
    /// The same, but no more than so many blocks in memory, the others on the disk.
    Few(usize),
}

/// In which blocks and in which order positions are swept, and what is kept.
#[derive(Debug)]
pub struct Schedule {
    pub(super) shape: Shape,
    pub(super) order: Order,
    pub(super) keep: Keep,
    /// The blocks whose values are kept in any case.
    pub(super) wanted: BTreeSet<usize>,
    /// How many blocks are in memory at one time, those that are worked on included.
    held: usize,
    /// The bytes of a block.
    block: u64,
}

impl Schedule {
    /// A schedule for values of so many bytes that keeps as much as there is room for, the values of some positions at least; these must be
    /// numbered.
    ///
    /// # Errors
    /// If there is no room: how much it takes.
    ///
    /// # Panics
    /// If one of these is not numbered.
    pub fn new(bytes: usize, numbering: &Numbering, wanted: &[State], watch: &dyn Watch) -> Result<Self, Shortage> {
        let limits = watch.limits();
        if numbering.positions() > MOST_POSITIONS {
            return Err(Shortage { limit: limits.max_memory, needed: u64::MAX, with_disk: None });
        }
        let shape = Shape::new(bytes, numbering, if limits.room() < SCARCE { SHORTEST_BLOCK } else { SHORT_BLOCK });
        let order = Order::new(numbering, &shape);
        let block_of = |state| shape.place(&numbering.digits_of(state).expect("a numbered position")).0;
        let wanted: BTreeSet<usize> = wanted.iter().map(block_of).collect();
        let block = (shape.block_len() as u64).saturating_mul(bytes as u64);
        let fitting = usize::try_from(limits.room() / block.max(1)).unwrap_or(usize::MAX);
        let (all, needed) = (shape.blocks(), order.most_alive() + wanted.len());
        // A block and what it is worked out from; each thread turns blocks into bytes, these into fewer (or a little more),
        // and has read as many from a file.
        let threads = (7 * parallel::threads()).div_ceil(2);
        let least = (order.most_needed() + 2).max(wanted.len());
        let (keep, held) = match watch.disk() {
            _ if all <= fitting => (Keep::All, all),
            _ if needed <= fitting => (Keep::Needed, needed),
            Some(_) if least + threads <= fitting => (Keep::Few(fitting - threads), fitting),
            disk => {
                let limit = |blocks: usize| Limits::for_room(block.saturating_mul(blocks as u64));
                let with_disk = (disk.is_none() && least + threads < needed).then(|| limit(least + threads));
                let needed = if disk.is_some() { needed.min(least + threads) } else { needed };
                return Err(Shortage { limit: limits.max_memory, needed: limit(needed), with_disk });
            }
        };
        Ok(Self { shape, order, keep, wanted, held, block })
    }

    /// What is kept.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.shape.blocks()
    }

    /// The bytes of all values that are in memory at one time.
    pub fn bytes_held(&self) -> u64 {
        self.block.saturating_mul(self.held as u64)
    }
}
