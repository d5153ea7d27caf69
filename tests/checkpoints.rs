//! `--checkpoint` and `--max-memory` as a user drives them: Connect Four on 4 × 5, whose values take 115 MB.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use std::{fs, thread};

const GAME: &str = "R(connect(4, 4, 5))";
const VALUE: &str = "578797/1048576\n";
/// Too little for the whole table, and for the levels of it that are needed at one time.
const LITTLE: &str = "80M";

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
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    (status.code().expect("it is not killed"), text(stdout), text(stderr))
}

/// The manifests in a folder for checkpoints.
fn manifests(folder: &Path) -> usize {
    let inner = fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok);
    inner.filter(|entry| entry.path().join("manifest").is_file()).count()
}

#[test]
fn too_little_memory_says_how_much_is_enough() {
    let (status, printed, complaint) = finished(bid(&["--max-memory", LITTLE, GAME]));
    assert_eq!((status, printed.as_str()), (3, ""), "{complaint}");
    assert!(complaint.contains("[E0902]") && complaint.contains("--checkpoint DIR"), "{complaint}");
    let needed = complaint.split("this needs ").nth(1).and_then(|rest| rest.split(' ').next());
    let needed = needed.expect("it says how much");
    let (status, printed, complaint) = finished(bid(&["--max-memory", needed, GAME]));
    assert_eq!((status, printed.as_str()), (0, VALUE), "{needed}: {complaint}");
}

/// Ctrl-C in the middle, another process in the same folder, and on to the end.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_goes_on() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().to_str().expect("a readable name");
    let arguments = ["--max-memory", LITTLE, "--checkpoint", path, GAME];
    let running = bid(&arguments);
    while fs::read_dir(folder.path()).expect("the folder is there").filter_map(Result::ok).count() < 2 {
        thread::sleep(Duration::from_millis(10));
    }
    let (status, _, complaint) = finished(bid(&arguments));
    assert!(status == 2 && complaint.contains("[E0805]") && complaint.contains("another process"), "{complaint}");
    let interrupted = Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(interrupted.expect("there is a program to send signals with").success());
    let (status, printed, complaint) = finished(running);
    assert_eq!((status, printed.as_str()), (3, ""), "{complaint}");
    assert!(complaint.contains("[E0904]"), "{complaint}");
    assert_eq!(manifests(folder.path()), 1, "it was saved");
    let (status, printed, complaint) = finished(bid(&arguments));
    assert_eq!((status, printed.as_str()), (0, VALUE), "{complaint}");
}
