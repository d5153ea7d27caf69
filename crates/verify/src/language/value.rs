//! Values of the checker's interpreter, and its errors.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, One, checked_pow};

use super::LocalFrame;
use super::games::GameIndex;
use crate::convert::fit;
use crate::player::Player;
use crate::rules::{ChipMark, Overrides};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp};
use crate::watch::Stop;

/// An exact number of 64-bit integers. If a result does not fit, the check fails with a message.
pub type Number = Ratio<i64>;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Number(Number),
    /// Chips with their mark.
    Chips(i64, ChipMark),
    /// `true`, `false`
    Bool(bool),
    /// A string or a label.
    Text(Rc<str>),
    /// `alice`, `bob`
    Player(Player),
    /// `empty`
    Empty,
    /// `top`, `bottom`
    Side(BoardSide),
    /// A board.
    Board(Rc<BoardValue>),
    /// `[a, b]`
    List(Rc<[Value]>),
    /// `(a, b)`
    Tuple(Rc<[Value]>),
    /// A game.
    Game(GameIndex),
    /// A function or family.
    Function(Rc<FunctionValue>),
    /// A constant that could not be evaluated, with the reason.
    Failed(Rc<(String, Option<Span>)>),
    /// Rules.
    Rules(Rc<Overrides>),
}

/// `top` and `bottom`. `left` and `right` are written like the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoardSide {
    /// The first row.
    Top,
    /// The last row.
    Bottom,
}

/// A board, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoardValue {
    /// `true` if the cells are hexagons.
    pub hexagons: bool,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The values of the cells.
    pub cells: Vec<Value>,
}

/// A value that can be called with parentheses.
#[derive(Debug)]
pub struct FunctionValue {
    /// The id, which is unique.
    pub id: u64,
    /// The code.
    pub code: Callable,
    /// The index of the text whose names are visible in it.
    pub module: usize,
    /// The captured names.
    pub captured: LocalFrame,
}

impl PartialEq for FunctionValue {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for FunctionValue {}

impl Hash for FunctionValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// The code of a function.
#[derive(Debug)]
pub enum Callable {
    /// An expression with parameters.
    Definition(ast::Definition),
    /// A family of rulesets.
    Ruleset(Rc<ast::RulesetDefinition>),
}

/// The reason why the interpreter gives up.
#[derive(Debug)]
pub enum Trouble {
    /// The text has no meaning here, or one that this checker does not know.
    Wrong(String, Option<Span>),
    /// A limit or an interrupt stopped the work.
    Stopped(Stop),
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

pub type Result<T> = std::result::Result<T, Trouble>;

/// Converts a number to one of unlimited size.
pub fn exact(number: &Number) -> BigRational {
    BigRational::new((*number.numer()).into(), (*number.denom()).into())
}

/// Fails without a place.
pub fn wrong<T>(what: impl Into<String>) -> Result<T> {
    Err(Trouble::Wrong(what.into(), None))
}

/// Adds a place to an error that has none.
pub fn placed<T>(result: Result<T>, span: Span) -> Result<T> {
    result.map_err(|trouble| match trouble {
        Trouble::Wrong(what, None) => Trouble::Wrong(what, Some(span)),
        other => other,
    })
}

impl Value {
    /// Creates an integer.
    pub fn integer(n: usize) -> Self {
        Self::Number(Number::from_integer(fit::<i64>(n)))
    }

    /// Creates a list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// Creates a tuple.
    pub fn tuple(items: impl IntoIterator<Item = Value>) -> Self {
        Self::Tuple(items.into_iter().collect())
    }

    /// Fails because another kind of value is needed.
    pub fn no<T>(&self, needed: &str) -> Result<T> {
        match self {
            Self::Failed(why) => Err(Trouble::Wrong(why.0.clone(), why.1)),
            _ => wrong(format!("{needed} is needed, not {}", self.kind())),
        }
    }

    /// Returns the number.
    pub fn number(&self) -> Result<Number> {
        match self {
            Self::Number(n) => Ok(*n),
            other => other.no("a number"),
        }
    }

    /// Returns the integer.
    pub fn whole(&self) -> Result<i64> {
        let number = self.number()?;
        match number.is_integer() {
            true => Ok(number.to_integer()),
            false => wrong("an integer is needed"),
        }
    }

    /// Returns the integer, which must be from 0 to `count` - 1.
    pub fn index(&self, count: usize) -> Result<usize> {
        let n = self.whole()?;
        match usize::try_from(n).ok().filter(|n| *n < count) {
            Some(n) => Ok(n),
            None => wrong(format!(
                "{n} lies outside of 0 .. {}",
                fit::<i64>(count) - 1
            )),
        }
    }

    /// Returns the truth value.
    pub fn truth(&self) -> Result<bool> {
        match self {
            Self::Bool(truth) => Ok(*truth),
            other => other.no("true or false"),
        }
    }

    /// Returns the game.
    pub fn game(&self) -> Result<GameIndex> {
        match self {
            Self::Game(game) => Ok(*game),
            other => other.no("a game"),
        }
    }

    /// Returns the elements of a list or tuple.
    pub fn items(&self) -> Result<&Rc<[Value]>> {
        match self {
            Self::List(items) | Self::Tuple(items) => Ok(items),
            other => other.no("a list"),
        }
    }

