//! Questions about games: the one way from a question to its answer.
//!
//! A [`Question`] says what is asked about which game under which rules. [`Ask::plan`] names the
//! methods that answer it, in the order in which they are tried, and says why; nothing else names
//! one. [`Ask::answer`] runs them. [`Memory`] keeps what has been worked out, so that the next
//! question about the same game is answered from it.

mod against;
mod bounds;
mod cost;
mod graphs;
mod index;
mod measure;
mod plan;
mod search;
mod sweeps;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use num_rational::BigRational;

pub use against::LeastChipsRow;
pub use bounds::{Bounded, Depth};
pub use cost::{Cost, Count, Cycles};
pub use graphs::{LocatedVertex, SolvedGraph};
pub use measure::PositionValues;
pub use plan::{Method, MethodName, Passed, Plan, Planned};

use bounds::ProductPosition;
use graphs::Graphs;
use sweeps::Sweeps;

use crate::diagnostic::{Diagnostic, Result};
use crate::game::{Explored, Games, Neighbourhood, NodeId};
use crate::player::{GameId, Outcome};
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{Objective, Purses, Rules, Solver};
use crate::solve::chips::{Threshold, Thresholds};
use crate::solve::contradiction;
use crate::solve::richman::Coin;
use crate::solve::richman::taxman::Share;
use crate::solve::strategy::{Solution, Strategies};
use crate::watch::{Context, watched};

/// A question about a game.
#[derive(Debug, Clone)]
pub struct Question {
    /// The game.
    pub game: GameId,
    /// The thing that is asked.
    pub about: About,
    /// The rules in force.
    pub rules: Rules,
}

/// The thing that is asked about a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// The critical threshold, or proved bounds on it: `R(G)`, `thresholds(G)`.
    Share,
    /// The probability with which Bob wins when a coin is tossed for each turn, a fair one if none is
    /// named: 1 − `P(G, p)`.
    Turns(Option<Coin>),
    /// Alice's thresholds for these totals of chips: `f(G, k)`.
    Thresholds(Rc<[u64]>),
    /// Alice's thresholds against these numbers of Bob's chips: `f(G, bob: b)`.
    Against(Rc<[u64]>),
    /// The outcome with each of these purses: `G(a*, b)`.
    Outcomes(Rc<[Purses]>),
    /// The bids and moves for this total of chips, at a position.
    Strategies(u64),
    /// The same, and then at the positions that play comes to.
    Play(u64),
    /// The values of a position's moves when a coin decides each turn, and then of the moves of the
    /// positions that play comes to.
    PlayTurns(Coin),
    /// The values of a position's moves: critical thresholds, or thresholds for a total of chips.
    Moves(Option<u64>),
    /// The same, and then of the moves of the positions that they lead to: `tree(G)`.
    Tree(Option<u64>),
    /// Bounds by plays of at most so many moves, on the critical threshold or the threshold for a
    /// total of chips: `bounds(G, moves: n)`.
    Truncated {
        /// How far play goes.
        depth: Depth,
        /// The total of chips, if chips are asked about.
        total: Option<u64>,
    },
    /// Bounds on the critical threshold, as narrow as `precision` asks: `bounds(G)`.
    Bounds,
    /// Whatever a theory says of the graph of the positions that can be reached.
    Graph,
}

/// The answer to a question.
pub enum Answer {
    /// To [`About::Share`].
    Share(Share),
    /// To [`About::Turns`].
    Probability(BigRational),
    /// To [`About::Thresholds`], at a vertex.
    Thresholds(Solved<Rc<Thresholds>>),
    /// The same by search, one for each total.
    Searched(Vec<Threshold>),
    /// To [`About::Against`], a row for each holder of the tie status.
    Rows(Vec<LeastChipsRow>),
    /// To [`About::Outcomes`], one for each pair of purses.
    Outcomes(Vec<Outcome>),
    /// To [`About::Strategies`] and [`About::Play`].
    Strategies(Around<Solution>),
    /// To [`About::Moves`], [`About::Tree`] and [`About::PlayTurns`].
    Moves(Around<PositionValues>),
    /// To [`About::Truncated`].
    Bounded(Bounded),
    /// To [`About::Bounds`]; none where they are found by truncation, one move further each time.
    Bounds(Option<[BigRational; 2]>),
}

/// A solution of several vertices, and the one that was asked about.
pub struct Solved<S> {
    /// The vertex.
    pub node: NodeId,
    /// The solution.
    pub solution: S,
}

