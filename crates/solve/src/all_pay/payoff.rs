//! Values of a position to Alice: exact rationals, or two bounds that enclose the value.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::kept::Enclosed;
use super::matrix::Matrix;
use super::standing::{self, Lasting};
use super::table::AllPayWork;
use super::{Budgets, Equilibrium, certified, cycles};
use crate::game::NodeId;
use crate::matrix::exact;
use crate::player::Player;
use crate::rules::Solver;
use crate::scalar::{Interval, Scalar};
use crate::watch::{Context, Stop};

/// Values between which players or a coin choose.
pub trait Worth: Clone + Send + Sync {
    /// Returns the result for a player who can choose between two values.
    #[must_use]
    fn either(&self, other: &Self, player: Player) -> Self;

    /// Returns the mean of two values.
    #[must_use]
    fn mean(&self, other: &Self) -> Self;
}

/// A number type in which values are computed.
pub trait Payoff: Worth + PartialEq + Hash {
    /// The type of the probability of a bid.
    type Probability: Clone + std::fmt::Debug + Send + Sync + Zero;

    /// Returns a number of half wins.
    fn halves(halves: u8) -> Self;

    /// Compares two outcomes for a player who can have either: the one that guarantees more is
    /// greater.
    fn compare(&self, other: &Self, player: Player) -> Ordering;

    /// Solves the bids of one turn.
    ///
    /// # Errors
    /// If the work is stopped.
    fn equilibrium(
        matrix: &Matrix<Self>,
        solver: Solver,
        context: &Context<'_>,
    ) -> Result<Equilibrium<Self>, Stop>;

    /// Solves the bids of a turn that begins anew when both bid nothing, where repeating that for
    /// ever is worth `endless`.
    ///
    /// # Errors
    /// If the work is stopped.
    fn lasting(
        matrix: &Matrix<Self>,
        endless: &Self,
        solver: Solver,
        context: &Context<'_>,
    ) -> Result<Lasting<Self>, Stop>;

    /// Estimates the cost of an arithmetic operation in a matrix of these values, in machine words.
    ///
    /// # Errors
    /// If the work is stopped.
    fn cost<'a>(values: impl Iterator<Item = &'a Self>, context: &Context<'_>) -> Result<u64, Stop>
    where
        Self: 'a;

    /// Fills the rows of the positions of a cycle, whose successors outside it are solved. Returns
    /// the strategies there.
    ///
    /// # Errors
    /// If the work is stopped.
    fn enclose(
        work: AllPayWork<'_>,
        budgets: &Budgets,
        members: &[NodeId],
        rows: &mut [Option<Vec<Self>>],
    ) -> Result<Enclosed<Self::Probability>, Stop>;
}

impl Worth for BigRational {
    fn either(&self, other: &Self, player: Player) -> Self {
        if self.compare(other, player).is_ge() {
            self.clone()
        } else {
            other.clone()
        }
    }

    fn mean(&self, other: &Self) -> Self {
        (self + other) / (Self::one() + Self::one())
    }
}

impl Payoff for BigRational {
    type Probability = BigRational;

    fn halves(halves: u8) -> Self {
        Self::new(halves.into(), 2.into())
    }

    fn compare(&self, other: &Self, player: Player) -> Ordering {
        match player {
            Player::Alice => self.cmp(other),
            Player::Bob => other.cmp(self),
        }
    }

    fn equilibrium(
        matrix: &Matrix<Self>,
        _: Solver,
        context: &Context<'_>,
    ) -> Result<Equilibrium<Self>, Stop> {
        let (alice, bob) = (matrix.bids(Player::Alice), matrix.bids(Player::Bob));
        let found = exact::solve(alice, bob, |row, column| matrix.at(row, column), context)?;
        let method = super::BidMethod::Exact;
        Ok(Equilibrium::new(
            found.value,
            found.rows,
            found.columns,
            method,
        ))
    }

    fn lasting(
        _: &Matrix<Self>,
        _: &Self,
        _: Solver,
        _: &Context<'_>,
    ) -> Result<Lasting<Self>, Stop> {
        unreachable!("exact values of turns that may be repeated for ever are refused")
    }

    fn cost<'a>(
        values: impl Iterator<Item = &'a Self>,
        context: &Context<'_>,
    ) -> Result<u64, Stop> {
        /// The number of bits beyond which the exact cost does not matter, because it is too high.
        const MOST: u64 = 1 << 20;
        let mut common = num_bigint::BigInt::one();
        let mut count = 0;
        for value in values {
            count += 1;
            context.check()?;
            common = num_integer::Integer::lcm(&common, value.denom());
            // The multiple only grows, and computing it any further would itself take long.
            if common.bits() > MOST {
                return Ok(u64::MAX);
            }
        }
        // The entries of the tableau are subdeterminants: as many times as long as the matrix has
        // rows, half of `count` at most.
        let words = common.bits() / 64 * (count / 4).max(1) + 1;
        Ok(words.saturating_mul(words))
    }

    fn enclose(
        _: AllPayWork<'_>,
        _: &Budgets,
        _: &[NodeId],
        _: &mut [Option<Vec<Self>>],
    ) -> Result<Enclosed<BigRational>, Stop> {
        unreachable!("exact values of games with cycles are refused")
    }
}

