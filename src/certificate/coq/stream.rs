//! The stream of bits that encodes a listing, and the layout by which positions are read from it.

use std::fmt::Write;

use num_bigint::BigUint;

use super::terms::Type;
use crate::convert::fit;
use crate::player::{Ending, Player};
use crate::verify::Value;

/// The bits in a character, and in a word.
const BITS: [usize; 2] = [6, 60];
/// The words in a constructor of the theory.
const TEN: usize = 10;
/// The width of the number of items at the head of a stream.
const COUNT: usize = 12;
/// The number of bits at which a stream is full.
const FULL: usize = 6000;
/// The number of bits of all streams above which words are written, which are read faster.
const MANY_BITS: usize = 6_000_000;

/// Streams of bits, each of which holds a list of items: the number of them, and the items.
#[derive(Debug, Default)]
pub(super) struct BitStreams {
    streams: Vec<BitStream>,
    /// The number of items in the last stream.
    items: usize,
}

impl BitStreams {
    /// Returns the stream to which the next item is to be written.
    pub fn item(&mut self) -> &mut BitStream {
        let most = (1 << COUNT) - 1;
        if self.items == most || self.streams.last().is_none_or(|last| last.len >= FULL) {
            let mut empty = BitStream::default();
            empty.number(0, COUNT);
            self.streams.push(empty);
            self.items = 0;
        }
        self.items += 1;
        let last = self.streams.len() - 1;
        let stream = &mut self.streams[last];
        for (place, sextet) in stream.sextets[..COUNT / BITS[0]].iter_mut().enumerate() {
            *sextet = fit::<u8>(self.items >> (BITS[0] * place) & 63);
        }
        stream
    }

    /// Writes the definitions of the data, and returns the listing that a reader of items finds
    /// in them.
    pub fn define(&self, name: &str, reader: &str, text: &mut String) -> String {
        let words = self.streams.iter().map(|stream| stream.len).sum::<usize>() > MANY_BITS;
        for (number, stream) in self.streams.iter().enumerate() {
            let data = if words {
                stream.words()
            } else {
                stream.characters()
            };
            let _ = writeln!(text, "Definition {name}_{number} := {data}.");
        }
        let names: Vec<String> = (0..self.streams.len())
            .map(|number| format!("{name}_{number}"))
            .collect();
        let function = if words {
            "bits_of_words"
        } else {
            "bits_of_text"
        };
        format!(
            "items {function}\n  (counted {COUNT} {reader})\n  [{}]",
            names.join("; ")
        )
    }
}

/// Bits, six to a byte, the lowest first.
#[derive(Debug, Default)]
pub(super) struct BitStream {
    sextets: Vec<u8>,
    len: usize,
}

impl BitStream {
    pub fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(BITS[0]) {
            self.sextets.push(0);
        }
        if let Some(last) = self.sextets.last_mut() {
            *last |= u8::from(bit) << (self.len % BITS[0]);
        }
        self.len += 1;
    }

    /// Writes a number of this width, from its lowest bit.
    pub fn number(&mut self, number: u64, width: usize) {
        // The width may exceed 64 bits, and a shift by that many would overflow.
        (0..width).for_each(|bit| self.push(bit < 64 && number >> bit & 1 == 1));
    }

    pub fn big(&mut self, number: &BigUint, width: usize) {
        (0..width as u64).for_each(|bit| self.push(number.bit(bit)));
    }

    fn characters(&self) -> String {
        // These characters need no escape in a string, and their lowest six bits are the value.
        let character = |value: &u8| char::from(if *value < 48 { value + 64 } else { *value });
        let text: String = self.sextets.iter().map(character).collect();
        format!("\"{text}\"")
    }

    fn words(&self) -> String {
        let word = |sextets: &[u8]| {
            let places = sextets.iter().enumerate();
            places.fold(0, |word, (place, sextet)| {
                word | u64::from(*sextet) << (BITS[0] * place)
            })
        };
        let mut words: Vec<u64> = self.sextets.chunks(BITS[1] / BITS[0]).map(word).collect();
        words.resize(words.len().next_multiple_of(TEN), 0);
        let mut text = String::new();
        for ten in words.chunks(TEN) {
            let ten: Vec<String> = ten.iter().map(u64::to_string).collect();
            let _ = write!(text, "(Words {} ", ten.join(" "));
        }
        let closed = ")".repeat(words.len() / TEN);
        format!("{text}No_words{closed}%uint63")
    }
}

