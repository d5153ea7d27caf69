//! Lookup of the heads of a layer's moves by their keys in the later layers.
//!
//! A theory works only with indices of positions in chunks. Everything that depends on the width of
//! keys is here and in [`super::generate`], so that no theory is compiled once for each width.

use std::collections::BTreeMap;
use std::ops::Range;

use super::LayeredSpace;
use super::generate::{Layers, LayersTask, Level};
use super::key::{Chunk, PositionKey, key_of};
use crate::convert::fit;
use crate::diagnostic::{Diagnostic, Result};
use crate::game::ruleset::{MoveWalker, State};
use crate::parallel;
use crate::player::{Ending, Player};
use crate::proof::spot::contradiction;
use crate::space::store::Tables;
use crate::watch::watched;

/// A head to be looked up, for a move from the position at this place of the batch.
type HeadRequest<const W: usize> = (PositionKey<W>, u32);

/// The heads of one side's moves, by level.
type Requests<const W: usize> = BTreeMap<Level, Vec<HeadRequest<W>>>;

/// The endings of the positions of some chunks of a layer, and the heads of their moves. The places
/// of positions count through all of the chunks; the sides are the seeker's and the opponent's.
pub struct Expanded {
    /// The ending at each place, if the game has ended there.
    pub endings: Vec<Option<Ending>>,
    /// For each side and place, the ending if that side has no move, if the game ends then.
    pub stuck: [Vec<Option<Ending>>; 2],
    /// The heads of each side's moves.
    pub heads: [Vec<Heads>; 2],
    /// The memory needed to find the heads, in bytes.
    pub bytes: usize,
}

/// Positions of one chunk that are heads of moves.
pub struct Heads {
    pub level: Level,
    /// The index of the chunk in its level.
    pub chunk: usize,
    pub found: Vec<LayerHead>,
}

/// A position that is the head of a move.
#[derive(Clone, Copy)]
pub struct LayerHead {
    /// The index of the position in its chunk.
    pub index: u32,
    /// The place of the position from which the move is made.
    pub place: u32,
}

/// The endings and heads of one chunk, before the heads are looked up.
struct ChunkBatch<const W: usize> {
    endings: Vec<Option<Ending>>,
    stuck: [Vec<Option<Ending>>; 2],
    requests: [Requests<W>; 2],
}

impl<'a, const W: usize> LayeredSpace<'a> for Layers<'a, W> {
    fn task(&self) -> &LayersTask<'a> {
        &self.task
    }

    fn tables(&self) -> &Tables<'a> {
        &self.tables
    }

    fn identity(&self) -> &str {
        &self.identity
    }

    fn greatest_drop(&self) -> Level {
        self.drop
    }

    fn lengths(&self) -> BTreeMap<Level, Vec<u32>> {
        let mut lengths = BTreeMap::new();
        for (level, chunks) in &self.layers {
            lengths.insert(*level, chunks.iter().map(|chunk| chunk.len).collect());
        }
        lengths
    }

    fn expand(&self, level: Level, chunks: Range<usize>, seeker: Player) -> Result<Expanded> {
        let chunks = &self.layers[&level][chunks];
        let parts: Vec<ChunkBatch<W>> =
            parallel::try_map(chunks, |chunk| self.expand_chunk(level, chunk, seeker))?;
        let mut whole = ChunkBatch::joined(parts);
        let len: usize = whole
            .requests
            .iter()
            .flat_map(BTreeMap::values)
            .map(Vec::len)
            .sum();
        let farthest = whole
            .requests
            .iter()
            .filter_map(|requests| requests.keys().next_back())
            .max();
        // Values beyond the greatest drop have been let go, so such a move could not be looked up.
        if farthest.is_some_and(|to| to - level > self.drop) {
            return Err(not_layers(
                &self.tables,
                "a move goes down by more levels than any was found to",
            ));
        }
        let [seeker, opponent] = &mut whole.requests;
        // The sides are looked up apart, because their best values are combined in opposite
        // directions.
        let (seeker, opponent) = parallel::join(|| self.locate(seeker), || self.locate(opponent));
        let bytes = len * (size_of::<HeadRequest<W>>() + size_of::<LayerHead>());
        Ok(Expanded {
            endings: whole.endings,
            stuck: whole.stuck,
            heads: [seeker?, opponent?],
            bytes,
        })
    }

    fn first(&self, level: Level, chunk: usize) -> State {
        State::from_words(self.task.position(&self.layers[&level][chunk].first))
    }

    fn find(&self, positions: &[&State]) -> Result<Vec<Heads>> {
        let mut requests = Requests::<W>::new();
        for (place, position) in (0..).zip(positions) {
            let level = Level::try_from(self.task.level(position.words()))
                .expect("moves lead to later layers");
            requests
                .entry(level)
                .or_default()
                .push((key_of(position.words()), place));
        }
        self.locate(&mut requests)
    }
}

