//! Processes that die, hang or leave: the others stop within five seconds, and say who it was.
#![cfg(unix)]

mod support;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use bid_cluster::Team;
use bid_language::diagnostic::{Code, Result};
use bid_language::watch::{Departure, Peers, Unwatched};
use support::{bytes_of, config, print};

/// Within so long the others are to stop.
const SOON: Duration = Duration::from_secs(5);

/// Exchanges blocks until something goes wrong.
fn exchange_for_ever(team: &Team, told: impl Fn()) -> Result<()> {
    for round in 0_u64.. {
        team.barrier(&format!("round {round}"), &Unwatched)?;
        for block in 0..20 {
            team.offer(block, Arc::new(bytes_of(block)));
        }
        for block in 0..20 {
            for from in 0..team.count() {
                team.fetch(block, from, 3_000_000, &Unwatched)?;
            }
        }
        if round == 3 {
            told();
        }
    }
    Ok(())
}

/// Not a test of its own: what a process does that the tests below start.
#[test]
fn role() {
    let Ok(role) = std::env::var("BID_CLUSTER_ROLE") else {
        return;
    };
    let words: Vec<&str> = role.split(' ').collect();
    let [folder, processes, process] = *words else {
        panic!("a role has three words")
    };
    let [processes, process] =
        [processes, process].map(|number| number.parse().expect("it is a number"));
    let team = Team::join(
        &config(Path::new(folder), processes, process),
        &print("R(A)"),
        &Unwatched,
    )
    .expect("all come");
    let end = exchange_for_ever(&team, || eprintln!("working"))
        .expect_err("it goes on until something goes wrong");
    eprintln!("{}", end.message);
    drop(team);
    eprintln!("over");
}

/// Starts a process.
fn start(folder: &Path, processes: usize, process: usize) -> Child {
    Command::new(std::env::current_exe().expect("it is running"))
        .args(["--exact", "role", "--nocapture", "--test-threads=1"])
        .env(
            "BID_CLUSTER_ROLE",
            format!("{} {processes} {process}", folder.display()),
        )
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .expect("there is a `kill`");
    assert!(sent.success());
}

/// Starts processes, does something to one of them when all are at work, and says what the others
/// said and how long that took.
fn others_of(processes: usize, victim: usize, fate: &str) -> (Vec<String>, Duration) {
    let folder = tempfile::tempdir().expect("a folder is made");
    let mut all: Vec<Child> = (0..processes)
        .map(|process| start(folder.path(), processes, process))
        .collect();
    let mut errors: Vec<_> = all
        .iter_mut()
        .map(|child| BufReader::new(child.stderr.take().expect("it has one")))
        .collect();
    for error in &mut errors {
        let mut line = String::new();
        error.read_line(&mut line).expect("it speaks");
        assert_eq!(line, "working\n");
    }
    signal(&all[victim], fate);
    let begun = Instant::now();
    let told = errors
        .into_iter()
        .enumerate()
        .filter(|(process, _)| *process != victim)
        .map(|(_, mut error)| {
            let mut text = String::new();
            error.read_to_string(&mut text).expect("it speaks");
            text
        });
    let told = told.collect();
    let took = begun.elapsed();
    signal(&all[victim], "-KILL");
    all.iter_mut().for_each(|child| drop(child.wait()));
    (told, took)
}

#[test]
fn each_in_turn_is_killed() {
    for processes in 2..=4 {
        for victim in 0..processes {
            let (told, took) = others_of(processes, victim, "-KILL");
            assert!(took < SOON, "{took:?}");
            assert_eq!(
                told,
                vec![format!("stopped: process {victim} has ended\nover\n"); processes - 1]
            );
        }
    }
}

/// A process that hangs is as good as dead: its machine may be off.
#[test]
fn who_is_silent_is_noticed() {
    let (told, took) = others_of(3, 1, "-STOP");
    assert!(took < SOON + Duration::from_secs(1), "{took:?}");
    assert_eq!(
        told,
        vec!["stopped: process 1 is no longer heard of\nover\n".to_owned(); 2]
    );
}

/// An error that only one process meets ends the work of the others; one that all meet does not.
#[test]
fn who_gives_up_alone_is_named() {
    let run = |all: bool| {
        let folder = tempfile::tempdir().expect("a folder is made");
        let ends = [0, 1, 2].map(|process| {
            let config = config(folder.path(), 3, process);
            thread::spawn(move || {
                let team = Team::join(&config, &print("R(A)"), &Unwatched)?;
                team.barrier("round 0", &Unwatched)?;
                if all || process == 2 {
                    thread::sleep(Duration::from_millis(100 * process as u64));
                    return team.give_up(&Unwatched);
                }
                // Nobody ever offers that; process 0 waits for it, process 1 for process 0.
                team.fetch(7, process.checked_sub(1).unwrap_or(1), 1, &Unwatched)
                    .map(drop)
            })
        });
        ends.map(|end| end.join().expect("no process panics"))
    };
    assert_eq!(run(true), [Ok(()), Ok(()), Ok(())]);
    let begun = Instant::now();
    let ends = run(false);
    assert!(begun.elapsed() < SOON);
    for end in &ends[..2] {
        let message = &end.as_ref().expect_err("they cannot go on").message;
        assert_eq!(message, "stopped: process 2 stopped because of an error");
    }
    assert!(ends[2].is_err());
}

/// Who leaves says why, and the others say so.
#[test]
fn who_leaves_says_why() {
    let reasons = [
        (Departure::Interrupted, "stopped: process 2 was interrupted"),
        (
            Departure::Limit,
            "stopped: process 2 was stopped by one of its limits",
        ),
        (
            Departure::Failed,
            "stopped: process 2 stopped because of an error",
        ),
    ];
    for (departure, told) in reasons {
        let folder = tempfile::tempdir().expect("a folder is made");
        let ends = [0, 1, 2].map(|process| {
            let config = config(folder.path(), 3, process);
            thread::spawn(move || {
                let team = Team::join(&config, &print("R(A)"), &Unwatched)?;
                if process < 2 {
                    return exchange_for_ever(&team, || ());
                }
                team.barrier("round 0", &Unwatched)?;
                thread::sleep(Duration::from_millis(200));
                team.leave(departure);
                Ok(())
            })
        });
        let [first, second, third] = ends.map(|end| end.join().expect("no process panics"));
        assert_eq!(third, Ok(()));
        for error in [first, second].map(|end| end.expect_err("they cannot go on")) {
            assert_eq!((error.code, error.message.as_str()), (Code::Process, told));
        }
    }
}
