//! The server: takes what the editor and the engine say, and keeps what is between them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bid::engine::{Change, Engine, Event, Finding, Id, Part, Question, Reply, Request};
use bid_language::watch::{Limits, Settings};
use lsp_server::{ErrorCode, Message, RequestId, Response};
use serde::Serialize;
use serde_json::Value;

use super::answer::{Asked, Wanted, answer, json};
use super::background::Background;
use super::capabilities::Client;
use super::diagnostics;
use super::lens::Testing;
use super::protocol::{self, Notification as _};
use super::texts::Texts;

/// How long nobody must have typed before statements are run.
const PAUSE: Duration = Duration::from_millis(300);

/// How long to wait for messages when nothing is to be done.
const LONG: Duration = Duration::from_secs(3600);

/// How long the value of a constant may take that is pointed at.
const GLANCE: Duration = Duration::from_millis(300);

/// Something that was asked of the engine.
pub(super) enum Open {
    /// For the editor.
    Client(Asked),
    /// What is wrong with a file, after so many changes.
    Diagnose(PathBuf, u64),
    /// Which files one uses.
    Uses(PathBuf, u64),
    /// The statements of a file.
    Cells(PathBuf, u64),
    /// What the files of the workspace declare, for the editor: how many are still to come.
    Symbols(Box<Symbols>, PathBuf),
    /// The value of a constant, for what is said about it.
    Value(Asked, Box<bid::analysis::Description>, Option<String>),
    /// A test to be found.
    Find(RequestId, Testing),
    /// A test that runs.
    Test(RequestId, Testing),
}

/// A search for declarations.
pub(super) struct Symbols {
    pub client: RequestId,
    pub query: String,
    pub rest: Vec<PathBuf>,
    pub found: Vec<protocol::SymbolInformation>,
}

/// What is between the editor and the engine.
pub struct Server {
    pub(super) client: Client,
    pub(super) engine: Engine,
    outgoing: Box<dyn Fn(Message)>,
    pub(super) texts: Texts,
    pub(super) open: HashMap<Id, Open>,
    /// How many changes there have been.
    pub(super) revision: u64,
    /// Whether what is wrong is to be asked anew.
    pub(super) is_stale: bool,
    /// What is wrong with each file as far as that is known without running it.
    found: HashMap<PathBuf, Vec<Finding>>,
    /// What the editor has been told of each file.
    marked: HashMap<PathBuf, Vec<protocol::Diagnostic>>,
    /// The files that have been asked about since the last change.
    asked: HashSet<PathBuf>,
    pub(super) background: Background,
    /// When statements may be run.
    pub(super) work_at: Option<Instant>,
    pub(super) is_shut_down: bool,
    requests: i32,
}

impl Server {
    /// A server for an editor; what it says goes to `outgoing`.
    pub fn new(client: Client, engine: Engine, outgoing: Box<dyn Fn(Message)>) -> Self {
        let texts = Texts::new(client.columns);
        let mut server = Self {
            client,
            engine,
            outgoing,
            texts,
            open: HashMap::new(),
            revision: 0,
            is_stale: false,
            found: HashMap::new(),
            marked: HashMap::new(),
            asked: HashSet::new(),
            background: Background::default(),
            work_at: None,
            is_shut_down: false,
            requests: 0,
        };
        server.watch_files();
        server.tell_of_options();
        server
    }

    /// Says which of the options that the user has set cannot be used.
    fn tell_of_options(&self) {
        if self.client.unusable.is_empty() {
            return;
        }
        let why = self.client.unusable.join("; ");
        let message = format!("some of the `initializationOptions` cannot be used: {why}");
        self.notify::<protocol::ShowMessage>(protocol::ShowMessageParams {
            typ: protocol::MessageType::WARNING,
            message,
        });
    }

    /// Whether the editor has said that it will go.
    pub fn is_shut_down(&self) -> bool {
        self.is_shut_down
    }

    /// How long to wait for messages until there is work.
    pub fn patience(&self) -> Duration {
        self.work_at
            .map_or(LONG, |at| at.saturating_duration_since(Instant::now()))
    }

    // ---- To the editor
    // -----------------------------------------------------------------------------------------

