//! Checks bounds of values under real-valued bids, whatever part of the winning bid goes to the
//! bank. The section "Bounds" of `docs/certificates.md` describes the check and proves that it
//! suffices.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::listing::look;
use super::values::{BackwardStep, NEVER, ValueTheory, same_rank};
use super::{Checked, malformed, unproved};
use crate::format::{self, Fraction, Rows};
use crate::player::Player;
use crate::rules::{Draws, Rules};

/// A lower and an upper bound for each position.
#[derive(Clone, Copy)]
pub struct CheckedBounds<'c> {
    /// The theory of the values that are bounded.
    pub theory: &'c ValueTheory<'c>,
    /// The lower bounds, which Bob guarantees.
    pub low: &'c [Fraction],
    /// The upper bounds, which Alice guarantees.
    pub high: &'c [Fraction],
}

/// Two positions.
pub type Pair = (usize, usize);

/// The reason why two positions are mirror images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reflection {
    /// The pairs of successors that must be mirror images. There are none if the bounds are exact.
    pub pairs: Vec<Pair>,
    /// `true` if these pairs must be listed later.
    pub later: bool,
}

/// Returns the player who must make play end for the bound against play without end, or `None` if a
/// draw is half a win.
pub fn seeker(rules: &Rules) -> Option<Player> {
    match rules.draws {
        Draws::Neither | Draws::Bob => Some(Player::Alice),
        Draws::Alice => Some(Player::Bob),
        Draws::Half => None,
    }
}

/// Checks bounds with ranks, and returns the bounds of position 0.
pub(super) fn check<'c>(
    theory: &'c ValueTheory<'c>,
    proof: &'c format::BoundsProof,
) -> Checked<[BigRational; 2]> {
    let Some(seeker) = seeker(theory.graph.rules) else {
        return unproved("where a draw is half a win there are no bounds");
    };
    let graph = theory.graph;
    if [proof.low.len(), proof.high.len(), proof.ranks.len()] != [graph.len(); 3] {
        return malformed("`proof` does not have two bounds and a rank for every position");
    }
    let bounds = CheckedBounds {
        theory,
        low: &proof.low,
        high: &proof.high,
    };
    let against = bounds.of(seeker);
    graph.each("checking bounds", |position| {
        bounds.follow(position)?;
        let rank = against.bounded_rank(seeker, &proof.ranks, position);
        same_rank(position, proof.ranks[position], rank)
    })?;
    match &proof.mirror {
        None => Ok([proof.low[0].0.clone(), proof.high[0].0.clone()]),
        Some(pairs) => {
            bounds.mirror(pairs)?;
            Ok([(); 2].map(|()| BigRational::new(1.into(), 2.into())))
        }
    }
}

impl BackwardStep<'_> {
    /// Computes the rank that a position must have by the bounds against play without end, or
    /// `None` if it has none.
    pub fn bounded_rank(&self, seeker: Player, ranks: &[i32], position: usize) -> Option<i32> {
        if self.is_safe(seeker, position) {
            return Some(0);
        }
        let rank_of = |to: super::CertifiedMove| {
            Some(ranks[to.to])
                .filter(|rank| *rank >= 0)
                .unwrap_or(NEVER)
        };
        let movers = Player::BOTH.into_iter();
        let least = movers
            .filter_map(|mover| self.far(position, mover, seeker, rank_of))
            .min();
        least.and_then(|rank| rank.checked_add(1))
    }

    fn is_safe(&self, seeker: Player, position: usize) -> bool {
        let [alice, bob] = Player::BOTH.map(|player| self.best(position, player));
        self.theory.graph.ending(position).is_some()
            || self.says_nothing(seeker, position)
            || self.value_at(position) != self.values[position].0
            || self.theory.is_taxed() && alice.is_some() && bob.is_some() && alice != bob
    }
}

