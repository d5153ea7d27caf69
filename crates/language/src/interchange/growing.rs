//! A list of edges that grows while a file is read, and the doubts about its vertices.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::text::LineColumn;
use super::{EdgeList, Key, ListedVertex, short_number};

/// An [`EdgeList`] to which a vertex is added at its first occurrence.
#[derive(Debug, Default)]
pub(super) struct Growing {
    pub list: EdgeList,
    /// The indices of the vertices that are whole numbers of 64 bits. Large files have few others,
    /// and a number is compared without a look at its name.
    integers: FxHashMap<i64, u32>,
    /// The indices of all other vertices, by name.
    names: HashTable<u32>,
    /// The place of the first occurrence of each vertex, and whether a list of vertices contains
    /// it.
    met: Vec<MetVertex>,
    /// The first vertex that is a whole number, and the first label that could be mistaken for a
    /// number.
    number: Option<u32>,
    numeral: Option<(u32, LineColumn)>,
}

#[derive(Debug)]
struct MetVertex {
    place: LineColumn,
    is_listed: bool,
}

impl Growing {
    /// Returns the index of the vertex that a text names, as [`Key::of_text`] reads it.
    pub(super) fn vertex_of_text(&mut self, text: &str, place: LineColumn) -> u32 {
        let known = short_number(text).and_then(|number| self.integers.get(&number));
        match known {
            Some(vertex) => *vertex,
            None => self.vertex(&Key::of_text(text), place),
        }
    }

    /// Returns the index of a vertex that occurs at a place, after adding it if it is new.
    pub(super) fn vertex(&mut self, key: &Key, place: LineColumn) -> u32 {
        if let Some(vertex) = self.find(key) {
            return vertex;
        }
        let vertices = &mut self.list.vertices;
        let vertex = u32::try_from(vertices.len()).expect("a file has fewer than 2^32 vertices");
        match key {
            Key::Integer(_) => self.number = self.number.or(Some(vertex)),
            Key::Text(text) if is_like_a_number(text) => {
                self.numeral = self.numeral.or(Some((vertex, place)));
            }
            Key::Text(_) | Key::Tuple(_) => {}
        }
        vertices.push(ListedVertex {
            name: key.name(),
            ..ListedVertex::default()
        });
        if let Some(number) = key.short() {
            self.integers.insert(number, vertex);
        } else {
            let hash_of = |vertex: &u32| FxBuildHasher.hash_one(&vertices[*vertex as usize].name);
            // The table holds indices only, so that each name is stored once.
            self.names.insert_unique(hash_of(&vertex), vertex, hash_of);
        }
        self.met.push(MetVertex {
            place,
            is_listed: false,
        });
        vertex
    }

    /// Returns the index of a vertex that has occurred.
    fn find(&self, key: &Key) -> Option<u32> {
        if let Some(number) = key.short() {
            return self.integers.get(&number).copied();
        }
        let name = key.name();
        let is_it = |vertex: &u32| self.list.vertices[*vertex as usize].name == name;
        self.names
            .find(FxBuildHasher.hash_one(&name), is_it)
            .copied()
    }

    /// Returns the index of a vertex in the list of vertices, or `None` if the list has it already.
    pub(super) fn listed(&mut self, key: &Key, place: LineColumn) -> Option<u32> {
        let vertex = self.vertex(key, place);
        let met = &mut self.met[vertex as usize];
        (!std::mem::replace(&mut met.is_listed, true)).then_some(vertex)
    }

    /// Returns `true` if the list of vertices contains a vertex.
    pub(super) fn knows(&self, key: &Key) -> bool {
        self.find(key)
            .is_some_and(|vertex| self.met[vertex as usize].is_listed)
    }

    /// Finds a vertex that the list of vertices lacks. Returns its name and the place of its first
    /// occurrence.
    pub(super) fn unlisted(&self) -> Option<(&str, LineColumn)> {
        let vertex = self.met.iter().position(|met| !met.is_listed)?;
        Some((&self.list.vertices[vertex].name, self.met[vertex].place))
    }

    /// Returns the list. Adds a doubt if numbers occur as well as labels that look like numbers.
    pub(super) fn finish(mut self) -> EdgeList {
        if let (Some(number), Some((label, place))) = (self.number, self.numeral) {
            let name = |vertex: u32| &self.list.vertices[vertex as usize].name;
            let message = format!(
                "vertex {} is a label here, and vertex {} a number: they are never the same vertex",
                name(label),
                name(number)
            );
            self.list.doubts.push(place.flaw(message));
        }
        self.list
    }
}

/// Returns `true` if other programs may read a label as a number: `1.0`, `01`, `+1`, `1e3`, `1,5`.
fn is_like_a_number(label: &str) -> bool {
    let digits = label.trim().trim_start_matches(['+', '-', '.']);
    digits.starts_with(|c: char| c.is_ascii_digit())
        // Spreadsheets in many countries write a decimal comma.
        && label.trim().replacen(',', ".", 1).parse::<f64>().is_ok()
}
