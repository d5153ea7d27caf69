//! Exploration of a ruleset by blocks of positions, on all threads, with the numbering that one
//! thread would produce.
//!
//! The positions wait in the order of their numbers. A *block* consists of the next waiting
//! positions, divided into *batches*. The batches find the successors of their positions, each on
//! a thread; then the successors are numbered and the rows of the graph are made, batch by batch,
//! so that the numbers do not depend on the threads.

use std::ops::Range;

use super::positions::{Positions, hash};
use super::stand_ins::StandIns;
use super::{CHECK_EVERY, has_room, look};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::parallel;
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::Stuck;
use crate::ruleset::{MoveWalker, Ruleset, State};
use crate::watch::{Asking, Context, Stop};
use crate::{GameGraph, GameGraphBuilder, NodeId};

/// The share of the memory that the successors of a block may take, as the denominator of a
/// fraction.
const BLOCK_SHARE: u64 = 8;

/// The number of words of successors found between two checks.
const WORDS: usize = 1 << 16;

/// The sizes of blocks and batches; they do not affect the result of an exploration.
#[derive(Debug, Clone, Copy)]
pub struct Blocks {
    /// The number of positions of a batch.
    pub batch: usize,
    /// The greatest number of batches of a block.
    pub batches: usize,
    /// The number of waiting positions below which one thread explores them alone.
    pub few: usize,
}

impl Default for Blocks {
    fn default() -> Self {
        Self {
            batch: 512,
            batches: 64,
            few: 1024,
        }
    }
}

/// Explores everything that can be reached from a position; returns the graph and the positions of
/// its first vertices.
///
/// # Errors
/// If a position cannot be evaluated, or the work is stopped.
pub fn explore_ruleset(
    ruleset: &Ruleset,
    start: &State,
    blocks: Blocks,
    context: &Context<'_>,
) -> Result<(GameGraph, Positions)> {
    let mut exploration = Exploration::new(ruleset, start, blocks, context);
    match exploration.run() {
        Ok(()) => Ok(exploration.finish()),
        Err(error) => Err(ruleset.blame_growth(error, &exploration.sample())),
    }
}

/// Builds the graph of a position and its successors, with their states: enough to choose a move if
/// the values are known from elsewhere. Vertex 0 is the position and has its edges; the other
/// vertices have none, whatever moves they have in the game. They are numbered as by an exploration
/// from the position; endings that stuck players are sent to follow them. Returns `None` if a stuck
/// player passes.
///
/// # Errors
/// If a position cannot be evaluated.
pub fn neighbourhood(ruleset: &Ruleset, state: &State) -> Result<Option<(GameGraph, Positions)>> {
    let (start, context) = (ruleset.canonical(state.clone()), Context::plain());
    let mut exploration = Exploration::new(ruleset, &start, Blocks::default(), context);
    let mut batch = PositionBatch::default();
    batch.fill(
        &mut exploration.walker(),
        &exploration.positions,
        0..1,
        context,
    )?;
    // A pass leads back to the position, whose edges a neighbourhood alone cannot represent.
    let mut stuck = Player::BOTH
        .into_iter()
        .filter(|player| batch.is_stuck(0, *player));
    if ruleset.stuck() == Stuck::Passes && stuck.next().is_some() {
        return Ok(None);
    }
    exploration.number(&batch)?;
    // The first state is the position itself, which has its edges now.
    for state in exploration.positions.states().skip(1) {
        exploration.builder.push(ruleset.ending(&state)?, &[], &[]);
    }
    Ok(Some(exploration.finish()))
}

struct Exploration<'a> {
    ruleset: &'a Ruleset,
    blocks: Blocks,
    /// `true` if the symmetries have been proved and need no test at each position.
    proved: bool,
    positions: Positions,
    builder: GameGraphBuilder,
    stand_ins: StandIns,
    context: &'a Context<'a>,
    /// The number of positions that had been explored at the last check.
    looked: usize,
    /// The most words that the successors of a position have taken so far, at least 1.
    widest: usize,
}

