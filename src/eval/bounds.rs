//! Arithmetic and order of numbers that are known only between bounds: a result holds for every
//! number between them.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::arithmetic;
use super::evaluator::type_error;
use super::operators::{IS_ZERO, by_zero};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir::{Kinds, Operand, Origin, Value};
use crate::source::Span;
use crate::syntax::ast::BinaryOp;
use crate::watch::Stop;

/// A number, known exactly or between bounds.
#[derive(Debug, Clone)]
pub(crate) struct BoundedNumber {
    pub ends: [BigRational; 2],
    pub origin: Origin,
}

impl BoundedNumber {
    /// Returns the bounds of a number; `None` if the value is not a number.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Enclosure(bounds) => Some(Self {
                ends: bounds.bounds().map(Clone::clone),
                origin: bounds.origin,
            }),
            exact => exact.as_rational().map(|number| Self {
                ends: [number.clone(), number],
                origin: Origin::Stated,
            }),
        }
    }

    /// Returns the bounds of the number at a place in the source.
    ///
    /// # Errors
    /// Returns an error if the value is not a number.
    pub fn at(Operand { value, span }: Operand<&Value>) -> Result<Self> {
        Self::of(value).ok_or_else(|| type_error(span, Kinds::ENCLOSED, value))
    }

    fn spans_zero(&self) -> bool {
        let [low, high] = &self.ends;
        !low.is_positive() && !high.is_negative()
    }

    /// Says of a divisor that spans zero whether it is zero.
    fn as_zero(&self) -> &'static str {
        let [low, high] = &self.ends;
        if low == high {
            IS_ZERO
        } else {
            "this may be zero"
        }
    }

    /// Applies an increasing or decreasing function, which takes its extreme values at the ends.
    fn mapped(&self, of: impl Fn(&BigRational) -> Result<Value>) -> Result<Value> {
        self.reached(self.ends.iter().map(of))
    }

    /// Returns the range of these numbers.
    fn reached(&self, numbers: impl Iterator<Item = Result<Value>>) -> Result<Value> {
        let mut ends: Option<[BigRational; 2]> = None;
        for number in numbers {
            let number = number?
                .as_rational()
                .expect("arithmetic of numbers gives numbers");
            ends = Some(match ends {
                None => [number.clone(), number],
                Some([low, high]) => [low.min(number.clone()), high.max(number)],
            });
        }
        let ends = ends.expect("a range has ends");
        Ok(Value::between(ends, self.origin))
    }
}

/// Computes the bounds of an operator's result. The operator takes its greatest and its least value
/// at ends of both operands.
pub(super) fn combined(
    op: fn(Operand<&Value>, Operand<&Value>, Span) -> Result<Value>,
    a: Operand<&Value>,
    b: Operand<&Value>,
    span: Span,
) -> Result<Value> {
    let (x, y) = (BoundedNumber::at(a)?, BoundedNumber::at(b)?);
    let both = x
        .ends
        .iter()
        .flat_map(|x| y.ends.iter().map(move |y| (x, y)));
    let values = both.map(|(x, y)| {
        let [x, y] = [x, y].map(|end| Value::rational(end.clone()));
        op(Operand::new(&x, a.span), Operand::new(&y, b.span), span)
    });
    let origin = together(&x, &y);
    BoundedNumber {
        origin,
        ..x.clone()
    }
    .reached(values)
}

/// Returns the origin of a combined number: if one operand is only known between bounds, so is the
/// result.
fn together(x: &BoundedNumber, y: &BoundedNumber) -> Origin {
    match (x.origin, y.origin) {
        (Origin::Stated, Origin::Stated) => Origin::Stated,
        (Origin::Proved, _) | (_, Origin::Proved) => Origin::Proved,
    }
}

/// Divides two numbers.
///
/// # Errors
/// Returns an error if the divisor may be 0.
pub(super) fn divide(a: Operand<&Value>, b: Operand<&Value>, span: Span) -> Result<Value> {
    let divisor = BoundedNumber::at(b)?;
    if divisor.spans_zero() {
        return Err(by_zero(b.span, divisor.as_zero()));
    }
    combined(arithmetic::divide, a, b, span)
}

/// Raises a number to a power.
///
/// # Errors
/// Returns an error if a number that may be 0 is raised to a negative power.
pub(super) fn power(
    base: &BoundedNumber,
    base_span: Span,
    exponent: Operand<&BigInt>,
) -> Result<Value> {
    let has_zero = base.spans_zero();
    let Operand {
        value: exponent,
        span,
    } = exponent;
    if has_zero && exponent.sign() == Sign::Minus {
        return Err(by_zero(base_span, base.as_zero()));
    }
    let raised = |end: &BigRational| arithmetic::power(end, exponent, span);
    let is_even = num_integer::Integer::is_even(exponent);
    // An even power falls and rises again, so its least value is not at an end.
    let lowest = (has_zero && is_even && !exponent.is_zero()).then(|| Ok(Value::integer(0)));
    base.reached(base.ends.iter().map(raised).chain(lowest))
}

/// Evaluates `x ± e`.
///
/// # Errors
/// Returns an error if e is not a number, or is less than 0.
pub(super) fn plus_minus(a: Operand<&Value>, by: Operand<&Value>) -> Result<Value> {
    let around = BoundedNumber::at(a)?;
    let Some(error) = by.value.as_rational() else {
        return Err(type_error(by.span, Kinds::NUMBER, by.value));
    };
    if error.is_negative() {
        return Err(
            Diagnostic::new(Code::BadValue, "the number after `±` is 0 or more")
                .label(by.span, "negative")
                .help("write how far the number may be from the one before `±`")
                .into(),
        );
    }
    let [low, high] = around.ends;
    Ok(Value::between([low - &error, high + error], Origin::Stated))
}

