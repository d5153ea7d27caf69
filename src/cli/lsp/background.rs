//! Runs statements while the user is not typing: values beside `show`, checks that fail.
//!
//! The outcome of a statement is kept as long as its text and the texts of all that it needs are
//! unchanged. A statement that takes longer than the limit is stopped and not tried again until
//! they change. It is marked, because a statement without a mark is taken to be right.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bid::engine::{CellKind, DocumentCell, DocumentPlace, Event, Finding, Id};
use bid_language::diagnostic::Code;
use bid_language::source::Columns;

use super::protocol::{InlayHint, InlayHintLabel, InlayHintTooltip, MarkupContent, MarkupKind};
use super::texts::Text;

/// The longest value that is shown beside the text, in characters.
const WIDEST: usize = 60;

/// The outcome of a statement.
#[derive(Debug, Default)]
pub struct StatementOutcome {
    /// The beginning of the statement when it was run.
    start: usize,
    /// Values with the places that show them.
    values: Vec<(Range<usize>, String)>,
    /// Checks that failed, errors and warnings.
    findings: Vec<Finding>,
}

/// A statement that is to be run or is running.
#[derive(Debug)]
pub struct BackgroundJob {
    /// Its document.
    pub path: PathBuf,
    /// The statement.
    pub cell: DocumentCell,
    outcome: StatementOutcome,
}

/// The statements that are run in the background, and their outcomes.
#[derive(Default)]
pub struct Background {
    /// The present statements of each document.
    cells: HashMap<PathBuf, Vec<DocumentCell>>,
    outcomes: HashMap<(PathBuf, u128), Rc<StatementOutcome>>,
    waiting: VecDeque<BackgroundJob>,
    running: Option<(Id, BackgroundJob)>,
}

impl Background {
    /// Sets the present statements of a document.
    pub fn set_cells(&mut self, path: &Path, cells: Vec<DocumentCell>) {
        self.outcomes.retain(|(of, checksum), outcome| {
            of != path
                || cells
                    .iter()
                    .any(|cell| cell.checksum == *checksum && fits(outcome, cell))
        });
        self.cells.insert(path.to_owned(), cells);
    }

    /// Drops the data of a document that is no longer open.
    pub fn close(&mut self, path: &Path) {
        self.cells.remove(path);
        self.outcomes.retain(|(of, _), _| of != path);
    }

    /// Drops the outcomes of all other documents, which may use the file that has changed.
    pub fn forget_all_but(&mut self, path: &Path) {
        self.outcomes.retain(|(of, _), _| of == path);
    }

    /// Queues the statements of a document whose outcome is not known.
    pub fn line_up(&mut self, path: &Path) {
        let cells = self.cells.get(path).into_iter().flatten();
        let runs = |cell: &&DocumentCell| cell.is_readable && cell.kind != CellKind::Silent;
        let unknown = |cell: &&DocumentCell| {
            !self
                .outcomes
                .contains_key(&(path.to_owned(), cell.checksum))
        };
        let jobs: Vec<BackgroundJob> = cells
            .filter(runs)
            .filter(unknown)
            .map(|cell| job(path, cell))
            .collect();
        // Jobs of an earlier text would refer to places that no longer exist.
        self.waiting.retain(|job| job.path != path);
        self.waiting.extend(jobs);
    }

    /// Returns the next statement to run.
    pub fn next(&mut self) -> Option<BackgroundJob> {
        if self.running.is_some() {
            None
        } else {
            self.waiting.pop_front()
        }
    }

    /// Returns the statement of a document at a byte, to be run on request.
    pub fn job(&self, path: &Path, start: usize) -> Option<BackgroundJob> {
        let cell = self
            .cells
            .get(path)?
            .iter()
            .find(|cell| cell.range.start == start)?;
        Some(job(path, cell))
    }

    /// Records that a statement runs now.
    pub fn begin(&mut self, id: Id, job: BackgroundJob) {
        self.running = Some((id, job));
    }

    /// Returns the running request, if there is one, and empties the queue.
    pub fn cancel(&mut self) -> Option<Id> {
        self.waiting.clear();
        self.running.take().map(|(id, _)| id)
    }

