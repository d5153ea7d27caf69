//! Stopping and progress: how long work asks whether to go on.
//!
//! The library has no clock and no terminal; whoever calls it passes a [`Watch`] that has.

use crate::diagnostic::{Code, Diagnostic};

/// Why work was stopped. Stopping is data: the caller says what was reached and what to raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// More positions than `--max-positions` allows (the limit).
    Positions(u64),
    /// More memory than `--max-memory` allows (the limit, in bytes).
    Memory(u64),
    /// `--timeout` has passed.
    Time,
    /// Ctrl-C.
    Interrupted,
}

impl From<Stop> for Diagnostic {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Positions(limit) => Diagnostic::new(Code::Positions, format!("stopped after {limit} positions"))
                .help("raise the limit with `--max-positions N`, or make the game smaller"),
            Stop::Memory(limit) => {
                Diagnostic::new(Code::Memory, format!("stopped: more than {limit} bytes would be needed"))
                    .help("raise the limit with `--max-memory SIZE`, or make the game smaller")
            }
            Stop::Time => {
                Diagnostic::new(Code::Time, "stopped: the time is up").help("raise the limit with `--timeout T`")
            }
            Stop::Interrupted => Diagnostic::new(Code::Interrupted, "interrupted"),
        }
    }
}

impl From<Stop> for Box<Diagnostic> {
    fn from(stop: Stop) -> Self {
        Box::new(stop.into())
    }
}

/// Watches over long work.
pub trait Watch: Sync {
    /// Asked every few thousand steps: whether to go on.
    ///
    /// # Errors
    /// Why not, if not.
    fn check(&self) -> Result<(), Stop>;

    /// Told now and then how far a stage has come, and how far it goes where that is known.
    fn report(&self, _stage: &str, _done: u64, _total: Option<u64>) {}

    /// The limits in force.
    fn limits(&self) -> Limits {
        Limits::default()
    }
}

/// How much work may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most positions of one game.
    pub max_positions: u64,
    /// The most bytes that one game and its values may take.
    pub max_memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_positions: 4_000_000_000, max_memory: 16 << 30 }
    }
}

/// Never stops and tells nobody: for tests and for short work.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn check(&self) -> Result<(), Stop> {
        Ok(())
    }
}
