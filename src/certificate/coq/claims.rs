//! The claims of a listing about its positions: values with ranks, thresholds with stages, and the
//! winner for each number of chips.

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::One;

use super::super::prove::Prover;
use super::super::stairs::{PlayerView, Stairs};
use super::refused;
use super::stream::{BitStream, width};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::player::Player;
use crate::rules::{Payment, Rules, Solver, TieBreak};
use crate::solve::richman::Values as Richman;
use crate::verify::sets::NeededSet;

/// The greatest possible rank.
const LAST: u64 = u64::MAX;

/// Values over a common denominator, with ranks.
pub(super) struct RankedValues {
    pub denominator: BigUint,
    pub numerators: Vec<BigUint>,
    ranks: Vec<u64>,
    rooms: [usize; 2],
}

impl RankedValues {
    pub fn of(view: &PlayerView<'_>) -> Result<Self> {
        let rules = Rules {
            pay: Payment::Richman,
            solver: Solver::Auto,
            ..view.graph.rules.clone()
        };
        let graph = view.prover().game_graph();
        let found = Richman::solve(&graph, &rules, view.context)?;
        let values: Vec<BigRational> = (0..view.len())
            .map(|position| found.value(NodeId::new(position)))
            .collect();
        let denominator = values.iter().fold(BigUint::one(), |all, value| {
            all.lcm(value.denom().magnitude())
        });
        let numerators: Vec<BigUint> = values
            .iter()
            .map(|value| value.numer().magnitude() * (&denominator / value.denom().magnitude()))
            .collect();
        let mut this = Self {
            denominator,
            numerators,
            ranks: vec![LAST; view.len()],
            rooms: [0; 2],
        };
        this.rank(view)?;
        this.check(view)?;
        let most = this.ranks.iter().copied().max().unwrap_or(0);
        this.rooms = [fit::<usize>(this.denominator.bits()), width(most)];
        Ok(this)
    }

    fn rank(&mut self, view: &PlayerView<'_>) -> Result<()> {
        for position in 0..view.len() {
            // A value of 1 promises no win, so nothing has to be ranked there.
            if view.over(position).is_some() || self.numerators[position] == self.denominator {
                self.ranks[position] = 0;
            }
        }
        let rank = |this: &Self, position: usize| {
            let at = |to: usize| (&this.numerators[to], this.ranks[to]);
            view.sides(position, at).0.1
        };
        if view.graph.ordered {
            // Every move leads to a greater number, so the ranks of successors are known already.
            for position in (0..view.len()).rev() {
                if self.ranks[position] == LAST {
                    self.ranks[position] = rank(self, position).saturating_add(1);
                }
            }
            return Ok(());
        }
        view.prover().rounds(|open| {
            let found: Vec<(usize, u64)> = open
                .iter()
                .filter(|position| self.ranks[**position] == LAST)
                .map(|position| (*position, rank(self, *position)))
                .filter(|(_, rank)| *rank != LAST)
                .collect();
            for (position, rank) in &found {
                self.ranks[*position] = rank + 1;
            }
            // The values of ends are known from the beginning; the positions that lead to them are
            // open at first.
            Ok(found.into_iter().map(|(position, _)| position).collect())
        })
    }

    /// Runs the check of the theory.
    fn check(&self, view: &PlayerView<'_>) -> Result<()> {
        for position in 0..view.len() {
            let value = &self.numerators[position];
            let fits = match view.over(position) {
                Some(true) => *value == BigUint::ZERO,
                Some(false) => *value == self.denominator,
                None => {
                    let at = |to: usize| (&self.numerators[to], self.ranks[to]);
                    let (low, high) = view.sides(position, at);
                    value * 2_u32 == low.0 + high.0
                        && (*value == self.denominator || low.1 < self.ranks[position])
                        && self.ranks[position] != LAST
                }
            };
            if !fits {
                return Err(refused(format!(
                    "the value of position {position} has no proof by ranks"
                )));
            }
        }
        Ok(())
    }

    pub fn reader(&self) -> String {
        let [value, rank] = self.rooms;
        format!("(both (number {value}) (number {rank}))")
    }

    pub fn write(&self, position: usize, bits: &mut BitStream) {
        bits.big(&self.numerators[position], self.rooms[0]);
        bits.number(self.ranks[position], self.rooms[1]);
    }
}

/// Thresholds in half chips as a listing in Coq has them.
pub(super) struct StairClaims {
    pub stairs: Stairs,
    rooms: [usize; 3],
}

