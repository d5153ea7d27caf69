//! Solving the layers from the last one back.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::generate::{Layers, Level, full, positions};
use super::key::{Chunk, Key, key_of};
use crate::diagnostic::{Diagnostic, Result};
use crate::game::ruleset::State;
use crate::parallel;
use crate::solve::moves::Moves;
use crate::solve::spot::{Spot, contradiction};
use crate::solve::sweep::Slot;
use crate::solve::theory::{Number, Theory};
use crate::store::{Blob, Checkpoint, Record, Saved, Vault, Work};

/// The seeker's and the opponent's side, as they are numbered here.
const SEEKER: usize = 0;
const OPPONENT: usize = 1;

/// A move's head to be looked up, for the position at a place of the batch.
type Request<const W: usize> = (Key<W>, u32);

/// Values of layers under way.
struct Backward<'l, 'a, T: Theory<Number: Slot>, const W: usize> {
    layers: &'l Layers<'a, W>,
    theory: &'l T,
    vault: Vault<'a>,
    /// By level: those of each chunk, as far as they are known.
    values: BTreeMap<Level, Vec<Blob>>,
    /// Whether anything of this was left on the disk for another time.
    saved: bool,
}

/// How far the values have come.
#[derive(Serialize, Deserialize)]
struct Reached {
    values: Vec<(Level, Vec<Record>)>,
}

impl Saved for Reached {
    fn records(&self) -> Vec<Record> {
        self.values.iter().flat_map(|(_, records)| records).copied().collect()
    }
}

impl Reached {
    /// Whether these are values of layers: of whole ones, and of the first of them perhaps not all.
    fn is_sound<const W: usize>(&self, layers: &Layers<'_, W>) -> bool {
        let chunks = |level: &Level| layers.layers.get(level).map(Vec::len);
        let is_layer = |(place, (level, records)): (usize, &(Level, Vec<Record>))| {
            chunks(level).is_some_and(|all| records.len() == all || place == 0 && records.len() < all)
        };
        self.values.is_sorted_by(|(a, _), (b, _)| a < b) && self.values.iter().enumerate().all(is_layer)
    }
}

/// What the positions of some chunks say themselves, and what must be looked up for them.
struct Batch<N, const W: usize> {
    /// The values of those that have ended.
    ended: Vec<Option<N>>,
    /// By side: the best so far, from moves that end the game.
    best: [Vec<Option<N>>; 2],
    /// By side and level.
    requests: [BTreeMap<Level, Vec<Request<W>>>; 2],
}

impl<'a, const W: usize> Layers<'a, W> {
    /// The value of the start.
    ///
    /// # Errors
    /// If the watch stops the work, there is too little memory, or the disk fails.
    pub fn value<T: Theory<Number: Slot>>(&self, theory: &T) -> Result<T::Number> {
        let mut backward = Backward::open(self, theory)?;
        let mut value = backward.value();
        if value.as_ref().is_err_and(|error| backward.vault.is_to_blame(error)) {
            backward.vault.clear()?;
            backward = Backward::open(self, theory)?;
            value = backward.value();
        }
        let stopped = value.as_ref().is_err_and(|stopped| stopped.code.is_stop());
        if stopped || value.is_ok() && backward.saved {
            backward.save()?;
        }
        value
    }
}

impl<'l, 'a, T: Theory<Number: Slot>, const W: usize> Backward<'l, 'a, T, W> {
    fn open(layers: &'l Layers<'a, W>, theory: &'l T) -> Result<Self> {
        let watch = layers.task.watch;
        let name = theory.name();
        let rest = format_args!("{name} {}", size_of::<T::Number>());
        let work = Work::new(format!("layers for {name}"), &layers.identity, rest);
        let (checkpoint, reached) = match watch.disk() {
            Some(disk) => {
                let opened = Checkpoint::open(disk, work, |reached: &Reached| reached.is_sound(layers));
                opened.map(|(checkpoint, reached)| (Some(checkpoint), reached))?
            }
            None => (None, None),
        };
        let saved = reached.is_some();
        let room = (watch.limits().room() / 4 * 3).saturating_sub(layers.vault.held());
        let vault = Vault::new(checkpoint, room, reached.as_ref());
        let values = reached.into_iter().flat_map(|reached| reached.values);
        let values = values.map(|(level, records)| (level, records.into_iter().map(Blob::from).collect())).collect();
        Ok(Self { layers, theory, vault, values, saved })
    }

