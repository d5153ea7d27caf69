//! The watch over long work: time, memory, Ctrl-C, progress.
//!
//! Work that asks reads the clock, and now and then how much memory is in use, so that asking costs
//! some nanoseconds and can be done often.

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use bid_language::watch::{
    Disk, Limits, Stop, Watch, memory_for_work, memory_in_use, memory_is_tight, next_look_at_memory,
};

use super::PROMPT;
use super::args::Options;
use super::folder::Folder;
use super::progress::Progress;
use super::status::Status;

/// The pauses between two looks whether a question is to be stopped.
const PASS_EVERY: Duration = Duration::from_millis(20);

/// Ctrl-C that is heard of or passed on is heard of again within so many milliseconds, if at all:
/// `timeout` sends it to a process, then to the group that the process is in.
const ECHO: u64 = 100;

/// Whether Ctrl-C came before the line editor read keys is settled so many milliseconds after the
/// question.
const YOUNG: u64 = 1000;

/// How many milliseconds of work a crash may cost, about. What was worked out since is saved when
/// work is stopped, which takes a part of that time.
const SAVE_EVERY: u64 = 10_000;

/// Work goes on for at least so many times as long as the last saving took.
const SAVING_SHARE: u64 = 2;

/// Says whether work may go on, and tells how far it has come.
#[derive(Debug)]
pub struct TerminalWatch {
    limits: Limits,
    timeout: Option<Duration>,
    /// Times below are milliseconds since then.
    epoch: Instant,
    /// When the time is up.
    deadline: AtomicU64,
    next_save: AtomicU64,
    /// Since when work is being saved; 0 if it is not.
    saving: AtomicU64,
    folder: Option<Folder>,
    /// Whether something is being evaluated.
    busy: AtomicBool,
    /// Whether Ctrl-C was pressed since the evaluation began.
    interrupted: AtomicBool,
    /// When Ctrl-C was last heard of, or passed on to the line editor.
    heard: AtomicU64,
    /// Whether more memory than allowed is in use.
    memory_is_short: AtomicBool,
    /// The most memory that work may take, in bytes: the limit, or a little more than was in use
    /// when it began.
    memory: AtomicU64,
    /// The memory in use when work began, in bytes: much of it may have been given back, and is
    /// only kept by the allocator.
    before: AtomicU64,
    /// When the memory is to be looked at again.
    next_look: AtomicU64,
    /// Whether a line is being read after a prompt, by a terminal that does not tell of Ctrl-C as
    /// of a key.
    prompting: AtomicBool,
    /// Whether Ctrl-C was pressed meanwhile.
    cleared: AtomicBool,
    progress: Progress,
}

impl TerminalWatch {
    /// A guard with the limits that the options set, and the folder for checkpoints, if there is
    /// one. From now on it is on duty.
    pub fn new(options: &Options, folder: Option<Folder>) -> Arc<Self> {
        let default = Limits::of_machine();
        let max_memory = options.max_memory.unwrap_or(default.max_memory);
        let limits = Limits {
            max_positions: options.max_positions.unwrap_or(default.max_positions),
            max_memory,
        };
        Arc::new(Self {
            limits,
            timeout: options.timeout,
            epoch: Instant::now(),
            deadline: AtomicU64::new(u64::MAX),
            next_save: AtomicU64::new(u64::MAX),
            saving: AtomicU64::new(0),
            folder,
            busy: AtomicBool::new(false),
            interrupted: AtomicBool::new(false),
            heard: AtomicU64::new(0),
            memory_is_short: AtomicBool::new(false),
            memory: AtomicU64::new(max_memory),
            before: AtomicU64::new(0),
            next_look: AtomicU64::new(0),
            prompting: AtomicBool::new(false),
            cleared: AtomicBool::new(false),
            progress: Progress::new(options.quiet),
        })
    }

    /// Marks the beginning of work; its end is when the result is dropped.
    pub fn begin(&self) -> Work<'_> {
        let timeout = self
            .timeout
            .map(|timeout| self.now().saturating_add(millis(timeout)));
        self.deadline
            .store(timeout.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.interrupted.store(false, Ordering::Relaxed);
        self.memory_is_short.store(false, Ordering::Relaxed);
        let before = memory_in_use().unwrap_or(0);
        self.before.store(before, Ordering::Relaxed);
        self.memory.store(
            memory_for_work(self.limits.max_memory, before),
            Ordering::Relaxed,
        );
        self.next_look.store(0, Ordering::Relaxed);
        self.next_save
            .store(self.now() + SAVE_EVERY, Ordering::Relaxed);
        self.progress.begin(self.now());
        self.busy.store(true, Ordering::Release);
        Work(self)
    }

