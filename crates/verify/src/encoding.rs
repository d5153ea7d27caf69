//! How fractions and rows of numbers stand in a certificate.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;
use serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::ser::{SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};

use super::format::MOST_DIGITS;

/// An exact fraction, written in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction(pub BigRational);

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(FractionVisitor)
    }
}

struct FractionVisitor;

impl Visitor<'_> for FractionVisitor {
    type Value = Fraction;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a fraction in lowest terms like \"3/8\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Fraction, E> {
        let wrong = || E::invalid_value(de::Unexpected::Other("a text that is none"), &self);
        if text.len() > MOST_DIGITS {
            return Err(E::custom(format!(
                "a fraction has more than {MOST_DIGITS} characters"
            )));
        }
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| {
            text.parse::<BigInt>()
                .ok()
                .filter(|number| number.to_string() == text)
        };
        let (above, below) = number(above).zip(number(below)).ok_or_else(wrong)?;
        let written_as_integer = !text.contains('/');
        if below.sign() != num_bigint::Sign::Plus || below.is_one() != written_as_integer {
            return Err(wrong());
        }
        let fraction = BigRational::new(above, below.clone());
        if *fraction.denom() == below {
            Ok(Fraction(fraction))
        } else {
            Err(wrong())
        }
    }
}

/// Rows of whole numbers, end to end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows {
    /// Where each row ends in `numbers`.
    ends: Vec<usize>,
    numbers: Vec<i32>,
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = i32>) {
        self.numbers.extend(row);
        self.ends.push(self.numbers.len());
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A row.
    pub fn row(&self, index: usize) -> &[i32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.numbers[start..self.ends[index]]
    }
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.len()))?;
        for index in 0..self.len() {
            rows.serialize_element(self.row(index))?;
        }
        rows.end()
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor)
    }
}

struct RowsVisitor;

impl<'de> Visitor<'de> for RowsVisitor {
    type Value = Rows;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of lists of whole numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Rows, A::Error> {
        let mut found = Rows::default();
        while rows.next_element_seed(Row(&mut found.numbers))?.is_some() {
            found.ends.push(found.numbers.len());
        }
        Ok(found)
    }
}

/// Reads a row to the end of the numbers so far.
struct Row<'a>(&'a mut Vec<i32>);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of whole numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<(), A::Error> {
        while let Some(number) = numbers.next_element()? {
            self.0.push(number);
        }
        Ok(())
    }
}
