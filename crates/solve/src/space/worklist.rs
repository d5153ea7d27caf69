//! Recomputation of the vertices of a cyclic component until nothing changes, and the edges along
//! which changes spread.

use std::collections::VecDeque;

use crate::convert::fit;
use crate::game::{GameGraph, NodeId};

/// A first-in, first-out queue of the vertices of a component that are still to be recomputed,
/// given by their indices.
///
/// A vertex waits while its other successors change too, and is then recomputed once for all of
/// them. The order makes no difference to a least or greatest fixed point.
pub struct Worklist {
    waiting: VecDeque<u32>,
    is_waiting: Vec<bool>,
}

impl Worklist {
    /// Creates a queue that contains all of `places` indices.
    pub fn all(places: usize) -> Self {
        let mut list = Self::none(places);
        list.add_all();
        list
    }

    /// Creates an empty queue for `places` indices.
    pub fn none(places: usize) -> Self {
        Self {
            waiting: VecDeque::with_capacity(places),
            is_waiting: vec![false; places],
        }
    }

    /// Adds every index.
    pub fn add_all(&mut self) {
        (0..fit::<u32>(self.is_waiting.len())).for_each(|place| self.add(place));
    }

    /// Adds an index, unless it is already waiting.
    pub fn add(&mut self, place: u32) {
        if !std::mem::replace(&mut self.is_waiting[place as usize], true) {
            self.waiting.push_back(place);
        }
    }

    /// Removes the index that has waited longest.
    pub fn take(&mut self) -> Option<usize> {
        let place = self.waiting.pop_front()? as usize;
        // The mark is cleared before the vertex is recomputed, so that a change of its own
        // successors during that enters it again.
        self.is_waiting[place] = false;
        Some(place)
    }
}

/// Edges indexed by their heads, with their tails in the order in which they were met.
#[derive(Debug)]
pub struct IncomingEdges {
    starts: Vec<u32>,
    tails: Vec<u32>,
}

impl IncomingEdges {
    /// Indexes edges, given as head and tail, to heads below n.
    pub fn new(n: usize, edges: impl DoubleEndedIterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; n + 1];
        edges
            .clone()
            .for_each(|(head, _)| starts[head as usize] += 1);
        // Each offset begins as the end of its row and moves down as the row is filled.
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut tails = vec![0; end as usize];
        // Rows are filled from their ends, so the edges are taken in reverse to keep their order.
        edges.rev().for_each(|(head, tail)| {
            let start = &mut starts[head as usize];
            *start -= 1;
            tails[*start as usize] = tail;
        });
        Self { starts, tails }
    }

    /// Indexes the edges among some vertices of a graph, by their places in this list.
    pub fn within(graph: &GameGraph, members: &[NodeId]) -> Self {
        let places: rustc_hash::FxHashMap<NodeId, u32> = members.iter().copied().zip(0..).collect();
        let edges = |(tail, node): (usize, &NodeId)| {
            let heads = graph.all_successors(*node);
            let heads = heads.filter_map(|head| places.get(&head));
            heads.map(move |head| (*head, fit::<u32>(tail)))
        };
        Self::new(members.len(), members.iter().enumerate().flat_map(edges))
    }

    /// Returns the tails of the edges to a head.
    pub fn tails_of(&self, head: usize) -> &[u32] {
        &self.tails[self.starts[head] as usize..self.starts[head + 1] as usize]
    }
}
