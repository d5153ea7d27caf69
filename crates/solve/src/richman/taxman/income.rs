//! Thresholds where the players receive income before each bid: the parts r₁ and r₂ of all money,
//! which may depend on the position, after which the money is normalised (Avni, Goharshady,
//! Henzinger & Mallik 2024). Where the richer player gives the poorer the part t of the difference
//! of their money (Almagor, Avni & Dafni 2025), both receive t/(1 − 2t) everywhere.
//!
//! # Definition
//! The income turns a share x of the money into `(x + r₁)/(1 + r₁ + r₂)`. So with s the share that a
//! bid needs ([`local`](super::local)), the threshold before the income is `s (1 + r₁ + r₂) − r₁`,
//! clamped to 0 and 1: at 0 the income alone is enough, at 1 all the money is not. At a vertex with
//! an owner there is no bid and no income.
//!
//! Let Φ be that function at all vertices. It is monotone and continuous, so the truncations, which
//! begin with 1, decrease to its greatest solution g: with more than g(v) Alice has more than the
//! threshold of some truncation, and wins within as many moves; with less Bob keeps her share below
//! g for ever. The thresholds of not losing are the least solution, that of the exchanged game.
//!
//! Φ increases differences, up to `1 + r₁ + r₂` times, so it may have several solutions, and they
//! may jump as the income changes. Without cycles the thresholds follow from the endings. On a cycle
//! they are found and proved as follows.
//!
//! # The proof of an enclosure
//! The result of any number of rounds of Φ from 1 down, rounded up, is at least g. If `L ≤ Φ(L)`,
//! rounded down, then `L ≤ g` (Knaster & Tarski). [`greatest`] proves rationals.

mod greatest;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::cyclic::sides;
use super::law::{IncomeLaw, PositionIncome, income_at};
use super::local::{BinaryPlaces, Rounding};
use super::rational::between;
use super::{Share, equations};
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::law::best::BestValues;
use crate::player::Player;
use crate::richman::DrawValue;
use crate::richman::arena::{Arena, ArenaNumbering};
use crate::rules::Income;
use crate::watch::Context;

/// The length in bits beyond which rationals are rounded.
const LONGEST: u64 = 1 << 14;
/// The greatest number of rounds that are made without rounding, and the greatest length of their
/// numbers.
const EXACT_ROUNDS: usize = 48;
const LONGEST_ROUND: u64 = 512;
/// The number of rounds after which no improvement is expected.
const MOST_ROUNDS: u64 = 1 << 20;
/// The number of rounds that are made in search of a rational before good bounds are accepted.
const PATIENCE: u64 = 1 << 10;
/// The greatest number of rounds in which a lower bound may settle.
const SETTLING: usize = 1 << 12;

/// A component with the income at its vertices.
pub(super) struct IncomeArena {
    pub(super) moves: Arena,
    incomes: Vec<PositionIncome>,
}

impl IncomeArena {
    /// Iterates over the heads of a player's edges.
    fn heads(&self, vertex: usize, player: Player) -> impl Iterator<Item = usize> + Clone {
        let heads = self.moves.heads(vertex, player).iter();
        heads.map(|head| *head as usize)
    }
}

/// Computes the thresholds of a graph to within `near`. Returns `None` if bounds so near are not
/// found in numbers of `bits` bits.
pub(super) fn solve(
    graph: &GameGraph,
    draws: Player,
    law: IncomeLaw<'_>,
    bits: u64,
    near: &BigRational,
    context: &Context<'_>,
) -> Result<Option<Vec<Share>>> {
    match draws {
        // The solver finds the greatest solution, which the thresholds are if Bob wins draws.
        Player::Bob => IncomeSolver::new(graph, law, bits, near, context).solve(),
        // Alice does not lose exactly where the opponent does not win, so the exchanged game is
        // solved.
        Player::Alice => {
            let exchanged = graph.conjugate();
            let law = law.exchanged();
            let found = IncomeSolver::new(&exchanged, law, bits, near, context).solve()?;
            Ok(found.map(|shares| shares.iter().map(Share::complement).collect()))
        }
    }
}

/// The search for greatest solutions: draws are not won.
pub(super) struct IncomeSolver<'a> {
    graph: &'a GameGraph,
    pub(super) law: IncomeLaw<'a>,
    pub(super) places: BinaryPlaces,
    near: &'a BigRational,
    context: &'a Context<'a>,
    shares: Vec<Share>,
    known: FxHashMap<NodeId, Share>,
    numbering: ArenaNumbering,
}

