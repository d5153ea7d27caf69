//! The layers' tables: worked out from the last one back, two at a time, in memory as they are, or packed, or on the disk.
//!
//! Packed tables are unpacked group by group. A *group* is what agrees in the levels of the first few components: moves in the others stay in it, so
//! these sources are unpacked once; those of the first few are unpacked for each array that needs them. The tables of the last layer tell nothing but
//! which positions have ended, and which are about to, which costs little more to work out than to unpack: they are not kept at all.
//!
//! Where there is a disk the work goes on from where it was left there ([`reached`](super::reached)).

use std::borrow::Cow;
use std::ops::Range;

use super::fill::{Board, Turns, movable};
use super::layer::{Layer, Levels, counts, most_levels, sizes};
use super::near::Near;
use super::number::Narrow;
use super::reached::Reached;
use crate::diagnostic::Result;
use crate::parallel;
use crate::store::{Blob, Checkpoint, Record, Vault, Work};
use crate::watch::{Stop, Watch};

/// How many arrays are worked out between two reports, at most.
const BATCH: usize = 512;

/// How many bytes levels take in lists and indexes, about.
const LEVELS: u64 = 120;

/// The tables of a truncation.
pub struct Tables<'a, T> {
    board: &'a Board<'a, T>,
    moves: u32,
    /// How many positions each layer has.
    counts: Vec<u64>,
    vault: Vault<'a>,
    /// Where the work goes on from.
    reached: Option<Reached>,
    watch: &'a dyn Watch,
}

/// A layer with its values, array by array, by lane.
struct Table<S> {
    layer: Layer,
    arrays: Arrays<S>,
}

enum Arrays<S> {
    /// Worked out when they are asked for: those of the last layer.
    Unmade,
    Plain(Vec<Vec<Vec<S>>>),
    Packed(Vec<Vec<Blob>>),
}

/// A table in numbers of some width.
enum AnyTable {
    Byte(Table<u8>),
    Short(Table<u16>),
    Word(Table<u32>),
    Long(Table<u64>),
}

/// Which width numbers take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    Byte,
    Short,
    Word,
    Long,
}

impl Width {
    /// The least for numbers up to this one.
    fn of(greatest: u64) -> Self {
        match greatest {
            0..=0xFF => Self::Byte,
            0x100..=0xFFFF => Self::Short,
            0x1_0000..=0xFFFF_FFFF => Self::Word,
            _ => Self::Long,
        }
    }
}

