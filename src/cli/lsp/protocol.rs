//! The types of the protocol: no other module names the crate that defines them.

#[cfg(test)]
pub use lsp_types::ServerCapabilities;
pub use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Exit, Notification, PublishDiagnostics, ShowMessage,
};
pub use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest, DocumentLinkRequest,
    DocumentSymbolRequest, ExecuteCommand, FoldingRangeRequest, Formatting, GotoDefinition,
    HoverRequest, InlayHintRefreshRequest, InlayHintRequest, PrepareRenameRequest, RangeFormatting,
    References, RegisterCapability, Rename, Request, SelectionRangeRequest,
    SemanticTokensFullRequest, SemanticTokensRangeRequest, Shutdown, SignatureHelpRequest,
    WorkspaceSymbolRequest,
};
pub use lsp_types::{
    CodeAction, CodeActionKind, CodeLens, Command, CompletionItem, CompletionItemKind,
    CompletionList, CompletionTextEdit, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWatchedFilesRegistrationOptions, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentHighlight, DocumentLink, DocumentSymbol,
    ExecuteCommandParams, FileSystemWatcher, FoldingRange, FoldingRangeKind, GlobPattern, Hover,
    HoverContents, InlayHint, InlayHintLabel, InlayHintTooltip, Location, MarkupContent,
    MarkupKind, MessageType, NumberOrString, ParameterInformation, ParameterLabel, Position,
    PositionEncodingKind, PublishDiagnosticsParams, Range, Registration, RegistrationParams,
    SelectionRange, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensLegend, ShowMessageParams, SignatureHelp, SignatureInformation,
    SymbolInformation, SymbolKind, TextDocumentContentChangeEvent as ContentChange,
    TextDocumentSyncKind, TextEdit, Uri, WorkspaceEdit,
};
