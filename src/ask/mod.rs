//! Questions about games, and the only way from a question to its answer.
//!
//! A [`Question`] names the game, the rules and the value that is asked for. [`Ask::plan`] names
//! the methods that answer it, in the order in which they are tried, and gives the reason; nothing
//! else names one. [`Ask::answer`] runs them. [`Memory`] keeps the results, so that the next
//! question about the same game is answered from it.

mod admission;
mod against;
mod bounds;
mod cost;
mod graphs;
mod index;
mod measure;
mod method;
mod plan;
mod search;
mod sweeps;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use num_rational::BigRational;

pub use against::LeastChipsRow;
pub use bounds::{Bounded, Depth};
pub use cost::{BatchesCost, Cost, Count, Cycles, MostMemory, TimeRange};
pub use graphs::{Graphs, LocatedVertex, SolvedGraph};
pub use measure::PositionValues;
pub use method::{Method, MethodName, Passed, Plan, Planned};

use bounds::ProductPosition;
use sweeps::Sweeps;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{Explored, Games, Neighbourhood, NodeId};
use crate::player::{Ending, GameId, Outcome, PerPlayer, Player};
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{Objective, Purses, Rules};
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
    /// The value that is asked for.
    pub about: About,
    /// The rules in force.
    pub rules: Rules,
}

/// The value that a question asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// The critical threshold, or proved bounds on it: `R(G)`, `thresholds(G)`.
    Share,
    /// The probability with which Bob wins when a coin is tossed for each turn; the coin is fair if
    /// none is named. This is 1 − `P(G, p)`.
    Turns(Option<Coin>),
    /// Alice's thresholds for these totals of chips: `f(G, k)`.
    Thresholds(Rc<[u64]>),
    /// Alice's thresholds against these numbers of Bob's chips: `f(G, bob: b)`.
    Against(Rc<[u64]>),
    /// The outcome with each of these pairs of purses: `G(a*, b)`.
    Outcomes(Rc<[Purses]>),
    /// The bids and moves for this total of chips, at a position.
    Strategies(u64),
    /// The bids and moves for this total of chips, at a position and then at each position that
    /// play reaches.
    Play(u64),
    /// The values of a position's moves when a coin decides each turn, and then of the moves at
    /// each position that play reaches.
    PlayTurns(Coin),
    /// The values of a position's moves: critical thresholds, or thresholds for a total of chips.
    Moves(Option<u64>),
    /// The values of a position's moves, and then of the moves of the positions that they lead to:
    /// `tree(G)`.
    Tree(Option<u64>),
    /// Bounds by plays of at most a given number of moves, on the critical threshold or the
    /// threshold for a total of chips: `bounds(G, moves: n)`.
    Truncated {
        /// The depth at which play is stopped.
        depth: Depth,
        /// The total of chips, if chips are asked about.
        total: Option<u64>,
    },
    /// Bounds on the critical threshold, as narrow as `precision` asks: `bounds(G)`.
    Bounds,
    /// Optimal mixed bids with up to these numbers of chips, each solved by itself: `v(G, a, b)`,
    /// `nash(G, a, b)`.
    Mixed(Rc<[PerPlayer<u64>]>),
    /// A value that a theory computes on the graph of the positions that can be reached.
    Graph,
}

/// The answer to a question.
pub enum Answer {
    /// Answers [`About::Share`].
    Share(Share),
    /// Answers [`About::Turns`].
    Probability(BigRational),
    /// Answers [`About::Thresholds`], at a vertex.
    Thresholds(Solved<Rc<Thresholds>>),
    /// Answers [`About::Thresholds`] by search, one for each total.
    Searched(Vec<Threshold>),
    /// Answers [`About::Against`], a row for each holder of the tie status.
    Rows(Vec<LeastChipsRow>),
    /// Answers [`About::Outcomes`], one for each pair of purses.
    Outcomes(Vec<Outcome>),
    /// Answers [`About::Strategies`] and [`About::Play`].
    Strategies(Around<Solution>),
    /// Answers [`About::Moves`], [`About::Tree`] and [`About::PlayTurns`].
    Moves(Around<PositionValues>),
    /// Answers [`About::Truncated`].
    Bounded(Bounded),
    /// Answers [`About::Bounds`]; `None` if the bounds are found by truncation, one move deeper
    /// each time.
    Bounds(Option<[BigRational; 2]>),
}

