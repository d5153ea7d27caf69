//! Theorems for Coq: the text of a written file, the questions that the theory lacks, and the check
//! that Coq accepts the files, for the rulesets beside this file, random ones, and every kind of
//! question. Without Coq the check is skipped.

mod random;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use bid::session::{Session, SessionEvent};
use bid_language::diagnostic::Diagnostic;
use bid_language::syntax::is_keyword;
use bid_language::watch::{Guard, Limits};

use crate::support::Memory;
use bid_testing::{share, some};

const RULESETS: &str = include_str!("rulesets.bid");

/// Questions about the rulesets, and others that show the features of the format.
const QUESTIONS: &[&str] = &[
    "R(climb(2))",
    "f(pairs, 3)",
    "R(drawish)",
    "f(passer, 3)",
    "R(halves(9))",
    "R(rows2)",
    "R(hexline)",
    "R(sorter)",
    "f(knights(3), 4)",
    "R(walls)",
    "R(~walls)",
    "f(walls ∧ (walls after [alice flip(0)]), 4)",
    "R(A ∧ (A^2 ∧ B^3))",
    "R({ A, B^2 | E, Draw })",
    "R(ring)",
    "f(ring, 0..3)",
    "ring(1*, 1)",
    "ring(3*, 1)",
    "ring(1, 3*)",
    "f(ring, 3) using { ties: marker }",
    "f(ring, 3) using { ties: make_it_take_it, winner: moves }",
    "f(ring, 3) using { ties: losers_ball }",
    "f(ring, 3) using { ties: ladies_first }",
    "f(ring, 3) using { ties: gentlemen_first }",
    "climb(2)(1*, 1) using { ties: marker }",
    "(~(walls after [alice flip(0)]))(2*, 2)",
    "climb(2)(0*, 3) using { ties: marker }",
    "f(A^2, 4) ≤ f(E, 4)",
    "f(E, 4) ≤ f(A^2, 4)",
    "f(ring, 4) ≥ f(A^2, 4)",
    "f(walls, 0..2) == f(~walls, 0..2)",
];

/// Returns a guard that stops early, because the random games are small.
fn few() -> Arc<Guard> {
    Arc::new(Guard::default().within(Limits::positions(20_000)))
}

/// Returns a session with a source; `None` if it has errors.
fn session(source: &str) -> Option<Session> {
    let file = (PathBuf::from("game.bid"), source.as_bytes().to_vec());
    let files = Memory(BTreeMap::from([file]));
    let mut session = Session::new(Box::new(files), few());
    let loaded = session.use_file(Path::new("game.bid"), &mut |_, _| {});
    (loaded.errors == 0).then_some(session)
}

/// Returns the theorem of an expression over a source; `None` if there is no answer.
fn theorem(source: &str, expression: &str) -> Option<Result<String, Box<Diagnostic>>> {
    let mut session = session(source).unwrap_or_else(|| panic!("{source}"));
    let mut answer = None;
    session.run_text("question", expression, &mut |_, event| {
        if let SessionEvent::Value(value) = event {
            answer = Some(value);
        }
    });
    Some(session.theorem(expression, &answer?))
}

fn written(question: &str) -> String {
    theorem(RULESETS, question)
        .unwrap_or_else(|| panic!("{question} has no answer"))
        .unwrap_or_else(|why| panic!("{question}: {why:?}"))
}

/// Returns the rules and the theorems of a file, without its listings.
fn readable(file: &str) -> String {
    let listing = file.find("(** * The listing").expect("a listing");
    let theorem = file.find("(** * The theorem").expect("a theorem");
    format!("{}…\n\n{}", &file[..listing], &file[theorem..])
}

#[test]
fn files_state_the_rules_and_the_answer() {
    let mut all = String::new();
    for question in QUESTIONS {
        let _ = writeln!(all, "{}", readable(&written(question)));
    }
    insta::assert_snapshot!(all);
}

/// Checks that the page that shows a file shows the one that is written.
#[test]
fn the_page_shows_what_is_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/how_sure.md")).expect("the page");
    let library = fs::read_to_string(root.join("games/classics.bid")).expect("the library");
    let question = "R(tictactoe at \"A../.../...\")";
    let file = theorem(&library, question)
        .expect("answered")
        .expect("written");
    let shown = page
        .split("```coq\n")
        .nth(1)
        .expect("a block")
        .split("```")
        .next()
        .expect("its end");
    let (rules, theorem) = shown.split_once("\n\n").expect("rules and a theorem");
    assert!(file.contains(rules), "{file}");
    assert!(
        theorem.starts_with(
            "Theorem R_tictactoe :\n  critical tictactoe (empty_grid 3 3) (133 # 256)."
        )
    );
    assert!(file.contains("Theorem R_tictactoe :\n  critical tictactoe "));
}

