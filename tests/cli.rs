//! The command line: every command, format, limit and exit status.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, is_match};
use tempfile::TempDir;

/// Returns the program, without this machine's settings.
fn bid() -> Command {
    let mut command = Command::cargo_bin("bid").expect("the program is built");
    command
        .env_remove("CI")
        .env_remove("BID_PATH")
        .env("NO_COLOR", "1");
    command
}

/// Creates a scratch folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("inside the folder"))
            .expect("a scratch folder is writable");
        fs::write(path, text).expect("a scratch folder is writable");
    }
    folder
}

/// Runs `bid` with arguments in a folder.
fn in_folder(folder: &TempDir, arguments: &[&str]) -> assert_cmd::assert::Assert {
    bid().current_dir(folder.path()).args(arguments).assert()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn eval_prints_the_bare_value() {
    bid()
        .args(["eval", "R(E)"])
        .assert()
        .code(0)
        .stdout("1/2\n")
        .stderr(is_empty());
    bid()
        .args(["eval", "-1 + 3"])
        .assert()
        .code(0)
        .stdout("2\n");
    for nothing in ["", "let x = 1", "// R(E)"] {
        bid()
            .args(["eval", nothing])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("[E0804]"));
    }
    let table = "k        0   1   2   3   4   5   6   7\nf(E, k)  0*  1   1*  2   2*  3   3*  4\n";
    bid()
        .args(["eval", "f(E, 0..7)"])
        .assert()
        .code(0)
        .stdout(table);
}

#[test]
fn a_file_in_the_place_of_a_command_is_told_with_the_command_that_runs_it() {
    bid()
        .arg("nim.bid")
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("to run the file, write `bid run nim.bid`"));
    bid()
        .arg("R(E)")
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains(
            "to evaluate an expression, write `bid eval 'R(E)'`",
        ));
    bid()
        .arg("nim")
        .assert()
        .code(2)
        .stderr(contains("bid run").not());
}

#[test]
fn unknown_options_are_named_with_a_remedy() {
    for (line, found, remedy) in [
        ("eval --max-time 3 R(E)", "'--max-time'", "'--timeout'"),
        ("eval --max-time=3 R(E)", "'--max-time'", "'--timeout'"),
        ("eval R(E) --max-time 3", "'--max-time'", "'--timeout'"),
        ("--time 3 eval R(E)", "'--time'", "'--timeout'"),
        ("run --max-time 3 a.bid", "'--max-time'", "'--timeout'"),
        ("eval --loda a.bid R(E)", "'--loda'", "'--load'"),
        ("plan --rule {} R(E)", "'--rule'", "'--rules'"),
        ("eval --json R(E)", "'--json'", "`--format json`"),
        ("eval -v R(E)", "'-v'", "Usage: bid eval"),
        (
            "run -l a.bid b.bid",
            "'-l'",
            "`-l` is an option of `bid eval` and `bid plan`",
        ),
        ("repl --load a.bid", "'--load'", "`bid repl FILE`"),
        ("-l a.bid", "'-l'", "`bid repl FILE`"),
        (
            "check -o a.svg b.bid",
            "'-o'",
            "`-o` is an option of `bid eval` and `bid export`",
        ),
        ("eval a.bid b.bid", "'b.bid'", "write `-l b.bid`"),
        ("eval 1 + 2", "'+'", "in quotes"),
        ("eval R(A) R(B)", "'R(B)'", "as a list"),
    ] {
        bid()
            .args(line.split(' '))
            .assert()
            .code(2)
            .stdout("")
            .stderr(
                contains(format!("unexpected argument {found} found"))
                    .and(contains(remedy))
                    .and(contains("--max-memory").not())
                    .and(contains("as a value").not()),
            );
    }
    // An expression may begin with hyphens.
    for expression in ["-R(E)", "--R(E)"] {
        bid().args(["eval", expression]).assert().code(0);
    }
}

#[test]
fn help_on_help_is_help() {
    let usage = |arguments: &[&str], expected: &'static str| {
        let assert = bid().args(arguments).assert().code(0).stderr("");
        assert.stdout(contains(expected));
    };
    usage(&["help", "--help"], "Usage: bid [OPTIONS] [COMMAND]");
    usage(&["help", "-h"], "Usage: bid [OPTIONS] [COMMAND]");
    usage(&["help", "eval", "--help"], "Usage: bid eval");
    bid().args(["frobnicate", "--help"]).assert().code(2);
}

#[test]
fn eval_loads_files_without_running_them() {
    let folder = folder(&[("a.bid", "let half = 1/2\nshow half\ncheck half == 3\n")]);
    in_folder(&folder, &["eval", "-l", "a.bid", "half + half"])
        .code(0)
        .stdout("1\n")
        .stderr(is_empty());
}

