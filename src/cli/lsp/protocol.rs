//! The types of the protocol: no other module names the crate that defines them.

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
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLens,
    CodeLensOptions, Command, CompletionItem, CompletionItemKind, CompletionList,
    CompletionOptions, CompletionTextEdit, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWatchedFilesRegistrationOptions, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentHighlight, DocumentLink, DocumentLinkOptions,
    DocumentSymbol, ExecuteCommandOptions, ExecuteCommandParams, FileSystemWatcher, FoldingRange,
    FoldingRangeKind, GlobPattern, Hover, HoverContents, HoverProviderCapability, InitializeParams,
    InlayHint, InlayHintLabel, InlayHintTooltip, Location, MarkupContent, MarkupKind, MessageType,
    NumberOrString, OneOf, ParameterInformation, ParameterLabel, Position, PositionEncodingKind,
    PublishDiagnosticsParams, Range, Registration, RegistrationParams, RenameOptions, SaveOptions,
    SelectionRange, SelectionRangeProviderCapability, SemanticToken, SemanticTokenModifier,
    SemanticTokenType, SemanticTokens, SemanticTokensFullOptions, SemanticTokensLegend,
    SemanticTokensOptions, ServerCapabilities, ShowMessageParams, SignatureHelp,
    SignatureHelpOptions, SignatureInformation, SymbolInformation, SymbolKind,
    TextDocumentContentChangeEvent as ContentChange, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, TextEdit, Uri,
    WorkDoneProgressOptions, WorkspaceEdit,
};
