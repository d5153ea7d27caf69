//! Thresholds in chips at positions of a ruleset, without a graph: many totals side by side, in the
//! narrowest numbers that can represent them, 8 bits for up to 126 chips.
//!
//! An outcome needs no more than that. For one total it depends on the place of the purses among
//! the 2k + 2 possible ones, and the purses with which a player wins are those from a threshold on.
//! So a position's outcomes for *all* purses of a total are two thresholds: the one from which
//! Alice wins, and the one from which she does not lose. One pass finds both: they differ in the
//! value of a draw ([`Lane::drawn`]) and follow from their successors' by the same formula.

mod lanes;

use super::kernel::Scale;
use super::pass::Goal;
use super::quantity::ThresholdInteger;
use crate::diagnostic::Result;
use crate::player::Ending;
use crate::positions::{Graphless, Layered, Numbered};
use crate::space::layers::{self, LayeredSpace};
use crate::space::sweep::{self, Need};
use crate::watch::{Context, watched};

pub(super) use lanes::RawLanes;
use lanes::{LaneKernel, Lanes};

/// The number of lanes that are computed side by side, if there are several.
const LANES: usize = 32;
/// The number of lanes up to which smaller kernels are used. The build for web pages has none,
/// because it has to be small.
const FEW_LANES: usize = if cfg!(target_family = "wasm") {
    LANES
} else {
    16
};
const WIDE_LANES: usize = 8;

/// One of the questions that are answered side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lane {
    /// The total of chips.
    pub(super) total: u64,
    /// If set, a draw counts as a win.
    pub(super) drawn: bool,
}

/// The width of the numbers of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LaneWidth {
    Byte,
    Short,
    Long,
}

impl LaneWidth {
    /// Returns the narrowest width for the sum of two thresholds and one, 2(k + 1) + 1 at most;
    /// `None` if there is none.
    fn of(lane: &Lane) -> Option<Self> {
        let fitting = [
            (Self::Byte, u64::from(u8::MAX)),
            (Self::Short, u64::from(u16::MAX)),
            (Self::Long, u64::from(u32::MAX)),
        ];
        fitting
            .into_iter()
            .find(|(_, most)| lane.total <= (most - 3) / 2)
            .map(|(width, _)| width)
    }

    fn bytes(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Short => 2,
            Self::Long => 4,
        }
    }

    /// Returns the number of lanes that are computed side by side in a sweep, for `count` lanes of
    /// one threshold or two.
    fn lanes(self, count: usize, slots: usize) -> usize {
        match self {
            Self::Byte if count == 1 && slots == 1 => 1,
            Self::Byte if (3..=FEW_LANES).contains(&count) => FEW_LANES,
            Self::Byte | Self::Short => {
                if count <= 2 {
                    2
                } else {
                    LANES
                }
            }
            Self::Long => WIDE_LANES,
        }
    }
}

/// Returns the resources of sweeps that find the thresholds of some lanes; `None` if they do not
/// fit in machine numbers, or there are no lanes.
pub(super) fn need(scale: Scale, lanes: &[Lane]) -> Option<Need> {
    // Sweeps are made one after another, so the greatest width determines the memory.
    let mut need = Need {
        width: 0,
        sweeps: 0,
    };
    for lanes in lanes.chunk_by(|a, b| LaneWidth::of(a) == LaneWidth::of(b)) {
        let (width, slots) = (LaneWidth::of(&lanes[0])?, scale.slots());
        let at_once = width.lanes(lanes.len(), slots);
        need = Need {
            width: need.width.max(at_once * slots * width.bytes()),
            sweeps: need.sweeps + lanes.len().div_ceil(at_once),
        };
    }
    (need.sweeps > 0).then_some(need)
}

