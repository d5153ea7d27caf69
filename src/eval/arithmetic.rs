//! Arithmetic on unbounded integers and rationals, limited to numbers that can be computed and
//! printed in a moment.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::bounds::{BoundedNumber, combined};
use super::evaluator::type_error;
use super::operators::{IS_ZERO, by_zero};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir::{Kinds, Operand, Value};
use crate::rules::Chips;
use crate::source::Span;

/// The most bits of an integer: larger ones take long to multiply and to print.
const MOST_INTEGER_BITS: u64 = 1 << 20;

/// The most bits of a numerator or a denominator: reducing longer fractions takes long, since the
/// time for a greatest common divisor grows with the square of the length.
const MOST_FRACTION_BITS: u64 = 1 << 16;

/// An upper bound on the number of bits of a number.
#[derive(Debug, Clone, Copy)]
enum Size {
    Integer(u64),
    /// The bits of the numerator and of the denominator.
    Fraction(u64, u64),
}

impl Size {
    fn of(number: &BigRational) -> Self {
        if number.is_integer() {
            Self::whole(number.numer())
        } else {
            Self::Fraction(number.numer().bits(), number.denom().bits())
        }
    }

    fn whole(number: &BigInt) -> Self {
        Self::Integer(number.bits())
    }

    fn parts(self) -> (u64, u64) {
        match self {
            Self::Integer(bits) => (bits, 1),
            Self::Fraction(numerator, denominator) => (numerator, denominator),
        }
    }

    /// Returns the size of a number whose numerator and denominator have at most this many bits: an
    /// integer if all operands are integers.
    fn made(of: &[Self], numerator: u64, denominator: u64) -> Self {
        if of.iter().all(|size| matches!(size, Self::Integer(_))) {
            Self::Integer(numerator.max(denominator))
        } else {
            Self::Fraction(numerator, denominator)
        }
    }

    fn product(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Self::made(&[self, other], a.saturating_add(c), b.saturating_add(d))
    }

    fn quotient(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Self::Fraction(a.saturating_add(d), b.saturating_add(c))
    }

    fn sum(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        match (self, other) {
            (Self::Integer(_), Self::Integer(_)) => Self::Integer(a.max(c).saturating_add(1)),
            _ => Self::Fraction(
                a.saturating_add(d)
                    .max(b.saturating_add(c))
                    .saturating_add(1),
                b.saturating_add(d),
            ),
        }
    }

    fn power(self, exponent: i32) -> Self {
        let (a, b) = self.parts();
        let n = u64::from(exponent.unsigned_abs());
        // The powers of 0, 1 and −1, and of the denominator 1, are no longer than their base.
        let raised = |bits: u64| if bits <= 1 { 1 } else { bits.saturating_mul(n) };
        match exponent {
            0.. => Self::made(&[self], raised(a), raised(b)),
            _ => Self::Fraction(raised(b), raised(a)),
        }
    }

    /// Checks that a number is not too long.
    fn admit(self, what: &str, span: Span) -> Result<()> {
        let (bits, most, kind) = match self {
            Self::Integer(bits) => (bits, MOST_INTEGER_BITS, "integers"),
            Self::Fraction(a, b) => (a.max(b), MOST_FRACTION_BITS, "fractions"),
        };
        if bits <= most {
            return Ok(());
        }
        Err(Diagnostic::new(Code::BadValue, format!("this {what} is too large"))
            .label(span, "too many digits")
            .help(match self {
                Self::Integer(_) => format!("{kind} are computed up to {most} bits"),
                Self::Fraction(..) => {
                    format!("{kind} are computed up to {most} bits in the numerator and in the denominator")
                }
            })
            .into())
    }
}

fn number(Operand { value, span }: Operand<&Value>) -> Result<BigRational> {
    value
        .as_rational()
        .ok_or_else(|| type_error(span, Kinds::NUMBER, value))
}

