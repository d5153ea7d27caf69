//! Loads sources: reads and parses them, imports the files that they use, checks and runs them.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::{EventSink, Module, Session, SessionEvent, Summary};
use crate::check::{self, CheckedStatement, Scope};
use crate::diagnostic::{Code, Diagnostic};
use crate::files;
use crate::rules::Overrides;
use crate::source::{SourceId, Span};
use crate::syntax::{self, ast};
use crate::watch::Stop;

/// The statements of a file that are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// All statements.
    Run,
    /// Definitions only.
    Import,
}

/// One call of the session: the sink of its events and its result so far.
pub(super) struct Load<'a, 's> {
    pub session: &'a mut Session,
    pub sink: &'a mut EventSink<'s>,
    pub summary: Summary,
    /// The files that are being imported, outermost first.
    chain: Vec<PathBuf>,
    /// The modules used so far by each of these files, and before them by the caller.
    used: Vec<Vec<usize>>,
}

impl<'a, 's> Load<'a, 's> {
    pub fn new(session: &'a mut Session, sink: &'a mut EventSink<'s>) -> Self {
        Self {
            session,
            sink,
            summary: Summary::default(),
            chain: Vec::new(),
            used: vec![Vec::new()],
        }
    }

    /// Starts a call that runs a text as that of this file.
    pub fn within(session: &'a mut Session, sink: &'a mut EventSink<'s>, file: PathBuf) -> Self {
        Self {
            chain: vec![file],
            ..Self::new(session, sink)
        }
    }

    pub fn emit(&mut self, event: SessionEvent) {
        (self.sink)(&self.session.sources, event);
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.summary.count(&diagnostic);
        self.emit(SessionEvent::Diagnostic(diagnostic));
    }

    pub fn visible_file(&mut self, path: &Path, purpose: Purpose) {
        let defaults = Rc::clone(&self.session.defaults);
        if let Some(scope) = self.file(path, None, purpose, defaults) {
            self.session.scope.import(&scope);
            self.session.loads.extend(self.used.iter().flatten());
        }
    }

    pub fn check_file(&mut self, path: &Path) {
        let Some((source, canonical)) = self.read(path, None) else {
            return;
        };
        self.chain.push(canonical);
        let mut scope = Scope::default();
        self.checked(source, &path_folder(path), &mut scope);
    }

    /// Runs a text.
    pub fn text(&mut self, name: &str, text: &str, purpose: Purpose) {
        let source = self.session.sources.add(name, text);
        let before = self.session.scope.clone();
        let mut scope = before.clone();
        let Some(statements) = self.checked(source, Path::new(""), &mut scope) else {
            return;
        };
        let mut defaults = Rc::clone(&self.session.defaults);
        let lost = self.run_statements(statements, &mut defaults, purpose);
        for name in lost {
            // A definition that fails leaves the name as it was before.
            scope.restore(&name, &before);
        }
        self.session.scope = scope;
        self.session.defaults = defaults;
    }

    /// Loads a file, and returns the names that it makes visible; `None` if it has errors.
    fn file(
        &mut self,
        path: &Path,
        user: Option<Span>,
        purpose: Purpose,
        defaults: Rc<Overrides>,
    ) -> Option<Scope> {
        let (source, canonical) = self.read(path, user)?;
        if let Some(&known) = self
            .session
            .numbers
            .get(&canonical)
            // A file that is run is read anew, since the user may have changed it.
            .filter(|_| purpose == Purpose::Import)
        {
            self.uses(known);
            return Some(self.session.modules[known].scope.clone());
        }
        if let Some(start) = self.chain.iter().position(|path| *path == canonical) {
            let diagnostic = files::circle(&self.chain[start..]);
            self.report(labelled(diagnostic, user, "closes the circle"));
            return None;
        }
        self.chain.push(canonical.clone());
        self.used.push(Vec::new());
        let scope = self.file_in_chain(source, path, purpose, defaults);
        self.chain.pop();
        let uses = self.used.pop().unwrap_or_default();
        if let Some(scope) = &scope {
            let number = self.session.modules.len();
            self.session.modules.push(Module {
                source,
                uses,
                scope: scope.clone(),
            });
            self.session.numbers.insert(canonical, number);
            self.uses(number);
        }
        scope
    }

