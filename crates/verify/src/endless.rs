//! Checks values under which endless play has a winner, by priorities (`objective: buchi`,
//! `parity`) or by its mean payoff. The section "Promises" of `docs/certificates.md` describes the
//! check and proves that it suffices.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::bounds::CheckedBounds;
use super::listing::CertifiedMove;
use super::values::{BackwardStep, ValueLaw, ValueTheory};
use super::{Checked, malformed, unproved};
use crate::format::{EndlessProof, Fraction, MeansProof};
use crate::player::{PerPlayer, Player};
use crate::rules::Draws;

/// The priority of a position without one, which is the worst for either player.
const WORST: u32 = u32::MAX;

/// Checks bounds with ranks, and returns the bounds of position 0.
pub(super) fn ranked(theory: &ValueTheory<'_>, proof: &EndlessProof) -> Checked<[BigRational; 2]> {
    let ranks = PerPlayer::new(&proof.high_ranks, &proof.low_ranks);
    if [ranks.alice.len(), ranks.bob.len()] != [theory.graph.len(); 2] {
        return malformed("`proof` does not have two ranks for every position");
    }
    let [low, high] = [&proof.low[..], &proof.high[..]];
    check(CheckedBounds { theory, low, high }, |promise| {
        let (ranks, name) = (ranks[promise.player], promise.player.name());
        let none = vec![0; promise.bad.len()];
        let fits = |position: usize| {
            let row = ranks.row(position);
            let needed = if promise.level[position] {
                none.len()
            } else {
                0
            };
            row.len() == needed && row.iter().all(|number| *number >= 0)
        };
        if !(0..ranks.len()).all(fits) {
            return malformed(format!("{name}'s ranks do not go with the bounds"));
        }
        let rank_of = |position: usize| match promise.level[position] {
            true => ranks.row(position),
            false => &none,
        };
        promise.each_level("checking ranks", |position| {
            match promise.rank(position, rank_of).as_deref() == Some(ranks.row(position)) {
                true => Ok(()),
                false => unproved(format!(
                    "{name}'s rank at position {position} does not follow"
                )),
            }
        })
    })
}

/// Checks bounds with potentials, and returns the bounds of position 0.
pub(super) fn paid(theory: &ValueTheory<'_>, proof: &MeansProof) -> Checked<[BigRational; 2]> {
    if theory.is_taxed() {
        return unproved("under this payment mean payoffs have no certificate");
    }
    let potentials = PerPlayer::new(&proof.high_potentials, &proof.low_potentials);
    if [potentials.alice.len(), potentials.bob.len()] != [theory.graph.len(); 2] {
        return malformed("`proof` does not have two potentials for every position");
    }
    let [low, high] = [&proof.low[..], &proof.high[..]];
    check(CheckedBounds { theory, low, high }, |promise| {
        let (potentials, name) = (potentials[promise.player], promise.player.name());
        promise.each_level("checking potentials", |position| {
            match promise.is_paid(position, potentials) {
                true => Ok(()),
                false => unproved(format!(
                    "{name}'s potential at position {position} is not kept"
                )),
            }
        })
    })
}

/// Checks that the bounds follow from each other, and that each player can keep their promise.
fn check(
    bounds: CheckedBounds<'_>,
    keeps: impl Fn(&PlayerBound<'_>) -> Checked<()>,
) -> Checked<[BigRational; 2]> {
    let CheckedBounds { theory, low, high } = bounds;
    if theory.graph.rules.draws == Draws::Half {
        return unproved("half a win has no meaning for an objective of infinite play");
    }
    if matches!(&theory.law, ValueLaw::Tossed(coin) if coin.is_zero() || coin.is_one()) {
        return unproved("without chance an objective of infinite play takes another proof");
    }
    if [low.len(), high.len()] != [theory.graph.len(); 2] {
        return malformed("`proof` does not have two bounds for every position");
    }
    theory
        .graph
        .each("checking bounds", |position| bounds.follow(position))?;
    for player in Player::BOTH {
        keeps(&PlayerBound::new(bounds.of(player), player))?;
    }
    Ok([low[0].0.clone(), high[0].0.clone()])
}

/// The promise of a player: the bounds that this player guarantees.
pub struct PlayerBound<'c> {
    /// The bounds.
    pub step: BackwardStep<'c>,
    /// The player who guarantees them.
    pub player: Player,
    /// `true` if a mean payoff of 0 suffices for the player.
    zero_suffices: bool,
    /// The priorities that are bad for the player, the greatest first. Bob's are 1 greater than in
    /// the listing, so that bad priorities are odd for either player.
    pub bad: Vec<u32>,
    /// For each position, `true` if it is level: the promise says something there, and a turn leads
    /// to the same bound whoever wins it.
    pub level: Vec<bool>,
}

