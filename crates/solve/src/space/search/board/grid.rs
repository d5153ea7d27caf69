//! Boards as sets of bits, in which lines are found by shifting. The columns follow one another,
//! each from its lowest cell up, and above each column is a bit that is never set.
//!
//! The bit of a cell's neighbour in a direction is a fixed number of bits further on. A step over
//! the edge of the board leads to a bit that is never set, or off the word. So a run of cells that
//! follow each other at that distance is a line of the board, and nothing else is. Let `up[j] = x
//! << s & … & x << js`, the cells below which j cells of x follow each other, and define `down[j]`
//! in the same way. The cells that complete a line of n are those in `up[j] & down[n − 1 − j]` for
//! some j.
//!
//! # Keys
//! A position's *key* is a sum with a term for each cell and its contents, so that a move adds one
//! number, to the key and to the mirror image's key. Contents are numbered from 1. Where pieces
//! fall, a column of h cells is a number of h digits, none of which is 0. With n contents, those
//! with h digits are the n^h numbers from 1 + n + … + n^(h − 1) on, so different columns have
//! different numbers, and the key is the number whose digits are the columns. Elsewhere a cell is a
//! digit, 0 if it is empty.
//!
//! A cell is *dead* if neither side can complete a line through it any more. The lines that a side
//! can still complete contain none of the other side's cells and no dead cells: they follow from
//! which cells are dead, and from who owns the others. So positions that differ only in the owners
//! of their dead cells have the same moves, the same lines to be completed after each move, and the
//! same value, unless the number of each side's cells matters. Where it does not, a dead cell that
//! is taken counts as a third content.

/// A set of cells.
pub type Bitboard = u64;

/// A number that stands for a position.
pub type BoardKey = u128;

/// The parameters of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridShape {
    /// The numbers of rows and columns.
    pub rows: u32,
    pub cols: u32,
    /// The number of cells of a line, 2 at least.
    pub length: u32,
    /// If set, pieces fall to the lowest empty cell of a column; otherwise a piece can be placed on
    /// every empty cell.
    pub is_falling: bool,
    /// The directions of lines: up, across, up to the right, down to the right.
    pub directions: [bool; 4],
}

/// A board.
#[derive(Debug, Clone)]
pub struct BoardGrid {
    shape: GridShape,
    /// The number of bits of a step in each direction that lines have.
    shifts: [u32; 4],
    ways: usize,
    /// All cells.
    pub full: Bitboard,
    /// The lowest cells of the columns.
    bottom: Bitboard,
    /// The cells above which there is an odd number of cells, and the bits above the columns.
    before_odd: Bitboard,
    above: Bitboard,
    /// The number that each cell of each side adds to the key and to the mirror image's key, by
    /// side and cell.
    worth: [Vec<[BoardKey; 2]>; 2],
    /// The number that a cell adds besides once it is dead; `None` if positions that differ only in
    /// the owners of their dead cells are distinguished.
    dying: Option<[Vec<[BoardKey; 2]>; 2]>,
    /// The number of bits of a key.
    pub key_bits: u32,
    /// The lowest cells of the lines through each cell, by cell and direction.
    through: Vec<[Bitboard; 4]>,
}

/// The lines that a side can still complete: by direction, the lowest cells of all of them and of
/// those in which the side has a cell.
#[derive(Debug, Clone, Copy)]
pub struct Chances([[Bitboard; 2]; 4]);

