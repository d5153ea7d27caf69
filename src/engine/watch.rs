//! The watch over an engine's work: stopped by request, by the clock or by memory; it tells how far
//! the work has come.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::message::{Id, Progress};
use crate::watch::{
    Clock, Limits, Stop, Watch, memory_for_work, memory_in_use, memory_is_tight,
    next_look_at_memory,
};

/// For so many milliseconds it is taken for known how much memory is in use when work begins.
const LOOK_EVERY: u64 = 10;

/// How many milliseconds pass between two words about progress.
const TELL_EVERY: u64 = 100;

/// How much may be done for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Positions and memory.
    pub limits: Limits,
    /// Time.
    pub timeout: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::of_machine(),
            timeout: None,
        }
    }
}

/// Where progress is told.
pub type Tell = dyn Fn(Id, Progress) + Send + Sync;

/// Says whether the work for the request that is being answered may go on.
pub struct EngineWatch {
    clock: Box<dyn Clock>,
    tell: Box<Tell>,
    state: Mutex<State>,
    interrupted: AtomicBool,
    current: AtomicU64,
    /// Times are milliseconds of the clock.
    deadline: AtomicU64,
    next_look: AtomicU64,
    next_reading: AtomicU64,
    next_word: AtomicU64,
    /// The most memory that the work may take, in bytes.
    memory: AtomicU64,
    /// The memory in use when the work began, in bytes: much of it may have been given back, and is
    /// only kept by the allocator.
    before: AtomicU64,
    /// The memory in use when it was last read, in bytes.
    used: AtomicU64,
    memory_is_short: AtomicBool,
}

#[derive(Default)]
struct State {
    settings: Settings,
    /// What may be done for single requests that have not begun.
    own: BTreeMap<Id, Settings>,
    /// What may be done for the request that is being answered.
    in_force: Settings,
    /// The request that is being answered.
    current: Option<Id>,
    /// The last request that was begun.
    begun: Id,
    /// Requests that are to be stopped before they begin.
    doomed: BTreeSet<Id>,
    /// Whether nothing more is to be answered.
    is_closed: bool,
}

impl EngineWatch {
    /// A watch with this clock, which tells of progress there.
    pub fn new(clock: Box<dyn Clock>, tell: Box<Tell>) -> Self {
        Self {
            clock,
            tell,
            state: Mutex::default(),
            interrupted: AtomicBool::new(false),
            current: AtomicU64::new(0),
            deadline: AtomicU64::new(u64::MAX),
            next_look: AtomicU64::new(0),
            next_reading: AtomicU64::new(0),
            next_word: AtomicU64::new(0),
            memory: AtomicU64::new(u64::MAX),
            before: AtomicU64::new(0),
            used: AtomicU64::new(0),
            memory_is_short: AtomicBool::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        millis(self.clock.now())
    }

    /// From the next request on so much may be done.
    pub fn set(&self, settings: Settings) {
        self.state().settings = settings;
    }

    /// So much may be done for this request, which has not begun.
    pub fn set_for(&self, id: Id, settings: Settings) {
        self.state().own.insert(id, settings);
    }

    /// Stops a request, whether it is being answered or has not begun.
    pub fn stop(&self, id: Id) {
        let mut state = self.state();
        if state.current == Some(id) {
            self.interrupted.store(true, Ordering::Relaxed);
        } else if id > state.begun {
            state.doomed.insert(id);
        }
    }

    /// Stops the request that is being answered, and all that have not begun.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// Begins to answer a request; false if it was stopped before.
    pub fn begin(&self, id: Id) -> bool {
        let mut state = self.state();
        state.begun = state.begun.max(id);
        state.in_force = state.own.remove(&id).unwrap_or(state.settings);
        if state.doomed.remove(&id) || state.is_closed {
            return false;
        }
        state.current = Some(id);
        let (now, settings) = (self.now(), state.in_force);
        let deadline = settings
            .timeout
            .map_or(u64::MAX, |timeout| now.saturating_add(millis(timeout)));
        self.deadline.store(deadline, Ordering::Relaxed);
        let before = self.used(now);
        self.before.store(before, Ordering::Relaxed);
        self.memory.store(
            memory_for_work(settings.limits.max_memory, before),
            Ordering::Relaxed,
        );
        self.memory_is_short.store(false, Ordering::Relaxed);
        self.next_look.store(now + LOOK_EVERY, Ordering::Relaxed);
        self.next_word.store(now + TELL_EVERY, Ordering::Relaxed);
        self.current.store(id, Ordering::Relaxed);
        self.interrupted.store(false, Ordering::Relaxed);
        true
    }

    /// The request is answered.
    pub fn end(&self) {
        self.state().current = None;
    }

    /// The memory in use, as it was a few milliseconds ago at the earliest: to ask the system takes
    /// longer than a short request.
    fn used(&self, now: u64) -> u64 {
        if now >= self.next_reading.load(Ordering::Relaxed) {
            self.next_reading.store(now + LOOK_EVERY, Ordering::Relaxed);
            self.used
                .store(memory_in_use().unwrap_or(0), Ordering::Relaxed);
        }
        self.used.load(Ordering::Relaxed)
    }

    /// Looks at the memory now and then.
    fn look(&self, now: u64) {
        if now < self.next_look.load(Ordering::Relaxed) {
            return;
        }
        let used = memory_in_use().unwrap_or(0);
        let allowed = self.memory.load(Ordering::Relaxed);
        let pause = next_look_at_memory(allowed, used);
        self.next_look.store(now + pause, Ordering::Relaxed);
        if used > allowed {
            self.memory_is_short.store(true, Ordering::Relaxed);
        }
    }
}

impl Watch for EngineWatch {
    fn check(&self) -> Result<(), Stop> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        let now = self.now();
        if now >= self.deadline.load(Ordering::Relaxed) {
            return Err(Stop::Time);
        }
        self.look(now);
        if self.memory_is_short.load(Ordering::Relaxed) {
            return Err(Stop::Memory(self.state().in_force.limits.max_memory));
        }
        Ok(())
    }

    fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        let now = self.now();
        if now >= self.next_word.load(Ordering::Relaxed) {
            self.next_word.store(now + TELL_EVERY, Ordering::Relaxed);
            (self.tell)(
                self.current.load(Ordering::Relaxed),
                Progress {
                    stage: stage.to_owned(),
                    done,
                    total,
                },
            );
        }
    }

    fn limits(&self) -> Limits {
        self.state().in_force.limits
    }

    fn memory_left(&self) -> u64 {
        let used = memory_in_use().unwrap_or(0);
        let taken = used.saturating_sub(self.before.load(Ordering::Relaxed));
        self.limits().max_memory.saturating_sub(taken)
    }

    fn memory_is_tight(&self) -> bool {
        memory_is_tight(self.limits().max_memory, self.used(self.now()))
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Timer;

    fn watch() -> EngineWatch {
        EngineWatch::new(Box::new(Timer::default()), Box::new(|_, _| {}))
    }

    #[test]
    fn only_the_request_that_was_meant_is_stopped() {
        let watch = watch();
        assert!(watch.begin(1));
        watch.stop(2);
        assert_eq!(watch.check(), Ok(()));
        watch.stop(1);
        assert_eq!(watch.check(), Err(Stop::Interrupted));
        watch.end();
        assert!(!watch.begin(2), "it was stopped before it began");
        assert!(watch.begin(3));
        watch.stop(1);
        watch.stop(2);
        assert_eq!(watch.check(), Ok(()));
        assert_eq!(
            watch.state().doomed,
            BTreeSet::new(),
            "what is over is not remembered"
        );
    }

    #[test]
    fn time_and_memory_stop_work() {
        let watch = watch();
        watch.set(Settings {
            timeout: Some(Duration::ZERO),
            ..Settings::default()
        });
        assert!(watch.begin(1));
        assert_eq!(watch.check(), Err(Stop::Time));
        watch.set(Settings::default());
        assert!(watch.begin(2));
        watch.memory.store(0, Ordering::Relaxed);
        watch.next_look.store(0, Ordering::Relaxed);
        watch.next_reading.store(0, Ordering::Relaxed);
        assert!(matches!(watch.check(), Err(Stop::Memory(_))));
    }
}
