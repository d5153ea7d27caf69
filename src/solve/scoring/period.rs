//! Bidding cumulative subtraction on heaps of every size: eventual periodicity, with a proof (Larsson, Patel & Rai, section 3.3).
//!
//! From a heap of n items Alice may take any a ≤ n of her set, which adds a to the score, and Bob any b ≤ n of his, which subtracts it;
//! the set of both players together has a greatest number m. The row of a heap holds its values for every split of the total
//! budget. For n ≥ m it is computed from the rows of the m smaller heaps by a rule that does not mention n, and adding a constant to
//! all those rows adds it to the result. So if the rows n, …, n + m − 1 and the rows n + p, …, n + p + m − 1 differ by
//! one constant d throughout, then o(n' + p) = o(n') + d for *every* n' ≥ n: one repeated state of the table proves it.

use std::collections::VecDeque;

use super::Scored;
use super::row::{Interval, Layout, Row, solve};
use crate::diagnostic::Result;
use crate::game::{Ending, GameGraph, GameGraphBuilder, NodeId, PerPlayer, Player, Score, Scores, ScoresBuilder};
use crate::rules::{Purses, Rules};
use crate::watch::Watch;

/// What the players may take from a heap: one positive number or more for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Takes(PerPlayer<Vec<usize>>);

impl Takes {
    /// The sets of the two players; `None` if one is empty or holds 0.
    pub fn new(mut alice: Vec<usize>, mut bob: Vec<usize>) -> Option<Self> {
        for takes in [&mut alice, &mut bob] {
            takes.sort_unstable();
            takes.dedup();
            if takes.first().is_none_or(|least| *least == 0) {
                return None;
            }
        }
        Some(Self(PerPlayer::new(alice, bob)))
    }

    /// The greatest number that anybody may take.
    pub fn greatest(&self) -> usize {
        let greatest = |takes: &Vec<usize>| *takes.last().expect("sets of takes are not empty");
        greatest(&self.0.alice).max(greatest(&self.0.bob))
    }

    /// The moves from a heap: vertex 0 is the heap, vertex i the heap without i items.
    fn turn(&self, heap: usize) -> (GameGraph, Scores) {
        let within = |player: Player| self.0[player].iter().copied().filter(move |take| *take <= heap);
        let heads = |player| within(player).map(NodeId::new).collect::<Vec<_>>();
        let mut builder = GameGraphBuilder::default();
        builder.push(None, &heads(Player::Alice), &heads(Player::Bob));
        for _ in 0..self.greatest() {
            builder.push(Some(Ending::Draw), &[], &[]);
        }
        let graph = builder.finish(NodeId::new(0));
        let mut scores = ScoresBuilder::new(&graph);
        for player in Player::BOTH {
            for take in within(player) {
                let score = crate::game::for_alice(player, Score::from(i64::try_from(take).unwrap_or(i64::MAX)));
                scores.weigh(player, NodeId::new(0), NodeId::new(take), score);
            }
        }
        let scores = scores.finish().expect("whole numbers of items");
        (graph, scores)
    }
}

/// The rows of heaps one after the other, the last few kept.
#[derive(Debug, Clone)]
pub struct Heaps<'a> {
    takes: &'a Takes,
    rules: &'a Rules,
    layout: Layout,
    /// The rows of the last heaps, the largest heap first.
    rows: VecDeque<Row>,
    heap: usize,
    /// The turn at a heap from which everything can be taken, which is the same for all of them.
    turn: (GameGraph, Scores),
}

impl<'a> Heaps<'a> {
    /// Before the empty heap; the rules must be admitted.
    pub fn new(takes: &'a Takes, rules: &'a Rules, total: u64) -> Self {
        let layout = Layout { total, has_status: rules.ties.has_status() };
        let rows = VecDeque::from([Row::constant(0, layout)]);
        Self { takes, rules, layout, rows, heap: 0, turn: takes.turn(takes.greatest()) }
    }

    /// The heap of the last row.
    pub fn heap(&self) -> usize {
        self.heap
    }

