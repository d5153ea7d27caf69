//! Ranks of states: distances to endings, progress measures of priorities, and potentials of
//! weights. The sections "Sets of states" and "Sets of states under an objective of infinite play"
//! of `docs/certificates.md` describe the checks and prove that they suffice.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use super::listing::{CertifiedMove, NEVER};
use super::sets::NeededSet;
use super::states::States;
use super::{CertifiedGraph, Checked, malformed, unproved};
use crate::convert::fit;
use crate::format::{BidOrder, SumScale};
use crate::player::{PerPlayer, Player};
use crate::rules::{Draws, Objective, Rules};

/// The rule by which the ranks of a player's set follow from each other.
#[derive(Debug, Clone)]
pub enum Measure {
    /// Play comes to an ending, or only has to stay in the set.
    Endings {
        /// `true` if a rank is 1 greater than those on which it depends. Otherwise all are 0.
        distance: bool,
    },
    /// By priorities.
    Priorities(Vec<Option<PriorityStep>>),
    /// By sums of weights.
    Sums {
        /// The number that each move adds to the player's sum, by position.
        loads: Vec<PerPlayer<Vec<i64>>>,
        /// The rank beyond which the sum has fallen as far as the player wants, if there is one.
        most: Option<i32>,
        /// The greatest rank with which the player wins at position 0.
        enough: i64,
    },
}

/// The effect of a visit to a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityStep {
    /// The number to a multiple of which the rank is rounded down.
    unit: i64,
    /// `true` if one unit is added, because the priority is bad for the player.
    bad: bool,
}

impl Measure {
    /// Returns the set, by Bob's chips, from which he prevents Alice from winning, with its
    /// measure. He must win himself if a draw is a win for her.
    pub fn keeping(rules: &Rules) -> (NeededSet, Self) {
        // Otherwise it is enough that play stays in the set for ever.
        let distance = rules.draws == Draws::Alice;
        let needed = NeededSet {
            player: Player::Bob,
            order: BidOrder::Unprevented,
            prevents: !distance,
        };
        (needed, Self::Endings { distance })
    }

    /// Returns `true` if ranks are distances to endings.
    pub(super) fn is_distance(&self) -> bool {
        matches!(self, Self::Endings { distance: true })
    }

    /// Reads the labels of a listing for the objective. Sums of weights need a scale. Under the
    /// energy objective `credit` is the one that Alice has, or `None` if she has any.
    ///
    /// # Errors
    /// If a position has no priority, or the scale is not one of the weights.
    pub fn of(
        graph: &CertifiedGraph<'_>,
        needed: NeededSet,
        scale: Option<SumScale>,
        states: &States,
        credit: Option<&BigRational>,
    ) -> Checked<Self> {
        match (graph.rules.objective, scale) {
            (Objective::Reachability, None) => Ok(Self::Endings {
                distance: !graph.ordered,
            }),
            (Objective::Buchi | Objective::Parity, None) => {
                let count = graph.len() * states.ranks(0).len();
                Self::priorities(graph, needed.player, fit::<i64>(count) + 1)
            }
            (Objective::MeanPayoff, Some(SumScale { scale, most: None })) => {
                Self::sums(graph, needed, SumScale { scale, most: None }, None)
            }
            (Objective::Energy, Some(scale))
                if scale.most.is_some() == (needed.player == Player::Bob && credit.is_some()) =>
            {
                Self::sums(graph, needed, scale, credit)
            }
            _ => malformed("a set is not one for this objective"),
        }
    }

    /// Orders the priorities. Those that are bad for the player, with no good one between them, are
    /// of one kind; a rank has a digit below the `base` for each kind.
    fn priorities(graph: &CertifiedGraph<'_>, player: Player, base: i64) -> Checked<Self> {
        let open = |position: &usize| graph.ending(*position).is_none();
        let all = (0..graph.len()).filter(open);
        let all = all.map(|position| graph.priority(position));
        let Some(all) = all.collect::<Option<BTreeSet<u32>>>() else {
            return unproved("a position has no priority");
        };
        let is_bad = |priority: u32| priority.is_multiple_of(2) == (player == Player::Bob);
        let (mut unit, mut before, mut steps) = (1_i64, false, BTreeMap::new());
        for priority in all {
            let bad = is_bad(priority);
            // Bad priorities with no good one between them count as one, so that the digit changes
            // only here.
            if before && !bad {
                // A unit that is too great puts its states outside of the set, which proves less
                // but nothing wrong.
                unit = unit.saturating_mul(base);
            }
            before = bad;
            steps.insert(priority, PriorityStep { unit, bad });
        }
        // Endings have no step.
        let step_of = |position| steps.get(&graph.priority(position)?).copied();
        Ok(Self::Priorities((0..graph.len()).map(step_of).collect()))
    }