#[test]
fn eval_takes_rules() {
    let miti = ["eval", "--rules", "{ ties: make_it_take_it }", "f(A^2, 3)"];
    let advantage = bid()
        .args(["eval", "f(A^2, 3)"])
        .assert()
        .code(0)
        .get_output()
        .stdout
        .clone();
    let with_rules = bid()
        .args(miti)
        .assert()
        .code(0)
        .get_output()
        .stdout
        .clone();
    let written = bid()
        .args(["eval", "f(A^2, 3) using { ties: make_it_take_it }"])
        .assert()
        .code(0);
    assert_eq!(with_rules, written.get_output().stdout);
    assert_ne!(with_rules, advantage);
    bid()
        .args(["eval", "--rules", "{ teis: marker }", "R(E)"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("ties"));
}

#[test]
fn run_shows_goes_on_after_a_failed_check_and_reports_it() {
    let folder = folder(&[(
        "a.bid",
        "show R(E)\ncheck R(E) == 1/3\nshow f(E, 0..1)\n1 + 1\n",
    )]);
    in_folder(&folder, &["run", "a.bid"])
        .code(1)
        .stdout("R(E) = 1/2\nf(E, 0..1)\nk        0   1\nf(E, k)  0*  1\n2\n")
        .stderr(
            contains("[E0703]")
                .and(contains("a.bid:2:7"))
                .and(contains("1/2"))
                .and(contains("1/3")),
        );
}

#[test]
fn standard_input_is_a_program() {
    bid()
        .write_stdin("let x = 2\nshow x\n")
        .assert()
        .code(0)
        .stdout("x = 2\n")
        .stderr(is_empty());
    bid()
        .args(["run", "-"])
        .write_stdin("show 1 + 1")
        .assert()
        .code(0)
        .stdout("1 + 1 = 2\n");
    bid()
        .write_stdin([b'1', 0xff])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("[E0802]"));
    bid()
        .write_stdin("")
        .assert()
        .code(0)
        .stdout("")
        .stderr(contains("bid --help"));
}

#[test]
fn the_worst_file_decides_the_status() {
    let folder = folder(&[
        ("good.bid", "show 1\n"),
        ("failed.bid", "check 1 == 2\n"),
        ("wrong.bid", "show (\n"),
    ]);
    in_folder(&folder, &["run", "good.bid"]).code(0);
    in_folder(&folder, &["run", "failed.bid", "good.bid"])
        .code(1)
        .stdout("1 = 1\n");
    in_folder(&folder, &["run", "wrong.bid", "failed.bid", "good.bid"])
        .code(2)
        .stdout("1 = 1\n");
}

#[test]
fn check_finds_mistakes_without_running() {
    let folder = folder(&[
        ("good.bid", "show R(E)\ncheck 1 == 2\n"),
        ("wrong.bid", "show R(5)\nshow nowhere\n"),
    ]);
    in_folder(&folder, &["check", "good.bid"])
        .code(0)
        .stdout("")
        .stderr(is_empty());
    let both = contains("[E0301]").and(contains("[E0201]"));
    in_folder(&folder, &["check", "good.bid", "wrong.bid"])
        .code(2)
        .stdout("")
        .stderr(both);
}

#[test]
fn formats() {
    let eval = |format: &str, text: &str| {
        let assert = bid()
            .args(["--format", format, "eval", text])
            .assert()
            .code(0);
        String::from_utf8(assert.get_output().stdout.clone()).expect("output is UTF-8")
    };
    let rational = "{\"type\":\"rational\",\"numerator\":\"9\",\"denominator\":\"32\"}\n";
    assert_eq!(eval("json", "R(A ∧ (A^2 ∧ B^3))"), rational);
    assert_eq!(
        eval("json", "4*"),
        "{\"type\":\"chips\",\"count\":\"4\",\"mark\":\"star\"}\n"
    );
    assert_eq!(
        eval("json", "(1, true)"),
        concat!(
            "{\"type\":\"tuple\",\"items\":[{\"type\":\"integer\",\"value\":\"1\"},",
            "{\"type\":\"bool\",\"value\":true}]}\n"
        )
    );
    assert_eq!(eval("csv", "f(E, 0..1)"), "k,\"f(E, k)\"\n0,0*\n1,1\n");
    assert_eq!(eval("latex", "1/2"), "$\\frac{1}{2}$\n");
    let half = "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>";
    assert_eq!(
        eval("html", "1/2"),
        format!("<div class=\"bid\">\n<div>{half}</div>\n</div>\n")
    );
    assert!(eval("latex", "f(E, 0..12)").contains("\\toprule\n$k$ & $0$ & $1$"));
}