impl<const W: usize> Layers<'_, W> {
    /// Evaluates the positions of a chunk and makes their moves.
    fn expand_chunk(
        &self,
        level: Level,
        chunk: &Chunk<W>,
        seeker: Player,
    ) -> Result<ChunkBatch<W>> {
        let task = self.task;
        let mut moves = MoveWalker::new(task.ruleset, task.proved);
        let keys = task.read(level, chunk, &self.tables)?;
        let mut batch = ChunkBatch::new(keys.len());
        let mut wrong = false;
        for item in watched(keys.iter().enumerate(), task.context) {
            let (place, key) = item?;
            if let Some(ending) = moves.go_to(task.position(key))? {
                batch.endings[place] = Some(ending);
                continue;
            }
            for (side, player) in [seeker, seeker.other()].into_iter().enumerate() {
                let requests = &mut batch.requests[side];
                batch.stuck[side][place] =
                    moves.of(player, &mut |to| match Level::try_from(task.level(to)) {
                        Ok(below) if below > level => requests
                            .entry(below)
                            .or_default()
                            .push((key_of(to), fit::<u32>(place))),
                        Ok(_) | Err(_) => wrong = true,
                    })?;
            }
        }
        if wrong {
            Err(not_layers(&self.tables, "a move leads to no later layer"))
        } else {
            Ok(batch)
        }
    }

    /// Looks up the requested heads. Requests are sorted first, so that each chunk is read once,
    /// from its beginning.
    fn locate(&self, requests: &mut Requests<W>) -> Result<Vec<Heads>> {
        let mut heads = Vec::new();
        for (level, requests) in requests {
            parallel::sort(requests);
            let chunks = self.layers.get(level);
            let chunks = chunks.ok_or_else(|| {
                not_layers(&self.tables, "a move leads to a layer that is missing")
            })?;
            let mut left = requests.as_slice();
            let mut parts = Vec::new();
            for (number, chunk) in chunks.iter().enumerate() {
                let end = chunks.get(number + 1).map_or(left.len(), |next| {
                    // A chunk ends where the next one begins, so the requests of a chunk are
                    // consecutive.
                    left.partition_point(|(key, _)| *key < next.first)
                });
                let (part, rest) = left.split_at(end);
                left = rest;
                if !part.is_empty() {
                    parts.push((number, chunk, part));
                }
            }
            for group in parts.chunks(2 * parallel::threads()) {
                heads.extend(parallel::try_map(group, |(number, chunk, part)| {
                    self.locate_in(chunk, part).map(|found| Heads {
                        level: *level,
                        chunk: *number,
                        found,
                    })
                })?);
            }
            // The requests of a level are freed at once, since those of all levels together are
            // large.
            *requests = Vec::new();
        }
        Ok(heads)
    }

    /// Returns the indices of the requested keys in one chunk; both are in ascending order.
    fn locate_in(&self, chunk: &Chunk<W>, requests: &[HeadRequest<W>]) -> Result<Vec<LayerHead>> {
        let keys = chunk.read(&self.tables)?;
        let mut at = 0;
        let find = |(key, place): &HeadRequest<W>| {
            // Requests ascend, so the search goes on from the last place.
            at += ahead(&keys[at..], key);
            if keys.get(at) == Some(key) {
                Ok(LayerHead {
                    index: fit::<u32>(at),
                    place: *place,
                })
            } else {
                Err(self.missed(key))
            }
        };
        requests.iter().map(find).collect()
    }

    /// Builds the diagnostic of a head that no layer contains.
    fn missed(&self, key: &PositionKey<W>) -> Box<Diagnostic> {
        let position = self
            .task
            .ruleset
            .print(&State::from_words(self.task.position(key)));
        let what = format!("a move leads to the position {position:?}, which was not found before");
        not_layers(&self.tables, &what)
    }
}

impl<const W: usize> ChunkBatch<W> {
    fn new(len: usize) -> Self {
        Self {
            endings: vec![None; len],
            stuck: [vec![None; len], vec![None; len]],
            requests: Default::default(),
        }
    }

    /// Concatenates several batches.
    fn joined(parts: Vec<Self>) -> Self {
        let mut whole = Self::new(0);
        for part in parts {
            let first = fit::<u32>(whole.endings.len());
            whole.endings.extend(part.endings);
            for (whole, part) in whole.stuck.iter_mut().zip(part.stuck) {
                whole.extend(part);
            }
            for (whole, part) in whole.requests.iter_mut().zip(part.requests) {
                for (level, requests) in part {
                    let requests = requests
                        .into_iter()
                        // Places count through all chunks of the batch.
                        .map(|(key, place)| (key, place + first));
                    whole.entry(level).or_default().extend(requests);
                }
            }
        }
        whole
    }
}

/// Builds the diagnostic of layers that are not those of the game: the files are blamed if the
/// layers were read from a disk, else it is a bug.
pub fn not_layers(tables: &Tables<'_>, what: &str) -> Box<Diagnostic> {
    if tables.is_resumed() {
        tables.harmed(what)
    } else {
        contradiction(what.to_owned())
    }
}

/// Returns the index of the first of ascending keys that is not less than a key, found by galloping
/// search.
fn ahead<const W: usize>(keys: &[PositionKey<W>], key: &PositionKey<W>) -> usize {
    let mut reach = 1;
    // The next key is mostly near, so the range doubles from the front before it is halved.
    while reach < keys.len() && keys[reach] < *key {
        reach *= 2;
    }
    let known = reach / 2;
    known + keys[known..keys.len().min(reach + 1)].partition_point(|other| other < key)
}
