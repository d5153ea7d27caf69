//! The rules under which a plan that is only printed is of use: those that the solvers admit.

use super::About;
use crate::diagnostic::Result;
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{Objective, Payment, Rules, Solver};

impl About {
    /// Accepts the rules under which the question has an answer, as the solvers do when they begin.
    pub(super) fn admit(&self, rules: &Rules) -> Result<()> {
        match self {
            Self::Share | Self::Moves(None) | Self::Tree(None) => {
                // Exact values are needed of several positions, and bounds do for one.
                let is_bounded = rules.solver == Solver::Iteration && matches!(self, Self::Share);
                let is_taxed = matches!(rules.pay, Payment::Poorman | Payment::Taxman(_))
                    || rules.pay == Payment::Richman && (rules.has_income() || is_bounded);
                if rules.objective != Objective::Reachability {
                    // Under some objectives there are thresholds with income, and the graph decides.
                    if rules.has_income() {
                        Ok(())
                    } else {
                        admit::endless(rules)
                    }
                } else if is_taxed {
                    admit::taxed_shares(rules).map(|_| ())
                } else {
                    admit::shares(rules)
                }
            }
            Self::Turns(None) => {
                admit::random_turns(rules)?;
                // A fair coin gives the values of Richman bidding.
                Self::Moves(None).admit(&Rules {
                    pay: Payment::Richman,
                    ..rules.clone()
                })
            }
            Self::Turns(Some(_)) | Self::PlayTurns(_) => admit::random_turns(rules),
            Self::Thresholds(_) | Self::Moves(Some(_)) | Self::Tree(Some(_)) => {
                admit::chips(rules, ChipsQuestion::Threshold)
            }
            Self::Outcomes(_) => admit::chips(rules, ChipsQuestion::Outcome),
            Self::Strategies(_) | Self::Play(_) => admit::chips(rules, ChipsQuestion::Bid),
            Self::Against(_) => admit::against(rules),
            // These questions depend on more than the rules, or ask for a graph alone.
            Self::Truncated { .. } | Self::Bounds | Self::Mixed(_) | Self::Graph => Ok(()),
        }
    }
}
