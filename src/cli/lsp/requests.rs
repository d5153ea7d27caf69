//! Handles the notifications and requests of the editor.

use bid::engine::{Event, FileChange, Id, Request};
use lsp_server::{ErrorCode, RequestId};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::{RequestRefusal, RequestResult, question, read};
use super::arrivals::cancelled;
use super::lens::{self, Testing};
use super::protocol::{self, MessageType, Notification as _, Request as _, Uri};
use super::server::{LanguageServer, OpenRequest, Pointed, limits};
use super::uri;

impl LanguageServer {
    // ---- Notifications
    // -----------------------------------------------------------------------------------------

    /// Handles a notification.
    pub fn notification(&mut self, told: lsp_server::Notification) {
        self.arrivals.taken_in(&told);
        let lsp_server::Notification { method, params } = told;
        match method.as_str() {
            protocol::DidOpenTextDocument::METHOD => {
                if let Some(protocol::DidOpenTextDocumentParams { text_document }) = known(&params)
                {
                    self.texts
                        .open(text_document.uri, text_document.version, text_document.text);
                    self.look_at_the_disk();
                    self.changed();
                }
            }
            protocol::DidChangeTextDocument::METHOD => {
                if let Some(protocol::DidChangeTextDocumentParams {
                    text_document,
                    content_changes,
                }) = known(&params)
                {
                    self.texts
                        .change(&text_document.uri, text_document.version, content_changes);
                    self.changed();
                }
            }
            protocol::DidCloseTextDocument::METHOD => {
                if let Some(protocol::DidCloseTextDocumentParams { text_document }) = known(&params)
                {
                    self.close(&text_document.uri);
                }
            }
            protocol::DidSaveTextDocument::METHOD => self.look_at_the_disk(),
            protocol::DidChangeWatchedFiles::METHOD => {
                if let Some(protocol::DidChangeWatchedFilesParams { changes }) = known(&params) {
                    changes
                        .iter()
                        .for_each(|change| self.disk_changed(uri::path(&change.uri)));
                }
            }
            protocol::Cancel::METHOD => self.cancel(&params),
            _ => {}
        }
    }

    fn close(&mut self, uri: &Uri) {
        let path = self.texts.close(uri);
        self.background.close(&path);
        self.unmark(&path);
        self.change(FileChange::Close(path));
        self.changed();
    }

    /// Finds the files that are not open and have changed, because not every editor reports them.
    fn look_at_the_disk(&mut self) {
        for path in self.texts.outdated() {
            self.disk_changed(path);
        }
    }

    /// Stops the run that belongs to a cancelled question. The desk has already finished its
    /// questions when the server handles the cancellation.
    fn cancel(&mut self, params: &Value) {
        let Some(client) = cancelled(params) else {
            return;
        };
        self.stop_runs(|of| *of == client, "cancelled");
    }

    /// Stops the runs of the editor's questions that `chosen` returns `true` for, and refuses these
    /// questions.
    fn stop_runs(&mut self, chosen: impl Fn(&RequestId) -> bool, why: &str) {
        let stopped = self.open.extract_if(|_, open| chosen(open.client()));
        for (id, open) in stopped.collect::<Vec<_>>() {
            self.engine.stop(id);
            self.refuse(open.client().clone(), ErrorCode::RequestCanceled, why);
        }
    }

    // ---- Requests
    // ----------------------------------------------------------------------------------------------

    /// Handles a request.
    pub fn request(&mut self, asked: lsp_server::Request) {
        let lsp_server::Request { id, method, params } = asked;
        if self.is_shut_down {
            return self.refuse(id, ErrorCode::InvalidRequest, "the server is shut down");
        }
        // Changes are only noted when they arrive, so the texts are passed on before the question.
        self.flush();
        // From here a cancellation of this question stops the work on it.
        self.arrivals.begin(&id);
        let answer = match method.as_str() {
            protocol::Shutdown::METHOD => {
                self.is_shut_down = true;
                self.stop_work();
                self.stop_runs(|_| true, "the server is shutting down");
                Some(Ok(None))
            }
            protocol::WorkspaceSymbolRequest::METHOD => Some(self.search(&params)),
            protocol::ExecuteCommand::METHOD => self.execute(&id, &params).err().map(Err),
            protocol::HoverRequest::METHOD => self
                .hover(&id, &params)
                .unwrap_or_else(|why| Some(Err(why))),
            method => Some(match question(method) {
                Some(question) => self
                    .page(&params)
                    .and_then(|page| question(self, &page, &params)),
                None => Err(RequestRefusal::Because(
                    ErrorCode::MethodNotFound,
                    format!("{method} is not served"),
                )),
            }),
        };
        let is_cancelled = self.arrivals.end();
        match answer {
            // A cancelled question that was answered in time gets its answer all the same.
            Some(Err(RequestRefusal::Because(..))) if is_cancelled => {
                self.refuse(id, ErrorCode::RequestCanceled, "cancelled");
            }
            Some(answer) => self.tell(id, answer),
            // The answer comes from the bench.
            None => {}
        }
    }

