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

use std::borrow::Cow;
use std::ops::Range;

use super::fill::{TruncatedBoard, TurnTheory, movable};
use super::image::{CAN_MIRROR, image};
use super::layer::{Layer, LayerIndex, Levels, counts, counts_but_images, most_levels, sizes};
use super::number::Narrow;
use super::reached::TruncationRecord;
use super::runs::Runs;
use crate::diagnostic::{Diagnostic, Result};
use crate::parallel;
use crate::store::{Checkpoint, StoredWork, Vault};
use crate::watch::{Context, Stop};

/// The greatest number of arrays computed between two reports.
const BATCH: usize = 512;

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
pub struct Tables<'a, T> {
    board: &'a TruncatedBoard<'a, T>,
    moves: u32,
    /// `true` if only one of two arrays that are mirror images is computed.
    is_mirrored: bool,
    /// The number of positions of each layer that are computed.
    counts: Vec<u64>,
    vault: Vault<'a>,
    /// The state to resume from, if its manifest is intact.
    reached: Option<TruncationRecord>,
    /// `true` if there is a state to resume from but its manifest is damaged.
    is_manifest_damaged: bool,
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

/// A layer with its values, by array and lane.
struct LayerTable<S> {
    layer: Layer,
    arrays: Arrays<S>,
}

enum Arrays<S> {
    /// Computed on demand: the arrays of the last layer.
    Unmade,
    Plain(Vec<Vec<Vec<S>>>),
    Packed(Runs),
}

/// A table with numbers of some width.
enum AnyTable {
    Byte(LayerTable<u8>),
    Short(LayerTable<u16>),
    Word(LayerTable<u32>),
    Long(LayerTable<u64>),
}

/// The width of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberWidth {
    Byte,
    Short,
    Word,
    Long,
}

impl NumberWidth {
    /// Returns the least width for numbers up to this one.
    fn of(greatest: u64) -> Self {
        match greatest {
            0..=0xFF => Self::Byte,
            0x100..=0xFFFF => Self::Short,
            0x1_0000..=0xFFFF_FFFF => Self::Word,
            _ => Self::Long,
        }
    }
}

