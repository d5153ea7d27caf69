//! The credit with which a player keeps a sum of weights from ever falling below 0: the energy
//! objective, and from it mean payoffs.
//!
//! At every vertex the least credit falls as the player's chips grow. It is kept as a list of
//! credits, each with the thresholds of chips from which it is enough. For each credit by itself a
//! turn is the recursion of [`Kernel`]: a move with the weight w has to lead to chips for which the
//! credit and w are enough. So the credits are lanes of one row.
//!
//! In a cyclic component the credits rise from 0 to the least fixed point. With a given number of
//! chips the game is one of finitely many states, where a player who can keep the sum up at all
//! does so without making any cycle of negative weight possible; so the sum never falls by more
//! than one visit to each state of the component costs, and what is needed on leaving it. A credit
//! beyond that is none (Brim, Chaloupka, Doyen, Gentilini & Raskin 2011, *Faster algorithms for
//! mean-payoff games*).
//!
//! In a game of finitely many states the mean payoff is not negative exactly if some credit keeps
//! the sum up for ever, so those thresholds are the ones for any credit at all. It is positive
//! exactly if the opponent cannot keep up the sum of the negated weights.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::afterwards::Afterwards;
use super::kernel::{Kernel, Scale};
use super::pass::{CELLS, Goal};
use super::values::VertexThresholds;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId, Scores, for_alice};
use crate::player::Player;
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{Objective, Purses, Rules};
use crate::space::worklist::{IncomingEdges, Worklist};
use crate::watch::{Asking, Context, Stop};

/// A game with weights.
pub(super) struct CreditTask<'a> {
    pub(super) graph: &'a GameGraph,
    pub(super) weights: &'a Scores,
    pub(super) rules: &'a Rules,
    pub(super) context: &'a Context<'a>,
}

/// A credit, with the thresholds of chips from which it is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) credit: u128,
    pub(super) raw: [u64; 2],
}

/// The steps of a vertex: rising credits with falling thresholds.
pub(super) type Steps = Vec<Step>;

/// The amount that a move adds to the sum that a player keeps up: its weight times the scale, less
/// the loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) scale: i128,
    pub(super) loss: i128,
}

impl Load {
    /// The weight itself.
    pub(super) const PLAIN: Self = Self { scale: 1, loss: 0 };

    /// Returns what a move adds whose weight is this one for Alice.
    pub(super) fn of(self, weight: i64, seeker: Player) -> i128 {
        for_alice(seeker, i128::from(weight))
            .saturating_mul(self.scale)
            .saturating_sub(self.loss)
    }
}

/// All steps that a vertex has had, each with the time from which on it had them.
pub(super) type StepHistory = Vec<(u64, Steps)>;

/// Computes the thresholds of a goal, by vertex, for these totals. `drawn` says whether a draw
/// counts as a win of the seeker.
pub(super) fn thresholds(
    task: &CreditTask<'_>,
    goal: Goal,
    drawn: bool,
    totals: &[u64],
) -> Result<VertexThresholds<u64>> {
    let keeps_up = match task.rules.objective {
        // Under the energy objective Alice keeps the sum up, whatever draws are worth.
        Objective::Energy => goal.seeker == Player::Alice,
        Objective::Reachability | Objective::Buchi | Objective::Parity | Objective::MeanPayoff => {
            drawn
        }
    };
    if keeps_up {
        return task.kept_up(goal, drawn, totals);
    }
    let opponent = goal.seeker.other();
    let theirs = Goal {
        seeker: opponent,
        kernel: Kernel::of(task.rules, opponent),
        // A player forces a goal exactly where the opponent can be prevented from the opposite one,
        // so both terms are exchanged.
        preventing: !goal.preventing,
        ..goal
    };
    let found = task.kept_up(theirs, !drawn, totals)?;
    Ok(found.complement(totals, task.context)?)
}

/// The goal of a seeker who forces it or, if `preventing`, cannot be prevented from it.
#[derive(Debug, Clone, Copy)]
pub struct CreditGoal {
    /// The player.
    pub seeker: Player,
    /// `true` if the opponent bids first.
    pub preventing: bool,
}

/// The least credits with which a player keeps up the sum of the player's weights, for one total of
/// chips, whatever the credit of the rules.
#[derive(Debug, Clone)]
pub struct LeastCredits {
    seeker: Player,
    scale: Scale,
    total: u64,
    rows: Vec<Steps>,
}

