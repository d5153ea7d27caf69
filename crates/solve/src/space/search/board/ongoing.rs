//! The set of positions that are being searched, so that threads that search the same question take
//! different paths.
//!
//! A thread that has searched a position's first move defers those of its other moves that another
//! thread is searching: by the time it comes to them their values are in the table. This is
//! *ABDADA* (Weill 1996) without counting the threads at a position. An entry may be out of date or
//! missing, as positions share slots; it decides only the order in which moves are searched.

use std::sync::atomic::{AtomicU64, Ordering};

use super::table::EntryPlace;

/// The logarithm of the number of slots.
const BITS: u32 = 10;

/// The least number of empty cells of a position that is registered. Positions with fewer are soon
/// searched, and not all of them are kept for other threads.
const LEAST_EMPTY: u32 = 13;

/// The numbers of positions being searched.
#[derive(Debug)]
pub struct Ongoing {
    places: Vec<AtomicU64>,
}

impl Ongoing {
    /// Creates the set for a number of threads. A single thread needs none.
    pub fn new(threads: usize) -> Self {
        // An empty list also makes `tells` return `false` everywhere.
        let count = if threads > 1 { 1 << BITS } else { 0 };
        Self {
            places: std::iter::repeat_with(AtomicU64::default)
                .take(count)
                .collect(),
        }
    }

    /// Returns whether positions with these empty cells are registered.
    #[inline]
    pub fn tells(&self, empty: u64) -> bool {
        !self.places.is_empty() && empty.count_ones() >= LEAST_EMPTY
    }

    /// Returns a position's slot and the number that represents it there.
    #[inline]
    fn place(&self, position: EntryPlace) -> (&AtomicU64, u64) {
        let number = position.number();
        (
            &self.places
                [(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BITS)) as usize],
            number,
        )
    }

    /// Records that a position's search begins.
    #[inline]
    pub fn begin(&self, position: EntryPlace) {
        let (place, number) = self.place(position);
        place.store(number, Ordering::Relaxed);
    }

    /// Records that a position's search has ended.
    #[inline]
    pub fn end(&self, position: EntryPlace) {
        let (place, number) = self.place(position);
        // Another position may have taken the slot meanwhile, and keeps it.
        if place.load(Ordering::Relaxed) == number {
            place.store(0, Ordering::Relaxed);
        }
    }

    /// Returns whether a position is being searched.
    #[inline]
    pub fn has(&self, position: EntryPlace) -> bool {
        let (place, number) = self.place(position);
        place.load(Ordering::Relaxed) == number
    }
}
