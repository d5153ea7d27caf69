//! Finds proofs: values and ranks, sets of states. Values on cycles come from the solvers; all
//! others are found by applying the checker's steps backward until nothing changes.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::Zero;

use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, GameGraphBuilder, NodeId, Scores, ScoresBuilder, narrow};
use crate::player::{Ending, Player};
use crate::rules::{Payment, Rules, Solver};
use crate::solve::richman::{Coin, Values};
use crate::verify::format::{Fraction, SumScale, WinSet};
use crate::verify::lasting::Measure;
use crate::verify::promises::{ValueLaw, ValueTheory};
use crate::verify::sets::NeededSet;
use crate::verify::stairs::Staircases;
use crate::verify::states::{Check, States};
use crate::verify::{CertifiedGraph, Failure};

/// A listed game with the rules in force.
#[derive(Clone, Copy)]
pub(super) struct Prover<'p> {
    pub graph: &'p CertifiedGraph<'p>,
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
            let mut values = vec![Fraction(BigRational::zero()); self.graph.len()];
            self.settle(
                "finding values",
                &mut values,
                |values, position| Ok(Some(Fraction(theory.value_at(values, position)))),
                |values, position, value| values[position] = value,
            )?;
            return Ok(values);
        }
        let rules = Rules {
            pay: Payment::Richman,
            solver: Solver::Auto,
            ..self.graph.rules.clone()
        };
        let graph = self.game_graph();
        let found = match &theory.law {
            ValueLaw::Taxed(_) => Values::solve(&graph, &rules, self.graph.context)?,
            ValueLaw::Tossed(coin) => {
                Values::with_coin(&graph, &rules, tossed(coin)?, self.graph.context)?
            }
        };
        let values = graph.nodes().map(|node| Fraction(found.value(node)));
        Ok(values.collect())
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
            self.graph.context.check()?;
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

    /// Applies a step to all positions until it changes nothing. From the values so far `step`
    /// computes the new value of a position, if it changes, which `enter` enters.
    pub(super) fn settle<V, T>(
        &self,
        stage: &str,
        values: &mut V,
        step: impl Fn(&V, usize) -> Result<Option<T>>,
        enter: impl Fn(&mut V, usize, T),
    ) -> Result<()> {
        if self.graph.ordered {
            // Every move leads to a greater number, so the successors of a position are done first.
            for position in (0..self.graph.len()).rev() {
                self.look(stage, position)?;
                if let Some(value) = step(values, position)? {
                    enter(values, position, value);
                }
            }
            return Ok(());
        }
        self.rounds(|open| {
            let mut found = Vec::new();
            for (done, position) in open.iter().enumerate() {
                self.look(stage, done)?;
                found.extend(step(values, *position)?.map(|value| (*position, value)));
            }
            let changed = found.iter().map(|(position, _)| *position).collect();
            // Values are entered after the round, so that each follows from those of earlier
            // rounds: ranks are then distances.
            found
                .into_iter()
                .for_each(|(position, value)| enter(values, position, value));
            Ok(changed)
        })
    }

    /// Computes the states from which a player reaches a win.
    pub fn set(&self, needed: NeededSet, total: i32) -> Result<(WinSet, States)> {
        let mut states = States::none(self.graph, Player::Alice, total).map_err(failed)?;
        let distance = !self.graph.ordered;
        let measure = Measure::Endings { distance };
        self.settle(
            "finding states",
            &mut states,
            |states, position| {
                let check = Check::new(self.graph, states, needed, &measure);
                let mut ranks = check.ranks_at(position).map_err(failed)?;
                let known = states.ranks(position);
                // A rank that was found in an earlier round is the least.
                for (rank, known) in ranks
                    .iter_mut()
                    .zip(known)
                    .filter(|(_, known)| **known >= 0)
                {
                    *rank = *known;
                }
                Ok((ranks != known).then_some(ranks))
            },
            |states, position, ranks| states.ranks_mut(position).copy_from_slice(&ranks),
        )?;
        Ok((self.win_set(needed, &states, None), states))
    }

    /// Returns a set as a certificate lists it.
    pub(super) fn win_set(
        &self,
        needed: NeededSet,
        states: &States,
        sums: Option<SumScale>,
    ) -> WinSet {
        WinSet {
            player: needed.player,
            order: needed.order,
            total: states.most,
            states: states.rows(self.graph.len()),
            sums,
        }
    }

    /// Finds a player's thresholds for a total, in half chips: the row of each position.
    pub fn stairs(&self, player: Player, total: i32) -> Result<Vec<Vec<i32>>> {
        let mut rows = vec![Vec::new(); self.graph.len()];
        self.settle(
            "finding thresholds",
            &mut rows,
            |rows: &Vec<Vec<i32>>, position| {
                let row = |position: usize| &rows[position][..];
                let stairs = Staircases::new(self.graph, player, total, row).map_err(failed)?;
                Ok(stairs.step(position))
            },
            |rows, position, step| rows[position].extend(step),
        )?;
        Ok(rows)
    }

    /// Checks from time to time whether the work is stopped.
    pub(super) fn look(&self, stage: &str, done: usize) -> Result<()> {
        let looked = self.graph.look(stage, done, self.graph.len());
        looked.map_err(failed)
    }

    /// Returns the listing as a graph for the solvers.
    pub(super) fn game_graph(&self) -> GameGraph {
        self.game_graph_among(|position| self.graph.ending(position), |_, _| true)
    }

    /// Returns the listing with other endings, and with the moves that are kept, from one position
    /// to another.
    pub(super) fn game_graph_among(
        &self,
        ending: impl Fn(usize) -> Option<Ending>,
        is_kept: impl Fn(usize, usize) -> bool,
    ) -> GameGraph {
        let mut builder = GameGraphBuilder::default();
        for position in 0..self.graph.len() {
            let [alice, bob] = Player::both(|player| {
                let moves = self.graph.moves(position, player).iter();
                let heads = moves.map(|to| fit::<usize>(*to));
                let heads = heads.filter(|to| is_kept(position, *to)).map(NodeId::new);
                // Explored graphs list each head once, and in this order.
                heads
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .collect::<Vec<_>>()
            });
            builder.push(ending(position), &alice, &bob);
        }
        builder.finish(NodeId::new(0))
    }

    /// Returns the weights of the moves that are kept in such a graph.
    pub(super) fn weights_among(
        &self,
        graph: &GameGraph,
        is_kept: impl Fn(usize, usize) -> bool,
    ) -> Result<Scores> {
        let too_large = || refused("the weights are too large");
        let mut weights = ScoresBuilder::new(graph);
        for (position, tail) in graph.nodes().enumerate() {
            for player in Player::BOTH {
                for (index, to) in self.graph.moves(position, player).iter().enumerate() {
                    let to = fit::<usize>(*to);
                    if is_kept(position, to) {
                        let weight = narrow(&self.graph.weight(position, player, index));
                        let weight = weight.ok_or_else(too_large)?;
                        weights.weigh(player, tail, NodeId::new(to), weight);
                    }
                }
            }
        }
        weights.finish().ok_or_else(too_large)
    }
}