impl<'a> IncomeSolver<'a> {
    pub(super) fn new(
        graph: &'a GameGraph,
        law: IncomeLaw<'a>,
        bits: u64,
        near: &'a BigRational,
        context: &'a Context<'a>,
    ) -> Self {
        let shares = vec![Share::exact(BigRational::one()); graph.len()];
        Self {
            graph,
            law,
            places: BinaryPlaces { bits },
            near,
            context,
            shares,
            known: FxHashMap::default(),
            numbering: ArenaNumbering::new(graph),
        }
    }

    /// Fixes the thresholds of some endings.
    pub(super) fn knowing(mut self, known: FxHashMap<NodeId, Share>) -> Self {
        self.known = known;
        self
    }

    /// Takes over the thresholds of all vertices.
    pub(super) fn after(mut self, shares: Vec<Share>) -> Self {
        self.shares = shares;
        self
    }

    /// Computes the thresholds. Returns `None` if bounds as near as asked are not found.
    pub(super) fn solve(mut self) -> Result<Option<Vec<Share>>> {
        let components = self.graph.components();
        for (done, (vertices, cyclic)) in components.iter().enumerate() {
            if done % 256 == 0 || cyclic {
                self.context.check()?;
                self.context.report("solving", done as u64, None);
            }
            if !cyclic {
                let node = vertices[0];
                self.shares[node.index()] = self.vertex(node);
                continue;
            }
            let arena = self.arena(vertices);
            let Some(found) = self.component(&arena)? else {
                return Ok(None);
            };
            for (node, share) in arena.moves.vertices().iter().zip(found) {
                self.shares[node.index()] = share;
            }
        }
        Ok(Some(self.shares))
    }

    /// Builds the arena of some vertices.
    pub(super) fn arena(&mut self, vertices: &[NodeId]) -> IncomeArena {
        let moves = Arena::new(self.graph, vertices, &mut self.numbering);
        let incomes = moves.vertices().iter();
        let incomes = incomes.map(|node| self.income(*node).into());
        IncomeArena {
            incomes: incomes.collect(),
            moves,
        }
    }

    fn income(&self, node: NodeId) -> Income {
        income_at(&self.law.everywhere, self.graph, node).unwrap_or_default()
    }

    /// Computes the threshold of a vertex whose successors are solved.
    pub(super) fn vertex(&self, node: NodeId) -> Share {
        if let Some(share) = self.known.get(&node) {
            return share.clone();
        }
        if let Some(ending) = self.graph.ending(node) {
            return Share::exact(BigRational::new(DrawValue::Win.of(ending).into(), 2.into()));
        }
        let income = self.income(node);
        let of = |player| {
            let heads = self.graph.successors(node, player).iter();
            heads.map(|head| self.shares[head.index()].clone())
        };
        let (low, high) = match BestValues::fold(of, Share::least, Share::greatest) {
            BestValues::Both(alice, bob) => {
                (alice.clone().least(bob.clone()), Some(alice.greatest(bob)))
            }
            BestValues::Only(only) => (only, None),
        };
        let bound = |bound: fn(&Share) -> &BigRational, rounding| {
            let exact = self
                .law
                .exact(bound(&low), high.as_ref().map(bound), &income);
            if exact.denom().bits() <= LONGEST {
                exact
            } else {
                // Each bound is rounded outward, so that the enclosure stays valid.
                self.places.rational(&self.places.fixed(&exact, rounding))
            }
        };
        Share {
            low: bound(|share| &share.low, Rounding::Down),
            high: bound(|share| &share.high, Rounding::Up),
        }
    }

    /// Returns the threshold of a vertex of a component for these values.
    fn exact(&self, arena: &IncomeArena, values: &[BigRational], vertex: usize) -> BigRational {
        let (low, high) = sides(&arena.moves, values, vertex);
        self.law.exact(low, high, &arena.incomes[vertex].income)
    }

    /// Returns the threshold of a vertex of a component for these values in units of the last place.
    fn rounded(
        &self,
        arena: &IncomeArena,
        values: &[BigInt],
        vertex: usize,
        rounding: Rounding,
    ) -> BigInt {
        let (low, high) = sides(&arena.moves, values, vertex);
        let position = &arena.incomes[vertex];
        self.law
            .rounded(low, high, position, self.places.bits, rounding)
    }

