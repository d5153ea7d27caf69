//! The proof that rationals are the thresholds where players receive income: that a solution is the
//! greatest one, g.
//!
//! If a round of Φ changes nothing, and nothing has been rounded, the result is g. Otherwise let `x =
//! Φ(x)` exactly, so that x ≤ g, and let g ≤ V, with V(v) = 1 where x(v) = 1. Under Richman bidding
//! let H(v) be the value of Φ at v for the arguments V if Alice keeps the best edge that she has by
//! x, and if nothing is cut off at 1. If `H(v) < V(v)` wherever `x(v) < V(v)`, then g = x. For
//! along the way from x to V the value of Bob's best edge is convex, the value of Alice's edge is
//! linear, and cutting off at 0 is convex. So after the part s of the way the value of Φ is at most
//! the part s of the way from x(v) to H(v), which is less than that from x(v) to V(v). Let s be the
//! greatest part of the way at which g lies at any vertex, v: there `g(v) = Φ(g)(v)` would be less
//! than g(v), unless s is 0. The method by which x was found does not matter: it is guessed from
//! the bounds.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{IncomeArena, IncomeSolver};
use crate::diagnostic::Result;
use crate::law::best::BestValues;
use crate::player::Player;
use crate::richman::taxman::cyclic::sides;
use crate::richman::taxman::law::PositionIncome;

impl IncomeSolver<'_> {
    /// Returns whether a solution is proved to be the greatest one that is not above the bounds.
    pub(in crate::richman::taxman) fn is_greatest(
        &self,
        arena: &IncomeArena,
        upper: &[BigInt],
        values: &[BigRational],
    ) -> Result<bool> {
        let chosen: Vec<Option<usize>> = (0..arena.moves.len)
            .map(|vertex| {
                arena
                    .heads(vertex, Player::Alice)
                    .min_by_key(|head| &values[*head])
            })
            .collect();
        let Some(spread) = self.spread(arena, values, &chosen)? else {
            return Ok(false);
        };
        let spread: Vec<BigRational> = spread
            .into_iter()
            .map(|spread| BigRational::from_float(spread).unwrap_or_default())
            .collect();
        // The point on the way along the spread that is as far as the bounds are at any vertex.
        let open: Vec<usize> = (0..arena.moves.len)
            .filter(|vertex| !values[*vertex].is_one())
            .collect();
        let along = |vertex: &usize| {
            (self.places.rational(&upper[*vertex]) - &values[*vertex]) / &spread[*vertex]
        };
        // If no vertex is open, every value is 1, and no solution is greater.
        let Some(part) = open.iter().map(along).max() else {
            return Ok(true);
        };
        // The solution lies at the upper bounds, so no solution below them exceeds it.
        if part <= BigRational::zero() {
            return Ok(true);
        }
        let mut far: Vec<BigRational> = (0..arena.moves.len)
            .map(|vertex| &values[vertex] + &spread[vertex] * &part)
            .collect();
        far.extend_from_slice(&values[arena.moves.len..]);
        let half = BigRational::new(1.into(), 2.into());
        let falls = |vertex: &usize| {
            let vertex = *vertex;
            let alice = chosen[vertex].map(|head| far[head].clone());
            let bob = arena
                .heads(vertex, Player::Bob)
                .map(|head| &far[head])
                .max();
            // Alice keeps the edge that she chose, whereas Bob takes his best one at the far point.
            let share = BestValues::of(alice, bob.cloned()).turn(|a, b| (a + b) * &half);
            let income = &arena.incomes[vertex].income;
            // Nothing is cut off at 1 here: the proof needs a function that is convex along the
            // way.
            let made = income.before(&share).max(BigRational::zero());
            made < far[vertex]
        };
        Ok(open.iter().all(falls))
    }

    /// Computes the effect of an increase of one unit at every vertex on a solution, in floats.
    /// Returns `None` if it is unbounded.
    fn spread(
        &self,
        arena: &IncomeArena,
        values: &[BigRational],
        chosen: &[Option<usize>],
    ) -> Result<Option<Vec<f64>>> {
        const ROUNDS: usize = 4096;
        const FARTHEST: f64 = 1e9;
        let best: Vec<Vec<usize>> = (0..arena.moves.len)
            .map(|vertex| {
                let heads = arena.heads(vertex, Player::Bob);
                let most = heads.clone().map(|head| &values[head]).max();
                heads.filter(|head| Some(&values[*head]) == most).collect()
            })
            .collect();
        let cut = |vertex: usize| {
            let (low, high) = sides(&arena.moves, values, vertex);
            let income = &arena.incomes[vertex].income;
            self.law.unbounded(low, high, income).is_negative()
        };
        let stretch = |position: &PositionIncome| position.income.whole().to_f64().unwrap_or(1.0);
        let stretch: Vec<f64> = arena.incomes.iter().map(stretch).collect();
        let cut: Vec<bool> = (0..arena.moves.len).map(cut).collect();
        let mut spread: Vec<f64> = values[..arena.moves.len]
            .iter()
            .map(|value| if value.is_one() { 0.0 } else { 1.0 })
            .collect();
        for _ in 0..ROUNDS {
            self.context.check()?;
            let mut moved = false;
            for vertex in
                (0..arena.moves.len).filter(|vertex| !cut[*vertex] && !values[*vertex].is_one())
            {
                let of = |head: usize| spread.get(head).copied().unwrap_or(0.0);
                let alice = chosen[vertex].map(of);
                let bob = best[vertex].iter().map(|head| of(*head)).reduce(f64::max);
                let made = 1.0 + BestValues::of(alice, bob).turn(f64::midpoint) * stretch[vertex];
                // The effect grows without bound, so no multiple of it can fall everywhere.
                if made > FARTHEST {
                    return Ok(None);
                }
                // A relative test ends the rounds before rounding errors keep them going.
                moved |= made > spread[vertex] * (1.0 + 1e-9);
                spread[vertex] = made;
            }
            if !moved {
                break;
            }
        }
        // The way need not be exact: it is checked in rationals.
        Ok(Some(spread))
    }
}
