//! The texts that the editor has open, and those of related files.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use bid_language::files::{self, DiskFiles, Files};
use bid_language::source::{Columns, LineStarts};
use bid_language::watch::Context;

use super::protocol::{self, ContentChange, Position, Uri};
use super::uri;

/// A text with its lines.
pub struct Text {
    /// The text.
    pub text: String,
    /// Its lines.
    pub lines: LineStarts,
}

impl Text {
    /// Creates a text.
    pub fn new(text: String) -> Self {
        Self {
            lines: LineStarts::of(&text),
            text,
        }
    }

    /// Returns the byte at a place.
    pub fn byte(&self, at: Position, columns: Columns) -> usize {
        self.lines
            .byte(&self.text, at.line as usize, at.character as usize, columns)
    }

    /// Returns the byte range of a range.
    pub fn bytes(&self, range: protocol::Range, columns: Columns) -> Range<usize> {
        let (start, end) = (
            self.byte(range.start, columns),
            self.byte(range.end, columns),
        );
        // An editor may send a range backwards, and an edit with it must not fail.
        start..end.max(start)
    }

    /// Returns the place of a byte.
    pub fn position(&self, byte: usize, columns: Columns) -> Position {
        let (line, column) = self
            .lines
            .position(&self.text, byte.min(self.text.len()), columns);
        Position {
            line: narrow(line),
            character: narrow(column),
        }
    }

    /// Returns the range of a byte range.
    pub fn range(&self, bytes: Range<usize>, columns: Columns) -> protocol::Range {
        protocol::Range {
            start: self.position(bytes.start, columns),
            end: self.position(bytes.end, columns),
        }
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A document that is open.
pub struct Document {
    /// Its address as the editor writes it.
    pub uri: Uri,
    /// The editor's version number of its present text.
    pub version: i32,
    /// Its text.
    pub text: Rc<Text>,
    /// `true` if the engine has another text.
    pub is_changed: bool,
}

/// The texts that the editor has open, and those of related files.
pub struct Texts {
    /// The unit in which columns are counted.
    pub columns: Columns,
    open: HashMap<PathBuf, Document>,
    /// The files that are not open, as they were when they were last read.
    closed: HashMap<PathBuf, (Option<SystemTime>, Rc<Text>)>,
}

impl Texts {
    /// Creates the texts without open documents.
    pub fn new(columns: Columns) -> Self {
        Self {
            columns,
            open: HashMap::new(),
            closed: HashMap::new(),
        }
    }

    /// Opens a document; returns its path.
    pub fn open(&mut self, uri: Uri, version: i32, text: String) -> PathBuf {
        let path = canonical(&uri::path(&uri));
        let document = Document {
            uri,
            version,
            text: Rc::new(Text::new(text)),
            is_changed: true,
        };
        self.open.insert(path.clone(), document);
        path
    }

    /// Applies the changes of a document, one after the other.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<ContentChange>,
    ) -> Option<PathBuf> {
        let path = canonical(&uri::path(uri));
        let columns = self.columns;
        let document = self.open.get_mut(&path)?;
        for change in changes {
            document.text = Rc::new(Text::new(match change.range {
                Some(range) => {
                    // Each change refers to the text after the ones before it.
                    let bytes = document.text.bytes(range, columns);
                    let mut text = document.text.text.clone();
                    text.replace_range(bytes, &change.text);
                    text
                }
                None => change.text,
            }));
        }
        (document.version, document.is_changed) = (version, true);
        Some(path)
    }

    /// Closes a document; returns its path.
    pub fn close(&mut self, uri: &Uri) -> PathBuf {
        let path = canonical(&uri::path(uri));
        self.open.remove(&path);
        path
    }

    /// Drops the text of a file.
    pub fn forget(&mut self, path: &Path) {
        self.closed.remove(path);
    }

    /// Returns the open document at a path.
    pub fn document(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    /// Returns the path of an address with its text, if the document is open.
    pub fn at(&self, uri: &Uri) -> Option<(PathBuf, Rc<Text>)> {
        let path = canonical(&uri::path(uri));
        let text = Rc::clone(&self.open.get(&path)?.text);
        Some((path, text))
    }

    /// Returns the paths of all open documents.
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.open.keys().cloned().collect();
        paths.sort();
        paths
    }

    /// Returns the documents of which the engine has another text, and marks them as known to the
    /// engine.
    pub fn changed(&mut self) -> Vec<(PathBuf, Rc<Text>)> {
        let changed = self.open.iter_mut().filter_map(|(path, document)| {
            std::mem::take(&mut document.is_changed)
                .then(|| (path.clone(), Rc::clone(&document.text)))
        });
        changed.collect()
    }

    /// Returns the text at a path, open or not.
    pub fn text(&mut self, path: &Path) -> Option<Rc<Text>> {
        if let Some(document) = self.open.get(path) {
            return Some(Rc::clone(&document.text));
        }
        if let Some((_, text)) = self.closed.get(path) {
            return Some(Rc::clone(text));
        }
        // The time is taken before reading, so that a change in between is noticed later.
        let time = modified(path);
        let (text, _) = files::text(&DiskFiles, path, Context::plain()).ok()?;
        let text = Rc::new(Text::new(text));
        self.closed
            .insert(path.to_owned(), (time, Rc::clone(&text)));
        Some(text)
    }

    /// Returns the files that are not open and have changed since they were read.
    pub fn outdated(&self) -> Vec<PathBuf> {
        let changed = self
            .closed
            .iter()
            .filter(|(path, (time, _))| modified(path) != *time);
        changed.map(|(path, _)| path.clone()).collect()
    }

    /// Returns the address of a path.
    pub fn uri(&self, path: &Path) -> Option<Uri> {
        match self.open.get(path) {
            Some(document) => Some(document.uri.clone()),
            None => uri::uri(path),
        }
    }

    /// Converts a byte range of the text at a path to a location of the protocol.
    pub fn location(&mut self, path: &Path, bytes: Range<usize>) -> Option<protocol::Location> {
        let range = self.text(path)?.range(bytes, self.columns);
        Some(protocol::Location {
            uri: self.uri(path)?,
            range,
        })
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path)
        .and_then(|known| known.modified())
        .ok()
}

/// Returns the canonical form of a path.
fn canonical(path: &Path) -> PathBuf {
    DiskFiles
        .canonical(path)
        .unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    #[test]
    fn changes_count_columns_as_agreed() {
        for (columns, column) in [(Columns::Utf16, 5), (Columns::Bytes, 9)] {
            let uri = Uri::from_str("untitled:a").expect("it is an address");
            let mut texts = Texts::new(columns);
            let path = texts.open(uri.clone(), 1, "x = 1\nf(𝔸∧B)\n".to_owned());
            let at = |character| Position { line: 1, character };
            let range = protocol::Range {
                start: at(column),
                end: at(column + 1),
            };
            let changes = vec![
                ContentChange {
                    range: Some(range),
                    text: "CD".to_owned(),
                    range_length: None,
                },
                ContentChange {
                    range: None,
                    text: String::new(),
                    range_length: None,
                },
            ];
            for (change, expected) in changes.into_iter().zip(["x = 1\nf(𝔸∧CD)\n", ""]) {
                texts.change(&uri, 2, vec![change]);
                assert_eq!(texts.text(&path).expect("it is open").text, expected);
            }
        }
    }
}