/// Finds the thresholds of each position in each lane, as the kernels write them. Returns `None` if
/// they do not fit in machine numbers, or the game has no layers. Numbered positions must have a
/// number.
///
/// # Errors
/// If the work is stopped, or there is too little memory.
pub(super) fn thresholds(
    positions: Graphless<'_>,
    asked: Goal,
    lanes: &[Lane],
    context: &Context<'_>,
) -> Result<Option<Vec<Vec<[u64; 2]>>>> {
    if lanes.iter().any(|lane| LaneWidth::of(lane).is_none()) {
        return Ok(None);
    }
    let goal = Goal {
        seeker: positions.part(asked.seeker),
        ..asked
    };
    // Layers are asked about one position only, so nothing is kept or cached for them.
    let numbered = match positions {
        Graphless::Numbered(numbered) => numbered,
        Graphless::Layered(layered) => {
            let found = widths(lanes, |lanes| {
                LaneTask {
                    goal,
                    lanes,
                    context,
                }
                .in_layers(layered)
            })?;
            return Ok(found.map(|row| vec![row]));
        }
    };
    let known = |lane: &Lane| {
        numbered
            .kept
            .and_then(|kept| kept.column(numbered, goal, *lane))
    };
    let columns = watched(lanes, context)
        .map(|lane| lane.map(known))
        .collect::<std::result::Result<_, _>>();
    let mut columns: Vec<Option<Vec<[u64; 2]>>> = columns?;
    let missing = lanes
        .iter()
        .zip(&columns)
        .filter(|(_, column)| column.is_none())
        .map(|(lane, _)| *lane);
    let missing: Vec<Lane> = missing.collect();
    // The values of several sweeps are not kept, because that would take more memory than was
    // planned.
    let one = missing.len() <= WIDE_LANES
        || missing.len() <= LANES
            && missing
                .iter()
                .all(|lane| LaneWidth::of(lane) < Some(LaneWidth::Long));
    let one = one
        && missing
            .windows(2)
            .all(|pair| LaneWidth::of(&pair[0]) == LaneWidth::of(&pair[1]));
    let solved = Numbered {
        kept: numbered.kept.filter(|_| one),
        ..numbered
    };
    let found = widths(&missing, |lanes| {
        LaneTask {
            goal,
            lanes,
            context,
        }
        .by_sweeps(solved)
        .map(Some)
    })?;
    // Columns are found in the order of the lanes that were missing.
    let mut found = found.into_iter().flatten();
    columns
        .iter_mut()
        .filter(|column| column.is_none())
        .for_each(|column| *column = found.next());
    let columns = watched(columns.into_iter().zip(lanes), context).map(|found| {
        let (column, lane) = found?;
        let mut column = column.expect("what was missing was found");
        // The endings that are not positions come after the positions, and are those of the game
        // that was asked about.
        let ended = numbered.ended.iter();
        column.extend(ended.map(|ending| self::ended(asked, *ending, *lane)));
        Ok(column)
    });
    let columns = columns.collect::<Result<Vec<Vec<[u64; 2]>>>>()?;
    let positions = numbered.states.len() + numbered.ended.len();
    let row = |place: usize| {
        watched(&columns, context)
            .map(|column| Ok(column?[place]))
            .collect()
    };
    (0..positions).map(row).collect::<Result<_>>().map(Some)
}

/// Solves all lanes, those of one width at a time.
fn widths<V>(
    lanes: &[Lane],
    mut solve: impl FnMut(&[Lane]) -> Result<Option<Vec<V>>>,
) -> Result<Option<Vec<V>>> {
    let mut all = Vec::new();
    for lanes in lanes.chunk_by(|a, b| LaneWidth::of(a) == LaneWidth::of(b)) {
        let Some(found) = solve(lanes)? else {
            return Ok(None);
        };
        all.extend(found);
    }
    Ok(Some(all))
}

/// Returns the thresholds of an ending.
fn ended(goal: Goal, ending: Ending, lane: Lane) -> [u64; 2] {
    let won = ending.is_won_by(goal.seeker, lane.drawn);
    goal.kernel.scale().ended(won, lane.total + 1)
}

/// The task for lanes of one width.
struct LaneTask<'a> {
    goal: Goal,
    lanes: &'a [Lane],
    context: &'a Context<'a>,
}

