//! Evaluates `G <= H`, `G == H`, `G < H`, `G || H`: the partial order on games, for every total.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::query::Placed;
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{Explored, NodeId, print_game, print_position};
use crate::ir::Value;
use crate::order::{self, ComparedGames, Comparison, Laws, OrderProof, PositionPair, Reason};
use crate::player::{GameId, Player};
use crate::scalar::Scalar;
use crate::solve::sequences::{Sequences, Totals};
use crate::source::Span;
use crate::syntax::ast::BinaryOp;

/// The number of totals for which games are compared whose closed forms are not known.
const TRIED: u64 = 256;

/// The most pairs of positions that a proof by moves may examine.
const MOST_PAIRS: usize = 20_000;

/// The known facts about G ≤ H.
#[derive(Debug, Clone)]
pub enum Fact {
    /// It holds for every total.
    Proved,
    /// It fails for this total, the least.
    Refuted(u64),
    /// It is undecided, for this reason.
    Undecided(Box<Diagnostic>),
}

/// The known facts about G ≤ H and H ≤ G.
#[derive(Debug, Clone)]
pub struct OrderFacts {
    /// G ≤ H.
    pub at_most: Fact,
    /// H ≤ G.
    pub at_least: Fact,
    /// The totals for which G needs more chips, and those for which H does, if the closed forms of
    /// both are known.
    pub comparison: Option<Rc<Comparison>>,
}

/// A game as a vertex of an explored graph.
pub(crate) struct Located {
    pub(crate) explored: Rc<Explored>,
    pub(crate) node: NodeId,
}

