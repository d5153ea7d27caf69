//! Measures the value of a position to Alice, in the theory that a query asks for. All theories
//! compare moves through this module.

use std::cmp::Ordering;
use std::rc::Rc;

use num_rational::BigRational;

use super::SolvedGraph;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::rules::Rules;
use crate::scalar::Scalar;
use crate::solve::chips::Thresholds;
use crate::solve::richman;
use crate::solve::richman::taxman::Shares;
use crate::watch::Context;

/// The values of all positions of a game, the lower the better for Alice.
pub enum PositionValues {
    /// Richman values.
    Richman(Rc<richman::Values>),
    /// Richman values of some positions, by vertex.
    Values(Vec<BigRational>),
    /// Critical thresholds where part of a bid goes to the bank.
    Shares(Rc<Shares>),
    /// Alice's thresholds for one total.
    Chips(Rc<Thresholds>),
}

impl PositionValues {
    /// Computes Richman values, or thresholds if a total is given.
    ///
    /// # Errors
    /// Returns an error if the rules have no such values, or the work is stopped.
    pub fn solve(
        solved: &mut SolvedGraph,
        rules: &Rules,
        total: Option<u64>,
        context: &Context<'_>,
    ) -> Result<Self> {
        match total {
            None if rules.has_own_shares() => {
                let shares = solved.shares(rules, context)?;
                shares.covers_all()?;
                Ok(Self::Shares(shares))
            }
            None => solved.richman(rules, context).map(Self::Richman),
            Some(total) => solved.thresholds(rules, &[total], context).map(Self::Chips),
        }
    }

    /// Returns the name of the values: `R` or `f`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Richman(_) | Self::Values(_) | Self::Shares(_) => "R",
            Self::Chips(_) => "f",
        }
    }

    /// Returns the value of a position.
    pub fn value(&self, node: NodeId) -> Scalar {
        match self {
            Self::Richman(values) => Scalar::Rational(values.value(node)),
            Self::Values(values) => Scalar::Rational(values[node.index()].clone()),
            Self::Shares(shares) => Scalar::from(&shares.share(node)),
            Self::Chips(thresholds) => Scalar::from(&thresholds.threshold(node, 0)),
        }
    }

    /// Returns `true` if a position is decided: Alice wins with any budget, or cannot win at all.
    pub fn is_decided(&self, node: NodeId) -> bool {
        match self {
            Self::Richman(values) => values.value(node).is_integer(),
            Self::Values(values) => values[node.index()].is_integer(),
            Self::Shares(shares) => shares
                .share(node)
                .value()
                .is_some_and(|value| value.is_integer()),
            Self::Chips(thresholds) => {
                // The thresholds were computed for one total.
                let total = thresholds.totals()[0];
                let least = Player::both(|holder| thresholds.forces(node, holder, 0));
                // A threshold above the total cannot be met, since the opponent would owe chips.
                least.iter().all(|least| *least == 0) || least.iter().all(|least| *least > total)
            }
        }
    }

    /// Compares two positions for a player; the better one is less.
    pub fn preference(&self, player: Player, a: NodeId, b: NodeId) -> Ordering {
        let ordering = match self {
            Self::Richman(values) => values.compare(a, b),
            Self::Values(values) => values[a.index()].cmp(&values[b.index()]),
            // Shares may be known between bounds only, so that they have a comparison of their own.
            Self::Shares(shares) => shares.compare(a, b),
            Self::Chips(thresholds) => {
                // The sum over both holders counts the tie-breaking advantage as half a chip.
                let sum = |node| {
                    Player::both(|holder| thresholds.forces(node, holder, 0))
                        .iter()
                        .sum::<u64>()
                };
                sum(a).cmp(&sum(b))
            }
        };
        match player {
            Player::Alice => ordering,
            Player::Bob => ordering.reverse(),
        }
    }

    /// Returns `true` if a player who decides who moves should let the opponent move, to `other`,
    /// rather than move to `own`.
    pub fn rather_lets(&self, node: NodeId, player: Player, own: NodeId, other: NodeId) -> bool {
        match self {
            Self::Richman(values) => values.rather_lets(node, player, own, other),
            Self::Values(_) | Self::Shares(_) | Self::Chips(_) => {
                self.preference(player, own, other).is_gt()
            }
        }
    }

    /// Returns a player's best move, the first of several equally good ones; `None` if there is no
    /// move.
    pub fn best(&self, graph: &GameGraph, node: NodeId, player: Player) -> Option<NodeId> {
        match self {
            Self::Richman(values) => values.best(graph, node, player),
            Self::Shares(shares) => shares.best(graph, node, player),
            Self::Values(_) | Self::Chips(_) => graph
                .successors(node, player)
                .iter()
                .copied()
                .min_by(|a, b| self.preference(player, *a, *b)),
        }
    }
}
