//! Optimal bids from Toeplitz systems: the method of Menz, Wang & Xie, section 4, in one sweep.
//!
//! Let T be the payoff matrix with Bob's bids as rows and Alice's as columns, `T[j][i] = α(i − j)`, and `T(ℓ)` its leading ℓ × ℓ part. In a
//! precise game both players have optimal bids of the same length ℓ without gaps, so that Alice's solve `T(ℓ) s ∝ 1` (Theorem 3.5).
//! Turned upside down and left to right T is its own transpose, so Bob's are the reverse of Alice's (the Reverse Theorem, 2.3). For
//! k ≤ ℓ the solution of `T(k) s = 1` is nowhere negative, for k > ℓ it is somewhere (Lemmas 4.1, 4.2).
//!
//! The paper searches ℓ by halving and solves a system for each k it tries. Levinson's recursion passes through the solutions for
//! k = 1, 2, 3, … anyway: it can stop at the first negative entry, in `O(ℓ²)` steps altogether.
//!
//! An imprecise game is made precise by giving every chip a small worth x (section 3). On an interval of x near 0 the length is constant and
//! the bids are linear in x (Lemma 3.9), so that twice the bids for x less those for 2x are optimal bids for 0, without error from
//! the perturbation. How small x must be is not known beforehand: the caller certifies, and tries a smaller one.

use crate::game::PerPlayer;

/// Added to every payoff: the bids stay the same, and more of the leading systems have a solution.
const SHIFT: f64 = 1.0;

/// A Toeplitz matrix, given by what differences of the bids from `-most.bob` to `most.alice` lead to.
#[derive(Debug, Clone, Copy)]
pub struct Toeplitz<'a> {
    /// Payoffs to Alice, by the difference of the bids.
    pub diagonals: &'a [f64],
    /// The highest bids.
    pub most: PerPlayer<usize>,
}

impl Toeplitz<'_> {
    /// Alice's bids, with sum 1, that are optimal if the game becomes precise when each chip is worth `chip` and is so small enough. Bob's
    /// are the reverse.
    pub fn bids(&self, chip: f64) -> Vec<f64> {
        let once = Levinson::new(self, chip).longest();
        let twice = Levinson::new(self, 2.0 * chip).of_length(once.len());
        let Some(twice) = twice else { return once };
        once.iter().zip(&twice).map(|(once, twice)| (2.0 * once - twice).max(0.0)).collect()
    }

    fn payoff(&self, difference: isize, chip: f64) -> f64 {
        let index = self.most.bob.checked_add_signed(difference).expect("no difference exceeds the bids");
        self.diagonals[index] - chip * difference as f64 + SHIFT
    }
}

/// Levinson's recursion for `T(k) s = 1`, with the first and last columns of the inverse.
struct Levinson {
    /// `α(0), α(1), …`
    up: Vec<f64>,
    /// `…, α(−1), α(0)`
    down: Vec<f64>,
    first: Vec<f64>,
    /// With a zero before it: the last column moves down by one with each step.
    last: Vec<f64>,
    solution: Vec<f64>,
    length: usize,
}

impl Levinson {
    fn new(matrix: &Toeplitz<'_>, chip: f64) -> Self {
        let most = matrix.most.alice.min(matrix.most.bob) + 1;
        let payoff = |difference: usize, sign: isize| matrix.payoff(difference as isize * sign, chip);
        let up: Vec<f64> = (0..most).map(|difference| payoff(difference, 1)).collect();
        let down: Vec<f64> = (0..most).rev().map(|difference| payoff(difference, -1)).collect();
        let mut column = vec![0.0; most];
        column[0] = 1.0 / up[0];
        Self { up, down, first: column.clone(), last: column.clone(), solution: column, length: 1 }
    }

    /// The bids of the greatest length before one is negative.
    fn longest(mut self) -> Vec<f64> {
        let mut before = self.solution.clone();
        while self.length < self.up.len() && self.step() {
            if self.solution[..self.length].iter().any(|bid| *bid < 0.0) {
                self.length -= 1;
                self.solution = before;
                break;
            }
            before[..self.length].copy_from_slice(&self.solution[..self.length]);
        }
        self.scaled()
    }

    /// The solution of this length; `None` if a smaller system has none.
    fn of_length(mut self, length: usize) -> Option<Vec<f64>> {
        while self.length < length {
            if !self.step() {
                return None;
            }
        }
        Some(self.scaled())
    }

    fn scaled(mut self) -> Vec<f64> {
        self.solution.truncate(self.length);
        let total: f64 = self.solution.iter().sum();
        self.solution.iter_mut().for_each(|bid| *bid /= total);
        self.solution
    }

    /// From k to k + 1; false if that system has no solution to speak of.
    fn step(&mut self) -> bool {
        let k = self.length;
        let row = &self.down[self.down.len() - 1 - k..][..k];
        let below_first = dot(row, &self.first[..k]);
        let below_solution = dot(row, &self.solution[..k]);
        let above_last = dot(&self.up[1..=k], &self.last[..k]);
        let scale = 1.0 / (1.0 - below_first * above_last);
        if !scale.is_finite() {
            return false;
        }
        self.last.copy_within(0..k, 1);
        self.last[0] = 0.0;
        let rest = 1.0 - below_solution;
        let columns = self.first[..=k].iter_mut().zip(&mut self.last[..=k]).zip(&mut self.solution[..=k]);
        for ((first, last), bid) in columns {
            let (old_first, old_last) = (*first, *last);
            *first = scale * (old_first - below_first * old_last);
            *last = scale * (old_last - above_last * old_first);
            *bid += rest * *last;
        }
        self.length += 1;
        true
    }
}

/// The sum of the products, in eight partial sums that the processor can add side by side.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (eights_a, eights_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = eights_a.remainder().iter().zip(eights_b.remainder()).map(|(a, b)| a * b).sum();
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

    /// The matrix printed in section 2 of the paper, by Alice's difference: with 5 chips she needs two moves before Bob, with 3, makes one.
    #[test]
    fn the_example_of_the_paper() {
        // Difference d leaves Alice 5 − d chips. A won bid wins if she is then the richer; a lost one loses the game.
        let payoff = |difference: i32| if difference >= 0 && 5 - difference >= 3 + difference { 1.0 } else { 0.0 };
        let diagonals: Vec<f64> = (-3..=5).map(payoff).collect();
        let bids = Toeplitz { diagonals: &diagonals, most: PerPlayer::new(5, 3) }.bids(1e-6);
        assert!(bids.iter().all(|bid| *bid >= 0.0) && (bids.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{bids:?}");
        let worst = (0..=3).map(|bob| bids.iter().zip(0..).map(|(bid, alice)| bid * payoff(alice - bob)).sum::<f64>());
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
