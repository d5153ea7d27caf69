//! Answers the editor's questions about texts, each at the desk by plain calls.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bid::analysis::{Analysis, CandidateKind, Location, Renamed};
use bid_language::diagnostic::Diagnostic;
use bid_language::files;
use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::protocol::{
    self, DocumentHighlight, DocumentLink, Position, Request as _, SelectionRange, Uri,
};
use super::server::LanguageServer;
use super::texts::Text;
use super::{completion, diagnostics, edit, lens, symbols, tokens};

/// The open document that a question concerns.
pub struct AskedDocument {
    pub path: PathBuf,
    pub text: Rc<Text>,
    pub analysis: Rc<Analysis>,
}

/// The result for the editor, `None` if there is nothing to show, or the reason that there is none.
pub type RequestResult = Result<Option<Value>, RequestRefusal>;

/// The reason that a question has no result.
pub enum RequestRefusal {
    /// The document is not open, so there is nothing to show.
    NotOpen,
    /// The reason as it is reported to the editor.
    Because(ErrorCode, String),
}

impl From<Box<Diagnostic>> for RequestRefusal {
    fn from(why: Box<Diagnostic>) -> Self {
        // Questions are stopped only by a change or a cancellation, and the latter is reported
        // elsewhere.
        if why.code.is_stop() {
            return stale();
        }
        Self::Because(ErrorCode::RequestFailed, why.message)
    }
}

/// Reports that the text has changed since the question was asked.
fn stale() -> RequestRefusal {
    let why = "the text has changed".to_owned();
    RequestRefusal::Because(ErrorCode::ContentModified, why)
}

/// The handler of a question about a document, given its parameters.
pub type RequestHandler = fn(&mut LanguageServer, &AskedDocument, &Value) -> RequestResult;

/// Returns the handler of a request by its name.
pub fn question(method: &str) -> Option<RequestHandler> {
    Some(match method {
        protocol::Completion::METHOD => LanguageServer::completion,
        protocol::SignatureHelpRequest::METHOD => LanguageServer::signature,
        protocol::GotoDefinition::METHOD => LanguageServer::definition,
        protocol::References::METHOD => LanguageServer::references,
        protocol::DocumentHighlightRequest::METHOD => LanguageServer::highlights,
        protocol::PrepareRenameRequest::METHOD => LanguageServer::rename_at,
        protocol::Rename::METHOD => LanguageServer::rename,
        protocol::DocumentSymbolRequest::METHOD => LanguageServer::symbols,
        protocol::FoldingRangeRequest::METHOD => LanguageServer::folds,
        protocol::SelectionRangeRequest::METHOD => LanguageServer::selections,
        protocol::SemanticTokensFullRequest::METHOD => |server, page, _| server.tokens(page, None),
        protocol::SemanticTokensRangeRequest::METHOD => {
            |server, page, params| server.tokens(page, Some(server.bytes(page, params)?))
        }
        protocol::Formatting::METHOD => |server, page, _| server.formatted(page, None),
        protocol::RangeFormatting::METHOD => {
            |server, page, params| server.formatted(page, Some(server.bytes(page, params)?))
        }
        protocol::DocumentLinkRequest::METHOD => LanguageServer::links,
        protocol::CodeActionRequest::METHOD => LanguageServer::actions,
        protocol::CodeLensRequest::METHOD => LanguageServer::lenses,
        protocol::InlayHintRequest::METHOD => LanguageServer::hints,
        _ => return None,
    })
}

impl LanguageServer {
    /// Returns the document that parameters name.
    pub(super) fn page(&mut self, params: &Value) -> Result<AskedDocument, RequestRefusal> {
        let uri: Uri = read(&params["textDocument"]["uri"])?;
        let (path, text) = self.texts.at(&uri).ok_or(RequestRefusal::NotOpen)?;
        let analysis = self.desk.analysis(&path, &self.arrivals.context())?;
        Ok(AskedDocument {
            path,
            text,
            analysis,
        })
    }

    /// Returns the byte that parameters name.
    pub(super) fn byte(
        &self,
        page: &AskedDocument,
        params: &Value,
    ) -> Result<usize, RequestRefusal> {
        let at = read(&params["position"])?;
        Ok(page.text.byte(at, self.texts.columns))
    }

