//! The uniqueness properties (Larsson, Patel & Rai, Definition 2), tested at every position.

use super::{ScoreInterval, ScoringSolution};
use crate::game::NodeId;
use crate::player::Player;
use crate::rules::Purses;
use crate::watch::{Asking, Context, Stop};

/// The number of pairs of purses that are compared between two checks.
const PAIRS: usize = 1 << 16;

/// A property of Definition 2, for every position and all budgets p + q = TB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// (A) Budget monotonicity: o(p, q) ≤ o(p + 1, q − 1), with the marker as well as without it.
    Budget,
    /// (B) Marker monotonicity: o(p*, q) ≥ o(p, q*).
    Marker,
    /// (C) Marker worth: o(p*, q) ≤ o(p + 1, (q − 1)*).
    Worth,
}

impl Property {
    /// Returns the paper's letter and name.
    pub fn words(self) -> &'static str {
        match self {
            Self::Budget => "(A) budget monotonicity",
            Self::Marker => "(B) marker monotonicity",
            Self::Worth => "(C) marker worth",
        }
    }
}

/// A position at which a property fails: the maximin value with the first purses should not be
/// greater than with the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breach {
    /// The property that fails.
    pub property: Property,
    /// The position.
    pub node: NodeId,
    /// The purses that should be no better for Alice, with their values.
    pub poorer: (Purses, ScoreInterval),
    /// The purses that should be no worse, with their values.
    pub richer: (Purses, ScoreInterval),
}

/// Finds a position that can be reached from `start` and breaks one of the properties, the first by
/// id. Returns `None` if the game is in the monotone class for this total budget. All rows must
/// have been kept, and there must be a tie status.
///
/// # Errors
/// If the work is stopped.
pub fn breach(
    solved: ScoringSolution<'_>,
    start: NodeId,
    context: &Context<'_>,
) -> Result<Option<Breach>, Stop> {
    let values = solved.values;
    let mut asking = Asking::every(PAIRS, context);
    for node in solved.game.graph.reachable(start) {
        let pairs = (0..=values.total()).flat_map(|alice| pairs(alice, values.total()));
        for (property, poorer, richer) in pairs {
            asking.step(1)?;
            let breach = Breach {
                property,
                node,
                poorer: (poorer, values.at(node, &poorer)),
                richer: (richer, values.at(node, &richer)),
            };
            // The properties are defined for the outcome o, the maximin value.
            if breach.poorer.1.least > breach.richer.1.least {
                return Ok(Some(breach));
            }
        }
    }
    Ok(None)
}

/// Iterates over the pairs of purses that the properties compare, where Alice has this many chips
/// in the first.
fn pairs(alice: u64, total: u64) -> impl Iterator<Item = (Property, Purses, Purses)> {
    let with = |chips: u64, holder| Purses::new(chips, total - chips, Some(holder));
    let [hers, his] = Player::BOTH;
    // Budget monotonicity and marker worth give Alice a chip more, which Bob has to have.
    let richer = (alice < total).then(|| {
        [
            (Property::Budget, with(alice, hers), with(alice + 1, hers)),
            (Property::Budget, with(alice, his), with(alice + 1, his)),
            (Property::Worth, with(alice, hers), with(alice + 1, his)),
        ]
    });
    [(Property::Marker, with(alice, his), with(alice, hers))]
        .into_iter()
        .chain(richer.into_iter().flatten())
}
