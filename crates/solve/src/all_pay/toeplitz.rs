//! Optimal bids from Toeplitz systems: the method of Menz, Wang & Xie, section 4, in one sweep.
//!
//! Let T be the payoff matrix with Bob's bids as rows and Alice's as columns, `T[j][i] = α(i − j)`,
//! and `T(ℓ)` its leading ℓ × ℓ part. In a precise game both players have optimal bids of the same
//! length ℓ without gaps, so that Alice's solve `T(ℓ) s ∝ 1` (Theorem 3.5). With the order of its
//! rows and of its columns reversed T is its own transpose, so Bob's are the reverse of Alice's
//! (the Reverse Theorem, 2.3). For k ≤ ℓ the solution of `T(k) s = 1` is nowhere negative, for k >
//! ℓ it is somewhere (Lemmas 4.1, 4.2).
//!
//! The paper searches ℓ by bisection and solves a system for each k it tries. Levinson's recursion
//! computes the solutions for k = 1, 2, 3, … anyway: it can stop at the first negative entry, in
//! `O(ℓ²)` steps altogether.
//!
//! An imprecise game is made precise by giving every chip a small value x (section 3): `M = T + x
//! (j − i)`. The bids without this value follow from those with it. For bids s with sum 1 that make
//! `T s` constant, `M s` is constant but for `x j`; so `s = c u + x y`, where `M u = 1`, `M y = (0,
//! 1, 2, …)` and c makes the sum 1. There is no error from the perturbation, which only has to be
//! small enough not to change the length (Lemma 3.9, Corollary 3.10). The sufficient size is not
//! known beforehand: the caller certifies, and tries a smaller one.

use crate::convert::fit;
use crate::number::vectorised::{RowLoop, vectorised};
use crate::player::PerPlayer;
use crate::watch::{Asking, Context, Stop};

/// The number of entries of the systems that are processed between two checks.
const STEPS: usize = 1 << 16;

/// A constant that is added to every payoff. The bids stay the same, and more of the leading
/// systems have a solution.
const SHIFT: f64 = 1.0;

/// A Toeplitz matrix, given by the payoffs for the differences of the bids from `-most.bob` to
/// `most.alice`.
#[derive(Debug, Clone, Copy)]
pub struct Toeplitz<'a> {
    /// Payoffs to Alice, by the difference of the bids.
    pub diagonals: &'a [f64],
    /// The highest bids.
    pub most: PerPlayer<usize>,
}

impl Toeplitz<'_> {
    /// Returns Alice's bids, with sum 1, that are optimal if the game becomes precise when each
    /// chip is worth `chip`, and that is small enough. Bob's are the reverse.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn bids(&self, chip: f64, context: &Context<'_>) -> Result<Vec<f64>, Stop> {
        let mut systems = Levinson::new(self, chip);
        let mut asking = Asking::every(STEPS, context);
        while vectorised(Step(&mut systems)) {
            asking.step(systems.length)?;
        }
        Ok(systems.bids(chip))
    }

    fn payoff(&self, difference: isize, chip: f64) -> f64 {
        let index = self
            .most
            .bob
            .checked_add_signed(difference)
            .expect("no difference exceeds the bids");
        self.diagonals[index] - chip * difference as f64 + SHIFT
    }
}

/// Levinson's recursion over the leading systems `M(k)`, as far as `M(k) u = 1` has a solution that
/// is nowhere negative.
///
/// The first and the last column of the inverse of `M(k)`, scaled to have 1 in the corner, solve
/// `M(k) first = error · (1, 0, …, 0)` and `M(k) last = error · (0, …, 0, 1)`. Extended by a zero
/// at the end or at the start, each leaves a residue only at that end, and the residue of each is
/// removed by a multiple of the other.
struct Levinson {
    /// `α(0), α(1), …`
    up: Vec<f64>,
    /// `…, α(−1), α(0)`
    down: Vec<f64>,
    first: Vec<f64>,
    /// The last column, stored at the end of the vector because it grows at the front.
    last: Vec<f64>,
    error: f64,
    /// `M(k) u = 1`
    ones: LeadingSolution,
    /// `M(k) y = (0, 1, 2, …)`
    counts: LeadingSolution,
    length: usize,
}

/// The step from a leading system to the next.
struct Step<'a>(&'a mut Levinson);

impl RowLoop for Step<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const WIDE: bool>(self) -> bool {
        self.0.step()
    }
}

/// The solution of a leading system, and space for that of the next.
struct LeadingSolution {
    known: Vec<f64>,
    next: Vec<f64>,
}

impl LeadingSolution {
    fn new(first: f64, most: usize) -> Self {
        let mut known = vec![0.0; most];
        known[0] = first;
        Self {
            known,
            next: vec![0.0; most],
        }
    }

    /// Computes the next solution: the known one extended by a zero, plus a multiple of the last
    /// column.
    #[inline(always)]
    fn extend(&mut self, weight: f64, last: &[f64]) {
        for ((next, known), last) in self.next.iter_mut().zip(&self.known).zip(last) {
            *next = known + weight * last;
        }
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.known, &mut self.next);
    }
}

