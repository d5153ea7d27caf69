//! Graphs as lists, which Python has read from a graph of networkx.

use bid_language::interchange::{EdgeList, Key, ListedEdge, ListedVertex, rational};
use bid_language::player::{Ending, PerPlayer, Player};
use num_rational::Rational64;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};

/// A vertex: its key; the winner, `draw`, or nothing; its score, the owner of its turn, its
/// acceptance, its priority, its weight and the players' income.
type VertexTuple<'py> = (
    Bound<'py, PyAny>,
    Option<String>,
    Option<String>,
    Option<String>,
    bool,
    Option<u32>,
    Option<String>,
    (Option<String>, Option<String>),
);

/// An edge: its ends, its owner, its score and its weight.
type EdgeTuple = (u32, u32, String, Option<String>, Option<String>);

/// A graph as Python passes it.
#[derive(FromPyObject)]
pub struct ListedGraph<'py> {
    title: String,
    start: u32,
    vertices: Vec<VertexTuple<'py>>,
    edges: Vec<EdgeTuple>,
    is_scored: bool,
    is_weighted: bool,
    accepts: bool,
}

impl ListedGraph<'_> {
    /// Returns the graph as the engine takes it.
    pub fn edges(self) -> PyResult<EdgeList> {
        Ok(EdgeList {
            title: self.title,
            start: Some(self.start),
            vertices: self
                .vertices
                .into_iter()
                .map(vertex)
                .collect::<PyResult<_>>()?,
            edges: self.edges.into_iter().map(edge).collect::<PyResult<_>>()?,
            is_scored: self.is_scored,
            is_weighted: self.is_weighted,
            accepts: self.accepts,
            doubts: Vec::new(),
        })
    }
}

fn vertex(
    (key, end, score, turn, is_accepting, priority, weight, (alice, bob)): VertexTuple<'_>,
) -> PyResult<ListedVertex> {
    let score = number(score.as_deref())?;
    let ending = match (end.as_deref(), score) {
        (Some("draw"), _) => Some((Ending::Draw, Rational64::default())),
        (Some(word), _) => Some((Ending::Win(player(word)?), Rational64::default())),
        // An ending with a score has no winner.
        (None, Some(score)) => Some((Ending::Draw, score)),
        (None, None) => None,
    };
    Ok(ListedVertex {
        name: self::key(&key)?.name(),
        ending,
        turn: turn.as_deref().map(player).transpose()?,
        is_accepting,
        priority,
        weight: number(weight.as_deref())?,
        income: PerPlayer::new(number(alice.as_deref())?, number(bob.as_deref())?),
    })
}

fn edge((from, to, owner, score, weight): EdgeTuple) -> PyResult<ListedEdge> {
    let owner = if owner == "both" {
        None
    } else {
        Some(player(&owner)?)
    };
    let number = |text: Option<String>| number(text.as_deref()).map(Option::unwrap_or_default);
    Ok(ListedEdge {
        owner,
        from,
        to,
        score: number(score)?,
        weight: number(weight)?,
    })
}

fn player(word: &str) -> PyResult<Player> {
    let known = Player::BOTH
        .into_iter()
        .find(|player| player.word() == word);
    known.ok_or_else(|| {
        PyValueError::new_err(format!(
            "{word:?} is not a player: write 'alice', 'bob', or 'both' for an edge"
        ))
    })
}

fn number(text: Option<&str>) -> PyResult<Option<Rational64>> {
    let read = |text| rational(text).map_err(|why| PyValueError::new_err(format!("{text} {why}")));
    text.map(read).transpose()
}

/// Converts the key of a vertex: an integer, a text or a tuple of them.
fn key(object: &Bound<'_, PyAny>) -> PyResult<Key> {
    // In Python `True` is an integer, but it is no name of a vertex.
    if object.is_instance_of::<PyInt>() && !object.is_instance_of::<PyBool>() {
        return Ok(Key::Integer(object.extract()?));
    }
    if object.is_instance_of::<PyString>() {
        return Ok(Key::Text(object.extract()?));
    }
    if let Ok(parts) = object.cast::<PyTuple>()
        && parts.len() > 1
    {
        return Ok(Key::Tuple(
            parts
                .iter()
                .map(|part| key(&part))
                .collect::<PyResult<_>>()?,
        ));
    }
    if object.hasattr("__index__")?
        && !object.is_instance_of::<PyBool>()
        && !object.hasattr("__len__")?
    {
        return Ok(Key::Integer(object.call_method0("__index__")?.extract()?));
    }
    let class = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "vertices are integers, texts and tuples of them, not {class}"
    )))
}
