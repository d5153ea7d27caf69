//! Thresholds in chips at positions of a ruleset, without a graph: many totals side by side, in 16 bits where they fit.

use std::marker::PhantomData;

use super::kernel::Scale;
use super::pass::Goal;
use super::quantity::Count;
use crate::diagnostic::Result;
use crate::game::ruleset::{Indexed, Ruleset, State};
use crate::game::{Ending, Player};
use crate::rules::Winner;
use crate::solve::layers::{self, Layers, Question};
use crate::solve::sweep::{self, Number, Plan, Theory};
use crate::store::Packed;
use crate::watch::{Stop, Watch};

/// How many totals are worked out side by side, if there are several.
const LANES: usize = 32;
const WIDE_LANES: usize = 8;

/// The largest total whose sums of two thresholds, 2(k + 1) + 1 at most, fit in 16 bits.
const NARROW_MOST: u64 = (1 << 15) - 2;
/// The same for 32 bits.
const WIDE_MOST: u64 = (1 << 31) - 3;

/// Positions of a numbered ruleset.
#[derive(Clone, Copy)]
pub struct Numbered<'a> {
    /// The ruleset.
    pub indexed: &'a Indexed,
    /// The positions.
    pub states: &'a [State],
}

/// Positions that are solved without a graph.
#[derive(Clone, Copy)]
pub enum Alone<'a> {
    /// By a sweep.
    Numbered(Numbered<'a>),
    /// One position, layer by layer.
    Layered {
        /// The ruleset.
        ruleset: &'a Ruleset,
        /// The position.
        state: &'a State,
    },
}

/// The thresholds of each position for each total, as the kernels write them; `None` if they do not fit in machine numbers,
/// or the game has no layers. Numbered positions must have a number.
///
/// # Errors
/// If the watch stops the work, or there is too little memory.
pub(super) fn thresholds(
    positions: Alone<'_>,
    goal: Goal,
    totals: &[u64],
    watch: &dyn Watch,
) -> Result<Option<Vec<Vec<[u64; 2]>>>> {
    let most = totals.iter().max().copied().unwrap_or(0);
    let task = Task { positions, goal, totals, watch };
    match (goal.kernel.scale(), totals.len()) {
        _ if most > WIDE_MOST => Ok(None),
        (Scale::Half | Scale::Plain, _) if most > NARROW_MOST => task.solve::<u32, WIDE_LANES, 1>(),
        (Scale::Half | Scale::Plain, 0..=1) => task.solve::<u16, 1, 1>(),
        (Scale::Half | Scale::Plain, _) => task.solve::<u16, LANES, 1>(),
        (Scale::ByHolder | Scale::ByMajority(_), _) if most > NARROW_MOST => task.solve::<u32, WIDE_LANES, 2>(),
        (Scale::ByHolder | Scale::ByMajority(_), 0..=1) => task.solve::<u16, 1, 2>(),
        (Scale::ByHolder | Scale::ByMajority(_), _) => task.solve::<u16, LANES, 2>(),
    }
}

struct Task<'a> {
    positions: Alone<'a>,
    goal: Goal,
    totals: &'a [u64],
    watch: &'a dyn Watch,
}

impl Task<'_> {
    fn solve<T: Count + 'static, const N: usize, const S: usize>(&self) -> Result<Option<Vec<Vec<[u64; 2]>>>> {
        match self.positions {
            Alone::Numbered(Numbered { indexed, states }) => {
                let swept = self.each(states.len(), |theory: &Chips<T, N, S>| {
                    let plan = Plan::new::<Lanes<T, N, S>>(indexed, states, self.watch).map_err(Stop::Shortage)?;
                    let swept = sweep::sweep(indexed, theory, plan, self.watch)?;
                    let value = |state| swept.value(indexed, state).expect("what is wanted is kept");
                    Ok(states.iter().map(value).collect())
                });
                swept.map(Some)
            }
            Alone::Layered { ruleset, state } => {
                layers::ask(ruleset, state, &InLayers::<T, N, S>(self, PhantomData), self.watch)
            }
        }
    }

    /// The thresholds of so many positions for all totals, given how to find them for some.
    fn each<T: Count + 'static, const N: usize, const S: usize>(
        &self,
        positions: usize,
        values: impl Fn(&Chips<T, N, S>) -> Result<Vec<Lanes<T, N, S>>>,
    ) -> Result<Vec<Vec<[u64; 2]>>> {
        let mut found = vec![Vec::new(); positions];
        for totals in self.totals.chunks(N) {
            for (Lanes(values), found) in values(&Chips::new(self.goal, totals))?.iter().zip(&mut found) {
                let second = |lane: usize| values.get(1).map_or(0, |second| second[lane].widen());
                found.extend((0..totals.len()).map(|lane| [values[0][lane].widen(), second(lane)]));
            }
        }
        Ok(found)
    }
}

/// A task asked about layers.
struct InLayers<'t, 'a, T, const N: usize, const S: usize>(&'t Task<'a>, PhantomData<T>);

impl<T: Count + 'static, const N: usize, const S: usize> Question for InLayers<'_, '_, T, N, S> {
    type Answer = Vec<Vec<[u64; 2]>>;

    fn ask<const W: usize>(&self, layers: &Layers<'_, W>) -> Result<Self::Answer> {
        self.0.each(1, |theory: &Chips<T, N, S>| Ok(vec![layers.value(theory)?]))
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

impl<T: Count + 'static, const N: usize, const S: usize> Packed for Lanes<T, N, S> {
    const BYTES: usize = <[[T; N]; S]>::BYTES;

    fn byte(&self, index: usize) -> u8 {
        self.0.byte(index)
    }

    fn from_bytes(bytes: impl Fn(usize) -> u8) -> Self {
        Self(Packed::from_bytes(bytes))
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

    fn name(&self) -> String {
        format!("chips, {:?}, beyond {:?}", self.goal, self.beyond)
    }

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