impl LeastCredits {
    /// Finds the credits for a goal. The rules say whether a draw is enough.
    ///
    /// # Errors
    /// If the rules have no thresholds in chips, or the work is stopped.
    pub fn solve(
        graph: &GameGraph,
        weights: &Scores,
        rules: &Rules,
        goal: CreditGoal,
        total: u64,
        context: &Context<'_>,
    ) -> Result<Self> {
        admit::chips(rules, ChipsQuestion::Threshold)?;
        let task = CreditTask {
            graph,
            weights,
            rules,
            context,
        };
        let CreditGoal { seeker, preventing } = goal;
        let goal = Goal {
            seeker,
            kernel: Kernel::of(rules, seeker),
            winner: rules.winner,
            preventing,
        };
        let rows = CreditPass::new(&task, goal, rules.draws.favours(seeker), total).run()?;
        Ok(Self {
            seeker,
            scale: goal.kernel.scale(),
            total,
            rows,
        })
    }

    /// Returns the least credit with some purses, in the units of the weights; `None` if no credit
    /// is enough.
    pub fn least(&self, node: NodeId, purses: &Purses) -> Option<u128> {
        let (chips, has_status) = (
            purses.chips[self.seeker],
            purses.status == Some(self.seeker),
        );
        let enough = |step: &&Step| self.scale.reached(step.raw, chips, has_status, self.total);
        let step = self.rows[node.index()].iter().find(enough);
        step.map(|step| step.credit)
    }
}

/// Returns the least credit with which Alice wins under the energy objective with these purses;
/// `None` if no credit is enough.
///
/// # Errors
/// If the rules have no thresholds in chips, or the work is stopped.
pub fn least_credit(
    graph: &GameGraph,
    weights: &Scores,
    rules: &Rules,
    node: NodeId,
    purses: &Purses,
    context: &Context<'_>,
) -> Result<Option<BigRational>> {
    admit::purses(rules, purses)?;
    let total = purses.chips.alice + purses.chips.bob;
    let forced = CreditGoal {
        seeker: Player::Alice,
        preventing: false,
    };
    let found = LeastCredits::solve(graph, weights, rules, forced, total, context)?;
    let least = found.least(node, purses);
    Ok(least.map(|least| BigRational::new(least.into(), weights.denominator().into())))
}

impl CreditTask<'_> {
    /// Computes the thresholds from which the seeker keeps the sum of the seeker's weights up: from
    /// the credit of the rules under the energy objective, from any credit under the other.
    fn kept_up(&self, goal: Goal, drawn: bool, totals: &[u64]) -> Result<VertexThresholds<u64>> {
        let scale = goal.kernel.scale();
        let credit = self.credit();
        let mut found = vec![Vec::with_capacity(totals.len()); self.graph.len()];
        for &total in totals {
            let rows = CreditPass::new(self, goal, drawn, total).run()?;
            for (lanes, steps) in found.iter_mut().zip(rows) {
                lanes.push(with(&steps, credit).unwrap_or(scale.never(total + 1)));
            }
        }
        Ok(VertexThresholds::of_rows(scale, &found))
    }

    /// Returns the credit that must be enough, in the units of the weights.
    pub(super) fn credit(&self) -> u128 {
        if self.rules.objective != Objective::Energy {
            // Any credit will do, and the last step has the thresholds for the greatest one.
            return u128::MAX;
        }
        // A part of a unit never helps, because all weights are whole units.
        let units = &self.rules.energy.0 * BigInt::from(self.weights.denominator());
        units.floor().to_integer().to_u128().unwrap_or(u128::MAX)
    }
}

/// Returns the thresholds from which a credit is enough, if it is for any number of chips.
pub(super) fn with(steps: &[Step], credit: u128) -> Option<[u64; 2]> {
    let count = steps.partition_point(|step| step.credit <= credit);
    count.checked_sub(1).map(|last| steps[last].raw)
}

/// The least credits of all vertices for one total of chips, as far as they are known.
pub(super) struct CreditPass<'a> {
    task: &'a CreditTask<'a>,
    goal: Goal,
    drawn: bool,
    total: u64,
    load: Load,
    /// The thresholds below which no credit is enough, if they are known.
    known: Option<Vec<[u64; 2]>>,
    rows: Vec<Steps>,
    /// The steps that each vertex has had, if they are recorded.
    history: Option<Vec<StepHistory>>,
    /// The number of times that a row was changed.
    time: u64,
    /// The number of steps in all rows, and in the history.
    kept: usize,
    asking: Asking<'a>,
}