impl BoardGrid {
    /// Creates a board. If it `merges`, positions that differ only in the owners of their dead
    /// cells have the same key. Returns `None` if the board has too many cells.
    pub fn new(shape: GridShape, merges: bool) -> Option<Self> {
        let GridShape {
            rows,
            cols,
            length,
            is_falling,
            directions,
        } = shape;
        if length < 2 || !directions.contains(&true) {
            return None;
        }
        // The bit above each column keeps lines from running over from one column to the next.
        let height = rows.checked_add(1)?;
        // The last column's upper bit may be set by a carry, so it has to be in the word as well.
        height.checked_mul(cols).filter(|bits| *bits < u64::BITS)?;
        let all = [1, height, height + 1, height - 1];
        let mut shifts = [0; 4];
        let mut ways = 0;
        // If a line's steps lead off the word before the line is complete, the board has no line in
        // that direction.
        let has_lines = |shift: u32| {
            length
                .checked_mul(shift)
                .is_some_and(|end| end - shift < u64::BITS)
        };
        for (shift, _) in all
            .into_iter()
            .zip(directions)
            .filter(|(shift, has)| *has && has_lines(*shift))
        {
            shifts[ways] = shift;
            ways += 1;
        }
        let contents: BoardKey = if merges { 3 } else { 2 };
        // The numbers of different contents of a cell and of a column.
        let (base, column) = if is_falling {
            (
                contents,
                (0..=rows).try_fold(0, |sum: BoardKey, height| {
                    sum.checked_add(contents.checked_pow(height)?)
                })?,
            )
        } else {
            (contents + 1, (contents + 1).checked_pow(rows)?)
        };
        // Keys are less than the number of all contents of the board.
        let key_bits = BoardKey::BITS - (column.checked_pow(cols)? - 1).leading_zeros();
        // A board on which only one diagonal counts is not equivalent to its mirror image.
        let is_mirrored = directions[2] == directions[3];
        let nothing = vec![[0; 2]; 64];
        let (mut worth, mut dying) = (
            [nothing.clone(), nothing.clone()],
            [nothing.clone(), nothing],
        );
        let (mut full, mut bottom, mut before_odd, mut above) = (0, 0, 0, 0);
        for (col, row) in (0..cols).flat_map(|col| (0..rows).map(move |row| (col, row))) {
            let cell = col * height + row;
            full |= 1 << cell;
            bottom |= 1 << (col * height);
            above |= 1 << (col * height + rows);
            // Above this cell are `rows - row - 1` cells.
            before_odd |= u64::from((rows - row) % 2 == 0) << cell;
            let image = if is_mirrored { cols - 1 - col } else { col };
            let digit = [col, image].map(|col| column.pow(col) * base.pow(row));
            for side in [0, 1] {
                let content = side as BoardKey + 1;
                worth[side][cell as usize] = digit.map(|digit| content * digit);
                // Together with the owner's number this makes the last content, whoever owned the
                // cell.
                dying[side][cell as usize] = digit.map(|digit| (contents - content) * digit);
            }
        }
        let dying = merges.then_some(dying);
        let before = |cell: u32, shift: u32| {
            (0..length).filter_map(move |place| cell.checked_sub(place * shift))
        };
        let lowest = |cell: u32, shift: u32| {
            before(cell, shift).fold(0, |lowest, first| lowest | 1 << first)
        };
        let through = (0..u64::BITS)
            .map(|cell| shifts.map(|shift| lowest(cell, shift)))
            .collect();
        Some(Self {
            shape,
            shifts,
            ways,
            full,
            bottom,
            before_odd,
            above,
            worth,
            dying,
            key_bits,
            through,
        })
    }

    /// Returns the bit of a cell by its row from the top and its column.
    pub fn bit(&self, row: u32, col: u32) -> Bitboard {
        1 << (col * (self.shape.rows + 1) + self.shape.rows - 1 - row)
    }

    /// Returns the keys after a cell is added to a side.
    #[inline]
    pub fn keys_with(&self, keys: [BoardKey; 2], side: usize, cell: u8) -> [BoardKey; 2] {
        sum(keys, self.worth[side][usize::from(cell) & 63])
    }

    /// Returns the keys once some of the sides' cells are dead.
    #[inline]
    pub fn keys_without(
        &self,
        mut keys: [BoardKey; 2],
        sides: [Bitboard; 2],
        dead: Bitboard,
    ) -> [BoardKey; 2] {
        let Some(dying) = &self.dying else {
            return keys;
        };
        for (cells, dying) in sides.into_iter().zip(dying) {
            // Only cells that have just died are passed, so that each is added once.
            let mut left = cells & dead;
            while left != 0 {
                keys = sum(keys, dying[left.trailing_zeros() as usize & 63]);
                left &= left - 1;
            }
        }
        keys
    }

