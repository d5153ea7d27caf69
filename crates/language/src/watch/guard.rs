//! The guard that stops work.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::context::{Context, Observer};
use super::machine::{Machine, memory_for_work, memory_is_tight, millis, next_look_at_memory};
use super::{Disk, Limits, Stop};

/// The number of milliseconds for which a reading of the memory in use stays valid when work
/// begins. Asking the system takes longer than a short piece of work.
const READING_LASTS: u64 = 10;

/// The approximate number of milliseconds of work that a crash may cost. When work is stopped, it
/// saves newer state, which takes a part of that time.
const SAVE_EVERY: u64 = 10_000;

/// The least pause between two saves, as a multiple of the duration of the last one.
const SAVING_SHARE: u64 = 2;

/// The resources that work may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The limits of positions and memory.
    pub limits: Limits,
    /// The limit of time.
    pub timeout: Option<Duration>,
}

impl Default for Settings {
    /// Returns the limits for this machine, and no limit of time.
    fn default() -> Self {
        Self {
            limits: Limits::of_machine(),
            timeout: None,
        }
    }
}

/// Stops work when its time is up, when memory runs short, or on request.
///
/// A check reads the clock, and now and then the memory in use, so it costs a few nanoseconds and
/// can be made often. Times are milliseconds of the machine's clock.
pub struct Guard {
    /// The machine. Without one, work is stopped only on request.
    machine: Option<Arc<dyn Machine>>,
    disk: Option<Arc<dyn Disk + Send>>,
    progress: Option<Arc<dyn Observer + Send>>,
    settings: Mutex<Settings>,
    interrupted: AtomicBool,
    deadline: AtomicU64,
    next_save: AtomicU64,
    memory_is_short: AtomicBool,
    /// The most memory that work may take, in bytes: the limit, or a little more than the memory in
    /// use when it began.
    memory: AtomicU64,
    /// The memory in use when work began, in bytes. Much of it may be free memory that the
    /// allocator keeps.
    before: AtomicU64,
    next_look: AtomicU64,
    /// The memory in use at the last reading, in bytes, and the time until which that reading is
    /// valid.
    used: AtomicU64,
    next_reading: AtomicU64,
}

impl Default for Guard {
    fn default() -> Self {
        Self::idle()
    }
}

impl Guard {
    /// Creates a guard without a machine. It has the default limits, and stops work only on
    /// request.
    pub const fn idle() -> Self {
        Self {
            machine: None,
            disk: None,
            progress: None,
            settings: Mutex::new(Settings {
                limits: Limits::DEFAULT,
                timeout: None,
            }),
            interrupted: AtomicBool::new(false),
            deadline: AtomicU64::new(u64::MAX),
            next_save: AtomicU64::new(u64::MAX),
            memory_is_short: AtomicBool::new(false),
            memory: AtomicU64::new(u64::MAX),
            before: AtomicU64::new(0),
            next_look: AtomicU64::new(u64::MAX),
            used: AtomicU64::new(0),
            next_reading: AtomicU64::new(0),
        }
    }

    /// Creates a guard on this machine, with the default limits.
    pub fn new(machine: Arc<dyn Machine>) -> Self {
        Self {
            machine: Some(machine),
            ..Self::idle()
        }
    }

    /// Creates a guard that stops work at its step of this number. Each check is a step, so that
    /// work stops at the same point in every run.
    pub fn of_steps(steps: u64) -> Self {
        let guard = Self::new(Arc::new(super::Ticks::default()));
        // The clock advances by a millisecond at each reading, and each check reads it once.
        guard.deadline.store(steps, Ordering::Relaxed);
        guard
    }

    /// Sets the disk for work.
    #[must_use]
    pub fn with_disk(self, disk: Option<Arc<dyn Disk + Send>>) -> Self {
        Self { disk, ..self }
    }

    /// Sets an observer of progress.
    #[must_use]
    pub fn with_progress(self, progress: Arc<dyn Observer + Send>) -> Self {
        Self {
            progress: Some(progress),
            ..self
        }
    }

