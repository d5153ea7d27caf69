//! The thresholds of a whole graph, component by component, successors first.
//!
//! In a component with a cycle strategy improvement in floats finds a pair of strategies. Newton's
//! method, with steps in floats and residuals in integers of any length, makes their values as
//! precise as asked. A margin on either side, proportional to the effect of a small error, turns
//! them into bounds, which are then checked.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rustc_hash::FxHashMap;

use super::Share;
use super::local::{BinaryPlaces, Rounding, Tax};
use super::rational::BestEdges;
use super::refuse::unproved;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::law::best::BestValues;
use crate::number::linear::{Response, Walk};
use crate::player::Player;
use crate::richman::DrawValue;
use crate::richman::arena::{Arena, ArenaNumbering, ArenaStrategies};
use crate::richman::escape::sure;
use crate::richman::improve::{Improvement, begin};
use crate::richman::valuation::{Chain, Valuation};
use crate::watch::{Asking, Context, Stop};

/// The length in bits beyond which rationals are rounded, because their lengths can double with
/// every move.
const LONGEST: u64 = 1 << 16;
/// The greatest number of pairs of strategies that floats may try.
const GUESSES: u64 = 400;
/// The unit of the weights of a linearised walk.
const UNIT: f64 = (1_u64 << 28) as f64;
/// The greatest number of steps of Newton's method in floats.
const FLOAT_STEPS: usize = 60;
/// The step below which floats near 1 do not improve any more.
const SMALLEST_STEP: f64 = 1e-15;
/// The number of steps without progress after which the residual does not get smaller any more.
const PATIENCE: usize = 3;

pub(super) struct TaxmanSolver<'a> {
    graph: &'a GameGraph,
    /// The player who wins draws, and with them play without end.
    pub(super) draws: Player,
    pub(super) tax: &'a Tax,
    places: BinaryPlaces,
    pub(super) context: &'a Context<'a>,
    shares: Vec<Share>,
    numbering: ArenaNumbering,
}

impl<'a> TaxmanSolver<'a> {
    pub(super) fn new(
        graph: &'a GameGraph,
        draws: Player,
        tax: &'a Tax,
        bits: u64,
        context: &'a Context<'a>,
    ) -> Result<Self> {
        let limit = context.limits.max_memory;
        // Each vertex has two bounds of `bits / 8` bytes.
        if bits.saturating_mul(graph.len() as u64) / 4 > limit {
            return Err(Stop::Memory(limit).into());
        }
        let shares = vec![Share::exact(BigRational::zero()); graph.len()];
        let numbering = ArenaNumbering::new(graph);
        Ok(Self {
            graph,
            draws,
            tax,
            places: BinaryPlaces { bits },
            context,
            shares,
            numbering,
        })
    }

    /// Computes the thresholds, given those of some endings.
    pub(super) fn solve(mut self, known: &[(NodeId, Share)]) -> Result<Vec<Share>> {
        let components = self.graph.components();
        let known: FxHashMap<NodeId, &Share> =
            known.iter().map(|(node, share)| (*node, share)).collect();
        for (done, (vertices, cyclic)) in components.iter().enumerate() {
            if done % 1024 == 0 || cyclic {
                self.context.check()?;
                self.context
                    .report("solving", vertices[0].index() as u64, None);
            }
            if cyclic {
                self.component(vertices)?;
            } else {
                for &node in vertices {
                    self.shares[node.index()] = known
                        .get(&node)
                        .map_or_else(|| self.vertex(node), |&share| share.clone());
                }
            }
        }
        Ok(self.shares)
    }

