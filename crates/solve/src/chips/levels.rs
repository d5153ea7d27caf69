//! The levels of a component's vertices, from which its fixed points are nested.

use super::pass::Aim;
use crate::game::NodeId;
use crate::player::Player;

/// The vertices of a component by the fixed point that decides about plays that visit them again
/// and again: levels of greatest and of least fixed points alternate. In a play that stays in the
/// component the highest level that it visits again and again counts.
pub(super) struct Levels {
    /// The level of each member, by its place among them; 0 is the lowest.
    pub(super) of: Vec<usize>,
    /// For each level, whether it is good for the seeker to visit it again and again.
    greatest: Vec<bool>,
}

impl Levels {
    /// Finds the levels of at least one vertex.
    pub(super) fn new(members: &[NodeId], seeker: Player, aim: Aim<'_>) -> Self {
        let Some(priorities) = aim.priorities else {
            return Self {
                // Without priorities all plays that stay have the same result, and one fixed point
                // is enough.
                of: vec![0; members.len()],
                greatest: vec![aim.drawn],
            };
        };
        let own = members.iter().map(|node| priorities[node.index()]);
        let own: Vec<u32> = own.collect();
        let mut distinct = own.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let mut greatest: Vec<bool> = Vec::new();
        let mut level_of = Vec::with_capacity(distinct.len());
        for priority in &distinct {
            let good = priority.is_multiple_of(2) == (seeker == Player::Alice);
            // Adjacent priorities that are good for the same player are not told apart, which saves
            // nesting.
            if greatest.last() != Some(&good) {
                greatest.push(good);
            }
            level_of.push(greatest.len() - 1);
        }
        let place = |priority: &u32| distinct.partition_point(|other| other < priority);
        Self {
            of: own
                .iter()
                .map(|priority| level_of[place(priority)])
                .collect(),
            greatest,
        }
    }

    /// Returns the highest level.
    pub(super) fn top(&self) -> usize {
        self.greatest.len() - 1
    }

    /// Returns whether the fixed point of a level is the greatest one.
    pub(super) fn is_greatest(&self, level: usize) -> bool {
        self.greatest[level]
    }
}