#[test]
fn every_json_document_has_a_type_that_the_schema_documents() {
    let schema = include_str!("../docs/json.md");
    let values = [
        "5",
        "1/2",
        "4*",
        "true",
        "\"A.\"",
        "alice",
        "E(4*, 4)",
        "empty",
        "A ∧ E",
        "let id(x) = x\nid",
        "{ ties: marker }",
        "[1]",
        "(1, 2)",
        "size(E)",
        "f(E, 0..1)",
        "strategy(E, 4*, 4)",
        "moves(E)",
        "tree(A ∧ E)",
    ];
    for text in values {
        let output = bid()
            .args(["--format", "json", "eval", text])
            .output()
            .expect("the program runs");
        assert!(
            output.status.success(),
            "{text}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("the output is JSON");
        let kind = document["type"]
            .as_str()
            .unwrap_or_else(|| panic!("{text} has a type"));
        assert!(
            schema.contains(&format!("| `{kind}`"))
                || schema.contains(&format!("`{kind}`, "))
                || schema.contains(&format!(", `{kind}` |")),
            "{kind}"
        );
    }
}

#[test]
fn shown_values_carry_their_labels_in_every_format() {
    let folder = folder(&[("a.bid", "show R(E)\n")]);
    let label = "{\"label\":\"R(E)\",\"value\":{\"type\":\"rational\",\"numerator\":\"1\",\"denominator\":\"2\"}}\n";
    in_folder(&folder, &["run", "--format", "json", "a.bid"]).stdout(label);
    in_folder(&folder, &["run", "--format", "csv", "a.bid"]).stdout("R(E),1/2\n");
    in_folder(&folder, &["run", "--format", "latex", "a.bid"]).stdout("% R(E)\n$\\frac{1}{2}$\n");
    in_folder(&folder, &["run", "--format", "html", "a.bid"])
        .stdout(contains("<div><code>R(E)</code> = <math>"));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let coloured = contains("\x1b[");
    bid()
        .args(["eval", "R(5)"])
        .assert()
        .code(2)
        .stderr(coloured.clone().not());
    bid()
        .args(["--color", "always", "eval", "R(5)"])
        .assert()
        .code(2)
        .stderr(coloured.clone());
    bid()
        .env_remove("NO_COLOR")
        .args(["eval", "R(5)"])
        .assert()
        .code(2)
        .stderr(coloured.not());
}

/// Checks that an answer is written to a file in the format of its extension, and a text unchanged.
#[test]
fn answers_are_written_to_files() {
    let folder = folder(&[]);
    let written = |file: &str, expression: &str| {
        in_folder(&folder, &["eval", "-o", file, expression])
            .code(0)
            .stdout("")
            .stderr("");
        read(&folder.path().join(file))
    };
    assert_eq!(written("a.txt", "R(E)"), "1/2\n");
    assert_eq!(
        written("a.json", "R(E)"),
        "{\"type\":\"rational\",\"numerator\":\"1\",\"denominator\":\"2\"}\n"
    );
    assert_eq!(written("a.csv", "f(E, 0..1)"), "k,\"f(E, k)\"\n0,0*\n1,1\n");
    assert!(written("a.tex", "f(E, 0..1)").starts_with("\\begin{tabular}"));
    assert!(written("a.html", "f(E, 0..1)").starts_with("<div class=\"bid\">"));
    assert!(written("a.svg", "plot(f(E, 0..5))").starts_with("<svg"));
    assert!(written("b.svg", "A^2").contains("The graph of a game"));
    assert!(written("a.dot", "A^2").starts_with("digraph game {"));
    assert!(written("b.dot", "tree(A^2)").starts_with("digraph"));
    assert!(written("a.prism", "A^2").contains("\nsmg\n"));
    assert!(written("b.prism", "prism(A^2, 1/3)").contains("1/3 : (turn'=3) + 2/3"));
    assert!(written("a.nfg", "nfg(E, 1, 1) using menz").starts_with("NFG 1 R"));
    assert!(written("a.efg", "efg(E, 1, 1) using menz").starts_with("EFG 2 R"));
    // A text is written in the file's form, unless it has that form already.
    assert_eq!(
        written("t.json", "\"a\""),
        "{\"type\":\"string\",\"value\":\"a\"}\n"
    );
    assert!(written("n.json", "node_link(E)").starts_with("{\"directed\":true"));
    assert_eq!(written("t.csv", "\"a,b\""), "\"a,b\"\n");
    assert!(written("t.html", "\"a<b\"").contains("a&lt;b"));
    assert_eq!(written("t.txt", "\"a<b\""), "a<b\n");
    let refused = |file: &str, expression: &str, why: &'static str| {
        in_folder(&folder, &["eval", "-o", file, expression])
            .code(2)
            .stdout("")
            .stderr(contains(why));
        assert!(!folder.path().join(file).exists(), "{file}");
    };
    refused("a.gif", "R(E)", "name it .txt, .json, .csv");
    refused("a.png", "R(E)", "this cannot be drawn");
    if cfg!(feature = "pictures") {
        for (file, beginning) in [("b.png", &b"\x89PNG"[..]), ("b.pdf", b"%PDF-")] {
            let arguments = ["eval", "-o", file, "tree(A^2 ∧ B)"];
            in_folder(&folder, &arguments).code(0).stderr("");
            let drawn = std::fs::read(folder.path().join(file)).expect("it is written");
            assert!(drawn.starts_with(beginning), "{file}");
        }
    } else {
        refused("b.png", "tree(A^2 ∧ B)", "--features pictures");
        refused("b.pdf", "tree(A^2 ∧ B)", "--features pictures");
    }
    refused("c.svg", "R(E)", "this cannot be drawn");
    refused("c.dot", "R(E)", "this is not a diagram");
    refused("c.nfg", "E", "write `nfg(G, a, b)`");
    refused("c.txt", "let x = 1", "is not an expression with a value");
    refused("no/folder.txt", "R(E)", "cannot write no/folder.txt");
    let input = ":write d.csv f(E, 0..1)\n:write \"e e.txt\" 1 + 1\n:write\n:write f.txt\n";
    bid()
        .current_dir(folder.path())
        .arg("repl")
        .write_stdin(input)
        .assert()
        .code(2)
        .stderr(contains("usage: :write FILE EXPR"));
    assert_eq!(
        read(&folder.path().join("d.csv")),
        "k,\"f(E, k)\"\n0,0*\n1,1\n"
    );
    assert_eq!(read(&folder.path().join("e e.txt")), "2\n");
}