    /// Returns the byte range that parameters name.
    fn bytes(&self, page: &AskedDocument, params: &Value) -> Result<Range<usize>, RequestRefusal> {
        let range = read(&params["range"])?;
        Ok(page.text.bytes(range, self.texts.columns))
    }

    fn locations(&mut self, found: impl IntoIterator<Item = Location>) -> RequestResult {
        let texts = &mut self.texts;
        let found = found.into_iter();
        let found = found.filter_map(|place| texts.location(&place.path, place.range));
        json(&found.collect::<Vec<_>>())
    }

    fn completion(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let byte = self.byte(page, params)?;
        let mut found = self.desk.workspace().complete(&page.analysis, byte);
        let typed = params["context"]["triggerCharacter"].as_str();
        if matches!(typed, Some("/" | "\"")) {
            // Where no path is expected, these characters have other meanings.
            let candidates = &mut found.candidates;
            candidates.retain(|candidate| candidate.kind == CandidateKind::Path);
        }
        let columns = self.texts.columns;
        json(&completion::list(&page.text, byte, &found, columns))
    }

    fn signature(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let byte = self.byte(page, params)?;
        let call = self.desk.workspace().call_at(&page.analysis, byte);
        json(&call.as_ref().map(completion::signature))
    }

    fn definition(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let byte = self.byte(page, params)?;
        let found = self.desk.workspace().definition(&page.analysis, byte);
        self.locations(found)
    }

    fn references(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let byte = self.byte(page, params)?;
        self.know_the_workspace()?;
        let found = self.desk.workspace().references(&page.analysis, byte);
        self.locations(found)
    }

    fn highlights(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let byte = self.byte(page, params)?;
        let found = self.desk.workspace().references(&page.analysis, byte);
        // Highlights have no address, so they can only be in the document asked about.
        let here = found.into_iter().filter(|place| place.path == page.path);
        let highlights = here.map(|place| DocumentHighlight {
            range: page.text.range(place.range, self.texts.columns),
            kind: None,
        });
        json(&highlights.collect::<Vec<_>>())
    }

    /// Checks whether the name at a place can be renamed, and returns its range.
    fn rename_at(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let byte = self.byte(page, params)?;
        let found = places(self.desk.workspace().renamable(&page.analysis, byte))?;
        let here = found.into_iter().find(|place| {
            place.path == page.path && place.range.start <= byte && byte <= place.range.end
        });
        json(&here.map(|place| page.text.range(place.range, self.texts.columns)))
    }

    fn rename(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let byte = self.byte(page, params)?;
        let name = params["newName"].as_str().unwrap_or_default();
        self.know_the_workspace()?;
        let workspace = self.desk.workspace();
        let found =
            places(workspace.renamed(&page.analysis, byte, name, &self.arrivals.context())?)?;
        let edits = found
            .iter()
            .map(|place| (place.path.as_path(), place.range.clone(), name));
        json(&edit::workspace(&mut self.texts, edits))
    }

    fn symbols(&mut self, page: &AskedDocument, _: &Value) -> RequestResult {
        let outline = self.desk.workspace().outline(&page.analysis);
        json(&symbols::document(&page.text, &outline, self.texts.columns))
    }

    fn folds(&mut self, page: &AskedDocument, _: &Value) -> RequestResult {
        let folds = self.desk.workspace().folds(&page.analysis);
        json(&symbols::folds(&page.text, &folds, self.texts.columns))
    }

    fn selections(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let places: Vec<Position> = read(&params["positions"])?;
        let columns = self.texts.columns;
        let selection = |at: Position| {
            let byte = page.text.byte(at, columns);
            let parts = self.desk.workspace().selections(&page.analysis, byte);
            symbols::selection(&page.text, &parts, at, columns)
        };
        json(
            &places
                .into_iter()
                .map(selection)
                .collect::<Vec<SelectionRange>>(),
        )
    }

    fn tokens(&self, page: &AskedDocument, part: Option<Range<usize>>) -> RequestResult {
        let found = self.desk.workspace().tokens(&page.analysis);
        let columns = self.texts.columns;
        json(&tokens::tokens(&page.text, &found, part, columns))
    }

