//! Bounds of thresholds under real-valued bids, whatever part t of the winning bid goes to the
//! bank.
//!
//! # What is checked
//! Each position has a lower and an upper bound, both in [0, 1]; at an ending both are its worth,
//! as in [`values`](super::values). Elsewhere let Φ be the law of that module, with lo the lesser
//! and hi the greater of Alice's least and Bob's greatest bound. The lower bounds L must have `L ≤
//! Φ(L)`, the upper ones U must have `Φ(U) ≤ U`. One of the two is *against play without end*: U
//! where that is worth 1 (Alice has not won), L where it is worth 0; its *seeker* is who must see
//! to it that play ends, Alice or Bob. There ranks are needed. A position is *safe*, of rank 0, if
//! it is an ending, or the bound says nothing (U = 1, L = 0), or is not kept exactly (`Φ(U) < U`,
//! `L < Φ(L)`), or if t > 0, both can move, and lo < hi. The rank of another is 1 more than the
//! lesser of two: the least rank of the seeker's best moves by that bound, the greatest rank of the
//! other's.
//!
//! # Why that is enough
//! The threshold g is the greatest solution of g = Φ(g) where play without end is worth 1. Φ rises
//! with its arguments, so `L ≤ Φ(L)` gives `L ≤ g` (Knaster & Tarski). Its two slopes are not
//! negative, and add up to `(2 − t)/(2 − t + t (hi − lo)) ≤ 1`. Let d be the greatest excess of g
//! over U, d > 0, and S the set of positions where it is d. At one of these `U + d = g = Φ(g) ≤
//! Φ(min(U + d, 1)) ≤ Φ(U) + d ≤ U + d`, so all are equal. So `Φ(U) = U < 1`. If t > 0 and lo < hi,
//! the slopes add up to less than 1, and Φ(g) < Φ(U) + d; so that is not so, or only one player can
//! move. In all cases left Φ rises by d only if what each player gets rises by d (if lo = hi, Φ of
//! two numbers that differ is less than the greater). So Alice's least g is d more than her least
//! U: all her best moves by U lead into S. And Bob's greatest g is d more than his greatest U: one
//! of his best moves by U leads into S. The position of S of least rank has a rank that follows
//! from lesser ones, which are outside of S: of one of Alice's best moves or of all of Bob's, a
//! contradiction. So `g ≤ U`. Where play without end is worth 0 the threshold is the least
//! solution, and everything is the other way round (if lo = hi, Φ of two lesser numbers that differ
//! is more than the lesser).
//!
//! # Mirror images
//! Where the answer is 1/2 because the players' parts are alike, pairs of positions are listed
//! whose thresholds have the sum 1, first position 0 with itself. Either their bounds are exact and
//! have that sum; or both players can move at both, the bounds of the two best moves from the first
//! do not touch, t > 0, and Alice's best move from the first with Bob's from the second is a listed
//! pair, and Bob's from the first with Alice's from the second; or one player alone can move at the
//! first and the other alone at the second, and their best moves are a pair that is listed later. A
//! move is best if the bounds show it.
//!
//! Let D > 0 be the greatest difference from 1 of the sum of a pair, and take the last pair where
//! it is D. Its bounds are not exact, and it is not moved from by one player alone, as a later pair
//! would have the same sum. The law is its own mirror image, 1 − Φ(lo, hi) = Φ(1 − hi, 1 − lo); so
//! the thresholds of the first, and 1 minus that of the second, are Φ of pairs of numbers that
//! differ by at most D each. Slopes whose sum is less than 1 at one of the two make less than D of
//! that, a contradiction.
//!
//! # Zugzwang
//! Under `winner: moves` that is the threshold too where nobody would rather lose the bid. The
//! check demands a move that both have, or that Alice's least upper bound is below Bob's greatest
//! lower one.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::listing::look;
use super::values::{self, Law, Theory};
use super::{Checked, Graph, malformed, unproved};
use crate::format;
use crate::format::{Fraction, Rows};
use crate::player::Player;
use crate::rules::{Draws, Rules};
use crate::watch::Context;

/// A lower or an upper bound of each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Lower bounds.
    Low,
    /// Upper bounds.
    High,
}

/// Why two positions are mirror images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reflection {
    /// Their bounds are exact.
    Known,
    /// These pairs are, after Alice's best move from the first and after Bob's.
    Turn([(usize, usize); 2]),
    /// This pair is, which must be listed later.
    Forced((usize, usize)),
}

/// One step back from bounds and ranks.
#[derive(Debug)]
pub struct Check<'c> {
    graph: &'c Graph<'c>,
    theory: Theory,
    /// Which of the bounds is against play without end.
    against: Side,
}

