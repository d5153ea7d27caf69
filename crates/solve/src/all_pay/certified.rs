//! Fast equilibria with their proof.
//!
//! Any mixed bid of Alice's proves a lower bound of the value: its payoff against Bob's best
//! response. Any mixed bid of Bob's proves an upper bound. So a method need not be trusted: its
//! bids are evaluated, and the bounds that they prove are the answer, widened by the greatest
//! possible rounding error.

use std::ops::Range;

use super::matrix::Matrix;
use super::payoff::FloatEnclosure;
use super::toeplitz::{Toeplitz, dot};
use super::{BidMethod, Equilibrium};
use crate::matrix::{exact, float};
use crate::player::{PerPlayer, Player};
use crate::rules::Solver;
use crate::watch::{Asking, Context, Stop};

/// The values of a chip in the order in which they are tried, scaled so that the value of all chips
/// together is 1.
const CHIP_WORTHS: [f64; 4] = [1e-3, 1e-6, 1e-9, 1e-12];
/// The gap between the bounds, beyond the uncertainty of the payoffs and rounding, that is good
/// enough.
const GOOD_GAP: f64 = 2e-12;
/// The gap between the bounds beyond which an exact computation is worthwhile on small matrices.
const BAD_GAP: f64 = 1e-9;
/// The greatest number of cells of a small matrix.
const SMALL: usize = 2500;

/// The number of products that are added up between two checks.
const PRODUCTS: usize = 1 << 18;

/// The greatest width of a payoff's bounds at which it is replaced by their middle.
const WIDE: f64 = 1e-9;

/// Finds bids of both players with the bounds that they prove.
///
/// Where the payoffs are nearly known, one game with payoffs between their bounds serves both
/// players. Where they are not, as on cycles, Alice's bids are optimal for the lower bounds, and
/// Bob's for the upper ones.
pub(super) fn equilibrium(
    matrix: &Matrix<FloatEnclosure>,
    solver: Solver,
    context: &Context<'_>,
) -> Result<Equilibrium<FloatEnclosure>, Stop> {
    if matrix.cells().iter().all(|cell| cell.width() <= WIDE) {
        return of_known(matrix, solver, context);
    }
    // Wide payoffs need two games: bids for the middle would prove less for either side.
    let [low, high] = sides(matrix, solver, context)?;
    let value = FloatEnclosure {
        low: low.value.low,
        high: high.value.high,
    };
    let (alice, bob) = (low.strategies.alice, high.strategies.bob);
    Ok(Equilibrium::new(value, alice, bob, low.method))
}

/// Finds bids for the lower bounds as payoffs, and bids for the upper ones.
pub(super) fn sides(
    matrix: &Matrix<FloatEnclosure>,
    solver: Solver,
    context: &Context<'_>,
) -> Result<[Equilibrium<FloatEnclosure>; 2], Stop> {
    let low = matrix.map(|cell| FloatEnclosure {
        low: cell.low,
        high: cell.low,
    });
    let high = matrix.map(|cell| FloatEnclosure {
        low: cell.high,
        high: cell.high,
    });
    Ok([
        of_known(&low, solver, context)?,
        of_known(&high, solver, context)?,
    ])
}

/// Finds bids for payoffs that are known. Where Toeplitz systems do not prove enough, linear
/// programming is used, even if Toeplitz systems were asked for.
fn of_known(
    matrix: &Matrix<FloatEnclosure>,
    solver: Solver,
    context: &Context<'_>,
) -> Result<Equilibrium<FloatEnclosure>, Stop> {
    let mut search = BidSearch::new(matrix, context);
    if solver == Solver::LinearProgram {
        search.linear_program()?;
        return Ok(search.best);
    }
    // Single bids are tried first: they cost least, and their bounds have no rounding error.
    search.pure()?;
    if search.is_good() {
        return Ok(search.best);
    }
    search.toeplitz()?;
    if !search.is_good() {
        search.linear_program()?;
    }
    Ok(search.best)
}

/// The best bids found so far.
struct BidSearch<'a> {
    matrix: &'a Matrix<FloatEnclosure>,
    lows: Vec<f64>,
    highs: Vec<f64>,
    /// The gap between the bounds that is good enough for this matrix.
    good: f64,
    best: Equilibrium<FloatEnclosure>,
    context: &'a Context<'a>,
}

impl<'a> BidSearch<'a> {
    fn new(matrix: &'a Matrix<FloatEnclosure>, context: &'a Context<'a>) -> Self {
        let size = matrix.bids(Player::Alice).max(matrix.bids(Player::Bob));
        let open = matrix
            .cells()
            .iter()
            .map(FloatEnclosure::width)
            .fold(0.0, f64::max);
        let (mut alice, mut bob) = (
            vec![0.0; matrix.bids(Player::Alice)],
            vec![0.0; matrix.bids(Player::Bob)],
        );
        // Bidding nothing is a valid mixed bid, and proves the trivial bounds.
        (alice[0], bob[0]) = (1.0, 1.0);
        Self {
            matrix,
            lows: matrix.cells().iter().map(|cell| cell.low).collect(),
            highs: matrix.cells().iter().map(|cell| cell.high).collect(),
            good: open + GOOD_GAP + 2.0 * rounding(size),
            best: Equilibrium::new(
                FloatEnclosure {
                    low: 0.0,
                    high: 1.0,
                },
                alice,
                bob,
                BidMethod::Pure,
            ),
            context,
        }
    }

