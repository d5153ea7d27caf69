//! Solution of the layers from the last one back.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::LayeredSpace;
use super::generate::{Level, full};
use super::heads::{Expanded, Heads, not_layers};
use crate::diagnostic::Result;
use crate::game::ruleset::{MoveWalker, State};
use crate::law::Law;
use crate::number::Number;
use crate::parallel;
use crate::player::{Ending, Player};
use crate::proof::spot::Spot;
use crate::space::store::{SavedState, StoredWork, Tables};
use crate::space::sweep::Slot;

/// The state of the backward solution of layers. Only the methods that compute with values are
/// compiled for each theory and each type of its numbers.
struct Backward<'l, 'a> {
    layers: &'l dyn LayeredSpace<'a>,
    /// The number of positions of each chunk, by level.
    lengths: BTreeMap<Level, Vec<u32>>,
    tables: Tables<'a>,
    /// The tables of the values of each chunk, by level, as far as they are known.
    values: BTreeMap<Level, Vec<usize>>,
    /// `true` if a part of this was saved on the disk.
    saved: bool,
}

/// [`Backward::solve_batch`] for some theory.
type SolveBatch<'b, 'l, 'a> =
    dyn Fn(&mut Backward<'l, 'a>, Level, Range<usize>) -> Result<usize> + 'b;

/// The state of the solution, as recorded in a manifest: the tables of values.
#[derive(Serialize, Deserialize)]
struct ValuesRecord {
    values: Vec<(Level, Vec<usize>)>,
}

impl SavedState for ValuesRecord {
    fn tables(&self) -> Vec<usize> {
        let tables = self.values.iter().flat_map(|(_, tables)| tables);
        tables.copied().collect()
    }
}

impl ValuesRecord {
    /// Returns `true` if the record can contain values of layers with chunks of these lengths: all
    /// layers must be complete, except perhaps the first.
    fn is_sound(&self, lengths: &BTreeMap<Level, Vec<u32>>) -> bool {
        let is_layer = |(place, (level, tables)): (usize, &(Level, Vec<usize>))| {
            let chunks = lengths.get(level).map(Vec::len);
            // Layers are solved from the last one back, so only the one with the least level can be
            // incomplete.
            chunks.is_some_and(|all| tables.len() == all || place == 0 && tables.len() < all)
        };
        self.values.is_sorted_by(|(a, _), (b, _)| a < b)
            && self.values.iter().enumerate().all(is_layer)
    }
}

/// Computes the value of the start.
///
/// # Errors
/// If the work is stopped, there is too little memory, or the disk fails.
pub fn value<T: Law<Number: Slot>>(layers: &dyn LayeredSpace<'_>, theory: &T) -> Result<T::Number> {
    let open = || Backward::open(layers, &theory.name(), size_of::<T::Number>());
    let mut backward = open()?;
    let mut value = backward.value(theory);
    if value
        .as_ref()
        .is_err_and(|error| backward.tables.is_to_blame(error))
    {
        backward.tables.clear()?;
        backward = open()?;
        value = backward.value(theory);
    }
    let stopped = value.as_ref().is_err_and(|stopped| stopped.code.is_stop());
    if stopped || value.is_ok() && backward.saved {
        backward.save()?;
    }
    value
}

impl<'l, 'a> Backward<'l, 'a> {
    /// Begins or resumes the solution by the theory of a name, whose numbers have `size` bytes.
    fn open(layers: &'l dyn LayeredSpace<'a>, name: &str, size: usize) -> Result<Self> {
        let (context, lengths) = (layers.task().context, layers.lengths());
        let rest = format_args!("{name} {size}");
        let work = StoredWork::new(format!("layers for {name}"), layers.identity(), rest);
        // The keys of the layers stay in memory beside the values.
        let room = (context.limits.room() / 4 * 3).saturating_sub(layers.tables().held());
        let is_sound = |reached: &ValuesRecord| reached.is_sound(&lengths);
        let (tables, reached) = Tables::resumed(context, work, room, is_sound)?;
        let saved = reached.is_some();
        let values = reached.into_iter().flat_map(|reached| reached.values);
        let values = values.collect();
        Ok(Self {
            layers,
            lengths,
            tables,
            values,
            saved,
        })
    }

