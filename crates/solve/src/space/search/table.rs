//! The table of positions searched so far. It has a fixed size, is shared by all threads and never
//! gives a wrong entry.
//!
//! A *bucket* is a cache line of eight words: a version, and entries that hold a position's whole
//! key with the known bounds of its thresholds. The key is compared word by word, so that two
//! positions are never taken for one another, whatever their hashes. A bucket may be read while
//! another thread writes it; the version makes this detectable (a *sequence lock*: Boehm, "Can
//! seqlocks get along with programming language memory models?", 2012). A writer makes the version
//! odd, by a compare-and-swap that only one of several writers wins, writes, and makes the version
//! even again, greater by two. A reader uses the words that it has read only if it saw the same
//! even version before and after. So a mixture of two entries is never taken for one, short of 2^63
//! writes to one bucket during one read. A thread that cannot read or write at once does without
//! the entry: a missing entry costs time, not correctness.
//!
//! All slots of a bucket but the last keep the entries that took the most work; an entry that they
//! reject or evict goes to the last slot.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use super::bounds::ThresholdInterval;
use crate::convert::fit;

/// The number of words of a bucket that hold entries.
const WORDS: usize = 7;

/// The number of bits of a threshold in an entry, and the greatest threshold that they can hold.
const BITS: u32 = 14;
pub const GREATEST: u64 = (1 << BITS) - 1;

/// The position of the bits of an entry that hold the amount of work done for it.
const WORK: u32 = 4 * BITS;

/// A cache line of the processor.
#[derive(Debug)]
#[repr(align(64))]
struct Bucket {
    version: AtomicU64,
    words: [AtomicU64; WORDS],
}

impl Bucket {
    const BYTES: u64 = size_of::<Self>() as u64;

    fn empty() -> Self {
        Self {
            version: AtomicU64::new(0),
            words: [const { AtomicU64::new(0) }; WORDS],
        }
    }

    /// Returns the words if no other thread writes them at the same time.
    #[inline]
    fn read(&self) -> Option<[u64; WORDS]> {
        let before = self.version.load(Ordering::Acquire);
        let words = std::array::from_fn(|word| self.words[word].load(Ordering::Relaxed));
        // Keeps the reads above the fence: if one of them saw a writer's word, the version read
        // below is that writer's odd one or a later one.
        fence(Ordering::Acquire);
        let after = self.version.load(Ordering::Relaxed);
        (before == after && before.is_multiple_of(2)).then_some(words)
    }

    /// Changes the words, unless another thread is writing them.
    #[inline]
    fn write(&self, change: impl FnOnce(&mut [u64; WORDS])) {
        let version = self.version.load(Ordering::Relaxed);
        let odd = !version.is_multiple_of(2);
        let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
        if odd
            || self
                .version
                .compare_exchange(version, version + 1, acquire, relaxed)
                .is_err()
        {
            return;
        }
        // Keeps the writes below the fence: a thread that sees one of them sees the odd version.
        fence(Ordering::Release);
        let mut words = std::array::from_fn(|word| self.words[word].load(Ordering::Relaxed));
        change(&mut words);
        self.words
            .iter()
            .zip(words)
            .for_each(|(word, value)| word.store(value, Ordering::Relaxed));
        self.version.store(version + 2, Ordering::Release);
    }
}

/// The known bounds of positions whose keys have W words.
#[derive(Debug)]
pub struct TranspositionTable<const W: usize> {
    buckets: Vec<Bucket>,
}

impl<const W: usize> TranspositionTable<W> {
    /// The number of words of an entry: the key's, and one for the bounds.
    const ENTRY: usize = W + 1;
    /// The number of entries of a bucket.
    const ENTRIES: usize = WORDS / Self::ENTRY;

    /// Creates an empty table of at most `bytes` bytes, but of at least one bucket.
    pub fn new(bytes: u64) -> Self {
        let count = usize::try_from((bytes / Bucket::BYTES).max(1)).unwrap_or(usize::MAX);
        Self {
            buckets: std::iter::repeat_with(Bucket::empty).take(count).collect(),
        }
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        self.buckets.len() as u64 * Bucket::BYTES
    }

    /// Returns the number of entries that the table has room for.
    pub fn room(&self) -> u64 {
        (self.buckets.len() * Self::ENTRIES) as u64
    }

    /// Returns a larger table with the same entries.
    pub fn grown(self, bytes: u64) -> Self {
        let larger = Self::new(bytes);
        for bucket in self.buckets {
            // No thread writes any more, so the read succeeds. An entry that is lost would cost
            // time only.
            for entry in bucket.read().unwrap_or_default().chunks_exact(Self::ENTRY) {
                if let (Some((data, key)), true) = (entry.split_last(), entry[W] != 0) {
                    let key: [u64; W] = std::array::from_fn(|word| key[word]);
                    larger.put(&key, *data);
                }
            }
        }
        larger
    }

    #[inline]
    fn bucket(&self, key: &[u64; W]) -> &Bucket {
        let mix = |hash: u64, word: &u64| {
            let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
        };
        let hash = key.iter().fold(0, mix);
        // The product maps the hash evenly to any number of buckets, without a division.
        let place = (u128::from(hash ^ hash >> 32) * self.buckets.len() as u128) >> 64;
        &self.buckets[fit::<usize>(place)]
    }

