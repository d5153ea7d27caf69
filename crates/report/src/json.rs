//! Writes reports as JSON, for programs: the answers' data, by serde. The schema is `docs/json.md`.
//! Every value is an object whose `type` tells its kind, and numbers are strings, since they are
//! unbounded.
//!
//! The types declare their fields themselves. This module defines the forms of types of other
//! crates.

use std::fmt::{self, Display};

use num_bigint::BigInt;
use num_rational::BigRational;
use serde::Serialize;
use serde::ser::Serializer;

use bid_language::rules::FieldValue;
use bid_language::scalar::Scalar;
use bid_language::scalar::json::tagged;

use super::{Page, Report, Weight};

/// Writes the report as one line of JSON.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    serialised(report, page)
}

/// Writes a shown value with its label, as one line of JSON.
pub fn labelled(label: &str, value: &Report, page: &mut Page<'_>) -> fmt::Result {
    #[derive(Serialize)]
    struct Shown<'a> {
        label: &'a str,
        value: &'a Report,
    }
    serialised(&Shown { label, value }, page)
}

fn serialised(value: &impl Serialize, page: &mut Page<'_>) -> fmt::Result {
    // Every answer can be serialised, so writing fails only if the page is stopped.
    serde_json::to_writer(page, value).map_err(|_| fmt::Error)
}

/// Writes a number as a string.
pub(super) fn text<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes a number as a string, or `null` if there is none.
pub(super) fn maybe_text<T: Display, S: Serializer>(
    value: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value
        .as_ref()
        .map(ToString::to_string)
        .serialize(serializer)
}

/// Writes a rational, as an integer if it is one.
pub(super) fn number<S: Serializer>(value: &BigRational, serializer: S) -> Result<S::Ok, S::Error> {
    let integer = value
        .is_integer()
        .then(|| Scalar::Integer(value.numer().clone()));
    integer
        .unwrap_or_else(|| Scalar::Rational(value.clone()))
        .serialize(serializer)
}

pub(super) fn list<T: Serialize, S: Serializer>(
    items: &[T],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    tagged(serializer, "list", "items", items)
}

pub(super) fn rules<S: Serializer>(
    fields: &[FieldValue],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let fields = Fields(|| fields.iter().map(FieldValue::words));
    tagged(serializer, "rules", "fields", &fields)
}

pub(super) fn record<S: Serializer>(
    facts: &[(String, Report)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let fields = Fields(|| facts.iter().map(|(name, fact)| (name, fact)));
    tagged(serializer, "record", "fields", &fields)
}

/// An object with these names and values.
struct Fields<F>(F);

impl<K: Serialize, V: Serialize, I: Iterator<Item = (K, V)>, F: Fn() -> I> Serialize for Fields<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}

/// Writes the bids of a mixed bid with their probabilities.
pub(super) fn bids<S: Serializer>(
    bids: &[(BigInt, Weight)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct BidProbability {
        bid: String,
        probability: String,
    }
    let bid = |(bid, weight): &(BigInt, Weight)| BidProbability {
        bid: bid.to_string(),
        probability: weight.full(),
    };
    serializer.collect_seq(bids.iter().map(bid))
}
