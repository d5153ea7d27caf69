//! Runs the tests of every file and compares their output with their snapshots (`bid test`).
//!
//! The output of a file outside its `test`s is one test, and each `test "…" { … }` is one. A test
//! fails if one of its checks fails, if an error stops it, or if its output differs from its
//! [snapshot]. It is *pending* if it has output and no snapshot yet.

mod diff;
mod file;
mod snapshot;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use bid::engine::STACK;
use bid_language::diagnostic::plain;
use bid_language::files;

use super::args::TestOptions;
use super::output::{Output, complain};
use super::status::Status;
use file::{Outcome, Tested};
#[cfg(feature = "lsp")]
pub use snapshot::{Snapshot, Verdict, snapshot_path};

/// Tests all files that the paths name.
pub fn run(output: &Output, options: &TestOptions, threads: usize) -> Status {
    let found = match files::bid_files(&options.paths) {
        Ok(found) => found,
        Err((path, error)) => return output.file_error("read", &path, &error),
    };
    if found.is_empty() {
        output.remark("there are no .bid files here");
    }
    if options.accept && found.iter().any(|path| files::is_standard_input(path)) {
        let help = "leave out `--accept`, or test a file".to_owned();
        return output.usage_error(
            "standard input has no snapshots to accept".to_owned(),
            Some(help),
        );
    }
    let _work = output.guard.begin();
    let tested = test_all(output, options, &found, threads);
    // With a filter most snapshots are not made, although they are in use.
    if options.filter.is_none() {
        report_unreferenced(output, &tested);
    }
    let status = summarise(output, &tested);
    match &options.filter {
        // A filter that selects nothing is likely misspelt, and must not look like success.
        Some(part) if tested.iter().all(|result| result.outcomes.is_empty()) => {
            complain(&format!("no test has a name that contains \"{part}\""));
            status.max(Status::Wrong)
        }
        Some(_) | None => status,
    }
}

/// Tests the files on several threads and prints their results, in the order of the files.
fn test_all(
    output: &Output,
    options: &TestOptions,
    files: &[PathBuf],
    threads: usize,
) -> Vec<Tested> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(files.len()) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                loop {
                    // Files differ much in length, so each thread takes the next one when it is
                    // free.
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = files.get(index) else { return };
                    let _ = sender.send((index, file::test(output, options, path)));
                }
            };
            if let Err(error) = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
            {
                output.remark(&format!("cannot start a thread: {}", plain(&error)));
            }
        }
        // Each thread has its own copy, and the results end when the last one is dropped.
        drop(sender);
        print_in_order(output, &results)
    })
}

fn print_in_order(output: &Output, results: &mpsc::Receiver<(usize, Tested)>) -> Vec<Tested> {
    let mut printed = Vec::new();
    let mut waiting = BTreeMap::new();
    for (index, result) in results {
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(&printed.len()) {
            result.print(output);
            printed.push(result);
        }
    }
    printed
}

/// Lists the snapshots that no test makes any more. They are not failures: a renamed test leaves
/// one behind.
fn report_unreferenced(output: &Output, tested: &[Tested]) {
    let mut folders: BTreeMap<PathBuf, Vec<&Tested>> = BTreeMap::new();
    for result in tested.iter().filter(|result| result.has_snapshots()) {
        folders
            .entry(snapshot::folder(&result.path))
            .or_default()
            .push(result);
    }
    for (folder, tested) in folders {
        for path in snapshot::existing(&folder) {
            let stem = snapshot::stem(&path);
            let source = tested
                .iter()
                .find(|result| result.path.file_stem().is_some_and(|name| *name == *stem));
            let unreferenced = match source {
                Some(result) => result.ran_to_its_end && !result.snapshots.contains(&path),
                // The snapshot may belong to a file that was not tested this time.
                None => !is_source_of(&folder, &stem),
            };
            if unreferenced {
                output.remark(&format!(
                    "unreferenced snapshot: {} (no test makes it; delete it)",
                    path.display()
                ));
            }
        }
    }
}

/// Returns `true` if a file beside the snapshots' folder could have made snapshots with this stem.
fn is_source_of(folder: &Path, stem: &str) -> bool {
    folder.with_file_name(format!("{stem}.bid")).exists()
}

/// Prints the closing lines and returns the status of the whole run.
fn summarise(output: &Output, tested: &[Tested]) -> Status {
    let (mut passed, mut failed, mut pending, mut not_run) = (0, 0, 0, 0);
    for outcome in tested.iter().flat_map(|result| &result.outcomes) {
        match outcome {
            Outcome::Passed | Outcome::Accepted => passed += 1,
            Outcome::Failed => failed += 1,
            Outcome::Pending => pending += 1,
            Outcome::NotRun => not_run += 1,
        }
    }
    if pending > 0 {
        output.remark(
            "A pending test has no snapshot yet. Accept what it shows with\n`bid test --accept`, or review it with `cargo insta review`.",
        );
    }
    let rest = if not_run > 0 {
        format!(", {not_run} not run")
    } else {
        String::new()
    };
    output.result(&format!(
        "{passed} passed, {failed} failed, {pending} pending{rest}"
    ));
    let worst = tested
        .iter()
        .map(|result| result.status)
        .max()
        .unwrap_or_default();
    if failed + pending > 0 {
        worst.max(Status::CheckFailed)
    } else {
        worst
    }
}
