//! Sets of cells as bit strings, and the two tests on them that need more than one word operation:
//! lines and connections.
//!
//! Cell number i, row by row from the top, is bit i. A *line* of n in the direction that adds s to
//! the number exists if and only if `x & x >> s & x >> 2s & … & x >> (n−1)s` has a bit among the
//! cells from which n cells in that direction lie on the board; so no line wraps around an edge. A
//! *connection* is found by a flood fill of all cells at once: the reached cells spread to their
//! neighbours in the set until nothing is added.

use smallvec::SmallVec;

use crate::convert::fit;
use crate::ir::Side;
use crate::ir::board::Shape;

/// A set of cells.
pub trait CellSet: Clone + PartialEq {
    /// Creates a set from words, least bits first.
    fn from_words(words: &[u64]) -> Self;
    /// Returns the intersection.
    fn and(&self, other: &Self) -> Self;
    /// Returns the union.
    fn or(&self, other: &Self) -> Self;
    /// Returns the cells of this set that are not in the other.
    fn without(&self, other: &Self) -> Self;
    /// Lowers every cell's number.
    fn lowered(&self, by: u32) -> Self;
    /// Raises every cell's number.
    fn raised(&self, by: u32) -> Self;
    /// Returns `true` if the set is not empty.
    fn any(&self) -> bool;
    /// Returns the number of cells.
    fn count(&self) -> u32;
    /// Adds a cell.
    fn insert(&mut self, cell: usize);
}

impl CellSet for u64 {
    fn from_words(words: &[u64]) -> Self {
        words[0]
    }
    fn and(&self, other: &Self) -> Self {
        self & other
    }
    fn or(&self, other: &Self) -> Self {
        self | other
    }
    fn without(&self, other: &Self) -> Self {
        self & !other
    }
    fn lowered(&self, by: u32) -> Self {
        // A shift by 64 or more leaves nothing, whereas the operator would not be defined.
        self.checked_shr(by).unwrap_or(0)
    }
    fn raised(&self, by: u32) -> Self {
        self.checked_shl(by).unwrap_or(0)
    }
    fn any(&self) -> bool {
        *self != 0
    }
    fn count(&self) -> u32 {
        self.count_ones()
    }
    fn insert(&mut self, cell: usize) {
        *self |= 1 << cell;
    }
}

/// A set of cells of a board with more than 64 cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wide(SmallVec<[u64; 4]>);

impl Wide {
    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(a, b)| f(*a, *b))
                .collect(),
        )
    }

    fn word(&self, index: Option<usize>) -> u64 {
        index
            .and_then(|index| self.0.get(index))
            .copied()
            .unwrap_or(0)
    }
}

impl CellSet for Wide {
    fn from_words(words: &[u64]) -> Self {
        Self(words.into())
    }
    fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
    fn without(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    fn lowered(&self, by: u32) -> Self {
        let (words, bits) = (by as usize / 64, by % 64);
        let word = |i: usize| {
            let (low, high) = (self.word(Some(i + words)), self.word(Some(i + words + 1)));
            // With a shift by whole words the next word contributes nothing.
            low >> bits | high.checked_shl(64 - bits).unwrap_or(0)
        };
        Self((0..self.0.len()).map(word).collect())
    }
    fn raised(&self, by: u32) -> Self {
        let (words, bits) = (by as usize / 64, by % 64);
        let word = |i: usize| {
            let (high, low) = (
                self.word(i.checked_sub(words)),
                self.word(i.checked_sub(words + 1)),
            );
            high << bits | low.checked_shr(64 - bits).unwrap_or(0)
        };
        Self((0..self.0.len()).map(word).collect())
    }
    fn any(&self) -> bool {
        self.0.iter().any(|word| *word != 0)
    }
    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }
}

/// Returns `true` if a set of cells, given as words, contains a cell.
fn has(words: &[u64], cell: usize) -> bool {
    words[cell / 64] >> (cell % 64) & 1 != 0
}

/// Returns the words of a set of cells given by its members, for a board of so many cells.
pub fn words_of(cells: usize, members: impl IntoIterator<Item = usize>) -> Box<[u64]> {
    let mut words = vec![0; cells.div_ceil(64).max(1)];
    for member in members {
        words[member / 64] |= 1 << (member % 64);
    }
    words.into()
}

/// A direction on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction {
    /// The number of rows down.
    pub down: isize,
    /// The number of columns to the right.
    pub right: isize,
}

impl Direction {
    /// The direction to the row above.
    pub const UP: Self = Self::new(-1, 0);
    /// The direction to the row below.
    pub const DOWN: Self = Self::new(1, 0);
    /// The direction to the column on the left.
    pub const LEFT: Self = Self::new(0, -1);
    /// The direction to the column on the right.
    pub const RIGHT: Self = Self::new(0, 1);
    /// The direction to the row above and the column on the right.
    pub const UP_RIGHT: Self = Self::new(-1, 1);
    /// The direction to the row below and the column on the left.
    pub const DOWN_LEFT: Self = Self::new(1, -1);
    /// The direction to the row below and the column on the right.
    pub const DOWN_RIGHT: Self = Self::new(1, 1);