    /// Computes the threshold of a vertex whose successors are solved.
    fn vertex(&self, node: NodeId) -> Share {
        if let Some(ending) = self.graph.ending(node) {
            return Share::exact(BigRational::new(
                DrawValue::won_by(self.draws).of(ending).into(),
                2.into(),
            ));
        }
        let of = |player| {
            let heads = self.graph.successors(node, player).iter();
            heads.map(|head| self.shares[head.index()].clone())
        };
        // The winner of the bid takes the better side, so only the order of the two values matters.
        let (low, high) = match BestValues::fold(of, Share::least, Share::greatest) {
            BestValues::Both(alice, bob) => (alice.clone().least(bob.clone()), alice.greatest(bob)),
            BestValues::Only(only) => return only,
        };
        let short = |number: &BigRational| number.denom().bits() <= LONGEST;
        // Exact values are given up only when the rationals get too long.
        if short(&low.low) && short(&high.low) && low.value().is_some() && high.value().is_some() {
            return Share::exact(self.tax.exact(&low.low, &high.low).0);
        }
        let bound = |low: &BigRational, high: &BigRational, rounding| {
            self.tax.rounded(
                &self.places.fixed(low, rounding),
                &self.places.fixed(high, rounding),
                self.places.bits,
                rounding,
            )
        };
        let least = bound(&low.low, &high.low, Rounding::Down);
        let most = bound(&low.high, &high.high, Rounding::Up);
        self.places.share((&least, &most))
    }

    /// Solves a strongly connected component with a cycle: first the vertices of value 0 or 1,
    /// where Newton's method would find no slope, then the rest.
    fn component(&mut self, vertices: &[NodeId]) -> Result<()> {
        let arena = Arena::new(self.graph, vertices, &mut self.numbering);
        let exit = |vertex: usize| &self.shares[arena.exits()[vertex - arena.len].index()];
        let won = sure(
            &arena,
            Player::Alice,
            |vertex| exit(vertex).high.is_zero(),
            self.draws != Player::Bob,
        );
        let lost = sure(
            &arena,
            Player::Bob,
            |vertex| exit(vertex).low.is_one(),
            self.draws == Player::Bob,
        );
        let mut rest = Vec::new();
        for (vertex, &node) in arena.vertices().iter().enumerate() {
            match (won[vertex], lost[vertex]) {
                (true, _) => self.shares[node.index()] = Share::exact(BigRational::zero()),
                (_, true) => self.shares[node.index()] = Share::exact(BigRational::one()),
                (false, false) => rest.push(node),
            }
        }
        if rest.is_empty() {
            Ok(())
        } else {
            // The rest need not be strongly connected: an arena can be any set of vertices with
            // known exits.
            self.between(&rest)
        }
    }

    /// Solves vertices whose thresholds lie between 0 and 1.
    fn between(&mut self, vertices: &[NodeId]) -> Result<()> {
        let arena = Arena::new(self.graph, vertices, &mut self.numbering);
        let exits: Vec<&Share> = arena
            .exits()
            .iter()
            .map(|node| &self.shares[node.index()])
            .collect();
        let near = self.near(&arena, &exits)?;
        // An exact solution is preferred, because the components that lead here can then be exact
        // as well.
        let found = match self.rationals(&arena, &exits, &near.values) {
            Some(exact) => exact.into_iter().map(Share::exact).collect(),
            None => {
                let mut found = self.enclosures(&arena, &exits, &near)?;
                // Even where the component as a whole is irrational, parts of it may be rational.
                BestEdges::new(&arena, &near.strategies, &exits, self.tax).settle(&mut found);
                found
            }
        };
        for (&node, share) in arena.vertices().iter().zip(found) {
            self.shares[node.index()] = share;
        }
        Ok(())
    }

    /// Returns the value of play without end.
    pub(super) fn forever(&self) -> f64 {
        f64::from(DrawValue::won_by(self.draws).halves()) / 2.0
    }

