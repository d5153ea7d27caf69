//! Values of the checker's interpreter, and what can go wrong while it runs.

use std::cmp::Ordering;
use std::fmt::Write;
use std::rc::Rc;

use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{CheckedAdd, CheckedMul, CheckedSub};

use super::games::GameId;
use crate::player::Player;
use crate::rules::{Mark, Overrides};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp};
use crate::watch::Stop;

/// A number: exact, in 64 bits. What does not fit is not checked, and says so.
pub type Number = Ratio<i64>;

/// A value.
#[derive(Debug, Clone)]
pub enum Value {
    /// A number.
    Number(Number),
    /// Chips with what marks them.
    Chips(i64, Mark),
    /// `true`, `false`
    Bool(bool),
    /// A string or a label.
    Text(Rc<str>),
    /// `alice`, `bob`
    Player(Player),
    /// `empty`
    Empty,
    /// `top`, `bottom`
    Side(Side),
    /// A board.
    Board(Rc<Board>),
    /// `[a, b]`
    List(Rc<[Value]>),
    /// `(a, b)`
    Tuple(Rc<[Value]>),
    /// A game.
    Game(GameId),
    /// A function or family.
    Function(Rc<Function>),
    /// Rules.
    Rules(Rc<Overrides>),
}

/// `top` and `bottom`; `left` and `right` are written like the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first row.
    Top,
    /// The last row.
    Bottom,
}

/// A board, row by row from the top.
#[derive(Debug, Clone)]
pub struct Board {
    /// Whether the cells are hexagons.
    pub hexagons: bool,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// What stands on them.
    pub cells: Vec<Value>,
}

/// What is called with parentheses.
#[derive(Debug)]
pub struct Function {
    /// No two functions have the same.
    pub id: u64,
    /// What it does.
    pub code: Callable,
    /// The text whose names it sees.
    pub module: usize,
    /// The local names that it sees.
    pub captured: Vec<(Rc<str>, Value)>,
}

/// The code of a function.
#[derive(Debug)]
pub enum Callable {
    /// An expression with parameters.
    Definition(ast::Definition),
    /// A family of rulesets.
    Ruleset(Rc<ast::Ruleset>),
}

/// Why the interpreter gives up.
#[derive(Debug)]
pub enum Trouble {
    /// The text has no meaning here, or one that this checker does not know.
    Wrong(String, Option<Span>),
    /// A limit or an interrupt.
    Stopped(Stop),
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

pub type Result<T> = std::result::Result<T, Trouble>;

/// A number without bounds.
pub fn exact(number: &Number) -> BigRational {
    BigRational::new((*number.numer()).into(), (*number.denom()).into())
}

/// Gives up without a place.
pub fn wrong<T>(what: impl Into<String>) -> Result<T> {
    Err(Trouble::Wrong(what.into(), None))
}

/// Gives a trouble its place, if it has none.
pub fn placed<T>(result: Result<T>, span: Span) -> Result<T> {
    result.map_err(|trouble| match trouble {
        Trouble::Wrong(what, None) => Trouble::Wrong(what, Some(span)),
        other => other,
    })
}

impl Value {
    /// An integer as a value.
    pub fn integer(n: usize) -> Self {
        Self::Number(Number::from_integer(n as i64))
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// A tuple.
    pub fn tuple(items: impl IntoIterator<Item = Value>) -> Self {
        Self::Tuple(items.into_iter().collect())
    }

    /// A number.
    pub fn number(&self) -> Result<Number> {
        match self {
            Self::Number(n) => Ok(*n),
            other => wrong(format!("a number is needed, not {}", other.kind())),
        }
    }

    /// An integer.
    pub fn whole(&self) -> Result<i64> {
        let number = self.number()?;
        if number.is_integer() {
            Ok(number.to_integer())
        } else {
            wrong("an integer is needed")
        }
    }

    /// An integer from 0 to `count` - 1.
    pub fn index(&self, count: usize) -> Result<usize> {
        let n = self.whole()?;
        let inside = usize::try_from(n).ok().filter(|n| *n < count);
        inside.map_or_else(
            || wrong(format!("{n} lies outside of 0 .. {}", count as i64 - 1)),
            Ok,
        )
    }

    /// True or false.
    pub fn truth(&self) -> Result<bool> {
        match self {
            Self::Bool(truth) => Ok(*truth),
            other => wrong(format!("true or false is needed, not {}", other.kind())),
        }
    }

    /// A game.
    pub fn game(&self) -> Result<GameId> {
        match self {
            Self::Game(game) => Ok(*game),
            other => wrong(format!("a game is needed, not {}", other.kind())),
        }
    }

    /// A board.
    pub fn board(&self) -> Result<&Board> {
        match self {
            Self::Board(board) => Ok(board),
            other => wrong(format!("a board is needed, not {}", other.kind())),
        }
    }

    /// The elements of a list or tuple.
    pub fn items(&self) -> Result<&Rc<[Value]>> {
        match self {
            Self::List(items) | Self::Tuple(items) => Ok(items),
            other => wrong(format!("a list is needed, not {}", other.kind())),
        }
    }

    /// The name of its kind in messages.
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
            Self::Rules(_) => "rules",
        }
    }

