//! Recomputation of the vertices of a cyclic component until nothing changes.

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

/// The edges inside one component, reversed, by index in the list of its members.
pub struct EdgesWithin {
    starts: Vec<u32>,
    tails: Vec<u32>,
}

impl EdgesWithin {
    /// Collects the edges among some vertices of a graph.
    pub fn of(graph: &GameGraph, members: &[NodeId]) -> Self {
        let places: rustc_hash::FxHashMap<NodeId, u32> = members.iter().copied().zip(0..).collect();
        let heads = |node: NodeId| {
            graph
                .all_successors(node)
                .filter_map(|head| places.get(&head).copied())
        };
        let mut starts = vec![0_u32; members.len() + 1];
        for &node in members {
            heads(node).for_each(|head| starts[head as usize + 1] += 1);
        }
        for place in 0..members.len() {
            starts[place + 1] += starts[place];
        }
        // The edges are counted first and then placed, which makes all lists one allocation.
        let mut next = starts.clone();
        let mut tails = vec![0; *starts.last().expect("there is an end") as usize];
        for (place, &node) in (0..).zip(members) {
            for head in heads(node) {
                tails[next[head as usize] as usize] = place;
                next[head as usize] += 1;
            }
        }
        Self { starts, tails }
    }

    /// Returns the tails of the edges that lead to an index.
    pub fn tails_of(&self, place: usize) -> &[u32] {
        &self.tails[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}
