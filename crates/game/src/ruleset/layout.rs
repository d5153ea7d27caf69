//! The layout of a packed state, which assigns bits to the parts of each state variable.
//!
//! A boolean or player takes one bit, an integer as many as its range needs. A board whose cells
//! are empty or a player's consists of two *planes*, sets of cells as bit strings, one for each
//! player, so that a question about the whole board takes a handful of word operations. No part
//! straddles two words unless it is a plane of more than 64 cells.

use crate::convert::fit;
use crate::ir::Value;
use crate::ir::board::{Board, Shape as CellShape};
use crate::player::PerPlayer;

/// A bit of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bit {
    /// The index of the word.
    pub word: u32,
    /// The index of the bit in the word.
    pub shift: u32,
}

impl Bit {
    /// Returns `true` if the bit is set.
    pub fn get(self, words: &[u64]) -> bool {
        words[self.word as usize] >> self.shift & 1 != 0
    }

    /// Sets or clears the bit.
    pub fn put(self, words: &mut [u64], value: bool) {
        let word = &mut words[self.word as usize];
        *word = *word & !(1 << self.shift) | u64::from(value) << self.shift;
    }
}

/// Consecutive bits: at most 64 in one word, or more that begin at the first bit of a word and
/// continue in the next ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// The first bit.
    pub first: Bit,
    /// The number of bits.
    pub bits: u32,
}

impl Field {
    /// Returns the field's value; the field has at most 64 bits.
    pub fn get(self, words: &[u64]) -> u64 {
        words[self.first.word as usize] >> self.first.shift & self.mask()
    }

    /// Sets the field's value; the field has at most 64 bits.
    pub fn put(self, words: &mut [u64], value: u64) {
        let word = &mut words[self.first.word as usize];
        *word =
            *word & !(self.mask() << self.first.shift) | (value & self.mask()) << self.first.shift;
    }

    fn mask(self) -> u64 {
        if self.bits >= 64 {
            u64::MAX
        } else {
            (1 << self.bits) - 1
        }
    }

    /// Returns one of the field's bits.
    pub fn bit(self, index: u32) -> Bit {
        let shift = self.first.shift + index;
        Bit {
            word: self.first.word + shift / 64,
            shift: shift % 64,
        }
    }
}

/// The integers from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    /// The least integer.
    pub low: i64,
    /// The greatest integer.
    pub high: i64,
}

impl Range {
    /// The range of an integer about which nothing better is known: 32 bits with a sign.
    pub const WIDE: Self = Self {
        low: i32::MIN as i64,
        high: i32::MAX as i64,
    };

    /// Creates the range of the integers from one to another.
    pub fn new(low: i64, high: i64) -> Self {
        Self { low, high }
    }

    /// Returns the least range that contains two others.
    pub fn join(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// Returns the integers that two ranges have in common; there are none if the least exceeds the
    /// greatest.
    pub fn meet(self, other: Self) -> Self {
        Self::new(self.low.max(other.low), self.high.min(other.high))
    }

    /// Returns `true` if another range contains all integers of this one.
    pub fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Returns `true` if the range contains a number.
    pub fn contains(self, n: i64) -> bool {
        self.low <= n && n <= self.high
    }

    /// Returns `true` if an end of the range is only the limit of 32 bits.
    pub fn is_open(self) -> bool {
        self.low == Self::WIDE.low || self.high == Self::WIDE.high
    }

    fn bits(self) -> u32 {
        // A single value takes no bits.
        (self.high - self.low)
            .checked_ilog2()
            .map_or(0, |log| log + 1)
    }
}

/// The place of an integer, which is stored as its distance from the least of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integer {
    /// The bits.
    pub field: Field,
    /// The range of its values.
    pub range: Range,
    /// Its index among the ruleset's integers.
    pub id: u32,
}

impl Integer {
    /// Returns the integer's value.
    pub fn get(self, words: &[u64]) -> i64 {
        self.range.low + fit::<i64>(self.field.get(words))
    }

    /// Sets the integer to a number of its range.
    pub fn put(self, words: &mut [u64], value: i64) {
        debug_assert!(self.range.contains(value));
        self.field.put(words, fit::<u64>(value - self.range.low));
    }
}

/// The contents of a cell, as programs compute with it: [`EMPTY`], [`ALICE`] or [`BOB`].
pub type CellCode = i64;
/// The code of an empty cell.
pub const EMPTY: CellCode = 0;
/// The code of Alice's cells, and of Alice as a player.
pub const ALICE: CellCode = 1;
/// The code of Bob's cells, and of Bob as a player.
pub const BOB: CellCode = 2;

/// The place of an indivisible part of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarPlace {
    /// An integer.
    Integer(Integer),
    /// A boolean.
    Bool(Bit),
    /// A player; the bit is set for Bob.
    Player(Bit),
    /// `empty` or a player: a bit for each player, at most one of them set.
    Cell(PerPlayer<Bit>),
}

