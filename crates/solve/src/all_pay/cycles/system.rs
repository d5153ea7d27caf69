//! The linear equations of a decision process without end components in which the opponent's
//! choices are fixed.
//!
//! The results need not be correct: the caller proves its own bounds from them.

use super::process::{Process, ProcessNode};
use crate::convert::fit;
use crate::watch::{Context, Stop};

/// The greatest number of unknowns that are found by elimination; more are found by iteration.
const DENSE: usize = 400;
/// The greatest number of iterations.
const REPEATS: usize = 5_000;

/// The values of the nodes, and the expected lengths of play.
#[derive(Debug, Clone)]
pub(super) struct System {
    /// The expected payoff from each node.
    pub(super) values: Vec<f64>,
    /// The expected number of lotteries before play ends.
    times: Vec<f64>,
}

impl System {
    /// Solves the equations. Returns `None` if choices lead in a cycle or the numbers are not
    /// finite.
    pub(super) fn solve(
        process: &Process,
        policy: &[usize],
        context: &Context<'_>,
    ) -> Result<Option<Self>, Stop> {
        let Some(resolved) = resolved(process, policy) else {
            return Ok(None);
        };
        let (unknowns, index) = used(process, policy, &resolved);
        let Some([values, times]) = Equations {
            process,
            resolved: &resolved,
            unknowns: &unknowns,
            index: &index,
        }
        .solve(context)?
        else {
            return Ok(None);
        };
        let known = |target: u32, of: &[f64], worth: f64| match index[target as usize] {
            Some(unknown) => of[unknown],
            None => worth,
        };
        let mut found = Self {
            values: Vec::new(),
            times: Vec::new(),
        };
        for (at, node) in process.nodes.iter().enumerate() {
            let (value, time) = match node {
                ProcessNode::Lottery(parts)
                    if index[at].is_none() && resolved[at] == fit::<u32>(at) =>
                {
                    let part = |&(weight, head): &(f64, u32)| {
                        let target = resolved[head as usize];
                        (
                            weight * known(target, &values, worth(process, target)),
                            weight * known(target, &times, 0.0),
                        )
                    };
                    parts
                        .iter()
                        .map(part)
                        .fold((0.0, 1.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
                }
                ProcessNode::Known(_) | ProcessNode::Choice(_) | ProcessNode::Lottery(_) => {
                    let target = resolved[at];
                    (
                        known(target, &values, worth(process, target)),
                        known(target, &times, 0.0),
                    )
                }
            };
            found.values.push(value);
            found.times.push(time);
        }
        let usable = found
            .values
            .iter()
            .chain(&found.times)
            .all(|number| number.is_finite());
        Ok(usable.then_some(found))
    }

    /// Returns the values lowered by `step` for each expected lottery.
    pub(super) fn lowered(&self, step: f64) -> Vec<f64> {
        self.values
            .iter()
            .zip(&self.times)
            .map(|(value, time)| value - step * time.max(0.0))
            .collect()
    }
}

fn worth(process: &Process, node: u32) -> f64 {
    match process.nodes[node as usize] {
        ProcessNode::Known(worth) => worth,
        ProcessNode::Choice(_) | ProcessNode::Lottery(_) => 0.0,
    }
}

/// Returns the node that each node leads to without chance: one of known value or a lottery.
/// Returns `None` if choices lead in a cycle.
fn resolved(process: &Process, policy: &[usize]) -> Option<Vec<u32>> {
    const OPEN: u32 = u32::MAX;
    let mut resolved = vec![OPEN; process.nodes.len()];
    for start in 0..process.nodes.len() {
        let (mut path, mut at) = (Vec::new(), start);
        while resolved[at] == OPEN {
            let next = match &process.nodes[at] {
                ProcessNode::Choice(heads) => heads[policy[at]],
                // A lottery with one part is a forced move, and needs no equation.
                ProcessNode::Lottery(parts) if parts.len() == 1 => parts[0].1,
                ProcessNode::Known(_) | ProcessNode::Lottery(_) => {
                    resolved[at] = fit::<u32>(at);
                    break;
                }
            };
            path.push(at);
            // A longer path visits a node twice, so the choices lead in a cycle.
            if path.len() > process.nodes.len() {
                return None;
            }
            at = next as usize;
        }
        let target = resolved[at];
        path.into_iter().for_each(|node| resolved[node] = target);
    }
    Some(resolved)
}

/// Returns the lotteries that play reaches from the opponent's choices under the policy, and their
/// numbers. Other lotteries are assumed to lead only to choices, as bids do.
fn used(process: &Process, policy: &[usize], resolved: &[u32]) -> (Vec<u32>, Vec<Option<usize>>) {
    let mut index = vec![None; process.nodes.len()];
    let mut unknowns: Vec<u32> = Vec::new();
    let add = |target: u32, unknowns: &mut Vec<u32>, index: &mut Vec<Option<usize>>| {
        if matches!(process.nodes[target as usize], ProcessNode::Lottery(_))
            && index[target as usize].is_none()
        {
            index[target as usize] = Some(unknowns.len());
            unknowns.push(target);
        }
    };
    for (at, node) in process.nodes.iter().enumerate() {
        if let ProcessNode::Choice(heads) = node {
            add(
                resolved[heads[policy[at]] as usize],
                &mut unknowns,
                &mut index,
            );
        }
    }
    let mut next = 0;
    while next < unknowns.len() {
        if let ProcessNode::Lottery(parts) = &process.nodes[unknowns[next] as usize] {
            parts
                .iter()
                .for_each(|(_, head)| add(resolved[*head as usize], &mut unknowns, &mut index));
        }
        next += 1;
    }
    (unknowns, index)
}

/// The equations of the lotteries that are used: a lottery is worth the mean of its successors, and
/// takes one step more.
struct Equations<'a> {
    process: &'a Process,
    resolved: &'a [u32],
    unknowns: &'a [u32],
    index: &'a [Option<usize>],
}

impl Equations<'_> {
    fn solve(&self, context: &Context<'_>) -> Result<Option<[Vec<f64>; 2]>, Stop> {
        // Elimination takes cubic time. Iteration is less precise, but the bounds are proved
        // afterwards.
        if self.unknowns.len() <= DENSE {
            self.eliminate(context)
        } else {
            self.repeat(context).map(Some)
        }
    }

