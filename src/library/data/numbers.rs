//! Builtins on numbers.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{BoundedNumber, Builtin, Call, Evaluator, absolute, floor, rounded};
use crate::ir::{Kinds, Parameter, Value};
use crate::rules::ChipMark;
use crate::source::Span;

const NUMBER_AND_DIGITS: &[Parameter] = &[
    Parameter::new("x", Kinds::ENCLOSED),
    Parameter::new("digits", Kinds::INTEGER),
];
const AMOUNT: &[Parameter] = &[Parameter::new("x", Kinds::AMOUNT)];
const NUMBER: &[Parameter] = &[Parameter::new("x", Kinds::ENCLOSED)];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "floor"(AMOUNT) -> Kinds::INTEGER, None, |_, call| match &call.arguments[0].value {
            // A star is worth less than a chip, and −ε takes less than a chip away.
            Value::Chips(chips) => Ok(Value::Integer(match chips.mark {
                ChipMark::MinusEpsilon => &chips.count - 1,
                ChipMark::None | ChipMark::Star => chips.count.clone(),
            })),
            _ => round(call, floor),
        },
        "The largest integer that is not above x; of chips, their number without the star, and one less with −ε.",
        "floor(7/2)" => "3",
        "floor(-7/2)" => "-4",
        "floor(f(E, 4)) / 4" => "1/2";
    "ceil"(NUMBER) -> Kinds::INTEGER, None, |_, call| round(call, BigRational::ceil),
        "The least integer that is not below x.",
        "ceil(7/2)" => "4";
    "abs"(NUMBER) -> Kinds::ENCLOSED, None, |_, call| {
            BoundedNumber::at(call.arguments[0].as_ref()).map(|range| absolute(&range))
        },
        "The absolute value of x.",
        "abs(-7/2)" => "7/2";
    "decimal"(NUMBER_AND_DIGITS) -> Kinds::TEXT, None, decimal,
        "x rounded to that many digits after the point, as a text for reading; `…` says that x has \
         more digits.",
        "decimal(133/256, 4)" => "0.5195…",
        "decimal(1/4, 2)" => "0.25",
        "decimal(-2/3, 3)" => "-0.667…";
};

/// The most digits that are written.
const MOST_DIGITS: u32 = 100_000;

fn decimal(_: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let [number, digits] = &call.arguments[..] else {
        unreachable!("it takes two arguments")
    };
    let range = BoundedNumber::at(number.as_ref())?;
    let count = digits
        .value
        .as_rational()
        .filter(BigRational::is_integer)
        .and_then(|count| count.to_integer().to_u32());
    let Some(count) = count.filter(|count| *count <= MOST_DIGITS) else {
        return Err(bad_digits(digits.span));
    };
    let [low, high] = &range.ends;
    let text = written(low, count);
    if low == high {
        return Ok(Value::text(text));
    }
    let digits = text.trim_end_matches('…');
    // All numbers between the bounds have these digits only if both ends have.
    if written(high, count).trim_end_matches('…') != digits {
        return Err(too_wide(number.span));
    }
    Ok(Value::text(format!("{digits}…")))
}

/// Formats a number with `count` digits after the point, with halves rounded away from 0.
fn written(number: &BigRational, count: u32) -> String {
    // Division with remainder is faster than arithmetic with fractions in lowest terms.
    let scaled = number.numer().magnitude() * BigUint::from(10_u32).pow(count);
    let denominator = number.denom().magnitude();
    let (below, rest) = scaled.div_rem(denominator);
    let more = if rest.is_zero() { "" } else { "…" };
    // Doubling the remainder compares it with a half without a fraction.
    let rounded = if &rest + &rest < *denominator {
        below
    } else {
        below + 1_u32
    };
    let sign = if number.is_negative() {
        Sign::Minus
    } else {
        Sign::Plus
    };
    let rounded = BigInt::from_biguint(sign, rounded);
    format!("{}{more}", crate::scalar::decimal(&rounded, count as usize))
}

fn too_wide(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Undecided,
        "this number is not known to so many digits",
    )
    .label(span, "its bounds do not tell")
    .help("ask for fewer digits, or for narrower bounds: `using { precision: 1e-30 }`")
    .into()
}

fn bad_digits(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadValue,
        format!("the digits after the point are a whole number from 0 to {MOST_DIGITS}"),
    )
    .label(span, "out of range")
    .help("write, for example, `decimal(1/3, 20)`; `floor` and `ceil` give whole numbers")
    .into()
}

fn round(call: &Call<'_>, round: fn(&BigRational) -> BigRational) -> Result<Value> {
    rounded(call.arguments[0].as_ref(), round)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_fractions() {
        for (numerator, denominator) in (-40..=40).flat_map(|n| (1..=12).map(move |d| (n, d))) {
            let number = BigRational::new(BigInt::from(numerator), BigInt::from(denominator));
            for count in 0..4 {
                let unit = BigRational::from_integer(BigInt::from(10).pow(count));
                let text = written(&number, count);
                let read = text.trim_end_matches('…').replace('.', "");
                let read: i64 = read.parse().expect("digits");
                let scaled = &number * &unit;
                assert_eq!(BigRational::from_integer(read.into()), scaled.round());
                assert_eq!(text.ends_with('…'), !scaled.is_integer());
            }
        }
    }

    #[test]
    fn any_number_of_digits_is_written() {
        let third = BigRational::new(1.into(), 3.into());
        for count in [65_534, 65_535, 65_536, MOST_DIGITS] {
            let expected = format!("0.{}…", "3".repeat(count as usize));
            assert_eq!(written(&third, count), expected, "{count}");
        }
        let zeros = written(&BigRational::zero(), MOST_DIGITS);
        assert_eq!(zeros.len(), MOST_DIGITS as usize + 2);
    }
}
