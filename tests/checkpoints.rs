//! `--checkpoint` and `--max-memory` on the command line: Connect Four on 4 × 5, whose values take
//! 115 MB.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};
use std::{fs, thread};

const GAME: &str = "R(connect(4, 4, 5))";
const VALUE: &str = "578797/1048576\n";
/// A limit that is too small for the blocks that are needed at one time, even if they are packed.
const LITTLE: &str = "18M";

fn bid(arguments: &[&str]) -> Child {
    let classics = concat!(env!("CARGO_MANIFEST_DIR"), "/games/classics.bid");
    Command::new(env!("CARGO_BIN_EXE_bid"))
        .args(["eval", "-l", classics])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn finished(child: Child) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    (
        status.code().expect("it is not killed"),
        text(stdout),
        text(stderr),
    )
}

/// Returns the number of manifests in a folder for checkpoints.
fn manifests(folder: &Path) -> usize {
    let inner = fs::read_dir(folder)
        .expect("the folder is there")
        .filter_map(Result::ok);
    inner
        .filter(|entry| entry.path().join("manifest").is_file())
        .count()
}

#[test]
fn too_little_memory_says_how_much_is_enough() {
    let (status, printed, complaint) = finished(bid(&["--max-memory", LITTLE, GAME]));
    assert_eq!((status, printed.as_str()), (3, ""), "{complaint}");
    assert!(
        complaint.contains("[E0902]") && complaint.contains("--checkpoint DIR"),
        "{complaint}"
    );
    let needed = complaint
        .split("this needs ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let needed = needed.expect("it says how much");
    let (status, printed, complaint) = finished(bid(&["--max-memory", needed, GAME]));
    assert_eq!(
        (status, printed.as_str()),
        (0, VALUE),
        "{needed}: {complaint}"
    );
}

/// Checks an interrupt in the middle, another process in the same folder, and the completion of the
/// work.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_goes_on() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().to_str().expect("a readable name");
    let arguments = ["--max-memory", LITTLE, "--checkpoint", path, GAME];
    let running = bid(&arguments);
    while fs::read_dir(folder.path())
        .expect("the folder is there")
        .filter_map(Result::ok)
        .count()
        < 2
    {
        thread::sleep(Duration::from_millis(10));
    }
    let (status, _, complaint) = finished(bid(&arguments));
    assert!(
        status == 2 && complaint.contains("[E0805]") && complaint.contains("another process"),
        "{complaint}"
    );
    let interrupted = Command::new("kill")
        .args(["-INT", &running.id().to_string()])
        .status();
    assert!(
        interrupted
            .expect("there is a program to send signals with")
            .success()
    );
    let (status, printed, complaint) = finished(running);
    assert_eq!((status, printed.as_str()), (3, ""), "{complaint}");
    assert!(complaint.contains("[E0904]"), "{complaint}");
    assert_eq!(manifests(folder.path()), 1, "it was saved");
    let (status, printed, complaint) = finished(bid(&arguments));
    assert_eq!((status, printed.as_str()), (0, VALUE), "{complaint}");
}

/// Returns the files of tables in a folder for checkpoints.
fn blobs(folder: &Path) -> Vec<PathBuf> {
    let inner = fs::read_dir(folder)
        .expect("the folder is there")
        .filter_map(Result::ok);
    let files = inner
        .filter_map(|entry| fs::read_dir(entry.path()).ok())
        .flatten()
        .filter_map(Result::ok);
    files
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "blob"))
        .collect()
}

/// Starts the work, and sends it a signal once it has written `files` files of tables; returns
/// `true` if it got that far. Files of an earlier run do not count: a signal on their account would
/// come before the work has begun.
#[cfg(unix)]
fn signalled(arguments: &[&str], folder: &Path, files: usize, signal: &str) -> bool {
    let start = SystemTime::now();
    let is_new = |file: &PathBuf| {
        fs::metadata(file)
            .and_then(|found| found.modified())
            .is_ok_and(|time| time > start)
    };
    let mut running = bid(arguments);
    while blobs(folder).iter().filter(|file| is_new(file)).count() < files {
        if running.try_wait().expect("it can be asked").is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill")
        .args([signal, &running.id().to_string()])
        .status();
    assert!(
        sent.expect("there is a program to send signals with")
            .success()
    );
    running.wait().expect("it ends").code() != Some(0)
}

/// Ways to harm a file.
const HARMS: [fn(&mut Vec<u8>); 3] = [
    |bytes| bytes.truncate(bytes.len() / 2),
    |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    },
    Vec::clear,
];

fn harm(file: &Path, turn: usize) {
    let mut bytes = fs::read(file).expect("the file is there");
    HARMS[turn % HARMS.len()](&mut bytes);
    fs::write(file, bytes).expect("the file can be written");
}

