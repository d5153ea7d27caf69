//! Reads graphs as node-link JSON, as networkx and D3 write them: `{"nodes": [{"id": 0, …}, …],
//! "edges": [{"source": 0, "target": 1, …}, …]}`.
//!
//! Edges may have `player`, `score` and `weight`. Vertices may have `win`, `draw`, `score`, `turn`,
//! `accepting`, `priority`, `weight`, `income_alice` and `income_bob`. `"graph": {"start": 0}`
//! names the start. Older files call the edges `links`. All other members are ignored.
//!
//! The document is read as its bytes arrive, so that only one vertex or edge at a time is in memory
//! as JSON. Its values are kept as they are written ([`Leaf`]), so that numbers stay exact and
//! messages about flaws use the words of the format.

mod bytes;
mod leaf;

use std::cell::Cell;
use std::fmt;

use num_rational::Rational64;
use num_traits::Zero;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use self::bytes::{Bytes, ReadPosition};
use self::leaf::Leaf;
use super::{EdgeList, EdgeListError, Flaw, Growing, Key, LineColumn, ListedEdge};
use crate::files::Pieces;
use crate::player::Ending;

/// Reads a node-link document.
pub(super) fn read(pieces: Pieces<'_>) -> Result<EdgeList, EdgeListError> {
    let reached = Cell::new(ReadPosition::NOTHING);
    let mut bytes = Bytes::new(pieces, &reached);
    let mut document = ReadDocument::new(&reached);
    let mut reading = serde_json::Deserializer::from_reader(&mut bytes);
    let read = reading
        .deserialize_map(&mut document)
        .and_then(|()| reading.end());
    // The deserializer borrows the bytes, which describe the error.
    drop(reading);
    match (read, document.flaw.take()) {
        (Ok(()), None) => Ok(document.finish()?),
        // A flaw that was noted is the cause of the reader's error.
        (_, Some(flaw)) => Err(flaw.into()),
        (Err(error), None) => Err(bytes.trouble(&error)),
    }
}

/// The part of a document that has been read.
struct ReadDocument<'c> {
    growing: Growing,
    is_directed: bool,
    has_nodes: bool,
    has_edges: bool,
    /// The format, other than node-link, to which a member of the document belongs.
    other: Option<&'static str>,
    /// The position that the reader has reached.
    reached: &'c Cell<ReadPosition>,
    /// The flaw found in the document. Its place is more exact than that of the reader's own
    /// errors.
    flaw: Option<Flaw>,
}

/// Members of documents that are not node-link data, with the formats to which they belong.
const OTHERS: [(&str, &str); 5] = [
    ("adjacency", "adjacency data of networkx"),
    ("elements", "a graph of Cytoscape"),
    ("children", "a tree"),
    ("features", "GeoJSON"),
    ("cells", "a notebook"),
];

impl<'c> ReadDocument<'c> {
    fn new(reached: &'c Cell<ReadPosition>) -> Self {
        Self {
            growing: Growing::default(),
            is_directed: true,
            has_nodes: false,
            has_edges: false,
            other: None,
            reached,
            flaw: None,
        }
    }

    /// Returns the list of edges, if the document is complete.
    fn finish(mut self) -> Result<EdgeList, Flaw> {
        let lacks = match (self.has_nodes, self.has_edges) {
            (true, true) => None,
            (false, _) => Some("nodes"),
            (true, false) => Some("edges"),
        };
        if let Some(lacks) = lacks {
            let is = self.other.map_or_else(
                || format!("it has no list of `{lacks}`"),
                |other| format!("it is {other}"),
            );
            let message = format!("this is not node-link JSON: {is}");
            return Err(LineColumn::START.flaw(message));
        }
        // The edges may come before the vertices, so this is known only at the end.
        if let Some((name, place)) = self.growing.unlisted() {
            let message = format!(
                "vertex {name} is not in the list of `nodes`{}",
                self.hint(name)
            );
            return Err(place.flaw(message));
        }
        if !self.is_directed {
            let edges = std::mem::take(&mut self.growing.list.edges);
            self.growing.list.edges = edges.into_iter().flat_map(both_ways).collect();
        }
        Ok(self.growing.finish())
    }

