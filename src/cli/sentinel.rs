//! The thread that looks at the clock and the memory while something is computed, and ends a program
//! that is to end anyway if a stop is not heeded.
//!
//! Work is asked to stop first: it answers with a diagnostic that says where it was. A system call
//! that waits, for a pipe that nobody writes to, cannot be stopped so; it ends together with the
//! program, with the same status. A REPL is not ended: all that it does asks.

use std::io::{Write, stderr};
use std::sync::{Arc, Weak, mpsc};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use bid::diagnostic::Diagnostic;
use bid::render;
use bid::watch::{Stop, Watch};

use super::status::Status;
use super::terminal_watch::{Activity, TerminalWatch};

/// The pauses between two looks.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(20);

/// No program fills memory faster than so many bytes in a millisecond: a system hands out fresh
/// pages more slowly.
const BYTES_PER_MILLISECOND: u64 = 4 << 20;

/// How long work may go on that has not asked since it was to stop.
const DEAF: Duration = Duration::from_millis(200);

/// How long work may go on that has been told to stop: it gives back its memory and says where it
/// was.
const LEAVING: Duration = Duration::from_secs(2);

/// How long work with a disk may go on that has not asked: it may be in the midst of writing a
/// table.
const WRITING: Duration = Duration::from_secs(5);

/// One part in so many of the limit is what memory may go over it until the program is ended.
const EXCESS_SHARE: u64 = 8;

/// How long the last words may take where nobody reads them.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// Starts the thread for a guard; `None` if the system has none left: then the guard looks at the
/// clock alone.
pub fn post(guard: Weak<TerminalWatch>) -> Option<Thread> {
    let started = thread::Builder::new()
        .name("sentinel".to_owned())
        .spawn(move || watch(&guard));
    started.ok().map(|handle| handle.thread().clone())
}

/// Looks until the guard is gone.
fn watch(guard: &Weak<TerminalWatch>) {
    // Until the guard is made, and while nothing is computed, there is nothing to look at.
    thread::park();
    let mut stopped = None;
    while let Some(guard) = guard.upgrade() {
        let pause = look(&guard, &mut stopped);
        drop(guard);
        match pause {
            Some(pause) => thread::sleep(pause),
            None => thread::park(),
        }
    }
}

/// One look; `stopped` is when work was first to stop. How long to wait for the next one: until
/// work begins, if none is under way.
fn look(guard: &Arc<TerminalWatch>, stopped: &mut Option<Instant>) -> Option<Duration> {
    let activity = guard.activity();
    if activity != Activity::Work {
        *stopped = None;
    }
    match activity {
        Activity::None => return None,
        Activity::Question => {
            guard.pass_interrupt_on();
            return Some(LONGEST);
        }
        Activity::Work => {}
    }
    let (used, allowed) = (guard.look_at_memory(), guard.memory());
    let Some(stop) = guard.stop() else {
        *stopped = None;
        let fills_in = Duration::from_millis((allowed - used.min(allowed)) / BYTES_PER_MILLISECOND);
        return Some(fills_in.clamp(SHORTEST, LONGEST));
    };
    let since = stopped.get_or_insert_with(Instant::now).elapsed();
    let limit = guard.limits().max_memory;
    let excess = used > allowed.saturating_add(limit / EXCESS_SHARE);
    if guard.may_end_program() && (excess || since > patience(guard)) {
        end_program(&stop);
    }
    Some(SHORTEST)
}

/// How long to wait for work that is to stop.
fn patience(guard: &TerminalWatch) -> Duration {
    match (guard.is_heeded(), guard.has_folder()) {
        (false, false) => DEAF,
        (true, false) => LEAVING,
        (false, true) => WRITING,
        // What has been reached is written to the disk first, however long that takes; a second
        // Ctrl-C ends it.
        (true, true) => Duration::MAX,
    }
}

/// Says why, and ends the program: even if standard error is full and nobody reads it.
fn end_program(stop: &Stop) -> ! {
    let text = render::bare(&Diagnostic::from(*stop));
    let (said, heard) = mpsc::channel();
    let words = thread::Builder::new().spawn(move || {
        let _ = writeln!(stderr().lock(), "{text}");
        let _ = said.send(());
    });
    if words.is_ok() {
        let _ = heard.recv_timeout(LAST_WORDS);
    }
    std::process::exit(Status::Stopped as i32)
}
