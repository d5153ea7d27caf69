//! The best values that moves in one component lead to, computed for a whole array at once.

use crate::chips::ThresholdInteger;

/// Replaces each number by the better of it and the corresponding one of another array.
#[inline(always)]
pub fn fold<S: ThresholdInteger>(best: &mut [S], values: &[S], better: impl Fn(S, S) -> S + Copy) {
    for (best, value) in best.iter_mut().zip(values) {
        *best = better(*best, *value);
    }
}

/// The moves of one player in a component inside a chunk.
#[derive(Debug, Clone, Copy)]
pub struct ComponentSteps<'a> {
    /// For each content, the contents after a move.
    pub of: &'a [Vec<u32>],
    /// The number of contents after a move.
    pub next: usize,
    /// The number of values for each content: those of the components after this one.
    pub inner: usize,
}

/// Replaces each value by the better of it and the values that the moves lead to. `source` contains
/// the values after the moves; for each content of the component there it has the same inner and
/// outer positions as `best`. `room` is scratch space as long as `best`.
pub fn fold_inner<S: ThresholdInteger>(
    best: &mut [S],
    source: &[S],
    steps: ComponentSteps<'_>,
    room: &mut [S],
    better: impl Fn(S, S) -> S + Copy,
) {
    if let Some(second) = steps.halves() {
        // The values that the moves lead to are first gathered in the order of `best`: then whole
        // arrays are compared, however short the runs are.
        match steps.inner {
            // Runs of a fixed short length are copied by vector instructions.
            1 => every_other::<S, 1>(room, source, second),
            2 => every_other::<S, 2>(room, source, second),
            4 => every_other::<S, 4>(room, source, second),
            8 => every_other::<S, 8>(room, source, second),
            16 => every_other::<S, 16>(room, source, second),
            // Long runs are compared as quickly where they are.
            _ => return fold_any(best, source, steps, better),
        }
        return fold(best, room, better);
    }
    fold_any(best, source, steps, better);
}

fn fold_any<S: ThresholdInteger>(
    best: &mut [S],
    source: &[S],
    steps: ComponentSteps<'_>,
    better: impl Fn(S, S) -> S + Copy,
) {
    let inner = steps.inner;
    let (here, there) = (
        best.chunks_exact_mut(inner * steps.of.len()),
        source.chunks_exact(inner * steps.next),
    );
    for (best, source) in here.zip(there) {
        for (best, steps) in best.chunks_exact_mut(inner).zip(steps.of) {
            steps
                .iter()
                .for_each(|to| fold(best, &source[*to as usize * inner..][..inner], better));
        }
    }
}

/// Copies every other run of this length, the first or the second of each two.
fn every_other<S: ThresholdInteger, const RUN: usize>(room: &mut [S], source: &[S], second: bool) {
    let runs = room
        .as_chunks_mut::<RUN>()
        .0
        .iter_mut()
        .zip(source.as_chunks::<RUN>().0.as_chunks::<2>().0);
    if second {
        runs.for_each(|(to, from)| *to = from[1]);
    } else {
        runs.for_each(|(to, from)| *to = from[0]);
    }
}

impl ComponentSteps<'_> {
    /// Returns whether the step of each content c leads to 2c + 1 rather than to 2c, if each
    /// content has exactly one such step, all of the same kind. Pieces that fall into a column make
    /// such steps.
    fn halves(&self) -> Option<bool> {
        // The first step tells which of the two kinds all steps must be.
        let second = self.of.first()?.first()? % 2;
        let is_half = |(content, steps): (u32, &Vec<u32>)| steps[..] == [2 * content + second];
        (self.next == 2 * self.of.len() && (0..).zip(self.of).all(is_half)).then_some(second == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests steps to 2c, to 2c + 1, and steps of any kind, for runs of all lengths, against a
    /// lookup position by position.
    #[test]
    fn arrays_are_compared_as_positions_are() {
        for (seed, inner) in [1, 2, 3, 4, 8, 16, 32, 5].into_iter().enumerate() {
            for kind in 0..3_u32 {
                let (contents, outer) = (8_u32, 3);
                let next = 2 * contents as usize;
                let of: Vec<Vec<u32>> = match kind {
                    0 | 1 => (0..contents)
                        .map(|content| vec![2 * content + kind])
                        .collect(),
                    _ => (0..contents)
                        .map(|content| vec![content * 7 % 16, content * 3 % 16])
                        .collect(),
                };
                let value = |place: usize| (place * (37 + seed) % 251) as u8;
                let source: Vec<u8> = (0..outer * next * inner).map(value).collect();
                let mut best = vec![100; outer * of.len() * inner];
                let wanted: Vec<u8> = (0..best.len())
                    .map(|place| {
                        let (rest, above) = (place % inner, place / inner / of.len());
                        let of = &of[place / inner % of.len()];
                        of.iter()
                            .map(|to| source[(above * next + *to as usize) * inner + rest])
                            .fold(100, u8::max)
                    })
                    .collect();
                let mut room = vec![0; best.len()];
                fold_inner(
                    &mut best,
                    &source,
                    ComponentSteps {
                        of: &of,
                        next,
                        inner,
                    },
                    &mut room,
                    u8::max,
                );
                assert_eq!(best, wanted, "{inner} {kind}");
            }
        }
    }
}
