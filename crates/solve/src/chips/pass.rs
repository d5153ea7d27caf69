//! Thresholds of all vertices: one pass over the components, successors first, and a fixed point
//! inside the cyclic ones.
//!
//! Where a play that goes on for ever is not won, the fixed point is the least one: every vertex
//! starts from "never wins" and is recomputed whenever a successor has changed, until nothing does.
//! It is the limit of the truncations G\[n\] (Develin & Payne 2010, section 3.4). The number of
//! rounds hardly depends on k, with one known exception: under the marker, where the winner of a bid
//! must move, a cycle in zugzwang can be such that the least fixed point is reached one chip at a
//! time.
//!
//! Where such a play is won, the fixed point is the greatest one. Where its winner depends on the
//! vertices that are visited again and again, each vertex has a [level](Levels), and fixed points of
//! both kinds are nested: a parity game on the states, each a vertex with chips and a tie status.
//! With a given number of chips in all there are finitely many states, and the states that a turn
//! has to reach are up-sets of chips at every vertex, whatever the objective; so the recursion for a
//! turn is the same (Aghajohari, Avni & Henzinger 2021, *Determinacy in discrete-bidding
//! infinite-duration games*).
//!
//! The fixed point of a level is found from its extreme. In each round the vertices of the level
//! keep their thresholds while the levels below are solved; then all are recomputed, in the
//! direction of the level only, until nothing changes. Each round stays on the far side of the fixed
//! point, and ends there if no vertex of the level has changed.
//!
//! A level is solved again and again, each time for other thresholds of the levels above. If these
//! differ by at most d whole chips from those for which it was solved last, so does its solution: a
//! turn and the choice of a move [increase no difference](Kernel::keeps_distances). For let Φ be
//! the operator of a greatest solution g, and Φ′ the one after the change, with g′. From
//! `g′ ≤ (g′ − d) + d` follows `g′ = Φ′(g′) ≤ Φ(g′ − d) + d`, so that `g′ − d ≤ Φ(g′ − d)`, and
//! `g′ − d ≤ g` (Knaster & Tarski). For a least solution it is the other way round, and nested ones
//! follow. So the solution is found from the last one, put d away towards the extreme of the level.

use super::afterwards::{Afterwards, Movers};
use super::kernel::{Kernel, Underbid};
use super::levels::Levels;
use super::quantity::ThresholdInteger;
use super::values::VertexThresholds;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::rules::Winner;
use crate::space::worklist::{IncomingEdges, Worklist};
use crate::watch::{Asking, Context, Stop};

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
/// lane; a strategy needs it in order to make progress.
pub(super) type FallHistory = Vec<Vec<Fall>>;

/// The time at which states of a vertex were found to be won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fall {
    /// The time, which orders the falls of a component.
    pub(crate) stamp: u64,
    /// The states are won because of states that were found before this time. At a vertex that is
    /// good to visit again and again these include the states themselves, and perhaps some that
    /// were found after them.
    pub(crate) until: u64,
    /// The thresholds from then on.
    pub(crate) raw: [u64; 2],
}

impl Fall {
    /// The end of a time that has not ended.
    const OPEN: u64 = u64::MAX;
}

/// The result of plays that do not end in a win of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Aim<'a> {
    /// `true` if a drawn ending counts as a win of the seeker.
    pub(super) drawn: bool,
    /// The priority of each vertex: a play that goes on for ever is Alice's if the greatest one that
    /// occurs again and again is even. Without priorities such a play is drawn.
    pub(super) priorities: Option<&'a [u32]>,
}

/// A cyclic component that is being solved.
struct Component<'a, T> {
    members: &'a [NodeId],
    edges: IncomingEdges,
    levels: Levels,
    /// The thresholds of all members when a level was solved last, by level; empty before that, and
    /// for the highest level.
    solutions: Vec<Vec<T>>,
}

