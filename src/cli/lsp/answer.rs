//! What the engine says, as the answer that the editor waits for.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bid::analysis::{CandidateKind, Location};
use bid::engine::Event;
use lsp_server::RequestId;
use serde::Serialize;
use serde_json::Value;

use super::protocol::{self, DocumentHighlight, DocumentLink, Position, SelectionRange};
use super::texts::{Text, Texts};
use super::{completion, diagnostics, edit, lens, symbols, tokens};

/// A question of the editor that the engine is asked.
pub struct Asked {
    /// What the editor knows it by.
    pub client: RequestId,
    /// The document that it is about.
    pub path: PathBuf,
    /// Its text when it was asked.
    pub text: Rc<Text>,
    /// How many changes there had been.
    pub revision: u64,
    /// What is wanted.
    pub wanted: Wanted,
}

/// What the editor wants to know.
pub enum Wanted {
    /// What may stand at a byte.
    Completion(usize),
    /// The paths that may stand at a byte: what has been typed there means other things elsewhere.
    Paths(usize),
    /// What is said about a place.
    Hover,
    /// The call around a place.
    Signature,
    /// Where a name is declared.
    Definition,
    /// Where a name is used.
    References,
    /// Where a name is used in this document.
    Highlights,
    /// Whether the name at a byte can be another one, and where it stands.
    RenameAt(usize),
    /// Another name.
    Rename(String),
    /// What it declares.
    Symbols,
    /// What can be folded.
    Folds,
    /// What places are part of: these, with what has been found for the first of them.
    Selections(Vec<(usize, Position)>, Vec<SelectionRange>),
    /// What each token is, in a part of it.
    Tokens(Option<Range<usize>>),
    /// Another layout.
    Format,
    /// The files that it uses.
    Links,
    /// How to mend what touches a range.
    Actions(protocol::Range),
    /// What can be done with its tests.
    Lenses,
    /// Values beside the text in a part of it.
    Hints(Range<usize>),
}

/// The editor's answer to an event that says all; `None` if the event says nothing of what is
/// wanted.
pub fn answer(texts: &mut Texts, asked: &Asked, event: Event) -> Option<Value> {
    let (text, columns) = (&*asked.text, texts.columns);
    match (&asked.wanted, event) {
        (Wanted::Completion(byte), Event::Completion(found)) => {
            json(&completion::list(text, *byte, &found, columns))
        }
        (Wanted::Paths(byte), Event::Completion(mut found)) => {
            let candidates = &mut found.candidates;
            candidates.retain(|candidate| candidate.kind == CandidateKind::Path);
            json(&completion::list(text, *byte, &found, columns))
        }
        (Wanted::Signature, Event::Call(call)) => json(&call.as_ref().map(completion::signature)),
        (Wanted::Definition, Event::Locations(found)) => json(&locations(texts, found)),
        (Wanted::References, Event::Locations(found)) => json(&locations(texts, found)),
        (Wanted::Highlights, Event::Locations(found)) => {
            json(&highlights(text, asked, found, texts))
        }
        (Wanted::RenameAt(byte), Event::Locations(found)) => {
            let here = found.into_iter().find(|place| {
                place.path == asked.path && place.range.start <= *byte && *byte <= place.range.end
            });
            json(&here.map(|place| text.range(place.range, columns)))
        }
        (Wanted::Rename(name), Event::Locations(found)) => {
            let edits = found
                .iter()
                .map(|place| (place.path.as_path(), place.range.clone(), name.as_str()));
            json(&edit::workspace(texts, edits))
        }
        (Wanted::Symbols, Event::Outline(outline)) => {
            json(&symbols::document(text, &outline, columns))
        }
        (Wanted::Folds, Event::Folds(folds)) => json(&symbols::folds(text, &folds, columns)),
        (Wanted::Tokens(part), Event::Tokens(found)) => {
            json(&tokens::tokens(text, &found, part.clone(), columns))
        }
        (Wanted::Format, Event::Formatted(formatted)) => json(&formatted.map(|(part, mut new)| {
            keep_line_ends(&text.text, &mut new);
            edit::difference(text, (part, &new), columns)
        })),
        (Wanted::Links, Event::Uses(found)) => json(&links(text, found, texts)),
        (Wanted::Actions(range), Event::Diagnostics(findings)) => {
            json(&diagnostics::actions(texts, &asked.path, &findings, *range))
        }
        (Wanted::Lenses, Event::Outline(outline)) => {
            json(&lens::lenses(text, &asked.path, &outline, texts))
        }
        _ => None,
    }
}

/// A result for the editor.
pub fn json(result: &impl Serialize) -> Option<Value> {
    serde_json::to_value(result).ok()
}

/// The ends of lines are those of the text before.
fn keep_line_ends(old: &str, new: &mut String) {
    let returns = old.matches("\r\n").count();
    if returns * 2 > old.matches('\n').count() {
        *new = new.replace("\r\n", "\n").replace('\n', "\r\n");
    }
}

fn locations(texts: &mut Texts, found: Vec<Location>) -> Vec<protocol::Location> {
    found
        .into_iter()
        .filter_map(|place| texts.location(&place.path, place.range))
        .collect()
}

fn highlights(
    text: &Text,
    asked: &Asked,
    found: Vec<Location>,
    texts: &Texts,
) -> Vec<DocumentHighlight> {
    let here = found.into_iter().filter(|place| place.path == asked.path);
    here.map(|place| DocumentHighlight {
        range: text.range(place.range, texts.columns),
        kind: None,
    })
    .collect()
}

fn links(text: &Text, found: Vec<(Range<usize>, Location)>, texts: &Texts) -> Vec<DocumentLink> {
    let link = |(bytes, place): (Range<usize>, Location)| DocumentLink {
        range: text.range(bytes, texts.columns),
        target: texts.uri(&place.path),
        tooltip: Some(shown(&place.path)),
        data: None,
    };
    found.into_iter().map(link).collect()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
