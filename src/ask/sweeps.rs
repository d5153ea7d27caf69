//! Answers questions about positions of rulesets without a graph: by sweeps through numbered
//! positions, and layer by layer.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::index::NumberingState;
use super::plan::swept_turns;
use super::{
    About, Answer, Around, Ask, Method, PositionValues, Question, Solved, lane, told, totals_of,
};
use crate::diagnostic::{Code, Result};
use crate::game::ruleset::{Indexed, Numbering, Ruleset, State};
use crate::game::{Explored, Neighbourhood, NodeId, RulesetId};
use crate::player::{GameId, Player};
use crate::rules::{Rules, Winner};
use crate::solve::chips::{Outcomes, ThresholdCache, Thresholds};
use crate::solve::positions::{Graphless, Layered, Numbered};
use crate::solve::richman::Coin;
use crate::solve::richman::taxman::Share;
use crate::solve::strategy::Strategies;
use crate::solve::{contradiction, richman};
use crate::watch::{Context, Limits};

/// The results of sweeps, and the numberings that the sweeps use.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    /// The numbering of each ruleset for sweeps, if it has one.
    indexes: HashMap<RulesetId, NumberingState>,
    /// The numbering of each ruleset, whether or not a sweep can use it.
    numberings: HashMap<RulesetId, Option<Rc<Numbering>>>,
    /// The games that were found to take longer to explore than to sweep.
    large: HashSet<GameId>,
    /// The values of random turns and of bidding for money.
    values: HashMap<SweptKey, richman::RichmanSweep>,
    /// Thresholds, by ruleset.
    chips: HashMap<RulesetId, Rc<ThresholdCache>>,
}

impl Sweeps {
    /// Returns the number of bytes that values and thresholds take.
    fn bytes(&self) -> u64 {
        let values = self.values.values().map(|swept| swept.bytes());
        values
            .chain(self.chips.values().map(|kept| kept.bytes()))
            .sum()
    }

    /// Returns `true` if a sweep through a ruleset has been made.
    pub(super) fn has(&self, id: RulesetId) -> bool {
        self.values.keys().any(|key| key.id == id) || self.chips.contains_key(&id)
    }

    /// Returns `true` if a game was found to take longer to explore than to sweep.
    pub(super) fn is_large(&self, game: GameId) -> bool {
        self.large.contains(&game)
    }

    fn let_go(&mut self) {
        self.values.clear();
        self.chips.clear();
    }

    /// Returns the cache of a ruleset's thresholds.
    fn kept(&mut self, id: RulesetId) -> Rc<ThresholdCache> {
        Rc::clone(self.chips.entry(id).or_default())
    }
}

/// Everything on which kept values depend.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct SweptKey {
    id: RulesetId,
    /// `true` if the players have swapped roles.
    conjugated: bool,
    rules: Rules,
    /// The coin that decides each turn, if one does.
    coin: Option<Coin>,
}

/// A position that is solved without its graph.
struct Target {
    id: RulesetId,
    ruleset: Rc<Ruleset>,
    /// The numbering; without one the position is solved layer by layer.
    indexed: Option<Rc<Indexed>>,
    state: State,
    /// `true` if the game is the conjugate of the ruleset.
    conjugated: bool,
}

impl Target {
    fn indexed(&self) -> &Indexed {
        self.indexed
            .as_deref()
            .expect("sweeps go by a numbering, whose tables are made for the plan")
    }

    /// Returns the position alone.
    fn alone(&self) -> Numbered<'_> {
        Numbered {
            conjugated: self.conjugated,
            ..Numbered::new(
                &self.ruleset,
                self.indexed(),
                std::slice::from_ref(&self.state),
            )
        }
    }

    /// Returns the position with those that its moves lead to.
    fn with<'a>(&'a self, near: &'a Neighbourhood) -> Numbered<'a> {
        Numbered {
            ended: &near.ended,
            conjugated: self.conjugated,
            ..Numbered::new(&self.ruleset, self.indexed(), &near.states)
        }
    }

    fn graphless<'a>(&'a self, kept: &'a ThresholdCache) -> Graphless<'a> {
        if self.indexed.is_some() {
            Graphless::Numbered(Numbered {
                kept: Some(kept),
                ..self.alone()
            })
        } else {
            Graphless::Layered(self.layered())
        }
    }

    fn layered(&self) -> Layered<'_> {
        Layered {
            ruleset: &self.ruleset,
            state: &self.state,
            conjugated: self.conjugated,
        }
    }
}

