//! Estimates the cost of a method, as far as it is known before the method begins.

mod facts;

use super::plan::{AskedPosition, EXPLORED, share_for};
use super::{About, Ask, Method, Plan, Question};
use crate::diagnostic::{Diagnostic, Result};
use crate::game::ruleset::Numbering;
use crate::game::{GameExpr, GameGraph};
use crate::parallel;
use crate::player::{GameId, PerPlayer, Player};
use crate::rules::{Payment, Rules, Solver, TieBreak};
use crate::solve::all_pay::Budgets;
use crate::solve::space::sweep::{Keep, Need, Schedule};
use crate::watch::{Batch, Context, Limits, Stop, longest_chain};

/// The rough number of one-byte values that a thread computes in a second when positions are solved
/// layer by layer.
const LAYER_BYTES: f64 = 8e8;

/// The rough number of positions explored in a second.
const EXPLORED_POSITIONS: f64 = 1e6;

/// The rough number of entries of matrices of bids that a thread looks at in a second, if single
/// bids are optimal at all of them.
const MATRIX_ENTRIES: f64 = 3e7;

/// The rough number of multiplications that a thread makes in a second, if bids are mixed at all
/// matrices.
const MATRIX_PRODUCTS: f64 = 1e8;

/// The number of bytes of a value of a position and a pair of purses.
const MATRIX_VALUE: u64 = 16;

/// The rough factor by which tables are compressed on a disk.
const COMPRESSED: u64 = 11;

/// The resources that a method takes. A field is `None` if it cannot be known in advance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// The number of positions worked on, or an upper bound on it.
    pub positions: Option<Count>,
    /// The variables of the state that no rule is known to bound.
    pub unbounded: Vec<String>,
    /// The number of endings among the positions, where they are counted exactly.
    pub endings: u64,
    /// The number of moves of both players together at these positions.
    pub moves: Option<u64>,
    /// The parts of the graph with cycles, if there are any.
    pub cycles: Option<Cycles>,
    /// The number of blocks.
    pub blocks: Option<usize>,
    /// The batches into which it can be cut for several processes, if there is more than one.
    pub batches: Option<BatchesCost>,
    /// The least `--max-memory`, in bytes, under which the method can run in this way.
    pub memory: Option<u64>,
    /// An upper bound on the memory, if it is not known how many positions can be reached.
    pub most_memory: Option<MostMemory>,
    /// The rough number of bytes kept on a disk.
    pub disk: Option<u64>,
    /// The rough number of seconds it takes.
    pub time: Option<TimeRange>,
    /// `true` if the memory and the time are those of the graph alone, because what the theory
    /// takes shows only as it runs.
    pub is_of_graph: bool,
    /// The reason that it is refused.
    pub refusal: Option<Diagnostic>,
}

/// An upper bound on the memory of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MostMemory {
    /// The number of bytes, no more than the limit.
    pub bytes: u64,
    /// The rough number of positions at which the work stops, if more may be reached.
    pub stops_at: Option<u64>,
}

/// A rough number of seconds, between two bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeRange {
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
}

impl TimeRange {
    fn about(seconds: f64) -> Self {
        Self {
            least: seconds,
            most: seconds,
        }
    }

    fn and(self, more: Self) -> Self {
        Self {
            least: self.least + more.least,
            most: self.most + more.most,
        }
    }
}

/// The batches of a sweep that is cut for several processes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatchesCost {
    /// The number of batches.
    pub count: usize,
    /// The number of batches of the longest chain in which each waits for the one before.
    pub chain: usize,
    /// The rough number of seconds of processor time of the longest.
    pub seconds: f64,
    /// The rough number of bytes that the greediest reads of other batches.
    pub bytes: u64,
}

/// The strongly connected components of a graph that have a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycles {
    /// The number of such components.
    pub parts: usize,
    /// The number of positions in the largest.
    pub largest: usize,
}

/// A number of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// More than this number.
    MoreThan(u64),
    /// Exactly this number.
    Exactly(u64),
    /// At most this number.
    AtMost(u64),
    /// At most 2 to this power.
    AtMostPower(u32),
}

/// The largest number of positions that are explored to measure a graph: this takes a fraction of a
/// second.
const PLANNED: u64 = 1 << 17;