    fn is_good(&self) -> bool {
        self.best.value.width() <= self.good
    }

    /// Keeps bids if they prove more. Each player's bound is independent of the other's.
    fn offer(&mut self, alice: Vec<f64>, bob: Vec<f64>, method: BidMethod) -> Result<(), Stop> {
        let (low, high) = (self.guaranteed(&alice)?, self.held_to(&bob)?);
        self.raise(low, method, || alice);
        self.lower(high, method, || bob);
        Ok(())
    }

    /// Keeps bids of Alice's that prove this bound, if no better ones are known.
    fn raise(&mut self, low: f64, method: BidMethod, bids: impl FnOnce() -> Vec<f64>) {
        if low > self.best.value.low {
            self.best.value.low = low;
            self.best.strategies.alice = bids();
            self.best.method = method;
        }
    }

    /// Keeps bids of Bob's that prove this bound, if no better ones are known.
    fn lower(&mut self, high: f64, method: BidMethod, bids: impl FnOnce() -> Vec<f64>) {
        if high < self.best.value.high {
            self.best.value.high = high;
            self.best.strategies.bob = bids();
            self.best.method = method;
        }
    }

    /// Tries single bids: the lowest, and those just high enough that they cannot be beaten. The
    /// bounds that they prove are free of rounding.
    fn pure(&mut self) -> Result<(), Stop> {
        let most =
            PerPlayer::new(Player::Alice, Player::Bob).map(|player| self.matrix.bids(player) - 1);
        let least = most.alice.min(most.bob);
        let single = |player: Player, bid: usize| {
            let mut weights = vec![0.0; most[player] + 1];
            weights[bid] = 1.0;
            weights
        };
        // The poorer player can at most tie a bid of `least`, and not even tie one of a chip more.
        for bid in [0, 1, least, least + 1] {
            self.context.check()?;
            let bids = most.map(|most| bid.min(most));
            let (low, high) = match self.matrix.diagonals() {
                Some(_) => (
                    extreme(&self.lows[bids.alice..=bids.alice + most.bob], f64::lt),
                    extreme(
                        &self.highs[most.bob - bids.bob..=most.bob - bids.bob + most.alice],
                        f64::gt,
                    ),
                ),
                None => {
                    let low = (0..=most.bob).map(|bob| self.matrix.at(bids.alice, bob).low);
                    let high = (0..=most.alice).map(|alice| self.matrix.at(alice, bids.bob).high);
                    (low.fold(1.0, f64::min), high.fold(0.0, f64::max))
                }
            };
            self.raise(low, BidMethod::Pure, || single(Player::Alice, bids.alice));
            self.lower(high, BidMethod::Pure, || single(Player::Bob, bids.bob));
        }
        Ok(())
    }

    fn toeplitz(&mut self) -> Result<(), Stop> {
        if self.matrix.diagonals().is_none() {
            return Ok(());
        }
        let most =
            PerPlayer::new(Player::Alice, Player::Bob).map(|player| self.matrix.bids(player) - 1);
        let diagonals: Vec<f64> = self
            .matrix
            .cells()
            .iter()
            .map(FloatEnclosure::middle)
            .collect();
        let padded = |mut bids: Vec<f64>, player: Player| {
            bids.resize(most[player] + 1, 0.0);
            float::normalised(bids)
        };
        for worth in CHIP_WORTHS {
            let alice = Toeplitz {
                diagonals: &diagonals,
                most,
            }
            .bids(worth / (most.alice + most.bob).max(1) as f64, self.context)?;
            // The Toeplitz system was singular for this value of a chip. Another one may not be.
            if alice.iter().any(|bid| !bid.is_finite()) {
                continue;
            }
            // The matrix is constant along diagonals, so Bob's equations are Alice's in reverse
            // order.
            let bob = alice.iter().rev().copied().collect();
            self.offer(
                padded(alice, Player::Alice),
                padded(bob, Player::Bob),
                BidMethod::Toeplitz,
            )?;
            if self.is_good() {
                break;
            }
        }
        Ok(())
    }

    fn linear_program(&mut self) -> Result<(), Stop> {
        let (rows, columns) = (
            self.matrix.bids(Player::Alice),
            self.matrix.bids(Player::Bob),
        );
        let payoff = |alice, bob| self.matrix.at(alice, bob).middle();
        let (alice, bob) = float::solve(rows, columns, payoff, self.context)?;
        self.offer(alice, bob, BidMethod::LinearProgram)?;
        if self.best.value.width() > self.good + BAD_GAP && rows * columns <= SMALL {
            self.rounded()?;
        }
        Ok(())
    }

