//! The table of a search on bitboards: eight bytes for a position, shared by all threads without
//! locks, never wrong.
//!
//! A key is first mixed by an invertible map on the numbers with as many bits. Its low bits then
//! select the bucket, and the rest of it is stored in the entry, so that the whole key is known
//! from the entry's bucket and its contents: two positions are never taken for one another. An
//! entry is one word that is written and read at once, so there are no mixtures. If two threads
//! write to one slot, one of the two entries is lost, which costs only time.
//!
//! A bucket is a cache line of the processor. All slots but the last keep the entries that took the
//! most work; an entry that they reject or evict goes to the last slot.

use std::sync::atomic::{AtomicU64, Ordering};

use super::grid::BoardKey;
use crate::convert::fit;

/// The number of entries of a bucket.
const ENTRIES: usize = 8;

/// The number of bits of an entry for the logarithm of the work, which is never 0. Above them are
/// the greatest and the least value, and the rest of the key.
const WORK_BITS: u32 = 5;
const MOST_WORK: u64 = (1 << WORK_BITS) - 1;

/// A cache line of the processor.
#[derive(Debug, Default)]
#[repr(align(64))]
struct BoardBucket([AtomicU64; ENTRIES]);

/// Lower and upper bounds of a position's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueBounds {
    pub low: u8,
    pub high: u8,
}

impl ValueBounds {
    /// Returns the bounds of all values up to `top`.
    #[inline]
    pub fn anything(top: u8) -> Self {
        Self { low: 0, high: top }
    }

    /// Returns the bounds of a value that is known.
    #[inline]
    pub fn exactly(value: u8) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// Returns the value of a position that a side has won.
    #[inline]
    pub fn won_by(side: usize, top: u8) -> Self {
        Self::exactly(if side == 0 { 0 } else { top })
    }

    /// Returns the bounds of a function that is monotone in two values.
    #[inline]
    pub fn zip(self, other: Self, value: impl Fn(u8, u8) -> u8) -> Self {
        Self {
            low: value(self.low, other.low),
            high: value(self.high, other.high),
        }
    }

    /// Returns the bounds that follow from two pairs of bounds of the same value.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// Adds a bound that decides whether the value is at most `most`.
    #[inline]
    pub fn learn(&mut self, most: u8, bound: u8) {
        if bound <= most {
            self.high = self.high.min(bound);
        } else {
            self.low = self.low.max(bound);
        }
    }

    /// Returns the bound that decides whether the value is at most `most`, if it is known.
    #[inline]
    pub fn answers(self, most: u8) -> Option<u8> {
        if self.high <= most {
            return Some(self.high);
        }
        (self.low > most).then_some(self.low)
    }
}

/// The table of bounds by position.
#[derive(Debug)]
pub struct BoardTranspositionTable {
    buckets: Vec<BoardBucket>,
    bits: u32,
    form: EntryLayout,
}

/// The place of a position's entry: its bucket, and the rest of its key.
#[derive(Debug, Clone, Copy, Default)]
pub struct EntryPlace {
    bucket: usize,
    rest: u64,
}

impl EntryPlace {
    /// Returns a number that hardly any other place has.
    #[inline]
    pub fn number(self) -> u64 {
        self.rest ^ (self.bucket as u64).rotate_right(u64::BITS / 2)
    }
}

/// The layout of entries.
#[derive(Debug, Clone, Copy)]
pub struct EntryLayout {
    /// The number of bits of a key, and of a value.
    key_bits: u32,
    value_bits: u32,
}

impl EntryLayout {
    /// Creates the layout for keys of a number of bits and values up to `top`.
    pub fn new(key_bits: u32, top: u8) -> Self {
        Self {
            key_bits,
            value_bits: u8::BITS - top.leading_zeros(),
        }
    }

    /// Returns the number of bits of the work and of both bounds, which are below the rest of the key.
    fn head(self) -> u32 {
        WORK_BITS + 2 * self.value_bits
    }

