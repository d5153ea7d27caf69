//! Fillings of the empty cells, 64 to a block: a word for each cell, whose bit i is set if Alice
//! has it in filling i.

use std::ops::Range;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::CountFailure;
use crate::player::Player;

/// A function that is called with each block: its words and the lanes that are fillings.
pub type BlockVisitor<'v> = dyn FnMut(&[u64], u64) -> Result<(), CountFailure> + 'v;

/// A sequence of fillings, divided into blocks.
pub trait Fillings: Sync {
    /// Returns the number of blocks.
    fn blocks(&self) -> u64;

    /// Visits some of the blocks in order.
    ///
    /// # Errors
    /// Returns the errors of `visit`.
    fn visit(&self, blocks: Range<u64>, visit: &mut BlockVisitor<'_>) -> Result<(), CountFailure>;
}

/// Returns the words of all cells, with those of empty cells still to be filled in, and the empty
/// cells.
fn words_of(taken: &[Option<Player>]) -> (Vec<u64>, Vec<usize>) {
    let word = |owner: &Option<Player>| {
        if *owner == Some(Player::Alice) {
            u64::MAX
        } else {
            0
        }
    };
    let empty = (0..taken.len()).filter(|cell| taken[*cell].is_none());
    (taken.iter().map(word).collect(), empty.collect())
}

/// All fillings.
#[derive(Debug)]
pub struct Every {
    words: Vec<u64>,
    /// The empty cells whose owners differ among the lanes of a block.
    low: Vec<usize>,
    /// The other empty cells, whose owners the number of the block determines.
    high: Vec<usize>,
}

/// The words whose bit i is bit b of i, for each b.
const LANES: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

impl Every {
    pub fn new(taken: &[Option<Player>]) -> Self {
        let (mut words, mut low) = words_of(taken);
        // Six cells give the 64 lanes of a block all of their patterns, so a block needs no loop
        // over lanes.
        let high = low.split_off(low.len().min(LANES.len()));
        for (cell, lanes) in low.iter().zip(LANES) {
            words[*cell] = lanes;
        }
        Self { words, low, high }
    }

    fn lanes(&self) -> u64 {
        // With fewer than six empty cells the patterns repeat, and only the first lanes count.
        u64::MAX >> (64 - (1 << self.low.len()))
    }
}

impl Fillings for Every {
    fn blocks(&self) -> u64 {
        1 << self.high.len()
    }

    fn visit(&self, blocks: Range<u64>, visit: &mut BlockVisitor<'_>) -> Result<(), CountFailure> {
        let mut words = self.words.clone();
        for block in blocks {
            for (bit, cell) in self.high.iter().enumerate() {
                // Subtracting the bit from 0 fills the word with it.
                words[*cell] = 0_u64.wrapping_sub(block >> bit & 1);
            }
            visit(&words, self.lanes())?;
        }
        Ok(())
    }
}

/// Random fillings, determined by the seed, however the blocks are distributed over threads.
#[derive(Debug)]
pub struct Random {
    words: Vec<u64>,
    empty: Vec<usize>,
    blocks: u64,
    seed: u64,
}

impl Random {
    pub fn new(taken: &[Option<Player>], fillings: u64, seed: u64) -> Self {
        let (words, empty) = words_of(taken);
        Self {
            words,
            empty,
            // At least one block is evaluated, so that no mean is divided by 0.
            blocks: fillings.div_ceil(64).max(1),
            seed,
        }
    }
}

impl Fillings for Random {
    fn blocks(&self) -> u64 {
        self.blocks
    }

    fn visit(&self, blocks: Range<u64>, visit: &mut BlockVisitor<'_>) -> Result<(), CountFailure> {
        let mut words = self.words.clone();
        // Each range of blocks has its own generator, since the ranges may be visited in any order.
        let mut chance =
            Xoshiro256PlusPlus::seed_from_u64(self.seed ^ blocks.start.rotate_left(32));
        for _ in blocks {
            for cell in &self.empty {
                words[*cell] = chance.next_u64();
            }
            visit(&words, u64::MAX)?;
        }
        Ok(())
    }
}
