//! Sweeps: the solution of a numbered ruleset ([`Indexed`]) from position 0 on, with each position
//! after its successors.
//!
//! The positions that differ only in the last digit are a *row*, those that share their first
//! digits a *block*. Rows in which all positions have ended are not stored ([`endings`]); of blocks
//! that a symmetry exchanges only one is computed ([`shape`]). Blocks are computed depth first,
//! some in parallel, and a block that no other will read again is released. The blocks that each
//! one reads are known beforehand ([`order`]), so the memory needed at one time is known too
//! ([`schedule`]), and the others can be packed or on a disk meanwhile ([`store`](crate::store)).
//! Rows are stored in pages of one size ([`pages`]), so that the pages of one block can be reused
//! for another. Inside a block the rows are computed one after another: steps from a row as a whole
//! to another row are an operation on two arrays, without a branch ([`row`]).
//!
//! The theory defines the value of a position ([`Theory`]): Richman values and thresholds in chips
//! share all of this.

mod answers;
mod block;
mod block_store;
mod cells;
mod endings;
mod order;
mod pages;
mod parcel;
mod planes;
mod plays;
mod pool;
mod row;
mod schedule;
mod shape;
mod walk;

use self::answers::Answers;
use self::block::ValueBlock;
use self::block_store::BlockStore;
pub use self::cells::{CellLayout, Cells, Fixed, Slot};
pub use self::planes::{Planes, Small};
use self::plays::Spots;
use self::pool::Room;
pub use self::schedule::{Keep, Schedule};
use self::shape::SweepShape;
use super::graphless::Numbered;
use super::theory::Theory;
use crate::diagnostic::Result;
use crate::game::ruleset::{Indexed, State};
use crate::parallel;
use crate::player::Ending;
use crate::watch::{Context, Stop};

/// The resources of the sweeps that answer one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// The layout of values.
    pub layout: CellLayout,
    /// The number of sweeps, made one after another.
    pub sweeps: usize,
}

/// The values of the positions of a numbered ruleset.
#[derive(Debug)]
pub struct Swept<C: Cells> {
    shape: SweepShape,
    /// The blocks; empty if they were not kept.
    blocks: Vec<ValueBlock<C>>,
    answers: Answers<C::Number>,
    /// The value of each ending.
    ended: [C::Number; 3],
}

impl<C: Cells> Swept<C> {
    /// Returns the value of a position; `None` if it is not numbered or its value was not kept.
    pub fn value(&self, indexed: &Indexed, state: &State) -> Option<C::Number> {
        let digits = indexed.numbering.digits_of(state)?;
        let of_ending = |ending| self.ended[endings::number(ending)];
        let kept = value_at(
            indexed,
            &self.shape,
            &digits,
            |block| &self.blocks[block],
            of_ending,
        );
        kept.or_else(|| self.answers.get(&self.shape.place(&digits)))
    }

    /// Returns the size of the values in bytes.
    pub fn bytes(&self) -> u64 {
        self.blocks
            .iter()
            .map(ValueBlock::room)
            .sum::<Room>()
            .bytes()
    }
}

/// Returns the value of a position, given its digits, if its block is in memory or it has ended.
fn value_at<'b, C: Cells>(
    indexed: &Indexed,
    shape: &SweepShape,
    digits: &[usize],
    found: impl Fn(usize) -> &'b ValueBlock<C>,
    of_ending: impl Fn(Ending) -> C::Number,
) -> Option<C::Number> {
    let place = shape.place(digits);
    let stored = found(place.block).value(place.row, place.content, shape.paging);
    stored.or_else(|| endings::ending_of(indexed, digits).map(of_ending))
}

/// Computes all values as [`sweep_in`] does, with a number for each.
///
/// # Errors
/// The errors of [`sweep_in`].
pub fn sweep<T: Theory<Number: Slot>>(
    positions: Numbered<'_>,
    theory: &T,
    context: &Context<'_>,
) -> Result<Swept<T::Number>> {
    sweep_in(positions, theory, context)
}

/// Computes all values, and checks some ([`plays`]). Those of the positions asked about are kept in
/// any case. If there is a disk the sweep continues from its last checkpoint, or begins anew if
/// that is damaged.
///
/// # Errors
/// If there is too little memory, the work is stopped, the disk fails, or a value does not follow
/// from the lines of the game.
pub fn sweep_in<C: Cells, T: Theory<Number = C::Number>>(
    positions: Numbered<'_>,
    theory: &T,
    context: &Context<'_>,
) -> Result<Swept<C>> {
    let indexed = positions.indexed;
    let numbering = &indexed.numbering;
    let schedule = Schedule::new(CellLayout::of::<C>(), numbering, Some(indexed), context)
        .map_err(Stop::Shortage)?;
    let kernel = row::RowKernel::new(indexed, &schedule.shape, &schedule.order, theory);
    let spots = Spots::along_random_plays(positions, &schedule.shape, theory.seeker(), context)?;
    let answers = Answers::to(positions.states, numbering, &schedule.shape);
    let mut store = BlockStore::open(&schedule, answers, &numbering.identity, theory, context)?;
    let go_on = |store: &mut BlockStore<'_, C>| {
        work(&kernel, &schedule, &spots, store, context)?;
        store.end()
    };
    let mut worked = go_on(&mut store);
    if let Err(error) = &worked
        && store.begin_anew(error)?
    {
        worked = go_on(&mut store);
    }
    if worked.as_ref().is_err_and(|stopped| stopped.code.is_stop()) {
        context.report("saving", 0, None);
        store.save()?;
    }
    let (blocks, answers) = worked?;
    let ended = kernel.ended;
    drop(store);
    let swept = Swept {
        shape: schedule.shape,
        blocks,
        answers,
        ended,
    };
    plays::check_optimal(positions, &swept, theory, context)?;
    Ok(swept)
}

/// Computes the blocks that have not been computed.
fn work<C: Cells, T: Theory<Number = C::Number>>(
    kernel: &row::RowKernel<'_, T, C>,
    schedule: &Schedule,
    spots: &Spots<'_>,
    store: &mut BlockStore<'_, C>,
    context: &Context<'_>,
) -> Result<()> {
    let positions = kernel.indexed.numbering.positions();
    let (mut done, all) = (store.done(), schedule.blocks());
    for number in 0..schedule.order.batches() {
        while let Some(blocks) = store.next(schedule.order.batch(number)) {
            context.report(
                "solving",
                (u128::from(positions) * done as u128 / all as u128) as u64,
                Some(positions),
            );
            store.prepare(&blocks)?;
            let fill =
                |block: &usize| block::fill(kernel, &store.blocks, &store.pool, *block, context);
            let filled: Vec<ValueBlock<C>> = parallel::try_map(&blocks, fill)?;
            let found = |block: usize| match blocks.iter().position(|filled| *filled == block) {
                Some(place) => &filled[place],
                None => &store.blocks[block],
            };
            blocks
                .iter()
                .try_for_each(|block| spots.check(*block, kernel.theory, found))?;
            done += blocks.len();
            store.finish(number, &blocks, filled)?;
            context.save_if_due(|| store.save())?;
        }
    }
    Ok(())
}
