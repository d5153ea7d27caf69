//! Questions about rulesets whose positions are numbered: answered by a sweep, without a graph.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::Measure;
use super::budget::Budget;
use super::evaluator::Evaluator;
use super::index::Index;
use crate::diagnostic::{Code, Result};
use crate::game::ruleset::{Indexed, Numbering, Ruleset, State};
use crate::game::{Explored, Near, NodeId, RulesetId};
use crate::plan::{self, Cost, Method, Plan, Question, Space, Subject};
use crate::player::{Ending, GameId, Player};
use crate::rules::{Rules, Winner};
use crate::solve::chips::{Outcomes, ThresholdCache, Thresholds};
use crate::solve::richman::Coin;
use crate::solve::strategy::Strategies;
use crate::solve::{Graphless, Layered, Numbered, contradiction, richman};
use crate::watch::Watch;

/// What is known of rulesets as numbered ones.
#[derive(Debug, Default)]
pub struct SweepCache {
    /// Which way is taken.
    pub space: Space,
    /// The numbering, where there is one.
    indexes: HashMap<RulesetId, Index>,
    /// The numbering, whether or not a sweep can go by it.
    pub(super) numberings: HashMap<RulesetId, Option<Rc<Numbering>>>,
    /// The games that were found to take longer to explore than to sweep.
    large: HashSet<GameId>,
    /// Values, by what they are values of.
    values: HashMap<SweptKey, richman::Swept>,
    /// Thresholds, by ruleset.
    chips: HashMap<RulesetId, Rc<ThresholdCache>>,
}

impl SweepCache {
    /// The bytes that values and thresholds take.
    fn bytes(&self) -> u64 {
        let values = self.values.values().map(|swept| swept.bytes());
        values
            .chain(self.chips.values().map(|kept| kept.bytes()))
            .sum()
    }

    /// Whether a sweep through a ruleset has been made.
    fn has(&self, id: RulesetId) -> bool {
        self.values.keys().any(|key| key.id == id) || self.chips.contains_key(&id)
    }

    fn let_go(&mut self) {
        self.values.clear();
        self.chips.clear();
    }
}

/// What values are values of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct SweptKey {
    id: RulesetId,
    /// Whether the players have exchanged their parts.
    conjugated: bool,
    rules: Rules,
    /// What decides each turn, where a coin does.
    coin: Option<Coin>,
}

/// A position that is solved without its graph.
struct Target {
    id: RulesetId,
    ruleset: Rc<Ruleset>,
    /// The numbering; without, the way is layer by layer.
    indexed: Option<Rc<Indexed>>,
    state: State,
    /// Whether the game is the conjugate of the ruleset.
    conjugated: bool,
}

/// A numbered position with those that its moves lead to: what is needed to choose a move there.
pub struct Neighbourhood {
    /// Their graph: the position is its start.
    pub explored: Rc<Explored>,
    id: RulesetId,
    ruleset: Rc<Ruleset>,
    indexed: Rc<Indexed>,
    conjugated: bool,
    states: Vec<State>,
    ended: Vec<Ending>,
}

impl Neighbourhood {
    /// The position's vertex.
    pub fn node(&self) -> NodeId {
        self.explored.graph.start()
    }

    /// Whether the game is over there.
    pub fn is_over(&self) -> bool {
        self.explored.graph.ending(self.node()).is_some()
    }

    fn numbered<'a>(&'a self, kept: &'a ThresholdCache) -> Numbered<'a> {
        Numbered {
            ended: &self.ended,
            conjugated: self.conjugated,
            kept: Some(kept),
            ..Numbered::new(&self.ruleset, &self.indexed, &self.states)
        }
    }
}

