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
pub struct ComponentSteps<'a> {
    /// By content: the contents afterwards.
    pub of: &'a [Vec<u32>],
    /// How many contents there are afterwards.
    pub next: usize,
    /// How many values there are for each content: those of the components after this one.
    pub inner: usize,
}

/// Takes the better of what stands there and what the moves lead to. `source` has the values
/// afterwards of the same positions otherwise, and so is as many times longer as there are more
/// contents. `room` is as long as `best`.
pub fn fold_inner<S: Narrow>(
    best: &mut [S],
    source: &[S],
    steps: ComponentSteps<'_>,
    room: &mut [S],
    better: impl Better<S>,
) {
    if let Some(second) = steps.halves() {
        // What the moves lead to is brought together first, as what it is compared with stands:
        // then whole arrays are compared, however short its runs.
        match steps.inner {
            1 => every_other::<S, 1>(room, source, second),
            2 => every_other::<S, 2>(room, source, second),
            4 => every_other::<S, 4>(room, source, second),
            8 => every_other::<S, 8>(room, source, second),
            16 => every_other::<S, 16>(room, source, second),
            _ => return fold_any(best, source, steps, better),
        }
        return fold(best, room, better);
    }
    fold_any(best, source, steps, better);
}

fn fold_any<S: Narrow>(
    best: &mut [S],
    source: &[S],
    steps: ComponentSteps<'_>,
    better: impl Better<S>,
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

/// Every other run of so many values, the first or the second of each two.
fn every_other<S: Narrow, const RUN: usize>(room: &mut [S], source: &[S], second: bool) {
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
    /// Whether each content has one step, to the one of twice its number, or to the one after that:
    /// then whether it is the second. Pieces that fall into a column make such steps.
    fn halves(&self) -> Option<bool> {
        let second = self.of.first()?.first()? % 2;
        let is_half = |(content, steps): (u32, &Vec<u32>)| steps[..] == [2 * content + second];
        (self.next == 2 * self.of.len() && (0..).zip(self.of).all(is_half)).then_some(second == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps to twice the content, or the one after, and steps of any kind, for runs of all
    /// lengths: as if each position were looked up.
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