impl LaneTask<'_> {
    /// Returns the width of a threshold, the number of thresholds of a vertex, and the number of
    /// lanes that are computed at once.
    fn extent(&self) -> (LaneWidth, usize, usize) {
        let width = LaneWidth::of(&self.lanes[0]).expect("it was looked at before");
        let slots = self.goal.kernel.scale().slots();
        (width, slots, width.lanes(self.lanes.len(), slots))
    }

    /// Finds the thresholds of the positions for each lane.
    fn by_sweeps(&self, numbered: Numbered<'_>) -> Result<Vec<Vec<[u64; 2]>>> {
        match self.extent() {
            (LaneWidth::Byte, 1, 1) => self.sweep::<u8, 1, 1>(numbered),
            (LaneWidth::Byte, 1, 2) => self.sweep::<u8, 2, 1>(numbered),
            (LaneWidth::Byte, 1, FEW_LANES) => self.sweep::<u8, FEW_LANES, 1>(numbered),
            (LaneWidth::Byte, 1, _) => self.sweep::<u8, LANES, 1>(numbered),
            (LaneWidth::Byte, _, 2) => self.sweep::<u8, 2, 2>(numbered),
            (LaneWidth::Byte, _, FEW_LANES) => self.sweep::<u8, FEW_LANES, 2>(numbered),
            (LaneWidth::Byte, ..) => self.sweep::<u8, LANES, 2>(numbered),
            (LaneWidth::Short, 1, 2) => self.sweep::<u16, 2, 1>(numbered),
            (LaneWidth::Short, 1, _) => self.sweep::<u16, LANES, 1>(numbered),
            (LaneWidth::Short, _, 2) => self.sweep::<u16, 2, 2>(numbered),
            (LaneWidth::Short, ..) => self.sweep::<u16, LANES, 2>(numbered),
            (LaneWidth::Long, 1, _) => self.sweep::<u32, WIDE_LANES, 1>(numbered),
            (LaneWidth::Long, ..) => self.sweep::<u32, WIDE_LANES, 2>(numbered),
        }
    }

    fn sweep<T: ThresholdInteger + 'static, const N: usize, const S: usize>(
        &self,
        numbered: Numbered<'_>,
    ) -> Result<Vec<Vec<[u64; 2]>>> {
        let Numbered {
            indexed, states, ..
        } = numbered;
        let numbering = &indexed.numbering;
        let mut columns = Vec::new();
        // Lanes are padded to N by repeating the last one, so any number of them can be swept.
        for lanes in self.lanes.chunks(N) {
            if let Some(kept) = numbered.kept {
                let width = size_of::<Lanes<T, N, S>>() as u64;
                let bytes = numbering.positions().saturating_mul(width);
                // The sweep was planned as if nothing else were in memory, so older values may have
                // to go first.
                kept.make_room(bytes, self.context.limits.room());
            }
            let theory = LaneKernel::<T, N, S>::new(self.goal, lanes);
            let swept = sweep::sweep::<RawLanes, _>(numbered, &theory, self.context)?;
            let values = states
                .iter()
                .map(|state| swept.value(indexed, state).expect("what is wanted is kept"));
            let values: Vec<RawLanes> = values.collect();
            let column = |lane: usize| values.iter().map(|value| value[lane]).collect();
            columns.extend((0..lanes.len()).map(column));
            if let Some(kept) = numbered.kept {
                kept.add(self.goal, lanes, swept);
            }
        }
        Ok(columns)
    }

    /// Finds the thresholds of the position for each lane.
    fn in_layers(&self, layered: Layered<'_>) -> Result<Option<Vec<[u64; 2]>>> {
        match self.extent() {
            (LaneWidth::Byte, 1, 1 | 2) => self.ask::<u8, 2, 1>(layered),
            (LaneWidth::Byte, _, 2) => self.ask::<u8, 2, 2>(layered),
            // Fewer widths are compiled for layers, because they are asked about single positions.
            (LaneWidth::Byte | LaneWidth::Short, 1, _) => self.ask::<u16, LANES, 1>(layered),
            (LaneWidth::Byte | LaneWidth::Short, ..) => self.ask::<u16, LANES, 2>(layered),
            (LaneWidth::Long, 1, _) => self.ask::<u32, WIDE_LANES, 1>(layered),
            (LaneWidth::Long, ..) => self.ask::<u32, WIDE_LANES, 2>(layered),
        }
    }

    fn ask<T: ThresholdInteger + 'static, const N: usize, const S: usize>(
        &self,
        layered: Layered<'_>,
    ) -> Result<Option<Vec<[u64; 2]>>> {
        let values = |layers: &dyn LayeredSpace<'_>| -> Result<Vec<[u64; 2]>> {
            let mut row = Vec::new();
            for lanes in self.lanes.chunks(N) {
                let value = layers::value(layers, &LaneKernel::<T, N, S>::new(self.goal, lanes))?;
                row.extend((0..lanes.len()).map(|lane| value.raw(lane)));
            }
            Ok(row)
        };
        let Layered { ruleset, state, .. } = layered;
        layers::ask(ruleset, state, u32::MAX, &values, self.context)
    }
}
