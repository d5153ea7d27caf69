//! Planning instead of answering: evaluation goes on up to the first question about a game, whose
//! plan is the result.

use super::evaluator::{Evaluator, Frame};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::GameExpr;
use crate::ir::Expr;
use crate::plan::{self, Cost, Count, Plan};
use crate::player::GameId;
use crate::report::{Report, Scalar};

/// Graphs of no more positions than this are explored to see how large they are: a fraction of a
/// second.
const PLANNED: u64 = 1 << 17;

/// The plan for a question with its cost.
#[derive(Debug, Clone)]
pub struct Planned {
    plan: Plan,
    cost: Cost,
}

impl Planned {
    /// The plan as named facts.
    pub fn report(&self) -> Report {
        let word = |text: String| Report::Scalar(Scalar::String(text));
        let mut facts = vec![
            ("method".to_owned(), word(self.plan.method.words())),
            ("because".to_owned(), word(self.plan.because.to_owned())),
        ];
        facts.extend(self.cost.facts());
        if let Some(refusal) = &self.cost.refusal {
            facts.push(("refused".to_owned(), word(refusal.message.clone())));
            facts.extend(
                refusal
                    .help
                    .iter()
                    .map(|help| ("remedy".to_owned(), word(help.clone()))),
            );
        }
        Report::Record(facts)
    }
}

impl Evaluator<'_> {
    /// The plan for the first question about a game that an expression asks; `None` if it asks
    /// nothing that takes work.
    ///
    /// # Errors
    /// If something is wrong before a question is met.
    pub fn plan(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Option<Planned>> {
        self.planning = Some(None);
        let evaluated = self.eval(expr, frame);
        match self.planning.take().flatten() {
            Some(planned) => Ok(Some(planned)),
            None => evaluated.map(|_| None),
        }
    }

    /// Whether questions are planned and not answered.
    pub(super) fn is_planning(&self) -> bool {
        self.planning.is_some()
    }

    /// Ends evaluation with this plan if questions are not to be answered.
    pub(super) fn planned(&mut self, plan: Plan, cost: Cost) -> Result<()> {
        match &mut self.planning {
            None => Ok(()),
            Some(planned) => {
                *planned = Some(Planned { plan, cost });
                Err(
                    Diagnostic::new(Code::Interrupted, "the question was to be planned only")
                        .into(),
                )
            }
        }
    }

    /// Likewise where the plan is to explore a game.
    pub(super) fn planned_graph(&mut self, game: GameId) -> Result<()> {
        if !self.is_planning() {
            return Ok(());
        }
        let because = plan::why_a_graph(&self.rules(), self.world.games.is_scored(game));
        let cost = self.graph_cost(game)?;
        self.planned(Plan::explore(because), cost)
    }

    /// What a graph costs: how large it is, if exploring it takes no time worth mentioning, and
    /// else how large it is at most.
    pub(super) fn graph_cost(&mut self, game: GameId) -> Result<Cost> {
        if self.explores_within(game, PLANNED)? {
            let place = self
                .world
                .solutions
                .locate(&mut self.world.games, game, self.watch)?;
            return Ok(Cost::of_graph(&place.solved.explored.graph));
        }
        let positions = match self.world.games.expr(game) {
            GameExpr::State(id, _) => {
                Some(Count::AtMostPower(self.world.games.ruleset(*id).bits()))
            }
            GameExpr::Vertex(network, _) => Some(Count::AtMost(
                self.world.games.network(*network).vertices().len() as u64,
            )),
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Conjugate(_)
            | GameExpr::Truncation(..)
            | GameExpr::Cut(..)
            | GameExpr::Sum(..)
            | GameExpr::Ruled(..) => Some(Count::MoreThan(PLANNED)),
        };
        Ok(Cost {
            positions,
            ..Cost::default()
        })
    }
}