#[test]
fn what_the_theory_lacks_is_refused_by_name() {
    let cases = [
        (
            "game g { state n = 2\n move m() if n > 0 { n -= 1 }\n turn alice if n == 1\n win me if n == 0 }",
            "R(g)",
            "`turn` lines",
        ),
        (
            "game g { state b = grid(1, 2, 0)\n move m() if b[0, 0] < 2 { b[0, 0] += 1 }\n win me if b[0, 0] == 2 }",
            "R(g)",
            "only players",
        ),
        (
            "game g { state b = grid(2, 2)\n move m(c) for c in cells(b) if b[c] == empty { b[c] = me }\n win me if connected(b, me, left, right) }",
            "R(g)",
            "`connected`",
        ),
        (
            "game g { state n = 6\n move m() if n > 1 { n = n / 2 }\n win me if n == 3 }",
            "R(g)",
            "quotients only within",
        ),
        ("", "R(E) using { pay: poorman }", "this payment"),
        ("", "R(E) using { winner: moves }", "`winner: moves`"),
        ("", "R(Draw) using { draws: alice }", "worth of draws"),
        ("", "P(E)", "`P`"),
        ("", "f(E, bob: 2)", "`f(G, bob: b)`"),
        ("", "f(E, 3) using { ties: richer }", "rule for ties"),
        ("", "f(A^2, 0..2) ≤ f(E, 0..2)", "first difference"),
        ("", "A ≤ B", "not a query"),
        (
            "game g { state n = 1\n move m() if n > 0 { n -= 1 }\n win me if n == 0 }",
            "R(g ∧ A)",
            "part of another game",
        ),
    ];
    for (source, question, part) in cases {
        let why = theorem(source, question)
            .unwrap_or_else(|| panic!("{question} over {source} has no answer"))
            .expect_err("refused");
        assert!(why.message.contains(part), "{question}: {}", why.message);
        assert!(why.help.is_some(), "{question}: {}", why.message);
        // An error in the rules is labelled with its place in them.
        let about_rules = !source.is_empty() && part != "part of another game";
        assert_eq!(why.span().is_some(), about_rules, "{}", why.message);
    }
}

/// A run of Coq on files, in one process, each in a module of its own. It returns the errors of
/// each.
struct Coq {
    theory: tempfile::TempDir,
}

impl Coq {
    /// Compiles the theory; returns `None` if there is no Coq.
    fn new() -> Option<Self> {
        let found = Command::new("coqc").arg("--version").output();
        if !found.is_ok_and(|found| found.status.success()) {
            eprintln!("skipped: Coq is not installed");
            return None;
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs");
        let theory = tempfile::tempdir().expect("a scratch folder");
        let project = fs::read_to_string(folder.join("_CoqProject")).expect("the list of files");
        for file in project
            .lines()
            .filter_map(|line| line.strip_prefix("theory/"))
        {
            let path = theory.path().join(file);
            fs::copy(folder.join("theory").join(file), &path).expect("copied");
            let compiled = Command::new("coqc")
                .arg("-Q")
                .arg(theory.path())
                .arg("Proofs")
                .arg(&path)
                .output()
                .expect("Coq runs");
            let said = String::from_utf8_lossy(&compiled.stderr);
            assert!(compiled.status.success(), "{file}: {said}");
        }
        Some(Self { theory })
    }

    /// Runs a script.
    fn run(&self, script: String) -> Output {
        let mut coq = Command::new("coqtop")
            .arg("-q")
            .arg("-Q")
            .arg(self.theory.path())
            .arg("Proofs")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Coq runs");
        let mut input = coq.stdin.take().expect("a pipe");
        let feed = std::thread::spawn(move || input.write_all(script.as_bytes()));
        let output = coq.wait_with_output().expect("Coq ends");
        feed.join().expect("no panic").expect("Coq reads all");
        output
    }

    /// Returns the names that need no module before them.
    fn names(&self) -> BTreeSet<String> {
        let script = "From Proofs Require Import Answers.\nSet Printing Width 100000.\nSearch _.\n";
        let said = self.run(script.to_owned()).stdout;
        let lines = String::from_utf8_lossy(&said).into_owned();
        let heads = lines.lines().filter_map(|line| line.split_once(':'));
        heads
            .map(|(name, _)| name.trim_start_matches("Coq < ").to_owned())
            .filter(|name| words(name).next() == Some(name))
            .collect()
    }

    /// Reads files, and returns the errors of each.
    fn accepts(&self, files: &[String]) -> Vec<Result<(), String>> {
        let import = "From Proofs Require Import Answers.";
        let mut script = format!("{import}\nCheck begin_.\n");
        for (number, file) in files.iter().enumerate() {
            let body = file.replace(import, "");
            let _ = writeln!(
                script,
                "Module File{number}.\n{body}\nCheck read_{number}_.\nAbort All.\nEnd File{number}.\nCheck end_{number}_."
            );
        }
        let said = self.run(script).stderr;
        let said = String::from_utf8_lossy(&said).into_owned();
        let mut rest = said.split_once("begin_").expect("Coq begins").1;
        let mut found = Vec::new();
        for number in 0..files.len() {
            let (here, after) = rest
                .split_once(&format!("read_{number}_"))
                .expect("Coq goes on");
            // The mark between files is one error by itself.
            found.push(match here.matches("Error:").count() {
                1 => Ok(()),
                _ => Err(here.to_owned()),
            });
            rest = after
                .split_once(&format!("end_{number}_"))
                .expect("Coq goes on")
                .1;
        }
        found
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '\'')))
}

