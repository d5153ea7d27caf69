//! Room for values that is used again: fresh memory costs the system more than writing it once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::block::Block;
use super::cells::Cells;
use super::endings::Rank;
use super::pages::{Pages, Paging};

/// Runs of ranks, all of one length, and pages that are not in use.
#[derive(Debug)]
pub struct Pool<C> {
    paging: Paging,
    free: Mutex<Free<C>>,
}

#[derive(Debug)]
struct Free<C> {
    ranks: Vec<Vec<Rank>>,
    pages: Vec<Box<[C]>>,
    /// The bytes of all of these.
    bytes: u64,
}

impl<C: Cells> Pool<C> {
    /// Room for rows that stand so in pages.
    pub fn new(paging: Paging) -> Self {
        Self { paging, free: Mutex::new(Free { ranks: Vec::new(), pages: Vec::new(), bytes: 0 }) }
    }

    /// How the rows stand in pages.
    pub fn paging(&self) -> Paging {
        self.paging
    }

    fn free(&self) -> MutexGuard<'_, Free<C>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty run of ranks with room for so many.
    pub fn ranks(&self, count: usize) -> Vec<Rank> {
        let mut free = self.free();
        let Some(mut ranks) = free.ranks.pop() else { return Vec::with_capacity(count) };
        free.bytes -= bytes_of(&ranks);
        ranks.clear();
        ranks
    }

    /// Room for so many rows of values.
    pub fn room(&self, rows: usize) -> Pages<C> {
        let count = self.paging.pages(rows);
        let mut free = self.free();
        let left = free.pages.len().saturating_sub(count);
        let mut pages = free.pages.split_off(left);
        free.bytes -= pages.iter().map(|page| size_of_val(&**page) as u64).sum::<u64>();
        drop(free);
        pages.resize_with(count, || vec![C::EMPTY; self.paging.page_len()].into());
        Pages::in_room(pages)
    }

    /// So many rows of values, whatever they are.
    pub fn rows(&self, rows: usize) -> Pages<C> {
        self.room(rows).with_len(rows * self.paging.stride())
    }

    /// Takes the room of a block back, as far as no more than so many bytes are free with that.
    pub fn take_back(&self, block: Block<C>, most: u64) {
        let mut free = self.free();
        let mut fits = |bytes: u64| {
            let fits = free.bytes + bytes <= most;
            free.bytes += if fits { bytes } else { 0 };
            fits
        };
        let ranks = Some(block.ranks).filter(|ranks| fits(bytes_of(ranks)));
        let pages: Vec<Box<[C]>> =
            block.values.into_room().into_iter().filter(|page| fits(size_of_val(&**page) as u64)).collect();
        free.ranks.extend(ranks);
        free.pages.extend(pages);
    }
}

/// The bytes that a run takes, used or not.
pub fn bytes_of<T>(run: &Vec<T>) -> u64 {
    (run.capacity() * size_of::<T>()) as u64
}
