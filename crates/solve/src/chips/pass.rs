//! Thresholds of all vertices: one pass over the components, successors first, and a least fixed
//! point inside the cyclic ones.
//!
//! Inside a component that contains a cycle every vertex starts from "never wins" and is recomputed
//! whenever a successor has changed, until nothing does. The thresholds only decrease, so this
//! ends. The result is the least fixed point, which is the limit of the truncations G\[n\] (Develin
//! & Payne 2010, section 3.4): a play that goes on for ever is not won. The number of rounds hardly
//! depends on k, with one known exception: under the marker, where the winner of a bid must move, a
//! cycle in zugzwang can be such that the least fixed point is reached one chip at a time.

use super::afterwards::{Afterwards, Movers};
use super::kernel::{Kernel, Underbid};
use super::quantity::ThresholdInteger;
use super::values::VertexThresholds;
use crate::diagnostic::Result;
use crate::game::{Components, GameGraph, NodeId};
use crate::player::{Ending, Player};
use crate::rules::Winner;
use crate::watch::{Asking, Context, Stop};
use crate::worklist::{EdgesWithin, Worklist};

/// The number of cells that are computed between two checks.
pub(super) const CELLS: usize = 1 << 17;

/// The number of cells that take as much memory as one fall.
const CELLS_PER_FALL: usize = size_of::<Fall>() / size_of::<u64>();

/// The subject of a pass: the player whose win is sought, and the recursion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Goal {
    pub(super) seeker: Player,
    pub(super) kernel: Kernel,
    pub(super) winner: Winner,
    /// If set, the thresholds are those of wins that the opponent cannot prevent, rather than those
    /// that the seeker can force.
    pub(super) preventing: bool,
}

/// The order in which each vertex's thresholds fell inside its cyclic component, for the first
/// lane; a strategy needs it in order to make progress. The stamps of a component give the order of
/// the changes.
pub(super) type FallHistory = Vec<Vec<Fall>>;

/// A stamp, and the thresholds from then on.
pub(crate) type Fall = (u64, [u64; 2]);

/// The play of the players, where the rules do not determine it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Play<'a> {
    /// The player to move after a bid, at each vertex.
    pub(crate) movers: &'a [Movers],
    /// The player who may be underbid, and the vertices at which this is possible.
    pub(crate) underbid: Option<(Underbid, &'a [bool])>,
}

impl Play<'_> {
    fn underbid(self, node: NodeId) -> Option<Underbid> {
        self.underbid
            .filter(|(_, nodes)| nodes[node.index()])
            .map(|(who, _)| who)
    }
}

pub(super) struct ThresholdPass<'a, T> {
    graph: &'a GameGraph,
    goal: Goal,
    totals: &'a [u64],
    context: &'a Context<'a>,
    play: Option<Play<'a>>,
    beyond: Vec<T>,
    values: VertexThresholds<T>,
    history: Option<FallHistory>,
    after: Afterwards<T>,
    row: Vec<T>,
    asking: Asking<'a>,
    stamp: u64,
}

impl<'a, T: ThresholdInteger> ThresholdPass<'a, T> {
    pub(super) fn new(
        graph: &'a GameGraph,
        goal: Goal,
        totals: &'a [u64],
        context: &'a Context<'a>,
    ) -> Self {
        let values = VertexThresholds::new(goal.kernel.scale(), graph.len(), totals.len());
        let width = values.width();
        Self {
            graph,
            goal,
            totals,
            context,
            play: None,
            beyond: totals.iter().map(|&total| T::narrow(total + 1)).collect(),
            after: Afterwards::new(width),
            row: vec![T::NOTHING; width],
            values,
            history: None,
            asking: Asking::every(CELLS, context),
            stamp: 0,
        }
    }

    /// Makes the players play as `play` says, vertex by vertex.
    pub(super) fn played(mut self, play: Option<Play<'a>>) -> Self {
        self.play = play;
        self
    }

    /// Makes the pass keep the history of every vertex in a cyclic component.
    pub(super) fn recording(mut self) -> Self {
        self.history = Some(vec![Vec::new(); self.graph.len()]);
        self
    }

    /// Computes all thresholds, and the history if it was asked for.
    pub(super) fn run(
        mut self,
        components: &Components,
    ) -> Result<(VertexThresholds<T>, Option<FallHistory>)> {
        for (members, cyclic) in components.iter() {
            if cyclic {
                self.fixed_point(members)?;
            } else {
                self.visit(members[0])?;
            }
        }
        Ok((self.values, self.history))
    }

