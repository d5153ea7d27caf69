//! Values: what expressions evaluate to.

use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::ir::board::Board;
use crate::ir::{AnswerValue, Enclosure, Function, Items, Kinds};
use crate::player::{GameId, Outcome, Player};
use crate::rules::{ChipMark, Chips, Overrides};

/// A value.
#[derive(Debug, Clone)]
pub enum Value {
    /// An unbounded integer; also an unmarked chip count.
    Integer(BigInt),
    /// A rational that is no integer: build it with [`Value::rational`].
    Rational(BigRational),
    /// A number of which proved bounds are known: build it with [`Value::between`].
    Enclosure(Rc<Enclosure>),
    /// A marked chip count, `4*` or `3-ε`: build it with [`Value::chips`].
    Chips(Chips),
    /// `never`: more than any number of chips.
    Never,
    /// `true`, `false`.
    Bool(bool),
    /// A string, a vertex's label, or an exported text.
    Text(Rc<str>),
    /// `alice`, `bob`.
    Player(Player),
    /// `empty`: what a cell holds before anybody takes it.
    Empty,
    /// `top`, `bottom`; `left` and `right` are players and read as sides where a side is needed.
    Side(Side),
    /// `grid(3, 3)`, `hexgrid(3, 3)`: a board with its cells.
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
    /// Who wins under optimal play.
    Outcome(Outcome),
    /// A table, strategy or other result of a query that is more than one value.
    Answer(Rc<AnswerValue>),
}

/// A side of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The column 0 side.
    Left,
    /// The last column's side.
    Right,
    /// The row 0 side.
    Top,
    /// The last row's side.
    Bottom,
}

impl Side {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Top, Self::Bottom];
}

impl Value {
    /// What can be walked through, if it can.
    pub fn items(&self) -> Option<&Rc<[Value]>> {
        match self {
            Self::List(items) | Self::Tuple(items) => Some(items.values()),
            Self::Answer(answer) => answer.items(),
            _ => None,
        }
    }

    /// An integer.
    pub fn integer(value: impl Into<BigInt>) -> Self {
        Self::Integer(value.into())
    }

    /// A rational, as an integer where it is one.
    pub fn rational(value: BigRational) -> Self {
        if value.is_integer() {
            Self::Integer(value.to_integer())
        } else {
            Self::Rational(value)
        }
    }

    /// Chips, as an integer where they are unmarked.
    pub fn chips(chips: Chips) -> Self {
        match chips.mark {
            ChipMark::None => Self::Integer(chips.count),
            ChipMark::Star | ChipMark::MinusEpsilon => Self::Chips(chips),
        }
    }

    /// A string.
    pub fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// A list.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Self {
        Self::List(values.into_iter().collect())
    }

    /// A tuple.
    pub fn tuple(values: impl IntoIterator<Item = Value>) -> Self {
        Self::Tuple(values.into_iter().collect())
    }
}

impl Value {
    /// What kind of value this is.
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

    /// The value of a number.
    pub fn as_rational(&self) -> Option<BigRational> {
        match self {
            Self::Integer(n) => Some(BigRational::from_integer(n.clone())),
            Self::Rational(q) => Some(q.clone()),
            _ => None,
        }
    }

    /// The value of an integer or of chips, with its mark.
    pub fn as_chips(&self) -> Option<Chips> {
        match self {
            Self::Integer(n) => Some(Chips::new(n.clone(), ChipMark::None)),
            Self::Chips(chips) => Some(chips.clone()),
            _ => None,
        }
    }
}

impl Side {
    /// The word that the language uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
        }
    }
}