impl<'a> Exploration<'a> {
    /// Returns some of the positions found, in the order in which they were found.
    fn sample(&self) -> Vec<State> {
        const MOST: usize = 4096;
        let count = self.positions.count();
        let numbers = (0..count).step_by(count.div_ceil(MOST).max(1));
        numbers
            .filter_map(|number| self.positions.state(number))
            .collect()
    }

    fn new(ruleset: &'a Ruleset, start: &State, blocks: Blocks, context: &'a Context<'a>) -> Self {
        let mut positions = Positions::new(start.words().len());
        positions.insert(start.words(), hash(start.words()));
        Self {
            ruleset,
            blocks,
            proved: ruleset.is_symmetric_from(start),
            positions,
            builder: GameGraphBuilder::default(),
            stand_ins: StandIns::default(),
            context,
            looked: 0,
            widest: 1,
        }
    }

    /// Returns the graph and the positions of its first vertices.
    fn finish(mut self) -> (GameGraph, Positions) {
        self.stand_ins.settle(&mut self.builder, |_| None);
        (self.builder.finish(NodeId::new(0)), self.positions)
    }

    fn run(&mut self) -> Result<()> {
        let Blocks { batches, few, .. } = self.blocks;
        let mut walker = self.walker();
        let mut batch = PositionBatch::default();
        self.look()?;
        loop {
            let (first, end) = (self.builder.len(), self.positions.count());
            // No position waits any more, and the last look covers what was found since.
            if first == end {
                return self.look();
            }
            let batch_len = self.batch_len();
            // Starting threads costs more than exploring a few positions.
            if end - first < few {
                batch.fill(
                    &mut walker,
                    &self.positions,
                    first..end.min(first + batch_len),
                    self.context,
                )?;
                self.number(&batch)?;
            } else {
                self.explore_block(first..end.min(first + batch_len * batches), batch_len)?;
            }
            if self.builder.len() >= self.looked + CHECK_EVERY.min(batch_len) {
                self.look()?;
            }
        }
    }

    /// Returns the number of positions of a batch: fewer if their successors take much memory.
    fn batch_len(&self) -> usize {
        let room = self.context.limits.max_memory / BLOCK_SHARE / size_of::<u64>() as u64;
        // Successors are stored until they are numbered, so wide positions make small batches.
        let positions = usize::try_from(room).unwrap_or(usize::MAX) / self.widest;
        (positions / self.blocks.batches).clamp(1, self.blocks.batch)
    }

    fn walker(&self) -> MoveWalker<'a> {
        MoveWalker::new(self.ruleset, self.proved)
    }

    /// Checks the limits and whether to stop.
    fn look(&mut self) -> Result<()> {
        self.looked = self.builder.len();
        let (found, bytes) = (
            self.positions.count(),
            self.positions.bytes() + self.builder.bytes(),
        );
        has_room(&self.builder)?;
        look(self.context, self.builder.len(), found, bytes)
    }

    fn explore_block(&mut self, range: Range<usize>, len: usize) -> Result<()> {
        let starts = range.clone().step_by(len);
        // Waits for all batches, so that the error returned is that of the first position.
        let batches = parallel::map(starts, |start| {
            self.context.check()?;
            let mut batch = PositionBatch::default();
            batch.fill(
                &mut self.walker(),
                &self.positions,
                start..range.end.min(start + len),
                self.context,
            )?;
            Ok(batch)
        });
        let batches = batches
            .into_iter()
            .collect::<Result<Vec<PositionBatch>>>()?;
        for batch in &batches {
            self.context.check()?;
            self.number(batch)?;
        }
        Ok(())
    }

    /// Numbers the successors of a batch in the order in which they were found, and appends its
    /// rows.
    fn number(&mut self, batch: &PositionBatch) -> Result<()> {
        // Greater numbers stand for endings, so positions must not reach them.
        if self.positions.count() + batch.hashes.len() > StandIns::MOST_POSITIONS {
            return Err(Stop::Positions(StandIns::MOST_POSITIONS as u64).into());
        }
        self.widest = self.widest.max(batch.widest);
        let mut successors = batch.successors();
        let mut heads = PerPlayer::<Vec<NodeId>>::default();
        for (index, counts) in batch.counts.iter().enumerate() {
            for player in Player::BOTH {
                heads[player].clear();
                for (position, hash) in successors.by_ref().take(counts[player] as usize) {
                    let number = self.positions.insert(position, hash);
                    heads[player].push(NodeId::new(number as usize));
                }
                if batch.is_stuck(index, player) {
                    heads[player].extend(match self.ruleset.stuck() {
                        Stuck::Ends(result) => Some(self.stand_ins.node(result.for_player(player))),
                        // A stuck player stays at the position as long as the opponent can move.
                        Stuck::Passes if counts[player.other()] > 0 => {
                            Some(NodeId::new(self.builder.len()))
                        }
                        Stuck::OpponentMoves | Stuck::Passes => None,
                    });
                }
                // Several moves may lead to one position, which is one edge.
                heads[player].sort_unstable();
                heads[player].dedup();
            }
            let ending = batch.endings[index];
            let node = self.builder.push(ending, &heads.alice, &heads.bob);
            if let Some(owner) = batch.owners[index].filter(|owner| !heads[*owner].is_empty()) {
                self.builder.own(node, owner);
            }
        }
        Ok(())
    }
}