    /// What both can be sure of at the last heap.
    pub fn at(&self, purses: &Purses) -> Interval {
        self.rows[0].get(self.layout.index(purses))
    }

    /// The row of the next heap.
    pub fn advance(&mut self) {
        self.heap += 1;
        let own;
        let (graph, scores) = if self.heap >= self.takes.greatest() {
            (&self.turn.0, &self.turn.1)
        } else {
            own = self.takes.turn(self.heap);
            (&own.0, &own.1)
        };
        let row = match graph.ending(NodeId::new(0)) {
            Some(_) => Row::constant(0, self.layout),
            None => {
                let smaller = |node: NodeId| &self.rows[node.index() - 1];
                solve(Scored { graph, scores }, self.rules, self.layout, NodeId::new(0), &smaller)
            }
        };
        self.rows.push_front(row);
        self.rows.truncate(self.takes.greatest());
    }

    /// Whether all that later rows are computed from is known and independent of the heap.
    fn is_uniform(&self) -> bool {
        self.heap + 1 >= self.takes.greatest()
    }

    /// The constant by which these rows exceed others, if it is one throughout.
    fn excess(&self, other: &Self) -> Option<i64> {
        let excess = self.rows[0].get(0).least - other.rows[0].get(0).least;
        self.rows.iter().zip(&other.rows).all(|(row, other)| row.exceeds(other, excess)).then_some(excess)
    }
}

/// Eventual periodicity: `o(n + period) = o(n) + increment` for every heap `n ≥ from` and every split, and for no smaller `from`
/// with this period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The least period.
    pub period: usize,
    /// The least heap from which on it holds.
    pub from: usize,
    /// How much the score grows in a period.
    pub increment: i64,
}

/// The eventual period for a total budget: `None` if there is none up to `limit` heaps. Brent's search for a repeated state.
///
/// # Errors
/// If the watch stops the work.
pub fn period(takes: &Takes, rules: &Rules, total: u64, limit: usize, watch: &dyn Watch) -> Result<Option<Period>> {
    let mut uniform = Heaps::new(takes, rules, total);
    while !uniform.is_uniform() {
        uniform.advance();
    }
    let Some((period, increment)) = repetition(uniform.clone(), limit, watch)? else { return Ok(None) };
    // The first state that repeats: two copies, a period apart.
    let (mut behind, mut ahead) = (uniform.clone(), uniform);
    for _ in 0..period {
        ahead.advance();
    }
    while ahead.excess(&behind) != Some(increment) {
        watch.check()?;
        behind.advance();
        ahead.advance();
    }
    let from = first_heap(takes, rules, total, &behind, (period, increment));
    Ok(Some(Period { period, from, increment }))
}

/// The length of the cycle of states, with the increment over it.
fn repetition(start: Heaps<'_>, limit: usize, watch: &dyn Watch) -> Result<Option<(usize, i64)>> {
    let (mut marked, mut runner) = (start.clone(), start);
    let (mut power, mut length) = (1, 0);
    while runner.heap() < limit {
        watch.check()?;
        runner.advance();
        length += 1;
        if let Some(increment) = runner.excess(&marked) {
            return Ok(Some((length, increment)));
        }
        if length == power {
            marked = runner.clone();
            (power, length) = (2 * power, 0);
        }
    }
    Ok(None)
}

/// The window of rows that repeats first may have begun to repeat in part: the first heap n with `o(n' + p) = o(n') + d` for all n' ≥ n
/// lies in that window or right before it.
fn first_heap(
    takes: &Takes,
    rules: &Rules,
    total: u64,
    window: &Heaps<'_>,
    (period, increment): (usize, i64),
) -> usize {
    let last = window.heap();
    let (mut behind, mut ahead) = (Heaps::new(takes, rules, total), Heaps::new(takes, rules, total));
    for _ in 0..period {
        ahead.advance();
    }
    let mut from = 0;
    loop {
        if !ahead.rows[0].exceeds(&behind.rows[0], increment) {
            from = behind.heap() + 1;
        }
        if behind.heap() == last {
            return from;
        }
        behind.advance();
        ahead.advance();
    }
}
