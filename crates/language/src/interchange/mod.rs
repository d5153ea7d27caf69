//! Graphs from elsewhere: files of edges, and lists that another program hands over.
//!
//! An [`EdgeList`] is what all of them become: vertices by their names, edges with their owners,
//! and what the vertices mean. [`read`] reads a file by its extension; what is wrong with it is
//! told with its line and column.

mod csv;
mod json;
mod number;
mod parity;

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use num_rational::Rational64;
use serde::{Serialize, Serializer};

use crate::player::{Ending, Player};
use crate::syntax::vertex_name;

pub use number::rational;

/// A graph as lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EdgeList {
    /// What the graph prints as; may be empty.
    pub title: String,
    /// Where the game begins, if that is said.
    pub start: Option<u32>,
    /// The vertices in order.
    pub vertices: Vec<ListedVertex>,
    /// The edges in order.
    pub edges: Vec<ListedEdge>,
    /// Whether scores are spoken of.
    pub is_scored: bool,
    /// Whether weights are spoken of.
    pub is_weighted: bool,
    /// Whether it is said which vertices are accepting.
    pub accepts: bool,
}

/// A vertex of an [`EdgeList`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedVertex {
    /// How it prints and reads back: `0`, `W`, `(1, 2)`, `"a b"`.
    pub name: String,
    /// How the game ends here, if it does, and with what score.
    pub ending: Option<(Ending, Rational64)>,
    /// Who moves here without a bid.
    pub turn: Option<Player>,
    /// Whether Alice wants to come here again and again.
    pub is_accepting: bool,
    /// Its priority, for parity.
    pub priority: Option<u32>,
    /// What a visit adds to the mean payoff.
    pub weight: Option<Rational64>,
}

/// An edge of an [`EdgeList`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEdge {
    /// Whose it is; both players' without one.
    pub owner: Option<Player>,
    /// The tail's place among the vertices.
    pub from: u32,
    /// The head's.
    pub to: u32,
    /// What the move adds to the score of whoever makes it.
    pub score: Rational64,
    /// What it adds to the mean payoff.
    pub weight: Rational64,
}

/// A vertex as other programs know it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A whole number.
    Integer(i128),
    /// A text.
    Text(String),
    /// Several that belong together, like the row and column of a cell.
    Tuple(Vec<Key>),
}

/// What is wrong with a file of edges, and where; lines and columns count from 1, columns in
/// characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The line.
    pub line: usize,
    /// The column in it.
    pub column: usize,
    /// What was found and what was expected, without a full stop.
    pub message: String,
}

/// The extensions of files that [`read`] reads.
pub const EXTENSIONS: [&str; 3] = ["csv", "json", "pg"];

/// Reads a file of edges; `None` if its extension is none of [`EXTENSIONS`].
pub fn read(path: &Path, text: &str) -> Option<Result<EdgeList, Flaw>> {
    let read = match path.extension()?.to_str()? {
        "csv" => csv::read,
        "json" => json::read,
        "pg" => parity::read,
        _ => return None,
    };
    Some(read(text))
}

impl Key {
    /// The vertex that a text names: a whole number, a tuple in parentheses, or itself.
    pub fn of_text(text: &str) -> Self {
        let inner = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        match (text.parse(), inner) {
            (Ok(number), _) => Self::Integer(number),
            (Err(_), Some(inner)) if !inner.contains(['(', ')']) && inner.contains(',') => {
                Self::Tuple(
                    inner
                        .split(',')
                        .map(|part| Self::of_text(part.trim()))
                        .collect(),
                )
            }
            _ => Self::Text(text.to_owned()),
        }
    }

    /// The vertex that prints so: what [`name`](Self::name) gives, read back.
    pub fn of_name(name: &str) -> Self {
        if let Ok(number) = name.parse() {
            return Self::Integer(number);
        }
        if let Some(inner) = name
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
        {
            return Self::Text(unquoted(inner));
        }
        match name
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
        {
            Some(inner) => Self::Tuple(parts(inner).into_iter().map(Self::of_name).collect()),
            None => Self::Text(name.to_owned()),
        }
    }

    /// How it prints as a vertex, and reads back.
    pub fn name(&self) -> String {
        let mut name = String::new();
        self.write(&mut name);
        name
    }

    fn write(&self, name: &mut String) {
        match self {
            // Writing to a string cannot fail.
            Self::Integer(number) => drop(write!(name, "{number}")),
            Self::Text(text) => name.push_str(&vertex_name(text)),
            Self::Tuple(parts) => {
                name.push('(');
                for (place, part) in parts.iter().enumerate() {
                    name.push_str(if place == 0 { "" } else { ", " });
                    part.write(name);
                }
                name.push(')');
            }
        }
    }
}

/// The text between quotes, escapes resolved.
fn unquoted(inner: &str) -> String {
    let mut text = String::new();
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        match (c, c == '\\') {
            (_, true) => text.extend(rest.next().map(|escaped| match escaped {
                'n' => '\n',
                't' => '\t',
                other => other,
            })),
            (other, false) => text.push(other),
        }
    }
    text
}

/// The parts of a tuple: what stands between the commas that are in no quotes and no parentheses.
fn parts(inner: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut is_quoted, mut is_escaped) =
        (Vec::new(), 0, 0_usize, false, false);
    for (at, c) in inner.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inner[start..].trim());
    parts
}

/// Integers as numbers, texts as texts, tuples as lists.
impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(number) => match i64::try_from(*number) {
                Ok(number) => serializer.serialize_i64(number),
                Err(_) => serializer.collect_str(number),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::Tuple(parts) => serializer.collect_seq(parts),
        }
    }
}

/// An [`EdgeList`] whose vertices are added as they are met.
#[derive(Debug, Default)]
struct Growing {
    list: EdgeList,
    places: HashMap<Key, u32>,
}

impl Growing {
    /// The place of a vertex.
    fn vertex(&mut self, key: Key) -> u32 {
        if let Some(place) = self.places.get(&key) {
            return *place;
        }
        let place =
            u32::try_from(self.list.vertices.len()).expect("a file has fewer than 2^32 vertices");
        self.list.vertices.push(ListedVertex {
            name: key.name(),
            ..ListedVertex::default()
        });
        self.places.insert(key, place);
        place
    }
}

/// Whose edge it is: a player by one of the language's words, or `both`.
fn owner(word: &str) -> Option<Option<Player>> {
    match word {
        "alice" | "left" | "red" => Some(Some(Player::Alice)),
        "bob" | "right" | "blue" => Some(Some(Player::Bob)),
        "both" => Some(None),
        _ => None,
    }
}

/// The line and the column of a byte.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..byte.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// A flaw at a byte.
fn flaw(text: &str, byte: usize, message: impl Into<String>) -> Flaw {
    let (line, column) = place(text, byte);
    Flaw {
        line,
        column,
        message: message.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let text = |text: &str| Key::Text(text.to_owned());
        let keys = [
            Key::Integer(-3),
            text("W"),
            text("1"),
            text("a \"b\", (c\\"),
            text("A"),
            Key::Tuple(vec![
                Key::Integer(0),
                text("x, y"),
                Key::Tuple(vec![Key::Integer(1), text(")")]),
            ]),
        ];
        for key in keys {
            assert_eq!(Key::of_name(&key.name()), key, "{}", key.name());
        }
        assert_eq!(
            Key::of_text("(1, x)"),
            Key::Tuple(vec![Key::Integer(1), text("x")])
        );
        assert_eq!(Key::of_text("(1)"), text("(1)"));
    }
}
