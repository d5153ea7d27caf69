//! Room for values that is used again: fresh memory costs the system more than writing it once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Slot;
use super::block::Block;
use super::endings::Rank;

/// A run of values taken for fewer numbers than it has room for has room for at most so many times as many.
const MOST_ROOM: usize = 2;

/// Runs of ranks and values that are not in use.
#[derive(Debug)]
pub struct Pool<N> {
    free: Mutex<Free<N>>,
}

#[derive(Debug)]
struct Free<N> {
    ranks: Vec<Vec<Rank>>,
    values: Vec<Vec<N>>,
    /// The bytes of all of these.
    bytes: u64,
}

impl<N: Slot> Pool<N> {
    pub fn new() -> Self {
        Self { free: Mutex::new(Free { ranks: Vec::new(), values: Vec::new(), bytes: 0 }) }
    }

    fn free(&self) -> MutexGuard<'_, Free<N>> {
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
    pub fn values(&self, count: usize) -> Vec<N> {
        let mut free = self.free();
        let fitting = free.values.iter().enumerate().filter(|(_, run)| run.capacity() >= count);
        let best = fitting.min_by_key(|(_, run)| run.capacity()).filter(|(_, run)| run.capacity() / MOST_ROOM <= count);
        if let Some((place, _)) = best {
            let mut run = free.values.swap_remove(place);
            free.bytes -= bytes_of(&run);
            drop(free);
            run.resize(count, N::BLANK);
            return run;
        }
        // What does not fit gives way, so that no more is taken than planned.
        if let Some((place, _)) = free.values.iter().enumerate().max_by_key(|(_, run)| run.capacity()) {
            let run = free.values.swap_remove(place);
            free.bytes -= bytes_of(&run);
        }
        drop(free);
        vec![N::BLANK; count]
    }

    /// Takes the room of a block back, if with that no more than so many bytes are free.
    pub fn take_back(&self, block: Block<N>, most: u64) {
        let mut free = self.free();
        let bytes = bytes_of(&block.ranks) + bytes_of(&block.values);
        if free.bytes + bytes <= most {
            free.bytes += bytes;
            free.ranks.push(block.ranks);
            free.values.push(block.values);
        }
    }

    /// Gives everything back to the system.
    pub fn clear(&self) {
        *self.free() = Free { ranks: Vec::new(), values: Vec::new(), bytes: 0 };
    }
}

fn bytes_of<T>(run: &Vec<T>) -> u64 {
    (run.capacity() * size_of::<T>()) as u64
}
