//! What processes say to each other about blocks, as bytes.
//!
//! Every message begins with a checksum of the rest: what a broken connection cut short, and
//! [`line`](crate::line) filled up, is not read.

use std::io::Write;

use timely_bytes::arc::Bytes;
use timely_communication::Bytesable;
use xxhash_rust::xxh3::xxh3_64;

/// The bytes of a block travel in pieces of at most so many.
pub const PIECE: usize = 1 << 16;

/// What stands before the bytes of a piece: checksum, kind, sender, number of the fetch.
const HEAD: usize = 8 + 1 + 2 + 8;

/// No message is longer, which the test of pieces holds.
pub const MOST: usize = HEAD + PIECE;

/// What is said. `id` is the number that who fetches gave to a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message<'a> {
    /// Who asks wants to know of a block as soon as it is there; `round` is how many barriers were
    /// passed.
    Ask { id: u64, round: u64, block: u64 },
    /// The block is there, with so many bytes.
    Ready { id: u64, total: u64 },
    /// So many more pieces may be sent.
    Grant { id: u64, pieces: u64 },
    /// The next bytes.
    Piece { id: u64, bytes: &'a [u8] },
    /// Nothing more is wanted.
    Cancel { id: u64 },
    /// The block cannot be had, and why.
    Refused { id: u64, why: &'a str },
    /// The sender has come to the barrier that begins this round; the digest is of the work it has
    /// in mind.
    Arrive { round: u64, digest: u64 },
}

const ASK: u8 = 1;
const READY: u8 = 2;
const GRANT: u8 = 3;
const PIECE_KIND: u8 = 4;
const CANCEL: u8 = 5;
const REFUSED: u8 = 6;
const ARRIVE: u8 = 7;

/// A message of this process as bytes.
pub fn encode(from: u16, message: Message<'_>) -> Vec<u8> {
    let mut bytes = vec![0; 8];
    let numbers = |bytes: &mut Vec<u8>, kind: u8, numbers: &[u64]| {
        bytes.push(kind);
        bytes.extend_from_slice(&from.to_le_bytes());
        numbers
            .iter()
            .for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    };
    match message {
        Message::Ask { id, round, block } => numbers(&mut bytes, ASK, &[id, round, block]),
        Message::Ready { id, total } => numbers(&mut bytes, READY, &[id, total]),
        Message::Grant { id, pieces } => numbers(&mut bytes, GRANT, &[id, pieces]),
        Message::Piece { id, bytes: piece } => {
            bytes.reserve(HEAD + piece.len());
            numbers(&mut bytes, PIECE_KIND, &[id]);
            bytes.extend_from_slice(piece);
        }
        Message::Cancel { id } => numbers(&mut bytes, CANCEL, &[id]),
        Message::Refused { id, why } => {
            numbers(&mut bytes, REFUSED, &[id]);
            // At a boundary of characters, so that it stays text.
            bytes.extend_from_slice(&why.as_bytes()[..why.floor_char_boundary(PIECE)]);
        }
        Message::Arrive { round, digest } => numbers(&mut bytes, ARRIVE, &[round, digest]),
    }
    let check = xxh3_64(&bytes[8..]);
    bytes[..8].copy_from_slice(&check.to_le_bytes());
    bytes
}

/// A message with its sender; `None` if it is none.
pub fn decode(bytes: &[u8]) -> Option<(u16, Message<'_>)> {
    let (check, rest) = bytes.split_first_chunk::<8>()?;
    if xxh3_64(rest) != u64::from_le_bytes(*check) {
        return None;
    }
    let (&kind, rest) = rest.split_first()?;
    let (from, rest) = rest.split_first_chunk::<2>()?;
    let from = u16::from_le_bytes(*from);
    let (id, rest) = number(rest)?;
    let message = match kind {
        ASK => {
            let (round, rest) = number(rest)?;
            Message::Ask {
                id,
                round,
                block: last(rest)?,
            }
        }
        READY => Message::Ready {
            id,
            total: last(rest)?,
        },
        GRANT => Message::Grant {
            id,
            pieces: last(rest)?,
        },
        PIECE_KIND => Message::Piece { id, bytes: rest },
        CANCEL => rest.is_empty().then_some(Message::Cancel { id })?,
        REFUSED => Message::Refused {
            id,
            why: std::str::from_utf8(rest).ok()?,
        },
        ARRIVE => Message::Arrive {
            round: id,
            digest: last(rest)?,
        },
        _ => return None,
    };
    Some((from, message))
}

fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*number), rest))
}

fn last(bytes: &[u8]) -> Option<u64> {
    number(bytes)
        .filter(|(_, rest)| rest.is_empty())
        .map(|(number, _)| number)
}

/// A message on its way out, or as it came in.
pub enum Packet {
    /// Written here.
    Out(Vec<u8>),
    /// A part of what was received.
    In(Bytes),
}

impl Packet {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Out(bytes) => bytes,
            Self::In(bytes) => bytes,
        }
    }
}

impl Bytesable for Packet {
    fn from_bytes(bytes: Bytes) -> Self {
        Self::In(bytes)
    }

    fn length_in_bytes(&self) -> usize {
        self.bytes().len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        // It is written to memory of this length: timely asked for it.
        let written = writer.write_all(self.bytes());
        debug_assert!(written.is_ok(), "a buffer of the length asked for has room");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back() {
        let piece = vec![7; PIECE];
        let all = [
            Message::Ask {
                id: 1,
                round: u64::MAX,
                block: 3,
            },
            Message::Ready {
                id: 1,
                total: 1 << 40,
            },
            Message::Grant { id: 1, pieces: 8 },
            Message::Piece {
                id: 1,
                bytes: &piece,
            },
            Message::Piece { id: 1, bytes: &[] },
            Message::Cancel { id: 1 },
            Message::Refused {
                id: 1,
                why: "the disk — failed",
            },
            Message::Arrive {
                round: 4,
                digest: 99,
            },
        ];
        for message in all {
            let bytes = encode(300, message);
            assert!(bytes.len() <= MOST);
            assert_eq!(decode(&bytes), Some((300, message)));
        }
        assert!(
            encode(
                0,
                Message::Refused {
                    id: 0,
                    why: &"ü".repeat(PIECE)
                }
            )
            .len()
                <= MOST
        );
    }

    #[test]
    fn what_is_cut_short_or_filled_up_is_no_message() {
        let whole = encode(
            2,
            Message::Piece {
                id: 9,
                bytes: b"some bytes of a block",
            },
        );
        for length in 0..whole.len() {
            assert_eq!(decode(&whole[..length]), None);
            let mut filled = whole[..length].to_vec();
            filled.resize(whole.len(), 0);
            assert_eq!(decode(&filled), None);
        }
        assert_eq!(decode(&[0; 64]), None);
    }
}