    /// Computes the value of the start.
    fn value<T: Law<Number: Slot>>(&mut self, theory: &T) -> Result<T::Number> {
        self.solve(&|this, level, chunks| this.solve_batch(theory, level, chunks))?;
        let start = self.values[&0][0];
        Ok(self.tables.load((start, 0), 1)?[0])
    }

    /// Computes the values of all layers.
    fn solve(&mut self, solve_batch: &SolveBatch<'_, 'l, 'a>) -> Result<()> {
        let context = self.layers.task().context;
        let total = self
            .lengths
            .values()
            .map(|lengths| positions(lengths))
            .sum();
        let mut batch_len = 2 * parallel::threads();
        let mut done = 0;
        let first = self.values.keys().next().copied();
        let levels: Vec<(Level, Vec<u32>)> = self
            .lengths
            .iter()
            .rev()
            .map(|(at, all)| (*at, all.clone()))
            .collect();
        for (level, lengths) in levels {
            // These layers were solved before the interruption.
            if first.is_some_and(|first| level > first) {
                done += positions(&lengths);
                continue;
            }
            self.values.entry(level).or_default();
            // A layer that was interrupted goes on after the chunks that have values.
            let mut at = self.values[&level].len();
            done += positions(&lengths[..at]);
            while at < lengths.len() {
                context.check()?;
                context.report("solving", done, Some(total));
                let batch = at..lengths.len().min(at + batch_len);
                batch_len = solve_batch(self, level, batch.clone())?;
                (at, done) = (batch.end, done + positions(&lengths[batch]));
                context.save_if_due(|| self.save())?;
            }
            self.let_go(level)?;
        }
        Ok(())
    }

    /// Discards the values of the layers that no earlier layer's moves lead to.
    fn let_go(&mut self, level: Level) -> Result<()> {
        let earlier = self.lengths.range(..level).next_back();
        let needed = earlier.map_or(0, |(earlier, _)| earlier + self.layers.greatest_drop());
        // No move of an earlier layer goes down farther than the greatest drop.
        let gone = self.values.split_off(&(needed + 1).max(level + 1));
        gone.into_values()
            .flatten()
            .try_for_each(|table| self.tables.remove(table, 1))
    }

    /// Computes the values of some chunks; returns the number of chunks that can be processed at
    /// once.
    fn solve_batch<T: Law<Number: Slot>>(
        &mut self,
        theory: &T,
        level: Level,
        chunks: Range<usize>,
    ) -> Result<usize> {
        let context = self.layers.task().context;
        let Expanded {
            endings,
            stuck,
            heads,
            bytes,
        } = self.layers.expand(level, chunks.clone(), theory.seeker())?;
        let value = |ending: &Option<Ending>| ending.map(|ending| theory.ending(ending));
        let [mut seeker, mut opponent] =
            stuck.map(|side| side.iter().map(value).collect::<Vec<_>>());
        let (first, second) = parallel::join(
            || self.look_up(&heads[0], T::Number::least, &mut seeker),
            || self.look_up(&heads[1], T::Number::greatest, &mut opponent),
        );
        first.and(second)?;
        let turn = |(place, ending): (usize, &Option<Ending>)| match ending {
            Some(ending) => theory.ending(*ending),
            None => theory.turn(seeker[place], opponent[place]),
        };
        let values: Vec<T::Number> = endings.iter().enumerate().map(turn).collect();
        // One position per batch is checked against the lines of the ruleset, which costs little.
        if let Some(value) = values.first() {
            self.check(theory, level, chunks.start, *value)?;
        }
        let size = size_of::<T::Number>();
        self.store(level, chunks.clone(), size, bytemuck::cast_slice(&values))?;
        // Each place has its value and the best of both sides.
        let bytes = bytes + endings.len() * (size + 2 * size_of::<Option<T::Number>>());
        let room = (context.limits.room() / 5) as usize;
        // The next batch is sized by the memory that this one took; it grows slowly, as layers
        // differ.
        Ok((chunks.len() * room / bytes.max(1)).clamp(1, 2 * chunks.len()))
    }