    /// Computes all thresholds by iteration alone, as if the graph were one component: a second
    /// method, for `solver: iteration`.
    pub(super) fn run_by_iteration(mut self) -> Result<(VertexThresholds<T>, Option<FallHistory>)> {
        let (endings, positions): (Vec<_>, Vec<_>) = self
            .graph
            .nodes()
            .partition(|&node| self.graph.ending(node).is_some());
        for node in endings {
            self.visit(node)?;
        }
        self.fixed_point(&positions)?;
        Ok((self.values, self.history))
    }

    fn visit(&mut self, node: NodeId) -> Result<()> {
        if let Some(ending) = self.graph.ending(node) {
            self.end(node, ending);
        } else {
            self.work_out(node)?;
            self.values.row_mut(node).copy_from_slice(&self.row);
        }
        Ok(())
    }

    fn end(&mut self, node: NodeId, ending: Ending) {
        let scale = self.goal.kernel.scale();
        let won = ending == Ending::Win(self.goal.seeker);
        self.values.fill(node, self.totals, |total| {
            if won {
                scale.always(total + 1)
            } else {
                scale.never(total + 1)
            }
        });
    }

    fn fixed_point(&mut self, members: &[NodeId]) -> Result<()> {
        let scale = self.goal.kernel.scale();
        for &node in members {
            self.asking.step(self.totals.len())?;
            self.values
                .fill(node, self.totals, |total| scale.never(total + 1));
        }
        let edges = EdgesWithin::of(self.graph, members);
        let mut waiting = Worklist::all(members.len());
        while let Some(place) = waiting.take() {
            if self.improve(members[place])? {
                edges
                    .tails_of(place)
                    .iter()
                    .for_each(|tail| waiting.add(*tail));
            }
        }
        Ok(())
    }

    /// Recomputes a vertex. Returns whether anything has changed.
    fn improve(&mut self, node: NodeId) -> Result<bool> {
        self.work_out(node)?;
        if self.values.row(node) == self.row.as_slice() {
            return Ok(false);
        }
        self.values.row_mut(node).copy_from_slice(&self.row);
        self.record(node)?;
        Ok(true)
    }

    fn record(&mut self, node: NodeId) -> Result<()> {
        let Some(history) = &mut self.history else {
            return Ok(());
        };
        self.stamp += 1;
        // The falls are the only part whose size is not known beforehand, so they are counted as
        // they occur.
        let limit = self.context.limits.max_memory;
        if self.stamp.saturating_mul(size_of::<Fall>() as u64) > limit {
            return Err(Stop::Memory(limit).into());
        }
        let falls = &mut history[node.index()];
        if falls.len() == falls.capacity() {
            // The histories of all vertices grow at about the same time, and each doubles.
            self.asking.step(falls.len() * CELLS_PER_FALL)?;
        }
        falls.push((self.stamp, self.values.raw(node, 0)));
        Ok(())
    }

    /// Computes the thresholds that follow from the successors' and leaves them in `self.row`.
    fn work_out(&mut self, node: NodeId) -> Result<()> {
        let degree: usize = Player::BOTH
            .iter()
            .map(|&player| self.graph.successors(node, player).len())
            .sum();
        self.asking.step(self.row.len() * (1 + degree))?;
        let Goal {
            seeker,
            kernel,
            winner,
            preventing,
        } = self.goal;
        let own = self.graph.successors(node, seeker);
        let others = self.graph.successors(node, seeker.other());
        let values = &self.values;
        let movers = self
            .play
            .map_or(winner.into(), |play| play.movers[node.index()]);
        self.after
            .collect(own, others, movers, |node| values.row(node));
        if self.graph.owner(node).is_some() {
            // There is no bid, so that each status stays unchanged.
            self.row.copy_from_slice(&self.after.won);
            return Ok(());
        }
        kernel.apply(
            preventing,
            &self.after.won,
            &self.after.lost,
            &self.beyond,
            &mut self.row,
        );
        if let Some(who) = self.play.and_then(|play| play.underbid(node)) {
            kernel.underbid(who, &self.after.won, &self.after.lost, &mut self.row);
        }
        Ok(())
    }
}
