//! Finds proofs: values and ranks, sets of states. Values on cycles come from the solvers; all
//! others are found by applying the checker's steps backward until nothing changes.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::Zero;

use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::{Ending, Player};
use crate::rules::{Payment, Rules, Solver};
use crate::solve::richman::{Coin, Values};
use crate::verify::format::{Fraction, WinSet};
use crate::verify::lasting::Measure;
use crate::verify::promises::{ValueLaw, ValueTheory};
use crate::verify::sets::NeededSet;
use crate::verify::states::{Check, States};
use crate::verify::{CertifiedGraph, Failure};
use crate::watch::Context;

/// A listed game with the rules in force.
pub(super) struct Prover<'p> {
    pub graph: &'p CertifiedGraph<'p>,
    pub context: &'p Context<'p>,
}

/// Converts a failed step of the checker to a diagnostic: a limit, or a question without a
/// certificate.
pub(super) fn failed(failure: Failure) -> Box<Diagnostic> {
    match failure {
        Failure::Stopped(stop) => stop.into(),
        Failure::Malformed(why) | Failure::Unproved(why) => refused(why),
    }
}

/// Reports that there is no certificate.
pub(super) fn refused(why: impl std::fmt::Display) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(
            Code::NotSupported,
            format!("no certificate can be written: {why}"),
        )
        .help("docs/certificates.md says which questions have one"),
    )
}

/// Returns the coin that falls for Alice with this probability.
pub(super) fn tossed(probability: &BigRational) -> Result<Coin> {
    let reason = if probability.is_integer() {
        "where play has cycles, a coin that always falls for the same player has no certificate"
    } else {
        "the fraction is too long for a coin"
    };
    Coin::new(probability).ok_or_else(|| refused(reason))
}

impl Prover<'_> {
    /// Finds the values of a theory about play that ends.
    pub fn values(&self, theory: &ValueTheory<'_>) -> Result<Vec<Fraction>> {
        if self.graph.ordered {
            return self.backward(theory);
        }
        let rules = Rules {
            pay: Payment::Richman,
            solver: Solver::Auto,
            ..self.graph.rules.clone()
        };
        let graph = self.game_graph();
        let found = match &theory.law {
            ValueLaw::Taxed(_) => Values::solve(&graph, &rules, self.context)?,
            ValueLaw::Tossed(coin) => {
                Values::with_coin(&graph, &rules, tossed(coin)?, self.context)?
            }
        };
        let values = graph.nodes().map(|node| Fraction(found.value(node)));
        Ok(values.collect())
    }

    /// Computes the values of a game whose play ends, from the last position to the first.
    fn backward(&self, theory: &ValueTheory<'_>) -> Result<Vec<Fraction>> {
        let mut values = vec![Fraction(BigRational::zero()); self.graph.len()];
        // Every move leads to a greater number, so the successors of a position are done first.
        for position in (0..values.len()).rev() {
            self.look("finding values", position)?;
            values[position] = Fraction(theory.step(&values).value_at(position));
        }
        Ok(values)
    }

    /// Applies a step to all positions, and then repeatedly to the predecessors of the positions
    /// that it has changed.
    pub(super) fn rounds(
        &self,
        mut step: impl FnMut(&[usize]) -> Result<Vec<usize>>,
    ) -> Result<()> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.graph.len()];
        for position in 0..self.graph.len() {
            for to in Player::BOTH
                .into_iter()
                .flat_map(|player| self.graph.moves(position, player))
            {
                before[fit::<usize>(*to)].push(fit::<u32>(position));
            }
        }
        let mut open: Vec<usize> = (0..self.graph.len()).collect();
        while !open.is_empty() {
            self.context.check()?;
            let changed = step(&open)?;
            open = changed
                .into_iter()
                .flat_map(|position| &before[position])
                .map(|position| *position as usize)
                .collect();
            // A position may precede several changed ones, but is visited once in a round.
            open.sort_unstable();
            open.dedup();
        }
        Ok(())
    }

    /// Computes the states from which a player reaches a win.
    pub fn set(&self, needed: NeededSet, total: i32) -> Result<(WinSet, States)> {
        let mut states = States::none(self.graph, Player::Alice, total).map_err(failed)?;
        let distance = !self.graph.ordered;
        let measure = Measure::Endings { distance };
        let step = |states: &States, position| {
            let check = Check::new(self.graph, states, needed, &measure);
            check.ranks_at(position).map_err(failed)
        };
        if self.graph.ordered {
            for position in (0..self.graph.len()).rev() {
                self.look("finding states", position)?;
                let ranks = step(&states, position)?;
                states.ranks_mut(position).copy_from_slice(&ranks);
            }
        } else {
            self.rounds(|open| {
                let mut found = Vec::new();
                for (done, position) in open.iter().enumerate() {
                    self.look("finding states", done)?;
                    found.push((*position, step(&states, *position)?));
                }
                let mut changed = Vec::new();
                for (position, ranks) in found {
                    let known = states.ranks_mut(position);
                    let new =
                        (0..ranks.len()).filter(|place| known[*place] == -1 && ranks[*place] >= 0);
                    let new: Vec<usize> = new.collect();
                    new.iter().for_each(|place| known[*place] = ranks[*place]);
                    changed.extend((!new.is_empty()).then_some(position));
                }
                Ok(changed)
            })?;
        }
        let set = WinSet {
            player: needed.player,
            order: needed.order,
            total,
            states: states.rows(self.graph.len()),
            sums: None,
        };
        Ok((set, states))
    }

    pub(super) fn look(&self, stage: &str, done: usize) -> Result<()> {
        // A check takes longer than a step, so only some steps make one.
        if done.is_multiple_of(256) {
            self.context.check()?;
            self.context
                .report(stage, done as u64, Some(self.graph.len() as u64));
        }
        Ok(())
    }

    /// Returns the listing as a graph for the solvers.
    pub(super) fn game_graph(&self) -> GameGraph {
        self.game_graph_with(|_, ending| ending)
    }

    /// Returns the listing as a graph with other endings.
    pub(super) fn game_graph_with(
        &self,
        ending: impl Fn(usize, Option<Ending>) -> Option<Ending>,
    ) -> GameGraph {
        let mut builder = GameGraphBuilder::default();
        for position in 0..self.graph.len() {
            let [alice, bob] = Player::BOTH.map(|player| {
                let moves = self.graph.moves(position, player).iter();
                moves
                    .map(|to| NodeId::new(fit::<usize>(*to)))
                    // Explored graphs list each head once, and in this order.
                    .collect::<BTreeSet<_>>()
            });
            let ending = ending(position, self.graph.ending(position));
            // The caller may end play at positions whose moves are listed.
            let heads = |heads: BTreeSet<NodeId>| {
                heads
                    .into_iter()
                    .filter(|_| ending.is_none())
                    .collect::<Vec<_>>()
            };
            let [alice, bob] = [alice, bob].map(heads);
            builder.push(ending, &alice, &bob);
        }
        builder.finish(NodeId::new(0))
    }
}
