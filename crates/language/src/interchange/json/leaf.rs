//! The value of a member of a vertex or an edge: a name, a number, a word.

use num_rational::Rational64;
use num_traits::Zero;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::super::{Key, LineColumn, owner, rational, whole_number};
use super::bytes::ReadPosition;
use crate::player::Player;

/// A JSON value as it is written.
pub(super) struct Leaf(Box<RawValue>);

impl<'de> Deserialize<'de> for Leaf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

impl Leaf {
    /// Returns the value, if it is not `null`.
    pub(super) fn given(self) -> Option<Self> {
        (self.0.get() != "null").then_some(self)
    }

    /// Computes the place where the value begins, if it was the last thing read.
    pub(super) fn start(&self, reached: ReadPosition) -> LineColumn {
        let written = self.0.get();
        // The reader finds the end of a number only by reading the byte after it.
        let is_number = written.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let end = if is_number {
            reached.last
        } else {
            reached.next
        };
        let length = u32::try_from(written.chars().count()).unwrap_or(u32::MAX);
        LineColumn {
            column: end.column.saturating_sub(length).max(1),
            ..end
        }
    }

    /// Reads a vertex.
    pub(super) fn key(&self) -> Result<Key, String> {
        key(self.0.get(), 0)
    }

    /// Reads a player, or both.
    pub(super) fn owner(&self) -> Result<Option<Player>, String> {
        self.text()
            .and_then(|word| owner(&word))
            .ok_or_else(|| self.instead_of("alice, bob or both"))
    }

    /// Reads a player.
    pub(super) fn player(&self) -> Result<Player, String> {
        self.text()
            .and_then(|word| owner(&word).flatten())
            .ok_or_else(|| self.instead_of("alice or bob"))
    }

    pub(super) fn flag(&self) -> Result<bool, String> {
        match self.0.get() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.instead_of("true or false")),
        }
    }

    /// Reads a number, or a string that contains one.
    pub(super) fn number(&self) -> Result<Rational64, String> {
        let written = self.0.get();
        let text = match written.as_bytes().first() {
            Some(b'"') => self.text().unwrap_or_default(),
            Some(b'-' | b'0'..=b'9') => written.to_owned(),
            _ => return Err(self.instead_of("a number")),
        };
        rational(&text).map_err(|why| format!("{} {why}", shown(&text)))
    }

    /// Reads a part of all money.
    pub(super) fn part(&self) -> Result<Rational64, String> {
        let part = self.number()?;
        if part < Rational64::zero() {
            return Err(self.instead_of("a number, 0 or more"));
        }
        Ok(part)
    }

    pub(super) fn priority(&self) -> Result<u32, String> {
        let number = self.0.get().parse().ok();
        // Exchanging the players adds 1 to a priority, which must not overflow.
        number
            .filter(|number| *number < u32::MAX)
            .ok_or_else(|| self.instead_of("a whole number, 0 or more"))
    }

    fn text(&self) -> Option<String> {
        serde_json::from_str(self.0.get()).ok()
    }

    fn instead_of(&self, expected: &str) -> String {
        format!("{expected} is expected, not {}", shown(self.0.get()))
    }
}

/// Shortens a value for a message.
fn shown(written: &str) -> String {
    const MOST: usize = 40;
    match written.as_bytes().first() {
        Some(b'{') => "an object".to_owned(),
        Some(b'[') => "a list".to_owned(),
        _ if written.chars().count() > MOST => {
            let start: String = written.chars().take(MOST).collect();
            format!("{start}…")
        }
        _ => written.to_owned(),
    }
}

/// Reads a vertex as it is written, within `depth` lists.
fn key(written: &str, depth: usize) -> Result<Key, String> {
    const DEEPEST: usize = 20;
    let wrong = || {
        format!(
            "a vertex is a whole number, a text or a list of them, not {}",
            shown(written)
        )
    };
    match written.as_bytes().first() {
        Some(b'"') => serde_json::from_str(written)
            .map(Key::Text)
            .map_err(|_| wrong()),
        // A list nested without end would exhaust the stack.
        Some(b'[') if depth < DEEPEST => {
            let parts: Vec<&RawValue> = serde_json::from_str(written).map_err(|_| wrong())?;
            let parts = parts.into_iter().map(|part| key(part.get(), depth + 1));
            Ok(Key::Tuple(parts.collect::<Result<_, _>>()?))
        }
        _ => whole_number(written).map(Key::Integer).ok_or_else(wrong),
    }
}