    /// Computes what the moves add to the player's sum.
    fn sums(
        graph: &CertifiedGraph<'_>,
        needed: NeededSet,
        scale: SumScale,
        credit: Option<&BigRational>,
    ) -> Checked<Self> {
        let SumScale { scale, most } = scale;
        if scale < 1 || most.is_some_and(|most| most < 0) {
            return malformed("the scale of a sum is not positive");
        }
        // A player for whom a mean of 0 is not good enough loses a little with every move.
        let energy = graph.rules.objective == Objective::Energy;
        let loss = match energy {
            true => needed.player == Player::Bob,
            false => !needed.prevents,
        };
        let load = |position, mover, index| {
            let weight = graph.weight(position, mover, index) * BigInt::from(scale);
            let weight = match needed.player {
                Player::Alice => weight,
                Player::Bob => -weight,
            };
            let load = weight.is_integer().then(|| weight.to_integer().to_i32());
            load.flatten().map(|load| i64::from(load) - i64::from(loss))
        };
        let mut loads = Vec::with_capacity(graph.len());
        for position in 0..graph.len() {
            let of = |mover| {
                let moves = 0..graph.moves(position, mover).len();
                moves
                    .map(|index| load(position, mover, index))
                    .collect::<Option<Vec<i64>>>()
            };
            let (Some(alice), Some(bob)) = (of(Player::Alice), of(Player::Bob)) else {
                return malformed(
                    "a weight times the scale of a set is not a whole number of 32 bits",
                );
            };
            loads.push(PerPlayer::new(alice, bob));
        }
        let units = credit.map(|credit| (credit * BigInt::from(scale)).floor().to_integer());
        let units = units.map(|units| units.to_i64().unwrap_or(i64::MAX));
        let enough = match (units, most) {
            (Some(units), None) => units,
            (Some(units), Some(most)) => i64::from(most).saturating_sub(units),
            (None, _) => i64::from(NEVER),
        };
        Ok(Self::Sums {
            loads,
            most,
            enough,
        })
    }

    /// Returns the rank that counts before a move, if this is the rank of the state after it.
    pub(super) fn after(&self, position: usize, to: CertifiedMove, rank: i32) -> i32 {
        match (self, rank) {
            (Self::Endings { .. } | Self::Priorities(_) | Self::Sums { most: None, .. }, -1) => {
                NEVER
            }
            (Self::Endings { .. } | Self::Priorities(_), rank) => rank,
            (Self::Sums { loads, most, .. }, rank) => {
                let greatest = i64::from(most.unwrap_or(NEVER - 1));
                let rank = if rank == -1 {
                    greatest + 1
                } else {
                    rank.into()
                };
                // A surplus does not count, so that no rank is less than 0.
                let before = (rank - loads[position][to.mover][to.index]).max(0);
                if before > greatest {
                    NEVER
                } else {
                    fit::<i32>(before)
                }
            }
        }
    }

    /// Returns the rank of a state, if the bids lead to this one; -1 if it is too great.
    pub(super) fn before(&self, position: usize, rank: i32) -> i32 {
        match self {
            Self::Priorities(steps) => {
                let Some(PriorityStep { unit, bad }) = steps[position] else {
                    return rank;
                };
                // Rounding down forgets the visits to lesser priorities.
                let rank = i64::from(rank) / unit * unit;
                let rank = rank.saturating_add(if bad { unit } else { 0 });
                i32::try_from(rank)
                    .ok()
                    .filter(|rank| *rank < NEVER)
                    .unwrap_or(-1)
            }
            Self::Endings { distance: true } => rank.saturating_add(1),
            Self::Endings { distance: false } => 0,
            Self::Sums { .. } => rank,
        }
    }

    /// Returns a number that no least rank exceeds, if each follows from others; `width` is the
    /// number of states of a position.
    pub fn bound(&self, width: usize) -> i32 {
        let Self::Sums { loads, most, .. } = self else {
            return NEVER - 1;
        };
        let cost = |loads: &PerPlayer<Vec<i64>>| {
            let both = loads.alice.iter().chain(&loads.bob);
            both.map(|load| -load).max().unwrap_or(0).max(0)
        };
        let all: i64 = loads.iter().map(cost).fold(0, i64::saturating_add);
        let all = all.saturating_mul(fit::<i64>(width));
        i32::try_from(all)
            .unwrap_or(NEVER - 1)
            .min(most.unwrap_or(NEVER - 1))
    }

    /// Returns `true` if the player wins in a state of position 0 with this rank.
    pub fn is_enough(&self, rank: i32) -> bool {
        match self {
            Self::Endings { .. } | Self::Priorities(_) => rank >= 0,
            Self::Sums { enough, .. } => rank >= 0 && i64::from(rank) <= *enough,
        }
    }
}

/// Returns the least number of units into which every weight of a listing can be cut.
pub fn units(graph: &CertifiedGraph<'_>) -> BigInt {
    let mut units = BigInt::one();
    for position in 0..graph.len() {
        for player in Player::BOTH {
            for index in 0..graph.moves(position, player).len() {
                units = units.lcm(graph.weight(position, player, index).denom());
            }
        }
    }
    units
}
