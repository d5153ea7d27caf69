//! A pool that reuses the memory of values: taking fresh memory from the system costs more than
//! writing it once.

use std::iter::Sum;
use std::ops::{Add, Sub};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::block::ValueBlock;
use super::endings::Rank;
use super::pages::{Pages, Paging, ValuePage};

/// Numbers of bytes of ranks and of values. Memory that is free for ranks cannot be used for
/// values, nor the other way round, and it is not returned to the system, so each kind is counted
/// separately.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room {
    pub ranks: u64,
    pub values: u64,
}

impl Room {
    /// Returns the sum of both kinds.
    pub fn bytes(self) -> u64 {
        self.ranks.saturating_add(self.values)
    }

    /// Returns the maximum for each kind.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            ranks: self.ranks.max(other.ranks),
            values: self.values.max(other.values),
        }
    }

    /// Returns a multiple.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        Self {
            ranks: self.ranks.saturating_mul(count),
            values: self.values.saturating_mul(count),
        }
    }

    /// Applies a measure of one kind to each kind.
    pub fn of_each_kind(measure: impl Fn(fn(Self) -> u64) -> u64) -> Self {
        Self {
            ranks: measure(|room| room.ranks),
            values: measure(|room| room.values),
        }
    }
}

impl Add for Room {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            ranks: self.ranks.saturating_add(other.ranks),
            values: self.values.saturating_add(other.values),
        }
    }
}

impl Sub for Room {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            ranks: self.ranks.saturating_sub(other.ranks),
            values: self.values.saturating_sub(other.values),
        }
    }
}

impl Sum for Room {
    fn sum<I: Iterator<Item = Self>>(rooms: I) -> Self {
        rooms.fold(Self::default(), Add::add)
    }
}

/// The runs of ranks, all of one length, and the pages that are not in use.
#[derive(Debug)]
pub struct Pool {
    paging: Paging,
    free: Mutex<Free>,
}

#[derive(Debug, Default)]
struct Free {
    ranks: Vec<Vec<Rank>>,
    pages: Vec<ValuePage>,
    /// The memory that has been taken from the system, free or not.
    taken: Room,
}

impl Pool {
    /// Creates a pool for rows with this paging.
    pub fn new(paging: Paging) -> Self {
        Self {
            paging,
            free: Mutex::default(),
        }
    }

    fn free(&self) -> MutexGuard<'_, Free> {
        // A thread that panics leaves lists of free memory that can still be used.
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an empty run of ranks with space for `count` ranks.
    pub fn ranks(&self, count: usize) -> Vec<Rank> {
        let mut free = self.free();
        // All runs have one length, so that any of them serves.
        let Some(mut ranks) = free.ranks.pop() else {
            let fresh = Vec::with_capacity(count);
            free.taken.ranks += bytes_of(&fresh);
            return fresh;
        };
        ranks.clear();
        ranks
    }

    /// Returns pages for `rows` rows, whose values do not matter.
    pub fn rows(&self, rows: usize) -> Pages {
        let count = self.paging.pages(rows);
        let mut free = self.free();
        let left = free.pages.len().saturating_sub(count);
        let mut pages = free.pages.split_off(left);
        free.taken.values += ((count - pages.len()) * self.paging.page_bytes()) as u64;
        // Fresh pages are allocated without the lock, so other threads need not wait.
        drop(free);
        pages.resize_with(count, || self.paging.page());
        Pages { pages, rows }
    }

    /// Takes the memory of a block back.
    pub fn take_back(&self, block: ValueBlock) {
        let mut free = self.free();
        free.ranks.push(block.ranks);
        free.pages.extend(block.values.pages);
    }

    /// Returns this amount of memory to the system, as far as it is free.
    pub fn give_back(&self, room: Room) {
        let mut free = self.free();
        let (mut ranks, mut values) = (room.ranks, room.values);
        while ranks > 0
            && let Some(run) = free.ranks.pop()
        {
            ranks = ranks.saturating_sub(bytes_of(&run));
            free.taken.ranks -= bytes_of(&run);
        }
        while values > 0
            && let Some(page) = free.pages.pop()
        {
            values = values.saturating_sub(size_of_val(&*page) as u64);
            free.taken.values -= size_of_val(&*page) as u64;
        }
    }

    /// Returns the memory that has been taken from the system, free or not.
    pub fn taken(&self) -> Room {
        self.free().taken
    }
}

/// Returns the number of bytes of a run, used or not.
pub fn bytes_of<T>(run: &Vec<T>) -> u64 {
    (run.capacity() * size_of::<T>()) as u64
}
