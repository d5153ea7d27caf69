//! Matches with chips: optimal single bids for the best outcome or score, bids drawn from an
//! optimal distribution, or what filled boards advise.

use std::rc::Rc;

use num_traits::{ToPrimitive, Zero};

use super::board::Sampled;
use super::{Answered, Dice, Held, Scene, Spot, Theory};
use crate::ask::About;
use crate::diagnostic::Result;
use crate::eval::{Evaluator, NamedMove};
use crate::game::{GameGraph, NodeId, Score};
use crate::library::all_pay::solve_all_pay;
use crate::library::play::matches::questions::ask_chips;
use crate::library::scoring::pure::Subject;
use crate::library::scoring::pure::scoring;
use crate::player::{GameId, PerPlayer, Player};
use crate::rules::{Purses, Rules, Tie, settle, tie};
use crate::solve::all_pay::{self, Found, Solved};
use crate::solve::strategy::Solution;
use crate::source::Span;
use crate::watch::{Context, Stop};

impl Held for Purses {
    type Bid = u64;

    const BIDS_IN_VAIN: bool = true;

    fn any_bid(&self, player: Player, dice: &Dice) -> u64 {
        dice.below(self.chips[player] + 1)
    }

    fn tie(&self, rules: &Rules) -> Tie {
        tie(rules, self)
    }

    fn settle(&self, rules: &Rules, bids: PerPlayer<u64>, winner: Player) -> Self {
        settle(rules, self, bids, winner)
    }

    fn words(&self, player: Player) -> String {
        let star = if self.status == Some(player) { "*" } else { "" };
        format!("{}{star}", self.chips[player])
    }

    fn ask_bid(
        &self,
        player: Player,
        advice: &dyn Fn() -> u64,
        evaluator: &mut Evaluator<'_>,
    ) -> Answered<u64> {
        ask_chips(evaluator, self.chips[player], advice)
    }
}

/// A position of a game that is played to win.
pub(crate) fn won_scene<'m>(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    about: About,
    rules: &'m Rules,
) -> Result<Scene<Chips<'m>>> {
    let around = evaluator.ask().strategies(game, about, rules)?;
    Ok(Scene {
        explored: around.explored,
        theory: Chips {
            rules,
            engine: Engine::Wins(around.solution),
        },
        is_whole: around.is_whole,
    })
}

/// A game that is played for the score.
pub(crate) fn scored_scene<'m>(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    (rules, total): (&'m Rules, u64),
    span: Span,
) -> Result<Scene<Chips<'m>>> {
    let subject = Rc::new(scoring(evaluator, game, total, span)?);
    let explored = Rc::clone(&subject.explored);
    Ok(Scene {
        explored,
        theory: Chips {
            rules,
            engine: Engine::Scores(subject),
        },
        is_whole: true,
    })
}

/// A game in which both pay, played with bids that these dice draw.
pub(crate) fn mixed_scene<'m>(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    (rules, chips, dice): (&'m Rules, PerPlayer<u64>, Dice),
    span: Span,
) -> Result<Scene<Chips<'m>>> {
    let place = solve_all_pay(evaluator, game, chips, span)?;
    Ok(Scene {
        explored: place.explored,
        theory: Chips {
            rules,
            engine: Engine::Mixed(place.solved, dice),
        },
        is_whole: true,
    })
}

/// Optimal play with chips under some rules.
pub(crate) struct Chips<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) engine: Engine,
}

/// What optimal play is after.
pub(crate) enum Engine {
    /// The best outcome.
    Wins(Solution),
    /// The score.
    Scores(Rc<Subject>),
    /// The best outcome where both pay: bids are drawn.
    Mixed(Rc<Solved>, Dice),
    /// The cell that decides most fillings of a large board.
    Sampled(Sampled),
}