    /// Suggests the vertex that may be meant by a name that is not in the list.
    fn hint(&self, name: &str) -> String {
        match Key::of_name(name) {
            Key::Text(text) if self.growing.knows(&Key::of_text(&text)) => {
                format!(", where {text} is a number, not a text")
            }
            Key::Integer(number) if self.growing.knows(&Key::Text(number.to_string())) => {
                format!(", where \"{number}\" is a text, not a number")
            }
            Key::Integer(_) => {
                ": edges name vertices by their `id`, not by their place in the list".to_owned()
            }
            Key::Text(_) | Key::Tuple(_) => String::new(),
        }
    }
}

/// Records the flaw at a place, and returns the error that ends the reading.
fn wrong<E: Error>(flaw: &mut Option<Flaw>, place: LineColumn, why: impl Into<String>) -> E {
    *flaw = Some(place.flaw(why));
    E::custom("the flaw is noted")
}

/// Returns an edge and its reverse. A loop is its own reverse and is returned once.
fn both_ways(edge: ListedEdge) -> impl Iterator<Item = ListedEdge> {
    let back = (edge.from != edge.to).then(|| ListedEdge {
        from: edge.to,
        to: edge.from,
        ..edge.clone()
    });
    back.into_iter().chain([edge])
}

impl<'de> Visitor<'de> for &mut ReadDocument<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `nodes` and `edges`")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<(), M::Error> {
        while let Some(name) = members.next_key::<String>()? {
            match name.as_str() {
                "directed" => {
                    if let Some(leaf) = members.next_value::<Leaf>()?.given() {
                        let start = leaf.start(self.reached.get());
                        self.is_directed = leaf
                            .flag()
                            .map_err(|why| wrong(&mut self.flaw, start, why))?;
                    }
                }
                "graph" => members.next_value_seed(AttributesItem(self))?,
                "nodes" => {
                    self.has_nodes = true;
                    members.next_value_seed(Each(NodeItem(self)))?;
                }
                "edges" | "links" => {
                    self.has_edges = true;
                    members.next_value_seed(Each(LinkItem(self)))?;
                }
                name => {
                    let other = OTHERS.iter().find(|(member, _)| *member == name);
                    self.other = self.other.or(other.map(|(_, format)| *format));
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// A kind of list element, whose data are added to a document.
trait Item {
    const EXPECTED: &'static str;
    const LIST: &'static str;

    fn read<'de, M: MapAccess<'de>>(&mut self, members: M) -> Result<(), M::Error>;
}

/// A list of items.
struct Each<T>(T);

impl<'de, T: Item> DeserializeSeed<'de> for Each<T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Item> Visitor<'de> for Each<T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::LIST)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(ItemSeed(&mut self.0))?.is_some() {}
        Ok(())
    }
}

/// One item.
struct ItemSeed<'a, T>(&'a mut T);

impl<'de, T: Item> DeserializeSeed<'de> for ItemSeed<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Item> Visitor<'de> for ItemSeed<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_map<M: MapAccess<'de>>(self, members: M) -> Result<(), M::Error> {
        self.0.read(members)
    }
}

/// The item that reads a vertex of a document.
struct NodeItem<'d, 'c>(&'d mut ReadDocument<'c>);

impl Item for NodeItem<'_, '_> {
    const EXPECTED: &'static str = "a vertex as an object, like {\"id\": 0},";
    const LIST: &'static str = "a list of vertices";

