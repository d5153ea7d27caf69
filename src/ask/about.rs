//! The demands of a question on the rules and on the methods.

use super::About;
use super::plan::swept_turns;
use crate::diagnostic::Result;
use crate::game::ruleset::Numbering;
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{Objective, Payment, Purses, Rules, Solver};
use crate::solve::chips::Thresholds;
use crate::solve::richman::{self, Coin};
use crate::solve::space::sweep::Need;

impl About {
    /// Returns the layout and the number of the sweeps that answer the question. `None` if it takes
    /// a graph under these rules, or play is too long for any width of numbers.
    pub(super) fn need(&self, rules: &Rules, numbering: &Numbering) -> Result<Option<Need>> {
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

    /// Returns `true` if the question can be answered layer by layer under these rules.
    pub(super) fn has_layers(&self, rules: &Rules) -> Result<bool> {
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
    pub(super) fn takes_income(&self) -> bool {
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
    pub(super) fn is_near(&self) -> bool {
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
    pub(super) fn goes_on(&self) -> bool {
        matches!(self, Self::Play(_) | Self::PlayTurns(_) | Self::Tree(_))
    }
}
