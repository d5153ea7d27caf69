//! The capabilities of the editor and of the server.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use bid_language::source::Columns;
use serde_json::{Value, json};

use super::lens::COMMANDS;
use super::protocol::{CodeActionKind, PositionEncodingKind, TextDocumentSyncKind, Uri};
use super::{tokens, uri};

/// The user's settings for values beside the text, from the `initializationOptions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InitializationOptions {
    /// If set, statements are run in the background.
    pub evaluate: bool,
    /// The time that one of them may take.
    pub limit_milliseconds: u64,
}

impl Default for InitializationOptions {
    fn default() -> Self {
        Self {
            evaluate: true,
            limit_milliseconds: 1000,
        }
    }
}

impl InitializationOptions {
    /// Reads the options that are given; the others have their defaults. Also returns a sentence
    /// for each option that cannot be used.
    fn read(given: Option<&Value>) -> (Self, Vec<String>) {
        let (mut options, mut unusable) = (Self::default(), Vec::new());
        let none = serde_json::Map::new();
        let fields = match given {
            None | Some(Value::Null) => &none,
            Some(Value::Object(fields)) => fields,
            Some(other) => {
                unusable.push(format!("they are an object, not {other}"));
                &none
            }
        };
        match fields.get("evaluate") {
            None | Some(Value::Null) => {}
            Some(Value::Bool(evaluate)) => options.evaluate = *evaluate,
            Some(other) => unusable.push(format!("`evaluate` is true or false, not {other}")),
        }
        let limit = fields
            .get("limitMilliseconds")
            .filter(|limit| !limit.is_null());
        match (limit, limit.and_then(Value::as_u64)) {
            (None, _) => {}
            (Some(_), Some(limit)) => options.limit_milliseconds = limit,
            (Some(other), None) => unusable.push(format!(
                "`limitMilliseconds` is a whole number, not {other}"
            )),
        }
        (options, unusable)
    }

    /// Returns the time that a statement in the background may take.
    pub fn limit(self) -> Duration {
        Duration::from_millis(self.limit_milliseconds)
    }
}

/// The capabilities of the editor.
#[derive(Debug, Clone)]
pub struct Client {
    /// The unit in which it counts columns.
    pub columns: Columns,
    /// `true` if it watches files for the server.
    pub watches_files: bool,
    /// `true` if it requests inlay hints again when told to.
    pub refreshes_hints: bool,
    /// `true` if it shows Markdown.
    pub markdown: bool,
    /// The folders that are open.
    pub folders: Vec<PathBuf>,
    /// The user's settings.
    pub options: InitializationOptions,
    /// A sentence for each setting that cannot be used.
    pub unusable: Vec<String>,
}

impl Client {
    /// Reads the capabilities from the editor's parameters; `None` if there are none. The fields are
    /// read one by one, because the protocol's types for all of them take 12 s to compile.
    pub fn of(params: &Value) -> Option<Self> {
        let capabilities = params["capabilities"]
            .is_object()
            .then_some(&params["capabilities"])?;
        let lists = |path, word: &str| {
            let listed = capabilities.pointer(path).and_then(Value::as_array);
            listed.is_some_and(|listed| listed.iter().any(|entry| entry == word))
        };
        let is_true = |path| capabilities.pointer(path) == Some(&Value::Bool(true));
        let folders = params["workspaceFolders"].as_array();
        let folders = folders
            .into_iter()
            .flatten()
            .filter_map(|folder| Uri::from_str(folder["uri"].as_str()?).ok())
            .map(|uri| uri::path(&uri));
        let (options, unusable) = InitializationOptions::read(params.get("initializationOptions"));
        Some(Self {
            // Bytes need no conversion; UTF-16 is the unit that every editor has to support.
            columns: if lists("/general/positionEncodings", "utf-8") {
                Columns::Bytes
            } else {
                Columns::Utf16
            },
            watches_files: is_true("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            refreshes_hints: is_true("/workspace/inlayHint/refreshSupport"),
            markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            folders: folders.collect(),
            options,
            unusable,
        })
    }
}

/// Returns the capabilities of the server.
pub fn server(client: &Client) -> Value {
    let encoding = match client.columns {
        Columns::Bytes => PositionEncodingKind::UTF8,
        Columns::Characters | Columns::Utf16 => PositionEncodingKind::UTF16,
    };
    json!({
        "positionEncoding": encoding,
        "textDocumentSync": {
            "openClose": true,
            "change": TextDocumentSyncKind::INCREMENTAL,
            "save": { "includeText": false },
        },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["{", "\"", "/", ":", ",", "("] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "renameProvider": { "prepareProvider": true },
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "documentLinkProvider": { "resolveProvider": false },
        "codeActionProvider": { "codeActionKinds": [CodeActionKind::QUICKFIX] },
        "codeLensProvider": { "resolveProvider": false },
        "inlayHintProvider": true,
        "semanticTokensProvider": { "legend": tokens::legend(), "range": true, "full": true },
        "executeCommandProvider": { "commands": COMMANDS },
    })
}

#[cfg(test)]
mod tests {
    use super::super::protocol::ServerCapabilities;
    use super::*;