/// Bounds that enclose a value, proved by a strategy of each player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatEnclosure {
    /// The payoff that Alice guarantees.
    pub low: f64,
    /// The payoff that Bob holds her to.
    pub high: f64,
}

impl FloatEnclosure {
    /// Returns the middle of the bounds.
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// Returns the distance of the bounds.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

impl Hash for FloatEnclosure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for bound in [self.low, self.high] {
            // Zeros of both signs are equal, and adding makes both positive.
            (bound + 0.0).to_bits().hash(state);
        }
    }
}

impl Worth for FloatEnclosure {
    fn either(&self, other: &Self, player: Player) -> Self {
        match player {
            Player::Alice => Self {
                low: self.low.max(other.low),
                high: self.high.max(other.high),
            },
            Player::Bob => Self {
                low: self.low.min(other.low),
                high: self.high.min(other.high),
            },
        }
    }

    fn mean(&self, other: &Self) -> Self {
        // Halving is exact. Where the sum is rounded to nearest, one step outwards encloses it.
        let low = (self.low + other.low) / 2.0;
        let high = (self.high + other.high) / 2.0;
        Self {
            low: if is_exact_sum(self.low, other.low) {
                low
            } else {
                // Payoffs lie between 0 and 1, so a bound need not leave that range.
                low.next_down().max(0.0)
            },
            high: if is_exact_sum(self.high, other.high) {
                high
            } else {
                high.next_up().min(1.0)
            },
        }
    }
}

impl Payoff for FloatEnclosure {
    type Probability = f64;

    fn halves(halves: u8) -> Self {
        let value = f64::from(halves) / 2.0;
        Self {
            low: value,
            high: value,
        }
    }

    fn compare(&self, other: &Self, player: Player) -> Ordering {
        match player {
            Player::Alice => self.low.total_cmp(&other.low),
            // Bob's guarantee is the upper bound, and less is better for him.
            Player::Bob => other.high.total_cmp(&self.high),
        }
    }

    fn equilibrium(
        matrix: &Matrix<Self>,
        solver: Solver,
        context: &Context<'_>,
    ) -> Result<Equilibrium<Self>, Stop> {
        certified::equilibrium(matrix, solver, context)
    }

    fn lasting(
        matrix: &Matrix<Self>,
        endless: &Self,
        solver: Solver,
        context: &Context<'_>,
    ) -> Result<Lasting<Self>, Stop> {
        standing::enclosed(matrix, endless, solver, context)
    }

    fn cost<'a>(_: impl Iterator<Item = &'a Self>, _: &Context<'_>) -> Result<u64, Stop> {
        // Floats have a fixed length, so only exact arithmetic has a cost.
        Ok(0)
    }

    fn enclose(
        work: AllPayWork<'_>,
        budgets: &Budgets,
        members: &[NodeId],
        rows: &mut [Option<Vec<Self>>],
    ) -> Result<Enclosed<Self::Probability>, Stop> {
        cycles::enclose(work, budgets, members, rows)
    }
}

/// Returns whether adding two numbers is exact: the error of the sum is itself a float, and this
/// computes it (Knuth, TAOCP 2, 4.2.2).
fn is_exact_sum(a: f64, b: f64) -> bool {
    let sum = a + b;
    let part = sum - a;
    (a - (sum - part)) + (b - part) == 0.0
}

impl From<&FloatEnclosure> for Scalar {
    fn from(value: &FloatEnclosure) -> Self {
        match BigRational::from_float(value.low) {
            // Bounds that coincide enclose a single number, which is then reported as exact.
            Some(exact) if value.width() == 0.0 => Self::from(&exact),
            _ => Self::Interval(Interval {
                low: value.low,
                high: value.high,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_enclosures_encloses_the_mean() {
        let third = FloatEnclosure {
            low: 0.333_333,
            high: 1.0 / 3.0 + f64::EPSILON,
        };
        let mean = third.mean(&FloatEnclosure::halves(2));
        assert!(mean.low < 2.0 / 3.0 && mean.high > 2.0 / 3.0 && mean.width() < 1e-6);
        assert_eq!(
            FloatEnclosure::halves(1).mean(&FloatEnclosure::halves(1)),
            FloatEnclosure::halves(1)
        );
        assert_eq!(
            FloatEnclosure::halves(0).mean(&FloatEnclosure::halves(2)),
            FloatEnclosure::halves(1)
        );
    }

    #[test]
    fn a_player_who_chooses_is_guaranteed_the_better_bound() {
        let (wide, narrow) = (
            FloatEnclosure {
                low: 0.1,
                high: 0.9,
            },
            FloatEnclosure {
                low: 0.4,
                high: 0.5,
            },
        );
        assert_eq!(
            wide.either(&narrow, Player::Alice),
            FloatEnclosure {
                low: 0.4,
                high: 0.9
            }
        );
        assert_eq!(
            wide.either(&narrow, Player::Bob),
            FloatEnclosure {
                low: 0.1,
                high: 0.5
            }
        );
        assert!(
            narrow.compare(&wide, Player::Alice).is_gt()
                && narrow.compare(&wide, Player::Bob).is_gt()
        );
    }
}