impl ScalarPlace {
    /// Returns the value as programs compute with it.
    pub fn get(self, words: &[u64]) -> i64 {
        match self {
            Self::Integer(integer) => integer.get(words),
            Self::Bool(bit) => i64::from(bit.get(words)),
            Self::Player(bit) => ALICE + i64::from(bit.get(words)),
            Self::Cell(bits) => {
                i64::from(bits.alice.get(words)) | i64::from(bits.bob.get(words)) << 1
            }
        }
    }

    /// Returns `true` if the place can hold a value of the right kind.
    pub fn holds(self, value: i64) -> bool {
        match self {
            Self::Integer(integer) => integer.range.contains(value),
            Self::Bool(_) => (0..=1).contains(&value),
            Self::Player(_) => (ALICE..=BOB).contains(&value),
            Self::Cell(_) => (EMPTY..=BOB).contains(&value),
        }
    }

    /// Sets the part to a value that the place can hold.
    pub fn put(self, words: &mut [u64], value: i64) {
        match self {
            Self::Integer(integer) => integer.put(words, value),
            Self::Bool(bit) => bit.put(words, value != 0),
            Self::Player(bit) => bit.put(words, value == BOB),
            Self::Cell(bits) => {
                bits.alice.put(words, value == ALICE);
                bits.bob.put(words, value == BOB);
            }
        }
    }

    /// Returns all bits of the part, in an order that is the same for all scalars of one kind.
    pub fn bits(self) -> Vec<Bit> {
        match self {
            Self::Integer(integer) => (0..integer.field.bits)
                .map(|i| integer.field.bit(i))
                .collect(),
            Self::Bool(bit) | Self::Player(bit) => vec![bit],
            Self::Cell(bits) => vec![bits.alice, bits.bob],
        }
    }
}

/// The place of a board in the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPlace {
    /// The shape of the cells.
    pub shape: CellShape,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The cells, row by row from the top.
    pub cells: Vec<ScalarPlace>,
    /// The players' sets of cells, if the cells hold `empty` or a player.
    pub planes: Option<PerPlayer<Field>>,
}

/// The place of a state variable's value, and its shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariablePlace {
    /// A single value.
    Scalar(ScalarPlace),
    /// A list or tuple of fixed length.
    Items {
        /// `true` if it is a tuple.
        tuple: bool,
        /// The places of its elements.
        items: Vec<VariablePlace>,
    },
    /// A board.
    Board(BoardPlace),
}

impl VariablePlace {
    /// Returns all scalars of the variable, in order.
    pub fn scalars(&self) -> Vec<ScalarPlace> {
        match self {
            Self::Scalar(scalar) => vec![*scalar],
            Self::Items { items, .. } => items.iter().flat_map(VariablePlace::scalars).collect(),
            Self::Board(board) => board.cells.clone(),
        }
    }

    /// Returns the integers of the variable that no rule is known to bound, in order.
    pub fn open_integers(&self) -> Vec<ScalarPlace> {
        let mut scalars = self.scalars();
        scalars.retain(
            |scalar| matches!(scalar, ScalarPlace::Integer(integer) if integer.range.is_open()),
        );
        scalars
    }
}

/// Allocates the bits of a state and assigns the ranges of its integers.
#[derive(Debug)]
pub struct Allocator<'a> {
    ranges: &'a [Range],
    integers: u32,
    used: Vec<u32>,
}

impl<'a> Allocator<'a> {
    /// Creates an allocator; integers beyond the known ranges get [`Range::WIDE`].
    pub fn new(ranges: &'a [Range]) -> Self {
        Self {
            ranges,
            integers: 0,
            used: Vec::new(),
        }
    }

    /// Returns the number of words used so far, at least one.
    pub fn words(&self) -> usize {
        self.used.len().max(1)
    }

    /// Allocates the place for a state variable with this initial value, if a state can hold such a
    /// value; `with_empty` makes room for `empty` where the initial value is a player.
    pub fn place(&mut self, initial: &Value, with_empty: bool) -> Option<VariablePlace> {
        match initial {
            Value::List(items) => self.items(false, items, with_empty),
            Value::Tuple(items) => self.items(true, items, with_empty),
            Value::Board(board) => self.board(board).map(VariablePlace::Board),
            scalar => self.scalar(scalar, with_empty).map(VariablePlace::Scalar),
        }
    }

    fn items(&mut self, tuple: bool, items: &[Value], with_empty: bool) -> Option<VariablePlace> {
        let items: Option<Vec<VariablePlace>> = items
            .iter()
            .map(|item| self.place(item, with_empty))
            .collect();
        Some(VariablePlace::Items {
            tuple,
            items: items?,
        })
    }

