//! Rules: all fields, or those that a user writes while the others stay as they are in force.

use borsh::{BorshDeserialize, BorshSerialize};

use super::{
    BidKind, Draws, MinimumBid, Objective, Payment, Precision, RobinHood, Solver, Stuck, TieBreak,
    Winner,
};

/// Declares the fields of rules. Their values, help and ranges stand in [`super::FIELDS`].
macro_rules! fields {
    ($($(#[$doc:meta])+ $field:ident: $name:ident($value:ty),)+) => {
        /// Everything that is agreed before a game: the value of a rules expression once the
        /// defaults are filled in.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
        pub struct Rules {
            $($(#[$doc])+ pub $field: $value,)+
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
            /// The rules in force with the written fields replaced.
            #[must_use]
            pub fn over(&self, base: &Rules) -> Rules {
                Rules {
                    $($field: self.$field.clone().unwrap_or_else(|| base.$field.clone()),)+
                }
            }

            /// Both, the later one where both write a field.
            #[must_use]
            pub fn then(&self, later: &Self) -> Self {
                Self {
                    $($field: later.$field.clone().or_else(|| self.$field.clone()),)+
                }
            }

            /// Writes a field.
            pub fn set(&mut self, value: FieldValue) {
                match value {
                    $(FieldValue::$name(value) => self.$field = Some(value),)+
                }
            }

            /// The fields that were written, in the order of the table.
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
    /// Who pays, and to whom.
    pay: Pay(Payment),
    /// What may be bid.
    bids: Bids(BidKind),
    /// Who wins a tie.
    ties: Ties(TieBreak),
    /// What the winner of a bid wins.
    winner: Winner(Winner),
    /// What a draw is worth where one number is asked for.
    draws: Draws(Draws),
    /// The least bid of a player who has so much; who has less bids all of it.
    minimum_bid: MinimumBid(MinimumBid),
    /// What happens to a player who must move and cannot, where the game itself does not say.
    stuck: Stuck(Stuck),
    /// What play without end means.
    objective: Objective(Objective),
    /// The algorithm, where the user picks it. The answer never depends on it.
    solver: Solver(Solver),
    /// How far apart the bounds of a number that is not exact may be.
    precision: Precision(Precision),
    /// What the richer player gives the poorer before each bid.
    robin_hood: RobinHood(RobinHood),
}

/// Rules as a literal.
pub fn print_rules(rules: &Overrides) -> String {
    print_fields(&rules.fields())
}

/// Fields as a literal of rules.
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
