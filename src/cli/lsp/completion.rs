//! Completion, signature help and hover in the terms of the protocol.

use bid::analysis::{CallAt, Candidate, CandidateKind, Completion, Description};
use bid_language::source::Columns;

use super::protocol::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionTextEdit, Hover, HoverContents,
    MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Range, SignatureHelp,
    SignatureInformation, TextEdit,
};
use super::texts::Text;

/// Returns the completions at a byte; those that fit come first.
pub fn list(text: &Text, byte: usize, found: &Completion, columns: Columns) -> CompletionList {
    // The protocol demands that the replaced range contains the cursor.
    let range = text.range(found.start..byte.max(found.start), columns);
    let items = found
        .candidates
        .iter()
        .map(|candidate| item(candidate, range))
        .collect();
    CompletionList {
        // Further letters only narrow the list down, so the editor need not ask again.
        is_incomplete: false,
        items,
    }
}

fn item(candidate: &Candidate, range: Range) -> CompletionItem {
    let kind = match candidate.kind {
        CandidateKind::Name
            if candidate
                .heading
                .as_ref()
                .is_some_and(|heading| heading.ends_with(')')) =>
        {
            CompletionItemKind::FUNCTION
        }
        CandidateKind::Name => CompletionItemKind::VARIABLE,
        CandidateKind::Word => CompletionItemKind::KEYWORD,
        CandidateKind::Field => CompletionItemKind::PROPERTY,
        CandidateKind::Value => CompletionItemKind::ENUM_MEMBER,
        CandidateKind::Parameter => CompletionItemKind::FIELD,
        CandidateKind::Path if candidate.text.ends_with('/') => CompletionItemKind::FOLDER,
        CandidateKind::Path => CompletionItemKind::FILE,
        CandidateKind::Move => CompletionItemKind::METHOD,
    };
    let rank = match candidate.kind {
        CandidateKind::Word => 1,
        _ if candidate.fits => 0,
        _ => 2,
    };
    CompletionItem {
        label: candidate.text.trim_end().to_owned(),
        kind: Some(kind),
        detail: candidate
            .heading
            .clone()
            .filter(|heading| *heading != candidate.text),
        // Editors sort by this text alone, so the rank is its first character.
        sort_text: Some(format!("{rank}{}", candidate.text)),
        filter_text: Some(candidate.text.clone()),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range,
            new_text: candidate.text.clone(),
        })),
        ..CompletionItem::default()
    }
}

/// Returns the signature of the function of the call around a place.
pub fn signature(call: &CallAt) -> SignatureHelp {
    let parameters = call.parameters.iter().map(|name| {
        // A parameter is highlighted where the heading names it; the heading may leave out optional
        // ones.
        ParameterInformation {
            label: ParameterLabel::Simple(name.clone()),
            documentation: None,
        }
    });
    let active = u32::try_from(call.argument).unwrap_or(u32::MAX);
    SignatureHelp {
        signatures: vec![SignatureInformation {
            label: call.heading.clone(),
            documentation: None,
            parameters: Some(parameters.collect()),
            active_parameter: Some(active),
        }],
        active_signature: Some(0),
        active_parameter: Some(active),
    }
}

/// Returns the description of a place; `value` is the value of the constant there.
pub fn hover(
    text: &Text,
    found: &Description,
    value: Option<&str>,
    columns: Columns,
    markdown: bool,
) -> Hover {
    let code = |code: &str| {
        if markdown {
            format!("```bid\n{code}\n```")
        } else {
            code.to_owned()
        }
    };
    let (heading, rest) = found.text.split_once("\n\n").unwrap_or((&found.text, ""));
    let kinds = found.kinds.map(|kinds| kinds.to_string());
    let mut parts = Vec::new();
    match value {
        Some(value) if value.contains('\n') => parts.extend([code(heading), code(value)]),
        Some(value) => parts.push(code(&format!("{heading} = {value}"))),
        None if heading.is_empty() => {}
        None => parts.push(code(heading)),
    }
    parts.extend(kinds);
    if !rest.is_empty() {
        parts.push(paragraphs(rest, markdown));
    }
    Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: if markdown {
                MarkupKind::Markdown
            } else {
                MarkupKind::PlainText
            },
            value: parts.join("\n\n"),
        }),
        range: Some(text.range(found.range.clone(), columns)),
    }
}

/// Splits help into paragraphs; examples, which are set in columns, become code.
fn paragraphs(text: &str, markdown: bool) -> String {
    let is_code = |part: &&str| {
        part.lines()
            .any(|line| line.contains(" = ") || line.starts_with("  "))
            || part.contains('\n')
    };
    let parts = text
        .split("\n\n")
        .map(|part| match Some(part).filter(is_code) {
            Some(part) if markdown => format!("```bid\n{part}\n```"),
            _ => part.to_owned(),
        });
    parts.collect::<Vec<_>>().join("\n\n")
}
