//! Thresholds where Bob's budget never grows, because the bank keeps the whole payment: budget by
//! budget.

use std::convert::Infallible;

use super::turn::{BudgetTurn, LeastBid, after_bid};
use super::{CELLS, Holder, NEVER, place};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::rules::Draws;
use crate::space::worklist::{IncomingEdges, Worklist};
use crate::watch::{Asking, Context};

/// All thresholds for budgets that never grow.
pub(super) struct ThresholdTable {
    budgets: usize,
    cells: Vec<u64>,
    /// The best bid that was found last, by vertex and holder.
    hints: Vec<u64>,
    /// The greatest finite threshold so far.
    greatest: u64,
}

impl ThresholdTable {
    fn index(&self, node: NodeId, budget: u64, holder: Holder) -> usize {
        place(node, holder) * self.budgets + fit::<usize>(budget)
    }

    pub(super) fn get(&self, node: NodeId, budget: u64, holder: Holder) -> u64 {
        self.cells[self.index(node, budget, holder)]
    }

    pub(super) fn solve(
        turn: &BudgetTurn<'_>,
        most: u64,
        holders: &[Holder],
        context: &Context<'_>,
    ) -> Result<Self> {
        let budgets = fit::<usize>(most) + 1;
        let cells = (2 * turn.graph.len()).saturating_mul(budgets);
        // The whole table is allocated at once, so the memory is asked for beforehand.
        context.admit_values::<u64>(cells as u64)?;
        let components = turn.graph.components();
        let from = if turn.rules.draws == Draws::Alice {
            0
        } else {
            NEVER
        };
        let hints = vec![0; 2 * turn.graph.len()];
        let mut table = Self {
            budgets,
            cells: vec![from; cells],
            hints,
            greatest: 0,
        };
        let mut asking = Asking::every(CELLS, context);
        for (done, (vertices, cyclic)) in components.iter().enumerate() {
            context.report("solving", done as u64, None);
            let edges = cyclic.then(|| IncomingEdges::within(turn.graph, vertices));
            let mut waiting = Worklist::all(vertices.len());
            for budget in 0..=most {
                // From 0 upward a threshold would grow for ever, without this bound, where no
                // number of chips is enough.
                let capped = if from == 0 {
                    table.enough(vertices.len() as u64, budget)
                } else {
                    NEVER
                };
                waiting.add_all();
                while let Some(place) = waiting.take() {
                    asking.step(holders.len())?;
                    if table.vertex(turn, vertices[place], budget, holders, capped) {
                        edges
                            .iter()
                            .flat_map(|edges| edges.tails_of(place))
                            .for_each(|tail| waiting.add(*tail));
                    }
                }
                // The bound for the next budget follows from the finite thresholds of this one.
                table.look_at(vertices, budget, holders);
            }
        }
        Ok(table)
    }

    /// Returns an upper bound of any finite threshold of a component against a budget of Bob's, if
    /// the thresholds of smaller budgets and of the successors of the component are known.
    fn enough(&self, vertices: u64, budget: u64) -> u64 {
        self.greatest
            .saturating_add((2 * vertices).saturating_mul(budget + 1))
    }

    fn look_at(&mut self, vertices: &[NodeId], budget: u64, holders: &[Holder]) {
        for (&node, &holder) in vertices
            .iter()
            .flat_map(|node| holders.iter().map(move |holder| (node, holder)))
        {
            let least = self.get(node, budget, holder);
            if least != NEVER {
                self.greatest = self.greatest.max(least);
            }
        }
    }

    /// Recomputes a vertex, with thresholds above `capped` replaced by "never". Returns whether
    /// anything has changed.
    fn vertex(
        &mut self,
        turn: &BudgetTurn<'_>,
        node: NodeId,
        budget: u64,
        holders: &[Holder],
        capped: u64,
    ) -> bool {
        let mut changed = false;
        for &holder in holders {
            let after = |winner, left, status| {
                after_bid(turn.graph, turn.rules, node, winner, |head| {
                    Ok::<_, Infallible>(self.get(head, left, status))
                })
            };
            let value = match (turn.graph.ending(node), turn.graph.owner(node)) {
                (Some(ending), _) => turn.ended(ending),
                (None, Some(owner)) => {
                    let Ok(needed) = after(owner, budget, holder);
                    needed
                }
                (None, None) => {
                    let near = LeastBid {
                        chips: 0,
                        // The best bid changes little from one budget to the next.
                        bid: self.hints[place(node, holder)],
                    };
                    let Ok(best) = turn.threshold(budget, holder, near, after);
                    self.hints[place(node, holder)] = best.bid;
                    best.chips
                }
            };
            let value = if value > capped { NEVER } else { value };
            let index = self.index(node, budget, holder);
            changed |= std::mem::replace(&mut self.cells[index], value) != value;
        }
        changed
    }
}
