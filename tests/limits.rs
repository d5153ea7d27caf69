//! Limits and Ctrl-C on the command line: everything that would run for ever is stopped, with
//! status 3, and takes no more memory than is allowed.
//!
//! Times are asserted generously, because tests run on busy machines; the point is that the program
//! ends by itself.
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use bid_testing::some;
use tempfile::TempDir;

/// Short definitions of large values: lists that share their parts, numbers that double their
/// length.
const LARGE: &str = "\
use \"classics.bid\"
let nest(n) = if n == 0 then [1] else let l = nest(n - 1) in [l, l]
let pairs(n) = if n == 0 then (1, 2) else let l = pairs(n - 1) in (l, l)
let deep(n) = if n == 0 then [] else [deep(n - 1)]
game counter {
    state x = 500000
    move down if x > 0 { x -= 1 }
    move up if x < 1000000 { x += 1 }
    win alice if x == 1000000
    win bob if x == 0
}
";

/// Expressions that take more time than a user waits, or more memory than there is.
const ENDLESS: &[&str] = &[
    "nest(40)",
    "pairs(40)",
    "json(nest(40))",
    "csv(nest(40))",
    "latex(nest(40))",
    "html(nest(40))",
    "tabulate([\"a\"], [[nest(40)]])",
    "[nest(40) for n in 0..1000000]",
    "len([(a, b) for a in 0..1000000 for b in 0..1000000])",
    "outcomes(tictactoe, 0..3000, 0..3000)",
    "svg(heat(outcomes(tictactoe, 0..3000, 0..3000)))",
    "positions(connect(4, 5, 5))",
    "dot(connect(4, 5, 5))",
    "R(counter)",
    "sum([1/n for n in 1..1000000])",
    "simulate(graph { start 0; both 0 <-> 1; weight 1: 1 }, games: 1, moves: 10^12) using { objective: mean_payoff }",
];

/// A question that is refused, since the data about the blocks of its sweep alone would exceed
/// little memory.
const REFUSED: &str = "R(connect(4, 6, 7))";

struct Ended {
    status: Option<i32>,
    complaint: String,
    /// The most resident memory, in bytes, if the system reports it.
    peak: u64,
    took: Duration,
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("large.bid"), LARGE).expect("a scratch folder is writable");
    folder
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_bid"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("BID_PATH")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Returns the most resident memory of a process so far, in bytes.
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.map_or(0, |kilobytes| kilobytes << 10)
}

/// Waits for the end of a process, for a minute at most.
fn end(mut child: Child) -> Ended {
    let began = Instant::now();
    let mut output = child.stdout.take().expect("it is piped");
    let mut errors = child.stderr.take().expect("it is piped");
    // A full pipe would stop the program, so that both streams are read while it runs.
    let swallow = thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    let hear = thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.read_to_string(&mut text);
        text
    });
    let mut most = 0;
    let status = loop {
        most = most.max(peak(&child));
        match child.try_wait().expect("it can be waited for") {
            Some(status) => break status.code(),
            None if began.elapsed() > Duration::from_secs(60) => {
                child.kill().expect("it can be ended");
                break None;
            }
            // Short pauses catch the peak of the memory even if the program ends soon.
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let took = began.elapsed();
    let _ = swallow.join().expect("reading does not fail");
    Ended {
        status,
        complaint: hear.join().expect("reading does not fail"),
        peak: most,
        took,
    }
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(
        sent.expect("there is a program to send signals with")
            .success()
    );
}

/// Checks that a game without bounds is stopped with the variable that keeps growing, and the
/// remedy.
#[test]
fn growth_without_bounds_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("endless.bid");
    let text = "game rises {
    state n = 0
    state m = 0
    state cells = [0, 0]
    move up { n += 1 }
    move side { m += 1 - 2 * m }
    win alice if m == 7 and n < 0
}
game falls {
    state debt = 0
    move more { debt -= 1 }
    move much { debt -= 2 }
    win alice if debt == 1
}
";
    std::fs::write(&file, text).expect("it is written");
    let path = file.to_str().expect("text");
    for (question, limit, note) in [
        (
            "R(rises)",
            ["--max-positions", "100000"],
            "no rule bounds `n`, so",
        ),
        ("size(rises)", ["--max-memory", "40M"], "as in `if n < 100`"),
        (
            "table(falls)",
            ["--timeout", "1s"],
            "no rule bounds `debt`, so",
        ),
        (
            "size(falls)",
            ["--max-positions", "1000"],
            "as in `if debt >= s` where a move takes s",
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_bid"))
            .args(["eval", "-l", path, question])
            .args(limit)
            .output()
            .expect("it runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{question}: {told}");
        assert!(told.contains(note), "{question}: {told}");
    }
    // The plan names it without the run.
    let plan = ["plan", "-l", path, "R(rises)"];
    let output = Command::new(env!("CARGO_BIN_EXE_bid"))
        .args(plan)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout);
    let is_named =
        |line: &str| line.starts_with("unbounded") && line.contains("no bound of `n` and `m`, so");
    assert!(told.lines().any(is_named), "{told}");
}

