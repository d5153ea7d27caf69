//! Diagnostics as data: a stable code, a sentence, labelled spans, notes and a remedy.
//!
//! A diagnostic is built in the user's words where the fact is known. The command line draws it.

mod code;
mod findings;
mod fix;
mod json;
pub mod lookalike;
mod plural;
mod suggest;

pub use code::Code;
pub use findings::Findings;
pub use fix::{Edit, Fix, Help};
pub use json::json_trouble;
pub use plural::counted;
pub use suggest::did_you_mean;

use std::io;

use serde::Serialize;

use crate::source::Span;

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The source, the command line or an evaluation is wrong.
    Error,
    /// Nothing is wrong yet, but it looks like a mistake.
    Warning,
}

/// A span with a remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place of the remark.
    pub span: Span,
    /// A description of the text found there, or of its connection with the message.
    pub text: String,
}

/// One message to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, explained by `bid explain CODE`.
    pub code: Code,
    /// The mistake, as one sentence without a full stop.
    pub message: String,
    /// The places that the message is about. The first label is the primary one.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// The remedy in words, if one is known.
    pub help: Option<String>,
    /// The corrections that a program can make, the likeliest first.
    pub fixes: Box<[Fix]>,
}

impl Diagnostic {
    /// Creates a diagnostic without labels.
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

    /// Creates the warning about a comparison of values of these kinds.
    pub fn never_equal(
        left: impl std::fmt::Display,
        right: impl std::fmt::Display,
        span: Span,
    ) -> Self {
        let message = format!("{left} and {right} are never equal");
        Self::new(Code::NeverEqual, message).label(span, "always the same answer")
    }

    /// Creates the refusal of something that no theory covers, or that the program cannot do.
    pub fn unsupported(what: impl std::fmt::Display) -> Self {
        Self::new(Code::NotSupported, format!("not supported: {what}"))
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

    /// Sets the remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<Help>) -> Self {
        let Help { text, fixes } = help.into();
        (self.help, self.fixes) = (Some(text), fixes.into_boxed_slice());
        self
    }

    /// Sets the remedy, if there is one.
    #[must_use]
    pub fn maybe_help(self, help: Option<impl Into<Help>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Returns the severity, which follows from the code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Returns the primary span.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// A result whose error is a diagnostic. The error is boxed to keep results small, since most calls
/// succeed.
pub type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

/// Returns the system's description of an error, without its number.
pub fn plain(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return "it ends too early".to_owned();
    }
    let text = error.to_string();
    // The number differs between systems and says nothing to the user.
    let words = text.split(" (os error").next().unwrap_or(&text);
    words.to_lowercase()
}
