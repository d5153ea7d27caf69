//! Generation of the layers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::key::{Chunk, LONG_CHUNK, ListedChunk, PositionKey, key_of};
use super::measure::{Attempt, Halt, Measure};
use super::merge::merge;
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::ruleset::{Domain, MoveWalker, Ruleset, State};
use crate::parallel;
use crate::player::Player;
use crate::space::store::{SavedState, StoredWork, Tables};
use crate::watch::{Context, Stop, size, watched};

/// The share of the room that the keys of a chunk take at most, as the denominator of a fraction.
const CHUNK_PART: u64 = 1 << 12;

/// The number of positions after whose moves a thread removes duplicates.
const EXPANDED: usize = 1 << 14;

/// The number of keys that are sorted without a check: some tenths of a second.
const SORTED: usize = 1 << 20;

/// The game, the start and the measure of the layers to be found.
#[derive(Clone, Copy)]
pub struct LayersTask<'a> {
    pub ruleset: &'a Ruleset,
    pub start: &'a State,
    pub measure: &'a Measure,
    /// The greatest number of moves that a play may have.
    pub plies: u32,
    /// `true` if the game is proved to respect its symmetries.
    pub proved: bool,
    /// The words that are positions, if there is a disk to read them from.
    pub domain: Option<&'a Domain>,
    pub context: &'a Context<'a>,
}

/// The distance of a layer from the start, as the measure counts.
pub type Level = u64;

/// All reachable positions, in layers.
pub struct Layers<'a, const W: usize> {
    pub(super) task: LayersTask<'a>,
    pub(super) layers: BTreeMap<Level, Vec<Chunk<W>>>,
    positions: u64,
    pub(super) tables: Tables<'a>,
    /// The greatest number of levels that a move goes down.
    pub(super) drop: Level,
    /// The text that identifies these layers.
    pub(super) identity: String,
}

/// Layers that are being found.
struct Growth<'a, const W: usize> {
    found: Layers<'a, W>,
    /// The layer whose moves are being made, and the number of its chunks that are done.
    current: Option<(Level, usize)>,
    pending: BTreeMap<Level, Pending<W>>,
}

/// A layer that further moves may still lead to.
#[derive(Default)]
struct Pending<const W: usize> {
    /// The keys that have not been sorted yet.
    buffer: Vec<PositionKey<W>>,
    /// The sorted runs of keys.
    runs: Vec<Vec<Chunk<W>>>,
}

/// The state of the generation, in memory.
struct GrownLayers<const W: usize> {
    layers: BTreeMap<Level, Vec<Chunk<W>>>,
    pending: BTreeMap<Level, Pending<W>>,
    current: Option<(Level, usize)>,
    drop: Level,
}

impl<const W: usize> GrownLayers<W> {
    /// Creates the state that contains only the start.
    fn begin(start: PositionKey<W>) -> Self {
        let pending = BTreeMap::from([(
            0,
            Pending {
                buffer: vec![start],
                runs: Vec::new(),
            },
        )]);
        Self {
            layers: BTreeMap::new(),
            pending,
            current: None,
            drop: 0,
        }
    }
}

/// The state of the generation, as recorded in a manifest.
#[derive(Clone, Serialize, Deserialize)]
struct GenerationRecord {
    drop: Level,
    current: Option<(Level, usize)>,
    layers: Vec<(Level, Vec<ListedChunk>)>,
    pending: Vec<(Level, Vec<Vec<ListedChunk>>)>,
}

impl SavedState for GenerationRecord {
    fn tables(&self) -> Vec<usize> {
        let layers = self.layers.iter().flat_map(|(_, chunks)| chunks);
        layers
            .chain(self.pending.iter().flat_map(|(_, runs)| runs).flatten())
            .map(|(_, _, table)| *table)
            .collect()
    }
}

impl<'a, const W: usize> Layers<'a, W> {
    /// Finds all layers, or resumes this from the disk.
    ///
    /// # Errors
    /// If the measure is wrong, plays are too long, a position cannot be evaluated, the work is
    /// stopped, or there is too little memory.
    pub fn generate(task: LayersTask<'a>) -> Attempt<Self> {
        let mut growth = Growth::open(task)?;
        if growth.is_complete() {
            return Ok(growth.found);
        }
        let mut grown = growth.grow();
        if matches!(grown, Err(Halt::Stopped(_))) && growth.found.tables.is_damaged() {
            // Damaged files cannot be resumed from, so everything begins again, once.
            growth.found.tables.clear()?;
            growth = Growth::open(task)?;
            grown = growth.grow();
        }
        // After a wrong measure or too long plays nothing is worth saving.
        if matches!(grown, Ok(()) | Err(Halt::Stopped(_))) && !growth.found.tables.is_damaged() {
            growth.save()?;
        }
        grown.map(|()| growth.found)
    }

