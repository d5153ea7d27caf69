//! The storage of blocks: in memory, on the disk, or already released.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::answers::Answers;
use super::block::ValueBlock;
use super::cells::CellLayout;
use super::endings;
use super::kernel::RowKernel;
use super::parcel::{CAN_PACK, codes, run_len};
use super::pool::{Pool, Room};
use super::schedule::{Keep, Schedule};
use super::shape::SweepShape;
use crate::diagnostic::{Diagnostic, Result};
use crate::parallel;
use crate::store::{Blob, Checkpoint, Record, Saved, StoredWork, Vault};
use crate::watch::Context;

/// The result of a sweep: the blocks that are kept, and the answers.
type KeptSweep = (Vec<ValueBlock>, Answers);

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
    away: Vec<Option<StoredBlock>>,
    done: Vec<bool>,
    answers: Answers,
    vault: Vault<'a>,
    /// The record of the answers in the last checkpoint on the disk, if there is one.
    saved: Option<Record>,
}

/// A block on the disk, or packed in memory.
struct StoredBlock {
    /// The codes of the rows: stored, or the kind of ending.
    codes: Blob,
    /// The values, in runs.
    values: Vec<Blob>,
}

/// The progress of a sweep.
#[derive(Serialize, Deserialize)]
struct SweepRecord {
    done: Vec<bool>,
    /// The number of each block, with the codes of its rows, and its values.
    blocks: Vec<(usize, Record, Vec<Record>)>,
    /// The values asked about, as far as they are known.
    answers: Record,
}

impl Saved for SweepRecord {
    fn records(&self) -> Vec<Record> {
        let of_block = |(_, codes, values): &(usize, Record, Vec<Record>)| {
            [&[*codes], values.as_slice()].concat()
        };
        self.blocks
            .iter()
            .flat_map(of_block)
            .chain([self.answers])
            .collect()
    }
}