/// Checks bounds of a game.
pub(super) fn check(
    graph: &Graph<'_>,
    rules: &Rules,
    part: &BigRational,
    bounds: &format::Bounds,
    context: &Context<'_>,
) -> Checked<()> {
    let Some(check) = Check::new(graph, rules, part) else {
        return unproved("where a draw is half a win there are no bounds");
    };
    if [bounds.low.len(), bounds.high.len(), bounds.ranks.len()] != [graph.len(); 3] {
        return malformed("`proof` does not have two bounds and a rank for every position");
    }
    for position in 0..graph.len() {
        look(context, "checking bounds", position, graph.len())?;
        check.position(position, bounds)?;
    }
    bounds
        .mirror
        .as_ref()
        .map_or(Ok(()), |pairs| check.mirror(pairs, bounds, context))
}

/// The threshold of position 0, if checked bounds tell it.
pub(super) fn exact(bounds: &format::Bounds) -> Option<BigRational> {
    match &bounds.mirror {
        Some(_) => Some(BigRational::new(1.into(), 2.into())),
        None => Some(&bounds.low[0].0)
            .filter(|low| **low == bounds.high[0].0)
            .cloned(),
    }
}

impl<'c> Check<'c> {
    /// The step under rules with this part of a bid for the bank; none where a draw is half a win.
    pub fn new(graph: &'c Graph<'c>, rules: &Rules, part: &BigRational) -> Option<Self> {
        let against = match rules.draws {
            Draws::Neither | Draws::Bob => Side::High,
            Draws::Alice => Side::Low,
            Draws::Half => return None,
        };
        Some(Self {
            graph,
            theory: Theory::new(rules, Law::Taxed(part.clone())),
            against,
        })
    }

    /// The step of one of the bounds by itself.
    pub fn of(graph: &'c Graph<'c>, theory: Theory, against: Side) -> Self {
        Self {
            graph,
            theory,
            against,
        }
    }

    /// Which of the bounds is against play without end.
    pub fn against(&self) -> Side {
        self.against
    }

    fn position(&self, position: usize, bounds: &format::Bounds) -> Checked<()> {
        let (low, high) = (&bounds.low[position].0, &bounds.high[position].0);
        if *low < BigRational::zero() || low > high || *high > BigRational::one() {
            return unproved(format!(
                "the bounds of position {position} do not lie between 0 and 1 in this order"
            ));
        }
        self.nobody_wants_to_lose(&bounds.low, &bounds.high, position)?;
        let (against, other) = match self.against {
            Side::Low => (&bounds.low, (Side::High, &bounds.high)),
            Side::High => (&bounds.high, (Side::Low, &bounds.low)),
        };
        if !self.holds(other.0, other.1, position) || !self.holds(self.against, against, position) {
            return unproved(format!(
                "a bound of position {position} does not follow from those it leads to"
            ));
        }
        match self.rank(against, &bounds.ranks, position) {
            Some(rank) if rank == bounds.ranks[position] => Ok(()),
            Some(rank) => unproved(format!(
                "the rank of position {position} is not {}, but {rank}",
                bounds.ranks[position]
            )),
            None => unproved(format!(
                "nothing says that play from position {position} ends"
            )),
        }
    }

    /// Whether a bound follows from those of the next positions.
    pub fn holds(&self, side: Side, values: &[Fraction], position: usize) -> bool {
        let (own, made) = (&values[position].0, self.made(values, position));
        match side {
            _ if self.graph.ending(position).is_some() => *own == made,
            Side::Low => *own <= made,
            Side::High => *own >= made,
        }
    }

    /// What the players make of a position.
    pub fn made(&self, values: &[Fraction], position: usize) -> BigRational {
        values::Check {
            graph: self.graph,
            theory: &self.theory,
            values,
            ranks: None,
        }
        .value_at(position)
    }

