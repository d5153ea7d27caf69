//! Positions as sorted keys, in compressed chunks.

use serde::{Deserialize, Serialize};

use crate::diagnostic::Result;
use crate::space::store::{Blob, Record, Vault};

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
    /// The differences of successive keys, compressed.
    pub blob: Blob,
}

/// The greatest number of keys of a chunk.
pub const LONG_CHUNK: u32 = 1 << 16;

/// A chunk as recorded in a manifest, which contains it as a list of the fields.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "(Vec<u64>, u32, Record)", from = "(Vec<u64>, u32, Record)")]
pub struct ListedChunk {
    /// The least key.
    first: Vec<u64>,
    /// The number of keys.
    len: u32,
    /// The record of the blob.
    pub record: Record,
}

impl From<ListedChunk> for (Vec<u64>, u32, Record) {
    fn from(listed: ListedChunk) -> Self {
        (listed.first, listed.len, listed.record)
    }
}

impl From<(Vec<u64>, u32, Record)> for ListedChunk {
    fn from(fields: (Vec<u64>, u32, Record)) -> Self {
        let (first, len, record) = fields;
        Self { first, len, record }
    }
}

impl<const W: usize> Chunk<W> {
    /// Stores keys in a vault; returns `None` if it is full. There must be at least one key.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn write(keys: &[PositionKey<W>], vault: &Vault<'_>) -> Result<Option<Self>> {
        debug_assert!(
            keys.is_sorted_by(|a, b| a < b),
            "keys are sorted and distinct"
        );
        let before = std::iter::once(&keys[0]).chain(keys);
        let differences: Vec<PositionKey<W>> = keys
            .iter()
            .zip(before)
            .map(|(key, before)| minus(key, before))
            .collect();
        let blob = vault.put_numbers(&differences)?;
        Ok(blob.map(|blob| Self {
            first: keys[0],
            len: keys.len() as u32,
            blob,
        }))
    }

    /// Reads the keys.
    ///
    /// # Errors
    /// If the disk fails, or the keys are not in order.
    pub fn read(&self, vault: &Vault<'_>) -> Result<Vec<PositionKey<W>>> {
        let mut keys = vault.load::<PositionKey<W>>(&self.blob, self.len as usize)?;
        let mut last = self.first;
        for (place, key) in keys.iter_mut().enumerate() {
            let next = plus(&last, key);
            let follows = if place == 0 {
                next == last
            } else {
                next > last
            };
            if !follows {
                return Err(vault.harmed("positions are not in order"));
            }
            (*key, last) = (next, next);
        }
        Ok(keys)
    }

    /// Returns the chunk as recorded in a manifest, after ensuring that it is on the disk.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn list(&mut self, vault: &Vault<'_>) -> Result<ListedChunk> {
        Ok(ListedChunk {
            first: self.first.to_vec(),
            len: self.len,
            record: vault.record(&mut self.blob)?,
        })
    }

    /// Converts a chunk from a manifest; returns `None` if the first key has another number of
    /// words, or the number of keys is 0 or exceeds [`LONG_CHUNK`].
    pub fn listed(listed: ListedChunk) -> Option<Self> {
        let first = listed.first.try_into().ok()?;
        (1..=LONG_CHUNK).contains(&listed.len).then(|| Self {
            first,
            len: listed.len,
            blob: listed.record.into(),
        })
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
    for word in (0..W).rev() {
        let (part, first) = step(a[word], b[word]);
        let (part, second) = step(part, u64::from(carry));
        (result[word], carry) = (part, first || second);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back() {
        let vault = Vault::in_memory(1 << 20);
        let mut keys: Vec<PositionKey<2>> = (0..1000_u64)
            .map(|n| [n / 7, n.wrapping_mul(0x9E37_79B9_7F4A_7C15)])
            .collect();
        keys.sort_unstable();
        let chunk = Chunk::write(&keys, &vault)
            .expect("no disk fails")
            .expect("there is room");
        assert_eq!(chunk.read(&vault).expect("no disk fails"), keys);
    }

    #[test]
    fn listed_chunks_are_lists_in_manifests() {
        let text = r#"[[1,2],3,{"file":4,"len":5,"check":6}]"#;
        let listed: ListedChunk = serde_json::from_str(text).expect("it is a chunk");
        assert_eq!((&listed.first[..], listed.len), (&[1, 2][..], 3));
        let written = serde_json::to_string(&listed).expect("numbers can be written");
        assert_eq!(written, text);
    }
}
