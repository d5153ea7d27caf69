//! Graphs from elsewhere: files of edges, and lists that another program passes.
//!
//! All of them become an [`EdgeList`]: vertices by their names, edges with their owners, and the
//! meanings of the vertices. [`read`](EdgeListFormat::read) reads a file of a format. Flaws are
//! reported with line and column. The readers share their conventions: a byte order mark is
//! skipped, [`Key::of_text`] distinguishes numbers from labels, [`rational`] reads numbers, and, if
//! the format has a list of vertices, a vertex outside it is a flaw.

mod csv;
mod growing;
mod json;
mod number;
mod parity;
mod text;

use std::fmt::Write;
use std::path::Path;

use num_bigint::BigInt;
use num_rational::Rational64;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use self::growing::Growing;
use self::text::{LineColumn, StreamedText};
use crate::files::{Pieces, Unread};
use crate::player::{Ending, PerPlayer, Player};
use crate::syntax::vertex_name;

pub use number::{NoNumber, rational};

/// A graph as lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EdgeList {
    /// The title as which the graph prints. It may be empty.
    pub title: String,
    /// The start of the game, if the file names it.
    pub start: Option<u32>,
    /// The vertices in order.
    pub vertices: Vec<ListedVertex>,
    /// The edges in order.
    pub edges: Vec<ListedEdge>,
    /// `true` if the file gives scores.
    pub is_scored: bool,
    /// `true` if the file gives weights.
    pub is_weighted: bool,
    /// `true` if the file gives accepting vertices.
    pub accepts: bool,
    /// Places that look like mistakes, but may be intended.
    pub doubts: Vec<Flaw>,
}

/// A vertex of an [`EdgeList`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedVertex {
    /// The name as it prints and reads back: `0`, `W`, `(1, 2)`, `"a b"`.
    pub name: String,
    /// The ending, with its score, if the game ends here.
    pub ending: Option<(Ending, Rational64)>,
    /// The player who moves here without a bid, if any.
    pub turn: Option<Player>,
    /// `true` if Alice wants to visit this vertex infinitely often.
    pub is_accepting: bool,
    /// The priority, for parity objectives.
    pub priority: Option<u32>,
    /// The weight that a visit adds to the mean payoff.
    pub weight: Option<Rational64>,
    /// The part of all money that each player receives before a bid, where it is given.
    pub income: PerPlayer<Option<Rational64>>,
}

/// An edge of an [`EdgeList`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedEdge {
    /// The player who owns the edge, or `None` if both do.
    pub owner: Option<Player>,
    /// The index of the tail among the vertices.
    pub from: u32,
    /// The index of the head among the vertices.
    pub to: u32,
    /// The score that the move adds for the player who makes it.
    pub score: Rational64,
    /// The weight that the edge adds to the mean payoff.
    pub weight: Rational64,
}

/// A vertex as other programs identify it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A whole number.
    Integer(BigInt),
    /// A text.
    Text(String),
    /// A tuple of vertices, like the row and column of a cell.
    Tuple(Vec<Key>),
}

/// A mistake in a file of edges. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The line.
    pub line: usize,
    /// The column in it.
    pub column: usize,
    /// The mistake and the expectation, without a full stop.
    pub message: String,
}

/// The reason why a file yields no list of edges.
#[derive(Debug)]
pub enum EdgeListError {
    /// The file has a mistake.
    Flaw(Flaw),
    /// The file could not be read to its end.
    Unread(Unread),
}

impl From<Flaw> for EdgeListError {
    fn from(flaw: Flaw) -> Self {
        Self::Flaw(flaw)
    }
}

impl From<Unread> for EdgeListError {
    fn from(why: Unread) -> Self {
        Self::Unread(why)
    }
}

/// A format of files of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeListFormat {
    /// Comma-separated edges.
    Csv,
    /// Node-link JSON.
    Json,
    /// Parity games.
    Parity,
}

/// The formats: extension, format and description.
pub const FORMS: [(&str, EdgeListFormat, &str); 3] = [
    ("csv", EdgeListFormat::Csv, "comma-separated edges"),
    ("json", EdgeListFormat::Json, "node-link JSON"),
    ("pg", EdgeListFormat::Parity, "parity games"),
];

impl EdgeListFormat {
    /// Finds the format of files with this extension.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let found = FORMS.iter().find(|(known, ..)| *known == extension);
        found.map(|(_, form, _)| *form)
    }

    /// Reads a file of this format as its bytes arrive.
    ///
    /// # Errors
    /// Returns an error if the file has a mistake, or cannot be read to its end.
    pub fn read(self, pieces: Pieces<'_>) -> Result<EdgeList, EdgeListError> {
        match self {
            Self::Csv => csv::read(&mut StreamedText::new(pieces)?),
            Self::Json => json::read(pieces),
            Self::Parity => parity::read(StreamedText::new(pieces)?),
        }
    }
}

