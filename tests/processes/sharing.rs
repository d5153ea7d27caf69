//! Processes that share the blocks of a sweep, by the command line.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{all, bid, ended, folder, process, told};

/// So little memory that the tables below are divided: what fits is worked out by each process.
const LITTLE: &str = "36M";

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/classics.bid");

/// A board without a symmetry.
const GAMES: &str = "game plain(rows, cols) {
    state board = grid(rows, cols)
    move drop(col) for col in 0 .. cols - 1 if height(board, col) < rows { drop(board, col, me) }
    win me if line(board, me, 4)
    draw if full(board)
}
";

/// Questions whose tables do not fit.
const QUESTIONS: [&str; 11] = [
    "R(connect(4, 4, 5))",
    "R(plain(4, 5))",
    "R(plain(5, 4) after [alice drop(1)])",
    "R(connect(4, 4, 5)) using { draws: half }",
    "f(plain(4, 4), 10..73)",
    "f(plain(4, 4), 0..63)",
    "f(~plain(4, 4), 32..95)",
    "f(plain(4, 4), 0..63) using { draws: alice }",
    "f(plain(4, 4) after [bob drop(0)], 0..63)",
    "[R(plain(5, 4)), f(plain(4, 4), 0..63)]",
    "bounds(plain(4, 5)) using { precision: 1e-3 }",
];

/// The last line before the answer of process 0 if nothing was shared.
const NOTHING_SHARED: &str = "there was nothing to share";

#[test]
fn processes_find_together_what_one_finds() {
    let folder = folder(&[("games.bid", GAMES)]);
    for (place, question) in QUESTIONS.into_iter().enumerate() {
        let rest = [
            "--max-memory",
            LITTLE,
            "--threads",
            "1",
            "-l",
            CLASSICS,
            "-l",
            "games.bid",
            question,
        ];
        let alone = told(
            &bid(&folder)
                .arg("eval")
                .args(rest)
                .output()
                .expect("it ends"),
        );
        assert_eq!(alone.0, 0, "{question}: {alone:?}");
        // The first by all numbers of processes, the others by one each: the suite is to be quick.
        for of in (2..=4).filter(|of| place == 0 || place % 3 == of % 3) {
            let ends = all(&folder, of, &rest);
            assert_eq!(
                (ends[0].0, &ends[0].1),
                (0, &alone.1),
                "{question}: {ends:?}"
            );
            assert!(
                ends[1..]
                    .iter()
                    .all(|end| *end == (0, String::new(), String::new())),
                "{question}: {ends:?}"
            );
            assert!(!ends[0].2.contains(NOTHING_SHARED), "{question}: {ends:?}");
        }
    }
}

/// What fits is worked out by each, and process 0 says so; what takes a graph likewise.
#[test]
fn what_is_small_is_not_shared() {
    let folder = folder(&[]);
    for question in ["R(connect(4, 4, 4))", "R(tictactoe) using { pay: poorman }"] {
        let ends = all(&folder, 2, &["-l", CLASSICS, question]);
        assert!(
            ends[0].0 == 0 && ends[0].2.contains(NOTHING_SHARED),
            "{ends:?}"
        );
        assert_eq!(ends[1], (0, String::new(), String::new()));
    }
}

const GAME: &str = "R(connect(4, 4, 5))";
const VALUE: &str = "578797/1048576\n";

/// Whether a process has left tables on the disk.
fn has_begun(tables: &Path, number: usize) -> bool {
    let inner = |path: &Path| {
        fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    };
    let ends_in = |path: &Path| path.extension().is_some_and(|end| end == "blob");
    inner(&tables.join(format!("process-{number}")))
        .any(|work| inner(&work).any(|file| ends_in(&file)))
}

fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !there() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn kill(child: &Child) {
    let killed = Command::new("kill")
        .args(["-KILL", &child.id().to_string()])
        .status();
    assert!(killed.expect("there is a `kill`").success());
}

