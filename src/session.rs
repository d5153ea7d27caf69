//! A session: loads sources, evaluates them statement by statement, and keeps what they define. The REPL, the command
//! line and the test runner all sit on it; it prints nothing and opens files only through [`Files`].

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::report::Report;
use crate::rules::Rules;
use crate::source::{SourceMap, Span};
use crate::watch::Watch;

/// Where files come from: the disk on the command line, memory in tests.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// One name for all ways to write the same path, so that a file is loaded once.
    ///
    /// # Errors
    /// If there is no such file.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// The folders in which `use` looks after the folder of the file that says it.
    fn library_path(&self) -> Vec<PathBuf>;
}

/// What happens while a source runs, in order.
#[derive(Debug)]
pub enum Event {
    /// `show E`.
    Shown {
        /// The expression in canonical form.
        label: String,
        /// Its value.
        value: Report,
    },
    /// The value of an expression that stands on its own.
    Value(Report),
    /// A `check` held.
    CheckPassed {
        /// The whole statement.
        span: Span,
    },
    /// A `check` failed; the diagnostic shows both sides.
    CheckFailed(Diagnostic),
    /// An error or a warning.
    Diagnostic(Diagnostic),
    /// A `test` begins.
    TestStarted {
        /// The string after `test`.
        name: String,
        /// That string's place.
        span: Span,
    },
    /// The `test` that began last is over.
    TestEnded {
        /// The string after `test`.
        name: String,
    },
}

/// Receives events as they happen, with the sources that their spans point into.
pub type Sink<'a> = dyn FnMut(&SourceMap, Event) + 'a;

/// How a run went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Errors in the source or in an evaluation, those of [`Summary::stopped`] not among them.
    pub errors: usize,
    /// `check`s that failed.
    pub failed_checks: usize,
    /// Whether a limit or an interrupt stopped the run.
    pub stopped: bool,
}

/// A name in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The name.
    pub name: String,
    /// How it is used, as `:list` and `:help` print it: `f(G, k)`, `tug(n)`, `half`.
    pub signature: String,
    /// Whether it belongs to the language rather than to what the user has loaded.
    pub builtin: bool,
}

/// Loaded sources and what they define.
pub struct Session {
    sources: SourceMap,
    #[expect(dead_code)]
    files: Box<dyn Files>,
    #[expect(dead_code)]
    watch: Arc<dyn Watch + Send + Sync>,
}

impl Session {
    /// An empty session.
    pub fn new(files: Box<dyn Files>, watch: Arc<dyn Watch + Send + Sync>) -> Self {
        Self { sources: SourceMap::default(), files, watch }
    }

    /// The sources loaded so far.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Loads and runs a file statement by statement. After an error the session is as it was before that statement.
    pub fn run_file(&mut self, _path: &Path, _sink: &mut Sink) -> Summary {
        Summary::default()
    }

    /// Runs text that stands in no file: REPL input, standard input, an argument.
    pub fn run_text(&mut self, _name: &str, _text: &str, _sink: &mut Sink) -> Summary {
        Summary::default()
    }

    /// Parses, resolves and type-checks a file without running it.
    pub fn check_file(&mut self, _path: &Path) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Makes the rules that `text` stands for (`{ ties: marker }`, or a name) the default from now on.
    ///
    /// # Errors
    /// If the text is no rules expression.
    pub fn set_rules(&mut self, _name: &str, _text: &str) -> Result<(), Vec<Diagnostic>> {
        Ok(())
    }

    /// The default rules in force.
    pub fn rules(&self) -> Rules {
        Rules::default()
    }

    /// All names in scope, in alphabetical order.
    pub fn names(&self) -> Vec<Known> {
        Vec::new()
    }

    /// What `:help NAME` prints: signature, documentation, examples. `None` if the name is not known.
    pub fn help(&self, _name: &str) -> Option<String> {
        None
    }

    /// The type of an expression, without evaluating it.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn type_of(&mut self, _name: &str, _text: &str) -> Result<String, Vec<Diagnostic>> {
        Ok(String::new())
    }
}
