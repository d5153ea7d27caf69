//! Rational thresholds on cycles: all of a component, or some among others that are not rational.
//!
//! # Parts of a component
//! Let proved bounds show which edges are best, one for each player, so that every threshold is the
//! local function of two others. A part that these edges leave only for known numbers has
//! thresholds of its own. They are the only solution of its equations: of two, let the greatest
//! difference d be positive, at S. Both slopes of the local function are positive between 0 and 1,
//! and their sum is at most 1; hence both best edges from S lead back into S, and no edge leads out
//! of it; but the walk along best edges ends. So rationals that solve the equations are the
//! thresholds.
//!
//! In the same way `R(a) + R(b) = 1` for all pairs of a relation that is preserved when Alice's
//! best edge is taken on one side and Bob's on the other, and that is true of known numbers: the
//! local function is its own mirror image. A pair of a vertex with itself has 1/2.

use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashSet;

use super::Share;
use super::cyclic::{TaxmanSolver, sides};
use super::local::Tax;
use crate::convert::fit;
use crate::game::{GameGraphBuilder, NodeId};
use crate::player::{Ending, Player};
use crate::richman::arena::{Arena, ArenaStrategies};
use crate::richman::escape::level_ranks;

impl TaxmanSolver<'_> {
    /// Finds the thresholds as rationals, if the simplest ones nearby are a solution and are proved
    /// to be the right one. `floats` are the thresholds in floats.
    pub(super) fn rationals(
        &self,
        arena: &Arena,
        exits: &[&Share],
        floats: &[f64],
    ) -> Option<Vec<BigRational>> {
        /// The greatest error of a float, with the largest denominator that is tried for it. Where
        /// a bid is worth almost nothing, near 0 and 1, Newton's method stops far from the
        /// solution.
        const LOOKS: [(f64, u64); 2] = [(1e-11, 1 << 20), (1e-6, 64)];
        // An inexact exit makes the equations inexact, so no rational could be checked.
        let ends: Vec<BigRational> = exits
            .iter()
            .map(|exit| exit.value().cloned())
            .collect::<Option<_>>()?;
        for (near, largest) in LOOKS {
            let simple = floats[..arena.len]
                .iter()
                .map(|float| simplest(*float, near, largest));
            let Some(simple) = simple.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let values: Vec<BigRational> = simple.into_iter().chain(ends.iter().cloned()).collect();
            if self.is_solution(arena, &values) {
                return Some(values[..arena.len].to_vec());
            }
        }
        None
    }

    /// Returns whether exact values, of the vertices and then of the exits, solve the equations and
    /// are the right solution.
    fn is_solution(&self, arena: &Arena, values: &[BigRational]) -> bool {
        let solves = (0..arena.len).all(|vertex| match sides(arena, values, vertex) {
            (low, Some(high)) => values[vertex] == self.tax.exact(low, high).0,
            (only, None) => values[vertex] == *only,
        });
        // The solution must be extreme, so the player for whom endless play is worst has to escape.
        let (escaper, forever) = match self.draws {
            Player::Bob => (Player::Alice, BigRational::one()),
            Player::Alice => (Player::Bob, BigRational::zero()),
        };
        let ranks = || {
            level_ranks(arena, escaper, None, |a, b| {
                let value = |vertex: usize| values.get(vertex).unwrap_or(&forever);
                value(a).cmp(value(b))
            })
        };
        solves && {
            let ranks = ranks();
            (0..arena.len).all(|vertex| values[vertex] == forever || ranks[vertex] > 0)
        }
    }
}

/// Returns the rational of least denominator that a float may stand for, if it has no large one. It
/// is a convergent of the float's continued fraction.
fn simplest(number: f64, near: f64, largest: u64) -> Option<BigRational> {
    let (mut p, mut q) = ([0_i64, 1], [1_i64, 0]);
    let mut rest = number;
    for _ in 0..40 {
        let whole = rest.floor();
        // The next denominator would exceed the largest, and the products below could overflow.
        if whole.abs() > largest as f64 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is at most the largest")]
        let step = |[a, b]: [i64; 2]| [b, whole as i64 * b + a];
        (p, q) = (step(p), step(q));
        if q[1] > fit::<i64>(largest) {
            return None;
        }
        if (p[1] as f64 / q[1] as f64 - number).abs() <= near {
            return Some(BigRational::new(p[1].into(), q[1].into()));
        }
        rest = (rest - whole).recip();
    }
    None
}

/// Returns the simplest rational between two positive ones.
pub(super) fn between(low: &BigRational, high: &BigRational) -> BigRational {
    let whole = low.floor();
    if &whole == low {
        return whole;
    }
    let next = &whole + BigRational::one();
    if &next <= high {
        return next;
    }
    // Both have the same whole part, so the simplest rational is the one whose rest has the
    // simplest reciprocal.
    let rest = between(&(high - &whole).recip(), &(low - &whole).recip());
    whole + rest.recip()
}

/// A component with the edges that are best by its bounds.
pub(super) struct BestEdges<'a> {
    arena: &'a Arena,
    strategies: &'a ArenaStrategies,
    exits: &'a [&'a Share],
    tax: &'a Tax,
}