/// A move with its weight for the seeker.
#[derive(Debug, Clone, Copy)]
struct WeightedMove {
    head: NodeId,
    weight: i128,
}

impl<'a> CreditPass<'a> {
    pub(super) fn new(task: &'a CreditTask<'a>, goal: Goal, drawn: bool, total: u64) -> Self {
        Self {
            task,
            goal,
            drawn,
            total,
            load: Load::PLAIN,
            known: None,
            rows: vec![Vec::new(); task.graph.len()],
            history: None,
            time: 0,
            kept: 0,
            asking: Asking::every(CELLS, task.context),
        }
    }

    /// Lets moves add other loads, for a player whose thresholds with any credit are known.
    pub(super) fn loaded(mut self, load: Load, known: Vec<[u64; 2]>) -> Self {
        (self.load, self.known) = (load, Some(known));
        self
    }

    /// Computes the steps of all vertices.
    pub(super) fn run(mut self) -> Result<Vec<Steps>> {
        self.work()?;
        Ok(self.rows)
    }

    /// Computes all steps that the vertices have had.
    pub(super) fn record(mut self) -> Result<Vec<StepHistory>> {
        self.history = Some(vec![Vec::new(); self.rows.len()]);
        self.work()?;
        Ok(self.history.unwrap_or_default())
    }

    fn work(&mut self) -> Result<()> {
        for (members, cyclic) in self.task.graph.components().iter() {
            if cyclic {
                self.fixed_point(members)?;
                continue;
            }
            let node = members[0];
            let steps = match self.task.graph.ending(node) {
                Some(ending) if ending.is_won_by(self.goal.seeker, self.drawn) => {
                    self.nothing_needed()
                }
                Some(_) => Steps::new(),
                None => self.work_out(node, u128::MAX)?,
            };
            self.keep(node, steps)?;
        }
        Ok(())
    }

    fn nothing_needed(&self) -> Steps {
        vec![Step {
            credit: 0,
            raw: self.goal.kernel.scale().always(self.total + 1),
        }]
    }

    fn fixed_point(&mut self, members: &[NodeId]) -> Result<()> {
        // The bound has to be taken while the rows of the component are empty, so that only exits
        // count.
        let most = self.most(members);
        for node in members {
            let steps = match &self.known {
                Some(known) => self.steps(&[0], &known[node.index()]),
                None => self.nothing_needed(),
            };
            self.keep(*node, steps)?;
        }
        let edges = IncomingEdges::within(self.task.graph, members);
        let mut waiting = Worklist::all(members.len());
        while let Some(place) = waiting.take() {
            let node = members[place];
            let steps = self.work_out(node, most)?;
            // Rows only rise, and there are finitely many credits up to the bound, so this ends.
            if self.rows[node.index()] != steps {
                self.keep(node, steps)?;
                let tails = edges.tails_of(place).iter();
                tails.for_each(|tail| waiting.add(*tail));
            }
        }
        Ok(())
    }

    fn keep(&mut self, node: NodeId, steps: Steps) -> Result<()> {
        self.time += 1;
        let row = &mut self.rows[node.index()];
        match &mut self.history {
            Some(history) => history[node.index()].push((self.time, steps.clone())),
            // Without a history the old row is dropped.
            None => self.kept -= row.len(),
        }
        self.kept += steps.len();
        *row = steps;
        let limit = self.task.context.limits.max_memory;
        if (self.kept * size_of::<Step>()) as u64 > limit {
            return Err(Stop::Memory(limit).into());
        }
        Ok(())
    }

    /// Returns the greatest credit that can be needed in a component whose own rows are empty yet.
    fn most(&self, members: &[NodeId]) -> u128 {
        let moves = || {
            let both = members
                .iter()
                .flat_map(|node| Player::both(|player| self.moves(*node, player)));
            both.flatten()
        };
        let cost = moves().map(|edge| edge.weight.min(0).unsigned_abs()).max();
        let last = |edge: WeightedMove| self.rows[edge.head.index()].last().map(|step| step.credit);
        let beyond = moves().filter_map(last).max();
        // A state is a vertex, the player's chips, and the holder of the tie status.
        let states = 2 * (u128::from(self.total) + 1) * members.len() as u128;
        let within = states.saturating_mul(cost.unwrap_or(0));
        within.saturating_add(beyond.unwrap_or(0))
    }

