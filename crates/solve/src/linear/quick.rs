//! The solutions of a walk in floats, by the way that is quick: steps where the walk ends soon,
//! elimination where it stays sparse, and where neither is so, many steps.

use super::Walk;
use super::elimination::{Elimination, Fill, Reals};
use super::steps::WalkEdges;
use crate::diagnostic::Result;
use crate::watch::Context;

/// Steps after which elimination is tried.
const FEW: usize = 100;
/// Steps after which there is no hope.
const MANY: usize = 4_000;

/// Which way is quick. What is so for one pair of strategies mostly is for the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LinearMethod {
    #[default]
    FewSteps,
    Elimination,
    ManySteps,
}

/// A walk that is ready for sources.
pub(crate) struct Quick<'w> {
    walk: &'w Walk,
    steps: WalkEdges,
    elimination: Option<Elimination<f64>>,
    pub(crate) way: LinearMethod,
}

impl<'w> Quick<'w> {
    pub(crate) fn new(walk: &'w Walk, way: LinearMethod) -> Self {
        Self {
            walk,
            steps: WalkEdges::new(walk),
            elimination: None,
            way,
        }
    }

    /// An approximate solution of `(Σ w) · x = Σ w · (x at the head) + source`, where known states
    /// have the value 0: what is left of the sources is about `tolerance` times the greatest of
    /// them, unless that could not be reached.
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
