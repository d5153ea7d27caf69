//! Blocks on their way between processes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Slot;
use super::answers::Answers;
use super::block::Block;
use super::endings;
use super::schedule::Schedule;
use super::share::Share;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::store::{Work, pack, unpack};
use crate::watch::{Offered, Peers, Watch};

/// How many bytes say how long the first part of a block is.
const HEAD: usize = size_of::<u64>();

/// What a process has of a block: whether it has worked it out, and whether its values are here.
const DONE: u8 = 1;
const HERE: u8 = 2;

/// The other processes that work on the same sweep.
pub struct Exchange<'a> {
    peers: &'a dyn Peers,
    watch: &'a dyn Watch,
    share: &'a Share,
    /// What the work is called.
    work: String,
    /// What others have not taken yet.
    parcels: Vec<(usize, Arc<Parcel>)>,
}

/// A block for others.
struct Parcel {
    bytes: Vec<u8>,
    /// How many have still to take it.
    takers: AtomicUsize,
}

impl Offered for Parcel {
    fn size(&self) -> u64 {
        self.bytes.size()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.bytes.read(offset, into)?;
        if offset + into.len() as u64 == self.size() {
            self.takers.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl<'a> Exchange<'a> {
    /// With the processes that the blocks are divided among, if they are.
    pub fn new(schedule: &'a Schedule, work: &Work, watch: &'a dyn Watch) -> Option<Self> {
        let (peers, share) = (watch.peers()?, schedule.share.as_ref()?);
        Some(Self { peers, watch, share, work: work.to_string(), parcels: Vec::new() })
    }

    /// Meets the others before the work, given of each block whether it has been worked out and whether it is here. How many others still take
    /// each.
    ///
    /// # Errors
    /// If the others have come to other work, one is lost, or the watch stops the work.
    pub fn begin(&mut self, schedule: &Schedule, state: impl Fn(usize) -> [bool; 2]) -> Result<Vec<usize>> {
        self.peers.barrier(&self.work, self.watch)?;
        let blocks = schedule.shape.blocks();
        let of_block = |block| {
            let [is_done, is_here] = state(block);
            (u8::from(is_done) * DONE) | (u8::from(is_here) * HERE)
        };
        let states = self.all((0..blocks).map(of_block).collect(), blocks)?;
        let mut takers = vec![0; blocks];
        for (process, state) in states.iter().enumerate().filter(|(process, _)| *process != self.share.member.own) {
            let mut takes = vec![false; blocks];
            for block in self.share.of(process).filter(|block| state[*block] & DONE == 0) {
                schedule.order.needs(block).iter().for_each(|need| takes[*need] = true);
            }
            let taken = (0..blocks).filter(|block| takes[*block] && state[*block] & HERE == 0);
            taken.filter(|block| self.share.is_own(*block)).for_each(|block| takers[block] += 1);
        }
        Ok(takers)
    }

    /// Bytes of each process, this one's among them. They have numbers of their own beyond those of the blocks.
    fn all(&self, own: Vec<u8>, blocks: usize) -> Result<Vec<Vec<u8>>> {
        let number = |process: usize| (blocks + process) as u64;
        self.peers.offer(number(self.share.member.own), Arc::new(own));
        (0..self.share.member.of)
            .map(|process| self.peers.fetch(number(process), process, u64::MAX, self.watch))
            .collect()
    }

    /// Lets so many others take a block.
    pub fn offer<N: Slot>(&mut self, number: usize, block: &Block<N>, takers: usize) {
        let parcel = Arc::new(Parcel { bytes: packed(block), takers: AtomicUsize::new(takers) });
        self.peers.offer(number as u64, Arc::<Parcel>::clone(&parcel));
        self.parcels.push((number, parcel));
    }

    /// Gives the room back of what all have taken.
    pub fn tidy(&mut self) {
        let taken = |(number, parcel): &mut (usize, Arc<Parcel>)| {
            let is_taken = parcel.takers.load(Ordering::Relaxed) == 0;
            if is_taken {
                self.peers.retire(*number as u64);
            }
            is_taken
        };
        self.parcels.extract_if(.., taken).for_each(drop);
    }

    /// A block of another process, as soon as it is there.
    ///
    /// # Errors
    /// If a process is lost, the watch stops the work, or the block cannot be read.
    pub fn fetch<N: Slot>(&self, number: usize, schedule: &Schedule) -> Result<Block<N>> {
        let owner = self.share.owner(number);
        let bytes = self.peers.fetch(number as u64, owner, u64::MAX, self.watch)?;
        let shape = &schedule.shape;
        unpacked(&bytes, shape.rows(), shape.stride()).ok_or_else(|| {
            Diagnostic::new(
                Code::Processes,
                format!("process {owner} sent a block that is not of the size it should have"),
            )
            .into()
        })
    }

    /// Meets the others after the work, and learns the answers that they have.
    ///
    /// # Errors
    /// If one is lost, or the watch stops the work.
    pub fn end<N: Slot>(&mut self, schedule: &Schedule, answers: &mut Answers<N>) -> Result<()> {
        self.peers.barrier(&format!("the answers of {}", self.work), self.watch)?;
        for (process, bytes) in self.all(pack(&answers.values()), schedule.shape.blocks())?.iter().enumerate() {
            let values = unpack(bytes, answers.len());
            let values = values.ok_or_else(|| {
                Box::new(Diagnostic::new(
                    Code::Processes,
                    format!("process {process} sent answers that cannot be read"),
                ))
            })?;
            answers.take(values, |block| self.share.owner(block) == process);
        }
        self.peers.barrier(&format!("the end of {}", self.work), self.watch)
    }
}

/// A block as bytes: how the rows have ended, and the values.
fn packed<N: Slot>(block: &Block<N>) -> Vec<u8> {
    let codes: Vec<u8> = block.ranks.iter().map(|rank| endings::code(*rank)).collect();
    let codes = pack(&codes);
    [&(codes.len() as u64).to_le_bytes(), codes.as_slice(), &pack(&block.values)].concat()
}

/// The block again, if that is what these bytes are.
fn unpacked<N: Slot>(bytes: &[u8], rows: usize, stride: usize) -> Option<Block<N>> {
    let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
    let (codes, values) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*head)).ok()?)?;
    let mut ranks = Vec::with_capacity(rows);
    let stored = endings::ranks(&unpack::<u8>(codes, rows)?, &mut ranks)?;
    Some(Block { ranks, values: unpack(values, stored * stride)? })
}