impl<T> Component<'_, T> {
    /// Returns the places of the members at a level or below it.
    fn up_to(&self, level: usize) -> impl Iterator<Item = (usize, NodeId)> {
        let members = self.members.iter().copied().enumerate();
        members.filter(move |(place, _)| self.levels.of[*place] <= level)
    }

    /// Returns a list of the members at a level.
    fn worklist(&self, level: usize) -> Worklist {
        let mut waiting = Worklist::none(self.members.len());
        self.at(level)
            .for_each(|(place, _)| waiting.add(fit::<u32>(place)));
        waiting
    }

    /// Adds the members up to a level that depend on one. Higher levels keep their thresholds until
    /// this level is solved.
    fn add_tails(&self, place: usize, level: usize, waiting: &mut Worklist) {
        let tails = self.edges.tails_of(place).iter();
        tails
            .filter(|tail| self.levels.of[**tail as usize] <= level)
            .for_each(|tail| waiting.add(*tail));
    }

    /// Returns the places of the members at a level.
    fn at(&self, level: usize) -> impl Iterator<Item = (usize, NodeId)> {
        self.up_to(level)
            .filter(move |(place, _)| self.levels.of[*place] == level)
    }
}

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
    aim: Aim<'a>,
    play: Option<Play<'a>>,
    beyond: Vec<T>,
    values: VertexThresholds<T>,
    history: Option<FallHistory>,
    after: Afterwards<T>,
    row: Vec<T>,
    asking: Asking<'a>,
    stamp: u64,
    /// The number of falls that are kept.
    kept: u64,
}

