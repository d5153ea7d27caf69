//! Matches with chips: optimal single bids for the best outcome or score, bids drawn from an
//! optimal distribution, or the advice of filled boards.

use std::rc::Rc;

use num_traits::{ToPrimitive, Zero};

use super::board::Sampled;
use super::{AnswerResult, DecisionPoint, Dice, Held, PlayTheory};
use crate::ask::{About, Around};
use crate::diagnostic::Result;
use crate::eval::{Evaluator, NamedMove};
use crate::game::{GameGraph, NodeId, Score};
use crate::library::all_pay::solve_all_pay;
use crate::library::play::matches::questions::ask_chips;
use crate::library::scoring::pure::ScoringPosition;
use crate::library::scoring::pure::scoring;
use crate::player::{GameId, PerPlayer, Player};
use crate::rules::{Purses, Rules, Tie, settle, tie};
use crate::solve::all_pay::{self, AllPayValues, ExactOrCertified};
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
        self.words(player)
    }

    fn ask_bid(
        &self,
        player: Player,
        advice: &dyn Fn() -> u64,
        evaluator: &mut Evaluator<'_>,
    ) -> AnswerResult<u64> {
        ask_chips(evaluator, self.chips[player], advice)
    }
}

/// Returns a position of a game that is played to win.
pub(crate) fn won_scene<'m>(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    about: About,
    rules: &'m Rules,
) -> Result<Around<ChipsTheory<'m>>> {
    let around: Around<_> = evaluator.ask().about(game, about, rules)?;
    Ok(around.map(|solution| ChipsTheory {
        rules,
        engine: PlayEngine::Wins(solution),
    }))
}

/// Returns a position of a game that is played for the score.
pub(crate) fn scored_scene<'m>(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    rules: &'m Rules,
    total: u64,
    span: Span,
) -> Result<Around<ChipsTheory<'m>>> {
    let subject = Rc::new(scoring(evaluator, game, total, span)?);
    let engine = PlayEngine::Scores(Rc::clone(&subject));
    let theory = ChipsTheory { rules, engine };
    Ok(Around::whole(&subject.explored, subject.node, theory))
}

/// Returns a position of a game under all-pay bidding, in which these dice draw the bids.
pub(crate) fn mixed_scene<'m>(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    rules: &'m Rules,
    chips: PerPlayer<u64>,
    dice: Dice,
    span: Span,
) -> Result<Around<ChipsTheory<'m>>> {
    let place = solve_all_pay(evaluator, game, chips, span)?;
    let engine = PlayEngine::Mixed(place.solved, dice);
    let theory = ChipsTheory { rules, engine };
    Ok(Around::whole(&place.explored, place.node, theory))
}

/// Optimal play with chips under some rules.
pub(crate) struct ChipsTheory<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) engine: PlayEngine,
}

/// The solution that optimal play follows.
pub(crate) enum PlayEngine {
    /// Play for the best outcome.
    Wins(Solution),
    /// Play for the score.
    Scores(Rc<ScoringPosition>),
    /// Play for the best outcome under all-pay bidding: bids are drawn from a distribution.
    Mixed(Rc<AllPayValues>, Dice),
    /// Play for the cell that decides most fillings of a large board.
    Sampled(Sampled),
}