/// A solution with the graph whose vertices it speaks of.
pub struct Around<S> {
    /// The graph: of all positions that can be reached, or of one position and its moves.
    pub explored: Rc<Explored>,
    /// The vertex of the position that was asked about.
    pub node: NodeId,
    /// The solution.
    pub solution: S,
    /// Whether the graph holds all positions that can be reached.
    pub is_whole: bool,
}

/// The values that games have been found to have, and the graphs and numberings that they were
/// found with.
#[derive(Debug, Default)]
pub struct Memory {
    graphs: Graphs,
    sweeps: Sweeps,
    /// The parts of the position that was last planned to be truncated.
    parts: Option<(GameId, Depth, ProductPosition)>,
    /// The method that is tried before all others, if one is.
    preferred: Option<MethodName>,
    /// Large boards whose fillings have been judged, with the seed of the sample: a match that is
    /// taken back and played again meets them again.
    pub judged_boards: HashMap<(GameId, u64), JudgedBoard>,
}

impl Memory {
    /// From now on this method answers every question that it can answer: whatever the method, the
    /// answers are equal.
    pub fn prefer(&mut self, method: Option<MethodName>) {
        self.preferred = method;
    }
}

/// The cell of a large board that is likeliest to decide the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedBoard {
    /// The cell.
    pub cell: usize,
    /// In how many more fillings its owner wins than loses.
    pub agreement: u64,
    /// How many fillings were judged.
    pub fillings: u64,
}

/// Where questions are asked.
pub struct Ask<'a> {
    /// All games.
    pub games: &'a mut Games,
    /// The results of earlier questions.
    pub memory: &'a mut Memory,
    /// Asked whether to go on.
    pub context: &'a Context<'a>,
    /// Warnings about answers.
    pub warnings: &'a mut Vec<Diagnostic>,
}

impl<'a> Ask<'a> {
    /// The vertex of a game in an explored graph.
    ///
    /// # Errors
    /// If a position cannot be evaluated, or the work is stopped.
    pub fn locate(self, game: GameId) -> Result<LocatedVertex<'a>> {
        self.memory.graphs.locate(self.games, game, self.context)
    }

    /// The vertex of a game in an explored graph, with what the game says about the objective in
    /// force.
    ///
    /// # Errors
    /// As [`Ask::locate`], and if the game does not say what the objective needs.
    pub fn locate_marked(self, game: GameId, objective: Objective) -> Result<LocatedVertex<'a>> {
        let place = self.memory.graphs.locate(self.games, game, self.context)?;
        place.solved.mark(self.games, objective, self.context)?;
        Ok(place)
    }

    /// The vertex of a game in an explored graph, with how play counts that stands still at a
    /// position for ever.
    ///
    /// # Errors
    /// As [`Ask::locate`], and if the game does not say what the objective needs.
    pub fn locate_standing(self, game: GameId, objective: Objective) -> Result<LocatedVertex<'a>> {
        let place = self.memory.graphs.locate(self.games, game, self.context)?;
        place
            .solved
            .mark_standing(self.games, objective, self.context)?;
        Ok(place)
    }

    /// The same place, for a question within a question.
    fn again(&mut self) -> Ask<'_> {
        Ask {
            games: self.games,
            memory: self.memory,
            context: self.context,
            warnings: self.warnings,
        }
    }
}

