//! One thread's search on bitboards: depth first, with each question about a position reduced to
//! questions about its moves.
//!
//! A question asks whether a position's value is at most t. The answer is a bound that implies yes
//! or one that implies no ([`WorthTable`] has the rules of inference). Moves are generated where
//! they are looked at. A move that completes a line is the only one of its side, because nothing is
//! better; one that is known to lose is left out, because nothing is worse. Where the player who
//! needs a line to get the result asked about can complete none any more, the game is a draw, or
//! worth as much as one. A bid is chosen by a corner: the seeker's component of it is asked about
//! one side's moves, the other component about the other side's.

use std::ops::Range;

use super::grid::{Bitboard, BoardGrid, BoardKey};
use super::ongoing::Ongoing;
use super::table::{BoardTranspositionTable, EntryLayout, EntryPlace, ValueBounds};
use super::turns::TurnTable;
use super::worth::WorthTable;
use crate::convert::fit;

/// The number of positions between two checks of the other threads.
pub const LOOK_EVERY: u64 = 1 << 10;

/// The weight in the order of moves of a cell that completes a line, where a line that can still be
/// completed counts 1.
const THREAT: u32 = 3;

/// The bound of the random numbers by which seeds other than 0 change the order of moves.
const SCATTER: u64 = 3;

/// The data that all threads of a search read.
pub struct BoardSetup {
    pub grid: BoardGrid,
    pub worths: WorthTable,
    /// The side whose turn it is; `None` if a bid decides everywhere.
    pub turns: Option<TurnTable>,
    /// The value of a chip in the units of values.
    pub chip: u8,
}

/// A position.
#[derive(Debug, Clone, Copy)]
pub struct BoardPosition {
    /// The seeker's cells and the opponent's.
    sides: [Bitboard; 2],
    /// The empty cells that complete a line of each.
    completing: [Bitboard; 2],
    /// The cells that are not dead.
    live: Bitboard,
    /// The position's key and that of its mirror image.
    pub keys: [BoardKey; 2],
}

impl BoardPosition {
    /// Creates the position in which each side has these cells.
    pub fn new(grid: &BoardGrid, sides: [Bitboard; 2]) -> Self {
        let mut keys = [0; 2];
        for (side, cells) in sides.into_iter().enumerate() {
            for cell in (0..64_u8).filter(|cell| cells >> cell & 1 != 0) {
                keys = grid.keys_with(keys, side, cell);
            }
        }
        let occupied = sides[0] | sides[1];
        let completing = sides.map(|cells| grid.completing(cells, occupied));
        let live = [0, 1].map(|side| grid.cells(&grid.chances(sides[side], sides[1 - side])));
        let live = live[0] | live[1];
        Self {
            sides,
            completing,
            live,
            keys: grid.keys_without(keys, sides, !live),
        }
    }

    /// Returns whether no cell is empty.
    pub fn is_full(&self, grid: &BoardGrid) -> bool {
        self.sides[0] | self.sides[1] == grid.full
    }

    fn counts(&self) -> [usize; 2] {
        self.sides.map(|cells| cells.count_ones() as usize)
    }

    #[inline]
    fn after(&self, grid: &BoardGrid, side: usize, made: &BoardMove) -> Self {
        let bit = 1 << made.cell;
        let mut after = *self;
        after.sides[side] |= bit;
        after.completing[side] = made.completing;
        // The other side's lines do not change, except that the cell is taken.
        after.completing[1 - side] &= !bit;
        after.live = made.live;
        after.keys = self.keys_after(grid, side, made);
        after
    }

    #[inline]
    fn keys_after(&self, grid: &BoardGrid, side: usize, made: &BoardMove) -> [BoardKey; 2] {
        let bit = 1 << made.cell;
        let mut sides = self.sides;
        sides[side] |= bit;
        grid.keys_without(
            grid.keys_with(self.keys, side, made.cell),
            sides,
            (self.live | bit) & !made.live,
        )
    }
}

/// A move of one side, with the bounds of the position after it.
#[derive(Debug, Clone, Copy)]
struct BoardMove {
    cell: u8,
    known: ValueBounds,
    score: u32,
    /// The cells that complete a line of the side's afterwards, and those that are not dead then.
    completing: Bitboard,
    live: Bitboard,
    /// The place of the table's entry of the position after the move, if its value is not known.
    place: EntryPlace,
}

impl BoardMove {
    /// Creates a move with these bounds and nothing else.
    fn worth(cell: u8, known: ValueBounds) -> Self {
        Self {
            cell,
            known,
            score: 0,
            completing: 0,
            live: 0,
            place: EntryPlace::default(),
        }
    }
}

