//! How to mend what is wrong: a sentence for the reader, and edits of the sources where a program
//! can make them.

use super::lookalike;
use crate::source::Span;

/// A text that takes the place of what stands at a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What goes; nothing if the span is empty.
    pub span: Span,
    /// What comes in its place.
    pub text: String,
}

/// A way to mend what is wrong, for an editor to offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// What it changes; no two of these places overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Puts a text in the place of another.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            title: format!("write `{}`", text.trim()),
            edits: vec![Edit { span, text }],
        }
    }

    /// Puts a text before a place.
    pub fn before(place: Span, text: impl Into<String>) -> Self {
        Self::add(
            Span {
                end: place.start,
                ..place
            },
            text.into(),
        )
    }

    /// Puts a text after a place.
    pub fn after(place: Span, text: impl Into<String>) -> Self {
        Self::add(place.after(), text.into())
    }

    /// Takes a text away.
    pub fn remove(span: Span) -> Self {
        Self {
            title: "remove it".to_owned(),
            edits: vec![Edit {
                span,
                text: String::new(),
            }],
        }
    }

    /// Gives it another title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Makes another edit too.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.edits.extend(other.edits);
        self
    }

    fn add(span: Span, text: String) -> Self {
        Self {
            title: format!("add `{}`", text.trim()),
            edits: vec![Edit { span, text }],
        }
    }
}

/// How to mend something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// In words.
    pub text: String,
    /// The ways that a program can take, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl Help {
    /// Asks whether another word was meant than the one found at a place.
    pub fn did_you_mean(found: &str, nearest: &str, place: Span) -> Self {
        let alike = lookalike::word(found).filter(|meant| meant == nearest);
        let text = match alike.and_then(|_| lookalike::first_letter(found)) {
            Some((other, letter)) => format!(
                "write `{nearest}`: the letter `{other}` here is U+{:04X}, which only looks like `{letter}`",
                u32::from(other)
            ),
            None => format!("did you mean `{nearest}`?"),
        };
        Self::from(text).with(Fix::replace(place, nearest))
    }

    /// Adds a way that a program can take.
    #[must_use]
    pub fn with(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }
}

impl From<String> for Help {
    fn from(text: String) -> Self {
        Self {
            text,
            fixes: Vec::new(),
        }
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}