    fn tell(&self, id: RequestId, answer: RequestResult) {
        match answer {
            Ok(result) => self.respond(id, result),
            Err(RequestRefusal::NotOpen) => self.respond(id, None),
            Err(RequestRefusal::Because(code, why)) => self.refuse(id, code, &why),
        }
    }

    /// Describes a place, now or when the value of the constant there is known.
    fn hover(
        &mut self,
        client: &RequestId,
        params: &Value,
    ) -> Result<Option<RequestResult>, RequestRefusal> {
        let page = self.page(params)?;
        let byte = self.byte(&page, params)?;
        let found = self.desk.workspace().describe(&page.analysis, byte);
        let Some(description) = found else {
            return Ok(Some(Ok(None)));
        };
        let hover = self.describe(Pointed {
            client: client.clone(),
            text: page.text,
            description,
            value: None,
        });
        Ok(hover.map(|hover| Ok(Some(hover))))
    }

    // ---- Tests
    // -------------------------------------------------------------------------------------------------

    /// Runs a test; the editor is answered when it has ended.
    fn execute(&mut self, client: &RequestId, params: &Value) -> Result<(), RequestRefusal> {
        let protocol::ExecuteCommandParams {
            command, arguments, ..
        } = read(params)?;
        let uri: Option<Uri> = arguments.first().and_then(known);
        let name = arguments.get(1).and_then(Value::as_str);
        let (Some(uri), Some(name), true) = (uri, name, lens::COMMANDS.contains(&command.as_str()))
        else {
            return Err(RequestRefusal::Because(
                ErrorCode::InvalidParams,
                "a command has an address and the name of a test".to_owned(),
            ));
        };
        let path = uri::path(&uri);
        let source = self
            .client
            .folders
            .iter()
            .find_map(|folder| path.strip_prefix(folder).ok());
        let source = source.unwrap_or(&path).to_owned();
        let analysis = self.desk.analysis(&path, &self.arrivals.context())?;
        let outline = self.desk.workspace().outline(&analysis);
        let start = lens::find(&outline, name)
            .map_err(|why| RequestRefusal::Because(ErrorCode::RequestFailed, why))?;
        self.stop_work();
        // The user has asked for the test, so it may take as long as it needs.
        self.engine.set(limits(None));
        let id = self.engine.request(Request::Run(path.clone(), start));
        // The run also serves as the statement's run in the background, so its marks are kept.
        if let Some(job) = self.background.job(&path, start) {
            self.background.begin(id, job);
        }
        let testing = Testing::new(path, source, name, &command);
        self.open
            .insert(id, OpenRequest::Test(client.clone(), testing));
        Ok(())
    }

    /// Handles an event of a test.
    pub(super) fn test(
        &mut self,
        id: Id,
        client: RequestId,
        mut testing: Testing,
        event: Event,
        text: Option<&str>,
    ) {
        let Event::Done(summary) = event else {
            testing.happened(event, text);
            self.open.insert(id, OpenRequest::Test(client, testing));
            return;
        };
        let (is_good, said, data) = testing.verdict(summary == bid::session::Summary::default());
        let typ = if is_good {
            MessageType::INFO
        } else {
            MessageType::ERROR
        };
        self.notify::<protocol::ShowMessage>(protocol::ShowMessageParams { typ, message: said });
        self.respond(client, Some(data));
    }
}

/// Returns parameters, if they can be parsed.
fn known<T: DeserializeOwned>(params: &Value) -> Option<T> {
    read(params).ok()
}