/// Returns `true` if one number or both are known only between bounds.
fn is_enclosed(a: Operand<&Value>, b: Operand<&Value>) -> bool {
    [a, b]
        .iter()
        .any(|operand| matches!(operand.value, Value::Enclosure(_)))
}

/// Multiplies two numbers.
///
/// # Errors
/// Returns an error if an operand is not a number, or the product would be too long.
pub(super) fn multiply(a: Operand<&Value>, b: Operand<&Value>, span: Span) -> Result<Value> {
    if let (Value::Integer(x), Value::Integer(y)) = (a.value, b.value) {
        Size::whole(x)
            .product(Size::whole(y))
            .admit("product", span)?;
        return Ok(Value::Integer(x * y));
    }
    if is_enclosed(a, b) {
        return combined(multiply, a, b, span);
    }
    let (x, y) = (number(a)?, number(b)?);
    Size::of(&x).product(Size::of(&y)).admit("product", span)?;
    Ok(Value::rational(x * y))
}

/// Divides two numbers.
///
/// # Errors
/// Returns an error if an operand is not a number, the divisor is 0, or the quotient would be too
/// long.
pub(super) fn divide(a: Operand<&Value>, b: Operand<&Value>, span: Span) -> Result<Value> {
    if is_enclosed(a, b) {
        return super::bounds::divide(a, b, span);
    }
    let (x, y) = (number(a)?, number(b)?);
    if y.is_zero() {
        return Err(by_zero(b.span, IS_ZERO));
    }
    if let (Value::Integer(x), Value::Integer(y)) = (a.value, b.value) {
        let (quotient, rest) = num_integer::Integer::div_rem(x, y);
        // An exact quotient is an integer, for which the limit is higher.
        if rest.is_zero() {
            return Ok(Value::Integer(quotient));
        }
    }
    Size::of(&x)
        .quotient(Size::of(&y))
        .admit("quotient", span)?;
    Ok(Value::rational(x / y))
}

/// Computes the remainder of the floor division of two numbers.
///
/// # Errors
/// Returns an error if an operand is not a number, the divisor is 0, or the intermediate numbers
/// would be too long.
pub(super) fn remainder(a: Operand<&Value>, b: Operand<&Value>, span: Span) -> Result<Value> {
    let (x, y) = (number(a)?, number(b)?);
    if y.is_zero() {
        return Err(by_zero(b.span, IS_ZERO));
    }
    if let (Value::Integer(x), Value::Integer(y)) = (a.value, b.value) {
        return Ok(Value::Integer(num_integer::Integer::mod_floor(x, y)));
    }
    Size::of(&x)
        .quotient(Size::of(&y))
        .admit("remainder", span)?;
    Ok(Value::rational(&x - &y * (&x / &y).floor()))
}

/// Adds two numbers, or chips and an integer.
///
/// # Errors
/// Returns an error if an operand is something else, chips would go below zero, or the sum would be
/// too long.
pub(super) fn add(a: Operand<&Value>, b: Operand<&Value>, span: Span) -> Result<Value> {
    match (a.value, b.value) {
        (Value::Integer(x), Value::Integer(y)) => {
            Size::whole(x).sum(Size::whole(y)).admit("sum", span)?;
            Ok(Value::Integer(x + y))
        }
        (Value::Chips(chips), Value::Integer(n)) | (Value::Integer(n), Value::Chips(chips)) => {
            Size::whole(&chips.count)
                .sum(Size::whole(n))
                .admit("sum", span)?;
            held(Chips::new(&chips.count + n, chips.mark), span)
        }
        _ if is_enclosed(a, b) => combined(add, a, b, span),
        _ => {
            let (x, y) = (number(a)?, number(b)?);
            Size::of(&x).sum(Size::of(&y)).admit("sum", span)?;
            Ok(Value::rational(x + y))
        }
    }
}

