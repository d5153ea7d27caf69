//! What a session was told, so that it can be told again: after files have changed, or by a file
//! that is saved.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::{EventSink, Session, Summary};
use crate::files::Files;
use crate::source::SourceMap;
use crate::syntax::ast::StatementKind as Kind;
use crate::syntax::{self, quoted};

/// What was loaded and typed.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    /// The files that were loaded.
    loaded: Vec<PathBuf>,
    /// The inputs without errors, in order.
    inputs: Vec<String>,
    /// How many inputs there were.
    count: usize,
}

impl Session {
    /// Runs what was typed, and remembers it if it was right.
    pub fn enter(&mut self, text: &str, sink: &mut EventSink) -> Summary {
        let name = self.next_input();
        let summary = self.run_text(&name, text, sink);
        if is_right(summary) {
            self.history.inputs.push(text.trim().to_owned());
        }
        summary
    }

    /// Makes what a file defines visible, and remembers the file if it was right.
    pub fn load(&mut self, path: &Path, sink: &mut EventSink) -> Summary {
        let summary = self.use_file(path, sink);
        if is_right(summary) && !self.history.loaded.iter().any(|loaded| loaded == path) {
            self.history.loaded.push(path.to_owned());
        }
        summary
    }

    /// A name for the next piece of text that diagnostics may point into.
    pub fn next_input(&mut self) -> String {
        self.history.count += 1;
        format!("<input {}>", self.history.count)
    }

    /// Starts afresh, loads the files as they are now, and defines again what was defined since. If
    /// any of that fails, the session stays as it was.
    pub fn reload(&mut self, sink: &mut EventSink) -> Summary {
        let mut fresh = Self::over(Rc::clone(&self.files), Arc::clone(&self.guard));
        fresh.dialogue = self.dialogue.take();
        fresh.selected = self.selected.clone();
        fresh.history = self.history.clone();
        let mut all = Summary::default();
        for path in &self.history.loaded {
            all = all.and(fresh.use_file(path, sink));
        }
        for input in self
            .history
            .inputs
            .iter()
            .filter(|input| changes_session(input))
        {
            let name = fresh.next_input();
            all = all.and(fresh.run_text(&name, input, sink));
        }
        if all == Summary::default() {
            *self = fresh;
        } else {
            self.history.count = fresh.history.count;
            self.dialogue = fresh.dialogue;
        }
        all
    }

    /// A program that does what was loaded and typed, wherever it is saved: files are named by
    /// their full paths.
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
        let inputs = self
            .history
            .inputs
            .iter()
            .map(|input| with_full_paths(&*self.files, input));
        uses.chain(inputs).map(|line| line + "\n").collect()
    }
}

/// A text whose `use`s name files by their full paths.
pub fn with_full_paths(files: &dyn Files, input: &str) -> String {
    let mut sources = SourceMap::default();
    let id = sources.add("", input);
    let mut text = input.to_owned();
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

/// Whether nothing was wrong with what ran; checks may have failed.
fn is_right(summary: Summary) -> bool {
    summary.errors == 0 && !summary.stopped
}

/// Whether a text changes what later text means, rather than only asks.
pub fn changes_session(text: &str) -> bool {
    let mut sources = SourceMap::default();
    let id = sources.add("", text);
    syntax::parse(&sources, id)
        .file
        .statements
        .iter()
        .any(|statement| match statement.kind {
            Kind::Use { .. }
            | Kind::Let(_)
            | Kind::Game(_)
            | Kind::Ruleset(_)
            | Kind::Rules { .. }
            | Kind::Using(_) => true,
            Kind::Show(_) | Kind::Check(_) | Kind::Test { .. } | Kind::Expr(_) => false,
        })
}
