//! Remedies: a sentence for the reader, and edits of the sources where a program can make them.

use super::lookalike;
use crate::source::Span;

/// A replacement of the text at a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The place of the old text. If it is empty, the new text is inserted.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A correction for an editor to offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The effect of the correction, in a few words.
    pub title: String,
    /// The edits that it makes. No two of their places overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Creates a correction that replaces a text.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            title: format!("write `{}`", text.trim()),
            edits: vec![Edit { span, text }],
        }
    }

    /// Creates a correction that inserts a text before a place.
    pub fn before(place: Span, text: impl Into<String>) -> Self {
        Self::add(
            Span {
                end: place.start,
                ..place
            },
            text.into(),
        )
    }

    /// Creates a correction that inserts a text after a place.
    pub fn after(place: Span, text: impl Into<String>) -> Self {
        Self::add(place.after(), text.into())
    }

    /// Creates a correction that removes a text.
    pub fn remove(span: Span) -> Self {
        Self {
            title: "remove it".to_owned(),
            edits: vec![Edit {
                span,
                text: String::new(),
            }],
        }
    }

    /// Sets another title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Adds the edits of another correction.
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

/// A remedy for a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// The remedy in words.
    pub text: String,
    /// The corrections that a program can make, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl Help {
    /// Asks whether another word was meant than the one found at a place.
    pub fn did_you_mean(found: &str, nearest: &str, place: Span) -> Self {
        // Two words that look the same need the code of the letter to be told apart.
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

    /// Adds a correction that a program can make.
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