    /// Returns a player's moves from a vertex.
    fn moves(&self, node: NodeId, player: Player) -> Vec<WeightedMove> {
        let moves = self.task.weights.moves(self.task.graph, node, player);
        moves
            .map(|(head, weight)| WeightedMove {
                head,
                weight: self.load.of(weight, self.goal.seeker),
            })
            .collect()
    }

    /// Computes the steps that follow from the successors', up to a credit.
    fn work_out(&mut self, node: NodeId, most: u128) -> Result<Steps> {
        let (graph, seeker) = (self.task.graph, self.goal.seeker);
        let own = self.moves(node, seeker);
        let moves = [own.clone(), self.moves(node, seeker.other())].concat();
        let mut credits: Vec<u128> = Vec::new();
        for edge in &moves {
            let steps = self.rows[edge.head.index()].iter();
            credits.extend(steps.map(|step| needed(step.credit, edge.weight)));
        }
        // No finite need exceeds the bound: where more seems to be needed nothing is enough, and
        // the iteration would go on for ever.
        credits.retain(|credit| *credit <= most);
        credits.sort_unstable();
        credits.dedup();
        let (lanes, scale) = (credits.len(), self.goal.kernel.scale());
        let width = scale.slots() * lanes;
        self.asking.step(width * (1 + moves.len()) + 1)?;
        let cells: Vec<Vec<u64>> = moves
            .iter()
            .map(|edge| self.lanes(edge, &credits))
            .collect();
        let (own, others): (Vec<usize>, Vec<usize>) =
            (0..moves.len()).partition(|index| *index < own.len());
        let mut after = Afterwards::new(width);
        let row = |index: usize| cells[index].as_slice();
        after.collect(&own, &others, self.goal.winner.into(), row);
        let mut found = vec![0; width];
        // There is no bid, so the best move decides alone.
        if graph.owner(node).is_some() {
            found.copy_from_slice(&after.won);
        } else {
            let Goal {
                kernel, preventing, ..
            } = self.goal;
            let beyond = vec![self.total + 1; lanes];
            kernel.apply(preventing, &after.won, &after.lost, &beyond, &mut found);
        }
        if let Some(known) = &self.known {
            let known = known[node.index()];
            for (place, found) in found.iter_mut().enumerate() {
                // Chips below the known thresholds are not enough for any credit.
                *found = known[place / lanes].max(*found);
            }
        }
        Ok(self.steps(&credits, &found))
    }

    /// Returns the thresholds after a move, for each credit before it.
    fn lanes(&self, edge: &WeightedMove, credits: &[u128]) -> Vec<u64> {
        let scale = self.goal.kernel.scale();
        let never = scale.never(self.total + 1);
        let steps = &self.rows[edge.head.index()];
        let after = credits.iter().map(|credit| {
            let left = i128::try_from(*credit)
                .unwrap_or(i128::MAX)
                .saturating_add(edge.weight);
            let left = u128::try_from(left).ok();
            left.and_then(|left| with(steps, left)).unwrap_or(never)
        });
        let after: Vec<[u64; 2]> = after.collect();
        (0..scale.slots())
            .flat_map(|slot| after.iter().map(move |raw| raw[slot]))
            .collect()
    }

    /// Returns the steps of a row, which are the lanes at which the thresholds fall.
    fn steps(&self, credits: &[u128], row: &[u64]) -> Steps {
        let never = self.goal.kernel.scale().never(self.total + 1);
        let mut steps = Steps::new();
        for (lane, credit) in credits.iter().enumerate() {
            let second = row.get(credits.len() + lane);
            let raw = [row[lane], second.copied().unwrap_or(0)];
            // A greater credit that changes nothing is not a step.
            if raw != steps.last().map_or(never, |step| step.raw) {
                steps.push(Step {
                    credit: *credit,
                    raw,
                });
            }
        }
        steps
    }
}

/// Returns the credit that is needed before a move with this weight, if this one is needed after
/// it.
fn needed(credit: u128, weight: i128) -> u128 {
    let before = i128::try_from(credit)
        .unwrap_or(i128::MAX)
        .saturating_sub(weight);
    u128::try_from(before).unwrap_or(0)
}