impl Evaluator<'_> {
    /// Evaluates a comparison of games.
    pub(super) fn ordered(
        &mut self,
        op: BinaryOp,
        g: GameId,
        h: GameId,
        span: Span,
    ) -> Result<bool> {
        self.needs_endings("the order of games", span)?;
        let sides = [g, h].map(Value::Game);
        self.needs_no_income(&sides, "the order of games", span)?;
        let stuck = self.rules().stuck;
        // The rule for stuck players becomes part of the games, since the theory does not know it.
        let [g, h] = [g, h].map(|game| self.world.games.ruled(game, stuck));
        let facts = self.about_games(false, |evaluator| {
            evaluator.asking(span, |evaluator| evaluator.facts(g, h))
        })?;
        let at_most = || facts.at_most.known(span);
        let at_least = || facts.at_least.known(span);
        Ok(match op {
            BinaryOp::LessEqual => at_most()?,
            BinaryOp::GreaterEqual => at_least()?,
            // If the first part fails, the second one may stay undecided.
            BinaryOp::Less => at_most()? && !at_least()?,
            BinaryOp::Greater => at_least()? && !at_most()?,
            BinaryOp::Incomparable => both(
                at_most().map(|holds| !holds),
                at_least().map(|holds| !holds),
            )?,
            _ => both(at_most(), at_least())?,
        })
    }

    /// Returns the known facts about the order of two games under the rules in force.
    ///
    /// # Errors
    /// Returns an error if the rules have no thresholds in chips, a position cannot be evaluated,
    /// or the work is stopped.
    pub fn facts(&mut self, g: GameId, h: GameId) -> Result<OrderFacts> {
        // Equal games have equal thresholds, even if the theory finds no closed forms for them.
        if g == h {
            return Ok(OrderFacts {
                at_most: Fact::Proved,
                at_least: Fact::Proved,
                comparison: None,
            });
        }
        match (self.sequences(g), self.sequences(h)) {
            (Ok((first, g_node)), Ok((second, h_node))) => {
                let comparison = Comparison::of(&first, g_node, &second, h_node, self.context)?;
                let fact = |counterexamples: &Totals| {
                    counterexamples.least().map_or(Fact::Proved, Fact::Refuted)
                };
                let (at_most, at_least) = (fact(&comparison.above), fact(&comparison.below));
                Ok(OrderFacts {
                    at_most,
                    at_least,
                    comparison: Some(Rc::new(comparison)),
                })
            }
            (Err(why), _) | (_, Err(why))
                if matches!(why.code, Code::NotSupported | Code::Memory) =>
            {
                Ok(OrderFacts {
                    // Without closed forms there remain a counterexample and a proof by moves.
                    at_most: self.without_forms(g, h, &why)?,
                    at_least: self.without_forms(h, g, &why)?,
                    comparison: None,
                })
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }

    fn sequences(&mut self, game: GameId) -> Result<(Rc<Sequences>, NodeId)> {
        let rules = self.rules();
        let context = self.context;
        self.independently(|evaluator| {
            let place = evaluator.ask().locate(game)?;
            Ok((place.solved.sequences(&rules, context)?, place.node))
        })
    }

    /// Tries to refute G ≤ H by a total, or to prove it by moves.
    fn without_forms(&mut self, g: GameId, h: GameId, why: &Diagnostic) -> Result<Fact> {
        let rules = self.rules();
        let context = self.context;
        let totals: Vec<u64> = (0..TRIED).collect();
        let mut solved = |game| -> Result<_> {
            let place = self.ask().locate(game)?;
            Ok((
                place.solved.thresholds(&rules, &totals, context)?,
                place.node,
            ))
        };
        let ((first, g_node), (second, h_node)) = (solved(g)?, solved(h)?);
        let exceeds = |total: &u64| {
            // The totals are 0, 1, 2, …, so each is the number of its own lane.
            let lane = fit::<usize>(*total);
            Player::BOTH.iter().any(|&holder| {
                first.forces(g_node, holder, lane) > second.forces(h_node, holder, lane)
            })
        };
        // A counterexample is much cheaper to find than a proof, so it is sought first.
        if let Some(total) = totals.iter().copied().find(exceeds) {
            return Ok(Fact::Refuted(total));
        }
        if self.proof(g, h)?.is_some() {
            return Ok(Fact::Proved);
        }
        let mut undecided = Diagnostic::new(
            Code::NotSupported,
            format!(
                "undecided up to k = {}: whether {} ≤ {} for every number of chips",
                TRIED - 1,
                print_game(&self.world.games, g),
                print_game(&self.world.games, h)
            ),
        )
        .note(format!(
            "no counterexample among k = 0, …, {}, and no proof by the players' moves",
            TRIED - 1
        ))
        .note(why.message.clone());
        undecided.help = Some(format!(
            "compare over a range: `f(G, 0..{TRIED}) == f(H, 0..{TRIED})`"
        ));
        Ok(Fact::Undecided(undecided.into()))
    }

    /// Finds a proof of G ≤ H by the moves of the players, if there is a short one.
    ///
    /// # Errors
    /// Returns an error if a position cannot be evaluated, or the work is stopped.
    pub(crate) fn proof(
        &mut self,
        g: GameId,
        h: GameId,
    ) -> Result<Option<(OrderProof, Located, Located)>> {
        let laws = Laws::of(&self.rules());
        // The proof names positions in the order of their numbers, so each game has its own graph.
        let mut located = |game| -> Result<_> {
            let place = self.ask().locate_start(game)?;
            Ok(Located {
                explored: Rc::clone(&place.solved.explored),
                node: place.node,
            })
        };
        let (first, second) = (located(g)?, located(h)?);
        let sides = ComparedGames {
            g: &first.explored.graph,
            h: &second.explored.graph,
            laws,
        };
        let start = PositionPair {
            g: first.node,
            h: second.node,
        };
        Ok(order::prove(sides, start, MOST_PAIRS).map(|proof| (proof, first, second)))
    }

    /// Formats the steps of a proof, each as a line.
    pub(crate) fn told(
        &mut self,
        proof: &OrderProof,
        first: &Located,
        second: &Located,
    ) -> Vec<Vec<Scalar>> {
        let mut name = |place: &Located, node: NodeId| {
            let game = place.explored.game(&mut self.world.games, node);
            print_position(&self.world.games, game)
        };
        let mut rows = Vec::new();
        for (PositionPair { g, h }, reason) in &proof.steps {
            let claim = format!("{} ≤ {}", name(first, *g), name(second, *h));
            let why = match reason {
                Reason::Won => "Alice has won the first".to_owned(),
                Reason::Lost => "Alice cannot win the second".to_owned(),
                Reason::Answers(alice, bob) => {
                    let mut pairs = |pairs: &[PositionPair]| {
                        let told = pairs.iter().map(|pair| {
                            format!("{} ≤ {}", name(first, pair.g), name(second, pair.h))
                        });
                        told.collect::<Vec<_>>().join(", ")
                    };
                    format!("Alice's moves: {}; Bob's: {}", pairs(alice), pairs(bob))
                }
                Reason::Below(moves) => {
                    let moves: Vec<_> = moves.iter().map(|node| name(first, *node)).collect();
                    format!(
                        "a move of Alice's and all of Bob's lead to games ≤ {}: {}",
                        name(second, *h),
                        moves.join(", ")
                    )
                }
                Reason::Above(moves) => {
                    let moves: Vec<_> = moves.iter().map(|node| name(second, *node)).collect();
                    format!(
                        "all moves of Alice's and one of Bob's lead to games ≥ {}: {}",
                        name(first, *g),
                        moves.join(", ")
                    )
                }
            };
            rows.push(vec![Scalar::String(claim), Scalar::String(why)]);
        }
        rows
    }

    /// Returns the notes to a failed comparison of games: the least total that refutes it.
    pub(super) fn counterexamples(&mut self, a: &Value, b: &Value) -> Vec<String> {
        let (Value::Game(g), Value::Game(h)) = (a, b) else {
            return Vec::new();
        };
        // Notes only add to a failed check, so an error here is not reported.
        let Ok(facts) = self.facts(*g, *h) else {
            return Vec::new();
        };
        let (g, h) = (
            print_game(&self.world.games, *g),
            print_game(&self.world.games, *h),
        );
        let told = |fact: &Fact, g: &str, h: &str| match fact {
            Fact::Refuted(k) => Some(format!("{g} ≤ {h} fails first for k = {k}")),
            Fact::Proved => Some(format!("{g} ≤ {h} for every k")),
            Fact::Undecided(_) => None,
        };
        [told(&facts.at_most, &g, &h), told(&facts.at_least, &h, &g)]
            .into_iter()
            .flatten()
            .collect()
    }
}

impl Fact {
    fn known(&self, span: Span) -> Result<bool> {
        match self {
            Self::Proved => Ok(true),
            Self::Refuted(_) => Ok(false),
            Self::Undecided(why) => Err(why.clone()).placed(span),
        }
    }
}

/// Combines two conditions: `false` if either is known to be false, even if the other is an error.
fn both(first: Result<bool>, second: Result<bool>) -> Result<bool> {
    match (first, second) {
        (Ok(false), _) | (_, Ok(false)) => Ok(false),
        (first, second) => Ok(first? && second?),
    }
}
