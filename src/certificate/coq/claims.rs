//! The claims of a listing about its positions: values with ranks, thresholds with stages, and the
//! winner for each number of chips.

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::super::prove::Prover;
use super::refused;
use super::stream::{BitStream, width};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::player::Player;
use crate::rules::TieBreak;
use crate::verify::CertifiedGraph;
use crate::verify::promises::{ValueLaw, ValueTheory};
use crate::verify::sets::NeededSet;

/// The greatest possible rank.
const LAST: u64 = u64::MAX;

/// The claims of a listing about its positions.
pub(super) trait Claims {
    /// Returns the reader of the theory.
    fn reader(&self) -> String;

    /// Writes the claim about a position.
    fn write(&self, position: usize, bits: &mut BitStream);
}

/// Values over a common denominator, with ranks.
pub(super) struct RankedValues {
    pub denominator: BigUint,
    pub numerators: Vec<BigUint>,
    ranks: Vec<u64>,
    rooms: [usize; 2],
}

impl RankedValues {
    pub fn of(prover: Prover<'_>) -> Result<Self> {
        let graph = prover.graph;
        let law = ValueLaw::Taxed(BigRational::zero());
        let values = prover.values(&ValueTheory::new(graph, law))?;
        let denominator = values.iter().fold(BigUint::one(), |all, value| {
            all.lcm(value.0.denom().magnitude())
        });
        let numerators: Vec<BigUint> = values
            .iter()
            .map(|value| value.0.numer().magnitude() * (&denominator / value.0.denom().magnitude()))
            .collect();
        // A value of 1 promises no win, so nothing has to be ranked there.
        let start = |position: usize| match graph.ending(position) {
            None if numerators[position] != denominator => LAST,
            _ => 0,
        };
        let mut ranks: Vec<u64> = (0..graph.len()).map(start).collect();
        prover.settle(
            "finding ranks",
            &mut ranks,
            |ranks: &Vec<u64>, position| {
                if ranks[position] != LAST {
                    return Ok(None);
                }
                let of = |to: usize| (&numerators[to], ranks[to]);
                let (_, rank) = graph.turn(position, Player::Alice, |to| of(to.to), Ord::cmp);
                Ok((rank != LAST).then(|| rank + 1))
            },
            |ranks, position, rank| ranks[position] = rank,
        )?;
        if let Some(position) = ranks.iter().position(|rank| *rank == LAST) {
            return Err(refused(format!(
                "the value of position {position} has no proof by ranks"
            )));
        }
        let most = ranks.iter().copied().max().unwrap_or(0);
        let rooms = [fit::<usize>(denominator.bits()), width(most)];
        Ok(Self {
            denominator,
            numerators,
            ranks,
            rooms,
        })
    }
}

impl Claims for RankedValues {
    fn reader(&self) -> String {
        let [value, rank] = self.rooms;
        format!("(both (number {value}) (number {rank}))")
    }

    fn write(&self, position: usize, bits: &mut BitStream) {
        bits.big(&self.numerators[position], self.rooms[0]);
        bits.number(self.ranks[position], self.rooms[1]);
    }
}

/// Thresholds in half chips as a listing in Coq has them.
pub(super) struct StairClaims {
    /// The pairs of a stage and a threshold at each position, one after the other.
    pub rows: Vec<Vec<i32>>,
    rooms: [usize; 3],
}

impl StairClaims {
    pub fn of(prover: Prover<'_>, player: Player, total: i32) -> Result<Self> {
        let mut rows = prover.stairs(player, total)?;
        if prover.graph.ordered {
            // Certificates need no stages where play ends; the theory takes the number of moves.
            let stages = rows.iter_mut().map(|row| row.first_mut());
            for (stage, height) in stages.zip(heights(prover.graph)) {
                stage.into_iter().for_each(|stage| *stage = height);
            }
        }
        let most = |part: usize| {
            let parts = rows.iter().flat_map(|row| row.iter().skip(part).step_by(2));
            width(u64::from(parts.max().copied().unwrap_or(0).unsigned_abs()))
        };
        let longest = rows.iter().map(|row| row.len() / 2).max().unwrap_or(0);
        let rooms = [width(longest as u64), most(0), most(1)];
        Ok(Self { rows, rooms })
    }
}

impl Claims for StairClaims {
    fn reader(&self) -> String {
        let [count, stage, half_chips] = self.rooms;
        format!("(counted {count} (both (number {stage}) (number {half_chips})))")
    }

    fn write(&self, position: usize, bits: &mut BitStream) {
        let row = &self.rows[position];
        bits.number(row.len() as u64 / 2, self.rooms[0]);
        for (number, room) in row.iter().zip(self.rooms[1..].iter().cycle()) {
            bits.number(u64::from(number.unsigned_abs()), *room);
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
    pub fn of(prover: Prover<'_>, player: Player, total: i32) -> Result<Self> {
        let graph = prover.graph;
        let mut ranks: Vec<[Vec<u64>; 2]> = vec![Default::default(); graph.len()];
        let heights = heights(graph);
        for holder in Player::BOTH {
            let (mut rules, mut status) = (graph.rules.clone(), holder as usize);
            if !rules.ties.has_status() {
                // If the same player wins all ties, there is no holder: each of the two cases is a
                // rule of its own.
                rules.ties = match holder {
                    Player::Alice => TieBreak::LadiesFirst,
                    Player::Bob => TieBreak::GentlemenFirst,
                };
                status = 0;
            }
            let graph = graph.under(&rules);
            let (_, states) = Prover { graph: &graph }.set(NeededSet::forced(player), total)?;
            for (position, ranks) in ranks.iter_mut().enumerate() {
                let rank = |chips| {
                    let alice = match player {
                        Player::Alice => chips,
                        Player::Bob => total - chips,
                    };
                    match states.rank(position, status, alice) {
                        rank if rank < 0 => 0,
                        // In a game that always ends the set has no distances, and the height falls
                        // with every move.
                        _ if graph.ordered => fit::<u64>(heights[position]) + 1,
                        rank => fit::<u64>(rank) + 1,
                    }
                };
                ranks[seen_by(player, holder) as usize] = (0..=total).map(rank).collect();
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
}

impl Claims for RankedOutcomes {
    fn reader(&self) -> String {
        let ranks = format!("(times {} (number {}))", self.total + 1, self.room);
        format!("(both {ranks} {ranks})")
    }

    fn write(&self, position: usize, bits: &mut BitStream) {
        for rank in self.ranks[position].iter().flatten() {
            bits.number(*rank, self.room);
        }
    }
}

/// Returns a player as the first player sees them: Bob, if he is the first, is called Alice.
pub(super) fn seen_by(first: Player, player: Player) -> Player {
    match first {
        Player::Alice => player,
        Player::Bob => player.other(),
    }
}

/// Returns the greatest number of moves that play can take from each position, if play ends.
fn heights(graph: &CertifiedGraph<'_>) -> Vec<i32> {
    let mut heights = vec![0; graph.len()];
    if graph.ordered {
        for position in (0..graph.len()).rev() {
            // Moves lead to greater numbers, so the heights of successors are final.
            let heads = Player::both(|player| graph.moves(position, player));
            let heads = heads.into_iter().flatten();
            heights[position] = heads
                .map(|to| heights[fit::<usize>(*to)] + 1)
                .max()
                .unwrap_or(0);
        }
    }
    heights
}