    /// Returns whether pieces fall.
    pub fn is_falling(&self) -> bool {
        self.shape.is_falling
    }

    /// Returns the cells on which a piece can be placed.
    #[inline]
    pub fn playable(&self, occupied: Bitboard) -> Bitboard {
        if self.shape.is_falling {
            // Adding 1 to a column of set bits carries to the lowest empty cell, or to the bit
            // above it.
            (occupied + self.bottom) & self.full
        } else {
            self.full & !occupied
        }
    }

    /// Returns the empty cells that complete a line of a set.
    #[inline]
    pub fn completing(&self, set: Bitboard, occupied: Bitboard) -> Bitboard {
        let shifts = self.shifts[..self.ways].iter();
        let found = match self.shape.length {
            // Lines of four are the most common, and this takes half as many shifts.
            4 => shifts.fold(0, |found, shift| found | completing_four(set, *shift)),
            length => shifts.fold(0, |found, shift| found | completing(set, *shift, length)),
        };
        // Runs may end at bits above the columns or at cells that are taken.
        found & self.full & !occupied
    }

    /// Returns whether a set contains a line.
    #[inline]
    pub fn has_line(&self, set: Bitboard) -> bool {
        self.shifts[..self.ways].iter().any(|shift| {
            let further = |runs: Bitboard, place: u32| runs & set >> (place * shift);
            (1..self.shape.length).fold(set, further) != 0
        })
    }

    /// Counts the ways to win at once by completing one of some cells: 0, 1, or 2 for two ways that
    /// no single move of the opponent's takes away. Two ways are two cells that are playable now,
    /// or one that is and the cell above it, which becomes playable when either player takes the
    /// first.
    #[inline]
    pub fn ways_to_win(&self, completing: Bitboard, playable: Bitboard) -> usize {
        let now = completing & playable;
        if now == 0 {
            0
        // Clearing the lowest bit leaves another one exactly if there are two.
        } else if now & (now - 1) != 0 || self.shape.is_falling && now & completing >> 1 != 0 {
            2
        } else {
            1
        }
    }

    /// Returns the leading cells where pieces fall: the empty cells above which there is an odd
    /// number of cells, and all empty cells of the columns that have an odd number of them.
    #[inline]
    pub fn leading(&self, occupied: Bitboard) -> Bitboard {
        let empty = self.full & !occupied;
        let lowest = self.playable(occupied) & !self.before_odd;
        // Adding the lowest empty cell of a column to all of its empty cells gives the bit above
        // the column. Subtracting the lowest empty cell from that gives all the empty cells again.
        let above = (empty + lowest) & self.above;
        empty & self.before_odd | (above - lowest)
    }

    /// Returns the lines that a side can still complete.
    #[inline]
    pub fn chances(&self, own: Bitboard, others: Bitboard) -> Chances {
        let free = self.full & !others;
        let mut chances = [[0; 2]; 4];
        for (chances, shift) in chances.iter_mut().zip(&self.shifts[..self.ways]) {
            // A line is open if none of its cells is the other side's, and begun if one is the
            // side's own.
            let (mut all, mut begun) = (free, own);
            for place in 1..self.shape.length {
                all &= free >> (place * shift);
                begun |= own >> (place * shift);
            }
            *chances = [all, all & begun];
        }
        Chances(chances)
    }

    /// Returns the lines that are left once the other side has a cell.
    #[inline]
    pub fn without(&self, chances: &Chances, cell: u8) -> Chances {
        let through = &self.through[usize::from(cell) & 63];
        Chances(std::array::from_fn(|way| {
            chances.0[way].map(|lowest| lowest & !through[way])
        }))
    }

    /// Returns the cells of the lines.
    #[inline]
    pub fn cells(&self, chances: &Chances) -> Bitboard {
        let lines = chances.0[..self.ways].iter().zip(&self.shifts);
        lines.fold(0, |cells, ([lowest, _], shift)| {
            cells | self.run(*lowest, *shift)
        })
    }