impl Ask<'_> {
    /// Answers a question by a sweep or layer by layer. Returns `None` if there is zugzwang that a
    /// sweep does not treat, or a move that lowers no count.
    pub(super) fn without_graph(
        &mut self,
        method: &Method,
        question: &Question,
    ) -> Result<Option<Answer>> {
        let (rules, context) = (&question.rules, self.context);
        let target = self.target(question.game, method)?;
        let one = |values: Option<Vec<BigRational>>| values.map(|mut values| values.remove(0));
        Ok(match &question.about {
            About::Share => {
                let value = if target.indexed.is_some() {
                    one(self.swept_values(target.id, target.alone(), rules)?)
                } else {
                    let value = richman::layered(target.layered(), rules, context)?;
                    one(value.map(|value| in_range(vec![value])).transpose()?)
                };
                value.map(Share::exact).map(Answer::Share)
            }
            About::Turns(None) => {
                one(self.values_of_turns(&target, target.alone(), rules, Coin::default())?)
                    .map(Answer::Probability)
            }
            About::Turns(Some(coin)) => {
                one(self.tossed_values(target.id, target.alone(), rules, *coin)?)
                    .map(Answer::Probability)
            }
            About::Thresholds(totals) => self.with_room(|ask, context| {
                let kept = ask.memory.sweeps.kept(target.id);
                let alone = target.graphless(&kept);
                let found =
                    Thresholds::solve_graphless(alone, rules, Player::Alice, totals, context)?;
                Ok(found.map(|found| {
                    Answer::Thresholds(Solved {
                        node: NodeId::new(0),
                        solution: Rc::new(found),
                    })
                }))
            })?,
            About::Outcomes(purses) => {
                let totals = totals_of(purses, context)?;
                self.with_room(|ask, context| {
                    let kept = ask.memory.sweeps.kept(target.id);
                    let alone = target.graphless(&kept);
                    let found = Outcomes::solve_graphless(alone, rules, &totals, context)?;
                    let Some(found) = found else {
                        return Ok(None);
                    };
                    let outcome =
                        |each: &_| found.outcome(NodeId::new(0), each, lane(&totals, each));
                    Ok(Some(Answer::Outcomes(told(purses, outcome, context)?)))
                })?
            }
            About::Strategies(total) | About::Play(total) => {
                let near = self.near(question.game)?;
                self.with_room(|ask, context| {
                    let kept = ask.memory.sweeps.kept(target.id);
                    let positions = Numbered {
                        kept: Some(&kept),
                        ..target.with(&near)
                    };
                    let graph = &near.explored.graph;
                    let found =
                        Strategies::solve_numbered(graph, positions, rules, *total, context)?;
                    let solution = found.map(|strategies| strategies.solution());
                    Ok(solution.map(|solution| Answer::Strategies(Around::near(&near, solution))))
                })?
            }
            About::PlayTurns(coin) => {
                let near = self.near(question.game)?;
                let values = self.values_of_turns(&target, target.with(&near), rules, *coin)?;
                values.map(|values| {
                    Answer::Moves(Around::near(&near, PositionValues::Values(values)))
                })
            }
            About::Moves(None) | About::Tree(None) => {
                let near = self.near(question.game)?;
                let values = self.swept_values(target.id, target.with(&near), rules)?;
                values.map(|values| {
                    Answer::Moves(Around::near(&near, PositionValues::Values(values)))
                })
            }
            About::Moves(Some(total)) | About::Tree(Some(total)) => {
                let near = self.near(question.game)?;
                self.with_room(|ask, context| {
                    let kept = ask.memory.sweeps.kept(target.id);
                    let positions = Numbered {
                        kept: Some(&kept),
                        ..target.with(&near)
                    };
                    let alice = Player::Alice;
                    let found =
                        Thresholds::solve_graphless(positions, rules, alice, &[*total], context)?;
                    Ok(found.map(|found| {
                        Answer::Moves(Around::near(&near, PositionValues::Chips(Rc::new(found))))
                    }))
                })?
            }
            About::Bounds => self
                .with_room(|_, context| richman::bounds(target.alone(), rules, context))?
                .map(|mut bounds| Answer::Bounds(Some(bounds.remove(0)))),
            About::Against(_) | About::Truncated { .. } | About::Mixed(_) | About::Graph => {
                unreachable!("no plan of this question is a sweep")
            }
        })
    }

    /// Calls `work`, which needs memory for a sweep. The results of earlier sweeps are kept if
    /// there is room for both, and dropped otherwise.
    pub(super) fn with_room<T>(
        &mut self,
        work: impl Fn(&mut Self, &Context<'_>) -> Result<T>,
    ) -> Result<T> {
        let (context, limits) = (self.context, self.context.limits);
        let taken = self.memory.sweeps.bytes();
        if taken > limits.room() / 2 || context.disk.is_some() {
            self.memory.sweeps.let_go();
            return work(self, context);
        }
        let beside = Context {
            limits: Limits {
                max_memory: limits.max_memory.saturating_sub(taken),
                ..limits
            },
            ..*context
        };
        match work(self, &beside) {
            // The sweep may lack only the room that earlier results take, so it is tried again
            // without them.
            Err(stopped) if taken > 0 && stopped.code == Code::Memory => {
                self.memory.sweeps.let_go();
                work(self, context)
            }
            done => done,
        }
    }

    /// Computes the Richman values of some positions; `None` if the winner of a bid must move and
    /// there is zugzwang.
    fn swept_values(
        &mut self,
        id: RulesetId,
        positions: Numbered<'_>,
        rules: &Rules,
    ) -> Result<Option<Vec<BigRational>>> {
        if rules.winner == Winner::Moves {
            let found =
                self.with_room(|_, context| richman::without_zugzwang(positions, rules, context))?;
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
            // Bidding has no coin, and its values must not be taken for those of a toss.
            coin: None,
        };
        self.kept_values(key, positions, |context| {
            richman::RichmanSweep::solve(positions, rules, context)
        })
    }

    /// Computes the values of some positions when a coin decides each turn.
    fn values_of_turns(
        &mut self,
        target: &Target,
        positions: Numbered<'_>,
        rules: &Rules,
        coin: Coin,
    ) -> Result<Option<Vec<BigRational>>> {
        if let Some(plain) = swept_turns(rules, coin) {
            return self.swept_values(target.id, positions, &plain);
        }
        self.tossed_values(target.id, positions, rules, coin)
    }

    /// Computes these values by the theory of random turns, for a coin that bidding does not match.
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
        self.kept_values(key, positions, |context| {
            richman::RichmanSweep::tossed(positions, rules, coin, context)
        })
    }

    /// Returns the values of some positions, either kept ones or those that a sweep finds. All
    /// values of the sweep are kept for the next question, as far as they fit.
    fn kept_values(
        &mut self,
        key: SweptKey,
        positions: Numbered<'_>,
        sweep: impl Fn(&Context<'_>) -> Result<richman::RichmanSweep>,
    ) -> Result<Option<Vec<BigRational>>> {
        let Numbered {
            indexed,
            states,
            ended,
            ..
        } = positions;
        let values = |swept: &richman::RichmanSweep| {
            let ended = ended
                .iter()
                .map(|ending| Some(richman::value_of(*ending, &key.rules)));
            states
                .iter()
                .map(|state| swept.value(indexed, state))
                .chain(ended)
                .collect()
        };
        let known = self.memory.sweeps.values.get(&key);
        // A sweep that kept only some of its values may lack one of these, and is then repeated.
        if let Some(values) = known.and_then(values) {
            return in_range(values).map(Some);
        }
        let swept = self.with_room(|_, context| sweep(context))?;
        let found: Option<Vec<_>> = values(&swept);
        self.memory.sweeps.values.insert(key, swept);
        found.map(in_range).transpose()
    }

    /// Returns a position with those that its moves lead to.
    fn near(&self, game: GameId) -> Result<Neighbourhood> {
        let found = Explored::neighbourhood(self.games, game)?;
        Ok(found.expect("the plan has looked at the position's moves"))
    }

    /// Returns a game as a position that a method solves without its graph.
    fn target(&mut self, game: GameId, method: &Method) -> Result<Target> {
        let position = self.games.ruleset_state(game);
        let (id, state, conjugated) =
            position.expect("the plan solves positions of rulesets without a graph");
        let state = state.clone();
        let ruleset = Rc::clone(self.games.ruleset(id));
        let indexed = match method {
            // Layers are chosen where no numbering serves, so none is built.
            Method::Layers => None,
            _ => self.index_of(id)?.indexed(),
        };
        Ok(Target {
            id,
            ruleset,
            indexed,
            state,
            conjugated,
        })
    }

    /// Returns the numbering of a ruleset for sweeps.
    pub(super) fn index_of(&mut self, id: RulesetId) -> Result<NumberingState> {
        match self.memory.sweeps.indexes.get(&id) {
            // The limit may have been raised since the numbering was found too large.
            Some(NumberingState::Large(numbering))
                if numbering.positions() <= self.context.limits.max_positions => {}
            Some(known) => return Ok(known.clone()),
            None => {}
        }
        let index = NumberingState::new(self.games.ruleset(id), self.context)?;
        self.memory.sweeps.indexes.insert(id, index.clone());
        Ok(index)
    }

    /// Returns the numbering of a ruleset, whether or not a sweep can use it.
    pub(super) fn numbering(&mut self, id: RulesetId) -> Result<Option<Rc<Numbering>>> {
        if let Some(known) = self.memory.sweeps.numberings.get(&id) {
            return Ok(known.clone());
        }
        let numbering = self.games.ruleset(id).numbering(self.context)?.map(Rc::new);
        self.memory.sweeps.numberings.insert(id, numbering.clone());
        Ok(numbering)
    }

    /// Returns `true` if the game could be explored with at most this many positions.
    pub(super) fn is_explored_within(&mut self, game: GameId, positions: u64) -> Result<bool> {
        if self.memory.sweeps.large.contains(&game) {
            return Ok(false);
        }
        let is_explored = self.explores_within(game, positions)?;
        if !is_explored {
            self.memory.sweeps.large.insert(game);
        }
        Ok(is_explored)
    }

    /// Explores a game with at most this many positions, and returns `true` if that was possible.
    pub(super) fn explores_within(&mut self, game: GameId, positions: u64) -> Result<bool> {
        let limits = self.context.limits;
        let budget = Context {
            limits: Limits {
                max_positions: limits.max_positions.min(positions),
                ..limits
            },
            ..*self.context
        };
        match self
            .memory
            .graphs
            .locate(self.games, game, &budget)
            .map(drop)
        {
            Ok(()) => Ok(true),
            // Only a limit means that the game is large; other errors belong to the question
            // itself.
            Err(stopped) if matches!(stopped.code, Code::Positions | Code::Memory) => Ok(false),
            Err(other) => Err(other),
        }
    }
}

/// Checks that values are shares or probabilities. Values outside of 0 to 1 come from an internal
/// error and are not returned.
fn in_range(values: Vec<BigRational>) -> Result<Vec<BigRational>> {
    let (zero, one) = (BigRational::zero(), BigRational::one());
    match values.iter().find(|value| **value < zero || **value > one) {
        None => Ok(values),
        Some(value) => Err(contradiction(format!(
            "the value {value} was found, which is not between 0 and 1"
        ))),
    }
}
