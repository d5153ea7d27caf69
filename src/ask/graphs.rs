//! Keeps the games that have been explored and solved, so that questions about positions of the
//! same game are answered once.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use num_rational::BigRational;

use super::plan::bidding_for_turns;
use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::game::{Explored, GameExpr, Games, Goals, MarkedGraph, NodeId, Scores};
use crate::player::{Ending, GameId, PerPlayer};
use crate::rules::{Draws, Objective, Payment, Rules, Solver, Winner};
use crate::solve::all_pay::{AllPayValues, Budgets, Standing};
use crate::solve::chips::{Outcomes, Thresholds};
use crate::solve::objective::{DecidedGame, Endless, MoverRule, decide};
use crate::solve::richman::Coin;
use crate::solve::richman::taxman::{Share, Shares};
use crate::solve::sequences::{KnownSequences, Sequences};
use crate::solve::{richman, scoring};
use crate::watch::Context;

/// The number of games that are kept, and the number of positions kept besides those of the latest
/// game. The least recently used game is dropped first.
const KEPT: usize = 32;
const KEPT_POSITIONS: usize = 4_000_000;

/// The explored games with their solutions.
#[derive(Debug, Default)]
pub struct Graphs {
    /// The games, the most recently used last.
    graphs: Vec<SolvedGraph>,
    /// `true` once a game has been found in the graph of another game, whose other positions may
    /// bear on the answer.
    pub were_shared: bool,
}

/// A game as a vertex of an explored graph.
pub struct LocatedVertex<'a> {
    /// The graph with its solutions.
    pub solved: &'a mut SolvedGraph,
    /// The vertex.
    pub node: NodeId,
}

impl Graphs {
    /// Finds a game among the explored ones, or explores it.
    ///
    /// # Errors
    /// Returns an error if a position cannot be evaluated, or the work is stopped.
    pub fn locate(
        &mut self,
        games: &mut Games,
        game: GameId,
        context: &Context<'_>,
    ) -> Result<LocatedVertex<'_>> {
        let known = self.latest(|solved| solved.explored.node(games, game).is_some());
        self.were_shared |= known.is_some_and(|index| !self.graphs[index].starts_at(games, game));
        self.use_or_explore(known, games, game, context)
    }

    /// Finds a graph that starts at a game, or explores it. Answers from such a graph do not depend
    /// on earlier questions, even if they name positions by their numbers.
    ///
    /// # Errors
    /// Returns an error if a position cannot be evaluated, or the work is stopped.
    pub fn locate_start(
        &mut self,
        games: &mut Games,
        game: GameId,
        context: &Context<'_>,
    ) -> Result<LocatedVertex<'_>> {
        let known = self.latest(|solved| solved.starts_at(games, game));
        self.use_or_explore(known, games, game, context)
    }

    /// Returns the index of the graph with a property that was used last, because it is the
    /// likeliest to be asked again.
    fn latest(&self, has_property: impl Fn(&SolvedGraph) -> bool) -> Option<usize> {
        self.graphs.iter().rposition(has_property)
    }

    fn use_or_explore(
        &mut self,
        known: Option<usize>,
        games: &mut Games,
        game: GameId,
        context: &Context<'_>,
    ) -> Result<LocatedVertex<'_>> {
        let solved = match known {
            Some(index) => self.graphs.remove(index),
            None => SolvedGraph::explore(games, game, context)?,
        };
        // The graph in use is not in the list here, so it is never dropped, however large it is.
        while self.graphs.len() >= KEPT || self.positions() > KEPT_POSITIONS {
            self.graphs.remove(0);
        }
        let node = solved
            .explored
            .node(games, game)
            .expect("a game is a position of its own graph");
        self.graphs.push(solved);
        let solved = self.graphs.last_mut().expect("just pushed");
        Ok(LocatedVertex { solved, node })
    }

    /// Adds graphs, which are preferred to those that are there.
    pub fn extend(&mut self, graphs: Self) {
        self.graphs.extend(graphs.graphs);
    }

    /// Returns `true` if a game is a position of an explored graph.
    pub fn knows(&self, games: &Games, game: GameId) -> bool {
        self.graphs
            .iter()
            .any(|solved| solved.explored.node(games, game).is_some())
    }

    fn positions(&self) -> usize {
        self.graphs
            .iter()
            .map(|solved| solved.explored.graph.len())
            .sum()
    }
}

