//! The values of a graph's vertices for one total budget: successors first, with each row kept only
//! as long as it is needed.

use super::Scored;
use super::row::{PurseLayout, ScoreInterval, ScoreRow, Terms, solve};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::rules::{Purses, Rules};
use crate::watch::{Context, Stop};

/// The number of entries that are computed between two checks.
const CHECK_EVERY: usize = 1 << 16;

/// The number of bytes of a row for each split of the budget, where maximin and minimax agree: a
/// number for each holder of the status.
const ENTRY: u64 = 16;

/// The number of rows in memory while one is computed: the values after the moves of both players,
/// as either of them can guarantee them.
const ROWS_AT_WORK: u64 = 8;

/// The vertices whose rows are kept.
#[derive(Debug, Clone, Copy)]
pub enum KeptRows<'a> {
    /// All vertices, for playing and for questions about all positions.
    All,
    /// These vertices. The other rows live until the last vertex that leads to them is solved: two
    /// rows at a time in a game where one item is taken from a heap.
    Only(&'a [NodeId]),
}

/// Maximin and minimax values for one total budget.
#[derive(Debug)]
pub struct ScoreValues {
    rules: Rules,
    layout: PurseLayout,
    rows: Vec<Option<ScoreRow>>,
}

impl ScoreValues {
    /// Solves an acyclic graph, backward.
    ///
    /// # Errors
    /// If the scores are too large to calculate with, or the work is stopped.
    ///
    /// # Panics
    /// If the graph has a cycle; call [`cycle`](fn@super::cycle) before.
    pub fn solve(
        game: Scored<'_>,
        rules: &Rules,
        total: u64,
        keep: KeptRows<'_>,
        context: &Context<'_>,
    ) -> Result<Self> {
        // No value exceeds the bound on a play, so the sums below cannot overflow.
        if game.scores.bound().is_none() {
            return Err(too_large());
        }
        let layout = PurseLayout {
            total,
            ties: rules.ties,
        };
        let mut pass = ScoringPass::new(game.graph, layout, keep, context)?;
        let components = game.graph.components();
        assert!(game.graph.is_acyclic(), "a scoring game without a cycle");
        for &node in components.order() {
            // No row that is kept depends on this one.
            if !pass.needed[node.index()] {
                continue;
            }
            pass.account()?;
            let row = match game.graph.ending(node) {
                Some(_) => ScoreRow::constant(game.scores.ending(node), layout),
                None => solve(
                    game,
                    &Terms {
                        rules,
                        layout,
                        context,
                    },
                    node,
                    &|head| pass.row(head),
                )?,
            };
            pass.put(node, row);
        }
        Ok(Self {
            rules: rules.clone(),
            layout,
            rows: pass.rows,
        })
    }

    /// Returns the total budget.
    pub fn total(&self) -> u64 {
        self.layout.total
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(super) fn layout(&self) -> PurseLayout {
        self.layout
    }

    /// Returns the values that both players can guarantee at a vertex whose row was kept. The
    /// purses must add up to the total and fit the rules.
    pub fn at(&self, node: NodeId, purses: &Purses) -> ScoreInterval {
        self.row(node).get(self.layout.index(purses))
    }

    pub(super) fn row(&self, node: NodeId) -> &ScoreRow {
        self.rows[node.index()]
            .as_ref()
            .expect("the row of this vertex was kept")
    }

    /// Estimates the size of a solution that keeps all rows, in bytes.
    pub fn bytes(graph: &GameGraph, total: u64) -> u64 {
        (graph.len() as u64)
            .saturating_mul(ENTRY)
            .saturating_mul(total.saturating_add(1))
    }
}

/// A pass in progress.
struct ScoringPass<'w> {
    graph: &'w GameGraph,
    rows: Vec<Option<ScoreRow>>,
    needed: Vec<bool>,
    /// The number of edges that lead to each vertex from vertices that are needed and not solved
    /// yet, plus one if its row is to be kept.
    awaited: Vec<u32>,
    layout: PurseLayout,
    live: usize,
    worked: usize,
    context: &'w Context<'w>,
}

impl<'w> ScoringPass<'w> {
    fn new(
        graph: &'w GameGraph,
        layout: PurseLayout,
        keep: KeptRows<'_>,
        context: &'w Context<'w>,
    ) -> Result<Self> {
        context.admit(layout.bytes().saturating_mul(ROWS_AT_WORK))?;
        let all: Vec<NodeId>;
        let kept = match keep {
            KeptRows::Only(nodes) => nodes,
            KeptRows::All => {
                all = graph.nodes().collect();
                &all
            }
        };
        let mut pass = Self {
            graph,
            rows: vec![None; graph.len()],
            needed: vec![false; graph.len()],
            awaited: vec![0; graph.len()],
            layout,
            live: 0,
            worked: 0,
            context,
        };
        pass.await_all(kept);
        Ok(pass)
    }

    fn await_all(&mut self, kept: &[NodeId]) {
        let mut stack = kept.to_vec();
        // A kept row waits for one more edge than there is, so it is never dropped.
        for node in kept {
            self.awaited[node.index()] += 1;
        }
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut self.needed[node.index()], true) {
                continue;
            }
            for head in self.graph.all_successors(node) {
                self.awaited[head.index()] += 1;
                stack.push(head);
            }
        }
    }

    fn row(&self, node: NodeId) -> &ScoreRow {
        self.rows[node.index()]
            .as_ref()
            .expect("successors are solved first and kept as long as they are awaited")
    }

    fn put(&mut self, node: NodeId, row: ScoreRow) {
        self.rows[node.index()] = Some(row);
        self.live += 1;
        for head in self.graph.all_successors(node) {
            self.awaited[head.index()] -= 1;
            // The last vertex that leads there is solved, so the row is not read again.
            if self.awaited[head.index()] == 0 {
                self.rows[head.index()] = None;
                self.live -= 1;
            }
        }
    }

    /// Checks the limits and whether to stop.
    fn account(&mut self) -> Result<()> {
        // Rows can be short, so the limits are checked by the number of entries, not at each
        // vertex.
        self.worked += self.layout.len();
        if self.worked < CHECK_EVERY {
            return Ok(());
        }
        self.worked = 0;
        self.context.check()?;
        self.context
            .admit(self.layout.bytes().saturating_mul(ROWS_AT_WORK))?;
        let most = self.context.limits.max_memory;
        let bytes = (self.live as u64).saturating_mul(self.layout.bytes());
        if bytes > most {
            Err(Stop::Memory(most).into())
        } else {
            Ok(())
        }
    }
}

fn too_large() -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "the scores of this game can grow too large to calculate with")
        .help("scores are kept in 64 bits, in units of their common denominator; use smaller numbers or simpler fractions")
        .into()
}