    /// Stores the values of some chunks, of `size` bytes each.
    fn store(
        &mut self,
        level: Level,
        chunks: Range<usize>,
        size: usize,
        mut values: &[u8],
    ) -> Result<()> {
        let mut parts = Vec::new();
        for len in &self.lengths[&level][chunks] {
            let (part, rest) = values.split_at(*len as usize * size);
            parts.push(part);
            values = rest;
        }
        let tables: Vec<Option<usize>> =
            parallel::try_map(&parts, |part| self.tables.add_numbers(size, part))?;
        for table in tables {
            let table = table.ok_or_else(|| full(&self.tables, self.layers.task().context))?;
            self.values.entry(level).or_default().push(table);
        }
        Ok(())
    }

    /// Looks up the values of heads, and replaces by the better one the best value so far at each
    /// position from which a move is made.
    fn look_up<N: Slot>(
        &self,
        heads: &[Heads],
        better: fn(N, &N) -> N,
        best: &mut [Option<N>],
    ) -> Result<()> {
        for group in heads.chunks(2 * parallel::threads()) {
            let values: Vec<Vec<N>> = parallel::try_map(group, |heads| self.values_of(heads))?;
            for (heads, values) in group.iter().zip(values) {
                for (head, value) in heads.found.iter().zip(values) {
                    let best = &mut best[head.place as usize];
                    *best = Some(best.map_or(value, |known| better(known, &value)));
                }
            }
        }
        Ok(())
    }

    /// Returns the values of positions of one chunk.
    fn values_of<N: Slot>(&self, heads: &Heads) -> Result<Vec<N>> {
        let lengths = &self.lengths[&heads.level];
        let tables = self
            .values
            .get(&heads.level)
            // A layer with fewer tables than chunks is not solved yet.
            .filter(|values| values.len() == lengths.len());
        let tables = tables.ok_or_else(|| match self.tables.is_resumed() {
            true => self.tables.harmed("the values of a layer are missing"),
            false => not_layers(self.layers.tables(), "the values of a layer were let go"),
        })?;
        let count = lengths[heads.chunk] as usize;
        let values = self.tables.load::<N>((tables[heads.chunk], 0), count)?;
        let found = heads.found.iter().map(|head| values[head.index as usize]);
        Ok(found.collect())
    }

    /// Checks the value of the first position of a chunk.
    fn check<T: Law<Number: Slot>>(
        &self,
        theory: &T,
        level: Level,
        chunk: usize,
        value: T::Number,
    ) -> Result<()> {
        let spot = self.spot(level, chunk, theory.seeker())?;
        let heads: Vec<&State> = spot.sides.iter().flat_map(|side| &side.heads).collect();
        let mut values = vec![None; heads.len()];
        // Each head has a place of its own, so nothing is compared.
        self.look_up(&self.layers.find(&heads)?, T::Number::least, &mut values)?;
        let value_of = |head: &State| values[heads.iter().position(|other| *other == head)?];
        spot.check(self.layers.task().ruleset, theory, value, &value_of)
    }

    /// Makes the moves of the first position of a chunk.
    fn spot(&self, level: Level, chunk: usize, seeker: Player) -> Result<Spot> {
        let task = self.layers.task();
        let mut moves = MoveWalker::new(task.ruleset, task.proved);
        Spot::at(&mut moves, self.layers.first(level, chunk).words(), seeker)
    }

    /// Saves the state on the disk, if there is one.
    fn save(&mut self) -> Result<()> {
        if !self.tables.has_disk() {
            return Ok(());
        }
        let values = self.values.clone().into_iter().collect();
        self.tables.save(&ValuesRecord { values })?;
        self.saved = true;
        Ok(())
    }
}

/// Returns the number of positions of chunks.
fn positions(lengths: &[u32]) -> u64 {
    lengths.iter().map(|len| u64::from(*len)).sum()
}
