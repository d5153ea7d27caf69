//! The watch over long work: time, memory, Ctrl-C, progress.

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bid::store::Disk;
use bid::watch::{Limits, Stop, Watch};

use super::PROMPT;
use super::args::Options;
use super::folder::Folder;
use super::progress::Progress;
use super::status::Status;

/// How many milliseconds pass between two looks at the memory in use.
const MEMORY_EVERY: u64 = 100;

/// How many milliseconds of work a crash may cost, about.
const SAVE_EVERY: u64 = 60_000;

/// Says whether work may go on, and tells how far it has come.
#[derive(Debug)]
pub struct Guard {
    limits: Limits,
    timeout: Option<Duration>,
    /// Times below are milliseconds since then.
    epoch: Instant,
    /// When the time is up.
    deadline: AtomicU64,
    next_memory_look: AtomicU64,
    next_save: AtomicU64,
    folder: Option<Folder>,
    /// Whether something is being evaluated.
    busy: AtomicBool,
    /// How often Ctrl-C was pressed since the evaluation began.
    interrupts: AtomicU8,
    /// Whether a line is being read after a prompt, by a terminal that does not tell of Ctrl-C as of a key.
    prompting: AtomicBool,
    /// Whether Ctrl-C was pressed meanwhile.
    cleared: AtomicBool,
    progress: Progress,
}

impl Guard {
    /// A guard with the limits that the options set, and the folder for checkpoints, if there is one.
    pub fn new(options: &Options, folder: Option<Folder>) -> Self {
        let default = Limits::default();
        let max_memory = options.max_memory.unwrap_or_else(|| default.max_memory.min(three_quarters_of_memory()));
        let limits = Limits { max_positions: options.max_positions.unwrap_or(default.max_positions), max_memory };
        Self {
            limits,
            timeout: options.timeout,
            epoch: Instant::now(),
            deadline: AtomicU64::new(u64::MAX),
            next_memory_look: AtomicU64::new(0),
            next_save: AtomicU64::new(u64::MAX),
            folder,
            busy: AtomicBool::new(false),
            interrupts: AtomicU8::new(0),
            prompting: AtomicBool::new(false),
            cleared: AtomicBool::new(false),
            progress: Progress::new(options.quiet),
        }
    }

    /// Marks the beginning of work; its end is when the result is dropped.
    pub fn begin(&self) -> Work<'_> {
        let timeout = self.timeout.map(|timeout| self.now().saturating_add(millis(timeout)));
        self.deadline.store(timeout.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.interrupts.store(0, Ordering::Relaxed);
        self.busy.store(true, Ordering::Relaxed);
        self.next_save.store(self.now() + SAVE_EVERY, Ordering::Relaxed);
        self.progress.begin(self.now());
        Work(self)
    }

    /// Takes the progress line off the screen, so that something else can be printed.
    pub fn clear_progress(&self) {
        self.progress.clear();
    }

    /// Whether Ctrl-C was pressed since work began.
    pub fn interrupted(&self) -> bool {
        self.interrupts.load(Ordering::Relaxed) > 0
    }

    /// Reads a line after a prompt; Ctrl-C throws away what was typed, and the program goes on.
    pub fn at_prompt<R>(&self, read: impl FnOnce() -> R) -> R {
        self.cleared.store(false, Ordering::Relaxed);
        self.prompting.store(true, Ordering::Relaxed);
        let line = read();
        self.prompting.store(false, Ordering::Relaxed);
        line
    }

    /// Whether Ctrl-C was pressed since this was asked last or reading began.
    pub fn take_cleared(&self) -> bool {
        self.cleared.swap(false, Ordering::Relaxed)
    }

    fn now(&self) -> u64 {
        millis(self.epoch.elapsed())
    }

    fn check_memory(&self, now: u64) -> Result<(), Stop> {
        if now < self.next_memory_look.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.next_memory_look.store(now + MEMORY_EVERY, Ordering::Relaxed);
        match memory_in_use() {
            Some(used) if used > self.limits.max_memory => Err(Stop::Memory(self.limits.max_memory)),
            Some(_) | None => Ok(()),
        }
    }
}

impl Watch for Guard {
    fn check(&self) -> Result<(), Stop> {
        if self.interrupted() {
            return Err(Stop::Interrupted);
        }
        let now = self.now();
        if now >= self.deadline.load(Ordering::Relaxed) {
            return Err(Stop::Time);
        }
        self.check_memory(now)
    }

    fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        self.progress.report(self.now(), stage, done, total);
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn disk(&self) -> Option<&dyn Disk> {
        self.folder.as_ref().map(|folder| folder as &dyn Disk)
    }

    fn save_due(&self) -> bool {
        let now = self.now();
        let due = now >= self.next_save.load(Ordering::Relaxed);
        if due {
            self.next_save.store(now + SAVE_EVERY, Ordering::Relaxed);
        }
        due
    }
}

/// Work under way.
#[derive(Debug)]
pub struct Work<'g>(&'g Guard);

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Relaxed);
        self.0.clear_progress();
    }
}

/// From now on Ctrl-C stops the evaluation, or throws away the line that is being typed; a second one during an evaluation,
/// or one when nothing is evaluated or typed, ends the program.
pub fn listen_for_interrupts(guard: &Arc<Guard>) {
    let guard = Arc::clone(guard);
    let listening = ctrlc::set_handler(move || {
        if guard.prompting.load(Ordering::Relaxed) && !guard.busy.load(Ordering::Relaxed) {
            guard.cleared.store(true, Ordering::Relaxed);
            let _ = write!(stdout().lock(), "\n{PROMPT}").and_then(|()| stdout().flush());
            return;
        }
        let pressed = guard.interrupts.fetch_add(1, Ordering::Relaxed);
        if pressed > 0 || !guard.busy.load(Ordering::Relaxed) {
            std::process::exit(Status::Stopped as i32);
        }
    });
    // Without a handler Ctrl-C simply ends the program.
    drop(listening);
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The resident memory of this process in bytes, where the system tells.
fn memory_in_use() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Three quarters of the machine's memory, so that a runaway game is stopped by us and not by the system.
fn three_quarters_of_memory() -> u64 {
    let total = || -> Option<u64> {
        let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    };
    total().map_or(u64::MAX, |total| total / 4 * 3)
}