impl Key {
    /// Returns the vertex that a text names: a number if that prints as the same text, a tuple if
    /// it is a list in parentheses, else a label. So `1` is a number, and `1.0`, `01` and `+1` are
    /// labels.
    pub fn of_text(text: &str) -> Self {
        if let Some(number) = whole_number(text) {
            return Self::Integer(number);
        }
        /// The greatest number of tuples within each other.
        const NESTED: usize = 64;
        Self::tuple_of_text(text, NESTED).unwrap_or_else(|| Self::Text(text.to_owned()))
    }

    /// Returns the tuple that a text names, of at most `depth` tuples within each other. A text from
    /// elsewhere may have any brackets, so only a list with a comma, in which all other parentheses
    /// are those of such lists, is a tuple. A label among its parts may be in quotes, as the
    /// language writes it.
    fn tuple_of_text(text: &str, depth: usize) -> Option<Self> {
        let depth = depth.checked_sub(1)?;
        let inner = text.strip_prefix('(')?.strip_suffix(')')?;
        let part = |part: &str| {
            let quoted = part
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'));
            match quoted {
                Some(quoted) => Some(Self::Text(unquoted(quoted))),
                None if part.contains(['(', ')']) => Self::tuple_of_text(part, depth),
                None => Some(Self::of_text(part)),
            }
        };
        let parts = parts(inner);
        (parts.len() > 1)
            .then(|| parts.into_iter().map(part).collect::<Option<_>>())?
            .map(Self::Tuple)
    }

    /// Reads back a name that [`name`](Self::name) returned.
    pub fn of_name(name: &str) -> Self {
        if let Some(number) = whole_number(name) {
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

    /// Returns a whole number that fits in 64 bits.
    fn short(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => i64::try_from(number).ok(),
            Self::Text(_) | Self::Tuple(_) => None,
        }
    }

    /// Returns the name as which the vertex prints and reads back.
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

/// Reads the whole number that prints as this text, if there is one.
fn whole_number(text: &str) -> Option<BigInt> {
    /// Longer texts are labels, because the language has no numbers with more digits.
    const MOST_DIGITS: usize = 10_000;
    (is_whole(text) && text.len() <= MOST_DIGITS + usize::from(text.starts_with('-')))
        .then(|| text.parse().ok())
        .flatten()
}

/// Reads the whole number that prints as this text, if there is one and it fits in 64 bits.
fn short_number(text: &str) -> Option<i64> {
    is_whole(text).then(|| text.parse().ok()).flatten()
}

/// Returns `true` if a text is the one as which some whole number prints.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    match digits.as_bytes() {
        [b'0'] => text == "0",
        // Numbers print without leading zeros, so that `01` is a label.
        [b'0', ..] | [] => false,
        digits => digits.iter().all(u8::is_ascii_digit),
    }
}

/// Resolves the escapes in the text between quotes.
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

/// Splits a tuple at the commas that are neither within quotes nor within parentheses.
fn parts(inner: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut is_quoted, mut is_escaped) =
        (Vec::new(), 0, 0_usize, false, false);
    for (at, c) in inner.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            // A quotation mark behind a backslash does not end the text.
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

/// Writes integers as numbers, texts as strings, tuples as lists.
impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(number) => match i64::try_from(number) {
                Ok(number) => serializer.serialize_i64(number),
                // JSON has numbers of any length, but the serializer takes only those of the
                // machine.
                Err(_) => RawValue::from_string(number.to_string())
                    .map_err(S::Error::custom)?
                    .serialize(serializer),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::Tuple(parts) => serializer.collect_seq(parts),
        }
    }
}

/// Reads the owner of an edge: a player by one of the language's words, or `both`, in small letters
/// or capitals.
fn owner(word: &str) -> Option<Option<Player>> {
    let is_one_of = |known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    match word {
        _ if is_one_of(&["both"]) => Some(None),
        _ if is_one_of(&["alice", "left", "red"]) => Some(Some(Player::Alice)),
        _ if is_one_of(&["bob", "right", "blue"]) => Some(Some(Player::Bob)),
        _ => None,
    }
}

/// Reads a text in tests, and returns a flaw as text.
#[cfg(test)]
fn read_text(form: EdgeListFormat, text: &[u8]) -> Result<EdgeList, String> {
    read_pieces(
        form,
        Pieces::held(text.to_vec(), crate::watch::Context::plain()),
    )
}

/// Returns the names of the vertices in order.
#[cfg(test)]
fn names(list: &EdgeList) -> Vec<&str> {
    let names = list.vertices.iter().map(|vertex| vertex.name.as_str());
    names.collect()
}