impl<'c> CheckedBounds<'c> {
    /// Returns the bounds that a player guarantees.
    pub fn of(&self, player: Player) -> BackwardStep<'c> {
        self.theory.step(match player {
            Player::Alice => self.high,
            Player::Bob => self.low,
        })
    }

    /// Accepts a position whose bounds follow from those of its successors.
    pub(super) fn follow(&self, position: usize) -> Checked<()> {
        let (low, high) = (&self.low[position].0, &self.high[position].0);
        if *low < BigRational::zero() || low > high || *high > BigRational::one() {
            return unproved(format!(
                "the bounds of position {position} do not lie between 0 and 1 in this order"
            ));
        }
        self.theory
            .nobody_wants_to_lose(self.low, self.high, position)?;
        if Player::BOTH
            .into_iter()
            .all(|player| self.of(player).holds(player, position))
        {
            return Ok(());
        }
        unproved(format!(
            "a bound of position {position} does not follow from those it leads to"
        ))
    }

    /// Checks that listed pairs are mirror images, and that position 0 is its own.
    fn mirror(&self, pairs: &Rows) -> Checked<()> {
        let graph = self.theory.graph;
        let mut places: HashMap<Pair, usize> = HashMap::new();
        for index in 0..pairs.len() {
            let &[a, b] = pairs.row(index) else {
                return malformed("a row of `mirror` is not a pair");
            };
            let Some(pair) = graph.inside(a).zip(graph.inside(b)) else {
                return malformed("`mirror` names no position");
            };
            if places.insert(pair, index).is_some() {
                return malformed("`mirror` names a pair twice");
            }
        }
        if places.get(&(0, 0)) != Some(&0) {
            return malformed("`mirror` does not begin with position 0");
        }
        for (done, (&(a, b), index)) in places.iter().enumerate() {
            look(graph.context, "checking mirror images", done, places.len())?;
            let listed = |pair: &Pair, later: bool| {
                places
                    .get(pair)
                    .is_some_and(|place| place > index || !later)
            };
            let shown = self
                .reflect(a, b)
                .is_some_and(|Reflection { pairs, later }| {
                    pairs.iter().all(|pair| listed(pair, later))
                });
            if !shown {
                return unproved(format!(
                    "positions {a} and {b} are not shown to be mirror images"
                ));
            }
        }
        Ok(())
    }

    /// Returns the reason why two positions are mirror images, if they are.
    pub fn reflect(&self, a: usize, b: usize) -> Option<Reflection> {
        let (low, high, graph) = (self.low, self.high, self.theory.graph);
        let shown = |pairs: &[Pair], later| {
            let pairs = pairs.to_vec();
            Some(Reflection { pairs, later })
        };
        if low[a] == high[a] && low[b] == high[b] {
            return shown(&[], false).filter(|_| (&low[a].0 + &low[b].0).is_one());
        }
        if graph.ending(a).or(graph.ending(b)).is_some() {
            return None;
        }
        let best = |position, player| self.surely_best(position, player);
        let can = |position| Player::BOTH.map(|player| !graph.moves(position, player).is_empty());
        let [alice, bob] = can(a);
        if can(b) != [bob, alice] {
            return None;
        }
        if !(alice && bob) {
            let mover = if alice { Player::Alice } else { Player::Bob };
            return shown(&[(best(a, mover)?, best(b, mover.other())?)], true);
        }
        let (of_alice, of_bob) = (best(a, Player::Alice)?, best(a, Player::Bob)?);
        let apart = high[of_alice] < low[of_bob] || high[of_bob] < low[of_alice];
        let pairs = [
            (of_alice, best(b, Player::Bob)?),
            (of_bob, best(b, Player::Alice)?),
        ];
        shown(&pairs, false).filter(|_| self.theory.is_taxed() && apart)
    }

    /// Finds a move that the bounds prove to be a player's best.
    fn surely_best(&self, position: usize, player: Player) -> Option<usize> {
        let (low, high) = (self.low, self.high);
        let moves = || {
            self.theory
                .graph
                .moves(position, player)
                .iter()
                .map(|to| *to as usize)
        };
        let best = match player {
            Player::Alice => moves().min_by_key(|to| &high[*to]),
            Player::Bob => moves().max_by_key(|to| &low[*to]),
        }?;
        let no_better = |other: usize| match player {
            Player::Alice => high[best] <= low[other],
            Player::Bob => high[other] <= low[best],
        };
        moves()
            .all(|other| other == best || no_better(other))
            .then_some(best)
    }
}
