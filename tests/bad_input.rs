//! Bad input on the command line: control characters in sources, files that are not sources, output
//! that cannot be written, checkpoints that are links, deep nesting.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

fn bid() -> Command {
    let mut command = Command::cargo_bin("bid").expect("the program is built");
    command
        // In CI, `bid test` writes no new snapshots.
        .env_remove("CI")
        .env_remove("BID_PATH")
        .env("NO_COLOR", "1");
    command
}

/// The characters that no output of a source may contain.
const CONTROLS: [&str; 8] = [
    "\u{1b}", "\u{7}", "\u{0}", "\r", "\u{7f}", "\u{9b}", "\u{202e}", "\u{fffe}",
];

fn is_free_of_controls(text: &[u8]) -> bool {
    let text = String::from_utf8(text.to_vec()).expect("output is UTF-8");
    CONTROLS.iter().all(|control| !text.contains(control))
}

/// Checks strings, labels and names of tests with each control character, in every format, in
/// results and in diagnostics.
#[test]
fn no_source_drives_the_terminal() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for control in CONTROLS {
        let shown = format!(
            "show \"a{control}b\"\nshow [\"{control}\"]\ngame g = graph {{\n start \"x{control}y\"\n both \"x{control}y\" -> W, L\n \
             win alice: W\n win bob: L\n}}\nshow strategy(g, 1*, 1)\nshow moves(g)\nshow svg(tree(g))\nshow dot(tree(g))\nshow dot(g)\n"
        );
        let wrong = format!("let x = \"{control}\" + H{control}\ncheck \"{control}\" == \"b\"\n");
        let failing = format!("test \"{control}\" {{ show \"{control}\" check 1 == 2 }}\n");
        for (name, source) in [
            ("shown.bid", &shown),
            ("wrong.bid", &wrong),
            ("failing.bid", &failing),
        ] {
            fs::write(folder.path().join(name), source).expect("a scratch folder is writable");
            for format in ["text", "json", "csv", "latex", "html"] {
                for command in ["run", "check", "test"] {
                    let ran = bid()
                        .current_dir(folder.path())
                        .args(["--format", format, command, name])
                        .output();
                    let ran = ran.expect("the program starts");
                    let what = format!("{command} {name} as {format} with {control:?}");
                    // A file with a zero byte is not text.
                    let refused = control == "\u{0}" && ran.status.code() == Some(2);
                    assert!(
                        refused
                            || !ran.stdout.is_empty()
                            || !ran.stderr.is_empty()
                            || command == "check",
                        "{what}"
                    );
                    assert!(
                        is_free_of_controls(&ran.stdout),
                        "{what}: {:?}",
                        String::from_utf8_lossy(&ran.stdout)
                    );
                    assert!(
                        is_free_of_controls(&ran.stderr),
                        "{what}: {:?}",
                        String::from_utf8_lossy(&ran.stderr)
                    );
                }
            }
        }
    }
}

/// Checks every character that XML forbids in the labels of a picture.
#[test]
fn pictures_are_well_formed_whatever_the_labels() {
    // A zero byte is left out, since a source with one is refused as a whole.
    let forbidden = (1..0x20)
        .chain([0x7f, 0x9b, 0xFFFE, 0xFFFF])
        .filter_map(char::from_u32);
    let labels: String = forbidden.filter(|c| *c != '\n').collect();
    let game = format!(
        "{{ start \"<&{labels}>\"\n both \"<&{labels}>\" -> \"{labels}2\", L\n both \"{labels}2\" -> W, L\n win alice: W\n win bob: L\n}}"
    );
    for picture in ["tree(g)", "hasse([A, B, g])"] {
        let source = format!("game g = graph {game}\nsvg({picture})\n");
        let ran = bid()
            .arg("run")
            .arg("-")
            .write_stdin(source)
            .assert()
            .code(0);
        let svg = String::from_utf8(ran.get_output().stdout.clone()).expect("output is UTF-8");
        let read = roxmltree::Document::parse(&svg);
        assert!(read.is_ok(), "{picture}: {:?}\n{svg}", read.err());
    }
}

