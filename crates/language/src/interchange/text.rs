//! A text that is read line by line, with the place that has been reached in it.

use super::{EdgeListError, Flaw};
use crate::files::Pieces;

/// A line and a column, counted from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineColumn {
    pub line: u32,
    pub column: u32,
}

impl LineColumn {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// Moves past a byte. Each character is counted at its only byte that is not a continuation
    /// byte.
    pub(super) fn pass(&mut self, byte: u8) {
        if byte == b'\n' {
            self.line = self.line.saturating_add(1);
            self.column = 1;
        } else if byte & 0xC0 != 0x80 {
            self.column = self.column.saturating_add(1);
        }
    }

    pub(super) fn flaw(self, message: impl Into<String>) -> Flaw {
        Flaw {
            line: self.line as usize,
            column: self.column as usize,
            message: message.into(),
        }
    }
}

/// The mark that some programs put before a text to say that it is UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A text of which one line at a time is in memory.
pub(super) struct StreamedText<'w> {
    pieces: Pieces<'w>,
    /// The last piece that arrived. Its bytes from `taken` on are in no line yet.
    piece: Vec<u8>,
    taken: usize,
    line: String,
    /// The number of bytes of the line that have been passed.
    at: usize,
    place: LineColumn,
}

impl<'w> StreamedText<'w> {
    /// Begins to read a text, and skips its byte order mark.
    pub(super) fn new(pieces: Pieces<'w>) -> Result<Self, EdgeListError> {
        let mut text = Self {
            pieces,
            piece: Vec::new(),
            taken: 0,
            line: String::new(),
            at: 0,
            place: LineColumn::START,
        };
        text.next_line()?;
        if text.line.as_bytes().starts_with(BYTE_ORDER_MARK) {
            text.at = BYTE_ORDER_MARK.len();
        }
        Ok(text)
    }

    /// Returns the rest of the line, its line end included. It is empty at the end of the text and
    /// between two lines.
    pub(super) fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Returns the place where the rest begins.
    pub(super) fn place(&self) -> LineColumn {
        self.place
    }

    /// Passes this many bytes of the rest.
    pub(super) fn pass(&mut self, bytes: usize) {
        for byte in &self.line.as_bytes()[self.at..self.at + bytes] {
            self.place.pass(*byte);
        }
        self.at += bytes;
    }

    /// Returns `true` if there is more text, and reads the next line if the rest is empty.
    pub(super) fn has_more(&mut self) -> Result<bool, EdgeListError> {
        Ok(!self.rest().is_empty() || self.next_line()?)
    }

    /// Passes white space, line ends included, and returns `true` if more text follows.
    pub(super) fn skip_blanks(&mut self) -> Result<bool, EdgeListError> {
        while self.has_more()? {
            let blanks = self.rest().len() - self.rest().trim_start().len();
            self.pass(blanks);
            if !self.rest().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn flaw(&self, message: impl Into<String>) -> EdgeListError {
        self.place.flaw(message).into()
    }

    /// Reads the next line, and returns `true` if there is one.
    fn next_line(&mut self) -> Result<bool, EdgeListError> {
        // The memory of the last line is used again for the next one.
        let mut bytes = std::mem::take(&mut self.line).into_bytes();
        bytes.clear();
        self.at = 0;
        loop {
            let left = &self.piece[self.taken..];
            if let Some(end) = left.iter().position(|byte| *byte == b'\n') {
                bytes.extend_from_slice(&left[..=end]);
                self.taken += end + 1;
                break;
            }
            bytes.extend_from_slice(left);
            self.taken = 0;
            self.piece = self.pieces.piece()?.unwrap_or_default();
            if self.piece.is_empty() {
                break;
            }
        }
        self.line = String::from_utf8(bytes).map_err(|error| {
            let mut place = self.place;
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            good.iter().for_each(|byte| place.pass(*byte));
            place.flaw("this is not UTF-8 text: save the file as UTF-8")
        })?;
        // A zero byte is valid UTF-8, but no text has one.
        if let Some((before, _)) = self.line.split_once('\0') {
            let mut place = self.place;
            before.bytes().for_each(|byte| place.pass(byte));
            return Err(place
                .flaw("a zero byte stands here: this is not text")
                .into());
        }
        Ok(!self.line.is_empty())
    }
}