    fn formatted(&self, page: &AskedDocument, part: Option<Range<usize>>) -> RequestResult {
        let formatted = self.desk.workspace().formatted(&page.analysis, part);
        json(&formatted.map(|(part, mut new)| {
            keep_line_ends(&page.text.text, &mut new);
            edit::difference(&page.text, part, &new, self.texts.columns)
        }))
    }

    fn links(&mut self, page: &AskedDocument, _: &Value) -> RequestResult {
        let found = page.analysis.uses.iter().filter(|used| used.is_found);
        let links = found.map(|used| DocumentLink {
            range: page.text.range(used.span.range(), self.texts.columns),
            target: self.texts.uri(&used.path),
            tooltip: Some(used.path.display().to_string()),
            data: None,
        });
        json(&links.collect::<Vec<_>>())
    }

    fn actions(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let range = read(&params["range"])?;
        let mut findings = self.desk.findings(&page.analysis);
        // Fixes may also belong to errors that only a run finds.
        self.background.add_findings(&page.path, &mut findings);
        let texts = &mut self.texts;
        json(&diagnostics::actions(texts, &page.path, &findings, range))
    }

    fn lenses(&mut self, page: &AskedDocument, _: &Value) -> RequestResult {
        let outline = self.desk.workspace().outline(&page.analysis);
        json(&lens::lenses(&page.text, &page.path, &outline, &self.texts))
    }

    /// Returns the values shown beside the text.
    fn hints(&mut self, page: &AskedDocument, params: &Value) -> RequestResult {
        let part = self.bytes(page, params)?;
        let cells = self.desk.cells(&page.analysis);
        self.background.set_cells(&page.path, cells);
        let columns = self.texts.columns;
        json(
            &self
                .background
                .hints(&page.path, &page.text, &part, columns),
        )
    }

    /// Returns the declarations, in all files of the workspace, whose names contain the letters of
    /// a query.
    pub(super) fn search(&mut self, params: &Value) -> RequestResult {
        let query = params["query"].as_str().unwrap_or_default();
        let mut paths: Vec<PathBuf> = self.workspace_files();
        paths.extend(self.texts.paths());
        paths.sort();
        paths.dedup();
        let mut found = Vec::new();
        for path in paths {
            if let Some(analysis) = self.read(&path)? {
                let outline = self.desk.workspace().outline(&analysis);
                found.extend(symbols::workspace(&mut self.texts, &path, &outline, query));
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        json(&found)
    }

    /// Reads all files of the workspace, because any of them may use a name.
    fn know_the_workspace(&mut self) -> Result<(), RequestRefusal> {
        let mut paths = self.workspace_files().into_iter();
        paths.try_for_each(|path| self.read(&path).map(drop))
    }

    fn workspace_files(&self) -> Vec<PathBuf> {
        files::bid_files(&self.client.folders).unwrap_or_default()
    }

    /// Returns the analysis of a file; `None` if it cannot be read.
    pub(super) fn read(&mut self, path: &Path) -> Result<Option<Rc<Analysis>>, RequestRefusal> {
        match self.desk.analysis(path, &self.arrivals.context()) {
            Ok(analysis) => Ok(Some(analysis)),
            Err(why) if why.code.is_stop() => Err(stale()),
            Err(_) => Ok(None),
        }
    }
}

/// Returns the places of a name that can be renamed.
fn places(renamed: Renamed) -> Result<Vec<Location>, RequestRefusal> {
    match renamed {
        Renamed::At(places) => Ok(places),
        Renamed::Refused(why) => Err(RequestRefusal::Because(ErrorCode::RequestFailed, why)),
    }
}

/// Converts a result for the editor.
pub fn json(result: &impl Serialize) -> RequestResult {
    Ok(serde_json::to_value(result).ok())
}

/// Parses a parameter of a question.
pub fn read<T: DeserializeOwned>(params: &Value) -> Result<T, RequestRefusal> {
    T::deserialize(params).map_err(|_| {
        let why = "the parameters cannot be read".to_owned();
        RequestRefusal::Because(ErrorCode::InvalidParams, why)
    })
}

/// Gives the new text the line endings of the old one.
fn keep_line_ends(old: &str, new: &mut String) {
    let returns = old.matches("\r\n").count();
    // The printer writes `\n`; a mixed text gets the ending of most of its lines.
    if returns * 2 > old.matches('\n').count() {
        *new = new.replace("\r\n", "\n").replace('\n', "\r\n");
    }
}