#[test]
fn a_used_file_that_is_no_source_is_not_shown() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let secret = "password := hunter2 (";
    fs::write(folder.path().join("secret"), secret).expect("a scratch folder is writable");
    fs::write(folder.path().join("bytes.bid"), b"password\0hunter2")
        .expect("a scratch folder is writable");
    fs::write(folder.path().join("latin.bid"), b"password hunter2 \xe9")
        .expect("a scratch folder is writable");
    let mut names = vec!["secret", "bytes.bid", "latin.bid", "missing.bid"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("secret", folder.path().join("link.bid"))
            .expect("links can be made");
        names.push("link.bid");
    }
    for name in names {
        fs::write(
            folder.path().join("a.bid"),
            format!("use \"{name}\"\nshow 1\n"),
        )
        .expect("it is writable");
        for command in ["run", "check"] {
            let silent = contains("hunter2").or(contains("password")).not();
            let said = contains(name).and(contains("a.bid:1:5")).and(silent);
            bid()
                .current_dir(folder.path())
                .args([command, "a.bid"])
                .assert()
                .code(2)
                .stdout("")
                .stderr(said);
        }
    }
    // A file named on the command line may have any name.
    fs::write(folder.path().join("plain"), "let x = 2\nshow x\n").expect("it is writable");
    bid()
        .current_dir(folder.path())
        .args(["run", "plain"])
        .assert()
        .code(0)
        .stdout("x = 2\n");
    bid()
        .current_dir(folder.path())
        .args(["eval", "-l", "plain", "x + 1"])
        .assert()
        .code(0)
        .stdout("3\n");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = || {
        fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("Linux has it")
    };
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help", "run"],
        &["explain"],
        &["explain", "E0101"],
        &["completions", "bash"],
        &["eval", "R(E)"],
        &["fmt", "-"],
        &["run", "-"],
        &["repl"],
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bid"));
        let mut child = command
            .args(arguments)
            .stdin(std::process::Stdio::piped())
            .stdout(full())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        if let Some(mut input) = child.stdin.take() {
            // Some of the commands end without reading.
            let _ = std::io::Write::write_all(&mut input, b"show 1\n");
        }
        let ran = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains("cannot write to standard output: no space left"),
            "{arguments:?}: {said}"
        );
    }
}

/// Checks that empty input stays empty, and that a filter changes no character of a string.
#[test]
fn formatting_standard_input_adds_nothing() {
    bid()
        .args(["fmt", "-"])
        .write_stdin("")
        .assert()
        .code(0)
        .stdout("")
        .stderr(is_empty());
    bid()
        .args(["fmt", "-"])
        .write_stdin("\n\n")
        .assert()
        .code(0)
        .stdout("");
    bid()
        .args(["fmt", "-"])
        .write_stdin("show  1")
        .assert()
        .code(0)
        .stdout("show 1\n");
    bid()
        .args(["fmt", "-"])
        .write_stdin("show \"\u{1b}\"\n")
        .assert()
        .code(0)
        .stdout("show \"\u{1b}\"\n");
}

/// Checks that a text with a zero byte is refused, wherever it comes from.
#[test]
fn standard_input_with_zero_bytes_is_no_text() {
    for arguments in [
        &["fmt", "-"][..],
        &["run", "-"],
        &["fmt", "--check", "-"],
        &[],
    ] {
        let ran = bid()
            .args(arguments)
            .write_stdin("show 1\0\n")
            .assert()
            .code(2)
            .stdout("");
        ran.stderr(contains("standard input is not text").and(contains("byte number 7 is 0")));
    }
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("zero.bid"), "show 1\0\n").expect("a scratch folder is writable");
    bid()
        .current_dir(folder.path())
        .args(["fmt", "zero.bid"])
        .assert()
        .code(2)
        .stderr(contains("zero.bid is not text"));
    let left = fs::read(folder.path().join("zero.bid")).expect("it is there");
    assert_eq!(left, b"show 1\0\n", "it is as it was");
}

