//! Diagnostics as data: a stable code, a sentence, labelled spans, notes and a remedy.
//!
//! A diagnostic is built where the fact is known, in the user's words; drawing it belongs to the
//! command line.

mod code;
mod findings;
mod fix;
mod json;
pub mod lookalike;
mod suggest;

pub use code::Code;
pub use findings::Findings;
pub use fix::{Edit, Fix, Help};
pub use json::json_trouble;
pub use suggest::did_you_mean;

use std::io;

use serde::Serialize;

use crate::source::Span;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The source, the command line or an evaluation is wrong.
    Error,
    /// Nothing is wrong yet, but it looks like a mistake.
    Warning,
}

/// A span with what is to be said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What was found there, or what it has to do with the message.
    pub text: String,
}

/// One message to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, explained by `bid explain CODE`.
    pub code: Code,
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// Where; the first label is the primary one.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// How to mend it, where that is known.
    pub help: Option<String>,
    /// How a program can mend it, the likeliest way first.
    pub fixes: Box<[Fix]>,
}

impl Diagnostic {
    /// A diagnostic without labels.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Box::default(),
        }
    }

    /// Adds a labelled span; the first one added is the primary one.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a further fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says how to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<Help>) -> Self {
        let Help { text, fixes } = help.into();
        (self.help, self.fixes) = (Some(text), fixes.into_boxed_slice());
        self
    }

    /// Says how to mend it, where something is known.
    #[must_use]
    pub fn maybe_help(self, help: Option<impl Into<Help>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Whether this stops the program, by the code's kind.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The primary span.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// A result whose error is a diagnostic; boxed, since the good path is the hot one.
pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// What the system says of an error, without its number.
pub fn plain(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return "it ends too early".to_owned();
    }
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or(&text);
    words.to_lowercase()
}