/// Returns the number of bits that a number takes.
pub(super) fn width(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// The encoding of the items of a type: readers of the theory, with widths.
#[derive(Debug, Clone)]
pub(super) enum StreamLayout {
    Grid { rows: usize, cols: usize },
    Natural(usize),
    Integer(usize),
    Bool,
    Player,
    Content,
    Times(usize, Box<StreamLayout>),
    Parts(Vec<StreamLayout>),
    Vertex(usize),
}

impl StreamLayout {
    /// Returns the layout of values of a type, with the lengths of a model value.
    pub fn of(ty: &Type, model: &Value) -> Option<Self> {
        Some(match (ty, model) {
            (Type::Natural, _) => Self::Natural(0),
            (Type::Integer, _) => Self::Integer(0),
            (Type::Bool, _) => Self::Bool,
            (Type::Player, _) => Self::Player,
            (Type::Content, _) => Self::Content,
            (Type::Grid { .. }, Value::Board(board)) => Self::Grid {
                rows: board.rows,
                cols: board.cols,
            },
            // An empty list has no model element, and no bits of it are ever read.
            (Type::List(_), Value::List(items)) if items.is_empty() => {
                Self::Times(0, Box::new(Self::Bool))
            }
            (Type::List(item), Value::List(items)) => {
                Self::Times(items.len(), Box::new(Self::of(item, &items[0])?))
            }
            (Type::Tuple(parts), Value::Tuple(items)) => {
                let parts = parts
                    .iter()
                    .zip(items.iter())
                    .map(|(ty, item)| Self::of(ty, item));
                Self::Parts(parts.collect::<Option<Vec<_>>>()?)
            }
            _ => return None,
        })
    }

    /// Widens the layout so that a value fits.
    pub fn measure(&mut self, value: &Value) {
        match (self, value) {
            (Self::Natural(room) | Self::Integer(room), Value::Number(number)) => {
                *room = (*room).max(width(number.to_integer().unsigned_abs()));
            }
            (Self::Times(_, item), Value::List(items)) => {
                items.iter().for_each(|value| item.measure(value));
            }
            (Self::Parts(parts), Value::Tuple(items)) => {
                let both = parts.iter_mut().zip(items.iter());
                both.for_each(|(part, value)| part.measure(value));
            }
            _ => {}
        }
    }

    pub fn write(&self, value: &Value, bits: &mut BitStream) {
        match (self, value) {
            (Self::Natural(room), Value::Number(number)) => {
                bits.number(number.to_integer().unsigned_abs(), *room);
            }
            (Self::Integer(room), Value::Number(number)) => {
                // The sign is written apart, so that the width is that of the magnitude.
                bits.push(number.to_integer() < 0);
                bits.number(number.to_integer().unsigned_abs(), *room);
            }
            (Self::Bool, Value::Bool(truth)) => bits.push(*truth),
            (Self::Player, Value::Player(player)) => bits.push(*player == Player::Bob),
            (Self::Content, Value::Player(player)) => content(Some(*player), bits),
            (Self::Content, _) => content(None, bits),
            (Self::Grid { .. }, Value::Board(board)) => {
                for cell in &board.cells {
                    match cell {
                        Value::Player(player) => content(Some(*player), bits),
                        _ => content(None, bits),
                    }
                }
            }
            (Self::Times(_, item), Value::List(items)) => {
                items.iter().for_each(|value| item.write(value, bits));
            }
            (Self::Parts(parts), Value::Tuple(items)) => {
                let both = parts.iter().zip(items.iter());
                both.for_each(|(part, value)| part.write(value, bits));
            }
            _ => {}
        }
    }

    /// Returns the reader of the theory.
    pub fn reader(&self) -> String {
        match self {
            Self::Grid { rows, cols } => format!("(a_grid {rows} {cols})"),
            Self::Natural(room) => format!("(natural {room})"),
            Self::Integer(room) => format!("(integer {room})"),
            Self::Bool => "a_bool".to_owned(),
            Self::Player => "a_player".to_owned(),
            Self::Content => "a_cell".to_owned(),
            Self::Times(length, item) => format!("(times {length} {})", item.reader()),
            Self::Parts(parts) => parts
                .iter()
                .map(Self::reader)
                .reduce(|first, next| format!("(both {first} {next})"))
                .unwrap_or_default(),
            Self::Vertex(room) => format!("(a_vertex {room})"),
        }
    }
}

fn content(player: Option<Player>, bits: &mut BitStream) {
    bits.push(player == Some(Player::Alice));
    bits.push(player == Some(Player::Bob));
}

/// Writes the ending of a game without a move that has no state.
pub(super) fn ending(ending: Ending, bits: &mut BitStream) {
    content(
        match ending {
            Ending::Win(player) => Some(player),
            Ending::Draw => None,
        },
        bits,
    );
}
