//! Values under real-valued bids and random turns: the section "Values" of `docs/certificates.md`
//! says what is checked, and why that is enough.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::listing::{CertifiedMove, least_for};
use super::{CertifiedGraph, Checked, malformed, unproved};
use crate::format::Fraction;
use crate::player::{Ending, Player};
use crate::rules::{Draws, Winner};

/// The rank of what has none, when ranks are compared.
pub(super) const NEVER: i32 = i32::MAX;

/// How the value of a position follows from lo and hi.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueLaw {
    /// Bidding, where this part of the winning bid goes to the bank.
    Taxed(BigRational),
    /// A coin that falls for Alice with this probability.
    Tossed(BigRational),
}

/// What the values of the listed positions are of.
#[derive(Clone)]
pub struct ValueTheory<'c> {
    /// The positions.
    pub graph: &'c CertifiedGraph<'c>,
    /// How values follow from each other.
    pub law: ValueLaw,
    /// What a draw, and play without end, is worth.
    draw: BigRational,
}

impl<'c> ValueTheory<'c> {
    /// The theory of rules with a law.
    pub fn new(graph: &'c CertifiedGraph<'c>, law: ValueLaw) -> Self {
        let draw = match graph.rules.draws {
            Draws::Neither | Draws::Bob => BigRational::one(),
            Draws::Alice => BigRational::zero(),
            Draws::Half => BigRational::new(1.into(), 2.into()),
        };
        Self { graph, law, draw }
    }

    /// One step back from values.
    pub fn step(&'c self, values: &'c [Fraction]) -> BackwardStep<'c> {
        BackwardStep {
            theory: self,
            values,
        }
    }

    /// Whether part of a bid goes to the bank.
    pub(super) fn is_taxed(&self) -> bool {
        matches!(&self.law, ValueLaw::Taxed(part) if !part.is_zero())
    }

    /// The value of a position whose turn one player wins to get to `low`, the other to `high`.
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

    /// Who must see to it that play ends for a value, if play without end is worth another.
    fn owner(&self, value: &Fraction) -> Option<Player> {
        match value.0.cmp(&self.draw) {
            Ordering::Less => Some(Player::Alice),
            Ordering::Equal => None,
            Ordering::Greater => Some(Player::Bob),
        }
    }

    /// Passes a position where nobody would rather lose the bid, by lower and upper bounds of the
    /// values, if whoever wins it must move: Alice's least upper bound is below Bob's greatest
    /// lower one (or equal, if play ends), or there is a move that both have.
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

/// Checks values, and ranks where they are needed.
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

/// Passes the rank that a position must have.
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

/// One step back from the values of the positions that follow.
#[derive(Clone, Copy)]
pub struct BackwardStep<'c> {
    pub(super) theory: &'c ValueTheory<'c>,
    /// The value of each position.
    pub values: &'c [Fraction],
}

impl<'c> BackwardStep<'c> {
    /// The value that a position must have.
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

    /// The best value that a player can move to.
    pub(super) fn best(&self, position: usize, mover: Player) -> Option<&'c Fraction> {
        let graph = self.theory.graph;
        graph.best(position, mover, |to| &self.values[to.to], Ord::cmp)
    }

    /// The value that the winner of a turn gets to.
    pub(super) fn won(&self, position: usize, winner: Player) -> &'c Fraction {
        let graph = self.theory.graph;
        graph.turn(position, winner, |to| &self.values[to.to], Ord::cmp)
    }

    /// How far a player's moves of the best value lead, as `of` says it of a move, if there are
    /// moves. Where several are as good, `owner` takes the least, the other the greatest.
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

    /// How far a turn leads that a player wins.
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

    /// The rank that a position must have; `None` if nothing says that play from there ends.
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

    /// Whether a bound follows from those of the next positions: Alice sees to upper ones, Bob to
    /// lower ones.
    pub fn holds(&self, player: Player, position: usize) -> bool {
        let (own, made) = (&self.values[position].0, self.value_at(position));
        match player {
            _ if self.theory.graph.ending(position).is_some() => *own == made,
            Player::Alice => *own >= made,
            Player::Bob => *own <= made,
        }
    }

    /// Whether the bound that a player sees to says nothing.
    pub(super) fn says_nothing(&self, player: Player, position: usize) -> bool {
        match player {
            Player::Alice => self.values[position].0.is_one(),
            Player::Bob => self.values[position].0.is_zero(),
        }
    }
}

/// Values first, then how far it is: `owner` takes the least of that, the other the greatest.
fn by_value<'v, T: Ord>(
    owner: Player,
) -> impl Fn(&(&'v Fraction, T), &(&'v Fraction, T)) -> Ordering {
    move |(a, far), (b, farther)| a.cmp(b).then_with(|| least_for(owner, far.cmp(farther)))
}