    /// Waits for the user's answer to a question. A thread sees to it meanwhile that Ctrl-C stops
    /// it; without a thread left only one that the line editor hears of does.
    pub fn asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        let question = Question {
            thread: this_thread(),
            since: self.now(),
        };
        let (answered, waiting) = mpsc::channel::<()>();
        let pass = move || {
            while waiting.recv_timeout(PASS_EVERY) == Err(RecvTimeoutError::Timeout) {
                self.pass_interrupt_on(question);
            }
        };
        thread::scope(|scope| {
            let passing = thread::Builder::new().name("question".to_owned());
            let _ = passing.spawn_scoped(scope, pass);
            let answer = ask();
            drop(answered);
            answer
        })
    }

    /// Looks at the memory that is in use, in bytes, and notes whether it is more than allowed.
    fn look_at_memory(&self) -> u64 {
        let used = memory_in_use().unwrap_or(0);
        let allowed = self.memory.load(Ordering::Relaxed);
        if used > allowed {
            self.memory_is_short.store(true, Ordering::Relaxed);
        }
        let pause = next_look_at_memory(allowed, used);
        self.next_look.store(self.now() + pause, Ordering::Relaxed);
        used
    }

    /// Why work is to stop, if it is.
    fn stop(&self) -> Option<Stop> {
        if self.interrupted() {
            Some(Stop::Interrupted)
        } else if self.memory_is_short.load(Ordering::Relaxed) {
            Some(Stop::Memory(self.limits.max_memory))
        } else if self.deadline.load(Ordering::Relaxed) != u64::MAX
            && self.now() >= self.deadline.load(Ordering::Relaxed)
        {
            Some(Stop::Time)
        } else {
            None
        }
    }

    /// Takes the progress line off the screen, so that something else can be printed.
    pub fn clear_progress(&self) {
        self.progress.clear();
    }

    /// Whether Ctrl-C was pressed since work began.
    pub fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Sees to it that a Ctrl-C stops a question that came after it was put and before the line
    /// editor read keys. To be repeated until it does: we have heard of it and pass it on, or the
    /// editor has, in another thread than the one that waits for keys, which looks when it is
    /// woken.
    fn pass_interrupt_on(&self, Question { thread, since }: Question) {
        if self.interrupted() {
            self.heard.store(self.now(), Ordering::Relaxed);
            interrupt(thread);
        } else if self.now() < since + YOUNG {
            wake(thread);
        }
    }

    /// Whether a Ctrl-C that is heard of now may be one that was heard of before.
    fn is_echo(&self) -> bool {
        self.interrupted() && self.now() < self.heard.load(Ordering::Relaxed).saturating_add(ECHO)
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
}

impl Watch for TerminalWatch {
    fn check(&self) -> Result<(), Stop> {
        if self.now() >= self.next_look.load(Ordering::Relaxed) {
            self.look_at_memory();
        }
        self.stop().map_or(Ok(()), Err)
    }

    fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        let now = self.now();
        // What goes on has been saved.
        let saving = self.saving.swap(0, Ordering::Relaxed);
        if saving > 0 {
            let pause = SAVE_EVERY.max(SAVING_SHARE * (now - saving));
            self.next_save.store(now + pause, Ordering::Relaxed);
        }
        self.progress.report(now, stage, done, total);
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn memory_left(&self) -> u64 {
        let taken = self
            .look_at_memory()
            .saturating_sub(self.before.load(Ordering::Relaxed));
        self.limits.max_memory.saturating_sub(taken)
    }

    fn disk(&self) -> Option<&dyn Disk> {
        self.folder.as_ref().map(|folder| folder as &dyn Disk)
    }

    fn memory_is_tight(&self) -> bool {
        memory_is_tight(self.limits.max_memory, memory_in_use().unwrap_or(0))
    }

    fn save_due(&self) -> bool {
        let now = self.now();
        let due = now >= self.next_save.load(Ordering::Relaxed);
        if due {
            self.next_save.store(now + SAVE_EVERY, Ordering::Relaxed);
            self.saving.store(now, Ordering::Relaxed);
        }
        due
    }
}

/// Work under way.
#[derive(Debug)]
pub struct Work<'g>(&'g TerminalWatch);

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
        self.0.clear_progress();
    }
}

/// From now on Ctrl-C stops the evaluation, or throws away the line that is being typed; a second
/// one during an evaluation, or one when nothing is evaluated or typed, ends the program.
pub fn listen_for_interrupts(guard: &Arc<TerminalWatch>) {
    let guard = Arc::clone(guard);
    let listening = ctrlc::set_handler(move || {
        if guard.prompting.load(Ordering::Relaxed) && !guard.busy.load(Ordering::Relaxed) {
            guard.cleared.store(true, Ordering::Relaxed);
            let _ = write!(stdout().lock(), "\n{PROMPT}").and_then(|()| stdout().flush());
            return;
        }
        if guard.is_echo() {
            return;
        }
        guard.heard.store(guard.now(), Ordering::Relaxed);
        let again = guard.interrupted.swap(true, Ordering::Relaxed);
        if again || !guard.busy.load(Ordering::Relaxed) {
            std::process::exit(Status::Stopped as i32);
        }
    });
    // Without a handler Ctrl-C simply ends the program.
    drop(listening);
}

/// A question to the user.
#[derive(Debug, Clone, Copy)]
struct Question {
    /// The thread that waits for keys.
    thread: Asking,
    /// When it was put.
    since: u64,
}

#[cfg(unix)]
type Asking = nix::sys::pthread::Pthread;
#[cfg(not(unix))]
type Asking = ();

#[cfg(unix)]
fn this_thread() -> Asking {
    nix::sys::pthread::pthread_self()
}

#[cfg(not(unix))]
fn this_thread() {}

/// Ctrl-C for a thread.
#[cfg(unix)]
fn interrupt(thread: Asking) {
    let _ = nix::sys::pthread::pthread_kill(thread, nix::sys::signal::SIGINT);
}

#[cfg(not(unix))]
fn interrupt((): Asking) {}

/// Wakes a thread that waits for keys: the window may have another size.
#[cfg(unix)]
fn wake(thread: Asking) {
    let _ = nix::sys::pthread::pthread_kill(thread, nix::sys::signal::SIGWINCH);
}

#[cfg(not(unix))]
fn wake((): Asking) {}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
