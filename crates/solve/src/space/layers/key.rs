//! Positions as sorted keys, in compressed chunks.

use crate::convert::fit;
use crate::diagnostic::Result;
use crate::space::store::Tables;

/// The words of a position, padded with 0.
pub type PositionKey<const W: usize> = [u64; W];

/// Returns the key of a position.
pub fn key_of<const W: usize>(position: &[u64]) -> PositionKey<W> {
    std::array::from_fn(|word| position.get(word).copied().unwrap_or(0))
}

/// Distinct keys in ascending order.
#[derive(Debug)]
pub struct Chunk<const W: usize> {
    /// The least key.
    pub first: PositionKey<W>,
    /// The number of keys.
    pub len: u32,
    /// The table of the differences of successive keys.
    pub table: usize,
}

/// The greatest number of keys of a chunk.
pub const LONG_CHUNK: u32 = 1 << 16;

/// A chunk as recorded in a manifest: the least key, the number of keys, and the table.
pub type ListedChunk = (Vec<u64>, u32, usize);

impl<const W: usize> Chunk<W> {
    /// Stores keys; returns `None` if there is no room. There must be at least one key.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn write(keys: &[PositionKey<W>], tables: &Tables<'_>) -> Result<Option<Self>> {
        debug_assert!(
            keys.is_sorted_by(|a, b| a < b),
            "keys are sorted and distinct"
        );
        // The first difference is 0, since the first key is kept beside the table.
        let before = std::iter::once(&keys[0]).chain(keys);
        let differences: Vec<PositionKey<W>> = keys
            .iter()
            .zip(before)
            .map(|(key, before)| minus(key, before))
            .collect();
        let size = size_of::<PositionKey<W>>();
        let table = tables.add_numbers(size, bytemuck::cast_slice(&differences))?;
        Ok(table.map(|table| Self {
            first: keys[0],
            len: fit::<u32>(keys.len()),
            table,
        }))
    }

    /// Reads the keys.
    ///
    /// # Errors
    /// If the disk fails, or the keys are not in order.
    pub fn read(&self, tables: &Tables<'_>) -> Result<Vec<PositionKey<W>>> {
        let mut keys = tables.load::<PositionKey<W>>((self.table, 0), self.len as usize)?;
        let mut last = self.first;
        for (place, key) in keys.iter_mut().enumerate() {
            let next = plus(&last, key);
            // Keys are distinct, so only the first difference may be 0; an overflow would break the
            // order too.
            let follows = if place == 0 {
                next == last
            } else {
                next > last
            };
            if !follows {
                return Err(tables.harmed("positions are not in order"));
            }
            (*key, last) = (next, next);
        }
        Ok(keys)
    }

    /// Returns the chunk as recorded in a manifest.
    pub fn list(&self) -> ListedChunk {
        (self.first.to_vec(), self.len, self.table)
    }

    /// Converts a chunk from a manifest; returns `None` if the first key has another number of
    /// words, or the number of keys is 0 or exceeds [`LONG_CHUNK`].
    fn listed((first, len, table): ListedChunk) -> Option<Self> {
        let first = first.try_into().ok()?;
        let chunk = Self { first, len, table };
        (1..=LONG_CHUNK).contains(&len).then_some(chunk)
    }

    /// Converts the chunks of a manifest; returns `None` if they cannot be those of some keys in
    /// ascending order.
    pub fn all_listed(listed: Vec<ListedChunk>) -> Option<Vec<Self>> {
        let chunks = listed
            .into_iter()
            .map(Self::listed)
            .collect::<Option<Vec<Self>>>()?;
        (!chunks.is_empty() && chunks.is_sorted_by(|a, b| a.first < b.first)).then_some(chunks)
    }
}

/// Returns the difference of two numbers whose first word is the most significant.
fn minus<const W: usize>(a: &PositionKey<W>, b: &PositionKey<W>) -> PositionKey<W> {
    word_by_word(a, b, u64::overflowing_sub)
}

fn plus<const W: usize>(a: &PositionKey<W>, b: &PositionKey<W>) -> PositionKey<W> {
    word_by_word(a, b, u64::overflowing_add)
}

/// Applies an operation word by word, from the least significant word up, with carry.
fn word_by_word<const W: usize>(
    a: &PositionKey<W>,
    b: &PositionKey<W>,
    step: impl Fn(u64, u64) -> (u64, bool),
) -> PositionKey<W> {
    let (mut result, mut carry) = ([0; W], false);
    // The order of keys compares the first word first, so the last one is the least significant.
    for word in (0..W).rev() {
        let (part, first) = step(a[word], b[word]);
        let (part, second) = step(part, u64::from(carry));
        // At most one of the two steps carries, so a bit is enough.
        (result[word], carry) = (part, first || second);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back() {
        let tables = Tables::of_room(1 << 20);
        let mut keys: Vec<PositionKey<2>> = (0..1000_u64)
            .map(|n| [n / 7, n.wrapping_mul(0x9E37_79B9_7F4A_7C15)])
            .collect();
        keys.sort_unstable();
        let chunk = Chunk::write(&keys, &tables)
            .expect("no disk fails")
            .expect("there is room");
        assert_eq!(chunk.read(&tables).expect("no disk fails"), keys);
    }
}