impl Ask<'_> {
    /// Estimates the cost of a plan within the limits.
    pub(super) fn cost(&mut self, plan: &Plan, question: &Question) -> Result<Cost> {
        let (trial, methods) = match &plan.methods[..] {
            // A trial that fails costs time in addition to the method that follows it.
            [Method::ExploreUpTo(most), rest @ ..] if !rest.is_empty() => (Some(*most), rest),
            methods => (None, methods),
        };
        let cost = self.cost_of(&methods[0], question)?;
        let Some(most) = trial else {
            return Ok(cost);
        };
        let memory = cost
            .memory
            // Times add up but memory does not, because a trial that fails keeps no graph.
            .map(|memory| memory.max(Limits::for_room(most.saturating_mul(EXPLORED))));
        Ok(Cost {
            time: cost
                .time
                .map(|time| time.and(TimeRange::about(most as f64 / EXPLORED_POSITIONS))),
            memory,
            ..cost
        })
    }

    fn cost_of(&mut self, method: &Method, question: &Question) -> Result<Cost> {
        Ok(match (method, &question.about) {
            (Method::Sweep(need), _) => self.cost_of_sweep(*need, question)?,
            (Method::Refuse(need), _) => {
                let refusal = self.refusal(question, *need)?;
                Cost {
                    refusal: Some(*refusal),
                    ..self.cost_of_sweep(*need, question)?
                }
            }
            (Method::Search, _) => Cost::of_search(self.context),
            (Method::Truncate(_), About::Truncated { depth, total }) => {
                let positions = self.positions_of_truncation(question, *depth, *total)?;
                positions.map_or_else(Cost::default, |positions| Cost::of_positions(positions, 2))
            }
            // The number of totals shows only during the search, so that only its first question is
            // counted.
            (Method::ManyTotals, _) => self.planned(&share_for(question))?.cost,
            (Method::Layers, _) => match self.games.ruleset_state(question.game) {
                Some((id, ..)) => Cost {
                    positions: Some(Count::AtMostPower(self.games.ruleset(id).bits())),
                    ..Cost::default()
                },
                None => Cost::default(),
            },
            // The depth that will be needed is not known in advance.
            (Method::Deepen | Method::Truncate(_), _) => Cost::default(),
            (Method::Explore | Method::ExploreUpTo(_) | Method::Cut(_), about) => {
                let cost = self.cost_of_graph(question.game)?;
                match about {
                    // Exact numbers grow in a way that no plan can foresee.
                    About::Mixed(chips) if question.rules.solver != Solver::Exact => {
                        cost.with_matrices(&question.rules, chips)
                    }
                    About::Mixed(_) | About::Graph => Cost {
                        // A theory takes time and memory of its own, which no plan can foresee.
                        is_of_graph: true,
                        ..cost
                    },
                    _ => cost,
                }
            }
        })
    }

    fn cost_of_sweep(&mut self, need: Need, question: &Question) -> Result<Cost> {
        let context = self.context;
        self.with_subject(question.game, |subject| {
            Cost::of_sweep(need, subject, context)
        })
        .map(Option::unwrap_or_default)
    }

    /// Estimates the cost of a graph: its size if exploring it takes a negligible time, and
    /// otherwise an upper bound on its size.
    fn cost_of_graph(&mut self, game: GameId) -> Result<Cost> {
        if self.explores_within(game, PLANNED)? {
            let place = self.again().locate(game)?;
            return Ok(Cost::of_graph(&place.solved.explored.graph));
        }
        let facts = self.with_subject(game, |subject| {
            let unbounded = subject.ruleset.unbounded().map(str::to_owned).collect();
            Ok((subject.numbering.map(Numbering::positions), unbounded))
        })?;
        let (numbered, unbounded) = facts.unwrap_or_default();
        let positions = match self.games.expr(game) {
            GameExpr::State(id, _) => match numbered {
                Some(positions) => Count::AtMost(positions),
                None => Count::AtMostPower(self.games.ruleset(*id).bits()),
            },
            GameExpr::Vertex(network, _) => {
                Count::AtMost(self.games.network(*network).vertices().len() as u64)
            }
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Conjugate(_)
            | GameExpr::Truncation(..)
            | GameExpr::Cut(..)
            | GameExpr::Sum(..)
            | GameExpr::Ruled(..) => Count::MoreThan(PLANNED),
        };
        Ok(Cost {
            unbounded,
            ..Cost::of_large_graph(positions, self.context.limits)
        })
    }
}

