//! The machine that work runs on: how late it is, and how much memory is in use.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::Limits;

/// How late it is, and how much memory is in use. A browser's library has no clock of its own:
/// whoever starts it there brings one.
pub trait Machine: Send + Sync {
    /// The time since some moment that stays the same.
    fn now(&self) -> Duration;

    /// That time in whole milliseconds.
    fn millis(&self) -> u64 {
        millis(self.now())
    }

    /// The bytes of memory in use; 0 where the system does not tell.
    fn memory_in_use(&self) -> u64 {
        memory_in_use().unwrap_or(0)
    }
}

/// The machine that this runs on, its time counted from when this was made.
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

/// A machine whose clock stands still: there is none in a browser but the one that its page brings.
#[cfg(target_family = "wasm")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Timer;

#[cfg(target_family = "wasm")]
impl Machine for Timer {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A machine whose clock goes on by a tick whenever somebody looks at it, and whose memory is never
/// used: work under it takes as long in every run.
#[derive(Debug)]
pub struct Ticks {
    looks: AtomicU64,
    /// In milliseconds.
    tick: u64,
}

impl Default for Ticks {
    fn default() -> Self {
        Self::of(1)
    }
}

impl Ticks {
    /// Ticks of so many milliseconds.
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

/// A duration in whole milliseconds.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The memory that this process has written to, in bytes, where the system tells: its code, which
/// can be read from the disk again, is not counted.
#[cfg(target_os = "linux")]
fn memory_in_use() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace()
        .next()?
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes << 10)
}

/// The size of the one memory that a program in a browser has: it never shrinks.
#[cfg(target_arch = "wasm32")]
fn memory_in_use() -> Option<u64> {
    u64::try_from(core::arch::wasm32::memory_size::<0>())
        .ok()
        .map(|pages| pages << 16)
}

/// The resident memory of this process in bytes, where the system tells.
#[cfg(not(any(target_os = "linux", target_arch = "wasm32")))]
fn memory_in_use() -> Option<u64> {
    memory_stats::memory_stats().and_then(|stats| u64::try_from(stats.physical_mem).ok())
}

/// No program fills memory faster than so many bytes in a millisecond: a system hands out fresh
/// pages more slowly.
const BYTES_PER_MILLISECOND: u64 = 4 << 20;

/// At most so many milliseconds pass until the memory is looked at again.
const LONGEST_PAUSE: u64 = 10;

/// After how many milliseconds the memory is to be looked at again if so much of what is allowed is
/// in use: before the rest can be filled.
pub(super) fn next_look_at_memory(allowed: u64, used: u64) -> u64 {
    (allowed.saturating_sub(used) / BYTES_PER_MILLISECOND).clamp(1, LONGEST_PAUSE)
}

/// Work that begins with all memory taken may take so much more: one part in so many of the limit,
/// once; then so many bytes.
const MORE_SHARE: u64 = 16;
const LITTLE_MORE: u64 = 1 << 20;

/// The most memory that work which begins now may take: the limit; or a little more than is in use,
/// where that is near the limit or over it. Memory that stopped work gave back, but the allocator
/// keeps, must not keep the next work from beginning; that work finds the memory again, so that the
/// process hardly grows.
pub(super) fn memory_for_work(limit: u64, used: u64) -> u64 {
    let more = if used < limit + limit / MORE_SHARE {
        limit / MORE_SHARE
    } else {
        LITTLE_MORE
    };
    limit.max(used.saturating_add(more))
}

/// One part in so many of the limit is what may stand between two statements: more of it is given
/// back if it can be had again.
const TIGHT_SHARE: u64 = 4;

/// Whether what stands takes so much memory that little is left for the next piece of work.
pub(super) fn memory_is_tight(limit: u64, used: u64) -> bool {
    used > limit / TIGHT_SHARE
}

impl Limits {
    /// The limits for this machine: three quarters of its memory at most, so that a runaway game is
    /// stopped by us and not by the system.
    pub fn of_machine() -> Self {
        let default = Self::default();
        Self {
            max_memory: default.max_memory.min(three_quarters_of_memory()),
            ..default
        }
    }
}

/// Three quarters of the machine's memory.
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

/// Three quarters of what a program in a browser can address.
#[cfg(target_arch = "wasm32")]
fn three_quarters_of_memory() -> u64 {
    3 << 30
}
