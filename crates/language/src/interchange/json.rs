//! Graphs as node-link JSON, as networkx and D3 write them: `{"nodes": [{"id": 0, …}, …], "edges":
//! [{"source": 0, "target": 1, …}, …]}`.
//!
//! Edges say whose they are by `player`, and `score` and `weight`; vertices what they mean by
//! `win`, `draw`, `score`, `turn`, `accepting`, `priority` and `weight`; `"graph": {"start": 0}`
//! says where the game begins. Older files call the edges `links`. Whatever else is there is passed
//! over.

use std::fmt;

use num_rational::Rational64;
use num_traits::Zero;
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::{EdgeList, Flaw, Growing, Key, ListedEdge, owner, rational};
use crate::player::{Ending, Player};

/// Reads a node-link document.
pub(super) fn read(text: &str) -> Result<EdgeList, Flaw> {
    let document: Document = serde_json::from_str(text).map_err(|error| told(text, &error))?;
    let mut growing = Growing::default();
    for node in document.nodes {
        node.join(&mut growing);
    }
    if let Some(start) = document.graph.and_then(|graph| graph.start) {
        growing.list.start = Some(growing.vertex(start));
    }
    for link in document
        .edges
        .into_iter()
        .flatten()
        .chain(document.links.into_iter().flatten())
    {
        link.join(&mut growing, document.directed);
    }
    Ok(growing.list)
}

/// The flaw that the JSON reader met; its columns are bytes.
fn told(text: &str, error: &serde_json::Error) -> Flaw {
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(message, _)| message)
        .to_owned();
    let line = text
        .lines()
        .nth(error.line().saturating_sub(1))
        .unwrap_or("");
    let before = error.column().saturating_sub(1);
    let column = line
        .char_indices()
        .take_while(|(byte, _)| *byte < before)
        .count()
        + 1;
    Flaw {
        line: error.line().max(1),
        column,
        message,
    }
}

#[derive(Deserialize)]
struct Document {
    #[serde(default = "yes")]
    directed: bool,
    graph: Option<Graph>,
    #[serde(default)]
    nodes: Vec<Node>,
    edges: Option<Vec<Link>>,
    links: Option<Vec<Link>>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
struct Graph {
    start: Option<Key>,
}

#[derive(Deserialize)]
struct Node {
    id: Key,
    win: Option<Winner>,
    #[serde(default)]
    draw: bool,
    score: Option<Number>,
    turn: Option<Winner>,
    accepting: Option<bool>,
    priority: Option<u32>,
    weight: Option<Number>,
}

#[derive(Deserialize)]
struct Link {
    source: Key,
    target: Key,
    player: Option<Owner>,
    score: Option<Number>,
    weight: Option<Number>,
}

impl Node {
    fn join(self, growing: &mut Growing) {
        let place = growing.vertex(self.id) as usize;
        let list = &mut growing.list;
        list.is_scored |= self.score.is_some();
        list.is_weighted |= self.weight.is_some();
        list.accepts |= self.accepting.is_some();
        let vertex = &mut list.vertices[place];
        vertex.ending = match (self.win, self.score, self.draw) {
            (Some(Winner(player)), ..) => Some((Ending::Win(player), Rational64::zero())),
            (None, Some(Number(score)), _) => Some((Ending::Draw, score)),
            (None, None, true) => Some((Ending::Draw, Rational64::zero())),
            (None, None, false) => None,
        };
        vertex.turn = self.turn.map(|Winner(player)| player);
        vertex.is_accepting = self.accepting.unwrap_or(false);
        vertex.priority = self.priority;
        vertex.weight = self.weight.map(|Number(weight)| weight);
    }
}

impl Link {
    fn join(self, growing: &mut Growing, is_directed: bool) {
        let (from, to) = (growing.vertex(self.source), growing.vertex(self.target));
        let list = &mut growing.list;
        list.is_scored |= self.score.is_some();
        list.is_weighted |= self.weight.is_some();
        let owner = self.player.and_then(|Owner(owner)| owner);
        let number =
            |number: Option<Number>| number.map_or(Rational64::zero(), |Number(number)| number);
        let edge = ListedEdge {
            owner,
            from,
            to,
            score: number(self.score),
            weight: number(self.weight),
        };
        if !is_directed && from != to {
            list.edges.push(ListedEdge {
                from: to,
                to: from,
                ..edge.clone()
            });
        }
        list.edges.push(edge);
    }
}

/// A number, exactly as it is written.
struct Number(Rational64);

/// A player.
struct Winner(Player);

/// A player, or both.
struct Owner(Option<Player>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Reader {
            fn read<E: Error>(text: &str) -> Result<Number, E> {
                rational(text).map(Number).ok_or_else(|| {
                    E::custom(format!("`{text}` is not a number that fits in 64 bits"))
                })
            }
        }
        impl Visitor<'_> for Reader {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Number, E> {
                Self::read(&number.to_string())
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
                Self::read(&number.to_string())
            }
            fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
                Self::read(&number.to_string())
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
                Self::read(text)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de> Deserialize<'de> for Owner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        owner(&word)
            .map(Owner)
            .ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&word), &"alice, bob or both"))
    }
}