    /// Returns the fewest bytes of a table in which the rest of a key fits into an entry.
    pub fn least_bytes(self) -> u64 {
        // Bits of the key that do not fit an entry must select the bucket.
        let bits = (self.key_bits + self.head()).saturating_sub(u64::BITS);
        1_u64
            .checked_shl(bits)
            .and_then(|count| count.checked_mul(size_of::<BoardBucket>() as u64))
            .unwrap_or(u64::MAX)
    }

    fn packed(self, rest: u64, ValueBounds { low, high }: ValueBounds, work: u64) -> u64 {
        ((rest << self.value_bits | u64::from(low)) << self.value_bits | u64::from(high))
            << WORK_BITS
            | work
    }

    #[inline]
    fn known(self, entry: u64) -> ValueBounds {
        let value = |place: u32| fit::<u8>(entry >> place & ((1 << self.value_bits) - 1));
        ValueBounds {
            low: value(WORK_BITS + self.value_bits),
            high: value(WORK_BITS),
        }
    }

    /// Mixes a key into a number that looks random and is different for every key.
    #[inline]
    fn mixed(self, key: BoardKey) -> BoardKey {
        // Multiplying by an odd number and adding higher bits to lower ones can both be undone.
        let mask = (1 << self.key_bits) - 1;
        let half = self.key_bits.div_ceil(2);
        let once = key.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) & mask;
        let twice =
            (once ^ once >> half).wrapping_mul(0xbf58_476d_1ce4_e5b9_94d0_49bb_1331_11eb) & mask;
        twice ^ twice >> half
    }
}

