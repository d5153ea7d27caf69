//! Questions about rulesets whose positions are numbered: answered by a sweep, without a graph.

use std::collections::HashMap;
use std::rc::Rc;

use num_rational::BigRational;

use super::Measure;
use super::evaluator::Evaluator;
use crate::diagnostic::{Code, Result};
use crate::game::ruleset::{Indexed, State};
use crate::game::{Explored, GameExpr, GameId, Games, NodeId, PerPlayer, Player, RulesetId};
use crate::rules::Rules;
use crate::solve::chips::{Alone, Numbered, Outcomes, Thresholds};
use crate::solve::richman;
use crate::solve::strategy::Strategies;
use crate::store::Disk;
use crate::watch::{Limits, Stop, Watch};

/// Rulesets with no more positions than this are swept without looking how many can be reached.
const SMALL: u64 = 1 << 21;

/// In a sweep a position costs so much less than in an exploration: where fewer than one in so many can be reached, the ruleset
/// is explored. Finding that out costs no more than a sweep.
const CHEAPER: u64 = 512;

/// Rulesets without a numbering are solved layer by layer, if they have layers, where they have more positions than this.
const LARGE: u64 = 1 << 22;

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

/// A position that is solved without its graph.
struct Target {
    id: RulesetId,
    /// The numbering; without, the way is layer by layer.
    indexed: Option<Rc<Indexed>>,
    state: State,
}

impl Target {
    fn alone<'a>(&'a self, games: &'a Games) -> Alone<'a> {
        match &self.indexed {
            Some(indexed) => Alone::Numbered(Numbered { indexed, states: std::slice::from_ref(&self.state) }),
            None => Alone::Layered { ruleset: games.ruleset(self.id), state: &self.state },
        }
    }
}

/// A numbered position with those that its moves lead to: what is needed to choose a move there.
pub struct Neighbourhood {
    /// Their graph: the position is its start.
    pub explored: Rc<Explored>,
    id: RulesetId,
    indexed: Rc<Indexed>,
    states: Vec<State>,
}

impl Neighbourhood {
    /// The position's vertex.
    pub fn node(&self) -> NodeId {
        self.explored.graph.start()
    }

    fn numbered(&self) -> Numbered<'_> {
        Numbered { indexed: &self.indexed, states: &self.states }
    }

    /// What to do at the position with so many chips in all, if a sweep is the way to find it.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn strategies<'a>(&'a self, rules: &'a Rules, total: u64, watch: &dyn Watch) -> Result<Option<Strategies<'a>>> {
        Strategies::solve_numbered(&self.explored.graph, self.numbered(), rules, total, watch)
    }
}