/// The moves of a position that have been generated, by side.
#[derive(Debug, Clone, Copy)]
struct Made {
    ranges: [Option<(usize, usize)>; 2],
}

impl Made {
    #[inline]
    fn range(&self, side: usize) -> Option<Range<usize>> {
        self.ranges[side].map(|(begin, end)| begin..end)
    }
}

/// Returns the value of a draw where a side needs a line.
fn drawn(needy: usize, top: u8) -> ValueBounds {
    ValueBounds::won_by(1 - needy, top)
}

/// A question about one side's moves.
#[derive(Debug, Clone, Copy)]
struct BoardQuestion {
    side: usize,
    most: u8,
}

/// The state that a thread keeps from question to question.
pub struct BoardWorker {
    /// The moves of the positions on the current path.
    moves: Vec<BoardMove>,
    /// The random amount by which a move to each cell is preferred, which changes the order.
    scatter: [u32; 64],
    /// The number of positions searched.
    pub nodes: u64,
    looked: u64,
}

impl BoardWorker {
    /// Creates a worker. Other seeds try moves in another order. The threads of one search have the
    /// same seed, because a thread with another order would go over positions that the others need
    /// not look at.
    pub fn new(seed: u64) -> Self {
        let mixed = |cell: u64| {
            (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ cell).wrapping_mul(0xbf58_476d_1ce4_e5b9)
                >> 40
        };
        let scatter = |cell: usize| {
            if seed == 0 {
                0
            } else {
                (mixed(cell as u64) % SCATTER) as u32
            }
        };
        Self {
            moves: Vec::new(),
            scatter: std::array::from_fn(scatter),
            nodes: 0,
            looked: 0,
        }
    }

    /// Returns a bound of a position's value that tells whether it is at most `most`, where one
    /// side reaches its goal only by a line, not by a draw. Calls `look` with the worker, which has
    /// the number of positions searched; returns `None` if `look` returns `false`.
    pub fn search(
        &mut self,
        plan: &BoardSetup,
        shared: &BoardShared,
        position: &BoardPosition,
        needy: usize,
        most: u8,
        look: &dyn Fn(&Self) -> bool,
    ) -> Option<u8> {
        self.moves.clear();
        let empty = plan.grid.full & !(position.sides[0] | position.sides[1]);
        // The moves assume that the needy side can still complete a line, so this is tested once
        // here.
        if !plan.grid.has_line(position.sides[needy] | empty) {
            return Some(drawn(needy, plan.worths.top).low);
        }
        Descent {
            worker: self,
            plan,
            shared,
            needy,
            look,
        }
        .ask(position, shared.place(position.keys, needy), most)
    }
}

/// The data that all threads of a search write to.
pub struct BoardShared {
    pub table: BoardTranspositionTable,
    pub ongoing: Ongoing,
}

impl BoardShared {
    /// Returns the layout of entries for a board with values up to `top`.
    pub fn form(grid: &BoardGrid, top: u8) -> EntryLayout {
        EntryLayout::new(grid.key_bits + 1, top)
    }

    /// Returns the place of the entry of a position and its mirror image, by their keys, where a
    /// side needs a line.
    #[inline]
    pub fn place(&self, keys: [BoardKey; 2], needy: usize) -> EntryPlace {
        self.table
            // Both questions about a position have entries of their own, told apart by the lowest
            // bit.
            .place(keys[0].min(keys[1]) << 1 | needy as BoardKey)
    }
}

/// A search in progress.
struct Descent<'a> {
    worker: &'a mut BoardWorker,
    plan: &'a BoardSetup,
    shared: &'a BoardShared,
    /// The side that needs a line.
    needy: usize,
    look: &'a dyn Fn(&BoardWorker) -> bool,
}