impl Cost {
    /// Returns the cost of a search. It runs with any amount of memory; with more memory fewer
    /// positions are searched twice.
    fn of_search(context: &Context<'_>) -> Self {
        Self {
            memory: Some(context.limits.max_memory),
            ..Self::default()
        }
    }

    /// Returns the cost of computing `values` one-byte values for each of `positions` positions.
    fn of_positions(positions: u64, values: u64) -> Self {
        let seconds = positions as f64 * values as f64 / LAYER_BYTES / parallel::threads() as f64;
        Self {
            positions: Some(Count::Exactly(positions)),
            time: Some(TimeRange::about(seconds)),
            ..Self::default()
        }
    }

    /// Returns the size of the work on a graph. A theory goes through it once, from the endings
    /// back, and solves each component with cycles as a whole.
    fn of_graph(graph: &GameGraph) -> Self {
        let components = graph.components();
        let size = graph.len() as u64;
        let lengths = || {
            components
                .iter()
                .filter(|(_, cyclic)| *cyclic)
                .map(|(part, _)| part.len())
        };
        let moves = |node| {
            Player::BOTH
                .into_iter()
                .map(move |player| graph.successors(node, player).len() as u64)
        };
        Self {
            positions: Some(Count::Exactly(size)),
            endings: graph
                .nodes()
                .filter(|node| graph.ending(*node).is_some())
                .count() as u64,
            moves: Some(graph.nodes().flat_map(moves).sum()),
            cycles: Some(Cycles {
                parts: lengths().count(),
                largest: lengths().max().unwrap_or(0),
            }),
            memory: Some(Limits::for_room(size.saturating_mul(EXPLORED))),
            time: Some(TimeRange::about(size as f64 / EXPLORED_POSITIONS)),
            // Parts with cycles are solved as a whole, in a number of steps that is not known.
            is_of_graph: !graph.is_acyclic(),
            ..Self::default()
        }
    }

    /// Returns the cost of a graph with more than [`PLANNED`] positions and at most some number:
    /// as much as the limits allow, if there may be more.
    fn of_large_graph(count: Count, limits: Limits) -> Self {
        let room = limits.max_positions.min(limits.room() / EXPLORED);
        let most = match count {
            Count::Exactly(most) | Count::AtMost(most) => Some(most),
            Count::AtMostPower(bits) => 1_u64.checked_shl(bits),
            Count::MoreThan(_) => None,
        };
        let within = most.filter(|most| *most <= room);
        let positions = within.unwrap_or(room);
        Self {
            positions: Some(count),
            most_memory: Some(MostMemory {
                bytes: within.map_or(limits.max_memory, |most| {
                    Limits::for_room(most.saturating_mul(EXPLORED))
                }),
                stops_at: within.is_none().then_some(room),
            }),
            time: Some(TimeRange {
                least: PLANNED as f64 / EXPLORED_POSITIONS,
                most: positions as f64 / EXPLORED_POSITIONS,
            }),
            // The graph may have cycles, whose work is not known.
            is_of_graph: true,
            ..Self::default()
        }
    }

    /// Adds the cost of solving a matrix of bids at each position for all purses that these lead
    /// to.
    fn with_matrices(self, rules: &Rules, chips: &[PerPlayer<u64>]) -> Self {
        let budgets = chips.iter().map(|chips| Budgets::from(rules, *chips));
        let budgets: Vec<_> = budgets.collect();
        let work = MatrixWork::new(rules, &budgets);
        let table = |positions: u64| {
            let values = (purses_of(&budgets) as u64).saturating_mul(positions);
            Limits::for_room(values.saturating_mul(MATRIX_VALUE))
        };
        match self.positions {
            Some(Count::Exactly(all)) => {
                // Nobody bids at an ending.
                let positions = all - self.endings;
                Self {
                    memory: self
                        .memory
                        .map(|graph| graph.saturating_add(table(positions))),
                    // The number of rounds on cycles is not known, so that only the graph's time is.
                    time: self.time.map(|graph| match self.is_of_graph {
                        true => graph,
                        false => graph.and(work.time(positions)),
                    }),
                    ..self
                }
            }
            // The number of positions is not known, so the costs are those of the graph.
            _ => self,
        }
    }