    /// Returns the cells of the lines that begin with these lowest cells.
    #[inline]
    fn run(&self, lowest: Bitboard, shift: u32) -> Bitboard {
        if self.shape.length == 4 {
            let two = lowest | lowest << shift;
            return two | two << (2 * shift);
        }
        (1..self.shape.length).fold(lowest, |cells, place| cells | lowest << (place * shift))
    }

    /// Counts the lines through a cell, with those in which the side has a cell counted twice.
    #[inline]
    pub fn through(&self, chances: &Chances, cell: u8) -> u32 {
        let through = &self.through[usize::from(cell) & 63];
        let count = |(chances, lowest): (&[Bitboard; 2], &Bitboard)| {
            (chances[0] & lowest).count_ones() + (chances[1] & lowest).count_ones()
        };
        chances.0[..self.ways].iter().zip(through).map(count).sum()
    }
}

#[inline]
fn sum(keys: [BoardKey; 2], worth: [BoardKey; 2]) -> [BoardKey; 2] {
    [keys[0] + worth[0], keys[1] + worth[1]]
}

/// Returns the cells that complete a line of four, whether they are set or not.
#[inline]
fn completing_four(set: Bitboard, shift: u32) -> Bitboard {
    let (up, down) = (set << shift, set >> shift);
    let (up_two, down_two) = (up & set << (2 * shift), down & set >> (2 * shift));
    let (up_three, down_three) = (up_two & set << (3 * shift), down_two & set >> (3 * shift));
    up_three | up_two & down | up & down_two | down_three
}

