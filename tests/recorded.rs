//! Compares answers with those of an earlier program, byte for byte.
//!
//! `tests/recorded/make.py PROGRAM` draws the games and the questions and records the answers of a
//! program. It is run again after an answer was found to be wrong, and its differences are then
//! read one by one.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

#[test]
fn answers_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let entries = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "bid"))
        .collect();
    files.sort();
    let mut answers = 0;
    for path in files {
        let recorded =
            fs::read_to_string(path.with_extension("txt")).expect("answers stand beside");
        let run = Command::cargo_bin("bid")
            .expect("the program is built")
            .args(["run", "--quiet", "--color", "never", "--threads", "1"])
            .arg(&path)
            .output()
            .expect("the program runs");
        let printed = String::from_utf8(run.stdout).expect("answers are text");
        let differs = recorded
            .lines()
            .zip(printed.lines())
            .find(|(before, now)| before != now);
        assert!(
            printed == recorded,
            "{}: {differs:?}\n{}",
            path.display(),
            String::from_utf8_lossy(&run.stderr)
        );
        answers += recorded.len();
    }
    assert!(answers > 500_000, "answers were lost: {answers} bytes");
}