    /// Returns the terms of an equation: normalised weights, with the nodes that they lead to.
    fn parts(&self, unknown: usize) -> impl Iterator<Item = (f64, u32)> + '_ {
        let parts: &[(f64, u32)] = match &self.process.nodes[self.unknowns[unknown] as usize] {
            ProcessNode::Lottery(parts) => parts,
            ProcessNode::Known(_) | ProcessNode::Choice(_) => &[],
        };
        let sum: f64 = parts.iter().map(|(weight, _)| weight).sum();
        parts
            .iter()
            .map(move |&(weight, head)| (weight / sum, self.resolved[head as usize]))
    }

    fn eliminate(&self, context: &Context<'_>) -> Result<Option<[Vec<f64>; 2]>, Stop> {
        let n = self.unknowns.len();
        let mut rows = vec![vec![0.0; n + 2]; n];
        for (at, row) in rows.iter_mut().enumerate() {
            // The last two columns are the right sides, one for the values and one for the lengths.
            (row[at], row[n + 1]) = (1.0, 1.0);
            for (weight, target) in self.parts(at) {
                match self.index[target as usize] {
                    Some(other) => row[other] -= weight,
                    None => row[n] += weight * worth(self.process, target),
                }
            }
        }
        for column in 0..n {
            context.check()?;
            let size = |row: &usize| f64::abs(rows[*row][column]);
            // The greatest pivot keeps rounding errors small.
            let Some(pivot) = (column..n).max_by(|a, b| size(a).total_cmp(&size(b))) else {
                return Ok(None);
            };
            rows.swap(column, pivot);
            let pivot = rows[column].clone();
            if pivot[column] == 0.0 {
                return Ok(None);
            }
            for row in rows
                .iter_mut()
                .skip(column + 1)
                .filter(|row| row[column] != 0.0)
            {
                let factor = row[column] / pivot[column];
                row[column..]
                    .iter_mut()
                    .zip(&pivot[column..])
                    .for_each(|(cell, part)| *cell -= factor * part);
            }
        }
        let mut found = [vec![0.0; n], vec![0.0; n]];
        for at in (0..n).rev() {
            for (side, values) in found.iter_mut().enumerate() {
                let later: f64 = rows[at][at + 1..n]
                    .iter()
                    .zip(&values[at + 1..])
                    .map(|(cell, value)| cell * value)
                    .sum();
                values[at] = (rows[at][n + side] - later) / rows[at][at];
            }
        }
        Ok(Some(found))
    }

    fn repeat(&self, context: &Context<'_>) -> Result<[Vec<f64>; 2], Stop> {
        let mut found = [
            vec![0.0; self.unknowns.len()],
            vec![0.0; self.unknowns.len()],
        ];
        for _ in 0..REPEATS {
            context.check()?;
            let mut change = 0.0_f64;
            for at in 0..self.unknowns.len() {
                let (mut value, mut time) = (0.0, 1.0);
                for (weight, target) in self.parts(at) {
                    match self.index[target as usize] {
                        Some(other) => {
                            (value, time) = (
                                value + weight * found[0][other],
                                time + weight * found[1][other],
                            )
                        }
                        None => value += weight * worth(self.process, target),
                    }
                }
                change = change.max((value - found[0][at]).abs());
                (found[0][at], found[1][at]) = (value, time);
            }
            if change < 1e-15 {
                break;
            }
        }
        Ok(found)
    }
}
