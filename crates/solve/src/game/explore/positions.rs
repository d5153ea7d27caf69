//! The positions of a ruleset that have been found, by number and by content.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::game::NodeId;
use crate::game::ruleset::State;
use crate::parallel;

/// Into how many tables the positions are divided by their hashes, so that as many threads can look
/// some up.
pub const SHARDS: usize = 64;

/// Positions numbered in the order in which they are found.
#[derive(Debug, Clone)]
pub struct Positions {
    /// How many words a position takes.
    stride: usize,
    /// The positions one after another.
    words: Vec<u64>,
    /// The numbers of the positions of each shard.
    shards: Vec<HashTable<u32>>,
}

/// The hash of a position.
pub fn hash(position: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    position.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

/// The shard of the positions with this hash. The bits are ones that the tables do not go by.
pub fn shard(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}

impl Positions {
    /// None yet, each of so many words.
    pub fn new(stride: usize) -> Self {
        Self {
            stride,
            words: Vec::new(),
            shards: vec![HashTable::new(); SHARDS],
        }
    }

    /// How many words a position takes.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.len() / self.stride
    }

    /// The memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        // A table keeps a byte beside each number.
        let tables: usize = self
            .shards
            .iter()
            .map(|shard| shard.capacity() * (size_of::<u32>() + 1))
            .sum();
        self.words.capacity() * size_of::<u64>() + tables
    }

    /// The position of a number.
    pub fn get(&self, number: usize) -> Option<&[u64]> {
        self.words
            .get(number * self.stride..(number + 1) * self.stride)
    }

    /// The position of a number, as a state.
    pub fn state(&self, number: usize) -> Option<State> {
        self.get(number).map(State::from_words)
    }

    /// All, in order.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.words.chunks_exact(self.stride).map(State::from_words)
    }

    /// The vertex of a state, which is the next one if it is new.
    pub fn add(&mut self, state: &State) -> NodeId {
        NodeId::new(self.insert(state.words(), hash(state.words())) as usize)
    }

    /// The number of a state.
    pub fn number(&self, state: &State) -> Option<usize> {
        self.find(state.words(), hash(state.words()))
            .map(|number| number as usize)
    }

    /// The number of a position.
    pub fn find(&self, position: &[u64], hash: u64) -> Option<u32> {
        let is_it = |number: &u32| self.get(*number as usize) == Some(position);
        self.shards[shard(hash)].find(hash, is_it).copied()
    }

    /// The number of a position; the next one if it is new.
    pub fn insert(&mut self, position: &[u64], hash: u64) -> u32 {
        self.find(position, hash).unwrap_or_else(|| {
            let number = self.append(position);
            let (stride, words) = (self.stride, &self.words);
            self.shards[shard(hash)]
                .insert_unique(hash, number, |number| hash_of(words, stride, *number));
            number
        })
    }

    /// Numbers a position that is new, and leaves it to [`file`](Self::file) to make it known by
    /// content.
    pub fn append(&mut self, position: &[u64]) -> u32 {
        let number = u32::try_from(self.len()).expect("exploration stops before 2^32 positions");
        self.words.extend_from_slice(position);
        number
    }

    /// Makes appended positions known by content: their numbers and hashes, by shard.
    pub fn file(&mut self, numbers: &[Vec<(u32, u64)>]) {
        let (stride, words) = (self.stride, &self.words);
        parallel::map(self.shards.iter_mut().zip(numbers), |(shard, numbers)| {
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