impl Answer {
    /// Returns `true` if the answer shows that one player cannot win with all of the money: a share of
    /// 0 or 1, or thresholds that are all above the total.
    fn excludes_wins(&self) -> bool {
        match self {
            Self::Share(share) => share.value().is_some_and(BigRational::is_integer),
            Self::Thresholds(Solved { node, solution }) => {
                let mut lanes = solution.totals().iter().enumerate();
                lanes.all(|(lane, total)| solution.forces(*node, Player::Alice, lane) > *total)
            }
            _ => false,
        }
    }
}

/// Lets an answer be taken as the type that its question has.
macro_rules! answers_as {
    ($($variant:ident => $kind:ty),* $(,)?) => {$(
        impl TryFrom<Answer> for $kind {
            type Error = ();

            fn try_from(answer: Answer) -> Result<Self, ()> {
                match answer {
                    Answer::$variant(found) => Ok(found),
                    _ => Err(()),
                }
            }
        }
    )*};
}

answers_as! {
    Share => Share,
    Probability => BigRational,
    Thresholds => Solved<Rc<Thresholds>>,
    Rows => Vec<LeastChipsRow>,
    Outcomes => Vec<Outcome>,
    Strategies => Around<Solution>,
    Moves => Around<PositionValues>,
    Bounded => Bounded,
    Bounds => Option<[BigRational; 2]>,
}

/// A solution of several vertices, and the one that was asked about.
pub struct Solved<S> {
    /// The vertex.
    pub node: NodeId,
    /// The solution.
    pub solution: S,
}

/// A solution with the graph to whose vertices it refers.
pub struct Around<S> {
    /// The graph: of all positions that can be reached, or of one position and its moves.
    pub explored: Rc<Explored>,
    /// The vertex of the position that was asked about.
    pub node: NodeId,
    /// The solution.
    pub solution: S,
    /// `true` if the graph contains all positions that can be reached.
    pub is_whole: bool,
}

/// The values found for games so far, with the graphs and numberings that they were found with.
#[derive(Debug, Default)]
pub struct Memory {
    /// The explored games.
    pub graphs: Graphs,
    sweeps: Sweeps,
    /// The parts of the position whose truncation was planned last.
    parts: Option<(GameId, Depth, ProductPosition)>,
    /// The method that is tried before all others, if there is one.
    preferred: Option<MethodName>,
    /// The large boards whose fillings have been sampled, with the seed of the sample. They are
    /// kept because a match that is taken back and played again reaches the same boards.
    pub judged_boards: HashMap<(GameId, u64), JudgedBoard>,
}

impl Memory {
    /// Makes a method answer every later question that it can answer; `None` lifts the preference.
    /// All methods give equal answers.
    pub fn prefer(&mut self, method: Option<MethodName>) {
        self.preferred = method;
    }
}

/// The cell of a large board that is likeliest to decide the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedBoard {
    /// The cell.
    pub cell: usize,
    /// The number of fillings in which the cell's owner wins, minus those in which its owner loses.
    pub agreement: u64,
    /// The number of fillings that were sampled.
    pub fillings: u64,
}

/// The context in which questions are asked: all games, the results so far and the limits.
pub struct Ask<'a> {
    /// All games.
    pub games: &'a mut Games,
    /// The results of earlier questions.
    pub memory: &'a mut Memory,
    /// The limits, and the check whether to go on.
    pub context: &'a Context<'a>,
    /// Warnings about answers.
    pub warnings: &'a mut Vec<Diagnostic>,
    /// The games whose answers show that one player cannot win with all of the money. Perhaps
    /// nobody can win them, for which they are searched once the value is known.
    pub one_sided: &'a mut Vec<GameId>,
}

