//! The messages between a page in a browser and an engine, as JSON, both for an engine in a process
//! and for one in wasm.
//!
//! A page sends [`WireOrder`]s; enums are written as serde writes them
//! (`{"request": [3, {"enter": ["a.bid", "1 + 1"]}]}`). [`write()`] and [`ask()`] produce the
//! replies: `{"id": 3, "event": "value", …}`. Places are bytes of the texts that were sent.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

use super::desk::Desk;
use super::guard::EngineGuard;
use super::message::{DocumentCell, Event, FileChange, Finding, Id, Reply, Request};
use crate::analysis::{Completion, Meaning};
use crate::check::DeclarationKind;
use crate::diagnostic;
use crate::files;
use crate::report::{Format, Report};
use crate::session::Summary;
use crate::syntax::{Classified, TokenClass};
use crate::watch::{Context, Stop};

/// A message of a page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireOrder {
    /// A document has changed.
    Change(FileChange),
    /// Asks a question that runs nothing, under a number greater than those before.
    Ask(Id, WireQuestion),
    /// Requests a run, under such a number.
    Request(Id, Request),
    /// Requests a run that is answered while another request runs, as far as the engine can do
    /// that.
    Beside(Id, Request),
    /// Stops a question or a request.
    Stop(Id),
}

/// A question of a page. Places are bytes of a document's text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireQuestion {
    /// Asks for all diagnostics of a document, its statements, and its tokens.
    Analyse(PathBuf),
    /// Asks for the completions at a place.
    Complete(PathBuf, usize),
    /// Asks for the description of a place.
    Describe(PathBuf, usize),
    /// Asks for the files of the game library that is part of the program.
    Library,
}

impl WireQuestion {
    /// Returns the document that the question concerns.
    pub fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::Analyse(path) | Self::Complete(path, _) | Self::Describe(path, _) => Some(path),
            Self::Library => None,
        }
    }
}

/// Parses a list of orders.
///
/// # Errors
/// Returns the reason that the text is not such a list.
pub fn orders(text: &str) -> Result<Vec<WireOrder>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Answers a question at a desk: sends the answer, or an error, and then the end of the question.
pub fn ask(
    desk: &mut Desk,
    guard: &EngineGuard,
    id: Id,
    question: &WireQuestion,
    say: &mut dyn FnMut(String),
) {
    let mut summary = Summary {
        stopped: true,
        ..Summary::default()
    };
    if guard.begin(id) {
        summary = Summary::default();
        match answer(desk, &guard.context(), question) {
            Ok(answer) => say(json(id, answer)),
            Err(why) => {
                summary.count(&why);
                let finding = desk.finding(&why);
                say(json(id, Event::Finding(finding)));
            }
        }
        guard.end();
    }
    say(json(id, Event::Done(summary)));
}

fn answer(
    desk: &mut Desk,
    context: &Context<'_>,
    question: &WireQuestion,
) -> diagnostic::Result<AnswerTold> {
    Ok(match question {
        WireQuestion::Analyse(path) => {
            let analysis = desk.analysis(path, context)?;
            AnswerTold::Analysis {
                findings: desk.findings(&analysis),
                cells: desk.cells(&analysis),
                tokens: Tokens(desk.workspace().tokens(&analysis)),
            }
        }
        WireQuestion::Complete(path, byte) => {
            let analysis = desk.analysis(path, context)?;
            AnswerTold::Completion(desk.workspace().complete(&analysis, *byte))
        }
        WireQuestion::Describe(path, byte) => {
            let analysis = desk.analysis(path, context)?;
            let description = desk.workspace().describe(&analysis, *byte);
            let description = description.map(|found| DescriptionTold {
                range: found.range,
                kinds: found.kinds.map(|kinds| kinds.to_string()),
                text: found.text,
            });
            AnswerTold::Description { description }
        }
        WireQuestion::Library => AnswerTold::Library {
            files: files::library(),
        },
    })
}

