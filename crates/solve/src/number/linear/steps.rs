//! Floating-point solutions of a walk by steps that only follow its edges (BiCGSTAB; van der Vorst
//! 1992), for walks whose elimination fills up. If a walk ends soon a few dozen steps suffice; for
//! other walks there is no guarantee, so callers look at the residual.

use super::Walk;
use crate::diagnostic::Result;
use crate::parallel;
use crate::watch::Context;

/// The number of numbers that are processed between two checks; a step processes all of them.
const CHECK_EVERY: usize = 1 << 16;

/// The number of states that one thread follows at a time.
const PIECE: usize = 1 << 15;

/// A walk with the sums that turn its weights into probabilities.
pub(super) struct Steps<'w> {
    walk: &'w Walk,
    /// The number `1 / Σ w` of each state.
    scales: Vec<f64>,
}

/// The number of steps after which a search ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// The greatest number of steps.
    pub(super) steps: usize,
    /// The greatest number of steps in a row that do not halve the residual.
    pub(super) idle: usize,
}

/// Values, with `true` if they are as precise as asked.
pub(super) type Approximation = (Vec<f64>, bool);

impl<'w> Steps<'w> {
    pub(super) fn new(walk: &'w Walk) -> Self {
        let scale = |state| f64::from(walk.total(state)).recip();
        Self {
            walk,
            scales: (0..walk.len()).map(scale).collect(),
        }
    }

    /// Computes an approximate solution of `(Σ w) · x = Σ w · (x at the head) + source`, where
    /// known states have the value 0. The residual is at most `tolerance` times the greatest of the
    /// sources, if the steps suffice; otherwise the result is the best one found.
    pub(super) fn to(
        &self,
        sources: &[f64],
        tolerance: f64,
        patience: Patience,
        context: &Context<'_>,
    ) -> Result<Approximation> {
        let first: Vec<f64> = sources
            .iter()
            .zip(&self.scales)
            .map(|(source, scale)| source * scale)
            .collect();
        let goal = greatest(&first) * tolerance;
        let zeros = vec![0.0; first.len()];
        let (mut x, mut rest) = (zeros.clone(), first.clone());
        let (mut best, mut least) = (zeros.clone(), f64::INFINITY);
        let (mut direction, mut image, mut second) = (zeros.clone(), zeros.clone(), zeros);
        let (mut before, mut alpha, mut omega) = (1.0, 1.0, 1.0);
        let between = (CHECK_EVERY / (1 + first.len())).max(1);
        let (mut halved, mut last) = (greatest(&first), 0);
        for step in 0..patience.steps {
            if step % between == between - 1 {
                context.check()?;
            }
            let now = dot(&first, &rest);
            let beta = now / before * alpha / omega;
            before = now;
            for (d, (r, v)) in direction.iter_mut().zip(rest.iter().zip(&image)) {
                *d = r + beta * (*d - omega * v);
            }
            self.apply(&direction, &mut image);
            alpha = now / dot(&first, &image);
            rest.iter_mut()
                .zip(&image)
                .for_each(|(r, v)| *r -= alpha * v);
            self.apply(&rest, &mut second);
            omega = dot(&second, &rest) / dot(&second, &second);
            if !(alpha * omega).is_finite() {
                // The half step may already be the solution.
                x.iter_mut()
                    .zip(&direction)
                    .for_each(|(x, d)| *x += alpha * d);
                let left = greatest(&rest);
                let whole = x.iter().all(|x| x.is_finite()) && left < least;
                return Ok(if whole {
                    (x, left <= goal)
                } else {
                    (best, least <= goal)
                });
            }
            for (x, (d, r)) in x.iter_mut().zip(direction.iter().zip(&rest)) {
                *x += alpha * d + omega * r;
            }
            rest.iter_mut()
                .zip(&second)
                .for_each(|(r, t)| *r -= omega * t);
            let size = greatest(&rest);
            // The residual does not fall steadily, so the best values are kept.
            if size < least {
                least = size;
                best.copy_from_slice(&x);
            }
            if size < halved / 2.0 {
                (halved, last) = (size, step);
            }
            // A search that has not halved the residual for long is not worth its remaining steps.
            if size <= goal || step - last > patience.idle {
                break;
            }
        }
        Ok((best, least <= goal))
    }

    /// Computes the difference between each value and the mean of those of its heads.
    fn apply(&self, x: &[f64], image: &mut [f64]) {
        let Walk { starts, edges } = self.walk;
        let pieces = image.chunks_mut(PIECE).enumerate();
        parallel::map(pieces, |(piece, image)| {
            let first = piece * PIECE;
            let states = first..first + image.len();
            let rows = starts[first..=states.end].windows(2);
            let own = x[states.clone()].iter().zip(&self.scales[states]);
            for ((image, row), (value, scale)) in image.iter_mut().zip(rows).zip(own) {
                let mut sum = 0.0;
                for &(head, weight) in &edges[row[0] as usize..row[1] as usize] {
                    // Known states, whose numbers come after those of x, have the value 0.
                    if let Some(value) = x.get(head as usize) {
                        sum += f64::from(weight) * value;
                    }
                }
                *image = value - scale * sum;
            }
        });
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn greatest(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |most, x| x.abs().max(most))
}
