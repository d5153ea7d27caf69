//! The other processes that answer the same question, and the blocks that they hand each other.

use std::fmt;
use std::io;
use std::sync::Arc;

use super::Watch;
use crate::diagnostic::{Code, Diagnostic, Result};

/// A process among those that answer one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its number, below that of the processes.
    pub own: usize,
    /// How many processes there are.
    pub of: usize,
}

/// Why a process no longer works on the common question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Departure {
    /// It ended, or its connection was cut.
    Ended,
    /// Nothing was heard of it for too long.
    Silent,
    /// Ctrl-C.
    Interrupted,
    /// One of its limits.
    Limit,
    /// An error.
    Failed,
    /// What it sent is no message.
    Garbled,
}

impl Departure {
    /// Every way to leave.
    pub const ALL: [Self; 6] = [
        Self::Ended,
        Self::Silent,
        Self::Interrupted,
        Self::Limit,
        Self::Failed,
        Self::Garbled,
    ];
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ended => "has ended",
            Self::Silent => "is no longer heard of",
            Self::Interrupted => "was interrupted",
            Self::Limit => "was stopped by one of its limits",
            Self::Failed => "stopped because of an error",
            Self::Garbled => "sent what cannot be read",
        })
    }
}

/// A process that others were counting on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost {
    /// Its number.
    pub process: u16,
    /// What became of it.
    pub departure: Departure,
}

impl From<Lost> for Diagnostic {
    fn from(Lost { process, departure }: Lost) -> Self {
        Diagnostic::new(Code::Process, format!("stopped: process {process} {departure}"))
            .help("start the same command again everywhere; with `--checkpoint DIR` it goes on from what was finished")
    }
}

/// The bytes of a block, to be read in pieces: in memory, or wherever they are.
pub trait Offered: Send + Sync {
    /// How many bytes there are.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `offset` on.
    ///
    /// # Errors
    /// If they cannot be read.
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;
}

impl Offered for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let end = start
            .checked_add(into.len())
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(self.get(start..end).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// What has been sent and received, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// Sent to all others.
    pub sent: u64,
    /// Received from all others.
    pub received: u64,
    /// Of these, the bytes of blocks.
    pub fetched: u64,
}

/// The processes that answer one question together, each with the same program, source and rules.
/// They do the same pieces of work in the same order; within a piece of work each hands the others
/// the blocks that it has worked out.
///
/// A piece of work begins and ends with a [`barrier`](Self::barrier): blocks that were offered
/// before are forgotten there, so that every piece of work numbers its blocks as it likes.
pub trait Peers: Send + Sync + fmt::Debug {
    /// How many processes there are, this one among them.
    fn count(&self) -> usize;

    /// The number of this process, below the count.
    fn own(&self) -> usize;

    /// Lets the others have a block, until it is [retired](Self::retire) or the piece of work ends.
    fn offer(&self, block: u64, bytes: Arc<dyn Offered>);

    /// The bytes of a block, at most so many, of the process that offers it; waits until it does.
    ///
    /// # Errors
    /// If the watch says stop, a process is lost, the owner cannot read the block or has retired
    /// it, or it is larger.
    fn fetch(&self, block: u64, from: usize, most: u64, watch: &dyn Watch) -> Result<Vec<u8>>;

    /// The block is needed by nobody any more.
    fn retire(&self, block: u64);

    /// Waits until all processes have come here, with the same piece of work in mind.
    ///
    /// # Errors
    /// If the watch says stop, a process is lost, or one has come to another piece of work.
    fn barrier(&self, work: &str, watch: &dyn Watch) -> Result<()>;

    /// The process that was lost first, if one was. Costs little.
    fn lost(&self) -> Option<Lost>;

    /// What has been sent and received so far.
    fn traffic(&self) -> Traffic;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_memory_are_read_in_pieces() {
        let bytes: Vec<u8> = (0..100).collect();
        let mut piece = [0; 10];
        assert!(bytes.read(90, &mut piece).is_ok());
        assert_eq!(piece, [90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
        assert!(bytes.read(91, &mut piece).is_err() && bytes.read(u64::MAX, &mut piece).is_err());
    }

    #[test]
    fn the_lost_are_named() {
        let told = |departure| {
            Diagnostic::from(Lost {
                process: 3,
                departure,
            })
            .message
        };
        assert_eq!(told(Departure::Ended), "stopped: process 3 has ended");
        assert!(
            Departure::ALL
                .iter()
                .all(|&departure| told(departure).starts_with("stopped: process 3 "))
        );
    }
}
