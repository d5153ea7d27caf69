//! What the threads of one process know in common.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use bid_language::diagnostic::Result;
use bid_language::watch::{Departure, Lost, Offered, Stop, Watch};

/// Who waits looks at the watch so often.
const LOOK: Duration = Duration::from_millis(20);

/// A connection for blocks that breaks is explained by the signs of life of who left; after so long
/// it explains itself.
const BENEFIT_OF_DOUBT: Duration = Duration::from_secs(1);

/// A block on its way here.
#[derive(Debug, Default)]
pub struct Incoming {
    /// How many bytes it has, as soon as that is known.
    pub total: Option<u64>,
    /// Those that have come.
    pub bytes: Vec<u8>,
    /// Pieces that have come since credit was granted last.
    pub ungranted: u64,
    /// Why it cannot be had.
    pub refused: Option<String>,
}

/// The blocks and barriers.
#[derive(Default)]
pub struct Table {
    /// How many barriers have been passed.
    pub round: u64,
    /// What this process offers.
    pub offers: HashMap<u64, Arc<dyn Offered>>,
    /// What it offered in this round and has taken back.
    pub retired: HashSet<u64>,
    /// What it fetches.
    pub incoming: HashMap<u64, Incoming>,
    /// How many blocks are streaming from each process.
    pub streaming: Vec<usize>,
    /// Whether this process waits at the barrier: it offers nothing more in this round.
    pub is_done: bool,
    /// What each process has in mind that has come to the barrier before a round.
    pub arrived: HashMap<u64, HashMap<usize, u64>>,
    /// The number of the next fetch.
    pub next: u64,
}

/// What all threads know.
pub struct Shared {
    /// How many processes there are.
    pub count: usize,
    /// The number of this one.
    pub own: usize,
    /// Bytes written to connections for blocks, and read.
    pub sent: AtomicU64,
    pub received: AtomicU64,
    /// The bytes of blocks among them.
    pub fetched: AtomicU64,
    table: Mutex<Table>,
    changed: Condvar,
    lost: OnceLock<Lost>,
    /// Broken connections, and since when.
    suspects: Mutex<Vec<(Lost, Instant)>>,
    /// Whether nobody is needed any more.
    closing: AtomicBool,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("count", &self.count)
            .field("own", &self.own)
            .finish_non_exhaustive()
    }
}

impl Shared {
    /// For a process among others.
    pub fn new(own: usize, count: usize) -> Self {
        Self {
            count,
            own,
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            fetched: AtomicU64::new(0),
            table: Mutex::new(Table {
                streaming: vec![0; count],
                ..Table::default()
            }),
            changed: Condvar::new(),
            lost: OnceLock::new(),
            suspects: Mutex::default(),
            closing: AtomicBool::new(false),
        }
    }

    /// The blocks and barriers, for a moment.
    pub fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes who waits for a change of the table.
    pub fn notify(&self) {
        self.changed.notify_all();
    }

    /// Waits until the table has something.
    ///
    /// # Errors
    /// If the watch says stop or a process is lost.
    pub fn wait<T>(
        &self,
        watch: &dyn Watch,
        mut ready: impl FnMut(&mut Table) -> Option<T>,
    ) -> Result<T> {
        loop {
            let mut table = self.table();
            if let Some(found) = ready(&mut table) {
                return Ok(found);
            }
            let waited = self
                .changed
                .wait_timeout(table, LOOK)
                .unwrap_or_else(PoisonError::into_inner);
            let (mut table, _) = waited;
            if let Some(found) = ready(&mut table) {
                return Ok(found);
            }
            drop(table);
            if let Some(lost) = self.lost() {
                return Err(Stop::Process(lost).into());
            }
            watch.check()?;
        }
    }

    /// The process that was lost first.
    pub fn lost(&self) -> Option<Lost> {
        self.lost.get().copied()
    }

    /// A process is lost; the first one is who is to blame.
    pub fn lose(&self, lost: Lost) {
        if !self.is_closing() && self.lost.set(lost).is_ok() {
            self.notify();
        }
    }

    /// A connection for blocks broke: unless something better is heard soon, its process is lost.
    pub fn suspect(&self, process: usize, departure: Departure) {
        let lost = Lost {
            process: number(process),
            departure,
        };
        self.suspects
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((lost, Instant::now()));
    }

    /// Loses who has been suspect for long.
    pub fn judge_suspects(&self) {
        let suspects = self.suspects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((lost, _)) = suspects
            .iter()
            .find(|(_, since)| since.elapsed() > BENEFIT_OF_DOUBT)
        {
            self.lose(*lost);
        }
    }

    /// From now on nobody who leaves is missed.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Release);
    }

    /// Whether nobody is needed any more.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }
}

/// The number of a process as it travels.
pub fn number(process: usize) -> u16 {
    u16::try_from(process).unwrap_or(u16::MAX)
}
