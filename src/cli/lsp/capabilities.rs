//! The capabilities of the editor and of the server.

use std::path::PathBuf;
use std::time::Duration;

use bid_language::source::Columns;
use serde_json::{Value, json};

use super::lens::COMMANDS;
use super::protocol::{
    CodeActionKind, InitializeParams, PositionEncodingKind, ServerCapabilities,
    TextDocumentSyncKind,
};
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
    /// Reads the capabilities from the editor's parameters.
    pub fn of(params: &InitializeParams) -> Self {
        let (general, workspace) = (
            params.capabilities.general.as_ref(),
            params.capabilities.workspace.as_ref(),
        );
        let encodings = general
            .and_then(|general| general.position_encodings.as_deref())
            .unwrap_or_default();
        // Bytes need no conversion; UTF-16 is the unit that every editor has to support.
        let counts_bytes = encodings.contains(&PositionEncodingKind::UTF8);
        let watched = workspace.and_then(|workspace| workspace.did_change_watched_files);
        let hints = workspace.and_then(|workspace| workspace.inlay_hint.as_ref());
        let hover = params
            .capabilities
            .text_document
            .as_ref()
            .and_then(|text| text.hover.as_ref());
        let formats = hover
            .and_then(|hover| hover.content_format.as_deref())
            .unwrap_or_default();
        let folders = params
            .workspace_folders
            .iter()
            .flatten()
            .map(|folder| uri::path(&folder.uri));
        let (options, unusable) =
            InitializationOptions::read(params.initialization_options.as_ref());
        Self {
            columns: if counts_bytes {
                Columns::Bytes
            } else {
                Columns::Utf16
            },
            watches_files: watched
                .is_some_and(|watched| watched.dynamic_registration == Some(true)),
            refreshes_hints: hints.is_some_and(|hints| hints.refresh_support == Some(true)),
            markdown: formats.contains(&super::protocol::MarkupKind::Markdown),
            folders: folders.collect(),
            options,
            unusable,
        }
    }
}

/// Returns the capabilities of the server.
pub fn server(client: &Client) -> ServerCapabilities {
    let encoding = match client.columns {
        Columns::Bytes => PositionEncodingKind::UTF8,
        Columns::Characters | Columns::Utf16 => PositionEncodingKind::UTF16,
    };
    let capabilities = json!({
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
    });
    serde_json::from_value(capabilities).expect("the capabilities are those of the protocol")
}

#[cfg(test)]
mod tests {
    use super::*;

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