/// Checks that a graph is read from a file of edges, and that errors in the file are reported with
/// their place.
#[test]
fn graphs_come_from_files() {
    let folder = folder(&[
        (
            "games/roads.bid",
            "game roads = graph { start a; edges \"data/roads.csv\"; win alice: d; win bob: e }\n",
        ),
        (
            "games/data/roads.csv",
            "player,from,to\nboth,a,b\nalice,b,d\nbob,b,e\n",
        ),
        ("bad.csv", "from,to\n1,2\n3\n"),
        ("game.pg", "parity 1;\nstart 1;\n0 2 0 1;\n1 1 1 0,1;\n"),
        (
            "game.json",
            "{\"graph\": {\"start\": 1}, \"nodes\": [{\"id\": 1}, {\"id\": \"x\", \"win\": \"alice\"}], \
            \"links\": [{\"source\": 1, \"target\": \"x\"}]}",
        ),
    ]);
    in_folder(&folder, &["eval", "-l", "games/roads.bid", "R(roads)"])
        .code(0)
        .stdout("1/2\n");
    in_folder(&folder, &["eval", "R(graph { edges \"game.json\" })"])
        .code(0)
        .stdout("0\n");
    in_folder(
        &folder,
        &[
            "eval",
            "--certificate",
            "c.json",
            "R(graph { edges \"game.json\" })",
        ],
    )
    .code(2)
    .stderr(contains("a certificate does not hold files of edges"));
    let parity = |line: &str| format!("R(graph {{ {line} }}) using {{ objective: parity }}");
    in_folder(&folder, &["eval", &parity("edges \"game.pg\"")])
        .code(0)
        .stdout("1\n");
    in_folder(&folder, &["eval", &parity("both edges \"game.pg\"")])
        .code(0)
        .stdout("0\n");
    in_folder(
        &folder,
        &["eval", &parity("alice edges \"game.pg\"; start 0")],
    )
    .code(0)
    .stdout("0\n");
    in_folder(&folder, &["eval", "graph { start 1; edges \"bad.csv\" }"])
        .code(2)
        .stderr(contains(
            "bad.csv, line 3, column 1: 2 fields are expected here, but there are 1",
        ));
    in_folder(
        &folder,
        &["eval", "graph { start 1; edges \"games/roads.bid\" }"],
    )
    .code(2)
    .stderr(contains("its name ends in none of the known extensions"));
    in_folder(&folder, &["eval", "graph { start 1; edges \"none.csv\" }"])
        .code(2)
        .stderr(contains("there is no such file"));
    in_folder(
        &folder,
        &["eval", "graph { edges \"games/data/roads.csv\" }"],
    )
    .code(2)
    .stderr(contains("[E0402]").and(contains("add a line `start x`")));
}

#[test]
fn explain_prints_the_page() {
    bid()
        .args(["explain", "E0201"])
        .assert()
        .code(0)
        .stdout(contains("# E0201"));
    bid()
        .args(["explain", "e0201"])
        .assert()
        .code(0)
        .stdout(contains("# E0201"));
    bid()
        .arg("explain")
        .assert()
        .code(0)
        .stdout(contains("E0201  ").and(contains("W0401  ")));
    bid()
        .args(["explain", "E0210"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("did you mean E0201?"));
}

#[test]
fn manual_pages_for_each_command() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    bid()
        .arg("man")
        .arg(folder.path().join("man1"))
        .assert()
        .code(0)
        .stdout("")
        .stderr("");
    let page = |name: &str| {
        fs::read_to_string(folder.path().join("man1").join(name)).expect("the page is written")
    };
    assert!(page("bid.1").contains(".TH bid 1"), "{}", page("bid.1"));
    assert!(
        page("bid-eval.1").contains("max\\-positions"),
        "{}",
        page("bid-eval.1")
    );
    fs::write(folder.path().join("taken"), "").expect("a scratch folder is writable");
    bid()
        .arg("man")
        .arg(folder.path().join("taken"))
        .assert()
        .code(2)
        .stderr(contains("taken"));
}

#[test]
fn completions_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        bid()
            .args(["completions", shell])
            .assert()
            .code(0)
            .stdout(contains("max-positions"));
    }
}

#[test]
fn wrong_command_lines() {
    for arguments in [
        &["frobnicate"][..],
        &["eval"],
        &["run"],
        &["--timeout", "soon", "eval", "1"],
        &["--threads", "0", "eval", "1"],
    ] {
        bid()
            .args(arguments)
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("error:"));
    }
    bid()
        .arg("--version")
        .assert()
        .code(0)
        .stdout(contains("bid "));
    bid()
        .arg("--help")
        .assert()
        .code(0)
        .stdout(contains("Common options").and(contains("Exit status")));
}

