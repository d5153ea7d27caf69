//! Where the blocks are: in memory, on the disk, or nowhere any more.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Slot;
use super::block::Block;
use super::endings;
use super::pool::Pool;
use super::schedule::{Keep, Schedule};
use crate::diagnostic::{Diagnostic, Result};
use crate::parallel;
use crate::solve::theory::Theory;
use crate::store::{Blob, Checkpoint, Record, Saved, Vault, Work};
use crate::watch::Watch;

/// The blocks of a sweep under way.
pub struct BlockStore<'a, N> {
    schedule: &'a Schedule,
    /// Empty where they are not in memory.
    pub blocks: Vec<Block<N>>,
    /// The bytes of these.
    present: u64,
    /// The room of blocks that were let go.
    pub pool: Pool<N>,
    away: Vec<Option<Away>>,
    done: Vec<bool>,
    vault: Vault<'a>,
    /// Whether anything of this sweep has been left on the disk for another time.
    saved: bool,
}

/// A block on the disk.
struct Away {
    /// Which rows are stored, and how the others ended.
    codes: Blob,
    values: Blob,
}

/// How far a sweep has come.
#[derive(Serialize, Deserialize)]
struct Reached {
    done: Vec<bool>,
    /// By number: the codes of the rows, and the values.
    blocks: Vec<(usize, [Record; 2])>,
}

impl Saved for Reached {
    fn records(&self) -> Vec<Record> {
        self.blocks.iter().flat_map(|(_, records)| *records).collect()
    }
}

impl Reached {
    /// Whether a sweep with this schedule can go on from it: every block that is there has been worked out, and every one that
    /// has been and is still needed is there.
    fn is_sound(&self, schedule: &Schedule) -> bool {
        let count = schedule.shape.blocks();
        let mut present = vec![false; count];
        let are_done = self.done.len() == count
            && self.blocks.iter().all(|(block, _)| {
                *block < count && self.done[*block] && !std::mem::replace(&mut present[*block], true)
            });
        let is_kept = |block: &usize| !self.done[*block] || present[*block];
        let has_its_needs = |block: usize| self.done[block] || schedule.order.needs(block).iter().all(is_kept);
        are_done
            && schedule.wanted.iter().all(is_kept)
            && schedule.order.sequence().iter().all(|block| has_its_needs(*block))
    }
}

impl<'a, N: Slot> BlockStore<'a, N> {
    /// The blocks as they were left on the disk, or none.
    ///
    /// # Errors
    /// If what is on the disk cannot be used.
    pub fn open<T: Theory<Number = N>>(
        schedule: &'a Schedule,
        identity: &str,
        theory: &T,
        watch: &'a dyn Watch,
    ) -> Result<Self> {
        let count = schedule.shape.blocks();
        let mut away: Vec<Option<Away>> = Vec::new();
        away.resize_with(count, || None);
        let mut blocks = Vec::new();
        blocks.resize_with(count, Block::default);
        let Some(disk) = watch.disk() else {
            return Ok(Self {
                schedule,
                blocks,
                present: 0,
                pool: Pool::new(),
                away,
                done: vec![false; count],
                vault: Vault::in_memory(0),
                saved: false,
            });
        };
        let (wanted, name) = (&schedule.wanted, theory.name());
        let rest = format_args!("sweep of stored rows {name} {} {count} {wanted:?}", size_of::<N>());
        let work = Work::new(format!("a sweep for {name}"), identity, rest);
        let (checkpoint, reached) = Checkpoint::open(disk, work, |reached: &Reached| reached.is_sound(schedule))?;
        let saved = reached.is_some();
        let vault = Vault::new(Some(checkpoint), 0, reached.as_ref());
        let reached = reached.unwrap_or_else(|| Reached { done: vec![false; count], blocks: Vec::new() });
        for (block, [codes, values]) in reached.blocks {
            away[block] = Some(Away { codes: codes.into(), values: values.into() });
        }
        let done = reached.done;
        Ok(Self { schedule, blocks, present: 0, pool: Pool::new(), away, done, vault, saved })
    }

    /// How many blocks have been worked out.
    pub fn done(&self) -> usize {
        self.done.iter().filter(|done| **done).count()
    }

    /// Of some blocks that can be worked out together the first ones that have not been, as many as there is room for with what they need.
    pub fn next(&self, batch: &[usize]) -> Option<Vec<usize>> {
        let most = match self.schedule.keep {
            Keep::Few(most) => most,
            Keep::All | Keep::Needed => u64::MAX,
        };
        let (mut together, mut bytes) = (BTreeSet::new(), 0_u64);
        let fits = |block: &usize| {
            for needed in self.schedule.order.needs(*block).iter().chain([block]) {
                if together.insert(*needed) {
                    bytes = bytes.saturating_add(self.schedule.sizes[*needed]);
                }
            }
            bytes <= most
        };
        let left: Vec<usize> = batch.iter().copied().filter(|block| !self.done[*block]).collect();
        let first = *left.first()?;
        let mut next: Vec<usize> = left.into_iter().take_while(fits).collect();
        if next.is_empty() {
            next.push(first);
        }
        Some(next)
    }

