//! The classes of positions for which they can be computed: of all positions, or of those from
//! which play always ends and every turn has a bid that matters.

use std::rc::Rc;

use super::solve::{ClassId, Sequences, minds_owners};
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::Ending;
use crate::rules::Rules;
use crate::rules::admit::{self, ChipsQuestion};
use crate::watch::Context;

/// The sequences of the positions of a game for which they are known.
#[derive(Debug, Clone)]
pub struct KnownSequences {
    sequences: Rc<Sequences>,
    /// `true` for each position that is known; `None` if all are.
    positions: Option<Vec<bool>>,
}

impl KnownSequences {
    /// Creates the sequences of all positions of a solved game.
    pub fn all(sequences: Rc<Sequences>) -> Self {
        Self {
            sequences,
            positions: None,
        }
    }

    /// Solves the positions that lead neither to a cycle nor, under rules under which a bid about
    /// nothing changes something, to a turn without a bid.
    ///
    /// # Errors
    /// The errors of [`Sequences::solve`] for a game without cycles and owners.
    pub fn where_closed(graph: &GameGraph, rules: &Rules, context: &Context<'_>) -> Result<Self> {
        admit::chips(rules, ChipsQuestion::Threshold)?;
        let minds_owners = minds_owners(rules);
        let mut closed = vec![true; graph.len()];
        // Components come after those that they lead to, so the successors are decided already.
        for (members, cyclic) in graph.components().iter() {
            let leads_on = members.iter().any(|&node| {
                let is_open = minds_owners && graph.owner(node).is_some();
                is_open || graph.all_successors(node).any(|head| !closed[head.index()])
            });
            members
                .iter()
                .for_each(|node| closed[node.index()] = !cyclic && !leads_on);
        }
        // An open position keeps its number, but no closed position leads to it, so its value is
        // never used.
        let ending = |node: NodeId| {
            let is_open = !closed[node.index()];
            is_open.then_some(Ending::Draw).or(graph.ending(node))
        };
        let left = graph.restricted(ending, |_, _, _| true);
        let sequences = Rc::new(Sequences::solve(&left, rules, context)?);
        Ok(Self {
            sequences,
            positions: Some(closed),
        })
    }

    /// Returns the class of a position, if it is known.
    pub fn class(&self, node: NodeId) -> Option<ClassId> {
        let known = self
            .positions
            .as_ref()
            .is_none_or(|known| known[node.index()]);
        known.then(|| self.sequences.class(node))
    }

    /// Returns the sequences of the classes.
    pub fn sequences(&self) -> &Sequences {
        &self.sequences
    }
}
