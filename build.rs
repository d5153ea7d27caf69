//! Tells the program which commit it is built from, for `--version`: in release builds from a
//! repository. Others would be built anew after every commit.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if is_release { commit() } else { None };
    let suffix = commit.map_or(String::new(), |commit| format!(" ({commit})"));
    println!("cargo::rustc-env=BID_COMMIT_SUFFIX={suffix}");
}

/// The commit that is checked out in the repository whose root this package is.
fn commit() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "--short=10", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
