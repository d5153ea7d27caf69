//! Values of rules that are made of a number: one entry for each, from which checking, evaluating
//! and messages come.

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::admit::MOST_CHIPS;
use super::{FieldValue, RobinHood};

/// A value of rules that takes a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numeric {
    /// `pay: taxman(t)`
    Taxman,
    /// `minimum_bid: n`
    MinimumBid,
    /// `precision: x`
    Precision,
    /// `robin_hood: t`
    RobinHood,
}

impl Numeric {
    /// What a field takes that is a number alone.
    pub fn of_field(field: &str) -> Option<Self> {
        match field {
            "minimum_bid" => Some(Self::MinimumBid),
            "precision" => Some(Self::Precision),
            "robin_hood" => Some(Self::RobinHood),
            _ => None,
        }
    }

    /// What the value of a field takes that is called with a number.
    pub fn of_call(field: &str, called: &str) -> Option<Self> {
        ((field, called) == ("pay", "taxman")).then_some(Self::Taxman)
    }

    /// The value that a number makes; `None` if it is out of range.
    pub fn value(self, number: BigRational) -> Option<FieldValue> {
        match self {
            Self::Taxman => FieldValue::taxman(number),
            Self::MinimumBid => {
                let chips = number
                    .is_integer()
                    .then(|| number.to_integer().to_u64())
                    .flatten();
                chips
                    .filter(|chips| *chips <= MOST_CHIPS)
                    .map(FieldValue::minimum_bid)
            }
            Self::Precision => FieldValue::precision(number),
            Self::RobinHood => RobinHood::new(number).map(FieldValue::RobinHood),
        }
    }

    /// What it takes, as a sentence.
    pub fn takes(self) -> &'static str {
        match self {
            Self::Taxman => "`taxman` takes a part between 0 and 1",
            Self::MinimumBid => "a least bid is a whole number of chips",
            Self::Precision => "a precision is a number between 0 and 1",
            Self::RobinHood => "`robin_hood` takes a part, at least 0 and less than 1/2",
        }
    }

    /// What is said of a number that is out of range: the message, the label, and the remedy.
    pub fn refusal(self) -> [&'static str; 3] {
        match self {
            Self::Taxman => [
                "taxman's part lies between 0 and 1",
                "outside 0 … 1",
                "0 is `richman`, 1 is `poorman`",
            ],
            Self::MinimumBid => [
                "a least bid is a whole number of chips, zero or more",
                "not a number of chips",
                "write, for example, `minimum_bid: 1`",
            ],
            Self::Precision => [
                "a precision lies between 0 and 1",
                "no precision",
                "write, for example, `precision: 1e-30`; the default is 1e-12",
            ],
            Self::RobinHood => [
                "Robin Hood's part is at least 0 and less than 1/2",
                "outside 0 … 1/2",
                "0 gives nothing; with 1/2 both would have the same money before each bid",
            ],
        }
    }
}
