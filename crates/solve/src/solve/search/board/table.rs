//! The table of a search on bits: eight bytes for a position, shared by all threads without locks, never wrong.
//!
//! A key is first mixed by a map that has an inverse on numbers of so many bits. Its low bits then say which bucket it belongs to, and the
//! rest of it is written in the entry, so that the whole key is known by where the entry stands and what it says: two positions are never
//! taken for one another. An entry is one word that is written and read at once, so there are no mixtures; two threads that
//! write to one place lose one of the two entries, and what is lost costs time only.
//!
//! A bucket is a line of the processor's caches. All places but the last keep what took longest to find; what they do not take, or give up,
//! goes to the last.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many entries a bucket has.
const ENTRIES: usize = 8;

/// Where an entry has its parts: the logarithm of the work, which is never 0, then the greatest and the least value, then the rest of the key.
const WORK_BITS: u32 = 6;
const HIGH: u32 = WORK_BITS;
const LOW: u32 = HIGH + 8;
const REST: u32 = LOW + 8;

/// A line of the processor's caches.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; ENTRIES]);

/// What is known of a position's value: bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    pub low: u8,
    pub high: u8,
}

/// The table.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    bits: u32,
    key_bits: u32,
}

impl Table {
    /// The fewest bytes that a table takes.
    pub const LEAST: u64 = size_of::<Bucket>() as u64;

    /// An empty table for keys of so many bits, of no more than so many bytes; `None` if the rest of a key does not fit into an entry then.
    pub fn new(bytes: u64, key_bits: u32) -> Option<Self> {
        let count = bytes / size_of::<Bucket>() as u64;
        let bits = count.checked_ilog2()?.min(key_bits);
        if key_bits - bits > u64::BITS - REST {
            return None;
        }
        let buckets = std::iter::repeat_with(Bucket::default).take(usize::try_from(1_u64 << bits).ok()?).collect();
        Some(Self { buckets, bits, key_bits })
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<Bucket>()) as u64
    }

    /// How many entries it has room for.
    pub fn room(&self) -> u64 {
        (self.buckets.len() * ENTRIES) as u64
    }

    /// A larger table with the same entries; itself if that cannot be made.
    pub fn grown(self, bytes: u64) -> Self {
        let Some(larger) = Self::new(bytes, self.key_bits).filter(|larger| larger.bits > self.bits) else {
            return self;
        };
        for (place, bucket) in self.buckets.iter().enumerate() {
            for entry in bucket.0.iter().map(|entry| entry.load(Ordering::Relaxed)).filter(|entry| *entry != 0) {
                let mixed = (entry >> REST) << self.bits | place as u64;
                larger.put_mixed(mixed, known(entry), entry & ((1 << WORK_BITS) - 1));
            }
        }
        larger
    }

    /// A number that is another for every key, and as good as by chance.
    #[inline]
    fn mixed(&self, key: u64) -> u64 {
        // Multiplying by an odd number and adding higher bits to lower ones can both be undone.
        let mask = (1 << self.key_bits) - 1;
        let half = self.key_bits.div_ceil(2);
        let once = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        let twice = (once ^ once >> half).wrapping_mul(0xbf58_476d_1ce4_e5b9) & mask;
        twice ^ twice >> half
    }

    #[inline]
    fn bucket(&self, mixed: u64) -> (&Bucket, u64) {
        (&self.buckets[(mixed & (self.buckets.len() as u64 - 1)) as usize], mixed >> self.bits)
    }

    /// Fetches what is kept of some positions from memory, all at one time; asked one after the other they would wait for each other.
    #[inline]
    pub fn fetch(&self, keys: impl Iterator<Item = u64>) {
        let first = |key: u64| self.bucket(self.mixed(key)).0.0[0].load(Ordering::Relaxed);
        std::hint::black_box(keys.fold(0, |all, key| all ^ first(key)));
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        let (bucket, rest) = self.bucket(self.mixed(key));
        let mut entries = bucket.0.iter().map(|entry| entry.load(Ordering::Relaxed));
        entries.find(|entry| *entry != 0 && entry >> REST == rest).map(known)
    }

    /// Keeps what is known of a position, and how much work it was to find that.
    pub fn put(&self, key: u64, known: Known, work: u64) {
        self.put_mixed(self.mixed(key), known, u64::from(work.max(1).ilog2() + 1).min((1 << WORK_BITS) - 1));
    }

    fn put_mixed(&self, mixed: u64, news: Known, work: u64) {
        let (bucket, rest) = self.bucket(mixed);
        let mut least = (u64::MAX, 0);
        for (place, entry) in bucket.0.iter().enumerate() {
            let old = entry.load(Ordering::Relaxed);
            let old_work = old & ((1 << WORK_BITS) - 1);
            if old != 0 && old >> REST == rest {
                let Known { low, high } = known(old);
                let both = Known { low: low.max(news.low), high: high.min(news.high) };
                entry.store(packed(rest, both, work.max(old_work)), Ordering::Relaxed);
                return;
            }
            if place + 1 < ENTRIES && old_work < least.0 {
                least = (old_work, place);
            }
        }
        let last = &bucket.0[ENTRIES - 1];
        let entry = packed(rest, news, work);
        if least.0 > work {
            last.store(entry, Ordering::Relaxed);
            return;
        }
        let displaced = bucket.0[least.1].swap(entry, Ordering::Relaxed);
        if displaced != 0 {
            last.store(displaced, Ordering::Relaxed);
        }
    }
}

fn packed(rest: u64, Known { low, high }: Known, work: u64) -> u64 {
    rest << REST | u64::from(low) << LOW | u64::from(high) << HIGH | work
}

#[inline]
fn known(entry: u64) -> Known {
    Known { low: (entry >> LOW) as u8, high: (entry >> HIGH) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found of a key is what was put there, in tables that are small, grown, and of all widths.
    #[test]
    fn what_is_found_is_what_was_put() {
        let value = |key: u64| Known { low: (key % 120) as u8, high: 120 + (key % 130) as u8 };
        for key_bits in [9, 20, 37, 49, 56] {
            let mut table = Table::new(1 << 20, key_bits).expect("it fits");
            let keys: Vec<u64> =
                (0..300_000_u64).map(|n| n.wrapping_mul(0x2545_f491_4f6c_dd1d) % (1 << key_bits)).collect();
            for (round, key) in keys.iter().enumerate() {
                if round == 200_000 {
                    table = table.grown(1 << 22);
                }
                if let Some(found) = table.get(*key) {
                    assert_eq!(found, value(*key));
                }
                table.put(*key, value(*key), round as u64 % 1000);
            }
            let kept = keys.iter().filter(|key| table.get(**key).is_some()).count();
            assert!(kept as u64 > table.room().min(keys.len() as u64) / 4, "{key_bits} {kept}");
        }
        assert!(Table::new(1 << 12, 56).is_none(), "the rest of a key has 50 bits there");
    }
}