impl<'a, T: Turns> Tables<'a, T> {
    /// Room for the tables of a truncation after so many moves.
    ///
    /// # Errors
    /// If there are more positions than the limit, or their mere list is too long; or the disk fails.
    pub fn new(board: &'a Board<'a, T>, moves: u32, identity: &str, watch: &'a dyn Watch) -> Result<Self> {
        let limits = watch.limits();
        let counts = counts(board.product, moves);
        if counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count)) > limits.max_positions {
            return Err(Stop::Positions(limits.max_positions).into());
        }
        let longest = most_levels(board.product, moves).saturating_mul(LEVELS);
        if longest > limits.room() / 5 {
            return Err(Stop::Memory(limits.max_memory).into());
        }
        let lanes = board.leaves.len();
        let (checkpoint, reached) = match watch.disk() {
            Some(disk) => {
                let ahead = board.near.as_ref().map(Near::most);
                let rest = format_args!("{:?} truncated after {moves} moves, ahead {ahead:?}", board.turns);
                let work = Work::new("bounds by truncation", identity, rest);
                let last = counts.len() as u32 - 1;
                let is_sound =
                    |reached: &Reached| reached.is_sound(last, |layer| Layer::new(board.product, layer), lanes);
                let (checkpoint, reached) = Checkpoint::open(disk, work, is_sound)?;
                (Some(checkpoint), reached)
            }
            None => (None, None),
        };
        let vault = Vault::new(checkpoint, limits.room() / 5 * 2, reached.as_ref());
        Ok(Self { board, moves, counts, vault, reached, watch })
    }

    /// The values of the start, by lane. `greatest` is the greatest number with so many moves left: it doubles with every move, or stays.
    ///
    /// # Errors
    /// If the watch stops the work, there is too little memory, or the disk fails.
    pub fn solve(&self, greatest: impl Fn(u32) -> u64) -> Result<Vec<u64>> {
        let width = |layer: u32| Width::of(greatest(self.moves - layer));
        let mut solved = self.solve_layers(&width, self.reached.as_ref());
        if solved.as_ref().is_err_and(|error| self.vault.is_to_blame(error)) {
            self.vault.clear()?;
            solved = self.solve_layers(&width, None);
        }
        let is_stopped = solved.as_ref().is_err_and(|stopped| stopped.code.is_stop());
        if self.vault.has_disk() && !is_stopped {
            self.vault.clear()?;
        }
        solved
    }

    fn solve_layers(&self, width: &impl Fn(u32) -> Width, reached: Option<&Reached>) -> Result<Vec<u64>> {
        let last = self.counts.len() as u32 - 1;
        let first = reached.map_or(last, |reached| reached.layer + 1);
        let mut table = match width(first) {
            Width::Byte => AnyTable::Byte(self.begun(first, reached)),
            Width::Short => AnyTable::Short(self.begun(first, reached)),
            Width::Word => AnyTable::Word(self.begun(first, reached)),
            Width::Long => AnyTable::Long(self.begun(first, reached)),
        };
        let mut done: Option<Vec<Vec<Blob>>> = reached.map(|reached| blobs(&reached.arrays));
        for layer in (0..first).rev() {
            let done = done.take();
            table = match (table, width(layer)) {
                (AnyTable::Byte(next), Width::Byte) => AnyTable::Byte(self.step(layer, next, done)?),
                (AnyTable::Byte(next), _) => AnyTable::Short(self.step(layer, next, done)?),
                (AnyTable::Short(next), Width::Short) => AnyTable::Short(self.step(layer, next, done)?),
                (AnyTable::Short(next), _) => AnyTable::Word(self.step(layer, next, done)?),
                (AnyTable::Word(next), Width::Word) => AnyTable::Word(self.step(layer, next, done)?),
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

    /// The table that the work goes on from.
    fn begun<S>(&self, layer: u32, reached: Option<&Reached>) -> Table<S> {
        let next = reached.and_then(|reached| reached.next.as_ref());
        let arrays = next.map_or(Arrays::Unmade, |next| Arrays::Packed(blobs(next)));
        Table { layer: Layer::new(self.board.product, layer), arrays }
    }

    /// Makes what has been reached the state to go on from: some arrays of a layer, and the next layer. What is not packed is worked out soon enough.
    fn save<S, D>(&self, layer: u32, arrays: &mut Arrays<D>, next: &mut Table<S>) -> Result<()> {
        let mut record = |blob: &mut Blob| self.vault.record(blob);
        let mut list = |packed: &mut Vec<Vec<Blob>>| -> Result<Vec<Vec<Record>>> {
            packed.iter_mut().map(|lanes| lanes.iter_mut().map(&mut record).collect()).collect()
        };
        let Arrays::Packed(packed) = arrays else { return Ok(()) };
        let next = match &mut next.arrays {
            Arrays::Unmade => None,
            Arrays::Packed(packed) => Some(list(packed)?),
            Arrays::Plain(_) => return Ok(()),
        };
        self.vault.save(&Reached { layer, arrays: list(packed)?, next })
    }

    /// The values of the only position of the first layer.
    fn start<S: Narrow>(&self, table: &Table<S>) -> Result<Vec<u64>> {
        Ok(self.arrays(table, 0)?.iter().map(|values| values[0].wide()).collect())
    }

    /// A layer from the next one, which is let go; some of its arrays may be there already.
    fn step<S: Narrow, D: Narrow + From<S>>(
        &self,
        layer: u32,
        mut next: Table<S>,
        done: Option<Vec<Vec<Blob>>>,
    ) -> Result<Table<D>> {
        let here = Layer::new(self.board.product, layer);
        let room = self.watch.limits().room();
        let bytes = self.counts[layer as usize].saturating_mul((self.board.leaves.len() * size_of::<D>()) as u64);
        let mut arrays = match done {
            None if bytes <= room / 4 => Arrays::Plain(Vec::new()),
            None => Arrays::Packed(Vec::new()),
            Some(done) => Arrays::Packed(done),
        };
        let worked = self.work_on((layer, &here), &mut arrays, &mut next);
        let is_stopped = worked.as_ref().is_err_and(|stopped| stopped.code.is_stop());
        if is_stopped && self.vault.has_disk() {
            self.save(layer, &mut arrays, &mut next)?;
        }
        worked?;
        self.let_go(next)?;
        Ok(Table { layer: here, arrays })
    }

    /// Works out those arrays of a layer that are not there yet.
    fn work_on<S: Narrow, D: Narrow + From<S>>(
        &self,
        (layer, here): (u32, &Layer),
        arrays: &mut Arrays<D>,
        next: &mut Table<S>,
    ) -> Result<()> {
        let room = self.watch.limits().room();
        let already = arrays.len();
        let together = self.together::<D>(here, room / 20);
        let total = self.counts.iter().sum();
        let mut done: u64 = self.counts[layer as usize + 1..].iter().sum();
        for Group { places, sources } in self.groups(here, next, room / 5) {
            let places = places.start.max(already)..places.end.max(already);
            if places.is_empty() {
                continue;
            }
            let loaded = self.load(next, &sources)?;
            for batch in batches(places, together) {
                self.watch.check()?;
                self.watch.report("bounding", done, Some(total));
                let work = |levels: &Levels| {
                    self.watch.check()?;
                    self.work_out::<S, D>(levels, self.moves - layer, next, &loaded)
                };
                let worked: Vec<Vec<Vec<D>>> = parallel::try_map(&here.levels[batch], work)?;
                done += worked.iter().map(|lanes| lanes[0].len() as u64).sum::<u64>();
                self.keep(arrays, worked)?;
                if self.vault.has_disk() && self.watch.save_due() {
                    self.save(layer, arrays, next)?;
                }
            }
        }
        Ok(())
    }

    /// How many of a layer's arrays are worked out before they are packed: as many as fit in the room, but enough for every thread.
    fn together<D>(&self, here: &Layer, room: u64) -> usize {
        let lens = here.levels.iter().map(|levels| sizes(self.board.product, levels).product::<usize>());
        let widest = lens.max().unwrap_or(1).saturating_mul(self.board.leaves.len() * size_of::<D>());
        let least = 2 * parallel::threads();
        usize::try_from(room).unwrap_or(usize::MAX).checked_div(widest).unwrap_or(0).clamp(least, BATCH.max(least))
    }

    /// Takes in arrays that have been worked out.
    fn keep<D: Narrow>(&self, arrays: &mut Arrays<D>, worked: Vec<Vec<Vec<D>>>) -> Result<()> {
        match arrays {
            Arrays::Plain(plain) => plain.extend(worked),
            Arrays::Packed(packed) => {
                let pack = |lanes: &Vec<Vec<D>>| lanes.iter().map(|values| self.vault.put_numbers(values)).collect();
                for lanes in parallel::try_map(&worked, pack)? {
                    let lanes: Option<Vec<Blob>> = Vec::into_iter(lanes).collect();
                    packed.push(lanes.ok_or(Stop::Memory(self.watch.limits().max_memory))?);
                }
            }
            Arrays::Unmade => unreachable!("layers are made to be kept"),
        }
        Ok(())
    }

    fn let_go<S>(&self, table: Table<S>) -> Result<()> {
        let Arrays::Packed(packed) = table.arrays else { return Ok(()) };
        packed.into_iter().flatten().try_for_each(|blob| self.vault.discard(blob))
    }

    /// The values at some levels, by lane.
    fn work_out<S: Narrow, D: Narrow + From<S>>(
        &self,
        levels: &Levels,
        left: u32,
        next: &Table<S>,
        loaded: &Loaded<S>,
    ) -> Result<Vec<Vec<D>>> {
        let mut later = Vec::new();
        for component in movable(self.board.product, levels) {
            let mut to = levels.clone();
            to[component] += 1;
            let place = next.layer.place(&to);
            later.push(match loaded.get(place) {
                Some(arrays) => Cow::Borrowed(arrays),
                None => self.arrays(next, place)?,
            });
        }
        let lane = |lane: usize| later.iter().map(|arrays| arrays[lane].as_slice()).collect();
        let sources: Vec<Vec<&[S]>> = (0..self.board.leaves.len()).map(lane).collect();
        Ok(self.board.fill(levels, left, &sources))
    }

    /// The values that stand at a place of a table, by lane.
    fn arrays<'t, S: Narrow>(&self, table: &'t Table<S>, place: usize) -> Result<Cow<'t, [Vec<S>]>> {
        let levels = &table.layer.levels[place];
        match &table.arrays {
            Arrays::Unmade => Ok(self.board.fill_last(levels, self.moves + 1 - self.counts.len() as u32).into()),
            Arrays::Plain(plain) => Ok(plain[place].as_slice().into()),
            Arrays::Packed(packed) => {
                let len = sizes(self.board.product, levels).product();
                let lanes = packed[place].iter().map(|blob| self.vault.load(blob, len));
                Ok(lanes.collect::<Result<Vec<_>>>()?.into())
            }
        }
    }

    /// The groups of a layer's arrays: those of the fewest leading components for which what is unpacked for a group fits in the room.
    fn groups<S: Narrow>(&self, here: &Layer, next: &Table<S>, room: u64) -> Vec<Group> {
        let components = self.board.product.components.len();
        let bytes = |places: &Range<usize>| -> u64 {
            let sizes = next.layer.levels[places.clone()]
                .iter()
                .map(|levels| sizes(self.board.product, levels).map(|size| size as u64).product::<u64>());
            sizes.sum::<u64>() * (self.board.leaves.len() * size_of::<S>()) as u64
        };
        let group = |prefix: usize| -> Vec<Group> {
            let runs = here.levels.chunk_by(|a, b| a[..prefix] == b[..prefix]);
            let mut begin = 0;
            let places = runs.map(|run| {
                begin += run.len();
                Group { places: begin - run.len()..begin, sources: next.layer.with_prefix(&run[0][..prefix]) }
            });
            places.collect()
        };
        if matches!(next.arrays, Arrays::Plain(_)) {
            return vec![Group { places: 0..here.levels.len(), sources: 0..0 }];
        }
        let fits = |groups: &Vec<Group>| groups.iter().all(|group| bytes(&group.sources) <= room);
        (0..components).map(group).find(fits).unwrap_or_else(|| group(components))
    }

    /// Unpacks what a group needs.
    fn load<S: Narrow>(&self, next: &Table<S>, sources: &Range<usize>) -> Result<Loaded<S>> {
        let unpack = |place: usize| {
            self.watch.check()?;
            self.arrays(next, place).map(Cow::into_owned)
        };
        let arrays = parallel::try_map(sources.clone(), unpack)?;
        Ok(Loaded { first: sources.start, arrays })
    }
}

impl<S> Arrays<S> {
    /// How many there are.
    fn len(&self) -> usize {
        match self {
            Self::Unmade => 0,
            Self::Plain(plain) => plain.len(),
            Self::Packed(packed) => packed.len(),
        }
    }
}

fn blobs(records: &[Vec<Record>]) -> Vec<Vec<Blob>> {
    records.iter().map(|lanes| lanes.iter().copied().map(Blob::from).collect()).collect()
}

/// Arrays that agree in the levels of their first components.
struct Group {
    /// Where they stand in their layer.
    places: Range<usize>,
    /// Where those of the next layer stand that agree in these too.
    sources: Range<usize>,
}

/// Arrays that have been unpacked.
struct Loaded<S> {
    first: usize,
    arrays: Vec<Vec<Vec<S>>>,
}

impl<S> Loaded<S> {
    fn get(&self, place: usize) -> Option<&[Vec<S>]> {
        self.arrays.get(place.checked_sub(self.first)?).map(Vec::as_slice)
    }
}

/// Places in runs of so many.
fn batches(places: Range<usize>, together: usize) -> impl Iterator<Item = Range<usize>> {
    let end = places.end;
    places.step_by(together).map(move |begin| begin..end.min(begin + together))
}