    /// Finds optimal strategies by strategy improvement in floats.
    fn near(&self, arena: &Arena, exits: &[&Share]) -> Result<FloatSolution> {
        let mut known: Vec<f64> = exits
            .iter()
            .map(|exit| exit.low.to_f64().unwrap_or(0.0))
            .collect();
        known.push(self.forever());
        let hero = self.draws.other();
        let forever = BigRational::new(DrawValue::won_by(self.draws).halves().into(), 2.into());
        let ends: Vec<&BigRational> = exits
            .iter()
            .map(|exit| &exit.low)
            .chain([&forever])
            .collect();
        let mut strategies = begin(arena, hero, &ends);
        let mut improvement = Improvement {
            arena,
            valuation: Floats {
                tax: self.tax,
                known,
            },
            hero,
            budget: GUESSES,
            context: self.context,
        };
        improvement.run(&mut strategies)?;
        let chain = Chain::new(arena, &strategies);
        let values = improvement.valuation.values(&chain, self.context)?;
        Ok(FloatSolution {
            strategies,
            chain,
            values,
        })
    }

    /// Returns the value of the local function at a vertex.
    fn local(&self, arena: &Arena, values: &[BigInt], vertex: usize, rounding: Rounding) -> BigInt {
        match sides(arena, values, vertex) {
            (low, Some(high)) => self.tax.rounded(low, high, self.places.bits, rounding),
            (only, None) => only.clone(),
        }
    }

    /// Returns the value of the local function at a vertex from which these edges lead to two
    /// values.
    fn of_pair(&self, [alice, bob]: [&BigInt; 2]) -> BigInt {
        self.tax.rounded(
            alice.min(bob),
            alice.max(bob),
            self.places.bits,
            Rounding::Down,
        )
    }

    fn enclosures(
        &self,
        arena: &Arena,
        exits: &[&Share],
        near: &FloatSolution,
    ) -> Result<Vec<Share>> {
        let FloatSolution {
            chain,
            values: floats,
            ..
        } = near;
        let mut by_state = vec![0.0; chain.pairs.len()];
        for (state, float) in chain.states.iter().zip(floats) {
            state
                .iter()
                .for_each(|state| by_state[*state as usize] = *float);
        }
        by_state.extend_from_slice(&floats[arena.len..]);
        let known = by_state.len() - chain.pairs.len();
        let walk = linear(self.tax, chain, known, |head| by_state[head as usize]);
        let Some(spread) = walk.response(self.context)? else {
            return Err(unproved());
        };
        let [low_exits, high_exits] =
            [Rounding::Down, Rounding::Up].map(|rounding| self.places.bounds(exits, rounding));
        let mut middle: Vec<BigInt> = floats[..arena.len]
            .iter()
            .map(|float| scaled(*float, self.places.bits))
            .collect();
        middle.extend(low_exits.iter().cloned());
        middle.push(scaled(self.forever(), self.places.bits));
        self.polish(arena, chain, &spread, &mut middle)?;
        // The middle follows from the lower bounds of the exits. The slopes add up to 1 at most, so
        // the upper bounds of the exits raise it by no more than their widest gap.
        let widest = low_exits
            .iter()
            .zip(&high_exits)
            .map(|(low, high)| high - low)
            .max()
            .unwrap_or_default();
        // The effect at each state of an error of one unit at every state.
        let reach = spread.to(vec![UNIT; chain.pairs.len()]);
        // The least margin that can be proved gives the narrowest bounds.
        for margin in (4..self.places.bits / 2).step_by(6) {
            self.context.check()?;
            let margins: Vec<BigInt> = (0..arena.len)
                .map(|vertex| match chain.states[vertex] {
                    Some(state) => scaled(reach[state as usize].max(1.0), margin),
                    None => BigInt::zero(),
                })
                .collect();
            let one = self.places.one();
            let bound = |sign: i32, wider: &BigInt, exits: &[BigInt]| -> Vec<BigInt> {
                let moved = |(value, margin): (&BigInt, &BigInt)| {
                    // A vertex without a state never leaves, and its value is exact.
                    let settled = margin.is_zero();
                    let value = if settled {
                        value.clone()
                    } else {
                        value + (margin + wider) * sign
                    };
                    value.clamp(BigInt::zero(), one.clone())
                };
                middle[..arena.len]
                    .iter()
                    .zip(&margins)
                    .map(moved)
                    .chain(exits.iter().cloned())
                    .collect()
            };
            let low = self.proved(
                arena,
                bound(-1, &BigInt::zero(), &low_exits),
                Rounding::Down,
            )?;
            let high = self.proved(arena, bound(1, &widest, &high_exits), Rounding::Up)?;
            if let (Some(low), Some(high)) = (low, high) {
                let bounds = low[..arena.len].iter().zip(&high);
                return Ok(bounds.map(|bounds| self.places.share(bounds)).collect());
            }
        }
        Err(unproved())
    }

