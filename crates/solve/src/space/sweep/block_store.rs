//! The storage of blocks: in memory, on the disk, or already released.

use std::collections::BTreeSet;

use super::answers::Answers;
use super::block::ValueBlock;
use super::endings;
use super::kernel::RowKernel;
use super::order::Demand;
use super::pages::Paging;
use super::pool::{Pool, Room};
use super::schedule::{Keep, Schedule};
use super::shape::SweepShape;
use crate::diagnostic::{Diagnostic, Result};
use crate::parallel;
use crate::space::store::{StoredWork, Tables};
use crate::watch::Context;

/// The greatest number of bytes of a run. The values of a block are packed in runs because packing
/// takes additional memory for a run.
const RUN: usize = 1 << 25;

/// Returns the number of pages of a run.
fn run_len(paging: Paging) -> usize {
    (RUN / paging.page_bytes()).max(1)
}

/// Returns the greatest number of bytes that a thread takes to write or read blocks: a run, and the
/// same run packed or a little more.
pub fn bytes_to_pack(largest: u64) -> u64 {
    5 * largest.min(RUN as u64) / 2
}

/// The result of a sweep: the blocks that are kept, and the answers.
pub type KeptSweep = (Vec<ValueBlock>, Answers);

/// The blocks of a sweep in progress.
pub struct BlockStore<'a> {
    schedule: &'a Schedule,
    /// The blocks by number; empty if they are not in memory.
    pub blocks: Vec<ValueBlock>,
    /// The memory of blocks that were released.
    pub pool: Pool,
    /// The space of images that are used at one time, and the least space for one block after
    /// another.
    images: Room,
    least: Room,
    /// The blocks that are stored on the disk, or packed in memory.
    away: Vec<bool>,
    /// The blocks that have been computed, or need not be.
    done: Vec<bool>,
    /// The blocks from which blocks that other processes compute are computed.
    wanted_elsewhere: Vec<bool>,
    answers: Answers,
    /// The packed blocks: the codes of the rows (stored, or the kind of ending) in part 0, the
    /// values in the others, in runs.
    pub tables: Tables<'a>,
}

impl<'a> BlockStore<'a> {
    /// Opens the blocks as they were left on the disk, or none.
    ///
    /// # Errors
    /// If the contents of the disk cannot be used.
    pub fn open(
        schedule: &'a Schedule,
        answers: Answers,
        identity: &str,
        kernel: &dyn RowKernel,
        context: &'a Context<'a>,
    ) -> Result<Self> {
        let count = schedule.shape.blocks();
        let mut blocks = Vec::new();
        blocks.resize_with(count, ValueBlock::default);
        let (asked, name) = (answers.digest(), kernel.name());
        let width = schedule.shape.width;
        // Everything on which the stored bytes depend is part of the name, so no other sweep reads
        // them.
        let rest = format_args!("sweep of rows in pages {name} in {width} {count} {asked:032x}");
        let work = StoredWork::new(format!("a sweep for {name}"), identity, rest);
        let tables = match context.disk {
            // The schedule has counted the packed blocks, so no second limit is needed here.
            None => Tables::of_room(u64::MAX),
            Some(disk) => Tables::on_disk(disk, work)?,
        };
        let mut store = Self {
            schedule,
            blocks,
            pool: Pool::new(schedule.shape.paging),
            images: schedule.images(),
            least: schedule.least(),
            away: vec![false; count],
            done: vec![false; count],
            wanted_elsewhere: vec![false; count],
            answers,
            tables,
        };
        store.look()?;
        Ok(store)
    }

    /// Looks which blocks are stored, and determines which have to be computed.
    fn look(&mut self) -> Result<()> {
        self.away.fill(false);
        for block in self.tables.stored()? {
            if let Some(away) = self.away.get_mut(block) {
                *away = true;
            }
        }
        let demand = self.demand(&|block| self.away[block]);
        self.done = demand
            .missing
            .into_iter()
            .map(|is_missing| !is_missing)
            .collect();
        Ok(())
    }

    /// Returns the demand, given the blocks that are there.
    fn demand(&self, is_there: &dyn Fn(usize) -> bool) -> Demand {
        let order = &self.schedule.order;
        order.demand(&|block| self.has_answers(block), is_there)
    }

