//! The checker in plain Python: the certificates that it proves and rejects.

use std::path::Path;
use std::process::Command;

use rand::RngExt;
use serde_json::Value;

use super::changes::{changes, leaves};
use super::{QUESTIONS, certified, dice, json, library};

/// Runs the checker in Python; returns `None` if there is no Python.
fn python(certificate: &Value, folder: &Path) -> Option<i32> {
    let file = folder.join("certificate.json");
    std::fs::write(&file, certificate.to_string()).expect("a scratch folder is writable");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/verify.py");
    let ran = Command::new("python3")
        .arg(script)
        .arg(&file)
        .output()
        .ok()?;
    let status = ran.status.code().expect("not killed");
    assert!(
        status <= 2 && !String::from_utf8_lossy(&ran.stderr).contains("Traceback"),
        "{ran:?}"
    );
    Some(status)
}

#[test]
fn the_checker_in_python_agrees() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    if python(&Value::Null, folder.path()).is_none() {
        println!("skipped: there is no python3 here");
        return;
    }
    let mut dice = dice(3);
    let mut checked = 0;
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
        if ["nash", "bounds"].contains(&kind.as_str())
            || certificate["proof"].get("never").is_some()
            || certificate["rules"]["pay"] != "richman"
            || certificate["rules"].get("objective").is_some()
                && certificate["proof"].get("sets").is_none()
        {
            assert_eq!(python(&certificate, folder.path()), Some(2), "{question}");
            continue;
        }
        assert_eq!(python(&certificate, folder.path()), Some(0), "{question}");
        let mut places = Vec::new();
        leaves(&certificate["proof"], &mut Vec::new(), &mut |path, leaf| {
            places.push((format!("/proof{path}"), leaf.clone()))
        });
        for _ in 0..4 {
            let (path, leaf) = &places[dice.random_range(0..places.len())];
            let others: Vec<Value> = changes(path, leaf)
                .into_iter()
                .filter(|other| other != leaf)
                .collect();
            let mut mutant = certificate.clone();
            *mutant.pointer_mut(path).expect("the path leads there") =
                others[dice.random_range(0..others.len())].clone();
            let status = python(&mutant, folder.path());
            assert!(status != Some(0), "{question}: {path} {leaf}: {mutant}");
            checked += 1;
        }
    }
    assert!(checked > 60, "only {checked}");
}
