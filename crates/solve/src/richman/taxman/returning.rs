//! Thresholds of Büchi objectives where players receive income before bids (Avni, Goharshady,
//! Henzinger & Mallik 2024): a player, the *seeker*, wants to visit accepting vertices infinitely
//! often.
//!
//! # Definition
//! Let y give every accepting vertex a threshold, and let play end at the next accepting vertex,
//! where the seeker wins with more than y. The thresholds of that game, one move after each
//! accepting vertex, are those of another visit, Ψ(y). Ψ is monotone, and the threshold T of
//! infinitely many visits is its least solution. With more than T = Ψ(T) the seeker reaches an
//! accepting vertex with more than T there, and so on for ever. Let T(n) be the iterates of Ψ from
//! 0, at limits the suprema, until they reach T. With less than T the seeker has less than some
//! T(n + 1) = Ψ(T(n)). So the opponent prevents another visit, or lets the seeker arrive with less
//! than T(n). The ordinals n decrease, so that there are only finitely many visits.
//!
//! # The proof of an enclosure
//! The iterates from 0, rounded down, are at most T. If `Ψ(U) ≤ U`, rounded up, then `T ≤ U` (Knaster
//! & Tarski). If an iterate L has `Ψ(L) = L` exactly, it is T.
//!
//! # The proof of a rational
//! The thresholds of all vertices solve the equations of the graph, accepting vertices and others. A
//! guess x with `Ψ(x) = x` solves them too, and T ≤ x. If in the exchanged game x is the greatest
//! solution not above an iterate, by the proof of `income::greatest`, then there is no other solution
//! between the iterate and x, and x gives the thresholds. So the guess need not be near the iterate.

use std::collections::HashSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::Share;
use super::income::IncomeSolver;
use super::law::IncomeLaw;
use super::local::{BinaryPlaces, Rounding};
use super::rational::between;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, Player};
use crate::watch::Context;

/// The greatest number of visits that are counted.
const MOST_VISITS: usize = 1 << 8;

/// A game in which a player wants to visit vertices infinitely often.
pub(super) struct BuchiGame<'a> {
    pub(super) graph: &'a GameGraph,
    /// The accepting vertices: no endings.
    pub(super) accepting: &'a [NodeId],
    pub(super) seeker: Player,
    /// The player who wins draws.
    pub(super) draws: Player,
}

/// The precision of the numbers.
#[derive(Clone, Copy)]
pub(super) struct Fineness<'a> {
    /// The number of bits after the binary point.
    pub(super) bits: u64,
    /// The greatest distance between bounds.
    pub(super) near: &'a BigRational,
}

/// Computes the thresholds of a game, as Alice's shares, to within `near`. Returns `None` if bounds
/// so near are not found.
pub(super) fn solve(
    game: &BuchiGame<'_>,
    law: IncomeLaw<'_>,
    fineness: Fineness<'_>,
    context: &Context<'_>,
) -> Result<Option<Vec<Share>>> {
    match game.seeker {
        Player::Alice => Visits::new(game.graph, game, law, fineness, context).solve(),
        Player::Bob => {
            let exchanged = game.graph.conjugate();
            let law = law.exchanged();
            let game = &BuchiGame {
                // Exchanging the players exchanges who wins draws as well.
                draws: game.draws.other(),
                ..*game
            };
            let found = Visits::new(&exchanged, game, law, fineness, context).solve()?;
            Ok(found.map(|shares| shares.iter().map(Share::complement).collect()))
        }
    }
}

/// The search for the thresholds of infinitely many visits, where Alice is the seeker.
struct Visits<'a> {
    graph: &'a GameGraph,
    /// The graph in which accepting vertices are endings.
    first_visits: GameGraph,
    /// The thresholds of endings that are drawn and won by Alice all the same.
    drawn: FxHashMap<NodeId, Share>,
    accepting: &'a [NodeId],
    law: IncomeLaw<'a>,
    fineness: Fineness<'a>,
    /// The distance between the bounds of one visit.
    nearer: BigRational,
    context: &'a Context<'a>,
}

/// The thresholds of all vertices until the next visit, and those of another visit from each
/// accepting vertex.
struct NextVisit {
    shares: Vec<Share>,
    another: Vec<Share>,
}