/// Checks, on a folder in which work was interrupted, that the same command gives its answer, also
/// after all tables or all manifests were damaged.
fn gives(arguments: &[&str], folder: &Path, value: &str) {
    let answer = || {
        let (status, printed, complaint) = finished(bid(arguments));
        assert_eq!((status, printed.as_str()), (0, value), "{complaint}");
    };
    let saved = tempfile::tempdir().expect("a scratch folder");
    copy(folder, saved.path());
    answer();
    for turn in 0..2 {
        fs::remove_dir_all(folder).expect("it can be removed");
        copy(saved.path(), folder);
        let files = if turn == 0 {
            blobs(folder)
        } else {
            manifest_files(folder)
        };
        files.iter().for_each(|file| harm(file, turn));
        answer();
    }
}

fn manifest_files(folder: &Path) -> Vec<PathBuf> {
    let inner = fs::read_dir(folder)
        .expect("the folder is there")
        .filter_map(Result::ok);
    inner
        .map(|entry| entry.path().join("manifest"))
        .filter(|path| path.is_file())
        .collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from)
        .expect("the folder is there")
        .filter_map(Result::ok)
    {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("files can be copied");
        }
    }
}

/// Kills the process in the middle, interrupts the resumed work, and kills it again: each run goes
/// on from the tables that are there.
#[cfg(unix)]
#[test]
fn a_killed_sweep_gives_the_same_answer() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (path, folder) = (
        folder.path().to_str().expect("a readable name").to_owned(),
        folder.path(),
    );
    let arguments = ["--max-memory", LITTLE, "--checkpoint", &path, GAME];
    assert!(
        signalled(&arguments, folder, 4, "-KILL"),
        "it is killed in the middle"
    );
    assert_eq!(manifests(folder), 1, "its tables can be used");
    assert!(
        signalled(&arguments, folder, 8, "-INT"),
        "it is interrupted in the middle"
    );
    assert_eq!(manifests(folder), 1, "it was saved");
    signalled(&arguments, folder, 1, "-KILL");
    gives(&arguments, folder, VALUE);
}

/// A game in which pieces are traded two for one, both ways. No single counter only falls, but
/// their sum does, so there are layers but no numbering.
const TRADE: &str = "game trade(n, pairs) {
    state gold = [n for i in 1 .. pairs]
    state silver = [n for i in 1 .. pairs]
    move sell(i) for i in 0 .. pairs - 1 if gold[i] >= 2 and silver[i] < 2 * n { gold[i] -= 2; silver[i] += 1 }
    move buy(i) for i in 0 .. pairs - 1 if silver[i] >= 2 and gold[i] < 2 * n { silver[i] -= 2; gold[i] += 1 }
    win alice if sum(gold) <= 1
    win bob if sum(silver) <= 1 or gold[0] == silver[0] + 3
    stuck loses
}
";

/// Solves layer by layer with little memory, and on the graph with much. The work is interrupted
/// later and later until something was saved, then killed.
#[cfg(unix)]
#[test]
fn a_killed_layered_solution_gives_the_same_answer() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("trade.bid");
    fs::write(&file, TRADE).expect("the file can be written");
    let (file, kept) = (
        file.to_str().expect("a readable name"),
        folder.path().join("kept"),
    );
    let game = ["-l", file, "R(trade(5, 4))"];
    let (status, value, complaint) = finished(bid(&game));
    assert_eq!(status, 0, "{complaint}");
    let limits = [
        "--max-memory",
        "22M",
        "--checkpoint",
        kept.to_str().expect("a readable name"),
    ];
    let arguments = [&game[..], &limits].concat();
    let stop = |signal: &str, after: u64| {
        let mut running = bid(&arguments);
        thread::sleep(Duration::from_millis(after));
        // The process may have ended by itself.
        let sent = Command::new("kill")
            .args([signal, &running.id().to_string()])
            .stderr(Stdio::null())
            .status();
        sent.expect("there is a program to send signals with");
        running.wait().expect("it ends");
    };
    fs::create_dir(&kept).expect("a folder can be made");
    let mut after = 100;
    while manifests(&kept) == 0 {
        stop("-INT", after);
        after += after / 2;
        assert!(after < 100_000, "it is saved when it is interrupted");
    }
    stop("-KILL", after);
    gives(&arguments, &kept, &value);
}

/// Checks a game that was once refused with less than 26M.
#[test]
fn small_games_take_little_memory() {
    let (status, printed, complaint) = finished(bid(&["--max-memory", "24M", "R(tictactoe)"]));
    assert_eq!((status, printed.as_str()), (0, "133/256\n"), "{complaint}");
    let (status, _, complaint) = finished(bid(&["--max-memory", "14M", "R(connect(4, 4, 4))"]));
    assert!(status == 3 && complaint.contains("[E0902]"), "{complaint}");
}