impl Evaluator<'_> {
    /// Does what needs memory for a sweep: beside what is kept of earlier ones if it can, else
    /// without that.
    pub(super) fn with_room<T>(
        &mut self,
        work: impl Fn(&mut Self, &dyn Watch) -> Result<T>,
    ) -> Result<T> {
        let (watch, limits) = (self.watch, self.watch.limits());
        let taken = self.world.solutions.sweeps.bytes();
        if taken > limits.room() / 2 || watch.disk().is_some() {
            self.world.solutions.sweeps.let_go();
            return work(self, watch);
        }
        let beside = Budget {
            watch,
            positions: u64::MAX,
            taken,
        };
        match work(self, &beside) {
            Err(stopped) if taken > 0 && stopped.code == Code::Memory => {
                self.world.solutions.sweeps.let_go();
                work(self, watch)
            }
            done => done,
        }
    }

    /// The Richman value of a game, if a sweep is the way to find it.
    ///
    /// # Errors
    /// If the rules are not ones of this theory, or the watch stops the work.
    pub fn swept_richman(&mut self, game: GameId, rules: &Rules) -> Result<Option<BigRational>> {
        let Some(target) = self.target(game, Question::Richman, rules)? else {
            return Ok(None);
        };
        let Target {
            id,
            ruleset,
            indexed,
            state,
            conjugated,
        } = target;
        let Some(indexed) = &indexed else {
            let layered = Layered {
                ruleset: &ruleset,
                state: &state,
                conjugated,
            };
            let value = richman::layered(layered, rules, self.watch)?;
            return value
                .map(|value| Ok(in_range(vec![value])?.remove(0)))
                .transpose();
        };
        let positions = Numbered {
            conjugated,
            ..Numbered::new(&ruleset, indexed, std::slice::from_ref(&state))
        };
        let values = self.swept_values(id, positions, rules)?;
        Ok(values.map(|mut values| values.remove(0)))
    }

    /// Bounds on the Richman value of a game, as narrow as the rules ask, if sweeps are the way to
    /// find them.
    ///
    /// # Errors
    /// If the rules are not ones of this theory, the watch stops the work, or there is too little
    /// memory.
    pub fn swept_bounds(
        &mut self,
        game: GameId,
        rules: &Rules,
    ) -> Result<Option<[BigRational; 2]>> {
        let Some((id, _, _)) = self.world.games.ruleset_state(game) else {
            return Ok(None);
        };
        let Some(numbering) = self.numbering(id)? else {
            return Ok(None);
        };
        let has_room = numbering.positions() <= self.watch.limits().max_positions;
        if !has_room || richman::bounds_need(rules, &numbering)?.is_none() {
            return Ok(None);
        }
        let target = self.target(game, Question::Bounds, rules)?;
        let Some(Target {
            ruleset,
            indexed: Some(indexed),
            state,
            conjugated,
            ..
        }) = target
        else {
            return Ok(None);
        };
        let positions = Numbered {
            conjugated,
            ..Numbered::new(&ruleset, &indexed, std::slice::from_ref(&state))
        };
        let bounds = self.with_room(|_, watch| richman::bounds(positions, rules, watch))?;
        Ok(bounds.map(|mut bounds| bounds.remove(0)))
    }

    /// The Richman values of some positions, if a sweep is the way to find them.
    fn swept_values(
        &mut self,
        id: RulesetId,
        positions: Numbered<'_>,
        rules: &Rules,
    ) -> Result<Option<Vec<BigRational>>> {
        if rules.winner == Winner::Moves {
            let found =
                self.with_room(|_, watch| richman::without_zugzwang(positions, rules, watch))?;
            let ended = positions
                .ended
                .iter()
                .map(|ending| richman::value_of(*ending, rules));
            let values = found.map(|values| values.into_iter().chain(ended).collect());
            return values.map(in_range).transpose();
        }
        let key = SweptKey {
            id,
            conjugated: positions.conjugated,
            rules: rules.clone(),
            coin: None,
        };
        self.kept_values(key, positions, |watch| {
            richman::Swept::solve(positions, rules, watch)
        })
    }

    /// The values of some positions, those that are kept or that a sweep finds; all of its values
    /// are kept for the next question, as far as they fit.
    fn kept_values(
        &mut self,
        key: SweptKey,
        positions: Numbered<'_>,
        sweep: impl Fn(&dyn Watch) -> Result<richman::Swept>,
    ) -> Result<Option<Vec<BigRational>>> {
        let Numbered {
            indexed,
            states,
            ended,
            ..
        } = positions;
        let values = |swept: &richman::Swept| {
            let ended = ended
                .iter()
                .map(|ending| Some(richman::value_of(*ending, &key.rules)));
            states
                .iter()
                .map(|state| swept.value(indexed, state))
                .chain(ended)
                .collect()
        };
        let known = self.world.solutions.sweeps.values.get(&key);
        if let Some(values) = known.and_then(values) {
            return in_range(values).map(Some);
        }
        let swept = self.with_room(|_, watch| sweep(watch))?;
        let found: Option<Vec<_>> = values(&swept);
        self.world.solutions.sweeps.values.insert(key, swept);
        found.map(in_range).transpose()
    }

    /// The value of a game when a coin decides each turn, if a sweep is the way to find it.
    ///
    /// # Errors
    /// If the watch stops the work.
    pub fn swept_coin(
        &mut self,
        game: GameId,
        rules: &Rules,
        coin: Coin,
    ) -> Result<Option<BigRational>> {
        let target = self.target(game, Question::Coin(coin), rules)?;
        let Some(Target {
            id,
            ruleset,
            indexed: Some(indexed),
            state,
            conjugated,
        }) = target
        else {
            return Ok(None);
        };
        let positions = Numbered {
            conjugated,
            ..Numbered::new(&ruleset, &indexed, std::slice::from_ref(&state))
        };
        let values = self.tossed_values(id, positions, rules, coin)?;
        Ok(values.map(|mut values| values.remove(0)))
    }

    fn tossed_values(
        &mut self,
        id: RulesetId,
        positions: Numbered<'_>,
        rules: &Rules,
        coin: Coin,
    ) -> Result<Option<Vec<BigRational>>> {
        let key = SweptKey {
            id,
            conjugated: positions.conjugated,
            rules: rules.clone(),
            coin: Some(coin),
        };
        self.kept_values(key, positions, |watch| {
            richman::Swept::tossed(positions, rules, coin, watch)
        })
    }

    /// What is kept of a ruleset's thresholds.
    fn kept(&mut self, id: RulesetId) -> Rc<ThresholdCache> {
        Rc::clone(self.world.solutions.sweeps.chips.entry(id).or_default())
    }

    /// A position with those that its moves lead to, if a sweep is the way to find their values.
    ///
    /// # Errors
    /// If a position cannot be evaluated, or the watch stops the work.
    pub fn neighbourhood(
        &mut self,
        game: GameId,
        question: Question<'_>,
        rules: &Rules,
    ) -> Result<Option<Neighbourhood>> {
        let target = self.target(game, question, rules)?;
        let Some(Target {
            id,
            ruleset,
            indexed: Some(indexed),
            conjugated,
            ..
        }) = target
        else {
            return Ok(None);
        };
        let found = Explored::neighbourhood(&self.world.games, game)?;
        Ok(found.map(
            |Near {
                 explored,
                 states,
                 ended,
             }| Neighbourhood {
                explored: Rc::new(explored),
                id,
                ruleset,
                indexed,
                conjugated,
                states,
                ended,
            },
        ))
    }

    /// Whether a game is solved without its graph because that would be large.
    ///
    /// # Errors
    /// If a position cannot be evaluated, or the watch stops the work.
    pub fn is_large(
        &mut self,
        game: GameId,
        question: Question<'_>,
        rules: &Rules,
    ) -> Result<bool> {
        let target = self.target(game, question, rules)?;
        Ok(target
            .and_then(|target| target.indexed)
            .is_some_and(|indexed| indexed.numbering.positions() > plan::SMALL))
    }

    /// A position with those that its moves lead to, if matches go from one such neighbourhood to
    /// the next: exploring the game would take longer, or numbered positions are insisted on.
    ///
    /// # Errors
    /// As [`Evaluator::neighbourhood`].
    pub fn stepping_stone(
        &mut self,
        game: GameId,
        question: Question<'_>,
        rules: &Rules,
    ) -> Result<Option<Neighbourhood>> {
        let Some((id, ..)) = self.world.games.ruleset_state(game) else {
            return Ok(None);
        };
        if self.world.games.ruleset(id).is_scored() {
            return Ok(None);
        }
        let steps = match self.world.solutions.sweeps.space {
            Space::Numbered => true,
            Space::Cheapest => self
                .index_of(id)?
                .numbering()
                .is_some_and(|numbering| numbering.positions() > plan::SMALL),
            Space::Layers | Space::Graph => false,
        };
        if steps {
            self.neighbourhood(game, question, rules)
        } else {
            Ok(None)
        }
    }

    /// The values of a position's successors when a coin decides each turn, if a sweep is the way
    /// to find them. Values of all positions are kept for the next question, as far as they fit.
    ///
    /// # Errors
    /// If the watch stops the work.
    pub fn swept_turns(
        &mut self,
        near: &Neighbourhood,
        rules: &Rules,
        coin: Coin,
    ) -> Result<Option<Measure>> {
        if let Some(rules) = plain_turns(rules, coin) {
            return self.swept_measure(near, &rules, None);
        }
        let kept = self.kept(near.id);
        let values = self.tossed_values(near.id, near.numbered(&kept), rules, coin)?;
        Ok(values.map(Measure::Values))
    }

    /// What to do at a position with so many chips in all, if a sweep is the way to find it.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn swept_strategies<'a>(
        &mut self,
        near: &'a Neighbourhood,
        rules: &'a Rules,
        total: u64,
    ) -> Result<Option<Strategies<'a>>> {
        self.with_room(|evaluator, watch| {
            let kept = evaluator.kept(near.id);
            Strategies::solve_numbered(
                &near.explored.graph,
                near.numbered(&kept),
                rules,
                total,
                watch,
            )
        })
    }

    /// The values of a position's successors, if a sweep is the way to find them: Richman values,
    /// or thresholds if a total is given.
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
            None => {
                let kept = self.kept(near.id);
                Ok(self
                    .swept_values(near.id, near.numbered(&kept), rules)?
                    .map(Measure::Values))
            }
            Some(total) => self.with_room(|evaluator, watch| {
                let kept = evaluator.kept(near.id);
                let solved = Thresholds::solve_numbered(
                    near.numbered(&kept),
                    rules,
                    Player::Alice,
                    &[total],
                    watch,
                )?;
                Ok(solved.map(|solved| Measure::Chips(Rc::new(solved))))
            }),
        }
    }

    /// Alice's thresholds for some totals, at the only vertex, if a sweep is the way to find them.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn swept_thresholds(
        &mut self,
        game: GameId,
        rules: &Rules,
        totals: &[u64],
    ) -> Result<Option<Thresholds>> {
        let question = Question::Thresholds(totals);
        self.alone((game, question, rules), |alone, watch| {
            Thresholds::solve_graphless(alone, rules, Player::Alice, totals, watch)
        })
    }

    /// Both players' thresholds, likewise.
    ///
    /// # Errors
    /// As [`Thresholds::solve`].
    pub fn swept_outcomes(
        &mut self,
        game: GameId,
        rules: &Rules,
        totals: &[u64],
    ) -> Result<Option<Outcomes>> {
        let question = Question::Outcomes(totals);
        self.alone((game, question, rules), |alone, watch| {
            Outcomes::solve_graphless(alone, rules, totals, watch)
        })
    }

    /// Solves a game without its graph, if that is the way to do it.
    fn alone<T>(
        &mut self,
        (game, question, rules): (GameId, Question<'_>, &Rules),
        solve: impl Fn(Graphless<'_>, &dyn Watch) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let Some(target) = self.target(game, question, rules)? else {
            return Ok(None);
        };
        let Target {
            id,
            ruleset,
            indexed,
            state,
            conjugated,
        } = target;
        self.with_room(|evaluator, watch| {
            let kept = evaluator.kept(id);
            let alone = match &indexed {
                Some(indexed) => Graphless::Numbered(Numbered {
                    conjugated,
                    kept: Some(&kept),
                    ..Numbered::new(&ruleset, indexed, std::slice::from_ref(&state))
                }),
                None => Graphless::Layered(Layered {
                    ruleset: &ruleset,
                    state: &state,
                    conjugated,
                }),
            };
            solve(alone, watch)
        })
    }

    /// A game as a position to be solved without its graph; `None` if the plan is to explore it.
    fn target(
        &mut self,
        game: GameId,
        question: Question<'_>,
        rules: &Rules,
    ) -> Result<Option<Target>> {
        let Some((id, state, conjugated)) = self.world.games.ruleset_state(game) else {
            let cost = if self.is_planning() {
                self.graph_cost(game)?
            } else {
                Cost::default()
            };
            return self
                .planned(Plan::explore("it is not a position of a ruleset"), cost)
                .map(|()| None);
        };
        let state = state.clone();
        let (ruleset, index) = (Rc::clone(self.world.games.ruleset(id)), self.index_of(id)?);
        let sweeps = &self.world.solutions.sweeps;
        let subject = Subject {
            ruleset: &ruleset,
            numbering: index.numbering(),
            indexed: index.tables(),
            state: &state,
            is_explored: self.world.solutions.knows(&self.world.games, game),
            is_swept: sweeps.has(id),
            is_large: sweeps.large.contains(&game),
        };
        let plan = plan::plan(&subject, &question, rules, sweeps.space, self.watch)?;
        if self.is_planning() {
            let cost = match plan.method {
                Method::Explore => self.graph_cost(game)?,
                _ => Cost::of(&plan, &subject, self.watch),
            };
            return self.planned(plan, cost).map(|()| None);
        }
        let mut method = plan.method;
        if let Method::TryExploring(most, otherwise) = method {
            method = if self.is_explored_within(game, most)? {
                Method::Explore
            } else {
                *otherwise
            };
        }
        let indexed = match method {
            Method::Explore | Method::Search | Method::TryExploring(..) => return Ok(None),
            Method::TooLarge(need) => return plan::refuse(&subject, need, self.watch),
            Method::Sweep(_) => index.indexed(),
            Method::Layers | Method::Truncate(_) => None,
        };
        Ok(Some(Target {
            id,
            ruleset,
            indexed,
            state,
            conjugated,
        }))
    }

    fn index_of(&mut self, id: RulesetId) -> Result<Index> {
        match self.world.solutions.sweeps.indexes.get(&id) {
            // The limit may have been raised since.
            Some(Index::Large(numbering))
                if numbering.positions() <= self.watch.limits().max_positions => {}
            Some(known) => return Ok(known.clone()),
            None => {}
        }
        let index = Index::new(self.world.games.ruleset(id), self.watch)?;
        self.world
            .solutions
            .sweeps
            .indexes
            .insert(id, index.clone());
        Ok(index)
    }

    /// Whether the game could be explored with no more than so many positions.
    fn is_explored_within(&mut self, game: GameId, positions: u64) -> Result<bool> {
        if self.world.solutions.sweeps.large.contains(&game) {
            return Ok(false);
        }
        let is_explored = self.explores_within(game, positions)?;
        if !is_explored {
            self.world.solutions.sweeps.large.insert(game);
        }
        Ok(is_explored)
    }

    /// Explores a game with no more than so many positions; whether that is possible.
    pub(super) fn explores_within(&mut self, game: GameId, positions: u64) -> Result<bool> {
        let budget = Budget {
            watch: self.watch,
            positions,
            taken: 0,
        };
        match self
            .world
            .solutions
            .locate(&mut self.world.games, game, &budget)
            .map(drop)
        {
            Ok(()) => Ok(true),
            Err(stopped) if matches!(stopped.code, Code::Positions | Code::Memory) => Ok(false),
            Err(other) => Err(other),
        }
    }
}

/// The rules of Richman games under which values are those of random turns with this coin, if there
/// are any: a sweep for them takes narrower numbers.
pub fn plain_turns(rules: &Rules, coin: Coin) -> Option<Rules> {
    let alike = coin.is_fair() && rules.winner == Winner::Chooses;
    alike.then(|| Rules {
        draws: rules.draws,
        winner: rules.winner,
        ..Rules::default()
    })
}

/// Passes values that are shares or probabilities: others come from a mistake of ours and are not
/// given.
fn in_range(values: Vec<BigRational>) -> Result<Vec<BigRational>> {
    let (zero, one) = (BigRational::zero(), BigRational::one());
    match values.iter().find(|value| **value < zero || **value > one) {
        None => Ok(values),
        Some(value) => Err(contradiction(format!(
            "the value {value} was found, which is not between 0 and 1"
        ))),
    }
}
