//! Sweeps: solving a numbered ruleset ([`Indexed`]) from position 0 on, each after those that its moves lead to.
//!
//! The values stand in arrays, one for each *block*: the positions that share their first digits. A block depends on
//! blocks whose first digits have a lesser sum of heights; blocks of one sum are worked out side by side, and one that
//! no other will look at again can be let go. Which blocks each takes is known beforehand ([`order`]), so what must be in
//! memory at one time is known too ([`schedule`]), and the others can be on a disk meanwhile ([`store`]). Inside a block the rows are worked out one after another: what leads
//! from a row as a whole to another row is an operation on two arrays, without a branch.
//!
//! What a position's value is, is for the theory to say ([`Theory`]): Richman values and thresholds in chips share all
//! of this.

mod block;
mod block_store;
mod number;
mod order;
mod plays;
mod row;
mod schedule;
mod shape;

use self::block_store::BlockStore;
pub use self::number::{Fixed, Slot};
use self::plays::Spots;
pub use self::schedule::{Keep, Schedule};
use self::shape::Shape;
use super::graphless::Numbered;
use super::theory::Theory;
use crate::diagnostic::Result;
use crate::game::ruleset::{Numbering, State};
use crate::parallel;
use crate::watch::{Stop, Watch};

/// What sweeps take that answer one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// The bytes of a position's value.
    pub bytes: usize,
    /// How many sweeps are made, one after another.
    pub sweeps: usize,
}

/// The values of the positions of a numbered ruleset.
#[derive(Debug)]
pub struct Swept<N> {
    shape: Shape,
    blocks: Vec<Vec<N>>,
}

impl<N: Slot> Swept<N> {
    /// The value of a position; `None` if it is not numbered or its value was not kept.
    pub fn value(&self, numbering: &Numbering, state: &State) -> Option<N> {
        let (block, place) = self.shape.place(&numbering.digits_of(state)?);
        self.blocks[block].get(place).copied()
    }

    /// The bytes that the values take.
    pub fn bytes(&self) -> u64 {
        self.blocks.iter().map(|block| size_of_val(block.as_slice()) as u64).sum()
    }
}

/// Works out all values, and checks some ([`plays`]). Where there is a disk the sweep goes on from where it was left there, or
/// begins anew if that is damaged.
///
/// # Errors
/// If there is too little memory, the watch stops the work, the disk fails, or a value does not follow from the lines of the game.
pub fn sweep<T: Theory<Number: Slot>>(
    positions: Numbered<'_>,
    theory: &T,
    watch: &dyn Watch,
) -> Result<Swept<T::Number>> {
    let indexed = positions.indexed;
    let numbering = &indexed.numbering;
    let schedule = Schedule::new(size_of::<T::Number>(), numbering, positions.states, watch).map_err(Stop::Shortage)?;
    let kernel = row::Kernel::new(indexed, &schedule.shape, theory);
    let spots = Spots::along_random_plays(positions, &schedule.shape, theory.seeker(), watch)?;
    let mut store = BlockStore::open(&schedule, &numbering.identity, theory, watch)?;
    let go_on = |store: &mut BlockStore<'_, T::Number>| {
        work(&kernel, &schedule, &spots, store, watch)?;
        store.end()
    };
    let mut worked = go_on(&mut store);
    if let Err(error) = &worked
        && store.begin_anew(error)?
    {
        worked = go_on(&mut store);
    }
    if worked.as_ref().is_err_and(|stopped| stopped.code.is_stop()) {
        store.save()?;
    }
    let blocks = worked?;
    drop(store);
    let swept = Swept { shape: schedule.shape, blocks };
    plays::check_optimal(positions, &swept, theory, watch)?;
    Ok(swept)
}

/// Works out the blocks that have not been.
fn work<T: Theory<Number: Slot>>(
    kernel: &row::Kernel<'_, T>,
    schedule: &Schedule,
    spots: &Spots<'_>,
    store: &mut BlockStore<'_, T::Number>,
    watch: &dyn Watch,
) -> Result<()> {
    let positions = kernel.indexed.numbering.positions();
    let mut done = store.done();
    for level in schedule.order.levels() {
        let mut left = level.clone();
        while let Some(batch) = store.batch(left.clone()) {
            watch.report("solving", positions / schedule.shape.blocks() as u64 * done as u64, Some(positions));
            store.prepare(&batch)?;
            let blocks = schedule.order.at(batch.clone());
            let spare = store.spare(blocks.len());
            let fill = |(block, values): (&usize, _)| block::fill(kernel, &store.blocks, *block, values, watch);
            let filled: Vec<Vec<T::Number>> = parallel::try_map(blocks.iter().zip(spare), fill)?;
            let found = |block: usize| match blocks.iter().position(|filled| *filled == block) {
                Some(place) => &filled[place],
                None => &store.blocks[block],
            };
            blocks.iter().try_for_each(|block| spots.check(*block, kernel.theory, found))?;
            store.finish(&batch, filled)?;
            (done, left.start) = (done + batch.len(), batch.end);
            if watch.save_due() {
                store.save()?;
            }
        }
    }
    Ok(())
}
