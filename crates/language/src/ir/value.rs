//! The values of expressions.

use std::any::Any;
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::ir::board::Board;
use crate::ir::{AnswerValue, Enclosure, Function, Items, Kinds};
use crate::player::{GameId, Outcome, Player};
use crate::rules::{ChipMark, Chips, Overrides};
use crate::source::Span;

/// A value.
#[derive(Debug, Clone)]
pub enum Value {
    /// An unbounded integer; also an unmarked chip count.
    Integer(BigInt),
    /// A rational that is not an integer, built with [`Value::rational`].
    Rational(BigRational),
    /// A number for which proved bounds are known, built with [`Value::between`].
    Enclosure(Rc<Enclosure>),
    /// A marked chip count, `4*` or `3-ε`, built with [`Value::chips`].
    Chips(Chips),
    /// `never`: more than any number of chips.
    Never,
    /// `true`, `false`.
    Bool(bool),
    /// A string, a vertex's label, or an exported text.
    Text(Rc<str>),
    /// `alice`, `bob`.
    Player(Player),
    /// `empty`, the content of a cell that nobody has taken.
    Empty,
    /// `top`, `bottom`. The names `left` and `right` are players, and read as sides where one is
    /// needed.
    Side(Side),
    /// `grid(3, 3)`, `hexgrid(3, 3)`: a board with the contents of its cells.
    Board(Rc<Board>),
    /// A list; ranges are lists.
    List(Items),
    /// A tuple of two or more; also a cell, `(row, column)`.
    Tuple(Items),
    /// A game, which is a position.
    Game(GameId),
    /// A function, or a family of games.
    Function(Rc<Function>),
    /// Rules: the fields that were written.
    Rules(Rc<Overrides>),
    /// The outcome under optimal play.
    Outcome(Outcome),
    /// A table, strategy or other result of a query that consists of more than one value.
    Answer(Rc<AnswerValue>),
}

/// A side of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side of column 0.
    Left,
    /// The side of the last column.
    Right,
    /// The side of row 0.
    Top,
    /// The side of the last row.
    Bottom,
}

impl Side {
    /// All four sides.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Top, Self::Bottom];
}

/// A value that an operator or a function is applied to, with its place in the source.
#[derive(Debug, Clone, Copy)]
pub struct Operand<V> {
    /// The value, or a reference to it.
    pub value: V,
    /// Its place.
    pub span: Span,
}

impl<V> Operand<V> {
    /// Returns a value with its place.
    pub fn new(value: V, span: Span) -> Self {
        Self { value, span }
    }

    /// Returns a reference to the value, with its place.
    pub fn as_ref(&self) -> Operand<&V> {
        Operand::new(&self.value, self.span)
    }
}

impl Value {
    /// Returns the elements, if the value can be iterated over.
    pub fn items(&self) -> Option<&Rc<[Value]>> {
        match self {
            Self::List(items) | Self::Tuple(items) => Some(items.values()),
            Self::Answer(answer) => answer.items(),
            _ => None,
        }
    }

    /// Creates an integer.
    pub fn integer(value: impl Into<BigInt>) -> Self {
        Self::Integer(value.into())
    }

    /// Creates a rational, or an integer if it is one.
    pub fn rational(value: BigRational) -> Self {
        if value.is_integer() {
            Self::Integer(value.to_integer())
        } else {
            Self::Rational(value)
        }
    }

    /// Creates a chip count, or an integer if it is unmarked.
    pub fn chips(chips: Chips) -> Self {
        match chips.mark {
            ChipMark::None => Self::Integer(chips.count),
            ChipMark::Star | ChipMark::MinusEpsilon => Self::Chips(chips),
        }
    }

    /// Creates a string.
    pub fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a list.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Self {
        Self::List(values.into_iter().collect())
    }

    /// Creates an answer that consists of a report alone.
    pub fn answer(report: impl Any) -> Self {
        Self::Answer(AnswerValue::report(report).into())
    }

    /// Creates an answer that is also a list of values: `f(G, 0..255)`.
    pub fn answer_row(report: impl Any, elements: impl IntoIterator<Item = Value>) -> Self {
        Self::Answer(AnswerValue::row(report, elements).into())
    }

    /// Creates a tuple.
    pub fn tuple(values: impl IntoIterator<Item = Value>) -> Self {
        Self::Tuple(values.into_iter().collect())
    }
}

impl Value {
    /// Returns the kind of this value.
    pub fn kinds(&self) -> Kinds {
        match self {
            Self::Integer(_) => Kinds::INTEGER,
            Self::Rational(_) => Kinds::RATIONAL,
            Self::Enclosure(_) => Kinds::BOUNDS,
            Self::Chips(_) => Kinds::CHIPS,
            Self::Never => Kinds::NEVER,
            Self::Bool(_) => Kinds::BOOL,
            Self::Text(_) => Kinds::TEXT,
            Self::Player(_) => Kinds::PLAYER,
            Self::Empty => Kinds::EMPTY,
            Self::Side(_) => Kinds::SIDE,
            Self::Board(_) => Kinds::BOARD,
            Self::List(_) => Kinds::LIST,
            Self::Tuple(_) => Kinds::TUPLE,
            Self::Game(_) => Kinds::GAME,
            Self::Function(_) => Kinds::FUNCTION,
            Self::Rules(_) => Kinds::RULES,
            Self::Outcome(_) => Kinds::OUTCOME,
            Self::Answer(_) => Kinds::ANSWER,
        }
    }

    /// Returns the value of an exactly known number.
    pub fn as_rational(&self) -> Option<BigRational> {
        match self {
            Self::Integer(n) => Some(BigRational::from_integer(n.clone())),
            Self::Rational(q) => Some(q.clone()),
            _ => None,
        }
    }

    /// Returns an integer or a chip count, with its mark.
    pub fn as_chips(&self) -> Option<Chips> {
        match self {
            Self::Integer(n) => Some(Chips::new(n.clone(), ChipMark::None)),
            Self::Chips(chips) => Some(chips.clone()),
            _ => None,
        }
    }
}

impl Side {
    /// Returns the word that the language uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
        }
    }
}
