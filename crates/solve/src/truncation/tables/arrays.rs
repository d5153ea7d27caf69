//! The arrays of a layer's table: they are computed group by group from those of the next layer,
//! kept plain or packed, and unpacked where they are needed.

use std::borrow::Cow;
use std::ops::Range;

use super::Tables;
use crate::chips::ThresholdInteger;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::parallel;
use crate::truncation::fill::movable;
use crate::truncation::image::image;
use crate::truncation::layer::{Layer, LayerIndex, Levels, sizes};
use crate::truncation::runs::Runs;
use crate::watch::Stop;

/// The greatest number of arrays computed between two reports.
const BATCH: usize = 512;

/// A layer with its values, by array and lane.
pub(super) struct LayerTable<S> {
    pub(super) layer: Layer,
    pub(super) arrays: Arrays<S>,
}

/// The arrays of a layer.
pub(super) enum Arrays<S> {
    /// Computed on demand: the arrays of the last layer.
    Unmade,
    Plain(Vec<Vec<Vec<S>>>),
    Packed(Runs),
}

impl Tables<'_> {
    /// Computes the arrays of a layer that are not there yet.
    pub(super) fn work_on<S: ThresholdInteger, D: ThresholdInteger + From<S>>(
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
            // Resumed work has some of the arrays already.
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
                // The state is saved when a run is full, because the open run is not on the disk.
                let is_full = self.keep(arrays, batch, worked)?;
                if self.packed.has_disk() {
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
        runs.close(&self.packed)?
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
            // Two arrays for each thread keep all of them busy to the end of a batch.
            .clamp(least, BATCH.max(least))
    }

    /// Stores arrays that have been computed, given their indices; returns `true` if a run has
    /// become full.
    fn keep<D: ThresholdInteger>(
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
                .map(|values| self.packed.pack_range(values))
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

    pub(super) fn let_go<S>(&self, table: LayerTable<S>) -> Result<()> {
        match table.arrays {
            Arrays::Packed(runs) => runs.discard(&self.packed),
            Arrays::Plain(_) | Arrays::Unmade => Ok(()),
        }
    }

    /// Computes the values at some levels, by lane.
    fn work_out<S: ThresholdInteger, D: ThresholdInteger + From<S>>(
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
    fn later<'t, S: ThresholdInteger>(
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
    pub(super) fn arrays<'t, S: ThresholdInteger>(
        &self,
        table: &'t LayerTable<S>,
        place: usize,
    ) -> Result<Cow<'t, [Vec<S>]>> {
        let levels = &table.layer.levels[place];
        match &table.arrays {
            Arrays::Unmade => Ok(self
                .board
                .fill_last(levels, self.moves + 1 - fit::<u32>(self.counts.len()))
                .into()),
            Arrays::Plain(plain) => Ok(plain[place].as_slice().into()),
            Arrays::Packed(runs) => {
                let len = sizes(self.board.product, levels).product();
                Ok(runs.load(&self.packed, place, len)?.into())
            }
        }
    }

    /// Returns the groups of a layer's arrays: those of the fewest leading components for which the
    /// arrays unpacked for a group fit in the room.
    fn groups<S: ThresholdInteger>(
        &self,
        here: &Layer,
        next: &LayerTable<S>,
        room: u64,
    ) -> Vec<ArrayGroup> {
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
            // Plain arrays need not be unpacked, so that one group is enough.
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
            // Groups of one array need nothing unpacked beforehand, so this always fits.
            .unwrap_or_else(|| group(components))
    }

    /// Unpacks the arrays that a group needs.
    fn load<S: ThresholdInteger>(
        &self,
        next: &LayerTable<S>,
        sources: &Range<usize>,
    ) -> Result<Loaded<S>> {
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
            // Plain arrays are computed in order, so their number tells which are there.
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
            // Arrays before the group are not loaded, and are unpacked one by one.
            .get(place.checked_sub(self.first)?)
            .map(Vec::as_slice)
    }
}