/// Checks the code of each bad program and the place to which the report points; all have a remedy.
#[test]
fn bad_programs_are_reported_where_they_are_wrong() {
    let classics = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/classics.bid");
    let cases = [
        ("R(A ∧ B", "E0102", "1:2"),
        ("f(tictactoe)", "E0302", "1:1"),
        ("f(A, -1)", "E0701", "1:6"),
        ("tictactoe(9*, 9*)", "E0701", "1:15"),
        ("G = A", "E0106", "1:1"),
        ("R(A) using { teis: marker }", "E0601", "1:14"),
        ("A^0", "E0401", "1:3"),
        ("R(5)", "E0301", "1:3"),
        ("R(graph { both 0 -> 1\nwin alice: 1 })", "E0402", "1:3"),
    ];
    for (text, code, place) in cases {
        let assert = bid()
            .args(["eval", "-l"])
            .arg(&classics)
            .arg(text)
            .assert()
            .code(2)
            .stdout("");
        let report =
            String::from_utf8(assert.get_output().stderr.clone()).expect("reports are UTF-8");
        assert!(
            report.starts_with(&format!("[{code}] Error: ")),
            "{text}: {report}"
        );
        assert!(
            report.contains(&format!("<expression>:{place} ")),
            "{text}: {report}"
        );
        assert!(report.contains("Help: "), "{text}: {report}");
    }
}

#[test]
fn a_hundred_thousand_brackets_are_reported_briefly() {
    let text = "(".repeat(100_000);
    let assert = bid()
        .write_stdin(text)
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("[E0105]"));
    assert!(assert.get_output().stderr.len() < 4000);
    let closed = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    bid()
        .write_stdin(closed)
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("[E0105]"));
}

/// Checks that names are reported which one used file takes from another, directly or by a file
/// that it uses itself, and that a file used twice takes none from itself.
#[test]
fn a_used_file_that_hides_names_of_another_is_reported() {
    let folder = folder(&[
        ("a.bid", "let x = 1\nlet y = 1\n"),
        ("b.bid", "use \"a.bid\"\nlet x = 2\n"),
        ("c.bid", "let x = 3\nlet y = 3\n"),
        ("own.bid", "use \"a.bid\"\nlet x = 4\nshow x\n"),
        ("twice.bid", "use \"a.bid\"\nuse \"a.bid\"\nshow x\n"),
        ("hidden.bid", "use \"a.bid\"\nuse \"b.bid\"\nshow x\n"),
        ("both.bid", "use \"b.bid\"\nuse \"c.bid\"\nshow x\n"),
    ]);
    for (file, shown) in [("own.bid", "x = 4\n"), ("twice.bid", "x = 1\n")] {
        in_folder(&folder, &["run", file])
            .success()
            .stdout(shown)
            .stderr("");
        in_folder(&folder, &["check", file]).success().stderr("");
    }
    for (file, shown, named) in [
        (
            "hidden.bid",
            "x = 2\n",
            "`x` of this file hides the definition",
        ),
        (
            "both.bid",
            "x = 3\n",
            "`x`, `y` of this file hide the definitions",
        ),
    ] {
        let reported = || contains("[W0201]").and(contains(named));
        in_folder(&folder, &["run", file])
            .success()
            .stdout(shown)
            .stderr(reported());
        in_folder(&folder, &["check", file])
            .success()
            .stderr(reported());
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = folder(&[
        ("cycle.bid", "use \"other.bid\"\n"),
        ("other.bid", "use \"cycle.bid\"\n"),
        ("sub/a.bid", ""),
    ]);
    fs::write(folder.path().join("latin1.bid"), b"// caf\xe9\n")
        .expect("a scratch folder is writable");
    in_folder(&folder, &["run", "latin1.bid"])
        .code(2)
        .stdout("")
        .stderr(contains("[E0802]").and(contains("latin1.bid")));
    in_folder(&folder, &["run", "nowhere.bid"])
        .code(2)
        .stdout("")
        .stderr(contains("[E0801]").and(contains("nowhere.bid")));
    in_folder(&folder, &["run", "games/classics.bid"])
        .code(2)
        .stdout("")
        .stderr(contains("[E0801]").and(contains("`bid eval -l games/classics.bid EXPR`")));
    in_folder(&folder, &["run", "sub"])
        .code(2)
        .stdout("")
        .stderr(contains("[E0801]"));
    in_folder(&folder, &["eval", "-l", "nowhere.bid", "1"])
        .code(2)
        .stdout("")
        .stderr(contains("[E0801]"));
    in_folder(&folder, &["fmt", "nowhere.bid"])
        .code(2)
        .stderr(contains("[E0801]"));
    in_folder(&folder, &["fmt", "latin1.bid"])
        .code(2)
        .stderr(contains("[E0802]"));
    in_folder(&folder, &["test", "nowhere.bid"])
        .code(2)
        .stderr(contains("[E0801]"));
    in_folder(&folder, &["run", "cycle.bid"])
        .code(2)
        .stdout("")
        .stderr(contains("[E0803]").and(contains("other.bid:1:5")));
}

#[test]
fn the_game_library_path_is_searched() {
    let library = folder(&[("lib.bid", "let answer = 42\n")]);
    let elsewhere = folder(&[("a.bid", "use \"lib.bid\"\nshow answer\n")]);
    in_folder(&elsewhere, &["run", "a.bid"])
        .code(2)
        .stderr(contains("[E0801]"));
    let found = bid()
        .env("BID_PATH", library.path())
        .current_dir(elsewhere.path())
        .args(["run", "a.bid"])
        .assert();
    found.code(0).stdout("answer = 42\n");
}

/// Checks a ruleset whose state leaves its range, and one without end.
#[test]
fn rulesets_that_run_away() {
    let leaves = "game broken {\n  state board = grid(1, 2)\n  move place(c) for c in 0..3 { board[0, c] = me }\n}\n";
    let folder = folder(&[
        ("leaves.bid", &format!("{leaves}show R(broken)\n")),
        (
            "endless.bid",
            "game endless {\n  state n = 0\n  move up(1) { n += 1 }\n}\nshow R(endless)\n",
        ),
    ]);
    in_folder(&folder, &["run", "leaves.bid"])
        .code(2)
        .stdout("")
        .stderr(contains("[E0502]").and(contains("leaves.bid:3:")));
    let stopped = contains("[E0901]")
        .and(contains("1000"))
        .and(contains("--max-positions"));
    in_folder(&folder, &["--max-positions", "1000", "run", "endless.bid"])
        .code(3)
        .stdout("")
        .stderr(stopped);
    let full = contains("[E0902]").and(contains("--max-memory"));
    in_folder(&folder, &["--max-memory", "64M", "run", "endless.bid"])
        .code(3)
        .stdout("")
        .stderr(full);
    in_folder(&folder, &["--max-positions", "1000", "test", "endless.bid"])
        .code(3)
        .stdout(contains("0 passed"));
}

#[test]
fn time_is_limited() {
    let began = std::time::Instant::now();
    let slow = "sum([sum([i * j for i in 0..10000]) for j in 0..10000])";
    bid()
        .args(["--timeout", "200ms", "eval", slow])
        .assert()
        .code(3)
        .stdout("")
        .stderr(contains("[E0903]").and(contains("--timeout")));
    assert!(began.elapsed().as_secs() < 20);
}

#[test]
fn recursion_without_end_is_stopped() {
    let report = contains("[E0905]");
    bid()
        .write_stdin("let f'(n) = f'(n + 1)\nf'(0)\n")
        .assert()
        .code(3)
        .stdout("")
        .stderr(report);
}

#[test]
fn quiet_hides_warnings_and_not_errors() {
    let program =
        "game g = graph { start 0\n both 0 -> 1\n win alice: 1\n win bob: 7 }\nshow R(g)\n";
    bid()
        .write_stdin(program)
        .assert()
        .code(0)
        .stderr(contains("Warning"));
    bid()
        .arg("--quiet")
        .write_stdin(program)
        .assert()
        .code(0)
        .stderr(is_empty());
    bid()
        .args(["--quiet", "eval", "R(5)"])
        .assert()
        .code(2)
        .stderr(contains("[E0301]"));
}

#[cfg(unix)]
#[test]
fn a_reader_who_leaves_is_no_error() {
    let program = env!("CARGO_BIN_EXE_bid");
    let script = format!(
        "yes 'show [i for i in 0..2000]' | head -200 | '{program}' 2>&1 >/dev/full | cat; '{program}' eval '[i for i in 0..200000]' 2>err | head -c 10; cat err >&2"
    );
    let folder = folder(&[]);
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path())
        .output()
        .expect("sh runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("cannot write to standard output: no space left on device\n"),
        "{text}"
    );
    assert!(text.ends_with("[0, 1, 2, "), "{text}");
}

