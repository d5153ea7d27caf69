//! Bounds of values under real-valued bids, whatever part of the winning bid goes to the bank: the
//! section "Bounds" of `docs/certificates.md` says what is checked, and why that is enough.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::listing::look;
use super::values::{BackwardStep, NEVER, ValueTheory, same_rank};
use super::{Checked, malformed, unproved};
use crate::format::{self, Fraction, Rows};
use crate::player::Player;
use crate::rules::{Draws, Rules};

/// A lower and an upper bound of each position.
#[derive(Clone, Copy)]
pub struct CheckedBounds<'c> {
    /// What they are bounds of.
    pub theory: &'c ValueTheory<'c>,
    /// Lower bounds: Bob sees to them.
    pub low: &'c [Fraction],
    /// Upper bounds: Alice sees to them.
    pub high: &'c [Fraction],
}

/// Two positions.
pub type Pair = (usize, usize);

/// Why two positions are mirror images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reflection {
    /// These pairs are; none where the bounds are exact.
    pub pairs: Vec<Pair>,
    /// Whether they must be listed later.
    pub later: bool,
}

/// Who must see to it that play ends for the bound against play without end; nobody where a draw is
/// half a win.
pub fn seeker(rules: &Rules) -> Option<Player> {
    match rules.draws {
        Draws::Neither | Draws::Bob => Some(Player::Alice),
        Draws::Alice => Some(Player::Bob),
        Draws::Half => None,
    }
}

/// Checks bounds with ranks; gives those of position 0.
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
    /// The rank that a position must have by the bounds against play without end; `None` if it has
    /// none.
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
    /// The bounds that a player sees to.
    pub fn of(&self, player: Player) -> BackwardStep<'c> {
        self.theory.step(match player {
            Player::Alice => self.high,
            Player::Bob => self.low,
        })
    }

    /// Passes a position whose bounds follow from those it leads to.
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

    /// Checks that listed pairs are mirror images, and position 0 its own.
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

    /// Why two positions are mirror images, if they are.
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

    /// A move that the bounds show to be a player's best.
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
