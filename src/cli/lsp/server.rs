//! The server: handles the messages of the editor and of the bench, and keeps the state between
//! them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bid::analysis::{Analysis, Description};
use bid::engine::{Desk, Engine, Event, FileChange, Finding, Id, Reply, Request};
use bid_language::files::DiskFiles;
use bid_language::watch::{Limits, Settings};
use lsp_server::{ErrorCode, Message, RequestId, Response};
use serde::Serialize;
use serde_json::Value;

use super::arrivals::Arrivals;
use super::background::Background;
use super::capabilities::Client;
use super::diagnostics;
use super::lens::Testing;
use super::protocol::{self, Notification as _};
use super::texts::{Text, Texts};

/// The time without typing after which statements are run.
const PAUSE: Duration = Duration::from_millis(300);

/// The time to wait for messages if there is no work.
const LONG: Duration = Duration::from_secs(3600);

/// The time limit for the value of a constant at the pointer.
const GLANCE: Duration = Duration::from_millis(300);

/// A run of the bench for the editor.
pub(super) enum OpenRequest {
    /// The value of the constant at the pointer.
    Value(Pointed),
    /// A test, with the request that runs it.
    Test(RequestId, Testing),
}

impl OpenRequest {
    /// Returns the editor's question that the run belongs to.
    pub fn client(&self) -> &RequestId {
        match self {
            Self::Value(pointed) => &pointed.client,
            Self::Test(client, _) => client,
        }
    }
}

/// A name at the editor's pointer.
pub(super) struct Pointed {
    pub client: RequestId,
    pub text: Rc<Text>,
    pub description: Description,
    /// The value that it denotes, as far as it is known.
    pub value: Option<String>,
}

/// The state between the editor and the engine.
pub struct LanguageServer {
    pub(super) client: Client,
    /// The desk, which answers questions about texts.
    pub(super) desk: Desk,
    pub(super) arrivals: Arc<Arrivals>,
    /// The engine, which runs texts.
    pub(super) engine: Engine,
    outgoing: Box<dyn Fn(Message)>,
    pub(super) texts: Texts,
    pub(super) open: HashMap<Id, OpenRequest>,
    /// If set, all documents are to be analysed again.
    is_stale: bool,
    /// The findings of each file that are known without running it.
    found: HashMap<PathBuf, Vec<Finding>>,
    /// The diagnostics that the editor shows for each file.
    marked: HashMap<PathBuf, Vec<protocol::Diagnostic>>,
    /// The files that have been analysed since the last change, or will be.
    seen: HashSet<PathBuf>,
    /// The files that will be analysed, the next one at the end.
    unseen: Vec<PathBuf>,
    pub(super) background: Background,
    /// The time from which statements may be run.
    pub(super) work_at: Option<Instant>,
    pub(super) is_shut_down: bool,
    requests: i32,
}

impl LanguageServer {
    /// Creates a server for an editor; its messages go to `outgoing`.
    pub fn new(
        client: Client,
        engine: Engine,
        arrivals: Arc<Arrivals>,
        outgoing: Box<dyn Fn(Message)>,
    ) -> Self {
        let texts = Texts::new(client.columns);
        let mut server = Self {
            client,
            desk: Desk::new(Rc::new(DiskFiles)),
            arrivals,
            engine,
            outgoing,
            texts,
            open: HashMap::new(),
            is_stale: false,
            found: HashMap::new(),
            marked: HashMap::new(),
            seen: HashSet::new(),
            unseen: Vec::new(),
            background: Background::default(),
            work_at: None,
            is_shut_down: false,
            requests: 0,
        };
        server.watch_files();
        server.tell_of_options();
        server
    }

    /// Reports the user's options that cannot be used.
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

    /// Returns `true` if the editor has announced its end.
    pub fn is_shut_down(&self) -> bool {
        self.is_shut_down
    }

