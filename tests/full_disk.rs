//! Tests a full disk: existing files are kept, and none is left half written.
//!
//! The full disk is a small file system in memory, which `root` can mount, or any user if the
//! system allows user name spaces; otherwise that half of the test is skipped with a message. A
//! limit on the length of files has the same effect for one file, and can be set anywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The exit status if the file system cannot be mounted.
const UNMOUNTED: i32 = 77;

/// A command that writes, and the files on which it runs.
struct Case {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    arguments: &'static [&'static str],
    input: &'static str,
}

const LONG: &str = "show [n for n in 1..9000]\n";

const OLD: &str = "---\nsource: a.bid\n---\n[1, 2, 3]\n";

const CASES: [Case; 9] = [
    Case {
        name: "a snapshot that is accepted",
        files: &[("a.bid", LONG), ("snapshots/a.snap", OLD)],
        arguments: &["test", "--accept"],
        input: "",
    },
    Case {
        name: "the first snapshot",
        files: &[("a.bid", LONG)],
        arguments: &["test", "--accept"],
        input: "",
    },
    Case {
        name: "a snapshot to be reviewed",
        files: &[("a.bid", LONG), ("snapshots/a.snap", OLD)],
        arguments: &["test"],
        input: "",
    },
    Case {
        name: "an answer",
        files: &[("a.txt", "old")],
        arguments: &["eval", "-o", "a.txt", "[n for n in 1..9000]"],
        input: "",
    },
    Case {
        name: "an answer in the dialogue",
        files: &[("a.txt", "old")],
        arguments: &["repl"],
        input: ":write a.txt [n for n in 1..9000]\n",
    },
    Case {
        name: "the inputs of a dialogue",
        files: &[],
        arguments: &["repl"],
        input: "let long = [LONG]\n:save a.bid\n",
    },
    Case {
        name: "a certificate",
        files: &[("a", "old")],
        arguments: &["eval", "--certificate", "a", "R(A^60)"],
        input: "",
    },
    Case {
        name: "a source that is formatted",
        files: &[("a.bid", "let long=[LONG]\n")],
        arguments: &["fmt", "a.bid"],
        input: "",
    },
    Case {
        name: "the manual",
        files: &[("bid-eval.1", "old"), ("bid.1", "old")],
        arguments: &["man", "."],
        input: "",
    },
];

/// Replaces the mark in a text by a long literal.
fn text(with_mark: &str) -> String {
    with_mark.replace("LONG", &"123456789, ".repeat(900))
}

/// Fills the folder, enters it, and runs the program.
const MOUNT: &str = r#"
mount -t tmpfs -o size=128k none "$FOLDER" 2>/dev/null || exit 77
cp -r "$BEFORE"/. "$FOLDER" && cd "$FOLDER"
head -c 1000000 /dev/zero > filler 2>/dev/null
"$@"
status=$?
rm filler
cp -r . "$AFTER"
exit $status
"#;

/// Limits the length of files to a kilobyte.
const LIMIT: &str = r#"
cp -r "$BEFORE"/. "$FOLDER" && cd "$FOLDER"
trap '' XFSZ
( ulimit -f 1; "$@" )
status=$?
cp -r . "$AFTER"
exit $status
"#;

/// Returns the files below a folder with their contents.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is in the folder");
                let bytes = fs::read(&path).expect("it can be read");
                found.insert(name.display().to_string(), bytes);
            }
        }
    }
    found
}

/// Runs a case on a full disk; returns `false` if that is not possible.
fn loses_nothing(case: &Case, shell: &[&str]) -> bool {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let at = |name: &str| scratch.path().join(name);
    for folder in ["before", "folder", "after"] {
        fs::create_dir(at(folder)).expect("a scratch folder is writable");
    }
    for (name, held) in case.files {
        let path = at("before").join(name);
        let folder = path.parent().expect("it is in a folder");
        fs::create_dir_all(folder).expect("a scratch folder is writable");
        fs::write(path, text(held)).expect("a scratch folder is writable");
    }
    fs::write(at("input"), text(case.input)).expect("a scratch folder is writable");
    let ended = Command::new(shell[0])
        .args(&shell[1..])
        .arg("sh")
        .arg(assert_cmd::cargo::cargo_bin("bid"))
        .args(case.arguments)
        .env_remove("CI")
        .env("BEFORE", at("before"))
        .env("FOLDER", at("folder"))
        .env("AFTER", at("after"))
        .stdin(fs::File::open(at("input")).expect("it is there"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output();
    let ended = match ended {
        Ok(ended) if ended.status.code() != Some(UNMOUNTED) => ended,
        Ok(_) | Err(_) => return false,
    };
    let said = String::from_utf8_lossy(&ended.stderr);
    // The system allows no name space.
    if said.contains("unshare") {
        return false;
    }
    assert!(
        said.contains("no space left on device") || said.contains("file too large"),
        "{}: {said}",
        case.name
    );
    assert_eq!(tree(&at("before")), tree(&at("after")), "{}", case.name);
    true
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_takes_nothing() {
    let shells: [&[&str]; 2] = [
        &["unshare", "-m", "sh", "-c", MOUNT],
        &["unshare", "-rm", "sh", "-c", MOUNT],
    ];
    let Some(shell) = shells
        .into_iter()
        .find(|shell| loses_nothing(&CASES[0], shell))
    else {
        eprintln!(
            "skipped: a small file system can be mounted neither as root nor in a name space"
        );
        return;
    };
    for case in &CASES[1..] {
        assert!(loses_nothing(case, shell), "{}", case.name);
    }
}

#[cfg(unix)]
#[test]
fn a_limit_on_files_takes_nothing() {
    for case in &CASES {
        assert!(
            loses_nothing(case, &["sh", "-c", LIMIT]),
            "{}: there is a shell",
            case.name
        );
    }
}
