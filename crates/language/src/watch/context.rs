//! The context of work: all resources that it may use, as one struct.

use super::{Disk, Guard, Limits, Shortage, Stop};

/// A request for less than one part in `SMALL_SHARE` of the limit is granted without a look at the
/// memory that is left.
const SMALL_SHARE: u64 = 16;

/// An observer of the progress of work.
pub trait Observer: Sync {
    /// Receives, now and then, the progress of a stage and its total, if that is known.
    fn report(&self, stage: &str, done: u64, total: Option<u64>);
}

/// All resources that work may use. Nested work gets a copy with a field changed.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The guard that stops the work.
    pub guard: &'a Guard,
    /// The limits of the work.
    pub limits: Limits,
    /// The disk for values that do not fit in memory, and for checkpoints.
    pub disk: Option<&'a dyn Disk>,
    /// The observer of the work's progress.
    pub progress: Option<&'a dyn Observer>,
}

/// A guard that nobody asks to stop work.
static IDLE: Guard = Guard::idle();

static PLAIN: Context<'static> = Context {
    guard: &IDLE,
    limits: Limits::DEFAULT,
    disk: None,
    progress: None,
};

impl Default for Context<'_> {
    fn default() -> Self {
        PLAIN
    }
}

impl Context<'static> {
    /// Returns a context with the default limits, no disk, and nothing that stops the work or shows
    /// its progress, for tests and short work.
    pub fn plain() -> &'static Self {
        &PLAIN
    }
}

impl Context<'_> {
    /// Creates a context that only has limits.
    pub fn within(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Checks whether to stop. Work calls this every few thousand steps.
    pub fn check(&self) -> Result<(), Stop> {
        self.guard.check()
    }

    /// Returns the disk, if there is one that no other process uses.
    pub fn own_disk(&self) -> Option<&dyn Disk> {
        self.disk.filter(|disk| disk.sharing().is_none())
    }

    /// Reports the progress of a stage and its total, if that is known.
    pub fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        if let Some(progress) = self.progress {
            progress.report(stage, done, total);
        }
    }

    /// Returns the number of bytes that the work may still take.
    pub fn memory_left(&self) -> u64 {
        let taken = self.guard.memory_taken();
        self.limits.max_memory.saturating_sub(taken)
    }

    /// Checks whether work may take this many bytes at once, since it cannot check while it
    /// allocates them.
    ///
    /// # Errors
    /// Returns the reason if the memory is insufficient or the work is to stop.
    pub fn admit(&self, bytes: u64) -> Result<(), Stop> {
        let limit = self.limits.max_memory;
        if bytes < limit / SMALL_SHARE {
            // The regular checks find the growth by many small requests.
            return Ok(());
        }
        if bytes > limit {
            return Err(Stop::Shortage(Shortage {
                limit,
                // No wait helps here, so that the message names the limit under which the work is
                // possible.
                needed: Limits::for_room(bytes),
                with_disk: None,
            }));
        }
        if bytes > self.memory_left() {
            return Err(Stop::Memory(limit));
        }
        self.check()
    }

    /// Checks whether work may hold this many values of a type at once.
    ///
    /// # Errors
    /// The errors of [`admit`](Self::admit).
    pub fn admit_values<T>(&self, count: u64) -> Result<(), Stop> {
        self.admit(count.saturating_mul(size_of::<T>() as u64))
    }

    /// Saves the state of the work if a save is due.
    pub fn save_if_due<E>(&self, save: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        self.save_if(false, save)
    }

    /// Saves the state of the work if `must` is set or a save is due.
    pub fn save_if<E>(&self, must: bool, save: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        self.guard.save_if(must, save)
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("limits", &self.limits)
            .field("disk", &self.disk)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::Machine;
    use super::*;

    #[test]
    fn work_asks_before_it_takes_much_at_once() {
        /// A process that takes a part of its memory once work has begun.
        #[derive(Default)]
        struct Half(std::sync::atomic::AtomicU64);

        impl Machine for Half {
            fn now(&self) -> std::time::Duration {
                std::time::Duration::ZERO
            }

            fn memory_in_use(&self) -> u64 {
                self.0.swap(1 << 19, std::sync::atomic::Ordering::Relaxed)
            }
        }

        let guard = Guard::new(Arc::new(Half::default()));
        guard.begin();
        let half = Context {
            limits: Limits::memory(1 << 20),
            ..guard.context()
        };
        assert_eq!(half.admit(1 << 10), Ok(()));
        assert_eq!(half.admit(1 << 19), Ok(()));
        assert_eq!(half.admit((1 << 19) + 1), Err(Stop::Memory(1 << 20)));
        assert!(matches!(half.admit(u64::MAX), Err(Stop::Shortage(_))));
    }
}