    /// Whether two values are the same; values of different kinds differ.
    pub fn same(&self, other: &Self) -> bool {
        let all = |a: &[Value], b: &[Value]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
        };
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::Chips(a, x), Self::Chips(b, y)) => (a, x) == (b, y),
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Player(a), Self::Player(b)) => a == b,
            (Self::Empty, Self::Empty) => true,
            (Self::Side(a), Self::Side(b)) => a == b,
            (Self::Board(a), Self::Board(b)) => {
                (a.hexagons, a.rows, a.cols) == (b.hexagons, b.rows, b.cols)
                    && all(&a.cells, &b.cells)
            }
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => all(a, b),
            (Self::Game(a), Self::Game(b)) => a == b,
            (Self::Function(a), Self::Function(b)) => Rc::ptr_eq(a, b),
            (Self::Rules(a), Self::Rules(b)) => a == b,
            _ => false,
        }
    }

    /// The order of two values of one kind; lists by their first difference.
    pub fn compare(&self, other: &Self) -> Result<Ordering> {
        let chips = |value: &Self| match value {
            Self::Number(n) if n.is_integer() => Some((n.to_integer(), Mark::None)),
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
            _ => match (chips(self), chips(other)) {
                (Some(a), Some(b)) => Ok(a.cmp(&b)),
                _ => wrong(format!(
                    "{} and {} have no order",
                    self.kind(),
                    other.kind()
                )),
            },
        }
    }

    /// A text that no other value of the same game has, as far as values have one: what remembered
    /// calls and vertices go by.
    pub fn key(&self, text: &mut String) -> bool {
        let (open, items, close): (&str, &[Value], &str) = match self {
            Self::List(items) => ("[", items, "]"),
            Self::Tuple(items) => ("(", items, ")"),
            Self::Board(board) => {
                let _ = write!(
                    text,
                    "{}{}x{}",
                    if board.hexagons { "hex" } else { "grid" },
                    board.rows,
                    board.cols
                );
                ("[", &board.cells, "]")
            }
            Self::Number(n) => return write!(text, "{n}").is_ok(),
            Self::Chips(n, mark) => return write!(text, "{n}{mark:?}").is_ok(),
            Self::Bool(truth) => return write!(text, "{truth}").is_ok(),
            Self::Text(string) => return write!(text, "{string:?}").is_ok(),
            Self::Player(player) => return write!(text, "@{}", player.word()).is_ok(),
            Self::Empty => return write!(text, "empty").is_ok(),
            Self::Side(side) => return write!(text, "{side:?}").is_ok(),
            Self::Game(game) => return write!(text, "{game:?}").is_ok(),
            Self::Function(_) | Self::Rules(_) => return false,
        };
        text.push_str(open);
        for item in items {
            if !item.key(text) {
                return false;
            }
            text.push(',');
        }
        text.push_str(close);
        true
    }

    /// The value as moves and positions print it.
    pub fn words(&self) -> String {
        let all = |items: &[Value]| {
            items
                .iter()
                .map(Value::words)
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Self::Number(n) => n.to_string(),
            Self::Bool(truth) => truth.to_string(),
            Self::Text(text) => text.to_string(),
            Self::Player(player) => player.word().to_owned(),
            Self::Empty => "empty".to_owned(),
            Self::List(items) => format!("[{}]", all(items)),
            Self::Tuple(items) => format!("({})", all(items)),
            other => format!("{other:?}"),
        }
    }
}

/// Arithmetic on numbers, and on chips as far as they have it.
pub fn arithmetic(op: BinaryOp, a: &Value, b: &Value) -> Result<Value> {
    let moved =
        |chips: i64, mark: Mark, by: Option<i64>| match by.and_then(|by| chips.checked_add(by)) {
            Some(n) if n >= 0 => Ok(Value::Chips(n, mark)),
            _ => wrong("these chips cannot be counted"),
        };
    match (op, a, b) {
        (BinaryOp::Add, Value::Chips(n, mark), by) | (BinaryOp::Add, by, Value::Chips(n, mark)) => {
            return moved(*n, *mark, Some(by.whole()?));
        }
        (BinaryOp::Subtract, Value::Chips(n, mark), by) => {
            return moved(*n, *mark, by.whole()?.checked_neg());
        }
        _ => {}
    }
    let (x, y) = (a.number()?, b.number()?);
    if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && *y.numer() == 0 {
        return wrong("division by zero");
    }
    let result = match op {
        BinaryOp::Add => x.checked_add(&y),
        BinaryOp::Subtract => x.checked_sub(&y),
        BinaryOp::Multiply => x.checked_mul(&y),
        BinaryOp::Divide => inverse(&y).and_then(|inverse| x.checked_mul(&inverse)),
        BinaryOp::Remainder => {
            let quotient = inverse(&y).and_then(|inverse| x.checked_mul(&inverse));
            let whole = quotient
                .map(|quotient| Number::from_integer(quotient.numer().div_floor(quotient.denom())));
            whole.and_then(|whole| x.checked_sub(&whole.checked_mul(&y)?))
        }
        BinaryOp::Power => power(x, y),
        _ => return wrong("this is no arithmetic"),
    };
    result.map_or_else(
        || wrong("a number does not fit in the checker's 64 bits"),
        |number| Ok(Value::Number(number)),
    )
}

fn inverse(number: &Number) -> Option<Number> {
    let sign = number.numer().signum();
    Some(Number::new_raw(
        i64::checked_mul(*number.denom(), sign)?,
        number.numer().checked_abs()?,
    ))
}

fn power(base: Number, exponent: Number) -> Option<Number> {
    if !exponent.is_integer() {
        return None;
    }
    let n = exponent.to_integer();
    let base = if n < 0 {
        inverse(&base).filter(|inverse| *inverse.denom() > 0)?
    } else {
        base
    };
    let trivial = *base.denom() == 1 && (-1..=1).contains(base.numer());
    let times = if trivial {
        n.unsigned_abs() % 2 + 2 * u64::from(n != 0)
    } else {
        n.unsigned_abs()
    };
    (times <= 64).then_some(())?;
    (0..times).try_fold(Number::from_integer(1), |product, _| {
        product.checked_mul(&base)
    })
}
