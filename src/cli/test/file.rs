//! The tests of one file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bid::session::{Phase, SessionEvent};
use bid_language::diagnostic::{Diagnostic, Severity, counted, plain};
use bid_language::source::SourceMap;
use bid_language::syntax::quoted;
use bid_report::Format;
use bid_report::safe::visible;

use super::super::args::TestOptions;
use super::super::output::Output;
use super::super::run;
use super::super::status::Status;
use super::diff;
use super::snapshot::{Snapshot, Verdict, snapshot_path};

/// The most lines of a pending snapshot that are printed.
const PREVIEW: usize = 12;

/// The outcome of one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All checks held, and the output equals the snapshot.
    Passed,
    /// The output is the new snapshot.
    Accepted,
    /// A check failed, an error occurred, or the snapshot differs.
    Failed,
    /// There is no snapshot yet.
    Pending,
    /// A limit or an interrupt stopped the run before the test.
    NotRun,
}

/// The result of one file.
#[derive(Debug, Default)]
pub struct Tested {
    /// The file.
    pub path: PathBuf,
    /// The outcomes of its tests, in order.
    pub outcomes: Vec<Outcome>,
    /// The status of errors and stops; failures of tests are in the outcomes.
    pub status: Status,
    /// `true` if all of its tests were reached.
    pub ran_to_its_end: bool,
    /// The snapshots that its tests have.
    pub snapshots: HashSet<PathBuf>,
    /// The names of its tests, in quotation marks.
    names: HashSet<String>,
    /// A line for each test that did not simply pass.
    lines: Vec<String>,
    /// Diagnostics and differences, as they are printed.
    details: Vec<String>,
    took: Duration,
}

impl Tested {
    /// Prints the file's lines on standard output and the details on standard error.
    pub fn print(&self, output: &Output) {
        for detail in &self.details {
            super::super::output::complain_coloured(detail);
        }
        let passed = self
            .outcomes
            .iter()
            .filter(|outcome| matches!(outcome, Outcome::Passed | Outcome::Accepted))
            .count();
        let count = match (self.outcomes.len(), passed) {
            (0, _) if self.status == Status::Good => "no tests".to_owned(),
            (0, _) => "FAILED".to_owned(),
            (all, passed) if all == passed => format!("{passed} passed"),
            (all, passed) => format!("{passed} of {all} passed"),
        };
        output.result(&format!(
            "{}: {count} ({:.1} s)",
            self.path.display(),
            self.took.as_secs_f64()
        ));
        for line in &self.lines {
            output.result(&format!("  {line}"));
        }
    }
}

/// A test while it runs: its output and its failures.
#[derive(Debug, Default)]
struct Group {
    /// The name; `None` for the part outside the file's tests.
    name: Option<String>,
    shown: Vec<String>,
    checks: usize,
    failed: bool,
    skipped: bool,
}

impl Group {
    fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.checks == 0 && !self.failed
    }
}

/// Runs a file and judges its tests.
pub fn test(output: &Output, options: &TestOptions, path: &Path) -> Tested {
    let began = Instant::now();
    let (mut session, path) = match run::session_for(output, path) {
        Ok(opened) => opened,
        Err(status) => {
            return Tested {
                path: path.to_owned(),
                status,
                ..Tested::default()
            };
        }
    };
    session.select_tests(options.filter.clone());
    let mut groups = Groups::new(output);
    let summary = session.run_file(&path, &mut |sources, event| groups.event(sources, event));
    let mut tested = Tested {
        path,
        status: Status::from(bid::session::Summary {
            // Failed checks are counted as outcomes of tests, so that they do not count twice.
            failed_checks: 0,
            ..summary
        }),
        // Only then a snapshot that no test has made is certainly out of use.
        ran_to_its_end: summary.errors == 0 && !summary.stopped,
        details: groups.details,
        ..Tested::default()
    };
    let top_level = std::iter::once(groups.top_level)
        // The part outside tests has no name that a filter could select.
        .filter(|group| !group.is_empty() && options.filter.is_none());
    let names = groups.tests.iter().flat_map(|group| &group.name);
    tested.names = names.map(|name| quoted(name)).collect();
    for group in top_level.chain(groups.tests) {
        tested.judge(output, options, group);
    }
    tested.took = began.elapsed();
    tested
}

/// Sorts events into tests.
struct Groups<'o> {
    output: &'o Output,
    top_level: Group,
    tests: Vec<Group>,
    /// `true` if the last of `tests` is still running.
    inside: bool,
    details: Vec<String>,
}

impl<'o> Groups<'o> {
    fn new(output: &'o Output) -> Self {
        Self {
            output,
            top_level: Group::default(),
            tests: Vec::new(),
            inside: false,
            details: Vec::new(),
        }
    }

    fn current(&mut self) -> &mut Group {
        match self.tests.last_mut() {
            Some(test) if self.inside => test,
            Some(_) | None => &mut self.top_level,
        }
    }

