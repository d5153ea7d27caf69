//! A part of what a watch allows.

use crate::watch::{Disk, Limits, Stop, Watch};

/// A watch that lets fewer positions pass, beside other things that take memory.
pub(super) struct Budget<'a> {
    pub(super) watch: &'a dyn Watch,
    pub(super) positions: u64,
    /// How many bytes these take.
    pub(super) taken: u64,
}

impl Watch for Budget<'_> {
    fn check(&self) -> std::result::Result<(), Stop> {
        self.watch.check()
    }

    fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        self.watch.report(stage, done, total);
    }

    fn limits(&self) -> Limits {
        let limits = self.watch.limits();
        Limits {
            max_positions: limits.max_positions.min(self.positions),
            max_memory: limits.max_memory.saturating_sub(self.taken),
        }
    }

    fn memory_left(&self) -> u64 {
        self.watch.memory_left()
    }

    fn disk(&self) -> Option<&dyn Disk> {
        self.watch.disk()
    }

    fn save_due(&self) -> bool {
        self.watch.save_due()
    }
}