/// Checks that the games in arguments are looked for in a list that is shared once.
#[test]
fn shared_lists_are_searched_once() {
    let folder = folder();
    let expression = "len(nest(40)) using { stuck: passes }";
    let timeout = ["eval", "--timeout", "20s", "-l", "large.bid", expression];
    let ended = end(start(folder.path(), &timeout));
    assert_eq!(ended.status, Some(0), "{}", ended.complaint);
}

#[test]
fn nothing_outlasts_the_time() {
    let folder = folder();
    for expression in some(ENDLESS) {
        let ended = end(start(
            folder.path(),
            &[
                "eval",
                "--timeout",
                "1s",
                "--max-memory",
                "8G",
                "-l",
                "large.bid",
                expression,
            ],
        ));
        assert_eq!(ended.status, Some(3), "{expression}: {}", ended.complaint);
        assert!(
            ended.complaint.contains("[E0903]"),
            "{expression}: {}",
            ended.complaint
        );
        assert!(
            ended.took < Duration::from_secs(10),
            "{expression}: {:?}",
            ended.took
        );
    }
}

#[test]
fn nothing_takes_more_memory_than_is_allowed() {
    const ALLOWED: u64 = 200 << 20;
    let folder = folder();
    for expression in some(ENDLESS).chain([&REFUSED]) {
        let ended = end(start(
            folder.path(),
            &[
                "eval",
                "--timeout",
                "4s",
                "--max-memory",
                "200M",
                "-l",
                "large.bid",
                expression,
            ],
        ));
        assert_eq!(ended.status, Some(3), "{expression}: {}", ended.complaint);
        // A program without optimisation takes some megabytes for its code.
        assert!(
            ended.peak < ALLOWED + ALLOWED / 5 + (16 << 20),
            "{expression}: {} bytes",
            ended.peak
        );
    }
}

#[test]
fn the_first_control_c_stops() {
    let folder = folder();
    for expression in [
        "nest(40)",
        "positions(connect(4, 5, 5))",
        "svg(heat(outcomes(tictactoe, 0..3000, 0..3000)))",
    ] {
        let child = start(
            folder.path(),
            &["eval", "--max-memory", "8G", "-l", "large.bid", expression],
        );
        thread::sleep(Duration::from_millis(700));
        interrupt(&child);
        let ended = end(child);
        assert_eq!(ended.status, Some(3), "{expression}: {}", ended.complaint);
        assert!(
            ended.complaint.contains("[E0904]"),
            "{expression}: {}",
            ended.complaint
        );
        assert!(
            ended.took < Duration::from_secs(10),
            "{expression}: {:?}",
            ended.took
        );
    }
}

/// Checks the signals of `timeout`, which it sends to a process and then to its group.
#[test]
fn a_control_c_that_is_heard_of_several_times_is_one() {
    let folder = folder();
    let child = start(folder.path(), &["eval", "-l", "large.bid", "nest(40)"]);
    thread::sleep(Duration::from_millis(700));
    let signals = format!(
        "for i in 1 2 3 4 5 6 7 8 9 10; do kill -INT {}; done",
        child.id()
    );
    let sent = Command::new("sh").args(["-c", &signals]).status();
    assert!(sent.expect("there is a shell").success());
    let ended = end(child);
    assert_eq!(ended.status, Some(3), "{}", ended.complaint);
    assert!(ended.complaint.contains("[E0904]"), "{}", ended.complaint);
}

#[test]
fn waiting_for_standard_input_can_be_stopped() {
    let folder = folder();
    for arguments in [&["run", "-"][..], &["fmt", "-"], &[]] {
        let mut child = start(
            folder.path(),
            &[arguments, &["--timeout", "500ms"]].concat(),
        );
        let input = child.stdin.take();
        let ended = end(child);
        assert_eq!(ended.status, Some(3), "{arguments:?}: {}", ended.complaint);
        assert!(
            ended.complaint.contains("[E0903]"),
            "{arguments:?}: {}",
            ended.complaint
        );
        drop(input);
        let mut child = start(folder.path(), arguments);
        let input = child.stdin.take();
        thread::sleep(Duration::from_millis(500));
        interrupt(&child);
        let ended = end(child);
        assert_eq!(ended.status, Some(3), "{arguments:?}: {}", ended.complaint);
        assert!(
            ended.complaint.contains("[E0904]"),
            "{arguments:?}: {}",
            ended.complaint
        );
        drop(input);
    }
}