impl BoardTranspositionTable {
    /// Creates an empty table of at most `bytes` bytes, but of as many as its entries need.
    pub fn new(bytes: u64, form: EntryLayout) -> Self {
        let count = bytes.max(form.least_bytes()) / size_of::<BoardBucket>() as u64;
        // More buckets than keys would stay empty.
        let bits = count.max(1).ilog2().min(form.key_bits);
        let buckets = std::iter::repeat_with(BoardBucket::default)
            .take(1 << bits)
            .collect();
        Self {
            buckets,
            bits,
            form,
        }
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<BoardBucket>()) as u64
    }

    /// Returns the number of entries that the table has room for.
    pub fn room(&self) -> u64 {
        (self.buckets.len() * ENTRIES) as u64
    }

    /// Returns a larger table with the same entries, or the table itself if the new one would be no
    /// larger.
    pub fn grown(self, bytes: u64) -> Self {
        let larger = Self::new(bytes, self.form);
        if larger.bits <= self.bits {
            return self;
        }
        for (place, bucket) in self.buckets.iter().enumerate() {
            for entry in bucket
                .0
                .iter()
                .map(|entry| entry.load(Ordering::Relaxed))
                .filter(|entry| *entry != 0)
            {
                let mixed =
                    BoardKey::from(entry >> self.form.head()) << self.bits | place as BoardKey;
                larger.put_entry(
                    larger.place_of(mixed),
                    self.form.known(entry),
                    entry & MOST_WORK,
                );
            }
        }
        larger
    }

    /// Returns the place of a position's entry.
    #[inline]
    pub fn place(&self, key: BoardKey) -> EntryPlace {
        self.place_of(self.form.mixed(key))
    }

    #[expect(clippy::cast_possible_truncation, reason = "the low bits are meant")]
    fn place_of(&self, mixed: BoardKey) -> EntryPlace {
        EntryPlace {
            bucket: mixed as usize & (self.buckets.len() - 1),
            rest: (mixed >> self.bits) as u64,
        }
    }

    /// Fetches some places from memory at the same time; fetched one after the other, each would
    /// wait for the one before.
    #[inline]
    pub fn fetch(&self, places: impl Iterator<Item = EntryPlace>) {
        let first = |place: EntryPlace| self.buckets[place.bucket].0[0].load(Ordering::Relaxed);
        std::hint::black_box(places.fold(0, |all, place| all ^ first(place)));
    }

    /// Returns the known bounds of a position.
    #[inline]
    pub fn get(&self, place: EntryPlace) -> Option<ValueBounds> {
        let head = self.form.head();
        let mut entries = self.buckets[place.bucket]
            .0
            .iter()
            .map(|entry| entry.load(Ordering::Relaxed));
        entries
            // The work in an entry is never 0, so that a word of zeros is an empty slot.
            .find(|entry| *entry != 0 && entry >> head == place.rest)
            .map(|entry| self.form.known(entry))
    }

    /// Stores the known bounds of a position and the work that it took to find them.
    pub fn put(&self, place: EntryPlace, known: ValueBounds, work: u64) {
        self.put_entry(
            place,
            known,
            u64::from(work.max(1).ilog2() + 1).min(MOST_WORK),
        );
    }

    fn put_entry(&self, EntryPlace { bucket, rest }: EntryPlace, news: ValueBounds, work: u64) {
        let bucket = &self.buckets[bucket];
        let form = self.form;
        let mut least = (u64::MAX, 0);
        for (place, entry) in bucket.0.iter().enumerate() {
            let old = entry.load(Ordering::Relaxed);
            let old_work = old & MOST_WORK;
            if old != 0 && old >> form.head() == rest {
                let both = form.known(old).and(news);
                entry.store(
                    form.packed(rest, both, work.max(old_work)),
                    Ordering::Relaxed,
                );
                return;
            }
            // The last slot always takes the newest rejected entry, so its work does not count.
            if place + 1 < ENTRIES && old_work < least.0 {
                least = (old_work, place);
            }
        }
        let last = &bucket.0[ENTRIES - 1];
        let entry = form.packed(rest, news, work);
        if least.0 > work {
            last.store(entry, Ordering::Relaxed);
            return;
        }
        // The swap returns the entry that is really evicted, even if another thread has written
        // meanwhile.
        let displaced = bucket.0[least.1].swap(entry, Ordering::Relaxed);
        if displaced != 0 {
            last.store(displaced, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the entry found for a key is the one that was put there, in tables that are
    /// small, grown, and of all widths.
    #[test]
    fn what_is_found_is_what_was_put() {
        for (key_bits, top) in [
            (9, 250),
            (20, 2),
            (37, 40),
            (49, 2),
            (56, 250),
            (71, 2),
            (62, 12),
        ] {
            let value = |key: BoardKey| {
                let low = (key % u128::from(top)) as u8;
                ValueBounds {
                    low,
                    high: low + 1 + (key % u128::from(top - low)) as u8,
                }
            };
            let form = EntryLayout::new(key_bits, top);
            let mut table = BoardTranspositionTable::new(1 << 20, form);
            assert!(table.bytes() >= form.least_bytes().max(1 << 15));
            let first = |n: BoardKey| {
                n.wrapping_mul(0x2545_f491_4f6c_dd1d_2545_f491_4f6c_dd1d) % (1 << key_bits)
            };
            let keys: Vec<BoardKey> = (0..300_000).map(first).collect();
            for (round, key) in keys.iter().enumerate() {
                if round == 200_000 {
                    let bytes = 4 * table.bytes();
                    table = table.grown(bytes);
                }
                let place = table.place(*key);
                if let Some(found) = table.get(place) {
                    assert_eq!(found, value(*key));
                }
                table.put(place, value(*key), round as u64 % 1000);
            }
            let kept = keys
                .iter()
                .filter(|key| table.get(table.place(**key)).is_some())
                .count();
            assert!(
                kept as u64 > table.room().min(keys.len() as u64) / 4,
                "{key_bits} {kept}"
            );
        }
    }

    /// Checks that the rest of a key fits into an entry, but not in a table of half the size.
    #[test]
    fn small_tables_are_as_large_as_their_entries_need() {
        for (key_bits, top, bytes) in [
            (49, 2, 64),
            (71, 2, 64 << 16),
            (56, 250, 64 << 13),
            (55, 2, 64),
            (56, 2, 128),
        ] {
            let form = EntryLayout::new(key_bits, top);
            assert_eq!(
                (
                    form.least_bytes(),
                    BoardTranspositionTable::new(0, form).bytes()
                ),
                (bytes, bytes)
            );
        }
        assert_eq!(EntryLayout::new(128, 255).least_bytes(), u64::MAX);
    }
}
