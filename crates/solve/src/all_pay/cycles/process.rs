//! Payoffs that one player's fixed strategy guarantees, from the opponent's decision process.
//!
//! Once a player bids and moves by fixed probabilities, the opponent faces a Markov decision
//! process. An end component of it is a set of nodes in which the opponent can stay for ever; with
//! probability 1 a play either ends or stays in one (de Alfaro, 1997). So each maximal end
//! component is worth its best exit or endless play, whichever the opponent likes better. When each
//! is contracted into one node with a further exit that is worth as much as endless play, no end
//! component is left: the equations of optimality have one solution, and every solution of the
//! inequalities "no more than the value that follows" is a lower bound of it.
//!
//! Payoffs are those of the player whose strategy is fixed: the opponent minimises them. A value is
//! found by strategy improvement in floating point, lowered a little, and then lowered further
//! until the inequalities hold with all rounding allowed for.

use super::super::certified::rounding;
use super::system::System;
use crate::convert::fit;
use crate::game::{GameGraphBuilder, NodeId};
use crate::watch::{Context, Stop};

/// A node of a decision process.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ProcessNode {
    /// A node of known value, from which play need not be followed further.
    Known(f64),
    /// The opponent chooses.
    Choice(Vec<u32>),
    /// Chance decides, by these weights.
    Lottery(Vec<(f64, u32)>),
}

impl ProcessNode {
    /// Creates a node with only one successor.
    pub(super) fn forced(head: u32) -> Self {
        Self::Lottery(vec![(1.0, head)])
    }

    fn heads(&self) -> Vec<u32> {
        match self {
            Self::Known(_) => Vec::new(),
            Self::Choice(heads) => heads.clone(),
            Self::Lottery(parts) => parts.iter().map(|(_, head)| *head).collect(),
        }
    }
}

/// A decision process.
#[derive(Debug, Clone, Default)]
pub(super) struct Process {
    pub(super) nodes: Vec<ProcessNode>,
}

/// The greatest number of improvements of a strategy.
const IMPROVEMENTS: usize = 50;
/// The least difference for which a strategy is changed.
const DIFFERENCE: f64 = 1e-12;
/// The amounts by which values are lowered before they are proved, in units of the rounding error
/// of a step, in the order in which they are tried.
const MARGINS: [f64; 3] = [4.0, 4e3, 4e6];
/// The greatest number of rounds in which values are lowered for one proof.
const LOWERINGS: usize = 200;

