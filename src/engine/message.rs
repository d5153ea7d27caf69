//! What goes into an engine and what comes out, as data that may cross threads.

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
use crate::session::Summary;
use crate::source::{SourceMap, Span};

/// What a request is known by; later requests have greater ones.
pub type Id = u64;

/// A change of what can be read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// A document is open and has this text, whatever the disk holds.
    Open(PathBuf, String),
    /// A document is no longer open: the disk's file counts again.
    Close(PathBuf),
    /// The disk's file is another one.
    Disk(PathBuf),
}

impl FileChange {
    /// The file that it is about.
    pub fn path(&self) -> &PathBuf {
        match self {
            Self::Open(path, _) | Self::Close(path) | Self::Disk(path) => path,
        }
    }
}

/// A request to run something of a document. Places are bytes of its text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Runs the statement at a place with the definitions that it needs: other statements may be
    /// wrong.
    Run(PathBuf, usize),
    /// Runs such a statement; if it names a value, that is told too.
    Value(PathBuf, usize),
    /// Runs such a statement where `play` is answered from a script as far as that goes; what
    /// happens in the match is shown as [`Event::Seen`].
    Play(PathBuf, usize, Script),
    /// Runs text where the names of a document are visible.
    Enter(PathBuf, String),
}

/// What comes out of an engine.
#[derive(Debug)]
pub struct Reply {
    /// The request that it answers.
    pub id: Id,
    /// What happens.
    pub event: Event,
}

/// What happens while a request is answered, in order; the last is [`Event::Done`].
#[derive(Debug)]
pub enum Event {
    /// A value.
    Value {
        /// The statement that it comes from, in the document that is run.
        statement: Option<Range<usize>>,
        /// The statement itself, where that one is a `test` around it.
        place: Option<Range<usize>>,
        /// The expression, if it is shown with its value.
        label: Option<String>,
        /// The value.
        value: Box<Report>,
    },
    /// A `check` held, or why it failed.
    Check {
        /// The statement, in the document that is run.
        statement: Option<Range<usize>>,
        /// What it found.
        failed: Option<Finding>,
    },
    /// A `test` begins, or its name is passed over because the run was stopped.
    Test {
        /// Its name.
        name: String,
        /// What happens to it.
        phase: Phase,
    },
    /// An error or a warning while something runs.
    Finding(Finding),
    /// How far the work has come.
    Progress(Progress),
    /// What happens in a match, in the statement of the document that is run.
    Seen {
        /// The statement.
        statement: Option<Range<usize>>,
        /// What happens.
        sight: Sight,
    },
    /// Somebody who is asked for moves is told something.
    Said(String),
    /// Somebody is asked something: answer with [`Engine::answer`](super::Engine::answer).
    Asked(String),
    /// The request is answered.
    Done(Summary),
}

/// What happens to a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It begins.
    Started,
    /// It is over.
    Ended,
    /// It was never begun.
    Skipped,
}

/// A diagnostic that needs no sources to be understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of thing it is about.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// Where; the first is the primary place.
    pub places: Vec<DocumentPlace>,
    /// Further facts.
    pub notes: Vec<String>,
    /// How to mend it.
    pub help: Option<String>,
    /// How a program can mend it, the likeliest way first.
    pub mendings: Vec<Mending>,
    /// All of it drawn over the source, as on a terminal without colours.
    pub drawn: String,
}

impl Finding {
    /// A diagnostic of these sources, which are texts of these documents.
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
            let edits = fix
                .edits
                .iter()
                .map(|edit| (document(edit.span), edit.span.range(), edit.text.clone()));
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

/// A way to mend what is wrong, for an editor to offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mending {
    /// What it does, in a few words.
    pub title: String,
    /// What it changes: a file, bytes of its text, and what comes in their place; no two of these
    /// overlap.
    #[serde(serialize_with = "wire::edits")]
    pub edits: Vec<(PathBuf, Range<usize>, String)>,
}

/// A place with what is to be said about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentPlace {
    /// The file, or the name of an input.
    #[serde(serialize_with = "wire::path")]
    pub document: PathBuf,
    /// The bytes of its text.
    pub range: Range<usize>,
    /// What was found there.
    pub text: String,
}

/// How far a stage of the work has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// What is being done.
    pub stage: String,
    /// How much is done.
    pub done: u64,
    /// How much there is to do, where that is known.
    pub total: Option<u64>,
}

/// What running a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// Nothing that is seen.
    Silent,
    /// It shows a value.
    Show,
    /// It asks whether a condition holds.
    Check,
    /// It runs the statements in it.
    Test,
}

/// A statement of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentCell {
    /// Where it stands.
    pub range: Range<usize>,
    /// Whether it could be read.
    pub is_readable: bool,
    /// What kind of statement it is, if it could be read.
    pub kind: CellKind,
    /// The name that it defines.
    pub defines: Option<String>,
    /// Whether it has a say in all that follows: `use`, `using`.
    pub is_for_all: bool,
    /// The cells whose change changes what it means, by their numbers, in order; itself is none of
    /// them.
    pub needs: Vec<usize>,
    /// A checksum of its text and of all that it needs: while that is the same, running it does the
    /// same.
    #[serde(skip)]
    pub checksum: u128,
}
