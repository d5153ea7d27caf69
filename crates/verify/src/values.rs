//! Checks values under real-valued bids and random turns. The section "Values" of
//! `docs/certificates.md` describes the check and proves that it suffices.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::listing::{CertifiedMove, least_for};
use super::{CertifiedGraph, Checked, malformed, unproved};
use crate::format::Fraction;
use crate::player::{Ending, Player};
use crate::rules::{Draws, Winner};

/// The rank of a position without one, when ranks are compared.
pub(super) const NEVER: i32 = i32::MAX;

/// The law by which the value of a position follows from lo and hi.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueLaw {
    /// Bidding, with this part of the winning bid going to the bank.
    Taxed(BigRational),
    /// A coin that falls for Alice with this probability.
    Tossed(BigRational),
}

/// The game and the law to which the listed values belong.
#[derive(Clone)]
pub struct ValueTheory<'c> {
    /// The positions.
    pub graph: &'c CertifiedGraph<'c>,
    /// The law by which values follow from each other.
    pub law: ValueLaw,
    /// The value of a draw, and of play without end.
    draw: BigRational,
}

impl<'c> ValueTheory<'c> {
    /// Creates the theory for a game and a law.
    pub fn new(graph: &'c CertifiedGraph<'c>, law: ValueLaw) -> Self {
        let draw = match graph.rules.draws {
            Draws::Neither | Draws::Bob => BigRational::one(),
            Draws::Alice => BigRational::zero(),
            Draws::Half => BigRational::new(1.into(), 2.into()),
        };
        Self { graph, law, draw }
    }

    /// Computes one step back from these values.
    pub fn step(&'c self, values: &'c [Fraction]) -> BackwardStep<'c> {
        BackwardStep {
            theory: self,
            values,
        }
    }

    /// Returns `true` if part of a bid goes to the bank.
    pub(super) fn is_taxed(&self) -> bool {
        matches!(&self.law, ValueLaw::Taxed(part) if !part.is_zero())
    }

    /// Computes the value of a position at which one player's win of the turn leads to `low` and
    /// the other's to `high`.
    fn value(&self, low: &BigRational, high: &BigRational) -> BigRational {
        let one = BigRational::one();
        match &self.law {
            ValueLaw::Tossed(p) => low * p + high * (one - p),
            ValueLaw::Taxed(t) if t.is_zero() => (low + high) / BigRational::from_integer(2.into()),
            ValueLaw::Taxed(t) => {
                let below = &one + &one - t + t * (high - low);
                (high + (one - t) * low) / below
            }
        }
    }

    /// Returns the player who must make play end for a value, if play without end has another
    /// value.
    fn owner(&self, value: &Fraction) -> Option<Player> {
        match value.0.cmp(&self.draw) {
            Ordering::Less => Some(Player::Alice),
            Ordering::Equal => None,
            Ordering::Greater => Some(Player::Bob),
        }
    }

    /// Accepts a position at which nobody would rather lose the bid, if its winner must move. Lower
    /// and upper bounds of the values prove this if Alice's least upper bound is below Bob's
    /// greatest lower one (or equal, if play ends), or if both players share a move.
    pub fn nobody_wants_to_lose(
        &self,
        low: &[Fraction],
        high: &[Fraction],
        position: usize,
    ) -> Checked<()> {
        let best = |values, player| self.step(values).best(position, player);
        let both = best(high, Player::Alice).zip(best(low, Player::Bob));
        let forced =
            self.graph.rules.winner == Winner::Moves && matches!(self.law, ValueLaw::Taxed(_));
        let Some((least, greatest)) = both.filter(|_| forced) else {
            return Ok(());
        };
        let common = || {
            let [of_alice, of_bob] = Player::BOTH.map(|player| self.graph.moves(position, player));
            let of_alice: BTreeSet<&i32> = of_alice.iter().collect();
            of_bob.iter().any(|to| of_alice.contains(to))
        };
        if least < greatest || self.graph.ordered && least == greatest || common() {
            return Ok(());
        }
        unproved(format!(
            "at position {position} a player may want to lose the bid, and then must not be made to move"
        ))
    }
}

/// Checks values, and ranks if they are needed.
pub(super) fn check(
    theory: &ValueTheory<'_>,
    values: &[Fraction],
    ranks: Option<&[i32]>,
) -> Checked<()> {
    let graph = theory.graph;
    if values.len() != graph.len() || ranks.is_some_and(|ranks| ranks.len() != graph.len()) {
        return malformed("`proof` does not have a value, or a rank, for every position");
    }
    match ranks {
        None if !graph.ordered => {
            return malformed("a listing whose positions come back needs `ranks`");
        }
        Some(_) if graph.ordered => {
            return malformed(
                "a listing in which every move leads to a greater number has no `ranks`",
            );
        }
        Some(_) if theory.is_taxed() => {
            return unproved(
                "where part of a bid goes to the bank and positions come back values need bounds",
            );
        }
        _ => {}
    }
    let step = theory.step(values);
    graph.each("checking values", |position| {
        theory.nobody_wants_to_lose(values, values, position)?;
        if values[position].0 != step.value_at(position) {
            return unproved(format!(
                "the value of position {position} does not follow from those it leads to"
            ));
        }
        ranks.map_or(Ok(()), |ranks| {
            same_rank(position, ranks[position], step.rank_at(position, ranks))
        })
    })
}