impl<'a> Visits<'a> {
    fn new(
        graph: &'a GameGraph,
        game: &BuchiGame<'a>,
        law: IncomeLaw<'a>,
        fineness: Fineness<'a>,
        context: &'a Context<'a>,
    ) -> Self {
        let ends: HashSet<NodeId> = game.accepting.iter().copied().collect();
        let ending = |node| {
            // The ending's kind is never read: `knowing` gives its threshold.
            let visited = ends.contains(&node).then_some(Ending::Draw);
            visited.or(graph.ending(node))
        };
        let is_drawn = |node: &NodeId| {
            graph.ending(*node) == Some(Ending::Draw) && game.draws == Player::Alice
        };
        let won = |node| (node, Share::exact(BigRational::zero()));
        Self {
            graph,
            first_visits: graph.restricted(ending, |_, _, _| true),
            drawn: graph.nodes().filter(is_drawn).map(won).collect(),
            accepting: game.accepting,
            law,
            fineness,
            nearer: fineness.near / (BigInt::one() << 24),
            context,
        }
    }

    fn solve(&self) -> Result<Option<Vec<Share>>> {
        let Some(shares) = self.bounds()? else {
            return Ok(None);
        };
        let exact = shares.iter().all(|share| share.value().is_some());
        // The proof of a rational holds without tax only.
        if exact || !self.law.tax.is_none() {
            return Ok(Some(shares));
        }
        Ok(Some(self.exactly(&shares)?.unwrap_or(shares)))
    }

    /// Finds proved bounds of the thresholds, if possible.
    fn bounds(&self) -> Result<Option<Vec<Share>>> {
        // The threshold is the least solution, so the iterates start from 0.
        let mut lower = vec![BigRational::zero(); self.accepting.len()];
        for visits in 1..=MOST_VISITS {
            let Some(found) = self.next_visit(&lower)? else {
                return Ok(None);
            };
            let is_settled = (found.another.iter().zip(&lower))
                .all(|(share, lower)| share.value() == Some(lower));
            if is_settled {
                return Ok(Some(found.shares));
            }
            let next: Vec<BigRational> = (found.another.iter().zip(&lower))
                // Rounding down could undo progress, and the earlier bound is still valid.
                .map(|(share, lower)| self.rounded(&share.low).max(lower.clone()))
                .collect();
            // The attempts cost as much as a visit, so they are made at powers of two only.
            if visits.is_power_of_two()
                && self.law.tax.is_none()
                && let Some(shares) = self.foreseen(&found.shares)?
            {
                return Ok(Some(shares));
            }
            let has_stopped = next == lower;
            if (visits.is_power_of_two() || has_stopped)
                && let Some(shares) = self.enclosed(&found.shares, &next)?
            {
                return Ok(Some(shares));
            }
            if has_stopped {
                return Ok(None);
            }
            lower = next;
        }
        Ok(None)
    }

    fn rounded(&self, number: &BigRational) -> BigRational {
        let places = BinaryPlaces {
            bits: self.fineness.bits,
        };
        if number.denom().bits() <= places.bits {
            return number.clone();
        }
        places.rational(&places.fixed(number, Rounding::Down))
    }

    /// Finds upper bounds a little above lower ones, if possible.
    fn enclosed(&self, below: &[Share], lower: &[BigRational]) -> Result<Option<Vec<Share>>> {
        // A small margin gives narrow bounds, but a large one is more likely to be proved.
        for halvings in [10, 6, 2] {
            let margin = self.fineness.near / (BigInt::one() << halvings);
            let raised = |lower: &BigRational| -> BigRational { lower + &margin };
            let upper: Vec<BigRational> = lower
                .iter()
                .map(|lower| raised(lower).min(BigRational::one()))
                .collect();
            let Some(found) = self.next_visit(&upper)? else {
                continue;
            };
            let is_above =
                (found.another.iter().zip(&upper)).all(|(share, upper)| share.high <= *upper);
            let shares: Vec<Share> = (below.iter().zip(found.shares))
                .map(|(below, above)| Share {
                    low: below.low.clone(),
                    high: above.high,
                })
                .collect();
            let is_near = |share: &Share| &share.high - &share.low <= *self.fineness.near;
            if is_above && shares.iter().all(is_near) {
                return Ok(Some(shares));
            }
        }
        Ok(None)
    }

