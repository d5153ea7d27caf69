//! Blocks of other processes, fetched ahead of need, packed.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::diagnostic::Result;
use crate::watch::{Limits, Peers, Stop, Watch};

/// How many threads fetch: each block takes two journeys to and fro before its bytes come.
pub const FETCHERS: usize = 4;

/// Who waits looks at the watch so often.
const LOOK: Duration = Duration::from_millis(20);

/// What is fetched, in the order in which it is needed first.
pub struct Ahead<'a> {
    peers: &'a dyn Peers,
    watch: &'a dyn Watch,
    wanted: Vec<Wanted>,
    /// Nothing more is fetched while so many bytes have not been taken.
    room: u64,
    state: Mutex<State>,
    changed: Condvar,
}

/// A block of another process.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub number: usize,
    pub owner: usize,
    /// How many bytes it has at most.
    pub most: u64,
}

#[derive(Default)]
struct State {
    /// How many blocks have been asked for.
    asked: usize,
    /// What has come, by number, and how many bytes that is.
    come: HashMap<usize, Result<Vec<u8>>>,
    held: u64,
    /// Whether the process can do nothing until a block comes.
    is_awaited: bool,
    /// Whether nothing more is wanted.
    is_over: bool,
}

impl<'a> Ahead<'a> {
    /// Fetches these blocks.
    pub fn new(peers: &'a dyn Peers, watch: &'a dyn Watch, wanted: Vec<Wanted>, room: u64) -> Self {
        Self {
            peers,
            watch,
            wanted,
            room,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
        self.changed
            .wait_timeout(state, LOOK)
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }

    /// The next block to fetch, as soon as there is room for it, or the process waits; `None` when
    /// there is no other.
    fn next(&self) -> Option<Wanted> {
        let mut state = self.state();
        loop {
            if state.is_over {
                return None;
            }
            let next = *self.wanted.get(state.asked)?;
            if state.held < self.room || state.is_awaited {
                state.asked += 1;
                return Some(next);
            }
            state = self.wait(state);
        }
    }

    /// Fetches until all is there or nothing more is wanted: the work of one of the threads.
    pub fn run(&self) {
        while let Some(Wanted {
            number,
            owner,
            most,
        }) = self.next()
        {
            let bytes = self.peers.fetch(number as u64, owner, most, &Waiting(self));
            let mut state = self.state();
            state.held += bytes.as_ref().map_or(0, Vec::len) as u64;
            // Who takes the block tells of what went wrong.
            state.come.insert(number, bytes);
            self.changed.notify_all();
        }
    }

    /// A block, as soon as it has come.
    ///
    /// # Errors
    /// If it cannot be had, or the watch stops the work.
    pub fn take(&self, number: usize) -> Result<Vec<u8>> {
        let mut state = self.state();
        loop {
            if let Some(come) = state.come.remove(&number) {
                state.is_awaited = false;
                state.held -= come.as_ref().map_or(0, Vec::len) as u64;
                self.changed.notify_all();
                return come;
            }
            if !state.is_awaited {
                state.is_awaited = true;
                self.changed.notify_all();
            }
            state = self.wait(state);
            self.watch.check()?;
        }
    }

    /// Nothing more is wanted.
    pub fn stop(&self) {
        self.state().is_over = true;
        self.changed.notify_all();
    }
}

/// The watch of the threads that fetch: the process looks at its own, and stops them.
struct Waiting<'a, 'b>(&'b Ahead<'a>);

impl Watch for Waiting<'_, '_> {
    fn check(&self) -> std::result::Result<(), Stop> {
        if self.0.state().is_over {
            Err(Stop::Interrupted)
        } else {
            Ok(())
        }
    }

    fn limits(&self) -> Limits {
        self.0.watch.limits()
    }

    fn memory_left(&self) -> u64 {
        self.0.watch.memory_left()
    }
}

/// Stops the threads when it is dropped.
pub struct Stopping<'a, 'b>(pub &'b Ahead<'a>);

impl Drop for Stopping<'_, '_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