/// Returns chips that a player can hold.
fn held(chips: Chips, span: Span) -> Result<Value> {
    if chips.count.sign() == num_bigint::Sign::Minus {
        return Err(
            Diagnostic::new(Code::BadChips, "chips do not go below zero")
                .label(span, format!("this would be {chips}"))
                .into(),
        );
    }
    Ok(Value::chips(chips))
}

/// Subtracts two numbers, or an integer from chips.
///
/// # Errors
/// Returns an error if an operand is something else, chips would go below zero, or the difference
/// would be too long.
pub(super) fn subtract(a: Operand<&Value>, b: Operand<&Value>, span: Span) -> Result<Value> {
    match (a.value, b.value) {
        (Value::Integer(x), Value::Integer(y)) => {
            Size::whole(x)
                .sum(Size::whole(y))
                .admit("difference", span)?;
            Ok(Value::Integer(x - y))
        }
        (Value::Chips(chips), Value::Integer(n)) => {
            Size::whole(&chips.count)
                .sum(Size::whole(n))
                .admit("difference", span)?;
            held(Chips::new(&chips.count - n, chips.mark), span)
        }
        _ if is_enclosed(a, b) => combined(subtract, a, b, span),
        _ => {
            let (x, y) = (number(a)?, number(b)?);
            Size::of(&x).sum(Size::of(&y)).admit("difference", span)?;
            Ok(Value::rational(x - y))
        }
    }
}

/// Raises a number to a power.
///
/// # Errors
/// Returns an error if 0 is raised to a negative power, or the power would be too long.
pub(super) fn power(base: &BigRational, exponent: &BigInt, span: Span) -> Result<Value> {
    // With a base other than 0 and ±1 this exponent already fails the check of the size.
    let n = exponent.to_i32().unwrap_or(i32::MAX);
    if exponent.sign() == num_bigint::Sign::Minus && base.is_zero() {
        return Err(by_zero(span, IS_ZERO));
    }
    // The length is estimated first, because computing the power is what takes long.
    Size::of(base).power(n).admit("power", span)?;
    match exponent.to_i32() {
        Some(n) => Ok(Value::rational(num_traits::Pow::pow(base, n))),
        // The check of the size lets only 0, 1 and −1 pass with such an exponent.
        None if num_integer::Integer::is_even(exponent) => Ok(Value::rational(base * base)),
        None => Ok(Value::rational(base.clone())),
    }
}

/// The sum of many numbers, which are added one by one.
#[derive(Debug, Default)]
pub(crate) struct Total {
    whole: BigInt,
    rest: BigRational,
    /// The sum of the numbers that are known only between bounds.
    enclosed: Option<Value>,
}

impl Total {
    /// Adds a number.
    ///
    /// # Errors
    /// Returns an error if the value is not a number, or the sum would be too long.
    pub fn add(&mut self, value: &Value, span: Span) -> Result<()> {
        match value {
            Value::Integer(n) => {
                Size::whole(&self.whole)
                    .sum(Size::whole(n))
                    .admit("sum", span)?;
                self.whole += n;
            }
            Value::Rational(q) => {
                // Integers are added apart, since each sum with a fraction costs a reduction.
                Size::of(&self.rest).sum(Size::of(q)).admit("sum", span)?;
                self.rest += q;
            }
            _ => {
                let so_far = self.enclosed.take().unwrap_or(Value::integer(0));
                // Other values would pass `add`, which also takes chips.
                BoundedNumber::at(Operand::new(value, span))?;
                self.enclosed = Some(add(
                    Operand::new(&so_far, span),
                    Operand::new(value, span),
                    span,
                )?);
            }
        }
        Ok(())
    }

