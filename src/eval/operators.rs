//! Prefix and infix operators, and indices.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::arithmetic;
use super::bounds::{self, BoundedNumber, Undecided};
use super::compare::{Comparer, copied, same};
use super::evaluator::{Evaluator, MAX_LIST, elements, list_too_long, type_error};
use super::frame::Frame;
use super::query::Placed;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::GameExpr;
use crate::ir::{CheckedExpr, CheckedExprKind, Kinds, Operand, Value};
use crate::player::{Ending, GameId};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, UnaryOp};
use crate::watch::watched;

impl Evaluator<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, value: Value, span: Span) -> Result<Value> {
        match (op, value) {
            (UnaryOp::Negate, Value::Integer(n)) => Ok(Value::Integer(-n)),
            (UnaryOp::Negate, Value::Rational(q)) => Ok(Value::Rational(-q)),
            (UnaryOp::Negate, other) => {
                BoundedNumber::at(Operand::new(&other, span)).map(|range| bounds::negative(&range))
            }
            (UnaryOp::Conjugate, Value::Game(game)) => {
                Ok(Value::Game(self.world.games.conjugate(game)))
            }
            (UnaryOp::Conjugate, other) => Err(type_error(span, Kinds::GAME, &other)),
            (UnaryOp::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
            (UnaryOp::Not, other) => Err(type_error(span, Kinds::BOOL, &other)),
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &CheckedExpr,
        right: &CheckedExpr,
        frame: &mut Frame,
        span: Span,
    ) -> Result<Value> {
        match op {
            BinaryOp::And => {
                return Ok(Value::Bool(
                    self.eval_bool(left, frame)? && self.eval_bool(right, frame)?,
                ));
            }
            BinaryOp::Or => {
                return Ok(Value::Bool(
                    self.eval_bool(left, frame)? || self.eval_bool(right, frame)?,
                ));
            }
            BinaryOp::Wedge => return self.wedge(left, right, frame),
            _ => {}
        }
        let a = Operand::new(self.eval(left, frame)?, left.span);
        let b = Operand::new(self.eval(right, frame)?, right.span);
        self.apply_binary(op, a.as_ref(), b.as_ref(), span)
    }

    /// Evaluates a wedge sum. Long chains are nested to the left, so they are followed in a loop.
    fn wedge(
        &mut self,
        left: &CheckedExpr,
        right: &CheckedExpr,
        frame: &mut Frame,
    ) -> Result<Value> {
        let mut rights = vec![right];
        let mut first = left;
        while let CheckedExprKind::Binary(BinaryOp::Wedge, left, right) = &*first.kind {
            rights.push(right);
            first = left;
        }
        let mut game = self.eval_game(first, frame)?;
        for right in rights.into_iter().rev() {
            let option = self.eval_game(right, frame)?;
            game = self.world.games.wedge(game, option);
        }
        Ok(Value::Game(game))
    }

    /// Applies an operator to known operands.
    ///
    /// # Errors
    /// Returns an error if the operands do not fit the operator.
    pub fn apply_binary(
        &mut self,
        op: BinaryOp,
        a: Operand<&Value>,
        b: Operand<&Value>,
        span: Span,
    ) -> Result<Value> {
        // Games are compared as games, for every total, and not as values.
        if let (Value::Game(g), Value::Game(h), true) = (a.value, b.value, op.compares()) {
            let holds = self.ordered(op, *g, *h, span)?;
            let denied = matches!(op, BinaryOp::NotEqual | BinaryOp::NotEquivalent);
            return Ok(Value::Bool(holds != denied));
        }
        self.context.check()?;
        match op {
            BinaryOp::Power => self.power(a, b),
            BinaryOp::Multiply => arithmetic::multiply(a, b, span),
            BinaryOp::Divide => arithmetic::divide(a, b, span),
            BinaryOp::Remainder => arithmetic::remainder(a, b, span),
            BinaryOp::Add
                if matches!(
                    (a.value, b.value),
                    (Value::Game(_), _) | (_, Value::Game(_))
                ) =>
            {
                self.sum_of_games(&[a, b], span)
            }
            BinaryOp::Add => arithmetic::add(a, b, span),
            BinaryOp::Subtract => arithmetic::subtract(a, b, span),
            BinaryOp::PlusMinus => bounds::plus_minus(a, b),
            BinaryOp::Concatenate => {
                let (a, b) = (elements(a.value, a.span)?, elements(b.value, b.span)?);
                let both: Vec<&Value> = a.iter().chain(b.iter()).collect();
                Ok(copied(both.into_iter(), self.context)?)
            }
            BinaryOp::Range => self.range(a, b, span),
            BinaryOp::In => {
                let list = elements(b.value, b.span)?;
                let mut comparer = Comparer::new(self.context);
                for item in list.iter() {
                    if comparer.same(item, a.value).placed(span)? {
                        return Ok(Value::Bool(true));
                    }
                }
                Ok(Value::Bool(false))
            }
            BinaryOp::Equal
            | BinaryOp::Equivalent
            | BinaryOp::NotEqual
            | BinaryOp::NotEquivalent => {
                let denied = matches!(op, BinaryOp::NotEqual | BinaryOp::NotEquivalent);
                let same = same(a.value, b.value, self.context).placed(span)?;
                Ok(Value::Bool(same != denied))
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual
                if matches!((a.value, b.value), (Value::Answer(_), Value::Answer(_))) =>
            {
                // Tables are ordered as functions are: a first difference does not decide, and some
                // pairs have no order.
                super::compare::pointwise(op, a, b, span, self.context).map(Value::Bool)
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                if let Some(holds) = bounds::compared(op, a.value, b.value) {
                    let holds = holds.ok_or_else(|| Undecided::overlap(a.value, b.value));
                    return holds.map(Value::Bool).placed(span);
                }
                let ordering = Comparer::new(self.context).order(a.value, b.value, span)?;
                Ok(Value::Bool(match op {
                    BinaryOp::Less => ordering.is_lt(),
                    BinaryOp::LessEqual => ordering.is_le(),
                    BinaryOp::Greater => ordering.is_gt(),
                    _ => ordering.is_ge(),
                }))
            }
            BinaryOp::Incomparable => Err(super::compare::not_ordered(a.value, b.value, span)),
            BinaryOp::Wedge | BinaryOp::And | BinaryOp::Or => {
                unreachable!("evaluated before their operands are")
            }
        }
    }

    /// Returns the disjunctive sum of games.
    ///
    /// # Errors
    /// Returns an error if one of them is not a game, or has no sum with the others.
    pub fn sum_of_games(&mut self, games: &[Operand<&Value>], span: Span) -> Result<Value> {
        let mut parts = Vec::with_capacity(games.len());
        for Operand { value, span } in games {
            let Value::Game(game) = value else {
                return Err(type_error(*span, Kinds::GAME, value));
            };
            parts.push(*game);
        }
        self.world.games.sum(parts).map(Value::Game).placed(span)
    }

    fn range(&self, a: Operand<&Value>, b: Operand<&Value>, span: Span) -> Result<Value> {
        let integers = self.integers(a, b, span)?;
        let elements = watched(integers, self.context).map(|n| Ok(Value::Integer(n?)));
        Ok(Value::list(elements.collect::<Result<Vec<_>>>()?))
    }

    /// Returns the integers of the range `a..b`.
    ///
    /// # Errors
    /// Returns an error if one of the bounds is not an integer, or there are too many for a list.
    pub(super) fn integers(
        &self,
        a: Operand<&Value>,
        b: Operand<&Value>,
        span: Span,
    ) -> Result<impl Iterator<Item = BigInt> + use<>> {
        let bound = |operand: Operand<&Value>| match operand.value {
            Value::Integer(n) => Ok(n.clone()),
            other => Err(type_error(operand.span, Kinds::INTEGER, other)),
        };
        let (first, last) = (bound(a)?, bound(b)?);
        let length: BigInt = &last - &first + 1;
        // An empty range such as `3..1` has a negative length.
        let length = length
            .max(BigInt::ZERO)
            .to_usize()
            .ok_or_else(|| list_too_long(span))?;
        self.admit_length(length, span)?;
        Ok((0..length).map(move |i| &first + i))
    }

    /// Checks that a list of this many elements is no longer than any list may be and fits in the
    /// memory allowed.
    ///
    /// # Errors
    /// Returns E0902 otherwise.
    pub(super) fn admit_length(&self, length: usize, span: Span) -> Result<()> {
        if length > MAX_LIST {
            return Err(list_too_long(span));
        }
        // A list is collected first and then moved into shared memory, so it takes its space twice.
        self.admit_elements(2 * length, size_of::<Value>(), span)
    }

    /// Checks that a growing list can take one more element, for which `each` values are kept.
    ///
    /// # Errors
    /// Returns E0902 if the list has reached the greatest length, or there is no memory for it to
    /// grow.
    pub(super) fn admit_next(&self, list: &Vec<Value>, each: usize, span: Span) -> Result<()> {
        if list.len() == MAX_LIST {
            return Err(list_too_long(span));
        }
        // Only a list that must be moved takes new memory.
        if list.len() < list.capacity() {
            return Ok(());
        }
        // The list is moved to an allocation of twice its size.
        self.admit_elements(2 * list.len(), each * size_of::<Value>(), span)
    }

    /// Checks that this many elements of this many bytes each fit in the memory allowed.
    ///
    /// # Errors
    /// Returns E0902 otherwise.
    pub(crate) fn admit_elements(&self, count: usize, bytes: usize, span: Span) -> Result<()> {
        let bytes = (count as u64).saturating_mul(bytes as u64);
        let room = self.context.admit(bytes);
        room.map_err(|stop| Box::new(Diagnostic::from(stop).label(span, "too many elements")))
    }

    fn power(&mut self, base: Operand<&Value>, exponent: Operand<&Value>) -> Result<Value> {
        let Value::Integer(power) = exponent.value else {
            return Err(type_error(exponent.span, Kinds::INTEGER, exponent.value));
        };
        match base.value {
            Value::Game(game) => self
                .game_power(*game, base.span, power, exponent.span)
                .map(Value::Game),
            other => match BoundedNumber::of(other) {
                Some(number) => {
                    bounds::power(&number, base.span, Operand::new(power, exponent.span))
                }
                None => Err(type_error(
                    base.span,
                    Kinds::ENCLOSED.or(Kinds::GAME),
                    other,
                )),
            },
        }
    }

    fn game_power(
        &mut self,
        game: GameId,
        span: Span,
        exponent: &BigInt,
        exponent_span: Span,
    ) -> Result<GameId> {
        // A power is defined for the two won games alone.
        let GameExpr::Ended(Ending::Win(player)) = *self.world.games.expr(game) else {
            return Err(Diagnostic::new(Code::BadPower, "only A and B have powers")
                .label(span, "this is another game")
                .help("A^n is the game that Alice wins if she makes any of the next n moves; other games combine with `∧`")
                .into());
        };
        match exponent.to_u32().filter(|n| *n > 0) {
            Some(n) => Ok(self.world.games.power(player, n)),
            None => Err(bad_exponent(player.name(), exponent, exponent_span)),
        }
    }

    pub(super) fn index(
        &mut self,
        base: Value,
        indices: &[Operand<Value>],
        span: Span,
    ) -> Result<Value> {
        let (first, first_span) = (&indices[0].value, indices[0].span);
        match (&base, indices.len()) {
            (Value::Game(game), 1) => {
                let moves = first
                    .as_rational()
                    .filter(BigRational::is_integer)
                    .and_then(|n| n.to_integer().to_u32());
                let moves = moves.ok_or_else(|| bad_truncation(first, first_span))?;
                Ok(Value::Game(self.world.games.truncation(*game, moves)))
            }
            (Value::Board(board), _) => board.cell(indices),
            (Value::List(_) | Value::Tuple(_) | Value::Answer(_) | Value::Enclosure(_), 1) => {
                let items = match &base {
                    Value::Enclosure(bounds) => bounds
                        .bounds()
                        .map(|bound| Value::rational(bound.clone()))
                        .into(),
                    list => elements(list, span)?,
                };
                let index = match first {
                    Value::Integer(n) => n.to_usize().filter(|n| *n < items.len()),
                    other => return Err(type_error(first_span, Kinds::INTEGER, other)),
                };
                index
                    .map(|index| items[index].clone())
                    .ok_or_else(|| beyond(items.len(), first_span))
            }
            (
                Value::List(_)
                | Value::Tuple(_)
                | Value::Answer(_)
                | Value::Enclosure(_)
                | Value::Game(_),
                count,
            ) => Err(several_indices(&base, count, span)),
            _ => Err(type_error(span, Kinds::INDEXED, &base)),
        }
    }
}

fn several_indices(base: &Value, count: usize, span: Span) -> Box<Diagnostic> {
    let found = base.kinds();
    let message = format!("only a board takes {count} indices, but this is {found}");
    let help = match base {
        Value::Game(_) => "`G[n]` is the game that ends after n moves",
        _ => "an element of a list within a list is written `h[i][j]`",
    };
    Diagnostic::new(Code::WrongCount, message)
        .label(span, format!("this is {found}"))
        .help(help)
        .into()
}

/// The label of a divisor that is zero.
pub(super) const IS_ZERO: &str = "this is zero";

pub(super) fn by_zero(span: Span, label: &str) -> Box<Diagnostic> {
    Diagnostic::new(Code::DivisionByZero, "division by zero")
        .label(span, label)
        .into()
}

fn bad_exponent(player: &str, exponent: &BigInt, span: Span) -> Box<Diagnostic> {
    let letter = &player[..1];
    let diagnostic = if exponent.is_negative() || exponent.is_zero() {
        Diagnostic::new(Code::BadPower, format!("{letter}^{exponent} is not defined: the exponent is at least 1")).help(
            format!("{letter}^n is the game that {player} wins by making any of the next n moves; {letter}^1 is E"),
        )
    } else {
        Diagnostic::new(Code::BadPower, "the exponent is too large")
            .help("exponents go up to 2^32 - 1")
    };
    diagnostic.label(span, "the exponent").into()
}

fn bad_truncation(value: &Value, span: Span) -> Box<Diagnostic> {
    let found = match value {
        Value::Integer(n) => n.to_string(),
        other => other.kinds().to_string(),
    };
    Diagnostic::new(
        Code::BadValue,
        format!("a game is cut off after a number of moves, but this is {found}"),
    )
    .label(span, "not a number of moves")
    .help("write `G[n]` with an integer n from 0 to 2^32 - 1")
    .into()
}

fn beyond(len: usize, span: Span) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::BadValue, "the index is outside the list")
        .label(span, "no such element");
    match len {
        0 => diagnostic.help("the list is empty"),
        _ => diagnostic.help(format!("the elements are numbered from 0 to {}", len - 1)),
    }
    .into()
}

/// Rounds down, towards minus infinity, as floor division of the language does.
pub(crate) fn floor(number: &BigRational) -> BigRational {
    BigRational::from_integer(number.numer().div_floor(number.denom()))
}