    /// Returns the known bounds of a position.
    #[inline]
    pub fn get(&self, key: &[u64; W]) -> Option<ThresholdInterval> {
        let words = self.bucket(key).read()?;
        let entry = words
            .chunks_exact(Self::ENTRY)
            .find(|entry| entry[..W] == key[..] && entry[W] != 0)?;
        Some(interval(entry[W]))
    }

    /// Stores the known bounds of a position and the work that it took to find them. They are
    /// merged with the bounds stored before.
    pub fn add(&self, key: &[u64; W], known: ThresholdInterval, work: u64) {
        self.put(key, packed(known, work));
    }

    fn put(&self, key: &[u64; W], data: u64) {
        self.bucket(key).write(|words| {
            let mut entry = [0; WORDS];
            entry[..W].copy_from_slice(key);
            entry[W] = data;
            place::<W>(words, &entry[..Self::ENTRY]);
        });
    }
}

/// Puts an entry into a bucket.
fn place<const W: usize>(words: &mut [u64; WORDS], entry: &[u64]) {
    let size = W + 1;
    let same = words
        .chunks_exact_mut(size)
        .find(|old| old[W] != 0 && old[..W] == entry[..W]);
    if let Some(old) = same {
        let work = (old[W] >> WORK).max(entry[W] >> WORK);
        // Both bounds are true, so their intersection is.
        let known = interval(old[W]).and(interval(entry[W]));
        old[W] = with_work(known, work);
        return;
    }
    // With room for a single entry the last slot is the only one, and every entry goes there.
    let last = WORDS / size - 1;
    let least = (0..last).min_by_key(|place| words[place * size + W] >> WORK);
    let mut displaced = [0; WORDS];
    displaced[..size].copy_from_slice(entry);
    if let Some(place) = least.filter(|place| words[place * size + W] >> WORK <= entry[W] >> WORK) {
        displaced[..size].swap_with_slice(&mut words[place * size..][..size]);
    }
    if displaced[W] != 0 {
        words[last * size..][..size].copy_from_slice(&displaced[..size]);
    }
}

/// Packs four bounds with the logarithm of the work. The logarithm is stored plus 1, so that an
/// entry that is not empty is never 0.
fn packed(known: ThresholdInterval, work: u64) -> u64 {
    with_work(known, u64::from(work.max(1).ilog2()) + 1)
}

fn with_work(known: ThresholdInterval, work: u64) -> u64 {
    let bounds = [known.low[0], known.high[0], known.low[1], known.high[1]];
    bounds
        .into_iter()
        .rev()
        .fold(work, |packed, bound| packed << BITS | u64::from(bound))
}

fn interval(data: u64) -> ThresholdInterval {
    let bound = |place: u32| (data >> (place * BITS) & GREATEST) as u16;
    ThresholdInterval {
        low: [bound(0), bound(2)],
        high: [bound(1), bound(3)],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn exactly(value: u16) -> ThresholdInterval {
        ThresholdInterval {
            low: [value, 7],
            high: [value, 9],
        }
    }

    fn crossed<const W: usize>() {
        let (mut dice, mut said) = (StdRng::seed_from_u64(5), HashMap::new());
        let mut table = TranspositionTable::<W>::new(1 << 12);
        for round in 0..20_000_u64 {
            if round == 10_000 {
                table = table.grown(1 << 13);
            }
            let key: [u64; W] = std::array::from_fn(|_| dice.random_range(0..40));
            let known = *said
                .entry(key)
                .or_insert_with(|| exactly(dice.random_range(0..GREATEST as u16)));
            if let Some(found) = table.get(&key) {
                assert_eq!(found, known);
            }
            table.add(&key, known, dice.random_range(0..1000));
        }
        assert!(
            said.keys().filter(|key| table.get(key).is_some()).count() > said.len().min(50) / 2
        );
    }

    #[test]
    fn what_is_found_is_what_was_put() {
        crossed::<1>();
        crossed::<2>();
        crossed::<4>();
    }

    /// Checks with threads that read and write few buckets that an entry found for a key was put
    /// there whole by some thread.
    #[test]
    fn no_mixtures_are_found() {
        let table = TranspositionTable::<2>::new(256);
        let value = |key: u64, round: u64| (key * 31 + round % 2 * 1000) as u16;
        let found = crate::parallel::map(0..8_u64, |seed| {
            let (mut dice, mut found) = (StdRng::seed_from_u64(seed), 0);
            for round in 0..100_000 {
                let key = dice.random_range(0..16);
                // The words of a key and its bounds belong together; there are two sets of bounds
                // for each key.
                let bound = value(key, round);
                let known = ThresholdInterval {
                    low: [bound, bound],
                    high: [bound, bound],
                };
                if let Some(ThresholdInterval { low, high }) = table.get(&[key, !key]) {
                    found += 1;
                    let narrowed = [low[0], low[1], high[0], high[1]];
                    let allowed = [value(key, 0), value(key, 1)];
                    assert!(
                        narrowed.iter().all(|bound| allowed.contains(bound)),
                        "{key} {narrowed:?}"
                    );
                }
                // A key's old bounds are evicted before others are put, as bounds of the same key
                // would be merged.
                let other = 16 + dice.random_range(0..64_u64);
                table.add(&[other, !other], exactly(1), 1 << (round % 40));
                table.add(&[key, !key], known, 1 << (round % 40));
            }
            found
        });
        assert!(found.iter().all(|found| *found > 100), "{found:?}");
    }
}
