//! Builtins on numbers.

use num_rational::BigRational;
use num_traits::Signed;

use crate::diagnostic::Result;
use crate::eval::{Builtin, Call, floor, rounded};
use crate::ir::{BuiltinSignature, Kinds, Parameter, Value};

const NUMBER: &[Parameter] = &[Parameter { name: "x", kinds: Kinds::NUMBER }];

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
];

fn round(call: &Call<'_>, round: fn(&BigRational) -> BigRational) -> Result<Value> {
    let (value, span) = &call.arguments[0];
    rounded(value, *span, round)
}