#[cfg(test)]
fn read_pieces(form: EdgeListFormat, pieces: Pieces<'_>) -> Result<EdgeList, String> {
    form.read(pieces).map_err(|trouble| match trouble {
        EdgeListError::Flaw(Flaw {
            line,
            column,
            message,
        }) => format!("{line}:{column} {message}"),
        EdgeListError::Unread(why) => panic!("it is here: {why:?}"),
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use proptest::prelude::*;

    use super::*;
    use crate::watch::Context;

    /// Parts of files of all formats, and some of none.
    const PARTS: &[&[u8]] = &[
        b"from,to",
        b"player",
        b"score",
        b"weight",
        b",",
        b",",
        b"\"",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"alice",
        b"both",
        b"1",
        b"2",
        b"1.0",
        b"0,5",
        b"(1, x)",
        b"NaN",
        b"1e99",
        "\u{feff}".as_bytes(),
        b"\xff",
        b"\0",
        "ä".as_bytes(),
        b" ",
        b"\t",
        b"parity 3;",
        b"start 1;",
        b"1 2 0 1;",
        b"2 0 1 1,2 \"a\";",
        b";",
        b"{\"nodes\": [",
        b"{\"id\": 1}",
        b"{\"id\": \"a\", \"win\": \"bob\"}",
        b"], \"edges\": [",
        b"{\"source\": 1, \"target\": \"a\"}",
        b"]}",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"null",
        b"\"id\"",
    ];

    fn soup() -> impl Strategy<Value = Vec<u8>> {
        let parts = prop::collection::vec(prop::sample::select(PARTS), 0..30);
        prop_oneof![
            parts.prop_map(|parts| parts.concat()),
            prop::collection::vec(any::<u8>(), 0..60),
        ]
    }

    /// A reader that returns two bytes at a time.
    struct Dripping(Cursor<Vec<u8>>);

    impl Read for Dripping {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            self.0.read(&mut into[..2])
        }
    }

    proptest! {
        /// Any bytes are either read or rejected, and the result does not depend on the pieces in
        /// which they arrive.
        #[test]
        fn any_bytes_are_answered(text in soup()) {
            for (_, form, _) in FORMS {
                let whole = read_text(form, &text);
                let drops = Dripping(Cursor::new(text.clone()));
                let pieces = Pieces::sent(move || Ok(drops), Context::plain()).expect("a thread starts");
                prop_assert_eq!(read_pieces(form, pieces), whole);
            }
        }
    }

    #[test]
    fn names_read_back() {
        let text = |text: &str| Key::Text(text.to_owned());
        let keys = [
            Key::Integer((-3).into()),
            text("W"),
            text("1"),
            text("a \"b\", (c\\"),
            text("A"),
            Key::Tuple(vec![
                Key::Integer(0.into()),
                text("x, y"),
                Key::Tuple(vec![Key::Integer(1.into()), text(")")]),
            ]),
        ];
        for key in keys {
            assert_eq!(Key::of_name(&key.name()), key, "{}", key.name());
        }
        assert_eq!(
            Key::of_text("(1, x)"),
            Key::Tuple(vec![Key::Integer(1.into()), text("x")])
        );
        for label in ["(1)", "(f(1), 2)", "((1), 2)", "(1, 2", "((1, 2)"] {
            assert_eq!(Key::of_text(label), text(label));
        }
        let nested = [
            "(1, (2, 3))",
            "((x, -1), (\"1\", y), \"a, b\")",
            "(\"\\\"\", 0)",
        ];
        for name in nested {
            let key = Key::of_text(name);
            assert!(matches!(key, Key::Tuple(_)), "{name}");
            assert_eq!(Key::of_text(&key.name()), key, "{name}");
        }
        // A text can be nested deeper than the stack of a thread.
        let deep = format!("{}0{}", "(1, ".repeat(100_000), ")".repeat(100_000));
        assert_eq!(Key::of_text(&deep), text(&deep));
    }

    #[test]
    fn numbers_are_what_prints_back_as_itself() {
        let large = "-123456789012345678901234567890123456789012345678901234567890";
        for number in [
            "0",
            "7",
            "-3",
            "170141183460469231731687303715884105728",
            large,
        ] {
            let key = Key::of_text(number);
            assert!(matches!(key, Key::Integer(_)), "{number}");
            assert_eq!(key.name(), number);
            assert_eq!(serde_json::to_string(&key).expect("it is JSON"), number);
        }
        for label in ["1.0", "01", "+1", "-0", "1e3", "", "-", "0x1", "١", "1 "] {
            assert_eq!(Key::of_text(label), Key::Text(label.to_owned()));
        }
    }
}
