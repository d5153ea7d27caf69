//! Bidding cumulative subtraction on heaps of every size: eventual periodicity, with a proof
//! (Larsson, Patel & Rai, section 3.3).
//!
//! From a heap of n items Alice may take any a ≤ n of her set, which adds a to the score, and Bob
//! any b ≤ n of his, which subtracts it; the set of both players together has a greatest number m.
//! The row of a heap has its values for every split of the total budget. For n ≥ m it is computed
//! from the rows of the m smaller heaps by sums with the numbers taken, minima and maxima, by a
//! formula that does not mention n. So adding a constant to all those rows adds it to the result,
//! and if the rows n, …, n + m − 1 and the rows n + p, …, n + p + m − 1 differ by one constant d
//! throughout, then o(n' + p) = o(n') + d for *every* n' ≥ n: one repeated state of the table
//! proves it.
//!
//! # Scores that grow at different rates
//! A player with all the chips may win every bid and keep them (under `ties: richer`, bids of
//! nothing), so that the score grows faster for that split than for others. By a theorem of
//! Kohlberg (*Invariant half-lines of nonexpansive piecewise-linear transformations*, 1980) rows
//! eventually grow linearly, each split s by an increment d(s) of its own in a period. It is proved
//! here by the
//!
//! *Theorem.* Let x be the rows n, …, n + m − 1, for n ≥ 0, and let, in all of them,
//!
//! 1. o(n' + p, s) = o(n', s) + d(s) for n' = n, …, n + m − 1 + p, and
//! 2. o(n', s) − o(n'', s') ≥ 2 p m for n', n'' among n, …, n + m − 1 wherever d(s) > d(s').
//!
//! Then o(n' + p, s) = o(n', s) + d(s) for every n' ≥ n.
//!
//! *Proof.* Consider the p following rows if x is replaced by x + t d, for t = 0, 1, 2, …. Every
//! number that occurs in their computation is a number of x, plus t times its increment, plus or
//! minus numbers taken, p at most. So two numbers of different increments that are compared are in
//! the same order for every t, by 2, and the order of two numbers of the same increment does not
//! depend on t. Hence every minimum and maximum is taken at the same place for all t, and the
//! result for a split is linear in t. By 1 it is x + d for t = 0 and x + 2 d for t = 1; so it is
//! x + (t + 1) d for every t, and the claim follows by induction. ∎

use std::collections::VecDeque;

use super::Scored;
use super::row::{PurseLayout, ScoreInterval, ScoreRow, Terms, solve};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::{GameGraph, GameGraphBuilder, NodeId, Score, Scores, ScoresBuilder};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{Purses, Rules};
use crate::watch::{Context, Stop};

/// The numbers that the players may take from a heap: one positive number or more for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Takes(PerPlayer<Vec<usize>>);

impl Takes {
    /// Creates the sets of the two players. Returns `None` if one is empty or contains 0.
    pub fn new(mut alice: Vec<usize>, mut bob: Vec<usize>) -> Option<Self> {
        for takes in [&mut alice, &mut bob] {
            takes.sort_unstable();
            // In a sorted set the least number comes first and the greatest last.
            takes.dedup();
            if takes.first().is_none_or(|least| *least == 0) {
                return None;
            }
        }
        Some(Self(PerPlayer::new(alice, bob)))
    }

    /// Returns the greatest number that either player may take.
    pub fn greatest(&self) -> usize {
        let greatest = |takes: &Vec<usize>| *takes.last().expect("sets of takes are not empty");
        greatest(&self.0.alice).max(greatest(&self.0.bob))
    }

    /// Returns the moves from a heap: vertex 0 is the heap, vertex i the heap without i items.
    fn turn(&self, heap: usize) -> (GameGraph, Scores) {
        let within = |player: Player| {
            self.0[player]
                .iter()
                .copied()
                .filter(move |take| *take <= heap)
        };
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
                let score = crate::game::for_alice(
                    player,
                    // A number beyond 63 bits could not be taken from any heap that is computed.
                    Score::from(i64::try_from(take).unwrap_or(i64::MAX)),
                );
                scores.weigh(player, NodeId::new(0), NodeId::new(take), score);
            }
        }
        let scores = scores.finish().expect("whole numbers of items");
        (graph, scores)
    }
}

