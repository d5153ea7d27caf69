//! Room for values that is used again: fresh memory costs the system more than writing it once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::block::Block;
use super::cells::Cells;
use super::endings::Rank;

/// A run of values taken for fewer numbers than it has room for leaves at most one part in so many of that room unused.
const UNUSED: usize = 4;

/// Runs of ranks and values that are not in use.
#[derive(Debug)]
pub struct Pool<C> {
    free: Mutex<Free<C>>,
}

#[derive(Debug)]
struct Free<C> {
    ranks: Vec<Vec<Rank>>,
    values: Vec<Vec<C>>,
    /// The bytes of all of these.
    bytes: u64,
}

impl<C: Cells> Pool<C> {
    pub fn new() -> Self {
        Self { free: Mutex::new(Free { ranks: Vec::new(), values: Vec::new(), bytes: 0 }) }
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
        ranks.reserve_exact(count);
        ranks
    }

    /// So many values, whatever they are.
    pub fn values(&self, count: usize) -> Vec<C> {
        // Fresh memory is zero already.
        let Some(mut run) = self.run(count) else { return vec![C::EMPTY; count] };
        run.resize(count, C::EMPTY);
        run
    }

    /// An empty run of values with room for so many.
    pub fn room(&self, count: usize) -> Vec<C> {
        let Some(mut run) = self.run(count) else { return Vec::with_capacity(count) };
        run.clear();
        run
    }

    /// A run with room for so many values. If it must be taken from the system, as much as it takes is given back, as far as so much is free.
    fn run(&self, count: usize) -> Option<Vec<C>> {
        let mut free = self.free();
        let fits = |run: &Vec<C>| run.capacity() >= count && run.capacity() - count <= run.capacity() / UNUSED;
        let fitting = free.values.iter().enumerate().filter(|(_, run)| fits(run));
        if let Some((place, _)) = fitting.min_by_key(|(_, run)| run.capacity()) {
            let run = free.values.swap_remove(place);
            free.bytes -= bytes_of(&run);
            return Some(run);
        }
        let (mut given, wanted) = (0, (count * size_of::<C>()) as u64);
        while given < wanted
            && let Some((place, _)) = free.values.iter().enumerate().max_by_key(|(_, run)| run.capacity())
        {
            let run = free.values.swap_remove(place);
            free.bytes -= bytes_of(&run);
            given += bytes_of(&run);
        }
        None
    }

    /// Takes the room of a block back, if with that no more than so many bytes are free.
    pub fn take_back(&self, block: Block<C>, most: u64) {
        let mut free = self.free();
        let bytes = block.bytes();
        if free.bytes + bytes <= most {
            free.bytes += bytes;
            free.ranks.push(block.ranks);
            free.values.push(block.values);
        }
    }
}

/// The bytes that a run takes, used or not.
pub fn bytes_of<T>(run: &Vec<T>) -> u64 {
    (run.capacity() * size_of::<T>()) as u64
}
