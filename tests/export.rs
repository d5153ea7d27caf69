//! `bid export`: the page with a file's answers. What a browser makes of it is tested in `web/test`.

use std::fs;

use assert_cmd::Command;
use bid_testing::some;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

/// A scratch folder with a file `a.bid`.
fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("a.bid"), text).expect("a scratch folder is writable");
    folder
}

fn export(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("bid").expect("the program is built");
    command
        .current_dir(folder.path())
        .env_remove("BID_PATH")
        .arg("export")
        .args(arguments);
    command
}

#[test]
fn a_page_is_not_written_under_the_name_of_another_form() {
    let folder = folder("show R(E)\n");
    export(&folder, &["a.bid", "-o", "a.svg"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("a page is HTML").and(contains("`bid eval -o`")));
    assert!(!folder.path().join("a.svg").exists());
}

/// Returns the part of the page that a reader sees.
fn body(page: &str) -> &str {
    let (_, rest) = page.split_once("<main>").expect("the page has a body");
    rest.split_once("</main>").expect("the body ends").0
}

#[test]
fn a_file_with_errors_has_all_its_other_answers() {
    let text = "// # Fractions & <tags>\nuse \"classics.bid\"\n\nshow R(tictactoe)\nshow 1/0\n\
        check R(E) == 1/2\ncheck 1 == 2\nlet x = R(oops)\nshow x\nlet y = (\n";
    let folder = folder(text);
    let written = export(&folder, &["a.bid", "-o", "a.html"])
        .assert()
        .code(2)
        .stdout("");
    let told = String::from_utf8_lossy(&written.get_output().stderr).into_owned();
    for code in ["E0704", "E0703", "E0201", "E0102"] {
        assert_eq!(told.matches(code).count(), 1, "{code} is told once: {told}");
    }
    assert!(told.ends_with("wrote a.html\n"), "{told}");
    let page = fs::read_to_string(folder.path().join("a.html")).expect("it is written");
    assert!(page.starts_with("<!doctype html>\n"));
    assert!(page.contains("<title>Fractions &amp; &lt;tags&gt;</title>"));
    let body = body(&page);
    assert!(
        body.contains("<mfrac><mn>133</mn><mn>256</mn></mfrac>"),
        "{body}"
    );
    assert!(body.contains("<div class=\"held\">✓ holds</div>"), "{body}");
    assert!(
        body.contains("division by zero <span class=\"code\">E0704</span>"),
        "{body}"
    );
    assert!(
        body.contains("nothing here is called <code>oops</code>"),
        "{body}"
    );
    assert_eq!(
        body.matches("E0201").count(),
        2,
        "at the definition and where it is needed"
    );
    assert!(
        body.contains("<span class=\"t-keyword\">check</span>"),
        "{body}"
    );
}

/// Checks that the page of every case of the tests, most of which are wrong, tells all that `bid run`
/// tells of it, and that no file that is wrong counts as good.
#[test]
fn nothing_that_a_run_tells_is_missing() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "tests/cases/check",
        "tests/cases/eval",
        "crates/language/tests/cases",
    ];
    let folders: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
    let files = bid_language::files::bid_files(&folders).expect("the cases are there");
    assert!(files.len() > 60, "{}", files.len());
    let codes = |told: &[u8]| -> Vec<String> {
        let told = String::from_utf8_lossy(told);
        let mut codes: Vec<String> = told
            .lines()
            .filter_map(|line| line.strip_prefix('[')?.split_once(']'))
            .map(|(code, _)| code.to_owned())
            .collect();
        codes.sort();
        codes.dedup();
        codes
    };
    for file in some(files) {
        let outcome = |command: &str| {
            let output = Command::cargo_bin("bid")
                .expect("the program is built")
                .current_dir(root)
                .env_remove("BID_PATH")
                .env("NO_COLOR", "1")
                .args([command, "--timeout", "5s", "--max-memory", "1G"])
                .arg(&file)
                .output()
                .expect("it runs");
            (output.status.code(), codes(&output.stderr))
        };
        let ((status, told), (run_status, run_told)) = (outcome("export"), outcome("run"));
        let place = file.display();
        assert_eq!(
            status == Some(0),
            run_status == Some(0),
            "{place}: {told:?} {run_told:?}"
        );
        for code in &run_told {
            assert!(
                told.contains(code),
                "{place}: {code} is missing in {told:?}"
            );
        }
    }
}