    /// Removes the files from the disk if they may be the cause of an error; returns `true` if they
    /// may.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn clear_if_to_blame(&self, error: &Diagnostic) -> Result<bool> {
        if self.tables.is_to_blame(error) {
            self.tables.clear().map(|()| true)
        } else {
            Ok(false)
        }
    }

    fn save_with(
        &self,
        current: Option<(Level, usize)>,
        pending: Vec<(Level, Vec<Vec<ListedChunk>>)>,
    ) -> Result<()> {
        let layers = self.layers.iter();
        self.tables.save(&GenerationRecord {
            drop: self.drop,
            current,
            layers: layers
                .map(|(level, chunks)| (*level, list(chunks)))
                .collect(),
            pending,
        })
    }
}

/// Returns chunks as recorded in a manifest.
fn list<const W: usize>(chunks: &[Chunk<W>]) -> Vec<ListedChunk> {
    chunks.iter().map(Chunk::list).collect()
}

impl<'a> LayersTask<'a> {
    /// Returns the greatest number of keys of a chunk.
    pub fn chunk_len<const W: usize>(&self) -> usize {
        fit::<usize>(
            (self.context.limits.room() / CHUNK_PART / (8 * W as u64))
                // Many chunks are in work at once, so each takes a small part of the room; very
                // small ones would compress badly.
                .clamp(16, u64::from(LONG_CHUNK)),
        )
    }

    /// Returns the words of a position.
    pub fn position<'k, const W: usize>(&self, key: &'k PositionKey<W>) -> &'k [u64] {
        &key[..self.ruleset.words()]
    }

    /// Returns the distance of a position from the start, as the measure counts.
    pub fn level(&self, position: &[u64]) -> i64 {
        self.measure.of(self.start.words()) - self.measure.of(position)
    }

    /// Reads the keys of a chunk of a level.
    ///
    /// # Errors
    /// If the disk fails, or the keys are not positions of the level.
    pub fn read<const W: usize>(
        &self,
        level: Level,
        chunk: &Chunk<W>,
        tables: &Tables<'_>,
    ) -> Result<Vec<PositionKey<W>>> {
        let keys = chunk.read(tables)?;
        // Without a disk the keys are those that this process has written, so they need no test.
        let Some(domain) = self.domain else {
            return Ok(keys);
        };
        let belongs = |key: &PositionKey<W>| {
            let position = self.position(key);
            key[position.len()..].iter().all(|word| *word == 0)
                && domain.contains(position)
                && Level::try_from(self.level(position)) == Ok(level)
        };
        if keys.iter().all(belongs) {
            Ok(keys)
        } else {
            Err(tables.harmed("a layer holds something that is not one of its positions"))
        }
    }
}

impl GenerationRecord {
    /// Converts the record for a generation that begins with `start`; returns `None` if no
    /// generation can reach such a state.
    fn grown<const W: usize>(self, start: &PositionKey<W>) -> Option<GrownLayers<W>> {
        let ascending = |levels: &[Level]| levels.is_sorted_by(|a, b| a < b);
        let levels: Vec<Level> = self
            .layers
            .iter()
            .map(|(level, _)| *level)
            .chain(self.pending.iter().map(|(level, _)| *level))
            .collect();
        let last = *levels.last()?;
        // The record comes from a disk and may be damaged; sums of levels must not overflow later.
        if !ascending(&levels) || levels[0] != 0 || last > Level::MAX / 4 || self.drop > last {
            return None;
        }
        // Maps that are collected are sorted first, by code that is compiled for each of them.
        let mut layers = BTreeMap::<Level, Vec<Chunk<W>>>::new();
        for (level, listed) in self.layers {
            layers.insert(level, Chunk::all_listed(listed)?);
        }
        let mut pending = BTreeMap::<Level, Pending<W>>::new();
        for (level, runs) in self.pending {
            let runs = runs
                .into_iter()
                .map(Chunk::all_listed)
                .collect::<Option<_>>()?;
            let buffer = Vec::new();
            pending.insert(level, Pending { buffer, runs });
        }
        let is_start = |chunks: &Vec<Chunk<W>>| matches!(&chunks[..], [chunk] if chunk.len == 1 && chunk.first == *start);
        let are_start = |runs: &[Vec<Chunk<W>>]| !runs.is_empty() && runs.iter().all(is_start);
        let begins = layers
            .get(&0)
            .map_or_else(|| are_start(&pending[&0].runs), is_start);
        let goes_on = match self.current {
            Some((level, done)) => layers
                .last_key_value()
                .is_some_and(|(&last, chunks)| last == level && done <= chunks.len()),
            None => true,
        };
        (begins && goes_on).then_some(GrownLayers {
            layers,
            pending,
            current: self.current,
            drop: self.drop,
        })
    }
}

