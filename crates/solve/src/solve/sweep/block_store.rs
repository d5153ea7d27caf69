//! Where the blocks are: in memory, on the disk, or nowhere any more.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Slot;
use super::schedule::{Keep, Schedule};
use crate::diagnostic::{Diagnostic, Result};
use crate::parallel;
use crate::solve::theory::Theory;
use crate::store::{Blob, Checkpoint, Record, Saved, Vault, Work};
use crate::watch::Watch;

/// How many blocks are worked out before one can be saved.
const BATCH: usize = 64;

/// The blocks of a sweep under way.
pub struct BlockStore<'a, N> {
    schedule: &'a Schedule,
    /// Empty where they are not in memory.
    pub blocks: Vec<Vec<N>>,
    /// Blocks that were let go, to be filled again: with what is in use never more than the schedule keeps.
    spare: Vec<Vec<N>>,
    away: Vec<Option<Blob>>,
    done: Vec<bool>,
    vault: Vault<'a>,
    /// Whether anything of this sweep has been left on the disk for another time.
    saved: bool,
}

/// How far a sweep has come.
#[derive(Serialize, Deserialize)]
struct Reached {
    done: Vec<bool>,
    blocks: Vec<(usize, Record)>,
}

impl Saved for Reached {
    fn records(&self) -> Vec<Record> {
        self.blocks.iter().map(|(_, record)| *record).collect()
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
        are_done && schedule.wanted.iter().all(is_kept) && (0..count).all(has_its_needs)
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
        let mut away: Vec<Option<Blob>> = Vec::new();
        away.resize_with(count, || None);
        let blocks = vec![Vec::new(); count];
        let Some(disk) = watch.disk() else {
            return Ok(Self {
                schedule,
                blocks,
                spare: Vec::new(),
                away,
                done: vec![false; count],
                vault: Vault::in_memory(0),
                saved: false,
            });
        };
        let (wanted, name) = (&schedule.wanted, theory.name());
        let rest = format_args!("sweep {name} {} {count} {wanted:?}", size_of::<N>());
        let work = Work::new(format!("a sweep for {name}"), identity, rest);
        let (checkpoint, reached) = Checkpoint::open(disk, work, |reached: &Reached| reached.is_sound(schedule))?;
        let saved = reached.is_some();
        let vault = Vault::new(Some(checkpoint), 0, reached.as_ref());
        let reached = reached.unwrap_or_else(|| Reached { done: vec![false; count], blocks: Vec::new() });
        for (block, record) in reached.blocks {
            away[block] = Some(record.into());
        }
        let done = reached.done;
        Ok(Self { schedule, blocks, spare: Vec::new(), away, done, vault, saved })
    }

    /// How many blocks have been worked out.
    pub fn done(&self) -> usize {
        self.done.iter().filter(|done| **done).count()
    }

    /// From a place of the sequence on: the places up to the next block that has not been worked out and to the end of
    /// those that can be worked out with it; `None` if all of the level have been.
    pub fn batch(&self, mut places: Range<usize>) -> Option<Range<usize>> {
        let order = &self.schedule.order;
        places.start += order.at(places.clone()).iter().position(|block| !self.done[*block])?;
        let most = match self.schedule.keep {
            Keep::Few(most) => most,
            Keep::All | Keep::Needed => usize::MAX,
        };
        let mut together = BTreeSet::new();
        let fits = |block: &&usize| {
            together.insert(**block);
            together.extend(order.needs(**block));
            !self.done[**block] && together.len() <= most
        };
        let count = order.at(places.clone()).iter().take(BATCH).take_while(fits).count();
        Some(places.start..places.start + count.max(1))
    }

