//! Loading sources: read, parse, import what they use, check, run.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::string::FromUtf8Error;
use std::sync::Arc;

use super::{Event, Module, Session, Sink, Summary, Unread};
use crate::check::{self, Scope, Statement};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::rules::Overrides;
use crate::source::{SourceId, Span};
use crate::syntax::{self, ast};
use crate::watch::{self, Stop};

/// Which statements of a file are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// All.
    Run,
    /// Only definitions.
    Import,
}

/// One call of the session: where its events go and how it has gone so far.
pub(super) struct Load<'a, 's> {
    pub session: &'a mut Session,
    pub sink: &'a mut Sink<'s>,
    pub summary: Summary,
    /// The files that are being imported, outermost first.
    chain: Vec<PathBuf>,
    /// The modules that each of them, and the caller before them, has used so far.
    used: Vec<Vec<usize>>,
}

impl<'a, 's> Load<'a, 's> {
    pub fn new(session: &'a mut Session, sink: &'a mut Sink<'s>) -> Self {
        Self { session, sink, summary: Summary::default(), chain: Vec::new(), used: vec![Vec::new()] }
    }

    pub fn emit(&mut self, event: Event) {
        (self.sink)(&self.session.sources, event);
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.summary.contradicted |= diagnostic.code == Code::Internal;
        if diagnostic.code.is_stop() {
            self.summary.stopped = true;
        } else if diagnostic.severity() == Severity::Error {
            self.summary.errors += 1;
        }
        self.emit(Event::Diagnostic(diagnostic));
    }

    pub fn run_file(&mut self, path: &Path) {
        self.visible_file(path, Purpose::Run);
    }

    pub fn use_file(&mut self, path: &Path) {
        let found = self.find(&path.to_string_lossy(), Path::new(""));
        self.visible_file(&found, Purpose::Import);
    }

    fn visible_file(&mut self, path: &Path, purpose: Purpose) {
        let defaults = Rc::clone(&self.session.defaults);
        if let Some(scope) = self.file(path, None, purpose, defaults) {
            self.session.scope.import(&scope);
            self.session.loads.extend(self.used.iter().flatten());
        }
    }

    pub fn check_file(&mut self, path: &Path) {
        let Some((source, canonical)) = self.read(path, None) else { return };
        self.chain.push(canonical);
        let mut scope = Scope::default();
        self.checked(source, &path_folder(path), &mut scope);
    }

    pub fn run_text(&mut self, name: &str, text: &str) {
        let source = self.session.sources.add(name, text);
        let before = self.session.scope.clone();
        let mut scope = before.clone();
        let Some(statements) = self.checked(source, Path::new(""), &mut scope) else { return };
        let mut defaults = Rc::clone(&self.session.defaults);
        let lost = self.run_statements(statements, &mut defaults, Purpose::Run);
        for name in lost {
            scope.restore(&name, &before);
        }
        self.session.scope = scope;
        self.session.defaults = defaults;
    }

    /// Loads a file; gives what it makes visible, `None` if it is wrong.
    fn file(&mut self, path: &Path, user: Option<Span>, purpose: Purpose, defaults: Rc<Overrides>) -> Option<Scope> {
        let (source, canonical) = self.read(path, user)?;
        if let Some(&known) = self.session.numbers.get(&canonical).filter(|_| purpose == Purpose::Import) {
            self.uses(known);
            return Some(self.session.modules[known].scope.clone());
        }
        if self.chain.contains(&canonical) {
            let diagnostic = self.cycle(&canonical, user);
            self.report(diagnostic);
            return None;
        }
        self.chain.push(canonical.clone());
        self.used.push(Vec::new());
        let scope = self.file_in_chain(source, path, purpose, defaults);
        self.chain.pop();
        let uses = self.used.pop().unwrap_or_default();
        if let Some(scope) = &scope {
            let number = self.session.modules.len();
            self.session.modules.push(Module { source, uses, scope: scope.clone() });
            self.session.numbers.insert(canonical, number);
            self.uses(number);
        }
        scope
    }

    /// Notes that the file that is being imported, or the caller, uses a module.
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

    /// Parses and checks a source and imports what it uses; `None`, and all that is wrong reported, if anything is.
    fn checked(&mut self, source: SourceId, folder: &Path, scope: &mut Scope) -> Option<Vec<Statement>> {
        let errors = self.summary.errors;
        let watch = Arc::clone(&self.session.watch);
        let parsed = self.unless_stopped(syntax::parse_watched(&self.session.sources, source, &*watch))?;
        for diagnostic in parsed.diagnostics {
            self.report(diagnostic);
        }
        let mut imported = true;
        for statement in &parsed.file.statements {
            if let ast::StatementKind::Use { path, span } = &statement.kind {
                imported &= self.import(path, *span, folder, scope);
            }
        }
        let checked = check::check_watched(&mut self.session.definitions, scope, &parsed.file.statements, &*watch);
        let (statements, diagnostics) = self.unless_stopped(checked)?;
        let unreadable = self.summary.errors > errors;
        for diagnostic in diagnostics {
            let follows = !imported && diagnostic.code == Code::UnknownName
                || unreadable && self.follows_from_unreadable(&diagnostic);
            if !follows {
                self.report(diagnostic);
            }
        }
        (self.summary.errors == errors && !self.summary.stopped).then_some(statements)
    }

    /// What work has found; nothing, and why reported, if it was stopped.
    fn unless_stopped<T>(&mut self, work: Result<T, Stop>) -> Option<T> {
        work.map_err(|stop| self.report(stop.into())).ok()
    }

