//! `bid eval --certificate` and `bid verify` on the command line: files, limits and exit statuses.

use std::fs;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use tempfile::TempDir;

fn bid(folder: &TempDir, arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("bid").expect("the program is built");
    command
        .env_remove("BID_PATH")
        .env("NO_COLOR", "1")
        .current_dir(folder.path())
        .args(arguments)
        .assert()
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let files = [
        // Both files define `start`, and each refers to its own definition.
        (
            "inner.bid",
            "let start = 2\ngame path = graph {\n start 0\n both i <-> i + 1 for i in -start .. start - 1\n win alice: start\n win bob: -start\n}\n",
        ),
        (
            "outer.bid",
            "use \"inner.bid\"\nlet start = 7\ngame both = path ∧ A^2\n",
        ),
        ("later.bid", "let both = A\nlet other = { A | B }\n"),
        (
            "large.bid",
            "game large(n) {\n state x = n\n state y = n\n move l if x > 0 { x -= 1 }\n move d if y > 0 { y -= 1 }\n win alice if x == 0\n win bob if y == 0\n}\n",
        ),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a scratch folder is writable");
    }
    folder
}

#[test]
fn written_verified_and_changed() {
    let folder = folder();
    let ask = [
        "eval",
        "-l",
        "outer.bid",
        "--certificate",
        "c.json",
        "R(both)",
    ];
    bid(&folder, &ask)
        .code(0)
        .stdout("3/8\n")
        .stderr(is_empty());
    bid(&folder, &["verify", "c.json"])
        .code(0)
        .stdout("proved: R(both) = 3/8\n")
        .stderr(is_empty());
    let file = folder.path().join("c.json");
    let text = fs::read_to_string(&file).expect("written");
    let changed = text.replacen("\"answer\":\"3/8\"", "\"answer\":\"3/4\"", 1);
    assert_ne!(changed, text);
    fs::write(&file, changed).expect("writable");
    bid(&folder, &["verify", "c.json"])
        .code(1)
        .stdout("")
        .stderr(contains("does not prove").and(contains("3/8")));
    fs::write(&file, &text[..text.len() / 2]).expect("writable");
    bid(&folder, &["verify", "c.json"])
        .code(2)
        .stdout("")
        .stderr(contains("[E0806]").and(contains("line 1, column")));
}

#[test]
fn later_files_hide_earlier_ones_and_rules_count() {
    let folder = folder();
    let ask = [
        "eval",
        "-l",
        "outer.bid",
        "-l",
        "later.bid",
        "--rules",
        "{ ties: marker }",
        "--certificate",
        "c.json",
        "f(both, 2)",
    ];
    bid(&folder, &ask).code(0).stdout("(0*, 0)\n");
    bid(&folder, &["verify", "c.json"])
        .code(0)
        .stdout(contains("ties: marker").and(contains("= (0*, 0)")));
    let ask = [
        "eval",
        "-l",
        "outer.bid",
        "--certificate",
        "c.json",
        "f(both, 2) using { ties: marker }",
    ];
    let answer = bid(&folder, &ask).code(0).get_output().stdout.clone();
    assert_ne!(answer, b"(0*, 0)\n");
    bid(&folder, &["verify", "c.json"]).code(0);
}

#[test]
fn what_is_no_certificate_has_status_2() {
    let folder = folder();
    bid(&folder, &["verify", "outer.bid"])
        .code(2)
        .stderr(contains("[E0806]"));
    bid(&folder, &["verify", "."])
        .code(2)
        .stderr(contains("not a regular file"));
    bid(&folder, &["verify", "missing.json"])
        .code(2)
        .stderr(contains("cannot read missing.json"));
    bid(&folder, &["verify"]).code(2);
    #[cfg(unix)]
    bid(&folder, &["verify", "/dev/zero"])
        .code(2)
        .stderr(contains("not a regular file"));
}

#[test]
fn what_cannot_be_certified_is_refused_and_leaves_no_file() {
    let folder = folder();
    // The position before is answered, but in the other one nobody wants to move.
    let zugzwang = "R({ A, { B | A } | B }) using { winner: moves, pay: poorman }";
    for (question, why) in [
        (zugzwang, "a player may want to lose the bid"),
        ("table(E)", "`table`"),
        ("1 + 1", "not a query"),
        ("R(E) == 1/2", "not a query"),
        ("E", "not a query"),
    ] {
        let ask = ["eval", "--certificate", "c.json", question];
        bid(&folder, &ask)
            .code(2)
            .stderr(contains("[E0603]").and(contains(why)));
        assert!(!folder.path().join("c.json").exists(), "{question}");
    }
    bid(&folder, &["eval", "--certificate", "c.json", "let x = 1"])
        .code(2)
        .stderr(contains("[E0804]"));
    bid(&folder, &["eval", "--certificate", "c.json", "R(nowhere)"])
        .code(2)
        .stderr(contains("[E0201]"));
    bid(&folder, &["eval", "--certificate", "no/c.json", "R(E)"])
        .code(2)
        .stderr(contains("cannot write"));
    assert!(!folder.path().join("c.json").exists());
}

#[test]
fn limits_stop_both_commands() {
    let folder = folder();
    let write = ["eval", "-l", "large.bid", "--certificate", "c.json"];
    bid(&folder, &[&write[..], &["R(large(200))"]].concat()).code(0);
    bid(&folder, &["verify", "--max-positions", "100", "c.json"])
        .code(3)
        .stderr(contains("[E0901]"));
    let began = Instant::now();
    bid(&folder, &["verify", "--timeout", "50ms", "c.json"])
        .code(3)
        .stderr(contains("[E0903]"));
    bid(
        &folder,
        &[&write[..], &["--timeout", "300ms", "R(large(900))"]].concat(),
    )
    .code(3)
    .stderr(contains("[E0903]"));
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
    let few = [&write[..], &["--max-positions", "100", "R(large(60))"]].concat();
    bid(&folder, &few).code(3).stderr(contains("[E0901]"));
    let entries = fs::read_dir(folder.path()).expect("it is there").flatten();
    let aside = entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".tmp"));
    assert_eq!(aside.count(), 0, "nothing is left aside");
    // The certificate written before is still complete.
    bid(&folder, &["verify", "c.json"]).code(0);
}