impl SweepRecord {
    /// Returns whether a sweep with this schedule can continue from the record: every block that is
    /// present has been computed, and every computed block that is still needed is present.
    fn is_sound(&self, schedule: &Schedule) -> bool {
        let count = schedule.shape.blocks();
        let mut present = vec![false; count];
        let are_done = self.done.len() == count
            && self.blocks.iter().all(|(block, ..)| {
                let is_known = *block < count && self.done[*block];
                is_known && !std::mem::replace(&mut present[*block], true)
            });
        let is_kept = |block: &usize| !self.done[*block] || present[*block];
        let has_its_needs =
            |block: usize| self.done[block] || schedule.order.needs(block).iter().all(is_kept);
        are_done
            && schedule
                .order
                .sequence()
                .iter()
                .all(|block| has_its_needs(*block))
    }
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
        let mut away: Vec<Option<StoredBlock>> = Vec::new();
        away.resize_with(count, || None);
        let mut blocks = Vec::new();
        blocks.resize_with(count, ValueBlock::default);
        let (asked, name) = (answers.digest(), kernel.name());
        let CellLayout { bytes, contents } = schedule.shape.layout;
        let rest = format_args!(
            "sweep of rows in pages {name} {contents} in {bytes} {count} {asked:032x}"
        );
        let work = StoredWork::new(format!("a sweep for {name}"), identity, rest);
        let (vault, reached) = match context.disk.filter(|_| CAN_PACK) {
            None => (Vault::in_memory(u64::MAX), None),
            Some(disk) => {
                let is_sound = |reached: &SweepRecord| reached.is_sound(schedule);
                let (checkpoint, reached) = Checkpoint::open(disk, work, is_sound)?;
                (Vault::new(Some(checkpoint), 0, reached.as_ref()), reached)
            }
        };
        let mut store = Self {
            schedule,
            blocks,
            pool: Pool::new(schedule.shape.paging),
            images: schedule.images(),
            least: schedule.least(),
            away,
            done: vec![false; count],
            answers,
            vault,
            saved: reached.as_ref().map(|reached| reached.answers),
        };
        if let Some(reached) = reached {
            store.go_on_from(reached)?;
        }
        Ok(store)
    }

    /// Restores the progress that was left on the disk; nothing if that is damaged.
    fn go_on_from(&mut self, reached: SweepRecord) -> Result<()> {
        let (answers, size) = (reached.answers.into(), self.schedule.shape.layout.bytes);
        let elements = &mut self.answers.elements;
        if let Err(error) = self.vault.load_into(&answers, size, &mut [elements]) {
            return if self.begin_anew(&error)? {
                Ok(())
            } else {
                Err(error)
            };
        }
        for (block, codes, values) in reached.blocks {
            let values = values.into_iter().map(Blob::from).collect();
            self.away[block] = Some(StoredBlock {
                codes: codes.into(),
                values,
            });
        }
        self.done = reached.done;
        Ok(())
    }

    /// Returns the number of blocks that have been computed.
    pub fn done(&self) -> usize {
        self.done.iter().filter(|done| **done).count()
    }

    /// Returns the first blocks of a batch that have not been computed, as many as there is space
    /// for together with the blocks that they need.
    pub fn next(&self, batch: &[usize]) -> Option<Vec<usize>> {
        let (mut together, mut room) = (BTreeSet::new(), self.images);
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
        if !CAN_PACK {
            return Ok(());
        }
        let missing: Vec<usize> = blocks
            .iter()
            .copied()
            .filter(|block| self.away[*block].is_none())
            .collect();
        let SweepShape { layout, paging, .. } = self.schedule.shape;
        let stored: Vec<StoredBlock> = parallel::try_map(&missing, |block| {
            let block = &self.blocks[*block];
            let pages = block.values.parts(paging);
            let runs = pages.chunks(run_len(paging));
            let values = runs
                .map(|run| self.vault.store(layout.bytes, run))
                .collect::<Result<_>>()?;
            Result::Ok(StoredBlock {
                codes: self.vault.store(1, &[&codes(block)])?,
                values,
            })
        })?;
        missing
            .iter()
            .zip(stored)
            .for_each(|(block, away)| self.away[*block] = Some(away));
        Ok(())
    }

    /// Loads blocks into memory.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn load(&mut self, blocks: &[usize]) -> Result<()> {
        if !CAN_PACK {
            return Ok(());
        }
        let (shape, vault, away, pool) =
            (&self.schedule.shape, &self.vault, &self.away, &self.pool);
        let read = |block: &usize| {
            let away = away[*block]
                .as_ref()
                .ok_or_else(|| vault.harmed("a block is missing that was worked out"))?;
            let codes: Vec<u8> = vault.load(&away.codes, shape.rows())?;
            let mut ranks = pool.ranks(shape.rows());
            let stored = endings::ranks(&codes, &mut ranks);
            let stored =
                stored.ok_or_else(|| vault.harmed("a row of a block is marked as it cannot be"))?;
            let mut values = pool.rows(stored);
            let mut pages = values.parts_mut(shape.paging);
            let runs = pages.chunks_mut(run_len(shape.paging));
            if away.values.len() != runs.len() {
                return Err(vault.harmed("a block is not of the size it should have"));
            }
            for (blob, run) in away.values.iter().zip(runs) {
                vault.load_into(blob, shape.layout.bytes, run)?;
            }
            Result::Ok(ValueBlock { ranks, values })
        };
        let loaded: Vec<ValueBlock> = parallel::try_map(blocks, read)?;
        blocks
            .iter()
            .zip(loaded)
            .for_each(|(block, values)| self.blocks[*block] = values);
        Ok(())
    }

    /// Stores the computed values of some blocks of a batch, and releases the blocks that are not
    /// needed after it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(
        &mut self,
        batch: usize,
        blocks: &[usize],
        filled: Vec<ValueBlock>,
    ) -> Result<()> {
        let schedule = self.schedule;
        let order = &schedule.order;
        for (block, values) in blocks.iter().zip(filled) {
            self.answers.read(*block, &values, &schedule.shape);
            self.blocks[*block] = values;
            self.done[*block] = true;
        }
        if self.schedule.keep == Keep::All {
            return Ok(());
        }
        let together = order.batch(batch);
        if !together.iter().all(|block| self.done[*block]) {
            return Ok(());
        }
        let candidates: BTreeSet<usize> = together
            .iter()
            .flat_map(|block| order.needs(*block))
            .chain(together)
            .copied()
            .collect();
        for block in candidates {
            if order.last_batch(block) <= batch {
                self.let_go(block);
                if let Some(StoredBlock { codes, values }) = self.away[block].take() {
                    values
                        .into_iter()
                        .chain([codes])
                        .try_for_each(|blob| self.vault.discard(blob))?;
                }
            }
        }
        Ok(())
    }

    /// Saves the progress to the disk, if there is one, so that the sweep can continue another
    /// time.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn save(&mut self) -> Result<()> {
        if !CAN_PACK || !self.vault.has_disk() {
            return Ok(());
        }
        let present: Vec<usize> = (0..self.blocks.len())
            .filter(|block| !self.blocks[*block].is_empty())
            .collect();
        self.store(&present)?;
        let record = |(block, away): (usize, &mut Option<StoredBlock>)| {
            let StoredBlock { codes, values } = away.as_mut()?;
            let values = values
                .iter_mut()
                .map(|run| self.vault.record(run))
                .collect::<Result<_>>();
            Some(
                self.vault
                    .record(codes)
                    .and_then(|codes| Ok((block, codes, values?))),
            )
        };
        let blocks = self
            .away
            .iter_mut()
            .enumerate()
            .filter_map(record)
            .collect::<Result<_>>()?;
        let size = self.schedule.shape.layout.bytes;
        let answers = self.vault.store(size, &[&self.answers.elements])?;
        let answers = self.vault.record(&mut { answers })?;
        self.vault.save(&SweepRecord {
            done: self.done.clone(),
            blocks,
            answers,
        })?;
        self.saved
            .replace(answers)
            .map_or(Ok(()), |before| self.vault.discard(before.into()))
    }

    /// Returns all blocks that are kept in the end, in memory; saves them to the disk too, if there
    /// is a checkpoint of this sweep.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn end(&mut self) -> Result<KeptSweep> {
        if self.schedule.keep == Keep::All {
            let missing =
                |block: &usize| self.blocks[*block].is_empty() && self.away[*block].is_some();
            self.load(
                &(0..self.blocks.len())
                    .filter(missing)
                    .collect::<Vec<usize>>(),
            )?;
        }
        if self.saved.is_some() {
            self.save()?;
        }
        Ok((
            std::mem::take(&mut self.blocks),
            std::mem::take(&mut self.answers),
        ))
    }

    /// Clears all blocks if the error may be due to the contents of the disk. Returns whether that
    /// is so.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn begin_anew(&mut self, error: &Diagnostic) -> Result<bool> {
        if !self.vault.is_to_blame(error) {
            return Ok(false);
        }
        self.vault.clear()?;
        (0..self.blocks.len()).for_each(|block| self.let_go(block));
        self.away.fill_with(|| None);
        self.done.fill(false);
        self.saved = None;
        Ok(true)
    }
}