/// The rows of successive heaps, of which the last few are kept.
#[derive(Debug, Clone)]
pub struct Heaps<'a> {
    takes: &'a Takes,
    rules: &'a Rules,
    layout: PurseLayout,
    /// The rows of the last heaps, the largest heap first.
    rows: VecDeque<ScoreRow>,
    heap: usize,
    /// The turn at a heap from which every number can be taken, which is the same for all of them.
    turn: (GameGraph, Scores),
}

impl<'a> Heaps<'a> {
    /// Starts before the empty heap. The rules must be admitted.
    pub fn new(takes: &'a Takes, rules: &'a Rules, total: u64) -> Self {
        let layout = PurseLayout {
            total,
            ties: rules.ties,
        };
        // The empty heap has ended, with no score.
        let rows = VecDeque::from([ScoreRow::constant(0, layout)]);
        Self {
            takes,
            rules,
            layout,
            rows,
            heap: 0,
            turn: takes.turn(takes.greatest()),
        }
    }

    /// Returns the heap of the last row.
    pub fn heap(&self) -> usize {
        self.heap
    }

    /// Returns the values that both players can guarantee at the last heap.
    pub fn at(&self, purses: &Purses) -> ScoreInterval {
        self.rows[0].get(self.layout.index(purses))
    }

    /// Computes the row of the next heap.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn advance(&mut self, context: &Context<'_>) -> Result<()> {
        self.heap += 1;
        let own;
        let (graph, scores) = if self.heap >= self.takes.greatest() {
            (&self.turn.0, &self.turn.1)
        } else {
            // Small heaps do not allow every number, so each has moves of its own.
            own = self.takes.turn(self.heap);
            (&own.0, &own.1)
        };
        let row = match graph.ending(NodeId::new(0)) {
            Some(_) => ScoreRow::constant(0, self.layout),
            None => {
                let smaller = |node: NodeId| &self.rows[node.index() - 1];
                let terms = Terms {
                    rules: self.rules,
                    layout: self.layout,
                    context,
                };
                solve(Scored { graph, scores }, &terms, NodeId::new(0), &smaller)?
            }
        };
        self.rows.push_front(row);
        // No later heap reaches further back.
        self.rows.truncate(self.takes.greatest());
        Ok(())
    }

    /// Returns whether all rows that later ones are computed from are known, by a formula
    /// independent of the heap.
    fn is_uniform(&self) -> bool {
        // Heap 0 counts as a row, so there are as many rows as the greatest number.
        self.heap + 1 >= self.takes.greatest()
    }

    /// Returns the excess of these rows over others for each split, if it is the same for all rows.
    fn excess(&self, other: &Self) -> Option<Vec<i64>> {
        let excess = self.rows[0].excess(&other.rows[0])?;
        self.rows
            .iter()
            .zip(&other.rows)
            .skip(1)
            .all(|(row, other)| row.exceeds(other, &excess))
            .then_some(excess)
    }

    /// Checks condition 2 of the theorem.
    fn is_ordered(&self, period: usize, increments: &[i64]) -> bool {
        // Two numbers that start this far apart keep their order, as each changes by at most p·m.
        let apart = 2 * fit::<i64>(period) * fit::<i64>(self.takes.greatest());
        let mut splits: Vec<usize> = (0..increments.len()).collect();
        // In order of growth each group has to be compared only with the greatest value of all
        // slower ones.
        splits.sort_by_key(|split| increments[*split]);
        let mut most_of_slower: Option<i64> = None;
        for group in splits.chunk_by(|a, b| increments[*a] == increments[*b]) {
            let values = || {
                let of = |row: &ScoreRow, split: usize| {
                    Player::both(|player| row.secured(player)[split])
                };
                let rows = self.rows.iter();
                rows.flat_map(move |row| group.iter().flat_map(move |split| of(row, *split)))
            };
            let [least, most] = [values().min(), values().max()];
            if let (Some(slower), Some(least)) = (most_of_slower, least)
                && least - slower < apart
            {
                return false;
            }
            most_of_slower = most_of_slower.max(most);
        }
        true
    }
}

/// Eventual periodicity: `o(n + period, s) = o(n, s) + increments[s]` for every heap `n ≥ from` and
/// every split s, and for no smaller `from` with this period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    /// The least period.
    pub period: usize,
    /// The least heap from which on it holds.
    pub from: usize,
    /// The increase of the score in a period, for each number of Alice's chips from 0 on. All
    /// entries with Alice's status come before all with Bob's, if there is a status.
    pub increments: Vec<i64>,
}

