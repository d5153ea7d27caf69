//! The machine on which work runs: its clock, and its memory in use.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::Limits;

/// A clock and a reading of the memory in use. The library has no clock in a browser, so the page
/// provides one.
pub trait Machine: Send + Sync {
    /// Returns the time since a fixed moment.
    fn now(&self) -> Duration;

    /// Returns that time in whole milliseconds.
    fn millis(&self) -> u64 {
        millis(self.now())
    }

    /// Returns the bytes of memory in use, or 0 if the system does not tell.
    fn memory_in_use(&self) -> u64 {
        memory_in_use().unwrap_or(0)
    }
}

/// The machine on which this runs. Its time is counted from the creation of this value.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug, Clone, Copy)]
pub struct Timer(std::time::Instant);

#[cfg(not(target_family = "wasm"))]
impl Default for Timer {
    fn default() -> Self {
        Self(std::time::Instant::now())
    }
}

#[cfg(not(target_family = "wasm"))]
impl Machine for Timer {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A machine whose clock stands still. In a browser, only the page can provide a clock.
#[cfg(target_family = "wasm")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Timer;

#[cfg(target_family = "wasm")]
impl Machine for Timer {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A machine whose clock advances by a tick at every reading, and whose memory is never used. Work
/// under it takes the same time in every run.
#[derive(Debug)]
pub struct Ticks {
    looks: AtomicU64,
    /// The tick in milliseconds.
    tick: u64,
}

impl Default for Ticks {
    fn default() -> Self {
        Self::of(1)
    }
}

impl Ticks {
    /// Creates a clock whose tick has this length, in milliseconds.
    pub fn of(tick: u64) -> Self {
        Self {
            looks: AtomicU64::new(0),
            tick,
        }
    }
}

impl Machine for Ticks {
    fn now(&self) -> Duration {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        Duration::from_millis(looks.saturating_mul(self.tick))
    }

    fn memory_in_use(&self) -> u64 {
        0
    }
}

/// Converts a duration to whole milliseconds.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the memory that this process has written to, in bytes, if the system tells. Code is not
/// counted, because it can be read from the disk again.
#[cfg(target_os = "linux")]
fn memory_in_use() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        // This part of the resident memory leaves out code and mapped files.
        .find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace()
        .next()?
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes << 10)
}

/// Returns the size of the linear memory that a program in a browser has. It never shrinks.
#[cfg(target_arch = "wasm32")]
fn memory_in_use() -> Option<u64> {
    u64::try_from(core::arch::wasm32::memory_size::<0>())
        .ok()
        // A page of linear memory has 64 KiB.
        .map(|pages| pages << 16)
}

/// Returns the resident memory of this process in bytes, if the system tells.
#[cfg(not(any(target_os = "linux", target_arch = "wasm32")))]
fn memory_in_use() -> Option<u64> {
    memory_stats::memory_stats().and_then(|stats| u64::try_from(stats.physical_mem).ok())
}

/// An upper bound on the bytes that a program fills in a millisecond. Systems provide fresh pages
/// more slowly.
const BYTES_PER_MILLISECOND: u64 = 4 << 20;

/// The most milliseconds between two readings of the memory in use.
const LONGEST_PAUSE: u64 = 10;

/// Computes the milliseconds until the next reading of the memory, if so much of the allowed memory
/// is in use: a time in which the rest cannot be filled.
pub(super) fn next_look_at_memory(allowed: u64, used: u64) -> u64 {
    (allowed.saturating_sub(used) / BYTES_PER_MILLISECOND).clamp(1, LONGEST_PAUSE)
}

/// The memory that work may take beyond the memory in use at its beginning: one part in
/// `MORE_SHARE` of the limit if less than the limit and this part together is in use, and
/// `LITTLE_MORE` bytes otherwise.
const MORE_SHARE: u64 = 16;
const LITTLE_MORE: u64 = 1 << 20;

/// Computes the most memory for work that begins now: the limit, or a little more than the memory
/// in use, if that is near the limit or over it. Memory that stopped work has freed but the
/// allocator keeps must not prevent the next work from starting. That work reuses the memory, so
/// that the process hardly grows.
pub(super) fn memory_for_work(limit: u64, used: u64) -> u64 {
    let more = if used < limit + limit / MORE_SHARE {
        limit / MORE_SHARE
    } else {
        LITTLE_MORE
    };
    limit.max(used.saturating_add(more))
}

/// One part in `TIGHT_SHARE` of the limit may stay in use between two statements. If more is in
/// use, values that can be recomputed are dropped.
const TIGHT_SHARE: u64 = 4;

/// Returns `true` if the memory in use leaves little for the next piece of work.
pub(super) fn memory_is_tight(limit: u64, used: u64) -> bool {
    used > limit / TIGHT_SHARE
}

impl Limits {
    /// Returns the limits for this machine: at most three quarters of its memory, so that a runaway
    /// game is stopped by the program and not by the system.
    pub fn of_machine() -> Self {
        let default = Self::default();
        Self {
            max_memory: default.max_memory.min(three_quarters_of_memory()),
            ..default
        }
    }
}

/// Returns three quarters of the machine's memory.
#[cfg(not(target_arch = "wasm32"))]
fn three_quarters_of_memory() -> u64 {
    let total = || -> Option<u64> {
        let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = meminfo
            .lines()
            .find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.split_whitespace()
            .next()?
            .parse::<u64>()
            .ok()
            .map(|kilobytes| kilobytes << 10)
    };
    total().map_or(u64::MAX, |total| total / 4 * 3)
}

/// Returns three quarters of the memory that a program in a browser can address.
#[cfg(target_arch = "wasm32")]
fn three_quarters_of_memory() -> u64 {
    // Addresses have 32 bits, so that the whole is 4 GiB.
    3 << 30
}