    /// Returns the parts of a list, tuple or board.
    pub fn parts(&self) -> Option<&[Value]> {
        match self {
            Self::List(items) | Self::Tuple(items) => Some(items),
            Self::Board(board) => Some(&board.cells),
            _ => None,
        }
    }

    /// Creates a value of the same kind with other parts.
    pub fn remade(&self, parts: Vec<Value>) -> Self {
        match self {
            Self::Tuple(_) => Self::tuple(parts),
            Self::Board(board) => Self::Board(Rc::new(BoardValue {
                cells: parts,
                ..**board
            })),
            _ => Self::list(parts),
        }
    }

    /// Returns the name of its kind in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Chips(..) => "a chip count",
            Self::Bool(_) => "true or false",
            Self::Text(_) => "a string",
            Self::Player(_) => "a player",
            Self::Empty => "`empty`",
            Self::Side(_) => "a side",
            Self::Board(_) => "a board",
            Self::List(_) => "a list",
            Self::Tuple(_) => "a tuple",
            Self::Game(_) => "a game",
            Self::Function(_) => "a function",
            Self::Failed(_) => "a definition without a value",
            Self::Rules(_) => "rules",
        }
    }

    /// Compares two values of one kind. Lists are compared by their first difference.
    pub fn compare(&self, other: &Self) -> Result<Ordering> {
        let chips = |value: &Self| match value {
            Self::Number(n) if n.is_integer() => Some((n.to_integer(), ChipMark::None)),
            Self::Chips(n, mark) => Some((*n, *mark)),
            _ => None,
        };
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Ok(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Ok(a.cmp(b)),
            (Self::List(a) | Self::Tuple(a), Self::List(b) | Self::Tuple(b)) => {
                for (a, b) in a.iter().zip(b.iter()) {
                    let order = a.compare(b)?;
                    if order.is_ne() {
                        return Ok(order);
                    }
                }
                Ok(a.len().cmp(&b.len()))
            }
            (a, b) => match chips(a).zip(chips(b)) {
                Some((a, b)) => Ok(a.cmp(&b)),
                None => wrong(format!("{} and {} have no order", a.kind(), b.kind())),
            },
        }
    }

    /// Writes the value as moves and positions print it.
    pub fn words(&self) -> String {
        let all = |items: &[Value]| {
            let words: Vec<String> = items.iter().map(Value::words).collect();
            words.join(", ")
        };
        match self {
            Self::Number(n) => n.to_string(),
            Self::Bool(truth) => truth.to_string(),
            Self::Text(text) => text.to_string(),
            Self::Player(player) => player.word().to_owned(),
            Self::Empty => "empty".to_owned(),
            Self::List(items) => format!("[{}]", all(items)),
            Self::Tuple(items) => format!("({})", all(items)),
            // No position is named by such a value, so that its form does not matter.
            other => format!("{other:?}"),
        }
    }
}

/// Computes arithmetic on numbers, and sums and differences of chips and integers.
pub fn arithmetic(op: BinaryOp, a: &Value, b: &Value) -> Result<Value> {
    let moved = match (op, a, b) {
        (BinaryOp::Add, Value::Chips(n, mark), by) | (BinaryOp::Add, by, Value::Chips(n, mark)) => {
            Some((i64::checked_add(*n, by.whole()?), mark))
        }
        (BinaryOp::Subtract, Value::Chips(n, mark), by) => {
            Some((i64::checked_sub(*n, by.whole()?), mark))
        }
        _ => None,
    };
    if let Some((n, mark)) = moved {
        // A number of chips is never negative.
        return match n.filter(|n| *n >= 0) {
            Some(n) => Ok(Value::Chips(n, *mark)),
            None => wrong("these chips cannot be counted"),
        };
    }
    let (x, y) = (a.number()?, b.number()?);
    if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && *y.numer() == 0 {
        return wrong("division by zero");
    }
    let result = match op {
        BinaryOp::Add => x.checked_add(&y),
        BinaryOp::Subtract => x.checked_sub(&y),
        BinaryOp::Multiply => x.checked_mul(&y),
        BinaryOp::Divide => x.checked_div(&y),
        // The remainder has the sign of the divisor, because the quotient is rounded down.
        BinaryOp::Remainder => x.checked_div(&y).and_then(|quotient| {
            let multiple = floor(quotient).checked_mul(&y)?;
            x.checked_sub(&multiple)
        }),
        BinaryOp::Power => power(x, y),
        _ => return wrong("these values have no arithmetic"),
    };
    fitting(result)
}

/// Converts a computed number to a value, and fails if it does not fit.
pub fn fitting(number: Option<Number>) -> Result<Value> {
    match number {
        Some(number) => Ok(Value::Number(number)),
        None => wrong("a number does not fit in the checker's 64 bits"),
    }
}

/// Returns the greatest integer that is not more than a number. The method of the library can
/// overflow on the way.
pub fn floor(number: Number) -> Number {
    Number::from_integer(number.numer().div_floor(number.denom()))
}

fn power(base: Number, exponent: Number) -> Option<Number> {
    let n = exponent.is_integer().then(|| exponent.to_integer())?;
    // A negative power is that of the reciprocal, which 0 does not have.
    let base = if n < 0 {
        Number::one().checked_div(&base)?
    } else {
        base
    };
    checked_pow(base, usize::try_from(n.unsigned_abs()).ok()?)
}
