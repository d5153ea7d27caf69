//! A document that is run, statement by statement.
//!
//! The session outlives the texts of its document: what was solved stays solved, and a definition
//! whose text has not changed, nor that of anything it needs, keeps its value. A file that the
//! document uses is read again when it changes: then the session begins anew.

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

/// So many runs leave their texts behind in a session before it begins anew.
const MOST_RUNS: usize = 256;

/// The session of a document.
pub struct Notebook {
    session: Session,
    /// What the files that the document uses held, when the session began.
    uses: u128,
    runs: usize,
    /// What definitions with their needs came to, by a checksum of their texts.
    values: HashMap<u128, Value>,
}

/// A part of a document that is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunExtent {
    /// Its definitions that can be read.
    Definitions,
    /// The statement at this byte with what it needs.
    At(usize),
}

/// What a definition came to.
#[derive(Clone, Copy)]
struct Value {
    id: GlobalId,
    /// Where the definition stood when it was evaluated.
    span: Span,
}

/// What a run tells of: the statement that is run, if any, and what happens.
pub type CellSink<'a> = dyn FnMut(Option<Span>, &SourceMap, SessionEvent) + 'a;

/// A run of a document.
struct DocumentRun<'a> {
    notebook: &'a mut Notebook,
    cells: &'a [DocumentCell],
    /// The cells that something was wrong with.
    wrong: BTreeSet<usize>,
    /// What definitions came to of which nothing was told, by their cells.
    found: Vec<(usize, Value)>,
    /// Definitions that keep the value of an earlier place: from there, to here.
    moved: Vec<(Span, Span)>,
    summary: Summary,
}

impl Notebook {
    /// A session that nothing has been run in.
    pub fn new(files: &Documents, guard: Arc<Guard>) -> Self {
        let session = Session::over(Rc::new(files.clone()), guard);
        Self {
            session,
            uses: 0,
            runs: 0,
            values: HashMap::new(),
        }
    }

    /// Whether it is of no use any more: files that the document uses have changed, or it is full
    /// of old texts.
    pub fn is_stale(&self, uses: u128) -> bool {
        self.runs > 0 && (self.uses != uses || self.runs >= MOST_RUNS)
    }

    /// The session, to be asked about what was run.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Gives whoever is asked for moves.
    pub fn set_dialogue(&mut self, dialogue: Box<dyn Dialogue>) {
        self.session.set_dialogue(dialogue);
    }

    /// Runs a part of a document that has been analysed; gives what has been run, if anything was.
    pub fn run(
        &mut self,
        analysis: &Analysis,
        text: &str,
        uses: u128,
        part: RunExtent,
        sink: &mut CellSink<'_>,
    ) -> (Option<Prepared>, Summary) {
        (self.uses, self.runs) = (uses, self.runs + 1);
        let cells = cells(analysis, text);
        let text = match part {
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
    /// Tells the value of the name that the statement at a byte defines, once that has been run.
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
            // One with a warning is evaluated again, so that the warning is told again.
            self.found.push((cell, Value { id, span }));
        }
        self.summary = self.summary.and(summary);
    }

    /// Keeps the values of definitions with none of whose needs anything was wrong. (A function
    /// that needs a value which was stopped would go on to refer to nothing when that value is
    /// there at last.)
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

/// The cells that make names visible, or have a say in all that follows, and that need none that
/// could not be read.
fn readable_definitions(cells: &[DocumentCell]) -> impl Iterator<Item = usize> {
    let is_readable = |cell: &usize| {
        with_needs(cells, [*cell])
            .into_iter()
            .all(|need| cells[need].is_readable)
    };
    let defines = |cell: &usize| cells[*cell].defines.is_some() || cells[*cell].is_for_all;
    (0..cells.len()).filter(defines).filter(is_readable)
}

/// An event whose places in definitions that keep an earlier value are those of today.
fn relocated(event: SessionEvent, moved: &[(Span, Span)]) -> SessionEvent {
    let relocate = |mut diagnostic: Diagnostic| {
        for label in &mut diagnostic.labels {
            let inside = |from: &Span| {
                from.source == label.span.source
                    && from.start <= label.span.start
                    && label.span.end <= from.end
            };
            if let Some((from, to)) = moved.iter().find(|(from, _)| inside(from)) {
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
        SessionEvent::CheckFailed(diagnostic) => SessionEvent::CheckFailed(relocate(diagnostic)),
        SessionEvent::Shown { .. }
        | SessionEvent::Value(_)
        | SessionEvent::CheckPassed { .. }
        | SessionEvent::TestStarted { .. }
        | SessionEvent::TestSkipped { .. }
        | SessionEvent::TestEnded { .. } => event,
    }
}
