//! The tables of the layers, computed from the last one back, with two at a time in memory, plain
//! or packed, or on the disk.
//!
//! Packed tables are unpacked group by group. A *group* consists of arrays that agree in the levels
//! of the first few components: moves in the other components stay in the group, so their targets
//! are unpacked once; targets of moves in the first few components are unpacked for each array that
//! needs them. The tables of the last layer contain only which positions have ended, and which are
//! about to; recomputing them costs little more than unpacking, so they are not kept at all.
//!
//! If there is a disk, interrupted work is resumed from there ([`reached`](super::reached)): the
//! arrays are written in long runs ([`runs`](super::runs)), each as soon as it is full, and the
//! manifest after it. If a run is damaged, its contents are computed again: only its arrays if they
//! belong to the layer that was being computed, but everything if they belong to the next layer,
//! since the layer after it no longer exists.

mod arrays;

use self::arrays::{Arrays, LayerTable};
use super::fill::TruncatedBoard;
use super::layer::{Layer, counts, counts_but_images, most_levels};
use super::reached::TruncationRecord;
use super::runs::Runs;
use crate::chips::ThresholdInteger;
use crate::convert::fit;
use crate::diagnostic::{Diagnostic, Result};
use crate::space::store::{self, StoredWork};
use crate::watch::{Context, Stop};

/// The approximate memory of levels in lists and indexes, in bytes.
const LEVELS: u64 = 120;

/// The share of the room that a run takes, as the denominator of a fraction, and the bounds on the
/// length of a run in bytes.
const RUN_SHARE: u64 = 64;
const RUN: std::ops::RangeInclusive<u64> = 1 << 14..=1 << 23;

/// The size in bytes up to which layers are not written to the disk, since they are computed again
/// quickly.
const SMALL: u64 = 1 << 24;

/// The tables of a truncation.
pub struct Tables<'a> {
    board: &'a TruncatedBoard<'a>,
    moves: u32,
    /// `true` if only one of two arrays that are mirror images is computed.
    is_mirrored: bool,
    /// The number of positions of each layer that are computed.
    counts: Vec<u64>,
    /// The tables of packed arrays.
    packed: store::Tables<'a>,
    /// The state to resume from, if its manifest is intact.
    reached: Option<TruncationRecord>,
    context: &'a Context<'a>,
}

/// The layers to resume from.
struct Begun {
    /// The layer that is being computed.
    layer: u32,
    arrays: Runs,
    /// The next layer, unless it is the last, which is not kept.
    next: Option<Runs>,
}

/// Returns `true` if numbers up to this one fit in a width.
fn fits<S: ThresholdInteger>(greatest: u64) -> bool {
    greatest <= S::max_value().widen()
}

impl<'a> Tables<'a> {
    /// Prepares the tables of a truncation after so many moves.
    ///
    /// # Errors
    /// If there are more positions than the limit, the list of levels alone would be too long, or
    /// the disk fails.
    pub fn new(
        board: &'a TruncatedBoard<'a>,
        moves: u32,
        identity: &str,
        context: &'a Context<'a>,
    ) -> Result<Self> {
        let limits = context.limits;
        let all = counts(board.product, moves);
        if all
            .iter()
            .fold(0, |sum: u64, count| sum.saturating_add(*count))
            > limits.max_positions
        {
            return Err(Stop::Positions(limits.max_positions).into());
        }
        let is_mirrored = board.product.is_its_mirror_image();
        let counts = if is_mirrored {
            counts_but_images(board.product, moves)
        } else {
            all
        };
        let longest = most_levels(board.product, moves).saturating_mul(LEVELS);
        // Two layers have lists of levels at a time, and the arrays need the rest of the memory.
        if longest > limits.room() / 5 {
            return Err(Stop::Memory(limits.max_memory).into());
        }
        let lanes = board.leaves.len();
        let routes = if board.near.is_some() {
            "pairs of routes"
        } else {
            "no routes"
        };
        let images = if is_mirrored {
            "images made"
        } else {
            "all stored"
        };
        // Everything that changes the stored numbers is named, so that other work is not taken for
        // this.
        let rest = format_args!(
            "in runs: {:?} truncated after {moves} moves, {routes}, {images}",
            board.turns
        );
        let work = StoredWork::new("bounds by truncation", identity, rest);
        let last = fit::<u32>(counts.len()) - 1;
        let layer = |layer| Layer::new(board.product, is_mirrored, layer);
        let is_sound = |reached: &TruncationRecord| reached.is_sound(last, layer, lanes);
        let room = limits.room() / 5 * 2;
        let (packed, reached) = store::Tables::resumed(context, work, room, is_sound)?;
        Ok(Self {
            board,
            moves,
            is_mirrored,
            counts,
            packed,
            reached,
            context,
        })
    }