/// Checks that a printed string is read back as the same string.
#[test]
fn printed_strings_read_back() {
    let texts = [
        "\\t",
        "\\n",
        "\\\\",
        "\\\"",
        "a\\\\tb",
        "\\\\\\t",
        "\t",
        "∧\\t\\n\\\"\\\\",
    ];
    for text in texts {
        let eval = |expression: &str| {
            let ran = bid().args(["eval", expression]).assert().code(0);
            String::from_utf8(ran.get_output().stdout.clone())
                .expect("output is UTF-8")
                .trim_end()
                .to_owned()
        };
        let printed = eval(&format!("[\"{text}\"]"));
        assert_eq!(eval(&printed), printed, "{text:?}");
        assert_eq!(
            eval(&format!("{printed} == [\"{text}\"]")),
            "true",
            "{text:?}: {printed}"
        );
        let formatted = bid()
            .args(["fmt", "-"])
            .write_stdin(format!("show \"{text}\"\n"))
            .assert()
            .code(0);
        let formatted =
            String::from_utf8(formatted.get_output().stdout.clone()).expect("output is UTF-8");
        assert_eq!(
            eval(&format!("[{}]", formatted.trim_start_matches("show "))),
            printed,
            "{text:?}"
        );
    }
}

/// Checks that lists nested a hundred thousand deep can be built step by step, written, compared
/// and dropped.
#[test]
fn deep_lists_are_handled() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut text =
        "let deep(l, n) = if n == 0 then l else deep([l], n - 1)\nlet l0 = deep([], 1000)\n"
            .to_owned();
    for step in 1..100 {
        text.push_str(&format!("let l{step} = deep(l{}, 1000)\n", step - 1));
    }
    text.push_str(
        "let other = deep(l98, 1000)\ncheck l99 == other\ncheck not (l98 == other)\nshow len(l99)\nshow l99\n",
    );
    fs::write(folder.path().join("deep.bid"), text).expect("a scratch folder is writable");
    for format in ["csv", "latex", "html"] {
        let ran = bid()
            .current_dir(folder.path())
            .args(["--format", format, "run", "deep.bid"])
            .assert()
            .code(0);
        let brackets = ran
            .get_output()
            .stdout
            .iter()
            .filter(|byte| **byte == b'[')
            .count();
        assert!(brackets > 99_000, "{format}: {brackets}");
    }
}

#[test]
fn tests_with_long_names_are_accepted() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let names = [150, 151, 255, 4000].map(|len| "n".repeat(len));
    let tests: Vec<String> = names
        .iter()
        .map(|name| format!("test \"{name}\" {{ show R(E) }}\n"))
        .collect();
    fs::write(folder.path().join("a.bid"), tests.concat()).expect("a scratch folder is writable");
    let test = |arguments: &[&str]| {
        bid()
            .current_dir(folder.path())
            .arg("test")
            .args(arguments)
            .assert()
    };
    test(&["--accept"]).code(0);
    test(&[])
        .code(0)
        .stdout(contains("4 passed, 0 failed, 0 pending"));
    // Git writes them with these line ends if it is configured so.
    for entry in fs::read_dir(folder.path().join("snapshots")).expect("it is there") {
        let path = entry.expect("it is readable").path();
        let text = fs::read_to_string(&path).expect("it is text");
        fs::write(&path, format!("\u{feff}{}", text.replace('\n', "\r\n")))
            .expect("it is writable");
    }
    test(&[])
        .code(0)
        .stdout(contains("4 passed, 0 failed, 0 pending"));
}

