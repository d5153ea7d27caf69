//! The guard over a terminal's work: Ctrl-C and the line that shows progress.

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use bid_language::watch::{Context, Disk, Guard, Limits, Observer, Settings, Timer};

use super::PROMPT;
use super::args::Options;
use super::folder::LockedFolder;
use super::progress::ProgressDisplay;
use super::status::Status;

/// The pauses between two looks whether a question is to be stopped.
const PASS_EVERY: Duration = Duration::from_millis(20);

/// Ctrl-C that is heard of or passed on is heard of again within so many milliseconds, if at all:
/// `timeout` sends it to a process, then to the group that the process is in.
const ECHO: u64 = 100;

/// Whether Ctrl-C came before the line editor read keys is settled so many milliseconds after the
/// question.
const YOUNG: u64 = 1000;

/// A guard that Ctrl-C reaches.
#[derive(Debug)]
pub struct TerminalGuard {
    guard: Arc<Guard>,
    progress: Arc<ProgressDisplay>,
    /// Something is being evaluated.
    busy: AtomicBool,
    /// When Ctrl-C was last heard of, or passed on to the line editor.
    heard: AtomicU64,
    /// A line is being read after a prompt, by a terminal that does not tell of Ctrl-C as of a key.
    prompting: AtomicBool,
    /// Ctrl-C was pressed meanwhile.
    cleared: AtomicBool,
}

impl TerminalGuard {
    /// A guard with the limits that the options set, and the folder for checkpoints, if there is
    /// one.
    pub fn new(options: &Options, folder: Option<LockedFolder>) -> Arc<Self> {
        let default = Limits::of_machine();
        let limits = Limits {
            max_positions: options.max_positions.unwrap_or(default.max_positions),
            max_memory: options.max_memory.unwrap_or(default.max_memory),
        };
        let progress = Arc::new(ProgressDisplay::new(options.quiet));
        let guard = Guard::new(Arc::new(Timer::default()))
            .with_disk(folder.map(|folder| Arc::new(folder) as Arc<dyn Disk + Send>))
            .with_progress(Arc::clone(&progress) as Arc<dyn Observer + Send>);
        guard.set(Settings {
            limits,
            timeout: options.timeout,
        });
        Arc::new(Self {
            guard: Arc::new(guard),
            progress,
            busy: AtomicBool::new(false),
            heard: AtomicU64::new(0),
            prompting: AtomicBool::new(false),
            cleared: AtomicBool::new(false),
        })
    }

    /// The guard over work.
    pub fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// The context of work.
    pub fn context(&self) -> Context<'_> {
        self.guard.context()
    }

    /// Marks the beginning of work; its end is when the result is dropped.
    pub fn begin(&self) -> WorkGuard<'_> {
        self.guard.begin();
        self.progress.begin();
        self.busy.store(true, Ordering::Release);
        WorkGuard(self)
    }

    /// Waits for the user's answer to a question. A thread sees to it meanwhile that Ctrl-C stops
    /// it; without a thread left only one that the line editor hears of does.
    pub fn asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        let question = TerminalPrompt {
            thread: this_thread(),
            since: self.guard.now(),
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

    /// Takes the progress line off the screen, so that something else can be printed.
    pub fn clear_progress(&self) {
        self.progress.clear();
    }

    /// Whether Ctrl-C was pressed since work began.
    pub fn interrupted(&self) -> bool {
        self.guard.is_interrupted()
    }

    /// Sees to it that a Ctrl-C stops a question that came after it was put and before the line
    /// editor read keys. To be repeated until it does: we have heard of it and pass it on, or the
    /// editor has, in another thread than the one that waits for keys, which looks when it is
    /// woken.
    fn pass_interrupt_on(&self, TerminalPrompt { thread, since }: TerminalPrompt) {
        if self.interrupted() {
            self.heard.store(self.guard.now(), Ordering::Relaxed);
            interrupt(thread);
        } else if self.guard.now() < since + YOUNG {
            wake(thread);
        }
    }

    /// Whether a Ctrl-C that is heard of now may be one that was heard of before.
    fn is_echo(&self) -> bool {
        self.interrupted()
            && self.guard.now() < self.heard.load(Ordering::Relaxed).saturating_add(ECHO)
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
}

/// Work under way.
#[derive(Debug)]
pub struct WorkGuard<'g>(&'g TerminalGuard);

impl Drop for WorkGuard<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
        self.0.clear_progress();
    }
}

/// From now on Ctrl-C stops the evaluation, or throws away the line that is being typed; a second
/// one during an evaluation, or one when nothing is evaluated or typed, ends the program.
pub fn listen_for_interrupts(guard: &Arc<TerminalGuard>) {
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
        guard.heard.store(guard.guard.now(), Ordering::Relaxed);
        let again = guard.guard.interrupt();
        if again || !guard.busy.load(Ordering::Relaxed) {
            std::process::exit(Status::Stopped as i32);
        }
    });
    // Without a handler Ctrl-C simply ends the program.
    drop(listening);
}

/// A question to the user.
#[derive(Debug, Clone, Copy)]
struct TerminalPrompt {
    /// The thread that waits for keys.
    thread: AskingThread,
    /// When it was put.
    since: u64,
}

#[cfg(unix)]
type AskingThread = nix::sys::pthread::Pthread;
#[cfg(not(unix))]
type AskingThread = ();

#[cfg(unix)]
fn this_thread() -> AskingThread {
    nix::sys::pthread::pthread_self()
}

#[cfg(not(unix))]
fn this_thread() {}

/// Ctrl-C for a thread.
#[cfg(unix)]
fn interrupt(thread: AskingThread) {
    let _ = nix::sys::pthread::pthread_kill(thread, nix::sys::signal::SIGINT);
}

#[cfg(not(unix))]
fn interrupt((): AskingThread) {}

/// Wakes a thread that waits for keys: the window may have another size.
#[cfg(unix)]
fn wake(thread: AskingThread) {
    let _ = nix::sys::pthread::pthread_kill(thread, nix::sys::signal::SIGWINCH);
}

#[cfg(not(unix))]
fn wake((): AskingThread) {}
