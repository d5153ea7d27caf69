//! A session: loads sources, evaluates them statement by statement, and keeps their definitions.
//! The REPL, the command line and the test runner are all built on it. It prints nothing and opens
//! files only through [`Files`].

mod data;
mod document;
mod export;
mod history;
mod load;
mod lookup;
mod query;
#[cfg(feature = "pictures")]
mod raster;
mod run;
mod script;
mod travel;
mod warned;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use serde::Serialize;

pub use document::{Prepared, defines};
pub use export::{Drawn, FileForm};
use history::History;
pub use history::{changes_session, with_full_paths};
use load::{Load, Purpose};
pub use query::{Callee, Query, QueryArgument};
pub use travel::{PackedGames, Program, ProgramStep};
use warned::Warned;

use crate::ask::MethodName;
use crate::check::{Definitions, Scope};
use crate::diagnostic::{Code, Diagnostic, Result, Severity};
use crate::eval::{Dialogue, Evaluator, SessionState};
use crate::files::{self, Files};
use crate::game::RulesetId;
use crate::report::Report;
use crate::rules::{Overrides, Rules, print_rules};
use crate::source::{SourceId, SourceMap, Span};
use crate::verify::format::{Certificate, SourceQuestion, SourceText};
use crate::watch::Guard;
use crate::{certificate, library};

/// An event while a source runs. Events come in order.
#[derive(Debug)]
pub enum SessionEvent {
    /// The value of a `show E`.
    Shown {
        /// The expression in canonical form.
        label: String,
        /// Its value.
        value: Report,
        /// The expression's place.
        span: Span,
    },
    /// The value of an expression that stands on its own.
    Value(Report),
    /// A `check` held, or failed: then the diagnostic shows both sides.
    Check {
        /// The diagnostic, if it failed.
        failed: Option<Diagnostic>,
    },
    /// An error or a warning.
    Diagnostic(Diagnostic),
    /// A `test` begins or ends, or is skipped because the run was stopped.
    Test {
        /// The string after `test`.
        name: String,
        /// The stage of the test.
        phase: Phase,
    },
}

/// The stage of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It begins.
    Started,
    /// It has ended.
    Ended,
    /// It was never begun.
    Skipped,
}

/// Receives events as they happen, with the sources that their spans point into.
pub type EventSink<'a> = dyn FnMut(&SourceMap, SessionEvent) + 'a;

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// The number of errors in the source or in an evaluation, without those of
    /// [`Summary::stopped`].
    pub errors: usize,
    /// The number of `check`s that failed.
    pub failed_checks: usize,
    /// `true` if a limit or an interrupt stopped the run.
    pub stopped: bool,
    /// `true` if an answer was refused because the program contradicted itself; this is also
    /// counted as an error.
    pub contradicted: bool,
}

impl Summary {
    /// Counts a reported diagnostic.
    pub fn count(&mut self, diagnostic: &Diagnostic) {
        self.contradicted |= diagnostic.code == Code::Internal;
        if diagnostic.code.is_stop() {
            self.stopped = true;
        } else if diagnostic.severity() == Severity::Error {
            self.errors += 1;
        }
    }

    /// Combines the results of this run and of a later one.
    #[must_use]
    pub fn and(self, later: Self) -> Self {
        Self {
            errors: self.errors + later.errors,
            failed_checks: self.failed_checks + later.failed_checks,
            stopped: self.stopped || later.stopped,
            contradicted: self.contradicted || later.contradicted,
        }
    }
}

/// A name in scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The form of its use, as `:list` and `:help` print it: `f(G, k)`, `tug(n)`, `half`.
    pub signature: String,
    /// `true` if it belongs to the language rather than to the user's files.
    pub builtin: bool,
}

/// A file that has been loaded.
struct Module {
    source: SourceId,
    /// The modules that its `use` lines name, in order.
    uses: Vec<usize>,
    /// The names that it defines and those of the files that it uses.
    scope: Scope,
}

/// Loaded sources and their definitions.
pub struct Session {
    sources: SourceMap,
    files: Rc<dyn Files>,
    guard: Arc<Guard>,
    dialogue: Option<Box<dyn Dialogue>>,
    definitions: Definitions,
    /// The names that are visible at the prompt.
    scope: Scope,
    /// The default rules at the prompt.
    defaults: Rc<Overrides>,
    world: SessionState,
    /// The files loaded so far, each after those that it uses.
    modules: Vec<Module>,
    /// The module of each imported file.
    numbers: HashMap<PathBuf, usize>,
    /// The modules whose names are visible at the prompt, later ones hiding earlier ones.
    loads: Vec<usize>,
    /// If set, only tests whose name contains this are run.
    selected: Option<String>,
    /// The loaded files and the inputs, so that they can be repeated.
    history: History,
    /// The names defined by programs that came with games of other sessions, by the checksums of
    /// the programs.
    visitors: HashMap<u128, Scope>,
    /// The one of these programs that made each ruleset.
    brought: HashMap<RulesetId, Arc<[u8]>>,
    /// If set, the caller may keep the games among the answers.
    lends: bool,
    /// The warnings about definitions that have been reported.
    warned: Warned,
}

impl Session {
    /// Creates an empty session.
    pub fn new(files: Box<dyn Files>, guard: Arc<Guard>) -> Self {
        Self::over(Rc::from(files), guard)
    }

