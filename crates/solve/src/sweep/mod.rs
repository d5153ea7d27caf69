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
//! share all of this. Only the computation of a row ([`kernel`]) knows the theory and the type of
//! its numbers; everything else moves values as bytes.

mod answers;
mod block;
mod block_store;
mod cells;
mod endings;
mod kernel;
mod order;
mod pages;
mod parcel;
mod planes;
mod plays;
mod pool;
mod row;
mod schedule;
mod shape;
mod value;
mod walk;

use self::answers::Answers;
use self::block::{BlockSolver, ValueBlock};
use self::block_store::BlockStore;
pub use self::cells::{CellLayout, Cells, Fixed, Slot};
use self::kernel::{RowKernel, TypedKernel};
pub use self::planes::{Planes, Small};
use self::plays::Spots;
use self::pool::Room;
use self::row::Structure;
pub use self::schedule::{Keep, Schedule};
use self::shape::SweepShape;
use self::value::Value;
use super::graphless::Numbered;
use super::theory::Theory;
use crate::diagnostic::Result;
use crate::game::ruleset::{Indexed, State};
use crate::parallel;
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
    values: SweepValues,
    /// The value of each ending.
    ended: [C::Number; 3],
}

impl<C: Cells> Swept<C> {
    /// Returns the value of a position; `None` if it is not numbered or its value was not kept.
    pub fn value(&self, indexed: &Indexed, state: &State) -> Option<C::Number> {
        Some(self.values.value(indexed, state)?.number::<C>(&self.ended))
    }

    /// Returns the size of the values in bytes.
    pub fn bytes(&self) -> u64 {
        let blocks = self.values.blocks.iter();
        blocks.map(ValueBlock::room).sum::<Room>().bytes()
    }
}

/// The values of the positions as bytes, independent of the type of their numbers.
#[derive(Debug)]
struct SweepValues {
    shape: SweepShape,
    /// The blocks by number; empty if they were not kept.
    blocks: Vec<ValueBlock>,
    answers: Answers,
}

impl SweepValues {
    /// Returns the value of a position; `None` if it is not numbered or its value was not kept.
    fn value(&self, indexed: &Indexed, state: &State) -> Option<Value<'_>> {
        let digits = indexed.numbering.digits_of(state)?;
        let kept = Value::at(indexed, &self.shape, &digits, &|block| &self.blocks[block]);
        kept.or_else(|| self.answers.get(&self.shape.place(&digits), &self.shape))
    }
}

/// Computes all values, and checks some ([`plays`]). Those of the positions asked about are kept in
/// any case. If there is a disk the sweep continues from its last checkpoint, or begins anew if
/// that is damaged.
///
/// # Errors
/// If there is too little memory, the work is stopped, the disk fails, or a value does not
/// follow from the lines of the game.
pub fn sweep<C: Cells, T: Theory<Number = C::Number>>(
    positions: Numbered<'_>,
    theory: &T,
    context: &Context<'_>,
) -> Result<Swept<C>> {
    let kernel = TypedKernel::<T, C>::new(positions.indexed, theory);
    Ok(Swept {
        values: values(positions, CellLayout::of::<C>(), &kernel, context)?,
        ended: kernel.ended,
    })
}

/// Computes all values, as [`sweep`] does, given the layout of the kernel's values.
fn values(
    positions: Numbered<'_>,
    layout: CellLayout,
    kernel: &dyn RowKernel,
    context: &Context<'_>,
) -> Result<SweepValues> {
    let indexed = positions.indexed;
    let numbering = &indexed.numbering;
    let schedule =
        Schedule::new(layout, numbering, Some(indexed), context).map_err(Stop::Shortage)?;
    let Schedule { shape, order, .. } = &schedule;
    let structure = Structure::new(indexed, shape, order, kernel.seeker());
    let solver = BlockSolver {
        structure: &structure,
        kernel,
        context,
    };
    let spots = Spots::along_random_plays(positions, shape, kernel.seeker(), context)?;
    let answers = Answers::to(positions.states, numbering, shape);
    let mut store = BlockStore::open(&schedule, answers, &numbering.identity, kernel, context)?;
    let go_on = |store: &mut BlockStore<'_>| {
        work(&solver, &schedule, &spots, store)?;
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
    drop((store, spots, structure));
    let values = SweepValues {
        shape: schedule.shape,
        blocks,
        answers,
    };
    plays::check_optimal(positions, &values, kernel, context)?;
    Ok(values)
}

/// Computes the blocks that have not been computed.
fn work(
    solver: &BlockSolver<'_>,
    schedule: &Schedule,
    spots: &Spots<'_>,
    store: &mut BlockStore<'_>,
) -> Result<()> {
    let context = solver.context;
    let positions = solver.structure.indexed.numbering.positions();
    let (mut done, all) = (store.done(), schedule.blocks());
    for number in 0..schedule.order.batches() {
        while let Some(blocks) = store.next(schedule.order.batch(number)) {
            context.report(
                "solving",
                (u128::from(positions) * done as u128 / all as u128) as u64,
                Some(positions),
            );
            store.prepare(&blocks)?;
            let fill = |block: &usize| solver.fill(&store.blocks, &store.pool, *block);
            let filled: Vec<ValueBlock> = parallel::try_map(&blocks, fill)?;
            let found = |block: usize| match blocks.iter().position(|filled| *filled == block) {
                Some(place) => &filled[place],
                None => &store.blocks[block],
            };
            blocks
                .iter()
                .try_for_each(|block| spots.check(*block, solver.kernel, &found))?;
            done += blocks.len();
            store.finish(number, &blocks, filled)?;
            context.save_if_due(|| store.save())?;
        }
    }
    Ok(())
}
