//! Greedy questions: at least one for every builtin that takes far more time or memory than is
//! available. They are asked as the page asks them, in the same process. Every builtin has to check
//! often enough whether to stop, and before it takes much memory at once.
//!
//! Each question runs in a process of its own, so that its memory can be measured, and a crash or a
//! hang is reported with its question. `GREEDY_SECONDS=8 cargo test greedy:: -- --nocapture` lets
//! each run for this long, and prints the time and memory that it took.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use bid::engine::{Engine, Event};
use bid::library;
use bid_language::diagnostic::Code;
use bid_language::watch::{Limits, Machine, Settings, Timer};

use crate::support::Disk;

mod questions;

use questions::{EXPRESSIONS, GAMES, QUESTIONS};

/// The limits under which each question is asked: one with little time, and one with little memory.
const ALLOWANCES: [Allowance; 2] = [
    Allowance {
        time: Duration::from_millis(400),
        memory: 1 << 30,
    },
    Allowance {
        time: Duration::from_millis(1000),
        memory: 80 << 20,
    },
];

/// The resources that a question may take.
#[derive(Debug, Clone, Copy)]
struct Allowance {
    time: Duration,
    /// The memory in bytes.
    memory: u64,
}

/// The tolerance for busy machines and programs without optimisation.
const LATE: Duration = Duration::from_secs(3);
const EXCESS_SHARE: u64 = 4;

/// The time after which a process that has not ended by itself is killed.
const PATIENCE: Duration = Duration::from_secs(120);

/// The variables with the question of a process and the index of its limits.
const QUESTION: &str = "BID_GREEDY_QUESTION";
const ALLOWED: &str = "BID_GREEDY_ALLOWANCE";

/// The message of a process whose question was stopped.
const STOPPED: &str = "it was stopped";

/// The variable with the seconds that each question may take instead.
const SECONDS: &str = "GREEDY_SECONDS";

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
#[ignore = "takes minutes; .ci/run runs it: cargo test --test suite -- --ignored greedy_questions"]
fn greedy_questions_are_stopped() {
    let names = QUESTIONS
        .iter()
        .copied()
        .chain([("the language", EXPRESSIONS)]);
    let asked = names.flat_map(|(name, questions)| {
        let questions = questions.iter().map(move |question| (name, *question));
        questions.flat_map(|(name, question)| {
            (0..ALLOWANCES.len()).map(move |allowance| (name, question, allowance))
        })
    });
    let waiting = Mutex::new(asked);
    let (failures, stopped) = (Mutex::new(String::new()), Mutex::new(BTreeSet::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, question, allowance)) = next(&waiting) {
                    match asked_alone(question, allowance) {
                        Ok(true) => drop(open(&stopped).insert(name)),
                        Ok(false) => {}
                        Err(why) => {
                            let allowed = ALLOWANCES[allowance];
                            let _ = writeln!(open(&failures), "{question}, {allowed:?}: {why}");
                        }
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("nobody panics with it");
    let stopped = stopped.into_inner().expect("nobody panics with it");
    for (name, _) in QUESTIONS.iter().filter(|(name, _)| !stopped.contains(name)) {
        let _ = writeln!(failures, "{name}: no question about it is greedy");
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics with it")
}

fn next<T>(waiting: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    open(waiting).next()
}

/// Asks a question in a process of its own; returns `true` if it was stopped.
fn asked_alone(question: &str, allowance: usize) -> Result<bool, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args([
            "greedy::one_question",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .env(QUESTION, question)
        .env(ALLOWED, allowance.to_string())
        .env("RUST_BACKTRACE", "0")
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
    let said = String::from_utf8_lossy(&output.stdout);
    said.lines()
        .filter(|line| line.contains("MiB"))
        .for_each(|line| println!("{line}"));
    if output.status.success() {
        return Ok(said.contains(STOPPED));
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}\n{said}{complaint}", output.status))
}

/// Waits for a process, and kills it if that takes too long; returns `true` if it was killed.
fn wait(child: &mut Child) -> bool {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if child.try_wait().is_ok_and(|status| status.is_some()) {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().is_ok()
}

/// Runs in the process of one question.
#[test]
#[ignore = "it is run by `greedy_questions_are_stopped`, in a process of its own"]
fn one_question() {
    let given = |name: &str| std::env::var(name).expect("whoever starts the process says so");
    let allowance: usize = given(ALLOWED).parse().expect("a number");
    match asked(&given(QUESTION), allowances()[allowance]) {
        Ok(true) => println!("{STOPPED}"),
        Ok(false) => {}
        Err(why) => panic!("{why}"),
    }
}

fn allowances() -> [Allowance; 2] {
    let seconds = std::env::var(SECONDS);
    let seconds = seconds.map(|seconds| seconds.parse().expect("a number of seconds"));
    ALLOWANCES.map(|allowance| Allowance {
        time: seconds
            .as_ref()
            .map_or(allowance.time, |seconds| Duration::from_secs(*seconds)),
        ..allowance
    })
}

/// Asks a question; returns `true` if it was stopped, or an error about the way in which it ended.
fn asked(question: &str, Allowance { time, memory }: Allowance) -> Result<bool, String> {
    let (sender, replies) = mpsc::channel();
    let engine = Engine::start(
        || Rc::new(Disk),
        move |reply, _| drop(sender.send(reply.event)),
    )
    .map_err(|error| error.to_string())?;
    let answered = |text: &str| {
        let text = text.to_owned();
        engine.at_prompt(None, move |session, sink| Ok(session.enter(&text, sink)));
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
            max_memory: memory,
            ..Limits::default()
        },
        timeout: Some(time),
    });
    let machine = Timer::default();
    let (peak, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let (codes, took) = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                peak.fetch_max(machine.memory_in_use(), Ordering::Relaxed);
                thread::sleep(Duration::from_micros(500));
            }
        });
        let began = Instant::now();
        let codes = answered(question);
        is_over.store(true, Ordering::Relaxed);
        (codes, began.elapsed())
    });
    let (peak, allowed) = (peak.into_inner(), memory + memory / EXCESS_SHARE);
    println!(
        "{took:>8.1?} {:>4} of {:>4} MiB {question} {codes:?}",
        peak >> 20,
        memory >> 20
    );
    let refused = codes.iter().find(|(code, _)| !is_no_answer(*code));
    if let Some(refused) = refused {
        return Err(format!("not a greedy question: {refused:?}"));
    }
    if took > time + LATE {
        return Err(format!("it took {took:?}"));
    }
    if peak > allowed {
        return Err(format!("it took {} MiB", peak >> 20));
    }
    Ok(codes.iter().any(|(code, _)| code.is_stop()))
}

/// Returns `true` if a greedy question may end with this code: it was stopped, or it exceeds every
/// limit.
fn is_no_answer(code: Code) -> bool {
    code.is_stop() || matches!(code, Code::BadValue | Code::NotSupported)
}
