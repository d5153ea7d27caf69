//! Sums over the rows of a payoff matrix.
//!
//! Terms are added up in blocks: the rounding error of a sum grows with the number of additions that
//! a term goes through, and here that is the length of a block plus the number of blocks. The order
//! is fixed, so every processor computes the same numbers.

use crate::number::vectorised::RowLoop;

/// The number of terms in a block.
const BLOCK: usize = 32;

/// The number of windows that are summed up at once.
pub(super) const WINDOWS: usize = 16;

/// The number of partial results that the processor can compare in parallel.
const LANES: usize = 8;

/// Returns the greatest number of additions that one of so many terms goes through.
pub(super) fn additions(terms: usize) -> usize {
    terms.min(BLOCK) + terms / BLOCK
}

/// Returns the sum of numbers.
pub(super) fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let (mut blocks, mut block) = (0.0, 0.0);
    for (place, number) in numbers.into_iter().enumerate() {
        block += number;
        if place % BLOCK == BLOCK - 1 {
            blocks += block;
            block = 0.0;
        }
    }
    blocks + block
}

/// Finds the least of the sums Σ `weights[i] · numbers[t + i]` over the first `WINDOWS` numbers t,
/// or over all if they are fewer.
pub(super) struct LeastSum<'a> {
    pub(super) weights: &'a [f64],
    pub(super) numbers: &'a [f64],
}

impl RowLoop for LeastSum<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<const WIDE: bool>(self) -> f64 {
        let Self { weights, numbers } = self;
        if numbers.len() + 1 < weights.len() + WINDOWS {
            let windows = numbers.windows(weights.len());
            let sums = windows.map(|numbers| sum(weights.iter().zip(numbers).map(|(a, b)| a * b)));
            return sums.fold(f64::INFINITY, f64::min);
        }
        let mut sums = [0.0; WINDOWS];
        for (weights, first) in weights.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
            let mut block = [0.0; WINDOWS];
            let windows = numbers[first..].array_windows::<WINDOWS>();
            for (weight, window) in weights.iter().zip(windows) {
                for (sum, number) in block.iter_mut().zip(window) {
                    *sum += weight * number;
                }
            }
            for (sum, block) in sums.iter_mut().zip(block) {
                *sum += block;
            }
        }
        least(&sums)
    }
}

/// Returns the least number.
#[inline(always)]
pub(super) fn least(numbers: &[f64]) -> f64 {
    let lower = |a: f64, b: f64| if b < a { b } else { a };
    let (eights, rest) = numbers.as_chunks::<LANES>();
    let mut lanes = [f64::INFINITY; LANES];
    for eight in eights {
        for (lane, number) in lanes.iter_mut().zip(eight) {
            *lane = lower(*lane, *number);
        }
    }
    lanes.iter().chain(rest).copied().fold(f64::INFINITY, lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::vectorised::vectorised;

    fn numbers(len: usize) -> Vec<f64> {
        (0..len).map(|n| ((n * 37 + 11) % 64) as f64).collect()
    }

    #[test]
    fn sums_of_any_length() {
        for len in 0..200 {
            let numbers = numbers(len);
            assert_eq!(sum(numbers.iter().copied()), numbers.iter().sum::<f64>());
        }
    }

    #[test]
    fn least_sums_of_any_length() {
        for (len, count) in (1..80).flat_map(|len| (1..40).map(move |count| (len, count))) {
            let (weights, numbers) = (numbers(len), numbers(len + count - 1));
            let windows = numbers.windows(len).take(WINDOWS);
            let sums = windows.map(|window| weights.iter().zip(window).map(|(a, b)| a * b).sum());
            let sums: Vec<f64> = sums.collect();
            let expected = sums.iter().copied().fold(f64::INFINITY, f64::min);
            assert_eq!(least(&sums), expected);
            let found = vectorised(LeastSum {
                weights: &weights,
                numbers: &numbers,
            });
            assert_eq!(found, expected, "{len} weights, {count} windows");
        }
    }
}