impl Ask<'_> {
    /// The answer to a question, by the first method of its plan that comes to one.
    ///
    /// # Errors
    /// If the rules have no such answer, a position cannot be evaluated, or the work is stopped.
    pub fn answer(&mut self, question: &Question) -> Result<Answer> {
        let plan = self.plan(question)?;
        for method in &plan.methods {
            if let Some(answer) = self.run(method, question)? {
                return Ok(answer);
            }
        }
        Err(contradiction(
            "no method of the plan came to an answer".to_owned(),
        ))
    }

    fn asked(&mut self, game: GameId, about: &About, rules: &Rules) -> Result<Answer> {
        self.answer(&Question {
            game,
            about: about.clone(),
            rules: rules.clone(),
        })
    }

    /// The critical threshold of a game, or proved bounds on it.
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn share(&mut self, game: GameId, rules: &Rules) -> Result<Share> {
        let about = About::Share;
        match self.asked(game, &about, rules)? {
            Answer::Share(share) => Ok(share),
            _ => Err(mismatched(&about)),
        }
    }

    /// The probability with which Bob wins when a coin is tossed for each turn.
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn turns(
        &mut self,
        game: GameId,
        coin: Option<Coin>,
        rules: &Rules,
    ) -> Result<BigRational> {
        let about = About::Turns(coin);
        match self.asked(game, &about, rules)? {
            Answer::Probability(probability) => Ok(probability),
            _ => Err(mismatched(&about)),
        }
    }

    /// Alice's thresholds for these totals of chips, one for each.
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn thresholds(
        &mut self,
        game: GameId,
        totals: &[u64],
        rules: &Rules,
    ) -> Result<Vec<Threshold>> {
        admit::chips(rules, ChipsQuestion::Threshold)?;
        let about = About::Thresholds(totals.into());
        match self.asked(game, &about, rules)? {
            Answer::Searched(found) => Ok(found),
            Answer::Thresholds(Solved { node, solution }) => watched(0..totals.len(), self.context)
                .map(|lane| Ok(solution.threshold(node, lane?)))
                .collect(),
            _ => Err(mismatched(&about)),
        }
    }

    /// The same as a solution, whatever solver the rules ask for.
    fn solved_thresholds(
        &mut self,
        game: GameId,
        totals: &[u64],
        rules: &Rules,
    ) -> Result<Solved<Rc<Thresholds>>> {
        let about = About::Thresholds(totals.into());
        let rules = &Rules {
            solver: Solver::Auto,
            ..rules.clone()
        };
        match self.asked(game, &about, rules)? {
            Answer::Thresholds(solved) => Ok(solved),
            _ => Err(mismatched(&about)),
        }
    }

    /// The least chips with which Alice wins against each number of Bob's, a row for each holder of
    /// the tie status.
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn against(
        &mut self,
        game: GameId,
        budgets: &[u64],
        rules: &Rules,
    ) -> Result<Vec<LeastChipsRow>> {
        let about = About::Against(budgets.into());
        match self.asked(game, &about, rules)? {
            Answer::Rows(rows) => Ok(rows),
            _ => Err(mismatched(&about)),
        }
    }

    /// Who wins with each of these purses.
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn outcomes(
        &mut self,
        game: GameId,
        purses: &[Purses],
        rules: &Rules,
    ) -> Result<Vec<Outcome>> {
        let about = About::Outcomes(purses.into());
        match self.asked(game, &about, rules)? {
            Answer::Outcomes(outcomes) => Ok(outcomes),
            _ => Err(mismatched(&about)),
        }
    }

    /// Bids and moves: [`About::Strategies`] or [`About::Play`].
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn strategies(
        &mut self,
        game: GameId,
        about: About,
        rules: &Rules,
    ) -> Result<Around<Solution>> {
        match self.asked(game, &about, rules)? {
            Answer::Strategies(solution) => Ok(solution),
            _ => Err(mismatched(&about)),
        }
    }

    /// The values of moves: [`About::Moves`], [`About::Tree`] or [`About::PlayTurns`].
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn moves(
        &mut self,
        game: GameId,
        about: About,
        rules: &Rules,
    ) -> Result<Around<PositionValues>> {
        match self.asked(game, &about, rules)? {
            Answer::Moves(measure) => Ok(measure),
            _ => Err(mismatched(&about)),
        }
    }

    /// Bounds by plays of at most so many moves.
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn truncated(
        &mut self,
        game: GameId,
        depth: Depth,
        total: Option<u64>,
        rules: &Rules,
    ) -> Result<Bounded> {
        let about = About::Truncated { depth, total };
        match self.asked(game, &about, rules)? {
            Answer::Bounded(bounded) => Ok(bounded),
            _ => Err(mismatched(&about)),
        }
    }

    /// Bounds on the critical threshold, as narrow as the rules ask; `None` where truncation finds
    /// them, one move further each time.
    ///
    /// # Errors
    /// As [`Ask::answer`].
    pub fn bounds(&mut self, game: GameId, rules: &Rules) -> Result<Option<[BigRational; 2]>> {
        let about = About::Bounds;
        match self.asked(game, &about, rules)? {
            Answer::Bounds(bounds) => Ok(bounds),
            _ => Err(mismatched(&about)),
        }
    }

    /// The answer that a method comes to; `None` if it finds on its way that it comes to none, as
    /// where more positions can be reached than it may explore.
    fn run(&mut self, method: &Method, question: &Question) -> Result<Option<Answer>> {
        match method {
            Method::Refuse(need) => Err(self.refusal(question, *need)?),
            Method::Sweep(_) | Method::Layers => self.without_graph(method, question),
            Method::Search => self.by_search(question).map(Some),
            Method::Truncate(_) => self.by_truncation(question),
            Method::Cut(_) => self.by_cut_games(question).map(Some),
            Method::Deepen => Ok(Some(Answer::Bounds(None))),
            Method::ManyTotals => self.by_many_totals(question).map(Some),
            Method::ExploreUpTo(most) if !self.is_explored_within(question.game, *most)? => {
                Ok(None)
            }
            Method::ExploreUpTo(_) | Method::Explore => self.on_graph(question).map(Some),
        }
    }

    /// The answer on the graph of all positions that can be reached.
    fn on_graph(&mut self, question: &Question) -> Result<Answer> {
        let (rules, context) = (&question.rules, self.context);
        let place = match &question.about {
            About::Share | About::Turns(_) => {
                self.again().locate_marked(question.game, rules.objective)?
            }
            _ => self.again().locate(question.game)?,
        };
        let (solved, node) = (place.solved, place.node);
        Ok(match &question.about {
            About::Share => Answer::Share(solved.share(node, rules, context)?),
            About::Turns(coin) => {
                Answer::Probability(solved.turns(rules, *coin, context)?.value(node))
            }
            About::Thresholds(totals) => Answer::Thresholds(Solved {
                node,
                solution: solved.thresholds(rules, totals, context)?,
            }),
            About::Against(budgets) => {
                solved.needs_wins()?;
                let graph = &solved.explored.graph;
                Answer::Rows(crate::solve::budgets::against(
                    graph, rules, node, budgets, context,
                )?)
            }
            About::Outcomes(purses) => {
                let totals = totals_of(purses, context)?;
                let found = solved.outcomes(rules, &totals, context)?;
                let outcome = |each: &Purses| found.outcome(node, each, lane(&totals, each));
                Answer::Outcomes(told(purses, outcome, context)?)
            }
            About::Strategies(total) | About::Play(total) => {
                let graph = &solved.explored.graph;
                let solution = Strategies::solve(graph, rules, *total, context)?.solution();
                Answer::Strategies(Around::whole(solved, node, solution))
            }
            About::PlayTurns(coin) => {
                let measure =
                    PositionValues::Richman(Rc::new(solved.with_coin(rules, *coin, context)?));
                Answer::Moves(Around::whole(solved, node, measure))
            }
            About::Moves(total) | About::Tree(total) => {
                let measure = PositionValues::solve(solved, rules, *total, context)?;
                Answer::Moves(Around::whole(solved, node, measure))
            }
            // Few positions can be reached, so that truncation finds the bounds.
            About::Bounds => Answer::Bounds(None),
            About::Truncated { .. } | About::Graph => {
                unreachable!("no method answers this question on the graph of the game")
            }
        })
    }

    /// The graph that starts at this very game.
    ///
    /// # Errors
    /// As [`Ask::locate`].
    pub fn explore(&mut self, game: GameId) -> Result<Rc<Explored>> {
        let place = self.again().locate(game)?;
        if place.node == place.solved.explored.graph.start() {
            return Ok(Rc::clone(&place.solved.explored));
        }
        Ok(Rc::new(Explored::of(self.games, game, self.context)?))
    }
}