impl Process {
    /// Computes for each node a payoff that is proved to be guaranteed, when endless play is worth
    /// `endless`. Returns `None` if no proof was found.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn guaranteed(
        &self,
        endless: f64,
        context: &Context<'_>,
    ) -> Result<Option<Vec<f64>>, Stop> {
        let (proper, class) = self.collapsed(endless, context)?;
        let Some(found) = proper.proved(context)? else {
            return Ok(None);
        };
        Ok(Some(
            class.iter().map(|&class| found[class as usize]).collect(),
        ))
    }

    /// Returns the process without end components, and the number of its node that represents each
    /// node of this one.
    fn collapsed(&self, endless: f64, context: &Context<'_>) -> Result<(Self, Vec<u32>), Stop> {
        let component = self.end_components(context)?;
        // Node 0 stands for endless play, to which every contracted component has an exit.
        let mut nodes = vec![ProcessNode::Known(endless)];
        let mut of_component = std::collections::HashMap::new();
        let class: Vec<u32> = component
            .iter()
            .map(|component| {
                let mut fresh = || {
                    nodes.push(ProcessNode::Choice(if component.is_some() {
                        vec![0]
                    } else {
                        Vec::new()
                    }));
                    fit::<u32>(nodes.len()) - 1
                };
                match component {
                    Some(component) => *of_component.entry(*component).or_insert_with(fresh),
                    None => fresh(),
                }
            })
            .collect();
        for (at, node) in self.nodes.iter().enumerate() {
            let own = class[at];
            match (component[at], node) {
                // Chance stays within an end component, but the opponent may leave it.
                (Some(_), ProcessNode::Known(_) | ProcessNode::Lottery(_)) => {}
                (Some(_), ProcessNode::Choice(heads)) => {
                    let exits = heads
                        .iter()
                        .map(|&head| class[head as usize])
                        // Edges within the component are dropped, since staying is covered by the
                        // exit to node 0.
                        .filter(|&head| head != own);
                    if let ProcessNode::Choice(known) = &mut nodes[own as usize] {
                        known.extend(exits);
                    }
                }
                (None, ProcessNode::Known(worth)) => {
                    nodes[own as usize] = ProcessNode::Known(*worth)
                }
                (None, ProcessNode::Choice(heads)) => {
                    nodes[own as usize] = ProcessNode::Choice(
                        heads.iter().map(|&head| class[head as usize]).collect(),
                    );
                }
                (None, ProcessNode::Lottery(parts)) => {
                    let parts = parts
                        .iter()
                        .map(|&(weight, head)| (weight, class[head as usize]))
                        .collect();
                    nodes[own as usize] = ProcessNode::Lottery(parts);
                }
            }
        }
        Ok((Self { nodes }, class))
    }

    /// Returns the number of the maximal end component that each node belongs to, if any.
    fn end_components(&self, context: &Context<'_>) -> Result<Vec<Option<u32>>, Stop> {
        let mut stays: Vec<bool> = self
            .nodes
            .iter()
            .map(|node| !matches!(node, ProcessNode::Known(_)))
            .collect();
        loop {
            context.check()?;
            // The first pruning is cheap and makes the components smaller.
            self.prune(&mut stays, |_, _| true);
            let component = self.strong_components(&stays);
            let before = stays.clone();
            self.prune(&mut stays, |at, head| component[at] == component[head]);
            // Each remaining component is strongly connected and closed. It is maximal, because
            // only nodes of no end component have been removed.
            if stays == before {
                return Ok(stays
                    .iter()
                    .zip(component)
                    .map(|(&stays, component)| stays.then_some(component))
                    .collect());
            }
        }
    }

    /// Removes nodes from which the opponent cannot stay, or chance may not stay, among the
    /// remaining ones along allowed edges.
    fn prune(&self, stays: &mut [bool], allowed: impl Fn(usize, usize) -> bool) {
        loop {
            let mut changed = false;
            for at in (0..self.nodes.len())
                .rev()
                .filter(|&at| stays[at])
                .collect::<Vec<_>>()
            {
                let good = |head: &u32| stays[*head as usize] && allowed(at, *head as usize);
                let keeps = match &self.nodes[at] {
                    ProcessNode::Known(_) => false,
                    ProcessNode::Choice(heads) => heads.iter().any(good),
                    ProcessNode::Lottery(parts) => parts.iter().all(|(_, head)| good(head)),
                };
                changed |= !keeps;
                stays[at] = keeps;
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns the number of the strongly connected component of each node, along edges between
    /// nodes that stay.
    fn strong_components(&self, stays: &[bool]) -> Vec<u32> {
        let mut builder = GameGraphBuilder::default();
        for (at, node) in self.nodes.iter().enumerate() {
            let heads = if stays[at] { node.heads() } else { Vec::new() };
            let heads = heads.into_iter().filter(|head| stays[*head as usize]);
            builder.push(
                None,
                &heads
                    .map(|head| NodeId::new(head as usize))
                    .collect::<Vec<_>>(),
                &[],
            );
        }
        builder.finish(NodeId::new(0)).components().numbers()
    }

    /// Computes proved values of a process without end components.
    fn proved(&self, context: &Context<'_>) -> Result<Option<Vec<f64>>, Stop> {
        let Some(found) = self.improved(context)? else {
            return Ok(None);
        };
        let widest = self
            .nodes
            .iter()
            .map(|node| node.heads().len())
            .max()
            .unwrap_or(0);
        for margin in MARGINS {
            // Each node is lowered by its expected number of lotteries, so that every lottery has a
            // slack of one step, which covers its rounding.
            let mut values = found.lowered(margin * rounding(widest));
            if self.descend(&mut values, context)? {
                return Ok(Some(values));
            }
        }
        Ok(None)
    }

    /// Computes the approximate values of an optimal strategy of the opponent.
    fn improved(&self, context: &Context<'_>) -> Result<Option<System>, Stop> {
        let mut policy = vec![0; self.nodes.len()];
        let mut last = None;
        for _ in 0..IMPROVEMENTS {
            context.check()?;
            let Some(system) = System::solve(self, &policy, context)? else {
                return Ok(last);
            };
            let mut changed = false;
            for (node, choice) in self.nodes.iter().zip(&mut policy) {
                let ProcessNode::Choice(heads) = node else {
                    continue;
                };
                let value = |index: usize| system.values[heads[index] as usize];
                let best = (0..heads.len())
                    .min_by(|&a, &b| value(a).total_cmp(&value(b)))
                    .unwrap_or(0);
                // A difference within rounding must not change the policy, or improvement might
                // never end.
                if value(best) < value(*choice) - DIFFERENCE {
                    (*choice, changed) = (best, true);
                }
            }
            last = Some(system);
            if !changed {
                break;
            }
        }
        Ok(last)
    }

    /// Lowers values until none is more than the value that follows. Returns whether that was
    /// reached.
    fn descend(&self, values: &mut [f64], context: &Context<'_>) -> Result<bool, Stop> {
        for _ in 0..LOWERINGS {
            context.check()?;
            let mut changed = false;
            for (at, node) in self.nodes.iter().enumerate() {
                let follows = match node {
                    ProcessNode::Known(worth) => *worth,
                    ProcessNode::Choice(heads) => heads
                        .iter()
                        .map(|head| values[*head as usize])
                        .fold(f64::INFINITY, f64::min),
                    ProcessNode::Lottery(parts) => at_least(parts, values),
                };
                changed |= follows < values[at];
                // Values only decrease, and a round in which none does shows that they satisfy all
                // inequalities.
                values[at] = values[at].min(follows);
            }
            if !changed {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns a lower bound of the value of a lottery. If all parts are worth the same, nothing is
/// rounded.
fn at_least(parts: &[(f64, u32)], values: &[f64]) -> f64 {
    let first = values[parts[0].1 as usize];
    if parts
        .iter()
        .all(|(_, head)| values[*head as usize] == first)
    {
        return first;
    }
    let sum: f64 = parts
        .iter()
        .map(|(weight, head)| weight * values[*head as usize])
        .sum();
    sum / parts.iter().map(|(weight, _)| weight).sum::<f64>() - rounding(parts.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Context;

    fn first(nodes: Vec<ProcessNode>, endless: f64) -> f64 {
        Process { nodes }
            .guaranteed(endless, Context::plain())
            .expect("nothing stops it")
            .expect("a proof")[0]
    }

    /// Checks a process in which the opponent may stay, or leave for a quarter.
    #[test]
    fn endless_play_is_an_exit() {
        let nodes = || {
            vec![
                ProcessNode::Choice(vec![1, 2]),
                ProcessNode::forced(0),
                ProcessNode::Known(0.25),
            ]
        };
        assert_eq!(
            [0.0, 0.5, 1.0].map(|endless| first(nodes(), endless)),
            [0.0, 0.25, 0.25]
        );
        let stuck = || vec![ProcessNode::forced(1), ProcessNode::forced(0)];
        assert_eq!(
            [0.0, 0.5, 1.0].map(|endless| first(stuck(), endless)),
            [0.0, 0.5, 1.0]
        );
    }

    /// Checks that a lottery that may come back is no end component: it ends with probability 1,
    /// whatever endless play is worth.
    #[test]
    fn what_ends_surely_is_no_endless_play() {
        for endless in [0.0, 1.0] {
            let lottery = ProcessNode::Lottery(vec![(0.999, 0), (0.00075, 2), (0.00025, 3)]);
            let nodes = vec![
                ProcessNode::Choice(vec![1]),
                lottery,
                ProcessNode::Known(1.0),
                ProcessNode::Known(0.0),
            ];
            let found = first(nodes, endless);
            assert!(found <= 0.75 && found > 0.75 - 1e-9, "{found}");
        }
    }

    /// Checks that a wrong guess is lowered until it is proved; the optimal exit needs two
    /// improvements.
    #[test]
    fn strategies_are_improved() {
        let half = |a, b| ProcessNode::Lottery(vec![(0.5, a), (0.5, b)]);
        let nodes = vec![
            ProcessNode::Choice(vec![4, 1]),
            half(0, 2),
            ProcessNode::Choice(vec![4, 3]),
            half(1, 5),
            ProcessNode::Known(0.9),
            ProcessNode::Known(0.0),
        ];
        let found = first(nodes, 1.0);
        assert!(found.abs() < 1e-9, "{found}");
    }
}
