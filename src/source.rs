//! Source files and half-open byte spans into them.
//!
//! Every later stage points back at the text through a [`Span`]; only this module knows which text that is.

use std::ops::Range;

/// A file (or a line typed in the REPL) held by a [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(u32);

/// The half-open byte range `start..end` of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The source that the bytes are counted in.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `range` of `source`.
    ///
    /// # Panics
    /// If the range does not fit in 32 bits; [`SourceMap::add`] refuses sources that long.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        let narrow = |byte: usize| u32::try_from(byte).expect("sources are shorter than 4 GiB");
        Self { source, start: narrow(range.start), end: narrow(range.end) }
    }

    /// The smallest span that covers both, which must lie in the same source.
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.source, other.source);
        Self { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just after this one.
    pub fn after(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// The byte range within the source's text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One source: the name that diagnostics print and the text.
#[derive(Debug, Clone)]
pub struct Source {
    /// A path as the user wrote it, or a name like `<stdin>`.
    pub name: String,
    /// The text; [`Span`]s count its bytes.
    pub text: String,
}

/// All sources of a session, in the order they were loaded.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// Keeps a source and gives its id. A text of 4 GiB or more is cut to nothing: no span could point into it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let mut text = text.into();
        if u32::try_from(text.len()).is_err() {
            text.clear();
        }
        self.sources.push(Source { name: name.into(), text });
        SourceId(u32::try_from(self.sources.len() - 1).expect("fewer than 2^32 sources"))
    }

    /// The source with this id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    /// The text that a span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.source).text[span.range()]
    }

    /// The line and column (both from 1, columns in characters) where a span starts.
    pub fn position(&self, span: Span) -> (usize, usize) {
        let before = &self.get(span.source).text[..span.start as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}