    /// Solves the linear program in exact arithmetic, on payoffs rounded to 40 binary digits.
    fn rounded(&mut self) -> Result<(), Stop> {
        use num_rational::BigRational;
        use num_traits::ToPrimitive;
        let (rows, columns) = (
            self.matrix.bids(Player::Alice),
            self.matrix.bids(Player::Bob),
        );
        let scale = (1_u64 << 40) as f64;
        #[expect(clippy::cast_possible_truncation, reason = "a value times 2^40")]
        let round = |cell: &FloatEnclosure| {
            BigRational::from_integer(((cell.middle() * scale).round() as i64).into())
        };
        let cells: Vec<BigRational> = (0..rows * columns)
            .map(|cell| round(self.matrix.at(cell / columns, cell % columns)))
            .collect();
        let payoff = |row, column| &cells[row * columns + column];
        let found = exact::solve(rows, columns, payoff, self.context)?;
        let floats = |weights: Vec<BigRational>| {
            float::normalised(
                weights
                    .iter()
                    .map(|weight| weight.to_f64().unwrap_or(0.0))
                    .collect(),
            )
        };
        self.offer(
            floats(found.rows),
            floats(found.columns),
            BidMethod::LinearProgram,
        )
    }

    /// Returns the least payoff of Alice's bids over all bids of Bob's.
    fn guaranteed(&self, alice: &[f64]) -> Result<f64, Stop> {
        let used = used(alice);
        let mut asking = Asking::every(PRODUCTS, self.context);
        let mut worst = 1.0_f64;
        for bob in 0..self.matrix.bids(Player::Bob) {
            asking.step(used.len())?;
            worst = worst.min(self.against_bob(alice, &used, bob));
        }
        Ok(if is_pure(alice) {
            worst
        } else {
            // Payoffs are at least 0, so the bound need not be lower.
            (worst / alice.iter().sum::<f64>() - rounding(alice.len())).max(0.0)
        })
    }

    /// Returns the greatest payoff that Bob's bids allow over all bids of Alice's.
    fn held_to(&self, bob: &[f64]) -> Result<f64, Stop> {
        let reversed: Vec<f64> = bob.iter().rev().copied().collect();
        let used = used(&reversed);
        let mut asking = Asking::every(PRODUCTS, self.context);
        let mut best = 0.0_f64;
        for alice in 0..self.matrix.bids(Player::Alice) {
            asking.step(used.len())?;
            best = best.max(self.against_alice(&reversed, &used, alice));
        }
        Ok(if is_pure(bob) {
            best
        } else {
            (best / bob.iter().sum::<f64>() + rounding(bob.len())).min(1.0)
        })
    }

    fn against_bob(&self, alice: &[f64], used: &Range<usize>, bob: usize) -> f64 {
        if self.matrix.diagonals().is_none() {
            return used
                .clone()
                .map(|bid| alice[bid] * self.matrix.at(bid, bob).low)
                .sum();
        }
        let payoffs = &self.lows[self.matrix.bids(Player::Bob) - 1 - bob..];
        dot(&alice[used.clone()], &payoffs[used.clone()])
    }

    /// Returns the payoff of Bob's bids, given in reverse order, against a bid of Alice's.
    fn against_alice(&self, reversed: &[f64], used: &Range<usize>, alice: usize) -> f64 {
        if self.matrix.diagonals().is_none() {
            let most = reversed.len() - 1;
            return used
                .clone()
                .map(|place| reversed[place] * self.matrix.at(alice, most - place).high)
                .sum();
        }
        dot(&reversed[used.clone()], &self.highs[alice..][used.clone()])
    }
}

/// Returns the number among these that comes before all others, in eight partial results that the
/// processor can find in parallel.
fn extreme(numbers: &[f64], before: impl Fn(&f64, &f64) -> bool) -> f64 {
    let first = |a: f64, b: f64| if before(&b, &a) { b } else { a };
    let eights = numbers.chunks_exact(8);
    let rest = eights
        .remainder()
        .iter()
        .fold(numbers[0], |a, b| first(a, *b));
    let mut lanes = [rest; 8];
    for eight in eights {
        for (lane, number) in lanes.iter_mut().zip(eight) {
            *lane = first(*lane, *number);
        }
    }
    lanes.into_iter().fold(rest, first)
}

/// Returns the range from the first bid that has weight to the last.
fn used(weights: &[f64]) -> Range<usize> {
    let first = weights
        .iter()
        .position(|weight| *weight != 0.0)
        .unwrap_or(0);
    first
        ..weights
            .iter()
            .rposition(|weight| *weight != 0.0)
            .map_or(0, |last| last + 1)
}

/// Returns whether all weight is on one bid. Then there is no sum, and nothing is rounded.
pub(super) fn is_pure(weights: &[f64]) -> bool {
    weights.iter().filter(|weight| **weight != 0.0).count() == 1 && weights.contains(&1.0)
}

/// Bounds the effect of rounding on a mean of `terms` payoffs between 0 and 1. Products, sums in
/// any order, and the division by the sum of the weights are each off by at most (n + 1) units in
/// the last place (Higham, 2002, section 3.1), and the bound allows for more.
pub(super) fn rounding(terms: usize) -> f64 {
    (2.0 * terms as f64 + 8.0) * f64::EPSILON
}
