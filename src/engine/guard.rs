//! Guards the work of an engine, request by request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::message::{Id, Progress};
use crate::parallel::lock;
use crate::watch::{Context, Disk, Guard, Machine, Observer, Settings};

/// The pause between two reports of progress, in milliseconds.
const TELL_EVERY: u64 = 100;

/// The disk on which work is kept, if there is one.
pub type WorkDisk = Option<Arc<dyn Disk + Send>>;

/// The receiver of reports of progress.
pub type Tell = dyn Fn(Id, Progress) + Send + Sync;

/// The guard of an engine's thread. It knows the request that is being answered, and those that are
/// to be stopped before they begin.
pub struct EngineGuard {
    guard: Arc<Guard>,
    /// The reporter of progress, unless the guard has its own.
    teller: Option<Arc<Teller>>,
    state: Mutex<GuardState>,
}

#[derive(Default)]
struct GuardState {
    settings: Settings,
    /// The settings of single requests that have not begun.
    own: BTreeMap<Id, Settings>,
    /// The request that is being answered.
    current: Option<Id>,
    /// The last request that was begun.
    begun: Id,
    /// The requests that are to be stopped before they begin.
    doomed: BTreeSet<Id>,
    /// If set, no more requests are answered.
    is_closed: bool,
}

/// Reports the progress of the current request from time to time.
struct Teller {
    machine: Arc<dyn Machine>,
    tell: Box<Tell>,
    current: AtomicU64,
    /// The time of its last report, in milliseconds of the machine's clock.
    last: AtomicU64,
}

impl Teller {
    /// Starts to report on a request.
    fn begin(&self, id: Id) {
        self.current.store(id, Ordering::Relaxed);
        self.last.store(self.machine.millis(), Ordering::Relaxed);
    }
}

impl Observer for Teller {
    fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        let now = self.machine.millis();
        if now.saturating_sub(self.last.load(Ordering::Relaxed)) >= TELL_EVERY {
            self.last.store(now, Ordering::Relaxed);
            let stage = stage.to_owned();
            let current = self.current.load(Ordering::Relaxed);
            (self.tell)(current, Progress { stage, done, total });
        }
    }
}

impl EngineGuard {
    /// Creates a guard on this machine, which reports progress to `tell`.
    pub fn new(machine: Arc<dyn Machine>, tell: Box<Tell>) -> Self {
        Self::on_disk(machine, tell, None)
    }

    /// Creates a guard as [`EngineGuard::new`] does, with a disk for the work if there is one.
    pub fn on_disk(machine: Arc<dyn Machine>, tell: Box<Tell>, disk: WorkDisk) -> Self {
        let teller = Arc::new(Teller {
            machine: Arc::clone(&machine),
            tell,
            current: AtomicU64::new(0),
            last: AtomicU64::new(0),
        });
        let observer = Arc::clone(&teller) as Arc<dyn Observer + Send>;
        Self {
            guard: Arc::new(Guard::new(machine).with_disk(disk).with_progress(observer)),
            teller: Some(teller),
            state: Mutex::default(),
        }
    }

    /// Creates a guard of an engine whose requests are watched by an existing guard, which reports
    /// progress in its own way.
    pub fn over(guard: Arc<Guard>, settings: Settings) -> Self {
        let engine = Self {
            guard,
            teller: None,
            state: Mutex::default(),
        };
        engine.set(settings);
        engine
    }

    /// Returns the guard of the work.
    pub fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// Returns the context of the request that is being answered.
    pub fn context(&self) -> Context<'_> {
        self.guard.context()
    }

    fn state(&self) -> MutexGuard<'_, GuardState> {
        lock(&self.state)
    }

    /// Sets the limits of each request from the next one on.
    pub fn set(&self, settings: Settings) {
        self.state().settings = settings;
    }

    /// Sets the limits of this request, which has not begun.
    pub fn set_for(&self, id: Id, settings: Settings) {
        self.state().own.insert(id, settings);
    }

    /// Stops a request, whether it is being answered or has not begun.
    pub fn stop(&self, id: Id) {
        let mut state = self.state();
        if state.current == Some(id) {
            self.guard.interrupt();
        // A request that is over needs no mark, which would stay for ever.
        } else if id > state.begun {
            state.doomed.insert(id);
        }
    }

    /// Stops the request that is being answered, and all that have not begun.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.guard.interrupt();
    }

    /// Begins to answer a request; returns `false` if it was stopped before.
    pub fn begin(&self, id: Id) -> bool {
        let mut state = self.state();
        state.begun = state.begun.max(id);
        let settings = state.own.remove(&id).unwrap_or(state.settings);
        // Settings of a stopped request have been taken out above, so that they do not stay.
        if state.doomed.remove(&id) || state.is_closed {
            return false;
        }
        state.current = Some(id);
        if let Some(teller) = &self.teller {
            teller.begin(id);
        }
        self.guard.set(settings);
        // This happens under the lock, so that a stop of the new request is not lost.
        self.guard.begin();
        true
    }

    /// Ends the current request.
    pub fn end(&self) {
        self.state().current = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::{Stop, Timer};

    #[test]
    fn only_the_request_that_was_meant_is_stopped() {
        let watch = EngineGuard::new(Arc::new(Timer::default()), Box::new(|_, _| {}));
        let check = || watch.context().check();
        assert!(watch.begin(1));
        watch.stop(2);
        assert_eq!(check(), Ok(()));
        watch.stop(1);
        assert_eq!(check(), Err(Stop::Interrupted));
        watch.end();
        assert!(!watch.begin(2), "it was stopped before it began");
        assert!(watch.begin(3));
        watch.stop(1);
        watch.stop(2);
        assert_eq!(check(), Ok(()));
        assert_eq!(
            watch.state().doomed,
            BTreeSet::new(),
            "what is over is not remembered"
        );
    }
}
