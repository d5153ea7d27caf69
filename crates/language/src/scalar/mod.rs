//! Words and numbers as data in answers, exact or between proved bounds.

mod beginning;
mod bounds;
pub mod json;

use std::fmt;

use borsh::{BorshDeserialize, BorshSerialize};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde::Serialize;

use crate::player::{GameId, Outcome, Player};
use crate::rules::{ChipMark, Chips};

pub use beginning::Beginning;
pub use bounds::{Bounds, decimal};

/// One word or number.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum Scalar {
    /// `5`.
    Integer(
        #[serde(serialize_with = "json::text")]
        #[borsh(
            serialize_with = "crate::codec::write_integer",
            deserialize_with = "crate::codec::read_integer"
        )]
        BigInt,
    ),
    /// `true`, `false`.
    Bool(bool),
    /// A string, a position, a vertex's label or an export.
    String(String),
    /// `alice`, `bob`.
    Player(Player),
    /// `alice`, `bob`, `draw`, `undetermined`.
    Outcome(Outcome),
    /// A word of the language that is a value: `empty`, `top`.
    Word(
        #[borsh(
            serialize_with = "crate::codec::write_word",
            deserialize_with = "crate::codec::read_word"
        )]
        &'static str,
    ),
    /// A game as an expression, `A ∧ B^2`.
    Game(NamedGame),
    /// A value under optimal bids or moves of both players, `[4]`.
    Equilibrium(Box<Scalar>),
    /// `133/256`.
    #[serde(untagged, serialize_with = "json::rational")]
    Rational(
        #[borsh(
            serialize_with = "crate::codec::write_rational",
            deserialize_with = "crate::codec::read_rational"
        )]
        BigRational,
    ),
    /// `4*`, `3-ε`.
    #[serde(untagged)]
    Chips(Chips),
    /// A number between proved bounds.
    #[serde(untagged)]
    Interval(Interval),
    /// A number between proved bounds of any length, boxed to keep the other variants small.
    #[serde(untagged)]
    Bounds(Box<Bounds>),
    /// A tuple: `(0*, 1)`.
    #[serde(untagged, serialize_with = "json::tuple")]
    Tuple(Vec<Scalar>),
    /// A function.
    #[serde(untagged, serialize_with = "json::function")]
    Function {
        /// The name.
        name: String,
        /// The names of its parameters.
        parameters: Vec<String>,
    },
}

/// A game as an expression, with its id in the session that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(transparent)]
pub struct NamedGame {
    /// The expression.
    pub text: String,
    /// The id in that session.
    #[serde(skip)]
    pub id: GameId,
}

/// Proved bounds of a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "interval")]
pub struct Interval {
    /// The lower bound.
    #[serde(serialize_with = "json::text")]
    pub low: f64,
    /// The upper bound.
    #[serde(serialize_with = "json::text")]
    pub high: f64,
}

impl Scalar {
    /// Subtracts a number exactly, counting marks as [`exact`](Self::exact) does. Returns `None` if
    /// this is no exactly known number.
    pub fn less(&self, amount: &BigRational) -> Option<Self> {
        let number = self.exact()? - amount;
        Some(if number.is_integer() {
            Self::Integer(number.to_integer())
        } else {
            Self::Rational(number)
        })
    }

    /// Returns `true` for a game, and for a value with a game among its parts.
    pub fn mentions_games(&self) -> bool {
        match self {
            Self::Game(_) => true,
            Self::Tuple(parts) => parts.iter().any(Self::mentions_games),
            Self::Equilibrium(value) => value.mentions_games(),
            Self::Integer(_)
            | Self::Rational(_)
            | Self::Chips(_)
            | Self::Interval(_)
            | Self::Bounds(_)
            | Self::Bool(_)
            | Self::String(_)
            | Self::Player(_)
            | Self::Outcome(_)
            | Self::Word(_)
            | Self::Function { .. } => false,
        }
    }

    /// Visits the game that this is, or the games among its parts.
    pub fn each_game(&mut self, visit: &mut dyn FnMut(&mut NamedGame)) {
        match self {
            Self::Game(game) => visit(game),
            Self::Tuple(parts) => parts.iter_mut().for_each(|part| part.each_game(visit)),
            Self::Equilibrium(value) => value.each_game(visit),
            _ => {}
        }
    }

