//! The bytes of a document as they come, the place that has been reached in them, and what is told
//! of a document that cannot be read.

use std::cell::Cell;
use std::io::{self, Read};

use super::super::text::BYTE_ORDER_MARK;
use super::super::{EdgeListError, Flaw, LineColumn};
use crate::diagnostic::json_trouble;
use crate::files::{Pieces, Unread};

/// How far a document has been read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadPosition {
    /// The place of the next byte.
    pub next: LineColumn,
    /// The place of the last one.
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
    /// What has come and has not been read: its bytes from `taken` on.
    piece: Vec<u8>,
    taken: usize,
    has_begun: bool,
    reached: &'c Cell<ReadPosition>,
    /// How many bytes that continue a character are in the line that has been reached, and in the one before.
    continued: [usize; 2],
    /// Why nothing more came.
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

    /// Waits for more bytes; there are none at the end.
    fn fill(&mut self) -> Result<(), Unread> {
        self.taken = 0;
        self.piece = self.pieces.piece()?.unwrap_or_default();
        if self.has_begun {
            return Ok(());
        }
        self.has_begun = true;
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
            _ if byte & 0xC0 == 0x80 => self.continued[0] += 1,
            _ => {}
        }
    }

    /// What is told of a document that cannot be read; the columns of the error are bytes.
    pub(super) fn trouble(self, error: &serde_json::Error) -> EdgeListError {
        if let Some(why) = self.unread {
            return why.into();
        }
        let line = error.line().max(1);
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