    /// The value of the start.
    fn value(&mut self) -> Result<T::Number> {
        self.solve()?;
        Ok(self.vault.load(&self.values[&0][0], 1)?[0])
    }

    fn solve(&mut self) -> Result<()> {
        let (layers, watch) = (self.layers, self.layers.task.watch);
        let total = layers.positions();
        let mut batch_len = 2 * parallel::threads();
        let mut done = 0;
        let first = self.values.keys().next().copied();
        for (level, chunks) in layers.layers.iter().rev() {
            if first.is_some_and(|first| *level > first) {
                done += positions(chunks);
                continue;
            }
            self.values.entry(*level).or_default();
            let mut at = self.values[level].len();
            done += positions(&chunks[..at]);
            while at < chunks.len() {
                watch.check()?;
                watch.report("solving", done, Some(total));
                let batch = &chunks[at..chunks.len().min(at + batch_len)];
                batch_len = self.solve_batch(*level, batch)?;
                (at, done) = (at + batch.len(), done + positions(batch));
                if watch.save_due() {
                    self.save()?;
                }
            }
            self.let_go(*level)?;
        }
        Ok(())
    }

    /// Lets the values go that no earlier layer leads to.
    fn let_go(&mut self, level: Level) -> Result<()> {
        let earlier = self.layers.layers.range(..level).next_back();
        let needed = earlier.map_or(0, |(earlier, _)| earlier + self.layers.drop);
        let gone = self.values.split_off(&(needed + 1).max(level + 1));
        gone.into_values().flatten().try_for_each(|blob| self.vault.discard(blob))
    }

    /// Works out the values of some chunks; of how many at once that can be done.
    fn solve_batch(&mut self, level: Level, chunks: &[Chunk<W>]) -> Result<usize> {
        let task = self.layers.task;
        let expanded: Vec<Batch<T::Number, W>> = parallel::try_map(chunks, |chunk| self.expand(level, chunk))?;
        let positions: usize = expanded.iter().map(|part| part.ended.len()).sum();
        let mut whole = Batch::joined(expanded);
        let requests: usize = whole.requests.iter().flat_map(BTreeMap::values).map(Vec::len).sum();
        let farthest = whole.requests.iter().filter_map(|requests| requests.keys().next_back()).max();
        if farthest.is_some_and(|to| to - level > self.layers.drop) {
            return Err(self.not_layers("a move goes down by more levels than any was found to"));
        }
        let [seeker, opponent] = &mut whole.requests;
        let [least, greatest] = &mut whole.best;
        let (first, second) = parallel::join(
            || self.look_up(seeker, least, T::Number::least),
            || self.look_up(opponent, greatest, T::Number::greatest),
        );
        first.and(second)?;
        let values: Vec<T::Number> = (0..positions).map(|place| self.settle(&whole, place)).collect();
        if let (Some(chunk), Some(value)) = (chunks.first(), values.first()) {
            self.check(chunk, *value)?;
        }
        let mut left = values.as_slice();
        let mut parts = Vec::new();
        for chunk in chunks {
            let (part, rest) = left.split_at(chunk.len as usize);
            parts.push(part);
            left = rest;
        }
        let blobs: Vec<Option<Blob>> = parallel::try_map(&parts, |part| self.vault.put_numbers(part))?;
        for blob in blobs {
            let blob = blob.ok_or_else(|| full(&self.vault, task.watch))?;
            self.values.entry(level).or_default().push(blob);
        }
        let bytes = requests * size_of::<Request<W>>() + positions * 3 * size_of::<Option<T::Number>>();
        let room = (task.watch.limits().room() / 5) as usize;
        Ok((chunks.len() * room / bytes.max(1)).clamp(1, 2 * chunks.len()))
    }