impl<'a, const W: usize> Growth<'a, W> {
    fn open(task: LayersTask<'a>) -> Result<Self> {
        let rest = format_args!("layers {W} {:?} {:?}", task.start, task.measure);
        let work = StoredWork::new(
            "finding the layers of positions",
            &task.ruleset.identity(),
            rest,
        );
        // The other half of the room is for the pending keys and the chunks in work.
        let (identity, room) = (work.identity.clone(), task.context.limits.room() / 2);
        let start = key_of(task.start.words());
        let is_sound = |reached: &GenerationRecord| reached.clone().grown(&start).is_some();
        let (tables, reached) = Tables::resumed(task.context, work, room, is_sound)?;
        let grown = reached.and_then(|reached| reached.grown(&start));
        let GrownLayers {
            layers,
            pending,
            current,
            drop,
        } = grown.unwrap_or_else(|| GrownLayers::begin(start));
        let positions = layers.values().map(|chunks| positions(chunks)).sum();
        let found = Layers {
            task,
            layers,
            positions,
            tables,
            drop,
            identity,
        };
        Ok(Self {
            found,
            current,
            pending,
        })
    }

    fn is_complete(&self) -> bool {
        self.current.is_none() && self.pending.is_empty()
    }

    fn grow(&mut self) -> Attempt<()> {
        loop {
            if self.current.is_none() {
                // The nearest pending level is complete: moves lead down only, and all layers above
                // are done.
                let Some(level) = self.pending.keys().next().copied() else {
                    return Ok(());
                };
                // A play visits each layer once at most, so the number of layers bounds its length.
                if self.found.layers.len() as u64 > u64::from(self.found.task.plies) {
                    return Err(Halt::TooLong);
                }
                self.close(level)?;
                self.current = Some((level, 0));
            }
            self.expand()?;
            self.current = None;
        }
    }

    /// Completes the layer of a level, by merging all keys found for it.
    fn close(&mut self, level: Level) -> Result<()> {
        let task = self.found.task;
        let chunk_len = task.chunk_len::<W>();
        let pending = self
            .pending
            .get_mut(&level)
            .expect("it was found among them");
        pending.sort(task.context)?;
        let (tables, pending) = (&self.found.tables, &*pending);
        let (mut keys, mut chunks) = (Vec::with_capacity(chunk_len), Vec::new());
        merge(&pending.buffer, &pending.runs, tables, &mut |key| {
            keys.push(key);
            if keys.len() == chunk_len {
                task.context.check()?;
                chunks.push(write(&keys, tables, task.context)?);
                keys.clear();
            }
            Ok(())
        })?;
        if !keys.is_empty() {
            chunks.push(write(&keys, tables, task.context)?);
        }
        let merged = self
            .pending
            .remove(&level)
            .expect("it was found among them");
        merged
            .runs
            .into_iter()
            .flatten()
            // The runs are read until the merged chunks are written.
            .try_for_each(|chunk| tables.remove(chunk.table, 1))?;
        self.found.positions += positions(&chunks);
        self.found.layers.insert(level, chunks);
        let limit = task.context.limits.max_positions;
        if self.found.positions > limit {
            Err(Stop::Positions(limit).into())
        } else {
            Ok(())
        }
    }

    /// Makes the moves of the current layer.
    fn expand(&mut self) -> Attempt<()> {
        let task = self.found.task;
        let before: u64 = self.found.positions;
        while let Some((level, done)) = self.current {
            let chunks = &self.found.layers[&level];
            let left = positions(&chunks[done..]);
            if left == 0 {
                break;
            }
            task.context.check()?;
            task.context
                .report("finding positions", before - left, None);
            // Two chunks per thread keep all threads busy while some chunks take longer.
            let batch = &chunks[done..chunks.len().min(done + 2 * parallel::threads())];
            let heads =
                parallel::try_map(batch, |chunk| heads(task, level, chunk, &self.found.tables))?;
            let next = done + batch.len();
            for (to, keys) in heads.into_iter().flatten() {
                // The greatest drop tells the solution how long the values of a layer have to be
                // kept.
                self.found.drop = self.found.drop.max(to - level);
                self.pending.entry(to).or_default().buffer.extend(keys);
            }
            // The place is recorded before a save, so that no chunk is expanded twice.
            self.current = Some((level, next));
            self.make_room()?;
            task.context.save_if_due(|| self.save())?;
        }
        Ok(())
    }