impl Descent<'_> {
    /// Returns a bound of the value: if the bound is at most `most`, the value is at most the
    /// bound; otherwise the value is at least the bound.
    fn ask(&mut self, position: &BoardPosition, place: EntryPlace, most: u8) -> Option<u8> {
        let worths = &self.plan.worths;
        let empty = self.plan.grid.full & !(position.sides[0] | position.sides[1]);
        let found = self.shared.table.get(place);
        let known = found.unwrap_or(ValueBounds::anything(worths.top));
        if let Some(bound) = known.answers(most) {
            return Some(bound);
        }
        let worker = &mut *self.worker;
        worker.nodes += 1;
        if worker.nodes - worker.looked >= LOOK_EVERY {
            worker.looked = worker.nodes;
            if !(self.look)(worker) {
                return None;
            }
        }
        let (begin, before) = (worker.moves.len(), worker.nodes);
        let is_told = self.shared.ongoing.tells(empty);
        if is_told {
            self.shared.ongoing.begin(place);
        }
        let found = self.ask_moves(position, most, known);
        if is_told {
            self.shared.ongoing.end(place);
        }
        let (bound, known) = found?;
        // The moves of a position are needed only while its question is open.
        self.worker.moves.truncate(begin);
        let work = self.worker.nodes - before + 1;
        self.shared.table.put(place, known, work);
        Some(bound)
    }

    /// Returns the bound of `ask` for a position with some known bounds, and all bounds known
    /// afterwards.
    fn ask_moves(
        &mut self,
        position: &BoardPosition,
        most: u8,
        mut known: ValueBounds,
    ) -> Option<(u8, ValueBounds)> {
        let worths = &self.plan.worths;
        let occupied = position.sides[0] | position.sides[1];
        let is_told = self.shared.ongoing.tells(self.plan.grid.full & !occupied);
        let owner = self
            .plan
            .turns
            .as_ref()
            .and_then(|turns| turns.owner(position.counts()));
        let mut made = Made { ranges: [None; 2] };
        let playable = self.plan.grid.playable(occupied);
        let mut aim = None;
        let mut is_first = true;
        loop {
            let sides = [0, 1].map(|side| match made.range(side) {
                Some(range) => self.best(side, range),
                // The winning move need not be generated to be counted.
                None if playable & position.completing[side] != 0 => {
                    ValueBounds::won_by(side, worths.top)
                }
                None => ValueBounds::anything(worths.top),
            });
            known = known.and(match owner {
                Some(owner) => sides[owner],
                None => sides[0].zip(sides[1], |m, others| worths.value(m, others)),
            });
            if let Some(bound) = known.answers(most) {
                return Some((bound, known));
            }
            // A question is pursued until it is answered, because changing it would waste the work
            // so far.
            let is_open = |aim: &BoardQuestion| sides[aim.side].answers(aim.most).is_none();
            let next = aim.filter(is_open).unwrap_or_else(|| match owner {
                Some(side) => BoardQuestion { side, most },
                None => self.aim(sides, most),
            });
            aim = Some(next);
            let Some(range) = made.range(next.side) else {
                // A side's moves are generated only once a question is asked about them: often the
                // other side's moves decide.
                let begin = self.worker.moves.len();
                self.make(position, next.side);
                self.look_up(position, next.side, begin);
                made.ranges[next.side] = Some((begin, self.worker.moves.len()));
                continue;
            };
            // The first move is searched by every thread, because it decides most often.
            let gives_way = is_told && !is_first;
            let place = self.choose(range, next, |made| {
                gives_way && self.shared.ongoing.has(made.place)
            });
            is_first = false;
            let made = self.worker.moves[place];
            let bound = self.ask(
                &position.after(&self.plan.grid, next.side, &made),
                made.place,
                next.most,
            )?;
            self.worker.moves[place].known.learn(next.most, bound);
        }
    }

    /// Adds a side's moves except those that lose. If none is left, the side has lost.
    #[inline]
    fn make(&mut self, position: &BoardPosition, side: usize) {
        let BoardSetup { grid, worths, .. } = self.plan;
        let occupied = position.sides[0] | position.sides[1];
        let playable = grid.playable(occupied);
        let winning = playable & position.completing[side];
        if winning != 0 {
            let cell = fit::<u8>(winning.trailing_zeros());
            self.worker.moves.push(BoardMove::worth(
                cell,
                ValueBounds::won_by(side, worths.top),
            ));
            return;
        }
        let turns = self.plan.turns.as_ref().map(|turns| {
            let mut counts = position.counts();
            counts[side] += 1;
            (
                turns.owners(counts),
                grid.is_falling() && side != self.needy && turns.lead(counts, self.needy),
            )
        });
        let lost = ValueBounds::won_by(1 - side, worths.top);
        let chances = [side, 1 - side]
            .map(|side| grid.chances(position.sides[side], position.sides[1 - side]));
        let own_live = grid.cells(&chances[0]);
        let mut left = playable;
        while left != 0 {
            let bit = left & left.wrapping_neg();
            left ^= bit;
            let cell = fit::<u8>(bit.trailing_zeros());
            let after = occupied | bit;
            if after == grid.full {
                self.worker
                    .moves
                    .push(BoardMove::worth(cell, drawn(self.needy, worths.top)));
                continue;
            }
            let next = grid.playable(after);
            let others = grid.ways_to_win(position.completing[1 - side] & !bit, next);
            // The other side moves next and wins at once, so this move loses.
            if others > 0 && turns.is_some_and(|(owners, _)| owners.here == Some(1 - side)) {
                continue;
            }
            let completing = grid.completing(position.sides[side] | bit, after);
            let own = grid.ways_to_win(completing, next);
            let ways = if side == 0 {
                [own, others]
            } else {
                [others, own]
            };
            let others_live = grid.cells(&grid.without(&chances[1], cell));
            // After the other side's move the needy one may have no line left.
            let is_foregone = || {
                side != self.needy
                    && (others_live == 0
                        || matches!(turns, Some((_, true)))
                            && !grid.has_line(position.sides[self.needy] | grid.leading(after)))
            };
            let known = match worths.expects(ways, turns.map(|(owners, _)| owners)) {
                known if known == lost => continue,
                known if known.low < known.high && is_foregone() => drawn(self.needy, worths.top),
                known => known,
            };
            let score = self.worker.scatter[usize::from(cell) & 63]
                + grid.through(&chances[0], cell)
                + grid.through(&chances[1], cell)
                + THREAT * completing.count_ones();
            let live = own_live | others_live;
            self.worker.moves.push(BoardMove {
                score,
                completing,
                live,
                ..BoardMove::worth(cell, known)
            });
        }
    }

    /// Looks up moves in the table that have just been generated.
    #[inline]
    fn look_up(&mut self, position: &BoardPosition, side: usize, begin: usize) {
        let grid = &self.plan.grid;
        let (shared, needy) = (self.shared, self.needy);
        let moves = &mut self.worker.moves[begin..];
        let is_open = |made: &BoardMove| made.known.low < made.known.high;
        for made in moves.iter_mut().filter(|made| is_open(made)) {
            made.place = shared.place(position.keys_after(grid, side, made), needy);
        }
        // All entries are requested before any is used, so the waits for memory overlap.
        shared.table.fetch(
            moves
                .iter()
                .filter(|made| is_open(made))
                .map(|made| made.place),
        );
        for made in moves.iter_mut().filter(|made| is_open(made)) {
            if let Some(found) = shared.table.get(made.place) {
                made.known = made.known.and(found);
            }
        }
    }

    /// Returns the bounds of the best move of a side.
    #[inline]
    fn best(&self, side: usize, range: Range<usize>) -> ValueBounds {
        let moves = self.worker.moves[range].iter().map(|made| made.known);
        let lost = ValueBounds::won_by(1 - side, self.plan.worths.top);
        if side == 0 {
            moves.fold(lost, |best, known| best.zip(known, u8::min))
        } else {
            moves.fold(lost, |best, known| best.zip(known, u8::max))
        }
    }

    /// Chooses the next question about a side. It uses the remaining corner at which the two values
    /// are nearest to a chip apart, because small bids decide most often. The opponent's moves come
    /// first, because one of them can refute.
    #[inline]
    fn aim(&self, sides: [ValueBounds; 2], most: u8) -> BoardQuestion {
        let is_left = |corner: &&(u8, u8)| corner.0 >= sides[0].low && corner.1 >= sides[1].low;
        let from_a_chip = |(low, high): &&(u8, u8)| {
            (i32::from(*high) - i32::from(*low)).abs_diff(self.plan.chip.into())
        };
        let left = self.plan.worths.corners(most).iter().filter(is_left);
        let (low, high) = *left
            .min_by_key(from_a_chip)
            .expect("were none left, the answer would be known");
        if sides[1].high > high {
            BoardQuestion {
                side: 1,
                most: high,
            }
        } else {
            BoardQuestion { side: 0, most: low }
        }
    }

    /// Chooses the move to be searched: the best for its side by its known bounds, then by its
    /// score. A move that is deferred is chosen only if all are.
    #[inline]
    fn choose(
        &self,
        places: Range<usize>,
        aim: BoardQuestion,
        is_put_off: impl Fn(&BoardMove) -> bool,
    ) -> usize {
        let begin = places.start;
        let open = self.worker.moves[places]
            .iter()
            .enumerate()
            .filter(|(_, made)| made.known.answers(aim.most).is_none());
        let rank = |made: &BoardMove| {
            let sum = i32::from(made.known.low) + i32::from(made.known.high);
            (
                !is_put_off(made),
                if aim.side == 0 { -sum } else { sum },
                made.score,
            )
        };
        let best = open.max_by_key(|(place, made)| (rank(made), -fit::<i64>(*place)));
        begin
            + best
                .expect("what is open about the best move is open about some move")
                .0
    }
}