impl<'a> Ask<'a> {
    /// Returns the vertex of a game in an explored graph.
    ///
    /// # Errors
    /// Returns an error if a position cannot be evaluated, or the work is stopped.
    pub fn locate(self, game: GameId) -> Result<LocatedVertex<'a>> {
        self.memory.graphs.locate(self.games, game, self.context)
    }

    /// Returns the vertex of a game as the start of its own graph.
    ///
    /// # Errors
    /// Returns an error if a position cannot be evaluated, or the work is stopped.
    pub fn locate_start(self, game: GameId) -> Result<LocatedVertex<'a>> {
        self.memory
            .graphs
            .locate_start(self.games, game, self.context)
    }

    /// Returns the vertex of a game in an explored graph, with the game's goals under the objective
    /// in force.
    ///
    /// # Errors
    /// Returns the errors of [`Ask::locate`], and an error if the game lacks the labels that the
    /// objective needs.
    pub fn locate_marked(self, game: GameId, objective: Objective) -> Result<LocatedVertex<'a>> {
        let place = self.memory.graphs.locate(self.games, game, self.context)?;
        place.solved.mark(self.games, objective, self.context)?;
        Ok(place)
    }

    /// Returns the vertex of a game as the start of its own graph, with the outcome of play that
    /// stays at a position for ever.
    ///
    /// # Errors
    /// Returns the errors of [`Ask::locate_start`], and an error if the game lacks the labels that
    /// the objective needs.
    pub fn locate_standing(self, game: GameId, objective: Objective) -> Result<LocatedVertex<'a>> {
        let place = self
            .memory
            .graphs
            .locate_start(self.games, game, self.context)?;
        place
            .solved
            .mark_standing(self.games, objective, self.context)?;
        Ok(place)
    }

    /// Borrows the context again, for a question within a question.
    fn again(&mut self) -> Ask<'_> {
        Ask {
            games: self.games,
            memory: self.memory,
            context: self.context,
            warnings: self.warnings,
            one_sided: self.one_sided,
        }
    }
}

impl Ask<'_> {
    /// Answers a question, by the first method of its plan that yields an answer.
    ///
    /// # Errors
    /// Returns an error if the rules have no such answer, a position cannot be evaluated, or the
    /// work is stopped.
    pub fn answer(&mut self, question: &Question) -> Result<Answer> {
        // The plan comes first, because it refuses questions that the rules do not admit.
        let plan = self.plan(question)?;
        self.warn_if_never_won(question);
        for method in &plan.methods {
            if let Some(answer) = self.run(method, question)? {
                if answer.excludes_wins() && !says_draw(question) {
                    self.one_sided.push(question.game);
                }
                return Ok(answer);
            }
        }
        // Every plan ends in a method that always answers, so getting here is an error of the
        // program.
        Err(contradiction(
            "no method of the plan came to an answer".to_owned(),
        ))
    }

    /// Warns of a game that nobody can win: the number that is asked for does not show that all
    /// play is a draw. The caller adds the place of the question.
    fn warn_if_never_won(&mut self, question: &Question) {
        if let Some(title) = self.games.never_won(question.game)
            && !says_draw(question)
        {
            let help = "say who wins: `win alice if …` in a ruleset, `win alice: …` in a graph, or `stuck loses` if the player who cannot move loses";
            self.warn_once(never_won(title, help));
        }
    }

    /// Warns of a ruleset whose lines name winners, but no play from its start reaches a position
    /// that somebody has won. Only small games are searched for one.
    ///
    /// # Errors
    /// Returns an error if a position cannot be evaluated, or the work is stopped.
    pub fn warn_if_no_play_wins(&mut self, game: GameId) -> Result<()> {
        const MOST_POSITIONS: u64 = 10_000;
        let Some((id, state, _)) = self.games.ruleset_state(game) else {
            return Ok(());
        };
        let ruleset = self.games.ruleset(id);
        if ruleset.is_scored()
            || ruleset.is_never_won()
            || ruleset.start() != state
            || !self.explores_within(game, MOST_POSITIONS)?
        {
            return Ok(());
        }
        let place = self.again().locate(game)?;
        let graph = &place.solved.explored.graph;
        let is_won = |node: NodeId| matches!(graph.ending(node), Some(Ending::Win(_)));
        if !graph.reachable(place.node).into_iter().any(is_won) {
            let help = if graph.all_successors(place.node).next().is_none() {
                "check the conditions of its `move` lines: nobody has a move at the start"
            } else {
                "check the conditions of its `win` lines: no position that can be reached from the start satisfies one"
            };
            self.warn_once(never_won(self.games.ruleset_title(id), help));
        }
        Ok(())
    }

    /// Adds a warning, unless one evaluation that asks many questions about a game has added it
    /// before.
    fn warn_once(&mut self, warning: Diagnostic) {
        let message = &warning.message;
        if !self.warnings.iter().any(|other| other.message == *message) {
            self.warnings.push(warning);
        }
    }

    /// Answers a question about a game, as the type that the question has.
    pub fn about<A: TryFrom<Answer>>(
        &mut self,
        game: GameId,
        about: About,
        rules: &Rules,
    ) -> Result<A> {
        let question = Question {
            game,
            about,
            rules: Rules {
                // Income is part of the game's positions, so the written rules alone do not show
                // it.
                has_positions_with_income: rules.has_positions_with_income
                    || self.games.has_income(game),
                ..rules.clone()
            },
        };
        let answer = self.answer(&question)?;
        answer.try_into().map_err(|_| {
            let asked = &question.about;
            contradiction(format!("another question than {asked:?} was answered"))
        })
    }

    /// Returns Alice's thresholds for these totals of chips, one for each.
    pub fn thresholds(
        &mut self,
        game: GameId,
        totals: &[u64],
        rules: &Rules,
    ) -> Result<Vec<Threshold>> {
        admit::chips(rules, ChipsQuestion::Threshold)?;
        match self.about(game, About::Thresholds(totals.into()), rules)? {
            Answer::Thresholds(Solved { node, solution }) => watched(0..totals.len(), self.context)
                .map(|lane| Ok(solution.threshold(node, lane?)))
                .collect(),
            Answer::Searched(found) => Ok(found),
            _ => Err(contradiction("no thresholds were answered".to_owned())),
        }
    }

    /// Runs a method. Returns `None` if it turns out not to yield an answer, for example if more
    /// positions can be reached than it may explore.
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

    /// Answers a question on the graph of all positions that can be reached.
    fn on_graph(&mut self, question: &Question) -> Result<Answer> {
        let (rules, context) = (&question.rules, self.context);
        let place = self.again().locate_marked(question.game, rules.objective)?;
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
                let game = solved.marked(rules);
                let solution = Strategies::solve(game, rules, *total, context)?.solution();
                Answer::Strategies(Around::whole(&solved.explored, node, solution))
            }
            About::PlayTurns(coin) => {
                let measure =
                    PositionValues::Richman(Rc::new(solved.with_coin(rules, *coin, context)?));
                Answer::Moves(Around::whole(&solved.explored, node, measure))
            }
            About::Moves(total) | About::Tree(total) => {
                let measure = PositionValues::solve(solved, rules, *total, context)?;
                Answer::Moves(Around::whole(&solved.explored, node, measure))
            }
            // Only few positions can be reached here, so truncation finds the bounds.
            About::Bounds => Answer::Bounds(None),
            About::Truncated { .. } | About::Mixed(_) | About::Graph => {
                unreachable!("no method answers this question on the graph of the game")
            }
        })
    }

    /// Returns the graph that starts at this very game.
    pub fn explore(&mut self, game: GameId) -> Result<Rc<Explored>> {
        let place = self.again().locate_start(game)?;
        Ok(Rc::clone(&place.solved.explored))
    }
}