    /// Computes the values of the start, by lane. `greatest` returns the greatest number with so
    /// many moves left: it doubles with every move, or stays the same. Adds a warning if damaged
    /// files make it necessary to compute something again.
    ///
    /// # Errors
    /// If the work is stopped, there is too little memory, or the disk fails.
    pub fn solve(
        mut self,
        greatest: &dyn Fn(u32) -> u64,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Vec<u64>> {
        if self.packed.has_damaged_manifest() {
            warnings.push(self.packed.begun_anew());
        }
        let begun = match self.reached.take() {
            Some(reached) => self.restore(reached, warnings)?,
            None => None,
        };
        let mut solved = self.solve_layers(greatest, begun);
        if solved
            .as_ref()
            .is_err_and(|error| self.packed.is_to_blame(error))
        {
            warnings.push(self.packed.begun_anew());
            self.packed.clear()?;
            solved = self.solve_layers(greatest, None);
        }
        // After any other error, such as a full disk, the files stay there so that the work can be
        // resumed.
        if self.packed.has_disk() && solved.is_ok() {
            self.packed.clear()?;
        }
        solved
    }

    /// Restores the intact part of a saved state; returns `None` if the work has to begin anew.
    fn restore(
        &self,
        reached: TruncationRecord,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Option<Begun>> {
        let TruncationRecord {
            layer,
            arrays,
            next,
        } = reached;
        let room = |layer: u32| Runs::new(self.layer(layer).levels.len(), self.run());
        let next = next
            .map(|next| room(layer + 1).restore(next, &self.packed))
            .transpose()?;
        let next = match next {
            // The layer after the next one no longer exists, so a lost array of the next one cannot
            // be computed.
            Some((rest, 1..)) => {
                warnings.push(self.packed.begun_anew());
                rest.discard(&self.packed)?;
                self.packed.clear()?;
                return Ok(None);
            }
            Some((next, 0)) => Some(next),
            None => None,
        };
        let (arrays, lost) = room(layer).restore(arrays, &self.packed)?;
        if lost > 0 {
            warnings.push(self.packed.in_part_anew(lost));
        }
        Ok(Some(Begun {
            layer,
            arrays,
            next,
        }))
    }

    /// Returns the layer after so many moves.
    fn layer(&self, moves: u32) -> Layer {
        Layer::new(self.board.product, self.is_mirrored, moves)
    }

    /// Returns the length at which runs are closed, in bytes.
    fn run(&self) -> usize {
        fit::<usize>((self.context.limits.room() / RUN_SHARE).clamp(*RUN.start(), *RUN.end()))
    }

    fn solve_layers(
        &self,
        greatest: &dyn Fn(u32) -> u64,
        begun: Option<Begun>,
    ) -> Result<Vec<u64>> {
        let (first, next, done) = match begun {
            Some(begun) => (begun.layer + 1, begun.next, Some(begun.arrays)),
            None => (fit::<u32>(self.counts.len()) - 1, None, None),
        };
        let most = greatest(self.moves - first);
        if fits::<u8>(most) {
            self.descend(first, self.begun::<u8>(first, next), done, greatest)
        } else if fits::<u16>(most) {
            self.descend(first, self.begun::<u16>(first, next), done, greatest)
        } else if fits::<u32>(most) {
            self.descend(first, self.begun::<u32>(first, next), done, greatest)
        } else {
            self.descend(first, self.begun::<u64>(first, next), done, greatest)
        }
    }

    /// Computes the values of the start from the table of a layer, and from those arrays of the
    /// layer before that are there already.
    fn descend<S: ThresholdInteger>(
        &self,
        layer: u32,
        mut next: LayerTable<S>,
        mut done: Option<Runs>,
        greatest: &dyn Fn(u32) -> u64,
    ) -> Result<Vec<u64>> {
        for layer in (0..layer).rev() {
            let done = done.take();
            // The greatest number at most doubles with a move, so widths grow by one step at a
            // time.
            if !fits::<S>(greatest(self.moves - layer)) {
                let wider: LayerTable<S::Wider> = self.step(layer, next, done)?;
                return self.descend(layer, wider, None, greatest);
            }
            next = self.step(layer, next, done)?;
        }
        self.start(&next)
    }

    /// Returns the table of the layer that the work starts from.
    fn begun<S>(&self, layer: u32, runs: Option<Runs>) -> LayerTable<S> {
        LayerTable {
            layer: self.layer(layer),
            arrays: runs.map_or(Arrays::Unmade, Arrays::Packed),
        }
    }

    /// Saves the state to resume from: some arrays of a layer, and the next layer. Layers that are
    /// not packed are quickly computed again, so nothing is saved for them.
    fn save<S, D>(
        &self,
        layer: u32,
        arrays: &mut Arrays<D>,
        next: &mut LayerTable<S>,
    ) -> Result<()> {
        let Arrays::Packed(runs) = arrays else {
            return Ok(());
        };
        let next = match &mut next.arrays {
            Arrays::Unmade => None,
            Arrays::Packed(next) => Some(next.all(&self.packed)?),
            // A plain next layer is small, and both layers are soon computed again.
            Arrays::Plain(_) => return Ok(()),
        };
        self.packed.save(&TruncationRecord {
            layer,
            arrays: runs.all(&self.packed)?,
            next,
        })
    }

    /// Returns the values of the only position of the first layer.
    fn start<S: ThresholdInteger>(&self, table: &LayerTable<S>) -> Result<Vec<u64>> {
        Ok(self
            .arrays(table, 0)?
            .iter()
            .map(|values| values[0].widen())
            .collect())
    }

    /// Computes a layer from the next one, which is discarded; some of the layer's arrays may be
    /// there already.
    fn step<S: ThresholdInteger, D: ThresholdInteger + From<S>>(
        &self,
        layer: u32,
        mut next: LayerTable<S>,
        done: Option<Runs>,
    ) -> Result<LayerTable<D>> {
        let here = self.layer(layer);
        let room = self.context.limits.room();
        let bytes = self.counts[layer as usize]
            .saturating_mul((self.board.leaves.len() * size_of::<D>()) as u64);
        let plain = if self.packed.has_disk() {
            // With a disk larger layers are packed, because only packed ones can be saved.
            SMALL.min(room / 4)
        } else {
            room / 4
        };
        let mut arrays = match done {
            None if bytes <= plain => Arrays::Plain(Vec::new()),
            None => Arrays::Packed(Runs::new(here.levels.len(), self.run())),
            Some(done) => Arrays::Packed(done),
        };
        let worked = self.work_on(layer, &here, &mut arrays, &mut next);
        // After another error, such as a damaged file, the state is not worth saving.
        let is_stopped = worked.as_ref().is_err_and(|stopped| stopped.code.is_stop());
        if is_stopped && self.packed.has_disk() {
            self.save(layer, &mut arrays, &mut next)?;
        }
        worked?;
        self.let_go(next)?;
        Ok(LayerTable {
            layer: here,
            arrays,
        })
    }
}