#[test]
fn fmt_writes_the_canonical_form_and_keeps_what_it_cannot_read() {
    let folder = folder(&[
        ("a.bid", "show   R( E )  // why\n"),
        ("sub/b.bid", "show (\n"),
        ("sub/c.txt", "no program"),
    ]);
    let at = |name: &str| folder.path().join(name);
    in_folder(&folder, &["fmt", "--check", "a.bid"])
        .code(1)
        .stdout("a.bid is not formatted\n");
    in_folder(&folder, &["fmt", "a.bid"]).code(0).stdout("");
    assert_eq!(read(&at("a.bid")), "show R(E) // why\n");
    in_folder(&folder, &["fmt", "--check", "a.bid"])
        .code(0)
        .stdout("");
    in_folder(&folder, &["fmt", "."])
        .code(2)
        .stderr(contains("sub/b.bid:1:6"));
    assert_eq!(read(&at("sub/b.bid")), "show (\n");
    bid()
        .args(["fmt", "-"])
        .write_stdin("1+1")
        .assert()
        .code(0)
        .stdout("1 + 1\n");
}

/// Checks that a text in the form of a file is written to it as it is, and other texts are put into
/// that form.
#[test]
fn texts_in_the_form_of_a_file_are_written_unchanged() {
    let folder = folder(&[]);
    for (name, expression, expected) in [
        ("a.tex", "latex(R(E))", "$\\frac{1}{2}$\n"),
        ("b.tex", "\"50 %\"", "50 \\%\n"),
        ("a.csv", "csv(f(E, 0..1))", "k,\"f(E, k)\"\n0,0*\n1,1\n"),
        ("b.csv", "\"a, b\"", "\"a, b\"\n"),
        (
            "a.html",
            "html(E)",
            "<div class=\"bid\">\n<div><code>E</code></div>\n</div>\n",
        ),
        (
            "b.html",
            "\"a < b\"",
            "<div class=\"bid\">\n<div>a &lt; b</div>\n</div>\n",
        ),
    ] {
        in_folder(&folder, &["eval", "-o", name, expression]).code(0);
        assert_eq!(read(&folder.path().join(name)), expected, "{name}");
    }
}

mod snapshots {
    use super::*;

