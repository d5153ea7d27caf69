//! Runs a document statement by statement.
//!
//! The session outlives the texts of its document: solutions are kept, and a definition keeps its
//! value as long as its text and the texts of all that it needs are unchanged. If a file that the
//! document uses changes, the session starts afresh and reads it again.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use super::cells::{cell_at, cells, only, with_needs};
use super::message::DocumentCell;
use crate::analysis::Analysis;
use crate::check::CheckedStatement;
use crate::diagnostic::Diagnostic;
use crate::eval::Dialogue;
use crate::files::Documents;
use crate::ir::GlobalId;
use crate::session::{Prepared, Session, SessionEvent, Summary, defines};
use crate::source::{SourceMap, Span};
use crate::watch::Guard;

/// The number of runs, each of which leaves its text in the session, after which the session starts
/// afresh.
const MOST_RUNS: usize = 256;

/// The session of a document.
pub struct Notebook {
    session: Session,
    /// A checksum of the files that the document used when the session began.
    uses: u128,
    runs: usize,
    /// The values of definitions, by a checksum of their texts and of the texts that they need.
    values: HashMap<u128, Value>,
}

/// A part of a document that is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunExtent {
    /// Its definitions that can be parsed.
    Definitions,
    /// The statement at this byte with the statements that it needs.
    At(usize),
}

/// The value of a definition.
#[derive(Clone, Copy)]
struct Value {
    id: GlobalId,
    /// The place of the definition when it was evaluated.
    span: Span,
}

/// The receiver of a run's events: the statement that is run, if any, and the event.
pub type CellSink<'a> = dyn FnMut(Option<Span>, &SourceMap, SessionEvent) + 'a;

/// A run of a document.
struct DocumentRun<'a> {
    notebook: &'a mut Notebook,
    cells: &'a [DocumentCell],
    /// The cells with diagnostics.
    wrong: BTreeSet<usize>,
    /// The values of definitions without diagnostics, by their cells.
    found: Vec<(usize, Value)>,
    /// The definitions that keep their value although their text has moved: the old and the new
    /// place.
    moved: Vec<(Span, Span)>,
    summary: Summary,
}

impl Notebook {
    /// Creates a session in which nothing has been run.
    pub fn new(files: &Documents, guard: Arc<Guard>) -> Self {
        let session = Session::over(Rc::new(files.clone()), guard);
        Self {
            session,
            uses: 0,
            runs: 0,
            values: HashMap::new(),
        }
    }

    /// Returns `true` if the notebook must be replaced: files that the document uses have changed,
    /// or it is full of old texts.
    pub fn is_stale(&self, uses: u128) -> bool {
        self.runs > 0 && (self.uses != uses || self.runs >= MOST_RUNS)
    }

    /// Returns the session, for questions about the definitions that were run.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Sets the partner who is asked for moves.
    pub fn set_dialogue(&mut self, dialogue: Box<dyn Dialogue>) {
        self.session.set_dialogue(dialogue);
    }

    /// Runs a part of a document that has been analysed, given its text and the checksum of the
    /// files that it uses; returns the part that was run, if any.
    pub fn run(
        &mut self,
        analysis: &Analysis,
        (text, uses): (&str, u128),
        part: RunExtent,
        sink: &mut CellSink<'_>,
    ) -> (Option<Prepared>, Summary) {
        (self.uses, self.runs) = (uses, self.runs + 1);
        let cells = cells(analysis, text);
        let text = match part {
            // Other cells are blanked out, so that their errors do not matter.
            RunExtent::At(byte) => only(text, &cells, &with_needs(&cells, cell_at(&cells, byte))),
            RunExtent::Definitions => only(
                text,
                &cells,
                &with_needs(&cells, readable_definitions(&cells)),
            ),
        };
        let prepared = self
            .session
            .prepare(&analysis.path, &text, &mut |sources, event| {
                sink(None, sources, event)
            });
        let (Some(mut prepared), summary) = prepared else {
            return (None, prepared.1);
        };
        let (wrong, found, moved) = (BTreeSet::new(), Vec::new(), Vec::new());
        let mut run = DocumentRun {
            notebook: self,
            cells: &cells,
            wrong,
            found,
            moved,
            summary,
        };
        while let Some(statement) = prepared.statements.next() {
            run.statement(&mut prepared, statement, sink);
        }
        run.keep_values();
        let summary = run.summary;
        (Some(prepared), summary)
    }
}