    fn board(&mut self, board: &Board) -> Option<BoardPlace> {
        let &Board {
            shape, rows, cols, ..
        } = board;
        let is_plain = |cell: &Value| matches!(cell, Value::Empty | Value::Player(_));
        let len = board.cells.len();
        let planes = (board.cells.iter().all(is_plain))
            .then(|| PerPlayer::new(self.field(len), self.field(len)));
        let cells: Option<Vec<ScalarPlace>> = match planes {
            // Cells are views of the planes, so that a cell and a whole board can be read alike.
            Some(planes) => (0..fit::<u32>(len))
                .map(|i| Some(ScalarPlace::Cell(planes.map(|plane| plane.bit(i)))))
                .collect(),
            None => board
                .cells
                .iter()
                .map(|cell| self.scalar(cell, true))
                .collect(),
        };
        Some(BoardPlace {
            shape,
            rows,
            cols,
            cells: cells?,
            planes,
        })
    }

    fn scalar(&mut self, value: &Value, with_empty: bool) -> Option<ScalarPlace> {
        match value {
            Value::Integer(_) => Some(ScalarPlace::Integer(self.integer())),
            Value::Bool(_) => Some(ScalarPlace::Bool(self.field(1).first)),
            Value::Player(_) if !with_empty => Some(ScalarPlace::Player(self.field(1).first)),
            Value::Player(_) | Value::Empty => Some(ScalarPlace::Cell(PerPlayer::new(
                self.field(1).first,
                self.field(1).first,
            ))),
            Value::Rational(_)
            | Value::Enclosure(_)
            | Value::Chips(_)
            | Value::Never
            | Value::Text(_)
            | Value::Side(_)
            | Value::Board(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Game(_)
            | Value::Function(_)
            | Value::Rules(_)
            | Value::Outcome(_)
            | Value::Answer(_) => None,
        }
    }

    fn integer(&mut self) -> Integer {
        let id = self.integers;
        self.integers += 1;
        let range = self.ranges.get(id as usize).copied().unwrap_or(Range::WIDE);
        Integer {
            field: self.field(range.bits() as usize),
            range,
            id,
        }
    }

    /// Allocates bits in the first word that has room for them; planes of more than 64 cells get
    /// words of their own.
    fn field(&mut self, bits: usize) -> Field {
        let bits = fit::<u32>(bits);
        // Long planes begin with a word, so they can be read without shifting.
        if bits > 64 {
            let word = fit::<u32>(self.used.len());
            self.used
                .extend((0..bits.div_ceil(64)).map(|i| (bits - 64 * i).min(64)));
            return Field {
                first: Bit { word, shift: 0 },
                bits,
            };
        }
        let word = self
            .used
            .iter()
            // First fit keeps states short, and states of few words make tables small and hashing
            // fast.
            .position(|used| used + bits <= 64)
            .unwrap_or_else(|| {
                self.used.push(0);
                self.used.len() - 1
            });
        let shift = self.used[word];
        self.used[word] += bits;
        // A field without bits may be at the end of a full word, where a shift by 64 would be
        // invalid.
        Field {
            first: Bit {
                word: fit::<u32>(word),
                shift: shift.min(63),
            },
            bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: usize, cols: usize) -> Value {
        Value::Board(
            Board {
                shape: CellShape::Square,
                rows,
                cols,
                cells: vec![Value::Empty; rows * cols],
            }
            .into(),
        )
    }

    #[test]
    fn small_boards_share_a_word() {
        let mut allocator = Allocator::new(&[]);
        allocator.place(&board(5, 5), false);
        allocator.place(&Value::Bool(true), false);
        assert_eq!(allocator.words(), 1);
    }

    #[test]
    fn large_planes_begin_words() {
        let mut allocator = Allocator::new(&[]);
        let Some(VariablePlace::Board(place)) = allocator.place(&board(11, 11), false) else {
            panic!("a board has a place")
        };
        let planes = place.planes.expect("its cells are empty");
        assert_eq!(
            (
                planes.alice.first.word,
                planes.bob.first.word,
                allocator.words()
            ),
            (0, 2, 4)
        );
        assert_eq!(planes.bob.bit(120), Bit { word: 3, shift: 56 });
    }

    #[test]
    fn scalars_hold_what_is_put() {
        let ranges = [Range { low: -3, high: 4 }, Range { low: 7, high: 7 }];
        let mut allocator = Allocator::new(&ranges);
        let initial = Value::list([
            Value::integer(0),
            Value::integer(7),
            Value::Empty,
            Value::Bool(false),
        ]);
        let scalars = allocator
            .place(&initial, false)
            .expect("all are scalars")
            .scalars();
        let mut words = [0; 1];
        for values in [[-3, 7, BOB, 1], [4, 7, EMPTY, 0], [0, 7, ALICE, 1]] {
            scalars
                .iter()
                .zip(values)
                .for_each(|(scalar, value)| scalar.put(&mut words, value));
            let read: Vec<i64> = scalars.iter().map(|scalar| scalar.get(&words)).collect();
            assert_eq!(read, values);
        }
        assert_eq!(
            scalars
                .iter()
                .map(|scalar| scalar.bits().len())
                .sum::<usize>(),
            3 + 2 + 1
        );
    }
}
