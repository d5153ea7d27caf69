//! Positions of rulesets that are solved without a graph: what every theory is given of them.

use super::chips::ThresholdCache;
use crate::game::ruleset::{Indexed, Ruleset, State};
use crate::player::{Ending, Player};

/// Positions of a numbered ruleset.
#[derive(Debug, Clone, Copy)]
pub struct Numbered<'a> {
    /// The ruleset.
    pub ruleset: &'a Ruleset,
    /// Its numbering.
    pub indexed: &'a Indexed,
    /// The positions, each of which has a number.
    pub states: &'a [State],
    /// Endings that are no positions, after these: where stuck players are sent.
    pub ended: &'a [Ending],
    /// Whether the players have exchanged their parts in all of this.
    pub conjugated: bool,
    /// What is known of thresholds in chips from earlier questions, and will be of this one.
    pub kept: Option<&'a ThresholdCache>,
}

impl<'a> Numbered<'a> {
    /// Some positions as they are.
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
    /// Whether the players have exchanged their parts in it.
    pub conjugated: bool,
}

impl<'a> Layered<'a> {
    /// A position as it is.
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
    /// By a sweep.
    Numbered(Numbered<'a>),
    /// Layer by layer.
    Layered(Layered<'a>),
}

impl Graphless<'_> {
    /// Who plays a player's part in the ruleset.
    pub fn part(&self, player: Player) -> Player {
        let conjugated = match self {
            Self::Numbered(numbered) => numbered.conjugated,
            Self::Layered(layered) => layered.conjugated,
        };
        part(conjugated, player)
    }
}

/// The player of a ruleset whose part a player has, who may have exchanged parts with the other.
pub(super) fn part(conjugated: bool, player: Player) -> Player {
    if conjugated { player.other() } else { player }
}
