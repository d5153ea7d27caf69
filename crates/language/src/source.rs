//! Source files and half-open byte spans into them.
//!
//! Every later stage refers to the text by a [`Span`]. Only this module knows the text behind it.

mod lines;

pub use lines::{Columns, LineStarts};

use std::ops::Range;

/// A file (or a line typed in the REPL) held by a [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(u32);

/// The half-open byte range `start..end` of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The source in which the bytes are counted.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Creates the span of the bytes `range` of `source`.
    ///
    /// # Panics
    /// If the range does not fit in 32 bits. [`SourceMap::add`] does not keep sources that long.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        let narrow = |byte: usize| u32::try_from(byte).expect("sources are shorter than 4 GiB");
        Self {
            source,
            start: narrow(range.start),
            end: narrow(range.end),
        }
    }

    /// Returns the smallest span that covers both, which must lie in the same source.
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.source, other.source);
        Self {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the empty span just after this one.
    pub fn after(self) -> Self {
        Self {
            start: self.end,
            ..self
        }
    }

    /// Returns the byte range within the source's text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One source: the name that diagnostics print, and the text.
#[derive(Debug, Clone)]
pub struct Source {
    /// A path as the user wrote it, or a name like `<stdin>`.
    pub name: String,
    /// The text. [`Span`]s count its bytes.
    pub text: String,
}

/// All sources of a session, in the order in which they were loaded.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// Adds a source and returns its id. A text of 4 GiB or more is replaced by an empty one,
    /// because no span could point into it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.sources.push(Source {
            name: name.into(),
            text: short(text.into()),
        });
        SourceId(u32::try_from(self.sources.len() - 1).expect("fewer than 2^32 sources"))
    }

    /// Replaces the text of a source. Spans into the old text become meaningless.
    pub fn replace(&mut self, id: SourceId, text: impl Into<String>) {
        self.sources[id.0 as usize].text = short(text.into());
    }

    /// Removes the source that was added last, if it is this one. No span may point into it any
    /// more.
    pub fn forget_last(&mut self, id: SourceId) {
        if id.0 as usize + 1 == self.sources.len() {
            self.sources.pop();
        }
    }

    /// Returns the source with this id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    /// Returns all sources, in the order in which they were loaded.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter()
    }

    /// Returns the text that a span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.source).text[span.range()]
    }

    /// Returns the line and column (both from 1, columns in characters) at which a span starts.
    /// Only line feeds end lines, so a form feed or a carriage return is a character of its line. A
    /// byte order mark before the text is not counted.
    pub fn position(&self, span: Span) -> (usize, usize) {
        let before = &self.get(span.source).text[..span.start as usize];
        let line = before.matches('\n').count() + 1;
        let last = before.rsplit('\n').next().unwrap_or("");
        // Editors do not show the mark, and count columns without it.
        let mark = if line == 1 && last.starts_with(BYTE_ORDER_MARK) {
            1
        } else {
            0
        };
        (line, last.chars().count() - mark + 1)
    }
}

/// Returns the text, or an empty one if spans cannot point to its end.
fn short(mut text: String) -> String {
    if u32::try_from(text.len()).is_err() {
        text.clear();
    }
    text
}

/// The mark that some editors put before a text to say that it is UTF-8.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_feeds_end_lines() {
        let mut sources = SourceMap::default();
        let text = "\u{feff}ab\u{c}c\rd\u{2028}e\r\nf\u{feff}g";
        let id = sources.add("a.bid", text);
        let at = |wanted: &str| {
            let start = text.find(wanted).expect("it is there");
            sources.position(Span::new(id, start..start))
        };
        assert_eq!(
            [at("a"), at("b"), at("c"), at("d"), at("e")],
            [(1, 1), (1, 2), (1, 4), (1, 6), (1, 8)]
        );
        assert_eq!([at("f"), at("g")], [(2, 1), (2, 3)]);
        assert_eq!(sources.position(Span::new(id, 0..0)), (1, 1));
    }
}