    /// The best that each player can move to.
    fn best<'v>(&self, values: &'v [Fraction], position: usize) -> [Option<&'v BigRational>; 2] {
        let of = |player| {
            self.graph
                .moves(position, player)
                .iter()
                .map(|to| &values[*to as usize].0)
        };
        [of(Player::Alice).min(), of(Player::Bob).max()]
    }

    /// The rank that a position must have by the bounds against play without end; `None` if it has
    /// none.
    pub fn rank(&self, values: &[Fraction], ranks: &[i32], position: usize) -> Option<i32> {
        if self.is_safe(values, position) {
            return Some(0);
        }
        let best = self.best(values, position);
        let ranks_of = |player: Player| {
            let moves = self
                .graph
                .moves(position, player)
                .iter()
                .map(|to| *to as usize);
            let moves = moves.filter(move |to| Some(&values[*to].0) == best[player as usize]);
            moves.map(move |to| if ranks[to] < 0 { i32::MAX } else { ranks[to] })
        };
        let seeker = match self.against {
            Side::Low => Player::Bob,
            Side::High => Player::Alice,
        };
        let least = ranks_of(seeker)
            .min()
            .into_iter()
            .chain(ranks_of(seeker.other()).max())
            .min();
        least.and_then(|rank| rank.checked_add(1))
    }

    fn is_safe(&self, values: &[Fraction], position: usize) -> bool {
        let own = &values[position].0;
        let says_nothing = match self.against {
            Side::Low => own.is_zero(),
            Side::High => own.is_one(),
        };
        if self.graph.ending(position).is_some()
            || says_nothing
            || self.made(values, position) != *own
        {
            return true;
        }
        let [alice, bob] = self.best(values, position);
        self.theory.is_taxed() && alice.is_some() && bob.is_some() && alice != bob
    }

    /// Checks that listed pairs are mirror images, and position 0 its own.
    fn mirror(&self, pairs: &Rows, bounds: &format::Bounds, context: &Context<'_>) -> Checked<()> {
        let mut places = HashMap::new();
        for index in 0..pairs.len() {
            let &[a, b] = pairs.row(index) else {
                return malformed("a row of `mirror` is not a pair");
            };
            let inside = |position: i32| {
                usize::try_from(position)
                    .ok()
                    .filter(|position| *position < self.graph.len())
            };
            let Some(pair) = inside(a).zip(inside(b)) else {
                return malformed("`mirror` names no position");
            };
            if places.insert(pair, index).is_some() {
                return malformed("`mirror` names a pair twice");
            }
        }
        if places.get(&(0, 0)) != Some(&0) {
            return malformed("`mirror` does not begin with position 0");
        }
        for (done, (pair, index)) in places.iter().enumerate() {
            look(context, "checking mirror images", done, places.len())?;
            let shown = match self.reflect(&bounds.low, &bounds.high, pair.0, pair.1) {
                Some(Reflection::Known) => true,
                Some(Reflection::Turn(pairs)) => pairs.iter().all(|pair| places.contains_key(pair)),
                Some(Reflection::Forced(next)) => {
                    places.get(&next).is_some_and(|later| later > index)
                }
                None => false,
            };
            if !shown {
                return unproved(format!(
                    "positions {} and {} are not shown to be mirror images",
                    pair.0, pair.1
                ));
            }
        }
        Ok(())
    }

    /// Why two positions are mirror images, if they are.
    pub fn reflect(
        &self,
        low: &[Fraction],
        high: &[Fraction],
        a: usize,
        b: usize,
    ) -> Option<Reflection> {
        if low[a] == high[a] && low[b] == high[b] {
            return (&low[a].0 + &low[b].0)
                .is_one()
                .then_some(Reflection::Known);
        }
        if self.graph.ending(a).or(self.graph.ending(b)).is_some() {
            return None;
        }
        let best = |position, player| self.surely_best(low, high, position, player);
        let can =
            |position| Player::BOTH.map(|player| !self.graph.moves(position, player).is_empty());
        let [alice, bob] = can(a);
        if can(b) != [bob, alice] {
            return None;
        }
        if !(alice && bob) {
            let mover = if alice { Player::Alice } else { Player::Bob };
            return Some(Reflection::Forced((
                best(a, mover)?,
                best(b, mover.other())?,
            )));
        }
        let (of_alice, of_bob) = (best(a, Player::Alice)?, best(a, Player::Bob)?);
        let apart = high[of_alice].0 < low[of_bob].0 || high[of_bob].0 < low[of_alice].0;
        let pairs = [
            (of_alice, best(b, Player::Bob)?),
            (of_bob, best(b, Player::Alice)?),
        ];
        (self.theory.is_taxed() && apart).then_some(Reflection::Turn(pairs))
    }

    /// A move that the bounds show to be a player's best.
    fn surely_best(
        &self,
        low: &[Fraction],
        high: &[Fraction],
        position: usize,
        player: Player,
    ) -> Option<usize> {
        let moves = || {
            self.graph
                .moves(position, player)
                .iter()
                .map(|to| *to as usize)
        };
        let best = match player {
            Player::Alice => moves().min_by(|a, b| high[*a].0.cmp(&high[*b].0)),
            Player::Bob => moves().max_by(|a, b| low[*a].0.cmp(&low[*b].0)),
        }?;
        let no_better = |other: usize| match player {
            Player::Alice => high[best].0 <= low[other].0,
            Player::Bob => high[other].0 <= low[best].0,
        };
        moves()
            .all(|other| other == best || no_better(other))
            .then_some(best)
    }

    /// Passes a position where nobody would rather lose the bid, if whoever wins it must move.
    pub fn nobody_wants_to_lose(
        &self,
        low: &[Fraction],
        high: &[Fraction],
        position: usize,
    ) -> Checked<()> {
        values::nobody_wants_to_lose(self.graph, &self.theory, [low, high], position)
    }
}
