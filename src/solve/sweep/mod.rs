//! Sweeps: solving a numbered ruleset ([`Indexed`]) from position 0 on, each after those that its moves lead to.
//!
//! The values stand in arrays, one for each *block*: the positions that share their first digits. A block depends on
//! blocks whose first digits have a lesser sum of heights; blocks of one sum are worked out side by side, and one that
//! no other will look at again can be let go. Inside a block the rows are worked out one after another: what leads
//! from a row as a whole to another row is an operation on two arrays, without a branch.
//!
//! What a position's value is, is for the theory to say ([`Theory`]): Richman values and thresholds in chips share all
//! of this.

mod block;
mod number;
mod row;
mod shape;

use rayon::prelude::*;

pub use self::number::{Fixed, Number};
use self::shape::Shape;
use crate::game::ruleset::{Indexed, State};
use crate::game::{Ending, Player};
use crate::watch::{Stop, Watch};

/// How values follow from each other.
pub trait Theory: Sync {
    /// The value of a position.
    type Number: Number;

    /// The player for whom less is better.
    fn seeker(&self) -> Player;

    /// The value of an ending.
    fn ending(&self, ending: Ending) -> Self::Number;

    /// The value of a position from the best values that the seeker and the opponent can move to.
    fn settle(&self, seeker: Self::Number, opponent: Self::Number) -> Self::Number;
}

/// What is kept of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All values.
    All,
    /// Those of the last blocks: the start's is among them.
    Last,
}

impl Keep {
    /// As much as fits in so many bytes; `None` if nothing does.
    pub fn within<N: Number>(indexed: &Indexed, limit: u64) -> Option<Self> {
        [Self::All, Self::Last].into_iter().find(|keep| bytes::<N>(indexed, *keep) <= limit)
    }
}

/// The values of the positions of a numbered ruleset.
#[derive(Debug)]
pub struct Swept<N> {
    shape: Shape,
    blocks: Vec<Vec<N>>,
}

impl<N: Number> Swept<N> {
    /// The value of a position; `None` if it is not numbered or its value was not kept.
    pub fn value(&self, indexed: &Indexed, state: &State) -> Option<N> {
        let (block, place) = self.shape.place(&indexed.digits_of(state)?);
        self.blocks[block].get(place).copied()
    }

    /// The bytes that the values take.
    pub fn bytes(&self) -> u64 {
        self.blocks.iter().map(|block| size_of_val(block.as_slice()) as u64).sum()
    }
}

/// The bytes that a sweep takes at most at one time.
pub fn bytes<N: Number>(indexed: &Indexed, keep: Keep) -> u64 {
    let shape = Shape::new::<N>(indexed);
    let alive = match keep {
        Keep::All => shape.blocks() as u64,
        Keep::Last => shape.most_alive() as u64,
    };
    alive.saturating_mul(shape.block_len() as u64).saturating_mul(size_of::<N>() as u64)
}

/// Works out all values.
///
/// # Errors
/// If the watch stops the work.
pub fn sweep<T: Theory>(
    indexed: &Indexed,
    theory: &T,
    keep: Keep,
    watch: &dyn Watch,
) -> Result<Swept<T::Number>, Stop> {
    let shape = Shape::new::<T::Number>(indexed);
    let mut blocks: Vec<Vec<T::Number>> = vec![Vec::new(); shape.blocks()];
    let kernel = row::Kernel::new(indexed, &shape, theory);
    let mut done = 0;
    for level in 0..shape.levels().len() {
        watch.report("solving", done, Some(indexed.positions()));
        let numbers = &shape.levels()[level];
        let work = numbers.par_iter().map(|block| block::fill(&kernel, &blocks, *block, watch));
        let filled = work.collect::<Result<Vec<Vec<T::Number>>, Stop>>()?;
        for (number, values) in numbers.iter().zip(filled) {
            blocks[*number] = values;
        }
        if keep == Keep::Last {
            shape.unneeded_after(level).for_each(|block| blocks[block] = Vec::new());
        }
        done += indexed.positions() / shape.blocks() as u64 * numbers.len() as u64;
    }
    Ok(Swept { shape, blocks })
}
