//! Strategy improvement (Hoffman & Karp 1966; Condon 1992), for either arithmetic.
//!
//! One player, the *hero*, has a strategy, and the opponent the best reply to it. The hero switches
//! to edges that are strictly better by the values of that pair, the opponent replies again, and so
//! on. The hero's values never get worse, some get better, and there are finitely many strategies:
//! in exact arithmetic this ends. The best reply is found in the same way, with the hero's strategy
//! fixed.
//!
//! Where no edge is strictly better, a player may still do better by staying: on a set of vertices
//! of one value that is worse than play without end, and that the other side cannot leave without
//! loss, that player moves within the set for ever. When neither is possible, the values are the
//! right fixed point: a hero with values better than play without end can always leave for another
//! value, so these values are guaranteed (a bounded martingale converges, and cannot do so where it
//! keeps leaving). The same holds for the opponent.

use super::arena::{Arena, ArenaStrategies};
use super::escape::{attraction, descent, level_ranks};
use super::valuation::{Chain, Valuation};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::watch::Context;

/// Strategy improvement in one arena.
pub(super) struct Improvement<'a, V> {
    pub(super) arena: &'a Arena,
    pub(super) valuation: V,
    pub(super) hero: Player,
    /// The number of pairs of strategies that may still be evaluated. The limit is needed because
    /// floats could go round in cycles.
    pub(super) budget: u64,
    pub(super) context: &'a Context<'a>,
}

impl<V: Valuation> Improvement<'_, V> {
    /// Improves the strategies until neither player can do better, or the budget is spent. Returns
    /// their values.
    pub(super) fn run(&mut self, strategies: &mut ArenaStrategies) -> Result<Vec<V::Value>> {
        let values = self.evaluate(strategies)?;
        self.run_from(strategies, values)
    }

    /// Improves strategies whose values are known, as [`Improvement::run`] does.
    pub(super) fn run_from(
        &mut self,
        strategies: &mut ArenaStrategies,
        mut values: Vec<V::Value>,
    ) -> Result<Vec<V::Value>> {
        while self.step(strategies, &values) {
            values = self.evaluate(strategies)?;
        }
        Ok(values)
    }

    /// Improves strategies by their values once, the opponent's before the hero's. Returns whether
    /// they can do better.
    pub(super) fn step(&self, strategies: &mut ArenaStrategies, values: &[V::Value]) -> bool {
        // The hero's turn comes when the opponent's reply is the best one. Staying is tried only
        // when no edge is strictly better: it is judged by values that edges alone cannot improve.
        [self.hero.other(), self.hero].into_iter().any(|player| {
            let Some(better) = self.better(strategies, player, values) else {
                return self.stay(strategies, player, values);
            };
            strategies[player] = better;
            true
        })
    }

    fn evaluate(&mut self, strategies: &ArenaStrategies) -> Result<Vec<V::Value>> {
        self.budget = self.budget.saturating_sub(1);
        self.valuation
            .values(&Chain::new(self.arena, strategies), self.context)
    }

    /// Returns the strategy in which a player has switched to strictly better edges, if there are
    /// any.
    pub(super) fn better(
        &self,
        strategies: &ArenaStrategies,
        player: Player,
        values: &[V::Value],
    ) -> Option<Vec<Option<u32>>> {
        let better = |a: u32, b: u32| {
            let order = self
                .valuation
                .compare(&values[a as usize], &values[b as usize]);
            if player == Player::Alice {
                order.is_lt()
            } else {
                order.is_gt()
            }
        };
        let best = |(vertex, old): (usize, &Option<u32>)| {
            let heads = self.arena.heads(vertex, player).iter().copied();
            // An equal edge never replaces the old one, since that could undo an escape or go round
            // for ever.
            let best = |best, head| if better(head, best) { head } else { best };
            old.map(|old| heads.fold(old, best))
        };
        let old = &strategies[player];
        let new: Vec<_> = old.iter().enumerate().map(best).collect();
        // With the budget spent, reporting no change ends the loops; only floats have such a
        // budget.
        (self.budget > 0 && new != *old).then_some(new)
    }

    /// Keeps the play on a set of vertices for ever where that is better for a player than the
    /// value. Returns whether there is such a set.
    fn stay(&self, strategies: &mut ArenaStrategies, keeper: Player, values: &[V::Value]) -> bool {
        let compare = |a: usize, b: usize| self.valuation.compare(&values[a], &values[b]);
        // The opponent's best reply is one to the hero's fixed strategy, whereas the hero's
        // improvement has to hold against any reply.
        let fixed = (keeper != self.hero).then_some(&*strategies);
        let ranks = level_ranks(self.arena, keeper.other(), fixed, compare);
        let worse = |vertex| match keeper {
            Player::Alice => compare(vertex, self.arena.forever()).is_gt(),
            Player::Bob => compare(vertex, self.arena.forever()).is_lt(),
        };
        let kept: Vec<_> = (0..self.arena.len)
            .map(|vertex| ranks[vertex] == 0 && worse(vertex))
            .collect();
        let mut switched = false;
        for vertex in (0..self.arena.len).filter(|&vertex| kept[vertex]) {
            let stays = |head: u32| {
                kept.get(head as usize).is_some_and(|&kept| kept)
                    && compare(vertex, head as usize).is_eq()
            };
            let choice = &mut strategies[keeper][vertex];
            if choice.is_some_and(|head| !stays(head)) {
                *choice = self
                    .arena
                    .heads(vertex, keeper)
                    .iter()
                    .copied()
                    .find(|&head| stays(head))
                    // In floats the comparison is not transitive, so a kept vertex may have no edge
                    // that stays.
                    .or(*choice);
                switched = true;
            }
        }
        switched && self.budget > 0
    }
}

/// Returns initial strategies: the hero moves towards the exits that are better than play without
/// end, the opponent towards the best ones of all.
///
/// Improvement corrects any other strategies as well, but a player without an aim learns of an exit
/// only one position at a time.
pub(super) fn begin<T: Ord + Sync>(arena: &Arena, hero: Player, known: &[T]) -> ArenaStrategies {
    let (forever, exits) = known.split_last().expect("play without end has a value");
    let value = |exit: usize| &exits[exit - arena.len];
    let best = match hero {
        Player::Alice => exits.iter().max(),
        Player::Bob => exits.iter().min(),
    };
    // An exit that is no better than play without end gives the hero no reason to leave.
    let better = |exit| {
        if hero == Player::Alice {
            value(exit) < forever
        } else {
            value(exit) > forever
        }
    };
    let good = |player, exit| {
        if player == hero {
            better(exit)
        } else {
            Some(value(exit)) == best
        }
    };
    arena.for_both(|player| {
        let good = |exit| good(player, exit);
        descent(arena, player, &attraction(arena, player, good), good)
    })
}
