//! The table of a ruleset's positions found so far, indexed by number and by content.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::game::ruleset::State;
use crate::parallel;

/// The number of tables that the positions are divided into by their hashes, so that as many
/// threads can look positions up.
pub const SHARDS: usize = 64;

/// Positions numbered in the order in which they are found.
#[derive(Debug, Clone)]
pub struct Positions {
    /// The number of words of a position.
    stride: usize,
    /// The words of the positions, one position after another.
    words: Vec<u64>,
    /// The numbers of the positions of each shard.
    shards: Vec<HashTable<u32>>,
}

/// Computes the hash of a position.
pub fn hash(position: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    position.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

/// Returns the shard of the positions with this hash. It uses bits of the hash that the tables do
/// not.
pub fn shard(hash: u64) -> usize {
    // The tables use the lowest and the highest bits, so each shard still fills its table evenly.
    (hash >> 32) as usize % SHARDS
}

impl Positions {
    /// Creates an empty table of positions with this number of words each.
    pub fn new(stride: usize) -> Self {
        Self {
            stride,
            words: Vec::new(),
            shards: vec![HashTable::new(); SHARDS],
        }
    }

    /// Returns the number of words of a position.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the number of positions.
    pub fn count(&self) -> usize {
        self.words.len() / self.stride
    }

    /// Returns the memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        // A table keeps a byte beside each number.
        let tables: usize = self
            .shards
            .iter()
            .map(|shard| shard.capacity() * (size_of::<u32>() + 1))
            .sum();
        self.words.capacity() * size_of::<u64>() + tables
    }

    /// Returns the position with a number, if there is one.
    pub fn get(&self, number: usize) -> Option<&[u64]> {
        self.words
            .get(number * self.stride..(number + 1) * self.stride)
    }

    /// Returns the position with a number as a state, if there is one.
    pub fn state(&self, number: usize) -> Option<State> {
        self.get(number).map(State::from_words)
    }

    /// Iterates over all positions as states, in order of their numbers.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.words.chunks_exact(self.stride).map(State::from_words)
    }

    /// Returns the number of a state, if it has been found.
    pub fn number(&self, state: &State) -> Option<usize> {
        self.find(state.words(), hash(state.words()))
            .map(|number| number as usize)
    }

    /// Returns the number of a position with this hash, if it has been found.
    pub fn find(&self, position: &[u64], hash: u64) -> Option<u32> {
        let is_it = |number: &u32| self.get(*number as usize) == Some(position);
        self.shards[shard(hash)].find(hash, is_it).copied()
    }

    /// Returns the number of a position with this hash, adding it if it is new.
    pub fn insert(&mut self, position: &[u64], hash: u64) -> u32 {
        self.find(position, hash).unwrap_or_else(|| {
            let number = self.append(position);
            let (stride, words) = (self.stride, &self.words);
            self.shards[shard(hash)]
                .insert_unique(hash, number, |number| hash_of(words, stride, *number));
            number
        })
    }

    /// Appends a new position without indexing it by content; [`file`](Self::file) does that later.
    pub fn append(&mut self, position: &[u64]) -> u32 {
        let number = u32::try_from(self.count()).expect("exploration stops before 2^32 positions");
        self.words.extend_from_slice(position);
        number
    }

    /// Indexes appended positions by content, given their numbers and hashes by shard.
    pub fn file(&mut self, numbers: &[Vec<(u32, u64)>]) {
        let (stride, words) = (self.stride, &self.words);
        parallel::map(self.shards.iter_mut().zip(numbers), |(shard, numbers)| {
            // Growing a table once costs less than growing it step by step.
            shard.reserve(numbers.len(), |number| hash_of(words, stride, *number));
            for &(number, hash) in numbers {
                shard.insert_unique(hash, number, |number| hash_of(words, stride, *number));
            }
        });
    }
}

fn hash_of(words: &[u64], stride: usize, number: u32) -> u64 {
    let first = number as usize * stride;
    hash(&words[first..first + stride])
}
