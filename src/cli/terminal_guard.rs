//! Guards the work of a terminal: handles Ctrl-C and the progress line.

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use bid_language::files::WorkFolder;
use bid_language::watch::{Context, Disk, Guard, Limits, Observer, Settings, Timer};

use super::PROMPT;
use super::args::Options;
use super::progress::ProgressDisplay;
use super::status::Status;

/// The pause between two checks whether a question is to be stopped.
const PASS_EVERY: Duration = Duration::from_millis(20);

/// The time, in milliseconds, within which a Ctrl-C that was received or passed on can be received
/// again: `timeout` sends it to a process, and then to the process group that contains it.
const ECHO: u64 = 100;

/// The time after a question, in milliseconds, by which it is settled whether Ctrl-C came before
/// the line editor read keys.
const YOUNG: u64 = 1000;

/// A guard that receives Ctrl-C.
#[derive(Debug)]
pub struct TerminalGuard {
    guard: Arc<Guard>,
    progress: Arc<ProgressDisplay>,
    /// `true` while an evaluation runs.
    busy: AtomicBool,
    /// The time when Ctrl-C was last received, or passed on to the line editor.
    heard: AtomicU64,
    /// `true` while a line is read after a prompt by a terminal that does not report Ctrl-C as a
    /// key.
    prompting: AtomicBool,
    /// `true` if Ctrl-C was pressed meanwhile.
    cleared: AtomicBool,
}

impl TerminalGuard {
    /// Creates a guard with the limits that the options set, and the folder for checkpoints, if
    /// there is one.
    pub fn new(options: &Options, folder: Option<WorkFolder>) -> Arc<Self> {
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

    /// Returns the guard of the work.
    pub fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// Returns the context of the work.
    pub fn context(&self) -> Context<'_> {
        self.guard.context()
    }

    /// Marks the beginning of work, which ends when the result is dropped.
    pub fn begin(&self) -> WorkGuard<'_> {
        self.guard.begin();
        self.progress.begin();
        self.busy.store(true, Ordering::Release);
        WorkGuard(self)
    }

    /// Waits for the user's answer to a question. Meanwhile a thread makes sure that Ctrl-C stops
    /// it. If no thread is available, only a Ctrl-C that the line editor receives does.
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
            // The thread ends when this channel closes, and the scope waits for it.
            drop(answered);
            answer
        })
    }

    /// Removes the progress line from the screen, so that other text can be printed.
    pub fn clear_progress(&self) {
        self.progress.clear();
    }

    /// Returns `true` if Ctrl-C was pressed since work began.
    pub fn interrupted(&self) -> bool {
        self.guard.is_interrupted()
    }

    /// Makes sure that a question is stopped by a Ctrl-C that came after the question and before
    /// the line editor read keys. The call is repeated until it is. Either this guard has received
    /// the Ctrl-C and passes it on, or the editor has received it in another thread than the one
    /// that waits for keys, which checks when it is woken.
    fn pass_interrupt_on(&self, TerminalPrompt { thread, since }: TerminalPrompt) {
        if self.interrupted() {
            self.heard.store(self.guard.now(), Ordering::Relaxed);
            interrupt(thread);
        } else if self.guard.now() < since + YOUNG {
            wake(thread);
        }
    }

    /// Returns `true` if a Ctrl-C received now may be one that was received before.
    fn is_echo(&self) -> bool {
        self.interrupted()
            && self.guard.now() < self.heard.load(Ordering::Relaxed).saturating_add(ECHO)
    }

    /// Reads a line after a prompt; Ctrl-C discards the typed text, and the program continues.
    pub fn at_prompt<R>(&self, read: impl FnOnce() -> R) -> R {
        self.cleared.store(false, Ordering::Relaxed);
        self.prompting.store(true, Ordering::Relaxed);
        let line = read();
        self.prompting.store(false, Ordering::Relaxed);
        line
    }

    /// Returns `true` if Ctrl-C was pressed since the last call or the beginning of reading.
    pub fn take_cleared(&self) -> bool {
        self.cleared.swap(false, Ordering::Relaxed)
    }
}

/// Work that is running.
#[derive(Debug)]
pub struct WorkGuard<'g>(&'g TerminalGuard);

impl Drop for WorkGuard<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
        self.0.clear_progress();
    }
}

/// Installs the handler of Ctrl-C. It stops the evaluation, or discards the line that is being
/// typed. A second Ctrl-C during an evaluation, or one outside of evaluations and typing, ends the
/// program.
pub fn listen_for_interrupts(guard: &Arc<TerminalGuard>) {
    let guard = Arc::clone(guard);
    let listening = ctrlc::set_handler(move || {
        if guard.prompting.load(Ordering::Relaxed) && !guard.busy.load(Ordering::Relaxed) {
            guard.cleared.store(true, Ordering::Relaxed);
            let _ = write!(stdout().lock(), "\n{PROMPT}").and_then(|()| stdout().flush());
            return;
        }
        // One key press may arrive twice, and the second must not end the program.
        if guard.is_echo() {
            return;
        }
        guard.heard.store(guard.guard.now(), Ordering::Relaxed);
        let again = guard.guard.interrupt();
        // Work that does not react to the first Ctrl-C is ended by the second.
        if again || !guard.busy.load(Ordering::Relaxed) {
            std::process::exit(Status::Stopped as i32);
        }
    });
    // Without a handler Ctrl-C ends the program.
    drop(listening);
}

/// A question to the user.
#[derive(Debug, Clone, Copy)]
struct TerminalPrompt {
    /// The thread that waits for keys.
    thread: AskingThread,
    /// The time when it was asked.
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

/// Sends Ctrl-C to a thread.
#[cfg(unix)]
fn interrupt(thread: AskingThread) {
    let _ = nix::sys::pthread::pthread_kill(thread, nix::sys::signal::SIGINT);
}

#[cfg(not(unix))]
fn interrupt((): AskingThread) {}

/// Wakes a thread that waits for keys, by the signal that the window has changed its size.
#[cfg(unix)]
fn wake(thread: AskingThread) {
    let _ = nix::sys::pthread::pthread_kill(thread, nix::sys::signal::SIGWINCH);
}

#[cfg(not(unix))]
fn wake((): AskingThread) {}