    /// Returns whether the values of a block are wanted in the end.
    fn has_answers(&self, block: usize) -> bool {
        self.schedule.keep == Keep::All || self.answers.are_in(block)
    }

    /// Returns whether a block has to be computed.
    pub fn is_missing(&self, block: usize) -> bool {
        !self.done[block]
    }

    /// Returns the number of blocks that have been computed.
    pub fn done(&self) -> usize {
        let computed = self.schedule.order.sequence().iter();
        computed.filter(|block| self.done[**block]).count()
    }

    /// Begins the work on some blocks; those outside are left to other processes.
    pub fn begin(&mut self, is_in: &dyn Fn(usize) -> bool) {
        self.wanted_elsewhere.fill(false);
        let order = &self.schedule.order;
        let outside = order.sequence().iter().filter(|block| !is_in(**block));
        for block in outside.filter(|block| !self.done[**block]) {
            for need in order.needs(*block) {
                self.wanted_elsewhere[*need] = true;
            }
        }
    }

    /// Returns the first blocks of a batch that have not been computed, as many as there is space
    /// for together with the blocks that they need.
    pub fn next(&self, batch: &[usize]) -> Option<Vec<usize>> {
        let (mut together, mut room) = (BTreeSet::new(), self.images);
        // A block that several others need is counted once.
        let fits = |block: &usize| {
            for needed in self.schedule.order.needs(*block).iter().chain([block]) {
                if together.insert(*needed) {
                    room = room + self.schedule.room_of(*needed);
                }
            }
            self.has_room(room)
        };
        let left: Vec<usize> = batch
            .iter()
            .copied()
            .filter(|block| !self.done[*block])
            .collect();
        let first = *left.first()?;
        let mut next: Vec<usize> = left.into_iter().take_while(fits).collect();
        if next.is_empty() {
            // The schedule has made sure that a single block always fits once the others are
            // released.
            next.push(first);
        }
        Some(next)
    }

