//! Search on bitboards, for boards of squares on which only lines decide: pieces fall or are
//! placed, and a position's value is one number.
//!
//! The game is recognised in the compiled ruleset ([`LineGrid`]), never by its name. Positions are
//! sets of bits ([`grid`]), with the cells that complete a line of each player. Bounds that are
//! known before moves are generated are in [`worth`], with the proofs, and in [`mod@turns`] where
//! nobody bids. [`worker`] searches, [`table`] keeps eight bytes for each class of equivalent
//! positions, and [`ongoing`] makes threads take different paths. Rules with two thresholds for a
//! position, or more than 255 values, are left to the general search.

mod grid;
mod ongoing;
mod table;
#[cfg(test)]
mod tests;
mod turns;
mod worker;
mod worth;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use self::grid::{BoardGrid, GridShape};
use self::ongoing::Ongoing;
use self::table::{BoardTranspositionTable, EntryLayout, ValueBounds};
use self::turns::TurnTable;
use self::worker::{BoardPosition, BoardSetup, BoardShared, BoardWorker, LOOK_EVERY};
use self::worth::WorthTable;
use super::bounds::{ThresholdInterval, ThresholdLaw, TurnKind};
use super::{SearchTarget, SearchTask, Searched};
use crate::convert::fit;
use crate::diagnostic::{Diagnostic, Result};
use crate::game::ruleset::{Direction, LineGrid, State};
use crate::parallel;
use crate::player::{Ending, PerPlayer, Player};

/// The initial size of the table in bytes, and the factor by which it grows when it is full, as
/// long as there is room.
const FIRST: u64 = 1 << 21;
const GROWTH: u64 = 8;

/// The table counts as full when the number of positions searched is this many times the number of
/// entries that it has room for.
const ROUNDS: u64 = 2;

/// The directions of lines in the order of a [`GridShape`]'s; a line down a column is the same as
/// one up it.
const DIRECTIONS: [Direction; 4] = [
    Direction::DOWN,
    Direction::RIGHT,
    Direction::DOWN_LEFT,
    Direction::DOWN_RIGHT,
];

/// Prepares the data and the first position of a search. Returns `None` if this search does not
/// cover the game, or there is too little room for its table.
fn planned(
    board: &LineGrid,
    state: &State,
    law: &ThresholdLaw,
    room: u64,
) -> Option<(BoardSetup, BoardPosition)> {
    let top = u8::try_from(law.anything().high[0])
        .ok()
        // Entries of the table have room for one value of eight bits.
        .filter(|_| law.scale().slots() == 1)?;
    let number = |count: usize| u32::try_from(count).ok();
    let shape = GridShape {
        rows: number(board.rows)?,
        cols: number(board.cols)?,
        length: number(board.length)?,
        is_falling: board.is_falling,
        directions: DIRECTIONS.map(|direction| board.directions.contains(&direction)),
    };
    // Dead cells are distinguished if turns depend on the cells, because the number of each side's
    // cells matters then. They are also distinguished if keys are short enough only in that way.
    let manners = [true, false]
        .into_iter()
        .filter(|merges| !merges || board.owners.is_empty());
    // Merging is tried first, because fewer positions have to be searched.
    let mut grids = manners.filter_map(|merges| BoardGrid::new(shape, merges));
    let grid = grids.find(|grid| BoardShared::form(grid, top).least_bytes() <= room)?;
    let pair = |value: u8| Some([u16::from(value), 0]);
    let value = |m, others| fit::<u8>(law.value(TurnKind::Bid, pair(m), pair(others))[0]);
    let sides = PerPlayer::new(law.seeker, law.seeker.other())
        .map(|player| cells(board, &grid, state, player));
    let position = BoardPosition::new(&grid, [sides[Player::Alice], sides[Player::Bob]]);
    let chip = fit::<u8>(law.scale().units());
    let plan = BoardSetup {
        worths: WorthTable::new(top, value),
        turns: turns(board, law),
        chip,
        grid,
    };
    Some((plan, position))
}

