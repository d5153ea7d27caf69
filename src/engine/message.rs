//! What goes into an engine and what comes out, as data that may cross threads.

use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

#[cfg(not(target_family = "wasm"))]
use super::prompt::Prompt;
use super::script::Script;
use super::wire;
use crate::analysis::{CallAt, Completion, Description, Fold, Location, Meaning, Outline};
use crate::diagnostic::{Code, Severity};
use crate::eval::Sight;
use crate::report::Report;
use crate::session::{Packed, Summary, Symbol};
use crate::syntax::Classified;

/// What a request is known by; later requests have greater ones.
pub type Id = u64;

/// What goes into an engine.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// A document or a file is another one now.
    Change(Change),
    /// Something is asked.
    Request(Id, Request),
}

/// A change of what can be read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A document is open and has this text, whatever the disk holds.
    Open(PathBuf, String),
    /// A document is no longer open: the disk's file counts again.
    Close(PathBuf),
    /// The disk's file is another one.
    Disk(PathBuf),
}

impl Change {
    /// The file that it is about.
    pub fn path(&self) -> &PathBuf {
        match self {
            Self::Open(path, _) | Self::Close(path) | Self::Disk(path) => path,
        }
    }
}

/// A request: what pages, editors and other front ends ask.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Asks about a document without running anything.
    Ask(PathBuf, Question),
    /// Asks for the page of a diagnostic's code.
    Explain(Code),
    /// Runs a document, or a statement of it with what it needs.
    Run(PathBuf, Part),
    /// Runs a part of a document where `play` is answered from a script as far as that goes; what
    /// happens in the match is shown as [`Event::Seen`].
    Play(PathBuf, Part, Script),
    /// Runs text at the prompt, where the names of a document are visible if one is named.
    Enter(Option<PathBuf>, String),
    /// Asks for the files of the game library that is part of the program.
    Library,
    /// Does something with the session at the prompt, for programs that hold values.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    Prompt(Box<Prompt>),
}

/// A question about a document that nothing needs to be run for. Places are bytes of its text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// What is wrong with it.
    Diagnose,
    /// What may stand at a place.
    Complete(usize),
    /// What is to be said about a place.
    Describe(usize),
    /// The call around a place.
    Call(usize),
    /// Where the name at a place is declared.
    Definition(usize),
    /// Where the name at a place is declared and used, in all files that are known.
    References(usize),
    /// The same, if that name can be another one.
    Rename(usize),
    /// Where another name for it is to be written, or why it cannot be.
    RenameTo(usize, String),
    /// What it declares.
    Outline,
    /// What its tokens are.
    Tokens,
    /// Its statements, and which of them need which.
    Cells,
    /// The files that it uses: where it says so, and the beginning of each.
    Uses,
    /// What of it can be folded.
    Folds,
    /// What a place is part of.
    Selections(usize),
    /// Its canonical form.
    Format,
    /// The canonical form of the statements that a part of it touches.
    FormatPart {
        /// The first byte.
        start: usize,
        /// One past the last byte.
        end: usize,
    },
}

/// What of a document is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Its definitions that can be read.
    Definitions,
    /// All of it; nothing if anything is wrong with it.
    All,
    /// The statement at this byte with the definitions that it needs: other statements may be
    /// wrong.
    At(usize),
    /// The same; if the statement names a value, that is told too.
    Value(usize),
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
    /// What is wrong with a document, nothing if it is right.
    Diagnostics(Vec<Finding>),
    /// What may stand at a place.
    Completion(Completion),
    /// What is to be said about a place.
    Description(Option<Description>),
    /// The call around a place.
    Call(Option<CallAt>),
    /// Places in files.
    Locations(Vec<Location>),
    /// What was asked for cannot be, and why.
    Refused(String),
    /// What a document declares.
    Outline(Vec<Outline>),
    /// What its tokens are.
    Tokens(Vec<(Classified, Meaning)>),
    /// Its statements.
    Cells(Vec<Cell>),
    /// The files that it uses: where it says so, and the beginning of each.
    Uses(Vec<(Range<usize>, Location)>),
    /// What of it can be folded.
    Folds(Vec<Fold>),
    /// What a place is part of, from the innermost part to the whole text.
    Selections(Vec<Range<usize>>),
    /// The canonical form, and the bytes that it takes the place of; none if not all of that can be
    /// read.
    Formatted(Option<(Range<usize>, String)>),
    /// Words: help, a page, a program; nothing is known if there are none.
    Text(Option<String>),
    /// Games on their way to another session.
    Packed(Packed),
    /// The files that have been loaded, with their texts.
    Loaded(Vec<(String, String)>),
    /// The names at the prompt.
    Names(Vec<Symbol>),
    /// The files of the game library: names and texts.
    Library(&'static [(&'static str, &'static str)]),
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
    pub places: Vec<Place>,
    /// Further facts.
    pub notes: Vec<String>,
    /// How to mend it.
    pub help: Option<String>,
    /// How a program can mend it, the likeliest way first.
    pub mendings: Vec<Mending>,
    /// All of it drawn over the source, as on a terminal without colours.
    pub drawn: String,
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
pub struct Place {
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
pub struct Cell {
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