    /// Brings everything into memory that some blocks need, and makes room for them.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn prepare(&mut self, blocks: &[usize]) -> Result<()> {
        let order = &self.schedule.order;
        let needed: BTreeSet<usize> = blocks.iter().flat_map(|block| order.needs(*block)).copied().collect();
        let missing: Vec<usize> = needed.iter().copied().filter(|block| self.blocks[*block].is_empty()).collect();
        let more = blocks.iter().chain(&missing).map(|block| self.schedule.sizes[*block]).sum();
        self.make_room(more, &needed)?;
        self.load(&missing)
    }

    /// Sends blocks to the disk, those first that are needed longest.
    fn make_room(&mut self, more: u64, needed: &BTreeSet<usize>) -> Result<()> {
        let Keep::Few(most) = self.schedule.keep else { return Ok(()) };
        let mut excess = (self.present + more).saturating_sub(most);
        let present = (0..self.blocks.len()).filter(|block| !self.blocks[*block].is_empty());
        let mut idle: Vec<usize> = present.filter(|block| !needed.contains(block)).collect();
        let order = &self.schedule.order;
        idle.sort_by_key(|block| std::cmp::Reverse(order.last_batch(*block)));
        idle.retain(|block| {
            let goes = excess > 0;
            excess = excess.saturating_sub(self.blocks[*block].bytes());
            goes
        });
        self.pool.clear();
        self.store(&idle)?;
        idle.into_iter().for_each(|block| self.let_go(block));
        Ok(())
    }

    /// Lets a block in memory go; its room is used again, as far as no more is kept than planned.
    fn let_go(&mut self, block: usize) {
        let freed = std::mem::take(&mut self.blocks[block]);
        self.present -= freed.bytes();
        self.pool.take_back(freed, self.schedule.bytes_held().saturating_sub(self.present));
    }

    /// Takes a block into memory.
    fn take_in(&mut self, block: usize, values: Block<N>) {
        self.present += values.bytes();
        self.blocks[block] = values;
    }

    /// Puts blocks on the disk that are not there yet.
    fn store(&mut self, blocks: &[usize]) -> Result<()> {
        let missing: Vec<usize> = blocks.iter().copied().filter(|block| self.away[*block].is_none()).collect();
        let stored: Vec<Away> = parallel::try_map(&missing, |block| {
            let Block { ranks, values } = &self.blocks[*block];
            let codes: Vec<u8> = ranks.iter().map(|rank| endings::code(*rank)).collect();
            Result::Ok(Away { codes: self.vault.store(&codes)?, values: self.vault.store(values)? })
        })?;
        missing.iter().zip(stored).for_each(|(block, away)| self.away[*block] = Some(away));
        Ok(())
    }

    /// Brings blocks into memory.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn load(&mut self, blocks: &[usize]) -> Result<()> {
        let (shape, vault, away) = (&self.schedule.shape, &self.vault, &self.away);
        let read = |block: &usize| {
            let away = away[*block].as_ref().ok_or_else(|| vault.harmed("a block is missing that was worked out"))?;
            let codes: Vec<u8> = vault.load(&away.codes, shape.rows())?;
            let mut block = Block::default();
            let stored = endings::ranks(&codes, &mut block.ranks);
            let stored = stored.ok_or_else(|| vault.harmed("a row of a block is marked as it cannot be"))?;
            vault.load_into(&away.values, stored * shape.stride(), &mut block.values)?;
            Result::Ok(block)
        };
        let loaded: Vec<Block<N>> = parallel::try_map(blocks, read)?;
        blocks.iter().zip(loaded).for_each(|(block, values)| self.take_in(*block, values));
        Ok(())
    }

    /// Takes in what some blocks of a batch have come to, and lets go what is not needed after it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(&mut self, batch: usize, blocks: &[usize], filled: Vec<Block<N>>) -> Result<()> {
        let order = &self.schedule.order;
        for (block, values) in blocks.iter().zip(filled) {
            self.take_in(*block, values);
            self.done[*block] = true;
        }
        if self.schedule.keep == Keep::All {
            return Ok(());
        }
        let is_over = order.batch(batch).iter().all(|block| self.done[*block]);
        let candidates: BTreeSet<usize> =
            order.batch(batch).iter().flat_map(|block| order.needs(*block)).chain(blocks).copied().collect();
        for block in candidates.into_iter().filter(|_| is_over) {
            if !self.schedule.wanted.contains(&block) && order.last_batch(block) <= batch {
                self.let_go(block);
                if let Some(Away { codes, values }) = self.away[block].take() {
                    self.vault.discard(codes)?;
                    self.vault.discard(values)?;
                }
            }
        }
        Ok(())
    }

    /// Leaves what has been reached on the disk, if there is one, for the sweep to go on from another time.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn save(&mut self) -> Result<()> {
        if !self.vault.has_disk() {
            return Ok(());
        }
        let present: Vec<usize> = (0..self.blocks.len()).filter(|block| !self.blocks[*block].is_empty()).collect();
        self.store(&present)?;
        let record = |(block, away): (usize, &mut Option<Away>)| {
            let Away { codes, values } = away.as_mut()?;
            let mut records = || Ok([self.vault.record(codes)?, self.vault.record(values)?]);
            Some(records().map(|records| (block, records)))
        };
        let blocks = self.away.iter_mut().enumerate().filter_map(record).collect::<Result<_>>()?;
        self.vault.save(&Reached { done: self.done.clone(), blocks })?;
        self.saved = true;
        Ok(())
    }

    /// All in memory that is kept in the end; on the disk too, if anything of this sweep is there.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn end(&mut self) -> Result<Vec<Block<N>>> {
        let missing = |block: &usize| self.blocks[*block].is_empty() && self.away[*block].is_some();
        let kept = match self.schedule.keep {
            Keep::All => (0..self.blocks.len()).filter(missing).collect::<Vec<usize>>(),
            Keep::Needed | Keep::Few(_) => self.schedule.wanted.iter().copied().filter(missing).collect(),
        };
        self.load(&kept)?;
        if self.saved {
            self.save()?;
        }
        Ok(std::mem::take(&mut self.blocks))
    }

    /// Clears everything away, if what went wrong may be due to what is on the disk; whether that is so.
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
        self.saved = false;
        Ok(true)
    }
}
