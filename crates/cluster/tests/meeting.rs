//! Processes find those that belong to them, and nobody else.

mod support;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bid_cluster::{Config, Fingerprint, Hosts, Place, Team};
use bid_language::diagnostic::{Code, Diagnostic, Result};
use bid_language::watch::{Peers, Stop, Unwatched, Watch};
use support::{Late, config, print};

/// Ports that are free now.
fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N]
        .map(|()| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port"));
    listeners.map(|listener| listener.local_addr().expect("it is bound").port())
}

fn listed(ports: &[u16], process: usize) -> Config {
    let text: String = ports
        .iter()
        .map(|port| format!("127.0.0.1:{port}\n"))
        .collect();
    listed_as(&text, ports.len(), process)
}

fn listed_as(text: &str, processes: usize, process: usize) -> Config {
    let hosts = Hosts::parse("hosts", text, processes).expect("it is a list");
    Config {
        processes,
        process,
        place: Place::Hosts(hosts),
        patience: Duration::from_secs(20),
    }
}

/// What becomes of processes that are started at the same time.
fn started<const N: usize>(all: [(Config, Fingerprint); N]) -> [Result<()>; N] {
    let threads = all.map(|(config, print)| {
        thread::spawn(move || {
            Team::join(&config, &print, &Unwatched).and_then(|team| team.finish(&Unwatched))
        })
    });
    threads.map(|thread| thread.join().expect("no process panics"))
}

fn refusal(result: &Result<()>) -> &Diagnostic {
    let error = result.as_ref().expect_err("it is refused");
    assert_eq!(error.code, Code::Processes, "{error:?}");
    error
}

#[test]
fn who_is_listed_meets() {
    let ports = free_ports::<3>();
    let all = [2, 0, 1].map(|process| (listed(&ports, process), print("R(A)")));
    assert_eq!(started(all), [Ok(()), Ok(()), Ok(())]);
}

#[test]
fn each_difference_is_named_on_both_sides() {
    let fields = ["program", "source", "rules", "question"];
    for other in fields {
        let ports = free_ports::<2>();
        let values = |differs: bool| {
            fields.iter().fold(Fingerprint::new(), |print, name| {
                print.with(
                    name,
                    if differs && *name == other {
                        "that"
                    } else {
                        "this"
                    },
                )
            })
        };
        let ends = started([
            (listed(&ports, 0), values(false)),
            (listed(&ports, 1), values(true)),
        ]);
        assert_eq!(
            refusal(&ends[0]).message,
            format!("the {other} of process 1 is not the one here")
        );
        assert_eq!(refusal(&ends[0]).notes, ["here: this", "there: that"]);
        assert_eq!(
            refusal(&ends[1]).message,
            format!("the {other} of process 0 is not the one here")
        );
    }
}

#[test]
fn other_counts_and_lists_are_refused() {
    let ports = free_ports::<3>();
    let ends = started([
        (listed(&ports[..2], 0), print("R(A)")),
        (listed(&ports, 1), print("R(A)")),
    ]);
    assert_eq!(
        refusal(&ends[0]).message,
        "process 1 counts 3 processes, and this one 2"
    );
    assert_eq!(
        refusal(&ends[1]).message,
        "process 0 counts 2 processes, and this one 3"
    );
    let ports = free_ports::<3>();
    let swapped = [ports[1], ports[0], ports[2]];
    let ends = started([
        (listed(&ports, 1), print("R(A)")),
        (listed(&swapped, 2), print("R(A)")),
    ]);
    assert_eq!(
        refusal(&ends[1]).message,
        "process 1 answers where process 0 should be"
    );
}

#[test]
fn there_is_no_process_beyond_the_last() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let join = |processes, process| {
        Team::join(
            &config(folder.path(), processes, process),
            &print("R(A)"),
            &Unwatched,
        )
        .map(drop)
    };
    assert_eq!(refusal(&join(2, 2)).message, "there is no process 2 of 2");
    assert_eq!(refusal(&join(1, 0)).message, "1 processes are no team");
    assert_eq!(
        refusal(&join(300, 0)).message,
        "300 processes are more than 256"
    );
}

