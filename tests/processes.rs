//! `bid eval --processes N --process I` as a user drives it.
#![cfg(all(feature = "cluster", unix))]

mod sharing;

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The program, whose processes meet in a folder of the test.
fn bid(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bid"));
    command
        .current_dir(folder.path())
        .env("XDG_RUNTIME_DIR", folder.path())
        .env("NO_COLOR", "1")
        .env_remove("BID_PATH");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A folder with files of these names and texts.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder is made");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("it can be written to");
    }
    folder
}

/// One of so many processes of a command.
fn process(folder: &TempDir, of: usize, number: usize, rest: &[&str]) -> Child {
    let (of, number) = (of.to_string(), number.to_string());
    bid(folder)
        .args(["eval", "--processes", &of, "--process", &number])
        .args(rest)
        .spawn()
        .expect("it starts")
}

fn ended(child: Child) -> Output {
    child.wait_with_output().expect("it ends")
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is text");
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// What each of so many processes of a command says.
fn all(folder: &TempDir, of: usize, rest: &[&str]) -> Vec<(i32, String, String)> {
    let children: Vec<Child> = (0..of)
        .rev()
        .map(|number| process(folder, of, number, rest))
        .collect();
    children
        .into_iter()
        .rev()
        .map(|child| told(&ended(child)))
        .collect()
}

#[test]
fn process_0_prints_the_answer_and_the_others_end_well() {
    let folder = folder(&[("a.bid", "game Mine = A^2\n")]);
    for of in 1..=4 {
        for question in ["R(Mine)", "f(Mine, 0..3)", "[R(Mine), R(E)]"] {
            let alone = bid(&folder)
                .args(["eval", "-l", "a.bid", question])
                .output()
                .expect("it ends");
            let ends = all(&folder, of, &["-l", "a.bid", question]);
            assert_eq!(ends[0].0, 0, "{ends:?}");
            assert_eq!((0, &ends[0].1), (told(&alone).0, &told(&alone).1));
            assert!(
                ends[0].1.contains(if question.starts_with('f') {
                    "f(Mine, k)"
                } else {
                    "/"
                }),
                "{ends:?}"
            );
            assert!(
                ends[1..]
                    .iter()
                    .all(|end| *end == (0, String::new(), String::new())),
                "{ends:?}"
            );
        }
    }
}

#[test]
fn a_file_for_the_answer_is_written_by_process_0() {
    let folder = folder(&[]);
    let ends = all(&folder, 2, &["--quiet", "-o", "answer.txt", "R(E)"]);
    assert_eq!(ends, vec![(0, String::new(), String::new()); 2]);
    assert_eq!(
        fs::read_to_string(folder.path().join("answer.txt")).expect("it is written"),
        "1/2\n"
    );
}

#[test]
fn checkpoints_are_in_folders_of_their_own() {
    let folder = folder(&[]);
    let ends = all(&folder, 2, &["--quiet", "--checkpoint", "tables", "R(E)"]);
    assert_eq!(
        ends,
        [
            (0, "1/2\n".to_owned(), String::new()),
            (0, String::new(), String::new())
        ]
    );
    assert!((0..2).all(|number| {
        folder
            .path()
            .join(format!("tables/process-{number}"))
            .is_dir()
    }));
}

#[test]
fn the_command_line_is_looked_at_first() {
    let folder = folder(&[("hosts", "a:1\nb\n"), ("one", "127.0.0.1:7\n")]);
    let cases: [(&[&str], i32, &str); 8] = [
        (
            &["--processes", "2", "R(E)"],
            2,
            "the number of this process is missing",
        ),
        (
            &["--processes", "2", "--process", "2", "R(E)"],
            2,
            "[E0807]",
        ),
        (
            &["--processes", "0", "--process", "0", "R(E)"],
            2,
            "--processes",
        ),
        (&["--process", "0", "R(E)"], 2, "--processes"),
        (&["--hosts", "hosts", "R(E)"], 2, "--processes"),
        (
            &[
                "--processes",
                "2",
                "--process",
                "0",
                "--hosts",
                "hosts",
                "R(E)",
            ],
            2,
            "line 2 of hosts is no `host:port`",
        ),
        (
            &[
                "--processes",
                "2",
                "--process",
                "0",
                "--hosts",
                "one",
                "R(E)",
            ],
            2,
            "one has 1 addresses for 2 processes",
        ),
        (
            &[
                "--processes",
                "2",
                "--process",
                "0",
                "--certificate",
                "c",
                "R(E)",
            ],
            2,
            "written by one process",
        ),
    ];
    for (arguments, status, message) in cases {
        let (code, out, error) = told(
            &bid(&folder)
                .arg("eval")
                .args(arguments)
                .output()
                .expect("it ends"),
        );
        assert_eq!((code, out.as_str()), (status, ""), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
}

#[test]
fn who_does_not_come_is_named() {
    let folder = folder(&[]);
    let begun = Instant::now();
    let (code, out, error) = told(&ended(process(&folder, 3, 1, &["--timeout", "1s", "R(E)"])));
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(
        error.contains("[E0906]") && error.contains("processes 0, 2 did not come within 1 s"),
        "{error}"
    );
    assert!(begun.elapsed() < Duration::from_secs(4));
}

/// Ports of this machine that are free now, as a list.
fn hosts(folder: &TempDir, count: usize) {
    let bind = |_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
    let listeners: Vec<TcpListener> = (0..count).map(bind).collect();
    let line =
        |listener: &TcpListener| format!("{}\n", listener.local_addr().expect("it is bound"));
    let text: String = listeners.iter().map(line).collect();
    fs::write(folder.path().join("hosts"), text).expect("it can be written to");
}

#[test]
fn other_sources_rules_and_questions_are_told_apart() {
    let folder = folder(&[
        ("a.bid", "use \"b.bid\"\ngame Mine = E\n"),
        ("b.bid", "game Other = E\n"),
        ("c.bid", "game Mine = A^2\n"),
    ]);
    let usual = ["-l", "a.bid", "--rules", "{ ties: marker }", "R(Mine)"];
    let others = [
        (
            "source",
            ["-l", "c.bid", "--rules", "{ ties: marker }", "R(Mine)"],
        ),
        (
            "rules option",
            [
                "-l",
                "a.bid",
                "--rules",
                "{ ties: gentlemen_first }",
                "R(Mine)",
            ],
        ),
        (
            "question",
            ["-l", "a.bid", "--rules", "{ ties: marker }", "R(E)"],
        ),
    ];
    for (name, other) in others {
        hosts(&folder, 2);
        let start = |number, arguments: &[&str]| {
            process(
                &folder,
                2,
                number,
                &[&["--hosts", "hosts"], arguments].concat(),
            )
        };
        let ends = [start(0, &usual), start(1, &other)].map(|child| told(&ended(child)));
        for (number, (code, out, error)) in ends.iter().enumerate() {
            assert_eq!((*code, out.as_str()), (2, ""), "{error}");
            let message = format!("the {name} of process {} is not the one here", 1 - number);
            assert!(error.contains(&message), "{error}");
        }
    }
    // What a source uses counts as much as the source.
    hosts(&folder, 2);
    let first = process(
        &folder,
        2,
        0,
        &["--hosts", "hosts", "-l", "a.bid", "R(Mine)"],
    );
    thread::sleep(Duration::from_millis(500));
    fs::write(folder.path().join("b.bid"), "game Other = A^2\n").expect("it can be written to");
    let second = process(
        &folder,
        2,
        1,
        &["--hosts", "hosts", "-l", "a.bid", "R(Mine)"],
    );
    for end in [first, second].map(|child| told(&ended(child))) {
        assert!(
            end.0 == 2 && end.2.contains("the source of process"),
            "{end:?}"
        );
    }
}

/// Work that takes its time everywhere.
const LONG: &str = "sum([sum([n for n in 1..10^6]) for k in 1..10^6])";

/// Starts processes on long work, sends a signal to one, and says how all ended and how long it
/// took.
fn interrupted(of: usize, victim: usize, signal: &str) -> (Vec<(i32, String, String)>, Duration) {
    let folder = folder(&[]);
    let children: Vec<Child> = (0..of)
        .map(|number| process(&folder, of, number, &[LONG]))
        .collect();
    wait_until_met(folder.path(), of);
    let sent = Command::new("kill")
        .args([signal, &children[victim].id().to_string()])
        .status();
    assert!(sent.expect("there is a `kill`").success());
    let begun = Instant::now();
    let ends = children
        .into_iter()
        .map(|child| told(&ended(child)))
        .collect();
    (ends, begun.elapsed())
}

/// Waits until all have left a note, and then for a moment.
fn wait_until_met(folder: &Path, of: usize) {
    let notes = || {
        let files = fs::read_dir(folder.join("bid-processes"))
            .into_iter()
            .flatten()
            .flatten();
        files
            .filter(|file| file.path().extension().is_some_and(|end| end == "json"))
            .count()
    };
    let begun = Instant::now();
    while notes() < of {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "they do not start"
        );
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(1500));
}

#[test]
fn who_is_killed_is_named_by_the_others() {
    for victim in 0..3 {
        let (ends, took) = interrupted(3, victim, "-KILL");
        assert!(took < Duration::from_secs(5), "{took:?}");
        for (number, (code, out, error)) in ends
            .iter()
            .enumerate()
            .filter(|(number, _)| *number != victim)
        {
            assert_eq!((*code, out.as_str()), (3, ""), "{number}: {error}");
            assert!(
                error.contains(&format!("process {victim} has ended")),
                "{error}"
            );
        }
    }
}

#[test]
fn ctrl_c_in_one_stops_all() {
    let (ends, took) = interrupted(3, 1, "-INT");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(
        ends.iter()
            .all(|(code, out, _)| *code == 3 && out.is_empty()),
        "{ends:?}"
    );
    assert!(ends[1].2.contains("[E0904]"), "{ends:?}");
    assert!(
        [0, 2]
            .iter()
            .all(|&other| ends[other].2.contains("process 1 was interrupted")),
        "{ends:?}"
    );
}

#[test]
fn a_mistake_is_told_by_all() {
    let ends = all(&folder(&[]), 2, &["R(nobody)"]);
    assert!(
        ends.iter()
            .all(|(code, out, error)| *code == 2 && out.is_empty() && error.contains("[E0201]")),
        "{ends:?}"
    );
}

#[test]
fn a_plan_may_ask_for_several_processes() {
    let folder = folder(&[]);
    let (code, _, error) = told(
        &bid(&folder)
            .args(["plan", "--processes", "4", "R(E)"])
            .output()
            .expect("it ends"),
    );
    assert_eq!(code, 0, "{error}");
}