impl Notebook {
    /// Reports the value of the name that the statement at a byte defines, once the statement has
    /// been run.
    pub fn tell_value(
        &mut self,
        prepared: &Prepared,
        analysis: &Analysis,
        byte: usize,
        sink: &mut CellSink<'_>,
    ) -> Summary {
        let declarations = &analysis.index.declarations;
        let named = declarations.iter().find(|known| {
            known.visible.is_none()
                && known.signature.is_none()
                && known.span.range().contains(&byte)
        });
        let Some(named) = named else {
            return Summary::default();
        };
        self.session.adopt(prepared);
        let input = self.session.next_input();
        self.session
            .run_text(&input, &named.name, &mut |sources, event| {
                sink(Some(named.span), sources, event)
            })
    }
}

impl DocumentRun<'_> {
    fn statement(
        &mut self,
        prepared: &mut Prepared,
        statement: CheckedStatement,
        sink: &mut CellSink<'_>,
    ) {
        let (span, defined) = (statement.span, defines(&statement));
        let Some(cell) = cell_at(self.cells, span.start as usize) else {
            return;
        };
        let known = self
            .notebook
            .values
            .get(&self.cells[cell].checksum)
            .copied();
        if let (Some(id), Some(known)) = (defined, known)
            // Without a value to take over, the definition is evaluated as if it were new.
            && self.notebook.session.reuse(known.id, id)
        {
            self.moved.push((known.span, span));
            return;
        }
        let (moved, mut is_silent) = (&self.moved, true);
        let summary =
            self.notebook
                .session
                .run_statement(prepared, statement, &mut |sources, event| {
                    is_silent = false;
                    sink(Some(span), sources, relocated(event, moved));
                });
        if summary != Summary::default() {
            self.wrong.insert(cell);
        } else if let Some(id) = defined.filter(|_| is_silent) {
            // A definition with a warning is evaluated again, so that the warning is repeated.
            self.found.push((cell, Value { id, span }));
        }
        self.summary = self.summary.and(summary);
    }

    /// Keeps the values of definitions none of whose needs had a diagnostic. (A function that needs
    /// a value whose evaluation was stopped would otherwise continue to refer to nothing once that
    /// value exists.)
    fn keep_values(&mut self) {
        for (cell, value) in &self.found {
            if !self.cells[*cell]
                .needs
                .iter()
                .any(|need| self.wrong.contains(need))
            {
                self.notebook
                    .values
                    .insert(self.cells[*cell].checksum, *value);
            }
        }
    }
}

/// Returns the cells that define names, or affect all later cells, and that need only cells that
/// could be parsed.
fn readable_definitions(cells: &[DocumentCell]) -> impl Iterator<Item = usize> {
    let is_readable = |cell: &usize| {
        with_needs(cells, [*cell])
            .into_iter()
            .all(|need| cells[need].is_readable)
    };
    let defines = |cell: &usize| cells[*cell].defines.is_some() || cells[*cell].is_for_all;
    (0..cells.len()).filter(defines).filter(is_readable)
}

/// Moves the places of an event in definitions that keep an earlier value to their present places.
fn relocated(event: SessionEvent, moved: &[(Span, Span)]) -> SessionEvent {
    let relocate = |mut diagnostic: Diagnostic| {
        for label in &mut diagnostic.labels {
            let inside = |from: &Span| {
                from.source == label.span.source
                    && from.start <= label.span.start
                    && label.span.end <= from.end
            };
            if let Some((from, to)) = moved.iter().find(|(from, _)| inside(from)) {
                // The place lies within the old span, so the difference is not negative.
                let start = label.span.start - from.start + to.start;
                let length = label.span.end - label.span.start;
                label.span = Span {
                    source: to.source,
                    start,
                    end: start + length,
                };
            }
        }
        diagnostic
    };
    match event {
        SessionEvent::Diagnostic(diagnostic) => SessionEvent::Diagnostic(relocate(diagnostic)),
        SessionEvent::Check { failed } => SessionEvent::Check {
            failed: failed.map(relocate),
        },
        SessionEvent::Shown { .. } | SessionEvent::Value(_) | SessionEvent::Test { .. } => event,
    }
}
