//! The input and output of an engine, as data that can be sent between threads.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::script::Script;
use super::wire;
use crate::diagnostic::{Code, Diagnostic, Fix, Label, Severity};
use crate::eval::Sight;
use crate::files::{Documents, Files};
use crate::render;
use crate::report::Report;
use crate::session::Phase;
use crate::session::Summary;
use crate::source::{SourceMap, Span};

/// The number of a request; later requests have greater numbers.
pub type Id = u64;

/// A change of the texts that can be read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// A document is open and has this text, which overrides the file on the disk.
    Open(PathBuf, String),
    /// A document is no longer open, so the file on the disk applies again.
    Close(PathBuf),
    /// The file on the disk has changed.
    Disk(PathBuf),
}

impl FileChange {
    /// Returns the file that has changed.
    pub fn path(&self) -> &PathBuf {
        match self {
            Self::Open(path, _) | Self::Close(path) | Self::Disk(path) => path,
        }
    }
}

/// A request to run a part of a document. Places are bytes of its text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Runs the statement at a place with the definitions that it needs; other statements may have
    /// errors.
    Run(PathBuf, usize),
    /// Runs a statement as [`Request::Run`] does; if it names a value, that is reported too.
    Value(PathBuf, usize),
    /// Runs a statement as [`Request::Run`] does. The script answers the questions of `play`, until
    /// it ends; the events of the match are reported as [`Event::Seen`].
    Play(PathBuf, usize, Script),
    /// Runs text with the names of a document in scope.
    Enter(PathBuf, String),
}

/// An output of an engine.
#[derive(Debug)]
pub struct Reply {
    /// The request that it answers.
    pub id: Id,
    /// The event.
    pub event: Event,
}

/// An event while a request is answered. Events come in order; the last is [`Event::Done`].
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A value.
    Value {
        /// The statement that it comes from, in the document that is run.
        statement: Option<Range<usize>>,
        /// The statement itself, if the one above is a `test` around it.
        #[serde(skip)]
        place: Option<Range<usize>>,
        /// The expression, if it is shown with its value.
        label: Option<String>,
        /// The value.
        value: Box<Report>,
    },
    /// A `check` held or failed.
    Check {
        /// The statement, in the document that is run.
        statement: Option<Range<usize>>,
        /// The diagnostic, if it failed.
        failed: Option<Finding>,
    },
    /// A `test` begins or ends, or is skipped because the run was stopped.
    Test {
        /// Its name.
        name: String,
        /// The stage of the test.
        phase: Phase,
    },
    /// An error or a warning while something runs.
    #[serde(serialize_with = "wire::finding")]
    Finding(Finding),
    /// The progress of the work.
    Progress(Progress),
    /// An event of a match, in the statement of the document that is run.
    Seen {
        /// The statement.
        statement: Option<Range<usize>>,
        /// The event of the match.
        sight: Sight,
    },
    /// A text is shown to the user who is asked for moves.
    #[serde(skip)]
    Said(String),
    /// The user is asked a question, which is answered with
    /// [`Engine::answer`](super::Engine::answer).
    #[serde(skip)]
    Asked(String),
    /// The request is answered.
    Done(Summary),
}

/// A diagnostic that needs no sources to be understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The code of the diagnostic.
    pub code: Code,
    /// Its severity.
    pub severity: Severity,
    /// The message, one sentence without a full stop.
    pub message: String,
    /// The places; the first is the primary one.
    pub places: Vec<DocumentPlace>,
    /// Further facts.
    pub notes: Vec<String>,
    /// Advice on a fix.
    pub help: Option<String>,
    /// The fixes that a program can make, the likeliest first.
    pub mendings: Vec<Mending>,
    /// The whole diagnostic drawn over the source, as on a terminal without colours.
    pub drawn: String,
}

impl Finding {
    /// Converts a diagnostic of these sources, which are texts of these documents.
    pub(super) fn of(documents: &Documents, sources: &SourceMap, diagnostic: &Diagnostic) -> Self {
        let document = |span: Span| {
            let name = Path::new(&sources.get(span.source).name);
            documents
                .canonical(name)
                .unwrap_or_else(|_| name.to_owned())
        };
        let place = |label: &Label| DocumentPlace {
            document: document(label.span),
            range: label.span.range(),
            text: label.text.clone(),
        };
        let mending = |fix: &Fix| {
            let edits = fix.edits.iter().map(|edit| DocumentEdit {
                document: document(edit.span),
                range: edit.span.range(),
                text: edit.text.clone(),
            });
            Mending {
                title: fix.title.clone(),
                edits: edits.collect(),
            }
        };
        Self {
            code: diagnostic.code,
            severity: diagnostic.severity(),
            message: diagnostic.message.clone(),
            places: diagnostic.labels.iter().map(place).collect(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
            mendings: diagnostic.fixes.iter().map(mending).collect(),
            drawn: render::diagnostic(sources, diagnostic, false),
        }
    }
}

/// A fix that an editor can offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mending {
    /// Its effect, in a few words.
    pub title: String,
    /// Its edits, of byte ranges that do not overlap.
    pub edits: Vec<DocumentEdit>,
}

/// The replacement of a part of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentEdit {
    /// The file, or the name of an input.
    #[serde(serialize_with = "wire::path")]
    pub document: PathBuf,
    /// The bytes of its text.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

/// A place with a message about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentPlace {
    /// The file, or the name of an input.
    #[serde(serialize_with = "wire::path")]
    pub document: PathBuf,
    /// The bytes of its text.
    pub range: Range<usize>,
    /// The message about the place.
    pub text: String,
}

/// The progress of a stage of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The name of the stage.
    pub stage: String,
    /// The amount of work that is done.
    pub done: u64,
    /// The whole amount of work, if it is known.
    pub total: Option<u64>,
}

/// The effect of running a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// Nothing visible.
    Silent,
    /// A value is shown.
    Show,
    /// A condition is checked.
    Check,
    /// The statements in a test are run.
    Test,
}

/// A statement of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentCell {
    /// Its byte range.
    pub range: Range<usize>,
    /// `true` if it could be parsed.
    pub is_readable: bool,
    /// Its kind, if it could be parsed.
    pub kind: CellKind,
    /// The name that it defines.
    pub defines: Option<String>,
    /// `true` if it affects all later statements: `use`, `using`.
    pub is_for_all: bool,
    /// The numbers of the cells whose change affects its meaning, in order, without its own.
    pub needs: Vec<usize>,
    /// A checksum of its text and of all cells that it needs. As long as it is unchanged, running
    /// the cell has the same result.
    #[serde(skip)]
    pub checksum: u128,
}