    /// Computes the thresholds of a component whose exits are solved.
    fn component(&self, arena: &IncomeArena) -> Result<Option<Vec<Share>>> {
        let exits: Vec<&Share> = arena
            .moves
            .exits()
            .iter()
            .map(|node| &self.shares[node.index()])
            .collect();
        let exact: Option<Vec<BigRational>> =
            exits.iter().map(|exit| exit.value().cloned()).collect();
        if let Some(exits) = &exact
            // Rounds in rationals come first, because a round that changes nothing needs no other
            // proof.
            && let Some(found) = self.settled(arena, exits)?
        {
            return Ok(Some(found.into_iter().map(Share::exact).collect()));
        }
        let low_ends = self.places.bounds(&exits, Rounding::Down);
        // The iteration starts from 1, because the thresholds are the greatest solution below it.
        let mut upper = vec![self.places.one(); arena.moves.len];
        upper.extend(self.places.bounds(&exits, Rounding::Up));
        let (mut rounds, mut next) = (0_u64, 16);
        while rounds < MOST_ROUNDS {
            let moved = self.round(arena, &mut upper, Rounding::Up);
            rounds += 1;
            if rounds.is_multiple_of(16) {
                self.context.check()?;
                self.context.report("closing in", rounds, None);
            }
            // The expensive tests run after rounds whose numbers double, or when nothing moves any
            // more.
            if moved && rounds < next {
                continue;
            }
            if let Some(exits) = &exact
                && let Some(found) = self.rationals(arena, &upper, exits)?
            {
                return Ok(Some(found.into_iter().map(Share::exact).collect()));
            }
            // A rational may still be found, so bounds are not accepted yet.
            if moved && exact.is_some() && self.law.tax.is_none() && rounds < PATIENCE {
                next *= 2;
                continue;
            }
            if let Some(lower) = self.lower(arena, &upper, &low_ends)? {
                let bounds = lower[..arena.moves.len].iter().zip(&upper);
                let shares = bounds.map(|bounds| self.places.share(bounds));
                return Ok(Some(shares.collect()));
            }
            // Further rounds would repeat the same numbers, and the lower bounds were not near
            // enough.
            if !moved {
                break;
            }
            next *= 2;
        }
        Ok(None)
    }

    /// Applies one round of Φ, which may lower the bounds. Returns whether it has.
    fn round(&self, arena: &IncomeArena, bounds: &mut [BigInt], rounding: Rounding) -> bool {
        let mut moved = false;
        for vertex in 0..arena.moves.len {
            // New values are used within the round. Φ is monotone, so they bound the solution as
            // well.
            let made = self.rounded(arena, bounds, vertex, rounding);
            if made < bounds[vertex] {
                bounds[vertex] = made;
                moved = true;
            }
        }
        moved
    }

    /// Applies rounds in rationals, and returns the values if a round soon changes nothing.
    fn settled(
        &self,
        arena: &IncomeArena,
        exits: &[BigRational],
    ) -> Result<Option<Vec<BigRational>>> {
        let mut values = vec![BigRational::one(); arena.moves.len];
        values.extend_from_slice(exits);
        for _ in 0..EXACT_ROUNDS {
            self.context.check()?;
            let mut moved = false;
            for vertex in 0..arena.moves.len {
                let made = self.exact(arena, &values, vertex);
                if made.denom().bits() > LONGEST_ROUND {
                    return Ok(None);
                }
                moved |= made != values[vertex];
                values[vertex] = made;
            }
            if !moved {
                values.truncate(arena.moves.len);
                return Ok(Some(values));
            }
        }
        Ok(None)
    }

