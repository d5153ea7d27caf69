//! Records the inputs of a session, so that they can be repeated after files have changed, or saved
//! as a file.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::{EventSink, Session, Summary, script};
use crate::files::Files;
use crate::source::SourceMap;
use crate::syntax::ast::StatementKind as Kind;
use crate::syntax::{self, quoted};

/// The files that were loaded and the inputs that were typed.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    /// The files that were loaded.
    loaded: Vec<PathBuf>,
    /// The inputs without errors, and the names that were taken back, in order.
    entries: Vec<Entry>,
    /// The number of inputs, including those with errors.
    count: usize,
}

/// A step of a session.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    /// An input.
    Input(String),
    /// A name whose definition was taken back.
    Forgotten(String),
}

impl Session {
    /// Runs an input, and records it if it had no errors.
    pub fn enter(&mut self, text: &str, sink: &mut EventSink) -> Summary {
        let name = self.next_input();
        let summary = self.run_text(&name, text, sink);
        if is_right(summary) {
            let input = Entry::Input(text.trim().to_owned());
            self.history.entries.push(input);
        }
        summary
    }

    /// Makes the definitions of a file visible, and records the file if it had no errors.
    pub fn load(&mut self, path: &Path, sink: &mut EventSink) -> Summary {
        let summary = self.use_file(path, sink);
        if is_right(summary) && !self.history.loaded.iter().any(|loaded| loaded == path) {
            self.history.loaded.push(path.to_owned());
        }
        summary
    }

    /// Takes back what a name is defined as at the prompt, so that it means what it does in the
    /// language, or nothing. Definitions that were made with it stay as they are. Returns `false`
    /// if the name has no definition.
    pub fn forget(&mut self, name: &str) -> bool {
        if self.scope.find(name).is_none() {
            return false;
        }
        self.scope.set(name, None);
        self.history.entries.push(Entry::Forgotten(name.to_owned()));
        true
    }

    /// Returns a name for the next piece of text to which diagnostics may refer.
    pub fn next_input(&mut self) -> String {
        self.history.count += 1;
        format!("<input {}>", self.history.count)
    }

    /// Starts a fresh session, loads the files as they are now, and repeats the definitions made
    /// since. If any of that fails, the session stays unchanged.
    pub fn reload(&mut self, sink: &mut EventSink) -> Summary {
        let mut fresh = Self::over(Rc::clone(&self.files), Arc::clone(&self.guard));
        // There is one user, so the dialogue moves, and comes back if the reload fails.
        fresh.dialogue = self.dialogue.take();
        fresh.selected = self.selected.clone();
        fresh.lends = self.lends;
        fresh.history = self.history.clone();
        let mut all = Summary::default();
        for path in &self.history.loaded {
            all = all.and(fresh.use_file(path, sink));
        }
        for entry in &self.history.entries {
            match entry {
                Entry::Input(input) if changes_session(input) => {
                    let name = fresh.next_input();
                    all = all.and(fresh.run_text(&name, input, sink));
                }
                // Questions are not asked again, since their answers have been shown and may take
                // long.
                Entry::Input(_) => {}
                Entry::Forgotten(name) => fresh.scope.set(name, None),
            }
        }
        if all == Summary::default() {
            *self = fresh;
        } else {
            self.history.count = fresh.history.count;
            self.dialogue = fresh.dialogue;
        }
        all
    }

    /// Returns a program that repeats the loaded files and the inputs. It can be saved anywhere,
    /// because it names files by their full paths.
    pub fn script(&self) -> String {
        let full = |path: &Path| {
            self.files
                .canonical(path)
                .unwrap_or_else(|_| path.to_path_buf())
        };
        let uses = self
            .history
            .loaded
            .iter()
            .map(|file| format!("use {}", quoted(&full(file).to_string_lossy())));
        let inputs = script::written(&self.history.entries).into_iter();
        let inputs = inputs.map(|input| with_full_paths(&*self.files, &input));
        uses.chain(inputs).map(|line| line + "\n").collect()
    }
}

/// Returns a text in which the `use` lines name files by their full paths.
pub fn with_full_paths(files: &dyn Files, input: &str) -> String {
    let mut sources = SourceMap::default();
    let id = sources.add("", input);
    let mut text = input.to_owned();
    // Replacing from the end keeps the earlier places valid.
    for statement in syntax::parse(&sources, id).file.statements.iter().rev() {
        let Kind::Use { path, span } = &statement.kind else {
            continue;
        };
        if let Ok(full) = files.canonical(Path::new(path)) {
            text.replace_range(span.range(), &quoted(&full.to_string_lossy()));
        }
    }
    text
}

/// The effect of an input on a session.
#[derive(Debug, Clone, Default)]
pub(super) struct ParsedInput {
    /// The name that it defines, if it is one definition and nothing else.
    pub(super) definition: Option<String>,
    /// `true` if the name means the definition itself there, as in functions, and not an earlier one.
    pub(super) is_recursive: bool,
    /// `true` if it changes the meaning of later text, rather than only asks questions.
    pub(super) changes: bool,
}

impl ParsedInput {
    pub(super) fn of(text: &str) -> Self {
        let mut sources = SourceMap::default();
        let id = sources.add("", text);
        let statements = syntax::parse(&sources, id).file.statements;
        let changes = statements.iter().any(|statement| match statement.kind {
            Kind::Use { .. }
            | Kind::Let(_)
            | Kind::Game(_)
            | Kind::Ruleset(_)
            | Kind::Rules { .. }
            | Kind::Using(_) => true,
            Kind::Show(_) | Kind::Check(_) | Kind::Test { .. } | Kind::Expr(_) => false,
        });
        let (defined, is_recursive) = match &statements[..] {
            [statement] => match &statement.kind {
                Kind::Let(definition) | Kind::Game(definition) => {
                    (Some(&definition.name), definition.parameters.is_some())
                }
                Kind::Ruleset(ruleset) => (Some(&ruleset.name), true),
                Kind::Rules { name, .. } => (Some(name), false),
                Kind::Use { .. }
                | Kind::Using(_)
                | Kind::Show(_)
                | Kind::Check(_)
                | Kind::Test { .. }
                | Kind::Expr(_) => (None, false),
            },
            _ => (None, false),
        };
        Self {
            definition: defined.map(|name| name.text.to_string()),
            is_recursive,
            changes,
        }
    }
}

/// Returns `true` if a run had no errors and was not stopped; checks may have failed.
fn is_right(summary: Summary) -> bool {
    summary.errors == 0 && !summary.stopped
}

/// Returns `true` if a text changes the meaning of later text, rather than only asks questions.
pub fn changes_session(text: &str) -> bool {
    ParsedInput::of(text).changes
}