impl<'a, T: ThresholdInteger> ThresholdPass<'a, T> {
    pub(super) fn new(
        graph: &'a GameGraph,
        goal: Goal,
        aim: Aim<'a>,
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
            aim,
            play: None,
            beyond: totals.iter().map(|&total| T::narrow(total + 1)).collect(),
            after: Afterwards::new(width),
            row: vec![T::NOTHING; width],
            values,
            history: None,
            asking: Asking::every(CELLS, context),
            stamp: 0,
            kept: 0,
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
    pub(super) fn run(mut self) -> Result<(VertexThresholds<T>, Option<FallHistory>)> {
        for (members, cyclic) in self.graph.components().iter() {
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
        // Endings keep their values, so they must be set before the iteration and stay out of it.
        for node in endings {
            self.visit(node)?;
        }
        // A game that is over before the first bid has no positions to iterate over.
        if !positions.is_empty() {
            self.fixed_point(&positions)?;
        }
        Ok((self.values, self.history))
    }

    fn visit(&mut self, node: NodeId) -> Result<()> {
        if let Some(ending) = self.graph.ending(node) {
            self.fill(node, ending.is_won_by(self.goal.seeker, self.aim.drawn));
        } else {
            self.work_out(node)?;
            self.values.row_mut(node).copy_from_slice(&self.row);
        }
        Ok(())
    }

    fn fill(&mut self, node: NodeId, won: bool) {
        let scale = self.goal.kernel.scale();
        self.values
            .fill(node, self.totals, |total| scale.ended(won, total + 1));
    }

    fn fixed_point(&mut self, members: &[NodeId]) -> Result<()> {
        let levels = Levels::new(members, self.goal.seeker, self.aim);
        let mut component = Component {
            members,
            edges: IncomingEdges::within(self.graph, members),
            solutions: vec![Vec::new(); levels.top()],
            levels,
        };
        let top = component.levels.top();
        self.solve_level(&mut component, top, self.history.is_some())
    }

    /// Finds the fixed point of a level and of those below it; the thresholds of higher levels stay
    /// as they are. If `recording`, the falls that lead to it are recorded.
    fn solve_level(
        &mut self,
        component: &mut Component<'_, T>,
        level: usize,
        recording: bool,
    ) -> Result<()> {
        let greatest = component.levels.is_greatest(level);
        // Falls are recorded from the extreme on.
        self.begin(component, level, greatest || !recording)?;
        // The falls of a greatest fixed point count only once it has been found.
        let recording_falls = recording && !greatest;
        loop {
            if level > 0 {
                self.solve_level(component, level - 1, recording_falls)?;
                if recording_falls {
                    self.close(component, level - 1);
                }
            }
            let changed = if recording_falls {
                self.settle_in_rounds(component, level)?
            } else {
                self.settle(component, level)?
            };
            if !changed || level == 0 {
                break;
            }
        }
        self.keep(component, level);
        if recording && greatest {
            self.record_level(component, level)?;
            if level > 0 {
                // The levels below are solved once more, now that their falls lead to the final
                // thresholds.
                self.solve_level(component, level - 1, true)?;
            }
        }
        Ok(())
    }

    /// Gives the vertices of a level the thresholds from which its fixed point is found: the extreme
    /// ones or, if the level has been solved and `near` is set, nearer ones.
    fn begin(&mut self, component: &Component<'_, T>, level: usize, near: bool) -> Result<()> {
        let greatest = component.levels.is_greatest(level);
        let solution = component.solutions.get(level).filter(|_| near);
        let solution = solution.filter(|solution| !solution.is_empty());
        let distance = solution.map(|solution| self.distance(component, level, solution));
        let width = self.values.width();
        for (place, node) in component.at(level) {
            self.asking.step(self.totals.len())?;
            self.fill(node, greatest);
            if let (Some(solution), Some(distance)) = (solution, distance) {
                let known = &solution[place * width..][..width];
                for (value, known) in self.values.row_mut(node).iter_mut().zip(known) {
                    *value = if greatest {
                        value.larger(known.saturating_sub(distance))
                    } else {
                        value.smaller(known.saturating_add(distance))
                    };
                }
            }
        }
        Ok(())
    }

    /// Returns the greatest difference between the thresholds above a level and those for which it
    /// was solved last, in whole chips.
    fn distance(&self, component: &Component<'_, T>, level: usize, solution: &[T]) -> T {
        let width = self.values.width();
        let above = component.members.iter().zip(solution.chunks_exact(width));
        let above = above
            .zip(&component.levels.of)
            .filter(|(_, own)| **own > level);
        let mut most = T::NOTHING;
        for ((node, known), _) in above {
            for (value, known) in self.values.row(*node).iter().zip(known) {
                most = most.larger(value.larger(*known) - value.smaller(*known));
            }
        }
        let units = T::narrow(self.goal.kernel.scale().units());
        // The theorem is about whole chips, so a part of one is rounded up.
        most.saturating_add(units - T::UNIT) / units * units
    }

    /// Keeps the solution of a level, from which the next one is found.
    fn keep(&self, component: &mut Component<'_, T>, level: usize) {
        let cells = component.members.len() * self.values.width() * component.solutions.len();
        let fits = (cells * size_of::<T>()) as u64 <= self.context.limits.max_memory;
        // Without the solution the level is solved from its extreme again, which is slower but
        // right.
        if !fits || !self.goal.kernel.keeps_distances() {
            return;
        }
        if let Some(solution) = component.solutions.get_mut(level) {
            solution.clear();
            for node in component.members {
                solution.extend_from_slice(self.values.row(*node));
            }
        }
    }

    /// Recomputes the vertices of a level, and those up to it that depend on them, until nothing
    /// changes; thresholds change in the direction of the level only. Returns whether a vertex of
    /// the level has changed.
    fn settle(&mut self, component: &Component<'_, T>, level: usize) -> Result<bool> {
        let Component {
            members, levels, ..
        } = component;
        let greatest = levels.is_greatest(level);
        let mut waiting = component.worklist(level);
        let mut changed = false;
        while let Some(place) = waiting.take() {
            let node = members[place];
            if !self.improve(node, greatest)? {
                continue;
            }
            changed |= levels.of[place] == level;
            component.add_tails(place, level, &mut waiting);
        }
        Ok(changed)
    }

    /// Recomputes the vertices as [`settle`](Self::settle) does, for a least fixed point, and records
    /// the falls. All vertices of a round follow from the rounds before, so that the times depend on
    /// the component alone: pieces of advice about it agree, whichever graph they were found in.
    fn settle_in_rounds(&mut self, component: &Component<'_, T>, level: usize) -> Result<bool> {
        let (members, levels) = (component.members, &component.levels);
        let mut waiting = component.worklist(level);
        let mut changed = false;
        loop {
            let round: Vec<usize> = std::iter::from_fn(|| waiting.take()).collect();
            if round.is_empty() {
                return Ok(changed);
            }
            let mut rows = Vec::with_capacity(round.len());
            for place in &round {
                self.work_out(members[*place])?;
                rows.push(self.row.clone());
            }
            self.stamp += 1;
            for (place, row) in round.into_iter().zip(rows) {
                self.row = row;
                if !self.take_over(members[place], false) {
                    continue;
                }
                changed |= levels.of[place] == level;
                self.record(members[place], self.stamp)?;
                component.add_tails(place, level, &mut waiting);
            }
        }
    }

    /// Recomputes a vertex; its thresholds only rise if `rising`, and only fall otherwise. Returns
    /// whether anything has changed.
    fn improve(&mut self, node: NodeId, rising: bool) -> Result<bool> {
        self.work_out(node)?;
        Ok(self.take_over(node, rising))
    }

    /// Gives a vertex those thresholds in `self.row` that change in the direction of the level.
    /// Returns whether there are any.
    fn take_over(&mut self, node: NodeId, rising: bool) -> bool {
        let mut changed = false;
        for (value, new) in self.values.row_mut(node).iter_mut().zip(&self.row) {
            let next = if rising {
                // Other lanes of the row may have moved the other way; each keeps to the direction
                // of the level.
                value.larger(*new)
            } else {
                value.smaller(*new)
            };
            changed |= next != *value;
            *value = next;
        }
        changed
    }

    /// Records the thresholds of a level at which play may stay.
    fn record_level(&mut self, component: &Component<'_, T>, level: usize) -> Result<()> {
        self.stamp += 1;
        component
            .at(level)
            .try_for_each(|(_, node)| self.record(node, Fall::OPEN))
    }

    /// Ends the time of the states up to a level that were found since the last call.
    fn close(&mut self, component: &Component<'_, T>, level: usize) {
        let Some(history) = &mut self.history else {
            return;
        };
        for (_, node) in component.up_to(level) {
            if let Some(last) = history[node.index()].last_mut()
                && last.until == Fall::OPEN
            {
                last.until = self.stamp + 1;
            }
        }
    }

    /// Records the thresholds of a vertex if they are lower than those recorded last.
    fn record(&mut self, node: NodeId, until: u64) -> Result<()> {
        let Some(history) = &mut self.history else {
            return Ok(());
        };
        let falls = &mut history[node.index()];
        let scale = self.goal.kernel.scale();
        let last = falls
            .last()
            .map_or(scale.never(self.totals[0] + 1), |fall| fall.raw);
        let raw = self.values.raw(node, 0);
        // States that were found once stay found, even if the thresholds rise again in between.
        let raw = [raw[0].min(last[0]), raw[1].min(last[1])];
        if raw == last {
            return Ok(());
        }
        if falls.len() == falls.capacity() {
            // The histories of all vertices grow at about the same time, and each doubles.
            self.asking.step(falls.len() * CELLS_PER_FALL)?;
        }
        falls.push(Fall {
            stamp: self.stamp,
            until,
            raw,
        });
        // The falls are the only part whose size is not known beforehand, so they are counted as
        // they occur.
        self.kept += 1;
        let limit = self.context.limits.max_memory;
        if self.kept.saturating_mul(size_of::<Fall>() as u64) > limit {
            return Err(Stop::Memory(limit).into());
        }
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