/// Checks that links in the folder of checkpoints to devices and to a user's own files are neither
/// read, changed nor removed.
#[cfg(unix)]
#[test]
fn links_in_a_checkpoint_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a scratch folder");
    let classics = concat!(env!("CARGO_MANIFEST_DIR"), "/games/classics.bid");
    let own = folder.path().join("own");
    fs::create_dir(&own).expect("a scratch folder is writable");
    fs::write(own.join("thesis.txt"), "a year's work").expect("a scratch folder is writable");
    let kept = folder.path().join("kept");
    let ask = |game: &str| {
        let mut command = bid();
        command.timeout(std::time::Duration::from_secs(60));
        command
            .args([
                "eval",
                "-l",
                classics,
                "--max-memory",
                "25M",
                "--timeout",
                "15s",
                "--checkpoint",
            ])
            .arg(&kept)
            .arg(game)
            .assert()
    };
    fs::create_dir(&kept).expect("a scratch folder is writable");
    symlink(own.join("thesis.txt"), kept.join("lock")).expect("links can be made");
    ask("R(tictactoe)")
        .code(2)
        .stderr(contains("not a regular file"));
    fs::remove_file(kept.join("lock")).expect("it is there");
    // The run completes if the machine is fast.
    let asked = || ask("R(connect(4, 4, 5))").code(predicate::in_iter([0, 3]));
    asked();
    let inner = fs::read_dir(&kept)
        .expect("it is there")
        .flatten()
        .map(|entry| entry.path());
    let inner: Vec<_> = inner.filter(|path| path.is_dir()).collect();
    let [inner] = &inner[..] else {
        panic!("one piece of work was left: {inner:?}")
    };
    for file in ["manifest", "0000000000-000.blob", "0000000001-000.blob"] {
        let _ = fs::remove_file(inner.join(file));
        // A reader that follows the link would never come to its end.
        symlink("/dev/zero", inner.join(file)).expect("links can be made");
    }
    asked();
    fs::remove_dir_all(inner).expect("it is there");
    symlink(&own, inner).expect("links can be made");
    ask("R(connect(4, 4, 5))")
        .code(2)
        .stderr(contains("[E0805]").and(contains("it is not a folder")));
    assert_eq!(
        fs::read_to_string(own.join("thesis.txt")).expect("it is still there"),
        "a year's work"
    );
    assert_eq!(files(&own), 1, "nothing was put beside it");
}

/// Checks a repository with links in all places to which files are written.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a scratch folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("their/snapshots")).expect("a scratch folder is writable");
    fs::create_dir_all(at("other")).expect("a scratch folder is writable");
    fs::create_dir_all(at("own")).expect("a scratch folder is writable");
    fs::write(at("own/thesis"), "let  x=1\n").expect("a scratch folder is writable");
    fs::write(at("their/a.bid"), "show 1\n").expect("a scratch folder is writable");
    fs::write(at("other/a.bid"), "show 1\n").expect("a scratch folder is writable");
    for link in [
        "their/snapshots/a.snap",
        "their/snapshots/a.snap.new",
        "their/out.txt",
        "their/b.bid",
        "their/bid.1",
    ] {
        symlink(at("own/thesis"), at(link)).expect("links can be made");
    }
    symlink(at("own"), at("other/snapshots")).expect("links can be made");
    let run = |folder: &str, arguments: &[&str]| {
        let mut command = bid();
        command.env_remove("CI").current_dir(at(folder));
        command.args(arguments).assert()
    };
    let is_refused = contains("is a link, and nothing is written through links");
    for (folder, arguments) in [
        ("their", &["test", "a.bid"][..]),
        ("their", &["test", "--accept", "a.bid"]),
        ("other", &["test", "--accept"]),
        ("their", &["eval", "-o", "out.txt", "1"]),
        ("their", &["eval", "--certificate", "out.txt", "R(E)"]),
        ("their", &["fmt", "b.bid"]),
        ("their", &["man", "."]),
    ] {
        run(folder, arguments).code(2).stderr(is_refused.clone());
    }
    // The other files of the folder are formatted.
    run("their", &["fmt", "."]).code(0);
    assert_eq!(files(&at("own")), 1, "nothing was put beside it");
    assert_eq!(
        fs::read_to_string(at("own/thesis")).expect("it is still there"),
        "let  x=1\n"
    );
}

#[cfg(unix)]
fn files(folder: &Path) -> usize {
    fs::read_dir(folder).expect("the folder is there").count()
}
