//! Runs tests from the editor, and accepts their snapshots.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bid::analysis::Outline;
use bid::engine::{Event, Finding};
use bid_language::check::DeclarationKind;
use bid_language::diagnostic::{counted, plain};
use bid_report::text::beside;
use serde_json::{Value, json};

use super::protocol::{CodeLens, Command};
use super::texts::{Text, Texts};
use crate::cli::test::{Snapshot, Verdict, snapshot_path};

/// The command that runs a test.
pub const RUN: &str = "bid.runTest";

/// The command that runs a test and accepts its output as its snapshot.
pub const ACCEPT: &str = "bid.acceptSnapshot";

/// The commands that the editor may execute.
pub const COMMANDS: [&str; 2] = [RUN, ACCEPT];

/// Returns the lenses of the tests of a document.
pub fn lenses(text: &Text, path: &Path, outline: &[Outline], texts: &Texts) -> Vec<CodeLens> {
    let Some(uri) = texts.uri(path) else {
        return Vec::new();
    };
    let tests = outline
        .iter()
        .map(|entry| &entry.declaration)
        .filter(|known| known.kind == DeclarationKind::Test);
    let lens = |known: &bid_language::check::Declaration| {
        let range = text.range(known.name_span.range(), texts.columns);
        let arguments = vec![json!(uri.as_str()), json!(known.name)];
        [(RUN, "run test"), (ACCEPT, "accept snapshot")].map(|(command, title)| CodeLens {
            range,
            command: Some(Command {
                title: title.to_owned(),
                command: command.to_owned(),
                arguments: Some(arguments.clone()),
            }),
            data: None,
        })
    };
    tests.flat_map(lens).collect()
}

/// Returns the place of the test with a name. The error is the reason that there is not exactly
/// one.
pub fn find(outline: &[Outline], name: &str) -> Result<usize, String> {
    let named = outline.iter().map(|entry| &entry.declaration);
    let named = named.filter(|known| known.kind == DeclarationKind::Test && known.name == name);
    let found: Vec<usize> = named.map(|known| known.span.start as usize).collect();
    match found[..] {
        [place] => Ok(place),
        [] => Err(format!("there is no test \"{name}\" any more")),
        [..] => Err(format!(
            "{} tests are called \"{name}\": give them names of their own",
            found.len()
        )),
    }
}

/// A running test.
#[derive(Debug)]
pub struct Testing {
    /// Its file.
    pub path: PathBuf,
    /// The path of its file in its snapshot.
    pub source: PathBuf,
    /// Its name.
    pub name: String,
    /// If set, its output becomes its snapshot.
    pub accepts: bool,
    shown: Vec<String>,
    checks: usize,
    failed: usize,
    /// The errors and warnings.
    pub findings: Vec<Finding>,
}

impl Testing {
    /// Creates the run of a test. The first path is its file, the second the file's path in the
    /// snapshot; the command decides whether the output is accepted.
    pub fn new(path: PathBuf, source: PathBuf, name: &str, command: &str) -> Self {
        let (name, accepts) = (name.to_owned(), command == ACCEPT);
        Self {
            path,
            source,
            name,
            accepts,
            shown: Vec::new(),
            checks: 0,
            failed: 0,
            findings: Vec::new(),
        }
    }

    /// Handles an event, with the text of a value.
    pub fn happened(&mut self, event: Event, text: Option<&str>) {
        match event {
            Event::Value { label, .. } => {
                let shown = text.map(|text| match label {
                    Some(label) => beside(&label, text),
                    None => text.to_owned(),
                });
                self.shown.extend(shown);
            }
            Event::Check {
                failed: Some(finding),
                ..
            } => {
                self.failed += 1;
                self.findings.push(finding);
            }
            Event::Check { failed: None, .. } => self.checks += 1,
            Event::Finding(finding) => self.findings.push(finding),
            _ => {}
        }
    }

    /// Returns the result of the test, in a sentence and as data.
    pub fn verdict(self, went_well: bool) -> (bool, String, Value) {
        let name = &self.name;
        let snapshot = if went_well { self.judge() } else { None };
        let is_same = matches!(snapshot, None | Some(Ok(Verdict::Same | Verdict::Accepted)));
        let is_good = went_well && is_same;
        let said = match &snapshot {
            // Only a test without errors is compared, since otherwise its output is incomplete.
            _ if !went_well => format!("test \"{name}\" failed: {}", self.trouble()),
            None => format!("test \"{name}\" passed: {}", counted(self.checks, "check")),
            Some(Ok(Verdict::Same)) => {
                format!("test \"{name}\" passed: its output is that of its snapshot")
            }
            Some(Ok(Verdict::Accepted)) => {
                format!("test \"{name}\": its output is its snapshot now")
            }
            Some(Ok(Verdict::New)) => {
                format!("test \"{name}\" has no snapshot yet: accept its output")
            }
            Some(Ok(Verdict::Different { .. })) => {
                format!("test \"{name}\" has another output than its snapshot")
            }
            Some(Err(error)) => {
                let why = plain(error);
                format!("the snapshot of \"{name}\" cannot be used: {why}")
            }
        };
        let data = json!({ "passed": is_good, "message": said, "shown": self.shown, "failedChecks": self.failed });
        (is_good, said, data)
    }

    fn trouble(&self) -> String {
        let first = self
            .findings
            .iter()
            .find(|finding| finding.severity == bid_language::diagnostic::Severity::Error);
        first.map_or_else(
            || "it was stopped".to_owned(),
            |finding| finding.message.clone(),
        )
    }

    fn judge(&self) -> Option<std::io::Result<Verdict>> {
        // A test that shows nothing has no snapshot to compare with.
        if self.shown.is_empty() {
            return None;
        }
        let snapshot = Snapshot {
            // The names of the other tests are not known here.
            path: snapshot_path(&self.path, Some(&self.name), &HashSet::new(), |_| true),
            source: self.source.clone(),
            name: Some(self.name.clone()),
            body: self.shown.join("\n"),
        };
        Some(snapshot.judge(self.accepts))
    }
}