    /// Brings everything into memory that a batch needs, and makes room for it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn prepare(&mut self, batch: &Range<usize>) -> Result<()> {
        let order = &self.schedule.order;
        let blocks = order.at(batch.clone());
        let needed: BTreeSet<usize> = blocks.iter().flat_map(|block| order.needs(*block)).copied().collect();
        let missing: Vec<usize> = needed.iter().copied().filter(|block| self.blocks[*block].is_empty()).collect();
        self.make_room(blocks.len() + missing.len(), &needed, batch.start)?;
        self.load(&missing)
    }

    /// Sends blocks to the disk, those first that are needed last.
    fn make_room(&mut self, more: usize, needed: &BTreeSet<usize>, place: usize) -> Result<()> {
        let Keep::Few(most) = self.schedule.keep else { return Ok(()) };
        let present: Vec<usize> = (0..self.blocks.len()).filter(|block| !self.blocks[*block].is_empty()).collect();
        let excess = (present.len() + more).saturating_sub(most);
        let mut idle: Vec<usize> = present.into_iter().filter(|block| !needed.contains(block)).collect();
        let order = &self.schedule.order;
        idle.sort_by_key(|block| std::cmp::Reverse(order.next_use(*block, place).unwrap_or(usize::MAX)));
        idle.truncate(excess);
        self.store(&idle)?;
        idle.into_iter().for_each(|block| self.let_go(block));
        Ok(())
    }

    /// Lets a block in memory go.
    fn let_go(&mut self, block: usize) {
        let values = std::mem::take(&mut self.blocks[block]);
        if !values.is_empty() {
            self.spare.push(values);
        }
    }

    /// So many blocks to be filled.
    pub fn spare(&mut self, count: usize) -> Vec<Vec<N>> {
        let mut spare = self.spare.split_off(self.spare.len().saturating_sub(count));
        spare.resize_with(count, Vec::new);
        spare
    }

    /// Puts blocks on the disk that are not there yet.
    fn store(&mut self, blocks: &[usize]) -> Result<()> {
        let missing: Vec<usize> = blocks.iter().copied().filter(|block| self.away[*block].is_none()).collect();
        let stored: Vec<Blob> = parallel::try_map(&missing, |block| self.vault.store(&self.blocks[*block]))?;
        missing.iter().zip(stored).for_each(|(block, blob)| self.away[*block] = Some(blob));
        Ok(())
    }

    /// Brings blocks into memory.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn load(&mut self, blocks: &[usize]) -> Result<()> {
        let spare = self.spare(blocks.len());
        let (len, vault, away) = (self.schedule.shape.block_len(), &self.vault, &self.away);
        let read = |(block, mut values): (&usize, Vec<N>)| match &away[*block] {
            Some(blob) => vault.load_into(blob, len, &mut values).map(|()| values),
            None => Err(vault.harmed("a block is missing that was worked out")),
        };
        let loaded: Vec<Vec<N>> = parallel::try_map(blocks.iter().zip(spare), read)?;
        blocks.iter().zip(loaded).for_each(|(block, values)| self.blocks[*block] = values);
        Ok(())
    }

    /// Takes in what a batch has come to, and lets go what is not needed any more.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(&mut self, batch: &Range<usize>, filled: Vec<Vec<N>>) -> Result<()> {
        let order = &self.schedule.order;
        let blocks = order.at(batch.clone());
        for (block, values) in blocks.iter().zip(filled) {
            self.blocks[*block] = values;
            self.done[*block] = true;
        }
        if self.schedule.keep == Keep::All {
            return Ok(());
        }
        let candidates: BTreeSet<usize> =
            blocks.iter().flat_map(|block| order.needs(*block)).chain(blocks).copied().collect();
        for block in candidates {
            if !self.schedule.wanted.contains(&block) && order.next_use(block, batch.end).is_none() {
                self.let_go(block);
                self.away[block].take().map_or(Ok(()), |blob| self.vault.discard(blob))?;
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
        let record =
            |(block, blob): (usize, &mut Option<Blob>)| blob.as_mut().map(|blob| Ok((block, self.vault.record(blob)?)));
        let blocks = self.away.iter_mut().enumerate().filter_map(record).collect::<Result<_>>()?;
        self.vault.save(&Reached { done: self.done.clone(), blocks })?;
        self.saved = true;
        Ok(())
    }

    /// All in memory that is kept in the end; on the disk too, if anything of this sweep is there.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn end(&mut self) -> Result<Vec<Vec<N>>> {
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