    /// Loads all blocks that some blocks need, and makes space for them.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn prepare(&mut self, blocks: &[usize]) -> Result<()> {
        let order = &self.schedule.order;
        let needed: BTreeSet<usize> = blocks
            .iter()
            .flat_map(|block| order.needs(*block))
            .copied()
            .collect();
        let missing: Vec<usize> = needed
            .iter()
            .copied()
            .filter(|block| self.blocks[*block].is_empty())
            .collect();
        let more = blocks
            .iter()
            .chain(&missing)
            .map(|block| self.schedule.room_of(*block))
            .sum();
        // Space is made first, so that memory never holds the old and the new blocks together.
        self.make_room(more, &needed)?;
        self.load(&missing)
    }

    /// Returns whether there is enough space. Memory that has been taken from the system stays
    /// taken, and neither kind may take so much that there is no space for the least of the other.
    /// So the next block always has space, if all blocks are released that it is not computed from.
    fn has_room(&self, wanted: Room) -> bool {
        let Keep::Few(most) = self.schedule.keep else {
            return true;
        };
        self.taken_within(most).max(wanted).bytes() <= most
    }

    /// Returns the memory that has been taken from the system and stays taken, at least the least
    /// for each kind. It counts as at most `most` bytes, though blocks that were longer than
    /// estimated may have taken more.
    fn taken_within(&self, most: u64) -> Room {
        let taken = self.pool.taken().max(self.least);
        let excess = taken.bytes().saturating_sub(most);
        let less = Room {
            ranks: 0,
            values: excess.min(taken.values - self.least.values),
        };
        taken
            - less
            - Room {
                ranks: excess - less.values,
                values: 0,
            }
    }

    /// Packs blocks and releases them, those first that are needed longest.
    fn make_room(&mut self, more: Room, needed: &BTreeSet<usize>) -> Result<()> {
        // The other schedules fit in memory as a whole.
        let Keep::Few(most) = self.schedule.keep else {
            return Ok(());
        };
        let present = (0..self.blocks.len()).filter(|block| !self.blocks[*block].is_empty());
        let (staying, mut idle): (Vec<usize>, Vec<usize>) =
            present.partition(|block| needed.contains(block));
        let room = |blocks: &[usize]| {
            blocks
                .iter()
                .map(|block| self.blocks[*block].room())
                .sum::<Room>()
        };
        let mut wanted = more + self.images + room(&staying) + room(&idle);
        let order = &self.schedule.order;
        // A block that is needed for long would have to leave sooner or later in any case.
        idle.sort_by_key(|block| std::cmp::Reverse(order.last_batch(*block)));
        idle.retain(|block| {
            let goes = !self.has_room(wanted);
            wanted = if goes {
                wanted - self.blocks[*block].room()
            } else {
                wanted
            };
            goes
        });
        // Blocks are packed before any is released, because a failure must not lose values.
        self.store(&idle)?;
        idle.into_iter().for_each(|block| self.let_go(block));
        self.pool
            .give_back(self.pool.taken() - self.taken_within(most));
        Ok(())
    }

    /// Releases a block, if it is in memory; its memory is reused.
    fn let_go(&mut self, block: usize) {
        let freed = std::mem::take(&mut self.blocks[block]);
        if !freed.is_empty() {
            self.pool.take_back(freed);
        }
    }

    /// Packs blocks that are not packed yet, on the disk if there is one.
    fn store(&mut self, blocks: &[usize]) -> Result<()> {
        let missing: Vec<usize> = blocks
            .iter()
            .copied()
            .filter(|block| !self.away[*block])
            .collect();
        let SweepShape { width, paging, .. } = self.schedule.shape;
        if !missing.is_empty() {
            self.tables.begin()?;
        }
        parallel::try_map(&missing, |number| {
            let (number, block) = (*number, &self.blocks[*number]);
            let pages = block.values.parts(paging);
            for (run, pages) in pages.chunks(run_len(paging)).enumerate() {
                // The codes are part 0 and follow last, because a block counts as stored once they
                // are there.
                self.tables.store((number, run + 1), width, pages)?;
            }
            let codes = block.ranks.iter().map(|rank| endings::code(*rank));
            let codes: Vec<u8> = codes.collect();
            self.tables.store((number, 0), 1, &[&codes]).map(drop)
        })?;
        missing.iter().for_each(|block| self.away[*block] = true);
        Ok(())
    }

    /// Returns the greatest number of parts of a packed block.
    fn parts(&self) -> usize {
        let SweepShape { paging, .. } = self.schedule.shape;
        let pages = paging.pages(self.schedule.shape.rows());
        1 + pages.div_ceil(run_len(paging))
    }

    /// Loads blocks into memory, and reads the answers in them.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn load(&mut self, blocks: &[usize]) -> Result<()> {
        let (shape, tables, pool) = (&self.schedule.shape, &self.tables, &self.pool);
        let read = |block: &usize| -> Result<ValueBlock> {
            let codes: Vec<u8> = tables.load((*block, 0), shape.rows())?;
            let mut ranks = pool.ranks(shape.rows());
            let stored = endings::ranks(&codes, &mut ranks);
            let mut values = pool.rows(stored.ok_or_else(|| tables.lost(*block))?);
            let mut pages = values.parts_mut(shape.paging);
            for (run, pages) in pages.chunks_mut(run_len(shape.paging)).enumerate() {
                tables.load_into((*block, run + 1), shape.width, pages)?;
            }
            Ok(ValueBlock { ranks, values })
        };
        let loaded: Vec<ValueBlock> = parallel::try_map(blocks, read)?;
        for (block, values) in blocks.iter().zip(loaded) {
            self.answers.read(*block, &values, shape);
            self.blocks[*block] = values;
        }
        Ok(())
    }

    /// Stores the computed values of some blocks of a batch, and releases the blocks that are not
    /// needed after it, once those that other processes need are on the disk. `together` are the
    /// blocks of the batch that are computed here.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(
        &mut self,
        batch: usize,
        together: &[usize],
        filled: Vec<(usize, ValueBlock)>,
    ) -> Result<()> {
        let schedule = self.schedule;
        let order = &schedule.order;
        for (block, values) in filled {
            self.answers.read(block, &values, &schedule.shape);
            self.blocks[block] = values;
            self.done[block] = true;
        }
        // The rest of the batch may still read the blocks from which this part was computed.
        if !together.iter().all(|block| self.done[*block]) {
            return Ok(());
        }
        let candidates: BTreeSet<usize> = together
            .iter()
            .flat_map(|block| order.needs(*block))
            .chain(together)
            .copied()
            .collect();
        let leaving = candidates.into_iter();
        let leaving: Vec<usize> = leaving
            .filter(|block| order.last_batch(*block) <= batch && !self.stays(*block))
            .collect();
        let shared = leaving.iter().copied();
        let shared: Vec<usize> = shared
            .filter(|block| self.wanted_elsewhere[*block] && !self.blocks[*block].is_empty())
            .collect();
        self.store(&shared)?;
        for block in leaving {
            self.let_go(block);
            // In memory a packed block takes space, whereas on the disk it is part of the
            // checkpoint until the next one is saved.
            if self.tables.folder().is_none() && std::mem::take(&mut self.away[block]) {
                self.tables.remove(block, self.parts())?;
            }
        }
        Ok(())
    }

    /// Returns whether a block is not released though no other is computed from it any more: it is
    /// kept, or it is not on the disk yet.
    fn stays(&self, block: usize) -> bool {
        self.schedule.keep == Keep::All
            || self.tables.folder().is_some() && self.answers.are_in(block)
    }

    /// Saves the progress to the disk, if there is one, so that the sweep can continue another
    /// time. Blocks that are not needed any more are removed.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn save(&mut self) -> Result<()> {
        if self.tables.folder().is_none() {
            return Ok(());
        }
        self.tables.begin()?;
        let is_present = |block: usize| !self.blocks[block].is_empty();
        // Only blocks from which missing ones are computed are worth saving.
        let wanted = self.demand(&|block| self.away[block] || is_present(block));
        let wanted = wanted.wanted.into_iter().enumerate();
        let unsaved: Vec<usize> = wanted
            .filter(|(block, is_wanted)| *is_wanted && is_present(*block))
            .map(|(block, _)| block)
            .collect();
        self.store(&unsaved)?;
        // Blocks must be on the disk before those that they replace are removed.
        self.tables.sync()?;
        // Other processes may have stored and removed blocks meanwhile.
        let stored = self.tables.stored()?;
        let Demand { wanted, .. } = self.demand(&|block| stored.contains(&block));
        for block in stored {
            if wanted.get(block) == Some(&false) {
                self.tables.remove(block, self.parts())?;
                self.away[block] = false;
            }
        }
        Ok(())
    }

    /// Returns the answers, and the blocks that are kept in the end, in memory; saves these to the
    /// disk too, if there is a checkpoint of this sweep.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn end(&mut self) -> Result<KeptSweep> {
        let is_needed = |block: &usize| self.blocks[*block].is_empty();
        let mut needed = self.answers.unread();
        if self.schedule.keep == Keep::All {
            // Blocks that had to be packed meanwhile are part of the result too.
            needed.extend((0..self.blocks.len()).filter(|block| self.away[*block]));
        }
        needed.retain(is_needed);
        let missing: Vec<usize> = needed.iter().copied().collect();
        let more = missing
            .iter()
            .map(|block| self.schedule.room_of(*block))
            .sum();
        self.make_room(more, &needed)?;
        self.load(&missing)?;
        if self.tables.is_begun() {
            self.save()?;
        }
        Ok((
            std::mem::take(&mut self.blocks),
            std::mem::take(&mut self.answers),
        ))
    }

    /// Looks again which blocks are stored if the error may be due to those on the disk. Returns
    /// whether that is so.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn begin_anew(&mut self, error: &Diagnostic) -> Result<bool> {
        // What is damaged has been removed already.
        if !self.tables.has_lost_some() {
            if !self.tables.is_to_blame(error) {
                return Ok(false);
            }
            self.tables.clear()?;
        }
        // Values in memory may have been computed from damaged blocks.
        (0..self.blocks.len()).for_each(|block| self.let_go(block));
        self.look()?;
        Ok(true)
    }
}