/// Each in its turn is killed in the midst of the work; the same command goes on, and the answer is
/// the same.
#[test]
fn processes_go_on_after_one_is_killed() {
    let folder = folder(&[]);
    for victim in 0..3 {
        let tables = format!("tables-{victim}");
        let rest = [
            "--max-memory",
            LITTLE,
            "--threads",
            "1",
            "--checkpoint",
            &tables,
            "-l",
            CLASSICS,
            GAME,
        ];
        let children: Vec<Child> = (0..3)
            .map(|number| process(&folder, 3, number, &rest))
            .collect();
        let tables = folder.path().join(&tables);
        wait_for("nothing is written", || {
            (0..3).all(|number| has_begun(&tables, number))
        });
        kill(&children[victim]);
        let killed = Instant::now();
        for (number, child) in children.into_iter().enumerate() {
            let (code, out, error) = told(&ended(child));
            let named = error.contains(&format!("process {victim} has ended"));
            // On a busy machine all may be done before the signal comes.
            let is_as_told = if number == victim {
                out.is_empty()
            } else {
                code == 3 && named && out.is_empty()
            };
            assert!(is_as_told || code == 0, "{number}: {code} {out} {error}");
        }
        assert!(
            killed.elapsed() < Duration::from_secs(5),
            "{:?}",
            killed.elapsed()
        );
        let ends = all(&folder, 3, &rest);
        assert_eq!((ends[0].0, ends[0].1.as_str()), (0, VALUE), "{ends:?}");
        assert!(
            ends[1..]
                .iter()
                .all(|end| *end == (0, String::new(), String::new())),
            "{ends:?}"
        );
    }
}

/// Runs a command of the system; what it complained of if it failed.
fn run(words: &str) -> Result<(), String> {
    let mut all = words.split(' ');
    let program = all.next().expect("there is a program");
    let output = Command::new(program)
        .args(all)
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{words}: {}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

/// Machines of their own, as far as the network goes, at a bridge; they go when this is dropped.
struct Machines {
    name: String,
    count: usize,
}

impl Machines {
    fn new(count: usize) -> Result<Self, String> {
        let machines = Self {
            name: format!("bs{}", std::process::id()),
            count,
        };
        let Self { name, .. } = &machines;
        run(&format!("ip link add {name} type bridge"))?;
        run(&format!("ip link set {name} up"))?;
        for at in 0..count {
            run(&format!("ip netns add {name}-{at}"))?;
            run(&format!(
                "ip link add {name}o{at} type veth peer name {name}i{at}"
            ))?;
            run(&format!("ip link set {name}i{at} netns {name}-{at}"))?;
            run(&format!("ip link set {name}o{at} master {name}"))?;
            run(&format!("ip link set {name}o{at} up"))?;
            run(&format!(
                "ip -n {name}-{at} addr add 10.213.78.{}/24 dev {name}i{at}",
                at + 1
            ))?;
            run(&format!("ip -n {name}-{at} link set {name}i{at} up"))?;
            // Slow, where the system can do that.
            let slow = [
                "netem delay 2ms rate 200mbit",
                "tbf rate 200mbit burst 64kb latency 50ms",
            ];
            if slow
                .iter()
                .all(|how| run(&format!("tc qdisc add dev {name}o{at} root {how}")).is_err())
            {
                eprintln!("at full speed: there is no netem and no tbf");
            }
        }
        Ok(machines)
    }

    fn start(&self, folder: &TempDir, number: usize, rest: &[&str]) -> Child {
        let mut command = Command::new("ip");
        command.args([
            "netns",
            "exec",
            &format!("{}-{number}", self.name),
            env!("CARGO_BIN_EXE_bid"),
            "eval",
        ]);
        command.args([
            "--hosts",
            "hosts",
            "--processes",
            &self.count.to_string(),
            "--process",
            &number.to_string(),
        ]);
        command
            .args(rest)
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .env_remove("BID_PATH");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts")
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        let Self { name, count } = self;
        for at in 0..*count {
            let _ = run(&format!("ip netns del {name}-{at}"));
            // It goes with its other end, a moment later.
            let _ = run(&format!("ip link del {name}o{at}"));
        }
        let _ = run(&format!("ip link del {name}"));
    }
}

/// Over a slow network, with a list of hosts.
#[test]
fn machines_share_over_a_network() {
    let machines = match Machines::new(3) {
        Ok(machines) => machines,
        Err(why) => return eprintln!("skipped: {}", why.trim()),
    };
    let list: String = (1..=3).map(|at| format!("10.213.78.{at}:2101\n")).collect();
    let folder = folder(&[("hosts", list.as_str())]);
    let rest = [
        "--max-memory",
        LITTLE,
        "--threads",
        "1",
        "-l",
        CLASSICS,
        GAME,
    ];
    let children: Vec<Child> = (0..3)
        .map(|number| machines.start(&folder, number, &rest))
        .collect();
    let ends: Vec<(i32, String, String)> = children
        .into_iter()
        .map(|child| told(&ended(child)))
        .collect();
    assert_eq!((ends[0].0, ends[0].1.as_str()), (0, VALUE), "{ends:?}");
    assert!(!ends[0].2.contains(NOTHING_SHARED), "{ends:?}");
    assert!(
        ends[1..]
            .iter()
            .all(|end| *end == (0, String::new(), String::new())),
        "{ends:?}"
    );
}
