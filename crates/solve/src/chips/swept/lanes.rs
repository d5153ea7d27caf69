//! Thresholds of several lanes side by side, and the kernel that computes them.

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};

use super::{Lane, ended};
use crate::chips::pass::Goal;
use crate::chips::quantity::ThresholdInteger;
use crate::law::{Ended, Law, one_by_one};
use crate::number::Number;
use crate::rules::Winner;
use crate::space::sweep::Slot;

/// The thresholds for several totals, one or two for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub(in crate::chips) struct Lanes<T, const N: usize, const S: usize>([[T; N]; S]);

/// The thresholds of all lanes, as the kernels write them.
pub(in crate::chips) type RawLanes = Vec<[u64; 2]>;

impl<T: ThresholdInteger + 'static, const N: usize, const S: usize> From<Lanes<T, N, S>>
    for RawLanes
{
    fn from(lanes: Lanes<T, N, S>) -> Self {
        (0..N).map(|lane| lanes.raw(lane)).collect()
    }
}

impl<T: ThresholdInteger + 'static, const N: usize, const S: usize> Lanes<T, N, S> {
    /// Returns the thresholds of one lane, as the kernels write them.
    pub(in crate::chips) fn raw(&self, lane: usize) -> [u64; 2] {
        [
            self.0[0][lane].widen(),
            self.0.get(1).map_or(0, |second| second[lane].widen()),
        ]
    }

    #[inline(always)]
    fn zip(mut self, other: &Self, better: impl Fn(T, T) -> T) -> Self {
        for (row, other) in self.0.iter_mut().zip(&other.0) {
            for (value, other) in row.iter_mut().zip(other) {
                *value = better(*value, *other);
            }
        }
        self
    }
}

impl<T: ThresholdInteger + 'static, const N: usize, const S: usize> Number for Lanes<T, N, S> {
    #[inline(always)]
    fn least(self, other: &Self) -> Self {
        self.zip(other, Ord::min)
    }

    #[inline(always)]
    fn greatest(self, other: &Self) -> Self {
        self.zip(other, Ord::max)
    }
}

impl<T: ThresholdInteger + 'static, const N: usize, const S: usize> Slot for Lanes<T, N, S> {
    #[inline(always)]
    fn select(self, bit: u32, other: Self) -> Self {
        self.zip(&other, |own, other| own.select(bit, other))
    }
}

/// A kernel applied to lanes.
pub(super) struct LaneKernel<T, const N: usize, const S: usize> {
    goal: Goal,
    beyond: [T; N],
    /// The questions of the lanes; those after the last one repeat it.
    lanes: [Lane; N],
    ended: Ended<Lanes<T, N, S>>,
}

impl<T: ThresholdInteger + 'static, const N: usize, const S: usize> LaneKernel<T, N, S> {
    /// Creates the kernel for up to N lanes; those after the last one repeat it.
    pub(super) fn new(goal: Goal, lanes: &[Lane]) -> Self {
        // Repeating a lane costs nothing, because all lanes are computed at once anyway.
        let lanes: [Lane; N] = std::array::from_fn(|lane| lanes[lane.min(lanes.len() - 1)]);
        let value = |ending| {
            let raw = lanes.map(|lane| ended(goal, ending, lane));
            Lanes(std::array::from_fn(|slot| {
                std::array::from_fn(|lane| T::narrow(raw[lane][slot]))
            }))
        };
        Self {
            goal,
            beyond: lanes.map(|lane| T::narrow(lane.total + 1)),
            lanes,
            ended: Ended::new(goal.seeker, value),
        }
    }
}

impl<T: ThresholdInteger + 'static, const N: usize, const S: usize> LaneKernel<T, N, S> {
    /// Returns the thresholds after the bid: where the seeker wins it, and where the opponent does.
    #[inline(always)]
    fn after(
        &self,
        seeker: Lanes<T, N, S>,
        opponent: Lanes<T, N, S>,
    ) -> (Lanes<T, N, S>, Lanes<T, N, S>) {
        match self.goal.winner {
            Winner::Chooses => (seeker.least(&opponent), seeker.greatest(&opponent)),
            Winner::Moves => (seeker, opponent),
        }
    }

    /// Computes the thresholds before the bid from those after it.
    #[inline(always)]
    fn apply(&self, won: &[T], lost: &[T], beyond: &[T], out: &mut [T]) {
        let Goal {
            kernel, preventing, ..
        } = self.goal;
        kernel.apply(preventing, won, lost, beyond, out);
    }
}

impl<T: ThresholdInteger + 'static, const N: usize, const S: usize> Law for LaneKernel<T, N, S> {
    type Number = Lanes<T, N, S>;

    fn name(&self) -> String {
        format!("chips, {:?}, {:?}", self.goal, self.lanes)
    }

    fn ended(&self) -> &Ended<Self::Number> {
        &self.ended
    }

    #[inline(always)]
    fn settle(&self, seeker: Self::Number, opponent: Self::Number) -> Self::Number {
        let (won, lost) = self.after(seeker, opponent);
        let mut settled = Self::Number::zeroed();
        self.apply(
            won.0.as_flattened(),
            lost.0.as_flattened(),
            &self.beyond,
            settled.0.as_flattened_mut(),
        );
        settled
    }

    #[inline(always)]
    fn settle_each<const LEN: usize>(
        &self,
        seeker: &[Self::Number; LEN],
        opponent: &[Self::Number; LEN],
        values: &mut [Self::Number; LEN],
    ) {
        if S > 1 {
            return one_by_one(self, seeker, opponent, values);
        }
        // The formula is chosen once for all of them, outside the loop.
        let (mut won, mut lost) = (*seeker, *opponent);
        for (won, lost) in won.iter_mut().zip(&mut lost) {
            (*won, *lost) = self.after(*won, *lost);
        }
        let beyond = [self.beyond; LEN];
        self.apply(
            cast_slice(&won),
            cast_slice(&lost),
            beyond.as_flattened(),
            cast_slice_mut(values),
        );
    }

    fn follows(
        &self,
        value: &Self::Number,
        seeker: &Self::Number,
        opponent: &Self::Number,
    ) -> bool {
        let (won, lost) = self.after(*seeker, *opponent);
        let Goal {
            kernel, preventing, ..
        } = self.goal;
        // The check computes lane by lane in 64 bits, so an overflow in the sweep would be noticed.
        (0..N).all(|lane| {
            let beyond = self.lanes[lane].total + 1;
            let mut settled = [0; 2];
            let settled = &mut settled[..S];
            kernel.apply(
                preventing,
                &won.raw(lane)[..S],
                &lost.raw(lane)[..S],
                &[beyond],
                settled,
            );
            let value = &value.raw(lane)[..S];
            value == settled
                && value
                    .iter()
                    .all(|threshold| *threshold <= kernel.scale().units() * beyond)
        })
    }
}
