//! A session: loads sources, evaluates them statement by statement, and keeps what they define. The
//! REPL, the command line and the test runner all sit on it; it prints nothing and opens files only
//! through [`Files`].

mod data;
mod document;
mod export;
mod history;
mod load;
mod lookup;
mod query;
mod run;
mod travel;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use serde::Serialize;

pub use document::{Prepared, defines};
pub use export::FileForm;
use history::History;
pub use history::{changes_session, with_full_paths};
use load::Load;
pub use query::{Callee, Query, QueryArgument};
pub use travel::{PackedGames, Program, ProgramStep};

use crate::ask::MethodName;
use crate::check::{Definitions, Scope};
use crate::diagnostic::{Code, Diagnostic, Result, Severity};
use crate::eval::{Dialogue, SessionState};
use crate::files::Files;
use crate::game::RulesetId;
use crate::report::Report;
use crate::rules::{Overrides, Rules, print_rules};
use crate::source::{SourceId, SourceMap, Span};
use crate::verify::format::{Certificate, SourceQuestion, SourceText};
use crate::watch::Guard;
use crate::{certificate, library};

/// What happens while a source runs, in order.
#[derive(Debug)]
pub enum SessionEvent {
    /// `show E`.
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
    /// A `test` that a stop has kept from beginning.
    TestSkipped {
        /// The string after `test`.
        name: String,
    },
    /// The `test` that began last is over.
    TestEnded {
        /// The string after `test`.
        name: String,
    },
}

/// Receives events as they happen, with the sources that their spans point into.
pub type EventSink<'a> = dyn FnMut(&SourceMap, SessionEvent) + 'a;

/// How a run went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// Errors in the source or in an evaluation, those of [`Summary::stopped`] not among them.
    pub errors: usize,
    /// `check`s that failed.
    pub failed_checks: usize,
    /// Whether a limit or an interrupt stopped the run.
    pub stopped: bool,
    /// Whether an answer was refused because the program contradicted itself; counted among the
    /// errors too.
    pub contradicted: bool,
}

impl Summary {
    /// Counts what was told.
    pub fn count(&mut self, diagnostic: &Diagnostic) {
        self.contradicted |= diagnostic.code == Code::Internal;
        if diagnostic.code.is_stop() {
            self.stopped = true;
        } else if diagnostic.severity() == Severity::Error {
            self.errors += 1;
        }
    }

    /// How this run and a later one went together.
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
    /// How it is used, as `:list` and `:help` print it: `f(G, k)`, `tug(n)`, `half`.
    pub signature: String,
    /// Whether it belongs to the language rather than to what the user has loaded.
    pub builtin: bool,
}

/// A file that has been loaded.
struct Module {
    source: SourceId,
    /// The modules that its `use` lines name, in order.
    uses: Vec<usize>,
    /// What it defines and what it uses.
    scope: Scope,
}

/// Loaded sources and what they define.
pub struct Session {
    sources: SourceMap,
    files: Rc<dyn Files>,
    guard: Arc<Guard>,
    dialogue: Option<Box<dyn Dialogue>>,
    definitions: Definitions,
    /// What is visible at the prompt.
    scope: Scope,
    /// The default rules at the prompt.
    defaults: Rc<Overrides>,
    world: SessionState,
    /// The files loaded so far, each after those that it uses.
    modules: Vec<Module>,
    /// Which module each imported file is.
    numbers: HashMap<PathBuf, usize>,
    /// The modules whose names are visible at the prompt, later ones hiding earlier ones.
    loads: Vec<usize>,
    /// Only tests whose name contains this are run.
    selected: Option<String>,
    /// What was loaded and typed, to be told again.
    history: History,
    /// The names that programs define which games from elsewhere have brought along, by the checksums
    /// of the programs.
    visitors: HashMap<u128, Scope>,
    /// The one of these programs that made a ruleset.
    brought: HashMap<RulesetId, Arc<[u8]>>,
    /// Whether the games among the answers are kept by whoever asked.
    lends: bool,
}

impl Session {
    /// An empty session.
    pub fn new(files: Box<dyn Files>, guard: Arc<Guard>) -> Self {
        Self::over(Rc::from(files), guard)
    }

    /// An empty session on files that others read too.
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
        }
    }

    /// Gives the session a user to talk with: what `play` needs.
    pub fn set_dialogue(&mut self, dialogue: Box<dyn Dialogue>) {
        self.dialogue = Some(dialogue);
    }

    /// From now on this method answers every question that it can answer, so that one can be held to
    /// another.
    pub fn prefer(&mut self, method: Option<MethodName>) {
        self.world.memory.prefer(method);
    }

    /// The sources loaded so far.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Runs a file, and makes what it defines visible. Nothing of it runs if it, or a file that it
    /// uses, is wrong. A statement that fails while it runs leaves the session as it was before it;
    /// the next ones still run.
    pub fn run_file(&mut self, path: &Path, sink: &mut EventSink) -> Summary {
        let mut load = Load::new(self, sink);
        load.run_file(path);
        load.summary
    }

    /// Makes what a file defines visible without its `show`s, `check`s and tests: what `use` does.
    pub fn use_file(&mut self, path: &Path, sink: &mut EventSink) -> Summary {
        let mut load = Load::new(self, sink);
        load.use_file(path);
        load.summary
    }

    /// Runs text that stands in no file: REPL input, standard input, an argument. Paths in it are
    /// relative to the current folder.
    pub fn run_text(&mut self, name: &str, text: &str, sink: &mut EventSink) -> Summary {
        let mut load = Load::new(self, sink);
        load.run_text(name, text);
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

    /// From now on only tests whose name contains this text run; all of them without one.
    pub fn select_tests(&mut self, part_of_name: Option<String>) {
        self.selected = part_of_name;
    }

    /// The certificate of an expression at the prompt whose value is `answer`.
    ///
    /// # Errors
    /// As [`certificate::write`].
    pub fn certificate(&self, expression: &str, answer: &Report) -> Result<Certificate> {
        let (texts, question) = self.certified(expression);
        certificate::write(texts, question, answer, &builtins(), &self.guard.context())
    }

    /// The file for Coq of a theorem that says that an expression at the prompt has the value
    /// `answer`.
    ///
    /// # Errors
    /// As [`certificate::coq::write`].
    pub fn theorem(&self, expression: &str, answer: &Report) -> Result<String> {
        let (texts, question) = self.certified(expression);
        let sources: Vec<SourceId> = self.modules.iter().map(|module| module.source).collect();
        let seen = certificate::coq::VisibleTexts {
            texts: &texts,
            sources: &sources,
        };
        certificate::coq::write(seen, &question, answer, &builtins(), &self.guard.context())
    }

    /// The texts that an expression at the prompt sees, and the question that it is.
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

    fn selects(&self, name: &str) -> bool {
        self.selected
            .as_ref()
            .is_none_or(|part| name.contains(part.as_str()))
    }

    /// The default rules in force.
    pub fn rules(&self) -> Rules {
        self.defaults.over(&Rules::default())
    }
}

/// What is known before anything is defined: the builtins by their names and kinds.
pub fn builtins() -> Definitions {
    Definitions::new(library::signatures())
}