/// Returns the variables of a file's position.
fn variables(file: &str) -> impl Iterator<Item = &str> {
    let named = file.split_once("winner '(");
    let names = named.and_then(|(_, rest)| rest.split_once(')'));
    names.into_iter().flat_map(|(names, _)| words(names))
}

/// Returns the names of a file's games, functions and data.
fn definitions(file: &str) -> impl Iterator<Item = &str> {
    let defined = file.split("Definition ").skip(1);
    defined.filter_map(|rest| words(rest).next())
}

/// Checks that Coq reads rules whose variables and games are called as anything in the theory, and
/// that none of them is called as something that a written file uses.
fn names_of_coq_are_read(coq: &Coq, files: &[String]) {
    let mut names = coq.names();
    assert!(names.len() > 2000, "Coq knows {} names", names.len());
    // Names of the language have no primes; `me` and `other` are players in rulesets.
    names.retain(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && !name.contains('\'')
            && !is_keyword(name)
            && !matches!(name.as_str(), "me" | "other")
    });
    // A name that a file defines is its own there, even if the theory has such a name too.
    let mut used = BTreeSet::new();
    for file in files {
        let own: BTreeSet<&str> = variables(file).chain(definitions(file)).collect();
        let terms = file
            .split("(*")
            .map(|text| text.split("*)").last().unwrap_or(text));
        used.extend(terms.flat_map(words).filter(|word| !own.contains(word)));
    }
    let own = ["data_0", "listing", "first_listing_4", "f_g_2", "R_g"];
    let read: Vec<&str> = names.iter().map(String::as_str).chain(own).collect();
    let (mut asked, mut written) = (Vec::new(), Vec::new());
    let mut write = |source: String, question: &str| {
        let file = theorem(&source, question).expect("answered");
        written.push(file.unwrap_or_else(|why| panic!("{source}\n{why:?}")));
        asked.push(source);
    };
    for names in read.chunks(20) {
        let mut source = "game g {\n".to_owned();
        for name in names {
            let _ = writeln!(source, "state {name} = 1");
        }
        let (first, last) = (names[0], names[names.len() - 1]);
        let _ = writeln!(
            source,
            "move take if {first} > 0 {{ {first} -= 1 }}\nwin alice if {first} == 0 and {last} == 1 }}"
        );
        write(source, "f(g, 2)");
    }
    for name in read
        .iter()
        .filter(|name| used.contains(**name) || own.contains(name))
    {
        let source = format!(
            "game {name} {{ state own = 1; move take if own > 0 {{ own -= 1 }}; win alice if own == 0 }}"
        );
        write(source, &format!("f({name}, 2)"));
    }
    for (source, accepted) in asked.iter().zip(coq.accepts(&written)) {
        assert!(accepted.is_ok(), "{source}\n{accepted:?}");
    }
    let mut variables: BTreeSet<&str> = written.iter().flat_map(|file| variables(file)).collect();
    variables.remove("");
    let shadowed: Vec<&&str> = variables.intersection(&used).collect();
    assert!(shadowed.is_empty(), "{shadowed:?}");
}

#[test]
#[ignore = "takes half a minute of Coq; .ci/run runs it: cargo test --test suite -- --ignored coq_accepts"]
fn coq_accepts_what_is_written() {
    let Some(coq) = Coq::new() else { return };
    let files: Vec<String> = some(QUESTIONS).map(|question| written(question)).collect();
    for (question, accepted) in some(QUESTIONS).zip(coq.accepts(&files)) {
        assert!(accepted.is_ok(), "{question}\n{accepted:?}");
    }
    // These are random rulesets: Coq would refuse a listing that differs from the translation.
    let (mut asked, mut random) = (Vec::new(), Vec::new());
    for seed in 0..share(80) {
        let source = random::Writer::write(seed);
        let question = ["R(g)", "f(g, 3)", "R(~g)"][seed as usize % 3];
        if let Some(Ok(file)) = theorem(&source, question) {
            asked.push(format!("{question}\n{source}"));
            random.push(file);
        }
    }
    assert!(
        random.len() > share(60),
        "only {} rulesets were translated",
        random.len()
    );
    for (question, accepted) in asked.iter().zip(coq.accepts(&random)) {
        assert!(accepted.is_ok(), "{question}\n{accepted:?}");
    }
    names_of_coq_are_read(&coq, &files);
    // A changed file is refused.
    let wrong: Vec<String> = some(QUESTIONS)
        .map(|question| written(question))
        .map(|file| file.replace("(1 # ", "(2 # ").replace("Chip", "Star"))
        .filter(|file| !files.contains(file))
        .collect();
    assert!(wrong.len() > share(8));
    assert!(coq.accepts(&wrong).iter().all(Result::is_err));
}
