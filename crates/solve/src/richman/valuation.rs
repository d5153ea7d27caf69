//! The value of a pair of strategies: a random walk, which ends at an exit or goes on for ever.
//!
//! From some vertices no exit can be reached: they have the value of play without end. From all
//! others the walk reaches an exit or one of those vertices with certainty, and the values are the
//! unique solution of a linear system.

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Mul, Sub};

use num_bigint::BigInt;
use num_traits::One;

use super::DrawValue;
use super::arena::{Arena, ArenaStrategies};
use super::fraction::UnreducedFraction;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::number::linear::{Walk, common_multiple};
use crate::player::Player;
use crate::space::worklist::IncomingEdges;
use crate::watch::Context;

/// An arithmetic in which pairs of strategies are evaluated.
pub(super) trait Valuation {
    /// A value, which can be compared with others of the same pair of strategies.
    type Value;

    /// Computes the values of all vertices, of all exits, and of play without end.
    fn values(&mut self, chain: &Chain, context: &Context<'_>) -> Result<Vec<Self::Value>>;

    /// Compares two values; floats count as equal if they may be.
    fn compare(&self, a: &Self::Value, b: &Self::Value) -> Ordering;
}

/// The walk of a pair of strategies.
pub(super) struct Chain {
    pub(super) walk: Walk,
    /// The state of each vertex in the walk; `None` if the play never ends from there.
    pub(super) states: Vec<Option<u32>>,
    /// The successors of each state that the players choose, in the walk's numbering: states, then
    /// exits, then play without end. If only one player can move, both entries are that move.
    pub(super) pairs: Vec<[u32; 2]>,
}

impl Chain {
    pub(super) fn new(arena: &Arena, strategies: &ArenaStrategies) -> Self {
        let heads = |vertex: usize| {
            Player::BOTH
                .into_iter()
                .filter_map(move |player| strategies[player][vertex])
        };
        let is_inside = |head: u32| (head as usize) < arena.len;
        let mut ends = vec![false; arena.len];
        let may_end = |vertex: usize, ends: &[bool]| {
            heads(vertex).any(|head| !is_inside(head) || ends[head as usize])
        };
        // Many successors come first, so that one pass finds most vertices from which the walk
        // ends. Only the edges of the others are looked at from their heads.
        for vertex in 0..arena.len {
            ends[vertex] = may_end(vertex, &ends);
        }
        let (mut found, mut inside) = (Vec::new(), Vec::new());
        for vertex in 0..arena.len {
            if ends[vertex] {
                continue;
            }
            let tail = fit::<u32>(vertex);
            if may_end(vertex, &ends) {
                ends[vertex] = true;
                found.push(tail);
            } else {
                inside.extend(heads(vertex).map(|head| (head, tail)));
            }
        }
        let incoming = IncomingEdges::new(arena.len, inside.iter().copied());
        while let Some(head) = found.pop() {
            for &tail in incoming.tails_of(head as usize) {
                if !std::mem::replace(&mut ends[tail as usize], true) {
                    found.push(tail);
                }
            }
        }
        let mut transient = 0;
        let mut number = |ends: &bool| {
            ends.then(|| {
                transient += 1;
                fit::<u32>(transient - 1)
            })
        };
        let states: Vec<Option<u32>> = ends.iter().map(&mut number).collect();
        let target = |head: u32| match states.get(head as usize) {
            Some(Some(state)) => *state,
            // A vertex from which the walk never ends counts as play without end itself.
            Some(None) => fit::<u32>(transient + arena.forever() - arena.len),
            None => fit::<u32>(transient + head as usize - arena.len),
        };
        let (mut walk, mut pairs) = (Walk::new(), Vec::with_capacity(transient));
        for vertex in (0..arena.len).filter(|&vertex| states[vertex].is_some()) {
            let weigh = |player: Player| {
                strategies[player][vertex].map(|head| (target(head), arena.coin.weights[player]))
            };
            walk.push(Player::BOTH.into_iter().filter_map(weigh));
            let [alice, bob] = Player::both(|player| strategies[player][vertex].map(target));
            let only = alice
                .or(bob)
                .expect("a vertex without an ending has an edge");
            pairs.push([alice.unwrap_or(only), bob.unwrap_or(only)]);
        }
        Self {
            walk,
            states,
            pairs,
        }
    }

    /// Iterates over the vertices of the states.
    pub(super) fn vertices(&self) -> impl Iterator<Item = usize> + '_ {
        self.states
            .iter()
            .enumerate()
            .filter_map(|(vertex, state)| state.map(|_| vertex))
    }

    /// Returns for each state the sum over its edges of the weight times the difference between the
    /// successor's value and its own, from the values of the states and the known ones.
    pub(super) fn imbalances<T>(&self, found: &[T], known: &[T]) -> Vec<T>
    where
        T: Copy + From<u32> + Mul<Output = T> + Sub<Output = T> + Sum,
    {
        let value = |head: usize| {
            let outside = head.checked_sub(found.len());
            outside.map_or_else(|| found[head], |exit| known[exit])
        };
        let of = |(state, own): (usize, &T)| {
            let edges = self.walk.edges(state).iter();
            edges
                .map(|(head, weight)| T::from(*weight) * (value(*head as usize) - *own))
                .sum()
        };
        found.iter().enumerate().map(of).collect()
    }