#[test]
fn good_files_failed_checks_and_limits_have_their_statuses() {
    let good = folder("show 6 * 7\n");
    let page = export(&good, &["a.bid"]).assert().code(0).stderr("");
    let page = String::from_utf8_lossy(&page.get_output().stdout).into_owned();
    assert!(
        page.ends_with("</html>\n"),
        "without -o the page goes to standard output"
    );
    assert!(body(&page).contains("42"));
    export(&folder("check 1 == 2\n"), &["a.bid"])
        .assert()
        .code(1);
    // A cell that takes too long stops by itself; the others have their answers.
    let slow = folder("use \"classics.bid\"\nshow R(connect(4, 6, 7))\nshow 6 * 7\n");
    let page = export(&slow, &["a.bid", "--timeout", "300ms"])
        .assert()
        .code(3);
    let page = String::from_utf8_lossy(&page.get_output().stdout).into_owned();
    let body = body(&page);
    assert!(body.contains("E0903"), "{body}");
    assert!(body.contains("42"), "{body}");
}

#[test]
fn standard_input_is_a_file_and_other_trouble_is_told() {
    let folder = folder("");
    export(&folder, &["-"])
        .write_stdin("show 6 * 7\r\nshow 2\r\n")
        .assert()
        .code(0)
        .stdout(contains("&lt;stdin&gt;").and(contains("42")));
    export(&folder, &["missing.bid"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("missing.bid"));
    export(&folder, &["a.bid", "-o", "no/such/folder.html"])
        .assert()
        .code(2)
        .stderr(contains("cannot write"));
    export(&folder, &["a.bid", "--playground", "javascript:alert(1)"])
        .assert()
        .code(2)
        .stderr(contains("expected an address like https://"));
}

/// Checks that no text of a program can end the elements that hold it, and that the page names
/// nothing to load.
#[test]
fn the_page_holds_what_it_is_given_and_loads_nothing() {
    let text = "// </script><script>alert(1)</script>\nlet x = \"</style><img src=x onerror=alert(1)>\"\nx\n";
    let folder = folder(text);
    let arguments = ["a.bid", "--playground", "https://example.org/bid/"];
    let page = export(&folder, &arguments).assert().code(0);
    let page = String::from_utf8_lossy(&page.get_output().stdout).into_owned();
    assert_eq!(
        page.matches("</script").count(),
        2,
        "the data and the program"
    );
    assert_eq!(page.matches("</style").count(), 1);
    assert!(!page.contains("<img"), "{}", body(&page));
    assert!(page.contains("\"playground\":\"https://example.org/bid/\""));
    let data = page
        .split_once("id=\"program\">")
        .and_then(|(_, rest)| rest.split_once("</script>"))
        .expect("the page has its program")
        .0;
    let data: serde_json::Value = serde_json::from_str(data).expect("it is JSON");
    assert_eq!(data["text"], text);
    assert_eq!(data["name"], "a.bid");
    for loads in ["<img", "<iframe", "<link", "<script", "@import", "url(http"] {
        assert!(!body(&page).contains(loads), "{loads}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_writes_no_page() {
    let folder = folder("use \"classics.bid\"\nshow R(connect(4, 6, 7))\nshow 1\n");
    let program = std::process::Command::new(assert_cmd::cargo::cargo_bin("bid"))
        .current_dir(folder.path())
        .env_remove("BID_PATH")
        .args(["export", "a.bid", "-o", "a.html"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program is built");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let id = program.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status()
        .expect("kill is there");
    assert!(sent.success());
    let output = program.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("interrupted: no page was written"), "{told}");
    assert!(!folder.path().join("a.html").exists());
}
