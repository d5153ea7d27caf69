//! The bytes of a document as they arrive, with the place that has been reached in them, and the
//! errors of a document that cannot be read.

use std::cell::Cell;
use std::io::{self, Read};

use super::super::text::BYTE_ORDER_MARK;
use super::super::{EdgeListError, Flaw, LineColumn};
use crate::diagnostic::json_trouble;
use crate::files::{Pieces, Unread};

/// The position that a reader has reached in a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadPosition {
    /// The place of the next byte.
    pub next: LineColumn,
    /// The place of the last byte read.
    pub last: LineColumn,
}

impl ReadPosition {
    pub(super) const NOTHING: Self = Self {
        next: LineColumn::START,
        last: LineColumn::START,
    };
}

pub(super) struct Bytes<'w, 'c> {
    pieces: Pieces<'w>,
    /// The last piece that arrived. The reader has taken its bytes before `taken`.
    piece: Vec<u8>,
    taken: usize,
    has_begun: bool,
    reached: &'c Cell<ReadPosition>,
    /// The numbers of bytes that continue a character, in the line that has been reached and in the
    /// one before. They turn columns in bytes into columns in characters.
    continued: [usize; 2],
    /// The reason why no more bytes arrived, if reading failed.
    unread: Option<Unread>,
}

impl<'w, 'c> Bytes<'w, 'c> {
    pub(super) fn new(pieces: Pieces<'w>, reached: &'c Cell<ReadPosition>) -> Self {
        Self {
            pieces,
            piece: Vec::new(),
            taken: 0,
            has_begun: false,
            reached,
            continued: [0, 0],
            unread: None,
        }
    }

    /// Waits for the next piece, which is empty at the end. Skips a byte order mark at the
    /// beginning.
    fn fill(&mut self) -> Result<(), Unread> {
        self.taken = 0;
        self.piece = self.pieces.piece()?.unwrap_or_default();
        if self.has_begun {
            return Ok(());
        }
        self.has_begun = true;
        // A pipe may deliver the mark in several pieces.
        while self.piece.len() < BYTE_ORDER_MARK.len() {
            match self.pieces.piece()? {
                Some(more) => self.piece.extend(more),
                None => break,
            }
        }
        if self.piece.starts_with(BYTE_ORDER_MARK) {
            self.taken = BYTE_ORDER_MARK.len();
        }
        Ok(())
    }

    fn pass(&mut self, byte: u8) {
        let last = self.reached.get().next;
        let mut next = last;
        next.pass(byte);
        self.reached.set(ReadPosition { next, last });
        match byte {
            b'\n' => self.continued = [0, self.continued[0]],
            // In UTF-8 these bytes continue a character.
            _ if byte & 0xC0 == 0x80 => self.continued[0] += 1,
            _ => {}
        }
    }

    /// Describes the error of a document that cannot be read. Columns in `error` count bytes.
    pub(super) fn trouble(self, error: &serde_json::Error) -> EdgeListError {
        if let Some(why) = self.unread {
            return why.into();
        }
        let line = error.line().max(1);
        // The reader may have seen the line end behind the error, so the error may be a line back.
        let back = (self.reached.get().next.line as usize).saturating_sub(line);
        let continued = self.continued.get(back).copied().unwrap_or(0);
        let flaw = Flaw {
            line,
            column: error.column().saturating_sub(continued).max(1),
            message: json_trouble(error),
        };
        flaw.into()
    }
}

impl Read for Bytes<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.piece.len()
            && let Err(why) = self.fill()
        {
            self.unread = Some(why);
            return Err(io::Error::other("no more bytes came"));
        }
        let length = into.len().min(self.piece.len() - self.taken);
        for slot in &mut into[..length] {
            *slot = self.piece[self.taken];
            self.taken += 1;
            self.pass(*slot);
        }
        Ok(length)
    }
}
