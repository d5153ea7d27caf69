//! Fast equilibria with their proof.
//!
//! Any mixed bid of Alice's proves a lower bound of the value: its payoff against Bob's best
//! response. Any mixed bid of Bob's proves an upper bound. So a method need not be trusted: its
//! bids are evaluated, and the bounds that they prove are the answer, widened by the greatest
//! possible rounding error.

use std::ops::Range;

use super::matrix::Matrix;
use super::payoff::FloatEnclosure;
use super::sums::{LeastSum, WINDOWS, additions, least, sum};
use super::toeplitz::Toeplitz;
use super::{BidMethod, Equilibrium};
use crate::matrix::{exact, float};
use crate::number::vectorised::vectorised;
use crate::player::{PerPlayer, Player};
use crate::rules::Solver;
use crate::watch::{Asking, Context, Stop};

/// The values of a chip in the order in which they are tried, scaled so that the value of all chips
/// together is 1. The first serves nearly always; the greatest is for turns in which rounding spoils
/// all smaller ones.
const CHIP_WORTHS: [f64; 5] = [1e-5, 1e-7, 1e-9, 1e-12, 1e-3];
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
    /// The payoffs that each player can be sure of, those of Bob negative: by the difference of the
    /// bids, the opponent's greatest bid first, or by the player's own bid and then the opponent's.
    payoffs: PerPlayer<Vec<f64>>,
    /// The gap between the bounds that is good enough for this matrix.
    good: f64,
    best: Equilibrium<FloatEnclosure>,
    context: &'a Context<'a>,
}

impl<'a> BidSearch<'a> {
    fn new(matrix: &'a Matrix<FloatEnclosure>, context: &'a Context<'a>) -> Self {
        let (rows, columns) = (matrix.bids(Player::Alice), matrix.bids(Player::Bob));
        let open = matrix
            .cells()
            .iter()
            .map(FloatEnclosure::width)
            .fold(0.0, f64::max);
        let lows = matrix.cells().iter().map(|cell| cell.low).collect();
        let highs = match matrix.diagonals() {
            // Seen from Bob, the differences are in reverse order.
            Some(differences) => differences.iter().rev().map(|cell| -cell.high).collect(),
            None => (0..columns)
                .flat_map(|bob| (0..rows).map(move |alice| -matrix.at(alice, bob).high))
                .collect(),
        };
        let (mut alice, mut bob) = (vec![0.0; rows], vec![0.0; columns]);
        // Bidding nothing is a valid mixed bid, and proves the trivial bounds.
        (alice[0], bob[0]) = (1.0, 1.0);
        Self {
            matrix,
            payoffs: PerPlayer::new(lows, highs),
            good: open + GOOD_GAP + 2.0 * rounding(additions(rows.max(columns))),
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
        let low = self.guaranteed(Player::Alice, &alice)?.max(0.0);
        let high = (0.0 - self.guaranteed(Player::Bob, &bob)?).min(1.0);
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
        let poorer = most.alice.min(most.bob);
        let single = |player: Player, bid: usize| {
            let mut weights = vec![0.0; most[player] + 1];
            weights[bid] = 1.0;
            weights
        };
        // The poorer player can at most tie the bid `poorer`, and not even tie one of a chip more.
        for bid in [0, 1, poorer, poorer + 1] {
            self.context.check()?;
            let bids = most.map(|most| bid.min(most));
            let worst = |player: Player| {
                let (bid, others) = (bids[player], most[player.other()] + 1);
                let first = match self.matrix.diagonals() {
                    Some(_) => bid,
                    None => bid * others,
                };
                least(&self.payoffs[player][first..first + others])
            };
            let (low, high) = (worst(Player::Alice), 0.0 - worst(Player::Bob));
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

    /// Returns what a player's bids get against the best reply.
    fn guaranteed(&self, player: Player, bids: &[f64]) -> Result<f64, Stop> {
        let (used, others) = (used(bids), self.matrix.bids(player.other()));
        let (weights, payoffs) = (&bids[used.clone()], &self.payoffs[player]);
        let worst = if self.matrix.diagonals().is_some() {
            self.least_mean(
                weights,
                &payoffs[used.start..used.end + others - 1],
                used.end,
            )?
        } else {
            let mut asking = Asking::every(PRODUCTS, self.context);
            let mut worst = f64::INFINITY;
            for other in 0..others {
                asking.step(used.len())?;
                let payoffs = used.clone().map(|own| payoffs[own * others + other]);
                worst = worst.min(sum(weights.iter().zip(payoffs).map(|(a, b)| a * b)));
            }
            worst
        };
        Ok(if is_pure(bids) {
            worst
        } else {
            worst / sum(weights.iter().copied()) - rounding(additions(used.len()))
        })
    }

    /// Returns the least mean of the payoffs over all bids of the opponent's, where they depend on
    /// the difference of the bids. All of the player's bids are below `bound`.
    ///
    /// The opponent's bids from `bound` on beat all of them. Paying more for that hardly ever helps,
    /// so these are bounded at once: none of them holds the player to less than the payoffs for
    /// `bound` would, each lowered to the least of those for greater bids.
    fn least_mean(&self, weights: &[f64], payoffs: &[f64], bound: usize) -> Result<f64, Stop> {
        let mut asking = Asking::every(PRODUCTS, self.context);
        let replies = payoffs.len() + 1 - weights.len();
        let mut among = |places: Range<usize>| {
            let mut worst = f64::INFINITY;
            for start in places.step_by(WINDOWS) {
                asking.step(WINDOWS * weights.len())?;
                // The last windows are taken together with some before them.
                let start = start.min(replies.saturating_sub(WINDOWS));
                let numbers = &payoffs[start..];
                worst = worst.min(vectorised(LeastSum { weights, numbers }));
            }
            Ok(worst)
        };
        // The greatest bids come first.
        let beating = replies.saturating_sub(bound);
        let worst = among(beating..replies)?;
        if beating == 0 {
            return Ok(worst);
        }
        let mut least = f64::INFINITY;
        let lowered = payoffs[..beating - 1 + weights.len()].iter().map(|payoff| {
            least = least.min(*payoff);
            least
        });
        let lowered = lowered.skip(beating - 1);
        let beaten = sum(weights.iter().zip(lowered).map(|(a, b)| a * b));
        let nearly = worst - rounding(additions(weights.len())) / 4.0;
        Ok(if beaten >= nearly {
            worst.min(beaten)
        } else {
            worst.min(among(0..beating)?)
        })
    }
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

/// Bounds the effect of rounding on a mean of payoffs between 0 and 1, in whose sums each term goes
/// through at most n additions. The products, the sums, and the division by the sum of the weights
/// are off by at most 2 (n + 1) units in the last place (Higham, 2002, section 3.1), and the bound
/// allows for more.
pub(super) fn rounding(additions: usize) -> f64 {
    (2.0 * additions as f64 + 8.0) * f64::EPSILON
}