impl StairClaims {
    pub fn of(view: &PlayerView<'_>, total: u64) -> Result<Self> {
        let stairs = Stairs::of(view, total)?;
        let all = || stairs.rows().iter().flatten();
        let most = |of: fn(&(u64, u64)) -> u64| all().map(of).max().unwrap_or(0);
        let longest = stairs.rows().iter().map(Vec::len).max().unwrap_or(0);
        let rooms = [
            width(longest as u64),
            width(most(|step| step.0)),
            width(most(|step| step.1)),
        ];
        Ok(Self { stairs, rooms })
    }

    pub fn reader(&self) -> String {
        let [count, stage, half_chips] = self.rooms;
        format!("(counted {count} (both (number {stage}) (number {half_chips})))")
    }

    pub fn write(&self, position: usize, bits: &mut BitStream) {
        let row = &self.stairs.rows()[position];
        bits.number(row.len() as u64, self.rooms[0]);
        for (stage, half_chips) in row {
            bits.number(*stage, self.rooms[1]);
            bits.number(*half_chips, self.rooms[2]);
        }
    }
}

/// The winner for each number of chips. For each holder of the tie status and each number of chips
/// it is 0, or a rank that falls with every turn.
pub(super) struct RankedOutcomes {
    pub total: usize,
    ranks: Vec<[Vec<u64>; 2]>,
    room: usize,
}

impl RankedOutcomes {
    pub fn of(view: &PlayerView<'_>, total: i32) -> Result<Self> {
        let mut ranks: Vec<[Vec<u64>; 2]> = vec![Default::default(); view.len()];
        let heights = heights(view);
        for holder in Player::BOTH {
            // If the same player wins all ties, there is no holder: each of the two cases is a rule
            // of its own.
            let (status, rules) = if view.graph.rules.ties.has_status() {
                (holder as usize, view.graph.rules.clone())
            } else {
                let ties = match holder {
                    Player::Alice => TieBreak::LadiesFirst,
                    Player::Bob => TieBreak::GentlemenFirst,
                };
                (
                    0,
                    Rules {
                        ties,
                        ..view.graph.rules.clone()
                    },
                )
            };
            let graph = view.graph.under(&rules);
            let prover = Prover {
                graph: &graph,
                context: view.context,
            };
            let (_, states) = prover.set(NeededSet::forced(view.first), total)?;
            let seen = if view.first == Player::Alice {
                holder
            } else {
                holder.other()
            };
            for (position, [of_alice, of_bob]) in ranks.iter_mut().enumerate() {
                let own = if seen == Player::Alice {
                    of_alice
                } else {
                    of_bob
                };
                *own = (0..=total)
                    .map(|chips| {
                        let alice = if view.first == Player::Alice {
                            chips
                        } else {
                            total - chips
                        };
                        match states.rank(position, status, alice) {
                            rank if rank < 0 => 0,
                            // In a game that always ends the set has no distances, and the height
                            // falls with every move.
                            _ if view.graph.ordered => heights[position] + 1,
                            rank => fit::<u64>(rank) + 1,
                        }
                    })
                    .collect();
            }
        }
        let most = ranks.iter().flatten().flatten().copied().max().unwrap_or(0);
        Ok(Self {
            total: usize::try_from(total).map_err(|_| refused("a total is not negative"))?,
            ranks,
            room: width(most),
        })
    }

    /// Returns `true` if the first player wins with this many chips.
    pub fn wins(&self, position: usize, holder: Player, chips: usize) -> bool {
        self.ranks[position][holder as usize]
            .get(chips)
            .is_some_and(|rank| *rank > 0)
    }

    /// Returns the least number of chips with which the first player wins, if all greater numbers
    /// win too.
    pub fn threshold(&self, position: usize, holder: Player) -> Option<usize> {
        let wins = |chips| self.wins(position, holder, chips);
        let least = (0..=self.total)
            .find(|chips| wins(*chips))
            .unwrap_or(self.total + 1);
        (least..=self.total).all(wins).then_some(least)
    }

    pub fn reader(&self) -> String {
        let ranks = format!("(times {} (number {}))", self.total + 1, self.room);
        format!("(both {ranks} {ranks})")
    }

    pub fn write(&self, position: usize, bits: &mut BitStream) {
        for rank in self.ranks[position].iter().flatten() {
            bits.number(*rank, self.room);
        }
    }
}

/// Returns the greatest number of moves that play can take from each position, if play ends.
fn heights(view: &PlayerView<'_>) -> Vec<u64> {
    let mut heights = vec![0; view.len()];
    if view.graph.ordered {
        for position in (0..view.len()).rev() {
            // Moves lead to greater numbers, so the heights of successors are final.
            let heads = view
                .moves(position, false)
                .chain(view.moves(position, true));
            heights[position] = heads.map(|to| heights[to] + 1).max().unwrap_or(0);
        }
    }
    heights
}
