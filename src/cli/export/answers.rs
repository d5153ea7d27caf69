//! Runs the statements of a file and collects what a page shows of their answers.

use std::path::Path;

use bid::engine::{Core, DocumentCell, Event, Finding, Id, Phase, Reply, Request, Script};
use bid::session::Summary;
use bid_language::diagnostic::Severity;
use bid_language::watch::Context;
use bid_report::Format;

/// A statement that was run, with what came of it.
#[derive(Debug, Default)]
pub struct AnsweredCell {
    /// The parts of the answer in order.
    pub parts: Vec<AnswerPart>,
    /// The number of checks that hold.
    pub checks: usize,
    /// The result of the run.
    pub summary: Summary,
}

/// A part of an answer.
#[derive(Debug)]
pub enum AnswerPart {
    /// A value, with its expression if it is shown, as a fragment of HTML.
    Value { label: Option<String>, html: String },
    /// An error or a warning.
    Finding(Box<Finding>),
    /// A test that was left out because the run was stopped.
    Skipped(String),
    /// A match, which needs somebody who plays it.
    Match,
}

/// Returns `true` if the primary place of a finding is in a statement, or at its end.
fn is_within(cell: &DocumentCell, finding: &Finding) -> bool {
    let start = finding.places.first().map(|place| place.range.start);
    start.is_some_and(|start| cell.range.start <= start && start <= cell.range.end)
}

/// Runs a statement of a file, with the definitions that it needs.
pub fn answer(
    core: &mut Core,
    id: Id,
    path: &Path,
    cell: &DocumentCell,
    context: &Context<'_>,
) -> AnsweredCell {
    let mut answered = AnsweredCell::default();
    // A match is shown as far as it goes without an answer of the user.
    let request = Request::Play(path.to_owned(), cell.range.start, Script::default());
    core.answer(id, request, &mut |reply: Reply| {
        answered.take(reply.event, context)
    });
    answered
}

impl AnsweredCell {
    /// Adds the findings of the analysis in the text of the statement, unless the run has reported
    /// them. A run does not see that a name is defined twice, as it leaves other statements out.
    pub fn add_analysis(&mut self, cell: &DocumentCell, findings: &[Finding]) {
        let inside = findings.iter().filter(|finding| is_within(cell, finding));
        self.add(inside);
    }

    /// Returns an answer of all findings that are in no statement.
    pub fn outside(cells: &[DocumentCell], findings: &[Finding]) -> Self {
        let is_outside = |finding: &&Finding| !cells.iter().any(|cell| is_within(cell, finding));
        let mut answered = Self::default();
        answered.add(findings.iter().filter(is_outside));
        answered
    }

    fn add<'f>(&mut self, findings: impl Iterator<Item = &'f Finding>) {
        for finding in findings {
            // The analysis and the run may both report the finding, and it is shown once.
            let is_told = |told: &Finding| {
                (told.code, &told.message, &told.places)
                    == (finding.code, &finding.message, &finding.places)
            };
            if self.findings().any(is_told) {
                continue;
            }
            if finding.severity == Severity::Error {
                self.summary.errors += 1;
            }
            self.parts
                .push(AnswerPart::Finding(Box::new(finding.clone())));
        }
    }

    /// Returns the errors and warnings.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.parts.iter().filter_map(|part| match part {
            AnswerPart::Finding(finding) => Some(&**finding),
            AnswerPart::Value { .. } | AnswerPart::Skipped(_) | AnswerPart::Match => None,
        })
    }

    fn is_match(&self) -> bool {
        matches!(self.parts.last(), Some(AnswerPart::Match))
    }

    fn take(&mut self, event: Event, context: &Context<'_>) {
        match event {
            // The value of a match that waits for the user says that it was stopped.
            Event::Value { .. } | Event::Seen { .. } if self.is_match() => {}
            Event::Seen { .. } => self.parts.push(AnswerPart::Match),
            Event::Value { label, value, .. } => {
                // A value whose writing is stopped is left out; the session reports the stop.
                if let Ok(html) = value.render(Format::Html, context) {
                    self.parts.push(AnswerPart::Value { label, html });
                }
            }
            Event::Check {
                failed: Some(finding),
                ..
            }
            | Event::Finding(finding) => self.parts.push(AnswerPart::Finding(Box::new(finding))),
            Event::Check { failed: None, .. } => self.checks += 1,
            Event::Test {
                name,
                phase: Phase::Skipped,
            } => self.parts.push(AnswerPart::Skipped(name)),
            Event::Done(summary) => self.summary = summary,
            Event::Test { .. } | Event::Progress(_) | Event::Said(_) | Event::Asked(_) => {}
        }
    }
}