impl Theory for Chips<'_> {
    type Held = Purses;

    fn bid(
        &self,
        player: Player,
        spot: &Spot<'_, Purses>,
        context: &Context<'_>,
    ) -> std::result::Result<u64, Stop> {
        let (graph, node, purses) = (spot.graph, spot.node, *spot.held);
        Ok(match &self.engine {
            Engine::Wins(solution) => solution
                .on(graph, self.rules)
                .turn(player, node, purses)
                .bid(),
            Engine::Scores(subject) => subject.solved().bid(player, node, &purses, context)?.bid,
            Engine::Mixed(solved, dice) => {
                let found = solved.equilibrium(graph, self.rules, node, &purses, context)?;
                let weights: Vec<f64> = match found {
                    Found::Exact(found) => found.strategies[player]
                        .iter()
                        .map(|weight| weight.to_f64().unwrap_or(0.0))
                        .collect(),
                    Found::Certified(found) => found.strategies[player].clone(),
                };
                dice.draw(&weights)
            }
            Engine::Sampled(sampled) => sampled.bid.min(purses.chips[player]),
        })
    }

    fn tie_winner(
        &self,
        player: Player,
        spot: &Spot<'_, Purses>,
        bids: &PerPlayer<u64>,
        context: &Context<'_>,
    ) -> std::result::Result<Player, Stop> {
        let (graph, node, purses, bid) = (spot.graph, spot.node, *spot.held, bids[player]);
        Ok(match &self.engine {
            Engine::Wins(solution) => solution
                .on(graph, self.rules)
                .turn(player, node, purses)
                .tie_winner(bid),
            Engine::Scores(subject) => {
                let solved = subject.solved();
                solved.tie_winner((player, bid), node, &purses, context)?
            }
            Engine::Mixed(solved, _) => {
                all_pay::preferred_winner(solved, graph, self.rules, node, &purses, (player, bid))
            }
            // A move is always worth having here, and the advantage less than a chip.
            Engine::Sampled(_) => player,
        })
    }

    fn mover(
        &self,
        player: Player,
        spot: &Spot<'_, Purses>,
        after: &Purses,
        _: PerPlayer<Option<NodeId>>,
    ) -> Player {
        let (graph, node) = (spot.graph, spot.node);
        match &self.engine {
            Engine::Wins(solution) => solution
                .on(graph, self.rules)
                .turn(player, node, *spot.held)
                .mover(after),
            Engine::Scores(subject) => subject.solved().mover(player, node, after),
            Engine::Mixed(solved, _) => {
                all_pay::choice(solved, graph, self.rules, node, after, player).mover
            }
            Engine::Sampled(_) => player,
        }
    }

    fn destination(
        &self,
        player: Player,
        spot: &Spot<'_, Purses>,
        after: &Purses,
    ) -> Option<NodeId> {
        let (graph, node) = (spot.graph, spot.node);
        match &self.engine {
            Engine::Wins(solution) => solution
                .on(graph, self.rules)
                .turn(player, node, *spot.held)
                .destination(after),
            Engine::Scores(subject) => subject.solved().destination(player, node, after),
            Engine::Mixed(solved, _) => {
                Some(all_pay::destination(solved, graph, node, after, player))
            }
            Engine::Sampled(sampled) => Some(sampled.node),
        }
    }

    fn named(&self) -> Option<NamedMove> {
        match &self.engine {
            Engine::Sampled(sampled) => Some(sampled.best.clone()),
            Engine::Wins(_) | Engine::Scores(_) | Engine::Mixed(..) => None,
        }
    }

    fn weight(&self, graph: &GameGraph, (from, to): (NodeId, NodeId), mover: Player) -> Score {
        match &self.engine {
            Engine::Scores(subject) => {
                let mut moves = subject.scores.moves(graph, from, mover);
                moves
                    .find(|(head, _)| *head == to)
                    .map_or_else(Score::zero, |(_, units)| subject.score(units))
            }
            Engine::Wins(_) | Engine::Mixed(..) | Engine::Sampled(_) => Score::zero(),
        }
    }

    fn ending_weight(&self, node: NodeId) -> Score {
        match &self.engine {
            Engine::Scores(subject) => subject.score(subject.scores.ending(node)),
            Engine::Wins(_) | Engine::Mixed(..) | Engine::Sampled(_) => Score::zero(),
        }
    }

    fn is_scored(&self) -> bool {
        matches!(self.engine, Engine::Scores(_))
    }
}
