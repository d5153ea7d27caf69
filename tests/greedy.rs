//! Greedy questions: at least one for every builtin that takes far more time or memory than there
//! is. They are asked as the page asks them, in the same process; whatever a builtin does has to ask
//! the watch often enough, and before it takes much memory at once.
//!
//! Each builtin has a process of its own, so that its memory can be measured, and a crash or a hang
//! is told of the builtin that it comes from.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use bid::diagnostic::Code;
use bid::engine::{Engine, Event, Request, Settings};
use bid::library;
use bid::watch::{Limits, memory_in_use};

use crate::support::Disk;

mod questions;

use questions::{GAMES, QUESTIONS};

const TIME: Duration = Duration::from_millis(400);
const MEMORY: u64 = 300 << 20;

/// Tests run on busy machines, and in programs that are not optimised.
const LATE: Duration = Duration::from_secs(5);
const EXCESS: u64 = MEMORY / 4;

/// A process that has not ended by itself after so long is ended.
const PATIENCE: Duration = Duration::from_secs(120);

/// The builtin that a process asks about.
const BUILTIN: &str = "BID_GREEDY_BUILTIN";

#[test]
fn every_builtin_has_greedy_questions() {
    let known: BTreeSet<&str> = library::signatures()
        .map(|signature| signature.name)
        .collect();
    let asked: BTreeSet<&str> = QUESTIONS.iter().map(|(name, _)| *name).collect();
    assert_eq!(asked, known);
    for (name, questions) in QUESTIONS {
        assert!(!questions.is_empty(), "{name}");
        let call = format!("{name}(");
        assert!(
            questions.iter().all(|question| question.contains(&call)),
            "{name}"
        );
    }
}

#[test]
fn greedy_questions_are_stopped() {
    let waiting = Mutex::new(QUESTIONS.iter());
    let failures = Mutex::new(String::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, _)) = next(&waiting) {
                    if let Err(why) = asked_alone(name) {
                        let mut failures = failures.lock().expect("nobody panics with it");
                        let _ = writeln!(failures, "{name}: {why}");
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("nobody panics with it");
    assert!(failures.is_empty(), "\n{failures}");
}

fn next<T>(waiting: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    waiting.lock().expect("nobody panics with it").next()
}

/// Asks the questions of a builtin in a process of its own.
fn asked_alone(name: &str) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args(["greedy::questions_of_one_builtin", "--exact", "--ignored"])
        .env(BUILTIN, name)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let is_late = wait(&mut child);
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    if is_late {
        return Err("it does not end".to_owned());
    }
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!(
        "{}\n{}",
        output.status,
        String::from_utf8_lossy(&said)
    ))
}

/// Waits for a process, and ends it if that takes too long; whether it did.
fn wait(child: &mut Child) -> bool {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if child.try_wait().is_ok_and(|status| status.is_some()) {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().is_ok()
}

/// What the process of one builtin does.
#[test]
#[ignore = "it is run by `greedy_questions_are_stopped`, in a process of its own"]
fn questions_of_one_builtin() {
    let name = std::env::var(BUILTIN).expect("the builtin is named by whoever starts the process");
    let (_, questions) = QUESTIONS
        .iter()
        .find(|(known, _)| *known == name)
        .expect("it is a builtin");
    let failures: Vec<String> = questions
        .iter()
        .filter_map(|question| asked(question).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Asks a question; what is wrong with how it ends, if anything is.
fn asked(question: &str) -> Result<(), String> {
    let (sender, replies) = mpsc::channel();
    let engine = Engine::start(
        || Rc::new(Disk),
        move |reply| drop(sender.send(reply.event)),
    )
    .map_err(|error| error.to_string())?;
    let answered = |text: &str| {
        engine.request(Request::Enter(None, text.to_owned()));
        let mut codes = Vec::new();
        loop {
            match replies.recv().expect("the engine answers") {
                Event::Done(_) => return codes,
                Event::Finding(finding) => codes.push((finding.code, finding.message)),
                _ => {}
            }
        }
    };
    let trouble = answered(GAMES);
    if !trouble.is_empty() {
        return Err(format!("the games: {trouble:?}"));
    }
    engine.set(Settings {
        limits: Limits {
            max_memory: MEMORY,
            ..Limits::default()
        },
        timeout: Some(TIME),
    });
    let begins_with = memory_in_use().unwrap_or(0);
    let (peak, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let (codes, took) = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                peak.fetch_max(memory_in_use().unwrap_or(0), Ordering::Relaxed);
                thread::sleep(Duration::from_micros(500));
            }
        });
        let began = Instant::now();
        let codes = answered(question);
        is_over.store(true, Ordering::Relaxed);
        (codes, began.elapsed())
    });
    let (peak, allowed) = (peak.into_inner(), MEMORY.max(begins_with) + EXCESS);
    println!("{took:>8.1?} {:>4} MiB {question} {codes:?}", peak >> 20);
    let refused = codes.iter().find(|(code, _)| !is_no_answer(*code));
    if let Some(refused) = refused {
        return Err(format!("{question}: not a greedy question: {refused:?}"));
    }
    if took > TIME + LATE {
        return Err(format!("{question}: it took {took:?}"));
    }
    if peak > allowed {
        return Err(format!("{question}: it took {} MiB", peak >> 20));
    }
    Ok(())
}

/// Whether a greedy question may be answered by this: it was stopped, or it is beyond what any
/// limit allows.
fn is_no_answer(code: Code) -> bool {
    code.is_stop() || matches!(code, Code::BadValue | Code::NotSupported)
}