impl<'a, T: TurnTheory> Tables<'a, T> {
    /// Prepares the tables of a truncation after so many moves.
    ///
    /// # Errors
    /// If there are more positions than the limit, the list of levels alone would be too long, or
    /// the disk fails.
    pub fn new(
        board: &'a TruncatedBoard<'a, T>,
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
        let is_mirrored = CAN_MIRROR && board.product.is_its_mirror_image();
        let counts = if is_mirrored {
            counts_but_images(board.product, moves)
        } else {
            all
        };
        let longest = most_levels(board.product, moves).saturating_mul(LEVELS);
        if longest > limits.room() / 5 {
            return Err(Stop::Memory(limits.max_memory).into());
        }
        let lanes = board.leaves.len();
        let (checkpoint, reached): (Option<Checkpoint<'_>>, Option<TruncationRecord>) =
            match context.own_disk() {
                Some(disk) => {
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
                    let rest = format_args!(
                        "in runs: {:?} truncated after {moves} moves, {routes}, {images}",
                        board.turns
                    );
                    let work = StoredWork::new("bounds by truncation", identity, rest);
                    let last = counts.len() as u32 - 1;
                    let layer = |layer| Layer::new(board.product, is_mirrored, layer);
                    let is_sound =
                        |reached: &TruncationRecord| reached.is_sound(last, layer, lanes);
                    let (checkpoint, reached) = Checkpoint::open(disk, work, is_sound)?;
                    (Some(checkpoint), reached)
                }
                None => (None, None),
            };
        let is_manifest_damaged = checkpoint.as_ref().is_some_and(Checkpoint::is_damaged);
        let vault = Vault::new(checkpoint, limits.room() / 5 * 2, reached.as_ref());
        Ok(Self {
            board,
            moves,
            is_mirrored,
            counts,
            vault,
            reached,
            is_manifest_damaged,
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
        greatest: impl Fn(u32) -> u64,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Vec<u64>> {
        let width = |layer: u32| NumberWidth::of(greatest(self.moves - layer));
        if self.is_manifest_damaged {
            warnings.push(self.vault.begun_anew());
        }
        let begun = match self.reached.take() {
            Some(reached) => self.restore(reached, warnings)?,
            None => None,
        };
        let mut solved = self.solve_layers(&width, begun);
        if solved
            .as_ref()
            .is_err_and(|error| self.vault.is_to_blame(error))
        {
            warnings.push(self.vault.begun_anew());
            self.vault.clear()?;
            solved = self.solve_layers(&width, None);
        }
        // After any other error, such as a full disk, the files stay there so that the work can be
        // resumed.
        if self.vault.has_disk() && solved.is_ok() {
            self.vault.clear()?;
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
            .map(|next| room(layer + 1).restore(next, &self.vault))
            .transpose()?;
        let next = match next {
            Some((rest, 1..)) => {
                warnings.push(self.vault.begun_anew());
                rest.discard(&self.vault)?;
                self.vault.clear()?;
                return Ok(None);
            }
            Some((next, 0)) => Some(next),
            None => None,
        };
        let (arrays, lost) = room(layer).restore(arrays, &self.vault)?;
        if lost > 0 {
            warnings.push(self.vault.in_part_anew(lost));
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
        (self.context.limits.room() / RUN_SHARE).clamp(*RUN.start(), *RUN.end()) as usize
    }

    fn solve_layers(
        &self,
        width: &impl Fn(u32) -> NumberWidth,
        begun: Option<Begun>,
    ) -> Result<Vec<u64>> {
        let last = self.counts.len() as u32 - 1;
        let (first, next, mut done) = match begun {
            Some(Begun {
                layer,
                arrays,
                next,
            }) => (layer + 1, next, Some(arrays)),
            None => (last, None, None),
        };
        let mut table = match width(first) {
            NumberWidth::Byte => AnyTable::Byte(self.begun(first, next)),
            NumberWidth::Short => AnyTable::Short(self.begun(first, next)),
            NumberWidth::Word => AnyTable::Word(self.begun(first, next)),
            NumberWidth::Long => AnyTable::Long(self.begun(first, next)),
        };
        for layer in (0..first).rev() {
            let done = done.take();
            table = match (table, width(layer)) {
                (AnyTable::Byte(next), NumberWidth::Byte) => {
                    AnyTable::Byte(self.step(layer, next, done)?)
                }
                (AnyTable::Byte(next), _) => AnyTable::Short(self.step(layer, next, done)?),
                (AnyTable::Short(next), NumberWidth::Short) => {
                    AnyTable::Short(self.step(layer, next, done)?)
                }
                (AnyTable::Short(next), _) => AnyTable::Word(self.step(layer, next, done)?),
                (AnyTable::Word(next), NumberWidth::Word) => {
                    AnyTable::Word(self.step(layer, next, done)?)
                }
                (AnyTable::Word(next), _) => AnyTable::Long(self.step(layer, next, done)?),
                (AnyTable::Long(next), _) => AnyTable::Long(self.step(layer, next, done)?),
            };
        }
        match &table {
            AnyTable::Byte(table) => self.start(table),
            AnyTable::Short(table) => self.start(table),
            AnyTable::Word(table) => self.start(table),
            AnyTable::Long(table) => self.start(table),
        }
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
            Arrays::Packed(next) => Some(next.record(&self.vault)?),
            Arrays::Plain(_) => return Ok(()),
        };
        self.vault.save(&TruncationRecord {
            layer,
            arrays: runs.record(&self.vault)?,
            next,
        })
    }

    /// Returns the values of the only position of the first layer.
    fn start<S: Narrow>(&self, table: &LayerTable<S>) -> Result<Vec<u64>> {
        Ok(self
            .arrays(table, 0)?
            .iter()
            .map(|values| values[0].wide())
            .collect())
    }

    /// Computes a layer from the next one, which is discarded; some of the layer's arrays may be
    /// there already.
    fn step<S: Narrow, D: Narrow + From<S>>(
        &self,
        layer: u32,
        mut next: LayerTable<S>,
        done: Option<Runs>,
    ) -> Result<LayerTable<D>> {
        let here = self.layer(layer);
        let room = self.context.limits.room();
        let bytes = self.counts[layer as usize]
            .saturating_mul((self.board.leaves.len() * size_of::<D>()) as u64);
        let plain = if self.vault.has_disk() {
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
        let is_stopped = worked.as_ref().is_err_and(|stopped| stopped.code.is_stop());
        if is_stopped && self.vault.has_disk() {
            self.save(layer, &mut arrays, &mut next)?;
        }
        worked?;
        self.let_go(next)?;
        Ok(LayerTable {
            layer: here,
            arrays,
        })
    }

    /// Computes the arrays of a layer that are not there yet.
    fn work_on<S: Narrow, D: Narrow + From<S>>(
        &self,
        layer: u32,
        here: &Layer,
        arrays: &mut Arrays<D>,
        next: &mut LayerTable<S>,
    ) -> Result<()> {
        let room = self.context.limits.room();
        let together = self.together::<D>(here, room / 20);
        let total = self.counts.iter().sum();
        let mut done: u64 = self.counts[layer as usize + 1..].iter().sum();
        for ArrayGroup { places, sources } in self.groups(here, next, room / 5) {
            let places: Vec<usize> = places.filter(|place| !arrays.has(*place)).collect();
            if places.is_empty() {
                continue;
            }
            let loaded = self.load(next, &sources)?;
            for batch in places.chunks(together) {
                self.context.check()?;
                self.context.report("bounding", done, Some(total));
                let work = |place: &usize| {
                    self.context.check()?;
                    self.work_out::<S, D>(&here.levels[*place], self.moves - layer, next, &loaded)
                };
                let worked: Vec<Vec<Vec<D>>> = parallel::try_map(batch, work)?;
                done += worked
                    .iter()
                    .map(|lanes| lanes[0].len() as u64)
                    .sum::<u64>();
                let is_full = self.keep(arrays, batch, worked)?;
                if self.vault.has_disk() {
                    let save = || self.save(layer, arrays, next);
                    self.context.save_if(is_full, save)?;
                }
            }
        }
        match arrays {
            Arrays::Packed(runs) => self.close(runs),
            Arrays::Plain(_) | Arrays::Unmade => Ok(()),
        }
    }

    /// Closes the open run.
    fn close(&self, runs: &mut Runs) -> Result<()> {
        runs.close(&self.vault)?
            .ok_or_else(|| Stop::Memory(self.context.limits.max_memory).into())
    }

    /// Returns the number of a layer's arrays to compute before they are packed: as many as fit in
    /// the room, but enough for every thread.
    fn together<D>(&self, here: &Layer, room: u64) -> usize {
        let lens = here
            .levels
            .iter()
            .map(|levels| sizes(self.board.product, levels).product::<usize>());
        let widest = lens
            .max()
            .unwrap_or(1)
            .saturating_mul(self.board.leaves.len() * size_of::<D>());
        let least = 2 * parallel::threads();
        usize::try_from(room)
            .unwrap_or(usize::MAX)
            .checked_div(widest)
            .unwrap_or(0)
            .clamp(least, BATCH.max(least))
    }

    /// Stores arrays that have been computed, given their indices; returns `true` if a run has
    /// become full.
    fn keep<D: Narrow>(
        &self,
        arrays: &mut Arrays<D>,
        places: &[usize],
        worked: Vec<Vec<Vec<D>>>,
    ) -> Result<bool> {
        let runs = match arrays {
            Arrays::Plain(plain) => {
                plain.extend(worked);
                return Ok(false);
            }
            Arrays::Packed(runs) => runs,
            Arrays::Unmade => unreachable!("layers are made to be kept"),
        };
        let pack = |lanes: &Vec<Vec<D>>| {
            lanes
                .iter()
                .map(|values| self.vault.pack_part(values))
                .collect::<Vec<_>>()
        };
        let mut is_full = false;
        for (place, lanes) in places.iter().zip(parallel::map(&worked, pack)) {
            runs.push(*place, &lanes);
            if runs.is_full() {
                self.close(runs)?;
                is_full = true;
            }
        }
        Ok(is_full)
    }

    fn let_go<S>(&self, table: LayerTable<S>) -> Result<()> {
        match table.arrays {
            Arrays::Packed(runs) => runs.discard(&self.vault),
            Arrays::Plain(_) | Arrays::Unmade => Ok(()),
        }
    }

    /// Computes the values at some levels, by lane.
    fn work_out<S: Narrow, D: Narrow + From<S>>(
        &self,
        levels: &Levels,
        left: u32,
        next: &LayerTable<S>,
        loaded: &Loaded<S>,
    ) -> Result<Vec<Vec<D>>> {
        let mut later = Vec::new();
        for component in movable(self.board.product, levels) {
            let mut to = levels.clone();
            to[component] += 1;
            later.push(self.later(next, loaded, &to)?);
        }
        let lane = |lane: usize| later.iter().map(|arrays| arrays[lane].as_slice()).collect();
        let sources: Vec<Vec<&[S]>> = (0..self.board.leaves.len()).map(lane).collect();
        Ok(self.board.fill(levels, left, &sources))
    }

    /// Returns the values at some levels of the next layer, by lane.
    fn later<'t, S: Narrow>(
        &self,
        next: &'t LayerTable<S>,
        loaded: &'t Loaded<S>,
        levels: &Levels,
    ) -> Result<Cow<'t, [Vec<S>]>> {
        let stored = |place| match loaded.get(place) {
            Some(arrays) => Ok(Cow::Borrowed(arrays)),
            None => self.arrays(next, place),
        };
        match next.layer.find(levels) {
            LayerIndex::Here(place) => stored(place),
            LayerIndex::Mirrored(_) if !CAN_MIRROR => {
                unreachable!("all levels stand in their layer")
            }
            LayerIndex::Mirrored(place) => {
                let sizes: Vec<usize> =
                    sizes(self.board.product, &next.layer.levels[place]).collect();
                Ok(stored(place)?
                    .iter()
                    .map(|lane| image(lane, &sizes))
                    .collect())
            }
        }
    }

    /// Returns the values at an index of a table, by lane.
    fn arrays<'t, S: Narrow>(
        &self,
        table: &'t LayerTable<S>,
        place: usize,
    ) -> Result<Cow<'t, [Vec<S>]>> {
        let levels = &table.layer.levels[place];
        match &table.arrays {
            Arrays::Unmade => Ok(self
                .board
                .fill_last(levels, self.moves + 1 - self.counts.len() as u32)
                .into()),
            Arrays::Plain(plain) => Ok(plain[place].as_slice().into()),
            Arrays::Packed(runs) => {
                let len = sizes(self.board.product, levels).product();
                Ok(runs.load(&self.vault, place, len)?.into())
            }
        }
    }

    /// Returns the groups of a layer's arrays: those of the fewest leading components for which the
    /// arrays unpacked for a group fit in the room.
    fn groups<S: Narrow>(&self, here: &Layer, next: &LayerTable<S>, room: u64) -> Vec<ArrayGroup> {
        let components = self.board.product.components.len();
        let bytes = |places: &Range<usize>| -> u64 {
            let sizes = next.layer.levels[places.clone()].iter().map(|levels| {
                sizes(self.board.product, levels)
                    .map(|size| size as u64)
                    .product::<u64>()
            });
            sizes.sum::<u64>() * (self.board.leaves.len() * size_of::<S>()) as u64
        };
        let group = |prefix: usize| -> Vec<ArrayGroup> {
            let runs = here.levels.chunk_by(|a, b| a[..prefix] == b[..prefix]);
            let mut begin = 0;
            let places = runs.map(|run| {
                begin += run.len();
                ArrayGroup {
                    places: begin - run.len()..begin,
                    sources: next.layer.with_prefix(&run[0][..prefix]),
                }
            });
            places.collect()
        };
        if matches!(next.arrays, Arrays::Plain(_)) {
            return vec![ArrayGroup {
                places: 0..here.levels.len(),
                sources: 0..0,
            }];
        }
        let fits =
            |groups: &Vec<ArrayGroup>| groups.iter().all(|group| bytes(&group.sources) <= room);
        (0..components)
            .map(group)
            .find(fits)
            .unwrap_or_else(|| group(components))
    }

    /// Unpacks the arrays that a group needs.
    fn load<S: Narrow>(&self, next: &LayerTable<S>, sources: &Range<usize>) -> Result<Loaded<S>> {
        let unpack = |place: usize| {
            self.context.check()?;
            self.arrays(next, place).map(Cow::into_owned)
        };
        let arrays = parallel::try_map(sources.clone(), unpack)?;
        Ok(Loaded {
            first: sources.start,
            arrays,
        })
    }
}

impl<S> Arrays<S> {
    /// Returns `true` if an array is there.
    fn has(&self, place: usize) -> bool {
        match self {
            Self::Unmade => false,
            Self::Plain(plain) => place < plain.len(),
            Self::Packed(runs) => runs.has(place),
        }
    }
}

/// A group of arrays that agree in the levels of their first components.
struct ArrayGroup {
    /// Their indices in the layer.
    places: Range<usize>,
    /// The indices of the arrays of the next layer that agree in these levels too.
    sources: Range<usize>,
}

/// The arrays that have been unpacked.
struct Loaded<S> {
    first: usize,
    arrays: Vec<Vec<Vec<S>>>,
}

impl<S> Loaded<S> {
    fn get(&self, place: usize) -> Option<&[Vec<S>]> {
        self.arrays
            .get(place.checked_sub(self.first)?)
            .map(Vec::as_slice)
    }
}