/// An explored game with its solutions.
#[derive(Debug)]
pub struct SolvedGraph {
    /// The graph and its legend.
    pub explored: Rc<Explored>,
    /// The scores of its positions, if it is a scoring game.
    pub scores: Option<Rc<Scores>>,
    goals: HashMap<Objective, Goals>,
    /// The outcome of play that stays at a vertex for ever, by vertex.
    standing: HashMap<Objective, Vec<Ending>>,
    /// The names of its positions; filled in once an objective of infinite play has been asked
    /// about.
    names: Vec<String>,
    /// `true` if exact Richman values would take too long; `None` until this is known.
    has_dense_component: Option<bool>,
    scoring: HashMap<(Rules, u64), Rc<scoring::ScoreValues>>,
    richman: HashMap<Rules, Rc<richman::Values>>,
    shares: HashMap<Rules, Rc<Shares>>,
    outcomes: HashMap<(Rules, Vec<u64>), Rc<Outcomes>>,
    thresholds: HashMap<(Rules, Vec<u64>), Rc<Thresholds>>,
    all_pay: HashMap<(Rules, Budgets), Rc<AllPayValues>>,
    /// The sequences, or the reason why there are none if that is known.
    sequences: HashMap<Rules, Result<Rc<Sequences>>>,
}

impl SolvedGraph {
    fn explore(games: &mut Games, game: GameId, context: &Context<'_>) -> Result<Self> {
        let explored =
            Explored::of(games, game, context).map_err(|stopped| bounded(stopped, games, game))?;
        // Every solver begins with the components, and nothing can be checked while they are found.
        context.admit(explored.graph.bytes_of_components())?;
        let scores = explored.weigh(games, context)?.map(Rc::new);
        Ok(Self {
            explored: Rc::new(explored),
            scores,
            goals: HashMap::new(),
            standing: HashMap::new(),
            names: Vec::new(),
            has_dense_component: None,
            scoring: HashMap::new(),
            richman: HashMap::new(),
            shares: HashMap::new(),
            outcomes: HashMap::new(),
            thresholds: HashMap::new(),
            all_pay: HashMap::new(),
            sequences: HashMap::new(),
        })
    }

    fn starts_at(&self, games: &Games, game: GameId) -> bool {
        self.explored.node(games, game) == Some(self.explored.graph.start())
    }

    /// Reads the game's labels for an objective of infinite play.
    ///
    /// # Errors
    /// Returns an error if the game lacks the labels that the objective needs, or the work is
    /// stopped.
    pub fn mark(
        &mut self,
        games: &mut Games,
        objective: Objective,
        context: &Context<'_>,
    ) -> Result<()> {
        let goals = match objective {
            Objective::Reachability => return Ok(()),
            _ if self.goals.contains_key(&objective) => return Ok(()),
            Objective::Buchi => self.explored.accepting(games, context)?,
            Objective::Parity => self.explored.parities(games, context)?,
            Objective::MeanPayoff => self.explored.weights(games, context)?,
            Objective::Energy => self.explored.all_weights(games, context)?,
        };
        let graph = &self.explored.graph;
        let mut names = Vec::with_capacity(graph.len());
        for node in graph.nodes() {
            context.check()?;
            let game = self.explored.game(games, node);
            names.push(crate::game::print_game(games, game));
        }
        self.names = names;
        // The goals are recorded last, so that a stop in between leaves no game without names.
        self.goals.insert(objective, goals);
        Ok(())
    }

    /// Reads the outcome of play that stays at a position for ever.
    ///
    /// # Errors
    /// Returns an error if the game lacks the labels that the objective needs, or the work is
    /// stopped.
    pub fn mark_standing(
        &mut self,
        games: &mut Games,
        objective: Objective,
        context: &Context<'_>,
    ) -> Result<()> {
        if !self.standing.contains_key(&objective) {
            let standing = self.explored.standing(games, objective, context)?;
            self.standing.insert(objective, standing);
        }
        Ok(())
    }