/// Checks the claimed rank of a position against the needed one.
pub(super) fn same_rank(position: usize, claimed: i32, needed: Option<i32>) -> Checked<()> {
    match needed {
        Some(rank) if rank == claimed => Ok(()),
        Some(rank) => unproved(format!(
            "the rank of position {position} is not {claimed}, but {rank}"
        )),
        None => unproved(format!(
            "nothing says that play from position {position} ends"
        )),
    }
}

/// Computes values and ranks from the values of the positions that follow.
#[derive(Clone, Copy)]
pub struct BackwardStep<'c> {
    pub(super) theory: &'c ValueTheory<'c>,
    /// The value of each position.
    pub values: &'c [Fraction],
}

impl<'c> BackwardStep<'c> {
    /// Computes the value that a position must have.
    pub fn value_at(&self, position: usize) -> BigRational {
        match self.theory.graph.ending(position) {
            Some(Ending::Win(Player::Alice)) => BigRational::zero(),
            Some(Ending::Win(Player::Bob)) => BigRational::one(),
            Some(Ending::Draw) => self.theory.draw.clone(),
            None => {
                let [low, high] = Player::BOTH.map(|winner| self.won(position, winner));
                self.theory.value(&low.0, &high.0)
            }
        }
    }

    /// Returns the best value to which a player can move.
    pub(super) fn best(&self, position: usize, mover: Player) -> Option<&'c Fraction> {
        let graph = self.theory.graph;
        graph.best(position, mover, |to| &self.values[to.to], Ord::cmp)
    }

    /// Returns the value that the winner of a turn reaches.
    pub(super) fn won(&self, position: usize, winner: Player) -> &'c Fraction {
        let graph = self.theory.graph;
        graph.turn(position, winner, |to| &self.values[to.to], Ord::cmp)
    }

    /// Returns the distance of a player's best move, if there is a move. `of` gives the distance of
    /// a move. Among moves of equally good value, `owner` takes the least distance, and the other
    /// the greatest.
    pub(super) fn far<T: Ord>(
        &self,
        position: usize,
        mover: Player,
        owner: Player,
        of: impl Fn(CertifiedMove) -> T,
    ) -> Option<T> {
        let of = |to: CertifiedMove| (&self.values[to.to], of(to));
        let best = self.theory.graph.best(position, mover, of, by_value(owner));
        best.map(|(_, far)| far)
    }

    /// Returns the distance to which a turn leads that a player wins.
    pub(super) fn leads<T: Ord>(
        &self,
        position: usize,
        winner: Player,
        owner: Player,
        of: impl Fn(CertifiedMove) -> T,
    ) -> T {
        let of = |to: CertifiedMove| (&self.values[to.to], of(to));
        let graph = self.theory.graph;
        let (_, far) = graph.turn(position, winner, of, by_value(owner));
        far
    }

    /// Computes the rank that a position must have, or `None` if nothing proves that play from
    /// there ends.
    pub fn rank_at(&self, position: usize, ranks: &[i32]) -> Option<i32> {
        let Some(owner) = self.theory.owner(&self.values[position]) else {
            return Some(-1);
        };
        if self.theory.graph.ending(position).is_some() {
            return Some(0);
        }
        let falls = |player: &Player| match (&self.theory.law, player) {
            (ValueLaw::Taxed(_), _) => true,
            (ValueLaw::Tossed(p), Player::Alice) => !p.is_zero(),
            (ValueLaw::Tossed(p), Player::Bob) => !p.is_one(),
        };
        let rank_of = |to: CertifiedMove| match self.theory.owner(&self.values[to.to]) {
            Some(player) if player == owner && ranks[to.to] >= 0 => ranks[to.to],
            _ => NEVER,
        };
        let turns = Player::BOTH.into_iter().filter(falls);
        let least = turns
            .map(|winner| self.leads(position, winner, owner, rank_of))
            .min();
        least.and_then(|rank| rank.checked_add(1))
    }

    /// Returns `true` if a bound follows from those of the next positions. Alice guarantees upper
    /// bounds, Bob lower ones.
    pub fn holds(&self, player: Player, position: usize) -> bool {
        let (own, made) = (&self.values[position].0, self.value_at(position));
        match player {
            _ if self.theory.graph.ending(position).is_some() => *own == made,
            Player::Alice => *own >= made,
            Player::Bob => *own <= made,
        }
    }

    /// Returns `true` if the bound that a player guarantees says nothing.
    pub(super) fn says_nothing(&self, player: Player, position: usize) -> bool {
        match player {
            Player::Alice => self.values[position].0.is_one(),
            Player::Bob => self.values[position].0.is_zero(),
        }
    }
}

/// Returns the order by value first and then by distance. `owner` takes the least distance, the
/// other the greatest.
fn by_value<'v, T: Ord>(
    owner: Player,
) -> impl Fn(&(&'v Fraction, T), &(&'v Fraction, T)) -> Ordering {
    move |(a, far), (b, farther)| a.cmp(b).then_with(|| least_for(owner, far.cmp(farther)))
}
