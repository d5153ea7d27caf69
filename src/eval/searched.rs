//! Questions that are answered by search from the position asked about, under `solver: search`.

use std::rc::Rc;

use super::evaluator::Evaluator;
use crate::diagnostic::Result;
use crate::plan::{Cost, Plan};
use crate::player::{GameId, Outcome};
use crate::rules::{Purses, Rules};
use crate::solve::chips::Threshold;
use crate::solve::search::{self, Manner, Origin};
use crate::watch::Watch;

impl Evaluator<'_> {
    /// Alice's thresholds for these totals, each by a search.
    ///
    /// # Errors
    /// As [`search::threshold`].
    pub(crate) fn searched_thresholds(
        &mut self,
        game: GameId,
        rules: &Rules,
        totals: &[u64],
    ) -> Result<Vec<Threshold>> {
        self.searched(game, |origin, watch| {
            let found =
                |total: &u64| search::threshold(origin, rules, *total, Manner::default(), watch);
            totals
                .iter()
                .map(|total| found(total).map(|found| found.answer))
                .collect()
        })
    }

    /// Who wins with each of these purses, each by a search.
    ///
    /// # Errors
    /// As [`search::outcome`].
    pub(super) fn searched_outcomes(
        &mut self,
        game: GameId,
        rules: &Rules,
        purses: &[Purses],
    ) -> Result<Vec<Outcome>> {
        self.searched(game, |origin, watch| {
            let found =
                |purses: &Purses| search::outcome(origin, rules, purses, Manner::default(), watch);
            purses
                .iter()
                .map(|purses| found(purses).map(|found| found.answer))
                .collect()
        })
    }

    /// Searches from a game: from a position of a ruleset as it is, else from the vertex of a
    /// graph, which is explored.
    fn searched<T>(
        &mut self,
        game: GameId,
        search: impl FnOnce(Origin<'_>, &dyn Watch) -> Result<T>,
    ) -> Result<T> {
        let position = self.world.games.ruleset_state(game);
        let position = position.map(|(id, state, conjugated)| (id, state.clone(), conjugated));
        if let Some((id, state, conjugated)) = position
            && !self.world.games.ruleset(id).is_scored()
        {
            self.planned(Plan::search(), Cost::of_search(self.watch))?;
            let ruleset = Rc::clone(self.world.games.ruleset(id));
            return search(
                Origin::Position {
                    ruleset: &ruleset,
                    state: &state,
                    conjugated,
                },
                self.watch,
            );
        }
        let watch = self.watch;
        let place = self.locate(game)?;
        place.solved.needs_wins()?;
        search(
            Origin::Vertex(&place.solved.explored.graph, place.node),
            watch,
        )
    }
}