    /// Records that the file being imported, or the caller, uses a module.
    fn uses(&mut self, module: usize) {
        if let Some(used) = self.used.last_mut() {
            used.push(module);
        }
    }

    fn file_in_chain(
        &mut self,
        source: SourceId,
        path: &Path,
        purpose: Purpose,
        mut defaults: Rc<Overrides>,
    ) -> Option<Scope> {
        let mut scope = Scope::default();
        let statements = self.checked(source, &path_folder(path), &mut scope)?;
        for name in self.run_statements(statements, &mut defaults, purpose) {
            scope.restore(&name, &Scope::default());
        }
        Some(scope)
    }

    /// Parses and checks a source, and imports the files that it uses. If there are errors, it
    /// reports them all and returns `None`.
    pub fn checked(
        &mut self,
        source: SourceId,
        folder: &Path,
        scope: &mut Scope,
    ) -> Option<Vec<CheckedStatement>> {
        // Errors of earlier texts must not count against this one.
        let errors = self.summary.errors;
        let guard = Arc::clone(&self.session.guard);
        let context = guard.context();
        let parsed = self.unless_stopped(syntax::parse_watched(
            &self.session.sources,
            source,
            &context,
        ))?;
        for diagnostic in parsed.diagnostics {
            self.report(diagnostic);
        }
        let (mut imported, mut used) = (true, Scope::default());
        for statement in &parsed.file.statements {
            if let ast::StatementKind::Use { path, span } = &statement.kind {
                imported &= self.import(path, *span, folder, &mut used);
            }
        }
        scope.import(&used);
        // Imports have changed the folder, so it is set just before this file is checked.
        self.session.definitions.set_folder(folder);
        let checked = check::check_file(
            &mut self.session.definitions,
            scope,
            &parsed.file,
            &context,
            None,
        );
        let (statements, diagnostics) = self.unless_stopped(checked)?;
        for diagnostic in diagnostics {
            // A name may be missing only because its file has errors, and these are reported.
            if imported || diagnostic.code != Code::UnknownName {
                // A warning is not repeated when the definition is evaluated.
                self.session.warned.is_new(&diagnostic);
                self.report(diagnostic);
            }
        }
        (self.summary.errors == errors && !self.summary.stopped).then_some(statements)
    }

    /// Returns the result of the work; if it was stopped, reports the reason and returns `None`.
    fn unless_stopped<T>(&mut self, work: Result<T, Stop>) -> Option<T> {
        work.map_err(|stop| self.report(stop.into())).ok()
    }

    /// Adds the definitions of a file to those of the files used before it, if it is a `.bid` file.
    /// Other files are not even read, so that an untrusted program cannot show the content of other
    /// files of this machine. Returns `true` if the file could be read and had no errors.
    fn import(&mut self, path: &str, span: Span, folder: &Path, scope: &mut Scope) -> bool {
        let found = files::find(&*self.session.files, path, folder);
        if !files::is_bid_file(&*self.session.files, &found) {
            self.report(files::no_bid_file(path).label(span, "named here"));
            return false;
        }
        let imported = self.file(&found, Some(span), Purpose::Import, Rc::default());
        if let Some(imported) = &imported {
            let hidden = imported.iter().filter(|(name, id)| {
                let known = scope.find(name);
                known.is_some_and(|known| known != *id)
            });
            if let Some(hidden) = check::hidden_names(hidden.map(|(name, _)| name), span) {
                self.report(hidden);
            }
            scope.import(imported);
        }
        imported.is_some()
    }

    /// Reads a file that the user named, or that the `use` at `user` names.
    fn read(&mut self, path: &Path, user: Option<Span>) -> Option<(SourceId, PathBuf)> {
        match files::text(&*self.session.files, path, &self.session.guard.context()) {
            Ok((text, canonical)) => Some((
                self.session.sources.add(path.display().to_string(), text),
                canonical,
            )),
            Err(diagnostic) => {
                self.report(labelled(diagnostic, user, "named here"));
                None
            }
        }
    }

    /// Returns `true` if nothing more should be run.
    pub fn stopped(&self) -> bool {
        self.summary.stopped
    }
}

pub fn path_folder(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

fn labelled(diagnostic: Diagnostic, span: Option<Span>, text: &str) -> Diagnostic {
    match span {
        Some(span) => diagnostic.label(span, text),
        None => diagnostic,
    }
}
