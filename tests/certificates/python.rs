//! The checker in plain Python: the certificates that it proves and rejects.

use std::path::Path;
use std::process::Command;

use bid_testing::{GraphShape, graphs, samples};
use rand::RngExt;
use serde_json::Value;

use super::changes::{changes, leaves};
use super::endless::{marked, question_in_chips};
use super::{QUESTIONS, certified, dice, json, library, proved};

/// Runs the checker on each file, in one process, and prints its exit codes.
const RUNNER: &str = r#"
import contextlib, io, runpy, sys
script, *files = sys.argv[1:]
for file in files:
    sys.argv = [script, file]
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            runpy.run_path(script, run_name="__main__")
        print(0)
    except SystemExit as end:
        print(end.code)
"#;

/// Returns the checker's exit codes for certificates, unless there is no Python here.
pub fn statuses(certificates: &[Value]) -> Option<Vec<i32>> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let files = certificates.iter().enumerate().map(|(n, certificate)| {
        let file = folder.path().join(format!("{n}.json"));
        std::fs::write(&file, certificate.to_string()).expect("a scratch folder is writable");
        file
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/verify.py");
    let ran = Command::new("python3")
        .args(["-c", RUNNER])
        .arg(script)
        .args(files)
        .output()
        .ok()?;
    // An exception that the checker does not expect ends the process.
    assert!(ran.status.success(), "{ran:?}");
    let codes = String::from_utf8(ran.stdout).expect("numbers are text");
    let codes: Vec<i32> = codes
        .lines()
        .map(|code| code.parse().expect("a code"))
        .collect();
    assert_eq!(codes.len(), certificates.len());
    Some(codes)
}

/// Returns the status of the checker in Python; `None` if there is no Python.
pub fn status(certificate: &Value) -> Option<i32> {
    statuses(std::slice::from_ref(certificate)).map(|codes| codes[0])
}

/// Both checkers accept and reject the same ranks, scales and weights of random games.
#[test]
fn changed_ranks_are_judged_alike() {
    let (mut certificates, mut about) = (Vec::new(), Vec::new());
    let (mut dice, mut graphs) = (dice(2_718), samples(graphs(GraphShape::SMALL)));
    for objective in ["parity", "mean_payoff", "energy"].repeat(25) {
        let graph = graphs.next().expect("there is no end of them");
        let source = marked(&graph, &mut dice, objective);
        let question = question_in_chips(&mut dice, objective);
        let Some(Ok(certificate)) = certified(&source, &question) else {
            continue;
        };
        let certificate = json(&certificate);
        let mut places = Vec::new();
        leaves(&certificate["proof"], &mut Vec::new(), &mut |path, leaf| {
            places.push((format!("/proof{path}"), leaf.clone()));
        });
        for _ in 0..6 {
            let (path, leaf) = &places[dice.random_range(0..places.len())];
            let others = changes(path, leaf);
            let mut mutant = certificate.clone();
            *mutant.pointer_mut(path).expect("the path leads there") =
                others[dice.random_range(0..others.len())].clone();
            about.push(format!("{question}: {path} {leaf}: {mutant}"));
            certificates.push(mutant);
        }
        about.push(format!("{question}\n{source}"));
        certificates.push(certificate);
    }
    let Some(codes) = statuses(&certificates) else {
        println!("skipped: there is no python3 here");
        return;
    };
    let mut rejected = 0;
    for ((certificate, about), code) in certificates.iter().zip(about).zip(codes) {
        let is_proved = proved(certificate);
        assert_eq!(code == 0, is_proved, "{about}");
        rejected += usize::from(!is_proved);
    }
    let accepted = certificates.len() - rejected;
    println!("{accepted} accepted, the unchanged ones among them, {rejected} rejected");
    assert!(
        rejected > 150 && accepted < rejected,
        "{accepted} {rejected}"
    );
}

#[test]
fn the_checker_in_python_agrees() {
    let mut dice = dice(3);
    let (mut certificates, mut about, mut mutants) = (Vec::new(), Vec::new(), 0);
    for question in QUESTIONS {
        let certificate = json(
            &certified(&library(question), question)
                .expect("answered")
                .expect("written"),
        );
        let kind = certificate["claim"]
            .as_object()
            .and_then(|claim| claim.keys().next().cloned())
            .expect("a claim");
        let is_unknown = ["nash", "bounds"].contains(&kind.as_str())
            || certificate["proof"].get("never").is_some()
            || certificate["rules"]["pay"] != "richman"
            || certificate["rules"].get("objective").is_some()
                && certificate["proof"].get("sets").is_none();
        let mut places = Vec::new();
        leaves(&certificate["proof"], &mut Vec::new(), &mut |path, leaf| {
            places.push((format!("/proof{path}"), leaf.clone()))
        });
        for _ in 0..if is_unknown { 0 } else { 4 } {
            let (path, leaf) = &places[dice.random_range(0..places.len())];
            let others: Vec<Value> = changes(path, leaf)
                .into_iter()
                .filter(|other| other != leaf)
                .collect();
            let mut mutant = certificate.clone();
            *mutant.pointer_mut(path).expect("the path leads there") =
                others[dice.random_range(0..others.len())].clone();
            about.push((format!("{question}: {path} {leaf}: {mutant}"), vec![1, 2]));
            certificates.push(mutant);
            mutants += 1;
        }
        about.push((question.to_string(), vec![if is_unknown { 2 } else { 0 }]));
        certificates.push(certificate);
    }
    assert!(mutants > 60, "only {mutants}");
    let Some(codes) = statuses(&certificates) else {
        println!("skipped: there is no python3 here");
        return;
    };
    for ((about, expected), code) in about.iter().zip(codes) {
        assert!(expected.contains(&code), "{about}: {code}");
    }
}