/// A batch of positions with their successors.
#[derive(Debug, Default)]
struct PositionBatch {
    /// The ending of each position, if the game has ended there.
    endings: Vec<Option<Ending>>,
    /// The player who moves at each position without a bid, if any.
    owners: Vec<Option<Player>>,
    /// The number of successors of each position, for each player.
    counts: Vec<PerPlayer<u32>>,
    /// The number of words of a successor; the successors' words follow one after another.
    stride: usize,
    words: Vec<u64>,
    /// The hashes of the successors.
    hashes: Vec<u64>,
    /// The greatest number of words that the successors of a position take, with their hashes.
    widest: usize,
}

impl PositionBatch {
    /// Finds the successors of the positions with these numbers.
    fn fill(
        &mut self,
        walker: &mut MoveWalker<'_>,
        positions: &Positions,
        range: Range<usize>,
        context: &Context<'_>,
    ) -> Result<()> {
        let mut asking = Asking::every(WORDS, context);
        let Self {
            endings,
            owners,
            counts,
            words,
            hashes,
            widest,
            ..
        } = self;
        self.stride = positions.stride();
        endings.clear();
        owners.clear();
        counts.clear();
        words.clear();
        hashes.clear();
        for number in range {
            let before = words.len() + hashes.len();
            let ending = walker.go_to(positions.get(number).expect("it has been found"))?;
            let mut count = PerPlayer::new(0, 0);
            for player in Player::BOTH.into_iter().filter(|_| ending.is_none()) {
                let before = hashes.len();
                walker.moves(player, &mut |position| {
                    words.extend_from_slice(position);
                    hashes.push(hash(position));
                })?;
                count[player] = fit::<u32>(hashes.len() - before);
            }
            endings.push(ending);
            owners.push(if ending.is_none() {
                walker.owner()?
            } else {
                None
            });
            counts.push(count);
            let taken = words.len() + hashes.len() - before;
            *widest = taken.max(*widest);
            asking.step(positions.stride() + taken)?;
        }
        Ok(())
    }

    /// Returns `true` if a player must move at a position and cannot.
    fn is_stuck(&self, index: usize, player: Player) -> bool {
        self.counts[index][player] == 0
            && self.endings[index].is_none()
            && self.owners[index] != Some(player.other())
    }

    /// Iterates over the successors with their hashes.
    fn successors(&self) -> impl Iterator<Item = (&[u64], u64)> {
        self.words
            .chunks_exact(self.stride)
            .zip(self.hashes.iter().copied())
    }
}