    /// Whether a name is unknown only because the statement that defines it could not be read.
    fn follows_from_unreadable(&self, diagnostic: &Diagnostic) -> bool {
        let Some(span) = diagnostic.span().filter(|_| diagnostic.code == Code::UnknownName) else { return false };
        let (name, text) = (self.session.sources.text(span), &self.session.sources.get(span.source).text);
        ["game", "let", "rules"].iter().any(|keyword| {
            let definition = format!("{keyword} {name}");
            let mut rests = text.split(&definition).skip(1);
            rests.any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
        })
    }

    /// Makes a file's definitions visible, if it is a `.bid` file: another one is not even read, so that a program from elsewhere
    /// shows nobody what stands in other files of this machine. Whether it could be read and was right.
    fn import(&mut self, path: &str, span: Span, folder: &Path, scope: &mut Scope) -> bool {
        let found = self.find(path, folder);
        if !self.is_bid_file(&found) {
            self.report(no_bid_file(path, span));
            return false;
        }
        let imported = self.file(&found, Some(span), Purpose::Import, Rc::default());
        if let Some(imported) = &imported {
            scope.import(imported);
        }
        imported.is_some()
    }

    /// The file that `use "path"` means: beside the file that says it, else in the game library.
    fn find(&self, path: &str, folder: &Path) -> PathBuf {
        let beside = folder.join(path);
        if self.session.files.canonical(&beside).is_ok() {
            return beside;
        }
        let library = self.session.files.library_path().into_iter().map(|folder| folder.join(path));
        library.into_iter().find(|candidate| self.session.files.canonical(candidate).is_ok()).unwrap_or(beside)
    }

    /// Whether a file's name, and that of the file that it links to, ends in `.bid`; also if there is none.
    fn is_bid_file(&self, path: &Path) -> bool {
        let is_named = |path: &Path| path.extension().is_some_and(|end| end == "bid");
        is_named(path) && self.session.files.canonical(path).map_or(true, |canonical| is_named(&canonical))
    }

    /// Reads a file that the user named, or that the `use` at `user` names.
    fn read(&mut self, path: &Path, user: Option<Span>) -> Option<(SourceId, PathBuf)> {
        let files = &self.session.files;
        let read = |canonical| Ok((canonical, files.read(path, &*self.session.watch)?));
        let found = files.canonical(path).map_err(Unread::Failed).and_then(read);
        let (canonical, bytes) = match found {
            Ok(found) => found,
            Err(error) => {
                let diagnostic = unreadable(&path.display().to_string(), error);
                self.report(labelled(diagnostic, user, "named here"));
                return None;
            }
        };
        if bytes.contains(&0) {
            self.report(labelled(no_text(&path.display().to_string(), &bytes), user, "named here"));
            return None;
        }
        match String::from_utf8(bytes) {
            Ok(text) => Some((self.session.sources.add(path.display().to_string(), text), canonical)),
            Err(error) => {
                self.report(labelled(not_utf8(&path.display().to_string(), &error), user, "named here"));
                None
            }
        }
    }

    fn cycle(&self, again: &Path, user: Option<Span>) -> Diagnostic {
        let start = self.chain.iter().position(|path| path == again).unwrap_or(0);
        let name = |path: &PathBuf| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        let circle: Vec<String> = self.chain[start..].iter().map(name).collect();
        let message = format!("this file uses itself: {} → {}", circle.join(" → "), circle[0]);
        labelled(Diagnostic::new(Code::ImportCycle, message), user, "closes the circle")
            .help("move what both files need into a third one")
    }

    /// Whether nothing more should be run.
    pub fn stopped(&self) -> bool {
        self.summary.stopped
    }
}

fn path_folder(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

fn labelled(diagnostic: Diagnostic, span: Option<Span>, text: &str) -> Diagnostic {
    match span {
        Some(span) => diagnostic.label(span, text),
        None => diagnostic,
    }
}

/// What is wrong with a file that cannot be read.
pub fn unreadable(name: &str, why: Unread) -> Diagnostic {
    let error = match why {
        Unread::Stopped(stop) => return Diagnostic::from(stop).note(format!("{name} was being read")),
        Unread::TooLong(most) => {
            return Diagnostic::new(Code::NoFile, format!("{name} is too long for a source"))
                .note(format!("sources have up to {} bytes", watch::size(most)))
                .help("write the game as rules, or spread it over files that are brought in with `use`");
        }
        Unread::Failed(error) => error,
    };
    let what = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        _ => error.to_string(),
    };
    Diagnostic::new(Code::NoFile, format!("cannot read {name}: {what}"))
        .help("paths are relative to the file that names them, then to the game library")
}

fn no_bid_file(path: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::NoFile, format!("cannot use {path}: it is no `.bid` file"))
        .label(span, "named here")
        .help("`use` reads files whose names end in `.bid`; a file that is named on the command line may have any name")
}

/// What is wrong with bytes of which some are 0: they are no text.
pub fn no_text(name: &str, bytes: &[u8]) -> Diagnostic {
    let before = bytes.iter().take_while(|byte| **byte != 0).count();
    Diagnostic::new(Code::NotUtf8, format!("{name} is no text"))
        .note(format!("byte number {} is 0, which is no character of a text", before + 1))
        .help("name a text file, saved as UTF-8")
}

/// What is wrong with a text that is not UTF-8, and where.
pub fn not_utf8(name: &str, error: &FromUtf8Error) -> Diagnostic {
    let before = error.utf8_error().valid_up_to();
    let line = 1 + error.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
    Diagnostic::new(Code::NotUtf8, format!("{name} is not UTF-8 text"))
        .note(format!("the first bad byte is number {}, on line {line}", before + 1))
        .help("save the file as UTF-8")
}
