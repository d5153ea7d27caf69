//! Builtins on numbers.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, Range, absolute, floor, no_question, rounded};
use crate::ir::{BuiltinSignature, Kinds, Parameter, Value};
use crate::source::Span;

const NUMBER_AND_DIGITS: &[Parameter] = &[
    Parameter {
        name: "x",
        kinds: Kinds::ENCLOSED,
    },
    Parameter {
        name: "digits",
        kinds: Kinds::INTEGER,
    },
];
const NUMBER: &[Parameter] = &[Parameter {
    name: "x",
    kinds: Kinds::ENCLOSED,
}];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        signature: BuiltinSignature {
            help: "The largest integer that is not above x.",
            examples: &[("floor(7/2)", "3"), ("floor(-7/2)", "-4")],
            ..BuiltinSignature::new("floor", NUMBER, Kinds::INTEGER)
        },
        asks: no_question,
        run: |_, call| round(call, floor),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The least integer that is not below x.",
            examples: &[("ceil(7/2)", "4")],
            ..BuiltinSignature::new("ceil", NUMBER, Kinds::INTEGER)
        },
        asks: no_question,
        run: |_, call| round(call, BigRational::ceil),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The absolute value of x.",
            examples: &[("abs(-7/2)", "7/2")],
            ..BuiltinSignature::new("abs", NUMBER, Kinds::ENCLOSED)
        },
        run: |_, call| {
            let (value, span) = &call.arguments[0];
            Range::at((value, *span)).map(|range| absolute(&range))
        },
        asks: no_question,
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
        asks: no_question,
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
    let range = Range::at((value, *span))?;
    let count = digits
        .as_rational()
        .filter(BigRational::is_integer)
        .and_then(|count| count.to_integer().to_u32());
    let Some(count) = count.filter(|count| *count <= MOST_DIGITS) else {
        return Err(bad_digits(*digits_span));
    };
    let unit = BigRational::from(BigInt::from(10).pow(count));
    let [low, high] = range.ends.map(|end| end * &unit);
    let rounded = low.round();
    if high.round() != rounded {
        return Err(too_wide(*span));
    }
    let more = if rounded == low && low == high {
        ""
    } else {
        "…"
    };
    let sign = if rounded.is_negative() { "-" } else { "" };
    let width = count as usize;
    let written = format!(
        "{:0>least$}",
        rounded.to_integer().magnitude().to_string(),
        least = width + 1
    );
    let (whole, part) = written.split_at(written.len() - width);
    let point = if part.is_empty() { "" } else { "." };
    Ok(Value::text(format!("{sign}{whole}{point}{part}{more}")))
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
    .into()
}

fn round(call: &Call<'_>, round: fn(&BigRational) -> BigRational) -> Result<Value> {
    let (value, span) = &call.arguments[0];
    rounded((value, *span), round)
}
