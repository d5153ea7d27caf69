//! What the editor says.

use std::path::{Path, PathBuf};

use bid::engine::{Change, Event, Id, Part, Question, Request};
use bid_language::files;
use lsp_server::{ErrorCode, RequestId};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::{Asked, Wanted, answer, json};
use super::lens::{self, Testing};
use super::protocol::{self, MessageType, Notification as _, Position, Request as _, Uri};
use super::server::{Open, Server, Symbols, limits};
use super::{symbols, uri};

impl Server {
    // ---- Notifications
    // -----------------------------------------------------------------------------------------

    /// Takes in what the editor tells.
    pub fn notification(&mut self, told: lsp_server::Notification) {
        let lsp_server::Notification { method, params } = told;
        match method.as_str() {
            protocol::DidOpenTextDocument::METHOD => {
                if let Some(protocol::DidOpenTextDocumentParams { text_document }) = read(params) {
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
                }) = read(params)
                {
                    self.texts
                        .change(&text_document.uri, text_document.version, content_changes);
                    self.changed();
                }
            }
            protocol::DidCloseTextDocument::METHOD => {
                if let Some(protocol::DidCloseTextDocumentParams { text_document }) = read(params) {
                    self.close(&text_document.uri);
                }
            }
            protocol::DidSaveTextDocument::METHOD => {
                if let Some(protocol::DidSaveTextDocumentParams { text_document, .. }) =
                    read(params)
                {
                    let _: Uri = text_document.uri;
                    self.look_at_the_disk();
                }
            }
            protocol::DidChangeWatchedFiles::METHOD => {
                if let Some(protocol::DidChangeWatchedFilesParams { changes }) = read(params) {
                    changes
                        .iter()
                        .for_each(|change| self.disk_changed(uri::path(&change.uri)));
                }
            }
            "$/cancelRequest" => self.cancel(&params),
            _ => {}
        }
    }

    fn close(&mut self, uri: &Uri) {
        let path = self.texts.close(uri);
        self.background.close(&path);
        self.unmark(&path);
        self.engine.change(Change::Close(path));
        self.changed();
    }

    /// Sees which files that are not open have changed: not every editor tells.
    fn look_at_the_disk(&mut self) {
        for path in self.texts.outdated() {
            self.disk_changed(path);
        }
    }

    fn cancel(&mut self, params: &Value) {
        let id = match &params["id"] {
            Value::Number(number) => number
                .as_i64()
                .and_then(|id| i32::try_from(id).ok())
                .map(RequestId::from),
            Value::String(id) => Some(RequestId::from(id.clone())),
            _ => None,
        };
        let of = |open: &Open| match open {
            Open::Client(asked) | Open::Value(asked, ..) => Some(asked.client.clone()),
            Open::Symbols(search, _) => Some(search.client.clone()),
            Open::Find(client, _) | Open::Test(client, _) => Some(client.clone()),
            Open::Diagnose(..) | Open::Uses(..) | Open::Cells(..) => None,
        };
        let found = self
            .open
            .iter()
            .find(|(_, open)| id.is_some() && of(open) == id)
            .map(|(asked, _)| *asked);
        if let (Some(asked), Some(id)) = (found, id) {
            self.engine.stop(asked);
            self.open.remove(&asked);
            self.refuse(id, ErrorCode::RequestCanceled, "cancelled");
        }
    }

    // ---- Requests
    // ----------------------------------------------------------------------------------------------

    /// Takes in what the editor asks.
    pub fn request(&mut self, asked: lsp_server::Request) {
        let lsp_server::Request { id, method, params } = asked;
        if self.is_shut_down {
            return self.refuse(id, ErrorCode::InvalidRequest, "the server is shut down");
        }
        self.flush();
        match method.as_str() {
            protocol::Shutdown::METHOD => {
                self.is_shut_down = true;
                self.stop_work();
                self.respond(id, None);
            }
            protocol::WorkspaceSymbolRequest::METHOD => self.search(id, params),
            protocol::ExecuteCommand::METHOD => self.execute(id, params),
            _ => match self.question(&method, params) {
                Some(Some((uri, question, wanted))) => self.ask_for(id, &uri, question, wanted),
                Some(None) => self.refuse(
                    id,
                    ErrorCode::InvalidParams,
                    "the parameters cannot be read",
                ),
                None => self.refuse(
                    id,
                    ErrorCode::MethodNotFound,
                    &format!("{method} is not served"),
                ),
            },
        }
    }

    /// What the engine is to be asked, by the request's name; nothing within if its parameters
    /// cannot be read.
    fn question(&self, method: &str, params: Value) -> Option<Option<(Uri, Question, Wanted)>> {
        let by_document = match method {
            protocol::DocumentSymbolRequest::METHOD => Some((Question::Outline, Wanted::Symbols)),
            protocol::FoldingRangeRequest::METHOD => Some((Question::Folds, Wanted::Folds)),
            protocol::Formatting::METHOD => Some((Question::Format, Wanted::Format)),
            protocol::DocumentLinkRequest::METHOD => Some((Question::Uses, Wanted::Links)),
            protocol::CodeLensRequest::METHOD => Some((Question::Outline, Wanted::Lenses)),
            protocol::SemanticTokensFullRequest::METHOD => {
                Some((Question::Tokens, Wanted::Tokens(None)))
            }
            _ => None,
        };
        if let Some((question, wanted)) = by_document {
            return Some(
                read(params["textDocument"]["uri"].clone()).map(|uri| (uri, question, wanted)),
            );
        }
        let kind = AtPlace::of(method);
        if let Some(kind) = kind {
            return Some(self.at_place(kind, params));
        }
        match method {
            protocol::SemanticTokensRangeRequest::METHOD
            | protocol::RangeFormatting::METHOD
            | protocol::CodeActionRequest::METHOD
            | protocol::InlayHintRequest::METHOD => Some(self.in_range(method, params)),
            protocol::SelectionRangeRequest::METHOD => Some(self.selections(params)),
            _ => None,
        }
    }

    fn at_place(&self, kind: AtPlace, params: Value) -> Option<(Uri, Question, Wanted)> {
        let typed = params["context"]["triggerCharacter"].as_str();
        let only_paths = matches!(typed, Some("/" | "\""));
        let new_name = params["newName"].as_str().unwrap_or_default().to_owned();
        let protocol::TextDocumentPositionParams {
            text_document,
            position,
        } = read(params)?;
        let byte = self
            .texts
            .at(&text_document.uri)
            .map_or(0, |(_, text)| text.byte(position, self.texts.columns));
        let (question, wanted) = match kind {
            AtPlace::Completion if only_paths => (Question::Complete(byte), Wanted::Paths(byte)),
            AtPlace::Completion => (Question::Complete(byte), Wanted::Completion(byte)),
            AtPlace::Hover => (Question::Describe(byte), Wanted::Hover),
            AtPlace::Signature => (Question::Call(byte), Wanted::Signature),
            AtPlace::Definition => (Question::Definition(byte), Wanted::Definition),
            AtPlace::References => (Question::References(byte), Wanted::References),
            AtPlace::Highlights => (Question::References(byte), Wanted::Highlights),
            AtPlace::RenameAt => (Question::Rename(byte), Wanted::RenameAt(byte)),
            AtPlace::Rename => (
                Question::RenameTo(byte, new_name.clone()),
                Wanted::Rename(new_name),
            ),
        };
        Some((text_document.uri, question, wanted))
    }

    fn in_range(&self, method: &str, params: Value) -> Option<(Uri, Question, Wanted)> {
        let uri: Uri = read(params["textDocument"]["uri"].clone())?;
        let range: protocol::Range = read(params["range"].clone())?;
        let bytes = self
            .texts
            .at(&uri)
            .map_or(0..0, |(_, text)| text.bytes(range, self.texts.columns));
        let (question, wanted) = match method {
            protocol::SemanticTokensRangeRequest::METHOD => {
                (Question::Tokens, Wanted::Tokens(Some(bytes)))
            }
            protocol::RangeFormatting::METHOD => (
                Question::FormatPart {
                    start: bytes.start,
                    end: bytes.end,
                },
                Wanted::Format,
            ),
            protocol::CodeActionRequest::METHOD => (Question::Diagnose, Wanted::Actions(range)),
            _ => (Question::Cells, Wanted::Hints(bytes)),
        };
        Some((uri, question, wanted))
    }

    fn selections(&self, params: Value) -> Option<(Uri, Question, Wanted)> {
        let protocol::SelectionRangeParams {
            text_document,
            positions,
            ..
        } = read(params)?;
        let (_, text) = self.texts.at(&text_document.uri)?;
        let byte = |at: Position| (text.byte(at, self.texts.columns), at);
        let places: Vec<(usize, Position)> = positions.into_iter().map(byte).collect();
        let question = Question::Selections(places.first()?.0);
        Some((
            text_document.uri,
            question,
            Wanted::Selections(places, Vec::new()),
        ))
    }

    /// Asks the engine for the editor.
    fn ask_for(&mut self, client: RequestId, uri: &Uri, question: Question, wanted: Wanted) {
        let Some((path, text)) = self.texts.at(uri) else {
            return self.respond(client, None);
        };
        if matches!(wanted, Wanted::References | Wanted::Rename(_)) {
            self.know_the_workspace();
        }
        let asked = Asked {
            client,
            path: path.clone(),
            text,
            revision: self.revision,
            wanted,
        };
        self.ask(&path, question, Open::Client(asked));
    }

    /// Lets the engine read all files of the workspace, since any may use a name.
    fn know_the_workspace(&self) {
        for path in self.workspace_files() {
            self.engine.request(Request::Ask(path, Question::Uses));
        }
    }

    fn workspace_files(&self) -> Vec<PathBuf> {
        files::bid_files(&self.client.folders).unwrap_or_default()
    }

    /// Answers with the edits of another name, or says where the name stands that is to be another
    /// one, or why it cannot be.
    pub(super) fn rename(&mut self, asked: Asked, event: Event) {
        let why = match event {
            Event::Refused(why) => why,
            found => {
                let result = answer(&mut self.texts, &asked, found);
                return self.respond(asked.client, result);
            }
        };
        self.refuse(asked.client, ErrorCode::RequestFailed, &why);
    }

    // ---- Declarations of the workspace
    // -------------------------------------------------------------------------

    fn search(&mut self, client: RequestId, params: Value) {
        let query = params["query"].as_str().unwrap_or_default().to_owned();
        let mut rest: Vec<PathBuf> = self.workspace_files();
        rest.extend(self.texts.paths());
        rest.sort();
        rest.dedup();
        self.search_on(Symbols {
            client,
            query,
            rest,
            found: Vec::new(),
        });
    }

    fn search_on(&mut self, mut search: Symbols) {
        match search.rest.pop() {
            Some(path) => {
                let open = Open::Symbols(Box::new(search), path.clone());
                self.ask(&path, Question::Outline, open);
            }
            None => {
                search.found.sort_by(|a, b| a.name.cmp(&b.name));
                self.respond(search.client, json(&search.found));
            }
        }
    }

    /// Goes on with a search once it is known what a file declares.
    pub(super) fn symbols_of(&mut self, mut search: Symbols, path: &Path, event: Event) {
        if let Event::Outline(outline) = event {
            search.found.extend(symbols::workspace(
                &mut self.texts,
                path,
                &outline,
                &search.query,
            ));
        }
        self.search_on(search);
    }

    // ---- Tests
    // -------------------------------------------------------------------------------------------------

    fn execute(&mut self, client: RequestId, params: Value) {
        let Some(protocol::ExecuteCommandParams {
            command, arguments, ..
        }) = read(params)
        else {
            return self.refuse(
                client,
                ErrorCode::InvalidParams,
                "the parameters cannot be read",
            );
        };
        let uri: Option<Uri> = arguments.first().cloned().and_then(read);
        let name = arguments.get(1).and_then(Value::as_str);
        let (Some(uri), Some(name), true) = (uri, name, lens::COMMANDS.contains(&command.as_str()))
        else {
            return self.refuse(
                client,
                ErrorCode::InvalidParams,
                "a command has an address and the name of a test",
            );
        };
        let path = uri::path(&uri);
        let source = self
            .client
            .folders
            .iter()
            .find_map(|folder| path.strip_prefix(folder).ok());
        let source = source.unwrap_or(&path).to_owned();
        let testing = Testing::new((path.clone(), source), name, &command);
        self.ask(&path, Question::Outline, Open::Find(client, testing));
    }

    /// Runs a test once it is known where it stands.
    pub(super) fn found_tests(&mut self, client: RequestId, testing: Testing, event: Event) {
        let Event::Outline(outline) = event else {
            return self.refuse(client, ErrorCode::ContentModified, "the text has changed");
        };
        match lens::find(&outline, &testing.name) {
            Ok(start) => {
                self.stop_work();
                self.engine.set(limits(None));
                let id = self
                    .engine
                    .request(Request::Run(testing.path.clone(), Part::At(start)));
                if let Some(job) = self.background.job(&testing.path, start) {
                    self.background.begin(id, job);
                }
                self.open.insert(id, Open::Test(client, testing));
            }
            Err(why) => self.refuse(client, ErrorCode::RequestFailed, &why),
        }
    }

    /// Takes in what a test does.
    pub(super) fn test(
        &mut self,
        id: Id,
        client: RequestId,
        mut testing: Testing,
        (event, text): (Event, Option<&str>),
    ) {
        let Event::Done(summary) = event else {
            testing.happened(event, text);
            self.open.insert(id, Open::Test(client, testing));
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

/// What can be asked about a place.
#[derive(Clone, Copy)]
enum AtPlace {
    Completion,
    Hover,
    Signature,
    Definition,
    References,
    Highlights,
    RenameAt,
    Rename,
}

impl AtPlace {
    fn of(method: &str) -> Option<Self> {
        Some(match method {
            protocol::Completion::METHOD => Self::Completion,
            protocol::HoverRequest::METHOD => Self::Hover,
            protocol::SignatureHelpRequest::METHOD => Self::Signature,
            protocol::GotoDefinition::METHOD => Self::Definition,
            protocol::References::METHOD => Self::References,
            protocol::DocumentHighlightRequest::METHOD => Self::Highlights,
            protocol::PrepareRenameRequest::METHOD => Self::RenameAt,
            protocol::Rename::METHOD => Self::Rename,
            _ => return None,
        })
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
