//! Blocks on their way between processes.

use std::sync::{Arc, PoisonError};

use super::Slot;
use super::ahead::{Ahead, Wanted};
use super::answers::Answers;
use super::block::Block;
use super::cells::Cells;
use super::parcel::{Parcel, Part, Taken, most_bytes, unpacked};
use super::pool::Pool;
use super::schedule::Schedule;
use super::share::Share;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::store::{Packed, Work, most_packed, pack, unpack};
use crate::watch::{Peers, Watch};

/// What a process has of a block: whether it has worked it out, and whether its values are here.
const DONE: u8 = 1;
const HERE: u8 = 2;

/// Whether sweeps can be shared: a page works alone, and is to be small.
pub const CAN_SHARE: bool = cfg!(not(target_family = "wasm"));

/// The other processes that work on the same sweep.
pub struct Exchange<'a> {
    peers: &'a dyn Peers,
    watch: &'a dyn Watch,
    share: &'a Share,
    /// What the work is called.
    work: String,
    /// What others have taken, but for what has been tidied away.
    taken: Arc<Taken>,
    /// The blocks of others on their way, once the processes have met.
    ahead: Option<Arc<Ahead<'a>>>,
}

impl<'a> Exchange<'a> {
    /// With the processes that the blocks are divided among, if they are.
    pub fn new(schedule: &'a Schedule, work: &Work, watch: &'a dyn Watch) -> Option<Self> {
        let (peers, share) = (
            watch.peers().filter(|_| CAN_SHARE)?,
            schedule.share.as_ref()?,
        );
        Some(Self {
            peers,
            watch,
            share,
            work: work.to_string(),
            taken: Arc::default(),
            ahead: None,
        })
    }

    /// Whether the processes have met.
    pub fn has_met(&self) -> bool {
        self.ahead.is_some()
    }

    /// Meets the others before the work, given of each block whether it has been worked out and
    /// whether it is here. How many others still take each.
    ///
    /// # Errors
    /// If the others have come to other work, one is lost, or the watch stops the work.
    pub fn begin<C: Cells>(
        &mut self,
        schedule: &Schedule,
        state: impl Fn(usize) -> [bool; 2],
    ) -> Result<Vec<usize>> {
        self.peers.barrier(&self.work, self.watch)?;
        let blocks = schedule.shape.blocks();
        let of_block = |block| {
            let [is_done, is_here] = state(block);
            (u8::from(is_done) * DONE) | (u8::from(is_here) * HERE)
        };
        let own: Vec<u8> = (0..blocks).map(of_block).collect();
        let mut takers = vec![0; blocks];
        self.all(&own, blocks, |process, state| {
            if process == self.share.member.own {
                return;
            }
            let mut takes = vec![false; blocks];
            for block in self
                .share
                .of(process)
                .filter(|block| state[*block] & DONE == 0)
            {
                schedule
                    .order
                    .needs(block)
                    .iter()
                    .for_each(|need| takes[*need] = true);
            }
            let taken = (0..blocks).filter(|block| takes[*block] && state[*block] & HERE == 0);
            taken
                .filter(|block| self.share.is_own(*block))
                .for_each(|block| takers[block] += 1);
        })?;
        let wanted = self.wanted::<C>(schedule, &own);
        self.ahead = Some(Arc::new(Ahead::new(
            self.peers,
            self.watch,
            wanted,
            schedule.ahead,
        )));
        Ok(takers)
    }

    /// The blocks of others that this process has still to fetch, in the order in which it needs
    /// them first.
    fn wanted<C: Cells>(&self, schedule: &Schedule, own: &[u8]) -> Vec<Wanted> {
        let shape = &schedule.shape;
        let most = most_bytes::<C>(shape.rows(), shape.paging);
        let mut is_here: Vec<bool> = own.iter().map(|state| state & HERE != 0).collect();
        let left = schedule
            .order
            .sequence()
            .iter()
            .filter(|block| own[**block] & DONE == 0);
        let needs = left.flat_map(|block| schedule.order.needs(*block)).copied();
        let others = needs.filter(|need| {
            !self.share.is_own(*need) && !std::mem::replace(&mut is_here[*need], true)
        });
        others
            .map(|number| Wanted {
                number,
                owner: self.share.owner(number),
                most,
            })
            .collect()
    }

    /// The blocks of others on their way; the processes must have met.
    pub fn ahead(&self) -> Arc<Ahead<'a>> {
        Arc::clone(
            self.ahead
                .as_ref()
                .expect("the processes meet before the work"),
        )
    }

    /// Numbers of each process, so many of them, this one's among them. They travel under numbers
    /// of their own beyond those of the blocks.
    fn all<T: Packed>(
        &self,
        own: &[T],
        blocks: usize,
        mut take: impl FnMut(usize, Vec<T>),
    ) -> Result<()> {
        let number = |process: usize| (blocks + process) as u64;
        self.peers
            .offer(number(self.share.member.own), Arc::new(pack(own)));
        for process in 0..self.share.member.of {
            let bytes = self.peers.fetch(
                number(process),
                process,
                most_packed::<T>(own.len()),
                self.watch,
            )?;
            let numbers = unpack(&bytes, own.len());
            take(process, numbers.ok_or_else(|| unreadable(process))?);
        }
        Ok(())
    }

    /// Lets so many others take a block.
    pub fn offer(&mut self, number: usize, parts: Vec<Part>, takers: usize) {
        self.peers.offer(
            number as u64,
            Arc::new(Parcel::new(number, parts, takers, &self.taken)),
        );
    }

    /// Gives the room back of what all have taken.
    pub fn tidy(&mut self) {
        let taken = std::mem::take(&mut *self.taken.lock().unwrap_or_else(PoisonError::into_inner));
        taken
            .into_iter()
            .for_each(|number| self.peers.retire(number as u64));
    }

    /// A block of another process, as soon as it is there, packed.
    ///
    /// # Errors
    /// If a process is lost, or the watch stops the work.
    pub fn fetch(&self, number: usize) -> Result<Vec<u8>> {
        self.ahead
            .as_ref()
            .expect("the processes meet before the work")
            .take(number)
    }

    /// A block of another process from what was fetched.
    ///
    /// # Errors
    /// If it is not what can have been sent.
    pub fn unpack<C: Cells>(
        &self,
        number: usize,
        bytes: &[u8],
        rows: usize,
        pool: &Pool<C>,
    ) -> Result<Block<C>> {
        unpacked(bytes, rows, pool).ok_or_else(|| unreadable(self.share.owner(number)))
    }

    /// Meets the others after the work, and learns the answers that they have.
    ///
    /// # Errors
    /// If one is lost, or the watch stops the work.
    pub fn end<N: Slot>(&mut self, schedule: &Schedule, answers: &mut Answers<N>) -> Result<()> {
        self.peers
            .barrier(&format!("the answers of {}", self.work), self.watch)?;
        let mut all = Vec::new();
        self.all(
            &answers.values(),
            schedule.shape.blocks(),
            |process, values| all.push((process, values)),
        )?;
        for (process, values) in all {
            answers.take(values, |block| self.share.owner(block) == process);
        }
        self.peers
            .barrier(&format!("the end of {}", self.work), self.watch)
    }
}

fn unreadable(process: usize) -> Box<Diagnostic> {
    Diagnostic::new(Code::Processes, format!("process {process} sent a block that is not what it should be"))
        .help(format!(
            "its disk may be damaged: remove `process-{process}` in the folder of its `--checkpoint`, and start again"
        ))
        .into()
}