    /// Sets other limits.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        self.settings().limits = limits;
        self
    }

    fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the limits in force.
    pub fn limits(&self) -> Limits {
        self.settings().limits
    }

    /// Sets the resources of work that begins from now on.
    pub fn set(&self, settings: Settings) {
        *self.settings() = settings;
    }

    /// Returns the context of work under this guard.
    pub fn context(&self) -> Context<'_> {
        Context {
            guard: self,
            limits: self.limits(),
            disk: self.disk.as_deref().map(|disk| disk as &dyn Disk),
            progress: self
                .progress
                .as_deref()
                .map(|observer| observer as &dyn Observer),
        }
    }

    /// Begins work: clears earlier requests to stop, and sets the deadline, the memory limit and
    /// the time of the next save.
    pub fn begin(&self) {
        self.interrupted.store(false, Ordering::Relaxed);
        self.memory_is_short.store(false, Ordering::Relaxed);
        if let Some(machine) = &self.machine {
            let (now, settings) = (machine.millis(), *self.settings());
            let deadline = settings
                .timeout
                .map_or(u64::MAX, |timeout| now.saturating_add(millis(timeout)));
            self.deadline.store(deadline, Ordering::Relaxed);
            let before = self.used(&**machine, now);
            self.before.store(before, Ordering::Relaxed);
            let memory = memory_for_work(settings.limits.max_memory, before);
            self.memory.store(memory, Ordering::Relaxed);
            let look = now + next_look_at_memory(memory, before);
            self.next_look.store(look, Ordering::Relaxed);
            self.next_save.store(now + SAVE_EVERY, Ordering::Relaxed);
        }
    }

    /// Stops the work in progress. Returns `true` if that had been requested before.
    pub fn interrupt(&self) -> bool {
        self.interrupted.swap(true, Ordering::Relaxed)
    }

    /// Returns `true` if the work was asked to stop since it began.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Returns the time on the machine's clock, in milliseconds.
    pub fn now(&self) -> u64 {
        self.machine.as_ref().map_or(0, |machine| machine.millis())
    }

    /// Checks whether the work is to stop.
    pub fn check(&self) -> Result<(), Stop> {
        if self.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        let Some(machine) = &self.machine else {
            return Ok(());
        };
        let now = machine.millis();
        // A reading of the memory costs far more than one of the clock.
        if now >= self.next_look.load(Ordering::Relaxed) {
            self.look_at_memory(&**machine, now);
        }
        if self.memory_is_short.load(Ordering::Relaxed) {
            return Err(Stop::Memory(self.limits().max_memory));
        }
        if now >= self.deadline.load(Ordering::Relaxed) {
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// Reads the memory in use and records whether it exceeds the limit.
    fn look_at_memory(&self, machine: &dyn Machine, now: u64) {
        let used = machine.memory_in_use();
        let allowed = self.memory.load(Ordering::Relaxed);
        if used > allowed {
            self.memory_is_short.store(true, Ordering::Relaxed);
        }
        let pause = next_look_at_memory(allowed, used);
        self.next_look.store(now + pause, Ordering::Relaxed);
    }

    /// Returns the memory in use, as it was at most a few milliseconds ago.
    fn used(&self, machine: &dyn Machine, now: u64) -> u64 {
        if now >= self.next_reading.load(Ordering::Relaxed) {
            self.next_reading
                .store(now + READING_LASTS, Ordering::Relaxed);
            // A reading that is a little old does no harm, so that relaxed order suffices here and
            // below.
            self.used.store(machine.memory_in_use(), Ordering::Relaxed);
        }
        self.used.load(Ordering::Relaxed)
    }

    /// Returns the memory taken since work began, in bytes.
    pub fn memory_taken(&self) -> u64 {
        let Some(machine) = &self.machine else {
            return 0;
        };
        machine
            .memory_in_use()
            .saturating_sub(self.before.load(Ordering::Relaxed))
    }

    /// Returns `true` if so much memory is in use that little is left for the next piece of work.
    pub fn memory_is_tight(&self) -> bool {
        self.machine.as_ref().is_some_and(|machine| {
            let used = self.used(&**machine, machine.millis());
            memory_is_tight(self.limits().max_memory, used)
        })
    }

    /// Saves the state of the work if `must` is set or a save is due.
    pub fn save_if<E>(&self, must: bool, save: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let began = self.now();
        if !must && began < self.next_save.load(Ordering::Relaxed) {
            return Ok(());
        }
        save()?;
        let ended = self.now();
        // A slow disk must not take most of the time.
        let pause = SAVE_EVERY.max(SAVING_SHARE * ended.saturating_sub(began));
        self.next_save.store(ended + pause, Ordering::Relaxed);
        Ok(())
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard")
            .field("settings", &self.settings)
            .field("disk", &self.disk)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::{Ticks, Timer};

    #[test]
    fn time_memory_and_requests_stop_work() {
        let guard = Guard::new(Arc::new(Timer::default()));
        guard.set(Settings {
            timeout: Some(Duration::ZERO),
            ..Settings::default()
        });
        guard.begin();
        assert_eq!(guard.check(), Err(Stop::Time));
        guard.set(Settings::default());
        guard.begin();
        assert_eq!(guard.check(), Ok(()));
        guard.memory.store(0, Ordering::Relaxed);
        guard.next_look.store(0, Ordering::Relaxed);
        assert!(matches!(guard.check(), Err(Stop::Memory(_))));
        assert!(!guard.interrupt());
        assert!(guard.interrupt());
        assert_eq!(guard.check(), Err(Stop::Interrupted));
    }

    #[test]
    fn steps_stop_work_at_one_place() {
        let guard = Guard::of_steps(3);
        assert_eq!(
            [guard.check(), guard.check(), guard.check(), guard.check()],
            [Ok(()), Ok(()), Ok(()), Err(Stop::Time)]
        );
    }

    #[test]
    fn state_is_saved_when_it_is_time_to() {
        let guard = Guard::new(Arc::new(Ticks::of(4_000)));
        guard.begin();
        let mut saved = 0;
        for _ in 0..9 {
            let _ = guard.save_if(false, || {
                saved += 1;
                Ok::<(), Stop>(())
            });
        }
        assert!((1..5).contains(&saved), "{saved}");
    }
}
