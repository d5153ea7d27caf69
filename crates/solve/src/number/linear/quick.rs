//! The solutions of a walk in floats, by the method that is quick: steps if the walk ends soon,
//! elimination if it stays sparse, and otherwise many steps.

use super::Walk;
use super::elimination::{Elimination, Fill, Reals};
use super::steps::{Patience, Steps};
use crate::diagnostic::Result;
use crate::watch::Context;

/// The steps after which elimination is tried.
const FEW: Patience = Patience {
    steps: 100,
    idle: 16,
};
/// The steps after which the search is given up.
const MANY: Patience = Patience {
    steps: 4_000,
    idle: 4_000,
};

/// The method that is quick. The quick method for one pair of strategies is mostly quick for the
/// next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LinearMethod {
    #[default]
    FewSteps,
    Elimination,
    ManySteps,
}

/// A walk that is prepared for sources.
pub(crate) struct Quick<'w> {
    walk: &'w Walk,
    steps: Steps<'w>,
    elimination: Option<Elimination<f64>>,
    pub(crate) way: LinearMethod,
}

impl<'w> Quick<'w> {
    pub(crate) fn new(walk: &'w Walk, way: LinearMethod) -> Self {
        Self {
            walk,
            steps: Steps::new(walk),
            elimination: None,
            way,
        }
    }

    /// Computes an approximate solution of `(Σ w) · x = Σ w · (x at the head) + source`, where
    /// known states have the value 0. The residual is about `tolerance` times the greatest of the
    /// sources, unless that could not be reached.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(crate) fn to(
        &mut self,
        sources: Vec<f64>,
        tolerance: f64,
        context: &Context<'_>,
    ) -> Result<Vec<f64>> {
        if self.way == LinearMethod::FewSteps {
            let (found, good) = self.steps.to(&sources, tolerance, FEW, context)?;
            if good {
                return Ok(found);
            }
            self.way = LinearMethod::Elimination;
        }
        // The factors do not depend on the sources, so they are kept for the next call.
        if self.way == LinearMethod::Elimination && self.elimination.is_none() {
            self.elimination =
                Elimination::within(self.walk, &Reals, Fill::sparse(self.walk.len()), context)?;
        }
        if let Some(elimination) = &self.elimination {
            return Ok(elimination.solve(&Reals, sources));
        }
        self.way = LinearMethod::ManySteps;
        Ok(self.steps.to(&sources, tolerance, MANY, context)?.0)
    }
}