    pub(super) fn send(&self, message: Message) {
        (self.outgoing)(message);
    }

    /// Answers a question; without a result there is nothing to say.
    pub(super) fn respond(&self, id: RequestId, result: Option<Value>) {
        self.send(Message::Response(Response::new_ok(
            id,
            result.unwrap_or(Value::Null),
        )));
    }

    pub(super) fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.send(Message::Response(Response::new_err(
            id,
            code as i32,
            why.to_owned(),
        )));
    }

    pub(super) fn notify<N: protocol::Notification>(&self, params: impl Serialize) {
        self.send(Message::Notification(lsp_server::Notification::new(
            N::METHOD.to_owned(),
            params,
        )));
    }

    /// Asks the editor for something; what it says to that is not waited for.
    fn ask_editor<R: protocol::Request>(&mut self, params: impl Serialize) {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(Message::Request(lsp_server::Request::new(
            id,
            R::METHOD.to_owned(),
            params,
        )));
    }

    /// Asks the editor to say which files change on the disk.
    fn watch_files(&mut self) {
        if !self.client.watches_files {
            return;
        }
        let watchers = protocol::DidChangeWatchedFilesRegistrationOptions {
            watchers: vec![protocol::FileSystemWatcher {
                glob_pattern: protocol::GlobPattern::String("**/*.bid".to_owned()),
                kind: None,
            }],
        };
        let registration = protocol::Registration {
            id: "files".to_owned(),
            method: protocol::DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: json(&watchers),
        };
        self.ask_editor::<protocol::RegisterCapability>(protocol::RegistrationParams {
            registrations: vec![registration],
        });
    }

    // ---- Changes
    // -----------------------------------------------------------------------------------------------

    /// A file is another one now.
    pub(super) fn changed(&mut self) {
        self.revision += 1;
        self.is_stale = true;
        self.stop_work();
    }

    /// A file on the disk is another one.
    pub(super) fn disk_changed(&mut self, path: PathBuf) {
        self.texts.forget(&path);
        self.background.forget_all_but(&path);
        self.engine.change(Change::Disk(path));
        self.changed();
    }

    /// Gives the engine the texts as they are now.
    pub(super) fn flush(&mut self) {
        for (path, text) in self.texts.changed() {
            self.background.forget_all_but(&path);
            self.engine.change(Change::Open(path, text.text.clone()));
        }
    }

    /// Asks anew what is wrong, once all changes are in.
    pub fn settle(&mut self) {
        self.flush();
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        self.asked.clear();
        for path in self.texts.paths() {
            if self.client.options.evaluate {
                self.ask(
                    &path,
                    Question::Cells,
                    Open::Cells(path.clone(), self.revision),
                );
                self.work_at = Some(Instant::now() + PAUSE);
            }
            self.look_at(path);
        }
        self.clear_others();
    }

    /// Asks what is wrong with a file and which ones it uses.
    fn look_at(&mut self, path: PathBuf) {
        if self.asked.insert(path.clone()) {
            self.ask(
                &path,
                Question::Diagnose,
                Open::Diagnose(path.clone(), self.revision),
            );
            self.ask(
                &path,
                Question::Uses,
                Open::Uses(path.clone(), self.revision),
            );
        }
    }

    pub(super) fn ask(&mut self, path: &Path, question: Question, open: Open) {
        let id = self.engine.request(Request::Ask(path.to_owned(), question));
        self.open.insert(id, open);
    }

    // ---- Marks
    // -------------------------------------------------------------------------------------------------

    /// Tells the editor what is wrong with a file, if that is something else than before.
    pub(super) fn publish(&mut self, path: &Path) {
        let mut findings = self.found.get(path).cloned().unwrap_or_default();
        self.background.add_findings(path, &mut findings);
        let marks = findings
            .iter()
            .filter_map(|finding| diagnostics::diagnostic(&mut self.texts, path, finding));
        let marks: Vec<protocol::Diagnostic> = marks.collect();
        self.mark(path, marks);
    }

    fn mark(&mut self, path: &Path, marks: Vec<protocol::Diagnostic>) {
        let document = self.texts.document(path);
        let is_known = match self.marked.get(path) {
            Some(known) => *known == marks,
            None => marks.is_empty() && document.is_none(),
        };
        let (Some(uri), false) = (self.texts.uri(path), is_known) else {
            return;
        };
        let version = document.map(|document| document.version);
        if document.is_none() && marks.is_empty() {
            self.marked.remove(path);
        } else {
            self.marked.insert(path.to_owned(), marks.clone());
        }
        let params = protocol::PublishDiagnosticsParams {
            uri,
            version,
            diagnostics: marks,
        };
        self.notify::<protocol::PublishDiagnostics>(params);
    }

    /// Takes back the marks in a document that is closed; one that is opened again is told all
    /// anew, since editors forget what they close.
    pub(super) fn unmark(&mut self, path: &Path) {
        self.mark(path, Vec::new());
        self.marked.remove(path);
    }

    /// Takes back the marks in files that no open document uses any more, once all are known that
    /// are used.
    fn clear_others(&mut self) {
        let is_open =
            |open: &Open| matches!(open, Open::Uses(_, revision) if *revision == self.revision);
        if self.open.values().any(is_open) {
            return;
        }
        let others: Vec<PathBuf> = self
            .marked
            .keys()
            .filter(|path| !self.asked.contains(*path))
            .cloned()
            .collect();
        for path in others {
            self.found.remove(&path);
            self.mark(&path, Vec::new());
        }
    }

    // ---- From the engine
    // ---------------------------------------------------------------------------------------

    /// Takes in what the engine says; a value is given as text too, unless it was stopped meanwhile.
    pub fn reply(&mut self, Reply { id, event }: Reply, text: Option<&str>) {
        // Editors are shown no bars, and progress is never an answer, though it may come before one.
        if matches!(event, Event::Progress(_)) {
            return;
        }
        if let Some(path) = self.background.happened(id, &event, text) {
            self.statement_is_over(&path);
        }
        let is_done = matches!(event, Event::Done(_));
        let Some(open) = self.open.remove(&id) else {
            return;
        };
        match open {
            Open::Client(asked) if is_done => {
                self.refuse(
                    asked.client,
                    ErrorCode::ContentModified,
                    "the text has changed",
                );
            }
            Open::Client(asked) => self.answer(asked, event),
            Open::Diagnose(path, revision) => {
                if let (Event::Diagnostics(findings), true) = (event, revision == self.revision) {
                    self.found.insert(path.clone(), findings);
                    self.publish(&path);
                }
            }
            Open::Uses(path, revision) => {
                if let (Event::Uses(used), true) = (event, revision == self.revision) {
                    let is_ours = |path: &PathBuf| !path.starts_with("<library>");
                    used.into_iter()
                        .map(|(_, place)| place.path)
                        .filter(is_ours)
                        .for_each(|path| self.look_at(path));
                    self.clear_others();
                }
                let _ = path;
            }
            Open::Cells(path, revision) => {
                if let (Event::Cells(cells), true) = (event, revision == self.revision) {
                    self.background.set_cells(&path, cells);
                }
            }
            Open::Symbols(search, path) => self.symbols_of(*search, &path, event),
            Open::Value(asked, description, value) => {
                self.value(id, (asked, description, value), event, text)
            }
            Open::Find(client, testing) => self.found_tests(client, testing, event),
            Open::Test(client, testing) => self.test(id, client, testing, (event, text)),
        }
    }

    fn answer(&mut self, mut asked: Asked, event: Event) {
        if asked.revision != self.revision {
            return self.refuse(
                asked.client,
                ErrorCode::ContentModified,
                "the text has changed",
            );
        }
        match (&mut asked.wanted, event) {
            (_, Event::Finding(why)) => {
                self.refuse(asked.client, ErrorCode::RequestFailed, &why.message);
            }
            (Wanted::Hover, Event::Description(found)) => self.describe(asked, found),
            (Wanted::Rename(_) | Wanted::RenameAt(_), event) => self.rename(asked, event),
            (Wanted::Selections(rest, found), Event::Selections(parts)) => {
                let (_, at) = rest.remove(0);
                found.push(super::symbols::selection(
                    &asked.text,
                    &parts,
                    at,
                    self.texts.columns,
                ));
                match rest.first() {
                    Some((byte, _)) => {
                        let question = Question::Selections(*byte);
                        self.ask(&asked.path.clone(), question, Open::Client(asked));
                    }
                    None => self.respond(asked.client, json(found)),
                }
            }
            (Wanted::Hints(part), Event::Cells(cells)) => {
                self.background.set_cells(&asked.path, cells);
                let hints =
                    self.background
                        .hints(&asked.path, &asked.text, part, self.texts.columns);
                self.respond(asked.client, json(&hints));
            }
            (Wanted::Actions(_), Event::Diagnostics(mut findings)) => {
                self.background.add_findings(&asked.path, &mut findings);
                let result = answer(&mut self.texts, &asked, Event::Diagnostics(findings));
                self.respond(asked.client, result);
            }
            (_, event) => {
                let result = answer(&mut self.texts, &asked, event);
                self.respond(asked.client, result);
            }
        }
    }

    // ---- In the background
    // -------------------------------------------------------------------------------------

    /// Runs statements, as nobody types.
    pub fn work(&mut self) {
        if self.work_at.is_some_and(|at| at <= Instant::now()) {
            self.work_at = None;
            for path in self.texts.paths() {
                self.background.line_up(&path);
            }
            self.next_statement();
        }
    }

    fn next_statement(&mut self) {
        if self
            .open
            .values()
            .any(|open| matches!(open, Open::Test(..) | Open::Value(..)))
        {
            self.work_at = Some(Instant::now() + PAUSE);
            return;
        }
        if let Some(job) = self.background.next() {
            self.engine.set(limits(Some(self.client.options.limit())));
            let id = self.engine.request(Request::Run(
                job.path.clone(),
                Part::At(job.cell.range.start),
            ));
            self.background.begin(id, job);
        }
    }

    /// Stops what runs in the background; it is taken up again when nobody types.
    pub(super) fn stop_work(&mut self) {
        if self.background.is_busy() {
            self.work_at = Some(Instant::now() + PAUSE);
        }
        if let Some(id) = self.background.cancel() {
            self.engine.stop(id);
        }
    }

    fn statement_is_over(&mut self, path: &Path) {
        self.publish(path);
        self.next_statement();
        if !self.background.is_busy() && self.client.refreshes_hints {
            self.ask_editor::<protocol::InlayHintRefreshRequest>(Value::Null);
        }
    }

    /// Says what is known of a place; the value of a constant there is found out first, if that is
    /// quickly done.
    fn describe(&mut self, asked: Asked, found: Option<bid::analysis::Description>) {
        let Some(description) = found else {
            return self.respond(asked.client, None);
        };
        let is_busy = self
            .open
            .values()
            .any(|open| matches!(open, Open::Test(..)));
        match description
            .constant
            .clone()
            .filter(|_| self.client.options.evaluate && !is_busy)
        {
            Some(place) => {
                self.stop_work();
                self.engine.set(limits(Some(GLANCE)));
                let id = self
                    .engine
                    .request(Request::Run(place.path, Part::Value(place.range.start)));
                self.open
                    .insert(id, Open::Value(asked, Box::new(description), None));
            }
            None => self.say(asked, &description, None),
        }
    }

    fn say(&self, asked: Asked, description: &bid::analysis::Description, value: Option<&str>) {
        let hover = super::completion::hover(
            &asked.text,
            description,
            value,
            self.texts.columns,
            self.client.markdown,
        );
        self.respond(asked.client, json(&hover));
    }

    fn value(
        &mut self,
        id: Id,
        (asked, description, mut value): (Asked, Box<bid::analysis::Description>, Option<String>),
        event: Event,
        text: Option<&str>,
    ) {
        match event {
            Event::Done(_) => return self.say(asked, &description, value.as_deref()),
            Event::Value { .. } => value = text.map(|text| text.trim_end().to_owned()),
            _ => {}
        }
        self.open.insert(id, Open::Value(asked, description, value));
    }
}

/// How much may be done for a statement.
pub(super) fn limits(timeout: Option<Duration>) -> Settings {
    Settings {
        limits: Limits::of_machine(),
        timeout,
    }
}