    fn of_sweep(need: Need, subject: &AskedPosition<'_>, context: &Context<'_>) -> Result<Self> {
        let Some(numbering) = subject.numbering else {
            return Ok(Self::default());
        };
        let positions = Some(Count::Exactly(numbering.positions()));
        Ok(match subject.schedule(need, numbering, context) {
            Ok(schedule) => Self {
                positions,
                ..Self::of_schedule(&schedule, need, context)
            },
            Err(Stop::Shortage(shortage)) => {
                let refusal = Some(Stop::Shortage(shortage).into());
                let least = Context {
                    limits: Limits {
                        max_memory: shortage.needed,
                        ..context.limits
                    },
                    ..*context
                };
                // This is the cost if there were as much memory as it takes.
                let cost = match subject.schedule(need, numbering, &least) {
                    Ok(schedule) => Self::of_schedule(&schedule, need, context),
                    Err(Stop::Shortage(_)) => Self::default(),
                    Err(stop) => return Err(stop.into()),
                };
                let memory = (shortage.needed < u64::MAX).then_some(shortage.needed);
                Self {
                    positions,
                    memory,
                    refusal,
                    ..cost
                }
            }
            Err(stop) => return Err(stop.into()),
        })
    }

    fn of_schedule(schedule: &Schedule, need: Need, context: &Context<'_>) -> Self {
        let seconds = need.sweeps as f64 * schedule.seconds() / parallel::threads() as f64;
        let disk = match schedule.keep() {
            // These tables stay in memory.
            Keep::All | Keep::Needed => None,
            Keep::Few(_) => context.disk.map(|_| schedule.bytes_alive()),
        };
        Self {
            blocks: Some(schedule.blocks()),
            memory: Some(Limits::for_room(schedule.bytes_held())),
            disk: disk.map(|bytes| bytes / COMPRESSED),
            batches: BatchesCost::new(&schedule.cut(None, &|_| true)),
            time: Some(TimeRange::about(seconds)),
            ..Self::default()
        }
    }
}

/// Returns the number of purses in all of these budgets.
fn purses_of(budgets: &[Budgets]) -> usize {
    budgets
        .iter()
        .map(Budgets::len)
        .fold(0, usize::saturating_add)
}

/// The work on the matrices of all purses at a position.
#[derive(Debug, Clone, Copy)]
struct MatrixWork {
    /// The number of entries, which are looked at whether single bids are optimal or not.
    entries: f64,
    /// The number of multiplications, if all bids are mixed.
    products: f64,
}

impl MatrixWork {
    fn new(rules: &Rules, budgets: &[Budgets]) -> Self {
        /// The number of purses that are looked at one by one.
        const FEW: usize = 1 << 16;
        let is_toeplitz = rules.pay == Payment::AllPay;
        // The systems that give mixed bids of Toeplitz matrices do not cover means of two results,
        // and then linear programs do.
        let has_systems = is_toeplitz
            && !matches!(rules.ties, TieBreak::Coin | TieBreak::Nobody)
            && rules.solver != Solver::LinearProgram;
        // Beyond that many purses only an even sample is summed, so that planning itself stays
        // fast.
        let every = (purses_of(budgets) / FEW).max(1);
        let mut work = Self {
            entries: 0.0,
            products: 0.0,
        };
        let mut index = 0;
        for table in budgets {
            while index < table.len() {
                let chips = table.purses(index).chips;
                let [a, b] = [chips.alice, chips.bob].map(|chips| chips as f64 + 1.0);
                work.entries += if is_toeplitz { a + b } else { a * b };
                work.products += a.min(b) * if has_systems { a + b } else { a * b };
                index = index.saturating_add(every);
            }
            index -= table.len();
        }
        Self {
            entries: work.entries * every as f64,
            products: work.products * every as f64,
        }
    }

    /// Returns the time that this work takes at some positions.
    fn time(self, positions: u64) -> TimeRange {
        let threads = parallel::threads() as f64;
        let [least, most] = [
            self.entries / MATRIX_ENTRIES,
            self.products / MATRIX_PRODUCTS,
        ]
        .map(|seconds| seconds * positions as f64 / threads);
        TimeRange {
            least,
            most: most.max(least),
        }
    }
}

impl BatchesCost {
    fn new(batches: &[Batch]) -> Option<Self> {
        let seconds = batches.iter().map(|batch| batch.seconds);
        (batches.len() > 1).then(|| Self {
            count: batches.len(),
            chain: longest_chain(batches),
            seconds: seconds.fold(0.0, f64::max),
            bytes: batches.iter().map(|batch| batch.bytes).max().unwrap_or(0),
        })
    }
}
