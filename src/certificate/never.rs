//! Proves that no number of chips is enough against a budget, by the set of states from which Bob
//! prevents Alice's win.

use super::prove::{Prover, failed, refused};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::verify::format::Rows;
use crate::verify::lasting::Measure;
use crate::verify::states::{Check, States};

/// The most of Bob's chips that are counted.
const MOST_CHIPS: i32 = 1 << 10;

impl Prover<'_> {
    /// Finds a set of states by Bob's chips that contains the given ones (tie status, chips).
    /// Returns it with the most chips that are counted in it.
    pub fn held(&self, asked: &[(usize, i32)]) -> Result<(i32, Vec<Rows>)> {
        let mut chips = asked.iter().map(|(_, chips)| *chips).max().unwrap_or(0);
        while chips <= MOST_CHIPS {
            let states = self.kept(chips)?;
            if asked
                .iter()
                .all(|(status, budget)| states.rank(0, *status, *budget) >= 0)
            {
                return Ok((chips, states.rows(self.graph.len())));
            }
            // One is added so that a start of 0 grows as well.
            chips = 2 * chips + 1;
        }
        Err(refused(
            "no way was found by which Bob keeps Alice from winning, whatever chips she has",
        ))
    }

    /// Finds the greatest set of states from which Bob prevents Alice's win. Ranks are lifted from
    /// 0 until each follows from the others, or exceeds the number of states.
    fn kept(&self, chips: i32) -> Result<States> {
        let mut states = States::none(self.graph, Player::Bob, chips).map_err(failed)?;
        let (needed, measure) = Measure::keeping(self.graph.rules);
        (0..self.graph.len()).for_each(|position| states.ranks_mut(position).fill(0));
        let most = self.graph.len() * states.ranks(0).len();
        self.rounds(|open| {
            let mut changed = Vec::new();
            for (done, position) in open.iter().enumerate() {
                self.look("finding states", done)?;
                let check = Check::new(self.graph, &states, needed, &measure);
                let mut ranks = check.ranks_at(*position).map_err(failed)?;
                // A greater rank than there are states grows without end, so Bob loses from there.
                let outside = |rank: i32| usize::try_from(rank).is_ok_and(|rank| rank > most);
                ranks
                    .iter_mut()
                    .filter(|rank| outside(**rank))
                    .for_each(|rank| *rank = -1);
                if states.ranks(*position) != ranks {
                    states.ranks_mut(*position).copy_from_slice(&ranks);
                    changed.push(*position);
                }
            }
            Ok(changed)
        })?;
        Ok(states)
    }
}