    /// Applies Newton's method to a pair of strategies until the residual does not get smaller.
    ///
    /// Taking the best of all edges instead would fail: a vertex that keeps its value by an edge to
    /// itself has no residual, however wrong it is.
    fn polish(
        &self,
        arena: &Arena,
        chain: &Chain,
        spread: &Response,
        values: &mut [BigInt],
    ) -> Result<()> {
        let (mut least, mut patience) = (u64::MAX, PATIENCE);
        let place: Vec<usize> = chain
            .vertices()
            .chain(arena.len..=arena.forever())
            .collect();
        loop {
            self.context.check()?;
            let value = |head: u32| &values[place[head as usize]];
            let residual: Vec<BigInt> = chain
                .pairs
                .iter()
                .enumerate()
                .map(|(state, &pair)| self.of_pair(pair.map(value)) - value(fit::<u32>(state)))
                .collect();
            let size = residual.iter().map(BigInt::bits).max().unwrap_or(0);
            if size < least {
                (least, patience) = (size, PATIENCE);
            } else if patience == 0 || size <= 2 {
                return Ok(());
            } else {
                patience -= 1;
            }
            if size <= 1 {
                return Ok(());
            }
            // Residuals are cut to 60 bits, since the step is computed in floats and repeated
            // anyway.
            let shift = size.saturating_sub(60);
            let sources = residual
                .iter()
                .map(|r| (r >> shift).to_f64().unwrap_or(0.0) * UNIT)
                .collect();
            let steps = spread.to(sources);
            for (value, state) in values.iter_mut().zip(&chain.states) {
                if let Some(state) = state {
                    *value += scaled(steps[*state as usize], shift);
                }
            }
        }
    }

    /// Returns the bounds if they are proved, after moving them outward a little where that helps.
    fn proved(
        &self,
        arena: &Arena,
        mut bounds: Vec<BigInt>,
        rounding: Rounding,
    ) -> Result<Option<Vec<BigInt>>, Stop> {
        /// The number of vertices between two checks: a number may have tens of thousands of digits.
        const CHECK_EVERY: usize = 32;
        let mut asking = Asking::every(CHECK_EVERY, self.context);
        let one = self.places.one();
        // Play without end is the worst result for the player whose bound must be strict.
        let strict = BigInt::from(u8::from(match self.draws {
            Player::Alice => rounding == Rounding::Down,
            Player::Bob => rounding == Rounding::Up,
        }));
        // The rounds are limited: a bound that keeps moving outward is not near a solution.
        for _ in 0..2 * self.places.bits {
            let mut settled = true;
            for vertex in 0..arena.len {
                asking.step(1)?;
                let local = self.local(arena, &bounds, vertex, rounding);
                let needed = match rounding {
                    Rounding::Down => (local - &strict).max(BigInt::zero()),
                    Rounding::Up => (local + &strict).min(one.clone()),
                };
                let order = bounds[vertex].cmp(&needed);
                if order
                    == (if rounding == Rounding::Down {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    })
                {
                    bounds[vertex] = needed;
                    settled = false;
                }
            }
            if settled {
                return Ok(Some(bounds));
            }
        }
        Ok(None)
    }
}

