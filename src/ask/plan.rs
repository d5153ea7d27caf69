//! Plans the answer to a question: the methods, the order in which they are tried, and the reason
//! for them. Nothing else chooses a method.
//!
//! There are three ways to answer a question about a position of a ruleset. If positions can be
//! *numbered*, a sweep goes through all numbers, at some 10⁸ positions a second. It needs no graph,
//! but it also works on numbers that no play reaches. If every move lowers a count, the positions
//! that can be reached are found and solved *layer by layer*. Otherwise they are *explored* into a
//! graph, on which every theory can work, at some 10⁶ positions a second and a hundred bytes or
//! more each.
//!
//! Games that are not positions of a ruleset (expressions, explicit graphs) are explored.

mod position;

use std::rc::Rc;

pub(super) use self::position::AskedPosition;
use super::method::{Method, MethodName, Plan, Planned};
use super::{About, Ask, Depth, Question};
use crate::diagnostic::{Diagnostic, Result};
use crate::game::Explored;
use crate::game::ruleset::Numbering;
use crate::player::GameId;
use crate::rules::{Draws, Objective, Payment, Purses, Rules, Solver, Winner};
use crate::solve::chips::Thresholds;
use crate::solve::richman::{self, Coin};
use crate::solve::space::sweep::Need;

/// Rulesets with at most this many positions are swept without checking how many can be reached.
pub const SMALL: u64 = 1 << 21;

/// The rough number of bytes that a position takes with its moves. No more positions are explored
/// than fit in memory.
pub(super) const EXPLORED: u64 = 256;

/// Returns the reason that a question takes a graph under these rules, for a scoring game or
/// another.
fn why_a_graph(rules: &Rules, is_scored: bool) -> &'static str {
    match (&rules.pay, rules.objective) {
        (Payment::AllPay | Payment::AllPayBank, _) => {
            "players mix their bids: each position has a matrix of bids for every split of the chips"
        }
        (_, Objective::Buchi | Objective::Parity | Objective::MeanPayoff | Objective::Energy) => {
            "the objective is one of endless play: parts with cycles are solved as a whole"
        }
        (_, Objective::Reachability) if is_scored => "scores are added up along the moves",
        (_, Objective::Reachability) if rules.has_income() => {
            "players receive money before bids: a threshold is not a mean of those after the moves"
        }
        (Payment::Poorman | Payment::Taxman(_), Objective::Reachability) => {
            "the bank takes part of the bids: what one player needs depends on what the other has"
        }
        (Payment::Richman, Objective::Reachability) => "the question needs a graph",
    }
}

impl About {
    /// Returns the resources of the sweeps that answer the question. `None` if it takes a graph
    /// under these rules, or play is too long for any width of numbers.
    fn need(&self, rules: &Rules, numbering: &Numbering) -> Result<Option<Need>> {
        match self {
            Self::Share | Self::Moves(None) | Self::Tree(None) => {
                richman::sweep_need(rules, numbering)
            }
            Self::Bounds => richman::bounds_need(rules, numbering),
            Self::Turns(Some(coin)) => Ok(richman::coin_sweep_need(rules, *coin, numbering.plies)),
            Self::Turns(None) => Self::PlayTurns(Coin::default()).need(rules, numbering),
            Self::PlayTurns(coin) => match swept_turns(rules, *coin) {
                Some(plain) => richman::sweep_need(&plain, numbering),
                None => Ok(richman::coin_sweep_need(rules, *coin, numbering.plies)),
            },
            Self::Thresholds(totals) => Thresholds::sweep_need(rules, totals, 1),
            Self::Moves(Some(total)) | Self::Tree(Some(total)) => {
                Thresholds::sweep_need(rules, &[*total], 1)
            }
            Self::Outcomes(purses) => {
                let totals: Vec<u64> = purses.iter().map(Purses::total).collect();
                Thresholds::sweep_need(rules, &totals, 2)
            }
            Self::Strategies(total) | Self::Play(total) => {
                Thresholds::sweep_need(rules, &[*total], 2)
            }
            Self::Against(_) | Self::Truncated { .. } | Self::Mixed(_) | Self::Graph => Ok(None),
        }
    }

    /// Returns `true` if the question can be answered layer by layer under these rules.
    fn has_layers(&self, rules: &Rules) -> Result<bool> {
        match self {
            Self::Share => richman::in_layers(rules),
            Self::Thresholds(totals) => Ok(Thresholds::sweep_need(rules, totals, 1)?.is_some()),
            Self::Outcomes(purses) => {
                let totals: Vec<u64> = purses.iter().map(Purses::total).collect();
                Ok(Thresholds::sweep_need(rules, &totals, 1)?.is_some())
            }
            // These questions need the values of several positions, but layers keep only the value
            // of one.
            _ => Ok(false),
        }
    }