    const PROGRAM: &str = "show R(E)\ntest \"Figure 1\" {\n  show f(E, 0..1)\n  check R(E) == 1/2\n}\ntest \"only checks\" { check 1 == 1 }\n";

    #[test]
    fn new_ones_are_pending_until_they_are_accepted() {
        let folder = folder(&[("a.bid", PROGRAM)]);
        let at = |name: &str| folder.path().join("snapshots").join(name);
        in_folder(&folder, &["test"])
            .code(1)
            .stdout(
                contains("\"Figure 1\": pending")
                    .and(is_match("\n1 passed, 0 failed, 2 pending\n$").expect("a pattern")),
            )
            .stderr(contains("bid test --accept").and(contains("f(E, k)  0*  1")));
        assert!(!at("a.snap").exists() && at("a.snap.new").exists());
        in_folder(&folder, &["test", "--accept"])
            .code(0)
            .stdout(contains("3 passed, 0 failed, 0 pending"));
        let accepted = "---\nsource: \"a.bid\"\nexpression: \"Figure 1\"\n---\nf(E, 0..1)\nk        0   1\nf(E, k)  0*  1\n";
        assert_eq!(read(&at("a@figure-1.snap")), accepted);
        assert!(!at("a.snap.new").exists());
        in_folder(&folder, &["test"]).code(0).stdout(
            is_match("^a.bid: 3 passed .*\n3 passed, 0 failed, 0 pending\n$").expect("a pattern"),
        );
    }

    /// Checks that insta itself reads the output of `bid test` and finds it equal.
    #[test]
    fn insta_reads_them() {
        let folder = folder(&[("a.bid", PROGRAM)]);
        in_folder(&folder, &["test", "--accept"]).code(0);
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(folder.path().join("snapshots"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_snapshot_suffix("figure-1");
        settings
            .bind(|| insta::assert_snapshot!("a", "f(E, 0..1)\nk        0   1\nf(E, k)  0*  1"));
    }

    #[test]
    fn differences_fail_and_are_shown() {
        let folder = folder(&[("a.bid", PROGRAM)]);
        in_folder(&folder, &["test", "--accept"]).code(0);
        fs::write(
            folder.path().join("a.bid"),
            PROGRAM.replace("show R(E)", "show R(A)"),
        )
        .expect("writable");
        in_folder(&folder, &["test"])
            .code(1)
            .stdout(contains("2 passed, 1 failed, 0 pending"))
            .stderr(contains("- R(E) = 1/2\n+ R(A) = 0\n"));
        assert!(folder.path().join("snapshots/a.snap.new").exists());
        fs::write(folder.path().join("a.bid"), PROGRAM).expect("writable");
        in_folder(&folder, &["test"]).code(0);
        assert!(
            !folder.path().join("snapshots/a.snap.new").exists(),
            "nothing is left to review"
        );
    }

    #[test]
    fn checks_errors_and_limits_fail() {
        let folder = folder(&[
            (
                "check.bid",
                "test \"t\" { check R(E) == 1/3 }\ntest \"u\" { check 1 == 1 }\n",
            ),
            ("wrong.bid", "show (\n"),
            ("none.bid", "let x = 1\n"),
        ]);
        let both_sides = contains("this is 1/2").and(contains("this is 1/3"));
        in_folder(&folder, &["test", "check.bid"])
            .code(1)
            .stdout(contains("1 passed, 1 failed"))
            .stderr(both_sides);
        in_folder(&folder, &["test", "none.bid"])
            .code(0)
            .stdout(contains("none.bid: no tests").and(contains("0 passed")));
        in_folder(&folder, &["test"])
            .code(2)
            .stderr(contains("wrong.bid:1:6"));
    }

    #[test]
    fn one_test_can_be_picked() {
        let folder = folder(&[("a.bid", PROGRAM)]);
        in_folder(&folder, &["test", "--filter", "only"])
            .code(0)
            .stdout(contains("1 passed, 0 failed, 0 pending"));
    }

    /// Checks that tests whose names differ in signs and capitals only keep their snapshots, whether
    /// they run alone or in another order.
    #[test]
    fn names_that_make_one_file_name_keep_their_snapshots() {
        let tests = ["test \"Aa\" { show 1 }\n", "test \"aA\" { show 2 }\n"];
        let folder = folder(&[("c.bid", &tests.concat())]);
        let passes = |arguments: &[&str]| in_folder(&folder, arguments).code(0);
        passes(&["test", "--accept"]);
        let kept = || {
            let snapshots = ["c@aa.snap", "c@aa-2.snap"];
            snapshots.map(|name| read(&folder.path().join("snapshots").join(name)))
        };
        let accepted = kept();
        passes(&["test", "--filter", "aA"]);
        passes(&["test", "--accept", "--filter", "aA"]);
        passes(&["test", "--accept", "--filter", "Aa"]);
        fs::write(folder.path().join("c.bid"), [tests[1], tests[0]].concat()).expect("writable");
        passes(&["test"]);
        assert_eq!(kept(), accepted);
        // A test that is renamed takes over its snapshot.
        let renamed = [tests[0], "test \"AA\" { show 2 }\n"].concat();
        fs::write(folder.path().join("c.bid"), renamed).expect("writable");
        passes(&["test"]);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let names: Vec<String> = (0..9).map(|n| format!("{n}.bid")).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), PROGRAM)).collect();
        let folder = folder(&files);
        let run = |threads: &str| {
            let assert = in_folder(&folder, &["--threads", threads, "test"]).code(1);
            let output =
                String::from_utf8(assert.get_output().stdout.clone()).expect("output is UTF-8");
            output
                .lines()
                .map(|line| line.split(" (").next().unwrap_or(line).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(run("1"), run("4"));
    }

    #[test]
    fn unreferenced_ones_are_named() {
        let folder = folder(&[
            ("a.bid", PROGRAM),
            ("snapshots/a@gone.snap", "---\n---\nx\n"),
            ("snapshots/b.snap", "---\n---\nx\n"),
        ]);
        let named = contains("unreferenced snapshot: snapshots/a@gone.snap")
            .and(contains("snapshots/b.snap"));
        in_folder(&folder, &["test", "--accept"])
            .code(0)
            .stderr(named);
    }

    #[test]
    fn build_servers_get_no_files_to_review() {
        let folder = folder(&[("a.bid", PROGRAM)]);
        bid()
            .env("CI", "1")
            .current_dir(folder.path())
            .arg("test")
            .assert()
            .code(1);
        assert!(!folder.path().join("snapshots").exists());
    }
}

mod piped_repl {
    use super::*;