    /// Returns the exact number, counting a star as a half and −ε as minus a half, or `None` if this
    /// is no exactly known number.
    pub fn exact(&self) -> Option<BigRational> {
        match self {
            Self::Integer(value) => Some(value.clone().into()),
            Self::Rational(value) => Some(value.clone()),
            Self::Chips(chips) => {
                let part = BigRational::new(chips.mark.halves().into(), 2.into());
                Some(part + &chips.count)
            }
            Self::Equilibrium(value) => value.exact(),
            _ => None,
        }
    }

    /// Returns the floating-point number nearest to a number of any kind, or the middle of an
    /// interval. A star counts as a half, because 3* lies between 3 and 4, and 3-ε as 2.5. Returns
    /// `None` if the number is beyond floating-point numbers.
    pub fn approximate(&self) -> Option<f64> {
        let nearest = match self {
            Self::Integer(value) => value.to_f64(),
            Self::Rational(value) => value.to_f64(),
            Self::Chips(chips) => {
                let part = f64::from(chips.mark.halves()) / 2.0;
                chips.count.to_f64().map(|count| count + part)
            }
            Self::Interval(bounds) => Some(f64::midpoint(bounds.low, bounds.high)),
            Self::Bounds(bounds) => {
                Some(f64::midpoint(bounds.low.to_f64()?, bounds.high.to_f64()?))
            }
            Self::Equilibrium(value) => value.approximate(),
            _ => None,
        };
        nearest.filter(|nearest| nearest.is_finite())
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Rational(value) => value.fmt(f),
            Self::Chips(chips) => chips.fmt(f),
            Self::Interval(interval) => f.write_str(&interval.text()),
            Self::Bounds(bounds) => f.write_str(&bounds.text()),
            Self::Tuple(parts) => {
                write!(
                    f,
                    "({})",
                    parts
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
            Self::Bool(value) => value.fmt(f),
            Self::String(text) => f.write_str(text),
            Self::Game(game) => f.write_str(&game.text),
            Self::Equilibrium(value) => write!(f, "[{value}]"),
            Self::Player(player) => f.write_str(player.word()),
            Self::Outcome(outcome) => f.write_str(outcome.word()),
            Self::Word(word) => f.write_str(word),
            Self::Function { name, parameters } => write!(f, "{name}({})", parameters.join(", ")),
        }
    }
}

impl From<&BigRational> for Scalar {
    fn from(value: &BigRational) -> Self {
        if value.is_integer() {
            Self::Integer(value.to_integer())
        } else {
            Self::Rational(value.clone())
        }
    }
}

/// Converts plain values to scalars.
macro_rules! scalars_from {
    ($($kind:ty => $variant:ident),* $(,)?) => {$(
        impl From<$kind> for Scalar {
            fn from(value: $kind) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

scalars_from! { bool => Bool, u64 => Integer, usize => Integer, String => String }

impl From<Bounds> for Scalar {
    fn from(bounds: Bounds) -> Self {
        Self::Bounds(Box::new(bounds))
    }
}

impl From<&Chips> for Scalar {
    fn from(chips: &Chips) -> Self {
        // Chips without a mark are integers in the language.
        if chips.mark == ChipMark::None {
            Self::Integer(chips.count.clone())
        } else {
            Self::Chips(chips.clone())
        }
    }
}

impl Interval {
    /// Prints the middle to as many digits as the bounds agree on, and the distance of the bounds
    /// from it.
    pub fn text(&self) -> String {
        if self.low == self.high {
            return self.low.to_string();
        }
        // Every finite number of the machine is a fraction, so that nothing is rounded.
        let exact = |bound| BigRational::from_float(bound).unwrap_or_default();
        Bounds {
            low: exact(self.low),
            high: exact(self.high),
        }
        .text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_show_the_digits_that_are_known() {
        let text = |low, high| Interval { low, high }.text();
        assert_eq!(text(0.5, 0.5), "0.5");
        assert_eq!(text(0.25, 0.75), "0.50 ± 0.25");
        assert_eq!(
            text(0.333_333_333_333, 0.333_333_333_334),
            "0.3333333333335 ± 6e-13"
        );
    }
}