impl<S> Around<S> {
    /// Returns the solution of a whole graph, at a vertex.
    pub fn whole(explored: &Rc<Explored>, node: NodeId, solution: S) -> Self {
        Self {
            explored: Rc::clone(explored),
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

    /// Returns the same positions with what `of` makes of the solution.
    pub fn map<T>(self, of: impl FnOnce(S) -> T) -> Around<T> {
        Around {
            explored: self.explored,
            node: self.node,
            solution: of(self.solution),
            is_whole: self.is_whole,
        }
    }
}

/// Returns `true` if an answer to the question names a draw itself, so that a warning would repeat
/// it, or if draws are not what play without a win comes to.
fn says_draw(question: &Question) -> bool {
    let names_draw = matches!(
        question.about,
        About::Outcomes(_) | About::Strategies(_) | About::Play(_) | About::Mixed(_) | About::Graph
    );
    names_draw || question.rules.objective != Objective::Reachability
}

fn never_won(title: &str, help: &str) -> Diagnostic {
    let game = match title {
        "" => "this game".to_owned(),
        title => format!("`{title}`"),
    };
    let message = format!("nobody can win {game} and nothing scores, so every play is a draw");
    Diagnostic::new(Code::NeverWon, message).help(help)
}

/// Returns the totals of chips of some pairs of purses, each once, in ascending order.
fn totals_of(purses: &[Purses], context: &Context<'_>) -> Result<Vec<u64>> {
    let totals = watched(purses, context).map(|purses| Ok(purses?.total()));
    let totals: BTreeSet<u64> = totals.collect::<Result<_>>()?;
    Ok(totals.into_iter().collect())
}

/// Returns the index, among all totals, of the total of some purses.
fn lane(totals: &[u64], purses: &Purses) -> usize {
    totals.partition_point(|total| *total < purses.total())
}

/// Returns the outcome with each of the pairs of purses.
fn told(
    purses: &[Purses],
    outcome: impl Fn(&Purses) -> Outcome,
    context: &Context<'_>,
) -> Result<Vec<Outcome>> {
    watched(purses, context)
        .map(|purses| Ok(outcome(purses?)))
        .collect()
}
