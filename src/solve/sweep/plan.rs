//! What a sweep keeps in memory.

use std::collections::BTreeSet;

use super::Number;
use super::order::Order;
use super::shape::Shape;
use crate::game::ruleset::{Indexed, State};
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

/// How a sweep goes about it.
#[derive(Debug)]
pub struct Plan {
    pub(super) shape: Shape,
    pub(super) order: Order,
    pub(super) keep: Keep,
    /// The blocks whose values are kept in any case.
    pub(super) wanted: BTreeSet<usize>,
}

impl Plan {
    /// A plan that keeps as much as there is room for, the values of some positions at least; these must be numbered.
    ///
    /// # Errors
    /// If there is no room: how much it takes.
    ///
    /// # Panics
    /// If one of these is not numbered.
    pub fn new<N: Number>(indexed: &Indexed, wanted: &[State], watch: &dyn Watch) -> Result<Self, Shortage> {
        let limits = watch.limits();
        if indexed.positions() > MOST_POSITIONS {
            return Err(Shortage { limit: limits.max_memory, needed: u64::MAX, with_disk: None });
        }
        let shape = Shape::new::<N>(indexed, if limits.room() < SCARCE { SHORTEST_BLOCK } else { SHORT_BLOCK });
        let order = Order::new(indexed, &shape);
        let block_of = |state| shape.place(&indexed.digits_of(state).expect("a numbered position")).0;
        let wanted: BTreeSet<usize> = wanted.iter().map(block_of).collect();
        let block = (shape.block_len() as u64).saturating_mul(size_of::<N>() as u64);
        let fitting = usize::try_from(limits.room() / block.max(1)).unwrap_or(usize::MAX);
        let (all, needed) = (shape.blocks(), order.most_alive() + wanted.len());
        // A block and what it is worked out from; each thread turns blocks into bytes, these into fewer (or a little more),
        // and has read as many from a file.
        let threads = (7 * rayon::current_num_threads()).div_ceil(2);
        let least = (order.most_needed() + 2).max(wanted.len());
        let keep = match watch.disk() {
            _ if all <= fitting => Keep::All,
            _ if needed <= fitting => Keep::Needed,
            Some(_) if least + threads <= fitting => Keep::Few(fitting - threads),
            disk => {
                let limit = |blocks: usize| Limits::for_room(block.saturating_mul(blocks as u64));
                let with_disk = (disk.is_none() && least + threads < needed).then(|| limit(least + threads));
                let needed = if disk.is_some() { needed.min(least + threads) } else { needed };
                return Err(Shortage { limit: limits.max_memory, needed: limit(needed), with_disk });
            }
        };
        Ok(Self { shape, order, keep, wanted })
    }

    /// What is kept.
    pub fn keep(&self) -> Keep {
        self.keep
    }
}