    #[test]
    fn the_capabilities_of_an_editor_are_read() {
        assert!(Client::of(&json!({ "processId": 1 })).is_none());
        let poor = Client::of(&json!({ "capabilities": {} })).expect("they may be empty");
        assert_eq!(poor.columns, Columns::Utf16);
        assert!(!poor.watches_files && !poor.refreshes_hints && !poor.markdown);
        assert!(poor.folders.is_empty());
        let rich = Client::of(&json!({
            "capabilities": {
                "general": { "positionEncodings": ["utf-16", "utf-8"] },
                "textDocument": { "hover": { "contentFormat": ["plaintext", "markdown"] } },
                "workspace": {
                    "didChangeWatchedFiles": { "dynamicRegistration": true },
                    "inlayHint": { "refreshSupport": true },
                },
            },
            "workspaceFolders": [{ "uri": "file:///a%20b", "name": "a b" }],
        }));
        let rich = rich.expect("there are some");
        assert_eq!(rich.columns, Columns::Bytes);
        assert!(rich.watches_files && rich.refreshes_hints && rich.markdown);
        assert_eq!(rich.folders, [PathBuf::from("/a b")]);
    }

    #[test]
    fn the_capabilities_of_the_server_are_those_of_the_protocol() {
        let client = Client::of(&json!({ "capabilities": {} })).expect("they may be empty");
        let said = server(&client);
        let read: ServerCapabilities = serde_json::from_value(said.clone()).expect("they are");
        // A misspelt name would be missing.
        assert_eq!(serde_json::to_value(read).expect("they are"), said);
    }

    #[test]
    fn options_that_cannot_be_used_are_told() {
        let read = |given: Value| InitializationOptions::read(Some(&given));
        let default = InitializationOptions::default();
        assert_eq!(InitializationOptions::read(None), (default, Vec::new()));
        assert_eq!(read(Value::Null), (default, Vec::new()));
        let set = InitializationOptions {
            evaluate: false,
            limit_milliseconds: 50,
        };
        assert_eq!(
            read(json!({ "evaluate": false, "limitMilliseconds": 50, "other": 1 })),
            (set, Vec::new())
        );
        let (options, unusable) = read(json!({ "evaluate": false, "limitMilliseconds": "1s" }));
        assert_eq!(
            options,
            InitializationOptions {
                evaluate: false,
                ..default
            }
        );
        assert_eq!(
            unusable,
            [r#"`limitMilliseconds` is a whole number, not "1s""#]
        );
        assert_eq!(
            read(json!({ "evaluate": "yes", "limitMilliseconds": -1 })).1,
            [
                r#"`evaluate` is true or false, not "yes""#,
                "`limitMilliseconds` is a whole number, not -1"
            ]
        );
        assert_eq!(read(json!([])).1, ["they are an object, not []"]);
    }
}
