//! Finds the sets of states that prove answers about infinite play with chips.

use super::prove::{Prover, failed, refused};
use crate::diagnostic::Result;
use crate::game::{Goals, MarkedGraph};
use crate::player::{PerPlayer, Player};
use crate::rules::{Draws, Purses, Rules};
use crate::solve::chips::Outcomes;
use crate::verify::format::{BidOrder, Claim, ListedPurses, Proof, WinSet};
use crate::verify::sets::NeededSet;
use crate::verify::states::{Check, Recurrence, States};

impl Prover<'_> {
    /// Computes the states of a set. The solver finds them, and their ranks are lifted from 0 until
    /// each follows from the others.
    pub fn recurring(
        &self,
        recurrence: Recurrence,
        needed: NeededSet,
        total: i32,
    ) -> Result<(WinSet, States)> {
        let mut states = self.members(needed, total)?;
        let most = self.graph.len() * states.ranks(0).len();
        self.rounds(|open| {
            let mut changed = Vec::new();
            for (done, position) in open.iter().enumerate() {
                self.look("finding ranks", done)?;
                let check = Check::reaching(self.graph, &states, needed.player, needed.order)
                    .recurring(Some(recurrence), needed.prevents);
                let ranks = check.ranks_at(*position).map_err(failed)?;
                let is_member = |rank: &i32| *rank >= 0;
                let members = ranks.iter().map(is_member);
                let follows = ranks
                    .iter()
                    .all(|rank| usize::try_from(*rank).is_ok_and(|rank| rank <= most) || *rank < 0);
                if !follows || !members.eq(states.ranks(*position).iter().map(is_member)) {
                    return Err(refused("the ranks of the states do not follow"));
                }
                if states.ranks(*position) != ranks {
                    states.ranks_mut(*position).copy_from_slice(&ranks);
                    changed.push(*position);
                }
            }
            Ok(changed)
        })?;
        let set = WinSet {
            player: needed.player,
            order: needed.order,
            total,
            states: states.rows(self.graph.len()),
        };
        Ok((set, states))
    }

    /// Returns the states of a set, all with rank 0, as the solver finds them.
    fn members(&self, needed: NeededSet, total: i32) -> Result<States> {
        let graph = self.game_graph();
        let priority = |position| self.graph.priority(position).unwrap_or_default();
        let goals = Goals::Priorities((0..self.graph.len()).map(priority).collect());
        let game = MarkedGraph {
            graph: &graph,
            goals: Some(&goals),
        };
        // A draw is worth what the set says.
        let draws = match (needed.player, needed.prevents) {
            (Player::Alice, true) | (Player::Bob, false) => Draws::Alice,
            (Player::Alice, false) | (Player::Bob, true) => Draws::Bob,
        };
        let rules = Rules {
            draws,
            ..self.graph.rules.clone()
        };
        let chips = u64::try_from(total).unwrap_or_default();
        let found = Outcomes::solve(game, &rules, &[chips], self.context)?;
        let thresholds = &found.thresholds[needed.player];
        let mut states = States::none(self.graph, Player::Alice, total).map_err(failed)?;
        let width = states.ranks(0).len();
        let held = |place: usize| {
            let (status, alice) = (place / (total as usize + 1), place as u64 % (chips + 1));
            Purses {
                chips: PerPlayer::new(alice, chips - alice),
                status: (width > total as usize + 1).then_some(Player::BOTH[status]),
            }
        };
        for (position, node) in graph.nodes().enumerate() {
            for place in 0..width {
                let purses = held(place);
                let is_member = match needed.order {
                    BidOrder::Forces => thresholds.is_forced(node, &purses, 0),
                    BidOrder::Unprevented => thresholds.is_unpreventable(node, &purses, 0),
                };
                states.ranks_mut(position)[place] = if is_member { 0 } else { -1 };
            }
        }
        Ok(states)
    }

    /// Proves an outcome.
    pub fn recurring_outcome(
        &self,
        recurrence: Recurrence,
        purses: ListedPurses,
        total: i32,
    ) -> Result<(Claim, Proof)> {
        let status = usize::from(purses.holder == Some(Player::Bob));
        for (answer, last) in [
            ("alice", Player::Alice),
            ("bob", Player::Bob),
            ("draw", Player::Bob),
            ("undetermined", Player::Alice),
            ("undetermined", Player::Bob),
        ] {
            let needed = NeededSet::of_outcome(answer, last).expect("a word for an outcome");
            let mut sets = Vec::new();
            for needed in &needed {
                let (set, states) = self.recurring(recurrence, *needed, total)?;
                if states.rank(0, status, purses.alice) < 0 {
                    break;
                }
                sets.push(set);
            }
            if sets.len() == needed.len() {
                let answer = answer.to_owned();
                return Ok((Claim::Outcome { purses, answer }, Proof::Sets(sets)));
            }
        }
        Err(refused("the outcome does not follow from sets of states"))
    }
}
