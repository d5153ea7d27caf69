//! Positions of rulesets that are solved without a graph, in the form in which every law receives
//! them.
//!
//! Positions come from four places: the vertices of a [graph](crate::game::GameGraph), the states
//! of a ruleset one after another ([`MoveWalker`](crate::game::ruleset::MoveWalker)), states with
//! numbers ([`Indexed`]), and boards as bits ([`search`](crate::space::search)).

use crate::chips::ThresholdCache;
use crate::game::ruleset::{Indexed, Ruleset, State};
use crate::player::{Ending, Player};

/// Positions of a numbered ruleset.
#[derive(Debug, Clone, Copy)]
pub struct Numbered<'a> {
    /// The ruleset.
    pub ruleset: &'a Ruleset,
    /// The numbering of the ruleset's positions, with its tables.
    pub indexed: &'a Indexed,
    /// The positions, each of which has a number.
    pub states: &'a [State],
    /// Endings that are no positions, which stuck players are sent to; they follow the positions.
    pub ended: &'a [Ending],
    /// `true` if the players are exchanged in all of this.
    pub conjugated: bool,
    /// The cache of thresholds in chips from earlier questions, to which this one adds.
    pub kept: Option<&'a ThresholdCache>,
}

impl<'a> Numbered<'a> {
    /// Creates the list of some positions with the players not exchanged.
    pub fn new(ruleset: &'a Ruleset, indexed: &'a Indexed, states: &'a [State]) -> Self {
        Self {
            ruleset,
            indexed,
            states,
            ended: &[],
            conjugated: false,
            kept: None,
        }
    }
}

/// A position of a ruleset that is solved layer by layer.
#[derive(Debug, Clone, Copy)]
pub struct Layered<'a> {
    /// The ruleset.
    pub ruleset: &'a Ruleset,
    /// The position.
    pub state: &'a State,
    /// `true` if the players are exchanged.
    pub conjugated: bool,
}

impl<'a> Layered<'a> {
    /// Creates the entry of a position with the players not exchanged.
    pub fn new(ruleset: &'a Ruleset, state: &'a State) -> Self {
        Self {
            ruleset,
            state,
            conjugated: false,
        }
    }
}

/// Positions that are solved without a graph.
#[derive(Debug, Clone, Copy)]
pub enum Graphless<'a> {
    /// Positions that are solved by a sweep.
    Numbered(Numbered<'a>),
    /// A position that is solved layer by layer.
    Layered(Layered<'a>),
}

impl<'a> From<Numbered<'a>> for Graphless<'a> {
    fn from(numbered: Numbered<'a>) -> Self {
        Self::Numbered(numbered)
    }
}

impl Graphless<'_> {
    /// Returns the player of the ruleset whose part a player has.
    pub fn part(&self, player: Player) -> Player {
        let conjugated = match self {
            Self::Numbered(numbered) => numbered.conjugated,
            Self::Layered(layered) => layered.conjugated,
        };
        part(conjugated, player)
    }
}

/// Returns the player of a ruleset whose part a player has; `conjugated` says that the parts are
/// exchanged.
pub(crate) fn part(conjugated: bool, player: Player) -> Player {
    // Exchanging the players twice changes nothing, so one flag describes any number of
    // conjugations.
    if conjugated { player.other() } else { player }
}