impl<'de> Deserialize<'de> for Winner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let player = owner(&word).flatten().map(Winner);
        player.ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&word), &"alice or bob"))
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Key;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a vertex: a whole number, a text or a list of them")
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Key, E> {
                Ok(Key::Integer(number.into()))
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Key, E> {
                Ok(Key::Integer(number.into()))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Key, E> {
                Ok(Key::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Key, A::Error> {
                let mut key = Vec::new();
                while let Some(part) = parts.next_element()? {
                    key.push(part);
                }
                Ok(Key::Tuple(key))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_and_edges_say_what_they_mean() {
        let text = r#"{"directed": true, "multigraph": false, "graph": {"start": 1, "name": "x"},
            "nodes": [{"id": 1, "colour": [1]}, {"id": "1"}, {"id": [0, "a"], "win": "bob"}, {"id": "d", "draw": true},
                      {"id": 5, "priority": 3, "weight": 0.5, "accepting": true}],
            "edges": [{"source": 1, "target": "1", "player": "alice", "weight": "1/3"}, {"source": 1, "target": [0, "a"]}]}"#;
        let list = read(text).expect("it is right");
        let names: Vec<_> = list
            .vertices
            .iter()
            .map(|vertex| vertex.name.as_str())
            .collect();
        assert_eq!(names, ["1", "\"1\"", "(0, a)", "d", "5"]);
        assert_eq!(
            list.vertices[2].ending,
            Some((Ending::Win(Player::Bob), Rational64::zero()))
        );
        assert_eq!(
            list.vertices[3].ending,
            Some((Ending::Draw, Rational64::zero()))
        );
        assert_eq!(
            (list.vertices[4].priority, list.vertices[4].is_accepting),
            (Some(3), true)
        );
        assert_eq!(list.vertices[4].weight, Some(Rational64::new(1, 2)));
        assert_eq!(
            (list.start, list.accepts, list.is_weighted, list.is_scored),
            (Some(0), true, true, false)
        );
        let edges: Vec<_> = list
            .edges
            .iter()
            .map(|edge| (edge.owner, edge.from, edge.to))
            .collect();
        assert_eq!(edges, [(Some(Player::Alice), 0, 1), (None, 0, 2)]);
        let old = r#"{"directed": false, "nodes": [], "links": [{"source": 0, "target": 1}]}"#;
        assert_eq!(read(old).expect("it is right").edges.len(), 2);
    }

    #[test]
    fn flaws_are_told_where_they_are() {
        let told = |text: &str| {
            let Flaw {
                line,
                column,
                message,
            } = read(text).expect_err("it is wrong");
            format!("{line}:{column} {message}")
        };
        assert_eq!(
            told("{\n  \"nodes\": [{\"id\": 1.5}]}"),
            "2:22 invalid type: floating point `1.5`, expected a vertex: a whole number, a text or a list of them"
        );
        assert_eq!(
            told("{\"nodes\": [{\"id\": 1, \"win\": \"ä\"}]}"),
            "1:32 invalid value: string \"ä\", expected alice or bob"
        );
        assert_eq!(
            told("{\"edges\": [{\"source\": 1}]}"),
            "1:24 missing field `target`"
        );
        assert_eq!(told("{\"edges\": ["), "1:11 EOF while parsing a list");
    }
}