#[test]
fn files_without_end_are_refused() {
    let folder = folder();
    let sparse =
        fs::File::create(folder.path().join("sparse.bid")).expect("a scratch folder is writable");
    sparse.set_len(6 << 30).expect("a hole takes no room");
    fs::write(folder.path().join("zero.bid"), "use \"/dev/zero\"\n")
        .expect("a scratch folder is writable");
    let commands = [
        &["eval", "-l", "sparse.bid", "1"][..],
        &["run", "zero.bid"],
        &["fmt", "sparse.bid"],
        &["check", "/dev/zero"],
    ];
    for arguments in commands {
        let ended = end(start(
            folder.path(),
            &[arguments, &["--max-memory", "200M"]].concat(),
        ));
        assert_eq!(ended.status, Some(2), "{arguments:?}: {}", ended.complaint);
        let refused = ["too long for a source", "it is not a `.bid` file"];
        assert!(
            refused.iter().any(|why| ended.complaint.contains(why)),
            "{arguments:?}: {}",
            ended.complaint
        );
        assert!(
            ended.peak < 200 << 20,
            "{arguments:?}: {} bytes",
            ended.peak
        );
    }
}

/// Checks a pipe to which nothing is written.
#[test]
fn a_silent_pipe_can_be_given_up() {
    let folder = folder();
    let made = Command::new("mkfifo")
        .arg(folder.path().join("pipe.bid"))
        .status();
    assert!(made.expect("there is a program that makes pipes").success());
    let ended = end(start(
        folder.path(),
        &["eval", "--timeout", "500ms", "-l", "pipe.bid", "1"],
    ));
    assert_eq!(ended.status, Some(3), "{}", ended.complaint);
    let child = start(folder.path(), &["run", "pipe.bid"]);
    thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let ended = end(child);
    assert_eq!(ended.status, Some(3), "{}", ended.complaint);
    assert!(
        ended.complaint.contains("[E0904]") && ended.complaint.contains("pipe.bid"),
        "{}",
        ended.complaint
    );
}

/// Checks texts that take long to parse and to check, with errors and without.
#[test]
fn reading_and_checking_can_be_stopped() {
    let folder = folder();
    let wrong = format!("let x = [\n{}]\n", "    nobody,\n".repeat(200_000));
    let right = format!("let x = [\n{}]\n", "    (1, A ∧ B),\n".repeat(100_000));
    let unreadable = "let x = 1 2\n".repeat(200_000);
    for text in [wrong, right, unreadable] {
        fs::write(folder.path().join("long.bid"), text).expect("a scratch folder is writable");
        let ended = end(start(
            folder.path(),
            &["check", "--timeout", "100ms", "long.bid"],
        ));
        assert_eq!(ended.status, Some(3), "{}", ended.complaint);
        assert!(ended.complaint.contains("[E0903]"), "{}", ended.complaint);
    }
}

#[test]
fn many_errors_are_counted() {
    let folder = folder();
    let braces = format!("game g = {{ | A{} }}\n", ", 1".repeat(20_000));
    let lines = format!("let x = [\n{}]\n", "    nobody,\n".repeat(3000));
    let unreadable = "let x = )\n".repeat(3000);
    for (text, more) in [(braces, 19_900), (lines, 2900), (unreadable, 2900)] {
        fs::write(folder.path().join("wrong.bid"), text).expect("a scratch folder is writable");
        let ended = end(start(folder.path(), &["check", "wrong.bid"]));
        assert_eq!(ended.status, Some(2));
        assert!(
            ended
                .complaint
                .contains(&format!("and {more} more like these")),
            "{more}"
        );
        assert!(
            ended.complaint.len() < 200_000,
            "{more}: {} bytes",
            ended.complaint.len()
        );
    }
}

/// Checks that growing numbers are refused before they take long.
#[test]
fn numbers_have_bounds() {
    let folder = folder();
    fs::write(folder.path().join("sq.bid"), "let sq(x, n) = if n == 0 then x else sq(x * x, n - 1)\nlet add(x, n) = if n == 0 then x else add(x + 1/(x + 1), n - 1)\n")
        .expect("a scratch folder is writable");
    for expression in [
        "sq(3, 40)",
        "sq(1/3, 40)",
        "sq(-7, 60)",
        "add(1, 60)",
        "2^(2^40)",
        "(1/2)^(2^40)",
    ] {
        let ended = end(start(folder.path(), &["eval", "-l", "sq.bid", expression]));
        assert_eq!(ended.status, Some(2), "{expression}: {}", ended.complaint);
        assert!(
            ended.complaint.contains("too large"),
            "{expression}: {}",
            ended.complaint
        );
    }
}

