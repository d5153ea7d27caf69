//! Builtins on numbers.

use num_rational::BigRational;
use num_traits::Signed;

use super::{Builtin, Call, Parameter};
use crate::check::Kinds;
use crate::diagnostic::Result;
use crate::eval::{Value, floor, rounded};

const NUMBER: &[Parameter] = &[Parameter { name: "x", kinds: Kinds::NUMBER }];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        help: "The largest integer that is not above x.",
        examples: &[("floor(7/2)", "3"), ("floor(-7/2)", "-4")],
        run: |_, call| round(call, floor),
        ..Builtin::new("floor", NUMBER, Kinds::INTEGER)
    },
    Builtin {
        help: "The least integer that is not below x.",
        examples: &[("ceil(7/2)", "4")],
        run: |_, call| round(call, BigRational::ceil),
        ..Builtin::new("ceil", NUMBER, Kinds::INTEGER)
    },
    Builtin {
        help: "The absolute value of x.",
        examples: &[("abs(-7/2)", "7/2")],
        run: |_, call| round(call, BigRational::abs),
        ..Builtin::new("abs", NUMBER, Kinds::NUMBER)
    },
];

fn round(call: &Call<'_>, round: fn(&BigRational) -> BigRational) -> Result<Value> {
    let (value, span) = &call.arguments[0];
    rounded(value, *span, round)
}
