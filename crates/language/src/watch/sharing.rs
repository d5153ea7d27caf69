//! The division of a sweep among processes that share a disk.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The part of a question's sweeps that this process does.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum WorkShare {
    /// Cuts the first sweep that is not finished into batches of about this many seconds each; by
    /// default into some hundred batches.
    Cut(Option<f64>),
    /// Computes these blocks of the sweep in this folder, a batch.
    Work(String, Vec<usize>),
    /// Reads the answer, for which all sweeps must be finished.
    #[default]
    Answer,
}

/// A batch: blocks that a process computes on its own once the batches before have been computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The numbers of the blocks, in ascending order.
    pub blocks: Vec<usize>,
    /// The batches from which it is computed, by their place in the cut; each precedes it.
    pub after: Vec<usize>,
    /// The rough number of seconds of processor time it takes.
    pub seconds: f64,
    /// The rough number of bytes that it reads of other batches.
    pub bytes: u64,
}

/// A sweep that has been cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// The folder of the sweep on the disk.
    pub sweep: String,
    /// The least `--max-memory` under which a batch can be computed in this way.
    pub memory: u64,
    /// The batches that have not been computed.
    pub batches: Vec<Batch>,
}

/// Returns the number of batches of the longest chain in which each has to wait for the one before.
pub fn longest_chain(batches: &[Batch]) -> usize {
    let mut chains: Vec<usize> = Vec::with_capacity(batches.len());
    for batch in batches {
        let before = batch.after.iter().map(|place| chains[*place]).max();
        chains.push(before.unwrap_or(0) + 1);
    }
    chains.into_iter().max().unwrap_or(0)
}

/// The agreement between a process and the sweeps of its questions: the share that it does, and the
/// result of that. A question is stopped once the share has been done.
#[derive(Debug, Default)]
pub struct Sharing(Mutex<Agreement>);

#[derive(Debug, Default)]
struct Agreement {
    share: WorkShare,
    done: Option<Option<Cut>>,
}

impl Sharing {
    fn agreement(&self) -> MutexGuard<'_, Agreement> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the share that the next question does.
    pub fn set(&self, share: WorkShare) {
        *self.agreement() = Agreement { share, done: None };
    }

    /// Returns the share that is to be done.
    pub fn share(&self) -> WorkShare {
        self.agreement().share.clone()
    }

    /// Records that the share has been done, with the cut if it was to cut a sweep.
    pub fn finish(&self, cut: Option<Cut>) {
        self.agreement().done = Some(cut);
    }

    /// Returns the result of the share, `None` if the question ended without it.
    pub fn done(&self) -> Option<Option<Cut>> {
        self.agreement().done.take()
    }
}