impl<S> Around<S> {
    fn whole(solved: &SolvedGraph, node: NodeId, solution: S) -> Self {
        Self {
            explored: Rc::clone(&solved.explored),
            node,
            solution,
            is_whole: true,
        }
    }

    fn near(near: &Neighbourhood, solution: S) -> Self {
        Self {
            explored: Rc::new(near.explored.clone()),
            node: near.explored.graph.start(),
            solution,
            is_whole: false,
        }
    }
}

/// The answer was to another question: a mistake of ours.
fn mismatched(about: &About) -> Box<Diagnostic> {
    contradiction(format!("another question than {about:?} was answered"))
}

/// All chips of both players.
fn total_of(purses: &Purses) -> u64 {
    purses.chips.alice + purses.chips.bob
}

/// The totals of chips of some purses, each once, in ascending order.
fn totals_of(purses: &[Purses], context: &Context<'_>) -> Result<Vec<u64>> {
    let totals = watched(purses, context).map(|purses| Ok(total_of(purses?)));
    let totals: BTreeSet<u64> = totals.collect::<Result<_>>()?;
    Ok(totals.into_iter().collect())
}

/// The place of the total of some purses among all totals.
fn lane(totals: &[u64], purses: &Purses) -> usize {
    totals.partition_point(|total| *total < total_of(purses))
}

/// The outcome with each of the purses.
fn told(
    purses: &[Purses],
    outcome: impl Fn(&Purses) -> Outcome,
    context: &Context<'_>,
) -> Result<Vec<Outcome>> {
    watched(purses, context)
        .map(|purses| Ok(outcome(purses?)))
        .collect()
}