    /// Computes the thresholds of the game that ends at the next accepting vertex.
    fn next_visit(&self, thresholds: &[BigRational]) -> Result<Option<NextVisit>> {
        let mut known = self.drawn.clone();
        let thresholds = thresholds.iter().cloned().map(Share::exact);
        known.extend(self.accepting.iter().copied().zip(thresholds));
        let solver = self.solver(&self.first_visits).knowing(known);
        let Some(mut shares) = solver.solve()? else {
            return Ok(None);
        };
        let onward = self.solver(self.graph).after(shares.clone());
        let another: Vec<Share> = (self.accepting.iter())
            .map(|node| onward.vertex(*node))
            .collect();
        // At an accepting vertex the answer is the threshold for playing on, not the assumed one.
        for (node, share) in self.accepting.iter().zip(&another) {
            shares[node.index()] = share.clone();
        }
        Ok(Some(NextVisit { shares, another }))
    }

    fn solver<'s>(&'s self, graph: &'s GameGraph) -> IncomeSolver<'s> {
        let (law, bits) = (self.law.clone(), self.fineness.bits);
        IncomeSolver::new(graph, law, bits, &self.nearer, self.context)
    }

    /// Returns the simplest rationals between the bounds, if they are proved to be the thresholds.
    fn exactly(&self, shares: &[Share]) -> Result<Option<Vec<Share>>> {
        let guess = |share: &Share| match share.value() {
            Some(value) => value.clone(),
            None => between(&share.low, &share.high),
        };
        self.proved(shares, &shares.iter().map(guess).collect::<Vec<_>>())
    }

    /// Returns the solution of the equations that the best edges by lower bounds give, if it is
    /// proved to be the thresholds.
    fn foreseen(&self, below: &[Share]) -> Result<Option<Vec<Share>>> {
        let mut solver = self.solver(self.graph);
        let arena = solver.arena(&self.open());
        let (vertices, exits) = (arena.moves.vertices().iter(), arena.moves.exits().iter());
        let low = |node: &NodeId| &below[node.index()].low;
        let ends: Vec<BigRational> = exits.clone().map(|node| low(node).clone()).collect();
        let lower = vertices.clone().chain(exits);
        let lower: Vec<BigInt> = lower
            .map(|node| solver.places.fixed(low(node), Rounding::Down))
            .collect();
        let Some(guess) = solver.by_best_edges(&arena, &lower, &ends)? else {
            return Ok(None);
        };
        let mut values: Vec<BigRational> = below.iter().map(|share| share.low.clone()).collect();
        for (node, value) in vertices.zip(guess) {
            values[node.index()] = value;
        }
        self.proved(below, &values)
    }

    fn open(&self) -> Vec<NodeId> {
        let nodes = self.graph.nodes();
        nodes
            .filter(|node| self.graph.ending(*node).is_none())
            .collect()
    }

    /// Returns these values if they are proved to be the thresholds, which are not below the bounds:
    /// they are those of another visit, and no solution of the equations is between.
    fn proved(&self, below: &[Share], values: &[BigRational]) -> Result<Option<Vec<Share>>> {
        let fits = |(value, share): (&BigRational, &Share)| {
            share.low <= *value && *value <= BigRational::one()
        };
        if !values.iter().zip(below).all(fits) {
            return Ok(None);
        }
        let visits = self
            .accepting
            .iter()
            .map(|node| values[node.index()].clone());
        let Some(found) = self.next_visit(&visits.collect::<Vec<_>>())? else {
            return Ok(None);
        };
        let is_found = |(share, value): (&Share, &BigRational)| share.value() == Some(value);
        if !found.shares.iter().zip(values).all(is_found) {
            return Ok(None);
        }
        // In the exchanged game no solution is greater.
        let exchanged = self.graph.conjugate();
        let mut solver = self.solver(&exchanged);
        solver.law = self.law.exchanged();
        let arena = solver.arena(&self.open());
        let vertices = arena.moves.vertices().iter();
        let upper = |node: &NodeId| {
            let low = BigRational::one() - &below[node.index()].low;
            solver.places.fixed(&low, Rounding::Up)
        };
        let upper: Vec<BigInt> = vertices.clone().map(upper).collect();
        let nodes = vertices.chain(arena.moves.exits());
        let values: Vec<BigRational> = nodes
            .map(|node| BigRational::one() - &values[node.index()])
            .collect();
        let is_proved = solver.is_greatest(&arena, &upper, &values)?;
        Ok(is_proved.then_some(found.shares))
    }
}
