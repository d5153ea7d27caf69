//! The least chips that Alice needs for a bid to the bank that lies below the opponent's budget.

use super::purse::NEVER;
use crate::convert::fit;

/// The needs against one tie rule, at one position and holder of the tie status: the chips that
/// Alice needs besides her bid where z of Bob's chips are left after a bid equal to hers, for each
/// z in order.
///
/// Her bid is b − z against b chips. It needs `b − z + max(W, g(z))`: W where she wins the bid, and
/// g(z) where Bob ties or bids one more. The more is left to Bob the more she needs, so g
/// increases. Up to the last z with g(z) ≤ W the need decreases with z, and beyond that it is b
/// plus g(z) − z, so its minimum is the lowest of those from there on.
#[derive(Debug, Clone, Default)]
pub(super) struct Front {
    /// g(z).
    needed: Vec<u64>,
    /// The places after which no g(z) − z is as low. These values increase with z.
    lowest: Vec<u32>,
}

impl Front {
    /// Adds the need at the next z.
    pub(super) fn push(&mut self, needed: u64) {
        let place = fit::<u32>(self.needed.len());
        self.needed.push(needed);
        while self
            .lowest
            .last()
            // A later place that is as low makes the earlier one useless for ever, so a stack
            // suffices.
            .is_some_and(|last| self.beyond(*last as usize) >= self.beyond(place as usize))
        {
            self.lowest.pop();
        }
        self.lowest.push(place);
    }

    /// Returns g(z) − z, with the number of known z added so that it is unsigned.
    fn beyond(&self, place: usize) -> u64 {
        match self.needed[place] {
            NEVER => NEVER,
            needed => needed + (self.needed.len() - place) as u64,
        }
    }

    /// Returns the least need of the bids that leave Bob something and are not 0, against as many
    /// chips as z's are known.
    pub(super) fn least(&self, won: u64) -> u64 {
        let budget = self.needed.len() as u64;
        // Needs increase with z, so bisection finds where they begin to exceed W.
        let below = self.needed.partition_point(|needed| *needed <= won);
        let highest = match below.checked_sub(1) {
            Some(place) if won != NEVER => won + budget - place as u64,
            Some(_) | None => NEVER,
        };
        let beyond = self
            .lowest
            .partition_point(|place| (*place as usize) < below);
        let lowest = self
            .lowest
            .get(beyond)
            .map_or(NEVER, |place| self.beyond(*place as usize));
        highest.min(lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a search through all bids, with plateaus, jumps and numbers that never
    /// suffice.
    #[test]
    fn the_least_need_is_that_of_a_search() {
        let rows: [&[u64]; 5] = [
            &[0, 0, 0, 5, 5, 6, 20, 20, 21],
            &[3, 3, 3, 3],
            &[0, 1, 2, 3, 4, 5, 6, 7],
            &[0, 9, 9, 9, 9, 9, 9, 10, NEVER, NEVER],
            &[NEVER],
        ];
        for row in rows {
            let mut front = Front::default();
            for (place, needed) in row.iter().enumerate() {
                front.push(*needed);
                let budget = place as u64 + 1;
                for won in [0, 1, 2, 3, 5, 8, 9, 10, 30, NEVER] {
                    let needs =
                        row[..=place]
                            .iter()
                            .zip(0..)
                            .map(|(needed, z)| match (*needed).max(won) {
                                NEVER => NEVER,
                                chips => chips + budget - z,
                            });
                    assert_eq!(
                        Some(front.least(won)),
                        needs.min(),
                        "{row:?}, {budget} chips, {won}"
                    );
                }
            }
        }
    }
}