#[test]
fn places_that_cannot_be_are_refused() {
    let join = |text: &str, process| {
        Team::join(&listed_as(text, 2, process), &print("R(A)"), &Unwatched).map(drop)
    };
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
    let port = taken.local_addr().expect("it is bound").port();
    let [free] = free_ports();
    let end = join(&format!("127.0.0.1:{port}\n127.0.0.1:{free}"), 0);
    assert_eq!(
        refusal(&end).message,
        format!("the port of 127.0.0.1:{port}, line 1 of hosts, is taken")
    );
    let end = join(&format!("192.0.2.7:2101\n127.0.0.1:{free}"), 0);
    assert_eq!(
        refusal(&end).message,
        "192.0.2.7:2101, line 1 of hosts, is not an address of this machine"
    );
    let begun = Instant::now();
    for process in 0..2 {
        let end = join(&format!("nowhere.invalid:2101\n127.0.0.1:{free}"), process);
        let message =
            "`nowhere.invalid`, line 1 of hosts, is the name of no machine that can be found";
        assert_eq!(refusal(&end).message, message);
    }
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn who_does_not_come_is_named() {
    let ports = free_ports::<4>();
    let patient = |process, seconds| Config {
        patience: Duration::from_secs(seconds),
        ..listed(&ports, process)
    };
    let begun = Instant::now();
    let ends = started([
        (patient(0, 4), print("R(A)")),
        (patient(2, 1), print("R(A)")),
    ]);
    assert!(begun.elapsed() < Duration::from_secs(8));
    let [first, second] = ends.map(|end| *end.expect_err("two are missing"));
    assert_eq!((first.code, second.code), (Code::Process, Code::Process));
    assert_eq!(
        second.message,
        "stopped: processes 1, 3 did not come within 1 s"
    );
    // Process 2 had gone by then.
    assert_eq!(
        first.message,
        "stopped: processes 1, 2, 3 did not come within 4 s"
    );
    let unanswered = format!("process 1 at 127.0.0.1:{}: ", ports[1]);
    assert!(
        second
            .notes
            .iter()
            .any(|note| note.starts_with(&unanswered)),
        "{:?}",
        second.notes
    );
}

#[test]
fn the_watch_is_asked_while_waiting() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let end = Team::join(&config(folder.path(), 2, 0), &print("R(A)"), &Late).map(drop);
    assert_eq!(
        end.expect_err("the watch says stop").code,
        Code::Interrupted
    );
}

/// Strangers call in every way while a process waits; then its fellow comes.
#[test]
fn strangers_are_turned_away() {
    let ports = free_ports::<2>();
    let first = {
        let config = listed(&ports, 0);
        thread::spawn(move || {
            Team::join(&config, &print("R(A)"), &Unwatched).and_then(|team| team.finish(&Unwatched))
        })
    };
    thread::sleep(Duration::from_millis(200));
    let call = || TcpStream::connect((Ipv4Addr::LOCALHOST, ports[0])).expect("it listens");
    let silent: Vec<TcpStream> = (0..20).map(|_| call()).collect();
    for words in [
        b"GET / HTTP/1.1\r\n\r\n".as_slice(),
        b"\0\0\0\0\0\0\0\x01",
        b"bid cluster \0\0\0\x01\xff\xff\xff\xff",
        b"bid",
    ] {
        let mut stranger = call();
        stranger.write_all(words).expect("it listens");
        drop(stranger);
    }
    let mut stranger = call();
    stranger
        .write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        .expect("it listens");
    let mut answer = Vec::new();
    // The end of the connection may be told as an error: either way nothing was answered.
    let _ = stranger.read_to_end(&mut answer);
    assert!(answer.is_empty());
    let second = Team::join(&listed(&ports, 1), &print("R(A)"), &Unwatched)
        .and_then(|team| team.finish(&Unwatched));
    assert_eq!(
        (second, first.join().expect("no process panics")),
        (Ok(()), Ok(()))
    );
    drop(silent);
}

#[test]
fn another_version_is_known_by_its_first_words() {
    let ports = free_ports::<2>();
    let config = listed(&ports, 0);
    let first = thread::spawn(move || Team::join(&config, &print("R(A)"), &Unwatched).map(drop));
    thread::sleep(Duration::from_millis(200));
    let mut other = TcpStream::connect((Ipv4Addr::LOCALHOST, ports[0])).expect("it listens");
    other
        .write_all(b"bid cluster \0\0\0\x63whatever it says")
        .expect("it listens");
    let end = first.join().expect("no process panics");
    assert!(
        refusal(&end)
            .message
            .ends_with("runs another version of the program"),
        "{end:?}"
    );
}

