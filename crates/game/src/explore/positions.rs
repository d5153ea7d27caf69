//! The table of a ruleset's positions found so far, indexed by number and by content.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::ruleset::State;

/// Positions numbered in the order in which they are found.
#[derive(Debug, Clone)]
pub struct Positions {
    /// The number of words of a position.
    stride: usize,
    /// The words of the positions, one position after another.
    words: Vec<u64>,
    /// The numbers of the positions by content.
    numbers: HashTable<u32>,
}

/// Computes the hash of a position.
pub fn hash(position: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    position.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

impl Positions {
    /// Creates an empty table of positions with this number of words each.
    pub fn new(stride: usize) -> Self {
        Self {
            stride,
            words: Vec::new(),
            numbers: HashTable::new(),
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
        // The table keeps a byte beside each number.
        let table = self.numbers.capacity() * (size_of::<u32>() + 1);
        self.words.capacity() * size_of::<u64>() + table
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
    fn find(&self, position: &[u64], hash: u64) -> Option<u32> {
        let is_it = |number: &u32| self.get(*number as usize) == Some(position);
        self.numbers.find(hash, is_it).copied()
    }

    /// Returns the number of a position with this hash, adding it if it is new.
    pub fn insert(&mut self, position: &[u64], hash: u64) -> u32 {
        self.find(position, hash).unwrap_or_else(|| {
            let number =
                u32::try_from(self.count()).expect("exploration stops before 2^32 positions");
            self.words.extend_from_slice(position);
            let (stride, words) = (self.stride, &self.words);
            self.numbers
                .insert_unique(hash, number, |number| hash_of(words, stride, *number));
            number
        })
    }
}

fn hash_of(words: &[u64], stride: usize, number: u32) -> u64 {
    let first = number as usize * stride;
    hash(&words[first..first + stride])
}
