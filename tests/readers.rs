//! Files of other programs, and standard input, as the command line reads them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a scratch folder is writable");
    }
    folder
}

fn bid(folder: &Path, arguments: &[&str], input: &str) -> Assert {
    let mut command = Command::cargo_bin("bid").expect("the program is built");
    command
        .current_dir(folder)
        .env_remove("BID_PATH")
        .env("NO_COLOR", "1")
        .args(["--timeout", "60s"])
        .args(arguments)
        .write_stdin(input)
        .assert()
}

/// Checks a file whose edges use indices into the list of vertices, which once created vertices
/// that are not listed.
#[test]
fn no_file_makes_vertices_that_it_does_not_list() {
    let document = |source: &str, target: &str| {
        format!(
            "{{\"graph\": {{\"start\": \"a\"}}, \"nodes\": [{{\"id\": \"a\"}}, {{\"id\": \"b\", \"win\": \"alice\"}}, \
             {{\"id\": \"c\", \"win\": \"bob\"}}], \"links\": [{{\"source\": {source}, \"target\": {target}}}, \
             {{\"source\": \"a\", \"target\": \"c\"}}]}}"
        )
    };
    let folder = folder(&[
        ("ids.json", &document("\"a\"", "\"b\"")),
        ("places.json", &document("0", "1")),
    ]);
    bid(
        folder.path(),
        &["eval", "R(graph { edges \"ids.json\" })"],
        "",
    )
    .code(0)
    .stdout("1/2\n");
    bid(
        folder.path(),
        &["eval", "R(graph { edges \"places.json\" })"],
        "",
    )
    .code(2)
    .stdout(is_empty())
    .stderr(contains("vertex 0 is not in the list of `nodes`"));
}

/// Checks that `1` and `1.0`, which other programs take for one vertex, are two vertices here, with
/// a warning.
#[test]
fn labels_that_look_like_numbers_are_told() {
    let folder = folder(&[("roads.csv", "from,to\n0,1\n1.0,2\n0,2\n")]);
    let question = "size(graph { start 0; edges \"roads.csv\"; win alice: 1; win bob: 2 })";
    bid(folder.path(), &["eval", question], "")
        .code(0)
        .stderr(contains("[W0405]").and(contains("roads.csv, line 3, column 1")));
}

/// Checks that all readers skip a byte order mark.
#[test]
fn byte_order_marks_are_no_difference() {
    let files = [
        ("a.csv", "from,to\na,b\n"),
        (
            "a.json",
            "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"edges\": [{\"source\": \"a\", \"target\": \"b\"}]}",
        ),
        ("a.pg", "0 0 0 1;\n1 0 0 1;\n"),
    ];
    let marked = files.map(|(name, text)| (name, format!("\u{feff}{text}")));
    let marked: Vec<(&str, &str)> = marked
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let (plain, marked) = (folder(&files), folder(&marked));
    for (name, start) in [("a.csv", "a"), ("a.json", "a"), ("a.pg", "0")] {
        let question = format!("size(graph {{ start {start}; edges \"{name}\" }})");
        let sizes = [&plain, &marked].map(|folder| {
            let ran = bid(folder.path(), &["eval", &question], "").code(0);
            ran.get_output().stdout.clone()
        });
        assert_eq!(sizes[0], sizes[1], "{name}");
    }
}

/// Checks that data may be longer than sources: only memory limits it.
#[test]
fn data_may_be_longer_than_a_source() {
    let mut roads = "from,to\n".to_owned();
    let padding = " ".repeat(4000);
    for i in 0..2_500 {
        writeln!(roads, "{i},{padding}{}", i + 1).expect("writing to a string succeeds");
    }
    assert!(roads.len() as u64 > bid_language::files::MOST_BYTES);
    let folder = folder(&[("roads.csv", &roads), ("long.bid", &padding.repeat(2_500))]);
    let question = "R(graph { start 0; edges \"roads.csv\"; win alice: 2500 })";
    bid(folder.path(), &["eval", question], "")
        .code(0)
        .stdout("0\n");
    bid(folder.path(), &["run", "long.bid"], "")
        .code(2)
        .stderr(contains("long.bid is too long for a source"));
}

/// Checks that data that does not fit is refused before it takes more than the limit allows.
#[test]
fn memory_bounds_data() {
    let mut roads = "from,to\n".to_owned();
    for i in 0..400_000 {
        writeln!(roads, "{i},{}", i + 1).expect("writing to a string succeeds");
    }
    let folder = folder(&[("roads.csv", &roads)]);
    let question = "R(graph { start 0; edges \"roads.csv\"; win alice: 400000 })";
    bid(
        folder.path(),
        &["--max-memory", "60M", "eval", question],
        "",
    )
    .code(3)
    .stderr(contains("[E0902]"));
}

/// Checks that numbers that are too long are not computed, in any context.
#[test]
fn refused_numbers_are_not_worked_out() {
    for number in ["1e99999999999999999999", "1e99999999", "1e-999999999"] {
        for around in [
            "test \"x\" {\nshow #\n",
            "let x =\nlet y = #\n",
            "game g {\nstate n = #\n",
            "show (#\nshow [#",
            "game g = graph {\nstart #\n",
            "show { pay: # \n",
            "show R(E, precision: #)\n",
        ] {
            let text = around.replace('#', number);
            for command in ["check", "fmt", "run", "test"] {
                let told = bid(Path::new("."), &[command, "-"], &text);
                told.code(2).stderr(contains("[E0107]"));
            }
        }
    }
    // The chips of the opponent are limited to as few digits as all numbers.
    let long = format!("show {}-eps", "9".repeat(200_000));
    bid(Path::new("."), &["check", "-"], &long)
        .code(2)
        .stderr(contains("[E0107]"));
}

#[test]
fn standard_input_is_a_file_of_every_command() {
    let folder = folder(&[("half.bid", "let half = 1/2\n")]);
    let text = "use \"half.bid\"\ntest \"a\" { show half\n check R(E) == half }\n";
    let run = |arguments: &[&str], text: &str| bid(folder.path(), arguments, text);
    run(&["run", "-"], text)
        .code(0)
        .stdout(contains("half = 1/2"));
    run(&["check", "-"], text)
        .code(0)
        .stdout(is_empty())
        .stderr(is_empty());
    run(&["test", "-"], text)
        .code(0)
        .stdout(contains("<stdin>: 1 passed").and(contains("1 passed, 0 failed, 0 pending")));
    run(&["fmt", "--check", "-", "half.bid"], text).code(1);
    run(&["fmt", "-"], "show   1\n").code(0).stdout("show 1\n");
    for command in ["run", "check", "fmt", "test"] {
        run(&[command, "-"], "show (1\n")
            .code(2)
            .stderr(contains("<stdin>:1"));
    }
    run(&["test", "-"], "test \"a\" { check R(E) == 1 }\n")
        .code(1)
        .stdout(contains("\"a\": FAILED"));
    run(&["test", "--accept", "-"], text)
        .code(2)
        .stderr(contains("standard input has no snapshots to accept"));
    assert!(!folder.path().join("snapshots").exists());
}