    /// Returns values in the order of the arena from those of the walk's states and the known ones,
    /// of which the last is that of play without end.
    pub(super) fn spread<T: Clone>(&self, solved: Vec<T>, known: Vec<T>) -> Vec<T> {
        let forever = &known[known.len() - 1];
        // The states have the order of their vertices.
        let mut solved = solved.into_iter();
        let inside = self.states.iter();
        let mut values: Vec<_> = inside
            .map(|state| state.and_then(|_| solved.next()))
            .map(|value| value.unwrap_or_else(|| forever.clone()))
            .collect();
        values.extend(known);
        values
    }
}

/// Arithmetic in floats: each value with its difference from 1, both accurate relative to their
/// size.
pub(super) struct Approximate {
    known: [Vec<f64>; 2],
}

/// The distance of two values' quotient from 1 below which they may be equal.
const TOLERANCE: f64 = 1e-10;

impl Approximate {
    /// Creates the arithmetic for the values of the exits and of play without end.
    pub(super) fn new(known: &[&UnreducedFraction]) -> Self {
        // The complement is stored separately, since 1 minus a value near 1 has no relative
        // accuracy.
        let floats = |i: usize| known.iter().map(|value| value.approximate()[i]).collect();
        Self {
            known: [floats(0), floats(1)],
        }
    }

    /// Computes the values of all vertices, of all exits, and of play without end, if elimination
    /// adds no edges to the walk.
    pub(super) fn sparse_values(
        &self,
        chain: &Chain,
        context: &Context<'_>,
    ) -> Result<Option<Vec<[f64; 2]>>> {
        let solved = chain.walk.approximate_if_sparse(self.known(), context)?;
        Ok(solved.map(|solved| self.spread(chain, solved)))
    }

    fn known(&self) -> [&[f64]; 2] {
        self.known.each_ref().map(Vec::as_slice)
    }

    fn spread(&self, chain: &Chain, solved: [Vec<f64>; 2]) -> Vec<[f64; 2]> {
        let pairs = |[value, complement]: [&[f64]; 2]| {
            let pairs = value.iter().zip(complement);
            pairs.map(|(&value, &rest)| [value, rest]).collect()
        };
        let solved = solved.each_ref().map(Vec::as_slice);
        chain.spread(pairs(solved), pairs(self.known()))
    }
}

impl Valuation for Approximate {
    type Value = [f64; 2];

    fn values(&mut self, chain: &Chain, context: &Context<'_>) -> Result<Vec<[f64; 2]>> {
        let solved = chain.walk.approximate(self.known(), context)?;
        Ok(self.spread(chain, solved))
    }

    fn compare(&self, a: &[f64; 2], b: &[f64; 2]) -> Ordering {
        // Values near 1 are told apart by their differences from 1.
        let (low, high) = if a[0] + b[0] <= 1.0 {
            (a[0], b[0])
        } else {
            (b[1], a[1])
        };
        if (low - high).abs() <= TOLERANCE * low.max(high) {
            Ordering::Equal
        } else {
            low.total_cmp(&high)
        }
    }
}

/// Arithmetic in integers over a denominator that all values of a pair of strategies share.
pub(super) struct Exact {
    /// The values of the exits and of play without end, over `unit`.
    known: Vec<BigInt>,
    unit: BigInt,
    /// The denominator of the values returned last.
    pub(super) denominator: BigInt,
}

impl Exact {
    pub(super) fn new(
        exits: &[&UnreducedFraction],
        draw: DrawValue,
        context: &Context<'_>,
    ) -> Result<Self> {
        // A draw that is worth a half needs an even denominator.
        let two = BigInt::from(if draw == DrawValue::Half { 2 } else { 1 });
        let denominators = exits.iter().map(|exit| &*exit.denominator);
        let unit = common_multiple(denominators.chain([&two]), context)?;
        let mut known: Vec<_> = exits
            .iter()
            .map(|exit| &exit.numerator * (&unit / &*exit.denominator))
            .collect();
        known.push(&unit * draw.halves() / 2);
        Ok(Self {
            known,
            unit,
            denominator: BigInt::one(),
        })
    }
}

impl Valuation for Exact {
    type Value = BigInt;

    fn values(&mut self, chain: &Chain, context: &Context<'_>) -> Result<Vec<BigInt>> {
        let solution = chain.walk.solve(&self.known, context)?;
        self.denominator = &solution.denominator * &self.unit;
        let known = self
            .known
            .iter()
            .map(|known| known * &solution.denominator)
            .collect();
        Ok(chain.spread(solution.numerators, known))
    }

    fn compare(&self, a: &BigInt, b: &BigInt) -> Ordering {
        a.cmp(b)
    }
}