    /// Returns `true` if a statement runs or waits.
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || !self.waiting.is_empty()
    }

    /// Handles an event; returns the document once its statement has ended.
    pub fn happened(&mut self, id: Id, event: &Event, text: Option<&str>) -> Option<PathBuf> {
        let (_, job) = self
            .running
            .as_mut()
            .filter(|(running, _)| *running == id)?;
        match event {
            Event::Value {
                statement, place, ..
            } => {
                // A value without a place of its own is shown at the end of its statement.
                let place = place.clone().or_else(|| statement.clone());
                let value = place.zip(text.map(str::to_owned));
                job.outcome.values.extend(value);
            }
            Event::Check {
                failed: Some(finding),
                ..
            } => job.outcome.findings.push(finding.clone()),
            Event::Finding(finding) => {
                let finding = if finding.code.is_stop() {
                    stopped(job, finding)
                } else {
                    finding.clone()
                };
                job.outcome.findings.push(finding)
            }
            Event::Done(_) => return Some(self.over()),
            _ => {}
        }
        None
    }

    fn over(&mut self) -> PathBuf {
        let Some((_, job)) = self.running.take() else {
            return PathBuf::new();
        };
        self.outcomes
            .insert((job.path.clone(), job.cell.checksum), Rc::new(job.outcome));
        job.path
    }

    /// Returns the statements of a document that have an outcome.
    fn known(&self, path: &Path) -> impl Iterator<Item = (&DocumentCell, &Rc<StatementOutcome>)> {
        let cells = self.cells.get(path).into_iter().flatten();
        let path = path.to_owned();
        cells.filter_map(move |cell| {
            Some((cell, self.outcomes.get(&(path.clone(), cell.checksum))?))
        })
    }

    /// Adds the findings in a document, at their present places, without those that are known
    /// without running it.
    pub fn add_findings(&self, path: &Path, all: &mut Vec<Finding>) {
        let found = self.known(path).flat_map(|(cell, outcome)| {
            outcome.findings.iter().map(|finding| {
                let mut finding = finding.clone();
                for place in finding
                    .places
                    .iter_mut()
                    .filter(|place| place.document == path)
                {
                    place.range = moved(&place.range, outcome, cell);
                }
                finding
            })
        });
        for finding in found {
            let is_the_same = |other: &Finding| {
                (other.code, &other.message, other.places.first())
                    == (finding.code, &finding.message, finding.places.first())
            };
            if !all.iter().any(is_the_same) {
                all.push(finding);
            }
        }
    }

    /// Returns the values shown beside a part of the text.
    pub fn hints(
        &self,
        path: &Path,
        text: &Text,
        part: &Range<usize>,
        columns: Columns,
    ) -> Vec<InlayHint> {
        let shown = self.known(path).flat_map(|(cell, outcome)| {
            outcome
                .values
                .iter()
                .map(move |(place, value)| (moved(place, outcome, cell).end, value))
        });
        let inside = shown.filter(|(end, _)| part.start <= *end && *end <= part.end);
        let hints = inside.map(|(end, value)| InlayHint {
            position: text.position(end, columns),
            label: InlayHintLabel::String(format!("= {}", short(value))),
            kind: None,
            text_edits: None,
            tooltip: value.contains('\n').then(|| {
                InlayHintTooltip::MarkupContent(MarkupContent {
                    kind: MarkupKind::Markdown,
                    value: format!("```\n{}\n```", value.trim_end()),
                })
            }),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
        hints.collect()
    }
}

fn job(path: &Path, cell: &DocumentCell) -> BackgroundJob {
    let outcome = StatementOutcome {
        start: cell.range.start,
        ..StatementOutcome::default()
    };
    BackgroundJob {
        path: path.to_owned(),
        cell: cell.clone(),
        outcome,
    }
}

/// Returns the mark of a statement that was stopped. It is put at the place of the stop if that is
/// inside the statement; the stop may be in another statement that it needs.
fn stopped(job: &BackgroundJob, why: &Finding) -> Finding {
    let cell = &job.cell;
    let is_inside = |place: &&DocumentPlace| {
        place.document == job.path
            && cell.range.start <= place.range.start
            && place.range.end <= cell.range.end
    };
    let unknown = match cell.kind {
        CellKind::Check => "it is not known whether this holds",
        CellKind::Test => "it is not known whether this test passes",
        CellKind::Silent | CellKind::Show => "the value is not known",
    };
    let place = why.places.iter().find(is_inside).cloned();
    let start = cell.range.start;
    let place = place.unwrap_or_else(|| DocumentPlace {
        document: job.path.clone(),
        range: start..start,
        text: String::new(),
    });
    let help = match why.code {
        Code::Time => Some(
            "`limitMilliseconds` in the server's settings limits how long it may take".to_owned(),
        ),
        _ => why.help.clone(),
    };
    Finding {
        message: format!("{unknown}: {}", why.message),
        places: vec![place],
        help,
        ..why.clone()
    }
}

/// Returns `true` if the outcome applies at the present place of a statement: unless it refers to
/// other places and the statement has moved.
fn fits(outcome: &StatementOutcome, cell: &DocumentCell) -> bool {
    let length = cell.range.len();
    let is_inside =
        |place: &Range<usize>| place.start >= outcome.start && place.end <= outcome.start + length;
    let places = outcome
        .findings
        .iter()
        .flat_map(|finding| &finding.places)
        .map(|place| &place.range);
    outcome.start == cell.range.start
        || places
            .chain(outcome.values.iter().map(|(place, _)| place))
            .all(is_inside)
}

/// Moves a place in a statement to its present position.
fn moved(place: &Range<usize>, outcome: &StatementOutcome, cell: &DocumentCell) -> Range<usize> {
    // The addition comes first, because a statement may also move towards the beginning.
    let moved = |byte: usize| (byte + cell.range.start).saturating_sub(outcome.start);
    moved(place.start)..moved(place.end)
}

/// Formats a value on one line: the last of several lines, which has the numbers of a table.
fn short(value: &str) -> String {
    let line = value.trim_end().rsplit('\n').next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= WIDEST {
        return line;
    }
    let kept: String = line.chars().take(WIDEST).collect();
    format!("{kept}…")
}