    /// Creates an empty session on files that others read too.
    pub fn over(files: Rc<dyn Files>, guard: Arc<Guard>) -> Self {
        let mut world = SessionState::new(library::all());
        world.set_files(Rc::clone(&files));
        Self {
            sources: SourceMap::default(),
            files,
            guard,
            dialogue: None,
            definitions: builtins(),
            scope: Scope::default(),
            defaults: Rc::default(),
            world,
            modules: Vec::new(),
            numbers: HashMap::new(),
            loads: Vec::new(),
            selected: None,
            history: History::default(),
            visitors: HashMap::new(),
            brought: HashMap::new(),
            lends: false,
            warned: Warned::default(),
        }
    }

    /// Gives the session a user to talk with, which `play` needs.
    pub fn set_dialogue(&mut self, dialogue: Box<dyn Dialogue>) {
        self.dialogue = Some(dialogue);
    }

    /// Makes a method answer every later question that it can answer, so that methods can be
    /// compared.
    pub fn prefer(&mut self, method: Option<MethodName>) {
        self.world.memory.prefer(method);
    }

    /// Returns the sources loaded so far.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Runs a file, and makes its definitions visible. None of it runs if it, or a file that it
    /// uses, has errors. A statement that fails while it runs leaves the session as it was before;
    /// the next statements still run.
    pub fn run_file(&mut self, path: &Path, sink: &mut EventSink) -> Summary {
        self.loading(sink, |load| load.visible_file(path, Purpose::Run))
    }

    /// Makes the definitions of a file visible without its `show`s, `check`s and tests, as `use`
    /// does.
    pub fn use_file(&mut self, path: &Path, sink: &mut EventSink) -> Summary {
        // The path is looked up as after `use`, so that files of the library are found.
        let found = files::find(&*self.files, &path.to_string_lossy(), Path::new(""));
        self.loading(sink, |load| load.visible_file(&found, Purpose::Import))
    }

    /// Runs text that is not in a file: REPL input, standard input, an argument. Paths in it are
    /// relative to the current folder.
    pub fn run_text(&mut self, name: &str, text: &str, sink: &mut EventSink) -> Summary {
        self.loading(sink, |load| load.text(name, text, Purpose::Run))
    }

    /// Returns the result of a call of the session whose events go to `sink`.
    fn loading(&mut self, sink: &mut EventSink, call: impl FnOnce(&mut Load<'_, '_>)) -> Summary {
        let mut load = Load::new(self, sink);
        call(&mut load);
        load.summary
    }

    /// Parses, resolves and type-checks a file without running it.
    pub fn check_file(&mut self, path: &Path) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut sink = |_: &SourceMap, event| {
            if let SessionEvent::Diagnostic(diagnostic) = event {
                found.push(diagnostic);
            }
        };
        Load::new(self, &mut sink).check_file(path);
        found
    }

    /// Makes later runs execute only the tests whose name contains this text; all of them for
    /// `None`.
    pub fn select_tests(&mut self, part_of_name: Option<String>) {
        self.selected = part_of_name;
    }

    /// Writes the certificate of an expression at the prompt whose value is `answer`.
    pub fn certificate(&self, expression: &str, answer: &Report) -> Result<Certificate> {
        let (texts, question) = self.certified(expression);
        certificate::write(texts, question, answer, &builtins(), &self.guard.context())
    }

    /// Writes the Coq file of the theorem that an expression at the prompt has the value `answer`.
    pub fn theorem(&self, expression: &str, answer: &Report) -> Result<String> {
        let (texts, question) = self.certified(expression);
        let sources: Vec<SourceId> = self.modules.iter().map(|module| module.source).collect();
        let seen = certificate::coq::VisibleTexts {
            texts: &texts,
            sources: &sources,
        };
        certificate::coq::write(seen, &question, answer, &builtins(), &self.guard.context())
    }

    /// Returns the texts that are visible to an expression at the prompt, and the question that the
    /// expression asks.
    fn certified(&self, expression: &str) -> (Vec<SourceText>, SourceQuestion) {
        let text = |module: &Module| {
            let source = self.sources.get(module.source);
            SourceText {
                name: source.name.clone(),
                text: source.text.clone(),
                uses: module.uses.clone(),
            }
        };
        let texts = self.modules.iter().map(text).collect();
        let expression = match print_rules(&self.defaults) {
            // A reader of the certificate knows no rules but those in its texts.
            rules if *self.defaults != Overrides::default() => {
                format!("({expression}) using {rules}")
            }
            _ => expression.to_owned(),
        };
        let question = SourceQuestion {
            loads: self.loads.clone(),
            expression,
        };
        (texts, question)
    }

    /// Returns what `work` computes with an evaluator under the default rules.
    fn evaluating<T>(&mut self, work: impl FnOnce(&mut Evaluator<'_>) -> T) -> T {
        let guard = Arc::clone(&self.guard);
        let context = guard.context();
        work(&mut Evaluator::new(
            &mut self.world,
            Rc::clone(&self.defaults),
            &context,
        ))
    }

    fn selects(&self, name: &str) -> bool {
        self.selected
            .as_ref()
            .is_none_or(|part| name.contains(part.as_str()))
    }

    /// Returns the default rules that were written, as a literal.
    pub fn default_rules(&self) -> String {
        print_rules(&self.defaults)
    }

    /// Returns the default rules in force.
    pub fn rules(&self) -> Rules {
        self.defaults.over(&Rules::default())
    }
}

/// Returns the initial definitions: the builtins with their names and kinds.
pub fn builtins() -> Definitions {
    Definitions::new(library::signatures())
}