impl Evaluator<'_> {
    /// The Richman value of a game, if a sweep is the way to find it.
    ///
    /// # Errors
    /// If the rules are not ones of this theory, or the watch stops the work.
    pub fn swept_richman(&mut self, game: GameId, rules: &Rules) -> Result<Option<BigRational>> {
        let Some(target) = self.target(game)? else { return Ok(None) };
        let Some(indexed) = &target.indexed else {
            return richman::layered(self.world.games.ruleset(target.id), &target.state, rules, self.watch);
        };
        let positions = Numbered { indexed, states: std::slice::from_ref(&target.state) };
        let values = self.swept_values(target.id, positions, rules)?;
        Ok(values.map(|mut values| values.remove(0)))
    }

    /// The Richman values of some numbered positions, if a sweep is the way to find them.
    fn swept_values(
        &mut self,
        id: RulesetId,
        positions: Numbered<'_>,
        rules: &Rules,
    ) -> Result<Option<Vec<BigRational>>> {
        let Numbered { indexed, states } = positions;
        let values = |swept: &richman::Swept| states.iter().map(|state| swept.value(indexed, state)).collect();
        let key = (id, rules.clone());
        let known = self.world.atlas.sweeps.richman.get(&key);
        if let Some(values) = known.and_then(|swept| values(swept)) {
            return Ok(Some(values));
        }
        let Some(swept) = richman::Swept::solve(indexed, states, rules, self.watch)? else { return Ok(None) };
        let values = values(&swept);
        let kept = &mut self.world.atlas.sweeps.richman;
        if kept.values().map(|swept| swept.bytes()).sum::<u64>() + swept.bytes() > ROOM {
            kept.clear();
        }
        kept.insert(key, Rc::new(swept));
        Ok(values)
    }

    /// A position with those that its moves lead to, if a sweep is the way to find their values.
    ///
    /// # Errors
    /// If a position cannot be evaluated, or the watch stops the work.
    pub fn neighbourhood(&mut self, game: GameId) -> Result<Option<Neighbourhood>> {
        let Some(Target { id, indexed: Some(indexed), .. }) = self.target(game)? else { return Ok(None) };
        let explored = Explored::neighbourhood(&self.world.games, game)?;
        let found = explored.and_then(|explored| Some((explored.states()?.1, Rc::new(explored))));
        Ok(found.map(|(states, explored)| Neighbourhood { explored, id, indexed, states }))
    }

    /// The values of a position's successors, if a sweep is the way to find them: Richman values, or thresholds if a total is given.
    ///
    /// # Errors
    /// If the rules have no such values, or the watch stops the work.
    pub fn swept_measure(
        &mut self,
        near: &Neighbourhood,
        rules: &Rules,
        total: Option<u64>,
    ) -> Result<Option<Measure>> {
        match total {
            None => Ok(self.swept_values(near.id, near.numbered(), rules)?.map(Measure::Values)),
            Some(total) => {
                let solved = Thresholds::solve_numbered(near.numbered(), rules, Player::Alice, &[total], self.watch)?;
                Ok(solved.map(|solved| Measure::Chips(Rc::new(solved))))
            }
        }
    }

    /// Alice's thresholds for some totals, at the only vertex, if a sweep is the way to find them.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn swept_thresholds(&mut self, game: GameId, rules: &Rules, totals: &[u64]) -> Result<Option<Thresholds>> {
        let Some(target) = self.target(game)? else { return Ok(None) };
        Thresholds::solve_alone(target.alone(&self.world.games), rules, Player::Alice, totals, self.watch)
    }

    /// Both players' thresholds, likewise.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn swept_outcomes(&mut self, game: GameId, rules: &Rules, totals: &[u64]) -> Result<Option<Outcomes>> {
        let Some(target) = self.target(game)? else { return Ok(None) };
        let games = &self.world.games;
        let solve = |seeker| Thresholds::solve_alone(target.alone(games), rules, seeker, totals, self.watch);
        let (Some(alice), Some(bob)) = (solve(Player::Alice)?, solve(Player::Bob)?) else { return Ok(None) };
        Ok(Some(Outcomes { thresholds: PerPlayer::new(alice, bob) }))
    }

    /// A game as a position that is solved without its graph, if that is what it is, and it is not explored and not better explored.
    fn target(&mut self, game: GameId) -> Result<Option<Target>> {
        let GameExpr::State(id, state) = self.world.games.expr(game) else { return Ok(None) };
        let (id, state) = (*id, state.clone());
        if self.world.atlas.knows(&self.world.games, game) {
            return Ok(None);
        }
        let limit = self.watch.limits().max_positions;
        let numbered = |indexed: &Rc<Indexed>| indexed.positions() <= limit && indexed.digits_of(&state).is_some();
        let indexed = self.indexed(id)?.filter(numbered);
        let explored = match &indexed {
            Some(indexed) if indexed.positions() <= SMALL => false,
            Some(indexed) => self.is_explored_within(id, game, indexed.positions() / CHEAPER)?,
            None => self.is_explored_within(id, game, LARGE)?,
        };
        Ok((!explored).then_some(Target { id, indexed, state }))
    }

    fn indexed(&mut self, id: RulesetId) -> Result<Option<Rc<Indexed>>> {
        if let Some(known) = self.world.atlas.sweeps.indexes.get(&id) {
            return Ok(known.clone());
        }
        let indexed = self.world.games.ruleset(id).indexed(self.watch)?.map(Rc::new);
        self.world.atlas.sweeps.indexes.insert(id, indexed.clone());
        Ok(indexed)
    }

    /// Whether the game could be explored with no more than so many positions.
    fn is_explored_within(&mut self, id: RulesetId, game: GameId, positions: u64) -> Result<bool> {
        if self.world.atlas.sweeps.large.contains(&id) {
            return Ok(false);
        }
        let budget = Budget { watch: self.watch, positions };
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

    fn disk(&self) -> Option<&dyn Disk> {
        self.watch.disk()
    }

    fn save_due(&self) -> bool {
        self.watch.save_due()
    }
}
