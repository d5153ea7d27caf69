//! Sweeps: the solution of a numbered ruleset ([`Indexed`]) from position 0 on, with each position
//! after its successors.
//!
//! The positions that differ only in the last digit are a *row*, those that share their first
//! digits a *block*. Rows in which all positions have ended are not stored ([`endings`]); of blocks
//! that a symmetry exchanges only one is computed ([`shape`]). Blocks are computed depth first,
//! some in parallel, and a block that no other will read again is released. The blocks that each
//! one reads are known beforehand ([`order`]), so the memory needed at one time is known too
//! ([`schedule`]), and the others can be packed or on a disk meanwhile ([`store`](crate::space::store)).
//! Rows are stored in pages of one size ([`pages`]), so that the pages of one block can be reused
//! for another. Inside a block the rows are computed one after another: steps from a row as a whole
//! to another row are an operation on two arrays, without a branch ([`row`]).
//!
//! The theory defines the value of a position ([`Law`]): Richman values and thresholds in chips
//! share all of this. Only the computation of a row ([`kernel`]) knows the theory and the type of
//! its numbers; everything else moves values as bytes.

mod answers;
mod block;
mod block_store;
mod cut;
mod endings;
mod kernel;
mod order;
mod pages;
mod plays;
mod pool;
mod row;
mod schedule;
mod shape;
mod slot;
mod strip;
mod value;
mod walk;

use self::answers::Answers;
use self::block::{BlockSolver, ValueBlock};
use self::block_store::{BlockStore, KeptSweep};
use self::kernel::{RowKernel, TypedKernel};
use self::plays::Spots;
use self::pool::Room;
use self::row::Structure;
pub use self::schedule::{Keep, Schedule};
use self::shape::SweepShape;
pub use self::slot::{Fixed, Slot};
use self::value::Value;
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::ruleset::{Indexed, State};
use crate::law::Law;
use crate::parallel;
use crate::positions::Numbered;
use crate::watch::{Batch, Context, Cut, Disk, Limits, Sharing, Stop, WorkShare};

/// The remedies for a share that cannot be done.
const NOT_SEEN: &str =
    "this machine does not see the folder in which the sweep was cut, or it was removed";
const OTHER_SWEEP: &str = "cut the question into batches with the same rules and limits";
const NOT_FINISHED: &str = "cut the question again, and work out the batches that are missing";

/// The resources of the sweeps that answer one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// The number of bytes of a value.
    pub width: usize,
    /// The number of sweeps, made one after another.
    pub sweeps: usize,
}

/// The values of the positions of a numbered ruleset, as numbers of one type whatever the width in
/// which they were computed.
#[derive(Debug)]
pub struct Swept<V> {
    values: SweepValues,
    /// Reads a value from its bytes.
    read: fn(&[u8]) -> V,
    /// The value of each ending.
    ended: [V; 3],
}

impl<V: Clone> Swept<V> {
    /// Returns the value of a position; `None` if it is not numbered or its value was not kept.
    pub fn value(&self, indexed: &Indexed, state: &State) -> Option<V> {
        Some(match self.values.value(indexed, state)? {
            Value::Stored(bytes) => (self.read)(bytes),
            Value::Ended(ending) => self.ended[endings::number(ending)].clone(),
        })
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
        kept.or_else(|| self.answers.get(&self.shape.place(&digits)))
    }
}

/// Computes all values, and checks some ([`plays`]). Those of the positions asked about are kept in
/// any case. If there is a disk the sweep continues from its last checkpoint, or begins anew if
/// that is damaged.
///
/// # Errors
/// If there is too little memory, the work is stopped, the disk fails, or a value does not
/// follow from the lines of the game.
pub fn sweep<V, T: Law<Number: Slot + Into<V>>>(
    positions: Numbered<'_>,
    theory: &T,
    context: &Context<'_>,
) -> Result<Swept<V>> {
    let kernel = TypedKernel::new(positions.indexed, theory);
    Ok(Swept {
        values: values(positions, size_of::<T::Number>(), &kernel, context)?,
        read: |bytes| bytemuck::pod_read_unaligned::<T::Number>(bytes).into(),
        // Written out, because `map` would be compiled for each number.
        ended: [
            kernel.ended[0].into(),
            kernel.ended[1].into(),
            kernel.ended[2].into(),
        ],
    })
}

/// Computes all values, as [`sweep`] does, given the number of bytes of the kernel's values.
fn values(
    positions: Numbered<'_>,
    width: usize,
    kernel: &dyn RowKernel,
    context: &Context<'_>,
) -> Result<SweepValues> {
    let indexed = positions.indexed;
    let numbering = &indexed.numbering;
    let schedule = Schedule::new(width, numbering, Some(indexed), context)?;
    let Schedule { shape, order, .. } = &schedule;
    let structure = Structure::new(indexed, shape, order, kernel.seeker());
    let solver = BlockSolver {
        structure: &structure,
        kernel,
        context,
    };
    // The positions to be checked are chosen before the sweep, since values are released during it.
    let spots = Spots::along_random_plays(positions, shape, kernel.seeker(), context)?;
    let answers = Answers::to(positions.states, numbering, shape);
    let store = BlockStore::open(&schedule, answers, &numbering.identity, kernel, context)?;
    let mut sweep = Sweep {
        solver,
        schedule: &schedule,
        spots,
        store,
    };
    let worked = match context.disk.and_then(Disk::sharing) {
        None => sweep.alone(),
        Some(sharing) => sweep.shared(sharing),
    };
    if worked.as_ref().is_err_and(|stopped| stopped.code.is_stop()) {
        context.report("saving", 0, None);
        // A sweep that is stopped is saved so that it can continue. Other errors would save damaged
        // data.
        sweep.store.save()?;
    }
    let (blocks, answers) = worked?;
    // Both borrow the schedule, whose shape is moved out below.
    drop(sweep);
    drop(structure);
    let values = SweepValues {
        shape: schedule.shape,
        blocks,
        answers,
    };
    plays::check_optimal(positions, &values, kernel, context)?;
    Ok(values)
}