impl Period {
    /// Returns the increase of the score in a period, if it is the same for every split.
    pub fn increment(&self) -> Option<i64> {
        self.increments
            .iter()
            .all(|increment| *increment == self.increments[0])
            .then(|| self.increments[0])
    }
}

/// Checks that there is memory for the rows: the values that both players can guarantee, for each
/// holder of the status and split.
fn has_room(takes: &Takes, total: u64, context: &Context<'_>) -> Result<()> {
    /// The number of copies of the last rows that are kept while a period is proved.
    const COPIES: u64 = 5;
    const BYTES: u64 = 4 * size_of::<i64>() as u64;
    let rows = (takes.greatest() as u64).saturating_mul(COPIES);
    let limit = context.limits.max_memory;
    if rows
        .saturating_mul(BYTES)
        .saturating_mul(total.saturating_add(1))
        > limit
    {
        return Err(Stop::Memory(limit).into());
    }
    Ok(())
}

/// Finds the eventual period for a total budget by Brent's search for a repeated state. Returns
/// `None` if there is none up to `limit` heaps.
///
/// # Errors
/// If the work is stopped.
pub fn period(
    takes: &Takes,
    rules: &Rules,
    total: u64,
    limit: usize,
    context: &Context<'_>,
) -> Result<Option<Period>> {
    has_room(takes, total, context)?;
    let mut uniform = Heaps::new(takes, rules, total);
    // The search begins once the formula no longer depends on the heap, since only then does a
    // repeated state prove anything.
    while !uniform.is_uniform() {
        uniform.advance(context)?;
    }
    let (mut marked, mut runner) = (uniform.clone(), uniform);
    let (mut power, mut length) = (1, 0);
    while runner.heap() < limit {
        context.check()?;
        runner.advance(context)?;
        length += 1;
        if let Some(increments) = runner.excess(&marked) {
            let mut found = Period {
                period: length,
                from: 0,
                increments,
            };
            if let Some(last) = proved_from([&marked, &runner], &found, limit, context)? {
                found.from = first_heap(&Heaps::new(takes, rules, total), last, &found, context)?;
                return Ok(Some(found));
            }
        }
        // The mark moves on at powers of 2: Brent's search keeps one state, and takes a number of
        // steps within a constant factor of the least.
        if length == power {
            marked = runner.clone();
            (power, length) = (2 * power, 0);
        }
    }
    Ok(None)
}

/// Returns the first heap, from `behind` on, from which the period is proved; `None` if it is not
/// proved up to the limit. `ahead` is one period after `behind`.
fn proved_from(
    [behind, ahead]: [&Heaps<'_>; 2],
    claim: &Period,
    limit: usize,
    context: &Context<'_>,
) -> Result<Option<usize>> {
    // With one increment for all splits a repeated state is proof enough.
    if claim.increment().is_some() {
        return Ok(Some(behind.heap()));
    }
    let (mut behind, mut ahead) = (behind.clone(), ahead.clone());
    let mut ordered: Option<usize> = None;
    while ahead.heap() < limit {
        context.check()?;
        if ordered.is_none() && behind.is_ordered(claim.period, &claim.increments) {
            ordered = Some(behind.heap());
        }
        if let Some(from) = ordered
            // Condition 1 has then been tested for one more period after the rows that are in
            // order.
            && behind.heap() == from + claim.period
        {
            return Ok(ordered);
        }
        behind.advance(context)?;
        ahead.advance(context)?;
        if !ahead.rows[0].exceeds(&behind.rows[0], &claim.increments) {
            // A period that fails once is no period from the marked heap on; the search goes on.
            return Ok(None);
        }
    }
    Ok(None)
}

/// Returns the first heap n with `o(n' + p) = o(n') + d` for all n' ≥ n, if it holds for all heaps
/// after `last`.
fn first_heap(
    start: &Heaps<'_>,
    last: usize,
    claim: &Period,
    context: &Context<'_>,
) -> Result<usize> {
    let (mut behind, mut ahead) = (start.clone(), start.clone());
    for _ in 0..claim.period {
        ahead.advance(context)?;
    }
    let mut from = 0;
    loop {
        context.check()?;
        if !ahead.rows[0].exceeds(&behind.rows[0], &claim.increments) {
            // The last failure before the proved heap determines the beginning.
            from = behind.heap() + 1;
        }
        if behind.heap() == last {
            return Ok(from);
        }
        behind.advance(context)?;
        ahead.advance(context)?;
    }
}
