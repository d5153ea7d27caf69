//! The part of a sum that each state needs, for strategies under an objective of weights.
//!
//! A player who keeps a sum up moves so that the credit that is needed never exceeds the credit that
//! was needed before and the move's load. In a game of finitely many states a mean is positive
//! exactly if every cycle that can come adds something, at least 1. So it stays positive if each
//! move adds its weight times more than the number of states, less 1, and that sum is kept up.
//!
//! A player against whom the sum is kept up wins with any credit where some strategy makes the mean
//! negative. With less than the least credit elsewhere, that player wins with what is found on the
//! way to the least credits: a credit turns out not to be enough because of others that turned out
//! so before. Moving among those found before lets the sum fall below 0.

use super::credit::{CreditPass, CreditTask, Load, StepHistory, Steps, with};
use super::kernel::{Kernel, Scale};
use super::pass::Goal;
use super::thresholds::Thresholds;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId, Scores};
use crate::player::Player;
use crate::rules::{Objective, Purses};

/// The sums by which a player's strategy reaches an objective of weights, for one total of chips.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    player: Player,
    scale: Scale,
    total: u64,
    weights: Scores,
    /// The credits with which the player keeps a sum of these loads up.
    load: Load,
    kept: Vec<Steps>,
    taken: Option<TakenSums>,
}

/// The opponent's credits as they were found, and the credit of the rules, if the player wins where
/// that is not enough.
#[derive(Debug, Clone)]
struct TakenSums {
    history: Vec<StepHistory>,
    credit: u128,
}

/// The credit that counts in a state.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SumLane {
    /// The player needs this one.
    Needed(u128),
    /// The opponent has this one, which was found at a time not to be enough.
    Short { credit: u128, time: u64 },
}

/// A move of a vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SumMove {
    pub(crate) tail: NodeId,
    pub(crate) mover: Player,
    pub(crate) head: NodeId,
}

impl Sums {
    /// Finds the sums for a player who wins from these thresholds on. `drawn` says whether a draw is
    /// good enough.
    pub(super) fn of(
        task: &CreditTask<'_>,
        drawn: bool,
        won: &Thresholds,
        total: u64,
    ) -> Result<Self> {
        let (player, scale) = (won.seeker(), won.scale());
        let pass = |seeker, preventing, drawn| {
            let goal = Goal {
                seeker,
                kernel: Kernel::of(task.rules, seeker),
                winner: task.rules.winner,
                preventing,
            };
            CreditPass::new(task, goal, drawn, total)
        };
        let own = pass(player, false, drawn);
        // A state is a vertex, the player's chips, and the holder of the tie status.
        let states = 2 * (i128::from(total) + 1) * task.graph.len() as i128;
        let negative = Load {
            scale: states + 1,
            loss: 1,
        };
        let energy = task.rules.objective == Objective::Energy;
        let (load, kept, taken) = match (energy, player) {
            (true, Player::Alice) => (Load::PLAIN, own.run()?, None),
            (true, Player::Bob) => {
                // Bob wins exactly where he keeps Alice from her goal, so her credits and their
                // order matter.
                let history = pass(Player::Alice, true, !drawn).record()?;
                let beyond = total + 1;
                let any = |versions: &StepHistory| {
                    let last = versions.last().and_then(|(_, steps)| steps.last());
                    let raw = last.map_or(scale.other().never(beyond), |step| step.raw);
                    scale.other().complement(raw, beyond)
                };
                let known = history.iter().map(any).collect();
                let taken = TakenSums {
                    history,
                    credit: task.credit(),
                };
                (negative, own.loaded(negative, known).run()?, Some(taken))
            }
            (false, _) => {
                let load = if drawn { Load::PLAIN } else { negative };
                let known = task.graph.nodes().map(|node| won.raw(node, 0));
                (load, own.loaded(load, known.collect()).run()?, None)
            }
        };
        Ok(Self {
            player,
            scale,
            total,
            weights: task.weights.clone(),
            load,
            kept,
            taken,
        })
    }

    /// Returns what counts in a state; `None` if the player does not reach the objective there.
    pub(crate) fn lane(&self, node: NodeId, purses: &Purses) -> Option<SumLane> {
        let reached = |player: Player, scale: Scale, raw| {
            let has_status = purses.status == Some(player);
            scale.reached(raw, purses.chips[player], has_status, self.total)
        };
        let mut steps = self.kept[node.index()].iter();
        if let Some(step) = steps.find(|step| reached(self.player, self.scale, step.raw)) {
            return Some(SumLane::Needed(step.credit));
        }
        let TakenSums { history, credit } = self.taken.as_ref()?;
        let (other, scale) = (self.player.other(), self.scale.other());
        let is_short = |(_, steps): &&(u64, Steps)| {
            with(steps, *credit).is_none_or(|raw| !reached(other, scale, raw))
        };
        let (time, _) = history[node.index()].iter().find(is_short)?;
        Some(SumLane::Short {
            credit: *credit,
            time: *time,
        })
    }

    /// Returns the player's thresholds after a move from a state with this lane.
    pub(crate) fn raw(&self, graph: &GameGraph, lane: SumLane, by: SumMove) -> [u64; 2] {
        let SumMove { tail, mover, head } = by;
        let mut moves = self.weights.moves(graph, tail, mover);
        let weight = moves
            .find(|(to, _)| *to == head)
            .map_or(0, |(_, weight)| weight);
        let beyond = self.total + 1;
        let left = |credit: u128, load: i128| {
            let credit = i128::try_from(credit).unwrap_or(i128::MAX);
            u128::try_from(credit.saturating_add(load)).ok()
        };
        match (lane, &self.taken) {
            (SumLane::Short { credit, time }, Some(taken)) => {
                let scale = self.scale.other();
                let versions = &taken.history[head.index()];
                // Only what was found earlier counts, so that the time falls with every move.
                let before = versions.partition_point(|(found, _)| *found < time);
                let left = left(credit, Load::PLAIN.of(weight, self.player.other()));
                let enough = match (left, before.checked_sub(1)) {
                    (None, _) => None,
                    (Some(left), Some(last)) => with(&versions[last].1, left),
                    // Nothing was known of the head at that time, so any chips seemed to be enough.
                    (Some(_), None) => Some(scale.always(beyond)),
                };
                scale.complement(enough.unwrap_or(scale.never(beyond)), beyond)
            }
            (SumLane::Needed(credit) | SumLane::Short { credit, .. }, _) => {
                let left = left(credit, self.load.of(weight, self.player));
                let enough = left.and_then(|left| with(&self.kept[head.index()], left));
                enough.unwrap_or(self.scale.never(beyond))
            }
        }
    }
}