/// A sweep in progress. It is cut into batches, each of which is computed, and then the answers are
/// read; by one process, or by several that share a disk.
struct Sweep<'a> {
    solver: BlockSolver<'a>,
    schedule: &'a Schedule,
    spots: Spots<'a>,
    store: BlockStore<'a>,
}

impl Sweep<'_> {
    /// Computes everything in this process. If stored blocks turn out to be damaged, they are
    /// computed anew.
    fn alone(&mut self) -> Result<KeptSweep> {
        loop {
            let all = self.batches(Some(f64::INFINITY));
            let worked = all
                .into_iter()
                .try_for_each(|batch| self.work(&batch.blocks));
            match worked.and_then(|()| self.store.end()) {
                // Blocks that were removed because of damage count as missing in the next round.
                Err(error) if self.store.begin_anew(&error)? => {}
                ended => return ended,
            }
        }
    }

    /// Does this process's share, and stops the question, which saves what was computed; or returns
    /// the values if all batches have been computed.
    fn shared(&mut self, sharing: &Sharing) -> Result<KeptSweep> {
        let share = sharing.share();
        if matches!(share, WorkShare::Cut(_)) {
            self.store.tables.begin()?;
        } else if !self.store.tables.is_begun() {
            return Err(self.refused("there is no folder of this sweep", NOT_SEEN));
        }
        let cut = match share {
            WorkShare::Work(sweep, blocks) if self.store.tables.folder() == Some(&sweep) => {
                // The share is valid only for the sweep that was cut, whose folder has the same
                // name.
                self.work(&blocks)?;
                self.store.tables.sync()?;
                None
            }
            _ if self.store.done() == self.schedule.blocks() => return self.store.end(),
            WorkShare::Cut(seconds) => Some(Cut {
                sweep: self.store.tables.folder().unwrap_or_default().to_owned(),
                memory: Limits::for_room(self.schedule.bytes_held()),
                batches: self.batches(seconds),
            }),
            WorkShare::Work(..) => {
                return Err(self.refused("the batch belongs to another sweep", OTHER_SWEEP));
            }
            WorkShare::Answer => {
                return Err(self.refused("batches of the sweep are missing", NOT_FINISHED));
            }
        };
        sharing.finish(cut);
        Err(Stop::Interrupted.into())
    }

    fn refused(&self, message: &str, help: &str) -> Box<Diagnostic> {
        Diagnostic::new(Code::Checkpoint, message)
            .note(self.store.tables.words())
            .help(help)
            .into()
    }

    /// Returns the batches that have not been computed.
    fn batches(&self, seconds: Option<f64>) -> Vec<Batch> {
        let is_missing = |block| self.store.is_missing(block);
        self.schedule.cut(seconds, &is_missing)
    }

    /// Computes the blocks of a batch that have not been computed.
    fn work(&mut self, batch: &[usize]) -> Result<()> {
        let order = &self.schedule.order;
        let is_in = |block: &usize| batch.binary_search(block).is_ok();
        self.store.begin(&|block| is_in(&block));
        for number in 0..order.batches() {
            let together: Vec<usize> = order.batch(number).iter().copied().filter(is_in).collect();
            // A batch may have to be computed in parts if its blocks do not fit in memory together.
            while let Some(blocks) = self.store.next(&together) {
                self.fill(number, &together, &blocks)?;
            }
        }
        Ok(())
    }

    /// Computes some blocks that do not depend on each other.
    fn fill(&mut self, number: usize, together: &[usize], blocks: &[usize]) -> Result<()> {
        let Self {
            solver,
            schedule,
            spots,
            store,
        } = self;
        let context = solver.context;
        let positions = solver.structure.indexed.numbering.positions();
        let (done, all) = (store.done(), schedule.blocks());
        context.report(
            "solving",
            fit::<u64>(u128::from(positions) * done as u128 / all as u128),
            Some(positions),
        );
        store.prepare(blocks)?;
        let fill = |block: &usize| solver.fill(&store.blocks, &store.pool, *block);
        let filled: Vec<ValueBlock> = parallel::try_map(blocks, fill)?;
        let found = |block: usize| match blocks.iter().position(|filled| *filled == block) {
            Some(place) => &filled[place],
            None => &store.blocks[block],
        };
        blocks
            .iter()
            // Values are checked before they are stored, so that a wrong one never gets to the
            // disk.
            .try_for_each(|block| spots.check(*block, solver.kernel, &found))?;
        let filled = blocks.iter().copied().zip(filled).collect();
        store.finish(number, together, filled)?;
        context.save_if_due(|| store.save())
    }
}
