//! The oracle for play that goes on for ever: fixed points of sets of literal states by their
//! definitions.

use crate::oracle::{Oracle, Order, States, all_purses};
use bid_language::player::Player;

impl Oracle<'_> {
    /// Computes the states from which a player wins where the greatest priority that occurs again
    /// and again decides about plays that go on for ever: even ones are the seeker's. It is the
    /// nested fixed point by its definition, with a set of states for each priority.
    pub fn recurring(&self, seeker: Player, order: Order, priorities: &[u32]) -> States {
        let most = priorities.iter().copied().max().unwrap_or(0) as usize;
        let mut sets = vec![self.states(false); most + 1];
        self.nested(seeker, order, priorities, &mut sets, most)
    }

    fn nested(
        &self,
        seeker: Player,
        order: Order,
        priorities: &[u32],
        sets: &mut Vec<States>,
        level: usize,
    ) -> States {
        sets[level].members.fill(level.is_multiple_of(2));
        loop {
            let next = match level.checked_sub(1) {
                Some(below) => self.nested(seeker, order, priorities, sets, below),
                None => self.turned(seeker, order, priorities, sets),
            };
            if next == sets[level] {
                return next;
            }
            sets[level] = next;
        }
    }

    /// Computes the states with which a player keeps the sum of weights, one for each vertex, from
    /// ever falling below 0, for each sum up to `most`; greater ones are taken for `most`. Each set
    /// is that of play with that sum, the greatest fixed point by its definition.
    pub fn kept_up(&self, seeker: Player, order: Order, weights: &[i64], most: i64) -> Vec<States> {
        // The first set is empty, for sums below 0.
        let mut sets = vec![self.states(false)];
        sets.extend((0..=most).map(|_| self.states(true)));
        loop {
            let next = (0..=most).map(|sum| {
                let after = |weight: &i64| (sum + weight + 1).clamp(0, most + 1) as u32;
                let aims: Vec<u32> = weights.iter().map(after).collect();
                self.turned(seeker, order, &aims, &sets)
            });
            let next: Vec<States> = std::iter::once(self.states(false)).chain(next).collect();
            if next == sets {
                sets.remove(0);
                return sets;
            }
            sets = next;
        }
    }

    /// Returns the states from which a turn leads to the set of the vertex's priority.
    fn turned(&self, seeker: Player, order: Order, priorities: &[u32], sets: &[States]) -> States {
        let mut won = self.states(false);
        for node in self.graph.nodes() {
            let aimed = &sets[priorities[node.index()] as usize];
            for purses in all_purses(self.rules, self.total) {
                let index = won.index(node, &purses);
                won.members[index] = self.wins(aimed, seeker, order, node, &purses);
            }
        }
        won
    }
}