impl PlayTheory for ChipsTheory<'_> {
    type Held = Purses;

    fn bid(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Purses>,
        context: &Context<'_>,
    ) -> Result<u64, Stop> {
        let (graph, node, purses) = (spot.graph, spot.node, *spot.held);
        Ok(match &self.engine {
            PlayEngine::Wins(solution) => solution
                .on(graph, self.rules)
                .turn(player, node, purses)
                .bid(),
            PlayEngine::Scores(subject) => {
                subject.solved().bid(player, node, &purses, context)?.bid
            }
            PlayEngine::Mixed(solved, dice) => {
                let found = solved.equilibrium(graph, self.rules, node, &purses, context)?;
                let weights: Vec<f64> = match found {
                    ExactOrCertified::Exact(found) => found.strategies[player]
                        .iter()
                        // For drawing at random the precision of floating-point numbers suffices.
                        .map(|weight| weight.to_f64().unwrap_or(0.0))
                        .collect(),
                    ExactOrCertified::Certified(found) => found.strategies[player].clone(),
                };
                dice.draw(&weights)
            }
            // The bid is a part of all chips, which may be more than the player has.
            PlayEngine::Sampled(sampled) => sampled.bid.min(purses.chips[player]),
        })
    }

    fn tie_winner(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Purses>,
        bids: &PerPlayer<u64>,
        context: &Context<'_>,
    ) -> Result<Player, Stop> {
        let (graph, node, purses, bid) = (spot.graph, spot.node, *spot.held, bids[player]);
        Ok(match &self.engine {
            PlayEngine::Wins(solution) => solution
                .on(graph, self.rules)
                .turn(player, node, purses)
                .tie_winner(bid),
            PlayEngine::Scores(subject) => {
                let solved = subject.solved();
                solved.tie_winner(player, bid, node, &purses, context)?
            }
            PlayEngine::Mixed(solved, _) => {
                all_pay::preferred_winner(solved, graph, self.rules, node, &purses, player, bid)
            }
            // A move is never a disadvantage here, and the tie-breaking advantage is worth less
            // than a chip.
            PlayEngine::Sampled(_) => player,
        })
    }

    fn mover(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Purses>,
        after: &Purses,
        _: PerPlayer<Option<NodeId>>,
    ) -> Player {
        let (graph, node) = (spot.graph, spot.node);
        match &self.engine {
            PlayEngine::Wins(solution) => solution
                .on(graph, self.rules)
                .turn(player, node, *spot.held)
                .mover(after),
            PlayEngine::Scores(subject) => subject.solved().mover(player, node, after),
            PlayEngine::Mixed(solved, _) => {
                all_pay::choice(solved, graph, self.rules, node, after, player).mover
            }
            PlayEngine::Sampled(_) => player,
        }
    }

    fn destination(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Purses>,
        after: &Purses,
    ) -> Option<NodeId> {
        let (graph, node) = (spot.graph, spot.node);
        match &self.engine {
            PlayEngine::Wins(solution) => solution
                .on(graph, self.rules)
                .turn(player, node, *spot.held)
                .destination(after),
            PlayEngine::Scores(subject) => subject.solved().destination(player, node, after),
            PlayEngine::Mixed(solved, _) => {
                Some(all_pay::destination(solved, graph, node, after, player))
            }
            PlayEngine::Sampled(sampled) => Some(sampled.node),
        }
    }

    fn named(&self) -> Option<NamedMove> {
        match &self.engine {
            PlayEngine::Sampled(sampled) => Some(sampled.best.clone()),
            PlayEngine::Wins(_) | PlayEngine::Scores(_) | PlayEngine::Mixed(..) => None,
        }
    }

    fn weight(&self, graph: &GameGraph, from: NodeId, to: NodeId, mover: Player) -> Score {
        match &self.engine {
            PlayEngine::Scores(subject) => {
                let mut moves = subject.scores.moves(graph, from, mover);
                moves
                    .find(|(head, _)| *head == to)
                    .map_or_else(Score::zero, |(_, units)| subject.score(units))
            }
            PlayEngine::Wins(_) | PlayEngine::Mixed(..) | PlayEngine::Sampled(_) => Score::zero(),
        }
    }

    fn ending_weight(&self, node: NodeId) -> Score {
        match &self.engine {
            PlayEngine::Scores(subject) => subject.score(subject.scores.ending(node)),
            PlayEngine::Wins(_) | PlayEngine::Mixed(..) | PlayEngine::Sampled(_) => Score::zero(),
        }
    }

    fn is_scored(&self) -> bool {
        matches!(self.engine, PlayEngine::Scores(_))
    }
}