    const fn new(down: isize, right: isize) -> Self {
        Self { down, right }
    }

    /// Returns the amount by which a step changes a cell's number.
    fn shift(self, cols: usize) -> isize {
        self.down * fit::<isize>(cols) + self.right
    }
}

/// Returns the directions of lines, one of each two opposite ones.
pub fn line_directions(shape: Shape) -> &'static [Direction] {
    match shape {
        Shape::Square => &[
            Direction::RIGHT,
            Direction::DOWN,
            Direction::DOWN_RIGHT,
            Direction::DOWN_LEFT,
        ],
        Shape::Hex => &[Direction::RIGHT, Direction::DOWN, Direction::DOWN_LEFT],
    }
}

/// Returns the directions to the neighbours of a cell, the cells that share an edge with it.
pub fn neighbour_directions(shape: Shape) -> &'static [Direction] {
    match shape {
        Shape::Square => &[
            Direction::UP,
            Direction::LEFT,
            Direction::RIGHT,
            Direction::DOWN,
        ],
        Shape::Hex => &[
            Direction::UP,
            Direction::UP_RIGHT,
            Direction::LEFT,
            Direction::RIGHT,
            Direction::DOWN_LEFT,
            Direction::DOWN,
        ],
    }
}

/// Returns the number of the cell `steps` steps in a direction, if it is on the board.
pub fn step(
    rows: usize,
    cols: usize,
    cell: usize,
    direction: Direction,
    steps: usize,
) -> Option<usize> {
    let steps = isize::try_from(steps).ok()?;
    let row = (cell / cols)
        .checked_add_signed(direction.down.checked_mul(steps)?)
        .filter(|row| *row < rows)?;
    let col = (cell % cols)
        .checked_add_signed(direction.right.checked_mul(steps)?)
        .filter(|col| *col < cols)?;
    Some(row * cols + col)
}

/// Iterates over the cells along a side of a board.
pub fn side_cells(rows: usize, cols: usize, side: Side) -> impl Iterator<Item = usize> {
    (0..rows * cols).filter(move |cell| match side {
        Side::Left => cell % cols == 0,
        Side::Right => cell % cols == cols - 1,
        Side::Top => cell / cols == 0,
        Side::Bottom => cell / cols == rows - 1,
    })
}

/// A test for lines of one length on one board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lines {
    length: u32,
    /// For each direction, the amount by which a step changes the number, and the cells where a
    /// line can begin.
    directions: Vec<(u32, Box<[u64]>)>,
}

impl Lines {
    /// Creates the test for lines of `length` ≥ 1 cells.
    pub fn new(shape: Shape, rows: usize, cols: usize, length: usize) -> Self {
        let cells = rows * cols;
        let begins = |direction| {
            (0..cells).filter(move |cell| step(rows, cols, *cell, direction, length - 1).is_some())
        };
        let directions = line_directions(shape)
            .iter()
            .filter(|direction| begins(**direction).next().is_some())
            .map(|&direction| {
                // If a line fits, a step leads to a greater number, unless the line is a single
                // cell.
                let by = fit::<u32>(direction.shift(cols).unsigned_abs());
                (by, words_of(cells, begins(direction)))
            })
            .collect();
        Self {
            length: fit::<u32>(length.min(cells)),
            directions,
        }
    }

    /// Iterates over the lines, each as its cells.
    pub fn cells(&self) -> impl Iterator<Item = Vec<usize>> {
        self.directions.iter().flat_map(move |(by, begins)| {
            (0..64 * begins.len())
                .filter(move |cell| has(begins, *cell))
                .map(|first| self.line(first, *by))
        })
    }

    fn line(&self, first: usize, by: u32) -> Vec<usize> {
        (0..self.length as usize)
            .map(|n| first + n * by as usize)
            .collect()
    }

    /// Returns the test for those of the lines that satisfy a predicate.
    pub fn restricted(&self, wanted: impl Fn(&[usize]) -> bool) -> Self {
        let direction = |(by, begins): &(u32, Box<[u64]>)| {
            let is_kept = |cell: &usize| has(begins, *cell) && wanted(&self.line(*cell, *by));
            let kept: Vec<usize> = (0..64 * begins.len()).filter(is_kept).collect();
            (!kept.is_empty()).then(|| (*by, words_of(64 * begins.len(), kept)))
        };
        Self {
            length: self.length,
            directions: self.directions.iter().filter_map(direction).collect(),
        }
    }

    /// Returns a set of cells of the board, as words.
    pub fn set_of(&self, cells: impl IntoIterator<Item = usize>) -> Box<[u64]> {
        let words = self
            .directions
            .first()
            .map_or(1, |(_, begins)| begins.len());
        words_of(64 * words, cells)
    }