    fn event(&mut self, sources: &SourceMap, event: SessionEvent) {
        match event {
            // A value whose writing is stopped is not shown: the session checks the same guard and
            // reports the stop.
            SessionEvent::Shown { label, value, .. } => {
                let text = value.labelled(&label, Format::Text, &self.output.guard.context());
                self.current().shown.extend(text);
            }
            SessionEvent::Value(value) => {
                let text = value.render(Format::Text, &self.output.guard.context());
                self.current().shown.extend(text);
            }
            SessionEvent::Check { failed: None } => self.current().checks += 1,
            SessionEvent::Check {
                failed: Some(diagnostic),
            } => {
                self.current().failed = true;
                self.detail(sources, &diagnostic);
            }
            SessionEvent::Diagnostic(diagnostic) => {
                self.current().failed |= diagnostic.severity() == Severity::Error;
                self.detail(sources, &diagnostic);
            }
            SessionEvent::Test {
                phase: Phase::Ended,
                ..
            } => self.inside = false,
            SessionEvent::Test { name, phase } => {
                self.inside = phase == Phase::Started;
                self.tests.push(Group {
                    name: Some(name),
                    skipped: phase == Phase::Skipped,
                    ..Group::default()
                });
            }
        }
    }

    fn detail(&mut self, sources: &SourceMap, diagnostic: &Diagnostic) {
        self.details.extend(self.output.drawn(sources, diagnostic));
    }
}

impl Tested {
    /// Returns `true` if the tests have snapshots; those of standard input would have no place.
    pub fn has_snapshots(&self) -> bool {
        self.path != Path::new(run::STANDARD_INPUT)
    }

    fn judge(&mut self, output: &Output, options: &TestOptions, group: Group) {
        let name = group.name.as_deref();
        let title = name.map_or_else(|| "outside tests".to_owned(), |name| format!("\"{name}\""));
        let outcome = if group.skipped {
            Outcome::NotRun
        } else if group.shown.is_empty() || !self.has_snapshots() {
            if group.failed {
                Outcome::Failed
            } else {
                Outcome::Passed
            }
        } else {
            self.compare(output, options, &group, &title)
        };
        match outcome {
            Outcome::Passed => {}
            Outcome::Accepted => self.lines.push(format!("{title}: accepted")),
            Outcome::Failed => self.lines.push(format!("{title}: FAILED")),
            Outcome::NotRun => self.lines.push(format!("{title}: not run")),
            Outcome::Pending => self
                .lines
                .push(format!("{title}: pending, no snapshot yet")),
        }
        self.outcomes.push(outcome);
    }

    fn compare(
        &mut self,
        output: &Output,
        options: &TestOptions,
        group: &Group,
        title: &str,
    ) -> Outcome {
        // With a filter the names of the other tests are not known.
        let is_anothers = |name: &str| options.filter.is_some() || self.names.contains(name);
        let name = group.name.as_deref();
        let path = snapshot_path(&self.path, name, &self.snapshots, is_anothers);
        // The snapshot counts as used even if the test fails, so that it is not reported for
        // deletion.
        self.snapshots.insert(path.clone());
        let snapshot = Snapshot {
            path,
            source: self.path.clone(),
            name: group.name.clone(),
            body: group.shown.join("\n"),
        };
        if group.failed {
            return Outcome::Failed;
        }
        match snapshot.judge(options.accept) {
            Ok(Verdict::Same) => Outcome::Passed,
            Ok(Verdict::Accepted) => Outcome::Accepted,
            Ok(Verdict::New) => {
                let shows = format!(
                    "{}, {title}, shows:\n{}",
                    self.path.display(),
                    indented(&snapshot.body)
                );
                self.details.push(visible(&shows).into_owned());
                Outcome::Pending
            }
            Ok(Verdict::Different { old }) => {
                let difference = diff::lines(&old, &snapshot.body, output.colour_errors);
                let place = snapshot.path.display();
                let head = format!("{}, {title}, differs from {place}:", self.path.display());
                self.details
                    .push(format!("{}\n{difference}", visible(&head)));
                Outcome::Failed
            }
            Err(error) => {
                let reason = plain(&error);
                let trouble = format!(
                    "cannot use the snapshot {}: {reason}",
                    snapshot.path.display()
                );
                self.details.push(visible(&trouble).into_owned());
                self.status = self.status.max(Status::Wrong);
                Outcome::Failed
            }
        }
    }
}

/// Returns the first lines, indented; the whole text is in the `.snap.new` file.
fn indented(text: &str) -> String {
    let mut lines: Vec<String> = text
        .lines()
        .take(PREVIEW)
        .map(|line| format!("  {line}"))
        .collect();
    let more = text.lines().count().saturating_sub(PREVIEW);
    if more > 0 {
        lines.push(format!("  … {}", counted(more, "more line")));
    }
    lines.join("\n")
}
