//! The messages of an engine as JSON, for front ends in another language: a page in a browser,
//! whether its engine is a process or wasm.
//!
//! [`Order`] is what such a front end sends; enums are written as serde writes them (`{"run":
//! ["a.bid", {"at": 12}]}`). [`write`] gives what comes back: `{"id": 3, "event": "value", …}`.
//! Places are bytes of the texts that were sent.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

use super::message::{Cell, Change, Event, Finding, Id, Phase, Progress, Reply, Request};
use crate::analysis::{Completion, Description, Meaning};
use crate::check::DeclarationKind;
use crate::eval::Sight;
use crate::report::{Format, Report};
use crate::session::Summary;
use crate::syntax::{Classified, TokenClass};
use crate::watch::{Context, Stop};

/// What a front end sends.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// A document or a file is another one now.
    Change(Change),
    /// Something is asked, under a number greater than those before.
    Request(Id, Request),
    /// The same, to be answered while another request runs, as far as the engine can do that.
    Beside(Id, Request),
    /// A request is to be stopped.
    Stop(Id),
}

/// The list of orders in a text.
///
/// # Errors
/// Why the text holds none.
pub fn orders(text: &str) -> Result<Vec<Order>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// A reply as JSON, if it is one of those that a page asks for. Values come in all forms in which
/// an answer can be written.
///
/// # Errors
/// If the writing of a value is stopped.
pub fn write(reply: &Reply, context: &Context<'_>) -> Result<Option<String>, Stop> {
    let told = told(&reply.event, context)?.map(|event| Told {
        id: reply.id,
        event,
    });
    Ok(told.map(|told| serde_json::to_string(&told).expect("every event can be written")))
}

/// A reply on its way.
#[derive(Serialize)]
struct Told<'a> {
    id: Id,
    #[serde(flatten)]
    event: EventTold<'a>,
}

/// An event on its way.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum EventTold<'a> {
    Value {
        statement: &'a Option<Range<usize>>,
        label: &'a Option<String>,
        forms: Vec<(&'static str, String)>,
        value: &'a Report,
    },
    Check {
        statement: &'a Option<Range<usize>>,
        failed: &'a Option<Finding>,
    },
    Test {
        name: &'a str,
        phase: Phase,
    },
    Finding {
        finding: &'a Finding,
    },
    Progress(&'a Progress),
    Diagnostics {
        findings: &'a [Finding],
    },
    Completion(&'a Completion),
    Description {
        description: Option<DescriptionTold<'a>>,
    },
    Tokens {
        tokens: Tokens<'a>,
    },
    Cells {
        cells: &'a [Cell],
    },
    Text {
        text: &'a Option<String>,
    },
    Library {
        files: &'a [(&'a str, &'a str)],
    },
    Seen {
        statement: &'a Option<Range<usize>>,
        sight: &'a Sight,
    },
    Done(&'a Summary),
}

fn told<'a>(event: &'a Event, context: &Context<'_>) -> Result<Option<EventTold<'a>>, Stop> {
    Ok(Some(match event {
        Event::Value {
            statement,
            label,
            value,
            place: _,
        } => EventTold::Value {
            statement,
            label,
            forms: forms(value, label.as_deref(), context)?,
            value,
        },
        Event::Check { statement, failed } => EventTold::Check { statement, failed },
        Event::Test { name, phase } => EventTold::Test {
            name,
            phase: *phase,
        },
        Event::Finding(finding) => EventTold::Finding { finding },
        Event::Progress(progress) => EventTold::Progress(progress),
        Event::Diagnostics(findings) => EventTold::Diagnostics { findings },
        Event::Completion(completion) => EventTold::Completion(completion),
        Event::Description(description) => EventTold::Description {
            description: description.as_ref().map(DescriptionTold::of),
        },
        Event::Tokens(tokens) => EventTold::Tokens {
            tokens: Tokens(tokens),
        },
        Event::Cells(cells) => EventTold::Cells { cells },
        Event::Text(text) => EventTold::Text { text },
        Event::Library(files) => EventTold::Library { files },
        Event::Seen { statement, sight } => EventTold::Seen { statement, sight },
        Event::Done(summary) => EventTold::Done(summary),
        // Only editors and Python ask for these.
        Event::Call(_)
        | Event::Locations(_)
        | Event::Refused(_)
        | Event::Outline(_)
        | Event::Uses(_)
        | Event::Folds(_)
        | Event::Selections(_)
        | Event::Formatted(_)
        | Event::Names(_)
        | Event::Packed(_)
        | Event::Loaded(_)
        | Event::Said(_)
        | Event::Asked(_) => return Ok(None),
    }))
}

/// A value in all forms but JSON, which is there as data; as text with its label, as a terminal
/// shows it.
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

/// What an editor shows about a place, the kinds in words.
#[derive(Serialize)]
struct DescriptionTold<'a> {
    range: &'a Range<usize>,
    kinds: Option<String>,
    text: &'a str,
}

impl<'a> DescriptionTold<'a> {
    fn of(
        Description {
            range,
            kinds,
            text,
            constant: _,
        }: &'a Description,
    ) -> Self {
        Self {
            range,
            kinds: kinds.map(|kinds| kinds.to_string()),
            text,
        }
    }
}

/// Tokens one after another: first byte, end, what it is.
struct Tokens<'a>(&'a [(Classified, Meaning)]);

impl Serialize for Tokens<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut flat = serializer.serialize_seq(Some(self.0.len() * 3))?;
        for (token, meaning) in self.0 {
            flat.serialize_element(&token.start)?;
            flat.serialize_element(&token.end)?;
            flat.serialize_element(shade(token.class, *meaning))?;
        }
        flat.end()
    }
}

/// What a token is for whoever colours it.
fn shade(class: TokenClass, meaning: Meaning) -> &'static str {
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

/// A path as text, for a page that only compares and shows it.
pub(super) fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// Edits as objects.
pub(super) fn edits<S: Serializer>(
    edits: &[(PathBuf, Range<usize>, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(edits.iter().map(|(document, range, text)| EditTold {
        document,
        range,
        text,
    }))
}

/// What comes in the place of bytes of a document.
#[derive(Serialize)]
struct EditTold<'a> {
    #[serde(serialize_with = "path")]
    document: &'a Path,
    range: &'a Range<usize>,
    text: &'a str,
}