    /// Returns the sum.
    ///
    /// # Errors
    /// Returns an error if it is too long.
    pub fn value(self, span: Span) -> Result<Value> {
        Size::of(&self.rest)
            .sum(Size::whole(&self.whole))
            .admit("sum", span)?;
        let exact = Value::rational(self.rest + self.whole);
        match self.enclosed {
            Some(enclosed) => add(
                Operand::new(&exact, span),
                Operand::new(&enclosed, span),
                span,
            ),
            None => Ok(exact),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceMap, Span};

    fn span() -> Span {
        Span::new(SourceMap::default().add("", ""), 0..0)
    }

    fn ones(bits: u64) -> Value {
        Value::Integer((BigInt::from(1) << bits) - 1)
    }

    fn fraction(bits: u64) -> Value {
        Value::rational(BigRational::new(
            BigInt::from(1),
            BigInt::from(1) << (bits - 1),
        ))
    }

    /// Returns the value of an operation, or `None` if it is refused.
    fn done(op: Operation, a: &Value, b: &Value) -> Option<Value> {
        op(Operand::new(a, span()), Operand::new(b, span()), span()).ok()
    }

    type Operation = fn(Operand<&Value>, Operand<&Value>, Span) -> Result<Value>;

    #[test]
    fn integers_have_their_limit() {
        let (most, half) = (MOST_INTEGER_BITS, MOST_INTEGER_BITS / 2);
        assert!(done(multiply, &ones(half), &ones(half)).is_some());
        assert!(done(multiply, &ones(half), &ones(half + 1)).is_none());
        assert!(done(add, &ones(most - 1), &ones(1)).is_some());
        assert!(done(add, &ones(most), &ones(1)).is_none());
        assert!(done(subtract, &Value::integer(0), &ones(most)).is_none());
    }

    #[test]
    fn fractions_have_theirs() {
        let (most, half) = (MOST_FRACTION_BITS, MOST_FRACTION_BITS / 2);
        assert!(done(multiply, &fraction(half), &fraction(half)).is_some());
        assert!(done(multiply, &fraction(half), &fraction(half + 1)).is_none());
        assert!(done(add, &fraction(half - 1), &fraction(half - 1)).is_some());
        assert!(done(add, &fraction(half + 1), &fraction(half)).is_none());
        assert!(done(divide, &Value::integer(1), &ones(most - 1)).is_some());
        assert!(done(divide, &Value::integer(1), &ones(most)).is_none());
        assert!(done(remainder, &fraction(half), &ones(half + 1)).is_none());
        let even = Value::Integer(BigInt::from(6) << (2 * most));
        let third = done(divide, &even, &Value::integer(3));
        assert_eq!(
            third.and_then(|value| value.as_rational()),
            Some((BigInt::from(2) << (2 * most)).into()),
            "an exact quotient is an integer"
        );
        let mut total = Total::default();
        assert!(
            total.add(&fraction(half - 2), span()).is_ok()
                && total.add(&fraction(half), span()).is_ok()
        );
        assert!(total.add(&fraction(half + 1), span()).is_err());
    }

    #[test]
    fn powers_of_any_exponent() {
        let huge = BigInt::from(10).pow(30);
        let of = |base: i64, exponent: &BigInt| {
            power(&BigRational::from_integer(base.into()), exponent, span()).ok()
        };
        let integer = |value: Option<Value>| {
            value
                .and_then(|value| value.as_rational())
                .map(|q| q.to_integer())
        };
        assert_eq!(integer(of(1, &huge)), Some(1.into()));
        assert_eq!(integer(of(-1, &huge)), Some(1.into()));
        assert_eq!(integer(of(-1, &(&huge + 1))), Some((-1).into()));
        assert_eq!(integer(of(-1, &(-&huge - 1))), Some((-1).into()));
        assert_eq!(integer(of(0, &huge)), Some(0.into()));
        assert!(of(0, &-&huge).is_none() && of(2, &huge).is_none() && of(2, &-&huge).is_none());
        let most = i64::try_from(MOST_INTEGER_BITS / 2).expect("small");
        assert!(of(2, &most.into()).is_some() && of(2, &(most + 1).into()).is_none());
    }
}
