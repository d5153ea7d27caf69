//! Smaller graphs of the same kind.

use bid_language::player::Player;
use proptest::strategy::ValueTree;

use crate::graph::PlainGraph;
use crate::shape::Kind;

/// A change that makes a graph smaller.
#[derive(Debug, Clone, Copy)]
enum Shrink {
    /// A position is removed. Moves to it lead to another vertex.
    Replace { position: usize, with: usize },
    /// A position is removed, with the moves to it.
    Remove(usize),
    /// A player loses a move.
    Drop {
        tail: usize,
        player: Player,
        head: usize,
    },
    /// Both players lose a move in both directions.
    Cut { tail: usize, head: usize },
    /// A position loses its owner.
    Free(usize),
}

/// A graph that fails, with the smaller ones that have not been tried.
#[derive(Debug, Clone)]
pub struct Shrinking {
    pub(crate) kind: Kind,
    failing: PlainGraph,
    current: PlainGraph,
    untried: Vec<Shrink>,
}

impl Shrinking {
    pub(crate) fn new(graph: PlainGraph, kind: Kind) -> Self {
        Self {
            kind,
            current: graph.clone(),
            untried: changes(&graph),
            failing: graph,
        }
    }

    /// Makes the next smaller graph current and returns `true`. If there is none, makes the failing
    /// graph current and returns `false`.
    fn advance(&mut self) -> bool {
        // The greatest changes are at the end, so that the graph gets small soon.
        while let Some(change) = self.untried.pop() {
            let smaller = changed(&self.failing, change);
            if self.kind.fits(&smaller) {
                self.current = smaller;
                return true;
            }
        }
        self.current = self.failing.clone();
        false
    }
}

impl ValueTree for Shrinking {
    type Value = PlainGraph;

    fn current(&self) -> PlainGraph {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        // The current graph fails too, so that shrinking goes on from it.
        if self.current != self.failing {
            self.failing = self.current.clone();
            self.untried = changes(&self.failing);
        }
        self.advance()
    }

    fn complicate(&mut self) -> bool {
        self.current != self.failing && self.advance()
    }
}

/// Returns all changes of a graph, those that remove most last.
fn changes(graph: &PlainGraph) -> Vec<Shrink> {
    let mut all = Vec::new();
    let positions = graph.positions();
    for (tail, vertex) in graph.open().iter().enumerate() {
        all.extend(vertex.owner.map(|_| Shrink::Free(tail)));
        for player in Player::BOTH {
            let heads = vertex.moves[player].iter();
            all.extend(heads.map(|&head| Shrink::Drop { tail, player, head }));
        }
        all.extend(vertex.heads().map(|head| Shrink::Cut { tail, head }));
    }
    for position in (0..positions).rev() {
        let others = (0..graph.vertices.len()).filter(|with| *with != position);
        all.extend(others.map(|with| Shrink::Replace { position, with }));
        all.push(Shrink::Remove(position));
    }
    all
}

fn changed(graph: &PlainGraph, change: Shrink) -> PlainGraph {
    let mut graph = graph.clone();
    match change {
        Shrink::Replace { position, with } => remove(&mut graph, position, Some(with)),
        Shrink::Remove(position) => remove(&mut graph, position, None),
        Shrink::Drop { tail, player, head } => drop(&mut graph, tail, player, head),
        Shrink::Cut { tail, head } => {
            for player in Player::BOTH {
                drop(&mut graph, tail, player, head);
                drop(&mut graph, head, player, tail);
            }
        }
        Shrink::Free(position) => graph.vertices[position].owner = None,
    }
    graph
}

fn drop(graph: &mut PlainGraph, tail: usize, player: Player, head: usize) {
    graph.vertices[tail].moves[player].retain(|other| *other != head);
}

/// Removes a vertex. Moves to it are redirected to another one, or removed too.
fn remove(graph: &mut PlainGraph, position: usize, with: Option<usize>) {
    graph.vertices.remove(position);
    // The vertices behind the removed one have moved forward.
    let renumbered = |head: usize| head - usize::from(head > position);
    for vertex in &mut graph.vertices {
        for player in Player::BOTH {
            let heads = &mut vertex.moves[player];
            let kept = heads.iter().filter_map(|&head| {
                let head = if head == position { with } else { Some(head) };
                head.map(renumbered)
            });
            let mut kept: Vec<usize> = kept.collect();
            kept.sort_unstable();
            kept.dedup();
            *heads = kept;
        }
    }
}
