//! Diagnostics and fixes in the terms of the protocol.

use std::path::Path;

use bid::engine::{Finding, Mending};
use bid_language::diagnostic::{Code, Severity};

use super::edit;
use super::protocol::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DiagnosticTag, NumberOrString, Range, WorkspaceEdit,
};
use super::texts::Texts;

/// Converts a finding in a document to a diagnostic; it is put at the beginning if the finding has
/// no place in the document.
pub fn diagnostic(texts: &mut Texts, path: &Path, finding: &Finding) -> Option<Diagnostic> {
    let text = texts.text(path)?;
    let (own, others): (Vec<_>, Vec<_>) = match finding.places.split_first() {
        Some((first, rest)) if first.document == path => (vec![first], rest.iter().collect()),
        _ => (Vec::new(), finding.places.iter().collect()),
    };
    let range = own.first().map_or(0..0, |place| place.range.clone());
    let related = others.into_iter().filter_map(|place| {
        let location = texts.location(&place.document, place.range.clone())?;
        Some(DiagnosticRelatedInformation {
            location,
            message: place.text.clone(),
        })
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    Some(Diagnostic {
        range: text.range(range, texts.columns),
        severity: Some(match finding.severity {
            // A statement that was stopped is not wrong, so it is not marked as an error.
            Severity::Error if finding.code.is_stop() => DiagnosticSeverity::INFORMATION,
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(finding.code.as_str().to_owned())),
        source: Some("bid".to_owned()),
        message: message(finding),
        related_information: (!related.is_empty()).then_some(related),
        tags: (finding.code == Code::UnreachableNode).then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    })
}

/// Returns the message of a finding with its notes and its help.
fn message(finding: &Finding) -> String {
    let mut text = finding.message.clone();
    for note in &finding.notes {
        text.push_str(&format!("\nnote: {note}"));
    }
    if let Some(help) = &finding.help {
        text.push_str(&format!("\nhelp: {help}"));
    }
    text
}

/// Returns the quick fixes of a document's findings that touch a range.
pub fn actions(
    texts: &mut Texts,
    path: &Path,
    findings: &[Finding],
    range: Range,
) -> Vec<CodeAction> {
    let Some(text) = texts.text(path) else {
        return Vec::new();
    };
    let wanted = text.bytes(range, texts.columns);
    let mut actions = Vec::new();
    for finding in findings {
        let touches = finding.places.first().is_some_and(|place| {
            place.document == path
                && place.range.start <= wanted.end
                && wanted.start <= place.range.end
        });
        let Some(marked) = diagnostic(texts, path, finding).filter(|_| touches) else {
            continue;
        };
        for (at, mending) in finding.mendings.iter().enumerate() {
            let Some(edit) = workspace_edit(texts, mending) else {
                continue;
            };
            actions.push(CodeAction {
                title: mending.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![marked.clone()]),
                edit: Some(edit),
                // Editors apply a preferred fix without a choice, so it has to be the only one.
                is_preferred: (at == 0 && finding.mendings.len() == 1).then_some(true),
                ..CodeAction::default()
            });
        }
    }
    actions
}

fn workspace_edit(texts: &mut Texts, mending: &Mending) -> Option<WorkspaceEdit> {
    let edits = mending.edits.iter();
    let edits = edits.map(|edit| (&*edit.document, edit.range.clone(), &*edit.text));
    edit::workspace(texts, edits)
}