    #[test]
    fn reads_lines_without_prompt_or_colour_and_goes_on_after_errors() {
        bid()
            .arg("repl")
            .write_stdin("let x = (\n 20 + 1)\nx * 2\nnowhere\nx\n:type x\n:list\n:quit\n7\n")
            .assert()
            .code(2)
            .stdout(is_match("^42\n21\n.*integer.*\nx\n$").expect("a pattern"))
            .stderr(contains("[E0201]").and(contains("\x1b").not()));
    }

    /// Checks that a saved session can be run although a name was defined twice.
    #[test]
    fn definitions_that_were_replaced_are_saved_as_comments() {
        let folder = folder(&[]);
        let session = "let a' = (\n  3)\na'\nlet a' = 5\na' + 1\n:save out.bid\n";
        bid()
            .current_dir(folder.path())
            .arg("repl")
            .write_stdin(session)
            .assert()
            .success();
        let saved = std::fs::read_to_string(folder.path().join("out.bid")).expect("it is saved");
        assert_eq!(saved, "// let a' = (\n//   3)\n// a'\nlet a' = 5\na' + 1\n");
        bid()
            .current_dir(folder.path())
            .args(["run", "out.bid"])
            .assert()
            .success()
            .stdout("6\n");
    }

    /// Checks that definitions that later ones were made with stay, under other names, also if they
    /// are replaced or taken back.
    #[test]
    fn saved_definitions_keep_their_meaning() {
        let folder = folder(&[]);
        let session = "let a = 1\nlet b = a + 1\na\nlet a = a + 9\nlet c = [a, b]\n:forget a\nlet f(n) = if n < 1 then 1 else 2·f(n - 1)\n\
                       let g = f(3)\nlet f(n) = 0\nlet b' = 7\n[b, c, g, f(3), b']\n";
        let run = |arguments: &[&str], input: &str| {
            let mut command = bid();
            let run = command.current_dir(folder.path()).args(arguments);
            let assert = run.write_stdin(input).assert().success();
            String::from_utf8(assert.get_output().stdout.clone()).expect("output is UTF-8")
        };
        let answers = "1\n[2, [10, 2], 8, 0, 7]\n";
        assert_eq!(
            run(
                &["repl"],
                &format!("{session}:save out.bid\n:reload\n[b, c, g, f(3), b']\n")
            ),
            format!("{answers}[2, [10, 2], 8, 0, 7]\n")
        );
        let saved = read(&folder.path().join("out.bid"));
        assert_eq!(run(&["run", "out.bid"], ""), answers, "{saved}");
        assert!(
            saved.starts_with(
                "let a' = 1\nlet b = a' + 1\na'\nlet a'' = a' + 9\nlet c = [a'', b]\n"
            ),
            "{saved}"
        );
    }

    #[test]
    fn commands() {
        let folder = folder(&[("a.bid", "/// One half.\nlet half = 1/2\n")]);
        let input = ":help\n:help wedge sum\n:load a.bid\n:help half\n:rules { ties: marker }\n:rules\n:time half\nlet y = half\n:save out.bid\n:reload\ny\n:lod\n:use a.bid\nquit\n:lost\n";
        let assert = bid()
            .current_dir(folder.path())
            .arg("repl")
            .write_stdin(input)
            .assert()
            .code(2);
        let text = String::from_utf8(assert.get_output().stdout.clone()).expect("output is UTF-8");
        for expected in [
            ":load FILE",
            "\nwedge sum, `G ∧ H`. The game",
            "One half.",
            "ties: marker",
            "1/2\n0.0",
            "\n1/2\n",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        assert.stderr(
            contains("there is no command :lod; did you mean :load?")
                .and(contains(
                    "there is no command :use; `use` is written without the colon",
                ))
                .and(contains(":lost").not()),
        );
        let saved = read(&folder.path().join("out.bid"));
        assert!(
            saved.ends_with("using { ties: marker }\nhalf\nlet y = half\n"),
            "{saved}"
        );
        in_folder(&folder, &["run", "out.bid"])
            .code(0)
            .stdout("1/2\n");
    }
}
