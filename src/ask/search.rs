//! Answers by search from the position asked about, under `solver: search`.

use std::rc::Rc;

use super::{About, Answer, Ask, Question};
use crate::diagnostic::Result;
use crate::solve::space::search::{self, SearchOptions, SearchOrigin};
use crate::watch::Context;

impl Ask<'_> {
    /// Computes thresholds or outcomes, each by a search. A search starts directly from a position
    /// of a ruleset; for other games it starts from the vertex of a graph, which is explored first.
    pub(super) fn by_search(&mut self, question: &Question) -> Result<Answer> {
        let context = self.context;
        if let Some((id, state, conjugated)) = self.games.ruleset_state(question.game)
            // A scoring game goes on to the graph, whose check explains that nobody wins it.
            && !self.games.ruleset(id).is_scored()
        {
            let (ruleset, state) = (Rc::clone(self.games.ruleset(id)), state.clone());
            let origin = SearchOrigin::Position {
                ruleset: &ruleset,
                state: &state,
                conjugated,
            };
            return searched(origin, question, context);
        }
        let place = self.again().locate(question.game)?;
        place.solved.needs_wins()?;
        let origin = SearchOrigin::Vertex(&place.solved.explored.graph, place.node);
        searched(origin, question, context)
    }
}

fn searched(
    origin: SearchOrigin<'_>,
    question: &Question,
    context: &Context<'_>,
) -> Result<Answer> {
    let (rules, manner) = (&question.rules, SearchOptions::default);
    Ok(match &question.about {
        About::Thresholds(totals) => {
            let found = |total: &u64| search::threshold(origin, rules, *total, manner(), context);
            let found = totals
                .iter()
                .map(|total| found(total).map(|found| found.answer));
            Answer::Searched(found.collect::<Result<_>>()?)
        }
        About::Outcomes(purses) => {
            let found = |purses: &_| search::outcome(origin, rules, purses, manner(), context);
            let found = purses
                .iter()
                .map(|purses| found(purses).map(|found| found.answer));
            Answer::Outcomes(found.collect::<Result<_>>()?)
        }
        _ => unreachable!("thresholds and outcomes alone are searched for"),
    })
}