/// Checks totals of chips at both ends of the range: each outside of it is refused, at once, with
/// the reason.
#[test]
fn totals_have_bounds() {
    let folder = folder();
    let (most, room) = ("more than can be counted", "would be needed");
    for (total, status, reason) in [
        ("2^61 - 1", 3, room),
        ("2^61", 3, room),
        ("2^62 - 1", 2, most),
        ("2^62", 2, most),
        ("2^63", 2, most),
        ("2^64", 2, most),
    ] {
        let ended = end(start(
            folder.path(),
            &[
                "eval",
                &format!("period([1, 3], {total})"),
                "--timeout",
                "20s",
            ],
        ));
        assert_eq!(ended.status, Some(status), "{total}: {}", ended.complaint);
        assert!(
            ended.complaint.contains(reason),
            "{total}: {}",
            ended.complaint
        );
    }
}

/// Checks a question of two sweeps: the result of the first is dropped if there is no memory for
/// both.
#[test]
fn a_question_of_two_sweeps_keeps_to_its_plan() {
    const QUESTION: &str = "f(connect(4, 4, 4), 0..15) using { winner: moves }";
    let folder = folder();
    for megabytes in [86_u64, 110] {
        let limit = format!("{megabytes}M");
        let ended = end(start(
            folder.path(),
            &["eval", "--max-memory", &limit, "-l", "large.bid", QUESTION],
        ));
        assert_eq!(ended.status, Some(0), "{limit}: {}", ended.complaint);
        let allowed = megabytes << 20;
        assert!(
            ended.peak < allowed + allowed / 5 + (16 << 20),
            "{limit}: {} bytes",
            ended.peak
        );
    }
}

/// Checks that the memory of one input is available to the next: the answer is the same each time,
/// although each input takes most of the allowed memory.
#[test]
fn the_repl_has_its_memory_again() {
    let folder = folder();
    let mut child = start(
        folder.path(),
        &["--max-memory", "120M", "repl", "large.bid"],
    );
    let mut keys = child.stdin.take().expect("it is piped");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    for round in 0..5 {
        writeln!(keys, "len([[n] for n in 0..350000])\n{round}").expect("it reads");
        for answer in ["350001".to_owned(), round.to_string()] {
            assert_eq!(
                lines.next().and_then(Result::ok),
                Some(answer),
                "round {round}"
            );
        }
    }
    drop(keys);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// Checks that after a stop the next input is answered, and the session keeps its definitions.
#[test]
fn the_repl_goes_on() {
    let folder = folder();
    let mut child = start(
        folder.path(),
        &[
            "--timeout",
            "3s",
            "--max-memory",
            "200M",
            "repl",
            "large.bid",
        ],
    );
    let mut keys = child.stdin.take().expect("it is piped");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut errors = child.stderr.take().expect("it is piped");
    let hear = thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.read_to_string(&mut text);
        text
    });
    writeln!(keys, "let kept = nest(3)").expect("it reads");
    let stopped = [
        "nest(40)",
        "nest(40) == 1 or len(json(nest(40))) == 1",
        "positions(connect(4, 5, 5))",
        "sort([2^300000 - i for i in 1..5000])",
        "unique([2^300000 - i for i in 1..5000])",
        "reverse([2^300000 - i for i in 1..5000])",
        "zip(0..9999999, 0..9999999)",
        "table(A ∧ B^2, bob: 10^10) using { pay: poorman }",
        "table(E, bob: 10^9) using { pay: poorman }",
        "R(hex(64, 64))",
        "P(A^20000, 2/3)",
        "nest(40)",
    ];
    for (n, expression) in stopped.into_iter().enumerate() {
        writeln!(keys, "{expression}\n{n} + 1000").expect("it reads");
        let answer = lines.next().expect("it goes on").expect("text");
        assert_eq!(answer, format!("{}", n + 1000), "{expression}");
    }
    writeln!(keys, "kept == nest(3)\nR(tictactoe)").expect("it reads");
    assert_eq!(lines.next().and_then(Result::ok).as_deref(), Some("true"));
    assert_eq!(
        lines.next().and_then(Result::ok).as_deref(),
        Some("133/256")
    );
    let most = peak(&child);
    drop(keys);
    let status = child.wait().expect("it ends");
    let complaint = hear.join().expect("reading does not fail");
    assert_eq!(status.code(), Some(3), "{complaint}");
    // The bound is the sum of the limit, 30 MB of the program itself in this build, and the memory
    // that the allocator keeps between questions, which the next question can use.
    assert!(most < (272 << 20), "{most} bytes");
}