/// Returns the cells that complete a line, whether they are set or not.
fn completing(set: Bitboard, shift: u32, length: u32) -> Bitboard {
    let up = |count: u32| (1..=count).fold(u64::MAX, |run, step| run & set << (step * shift));
    let down = |count: u32| (1..=count).fold(u64::MAX, |run, step| run & set >> (step * shift));
    (0..length).fold(0, |found, below| {
        found | up(below) & down(length - 1 - below)
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns the lines of a board, found cell by cell.
    pub fn lines(grid: &BoardGrid) -> Vec<Bitboard> {
        let GridShape {
            rows,
            cols,
            length,
            directions,
            ..
        } = grid.shape;
        let steps: [(i64, i64); 4] = [(-1, 0), (0, 1), (-1, 1), (1, 1)];
        let mut found = Vec::new();
        for (row, col) in
            (0..i64::from(rows)).flat_map(|row| (0..i64::from(cols)).map(move |col| (row, col)))
        {
            for ((down, right), _) in steps.iter().zip(directions).filter(|(_, has)| *has) {
                let at = |place: i64| (row + down * place, col + right * place);
                let is_on = |(row, col): (i64, i64)| {
                    (0..i64::from(rows)).contains(&row) && (0..i64::from(cols)).contains(&col)
                };
                let places = 0..i64::from(length);
                if places.clone().all(|place| is_on(at(place))) {
                    let bit = |place: i64| grid.bit(at(place).0 as u32, at(place).1 as u32);
                    found.push(places.fold(0, |line, place| line | bit(place)));
                }
            }
        }
        found
    }

    #[test]
    fn lines_are_found_on_boards_of_all_shapes() {
        let mut chance = 0x1234_5678_9abc_def1_u64;
        let mut next = || {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            chance
        };
        let mut boards = 0;
        for round in 0..4000_u32 {
            let (rows, cols, length) = (1 + round % 8, 1 + round / 8 % 9, 2 + round / 72 % 4);
            let directions = [0, 1, 2, 3].map(|way| next() >> (7 * way) & 3 != 0);
            let is_falling = round % 2 == 0;
            let shape = GridShape {
                rows,
                cols,
                length,
                is_falling,
                directions,
            };
            let Some(grid) = BoardGrid::new(shape, round % 5 != 0) else {
                continue;
            };
            boards += 1;
            let lines = lines(&grid);
            let set = next() & if round % 3 == 0 { next() } else { u64::MAX } & grid.full;
            let occupied = set | next() & next() & grid.full;
            let bits = (0..64)
                .map(|cell| 1_u64 << cell)
                .filter(|bit| grid.full & bit != 0);
            let completes = |bit: &Bitboard| {
                lines
                    .iter()
                    .any(|line| line & bit != 0 && line & !(set | bit) == 0)
            };
            let expected = bits
                .clone()
                .filter(|bit| occupied & bit == 0 && completes(bit))
                .fold(0, |all, bit| all | bit);
            assert_eq!(grid.completing(set, occupied), expected, "{grid:?} {set:x}");
            assert_eq!(
                grid.has_line(set),
                lines.iter().any(|line| line & !set == 0),
                "{grid:?} {set:x}"
            );
            let others = occupied & !set;
            let chances = grid.chances(set, others);
            let open = |set: Bitboard| {
                lines
                    .iter()
                    .filter(|line| *line & set == 0)
                    .fold(0, |cells, line| cells | line)
            };
            assert_eq!(
                grid.cells(&chances),
                open(others),
                "{grid:?} {set:x} {others:x}"
            );
            for bit in bits.clone() {
                let after = grid.without(&chances, bit.trailing_zeros() as u8);
                assert_eq!(
                    grid.cells(&after),
                    open(others | bit),
                    "{grid:?} {set:x} {others:x} {bit:x}"
                );
            }
            for bit in bits {
                let left = lines
                    .iter()
                    .filter(|line| *line & bit != 0 && *line & others == 0);
                let through: u32 = left.map(|line| 1 + u32::from(line & set != 0)).sum();
                assert_eq!(
                    grid.through(&chances, bit.trailing_zeros() as u8),
                    through,
                    "{grid:?} {set:x} {others:x}"
                );
            }
        }
        assert!(boards > 1500, "{boards}");
    }

    /// Checks that positions reached by play have the same key only if they are the same or mirror
    /// images, apart from the owners of their dead cells.
    #[test]
    fn keys_tell_positions_apart() {
        for (is_falling, merges) in [(true, true), (true, false), (false, true), (false, false)] {
            let shape = GridShape {
                rows: 2,
                cols: 3,
                length: 2,
                is_falling,
                directions: [true; 4],
            };
            let grid = BoardGrid::new(shape, merges).expect("it fits");
            let mirror = |set: Bitboard| (set & 7) << 6 | set & 7 << 3 | set >> 6 & 7;
            let lines = lines(&grid);
            // The cells of each side that are not dead, and the dead cells of both.
            let told = |sides: [Bitboard; 2]| {
                let is_live = |line: &&Bitboard| sides.iter().any(|cells| **line & cells == 0);
                let live = lines
                    .iter()
                    .filter(is_live)
                    .fold(0, |cells, line| cells | line);
                let dead = if merges {
                    (sides[0] | sides[1]) & !live
                } else {
                    0
                };
                [sides[0] & !dead, sides[1] & !dead, dead]
            };
            let mut seen = std::collections::HashMap::new();
            let mut open = vec![([0_u64; 2], [0; 2])];
            while let Some((sides, keys)) = open.pop() {
                let least = told(sides).min(told(sides.map(mirror)));
                let [one, image] = grid.keys_without(keys, sides, told(sides)[2]);
                assert!(one.max(image) < 1 << grid.key_bits);
                if let Some(known) = seen.insert(one.min(image), least) {
                    assert_eq!(known, least);
                    continue;
                }
                let playable = grid.playable(sides[0] | sides[1]);
                for cell in (0..64_u8).filter(|cell| playable >> cell & 1 != 0) {
                    for side in 0..2 {
                        let mut after = sides;
                        after[side] |= 1 << cell;
                        open.push((after, grid.keys_with(keys, side, cell)));
                    }
                }
            }
            let expected = seen
                .values()
                .collect::<std::collections::HashSet<_>>()
                .len();
            assert_eq!(seen.len(), expected, "each has one key");
            assert!(seen.len() > 60, "{}", seen.len());
        }
    }
}
