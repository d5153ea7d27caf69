//! Thresholds in chips at a position of a numbered ruleset: many totals side by side, in 16 bits where they fit.

use super::kernel::Scale;
use super::pass::Goal;
use super::quantity::Count;
use crate::diagnostic::Result;
use crate::game::ruleset::{Indexed, State};
use crate::game::{Ending, Player};
use crate::rules::Winner;
use crate::solve::sweep::{self, Keep, Number, Theory};
use crate::watch::Watch;

/// How many totals are worked out side by side, if there are several.
const LANES: usize = 32;
const WIDE_LANES: usize = 8;

/// The largest total whose sums of two thresholds, 2(k + 1) + 1 at most, fit in 16 bits.
const NARROW_MOST: u64 = (1 << 15) - 2;
/// The same for 32 bits.
const WIDE_MOST: u64 = (1 << 31) - 3;

/// A position of a numbered ruleset.
#[derive(Clone, Copy)]
pub struct Numbered<'a> {
    /// The ruleset.
    pub indexed: &'a Indexed,
    /// The position.
    pub state: &'a State,
}

/// The thresholds of the position for each total, as the kernels write them; `None` if it is not numbered, or they take
/// more memory than allowed.
///
/// # Errors
/// If the watch stops the work.
pub(super) fn thresholds(
    position: Numbered<'_>,
    goal: Goal,
    totals: &[u64],
    watch: &dyn Watch,
) -> Result<Option<Vec<[u64; 2]>>> {
    let most = totals.iter().max().copied().unwrap_or(0);
    let task = Task { position, goal, totals, watch };
    match (goal.kernel.scale(), totals.len()) {
        _ if most > WIDE_MOST => Ok(None),
        (Scale::Half | Scale::Plain, _) if most > NARROW_MOST => task.sweep::<u32, WIDE_LANES, 1>(),
        (Scale::Half | Scale::Plain, 0..=1) => task.sweep::<u16, 1, 1>(),
        (Scale::Half | Scale::Plain, _) => task.sweep::<u16, LANES, 1>(),
        (Scale::ByHolder | Scale::ByMajority(_), _) if most > NARROW_MOST => task.sweep::<u32, WIDE_LANES, 2>(),
        (Scale::ByHolder | Scale::ByMajority(_), 0..=1) => task.sweep::<u16, 1, 2>(),
        (Scale::ByHolder | Scale::ByMajority(_), _) => task.sweep::<u16, LANES, 2>(),
    }
}

struct Task<'a> {
    position: Numbered<'a>,
    goal: Goal,
    totals: &'a [u64],
    watch: &'a dyn Watch,
}

impl Task<'_> {
    fn sweep<T: Count + 'static, const N: usize, const S: usize>(&self) -> Result<Option<Vec<[u64; 2]>>> {
        let Numbered { indexed, state } = self.position;
        let limit = self.watch.limits().max_memory;
        let Some(keep) = Keep::within::<Lanes<T, N, S>>(indexed, limit) else { return Ok(None) };
        let mut found = Vec::new();
        for totals in self.totals.chunks(N) {
            let theory = Chips::<T, N, S>::new(self.goal, totals);
            let swept = sweep::sweep(indexed, &theory, keep, self.watch)?;
            let Some(Lanes(values)) = swept.value(indexed, state) else { return Ok(None) };
            let raw = |lane: usize| [values[0][lane].widen(), values.get(1).map_or(0, |second| second[lane].widen())];
            found.extend((0..totals.len()).map(raw));
        }
        Ok(Some(found))
    }
}

/// Thresholds for several totals, or two for each.
#[derive(Debug, Clone, Copy)]
struct Lanes<T, const N: usize, const S: usize>([[T; N]; S]);

impl<T: Count + 'static, const N: usize, const S: usize> Lanes<T, N, S> {
    #[inline(always)]
    fn zip(mut self, other: Self, better: impl Fn(T, T) -> T) -> Self {
        for (row, other) in self.0.iter_mut().zip(&other.0) {
            for (value, other) in row.iter_mut().zip(other) {
                *value = better(*value, *other);
            }
        }
        self
    }
}

impl<T: Count + 'static, const N: usize, const S: usize> Number for Lanes<T, N, S> {
    const BLANK: Self = Self([[T::NOTHING; N]; S]);

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        self.zip(other, Ord::min)
    }

    #[inline(always)]
    fn greatest(self, other: Self) -> Self {
        self.zip(other, Ord::max)
    }
}

/// A kernel on lanes.
struct Chips<T, const N: usize, const S: usize> {
    goal: Goal,
    beyond: [T; N],
    always: Lanes<T, N, S>,
    never: Lanes<T, N, S>,
}

impl<T: Count + 'static, const N: usize, const S: usize> Chips<T, N, S> {
    /// For up to N totals; the lanes beyond repeat the last.
    fn new(goal: Goal, totals: &[u64]) -> Self {
        let beyond = |lane: usize| totals[lane.min(totals.len() - 1)] + 1;
        let scale = goal.kernel.scale();
        let lanes = |raw: &dyn Fn(u64) -> [u64; 2]| {
            Lanes(std::array::from_fn(|slot| std::array::from_fn(|lane| T::narrow(raw(beyond(lane))[slot]))))
        };
        Self {
            goal,
            beyond: std::array::from_fn(|lane| T::narrow(beyond(lane))),
            always: lanes(&|beyond| scale.always(beyond)),
            never: lanes(&|beyond| scale.never(beyond)),
        }
    }
}

impl<T: Count + 'static, const N: usize, const S: usize> Theory for Chips<T, N, S> {
    type Number = Lanes<T, N, S>;

    fn seeker(&self) -> Player {
        self.goal.seeker
    }

    fn ending(&self, ending: Ending) -> Self::Number {
        if ending == Ending::Win(self.goal.seeker) { self.always } else { self.never }
    }

    #[inline(always)]
    fn settle(&self, seeker: Self::Number, opponent: Self::Number) -> Self::Number {
        let (won, lost) = match self.goal.winner {
            Winner::Chooses => (seeker.least(opponent), seeker.greatest(opponent)),
            Winner::Moves => (seeker, opponent),
        };
        let mut settled = Self::Number::BLANK;
        let Goal { kernel, preventing, .. } = self.goal;
        let (won, lost) = (won.0.as_flattened(), lost.0.as_flattened());
        kernel.apply(preventing, won, lost, &self.beyond, settled.0.as_flattened_mut());
        settled
    }
}