/// Writes a reply as JSON; `None` for a reply of a conversation, which no page has. Values are
/// written in all formats of an answer.
///
/// # Errors
/// Returns an error if the guard stops the writing of a value.
pub fn write(reply: &Reply, guard: &Context<'_>) -> Result<Option<String>, Stop> {
    let forms = match &reply.event {
        Event::Said(_) | Event::Asked(_) => return Ok(None),
        Event::Value { label, value, .. } => Some(forms(value, label.as_deref(), guard)?),
        _ => None,
    };
    let (id, event) = (reply.id, &reply.event);
    Ok(Some(text(&WireReply { id, event, forms })))
}

fn json(id: Id, event: impl Serialize) -> String {
    let forms = None;
    text(&WireReply { id, event, forms })
}

fn text(reply: &WireReply<impl Serialize>) -> String {
    serde_json::to_string(reply).expect("every event can be written")
}

/// A reply as it is sent.
#[derive(Serialize)]
struct WireReply<E> {
    id: Id,
    #[serde(flatten)]
    event: E,
    /// A value in all formats but JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    forms: Option<Vec<(&'static str, String)>>,
}

/// The answer to a question as it is sent.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum AnswerTold {
    Analysis {
        findings: Vec<Finding>,
        cells: Vec<DocumentCell>,
        tokens: Tokens,
    },
    Completion(Completion),
    Description {
        description: Option<DescriptionTold>,
    },
    Library {
        files: &'static [(&'static str, &'static str)],
    },
}

/// Returns a value in all formats but JSON, which is sent as data. As text it has its label, as on
/// a terminal.
fn forms(
    value: &Report,
    label: Option<&str>,
    context: &Context<'_>,
) -> Result<Vec<(&'static str, String)>, Stop> {
    let text = match label {
        Some(label) => value.labelled(label, Format::Text, context)?,
        None => value.render(Format::Text, context)?,
    };
    let mut forms = vec![("text", text)];
    for (name, format) in [
        ("html", Format::Html),
        ("csv", Format::Csv),
        ("latex", Format::Latex),
    ] {
        forms.push((name, value.render(format, context)?));
    }
    Ok(forms)
}

/// The description of a place, with the kinds in words.
#[derive(Serialize)]
struct DescriptionTold {
    range: Range<usize>,
    kinds: Option<String>,
    text: String,
}

/// Tokens one after another: first byte, end, class.
struct Tokens(Vec<(Classified, Meaning)>);

impl Serialize for Tokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A flat list is much shorter than an object for each token.
        let mut flat = serializer.serialize_seq(Some(self.0.len() * 3))?;
        for (token, meaning) in &self.0 {
            flat.serialize_element(&token.start)?;
            flat.serialize_element(&token.end)?;
            flat.serialize_element(shade(token.class, *meaning))?;
        }
        flat.end()
    }
}

/// Returns the class of a token for colouring.
pub fn shade(class: TokenClass, meaning: Meaning) -> &'static str {
    let plain = class.name();
    match meaning {
        Meaning::Declared(kind) | Meaning::Declaration(kind) => match kind {
            DeclarationKind::Game | DeclarationKind::Family => "game",
            DeclarationKind::Function | DeclarationKind::Move => "function",
            DeclarationKind::Value
            | DeclarationKind::Rules
            | DeclarationKind::Test
            | DeclarationKind::Parameter
            | DeclarationKind::Variable
            | DeclarationKind::State
            | DeclarationKind::RulesetLet
            | DeclarationKind::Unknown => plain,
        },
        Meaning::Builtin if class == TokenClass::Name => "function",
        Meaning::Field | Meaning::FieldValue | Meaning::Parameter => "field",
        Meaning::Builtin | Meaning::Plain => plain,
    }
}

/// Writes the event of a finding, which is an object of its own.
pub(super) fn finding<S: Serializer>(finding: &Finding, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("finding", finding)])
}

/// Writes a path as text, for a page that only compares and shows it.
pub(super) fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