/// Another program has the port of process 0 on its machine.
#[test]
fn another_program_that_answers_is_told() {
    let web = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
    let port = web.local_addr().expect("it is bound").port();
    thread::spawn(move || {
        for stream in web.incoming() {
            let _ = stream
                .expect("it is a call")
                .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let [own] = free_ports();
    let short = Config {
        patience: Duration::from_secs(2),
        ..listed(&[port, own], 1)
    };
    let error = Team::join(&short, &print("R(A)"), &Unwatched)
        .map(drop)
        .expect_err("it is no process");
    assert_eq!(error.message, "stopped: process 0 did not come within 2 s");
    assert!(
        error
            .notes
            .iter()
            .any(|note| note.starts_with(&format!("process 0 at 127.0.0.1:{port}: "))),
        "{error:?}"
    );
}

/// Two commands at the same time on one machine, their processes started in turns.
#[test]
fn two_commands_on_one_machine_do_not_mix() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let all = [
        ("R(A)", 0),
        ("R(B)", 0),
        ("R(A)", 2),
        ("R(B)", 1),
        ("R(B)", 2),
        ("R(A)", 1),
    ];
    let threads = all.map(|(question, process)| {
        thread::sleep(Duration::from_millis(30));
        let config = config(folder.path(), 3, process);
        thread::spawn(move || {
            let team = Team::join(&config, &print(question), &Unwatched).expect("its fellows come");
            team.offer(1, std::sync::Arc::new(question.as_bytes().to_vec()));
            let heard = (0..3)
                .map(|from| team.fetch(1, from, 10, &Unwatched).expect("it comes"))
                .collect::<Vec<_>>();
            team.finish(&Unwatched).expect("all come");
            (question, heard)
        })
    });
    for (question, heard) in threads.map(|thread| thread.join().expect("no process panics")) {
        assert_eq!(heard, [question.as_bytes(); 3]);
    }
    assert_eq!(
        std::fs::read_dir(folder.path().join("meeting"))
            .expect("it is a folder")
            .count(),
        0,
        "nothing stays"
    );
}

#[test]
fn on_one_machine_differences_are_named_too() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let begun = Instant::now();
    let ends = started([
        (config(folder.path(), 2, 0), print("R(A)")),
        (config(folder.path(), 2, 1), print("R(B)")),
    ]);
    assert!(
        begun.elapsed() < Duration::from_secs(15),
        "{:?}",
        begun.elapsed()
    );
    for (process, end) in ends.iter().enumerate() {
        assert_eq!(
            refusal(end).message,
            format!(
                "the question of process {} is not the one here",
                1 - process
            )
        );
    }
}

#[test]
fn the_same_process_twice_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let waiting = config(folder.path(), 2, 0);
    let over = std::sync::Arc::new(AtomicBool::new(false));
    /// Stops when it is told.
    struct Until(std::sync::Arc<AtomicBool>);
    impl Watch for Until {
        fn check(&self) -> std::result::Result<(), Stop> {
            if self.0.load(Ordering::Relaxed) {
                Err(Stop::Interrupted)
            } else {
                Ok(())
            }
        }
    }
    let until = Until(over.clone());
    let first = thread::spawn(move || Team::join(&waiting, &print("R(A)"), &until).map(drop));
    thread::sleep(Duration::from_millis(300));
    let second = Team::join(&config(folder.path(), 2, 0), &print("R(A)"), &Unwatched).map(drop);
    assert_eq!(
        refusal(&second).message,
        "process 0 of this command is running on this machine already"
    );
    over.store(true, Ordering::Relaxed);
    assert!(first.join().expect("no process panics").is_err());
}

/// A process that goes away while others still wait may come back.
#[test]
fn who_is_started_again_before_all_have_met_is_welcome() {
    /// Stops after so long.
    struct For(Instant);
    impl Watch for For {
        fn check(&self) -> std::result::Result<(), Stop> {
            if self.0.elapsed() > Duration::from_millis(700) {
                Err(Stop::Interrupted)
            } else {
                Ok(())
            }
        }
    }
    for (early, late) in [(0, 1), (1, 0)] {
        let ports = free_ports::<3>();
        let join = |process| {
            let config = listed(&ports, process);
            thread::spawn(move || {
                Team::join(&config, &print("R(A)"), &Unwatched)
                    .and_then(|team| team.finish(&Unwatched))
            })
        };
        let stays = join(late);
        let goes =
            Team::join(&listed(&ports, early), &print("R(A)"), &For(Instant::now())).map(drop);
        assert_eq!(goes.expect_err("it is stopped").code, Code::Interrupted);
        let all = [join(early), join(2), stays];
        assert_eq!(
            all.map(|thread| thread.join().expect("no process panics")),
            [Ok(()), Ok(()), Ok(())]
        );
    }
}
