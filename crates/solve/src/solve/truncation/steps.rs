//! The best that moves in one component lead to, for a whole array at once.

use super::number::Narrow;

/// The lesser of two values, or the greater.
pub trait Better<S>: Fn(S, S) -> S + Copy {}
impl<S, F: Fn(S, S) -> S + Copy> Better<S> for F {}

/// Takes the better of two runs, number by number.
#[inline(always)]
pub fn fold<S: Narrow>(best: &mut [S], values: &[S], better: impl Better<S>) {
    for (best, value) in best.iter_mut().zip(values) {
        *best = better(*best, *value);
    }
}

/// Moves of one player in a component inside of a chunk.
#[derive(Debug, Clone, Copy)]
pub struct Steps<'a> {
    /// By content: the contents afterwards.
    pub of: &'a [Vec<u32>],
    /// How many contents there are afterwards.
    pub next: usize,
    /// How many values there are for each content: those of the components after this one.
    pub inner: usize,
}

/// Takes the better of what stands there and what the moves lead to. `source` has the values afterwards of the same positions otherwise, and so
/// is as many times longer as there are more contents.
pub fn fold_inner<S: Narrow>(best: &mut [S], source: &[S], steps: Steps<'_>, better: impl Better<S>) {
    // Runs of known length become a few vector instructions; most contents of the last components are in short ones.
    match steps.inner {
        1 => fold_runs::<S, 1>(best, source, steps, better),
        2 => fold_runs::<S, 2>(best, source, steps, better),
        4 => fold_runs::<S, 4>(best, source, steps, better),
        8 => fold_runs::<S, 8>(best, source, steps, better),
        16 => fold_runs::<S, 16>(best, source, steps, better),
        inner => {
            let (here, there) = (best.chunks_exact_mut(inner * steps.of.len()), source.chunks_exact(inner * steps.next));
            for (best, source) in here.zip(there) {
                for (best, steps) in best.chunks_exact_mut(inner).zip(steps.of) {
                    steps.iter().for_each(|to| fold(best, &source[*to as usize * inner..][..inner], better));
                }
            }
        }
    }
}

fn fold_runs<S: Narrow, const INNER: usize>(best: &mut [S], source: &[S], steps: Steps<'_>, better: impl Better<S>) {
    let (best, source) = (best.as_chunks_mut::<INNER>().0, source.as_chunks::<INNER>().0);
    for (best, source) in best.chunks_exact_mut(steps.of.len()).zip(source.chunks_exact(steps.next)) {
        for (best, steps) in best.iter_mut().zip(steps.of) {
            for to in steps {
                for (best, value) in best.iter_mut().zip(&source[*to as usize]) {
                    *best = better(*best, *value);
                }
            }
        }
    }
}