    /// Finds lower bounds near to upper ones, if possible: it starts a little below the upper
    /// bounds, and then applies Φ until the bounds do not decrease any more.
    fn lower(
        &self,
        arena: &IncomeArena,
        upper: &[BigInt],
        ends: &[BigInt],
    ) -> Result<Option<Vec<BigInt>>> {
        let near = self.places.fixed(self.near, Rounding::Down);
        for margin in (2..near.bits()).step_by(6) {
            let margin = BigInt::one() << margin;
            let mut lower: Vec<BigInt> = upper[..arena.moves.len]
                .iter()
                .map(|bound| (bound - &margin).max(BigInt::zero()))
                .collect();
            lower.extend_from_slice(ends);
            for _ in 0..SETTLING {
                self.context.check()?;
                let is_near = lower[..arena.moves.len]
                    .iter()
                    .zip(upper)
                    .all(|(low, high)| high - low <= near);
                // Lower bounds only decrease, so they cannot come near again.
                if !is_near {
                    break;
                }
                // Now `lower ≤ Φ(lower)`, which proves the bound.
                if !self.round(arena, &mut lower, Rounding::Down) {
                    return Ok(Some(lower));
                }
            }
        }
        Ok(None)
    }

    /// Finds the thresholds as rationals, if some that are guessed from the bounds are proved to be
    /// right.
    fn rationals(
        &self,
        arena: &IncomeArena,
        upper: &[BigInt],
        exits: &[BigRational],
    ) -> Result<Option<Vec<BigRational>>> {
        // The proof of `greatest` needs a local function that is linear in the best edges.
        if !self.law.tax.is_none() {
            return Ok(None);
        }
        for guess in [
            Some(self.simplest(arena, upper)),
            self.by_best_edges(arena, upper, exits)?,
        ]
        .into_iter()
        .flatten()
        {
            self.context.check()?;
            let values = [guess.as_slice(), exits].concat();
            let solves = |vertex: usize| self.exact(arena, &values, vertex) == values[vertex];
            if (0..arena.moves.len).all(solves) && self.is_greatest(arena, upper, &values)? {
                return Ok(Some(guess));
            }
        }
        Ok(None)
    }

    /// Returns the simplest rationals just below the bounds.
    fn simplest(&self, arena: &IncomeArena, upper: &[BigInt]) -> Vec<BigRational> {
        let width = BigRational::new(BigInt::one(), BigInt::one() << (self.places.bits / 2));
        let simple = |bound: &BigInt| {
            let high = self.places.rational(bound);
            let low = &high - &width;
            // Thresholds are cut off at 0, and 0 is then the simplest candidate.
            if low <= BigRational::zero() {
                BigRational::zero()
            } else {
                between(&low, &high)
            }
        };
        upper[..arena.moves.len].iter().map(simple).collect()
    }

    /// Solves the equations in which the best edges by the bounds are fixed, and values that the
    /// bounds cut off at 0 and 1 are cut off.
    pub(super) fn by_best_edges(
        &self,
        arena: &IncomeArena,
        upper: &[BigInt],
        exits: &[BigRational],
    ) -> Result<Option<Vec<BigRational>>> {
        /// The greatest number of equations; more take too long.
        const MOST: usize = 64;
        if arena.moves.len > MOST {
            return Ok(None);
        }
        let rows = (0..arena.moves.len)
            .map(|vertex| self.equation(arena, upper, exits, vertex))
            .collect();
        equations::solve(rows, self.context)
    }

    fn equation(
        &self,
        arena: &IncomeArena,
        upper: &[BigInt],
        exits: &[BigRational],
        vertex: usize,
    ) -> Vec<BigRational> {
        let made = self.rounded(arena, upper, vertex, Rounding::Up);
        let mut row = vec![BigRational::zero(); arena.moves.len + 1];
        // A value that is cut off does not depend on its successors.
        if made.is_zero() || made == self.places.one() {
            row[vertex] = BigRational::one();
            row[arena.moves.len] = self.places.rational(&made);
            return row;
        }
        let best = [
            arena
                .heads(vertex, Player::Alice)
                .min_by_key(|head| &upper[*head]),
            arena
                .heads(vertex, Player::Bob)
                .max_by_key(|head| &upper[*head]),
        ];
        let best: Vec<usize> = best.into_iter().flatten().collect();
        let income = &arena.incomes[vertex].income;
        row[vertex] += BigRational::one();
        row[arena.moves.len] -= income.of(Player::Alice);
        let part = income.whole() / BigInt::from(best.len());
        for head in best {
            // The difference wraps for a vertex of the component, and finds no exit.
            match exits.get(head.wrapping_sub(arena.moves.len)) {
                Some(exit) => row[arena.moves.len] += exit * &part,
                None => row[head] -= &part,
            }
        }
        row
    }
}
