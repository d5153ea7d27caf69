//! Questions about rulesets whose positions are numbered: answered by a sweep, without a graph.

use std::collections::HashMap;
use std::rc::Rc;

use num_rational::BigRational;

use super::evaluator::Evaluator;
use crate::diagnostic::{Code, Result};
use crate::game::ruleset::{Indexed, State};
use crate::game::{GameExpr, GameId, RulesetId};
use crate::game::{PerPlayer, Player};
use crate::rules::Rules;
use crate::solve::chips::{Numbered, Outcomes, Thresholds};
use crate::solve::richman;
use crate::watch::{Limits, Stop, Watch};

/// Rulesets with no more positions than this are swept without looking how many can be reached.
const SMALL: u64 = 1 << 21;

/// In a sweep a position costs so much less than in an exploration: where fewer than one in so many can be reached, the ruleset
/// is explored. Finding that out costs no more than a sweep.
const CHEAPER: u64 = 512;

/// How many bytes of values are kept from query to query.
const ROOM: u64 = 8 << 30;

/// What is known of rulesets as numbered ones.
#[derive(Debug, Default)]
pub struct Sweeps {
    /// The numbering, where there is one.
    indexes: HashMap<RulesetId, Option<Rc<Indexed>>>,
    /// Whether exploring was found to take longer than sweeping.
    large: Vec<RulesetId>,
    richman: HashMap<(RulesetId, Rules), Rc<richman::Swept>>,
}

/// A position to be found by a sweep.
struct Target {
    id: RulesetId,
    indexed: Rc<Indexed>,
    state: State,
}

impl Target {
    fn numbered(&self) -> Numbered<'_> {
        Numbered { indexed: &self.indexed, state: &self.state }
    }
}

impl Evaluator<'_> {
    /// The Richman value of a game, if a sweep is the way to find it.
    ///
    /// # Errors
    /// If the rules are not ones of this theory, or the watch stops the work.
    pub fn swept_richman(&mut self, game: GameId, rules: &Rules) -> Result<Option<BigRational>> {
        let Some(target) = self.target(game)? else { return Ok(None) };
        let key = (target.id, rules.clone());
        let known = self.world.atlas.sweeps.richman.get(&key).cloned();
        if let Some(value) = known.and_then(|swept| swept.value(&target.indexed, &target.state)) {
            return Ok(Some(value));
        }
        let Some(swept) = richman::Swept::solve(&target.indexed, rules, self.watch)? else { return Ok(None) };
        let value = swept.value(&target.indexed, &target.state);
        let kept = &mut self.world.atlas.sweeps.richman;
        if kept.values().map(|swept| swept.bytes()).sum::<u64>() + swept.bytes() > ROOM {
            kept.clear();
        }
        kept.insert(key, Rc::new(swept));
        Ok(value)
    }

    /// Alice's thresholds for some totals, at the only vertex, if a sweep is the way to find them.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn swept_thresholds(&mut self, game: GameId, rules: &Rules, totals: &[u64]) -> Result<Option<Thresholds>> {
        let Some(target) = self.target(game)? else { return Ok(None) };
        Thresholds::solve_numbered(target.numbered(), rules, Player::Alice, totals, self.watch)
    }

    /// Both players' thresholds, likewise.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn swept_outcomes(&mut self, game: GameId, rules: &Rules, total: u64) -> Result<Option<Outcomes>> {
        let Some(target) = self.target(game)? else { return Ok(None) };
        let solve = |seeker| Thresholds::solve_numbered(target.numbered(), rules, seeker, &[total], self.watch);
        let (Some(alice), Some(bob)) = (solve(Player::Alice)?, solve(Player::Bob)?) else { return Ok(None) };
        Ok(Some(Outcomes { thresholds: PerPlayer::new(alice, bob) }))
    }

    /// A game as a numbered position, if that is what it is, and it is not explored and not better explored.
    fn target(&mut self, game: GameId) -> Result<Option<Target>> {
        let GameExpr::State(id, state) = self.world.games.expr(game) else { return Ok(None) };
        let (id, state) = (*id, state.clone());
        if self.world.atlas.knows(&self.world.games, game) {
            return Ok(None);
        }
        let Some(indexed) = self.indexed(id)? else { return Ok(None) };
        let limit = self.watch.limits().max_positions;
        if indexed.positions() > limit
            || indexed.digits_of(&state).is_none()
            || self.is_sparse(id, game, indexed.positions())?
        {
            return Ok(None);
        }
        Ok(Some(Target { id, indexed, state }))
    }

    fn indexed(&mut self, id: RulesetId) -> Result<Option<Rc<Indexed>>> {
        if let Some(known) = self.world.atlas.sweeps.indexes.get(&id) {
            return Ok(known.clone());
        }
        let indexed = self.world.games.ruleset(id).indexed(self.watch)?.map(Rc::new);
        self.world.atlas.sweeps.indexes.insert(id, indexed.clone());
        Ok(indexed)
    }

    /// Whether few of the numbered positions can be reached; the game is then explored.
    fn is_sparse(&mut self, id: RulesetId, game: GameId, len: u64) -> Result<bool> {
        if len <= SMALL || self.world.atlas.sweeps.large.contains(&id) {
            return Ok(false);
        }
        let budget = Budget { watch: self.watch, positions: len / CHEAPER };
        let located = self.world.atlas.locate(&mut self.world.games, game, &budget).map(drop);
        match located {
            Ok(()) => Ok(true),
            Err(stopped) if matches!(stopped.code, Code::Positions | Code::Memory) => {
                self.world.atlas.sweeps.large.push(id);
                Ok(false)
            }
            Err(other) => Err(other),
        }
    }
}

/// A watch that lets fewer positions pass.
struct Budget<'a> {
    watch: &'a dyn Watch,
    positions: u64,
}

impl Watch for Budget<'_> {
    fn check(&self) -> std::result::Result<(), Stop> {
        self.watch.check()
    }

    fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        self.watch.report(stage, done, total);
    }

    fn limits(&self) -> Limits {
        let limits = self.watch.limits();
        Limits { max_positions: limits.max_positions.min(self.positions), ..limits }
    }
}