impl<'c> PlayerBound<'c> {
    /// Creates Alice's promise of upper bounds, or Bob's of lower ones.
    pub fn new(step: BackwardStep<'c>, player: Player) -> Self {
        let mut promise = Self {
            step,
            player,
            zero_suffices: (step.theory.graph.rules.draws == Draws::Alice)
                == (player == Player::Alice),
            bad: Vec::new(),
            level: Vec::new(),
        };
        let graph = step.theory.graph;
        let open = (0..graph.len()).filter(|position| graph.ending(*position).is_none());
        let priorities = open.map(|position| promise.priority(position));
        let bad: BTreeSet<u32> = priorities.filter(|priority| priority % 2 == 1).collect();
        promise.bad = bad.into_iter().rev().collect();
        promise.level = (0..graph.len())
            .map(|position| promise.is_level(position))
            .collect();
        promise
    }

    /// Returns the priority of a position, shifted by 1 for Bob, so that odd priorities are bad for
    /// the player.
    fn priority(&self, position: usize) -> u32 {
        let priority = self.step.theory.graph.priority(position);
        let more = if self.player == Player::Bob { 1 } else { 0 };
        priority.map_or(WORST, |priority| priority + more)
    }

    fn is_level(&self, position: usize) -> bool {
        let same = |winner| self.step.won(position, winner) == &self.step.values[position];
        self.step.theory.graph.ending(position).is_none()
            && !self.step.says_nothing(self.player, position)
            && Player::BOTH.into_iter().all(same)
    }

    /// Checks the level positions.
    fn each_level(&self, stage: &str, check: impl Fn(usize) -> Checked<()>) -> Checked<()> {
        let graph = self.step.theory.graph;
        graph.each(stage, |position| match self.level[position] {
            true => check(position),
            false => Ok(()),
        })
    }

    /// Evaluates the turn won by the player, and the one won by the other: `of` gives the value of
    /// a move.
    fn turns<T: Ord>(&self, position: usize, of: impl Fn(CertifiedMove) -> T) -> [T; 2] {
        [self.player, self.player.other()]
            .map(|winner| self.step.leads(position, winner, self.player, &of))
    }

    /// Computes the rank that a level position must have, or `None` if there is none.
    pub fn rank<'r>(
        &self,
        position: usize,
        rank_of: impl Fn(usize) -> &'r [i32],
    ) -> Option<Vec<i32>> {
        let [own, other] = self.turns(position, |to| rank_of(to.to));
        let lucky = match self.step.theory.law {
            ValueLaw::Tossed(_) => own.min(other),
            ValueLaw::Taxed(_) => own,
        };
        let greatest = own.max(other);
        let priority = self.priority(position);
        let levels = self.bad.iter().filter(|bad| **bad >= priority).count();
        let kept = priority
            .is_multiple_of(2)
            .then(|| self.down_to(greatest, levels));
        let lower = (0..levels).filter_map(|level| {
            if greatest[..level] == lucky[..level] {
                self.raised(self.down_to(lucky, level + 1), level)
            } else {
                Some(self.down_to(greatest, level))
            }
        });
        kept.into_iter().chain(lower).min()
    }

    /// Returns the first `count` numbers of a rank, followed by zeros.
    fn down_to(&self, rank: &[i32], count: usize) -> Vec<i32> {
        let mut rank = rank[..count].to_vec();
        rank.resize(self.bad.len(), 0);
        rank
    }

    /// Returns the least rank that is greater in the numbers up to a place. The numbers are at most
    /// the number of positions; returns `None` if there is no such rank.
    fn raised(&self, mut rank: Vec<i32>, place: usize) -> Option<Vec<i32>> {
        for place in (0..=place).rev() {
            if (rank[place] as usize) < self.level.len() {
                rank[place] += 1;
                return Some(rank);
            }
            rank[place] = 0;
        }
        None
    }

    /// Returns `true` if the potential of a level position satisfies the condition of the promise.
    pub fn is_paid(&self, position: usize, potentials: &[Fraction]) -> bool {
        // The sign is chosen so that the player prefers lesser numbers.
        let seen = |height: BigRational| match self.player {
            Player::Alice => -height,
            Player::Bob => height,
        };
        let [own, other] = self.turns(position, |to| {
            let weight = self.step.theory.graph.weight(position, to.mover, to.index);
            seen(&potentials[to.to].0 + weight)
        });
        let mean = match &self.step.theory.law {
            // A player who would rather lose the bid cannot count on losing it, so only the turn
            // that the player wins counts.
            ValueLaw::Taxed(_) if own > other => own,
            ValueLaw::Taxed(_) => (own + other) / BigRational::from_integer(2.into()),
            ValueLaw::Tossed(coin) => {
                let rest = BigRational::one() - coin;
                match self.player {
                    Player::Alice => own * coin + other * rest,
                    Player::Bob => own * rest + other * coin,
                }
            }
        };
        let before = seen(potentials[position].0.clone());
        mean < before || self.zero_suffices && mean == before
    }
}