    /// Returns `true` if the question has an answer where players receive income before bids.
    fn takes_income(&self) -> bool {
        match self {
            Self::Share
            | Self::Moves(None)
            | Self::Tree(None)
            | Self::Truncated { total: None, .. }
            | Self::Bounds
            | Self::Graph => true,
            Self::Turns(_)
            | Self::Thresholds(_)
            | Self::Against(_)
            | Self::Outcomes(_)
            | Self::Strategies(_)
            | Self::Play(_)
            | Self::PlayTurns(_)
            | Self::Moves(Some(_))
            | Self::Tree(Some(_))
            | Self::Truncated { total: Some(_), .. }
            | Self::Mixed(_) => false,
        }
    }

    /// Returns `true` if the question concerns a position together with its successors.
    fn is_near(&self) -> bool {
        matches!(
            self,
            Self::Strategies(_)
                | Self::Play(_)
                | Self::PlayTurns(_)
                | Self::Moves(_)
                | Self::Tree(_)
        )
    }

    /// Returns `true` if the question is repeated at the positions that play reaches.
    fn goes_on(&self) -> bool {
        matches!(self, Self::Play(_) | Self::PlayTurns(_) | Self::Tree(_))
    }
}

/// Returns the rules of bidding under which values equal those of random turns with this coin, if
/// there are any. With a fair coin a turn is worth the mean of the two players' best moves,
/// whichever of them must move.
pub(super) fn bidding_for_turns(rules: &Rules, coin: Coin) -> Option<Rules> {
    let is_plain = rules.objective == Objective::Reachability || rules.winner == Winner::Chooses;
    (coin.is_fair() && is_plain).then(|| Rules {
        pay: Payment::Richman,
        winner: Winner::Chooses,
        ..rules.clone()
    })
}

/// Returns such rules for a sweep. They keep only the rules on which its values depend, so that the
/// values serve every question that counts a draw in the same way.
pub(super) fn swept_turns(rules: &Rules, coin: Coin) -> Option<Rules> {
    let bidding = bidding_for_turns(rules, coin)?;
    (bidding.objective == Objective::Reachability).then(|| Rules {
        draws: rules.draws,
        solver: rules.solver,
        ..Rules::default()
    })
}

const NO_POSITION: &str = "the game is not a position of a ruleset";

