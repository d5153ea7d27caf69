//! The encoding of fractions and rows of numbers in a certificate.

use num_rational::BigRational;
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::format::MOST_DIGITS;

/// An exact fraction, written in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Fraction(pub BigRational);

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl TryFrom<String> for Fraction {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        // Reading a number takes more than linear time, so that its length is bounded first.
        if text.len() > MOST_DIGITS {
            return Err(format!("a fraction has more than {MOST_DIGITS} characters"));
        }
        match text.parse::<BigRational>() {
            // One number has only one text, so that equal certificates have equal files.
            Ok(fraction) if fraction.to_string() == text => Ok(Self(fraction)),
            _ => Err("a fraction in lowest terms is expected here, like \"3/8\"".to_owned()),
        }
    }
}

/// Rows of whole numbers, stored one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "Vec<Vec<i32>>")]
pub struct Rows {
    /// The end of each row in `numbers`.
    ends: Vec<usize>,
    numbers: Vec<i32>,
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = i32>) {
        self.numbers.extend(row);
        self.ends.push(self.numbers.len());
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns a row.
    pub fn row(&self, index: usize) -> &[i32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.numbers[start..self.ends[index]]
    }
}

impl From<Vec<Vec<i32>>> for Rows {
    fn from(rows: Vec<Vec<i32>>) -> Self {
        let mut found = Self::default();
        rows.into_iter().for_each(|row| found.push(row));
        found
    }
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.len()).map(|index| self.row(index)))
    }
}