/// Returns the negative of a number.
pub(super) fn negative(range: &BoundedNumber) -> Value {
    let [low, high] = &range.ends;
    Value::between([-high, -low], range.origin)
}

/// Returns the absolute value of a number.
pub(crate) fn absolute(range: &BoundedNumber) -> Value {
    let [low, high] = range.ends.each_ref().map(Signed::abs);
    let least = if range.spans_zero() {
        BigRational::zero()
    } else {
        low.clone().min(high.clone())
    };
    Value::between([least, low.max(high)], range.origin)
}

/// Rounds a number to an integer.
///
/// # Errors
/// Returns an error if the bounds do not determine the integer.
pub(crate) fn rounded(
    operand: Operand<&Value>,
    round: fn(&BigRational) -> BigRational,
) -> Result<Value> {
    let range = BoundedNumber::at(operand)?;
    let found = range.mapped(|end| Ok(Value::rational(round(end))))?;
    match found {
        Value::Enclosure(_) => Err(undecided(
            format!(
                "this number, {}, is not known well enough to be rounded",
                text(operand.value)
            ),
            operand.span,
        )),
        integer => Ok(integer),
    }
}

/// Returns the greater or the lesser of two numbers.
pub(crate) fn extreme(x: &BoundedNumber, y: &BoundedNumber, wanted: Ordering) -> Value {
    let ends = [0, 1].map(|end| {
        let (x, y) = (&x.ends[end], &y.ends[end]);
        if wanted.is_gt() { x.max(y) } else { x.min(y) }.clone()
    });
    Value::between(ends, together(x, y))
}

/// Compares two numbers, at least one of which is known only between bounds. The inner `None` means
/// that the bounds do not decide it; the outer one, that the values are no such numbers.
pub(super) fn compared(op: BinaryOp, a: &Value, b: &Value) -> Option<Option<bool>> {
    // Exact numbers are left to the ordinary comparison.
    let is_one = matches!(a, Value::Enclosure(_)) || matches!(b, Value::Enclosure(_));
    let (x, y) = (BoundedNumber::of(a)?, BoundedNumber::of(b)?);
    is_one.then(|| {
        // The very same answer is one unknown number, whatever its bounds.
        if is_same(a, b) {
            return Some(matches!(op, BinaryOp::LessEqual | BinaryOp::GreaterEqual));
        }
        let ([a, b], [c, d]) = (&x.ends, &y.ends);
        let (holds, fails) = match op {
            BinaryOp::Less => (b < c, a >= d),
            BinaryOp::LessEqual => (b <= c, a > d),
            BinaryOp::Greater => (a > d, b <= c),
            _ => (a >= d, b < c),
        };
        match (holds, fails) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    })
}

/// Returns `true` if both values are the same result of one question.
pub(super) fn is_same(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::Enclosure(a), Value::Enclosure(b)) if std::rc::Rc::ptr_eq(a, b))
}

/// Returns `true` if two numbers are equal, at least one of which is known only between bounds. The
/// inner `None` means that the bounds do not decide it; the outer one, that the values are not
/// numbers. A number equals `x ± e` if it is within that range.
pub(super) fn equal(a: &Value, b: &Value) -> Option<Option<bool>> {
    let (x, y) = (BoundedNumber::of(a)?, BoundedNumber::of(b)?);
    let ([low, high], [least, most]) = (&x.ends, &y.ends);
    let apart = high < least || most < low;
    let holds = |range: &Value, other: &BoundedNumber| match range {
        Value::Enclosure(range) if range.origin == Origin::Stated => {
            range.holds(other.ends.each_ref())
        }
        _ => false,
    };
    // Proved bounds that overlap do not show equality, since the numbers may differ.
    let within = is_same(a, b) || holds(a, &y) || holds(b, &x);
    Some(if apart {
        Some(false)
    } else {
        within.then_some(true)
    })
}

/// The reason that two values could not be compared.
#[derive(Debug)]
pub(crate) enum Undecided {
    /// The comparison was stopped.
    Stop(Stop),
    /// Their bounds overlap.
    Overlap([String; 2]),
}

impl Undecided {
    /// Reports two numbers whose bounds do not decide which is greater.
    pub fn overlap(a: &Value, b: &Value) -> Self {
        Self::Overlap([a, b].map(text))
    }
}

impl From<Stop> for Undecided {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<Undecided> for Box<Diagnostic> {
    fn from(undecided: Undecided) -> Self {
        match undecided {
            Undecided::Stop(stop) => stop.into(),
            Undecided::Overlap([a, b]) => overlapping(&a, &b).into(),
        }
    }
}

fn overlapping(a: &str, b: &str) -> Diagnostic {
    Diagnostic::new(Code::Undecided, format!("{a} and {b} overlap"))
        .note("only bounds of these numbers are known, so either may be the greater one, or they may be equal")
        .help("narrow the bounds, `using { precision: 1e-30 }`, or write how near is near enough: `x == 0.4142 ± 1e-4`")
}

fn undecided(message: String, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::Undecided, message)
        .label(span, "its bounds do not tell")
        .help("narrow the bounds, `using { precision: 1e-30 }`")
        .into()
}

/// Formats a number as it is printed.
fn text(value: &Value) -> String {
    match value {
        Value::Enclosure(bounds) => bounds.written().to_string(),
        exact => exact
            .as_rational()
            .map_or_else(String::new, |number| number.to_string()),
    }
}
