//! Builtins on numbers.

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, floor, rounded, type_error};
use crate::ir::{BuiltinSignature, Kinds, Parameter, Value};
use crate::source::Span;

const NUMBER_AND_DIGITS: &[Parameter] = &[
    Parameter {
        name: "x",
        kinds: Kinds::NUMBER,
    },
    Parameter {
        name: "digits",
        kinds: Kinds::INTEGER,
    },
];
const NUMBER: &[Parameter] = &[Parameter {
    name: "x",
    kinds: Kinds::NUMBER,
}];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        signature: BuiltinSignature {
            help: "The largest integer that is not above x.",
            examples: &[("floor(7/2)", "3"), ("floor(-7/2)", "-4")],
            ..BuiltinSignature::new("floor", NUMBER, Kinds::INTEGER)
        },
        run: |_, call| round(call, floor),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The least integer that is not below x.",
            examples: &[("ceil(7/2)", "4")],
            ..BuiltinSignature::new("ceil", NUMBER, Kinds::INTEGER)
        },
        run: |_, call| round(call, BigRational::ceil),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The absolute value of x.",
            examples: &[("abs(-7/2)", "7/2")],
            ..BuiltinSignature::new("abs", NUMBER, Kinds::NUMBER)
        },
        run: |_, call| round(call, BigRational::abs),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "x rounded to so many digits after the point, as a text for reading; `…` says that x has more digits.",
            examples: &[
                ("decimal(133/256, 4)", "0.5195…"),
                ("decimal(1/4, 2)", "0.25"),
                ("decimal(-2/3, 3)", "-0.667…"),
            ],
            ..BuiltinSignature::new("decimal", NUMBER_AND_DIGITS, Kinds::TEXT)
        },
        run: decimal,
    },
];

/// The most digits that are written.
const MOST_DIGITS: u32 = 100_000;

/// Halves are rounded away from 0.
fn decimal(_: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let [(value, span), (digits, digits_span)] = &call.arguments[..] else {
        unreachable!("it takes two arguments")
    };
    let number = value
        .as_rational()
        .ok_or_else(|| type_error(*span, Kinds::NUMBER, value))?;
    let count = digits
        .as_rational()
        .filter(BigRational::is_integer)
        .and_then(|count| count.to_integer().to_u32());
    let Some(count) = count.filter(|count| *count <= MOST_DIGITS) else {
        return Err(bad_digits(*digits_span));
    };
    // Division with a rest takes less time than fractions in lowest terms do.
    let scaled = number.numer().magnitude() * BigUint::from(10_u32).pow(count);
    let (below, rest) = scaled.div_rem(number.denom().magnitude());
    let more = if rest.is_zero() { "" } else { "…" };
    let goes_up = &rest + &rest >= *number.denom().magnitude();
    let rounded = if goes_up { below + 1_u32 } else { below };
    let is_negative = number.is_negative() && !rounded.is_zero();
    let sign = if is_negative { "-" } else { "" };
    let (width, digits) = (count as usize, rounded.to_string());
    let zeros = "0".repeat((width + 1).saturating_sub(digits.len()));
    let written = zeros + &digits;
    let (whole, part) = written.split_at(written.len() - width);
    let point = if part.is_empty() { "" } else { "." };
    Ok(Value::text(format!("{sign}{whole}{point}{part}{more}")))
}

fn bad_digits(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadValue,
        format!("the digits after the point are a whole number from 0 to {MOST_DIGITS}"),
    )
    .label(span, "out of range")
    .into()
}

fn round(call: &Call<'_>, round: fn(&BigRational) -> BigRational) -> Result<Value> {
    let (value, span) = &call.arguments[0];
    rounded(value, *span, round)
}