    fn read<'de, M: MapAccess<'de>>(&mut self, mut members: M) -> Result<(), M::Error> {
        let ReadDocument {
            growing,
            reached,
            flaw,
            ..
        } = &mut *self.0;
        let (mut key, mut winner, mut score, mut is_drawn) = (None, None, None, false);
        let mut vertex = super::ListedVertex::default();
        while let Some(name) = members.next_key::<String>()? {
            let leaf = members.next_value::<Leaf>()?;
            let Some(leaf) = leaf.given() else { continue };
            let start = leaf.start(reached.get());
            let read = match name.as_str() {
                "id" => leaf.key().map(|found| key = Some(found)),
                "win" => leaf.player().map(|player| winner = Some(player)),
                "draw" => leaf.flag().map(|drawn| is_drawn = drawn),
                "score" => leaf.number().map(|number| score = Some(number)),
                "turn" => leaf.player().map(|player| vertex.turn = Some(player)),
                "accepting" => leaf.flag().map(|accepting| {
                    growing.list.accepts = true;
                    vertex.is_accepting = accepting;
                }),
                "priority" => leaf
                    .priority()
                    .map(|priority| vertex.priority = Some(priority)),
                "weight" => leaf.number().map(|weight| {
                    growing.list.is_weighted = true;
                    vertex.weight = Some(weight);
                }),
                "income_alice" => leaf.part().map(|part| vertex.income.alice = Some(part)),
                "income_bob" => leaf.part().map(|part| vertex.income.bob = Some(part)),
                _ => Ok(()),
            };
            read.map_err(|why| wrong(flaw, start, format!("`{name}`: {why}")))?;
        }
        let key = key.ok_or_else(|| wrong(flaw, reached.get().last, "this vertex has no `id`"))?;
        growing.list.is_scored |= score.is_some();
        vertex.ending = match (winner, score, is_drawn) {
            (Some(player), None, false) => Some((Ending::Win(player), Rational64::zero())),
            (None, Some(score), false) => Some((Ending::Draw, score)),
            (None, None, true) => Some((Ending::Draw, Rational64::zero())),
            (None, None, false) => None,
            (Some(_), _, _) | (None, Some(_), true) => {
                let message = format!(
                    "vertex {} ends the game in two ways: only one of `win`, `draw` and `score` says how",
                    key.name()
                );
                return Err(wrong(flaw, reached.get().last, message));
            }
        };
        let number = growing.listed(&key, reached.get().last).ok_or_else(|| {
            let message = format!("vertex {} is listed twice", key.name());
            wrong(flaw, reached.get().last, message)
        })?;
        let slot = &mut growing.list.vertices[number as usize];
        // An edge may have named the vertex before, so its slot has a name already.
        vertex.name = std::mem::take(&mut slot.name);
        *slot = vertex;
        Ok(())
    }
}

/// The item that reads an edge of a document.
struct LinkItem<'d, 'c>(&'d mut ReadDocument<'c>);

impl Item for LinkItem<'_, '_> {
    const EXPECTED: &'static str = "an edge as an object, like {\"source\": 0, \"target\": 1},";
    const LIST: &'static str = "a list of edges";

    fn read<'de, M: MapAccess<'de>>(&mut self, mut members: M) -> Result<(), M::Error> {
        let ReadDocument {
            growing,
            reached,
            flaw,
            ..
        } = &mut *self.0;
        let (mut from, mut to) = (None, None);
        let mut edge = ListedEdge::default();
        while let Some(name) = members.next_key::<String>()? {
            let leaf = members.next_value::<Leaf>()?;
            let Some(leaf) = leaf.given() else { continue };
            let start = leaf.start(reached.get());
            let mut vertex = || leaf.key().map(|key| growing.vertex(&key, start));
            let read = match name.as_str() {
                "source" => vertex().map(|vertex| from = Some(vertex)),
                "target" => vertex().map(|vertex| to = Some(vertex)),
                "player" => leaf.owner().map(|owner| edge.owner = owner),
                "score" => leaf.number().map(|score| {
                    growing.list.is_scored = true;
                    edge.score = score;
                }),
                "weight" => leaf.number().map(|weight| {
                    growing.list.is_weighted = true;
                    edge.weight = weight;
                }),
                _ => Ok(()),
            };
            read.map_err(|why| wrong(flaw, start, format!("`{name}`: {why}")))?;
        }
        edge.from =
            from.ok_or_else(|| wrong(flaw, reached.get().last, "this edge has no `source`"))?;
        edge.to = to.ok_or_else(|| wrong(flaw, reached.get().last, "this edge has no `target`"))?;
        growing.list.edges.push(edge);
        Ok(())
    }
}

/// The attributes of the graph as a whole: an object, or pairs of names and values.
struct AttributesItem<'d, 'c>(&'d mut ReadDocument<'c>);

impl AttributesItem<'_, '_> {
    fn attribute<E: Error>(&mut self, name: &str, leaf: Leaf) -> Result<(), E> {
        let ReadDocument {
            growing,
            reached,
            flaw,
            ..
        } = &mut *self.0;
        if name == "start"
            && let Some(leaf) = leaf.given()
        {
            let start = leaf.start(reached.get());
            let key = leaf
                .key()
                .map_err(|why| wrong(flaw, start, format!("`start`: {why}")))?;
            growing.list.start = Some(growing.vertex(&key, start));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for AttributesItem<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AttributesItem<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with properties of the graph, like {\"start\": 0},")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut members: M) -> Result<(), M::Error> {
        while let Some((name, leaf)) = members.next_entry::<String, Leaf>()? {
            self.attribute(&name, leaf)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut pairs: A) -> Result<(), A::Error> {
        while let Some((name, leaf)) = pairs.next_element::<(String, Leaf)>()? {
            self.attribute(&name, leaf)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