    /// Sorts the buffers of pending keys when they become too large, and compresses them if that is
    /// not enough.
    fn make_room(&mut self) -> Result<()> {
        let task = self.found.task;
        let most = (task.context.limits.room() / 8 / (8 * W as u64)) as usize;
        loop {
            let total: usize = self
                .pending
                .values()
                .map(|pending| pending.buffer.len())
                .sum();
            if total <= most {
                return Ok(());
            }
            let longest = self
                .pending
                .values_mut()
                .max_by_key(|pending| pending.buffer.len());
            let longest = longest.expect("something is pending");
            let before = longest.buffer.len();
            // Sorting removes duplicates, which may be enough without writing anything.
            longest.sort(task.context)?;
            // Sorting alone is enough only if it frees half of the limit; otherwise the buffers
            // would be sorted again after each batch.
            if total - before + longest.buffer.len() > most / 2 {
                longest.flush(task, &self.found.tables)?;
            }
        }
    }

    /// Saves the state on the disk, if there is one.
    fn save(&mut self) -> Result<()> {
        if !self.found.tables.has_disk() {
            return Ok(());
        }
        let (task, tables) = (self.found.task, &self.found.tables);
        let mut listed = Vec::new();
        for (level, pending) in &mut self.pending {
            pending.sort(task.context)?;
            if !pending.buffer.is_empty() {
                pending.flush(task, tables)?;
            }
            listed.push((*level, pending.runs.iter().map(|run| list(run)).collect()));
        }
        self.found.save_with(self.current, listed)
    }
}

impl<const W: usize> Pending<W> {
    /// Sorts the buffered keys and removes duplicates. A sort cannot be stopped, so a long buffer
    /// is sorted in runs, which are then merged.
    fn sort(&mut self, context: &Context<'_>) -> Result<()> {
        let mut run = SORTED;
        for keys in self.buffer.chunks_mut(run) {
            context.check()?;
            parallel::sort(keys);
        }
        while run < self.buffer.len() {
            run *= 2;
            for pair in self.buffer.chunks_mut(run) {
                context.check()?;
                pair.sort();
            }
        }
        self.buffer.dedup();
        Ok(())
    }

    /// Writes the buffered keys, which must be sorted, as a run.
    fn flush(&mut self, task: LayersTask<'_>, tables: &Tables<'_>) -> Result<()> {
        let run = self
            .buffer
            .chunks(task.chunk_len::<W>())
            .map(|keys| write(keys, tables, task.context));
        self.runs.push(run.collect::<Result<_>>()?);
        self.buffer = Vec::new();
        Ok(())
    }
}

/// Returns the number of keys in chunks.
pub fn positions<const W: usize>(chunks: &[Chunk<W>]) -> u64 {
    chunks.iter().map(|chunk| u64::from(chunk.len)).sum()
}

fn write<const W: usize>(
    keys: &[PositionKey<W>],
    tables: &Tables<'_>,
    context: &Context<'_>,
) -> Result<Chunk<W>> {
    Chunk::write(keys, tables)?.ok_or_else(|| full(tables, context))
}

/// Builds the diagnostic for compressed layers that do not fit in memory.
pub fn full(tables: &Tables<'_>, context: &Context<'_>) -> Box<Diagnostic> {
    let limit = size(context.limits.max_memory);
    let message = format!(
        "the compressed layers take more than the {} that the limit of {limit} leaves for them",
        size(tables.held())
    );
    Diagnostic::new(Code::Memory, message)
        .help("raise the limit with `--max-memory SIZE`, or keep the rest on a disk with `--checkpoint DIR`")
        .into()
}

/// Returns the heads of the moves from the positions of a chunk, by level, sorted and without
/// duplicates.
fn heads<const W: usize>(
    task: LayersTask<'_>,
    level: Level,
    chunk: &Chunk<W>,
    tables: &Tables<'_>,
) -> Attempt<BTreeMap<Level, Vec<PositionKey<W>>>> {
    let mut moves = MoveWalker::new(task.ruleset, task.proved);
    let mut heads = BTreeMap::<Level, Vec<PositionKey<W>>>::new();
    let mut wrong = None;
    for keys in task.read(level, chunk, tables)?.chunks(EXPANDED) {
        for key in watched(keys, task.context) {
            let from = task.position(key?);
            // An ended position has no moves.
            if moves.go_to(from)?.is_some() {
                continue;
            }
            for player in Player::BOTH {
                moves.of(player, &mut |to| match Level::try_from(task.level(to)) {
                    Ok(below) if below > level => heads.entry(below).or_default().push(key_of(to)),
                    Ok(_) | Err(_) => wrong = Some(Halt::NotLowered(from.to_vec(), to.to_vec())),
                })?;
            }
            if let Some(wrong) = wrong {
                return Err(wrong);
            }
        }
        // Duplicates are removed by the thread that found them, which makes the later sort smaller.
        // The keys found before are in order, so that they are only merged.
        heads.values_mut().for_each(|keys| {
            keys.sort();
            keys.dedup();
        });
    }
    Ok(heads)
}