impl<'a> BestEdges<'a> {
    pub(super) fn new(
        arena: &'a Arena,
        strategies: &'a ArenaStrategies,
        exits: &'a [&'a Share],
        tax: &'a Tax,
    ) -> Self {
        Self {
            arena,
            strategies,
            exits,
            tax,
        }
    }

    /// Makes thresholds exact that are found to be rational.
    pub(super) fn settle(&self, shares: &mut [Share]) {
        for part in self.in_order() {
            if let Some(exact) = self.part(&part, shares) {
                for (vertex, value) in part.into_iter().zip(exact) {
                    shares[vertex] = Share::exact(value);
                }
            }
        }
        let half = BigRational::new(1.into(), 2.into());
        for vertex in 0..self.arena.len {
            let share = &shares[vertex];
            if share.value().is_none() && share.low < half && half < share.high {
                for settled in self.mirrored(vertex, shares) {
                    shares[settled] = Share::exact(half.clone());
                }
            }
        }
    }

    /// Returns the strongly connected parts along the best edges, successors first.
    fn in_order(&self) -> Vec<Vec<usize>> {
        let mut builder = GameGraphBuilder::default();
        for vertex in 0..self.arena.len {
            let edges = Player::both(|player| {
                self.head(vertex, player)
                    .map(NodeId::new)
                    .into_iter()
                    .collect::<Vec<_>>()
            });
            builder.push(None, &edges[0], &edges[1]);
        }
        for _ in self.exits {
            // The exits only have to be there as heads, and their ending is never read.
            builder.push(Some(Ending::Draw), &[], &[]);
        }
        let played = builder.finish(NodeId::new(0));
        let inner = |(vertices, _): (&[NodeId], bool)| -> Vec<usize> {
            vertices
                .iter()
                .map(|node| node.index())
                .filter(|vertex| *vertex < self.arena.len)
                .collect()
        };
        played
            .components()
            .iter()
            .map(inner)
            .filter(|part| !part.is_empty())
            .collect()
    }

    fn head(&self, vertex: usize, player: Player) -> Option<usize> {
        self.strategies[player][vertex].map(|head| head as usize)
    }

    fn share<'s>(&'s self, shares: &'s [Share], vertex: usize) -> &'s Share {
        shares
            .get(vertex)
            .unwrap_or_else(|| self.exits[vertex - self.arena.len])
    }

    /// Returns whether the bounds show that no other edges are as good as the chosen ones.
    fn is_best(&self, shares: &[Share], vertex: usize) -> bool {
        Player::BOTH.into_iter().all(|player| {
            let Some(best) = self.head(vertex, player) else {
                return true;
            };
            let best_share = self.share(shares, best);
            self.arena
                .heads(vertex, player)
                .iter()
                .map(|head| *head as usize)
                .all(|head| {
                    let share = self.share(shares, head);
                    // An edge that is exactly as good does not change the value.
                    let both_known = share.value().is_some() && share == best_share;
                    let worse = match player {
                        Player::Alice => share.low > best_share.high,
                        Player::Bob => share.high < best_share.low,
                    };
                    head == best || both_known || worse
                })
        })
    }

    /// Returns the exact thresholds of a part, if they are simple.
    fn part(&self, part: &[usize], shares: &[Share]) -> Option<Vec<BigRational>> {
        let inside: FxHashSet<usize> = part.iter().copied().collect();
        let heads = |vertex: usize| {
            Player::BOTH
                .into_iter()
                .filter_map(move |player| self.head(vertex, player))
        };
        let closed = |vertex: &usize| {
            heads(*vertex)
                .all(|head| inside.contains(&head) || self.share(shares, head).value().is_some())
        };
        // Without an edge out the equations would have more than one solution.
        let leaves = part
            .iter()
            .any(|vertex| heads(*vertex).any(|head| !inside.contains(&head)));
        if !leaves
            || !part
                .iter()
                .all(|vertex| closed(vertex) && self.is_best(shares, *vertex))
        {
            return None;
        }
        let candidate = |vertex: usize| {
            let share = self.share(shares, vertex);
            share
                .value()
                .cloned()
                .unwrap_or_else(|| between(&share.low, &share.high))
        };
        let solves = |vertex: &usize| {
            let [alice, bob] = Player::both(|player| self.head(*vertex, player).map(candidate));
            let made = match (alice, bob) {
                (Some(alice), Some(bob)) if alice <= bob => self.tax.exact(&alice, &bob).0,
                (Some(alice), Some(bob)) => self.tax.exact(&bob, &alice).0,
                (Some(only), None) | (None, Some(only)) => only,
                (None, None) => return false,
            };
            made == candidate(*vertex)
        };
        part.iter()
            .all(solves)
            .then(|| part.iter().map(|vertex| candidate(*vertex)).collect())
    }

    /// Returns vertices of value 1/2, among them this one, if a relation of mirror images shows it.
    fn mirrored(&self, vertex: usize, shares: &[Share]) -> Vec<usize> {
        let one = BigRational::one();
        let mut met: FxHashSet<[usize; 2]> = FxHashSet::from_iter([[vertex; 2]]);
        let mut queue = vec![[vertex; 2]];
        while let Some([a, b]) = queue.pop() {
            let known = [a, b].map(|vertex| self.share(shares, vertex).value());
            match known {
                [Some(a), Some(b)] if a + b == one => continue,
                [None, None]
                    if a.max(b) < self.arena.len
                        && self.is_best(shares, a)
                        && self.is_best(shares, b) => {}
                // A single pair that cannot be mirror images refutes the relation as a whole.
                _ => return Vec::new(),
            }
            for player in Player::BOTH {
                match (self.head(a, player), self.head(b, player.other())) {
                    (Some(a), Some(b)) if met.insert([a, b]) => queue.push([a, b]),
                    (Some(_), Some(_)) | (None, None) => {}
                    (Some(_), None) | (None, Some(_)) => return Vec::new(),
                }
            }
        }
        met.into_iter()
            .filter(|[a, b]| a == b && *a < self.arena.len)
            .map(|[a, _]| a)
            .collect()
    }
}
