//! Positions as sorted keys, in chunks that are compressed.

use crate::diagnostic::Result;
use crate::store::{Blob, Record, Vault};

/// The words of a position, those that it has not being 0.
pub type PositionKey<const W: usize> = [u64; W];

/// The key of a position.
pub fn key_of<const W: usize>(position: &[u64]) -> PositionKey<W> {
    std::array::from_fn(|word| position.get(word).copied().unwrap_or(0))
}

/// Several keys in ascending order, none twice.
#[derive(Debug)]
pub struct Chunk<const W: usize> {
    /// The least.
    pub first: PositionKey<W>,
    /// How many.
    pub len: u32,
    /// Their differences.
    pub blob: Blob,
}

/// The most keys of a chunk.
pub const LONG_CHUNK: u32 = 1 << 16;

/// A chunk as a manifest names it.
pub type ListedChunk = (Vec<u64>, u32, Record);

impl<const W: usize> Chunk<W> {
    /// Takes keys to a vault; `None` if it is full. There must be some.
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

    /// The keys.
    ///
    /// # Errors
    /// If the disk fails.
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

    /// As a manifest names it; on the disk from then on.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn list(&mut self, vault: &Vault<'_>) -> Result<ListedChunk> {
        Ok((self.first.to_vec(), self.len, vault.record(&mut self.blob)?))
    }

    /// What a manifest names; `None` if the words are not as many, or the keys not some and at most
    /// [`LONG_CHUNK`].
    pub fn listed((first, len, record): ListedChunk) -> Option<Self> {
        let first = first.try_into().ok()?;
        (1..=LONG_CHUNK).contains(&len).then(|| Self {
            first,
            len,
            blob: record.into(),
        })
    }

    /// What a manifest names as some keys in ascending order; `None` if that cannot be.
    pub fn all_listed(listed: Vec<ListedChunk>) -> Option<Vec<Self>> {
        let chunks = listed
            .into_iter()
            .map(Self::listed)
            .collect::<Option<Vec<Self>>>()?;
        (!chunks.is_empty() && chunks.is_sorted_by(|a, b| a.first < b.first)).then_some(chunks)
    }
}

/// The difference of two numbers, the first word being the most significant.
fn minus<const W: usize>(a: &PositionKey<W>, b: &PositionKey<W>) -> PositionKey<W> {
    word_by_word(a, b, u64::overflowing_sub)
}

fn plus<const W: usize>(a: &PositionKey<W>, b: &PositionKey<W>) -> PositionKey<W> {
    word_by_word(a, b, u64::overflowing_add)
}

/// From the least word up, what overflows going to the next.
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
}
