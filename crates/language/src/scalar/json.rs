//! Writes scalars and their parts as JSON, for serde. The schema is `docs/json.md`.

use std::fmt::Display;

use num_rational::BigRational;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// Writes a number as a string.
///
/// # Errors
/// If the serializer fails.
pub fn text<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes a fraction: numerator and denominator as strings.
///
/// # Errors
/// If the serializer fails.
pub fn rational<S: Serializer>(value: &BigRational, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(tag = "type", rename = "rational")]
    struct JsonFraction {
        numerator: String,
        denominator: String,
    }
    JsonFraction {
        numerator: value.numer().to_string(),
        denominator: value.denom().to_string(),
    }
    .serialize(serializer)
}

/// Writes a function: its name and those of its parameters.
///
/// # Errors
/// If the serializer fails.
pub fn function<S: Serializer>(
    name: &str,
    parameters: &[String],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(tag = "type", rename = "function")]
    struct JsonFunction<'a> {
        name: &'a str,
        parameters: &'a [String],
    }
    JsonFunction { name, parameters }.serialize(serializer)
}

/// Writes several values as a tuple.
///
/// # Errors
/// If the serializer fails.
pub fn tuple<T: Serialize, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    tagged(serializer, "tuple", "items", items)
}

/// Writes an object with a type and one more field.
///
/// # Errors
/// If the serializer fails.
pub fn tagged<T: Serialize + ?Sized, S: Serializer>(
    serializer: S,
    kind: &str,
    name: &'static str,
    field: &T,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_struct("", 2)?;
    object.serialize_field("type", kind)?;
    object.serialize_field(name, field)?;
    object.end()
}