    /// What the positions of a chunk say themselves.
    fn expand(&self, level: Level, chunk: &Chunk<W>) -> Result<Batch<T::Number, W>> {
        let task = self.layers.task;
        let mut moves = Moves::new(task.ruleset, task.proved);
        let keys = task.read(level, chunk, &self.layers.vault)?;
        let mut batch = Batch::new(keys.len());
        let sides = [(SEEKER, self.theory.seeker()), (OPPONENT, self.theory.seeker().other())];
        let mut wrong = false;
        for (place, key) in keys.iter().enumerate() {
            if let Some(ending) = moves.go_to(task.position(key))? {
                batch.ended[place] = Some(self.theory.ending(ending));
                continue;
            }
            for (side, player) in sides {
                let requests = &mut batch.requests[side];
                let stuck = moves.of(player, &mut |to| match Level::try_from(task.level(to)) {
                    Ok(below) if below > level => requests.entry(below).or_default().push((key_of(to), place as u32)),
                    Ok(_) | Err(_) => wrong = true,
                })?;
                batch.best[side][place] = stuck.map(|ending| self.theory.ending(ending));
            }
        }
        if wrong { Err(self.not_layers("a move leads to no later layer")) } else { Ok(batch) }
    }

    /// Looks up what is requested, and takes the best for each position.
    fn look_up(
        &self,
        requests: &mut BTreeMap<Level, Vec<Request<W>>>,
        best: &mut [Option<T::Number>],
        better: fn(T::Number, &T::Number) -> T::Number,
    ) -> Result<()> {
        for (level, requests) in requests {
            parallel::sort(requests);
            let chunks = self.layers.layers.get(level);
            let chunks = chunks.ok_or_else(|| self.not_layers("a move leads to a layer that is missing"))?;
            let values = self.values.get(level).filter(|values| values.len() == chunks.len());
            let values = values.ok_or_else(|| match self.vault.is_resumed() {
                true => self.vault.harmed("the values of a layer are missing"),
                false => self.not_layers("the values of a layer were let go"),
            })?;
            let mut left = requests.as_slice();
            let mut parts = Vec::new();
            for (number, chunk) in chunks.iter().enumerate() {
                let end = chunks
                    .get(number + 1)
                    .map_or(left.len(), |next| left.partition_point(|(key, _)| *key < next.first));
                let (part, rest) = left.split_at(end);
                left = rest;
                if !part.is_empty() {
                    parts.push((part, chunk, &values[number]));
                }
            }
            for group in parts.chunks(2 * parallel::threads()) {
                let answers: Vec<Vec<T::Number>> =
                    parallel::try_map(group, |(part, chunk, blob)| self.answers(part, chunk, blob))?;
                for ((part, ..), answers) in group.iter().zip(answers) {
                    for ((_, place), value) in part.iter().zip(answers) {
                        let known = &mut best[*place as usize];
                        *known = Some(known.map_or(value, |known| better(known, &value)));
                    }
                }
            }
        }
        Ok(())
    }

    /// The values of requested keys of one chunk, both in order.
    fn answers(&self, requests: &[Request<W>], chunk: &Chunk<W>, blob: &Blob) -> Result<Vec<T::Number>> {
        let keys = chunk.read(&self.layers.vault)?;
        let values: Vec<T::Number> = self.vault.load(blob, keys.len())?;
        let mut at = 0;
        let find = |(key, _): &Request<W>| {
            at += ahead(&keys[at..], key);
            if keys.get(at) == Some(key) { Ok(values[at]) } else { Err(self.missed(key)) }
        };
        requests.iter().map(find).collect()
    }

