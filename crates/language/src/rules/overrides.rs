//! Rules: all fields, or the fields that a user writes while the others keep their values in force.

use borsh::{BorshDeserialize, BorshSerialize};

use super::{
    BidKind, Credit, Draws, Income, MinimumBid, Objective, Payment, Precision, RobinHood, Solver,
    Stuck, TieBreak, Winner,
};

/// Declares the fields of rules. Their values, help and ranges are in [`super::FIELDS`].
macro_rules! fields {
    ($($(#[$doc:meta])+ $field:ident: $name:ident($value:ty),)+) => {
        /// All agreements before a game: the value of a rules expression once the defaults are
        /// filled in.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
        pub struct Rules {
            $($(#[$doc])+ pub $field: $value,)+
            /// `true` if positions of the game in question may have income of their own.
            pub has_positions_with_income: bool,
        }

        /// The value of a rules expression: the fields that were written.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
        pub struct Overrides {
            $($(#[$doc])+ pub $field: Option<$value>,)+
        }

        /// A field with a value.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
        pub enum FieldValue {
            $($(#[$doc])+ $name($value),)+
        }

        impl Overrides {
            /// Replaces the written fields in the rules in force.
            #[must_use]
            pub fn over(&self, base: &Rules) -> Rules {
                Rules {
                    $($field: self.$field.clone().unwrap_or_else(|| base.$field.clone()),)+
                    has_positions_with_income: base.has_positions_with_income,
                }
            }

            /// Combines both. The later one decides where both write a field.
            #[must_use]
            pub fn then(&self, later: &Self) -> Self {
                Self {
                    $($field: later.$field.clone().or_else(|| self.$field.clone()),)+
                }
            }

            /// Sets a field.
            pub fn set(&mut self, value: FieldValue) {
                match value {
                    $(FieldValue::$name(value) => self.$field = Some(value),)+
                }
            }

            /// Returns the fields that were written, in the order of the table.
            pub fn fields(&self) -> Vec<FieldValue> {
                let fields = [$(self.$field.clone().map(FieldValue::$name),)+];
                fields.into_iter().flatten().collect()
            }
        }

        impl From<Rules> for Overrides {
            fn from(rules: Rules) -> Self {
                Self {
                    $($field: Some(rules.$field),)+
                }
            }
        }
    };
}

fields! {
    /// The rule for who pays, and to whom.
    pay: Pay(Payment),
    /// The amounts that may be bid.
    bids: Bids(BidKind),
    /// The rule for who wins a tie.
    ties: Ties(TieBreak),
    /// The right that the winner of a bid gains.
    winner: Winner(Winner),
    /// The value of a draw where a single number is asked for.
    draws: Draws(Draws),
    /// The minimum bid. A player with fewer chips bids all of them.
    minimum_bid: MinimumBid(MinimumBid),
    /// The result for a player who must move and cannot, if the game itself does not give one.
    stuck: Stuck(Stuck),
    /// The meaning of play without end.
    objective: Objective(Objective),
    /// The sum of weights with which Alice starts under the energy objective.
    energy: Energy(Credit),
    /// The algorithm, if the user picks one. The answer never depends on it.
    solver: Solver(Solver),
    /// The greatest distance between the bounds of a number that is not exact.
    precision: Precision(Precision),
    /// The gift of the richer player to the poorer before each bid.
    robin_hood: RobinHood(RobinHood),
    /// The parts of all money that the players receive before each bid.
    income: Income(Income),
}

/// Prints rules as a literal.
pub fn print_rules(rules: &Overrides) -> String {
    print_fields(&rules.fields())
}

/// Prints fields as a literal of rules.
pub fn print_fields(fields: &[FieldValue]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(FieldValue::words)
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    if fields.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{ {} }}", fields.join(", "))
    }
}