    /// Returns the time to wait for messages until there is work.
    pub fn patience(&self) -> Duration {
        self.work_at
            .map_or(LONG, |at| at.saturating_duration_since(Instant::now()))
    }

    // ---- To the editor
    // -----------------------------------------------------------------------------------------

    pub(super) fn send(&self, message: Message) {
        (self.outgoing)(message);
    }

    /// Answers a question; without a result the answer is null.
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

    /// Sends a request to the editor without waiting for the response.
    fn ask_editor<R: protocol::Request>(&mut self, params: impl Serialize) {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(Message::Request(lsp_server::Request::new(
            id,
            R::METHOD.to_owned(),
            params,
        )));
    }

    /// Asks the editor to report the files that change on the disk.
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
            register_options: serde_json::to_value(&watchers).ok(),
        };
        self.ask_editor::<protocol::RegisterCapability>(protocol::RegistrationParams {
            registrations: vec![registration],
        });
    }

    // ---- Changes
    // -----------------------------------------------------------------------------------------------

    /// Tells the desk and the bench that a file has changed.
    pub(super) fn change(&mut self, change: FileChange) {
        self.desk.change(&change);
        self.engine.change(change);
    }

    /// Records that a file has changed.
    pub(super) fn changed(&mut self) {
        self.is_stale = true;
        self.stop_work();
    }

    /// Records that a file on the disk has changed.
    pub(super) fn disk_changed(&mut self, path: PathBuf) {
        self.texts.forget(&path);
        self.background.forget_all_but(&path);
        self.change(FileChange::Disk(path));
        self.changed();
    }

    /// Passes the present texts to the desk and the bench.
    pub(super) fn flush(&mut self) {
        for (path, text) in self.texts.changed() {
            self.background.forget_all_but(&path);
            self.change(FileChange::Open(path, text.text.clone()));
        }
    }

    /// Analyses one more file, once all changes are handled; returns `false` if all have been
    /// analysed.
    pub fn settle(&mut self) -> bool {
        self.flush();
        // Several changes in a row start the analysis only once.
        if std::mem::take(&mut self.is_stale) {
            self.unseen = self.texts.paths();
            // The next file is taken from the end.
            self.unseen.reverse();
            self.seen = self.unseen.iter().cloned().collect();
            if self.client.options.evaluate && !self.unseen.is_empty() {
                self.work_at = Some(Instant::now() + PAUSE);
            }
            if self.unseen.is_empty() {
                self.clear_others();
            }
        }
        let Some(path) = self.unseen.pop() else {
            return false;
        };
        match self.read(&path) {
            Ok(Some(analysis)) => self.look_at(&path, &analysis),
            Ok(None) => {}
            // A change has arrived, after which all files are analysed again.
            Err(_) => self.unseen.push(path),
        }
        if self.unseen.is_empty() {
            self.clear_others();
        }
        true
    }

    /// Publishes the findings of a file; the files that it uses are analysed next.
    fn look_at(&mut self, path: &Path, analysis: &Analysis) {
        if self.client.options.evaluate && self.texts.document(path).is_some() {
            let cells = self.desk.cells(analysis);
            self.background.set_cells(path, cells);
        }
        let findings = self.desk.findings(analysis);
        self.found.insert(path.to_owned(), findings);
        self.publish(path);
        let found = analysis.uses.iter().filter(|used| used.is_found);
        for path in found.map(|used| &used.path) {
            // The library is part of the program and has no errors to show.
            if !path.starts_with("<library>") && self.seen.insert(path.clone()) {
                self.unseen.push(path.clone());
            }
        }
    }

    // ---- Marks
    // -------------------------------------------------------------------------------------------------

    /// Sends the diagnostics of a file to the editor, if they have changed.
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
            // An open document without findings is told so once, which confirms that it was
            // analysed.
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

    /// Removes the diagnostics of a document that is closed. If it is opened again they are all
    /// sent again, because editors forget the diagnostics of closed documents.
    pub(super) fn unmark(&mut self, path: &Path) {
        self.mark(path, Vec::new());
        self.marked.remove(path);
    }

    /// Removes the diagnostics of files that no open document uses any more, once all have been
    /// analysed.
    fn clear_others(&mut self) {
        let others: Vec<PathBuf> = self
            .marked
            .keys()
            .filter(|path| !self.seen.contains(*path))
            .cloned()
            .collect();
        for path in others {
            self.found.remove(&path);
            self.mark(&path, Vec::new());
        }
    }

    // ---- From the bench
    // ----------------------------------------------------------------------------------------

    /// Handles a reply of the bench; a value also comes as text, unless it was stopped meanwhile.
    pub fn reply(&mut self, Reply { id, event }: Reply, text: Option<&str>) {
        // No progress is shown in editors.
        if matches!(event, Event::Progress(_)) {
            return;
        }
        if let Some(path) = self.background.happened(id, &event, text) {
            self.statement_is_over(&path);
        }
        match self.open.remove(&id) {
            Some(OpenRequest::Value(pointed)) => self.value(id, pointed, &event, text),
            Some(OpenRequest::Test(client, testing)) => self.test(id, client, testing, event, text),
            None => {}
        }
    }

    // ---- In the background
    // -------------------------------------------------------------------------------------

    /// Runs statements, if the user is not typing.
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
        // A question of the user takes the bench first, and statements wait for a pause.
        if !self.open.is_empty() {
            self.work_at = Some(Instant::now() + PAUSE);
            return;
        }
        if let Some(job) = self.background.next() {
            self.engine.set(limits(Some(self.client.options.limit())));
            let id = self
                .engine
                .request(Request::Run(job.path.clone(), job.cell.range.start));
            self.background.begin(id, job);
        }
    }

    /// Stops the statements in the background; they are resumed when the user is not typing.
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
        // One request after the last statement avoids a flicker for each of them.
        if !self.background.is_busy() && self.client.refreshes_hints {
            self.ask_editor::<protocol::InlayHintRefreshRequest>(Value::Null);
        }
    }

    /// Describes a place. The value of a constant there is computed first if that is quick; then
    /// the description is sent later.
    pub(super) fn describe(&mut self, pointed: Pointed) -> Option<Value> {
        let is_busy = self
            .open
            .values()
            // A test must not be stopped for a glance at a value.
            .any(|open| matches!(open, OpenRequest::Test(..)));
        let constant = pointed.description.constant.clone();
        let Some(place) = constant.filter(|_| self.client.options.evaluate && !is_busy) else {
            return Some(self.hovered(&pointed));
        };
        self.stop_work();
        self.engine.set(limits(Some(GLANCE)));
        let id = self
            .engine
            .request(Request::Value(place.path, place.range.start));
        self.open.insert(id, OpenRequest::Value(pointed));
        None
    }

    fn hovered(&self, pointed: &Pointed) -> Value {
        let hover = super::completion::hover(
            &pointed.text,
            &pointed.description,
            pointed.value.as_deref(),
            self.texts.columns,
            self.client.markdown,
        );
        serde_json::to_value(&hover).unwrap_or_default()
    }

    /// Handles an event of the computation of a constant's value.
    fn value(&mut self, id: Id, mut pointed: Pointed, event: &Event, text: Option<&str>) {
        match event {
            Event::Done(_) => {
                let hover = self.hovered(&pointed);
                return self.respond(pointed.client, Some(hover));
            }
            Event::Value { .. } => pointed.value = text.map(|text| text.trim_end().to_owned()),
            _ => {}
        }
        self.open.insert(id, OpenRequest::Value(pointed));
    }
}

/// Returns the limits of a statement.
pub(super) fn limits(timeout: Option<Duration>) -> Settings {
    Settings {
        limits: Limits::of_machine(),
        timeout,
    }
}