    /// Returns `true` if the set contains a line.
    pub fn any<S: CellSet>(&self, set: &S) -> bool {
        self.directions.iter().any(|(by, begins)| {
            let mut runs = set.and(&S::from_words(begins));
            let mut shifted = set.clone();
            for _ in 1..self.length {
                // Shifting step by step costs no more than one shift for each cell of a line.
                shifted = shifted.lowered(*by);
                runs = runs.and(&shifted);
            }
            runs.any()
        })
    }
}

/// A test for a chain of neighbouring cells from one side of a board to another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Connection {
    from: Box<[u64]>,
    to: Box<[u64]>,
    /// For each direction, the cells from which a step stays on the board, and the amount by which
    /// it changes the number.
    directions: Vec<(Box<[u64]>, isize)>,
}

impl Connection {
    /// Creates the test for chains between two sets of cells.
    pub fn new(shape: Shape, rows: usize, cols: usize, from: Box<[u64]>, to: Box<[u64]>) -> Self {
        let directions = neighbour_directions(shape)
            .iter()
            .map(|&direction| {
                let stays =
                    (0..rows * cols).filter(|cell| step(rows, cols, *cell, direction, 1).is_some());
                (words_of(rows * cols, stays), direction.shift(cols))
            })
            .collect();
        Self {
            from,
            to,
            directions,
        }
    }

    /// Iterates over the neighbours of a cell.
    pub fn near(&self, cell: usize) -> impl Iterator<Item = usize> {
        let leads = self
            .directions
            .iter()
            .filter(move |(stays, _)| has(stays, cell));
        leads.filter_map(move |(_, by)| cell.checked_add_signed(*by))
    }

    /// Returns `true` if a chain may begin at a cell.
    pub fn begins_at(&self, cell: usize) -> bool {
        has(&self.from, cell)
    }

    /// Returns `true` if a chain may end at a cell.
    pub fn ends_at(&self, cell: usize) -> bool {
        has(&self.to, cell)
    }

    /// Returns `true` if a chain of cells of the set joins the two sides.
    pub fn any<S: CellSet>(&self, set: &S) -> bool {
        let goal = S::from_words(&self.to);
        let mut reached = set.and(&S::from_words(&self.from));
        loop {
            if reached.and(&goal).any() {
                return true;
            }
            let spread = self
                .directions
                .iter()
                .fold(reached.clone(), |spread, (stays, by)| {
                    let leaving = reached.and(&S::from_words(stays));
                    let by_cells = fit::<u32>(by.unsigned_abs());
                    spread.or(&if *by > 0 {
                        leaving.raised(by_cells)
                    } else {
                        leaving.lowered(by_cells)
                    })
                });
            // Chains go through cells of the set only.
            let next = spread.and(set);
            if next == reached {
                return false;
            }
            reached = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line_by_walking(
        shape: Shape,
        rows: usize,
        cols: usize,
        length: usize,
        set: &[bool],
    ) -> bool {
        (0..rows * cols).any(|cell| {
            line_directions(shape).iter().any(|&direction| {
                (0..length)
                    .all(|n| step(rows, cols, cell, direction, n).is_some_and(|cell| set[cell]))
            })
        })
    }

    fn connected_by_search(shape: Shape, rows: usize, cols: usize, set: &[bool]) -> bool {
        let mut stack: Vec<usize> = (0..rows * cols)
            .filter(|cell| cell % cols == 0 && set[*cell])
            .collect();
        let mut seen = vec![false; rows * cols];
        while let Some(cell) = stack.pop() {
            if std::mem::replace(&mut seen[cell], true) {
                continue;
            }
            let near = neighbour_directions(shape)
                .iter()
                .filter_map(|&way| step(rows, cols, cell, way, 1));
            stack.extend(near.filter(|cell| set[*cell]));
        }
        (0..rows * cols).any(|cell| cell % cols == cols - 1 && seen[cell])
    }

    fn shape() -> impl Strategy<Value = Shape> {
        prop_oneof![Just(Shape::Square), Just(Shape::Hex)]
    }

    proptest! {
        #[test]
        fn lines_and_connections_are_found_exactly(
            shape in shape(), rows in 1usize..12, cols in 1usize..12, length in 1usize..6, density in 1u8..8, seed: u64,
        ) {
            let mut state = seed | 1;
            let set: Vec<bool> = (0..rows * cols).map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) % 8 < u64::from(density)
            }).collect();
            let words = words_of(rows * cols, (0..rows * cols).filter(|cell| set[*cell]));
            let lines = Lines::new(shape, rows, cols, length);
            prop_assert_eq!(lines.any(&Wide::from_words(&words)), line_by_walking(shape, rows, cols, length, &set));
            let side = |wanted: usize| words_of(rows * cols, (0..rows * cols).filter(|cell| cell % cols == wanted));
            let connection = Connection::new(shape, rows, cols, side(0), side(cols - 1));
            prop_assert_eq!(connection.any(&Wide::from_words(&words)), connected_by_search(shape, rows, cols, &set));
            if rows * cols <= 64 {
                prop_assert_eq!(lines.any(&words[0]), lines.any(&Wide::from_words(&words)));
                prop_assert_eq!(connection.any(&words[0]), connection.any(&Wide::from_words(&words)));
            }
        }
    }
}