    /// Returns the game with the outcome of play that stays at a position for ever, if that has
    /// been read.
    pub fn standing(&self, rules: &Rules) -> Standing<'_> {
        let standing = self
            .standing
            .get(&rules.objective)
            .map_or(&[][..], Vec::as_slice);
        Standing {
            graph: &self.explored.graph,
            standing,
        }
    }

    /// Returns the game's goals under the objective in force, if it is one of infinite play.
    pub fn goals(&self, rules: &Rules) -> Option<&Goals> {
        self.goals.get(&rules.objective)
    }

    /// Returns the graph with the goals of its infinite play, if the rules have an objective of it.
    pub fn marked(&self, rules: &Rules) -> MarkedGraph<'_> {
        MarkedGraph {
            graph: &self.explored.graph,
            goals: self.goals(rules),
        }
    }

    /// Returns the game with its infinite play decided by the objective in force, if it has one.
    fn decided(
        &self,
        rules: &Rules,
        turns: &MoverRule,
        context: &Context<'_>,
    ) -> Result<Option<DecidedGame>> {
        let decided = |goals| decide(&self.endless(goals), rules, turns, context);
        self.goals(rules).map(decided).transpose()
    }

    /// Returns the game with one of its goals.
    pub fn endless<'a>(&'a self, goals: &'a Goals) -> Endless<'a> {
        Endless {
            graph: &self.explored.graph,
            goals,
            names: &self.names,
        }
    }

    /// Returns the critical threshold of a vertex, or proved bounds on it.
    pub fn share(&mut self, node: NodeId, rules: &Rules, context: &Context<'_>) -> Result<Share> {
        // Values of such rules may be known between bounds only, and `Shares` holds both kinds.
        // They also tell the vertices at which it matters that the winner of a bid must move.
        let moves = rules.winner == Winner::Moves && rules.has_richman_values();
        if moves || rules.has_own_shares() || self.encloses(rules, context)? {
            let shares = self.shares(rules, context)?;
            shares.covers(node)?;
            return Ok(shares.share(node));
        }
        Ok(Share::exact(self.richman(rules, context)?.value(node)))
    }

    /// Computes the values of every vertex for random turns decided by a coin.
    pub fn with_coin(
        &self,
        rules: &Rules,
        coin: Coin,
        context: &Context<'_>,
    ) -> Result<richman::Values> {
        self.needs_wins()?;
        match self.decided(rules, &MoverRule::Coin(coin), context)? {
            Some(decided) => {
                richman::Values::with_coin(&decided.graph, &decided.rules(rules), coin, context)
            }
            None => richman::Values::with_coin(&self.explored.graph, rules, coin, context),
        }
    }

    /// Computes the values of every vertex for random turns decided by a coin. If none is named the
    /// coin is fair, and the values are those of bidding where the two are equal.
    pub fn turns(
        &mut self,
        rules: &Rules,
        coin: Option<Coin>,
        context: &Context<'_>,
    ) -> Result<Rc<richman::Values>> {
        let bidding = match coin {
            None => bidding_for_turns(rules, Coin::default()),
            Some(_) => None,
        };
        match bidding {
            Some(bidding) => self.richman(&bidding, context),
            None => self
                .with_coin(rules, coin.unwrap_or_default(), context)
                .map(Rc::new),
        }
    }

    /// Checks that the game is one that is won or lost.
    pub(crate) fn needs_wins(&self) -> Result<()> {
        if self.scores.is_none() {
            return Ok(());
        }
        Err(Diagnostic::new(Code::WrongTheory, "nobody wins this game: its outcome is a score")
            .help("ask for the score: `o(G, p*, q)` with both budgets, `o(G, TB)` for every split of a total; with both budgets, `moves(G, 4*, 4)` and `tree(G, 4*, 4)` show the moves")
            .into())
    }

    /// Computes the maximin and minimax values of a scoring game without cycles: of all vertices,
    /// or of one only if all would take too much memory.
    pub fn scoring(
        &mut self,
        rules: &Rules,
        total: u64,
        node: NodeId,
        context: &Context<'_>,
    ) -> Result<Rc<scoring::ScoreValues>> {
        /// The most that is kept of one solution, in bytes.
        const ROOM: u64 = 64 << 20;
        let key = (rules.clone(), total);
        if let Some(values) = self.scoring.get(&key) {
            return Ok(Rc::clone(values));
        }
        let scores = self
            .scores
            .as_ref()
            .expect("asked about scoring games only");
        let game = scoring::Scored {
            graph: &self.explored.graph,
            scores,
        };
        // A solution of one vertex answers no question about others, so it is not kept.
        if scoring::ScoreValues::bytes(game.graph, total) > ROOM {
            return Ok(Rc::new(scoring::ScoreValues::solve(
                game,
                rules,
                total,
                scoring::KeptRows::Only(&[node]),
                context,
            )?));
        }
        let values = Rc::new(scoring::ScoreValues::solve(
            game,
            rules,
            total,
            scoring::KeptRows::All,
            context,
        )?);
        keep(&mut self.scoring, key, &values);
        Ok(values)
    }

    /// Computes the Richman values of every vertex.
    pub fn richman(&mut self, rules: &Rules, context: &Context<'_>) -> Result<Rc<richman::Values>> {
        self.needs_wins()?;
        if let Some(values) = self.richman.get(rules) {
            return Ok(Rc::clone(values));
        }
        let values = Rc::new(match self.decided(rules, &MoverRule::Richman, context)? {
            Some(decided) => {
                richman::Values::solve(&decided.graph, &decided.rules(rules), context)?
            }
            None => richman::Values::solve(&self.explored.graph, rules, context)?,
        });
        self.richman.insert(rules.clone(), Rc::clone(&values));
        Ok(values)
    }

    /// Returns `true` if Richman values are enclosed between proved bounds, either because the
    /// rules ask for it or because exact values would take too long.
    pub fn encloses(&mut self, rules: &Rules, context: &Context<'_>) -> Result<bool> {
        match rules.solver {
            _ if !rules.has_richman_values() => Ok(false),
            Solver::Iteration => Ok(true),
            // The answer depends on the graph alone, so it is found once and serves all rules.
            Solver::Auto if rules.draws != Draws::Half && self.goals(rules).is_none() => {
                if self.has_dense_component.is_none() {
                    self.has_dense_component =
                        Some(richman::has_dense_component(&self.explored.graph, context)?);
                }
                Ok(self.has_dense_component == Some(true))
            }
            _ => Ok(false),
        }
    }

    /// Computes the critical thresholds of every vertex, for any part of a bid that goes to the
    /// bank.
    pub fn shares(&mut self, rules: &Rules, context: &Context<'_>) -> Result<Rc<Shares>> {
        self.needs_wins()?;
        if let Some(shares) = self.shares.get(rules) {
            return Ok(Rc::clone(shares));
        }
        let turns = match &rules.pay {
            Payment::Poorman => MoverRule::Taxed(BigRational::from_integer(1.into())),
            Payment::Taxman(part) => MoverRule::Taxed(part.clone()),
            Payment::Richman | Payment::AllPay | Payment::AllPayBank => MoverRule::Richman,
        };
        let enclosed = if rules.solver == Solver::Auto && self.encloses(rules, context)? {
            Shares::enclose(&self.explored.graph, rules, context)?
        } else {
            None
        };
        let is_exact = rules.has_richman_values() && rules.solver != Solver::Iteration;
        let shares = Rc::new(match enclosed {
            Some(shares) => shares,
            None if is_exact && rules.winner == Winner::Chooses => {
                Shares::of_richman(&*self.richman(rules, context)?, rules.draws)
            }
            None if is_exact => match self.decided(rules, &turns, context)? {
                Some(decided) => Shares::richman(&decided.graph, &decided.rules(rules), context)?,
                None => Shares::richman(&self.explored.graph, rules, context)?,
            },
            None if rules.has_income()
                && let Some(goals) = self.goals(rules) =>
            {
                Shares::with_goals(&self.explored.graph, goals, rules, context)?
            }
            None => match self.decided(rules, &turns, context)? {
                Some(decided) => Shares::solve_to(
                    &decided.graph,
                    &decided.thresholds,
                    &decided.rules(rules),
                    context,
                )?,
                None => Shares::solve(&self.explored.graph, rules, context)?,
            },
        });
        self.shares.insert(rules.clone(), Rc::clone(&shares));
        Ok(shares)
    }

    /// Computes Alice's thresholds of every vertex for these totals.
    pub fn thresholds(
        &mut self,
        rules: &Rules,
        totals: &[u64],
        context: &Context<'_>,
    ) -> Result<Rc<Thresholds>> {
        self.needs_wins()?;
        let key = (rules.clone(), totals.to_vec());
        if let Some(thresholds) = self.thresholds.get(&key) {
            return Ok(Rc::clone(thresholds));
        }
        let alice = crate::player::Player::Alice;
        let thresholds = Rc::new(Thresholds::solve(
            self.marked(rules),
            rules,
            alice,
            totals,
            context,
        )?);
        keep(&mut self.thresholds, key, &thresholds);
        Ok(thresholds)
    }

    /// Computes the values under all-pay bidding of everything that can be reached from a vertex,
    /// for all budgets that these chips lead to. If the work is stopped, the part that has been
    /// solved is kept for the next call.
    ///
    /// # Errors
    /// Returns an error if the work is stopped, or the values would not fit in memory.
    pub fn all_pay(
        &mut self,
        rules: &Rules,
        chips: PerPlayer<u64>,
        node: NodeId,
        context: &Context<'_>,
    ) -> Result<Rc<AllPayValues>> {
        self.needs_wins()?;
        let graph = &self.explored.graph;
        let key = (rules.clone(), Budgets::from(rules, chips));
        let known = match self.all_pay.remove(&key) {
            Some(known) => known,
            None => Rc::new(AllPayValues::new(graph, rules, chips, context)?),
        };
        // Once it is out of the map, the table usually has no other owner and is not copied.
        let mut solved = Rc::unwrap_or_clone(known);
        let advanced = solved.advance(self.standing(rules), rules, node, context);
        let solved = Rc::new(solved);
        if self.all_pay.len() == SOLUTIONS_KEPT {
            self.all_pay.clear();
        }
        // The table is stored before an error is returned, so that stopped work can go on later.
        self.all_pay.insert(key, Rc::clone(&solved));
        advanced.map(|()| solved)
    }

    /// Computes Alice's thresholds of every vertex for all totals.
    pub fn sequences(&mut self, rules: &Rules, context: &Context<'_>) -> Result<Rc<Sequences>> {
        self.needs_wins()?;
        if let Some(found) = self.sequences.get(rules) {
            return found.clone();
        }
        let found = Sequences::solve(&self.explored.graph, rules, context).map(Rc::new);
        // Only a refusal by the theory is final; work that was stopped may succeed next time.
        if found
            .as_ref()
            .map_or_else(|why| why.code == Code::NotSupported, |_| true)
        {
            self.sequences.insert(rules.clone(), found.clone());
        }
        found
    }

    /// Computes Alice's thresholds for all totals at the positions for which they are available. If
    /// not all positions have a closed form, these are the ones for which
    /// [`KnownSequences::where_closed`] finds one.
    pub fn known_sequences(
        &mut self,
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<KnownSequences> {
        let graph = &self.explored.graph;
        let in_part = !graph.is_acyclic() || graph.has_owners();
        match self.sequences(rules, context) {
            Ok(sequences) => Ok(KnownSequences::all(sequences)),
            // Positions behind which play always ends have sequences even if others have none.
            Err(why) if why.code == Code::NotSupported && in_part => {
                KnownSequences::where_closed(&self.explored.graph, rules, context)
            }
            Err(why) => Err(why),
        }
    }

    /// Computes both players' thresholds of every vertex for these totals.
    pub fn outcomes(
        &mut self,
        rules: &Rules,
        totals: &[u64],
        context: &Context<'_>,
    ) -> Result<Rc<Outcomes>> {
        self.needs_wins()?;
        let key = (rules.clone(), totals.to_vec());
        if let Some(outcomes) = self.outcomes.get(&key) {
            return Ok(Rc::clone(outcomes));
        }
        let outcomes = Rc::new(Outcomes::solve(self.marked(rules), rules, totals, context)?);
        keep(&mut self.outcomes, key, &outcomes);
        Ok(outcomes)
    }
}

/// Adds to an error about memory the most positions that the ruleset can have.
fn bounded(stopped: Box<Diagnostic>, games: &Games, game: GameId) -> Box<Diagnostic> {
    match games.expr(game) {
        GameExpr::State(id, _) if stopped.code == Code::Memory => {
            let bits = games.ruleset(*id).bits();
            Box::new(stopped.note(format!(
                "a position takes {}, so there are at most 2^{bits} of them",
                counted(bits, "bit")
            )))
        }
        _ => stopped,
    }
}

/// The number of solutions of one game that are kept; it is limited because tables for ranges of
/// totals are large.
const SOLUTIONS_KEPT: usize = 64;

fn keep<K: Eq + Hash, T>(solutions: &mut HashMap<K, Rc<T>>, key: K, solution: &Rc<T>) {
    if solutions.len() == SOLUTIONS_KEPT {
        solutions.clear();
    }
    solutions.insert(key, Rc::clone(solution));
}
