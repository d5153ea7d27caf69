//! Thresholds in half chips under the tie-breaking advantage, position by position (Theorem 3.7 of
//! Develin & Payne 2010), with the stages that prove them on cycles.

use super::prove::Prover;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::player::{Ending, Player};
use crate::verify::CertifiedGraph;
use crate::watch::Context;

/// The listed positions, as seen by Alice or by Bob.
#[derive(Clone, Copy)]
pub(super) struct PlayerView<'g> {
    pub graph: &'g CertifiedGraph<'g>,
    /// The player who is called Alice.
    pub first: Player,
    pub context: &'g Context<'g>,
}

impl PlayerView<'_> {
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Returns the positions to which the first player, or the second, can move.
    pub fn moves(&self, position: usize, second: bool) -> impl Iterator<Item = usize> {
        let player = if second {
            self.first.other()
        } else {
            self.first
        };
        let moves = if self.graph.ending(position).is_some() {
            &[][..]
        } else {
            self.graph.moves(position, player)
        };
        moves.iter().map(|to| fit::<usize>(*to))
    }

    /// Returns whether the first player has won, if the position is over.
    pub fn over(&self, position: usize) -> Option<bool> {
        let ending = self.graph.ending(position)?;
        Some(ending == Ending::Win(self.first))
    }

    /// Checks from time to time whether the work is stopped.
    pub fn look(&self, stage: &str, done: usize) -> Result<()> {
        self.prover().look(stage, done)
    }

    pub fn prover(&self) -> Prover<'_> {
        Prover {
            graph: self.graph,
            context: self.context,
        }
    }

    /// Returns the better and the worse side of a position where play goes on.
    pub fn sides<T: Ord + Clone>(&self, position: usize, of: impl Fn(usize) -> T) -> (T, T) {
        let least = self.moves(position, false).map(&of).min();
        let greatest = self.moves(position, true).map(&of).max();
        match (least, greatest) {
            (Some(a), Some(b)) if a <= b => (a, b),
            (Some(a), Some(b)) => (b, a),
            // If only one player can move, that move is made whoever wins the bid.
            (Some(one), None) | (None, Some(one)) => (one.clone(), one),
            (None, None) => unreachable!("play goes on where somebody can move"),
        }
    }
}

/// Thresholds in half chips, by stage: with this many the first player wins within that number of
/// moves.
pub(super) struct Stairs {
    pub total: u64,
    stairs: Vec<Vec<(u64, u64)>>,
}

impl Stairs {
    pub fn of(view: &PlayerView<'_>, total: u64) -> Result<Self> {
        let mut this = Self {
            total,
            stairs: vec![Vec::new(); view.len()],
        };
        for position in 0..view.len() {
            // A win that has happened needs no chips; any other ending has an empty row, which
            // means never.
            if view.over(position) == Some(true) {
                this.stairs[position] = vec![(0, 0)];
            }
        }
        if view.graph.ordered {
            this.backward(view)?;
        } else {
            this.by_stages(view)?;
        }
        Ok(this)
    }

    fn never(&self) -> u64 {
        // All chips and the advantage are 2k + 1 half chips, so one more can never be had.
        2 * self.total + 2
    }

    /// Returns the last threshold, in half chips.
    pub fn last(&self, position: usize) -> u64 {
        self.stairs[position]
            .last()
            .map_or(self.never(), |step| step.1)
    }

    fn mean(&self, view: &PlayerView<'_>, position: usize) -> u64 {
        let (low, high) = view.sides(position, |to| self.last(to));
        // The two roundings differ by the side, which is the recursion of the theorem in half
        // chips.
        low.div_ceil(2) + high / 2
    }

    fn backward(&mut self, view: &PlayerView<'_>) -> Result<()> {
        let mut heights = vec![0_u64; view.len()];
        for position in (0..view.len()).rev() {
            view.prover()
                .look("finding thresholds", view.len() - position)?;
            if view.over(position).is_some() {
                continue;
            }
            let heads = view
                .moves(position, false)
                .chain(view.moves(position, true));
            heights[position] = heads.map(|to| heights[to] + 1).max().unwrap_or(0);
            let mean = self.mean(view, position);
            // Positions without a threshold have an empty row, which takes no space.
            if mean < self.never() {
                self.stairs[position] = vec![(heights[position], mean)];
            }
        }
        Ok(())
    }

    fn by_stages(&mut self, view: &PlayerView<'_>) -> Result<()> {
        let mut stage = 0;
        view.prover().rounds(|open| {
            stage += 1;
            let found: Vec<(usize, u64)> = open
                .iter()
                .filter(|position| view.over(**position).is_none())
                .map(|position| (*position, self.mean(view, *position)))
                .filter(|(position, mean)| *mean != self.last(*position))
                .collect();
            // The means of a stage rest on the stage before, so they are entered only when all are
            // found.
            for (position, mean) in &found {
                self.stairs[*position].push((stage, *mean));
            }
            Ok(found.into_iter().map(|(position, _)| position).collect())
        })
    }

    /// Returns the pairs of a stage and a threshold at each position.
    pub fn rows(&self) -> &[Vec<(u64, u64)>] {
        &self.stairs
    }
}
