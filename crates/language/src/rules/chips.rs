//! Chip counts as the papers write them: `4`, `4*`, `3-ε`.

use std::fmt;

use borsh::{BorshDeserialize, BorshSerialize};
use num_bigint::BigInt;
use serde::{Serialize, Serializer};

/// The mark behind a number of chips.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    BorshSerialize,
    BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ChipMark {
    /// `3-ε`: with the −ε chip of make-it take-it, which loses ties.
    MinusEpsilon,
    /// `3`.
    None,
    /// `3*`: with the tie status.
    Star,
}

impl ChipMark {
    /// Returns the place of the mark between two numbers of chips, in halves of a chip: `3*` lies
    /// between 3 and 4, and `3-ε` between 2 and 3.
    pub fn halves(self) -> i8 {
        match self {
            Self::MinusEpsilon => -1,
            Self::None => 0,
            Self::Star => 1,
        }
    }
}

/// A number of chips with its mark. The order is total: `3-ε < 3 < 3* < 4-ε`.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize,
)]
#[serde(tag = "type", rename = "chips")]
pub struct Chips {
    /// The ordinary chips.
    #[serde(serialize_with = "in_digits")]
    #[borsh(
        serialize_with = "crate::codec::write_integer",
        deserialize_with = "crate::codec::read_integer"
    )]
    pub count: BigInt,
    /// The mark.
    pub mark: ChipMark,
}

/// Writes a number as a string, since it is unbounded.
fn in_digits<S: Serializer>(number: &BigInt, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

impl Chips {
    /// Creates a chip count with a mark.
    pub fn new(count: impl Into<BigInt>, mark: ChipMark) -> Self {
        Self {
            count: count.into(),
            mark,
        }
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.mark {
            ChipMark::MinusEpsilon => "-ε",
            ChipMark::None => "",
            ChipMark::Star => "*",
        };
        write!(f, "{}{mark}", self.count)
    }
}