    /// The diagnostic of a position that a move leads to and no layer holds.
    fn missed(&self, key: &Key<W>) -> Box<Diagnostic> {
        let task = self.layers.task;
        let position = task.ruleset.print(&State::from_words(task.position(key)));
        self.not_layers(&format!("a move leads to the position {position:?}, which was not found before"))
    }

    /// The diagnostic of layers that are not those of the game: they are another's if they were read from a disk, and else
    /// the mistake is here.
    fn not_layers(&self, what: &str) -> Box<Diagnostic> {
        if self.layers.vault.is_resumed() {
            return self.layers.vault.harmed(what);
        }
        contradiction(what.to_owned())
    }

    /// Checks the value of the first position of a batch.
    fn check(&self, chunk: &Chunk<W>, value: T::Number) -> Result<()> {
        let task = self.layers.task;
        let keys = chunk.read(&self.layers.vault)?;
        let Some(first) = keys.first() else { return Ok(()) };
        let mut moves = Moves::new(task.ruleset, task.proved);
        let spot = Spot::at(&mut moves, task.position(first), self.theory.seeker())?;
        let heads: Vec<&State> = spot.sides.iter().flat_map(|side| &side.heads).collect();
        let mut requests = BTreeMap::<Level, Vec<Request<W>>>::new();
        for (place, head) in (0..).zip(&heads) {
            let level = u64::try_from(task.level(head.words())).expect("moves lead to later layers");
            requests.entry(level).or_default().push((key_of(head.words()), place));
        }
        let mut values = vec![None; heads.len()];
        self.look_up(&mut requests, &mut values, |known, _| known)?;
        let known: HashMap<&State, Option<T::Number>> = heads.iter().copied().zip(values).collect();
        spot.check(task.ruleset, self.theory, value, |head| known.get(head).copied().flatten())
    }

    fn settle(&self, batch: &Batch<T::Number, W>, place: usize) -> T::Number {
        let best = |side: usize| batch.best[side][place];
        batch.ended[place].unwrap_or_else(|| self.theory.turn(best(SEEKER), best(OPPONENT)))
    }

    /// Leaves what has been reached on the disk, if there is one.
    fn save(&mut self) -> Result<()> {
        if !self.vault.has_disk() {
            return Ok(());
        }
        let vault = &self.vault;
        let list = |(level, blobs): (&Level, &mut Vec<Blob>)| {
            Ok((*level, blobs.iter_mut().map(|blob| vault.record(blob)).collect::<Result<_>>()?))
        };
        let values = self.values.iter_mut().map(list).collect::<Result<_>>()?;
        vault.save(&Reached { values })?;
        self.saved = true;
        Ok(())
    }
}

impl<N: Number, const W: usize> Batch<N, W> {
    fn new(len: usize) -> Self {
        Self { ended: vec![None; len], best: [vec![None; len], vec![None; len]], requests: Default::default() }
    }

    /// Several as one.
    fn joined(parts: Vec<Self>) -> Self {
        let mut whole = Self::new(0);
        for part in parts {
            let first = whole.ended.len() as u32;
            whole.ended.extend(part.ended);
            for (whole, part) in whole.best.iter_mut().zip(part.best) {
                whole.extend(part);
            }
            for (whole, part) in whole.requests.iter_mut().zip(part.requests) {
                for (level, requests) in part {
                    let requests = requests.into_iter().map(|(key, place)| (key, place + first));
                    whole.entry(level).or_default().extend(requests);
                }
            }
        }
        whole
    }
}

/// How far ahead the first of ascending keys lies that is not less than one, found in steps that double.
fn ahead<const W: usize>(keys: &[Key<W>], key: &Key<W>) -> usize {
    let mut reach = 1;
    while reach < keys.len() && keys[reach] < *key {
        reach *= 2;
    }
    let known = reach / 2;
    known + keys[known..keys.len().min(reach + 1)].partition_point(|other| other < key)
}