impl Ask<'_> {
    /// Plans the answer to a question.
    ///
    /// # Errors
    /// Returns an error if the rules have no such answer, or a position cannot be evaluated.
    pub fn plan(&mut self, question: &Question) -> Result<Plan> {
        let rules = &question.rules;
        if !question.about.takes_income() && self.games.has_income(question.game) {
            return Err(Diagnostic::unsupported("random turns and whole chips where players receive income")
            .help("ask for the threshold of real-valued bidding, `R(G)`, or leave out the lines `income …`")
            .into());
        }
        match &question.about {
            About::Mixed(_) | About::Graph => {
                let is_scored = self.games.is_scored(question.game);
                Ok(Plan::new([Method::Explore], why_a_graph(rules, is_scored)))
            }
            About::Thresholds(_) | About::Outcomes(_) if rules.solver == Solver::Search => {
                Ok(self.plan_of_search(question.game))
            }
            About::Truncated { depth, total } => self.plan_of_truncation(question, *depth, *total),
            About::Against(budgets) => self.plan_against(question, budgets),
            About::Bounds => {
                let plan = self.plan_of_position(question)?;
                let sweeps = plan
                    .methods
                    .iter()
                    .any(|method| matches!(method, Method::Sweep(_)));
                Ok(if sweeps {
                    plan
                } else {
                    Plan::new([Method::Deepen], "the bounds may be found before play ends")
                        .passing(
                            MethodName::Sweep,
                            "numbers of 16 bits do not give bounds as narrow as `precision` asks, or the positions cannot be numbered",
                        )
                })
            }
            _ => self.plan_of_position(question),
        }
    }

    /// Returns the plan with its cost, without answering the question.
    ///
    /// # Errors
    /// Returns an error if the rules have no such answer, or a position cannot be evaluated.
    pub fn planned(&mut self, question: &Question) -> Result<Planned> {
        question.about.admit(&question.rules)?;
        let plan = self.plan(question)?;
        let cost = self.cost(&plan, question)?;
        Ok(Planned { plan, cost })
    }

    fn plan_of_search(&mut self, game: GameId) -> Plan {
        let searched = self
            .games
            .ruleset_state(game)
            .is_some_and(|(id, ..)| !self.games.ruleset(id).is_scored());
        if searched {
            Plan::new(
                [Method::Search],
                "`solver: search` asks for it; the number of positions that it meets is known only at the end",
            )
        } else {
            Plan::new(
                [Method::Search],
                "`solver: search` asks for it; the game is not a position of a ruleset, so its graph is explored first",
            )
        }
    }

    fn plan_of_truncation(
        &mut self,
        question: &Question,
        depth: Depth,
        total: Option<u64>,
    ) -> Result<Plan> {
        let is_suited = self.memory.preferred != Some(MethodName::Explore)
            && self
                .positions_of_truncation(question, depth, total)?
                .is_some();
        Ok(if is_suited {
            Plan::new(
                [Method::Truncate(depth.moves), Method::Cut(depth.moves)],
                "each move changes one part of the position, whatever the others contain",
            )
        } else {
            Plan::new(
                [Method::Cut(depth.moves)],
                "moves change several parts of the position, or the game has no parts",
            )
        })
    }

    /// Plans the answer to `f(G, bob: b)`. If the winner of a bid pays the loser, chips stay in
    /// play, so that thresholds for totals of chips answer it.
    fn plan_against(&mut self, question: &Question, budgets: &Rc<[u64]>) -> Result<Plan> {
        let explore = |because| Plan::new([Method::Explore], because);
        if question.rules.pay != Payment::Richman {
            return Ok(explore(why_a_graph(&question.rules, false)));
        }
        if budgets.is_empty() {
            return Ok(explore("nothing is asked"));
        }
        let share = self.plan_of_position(&share_for(question))?;
        let totals = self.plan_of_position(&Question {
            about: About::Thresholds(Rc::clone(budgets)),
            ..question.clone()
        })?;
        let graphless = |plan: &Plan| {
            plan.is_graphless()
                || plan
                    .methods
                    .get(1)
                    .is_some_and(|method| matches!(method, Method::Sweep(_) | Method::Layers))
        };
        Ok(if graphless(&share) && graphless(&totals) {
            Plan::new(
                [Method::ManyTotals],
                "the winner of a bid pays the loser, and thresholds for totals need no graph",
            )
        } else {
            explore(share.because)
        })
    }

    /// Plans the answer to a question about a position of a ruleset, or about another game, which
    /// is explored.
    fn plan_of_position(&mut self, question: &Question) -> Result<Plan> {
        let (preferred, context) = (self.memory.preferred, self.context);
        let plan = self.with_subject(question.game, |subject| {
            subject.plan(question, preferred, context)
        })?;
        let Some(plan) = plan else {
            return Ok(
                Plan::new([Method::Explore], "it is not a position of a ruleset")
                    .passing(MethodName::Sweep, NO_POSITION)
                    .passing(MethodName::Layers, NO_POSITION),
            );
        };
        let explores = plan.methods == [Method::Explore];
        if !explores
            && question.about.is_near()
            && Explored::neighbourhood(self.games, question.game)?.is_none()
        {
            return Ok(Plan::new(
                [Method::Explore],
                "a stuck player passes there, so its moves are not all that can follow",
            ));
        }
        Ok(plan)
    }
}

impl Ask<'_> {
    /// Calls `work` with a position of a ruleset and the facts known about it; returns `None` for
    /// other games.
    pub(super) fn with_subject<T>(
        &mut self,
        game: GameId,
        work: impl FnOnce(&AskedPosition<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some((id, state, _)) = self.games.ruleset_state(game) else {
            return Ok(None);
        };
        let state = state.clone();
        let (ruleset, index) = (Rc::clone(self.games.ruleset(id)), self.index_of(id)?);
        let subject = AskedPosition {
            ruleset: &ruleset,
            numbering: index.numbering(),
            indexed: index.tables(),
            state: &state,
            is_explored: self.memory.graphs.knows(self.games, game),
            is_swept: self.memory.sweeps.has(id),
            is_large: self.memory.sweeps.is_large(game),
        };
        work(&subject).map(Some)
    }

    /// Returns the diagnostic for a question about a game with more numbered positions than the
    /// limit.
    pub(super) fn refusal(&mut self, question: &Question, need: Need) -> Result<Box<Diagnostic>> {
        let context = self.context;
        let refusal = self.with_subject(question.game, |subject| subject.refusal(need, context))?;
        Ok(refusal.expect("positions of rulesets alone are refused for their numbers"))
    }
}

/// Returns the question about the critical threshold, which bounds the chips that Alice needs
/// against any number of Bob's.
pub(super) fn share_for(question: &Question) -> Question {
    Question {
        game: question.game,
        about: About::Share,
        rules: usual(&question.rules),
    }
}

/// Returns the rules of Richman games that count a draw as these rules do.
fn usual(rules: &Rules) -> Rules {
    let draws = if rules.draws == Draws::Alice {
        Draws::Alice
    } else {
        Draws::Bob
    };
    Rules {
        draws,
        solver: rules.solver,
        ..Rules::default()
    }
}