/// Returns the smaller and the greater of both players' best values; the second is missing if only
/// one player can move.
pub(super) fn sides<'v, T: Ord>(
    arena: &Arena,
    values: &'v [T],
    vertex: usize,
) -> (&'v T, Option<&'v T>) {
    let of = |player| {
        let heads = arena.heads(vertex, player).iter();
        heads.map(|head| &values[*head as usize])
    };
    match BestValues::ordered(of) {
        BestValues::Both(alice, bob) => (alice.min(bob), Some(alice.max(bob))),
        BestValues::Only(only) => (only, None),
    }
}

/// Returns `number · 2^bits`, rounded.
fn scaled(number: f64, bits: u64) -> BigInt {
    let rational = BigRational::from_float(number).unwrap_or_else(BigRational::zero);
    (rational * (BigInt::one() << bits)).round().to_integer()
}

/// Builds the walk by whose weights a small change of the values spreads. The weights are the
/// slopes of the local function, in units; the rest of a unit leads to a state of value 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "slopes lie between 0 and 1"
)]
fn linear(tax: &Tax, chain: &Chain, known: usize, value: impl Fn(u32) -> f64) -> Walk {
    let lost = fit::<u32>(chain.pairs.len() + known - 1);
    let mut walk = Walk::new();
    for &pair in &chain.pairs {
        let [low, high] = in_order(pair, &value);
        let slopes = tax.float(value(low), value(high)).1;
        let [of_low, of_high] = slopes.map(|slope| (slope * UNIT).round().max(0.0) as u32);
        // The slopes add up to 1 at most, but rounding each of them can exceed the unit.
        let rest = (UNIT as u32).saturating_sub(of_low + of_high);
        walk.push(
            [(low, of_low), (high, of_high), (lost, rest)]
                .into_iter()
                .filter(|(_, weight)| *weight > 0),
        );
    }
    walk
}

fn in_order([alice, bob]: [u32; 2], value: impl Fn(u32) -> f64) -> [u32; 2] {
    if value(alice) <= value(bob) {
        [alice, bob]
    } else {
        [bob, alice]
    }
}

/// Strategies with the thresholds that they give, in floats: those of the vertices, then those of
/// the exits.
struct FloatSolution {
    strategies: ArenaStrategies,
    chain: Chain,
    values: Vec<f64>,
}

/// The arithmetic that computes the thresholds of a pair of strategies in floats.
struct Floats<'a> {
    tax: &'a Tax,
    /// The thresholds of the exits, and of play without end.
    known: Vec<f64>,
}

/// The difference below which floats may be equal.
const TOLERANCE: f64 = 1e-11;

impl Valuation for Floats<'_> {
    type Value = f64;

    /// Applies Newton's method, starting from the values for Richman bidding.
    fn values(&mut self, chain: &Chain, context: &Context<'_>) -> Result<Vec<f64>> {
        // Without tax this is the solution already, and otherwise Newton's method starts nearby.
        let [mut values] = chain.walk.approximate([&self.known], context)?;
        for _ in 0..FLOAT_STEPS {
            let value = |head: u32| {
                let head = head as usize;
                values
                    .get(head)
                    .copied()
                    .unwrap_or_else(|| self.known[head - values.len()])
            };
            let source = |(state, &pair): (usize, &[u32; 2])| {
                let [low, high] = in_order(pair, value);
                (self.tax.float(value(low), value(high)).0 - values[state]) * UNIT
            };
            let sources = chain.pairs.iter().enumerate().map(source).collect();
            let Some(response) =
                linear(self.tax, chain, self.known.len(), value).response(context)?
            else {
                break;
            };
            let steps = response.to(sources);
            for (value, step) in values.iter_mut().zip(&steps) {
                *value = (*value + step).clamp(0.0, 1.0);
            }
            if steps.iter().all(|step| step.abs() < SMALLEST_STEP) {
                break;
            }
        }
        Ok(chain.spread(values, self.known.clone()))
    }

    fn compare(&self, a: &f64, b: &f64) -> Ordering {
        if (a - b).abs() <= TOLERANCE {
            Ordering::Equal
        } else {
            a.total_cmp(b)
        }
    }
}