impl Levinson {
    fn new(matrix: &Toeplitz<'_>, chip: f64) -> Self {
        let most = matrix.most.alice.min(matrix.most.bob) + 1;
        let payoff =
            |difference: usize, sign: isize| matrix.payoff(fit::<isize>(difference) * sign, chip);
        let up: Vec<f64> = (0..most).map(|difference| payoff(difference, 1)).collect();
        let down = (0..most)
            .rev()
            .map(|difference| payoff(difference, -1))
            .collect();
        let (mut first, mut last) = (vec![0.0; most], vec![0.0; most]);
        (first[0], last[most - 1]) = (1.0, 1.0);
        let (error, ones, counts) = (
            up[0],
            LeadingSolution::new(1.0 / up[0], most),
            LeadingSolution::new(0.0, most),
        );
        Self {
            up,
            down,
            first,
            last,
            error,
            ones,
            counts,
            length: 1,
        }
    }

    /// Goes from k to k + 1. Returns `false` if there is no such system, or its solution is not
    /// finite or somewhere negative.
    #[inline(always)]
    fn step(&mut self) -> bool {
        let (k, most) = (self.length, self.up.len());
        if k == most {
            return false;
        }
        let row = &self.down[most - 1 - k..][..k];
        let below = dot(row, &self.first[..k]) / self.error;
        let above = dot(&self.up[1..=k], &self.last[most - k..]) / self.error;
        // A singular system makes this 0, and the quotients below are then not finite.
        let error = self.error * (1.0 - below * above);
        let of_ones = (1.0 - dot(row, &self.ones.known[..k])) / error;
        let of_counts = (k as f64 - dot(row, &self.counts.known[..k])) / error;
        if !(of_ones.is_finite() && of_counts.is_finite()) {
            return false;
        }
        let last = &mut self.last[most - 1 - k..];
        mend(&mut self.first[..=k], last, below, above);
        self.ones.extend(of_ones, last);
        self.counts.extend(of_counts, last);
        // The systems up to the optimal length have no negative entry, and all longer ones do.
        if any_negative(&self.ones.next[..=k]) {
            return false;
        }
        self.ones.accept();
        self.counts.accept();
        (self.error, self.length) = (error, k + 1);
        true
    }

    /// Returns the bids of the length reached.
    fn bids(&self, chip: f64) -> Vec<f64> {
        let (ones, counts) = (
            &self.ones.known[..self.length],
            &self.counts.known[..self.length],
        );
        let scale = (1.0 - chip * counts.iter().sum::<f64>()) / ones.iter().sum::<f64>();
        ones.iter()
            .zip(counts)
            // Rounding, or a chip that is worth too much, may leave negative weights.
            .map(|(one, count)| (scale * one + chip * count).max(0.0))
            .collect()
    }
}

/// Subtracts from both columns a multiple of the other one.
#[inline(always)]
fn mend(first: &mut [f64], last: &mut [f64], below: f64, above: f64) {
    for (first, last) in first.iter_mut().zip(last) {
        (*first, *last) = (*first - below * *last, *last - above * *first);
    }
}

/// Returns whether any number is negative, by the sign bits, which the processor can combine in
/// parallel.
#[inline(always)]
fn any_negative(numbers: &[f64]) -> bool {
    numbers
        .iter()
        .fold(0, |signs, number| signs | number.to_bits())
        >> 63
        == 1
}

/// Returns the dot product, in eight partial sums that the processor can add in parallel.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (eights_a, eights_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = eights_a
        .remainder()
        .iter()
        .zip(eights_b.remainder())
        .map(|(a, b)| a * b)
        .sum();
    let mut sums = [0.0; 8];
    for (a, b) in eights_a.zip(eights_b) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Context;

    /// Checks the matrix printed in section 2 of the paper, by Alice's difference: with 5 chips she
    /// has to make two moves before Bob, with 3, makes one.
    #[test]
    fn the_example_of_the_paper() {
        // Difference d leaves Alice 5 − d chips. A won bid wins if she is then the richer; a lost
        // one loses the game.
        let payoff = |difference: i32| {
            if difference >= 0 && 5 - difference >= 3 + difference {
                1.0
            } else {
                0.0
            }
        };
        let diagonals: Vec<f64> = (-3..=5).map(payoff).collect();
        let bids = Toeplitz {
            diagonals: &diagonals,
            most: PerPlayer::new(5, 3),
        }
        .bids(1e-6, Context::plain())
        .expect("nothing stops it");
        assert!(
            bids.iter().all(|bid| *bid >= 0.0) && (bids.iter().sum::<f64>() - 1.0).abs() < 1e-12,
            "{bids:?}"
        );
        let worst = (0..=3).map(|bob| {
            bids.iter()
                .zip(0..)
                .map(|(bid, alice)| bid * payoff(alice - bob))
                .sum::<f64>()
        });
        assert!((worst.fold(1.0, f64::min) - 0.5).abs() < 1e-9, "{bids:?}");
    }

    #[test]
    fn dot_products_of_any_length() {
        for len in 0..40 {
            let a: Vec<f64> = (0..len).map(f64::from).collect();
            assert_eq!(dot(&a, &a), (0..len).map(|n| f64::from(n * n)).sum::<f64>());
        }
    }
}