/// Returns a player's cells.
fn cells(board: &LineGrid, grid: &BoardGrid, state: &State, player: Player) -> u64 {
    let cells = board.cells(state)[player];
    let places = (0..board.rows).flat_map(|row| (0..board.cols).map(move |col| (row, col)));
    let taken = places.filter(|(row, col)| cells >> (row * board.cols + col) & 1 != 0);
    taken.fold(0, |taken, (row, col)| {
        taken | grid.bit(fit::<u32>(row), fit::<u32>(col))
    })
}

/// Builds the table of whose turn it is, by the numbers of the seeker's cells and the opponent's.
fn turns(board: &LineGrid, law: &ThresholdLaw) -> Option<TurnTable> {
    let count = board.owners.len();
    let owner = |own: usize, others: usize| {
        let counts = PerPlayer::of(law.seeker, own, others);
        board.owners[counts.alice][counts.bob].map(|owner| usize::from(owner != law.seeker))
    };
    let row = |own: usize| (0..count - own).map(|others| owner(own, others)).collect();
    (count > 0).then(|| TurnTable::new((0..count).map(row).collect(), board.rows * board.cols))
}

impl SearchTask<'_> {
    /// Searches a board on which the game has not ended. Returns `None` if this search does not
    /// cover the game.
    pub(super) fn search_board(
        &self,
        board: &LineGrid,
        state: &State,
        wanted: SearchTarget,
    ) -> Result<Option<Searched<ThresholdInterval>>> {
        let room = self.context.limits.room();
        let Some((plan, position)) = planned(board, state, &self.law, room) else {
            return Ok(None);
        };
        // The search itself assumes that some cell is empty.
        if position.is_full(&plan.grid) {
            return Ok(Some(Searched {
                answer: ThresholdInterval::exactly(self.law.ended(Ending::Draw)),
                nodes: 0,
            }));
        }
        let table = BoardTranspositionTable::new(
            FIRST.min(room),
            BoardShared::form(&plan.grid, plan.worths.top),
        );
        let threads = parallel::threads();
        let shared = BoardShared {
            table,
            ongoing: Ongoing::new(threads),
        };
        let mut threads = BoardThreads {
            task: self,
            workers: (0..threads)
                .map(|_| BoardWorker::new(self.manner.seed))
                .collect(),
            known: [ValueBounds::anything(plan.worths.top); 2],
            needy: usize::from(self.law.drawn),
            full: ROUNDS * shared.table.room(),
            nodes: AtomicU64::new(0),
            room,
            plan,
            position,
            shared,
        };
        match wanted {
            SearchTarget::Answer(question) => {
                if let Ok(most) = u8::try_from(question.most) {
                    threads.decide(threads.needy, most)?;
                }
            }
            SearchTarget::Everything => threads.find()?,
        }
        let nodes = threads.workers.iter().map(|worker| worker.nodes).sum();
        Ok(Some(Searched {
            answer: interval(threads.known[threads.needy]),
            nodes,
        }))
    }
}

/// Returns the bounds of the value in the form of thresholds.
fn interval(known: ValueBounds) -> ThresholdInterval {
    ThresholdInterval {
        low: [u16::from(known.low), 0],
        high: [u16::from(known.high), 0],
    }
}

/// All threads of a search and the data that they share.
struct BoardThreads<'a> {
    task: &'a SearchTask<'a>,
    plan: BoardSetup,
    position: BoardPosition,
    workers: Vec<BoardWorker>,
    shared: BoardShared,
    /// The number of positions after which the table has to grow.
    full: u64,
    nodes: AtomicU64,
    /// The bounds of the value, by the side that needs a line. Where the seeker needs one, the
    /// value is no less than where a draw is enough.
    known: [ValueBounds; 2],
    /// The side that needs a line by the rules.
    needy: usize,
    room: u64,
}

impl BoardThreads<'_> {
    /// Finds the value. The first question is always whether the side that would have more chips
    /// wins: often it does, and that takes less to show than that the other side does not win.
    fn find(&mut self) -> Result<()> {
        while self.known[self.needy].low < self.known[self.needy].high {
            let most = self.known[self.needy]
                .low
                .midpoint(self.known[self.needy].high - 1);
            // With few chips for the seeker the opponent is the richer side, and has to have a
            // line.
            let richer = usize::from(most < self.plan.worths.top.div_ceil(2));
            for needy in [richer, self.needy] {
                // The easier question may have decided this one, because the bounds of both are
                // related.
                if self.known[self.needy].answers(most).is_none() {
                    self.decide(needy, most)?;
                }
            }
        }
        Ok(())
    }

    /// Finds whether the value is at most a number, where a side needs a line.
    fn decide(&mut self, needy: usize, most: u8) -> Result<()> {
        while self.known[needy].answers(most).is_none() {
            let stage = self.task.stage(interval(self.known[self.needy]));
            let (is_over, stopped) = (AtomicBool::new(false), Mutex::new(None));
            let workers = std::mem::take(&mut self.workers);
            let this = &*self;
            let look = |_: &BoardWorker| {
                let nodes = this.nodes.fetch_add(LOOK_EVERY, Ordering::Relaxed) + LOOK_EVERY;
                this.task.context.report(&stage, nodes, None);
                if let Err(stop) = this.task.context.check() {
                    // A stop must not be lost in a thread, so the last one is kept for the caller.
                    *stopped.lock().expect("nobody panics with it") = Some(stop);
                    is_over.store(true, Ordering::Relaxed);
                } else if nodes > this.full {
                    is_over.store(true, Ordering::Relaxed);
                }
                !is_over.load(Ordering::Relaxed)
            };
            let searched = parallel::map(workers, |mut worker| {
                // A thread that begins after another one has ended has nothing to do.
                let found = if is_over.load(Ordering::Relaxed) {
                    None
                } else {
                    worker.search(&this.plan, &this.shared, &this.position, needy, most, &look)
                };
                // All threads search the same question, so the first answer ends the others.
                if found.is_some() {
                    is_over.store(true, Ordering::Relaxed);
                }
                (worker, found)
            });
            for (worker, found) in searched {
                self.workers.push(worker);
                if let Some(bound) = found {
                    self.learn(needy, most, bound);
                }
            }
            if self.known[needy].answers(most).is_none() {
                if let Some(stop) = stopped.into_inner().expect("nobody panics with it") {
                    let said = self.task.so_far(
                        self.nodes.load(Ordering::Relaxed),
                        interval(self.known[self.needy]),
                    );
                    return Err(Box::<Diagnostic>::from(stop).note(said).into());
                }
                self.grow();
            }
        }
        Ok(())
    }

    /// Adds a bound of the value where a side needs a line.
    fn learn(&mut self, needy: usize, most: u8, bound: u8) {
        self.known[needy].learn(most, bound);
        self.known[0].low = self.known[0].low.max(self.known[1].low);
        self.known[1].high = self.known[1].high.min(self.known[0].high);
    }

    /// Replaces the table by a larger one if there is room for it beside the old one.
    fn grow(&mut self) {
        let bytes = self.shared.table.bytes();
        let larger = (GROWTH * bytes).min(self.room.saturating_sub(bytes));
        // A little more room would not be worth moving all entries.
        if larger < 2 * bytes {
            self.full = u64::MAX;
            return;
        }
        let nothing = BoardTranspositionTable::new(0, EntryLayout::new(0, 0));
        self.shared.table = std::mem::replace(&mut self.shared.table, nothing).grown(larger);
        self.full = self.nodes.load(Ordering::Relaxed) + ROUNDS * self.shared.table.room();
    }
}
